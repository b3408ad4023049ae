"""Majority rules: the gold letter that was most frequent with a cue among training items (FrameEvidence, Table 10).

They need no picture. What such a rule gets right, the cue gives away.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.schemas import LETTERS


def majority(letters: NDArray[np.int8]) -> int:
    """The most frequent letter, the first in the alphabet of several.

    >>> majority(np.array([3, 1, 3, 1, 0]))
    1
    """
    return int(np.bincount(letters, minlength=len(LETTERS)).argmax())


def fit_rule(features: Sequence[Hashable], gold: NDArray[np.int8]) -> tuple[dict[Hashable, int], int]:
    """The majority letter of each value of a feature, and that of all items, for values never met.

    >>> fit_rule(["x", "x", "y"], np.array([2, 2, 0]))
    ({'x': 2, 'y': 0}, 2)
    """
    letters: dict[Hashable, list[int]] = {}
    for value, letter in zip(features, gold.tolist(), strict=True):
        letters.setdefault(value, []).append(letter)
    return {value: majority(np.array(found)) for value, found in letters.items()}, majority(gold)


def apply_rule(rule: tuple[dict[Hashable, int], int], features: Sequence[Hashable]) -> NDArray[np.int8]:
    """The letters that a fitted rule answers, (items,).

    >>> apply_rule(({"x": 2}, 1), ["x", "z"]).tolist()
    [2, 1]
    """
    known, fallback = rule
    return np.array([known.get(value, fallback) for value in features], dtype=np.int8)
