"""The ledger accounts for every printed number, and it can say no."""

from fractions import Fraction

import pandas as pd
import pytest

from vantage import ledger
from vantage.conflicts import PROOFS
from vantage.ledger_pages import PAGES
from vantage.predictions import load
from vantage.published import PAPERS, agrees, as_printed, load_derived, load_doubts, load_places, load_published
from vantage.schemas import BASES, STATUSES


@pytest.fixture(scope="module")
def entries():
    return ledger.build()


def test_every_printed_number_has_one_entry(entries):
    published = pd.concat([load_published(paper) for paper in PAPERS])
    assert entries.id.tolist() == published.id.tolist()
    assert set(entries.status) <= set(STATUSES)
    recomputed = entries.status.isin(("reproduced", "differs"))
    assert (entries.recomputed.notna() == recomputed).all()
    assert (entries.basis.isin(BASES) == recomputed).all()
    assert (entries.source.notna() == recomputed).all()
    assert entries.reason[entries.status != "reproduced"].notna().all()


def test_status_follows_from_the_numbers(entries):
    for entry in entries[entries.recomputed.notna()].itertuples():
        same = as_printed(entry.recomputed, entry.decimals) == as_printed(entry.printed, entry.decimals)
        assert entry.status == ("reproduced" if same else "differs")


def test_all_of_the_composition_of_cvt_is_accounted_for(entries):
    """Every count of both domains that items determine is reproduced, by construction; what is left are rules of the design, such as
    what a prompt holds, and the figures that follow from these."""
    printed = load_published("cvt").query("kind == 'composition'")
    ours = entries.set_index("id").loc[printed.id]
    assert set(ours.status) == {"reproduced", "derived", "stated"}
    assert set(ours.basis.dropna()) <= {"constructed", "unfitted"}
    counted = printed[printed.place.isin(("Table S1", "Supp. 1.3", "Supp. 2.3", "Supp. 3.6"))]
    assert (ours.status[counted.id] == "reproduced").all()
    assert (
        ours.status[["cvt.abstract.questions", "cvt.conclusion.scenes", "cvt.supp-3.5.closed-pairs.real"]]
        == "reproduced"
    ).all()


def test_controls_of_cvt_are_recomputed(entries):
    """Ground truth, altered ground truth and the oracle: of both domains."""
    controls = entries.set_index("id").loc[load_published("cvt").query("kind == 'control'").id]
    assert set(controls.status) == {"reproduced", "differs"}
    exact = controls.place.eq("Supp. 3.5") | controls.row.str.startswith("Ground-truth")
    assert (controls.status[exact] == "reproduced").all()


def test_all_of_the_composition_of_frame_evidence_is_reproduced(entries):
    """But for what the paper says of a figure of its own and of a check by machine, which our items cannot have."""
    ours = entries[entries.id.isin(load_published("frame_evidence").query("kind == 'composition'").id)]
    assert set(ours.loc[ours.status != "reproduced", "row"]) == {
        "Triplets in Figure 7",
        "Original items with out-of-range references",
        "Additional items with out-of-range references",
    }
    assert (ours.loc[ours.status == "reproduced", "basis"] == "constructed").all()


def test_the_metadata_controls_and_the_random_row_are_reproduced(entries):
    """Tables 10 and 24 were built into the letters, and Uniform random follows from them; nothing is evidence there."""
    chosen = entries[entries.place.isin(("Table 10", "Table 24")) | (entries.row == "Uniform random / Expected")]
    chosen = chosen[(chosen.paper == "frame_evidence") & (chosen.printed != 3)]
    assert len(chosen) == 19 + 22 + 7
    assert (chosen.status == "reproduced").all()
    assert (chosen.basis == "constructed").all()


def test_results_of_cvt_are_accounted_for(entries):
    """All of Table 1 is reproduced, and what differs, conflicts or cannot be had is at most 5 % of the points.

    What was aimed at is missed by little, but for two numbers that others stand against: exact match in Table S7 for CVT-Synthetic,
    isolated, which Tables S6 and S8 exclude, and on our items the curve of the fixed pairs in CVT-Indoor, isolated
    (`frozen_predictions/README.md`). Only the models' scores on three unnamed scenes cannot be had.
    """
    published = load_published("cvt")
    points = entries[entries.id.isin(published.query("kind != 'interval'").id)]
    doubtful = points[points.status.isin(("differs", "conflict", "unavailable"))]
    assert len(doubtful) <= 0.05 * len(points), doubtful[["place", "row", "column", "status"]].to_string()
    results = entries[entries.id.isin(published.query("kind == 'prediction'").id)]
    assert (results.status[results.place == "Table 1"] == "reproduced").all()
    unavailable = results[results.status == "unavailable"]
    assert set(unavailable.row) == {"Model F1 on the scenes of the human study"}
    missed = results[(results.status == "differs") & (results.basis == "fitted")].set_index("id")
    units = (missed.recomputed - missed.printed).abs() * 10.0**missed.decimals
    assert set(units[units > 2.5].index) == {
        "cvt.table-s7.exact.synthetic.isolated",
        "cvt.supp-3.1.tracker-curve-difference.real.isolated",
    }
    intervals = entries[entries.id.isin(published.query("kind == 'interval'").id)]
    assert set(intervals.status) <= {"reproduced", "differs"}


def test_the_points_of_frame_evidence_are_nearly_all_accounted_for(entries):
    """What differs, conflicts or cannot be had is at most 2 % of the points; intervals are reported and not fitted."""
    published = load_published("frame_evidence")
    points = entries[entries.id.isin(published.query("kind != 'interval'").id)]
    doubtful = points[points.status.isin(("differs", "conflict", "unavailable"))]
    assert len(doubtful) <= 0.02 * len(points), doubtful[["place", "row", "column", "status"]].to_string()
    intervals = entries[entries.id.isin(published.query("kind == 'interval'").id)]
    assert set(intervals.status) <= {"reproduced", "differs", "derived"}
    assert (intervals.basis.dropna() == "unfitted").sum() > 0.8 * len(intervals)


def test_the_authors_own_summary_is_stated(entries):
    """Circular evaluation of Qwen Base has no answers behind it; of its row only the drop follows from the others."""
    chosen = entries[(entries.place == "Table 12") & (entries.row == "Qwen2.5-VL-7B / Base control")]
    assert chosen.set_index("column").status.to_dict() == {
        "Vanilla": "stated",
        "Mean rot.": "stated",
        "Circular": "stated",
        "Consistency": "stated",
        "Drop": "derived",
    }


def test_targets_and_what_follows_from_them_are_fitted(entries):
    """No number that the answers were solved to meet is called evidence, nor one that its rule makes of such numbers."""
    targets = set(load(ledger.WITNESS).manifest["targets"])
    basis = entries.set_index("id").basis
    known = basis[[number for number in targets if pd.notna(basis[number])]]
    assert len(known) > 1000
    assert set(known) == {"fitted"}
    # The one result that no target decides counts intervals of ours; a target that another section repeats is none.
    results = entries[entries.id.isin(load_published("frame_evidence").query("kind == 'prediction'").id)]
    assert results.row[results.basis == "unfitted"].tolist() == ["Clusterings whose NTS intervals include zero"]
    rules = {row.id: row.ids.split() for row in load_derived("frame_evidence").itertuples()}
    for number, found in basis.items():
        if found == "unfitted" and number in rules:
            assert not set(rules[number]) <= targets


def test_a_number_follows_only_from_fitted_results():
    derived = {
        "sum": ("sum", ["a", "b"]),
        "next": ("same", ["sum"]),
        "share": ("ratio", ["a", "items"]),
        "items too": ("same", ["items"]),
    }
    results = {"a", "b", "sum", "next", "share"}
    assert ledger._fitted(["a"], derived, results) == {"a", "share"}
    assert ledger._fitted(["a", "b"], derived, results) == {"a", "b", "sum", "next", "share"}


def test_a_changed_print_is_noticed(entries, monkeypatch):
    """One printed value of Table S1 altered: that number differs, with the difference. A number that others follow from, altered:
    each of them that no table recomputes is a conflict, with the arithmetic. Nothing else changes."""
    before = entries.set_index("id")
    altered = load_published("cvt").copy()
    altered.loc[altered.id == "cvt.table-s1.multi-label-questions.synthetic", "value"] += 1
    altered.loc[altered.id == "cvt.abstract.models", "value"] += 1
    monkeypatch.setattr(ledger, "load_published", lambda paper: altered if paper == "cvt" else load_published(paper))
    after = ledger.build().set_index("id")
    changed = after.index[(before.status != after.status)].tolist()
    rules = {row.id: row.ids.split() for row in load_derived("cvt").itertuples()}
    followers = [number for number, parts in rules.items() if "cvt.abstract.models" in parts]
    followers = [number for number in followers if before.status[number] == "derived"]
    assert len(followers) > 3
    assert sorted(changed) == sorted([*followers, "cvt.table-s1.multi-label-questions.synthetic"])
    assert set(after.loc[followers, "status"]) == {"conflict"}
    assert after.loc[followers, "reason"].str.endswith(": 18").any()
    assert after.loc["cvt.table-s1.multi-label-questions.synthetic", "status"] == "differs"
    assert "-1.0" in after.loc["cvt.table-s1.multi-label-questions.synthetic", "reason"]


def test_every_rule_gives_the_printed_number(entries):
    """With the parts that the file names, each rule gives what is printed, whether or not the number is recomputed too."""
    printed = pd.concat([load_published(paper) for paper in PAPERS]).set_index("id")
    values = {row.Index: Fraction(as_printed(row.value, row.decimals)) for row in printed.itertuples()}
    for row in pd.concat([load_derived(paper) for paper in PAPERS]).itertuples():
        value = ledger.RULES[row.rule]([values[part] for part in row.ids.split()])
        assert agrees(value, printed.value[row.id], int(printed.decimals[row.id])), row.id
    assert "conflict" not in set(entries.status)


@pytest.mark.parametrize(
    ("rule", "parts", "value"),
    [
        ("opposite", [-25], 25),
        ("less", [48, 4, 18, 4], 22),
        ("sum less last", [-1, 3, 17], -15),
        ("product over last", [576, 6, 16], 216),
        ("power", [4, 3], 64),
        ("percent of sum", [8, 3, 0, 0, 44], 25),
        ("percent of difference", [3, 12, 36], -25),
        ("percent of total", [3, 4], Fraction(300, 7)),
        ("product of percents", [12, 24, 48], Fraction(25, 2)),
        ("count", [Fraction("43.75"), 48], 21),
        ("count", [Fraction("20.83"), 48], 10),
        ("percent of its count", [Fraction("14.58"), 48, 28], 25),
        ("rest of count", [26, Fraction("41.67"), 48], Fraction(25, 2)),
        ("strata", [Fraction("6.7"), 15, Fraction("12.5"), 16, 0, 17], Fraction(25, 4)),
        ("strata", [Fraction("28.40"), 81, 40, 15, 3], Fraction(8700, 288)),
        ("rest of strata", [Fraction("6.25"), 48, Fraction("6.7"), 15, Fraction("12.5"), 16, 17], 0),
        ("sample deviation", [1, 2, 3], 1),
        ("positives", [1, 0, -1, 2], 2),
        ("positive differences", [1, 2, 3, 0, 2, 4], 1),
        ("zero differences", [1, 2, 3, 0, 2, 4], 1),
        ("negative differences", [1, 2, 3, 0, 2, 4], 1),
        ("median difference", [1, 5, 3, 0, 2, 4], 1),
    ],
)
def test_rules_by_hand(rule, parts, value):
    assert ledger.RULES[rule]([Fraction(part) for part in parts]) == value


def test_conflicting_readings_are_proved():
    """Each proof excludes a printed number, from the printed numbers alone; and it would not, had the paper printed another."""
    conflicts = pd.concat([load_doubts(paper)[0] for paper in PAPERS])
    assert sorted(conflicts.conflict) == sorted(PROOFS)
    printed = {
        row.id: Fraction(as_printed(row.value, row.decimals))
        for paper in PAPERS
        for row in load_published(paper).itertuples()
    }
    for conflict in conflicts.itertuples():
        assert set(conflict.ids.split()) <= set(printed)
        least, most = PROOFS[conflict.conflict](printed)
        assert least > most
    altered = printed | {"cvt.table-s8.quarter-exact.synthetic.isolated": Fraction(1, 2)}
    least, most = PROOFS["Aligned errors at quarter turns as shares of all wrong answers"](altered)
    assert least < most


def test_the_file_holds_what_the_page_shows(entries, compendium):
    written = pd.read_csv(ledger.write(entries))
    assert written.columns.tolist() == [
        "id", "paper", "place", "row", "column", "printed", "decimals", "recomputed", "status", "basis", "reason", "source",
    ]  # fmt: skip
    assert written.id.tolist() == entries.id.tolist()
    assert written.recomputed.dropna().tolist() == entries.recomputed.dropna().tolist()


def test_summary_counts_unfitted_agreement_apart(entries):
    count = ((entries.basis == "unfitted") & (entries.status == "reproduced")).sum()
    assert f"evidence: {count} of {len(entries)}" in ledger.summary(entries)


def test_every_place_is_on_the_map():
    places = set(load_places().query("paper == 'cvt'").place)
    assert set(load_published("cvt").place) <= places
    assert set(PAGES["cvt"]) <= places
    assert {source.place for source in ledger.SOURCES["cvt"] if source.place} <= places


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (Fraction(4375, 100), 1, "43.8"),  # FrameEvidence prints halves to the even digit: 43.75, 6.25 and 28.125
        (Fraction(625, 100), 1, "6.2"),
        (Fraction(28125, 1000), 2, "28.12"),
        (0.95, 2, "0.95"),
        (5703, 0, "5703"),
        (20.5, 1, "20.5"),
        (-0.04, 1, "0.0"),
        (-0.06, 1, "-0.1"),
    ],
)
def test_rounding_as_the_papers_print(value, decimals, text):
    assert as_printed(value, decimals) == text


def test_not_a_number_agrees_with_nothing():
    assert not agrees(float("nan"), 0.0, 1)
