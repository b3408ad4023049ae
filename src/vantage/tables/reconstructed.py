"""What every page on a reconstructed set needs: which runs are solved for, which numbers were, and intervals beside printed ones.

A reconstructed run is a printed row. Its answers were solved for, so only numbers that were no target can be evidence, and answers of
other runs stand in tables of their own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pandas as pd

from vantage import ledger
from vantage.predictions import AttributeRun, CVTRun, TripletRun
from vantage.published import as_printed, load_published

KIND = "reconstructed"


AnyRun = TypeVar("AnyRun", CVTRun, AttributeRun, TripletRun)


def solved(runs: Iterable[AnyRun]) -> list[AnyRun]:
    """The reconstructed runs: what printed tables are recomputed from."""
    return [run for run in runs if run.kind == KIND]


def others(runs: Iterable[AnyRun]) -> list[AnyRun]:
    """The runs that really answered our items: their scores never share a table with printed rows."""
    return [run for run in runs if run.kind != KIND]


def one_a_set(runs: Sequence[TripletRun]) -> list[TripletRun]:
    """All other runs, and one run a reconstructed set, under what its titles share: for the list of whose answers a page has."""
    found = others(runs)
    for name in dict.fromkeys(run.set for run in solved(runs)):
        mine = [run for run in solved(runs) if run.set == name]
        words = [run.title.split(", ") for run in mine]
        shared = [some[0] for some in zip(*words, strict=False) if len(set(some)) == 1] if len(mine) > 1 else words[0]
        found.append(replace(mine[0], title=", ".join(shared) or name))
    return found


def basis_table(places: Sequence[str], paper: str = "frame_evidence") -> pd.DataFrame:
    """What the ledger says of the numbers printed at these places that rest on answers: counts, one row a place.

    `Points` and `Interval ends` are recomputed ones, each with how many equal the print. `Fitted` points had to: the answers were solved
    for them, or for numbers that imply them; the others are `Unfitted`, and only they are evidence. Ends are never fitted. `Not
    recomputed` numbers follow from other printed ones, are quoted, or are out of reach.
    """
    entries = ledger.build((paper,))
    kinds = load_published(paper).set_index("id")["kind"]
    entries = entries.assign(kind=entries["id"].map(kinds), equal=entries["status"] == "reproduced")
    rows = []
    for place in places:
        numbers = entries[(entries["place"] == place) & entries["kind"].isin(("prediction", "interval"))]
        computed = numbers[numbers["basis"].notna()]
        points, ends = (computed[computed["kind"] == kind] for kind in ("prediction", "interval"))
        rows.append(
            {
                "Place": place,
                "Points": len(points),
                "Equal": int(points["equal"].sum()),
                "Fitted": int((points["basis"] == "fitted").sum()),
                "Unfitted": int((points["basis"] != "fitted").sum()),
                "Interval ends": len(ends),
                "Equal ends": int(ends["equal"].sum()),
                "Not recomputed": len(numbers) - len(computed),
            }
        )
    return pd.DataFrame(rows)


def intervals_beside(recomputed: pd.DataFrame, place: str, paper: str = "frame_evidence") -> pd.DataFrame:
    """Intervals of reconstructed answers under our clusters and draws beside the printed ones; text but for the differences.

    `recomputed` has row, column and value: `x / low` and `x / high`, `x 95% low` and `x 95% high`, or with commas. Differences are ours
    minus printed, in the printed unit. One row an interval, as far as both are there.
    """
    numbers = load_published(paper).query("place == @place and kind == 'interval'")
    both = recomputed.merge(numbers, on=["row", "column"], suffixes=("", "_printed"))
    # Running text tells the ends apart in the row, tables in the column.
    labels = both["row"].str.cat(both["column"], sep="; ").str.replace(r"(,? 95%| /|,) (low|high)", "", regex=True)
    both = both.assign(what=labels, end=(both["row"] + both["column"]).str.extract(r"(low|high)", expand=False))
    rows = []
    for what, ends in both.groupby("what", sort=False):
        ends = ends.set_index("end")
        if not {"low", "high"} <= set(ends.index):
            continue
        low, high = ends.loc["low"], ends.loc["high"]
        quantity, _, of = what.partition("; ")
        rows.append(
            {
                "Quantity": quantity,
                "Of": of,
                "Printed": _span(low.value_printed, high.value_printed, low.decimals),
                "Ours": _span(low.value, high.value, low.decimals),
                "Low, difference": low.value - low.value_printed,
                "High, difference": high.value - high.value_printed,
            }
        )
    found = pd.DataFrame(rows, columns=["Quantity", "Of", "Printed", "Ours", "Low, difference", "High, difference"])
    quantities = pd.Series(pd.factorize(found["Quantity"])[0], index=found.index)
    return found.loc[quantities.sort_values(kind="stable").index].reset_index(drop=True)


def interval_distances(beside: pd.DataFrame) -> pd.DataFrame:
    """How far our ends lie from the printed ones, from `intervals_beside`; in the printed unit, one row each of its `Of`.

    `Ends` are counted, with those that print alike; the distance is absolute.
    """
    rows = []
    for of, part in beside.groupby("Of", sort=False):
        distances = part[["Low, difference", "High, difference"]].abs().to_numpy().ravel()
        alike = sum(
            ours == theirs
            for row in part.itertuples()
            for ours, theirs in zip(row.Ours.split(" to "), row.Printed.split(" to "), strict=True)
        )
        rows.append(
            {
                "Resampled": of,
                "Ends": len(distances),
                "Print alike": alike,
                "Median distance": float(np.median(distances)),
                "Largest distance": float(distances.max()),
            }
        )
    return pd.DataFrame(rows, columns=["Resampled", "Ends", "Print alike", "Median distance", "Largest distance"])


def _span(low: float, high: float, decimals: int) -> str:
    return f"{as_printed(low, decimals)} to {as_printed(high, decimals)}"
