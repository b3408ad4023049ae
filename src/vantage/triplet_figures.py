"""The figures of the FrameEvidence pages: one function a figure, data in, a matplotlib Figure out.

Colours are those of `vantage.figures`; no meaning hangs on colour alone.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Wedge
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MultipleLocator
from numpy.typing import NDArray

from vantage.classification import random_joint
from vantage.figures import OKABE_ITO
from vantage.layouts import Layout, Thing, View
from vantage.triplets import Triplets

TARGET, RELATUM = OKABE_ITO["vermillion"], OKABE_ITO["blue"]
"""The object asked about, and the one it is compared with."""

FRAME_STYLES = {
    "camera": ("Camera", OKABE_ITO["green"], "-"),
    "object": ("Object", OKABE_ITO["purple"], (0, (5, 1.5))),
    "scene": ("Scene", OKABE_ITO["black"], (0, (1.5, 1.2))),
}
"""Name, colour and line of each kind of frame."""

_INK, _PALE, _GRID = "#1f2933", "#9aa5b1", "#e4e7eb"


def layout_figure(triplets: Triplets, group: str) -> Figure:
    """A group's layout from above: its views with their fields, what they show, and which way "front" is in each frame.

    Named are the objects in question, what fixes a frame, and what more than one view of the base set shows. FQ1 has an arrow for
    each of its three frames at the relatum; FQ2 has one, and its removed and added views are marked.
    """
    rows = triplets.of_group(group)
    items = triplets.questions.iloc[rows]
    scene = items["scene_cluster"].iloc[0]
    layout = triplets.layout(scene)
    base = items["views"].iloc[0]
    added = [view for view in items["views"].iloc[2] if view not in base and view in layout.views]
    removed = [view for view in base if view not in items["views"].iloc[1]]
    shown = set().union(*(triplets.observation(view) for view in (*base, *added)))
    figure, axes = plt.subplots(figsize=(7.4, 6.4), dpi=150, layout="constrained")
    scale = _frame_axes(axes, layout, [*base, *added], shown)
    for number, view in enumerate(base, 1):
        style = "--" if view in removed else "-"
        _draw_view(
            axes, layout, view, scale, f"{number}{' removed' if view in removed else ''}", OKABE_ITO["sky blue"], style
        )
    for view in added:
        _draw_view(axes, layout, view, scale, "added", OKABE_ITO["orange"], ":")
    names = {thing["object"]: thing["en"] for thing in triplets.scenes[scene]["objects"]}
    anchors = [triplets.question(row).frame.anchor for row in rows]
    bridges = [name for name in shown if sum(name in triplets.observation(view) for view in base) > 1]
    named = {items["target"].iloc[0], items["relatum"].iloc[0], items["third"].iloc[0], *anchors, *bridges}
    for name in sorted(shown):
        _draw_thing(axes, layout, name, scale, items.iloc[0])
    arrows = [
        _draw_front(axes, layout, triplets, row, scale)
        for row in (rows.tolist() if items["family"].iloc[0] == "FQ1" else rows[:1].tolist())
    ]
    words = {
        name: names[name] for name in (*items.iloc[0][["target", "relatum"]], *sorted(shown)) if name in named & shown
    }
    edges = [edge for view in (*base, *added) for edge in _edges(layout.views[view])]
    _draw_words(axes, layout, words, scale, arrows, edges, [layout.things[name] for name in shown])
    kinds = dict.fromkeys(triplets.question(row).frame.kind for row in rows)
    handles = [
        Line2D([], [], color=color, linestyle=line, linewidth=2.4, label=f"front, {name.lower()} frame")
        for name, color, line in (FRAME_STYLES[kind] for kind in kinds)
    ]
    handles += [
        Line2D([], [], marker="o", linestyle="", color=TARGET, label="target"),
        Line2D([], [], marker="s", linestyle="", color=RELATUM, label="relatum"),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=11)
    return figure


def _frame_axes(axes: Axes, layout: Layout, views: Sequence[str], shown: set[str]) -> float:
    """Equal axes in metres round what is drawn; returns the length of a symbol."""
    points = [(layout.things[name].x, layout.things[name].y) for name in shown]
    points += [(layout.views[view].x, layout.views[view].y) for view in views]
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    half = 0.56 * float((high - low).max())
    centre = (low + high) / 2
    axes.set(
        xlim=(centre[0] - half, centre[0] + half),
        ylim=(centre[1] - half, centre[1] + half),
        aspect="equal",
        xlabel="metres",
    )
    axes.grid(color=_GRID)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=10.5, length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return half / 14


def _draw_view(axes: Axes, layout: Layout, view: str, scale: float, label: str, color: str, line: str) -> None:
    camera = layout.views[view]
    half = camera.field_of_view / 2
    axes.add_patch(
        Wedge(
            (camera.x, camera.y), camera.reach, camera.heading - half, camera.heading + half,
            facecolor=color, alpha=0.13, edgecolor="none", zorder=1,
        )
    )  # fmt: skip
    for start, end in _edges(camera):
        axes.plot([start[0], end[0]], [start[1], end[1]], color=color, linestyle=line, linewidth=1.1, zorder=2)
    way = np.radians(camera.heading)
    back = np.array([camera.x, camera.y]) - 1.1 * scale * np.array([np.cos(way), np.sin(way)])
    tip = np.array([camera.x, camera.y]) + 0.9 * scale * np.array([np.cos(way), np.sin(way)])
    axes.plot([camera.x, tip[0]], [camera.y, tip[1]], color=_INK, linewidth=3.2, solid_capstyle="butt", zorder=6)
    axes.plot(camera.x, camera.y, marker="o", markersize=8, color=_INK, zorder=6)
    axes.annotate(label, back, ha="center", va="center", fontsize=11, fontweight="bold", color=_INK, zorder=7)


def _edges(camera: View) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The two straight edges of a camera's field of view, each from the camera to its reach."""
    start = np.array([camera.x, camera.y])
    ways = np.radians(camera.heading + np.array([-1, 1]) * camera.field_of_view / 2)
    return [(start, start + camera.reach * np.array([np.cos(way), np.sin(way)])) for way in ways]


def _draw_thing(axes: Axes, layout: Layout, name: str, scale: float, item: pd.Series) -> None:
    thing = layout.things[name]
    role = {item["target"]: (TARGET, "o"), item["relatum"]: (RELATUM, "s")}.get(name, (_PALE, "o"))
    size = 10 if name in (item["target"], item["relatum"]) else 6.5
    axes.plot(thing.x, thing.y, marker=role[1], color=role[0], markersize=size, markeredgecolor="white", zorder=4)
    if thing.heading is not None:
        way = np.radians(thing.heading)
        axes.plot(
            [thing.x, thing.x + 0.85 * scale * np.cos(way)], [thing.y, thing.y + 0.85 * scale * np.sin(way)],
            color=role[0] if role[0] != _PALE else _INK, linewidth=1.6, zorder=5,
        )  # fmt: skip


def _draw_words(
    axes: Axes,
    layout: Layout,
    words: dict[str, str],
    scale: float,
    arrows: Sequence[tuple],
    edges: Sequence[tuple],
    things: Sequence[Thing],
) -> None:
    """The names of objects, each on the side of its object where it covers least: no other name, and if it can be no arrow,
    object, camera or edge of a field."""
    share = np.linspace(0, 1, 40)[:, None]
    weights = ((4.0, arrows), (0.25, edges))
    marks = [(weight / 4, start + share * (end - start)) for weight, lines in weights for start, end in lines]
    marks += [(1.5, np.array([[thing.x, thing.y] for thing in things]))]
    marks += [(3.0, np.array([start for start, _ in edges]))]
    low, high = np.transpose([axes.get_xlim(), axes.get_ylim()])
    taken: list[NDArray[np.float64]] = []
    for name, word in words.items():
        thing, points = layout.things[name], 10.5 if len(taken) < 2 else 9.5
        # The axes are 28 symbols wide, about 380 points; a letter is about half as wide as it is high.
        wide, tall = 0.58 * points * len(word) * scale / 13.6, 1.35 * points * scale / 13.6
        boxes = []
        sides = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
        for (right, up), far in product(sides, (0, 0.9)):
            gap = (far + (0.65 if right == 0 or up == 0 else 0.4)) * scale
            middle = np.array([thing.x + right * (wide / 2 + gap), thing.y + up * (tall / 2 + gap)])
            half = np.array([wide, tall]) / 2
            cost = 0.02 * len(boxes) + 2 * far + 500 * bool(np.any(middle - half < low) or np.any(middle + half > high))
            cost += sum(
                weight * np.all(np.abs(places - middle) <= half * [1, 1.1], axis=1).sum() for weight, places in marks
            )
            cost += sum(200 * bool(np.all(np.abs(other[0] - middle) < other[1] + half)) for other in taken)
            boxes.append((cost, middle, half))
        _, middle, half = min(boxes, key=lambda box: box[0])
        taken.append(np.array([middle, half]))
        axes.annotate(
            word, middle, ha="center", va="center", fontsize=points, color=_INK, zorder=10,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
        )  # fmt: skip


def _draw_front(axes: Axes, layout: Layout, triplets: Triplets, row: int, scale: float) -> tuple:
    """An arrow at the relatum that points to where "front" is; returns its two ends."""
    question = triplets.question(row)
    frame = question.frame
    anchor = (layout.views if frame.kind == "camera" else layout.things)[frame.anchor]
    way = np.radians(anchor.heading + 180 * frame.backward)
    relatum = layout.things[question.relatum]
    _, color, line = FRAME_STYLES[frame.kind]
    start = np.array([relatum.x, relatum.y])
    end = start + 3.4 * scale * np.array([np.cos(way), np.sin(way)])
    axes.annotate(
        "", end, start,
        arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 2.4, "linestyle": line, "mutation_scale": 17}, zorder=9,
    )  # fmt: skip
    return start, end


# --------------------------------------------------------------------------------------------------------- composition


def image_counts_figure(triplets: Triplets) -> Figure:
    """FQ2 test questions by number of images and condition (Figure 3a's subject): one and five images give the condition away."""
    asked = triplets.questions.query("split == 'test' and family == 'FQ2'")
    counts = pd.crosstab(asked["views"].map(len), asked["condition"]).reindex(range(1, 6), fill_value=0)
    styles = {
        "deletion": ("Deletion", OKABE_ITO["vermillion"], ""),
        "mss": ("MSS", OKABE_ITO["sky blue"], "//"),
        "addition": ("Addition", OKABE_ITO["yellow"], ".."),
    }
    figure, axes = plt.subplots(figsize=(8.3, 3.9), dpi=150, layout="constrained")
    below = np.zeros(len(counts))
    for condition, (_, color, hatch) in styles.items():
        values = counts[condition].to_numpy()
        axes.bar(
            counts.index, values, bottom=below, color=color, hatch=hatch, edgecolor=_INK, linewidth=0.8, width=0.66
        )
        for at, value, base in zip(counts.index, values, below, strict=True):
            if value:
                axes.text(
                    at, base + value / 2, value, ha="center", va="center", fontsize=11.5, color=_INK,
                    bbox={"boxstyle": "round,pad=.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.9},
                )  # fmt: skip
        below += values
    axes.set_xlabel("images in the question", fontsize=12)
    axes.set_ylabel("test questions", fontsize=12)
    axes.set_xticks(counts.index)
    _quiet(axes, "y")
    handles = [Patch(facecolor=c, hatch=h, edgecolor=_INK, label=name) for name, c, h in styles.values()]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=12)
    return figure


# -------------------------------------------------------------------------------------------------------- joint success


def joint_figure(table: pd.DataFrame, most: Mapping[str, float] | None = None) -> Figure:
    """Observed joint success beside the fixed-marginal reference and the range that the counts allow, a panel a score; percent.

    `table` is `vantage.tables.triplets.reference_table`. `most` ends the axis of a score below 100.
    """
    scores, sets = [*table["Score"].unique()] or [*_BY_CHANCE], table["Set"].unique()
    figure, panels = plt.subplots(
        1, len(scores), figsize=(8.3, 1.6 + 0.42 * len(sets)), dpi=150, sharey=True, layout="constrained", squeeze=False
    )
    for axes, score in zip(panels.flat, scores, strict=True):
        part = table[table["Score"] == score].set_index("Set").reindex(sets)
        place = np.arange(len(sets))
        axes.hlines(place, part["Lowest"], part["Highest"], color=_PALE, linewidth=5, alpha=0.55, zorder=1)
        axes.scatter(
            part["Reference"], place, marker="|", s=170, linewidth=2.4, color=OKABE_ITO["vermillion"], zorder=3
        )
        axes.scatter(part["Observed"], place, marker="o", s=46, color=OKABE_ITO["blue"], zorder=4)
        end = (most or {}).get(score, 100)
        axes.set(xlim=(-0.04 * end, 1.04 * end), xticks=(0, end / 2, end))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_title(score, fontsize=13, loc="left", color=_INK)
        _quiet(axes, "x")
    panels[0, 0].set_yticks(range(len(sets)), sets)
    panels[0, 0].invert_yaxis()
    figure.supxlabel("percent of groups", fontsize=12)
    handles = [
        Line2D([], [], marker="o", linestyle="", color=OKABE_ITO["blue"], label="observed"),
        Line2D(
            [],
            [],
            marker="|",
            linestyle="",
            markersize=12,
            markeredgewidth=2.4,
            color=OKABE_ITO["vermillion"],
            label="reference",
        ),
        Line2D([], [], color=_PALE, linewidth=5, alpha=0.55, label="what the counts allow"),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=12)
    return figure


# -------------------------------------------------------------------------------------------------------- printed rows


def retention_figure(table: pd.DataFrame) -> Figure:
    """The two factors of DIS, a row a configuration: groups with the MSS right and those still right after addition; percent.

    `table` is `vantage.tables.input_controls.retention_table`. A diamond has the groups with the MSS right without any image.
    """
    figure, (shares, kept) = plt.subplots(
        1, 2, figsize=(6.8, 1.7 + 0.34 * len(table)), dpi=150, sharey=True, width_ratios=(3, 2), layout="constrained"
    )
    place = np.arange(len(table))
    groups = table["MSS right"] / table["MSS right, %"] * 100
    text = 100 * pd.to_numeric(table["MSS right, text"], errors="coerce") / groups.to_numpy()
    shares.barh(place, table["MSS right, %"], height=0.62, color=OKABE_ITO["sky blue"], label="MSS right")
    shares.barh(place, table["DIS, %"], height=0.3, color=OKABE_ITO["blue"], label="right after addition too (DIS)")
    shares.scatter(
        text, place, marker="D", s=36, facecolor="white", edgecolor=_INK, linewidth=1.4, zorder=3,
        label="MSS right without images",
    )  # fmt: skip
    kept.hlines(place, table["Retained, %"], 100, color=_PALE, linewidth=2)
    kept.scatter(table["Retained, %"], place, marker="o", s=44, color=OKABE_ITO["vermillion"], zorder=3, clip_on=False)
    for axes, title, ends, ticks in (
        (shares, "of 48 groups", (-2, 70), (0, 25, 50)),
        (kept, "still right, of these", (0, 103), (0, 50, 100)),
    ):
        axes.set(xlim=ends, xticks=ticks)
        axes.set_title(title, fontsize=12, loc="left", color=_INK)
        _quiet(axes, "x")
    shares.set_yticks(place, table["Configuration"].str.replace(" / ", " "))
    shares.set_ylim(len(table) - 0.4, -0.6)
    figure.supxlabel("percent", fontsize=12)
    figure.legend(loc="outside upper left", ncols=1, frameon=False, fontsize=12)
    return figure


def checkpoints_figure(table: pd.DataFrame) -> Figure:
    """Base and adapted checkpoints of two models, a panel a model and a row a score; percent.

    `table` is `vantage.tables.adaptation.checkpoints_table`.
    """
    models = table["Model"].unique()
    figure, panels = plt.subplots(
        max(len(models), 1), 1, figsize=(6.8, 1.4 + 2.5 * max(len(models), 1)), dpi=150, sharex=True,
        layout="constrained", squeeze=False,
    )  # fmt: skip
    scores = {"Right": "Accuracy", "GEM": "GEM", "NTS": "NTS", "DIS": "DIS"}
    for axes, model in zip(panels.flat, models, strict=False):
        part = table[table["Model"] == model].set_index("Checkpoint")
        shares = part[list(scores)].div(part["Groups"], axis=0).mul(100)
        shares["Right"] = 100 * part["Right"] / part["Questions"]
        for start, end in (("primary Base", "primary LoRA"), ("Base control", None)):
            low = 0.24 if end else -0.14
            adapted = [end] if end else [name for name in shares.index if name.startswith("LoRA ")]
            color = OKABE_ITO["black"] if end else OKABE_ITO["blue"]
            marker = "s" if end else "o"
            place = np.arange(len(scores)) + low
            if start in shares.index:
                axes.scatter(
                    shares.loc[start], place, marker=marker, s=120, facecolor="white", edgecolor=color, linewidth=1.6,
                    zorder=3, clip_on=False,
                )  # fmt: skip
            for shift, name in zip(0.12 * (np.arange(len(adapted)) - (len(adapted) - 1) / 2), adapted, strict=True):
                if name in shares.index:
                    axes.scatter(
                        shares.loc[name], place + shift, marker=marker, s=40, color=color, zorder=4, clip_on=False
                    )
            if start in shares.index and adapted and adapted[0] in shares.index:
                axes.hlines(
                    place, shares.loc[start], shares.loc[[name for name in adapted if name in shares.index]].mean(),
                    color=color, linewidth=1.4, alpha=0.6, zorder=2,
                )  # fmt: skip
        axes.set_yticks(range(len(scores)), scores.values())
        axes.set(xlim=(0, 52), ylim=(len(scores) - 0.5, -0.5))
        axes.set_title(model, fontsize=13, loc="left", color=_INK)
        _quiet(axes, "x")
    figure.supxlabel("percent of questions (accuracy) or groups", fontsize=12)
    handles = [
        Line2D([], [], marker=marker, linestyle="", markersize=8, markerfacecolor=face, color=color, label=label)
        for marker, face, color, label in (
            ("o", "white", OKABE_ITO["blue"], "Base control"),
            ("o", OKABE_ITO["blue"], OKABE_ITO["blue"], "LoRA, three seeds"),
            ("s", "white", OKABE_ITO["black"], "primary Base"),
            ("s", OKABE_ITO["black"], OKABE_ITO["black"], "primary LoRA"),
        )
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=12)
    return figure


# ------------------------------------------------------------------------------------------------------------ executions


def circular_figure(table: pd.DataFrame) -> Figure:
    """Vanilla, Circular and Consistency of each set, percent; `table` is `vantage.tables.triplets.circular_table`."""
    marks = {"Vanilla": ("o", "blue"), "Consistency": ("D", "orange"), "Circular": ("s", "vermillion")}
    figure, axes = plt.subplots(figsize=(8.3, 1.5 + 0.55 * len(table)), dpi=150, layout="constrained")
    place = np.arange(len(table))
    axes.hlines(place, table["Circular"], table["Vanilla"], color=_PALE, linewidth=2, zorder=1)
    for shift, (name, (marker, color)) in zip((-0.14, 0, 0.14), marks.items(), strict=True):
        axes.scatter(
            table[name], place + shift, marker=marker, s=52, color=OKABE_ITO[color], zorder=3, label=name, clip_on=False
        )
    axes.set_yticks(place, table["Set"])
    axes.set(xlim=(0, 100), ylim=(max(len(table), 1) - 0.5, -0.5))
    axes.set_xlabel("percent of questions", fontsize=12)
    _quiet(axes, "x")
    figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=12)
    return figure


def _quiet(axes: Axes, grid: str) -> None:
    """A light grid behind the data and no frame."""
    axes.grid(axis=grid, color=_GRID)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=11.5, length=0, pad=6)
    for spine in ("top", "right", "left"):
        axes.spines[spine].set_visible(False)


# ----------------------------------------------------------------------------------------------------------- main results


def accuracy_figure(table: pd.DataFrame) -> Figure:
    """Each joint score against accuracy, a panel a score; percent. Labels are the numbers of rows, by accuracy.

    `table` is `vantage.tables.main_results.by_accuracy`. A line joins the rows of one gateway model, from fewer shots to more.
    """
    figure, panels = plt.subplots(len(_BY_CHANCE), 1, figsize=(7, 10.4), dpi=150, sharex=True, layout="constrained")
    for axes, (score, variants) in zip(panels, _BY_CHANCE.items(), strict=True):
        axes.axhline(100 * random_joint(variants), color=_INK, linewidth=1.2, linestyle=(0, (1.5, 2.2)), zorder=1)
        for sort, (marker, color, joined) in _SORTS.items():
            part = table[table["Sort"] == sort]
            axes.plot(
                part["Acc."], part[score], marker=marker, markersize=8, color=OKABE_ITO[color], linewidth=1.3,
                linestyle="-" if joined else "", alpha=0.95, zorder=3,
            )  # fmt: skip
        top = 5 * np.ceil(1.12 * table[score].max() / 5) if len(table) else 5
        axes.set(xlim=(23.5, 52), ylim=(-0.09 * top, top), ylabel=f"{score}, percent")
        axes.yaxis.label.set_size(13)
        axes.yaxis.set_major_locator(MultipleLocator(5 if top <= 30 else 10))
        _quiet(axes, "both")
    panels[-1].set_xlabel("accuracy, percent of 288 questions", fontsize=13)
    handles = [
        Line2D([], [], marker=marker, linestyle="-" if joined else "", color=OKABE_ITO[color], markersize=8, label=sort)
        for sort, (marker, color, joined) in _SORTS.items()
    ]
    handles.append(
        Line2D([], [], color=_INK, linewidth=1.2, linestyle=(0, (1.5, 2.2)), label="expected of random letters")
    )
    figure.legend(handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=13)
    figure.draw_without_rendering()
    for axes, score in zip(panels, _BY_CHANCE, strict=True):
        _number_points(axes, table[["Acc.", score]].to_numpy(dtype=float), table["No."])
    return figure


_BY_CHANCE = {"FQ1-GEM": 3, "NTS": 2, "DIS": 2}
"""How many right answers each joint score asks for."""

_SORTS = {
    "open-weight": ("o", "blue", False),
    "adapted": ("D", "orange", False),
    "GPT-5.6": ("s", "vermillion", True),
    "Claude Fable 5.1": ("^", "green", True),
}
"""Marker and colour of each sort of row, and whether a line joins them."""


def _number_points(axes: Axes, points: NDArray, numbers: Sequence[int]) -> None:
    """The number of each point beside it, one label for points that coincide; nearest free place first, then with a line to it."""
    labels: dict[tuple, list[str]] = {}
    for point, number in zip(points.tolist(), numbers, strict=True):
        labels.setdefault(tuple(np.round(point, 9)), []).append(str(number))
    scale = 72 / axes.figure.dpi
    taken = [(*place, 6.0, 6.0) for place in scale * axes.transData.transform([*labels] or np.empty((0, 2)))]
    low, high = scale * axes.transAxes.transform([(0, 0), (1, 1)])
    # A label at the side of its point may not leap over a neighbour; one above may climb.
    ways = [(13, np.radians(way)) for way in (90, 0, 180, 270)]
    ways += [(radius, np.radians(way)) for radius in (27, 41, 55) for way in (90, 75, 105, 60, 120)]
    for (point, words), place in zip(labels.items(), [entry[:2] for entry in taken], strict=True):
        word = ", ".join(words)
        half = np.array([3.7 * len(word) + 1, 6.5])

        def cost(way, place=place, half=half):
            x, y = _beside(place, half, way)
            overlap = sum(max(0, half[0] + w - abs(x - a)) * max(0, half[1] + h - abs(y - b)) for a, b, w, h in taken)
            outside = sum(max(0, low[i] + half[i] - c) + max(0, c + half[i] - high[i]) for i, c in enumerate((x, y)))
            return overlap + 100 * outside

        best = min(ways, key=cost)  # the first of equals
        x, y = _beside(place, half, best)
        taken.append((x, y, *half))
        axes.annotate(
            word, point, xytext=(x - place[0], y - place[1]), textcoords="offset points", ha="center", va="center",
            fontsize=12.5, color=_INK, zorder=5,
            arrowprops={"arrowstyle": "-", "color": _PALE, "linewidth": 0.9, "shrinkA": 1, "shrinkB": 4} if best[0] > 13 else None,
        )  # fmt: skip


def _beside(place: Sequence[float], half: NDArray, way: tuple[float, float]) -> tuple[float, float]:
    """The centre of a label at a distance and in a direction from a point, all in points of type."""
    radius, angle = way
    return place[0] + (radius + half[0] - 6) * np.cos(angle), place[1] + radius * np.sin(angle)


# --------------------------------------------------------------------------------------------- what the print leaves open


def ranges_figure(ranges: pd.DataFrame) -> Figure:
    """Ranges as bars, percent: dark what was attained, pale to the bound where no proof closes the gap.

    `ranges` are rows of `vantage.published.load_ranges`; those of one configuration stand together.
    """
    share = {
        end: (100 * ranges[end] / ranges["of"]).to_numpy()
        for end in ("bound_low", "attained_low", "attained_high", "bound_high")
    }
    changes = (ranges["configuration"] != ranges["configuration"].shift()).cumsum().to_numpy() - 1
    place = np.arange(len(ranges)) + 1.1 * changes
    figure, axes = plt.subplots(figsize=(8.3, 1.5 + 0.36 * (place[-1] + 1)), dpi=150, layout="constrained")
    axes.barh(
        place, share["bound_high"] - share["bound_low"], left=share["bound_low"], height=0.62, color=_GRID,
        edgecolor=_PALE, hatch="////", linewidth=0.8, zorder=2,
    )  # fmt: skip
    axes.barh(
        place, share["attained_high"] - share["attained_low"], left=share["attained_low"], height=0.62,
        color=OKABE_ITO["blue"], zorder=3,
    )  # fmt: skip
    # An end that meets another is still a mark.
    for end in ("attained_low", "attained_high"):
        axes.scatter(share[end], place, marker="|", s=110, linewidth=2.4, color=_INK, zorder=4)
    axes.set_yticks(place, ranges["part"])
    for number, name in enumerate(ranges["configuration"].unique()):
        first = place[changes == number][0]
        axes.text(0, first - 0.62, name, fontsize=12, color=_INK, va="bottom")
    axes.set(xlim=(0, 100), ylim=(place[-1] + 0.6, -1.6))
    axes.set_xlabel("percent", fontsize=12)
    _quiet(axes, "x")
    handles = [Patch(color=OKABE_ITO["blue"], label="attained")]
    if (ranges["proven"] == "no").any():
        handles.append(Patch(facecolor=_GRID, edgecolor=_PALE, hatch="////", label="neither attained nor excluded"))
    figure.legend(handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=12)
    return figure
