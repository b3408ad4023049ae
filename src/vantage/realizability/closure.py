"""What asserted relations imply, pair by pair and through other objects, before any layout is sought.

Relations of one or many scenes are tables of bit masks, (..., objects, objects): bit k of entry (i, j) says that
DIRECTIONS[k] . (x_i - x_j) > 0 is asserted or follows. Two rules generate consequences: what lies between two directions
less than half a turn apart follows from both, and each direction is an order, so it passes from i over k to j. An object
before itself in some order is a contradiction. Nearly every contradiction shows in this way, not every one.
"""

import numpy as np
from numpy.typing import NDArray

from vantage.realizability.constraints import DIRECTIONS, OPPOSITES

PLANE = 0xFF
"""The bits of the eight horizontal directions."""

_MASKS = np.arange(1 << len(DIRECTIONS))


def _between() -> NDArray[np.uint16]:
    """Each mask with the horizontal directions that lie between two of its own, less than half a turn apart."""
    found = _MASKS.copy()
    for first in range(8):
        for turn in (2, 3):
            both = 1 << first | 1 << (first + turn) % 8
            inside = sum(1 << (first + step) % 8 for step in range(1, turn))
            found |= np.where(_MASKS & both == both, inside, 0)
    return found.astype(np.uint16)


def _outermost() -> NDArray[np.uint16]:
    """Each mask without the horizontal directions that have both neighbours in it."""
    keep = _MASKS.copy()
    for place in range(8):
        sides = 1 << (place - 1) % 8 | 1 << (place + 1) % 8
        keep &= ~np.where(_MASKS & sides == sides, 1 << place, 0)
    return keep.astype(np.uint16)


IMPLIED = _between()
OUTERMOST = _outermost()
OPPOSITE = sum((_MASKS >> place & 1) << other for place, other in enumerate(OPPOSITES)).astype(np.uint16)


def relation_tables(
    scene: NDArray[np.int64], pairs: NDArray[np.int64], masks: NDArray[np.uint16], scenes: int
) -> NDArray[np.uint16]:
    """Tables (scenes, objects, objects) of what is asserted, each relation both ways.

    One entry an assertion: its scene from 0, the places of its target and anchor among all tags (assertions, 2), and the mask
    of its directions. Objects of a scene are numbered in the order of their places.
    """
    present = np.zeros((scenes, pairs.max(initial=-1) + 1), dtype=bool)
    present[scene[:, None], pairs] = True
    target, anchor = (present.cumsum(axis=1)[scene[:, None], pairs] - 1).T
    size = present.sum(axis=1).max(initial=0)
    tables = np.zeros((scenes, size, size), dtype=np.uint16)
    np.bitwise_or.at(tables, (scene, target, anchor), masks.astype(np.uint16))
    tables |= OPPOSITE[tables.transpose(0, 2, 1)]
    return tables


def consequences(tables: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """All that follows from tables (scenes, objects, objects) by the two rules; for a contradictory scene, enough to see it.

    >>> right, behind, left_in_front = 1 << 0, 1 << 2, 1 << 5
    >>> ring = np.array([[[0, right, 0], [0, 0, right], [0, 0, 0]]], dtype=np.uint16)
    >>> int(consequences(ring)[0, 0, 2]) == right
    True
    """
    known = IMPLIED[tables]
    open_scenes = np.arange(len(known))
    while len(open_scenes):
        part = known[open_scenes]
        for k in range(part.shape[-1]):
            part |= part[:, :, k, None] & part[:, k, None, :]
        part = IMPLIED[part]
        changed = (part != known[open_scenes]).any(axis=(1, 2))
        known[open_scenes] = part
        open_scenes = open_scenes[changed & ~contradictory(part)]
    return known


def contradictory(known: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Whether some object comes before itself in the consequences (scenes, objects, objects), (scenes,)."""
    return np.diagonal(known, axis1=1, axis2=2).any(axis=1)


def shortest_paths(lengths: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Distances in several graphs at once, (graphs, objects, objects), and the object that follows i on the way to j.

    Floyd and Warshall's algorithm, on lengths that are not negative; a distance from an object to itself is its shortest cycle.
    """
    distance = lengths.copy()
    following = np.broadcast_to(np.arange(lengths.shape[-1]), lengths.shape).copy()
    for k in range(lengths.shape[-1]):
        detour = distance[:, :, k, None] + distance[:, k, None, :]
        shorter = detour < distance - 1e-9
        np.copyto(distance, detour, where=shorter)
        np.copyto(following, np.broadcast_to(following[:, :, k, None], following.shape), where=shorter)
    return distance, following


def walk(following: NDArray[np.int64], start: int, end: int) -> list[tuple[int, int]]:
    """The steps (from, to) of one graph's shortest path, at most as many as there are objects."""
    steps = []
    while start != end and len(steps) < len(following):
        steps.append((start, int(following[start, end])))
        start = steps[-1][1]
    return steps
