"""CLEVR-like scenes: what stands where, and what the source camera sees of it.

The taxonomy and the sizes are CLEVR's (Johnson et al. 2016, `image_generation/data/properties.json` and the defaults of
`render_images.py`), except that objects need not be apart along the cardinal directions: CVT-Bench's labels come from a 0.2
margin instead (Supp. 1.2), and its share of one-label questions (Table S1) leaves no room for CLEVR's 0.4.
"""

import itertools
import math
import random
from dataclasses import dataclass

import numpy as np

from vantage.attributes import COLORS, MATERIALS, SHAPES
from vantage.relations import AMBIGUITY_BAND, MARGIN, observed, relation_set
from vantage_workshop.stimuli.cvt.questions import relation_lines
from vantage_workshop.stimuli.cvt.visibility import Camera, Sight, Solid, look

SIZES = {"large": 0.7, "small": 0.35}
"""Radius of a sphere or cylinder and half the height of a cylinder, world units; a cube has this half-diagonal on the ground."""

WIDTH, HEIGHT = 320, 240
"""Picture size in pixels (Table S1)."""

GROUND = 3.0
"""Centres lie within this distance of the origin along both ground axes, world units."""

MIN_GAP = 0.25
"""The least gap between the circles around two objects on the ground, world units."""

CAMERA = (7.36, -6.93, 4.96)
"""The camera's base position in world units; it looks at the origin."""

CAMERA_JITTER = 0.5
"""The most the camera is moved along each axis, world units."""

PLACEMENTS = 50
"""How often a place for an object is drawn before the whole scene is drawn anew."""

FOCAL_MM, SENSOR_MM = 35.0, 32.0
"""Focal length and sensor width in millimetres."""

TAGGED_FROM = 0.05
"""An object at least this visible is tagged and asked about (Supp. 1.2)."""

OCCLUDED_TO = 0.70
"""A tagged object at most this visible is partially occluded (Supp. 1.2)."""

DECIMALS = 4
"""Decimals of stored coordinates. They are rounded before anything is derived from them."""

AXIS_DECIMALS = 6
"""Decimals of the camera's stored unit vectors."""

TIE = 1e-6
"""A component this close to a threshold could be labelled otherwise on another machine: such a scene is not used."""


@dataclass(frozen=True)
class Thing:
    """An object: its attributes, its geometry, and how the source camera sees it. `tag` is None where it is too hidden."""

    tag: int | None
    size: str
    color: str
    material: str
    solid: Solid
    plane: tuple[float, float]
    sight: Sight

    @property
    def description(self) -> str:
        """What prompts call it, such as "small red metal sphere"."""
        return f"{self.size} {self.color} {self.material} {self.solid.shape}"

    @property
    def partially_occluded(self) -> bool:
        """Tagged, and at most 70 % visible. An object too hidden to tag is not *partially* occluded."""
        return self.tag is not None and self.sight.fraction <= OCCLUDED_TO


@dataclass(frozen=True)
class Scene:
    """A source camera and what it sees: tagged things in the order of their tags, then those too hidden to tag."""

    camera: Camera
    things: tuple[Thing, ...]

    @property
    def tagged(self) -> tuple[Thing, ...]:
        """The things that questions are about."""
        return tuple(thing for thing in self.things if thing.tag is not None)

    @property
    def plane(self) -> np.ndarray:
        """Canonical ground coordinates (tags, 2) of the tagged things, world units."""
        return np.array([thing.plane for thing in self.tagged])

    @property
    def occluded(self) -> frozenset[int]:
        """The tags of the partially occluded things."""
        return frozenset(thing.tag for thing in self.things if thing.partially_occluded)

    def row(self, name: str, number: int) -> dict:
        """The scene as `vantage.schemas.CVT_SCENES` stores it."""
        return {
            "scene": name,
            "number": number,
            "density": density(len(self.tagged)),
            "width": self.camera.width,
            "height": self.camera.height,
            "camera": {
                "position": self.camera.position,
                "forward": self.camera.forward,
                "right": self.camera.right,
                "up": self.camera.up,
                "focal_pixels": self.camera.focal_pixels,
            },
            "lateral_margin": MARGIN,
            "depth_margin": MARGIN,
            "lateral_band": AMBIGUITY_BAND,
            "depth_band": AMBIGUITY_BAND,
            "objects": [
                {
                    "tag": thing.tag,
                    "description": thing.description,
                    "category": thing.solid.shape,
                    "size": thing.size,
                    "color": thing.color,
                    "material": thing.material,
                    "position": thing.solid.position,
                    "rotation": thing.solid.rotation,
                    "half_extents": thing.solid.half_extents,
                    "plane": thing.plane,
                    "box": thing.sight.box,
                    "visible_fraction": thing.sight.fraction,
                    "partially_occluded": thing.partially_occluded,
                }
                for thing in self.things
            ],
            "scene_graph": scene_graph(self.plane),
        }


def density(tags: int) -> str:
    """Sparse scenes have 2-5 queried objects, dense ones 6-10 ("Benchmark Domains and Construction")."""
    return "sparse" if tags <= 5 else "dense"


def scene_graph(plane: np.ndarray) -> list[dict]:
    """All source-view relations among the tags whose canonical coordinates `plane` (tags, 2) holds (Supp. 7.3)."""
    return relation_lines(relation_set(observed(plane[None, :, :] - plane[:, None, :], 0)))


def sample_scene(rng: random.Random, count: int, hidden: int = 0) -> Scene:
    """A scene of `count` objects, exactly `hidden` of them too hidden to tag.

    Whole scenes are drawn until one has every object wholly inside the frame, descriptions that tell all objects apart,
    as many hidden objects as asked, and no label that hangs on the last digit.
    """
    while True:
        camera, drawn = _camera(rng), _place(rng, count)
        if len({attributes + (solid.shape,) for attributes, solid in drawn}) < count:
            continue
        sights = look(camera, [solid for _, solid in drawn])
        shown = [sight.fraction >= TAGGED_FROM for sight in sights]
        if count - sum(shown) != hidden or not all(_whole(camera, sight) for sight in sights):
            continue
        tags = itertools.count()
        things = [
            Thing(next(tags) if seen else None, *attributes, solid, _plane(camera, solid), sight)
            for (attributes, solid), sight, seen in zip(drawn, sights, shown, strict=True)
        ]
        scene = Scene(camera, tuple(sorted(things, key=lambda thing: thing.tag is None)))
        if _settled(scene.plane):
            return scene


def _camera(rng: random.Random) -> Camera:
    x, y, z = position = tuple(round(base + rng.uniform(-CAMERA_JITTER, CAMERA_JITTER), DECIMALS) for base in CAMERA)
    distance, away = math.sqrt(x * x + y * y + z * z), math.sqrt(x * x + y * y)
    forward = (-x / distance, -y / distance, -z / distance)
    right = (-y / away, x / away, 0.0)
    up = (right[1] * forward[2], -right[0] * forward[2], right[0] * forward[1] - right[1] * forward[0])
    axes = [tuple(round(part, AXIS_DECIMALS) for part in axis) for axis in (forward, right, up)]
    return Camera(position, *axes, focal_pixels=WIDTH * FOCAL_MM / SENSOR_MM, width=WIDTH, height=HEIGHT)


def _place(rng: random.Random, count: int) -> list[tuple[tuple[str, str, str], Solid]]:
    """Attributes (size, color, material) and geometry of `count` objects that stand apart on the ground; fewer where one
    finds no place."""
    drawn, circles = [], []
    for _ in range(count):
        size, shape = rng.choice(tuple(SIZES)), rng.choice(SHAPES)
        radius = SIZES[size]
        for _ in range(PLACEMENTS):
            x, y = (round(rng.uniform(-GROUND, GROUND), DECIMALS) for _ in range(2))
            if all(
                math.sqrt((x - u) * (x - u) + (y - v) * (y - v)) - radius - other >= MIN_GAP for u, v, other in circles
            ):
                break
        else:
            break
        circles.append((x, y, radius))
        half = round(radius / math.sqrt(2), DECIMALS) if shape == "cube" else radius
        attributes = (size, rng.choice(COLORS), rng.choice(MATERIALS))
        drawn.append((attributes, Solid(shape, (x, y, half), (half, half, half), round(rng.uniform(0, 360), DECIMALS))))
    return drawn


def _plane(camera: Camera, solid: Solid) -> tuple[float, float]:
    right, behind = camera.ground(solid.position)
    return round(right, DECIMALS), round(behind, DECIMALS)


def _whole(camera: Camera, sight: Sight) -> bool:
    """Whether an object lies wholly inside the frame: its mask does not touch the border."""
    x, y, w, h = sight.box
    return x > 0 and y > 0 and x + w < camera.width and y + h < camera.height


def _settled(plane: np.ndarray) -> bool:
    """Whether every component, at cardinal and diagonal views alike, is clear of the thresholds of labels and of their
    alternatives."""
    displacements = plane[:, None, :] - plane[None, :, :]
    components = np.abs([observed(displacements, yaw) for yaw in (0, 45)])
    return all(
        (np.abs(components - edge) > TIE).all() for edge in (MARGIN - AMBIGUITY_BAND, MARGIN, MARGIN + AMBIGUITY_BAND)
    )
