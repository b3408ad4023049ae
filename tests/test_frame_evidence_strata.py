"""The frozen strata of FrameEvidence-Open against the paper's composition. Nothing here calls the solver that made them."""

import csv
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vantage.errors import InputError
from vantage.published import as_printed
from vantage_workshop.witness import composition, metadata_rules, strata
from vantage_workshop.witness.pairs import ADAPTED
from vantage_workshop.witness.scored import CONDITIONS, Scored, adapted_differences
from vantage_workshop.witness.targets import Published, configurations, count, ordinary_runs

ROWS = composition.read(composition.default_path())


def test_the_file_meets_every_constraint():
    assert composition.problems(ROWS, Published()) == []


def test_the_check_needs_no_solver():
    program = "import sys; from vantage_workshop.witness import composition, scored; print('ortools' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


CHANGEABLE = [column for column in composition.COLUMNS if column != "image_component"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_changed_cell_is_noticed(data):
    # A component alone may change: groups of one scene and split can be dealt out otherwise.
    rows = [dict(row) for row in ROWS]
    row = data.draw(st.sampled_from(rows), label="row")
    column = data.draw(st.sampled_from(CHANGEABLE), label="column")
    others = sorted({other[column] for other in ROWS} - {row[column]})
    row[column] = data.draw(st.sampled_from(others), label="value")
    assert composition.problems(rows, Published())


def test_a_component_across_splits_or_scenes_is_noticed():
    for group, other in (("fq2-001", "fq2-160"), ("fq1-001", "fq1-060"), ("fq2-113", "fq2-160")):
        rows = [dict(row) for row in ROWS]
        by_group = {row["group"]: row for row in rows}
        by_group[group]["image_component"] = by_group[other]["image_component"]
        assert composition.problems(rows)


# ------------------------------------------------------------- the paper's numbers, counted without the module's check


def test_what_section_4_and_5_print():
    assert Counter(row["source"] for row in ROWS) == {"captured": 126, "rendered": 194}
    for family in ("FQ1", "FQ2"):
        sizes = Counter(row["base_size"] for row in ROWS if row["family"] == family)
        assert sizes == {"2": 53, "3": 54, "4": 53}
        for condition in range(3):
            letters = Counter(row["golds"][condition] for row in ROWS if row["family"] == family)
            assert letters == dict.fromkeys("ABCD", 40)
    test = [row for row in ROWS if row["split"] == "test"]
    assert Counter("".join(row["golds"] for row in test)) == {"A": 75, "B": 70, "C": 69, "D": 74}
    evidence = [row for row in test if row["family"] == "FQ2"]
    changed = [row for row in evidence if row["ordinal_change"] in ("removed", "shifted")]
    assert Counter(row["ordinal_change"] for row in changed) == {"removed": 36, "shifted": 6}
    assert Counter(row["out_of_range"] for row in changed) == {"no": 38, "yes": 4}
    others = [row for row in evidence if row["tag"] != "camera"]
    assert Counter(row["camera_heading"] for row in others) == {"yes": 30, "no": 2}


def test_scenes_and_components_of_appendices_d6_and_f1():
    train = {row["scene"] for row in ROWS if row["split"] == "train"}
    dev = {row["scene"] for row in ROWS if row["split"] == "dev"}
    test = [row for row in ROWS if row["split"] == "test"]
    shared = [row for row in test if row["scene"] in train]
    alone = [row for row in test if row["scene"] not in train | dev]
    assert (len(shared), len(alone)) == (81, 15)
    assert Counter(row["family"] for row in shared) == {"FQ1": 41, "FQ2": 40}
    assert Counter(row["source"] for row in shared) == {"rendered": 41, "captured": 40}
    assert Counter(row["source"] for row in alone) == {"rendered": 13, "captured": 2}
    assert (len({row["scene"] for row in shared}), len({row["scene"] for row in alone})) == (10, 4)
    evidence = [row for row in test if row["family"] == "FQ2"]
    assert len({row["image_component"] for row in evidence}) == 29
    assert len({row["scene"] for row in evidence}) == 14
    # Unions by merging labels until none changes, another way than the module's.
    label = {row["group"]: i for i, row in enumerate(evidence)}
    for _ in evidence:
        for column in ("scene", "image_component"):
            for value in {row[column] for row in evidence}:
                joined = [row["group"] for row in evidence if row[column] == value]
                least = min(label[group] for group in joined)
                label |= dict.fromkeys(joined, least)
    sizes = Counter(label.values())
    assert (len(sizes), max(sizes.values())) == (13, 15)
    assert len({label[row["group"]] for row in evidence if row["ordinal_change"] != "removed"}) == 6


# Table 10, in the order of its columns, and Table 24's counts.
TABLE_10 = {
    "Majority letter": ("26.39", "20.83", "23.61", "0.00", "22.92"),
    "Image count": ("29.51", "12.50", "21.53", "0.00", "4.17"),
    "Count + insufficiency letter": ("47.92", "43.75", "37.50", "6.25", "2.08"),
}
TABLE_24 = {"Majority letter": (11, 12, 11), "Image count": (9, 9, 13), "Count + insufficiency letter": (5, 42, 7)}


@pytest.mark.parametrize("rule", TABLE_10)
def test_metadata_rules_score_as_printed(rule):
    scores = composition.metadata_scores(ROWS)[rule]
    for column, printed in zip(
        ("Train Acc.", "Dev Acc.", "Test Acc.", "Test NTS", "Test DIS"), TABLE_10[rule], strict=True
    ):
        right, total = scores["Table 10", column]
        assert as_printed(Fraction(100 * right, total), 2) == printed
    counts = tuple(scores["Table 24", f"Correct counts / {column}"][0] for column in ("MSS", "Del.", "Add."))
    assert counts == TABLE_24[rule]


# ------------------------------------------------------------------------------------------------------ the parts


def test_ties_go_to_the_first_letter():
    # Two images: MSS golds B and A, deletions of three images C and D. A, B, C and D once each.
    groups = [
        metadata_rules.Group(2, "B", "D"),
        metadata_rules.Group(2, "A", "D"),
        metadata_rules.Group(3, "A", "C"),
        metadata_rules.Group(3, "B", "D"),
    ]
    rule = metadata_rules.fit(groups, "Image count")
    assert rule == {1: "D", 2: "A", 3: "A", 4: "A"}
    # Group 1: B is not A; one image says D, which is gold; three images say A.
    assert metadata_rules.correct(rule, groups, "Image count")[0] == (False, True, False)


def test_a_rate_is_one_count_or_refused():
    assert count("6.2", 16) == 1  # 6.25 rounds to the even digit
    with pytest.raises(InputError, match="found \\[\\]"):
        count("6.3", 16)
    with pytest.raises(InputError, match="found \\[0, 1\\]"):
        count("0", 288)


def test_printed_scores_agree_across_tables():
    """Every stratum sums to the total of Table 4, and Tables 20 and 31 to theirs: the counts behind them are read right."""
    published = Published()
    configured = configurations(published)
    assert len(configured) == 20
    for t in configured.values():
        for metric, total in (("FQ1-GEM", t.gem), ("NTS", t.nts), ("DIS", t.dis)):
            for cells in t.by[metric].values():
                assert sum(cells.values()) == total
        if t.ordinal:
            assert sum(t.ordinal.values()) == t.nts
        assert (t.failures["To insufficient"], t.failures["Robust"]) == (t.nts, t.dis)
        assert t.failures["To insufficient"] + t.failures["Original"] + t.failures["Other"] == t.failures["m"]
        assert t.pairs["Same"] + t.pairs["Change"] == 144
        assert sum(t.variants) + sum(t.frames[0]) == t.correct
    runs = ordinary_runs(published)
    assert len(runs) == 8
    for t in runs.values():
        assert sum(t.correct_by_overlap.values()) == t.correct
        assert sum(t.by["DIS"]["overlap"].values()) == t.dis


def test_scores_by_hand():
    row = {"family": "FQ2", "golds": "ABA", "insufficient": "B", "overlap": "shared", "source": "captured"}
    rows = [row | {"group": "g1"}, row | {"group": "g2"}, row | {"group": "g3", "family": "FQ1", "golds": "ABC"}]
    rows.append(row | {"group": "g4", "golds": "DCD", "insufficient": "C"})
    given = {"g1": "ABC", "g2": "AAA", "g3": "AAA", "g4": "DDA"}
    answers = {
        (r["group"], condition): given[r["group"]][i]
        for r in rows
        for i, condition in enumerate(CONDITIONS[r["family"]])
    }
    scored = Scored(rows, answers)
    assert [scored.joint(metric) for metric in ("FQ1-GEM", "NTS", "DIS")] == [(0, 1), (1, 3), (1, 3)]
    # Golds: A 5, B 3, C 2, D 2. Answers: A 8 (4 right), B 1 (right), C 1 (wrong), D 2 (1 right).
    metrics = scored.metrics()
    assert metrics["P"] == 25 * (Fraction(4, 8) + 1 + 0 + Fraction(1, 2))
    assert metrics["R"] == 25 * (Fraction(4, 5) + Fraction(1, 3) + 0 + Fraction(1, 2))
    assert metrics["F1"] == 25 * (Fraction(8, 13) + Fraction(2, 4) + 0 + Fraction(2, 4))
    assert metrics["Acc."] == Fraction(600, 12)
    assert scored.accuracy("source", "captured") == Fraction(6, 12)


def test_an_adapter_that_changes_nothing_is_noticed():
    evidence = [row | {"overlap": composition.overlap(row["scene"])} for row in ROWS if row["split"] == "test"]
    answers = {(r["group"], c): r["golds"][i] for r in evidence for i, c in enumerate(CONDITIONS[r["family"]])}
    perfect = Scored(evidence, answers)
    base, lora, facts = ADAPTED[0]
    found = adapted_differences(perfect, perfect, facts)
    assert "MSS partition: expected (4, 18, 4, 22), made (48, 0, 0, 0)" in found


def test_a_file_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "strata.csv"
    with open(path, "w", newline="") as stream:
        csv.writer(stream).writerow(["group", "family"])
    with pytest.raises(InputError, match="expected columns group,family,split"):
        composition.read(path)


def test_the_command_checks_a_file(tmp_path, capsys):
    assert strata.main(["--check"]) == 0
    assert capsys.readouterr().out.endswith("320 groups, 0 problems\n")
    rows = [dict(row) for row in ROWS]
    rows[-1]["tag"] = "world"
    strata.write(rows, tmp_path / "strata.csv")
    assert strata.main(["--check", "--output", str(tmp_path / "strata.csv")]) == 1
    assert "test by tag: expected {'camera': 16, 'object': 16, 'world': 16}" in capsys.readouterr().out
    assert strata.main(["--check", "--output", str(tmp_path / "none.csv")]) == 2
    assert "expected a file, found none" in capsys.readouterr().err


def test_writing_gives_the_committed_bytes(tmp_path):
    strata.write(ROWS, tmp_path / "strata.csv")
    assert (tmp_path / "strata.csv").read_bytes() == composition.default_path().read_bytes()
