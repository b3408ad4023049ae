"""Item scores and joint scores of whole runs: Tables 4, 6, 11 and 22, and what running text says of them."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from vantage import classification, joint
from vantage.letters import INVALID
from vantage.predictions import TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import (
    ADAPTED,
    REPEATED,
    Values,
    all_primary,
    answers,
    intervals,
    over_seeds,
    percent,
    primary,
    right,
    same,
    seeds,
    tidy,
)
from vantage.triplets import Triplets

SHOT_SEED, SHOT_DRAWS = 20261013, 20_000
"""Seed and draws of the intervals between adjacent shots (Appendix G.3)."""

_ORDINARY = ("Acc.", "GEM", "NTS", "DIS")


def table_4(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 4, the rows of models: percent."""
    found = {name: _scores(run, triplets) for name, run in primary(runs).items()}
    return tidy({(name, column): value for name, row in found.items() for column, value in row.items()})


def table_11(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 11, ordinary runs of the three-seed experiment: percent; means and sample deviations over the adapters."""
    values: Values = {}
    for model in ADAPTED:
        found = {name: _scores(run, triplets) for name, run in seeds(runs, model, "multi_seed").items()}
        values |= {(name, column): value for name, row in found.items() for column, value in row.items()}
        values |= over_seeds(found, model)
    return tidy(values)


def table_6(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 6a: matched bases, means and deviations over adapters, and GPT's primary run; percent."""
    values: Values = {}
    for model in ADAPTED:
        found = {
            name: {column: value for column, value in _scores(run, triplets).items() if column in _ORDINARY}
            for name, run in seeds(runs, model, "multi_seed").items()
        }
        base = f"{model} / Base control"
        values |= {(base, column): value for column, value in found.get(base, {}).items()}
        values |= over_seeds(found, model)
    name = " / ".join(REPEATED)
    if name in (found := primary(runs)):
        scores = _scores(found[name], triplets)
        values |= {(name, column): scores[column] for column in _ORDINARY}
    return tidy(values)


def table_22(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 22: observed joint success and the fixed-marginal reference, percent."""
    values: Values = {}
    for name, run in primary(runs).items():
        for score, found in _references(run, triplets).items():
            values[name, f"{score} / O"] = 100 * found.observed
            values[name, f"{score} / R"] = 100 * found.reference
    return tidy(values)


def scores_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of item and joint scores: percent, points, and counts of answers and of groups."""
    values: Values = {}
    named = primary(runs)
    for model in ADAPTED:
        named |= seeds(runs, model, "multi_seed")
    for name, run in named.items():
        scores = _scores(run, triplets)
        values["Accuracy", name] = scores["Acc."]
        values["Correct answers", name] = right(run, triplets).sum()
        values["Invalid responses", name] = (answers(run, triplets) == INVALID).sum()
        for score, success in run_tables.joint_success(run, triplets).items():
            score = score.removeprefix("FQ1-")
            values[score, name] = scores[score]
            values[f"{score} successes", name] = success.sum()
    if everyone := all_primary(runs):
        values["Valid answers of the main table", "all"] = sum(
            (answers(run, triplets) != INVALID).sum() for run in everyone.values()
        )
    values |= _seeds_text(runs, triplets) | _shots_text(runs, triplets) | _repeated_bases(runs, triplets)
    return tidy(values)


def shot_intervals(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """The interval of GPT's accuracy gain from two to three shots, points (6.2, G.3): whole union components of the 96 groups."""
    found = primary(runs)
    two, three = (found.get(f"{REPEATED[0]} / {shots}-shot") for shots in (2, 3))
    if two is None or three is None:
        return tidy({})
    gained = right(three, triplets).astype(int) - right(two, triplets)
    clusters = triplets.questions["union_cluster"].iloc[run_tables.asked_rows(two, triplets)]
    (ends,) = intervals({"": (gained, clusters)}, SHOT_SEED, SHOT_DRAWS).values()
    name = "Accuracy gain from two to three shots, 95%"
    return tidy({(f"{name} {end}", REPEATED[0]): value for end, value in zip(("low", "high"), ends, strict=True)})


def reference_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of the fixed-marginal reference over all primary configurations: counts, and gaps in points."""
    everyone = [_references(run, triplets) for run in all_primary(runs).values()]
    if not everyone:
        return tidy({})
    gaps = {score: [100 * found[score].gap for found in everyone] for score in everyone[0]}
    values: Values = {}
    for score, each in gaps.items():
        name = score.removeprefix("FQ1-")
        values[f"Configurations whose {name} is above the reference", "all"] = sum(gap > 0 for gap in each)
        values[f"Configurations whose {name} is below the reference", "all"] = sum(gap < 0 for gap in each)
        values[f"{name} minus reference, minimum", "all"] = min(each)
        values[f"{name} minus reference, maximum", "all"] = max(each)
    return tidy(values)


def _scores(run: TripletRun, triplets: Triplets) -> dict[str, float | Fraction]:
    """The columns of Table 4, percent."""
    rows = run_tables.asked_rows(run, triplets)
    scores = classification.macro_scores(run.answers[rows], triplets.gold[rows])
    joints = run_tables.joint_success(run, triplets)
    return {
        "P": 100 * scores.precision,
        "R": 100 * scores.recall,
        "F1": 100 * scores.f1,
        "Acc.": percent(right(run, triplets)),
        **{name.removeprefix("FQ1-"): percent(success) for name, success in joints.items()},
    }


def _references(run: TripletRun, triplets: Triplets) -> dict[str, joint.FixedMarginal]:
    return {name: joint.fixed_marginal(flags) for name, flags in run_tables.joint_flags(run, triplets).items()}


def _seeds_text(runs: Sequence[TripletRun], triplets: Triplets) -> Values:
    values: Values = {}
    for model in ADAPTED:
        adapters = {
            name: run for name, run in seeds(runs, model, "multi_seed").items() if not name.endswith("Base control")
        }
        each = {name: {"Accuracy": percent(right(run, triplets))} for name, run in adapters.items()}
        if found := over_seeds(each, model):
            row = f"{model} / LoRA mean"
            values["Accuracy, mean over seeds", row] = found[row, "Accuracy"]
            values["Accuracy, SD over seeds", row] = found[row, "Accuracy / SD"]
            values["DIS successes of every seed", row] = same(
                int(run_tables.joint_success(run, triplets)["DIS"].sum()) for run in adapters.values()
            )
    return values


def _shots_text(runs: Sequence[TripletRun], triplets: Triplets) -> Values:
    found = primary(runs)
    two, three = (found.get(f"{REPEATED[0]} / {shots}-shot") for shots in (2, 3))
    if two is None or three is None:
        return {}
    items = joint.paired_change(right(two, triplets), right(three, triplets))
    groups = joint.paired_change(*(run_tables.joint_success(run, triplets)["FQ1-GEM"] for run in (two, three)))
    column = REPEATED[0]
    return {
        ("Newly correct answers from two to three shots", column): items.gains,
        ("Newly incorrect answers from two to three shots", column): items.losses,
        ("Net correct answers gained from two to three shots", column): items.net,
        ("Accuracy gain from two to three shots", column): Fraction(100 * items.net, len(right(two, triplets))),
        ("GEM successes lost from two to three shots", column): -groups.net,
    }


def _repeated_bases(runs: Sequence[TripletRun], triplets: Triplets) -> Values:
    """The primary Base against the matched base of the three-seed experiment (6.1, G.2)."""
    values: Values = {}
    found = primary(runs)
    for model in ADAPTED:
        first = found.get(f"{model} / Base")
        second = seeds(runs, model, "multi_seed").get(f"{model} / Base control")
        if first is None or second is None:
            continue
        one, two = answers(first, triplets), answers(second, triplets)
        equal = (one == two) & (one != INVALID)
        what = "Base control and primary Base"
        values[f"Equal answers, {what}", model] = equal.sum()
        values[f"Changed answers, {what}", model] = np.sum(~equal)
        values[f"Net correct answers gained, {what}", model] = int(right(second, triplets).sum()) - int(
            right(first, triplets).sum()
        )
    return values
