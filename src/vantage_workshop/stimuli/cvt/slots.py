"""Which scenes share a slot of their filler prompts, so that the counts behind Tables S12 and S13 exist.

A scene's place in the frozen order decides its prompt and its slot there, and so how many attribute questions are asked in each
slot. The tables print shares of these questions. Only some totals have a whole number of right answers that prints so.
"""

import itertools
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vantage.prompts import TARGET_POSITIONS
from vantage.published import counts_as_printed, load_published

PROMPT_SCENES = 20
"""Scenes of a filler prompt (Supp. 5)."""

TABLES = ("Table S12", "Table S13")


def share_slots(questions: Sequence[int], halves: Sequence[str]) -> list[int]:
    """An order of scenes, as their places before it, for which every printed share is one of whole questions.

    `questions` are those about each scene, `halves` its density: only scenes of one density change places (Supp. 1.4). The swap that
    makes most shares attainable is made, the first of equal ones, again and again, so few scenes move. Raises `RuntimeError` where
    none helps any more.
    """
    order, asked = np.arange(len(questions)), np.array(questions)
    swaps = [pair for pair in itertools.combinations(order, 2) if halves[pair[0]] == halves[pair[1]]]
    while left := unattainable(asked[order]):
        swapped = [_swapped(order, pair) for pair in swaps]
        fewer = [unattainable(asked[other]) for other in swapped]
        if min(fewer) >= left:
            raise RuntimeError(
                f"expected an order of scenes for Tables S12 and S13, still {left} shares of no whole count"
            )
        order = swapped[int(np.argmin(fewer))]
    return order.tolist()


def unattainable(asked: NDArray[np.int64]) -> int:
    """How many printed shares no count can give, with so many questions about each scene, in the frozen order."""
    of_slot = asked.reshape(-1, PROMPT_SCENES).sum(axis=0)
    return sum(_missed(slot, int(questions)) for slot, questions in enumerate(of_slot))


@cache
def _missed(slot: int, questions: int) -> int:
    # The scenes of a slot are filler in all runs but those whose target is in this slot.
    total = questions * (len(TARGET_POSITIONS) - (slot in TARGET_POSITIONS))
    return sum(not counts_as_printed(percent, decimals, total) for percent, decimals in _shares()[slot])


@cache
def _shares() -> dict[int, list[tuple[float, int]]]:
    """The printed shares of each slot and their decimals."""
    printed = load_published("cvt").query("place in @TABLES and column != 'All'")
    slots = printed["column"].str.removeprefix("Position ").astype(int)
    return {
        slot: list(zip(rows["value"], rows["decimals"], strict=True))
        for slot, rows in printed.groupby(slots.to_numpy())
    }


def _swapped(order: NDArray[np.int64], pair: tuple[int, int]) -> NDArray[np.int64]:
    other = order.copy()
    other[list(pair)] = order[list(pair[::-1])]
    return other
