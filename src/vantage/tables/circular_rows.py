"""Rotated and repeated executions of the printed rows (FrameEvidence, Section 6.4, Tables 6b, 7, 12 and 13)."""

from collections.abc import Sequence

import pandas as pd

from vantage.circular import ROTATIONS
from vantage.predictions import TripletRun
from vantage.published import as_printed, load_published
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results import executions
from vantage.tables.frame_evidence_results.chosen import ADAPTED, REPEATED, over_seeds, pick, primary, right, seeds
from vantage.triplets import Triplets

SCORES = ("Vanilla", "Mean rot.", "Circular", "Consistency", "Drop")
"""The columns of Table 12."""


def circular_rows(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 12's rows as `vantage.triplet_figures.circular_figure` takes them: Set, and percent or points a column."""
    rows = _rows(runs, triplets)
    return pd.DataFrame([{"Set": name, **row} for name, row in rows.items()], columns=["Set", *SCORES])


def seed_means(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Circular evaluation as Table 6b gives it: controls, and mean ± sample deviation over three adapters, percent; text.

    The body of Table 6b is missing in our copy of the paper; it follows from Table 12.
    """
    found = _rows(runs, triplets)
    rows = []
    for model in reversed(ADAPTED):
        if (base := found.get(f"{model} / Base control")) is not None:
            rows.append({"": f"{model} / Base control", **{one: as_printed(base[one], 2) for one in SCORES}})
        if mean := over_seeds(found, model):
            row = f"{model} / LoRA mean"
            rows.append(
                {"": row}
                | {
                    one: f"{as_printed(mean[row, one], 2)} ± {as_printed(mean[row, f'{one} / SD'], 2)}"
                    for one in SCORES
                }
            )
    name = " / ".join(REPEATED)
    if name in found:
        rows.append({"": name, **{one: as_printed(found[name][one], 2) for one in SCORES}})
    return pd.DataFrame(rows, columns=["", *SCORES])


def ordinary_and_rotation_zero(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Right answers of the same questions in the same order in separate executions, counts of 288; one row a configuration.

    Empty where an execution does not exist.
    """
    named: dict[str, list[TripletRun | None]] = {}
    for model in ADAPTED:
        ordinary = seeds(runs, model, "multi_seed")
        rotated = seeds(runs, model, "circular", rotation=0)
        named |= {name: [run, rotated.get(name), None] for name, run in ordinary.items()}
    gpt = " / ".join(REPEATED)
    named[gpt] = [
        primary(runs).get(gpt),
        pick(runs, *REPEATED, "circular", rotation=0),
        pick(runs, *REPEATED, "repeat"),
    ]
    rows = [
        {"Configuration": name}
        | {
            column: "" if run is None else int(right(run, triplets).sum())
            for column, run in zip(EXECUTIONS, some, strict=True)
        }
        for name, some in ((name, named.get(name, ())) for name in _printed_rows())
        if sum(run is not None for run in some) > 1
    ]
    return pd.DataFrame(rows, columns=["Configuration", *EXECUTIONS])


EXECUTIONS = ("Ordinary run", "Rotation zero", "Repeat")
"""The numbers of `ordinary_and_rotation_zero`."""


def own_circular(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """`vantage.tables.triplets.circular_table` of the runs, without a row where no configuration has four rotations."""
    if not any(set(some) >= set(ROTATIONS) for some in run_tables.executions(runs).values()):
        return pd.DataFrame()
    return run_tables.circular_table(runs, triplets)


def _rows(runs: Sequence[TripletRun], triplets: Triplets) -> dict[str, dict[str, float]]:
    table = executions.table_12(runs, triplets)
    table = table[table["column"].isin(SCORES)]
    rows = {name: dict(zip(part["column"], part["value"], strict=True)) for name, part in table.groupby("row")}
    return {name: rows[name] for name in _printed_rows() if name in rows}


def _printed_rows() -> list[str]:
    """The rows of Table 12 in their order."""
    return load_published("frame_evidence").query("place == 'Table 12'")["row"].unique().tolist()
