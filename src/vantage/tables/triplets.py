"""Tables of a reader's runs over FrameEvidence-Open: one row a run, or tidy where a figure needs it.

All are about the 96 test groups. An invalid or missing answer counts as wrong everywhere and stays in every denominator.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import circular, classification, evidence, frames, joint
from vantage.bootstrap import mean_sums, ratio_intervals
from vantage.errors import InputError
from vantage.layout_proofs import as_presented
from vantage.layouts import INSUFFICIENT
from vantage.letters import correct, share
from vantage.paired_tests import holm, mcnemar
from vantage.predictions import INVALID, MISSING, NOT_ASKED, TripletRun, check_item_level
from vantage.schemas import LETTERS, ORDINAL_CHANGES
from vantage.triplets import CONDITION_TITLES, MEANINGS, Triplets

JOINT = ("FQ1-GEM", "NTS", "DIS")
"""The joint scores: three frames right; MSS and deletion right; MSS and addition right."""

DRAWS = 20_000
"""Draws of the cluster bootstrap, as in most of the paper's intervals (Appendix A, D.6, G.3)."""


def scores_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 4's columns, percent, with the number of questions asked and of invalid and missing answers; one row a run.

    The joint scores of a family that a run leaves out are not numbers.
    """

    def values(run: TripletRun) -> dict:
        asked = asked_rows(run, triplets)
        scores = classification.macro_scores(run.answers[asked], triplets.gold[asked])
        return {
            "Questions": len(asked),
            "Invalid": int((run.status[asked] == INVALID).sum()),
            "Missing": int((run.status[asked] == MISSING).sum()),
            "P": 100 * float(scores.precision),
            "R": 100 * float(scores.recall),
            "F1": 100 * float(scores.f1),
            "Acc.": 100 * float(scores.accuracy),
        } | {
            name: 100 * success.mean() if len(success) else np.nan
            for name, success in joint_success(run, triplets).items()
        }

    return by_run(runs, values)


def condition_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Accuracy in each of the six conditions, percent; one row a run."""

    def values(run: TripletRun) -> dict:
        return {
            name: 100 * right.mean() if len(right) else np.nan
            for family, names in (("FQ1", ("Camera", "Object", "Scene")), ("FQ2", ("MSS", "Deletion", "Addition")))
            for name, right in zip(names, correct_answers(run, triplets, family).T, strict=True)
        }

    return by_run(runs, values)


def reference_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Observed joint success beside the fixed-marginal reference (D.4), one row a run and joint score; percent and points.

    `Lowest` and `Highest` are what the counts of correct answers allow.
    """
    rows = []
    for run in runs:
        for name, flags in joint_flags(run, triplets).items():
            if not len(flags):
                continue
            found = joint.fixed_marginal(flags)
            rows.append(
                {
                    "Set": run.title,
                    "Score": name,
                    "Correct counts": ", ".join(map(str, found.counts)),
                    "Observed": 100 * float(found.observed),
                    "Reference": 100 * float(found.reference),
                    "Gap": 100 * float(found.gap),
                    "Lowest": 100 * found.lowest / found.groups,
                    "Highest": 100 * found.highest / found.groups,
                }
            )
    return pd.DataFrame(rows)


def failure_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 20's failure profile, one row a run: percent, and m, the groups with the MSS answer right.

    Not numbers where a run leaves the family out.
    """

    def values(run: TripletRun) -> dict:
        answers, gold, insufficient = evidence_answers(run, triplets)
        profile = evidence.failure_profile(answers, gold, insufficient)
        shares = {name: 100 * float(part) for name, part in profile.shares().items()}
        return {
            "Frame invariant": 100 * share(frames.invariant_frames(run.answers[asked_groups(run, triplets, "FQ1")])),
            "m": profile.mss_correct if len(answers) else np.nan,
            "To insufficient": shares["to_insufficient"],
            "Original": shares["original"],
            "Other": shares["other"],
            "Robust": shares["robust"],
            "Drift": shares["drift"],
            "Invalid": shares["invalid"],
        }

    return by_run(runs, values)


def insufficiency_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Insufficiency answers by condition, counts (Table 8), and how well they detect deletion, percent (G.4); one row a run.

    Not numbers where a run leaves FQ2 out.
    """

    def values(run: TripletRun) -> dict:
        answers, _, insufficient = evidence_answers(run, triplets)
        found = evidence.insufficiency_detection(answers, insufficient)
        counts = evidence.insufficiency_counts(answers, insufficient)
        row = dict(zip(("MSS", "Deletion", "Addition"), counts.tolist(), strict=True)) | {
            "Recall": 100 * float(found.recall),
            "Precision": 100 * float(found.precision),
        }
        return row if len(answers) else dict.fromkeys(row, np.nan)

    return by_run(runs, values)


def frame_pair_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Frame pairs of the FQ1 test groups by what the answers do (Table 31), counts; one row a run.

    Not numbers where a run leaves FQ1 out.
    """

    def values(run: TripletRun) -> dict:
        rows = asked_groups(run, triplets, "FQ1")
        pairs = frames.frame_pairs(run.answers[rows], triplets.gold[rows])
        row = {
            "Same": int(pairs.same.sum()),
            "Change": int(pairs.change.sum()),
            "Invalid": int(pairs.invalid.sum()),
            "Both right": int(pairs.both.sum()),
            "Whole groups": int(frames.matched_frames(run.answers[rows], triplets.gold[rows]).sum()),
        }
        return row if len(rows) else dict.fromkeys(row, np.nan)

    return by_run(runs, values)


def strata_table(
    runs: Sequence[TripletRun], triplets: Triplets, column: str, strata: Sequence[object], scores: Sequence[str] = JOINT
) -> pd.DataFrame:
    """Joint successes by a column of `Triplets.groups`, tidy: Set, Score, Stratum, Successes, Groups."""
    rows = []
    for run in runs:
        for name, success in joint_success(run, triplets).items():
            if name in scores and len(success):
                labels = triplets.groups.loc[group_names(run, triplets, _family(name)), column]
                for stratum, found in joint.by_stratum(success, labels.to_list(), strata).items():
                    rows.append((run.title, name, stratum, found.successes, found.groups))
    return pd.DataFrame(rows, columns=["Set", "Score", "Stratum", "Successes", "Groups"])


def ordinal_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Joint deletion successes by what deletion does to the image number (Table 3), counts; the first row has the groups.

    Not numbers where a run leaves FQ2 out.
    """
    tidy = strata_table(runs, triplets, "ordinal_change", ORDINAL_CHANGES, ["NTS"])
    counts = tidy.pivot(index="Set", columns="Stratum", values="Successes").reindex(
        index=[run.title for run in runs], columns=ORDINAL_CHANGES
    )
    changes = triplets.groups.query("split == 'test'")["ordinal_change"].value_counts()
    counts.loc["Groups"] = changes.reindex(ORDINAL_CHANGES, fill_value=0)
    words = [change.title() for change in ORDINAL_CHANGES]
    return counts.loc[["Groups", *counts.index[:-1]]].set_axis(words, axis=1).rename_axis("Set").reset_index()


def as_presented_table(triplets: Triplets) -> pd.DataFrame:
    """What the deletion questions of the test split support when the image number is read in the present order.

    One row an ordinal change; groups by reading: a direction, insufficient, out of range, or no image number.
    """
    readings = {
        "direction": "A direction",
        INSUFFICIENT: "Insufficient",
        "out of range": "Out of range",
        None: "No number",
    }
    rows = triplets.rows("FQ2")[:, 1]
    read = [as_presented(triplets, row) for row in rows]
    kinds = [reading if reading in readings else "direction" for reading in read]
    changes = triplets.questions["ordinal_change"].iloc[rows]
    counts = pd.crosstab(changes.to_numpy(), pd.Series(kinds, dtype=object).map(readings))
    counts = counts.reindex(index=ORDINAL_CHANGES, columns=list(readings.values()), fill_value=0)
    return counts.rename_axis(index="Image number", columns=None).reset_index()


def deletion_groups(triplets: Triplets) -> pd.DataFrame:
    """One row an FQ2 test group: what deletion does to the image number, and what the question then supports in each reading."""
    rows = []
    for mss, deletion, _ in triplets.rows("FQ2"):
        item = triplets.questions.iloc[deletion]
        number = item["frame"]["ordinal"]
        rows.append(
            {
                "Group": item["group"],
                "Image number": item["ordinal_change"],
                "Number": "" if number is None else f"{number} of {item['base_size']}",
                "As bound before": INSUFFICIENT,
                "Gold before": MEANINGS[triplets.meanings[mss, triplets.gold[mss]]],
                "As presented now": as_presented(triplets, deletion) or INSUFFICIENT,
            }
        )
    return pd.DataFrame(rows)


# ------------------------------------------------------------------------------------------ executions and rotations


def circular_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 12's columns: percent, and the drop in points; one row a configuration that has all four rotations."""
    rows = []
    for four in executions(runs).values():
        if set(four) >= set(circular.ROTATIONS):
            asked = asked_rows(four[0], triplets)
            answers = np.column_stack([four[turn].letters[asked] for turn in circular.ROTATIONS])
            scores = circular.circular_scores(answers, triplets.gold[asked])
            rows.append(
                {
                    "Set": configuration(four[0]),
                    "Kind": four[0].kind,
                    "Vanilla": 100 * scores.vanilla,
                    "Mean rotation": 100 * scores.mean_rotation,
                    "Circular": 100 * scores.circular,
                    "Consistency": 100 * scores.consistency,
                    "Drop": scores.drop,
                }
            )
    if not rows:
        raise InputError("expected sets with runs of experiment circular in four rotations, found none; name one")
    return pd.DataFrame(rows)


def pair_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Two executions of the same questions (Table 7), percent: rotation 0 with a repeat of it and with each other rotation.

    One row a configuration and pair.
    """
    rows = []
    for some in executions(runs).values():
        if 0 not in some:
            continue
        first = some[0]
        asked = asked_rows(first, triplets)
        for name, second in some.items():
            if name == 0:
                continue
            scores = circular.pair_scores(first.answers[asked], second.answers[asked], triplets.gold[asked])
            rows.append(
                {
                    "Set": configuration(first),
                    "Rotation 0 with": "its repeat" if name == "repeat" else f"rotation {name}",
                    "At least one right": 100 * scores.at_least_one,
                    "Both right": 100 * scores.both_correct,
                    "Consistent": 100 * scores.consistency,
                    "Consistently wrong": 100 * scores.consistently_wrong,
                }
            )
    return pd.DataFrame(rows)


def executions(runs: Sequence[TripletRun]) -> dict[tuple, dict[int | str, TripletRun]]:
    """For each configuration its rotations by number, and the repeat of rotation 0."""
    found: dict[tuple, dict] = {}
    for run in runs:
        if run.experiment in ("circular", "repeat"):
            name = "repeat" if run.experiment == "repeat" else run.rotation
            found.setdefault((run.set, run.model, run.setting, run.seed), {})[name] = run
    return {
        key: dict(sorted(some.items(), key=lambda item: (isinstance(item[0], str), item[0])))
        for key, some in found.items()
    }


def configuration(run: TripletRun) -> str:
    """A title without what tells the executions of one configuration apart.

    >>> from vantage.predictions import load
    >>> [configuration(run) for run in load("reference_wavering").runs[-2:]]
    ['Wavering', 'Wavering']
    """
    return re.sub(r", (circular|rotation \d|repeat \d)(?=,|$)", "", run.title)


# -------------------------------------------------------------------------------------------------- two runs compared


def contrast_table(
    first: TripletRun,
    second: TripletRun,
    triplets: Triplets,
    seed: int,
    cluster: str = "union_cluster",
    draws: int = DRAWS,
) -> pd.DataFrame:
    """Second run minus first, in points, with a 95 % interval that resamples whole clusters of test groups (D.5, D.6).

    One row a score: gains and losses (items or groups), p of McNemar's exact test and the same adjusted by Holm over the table.
    Tests are ours, not the paper's; they take groups as independent, which the intervals do not. Scores of a family that both
    leave out have no row.
    """
    groups = triplets.groups.query("split == 'test'")
    numbers = pd.Series(pd.factorize(groups[cluster])[0], index=groups.index)
    count = numbers.max() + 1
    pairs = {"Acc.": _item_pairs(first, second, triplets, numbers)}
    for name, success in joint_success(first, triplets).items():
        names = group_names(first, triplets, _family(name))
        if not names:
            continue
        pairs[name] = (success, joint_success(second, triplets)[name], numbers.loc[names].to_numpy())
    sums = np.stack([mean_sums(b.astype(int) - a.astype(int), where, count) for a, b, where in pairs.values()], axis=1)
    found = ratio_intervals(sums, seed, draws)
    tests = [mcnemar(a, b) for a, b, _ in pairs.values()]
    changes = [joint.paired_change(a, b) for a, b, _ in pairs.values()]
    return pd.DataFrame(
        {
            "Score": list(pairs),
            "Change": 100 * found.value,
            "Low": 100 * found.low,
            "High": 100 * found.high,
            "Gains": [change.gains for change in changes],
            "Losses": [change.losses for change in changes],
            "p": [test.p_value for test in tests],
            "p, Holm": holm([test.p_value for test in tests]),
        }
    )


def common_groups_table(first: TripletRun, second: TripletRun, triplets: Triplets) -> pd.DataFrame:
    """Table 21's decomposition of the change from the first run to the second, counts; one row for NTS and one for DIS."""
    one, gold, _ = evidence_answers(first, triplets)
    two, _, _ = evidence_answers(second, triplets)
    rows = []
    for name, condition in (("NTS", evidence.DELETION), ("DIS", evidence.ADDITION)):
        found = evidence.common_groups(one, two, gold, condition)
        rows.append(
            {
                "Score": name,
                "Common groups": found.both,
                "Successes there, first": found.common_first,
                "Successes there, second": found.common_second,
                "Common change": found.common.net,
                "Second-only successes": found.second_successes,
                "First-only successes": found.first_successes,
                "Full change": found.full_change,
            }
        )
    return pd.DataFrame(rows)


def _item_pairs(first: TripletRun, second: TripletRun, triplets: Triplets, numbers: pd.Series):
    asked = asked_rows(first, triplets)
    if not np.array_equal(asked, asked_rows(second, triplets)):
        raise InputError(
            f"expected two runs over the same questions, found {first.title!r} and {second.title!r}; name others"
        )
    flags = [correct(run.answers[asked], triplets.gold[asked]) for run in (first, second)]
    return *flags, numbers.loc[triplets.questions["group"].iloc[asked]].to_numpy()


# -------------------------------------------------------------------------------------------------------- single items


def group_answers(runs: Sequence[TripletRun], triplets: Triplets, group: str) -> pd.DataFrame:
    """A group's three questions with gold and the answers of some runs, in letters and meanings; one row a condition.

    Raises `InputError` for a reconstructed run and an unknown group.
    """
    check_item_level(runs)
    rows = triplets.of_group(group)
    frame = pd.DataFrame(
        {
            "Condition": [CONDITION_TITLES[name] for name in triplets.questions["condition"].iloc[rows]],
            "Gold": [_said(triplets, row, triplets.gold[row]) for row in rows],
        }
    )
    states = {INVALID: "invalid", MISSING: "missing", NOT_ASKED: "not asked"}
    for run in runs:
        frame[run.title] = [states.get(run.status[row]) or _said(triplets, row, run.answers[row]) for row in rows]
    return frame


def _said(triplets: Triplets, row: int, letter: int) -> str:
    return f"{LETTERS[letter]}: {MEANINGS[triplets.meanings[row, letter]]}"


# ---------------------------------------------------------------------------------------------------------- the arrays


def asked_rows(run: TripletRun, triplets: Triplets) -> NDArray[np.intp]:
    """The rows of the test items that a run was asked."""
    test = (triplets.questions["split"] == "test").to_numpy()
    return np.flatnonzero(test & (run.status != NOT_ASKED))


def asked_groups(run: TripletRun, triplets: Triplets, family: str) -> NDArray[np.intp]:
    """The rows, (groups, 3), of the test groups of a family that a run was asked as a whole."""
    rows = triplets.rows(family)
    return rows[(run.status[rows] != NOT_ASKED).all(axis=1)]


def correct_answers(run: TripletRun, triplets: Triplets, family: str) -> NDArray[np.bool_]:
    """Which answers of a family's test groups are right, (groups, 3); without rows where the run leaves the family out."""
    rows = asked_groups(run, triplets, family)
    return correct(run.answers[rows], triplets.gold[rows])


def joint_flags(run: TripletRun, triplets: Triplets) -> dict[str, NDArray[np.bool_]]:
    """The flags, (groups, variants), whose conjunction is each joint score."""
    fq1, fq2 = (correct_answers(run, triplets, family) for family in ("FQ1", "FQ2"))
    return {
        "FQ1-GEM": fq1,
        "NTS": fq2[:, [evidence.MSS, evidence.DELETION]],
        "DIS": fq2[:, [evidence.MSS, evidence.ADDITION]],
    }


def joint_success(run: TripletRun, triplets: Triplets) -> dict[str, NDArray[np.bool_]]:
    """Which test groups count for each joint score, (groups,)."""
    return {name: flags.all(axis=1) for name, flags in joint_flags(run, triplets).items()}


def evidence_answers(
    run: TripletRun, triplets: Triplets
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """Answers and gold of the FQ2 test groups that a run was asked, (groups, 3), and their insufficiency letters, (groups,)."""
    rows = asked_groups(run, triplets, "FQ2")
    return run.answers[rows], triplets.gold[rows], triplets.insufficient[rows[:, 0]]


def group_names(run: TripletRun, triplets: Triplets, family: str) -> list[str]:
    """The test groups of a family that a run was asked, in the order of every array."""
    return triplets.questions["group"].iloc[asked_groups(run, triplets, family)[:, 0]].to_list()


def _family(score: str) -> str:
    return "FQ1" if score == "FQ1-GEM" else "FQ2"


def by_run(runs: Sequence[TripletRun], values: Callable[[TripletRun], dict]) -> pd.DataFrame:
    """One row a run: Set, Kind and the values computed for it."""
    return pd.DataFrame([{"Set": run.title, "Kind": run.kind, **values(run)} for run in runs])
