"""The reader of a user's own 3RScan/3DSSG copy, on small copies of that format that these tests make."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.errors import InputError
from vantage_workshop.stimuli.cvt.threedssg.names import descriptions
from vantage_workshop.stimuli.cvt.threedssg.source import Lens, OrientedBox, Source, Thing
from vantage_workshop.stimuli.cvt.threedssg.views import UprightBox, canonical_view, sights, upright

# ------------------------------------------------------------------------------------------------- a copy of the format

SENSOR = {"m_colorWidth": "960", "m_colorHeight": "540"}
INTRINSIC = "750 0 480 0 0 750 270 0 0 0 1 0 0 0 0 1"
LENS = Lens(960, 540, 750.0, 750.0, 480.0, 270.0)


def turned(heading):
    """Unit vectors ahead and to the right on the ground, `heading` degrees clockwise from +y."""
    angle = math.radians(heading)
    return np.array([math.sin(angle), math.cos(angle), 0]), np.array([math.cos(angle), -math.sin(angle), 0])


def pose(position, heading=0.0, tilt=0.0, turns=1, roll=0.0):
    """Camera to world, of a camera that looks `tilt` degrees down and leans `roll` degrees to its right, and whose picture
    comes upright by `turns` quarter turns clockwise: one for a phone held upright, none for one that lies."""
    ahead, right = turned(heading)
    slope, lean = math.radians(tilt), math.radians(roll)
    forward = math.cos(slope) * ahead - math.sin(slope) * np.array([0, 0, 1])
    down = np.cross(forward, right)
    right, down = (
        math.cos(lean) * right + math.sin(lean) * down,
        math.cos(lean) * down - math.sin(lean) * right,
    )
    for _ in range(turns):
        # Back by a quarter turn: the sensor's right is what ends up as down.
        right, down = down, -right
    matrix = np.eye(4)
    matrix[:3] = np.stack([right, down, forward, position], axis=1)
    return matrix


def thing(label, centre, lengths, rotation=0.0, **attributes):
    return {"label": label, "centre": centre, "lengths": lengths, "rotation": rotation, "attributes": attributes}


def box_axes(rotation):
    angle = math.radians(rotation)
    return [math.cos(angle), math.sin(angle), 0, -math.sin(angle), math.cos(angle), 0, 0, 0, 1]


def write_copy(folder, scans):
    """A copy with `scans`: name -> (things by number, relationships, poses by frame)."""
    folder.mkdir(parents=True, exist_ok=True)
    objects, graphs = [], []
    for name, (things, relationships, poses) in scans.items():
        entries = [
            {"id": str(n), "label": t["label"], "ply_color": "#aec7e8", "attributes": t["attributes"]}
            for n, t in things.items()
        ]
        objects.append({"scan": name, "objects": entries})
        graphs.append({"scan": name, "relationships": relationships})
        groups = [
            {
                "id": n,
                "objectId": n,
                "label": t["label"],
                "segments": [n],
                "obb": {
                    "centroid": list(t["centre"]),
                    "axesLengths": list(t["lengths"]),
                    "normalizedAxes": box_axes(t["rotation"]),
                },
            }
            for n, t in things.items()
        ]
        (folder / name / "sequence").mkdir(parents=True)
        (folder / name / "semseg.v2.json").write_text(json.dumps({"scan_id": name, "segGroups": groups}))
        info = {
            **SENSOR,
            "m_depthWidth": "224",
            "m_calibrationColorIntrinsic": INTRINSIC,
            "m_frames.size": str(len(poses)),
        }
        (folder / name / "sequence" / "_info.txt").write_text(
            "".join(f"{key} = {text}\n" for key, text in info.items())
        )
        for frame, matrix in poses.items():
            rows = "\n".join(" ".join(f"{value:.6f}" for value in row) for row in matrix)
            (folder / name / "sequence" / f"frame-{frame:06d}.pose.txt").write_text(rows + "\n")
    (folder / "objects.json").write_text(json.dumps({"scans": objects}))
    (folder / "relationships.json").write_text(json.dumps({"scans": graphs}))
    return folder


# ---------------------------------------------------------------------------------------------- orientation and picture

# At the origin, level, looking along +y; the focal length is 750 x 384/960 = 300 pixels of the canonical picture.
LEVEL = canonical_view(LENS, 0, pose((0, 0, 0), turns=0))


@pytest.mark.parametrize(("turns", "size"), [(0, (384, 216)), (1, (216, 384)), (2, (384, 216)), (3, (216, 384))])
def test_the_picture_comes_upright_however_the_phone_was_held(turns, size):
    view = canonical_view(LENS, 7, pose((0, -3, 1.5), heading=30, tilt=15, turns=turns))
    assert (view.frame, view.turns, (view.width, view.height)) == (7, turns, size)
    ahead, right = turned(30)
    assert view.right == pytest.approx(right, abs=1e-6)
    assert view.forward[:2] == pytest.approx(math.cos(math.radians(15)) * ahead[:2], abs=1e-6)
    assert (view.tilt, view.roll) == pytest.approx((15, 0), abs=1e-3)


def test_the_principal_point_turns_with_the_picture():
    # 100 pixels from the sensor's left and 50 from its top, with .4 canonical pixels to one of the sensor.
    lens = Lens(960, 540, 700.0, 800.0, 100.0, 50.0)
    upright_by = {turns: canonical_view(lens, 0, pose((0, 0, 0), turns=turns)) for turns in range(4)}
    assert upright_by[0].centre == pytest.approx((40, 20))
    # After a turn clockwise, left is up and top is right.
    assert upright_by[1].centre == pytest.approx((216 - 20, 40))
    assert upright_by[2].centre == pytest.approx((384 - 40, 216 - 20))
    assert upright_by[3].centre == pytest.approx((20, 384 - 40))
    assert upright_by[0].focal == upright_by[2].focal == pytest.approx((280, 320))
    assert upright_by[1].focal == upright_by[3].focal == pytest.approx((320, 280))


def test_another_shape_of_picture_is_refused():
    with pytest.raises(InputError, match=r"16 : 9, found 640 x 480"):
        canonical_view(Lens(640, 480, 500.0, 500.0, 320.0, 240.0), 0, pose((0, 0, 0)))


def test_the_canonical_frame_is_level_though_the_camera_leans():
    # Looking towards +x: right is -y, behind is +x.
    view = canonical_view(LENS, 0, pose((5, 5, 1), heading=90, tilt=40, roll=12))
    assert view.roll == pytest.approx(12, abs=1e-3)
    assert view.plane((2.0, -1.0, 3.0)) == (1.0, 2.0)


# ----------------------------------------------------------------------------------------------------- boxes and sights


def test_a_box_by_hand():
    # Its front is 4 m away and .5 m to either side: 300 x .5 / 4 = 37.5 pixels, rounded outwards.
    (sight,) = sights(LEVEL, [UprightBox((0, 4.5, 0), (0.5, 0.5, 0.5), 0)])
    assert sight.box == (192 - 38, 108 - 38, 76, 76)
    assert (sight.whole, sight.pixels, sight.visible) == (76 * 76,) * 3


def test_nearer_boxes_cover_by_their_union():
    # Behind stands 8 m away, 300 x 1 / 7.5 = 40 pixels to either side. Two nearer boxes cover its left half: from 300 x .5 / 3.75 = 40
    # pixels left to the middle, and both overlap.
    behind = UprightBox((0, 8, 0), (1, 0.5, 1), 0)
    left = UprightBox((-0.25, 4, 0), (0.25, 0.25, 1), 0)
    overlapping = UprightBox((-0.2, 3.9, 0), (0.1, 0.05, 0.2), 0)
    seen = sights(LEVEL, [behind, left, overlapping])
    assert seen[0].box == (152, 68, 80, 80)
    assert seen[0].visible == 80 * 40
    assert seen[0].fraction == 0.5
    # In front of both, nothing is covered; behind both, depth decides, not the order of the list.
    assert seen[2].fraction == 1
    assert sights(LEVEL, [overlapping, left, behind])[::-1] == seen


def test_what_lies_outside_the_picture_is_not_visible():
    # From 1.42 m to 2.42 m right of the middle, 3 to 3.2 m away: from 300 x 1.42 / 3.2 = 133.1 to 300 x 2.42 / 3 = 242 pixels; the picture
    # ends at 192.
    (sight,) = sights(LEVEL, [UprightBox((1.92, 3.1, 0), (0.5, 0.1, 0.5), 0)])
    assert sight.box == (192 + 133, 58, 192 - 133, 100)
    assert sight.whole == (242 - 133) * 100
    assert sight.visible == (192 - 133) * 100


def test_boxes_beside_and_behind_the_camera():
    behind, across = UprightBox((0, -3, 0), (1, 1, 1), 0), UprightBox((0, 0, -1), (3, 3, 0.2), 0)
    nothing, floor = sights(LEVEL, [behind, across])
    assert nothing is None
    # The one that reaches under the camera is cut off near it: its picture reaches far below the frame.
    assert floor.box[1] + floor.box[3] == 216
    assert floor.fraction < 0.05


def test_an_upright_box_keeps_its_shape_and_a_tilted_one_is_enclosed():
    same = upright(OrientedBox((1, 2, 3), (1.0, 0.6, 0.8), ((0.6, 0.8, 0), (-0.8, 0.6, 0), (0, 0, 1))))
    assert same.half_extents == (0.5, 0.3, 0.4)
    assert same.rotation == pytest.approx(math.degrees(math.atan2(0.8, 0.6)), abs=1e-4)
    # The third axis need not be the vertical one, nor point up.
    lying = upright(OrientedBox((1, 2, 3), (0.8, 1.0, 0.6), ((0, 0, -1), (0.6, 0.8, 0), (-0.8, 0.6, 0))))
    assert lying == same
    # Pitched by 30 degrees about x: sin 30 = 1/2.
    half, root = 0.5, math.sqrt(0.75)
    pitched = upright(OrientedBox((0, 0, 0), (2.0, 2.0, 1.0), ((1, 0, 0), (0, root, half), (0, -half, root))))
    assert pitched.rotation == 0
    assert pitched.half_extents == pytest.approx((1, root + 0.5 * half, half + 0.5 * root), abs=1e-4)


@given(
    turn=st.floats(0, 360),
    shift=st.tuples(*[st.floats(-20, 20)] * 3),
    heading=st.floats(0, 360),
    tilt=st.floats(-40, 40),
    turns=st.integers(0, 3),
)
def test_where_the_world_is_laid_does_not_matter(turn, shift, heading, tilt, turns):
    """A yaw and a shift of the whole world, camera and boxes, change neither the canonical frame nor the picture."""
    ahead, right = turned(heading)
    places = [
        2.0 * ahead + 0.4 * right,
        3.0 * ahead - 0.8 * right + (0, 0, 0.3),
        4.0 * ahead + 0.9 * right - (0, 0, 0.5),
    ]
    angle = math.radians(turn)
    yaw = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
    moved = np.eye(4)
    moved[:3, :3], moved[:3, 3] = yaw, shift

    def seen(world):
        view = canonical_view(LENS, 0, world @ pose((0, 0, 0.2), heading, tilt, turns))
        boxes = []
        for place, spin in zip(places, (10, 40, 80), strict=True):
            axes = np.array(box_axes(spin)).reshape(3, 3) @ world[:3, :3].T
            centre = world[:3, :3] @ place + world[:3, 3]
            boxes.append(upright(OrientedBox(tuple(centre), (0.5, 0.4, 0.3), tuple(map(tuple, axes.tolist())))))
        plane = np.array([view.plane(box.centre) for box in boxes])
        return view, plane - plane[0], [sight and sight.box for sight in sights(view, boxes)]

    (view, plane, shown), (other, plane_there, shown_there) = seen(np.eye(4)), seen(moved)
    assert (view.turns, view.width, view.height) == (other.turns, other.width, other.height)
    assert plane_there == pytest.approx(plane, abs=1e-3)
    for box, box_there in zip(shown, shown_there, strict=True):
        assert (box is None) == (box_there is None)
        if box is not None:
            assert np.abs(np.subtract(box, box_there)).max() <= 2


# ------------------------------------------------------------------------------------------------------------ names


def named(number, label, **attributes):
    return Thing(number, label, {category: tuple(words) for category, words in attributes.items()}, None)


def test_descriptions_use_the_fewest_words_that_tell_things_apart():
    things = [
        named(1, "table", color=["brown"]),
        named(2, "chair", color=["dark", "gray"], material=["wooden"]),
        named(3, "chair", color=["white"]),
        named(4, "pillow", color=["white"], material=["cloth"]),
        named(5, "pillow", color=["white"], size=["big"]),
        named(6, "book"),
        named(7, "book", size=["small"]),
        named(8, "book"),
    ]
    assert descriptions(things) == [
        "table",  # the only one
        "dark gray chair",
        "white chair",
        "white cloth pillow",  # colour alone does not do
        "white pillow",
        "book 1",  # nothing tells these two apart
        "small book",
        "book 2",
    ]


# ------------------------------------------------------------------------------------------------------- broken copies


def in_json(name, change):
    """A fault: `change` the value in a JSON file of the copy."""

    def apply(copy):
        path = copy / name
        value = json.loads(path.read_text())
        change(value)
        path.write_text(json.dumps(value))

    return apply


def in_text(name, old, new):
    """A fault: replace `old` in a text file of the copy."""

    def apply(copy):
        path = copy / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return apply
