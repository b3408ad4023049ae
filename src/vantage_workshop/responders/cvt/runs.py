"""Puts the CVT items to a responder in the regimes it declares, and makes the table of its answers."""

import pyarrow as pa

from vantage.items import CVTItems
from vantage.predictions import cvt_table
from vantage_workshop.responders.cvt.mechanism import Answers, Asking, Responder
from vantage_workshop.responders.seeds import generator


def answers_by_regime(responder: Responder, items: CVTItems, seed: int) -> dict[str, Answers]:
    """What a responder answers in each of its regimes, one after another with one generator: later ones draw afresh."""
    rng = generator(responder.set, seed)
    return {regime: responder.answer(items, Asking(items, regime), rng) for regime in responder.regimes}


def table(responder: Responder, items: CVTItems, seed: int) -> pa.Table:
    """The predictions of a responder, one run a regime."""
    return pa.concat_tables(
        cvt_table(
            items,
            answers,
            block=None if regime == "isolated" else Asking(items, regime).places.block.to_numpy(),
            set=responder.set,
            kind=responder.kind,
            run=f"{items.domain}-{regime}-symbolic",
            model=responder.title,
            regime=regime,
            representation="symbolic",
        )
        for regime, answers in answers_by_regime(responder, items, seed).items()
    )
