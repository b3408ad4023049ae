"""Two runs over the same test groups: Tables 5, 25 and 26, and what running text says of them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import joint
from vantage.predictions import TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import (
    ADAPTED,
    REPEATED,
    Values,
    intervals,
    open_weight,
    percent,
    primary,
    right,
    test_groups,
    tidy,
)
from vantage.triplets import Triplets

EXACT_IMAGE_DRAWS = 10_000
"""Draws of Table 25 (Appendix D.5)."""

OUR_SEED = 20261130
"""Seed of Table 25's draws, for which none is printed: the default of the notebooks' `seed`."""

CLUSTERING_SEED, CLUSTERING_DRAWS = 20261009, 20_000
"""Seed and draws of Table 26 (Appendix D.6)."""

CLUSTERINGS = {"Exact-image": "image_cluster", "Inferred-scene": "scene_cluster", "Union": "union_cluster"}
"""The partitions of Table 26 and the columns of `Triplets.groups` that have them."""

CONTROLS = {"All-Text": "text_only", "All-One": "single_image"}
"""What Table 25 calls the contrasts with the input controls, and their input modes."""


class Change(NamedTuple):
    """A paired difference, -1, 0 or 1 an item or group, (units,), and what names the group of each unit."""

    difference: NDArray[np.int64]
    groups: list[str]


def table_5(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 5: all images minus text only, points."""
    text = primary(runs, "text_only")
    values: Values = {}
    for name, run in primary(runs).items():
        if name in text:
            for score, change in _changes(text[name], run, triplets).items():
                if score != "FQ1-GEM":
                    values[name, f"Delta {score}"] = percent(change.difference)
    return tidy(values)


def table_25(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 25, the paired differences without their intervals, points."""
    return tidy(
        {
            (row, f"Delta {score}"): percent(change.difference)
            for row, first, second in _table_25_pairs(runs)
            for score, change in _changes(first, second, triplets).items()
        }
    )


def table_25_intervals(runs: Sequence[TripletRun], triplets: Triplets, seed: int = OUR_SEED) -> pd.DataFrame:
    """Table 25's intervals, points: exact-image components of all test groups as blocks, 10,000 draws; the seed is ours.

    Where no group differs, an interval has no width and says no more than its point: its column `basis` says fitted, as that does.
    """
    clusters = triplets.groups["image_cluster"]
    values: Values = {}
    basis = []
    for row, first, second in _table_25_pairs(runs):
        changes = _changes(first, second, triplets)
        blocks = {score: (each.difference, clusters.loc[each.groups]) for score, each in changes.items()}
        for score, (low, high) in intervals(blocks, seed, EXACT_IMAGE_DRAWS).items():
            values |= {(row, f"Delta {score} / low"): low, (row, f"Delta {score} / high"): high}
            basis += [None if changes[score].difference.any() else "fitted"] * 2
    return tidy(values).assign(basis=basis)


def table_26(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 26 without its intervals: the change in points, gains and losses in groups."""
    values: Values = {}
    for row, first, second in _table_26_pairs(runs, triplets):
        found = joint.paired_change(first, second)
        values |= {
            (row, "Delta"): percent(second.astype(int) - first),
            (row, "Gain"): found.gains,
            (row, "Loss"): found.losses,
        }
    return tidy(values)


def table_26_intervals(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 26's intervals, points: 48 FQ2 groups in three partitions, each resampled with the printed seed."""
    groups = test_groups(triplets, "FQ2")
    changes = {row: second.astype(int) - first for row, first, second in _table_26_pairs(runs, triplets)}
    values: Values = {}
    for name, column in CLUSTERINGS.items() if changes else ():
        blocks = {row: (change, groups[column]) for row, change in changes.items()}
        for row, (low, high) in intervals(blocks, CLUSTERING_SEED, CLUSTERING_DRAWS).items():
            values |= {(row, f"{name} / low"): low, (row, f"{name} / high"): high}
    return tidy(values)


def contrasts_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of input controls: counts of configurations, points and percent (1, 6.3)."""
    values: Values = {}
    everything, text, one = primary(runs), primary(runs, "text_only"), primary(runs, "single_image")
    raised: dict[str, list[bool]] = {"DIS": [], "accuracy": []}
    for name in [name for name in everything if name in text]:
        changes = _changes(text[name], everything[name], triplets)
        values["DIS gain over text only", name] = percent(changes["DIS"].difference)
        values["Accuracy gain over text only", name] = percent(changes["Acc."].difference)
        if open_weight(name):
            raised["DIS"].append(changes["DIS"].difference.sum() > 0)
            raised["accuracy"].append(changes["Acc."].difference.sum() > 0)
    # Both checkpoints of the adapted models and ten baselines.
    if len(raised["DIS"]) == sum(map(open_weight, everything)) == 12:
        for score, flags in raised.items():
            values[f"Open-weight configurations whose {score} images raise", "all"] = sum(flags)
    for name, run in one.items():
        values["DIS, first image only", name] = percent(run_tables.joint_success(run, triplets)["DIS"])
    return tidy(values)


def text_only_intervals(runs: Sequence[TripletRun], triplets: Triplets, seed: int = OUR_SEED) -> pd.DataFrame:
    """The interval of the DIS gain over text only that running text repeats from Table 25 (6.3), points."""
    table = table_25_intervals(
        [run for run in runs if run.model == ADAPTED[0] and run.setting == "Base" and run.experiment != "multi_seed"],
        triplets,
        seed,
    ).set_index(["row", "column"])["value"]
    values: Values = {}
    for (row, column), value in table.items():
        name, _, control = row.partition(": ")
        if control == "All-Text" and column.startswith("Delta DIS"):
            values[f"DIS gain over text only, 95% {column.rpartition(' ')[2]}", name] = value
    return tidy(values)


def clusterings_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Under how many of the three partitions both NTS intervals of Table 26 include zero, from our draws (6.3)."""
    table = table_26_intervals(runs, triplets)
    if table.empty:
        return tidy({})
    ends = table.set_index(["row", "column"])["value"]
    rows = [row for row in ends.index.unique("row") if row.endswith("NTS")]
    if len(rows) < len(ADAPTED):
        return tidy({})
    number = sum(
        all(ends[row, f"{name} / low"] <= 0 <= ends[row, f"{name} / high"] for row in rows) for name in CLUSTERINGS
    )
    return tidy({("Clusterings whose NTS intervals include zero", "all"): number})


def pairs_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Gains and losses from Base to LoRA that running text gives, over all groups and over overlap strata; counts (D.6, F.1)."""
    values: Values = {}
    overlap = test_groups(triplets, "FQ2")["overlap"].to_numpy()
    for row, first, second in _table_26_pairs(runs, triplets):
        model, score = row.split(" / ")
        strata = {
            "": np.ones(len(first), dtype=bool),
            ", clusters shared with train": overlap == "train",
            ", clusters absent from train and dev": overlap == "none",
        }
        for words, mask in strata.items():
            found = joint.paired_change(first[mask], second[mask])
            values[f"{score} gains{words}", f"{model}: LoRA-Base"] = found.gains
            values[f"{score} losses{words}", f"{model}: LoRA-Base"] = found.losses
    return tidy(values)


def _changes(first: TripletRun, second: TripletRun, triplets: Triplets) -> dict[str, Change]:
    """Second run minus first in each score of Table 25."""
    asked = triplets.questions["group"].iloc[run_tables.asked_rows(first, triplets)]
    found = {"Acc.": Change(right(second, triplets).astype(int) - right(first, triplets), asked.to_list())}
    after = run_tables.joint_success(second, triplets)
    for score, before in run_tables.joint_success(first, triplets).items():
        names = run_tables.group_names(first, triplets, "FQ1" if score == "FQ1-GEM" else "FQ2")
        found[score] = Change(after[score].astype(int) - before, names)
    return found


def _table_25_pairs(runs: Sequence[TripletRun]) -> Iterator[tuple[str, TripletRun, TripletRun]]:
    """Row, first and second run of each contrast of Table 25."""
    everything = primary(runs)
    controls = {words: primary(runs, mode) for words, mode in CONTROLS.items()}
    for name, run in everything.items():
        for words, control in controls.items():
            # Table 25 leaves GPT out, though Table 5 has it.
            if name in control and name != " / ".join(REPEATED):
                yield f"{name}: {words}", control[name], run
    for model in ADAPTED:
        if {f"{model} / Base", f"{model} / LoRA"} <= everything.keys():
            yield f"{model}: LoRA-Base", everything[f"{model} / Base"], everything[f"{model} / LoRA"]


def _table_26_pairs(runs: Sequence[TripletRun], triplets: Triplets) -> Iterator[tuple[str, NDArray, NDArray]]:
    """Row, and successes of the 48 FQ2 groups under Base and under LoRA."""
    found = primary(runs)
    for model in ADAPTED:
        if {f"{model} / Base", f"{model} / LoRA"} <= found.keys():
            first, second = (
                run_tables.joint_success(found[f"{model} / {setting}"], triplets) for setting in ("Base", "LoRA")
            )
            for score in ("NTS", "DIS"):
                yield f"{model} / {score}", first[score], second[score]
