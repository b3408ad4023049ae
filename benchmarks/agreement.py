"""`python -m benchmarks.agreement [systems] [maxsat systems] [seed]`: do the exact verdicts and the plain ones ever differ?

Writes _build/agreement.json: systems compared, realizable ones and disagreements, by dimensions and chance of a flip.
"""

import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from benchmarks import plain
from benchmarks.systems import random_system
from vantage import files
from vantage.realizability import largest_satisfiable, realize, satisfied


def compare_verdicts(systems: int, seed: int) -> Iterator[tuple[str, bool, bool]]:
    """For each random system its kind, whether it is realizable, and whether all agree: verdict, plain verdict, proof."""
    rng = np.random.default_rng(seed)
    for _ in range(systems):
        constraints, flips, dimensions = random_system(rng)
        found = realize(constraints)
        agrees = found.holds(constraints) and found.realizable == plain.realizable(constraints)
        yield f"{dimensions}D, {flips:.0%} flips", found.realizable, agrees


def compare_maxima(systems: int, seed: int) -> Iterator[tuple[str, bool, bool]]:
    """For each random system its kind, whether all labels hold together, and whether all agree: maximum, plain one, layout."""
    rng = np.random.default_rng(seed)
    for _ in range(systems):
        constraints, flips, dimensions = random_system(rng, most=40)
        found = largest_satisfiable(constraints)
        attained = int(satisfied(found.layout, constraints).sum())
        agrees = attained == found.satisfied == plain.largest_satisfiable(constraints)
        yield f"{dimensions}D, {flips:.0%} flips", found.satisfied == found.asserted, agrees


def main(systems: int = 5000, maxima: int = 300, seed: int = 20261130) -> int:
    """Compare, print and write; returns the number of disagreements."""
    report = {}
    for name, results in (("feasibility", compare_verdicts(systems, seed)), ("maxsat", compare_maxima(maxima, seed))):
        counts: dict[str, Counter] = {}
        for kind, realizable, agrees in results:
            counts.setdefault(kind, Counter()).update(systems=1, realizable=realizable, disagreements=not agrees)
        report[name] = {kind: dict(counts[kind]) for kind in sorted(counts)}
        for kind, count in report[name].items():
            print(f"{name:12} {kind:14} {count['systems']:5} systems {count['realizable']:5} realizable", end="")
            print(f" {count['disagreements']:3} disagreements")
    files.write_json(report, files.root() / "_build" / "agreement.json")
    total = sum(count["disagreements"] for kinds in report.values() for count in kinds.values())
    print(f"{systems} systems and {maxima} maxima compared, {total} disagreements")
    return total


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
