"""How the canonical picture of a frame shows the boxes of a scan: orientation, projection, visibility.

CVT-Bench, Supp. 1.3: pictures are 216 x 384 or 384 x 216 by an aspect-preserving resize; visible areas are estimated from
union boxes and depth ordering. So an object's visible area is what its projected box shows outside the union of the
projected boxes of nearer objects. Which of two is nearer is the depth of their centres.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage_workshop.stimuli.cvt.clevr import AXIS_DECIMALS, DECIMALS
from vantage_workshop.stimuli.cvt.threedssg.source import Lens, OrientedBox
from vantage_workshop.stimuli.cvt.visibility import Camera, Vector

LONG_SIDE = 384
"""Pixels of the longer side of the canonical picture; the other has 216 (Table S1)."""

MAX_ROLL = 20.0
"""Degrees by which an upright picture may still lean; beyond, right in the picture is no longer right on the ground."""

MAX_TILT = 60.0
"""Degrees by which the camera may look up or down; beyond, the ground has no clear front and behind."""

# Metres: a box is cut off this far in front of the camera, so that what lies beside or behind it has no place in the picture.
_NEAR = 0.1

# Metres: half of the least size of a box along any axis, so that every box has a height interval.
_THINNEST = 10**-DECIMALS

# The bits of a corner's number say on which side of the box it lies along each axis; an edge changes one of them.
_EDGES = np.array([(corner, corner | bit) for bit in (1, 2, 4) for corner in range(8) if not corner & bit])
_SIDES = np.array([[1 if corner & bit else -1 for bit in (1, 2, 4)] for corner in range(8)])


@dataclass(frozen=True)
class UprightBox:
    """A box that stands upright: `centre` and `half_extents` along its own axes in metres, `rotation` in degrees about
    the vertical."""

    centre: Vector
    half_extents: Vector
    rotation: float

    def corners(self) -> NDArray[np.float64]:
        """The corners (8, 3) in world coordinates."""
        cosine, sine = math.cos(math.radians(self.rotation)), math.sin(math.radians(self.rotation))
        x, y, z = np.moveaxis(_SIDES * np.array(self.half_extents), -1, 0)
        return np.array(self.centre) + np.stack([cosine * x - sine * y, sine * x + cosine * y, z], axis=-1)


def upright(box: OrientedBox) -> UprightBox:
    """The smallest box around `box` that stands upright along its more level axes; `box` itself where it does so already.

    Rounded to .1 mm and to 10^-4 degrees: everything else is derived from these numbers.
    """
    axes, halves = np.array(box.axes), np.array(box.lengths) / 2
    level = [place for place in range(3) if place != int(np.argmax(np.abs(axes[:, 2])))]
    first = max(level, key=lambda place: math.hypot(axes[place, 0], axes[place, 1]))
    rotation = round(math.degrees(math.atan2(axes[first, 1], axes[first, 0])) % 180, DECIMALS)
    cosine, sine = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    along = (cosine * axes[:, 0] + sine * axes[:, 1], cosine * axes[:, 1] - sine * axes[:, 0], axes[:, 2])
    return UprightBox(
        centre=tuple(round(value, DECIMALS) for value in box.centre),
        half_extents=tuple(max(round(float(np.sum(np.abs(reach) * halves)), DECIMALS), _THINNEST) for reach in along),
        rotation=rotation,
    )


@dataclass(frozen=True)
class View:
    """A frame as its canonical picture shows it.

    `turns` quarter turns clockwise put the sensor's picture upright. `right`, `down` and `forward` are the upright picture's
    axes, unit vectors in world coordinates; `focal` and `centre` are across and down, in pixels.
    """

    frame: int
    turns: int
    width: int
    height: int
    position: Vector
    right: Vector
    down: Vector
    forward: Vector
    focal: tuple[float, float]
    centre: tuple[float, float]

    @property
    def roll(self) -> float:
        """Degrees between the picture's up and the world's, as the picture shows it."""
        return abs(math.degrees(math.atan2(self.right[2], -self.down[2])))

    @property
    def tilt(self) -> float:
        """Degrees by which the camera looks above or below the horizon."""
        return abs(math.degrees(math.asin(min(1.0, max(-1.0, self.forward[2])))))

    @property
    def level(self) -> Camera:
        """The same camera without its lean, which the canonical frame needs (Supp. 2.3): right is level with the ground.

        Its focal length is the mean of the two, and the principal point is the picture's centre; boxes are projected
        with the exact ones.
        """
        east, north, up = self.forward
        away = math.hypot(east, north)
        right = (north / away, -east / away, 0.0)
        upward = (-east * up / away, -north * up / away, away)
        axes = [tuple(round(part, AXIS_DECIMALS) for part in axis) for axis in (self.forward, right, upward)]
        return Camera(self.position, *axes, round(sum(self.focal) / 2, DECIMALS), self.width, self.height)


def canonical_view(lens: Lens, frame: int, pose: NDArray[np.float64]) -> View:
    """The view of a frame by its `pose` (4, 4) from camera to world.

    3RScan's sensor lies on its side when the phone is held upright, and nothing in the files says how it was held. So the
    picture is turned by the quarter turns that bring the world's up closest to the picture's: an upright phone gives
    216 x 384, a lying one 384 x 216.
    """
    scale = LONG_SIDE / max(lens.width, lens.height)
    right, down, forward = pose[:3, 0], pose[:3, 1], pose[:3, 2]
    width, height = lens.width, lens.height
    focal, centre = (lens.focal_x, lens.focal_y), (lens.centre_x, lens.centre_y)
    # How far the world's up points up in the picture after no, one, two and three turns.
    turns = int(np.argmax([-down[2], -right[2], down[2], right[2]]))
    for _ in range(turns):
        # What pointed right points down now, what pointed up points right.
        right, down = -down, right
        width, height = height, width
        focal, centre = focal[::-1], (width - centre[1], centre[0])
    return View(
        frame=frame,
        turns=turns,
        width=round(width * scale),
        height=round(height * scale),
        position=tuple(round(value, DECIMALS) for value in pose[:3, 3].tolist()),
        right=tuple(round(value, AXIS_DECIMALS) for value in right.tolist()),
        down=tuple(round(value, AXIS_DECIMALS) for value in down.tolist()),
        forward=tuple(round(value, AXIS_DECIMALS) for value in forward.tolist()),
        focal=(focal[0] * scale, focal[1] * scale),
        centre=(centre[0] * scale, centre[1] * scale),
    )


@dataclass(frozen=True)
class Sight:
    """How the picture shows an object: `box` [x, y, w, h] of its projected box, cut at the picture's borders; `whole`, the pixels
    of the projected box with what lies outside the picture; `visible`, the pixels in the picture that no nearer
    object's box covers."""

    box: tuple[int, int, int, int]
    whole: int
    visible: int

    @property
    def pixels(self) -> int:
        """Pixels of the projected box in the picture."""
        return self.box[2] * self.box[3]

    @property
    def fraction(self) -> float:
        """Visible pixels over the pixels of the whole projected box."""
        return self.visible / self.whole


def sights(view: View, boxes: Sequence[UprightBox]) -> list[Sight | None]:
    """How `view` shows each of `boxes`, all together; none for one outside the picture."""
    depths = [_along(view.forward, np.array(box.centre) - np.array(view.position)) for box in boxes]
    covered = np.zeros((view.height, view.width), dtype=bool)
    seen: list[Sight | None] = [None] * len(boxes)
    for place in sorted(range(len(boxes)), key=lambda place: (depths[place], place)):
        left, top, right, bottom = _projected(view, boxes[place].corners())
        x, y = max(left, 0), max(top, 0)
        if x >= min(right, view.width) or y >= min(bottom, view.height):
            continue
        window = covered[y : min(bottom, view.height), x : min(right, view.width)]
        seen[place] = Sight(
            box=(x, y, window.shape[1], window.shape[0]),
            whole=(right - left) * (bottom - top),
            visible=int(window.size - window.sum()),
        )
        window[:] = True
    return seen


def _along(axis: Vector, offset: NDArray[np.float64]) -> NDArray[np.float64]:
    return axis[0] * offset[..., 0] + axis[1] * offset[..., 1] + axis[2] * offset[..., 2]


def _projected(view: View, corners: NDArray[np.float64]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a box in whole pixels, all 0 for one that is not in front of the camera."""
    offset = corners - np.array(view.position)
    points = np.stack([_along(axis, offset) for axis in (view.right, view.down, view.forward)], axis=-1)
    depth = points[:, 2]
    one, other = points[_EDGES[:, 0]], points[_EDGES[:, 1]]
    crossing = (one[:, 2] < _NEAR) != (other[:, 2] < _NEAR)
    one, other = one[crossing], other[crossing]
    share = (_NEAR - one[:, 2:]) / (other[:, 2:] - one[:, 2:])
    shown = np.concatenate([points[depth >= _NEAR], one + share * (other - one)])
    if not len(shown):
        return 0, 0, 0, 0
    across = view.focal[0] * shown[:, 0] / shown[:, 2] + view.centre[0]
    down = view.focal[1] * shown[:, 1] / shown[:, 2] + view.centre[1]
    return math.floor(across.min()), math.floor(down.min()), math.ceil(across.max()), math.ceil(down.max())
