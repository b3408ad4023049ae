"""CVT-Real's protocol on plain geometry: which objects, pairs and questions a scene yields (CVT-Bench, Supp. 1.3 and 1.4).

What a scene offers is a camera and things, each with an oriented box and with what the source view shows of it; where they
come from, from a made room or from somebody's copy of 3DSSG, does not matter here.

Where Supp. 1.3 is silent the printed composition decides:

- *Normalized* separations are shares of the scene's extent: on the ground, of the longer side of the least rectangle
  (right, behind) around the tagged things' centres; in height, of the interval from the lowest bottom to the highest top.
- A source pair is admitted when it is separated on *either* axis. On both, every source question would have two labels,
  and nearly every fixed pair would be closed under quarter turns, where 426 of 494 are (Supp. 3.5).
- Labels are asserted beyond .09 (left, right) and .165 (front, behind) of the extent, .06 and .035 inside the gates. With
  one margin for both axes every fixed pair would be closed.
- A label is never missing altogether (`vantage.relations.asserted`): a question without a right answer could not be
  scored.
"""

import itertools
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vantage.heights import OVERLAP_TO, SEPARATION_FROM
from vantage.heights import PIXELS_FROM as VERTICAL_PIXELS
from vantage.relations import VIEWPOINTS, asserted, observed, vertical_set
from vantage_workshop.stimuli.cvt.clevr import DECIMALS, OCCLUDED_TO, TAGGED_FROM, TIE, density
from vantage_workshop.stimuli.cvt.questions import (
    FULL_ORBIT,
    PRIMARY,
    SOURCE,
    SUPPLEMENTS,
    TRACKED,
    Pair,
    Slot,
    ambiguity_rows,
    draw_tracked,
    question_rows,
    relation_lines,
)
from vantage_workshop.stimuli.cvt.visibility import Camera, Vector

PIXELS_FROM = 350
"""An object is tagged where it covers at least so many pixels, hidden ones included (Supp. 1.3)."""

FALLBACK_PAIRS = 3
"""The fallback gate admits pairs only until there are so many unordered ones (Supp. 1.3)."""

VERTICAL_QUESTIONS = 5
"""The most vertical questions at the source view (Supp. 1.3)."""

VERTICAL_TRACKED = 3
"""The most unordered vertical pairs that become fixed pairs (Supp. 1.3)."""

LATERAL_MARGIN, DEPTH_MARGIN = 0.09, 0.165
"""A label is asserted beyond this share of the scene's extent; ours, see above."""

BAND = 0.2
"""A label this close to its margin, as a share of it, is threshold-sensitive; ours."""


@dataclass(frozen=True)
class Gate:
    """What separates a source pair on either axis: pixels and a share of the extent laterally, a share of it in depth."""

    pixels: float
    lateral: float
    depth: float


CONSERVATIVE, FALLBACK = Gate(12, 0.15, 0.20), Gate(8, 0.10, 0.15)
"""The two gates of Supp. 1.3."""


@dataclass(frozen=True)
class Thing:
    """An object with its oriented box, and how the source view shows it.

    `position` is the box's centre and `half_extents` half its size along its own axes, world units; `rotation` is in degrees
    about the vertical. `box` is [x, y, w, h] of the whole object in pixels, `pixels` how many it covers, hidden ones
    included, `visible_fraction` the share of them that shows it.
    """

    description: str
    category: str
    position: Vector
    half_extents: Vector
    rotation: float
    box: tuple[int, int, int, int]
    pixels: int
    visible_fraction: float
    size: str | None = None
    color: str | None = None
    material: str | None = None

    @property
    def eligible(self) -> bool:
        """Whether it is tagged and asked about: at least 5 % visible and 350 pixels (Supp. 1.3)."""
        return self.visible_fraction >= TAGGED_FROM and self.pixels >= PIXELS_FROM

    @property
    def partially_occluded(self) -> bool:
        """Eligible, and at most 70 % visible."""
        return self.eligible and self.visible_fraction <= OCCLUDED_TO

    @property
    def heights(self) -> tuple[float, float]:
        """Its bottom and top, world units."""
        return self.position[2] - self.half_extents[2], self.position[2] + self.half_extents[2]

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of its box in the picture, pixels from the left and from above."""
        x, y, w, h = self.box
        return x + w / 2, y + h / 2


@dataclass(frozen=True)
class Scene:
    """A source camera and the things it sees. Tags are the places of the eligible things, in the order given."""

    camera: Camera
    things: tuple[Thing, ...]

    @cached_property
    def tagged(self) -> tuple[Thing, ...]:
        """The things that questions are about."""
        return tuple(thing for thing in self.things if thing.eligible)

    @cached_property
    def plane(self) -> np.ndarray:
        """Canonical ground coordinates (tags, 2) of the tagged things' centres, world units."""
        return np.array([self._plane(thing) for thing in self.tagged])

    def _plane(self, thing: Thing) -> tuple[float, float]:
        right, behind = self.camera.ground(thing.position)
        return round(right, DECIMALS), round(behind, DECIMALS)

    @property
    def heights(self) -> list[float]:
        """Heights of the tagged things' centres, world units."""
        return [thing.position[2] for thing in self.tagged]

    @property
    def occluded(self) -> frozenset[int]:
        """The tags of the partially occluded things."""
        return frozenset(tag for tag, thing in enumerate(self.tagged) if thing.partially_occluded)

    @cached_property
    def extent(self) -> float:
        """The longer side of the least rectangle (right, behind) around the tagged things' centres, world units."""
        return float(np.ptp(self.plane, axis=0).max())

    @property
    def margin(self) -> tuple[float, float]:
        """The margins of labels: lateral, depth; world units."""
        return round(LATERAL_MARGIN * self.extent, DECIMALS), round(DEPTH_MARGIN * self.extent, DECIMALS)

    @property
    def band(self) -> tuple[float, float]:
        """How close to its margin a label is threshold-sensitive: lateral, depth; world units."""
        return tuple(round(BAND * margin, DECIMALS) for margin in self.margin)

    def separated(self, pair: Pair, gate: Gate) -> bool:
        """Whether a gate admits a source pair: separated laterally, in the picture and on the ground, or in depth."""
        one, other = pair
        across = abs(self.tagged[one].centre[0] - self.tagged[other].centre[0])
        lateral, depth = np.abs(self.plane[one] - self.plane[other]) / self.extent
        return bool((across >= gate.pixels and lateral >= gate.lateral) or depth >= gate.depth)

    @cached_property
    def admitted(self) -> list[Pair]:
        """The unordered pairs that horizontal questions may be about, at every viewpoint.

        All that pass the conservative gate; where these are fewer than three, those that pass the fallback, the first in
        the order of tags, until three are admitted.
        """
        pairs = list(itertools.combinations(range(len(self.tagged)), 2))
        admitted = [pair for pair in pairs if self.separated(pair, CONSERVATIVE)]
        fallback = [pair for pair in pairs if pair not in admitted and self.separated(pair, FALLBACK)]
        return admitted + fallback[: max(0, FALLBACK_PAIRS - len(admitted))]

    @cached_property
    def vertical(self) -> list[Pair]:
        """The unordered pairs that vertical questions may be about: admitted ones in which one thing is clearly higher.

        "Multi-axis" (Supp. 1.3): such a question asks for horizontal relations too, so its pair has to pass that gate.
        """
        return [pair for pair in self.admitted if self.clearly_higher(pair)]

    def clearly_higher(self, pair: Pair) -> bool:
        """Whether boxes and picture agree that one thing of the pair is above the other (Supp. 1.3).

        Their height intervals overlap by at most 20 % of the smaller; their centres are at least 12 pixels apart up the
        picture and 20 % of the scene's height in the world; and the one that is higher in the world is higher in the picture.
        """
        one, other = (self.tagged[tag] for tag in pair)
        (low, high), (bottom, top) = one.heights, other.heights
        overlap = max(0.0, min(high, top) - max(low, bottom)) / min(high - low, top - bottom)
        rise = one.position[2] - other.position[2]
        upward = other.centre[1] - one.centre[1]
        lowest, highest = min(t.heights[0] for t in self.tagged), max(t.heights[1] for t in self.tagged)
        return (
            overlap <= OVERLAP_TO
            and abs(upward) >= VERTICAL_PIXELS
            and abs(rise) >= SEPARATION_FROM * (highest - lowest)
            and (rise > 0) == (upward > 0)
        )

    @property
    def settled(self) -> bool:
        """Whether no label, admissible alternative or gate hangs on the last digit of a coordinate."""
        apart = self.plane[:, None, :] - self.plane[None, :, :]
        apart = apart[~np.eye(len(apart), dtype=bool)]
        margin, band = np.array(self.margin), np.array(self.band)
        for seen in (np.abs(observed(apart, yaw)) for yaw in (0, 45, 90, 135)):
            relative = seen * margin[::-1]
            edges = (margin - band, margin, margin + band)
            if (np.abs(relative[:, 0] - relative[:, 1]) <= TIE).any():
                return False
            if any((np.abs(seen - edge) <= TIE).any() for edge in edges):
                return False
        gates = [np.abs(apart) / self.extent - (gate.lateral, gate.depth) for gate in (CONSERVATIVE, FALLBACK)]
        return bool((np.abs(gates) > TIE).all())

    def row(self, name: str, number: int) -> dict:
        """The scene as `vantage.schemas.CVT_SCENES` stores it."""
        camera = self.camera
        tags = itertools.count()
        shown = [(next(tags), thing) for thing in self.tagged]
        shown += [(None, thing) for thing in self.things if not thing.eligible]
        return {
            "scene": name,
            "number": number,
            "density": density(len(self.tagged)),
            "width": camera.width,
            "height": camera.height,
            "camera": {
                "position": camera.position,
                "forward": camera.forward,
                "right": camera.right,
                "up": camera.up,
                "focal_pixels": camera.focal_pixels,
            },
            "lateral_margin": self.margin[0],
            "depth_margin": self.margin[1],
            "lateral_band": self.band[0],
            "depth_band": self.band[1],
            "objects": [
                {
                    "tag": tag,
                    "description": thing.description,
                    "category": thing.category,
                    "size": thing.size,
                    "color": thing.color,
                    "material": thing.material,
                    "position": thing.position,
                    "rotation": thing.rotation,
                    "half_extents": thing.half_extents,
                    "plane": self._plane(thing),
                    "box": thing.box,
                    "visible_fraction": thing.visible_fraction,
                    "partially_occluded": thing.partially_occluded,
                }
                for tag, thing in shown
            ],
            "scene_graph": relation_lines(self.source_relations),
        }

    @property
    def source_relations(self) -> np.ndarray:
        """What holds in the source view, (tags, targets): horizontal relations of all pairs, above and below of the clean ones."""
        masks = asserted(self.plane[None, :, :] - self.plane[:, None, :], self.margin)
        for one, other in self.vertical:
            for target, anchor in ((one, other), (other, one)):
                masks[anchor, target] |= vertical_set(self.heights[target] - self.heights[anchor])
        return masks


def both_ways(pairs: Sequence[Pair]) -> list[Pair]:
    """Every unordered pair as two directed ones, (target, anchor)."""
    return [way for one, other in pairs for way in ((one, other), (other, one))]


def draw_slots(
    rng: random.Random, admitted: Sequence[Pair], vertical: Sequence[Pair], occluded: Collection[int]
) -> list[Slot]:
    """What is asked about a scene, view by view, given its admitted and its vertical unordered pairs (Supp. 1.3 and 1.4).

    Three horizontal fixed pairs come first at every view, two of them with a partially occluded object where there are
    such; then up to three vertical ones, no two of them each other's inverse; then horizontal fillers, drawn anew for
    each view, up to five questions. The full orbit repeats all of the source view's. At the source view further vertical questions
    follow, inverses too, up to five in all, and further horizontal ones up to fifteen questions in all.
    """
    horizontal = both_ways(admitted)
    tracked = draw_tracked(rng, horizontal, occluded)
    others = [pair for pair in horizontal if pair not in tracked]
    upright = rng.sample(vertical, min(VERTICAL_TRACKED, len(vertical)))
    upright = [pair if rng.randrange(2) else pair[::-1] for pair in upright]
    fixed = [("primary", pair) for pair in tracked] + [("vertical", pair) for pair in upright]
    places = [*range(len(tracked)), *range(TRACKED, TRACKED + len(upright))]
    slots, at_source = [], []
    for viewpoint in VIEWPOINTS:
        if viewpoint == FULL_ORBIT:
            fillers = at_source
        else:
            fillers = rng.sample(others, min(max(PRIMARY - len(fixed), 0), len(others)))
        slots += [Slot(viewpoint, pair, kind, place) for place, (kind, pair) in zip(places, fixed, strict=True)]
        slots += [Slot(viewpoint, pair, "primary") for pair in fillers]
        if viewpoint == SOURCE:
            at_source = fillers
            inverses = [pair for pair in both_ways(vertical) if pair not in upright]
            more = rng.sample(inverses, min(VERTICAL_QUESTIONS - len(upright), len(inverses)))
            slots += [Slot(viewpoint, pair, "vertical") for pair in more]
            left = [pair for pair in others if pair not in fillers]
            supplements = rng.sample(left, min(PRIMARY + SUPPLEMENTS - len(slots), len(left)))
            slots += [Slot(viewpoint, pair, "supplement") for pair in supplements]
    return slots


def rows(rng: random.Random, name: str, number: int, scene: Scene, slots: Sequence[Slot]) -> dict[str, list[dict]]:
    """The rows of a scene in the three tables, for `slots` in encounter order; `rng` draws the wording of orbits."""
    descriptions = [thing.description for thing in scene.tagged]
    questions = question_rows(rng, name, scene.plane, descriptions, scene.occluded, slots, scene.heights, scene.margin)
    return {
        "scenes": [scene.row(name, number)],
        "questions": questions,
        "ambiguity": ambiguity_rows(scene.plane, questions, scene.margin, scene.band),
    }
