"""Search for the answers of CVT-Bench, reconstructed, hold them against the print and freeze them: part of `make witness`."""

import argparse
import sys
from pathlib import Path

from vantage import files
from vantage.errors import InputError
from vantage.predictions import freeze
from vantage_workshop.witness.cvt import runs, witness
from vantage_workshop.witness.cvt.printed import Printed

SEED = 20261130


def main(arguments: list[str] | None = None) -> int:
    """Make the set, whole or not at all. Returns the exit status: 0, 1 where a cell of Table 1 is missed, 2 where an input is not what
    it must be."""
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.witness.cvt", description=__doc__)
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="write below this folder (default: frozen_predictions)"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    try:
        printed = Printed()
        found = witness.solve(options.seed)
        missed = witness.missed_cells(found)
        if missed:
            print(*missed, "nothing written", sep="\n", file=sys.stderr)
            return 1
        answers, retrieved = witness.tables(found, printed, options.seed)
        for domain in found.values():
            printed.used |= domain.printed.used
        freeze(
            answers,
            (options.to or files.root() / "frozen_predictions") / runs.SET,
            title=runs.TITLE,
            about=runs.ABOUT,
            made_by="make witness",
            seed=options.seed,
            targets=printed.targets,
            attribute_answers=retrieved,
        )
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(*witness.missed_means(found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
