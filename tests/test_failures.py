"""The kinds of failure by hand, what known mechanisms must show, and that the grid's examples are what its rule says."""

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from tests.made import made_room, run_of
from vantage import failure_grid, failures, figures
from vantage.errors import InputError
from vantage.items import CVTItems, load_cvt
from vantage.predictions import load_runs
from vantage.relations import encode
from vantage.tables import failures as tables
from vantage_workshop.responders.cvt.context import PAIR_MIX_UP, pair_before
from vantage_workshop.responders.cvt.roster import SIGN_LOSS, SLIP, pair_mix_up

SHOWN = [
    "reference_mirror_confused",
    "reference_axis_rebinder",
    "reference_noisy_source",
    "reference_pair_mix_up",
    "reference_independent_noise",
    "measured_boxes_mlp",
]
EXTREMES = [
    f"reference_{name}" for name in ("oracle", "egocentric", "label_omitter", "complete_inverter", "uniform_random")
]
OPPOSITES = {"left": "right", "front": "behind", "above": "below", "south": "north"}
OPPOSITES |= {other: one for one, other in OPPOSITES.items()}


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def runs(items):
    return load_runs(SHOWN, items)


@pytest.fixture(scope="module")
def everyone(items, runs):
    return [*runs, *load_runs(EXTREMES, items)]


# viewpoint, target, anchor, gold, alternatives
FOUR = [
    ("0", 1, 0, ["right", "behind"], [["right"]]),
    ("0", 2, 0, ["left", "behind"], []),
    ("360", 1, 0, ["right", "behind"], [["right"]]),
    ("360", 2, 0, ["left", "behind"], []),
]


def four_questions() -> CVTItems:
    """Two pairs of one scene, each asked about at 0 and at 360 degrees; behind is a matter of opinion for the first."""
    questions = pd.DataFrame(
        {
            "item": [f"q{number}" for number in range(1, 5)],
            "scene": "one",
            "viewpoint": [view for view, *_ in FOUR],
            "target": [target for _, target, *_ in FOUR],
            "anchor": 0,
            "kind": "primary",
            "tracked_pair": pd.array([0, 1, 0, 1], dtype="Int16"),
        }
    )
    admissible = np.array(
        [[encode(words, view) for words in ([gold, *more] * 2)[:2]] for view, _, _, gold, more in FOUR], dtype=np.uint8
    )
    return CVTItems("synthetic", "", [], questions, admissible[:, 0], admissible)


def said(*answers) -> np.ndarray:
    return np.array([encode(words.split(), "0") if words else 0 for words in answers], dtype=np.uint8)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        # Right, also by the alternative: nothing.
        (["right behind", "left behind", "right", "left behind"], {}),
        # Left for right, behind kept. The same is right for the other pair of the view; 360 answers otherwise.
        (["left behind", "left behind", "right behind", "left behind"], {"inversion": [0], "other": [0], "drift": [0]}),
        # Both reversed: the swapped pair, also the reverse of the alternative. A single label of gold is an omission.
        (["left front", "right front", "left", "behind"], {"swapped": [0, 1, 2], "drift": [0, 1, 2, 3]}),
        # What the other pair admits, its alternative too; front and right reverse no single component of left and behind ...
        (["left behind", "right", "left behind", "right"], {"inversion": [0, 2], "other": [0, 1, 2, 3]}),
        # ... and two words for one axis reverse none.
        (["right left", "left behind", "right left", "left behind"], {}),
        # Nothing said: wrong, and of no kind; one empty answer is no drift.
        (["", "left behind", "right behind", ""], {}),
        # Two answers that differ and are both right are no drift.
        (["right", "left behind", "right behind", "left front"], {"inversion": [3], "drift": [3]}),
    ],
)
def test_kinds_by_hand(answers, expected):
    kinds = failures.kinds_of(said(*answers), four_questions())
    found = {
        name: np.flatnonzero(kinds[kind]).tolist()
        for name, kind in zip(("inversion", "swapped", "other", "drift"), failures.KINDS, strict=True)
    }
    assert {name: rows for name, rows in found.items() if rows} == expected


def test_with_above_and_below_one_of_three_components_may_turn():
    gold = np.array([[encode(["right", "behind", "above"], "0")]] * 3, dtype=np.uint8)
    assert failures.single_axis_inversion(
        said("right behind below", "left front above", "right behind"), gold
    ).tolist() == [True, False, False]


def test_tables_by_hand():
    """Of four questions: inversion that fits the other pair and drifts; swapped; right; nothing said."""
    items = four_questions()
    run = run_of(items, said("left behind", "right front", "right behind", ""))
    row = tables.failure_table([run], items).iloc[0]
    assert row.drop("Set").to_dict() == {
        "Wrong": 3,
        "Single-axis inversion": 1,
        "Swapped pair": 1,
        "Another pair": 1,
        "Cycle drift": 1,
        "None of these": 1,
        "Drifting pairs": 1,
    }
    shares = tables.failure_shares([run], items).set_index("Set").loc["Somebody"]
    assert shares.to_dict() == pytest.approx(
        {"Single-axis inversion": 100 / 3, "Swapped pair": 100 / 3, "Another pair": 100 / 3, "Drifting pairs": 50}
    )


def test_guessing_by_hand():
    """The first pair admits two of eight answers, so six are wrong: left + behind and right + front reverse one component, left + front
    and left are right for the swapped pair, and left + behind is right for the other pair. The second pair admits one; of seven, two
    reverse one component, one is the swapped pair's, and right + behind and right are the first pair's. Each pair twice. Two guesses drift
    unless both are admissible or they are equal: 1 - 4/64 - 6/64 and 1 - 1/64 - 7/64."""
    found = tables.guessing(four_questions())
    assert found == pytest.approx(
        {
            "Single-axis inversion": 4 / 13,
            "Swapped pair": 3 / 13,
            "Another pair": 3 / 13,
            "Drifting pairs": (54 + 56) / 128,
        }
    )


def test_misses_by_hand():
    """At 0 degrees the first misses one of two and the second both; at 360 the first none and the second one of two."""
    items = four_questions()
    first = run_of(items, said("left", "left behind", "right behind", "left behind"), title="First")
    second = run_of(items, said("left", "left", "right behind", "left"), title="Second")
    frame = tables.shared_misses([first, second], items)
    assert frame["Questions"].tolist() == [1, 2, 1]
    # 0 degrees: 2 x (0, 1/2, 1/2); 360 degrees: 2 x (1/2, 1/2, 0).
    assert frame["If independent"].tolist() == pytest.approx([1, 2, 1])
    by_view = tables.shared_by_viewpoint([first, second], items).set_index("Viewpoint")["Missed by all"]
    assert by_view["0"] == 1 and by_view.sum() == 1


def test_mechanisms_fail_as_derived(items, everyone):
    frame = tables.expected_beside_kinds(everyone, items, SIGN_LOSS, SLIP)
    assert set(frame["Set"]) == {run.title for run in everyone} - {"Learned from boxes"}
    certain = frame["Error"] == 0
    assert (frame["Run"] == frame["Expected"])[certain].all(), frame[certain & (frame["Run"] != frame["Expected"])]
    assert (frame["Off"][~certain].abs() < 3).all()
    assert (~certain).sum() == 9


def test_the_derivations_would_notice_another_mechanism(items, everyone):
    """Uniform guesses under the rebinder's name are far from what is derived for it."""
    guess = next(run for run in everyone if run.title == "Uniform random")
    frame = tables.expected_beside_kinds([run_of(items, guess.answers, title="Axis-rebinder")], items, SIGN_LOSS, SLIP)
    assert (frame["Off"].abs() > 5).any()


@pytest.mark.parametrize("domain", ["synthetic", "indoor"])
def test_guessers_are_as_guessing_says(domain):
    """Uniform random guesses in both domains, and independent noise is wrong by guessing, nearly so where a question has sixteen answers:
    within three standard errors of the shares that items determine."""
    items = load_cvt(domain)
    runs = load_runs(["reference_independent_noise", "reference_uniform_random"], items)
    shares = tables.failure_shares(runs, items).set_index("Set")
    wrong = tables.failure_table(runs, items).set_index("Set")["Wrong"]
    for name in wrong.index:
        for kind in ("Single-axis inversion", "Swapped pair", "Another pair"):
            share = shares.loc["By guessing", kind]
            error = np.sqrt(share * (100 - share) / wrong[name])
            assert abs(shares.loc[name, kind] - share) < 3 * error, (name, kind)


def test_the_pair_mix_up_gives_answers_of_other_pairs(items):
    """Nothing is wrong but answers that another pair of the view has; where nothing was asked before at the view, nothing is wrong. It
    mixes up with the chance it says."""
    before = pair_before(items)
    asked = items.questions
    rows = np.arange(len(asked))
    assert (before <= rows).all()
    for row in rows[before < rows][:500]:
        here, there = asked.iloc[row], asked.iloc[before[row]]
        assert (here.scene, here.viewpoint) == (there.scene, there.viewpoint)
        assert {here.target, here.anchor} != {there.target, there.anchor}
    answers = pair_mix_up(items, SimpleNamespace(), np.random.default_rng(7))
    differs = items.gold != items.gold[before]
    assert (answers == items.gold)[~differs].all()
    assert set(np.unique(answers == items.gold[before])) == {True, False}
    error = np.sqrt(PAIR_MIX_UP * (1 - PAIR_MIX_UP) / differs.sum())
    assert abs((answers != items.gold)[differs].mean() - PAIR_MIX_UP) < 3 * error


# ------------------------------------------------------------------------------------------------------------- the grid


def independent_kinds(items, run, row):
    """The kinds of an answer from the words of the files, sharing nothing with `vantage.failures`."""
    asked = items.questions.iloc[row]

    def words(mask, viewpoint):
        names = ["left", "right", "south", "north"] if viewpoint == "Top" else ["left", "right", "front", "behind"]
        return frozenset(name for bit, name in enumerate([*names, "above", "below"]) if mask >> bit & 1)

    def right(place):
        viewpoint = items.questions.viewpoint[place]
        return {words(int(mask), viewpoint) for mask in items.admissible[place]}

    answer = words(int(run.answers[row]), asked.viewpoint)
    found = set()
    if answer in right(row):
        return found
    gold = frozenset(asked.gold)
    if len(gold) > 1 and any(answer == gold - {label} | {OPPOSITES[label]} for label in gold):
        found.add("Single-axis inversion")
    if frozenset(OPPOSITES[label] for label in answer) in right(row):
        found.add("Swapped pair")
    near = items.questions[(items.questions.scene == asked.scene) & (items.questions.viewpoint == asked.viewpoint)]
    others = [place for place in near.index if {near.target[place], near.anchor[place]} != {asked.target, asked.anchor}]
    if any(answer in right(place) for place in others):
        found.add("Another pair")
    if asked.viewpoint in ("0", "360"):
        same = items.questions.query("scene == @asked.scene and target == @asked.target and anchor == @asked.anchor")
        same = same[(same.kind == "vertical") == (asked.kind == "vertical")]
        same = same[(same.kind == "primary") | same.tracked_pair.notna()]
        twin = same.index[same.viewpoint == ("360" if asked.viewpoint == "0" else "0")]
        if row in same.index and len(twin):
            other = words(int(run.answers[twin[0]]), asked.viewpoint)
            if other and other != answer:
                found.add("Cycle drift")
    return found


@pytest.mark.parametrize("domain", ["synthetic", "indoor"])
def test_kinds_agree_with_an_independent_reading(domain):
    """Every fiftieth question of every set."""
    ((items, runs),) = tables.answered([*SHOWN, *EXTREMES], [domain])
    assert len(runs) >= 10
    for run in runs:
        kinds = failures.kinds_of(run.answers, items)
        for row in range(0, len(items.questions), 50):
            assert {name for name in kinds if kinds[name][row]} == independent_kinds(items, run, row), (run.title, row)


@pytest.fixture(scope="module", params=["synthetic", "indoor"])
def chosen(request):
    """The items and runs of a domain, and the examples of its column of the grid."""
    ((items, runs),) = tables.answered(SHOWN, [request.param])
    return items, runs, tables.examples(runs, items)


def test_examples_meet_their_definition(chosen):
    items, runs, examples = chosen
    assert list(examples) == list(tables.ROWS)
    of = {
        "Single-axis inversion": {"Single-axis inversion"},
        "Relation association": {"Swapped pair", "Another pair"},
    }
    for kind, parts in of.items():
        example = examples[kind]
        assert len(independent_kinds(items, example.runs[0], example.row) & parts) == 1
        assert len(independent_kinds(items, example.runs[0], example.row)) == 1
    association = examples["Relation association"]
    there, here = items.questions.iloc[[association.other, association.row]].itertuples()
    assert (there.scene, there.viewpoint) == (here.scene, here.viewpoint)
    assert association.runs[0].answers[association.row] in items.admissible[association.other]
    drift = examples["Cycle drift"]
    pair = items.questions.loc[[drift.row, drift.other]]
    assert pair.viewpoint.tolist() == ["0", "360"]
    assert pair[["scene", "target", "anchor"]].nunique().eq(1).all()
    assert "Cycle drift" in independent_kinds(items, drift.runs[0], drift.row) | independent_kinds(
        items, drift.runs[0], drift.other
    )
    shared = examples["Missed by all"]
    assert len(shared.runs) == len(runs)
    missing = [
        row for row in range(len(items.questions)) if not any(run.answers[row] in items.admissible[row] for run in runs)
    ]
    assert shared.row == missing[0]


def test_examples_are_the_first_by_the_rule(chosen):
    """Of the set whose wrong answers are of the kind most often, no earlier question is of so few kinds."""
    items, runs, examples = chosen
    parts = {
        "Single-axis inversion": ["Single-axis inversion"],
        "Relation association": ["Swapped pair", "Another pair"],
    }
    for kind, names in parts.items():
        shares = {}
        for run in runs:
            kinds = failures.kinds_of(run.answers, items)
            wrong = ~(run.answers[:, None] == items.admissible).any(axis=1)
            shares[run.title] = (kinds[names[0]] | kinds[names[-1]])[wrong].mean()
        example = examples[kind]
        assert example.runs[0].title == max(shares, key=shares.get)
        for row in range(example.row):
            found = independent_kinds(items, example.runs[0], row)
            assert not (found & set(names) and len(found) <= 1), row


def test_a_page_without_such_an_answer_says_so(items):
    oracle = load_runs(["reference_oracle"], items)
    examples = tables.examples(oracle, items)
    assert set(examples.values()) == {None}
    shown = failure_grid.grid_row([None], [items]).data
    assert "no question of this kind" in shown and "<img" not in shown


def test_no_example_comes_from_a_witness(items):
    with pytest.raises(InputError, match="reconstructed"):
        tables.examples([run_of(items, items.gold, kind="reconstructed")], items)


def test_what_the_page_says_of_an_example_by_hand():
    """In the made rooms: at 0 degrees the lamp is right of and above the table, and the table left of and below the lamp; the shelf is
    right of and behind the armchair."""
    items = made_room()
    answers = items.gold.copy()
    answers[0] = encode(["left", "above"], "0")
    run = run_of(items, answers)
    example = tables.examples([run], items)["Single-axis inversion"]
    assert (example.row, example.other) == (0, None)
    assert failure_grid.explanation(example) == "above is kept; right has become left."
    answers[0] = encode(["left", "below"], "0")
    example = tables.examples([run_of(items, answers)], items)["Relation association"]
    assert failure_grid.explanation(example) == (
        "The answer is right for Tag 0 with respect to Tag 1, the same pair the other way round."
    )
    shown = failure_grid.grid_row([example], [items]).data
    assert "left + below (wrong: swapped pair)" in shown
    assert 'href="indoor.html#scene=indoor-001&amp;question=1&amp;angle=0"' in shown
    assert "What Somebody does." in shown
    alt = shown.partition('alt="')[2].partition('"')[0]
    assert alt.startswith("indoor-001 from the source view") and "brass lamp (Tag 1)" in alt


def test_domains_without_answers_are_left_out(runs):
    found = tables.answered(SHOWN, ["synthetic", "real"])
    assert [items.domain for items, _ in found] == ["synthetic"]
    assert [run.title for run in found[0][1]] == [run.title for run in runs]
    shown = failure_grid.of_domains(tables.failure_table, [*found, *found], "wrong answers.").data
    assert shown.count("<figcaption>CVT-Synthetic-Open: wrong answers.") == shown.count(">Learned from boxes<") == 2


def test_the_table_of_derivations_tells_chance_from_certainty(items, everyone):
    shown = failure_grid.derived(tables.expected_beside_kinds(everyone, items, SIGN_LOSS, SLIP), "Caption.").data
    assert shown.count(" SE</td>") == 9
    assert ">5703</td>" in shown and "undefined" not in shown


def test_what_the_page_notices(items, everyone):
    """The numbers in the page's words, read off the figure's table and counted anew where it has none."""
    shares = tables.failure_shares(everyone, items).set_index("Set")
    half = set(shares.index[shares["Single-axis inversion"] > 50])
    assert half == {"Mirror-confused", "Axis-rebinder", "Noisy source", "Pair mix-up", "Egocentric"}
    other = shares["Another pair"]
    assert 35 < other["By guessing"] < 45 and other["Pair mix-up"] == 100
    assert (
        other[["Mirror-confused", "Axis-rebinder", "Noisy source", "Egocentric", "Complete inverter"]]
        .between(55, 67)
        .all()
    )
    assert shares.loc["Complete inverter", "Drifting pairs"] == 0
    ((indoor, rooms),) = tables.answered(SHOWN, ["indoor"])
    there = tables.failure_shares(rooms, indoor).set_index("Set")["Another pair"]
    assert (there.drop("Pair mix-up") < other[there.index].drop("Pair mix-up")).all() and there["Pair mix-up"] == 100
    learned = next(run for run in everyone if run.title == "Learned from boxes")
    of_no_kind = ~(learned.answers[:, None] == items.admissible).any(axis=1)
    of_no_kind &= ~np.any(list(failures.kinds_of(learned.answers, items).values()), axis=0)
    assert of_no_kind.sum() > 406 / 2
    answer, gold = learned.answers[of_no_kind], items.gold[of_no_kind]
    assert (((answer & gold) == answer) | ((answer & gold) == gold)).all()
    missed = tables.shared_by_viewpoint(everyone[:6], items).set_index("Viewpoint")["Missed by all"]
    assert missed[["0", "180", "360", "Top"]].sum() == 0


def test_a_stacked_scene_stands_in_a_narrow_column():
    """Of rooms in a wide and an upright picture: the map below the picture, both inside the figure, which is taller than wide; the
    picture keeps its shape."""
    for scene in made_room().scenes:
        figure = figures.scene_figure(scene, 1, 0, "90", stacked=True)
        picture, above = (axes.get_position() for axes in figure.axes)
        wide, high = figure.get_size_inches()
        assert above.y1 < picture.y0 and high > wide
        assert 0 <= picture.x0 and picture.x1 <= 1 and 0 < above.x0 and above.x1 <= 1
        assert picture.width * wide / (picture.height * high) == pytest.approx(scene["width"] / scene["height"])
        plt.close(figure)
