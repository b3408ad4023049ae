"""Two rooms made by hand, with questions whose answers can be worked out on paper: CVT-Indoor in small. And runs made in memory.

The rooms are alike but for their picture, landscape and portrait. World and canonical frame are the same but for a shift:
the camera looks along y. In height the shelf is the highest thing, so the scene's height is 1.8.

    >>> from tests.made import made_room
    >>> items = made_room()
    >>> [scene["scene"] for scene in items.scenes], len(items.questions)
    (['indoor-001', 'indoor-002'], 16)
"""

import itertools

import numpy as np
import pandas as pd

from vantage.drawing import project
from vantage.items import CVTItems
from vantage.predictions import ANSWERED, NO_BLOCK, CVTRun
from vantage.relations import TOP, encode
from vantage.templates import question_text

TABLE, LAMP, CHAIR, SHELF = range(4)

# name, category, colour, centre, half extents, rotation
_THINGS = (
    ("wooden table", "table", "brown", (0.0, 1.5, 0.36), (0.7, 0.4, 0.36), 20.0),
    ("brass lamp", "lamp", "yellow", (0.2, 1.5, 0.97), (0.12, 0.12, 0.25), 0.0),
    ("green armchair", "chair", "green", (-1.3, 1.0, 0.45), (0.4, 0.4, 0.45), -30.0),
    ("tall shelf", "shelf", "gray", (1.5, 2.0, 0.9), (0.4, 0.2, 0.9), 0.0),
)

# viewpoint, direction and angle of the orbit, target, anchor, kind, gold, alternatives
_ASKED = (
    ("0", None, None, LAMP, TABLE, "vertical", ("right", "above"), ()),
    ("90", "right", 90, LAMP, TABLE, "vertical", ("front", "above"), ()),
    (TOP, None, None, LAMP, TABLE, "vertical", ("right", "above"), ()),
    ("0", None, None, TABLE, LAMP, "vertical", ("left", "below"), ()),
    ("0", None, None, SHELF, CHAIR, "primary", ("right", "behind"), ()),
    ("45", "right", 45, SHELF, CHAIR, "primary", ("right", "front"), ()),
    ("270", "left", 90, SHELF, CHAIR, "primary", ("left", "behind"), ()),
    ("0", None, None, LAMP, CHAIR, "primary", ("right", "behind"), (("right",),)),
)


def made_room() -> CVTItems:
    """The items: margins .252 to a side and .462 in depth, bands .05 and .09.

    From the table to the lamp it is (.2, 0), which is beyond no margin: at 0 degrees .2 to the right is nearer to its limit, at 90 it is
    .2 in front. From the chair to the shelf it is (2.8, 1): at 45 degrees (2.69, -1.27), at 270 (-1, 2.8). From the chair to the lamp it
    is (1.5, .5), and .5 is within .09 of .462.
    """
    scenes = [_scene(1, 384, 216, 220.0), _scene(2, 216, 384, 170.0)]
    names = [name for name, *_ in _THINGS]
    rows = [
        {
            "item": f"{scene['scene']}-q{number:02}",
            "scene": scene["scene"],
            "number": number,
            "viewpoint": viewpoint,
            "orbit_direction": direction,
            "orbit_angle": angle,
            "target": target,
            "anchor": anchor,
            "gold": list(gold),
            "kind": kind,
            "tracked_pair": None,
            "partially_occluded": False,
            "text": question_text(viewpoint, direction, angle, target, anchor, names, vertical=kind == "vertical"),
        }
        for scene in scenes
        for number, (viewpoint, direction, angle, target, anchor, kind, gold, _) in enumerate(_ASKED, 1)
    ]
    admissible = [
        [encode(words, viewpoint) for words, _ in itertools.zip_longest((gold, *others), range(2), fillvalue=gold)]
        for _ in scenes
        for viewpoint, *_, gold, others in _ASKED
    ]
    questions = pd.DataFrame(rows)
    questions["orbit_angle"] = questions["orbit_angle"].astype("Int64")
    gold = np.array([sets[0] for sets in admissible], dtype=np.uint8)
    return CVTItems("indoor", "0" * 64, scenes, questions, gold, np.array(admissible, dtype=np.uint8))


def run_of(items, answers, status=None, title="Somebody", kind="reference") -> CVTRun:
    """A run over items from its answers, all of them given unless `status` says otherwise."""
    return CVTRun(
        set="somebody",
        kind=kind,
        title=title,
        run="somebody",
        model="somebody",
        domain=items.domain,
        regime="isolated",
        representation="symbolic",
        about=f"What {title} does.",
        answers=np.asarray(answers, dtype=np.uint8),
        status=np.full(len(answers), ANSWERED, dtype=np.uint8)
        if status is None
        else np.asarray(status, dtype=np.uint8),
        block=np.full(len(answers), NO_BLOCK, dtype=np.int16),
    )


def _scene(number: int, width: int, height: int, focal: float) -> dict:
    camera = {
        "position": [0.0, -2.2, 1.6],
        "forward": [0.0, 0.96, -0.28],
        "right": [1.0, 0.0, 0.0],
        "up": [0.0, 0.28, 0.96],
        "focal_pixels": focal,
    }
    scene = {
        "scene": f"indoor-{number:03}",
        "number": number,
        "density": "sparse",
        "width": width,
        "height": height,
        "camera": camera,
        "lateral_margin": 0.252,
        "depth_margin": 0.462,
        "lateral_band": 0.05,
        "depth_band": 0.09,
        "scene_graph": [],
    }
    scene["objects"] = [_thing(scene, tag, *thing) for tag, thing in enumerate(_THINGS)]
    return scene


def _thing(scene, tag, name, category, color, position, half, rotation) -> dict:
    turn = np.deg2rad(rotation)
    axes = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    corners = np.array(position) + np.array(list(itertools.product((-1, 1), repeat=3))) * half @ axes
    pixels = np.round(project(scene, corners)).astype(int)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    return {
        "tag": tag,
        "description": name,
        "category": category,
        "size": None,
        "color": color,
        "material": None,
        "position": list(position),
        "rotation": rotation,
        "half_extents": list(half),
        "plane": list(position[:2]),
        "box": [*low.tolist(), *(high - low).tolist()],
        "visible_fraction": 1.0,
        "partially_occluded": False,
    }
