"""What words alone give away (FrameEvidence, Appendix F.3, Table 32): scores of runs on dev and test, and single cues.

An invalid or missing answer counts as wrong and stays in every denominator.
"""

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import classification
from vantage.bootstrap import mean_sums, ratio_intervals, wilson_interval
from vantage.letters import correct
from vantage.majority import apply_rule, fit_rule
from vantage.predictions import NOT_ASKED, TripletRun
from vantage.schemas import LETTERS
from vantage.triplets import CONDITIONS, Triplets

DRAWS = 20_000
"""Draws of the cluster bootstrap, as in the paper's D.6 and G.3."""

CHANCE = 100 / len(LETTERS)
"""Expected accuracy of a guess, percent."""

PLANTED = "Planted: one in four groups tells a letter"
"""The name of the cue that is not in the items."""


def shortcut_scores(
    runs: Sequence[TripletRun], triplets: Triplets, splits: Sequence[str] = ("dev", "test")
) -> pd.DataFrame:
    """Table 32's rows as columns: percent, and joint successes of groups; one row a run and split that it answers.

    A family that the run leaves out is undefined.
    """
    rows = []
    for run in runs:
        for split in splits:
            by_family = {family: _asked_groups(run, triplets, family, split) for family in CONDITIONS}
            asked = np.concatenate([groups.ravel() for groups in by_family.values()])
            if not len(asked):
                continue
            scores = classification.macro_scores(run.answers[asked], triplets.gold[asked])
            gem, (mss, deletion, addition) = (
                correct(run.answers[groups], triplets.gold[groups]).T for groups in by_family.values()
            )
            rows.append(
                {
                    "Set": run.title,
                    "Split": split.title(),
                    "Questions": len(asked),
                    "P": 100 * float(scores.precision),
                    "R": 100 * float(scores.recall),
                    "F1": 100 * float(scores.f1),
                    "Acc.": 100 * float(scores.accuracy),
                    "GEM": _out_of(gem.all(axis=0)),
                    "NTS": _out_of(mss & deletion),
                    "DIS": _out_of(mss & addition),
                }
            )
    return pd.DataFrame(
        rows, columns=["Set", "Split", "Questions", "P", "R", "F1", "Acc.", "GEM", "NTS", "DIS"]
    )  # fmt: skip


def group_texts(triplets: Triplets) -> pd.DataFrame:
    """In how many groups of each family the three questions, with their options, have one, two or three different texts."""
    asked = triplets.questions
    text = asked["question_zh"] + asked["options"].map(lambda options: "\n".join(option["zh"] for option in options))
    different = text.groupby(asked["group"]).nunique()
    counts = pd.crosstab(triplets.groups["family"], different).reindex(columns=[1, 2, 3], fill_value=0)
    counts.columns = ["One text", "Two texts", "Three texts"]
    return counts.rename_axis("Family").reset_index()


def repeated_answers(
    runs: Sequence[TripletRun], triplets: Triplets, splits: Sequence[str] = ("dev", "test")
) -> pd.DataFrame:
    """What follows from the same text three times, beside the run: counts of FQ2 groups; one row a run and split.

    `As derived`: all three answers are the same in every group, NTS is 0, and DIS counts the groups whose MSS is right.
    """
    rows = []
    for run in runs:
        for split in splits:
            groups = _asked_groups(run, triplets, "FQ2", split)
            if not len(groups):
                continue
            answers = run.answers[groups]
            same = (answers == answers[:, :1]).all(axis=1) & (answers[:, 0] >= 0)
            mss, deletion, addition = correct(answers, triplets.gold[groups]).T
            found = {
                "Same answer three times": int(same.sum()),
                "MSS right": int(mss.sum()),
                "Deletion right": int(deletion.sum()),
                "NTS": int((mss & deletion).sum()),
                "DIS": int((mss & addition).sum()),
            }
            derived = same.all() and not found["NTS"] and found["DIS"] == found["MSS right"]
            rows.append(
                {"Set": run.title, "Split": split.title(), "Groups": len(groups)}
                | found
                | {"As derived": "yes" if derived else "no"}
            )
    columns = [
        "Set",
        "Split",
        "Groups",
        "Same answer three times",
        "MSS right",
        "Deletion right",
        "NTS",
        "DIS",
        "As derived",
    ]
    return pd.DataFrame(rows, columns=columns)


def beside_chance(runs: Sequence[TripletRun], triplets: Triplets, seed: int, draws: int = DRAWS) -> pd.DataFrame:
    """Accuracy on the test items, percent, with three 95 % intervals, and what they say of 25 %; one row a run.

    By question: Wilson's, as if all questions were independent. By group, by union: the cluster bootstrap, groups or union
    components drawn whole. `Chance`: above, below or within the interval by union.
    """
    rows = []
    for run in runs:
        asked = np.concatenate([_asked_groups(run, triplets, family, "test").ravel() for family in CONDITIONS])
        if not len(asked):
            continue
        right = correct(run.answers[asked], triplets.gold[asked])
        head = triplets.questions.iloc[asked]
        spans = {"By question": 100 * wilson_interval(right.mean(), len(right))}
        for name, column in (("By group", "group"), ("By union", "union_cluster")):
            sums = mean_sums(right, pd.factorize(head[column])[0])
            found = ratio_intervals(sums[:, None], seed, draws)
            spans[name] = 100 * np.array([found.low[0], found.high[0]])
        low, high = spans["By union"]
        rows.append(
            {
                "Set": run.title,
                "Questions": len(right),
                "Right": int(right.sum()),
                "Acc.": 100 * right.mean(),
                **{
                    name: "undefined" if np.isnan(span).any() else "{:.1f} to {:.1f}".format(*span)
                    for name, span in spans.items()
                },
                "Chance": _verdict(low, high),
            }
        )
    return pd.DataFrame(
        rows, columns=["Set", "Questions", "Right", "Acc.", "By question", "By group", "By union", "Chance"]
    )


def _verdict(low: float, high: float) -> str:
    if np.isnan(low) or np.isnan(high):
        return "undefined"
    return "above 25 %" if low > CHANCE else "below 25 %" if high < CHANCE else "25 % is inside"


def text_cues(triplets: Triplets, seed: int) -> pd.DataFrame:
    """Majority rules that read one cue of the words each, fitted on the training items: what each cue alone gives away.

    One row a cue: values met in training, accuracy on training and test items, percent, Wilson's interval on test,
    and joint successes of the test groups. The last cue is planted: in one group in four, drawn with `seed` in each family and
    split, the words tell the gold letter of the group's first question. It is not in the items; it shows what a shortcut looks like.
    """
    asked = triplets.questions
    train = np.flatnonzero(asked["split"] == "train")
    rows = []
    for name, values in _cues(triplets, seed).items():
        rule = fit_rule([values[row] for row in train], triplets.gold[train])
        right = apply_rule(rule, values) == triplets.gold
        test = (asked["split"] == "test").to_numpy()
        frames, (mss, deletion, addition) = (right[triplets.rows(family)].T for family in CONDITIONS)
        low, high = 100 * wilson_interval(right[test].mean(), test.sum())
        rows.append(
            {
                "Cue": name,
                "Values": len(rule[0]),
                "Train acc.": 100 * right[train].mean(),
                "Test acc.": 100 * right[test].mean(),
                "Interval": f"{low:.1f} to {high:.1f}",
                "GEM": _out_of(frames.all(axis=0)),
                "NTS": _out_of(mss & deletion),
                "DIS": _out_of(mss & addition),
            }
        )
    return pd.DataFrame(rows)


def _cues(triplets: Triplets, seed: int) -> dict[str, list[Hashable]]:
    """The cues of `text_cues` by name: the value of each item."""
    asked = triplets.questions
    names = {thing["object"]: thing["zh"] for scene in triplets.scenes.values() for thing in scene["objects"]}
    frames = asked["frame"]
    return {
        "Kind of question and frame": list(
            zip(asked["family"], asked["tag"].fillna(""), frames.map(_kind), frames.map(_backward), strict=True)
        ),
        "Image number": frames.map(lambda frame: frame["ordinal"] or 0).tolist(),
        "First option": asked["options"].map(lambda options: options[0]["zh"]).tolist(),
        "Order of the options": asked["options"].map(lambda options: tuple(o["zh"] for o in options)).tolist(),
        "Place of the insufficiency option": triplets.insufficient.tolist(),
        "Target's name": asked["target"].map(names).tolist(),
        "Relatum's name": asked["relatum"].map(names).tolist(),
        PLANTED: _planted(triplets, seed),
    }


def _kind(frame: dict) -> str:
    return frame["kind"]


def _backward(frame: dict) -> bool:
    return frame["backward"]


def _planted(triplets: Triplets, seed: int) -> list[Hashable]:
    """The gold letter of the group's first question in a quarter of the groups of each family and split, else -1."""
    rng = np.random.default_rng(seed)
    told = np.full(len(triplets.gold), -1, dtype=np.int8)
    for family in CONDITIONS:
        for split in ("train", "dev", "test"):
            groups = triplets.rows(family, split)
            some = groups[rng.permutation(len(groups))[: len(groups) // 4]]
            told[some] = triplets.gold[some[:, :1]]
    return told.tolist()


def _asked_groups(run: TripletRun, triplets: Triplets, family: str, split: str) -> NDArray[np.intp]:
    """Rows (groups, 3) of the groups of a family and split that a run was asked."""
    rows = triplets.rows(family, split)
    return rows[(run.status[rows] != NOT_ASKED).all(axis=1)]


def _out_of(success: NDArray[np.bool_]) -> str:
    return f"{int(success.sum())}/{len(success)}" if len(success) else "undefined"
