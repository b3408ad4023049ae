"""What SceneInspector hands to the page, what it refuses, and its texts on a scene computed by hand."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.made import CHAIR, LAMP, SHELF, TABLE, made_room, run_of
from vantage.errors import InputError
from vantage.heights import compare_heights
from vantage.inspectors.conflict import PARTS, contradiction, describe_conflict
from vantage.inspectors.scene import SceneInspector, content_of, describe, heights_reading, reading
from vantage.inspectors.words import RELATION_PHRASES
from vantage.items import CVTItems, load_cvt
from vantage.predictions import ANSWERED, INVALID, MISSING
from vantage.realizability import asserted_constraints, realizable
from vantage.relations import (
    ABOVE,
    BEHIND,
    BELOW,
    FRONT,
    LEFT,
    RIGHT,
    TOP,
    VERTICAL_WORDS,
    alternatives,
    asserted,
    direction,
    observed,
    yaw_of,
)
from vantage.templates import question_text

STATE_KILOBYTES = 700
"""The most that a page may carry for all scenes, questions and runs, in kilobytes of JSON."""

NAMES = ("large red metal cube", "small blue rubber sphere")


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module", params=["synthetic", "indoor"])
def each(request):
    """The items of each domain."""
    return load_cvt(request.param)


@pytest.fixture(scope="module")
def worked():
    """Tag 1 stands 1 to the right of Tag 0 and 0.15 behind it; asked about at 0, at 90 and at Top.

    At 0 the components are (1, 0.15): right, and 0.15 is within 0.07 of the margin 0.2, so adding behind is admissible.
    At 90 they are (y, -x) = (0.15, -1): front, and adding right is admissible. Top is the source view with north for
    behind.
    """
    camera = {
        "position": [0.0, -8.0, 6.0],
        "forward": [0.0, 0.8, -0.6],
        "right": [1.0, 0.0, 0.0],
        "up": [0.0, 0.6, 0.8],
        "focal_pixels": 350.0,
    }
    things = [
        {
            "tag": tag,
            "description": name,
            "category": name.split()[-1],
            "size": "large",
            "color": name.split()[1],
            "material": name.split()[2],
            "position": [*plane, 0.3],
            "rotation": 0.0,
            "half_extents": [0.3, 0.3, 0.3],
            "plane": list(plane),
            "box": [0, 0, 1, 1],
            "visible_fraction": 1.0,
            "partially_occluded": False,
        }
        for tag, (name, plane) in enumerate(zip(NAMES, ((0.0, 0.0), (1.0, 0.15)), strict=True))
    ]
    scene = {
        "scene": "synthetic-001",
        "number": 1,
        "density": "sparse",
        "width": 320,
        "height": 240,
        "camera": camera,
        "lateral_margin": 0.2,
        "depth_margin": 0.2,
        "lateral_band": 0.07,
        "depth_band": 0.07,
        "objects": things,
        "scene_graph": [],
    }
    asked = [("0", None, None), ("90", "right", 90), (TOP, None, None)]
    questions = pd.DataFrame(
        [
            {
                "item": f"synthetic-001-q0{number}",
                "scene": "synthetic-001",
                "number": number,
                "viewpoint": viewpoint,
                "orbit_direction": direction,
                "orbit_angle": angle,
                "target": 1,
                "anchor": 0,
                "kind": "primary",
                "text": question_text(viewpoint, direction, angle, 1, 0, NAMES),
            }
            for number, (viewpoint, direction, angle) in enumerate(asked, 1)
        ]
    )
    gold = np.array([RIGHT, FRONT, RIGHT], dtype=np.uint8)
    admissible = np.array([[RIGHT, RIGHT | BEHIND], [FRONT, FRONT | RIGHT], [RIGHT, RIGHT | BEHIND]], dtype=np.uint8)
    return CVTItems("synthetic", "0" * 64, [scene], questions, gold, admissible)


def test_description_by_hand(worked):
    runs = [
        run_of(worked, [RIGHT, FRONT | RIGHT, RIGHT], title="First"),
        run_of(worked, [0, LEFT, 0], [INVALID, ANSWERED, MISSING], title="Second"),
    ]
    assert describe(worked, "synthetic-001-q02", 90, runs).splitlines() == [
        "If the camera orbits 90 degrees to the right, what is the new spatial relationship of the small blue rubber "
        "sphere (Tag 1) with respect to the large red metal cube (Tag 0)? Choose from [left, right, front, behind]. "
        "Multiple relations possible.",
        "Gold: front.",
        "Also admissible: right, front.",
        "For the observer at 90°, the small blue rubber sphere (Tag 1) is in front of the large red metal cube "
        "(Tag 0). It lies 0.15 to the right and 1.00 in front, in world units; a label needs more than 0.2. "
        "One component is within 0.07 of that limit, so “right, front” would be admissible too.",
        "First: right, front. Correct by an admissible alternative.",
        "Second: left. Wrong.",
    ]
    assert describe(worked, 0, 0, runs).splitlines()[4:] == [
        "First: right. Correct.",
        "Second: no answer. Invalid: the reply could not be read.",
    ]
    gold, admissible, said, first, second = describe(worked, 2, TOP, runs).splitlines()[1:]
    assert (gold, admissible) == ("Gold: right.", "Also admissible: right, north.")
    assert said.startswith(
        "Seen from above, the small blue rubber sphere (Tag 1) is to the right of the large red metal cube (Tag 0). "
    )
    assert "1.00 to the right and 0.15 to the north" in said
    assert second == "Second: no answer. Missing: there is no reply."


def test_reading_between_the_viewpoints(worked):
    # At 30 degrees: X = cos 30 + 0.15 sin 30 = 0.866 + 0.075, Y = 0.15 cos 30 - sin 30 = 0.130 - 0.5.
    said = reading(worked.scenes[0], 1, 0, 30)
    assert "is to the right of and in front of" in said and "0.94 to the right and 0.37 in front" in said


def test_geometry_at_its_viewpoint_is_gold(each):
    questions, horizontal = each.questions, ABOVE - 1
    all_margins, all_bands = each.margins, each.bands
    for row in range(0, len(questions), 7):
        question = questions.iloc[row]
        scene = each.scene(question.scene)
        planes = {thing["tag"]: np.array(thing["plane"]) for thing in scene["objects"]}
        margins, bands = all_margins[row], all_bands[row]
        components = observed(planes[question.target] - planes[question.anchor], yaw_of(question.viewpoint))
        gold = int(each.gold[row])
        assert int(asserted(components, margins)) == gold & horizontal
        # What the page says are the words of gold, and it says for every one of them how it is meant.
        said = reading(scene, question.target, question.anchor, question.viewpoint).split(".")[0]
        assert (
            f" is {' and '.join(RELATION_PHRASES[word] for word in question.gold if word not in VERTICAL_WORDS)} the "
            in said
        )
        admissible = {mask & horizontal for mask in each.admissible[row].tolist()} - {gold & horizontal}
        assert set(alternatives(components, margins, bands)) == admissible
        if question.kind == "vertical":
            found = compare_heights(scene, question.target, question.anchor)
            assert not found.flaws and gold & ~horizontal == (ABOVE if found.rise > 0 else BELOW)
        else:
            assert not gold & ~horizontal


def test_questions_can_be_built_again_from_what_the_page_gets(each):
    content = content_of(each, [run_of(each, each.gold)])
    columns, digits = content["questions"], content["digits"]
    firsts = [*columns["first"], columns["count"]]
    for place, scene in enumerate(content["scenes"]):
        names = {thing["tag"]: thing["name"] for thing in scene["objects"]}
        for row in range(firsts[place], firsts[place + 1]):
            question = each.questions.iloc[row]
            viewpoint, wording, target, anchor, gold = (
                digits.index(columns[name][row]) for name in ("viewpoint", "wording", "target", "anchor", "gold")
            )
            assert question.number == row - firsts[place] + 1
            assert question.text == question_text(
                content["viewpoints"][viewpoint],
                *columns["wordings"][wording],
                target,
                anchor,
                names,
                vertical=columns["vertical"][row] == "1",
            )
            words = content["words"]["top" if question.viewpoint == TOP else "ground"]
            assert [word for bit, word in enumerate(words) if gold & (1 << bit)] == list(question.gold)


def test_runs_are_named_for_addresses_and_say_what_they_are(items):
    one, two = (run_of(items, items.gold, title=title) for title in ("One", "Two"))
    runs = [replace(one, run="one"), replace(two, run="two"), replace(one, set="else", kind="measured")]
    shown = content_of(items, runs)["runs"]
    assert [run["id"] for run in shown] == ["somebody/one", "somebody/two", "else"]
    assert [run["about"] for run in shown][1:] == ["reference: What Two does.", "measured: What One does."]


def test_contradiction_by_hand(worked):
    # Tag 1 is right of Tag 0 at the source view, so x1 - x0 >= 1; at Top it is said to be left, so x0 - x1 >= 1.
    run = run_of(worked, [RIGHT, 0, LEFT], [ANSWERED, INVALID, ANSWERED])
    assert describe_conflict(worked, run, "synthetic-001") == [
        "No: these 2 answers cannot all be true, though either one of them can.",
        "Question 1, at 0°, is answered “right”: Tag 1 is to the right of Tag 0. So Tag 1 is farther to the right on the "
        "map: x₁ − x₀ ≥ 1. Compared with gold: correct.",
        "Added up: x₁ − x₀ ≥ 1.",
        "Question 3, at Top, is answered “left”: Tag 1 is to the left of Tag 0. So Tag 1 is farther to the left on the "
        "map: x₀ − x₁ ≥ 1. Compared with gold: wrong.",
        "Added up: 0 ≥ 2. That is false, so at least one of the 2 answers is wrong.",
    ]


def test_contradiction_that_counts_an_answer_twice(worked):
    # At 45 the observer's right is (1, 1) and its front (1, -1): together 2 x1 - 2 x0 >= 2, against twice left.
    questions = worked.questions.assign(viewpoint=["45", "0", TOP])
    run = run_of(worked, [RIGHT | FRONT, LEFT, 0], [ANSWERED, ANSWERED, MISSING])
    lines = describe_conflict(replace(worked, questions=questions), run, "synthetic-001")
    assert lines[1] == (
        "Question 1, at 45°, is answered “right, front”: Tag 1 is to the right of and in front of Tag 0. "
        "So Tag 1 is farther to the right and back on the map: (x₁ + y₁) − (x₀ + y₀) ≥ 1. "
        "So Tag 1 is farther to the right and front on the map: (x₁ − y₁) − (x₀ − y₀) ≥ 1. Compared with gold: wrong."
    )
    assert lines[2] == "Added up: 2x₁ − 2x₀ ≥ 2."
    assert "map: x₀ − x₁ ≥ 1, counted 2 times." in lines[3]
    assert lines[4].startswith("Added up: 0 ≥ 4. ")


def test_answers_that_need_no_proof(worked):
    def said(*answers):
        answers = np.array(answers)
        return describe_conflict(worked, run_of(worked, answers, np.where(answers, ANSWERED, MISSING)), "synthetic-001")

    assert said(0, 0, 0) == ["There is no answer to check."]
    assert said(RIGHT, 0, RIGHT)[0].startswith("Yes: one layout satisfies all 2 answers.")
    verdict, *_, end = said(LEFT | RIGHT, 0, 0)
    assert verdict == "No: this answer contradicts itself."
    assert end == "Added up: 0 ≥ 2. That is false, so this answer is wrong."


def test_contradictions_are_irreducible_and_add_up_to_nothing(items):
    rng = np.random.default_rng(11)
    noisy = np.where(rng.random(len(items.gold)) < 0.1, rng.integers(1, 16, len(items.gold)), items.gold)
    run, found = run_of(items, noisy), 0
    for scene in items.scenes:
        labels = contradiction(items, run, scene["scene"])
        asked = items.questions["scene"] == scene["scene"]
        assert realizable(asserted_constraints(run.answers[asked], items.questions[asked])) == (not labels)
        total = np.zeros((32, 2), dtype=int)
        for row, label, times in labels:
            question = items.questions.iloc[row]
            assert run.answers[row] & label
            total[question.target] += times * np.array(direction(label, question.viewpoint))
            total[question.anchor] -= times * np.array(direction(label, question.viewpoint))
        assert not total.any()
        rows = list(dict.fromkeys(row for row, _, _ in labels))
        for left_out in rows:
            rest = [row for row in rows if row != left_out]
            assert realizable(asserted_constraints(run.answers[rest], items.questions.iloc[rest]))
        found += bool(labels)
    assert found > 50


# ------------------------------------------------------------------------------------------------------------- rooms


@pytest.fixture(scope="module")
def room():
    return made_room()


def test_room_described_by_hand(room):
    run = run_of(room, [RIGHT | ABOVE] * 16)
    # At 90 degrees (.2, 0) is (0, -.2): beyond neither margin, and 0 is nowhere near its limit.
    assert describe(room, "indoor-001-q02", 90, [run]).splitlines() == [
        "If the camera orbits 90 degrees to the right, what is the new spatial relationship of the brass lamp (Tag 1) with "
        "respect to the wooden table (Tag 0)? Choose from [left, right, front, behind, above, below]. Multiple relations "
        "possible.",
        "Gold: front, above.",
        "Also admissible: nothing else.",
        "For the observer at 90°, the brass lamp (Tag 1) is in front of the wooden table (Tag 0). It lies 0.00 to the right "
        "and 0.20 in front, in world units; a label needs more than 0.25 to a side and 0.46 in depth. Neither is enough, and "
        "a label is never empty: the one nearer to its limit in proportion is asserted.",
        # The lamp stands on the table. Its middle is .97, the table's .36, and the scene is 1.8 high: .61 / 1.8 = .339.
        "For every observer, the brass lamp (Tag 1) is above the wooden table (Tag 0). It reaches in height from 0.72 to "
        "1.22, the other from 0.00 to 0.72; they have 0.00 in common, 0 % of the smaller interval, where at most 20 % are "
        "allowed. Its centre is 0.61 higher, 34 % of the scene's height (at least 20 %), and 37.5 pixels higher in the "
        "picture (at least 12). Wherever the observer goes, that stays; left, right, front and behind are what changes with "
        "the viewpoint.",
        "Somebody: right, above. Wrong.",
    ]


def test_margins_turn_with_the_observer(room):
    # From the chair to the lamp it is (1.5, .5). At 0 the .5 is a depth, just beyond .462; at 90 it is to a side, well beyond
    # .252, and 1.5 is in front.
    scene = room.scenes[0]
    at_0, at_90, top = (reading(scene, LAMP, CHAIR, angle) for angle in (0, 90, TOP))
    assert (
        "needs more than 0.25 to a side and 0.46 in depth. One component is within 0.05 to a side and 0.09 in depth"
        in at_0
    )
    assert at_0.endswith("of that limit, so “right” would be admissible too.")
    assert "0.50 to the right and 1.50 in front" in at_90 and at_90.endswith("0.46 in depth.")
    assert top.endswith(
        "within 0.05 to a side and 0.09 to north or south of that limit, so “right” would be admissible too."
    )


def test_reading_in_rooms_at_its_viewpoint_is_gold(room):
    for _, question in room.questions.iterrows():
        said = reading(room.scene(question.scene), question.target, question.anchor, question.viewpoint)
        words = {"left": "to the left of", "right": "to the right of", "front": "in front of", "behind": "behind"}
        phrases = [words[word] for word in question.gold if word in words]
        assert f") is {' and '.join(phrases)} the " in said


def test_why_a_pair_is_not_clearly_above(room):
    scene = room.scenes[0]
    # The lamp's .72 to 1.22 and the chair's 0 to .9 share .18 of .5: 36 %.
    assert compare_heights(scene, LAMP, CHAIR).flaws == ("overlap",)
    assert "not clearly above or below the green armchair" in heights_reading(scene, LAMP, CHAIR)
    # Table and chair stand on the floor, and their middles differ by .09 of 1.8; the chair is nearer, so lower in the picture.
    assert heights_reading(scene, TABLE, CHAIR).endswith(
        "because they have too much height in common, their centres are too close in height, their centres are too close in the "
        "picture and layout and picture order them differently."
    )
    # The gate is about a pair, not about an order.
    for one, other in ((LAMP, TABLE), (LAMP, CHAIR), (TABLE, CHAIR), (SHELF, CHAIR)):
        there, back = compare_heights(scene, one, other), compare_heights(scene, other, one)
        assert there.flaws == back.flaws
        assert (there.rise, there.pixels) == (-back.rise, -back.pixels)


def test_picture_and_layout_may_disagree(room):
    lamp, table = (dict(room.scenes[0]["objects"][tag]) for tag in (LAMP, TABLE))
    table["box"] = [lamp["box"][0], lamp["box"][1] - 40, *lamp["box"][2:]]
    assert compare_heights({"objects": [table, lamp]}, LAMP, TABLE).flaws == ("order",)


def test_contradiction_in_heights_by_hand(room):
    # The lamp is above the table, so the table cannot be above the lamp, whoever looks. In the plan the answers are gold.
    answers = room.gold.copy()
    answers[3] = LEFT | ABOVE
    run = run_of(room, answers)
    assert contradiction(room, run, "indoor-001", "plan") == []
    assert describe_conflict(room, run, "indoor-001") == [
        "No: these 2 answers cannot all be true, though either one of them can. This is about heights alone, which are the "
        "same for every observer; the plan plays no part in it.",
        "Question 1, at 0°, is answered “right, above”: Tag 1 is above Tag 0. So Tag 1 is farther up: z₁ − z₀ ≥ 1. "
        "Compared with gold: correct.",
        "Added up: z₁ − z₀ ≥ 1.",
        "Question 4, at 0°, is answered “left, above”: Tag 0 is above Tag 1. So Tag 0 is farther up: z₀ − z₁ ≥ 1. "
        "Compared with gold: wrong.",
        "Added up: 0 ≥ 2. That is false, so at least one of the 2 answers is wrong.",
    ]
    assert describe_conflict(room, run, "indoor-002")[0] == (
        "Yes: one layout, heights included, satisfies all 8 answers. They fit together; that does not make them right."
    )


def test_a_ring_of_heights_needs_all_its_answers(room):
    # Lamp above table at 0, chair above lamp at 90, table above chair at Top: each from its own side, and none possible with
    # the two others. In the plan nothing is said.
    questions = room.questions.assign(
        target=room.questions.target.where(room.questions.number != 2, CHAIR).where(room.questions.number != 3, TABLE),
        anchor=room.questions.anchor.where(room.questions.number != 2, LAMP).where(room.questions.number != 3, CHAIR),
    )
    ring = replace(room, questions=questions)
    answers = np.array([ABOVE, ABOVE, ABOVE] + [0] * 13, dtype=np.uint8)
    lines = describe_conflict(ring, run_of(ring, answers, np.where(answers, ANSWERED, MISSING)), "indoor-001")
    assert lines[0].startswith(
        "No: these 3 answers cannot all be true, though any 2 of them can. This is about heights alone"
    )
    assert [line.split(",")[1] for line in lines[1::2]] == [" at 0°", " at 90°", " at Top"]
    assert lines[2::2] == [
        "Added up: z₁ − z₀ ≥ 1.",
        "Added up: z₂ − z₀ ≥ 2.",
        "Added up: 0 ≥ 3. That is false, so at least one of the 3 answers is wrong.",
    ]


def test_plan_and_heights_are_independent(room):
    # The shelf is said to be in front at 270, that is to the left on the map, though right at 0; and the table above the lamp.
    answers = room.gold.copy()
    answers[3], answers[6] = LEFT | ABOVE, FRONT
    lines = describe_conflict(room, run_of(room, answers), "indoor-001")
    assert [line for line in lines if line.startswith("No")] == [
        "No: these 2 answers cannot all be true, though either one of them can. This is about the plan alone; heights play no "
        "part in it.",
        "No: these 2 answers cannot all be true, though either one of them can. This is about heights alone, which are the "
        "same for every observer; the plan plays no part in it.",
    ]
    # Each part is what it would be without the other's labels.
    both = run_of(room, answers)
    for part, labels in PARTS.items():
        alone = run_of(room, answers & labels)
        assert contradiction(room, both, "indoor-001", part) == contradiction(room, alone, "indoor-001", part)


def test_questions_about_heights_can_be_built_again_from_what_the_page_gets(room):
    content = content_of(room, [run_of(room, room.gold)])
    assert content["heights"] and not content["runs"][0]["conflicts"][0]
    columns, digits = content["questions"], content["digits"]
    assert columns["vertical"] == "1111000011110000"
    assert [digits.index(digit) for digit in columns["gold"]] == room.gold.tolist()
    for scene, shown in zip(room.scenes, content["scenes"], strict=True):
        assert shown["size"] == [scene["width"], scene["height"]]
        heights = {one["tag"]: one["height"] for one in shown["objects"]}
        assert heights == {thing["tag"]: [thing["position"][2], thing["half_extents"][2]] for thing in scene["objects"]}


def test_tabletops_carry_no_heights(items):
    content = content_of(items, [run_of(items, items.gold)])
    assert not content["heights"] and set(content["questions"]["vertical"]) == {"0"}
    assert "height" not in content["scenes"][0]["objects"][0]


def test_state_stays_small(each):
    # Answers at random contradict each other in every scene.
    rng = np.random.default_rng(7)
    most = np.where(each.questions.kind == "vertical", 2 * BELOW, ABOVE)
    runs = [run_of(each, rng.integers(1, most), title=f"Responder {place}") for place in range(7)]
    state = json.dumps(SceneInspector(each, runs).content)
    assert len(state) <= 1000 * STATE_KILOBYTES


def test_reconstructed_runs_are_refused(items):
    witness = run_of(items, items.gold, kind="reconstructed", title="A printed row")
    with pytest.raises(InputError, match="reference.*found 'A printed row' of kind reconstructed"):
        SceneInspector(items, [run_of(items, items.gold), witness])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runs": 0}, "at least one run"),
        ({"scene": "synthetic-999"}, "synthetic-999"),
        ({"scene": "synthetic-001", "question": 99}, "found 99"),
    ],
)
def test_what_does_not_exist_is_refused(items, change, message):
    runs = [run_of(items, items.gold)][: change.pop("runs", 1)]
    with pytest.raises(InputError, match=message):
        SceneInspector(items, runs, **change)


def test_answers_to_other_items_are_refused(items, worked):
    with pytest.raises(InputError, match="found 3"):
        SceneInspector(items, [run_of(worked, worked.gold)])
