"""Puts the CVT items to a responder in the regimes it declares, and makes the tables of its answers."""

from dataclasses import dataclass

import pyarrow as pa

from vantage.items import CVTItems, load_attribute_questions
from vantage.predictions import cvt_table
from vantage.prompts import FILLERS, TARGET_POSITIONS
from vantage_workshop.responders.cvt.mechanism import Answers, Asking, Responder, Retrieved
from vantage_workshop.responders.seeds import generator


@dataclass(frozen=True)
class Given:
    """What a responder answered in one run: relations along the questions, and attributes along theirs where it was asked.

    Both run along all questions; `asking` says which of them were asked.
    """

    asking: Asking
    relations: Answers
    attributes: Retrieved | None


def given_by_run(responder: Responder, items: CVTItems, seed: int) -> dict[str, Given]:
    """What a responder answers in each of its runs, by name: one after another with one generator, so that later ones draw afresh."""
    rng = generator(responder.set, seed)
    found = {}
    for regime in responder.regimes:
        for position in TARGET_POSITIONS if regime in FILLERS else (None,):
            asking = Asking(items, regime, position)
            relations = responder.answer(items, asking, rng)
            attributes = None
            if regime == "attribute_filler":
                attributes = responder.retrieve(items, load_attribute_questions(items.domain), asking, rng)
            name = f"{items.domain}-{regime}-symbolic" + ("" if position is None else f"-{position}")
            found[name] = Given(asking, relations, attributes)
    return found


def _head(responder: Responder, run: str, asking: Asking) -> dict:
    return {
        "set": responder.set,
        "kind": responder.kind,
        "run": run,
        "model": responder.title,
        "regime": asking.regime,
        "representation": "symbolic",
    } | ({} if asking.target_position is None else {"target_position": asking.target_position})


def table(responder: Responder, items: CVTItems, seed: int) -> pa.Table:
    """The predictions of a responder, one run after another."""
    return pa.concat_tables(
        cvt_table(
            items,
            given.relations,
            block=None if given.asking.regime == "isolated" else given.asking.places.block.to_numpy(),
            **_head(responder, run, given.asking),
        )
        for run, given in given_by_run(responder, items, seed).items()
    )
