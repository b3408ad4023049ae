"""Intervals of FrameEvidence beside ours, and what moves them (Appendices D.5, D.6, E, G.3).

Ours resample answers that were solved for, in clusters that were built. Neither was made with an eye to an interval. How far
the ends fall from the printed ones says how much of an interval the point estimates and the sizes of clusters leave open.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from vantage import joint
from vantage.bootstrap import without_each_cluster
from vantage.predictions import TripletRun
from vantage.published import load_published
from vantage.schemas import ORDINAL_CHANGES
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import METRIC_FAMILIES
from vantage.tables.frame_evidence_results import contrasts, executions, scores, stable_ids
from vantage.tables.frame_evidence_results.chosen import ADAPTED, REPEATED, intervals, primary
from vantage.triplets import Triplets

ENDS = ("low", "high")


def interval_ends(recomputed: pd.DataFrame, place: str) -> pd.DataFrame:
    """Intervals of one place, ours beside the printed, in the printed unit; one row an interval.

    `recomputed` has the rows, columns and values of `vantage.tables.frame_evidence_results`. `Differs, low` and `high` are our
    end minus the printed one, taken from ours as it would be printed.
    """
    numbers = load_published("frame_evidence").query("place == @place and kind == 'interval'")
    both = recomputed.merge(numbers, on=["row", "column"], suffixes=("", "_printed"))
    rows: dict[tuple, dict] = {}
    for end in both.itertuples():
        inside = "row" if end.row.endswith(ENDS) else "column"
        what = getattr(end, inside)
        name, side = what[: what.rindex(" ")].removesuffix(" /").removesuffix(", 95%"), what.rpartition(" ")[2]
        key = (end.row, name) if inside == "column" else (name, end.column)
        ours = round(end.value, int(end.decimals))
        rows.setdefault(key, {"Row": key[0], "Interval": key[1]}).update(
            {side: ours, f"printed {side}": end.value_printed, f"differs {side}": ours - end.value_printed}
        )
    columns = [
        "Row",
        "Interval",
        *(f"{whose}{side}" for whose in ("", "printed ", "differs ") for side in ENDS),
    ]
    return pd.DataFrame(list(rows.values()), columns=columns)


def all_ends(runs: Sequence[TripletRun], triplets: Triplets, seed: int) -> pd.DataFrame:
    """Every printed interval that these runs have ours for, as `interval_ends` with its `Place`; tables and sections in order.

    The interval of Section 6.3 repeats one of Table 25 and is left out. `seed` is for Table 25, whose seed is not printed.
    """
    found = {
        "Section 6.2": scores.shot_intervals(runs, triplets),
        "Table 13": executions.table_13_intervals(runs, triplets),
        "Table 25": contrasts.table_25_intervals(runs, triplets, seed),
        "Table 26": contrasts.table_26_intervals(runs, triplets),
        "Appendix E": stable_ids.stable_ids_intervals(runs, triplets),
    }
    parts = [interval_ends(recomputed, place).assign(Place=place) for place, recomputed in found.items()]
    return pd.concat(parts, ignore_index=True)


def ends_by_place(ends: pd.DataFrame) -> pd.DataFrame:
    """How far our ends fall from the printed ones, points, one row a place; `ends` is `all_ends`."""
    rows = []
    for place, part in ends.groupby("Place", sort=False):
        off = part[[f"differs {side}" for side in ENDS]].abs().to_numpy().ravel()
        width = (part["high"] - part["low"]).sum() / (part["printed high"] - part["printed low"]).sum()
        rows.append(
            {
                "Place": place,
                "Ends": len(off),
                "Equal": int((off < 1e-9).sum()),
                "Median difference": float(np.median(off)),
                "Largest difference": float(off.max()),
                "Width, of the printed": 100 * width,
                "Same verdict on zero": f"{int(_same_verdict(part).sum())} of {len(part)}",
            }
        )
    return pd.DataFrame(
        rows,
        columns=[
            "Place",
            "Ends",
            "Equal",
            "Median difference",
            "Largest difference",
            "Width, of the printed",
            "Same verdict on zero",
        ],
    )


def _same_verdict(part: pd.DataFrame) -> pd.Series:
    """Whether both intervals lie on one side of zero, or both include it; an end at zero includes it."""

    def verdict(prefix: str) -> pd.Series:
        return (part[f"{prefix}low"] > 0).astype(int) - (part[f"{prefix}high"] < 0).astype(int)

    return verdict("") == verdict("printed ")


def width_luck(triplets: Triplets) -> pd.DataFrame:
    """How far the width of an interval is uncertain because clusters are few: a rule of thumb, percent of the width.

    A standard error from C clusters of like size has itself a relative standard error of about 1 / sqrt(2 (C - 1)); two of them
    from different clusters differ by sqrt(2) times that. Partitions are those of the 48 FQ2 test groups and of Appendix E.
    """
    fq2 = triplets.groups.query("split == 'test' and family == 'FQ2'")
    kept = fq2[fq2["ordinal_change"] != ORDINAL_CHANGES[0]]
    counts = {
        "Exact-image components": fq2["image_cluster"].nunique(),
        "Scene clusters": fq2["scene_cluster"].nunique(),
        "Union components": fq2["union_cluster"].nunique(),
        "Groups of Appendix E": len(kept),
        "Union components of Appendix E": kept["union_cluster"].nunique(),
    }
    rows = []
    for name, count in counts.items():
        one = 100 / np.sqrt(2 * (count - 1))
        rows.append({"Clusters": name, "How many": count, "One width": one, "Two widths": np.sqrt(2) * one})
    return pd.DataFrame(rows)


def redrawn(runs: Sequence[TripletRun], triplets: Triplets, seeds: Sequence[int]) -> pd.DataFrame:
    """How far the ends of our own Table 25 lie apart between two seeds, points: what draws alone do."""
    first, second = (contrasts.table_25_intervals(runs, triplets, seed)["value"] for seed in seeds)
    off = (first - second).abs()
    row = {"Ends": len(off), "Median difference": float(off.median()), "Largest difference": float(off.max())}
    return pd.DataFrame([row] if len(off) else [], columns=list(row))


def adjacent_shots(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """From each number of shots to the next: net correct answers, of 288, and net joint successes, of 48 groups each (G.3).

    They follow from Table 4. Gains and losses behind them do not, but for one pair (Section 6.2).
    """
    found = primary(runs)
    rows = []
    for model in ("GPT-5.6", "Claude Fable 5.1"):
        for shots in range(3):
            pair = [found.get(f"{model} / {number}-shot") for number in (shots, shots + 1)]
            if None in pair:
                continue
            right = [int((run.answers == triplets.gold)[run_tables.asked_rows(run, triplets)].sum()) for run in pair]
            joints = [run_tables.joint_success(run, triplets) for run in pair]
            net = {score: int(joints[1][score].sum()) - int(joints[0][score].sum()) for score in joints[0]}
            rows.append(
                {"Row": model, "Shots": f"{shots} to {shots + 1}", "Correct answers": right[1] - right[0], **net}
            )
    return pd.DataFrame(rows, columns=["Row", "Shots", "Correct answers", "FQ1-GEM", "NTS", "DIS"])


def shot_change(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """GPT's change from two to three shots as Section 6.2 has it, and what its interval would be with clusters of one question.

    `Half width if independent` is 1.96 standard errors, points, of the mean of gains (+1), losses (-1) and zeros.
    """
    columns = ["Gains", "Losses", "Questions", "Change", "Half width if independent"]
    pair = _two_and_three_shots(runs)
    if not pair:
        return pd.DataFrame(columns=columns)
    right = [(run.answers == triplets.gold)[run_tables.asked_rows(run, triplets)] for run in pair]
    found, questions = joint.paired_change(*right), len(right[0])
    error = np.sqrt(found.gains + found.losses - found.net**2 / questions) / questions
    half = 196 * float(error)
    row = (found.gains, found.losses, questions, 100 * found.net / questions, half)
    return pd.DataFrame([row], columns=columns)


def shot_verdicts(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Whether our intervals of GPT's change from two to three shots include zero (G.3 says so of both), with the printed seed."""
    pair = _two_and_three_shots(runs)
    if not pair:
        return pd.DataFrame(columns=["Score", "Change", "Includes zero"])
    table = run_tables.contrast_table(*pair, triplets, scores.SHOT_SEED, draws=scores.SHOT_DRAWS)
    table = table[table["Score"].isin(["Acc.", "FQ1-GEM"])]
    inside = (table["Low"] <= 0) & (table["High"] >= 0)
    return pd.DataFrame(
        {"Score": table["Score"], "Change": table["Change"], "Includes zero": inside.map({True: "yes", False: "no"})}
    )


def _two_and_three_shots(runs: Sequence[TripletRun]) -> list[TripletRun]:
    """GPT's two runs, or none unless both are there."""
    found = primary(runs)
    pair = [found.get(f"{REPEATED[0]} / {shots}-shot") for shots in (2, 3)]
    return [] if None in pair else pair


def signs_without_a_cluster(
    runs: Sequence[TripletRun], triplets: Triplets, cluster: str = "scene_cluster"
) -> pd.DataFrame:
    """Whether a LoRA-Base change keeps its sign when one cluster's contribution is set to nothing (D.6), for each contrast."""
    found = primary(runs)
    rows = []
    for model in ADAPTED:
        pair = [found.get(f"{model} / {setting}") for setting in ("Base", "LoRA")]
        if None in pair:
            continue
        before, after = (run_tables.joint_success(run, triplets) for run in pair)
        names = run_tables.group_names(pair[0], triplets, "FQ2")
        clusters = pd.factorize(triplets.groups.loc[names, cluster])[0]
        for score in ("NTS", "DIS"):
            left = without_each_cluster(after[score].astype(int) - before[score], clusters)
            if (left > 0).all():
                sign = "above zero"
            elif (left < 0).all():
                sign = "below zero"
            else:
                sign = "not of one sign"
            rows.append({"Row": f"{model} / {score}", "Without any one cluster": sign})
    return pd.DataFrame(rows, columns=["Row", "Without any one cluster"])


def own_intervals(runs: Sequence[TripletRun], triplets: Triplets, seed: int) -> pd.DataFrame:
    """Accuracy and joint scores of a reader's runs with 95 % intervals that resample union components, percent (D.5).

    One row a run and score. Invalid and missing answers count as wrong; scores of a family that a run leaves out have no row.
    """
    rows = []
    clusters = triplets.groups["union_cluster"]
    for run in runs:
        asked = run_tables.asked_rows(run, triplets)
        flags = {"Acc.": (run.answers[asked] == triplets.gold[asked], triplets.questions["group"].iloc[asked])}
        for score, success in run_tables.joint_success(run, triplets).items():
            flags[score] = success, run_tables.group_names(run, triplets, METRIC_FAMILIES[score])
        blocks = {score: (right, clusters.loc[names]) for score, (right, names) in flags.items() if len(right)}
        for score, (low, high) in intervals(blocks, seed, scores.SHOT_DRAWS).items():
            rows.append((run.title, score, 100 * blocks[score][0].mean(), low, high))
    return pd.DataFrame(rows, columns=["Set", "Score", "Value", "Low", "High"])
