"""Proof-reading of the published rows of a paper against a text copy of it.

The tables are read here a second time, by another method than the one that made their rows (`Paper.printed`). For the rows
kept by hand, every printed value must occur in the section or caption that the row names, as many times as rows say so;
what is left over is listed for the eye.
"""

from collections import Counter

from vantage_workshop.published.numerals import numbers
from vantage_workshop.published.paper import Paper
from vantage_workshop.published.rows import is_table_row


def differences(paper: Paper, rows: list[dict[str, str]], text: str, places: list[dict[str, str]]) -> list[str]:
    """One line for each published row that the paper's `text` does not bear out; none where all agree."""
    cells = [row for row in rows if is_table_row(row)]
    printed = paper.printed(text)
    found = [
        line
        for name in dict.fromkeys([*printed, *(row["place"] for row in cells)])
        for line in _compare_stream(name, [row for row in cells if row["place"] == name], printed.get(name, []))
    ]
    return found + _compare_text(paper, [row for row in rows if not is_table_row(row)], text, places)


def left_over(
    paper: Paper, rows: list[dict[str, str]], text: str, places: list[dict[str, str]]
) -> dict[str, list[str]]:
    """For each section, the numbers of its text and captions that no row kept by hand has.

    Each must be left out for a reason that the README of `data/published` gives.
    """
    by_hand = [row for row in rows if not is_table_row(row)]
    found = {}
    for section, body in paper.sections(text, places).items():
        # A caption may stand in the text of a section.
        had = Counter(row["value"] for row in by_hand if row["place"] == section or f"{row['place']}: " in body)
        found[section] = [*(Counter(numbers(body, paper.names)) - had).elements()]
    return found


def _compare_stream(name: str, rows: list[dict[str, str]], printed: list[str]) -> list[str]:
    """`rows` beside the numbers `printed`, both in print order."""
    found = [] if len(rows) == len(printed) else [f"{name}: {len(rows)} rows, {len(printed)} printed numbers"]
    return found + [
        f"{row['id']}: row {row['value']}, printed {value}"
        for row, value in zip(rows, printed, strict=False)
        if row["value"] != value
    ]


def _compare_text(paper: Paper, rows: list[dict[str, str]], text: str, places: list[dict[str, str]]) -> list[str]:
    sections = paper.sections(text, places)
    found = []
    for place in dict.fromkeys(row["place"] for row in rows):
        body = sections[place] if place in sections else paper.caption(text, place)
        printed = Counter(numbers(body, paper.names))
        for row in rows:
            if row["place"] == place:
                printed[row["value"]] -= 1
                if printed[row["value"]] < 0:
                    found.append(f"{row['id']}: {row['value']} occurs less often in {place} than rows have it")
    return found
