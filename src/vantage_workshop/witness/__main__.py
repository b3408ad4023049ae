"""Solve for the answers of FrameEvidence, reconstructed, hold them against the print and freeze them: `make witness`."""

import argparse
import sys
from pathlib import Path

from vantage import files
from vantage.errors import InputError
from vantage.predictions import freeze
from vantage.triplets import load_triplets
from vantage_workshop.witness import composition, runs
from vantage_workshop.witness.frame_evidence import SEED, Witness
from vantage_workshop.witness.targets import Published

ABOUT = (
    "Answers that a solver chose so that they agree with the numbers printed in FrameEvidence. A witness that these can hold "
    "together: a run is a printed row and no model, there are no replies, and a single answer says nothing about anyone."
)


def main(arguments: list[str] | None = None) -> int:
    """Make the set, whole or not at all. Returns the exit status: 0, 1 where a run has no answers or a number differs, 2
    where an input is not what it must be."""
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.witness", description=__doc__)
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="write below this folder (default: frozen_predictions)"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    say = (lambda line: print(line, file=sys.stderr, flush=True)) if sys.stderr.isatty() else (lambda line: None)
    try:
        published, triplets = Published(), load_triplets()
        witness = Witness(published, composition.default_path(), triplets, options.seed, say)
        runs.check_items(triplets, witness.rows)
        witness.solve()
        if witness.unsolved:
            print(
                *(f"{name}: no answers found" for name in witness.unsolved),
                "nothing written",
                sep="\n",
                file=sys.stderr,
            )
            return 1
        compared, found = witness.check()
        if found:
            print(*found, "nothing written", sep="\n", file=sys.stderr)
            return 1
        made = freeze(
            runs.table(triplets, witness.requests()),
            (options.to or files.root() / "frozen_predictions") / runs.SET,
            title=runs.TITLE,
            about=ABOUT,
            made_by="make witness",
            seed=options.seed,
            targets=published.targets(compared),
        )
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(made.runs)} runs agree with {len(compared)} printed numbers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
