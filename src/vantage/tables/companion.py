"""Tables of the page on offline scoring: what a set holds, beside what the paper says its own scoring companion covers."""

from collections.abc import Sequence

import pandas as pd

from vantage import circular
from vantage.predictions import ANSWERED, INVALID, MISSING, NOT_ASKED, TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import REPEATED, open_weight, primary
from vantage.triplets import Triplets

EXPERIMENTS = {
    "main": "Primary",
    "input_control": "Input controls",
    "multi_seed": "Ordinary multi-seed",
    "circular": "Circular",
    "repeat": "Same-order repeat",
    "stable_id": "Stable-ID diagnostic",
}
"""What the pages call each experiment, in their order."""

PLACE = "Appendix A-C, Offline scoring companion"


def run_counts(runs: Sequence[TripletRun]) -> pd.DataFrame:
    """One row a run, by experiment: the questions it was asked, and how many are answered, invalid and missing."""
    rows = [
        {
            "Experiment": EXPERIMENTS[run.experiment],
            "Run": f"{run.title} ({run.run})" if run.kind != "reconstructed" else run.run,
            "Kind": run.kind,
            "Questions": int((run.status != NOT_ASKED).sum()),
            "Answered": int((run.status == ANSWERED).sum()),
            "Invalid": int((run.status == INVALID).sum()),
            "Missing": int((run.status == MISSING).sum()),
        }
        for run in runs
    ]
    order = {words: rank for rank, words in enumerate(EXPERIMENTS.values())}
    return pd.DataFrame(rows).sort_values("Experiment", key=lambda names: names.map(order), kind="stable")


def experiment_counts(runs: Sequence[TripletRun]) -> pd.DataFrame:
    """`run_counts` summed, one row an experiment and kind."""
    counts = run_counts(runs)
    found = counts.groupby(["Experiment", "Kind"], sort=False, as_index=False)[
        ["Questions", "Answered", "Invalid", "Missing"]
    ].sum()
    found.insert(2, "Runs", counts.groupby(["Experiment", "Kind"], sort=False).size().to_numpy())
    return found


def companion_counts(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What the paper's companion covers, counted in these runs; keyed like the published numbers, counts."""
    rows = run_tables.executions(runs)
    complete = {key for key, some in rows.items() if set(some) >= set(circular.ROTATIONS)}
    repeated = [some for key, some in rows.items() if key[1:3] == REPEATED]
    pairs = run_tables.pair_table([run for some in repeated for run in some.values()], triplets)
    values = {
        ("Configurations", "all"): len(primary(runs)),
        ("Ordinary multi-seed configurations", "all"): sum(run.experiment == "multi_seed" for run in runs),
        # The gateway's row is counted by its responses.
        ("Complete Circular rows", "all"): sum(
            open_weight(f"{model} / {setting}") for _, model, setting, _ in complete
        ),
        ("Circular responses", " / ".join(REPEATED)): _answered(repeated, lambda name: name != "repeat"),
        ("Repeat responses", " / ".join(REPEATED)): _answered(repeated, lambda name: name == "repeat"),
        ("Entries of Table 7", "all"): pairs.select_dtypes("number").size,
    }
    return pd.DataFrame(
        [(PLACE, *key, value) for key, value in values.items()], columns=["place", "row", "column", "value"]
    )


def _answered(rows: Sequence[dict], wanted) -> int:
    return sum(int((run.status == ANSWERED).sum()) for some in rows for name, run in some.items() if wanted(name))
