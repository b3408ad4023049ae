"""The files of `data/published`: their columns, how they are read and checked, and how they are written."""

import csv
import re
from pathlib import Path

from vantage.errors import InputError
from vantage.files import reading, replacing, shown

COLUMNS = ("id", "paper", "place", "row", "column", "value", "decimals", "unit", "kind")
UNITS = ("percent", "pp", "fraction", "count", "other")
ID = r"[a-z0-9]+(?:[._-][a-z0-9]+)*"
VALUE = r"-?\d+(?:\.\d+)?"
KINDS = ("composition", "prediction", "interval", "control", "human", "config")


def _read(path: Path, columns: tuple[str, ...]) -> list[dict[str, str]]:
    """The rows of a CSV file as dictionaries of text, so that printed trailing zeros survive."""
    try:
        with open(reading(path), newline="", encoding="utf-8") as stream:
            table = csv.DictReader(stream, strict=True)
            rows = list(table)
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{shown(path)}: expected CSV in UTF-8, found {error}; restore the file") from error
    if tuple(table.fieldnames or ()) != columns:
        found = ",".join(table.fieldnames or ()) or "nothing"
        raise InputError(
            f"{shown(path)}, row 1: expected columns {','.join(columns)}, found {found}; restore the header"
        )
    for line, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise InputError(
                f"{shown(path)}, row {line}: expected {len(columns)} fields, found another number; quote commas"
            )
    return rows


def read_places(path: Path, paper: str) -> list[dict[str, str]]:
    """The sections, tables and figures of `paper`, in reading order."""
    return [row for row in _read(path, ("paper", "order", "place", "kind", "title")) if row["paper"] == paper]


def read_published(path: Path, places: list[str]) -> list[dict[str, str]]:
    """The published rows in `path`, each checked: known place, unit and kind, a plain decimal, unique id and key.

    Raises `InputError` naming the first row that is not what it must be.
    """
    rows = _read(path, COLUMNS)
    ids, keys = set(), set()
    for line, row in enumerate(rows, start=2):
        key = (row["place"], row["row"], row["column"])
        decimals = str(len(row["value"].partition(".")[2]))
        problems = {
            f"id {row['id']!r} is not lower-case words with - and .": not re.fullmatch(ID, row["id"]),
            f"id {row['id']!r} occurs twice; ids are unique": row["id"] in ids,
            f"place, row and column {' | '.join(key)!r} occur twice; let the row's words tell them apart": key in keys,
            f"place {row['place']!r} is not in places.csv; add it there or correct it": row["place"] not in places,
            f"value {row['value']!r} is not a plain decimal such as 0.401": not re.fullmatch(VALUE, row["value"]),
            f"decimals is {row['decimals']!r}, the value has {decimals}": row["decimals"] != decimals,
            f"unit {row['unit']!r} is not one of {', '.join(UNITS)}": row["unit"] not in UNITS,
            f"kind {row['kind']!r} is not one of {', '.join(KINDS)}": row["kind"] not in KINDS,
        }
        for problem, wrong in problems.items():
            if wrong:
                raise InputError(f"{shown(path)}, row {line}: {problem}")
        ids.add(row["id"])
        keys.add(key)
    return rows


def unknown_references(folder: Path, paper: str, ids: set[str], places: list[str]) -> list[str]:
    """One line for each place in the paper's tensions and each id in its conflicts and derived numbers that does not exist."""
    files = (
        (f"{paper}_tensions.csv", ("tension", "places", "reason"), "; ", places),
        (f"{paper}_conflicts.csv", ("conflict", "ids", "reason"), " ", ids),
        (f"{paper}_derived.csv", ("id", "rule", "ids"), " ", ids),
    )
    return [
        f"{name}, {row[columns[0]]!r}: {reference!r} does not exist"
        for name, columns, separator, known in files
        for row in _read(folder / name, columns)
        for reference in row["places" if "places" in columns else "ids"].split(separator)
        if reference not in known
    ]


def is_table_row(row: dict[str, str]) -> bool:
    """Whether the script makes this row: a cell of a table, not a number in a caption or in running text."""
    return row["place"].startswith("Table ") and ".caption." not in row["id"]


def write_published(rows: list[dict[str, str]], path: Path, places: list[str]) -> None:
    """Write `rows` in the order of `places`, whole or not at all; rows of one place keep their order."""
    order = {place: at for at, place in enumerate(places)}
    with replacing(path) as beside:
        with open(beside, "w", newline="", encoding="utf-8") as stream:
            table = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(sorted(rows, key=lambda row: order.get(row["place"], len(order))))
        read_published(beside, places)
