"""`python -m benchmarks [prefix ...]`: run the benchmarks whose names begin so, or all; print a table, write _build/bench.json.

A run of some replaces their entries and keeps the others.
"""

import json
import sys

from benchmarks import book, bootstrap, realizability
from vantage import files

BENCHMARKS = {**realizability.BENCHMARKS, **bootstrap.BENCHMARKS, **book.BENCHMARKS}
"""Every benchmark by name: a function without arguments that returns a `Measurement`. A theme is a module with such a dictionary."""


def main(prefixes: tuple[str, ...]) -> None:
    """Measure and report; a long run shows each line as it is done."""
    path = files.root() / "_build" / "bench.json"
    report = json.loads(path.read_text(encoding="utf-8")) if prefixes and path.is_file() else {}
    print(f"{'benchmark':32} {'ours':>10} {'plain':>10} {'n':>6} {'ratio':>8}")
    for name, run in BENCHMARKS.items():
        if name.startswith(prefixes or ("",)):
            found = run()
            report[name] = {"ratio": found.ratio, "ours_s": found.ours_s, "plain_s": found.plain_s, "n": found.n}
            print(f"{name:32} {found.ours_s:8.4f} s {found.plain_s:8.3f} s {found.n:6} {found.ratio:8.1f}", flush=True)
    files.write_json(report, path)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
