"""Tables of the pages on main results and matched success: what the printed rows show together once they are recomputed.

Printed rows come from reconstructed runs alone; a reader's own sets are scored apart, on our items.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from vantage.predictions import TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import open_weight, primary, seeds
from vantage.triplets import Triplets

_SCORES = ("Acc.", *run_tables.JOINT)


def printed_rows(runs: Sequence[TripletRun]) -> list[TripletRun]:
    """The runs that stand for printed rows: those of kind reconstructed."""
    return [run for run in runs if run.kind == "reconstructed"]


def own_sets(runs: Sequence[TripletRun]) -> list[TripletRun]:
    """The runs that stand for themselves: measured and reference ones."""
    return [run for run in runs if run.kind != "reconstructed"]


def by_accuracy(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Accuracy and the joint scores of the primary configurations, percent; the most accurate is number 1.

    `Sort` is open-weight, adapted, or the model of a gateway row. Ties in accuracy keep the order of Table 4.
    """
    named = primary(runs)
    found = run_tables.scores_table(list(named.values()), triplets).reindex(columns=_SCORES)
    found.insert(0, "Row", list(named))
    found.insert(1, "Sort", [_sort(name) for name in named])
    found = found.sort_values("Acc.", ascending=False, kind="stable", ignore_index=True)
    found.insert(0, "No.", range(1, len(found) + 1))
    return found


def leaders(table: pd.DataFrame) -> pd.DataFrame:
    """Who is first by each score of `by_accuracy`, and what accuracy the first has; a row for each that shares the lead."""
    rows = []
    for score in _SCORES if len(table) else ():
        for first in table[np.isclose(table[score], table[score].max())].itertuples():
            rows.append(
                {
                    "Score": score,
                    "Highest": table[score].max(),
                    "Row": first.Row,
                    "Its accuracy": table["Acc."][first.Index],
                    "Rank by accuracy": table["No."][first.Index],
                }
            )
    return pd.DataFrame(rows)


def pair_orders(table: pd.DataFrame) -> pd.DataFrame:
    """Pairs of rows of `by_accuracy` that a joint score orders as accuracy does, the other way, or not at all; counts.

    Tied are pairs that are equal in accuracy or in the joint score.
    """
    rows = []
    for score in run_tables.JOINT:
        values = table[["Acc.", score]].to_numpy(dtype=float)
        signs = [int(np.prod(np.sign(first - second))) for first, second in combinations(values, 2)]
        rows.append(
            {
                "Score": score,
                "As accuracy": signs.count(1),
                "The other way": signs.count(-1),
                "Tied": signs.count(0),
                "Pairs": len(signs),
            }
        )
    return pd.DataFrame(rows)


def references(runs: Sequence[TripletRun], triplets: Triplets, experiment: str = "main") -> pd.DataFrame:
    """`vantage.tables.triplets.reference_table` with printed names for sets, in printed order.

    Of the primary configurations, or of the ordinary ones where `experiment` is multi_seed. A setting of Base goes without
    saying. FQ1-GEM has no counts and no upper bound: the print leaves them open.
    """
    if experiment == "main":
        named = primary(runs)
    else:
        models = dict.fromkeys(run.model for run in runs)
        named = {name: run for model in models for name, run in seeds(runs, model, experiment).items()}
    found = run_tables.reference_table(list(named.values()), triplets)
    titles = {run.title: name.removesuffix(" / Base").replace(" / ", ", ") for name, run in named.items()}
    if found.empty:
        return pd.DataFrame(columns=_REFERENCE_COLUMNS)
    # How many answers are right in each frame is not printed, and with it the most that FQ1-GEM could be.
    found.loc[found["Score"] == "FQ1-GEM", ["Correct counts", "Highest"]] = ["", np.nan]
    return found.assign(Set=found["Set"].map(titles))


def gap_signs(table: pd.DataFrame) -> pd.DataFrame:
    """How many rows of `references` lie below, at and above the reference, one row a score."""
    rows = []
    for score, gap in _gaps(table).items():
        signs = np.where(np.isclose(gap, 0), 0, np.sign(gap))
        rows.append({"Score": score} | {word: int((signs == sign).sum()) for word, sign in _SIGNS.items()})
    return pd.DataFrame(rows)


def gap_ends(table: pd.DataFrame) -> pd.DataFrame:
    """The least and the greatest gap of `references` by score, in points, and the row that has it."""
    rows = []
    for score, gap in _gaps(table).items():
        least, greatest = gap.idxmin(), gap.idxmax()
        rows.append(
            {
                "Score": score,
                "Least gap": gap[least],
                "Row": table["Set"][least],
                "Greatest gap": gap[greatest],
                "Its row": table["Set"][greatest],
            }
        )
    return pd.DataFrame(rows)


def at_bounds(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `references` whose NTS, or DIS, is the least or the most that the counts of right answers allow; counts.

    FQ1-GEM is left out: the print does not give how many answers are right in each frame, so its upper bound is open.
    """
    rows = []
    for score, gap in _gaps(table).items():
        part = table.loc[gap.index]
        if score != "FQ1-GEM":
            rows.append(
                {
                    "Score": score,
                    "At the lower bound": int(np.isclose(part["Observed"], part["Lowest"]).sum()),
                    "At the upper bound": int(np.isclose(part["Observed"], part["Highest"]).sum()),
                    "Rows": len(part),
                }
            )
    return pd.DataFrame(rows)


_REFERENCE_COLUMNS = (
    "Set", "Score", "Correct counts", "Observed", "Reference", "Gap", "Lowest", "Highest"
)  # fmt: skip
_SIGNS = {"Below": -1, "Equal": 0, "Above": 1}


def _gaps(table: pd.DataFrame) -> dict[str, pd.Series]:
    return {score: part["Gap"] for score, part in table.groupby("Score", sort=False)}


def _sort(name: str) -> str:
    model, setting = name.split(" / ")
    return {"Base": "open-weight", "LoRA": "adapted"}[setting] if open_weight(name) else model
