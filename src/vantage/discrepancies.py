"""What of the printed numbers does not come out: the ledger's rows that differ, conflict or are unavailable, and the doubts beside them.

Every function takes rows of the ledger (`vantage.ledger.build`) or the name of a paper, so the page says what the ledger says.
"""

from fractions import Fraction

import pandas as pd

from vantage.conflicts import PROOFS
from vantage.published import PAPERS, as_printed, load_doubts, load_published

DOUBTFUL = ("differs", "conflict", "unavailable")
"""The statuses of a number that does not come out."""

KINDS = {"prediction": "Results", "interval": "Interval ends", "control": "Controls without a model"}
"""What kinds of printed number are called; the others are `REST`."""

REST = "Items, settings, people"

_UNITS = {"pp": "points", "fraction": "fraction", "percent": "percent", "count": "count", "other": "as printed"}


def kinds_of(entries: pd.DataFrame) -> pd.Series:
    """What each entry is, along the entries: one of the words in `KINDS`, or `REST`."""
    return _published(entries)["kind"].map(KINDS).fillna(REST)


def are_ends(entries: pd.DataFrame) -> pd.Series:
    """Whether each entry is an end of an interval, along the entries."""
    return _published(entries)["kind"] == "interval"


def summary(entries: pd.DataFrame) -> pd.DataFrame:
    """How many numbers of each paper and kind there are and how many do not come out, by status; counts, and their share in percent.

    The last rows of each paper are over several kinds: `All but interval ends` and `All`.
    """
    rows = []
    kinds = kinds_of(entries)
    for paper, title in PAPERS.items():
        here = entries[entries["paper"] == paper]
        parts = {kind: here[kinds[here.index] == kind] for kind in (*KINDS.values(), REST)}
        parts |= {"All but interval ends": here[~are_ends(here)], "All": here}
        for kind, numbers in parts.items():
            if len(numbers):
                counts = {status.capitalize(): int((numbers["status"] == status).sum()) for status in DOUBTFUL}
                share = 100 * sum(counts.values()) / len(numbers)
                rows.append({"Paper": title, "Numbers": kind, "Printed": len(numbers)} | counts | {"Share": share})
    return pd.DataFrame(rows)


def doubtful(entries: pd.DataFrame, status: str, paper: str | None = None, ends: bool | None = None) -> pd.DataFrame:
    """The entries of a status, of one paper or of both; with `ends`, only ends of intervals, or only what is none."""
    chosen = entries[(entries["status"] == status) & entries["paper"].isin(PAPERS if paper is None else [paper])]
    return chosen if ends is None else chosen[are_ends(chosen) == ends]


def distances(entries: pd.DataFrame) -> pd.DataFrame:
    """How far recomputed interval ends lie from the printed ones, one row a paper, place and unit.

    How many ends were recomputed and how many of them print alike, and the median and the largest distance of all of them, in the
    printed unit. The last rows of each paper are over all its places.
    """
    recomputed = entries[are_ends(entries) & entries["recomputed"].notna()]
    frame = recomputed.assign(
        Unit=_published(recomputed)["unit"].map(_UNITS),
        distance=(recomputed["recomputed"] - recomputed["printed"]).abs(),
        alike=recomputed["status"] == "reproduced",
    )
    everywhere = frame.assign(place="All")
    rows = []
    for paper, title in PAPERS.items():
        for part in (frame, everywhere):
            for (place, unit), ends in part[part["paper"] == paper].groupby(["place", "Unit"], sort=False):
                rows.append(
                    {
                        "Paper": title,
                        "Place": place,
                        "Unit": unit,
                        "Ends": len(ends),
                        "Print alike": int(ends["alike"].sum()),
                        "Median distance": float(ends["distance"].median()),
                        "Largest distance": float(ends["distance"].max()),
                    }
                )
    return pd.DataFrame(
        rows, columns=["Paper", "Place", "Unit", "Ends", "Print alike", "Median distance", "Largest distance"]
    )


def proofs(paper: str) -> pd.DataFrame:
    """The readings under which printed numbers of a paper contradict each other, each with its proof run on the print.

    Reading and Why as `schemas.CONFLICTS` has them. `least` is what follows from the other numbers, `most` what the excluded number can
    stand for before rounding, and `excluded` whether the first is beyond the second.
    """
    printed = _values(paper)
    rows = []
    for conflict in load_doubts(paper)[0].itertuples():
        least, most = PROOFS[conflict.conflict](printed)
        rows.append((conflict.conflict, float(least), float(most), least > most, conflict.reason))
    return pd.DataFrame(rows, columns=["Reading", "least", "most", "excluded", "Why"])


def premises(paper: str) -> pd.DataFrame:
    """The printed numbers that the proofs of a paper's conflicts rest on, as they are printed."""
    numbers = load_published(paper).set_index("id")
    rows = []
    for conflict in load_doubts(paper)[0].itertuples():
        for number in conflict.ids.split():
            one = numbers.loc[number]
            rows.append(
                {
                    "Reading": conflict.conflict,
                    "Place": one["place"],
                    "Number": f"{one['row']}, {one['column']}",
                    "Printed": as_printed(one["value"], one["decimals"]),
                }
            )
    return pd.DataFrame(rows, columns=["Reading", "Place", "Number", "Printed"])


def tensions(paper: str) -> pd.DataFrame:
    """The doubts about a paper short of a contradiction: what, where, and why."""
    found = load_doubts(paper)[1]
    return pd.DataFrame({"Tension": found["tension"], "Places": found["places"], "Why": found["reason"]})


def _published(entries: pd.DataFrame) -> pd.DataFrame:
    """Kind and unit of each entry, along the entries."""
    numbers = pd.concat([load_published(paper) for paper in PAPERS]).set_index("id")[["kind", "unit"]]
    return numbers.loc[entries["id"]].set_axis(entries.index)


def _values(paper: str) -> dict[str, Fraction]:
    """The printed numbers of a paper by id, as exact fractions of what is printed."""
    return {row.id: Fraction(as_printed(row.value, row.decimals)) for row in load_published(paper).itertuples()}
