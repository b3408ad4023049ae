"""Run every reference responder on every item of the isolated regime and freeze the answers: `make responders`."""

import argparse
import sys
from zlib import crc32

import numpy as np
from tqdm import tqdm

from vantage import files
from vantage.errors import InputError
from vantage.items import load_cvt
from vantage.predictions import cvt_table, freeze
from vantage_workshop.responders.cvt import RESPONDERS

SEED = 20261130
"""Default seed. Each responder draws from a PCG64 generator of its own, seeded with this and its name, so that adding a
responder changes no other."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.responders", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of the random responders (default {SEED})")
    seed = parser.parse_args().seed
    try:
        items = load_cvt("synthetic")
        for responder in tqdm(RESPONDERS, disable=None, unit="set"):
            rng = np.random.default_rng([seed, crc32(responder.set.encode())])
            table = cvt_table(
                items,
                responder.answer(items, rng),
                set=responder.set,
                kind="reference",
                run=f"{items.domain}-isolated-symbolic",
                model=responder.title,
                regime="isolated",
                representation="symbolic",
            )
            freeze(
                table,
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
