"""How the heights of two objects compare, and whether that makes one clearly above the other (CVT-Bench, Supp. 1.3).

Heights are those of the oriented boxes, which every observer who walks round the scene sees alike. One object is clearly above another
where the boxes in the layout and in the picture tell the same story: hardly any height in common, centres well apart, and in the same
order. *Normalized* separations, about which the paper says no more, are shares of the height from the lowest to the highest point
of what is tagged.
"""

from collections.abc import Mapping
from dataclasses import dataclass

OVERLAP_TO = 0.20
"""The most that a clean pair has in common, as a share of the smaller height interval."""

PIXELS_FROM = 12
"""The least separation of a clean pair's centres in the picture, in pixels from top to bottom."""

SEPARATION_FROM = 0.20
"""The least separation of a clean pair's centres in height, as a share of the scene's height."""


@dataclass(frozen=True)
class HeightComparison:
    """A target's height against an anchor's.

    `shared` is the height that both have, in world units, and `overlap` its share of the smaller interval. `rise` is how much higher the
    target's centre is, in world units, and `separation` the size of that as a share of the scene's height. `pixels` is how much higher
    its centre is in the picture.
    """

    shared: float
    overlap: float
    rise: float
    separation: float
    pixels: float

    @property
    def flaws(self) -> tuple[str, ...]:
        """What keeps the pair from being clean: "overlap", "separation", "pixels", "order", or nothing."""
        flaws = {
            "overlap": self.overlap > OVERLAP_TO,
            "separation": self.separation < SEPARATION_FROM,
            "pixels": abs(self.pixels) < PIXELS_FROM,
            "order": self.rise * self.pixels < 0,
        }
        return tuple(name for name, found in flaws.items() if found)


def height_interval(thing: Mapping) -> tuple[float, float]:
    """The lowest and the highest point of an object's box, in world units."""
    middle, half = thing["position"][2], thing["half_extents"][2]
    return middle - half, middle + half


def picture_row(thing: Mapping) -> float:
    """The middle of an object's box in the picture, in pixels from the top."""
    return thing["box"][1] + thing["box"][3] / 2


def compare_heights(scene: Mapping, target: int, anchor: int) -> HeightComparison:
    """The heights of two tagged objects of a scene.

    >>> lamp = {"tag": 0, "position": [0, 0, 1.5], "half_extents": [1, 1, 0.5], "box": [90, 4, 20, 32]}
    >>> shelf = {"tag": 1, "position": [2, 0, 0.625], "half_extents": [1, 1, 0.625], "box": [10, 20, 60, 50]}
    >>> found = compare_heights({"objects": [lamp, shelf]}, target=0, anchor=1)
    >>> found.shared, found.overlap, found.rise, found.separation, found.pixels
    (0.25, 0.25, 0.875, 0.4375, 25.0)
    >>> found.flaws
    ('overlap',)
    """
    tagged = {thing["tag"]: thing for thing in scene["objects"] if thing["tag"] is not None}
    lows, highs = zip(*map(height_interval, tagged.values()), strict=True)
    one, other = tagged[target], tagged[anchor]
    (low, high), (other_low, other_high) = height_interval(one), height_interval(other)
    shared = max(0.0, min(high, other_high) - max(low, other_low))
    rise = one["position"][2] - other["position"][2]
    return HeightComparison(
        shared=shared,
        overlap=shared / min(high - low, other_high - other_low),
        rise=rise,
        separation=abs(rise) / (max(highs) - min(lows)),
        pixels=picture_row(other) - picture_row(one),
    )
