"""Answers of four-option questions as small integers: the letters A-D and what they mean (FrameEvidence, Section 3).

Letters A, B, C, D are 0, 1, 2, 3. An invalid or missing answer is -1: never right, never equal to another answer, and
never converted to a guess (Appendix A). The statistics of both families take answers and gold as such codes.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vantage.errors import InputError

LETTERS = 4
"""How many options a question has."""

INVALID = -1
"""The answer that could not be read, or is missing."""


def checked(
    values: ArrayLike,
    name: str,
    shape: tuple[int | None, ...],
    *,
    invalid: bool = False,
    codes: int | None = LETTERS,
) -> NDArray[np.integer]:
    """`values` as an array of codes, once they are what they must be.

    `shape` has None where any length will do; `codes` is how many codes there are, or None for any that is not
    negative; `invalid` says whether -1 may occur. `name` says in messages whose values these are. Raises `InputError`.

    >>> checked([[0, -1, 3]], "answers", (None, 3), invalid=True).tolist()
    [[0, -1, 3]]
    """
    array = np.asarray(values)
    fits = array.ndim == len(shape) and all(want in (None, has) for want, has in zip(shape, array.shape, strict=True))
    if not fits:
        wanted = ", ".join("any" if length is None else str(length) for length in shape)
        raise InputError(
            f"{name}: expected shape ({wanted}), found {array.shape}; give one value for each item, in the same order"
        )
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise InputError(f"{name}: expected whole numbers, found {array.dtype}; code A-D as 0-3")
    array = array if array.size else array.astype(np.int8)
    lowest = INVALID if invalid else 0
    bad = (array < lowest) | ((array >= codes) if codes is not None else False)
    if bad.any():
        place = tuple(int(index) for index in np.argwhere(bad)[0])
        upper = "or more" if codes is None else f"to {codes - 1}"
        remedy = "an unreadable answer is -1" if invalid else "gold is never missing"
        raise InputError(
            f"{name}: expected codes {lowest} {upper}, found {int(array[place])} at {', '.join(map(str, place))}; "
            f"correct it ({remedy})"
        )
    return array


def correct(answers: ArrayLike, gold: ArrayLike) -> NDArray[np.bool_]:
    """Whether each answer is the gold one, shaped like `answers` and `gold`; -1 never is.

    Letters, or meanings of both. Raises `InputError` for shapes that differ.

    >>> correct(np.array([0, -1, 2]), np.array([0, 1, 1])).tolist()
    [True, False, False]
    """
    shape = np.shape(gold)
    return checked(answers, "answers", shape, invalid=True, codes=None) == checked(gold, "gold", shape, codes=None)


def meanings(answers: ArrayLike, options: ArrayLike) -> NDArray[np.integer]:
    """What answers mean, shaped like `answers`, from the meanings of each item's options; -1 stays -1.

    `answers` (..., ) are letters; `options` (..., 4) codes of what A, B, C and D mean, each meaning once. Where a group
    keeps its option order, as in both families, equal letters are equal meanings, and either may be compared. Raises
    `InputError` for shapes that do not fit and for an item with two options of one meaning.

    >>> meanings(np.array([0, 3, -1]), np.array([[5, 6, 7, 8], [8, 7, 6, 5], [5, 6, 7, 8]])).tolist()
    [5, 5, -1]
    """
    answers = checked(answers, "answers", (None,) * np.ndim(answers), invalid=True)
    options = checked(options, "options", (*answers.shape, LETTERS), codes=None)
    doubled = (np.diff(np.sort(options, axis=-1), axis=-1) == 0).any(axis=-1)
    if doubled.any():
        place = tuple(int(index) for index in np.argwhere(doubled)[0])
        raise InputError(
            f"options: expected four different meanings, found {options[place].tolist()} at "
            f"{', '.join(map(str, place))}; correct the item"
        )
    # An index of -1 would take D's meaning; it is replaced afterwards.
    chosen = np.take_along_axis(options, answers[..., None].astype(np.intp) % LETTERS, axis=-1)[..., 0]
    return np.where(answers == INVALID, INVALID, chosen)


def share(flags: NDArray[np.bool_]) -> float:
    """The share of flags that are set, a fraction; not a number without flags."""
    return float(flags.mean()) if flags.size else float("nan")
