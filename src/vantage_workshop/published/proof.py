"""Proof-reading of the published rows of CVT-Bench against a text copy of the paper.

The tables are read here a second time, by another method than in `tables`: Table 1 from the repeats of its cells, the others
as one flat stream of numbers that knows nothing of rows and cells. For the rows kept by hand, every printed value must
occur in the section or caption that the row names, as many times as rows say so; what is left over is listed for the eye.
"""

import re
from collections import Counter

from vantage.errors import InputError
from vantage_workshop.published.rows import REMEDY, is_table_row, plain
from vantage_workshop.published.tables import GRIDS

SMALL = (
    "zero one two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: value for value, word in enumerate(SMALL.split())} | {
    word: 10 * (at + 2) for at, word in enumerate(TENS.split())
}

NAMES = r"GPT-5\.2|Gemini 3\.1|Kimi K2\.5|Qwen 3\.5|Level[- ]\d|(?:Table|Figure) S?\d+"
# A minus sign counts only where it opens a number, not as the hyphen of "long-270".
NUMBER = r"(?:(?<=[$\[(/])-|(?<![\w.]))(?:\d{1,3}(?:,\d{3})+|\d*\.?\d+)(?:\.\d+)?(?![A-Za-z\d])"
WORD = rf"\b(?:(?:{TENS.replace(' ', '|')})-(?:{'|'.join(SMALL.split()[1:10])})|{'|'.join(WORDS)})\b(?: hundred\b)?"


STREAMS = {"Table S1": ("Table S1: ", "### 1.2"), "Table S2": ("Table S2: ", "The median CVT-Synthetic")} | {
    place: (grid.after, grid.before) for place, grid in GRIDS.items()
}


def differences(rows: list[dict[str, str]], text: str, places: list[dict[str, str]]) -> list[str]:
    """One line for each published row that the paper's `text` does not bear out; none where all agree."""
    cells = [row for row in rows if is_table_row(row)]
    found = _compare_table_1([row for row in cells if row["place"] == "Table 1"], text)
    for name, marks in STREAMS.items():
        found += _compare_stream(name, [row for row in cells if row["place"] == name], numbers(_cut(text, *marks)))
    return found + _compare_text([row for row in rows if not is_table_row(row)], text, places)


def left_over(rows: list[dict[str, str]], text: str, places: list[dict[str, str]]) -> dict[str, list[str]]:
    """For each section, the numbers of its text and captions that no row kept by hand has.

    Each must be left out for a reason that the README of `data/published` gives.
    """
    by_hand = [row for row in rows if not is_table_row(row)]
    found = {}
    for section, body in split_sections(text, places).items():
        # A caption stands in the text of a section.
        had = Counter(row["value"] for row in by_hand if row["place"] == section or f"{row['place']}: " in body)
        found[section] = [*(Counter(numbers(body)) - had).elements()]
    return found


def numbers(text: str) -> list[str]:
    """The printed numbers of a text in order, number words included, as plain decimals; names that hold digits are left out.

    >>> numbers("GPT-5.2 uses 5,703 questions, 3DSSG twenty-three, $320{\\\\times}240$, $-.08$ and Five hundred.")
    ['5703', '23', '320', '240', '-0.08', '500']
    """
    text = re.sub(NAMES, " ", re.sub(r"\\[a-zA-Z]+", " ", " ".join(text.split())))
    return [_value(match[0].lower()) for match in re.finditer(f"{NUMBER}|{WORD}", text, flags=re.IGNORECASE)]


def _value(printed: str) -> str:
    """A printed number or number word as a plain decimal: "twenty-three" is 23."""
    if not printed[0].isalpha():
        return plain(printed)
    words, _, hundred = printed.partition(" ")
    return str(sum(WORDS[word] for word in words.split("-")) * (100 if hundred else 1))


def _compare_table_1(rows: list[dict[str, str]], text: str) -> list[str]:
    """Table 1 again: below each model's row the copy repeats its twelve cells, each alone on a line of the table."""
    body = _cut(text, "Table 1: ", "Do MLLMs Form")
    alone = [cell.split(" / ") for cell in re.findall(r"\| ([\d.]+ / [\d.]+ / [\d.]+)(?: \|){20}", body)]
    # Print order is metric, regime, domain; the rows' order is domain, representation, metric, regime.
    expected = [
        alone[12 * model + 2 * cell + domain][mode]
        for model in range(len(alone) // 12) for domain in range(2) for mode in range(3) for cell in range(6)
    ]  # fmt: skip
    return _compare_stream("Table 1", rows, expected)


def _compare_stream(name: str, rows: list[dict[str, str]], printed: list[str]) -> list[str]:
    """`rows` beside the numbers `printed`, both in print order."""
    found = [] if len(rows) == len(printed) else [f"{name}: {len(rows)} rows, {len(printed)} printed numbers"]
    return found + [
        f"{row['id']}: row {row['value']}, printed {value}"
        for row, value in zip(rows, printed, strict=False)
        if row["value"] != value
    ]


def _compare_text(rows: list[dict[str, str]], text: str, places: list[dict[str, str]]) -> list[str]:
    sections = split_sections(text, places)
    found = []
    for place in dict.fromkeys(row["place"] for row in rows):
        printed = Counter(numbers(sections[place] if place in sections else _caption(text, place)))
        for row in rows:
            if row["place"] == place:
                printed[row["value"]] -= 1
                if printed[row["value"]] < 0:
                    found.append(f"{row['id']}: {row['value']} occurs less often in {place} than rows have it")
    return found


def split_sections(text: str, places: list[dict[str, str]]) -> dict[str, str]:
    """The text of each section, without its subsections. A heading in the copy runs on into its first sentence."""
    headings = {}
    for place in (row["place"] for row in places if row["kind"] == "section"):
        name = re.escape(place.removeprefix("Supp. "))
        # Supp. F.1 and F.2 begin in the middle of a paragraph; every other heading begins a line.
        heading = rf"\b{name} (?=[A-Z])" if place.startswith("Supp. F") else rf"^#+ {name}\.? "
        if not (match := re.search(heading, text, flags=re.MULTILINE)):
            raise InputError(f"the paper's text: expected a section {place}, found none; {REMEDY}")
        headings[place] = match
    starts = sorted(match.start() for match in headings.values())
    ends = dict(zip(starts, [*starts[1:], text.find("## References")], strict=True))
    return {place: _without_cells(text[match.end() : ends[match.start()]]) for place, match in headings.items()}


def _without_cells(text: str) -> str:
    """`text` on one line without the cells of its tables: a value there is no evidence for the running text."""
    text = " ".join(text.split())
    for grid in GRIDS.values():
        text = re.sub(f"{re.escape(grid.after)}.*?(?={re.escape(grid.before)})", " ", text)
    return re.sub(r"\|[^|]*(?=\|)", " ", text)


def _caption(text: str, place: str) -> str:
    """What follows "Table S10:" up to the first cell of the table, at most 400 characters: a caption has no end mark."""
    body = _cut(" ".join(text.split()), f"{place}: ", "")
    return body.partition("|")[0][:400]


def _cut(text: str, start: str, end: str) -> str:
    """What stands between two marks, on one line."""
    body = " ".join(text.split()).partition(start)[2]
    if not body or end not in body:
        raise InputError(f"the paper's text: expected {start.strip()!r}, found none; {REMEDY}")
    return body.partition(end)[0] if end else body
