"""Reference responders for CVT items.

A responder takes the items, each question's displacement in the canonical frame and a random generator, and gives one
relation set a question. It reads the items themselves, never a prompt: its representation is `symbolic`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vantage.items import CVTItems, displacements
from vantage.relations import BEHIND, FRONT, LEFT, RIGHT, observed, opposite, relation_set, yaw_of

Answers = NDArray[np.uint8]

FLIP = 0.15
"""Noisy source: chance that a pair's left/right, and independently its front/behind, is taken the wrong way round."""

SLIP = 0.3
"""Independent noise: chance that one answer is replaced by another one."""

_LEGAL = np.array([a | b for a in (0, LEFT, RIGHT) for b in (0, FRONT, BEHIND) if a | b], dtype=np.uint8)


@dataclass(frozen=True)
class Responder:
    """A mechanism, its name as a prediction set, and what it does in a sentence or two."""

    set: str
    title: str
    about: str
    answer: Callable[[CVTItems, Generator], Answers]


def _yaws(items: CVTItems) -> NDArray[np.int64]:
    return items.questions.viewpoint.map(yaw_of).to_numpy()


def source_relations(items: CVTItems) -> Answers:
    """The relation set of each question's pair as the source view shows it."""
    return relation_set(displacements(items))


def oracle(items: CVTItems, rng: Generator) -> Answers:
    """The true relations of the true layout, turned to the viewpoint that is asked for."""
    return relation_set(observed(displacements(items), _yaws(items)))


def egocentric(items: CVTItems, rng: Generator) -> Answers:
    """The source answer at every viewpoint."""
    return source_relations(items)


def half_turn_reverser(items: CVTItems, rng: Generator) -> Answers:
    """The source answer, reversed at 180 degrees."""
    source = source_relations(items)
    return np.where(_yaws(items) == 180, opposite(source), source).astype(np.uint8)


def noisy_source(items: CVTItems, rng: Generator) -> Answers:
    """A believed layout of each pair with wrong signs in it, turned exactly."""
    # A pair is believed the same way in both directions and at every viewpoint, so one draw serves all its questions.
    ends = np.sort(items.questions[["target", "anchor"]].to_numpy(), axis=1)
    pairs = items.questions.scene + [f"/{low}/{high}" for low, high in ends]
    place = {pair: row for row, pair in enumerate(sorted(set(pairs)))}
    signs = np.where(rng.random((len(place), 2)) < FLIP, -1.0, 1.0)
    return relation_set(observed(displacements(items) * signs[pairs.map(place)], _yaws(items)))


def independent_noise(items: CVTItems, rng: Generator) -> Answers:
    """The true answer, replaced now and then by one of the seven others, each time afresh."""
    truth = oracle(items, rng)
    place = np.searchsorted(np.sort(_LEGAL), truth)
    other = np.sort(_LEGAL)[(place + rng.integers(1, len(_LEGAL), len(truth))) % len(_LEGAL)]
    return np.where(rng.random(len(truth)) < SLIP, other, truth).astype(np.uint8)


def label_omitter(items: CVTItems, rng: Generator) -> Answers:
    """One correct label, left or right where there is one."""
    truth = oracle(items, rng)
    lateral = truth & np.uint8(LEFT | RIGHT)
    return np.where(lateral, lateral, truth).astype(np.uint8)


def complete_inverter(items: CVTItems, rng: Generator) -> Answers:
    """The opposite of every true label."""
    return opposite(oracle(items, rng))


RESPONDERS = (
    Responder("reference_oracle", "Oracle", "Knows the layout and turns it exactly: always right.", oracle),
    Responder(
        "reference_egocentric",
        "Egocentric",
        "Gives the source view's answer at every viewpoint; at Top it says north for behind and south for front.",
        egocentric,
    ),
    Responder(
        "reference_half_turn",
        "Half-turn reverser",
        "Reverses the source answer at 180 degrees and is right at 0, 180, 360 and Top; at quarter turns and diagonals it "
        "gives the source answer.",
        half_turn_reverser,
    ),
    Responder(
        "reference_noisy_source",
        "Noisy source",
        f"Misjudges the source view: takes a pair's left/right, and independently its front/behind, the wrong way round with "
        f"chance {FLIP}, once for all questions about the pair. Then turns what it believes exactly.",
        noisy_source,
    ),
    Responder(
        "reference_independent_noise",
        "Independent noise",
        f"Knows the right answer and replaces it with chance {SLIP}, each question on its own, by one of the seven other "
        "answers with equal chance.",
        independent_noise,
    ),
    Responder(
        "reference_label_omitter",
        "Label omitter",
        "Gives one correct label where two hold: left or right. Never says anything false.",
        label_omitter,
    ),
    Responder(
        "reference_complete_inverter",
        "Complete inverter",
        "Gives the opposite of every true label at every viewpoint.",
        complete_inverter,
    ),
)
"""All reference responders for CVT items, in the order of tables and legends."""
