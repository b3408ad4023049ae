"""The page of discrepancies says of every number what the ledger says, by hand on a few and in full on the ledger itself."""

import re

import pandas as pd
import pytest

from vantage import discrepancies, ledger, ledger_pages
from vantage.published import load_doubts, load_published

NUMBERS = {  # id: status, recomputed less printed
    "cvt.abstract.questions": ("reproduced", 0),
    "cvt.table-s8.quarter-exact.synthetic.isolated": ("differs", 0.002),
    "cvt.table-s8.quarter-f1.synthetic.isolated": ("unavailable", None),
}


def entry(number, status, off, paper="cvt"):
    printed = load_published(paper).set_index("id").loc[number]
    reason = None
    if status == "differs":
        reason = f"{ledger.DIFFERENCE}{off:+.{printed.decimals + 1}f}; because of this & that"
    elif status != "reproduced":
        reason = f"reason of {status}"
    recomputed = None if off is None else printed.value + off
    return {
        "id": number, "paper": paper, "place": printed.place, "row": printed.row, "column": printed.column,
        "printed": printed.value, "decimals": printed.decimals, "recomputed": recomputed, "status": status,
        "basis": None if off is None else "unfitted", "reason": reason, "source": None if off is None else "cvt/quarter-turns#table-s8",
    }  # fmt: skip


@pytest.fixture(scope="module")
def few():
    """Three points of CVT-Bench as above, and four ends of intervals of one place: alike, off by 1, by 2 and by 4 points."""
    published = load_published("frame_evidence").query("kind == 'interval' and place == 'Table 25' and unit == 'pp'")
    rows = [entry(number, *about) for number, about in NUMBERS.items()]
    for number, off in zip(published.id[:4], (0, 1, -2, 4), strict=True):
        rows.append(entry(number, "differs" if off else "reproduced", off, "frame_evidence"))
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def entries():
    return ledger.build()


def test_the_summary_by_hand(few):
    frame = discrepancies.summary(few).set_index(["Paper", "Numbers"])
    assert frame.loc[("CVT-Bench", "Results")].to_dict() == {
        "Printed": 2, "Differs": 1, "Conflict": 0, "Unavailable": 1, "Share": 100,
    }  # fmt: skip
    assert frame.loc[("CVT-Bench", "All")].to_dict() == {
        "Printed": 3, "Differs": 1, "Conflict": 0, "Unavailable": 1, "Share": pytest.approx(200 / 3),
    }  # fmt: skip
    assert frame.loc[("FrameEvidence", "Interval ends")].to_dict() == {
        "Printed": 4, "Differs": 3, "Conflict": 0, "Unavailable": 0, "Share": 75,
    }  # fmt: skip
    assert ("FrameEvidence", "All but interval ends") not in frame.index


def test_distances_by_hand(few):
    """Of distances 0, 1, 2 and 4 the median is 1.5."""
    frame = discrepancies.distances(few)
    assert frame.to_dict("records") == [
        {
            "Paper": "FrameEvidence", "Place": place, "Unit": "points", "Ends": 4, "Print alike": 1,
            "Median distance": pytest.approx(1.5), "Largest distance": pytest.approx(4),
        }
        for place in ("Table 25", "All")
    ]  # fmt: skip


def test_choosing_by_hand(few):
    assert len(discrepancies.doubtful(few, "differs")) == 4
    assert len(discrepancies.doubtful(few, "differs", "frame_evidence", ends=True)) == 3
    assert discrepancies.doubtful(few, "differs", ends=False).id.tolist() == [list(NUMBERS)[1]]
    assert discrepancies.doubtful(few, "conflict").empty


def test_a_row_has_its_size_apart_from_its_reason(few):
    shown = ledger_pages.rows(discrepancies.doubtful(few, "differs", "cvt")).data
    assert "<strong>Table S8</strong>: 1 differs" in shown
    assert ">+0.0020</td>" in shown
    assert "<li>because of this &amp; that</li>" in shown and ledger.DIFFERENCE not in shown
    shown = ledger_pages.rows(discrepancies.doubtful(few, "unavailable")).data
    assert "Recomputed" not in shown and "<li>reason of unavailable</li>" in shown
    assert ledger_pages.rows(few.iloc[:0], "Nothing & none.").data == "<p>Nothing &amp; none.</p>"


def test_every_number_that_does_not_come_out_is_on_the_page(entries):
    """The parts of the page together have all such rows of the ledger, each once."""
    parts = [
        *(discrepancies.doubtful(entries, "differs", paper, ends=False) for paper in ("cvt", "frame_evidence")),
        discrepancies.doubtful(entries, "conflict"),
        discrepancies.doubtful(entries, "differs", ends=True),
        *(discrepancies.doubtful(entries, "unavailable", paper) for paper in ("cvt", "frame_evidence")),
    ]
    shown = pd.concat(parts).id.tolist()
    assert sorted(shown) == sorted(entries.id[entries.status.isin(("differs", "conflict", "unavailable"))])
    summed = discrepancies.summary(entries).query("Numbers == 'All'")
    assert summed[["Differs", "Conflict", "Unavailable"]].to_numpy().sum() == len(shown)
    assert summed.Printed.sum() == len(entries)


def test_every_difference_has_its_size(entries):
    """The size on the page is the one between the ledger's two columns, at one decimal more than printed."""
    differs = entries[entries.status == "differs"]
    sizes, _ = ledger_pages._sizes_and_causes(differs.reason)
    for one, size in zip(differs.itertuples(), sizes, strict=True):
        assert re.fullmatch(r"[+-]\d+\.\d+", size), one.id
        assert abs(float(size) - (one.recomputed - one.printed)) <= 0.5 * 10.0 ** -(one.decimals + 1) + 1e-9


def test_distances_are_of_all_recomputed_ends(entries):
    frame = discrepancies.distances(entries)
    ends = entries[discrepancies.are_ends(entries) & entries.recomputed.notna()]
    assert frame.query("Place == 'All'").Ends.sum() == frame.query("Place != 'All'").Ends.sum() == len(ends)
    assert frame.query("Place == 'All'")["Print alike"].sum() == (ends.status == "reproduced").sum()


def test_proofs_run_on_the_print(monkeypatch):
    """The aligned-error audit: by the reason's own arithmetic at least .695, where .663 is printed, which stands for at most .6635."""
    frame = discrepancies.proofs("cvt")
    assert len(frame) == len(load_doubts("cvt")[0])
    audit = frame.set_index("Reading").loc["Aligned errors at quarter turns as shares of all wrong answers"]
    assert audit["least"] == pytest.approx(0.695, abs=0.0005)
    assert audit["most"] == pytest.approx(0.6635)
    assert audit["excluded"]
    shown = ledger_pages.proofs("cvt", "None.").data
    assert "at least 0.6947 follows, at most 0.6635 is printed: excluded" in shown and ">0.573</td>" in shown
    assert ledger_pages.proofs("frame_evidence", "None.").data == "<p>None.</p>"
    # With another print a proof fails, and only the proof that rests on the number that changed.
    for number, value, reading in (
        ("cvt.table-s8.quarter-exact.synthetic.isolated", 0.5, audit.name),
        ("cvt.table-s6.self-180.synthetic.isolated", 80.0, "Half turns of right source answers"),
    ):
        altered = load_published("cvt").copy()
        altered.loc[altered.id == number, "value"] = value
        monkeypatch.setattr(discrepancies, "load_published", lambda paper, altered=altered: altered)
        excluded = discrepancies.proofs("cvt").set_index("Reading").excluded
        assert excluded[~excluded].index.tolist() == [reading]
        assert "is printed: not excluded" in ledger_pages.proofs("cvt", "None.").data


def test_premises_and_tensions_are_all_there():
    premises = discrepancies.premises("cvt")
    assert len(premises) == sum(len(ids.split()) for ids in load_doubts("cvt")[0].ids)
    assert ".573" in premises.Printed.str.removeprefix("0").tolist()
    for paper in ("cvt", "frame_evidence"):
        assert discrepancies.tensions(paper).Tension.tolist() == load_doubts(paper)[1].tension.tolist()
        assert ledger_pages.tensions(paper).data.count("<details") == len(load_doubts(paper)[1])


def test_unfitted_agreements_come_first_and_interval_ends_apart(few):
    html = ledger_pages.unfitted(few).data
    points, ends = html.index("no interval ends"), html.index("Unfitted interval ends")
    assert "2, of which 1 agree" in html[points:ends] and "4, of which 1 agree" in html[ends:]
    assert html[points:ends].index("reproduced</td>") < html[points:ends].index("differs</td>")
