"""A picture's geometry: by hand, against the boxes and visible fractions of the items, and labels in their places."""

import numpy as np
import pytest

from tests.made import LAMP, SHELF, TABLE, made_room
from vantage import drawing, figures
from vantage.items import load_cvt

# A camera on the ground's axis that looks level along y: everything can be computed in the head.
LEVEL = {
    "position": [0.0, -10.0, 0.0],
    "forward": [0.0, 1.0, 0.0],
    "right": [1.0, 0.0, 0.0],
    "up": [0.0, 0.0, 1.0],
    "focal_pixels": 100.0,
}


def thing(category="sphere", position=(0.0, 0.0, 0.0), half=(1.0, 1.0, 1.0), tag=0, **more):
    return {
        "tag": tag,
        "description": f"{category} {tag}",
        "category": category,
        "size": "large",
        "color": "red",
        "material": "rubber",
        "position": list(position),
        "rotation": 0.0,
        "half_extents": list(half),
        "plane": list(position[:2]),
        **more,
    }


def level_scene(*things):
    return {"scene": "level", "width": 320, "height": 240, "camera": LEVEL, "objects": list(things)}


@pytest.fixture(scope="module", params=["synthetic", "indoor"])
def pictures(request):
    return [(scene, drawing.picture_of(scene)) for scene in load_cvt(request.param).scenes]


def test_projection_by_hand():
    # 10 units away, one unit is 100 / 10 pixels; 20 away it is 5. Up is up: y counts downwards in the picture.
    points = np.array([[1, 0, 2], [1, 10, 2], [0, 5, 0]])
    assert drawing.project(level_scene(), points).tolist() == [[170, 100], [165, 110], [160, 120]]


def test_sphere_looks_round_and_a_little_larger_than_its_equator():
    sphere = drawing.picture_of(level_scene(thing())).objects[0].silhouette
    # The lines of sight that touch a sphere of radius 1 at distance 10 leave the axis with slope 1 / sqrt(100 - 1).
    assert sphere.centre == (160, 120)
    assert sphere.radii == pytest.approx((100 / np.sqrt(99), 100 / np.sqrt(99)), abs=0.06)


def test_level_cube_shows_its_near_face_only():
    cube = drawing.picture_of(level_scene(thing("cube"))).objects[0]
    (face,) = cube.faces
    # The near face is 9 away: half a side of 1 is 100 / 9 pixels.
    assert sorted(face.points.tolist()) == [[148.9, 108.9], [148.9, 131.1], [171.1, 108.9], [171.1, 131.1]]


def test_nearer_objects_come_later():
    behind, before = thing(position=(0, 3, 0), tag=0), thing(position=(0.5, -3, 0), tag=1)
    for order in ((behind, before), (before, behind)):
        picture = drawing.picture_of(level_scene(*order))
        assert [one.tag for one in picture.objects] == [0, 1]
        assert picture.objects[1].visible_fraction == 1
        assert picture.objects[0].visible_fraction < 0.5


def test_what_stands_on_something_comes_after_it():
    # The lamp's middle is as near as the table's front, and nearness by footprint would put the wide table in front.
    shelf = thing("shelf", position=(0, 0, -2), half=(3, 3, 0.5), tag=0)
    vase = thing("vase", position=(0, 2, -1), half=(0.4, 0.4, 0.5), tag=1)
    for order in ((shelf, vase), (vase, shelf)):
        assert [one.tag for one in drawing.picture_of(level_scene(*order)).objects] == [0, 1]
    # Seen from below, what is underneath hides what stands on it.
    shelf["position"][2], vase["position"][2] = 2, 3
    for order in ((shelf, vase), (vase, shelf)):
        assert [one.tag for one in drawing.picture_of(level_scene(*order)).objects] == [1, 0]


def test_long_things_come_in_order_too():
    # The bench is long and its middle far to the side: the post stands before it though its distance is larger.
    bench = thing("bench", position=(6, 0, 0), half=(8, 0.5, 0.5), tag=0)
    post = thing("post", position=(0, -1.5, 0), half=(0.3, 0.3, 0.3), tag=1)
    behind = thing("post", position=(0, 1.5, 0), half=(0.3, 0.3, 0.3), tag=2)
    assert [one.tag for one in drawing.picture_of(level_scene(post, bench, behind)).objects] == [2, 0, 1]


def test_what_hangs_has_no_shadow():
    scene = made_room().scenes[0]
    assert all(one.shadow for one in drawing.picture_of(scene).objects)
    # Half a metre above the table the lamp hangs; on a shelf above the camera nothing that lies there can be seen.
    scene["objects"][LAMP]["position"][2] += 0.5
    assert [one.tag for one in drawing.picture_of(scene).objects if one.shadow is None] == [LAMP]
    scene["objects"][SHELF]["position"][2] = scene["objects"][SHELF]["half_extents"][2] = 1.0
    scene["objects"][LAMP]["position"][2] = 2.25
    assert [one.tag for one in drawing.picture_of(scene).objects if one.shadow is None] == [LAMP]


def test_boxes_may_reach_past_the_camera():
    # A bench from 2 behind the camera, at y = -10, to 4 before it: it is cut off .1 before the camera, at the left.
    bench = thing("bench", position=(-2, -9, 0), half=(1, 3, 1))
    drawn = drawing.picture_of(level_scene(bench)).objects[0]
    left, top = drawn.silhouette.points.min(axis=0)
    assert (left, top) == pytest.approx((160 - 3 / 0.1 * 100, 120 - 1 / 0.1 * 100))
    assert drawn.shadow is None
    # From inside a box all of the picture is the box.
    around = drawing.picture_of(level_scene(thing("tent", position=(0, -9, 0), half=(3, 3, 3)))).objects[0]
    assert drawing.inside(around.faces[0], 320, 240).all()


def test_lines_and_faces_end_at_a_plane():
    def cut(*points):
        return drawing._cut(np.array(points, dtype=float), np.zeros(3), np.array([0.0, 1.0, 0.0])).tolist()

    assert cut([0, 1, 0], [2, -1, 0]) == [[0, 1, 0], [1, 0, 0]]
    assert cut([0, -1, 0], [2, 1, 0]) == [[1, 0, 0], [2, 1, 0]]
    assert cut([0, 1, 0], [2, 3, 0]) == [[0, 1, 0], [2, 3, 0]]
    assert cut([0, -1, 0], [2, -3, 0]) == []
    # Of a triangle whose tip is inside, the tip and a side along the plane are left.
    assert cut([0, 1, 0], [-1, -1, 0], [1, -1, 0]) == [[0, 1, 0], [-0.5, 0, 0], [0.5, 0, 0]]


def test_ground_ends_at_the_horizon():
    # A level camera has it in the middle, and one that looks down by a slope of .28 / .96 that much above it.
    assert drawing.picture_of(level_scene(thing())).horizon == 120
    for scene in made_room().scenes:
        picture = drawing.picture_of(scene)
        above = scene["camera"]["focal_pixels"] * 0.28 / 0.96
        assert picture.horizon == pytest.approx(scene["height"] / 2 - above, abs=0.05)
        # The ground's lines stay below it, those too that begin behind the camera.
        assert (picture.grid[:, :, 1] > picture.horizon).all() and len(picture.grid) > 10
    steep = level_scene(thing())
    steep["camera"] = LEVEL | {"forward": [0.0, 0.6, -0.8], "up": [0.0, 0.8, 0.6]}
    assert drawing.picture_of(steep).horizon == 0


@pytest.mark.parametrize("viewpoint", ["0", "135", "Top"])
def test_figure_of_a_room_has_its_margins_and_its_shape(viewpoint):
    for scene in made_room().scenes:
        figure = figures.scene_figure(scene, LAMP, TABLE, viewpoint)
        picture, above = figure.axes
        bands = [patch.get_xy() for patch in above.patches if patch.get_zorder() == 2]
        # Left and right are told apart across the line of sight, so the first band, along left and right, is that of depth.
        assert [np.hypot(*(band[3] - band[0])) for band in bands] == pytest.approx([2 * 0.462, 2 * 0.252])
        box = picture.get_window_extent()
        assert box.width / box.height == pytest.approx(scene["width"] / scene["height"])
        assert above.get_window_extent().height == pytest.approx(box.height)
        figures.plt.close(figure)


def test_outlines_agree_with_the_boxes_of_the_items(pictures):
    for scene, picture in pictures:
        outlines = {one.description: one.silhouette.outline for one in picture.objects}
        for one in scene["objects"]:
            x, y, width, height = one["box"]
            outline = outlines[one["description"]]
            found = [*outline.min(axis=0), *outline.max(axis=0)]
            assert found == pytest.approx([x, y, x + width, y + height], abs=1.5), (scene["scene"], one["description"])


def test_painting_hides_what_the_ray_caster_finds_hidden(pictures):
    for scene, picture in pictures:
        painted = {one.description: one.visible_fraction for one in picture.objects}
        for one in scene["objects"]:
            assert painted[one["description"]] == pytest.approx(one["visible_fraction"], abs=0.03), (
                scene["scene"],
                one["description"],
            )


def test_every_tag_has_a_label_that_can_be_read(pictures):
    for scene, picture in pictures:
        boxes = []
        for one in picture.objects:
            assert (one.label is None) == (one.tag is None)
            if one.label is None:
                continue
            scale = drawing.label_scale(picture.width, picture.height)
            width, height = scale * drawing.tag_width(one.tag), scale * drawing.TAG_HEIGHT
            x, y = one.label.at
            assert width / 2 <= x <= picture.width - width / 2 and height / 2 <= y <= picture.height - height / 2
            if one.label.pointer is None:
                seen = one.visible_fraction * drawing.inside(one.silhouette, picture.width, picture.height).sum()
                assert width * height <= seen / 4
            boxes.append((x, y, width, height))
        for place, (x, y, width, height) in enumerate(boxes):
            for u, v, other_width, other_height in boxes[:place]:
                assert abs(x - u) >= (width + other_width) / 2 or abs(y - v) >= (height + other_height) / 2, scene[
                    "scene"
                ]
