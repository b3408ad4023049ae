"""The layout of CVT-Bench: its tables, taken from a text copy of the paper cell by cell, and its sections.

The copy is a machine conversion with Markdown tables on one long line, Tables S4 to S10 without their bars. Table 1 there
prints every cell several times: both domains together, each domain alone, and once more on a line of its own. The first
of these makes the rows, the last proof-reads them. The other tables are proof-read as one flat stream of numbers that
knows nothing of rows and cells.
"""

import re
from dataclasses import dataclass

from vantage.errors import InputError
from vantage_workshop.published.numerals import numbers
from vantage_workshop.published.paper import REMEDY, Paper, between, cut_sections, published_row, same_length

NAMES = r"GPT-5\.2|Gemini 3\.1|Kimi K2\.5|Qwen 3\.5|Level[- ]\d|(?:Table|Figure) S?\d+"

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


@dataclass(frozen=True)
class Grid:
    """A table whose printed lines each hold one number a column.

    It stands between the marks `after` and `before`. `lines` has the printed head of each line and the key it makes, row
    and column, where `{}` stands for the words of the printed column; `columns` has those words with unit and kind.
    """

    after: str
    before: str
    lines: dict[str, tuple[str, str]]
    columns: dict[str, tuple[str, str]]


SCORE, SHARE = ("fraction", "prediction"), ("percent", "prediction")
# Tables S6 to S9 print a line a domain and regime; in the keys these are the column, and the statistic is the row.
_BY_REGIME = {
    f"{domain} {regime}": ("{}", f"CVT-{domain} / CVT-{regime}")
    for domain in ("Synthetic", "Real")
    for regime in ("Isolated", "Competing")
}


def _by_metric(*metrics: str) -> dict[str, tuple[str, str]]:
    return {
        f"{domain} {metric}": (metric, f"CVT-{domain} / {{}}") for domain in ("Synthetic", "Real") for metric in metrics
    }


def _as_printed(*heads: str) -> dict[str, tuple[str, str]]:
    """Lines whose key is their printed head, with " / " between its parts."""
    return {head.replace(" / ", " "): (head, "{}") for head in heads}


_RETRIEVAL = _as_printed(*[f"{model} / {mode}" for model in ("Gemini", "Qwen OS") for mode in REPRESENTATIONS[:2]])

GRIDS = {
    "Table S4": Grid(
        after="All-model drop C20-only drop",
        before="Table S4:",
        lines=_by_metric("F1", "NSC", "Realizability"),
        columns=dict.fromkeys(("All-model drop", "C20-only drop"), SCORE),
    ),
    "Table S5": Grid(
        after="Competing F1 / NSC",
        before="Table S5:",
        lines=_as_printed("2D trackers", "3D horizontal component", "3D vertical component"),
        columns=dict.fromkeys([f"{metric} / {regime}" for regime in REGIMES for metric in ("F1", "NSC")], SCORE),
    ),
    "Table S6": Grid(
        after=r"Self $360^{\circ}$ Perfect C4",
        before="Table S6:",
        lines=_BY_REGIME,
        columns=dict.fromkeys(("Self 90", "Self 180", "Self 270", "Self 360", "Perfect C4"), SHARE),
    ),
    "Table S7": Grid(
        after="F1 Exact Perfect C4 Realizable",
        before="Table S7:",
        lines=_BY_REGIME,
        columns=dict.fromkeys(("F1", "Exact", "Perfect C4", "Realizable"), SCORE),
    ),
    "Table S8": Grid(
        after="quarter exact",
        before="Table S8:",
        lines=_BY_REGIME,
        columns=dict.fromkeys(
            ("Diagonal exact", "Diagonal F1", "Quarter exact", "Quarter F1", "180 exact", "180 minus quarter exact"),
            SCORE,
        ),
    ),
    "Table S9": Grid(
        after="Observed NSC Null NSC",
        before="Table S9:",
        lines=_BY_REGIME,
        columns=dict.fromkeys(("Observed NSC", "Null NSC"), SCORE),
    ),
    "Table S10": Grid(
        after="Cell CIs $>0$",
        before="Table S10:",
        lines=_by_metric("F1", "NSC", "Binary realizability", "MaxSAT"),
        columns=dict.fromkeys(("Isolated", "Competing", "Drop"), SCORE)
        | dict.fromkeys(("Drop 95% low", "Drop 95% high"), ("fraction", "interval"))
        | {"Cell CIs above 0": ("count", "prediction"), "Cells": ("count", "config")},
    ),
    "Table S11": Grid(
        after="| Attr. |",
        before="Table S12:",
        lines=_as_printed("Gemini / F1", "Gemini / NSC", "Qwen OS / F1", "Qwen OS / NSC"),
        columns=dict.fromkeys(("Isolated", "Competing", "Irrelevant filler", "Attribute filler"), SCORE),
    ),
    "Table S12": Grid(
        after="| 8 | 9 |",
        before="Table S13:",
        lines=_RETRIEVAL,
        columns=dict.fromkeys([f"Position {at}" for at in range(10)], SHARE),
    ),
    "Table S13": Grid(
        after="| 19 | All |",
        before="## 6 Qualitative",
        lines=_RETRIEVAL,
        columns=dict.fromkeys([*[f"Position {at}" for at in range(10, 20)], "All"], SHARE),
    ),
    "Table S15": Grid(
        after="| Context used |",
        before="The full CVT-Real run",
        lines=_as_printed(*MODELS),
        columns=dict.fromkeys(("Context window", "Output cap", "Peak input tokens"), ("count", "config"))
        | {"Context used": ("percent", "config")},
    ),
}


def table_rows(text: str) -> list[dict[str, str]]:
    """The published rows of all tables, in print order, from the paper's `text`.

    Raises `InputError` where a table or a cell is not found.
    """
    text = " ".join(text.split())
    grids = [row for place, grid in GRIDS.items() for row in _grid(place, grid, text)]
    return [*_table_1(text), *_table_s1(text), *_table_s2(text), *grids]


def _table_1(text: str) -> list[dict[str, str]]:
    body = between(text, "Table 1: ", " Do MLLMs Form")
    triple = r"(\d+\.\d+) / (\d+\.\d+) / (\d+\.\d+)"
    rows = []
    for model in MODELS:
        printed = body.partition(f"| {model} | S R |")[2]
        cells = re.findall(rf"\| {triple} {triple} (?=\|)", printed)[: len(METRICS) * len(REGIMES)]
        same_length("Table 1", model, cells, len(METRICS) * len(REGIMES))
        columns = [(metric, regime) for metric in METRICS for regime in REGIMES]
        for at, name in enumerate(f"{model} / {domain} / {mode}" for domain in DOMAINS for mode in REPRESENTATIONS):
            for (metric, regime), cell in zip(columns, cells, strict=True):
                rows.append(_row("Table 1", name, f"{metric} / {regime}", cell[at], METRICS[metric], "prediction"))
    return rows


def _table_s1(text: str) -> list[dict[str, str]]:
    cells = _cells(between(text, "Table S1: ", " ### 1.2"))
    rows = []
    for name, names in TABLE_S1.items():
        if name not in cells:
            raise InputError(f"Table S1: expected a row {name!r}, found none; {REMEDY}")
        start = cells.index(name) + 1
        four = cells[start : start + 4]
        same_length("Table S1", name, four, 4)
        for domain, labels, cell in zip(DOMAINS * 2, names, four, strict=True):
            if not labels:
                continue  # words only, and "3DSSG" is a name
            values = re.findall(r"\d[\d,]*(?:\.\d+)?", cell.replace("Ten ", "10 "))
            same_length("Table S1", f"{name}, {domain}", values, len(labels))
            for label, value in zip(labels, values, strict=True):
                angle = label.endswith("angle")
                unit = "other" if angle or name == "Input resolution" else "count"
                rows.append(_row("Table S1", label, domain, value, unit, "config" if angle else "composition"))
    return rows


def _table_s2(text: str) -> list[dict[str, str]]:
    cells = _cells(between(text, "Table S2: ", " The median CVT-Synthetic"))
    rows = []
    for domain, name, *values in _blocks(cells, "Ground-truth constraints", len(VALIDATIONS)):
        for (column, kind), value in zip(VALIDATIONS.items(), values, strict=True):
            rows.append(_row("Table S2", name, f"{domain} / {column}", value, "percent", kind))
    for perturbation in PERTURBATIONS:
        for domain, name, *values in _blocks(cells, perturbation, 4):
            levels = re.findall(r"\d+", name)
            same_length("Table S2", f"levels of {perturbation}, {domain}", levels, len(values))
            for column, printed, kind in (("Level", levels, "config"), ("Realizable", values, "control")):
                for level, value in zip(levels, printed, strict=True):
                    rows.append(
                        _row("Table S2", f"{perturbation} / {level}%", f"{domain} / {column}", value, "percent", kind)
                    )
    return rows


def _grid(place: str, grid: Grid, text: str) -> list[dict[str, str]]:
    body = re.sub(r"[|$\s]+", " ", between(text, grid.after, grid.before))
    _, *parts = re.split(f"({'|'.join(map(re.escape, grid.lines))})", body)
    lines = dict(zip(parts[::2], parts[1::2], strict=True))
    same_length(place, "lines", parts[::2], len(grid.lines))
    rows = []
    for head, (row, column) in grid.lines.items():
        printed = re.findall(r"-?(?:\d[\d,]*)?\.?\d+", lines.get(head, ""))
        same_length(place, head, printed, len(grid.columns))
        for (name, (unit, kind)), value in zip(grid.columns.items(), printed, strict=True):
            rows.append(_row(place, row.format(name), column.format(name), value, unit, kind))
    return rows


def _blocks(cells: list[str], name: str, width: int) -> list[list[str]]:
    """The table rows whose second cell begins with `name`: domain, name and `width` values, one row a domain."""
    found = [cells[at - 1 : at + 1 + width] for at, cell in enumerate(cells) if cell.startswith(name)]
    if [block[0] for block in found] != list(DOMAINS):
        raise InputError(f"Table S2: expected {name!r} for {' and '.join(DOMAINS)}, found {len(found)} rows; {REMEDY}")
    for block in found:
        same_length("Table S2", f"{name}, {block[0]}", block, 2 + width)
    return found


def _cells(table: str) -> list[str]:
    return [cell.strip() for cell in table.split("|") if cell.strip()]


def _row(place: str, row: str, column: str, printed: str, unit: str, kind: str) -> dict[str, str]:
    return published_row("cvt", place, row, column, printed, unit, kind, unsaid="cvt-|global ")


# The second reading.

_STREAMS = {"Table S1": ("Table S1: ", "### 1.2"), "Table S2": ("Table S2: ", "The median CVT-Synthetic")} | {
    place: (grid.after, grid.before) for place, grid in GRIDS.items()
}


def _printed(text: str) -> dict[str, list[str]]:
    text = " ".join(text.split())
    # Below each model's row of Table 1 the copy repeats its twelve cells, each alone on a line of the table.
    repeats = re.findall(r"\| ([\d.]+ / [\d.]+ / [\d.]+)(?: \|){20}", between(text, "Table 1: ", "Do MLLMs Form"))
    alone = [cell.split(" / ") for cell in repeats]
    # Print order is metric, regime, domain; the rows' order is domain, representation, metric, regime.
    table_1 = [
        alone[12 * model + 2 * cell + domain][mode]
        for model in range(len(alone) // 12) for domain in range(2) for mode in range(3) for cell in range(6)
    ]  # fmt: skip
    return {"Table 1": table_1} | {name: numbers(between(text, *marks), NAMES) for name, marks in _STREAMS.items()}


def split_sections(text: str, places: list[dict[str, str]]) -> dict[str, str]:
    """The text of each section, without its subsections. A heading in the copy runs on into its first sentence."""
    headings = {}
    for place in (row["place"] for row in places if row["kind"] == "section"):
        name = re.escape(place.removeprefix("Supp. "))
        # Supp. F.1 and F.2 begin in the middle of a paragraph; every other heading begins a line.
        headings[place] = rf"\b{name} (?=[A-Z])" if place.startswith("Supp. F") else rf"^#+ {name}\.? "
    return {place: _without_cells(body) for place, body in cut_sections(text, headings).items()}


def _without_cells(text: str) -> str:
    """`text` on one line without the cells of its tables: a value there is no evidence for the running text."""
    text = " ".join(text.split())
    for grid in GRIDS.values():
        text = re.sub(f"{re.escape(grid.after)}.*?(?={re.escape(grid.before)})", " ", text)
    return re.sub(r"\|[^|]*(?=\|)", " ", text)


def _caption(text: str, place: str) -> str:
    """What follows "Table S10:" up to the first cell of the table, at most 400 characters: a caption has no end mark."""
    body = " ".join(text.split()).partition(f"{place}: ")[2]
    if not body:
        raise InputError(f"the paper's text: expected {place!r}, found none; {REMEDY}")
    return body.partition("|")[0][:400]


PAPER = Paper("cvt", NAMES, table_rows, _printed, split_sections, _caption)
