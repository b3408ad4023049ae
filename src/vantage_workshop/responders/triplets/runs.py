"""Puts FrameEvidence-Open to a responder in each of its requests, and makes the table of its answers."""

import numpy as np
import pyarrow as pa

from vantage.predictions import ANSWERED, INVALID, NOT_ASKED, triplet_table
from vantage.predictions.triplets import NO_ANSWER
from vantage.triplets import Triplets
from vantage_workshop.responders.seeds import generator
from vantage_workshop.responders.triplets.mechanism import Answers, Responder


def answers_by_run(responder: Responder, triplets: Triplets, seed: int) -> dict[str, Answers]:
    """What a responder answers in each of its runs, one after another with one generator: later ones draw afresh.

    Along all items, `NO_ANSWER` where a run does not ask.
    """
    rng = generator(responder.set, seed)
    return {
        request.run: np.where(request.asks(triplets), responder.answer(triplets, request, rng), NO_ANSWER)
        for request in responder.requests
    }


def table(responder: Responder, triplets: Triplets, seed: int) -> pa.Table:
    """The predictions of a responder, one run a request."""
    answers = answers_by_run(responder, triplets, seed)
    return pa.concat_tables(
        triplet_table(
            triplets,
            answers[request.run],
            np.select([~request.asks(triplets), answers[request.run] == NO_ANSWER], [NOT_ASKED, INVALID], ANSWERED),
            set=responder.set,
            kind=responder.kind,
            run=request.run,
            model=responder.title,
            setting=request.setting,
            experiment=request.experiment,
            rotation=request.rotation,
            repeat=request.repeat,
        )
        for request in responder.requests
    )
