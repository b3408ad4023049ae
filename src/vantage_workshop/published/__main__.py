"""Command line: `python -m vantage_workshop.published [--check] PAPER_TEXT`."""

import argparse
import sys
from collections import Counter
from pathlib import Path

from vantage.errors import InputError
from vantage.files import reading, root
from vantage_workshop.published.proof import differences, left_over
from vantage_workshop.published.rows import (
    REMEDY,
    is_table_row,
    read_places,
    read_published,
    unknown_references,
    write_published,
)
from vantage_workshop.published.tables import table_rows


def main(arguments: list[str] | None = None) -> int:
    """Write the table rows of `cvt.csv`, or with `--check` proof-read the file. Returns the exit status: 0, 1 where a
    row and the paper disagree, 2 where a file is not what it must be."""
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.published", description=__doc__)
    parser.add_argument("text", type=Path, metavar="PAPER_TEXT", help="a text copy of CVT-Bench, arXiv 2603.21114")
    parser.add_argument("--check", action="store_true", help="proof-read cvt.csv against the text; write nothing")
    options = parser.parse_args(arguments)
    try:
        return _check(options.text) if options.check else _write(options.text)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2


def _write(text: Path) -> int:
    cvt, places = _files()
    old = read_published(cvt, places) if cvt.exists() else []
    rows = table_rows(_paper(text)) + [row for row in old if not is_table_row(row)]
    write_published(rows, cvt, places)
    print(f"data/published/cvt.csv: {sum(map(is_table_row, rows))} table rows written, {len(rows)} rows in all")
    return 0


def _check(text: Path) -> int:
    cvt, places = _files()
    rows = read_published(cvt, places)
    paper = _paper(text)
    map_of_paper = read_places(cvt.with_name("places.csv"), "cvt")
    wrong = differences(rows, paper, map_of_paper)
    wrong += unknown_references(cvt.parent, {row["id"] for row in rows}, places)
    for line in wrong:
        print(line)
    for place, printed in left_over(rows, paper, map_of_paper).items():
        if printed:
            print(f"{place}, not counted: {' '.join(printed)}")
    for place, count in Counter(row["place"] for row in rows).items():
        print(f"{place}: {count} rows")
    print(f"{len(rows)} rows proof-read, {len(wrong)} differences")
    return 1 if wrong else 0


def _files() -> tuple[Path, list[str]]:
    """Where `cvt.csv` is, and the places of the paper in reading order."""
    folder = root() / "data" / "published"
    return folder / "cvt.csv", [place["place"] for place in read_places(folder / "places.csv", "cvt")]


def _paper(text: Path) -> str:
    try:
        return reading(text).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{text}: expected text in UTF-8, found other bytes; {REMEDY}") from error


if __name__ == "__main__":
    sys.exit(main())
