"""CVT-Indoor: each gate of the protocol by a hand-made scene, the questions, the rooms, and the printed composition."""

import itertools
import json
import math
import random
import shutil

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vantage import files, schemas, templates
from vantage.composition import position_by_viewpoint, quarter_turn_lead, query_graphs, variance_explained
from vantage.errors import InputError
from vantage.items import (
    content_hash,
    displacements,
    load_cvt,
    matched_cycle_pairs,
    rises,
    tracked_rows,
    true_relations,
)
from vantage.published import agrees, load_published
from vantage.realizability import realizable_scenes
from vantage.relations import (
    ABOVE,
    BEHIND,
    BELOW,
    FRONT,
    LEFT,
    RIGHT,
    VIEWPOINTS,
    alternatives,
    asserted,
    encode,
    observed,
    opposite,
    yaw_of,
)
from vantage.transport import CARDINAL_VIEWS, recoverable
from vantage_workshop.responders.cvt.mechanism import LEGAL, LEGAL_VERTICAL, slipped, truth
from vantage_workshop.stimuli.cvt.indoor import composition, protocol, rooms
from vantage_workshop.stimuli.cvt.questions import Slot
from vantage_workshop.stimuli.cvt.visibility import Camera, Solid

FOLDER = files.root() / "data" / "cvt" / "indoor"

# Level, at the origin, looking along y: canonical coordinates are world coordinates.
LEVEL = Camera((0, 0, 0), forward=(0, 1, 0), right=(1, 0, 0), up=(0, 0, 1), focal_pixels=300.0, width=384, height=216)


def thing(x, y, z=0.5, half=0.5, across=None, down=100, pixels=1000, fraction=1.0, name="thing"):
    """A thing at (x, y), its centre at height z, whose box is 20 x 20 pixels around (`across`, `down`)."""
    across = 192 + 50 * x if across is None else across
    box = (round(across) - 10, down - 10, 20, 20)
    return protocol.Thing(name, name, (x, y, z), (0.2, 0.2, half), 0.0, box, pixels, fraction)


def scene(*things):
    return protocol.Scene(LEVEL, things)


# ------------------------------------------------------------------------------------------- who is asked about


@pytest.mark.parametrize(
    ("fraction", "pixels", "eligible", "occluded"),
    [
        (1.0, 350, True, False),
        (1.0, 349, False, False),  # too small
        (0.05, 350, True, True),
        (0.0499, 350, False, False),  # too hidden to be partially occluded
        (0.70, 5000, True, True),
        (0.7001, 5000, True, False),
    ],
)
def test_visible_area_and_pixels(fraction, pixels, eligible, occluded):
    one = thing(0, 0, fraction=fraction, pixels=pixels)
    assert (one.eligible, one.partially_occluded) == (eligible, occluded)


def test_tags_leave_out_what_is_not_eligible():
    made = scene(thing(0, 2), thing(1, 2, pixels=100), thing(2, 3, fraction=0.5))
    assert [t.position[0] for t in made.tagged] == [0, 2]
    assert made.occluded == {1}
    row = made.row("s", 1)
    assert [(o["tag"], o["position"][0]) for o in row["objects"]] == [(0, 0), (1, 2), (None, 1)]


# ----------------------------------------------------------------------------------------------- the ambiguity gate

# Two far corners that make the extent 10, in the way of nothing: then coordinates are tenths of the extent.
CORNERS = (thing(-5, 0, across=20), thing(5, 10, across=360))


@pytest.mark.parametrize(
    ("x", "y", "pixels", "conservative", "fallback"),
    [
        (1.5, 0.0, 12, True, True),  # .15 of the extent and 12 pixels
        (1.5, 0.0, 11, False, True),  # separated on the ground, not in the picture
        (1.4, 0.0, 12, False, True),
        (1.0, 0.0, 8, False, True),
        (1.0, 0.0, 7, False, False),
        (0.9, 0.0, 50, False, False),
        (0.0, 2.0, 0, True, True),  # in depth alone, straight behind each other
        (0.0, 1.9, 0, False, True),
        (0.0, 1.5, 0, False, True),
        (0.0, 1.4, 0, False, False),
        (0.9, 1.4, 50, False, False),  # neither axis, though both nearly
    ],
)
def test_either_axis_admits_a_pair(x, y, pixels, conservative, fallback):
    made = scene(*CORNERS, thing(0, 5, across=100), thing(x, 5 + y, across=100 + pixels))
    assert made.extent == 10
    assert made.separated((2, 3), protocol.CONSERVATIVE) == conservative
    assert made.separated((2, 3), protocol.FALLBACK) == fallback


def test_the_fallback_stops_at_three_pairs():
    # Pairs 0-1, 0-2 and 0-3 pass the conservative gate; 1-2 only the fallback: no longer needed.
    made = scene(thing(-5, 0), thing(5, 0, across=300), thing(5, 1.6, across=300), thing(5, 0.8, across=300))
    assert made.separated((1, 2), protocol.FALLBACK) and not made.separated((1, 2), protocol.CONSERVATIVE)
    assert made.admitted == [(0, 1), (0, 2), (0, 3)]
    # Without the fourth thing there are two, and the fallback brings the third.
    assert scene(*made.things[:3]).admitted == [(0, 1), (0, 2), (1, 2)]
    # And with the last, which is too near for both gates, two it is.
    assert scene(made.things[0], made.things[1], made.things[3]).admitted == [(0, 1), (0, 2)]


# -------------------------------------------------------------------------------------------------- clean vertical pairs

# The floor's thing reaches from 0 to 1; with it and the thing on top the scene is 2 high, so .2 of it is .4.
LOW = thing(-5, 5, z=0.5, half=0.5, down=150)


@pytest.mark.parametrize(
    ("z", "half", "down", "clean"),
    [
        (1.5, 0.5, 100, True),
        (1.5, 0.5, 138, True),  # 12 pixels higher in the picture
        (1.5, 0.5, 139, False),
        (1.5, 0.5, 200, False),  # higher in the world, lower in the picture
        (1.45, 0.25, 100, True),  # 1.2 to 1.7 above 0 to 1
        (1.16, 0.25, 100, True),  # .91 to 1.41: less than a fifth of .5 overlaps
        (1.1, 0.25, 100, False),  # .85 to 1.35: three tenths
        (0.5, 0.5, 100, False),  # the same height
    ],
)
def test_a_clean_vertical_pair(z, half, down, clean):
    made = scene(LOW, thing(5, 5, z=z, half=half, down=down), thing(0, 8, z=1.0, half=1.0, down=100))
    assert made.clearly_higher((0, 1)) == clean
    assert made.clearly_higher((1, 0)) == clean
    assert ((0, 1) in made.vertical) == clean


def test_centres_must_be_apart_by_a_fifth_of_the_scenes_height():
    # A slab of .2 on one of .2: centres .2 apart, of a scene that is 1 high and one that is 1.1 high.
    for height, clean in ((1.0, True), (1.1, False)):
        tall = thing(0, 8, z=height / 2, half=height / 2)
        made = scene(thing(-5, 5, z=0.125, half=0.0625, down=150), thing(5, 5, z=0.325, half=0.0625, down=100), tall)
        assert made.clearly_higher((0, 1)) == clean


def test_a_vertical_pair_has_to_pass_the_gate_too():
    made = scene(LOW, thing(-5, 5.1, z=1.5, down=100), thing(5, 5, z=0.5, down=150))
    assert made.clearly_higher((0, 1)) and (0, 1) not in made.vertical


# ------------------------------------------------------------------------------------------------------- questions


@st.composite
def offered(draw):
    """Tags, admitted and vertical pairs, occluded tags, and the slots drawn for them."""
    tags = draw(st.integers(3, 10))
    pairs = list(itertools.combinations(range(tags), 2))
    admitted = sorted(draw(st.sets(st.sampled_from(pairs), min_size=2)))
    vertical = sorted(draw(st.sets(st.sampled_from(admitted))))
    occluded = draw(st.sets(st.integers(0, tags - 1)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return admitted, vertical, occluded, protocol.draw_slots(rng, admitted, vertical, occluded)


@settings(deadline=None)
@given(offered())
def test_question_protocol(offered):
    admitted, vertical, occluded, slots = offered
    trackers = min(3, len(vertical))
    by_view = {view: [slot for slot in slots if slot.viewpoint == view] for view in VIEWPOINTS}
    asked = {view: {(slot.kind == "vertical", slot.pair) for slot in found} for view, found in by_view.items()}
    horizontal = 2 * len(admitted)

    # Slots a view: three horizontal fixed pairs, the vertical ones, and horizontal fillers up to five.
    a_view = 3 + trackers + min(max(2 - trackers, 0), horizontal - 3)
    for view, found in by_view.items():
        assert len(asked[view]) == len(found), "nothing is asked twice"
        assert view == "0" or len(found) == a_view
        for slot in found:
            assert tuple(sorted(slot.pair)) in (vertical if slot.kind == "vertical" else admitted)
            assert slot.kind != "supplement" or view == "0"

    # At the source view: up to five vertical questions, then horizontal ones, up to fifteen.
    source = by_view["0"]
    verticals = [slot for slot in source if slot.kind == "vertical"]
    assert len(verticals) == min(5, 2 * len(vertical))
    assert len(source) == min(15, horizontal + len(verticals))
    assert len(slots) <= 69

    # Fixed pairs are the same at all views; vertical ones are never each other's inverse.
    tracked = {slot.tracked: (slot.kind, slot.pair) for slot in source if slot.tracked is not None}
    assert sorted(tracked) == [0, 1, 2, *range(3, 3 + trackers)]
    for found in by_view.values():
        assert {s.tracked: (s.kind, s.pair) for s in found if s.tracked is not None} == tracked
    assert all((kind == "vertical") == (place >= 3) for place, (kind, _) in tracked.items())
    assert len({frozenset(pair) for kind, pair in tracked.values() if kind == "vertical"}) == trackers
    involved = [pair for pair in protocol.both_ways(admitted) if not occluded.isdisjoint(pair)]
    first = [pair for place, (_, pair) in tracked.items() if place < 3]
    assert sum(not occluded.isdisjoint(pair) for pair in first) >= min(2, len(involved))

    # The full orbit repeats the source view's primary and fixed pairs.
    fixed_or_primary = {
        (slot.kind == "vertical", slot.pair) for slot in source if slot.kind == "primary" or slot.tracked is not None
    }
    assert asked["360"] == fixed_or_primary


def test_rows_by_hand():
    """A shelf 4 to the right, 1 behind and 1.5 above a box; margins .45 and .825 of an extent of 5."""
    made = scene(
        thing(0, 5, z=0.5, down=150, name="box"),
        thing(4, 6, z=2.0, half=0.25, down=50, name="shelf"),
        thing(-1, 8.0, z=0.5, down=120, name="chair"),
    )
    assert made.margin == (0.45, 0.825)
    slots = [
        Slot("0", (1, 0), "vertical", 3),
        Slot("0", (1, 0), "primary", 0),
        Slot("Top", (0, 1), "vertical"),
        Slot("90", (1, 0), "primary"),
    ]
    made_rows = protocol.rows(random.Random(0), "s", 1, made, slots)
    gold = [list(row["gold"]) for row in made_rows["questions"]]
    # R90 = (y, -x) = (1, -4): 1 is beyond the lateral margin.
    assert gold == [["right", "behind", "above"], ["right", "behind"], ["left", "south", "below"], ["right", "front"]]
    assert [row["kind"] for row in made_rows["questions"]] == ["vertical", "primary", "vertical", "primary"]
    assert made_rows["questions"][0]["text"] == (
        "In the original view, what is the spatial relationship of the shelf (Tag 1) with respect to the box (Tag 0)? "
        "Choose from [left, right, front, behind, above, below]. Multiple relations possible."
    )
    assert "Choose from [left, right, south, north, above, below]." in made_rows["questions"][2]["text"]
    # 1 is .175 from the depth margin, beyond its band of .165: nothing is threshold-sensitive.
    assert made_rows["ambiguity"] == []


def test_alternatives_keep_above_and_below():
    """.9 behind is .075 from the depth margin of .825: behind may be left out, above may not."""
    made = scene(
        thing(0, 5, z=0.5, down=150),
        thing(4, 5.9, z=2.0, half=0.25, down=50),
        thing(-1, 8.0, z=0.5, down=120),
    )
    made_rows = protocol.rows(random.Random(0), "s", 1, made, [Slot("0", (1, 0), "vertical", 3)])
    assert [(list(row["alternative"])) for row in made_rows["ambiguity"]] == [["right", "above"]]


def test_the_scene_graph_has_above_and_below_of_clean_pairs_only():
    made = scene(
        thing(0, 5, z=0.5, down=150),
        thing(4, 6, z=2.0, half=0.25, down=50),
        thing(-1, 8.0, z=0.6, down=120),
    )
    lines = {(line["tag"], line["direction"]): line["targets"] for line in made.row("s", 1)["scene_graph"]}
    assert lines[0, "above"] == [1]
    assert lines[1, "below"] == [0, 2]
    assert (0, "below") not in lines and (2, "below") not in lines


# ----------------------------------------------------------------------------------------------------------- rooms


@pytest.mark.parametrize("seed", range(6))
def test_a_room_keeps_the_rules(seed):
    made = rooms.sample_scene(random.Random(seed), 8, {"floor": 1, "wall": 0.7, "top": 1, "hung": 0.7, "ceiling": 0.3})
    assert (made.camera.width, made.camera.height) in ((384, 216), (216, 384))
    assert len({t.description for t in made.things}) == len(made.things)
    for one in made.things:
        x, y, w, h = one.box
        assert 0 < x and x + w < made.camera.width and 0 < y and y + h < made.camera.height
        low, high = one.heights
        assert -1e-9 <= low and high <= rooms.ROOM_HEIGHT[1]
        assert all(0 <= part <= rooms.ROOM_SIDE[1] for part in one.position[:2])
        assert all(part == round(part, 4) for part in one.position)
    for one, other in itertools.combinations(made.things, 2):
        boxes = [Solid("cube", t.position, t.half_extents, t.rotation) for t in (one, other)]
        assert not overlap(*boxes), (one, other)


def overlap(one, other):
    """Whether any point of a grid inside one box is inside the other."""
    for box, body in ((one, other), (other, one)):
        steps = np.linspace(-0.98, 0.98, 9)
        grid = np.array(list(itertools.product(steps, steps, steps))) * box.half_extents
        angle = math.radians(box.rotation)
        world = np.array(box.position) + np.column_stack(
            [
                math.cos(angle) * grid[:, 0] - math.sin(angle) * grid[:, 1],
                math.sin(angle) * grid[:, 0] + math.cos(angle) * grid[:, 1],
                grid[:, 2],
            ]
        )
        local = world - np.array(body.position)
        angle = math.radians(body.rotation)
        x = math.cos(angle) * local[:, 0] + math.sin(angle) * local[:, 1]
        y = math.cos(angle) * local[:, 1] - math.sin(angle) * local[:, 0]
        if (np.abs(np.column_stack([x, y, local[:, 2]])) < np.array(body.half_extents) - 1e-3).all(axis=1).any():
            return True
    return False


def test_overlap_is_seen():
    cube = Solid("cube", (0, 0, 0), (1, 1, 1))
    assert overlap(cube, Solid("cube", (1.9, 0, 0), (1, 1, 1)))
    assert not overlap(cube, Solid("cube", (2.2, 0, 0), (1, 1, 1)))
    assert rooms._collide(cube, Solid("cube", (2.2, 0, 0), (1, 1, 1), 45.0))
    assert not rooms._collide(cube, Solid("cube", (2.2, 0, 2), (1, 1, 1), 45.0))
    assert not rooms._collide(cube, Solid("cube", (2.2, 0, 0), (1, 1, 1)))


def test_the_same_seed_makes_the_same_room():
    shares = {"floor": 1, "top": 1}
    assert rooms.sample_scene(random.Random(5), 6, shares) == rooms.sample_scene(random.Random(5), 6, shares)


# ----------------------------------------------------------------------------------------------------- composition


@settings(deadline=None)
@given(st.lists(st.integers(0, 12), min_size=6, max_size=6), st.sampled_from([3, 3.5, 6, 8.5]))
def test_bounds_put_a_median(values, median):
    """They hold of the counts exactly where the median is met; a half one, between neighbouring numbers."""
    sides = composition._sides(median, len(values))
    held = all(low <= sum(map(counts, values)) <= high for counts, low, high in sides)
    middle = sorted(values)[2:4]
    neighbours = middle == [math.floor(median), math.ceil(median)]
    assert held == (neighbours if median % 1 else sum(middle) == 2 * median and middle[0] == middle[1])


def test_quotas_are_what_is_printed():
    numbers = {sort: sum(scenes) for sort, scenes in composition.SCENES_BY_SORT.items()}
    assert sum(numbers.values()) == 100
    assert sum(tags * scenes for (tags, _), scenes in numbers.items()) == 527
    assert sum(scenes for (tags, _), scenes in numbers.items() if tags <= 5) == 54
    by_vertical = [sum(scenes for (_, found), scenes in numbers.items() if found == wanted) for wanted in range(4)]
    assert by_vertical == [23, 10, 17, 50]


def test_figures_by_hand():
    made = scene(
        thing(0, 5, z=0.5, down=150, fraction=0.5), thing(4, 6, z=2.0, half=0.25, down=50), thing(-1, 8.0, down=120)
    )
    slots = [Slot(view, (1, 0), "vertical", 3) for view in VIEWPOINTS] + [Slot("0", (2, 0), "supplement")]
    figures = composition.figures(made, composition.masks_by_view(made), slots)
    # (4, 1): two labels at the cardinal views but for 90 and 270, where 1 is lateral too, and 4 is depth: two again.
    # Diagonals: (5, -3) / sqrt 2, two labels. So three with above at each of ten views. (-1, 3): left and behind.
    assert (figures.source, figures.three_labels, figures.one_label, figures.labels) == (2, 10, 0, 32)
    assert (figures.scenes_with_occlusion, figures.occluded_questions) == (1, 11)
    assert (figures.directed, figures.undirected, figures.repeated) == (2, 2, 1)
    assert (figures.cycle_rank, figures.acyclic, figures.connected, figures.closed) == (0, 1, True, 1)


@pytest.fixture(scope="module")
def items():
    return load_cvt("indoor")


def counted(items):
    """Every figure about CVT-Real's composition, counted from the rows of our items under the names it is printed by."""
    asked, graphs = items.questions, query_graphs(items)
    labels = np.bitwise_count(items.gold).astype(int)
    tagged = [[thing for thing in scene["objects"] if thing["tag"] is not None] for scene in items.scenes]
    objects = [len(things) for things in tagged]
    per_scene = asked.groupby("scene").size()
    views = asked[asked.viewpoint != "0"].groupby("viewpoint").size()
    tracked = asked[asked.tracked_pair.notna()].groupby(["scene", "tracked_pair"])
    vertical = asked[(asked.kind == "vertical") & asked.tracked_pair.notna() & (asked.viewpoint == "0")]
    trackers = vertical.groupby("scene").size().reindex(per_scene.index, fill_value=0)
    at_source = asked[(asked.viewpoint == "0") & (asked.kind == "vertical")].groupby("scene").size()
    sizes = {(scene["width"], scene["height"]) for scene in items.scenes}
    positions = position_by_viewpoint(items)
    closed = int(recoverable(items.gold[tracked_rows(asked)[:, CARDINAL_VIEWS]]).sum())
    assert sizes == {(384, 216), (216, 384)}
    assert views.nunique() == 1
    table = {
        "Scenes": len(items.scenes),
        "Scenes / sparse": sum(scene["density"] == "sparse" for scene in items.scenes),
        "Scenes / dense": sum(scene["density"] == "dense" for scene in items.scenes),
        "Objects per scene / minimum": min(objects),
        "Objects per scene / maximum": max(objects),
        "Objects per scene / average": np.mean(objects),
        "Questions": len(asked),
        "Questions per scene / minimum": per_scene.min(),
        "Questions per scene / maximum": per_scene.max(),
        "Questions per scene / average": per_scene.mean(),
        "Source-view questions": (asked.viewpoint == "0").sum(),
        "Counterfactual questions": views.sum(),
        "Counterfactual questions / per target condition": views.iloc[0],
        "Fixed tracking pairs": tracked.ngroups,
        "Fixed tracking pairs / horizontal": (asked.tracked_pair[asked.viewpoint == "0"] < 3).sum(),
        "Fixed tracking pairs / vertical-enriched": len(vertical),
        "Fixed question instances": asked.tracked_pair.notna().sum(),
        "Fixed question instances / appearances per pair": tracked.size().min(),
        "Scenes with partial occlusion": sum(any(t["partially_occluded"] for t in things) for things in tagged),
        "Scenes with partial occlusion / affected questions": asked.partially_occluded.sum(),
        "Multi-label questions": (labels > 1).sum(),
        "Labels total": labels.sum(),
        "Relation vocabulary": int(np.bitwise_or.reduce(items.gold)).bit_count(),
        "Input resolution / portrait width": 216,
        "Input resolution / portrait height": 384,
        "Input resolution / landscape width": 384,
        "Input resolution / landscape height": 216,
    }
    return {
        "Table S1": table,
        "Table S2": {
            "Ground-truth constraints": {
                "CVT-Real / Connected": 100 * (graphs.components == 1).mean(),
                "CVT-Real / Positive cycle rank": 100 * (graphs.cycle_rank > 0).mean(),
            }
        },
        "Supp. 1.3": {
            "Multi-axis vertical questions per scene, at most": at_source.max(),
            "Vertical pairs per scene that become trackers, at most": trackers.max(),
            "Vertical trackers": trackers.sum(),
            **{
                f"Scenes with {word} vertical tracker{'s' * (number > 1)}": (trackers == number).sum()
                for number, word in enumerate(("no", "one", "two", "three"))
            },
        },
        "Supp. 2.3": {
            f"Median {name} per constraint system": graphs[column].median()
            for name, column in {
                "objects": "objects",
                "inequalities": "inequalities",
                "directed pairs": "directed",
                "undirected pairs": "undirected",
                "repeated directed pairs": "repeated",
                "cycle rank": "cycle_rank",
            }.items()
        },
        "Supp. 3.5": {
            "Fixed pairs kept as algebraically recoverable": closed,
            "Share of fixed pairs kept as algebraically recoverable": 100 * closed / tracked.ngroups,
            "Fixed pairs": tracked.ngroups,
        },
        "Supp. 3.6": {
            "Questions by which quarter turns occur earlier than other views": quarter_turn_lead(positions),
            "Variance of prompt position explained by angle": 100 * variance_explained(positions),
        },
    }


PRINTED = load_published("cvt").query("column.str.startswith('CVT-Real') and kind == 'composition'")


@pytest.mark.parametrize("place", ["Table S1", "Table S2", "Supp. 1.3", "Supp. 2.3", "Supp. 3.5", "Supp. 3.6"])
def test_composition_equals_what_is_printed(items, place):
    values = counted(items)[place]
    printed = PRINTED[(PRINTED.place == place) & ~PRINTED.row.str.contains("image")]
    assert len(printed) == sum(len(value) if isinstance(value, dict) else 1 for value in values.values())
    for number in printed.itertuples():
        value = values[number.row]
        value = value[number.column] if isinstance(value, dict) else value
        assert agrees(value, number.value, number.decimals), number.row


def test_labels_of_questions(items):
    """12,478 labels and 4,782 questions with several leave 1,348 with one; with six words, at most three."""
    labels = np.bitwise_count(items.gold)
    assert [int((labels == number).sum()) for number in (1, 2, 3)] == [1348, 3216, 1566]
    vertical = items.questions.kind == "vertical"
    upright = (items.gold & np.uint8(ABOVE | BELOW)) > 0
    assert (upright == vertical).all(), "above or below exactly where they are offered"
    assert (items.gold & np.uint8(LEFT | RIGHT | FRONT | BEHIND)).all(), "and always a horizontal relation"


def test_gold_is_the_algebra_of_the_positions(items):
    assert (true_relations(items) == items.gold).all()
    assert (truth(items) == items.gold).all()


def test_one_margin_for_both_axes_would_close_every_fixed_pair(items):
    """Why there are two: a quarter turn exchanges what is held against them, and 68 printed pairs are not closed (Supp. 3.5)."""
    rows = tracked_rows(items.questions)[:, CARDINAL_VIEWS]
    seen = observed(displacements(items), items.questions.viewpoint.map(yaw_of).to_numpy())
    for place in (0, 1):
        assert recoverable(asserted(seen, items.margins[:, [place]])[rows]).all()


def test_the_symbolic_oracle_is_realizable_and_its_inverse_too(items):
    assert all(realizable_scenes(items.gold, items.questions).values())
    assert all(realizable_scenes(opposite(items.gold), items.questions).values())
    assert not any(realizable_scenes(items.gold, items.questions, opposite_map=True).values())


def test_the_sidecar_is_what_the_rule_admits(items):
    seen = zip(displacements(items), items.questions.viewpoint, items.margins, items.bands, strict=True)
    for row, (displacement, viewpoint, margin, band) in enumerate(seen):
        height = int(items.gold[row]) & (ABOVE | BELOW)
        others = alternatives(observed(displacement, yaw_of(viewpoint)), margin, band)
        assert set(items.admissible[row].tolist()) == {int(items.gold[row]), *(mask | height for mask in others)}


def test_360_repeats_0(items):
    source, returned = matched_cycle_pairs(items.questions).T
    assert len(source) == 544
    assert (items.gold[source] == items.gold[returned]).all()
    assert (items.questions.text.to_numpy()[source] != items.questions.text.to_numpy()[returned]).all()


def test_the_frozen_rows_follow_from_the_frozen_scenes(items):
    """Eligibility, pairs, gold, text and the scene graph, from the coordinates, boxes and descriptions in the files."""
    by_scene = dict(iter(items.questions.groupby("scene")))
    for row in items.scenes:
        things = [
            protocol.Thing(
                **{
                    name: one[name]
                    for name in ("description", "category", "position", "half_extents", "rotation", "box")
                },
                pixels=protocol.PIXELS_FROM if one["tag"] is not None else 0,
                visible_fraction=one["visible_fraction"],
            )
            for one in row["objects"]
        ]
        camera = Camera(**row["camera"], width=row["width"], height=row["height"])
        made = protocol.Scene(camera, tuple(things))
        assert [one["tag"] for one in row["objects"] if one["tag"] is not None] == list(range(len(made.tagged)))
        assert row["scene_graph"] == made.row("s", 1)["scene_graph"]
        assert (row["lateral_margin"], row["depth_margin"]) == made.margin
        for asked in by_scene[row["scene"]].itertuples():
            pairs = made.vertical if asked.kind == "vertical" else made.admitted
            assert tuple(sorted((asked.target, asked.anchor))) in pairs, (
                "admitted in the source view, whatever is asked"
            )
            assert asked.partially_occluded == (not made.occluded.isdisjoint((asked.target, asked.anchor)))
            direction, angle = asked.orbit_direction, asked.orbit_angle
            direction, angle = (None, None) if pd.isna(angle) else (direction, int(angle))
            descriptions = [one.description for one in made.tagged]
            assert asked.text == templates.question_text(
                asked.viewpoint, direction, angle, asked.target, asked.anchor, descriptions, asked.kind == "vertical"
            )


def test_rises_are_asked_of_vertical_questions_alone(items):
    vertical = (items.questions.kind == "vertical").to_numpy()
    assert (rises(items)[vertical] != 0).all() and (rises(items)[~vertical] == 0).all()


def test_slips_stay_legal(items):
    answers = slipped(items.gold, 1.0, np.random.default_rng(0))
    vertical = (items.questions.kind == "vertical").to_numpy()
    assert (answers != items.gold).all()
    assert set(answers[vertical]) <= set(LEGAL_VERTICAL) and set(answers[~vertical]) <= set(LEGAL)


# ------------------------------------------------------------------------------------------------------ broken input


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A compendium of its own with nothing but a copy of these items."""
    folder = tmp_path / "data" / "cvt" / "indoor"
    shutil.copytree(FOLDER, folder)
    monkeypatch.setattr(files, "root", lambda: tmp_path)
    return folder


def rewritten(folder, name, schema, change):
    """Write a table again after `change` of its rows, with a manifest that fits."""
    rows = schemas.read_table(folder / f"{name}.parquet", schema).to_pylist()
    change(rows)
    schemas.write_table(schemas.table_of(rows, schema), schema, folder / f"{name}.parquet")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][f"{name}.parquet"] = files.sha256(folder / f"{name}.parquet")
    tables = {
        "scenes": schemas.CVT_SCENES,
        "questions": schemas.CVT_QUESTIONS,
        "ambiguity": schemas.CVT_AMBIGUITY,
    }
    manifest["version"] = content_hash(
        {other: schemas.read_table(folder / f"{other}.parquet", kind) for other, kind in tables.items()}
    )
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_scenes_without_margins_are_refused(copied):
    table = schemas.read_table(copied / "scenes.parquet", schemas.CVT_SCENES).drop_columns("depth_margin")
    pq.write_table(table, copied / "scenes.parquet")
    with pytest.raises(InputError, match="found no 'depth_margin'; add it"):
        load_cvt.__wrapped__("indoor")


def test_a_word_that_no_question_offers_is_refused(copied):
    rewritten(copied, "questions", schemas.CVT_QUESTIONS, lambda rows: rows[4].update(gold=["over"]))
    with pytest.raises(InputError, match="row 5: expected relations among .*above, below"):
        load_cvt.__wrapped__("indoor")


def test_an_unchanged_copy_loads(copied):
    rewritten(copied, "questions", schemas.CVT_QUESTIONS, lambda rows: None)
    assert len(load_cvt.__wrapped__("indoor").questions) == 6130


def test_codec_of_heights():
    assert encode(["north", "above"], "Top") == BEHIND | ABOVE
    assert pd.Series([opposite(ABOVE)]).tolist() == [BELOW]
