"""The search for CVT-Bench's reconstructed answers: its counters against the plain statistics, its targets, and the committed set.

Nothing here solves: `make witness` does, in minutes.
"""

import numpy as np
import pytest

from vantage import cycles, quarter_turns, scoring, survival, transport, viewpoints
from vantage.errors import InputError
from vantage.items import (
    load_cvt,
    matched_cycle_pairs,
    rows_by_viewpoint,
    tracked_rows,
    trajectories,
    viewpoint_numbers,
)
from vantage.predictions import load
from vantage.prompts import TARGET_POSITIONS, target_scenes
from vantage.published import as_printed
from vantage.realizability import realizable_scenes
from vantage.relations import HORIZONTAL
from vantage.tracking import COMPONENTS, component_scores
from vantage_workshop.witness.cvt import fillers, search, sorts
from vantage_workshop.witness.cvt.material import prepare
from vantage_workshop.witness.cvt.printed import DOMAINS, REGIMES, SCENES, Number, Printed, cell_targets, default_path


@pytest.fixture(scope="module")
def printed():
    return Printed()


def free_aims(cells: int, shares) -> search.Aims:
    """Aims that leave everything free."""
    scenes = SCENES
    return search.Aims(
        cell=np.zeros((cells, search.STATISTICS, 2)),
        mean=np.zeros((search.STATISTICS, 2)),
        block=np.zeros((search.BLOCK_STATISTICS, 2)),
        jitter=np.zeros((cells, 5)),
        endpoint=np.zeros(cells, dtype=np.int64),
        drops=np.tile([-2.0, 2.0], (cells, 10, 1)),
        gaps=np.tile([-10.0, 10.0, -2.0], (cells, 1)),
        least_scatter=np.zeros((cells, 2)),
        unit=np.array([1.0]),
        audit=np.tile([-1.0, 2.0], (cells, 2, 1)),
        isolated=np.zeros((cells, 10, 2), dtype=np.int64),
        cluster=np.full((cells, scenes), -1),
        control=np.zeros((cells, scenes, 2), dtype=np.int64),
        control_best=np.zeros((cells, scenes)),
        by_errors=np.zeros((cells, 2, search.MOST_ERRORS), dtype=np.int64),
        by_both=np.zeros((cells, 2, search.MOST_ERRORS, search.MOST_LABELS), dtype=np.int64),
        torn=search.torn_table(),
        shares=shares,
    )


@pytest.fixture(scope="module", params=["synthetic", "indoor"])
def searched(request):
    """A domain's items, and the state of two cells with noisy answers after a search that accepts everything."""
    items = load_cvt(request.param)
    slots = TARGET_POSITIONS if items.domain == "synthetic" else ()
    m = prepare(items, [scene for slot in slots for scene in target_scenes(items, slot)])
    views = m.views[0, : m.sizes[0]]
    shares = np.array([np.bincount(views[:, step], minlength=10) for step in range(10)]) / len(views)
    aims = free_aims(2, shares)
    rng = np.random.default_rng(1)
    # Gold of another question with the same options.
    other = np.arange(len(items.gold))
    for places in items.questions.groupby("kind").indices.values():
        other[places] = rng.permutation(places)
    answers = np.array([np.where(rng.random(len(items.gold)) < 0.3, items.gold[other], items.gold) for _ in range(2)])
    sort = np.full((2, SCENES), search.NOWHERE)
    state = search.start(m, aims, answers, sort, answers)
    options = np.column_stack([items.gold, items.gold[other]]).astype(np.int64)
    weights = np.array([0.5, 0.58, 0.66, 0.72, 0.8])
    search.search(m, aims, state, options, items.admissible.astype(np.int64), 3000, 1, 1e9, weights)
    search.refresh(m, aims, state)
    return items, m, state


def test_the_search_counts_what_the_plain_statistics_say(searched):
    items, _, state = searched
    for answers, found in zip(state.answer.astype(np.uint8), state.statistics, strict=True):
        questions, admissible = items.questions, items.admissible
        tracked, views = tracked_rows(questions), viewpoint_numbers(questions)
        orbits = tracked[:, list(transport.CARDINAL_VIEWS)]
        upright = (questions.kind == "vertical").to_numpy()[tracked[:, 0]]
        turned = tracked[upright] if upright.any() else tracked
        flat = np.uint8(HORIZONTAL)
        turns = quarter_turns.decomposition(answers & flat, admissible & flat, turned)
        closed = transport.recoverable_scores(answers, admissible, orbits[transport.recoverable(items.gold[orbits])])
        own = transport.self_transport(answers[orbits])
        audit = quarter_turns.aligned_shares(quarter_turns.aligned_errors(answers & flat, admissible & flat, turned))
        curve = viewpoints.viewpoint_curve(answers, admissible, rows_by_viewpoint(questions))
        steps = trajectories(questions)
        right = scoring.exact(answers, admissible)[steps]
        curves = survival.survival_curves(right, views[steps])
        pairs = matched_cycle_pairs(questions)
        expected = {
            search.F1: scoring.micro_f1(answers, admissible),
            search.STRICT_GAP: scoring.micro_f1(answers, admissible) - scoring.micro_f1(answers, admissible[:, :1]),
            search.NSC: float(survival.nsc(curves)),
            search.DENOMINATOR: survival.step_gaps(curves).sum(),
            search.LEAST_GAP: survival.step_gaps(curves).min(),
            search.REORDERED: survival.order_free_nsc(right, views[steps]) - float(survival.nsc(curves)),
            search.GAP: viewpoints.counterfactual_gap(curve),
            search.HIDDEN: transport.hidden_yaw_f1(answers, admissible, views),
            search.CYCLE: cycles.cycle_consistency(answers, pairs),
            search.BOTH: cycles.both_correct(answers, admissible, pairs),
            search.SELF_90: own["Self 90"],
            search.SELF_180: own["Self 180"],
            search.SELF_C4: own["Perfect C4"],
            search.CLOSED_F1: closed["F1"],
            search.CLOSED_EXACT: closed["Exact"],
            search.CLOSED_C4: closed["Perfect C4"],
            search.DIAGONAL_EXACT: turns["Diagonal exact"],
            search.DIAGONAL_F1: turns["Diagonal F1"],
            search.QUARTER_EXACT: turns["Quarter exact"],
            search.QUARTER_F1: turns["Quarter F1"],
            search.HALF_EXACT: turns["180 exact"],
            search.ALIGNED_SHARE: audit["Aligned of one relation right"],
            search.ALTERNATIVE_SHARE: audit["Alternative of one relation right"],
            search.ENDPOINT: quarter_turns.axis_rebinding(answers & flat, admissible & flat, turned)["Difference"],
            search.WORDING: quarter_turns.wording_difference(
                answers & flat, admissible & flat, turned, questions.orbit_angle.to_numpy()
            )["Difference"],
        }
        if items.domain == "indoor":
            for k, component in enumerate(COMPONENTS.values()):
                rows = steps[upright_steps(items, steps) == component.vertical_pairs]
                scores = component_scores(answers, admissible, rows, views, component.labels)
                expected[search.PART_F1 + k] = scores["F1"]
                expected[search.POPULATION_NSC + k] = scores["NSC"]
        assert {place: found[place] for place in expected} == pytest.approx(expected, abs=1e-9)


def upright_steps(items, steps):
    return (items.questions.kind == "vertical").to_numpy()[steps[:, 0]]


def test_a_pair_that_contradicts_itself_makes_a_scene_unrealizable(searched):
    items, _, state = searched
    for c in range(2):
        verdicts = realizable_scenes(state.answer[c].astype(np.uint8), items.questions)
        for torn, realizable in zip(state.torn[c, :, 0], verdicts.values(), strict=True):
            assert not (torn and realizable)


def test_the_errors_and_labels_of_each_scene_are_counted(searched):
    items, m, state = searched
    for c in range(2):
        answers = state.answer[c].astype(np.uint8)
        wrong = ~scoring.exact(answers, items.admissible)
        assert state.errors[c].tolist() == np.bincount(m.scene, weights=wrong, minlength=SCENES).tolist()
        assert state.labels[c].tolist() == np.bincount(m.scene, weights=np.bitwise_count(answers)).tolist()


def test_a_null_of_independent_steps(searched):
    """Table S9's null as the search expects it, against permutations."""
    items, _, state = searched
    steps = trajectories(items.questions)
    views = viewpoint_numbers(items.questions)[steps]
    for c in range(2):
        right = scoring.exact(state.answer[c].astype(np.uint8), items.admissible)[steps]
        null = survival.item_difficulty_null(right, views, seed=1, draws=300)
        assert state.statistics[c, search.NULL_NSC] == pytest.approx(null.mean, abs=4 * null.draws.std() / 300**0.5)


def test_a_transcription_without_a_number_is_refused(tmp_path):
    lines = default_path().read_text(encoding="utf-8").splitlines(keepends=True)
    short = tmp_path / "cvt.csv"
    short.write_text("".join(line for line in lines if "table-s4.nsc.real.c20-only-drop" not in line), encoding="utf-8")
    with pytest.raises(InputError, match=r"expected a row cvt\.table-s4\.nsc\.real\.c20-only-drop, found none"):
        cell_targets(Printed(short))


def test_means_that_exclude_each_other_are_refused(tmp_path):
    lines = default_path().read_text(encoding="utf-8").splitlines(keepends=True)
    altered = tmp_path / "cvt.csv"
    altered.write_text(
        "".join(line.replace("0.253", "0.353") if "table-s4.f1.synthetic.c20" in line else line for line in lines),
        encoding="utf-8",
    )
    with pytest.raises(InputError, match="expected printed means of f1 that hold together with Table 1, found none"):
        cell_targets(Printed(altered))


def test_cell_targets_hold_together(printed):
    targets = cell_targets(printed)
    for metric, found in targets.items():
        assert found["slack"] > 0
        for domain in DOMAINS:
            means = {}
            for regime in REGIMES:
                for number, value in zip(printed.table_1(metric, domain, regime), found[domain, regime], strict=True):
                    assert abs(value - number.value) < number.half
                means[regime] = found[domain, regime].mean()
            drop = printed(f"table-s4.{metric}.{DOMAINS[domain]}.all-model-drop")
            assert abs(means["isolated"] - means["competing"] - drop.value) < drop.half


def test_shares_in_whole_numbers():
    assert sorts.allot(5, np.array([3.0, 2.0, 0.0]), np.array([9, 9, 9])).tolist() == [3, 2, 0]
    assert sorts.allot(5, np.array([3.0, 2.0, 0.1]), np.array([1, 1, 9])).tolist() == [1, 1, 3]


def test_scenes_of_each_sort_are_as_many_as_printed(printed):
    targets = cell_targets(printed)["f1"]
    for domain in DOMAINS:
        chosen = sorts.choose(
            printed,
            load_cvt(domain),
            {regime: targets[domain, regime] for regime in REGIMES},
            np.random.default_rng(1),
        )
        for regime, sort in chosen.items():
            good = sort <= search.REALIZABLE
            assert good.sum(axis=1).tolist() == printed.realizable_scenes(domain, regime).tolist()
            wrong = printed(f"results.wrong-but-realizable.{DOMAINS[domain]}.{regime}")
            assert as_printed(100 * (sort == search.REALIZABLE).mean(), 1) == as_printed(100 * wrong.value, 1)


def test_retrieval_counts_round_as_printed():
    asked = np.array([300, 400])
    numbers = [Number("a", 0.900, 0.0005), Number("b", 0.925, 0.0005)]
    counts = fillers.right_counts(numbers, Number("all", 0.9125, 0.0005), asked)
    assert counts.tolist() == [270, 370]


def test_the_committed_set_names_its_targets(printed):
    manifest = load("reconstructed_cvt").manifest
    assert manifest["kind"] == "reconstructed"
    cells = {
        number.id
        for metric in ("f1", "nsc", "realizability")
        for domain in DOMAINS
        for regime in REGIMES
        for number in printed.table_1(metric, domain, regime)
    }
    assert len(cells) == 180 and cells <= set(manifest["targets"])
