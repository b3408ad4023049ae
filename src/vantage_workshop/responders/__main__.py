"""Run every responder on every item, in the regimes it declares, and freeze the answers: `make responders`."""

import argparse
import sys
from zlib import crc32

import numpy as np
import pyarrow as pa
from tqdm import tqdm

from vantage import files
from vantage.errors import InputError
from vantage.items import CVTItems, load_cvt
from vantage.predictions import cvt_table, freeze
from vantage_workshop.responders.cvt import RESPONDERS
from vantage_workshop.responders.mechanism import Answers, Asking, Responder

SEED = 20261130
"""Default seed. Each responder draws from a PCG64 generator of its own, seeded with this and its name, so that adding a
responder changes no other."""


def answers_by_regime(responder: Responder, items: CVTItems, seed: int) -> dict[str, Answers]:
    """What a responder answers in each of its regimes, one after another with one generator: later ones draw afresh."""
    rng = np.random.default_rng([seed, crc32(responder.set.encode())])
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.responders", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of the random responders (default {SEED})")
    seed = parser.parse_args().seed
    try:
        items = load_cvt("synthetic")
        for responder in tqdm(RESPONDERS, disable=None, unit="set"):
            freeze(
                table(responder, items, seed),
                files.root() / "frozen_predictions" / responder.set,
                title=responder.title,
                about=responder.about,
                seed=seed,
                made_by="make responders",
            )
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
