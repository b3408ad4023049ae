"""Scenes and questions from the scans of a copy, by the protocol of CVT-Indoor.

Where Supp. 1.3 is silent, the choice is ours:

- *Objects*: of the eligible ones at most ten are asked about (Table S1), those with the most visible pixels; tags are in
  the order of 3DSSG's instance numbers. Floor, walls and ceiling are surroundings; what 3DSSG calls "object" or "clutter" has no
  name to ask by.
- *Frame*: of the frames that show at least three such objects and three admitted pairs, the one that shows the most
  objects; of several, the one that shows the most pixels of them, then the earliest.
- *Above and below* come from the boxes and the picture alone, as the paper says. 3DSSG's relationships decide nothing: they are a
  check, and every clean vertical pair that they speak about is listed with whether they agree.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd
import pyarrow as pa

from vantage import files, schemas
from vantage.errors import InputError
from vantage_workshop.stimuli.cvt.clevr import density
from vantage_workshop.stimuli.cvt.indoor import protocol
from vantage_workshop.stimuli.cvt.questions import encounter_order
from vantage_workshop.stimuli.cvt.threedssg.names import NAMELESS, SURROUNDINGS, attribute, descriptions
from vantage_workshop.stimuli.cvt.threedssg.source import Scan, Source, Thing
from vantage_workshop.stimuli.cvt.threedssg.views import (
    MAX_ROLL,
    MAX_TILT,
    Sight,
    UprightBox,
    View,
    canonical_view,
    sights,
    upright,
)

FEWEST_OBJECTS, MOST_OBJECTS = 3, 10
"""Tagged objects a scene (Table S1)."""

FEWEST_PAIRS = 3
"""Admitted unordered pairs a scene: what the fallback gate is for (Supp. 1.3), and what three fixed pairs need."""

SCHEMAS = {"scenes": schemas.CVT_SCENES, "questions": schemas.CVT_QUESTIONS, "ambiguity": schemas.CVT_AMBIGUITY}
"""The tables that are made: those of every CVT domain."""

HIGHER = {"higher than": True, "lower than": False, "standing on": True, "lying on": True}
"""Relationships of 3DSSG that say whether the subject is higher than the object."""


class NoScene(InputError):
    """A scan of which no frame gives a scene."""


@dataclass(frozen=True)
class Found:
    """The scene that a scan gives: the scan, the frame, and the instance number of every tag."""

    scan: Scan
    view: View
    scene: protocol.Scene
    instances: tuple[int, ...]


@dataclass(frozen=True)
class _Seen:
    """A thing with a name in the picture, and as the protocol takes it."""

    thing: Thing
    sight: Sight
    offered: protocol.Thing


def find_scene(scan: Scan) -> Found:
    """The scene of a scan's best frame. Raises `NoScene` where no frame shows enough objects and admitted pairs."""
    things = [thing for thing in scan.things if thing.label not in SURROUNDINGS]
    boxes = [upright(thing.box) for thing in things]
    views = [canonical_view(scan.lens, frame, pose) for frame, pose in scan.poses.items()]
    views = [view for view in views if view.roll <= MAX_ROLL and view.tilt <= MAX_TILT]
    shown = {view.frame: _look(view, things, boxes) for view in views}

    def rank(view: View) -> tuple[int, int, int]:
        asked = _asked(shown[view.frame])
        return -len(asked), -sum(seen.sight.visible for seen in asked), view.frame

    for view in sorted(views, key=rank):
        found = _found(scan, view, shown[view.frame])
        enough = len(found.instances) >= FEWEST_OBJECTS and len(found.scene.admitted) >= FEWEST_PAIRS
        if enough and found.scene.settled:
            return found
    best = max((len(_asked(shown[view.frame])) for view in views), default=0)
    raise NoScene(
        f"{files.shown(scan.folder)}: expected an upright frame with {FEWEST_OBJECTS} eligible objects and {FEWEST_PAIRS} admitted "
        f"pairs, found none among {len(scan.poses)} (at most {best} eligible objects in one); leave the scan out"
    )


def _asked(shown: Sequence[_Seen]) -> list[_Seen]:
    """The things of a frame that are asked about."""
    eligible = [seen for seen in shown if seen.offered.eligible]
    return sorted(eligible, key=lambda seen: (-seen.sight.visible, seen.thing.number))[:MOST_OBJECTS]


def _look(view: View, things: Sequence[Thing], boxes: Sequence[UprightBox]) -> list[_Seen]:
    """What a frame shows of the things that have a name, in their order."""
    return [
        _Seen(
            thing,
            sight,
            protocol.Thing(
                description=thing.label,
                category=thing.label,
                position=box.centre,
                half_extents=box.half_extents,
                rotation=box.rotation,
                box=sight.box,
                pixels=sight.pixels,
                visible_fraction=sight.fraction,
                size=attribute(thing, "size"),
                color=attribute(thing, "color"),
                material=attribute(thing, "material"),
            ),
        )
        for thing, box, sight in zip(things, boxes, sights(view, boxes), strict=True)
        if sight is not None and thing.label not in NAMELESS
    ]


def _found(scan: Scan, view: View, shown: Sequence[_Seen]) -> Found:
    """What a frame gives: the things asked about and those too hidden to tag, without eligible ones over the limit."""
    asked = {seen.thing.number for seen in _asked(shown)}
    kept = [seen for seen in shown if seen.thing.number in asked or not seen.offered.eligible]
    said = descriptions([seen.thing for seen in kept])
    offered = tuple(replace(seen.offered, description=words) for seen, words in zip(kept, said, strict=True))
    return Found(scan, view, protocol.Scene(view.level, offered), tuple(sorted(asked)))


def find_scenes(source: Source, scans: Sequence[str], every: bool) -> tuple[list[Found], list[str]]:
    """The scenes of `scans` in the frozen order, sparse ones first, dense ones last (Supp. 1.4); and the scans that give none.

    With `every`, a scan that gives none raises `NoScene` instead. Raises `InputError` where none gives a scene.
    """
    found, without = [], []
    for name in scans:
        try:
            found.append(find_scene(source.scan(name)))
        except NoScene:
            if every:
                raise
            without.append(name)
    if not found:
        raise InputError(
            f"{files.shown(source.folder)}: expected at least one scan that gives a scene, found none among {len(without)}; "
            "name one in --scans to see why"
        )
    return sorted(found, key=lambda one: density(len(one.instances)) == "dense"), without


def tables(found: Sequence[Found], seed: int) -> dict[str, pa.Table]:
    """The scenes, the questions and the admissible alternatives, deterministic in `seed` and each scan's name."""
    rows: dict[str, list[dict]] = {name: [] for name in SCHEMAS}
    for number, one in enumerate(found, 1):
        scene, scan = one.scene, one.scan.name
        slots = protocol.draw_slots(
            random.Random(f"{seed} draws {scan}"), scene.admitted, scene.vertical, scene.occluded
        )
        order = encounter_order(random.Random(f"{seed} order {scan}"), len(slots))
        wording = random.Random(f"{seed} wording {scan}")
        new = protocol.rows(wording, scene_name(number), number, scene, [slots[place] for place in order])
        for name in rows:
            rows[name] += new[name]
    return {name: schemas.table_of(rows[name], schema) for name, schema in SCHEMAS.items()}


def scene_name(number: int) -> str:
    """The identifier of a scene by its place in the frozen order, from 1."""
    return f"real-{number:03d}"


def origins(found: Sequence[Found]) -> pd.DataFrame:
    """Where each scene is from: `scene`, `scan`, `frame`, `quarter_turns` (clockwise, that put the sensor's picture upright) and
    `instances` (3DSSG's instance numbers in the order of tags)."""
    return pd.DataFrame(
        [
            {
                "scene": scene_name(number),
                "scan": one.scan.name,
                "frame": f"{one.view.frame:06d}",
                "quarter_turns": one.view.turns,
                "instances": " ".join(map(str, one.instances)),
            }
            for number, one in enumerate(found, 1)
        ]
    )


def checked(found: Sequence[Found]) -> pd.DataFrame:
    """What 3DSSG's relationships say about the clean vertical pairs.

    One row a relationship about such a pair: `scene`, `subject` and `object` (tags), `relationship`, `geometry` ("above" or
    "below": the subject relative to the object), and whether it `agrees`.
    """
    rows = []
    for number, one in enumerate(found, 1):
        tags = {instance: tag for tag, instance in enumerate(one.instances)}
        clean = {frozenset(pair) for pair in one.scene.vertical}
        for edge in one.scan.relationships:
            pair = tags.get(edge.subject), tags.get(edge.object)
            if edge.name in HIGHER and frozenset(pair) in clean:
                above = one.scene.heights[pair[0]] > one.scene.heights[pair[1]]
                rows.append(
                    {
                        "scene": scene_name(number),
                        "subject": pair[0],
                        "object": pair[1],
                        "relationship": edge.name,
                        "geometry": "above" if above else "below",
                        "agrees": above == HIGHER[edge.name],
                    }
                )
    return pd.DataFrame(rows, columns=["scene", "subject", "object", "relationship", "geometry", "agrees"])
