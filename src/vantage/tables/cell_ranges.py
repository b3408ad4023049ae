"""What CVT-Bench's print leaves open of its 60 cells, as tables for a page: ranges over a few witnesses, no bounds."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from vantage.items import rows_by_viewpoint
from vantage.published import as_printed, load_cell_ranges, load_published
from vantage.schemas import CELL_STATISTICS
from vantage.tables.cells import cell_table
from vantage.tables.cvt_results.chosen import BLOCKS, REPRESENTATIONS, Answers, column
from vantage.tables.interference import position_table
from vantage.viewpoints import viewpoint_curve

BY_VIEWPOINT, BY_POSITION, *WHOLE = CELL_STATISTICS
"""Statistics along an axis, and those with one value a cell."""

_CELL = ["domain", "regime", "model", "representation"]
_PRINTED = {
    "Cycle consistency": ("Supp. 3.1", "Cycle consistency", 100),
    "Both 0 and 360 degrees correct": ("Supp. 3.1", "Both 0 and 360 degrees correct", 100),
    "Perfect C4": ("Table S6", "Perfect C4", 100),
    "Wrong but realizable": ("Evaluation Results", "Wrong but realizable scenes", 100),
    "MaxSAT": ("Supp. 4.3", "MaxSAT", 1),
}
"""Where the mean over cells of each statistic is printed, as which row, and in how many parts of the whole."""
_ROUNDED = 0.00005  # the file has four decimals


def curves(answers: Answers, statistic: str) -> pd.DataFrame:
    """The ranges of F1 along an axis, cell by cell, with the value of the answers where they have the cell; fractions.

    Columns: those of `schemas.CELL_RANGES`, and value (not a number where there is none). `statistic` is `BY_VIEWPOINT` or
    `BY_POSITION`.
    """
    rows = []
    for cell, run in answers.cells.items():
        items = answers.items[cell.domain]
        if statistic == BY_VIEWPOINT:
            found = viewpoint_curve(run.answers, items.admissible, rows_by_viewpoint(items.questions))
        else:
            positions = position_table([run], items)
            found = dict(zip(positions["position"].astype(str), positions["value"], strict=True))
        rows += [(*cell, place, value) for place, value in found.items()]
    values = pd.DataFrame(rows, columns=[*_CELL, "place", "value"]).astype({"value": float})
    return load_cell_ranges().query("statistic == @statistic").merge(values, on=[*_CELL, "place"], how="left")


def model_means(curve: pd.DataFrame) -> pd.DataFrame:
    """`curves` as means over models: of the least, of the greatest, and of the value.

    The mean of each witness lies between the first two. They are no witness's means: the least of two cells may come from two witnesses.
    """
    keys = ["domain", "regime", "representation", "place", "witnesses"]
    return curve.groupby(keys, sort=False)[["low", "high", "value"]].mean().reset_index()


def nsc_by_model(answers: Answers) -> pd.DataFrame:
    """Figure 4: mean NSC of the three representations by model, domain and regime, a fraction; the value of the answers, low and high.

    Low and high are what the means can be before Table 1 rounds its cells to two decimals.
    """
    numbers = load_published("cvt").query("place == 'Table 1' and column.str.startswith('NSC / ')")
    keys = ["Model", "domain", "regime"]
    names = numbers["row"].str.split(" / ", expand=True)
    printed = pd.DataFrame(
        {
            "Model": names[0],
            "domain": names[1],
            "regime": numbers["column"].str.split(" / ").str[1],
            "printed": numbers["value"],
            "half": 0.5 * 10.0 ** -numbers["decimals"].astype(float),
        }
    )
    means = printed.groupby(keys, sort=False).mean()
    found = cell_table(answers).query("metric == 'NSC'").groupby(keys)["value"].mean()
    return pd.DataFrame(
        {
            "low": means["printed"] - means["half"],
            "high": means["printed"] + means["half"],
            "value": found.reindex(means.index),
        }
    ).reset_index()


def means_beside_print() -> pd.DataFrame:
    """A check: the means over the fifteen cells of the least and of the greatest value, and the printed mean, in its own unit.

    `Inside` says whether something between the two means rounds to the printed one.
    """
    ranges, published, rows = load_cell_ranges(), load_published("cvt"), []
    for statistic, (place, row, scale) in _PRINTED.items():
        numbers = published[(published["place"] == place) & (published["row"] == row)].set_index("column")
        for domain, regime in BLOCKS:
            part = ranges.query("statistic == @statistic and domain == @domain and regime == @regime")
            printed = numbers.loc[column(domain, regime)]
            low, high = scale * (part["low"].mean() - _ROUNDED), scale * (part["high"].mean() + _ROUNDED)
            ends = [float(as_printed(value, printed["decimals"])) for value in (low, high)]
            rows.append(
                {
                    "Statistic": statistic,
                    "Printed for": column(domain, regime),
                    "Least": as_printed(scale * part["low"].mean(), printed["decimals"] + 1),
                    "Greatest": as_printed(scale * part["high"].mean(), printed["decimals"] + 1),
                    "Printed": as_printed(printed["value"], printed["decimals"]),
                    "Inside": "yes" if ends[0] <= printed["value"] <= ends[1] else "no",
                }
            )
    return pd.DataFrame(rows)


def widths() -> pd.DataFrame:
    """How wide the ranges of single cells are, points: a row a statistic and regime; mean, widest, and how many have no width."""
    ranges = load_cell_ranges()
    rows = []
    for statistic in CELL_STATISTICS:
        for regime in ("isolated", "competing"):
            part = ranges.query("statistic == @statistic and regime == @regime")
            if part.empty:
                continue
            width = 100 * (part["high"] - part["low"])
            rows.append(
                {
                    "Statistic": statistic,
                    "Regime": regime,
                    "Ranges": len(part),
                    "Mean width": width.mean(),
                    "Widest": width.max(),
                    "Without width": int(np.isclose(width, 0).sum()),
                }
            )
    return pd.DataFrame(rows)


def cell_by_cell(domain: str, statistics: Sequence[str] = WHOLE) -> pd.DataFrame:
    """The ranges of statistics with one value a cell, percent, as text: a row a cell of a domain."""
    part = load_cell_ranges().query("domain == @domain and statistic in @statistics")
    text = [f"{100 * low:.1f} to {100 * high:.1f}" for low, high in zip(part["low"], part["high"], strict=True)]
    keys = ["Printed row", "Representation", "Regime"]
    named = pd.DataFrame(
        {
            "Printed row": part["model"],
            "Representation": part["representation"].map(REPRESENTATIONS),
            "Regime": part["regime"],
            "statistic": part["statistic"],
            "text": text,
        }
    )
    wide = named.pivot(index=keys, columns="statistic", values="text")
    order = pd.MultiIndex.from_frame(named[keys].drop_duplicates())
    return wide.reindex(index=order, columns=list(statistics)).rename_axis(columns=None).reset_index()


def witnesses() -> int:
    """Over how many witnesses the ranges are."""
    return int(load_cell_ranges()["witnesses"].iloc[0])
