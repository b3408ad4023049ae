"""Spatial relations as sets: the yaw and Top algebra, and the codec between words and bit masks.

A relation set says where a *target* is with respect to an *anchor*. In the canonical (source) frame, x points to the
observer's right and y away from the observer, so a displacement is target minus anchor in world units. Inside Vantage a
relation set is a small integer, one bit a label; words appear at every boundary.

    >>> from vantage.relations import decode, encode
    >>> encode(["front", "right"], "90")
    6
    >>> decode(6, "90")
    ('right', 'front')
    >>> decode(6, "Top")
    ('right', 'south')

Sources: CVT-Bench, "Counterfactual Viewpoint Probing", Supp. 1.2 (the margin), Supp. 2.3 (canonical frame), Supp. 3.6
(quarter and half turns), Supp. 7.4 (words, and the Top codec north = behind, south = front).
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vantage.errors import InputError

LEFT, RIGHT, FRONT, BEHIND, ABOVE, BELOW = 1, 2, 4, 8, 16, 32

YAWS = (0, 45, 90, 135, 180, 225, 270, 315, 360)
"""The nine azimuths, in degrees; positive is the camera orbiting to its right."""

TOP = "Top"
VIEWPOINTS = (*(str(yaw) for yaw in YAWS), TOP)
"""The ten viewpoint conditions, as they are written in every file."""

COUNTERFACTUAL = VIEWPOINTS[1:]
"""The nine non-source conditions (Supp. 2.4)."""

MARGIN = 0.2
"""In CVT-Synthetic a label is asserted where the component is larger than this, in world units (Supp. 1.2)."""

AMBIGUITY_BAND = 0.07
"""There a label within this distance of the margin, in world units, is threshold-sensitive (see the page of definitions)."""

GROUND_WORDS = ("left", "right", "front", "behind")
TOP_WORDS = ("left", "right", "south", "north")
VERTICAL_WORDS = ("above", "below")

HORIZONTAL = LEFT | RIGHT | FRONT | BEHIND
"""The labels that change with the viewpoint."""

# Counter-clockwise from the observer's right; a label's direction is its place here times 90 degrees.
_COMPASS = (RIGHT, BEHIND, LEFT, FRONT)

# The canonical directions counter-clockwise from the right, an eighth of a turn apart.
_EIGHTHS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))

# The cosine at each eighth of a turn, exact at the cardinal ones; the sine is the cosine two eighths before.
_HALF = np.sqrt(0.5)
_COSINE = np.array([1.0, _HALF, 0.0, -_HALF, -1.0, -_HALF, 0.0, _HALF])


def vocabulary(viewpoint: str, vertical: bool = False) -> tuple[str, ...]:
    """The words a question offers at a viewpoint, in the order of its option list (Supp. 7.4).

    >>> vocabulary("Top")
    ('left', 'right', 'south', 'north')
    """
    ground = TOP_WORDS if viewpoint == TOP else GROUND_WORDS
    return ground + VERTICAL_WORDS if vertical else ground


def encode(words: Iterable[str], viewpoint: str) -> int:
    """The relation set that `words` name at `viewpoint`.

    Raises `InputError` for a word that the viewpoint does not offer, and for one that is said twice.

    >>> encode(["north"], "Top") == BEHIND
    True
    """
    known = vocabulary(viewpoint, vertical=True)
    mask = 0
    for word in words:
        if word not in known:
            raise InputError(f"expected relations among {', '.join(known)} at viewpoint {viewpoint}, found {word!r}")
        bit = 1 << known.index(word)
        if mask & bit:
            raise InputError(f"expected each relation once, found {word!r} twice")
        mask |= bit
    return mask


def decode(mask: int, viewpoint: str) -> tuple[str, ...]:
    """The words of a relation set at `viewpoint`, in the order of the option list."""
    return tuple(word for bit, word in enumerate(vocabulary(viewpoint, vertical=True)) if mask & (1 << bit))


def yaw_of(viewpoint: str) -> int:
    """The yaw in degrees of the ground plane at a viewpoint: 360 and Top are the source view's 0 (Supp. 2.3)."""
    return 0 if viewpoint == TOP else int(viewpoint) % 360


def observed(displacement: ArrayLike, yaw: ArrayLike) -> NDArray[np.float64]:
    """A canonical displacement as the observer sees it after the camera has orbited by `yaw` degrees.

    `displacement` has shape (..., 2) in world units, `yaw` broadcasts against its leading axes. Returns the components
    (to the right, behind) of the same shape. Whole eighths of a turn are computed without rounding error at the
    cardinal angles: R90 = (y, -x), R180 = (-x, -y), R270 = (-y, x), as Supp. 3.6 prints them.

    >>> observed([3.0, 1.0], 90).tolist()
    [1.0, -3.0]
    """
    displacement = np.asarray(displacement, dtype=float)
    eighths, rest = np.divmod(np.asarray(yaw, dtype=float), 45.0)
    eighths = eighths.astype(int) % 8
    radians = np.deg2rad(np.asarray(yaw, dtype=float))
    cosine = np.where(rest == 0, _COSINE[eighths], np.cos(radians))
    sine = np.where(rest == 0, _COSINE[(eighths - 2) % 8], np.sin(radians))
    x, y = displacement[..., 0], displacement[..., 1]
    return np.stack([cosine * x + sine * y, cosine * y - sine * x], axis=-1)


def relation_set(components: ArrayLike, margin: ArrayLike = MARGIN) -> NDArray[np.uint8]:
    """The labels of observed components (..., 2) in world units that are beyond `margin`: one or two, or none.

    `margin` is one number, or a pair (lateral, depth) in its last axis: labels left and right need the first, front and
    behind the second, whichever viewpoint is asked for. It broadcasts against `components`.

    >>> int(relation_set([1.0, -3.0]))  # right and front
    6
    >>> int(relation_set([1.0, -3.0], margin=[1.5, 0.5]))  # front alone
    4
    """
    components = np.asarray(components, dtype=float)
    margin = np.broadcast_to(margin, components.shape)
    (x, y), (lateral, depth) = np.moveaxis(components, -1, 0), np.moveaxis(margin, -1, 0)
    mask = (x > lateral) * RIGHT + (x < -lateral) * LEFT + (y > depth) * BEHIND + (y < -depth) * FRONT
    return mask.astype(np.uint8)


def asserted(components: ArrayLike, margin: ArrayLike = MARGIN) -> NDArray[np.uint8]:
    """The horizontal labels of a question's gold: those beyond `margin`, and never none.

    As `relation_set`; where neither component is beyond its margin, the label of the one that is larger relative to its
    margin (both, where they tie). In CVT-Synthetic objects stand too far apart for that to happen.

    >>> decode(int(asserted([0.1, -0.15])), "0"), decode(int(asserted([0.1, -0.15], margin=[0.2, 0.4])), "0")
    (('front',), ('right',))
    """
    components = np.asarray(components, dtype=float)
    # |x| / lateral against |y| / depth, without the division.
    size = np.abs(components) * np.broadcast_to(margin, components.shape)[..., ::-1]
    largest = np.where(size == size.max(axis=-1, keepdims=True), components, 0.0)
    said = relation_set(components, margin)
    return np.where(said, said, relation_set(largest, margin=0.0)).astype(np.uint8)


def vertical_set(rise: ArrayLike) -> NDArray[np.uint8]:
    """Above where the target's centre is higher than the anchor's, below where it is lower; `rise` in world units.

    Zero, as `vantage.items.rises` has it where height is not asked for, asserts nothing.
    """
    rise = np.asarray(rise, dtype=float)
    return ((rise > 0) * ABOVE + (rise < 0) * BELOW).astype(np.uint8)


def alternatives(
    components: Sequence[float], margin: ArrayLike = MARGIN, band: ArrayLike = AMBIGUITY_BAND
) -> list[int]:
    """The admissible sets of horizontal labels other than gold's, for one observed displacement (Supp. 2.1).

    A label whose component lies within `band` of the margin may be asserted or omitted, in its own direction only. An
    admissible set shares a label with gold: an opposite direction or an unrelated axis alone is never admissible, and
    neither is the empty set. `margin` and `band` are numbers or pairs (lateral, depth) in world units. Above and below
    are no matter of a margin: they stand in every admissible set of a question that has them.

    >>> [decode(mask, "0") for mask in alternatives([0.25, 2.0])]
    [('behind',)]
    """
    gold = int(asserted(components, margin))
    margins, bands = np.broadcast_to(margin, 2), np.broadcast_to(band, 2)
    sets = {gold}
    for component, limit, near, (positive, negative) in zip(
        components, margins, bands, ((RIGHT, LEFT), (BEHIND, FRONT)), strict=True
    ):
        if abs(abs(component) - limit) <= near:
            sets |= {mask ^ (positive if component > 0 else negative) for mask in sets}
    return sorted(mask for mask in sets - {gold} if mask & gold)


def opposite(mask: ArrayLike) -> NDArray[np.uint8]:
    """Every label turned into its opposite; the answers of a complete inverter.

    >>> decode(int(opposite(LEFT | BEHIND | ABOVE)), "0")
    ('right', 'front', 'below')
    """
    mask = np.asarray(mask, dtype=np.uint8)
    firsts = mask & (LEFT | FRONT | ABOVE)
    seconds = mask & (RIGHT | BEHIND | BELOW)
    return (firsts << 1 | seconds >> 1).astype(np.uint8)


def transport(mask: ArrayLike, yaw: int) -> NDArray[np.uint8]:
    """A relation set of the source view as it reads after a cardinal orbit, by symbols alone (Supp. 3.5 and 3.6).

    Above and below stay. Raises `InputError` for a yaw that is not a multiple of 90: at a diagonal, source labels do
    not determine the answer.

    >>> decode(int(transport(RIGHT | FRONT, 90)), "90")
    ('left', 'front')
    """
    if yaw % 90:
        raise InputError(
            f"expected a yaw that is a multiple of 90 degrees, found {yaw}; a diagonal is not determined by labels"
        )
    mask = np.asarray(mask, dtype=np.uint8)
    turned = mask & np.uint8(ABOVE | BELOW)
    for place, label in enumerate(_COMPASS):
        # An observer who has turned counter-clockwise sees everything turned clockwise.
        turned = turned | np.where(mask & label, _COMPASS[(place - yaw // 90) % 4], 0).astype(np.uint8)
    return turned


def direction(label: int, viewpoint: str) -> tuple[int, int]:
    """The canonical direction d(theta, r) that a label asserts, scaled to whole numbers (Supp. 2.3).

    Cardinal views give a unit axis, diagonal ones (+-1, +-1): the scale does not matter to what is realizable.

    >>> direction(RIGHT, "90"), direction(RIGHT, "45")
    ((0, 1), (1, 1))
    """
    angle = 90 * _COMPASS.index(label) + yaw_of(viewpoint)
    return _EIGHTHS[angle % 360 // 45]
