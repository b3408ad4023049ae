"""Furnished rooms: what stands, lies and hangs in them, and what a camera inside sees of it.

Everything is an upright oriented box, as in annotated scans. Furniture stands free or with its back to a wall, small things
stand on furniture, others hang on walls or from the ceiling: that gives above and below. Positions are drawn inside the
picture; the walls hide nothing, since the camera is in the room.
"""

import math
import random
from dataclasses import dataclass

from vantage_workshop.stimuli.cvt.clevr import AXIS_DECIMALS, DECIMALS
from vantage_workshop.stimuli.cvt.indoor.protocol import Scene, Thing
from vantage_workshop.stimuli.cvt.visibility import Camera, Solid, look

Range = tuple[float, float]

LONG, SHORT = 384, 216
"""Sides of a picture in pixels; it is landscape or portrait (Table S1)."""

PORTRAIT = 0.3
"""Share of rooms taken in portrait."""

FOCAL = (230.0, 300.0)
"""Focal length in pixels."""

ROOM_SIDE, ROOM_HEIGHT = (3.6, 6.0), (2.4, 2.7)
"""Sides and height of a room, metres."""

EYE_HEIGHT = (1.3, 1.9)
"""Height of the camera above the floor, metres."""

FROM_WALL = (0.15, 0.6)
"""How far the camera is from the wall behind it, metres."""

NEAREST = 0.7
"""Least depth of any part of a thing before the camera, metres."""

BORDER = 2.0
"""A thing's corners are at least so many pixels inside the picture."""

GAP = 0.05
"""Least distance between things that do not stand on each other, metres."""

TRIES = 60
"""How often a thing is drawn before the room is left without it."""

ADJECTIVES = {"wood": "wooden", "organic": "leafy"}
"""How a description says a material where its name is not the adjective."""


@dataclass(frozen=True)
class Kind:
    """A sort of thing: ranges of width, depth and height in metres, where it goes, and what it can look like.

    `place` is "floor", "wall" (on the floor, its back to a wall), "top" (on furniture that bears things), "hung" (on a wall)
    or "ceiling"; `bears` says that things can stand on it.
    """

    category: str
    width: Range
    depth: Range
    height: Range
    place: str
    colors: tuple[str, ...]
    materials: tuple[str, ...]
    bears: bool = False


_WOODS = ("brown", "white", "black", "beige")
_CLOTHS = ("gray", "blue", "green", "red", "beige")

KINDS = (
    Kind("table", (1.0, 1.7), (0.7, 0.95), (0.7, 0.78), "floor", _WOODS, ("wood", "metal"), bears=True),
    Kind("coffee table", (0.7, 1.1), (0.5, 0.65), (0.38, 0.46), "floor", _WOODS, ("wood", "metal"), bears=True),
    Kind("side table", (0.4, 0.55), (0.4, 0.55), (0.45, 0.6), "floor", _WOODS, ("wood", "metal"), bears=True),
    Kind("chair", (0.42, 0.5), (0.42, 0.52), (0.8, 0.98), "floor", _WOODS, ("wood", "plastic", "metal")),
    Kind("armchair", (0.7, 0.85), (0.7, 0.85), (0.75, 0.95), "floor", _CLOTHS, ("fabric", "leather")),
    Kind("stool", (0.3, 0.42), (0.3, 0.42), (0.42, 0.6), "floor", _WOODS, ("wood", "metal")),
    Kind("ottoman", (0.5, 0.75), (0.5, 0.65), (0.35, 0.45), "floor", _CLOTHS, ("fabric", "leather")),
    Kind("plant", (0.3, 0.55), (0.3, 0.55), (0.7, 1.4), "floor", ("green",), ("organic",)),
    Kind("floor lamp", (0.28, 0.4), (0.28, 0.4), (1.4, 1.7), "floor", ("white", "black", "beige"), ("metal", "fabric")),
    Kind(
        "trash can", (0.25, 0.35), (0.25, 0.35), (0.35, 0.55), "floor", ("gray", "black", "white"), ("metal", "plastic")
    ),
    Kind("box", (0.35, 0.55), (0.3, 0.45), (0.25, 0.45), "floor", ("brown", "white", "blue"), ("cardboard", "plastic")),
    Kind("sofa", (1.5, 2.1), (0.8, 0.95), (0.7, 0.85), "wall", _CLOTHS, ("fabric", "leather")),
    Kind("bed", (1.9, 2.1), (0.9, 1.4), (0.45, 0.6), "wall", _CLOTHS, ("fabric",)),
    Kind("desk", (1.1, 1.5), (0.6, 0.75), (0.72, 0.78), "wall", _WOODS, ("wood", "metal"), bears=True),
    Kind("cabinet", (0.7, 1.2), (0.4, 0.5), (0.75, 1.15), "wall", _WOODS, ("wood", "metal"), bears=True),
    Kind("nightstand", (0.4, 0.5), (0.38, 0.45), (0.45, 0.6), "wall", _WOODS, ("wood",), bears=True),
    Kind("TV stand", (1.1, 1.5), (0.38, 0.45), (0.42, 0.55), "wall", _WOODS, ("wood", "metal"), bears=True),
    Kind("bookshelf", (0.7, 1.0), (0.3, 0.4), (1.5, 2.0), "wall", _WOODS, ("wood", "metal")),
    Kind("wardrobe", (0.9, 1.4), (0.5, 0.62), (1.8, 2.1), "wall", _WOODS, ("wood",)),
    Kind(
        "table lamp",
        (0.22, 0.32),
        (0.22, 0.32),
        (0.38, 0.55),
        "top",
        ("white", "black", "beige", "red"),
        ("metal", "fabric"),
    ),
    Kind(
        "vase", (0.16, 0.24), (0.16, 0.24), (0.3, 0.45), "top", ("white", "blue", "green", "red"), ("ceramic", "glass")
    ),
    Kind("monitor", (0.45, 0.6), (0.15, 0.2), (0.38, 0.48), "top", ("black", "gray"), ("plastic",)),
    Kind("microwave", (0.45, 0.52), (0.32, 0.4), (0.26, 0.32), "top", ("white", "black", "gray"), ("metal",)),
    Kind("basket", (0.28, 0.4), (0.25, 0.35), (0.2, 0.3), "top", ("brown", "beige", "white"), ("wicker",)),
    Kind("pot plant", (0.22, 0.32), (0.22, 0.32), (0.3, 0.5), "top", ("green",), ("organic",)),
    Kind("picture", (0.45, 0.9), (0.03, 0.05), (0.4, 0.7), "hung", ("black", "white", "brown"), ("wood", "metal")),
    Kind("mirror", (0.45, 0.7), (0.03, 0.05), (0.6, 1.0), "hung", ("white", "black", "brown"), ("wood", "metal")),
    Kind("clock", (0.28, 0.4), (0.04, 0.08), (0.28, 0.4), "hung", ("white", "black", "red"), ("plastic", "metal")),
    Kind("wall cabinet", (0.6, 0.9), (0.28, 0.35), (0.5, 0.7), "hung", _WOODS, ("wood",)),
    Kind("pendant lamp", (0.3, 0.5), (0.3, 0.5), (0.25, 0.4), "ceiling", ("white", "black", "red"), ("metal", "glass")),
)
"""What rooms are furnished with."""

HUNG_HEIGHT, CEILING_GAP = (1.3, 1.65), (0.25, 0.6)
"""Height of the centre of what hangs on a wall, and how far a pendant's top is below the ceiling, metres."""


@dataclass(frozen=True)
class Placed:
    """A thing in a room, before anybody looks at it."""

    kind: Kind
    color: str
    material: str
    solid: Solid

    @property
    def description(self) -> str:
        """What prompts call it, such as "brown wooden table"."""
        return f"{self.color} {ADJECTIVES.get(self.material, self.material)} {self.kind.category}"

    @property
    def top(self) -> float:
        return self.solid.position[2] + self.solid.half_extents[2]


@dataclass(frozen=True)
class Room:
    """Its floor reaches from the origin to `sides`, its ceiling is at `height`; metres."""

    sides: tuple[float, float]
    height: float


def sample_scene(rng: random.Random, count: int, shares: dict[str, float]) -> Scene:
    """A room with about `count` things, of which each place ("floor", "wall", ...) has the given share of draws.

    Rooms are drawn until one has at least three tagged things, all described differently, and is settled.
    """
    while True:
        room = Room((_draw(rng, ROOM_SIDE), _draw(rng, ROOM_SIDE)), _draw(rng, ROOM_HEIGHT))
        camera = _camera(rng, room)
        placed = _furnish(rng, room, camera, count, shares)
        sights = look(camera, [thing.solid for thing in placed])
        scene = Scene(
            camera,
            tuple(
                Thing(
                    thing.description,
                    thing.kind.category,
                    thing.solid.position,
                    thing.solid.half_extents,
                    thing.solid.rotation,
                    sight.box,
                    sight.pixels,
                    sight.fraction,
                    color=thing.color,
                    material=thing.material,
                )
                for thing, sight in zip(placed, sights, strict=True)
            ),
        )
        if len(scene.tagged) >= 3 and scene.settled:
            return scene


def _draw(rng: random.Random, span: Range) -> float:
    return round(rng.uniform(*span), DECIMALS)


def _camera(rng: random.Random, room: Room) -> Camera:
    """A camera before one of the four walls, looking slightly down across the room."""
    portrait = rng.random() < PORTRAIT
    width, height = (SHORT, LONG) if portrait else (LONG, SHORT)
    axis, far = rng.randrange(2), rng.randrange(2)
    position = [0.0, 0.0, _draw(rng, EYE_HEIGHT)]
    away = _draw(rng, FROM_WALL)
    position[axis] = round(room.sides[axis] - away, DECIMALS) if far else away
    position[1 - axis] = round(rng.uniform(0.15, 0.85) * room.sides[1 - axis], DECIMALS)
    target = [round(rng.uniform(0.35, 0.65) * side, DECIMALS) for side in room.sides]
    x, y = (goal - start for goal, start in zip(target, position[:2], strict=True))
    z = _draw(rng, (0.6, 1.1)) - position[2]
    distance, away = math.sqrt(x * x + y * y + z * z), math.sqrt(x * x + y * y)
    forward = (x / distance, y / distance, z / distance)
    right = (y / away, -x / away, 0.0)
    up = (right[1] * forward[2], -right[0] * forward[2], right[0] * forward[1] - right[1] * forward[0])
    axes = [tuple(round(part, AXIS_DECIMALS) for part in axis) for axis in (forward, right, up)]
    return Camera(tuple(position), *axes, focal_pixels=_draw(rng, FOCAL), width=width, height=height)


def _furnish(rng: random.Random, room: Room, camera: Camera, count: int, shares: dict[str, float]) -> list[Placed]:
    placed: list[Placed] = []
    for _ in range(count):
        for _ in range(TRIES):
            place = rng.choices(list(shares), list(shares.values()))[0]
            kind = rng.choice([kind for kind in KINDS if kind.place == place])
            thing = _place(rng, room, kind, placed)
            if thing and _fits(camera, thing, placed):
                placed.append(thing)
                break
    return placed


def _place(rng: random.Random, room: Room, kind: Kind, placed: list[Placed]) -> Placed | None:
    """A thing of a kind somewhere it can be; none where there is nothing for it to stand on."""
    half = tuple(round(rng.uniform(*span) / 2, DECIMALS) for span in (kind.width, kind.depth, kind.height))
    color, material = rng.choice(kind.colors), rng.choice(kind.materials)
    z, rotation = half[2], 0.0
    if kind.place in ("wall", "hung"):
        axis, far, along = rng.randrange(2), rng.randrange(2), rng.uniform(0, 1)
        # With its width along a wall at a given x, a thing is turned by a quarter.
        rotation = 0.0 if axis else 90.0
        across = room.sides[1 - axis] - 2 * half[0]
        ground = [0.0, 0.0]
        ground[axis] = room.sides[axis] - half[1] if far else half[1]
        ground[1 - axis] = half[0] + along * across
        if kind.place == "hung":
            z = _draw(rng, HUNG_HEIGHT)
    elif kind.place == "top":
        bearers = [thing for thing in placed if thing.kind.bears]
        if not bearers:
            return None
        under = rng.choice(bearers)
        rotation = under.solid.rotation
        u, v = (
            rng.uniform(-1, 1) * max(0.0, a - b) for a, b in zip(under.solid.half_extents[:2], half[:2], strict=True)
        )
        cosine, sine = _turn(rotation)
        ground = [
            under.solid.position[0] + cosine * u - sine * v,
            under.solid.position[1] + sine * u + cosine * v,
        ]
        z = under.top + half[2]
    else:
        reach = math.sqrt(half[0] * half[0] + half[1] * half[1])
        ground = [rng.uniform(reach, side - reach) for side in room.sides]
        rotation = round(rng.uniform(0, 180), DECIMALS)
        if kind.place == "ceiling":
            z = room.height - _draw(rng, CEILING_GAP) - half[2]
    position = tuple(round(part, DECIMALS) for part in (*ground, z))
    return Placed(kind, color, material, Solid("cube", position, half, rotation))


def _fits(camera: Camera, thing: Placed, placed: list[Placed]) -> bool:
    """Whether it is wholly in the picture, runs into nothing, and has a description of its own."""
    return (
        all(other.description != thing.description for other in placed)
        and _in_picture(camera, thing.solid)
        and not any(_collide(thing.solid, other.solid) for other in placed)
    )


def _turn(rotation: float) -> tuple[float, float]:
    return round(math.cos(math.radians(rotation)), 9), round(math.sin(math.radians(rotation)), 9)


def _corners(solid: Solid, grown: float = 0.0) -> list[tuple[float, float]]:
    """The corners of its outline on the ground."""
    (x, y, _), (cosine, sine) = solid.position, _turn(solid.rotation)
    a, b = (half + grown for half in solid.half_extents[:2])
    return [(x + cosine * u - sine * v, y + sine * u + cosine * v) for u, v in ((a, b), (-a, b), (-a, -b), (a, -b))]


def _in_picture(camera: Camera, solid: Solid) -> bool:
    z, half = solid.position[2], solid.half_extents[2]
    for x, y in _corners(solid):
        for height in (z - half, z + half):
            right, up, forward = camera.offset_of((x, y, height))
            if forward < NEAREST:
                return False
            across, upward = camera.focal_pixels * right / forward, camera.focal_pixels * up / forward
            if abs(across) > camera.width / 2 - BORDER or abs(upward) > camera.height / 2 - BORDER:
                return False
    # `look` wants the ball around a solid to be in front of the camera.
    radius = math.sqrt(sum(half * half for half in solid.half_extents))
    return camera.offset_of(solid.position)[2] > radius


def _collide(one: Solid, other: Solid) -> bool:
    """Whether two boxes come closer than GAP sideways and overlap in height: no axis of either keeps their outlines apart."""
    if abs(one.position[2] - other.position[2]) >= one.half_extents[2] + other.half_extents[2] - 1e-3:
        return False
    outlines = _corners(one, GAP / 2), _corners(other, GAP / 2)
    for solid in (one, other):
        cosine, sine = _turn(solid.rotation)
        for axis in ((cosine, sine), (-sine, cosine)):
            spans = [[axis[0] * x + axis[1] * y for x, y in outline] for outline in outlines]
            if max(spans[0]) < min(spans[1]) or max(spans[1]) < min(spans[0]):
                return False
    return True
