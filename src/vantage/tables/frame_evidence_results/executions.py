"""Repeated and rotated executions: Tables 7, 12 and 13, and what running text says of them (6.4, Appendix A)."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import circular, classification
from vantage.predictions import ANSWERED, TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import (
    ADAPTED,
    REPEATED,
    Values,
    answers,
    intervals,
    over_seeds,
    percent,
    pick,
    right,
    same,
    seeds,
    tidy,
)
from vantage.triplets import Triplets

PAIRED_SEED, PAIRED_DRAWS = 20261010, 20_000
"""Seed and draws of Table 13 and of the cross-run comparison (Appendix A)."""

CLUSTERS = {"Triplets": "group", "Union components": "union_cluster"}
"""The clusters of Table 13's two intervals, as columns of `Triplets.questions`."""

_GPT = " / ".join(REPEATED)
_OTHER_ROTATIONS = {1: "one", 2: "two", 3: "three"}

Executions = dict[str, TripletRun]


def table_12(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 12: Circular evaluation of each row that has all four rotations, percent, and the drop in points.

    The caption's number of valid responses is that of every row, and not a number if they differ.
    """
    values: Values = {}
    valid = []
    for name, four in _rotations(runs).items():
        values |= {(name, column): value for column, value in _circular(four, triplets).items()}
        test = run_tables.asked_rows(four[0], triplets)
        valid.append(sum(int((run.status[test] == ANSWERED).sum()) for run in four))
    if valid:
        values["Caption: Retained valid responses per row", "all"] = same(valid)
    return tidy(values)


def table_7(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 7: rotation zero paired with its repeat and with each other rotation, percent."""
    values: Values = {}
    found = _executions(runs)
    for column, other in [("Repeat", "repeat"), *((f"R{turn}", f"rotation {word}") for turn, word in _words())]:
        if {"rotation zero", other} <= found.keys():
            scores = circular.pair_scores(*_pair(found, "rotation zero", other, triplets))
            values |= {
                ("At least one correct", column): 100 * scores.at_least_one,
                ("Both correct", column): 100 * scores.both_correct,
                ("Consistency", column): 100 * scores.consistency,
                ("Consistently wrong", column): 100 * scores.consistently_wrong,
            }
    return tidy(values)


def table_13(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 13, the column of estimates: percent and points."""
    return tidy({(row, "Estimate"): percent(values) for row, values in _table_13_values(runs, triplets).items()})


def table_13_intervals(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 13's intervals, percent and points: whole triplets and whole union components, draws shared by the rows."""
    found = _table_13_values(runs, triplets)
    values: Values = {}
    for words, column in CLUSTERS.items() if found else ():
        for row, (low, high) in _intervals(found, runs, triplets, column).items():
            values |= {(row, f"{words} / low"): low, (row, f"{words} / high"): high}
    return tidy(values)


def circular_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of Circular evaluation, percent (6.4)."""
    values: Values = {}
    found = {name: {"Circular": _circular(four, triplets)["Circular"]} for name, four in _rotations(runs).items()}
    values |= {("Circular", name): row["Circular"] for name, row in found.items()}
    for model in ADAPTED:
        if mean := over_seeds(found, model):
            row = f"{model} / LoRA mean"
            values["Circular, mean over seeds", row] = mean[row, "Circular"]
            values["Circular, SD over seeds", row] = mean[row, "Circular / SD"]
    return tidy(values)


def executions_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of GPT's repeated and rotated executions: counts, percent and points (6.4, Appendix A)."""
    values: dict[str, float | Fraction] = {}
    found = _executions(runs)
    for name in ("repeat", "rotation zero"):
        if name in found:
            run = found[name]
            asked = run_tables.asked_rows(run, triplets)
            scores = classification.macro_scores(run.answers[asked], triplets.gold[asked])
            joints = run_tables.joint_success(run, triplets)
            values |= {
                f"Correct answers of {_the(name)}": right(run, triplets).sum(),
                f"Accuracy of {_the(name)}": percent(right(run, triplets)),
                f"Macro-precision of {_the(name)}": 100 * scores.precision,
                f"Macro-recall of {_the(name)}": 100 * scores.recall,
                f"Macro-F1 of {_the(name)}": 100 * scores.f1,
                **{f"{score.removeprefix('FQ1-')} of {_the(name)}": percent(each) for score, each in joints.items()},
            }
    for first, second, words in (
        ("primary", "rotation zero", "primary and rotation zero"),
        ("primary", "repeat", "primary and repeat"),
        ("rotation zero", "repeat", "repeat and rotation zero"),
    ):
        if {first, second} <= found.keys():
            flags = circular.pair_flags(*_pair(found, first, second, triplets))
            values |= {
                f"Correct in both, {words}": flags.both.sum(),
                f"Correct only in {first}, {words}": flags.first_only.sum(),
                f"Correct only in {second}, {words}": flags.second_only.sum(),
                f"Incorrect in both, {words}": flags.neither.sum(),
                f"Changed answers, {words}": flags.changed.sum(),
                f"Changed answers, {words}, as a share": percent(flags.changed),
                f"Both correct, {words}, as a share": percent(flags.both),
                f"Consistent items, {words}": flags.same.sum(),
            }
            gained = percent(flags.second_only.astype(int) - flags.first_only)
            values[f"Accuracy of {second} minus {first}"] = gained
    both = []
    for _, word in _words():
        if {"rotation zero", other := f"rotation {word}"} <= found.keys():
            flags = circular.pair_flags(*_pair(found, "rotation zero", other, triplets))
            values[f"Jointly correct items, rotations zero and {word}"] = flags.both.sum()
            values[f"Consistent items, rotations zero and {word}"] = flags.same.sum()
            both.append(percent(flags.both))
    if len(both) == len(_OTHER_ROTATIONS):
        values["Both correct, rotation zero and another, as a share, minimum"] = min(both)
        values["Both correct, rotation zero and another, as a share, maximum"] = max(both)
    return tidy({(row, _GPT): value for row, value in values.items()})


def executions_intervals(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """The intervals between the primary run and rotation zero, percent and points: whole union components (Appendix A)."""
    found = _executions(runs)
    if not {"primary", "rotation zero"} <= found.keys():
        return tidy({})
    flags = circular.pair_flags(*_pair(found, "primary", "rotation zero", triplets))
    compared = {
        "Changed answers, primary and rotation zero, as a share": flags.changed.astype(int),
        "Accuracy of rotation zero minus primary": flags.second_only.astype(int) - flags.first_only,
    }
    values: Values = {}
    for row, (low, high) in _intervals(compared, runs, triplets, "union_cluster").items():
        values |= {(f"{row}, 95% low", _GPT): low, (f"{row}, 95% high", _GPT): high}
    return tidy(values)


def _executions(runs: Sequence[TripletRun]) -> Executions:
    """GPT's executions of the same questions by what running text calls them, as far as they are there."""
    rotations = {f"rotation {word}": turn for turn, word in [(0, "zero"), *_words()]}
    found = {
        "primary": pick(runs, *REPEATED),
        "repeat": pick(runs, *REPEATED, "repeat"),
        **{name: pick(runs, *REPEATED, "circular", rotation=turn) for name, turn in rotations.items()},
    }
    return {name: run for name, run in found.items() if run is not None}


def _rotations(runs: Sequence[TripletRun]) -> dict[str, list[TripletRun]]:
    """The four rotations of each row of Table 12 that has them all."""
    by_turn = []
    for turn in circular.ROTATIONS:
        named = {}
        for model in ADAPTED:
            named |= seeds(runs, model, "circular", rotation=turn)
        if (run := pick(runs, *REPEATED, "circular", rotation=turn)) is not None:
            named[_GPT] = run
        by_turn.append(named)
    return {name: [named[name] for named in by_turn] for name in by_turn[0] if all(name in named for named in by_turn)}


def _circular(four: Sequence[TripletRun], triplets: Triplets) -> dict[str, float]:
    """The columns of Table 12."""
    asked = run_tables.asked_rows(four[0], triplets)
    letters = np.column_stack([run.letters[asked] for run in four])
    scores = circular.circular_scores(letters, triplets.gold[asked])
    return {
        "Vanilla": 100 * scores.vanilla,
        "Mean rot.": 100 * scores.mean_rotation,
        "Circular": 100 * scores.circular,
        "Consistency": 100 * scores.consistency,
        "Drop": scores.drop,
    }


def _pair(found: Executions, first: str, second: str, triplets: Triplets) -> tuple[NDArray, NDArray, NDArray]:
    """Both executions' answers, decoded, and gold."""
    gold = triplets.gold[run_tables.asked_rows(found[first], triplets)]
    return answers(found[first], triplets), answers(found[second], triplets), gold


def _table_13_values(runs: Sequence[TripletRun], triplets: Triplets) -> dict[str, NDArray[np.int64]]:
    """What each row of Table 13 is the mean of: -1, 0 or 1 a question."""
    found = _executions(runs)
    if not {"primary", "repeat", "rotation zero"} <= found.keys():
        return {}
    primary, repeat, zero = (
        right(found[name], triplets).astype(int) for name in ("primary", "repeat", "rotation zero")
    )
    again = circular.pair_flags(*_pair(found, "primary", "repeat", triplets))
    control = circular.pair_flags(*_pair(found, "rotation zero", "repeat", triplets))
    values = {
        "Repeat accuracy": repeat,
        "Primary-repeat disagreement": again.changed.astype(int),
        "R0-repeat disagreement": control.changed.astype(int),
        "Repeat minus primary accuracy": repeat - primary,
        "Repeat minus R0 accuracy": repeat - zero,
        "Same-order pair both correct": control.both.astype(int),
        "Same-order pair consistency": control.same.astype(int),
    }
    for turn, word in _words():
        if (other := f"rotation {word}") in found:
            rotated = circular.pair_flags(*_pair(found, "rotation zero", other, triplets))
            values[f"Both correct, difference from R0-R{turn}"] = control.both.astype(int) - rotated.both
            values[f"Consistency, difference from R0-R{turn}"] = control.same.astype(int) - rotated.same
    return values


def _intervals(
    values: dict[str, NDArray[np.int64]], runs: Sequence[TripletRun], triplets: Triplets, column: str
) -> dict[str, tuple[float, float]]:
    labels = triplets.questions[column].iloc[run_tables.asked_rows(_executions(runs)["primary"], triplets)]
    return intervals({row: (each, labels) for row, each in values.items()}, PAIRED_SEED, PAIRED_DRAWS)


def _words() -> list[tuple[int, str]]:
    return list(_OTHER_ROTATIONS.items())


def _the(name: str) -> str:
    return "the repeat" if name == "repeat" else name
