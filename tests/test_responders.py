"""What each reference responder must do, derived first, and that the frozen sets are what running them gives."""

from zlib import crc32

import numpy as np
import pytest

from vantage import files
from vantage.cycles import both_correct, cycle_consistency
from vantage.items import load_cvt, matched_cycle_pairs, rows_by_viewpoint
from vantage.predictions import load
from vantage.relations import VIEWPOINTS
from vantage.scoring import exact_match, micro_f1, strict
from vantage.tables import runs as run_tables
from vantage_workshop.responders.__main__ import SEED
from vantage_workshop.responders.cvt import FLIP, RESPONDERS, SLIP, oracle


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def runs():
    return {responder.set: load(responder.set).runs[0] for responder in RESPONDERS}


@pytest.fixture(scope="module")
def curves(items, runs):
    """Strict F1 and exact match of each responder at each viewpoint."""
    gold, rows = strict(items.admissible), rows_by_viewpoint(items.questions)
    return {
        name: {
            view: (micro_f1(run.answers[at], gold[at]), exact_match(run.answers[at], gold[at]))
            for view, at in rows.items()
        }
        for name, run in runs.items()
    }


@pytest.fixture(scope="module")
def counts(items):
    """The numbers of questions with one and with two labels at each viewpoint, counted from the words of the file."""
    labels = items.questions.gold.map(len)
    return {
        view: (int((labels[at] == 1).sum()), int((labels[at] == 2).sum()))
        for view, at in rows_by_viewpoint(items.questions).items()
    }


@pytest.mark.parametrize("responder", RESPONDERS, ids=lambda responder: responder.set)
def test_frozen_answers_are_those_of_the_mechanism(items, runs, responder):
    rng = np.random.default_rng([SEED, crc32(responder.set.encode())])
    assert (responder.answer(items, rng) == runs[responder.set].answers).all()


def test_oracle_is_right_at_all_ten_viewpoints(items, curves):
    """Supp. 3.5: the symbolic oracle has 100 % F1 at all ten viewpoints; this validates tags, codec and camera convention."""
    assert curves["reference_oracle"] == dict.fromkeys(VIEWPOINTS, (1.0, 1.0))
    assert (oracle(items, np.random.default_rng(0)) == items.gold).all()


def test_egocentric(items, runs, curves, counts):
    curve = curves["reference_egocentric"]
    for view in ("0", "360", "Top"):
        assert curve[view] == (1.0, 1.0)
    assert curve["180"] == (0.0, 0.0)
    for view in ("90", "270"):
        n1, n2 = counts[view]
        assert curve[view] == (pytest.approx(n2 / (2 * n2 + n1)), 0.0)
    assert cycle_consistency(runs["reference_egocentric"].answers, matched_cycle_pairs(items.questions)) == 1.0


def test_half_turn_reverser(curves):
    for view in ("0", "180", "360", "Top"):
        assert curves["reference_half_turn"][view] == (1.0, 1.0)
    for view in ("45", "90", "135", "225", "270", "315"):
        assert curves["reference_half_turn"][view] == curves["reference_egocentric"][view]


def test_inverter_is_wrong_everywhere_and_agrees_with_itself(items, runs, curves):
    assert curves["reference_complete_inverter"] == dict.fromkeys(VIEWPOINTS, (0.0, 0.0))
    # Ambiguity-aware too: an alternative never asserts an opposite direction.
    assert micro_f1(runs["reference_complete_inverter"].answers, items.admissible) == 0.0
    assert cycle_consistency(runs["reference_complete_inverter"].answers, matched_cycle_pairs(items.questions)) == 1.0


def test_omitter(items, runs, curves, counts):
    for view, (n1, n2) in counts.items():
        expected = 2 * (n1 + n2) / (2 * n1 + 3 * n2), n1 / (n1 + n2)
        assert curves["reference_label_omitter"][view] == pytest.approx(expected)
    two = items.questions.gold.map(len).to_numpy() == 2
    assert exact_match(runs["reference_label_omitter"].answers[two], strict(items.admissible)[two]) == 0.0


def test_noisy_source_turns_what_it_believes_exactly(items, runs, curves):
    """F1 at cardinal views is 1 - FLIP on average. A flip is drawn a pair and axis; with some 1,300 pairs and 491 questions a view
    a standard error is below 0.02."""
    pairs = matched_cycle_pairs(items.questions)
    answers = runs["reference_noisy_source"].answers
    assert cycle_consistency(answers, pairs) == 1.0
    for view in ("0", "90", "180", "270", "360", "Top"):
        assert curves["reference_noisy_source"][view][0] == pytest.approx(1 - FLIP, abs=0.05)


def test_independent_noise_slips_anew_each_time(items, runs):
    """Exact 1 - SLIP; both right (1 - SLIP)^2; agreement adds SLIP^2 / 7. Three standard errors: 0.018 and 0.068."""
    pairs = matched_cycle_pairs(items.questions)
    answers, gold = runs["reference_independent_noise"].answers, strict(items.admissible)
    assert exact_match(answers, gold) == pytest.approx(1 - SLIP, abs=0.018)
    assert both_correct(answers, gold, pairs) == pytest.approx((1 - SLIP) ** 2, abs=0.068)
    assert cycle_consistency(answers, pairs) == pytest.approx((1 - SLIP) ** 2 + SLIP**2 / 7, abs=0.068)


def test_the_page_derives_the_same(items, runs):
    """The table of expectations on the page, with the chances that the page states."""
    page = (files.root() / "notebooks" / "cvt" / "viewpoints.md").read_text(encoding="utf-8")
    assert f"flip={FLIP}, slip={SLIP}" in page
    table = run_tables.expected_beside_run(list(runs.values()), items, FLIP, SLIP)
    certain = table[table.Error == 0]
    assert len(certain) > 40
    np.testing.assert_allclose(certain.Run, certain.Expected, rtol=0, atol=1e-12)
    by_chance = table[table.Error > 0]
    assert len(by_chance) > 10
    # The largest of some twenty deviations; four standard errors are passed once in a thousand such tables.
    assert ((by_chance.Run - by_chance.Expected).abs() < 4 * by_chance.Error).all()


def test_every_responder_declares_what_it_rests_on(runs):
    for responder in RESPONDERS:
        found = load(responder.set)
        assert found.manifest["kind"] == "reference"
        assert found.manifest["about"] == responder.about
        assert runs[responder.set].representation == "symbolic"
