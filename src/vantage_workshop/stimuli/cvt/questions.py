"""The question protocol: which directed pairs of a scene are asked about at which viewpoint, in which words and order.

Source: CVT-Bench, Supp. 1.2 and 1.4, "Question and Tracking Protocol". A pair is (target, anchor), two tags; questions ask
where the target is with respect to the anchor (Supp. 7.4).
"""

import itertools
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vantage.relations import (
    ABOVE,
    AMBIGUITY_BAND,
    BELOW,
    MARGIN,
    TOP,
    VIEWPOINTS,
    YAWS,
    alternatives,
    asserted,
    decode,
    encode,
    observed,
    vertical_set,
    vocabulary,
    yaw_of,
)
from vantage.templates import question_text

TRACKED = 3
"""Fixed pairs a scene (Supp. 1.2)."""

TRACKED_OCCLUDED = 2
"""Fixed pairs that must involve a partially occluded object, when such pairs exist (Supp. 1.2)."""

PRIMARY = 5
"""Primary slots at each view (Supp. 1.2)."""

SUPPLEMENTS = 10
"""The most further source-view pairs (Supp. 1.2)."""

SOURCE, FULL_ORBIT = "0", "360"

Pair = tuple[int, int]


@dataclass(frozen=True)
class Slot:
    """A question before it has words: at `viewpoint`, where is the pair's target with respect to its anchor?

    `kind` is "primary", "supplement" or "vertical"; `tracked` is the place of a fixed pair among the scene's fixed pairs.
    """

    viewpoint: str
    pair: Pair
    kind: str
    tracked: int | None = None


def directed_pairs(tags: int) -> list[Pair]:
    """Every (target, anchor) of the tags 0, 1, ..., `tags` - 1."""
    return list(itertools.permutations(range(tags), 2))


def draw_slots(rng: random.Random, tags: int, occluded: Collection[int]) -> list[Slot]:
    """What is asked about a scene of `tags` tagged objects, of which `occluded` are partially occluded, view by view.

    The fixed pairs come first at every view, then fillers drawn anew for each view, without repetition within it; the
    full orbit repeats the source view's. The source view has up to ten further pairs. A scene with too few directed
    pairs has fewer questions.
    """
    pairs = directed_pairs(tags)
    tracked = draw_tracked(rng, pairs, occluded)
    others = [pair for pair in pairs if pair not in tracked]
    slots, at_source = [], []
    for viewpoint in VIEWPOINTS:
        if viewpoint == FULL_ORBIT:
            fillers = at_source
        else:
            fillers = rng.sample(others, min(PRIMARY - len(tracked), len(others)))
        if viewpoint == SOURCE:
            at_source = fillers
            left = [pair for pair in others if pair not in fillers]
            supplements = rng.sample(left, min(SUPPLEMENTS, len(left)))
            slots += [Slot(viewpoint, pair, "supplement") for pair in supplements]
        slots += [Slot(viewpoint, pair, "primary", place) for place, pair in enumerate(tracked)]
        slots += [Slot(viewpoint, pair, "primary") for pair in fillers]
    return slots


def draw_tracked(rng: random.Random, pairs: Sequence[Pair], occluded: Collection[int]) -> list[Pair]:
    """Up to three of the pairs, up to two of them with a partially occluded object (Supp. 1.2)."""
    involved = [pair for pair in pairs if pair[0] in occluded or pair[1] in occluded]
    tracked = rng.sample(involved, min(TRACKED_OCCLUDED, len(involved)))
    rest = [pair for pair in pairs if pair not in tracked]
    return tracked + rng.sample(rest, min(TRACKED - len(tracked), len(rest)))


def relation_lines(masks: np.ndarray) -> list[dict]:
    """A source view's scene graph as `vantage.schemas.CVT_SCENES` stores it, from relation sets (tags, targets).

    One line a tag and direction, "Tag X | dir:[A, B]" of Supp. 7.3: the targets are in that direction relative to the tag.
    Directions without targets have no line.
    """
    lines = []
    for tag, row in enumerate(masks):
        for bit, word in enumerate(vocabulary(SOURCE, vertical=True)):
            targets = [target for target, mask in enumerate(row) if mask & (1 << bit)]
            if targets:
                lines.append({"tag": tag, "direction": word, "targets": targets})
    return lines


def encounter_order(rng: random.Random, count: int) -> list[int]:
    """The order in which `count` questions are met: shuffled after construction (Supp. 1.2)."""
    return rng.sample(range(count), count)


def draw_orbit(rng: random.Random, viewpoint: str) -> tuple[str | None, int | None]:
    """Direction and degrees by which the wording sends the camera to `viewpoint`; none in the source view and at Top.

    Every azimuth is reached to the right, and the other way round to the left: the "short 90" and "long 270" of Supp. 3.6.
    The full orbit is 360 degrees either way.
    """
    if viewpoint in (SOURCE, TOP):
        return None, None
    yaw = int(viewpoint)
    return rng.choice((("right", yaw), ("left", yaw if viewpoint == FULL_ORBIT else YAWS[-1] - yaw)))


def components(plane: np.ndarray, pair: Pair, viewpoint: str) -> np.ndarray:
    """How far the pair's target is to the right of and behind its anchor, world units, as the observer at `viewpoint`
    sees it. `plane` (tags, 2) has canonical coordinates."""
    target, anchor = pair
    return observed(plane[target] - plane[anchor], yaw_of(viewpoint))


def question_rows(
    rng: random.Random,
    scene: str,
    plane: np.ndarray,
    descriptions: Sequence[str],
    occluded: Collection[int],
    slots: Sequence[Slot],
    heights: Sequence[float] = (),
    margin: ArrayLike = MARGIN,
) -> list[dict]:
    """The questions as `vantage.schemas.CVT_QUESTIONS` stores them, for `slots` in encounter order.

    `heights` (tags,) of the centres are for vertical questions alone; `margin` is that of `vantage.relations.asserted`.
    """
    rows = []
    for number, slot in enumerate(slots, 1):
        target, anchor = slot.pair
        direction, angle = draw_orbit(rng, slot.viewpoint)
        vertical = slot.kind == "vertical"
        gold = int(asserted(components(plane, slot.pair, slot.viewpoint), margin))
        if vertical:
            gold |= int(vertical_set(heights[target] - heights[anchor]))
        rows.append(
            {
                "item": f"{scene}-q{number:02d}",
                "scene": scene,
                "number": number,
                "viewpoint": slot.viewpoint,
                "orbit_direction": direction,
                "orbit_angle": angle,
                "target": target,
                "anchor": anchor,
                "gold": decode(gold, slot.viewpoint),
                "kind": slot.kind,
                "tracked_pair": slot.tracked,
                "partially_occluded": target in occluded or anchor in occluded,
                "text": question_text(slot.viewpoint, direction, angle, target, anchor, descriptions, vertical),
            }
        )
    return rows


def ambiguity_rows(
    plane: np.ndarray, questions: Sequence[dict], margin: ArrayLike = MARGIN, band: ArrayLike = AMBIGUITY_BAND
) -> list[dict]:
    """Every admissible alternative of every question, as `vantage.schemas.CVT_AMBIGUITY` stores them (Supp. 2.1)."""
    rows = []
    for question in questions:
        viewpoint = question["viewpoint"]
        seen = components(plane, (question["target"], question["anchor"]), viewpoint)
        height = encode(question["gold"], viewpoint) & (ABOVE | BELOW)
        rows += [
            {"item": question["item"], "alternative": decode(mask | height, viewpoint)}
            for mask in alternatives(seen, margin, band)
        ]
    return rows
