"""Which pairs of a scene CVT-Real's protocol asks about: its gates, read off the stored scene (CVT-Bench, Supp. 1.3).

The thresholds are the printed ones. Where the text is silent, as about what is normalized by what, the choice is that of the
items' README: shares of the longer side of the least rectangle (right, behind) around the tagged objects' centres, and in height
of the interval from the lowest bottom to the highest top. A pair passes a gate that it passes on either axis.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from vantage.published import load_published

CONSERVATIVE, FALLBACK, NEITHER = "conservative", "fallback", "neither"
"""By which gate a source pair is admitted."""


def thresholds() -> dict[str, float]:
    """The numbers of Supp. 1.3 by their rows: pixels, shares of the extent (fractions), percent of an overlap, and counts."""
    numbers = load_published("cvt").query("place == 'Supp. 1.3'")
    return dict(zip(numbers.row, numbers.value, strict=True))


def heights(thing: Mapping) -> tuple[float, float]:
    """The bottom and the top of an object's box, world units."""
    centre, half = thing["position"][2], thing["half_extents"][2]
    return centre - half, centre + half


def source_pairs(scene: Mapping) -> pd.DataFrame:
    """The unordered pairs of tagged objects of a scene (`schemas.CVT_SCENES`) in the source view, one row a pair.

    Columns: `first`, `second` (tags, the smaller first); `across` (pixels between the boxes' middles from left to right);
    `lateral`, `depth` (fractions of the extent); `gate`, the one that admits the pair: fallback only until three pairs are
    admitted, in the order of tags. Then of first above second: `overlap` (fraction of the smaller height interval), `up` (pixels),
    `rise` (fraction of the scene's height), and `clear`, whether boxes and picture agree that one is above the other.
    """
    limit = thresholds()
    things = [thing for thing in scene["objects"] if thing["tag"] is not None]
    plane = np.array([thing["plane"] for thing in things], dtype=float)
    extent = np.ptp(plane, axis=0).max()
    bottoms, tops = np.array([heights(thing) for thing in things]).T
    boxes = np.array([thing["box"] for thing in things], dtype=float)
    middles = boxes[:, :2] + boxes[:, 2:] / 2
    rows = []
    for one, other in combinations(range(len(things)), 2):
        lateral, depth = np.abs(plane[one] - plane[other]) / extent
        across = abs(middles[one, 0] - middles[other, 0])
        shared = max(0.0, min(tops[one], tops[other]) - max(bottoms[one], bottoms[other]))
        overlap = shared / min(tops[one] - bottoms[one], tops[other] - bottoms[other])
        rise = (things[one]["position"][2] - things[other]["position"][2]) / (tops.max() - bottoms.min())
        up = middles[other, 1] - middles[one, 1]
        rows.append(
            {
                "first": things[one]["tag"],
                "second": things[other]["tag"],
                "across": across,
                "lateral": lateral,
                "depth": depth,
                "gate": _gate(limit, across, lateral, depth),
                "overlap": overlap,
                "up": up,
                "rise": rise,
                "clear": 100 * overlap <= limit["Vertical pair: overlap of the smaller height interval, at most"]
                and abs(up) >= limit["Vertical pair: center separation in pixels, at least"]
                and abs(rise) >= limit["Vertical pair: normalized center separation, at least"]
                and (rise > 0) == (up > 0),
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
