"""Figures of printed rows: what the printed cells determine, whichever answers agree with them. Data in, a matplotlib Figure out.

Colours are those of `vantage.figures`; no meaning hangs on colour alone.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from vantage.figures import OKABE_ITO

_INK, _PALE, _GRID = "#1f2933", "#9aa5b1", "#e4e7eb"


def paired_marks(table: pd.DataFrame, first: str, second: str, what: str) -> Figure:
    """Two percentages a row, as a dot and a square joined by a line; `table` has `Row` and both columns, `what` names the axis."""
    if table.empty:
        return _nothing()
    figure, axes = _rows_of(table["Row"])
    place = np.arange(len(table))
    axes.hlines(place, table[first], table[second], color=_PALE, linewidth=2.4, zorder=1)
    axes.scatter(table[first], place, s=40, color=OKABE_ITO["blue"], label=first.lower(), zorder=4, clip_on=False)
    # Open, so that a dot of the same value shows in it.
    axes.scatter(
        table[second], place, marker="s", s=120, facecolor="white", edgecolor=OKABE_ITO["vermillion"], linewidth=2.2,
        label=second.lower(), zorder=3, clip_on=False,
    )  # fmt: skip
    # Room for a square at zero, and no more to the right than the marks need: on a phone the width is dear.
    axes.set_xlim(-3, 20 * np.ceil(table[[first, second]].to_numpy().max() / 20) + 3)
    axes.set_xlabel(what, fontsize=12.5)
    figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=12.5)
    return figure


def deletion_figure(table: pd.DataFrame) -> Figure:
    """What follows on a right MSS answer, groups of 48; `table` is `vantage.tables.printed_strata.deletion_outcomes`."""
    if table.empty:
        return _nothing()
    figure, axes = _rows_of(table["Row"])
    place = np.arange(len(table))
    parts = (
        ("To insufficient", OKABE_ITO["green"], ""),
        ("Original", OKABE_ITO["orange"], "//"),
        ("Other", OKABE_ITO["sky blue"], ".."),
    )
    start = np.zeros(len(table))
    for column, color, hatch in parts:
        axes.barh(
            place, table[column], left=start, height=0.7, color=color, hatch=hatch, edgecolor=_INK, linewidth=0.7,
            label=column.lower(), zorder=3,
        )  # fmt: skip
        start += table[column].to_numpy()
    most = 12 * int(np.ceil(start.max() / 12))
    axes.set_xlim(0, most)
    axes.set_xticks(range(0, most + 1, 12))
    axes.set_xlabel("groups with the MSS right, of 48", fontsize=12.5)
    figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=12.5)
    return figure


def intervals_figure(ends: pd.DataFrame) -> Figure:
    """Intervals, ours and the printed, one pair a line, in points; `ends` is `vantage.tables.uncertainty.interval_ends`."""
    if ends.empty:
        return _nothing()
    figure, axes = _rows_of(ends["Row"] + "\n" + ends["Interval"].str.lower(), 0.62)
    place = np.arange(len(ends))
    axes.axvline(0, color=_INK, linewidth=1, zorder=2)
    for whose, shift, color, marker in (("", -0.16, "blue", "o"), ("printed ", 0.16, "vermillion", "s")):
        low, high = ends[f"{whose}low"], ends[f"{whose}high"]
        axes.hlines(place + shift, low, high, color=OKABE_ITO[color], linewidth=2.6, zorder=3)
        for side in (low, high):
            axes.scatter(side, place + shift, marker=marker, s=34, color=OKABE_ITO[color], zorder=4)
    axes.set_xlabel("points", fontsize=12.5)
    handles = [
        Line2D([], [], color=OKABE_ITO["blue"], marker="o", linewidth=2.6, label="ours"),
        Line2D([], [], color=OKABE_ITO["vermillion"], marker="s", linewidth=2.6, label="printed"),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=12.5)
    return figure


def ends_figure(ends: pd.DataFrame) -> Figure:
    """How far our ends of intervals fall from the printed ones, points, a line of marks a place; lower ends are triangles that
    point left, upper ends right. `ends` is `vantage.tables.uncertainty.all_ends`."""
    if ends.empty:
        return _nothing()
    places = ends["Place"].unique()
    figure, axes = _rows_of(places, 0.8)
    axes.axvline(0, color=_INK, linewidth=1, zorder=2)
    for row, place in enumerate(places):
        part = ends[ends["Place"] == place]
        for side, marker, color, shift in (("low", "<", "blue", -0.17), ("high", ">", "vermillion", 0.17)):
            # Marks of one place spread over a band, in the order of the table, so that equal ones are seen apart.
            spread = np.linspace(-0.11, 0.11, len(part)) if len(part) > 1 else np.zeros(1)
            axes.scatter(
                part[f"differs {side}"],
                row + shift + spread,
                marker=marker,
                s=38,
                color=OKABE_ITO[color],
                alpha=0.6,
                zorder=3,
            )
    axes.set_xlabel("our end minus the printed one, points", fontsize=12.5)
    handles = [
        Line2D([], [], marker="<", linestyle="", color=OKABE_ITO["blue"], label="lower ends"),
        Line2D([], [], marker=">", linestyle="", color=OKABE_ITO["vermillion"], label="upper ends"),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=12.5)
    return figure


def _rows_of(labels: pd.Series, each: float = 0.36) -> tuple[Figure, Axes]:
    """Axes with a line for each label, from top to bottom, a light grid behind and no frame."""
    figure, axes = plt.subplots(figsize=(8.3, 1.5 + each * len(labels)), dpi=150, layout="constrained")
    # As in the paper's own tables, a setting of Base goes without saying.
    words = [label.replace(" / Base", "").replace(" / ", " ") for label in labels]
    axes.set_yticks(range(len(labels)), words)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.grid(axis="x", color=_GRID)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=12, length=0, pad=6)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure, axes


def _nothing() -> Figure:
    """A figure that says why it is empty."""
    figure = plt.figure(figsize=(8.3, 1.2), dpi=150)
    figure.text(0.5, 0.5, "No run of this page gives these numbers.", ha="center", va="center", fontsize=13)
    return figure
