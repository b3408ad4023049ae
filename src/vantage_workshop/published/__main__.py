"""Command line: `python -m vantage_workshop.published [--check] PAPER PAPER_TEXT`."""

import argparse
import sys
from collections import Counter
from pathlib import Path

from vantage import published
from vantage.errors import InputError
from vantage.files import reading, root
from vantage_workshop.published import cvt, frame_evidence
from vantage_workshop.published.paper import REMEDY, Paper
from vantage_workshop.published.proof import differences, left_over
from vantage_workshop.published.rows import (
    is_table_row,
    read_places,
    read_published,
    unknown_references,
    write_published,
)

PAPERS = {paper.name: paper for paper in (cvt.PAPER, frame_evidence.PAPER)}


def main(arguments: list[str] | None = None) -> int:
    """Write the table rows of a paper's file, or with `--check` proof-read the file. Returns the exit status: 0, 1 where
    a row and the paper disagree, 2 where a file is not what it must be."""
    known = "; ".join(f"{name}: {published.PAPERS[name]}, arXiv {published.ARXIV[name]}" for name in PAPERS)
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.published", description=__doc__)
    parser.add_argument("paper", choices=PAPERS, metavar="PAPER", help=known)
    parser.add_argument("text", type=Path, metavar="PAPER_TEXT", help="a text copy of that paper")
    parser.add_argument("--check", action="store_true", help="proof-read the file against the text; write nothing")
    options = parser.parse_args(arguments)
    paper = PAPERS[options.paper]
    try:
        text = _text(options.text)
        return _check(paper, text) if options.check else _write(paper, text)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2


def _write(paper: Paper, text: str) -> int:
    path, places = _file(paper), _places(paper)
    names = [place["place"] for place in places]
    old = read_published(path, names) if path.exists() else []
    rows = paper.table_rows(text) + [row for row in old if not is_table_row(row)]
    write_published(rows, path, names)
    print(f"data/published/{path.name}: {sum(map(is_table_row, rows))} table rows written, {len(rows)} rows in all")
    return 0


def _check(paper: Paper, text: str) -> int:
    path, places = _file(paper), _places(paper)
    names = [place["place"] for place in places]
    rows = read_published(path, names)
    wrong = differences(paper, rows, text, places)
    wrong += unknown_references(path.parent, paper.name, {row["id"] for row in rows}, names)
    for line in wrong:
        print(line)
    for place, printed in left_over(paper, rows, text, places).items():
        if printed:
            print(f"{place}, not counted: {' '.join(printed)}")
    for place, count in Counter(row["place"] for row in rows).items():
        print(f"{place}: {count} rows")
    print(f"{len(rows)} rows proof-read, {len(wrong)} differences")
    return 1 if wrong else 0


def _file(paper: Paper) -> Path:
    return root() / "data" / "published" / f"{paper.name}.csv"


def _places(paper: Paper) -> list[dict[str, str]]:
    """The sections, tables and figures of the paper in reading order."""
    return read_places(_file(paper).with_name("places.csv"), paper.name)


def _text(path: Path) -> str:
    try:
        return reading(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected text in UTF-8, found other bytes; {REMEDY}") from error


if __name__ == "__main__":
    sys.exit(main())
