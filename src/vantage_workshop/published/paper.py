"""What the program needs to know of a paper, and the tools with which its layout turns printed cells into rows."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from vantage.errors import InputError
from vantage_workshop.published.numerals import plain
from vantage_workshop.published.rows import COLUMNS

REMEDY = "give a text copy of the paper that you named"


def _no_caption(text: str, place: str) -> str:
    raise InputError(f"the paper's text: expected a caption of {place}, found none; {REMEDY}")


@dataclass(frozen=True)
class Paper:
    """How a text copy of one paper is read; the modules `cvt` and `frame_evidence` have one each.

    `table_rows` makes the published rows of all tables, in print order; `printed` reads the numbers of each table a second
    time, by another method; `sections` gives the running text by place, with the captions where the copy sets them
    apart; elsewhere `caption` cuts one out. `names` matches names that hold digits.
    """

    name: str
    names: str
    table_rows: Callable[[str], list[dict[str, str]]]
    printed: Callable[[str], dict[str, list[str]]]
    sections: Callable[[str, list[dict[str, str]]], dict[str, str]]
    caption: Callable[[str, str], str] = _no_caption


def published_row(
    paper: str, place: str, row: str, column: str, printed: str, unit: str, kind: str, unsaid: str = ""
) -> dict[str, str]:
    """One published row; its id is made of place, row and column, without the prefixes that `unsaid` matches.

    >>> published_row("frame_evidence", "Table 5", "GPT-5.6 / 0-shot", "Delta Acc.", "8.7", "pp", "prediction")["id"]
    'frame_evidence.table-5.gpt-5.6.0-shot.delta-acc'
    """
    value = plain(printed)
    key = ".".join(_slug(part, unsaid) for part in (place, *row.split(" / "), *column.split(" / ")))
    decimals = str(len(value.partition(".")[2]))
    return dict(zip(COLUMNS, (f"{paper}.{key}", paper, place, row, column, value, decimals, unit, kind), strict=True))


def _slug(words: str, unsaid: str) -> str:
    """`words` as a part of an id: "Text/BBox" is `text-bbox`, "1%" is `1-percent`."""
    words = re.sub(rf"^(?:{unsaid})", "", words.lower()).replace("%", " percent")
    return re.sub(r"[^a-z0-9.]+", "-", words).strip("-.")


def between(text: str, start: str, end: str) -> str:
    """What stands between two marks. Raises `InputError` where either is missing."""
    body = text.partition(start)[2].partition(end)
    if not body[1]:
        raise InputError(f"the paper's text: expected {start.strip()!r} and then {end.strip()!r}, found none; {REMEDY}")
    return body[0]


def same_length(table: str, cell: str, found: list, expected: int) -> None:
    """Raise `InputError` unless `found` has as many entries as expected."""
    if len(found) != expected:
        raise InputError(f"{table}, {cell}: expected {expected} printed values, found {len(found)}; {REMEDY}")


def cut_sections(text: str, headings: dict[str, str]) -> dict[str, str]:
    """The text of each place without its subsections, up to the references; `headings` has a pattern for each place.

    A heading matches at the beginning of a line or after any text, as its pattern says.
    """
    found = {}
    for place, heading in headings.items():
        if not (match := re.search(heading, text, flags=re.MULTILINE)):
            raise InputError(f"the paper's text: expected a section {place}, found none; {REMEDY}")
        found[place] = match
    starts = sorted(match.start() for match in found.values())
    ends = dict(zip(starts, [*starts[1:], text.find("## References")], strict=True))
    return {place: text[match.end() : ends[match.start()]] for place, match in found.items()}
