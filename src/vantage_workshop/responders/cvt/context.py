"""Responders whose answers depend on what else is in the prompt.

What the regimes hold apart (Supp. 5), and so which responder must lose in which, against the scene alone:

| before the target stand      | irrelevant filler | attribute filler | competing  |
| ---------------------------- | ----------------- | ---------------- | ---------- |
| as much text                 | yes               | yes              | yes        |
| as many questions            | no                | yes              | yes        |
| other scenes                 | no                | yes              | yes        |
| questions about their layout | no                | no               | yes        |

Each mechanism heeds one of these rows. Its docstring says what must come out, `tests/test_context_responders.py` derives it.
"""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vantage.attributes import answers
from vantage.items import AttributeQuestions, CVTItems
from vantage.relations import asserted, observed
from vantage_workshop.responders.cvt.mechanism import (
    Answers,
    Asking,
    Retrieved,
    forgotten,
    per_object,
    remembered,
    slipped,
    truth,
    yaws,
)

MIX_UP = 0.6
"""Interference and scene mix-up: chance of a mix-up in the last scene of a prompt; it grows linearly from 0 in the first."""

DRIFT = 0.6
"""Drifting: chance of a slip at the last question of a prompt; it grows linearly from 0 at the first."""

TIRING = 0.5
"""Tiring: chance of a slip after a thousand questions; it grows linearly from 0."""

LENGTH = 0.2
"""Length-sensitive: chance of a slip after a hundred thousand characters; it grows linearly from 0."""

RECENCY = 0.6
"""Recency-biased: chance of the wrong dictionary in the last scene of a prompt; it grows linearly from 0 in the first."""


def _along_slots(rate: float, asking: Asking) -> NDArray[np.float64]:
    """A chance that grows linearly over the scenes of a prompt, from 0 to `rate`; 0 where a scene stands alone."""
    return rate * asking.places.slot / np.maximum(asking.places.slots - 1, 1)


def interference(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The relations between the same two tags in an earlier scene that was asked about its relations, more often later in the prompt.

    With chance MIX_UP k / (K - 1) in the k-th of K scenes (from 0) each question on its own; so never in the first scene and
    never where a scene stands alone. Expected: right if isolated and in both fillers, where no other scene is asked about its
    relations; if competing, wrong with that chance wherever the earlier scene says something else.
    """
    return _mixed_up(items, asking, rng, related=True)


def scene_mix_up(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """As `interference`, but any earlier scene that the prompt shows will do, whatever is asked about it.

    Expected: right if isolated and in irrelevant filler, where no other scene is shown; in attribute filler and competing wrong
    with the same chances at the same questions.
    """
    return _mixed_up(items, asking, rng, related=False)


def _mixed_up(items: CVTItems, asking: Asking, rng: Generator, related: bool) -> Answers:
    chance = _along_slots(MIX_UP, asking)
    mixed = rng.random(len(chance)) < chance
    return np.where(mixed, neighbours(items, asking, related), truth(items)).astype(np.uint8)


def neighbours(items: CVTItems, asking: Asking, related: bool) -> Answers:
    """What each question's answer would be in the nearest earlier scene of its prompt that has both tags.

    `related` is as `Asking.earlier` has it. Where no earlier scene has both, there is nothing to mix up: the answer of the scene
    itself.
    """
    plane = per_object(items, lambda thing: thing["plane"])
    earlier = asking.earlier(related)
    offsets = []
    for scene, target, anchor in items.questions[["scene", "target", "anchor"]].itertuples(index=False):
        both = (other for other in earlier[scene] if {(other, target), (other, anchor)} <= plane.keys())
        source = next(both, scene)
        offsets.append(plane[source, target] - plane[source, anchor])
    return asserted(observed(offsets, yaws(items)), items.margins)


def drifting(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true answer, replaced by another one more and more often along the prompt.

    With chance DRIFT j / (J - 1) at the j-th of J questions (from 0), each on its own. Expected: exact 1 - DRIFT j / (J - 1), so
    1 - DRIFT / 2 over every prompt, be it long or short: no gap between isolated and competing, though accuracy falls within scenes
    in one and from scene to scene in the other. Irrelevant filler holds no questions, so it is as isolated; attribute filler
    holds as many, so it is as competing.
    """
    return slipped(truth(items), _drift(items.questions, asking), rng)


def drifting_attributes(items: CVTItems, attributes: AttributeQuestions, asking: Asking, rng: Generator) -> Retrieved:
    """Attributes drift as relations do."""
    return forgotten(attributes, _drift(attributes.questions, asking), rng)


def _drift(questions, asking: Asking) -> NDArray[np.float64]:
    places = asking.places_of(questions)
    return (DRIFT * places.place / (places.questions - 1)).to_numpy()


def tiring(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true answer, replaced by another one with a chance that grows with the number of questions answered before.

    With chance TIRING j / 1000 after j questions of any kind. Expected: nearly right if isolated and, with the same chances, in
    irrelevant filler; in attribute filler and competing worse, by as much, with the scene's place in the prompt.
    """
    return slipped(truth(items), _tiredness(items.questions, asking), rng)


def tiring_attributes(items: CVTItems, attributes: AttributeQuestions, asking: Asking, rng: Generator) -> Retrieved:
    """Attributes tire as relations do."""
    return forgotten(attributes, _tiredness(attributes.questions, asking), rng)


def _tiredness(questions, asking: Asking) -> NDArray[np.float64]:
    return (TIRING * asking.places_of(questions).place / 1000).to_numpy()


def length_sensitive(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true answer, replaced by another one with a chance that grows with the text before the question, whatever that says.

    With chance LENGTH c / 100,000 after c characters of the Text/BBox prompt. Expected: nearly right if isolated; in both
    fillers and competing worse by as much, as far as their texts are equally long.
    """
    return slipped(truth(items), _load(items.questions, asking), rng)


def length_sensitive_attributes(
    items: CVTItems, attributes: AttributeQuestions, asking: Asking, rng: Generator
) -> Retrieved:
    """Attributes suffer from length as relations do."""
    return forgotten(attributes, _load(attributes.questions, asking), rng)


def _load(questions, asking: Asking) -> NDArray[np.float64]:
    return LENGTH * asking.characters_before(questions) / 100_000


def recency_biased(items: CVTItems, attributes: AttributeQuestions, asking: Asking, rng: Generator) -> Retrieved:
    """The answer by the dictionary of the scene before, more often later in the prompt.

    With chance RECENCY k / (K - 1) in the k-th of K scenes (from 0), each question on its own. Where the scene before has no answer,
    or one that the question does not offer, the scene's own dictionary is read. Expected: relations are always right; retrieval
    falls with the place in the prompt, wrong with that chance wherever the scene before gives another answer.
    """
    places = asking.places_of(attributes.questions)
    mixed = rng.random(len(places)) < RECENCY * places.slot / (places.slots - 1)
    own, before = remembered(items, attributes, asking, rng), of_scene_before(items, attributes, asking)
    return [other if wrong else right for right, other, wrong in zip(own, before, mixed, strict=True)]


def of_scene_before(items: CVTItems, attributes: AttributeQuestions, asking: Asking) -> Retrieved:
    """What each attribute question's answer would be in the scene before it in its prompt; the scene's own where that gives none
    that the question offers."""
    objects = {scene["scene"]: scene["objects"] for scene in items.scenes}
    earlier = asking.earlier(related=False)
    found = []
    for question, offered in zip(attributes.questions.itertuples(), attributes.offered, strict=True):
        given = [answers(question.asks, objects[other]) for other in earlier[question.scene][:1]]
        fitting = [words for words in given if words and set(words) <= set(offered)]
        found.append(fitting[0] if fitting else tuple(question.gold))
    return found
