"""What was derived for a responder beside what its run gives, in rows that a page can show."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

EXACT, LAYOUTS, CHANCE = "proof", "count", "chance"
"""What a derived figure rests on: it follows for any items of the rules; for these layouts; or on average over draws."""

DERIVED = ["Set", "Score", "Rests on", "Expected", "Error"]
"""Columns of derived figures: `Set` is the set's name, `Expected` and `Error` (one standard error, 0 without chance) are percent."""


def derived(rows: list[tuple]) -> pd.DataFrame:
    """Derived figures from tuples as `DERIVED` has them."""
    return pd.DataFrame(rows, columns=DERIVED).astype({"Expected": float, "Error": float})


def beside_runs(expected: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Derived figures beside those of the runs, scores of one set and one derived figure in one row; text but for what a reader sorts.

    `expected` is `derived`; `found` is tidy: Name (of the set), Set (what tables call the run), Score, Run (percent). Runs
    of sets without a derivation are left out. A figure that is not a number reads *undefined*, and so must the run's.
    """
    both = found.merge(expected.rename(columns={"Set": "Name"}), on=["Name", "Score"])
    rows = []
    both["Shown"] = both["Expected"].map(_shown)
    both["Order"] = pd.factorize(both["Set"])[0]
    for (_, name, basis, shown), part in both.sort_values("Order", kind="stable").groupby(
        ["Order", "Set", "Rests on", "Shown"], sort=False
    ):
        chance = (part["Error"] > 0).any()
        rows.append(
            {
                "Set": name,
                "Scores": _listed(part["Score"]),
                "Rests on": basis,
                "Expected": f"about {shown}" if chance else shown,
                "Run": " to ".join(dict.fromkeys(map(_shown, (part["Run"].min(), part["Run"].max())))),
                "Largest difference": _difference(part),
            }
        )
    return pd.DataFrame(rows, columns=["Set", "Scores", "Rests on", "Expected", "Run", "Largest difference"])


def _listed(scores: Iterable[str]) -> str:
    """Scores in one cell; those that differ only in what stands in brackets share their name.

    >>> _listed(["Vanilla", "Both right (rotation 1)", "Both right (its repeat)"])
    'Vanilla; Both right (rotation 1, its repeat)'
    """
    parts: dict[str, list[str]] = {}
    for score in scores:
        name, _, bracket = score.partition(" (")
        parts.setdefault(name, []).extend([bracket.rstrip(")")] if bracket else [])
    return "; ".join(f"{name} ({', '.join(some)})" if some else name for name, some in parts.items())


def _shown(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.1f}".replace("-0.0", "0.0")


def _difference(part: pd.DataFrame) -> str:
    """In points, or in standard errors (SE) where chance has a part; none where both are undefined."""
    undefined = part["Expected"].isna()
    if (undefined != part["Run"].isna()).any():
        return "one is undefined"
    if undefined.all():
        return "none"
    off = (part["Run"] - part["Expected"]).abs()
    if (part["Error"] > 0).any():
        return f"{(off / part['Error']).max():.1f} SE"
    return "none" if off.max() < 1e-9 else f"{off.max():.1f} points"
