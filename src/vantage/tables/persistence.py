"""Tables of persistence for a reader's runs (CVT-Bench, Supp. 2.2, 4.1 and 4.4), one row a run. NSC and survival are fractions."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import scoring, survival
from vantage.items import CVTItems, trajectories, viewpoint_numbers
from vantage.predictions import CVTRun
from vantage.tables.runs import admissible_sets, by_run


def persistence_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """NSC with what it is made of: survival of all ten probes, the denominator and the smallest step gap; NSC strict too."""
    (views, right), (_, strictly_right) = _encounters(items, strict=False), _encounters(items, strict=True)

    def values(run: CVTRun) -> dict:
        curves = survival.survival_curves(right(run), views)
        gaps = survival.step_gaps(curves)
        return {
            "Trajectories": len(views),
            "Survive all ten": curves.observed[-1],
            "Independent": curves.independent[-1],
            "Maximum": curves.maximum[-1],
            "Denominator": gaps.sum(),
            "Smallest step gap": gaps.min(),
            "NSC, strict": float(survival.nsc(survival.survival_curves(strictly_right(run), views))),
            "NSC": float(survival.nsc(curves)),
        }

    return by_run(runs, values)


def survival_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """The survival curves themselves, tidy: Set, prefix (1 to 10), observed, independent, maximum."""
    views, right = _encounters(items, strict)
    prefixes = np.arange(1, views.shape[1] + 1)
    return pd.concat(
        [
            pd.DataFrame(
                {"Set": run.title, "prefix": prefixes, **survival.survival_curves(right(run), views)._asdict()}
            )
            for run in runs
        ],
        ignore_index=True,
    )


def null_table(
    runs: Sequence[CVTRun], items: CVTItems, seed: int, draws: int = survival.PERMUTATIONS, strict: bool = False
) -> pd.DataFrame:
    """Table S9: NSC beside its item-difficulty null, with p-values, adjusted over the runs shown by Benjamini and Hochberg."""
    views, right = _encounters(items, strict)

    def values(run: CVTRun) -> dict:
        null = survival.item_difficulty_null(right(run), views, seed, draws)
        return {"NSC": null.observed, "Null NSC": null.mean, "p": null.p_value}

    table = by_run(runs, values)
    return table.assign(**{"Adjusted p": survival.benjamini_hochberg(table.p)})


def order_table(
    runs: Sequence[CVTRun], items: CVTItems, seed: int, draws: int = survival.PERMUTATIONS, strict: bool = False
) -> pd.DataFrame:
    """Supp. 4.4: NSC in the frozen order, its mean over random orders and the change, and the order-free NSC."""
    views, right = _encounters(items, strict)

    def values(run: CVTRun) -> dict:
        frozen = float(survival.nsc(survival.survival_curves(right(run), views)))
        reordered = float(survival.reordered_nsc(right(run), views, seed, draws).mean())
        return {
            "NSC": frozen,
            "Reordered NSC": reordered,
            "Change": reordered - frozen,
            "Order-free NSC": survival.order_free_nsc(right(run), views),
        }

    return by_run(runs, values)


def _encounters(items: CVTItems, strict: bool) -> tuple[NDArray[np.intp], Callable[[CVTRun], NDArray[np.bool_]]]:
    """The viewpoint of each encounter, (trajectories, steps), and a function that says which a run answers exactly."""
    rows, admissible = trajectories(items.questions), admissible_sets(items, strict)
    return viewpoint_numbers(items.questions)[rows], lambda run: scoring.exact(run.answers, admissible)[rows]
