"""What responders for CVT items share: how one is declared, how questions are put to it, and what it can read.

A mechanism takes the items, how they are asked and a random generator, and gives one relation set a question. It reads
the items themselves, never a prompt: its representation is `symbolic`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vantage.items import CVTItems, true_relations
from vantage.prompts import SIZES, batches
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, LEFT, RIGHT, yaw_of

Answers = NDArray[np.uint8]

LEGAL = np.sort([a | b for a in (0, LEFT, RIGHT) for b in (0, FRONT, BEHIND) if a | b]).astype(np.uint8)
"""The eight answers that a horizontal question allows: one direction, or two at right angles."""

LEGAL_VERTICAL = np.sort([legal | height for legal in LEGAL for height in (ABOVE, BELOW)]).astype(np.uint8)
"""The sixteen answers that a vertical-enriched question allows: one of those, with above or below."""


@dataclass(frozen=True)
class Asking:
    """How a regime puts the questions: which scenes share a prompt, and where in it each question stands."""

    items: CVTItems
    regime: str

    @cached_property
    def prompts(self) -> list[list[str]]:
        """The scenes of each prompt, in order."""
        return batches(self.items, SIZES[self.regime][0])

    @cached_property
    def places(self) -> pd.DataFrame:
        """Along the questions: `block` (the prompt), `slot` of the scene in it, and `place` of the question among all of its
        prompt, from 0; and how many `slots` and `questions` the prompt has."""
        slots = {
            scene: (block, slot, len(scenes))
            for block, scenes in enumerate(self.prompts)
            for slot, scene in enumerate(scenes)
        }
        rows = self.items.questions
        places = pd.DataFrame([slots[scene] for scene in rows.scene], columns=["block", "slot", "slots"])
        in_order = places.assign(number=rows.number).sort_values(["block", "slot", "number"]).groupby("block")
        return places.assign(place=in_order.cumcount(), questions=in_order.block.transform("size"))


Mechanism = Callable[[CVTItems, Asking, Generator], Answers]


@dataclass(frozen=True)
class Responder:
    """A mechanism, its name as a prediction set, what it does in a sentence or two, and where it is run.

    A mechanism that context cannot touch is run in the isolated regime alone, unless its competing run shows what no
    interference looks like.
    """

    set: str
    title: str
    about: str
    answer: Mechanism
    regimes: tuple[str, ...] = ("isolated",)
    kind: str = "reference"


def yaws(items: CVTItems) -> NDArray[np.int64]:
    """The yaw of each question, degrees."""
    return items.questions.viewpoint.map(yaw_of).to_numpy()


def truth(items: CVTItems) -> Answers:
    """The true relations of the true layout, turned to the viewpoint that is asked for."""
    return true_relations(items)


def per_object(items: CVTItems, value: Callable[[dict], ArrayLike]) -> dict[tuple[str, int], NDArray[np.float64]]:
    """A value of every tagged object, by scene and tag."""
    return {
        (scene["scene"], thing["tag"]): np.asarray(value(thing), dtype=float)
        for scene in items.scenes
        for thing in scene["objects"]
        if thing["tag"] is not None
    }


def of_ends(items: CVTItems, values: Mapping[tuple[str, int], NDArray[np.float64]]) -> NDArray[np.float64]:
    """The values of each question's target and anchor, (2, questions, ...)."""
    asked = items.questions
    return np.array(
        [[values[end] for end in zip(asked.scene, tags, strict=True)] for tags in (asked.target, asked.anchor)]
    )


def slipped(answers: Answers, chance: ArrayLike, rng: Generator) -> Answers:
    """Answers, each replaced with its chance by one of the other legal ones, every question on its own.

    An answer with above or below has fifteen others, one without has seven.
    """
    vertical = (answers & (ABOVE | BELOW)) > 0
    other = np.empty_like(answers)
    for asked, legal in ((~vertical, LEGAL), (vertical, LEGAL_VERTICAL)):
        steps = rng.integers(1, len(legal), asked.sum())
        other[asked] = legal[(np.searchsorted(legal, answers[asked]) + steps) % len(legal)]
    return np.where(rng.random(len(answers)) < chance, other, answers).astype(np.uint8)
