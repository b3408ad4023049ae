"""What TripletInspector hands to the page, what it refuses, and its texts on a layout worked out by hand."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from vantage.errors import InputError
from vantage.inspectors.evidence import ROLES, TRIPLET_VERDICTS, Case
from vantage.inspectors.triplet import TripletInspector, content_of, describe, table, telling_groups
from vantage.inspectors.worlds import hidden, nearby_world
from vantage.layout_proofs import as_presented, prove
from vantage.layouts import (
    DIRECTIONS,
    INSUFFICIENT,
    Layout,
    Thing,
    View,
    bearing,
    direction,
    middle,
    observed,
    same_pictures,
)
from vantage.predictions import ANSWERED, INVALID, MISSING, NOT_ASKED
from vantage.schemas import LETTERS
from vantage.triplets import CONDITIONS, MEANINGS, Triplets, load_triplets

STATE_KILOBYTES = 40
"""The most that a page may carry for one group, in kilobytes of JSON."""


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def worked():
    """Two views that meet in a car, a deletion that leaves the second, and an addition that shows everything.

    v1 looks along +x from the origin, 3.5 m far: it shows the bear at (2, 0) and the car at (3, 1), not the lamp at (4, -1), which
    is 4.1 m away. v2 looks along -x from (6, 0): it shows the car and the lamp, not the bear, which is 4 m away. From the lamp
    to the bear is (-2, 1), 153.4 degrees from v1's heading: back, 18.4 degrees from the border at 135. The mug at (4.4, -0.32)
    hides the jar at (2.8, -0.64) from v2: both lie on the line from (6, 0) along (-5, -1).
    """
    objects = [
        ("bear", "black bear", 2, 0, None),
        ("car", "red car", 3, 1, 90.0),
        ("lamp", "white lamp", 4, -1, None),
        ("mug", "blue mug", 4.4, -0.32, None),
        ("jar", "gray jar", 2.8, -0.64, None),
    ]
    scene = {
        "scene": "scene-01",
        "setting": "tabletop",
        "source": "captured",
        "objects": [
            {"object": name, "label": en.split()[1], "zh": f"“{en}”", "en": en, "fixture": False, "x": x, "y": y}
            | {"heading": heading, "radius": 0.05}
            for name, en, x, y, heading in objects
        ],
    }
    views = {
        name: {"view": name, "scene": "scene-01", "split": "test", "x": x, "y": y, "heading": heading}
        | {"field_of_view": field, "reach": reach}
        for name, x, y, heading, field, reach in [
            ("v1", 0, 0, 0.0, 90.0, 3.5),
            ("v2", 6, 0, 180.0, 90.0, 3.7),
            ("v3", 3, -4, 90.0, 60.0, 6.0),
        ]
    }
    meanings = ("left", "back", "front", INSUFFICIENT)
    rows = []
    for condition, gold, shown in zip(
        CONDITIONS["FQ2"], "BDB", (["v1", "v2"], ["v2"], ["v1", "v3", "v2"]), strict=True
    ):
        options = [
            {"letter": letter, "meaning": meaning, "zh": f"“{meaning}”", "en": meaning}
            for letter, meaning in zip(LETTERS, meanings, strict=True)
        ]
        rows.append(
            {
                "item": f"fq2-001-{condition}",
                "group": "fq2-001",
                "family": "FQ2",
                "condition": condition,
                "split": "test",
                "gold": gold,
                "options": options,
                "question_zh": "在哪里？",
                "question_en": "Where is it?",
                "views": shown,
                "target": "bear",
                "relatum": "lamp",
                "third": "car",
                "frame": {"kind": "camera", "anchor": "v1", "backward": False, "ordinal": 1},
                "ontology": "axial",
                "setting": "tabletop",
                "base_size": 2,
                "scene_cluster": "scene-01",
                "arm": None,
            }
        )
    questions = pd.DataFrame(rows)
    return Triplets(
        version="0" * 64,
        questions=questions,
        gold=np.array([LETTERS.index(letter) for letter in questions["gold"]], dtype=np.int8),
        meanings=np.array([[MEANINGS.index(meaning) for meaning in meanings]] * 3, dtype=np.int8),
        scenes={"scene-01": scene},
        views=views,
    )


def test_worked_group_is_what_it_is_said_to_be(worked):
    assert all(prove(worked, "fq2-001").values())


def test_description_of_a_deletion_by_hand(worked, triplet_run):
    runs = [
        triplet_run(worked, [1, 1, 1], title="First"),
        triplet_run(worked, [1, -1, 1], [ANSWERED, INVALID, ANSWERED], title="Second"),
        triplet_run(worked, [1, 3, 1], title="Third", rotation=1),
    ]
    assert describe(worked, "fq2-001", "deletion", "v2", runs).splitlines() == [
        "在哪里？",
        "Where is it?",
        "A: left “left”",
        "B: back “back”",
        "C: front “front”",
        "D: insufficient “insufficient” (gold)",
        "Front is the way the camera of view v1 (image 1 of the MSS) faces.",
        "In the layout and in this frame, the direction from the white lamp to the black bear is “back”, 18° from the "
        "nearest border between two directions.",
        "Shown: view v2 as image 1.",
        "View v1, image 1 of the MSS, is taken away.",
        "A single image is one part.",
        "Support: insufficient. No image shows the black bear (target). View v1, whose camera fixes front, is not among "
        "the images.",
        "“The first image” in the question is view v1, as numbered in the MSS. Here the first image is view v2; read so, "
        "the images support no answer.",
        "Gold: D, insufficient.",
        # Facing -x, left is -y: the lamp is 2 ahead and 1 to the left, the car 3 ahead and 1 to the right, facing +y, right.
        "Image 1, view v2, shows 3 objects in a field of 90°, up to 3.70 m away, from left to right:",
        "white lamp (relatum): 2.00 m ahead and 1.00 m to the left, 2.24 m away; it has no front.",
        "blue mug: 1.60 m ahead and 0.32 m to the left, 1.63 m away; it has no front.",
        "red car (third object): 3.00 m ahead and 1.00 m to the right, 3.16 m away; it faces to the right.",
        "Hidden: gray jar, behind the blue mug.",
        "First: B, back. Wrong.",
        "Second: no answer. Invalid: the reply could not be read.",
        "Third: D, insufficient (given as C, rotation 1). Correct.",
    ]


def test_description_of_mss_and_addition_by_hand(worked):
    mss, addition = (describe(worked, "fq2-001", condition).splitlines() for condition in ("mss", "addition"))
    assert mss[8:] == [
        "Shown: view v1 as image 1 and view v2 as image 2.",
        "All images hang together: they share objects, and form one part.",
        "Support: “back”. One part shows target and relatum, and fixes front.",
        "“The first image” in the question is view v1.",
        "Gold: B, back.",
        "black bear (target): in image 1.",
        "white lamp (relatum): in image 2.",
        "red car (third object): in images 1 and 2.",
    ]
    assert addition[8:10] == [
        "Shown: view v1 as image 1, view v3 as image 2 and view v2 as image 3.",
        "View v3 is added as image 2.",
    ]
    assert addition[-5:] == [
        "“The first image” in the question is view v1, as numbered in the MSS. It is the first image here too.",
        "Gold: B, back.",
        "black bear (target): in images 1 and 2.",
        "white lamp (relatum): in images 2 and 3.",
        "red car (third object): in images 1, 2 and 3.",
    ]


def test_cards_say_where_the_image_number_leads(worked, triplets):
    conditions = content_of(worked, ["fq2-001"])["groups"][0]["conditions"]
    assert [one["short"]["number"] for one in conditions] == [
        "first image: v1",
        "first image: v2, read so: insufficient",
        "first image: v1",
    ]
    assert [one["short"]["images"] for one in conditions] == ["2 images, one part", "one image", "3 images, one part"]
    fq1 = content_of(triplets, telling_groups(triplets)[:1])["groups"][0]["conditions"]
    assert [one["short"]["number"] for one in fq1] == [None] * 3


def test_answers_that_are_none(worked, triplet_run):
    run = triplet_run(worked, [-1] * 3, [INVALID, MISSING, NOT_ASKED])
    said = [describe(worked, "fq2-001", condition, runs=[run]).splitlines()[-1] for condition in CONDITIONS["FQ2"]]
    assert said == [f"Somebody: no answer. {TRIPLET_VERDICTS[name]}." for name in ("invalid", "missing", "not asked")]


def test_what_is_hidden_by_several():
    things = {name: Thing(x, 0, None, 0.1) for name, x in (("near", 1), ("next", 2), ("far", 3))}
    assert hidden(Layout(things, {"v": View(0, 0, 0, 60, 5)}), "v") == {"next": ["near"], "far": ["near", "next"]}


def test_texts_agree_with_the_theorems(triplets):
    """Support, parts and image numbers are said as the layouts have them, in every test item."""
    for group in triplets.groups.query("split == 'test'").index:
        for row in map(int, triplets.of_group(group)):
            case = Case(triplets, row)
            lines = case.lines()
            (support,) = (line for line in lines if line.startswith("Support: "))
            gold = MEANINGS[triplets.meanings[row, triplets.gold[row]]]
            assert support.startswith("Support: insufficient." if gold == INSUFFICIENT else f"Support: “{gold}”.")
            assert any(line.startswith("The images fall apart") for line in lines) == (len(case.parts) > 1)
            (number,) = (
                line for line in lines if "the question is view" in line or line.startswith("The question names")
            )
            read = as_presented(triplets, row)
            if read == "out of range":
                assert "Here there is no " in number
            elif "read so" in number:
                assert number.endswith("support no answer." if read == INSUFFICIENT else f"support “{read}”.")
            else:
                assert read in (None, case.supported)
            for view in case.views:
                shown, *sights = case.view_lines(view)
                assert f"shows {len(triplets.observation(view))} objects" in shown
                assert sum(not line.startswith("Hidden: ") for line in sights) == len(triplets.observation(view))


def test_other_worlds_look_the_same_and_answer_otherwise(triplets):
    for group in triplets.groups.query("family == 'FQ2'").index:
        case = Case(triplets, int(triplets.of_group(group)[1]))
        other, front, said = nearby_world(case.layout, case.views, case.question)
        assert same_pictures(triplets.observed(case.views), observed(other, case.views)), group
        target, relatum = (
            (other.things[n].x, other.things[n].y) for n in (case.question.target, case.question.relatum)
        )
        assert direction(bearing(target, relatum, front), case.question.ontology) == said
        assert said != MEANINGS[triplets.meanings[case.row - 1, triplets.gold[case.row - 1]]], group
        # Small enough to be drawn beside the layout.
        assert np.ptp(_spots(other, other.things, case.views)) < 3 * np.ptp(
            _spots(case.layout, case.layout.things, case.base)
        )


def _spots(layout, things, views):
    return [(what.x, what.y) for what in (*(layout.things[n] for n in things), *(layout.views[v] for v in views))]


def test_no_other_world_where_the_answer_is_supported(worked):
    case = Case(worked, 0)
    with pytest.raises(InputError, match="leave the answer open, found v1, v2"):
        nearby_world(case.layout, case.views, case.question)


def test_maps_are_the_layout_turned(triplets):
    for content in content_of(triplets, telling_groups(triplets))["groups"]:
        case = Case(triplets, int(triplets.of_group(content["group"])[0]))
        drawn = {name: complex(*thing["at"]) for name, thing in content["sheet"]["things"].items()}
        real = {name: complex(thing.x, thing.y) for name, thing in case.layout.things.items() if name in drawn}
        first = next(iter(real))
        turns = {name: (drawn[name] - drawn[first]) / (real[name] - real[first]) for name in real if name != first}
        turn = turns[case.question.target if case.question.target != first else case.question.relatum]
        assert abs(abs(turn) - 1) < 1e-2
        assert all(abs(one - turn) < 2e-2 for one in turns.values())
        for condition in content["conditions"]:
            sight = condition["sector"] - condition["front"] - middle(condition["direction"], case.question.ontology)
            assert (sight + 180) % 360 - 180 == pytest.approx(0, abs=0.2)
            target, relatum = (drawn[n] for n in (case.question.target, case.question.relatum))
            way = np.degrees(np.angle(target - relatum)) - condition["sector"]
            assert abs((way + 180) % 360 - 180) < 45, "the target lies in the sector of its direction"
            assert [one["word"] for one in condition["compass"]] == list(DIRECTIONS[case.question.ontology])


def test_roles_are_named_and_no_more(triplets):
    for group in telling_groups(triplets):
        for row in map(int, triplets.of_group(group)):
            case = Case(triplets, row)
            held = [role for name in case.names for role in case.roles(name)]
            expected = set(ROLES) - ({"anchor"} if case.question.frame.kind == "camera" else set())
            assert sorted(held) == sorted(expected)


def test_telling_groups_differ_and_show_both_families(triplets):
    groups = telling_groups(triplets)
    known = triplets.groups.loc[groups]
    assert len(set(groups)) == len(groups) == 5
    assert (
        (known["split"] == "test").all()
        and list(known["family"]) == sorted(known["family"])
        and known["family"].nunique() == 2
    )
    read = {as_presented(triplets, int(triplets.of_group(group)[1])) for group in known.query("family == 'FQ2'").index}
    assert "out of range" in read and read & {*DIRECTIONS["axial"], *DIRECTIONS["quadrant"]}


def test_payload_is_small_and_plain(triplets, triplet_run):
    groups = telling_groups(triplets)
    content = TripletInspector(triplets, groups, [triplet_run(triplets, triplets.gold)]).content
    assert len(json.dumps(content, allow_nan=False)) <= 1000 * STATE_KILOBYTES * len(groups)
    for group in content["groups"]:
        assert [proof["holds"] for proof in group["proofs"]] == list(prove(triplets, group["group"]).values())
        assert (group["worlds"] is None) == (group["family"] == "FQ1")


def test_hostile_text_stays_text(worked, triplet_run):
    hostile = "<img src=x onerror=alert(1)>"
    run = replace(triplet_run(worked, worked.gold, title=hostile), about=hostile)
    assert content_of(worked, ["fq2-001"], [run])["runs"] == [{"title": hostile, "about": f"reference: {hostile}"}]
    assert "<img" not in table(worked, "fq2-001", [run]).data
    assert "&lt;img" in table(worked, "fq2-001", [run]).data


def test_table_says_the_same(worked, triplet_run):
    shown = table(worked, "fq2-001", [triplet_run(worked, [1, 1, -1], [ANSWERED, ANSWERED, INVALID])]).data
    rows = [
        [cell.get_text(strip=True) for cell in row.find_all(["td", "th"])]
        for row in BeautifulSoup(shown, "html.parser").select("tr")
    ]
    assert rows == [
        ["Condition", "Images", "Front", "Support", "By image number as shown", "Gold", "Answers"],
        ["MSS", "v1, v2", "camera of image 1", "back", "back", "B, back", "Somebody: B, back. Correct."],
        [
            "Deletion",
            "v2",
            "camera of view v1",
            "insufficient",
            "insufficient",
            "D, insufficient",
            "Somebody: B, back. Wrong.",
        ],
        ["Addition", "v1, v3, v2", "camera of image 1", "back", "back", "B, back"]
        + ["Somebody: no answer. Invalid: the reply could not be read."],
    ]


def test_reconstructed_runs_are_refused(worked, triplet_run):
    witness = triplet_run(worked, worked.gold, kind="reconstructed", title="A printed row")
    for show in (TripletInspector, lambda items, groups, runs: table(items, groups[0], runs)):
        with pytest.raises(InputError, match="reference.*found 'A printed row' of kind reconstructed"):
            show(worked, ["fq2-001"], [triplet_run(worked, worked.gold), witness])


def test_what_does_not_exist_is_refused(worked, triplets, triplet_run):
    with pytest.raises(InputError, match="at least one group"):
        TripletInspector(worked, [])
    with pytest.raises(InputError, match="found 'fq2-999'"):
        TripletInspector(worked, ["fq2-999"])
    with pytest.raises(InputError, match="expected 3 answers in run 'Somebody'"):
        TripletInspector(worked, ["fq2-001"], [triplet_run(triplets, triplets.gold)])
    with pytest.raises(InputError, match="among mss, deletion, addition, found 'camera'"):
        describe(worked, "fq2-001", "camera")
    with pytest.raises(InputError, match="fq2-001-deletion among v2, found 'v1'"):
        describe(worked, "fq2-001", "deletion", "v1")
