"""The book, from executed notebooks to pages, against executing every notebook each time, one after the other.

Cold: everything is executed. Warm: nothing changed since the last build. Both write the book as `make book` does.
"""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from time import perf_counter

from benchmarks.measure import Measurement
from vantage import files

_EXECUTE = [sys.executable, "-m", "vantage", "run", "--force"]
_BUILD = [
    str(Path(sys.executable).with_name("jupyter-book")),
    "build",
    "book",
    "--config",
    "_config.yml",
    "--path-output",
    "_build/bench",
    "--all",
    "--quiet",
]


def _seconds(*commands: list[str]) -> float:
    """Wall time of commands in the compendium's folder, one after the other. Raises `CalledProcessError` where one fails."""
    # Not a part of the make that may have started the benchmarks.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    start = perf_counter()
    for command in commands:
        subprocess.run(command, cwd=files.root(), env=environment, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


@cache
def _plain() -> float:
    return _seconds([*_EXECUTE, "--jobs", "1"], _BUILD)


def _notebooks() -> int:
    return len(list((files.root() / "notebooks").rglob("*.md")))


def cold() -> Measurement:
    """Every notebook executed, as many at a time as there are cores, and the pages built."""
    return Measurement(_seconds(_EXECUTE, _BUILD), _plain(), _notebooks())


def warm() -> Measurement:
    """`make book` where nothing is stale."""
    _seconds(["make", "book"])
    return Measurement(_seconds(["make", "book"]), _plain(), _notebooks())


BENCHMARKS = {"book_cold": cold, "book_warm": warm}
"""What each benchmark is called in _build/bench.json, and how it is measured."""
