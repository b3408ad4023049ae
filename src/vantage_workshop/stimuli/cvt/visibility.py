"""Which pixels an object covers, and which of them can be seen: analytic ray casting.

One ray goes through the centre of every pixel. An object's *mask* is the set of pixels whose ray meets it when it stands
alone in the frame; its *visible fraction* is the share of the mask in which no other object is nearer (CVT-Bench, Supp. 1.2:
at least 5 % visible is tagged, at most 70 % is partially occluded).

Every bit of the result follows from +, -, *, / and square roots of the stored numbers, one element at a time. Those are exact to
the last bit on every machine that follows IEEE 754, sums by BLAS are not; so the items come out the same everywhere.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]

# Stands in for a zero component of a ray, so that "never meets this plane" becomes "meets it absurdly far away".
_NEARLY_ZERO = 1e-300

# Decimals kept of a sine or cosine: libraries differ in the sixteenth.
_TRIGONOMETRIC_DECIMALS = 9


@dataclass(frozen=True)
class Camera:
    """A pinhole camera without roll; the principal point is the picture's centre.

    `position` is in world units; `forward`, `right` and `up` are unit vectors in world coordinates; `focal_pixels`, `width`
    and `height` are in pixels.
    """

    position: Vector
    forward: Vector
    right: Vector
    up: Vector
    focal_pixels: float
    width: int
    height: int

    def ground(self, point: Vector) -> tuple[float, float]:
        """`point` in the canonical frame, world units: to the right and behind, from the world's origin.

        The axes are the camera's right and forward, projected on the ground (Supp. 2.3). Without roll, right lies on the
        ground already, and behind is a quarter turn from it.
        """
        x, y, _ = point
        right_x, right_y, _ = self.right
        return right_x * x + right_y * y, right_x * y - right_y * x

    def offset_of(self, point: Vector) -> Vector:
        """`point` from the camera, world units: to the right, up and forward."""
        offset = [p - q for p, q in zip(point, self.position, strict=True)]
        axes = (self.right, self.up, self.forward)
        return tuple(axis[0] * offset[0] + axis[1] * offset[1] + axis[2] * offset[2] for axis in axes)


@dataclass(frozen=True)
class Solid:
    """A sphere, an upright box ("cube") or an upright cylinder.

    `position` is the centre and `half_extents` half the size along its own axes, in world units; `rotation` is in degrees
    about the vertical.
    """

    shape: str
    position: Vector
    half_extents: Vector
    rotation: float = 0.0


@dataclass(frozen=True)
class Sight:
    """How an object appears: the box `(x, y, w, h)` of its mask, the pixels of the mask, and how many of those show it."""

    box: tuple[int, int, int, int]
    pixels: int
    visible: int

    @property
    def fraction(self) -> float:
        """Visible pixels over pixels when alone in the frame."""
        return self.visible / self.pixels


def look(camera: Camera, solids: list[Solid]) -> list[Sight]:
    """The sight of every solid, as `camera` sees all of them together.

    Pixels outside the frame count nowhere. Raises `ValueError` for a solid no ray meets.
    """
    nearest = np.full((camera.height, camera.width), np.inf)
    owner = np.full(nearest.shape, -1)
    masks = []
    for place, solid in enumerate(solids):
        window = _window(camera, solid)
        distance = _first_hit(camera, solid, window)
        closer = distance < nearest[window]
        nearest[window][closer] = distance[closer]
        owner[window][closer] = place
        masks.append((window, np.isfinite(distance)))
    return [_sight(window, mask, owner[window] == place) for place, (window, mask) in enumerate(masks)]


def _sight(window: tuple[slice, slice], mask: NDArray[np.bool_], seen: NDArray[np.bool_]) -> Sight:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        raise ValueError("expected a solid in the frame, found one that no ray meets")
    box = (
        int(window[1].start + columns[0]),
        int(window[0].start + rows[0]),
        int(columns[-1] - columns[0] + 1),
        int(rows[-1] - rows[0] + 1),
    )
    return Sight(box, int(mask.sum()), int(seen.sum()))


def _window(camera: Camera, solid: Solid) -> tuple[slice, slice]:
    """Rows and columns of the frame outside which no ray meets `solid`.

    A point of the bounding sphere is off the centre by (dx, dz) with norm at most R, so its image is off the centre's image by
    f |dx Z - X dz| / (Z (Z + dz)), which is at most f R sqrt(X^2 + Z^2) / (Z (Z - R)).
    """
    x, y, depth = camera.offset_of(solid.position)
    radius = math.sqrt(sum(half * half for half in solid.half_extents))
    if depth <= radius:
        raise ValueError("expected a solid in front of the camera, found one beside or behind it")
    spans = []
    for offset, size in ((-y, camera.height), (x, camera.width)):
        centre = size / 2 + camera.focal_pixels * offset / depth
        reach = camera.focal_pixels * radius * math.sqrt(offset * offset + depth * depth) / (depth * (depth - radius))
        first, last = math.floor(centre - reach), math.ceil(centre + reach)
        spans.append(slice(min(max(first, 0), size), max(min(last, size), 0)))
    return tuple(spans)


def _first_hit(camera: Camera, solid: Solid, window: tuple[slice, slice]) -> NDArray[np.float64]:
    """How far along the ray of each pixel of `window` the solid begins, in units of the focal length; infinite where it
    is missed."""
    across = (np.arange(window[1].start, window[1].stop) + 0.5 - camera.width / 2)[None, :]
    upward = (camera.height / 2 - 0.5 - np.arange(window[0].start, window[0].stop))[:, None]
    axes = zip(camera.forward, camera.right, camera.up, strict=True)
    ray = [forward + (right * across + up * upward) / camera.focal_pixels for forward, right, up in axes]
    start = [p - q for p, q in zip(camera.position, solid.position, strict=True)]
    cosine = round(math.cos(math.radians(solid.rotation)), _TRIGONOMETRIC_DECIMALS)
    sine = round(math.sin(math.radians(solid.rotation)), _TRIGONOMETRIC_DECIMALS)
    ray[0], ray[1] = cosine * ray[0] + sine * ray[1], cosine * ray[1] - sine * ray[0]
    start[0], start[1] = cosine * start[0] + sine * start[1], cosine * start[1] - sine * start[0]

    # All three solids are convex: each is where a few convex bodies overlap, and a ray is inside them all from the last
    # entry to the first exit.
    if solid.shape == "sphere":
        spans = [_round_span(start, ray, solid.half_extents[0])]
    elif solid.shape == "cube":
        spans = [_slab_span(s, r, half) for s, r, half in zip(start, ray, solid.half_extents, strict=True)]
    elif solid.shape == "cylinder":
        spans = [
            _round_span(start[:2], ray[:2], solid.half_extents[0]),
            _slab_span(start[2], ray[2], solid.half_extents[2]),
        ]
    else:
        raise ValueError(f"expected a sphere, cube or cylinder, found {solid.shape!r}")
    entry, leave = spans[0]
    for other_entry, other_leave in spans[1:]:
        entry, leave = np.maximum(entry, other_entry), np.minimum(leave, other_leave)
    return np.where((entry <= leave) & (entry > 0), entry, np.inf)


def _slab_span(start: float, ray: NDArray[np.float64], half: float):
    """Where rays enter and leave the space between two parallel planes, `half` from the middle on either side."""
    ray = np.where(ray == 0, _NEARLY_ZERO, ray)
    one, other = (-half - start) / ray, (half - start) / ray
    return np.minimum(one, other), np.maximum(one, other)


def _round_span(start: list[float], ray: list[NDArray[np.float64]], radius: float):
    """Where rays enter and leave a ball (three coordinates) or an endless upright cylinder (two)."""
    square = sum(r * r for r in ray)
    square = np.where(square == 0, _NEARLY_ZERO, square)
    half_linear = sum(s * r for s, r in zip(start, ray, strict=True))
    constant = sum(s * s for s in start) - radius * radius
    discriminant = half_linear * half_linear - square * constant
    root = np.sqrt(np.maximum(discriminant, 0.0))
    missed = discriminant < 0
    return np.where(missed, np.inf, (-half_linear - root) / square), np.where(
        missed, -np.inf, (-half_linear + root) / square
    )
