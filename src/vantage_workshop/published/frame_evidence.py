"""The layout of FrameEvidence: its tables, taken from a text copy of the paper line by line, and its sections.

The copy is a machine conversion with Markdown tables, a line a table row, each below a line with its caption. The rows are
made from the cells, whose order and names the layout declares. The proof-reading takes the numbers of each table as one
flat stream that knows nothing of lines and cells.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vantage.errors import InputError
from vantage_workshop.published.numerals import numbers
from vantage_workshop.published.paper import REMEDY, Paper, cut_sections, published_row, same_length

NAMES = "|".join((
    r"(?:Section|Tables?|Figure|Appendix|Appendices) [A-G]?\.?\d+(?:\.\d+)?[ab]?(?: and (?:[A-G]|\d+))?",
    r"Qwen\d(?:\.\d)?(?:-VL-\d+B)?", r"InternVL3(?:\.5)?-\d+B", r"GPT-5\.6", r"Fable 5\.1", r"LLaVA-OneVision-7B",
    r"MiniCPM-V[- ]4\.5", r"Mistral Small 3\.2 24B", r"Phi-4-Multimodal", r"Kimi-VL-A3B",
    r"\d-shot", r"(?i:(?:one-, )?(?:two-to-|two- and )?(?<!zero- to )(?:zero|one|two|three)-shot)", r"R_\{\d\}",
    r"\([^()]*\b20\d\d[a-z]?\b[^()]*\)", r"scikit-learn [\d.]+", r"group_\d+", r"fce_test_\d+",
))  # fmt: skip
"""What holds digits and counts nothing: numbers of tables and sections, models, settings, citations, versions, ids."""

OPEN_WEIGHT = (
    "Qwen2.5-VL-7B", "InternVL3-8B", "Qwen3-VL-8B", "LLaVA-OneVision-7B", "MiniCPM-V 4.5", "Mistral Small 3.2 24B",
    "Qwen2.5-VL-32B", "InternVL3.5-14B", "Phi-4-Multimodal", "Kimi-VL-A3B",
)  # fmt: skip
SHORT = {"Qwen": "Qwen2.5-VL-7B", "InternVL": "InternVL3-8B", "GPT": "GPT-5.6", "Claude": "Claude Fable 5.1"}
CONFIGURATIONS = (
    *(f"{family} / Base" for family in OPEN_WEIGHT),
    *(f"{family} / LoRA" for family in OPEN_WEIGHT[:2]),
    *(f"{family} / {shots}-shot" for family in ("GPT-5.6", "Claude Fable 5.1") for shots in range(4)),
)
"""The 20 configurations by the one name that the rows have for each."""


def configuration(printed: str) -> str:
    """The one name of a configuration, whatever short form a table prints.

    >>> configuration("Qwen2.5-VL-7B (Base)"), configuration("InternVL LoRA"), configuration("Phi-4-Multimodal")
    ('Qwen2.5-VL-7B / Base', 'InternVL3-8B / LoRA', 'Phi-4-Multimodal / Base')
    """
    family, setting = re.fullmatch(r"(.*?)(?: / | \(| |$)(Base|LoRA|\d-shot)?\)?", printed).groups()
    name = f"{SHORT.get(family, family)} / {setting or 'Base'}"
    if name not in CONFIGURATIONS:
        raise InputError(f"the paper's text: expected the name of a configuration, found {printed!r}; {REMEDY}")
    return name


def _contrast(printed: str) -> str:
    """What Table 25 subtracts: "InternVL3-8B : All-Text" or "InternVL3-8B: LoRA-Base"."""
    model, _, difference = printed.partition(":")
    model = model.strip() if difference.endswith("Base") else configuration(model.strip())
    return f"{model}:{difference}"


def _run(printed: str) -> str:
    """A run of the three-seed experiments: the matched Base control, one adapter or the mean over the three."""
    family, _, run = printed.partition(" / ")
    if run.endswith("-shot"):
        return configuration(printed)
    words = {"Base": "Base control", "LoRA": "LoRA mean", "Mean": "LoRA mean"}
    return f"{family} / {words.get(run, f'LoRA {run}')}"


def _as_printed(label: str) -> str:
    return label


Part = tuple[str, str, str]
"""A number of a cell: the words of its column, its unit and its kind."""


@dataclass(frozen=True)
class Table:
    """A Markdown table of `lines` lines of numbers, below `heads` lines of heads.

    The first `labels` cells of a line make its row's words through `name`; the others are described in `columns`, each with
    the numbers that a cell holds, in order. With `first_only` a cell may also hold just the first of them. `counted` has
    the pattern of those numbers in the heads that count something, and the row and columns that they make. `exceptions`
    are patterns of "row | column" with another unit and kind than the column's; an empty one changes nothing.
    """

    lines: int
    columns: tuple[tuple[Part, ...], ...]
    heads: int = 1
    labels: int = 1
    name: Callable[[str], str] = _as_printed
    first_only: bool = False
    counted: tuple[str, str, tuple[str, ...]] | None = None
    exceptions: tuple[tuple[str, str, str], ...] = ()


def _each(names: str | tuple[str, ...], unit: str, kind: str = "prediction") -> tuple[tuple[Part, ...], ...]:
    """Columns with one number a cell."""
    return tuple(((name, unit, kind),) for name in (names.split() if isinstance(names, str) else names))


def _with_interval(name: str, interval: str | None = None) -> tuple[Part, ...]:
    """A difference and its interval in one cell, or the interval alone."""
    low, high = ((f"{interval or name} / {end}", "pp", "interval") for end in ("low", "high"))
    return (low, high) if interval else ((name, "pp", "prediction"), low, high)


def _strata(metrics: tuple[str, ...], strata: tuple[str, ...]) -> Table:
    """A table of shares with the metrics side by side, each by stratum, and the groups of each in the head."""
    names = tuple(f"{metric} / {stratum}" for metric in metrics for stratum in strata)
    return Table(20, _each(names, "percent"), heads=2, name=configuration, counted=(r"n=(\d+)", "Groups", names))


_SCORES = ("P", "R", "F1", "Acc.", "GEM", "NTS", "DIS")
_JOINT = ("FQ1-GEM", "NTS", "DIS")
_O_AND_R = ("O", "R")
_WITH_SD = {name: ((name, "percent", "prediction"), (f"{name} / SD", "percent", "prediction")) for name in _SCORES}

TABLES = {
    "Table 1": Table(
        1, ((("Scale / questions", "count", "composition"), ("Scale / triplets", "count", "composition")),)
    ),
    "Table 2": Table(9, _each("Train Dev Test Total", "count", "composition")),
    "Table 3": Table(
        9,
        _each("Removed Shifted Stable None", "count"),
        name=lambda label: label if label == "Groups" else configuration(label),
        exceptions=(("^Groups", "count", "composition"),),
    ),
    "Table 4": Table(
        22,
        _each(_SCORES, "percent"),
        heads=2,
        labels=2,
        exceptions=(("^Uniform random", "percent", "control"), ("^Human", "percent", "human")),
    ),
    "Table 5": Table(13, _each(("Delta Acc.", "Delta NTS", "Delta DIS"), "pp"), name=configuration),
    "Table 6": Table(5, tuple(_WITH_SD[name] for name in _SCORES[3:]), name=_run, first_only=True),
    "Table 7": Table(4, _each("Repeat R1 R2 R3", "percent")),
    "Table 8": Table(20, _each("MSS Del. Add.", "count"), name=configuration),
    "Table 10": Table(3, _each(("Train Acc.", "Dev Acc.", "Test Acc.", "Test NTS", "Test DIS"), "percent", "control")),
    "Table 11": Table(10, tuple(_WITH_SD.values()), labels=2, name=_run, first_only=True),
    "Table 12": Table(
        9,
        _each(("Vanilla", "Mean rot.", "Circular", "Consistency"), "percent") + _each("Drop", "pp"),
        labels=2,
        name=_run,
    ),
    "Table 13": Table(
        13,
        (
            *_each("Estimate", "percent"),
            *(
                ((f"{name} / low", "percent", "interval"), (f"{name} / high", "percent", "interval"))
                for name in ("Triplets", "Union components")
            ),
        ),
        counted=(r"(\d+) (?:triplets|union)", "Clusters", ("Triplets", "Union components")),
        exceptions=((r"minus|difference", "pp", ""),),
    ),
    "Table 15": Table(3, _each("Positive Tied Negative", "count") + _each(("Median Delta",), "pp")),
    "Table 16": _strata(_JOINT, ("2", "3", "4")),
    "Table 17": _strata(_JOINT, ("Axial", "Quadrant")),
    "Table 18": _strata(_JOINT, ("Large", "Tabletop", "Outdoor")),
    "Table 19": _strata(_JOINT[1:], ("Camera tag", "Object tag", "World tag")),
    "Table 20": Table(
        20,
        (
            *_each(("Frame invariant",), "percent"),
            *_each("m", "count"),
            *_each(("Deletion / To insufficient", "Deletion / Original", "Deletion / Other"), "percent"),
            *_each(("Addition / Robust", "Addition / Drift", "Invalid"), "percent"),
        ),
        heads=2,
        name=configuration,
    ),
    "Table 21": Table(
        4,
        (
            tuple(
                (f"Common groups / {checkpoint} {number}", "count", "prediction")
                for checkpoint in ("Base", "LoRA")
                for number in ("successes", "out of")
            ),
            *_each(("Common change", "LoRA-only successes", "Base-only successes", "Full change"), "count"),
        ),
        labels=2,
        counted=(r"out of (\d+)", "Groups", ("Full change",)),
    ),
    "Table 22": Table(
        20,
        _each(tuple(f"{metric} / {value}" for metric in _JOINT for value in _O_AND_R), "percent"),
        heads=2,
        name=configuration,
    ),
    "Table 24": Table(
        3,
        _each(tuple(f"Correct counts / {variant}" for variant in ("MSS", "Del.", "Add.")), "count", "control")
        + _each(tuple(f"{metric} / {value}" for metric in _JOINT[1:] for value in _O_AND_R), "percent", "control"),
        heads=2,
        counted=(r"/ (\d+)", "Groups", ("Correct counts",)),
    ),
    "Table 25": Table(
        26,
        tuple(_with_interval(f"Delta {metric}") for metric in ("Acc.", *_JOINT)),
        name=_contrast,
    ),
    "Table 26": Table(
        4,
        (
            *_each("Delta", "pp"),
            *(_with_interval("", name) for name in ("Exact-image", "Inferred-scene", "Union")),
            (("Gain", "count", "prediction"), ("Loss", "count", "prediction")),
        ),
        labels=2,
    ),
    "Table 30": Table(
        8,
        tuple(
            column
            for overlap in ("Shared with train", "Absent from train and dev")
            for column in (
                *_each((f"{overlap} / Acc.",), "percent"),
                *_each(tuple(f"{overlap} / {metric}" for metric in _SCORES[4:]), "count"),
            )
        ),
        heads=2,
    ),
    "Table 31": Table(20, _each("Same Change Both GEM", "count"), name=configuration),
    "Table 32": Table(
        7,
        tuple(
            ((split, "percent", "control"), (f"{split} / out of", "count", "composition")) for split in ("Dev", "Test")
        ),
        first_only=True,
        counted=(r"\((\d+) questions\)", "Questions", ("Dev", "Test")),
        exceptions=((r"^(?:GEM|NTS|DIS) \| \w+$", "count", "control"),),
    ),
}


def table_rows(text: str, tables: dict[str, Table] = TABLES) -> list[dict[str, str]]:
    """The published rows of `tables`, in print order, from the paper's `text`.

    Raises `InputError` where a table or a cell is not found.
    """
    return [row for place, table in tables.items() for row in _rows(place, table, text)]


def _rows(place: str, table: Table, text: str) -> Iterator[dict[str, str]]:
    lines = [[_plain(cell) for cell in line.strip().split("|")[1:-1]] for line in _body(place, text).splitlines()]
    lines = [line for line in lines if not set("".join(line)) <= set("- ")]
    heads, lines = lines[: table.heads], lines[table.heads :]
    if place == "Table 1":
        lines = [[line[0], line[-1]] for line in lines if line[0] == "FrameEvidence"]
    if table.counted:
        pattern, row, columns = table.counted
        found = re.findall(pattern, " | ".join(cell for line in heads for cell in line))
        same_length(place, row, found, len(columns))
        for column, number in zip(columns, found, strict=True):
            yield published_row("frame_evidence", place, row, column, number, "count", "composition")
    labelled = list(_labelled(lines, table.labels))
    same_length(place, "lines", labelled, table.lines)
    for label, cells in labelled:
        row = table.name(label)
        same_length(place, label, cells, len(table.columns))
        for parts, cell in zip(table.columns, cells, strict=True):
            found = re.findall(r"[-+]?\d+(?:\.\d+)?", cell)
            parts = () if cell == "-" else parts[:1] if table.first_only and len(found) == 1 else parts
            same_length(place, f"{label}, {cell}", found, len(parts))
            for (column, unit, kind), number in zip(parts, found, strict=True):
                for pattern, other_unit, other_kind in table.exceptions:
                    if re.search(pattern, f"{row} | {column}"):
                        unit, kind = other_unit or unit, other_kind or kind
                yield published_row("frame_evidence", place, row, column, number, unit, kind)


def _labelled(lines: list[list[str]], labels: int) -> Iterator[tuple[str, list[str]]]:
    """Each line of numbers with its whole label: a family printed once, above its lines or in the first, counts for all."""
    family, panel = "", ""
    for line in lines:
        label, cells = line[:labels], line[labels:]
        if not any(cells):
            panel = label[0]
        elif labels == 2:
            family = label[0] or family
            yield f"{family} / {label[1]}", cells
        elif re.fullmatch(r"\d-shot", label[0]) or label[0] in ("Base", "LoRA"):
            yield f"{panel or family} / {label[0]}", cells
        else:
            family = label[0].partition(" / ")[0]
            yield label[0], cells


def _plain(cell: str) -> str:
    """A cell without its mathematical mark-up, dashes as hyphens."""
    cell = cell.replace("–", "-").replace(r"{\pm}", " ").replace(r"\to", " ")
    cell = re.sub(r"R_\{(\d)\}", r"R\1", cell)
    return re.sub(r"\\[a-z]+|[${}]", "", cell).strip()


def _body(place: str, text: str) -> str:
    """The Markdown lines of a table."""
    if not (match := re.search(rf"^{place}: .*\n\n((?:\|.*\n?)+)", text, flags=re.MULTILINE)):
        raise InputError(f"the paper's text: expected {place} below its caption, found none; {REMEDY}")
    return match[1]


# The second reading.

_IN_TABLES = NAMES + "|" + "|".join((
    r"\b2026072[234]\b", r"\b[234] (?=\$n=)", r"All–One", r"At least one", r"-{2,}",
))  # fmt: skip
"""Rows and heads of tables that hold numbers and count nothing."""


def _printed(text: str) -> dict[str, list[str]]:
    bodies = {place: _body(place, text) for place in TABLES}
    bodies["Table 1"] = bodies["Table 1"].partition("| FrameEvidence")[2]
    return {place: numbers(body.replace("\n", " "), _IN_TABLES) for place, body in bodies.items()}


def split_sections(text: str, places: list[dict[str, str]]) -> dict[str, str]:
    """The running text of each section without its subsections, tables and captions, and each caption by itself."""
    headings = {place["place"]: _heading(place["place"]) for place in places if place["kind"] == "section"}
    sections = {place: _running(body) for place, body in cut_sections(text, headings).items()}
    captions = re.findall(r"^\*?((?:Table|Figure) \d+): (.*)$", text, flags=re.MULTILINE)
    return sections | {place: caption.replace("n=288n=288", "$n=288$") for place, caption in captions}


def _heading(place: str) -> str:
    if place == "Appendix E":  # its heading is lost; this one opens its text
        return r"^##### Sensitivity using the existing predictions\.$"
    name = re.escape(place.removeprefix("Section ").removeprefix("Appendix A-C, ").removeprefix("Appendix "))
    return rf"^#+ {name}(?:\.?$| [A-Z].*$)"


def _running(body: str) -> str:
    """Without headings, formulas that stand alone, lines of tables, figures and captions."""
    lines = re.sub(r"^(?:#+ |\$\$|\||!\[|\*?(?:Table|Figure) \d+: ).*$", "", body, flags=re.MULTILINE)
    return " ".join(lines.split())


PAPER = Paper("frame_evidence", NAMES, table_rows, _printed, split_sections)
