"""What views of a layout prove: the theorems under FrameEvidence-Open.

A layout is a place seen from above: objects, some of which have a front, and views, each a camera with a position, a heading, a
field of view and a reach. A view shows the objects in its field and reach that nothing hides, and tells for each where it
is relative to the camera and which way it faces. Two views that share an object with a front, or two objects, can be laid over one another
(registered); so a set of views falls into components, each rigid, which may stand to one another in any way whatever. A
question can be answered exactly when one component holds its target, its relatum and what fixes its frame (FrameEvidence,
Section 3, for what must be shown: an answer supported by the whole set and by no proper subset).

Lengths are metres and headings degrees counter-clockwise from +x. In a frame with heading h, forward is along h and left is
90 degrees counter-clockwise from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vantage.errors import InputError

INSUFFICIENT = "insufficient"
DIRECTIONS = {
    "axial": ("front", "left", "back", "right"),
    "quadrant": ("front-left", "back-left", "back-right", "front-right"),
}
"""The directions of each relation ontology, counter-clockwise; the first sector is centred at 0 (axial) or 45 degrees."""

_FIRST_SECTOR = {"axial": 0.0, "quadrant": 45.0}


@dataclass(frozen=True)
class Thing:
    """An object of a layout; `heading` is none where it has no front, `radius` is that of the disc that hides things."""

    x: float
    y: float
    heading: float | None
    radius: float


@dataclass(frozen=True)
class View:
    """A camera: its place, heading, whole field of view in degrees, and the reach within which it shows objects."""

    x: float
    y: float
    heading: float
    field_of_view: float
    reach: float


@dataclass(frozen=True)
class Frame:
    """What fixes "front": the heading of the view or object `anchor`, reversed where `backward`.

    `kind` is camera (the anchor is a view), object or scene (the anchor is an object; a fixture for a scene axis).
    """

    kind: str
    anchor: str
    backward: bool = False


@dataclass(frozen=True)
class Question:
    """Where is `target` relative to `relatum`, in `frame`, in the words of `ontology`?"""

    target: str
    relatum: str
    frame: Frame
    ontology: str


@dataclass(frozen=True)
class Layout:
    """Objects and views by identifier."""

    things: Mapping[str, Thing]
    views: Mapping[str, View]


@dataclass(frozen=True)
class Sighting:
    """What a view tells of an object it shows: metres forward and to the left of the camera, and the way it faces
    relative to the camera's heading (none where it has no front)."""

    forward: float
    left: float
    heading: float | None


Observation = dict[str, Sighting]
"""What one view shows, by object."""


@dataclass
class Component:
    """Registered views, in coordinates of the component's own: the first view at the origin, facing +x."""

    views: dict[str, tuple[float, float, float]] = field(default_factory=dict)  # x, y, heading
    things: dict[str, Thing] = field(default_factory=dict)


# ------------------------------------------------------------------------------------------------------------ seeing


def observe(layout: Layout, view: str) -> Observation:
    """What the view shows: the objects whose centre lies in its field and reach, the line of sight to it not being
    crossed by another object's disc.

    >>> layout = Layout(
    ...     {"cup": Thing(2, 0, None, 0.1), "box": Thing(3, 0, 90.0, 0.1), "far": Thing(0, 9, None, 0.1)},
    ...     {"v": View(0, 0, 0, 60, 5)},
    ... )
    >>> observe(layout, "v")  # the cup hides the box
    {'cup': Sighting(forward=2.0, left=0.0, heading=None)}
    """
    camera = layout.views[view]
    names = list(layout.things)
    if not names:
        return {}
    places = np.array([(thing.x, thing.y) for thing in layout.things.values()], dtype=float)
    radii = np.array([thing.radius for thing in layout.things.values()], dtype=float)
    local = (places - (camera.x, camera.y)) @ _turn(camera.heading)
    distance = np.hypot(*local.T)
    within = (distance <= camera.reach) & (
        np.degrees(np.abs(np.arctan2(local[:, 1], local[:, 0]))) <= camera.field_of_view / 2
    )
    shown = {}
    for at in np.flatnonzero(within):
        way = local[at] / distance[at]
        along, across = local @ way, np.abs(local @ (-way[1], way[0]))
        hides = (along > 0) & (along < distance[at]) & (across < radii)
        hides[at] = False
        if not hides.any():
            heading = layout.things[names[at]].heading
            shown[names[at]] = Sighting(
                float(local[at, 0]),
                float(local[at, 1]),
                None if heading is None else (heading - camera.heading) % 360,
            )
    return shown


def _turn(degrees: float) -> NDArray[np.float64]:
    """The matrix by which row vectors in the plane are multiplied to express them in axes turned by `degrees`."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


# ------------------------------------------------------------------------------------------------------- registering


def register(observations: Mapping[str, Observation]) -> list[Component]:
    """The components of a set of views, from what they show alone.

    Raises `InputError` where two components share a single object without a front: such a pair is hinged, and whether a ring
    of hinges is rigid is not decided here. FrameEvidence-Open has no such views.
    """
    parts = []
    for view, shown in observations.items():
        things = {name: Thing(s.forward, s.left, s.heading, 0.0) for name, s in shown.items()}
        parts.append(Component({view: (0.0, 0.0, 0.0)}, things))
    while pair := next((two for two in combinations(range(len(parts)), 2) if _joint(*(parts[i] for i in two))), None):
        first, second = (parts[i] for i in pair)
        parts[pair[0]] = _merged(first, second)
        del parts[pair[1]]
    for first, second in combinations(parts, 2):
        if hinge := first.things.keys() & second.things.keys():
            raise InputError(
                f"expected views that share nothing, an object with a front or two objects, found {', '.join(first.views)} and "
                f"{', '.join(second.views)} sharing only {', '.join(hinge)}; move a camera or give the object a front"
            )
    return parts


def _joint(first: Component, second: Component) -> bool:
    """Whether what both show fixes how they lie to one another."""
    shared = first.things.keys() & second.things.keys()
    return len(shared) > 1 or any(first.things[name].heading is not None for name in shared)


def _merged(first: Component, second: Component) -> Component:
    """Both, in the coordinates of the first."""
    shared = sorted(first.things.keys() & second.things.keys())
    here = np.array([(first.things[name].x, first.things[name].y) for name in shared])
    there = np.array([(second.things[name].x, second.things[name].y) for name in shared])
    fronts = [name for name in shared if first.things[name].heading is not None]
    if fronts:
        turn = first.things[fronts[0]].heading - second.things[fronts[0]].heading
    else:
        line, other = here[1] - here[0], there[1] - there[0]
        turn = np.degrees(np.arctan2(line[1], line[0]) - np.arctan2(other[1], other[0]))
    shift = here[0] - there[0] @ _turn(-turn)
    views, things = dict(first.views), dict(first.things)
    for name, (x, y, heading) in second.views.items():
        place = np.array([x, y]) @ _turn(-turn) + shift
        views[name] = (*map(float, place), (heading + turn) % 360)
    for name, thing in second.things.items():
        place = np.array([thing.x, thing.y]) @ _turn(-turn) + shift
        heading = None if thing.heading is None else (thing.heading + turn) % 360
        things.setdefault(name, Thing(*map(float, place), heading, 0.0))
    return Component(views, things)


# --------------------------------------------------------------------------------------------------------- answering


def bearing(target: tuple[float, float], relatum: tuple[float, float], heading: float) -> float:
    """The direction from relatum to target in a frame, degrees counter-clockwise from its front, in [0, 360)."""
    return float(np.degrees(np.arctan2(target[1] - relatum[1], target[0] - relatum[0])) - heading) % 360


def direction(degrees: float, ontology: str) -> str:
    """The word for a bearing.

    >>> direction(80, "axial"), direction(80, "quadrant"), direction(280, "quadrant")
    ('left', 'front-left', 'front-right')
    """
    return DIRECTIONS[ontology][int((degrees - _FIRST_SECTOR[ontology] + 45) // 90) % 4]


def middle(said: str, ontology: str) -> float:
    """The bearing in the middle of a direction, degrees counter-clockwise from front.

    >>> middle("left", "axial"), middle("front-right", "quadrant")
    (90.0, 315.0)
    """
    return _FIRST_SECTOR[ontology] + 90 * DIRECTIONS[ontology].index(said)


def clearance(degrees: float, ontology: str) -> float:
    """How many degrees a bearing lies from the nearest border between two words, 0 to 45."""
    return 45 - abs((degrees - _FIRST_SECTOR[ontology] + 45) % 90 - 45)


def truth(layout: Layout, question: Question) -> tuple[str, float]:
    """The answer in the world itself, and its clearance in degrees."""
    frame = question.frame
    anchor = (layout.views if frame.kind == "camera" else layout.things)[frame.anchor]
    ends = [(layout.things[name].x, layout.things[name].y) for name in (question.target, question.relatum)]
    degrees = bearing(*ends, anchor.heading + 180 * frame.backward)
    return direction(degrees, question.ontology), clearance(degrees, question.ontology)


def supported(observations: Mapping[str, Observation], question: Question) -> str:
    """The answer that these views support, derived from what they show: a direction, or `INSUFFICIENT`."""
    frame = question.frame
    for part in register(observations):
        if not {question.target, question.relatum} <= part.things.keys():
            continue
        if frame.kind == "camera":
            heading = part.views[frame.anchor][2] if frame.anchor in part.views else None
        else:
            heading = part.things[frame.anchor].heading if frame.anchor in part.things else None
        if heading is not None:
            ends = [(part.things[name].x, part.things[name].y) for name in (question.target, question.relatum)]
            return direction(bearing(*ends, heading + 180 * frame.backward), question.ontology)
    return INSUFFICIENT


def observed(layout: Layout, views: Sequence[str]) -> dict[str, Observation]:
    """What each of the views shows."""
    return {view: observe(layout, view) for view in views}


# --------------------------------------------------------------------------------------------- insufficiency, by example

_APART = 1000.0


def other_world(layout: Layout, views: Sequence[str], question: Question, turn: float) -> tuple[Layout, float]:
    """Another world in which the same views show the same, and the heading of the question's frame in it, degrees.

    Each component of the views is carried off as it is, far beyond the reach of the others, with whatever might hide
    something in it; what the question names and no view shows is put somewhere by itself. Where target and relatum are in
    one component, that one is turned by `turn` degrees; otherwise the target's is carried off in another direction.
    """
    parts = register(observed(layout, views))
    at_target = next((part for part in parts if question.target in part.things), None)
    together = at_target is not None and question.relatum in at_target.things
    things, cameras = {}, {}
    for number, part in enumerate(parts):
        is_target = part is at_target
        far = 12 if is_target else number + 1
        move = _mover(turn * (together and is_target), _spot(far, turn * (is_target and not together)))
        for name, thing in layout.things.items():
            # What the views do not show, but might stand in their way, comes along under a name of its own.
            things[name if name in part.things else f"{name} beside {number}"] = move(thing)
        cameras |= {view: move(layout.views[view]) for view in part.views}
    named = dict.fromkeys((question.target, question.relatum, question.frame.anchor))
    for number, name in enumerate(name for name in named if name in layout.things and name not in things):
        is_target = name == question.target
        move = _mover(0.0, _spot(12 if is_target else number + len(parts) + 1, turn * is_target))
        things[name] = move(layout.things[name])
    frame = question.frame
    # A camera whose picture is withheld may have faced any way, so also the way it does.
    anchor = {**layout.views, **cameras}[frame.anchor] if frame.kind == "camera" else things[frame.anchor]
    return Layout(things, cameras), anchor.heading + 180 * frame.backward


def _spot(number: int, degrees: float) -> NDArray[np.float64]:
    """A place far from all others. The target's is the farthest by much, so that turning it turns its direction from any other."""
    return np.array([_APART * 2**number, 0.0]) @ _turn(-degrees - 20)


def _mover(degrees: float, shift: NDArray[np.float64]):
    """Turns a thing or a view about the origin and carries it off."""

    def move(what):
        x, y = map(float, np.array([what.x, what.y]) @ _turn(-degrees) + shift)
        heading = None if what.heading is None else what.heading + degrees
        if isinstance(what, Thing):
            return Thing(x, y, heading, what.radius)
        return View(x, y, heading, what.field_of_view, what.reach)

    return move


def same_pictures(first: Mapping[str, Observation], second: Mapping[str, Observation], tolerance: float = 1e-6) -> bool:
    """Whether two worlds look the same in every view: the same objects at the same places, facing the same ways."""
    for view, shown in first.items():
        if list(shown) != [name for name in shown if name in second[view]] or len(shown) != len(second[view]):
            return False
        for name, sighting in shown.items():
            other = second[view][name]
            if (sighting.heading is None) != (other.heading is None):
                return False
            turned = 0.0 if sighting.heading is None else (sighting.heading - other.heading + 180) % 360 - 180
            if max(abs(sighting.forward - other.forward), abs(sighting.left - other.left), abs(turned)) > tolerance:
                return False
    return True


def possible_answers(layout: Layout, views: Sequence[str], question: Question) -> set[str]:
    """Directions that hold in worlds which all look the same in these views; more than one proves insufficiency.

    Raises `InputError` where a constructed world looks different, which would refute the construction.
    """
    found = set()
    pictures = observed(layout, views)
    for turn in (0.0, 90.0, 180.0, 270.0):
        world, heading = other_world(layout, views, question, turn)
        if not same_pictures(pictures, observed(world, views)):
            raise InputError(f"expected a world that looks the same in {', '.join(views)}, found one that differs")
        ends = [(world.things[name].x, world.things[name].y) for name in (question.target, question.relatum)]
        found.add(direction(bearing(*ends, heading), question.ontology))
    return found
