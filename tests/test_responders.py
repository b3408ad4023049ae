"""What each responder must do, derived first, and that the frozen sets are what running them gives.

Here are those that answer each scene by itself; `test_context_responders.py` has those that heed the rest of a prompt. Where
chance enters, a tolerance is three standard errors.
"""

import numpy as np
import pytest
from scipy.special import ndtr

from vantage import files
from vantage.cycles import both_correct, cycle_consistency
from vantage.items import displacements, load_cvt, matched_cycle_pairs, pair_key, rows_by_viewpoint
from vantage.predictions import NOT_ASKED, load
from vantage.realizability import realizable_scenes
from vantage.relations import MARGIN, VIEWPOINTS, asserted, decode, observed, relation_set, transport
from vantage.scoring import exact_match, micro_f1, strict
from vantage.tables import representations
from vantage.tables import runs as run_tables
from vantage_workshop.responders.cvt import learned
from vantage_workshop.responders.cvt.mechanism import truth
from vantage_workshop.responders.cvt.roster import FLIP, RESPONDERS, SIGN_LOSS, SLIP, SPREAD
from vantage_workshop.responders.cvt.runs import given_by_run
from vantage_workshop.responders.seeds import SEED

QUARTER = ("90", "270")
DIAGONAL = ("45", "135", "225", "315")


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def runs():
    """The isolated run of every responder that answers these items."""
    return {responder.set: load(responder.set).runs[0] for responder in RESPONDERS if "synthetic" in responder.domains}


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


def turned_from_source(items, answers):
    """Whether each answer at a quarter or half turn is the set's own source answer about the pair, turned by symbols."""
    frame = items.questions.assign(pair=pair_key(items.questions), answer=answers)
    at = {view: frame[frame.viewpoint == view].set_index("pair").answer for view in ("0", "90", "180", "270")}
    at = {view: answer[~answer.index.duplicated()] for view, answer in at.items()}
    together = [(view, at["0"].index.intersection(at[view].index)) for view in ("90", "180", "270")]
    return np.concatenate([at[view][both] == transport(at["0"][both], int(view)) for view, both in together])


@pytest.mark.parametrize(
    ("responder", "domain"),
    [(responder, domain) for responder in RESPONDERS for domain in responder.domains],
    ids=lambda part: getattr(part, "set", part),
)
def test_frozen_answers_are_those_of_the_mechanism(responder, domain):
    """To the last answer. A learned model's training adds up rounding errors, which differ between processors: there, one
    answer in a thousand may differ."""
    frozen = load(responder.set)
    relations = {run.run: run for run in frozen.runs if run.domain == domain}
    attributes = {run.run: run for run in frozen.attribute_runs if run.domain == domain}
    again = given_by_run(responder, load_cvt(domain), SEED)
    assert again.keys() == relations.keys()
    assert {name for name, given in again.items() if given.attributes is not None} == attributes.keys()
    for name, given in again.items():
        asked = relations[name].status != NOT_ASKED
        assert (asked == given.asking.asked).all()
        same = relations[name].answers[asked] == given.relations[asked]
        assert same.mean() >= (0.999 if responder.kind == "measured" else 1.0)
    for name, run in attributes.items():
        pairs = zip(run.answers, again[name].attributes, run.status, strict=True)
        assert all(set(words) == answer for answer, words, status in pairs if status != NOT_ASKED)


def test_oracle_is_right_at_all_ten_viewpoints(items, curves):
    """Supp. 3.5: the symbolic oracle has 100 % F1 at all ten viewpoints; this validates tags, codec and camera convention."""
    assert curves["reference_oracle"] == dict.fromkeys(VIEWPOINTS, (1.0, 1.0))
    assert (truth(items) == items.gold).all()


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


def test_mirror_confused(items, runs, curves, counts):
    """R(-t) = R(-2t) R(t). At 0, 180 and 360 degrees R(-2t) is the identity, and Top is 0: right. At quarter turns it is a half
    turn: every label reversed. At diagonals it is a quarter turn: of {right, behind} becomes {right, front} or
    {left, behind}, so a two-label answer has one of two right and a one-label answer none: F1 = n2 / (2 n2 + n1)."""
    curve = curves["reference_mirror_confused"]
    for view in ("0", "180", "360", "Top"):
        assert curve[view] == (1.0, 1.0)
    for view in QUARTER:
        assert curve[view] == (0.0, 0.0)
    for view in DIAGONAL:
        n1, n2 = counts[view]
        assert curve[view] == (pytest.approx(n2 / (2 * n2 + n1)), 0.0)
    answers = runs["reference_mirror_confused"].answers
    assert cycle_consistency(answers, matched_cycle_pairs(items.questions)) == 1.0
    # Every scene has a tracked pair, whose answer at 90 says the opposite of its answer at 0 about the same axis.
    assert not any(realizable_scenes(answers, items.questions).values())


def test_axis_rebinder(items, runs, curves, counts):
    """p = SIGN_LOSS. At quarter turns every label is reversed with chance p: F1 1 - p, exact (1 - p)^2 for two labels and
    1 - p for one. At a diagonal X = h (x + y), Y = h (y - x): the wrong sign gives X' = h (x - y) = -Y and Y' = h (y + x) = X.
    With |x| > |y|, X and -Y have one sign, Y and X two: only the second label can be reversed; with |y| > |x| only the first.
    So of two labels exactly one is at risk: exact 1 - p, F1 1 - p / 2. (Questions with one label may also gain a false one, and
    are not counted here.)
    Standard errors: 1,890 labels and 982 questions at quarter turns, .011 and .016; 1,799 questions at diagonals, .011."""
    curve, gold = curves["reference_axis_rebinder"], strict(items.admissible)
    answers = runs["reference_axis_rebinder"].answers
    for view in ("0", "180", "360", "Top"):
        assert curve[view] == (1.0, 1.0)
    n1, n2 = np.sum([counts[view] for view in QUARTER], axis=0)
    f1, exact = np.mean([curve[view] for view in QUARTER], axis=0)
    assert f1 == pytest.approx(1 - SIGN_LOSS, abs=0.033)
    assert exact == pytest.approx((n2 * (1 - SIGN_LOSS) ** 2 + n1 * (1 - SIGN_LOSS)) / (n1 + n2), abs=0.048)
    two = items.questions.viewpoint.isin(DIAGONAL).to_numpy() & (items.questions.gold.map(len).to_numpy() == 2)
    assert exact_match(answers[two], gold[two]) == pytest.approx(1 - SIGN_LOSS, abs=0.034)
    assert micro_f1(answers[two], gold[two]) == pytest.approx(1 - SIGN_LOSS / 2, abs=0.017)
    # The axis is never wrong: what is said at a quarter turn differs from gold in signs alone.
    quarter = items.questions.viewpoint.isin(QUARTER).to_numpy()
    assert (axes(answers[quarter]) == axes(items.gold[quarter])).all()


def axes(masks):
    """Which of the two ground axes relation sets speak about."""
    lateral, depth = masks & np.uint8(3), masks & np.uint8(12)
    return (lateral > 0) * 1 + (depth > 0) * 2


def test_wrong_but_coherent(items, runs):
    """The believed layout satisfies all that is said, and cardinal turns commute with a symmetric margin. A difference of two
    positions has an error of standard deviation sqrt(2) SPREAD on every axis, turned or not, so a gold label with component m
    stays with chance Phi((m - MARGIN) / (sqrt(2) SPREAD)); one standard error is about .008 (615 objects)."""
    answers = runs["reference_wrong_but_coherent"].answers
    assert all(realizable_scenes(answers, items.questions).values())
    assert cycle_consistency(answers, matched_cycle_pairs(items.questions)) == 1.0
    assert turned_from_source(items, answers).all()
    yaw = items.questions.viewpoint.replace("Top", "0").astype(int).to_numpy()
    size = np.abs(observed(displacements(items), yaw))
    expected = ndtr((size[size > MARGIN] - MARGIN) / (np.sqrt(2) * SPREAD)).mean()
    found = np.bitwise_count(answers & items.gold).sum() / np.bitwise_count(items.gold).sum()
    assert found == pytest.approx(expected, abs=0.024)


def test_uniform_random(items, runs):
    """Exact and cycle 1/8, standard errors .0044 (5,703) and .015 (491). A label is in three of eight answers, of 1.5 labels on
    average: F1 = 2 (3/8) L / (1.5 N + L) = .421 with N = 5,703 and L = 10,968, standard error about .005."""
    answers, gold = runs["reference_uniform_random"].answers, strict(items.admissible)
    assert exact_match(answers, gold) == pytest.approx(1 / 8, abs=0.013)
    assert cycle_consistency(answers, matched_cycle_pairs(items.questions)) == pytest.approx(1 / 8, abs=0.045)
    assert micro_f1(answers, gold) == pytest.approx(0.75 * 10968 / (1.5 * 5703 + 10968), abs=0.015)


def test_reader_of_boxes(items, runs, curves):
    """It turns a layout, the picture's, so it is coherent in every way; and at diagonals, where a depth that the picture shortens
    is compared with a width, it must be worse than at any cardinal view."""
    answers, curve = runs["reference_box_reader"].answers, curves["reference_box_reader"]
    assert all(realizable_scenes(answers, items.questions).values())
    assert cycle_consistency(answers, matched_cycle_pairs(items.questions)) == 1.0
    assert turned_from_source(items, answers).all()
    for score in (0, 1):
        diagonal = [curve[view][score] for view in DIAGONAL]
        assert max(diagonal) < min(curve[view][score] for view in VIEWPOINTS if view not in DIAGONAL)


def test_reader_of_graphs(items, runs, curves):
    """A graph of these items has one margin, so labels permute at cardinal views. At a diagonal, by hand for +x = right, +y =
    behind and 45 degrees, X = h (x + y), Y = h (y - x): {right, behind} decides X alone, {right} decides X > 0 and Y < 0. So of two
    source labels one is said, and it is true since x + y > .4; of one, two are said with the right signs: gold is among them.
    Counted: exact where both counts agree. All signs fit the true layout, so every scene is realizable."""
    answers, curve = runs["reference_graph_reader"].answers, curves["reference_graph_reader"]
    for view in VIEWPOINTS:
        if view not in DIAGONAL:
            assert curve[view] == (1.0, 1.0)
    source = np.bitwise_count(relation_set(displacements(items)))
    diagonal = items.questions.viewpoint.isin(DIAGONAL).to_numpy()
    said, gold = np.bitwise_count(answers), np.bitwise_count(items.gold)
    shared = np.bitwise_count(answers & items.gold)
    two, one = diagonal & (source == 2), diagonal & (source == 1)
    assert two.sum() > 1000 and one.sum() > 100
    assert (said[two] == 1).all() and (shared[two] == 1).all()
    assert (said[one] == 2).all() and (shared[one] == gold[one]).all()
    assert all(realizable_scenes(answers, items.questions).values())
    assert cycle_consistency(answers, matched_cycle_pairs(items.questions)) == 1.0


def test_reader_of_graphs_and_boxes(items, runs):
    """As the reader of graphs at cardinal views; at diagonals it says all that that one says, and at most one label more. The
    boxes get the sign of a sum of two like terms right by themselves: there, it says what the reader of boxes says."""
    both, graph, boxes = (
        runs[f"reference_{name}"].answers for name in ("graph_and_boxes", "graph_reader", "box_reader")
    )
    diagonal = items.questions.viewpoint.isin(DIAGONAL).to_numpy()
    assert (both == graph)[~diagonal].all()
    assert (both & graph == graph).all() and (np.bitwise_count(both) <= 2).all()
    assert (both == boxes)[diagonal].mean() > 0.99 and (both != graph)[diagonal].mean() > 0.5


def test_the_page_of_representations_derives_the_same(items, runs):
    table = representations.readers_beside_runs(list(runs.values()), items)
    assert set(table.Set) == {"Reader of boxes", "Reader of graphs", "Reader of graphs and boxes"}
    assert (table["Largest difference"] == "none").all()
    assert representations.decided_by_labels(items).Questions.sum() == items.questions.viewpoint.isin(DIAGONAL).sum()


def test_learned_model_is_worst_where_it_was_not_trained(items, runs, curves):
    """Expected of any model that learns views one by one: the two left out are the worst, by F1 and by exact match. The equal
    inputs at 0 and 360 get equal answers."""
    curve = curves["measured_boxes_mlp"]
    for score in (0, 1):
        worst_trained = min(curve[view][score] for view in VIEWPOINTS if view not in QUARTER)
        assert max(curve[view][score] for view in QUARTER) < worst_trained
    answers = runs["measured_boxes_mlp"].answers
    assert cycle_consistency(answers, matched_cycle_pairs(items.questions)) == 1.0


def test_learned_model_never_saw_the_items(items):
    """Neither their scenes nor, of its own, the views left out."""
    assert learned.TRAINED == (0, 45, 135, 180, 225, 315, 360)
    asked = {tuple(thing["plane"]) for scene in items.scenes for thing in scene["objects"]}
    assert asked.isdisjoint(thing.plane for scene in learned.training_scenes() for thing in scene.things)


def test_something_is_always_said():
    """Within the margin on both axes, the larger component's label; at a tie, both."""
    said = asserted(np.array([[0.1, -0.15], [-0.1, -0.1], [-0.5, 0.1]]))
    assert [decode(mask, "0") for mask in said.tolist()] == [("front",), ("left", "front"), ("left",)]


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


def test_every_responder_declares_what_it_rests_on():
    for responder in RESPONDERS:
        found = load(responder.set)
        assert found.manifest["kind"] == responder.kind == responder.set.split("_")[0]
        assert found.manifest["about"] == responder.about
        assert {run.representation for run in found.runs} == {"symbolic"}
