"""The published rows: how they come from a paper's text, how they are proof-read, and that they hold together."""

import csv
import doctest
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from vantage import files
from vantage.errors import InputError
from vantage.ledger import RULES
from vantage.published import as_printed, load_derived, load_doubts, load_places, load_published
from vantage_workshop.published import __main__ as program
from vantage_workshop.published import frame_evidence, numerals, paper
from vantage_workshop.published.frame_evidence import CONFIGURATIONS, TABLES
from vantage_workshop.published.rows import is_table_row, read_places, read_published

BOTH = ("cvt", "frame_evidence")
FOLDER = files.root() / "data" / "published"


@pytest.fixture(scope="module")
def rows():
    places = [place["place"] for place in read_places(FOLDER / "places.csv", "frame_evidence")]
    return read_published(FOLDER / "frame_evidence.csv", places)


@pytest.mark.parametrize("module", [numerals, paper, frame_evidence], ids=lambda module: module.__name__)
def test_examples_in_the_docstrings(module):
    assert doctest.testmod(module).failed == 0


# --------------------------------------------------------------------------------------------------------- the files


@pytest.mark.parametrize("name", BOTH)
def test_rows_stand_in_the_order_of_the_paper(name):
    order = load_places().query("paper == @name").set_index("place").order
    published = load_published(name)
    assert set(published.paper) == {name}
    assert order[published.place].is_monotonic_increasing


def test_every_table_that_our_copy_has_is_transcribed(rows):
    tables = load_places().query("paper == 'frame_evidence' and kind == 'table'")
    there = tables[~tables.title.str.contains("; missing in our copy")].place
    assert {row["place"] for row in rows if is_table_row(row)} == set(there) == set(TABLES)


def test_each_configuration_has_one_name(rows):
    """The 20 configurations of Table 4, by the same words in every table that has them all."""
    assert len(set(CONFIGURATIONS)) == 20
    names = {place: {row["row"] for row in rows if row["place"] == place} for place in TABLES}
    for place in (
        "Table 4",
        "Table 8",
        "Table 16",
        "Table 17",
        "Table 18",
        "Table 19",
        "Table 20",
        "Table 22",
        "Table 31",
    ):
        assert set(CONFIGURATIONS) <= names[place]
    for place in ("Table 3", "Table 5"):
        assert names[place] - {"Groups"} <= set(CONFIGURATIONS)


@pytest.mark.parametrize("name", BOTH)
def test_the_same_words_mean_the_same_number_wherever_running_text_prints_them(name):
    """One recomputed value answers for all: the words differ where the number or its unit does."""
    tables = set(load_places().query("paper == @name and kind == 'table'").place)
    said = {}
    for number in load_published(name).itertuples():
        if number.place in tables and ".caption." not in number.id:
            continue
        key = (number.row.removeprefix("Caption: "), number.column)
        printed, unit = said.setdefault(key, (number, number.unit))
        decimals = min(printed.decimals, number.decimals)
        assert as_printed(number.value, decimals) == as_printed(printed.value, decimals), key
        assert number.unit == unit, key


@pytest.mark.parametrize("name", BOTH)
def test_derived_numbers_follow_from_others(name):
    """Each by its rule at the printed precision, and none, by way of others, from itself."""
    derived = {row.id: (row.rule, row.ids.split()) for row in load_derived(name).itertuples()}
    decimals = {row.id: row.decimals for row in load_published(name).itertuples()}
    printed = {row.id: Fraction(as_printed(row.value, row.decimals)) for row in load_published(name).itertuples()}
    for id_, (rule, parts) in derived.items():
        found = Fraction(RULES[rule]([printed[part] for part in parts]))
        assert as_printed(found, decimals[id_]) == as_printed(printed[id_], decimals[id_]), id_
    rank = {}

    def depth(id_: str, above: tuple[str, ...] = ()) -> int:
        assert id_ not in above, above
        if id_ not in rank:
            parts = derived.get(id_, ("", []))[1]
            rank[id_] = 1 + max((depth(part, (*above, id_)) for part in parts), default=0)
        return rank[id_]

    assert max(map(depth, derived)) > 1


@pytest.mark.parametrize("name", BOTH)
def test_doubts_name_what_exists(name):
    conflicts, tensions = load_doubts(name)
    assert {id_ for ids in conflicts.ids for id_ in ids.split()} <= set(load_published(name).id)
    places = set(load_places().query("paper == @name").place)
    assert {place for named in tensions.places for place in named.split("; ")} <= places


def test_the_two_exact_image_intervals_can_both_be_right():
    """Tables 25 and 26 print -3.8 and -2.5 for one upper end. With the components that the tension names, and losses as
    Table 26 counts them, both lie where about 2.5 % of bootstrap draws are above, and so do -22.9 and -22.8 at the other end.
    Standard errors of such a share are 0.16 points at 10,000 draws and 0.11 at 20,000."""
    sizes = np.array([4] + 2 * [3] + 12 * [2] + 14 * [1])
    lost = np.zeros(29, int)
    lost[0], lost[[3, 4, 15, 16]] = 2, 1
    assert (len(sizes), sizes.sum(), lost.sum()) == (29, 48, 6)
    assert (lost <= sizes).all()
    drawn = np.random.default_rng(20261130).multinomial(29, np.full(29, 1 / 29), size=400_000)
    change = -100 * (drawn @ lost) / (drawn @ sizes)
    for end, error in ((-3.75, 0.0016), (-2.55, 0.0011)):
        assert abs((change >= end).mean() - 0.025) < 2 * error
    for end, error in ((-22.85, 0.0016), (-22.85, 0.0011)):
        assert abs((change <= end).mean() - 0.025) < 2 * error


# ------------------------------------------------------------------------------------------- the program, on a made-up copy

HEADS = {
    "Table 13": "{} triplets | {} union components",
    "Table 21": "Full change out of {}",
    "Table 24": "Correct counts / {}",
    "Table 32": "Dev ({} questions) | Test ({} questions)",
}
RUNS = {"Base control": "Base", "LoRA mean": "LoRA"}


def made_up_copy(rows):
    """A text laid out as our copy of FrameEvidence is, that prints what `rows` have and no other number."""
    lines = []
    for place in read_places(FOLDER / "places.csv", "frame_evidence"):
        name = place["place"]
        here = [row for row in rows if row["place"] == name]
        said = " ".join(f"${row['value']}$" for row in here if not is_table_row(row))
        if place["kind"] == "section":
            title = name.removeprefix("Section ").removeprefix("Appendix ")
            heading = f"#### {title} Title" if title[-1].isdigit() else f"## {title.removeprefix('A-C, ')}"
            lines += ["##### Sensitivity using the existing predictions." if title == "E" else heading, "", said, ""]
        elif place["kind"] == "figure":
            lines += [f"*{name}: {said}*", ""] if said else []
        elif name in TABLES:
            lines += [f"{name}: {said}", "", *made_up_table(name, [row for row in here if is_table_row(row)]), ""]
    return "\n".join([*lines, "## References", ""])


def made_up_table(place, rows):
    table = TABLES[place]
    by_line = {}
    for row in rows:
        by_line.setdefault(row["row"], []).append(row)
    counted = [row["value"] for row in by_line.pop(table.counted[1])] if table.counted else []
    head = HEADS.get(place, " | ".join("$n={}$" for _ in counted)).format(*counted)
    lines = [f"| Head {head} |", *["| Head |"] * (table.heads - 1)]
    lines.insert(1, "| --- | --- |")
    for label, cells in by_line.items():
        family, _, run = label.rpartition(" / ")
        run = RUNS.get(run, run.removeprefix("LoRA ")) if place in ("Table 6", "Table 11", "Table 12") else run
        if place == "Table 6":
            lines.append(f"| {family} |  |")
        labels = (
            [family, run] if table.labels == 2 else [run] if place == "Table 6" else [label.replace("All-", "All–")]
        )
        printed = iter(cells)
        columns = [
            [next(printed)["value"]] + [next(printed)["value"] for part in parts[1:] if len(cells) > len(table.columns)]
            for parts in table.columns[: len(cells)]
        ]
        lines.append(
            "| " + " | ".join([*labels, *(r"${\pm}$".join(f"${number}$" for number in cell) for cell in columns)])
        )
        lines[-1] += " | –" * (len(table.columns) - len(columns)) + " |"
    return lines


@pytest.fixture
def copy(compendium, rows):
    """A made-up copy of the paper in a compendium whose files may be changed."""
    path = compendium / "a paper.txt"
    path.write_text(made_up_copy(rows), encoding="utf-8")
    return path


def test_table_rows_are_made_anew_from_the_copy(compendium, copy, capsys):
    path = compendium / "data/published/frame_evidence.csv"
    before = path.read_bytes()
    with open(path, newline="", encoding="utf-8") as stream:
        by_hand = [row for row in csv.reader(stream) if not row[2].startswith("Table ") or ".caption." in row[0]]
    with open(path, "w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(by_hand)
    assert program.main(["frame_evidence", str(copy)]) == 0
    assert "2070 table rows written" in capsys.readouterr().out
    assert path.read_bytes() == before


def test_proof_reading_finds_no_difference(copy, capsys):
    assert program.main(["--check", "frame_evidence", str(copy)]) == 0
    assert "2660 rows proof-read, 0 differences" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("id_", "wrong"),
    [
        ("frame_evidence.table-4.qwen2.5-vl-7b.base.nts", "2.09"),
        ("frame_evidence.table-26.internvl3-8b.dis.exact-image.high", "2.5"),
        ("frame_evidence.table-11.internvl3-8b.lora-mean.acc.sd", "1.32"),
        ("frame_evidence.section-6.2.accuracy-gain-from-two-to-three-shots-low.gpt-5.6", "4.90"),
        ("frame_evidence.table-2.caption", None),
    ],
)
def test_proof_reading_notices_a_wrong_row(compendium, copy, capsys, id_, wrong):
    path = compendium / "data/published/frame_evidence.csv"
    with open(path, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    row = next((row for row in rows if row["id"] == id_), None)
    if wrong is None:  # a number that is not in the caption
        row = dict(rows[0], id=f"{id_}.made-up", place="Table 2", row="Caption: made up")
        rows.append(row)
    else:
        row["value"] = wrong
    with open(path, "w", newline="", encoding="utf-8") as stream:
        table = csv.DictWriter(stream, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    assert program.main(["--check", "frame_evidence", str(copy)]) == 1
    out = capsys.readouterr().out
    assert row["id"] in out
    assert ", 1 differences" in out


@pytest.mark.parametrize(
    ("old", "new", "fragments"),
    [
        ("Table 21: ", "Table twenty-one: ", ["Table 21", "found none"]),
        ("| Outdoor public |", "| Outdoor public | $7$ |", ["Table 2, Outdoor public", "expected 4", "found 5"]),
        ("| Kimi-VL-A3B / Base |", "| Kimi-VL-A4B / Base |", ["'Kimi-VL-A4B / Base'"]),
        ("$32.41$${\\pm}$$1.31$", "$32.41$${\\pm}$$1.31$ $9$", ["Table 6", "expected 2", "found 3"]),
    ],
)
def test_a_copy_that_is_laid_out_otherwise_is_refused(compendium, copy, capsys, old, new, fragments):
    path = compendium / "data/published/frame_evidence.csv"
    before = path.read_bytes()
    text = copy.read_text(encoding="utf-8")
    assert old in text
    copy.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert program.main(["frame_evidence", str(copy)]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    for fragment in [*fragments, "give a text copy of the paper"]:
        assert fragment in message
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", BOTH)
def test_another_text_is_refused(compendium, capsys, name):
    other = compendium / "other.txt"
    other.write_text("## Abstract\n\nNothing of the kind.\n", encoding="utf-8")
    assert program.main([name, str(other)]) == 2
    assert program.main(["--check", name, str(other)]) == 2
    other.write_bytes(b"\xff\xfe")
    assert program.main([name, str(other)]) == 2
    assert program.main([name, str(compendium / "none.txt")]) == 2
    assert capsys.readouterr().err.count("\n") == 4


def test_an_unknown_reference_is_a_difference(compendium, copy, capsys):
    path = compendium / "data/published/frame_evidence_tensions.csv"
    path.write_text(path.read_text().replace("Table 25;", "Table 52;", 1))
    assert program.main(["--check", "frame_evidence", str(copy)]) == 1
    assert "'Table 52' does not exist" in capsys.readouterr().out


def test_what_is_not_counted_is_listed(copy, capsys):
    copy.write_text(copy.read_text().replace("## Limitations\n", "## Limitations\n\nTwelve of 1,234\n"))
    assert program.main(["--check", "frame_evidence", str(copy)]) == 0
    assert "Limitations, not counted: 12 1234\n" in capsys.readouterr().out


def test_sections_without_captions_and_cells():
    places = [
        {"place": "Section 6.1", "kind": "section"},
        {"place": "Appendix A-C, Circular metrics", "kind": "section"},
    ]
    text = (
        "### 6.1 Setup\n\nSix words.\n\nTable 9: Seven.\n\n| 8 |\n\n##### Circular metrics.\n\nTen.\n\n## References\n"
    )
    assert frame_evidence.split_sections(text, places) == {
        "Section 6.1": "Six words.", "Appendix A-C, Circular metrics": "Ten.", "Table 9": "Seven.",
    }  # fmt: skip


def test_settings_and_citations_are_names():
    words = "GPT-5.6 zero- to three-shot, two-shot, Table 6b (Liu et al., 2026), group_00152, Qwen2.5-VL-7B and 1-shot"
    assert numerals.numbers(words, frame_evidence.NAMES) == ["0", "3"]


def test_a_configuration_that_nobody_has_is_refused():
    with pytest.raises(InputError, match="found 'Phi-4-Multimodal LoRA'"):
        frame_evidence.configuration("Phi-4-Multimodal LoRA")


def test_counts_by_kind(rows):
    assert Counter(row["kind"] for row in rows).keys() == {
        "composition", "prediction", "interval", "control", "human", "config",
    }  # fmt: skip
