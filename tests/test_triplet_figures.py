"""The figures of the FrameEvidence pages, as far as a program can judge them: words that do not cover one another."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from vantage.tables.ordinals import first_parted_group
from vantage.triplet_figures import layout_figure
from vantage.triplets import load_triplets


@pytest.mark.parametrize("choose", [lambda _: "fq1-120", lambda _: "fq2-120", first_parted_group])
def test_names_on_the_layouts_of_the_pages_stand_apart(choose):
    """Each object of the question has its word within the axes; no two words overlap as drawn, and no arrow
    crosses a word."""
    triplets = load_triplets()
    group = choose(triplets)
    figure = layout_figure(triplets, group)
    try:
        figure.canvas.draw()
        (axes,) = figure.axes
        asked = triplets.questions.iloc[triplets.of_group(group)[0]]
        things = {thing["object"]: thing["en"] for thing in triplets.scenes[asked["scene_cluster"]]["objects"]}
        boxes = {text.get_text(): text.get_window_extent() for text in axes.texts if text.get_text() in things.values()}
        assert {things[asked[role]] for role in ("target", "relatum", "third")} <= boxes.keys()
        frame = axes.get_window_extent()
        assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes.values())
        assert all(frame.y0 <= box.y0 and box.y1 <= frame.y1 for box in boxes.values())
        assert not [pair for pair in combinations(boxes, 2) if boxes[pair[0]].overlaps(boxes[pair[1]])]
        ends = [(text.xyann, text.xy) for text in axes.texts if text.arrow_patch is not None]
        assert ends
        for start, end in ends:
            path = axes.transData.transform(np.linspace(start, end, 50))
            assert not [name for name, box in boxes.items() if any(box.contains(*place) for place in path)]
    finally:
        plt.close(figure)
