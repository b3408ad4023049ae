"""Which pairs of a scene CVT-Real's protocol asks about: its gates, read off the stored scene (CVT-Bench, Supp. 1.3).

The thresholds are the printed ones. Where the text is silent, as about what is normalized by what, the choice is that of the
items' README: shares of the longer side of the least rectangle (right, behind) around the tagged objects' centres. A pair passes
a gate that it passes on either axis. `vantage.heights` has the gate of above and below.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from vantage.heights import compare_heights
from vantage.published import load_published

CONSERVATIVE, FALLBACK, NEITHER = "conservative", "fallback", "neither"
"""By which gate a source pair is admitted."""


def thresholds() -> dict[str, float]:
    """The numbers of Supp. 1.3 by their rows: pixels, shares of the extent (fractions), percent, and counts."""
    numbers = load_published("cvt").query("place == 'Supp. 1.3'")
    return dict(zip(numbers.row, numbers.value, strict=True))


def source_pairs(scene: Mapping) -> pd.DataFrame:
    """The unordered pairs of tagged objects of a scene (`schemas.CVT_SCENES`) in the source view, one row a pair.

    Columns: `first`, `second` (tags, the smaller first); `across` (pixels between the boxes' middles from left to right);
    `lateral`, `depth` (fractions of the extent); `gate`, the one that admits the pair: fallback only until three pairs are
    admitted, in the order of tags; `clear`, whether boxes and picture agree that one of the two is above the other.
    """
    limit = thresholds()
    things = [thing for thing in scene["objects"] if thing["tag"] is not None]
    extent = np.ptp([thing["plane"] for thing in things], axis=0).max()
    rows = []
    for one, other in combinations(things, 2):
        lateral, depth = np.abs(np.subtract(one["plane"], other["plane"])) / extent
        across = abs((one["box"][0] + one["box"][2] / 2) - (other["box"][0] + other["box"][2] / 2))
        rows.append(
            {
                "first": one["tag"],
                "second": other["tag"],
                "across": across,
                "lateral": lateral,
                "depth": depth,
                "gate": _gate(limit, across, lateral, depth),
                "clear": not compare_heights(scene, one["tag"], other["tag"]).flaws,
            }
        )
    pairs = pd.DataFrame(rows)
    fallback = np.flatnonzero(pairs.gate == FALLBACK)
    room = int(limit["Unordered pairs at which the fallback gate stops"]) - int((pairs.gate == CONSERVATIVE).sum())
    pairs.loc[fallback[max(0, room) :], "gate"] = NEITHER
    return pairs


def _gate(limit: Mapping[str, float], across: float, lateral: float, depth: float) -> str:
    """The strictest gate that a pair passes."""
    for name, prefix in ((CONSERVATIVE, "Conservative gate"), (FALLBACK, "Fallback gate")):
        beside = (
            across >= limit[f"{prefix}: lateral separation in pixels"]
            and lateral >= limit[f"{prefix}: normalized lateral separation"]
        )
        if beside or depth >= limit[f"{prefix}: normalized depth separation"]:
            return name
    return NEITHER
