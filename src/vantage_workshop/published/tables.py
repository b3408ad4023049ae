"""Tables 1, S1 and S2 of CVT-Bench, taken from a text copy of the paper cell by cell.

The copy is a machine conversion with Markdown tables on one long line. Table 1 there prints every cell several times:
both domains together, each domain alone, and once more on a line of its own. This module reads the first of these; the
proof-reading in `proof` reads the last.
"""

import re

from vantage.errors import InputError
from vantage_workshop.published.rows import COLUMNS, REMEDY

MODELS = ("Gemini 3.1 Pro", "GPT-5.2", "Kimi K2.5", "Qwen 3.5 OS", "Qwen 3.5 Plus")
DOMAINS = ("CVT-Synthetic", "CVT-Real")
REPRESENTATIONS = ("Image", "Text/BBox", "Scene Graph")
REGIMES = ("CVT-Isolated", "CVT-Competing")
METRICS = {"Global F1": "percent", "NSC": "fraction", "Realizability": "percent"}

# For each property of Table S1, the names of the numbers in its four cells: Synthetic, Real, and the details of each.
TABLE_S1 = {
    "Scenes": (["Scenes"], ["Scenes"], *[["Scenes / sparse", "Scenes / dense"]] * 2),
    "Objects per scene": (*[[f"Objects per scene / {name}" for name in ("minimum", "maximum", "average")]] * 2, [], []),
    "Questions": (
        ["Questions"],
        ["Questions"],
        *[[f"Questions per scene / {name}" for name in ("minimum", "maximum", "average")]] * 2,
    ),
    "Source-view questions": (*[["Source-view questions"]] * 2, *[["Source-view questions / angle"]] * 2),
    "Counterfactual questions": (
        *[["Counterfactual questions"]] * 2,
        *[["Counterfactual questions / per target condition"]] * 2,
    ),
    "Fixed tracking pairs": (
        *[["Fixed tracking pairs"]] * 2,
        ["Fixed tracking pairs / horizontal"],
        ["Fixed tracking pairs / horizontal", "Fixed tracking pairs / vertical-enriched"],
    ),
    "Fixed question instances": (
        *[["Fixed question instances"]] * 2,
        *[["Fixed question instances / appearances per pair"]] * 2,
    ),
    "Scenes with partial occlusion": (
        *[["Scenes with partial occlusion"]] * 2,
        *[["Scenes with partial occlusion / affected questions"]] * 2,
    ),
    "Multi-label questions": (*[["Multi-label questions"]] * 2, *[["Labels total"]] * 2),
    "Relation vocabulary": (*[["Relation vocabulary"]] * 2, [], []),
    "Input resolution": (
        ["Input resolution / width", "Input resolution / height"],
        [
            f"Input resolution / {side}"
            for side in ("portrait width", "portrait height", "landscape width", "landscape height")
        ],
        [],
        [],
    ),
}

VALIDATIONS = {
    "Correct map": "control",
    "Opposite map": "control",
    "Connected": "composition",
    "Positive cycle rank": "composition",
}
PERTURBATIONS = ("Relation flip", "Pair permutation")


def table_rows(text: str) -> list[dict[str, str]]:
    """The published rows of Tables 1, S1 and S2, in print order, from the paper's `text`.

    Raises `InputError` where a table or a cell is not found.
    """
    text = " ".join(text.split())
    return [*_table_1(text), *_table_s1(text), *_table_s2(text)]


def _table_1(text: str) -> list[dict[str, str]]:
    body = _between(text, "Table 1: ", " Do MLLMs Form")
    triple = r"(\d+\.\d+) / (\d+\.\d+) / (\d+\.\d+)"
    rows = []
    for model in MODELS:
        printed = body.partition(f"| {model} | S R |")[2]
        cells = re.findall(rf"\| {triple} {triple} (?=\|)", printed)[: len(METRICS) * len(REGIMES)]
        _same_length("Table 1", model, cells, len(METRICS) * len(REGIMES))
        columns = [(metric, regime) for metric in METRICS for regime in REGIMES]
        for at, name in enumerate(f"{model} / {domain} / {mode}" for domain in DOMAINS for mode in REPRESENTATIONS):
            for (metric, regime), cell in zip(columns, cells, strict=True):
                rows.append(_row("Table 1", name, f"{metric} / {regime}", cell[at], METRICS[metric], "prediction"))
    return rows


def _table_s1(text: str) -> list[dict[str, str]]:
    cells = _cells(_between(text, "Table S1: ", " ### 1.2"))
    rows = []
    for name, names in TABLE_S1.items():
        if name not in cells:
            raise InputError(f"Table S1: expected a row {name!r}, found none; {REMEDY}")
        start = cells.index(name) + 1
        four = cells[start : start + 4]
        _same_length("Table S1", name, four, 4)
        for domain, labels, cell in zip(DOMAINS * 2, names, four, strict=True):
            if not labels:
                continue  # words only, and "3DSSG" is a name
            values = re.findall(r"\d[\d,]*(?:\.\d+)?", cell.replace("Ten ", "10 "))
            _same_length("Table S1", f"{name}, {domain}", values, len(labels))
            for label, value in zip(labels, values, strict=True):
                angle = label.endswith("angle")
                unit = "other" if angle or name == "Input resolution" else "count"
                rows.append(_row("Table S1", label, domain, value, unit, "config" if angle else "composition"))
    return rows


def _table_s2(text: str) -> list[dict[str, str]]:
    cells = _cells(_between(text, "Table S2: ", " The median CVT-Synthetic"))
    rows = []
    for domain, name, *values in _blocks(cells, "Ground-truth constraints", len(VALIDATIONS)):
        for (column, kind), value in zip(VALIDATIONS.items(), values, strict=True):
            rows.append(_row("Table S2", name, f"{domain} / {column}", value, "percent", kind))
    for perturbation in PERTURBATIONS:
        for domain, name, *values in _blocks(cells, perturbation, 4):
            levels = re.findall(r"\d+", name)
            _same_length("Table S2", f"levels of {perturbation}, {domain}", levels, len(values))
            for column, printed, kind in (("Level", levels, "config"), ("Realizable", values, "control")):
                for level, value in zip(levels, printed, strict=True):
                    rows.append(
                        _row("Table S2", f"{perturbation} / {level}%", f"{domain} / {column}", value, "percent", kind)
                    )
    return rows


def _blocks(cells: list[str], name: str, width: int) -> list[list[str]]:
    """The table rows whose second cell begins with `name`: domain, name and `width` values, one row a domain."""
    found = [cells[at - 1 : at + 1 + width] for at, cell in enumerate(cells) if cell.startswith(name)]
    if [block[0] for block in found] != list(DOMAINS):
        raise InputError(f"Table S2: expected {name!r} for {' and '.join(DOMAINS)}, found {len(found)} rows; {REMEDY}")
    for block in found:
        _same_length("Table S2", f"{name}, {block[0]}", block, 2 + width)
    return found


def _between(text: str, start: str, end: str) -> str:
    body = text.partition(start)[2].partition(end)
    if not body[1]:
        raise InputError(f"the paper's text: expected {start.strip()!r} and then {end.strip()!r}, found none; {REMEDY}")
    return body[0]


def _cells(table: str) -> list[str]:
    return [cell.strip() for cell in table.split("|") if cell.strip()]


def _same_length(table: str, cell: str, found: list, expected: int) -> None:
    if len(found) != expected:
        raise InputError(f"{table}, {cell}: expected {expected} printed values, found {len(found)}; {REMEDY}")


def _row(place: str, row: str, column: str, printed: str, unit: str, kind: str) -> dict[str, str]:
    value = printed.replace(",", "")
    key = ".".join(_slug(part) for part in (place, *row.split(" / "), *column.split(" / ")))
    decimals = str(len(value.partition(".")[2]))
    values = (f"cvt.{key}", "cvt", place, row, column, value, decimals, unit, kind)
    return dict(zip(COLUMNS, values, strict=True))


def _slug(words: str) -> str:
    """`words` as a part of an id: "CVT-Real" is `real`, "Global F1" is `f1`, "Text/BBox" is `text-bbox`."""
    words = words.lower().removeprefix("cvt-").removeprefix("global ").replace("%", " percent")
    return re.sub(r"[^a-z0-9.]+", "-", words)
