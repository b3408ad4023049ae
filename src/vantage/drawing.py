"""The picture of a scene as flat geometry: computed once here, drawn by the static figure and by the widget alike.

A scene (`schemas.CVT_SCENES`) is projected through its source camera into the pixels of its picture, x to the right and
y down. Every object becomes a few convex faces with a shade, in painter's order: what can hide another comes later, so that
an object behind another looks partly hidden without any further work.

    >>> from vantage.drawing import picture_of
    >>> from vantage.items import load_cvt
    >>> picture = picture_of(load_cvt("synthetic").scenes[0])
    >>> picture.width, picture.height
    (320, 240)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

COLORS = {
    "gray": "#6f7276",
    "red": "#ad2323",
    "blue": "#2a4bd7",
    "green": "#1d6914",
    "brown": "#814a19",
    "purple": "#8126c0",
    "cyan": "#29d0d0",
    "yellow": "#ffee33",
    "white": "#eceae4",
    "black": "#2e2f33",
    "beige": "#cdb992",
}
"""CLEVR's eight colours by name, its gray a little lighter, so that a metal object is not black; then those of rooms."""

OTHER_COLOR = "#9a938a"
"""The colour of an object that has none of these names."""

ROUND = ("sphere", "cylinder")
"""The categories that are not drawn as boxes."""

TAG_HEIGHT = 14.0
"""Height of a tag label, in pixels of a picture of 320 by 240; its width follows from the number of digits."""

GRID = 2
"""Distance of the ground's grid lines, in world units."""

_NEAR = 0.1  # nothing nearer to the camera is drawn, in world units
_TOUCHING = 0.02  # what is no farther apart in height touches, in world units
_LARGEST_COVER = 0.25  # of what is visible of an object; a larger label stands beside it
_ARC = 2 * np.pi * np.arange(32) / 32
_CIRCLE = np.stack([np.cos(_ARC), np.sin(_ARC)], axis=1)


@dataclass(frozen=True)
class Polygon:
    """A convex face: `points` (n, 2) in pixels, and the factor that its lighting puts on the object's colour."""

    points: NDArray[np.float64]
    shade: float = 1.0

    @property
    def outline(self) -> NDArray[np.float64]:
        """The face as points (n, 2)."""
        return self.points


@dataclass(frozen=True)
class Ellipse:
    """A round face: centre and semi-axes in pixels, `angle` of the first axis in degrees from x towards y (clockwise
    on the screen), and the factor that its lighting puts on the object's colour."""

    centre: tuple[float, float]
    radii: tuple[float, float]
    angle: float
    shade: float = 1.0

    @property
    def outline(self) -> NDArray[np.float64]:
        """The face as points (n, 2)."""
        turn = np.deg2rad(self.angle)
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * np.array(self.radii)[:, None]
        return np.array(self.centre) + _CIRCLE @ axes


Face = Polygon | Ellipse


@dataclass(frozen=True)
class Label:
    """Where the number of a tag is written: the middle of its label, and the pixel that a leader line runs to where the
    label stands beside its object (none where it lies on it)."""

    at: tuple[float, float]
    pointer: tuple[float, float] | None


@dataclass(frozen=True)
class Drawn:
    """One object of a picture. `faces` come in the order to paint them; `silhouette` encloses them all. What hangs has no `shadow`."""

    tag: int | None
    description: str
    color: str
    metal: bool
    category: str
    faces: tuple[Face, ...]
    silhouette: Face
    shadow: Ellipse | None
    visible_fraction: float = field(default=1.0)
    label: Label | None = field(default=None)


@dataclass(frozen=True)
class Picture:
    """A scene as its source camera sees it.

    `grid` (lines, 2, 2) has the ends of the ground's grid lines, `GRID` apart and parallel to the canonical axes, as in
    the map from above.
    `horizon` is where the ground ends, in pixels from the top: 0 for a camera that sees nothing else. `objects` are in
    painter's order.
    """

    width: int
    height: int
    grid: NDArray[np.float64]
    horizon: float
    objects: tuple[Drawn, ...]


def camera_of(scene: Mapping) -> dict[str, NDArray[np.float64]]:
    """The vectors of a scene's camera as arrays: position, right, up and forward in world coordinates."""
    return {name: np.asarray(scene["camera"][name], dtype=float) for name in ("position", "right", "up", "forward")}


def project(scene: Mapping, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels (..., 2) of world points (..., 3) in front of the source camera; the principal point is the centre."""
    camera = camera_of(scene)
    ray = np.asarray(points, dtype=float) - camera["position"]
    scale = scene["camera"]["focal_pixels"] / (ray @ camera["forward"])
    return np.stack(
        [scene["width"] / 2 + scale * (ray @ camera["right"]), scene["height"] / 2 - scale * (ray @ camera["up"])],
        axis=-1,
    )


def canonical_turn(scene: Mapping) -> float:
    """Degrees from the world's x axis to the canonical one (the camera's right on the ground)."""
    right = camera_of(scene)["right"]
    return float(np.rad2deg(np.arctan2(right[1], right[0])))


def footprint(scene: Mapping, thing: Mapping) -> Face:
    """An object from above, in the canonical frame and world units (x to the right, y behind)."""
    centre = tuple(float(value) for value in thing["plane"])
    half = np.asarray(thing["half_extents"][:2], dtype=float)
    if thing["category"] in ROUND:
        return Ellipse(centre, (float(half[0]), float(half[1])), 0.0)
    return Polygon(np.array(centre) + _square(half, thing["rotation"] - canonical_turn(scene)))


def picture_of(scene: Mapping) -> Picture:
    """The whole picture of a scene, with rounding to 0.1 pixel."""
    camera = camera_of(scene)
    things = sorted(scene["objects"], key=lambda thing: -_nearness_key(camera, thing))
    drawn = [_drawn(scene, camera, thing) for thing in things]
    drawn = [drawn[place] for place in _painters_order(camera, things, drawn)]
    return Picture(
        scene["width"],
        scene["height"],
        _grid(scene, camera),
        _horizon(scene, camera),
        tuple(_label_all(drawn, scene["width"], scene["height"])),
    )


def _painters_order(camera: Mapping, things: Sequence[Mapping], drawn: Sequence[Drawn]) -> list[int]:
    """The places of `things`, which come by nearness, in an order in which none hides a later one.

    Two boxes that are apart have a plane of a face between them; whichever is on the camera's side of it can hide the other.
    Nearness alone would be wrong for what stands on something, or beside something long.
    """
    solids = [_solid(thing) for thing in things]
    bounds = [(one.silhouette.outline.min(axis=0), one.silhouette.outline.max(axis=0)) for one in drawn]
    hides = np.zeros((len(things), len(things)), dtype=bool)
    for near in range(len(things)):
        for far in range(near):
            (low, high), (other_low, other_high) = bounds[near], bounds[far]
            if (high > other_low).all() and (other_high > low).all():
                hider, hidden = (near, far) if _before(camera, solids[near], solids[far]) else (far, near)
                hides[hider, hidden] = True
    order, waiting = [], list(range(len(things)))
    while waiting:
        # In a ring of boxes that hide each other no order is right, and the farthest goes first.
        chosen = next((one for one in waiting if not hides[one, waiting].any()), waiting[0])
        waiting.remove(chosen)
        order.append(chosen)
    return order


def _before(camera: Mapping, near: Sequence[NDArray], far: Sequence[NDArray]) -> bool:
    """Whether the first of two solids can hide the second rather than the other way round: so unless a plane says otherwise."""
    for own, other, answer in ((near, far, True), (far, near, False)):
        for face in own:
            normal = np.cross(face[1] - face[0], face[2] - face[1])
            if ((np.concatenate(other) - face[0]) @ normal >= -1e-9).all():
                return answer == ((camera["position"] - face[0]) @ normal <= 0)
    return True


def _horizon(scene: Mapping, camera: Mapping) -> float:
    """Where the level ray straight ahead meets the picture, in pixels from its top, inside the picture."""
    level = np.array([*camera["forward"][:2], 0.0])
    if not level.any():
        return 0.0
    rise = (level @ camera["up"]) / (level @ camera["forward"])
    row = scene["height"] / 2 - scene["camera"]["focal_pixels"] * rise
    return float(np.clip(np.round(row, 1), 0, scene["height"]))


def _nearness_key(camera: Mapping, thing: Mapping) -> float:
    """The power distance on the ground: of two objects whose round footprints are disjoint, the one with the smaller
    power distance can hide the other and never the other way round."""
    offset = np.asarray(thing["position"][:2], dtype=float) - camera["position"][:2]
    half = thing["half_extents"]
    reach = max(half[:2]) if thing["category"] in ROUND else float(np.hypot(half[0], half[1]))
    return float(offset @ offset) - reach**2


def _grid(scene: Mapping, camera: Mapping) -> NDArray[np.float64]:
    """The ground's grid through whole canonical coordinates, as far as the picture needs it."""
    right = np.array([*camera["right"][:2], 0.0])
    right /= np.linalg.norm(right)
    behind = np.array([-right[1], right[0], 0.0])
    thing = scene["objects"][0]
    # The canonical frame may have its origin anywhere: an object that is known in both frames ties it to the world.
    origin = np.array([*thing["position"][:2], 0.0]) - thing["plane"][0] * right - thing["plane"][1] * behind
    sideways, depth = np.arange(-10, 11, GRID), np.arange(-6, 13, GRID)
    across = origin + depth[:, None, None] * behind + sideways[[0, -1]][None, :, None] * right
    along = origin + sideways[:, None, None] * right + depth[[0, -1]][None, :, None] * behind
    lines = [*across, *along]
    lines = [cut for line in lines if len(cut := _cut(line, *_near_plane(camera))) == 2]
    return np.round(project(scene, np.array(lines).reshape(-1, 2, 3)), 1)


def _near_plane(camera: Mapping) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A plane a little before the camera: a point of it, and the way in which things can be seen."""
    return camera["position"] + _NEAR * camera["forward"], camera["forward"]


def _cut(points: NDArray[np.float64], point: NDArray[np.float64], inward: NDArray[np.float64]) -> NDArray[np.float64]:
    """What of a convex face or a line (n, 3) lies on the inner side of a plane (Sutherland and Hodgman)."""
    depth = (points - point) @ inward
    kept = []
    for start, end, here, there in zip(points, np.roll(points, -1, axis=0), depth, np.roll(depth, -1), strict=True):
        if here >= 0:
            kept.append(start)
        if here * there < 0:
            kept.append(start + here / (here - there) * (end - start))
    # The way back along a line would cut it again.
    return np.array(kept[:2] if len(points) == 2 else kept).reshape(-1, 3)


def _drawn(scene: Mapping, camera: Mapping, thing: Mapping) -> Drawn:
    """An object's faces in pixels."""
    make = {"sphere": _sphere, "cylinder": _cylinder}.get(thing["category"], _cuboid)
    silhouette, faces = make(scene, camera, thing)
    return Drawn(
        tag=thing["tag"],
        description=thing["description"],
        color=COLORS.get(thing["color"], OTHER_COLOR),
        metal=thing["material"] == "metal",
        category=thing["category"],
        faces=tuple(faces),
        silhouette=silhouette,
        shadow=_shadow(scene, camera, thing),
    )


def _light(camera: Mapping) -> NDArray[np.float64]:
    """The direction to a lamp over the observer's left shoulder."""
    light = -0.55 * camera["right"] - 0.45 * camera["forward"] + np.array([0.0, 0.0, 0.75])
    return light / np.linalg.norm(light)


def _shade(camera: Mapping, normal: NDArray[np.float64]) -> float:
    """What the lighting makes of a colour on a face that looks towards `normal`."""
    return float(np.round(0.62 + 0.5 * max(0.0, normal @ _light(camera)), 2))


def _square(half: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    """Corners (4, 2) of a rectangle about the origin, counter-clockwise."""
    turn = np.deg2rad(degrees)
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ rotation


def _solid(thing: Mapping) -> list[NDArray[np.float64]]:
    """The six faces (4, 3) of an object's oriented box in world coordinates, counter-clockwise from outside."""
    centre, half = np.asarray(thing["position"], dtype=float), np.asarray(thing["half_extents"], dtype=float)
    corners = centre[:2] + _square(half[:2], thing["rotation"])
    low, high = (np.column_stack([corners, np.full(4, centre[2] + sign * half[2])]) for sign in (-1, 1))
    return [np.array([low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]]) for k in range(4)] + [high, low[::-1]]


def _cuboid(scene: Mapping, camera: Mapping, thing: Mapping) -> tuple[Face, list[Face]]:
    faces, seen = [], []
    for corners in _solid(thing):
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        normal /= np.linalg.norm(normal)
        # A box of a scan may reach past the camera, or round it.
        corners = _cut(corners, *_near_plane(camera))
        if len(corners) > 2:
            face = Polygon(np.round(project(scene, corners), 1), _shade(camera, normal))
            seen.append(face.points)
            if normal @ (camera["position"] - corners[0]) > 0:
                faces.append(face)
    silhouette = Polygon(_hull(np.concatenate(seen)))
    return silhouette, faces or [silhouette]


def _cylinder(scene: Mapping, camera: Mapping, thing: Mapping) -> tuple[Face, list[Face]]:
    centre, half = np.asarray(thing["position"], dtype=float), np.asarray(thing["half_extents"], dtype=float)
    rims = [
        np.column_stack([centre[:2] + _CIRCLE * half[:2], np.full(len(_CIRCLE), centre[2] + sign * half[2])])
        for sign in (-1, 1)
    ]
    low, high = (project(scene, rim) for rim in rims)
    side = Polygon(np.round(_hull(np.concatenate([low, high])), 1), 0.86)
    if camera["position"][2] <= centre[2] + half[2]:
        return side, [side]
    return side, [side, _ellipse_through(high, _shade(camera, np.array([0.0, 0.0, 1.0])))]


def _sphere(scene: Mapping, camera: Mapping, thing: Mapping) -> tuple[Face, list[Face]]:
    """A sphere's outline is the picture of the circle along which the lines of sight touch it."""
    to_centre = np.asarray(thing["position"], dtype=float) - camera["position"]
    distance, radius = np.linalg.norm(to_centre), thing["half_extents"][0]
    axis = to_centre / distance
    first = np.cross(axis, camera["up"])
    first /= np.linalg.norm(first)
    basis = np.stack([first, np.cross(axis, first)])
    share = 1 - radius**2 / distance**2
    touching = camera["position"] + share * to_centre + radius * np.sqrt(share) * (_CIRCLE @ basis)
    outline = _ellipse_through(project(scene, touching), 1.0)
    return outline, [outline]


def _shadow(scene: Mapping, camera: Mapping, thing: Mapping) -> Ellipse | None:
    """A soft patch under what stands on the floor or on another object, a little away from the light and wider than what stands
    there; none on a board above the camera, which does not see it, and none that reaches past the camera."""
    centre, half = np.asarray(thing["position"], dtype=float), np.asarray(thing["half_extents"], dtype=float)
    low = centre[2] - half[2]
    tops = [other["position"][2] + other["half_extents"][2] for other in scene["objects"] if other is not thing]
    reach = float(max(half[:2])) * (1.0 if thing["category"] in ROUND else 1.25)
    away = -_light(camera)[:2] * half[2] * 0.45
    ground = np.column_stack([centre[:2] + away + 1.18 * reach * _CIRCLE, np.full(len(_CIRCLE), low)])
    before = ((ground - camera["position"]) @ camera["forward"] > _NEAR).all()
    if not before or low >= camera["position"][2] or not np.isclose(low, [0.0, *tops], atol=_TOUCHING).any():
        return None
    return _ellipse_through(project(scene, ground), 1.0)


def _ellipse_through(points: NDArray[np.float64], shade: float) -> Ellipse:
    """The ellipse on which `points` (n, 2) lie: a circle's picture is one exactly, so the fit leaves nothing over."""
    middle, spread = points.mean(axis=0), points.std()
    x, y = ((points - middle) / spread).T
    a, b, c, d, e, f = np.linalg.svd(np.column_stack([x * x, x * y, y * y, x, y, np.ones_like(x)]))[2][-1]
    shape = np.array([[a, b / 2], [b / 2, c]])
    centre = np.linalg.solve(-2 * shape, [d, e])
    values, axes = np.linalg.eigh(shape / -(f + 0.5 * (d * centre[0] + e * centre[1])))
    radii = spread / np.sqrt(values)
    angle = np.rad2deg(np.arctan2(axes[1, 0], axes[0, 0])) % 180
    return Ellipse(
        tuple(np.round(middle + spread * centre, 1).tolist()),
        tuple(np.round(radii, 1).tolist()),
        float(np.round(angle, 1)),
        shade,
    )


def _hull(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The convex hull of `points` in order round it (Andrew's monotone chain)."""
    ordered = sorted(set(map(tuple, points.tolist())))

    def chain(sequence: Sequence[tuple]) -> list[tuple]:
        hull: list[tuple] = []
        for point in sequence:
            while len(hull) > 1 and _turn(hull[-2], hull[-1], point) <= 0:
                hull.pop()
            hull.append(point)
        return hull[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def _turn(a: tuple, b: tuple, c: tuple) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# ------------------------------------------------------------------------------------------------------------- labels


def inside(face: Face, width: int, height: int) -> NDArray[np.bool_]:
    """The pixels (height, width) whose centres lie in a convex face."""
    outline = face.outline
    mask = np.zeros((height, width), dtype=bool)
    low = np.clip(np.floor(outline.min(axis=0)).astype(int), 0, (width, height))
    high = np.clip(np.ceil(outline.max(axis=0)).astype(int), 0, (width, height))
    x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    following = np.roll(outline, -1, axis=0)
    sides = [(q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in zip(outline, following, strict=True)]
    if x.size:
        sides = np.array(sides)
        mask[low[1] : high[1], low[0] : high[0]] = (sides >= 0).all(axis=0) | (sides <= 0).all(axis=0)
    return mask


def label_scale(width: int, height: int) -> float:
    """How much larger than in a picture of 320 by 240 pixels labels are, so that they can be read where that is as narrow as a phone.

    >>> label_scale(320, 240), label_scale(384, 216), label_scale(216, 384)
    (1.0, 1.2, 0.9)
    """
    return max(min(width, height) / 240, width / 320)


def tag_width(tag: int) -> float:
    """Width of a tag's label, in the unit of `TAG_HEIGHT`."""
    return 7.0 + 7.0 * len(str(tag))


def _label_all(drawn: Sequence[Drawn], width: int, height: int) -> list[Drawn]:
    """The objects with their visible fractions as painted, and with labels for the tagged ones."""
    whole = [inside(one.silhouette, width, height) for one in drawn]
    owner = np.full((height, width), -1)
    for place, mask in enumerate(whole):
        owner[mask] = place
    seen = [owner == place for place in range(len(drawn))]
    drawn = [
        replace(one, visible_fraction=float(now.sum() / max(1, alone.sum())))
        for one, now, alone in zip(drawn, seen, whole, strict=True)
    ]
    scale = label_scale(width, height)
    taken: list[tuple] = []
    labels: dict[int, Label] = {}

    def box(tag: int, at: Sequence[float]) -> tuple:
        half = scale * np.array([tag_width(tag), TAG_HEIGHT]) / 2
        return (*(np.array(at) - half), *(np.array(at) + half))

    # Labels that fit on their object go first: those beside one then keep clear of them.
    beside = []
    for place, one in enumerate(drawn):
        if one.tag is None or not seen[place].any():
            continue
        heart = _heart(seen[place])
        if scale**2 * tag_width(one.tag) * TAG_HEIGHT <= _LARGEST_COVER * seen[place].sum():
            labels[place] = Label(heart, None)
            taken.append(box(one.tag, heart))
        else:
            beside.append((place, heart))
    for place, heart in beside:
        at = _place_beside(heart, seen[place], owner >= 0, lambda at, tag=drawn[place].tag: box(tag, at), taken)
        labels[place] = Label(at, heart)
        taken.append(box(drawn[place].tag, at))
    return [replace(one, label=labels.get(place)) for place, one in enumerate(drawn)]


def _heart(mask: NDArray[np.bool_]) -> tuple[float, float]:
    """The pixel of a region that is farthest from its edge, near its middle where there are several."""
    rows, columns = np.nonzero(mask)
    top, left = rows.min(), columns.min()
    depth = distance_transform_edt(np.pad(mask[top : rows.max() + 1, left : columns.max() + 1], 1))[1:-1, 1:-1]
    deep_rows, deep_columns = np.nonzero(depth >= 0.9 * depth.max())
    nearest = np.argmin((deep_columns + left - columns.mean()) ** 2 + (deep_rows + top - rows.mean()) ** 2)
    return float(deep_columns[nearest] + left) + 0.5, float(deep_rows[nearest] + top) + 0.5


def _place_beside(
    heart: tuple, own: NDArray[np.bool_], occupied: NDArray[np.bool_], box, taken: Sequence[tuple]
) -> tuple[float, float]:
    """Where a label stands beside its object: inside the picture, clear of other labels, over as little of any object
    as can be, and near."""
    height, width = own.shape
    best, best_cost = heart, np.inf
    for distance in (14, 18, 22, 28, 34, 42):
        for angle in np.deg2rad(np.arange(-90, 270, 22.5)):
            at = (round(heart[0] + distance * np.cos(angle), 1), round(heart[1] + distance * np.sin(angle), 1))
            left, top, right, bottom = box(at)
            if left < 2 or top < 2 or right > width - 2 or bottom > height - 2:
                continue
            if any(
                left < east + 1 and right > west - 1 and top < south + 1 and bottom > north - 1
                for west, north, east, south in taken
            ):
                continue
            patch = np.s_[int(top) : int(np.ceil(bottom)), int(left) : int(np.ceil(right))]
            cost = float(occupied[patch].sum() + 2 * own[patch].sum()) + 1.5 * distance
            if cost < best_cost:
                best, best_cost = at, cost
    return best
