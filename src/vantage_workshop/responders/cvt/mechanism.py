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

from vantage.items import AttributeQuestions, CVTItems, true_relations
from vantage.prompts import SIZES, asked_in, assemble, batches, prompt_text, reply_key
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, LEFT, RIGHT, yaw_of

Answers = NDArray[np.uint8]

LEGAL = np.sort([a | b for a in (0, LEFT, RIGHT) for b in (0, FRONT, BEHIND) if a | b]).astype(np.uint8)
"""The eight answers that a horizontal question allows: one direction, or two at right angles."""

LEGAL_VERTICAL = np.sort([legal | height for legal in LEGAL for height in (ABOVE, BELOW)]).astype(np.uint8)
"""The sixteen answers that a vertical-enriched question allows: one of those, with above or below."""


@dataclass(frozen=True)
class Asking:
    """How a run puts the questions: which scenes share a prompt, what is asked of each, and where in it each question stands.

    In a filler regime `target_position` is the slot of the one scene of each prompt whose relations are asked about.
    """

    items: CVTItems
    regime: str
    target_position: int | None = None

    @cached_property
    def prompts(self) -> list[list[str]]:
        """The scenes of each prompt, in order; irrelevant text may stand in their place."""
        return batches(self.items, SIZES[self.regime][0])

    @cached_property
    def asked(self) -> NDArray[np.bool_]:
        """Which questions about relations are asked, (questions,)."""
        return asked_in(self.items, self.items.questions.scene, self.regime, self.target_position)

    def earlier(self, related: bool) -> dict[str, list[str]]:
        """For each scene those that stand before it in its prompt, the nearest first; if `related`, only those whose relations are
        asked about."""
        counted = related or self.regime == "irrelevant_filler"
        there = set(self.items.questions.scene[self.asked] if counted else self.items.questions.scene)
        return {
            scene: [other for other in reversed(scenes[:slot]) if other in there]
            for scenes in self.prompts
            for slot, scene in enumerate(scenes)
        }

    @cached_property
    def places(self) -> pd.DataFrame:
        """Along the questions: `block` (the prompt), `slot` of the scene in it, and `place` of the question among all of its
        prompt, from 0; and how many `slots` and `questions` the prompt has."""
        return self.places_of(self.items.questions)

    def places_of(self, questions: pd.DataFrame) -> pd.DataFrame:
        """`places` along other questions, those about attributes: a scene has as many of them as about relations."""
        counts = self.items.questions.groupby("scene").size()
        if self.regime == "irrelevant_filler":
            counts = counts.where(counts.index.isin(self.items.questions.scene[self.asked]), 0)
        rows = {}
        for block, scenes in enumerate(self.prompts):
            before = np.cumsum([0, *counts[scenes]])
            rows |= {scene: (block, slot, len(scenes), before[slot], before[-1]) for slot, scene in enumerate(scenes)}
        columns = ["block", "slot", "slots", "place", "questions"]
        places = pd.DataFrame([rows[scene] for scene in questions.scene], columns=columns)
        return places.assign(place=places.place + questions.number.to_numpy() - 1)

    def characters_before(self, questions: pd.DataFrame) -> NDArray[np.int64]:
        """How many characters of the Text/BBox prompt precede each question, of relations or attributes as its scene is asked."""
        return np.array([self._starts[key] for key in zip(questions.scene, questions.number, strict=True)])

    @cached_property
    def _starts(self) -> dict[tuple[str, int], int]:
        """Where each question begins in its prompt, by scene and number; irrelevant text has none: 0."""
        asked = self.items.questions
        starts = dict.fromkeys(zip(asked.scene, asked.number, strict=True), 0)
        numbers = asked.groupby("scene").number.max()
        positions = () if self.target_position is None else (self.target_position,)
        slots = assemble(self.items, self.regime, "text_bbox", target_positions=positions).to_pandas()
        for _, prompt in slots.groupby("prompt"):
            whole, at = prompt_text(prompt), 0
            for slot in prompt.sort_values("position").itertuples():
                at = whole.index(slot.text, at)
                for number in range(numbers[slot.scene] if slot.role != "irrelevant" else 0):
                    key = reply_key(number + 1)
                    starts[slot.scene, number + 1] = whole.index(f"\n{key}: ", at) + 1
                at += len(slot.text)
        return starts


Mechanism = Callable[[CVTItems, Asking, Generator], Answers]

Retrieved = list[tuple[str, ...]]
"""The answers to attribute questions, along `AttributeQuestions.questions`."""

Retrieval = Callable[[CVTItems, AttributeQuestions, Asking, Generator], Retrieved]


def remembered(items: CVTItems, attributes: AttributeQuestions, asking: Asking, rng: Generator) -> Retrieved:
    """What the scene's own dictionary says: always right."""
    return [tuple(answers) for answers in attributes.questions.gold]


@dataclass(frozen=True)
class Responder:
    """A mechanism, its name as a prediction set, what it does in a sentence or two, and where it is run.

    A mechanism that context cannot touch is run in the isolated regime alone, unless its competing run shows what no
    interference looks like. `retrieve` answers the attribute questions of the attribute filler. It is run in a domain where what it
    does makes sense there; filler regimes are of one domain.
    """

    set: str
    title: str
    about: str
    answer: Mechanism
    regimes: tuple[str, ...] = ("isolated",)
    kind: str = "reference"
    retrieve: Retrieval = remembered
    domains: tuple[str, ...] = ("synthetic",)


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


def forgotten(attributes: AttributeQuestions, chance: ArrayLike, rng: Generator) -> Retrieved:
    """The right answers to attribute questions, each question with its chance with one of them wrong, on its own.

    Another of those that the question offers takes its place; where it offers no other, the answer is left out.
    """
    lost, picked = rng.random(len(attributes.gold)) < chance, rng.random((len(attributes.gold), 2))
    given = []
    for gold, offered, wrong, (one, other) in zip(
        attributes.questions.gold, attributes.offered, lost, picked, strict=True
    ):
        answers, rest = list(gold), [word for word in offered if word not in gold]
        if wrong:
            place = int(one * len(answers))
            answers[place : place + 1] = [rest[int(other * len(rest))]] if rest else []
        given.append(tuple(answers))
    return given
