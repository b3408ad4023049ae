"""Responders in whose letters chance or habit has a part, with or without what the views support."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vantage.schemas import FAMILIES, LETTERS, SPLITS
from vantage.triplets import Triplets
from vantage_workshop.responders.triplets.mechanism import Answers, Request
from vantage_workshop.responders.triplets.views import known

SURE = 0.6
"""Wavering: chance that an item's answer in an execution comes from the views and not from a draw."""

HALF_SEED = 20261202
"""Seed of the half of the groups that the responder with a letter habit knows."""


def uniform(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """Any of the four letters, anew in each execution.

    Expected: accuracy 1/4, GEM 1/64, NTS and DIS 1/16 (Table 4, Uniform random). Two executions, rotated or not: both correct
    1/16, at least one 7/16, the same meaning 1/4. Four rotations: Circular 1/256, consistent 4/256.
    """
    return rng.integers(len(LETTERS), size=len(triplets.gold)).astype(np.int8)


def wavering(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """What the views support with chance SURE, otherwise any of the four letters; anew in each execution and item.

    Expected: with p = SURE + (1 - SURE) / 4 = .7 for the right answer and q = (1 - SURE) / 4 = .1 for each wrong one, accuracy p,
    GEM p^3, NTS and DIS p^2. Two executions, rotated or not: both correct p^2 = .49, at least one 1 - (1 - p)^2 = .91, the
    same meaning p^2 + 3 q^2 = .52. Four rotations: Circular p^4 = .2401, consistent p^4 + 3 q^4 = .2404. So Circular is .46 below
    accuracy although the order of options has no part in any answer.
    """
    sure = rng.random(len(triplets.gold)) < SURE
    return np.where(sure, known(triplets), uniform(triplets, request, rng)).astype(np.int8)


def known_half(triplets: Triplets) -> NDArray[np.bool_]:
    """The items of a fixed half of the groups, in every family and split one half (rounded down)."""
    rng = np.random.default_rng(HALF_SEED)
    half = np.zeros(len(triplets.gold), dtype=bool)
    for family in FAMILIES:
        for split in SPLITS:
            groups = triplets.rows(family, split)
            half[groups[rng.permutation(len(groups))[: len(groups) // 2]]] = True
    return half


def letter_habit(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """What the views support in a fixed half of the groups; in the others the letter A as shown, whatever it stands for.

    Expected: nothing is drawn, so requests in the same order get the same answers. Under rotation r letter A stands for
    option r, so four rotations of an unknown item get four meanings, one of them right: Circular and Consistency are the
    known share, as are both figures of any two different rotations, and accuracy over the four rotations is the known
    share and a quarter of the rest. Accuracy in one order is the known share and what of the rest has its gold there. In
    FQ1 and from MSS to deletion letters differ, so GEM and NTS are the known share; DIS adds unknown groups whose gold is A.
    """
    shown_first = np.int8(request.rotation)
    return np.where(known_half(triplets), known(triplets), shown_first)


def constant_letter(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """The same letter, the run's setting, whatever is asked.

    Expected: accuracy is the share of items with that gold letter. GEM and NTS are 0, because letters differ in FQ1 groups and
    from MSS to deletion; DIS is the share of groups whose MSS has that gold letter.
    """
    return np.full(len(triplets.gold), LETTERS.index(request.setting), dtype=np.int8)
