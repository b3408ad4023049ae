"""Responders that differ in how they treat above and below: what Table S5 shows of each follows from its mechanism.

N is the number of fixed pairs that offer above and below; their vertical component is right or wrong apart from the horizontal
one (`vantage.tracking`).
"""

import numpy as np
from numpy.random import Generator

from vantage.items import CVTItems
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, HORIZONTAL, TOP
from vantage_workshop.responders.cvt.mechanism import Answers, Asking, slipped, truth

MISJUDGED = 0.4
"""Steady heights: chance that a pair's above and below are taken the wrong way round, once for all questions about it."""

SLIP = 0.15
"""Steady heights: chance that the horizontal labels of one answer are replaced."""


def up_is_north(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true answer, but at Top north for above and south for below, in the place of front and behind.

    Expected, vertical component: right at nine viewpoints, silent at Top, so F1 = 18 / 19 and exact 9 / 10. p(v) is 1 or 0, so
    its product over a prefix is the product of the answers: NSC is 0. Horizontal component: right but at Top, where a pair
    is right if it happens to be farther north, too, for what is above. Pairs without above and below: always right.
    """
    true = truth(items)
    flat, height = true & np.uint8(HORIZONTAL), true & np.uint8(ABOVE | BELOW)
    mapped = flat & ~np.uint8(FRONT | BEHIND) | np.where(height == ABOVE, BEHIND, FRONT).astype(np.uint8)
    at_top = (items.questions.viewpoint == TOP).to_numpy() & (height > 0)
    return np.where(at_top, mapped, true).astype(np.uint8)


def forgets_heights(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true answer without above and below.

    Expected, vertical component: never right, F1 = 0, NSC 0 / 0. All else is right. Over all questions with L labels, V of them
    vertical, F1 = 2 (L - V) / (2 L - V). What is not said contradicts nothing: always realizable.
    """
    return truth(items) & np.uint8(HORIZONTAL)


def steady_heights(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """Above or below judged once a pair, now and then wrongly; horizontal labels that slip anew in each answer.

    Expected, vertical component: a pair is right ten times or never. So with a share w of misjudged pairs, F1, exact match and
    survival of any prefix are 1 - w, which is also the maximum: NSC is 1, however large w. Horizontal component: exact 1 - SLIP,
    each answer on its own: NSC about 0.
    """
    true = truth(items)
    flat, height = true & np.uint8(HORIZONTAL), true & np.uint8(ABOVE | BELOW)
    low, high = np.sort(items.questions[["target", "anchor"]].to_numpy(), axis=1).T
    pairs = items.questions.scene + [f"/{one}/{other}" for one, other in zip(low, high, strict=True)]
    asked = sorted(set(pairs[height > 0]))
    wrong = dict(zip(asked, rng.random(len(asked)) < MISJUDGED, strict=True))
    turned = pairs.map(wrong).eq(True).to_numpy() & (height > 0)
    believed = np.where(turned, height ^ np.uint8(ABOVE | BELOW), height)
    return slipped(flat, SLIP, rng) | believed.astype(np.uint8)
