"""Figures of the pages on the 60 printed cells."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from vantage.figures import OKABE_ITO
from vantage.items import TITLES
from vantage.relations import TOP, VIEWPOINTS
from vantage.tables.cvt_results.chosen import REPRESENTATIONS

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


# --------------------------------------------------------------------------------------------- what the print leaves open

_REGIMES = {
    "isolated": {"color": OKABE_ITO["blue"], "marker": "o"},
    "competing": {"color": OKABE_ITO["vermillion"], "marker": "D"},
}


def _open(ranges: pd.DataFrame) -> str:
    """What every vertical axis of a range says of it."""
    return f"F1, percent: range over\n{ranges['witnesses'].iloc[0]} witnesses, no bound"


def _part(table: pd.DataFrame, **named: str) -> pd.DataFrame:
    """The rows that have these values."""
    return table[(table[list(named)] == pd.Series(named)).all(axis=1)]


def _ranges(axes, at, part: pd.DataFrame, style: dict) -> None:
    """Ranges as bars at places, and the value of the answers as a mark of its own inside; percent."""
    # A range without width is still a mark.
    axes.vlines(at, 100 * part["low"], 100 * part["high"], color=style["color"], linewidth=5, alpha=0.35, zorder=2)
    for end in ("low", "high"):
        axes.plot(at, 100 * part[end], linestyle="none", marker="_", markersize=5, color=style["color"], zorder=3)
    axes.plot(at, 100 * part["value"], linestyle="none", markersize=2.8, zorder=4, **style)


def _range_handles(styles: dict, names: dict) -> list[Line2D]:
    """Entries of a legend: a bar with a mark a style, and what bar and mark are."""
    handles = [
        Line2D([], [], label=names[key], markersize=6, linestyle="none", **style) for key, style in styles.items()
    ]
    return [
        *handles,
        Line2D([], [], color="#9aa5b1", linewidth=6, alpha=0.6, label="range"),
        Line2D([], [], color="#52606d", marker="o", markersize=3, linestyle="none", label="this page's set"),
    ]


def viewpoint_ranges_figure(means: pd.DataFrame) -> Figure:
    """Figure 2 as far as it is known: F1 by viewpoint as ranges, a panel a domain and representation; both regimes.

    `means` is `vantage.tables.cell_ranges.model_means` of F1 by viewpoint, fractions.
    """
    domains = means["domain"].unique()
    figure, panels = plt.subplots(
        len(REPRESENTATIONS), len(domains), figsize=(8.3, 10.2), dpi=150, layout="constrained", sharex=True, sharey=True,
        squeeze=False,
    )  # fmt: skip
    # Top stands apart from the azimuths: it is not a further turn.
    place = {view: number + 0.5 * (view == TOP) for number, view in enumerate(VIEWPOINTS)}
    for line, (representation, words) in zip(panels, REPRESENTATIONS.items(), strict=True):
        for axes, domain in zip(line, domains, strict=True):
            for regime, style in _REGIMES.items():
                part = _part(means, domain=domain, representation=representation, regime=regime)
                _ranges(axes, part["place"].map(place), part, style)
            axes.set_title(f"{TITLES[domain]}, {words}\nnot determined by the print", fontsize=11.5, loc="left")
            axes.set_xticks(list(place.values()), [view if view == TOP or not int(view) % 90 else "" for view in place])
            axes.grid(axis="y", color=_GRID)
            _bare(axes)
        line[0].set_ylabel(_open(means), fontsize=11.5)
    figure.supxlabel("viewpoint: degrees, or Top", fontsize=12)
    handles = _range_handles(_REGIMES, {name: name for name in _REGIMES})
    figure.legend(handles=handles, loc="outside upper left", ncols=4, frameon=False, fontsize=11, columnspacing=1.2)
    return figure


def position_ranges_figure(curves: pd.DataFrame) -> Figure:
    """Figure S3 as far as it is known: F1 by position in the competing prompt as ranges, a panel a domain and model.

    `curves` is `vantage.tables.cell_ranges.curves` of F1 by position, fractions. Representations differ in shape and place too.
    """
    domains, models = curves["domain"].unique(), curves["model"].unique()
    figure, panels = plt.subplots(
        len(models), len(domains), figsize=(8.3, 1.2 + 2.5 * len(models)), dpi=150, layout="constrained", sharex=True,
        sharey="row", squeeze=False,
    )  # fmt: skip
    for line, model in zip(panels, models, strict=True):
        for axes, domain in zip(line, domains, strict=True):
            for shift, (representation, words) in zip((-0.26, 0.0, 0.26), REPRESENTATIONS.items(), strict=True):
                part = _part(curves, domain=domain, model=model, representation=representation)
                _ranges(axes, part["place"].astype(int) + 1 + shift, part, _STYLES[words])
            axes.set_title(f"{TITLES[domain]}, {model}\nnot determined by the print", fontsize=11.5, loc="left")
            axes.set(xlim=(0.3, 20.7), xticks=[1, 5, 10, 15, 20])
            axes.grid(axis="y", color=_GRID)
            _bare(axes)
        line[0].set_ylabel(_open(curves), fontsize=11)
    figure.supxlabel("position of the scene in its competing prompt", fontsize=12)
    handles = _range_handles(_STYLES, {name: name for name in _STYLES})
    figure.legend(handles=handles, loc="outside upper left", ncols=5, frameon=False, fontsize=10.5, columnspacing=1.1)
    return figure


def nsc_figure(means: pd.DataFrame) -> Figure:
    """Figure 4: NSC by model, isolated (filled) and competing (hollow), with what rounding leaves open as a bar; a panel a domain.

    `means` is `vantage.tables.cell_ranges.nsc_by_model`, fractions. Without a value the middle of the bar has no mark.
    """
    domains, models = means["domain"].unique(), means["Model"].unique()
    figure, panels = plt.subplots(
        1, len(domains), figsize=(8.3, 3.9), dpi=150, layout="constrained", sharey=True, squeeze=False
    )
    for axes, domain in zip(panels[0], domains, strict=True):
        for regime, style in zip(means["regime"].unique(), _REGIMES.values(), strict=True):
            part = _part(means, domain=domain, regime=regime).set_index("Model").reindex(models)
            at = np.arange(len(models))
            axes.vlines(at, part["low"], part["high"], color=style["color"], linewidth=16, alpha=0.35, zorder=2)
            fill = style["color"] if regime == means["regime"].iloc[0] else "white"
            axes.plot(at, part["value"], linestyle="none", markersize=6, markerfacecolor=fill, zorder=3, **style)
        axes.set_title(f"{domain}\ndetermined by Table 1", fontsize=11.5, loc="left")
        axes.set_xticks(range(len(models)), [name.replace(" ", "\n", 1) for name in models])
        axes.set(xlim=(-0.5, len(models) - 0.5), ylim=(-0.03, 0.73))
        axes.grid(axis="y", color=_GRID)
        _bare(axes)
        axes.tick_params(axis="x", labelsize=9.5)
    panels[0, 0].set_ylabel("NSC, fraction:\nmean of three representations", fontsize=11.5)
    handles = [
        Line2D([], [], linestyle="none", label="isolated", markersize=6, **_REGIMES["isolated"]),
        Line2D([], [], linestyle="none", label="competing", markersize=6, markerfacecolor="white", **_REGIMES["competing"]),
        Line2D([], [], color="#9aa5b1", linewidth=8, alpha=0.6, label="what rounding leaves open"),
    ]  # fmt: skip
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=11)
    return figure
