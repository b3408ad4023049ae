"""Another world that looks the same, near enough to be drawn: insufficiency as something to look at.

`vantage.layouts.other_world` carries what the views do not hold together kilometres apart, so that nothing can come into anyone's
sight. Here its parts are moved together again as far as every view still shows the same, which is checked and not assumed.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.errors import InputError
from vantage.layouts import (
    Component,
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
    register,
    same_pictures,
    truth,
)

_TURNS = (180.0, 90.0, 270.0, 0.0)
_WIDER = 1.2
_TRIES = 16


def hidden(layout: Layout, view: str) -> dict[str, list[str]]:
    """The objects in the field and reach of a view that others hide from it, each with those that hide it.

    >>> layout = Layout({"cup": Thing(2, 0, None, 0.1), "box": Thing(3, 0, 90.0, 0.1)}, {"v": View(0, 0, 0, 60, 5)})
    >>> hidden(layout, "v")
    {'box': ['cup']}
    """

    def shows(name: str, *others: str) -> bool:
        return name in observe(Layout({one: layout.things[one] for one in (name, *others)}, layout.views), view)

    unseen = [name for name in layout.things.keys() - observe(layout, view).keys() if shows(name)]
    return {
        name: [other for other in layout.things if other != name and not shows(name, other)] for name in sorted(unseen)
    }


def nearby_world(layout: Layout, views: Sequence[str], question: Question) -> tuple[Layout, float, str]:
    """A small world in which the views show the same and the answer is another: its layout, the heading of the question's
    frame in it (degrees), and its answer.

    It holds what the views show, what hides something from them and, out of all their fields, what else the question names. Raises
    `InputError` where these views do not leave the answer open (FrameEvidence, Section 3).
    """
    pictures = observed(layout, views)
    parts = register(pictures)
    right, _ = truth(layout, question)
    others = []
    for turn in _TURNS:
        far, front = other_world(layout, views, question, turn)
        degrees = bearing(*(_place(far.things[name]) for name in _ends(question)), front)
        if (said := direction(degrees, question.ontology)) != right:
            others.append((clearance(degrees, question.ontology), said, far, front))
    # The clearest first: an answer on the border to another one would convince nobody.
    for _, said, far, front in sorted(others, key=lambda other: -other[0]):
        pieces = _pieces(layout, far, parts, question)
        alone = {name for piece in pieces if not piece.views for name in piece.things}
        for step in range(_TRIES):
            near = _gathered(far, pieces, question, _WIDER**step)
            if same_pictures(pictures, observed(near, views)) and not any(
                alone & hidden(near, v).keys() for v in views
            ):
                return near, front, said
    raise InputError(
        f"expected views that leave the answer open, found {', '.join(views)}, for which no other world was found; "
        "ask for a deletion"
    )


def _ends(question: Question) -> tuple[str, str]:
    return question.target, question.relatum


def _place(what: Thing | View) -> tuple[float, float]:
    return what.x, what.y


def _pieces(layout: Layout, far: Layout, parts: Sequence[Component], question: Question) -> list[Layout]:
    """What moves as one: each component with what hides something in it, and each named object that no view shows."""
    pieces = []
    for number, part in enumerate(parts):
        hiding = {
            other
            for view in part.views
            for name, others in hidden(layout, view).items()
            if name in part.things
            for other in others
        }
        names = [*part.things, *(f"{name} beside {number}" for name in sorted(hiding - part.things.keys()))]
        pieces.append(
            Layout({name: far.things[name] for name in names}, {view: far.views[view] for view in part.views})
        )
    shown = {name for part in parts for name in part.things}
    named = dict.fromkeys((*_ends(question), question.frame.anchor))
    return pieces + [Layout({name: far.things[name]}, {}) for name in named if name in far.things and name not in shown]


def _gathered(far: Layout, pieces: Sequence[Layout], question: Question, spread: float) -> Layout:
    """The pieces side by side, relatum at the origin and the target in the direction from it that it has far away."""
    target, relatum = (np.array(_place(far.things[name])) for name in _ends(question))
    home = next(piece for piece in pieces if question.relatum in piece.things)
    way = (target - relatum) / np.hypot(*(target - relatum))
    sizes = {id(piece): _circle(piece) for piece in pieces}
    things, views, others = {}, {}, 0
    for piece in pieces:
        middle, radius = sizes[id(piece)]
        away = spread * (sizes[id(home)][1] + radius + 1e-3)
        if piece is home:
            shift = -relatum
        elif question.target in piece.things:
            shift = away * way - target
        else:
            others += 1
            shift = away * _quarter(way, others) - middle
        things |= {
            name: Thing(thing.x + shift[0], thing.y + shift[1], thing.heading, thing.radius)
            for name, thing in piece.things.items()
        }
        views |= {
            name: View(view.x + shift[0], view.y + shift[1], view.heading, view.field_of_view, view.reach)
            for name, view in piece.views.items()
        }
    return Layout(things, views)


def _quarter(way: NDArray, turns: int) -> NDArray:
    """A direction turned by quarters, so that pieces come to lie round the relatum's."""
    return np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), turns) @ way


def _circle(piece: Layout) -> tuple[NDArray, float]:
    """The middle of a piece, and the radius about it that takes all of it in."""
    spots = np.array([_place(what) for what in (*piece.things.values(), *piece.views.values())])
    middle = (spots.min(axis=0) + spots.max(axis=0)) / 2
    return middle, float(np.hypot(*(spots - middle).T).max())
