"""Responders that read the layout from the views shown, each with one way of its own.

What they mean is a direction or insufficiency; a direction that an FQ2 item does not offer is no letter, so an invalid reply, and
so is insufficiency in FQ1. Derivations use what is proved of every group (`vantage.layout_proofs`): FQ1's views and FQ2's MSS and
addition support the gold direction, a single view of FQ1 or of an MSS supports none, a deletion supports none.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.random import Generator

from vantage.layout_proofs import as_presented
from vantage.layouts import INSUFFICIENT, Frame, Observation, Question, supported
from vantage.triplets import Triplets
from vantage_workshop.responders.triplets.mechanism import Answers, Mechanism, Request, letters

Views = Mapping[str, Observation]
"""What is shown, by view and in the order shown."""


def seen_from(views: Views, question: Question, camera: str) -> str:
    """The direction with this camera's heading as front, or `INSUFFICIENT` where its view is not connected with target and relatum."""
    return supported(views, replace(question, frame=Frame("camera", camera)))


def one_view(views: Views, question: Question) -> str:
    """From the first view alone that shows both target and relatum: in the frame asked for if that view supports it, otherwise in
    that view's own camera frame. Insufficient where no view shows both.

    Expected: in FQ1 no view shows both, so every reply is invalid. In an MSS no view alone supports the answer, so it is right
    only by coincidence: where the first view that shows both faces so that its own frame gives the gold direction. Deletion
    is right exactly where no view left shows both. Only an added view can support the answer alone. How often is a count of
    the items.
    """
    for view, shown in views.items():
        if {question.target, question.relatum} <= shown.keys():
            alone = {view: shown}
            said = supported(alone, question)
            return seen_from(alone, question, view) if said == INSUFFICIENT else said
    return INSUFFICIENT


def camera_only(views: Views, question: Question) -> str:
    """From all views, with the heading of the first image's camera as front, whatever frame is asked for.

    Expected: FQ1 asks about the same images and objects three times, so the three answers are the same: every group is frame
    invariant, at least one of two answers with different gold is wrong (Table 31: Same all pairs, Both none), and GEM is 0.
    An MSS hangs together, so it is never called insufficient. Deletion is right exactly where target, relatum and the first
    image left are not connected. Right directions are a count of the items.
    """
    return seen_from(views, question, next(iter(views)))


def anchor_blind(views: Views, question: Question) -> str:
    """What the views support; where they connect target and relatum but not what fixes the frame, the direction with the heading of
    the first camera connected with both as front.

    Expected: right wherever views support an answer, so in FQ1, MSS and addition: GEM and DIS 1. Deletion is right exactly
    where it breaks the chain between target and relatum, and NTS is the share of such groups.
    """
    said = supported(views, question)
    for camera in views:
        if said == INSUFFICIENT:
            said = seen_from(views, question, camera)
    return said


def by_views(reading: Callable[[Views, Question], str]) -> Mechanism:
    """The mechanism that reads what an item's views show in this way."""

    def answer(triplets: Triplets, request: Request, rng: Generator) -> Answers:
        shown = triplets.questions["views"]
        return letters(
            triplets, [reading(triplets.observed(views), triplets.question(row)) for row, views in enumerate(shown)]
        )

    return answer


@cache
def known(triplets: Triplets) -> Answers:
    """The letter of what each item's views support in the frame asked for, as bound in the base set."""
    return by_views(supported)(triplets, Request(), np.random.default_rng())


def oracle(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """What the views shown support in the frame asked for, as bound in the base set; insufficient otherwise.

    Expected: everything right, in every rotation and repeat, since the gold answers are theorems of the layout.
    """
    return known(triplets)


def ordinal_literal(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """What the views shown support if an image number is read in the order in which the images are now shown; insufficient where there
    is no image of that number.

    Expected: numbers are bound in the base set and an addition keeps the image they name, so FQ1, MSS and addition are right: GEM
    and DIS 1. Deletion is wrong exactly where the number now names an image in whose frame the views left support a
    direction. Where it still names the same image (stable) or the question has no number (none), NTS is 1.
    """
    now = [as_presented(triplets, row) for row in range(len(triplets.gold))]
    literal = letters(triplets, [INSUFFICIENT if said in (None, "out of range") else said for said in now])
    return np.where([said is None for said in now], known(triplets), literal).astype(np.int8)


def never_insufficient(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """What the views support, and one of the three directions offered, at random, instead of insufficiency.

    Expected: GEM and DIS 1, every deletion wrong: NTS 0. After a correct MSS its deletion repeats that direction with
    chance 1/3 (Table 20, Original).
    """
    other = (triplets.insufficient + 1 + rng.integers(3, size=len(triplets.gold))) % 4
    return np.where(known(triplets) == triplets.insufficient, other, known(triplets)).astype(np.int8)


def always_insufficient(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """What the views support in FQ1, and insufficiency in every item that offers it.

    Expected: GEM 1; every deletion right, no MSS and no addition, so NTS and DIS 0. Insufficiency has recall 1 and precision
    1/3, since one of three FQ2 conditions calls for it.
    """
    return np.where(triplets.insufficient < 0, known(triplets), triplets.insufficient).astype(np.int8)
