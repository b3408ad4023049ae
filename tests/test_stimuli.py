"""CVT-Synthetic-Open: visibility by hand, the question protocol, the templates, and regeneration byte for byte."""

import itertools
import math
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vantage import files, schemas, templates
from vantage.errors import InputError
from vantage.relations import TOP, VIEWPOINTS, encode, opposite
from vantage_workshop.stimuli import __main__ as stimuli
from vantage_workshop.stimuli.cvt import clevr, composition, questions, slots
from vantage_workshop.stimuli.cvt import items as cvt
from vantage_workshop.stimuli.cvt.visibility import Camera, Solid, look

FOLDER = files.root() / "data" / "cvt" / "synthetic"

# ------------------------------------------------------------------------------------------------------ visibility

# Level, at the origin, looking along y.
LEVEL = Camera((0, 0, 0), forward=(0, 1, 0), right=(1, 0, 0), up=(0, 0, 1), focal_pixels=350.0, width=320, height=240)


def ball(x, y, z, radius):
    return Solid("sphere", (x, y, z), (radius, radius, radius))


def box(x, y, z, half, rotation=0.0):
    return Solid("cube", (x, y, z), (half, half, half), rotation)


@pytest.mark.parametrize(("distance", "radius"), [(10, 0.7), (10, 0.35), (7, 1.5)])
def test_silhouette_of_a_sphere(distance, radius):
    # The rays that touch a sphere on the axis make a cone of half-angle asin(r/d): a disc of radius f r / sqrt(d^2 - r^2).
    (sight,) = look(LEVEL, [ball(0, distance, 0, radius)])
    disc = 350 * radius / math.sqrt(distance**2 - radius**2)
    assert sight.pixels == pytest.approx(math.pi * disc**2, rel=0.01)
    assert sight.box[2:] == (2 * round(disc), 2 * round(disc))
    assert sight.visible == sight.pixels


def test_box_and_mask_of_a_cube_by_hand():
    # Its front is 7 away and reaches from -1 to 1, hence 350/7 = 50 pixels to either side; the rest hides behind the front.
    (sight,) = look(LEVEL, [box(0, 8, 0, 1)])
    assert sight.box == (110, 70, 100, 100)
    assert sight.pixels == 100 * 100


def test_cylinder_from_its_side_and_from_above():
    # From the side, half as tall as wide: 50 pixels up and down where it is nearest (7 away), and as wide as a sphere.
    (side,) = look(LEVEL, [Solid("cylinder", (0, 8, 0), (1, 1, 1))])
    assert side.box == (160 - round(350 / math.sqrt(63)), 70, 2 * round(350 / math.sqrt(63)), 100)
    # From straight above, its top is a disc of radius 350/7 = 50 pixels, and hides all else.
    above = Camera(
        (0, 0, 8), forward=(0, 0, -1), right=(1, 0, 0), up=(0, 1, 0), focal_pixels=350.0, width=320, height=240
    )
    (top,) = look(above, [Solid("cylinder", (0, 0, 0), (1, 1, 1))])
    assert top.pixels == pytest.approx(math.pi * 50**2, rel=0.01)
    assert top.box == (110, 70, 100, 100)


def test_a_turned_cube_shows_its_diagonal():
    # An eighth of a turn brings an edge to the front and the half-diagonal to the sides, at the centre's distance.
    (sight,) = look(LEVEL, [box(0, 8, 0, 1, rotation=45)])
    assert sight.box[2] == 2 * round(350 * math.sqrt(2) / 8)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_cube_hides_a_smaller_one_behind_it(order):
    solids = [box(0, 6, 0, 1), box(0, 9, 0, 0.5)]
    sights = look(LEVEL, [solids[place] for place in order])
    front, back = (sights[order.index(place)] for place in (0, 1))
    assert front.fraction == 1
    assert back.visible == 0
    # Still where it would be when alone: 350 * .5 / 8.5 = 20.6 pixels either side, of which 21 centres at .5, 1.5, ...
    assert back.box == (160 - 21, 120 - 21, 42, 42)


def test_half_hidden():
    # The cube's side lies in the plane x = 0, which the camera sees edge-on between two columns of pixels.
    cube, sphere = look(LEVEL, [box(1, 5, 0, 1), ball(0, 10, 0, 0.7)])
    assert sphere.fraction == 0.5
    assert cube.fraction == 1


def test_what_cannot_be_seen_is_refused():
    with pytest.raises(ValueError, match="no ray meets"):
        look(LEVEL, [ball(30, 10, 0, 0.7)])
    with pytest.raises(ValueError, match="in front of the camera"):
        look(LEVEL, [ball(0, -10, 0, 0.7)])
    with pytest.raises(ValueError, match="found 'cone'"):
        look(LEVEL, [Solid("cone", (0, 10, 0), (1, 1, 1))])


def marched(camera, solids, step=0.005):
    """(pixels, visible) of every solid by walking along each ray until a point is inside: slow, and nothing but geometry."""
    column, row = np.meshgrid(np.arange(camera.width) + 0.5, np.arange(camera.height) + 0.5)
    across, upward = (column - camera.width / 2) / camera.focal_pixels, (camera.height / 2 - row) / camera.focal_pixels
    ray = (
        np.array(camera.forward) + across[..., None] * np.array(camera.right) + upward[..., None] * np.array(camera.up)
    )
    first = np.full((len(solids), camera.height, camera.width), np.inf)
    for distance in np.arange(4, 18, step):
        point = np.array(camera.position) + distance * ray
        for place, solid in enumerate(solids):
            offset, angle = point - np.array(solid.position), math.radians(solid.rotation)
            x = math.cos(angle) * offset[..., 0] + math.sin(angle) * offset[..., 1]
            y = math.cos(angle) * offset[..., 1] - math.sin(angle) * offset[..., 0]
            z, half = offset[..., 2], solid.half_extents
            inside = {
                "cube": (abs(x) <= half[0]) & (abs(y) <= half[1]) & (abs(z) <= half[2]),
                "sphere": x**2 + y**2 + z**2 <= half[0] ** 2,
                "cylinder": (x**2 + y**2 <= half[0] ** 2) & (abs(z) <= half[2]),
            }[solid.shape]
            first[place] = np.where(inside, np.minimum(first[place], distance), first[place])
    met = np.isfinite(first)
    return [(int(m.sum()), int((m & (first[i] == first.min(axis=0))).sum())) for i, m in enumerate(met)]


def test_agrees_with_walking_along_the_rays():
    """On a whole scene in a frame of 80 x 60, to the pixels that a ray only grazes."""
    scene = clevr.sample_scene(random.Random(3), 10)
    source = scene.camera
    small = Camera(source.position, source.forward, source.right, source.up, source.focal_pixels / 4, 80, 60)
    solids = [thing.solid for thing in scene.things]
    for sight, (pixels, visible) in zip(look(small, solids), marched(small, solids), strict=True):
        assert abs(sight.pixels - pixels) <= 1
        assert abs(sight.visible - visible) <= 2


# ---------------------------------------------------------------------------------------------------------- scenes


@pytest.mark.parametrize(("count", "hidden"), [(3, 0), (5, 0), (10, 0), (3, 1)])
def test_a_scene_keeps_the_rules(count, hidden):
    scene = clevr.sample_scene(random.Random(count), count, hidden)
    assert [thing.tag for thing in scene.things] == [*range(count - hidden), *[None] * hidden]
    assert len({thing.description for thing in scene.things}) == count
    for thing in scene.things:
        assert (thing.tag is not None) == (thing.sight.fraction >= 0.05)
        assert thing.partially_occluded == (0.05 <= thing.sight.fraction <= 0.70)
        x, y, w, h = thing.sight.box
        assert 0 < x and x + w < 320 and 0 < y and y + h < 240
        assert thing.solid.position[2] == thing.solid.half_extents[2], "rests on the ground"
        assert all(part == round(part, 4) for part in (*thing.solid.position, *thing.plane))
    for one, other in itertools.combinations(scene.things, 2):
        apart = math.dist(one.solid.position[:2], other.solid.position[:2])
        assert apart >= clevr.SIZES[one.size] + clevr.SIZES[other.size] + 0.25


def test_the_canonical_frame_is_the_cameras():
    """Right and behind on the ground are right and farther for the camera: equal heights, so the projections compare."""
    scene = clevr.sample_scene(random.Random(7), 8)
    camera = scene.camera
    for axis in (camera.forward, camera.right, camera.up):
        assert math.hypot(*axis) == pytest.approx(1, abs=2e-6)
    flat = math.hypot(*camera.forward[:2])
    for thing in scene.things:
        x, y, _ = thing.solid.position
        right, behind = thing.plane
        assert right == pytest.approx(camera.right[0] * x + camera.right[1] * y, abs=1e-4)
        assert behind == pytest.approx((camera.forward[0] * x + camera.forward[1] * y) / flat, abs=1e-4)


def test_scene_graph_by_hand():
    # Tag 1 is right of and behind Tag 0; Tag 2 is left of Tag 0, within the margin in depth.
    plane = np.array([[0.0, 0.0], [1.0, 2.0], [-1.0, 0.1]])
    assert clevr.scene_graph(plane) == [
        {"tag": 0, "direction": "left", "targets": [2]},
        {"tag": 0, "direction": "right", "targets": [1]},
        {"tag": 0, "direction": "behind", "targets": [1]},
        {"tag": 1, "direction": "left", "targets": [0, 2]},
        {"tag": 1, "direction": "front", "targets": [0, 2]},
        {"tag": 2, "direction": "right", "targets": [0, 1]},
        {"tag": 2, "direction": "behind", "targets": [1]},
    ]


# ------------------------------------------------------------------------------------------------------- questions

QUESTIONS = {2: 20, 3: 51, 4: 57}
SOURCE_QUESTIONS = {2: 2, 3: 6, 4: 12}


@st.composite
def drawn(draw):
    """Tags, occluded tags, and the slots drawn for them."""
    tags = draw(st.integers(2, 10))
    occluded = draw(st.sets(st.integers(0, tags - 1)))
    return tags, occluded, questions.draw_slots(random.Random(draw(st.integers(0, 2**32))), tags, occluded)


@settings(deadline=None)
@given(drawn())
def test_question_protocol(drawn):
    tags, occluded, slots = drawn
    by_view = {view: [slot for slot in slots if slot.viewpoint == view] for view in VIEWPOINTS}
    primary = {view: {slot.pair for slot in asked if slot.kind == "primary"} for view, asked in by_view.items()}
    fixed = min(3, tags * (tags - 1))

    assert len(slots) == QUESTIONS.get(tags, 60)
    assert len(by_view["0"]) == SOURCE_QUESTIONS.get(tags, 15)
    assert all(len(pairs) == min(5, tags * (tags - 1)) for pairs in primary.values())
    assert primary["360"] == primary["0"]
    for view, asked in by_view.items():
        pairs = [slot.pair for slot in asked]
        assert len(set(pairs)) == len(pairs)
        assert all(target != anchor and {target, anchor} <= set(range(tags)) for target, anchor in pairs)
        assert view == "0" or all(slot.kind == "primary" for slot in asked)

    tracked = {slot.tracked: slot.pair for slot in slots if slot.tracked is not None}
    assert sorted(tracked) == list(range(fixed)) and len(set(tracked.values())) == fixed
    for view, asked in by_view.items():
        assert {s.tracked: s.pair for s in asked if s.tracked is not None} == tracked, view
        assert all(slot.kind == "primary" for slot in asked if slot.tracked is not None)
    if occluded:
        assert sum(not occluded.isdisjoint(pair) for pair in tracked.values()) >= 2


def by_definition(dx, dy, viewpoint):
    """Supp. 2.3 and 3.6 written out: where a displacement lies after an orbit, and which labels exceed the margin."""
    angle = 0 if viewpoint == TOP else math.radians(int(viewpoint))
    x, y = math.cos(angle) * dx + math.sin(angle) * dy, -math.sin(angle) * dx + math.cos(angle) * dy
    front, behind = ("south", "north") if viewpoint == TOP else ("front", "behind")
    return [
        word for word, holds in (("left", x < -0.2), ("right", x > 0.2), (front, y < -0.2), (behind, y > 0.2)) if holds
    ]


@settings(deadline=None)
@given(drawn(), st.integers(0, 2**32))
def test_question_rows(drawn, seed):
    tags, occluded, slots = drawn
    rng = random.Random(seed)
    # On whole-numbered places every component is a whole number, or one over the root of two: never near the margin.
    plane = np.array(rng.sample(list(itertools.product(range(-3, 4), repeat=2)), tags), dtype=float)
    descriptions = [f"thing {tag}" for tag in range(tags)]
    order = questions.encounter_order(rng, len(slots))
    assert sorted(order) == list(range(len(slots)))
    rows = questions.question_rows(rng, "s", plane, descriptions, occluded, [slots[index] for index in order])

    assert [row["number"] for row in rows] == list(range(1, len(slots) + 1))
    assert len({row["item"] for row in rows}) == len(rows)
    assert len({(row["text"]) for row in rows}) == len(rows), "360 is asked in other words than 0"
    for row in rows:
        target, anchor, view = row["target"], row["anchor"], row["viewpoint"]
        assert list(row["gold"]) == by_definition(*(plane[target] - plane[anchor]), view)
        swapped = questions.components(plane, (anchor, target), view)
        assert encode(row["gold"], view) == int(opposite(questions.asserted(swapped)))
        assert row["partially_occluded"] == (target in occluded or anchor in occluded)
        if view in ("0", TOP):
            assert row["orbit_direction"] is row["orbit_angle"] is None
        else:
            turn = row["orbit_angle"] if row["orbit_direction"] == "right" else -row["orbit_angle"]
            assert 0 < row["orbit_angle"] <= 360 and (turn - int(view)) % 360 == 0


def test_both_wordings_of_a_quarter_turn_occur():
    wordings = {questions.draw_orbit(random.Random(seed), "90") for seed in range(20)}
    assert wordings == {("right", 90), ("left", 270)}
    assert {questions.draw_orbit(random.Random(seed), "360") for seed in range(20)} == {("right", 360), ("left", 360)}


def test_the_templates_to_the_letter():
    """Supp. 7.4, filled by hand."""
    things = ["large red metal cube", "small blue rubber sphere"]
    assert templates.question_text("0", None, None, 1, 0, things) == (
        "In the original view, what is the spatial relationship of the small blue rubber sphere (Tag 1) with respect to the large "
        "red metal cube (Tag 0)? Choose from [left, right, front, behind]. Multiple relations possible."
    )
    assert templates.question_text("315", "left", 45, 0, 1, things) == (
        "If the camera orbits 45 degrees to the left, what is the new spatial relationship of the large red metal cube (Tag 0) with "
        "respect to the small blue rubber sphere (Tag 1)? Choose from [left, right, front, behind]. Multiple relations possible."
    )
    assert templates.question_text("Top", None, None, 1, 0, things) == (
        "If the camera orbits to a top-down view, what is the new spatial relationship of the small blue rubber sphere (Tag 1) with "
        "respect to the large red metal cube (Tag 0)? Choose from [left, right, south, north]. Multiple relations possible."
    )


def test_templates_refuse_what_they_cannot_word():
    with pytest.raises(InputError, match="found '30'"):
        templates.question_text("30", None, None, 1, 0, ["a", "b"])
    with pytest.raises(InputError, match="a direction and an angle for the orbit to 90"):
        templates.question_text("90", "right", None, 1, 0, ["a", "b"])


@pytest.mark.parametrize(
    ("displacement", "viewpoint", "alternatives"),
    [
        ((1.0, 2.0), "0", []),  # far from the margin
        ((0.25, 2.0), "0", [("behind",)]),  # right may be omitted
        ((0.15, 2.0), "Top", [("right", "north")]),  # right may be asserted, in Top's words
        ((-0.15, 2.0), "0", [("left", "behind")]),  # its own direction, never the opposite
        ((0.25, 0.1), "0", []),  # right is all there is: never an empty set
        ((0.25, 2.0), "90", [("right",)]),  # (y, -x): front may be omitted
        ((0.12, 2.0), "0", []),  # .08 from the margin
    ],
)
def test_ambiguity_rows(displacement, viewpoint, alternatives):
    plane = np.array([[0.0, 0.0], displacement])
    gold = questions.decode(int(questions.asserted(questions.components(plane, (1, 0), viewpoint))), viewpoint)
    asked = [{"item": "i", "viewpoint": viewpoint, "target": 1, "anchor": 0, "gold": gold}]
    assert questions.ambiguity_rows(plane, asked) == [{"item": "i", "alternative": words} for words in alternatives]


# ----------------------------------------------------------------------------------------------------- composition


def test_figures_of_a_scene_by_hand():
    """Four tags; 0-1 asked twice in one direction and once in the other, 1-2 once, 3 never."""
    scene = clevr.sample_scene(random.Random(1), 4)
    labels = {view: np.full((4, 4), 2) for view in VIEWPOINTS}
    labels["Top"][1, 2] = 1
    asked = [("0", (0, 1)), ("45", (0, 1)), ("90", (1, 0)), ("Top", (1, 2))]
    figures = composition.figures(scene, labels, [questions.Slot(view, pair, "primary") for view, pair in asked])
    assert (figures.labels, figures.two_labels) == (7, 3)
    assert (figures.directed, figures.undirected, figures.repeated) == (3, 2, 1)
    assert (figures.cycle_rank, figures.connected) == (2 - 4 + 2, False)


def test_position_figures_by_hand():
    """One question a viewpoint: quarter turns at position 1, all others at 6."""
    positions = np.array([1 if view in ("90", "270") else 6 for view in VIEWPOINTS])
    lead, explained = composition.position_figures(np.array([positions, positions**2]), np.ones(10, dtype=int))
    assert (lead, explained) == (5, 1)
    # Two at each viewpoint, one before and one after: mean 5, deviations 4, 1 between and 1, 1 within.
    sums = np.array([2 * positions, (positions - 1) ** 2 + (positions + 1) ** 2])
    lead, explained = composition.position_figures(sums, np.full(10, 2))
    assert lead == 5
    assert explained == pytest.approx(80 / (80 + 20))


def test_a_search_that_gets_nowhere_says_so(monkeypatch):
    monkeypatch.setattr(composition, "MOVES", 100)
    with pytest.raises(RuntimeError, match="still 1 away after 100 moves; allow more candidates"):
        composition._search(random.Random(0), [2, 2], lambda choice: 1)


# ----------------------------------------------------------------------------------------------------------- slots


@pytest.fixture
def one_share(monkeypatch):
    """Of the printed shares, 70.0 % in slot 1 alone, where scenes are filler in three runs."""
    slots._missed.cache_clear()
    monkeypatch.setattr(slots, "_shares", lambda: {slot: [(70.0, 1)] if slot == 1 else [] for slot in range(20)})
    yield
    slots._missed.cache_clear()


def test_scenes_change_places_until_a_share_is_a_count(one_share):
    """Slot 1 has 3 x 7 = 21 questions, of which 70.0 % is no count; with the 10 of the scene behind, 3 x 10, it is 21."""
    questions = [7, 7, 10, *[7] * 17]
    assert slots.unattainable(np.array(questions)) == 1
    assert slots.share_slots(questions, ["sparse"] * 20) == [0, 2, 1, *range(3, 20)]


def test_scenes_of_another_density_stay_where_they_are(one_share):
    with pytest.raises(RuntimeError, match="still 1 shares of no whole count"):
        slots.share_slots([7, 7, 10, *[7] * 17], ["sparse", "sparse", *["dense"] * 18])


def test_every_printed_share_is_a_count_of_the_frozen_questions():
    asked = schemas.read_table(FOLDER / "questions.parquet", schemas.CVT_QUESTIONS).to_pandas().groupby("scene").size()
    assert slots.unattainable(asked.to_numpy()) == 0


# ---------------------------------------------------------------------------------------------------- regeneration

MADE = ("scenes.parquet", "questions.parquet", "ambiguity.parquet", "attribute_questions.parquet", "manifest.json")
MADE_OF = {
    "cvt/synthetic": MADE,
    "cvt/indoor": tuple(name for name in MADE if name != "attribute_questions.parquet"),
    "frame_evidence": ("scenes.parquet", "views.parquet", "items.parquet", "manifest.json"),
}


def test_make_data_gives_the_frozen_bytes_and_is_quiet_in_a_pipe(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "vantage_workshop.stimuli", "--to", tmp_path / "a new folder"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for items, names in MADE_OF.items():
        assert sorted(path.name for path in (tmp_path / "a new folder" / items).iterdir()) == sorted(names)
        for name in names:
            frozen = files.root() / "data" / items / name
            assert (tmp_path / "a new folder" / items / name).read_bytes() == frozen.read_bytes(), name


def test_a_broken_run_leaves_the_old_items_whole(tmp_path, monkeypatch):
    for name in MADE:
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    made = {name: schemas.read_table(FOLDER / f"{name}.parquet", schema) for name, schema in cvt.SCHEMAS.items()}
    write = schemas.write_table

    def break_at_the_last(table, schema, path, metadata):
        if schema is schemas.CVT_ATTRIBUTE_QUESTIONS:
            raise OSError("disk full")
        write(table, schema, path, metadata)

    monkeypatch.setattr(schemas, "write_table", break_at_the_last)
    with pytest.raises(OSError, match="disk full"):
        stimuli.write("cvt/synthetic", made, tmp_path, seed=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(MADE)
    for name in MADE:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name


def test_the_frozen_questions_follow_from_the_frozen_scenes():
    """Gold, alternatives, text and the scene graph, from the coordinates and descriptions in the file."""
    scenes = {
        row["scene"]: row for row in schemas.read_table(FOLDER / "scenes.parquet", schemas.CVT_SCENES).to_pylist()
    }
    asked = schemas.read_table(FOLDER / "questions.parquet", schemas.CVT_QUESTIONS).to_pylist()
    sidecar = schemas.read_table(FOLDER / "ambiguity.parquet", schemas.CVT_AMBIGUITY).to_pylist()
    tagged = {name: [thing for thing in scene["objects"] if thing["tag"] is not None] for name, scene in scenes.items()}
    planes = {name: np.array([thing["plane"] for thing in things]) for name, things in tagged.items()}
    for name, scene in scenes.items():
        assert scene["scene_graph"] == clevr.scene_graph(planes[name])
    for row in asked:
        things, plane = tagged[row["scene"]], planes[row["scene"]]
        assert row["gold"] == by_definition(*(plane[row["target"]] - plane[row["anchor"]]), row["viewpoint"])
        assert row["partially_occluded"] == (
            things[row["target"]]["partially_occluded"] or things[row["anchor"]]["partially_occluded"]
        )
        assert row["text"] == templates.question_text(
            row["viewpoint"],
            row["orbit_direction"],
            row["orbit_angle"],
            row["target"],
            row["anchor"],
            [t["description"] for t in things],
        )
    expected = [alternative for row in asked for alternative in questions.ambiguity_rows(planes[row["scene"]], [row])]
    assert sidecar == [{**row, "alternative": list(row["alternative"])} for row in expected]
