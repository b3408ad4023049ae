"""Responders whose answers depend on what else is in the prompt."""

import numpy as np
from numpy.random import Generator

from vantage.items import CVTItems
from vantage.relations import observed, relation_set
from vantage_workshop.responders.cvt.mechanism import Answers, Asking, per_object, slipped, truth, yaws

MIX_UP = 0.6
"""Interference: chance of a mix-up in the last scene of a prompt; it grows linearly from 0 in the first."""

DRIFT = 0.6
"""Drifting: chance of a slip at the last question of a prompt; it grows linearly from 0 at the first."""


def interference(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The relations between the same two tags in an earlier scene, more often later in the prompt.

    With chance MIX_UP k / (K - 1) in the k-th of K scenes (from 0) each question on its own; so never in the first scene and
    never where a scene stands alone. Expected: right if isolated; if competing, wrong with that chance wherever the
    earlier scene says something else.
    """
    places = asking.places
    chance = MIX_UP * places.slot / np.maximum(places.slots - 1, 1)
    return np.where(rng.random(len(chance)) < chance, neighbours(items, asking), truth(items)).astype(np.uint8)


def neighbours(items: CVTItems, asking: Asking) -> Answers:
    """What each question's answer would be in the nearest earlier scene of its prompt that has both tags.

    Where no earlier scene has both, there is nothing to mix up: the answer of the scene itself.
    """
    plane = per_object(items, lambda thing: thing["plane"])
    earlier = {scene: scenes[:slot][::-1] for scenes in asking.prompts for slot, scene in enumerate(scenes)}
    offsets = []
    for scene, target, anchor in items.questions[["scene", "target", "anchor"]].itertuples(index=False):
        both = (other for other in earlier[scene] if {(other, target), (other, anchor)} <= plane.keys())
        source = next(both, scene)
        offsets.append(plane[source, target] - plane[source, anchor])
    return relation_set(observed(offsets, yaws(items)))


def drifting(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true answer, replaced by another one more and more often along the prompt.

    With chance DRIFT j / (J - 1) at the j-th of J questions (from 0), each on its own. Expected: exact 1 - DRIFT j / (J - 1), so
    1 - DRIFT / 2 over every prompt, be it long or short: no gap between the regimes, though accuracy falls within scenes
    in one and from scene to scene in the other.
    """
    places = asking.places
    return slipped(truth(items), DRIFT * places.place / (places.questions - 1), rng)
