"""The figures of the book: one function a figure, data in, a matplotlib Figure out.

Colours that carry meaning are Okabe and Ito's, which people with any common colour vision can tell apart; no meaning
hangs on colour alone.
"""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Patch
from matplotlib.patches import Ellipse as EllipsePatch
from matplotlib.patches import Polygon as PolygonPatch
from matplotlib.patheffects import withStroke

from vantage import drawing
from vantage.errors import InputError
from vantage.heights import height_interval
from vantage.realizability import TOWARDS, Step, directed_steps, step_letter
from vantage.relations import GROUND_WORDS, TOP, TOP_WORDS, VIEWPOINTS, yaw_of
from vantage.survival import PREFIXES

OKABE_ITO = {
    "black": "#000000",
    "orange": "#e69f00",
    "sky blue": "#56b4e9",
    "green": "#009e73",
    "yellow": "#f0e442",
    "blue": "#0072b2",
    "vermillion": "#d55e00",
    "purple": "#cc79a7",
}
"""Colours that carry meaning, by name."""

TARGET_COLOR, ANCHOR_COLOR, OBSERVER_COLOR = OKABE_ITO["vermillion"], OKABE_ITO["blue"], OKABE_ITO["green"]
"""The object asked about, the object it is compared with, and who looks."""

# ------------------------------------------------------------------------------------------------------ scene figures

_INK, _PALE, _FLOOR, _WALL = "#1f2933", "#9aa5b1", "#f1f0ec", "#e3dfd6"
_FLOOR_GRADIENT = np.linspace(0, 1, 64)[:, None, None] * np.array([-0.11, -0.11, -0.10]) + np.array(
    [0.965, 0.965, 0.96]
)


def scene_figure(scene: Mapping, target: int | None = None, anchor: int | None = None, viewpoint: str = "0") -> Figure:
    """A scene from the source view and from above, with the observer of `viewpoint` and what is left, right, in front
    and behind for it, seen from the anchor.

    `scene` is a row of `schemas.CVT_SCENES`; `target` and `anchor` are tags of it (none: nothing is highlighted, and
    the cross goes through the middle of the scene). The shaded band round the cross is the margin within which no label
    is asserted. Raises `InputError` for a tag that the scene does not have and for an unknown viewpoint.
    """
    if viewpoint not in VIEWPOINTS:
        raise InputError(f"expected a viewpoint among {', '.join(VIEWPOINTS)}, found {viewpoint!r}")
    tags = [thing["tag"] for thing in scene["objects"] if thing["tag"] is not None]
    for tag in (target, anchor):
        if tag is not None and tag not in tags:
            raise InputError(f"expected tags of {scene['scene']} among {', '.join(map(str, tags))}, found {tag}")
    # Inches. The panels are equally high, and narrow enough for the words to be read on a phone; a tall picture is larger,
    # for its tags to be read too.
    side, bottom = (2.71 if scene["width"] > scene["height"] else 4.4), 0.52
    height, wide = side + 0.91, side * scene["width"] / scene["height"]
    width = wide + side + 0.68
    figure = plt.figure(figsize=(width, height), dpi=150, layout="none")
    picture = figure.add_axes((0.02 / width, bottom / height, wide / width, side / height))
    above = figure.add_axes((1 - (side + 0.02) / width, bottom / height, side / width, side / height))
    _draw_picture(picture, scene, target, anchor)
    _draw_map(above, scene, target, anchor, viewpoint)
    where = "straight above" if viewpoint == TOP else f"at {viewpoint}°"
    for axes, title in ((picture, "Source view (0°)"), (above, f"Observer {where}")):
        axes.set_title(title, fontsize=12.5, color=_INK, loc="left", pad=6)
    return figure


def walk_figure(scene: Mapping, target: int, anchor: int) -> Figure:
    """Four stops of a walk round a scene: its map with the observer at 0, 90, 180 and 270 degrees."""
    figure, panels = plt.subplots(2, 2, figsize=(8.3, 8.9), dpi=150, layout="constrained")
    for axes, viewpoint in zip(panels.flat, ("0", "90", "180", "270"), strict=True):
        _draw_map(axes, scene, target, anchor, viewpoint)
        axes.set_title(f"Observer at {viewpoint}°", fontsize=13, color=_INK, loc="left", pad=7)
    return figure


def _draw_picture(axes: Axes, scene: Mapping, target: int | None, anchor: int | None) -> None:
    """The picture of the source view with its tags."""
    picture = drawing.picture_of(scene)
    axes.set_facecolor(_WALL)
    axes.imshow(_FLOOR_GRADIENT, extent=(0, picture.width, picture.horizon, picture.height), aspect="auto", zorder=0)
    for line in picture.grid:
        axes.plot(*line.T, color="white", linewidth=0.8, alpha=0.75, zorder=1)
    for layer, one in enumerate(picture.objects):
        for grow in (1.0, 0.86, 0.72) if one.shadow else ():
            axes.add_patch(_patch(one.shadow, grow, facecolor="black", alpha=0.09, linewidth=0, zorder=2))
        for face in one.faces:
            color = np.clip(np.array(to_rgb(one.color)) * face.shade, 0, 1)
            patch = axes.add_patch(_patch(face, facecolor=color, edgecolor=color, linewidth=0.3, zorder=3 + layer))
            _gloss(axes, face, one, patch, 3 + layer + 0.1)
    for one in picture.objects:
        for tag, color, style in ((target, TARGET_COLOR, "-"), (anchor, ANCHOR_COLOR, (0, (2.2, 1.2)))):
            if one.tag is not None and one.tag == tag:
                axes.add_patch(_patch(one.silhouette, fill=False, edgecolor="white", linewidth=4, zorder=30))
                axes.add_patch(
                    _patch(one.silhouette, fill=False, edgecolor=color, linewidth=2.2, linestyle=style, zorder=31)
                )
    for one in picture.objects:
        if one.label is not None:
            _draw_tag(axes, one, _role_color(one.tag, target, anchor))
    axes.set(xlim=(0, picture.width), ylim=(picture.height, 0), xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(False)


def _patch(face: drawing.Face, grow: float = 1.0, **style) -> Patch:
    if isinstance(face, drawing.Ellipse):
        return EllipsePatch(face.centre, 2 * grow * face.radii[0], 2 * grow * face.radii[1], angle=face.angle, **style)
    return PolygonPatch(face.points, closed=True, joinstyle="round", **style)


def _gloss(axes: Axes, face: drawing.Face, one: drawing.Drawn, clip: Patch, zorder: float) -> None:
    """Light over a face: wide and soft on rubber, a bright streak and a dark rim on metal."""
    (left, top), (right, bottom) = face.outline.min(axis=0), face.outline.max(axis=0)
    x, y = np.meshgrid(np.linspace(0, 1, 48), np.linspace(0, 1, 48))
    if one.category == "sphere":
        near = np.hypot(x - 0.34, y - 0.28)
        light = np.exp(-((near / (0.13 if one.metal else 0.3)) ** 2)) * (0.95 if one.metal else 0.35)
        dark = np.clip(near - 0.3, 0, 1) * (0.6 if one.metal else 0.55)
    elif one.category == "cylinder" and isinstance(face, drawing.Polygon):
        light = np.exp(-(((x - 0.3) / (0.09 if one.metal else 0.24)) ** 2)) * (0.75 if one.metal else 0.22)
        dark = np.clip(np.abs(x - 0.35) - 0.15, 0, 1) * (0.6 if one.metal else 0.45)
    else:
        light = np.exp(-(((x + y - 0.75) / 0.16) ** 2)) * (0.5 if one.metal else 0.0)
        dark = y * (0.2 if one.metal else 0.08)
    for strength, shade in ((dark, 0.0), (light, 1.0)):
        layer = np.dstack([*(np.full_like(x, shade) for _ in range(3)), np.clip(strength, 0, 1)])
        image = axes.imshow(
            layer, extent=(left, right, bottom, top), aspect="auto", zorder=zorder, interpolation="bilinear"
        )
        image.set_clip_path(clip)


def _role_color(tag: int | None, target: int | None, anchor: int | None) -> str:
    if tag is not None and tag == target:
        return TARGET_COLOR
    return ANCHOR_COLOR if tag is not None and tag == anchor else _INK


def _draw_tag(axes: Axes, one: drawing.Drawn, color: str) -> None:
    """The number of a tag on its label, with a leader line where it stands beside its object."""
    (x, y), pointer = one.label.at, one.label.pointer
    width, height = drawing.tag_width(one.tag), drawing.TAG_HEIGHT
    if pointer is not None:
        axes.plot([x, pointer[0]], [y, pointer[1]], color="white", linewidth=2.6, zorder=32, solid_capstyle="round")
        axes.plot([x, pointer[0]], [y, pointer[1]], color=color, linewidth=1.3, zorder=33, solid_capstyle="round")
        axes.plot(*pointer, "o", color=color, markeredgecolor="white", markersize=4, zorder=33)
    box = FancyBboxPatch(
        (x - width / 2, y - height / 2),
        width,
        height,
        boxstyle="round,pad=0,rounding_size=3.5",
        facecolor=color,
        edgecolor="white",
        linewidth=1.1,
        zorder=34,
    )
    axes.add_patch(box)
    axes.text(
        x, y, str(one.tag), color="white", fontsize=12, fontweight="bold", ha="center", va="center_baseline", zorder=35
    )


def _draw_map(axes: Axes, scene: Mapping, target: int | None, anchor: int | None, viewpoint: str) -> None:
    """The scene from above, the observer on a ring round it, and its directions through the anchor."""
    centre, reach = map_frame(scene)
    ring, words, half = 1.32 * reach, 1.04 * reach, 1.5 * reach
    axes.set_facecolor(_FLOOR)
    axes.grid(color="white", linewidth=1.1)
    axes.set_axisbelow(True)
    axes.add_patch(Circle(centre, ring, fill=False, edgecolor=_PALE, linewidth=1.1, linestyle=(0, (1, 2.2)), zorder=1))
    things = {thing["tag"]: thing for thing in scene["objects"] if thing["tag"] is not None}
    origin = np.array(things[anchor]["plane"] if anchor is not None else centre, dtype=float)
    _draw_cross(axes, origin, centre, words, viewpoint, (scene["lateral_margin"], scene["depth_margin"]))
    # What stands on something comes after it.
    for thing in sorted(scene["objects"], key=lambda thing: height_interval(thing)[1]):
        color = drawing.COLORS.get(thing["color"], drawing.OTHER_COLOR)
        role = _role_color(thing["tag"], target, anchor)
        style = {"edgecolor": role, "linewidth": 2.6} if role != _INK else {"edgecolor": _PALE, "linewidth": 1.0}
        axes.add_patch(_patch(drawing.footprint(scene, thing), facecolor=color, zorder=4, **style))
        if thing["tag"] is not None:
            _draw_map_tag(axes, thing, role, half)
    if target is not None and anchor is not None:
        axes.annotate(
            "",
            things[target]["plane"],
            origin,
            zorder=5,
            arrowprops={
                "arrowstyle": "-|>,head_width=.28,head_length=.5",
                "color": TARGET_COLOR,
                "linewidth": 1.8,
                "shrinkA": 9,
                "shrinkB": 11,
            },
        )
    _draw_observer(axes, np.array(centre), ring, viewpoint)
    _frame_map(axes, centre, half)


def _frame_map(axes: Axes, centre: tuple, half: float) -> None:
    """The limits, ticks and labels of a map."""
    axes.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half), aspect="equal")
    # Whole numbers at most every two units: the grid and the margin's band are read against them.
    step = 1 if half < 2.6 else 2
    for axis, middle in ((axes.xaxis, centre[0]), (axes.yaxis, centre[1])):
        axis.set_ticks(np.arange(np.ceil((middle - half) / step) * step, middle + half, step))
    axes.tick_params(labelsize=10, length=0, colors="#52606d", pad=3)
    axes.set_xlabel("to the right, world units", fontsize=10.5, color="#52606d", labelpad=2)
    axes.set_ylabel("behind, world units", fontsize=10.5, color="#52606d", labelpad=1)
    for spine in axes.spines.values():
        spine.set_visible(False)


def map_frame(scene: Mapping) -> tuple[tuple[float, float], float]:
    """The middle of a scene's map and the radius that encloses every object, in canonical world units."""
    places = np.array([thing["plane"] for thing in scene["objects"]], dtype=float)
    reach = np.array([np.hypot(*thing["half_extents"][:2]) for thing in scene["objects"]])
    low, high = (places - reach[:, None]).min(axis=0), (places + reach[:, None]).max(axis=0)
    centre = np.round((low + high) / 2, 3)
    radius = (np.hypot(*(places - centre).T) + reach).max()
    return (float(centre[0]), float(centre[1])), float(np.round(max(radius, 1.6), 3))


def _observer_axes(viewpoint: str) -> tuple[np.ndarray, np.ndarray]:
    """The observer's right and its viewing direction on the map."""
    yaw = np.deg2rad(yaw_of(viewpoint))
    return np.array([np.cos(yaw), np.sin(yaw)]), np.array([-np.sin(yaw), np.cos(yaw)])


def _draw_cross(
    axes: Axes, origin: np.ndarray, centre: tuple, reach: float, viewpoint: str, margins: tuple[float, float]
) -> None:
    """Left, right, front and behind of the observer through `origin`, and the margins' bands (lateral, depth): that of left and right
    lies round the line from front to behind."""
    right, ahead = _observer_axes(viewpoint)
    left_word, right_word, front_word, behind_word = TOP_WORDS if viewpoint == TOP else GROUND_WORDS
    lateral, depth = margins
    for along, across, margin, words in (
        (right, ahead, depth, (left_word, right_word)),
        (ahead, right, lateral, (front_word, behind_word)),
    ):
        ends = [
            origin + sign * max(_to_circle(origin, sign * along, centre, reach), 0.36 * reach) * along
            for sign in (-1, 1)
        ]
        band = np.array(
            [ends[0] - margin * across, ends[1] - margin * across, ends[1] + margin * across, ends[0] + margin * across]
        )
        axes.add_patch(PolygonPatch(band, facecolor=OBSERVER_COLOR, alpha=0.15, linewidth=0, zorder=2))
        axes.plot(*np.array(ends).T, color=OBSERVER_COLOR, linewidth=1.3, linestyle=(0, (4, 2)), zorder=3)
        for end, word in zip(ends, words, strict=True):
            axes.text(
                *end,
                word,
                ha="center",
                va="center",
                fontsize=11.5,
                color="#00614a",
                zorder=10,
                bbox={
                    "boxstyle": "round,pad=.12,rounding_size=.25",
                    "facecolor": "white",
                    "edgecolor": "none",
                    "alpha": 0.88,
                },
            )


def _to_circle(origin: np.ndarray, along: np.ndarray, centre: tuple, radius: float) -> float:
    """How far it is from `origin` to the circle in the direction `along`."""
    offset = origin - centre
    return float(-offset @ along + np.sqrt((offset @ along) ** 2 - offset @ offset + radius**2))


def _draw_map_tag(axes: Axes, thing: Mapping, role: str, half: float) -> None:
    """The number of a tag: on an object that is wide enough for it, else behind it."""
    x, y = thing["plane"]
    reach = max(thing["half_extents"][:2])
    axes.text(
        x,
        y if reach > 0.1 * half else y + 1.15 * reach + 0.09 * half,
        str(thing["tag"]),
        ha="center",
        va="center_baseline",
        fontsize=9.5,
        fontweight="bold",
        color="white",
        zorder=11,
        bbox={"boxstyle": "round,pad=.18,rounding_size=.3", "facecolor": role, "edgecolor": "white", "linewidth": 0.9},
    )


def _draw_observer(axes: Axes, centre: np.ndarray, ring: float, viewpoint: str) -> None:
    """Who looks: a disc with a beak on the ring; at Top, a circle in the middle."""
    size = 0.075 * ring
    if viewpoint == TOP:
        # Open, so as to hide nothing: whoever looks from above is in front of everything.
        axes.add_patch(Circle(centre, 0.17 * ring, fill=False, edgecolor="white", linewidth=4.5, zorder=9))
        axes.add_patch(Circle(centre, 0.17 * ring, fill=False, edgecolor=OBSERVER_COLOR, linewidth=2.4, zorder=9))
        return
    right, ahead = _observer_axes(viewpoint)
    place = centre - ring * ahead
    view = np.array([place, place + 0.42 * ring * (ahead + 0.42 * right), place + 0.42 * ring * (ahead - 0.42 * right)])
    axes.add_patch(PolygonPatch(view, facecolor=OBSERVER_COLOR, alpha=0.14, linewidth=0, zorder=1.5))
    beak = np.array([place + 1.75 * size * ahead, place + 0.85 * size * right, place - 0.85 * size * right])
    axes.add_patch(
        PolygonPatch(beak, facecolor=OBSERVER_COLOR, edgecolor="white", linewidth=1.2, zorder=9, joinstyle="round")
    )
    axes.add_patch(Circle(place, size, facecolor=OBSERVER_COLOR, edgecolor="white", linewidth=1.4, zorder=9))


# -------------------------------------------------------------------------------------------------------- run figures

_COLUMNS = 2
"""Panels side by side: two are readable on a phone."""

_F1_STYLE = {"color": OKABE_ITO["blue"], "markersize": 4.5, "linewidth": 2, "zorder": 2, "clip_on": False}
# Open marks over filled ones: where both scores are equal, both are seen.
_EXACT_STYLE = {
    "color": OKABE_ITO["vermillion"],
    "marker": "D",
    "markersize": 7,
    "markerfacecolor": "none",
    "linewidth": 1.5,
    "linestyle": (0, (3, 1.5)),
    "zorder": 3,
    "clip_on": False,
}


def viewpoint_curves(f1: pd.DataFrame, exact: pd.DataFrame) -> Figure:
    """F1 with its interval, and exact match, at each viewpoint; one panel a set.

    `f1` is tidy with Set, viewpoint, value, low and high; `exact` has one row a set and one column a viewpoint; both in
    percent (`vantage.tables.runs.viewpoint_intervals` and `viewpoint_table`).
    """
    sets = f1.Set.unique()
    rows = -(-len(sets) // _COLUMNS)
    figure, panels = plt.subplots(
        rows, _COLUMNS, figsize=(8.3, 0.6 + 2.4 * rows), dpi=150, sharey=True, squeeze=False, layout="constrained"
    )
    # Top stands apart from the azimuths: it is not a further turn.
    azimuths, top = np.arange(len(VIEWPOINTS) - 1), len(VIEWPOINTS) - 0.5
    place = dict(zip(VIEWPOINTS, [*azimuths, top], strict=True))
    labels = [view if view == TOP or not int(view) % 90 else "" for view in VIEWPOINTS]
    for axes, name in zip(panels.flat, sets, strict=False):
        curve = f1[f1.Set == name].set_index("viewpoint").loc[list(VIEWPOINTS), ["value", "low", "high"]]
        matches = exact.set_index("Set").loc[name, list(VIEWPOINTS)].astype(float)
        for views in (VIEWPOINTS[:-1], VIEWPOINTS[-1:]):
            x, part = [place[view] for view in views], curve.loc[list(views)]
            axes.fill_between(x, part.low, part.high, color=OKABE_ITO["sky blue"], alpha=0.45, linewidth=0, zorder=1)
            axes.errorbar(x, part.value, [part.value - part.low, part.high - part.value], fmt="o-", **_F1_STYLE)
            axes.plot(x, matches[list(views)], **_EXACT_STYLE)
        axes.set_title(name, fontsize=13, loc="left", color=_INK, pad=9)
        axes.grid(axis="y", color="#e4e7eb")
        axes.axvspan(len(azimuths) - 0.25, top + 0.5, color=_FLOOR, zorder=0, linewidth=0)
        axes.set(ylim=(0, 100), xlim=(-0.4, top + 0.5), yticks=[0, 25, 50, 75, 100])
        axes.set_xticks(list(place.values()), labels)
        axes.tick_params(labelsize=11.5, length=0, pad=6)
        for spine in ("top", "right", "left"):
            axes.spines[spine].set_visible(False)
    for axes in panels.flat[len(sets) :]:
        axes.set_visible(False)
    for axes in panels[:, 0]:
        axes.set_ylabel("percent", fontsize=12)
    figure.supxlabel("viewpoint: degrees, or Top", fontsize=12)
    handles = [
        Line2D([], [], marker="o", label="F1, with 95 % interval", **_F1_STYLE),
        Line2D([], [], label="exact match", **_EXACT_STYLE),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=12)
    return figure


# -------------------------------------------------------------------------------------------------- coherence figures

_STEP_COLORS = [OKABE_ITO[name] for name in ("blue", "vermillion", "green", "purple", "black")]
"""Steps also carry their letters."""

_OUTCOME_STYLES = {
    "Fully correct": {"facecolor": "#bfe5d8", "hatch": "", "edgecolor": OKABE_ITO["green"]},
    "Wrong but realizable": {"facecolor": "#f7e3b4", "hatch": "//", "edgecolor": "#a87400"},
    "Wrong and unrealizable": {"facecolor": "#f3c9ad", "hatch": "xx", "edgecolor": OKABE_ITO["vermillion"]},
}


def conflict_figure(scene: Mapping, steps: Sequence[Step]) -> Figure:
    """A contradiction on the map of a scene, and beside it what its steps add up to.

    `steps` is what `vantage.realizability.explain` says of a conflict about tags of the scene. Where all steps lie along
    one direction, the map has the cycle, each arrow turned so as to lead that way, and the panel beside it counts how far
    the walk must have gone when it is back. Otherwise an arrow leads from each anchor to the side on which its target should
    be, and the directions, as often as they are added, are put head to tail: at each object they end where they begin. Of two
    objects, one is shown, because the other has the same arrows turned round. Raises `InputError` without steps and for a tag
    that the scene does not have.
    """
    things = {thing["tag"]: thing for thing in scene["objects"] if thing["tag"] is not None}
    tags = list(dict.fromkeys(tag for step in steps for tag in (step.target, step.anchor)))
    if not steps or not set(tags) <= things.keys():
        raise InputError(
            f"expected steps about tags of {scene['scene']} among {', '.join(map(str, things))}, found {sorted(tags)}"
        )
    figure, (above, beside) = plt.subplots(1, 2, figsize=(8.3, 4.7), dpi=150, layout="constrained")
    _draw_objects(above, scene, tags)
    walk = directed_steps(steps)
    if walk:
        towards = TOWARDS[walk.direction]
        for place, (start, end) in enumerate(walk):
            ends = np.array([things[start]["plane"], things[end]["plane"]], dtype=float)
            _draw_arrow(above, *ends, place, bend=0.25, shrink=11)
        _draw_count(beside, walk, towards)
        titles = (f"Each arrow, it is claimed,\nleads {towards}", "The same walk, counted")
    else:
        reach = map_frame(scene)[1]
        for place, step in enumerate(steps):
            anchor, along = np.array(things[step.anchor]["plane"]), np.array(step.direction[:2])
            _draw_arrow(above, anchor, anchor + 0.55 * reach * along / np.hypot(*along), place)
        _draw_sums(beside, steps, tags if len(tags) > 2 else tags[:1])
        titles = ("On which side of the anchor\nthe target should be", "The directions, head to tail")
    for axes, title in zip((above, beside), titles, strict=True):
        axes.set_title(title, fontsize=12.5, color=_INK, loc="left", pad=7)
    return figure


def _draw_objects(axes: Axes, scene: Mapping, tags: Sequence[int]) -> None:
    """The map of a scene; objects other than those with `tags` are pale."""
    centre, reach = map_frame(scene)
    half = 1.18 * reach
    axes.set_facecolor(_FLOOR)
    axes.grid(color="white", linewidth=1.1)
    axes.set_axisbelow(True)
    for thing in scene["objects"]:
        on = thing["tag"] in tags
        color = drawing.COLORS.get(thing["color"], drawing.OTHER_COLOR)
        style = {"edgecolor": _INK if on else "white", "linewidth": 1.4, "alpha": 1 if on else 0.35}
        axes.add_patch(_patch(drawing.footprint(scene, thing), facecolor=color, zorder=4, **style))
        if thing["tag"] is not None:
            _draw_map_tag(axes, thing, _INK if on else _PALE, half)
    _frame_map(axes, centre, half)
    axes.tick_params(labelsize=11.5)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_fontsize(11.5)


def _draw_arrow(
    axes: Axes, start: np.ndarray, end: np.ndarray, place: int, bend: float = 0.0, shrink: float = 0.0, times: int = 1
) -> None:
    """A step of a contradiction as an arrow that carries the step's letter."""
    color = _STEP_COLORS[place % len(_STEP_COLORS)]
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>,head_width=4,head_length=8",
            color=color,
            linewidth=2.2,
            shrinkA=shrink,
            shrinkB=shrink,
            zorder=6,
            path_effects=[withStroke(linewidth=4.4, foreground="white")],
        )
    )
    along = end - start
    axes.text(
        *((start + end) / 2 + 0.5 * bend * np.array([along[1], -along[0]])),
        (f"{times} × " if times > 1 else "") + step_letter(place),
        ha="center",
        va="center",
        fontsize=12,
        fontweight="bold",
        color=color,
        zorder=12,
        bbox={"boxstyle": "round,pad=.2,rounding_size=.6", "facecolor": "white", "edgecolor": color, "linewidth": 1.2},
    )


def _draw_count(axes: Axes, walk: Sequence[tuple[int, int]], towards: str) -> None:
    """How far along the direction a walk has gone at least, a line a step."""
    tag_style = {"boxstyle": "round,pad=.22,rounding_size=.3", "facecolor": _INK, "edgecolor": "white"}
    tag_style = {"fontsize": 11.5, "color": "white", "fontweight": "bold", "zorder": 11, "bbox": tag_style}
    for place, (start, end) in enumerate(walk):
        ends = np.array([(place, -place), (place + 1, -place)], dtype=float)
        _draw_arrow(axes, *ends, place, shrink=9)
        for at, tag in zip(ends, (start, end), strict=True):
            axes.text(*at, str(tag), ha="center", va="center", **tag_style)
        if place + 1 < len(walk):
            axes.plot([place + 1] * 2, [-place, -place - 1], color=_PALE, linestyle=(0, (1, 2)), zorder=1)
    length = len(walk)
    note = f"object {walk[0][0]} again,\nyet {length} units farther"
    axes.text(length, 0.5 - length, note, ha="right", va="top", fontsize=12, color=_INK)
    axes.set(xlim=(-0.3, length + 0.3), ylim=(-length - 0.2, 0.5), xticks=range(length + 1), yticks=[])
    axes.set_xlabel(f"{towards}, at least so many units", fontsize=11.5, color="#52606d")
    axes.grid(axis="x", color="#e4e7eb")
    axes.tick_params(labelsize=11.5, length=0, colors="#52606d")
    for spine in axes.spines.values():
        spine.set_visible(False)


def _draw_sums(axes: Axes, steps: Sequence[Step], tags: Sequence[int]) -> None:
    """At objects of a contradiction in the plane, its directions head to tail, as often as they are added, two objects a line."""
    paths = []
    for tag in tags:
        moves = [
            (step.multiplier if tag == step.target else -step.multiplier) * np.array(step.direction[:2])
            for step in steps
            if tag in (step.target, step.anchor)
        ]
        paths.append(np.vstack([[0, 0], np.cumsum(moves, axis=0)]))
    size = max(np.ptp(path, axis=0).max() for path in paths) + 1.4
    for number, (tag, path) in enumerate(zip(tags, paths, strict=True)):
        middle = (path.min(axis=0) + path.max(axis=0)) / 2
        path = path - middle + np.array([number % 2, -(number // 2)]) * size
        for corner, place in enumerate(place for place, step in enumerate(steps) if tag in (step.target, step.anchor)):
            _draw_arrow(axes, path[corner], path[corner + 1], place, times=steps[place].multiplier)
        axes.plot(*path[0], "o", color=_INK, markersize=8, zorder=13)
        low, high = path.min(axis=0), path.max(axis=0)
        axes.text(
            (low + high)[0] / 2, low[1] - 0.35, f"at object {tag}", ha="center", va="top", fontsize=12, color=_INK
        )
        axes.update_datalim([low - (0.3, 0.8), high + 0.3])
    axes.set(xticks=[], yticks=[])
    axes.set_aspect("equal", adjustable="datalim")
    axes.autoscale_view()
    for spine in axes.spines.values():
        spine.set_visible(False)


def outcome_bars(shares: pd.DataFrame) -> Figure:
    """How the scenes of each set divide into fully correct, wrong but realizable, and wrong and unrealizable (Figure 3).

    `shares` is `vantage.tables.coherence.coherence_table`, percent. Parts differ in pattern and carry their numbers.
    """
    figure, axes = plt.subplots(figsize=(8.3, 1.5 + 0.5 * len(shares)), dpi=150, layout="constrained")
    for row, one in enumerate(shares.to_dict("records")):
        left = 0.0
        for name, style in _OUTCOME_STYLES.items():
            axes.barh(row, one[name], left=left, height=0.66, linewidth=1.1, **style)
            if one[name] >= 5:
                box = {"boxstyle": "round,pad=.18", "facecolor": "white", "edgecolor": "none", "alpha": 0.9}
                axes.text(
                    left + one[name] / 2, row, f"{one[name]:.0f}", ha="center", va="center", fontsize=11.5, color=_INK, bbox=box
                )  # fmt: skip
            left += one[name]
    axes.set_yticks(range(len(shares)), shares.Set)
    axes.set(xlim=(0, 100), ylim=(len(shares) - 0.5, -0.5), xticks=range(0, 101, 25))
    axes.set_xlabel("percent of scenes", fontsize=12)
    axes.tick_params(labelsize=11.5, length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    handles = [Patch(label=name, **style) for name, style in _OUTCOME_STYLES.items()]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=11.5, handlelength=2.2)
    return figure


# -------------------------------------------------------------------------------------------------- signature figures


def signature_matrix(table: pd.DataFrame) -> Figure:
    """The diagnostics of each set as shaded cells with their numbers, as `vantage.tables.signatures.signature_table` gives
    them: percent, and 100 times NSC. A cell without a number is undefined."""
    values = table.set_index("Set")
    figure, axes = plt.subplots(figsize=(8.3, 1.6 + 0.42 * len(values)), dpi=150, layout="constrained")
    shades = plt.get_cmap("cividis_r")
    numbers = values.to_numpy(dtype=float)
    axes.imshow(np.clip(numbers, 0, 100), cmap=shades, vmin=0, vmax=100, aspect="auto")
    for (row, column), value in np.ndenumerate(numbers):
        text = "–" if np.isnan(value) else f"{value:.0f}".replace("-0", "0")
        light = not np.isnan(value) and np.clip(value, 0, 100) > 45
        axes.text(column, row, text, ha="center", va="center", fontsize=11.5, color="white" if light else _INK)
    axes.set_xticks(
        range(values.shape[1]), values.columns, rotation=50, ha="left", rotation_mode="anchor", fontsize=11.5
    )
    axes.set_yticks(range(len(values)), values.index, fontsize=11.5)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for edge in range(1, values.shape[1]):
        axes.axvline(edge - 0.5, color="white", linewidth=1)
    for edge in range(1, len(values)):
        axes.axhline(edge - 0.5, color="white", linewidth=1)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


_COMPONENT_STYLES = {
    "2D trackers": {"marker": "o", "color": OKABE_ITO["black"], "markersize": 7},
    "3D horizontal component": {"marker": "s", "color": OKABE_ITO["blue"], "markersize": 8},
    "3D vertical component": {"marker": "^", "color": OKABE_ITO["vermillion"], "markersize": 10},
}


def component_scores(frame: pd.DataFrame) -> Figure:
    """F1 and NSC of each component of the fixed pairs (Table S5), a line a set; an undefined NSC has no mark.

    `frame` is `vantage.tables.vertical.tracking_table`, fractions. Components differ in shape and height on the line too.
    """
    sets = frame["Set"].drop_duplicates().tolist()
    figure, panels = plt.subplots(
        1, 2, figsize=(8.3, 1.7 + 0.55 * len(sets)), dpi=150, layout="constrained", sharey=True
    )
    for axes, score in zip(panels, ("F1", "NSC"), strict=True):
        for place, (name, style) in enumerate(_COMPONENT_STYLES.items()):
            values = frame[frame["Component"] == name].set_index("Set")[score].reindex(sets)
            heights = np.arange(len(sets)) + 0.24 * (place - 1)
            axes.plot(values, heights, linestyle="none", markeredgecolor="white", zorder=3, clip_on=False, **style)
        low = min(0.0, float(np.nan_to_num(frame[score]).min()))
        axes.set(xlim=(low - 0.05, 1.05), ylim=(len(sets) - 0.5, -0.5), xticks=[0, 0.5, 1])
        axes.set_xlabel(f"{score}, fraction", fontsize=12)
        for row in range(1, len(sets)):
            axes.axhline(row - 0.5, color="#e4e7eb", linewidth=1)
        axes.grid(axis="x", color="#e4e7eb")
        axes.set_axisbelow(True)
        axes.tick_params(labelsize=11.5, length=0, pad=6)
        for spine in axes.spines.values():
            spine.set_visible(False)
    panels[0].set_yticks(range(len(sets)), sets)
    handles = [Line2D([], [], linestyle="none", label=name, **style) for name, style in _COMPONENT_STYLES.items()]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=11.5, columnspacing=1.2)
    return figure


# --------------------------------------------------------------------------------- transformation and quarter turns

_SIZE = 11.5


def acquisition_plane(frame: pd.DataFrame) -> Figure:
    """Self-transport at quarter turns over accuracy at quarter turns, and over accuracy at the source view; a point a set.

    `frame` is `vantage.tables.transformation.acquisition_table`, percent. Points that lie together share one label.
    """
    figure, panels = plt.subplots(2, 1, figsize=(8.3, 10.6), dpi=150, layout="constrained")
    figure.get_layout_engine().set(hspace=0.06)
    for axes, column, title, where in (
        (panels[0], "Quarter exact", "What accuracy at quarter turns shows", "exact match at 90° and 270°, percent"),
        (panels[1], "Source exact", "Acquisition against transformation", "exact match at the source view, percent"),
    ):
        axes.set(xlim=(-5, 105), ylim=(-14, 112), xticks=[0, 25, 50, 75, 100], yticks=[0, 25, 50, 75, 100])
        axes.grid(color="#e4e7eb")
        axes.set_axisbelow(True)
        axes.scatter(frame[column], frame["Self-transport"], s=90, color=OKABE_ITO["blue"], edgecolor="white", zorder=3)
        _label_together(axes, frame[column].to_numpy(), frame["Self-transport"].to_numpy(), frame.Set.tolist())
        axes.set_title(title, fontsize=13, loc="left", color=_INK, pad=9)
        axes.set_xlabel(where, fontsize=12)
        axes.set_ylabel("self-transport at 90° and 270°, percent", fontsize=12)
        axes.tick_params(labelsize=_SIZE, length=0, pad=6)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return figure


def _label_together(axes: Axes, x: np.ndarray, y: np.ndarray, names: list[str], near: float = 5.0) -> None:
    """A label at each point, one line a name; points nearer than `near` in both coordinates share it.

    It stands to the right, or to the left where the edge is near, and moves up or down where it would cover something;
    then a thin line leads to it. Sizes are those of `acquisition_plane`, in its units.
    """
    line, letter, gap, low, high, taken = 6.2, 1.5, 2.2, -13.0, 111.0, []
    shown = [place for place in range(len(names)) if np.isfinite(x[place]) and np.isfinite(y[place])]
    groups: list[list[int]] = []
    for place in sorted(shown, key=lambda one: (-y[one], x[one])):
        home = [group for group in groups if max(abs(x[group[0]] - x[place]), abs(y[group[0]] - y[place])) < near]
        home[0].append(place) if home else groups.append([place])
    for group in groups:
        middle, height = y[group].mean(), line * len(group)
        width = letter * max(len(names[place]) for place in group)
        left = x[group].max() + gap + width > 104
        start = x[group].min() - gap - width if left else x[group].max() + gap

        def covered(shift: float, start=start, width=width, middle=middle, height=height) -> float:
            bottom, top = middle + shift - height / 2, middle + shift + height / 2
            boxes = sum(
                max(0.0, min(start + width, b[1]) - max(start, b[0])) * max(0.0, min(top, b[3]) - max(bottom, b[2]))
                for b in taken
            )
            dots = sum(start < x[place] < start + width and bottom < y[place] < top for place in shown)
            return 100 * (max(0.0, low - bottom) + max(0.0, top - high)) + boxes + 50 * dots + 0.01 * abs(shift)

        shift = min(np.arange(-30, 31, 1.0), key=covered)
        taken.append((start, start + width, middle + shift - height / 2, middle + shift + height / 2))
        axes.annotate(
            "\n".join(names[place] for place in group),
            (x[group].min() if left else x[group].max(), middle),
            (start + width if left else start, middle + shift),
            ha="right" if left else "left",
            va="center",
            fontsize=12,
            color=_INK,
            linespacing=1.2,
            zorder=4,
            arrowprops={"arrowstyle": "-", "color": _PALE, "linewidth": 1, "shrinkA": 0, "shrinkB": 5}
            if shift
            else None,
        )


def turn_scores(frame: pd.DataFrame) -> Figure:
    """Exact match and F1 by kind of turn, one panel a set.

    `frame` is `vantage.tables.transformation.quarter_turn_table`, percent.
    """
    kinds = {"Diagonal": "diagonal", "Quarter": "quarter", "180": "half"}
    rows = -(-len(frame) // _COLUMNS)
    figure, panels = plt.subplots(
        rows, _COLUMNS, figsize=(8.3, 0.6 + 2.4 * rows), dpi=150, sharey=True, squeeze=False, layout="constrained"
    )
    for axes, row in zip(panels.flat, frame.to_dict("records"), strict=False):
        axes.plot([row[f"{kind} F1"] for kind in kinds], "o-", **_F1_STYLE)
        axes.plot([row[f"{kind} exact"] for kind in kinds], **_EXACT_STYLE)
        axes.set_title(row["Set"], fontsize=13, loc="left", color=_INK, pad=9)
        axes.grid(axis="y", color="#e4e7eb")
        axes.set(ylim=(0, 100), xlim=(-0.35, len(kinds) - 0.65), yticks=[0, 25, 50, 75, 100])
        axes.set_xticks(range(len(kinds)), list(kinds.values()))
        axes.tick_params(labelsize=_SIZE, length=0, pad=6)
        for spine in ("top", "right", "left"):
            axes.spines[spine].set_visible(False)
    for axes in panels.flat[len(frame) :]:
        axes.set_visible(False)
    for axes in panels[:, 0]:
        axes.set_ylabel("percent", fontsize=12)
    figure.supxlabel("kind of turn", fontsize=12)
    handles = [
        Line2D([], [], marker="o", label="F1", **_F1_STYLE),
        Line2D([], [], label="exact match", **_EXACT_STYLE),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=12)
    return figure


# --------------------------------------------------------------------------- figures of persistence and of robustness

_OBSERVED_STYLE = {"color": OKABE_ITO["blue"], "marker": "o", "markersize": 5, "linewidth": 2.2, "zorder": 4}
_INDEPENDENT_STYLE = {"color": OKABE_ITO["vermillion"], "linewidth": 2, "linestyle": (0, (3, 1.5)), "zorder": 3}
_MAXIMUM_STYLE = {"color": OKABE_ITO["black"], "linewidth": 1.6, "linestyle": (0, (1, 1.3)), "zorder": 2}


def survival_figure(curves: pd.DataFrame) -> Figure:
    """Observed, independent and maximum survival by prefix length; one panel a set.

    `curves` is tidy with Set, prefix, observed, independent and maximum, fractions
    (`vantage.tables.persistence.survival_table`). Bars mark the prefixes over which NSC adds.
    """
    sets = curves.Set.unique()
    figure, panels = _panels_of(len(sets))
    for axes, name in zip(panels.flat, sets, strict=False):
        curve = curves[curves.Set == name].set_index("prefix")
        for prefix in PREFIXES:
            axes.axvspan(prefix - 0.3, prefix + 0.3, color=_FLOOR, zorder=0, linewidth=0)
        axes.plot(curve.index, 100 * curve.maximum, clip_on=False, **_MAXIMUM_STYLE)
        axes.plot(curve.index, 100 * curve.independent, clip_on=False, **_INDEPENDENT_STYLE)
        axes.plot(curve.index, 100 * curve.observed, clip_on=False, **_OBSERVED_STYLE)
        axes.set(xlim=(0.7, 10.3), xticks=[1, *PREFIXES])
        _finish_panel(axes, name)
    for axes in panels[:, 0]:
        axes.set_ylabel("trajectories, percent", fontsize=12)
    figure.supxlabel("prefix: the first k encounters with a pair", fontsize=12)
    handles = [
        Line2D([], [], label="observed", **_OBSERVED_STYLE),
        Line2D([], [], label="independent", **_INDEPENDENT_STYLE),
        Line2D([], [], label="maximum", **_MAXIMUM_STYLE),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=12)
    return figure


def position_figure(
    curves: pd.DataFrame, expected: pd.DataFrame, score: str = "exact, percent", first: int = 1
) -> Figure:
    """A score by the scene's position in a prompt of many, one panel a set, with what was derived where it was.

    Both are tidy with Set, position (from 0) and value, fractions (`vantage.tables.interference.position_table` and
    `expected_positions`, or `vantage.tables.context.retrieval_curves` and `expected_retrieval`); `score` names the vertical axis, and
    `first` is what the axis calls the first position.
    """
    sets = curves.Set.unique()
    if not len(sets):
        return _nothing("No set on this page has such a run.")
    figure, panels = _panels_of(len(sets))
    for axes, name in zip(panels.flat, sets, strict=False):
        curve, line = curves[curves.Set == name], expected[expected.Set == name]
        axes.plot(line.position + first, 100 * line.value, clip_on=False, **_INDEPENDENT_STYLE)
        axes.plot(curve.position + first, 100 * curve.value, clip_on=False, **_OBSERVED_STYLE)
        axes.set(xlim=(first - 0.5, curves.position.max() + first + 0.5), xticks=[first, 5, 10, 15, 19 + first])
        _finish_panel(axes, name)
    for axes in panels[:, 0]:
        axes.set_ylabel(score, fontsize=12)
    figure.supxlabel("position of the scene in its prompt", fontsize=12)
    handles = [
        Line2D([], [], label="run", **_OBSERVED_STYLE),
        Line2D([], [], label="derived", **_INDEPENDENT_STYLE),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=12)
    return figure


_REGIME_STYLES = {
    "Isolated": ("black", "o"),
    "Irrelevant filler": ("sky blue", "s"),
    "Attribute filler": ("orange", "^"),
    "Competing": ("vermillion", "D"),
}


def regime_figure(scores: pd.DataFrame, expected: pd.DataFrame) -> Figure:
    """A score of the target scenes by their position and by regime, one panel a set, with what was derived where it was.

    Both are tidy with Set, regime, position (from 0) and value, fractions (`vantage.tables.context.position_scores` and
    `expected_positions`). Regimes stand side by side, so that equal ones are seen.
    """
    sets, positions = scores.Set.unique(), sorted(scores.position.unique())
    if not len(sets):
        return _nothing("No set on this page has a run with filler.")
    figure, panels = _panels_of(len(sets))
    for axes, name in zip(panels.flat, sets, strict=False):
        for place, (regime, (color, marker)) in enumerate(_REGIME_STYLES.items()):
            x = np.arange(len(positions)) + 0.19 * (place - 1.5)
            for frame, style in (
                (expected, {"marker": "_", "markersize": 15, "markeredgewidth": 2, "color": _INK, "zorder": 2}),
                (scores, {"marker": marker, "markersize": 7, "color": OKABE_ITO[color], "zorder": 3}),
            ):
                part = frame[(frame.Set == name) & (frame.regime == regime)].set_index("position").reindex(positions)
                axes.plot(x, 100 * part.value, linestyle="none", clip_on=False, **style)
        axes.set(xlim=(-0.5, len(positions) - 0.5))
        axes.set_xticks(range(len(positions)), map(str, positions))
        _finish_panel(axes, name)
    for axes in panels[:, 0]:
        axes.set_ylabel("exact, percent", fontsize=12)
    figure.supxlabel("position of the target scene in its prompt", fontsize=12)
    handles = [
        *(
            Line2D([], [], linestyle="none", marker=marker, markersize=7, color=OKABE_ITO[color], label=regime)
            for regime, (color, marker) in _REGIME_STYLES.items()
        ),
        Line2D([], [], linestyle="none", marker="_", markersize=15, markeredgewidth=2, color=_INK, label="derived"),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=12)
    return figure


def interval_figure(drops: pd.DataFrame) -> Figure:
    """The drop from isolated to competing with its interval by each unit of resampling, a group of bars a set; points.

    `drops` is tidy with Set, unit, value, low and high (`vantage.tables.interference.drop_by_unit`).
    """
    styles = [("vermillion", "s"), ("orange", "D"), ("blue", "o"), ("purple", "^")]
    sets, units = drops.Set.unique(), drops.unit.unique()
    if not len(sets):
        return _nothing("No set on this page has both an isolated and a competing run.")
    figure, axes = plt.subplots(figsize=(8.3, 1.5 + 0.8 * len(sets)), dpi=150, layout="constrained")
    axes.axvline(0, color=_PALE, linewidth=1.2, zorder=1)
    for place, (unit, (color, marker)) in enumerate(zip(units, styles, strict=False)):
        part = drops[drops.unit == unit].set_index("Set").loc[sets]
        axes.errorbar(
            part.value,
            np.arange(len(sets)) + 0.22 * (place - (len(units) - 1) / 2),
            xerr=[part.value - part.low, part.high - part.value],
            fmt=marker,
            markersize=6,
            color=OKABE_ITO[color],
            linewidth=2.2,
            label=f"by {unit}",
            zorder=3,
        )
    axes.set_yticks(range(len(sets)), sets)
    axes.invert_yaxis()
    axes.set_xlabel("F1, isolated minus competing, points", fontsize=12)
    axes.grid(axis="x", color="#e4e7eb")
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=11.5, length=0, pad=6)
    for spine in ("top", "right", "left"):
        axes.spines[spine].set_visible(False)
    figure.legend(loc="outside upper left", ncols=len(units), frameon=False, fontsize=12)
    return figure


def _nothing(why: str) -> Figure:
    """A figure that says why there is nothing to see."""
    figure = plt.figure(figsize=(8.3, 1), dpi=150)
    figure.text(0.5, 0.5, why, ha="center", va="center", fontsize=12)
    return figure


def _panels_of(count: int) -> tuple[Figure, np.ndarray]:
    """Panels for so many sets, two side by side, on one percent scale; those left over are hidden."""
    rows = -(-count // _COLUMNS)
    figure, panels = plt.subplots(
        rows, _COLUMNS, figsize=(8.3, 0.6 + 2.4 * rows), dpi=150, sharey=True, squeeze=False, layout="constrained"
    )
    for axes in panels.flat[count:]:
        axes.set_visible(False)
    return figure, panels


def _finish_panel(axes: Axes, title: str) -> None:
    """Title, percent scale and quiet frame of a panel."""
    axes.set_title(title, fontsize=13, loc="left", color=_INK, pad=9)
    axes.set(ylim=(0, 100), yticks=[0, 25, 50, 75, 100])
    axes.grid(axis="y", color="#e4e7eb")
    axes.tick_params(labelsize=11.5, length=0, pad=6)
    for spine in ("top", "right", "left"):
        axes.spines[spine].set_visible(False)
