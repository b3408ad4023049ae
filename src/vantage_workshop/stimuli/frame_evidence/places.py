"""Scenes seen from above, and cameras on them.

A scene is a winding path of patches. Each patch has objects of its own; where two patches meet stands a bridge, an object with a front
or two objects, which cameras on either patch show. A camera looks at one patch, roughly across the path. So neighbouring
views overlap in a bridge and distant ones in nothing, which is what makes minimal sets of views possible at all; whether a
set is minimal is never assumed but proved from what the views then really show.
"""

import math
import random
from dataclasses import dataclass, field

import numpy as np

from vantage.layouts import Layout, Thing, View

SPACING = 4.0  # between the centres of neighbouring patches, before a setting's scale
SCALES = {"tabletop": 0.1, "indoor_large": 1.0, "outdoor_public": 3.0}
"""Metres a unit of length, by setting."""

_NEAR = 0.75  # least distance between two objects
_BRIDGE = 2.35  # a camera's field takes in this radius about its patch


@dataclass
class Place:
    """A scene before its objects have names: things by identifier, which of them are fixtures, and the patches' centres."""

    scene: str
    setting: str
    centres: np.ndarray
    things: dict[str, Thing] = field(default_factory=dict)
    fixtures: set[str] = field(default_factory=set)

    @property
    def prefix(self) -> str:
        """How identifiers of its objects and views begin: s03."""
        return self.scene.replace("scene-", "s")

    def layout(self, views: dict[str, View]) -> Layout:
        """The scene with these cameras in it."""
        return Layout(self.things, views)


def draw_place(scene: str, setting: str, patches: int, draw: random.Random) -> Place:
    """A scene of this many patches."""
    scale = SCALES[setting]
    place = Place(scene, setting, _path(patches, draw))
    spots: list[np.ndarray] = []

    def put(centre: np.ndarray, spread: float, front: bool, fixture: bool = False) -> None:
        for _ in range(200):
            spot = centre + spread * np.array([draw.uniform(-1, 1), draw.uniform(-1, 1)])
            if all(math.dist(spot, other) >= _NEAR for other in spots):
                break
        spots.append(spot)
        name = f"{place.prefix}-{len(spots):02d}"
        heading = round(draw.uniform(0, 360), 1) if front else None
        radius = round(draw.uniform(0.12, 0.3) * scale, 3)
        place.things[name] = Thing(*(round(float(scale * at), 3) for at in spot), heading, radius)
        if fixture:
            place.fixtures.add(name)

    for at, centre in enumerate(place.centres):
        put(centre, 1.15, front=True)
        put(centre, 1.15, front=draw.random() < 0.4)
        put(centre, 1.15, front=False)
        if at % 2 == 0 or draw.random() < 0.3:
            put(centre, 1.2, front=True, fixture=True)
        if at + 1 < patches:
            middle = (centre + place.centres[at + 1]) / 2
            if draw.random() < 0.5:
                put(middle, 0.2, front=True)
            else:
                put(middle, 0.45, front=False)
                put(middle, 0.45, front=draw.random() < 0.3)
    return place


def _path(patches: int, draw: random.Random) -> np.ndarray:
    """Centres a fixed distance apart on a winding path that does not come back near itself."""
    while True:
        way, points = draw.uniform(0, 360), [np.zeros(2)]
        for _ in range(patches - 1):
            way += draw.uniform(-50, 50)
            step = SPACING * np.array([math.cos(math.radians(way)), math.sin(math.radians(way))])
            points.append(points[-1] + step)
        centres = np.array(points)
        gaps = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
        far = np.abs(np.subtract.outer(np.arange(patches), np.arange(patches))) > 1
        if (gaps[far] > 1.7 * SPACING).all():
            return centres


def draw_view(place: Place, patch: int, draw: random.Random) -> View:
    """A camera that looks at a patch, roughly across the path."""
    scale, centre = SCALES[place.setting], place.centres[patch]
    before, after = place.centres[max(patch - 1, 0)], place.centres[min(patch + 1, len(place.centres) - 1)]
    along = math.degrees(math.atan2(*(after - before)[::-1]))
    look = along + draw.choice((90, -90)) + draw.uniform(-35, 35)
    distance = draw.uniform(3.6, 5.2)
    x, y = centre - distance * np.array([math.cos(math.radians(look)), math.sin(math.radians(look))])
    half = math.degrees(math.asin(_BRIDGE / distance))
    return View(
        round(float(scale * x), 3),
        round(float(scale * y), 3),
        round((look + draw.uniform(-4, 4)) % 360, 1),
        round(2 * half, 1),
        round(float(scale * (distance + _BRIDGE)), 3),
    )
