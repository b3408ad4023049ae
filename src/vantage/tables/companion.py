"""Tables of the page on offline scoring: what a set holds, beside what the paper says its own scoring companion covers."""

from collections.abc import Sequence

import pandas as pd

from vantage import circular
from vantage.predictions import ANSWERED, INVALID, MISSING, NOT_ASKED, TripletRun
from vantage.published import load_published
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import REPEATED, primary
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

_PLACE = "Appendix A-C, Offline scoring companion"


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
    """What the paper says that its companion recomputes, beside what these runs have of it; counts."""
    rows = run_tables.executions(runs)
    complete = [key for key, some in rows.items() if set(some) >= set(circular.ROTATIONS)]
    repeated = [some for key, some in rows.items() if key[1:3] == REPEATED]
    pairs = run_tables.pair_table([run for some in repeated for run in some.values()], triplets)
    ordinary = [run for run in runs if run.experiment == "multi_seed"]
    # The gateway's Circular row is counted apart, by its answers.
    open_rows = [key for key in complete if key[1:3] != REPEATED]
    found = {
        "Configurations": ("Primary configurations (Table 4)", len(primary(runs))),
        "Ordinary multi-seed configurations": ("Ordinary multi-seed configurations (Table 11)", len(ordinary)),
        "Complete Circular rows": ("Complete open-weight Circular rows (Table 12)", len(open_rows)),
        "Circular responses": ("Circular answers of GPT-5.6, 0-shot", _answered(repeated, of_repeat=False)),
        "Repeat responses": ("Same-order repeat answers of GPT-5.6, 0-shot", _answered(repeated, of_repeat=True)),
        "Entries of Table 7": ("Entries of Table 7", pairs.select_dtypes("number").size),
    }
    said = load_published("frame_evidence").query("place == @_PLACE").set_index("row")["value"]
    return pd.DataFrame(
        [{"What": words, "In these runs": count, "Printed": int(said[row])} for row, (words, count) in found.items()]
    )


def _answered(rows: Sequence[dict[int | str, TripletRun]], of_repeat: bool) -> int:
    """Answers that are letters, of the repeats or of the rotations."""
    chosen = [run for some in rows for name, run in some.items() if (name == "repeat") == of_repeat]
    return sum(int((run.status == ANSWERED).sum()) for run in chosen)
