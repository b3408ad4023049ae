"""Put the items to every responder and freeze the answers, one set after another: `make responders`."""

import argparse
import sys

import pyarrow as pa
from tqdm import tqdm

from vantage import files
from vantage.errors import InputError
from vantage.items import load_cvt
from vantage.predictions import freeze, load
from vantage.triplets import load_triplets
from vantage_workshop.responders.cvt import roster as cvt_roster
from vantage_workshop.responders.cvt import runs as cvt_runs
from vantage_workshop.responders.seeds import SEED
from vantage_workshop.responders.triplets import roster as triplet_roster
from vantage_workshop.responders.triplets import runs as triplet_runs

CVT = {responder.set: responder for responder in cvt_roster.RESPONDERS}
TRIPLETS = {responder.set: responder for responder in triplet_roster.RESPONDERS}
SETS = (*CVT, *TRIPLETS)
"""Every set that is made here, in the order of making."""


def make(name: str, seed: int) -> None:
    """Run the responder of this set on the present items and freeze what it answers, whole or not at all."""
    if name in CVT:
        responder = CVT[name]
        made = [cvt_runs.tables(responder, load_cvt(domain), seed) for domain in responder.domains]
        table, about = pa.concat_tables(relations for relations, _ in made), responder.about
        retrieved = [attributes for _, attributes in made if attributes is not None]
        attribute_answers = pa.concat_tables(retrieved) if retrieved else None
    else:
        responder = TRIPLETS[name]
        table, about = triplet_runs.table(responder, load_triplets(), seed), responder.described(load_triplets())
        attribute_answers = None
    freeze(
        table,
        files.root() / "frozen_predictions" / name,
        title=responder.title,
        about=about,
        seed=seed,
        made_by="make responders",
        attribute_answers=attribute_answers,
    )


def stale(name: str) -> bool:
    """Whether a set is not there, damaged, or answers other items than the present ones. It cannot see that a program changed."""
    try:
        load(name)
    except InputError:
        return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.responders", description=__doc__)
    parser.add_argument("sets", nargs="*", choices=[[], *SETS], metavar="SET", help="which sets (default all)")
    parser.add_argument(
        "--stale",
        action="store_true",
        help="only those that are missing, damaged or answer other items: goes on where a run broke off, or after make data",
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of what is drawn (default {SEED})")
    options = parser.parse_args()
    try:
        names = [name for name in options.sets or SETS if not options.stale or stale(name)]
        for name in tqdm(names, disable=None, unit="set"):
            make(name, options.seed)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
