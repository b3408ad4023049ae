"""All diagnostics of a run side by side: where a known mechanism shows, and where it does not."""

from collections.abc import Sequence

import pandas as pd

from vantage import scoring
from vantage.items import CVTItems
from vantage.predictions import CVTRun
from vantage.tables.coherence import coherence_table, satisfiable, scene_outputs
from vantage.tables.persistence import order_table
from vantage.tables.runs import cycle_table, viewpoint_table
from vantage.tables.transformation import transport_table

_DIAGONAL, _QUARTER = ["45", "135", "225", "315"], ["90", "270"]


def signature_table(runs: Sequence[CVTRun], items: CVTItems, seed: int) -> pd.DataFrame:
    """One row a run: ambiguity-aware scores in percent, and 100 times NSC, so that all columns share a scale.

    F1 and exact match by kind of turn are means over its viewpoints. `NSC reordered` is the mean over random encounter
    orders, which `seed` draws.
    """
    f1 = viewpoint_table(runs, items)
    exact = viewpoint_table(runs, items, scoring.exact_match)
    transport = transport_table(runs, items)
    coherence = coherence_table(scene_outputs(runs, items, satisfiable(runs, items)))
    order = order_table(runs, items, seed)
    return pd.DataFrame(
        {
            "Set": f1.Set,
            "F1, 0": f1["0"],
            "F1, diagonal": f1[_DIAGONAL].mean(axis=1),
            "F1, quarter": f1[_QUARTER].mean(axis=1),
            "F1, 180": f1["180"],
            "Exact, diagonal": exact[_DIAGONAL].mean(axis=1),
            "Exact, quarter": exact[_QUARTER].mean(axis=1),
            "Cycle": cycle_table(runs, items)["Cycle consistency"],
            "Self, quarter": transport[["Self 90", "Self 270"]].mean(axis=1),
            "Self, 180": transport["Self 180"],
            "Realizable": coherence["Realizable"],
            "MaxSAT": coherence["MaxSAT"],
            "NSC": 100 * order["NSC"],
            "NSC reordered": 100 * order["Reordered NSC"],
        }
    )
