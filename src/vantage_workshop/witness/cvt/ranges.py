"""How far witnesses differ in what is not printed: the least and the greatest value of statistics of single cells over several sets.

Each set comes from `python -m vantage_workshop.witness.cvt` with a seed of its own and meets the same printed numbers. A range
over a few of them is no bound: it shows that the print leaves the statistic open, and about how far.
"""

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from vantage import coherence, cycles, files, interference, scoring, transport
from vantage.errors import InputError
from vantage.items import CVTItems, load_cvt, matched_cycle_pairs, rows_by_viewpoint, tracked_rows
from vantage.predictions import CVTRun, load
from vantage.realizability import realizable_scenes, satisfiable_fractions
from vantage.viewpoints import viewpoint_curve
from vantage_workshop.witness.cvt.printed import REGIMES

FIELDS = ("domain", "regime", "model", "representation", "statistic", "place", "low", "high", "witnesses")


def default_path() -> Path:
    """Where the ranges are."""
    return files.root() / "data" / "cvt" / "ranges.csv"


def statistics(run: CVTRun, items: CVTItems) -> Iterator[tuple[str, str, float]]:
    """Statistics of a run that the paper prints of no single cell: name, place (a viewpoint, a position in the prompt), fraction."""
    questions, admissible, answers = items.questions, items.admissible, run.answers
    for viewpoint, value in viewpoint_curve(answers, admissible, rows_by_viewpoint(questions)).items():
        yield "F1 by viewpoint", viewpoint, value
    if run.regime == "competing":
        order = questions.scene.map({scene["scene"]: scene["number"] for scene in items.scenes}).to_numpy()
        _, first, scene = np.unique(questions.scene, return_index=True, return_inverse=True)
        position = interference.positions_in_prompt(run.block[first], order[first])[scene]
        rows = {place: np.flatnonzero(position == place) for place in range(position.max() + 1)}
        for place, value in viewpoint_curve(answers, admissible, rows).items():
            yield "F1 by position", str(place), value
    pairs = matched_cycle_pairs(questions)
    yield "Cycle consistency", "", cycles.cycle_consistency(answers, pairs)
    yield "Both 0 and 360 degrees correct", "", cycles.both_correct(answers, admissible, pairs)
    orbits = answers[tracked_rows(questions)[:, transport.CARDINAL_VIEWS]]
    yield "Perfect C4", "", transport.self_transport(orbits)["Perfect C4"]
    verdicts = realizable_scenes(answers, questions)
    place = questions.scene.map({name: k for k, name in enumerate(verdicts)})
    errors = np.bincount(place, weights=~scoring.exact(answers, admissible)).astype(int)
    shares = coherence.output_shares(errors, np.array(list(verdicts.values())))
    yield "Wrong but realizable", "", shares["Wrong but realizable"]
    yield "MaxSAT", "", float(np.mean(list(satisfiable_fractions(answers, questions).values())))


def ranges(folders: Sequence[str | Path]) -> list[dict]:
    """The range of each statistic of each cell over the sets in `folders`, a row a statistic and place.

    Raises `InputError` where the sets have other cells.
    """
    found: dict[tuple, list[float]] = {}
    for folder in folders:
        for run in load(folder).runs:
            if run.regime in REGIMES:
                head = (run.domain, run.regime, run.model, run.representation)
                for name, place, value in statistics(run, load_cvt(run.domain)):
                    found.setdefault((*head, name, place), []).append(value)
    for key, values in found.items():
        if len(values) != len(folders):
            raise InputError(
                f"expected {', '.join(key[:4])} in {len(folders)} sets, found it in {len(values)}; name whole sets"
            )
    return [
        dict(zip(FIELDS, (*key, f"{min(values):.4f}", f"{max(values):.4f}", len(values)), strict=True))
        for key, values in found.items()
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the ranges over sets. Returns the exit status: 0, or 2 where an input is not what it must be."""
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.witness.cvt.ranges", description=__doc__)
    parser.add_argument("sets", nargs="+", metavar="SET", help="names or folders of witnesses, two or more")
    options = parser.parse_args(arguments)
    try:
        rows = ranges(options.sets)
        with files.replacing(default_path()) as path, open(path, "w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(rows)} ranges over {len(options.sets)} witnesses")
    return 0


if __name__ == "__main__":
    sys.exit(main())
