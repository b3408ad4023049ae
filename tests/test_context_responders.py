"""What responders do when scenes share a prompt, derived first. A tolerance is three standard errors of what chance adds."""

import numpy as np
import pandas as pd
import pytest

from vantage import files, schemas
from vantage.items import CVTItems, load_cvt
from vantage.predictions import load
from vantage.prompts import assemble
from vantage.relations import BEHIND, FRONT, LEFT, RIGHT
from vantage_workshop.responders.cvt.context import DRIFT, MIX_UP, neighbours
from vantage_workshop.responders.cvt.mechanism import Asking
from vantage_workshop.responders.cvt.roster import RESPONDERS

BOTH = [responder.set for responder in RESPONDERS if "competing" in responder.regimes]


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def answers():
    """The answers of each set that has both regimes, by regime."""
    return {name: {run.regime: run.answers for run in load(name).runs} for name in BOTH}


@pytest.mark.parametrize("name", BOTH)
def test_competing_answers_say_which_prompt_they_came_from(items, name):
    table = schemas.read_table(
        files.root() / "frozen_predictions" / name / "predictions.parquet", schemas.CVT_PREDICTIONS
    ).to_pandas()
    assert table.run.unique().tolist() == ["synthetic-isolated-symbolic", "synthetic-competing-symbolic"]
    assert table[table.regime == "isolated"].block.isna().all()
    prompts = assemble(items, "competing", "image", 20).to_pandas().set_index("scene")
    competing = table[table.regime == "competing"].merge(items.questions[["item", "scene"]])
    assert (competing.block == prompts.block[competing.scene].to_numpy()).all()


def test_places_count_all_questions_of_a_prompt(items):
    """In a competing prompt the second scene's first question follows the first scene's last one."""
    questions, places = items.questions, Asking(items, "competing").places
    first, second = ((questions.scene == scene).to_numpy() for scene in ("synthetic-021", "synthetic-022"))
    assert (places[first | second].block == 1).all()
    assert places.slot[first].unique() == [0] and places.slot[second].unique() == [1]
    assert sorted(places.place[first | second]) == list(range(first.sum() + second.sum()))
    assert places.place[second & (questions.number == 1)].item() == first.sum()
    assert places.questions.to_numpy()[first][0] == places.place[places.block == 1].max() + 1
    alone = Asking(items, "isolated").places
    assert (alone.place == questions.number - 1).all()
    assert (alone.questions == questions.groupby("scene").item.transform("size")).all()


def test_what_context_cannot_touch(items, answers):
    """Without chance the same answers; with it, fresh draws and the same accuracy. A difference of two shares of independent
    slips has a standard error of .0086; a believed pair answers four or five questions, which makes it some .018."""
    for name in ("reference_oracle", "reference_egocentric"):
        assert (answers[name]["isolated"] == answers[name]["competing"]).all()
    for name, tolerance in (("reference_independent_noise", 0.026), ("reference_noisy_source", 0.053)):
        right = {regime: given == items.gold for regime, given in answers[name].items()}
        assert (right["isolated"] != right["competing"]).any()
        assert right["isolated"].mean() == pytest.approx(right["competing"].mean(), abs=tolerance)


def test_neighbours_are_found_by_their_tags():
    """A, B and C share a prompt. B lacks tag 2, so C's question about 2 and 0 meets A; nobody before C has tag 3."""
    layouts = {
        "A": [(0, 0), (1, 0), (0, 1)],
        "B": [(0, 0), (-1, 0)],
        "C": [(0, 0), (0, -1), (0, -1), (0, -1)],
    }
    scenes = [
        {"scene": name, "number": place, "objects": [{"tag": tag, "plane": at} for tag, at in enumerate(plane)]}
        for place, (name, plane) in enumerate(layouts.items(), 1)
    ]
    rows = [
        ("A", 1, "0", RIGHT),
        ("B", 1, "0", RIGHT),
        ("C", 1, "0", LEFT),
        ("C", 2, "0", BEHIND),
        ("C", 3, "0", FRONT),
    ]
    # Orbiting by 90 degrees to the right, what was left is behind: the neighbour's layout is turned as the question asks.
    rows.append(("C", 1, "90", BEHIND))
    questions = pd.DataFrame(rows, columns=["scene", "target", "viewpoint", "expected"]).assign(anchor=0)
    items = CVTItems("synthetic", "", scenes, questions, gold=None, admissible=None)
    assert neighbours(items, Asking(items, "competing")).tolist() == questions.expected.tolist()
    assert neighbours(items, Asking(items, "isolated"))[1] == LEFT


def test_interference(items, answers):
    """Isolated: right. Competing: right in the first scene; in slot k wrong with chance MIX_UP k / 19 where the neighbour says
    something else; and never wrong in another way."""
    given, asking = answers["reference_interference"], Asking(items, "competing")
    assert (given["isolated"] == items.gold).all()
    other, slot = neighbours(items, asking), asking.places.slot.to_numpy()
    wrong = given["competing"] != items.gold
    assert not wrong[slot == 0].any()
    assert (given["competing"] == other)[wrong].all()
    for low in range(1, 20, 4):
        here = (other != items.gold) & (slot >= low) & (slot < low + 4)
        chance = MIX_UP * slot[here] / 19
        tolerance = 3 * np.sqrt((chance * (1 - chance)).sum()) / here.sum()
        assert wrong[here].mean() == pytest.approx(chance.mean(), abs=tolerance)


@pytest.mark.parametrize("regime", ["isolated", "competing"])
def test_drifting_falls_along_the_prompt(items, answers, regime):
    """Exact 1 - DRIFT j / (J - 1) at the j-th of J questions: tenth by tenth of the prompt, and 1 - DRIFT / 2 over all."""
    places = Asking(items, regime).places
    along = (places.place / (places.questions - 1)).to_numpy()
    right = answers["reference_drifting"][regime] == items.gold
    assert right[along == 0].all()
    for tenth in range(10):
        here = (along * 10 // 1).clip(max=9) == tenth
        chance = DRIFT * along[here]
        tolerance = 3 * np.sqrt((chance * (1 - chance)).sum()) / here.sum()
        assert right[here].mean() == pytest.approx(1 - chance.mean(), abs=tolerance)
    assert right.mean() == pytest.approx(1 - DRIFT / 2, abs=0.018)


def test_drifting_moves_from_within_scenes_to_between_them(items, answers):
    """From the first half of each scene's questions to the second, accuracy falls by DRIFT / 2 if the scene is alone, and by
    about a twentieth of that if it is one of twenty. Standard error of a difference of two halves: .0122."""
    half = items.questions.number > items.questions.groupby("scene").item.transform("size") / 2
    for regime, fall in (("isolated", DRIFT / 2), ("competing", DRIFT / 2 / 20)):
        right = answers["reference_drifting"][regime] == items.gold
        assert right[~half].mean() - right[half].mean() == pytest.approx(fall, abs=0.037)
