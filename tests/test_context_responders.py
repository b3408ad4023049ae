"""What responders do when scenes share a prompt, derived first. A tolerance is three standard errors of what chance adds.

The last part is about the filler regimes. There, what stands before a target is counted anew, from the counts of questions and the
texts of prompts, and each responder must err with the chance that follows.
"""

import ast
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from vantage import files, schemas
from vantage.attributes import answers as answers_about
from vantage.attributes import exact
from vantage.items import CVTItems, load_attribute_questions, load_cvt
from vantage.predictions import ANSWERED, NOT_ASKED, WHOLE, load, load_attribute_runs, load_runs
from vantage.prompts import (
    FILLER_SENTENCE,
    FILLERS,
    TARGET_POSITIONS,
    assemble,
    batches,
    prompt_text,
    reply_key,
)
from vantage.relations import BEHIND, FRONT, LEFT, RIGHT
from vantage.schemas import REGIMES
from vantage.tables import context
from vantage_workshop.responders.cvt.context import DRIFT, LENGTH, MIX_UP, RECENCY, TIRING, neighbours
from vantage_workshop.responders.cvt.mechanism import Asking
from vantage_workshop.responders.cvt.roster import RESPONDERS

BOTH = [responder.set for responder in RESPONDERS if "competing" in responder.regimes]


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def answers():
    """The answers of each set that has both whole regimes, by regime."""
    return {name: {run.regime: run.answers for run in of_synthetic(name) if run.regime in WHOLE} for name in BOTH}


def of_synthetic(name):
    return [run for run in load(name).runs if run.domain == "synthetic"]


@pytest.mark.parametrize("name", BOTH)
def test_competing_answers_say_which_prompt_they_came_from(items, name):
    table = schemas.read_table(
        files.root() / "frozen_predictions" / name / "predictions.parquet", schemas.CVT_PREDICTIONS
    ).to_pandas()
    table = table[table.domain == "synthetic"]
    assert table.run.unique().tolist()[:2] == ["synthetic-isolated-symbolic", "synthetic-competing-symbolic"]
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
    margins = {"lateral_margin": 0.2, "depth_margin": 0.2}
    scenes = [
        margins
        | {"scene": name, "number": place, "objects": [{"tag": tag, "plane": at} for tag, at in enumerate(plane)]}
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
    assert neighbours(items, Asking(items, "competing"), related=True).tolist() == questions.expected.tolist()
    assert neighbours(items, Asking(items, "isolated"), related=True)[1] == LEFT


def test_interference(items, answers):
    """Isolated: right. Competing: right in the first scene; in slot k wrong with chance MIX_UP k / 19 where the neighbour says
    something else; and never wrong in another way."""
    given, asking = answers["reference_interference"], Asking(items, "competing")
    assert (given["isolated"] == items.gold).all()
    other, slot = neighbours(items, asking, related=True), asking.places.slot.to_numpy()
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


# ------------------------------------------------------------------------------------------------------ filler regimes

CONTEXT = (
    "oracle", "interference", "scene_mix_up", "drifting", "tiring", "length_sensitive", "recency_biased",
)  # fmt: skip
PLACES = [(regime, position) for regime in FILLERS for position in TARGET_POSITIONS]


@pytest.fixture(scope="module")
def fillers():
    """The filler runs of each set that has them, by regime and target position."""
    return {
        name: {
            (run.regime, run.target_position): run for run in of_synthetic(f"reference_{name}") if run.regime in FILLERS
        }
        for name in CONTEXT
    }


@pytest.fixture(scope="module")
def before(items):
    """For each scene the number of its questions, and of all questions of the scenes before it and of its whole batch of twenty."""
    counts = items.questions.groupby("scene").size()
    rows = {}
    for scenes in batches(items, 20):
        for slot, scene in enumerate(scenes):
            rows[scene] = counts[scene], sum(counts[other] for other in scenes[:slot]), sum(counts[scenes])
    return pd.DataFrame(rows, index=["own", "earlier", "all"]).T


def test_every_responder_to_context_is_put_to_all_regimes(items, fillers):
    assert {f"reference_{name}" for name in CONTEXT} == {
        responder.set for responder in RESPONDERS if set(responder.regimes) == set(REGIMES)
    }
    for runs in fillers.values():
        assert list(runs) == PLACES
        for (_, position), run in runs.items():
            targets = set(items.questions.scene[run.status == ANSWERED])
            assert targets == {scenes[position] for scenes in batches(items, 20)}
            assert (run.status[~items.questions.scene.isin(targets)] == NOT_ASKED).all()


def close(right, chance, errors=3.0):
    """Whether a share of right answers is within so many standard errors of what the chances of an error give."""
    tolerance = errors * np.sqrt((chance * (1 - chance)).sum()) / len(chance)
    return right.mean() == pytest.approx(1 - chance.mean(), abs=max(tolerance, 1e-12))


def test_in_fillers_interference_has_nothing_to_mix_up(items, fillers):
    """No other scene is asked about its relations, so it is as right as the oracle and the recency-biased, who never err there."""
    for name in ("oracle", "interference", "recency_biased"):
        for run in fillers[name].values():
            asked = run.status == ANSWERED
            assert (run.answers == items.gold)[asked].all()


def test_a_mix_up_needs_another_scene_that_is_shown(items, fillers):
    """Irrelevant filler shows none. Attribute filler shows the same scenes as the competing prompt: the same neighbours, and a
    mix-up with chance MIX_UP k / 19 in slot k, seen where the neighbour says something else."""
    competing = neighbours(items, Asking(items, "competing"), related=True)
    for (regime, position), run in fillers["scene_mix_up"].items():
        asked = run.status == ANSWERED
        right = (run.answers == items.gold)[asked]
        if regime == "irrelevant_filler" or position == 0:
            assert right.all()
            continue
        other = neighbours(items, Asking(items, regime, position), related=False)
        assert (other == competing)[asked].all()
        differs = (other != items.gold)[asked]
        assert differs.mean() > 0.5
        assert right[~differs].all() and (run.answers == other)[asked][~right].all()
        assert close(right[differs], np.full(differs.sum(), MIX_UP * position / 19))


@pytest.mark.parametrize("name", ["drifting", "tiring"])
def test_questions_count_not_text(items, fillers, before, name):
    """j questions precede the n-th of a target: in irrelevant filler n - 1, as if it stood alone; in attribute filler, whose other
    scenes have as many questions as in the competing prompt, also those of all earlier scenes."""
    for (regime, position), run in fillers[name].items():
        asked = run.status == ANSWERED
        rows = before.loc[items.questions.scene[asked]].reset_index(drop=True)
        earlier = rows.earlier if regime == "attribute_filler" else 0
        whole = rows["all"] if regime == "attribute_filler" else rows.own
        preceding = items.questions.number[asked].to_numpy() - 1 + earlier
        chance = DRIFT * preceding / (whole - 1) if name == "drifting" else TIRING * preceding / 1000
        assert close((run.answers == items.gold)[asked], np.asarray(chance), errors=3.5), (regime, position)


def test_text_counts_not_what_it_says(items, fillers):
    """c characters precede a question; both fillers stand within 5 % of the competing prompt, and irrelevant text within one
    sentence (Supp. 5). So the chances of an error are those of the competing prompt to within 5 %."""
    competing = Asking(items, "competing").characters_before(items.questions)
    for (regime, position), run in fillers["length_sensitive"].items():
        asked = run.status == ANSWERED
        characters = Asking(items, regime, position).characters_before(items.questions)[asked]
        off = np.abs(characters - competing[asked])
        assert off.max() <= (len(FILLER_SENTENCE) if regime == "irrelevant_filler" else 0.05 * competing[asked].max())
        # Of six shares the worst; four standard errors are passed once in some three thousand such tests.
        assert close((run.answers == items.gold)[asked], LENGTH * characters / 1e5, errors=4)


def test_characters_are_counted_up_to_the_question(items):
    """The text of a Text/BBox prompt up to there, cut by the question's own words."""
    asking = Asking(items, "competing")
    prompt = assemble(items, "competing", "text_bbox").to_pandas().query("block == 1")
    rows = items.questions.scene == prompt.scene.iloc[2]
    row = items.questions[rows].iloc[4]
    start = prompt_text(prompt).index(prompt.text.iloc[2])
    expected = prompt_text(prompt).index(f"{reply_key(row.number)}: {row.text}", start)
    assert asking.characters_before(items.questions[rows])[4] == expected


def retrieved(name):
    """Of each attribute run of a set: the run, where it was asked, and whether each answer is gold."""
    attributes = load_attribute_questions()
    for run in load(f"reference_{name}").attribute_runs:
        asked = run.status != NOT_ASKED
        yield run, asked, np.array(exact(run.answers, attributes.gold))


@pytest.mark.parametrize("name", ["oracle", "interference", "scene_mix_up"])
def test_retrieval_where_only_relations_are_mixed_up(name):
    runs = list(retrieved(name))
    assert len(runs) == len(TARGET_POSITIONS)
    for _, asked, right in runs:
        assert asked.sum() > 5000 and right[asked].all()


def test_retrieval_of_the_recency_biased(items):
    """In slot k with chance RECENCY k / 19 what the scene before says, wrong where that is something else; so it falls with the
    position, and only so: without regard to which scene is the target."""
    attributes = load_attribute_questions()
    scenes = attributes.questions.scene
    slot = scenes.map({scene: k for batch in batches(items, 20) for k, scene in enumerate(batch)}).to_numpy()
    previous = {scene: other for batch in batches(items, 20) for other, scene in pairwise(batch)}
    objects = {scene["scene"]: scene["objects"] for scene in items.scenes}
    other = []
    for scene, asks, gold, offered in zip(
        scenes, attributes.questions.asks, attributes.gold, attributes.offered, strict=True
    ):
        given = frozenset(answers_about(asks, objects[previous[scene]])) if scene in previous else gold
        other.append(given if given and given <= set(offered) else gold)
    differs = np.array([given != gold for given, gold in zip(other, attributes.gold, strict=True)])
    for run, asked, right in retrieved("recency_biased"):
        assert right[asked & ~differs].all()
        wrong = np.flatnonzero(asked & ~right)
        assert all(run.answers[row] == other[row] for row in wrong)
        for low in range(0, 20, 5):
            here = asked & differs & (slot >= low) & (slot < low + 5)
            assert here.sum() > 500
            assert close(right[here], RECENCY * slot[here] / 19, errors=3.5)


@pytest.mark.parametrize("name", ["drifting", "tiring", "length_sensitive"])
def test_retrieval_suffers_as_relations_do(items, before, name):
    """The same chances over attribute questions, quarter by quarter of the prompt."""
    asked_about = load_attribute_questions().questions
    rows = before.loc[asked_about.scene].reset_index(drop=True)
    preceding = (rows.earlier + asked_about.number - 1).to_numpy()
    share = preceding / (rows["all"] - 1).to_numpy()
    for run, asked, right in retrieved(name):
        characters = Asking(items, "attribute_filler", run.target_position).characters_before(asked_about)
        chance = {
            "drifting": DRIFT * share,
            "tiring": TIRING * preceding / 1000,
            "length_sensitive": LENGTH * characters / 1e5,
        }
        for quarter in range(4):
            here = asked & (share * 4 // 1 == quarter)
            assert close(right[here], chance[name][here], errors=3.5)


def test_regimes_hold_the_mechanisms_apart(items, fillers, answers):
    """Against the scenes alone, the fifteen targets lose in exactly the regimes that hold what the responder heeds. At slots 9 and
    19 the least chance of a visible error is above .2, so five standard errors (.15 or less) tell a loss from none."""
    targets = {scene for batch in batches(items, 20) for scene in (batch[9], batch[19])}
    here = items.questions.scene.isin(targets).to_numpy()
    loses = {
        "oracle": set(), "recency_biased": set(),
        "interference": {"competing"},
        "scene_mix_up": {"attribute_filler", "competing"},
        "tiring": {"attribute_filler", "competing"},
        "length_sensitive": {"irrelevant_filler", "attribute_filler", "competing"},
    }  # fmt: skip
    for name, expected in loses.items():
        right = {regime: (given == items.gold)[here].mean() for regime, given in answers[f"reference_{name}"].items()}
        for regime in FILLERS:
            parts = [fillers[name][regime, position] for position in (9, 19)]
            asked = [run.status == ANSWERED for run in parts]
            right[regime] = np.mean(
                np.concatenate([(run.answers == items.gold)[rows] for run, rows in zip(parts, asked, strict=True)])
            )
        assert {regime for regime, share in right.items() if right["isolated"] - share > 0.15} == expected, name


def test_the_page_of_context_derives_the_same(items):
    """The rates that the pages state are those of the mechanisms, and their tables find what was derived."""
    rates = {
        "Interference": MIX_UP, "Scene mix-up": MIX_UP, "Drifting": DRIFT, "Tiring": TIRING, "Length-sensitive": LENGTH,
        "Recency-biased": RECENCY,
    }  # fmt: skip
    for page in ("context", "retrieval"):
        text = (files.root() / "notebooks" / "cvt" / f"{page}.md").read_text(encoding="utf-8")
        stated = re.search(r"rates = (\{.*?\})", text, re.DOTALL)[1]
        assert ast.literal_eval(stated) == rates
    runs = load_runs([f"reference_{name}" for name in CONTEXT], items, regime=None)
    table = context.expected_beside_positions(runs, items, rates)
    found = table[table[""] == "run"].set_index("Set")
    assert len(table) == 2 * len(CONTEXT) and len(found) == len(CONTEXT)
    off = found["Largest difference"]
    assert {name for name in off.index if off[name] == "none"} == {
        "Oracle",
        "Interference",
        "Scene mix-up",
        "Recency-biased",
    }
    assert (off[off != "none"].str.removesuffix(" SE").astype(float) < 3.5).all()
    derived = table[table[""] == "derived"].set_index("Set")[context.SHOWN]
    floors = {(name, regime) for name, row in derived.iterrows() for regime in context.SHOWN if "least" in row[regime]}
    assert floors == {
        ("Interference", "Competing"),
        ("Scene mix-up", "Attribute filler"),
        ("Scene mix-up", "Competing"),
    }
    assert all(float(found.loc[cell]) > float(derived.loc[cell].removeprefix("at least ")) for cell in floors)
    curves = context.retrieval_curves(
        load_attribute_runs([f"reference_{name}" for name in CONTEXT], load_attribute_questions()),
        load_attribute_questions(),
        items,
    ).merge(context.expected_retrieval(items, rates), on=["Set", "position"], suffixes=("", "_expected"))
    assert len(curves) == len(CONTEXT) * 20
    recent = curves.Set == "Recency-biased"
    assert (curves.value[recent] >= curves.value_expected[recent] - 0.02).all()
    # Some 800 answers a point: a standard error is at most .018.
    np.testing.assert_allclose(curves.value[~recent], curves.value_expected[~recent], atol=0.065)


def test_what_stands_before_a_target_is_what_the_regimes_are_for(items):
    """The table of the page: text, questions, scenes, and scenes asked about relations; each regime adds one thing."""
    loads = context.loads_table(items).set_index("Regime")
    alone, irrelevant, attribute, competing = (
        loads.loc[words] for words in ("Isolated", "Irrelevant filler", "Attribute filler", "Competing")
    )
    assert irrelevant.Characters == pytest.approx(competing.Characters, rel=0.01)
    assert attribute.Characters == pytest.approx(competing.Characters, rel=0.05)
    assert alone.Questions == irrelevant.Questions and attribute.Questions == competing.Questions
    assert (irrelevant["Other scenes"], attribute["Other scenes"]) == (0, competing["Other scenes"])
    named = "Scenes asked about relations"
    assert (alone[named], irrelevant[named], attribute[named]) == (0, 0, 0)
    assert competing[named] == pytest.approx((0 + 9 + 19) / 3, abs=0.2)
