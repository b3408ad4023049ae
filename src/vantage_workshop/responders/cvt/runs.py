"""Puts the CVT items to a responder in the regimes it declares, and makes the tables of its answers."""

from dataclasses import dataclass

import pyarrow as pa

from vantage.items import CVTItems, load_attribute_questions
from vantage.predictions import attribute_table, cvt_table
from vantage.prompts import FILLER_DOMAINS, FILLERS, TARGET_POSITIONS
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


def askings(responder: Responder, items: CVTItems) -> list[Asking]:
    """The runs of a responder on these items: one a regime, and in filler regimes one a target position, where the domain has them."""
    return [
        Asking(items, regime, position)
        for regime in responder.regimes
        if regime not in FILLERS or items.domain in FILLER_DOMAINS
        for position in (TARGET_POSITIONS if regime in FILLERS else (None,))
    ]


def given_by_run(responder: Responder, items: CVTItems, seed: int) -> dict[str, Given]:
    """What a responder answers in each of its runs, by name: one after another with one generator, so that later ones draw afresh."""
    rng = generator(responder.set, seed)
    found = {}
    for asking in askings(responder, items):
        relations, attributes = responder.answer(items, asking, rng), None
        if asking.regime == "attribute_filler":
            attributes = responder.retrieve(items, load_attribute_questions(items.domain), asking, rng)
        position = "" if asking.target_position is None else f"-{asking.target_position}"
        found[f"{items.domain}-{asking.regime}-symbolic{position}"] = Given(asking, relations, attributes)
    return found


def tables(responder: Responder, items: CVTItems, seed: int) -> tuple[pa.Table, pa.Table | None]:
    """The predictions of a responder, one run after another: about relations, and about attributes where it was asked of any."""
    relations, attributes = [], []
    for run, given in given_by_run(responder, items, seed).items():
        asking = given.asking
        head = {
            "set": responder.set,
            "kind": responder.kind,
            "run": run,
            "model": responder.title,
            "representation": "symbolic",
        }
        filler = {} if asking.target_position is None else {"target_position": asking.target_position}
        block = None if asking.regime == "isolated" else asking.places.block.to_numpy()
        relations.append(cvt_table(items, given.relations, block=block, regime=asking.regime, **head, **filler))
        if given.attributes is not None:
            asked = load_attribute_questions(items.domain)
            block = asking.places_of(asked.questions).block.to_numpy()
            attributes.append(attribute_table(asked, given.attributes, block=block, **head, **filler))
    return pa.concat_tables(relations), pa.concat_tables(attributes) if attributes else None
