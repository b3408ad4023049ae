"""What views prove, on layouts small enough to work out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.errors import InputError
from vantage.layouts import (
    INSUFFICIENT,
    Frame,
    Layout,
    Question,
    Thing,
    View,
    bearing,
    clearance,
    direction,
    observe,
    observed,
    other_world,
    possible_answers,
    register,
    same_pictures,
    supported,
    truth,
)


def row_of_rooms() -> Layout:
    """Three views in a row, each sharing a chair (with a front) with the next; cup at one end, box at the other.

    Camera a looks along +y at (0, 0), b at (4, 0), c at (8, 0); all stand 4 below, with a field that reaches 2.2 to either side.
    """
    things = {
        "cup": Thing(-1, 0, None, 0.1),
        "chair 1": Thing(2, 0, 90.0, 0.1),
        "lamp": Thing(4, 0.5, None, 0.1),
        "chair 2": Thing(6, 0, 180.0, 0.1),
        "box": Thing(9, 1, None, 0.1),
        "door": Thing(8, 1, 270.0, 0.1),
    }
    field = 2 * math.degrees(math.atan2(2.2, 4))
    return Layout(things, {name: View(x, -4, 90.0, field, 6.0) for name, x in (("a", 0), ("b", 4), ("c", 8))})


ACROSS = Question("cup", "box", Frame("camera", "b"), "axial")


def test_a_view_tells_where_things_are_relative_to_the_camera():
    """Camera a faces +y: the cup is 4 ahead and 1 to the left (-x), chair 1 4 ahead and 2 to the right, facing as the camera does."""
    shown = observe(row_of_rooms(), "a")
    assert list(shown) == ["cup", "chair 1"]
    assert (shown["cup"].forward, shown["cup"].left) == pytest.approx((4, 1))
    assert shown["cup"].heading is None
    assert (shown["chair 1"].forward, shown["chair 1"].left, shown["chair 1"].heading) == pytest.approx((4, -2, 0))


def test_reach_field_and_hiding_each_take_an_object_away():
    things = {"near": Thing(2, 0, None, 0.2), "behind it": Thing(4, 0.1, None, 0.2), "beside": Thing(4, 1, None, 0.2)}
    assert list(observe(Layout(things, {"v": View(0, 0, 0, 90, 10)}), "v")) == ["near", "beside"]
    assert list(observe(Layout(things, {"v": View(0, 0, 0, 10, 10)}), "v")) == ["near"]
    assert list(observe(Layout(things, {"v": View(0, 0, 0, 90, 3)}), "v")) == ["near"]
    assert not observe(Layout({}, {"v": View(0, 0, 0, 90, 3)}), "v")


def test_neighbouring_views_are_registered_and_distant_ones_are_not():
    layout = row_of_rooms()
    assert [set(part.views) for part in register(observed(layout, "abc"))] == [{"a", "b", "c"}]
    assert [set(part.views) for part in register(observed(layout, "ac"))] == [{"a"}, {"c"}]


def test_registered_views_give_back_the_world_up_to_a_motion():
    """In coordinates of camera a (at the origin, facing +x): world (x, y) is (y + 4, -x), by hand."""
    (part,) = register(observed(row_of_rooms(), "abc"))
    for name, thing in row_of_rooms().things.items():
        assert (part.things[name].x, part.things[name].y) == pytest.approx((thing.y + 4, -thing.x)), name
    assert part.views["c"] == pytest.approx((0, -8, 0))
    assert part.things["door"].heading == pytest.approx(180)


def test_two_objects_without_fronts_register_two_views():
    things = {"p": Thing(2, 1, None, 0.1), "q": Thing(3, -1, None, 0.1)}
    layout = Layout(things, {"v": View(0, 0, 0, 90, 9), "w": View(6, 0, 180, 90, 9)})
    (part,) = register(observed(layout, "vw"))
    assert part.views["w"] == pytest.approx((6, 0, 180))


def test_a_hinge_is_refused_by_name():
    things = {"p": Thing(2, 0, None, 0.1)}
    layout = Layout(things, {"v": View(0, 0, 0, 90, 9), "w": View(4, 0, 180, 90, 9)})
    with pytest.raises(InputError, match="found v and w sharing only p; move a camera"):
        register(observed(layout, "vw"))


def test_an_answer_needs_target_relatum_and_anchor_in_one_component():
    """From the box the cup is at (-10, -1). Camera b faces +y, so left is -x: the cup is to the left. All three views are needed."""
    layout = row_of_rooms()
    assert truth(layout, ACROSS)[0] == "left"
    assert supported(observed(layout, "abc"), ACROSS) == "left"
    for some in ("ab", "bc", "ac", "a", "b", "c"):
        assert supported(observed(layout, some), ACROSS) == INSUFFICIENT, some
    door = Question("lamp", "chair 1", Frame("scene", "door"), "axial")
    assert supported(observed(layout, "ab"), door) == INSUFFICIENT
    # The door faces -y; the lamp is at (2, .5) from chair 1: its left is +x.
    assert supported(observed(layout, "abc"), door) == "left"
    assert (
        supported(observed(layout, "abc"), Question("lamp", "chair 1", Frame("scene", "door", True), "axial"))
        == "right"
    )


@pytest.mark.parametrize("some", ["ab", "bc", "ac", "a", "b", "c"])
@pytest.mark.parametrize("kind, anchor", [("camera", "b"), ("scene", "door"), ("object", "chair 1")])
def test_insufficiency_comes_with_worlds_that_look_the_same(some, kind, anchor):
    """What supports no answer has worlds with the same pictures and different answers, and the other way round."""
    layout = row_of_rooms()
    question = Question("cup", "box", Frame(kind, anchor), "axial")
    assert supported(observed(layout, some), question) == INSUFFICIENT
    assert len(possible_answers(layout, some, question)) > 1


def test_what_is_supported_holds_in_every_world_that_looks_the_same():
    assert possible_answers(row_of_rooms(), "abc", ACROSS) == {"left"}


def test_another_world_differs_and_looks_the_same():
    layout = row_of_rooms()
    world, _ = other_world(layout, "ac", ACROSS, 90.0)
    assert world.things["cup"] != layout.things["cup"]
    assert same_pictures(observed(layout, "ac"), observed(world, "ac"))
    moved = Layout(layout.things | {"cup": Thing(-1.01, 0, None, 0.1)}, layout.views)
    assert not same_pictures(observed(layout, "a"), observed(moved, "a"))


@given(st.floats(0, 359.999), st.floats(-180, 180), st.floats(-5, 5), st.floats(-5, 5))
def test_turning_and_moving_everything_changes_no_answer(turn, way, dx, dy):
    layout, angle = row_of_rooms(), math.radians(turn)
    rotation = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])

    def moved(what):
        x, y = np.array([what.x, what.y]) @ rotation + (dx, dy)
        heading = None if what.heading is None else what.heading + turn
        rest = (what.radius,) if isinstance(what, Thing) else (what.field_of_view, what.reach)
        return type(what)(float(x), float(y), heading, *rest)

    turned = Layout(*({name: moved(what) for name, what in some.items()} for some in (layout.things, layout.views)))
    assert truth(turned, ACROSS) == (truth(layout, ACROSS)[0], pytest.approx(truth(layout, ACROSS)[1]))
    assert supported(observed(turned, "abc"), ACROSS) == "left"


@pytest.mark.parametrize(
    ("degrees", "axial", "quadrant"),
    [(0.1, "front", "front-left"), (89.9, "left", "front-left"), (90.1, "left", "back-left"), (181, "back", "back-right"),
     (269, "right", "back-right"), (271, "right", "front-right"), (359.9, "front", "front-right")],
)  # fmt: skip
def test_sectors(degrees, axial, quadrant):
    assert (direction(degrees, "axial"), direction(degrees, "quadrant")) == (axial, quadrant)


def test_clearance_is_the_distance_to_the_nearest_border():
    assert clearance(0, "axial") == 45
    assert clearance(44, "axial") == clearance(46, "axial") == 1
    assert clearance(0, "quadrant") == 0
    assert clearance(100, "quadrant") == 10
    assert bearing((0, 1), (0, 0), 90) == 0
    assert bearing((1, 0), (0, 0), 90) == 270
