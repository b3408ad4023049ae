"""Base and adapted checkpoints side by side (FrameEvidence, Section 6.3, Tables 6 and 11, Appendix G.2)."""

from collections.abc import Sequence

import pandas as pd

from vantage.predictions import TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import ADAPTED, primary, right, seeds
from vantage.triplets import Triplets

COUNTS = ("Right", "GEM", "NTS", "DIS")
"""The numbers of `checkpoints_table`: right answers of 288, and successes of 48 groups."""


def checkpoints_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Right answers and joint successes of every Base and LoRA run of the two adapted models; one row a run.

    `Model`, `Checkpoint`, counts as `COUNTS`, and `Questions` and `Groups`, what they are out of.
    """
    rows = []
    for model in ADAPTED:
        main = {name: run for name, run in primary(runs).items() if name.startswith(f"{model} / ")}
        main = {name.replace("/ ", "/ primary ", 1): run for name, run in main.items()}
        for name, run in (main | seeds(runs, model, "multi_seed")).items():
            joints = run_tables.joint_success(run, triplets)
            rows.append(
                {
                    "Model": model,
                    "Checkpoint": name.removeprefix(f"{model} / "),
                    "Right": int(right(run, triplets).sum()),
                    **{score.removeprefix("FQ1-"): int(success.sum()) for score, success in joints.items()},
                    "Questions": len(run_tables.asked_rows(run, triplets)),
                    "Groups": len(joints["DIS"]),
                }
            )
    return pd.DataFrame(rows, columns=["Model", "Checkpoint", *COUNTS, "Questions", "Groups"])


def conditions_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Right answers of primary Base and LoRA in each condition of FQ2 and in the three frames of FQ1 together; counts, one row a run.

    A model that has both runs has a third row with the change.
    """
    rows = []
    for model in ADAPTED:
        mine = [run for name, run in primary(runs).items() if name.startswith(f"{model} / ")]
        found = {run.setting: _by_condition(run, triplets) for run in sorted(mine, key=lambda run: run.setting)}
        if len(found) == 2:
            first, second = found.values()
            found["change"] = {column: second[column] - first[column] for column in first}
        rows += [{"Model": model, "Checkpoint": setting, **counts} for setting, counts in found.items()]
    return pd.DataFrame(rows, columns=["Model", "Checkpoint", *CONDITIONS])


CONDITIONS = ("MSS", "Deletion", "Addition", "FQ1, three frames", "All")
"""The numbers of `conditions_table`: of 48 groups, of 144 questions, and of 288."""


def _by_condition(run: TripletRun, triplets: Triplets) -> dict[str, int]:
    mss, deletion, addition = run_tables.correct_answers(run, triplets, "FQ2").sum(axis=0).tolist()
    everything = int(right(run, triplets).sum())
    counts = (mss, deletion, addition, everything - mss - deletion - addition, everything)
    return dict(zip(CONDITIONS, counts, strict=True))
