"""One relation in three reference frames (FQ1): group exact match and changes from frame to frame (FrameEvidence, 3 and F.2).

`answers` and `gold` are (groups, 3) in the order camera, object, scene; an invalid or missing answer is -1. They are
letters, or meanings of them (`vantage.letters.meanings`): a group keeps its option order, so equal letters are equal
meanings and both give the same.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vantage.letters import INVALID, checked, correct, share

FRAMES = ("camera", "object", "scene")
"""The frames in the order of the columns."""

FRAME_PAIRS = ((0, 1), (0, 2), (1, 2))
"""The columns of camera-object, camera-scene and object-scene (F.2)."""


class FramePairs(NamedTuple):
    """The pairs of frames of each group, each (groups, 3) flags, pairs in the order of `FRAME_PAIRS`.

    `gold_change`: the gold answers differ. `same`, `change`, `invalid`: both answers are valid and equal, both valid and
    different, one invalid at least; exactly one of the three is set. `both`: both answers are right.
    """

    gold_change: NDArray[np.bool_]
    same: NDArray[np.bool_]
    change: NDArray[np.bool_]
    invalid: NDArray[np.bool_]
    both: NDArray[np.bool_]


class PairCells(NamedTuple):
    """Counts of frame pairs, each (2, 3): rows gold unchanged and changed, columns same, change and invalid.

    `pairs` counts all pairs of a cell, `both` those with two right answers.
    """

    pairs: NDArray[np.int64]
    both: NDArray[np.int64]


def matched_frames(answers: ArrayLike, gold: ArrayLike) -> NDArray[np.bool_]:
    """Which groups are answered rightly in all three frames, (groups,). Raises `InputError` for other shapes than (groups, 3)."""
    gold = checked(gold, "gold", (None, len(FRAMES)), codes=None)
    return correct(answers, gold).all(axis=1)


def gem(answers: ArrayLike, gold: ArrayLike) -> float:
    """FQ1-GEM, group exact match: the share of groups with three right answers, a fraction (Section 3).

    FQ1-GEM = (1 / n) sum over groups of c_camera c_object c_scene. Not a number without groups.

    >>> gem(np.array([[0, 1, 2], [0, 0, 2]]), np.array([[0, 1, 2], [0, 1, 2]]))
    0.5
    """
    return share(matched_frames(answers, gold))


def invariant_frames(answers: ArrayLike) -> NDArray[np.bool_]:
    """Which groups get one and the same answer in all three frames, (groups,); no answer of them is invalid (Table 20).

    As gold differs between frames, such a group is not matched.

    >>> invariant_frames(np.array([[2, 2, 2], [2, 2, 1], [-1, -1, -1]])).tolist()
    [True, False, False]
    """
    answers = checked(answers, "answers", (None, len(FRAMES)), invalid=True, codes=None)
    return (answers == answers[:, :1]).all(axis=1) & (answers[:, 0] != INVALID)


def frame_pairs(answers: ArrayLike, gold: ArrayLike) -> FramePairs:
    """What happens to gold and to the answers between two frames of a group (F.2, Table 31).

    The column sums over all pairs are the row of Table 31: `same`, `change` and `both`.

    >>> pairs = frame_pairs(np.array([[0, 0, 2]]), np.array([[0, 1, 2]]))
    >>> pairs.same.tolist(), pairs.both.tolist()
    ([[True, False, False]], [[False, True, False]])
    """
    gold = checked(gold, "gold", (None, len(FRAMES)), codes=None)
    answers = checked(answers, "answers", gold.shape, invalid=True, codes=None)
    first, second = (answers[:, list(columns)] for columns in zip(*FRAME_PAIRS, strict=True))
    gold_first, gold_second = (gold[:, list(columns)] for columns in zip(*FRAME_PAIRS, strict=True))
    valid = (first != INVALID) & (second != INVALID)
    return FramePairs(
        gold_first != gold_second,
        valid & (first == second),
        valid & (first != second),
        ~valid,
        (first == gold_first) & (second == gold_second),
    )


def pair_cells(pairs: FramePairs) -> PairCells:
    """All pairs parted by what gold does and what the answers do, with joint correctness in each cell (F.2).

    The false-change rate, the share of changes where gold stays, is `pairs[0, 1] / pairs[0].sum()`; FQ1's test pairs
    all change, so it cannot be had there. Pass pairs of some groups or of one pair of frames for their own cells.

    >>> pair_cells(frame_pairs(np.array([[0, 0, -1]]), np.array([[0, 1, 1]]))).pairs.tolist()
    [[0, 0, 1], [1, 0, 1]]
    """
    gold = np.stack([~pairs.gold_change, pairs.gold_change])[:, None]
    answered = np.stack([pairs.same, pairs.change, pairs.invalid])[None]
    flags = gold & answered
    places = tuple(range(2, flags.ndim))
    return PairCells(flags.sum(axis=places), (flags & pairs.both).sum(axis=places))
