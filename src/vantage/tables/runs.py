"""Tables of a reader's runs: one row a run, or tidy where a figure needs it."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from vantage import cycles, scoring, viewpoints
from vantage.bootstrap import interval, ratio, resample
from vantage.errors import InputError
from vantage.items import CVTItems, matched_cycle_pairs, rows_by_viewpoint, viewpoint_numbers
from vantage.predictions import INVALID, MISSING, NO_BLOCK, CVTRun, check_item_level
from vantage.relations import TOP, VIEWPOINTS, decode


def scores_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Global scores, one row a run: answered, invalid and missing items; exact match and micro F1, percent."""
    gold = scoring.strict(items.admissible)
    return by_run(
        runs,
        lambda run: {
            "Questions": len(run.answers),
            "Invalid": int((run.status == INVALID).sum()),
            "Missing": int((run.status == MISSING).sum()),
            "Exact, strict": 100 * scoring.exact_match(run.answers, gold),
            "Exact": 100 * scoring.exact_match(run.answers, items.admissible),
            "F1, strict": 100 * scoring.micro_f1(run.answers, gold),
            "F1": 100 * scoring.micro_f1(run.answers, items.admissible),
        },
    )


def viewpoint_table(
    runs: Sequence[CVTRun], items: CVTItems, score: viewpoints.Score = scoring.micro_f1, strict: bool = False
) -> pd.DataFrame:
    """A score at each viewpoint, and the gap between 0 degrees and the mean of the others, one row a run.

    Percent; the gap in points.
    """
    admissible = admissible_sets(items, strict)
    rows = rows_by_viewpoint(items.questions)

    def curve(run: CVTRun) -> dict[str, float]:
        scores = viewpoints.viewpoint_curve(run.answers, admissible, rows, score)
        percent = {"Gap": viewpoints.counterfactual_gap(scores)} | scores
        return {name: 100 * value for name, value in percent.items()}

    return by_run(runs, curve).drop(columns="Kind")


def cycle_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Agreement between 0 and 360 degrees, one row a run: matched pairs; percent equal; percent both exact."""
    pairs = matched_cycle_pairs(items.questions)
    return by_run(
        runs,
        lambda run: {
            "Matched pairs": len(pairs),
            "Cycle consistency": 100 * cycles.cycle_consistency(run.answers, pairs),
            "Both correct": 100 * cycles.both_correct(run.answers, items.admissible, pairs),
        },
    )


def viewpoint_intervals(runs: Sequence[CVTRun], items: CVTItems, seed: int) -> pd.DataFrame:
    """F1 at each viewpoint with a 95 % interval that resamples scenes; tidy: Set, viewpoint, value, low, high; percent."""
    scenes, _ = pd.factorize(items.questions.scene)
    groups = scenes * len(VIEWPOINTS) + viewpoint_numbers(items.questions)
    parts = []
    for run in runs:
        sums = scoring.f1_sums(run.answers, items.admissible, groups).reshape(-1, len(VIEWPOINTS), 2)
        low, high = 100 * interval(resample(sums, ratio, seed))
        value = 100 * ratio(sums.sum(axis=0))
        parts.append(
            pd.DataFrame({"Set": run.title, "viewpoint": list(VIEWPOINTS), "value": value, "low": low, "high": high})
        )
    return pd.concat(parts, ignore_index=True)


def expected_scores(items: CVTItems, flip: float, slip: float) -> pd.DataFrame:
    """What strict scores of the reference responders must be, from counts of one- and two-label questions alone.

    Tidy: Set, Quantity, Viewpoint, Derivation (its formula), Expected (a fraction) and Error, the standard error where the
    expectation is a mean over chance (0 where it is certain). With n1 one-label and n2 two-label questions at a viewpoint:
    an egocentric answer at a quarter turn shares one label with a two-label gold set and none with a one-label one, so
    F1 = n2 / (2 n2 + n1); the omitter asserts one true label a question, so F1 = 2 (n1 + n2) / (2 n1 + 3 n2) and its exact
    share is n1 / (n1 + n2). `flip` is the noisy source's chance to misjudge an axis, so one of n1 + 2 n2 labels; `slip` is
    the chance of an independent slip, one of n1 + n2 answers.
    """
    labels = pd.Series(np.bitwise_count(items.gold))
    counts = labels.groupby(items.questions.viewpoint.to_numpy()).value_counts().unstack(fill_value=0)
    n1, n2 = counts[1], counts[2]
    same, quarter, cardinal = ("0", "360", TOP), ("90", "270"), ("0", "90", "180", "270", "360", TOP)
    one, none = pd.Series(1.0, VIEWPOINTS), pd.Series(0.0, VIEWPOINTS)
    shares_one_of_two = n2 / (2 * n2 + n1)
    flip_error, slip_error = np.sqrt(flip * (1 - flip) / (n1 + 2 * n2)), np.sqrt(slip * (1 - slip) / (n1 + n2))
    claims = [
        ("Oracle", "F1", VIEWPOINTS, "1", one, none),
        ("Egocentric", "F1", same, "1", one, none),
        ("Egocentric", "F1", ("180",), "0", none, none),
        ("Egocentric", "F1", quarter, "n2 / (2 n2 + n1)", shares_one_of_two, none),
        ("Egocentric", "Exact", quarter, "0", none, none),
        ("Half-turn reverser", "F1", ("0", "180", "360", TOP), "1", one, none),
        ("Half-turn reverser", "F1", quarter, "n2 / (2 n2 + n1)", shares_one_of_two, none),
        ("Half-turn reverser", "Exact", quarter, "0", none, none),
        ("Noisy source", "F1", cardinal, "1 - flip", one - flip, flip_error),
        ("Independent noise", "Exact", VIEWPOINTS, "1 - slip", one - slip, slip_error),
        ("Label omitter", "F1", VIEWPOINTS, "2 (n1 + n2) / (2 n1 + 3 n2)", 2 * (n1 + n2) / (2 * n1 + 3 * n2), none),
        ("Label omitter", "Exact", VIEWPOINTS, "n1 / (n1 + n2)", n1 / (n1 + n2), none),
        ("Complete inverter", "F1", VIEWPOINTS, "0", none, none),
    ]
    return pd.DataFrame(
        [
            (title, quantity, viewpoint, derivation, float(values[viewpoint]), float(errors[viewpoint]))
            for title, quantity, asked_at, derivation, values, errors in claims
            for viewpoint in asked_at
        ],
        columns=["Set", "Quantity", "Viewpoint", "Derivation", "Expected", "Error"],
    )


def expected_beside_run(runs: Sequence[CVTRun], items: CVTItems, flip: float, slip: float) -> pd.DataFrame:
    """`expected_scores` with the column Run beside Expected, for those of the responders that are among `runs`."""
    scores = {"F1": scoring.micro_f1, "Exact": scoring.exact_match}
    tables = {name: viewpoint_table(runs, items, score, strict=True).set_index("Set") for name, score in scores.items()}
    expected = expected_scores(items, flip, slip)
    expected = expected[expected.Set.isin(tables["F1"].index)]
    run = [tables[row.Quantity].loc[row.Set, row.Viewpoint] / 100 for row in expected.itertuples()]
    return expected.assign(Run=run)


def pair_answers(runs: Sequence[CVTRun], items: CVTItems, scene: str, target: int, anchor: int) -> pd.DataFrame:
    """What runs answered about one pair of a scene, a row a viewpoint at which it is asked, a column a run.

    Raises `InputError` for a reconstructed run.
    """
    check_item_level(runs)
    asked = items.questions.query("scene == @scene and target == @target and anchor == @anchor")
    first = asked.drop_duplicates("viewpoint")
    rows = np.array([row for viewpoint in VIEWPOINTS for row in first.index[first.viewpoint == viewpoint]], dtype=int)
    viewpoints_asked = items.questions.viewpoint[rows].tolist()
    frame = pd.DataFrame({"Viewpoint": viewpoints_asked, "Gold": items.questions.gold[rows].map(" + ".join).tolist()})
    for run in runs:
        right = scoring.exact(run.answers[rows], items.admissible[rows])
        words = [
            " + ".join(decode(answer, viewpoint)) or ("invalid" if status == INVALID else "missing")
            for answer, status, viewpoint in zip(
                run.answers[rows].tolist(), run.status[rows], viewpoints_asked, strict=True
            )
        ]
        frame[run.title] = [word if fits else f"{word} (wrong)" for word, fits in zip(words, right, strict=True)]
    return frame


def admissible_sets(items: CVTItems, strict: bool) -> NDArray[np.uint8]:
    """The sets that count as right: gold alone, or also its alternatives."""
    return scoring.strict(items.admissible) if strict else items.admissible


def require_blocks(blocks: ArrayLike, title: str) -> None:
    """Raises `InputError` where an answer or scene of the competing run of this title has no block: its prompt is unknown."""
    if (np.asarray(blocks) == NO_BLOCK).any():
        raise InputError(
            f"expected the block of every answer in the competing run {title!r}, found none for some; fill in the column block"
        )


def by_run(runs: Sequence[CVTRun], values: Callable[[CVTRun], dict]) -> pd.DataFrame:
    """One row a run: its set and kind, then what `values` says of it."""
    return pd.DataFrame([{"Set": run.title, "Kind": run.kind, **values(run)} for run in runs])
