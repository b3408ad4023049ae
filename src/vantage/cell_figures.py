"""Figures of the pages on the 60 printed cells."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from vantage.figures import OKABE_ITO

_STYLES = {
    "Image": {"color": OKABE_ITO["black"], "marker": "o"},
    "Text/BBox": {"color": OKABE_ITO["blue"], "marker": "s"},
    "Scene Graph": {"color": OKABE_ITO["vermillion"], "marker": "^"},
}
_AXES = {
    "Global F1": ("F1, percent", (0, 100)),
    "NSC": ("NSC, fraction", (-0.05, 0.8)),
    "Realizability": ("realizable scenes, percent", (0, 100)),
}
_DROPS = {
    "Global F1": ("F1", 100, "F1, points"),
    "NSC": ("NSC", 1, "NSC"),
    "Realizability": ("Realizability", 100, "realizable scenes, points"),
}
"""What Table S4 calls each metric of Table 1, the factor that takes its fractions to the unit here, and that unit."""
_GRID = "#e4e7eb"


def _bare(axes) -> None:
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=11, length=0, pad=5)
    for spine in axes.spines.values():
        spine.set_visible(False)


def cells_figure(table: pd.DataFrame) -> Figure:
    """Table 1: each metric of every model from isolated (filled mark) to competing (hollow), a line a representation.

    `table` is `vantage.tables.cells.cell_table`. A panel a metric and domain; representations differ in shape and place too.
    """
    domains, models = table["domain"].unique(), table["Model"].unique()
    figure, panels = plt.subplots(
        len(_AXES), len(domains), figsize=(8.3, 9.6), dpi=150, layout="constrained", sharey="row", squeeze=False
    )
    for line, (metric, (label, limits)) in zip(panels, _AXES.items(), strict=True):
        for axes, domain in zip(line, domains, strict=True):
            part = table[(table["metric"] == metric) & (table["domain"] == domain)]
            for shift, (name, style) in zip((-0.24, 0.0, 0.24), _STYLES.items(), strict=True):
                ends = part[part["Representation"] == name].pivot(index="Model", columns="regime", values="value")
                ends = ends.reindex(models)
                at = np.arange(len(models)) + shift
                isolated, competing = ends["CVT-Isolated"], ends["CVT-Competing"]
                axes.vlines(at, competing, isolated, color=style["color"], linewidth=1.6, alpha=0.75, zorder=2)
                axes.plot(at, isolated, linestyle="none", markersize=6.5, zorder=4, **style)
                axes.plot(at, competing, linestyle="none", markersize=6.5, zorder=3, markerfacecolor="white", **style)
            axes.set(xlim=(-0.5, len(models) - 0.5), ylim=limits)
            axes.set_xticks(range(len(models)), [name.replace(" ", "\n", 1) for name in models])
            axes.grid(axis="y", color=_GRID)
            _bare(axes)
            axes.tick_params(axis="x", labelsize=9.5)
            if metric == next(iter(_AXES)):
                axes.set_title(domain, fontsize=12.5, loc="left")
        line[0].set_ylabel(label, fontsize=12)
    handles = [Line2D([], [], label=name, linewidth=1.6, markersize=7, **style) for name, style in _STYLES.items()]
    handles += [
        Line2D([], [], linestyle="none", marker="o", color="#52606d", markersize=7, label="isolated"),
        Line2D([], [], linestyle="none", marker="o", color="#52606d", markerfacecolor="white", markersize=7, label="competing"),
    ]  # fmt: skip
    figure.legend(handles=handles, loc="outside upper left", ncols=5, frameon=False, fontsize=11, columnspacing=1.2)
    return figure


def drops_figure(drops: pd.DataFrame, cohorts: pd.DataFrame) -> Figure:
    """Isolated minus competing in every cell, a panel a metric and domain, and the means over all models and over C20 as lines.

    `drops` is `vantage.tables.cells.drop_table`; `cohorts` has row (F1, NSC, Realizability) and column as Table S4 has them, fractions.
    """
    domains, models = drops["domain"].unique(), drops["Model"].unique()
    figure, panels = plt.subplots(
        len(domains), len(_DROPS), figsize=(8.3, 1.6 + 2.6 * len(domains)), dpi=150, layout="constrained", sharex="col",
        sharey=True, squeeze=False,
    )  # fmt: skip
    means = cohorts.set_index(["row", "column"])["value"]
    for line, domain in zip(panels, domains, strict=True):
        for axes, (metric, (row, scale, label)) in zip(line, _DROPS.items(), strict=True):
            part = drops[(drops["domain"] == domain) & (drops["metric"] == metric)]
            axes.axvline(0, color="#9aa5b1", linewidth=1.2, zorder=1)
            for name, dashes in (("All-model drop", ":"), ("C20-only drop", "--")):
                if (row, f"{domain} / {name}") in means:
                    axes.axvline(
                        scale * means[row, f"{domain} / {name}"],
                        color="#52606d",
                        linestyle=dashes,
                        linewidth=1.6,
                        zorder=2,
                    )
            for shift, (representation, style) in zip((-0.22, 0.0, 0.22), _STYLES.items(), strict=True):
                values = part[part["Representation"] == representation].set_index("Model")["value"].reindex(models)
                axes.plot(
                    values,
                    np.arange(len(models)) + shift,
                    linestyle="none",
                    markersize=7,
                    zorder=3,
                    clip_on=False,
                    **style,
                )
            axes.set_ylim(len(models) - 0.5, -0.5)
            axes.grid(axis="x", color=_GRID)
            _bare(axes)
            axes.set_xlabel(label if domain == domains[-1] else "", fontsize=11.5)
        line[0].set_yticks(range(len(models)), models)
        line[0].set_title(domain, fontsize=12.5, loc="left")
    handles = [Line2D([], [], linestyle="none", label=name, markersize=7, **style) for name, style in _STYLES.items()]
    handles += [
        Line2D([], [], color="#52606d", linestyle=":", label="mean, all models"),
        Line2D([], [], color="#52606d", linestyle="--", label="mean, C20 only"),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=5, frameon=False, fontsize=10.5, columnspacing=1.1)
    return figure


def truncation_figure(table: pd.DataFrame) -> Figure:
    """F1 of cut-off replies by the part that is cut off: missing answers as wrong (filled), and left out (hollow); a panel a set.

    `table` is `vantage.tables.cells.truncation_table`, percent. The line is F1 of the complete run.
    """
    sets = table["Set"].unique()
    figure, panels = plt.subplots(
        1, max(len(sets), 1), figsize=(8.3, 3.4), dpi=150, layout="constrained", sharey=True, squeeze=False
    )
    for axes, name in zip(panels[0], sets, strict=False):
        part = table[table["Set"] == name]
        axes.axhline(part["Complete"].iloc[0], color="#9aa5b1", linewidth=1.4, zorder=1)
        axes.plot(
            part["Cut off"], part["Missing is wrong"], marker="o", color=OKABE_ITO["blue"], linewidth=1.8, zorder=3
        )
        axes.plot(
            part["Cut off"], part["Left out"], marker="s", color=OKABE_ITO["vermillion"], markerfacecolor="white",
            linestyle="--", linewidth=1.8, zorder=3,
        )  # fmt: skip
        axes.set_title(name.removesuffix(", competing"), fontsize=11.5, loc="left")
        axes.set_xticks(sorted(table["Cut off"].unique()))
        axes.grid(color=_GRID)
        _bare(axes)
    panels[0, 0].set_ylabel("F1, percent", fontsize=12)
    figure.supxlabel("cut off at the end of each prompt, percent of its questions", fontsize=12)
    handles = [
        Line2D([], [], marker="o", color=OKABE_ITO["blue"], label="missing is wrong"),
        Line2D(
            [], [], marker="s", color=OKABE_ITO["vermillion"], markerfacecolor="white", linestyle="--", label="left out"
        ),
        Line2D([], [], color="#9aa5b1", label="complete"),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=11.5)
    return figure
