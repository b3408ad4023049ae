"""Transformation and tracking: Tables S5 to S8, and Supp. 3.6 on quarter turns.

Where a table is about horizontal relations, answers and admissible sets are cut down to left, right, front and behind. Table S8 and
Supp. 3.6 count the fixed pairs of CVT-Real whose questions offer above and below: printed numbers exclude that they count all of them
(`data/published/cvt_tensions.csv`). In CVT-Synthetic they count all.
"""

from collections.abc import Callable
from statistics import fmean

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import quarter_turns, transport
from vantage.items import CVTItems, tracked_rows, viewpoint_numbers
from vantage.predictions import CVTRun
from vantage.realizability import realizable_scenes
from vantage.relations import HORIZONTAL
from vantage.tables.cvt_results.chosen import (
    DOMAINS,
    REGIMES,
    Answers,
    Values,
    by_block,
    column,
    over_cells,
    tidy,
)
from vantage.tables.vertical import component_rows
from vantage.tracking import COMPONENTS, component_scores

Statistic = Callable[[CVTRun, CVTItems], dict[str, float]]


def table_s5(answers: Answers) -> pd.DataFrame:
    """Table S5: CVT-Real's 2D trackers, and the horizontal and vertical component of its 3D trackers; fractions, means over cells."""
    values: Values = {}
    if (items := answers.items.get("indoor")) is None:
        return tidy(values)
    views = viewpoint_numbers(items.questions)
    rows = {name: component_rows(items, component) for name, component in COMPONENTS.items()}
    for regime in ("isolated", "competing"):
        runs = answers.block("indoor", regime).values()
        for name, component in COMPONENTS.items() if runs else ():
            scores = [
                component_scores(run.answers, items.admissible, rows[name], views, component.labels) for run in runs
            ]
            for metric in ("F1", "NSC"):
                values[name, f"{metric} / {REGIMES[regime]}"] = fmean(score[metric] for score in scores)
    return tidy(values)


def components_text(answers: Answers) -> pd.DataFrame:
    """Evaluation Results: NSC of the components of Table S5, under the name that the text gives it."""
    table = table_s5(answers)
    return tidy(
        {
            (f"NSC, {one.row}", f"{DOMAINS['indoor']} / {one.column.split(' / ')[1]}"): one.value
            for one in table.itertuples()
            if one.column.startswith("NSC") and one.row.startswith("3D")
        }
    )


def table_s6(answers: Answers) -> pd.DataFrame:
    """Table S6: does the answer at each cardinal view follow from the run's own answer at 0? Percent, means over cells."""
    cardinal = {domain: _cardinal(items) for domain, items in answers.items.items()}
    return tidy(
        _means_of(answers, lambda run, items: transport.self_transport(run.answers[cardinal[items.domain]]), 100)
    )


def table_s7(answers: Answers) -> pd.DataFrame:
    """Table S7: closed fixed pairs at cardinal views, and realizability of those answers alone; fractions, means over cells.

    With the drops of its caption, in points.
    """
    closed = {}
    for domain, items in answers.items.items():
        cardinal = _cardinal(items)
        closed[domain] = cardinal[transport.recoverable(items.gold[cardinal])]

    def scores(run: CVTRun, items: CVTItems) -> dict[str, float]:
        rows = closed[items.domain]
        together = np.sort(rows.ravel())  # the questions of a scene stand together
        verdicts = realizable_scenes(run.answers[together], items.questions.iloc[together])
        found = transport.recoverable_scores(run.answers, items.admissible, rows)
        return found | {"Realizable": fmean(verdicts.values())}

    values = _means_of(answers, scores)
    name = DOMAINS["indoor"]
    for metric in ("F1", "Perfect C4", "Realizable"):
        ends = [values.get((metric, column("indoor", regime))) for regime in ("isolated", "competing")]
        if None not in ends:
            values[f"Caption: {metric} drop in points", name] = 100 * (ends[0] - ends[1])
    return tidy(values)


def table_s8(answers: Answers) -> pd.DataFrame:
    """Table S8: exact match and F1 by kind of turn; fractions, means over cells."""
    names = {
        **{name: name for name in ("Diagonal exact", "Diagonal F1", "Quarter exact", "Quarter F1", "180 exact")},
        "180 - quarter exact": "180 minus quarter exact",
    }
    found = _means_of(answers, lambda run, items: quarter_turns.decomposition(*_horizontal(answers, run, items)))
    return tidy({(names[row], name): value for (row, name), value in found.items() if row in names})


def quarter_turns_text(answers: Answers) -> pd.DataFrame:
    """Supp. 3.6: short minus long wording, and endpoint minus cross-axis relations at diagonals; points, means over cells; counts.

    Of the wordings the largest difference among the four blocks, whatever its sign.
    """

    def wording(run: CVTRun, items: CVTItems) -> float:
        angles = items.questions["orbit_angle"].to_numpy()
        return quarter_turns.wording_difference(*_horizontal(answers, run, items), angles)["Difference"]

    def contrast(run: CVTRun, items: CVTItems) -> float:
        return quarter_turns.axis_rebinding(*_horizontal(answers, run, items))["Difference"]

    wordings, contrasts = (by_block(over_cells(answers, statistic)) for statistic in (wording, contrast))
    values: Values = {}
    if len(wordings) == 4:
        values["Short 90 minus long 270 wording, exact in points, at most", "all"] = 100 * max(
            abs(fmean(found)) for found in wordings.values()
        )
    for name, found in contrasts.items():
        values["Endpoint minus cross-axis relations at diagonals, in points", name] = 100 * fmean(found)
        values["Cells in which endpoint relations are easier", name] = sum(value > 0 for value in found)
    return tidy(values)


def aligned_text(answers: Answers) -> pd.DataFrame:
    """Evaluation Results: aligned and alternative errors at quarter turns, least and greatest of the fifteen cells; percent.

    As shares of errors with exactly one relation right: the reading that agrees with Table S8 (`vantage.quarter_turns.aligned_shares`).
    """
    shares = _audit(answers)
    values: Values = {}
    for kind in ("Aligned", "Alternative") if shares else ():
        found = [100 * share[f"{kind} of one relation right"] for share in shares]
        row = f"{kind} share of two-relation errors at quarter turns"
        values |= {
            (f"{row}, {name}", column(*_AUDITED)): end(found) for name, end in (("minimum", min), ("maximum", max))
        }
    return tidy(values)


def audit_readings(answers: Answers) -> pd.DataFrame:
    """The audit in both readings of `vantage.quarter_turns.aligned_shares`, over all pairs and after an exact 0-degree answer.

    One row a reading and source; least and greatest share of the cells that have such errors, percent.
    """
    rows = []
    by_source = {"any": _audit(answers), "correct": _audit(answers, correct_source=True)}
    for reading in ("two labels", "one relation right"):
        for source, shares in by_source.items():
            row = {"Errors": f"of {reading}", "Source answer": source}
            for kind in ("Aligned", "Alternative"):
                found = [100 * share[f"{kind} of {reading}"] for share in shares]
                row |= {
                    f"{kind}, {name}": end(found, default=float("nan"))
                    for name, end in (("least", min), ("greatest", max))
                }
            rows.append(row)
    return pd.DataFrame(rows)


_AUDITED = ("synthetic", "isolated")
"""The block whose errors the paper audits."""


def _audit(answers: Answers, correct_source: bool = False) -> list[dict[str, float]]:
    runs, items = answers.block(*_AUDITED).values(), answers.items.get("synthetic")
    return [
        quarter_turns.aligned_shares(quarter_turns.aligned_errors(*_horizontal(answers, run, items), correct_source))
        for run in runs
    ]


def _cardinal(items: CVTItems) -> NDArray[np.intp]:
    return tracked_rows(items.questions)[:, transport.CARDINAL_VIEWS]


def _means_of(answers: Answers, statistic: Statistic, scale: float = 1) -> Values:
    """A row of means over cells for each name that the statistic gives."""
    found = over_cells(answers, statistic)
    names = dict.fromkeys(name for scores in found.values() for name in scores)
    blocks = by_block(found)
    return {(name, of): scale * fmean(scores[name] for scores in each) for name in names for of, each in blocks.items()}


def _horizontal(answers: Answers, run: CVTRun, items: CVTItems) -> tuple[NDArray, NDArray, NDArray]:
    """The horizontal parts of answers and of admissible sets, and the fixed pairs that Table S8 is about."""
    return (
        run.answers & np.uint8(HORIZONTAL),
        items.admissible & np.uint8(HORIZONTAL),
        answers.turned_pairs[items.domain],
    )
