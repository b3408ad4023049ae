"""Readers: responders that know of a scene no more than one input representation gives (Supp. 1.2 and 7.3)."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vantage.items import CVTItems
from vantage.relations import asserted, encode, observed, relation_set
from vantage_workshop.responders.cvt.mechanism import Answers, Asking, of_ends, per_object, yaws

PIXELS = 6
"""A label is asserted beyond this offset in the picture, about .2 world units from left to right in mid-picture."""


def box_reader(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The layout of the boxes in the picture, as if the picture were a map: box centres from left to right, lower edges
    from front to behind.

    Expected: a layout, if a wrong one, hence always realizable, the same at 0 and 360, and its own source answer turned at
    every cardinal view. Worst at diagonals: the picture shortens depth, and only there are lengths of two axes compared.
    """
    return asserted(observed(_picture_offsets(items), yaws(items)), margin=PIXELS)


def graph_reader(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The source relations of the scene graph, turned; at a diagonal, the labels whose opposite they exclude.

    A graph knows no lengths, so each of its labels is turned as a step of one unit. Expected: exact at cardinal views and Top,
    where turning permutes labels. At a diagonal X = h (x + y) and Y = h (y - x). From two source labels one of these is a sum of
    two terms with one sign, so its label holds; the other is a difference, and nothing is said of it. From a single label both
    are led by the larger term: both signs are right, though one may stay within the margin. So nothing said at a
    diagonal has the wrong sign, the true layout fits it all, and every scene is realizable. From two source labels one true
    label is said, of two or of one.
    """
    return relation_set(_turned_steps(items), margin=0.5)


def graph_and_boxes_reader(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """As the reader of graphs; what the graph leaves open at diagonals is read off the boxes.

    Expected: the same answers at cardinal views and Top, and from single source labels. Elsewhere the label that the graph
    decides stays, and the boxes add a second one or none.
    """
    steps = _turned_steps(items)
    left_open = (steps == 0) & (yaws(items) % 90 != 0)[:, None]
    in_picture = observed(_picture_offsets(items), yaws(items))
    return relation_set(steps, margin=0.5) | relation_set(np.where(left_open, in_picture, 0), margin=PIXELS)


def _picture_offsets(items: CVTItems) -> NDArray[np.float64]:
    """Target minus anchor in the picture, (questions, 2): to the right, and up as if it were behind; pixels."""

    def in_picture(thing: dict) -> tuple[float, float]:
        x, y, w, h = thing["box"]
        return x + w / 2, -(y + h)

    target, anchor = of_ends(items, per_object(items, in_picture))
    return target - anchor


def _turned_steps(items: CVTItems) -> NDArray[np.float64]:
    """One unit in the direction of each label that the graph has for the pair, turned to the viewpoint, (questions, 2).

    A component is 0 where the labels do not decide it.
    """
    graph: dict[tuple[str, int, int], int] = {}
    for scene in items.scenes:
        for line in scene["scene_graph"]:
            for target in line["targets"]:
                pair = scene["scene"], target, line["tag"]
                graph[pair] = graph.get(pair, 0) | encode([line["direction"]], "0")
    asked = zip(items.questions.scene, items.questions.target, items.questions.anchor, strict=True)
    left, right, front, behind = ((np.array([graph[pair] for pair in asked])[:, None] >> np.arange(4)) & 1).T
    return observed(np.column_stack([right - left, behind - front]), yaws(items))
