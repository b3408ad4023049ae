"""Tables of the page on joint success: what a constant letter must give, retention, strata, and pairs of runs."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from vantage import evidence, joint
from vantage.errors import InputError
from vantage.predictions import TripletRun
from vantage.schemas import LETTERS
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import STRATA
from vantage.triplets import Triplets


def constant_letters(triplets: Triplets) -> pd.DataFrame:
    """What a responder that always gives one letter must show, from gold letters alone; one row a letter.

    Counts of the FQ2 test groups, and observed rate and fixed-marginal reference of NTS and DIS, percent (D.4).
    """
    gold = triplets.gold[triplets.rows("FQ2")]
    rows = []
    for letter, name in enumerate(LETTERS):
        mss, deletion, addition = (gold == letter).sum(axis=0).tolist()
        rows.append(
            {
                "Letter": name,
                "Groups": len(gold),
                "MSS right": mss,
                "Deletion right": deletion,
                "Addition right": addition,
                "NTS": 0.0,  # gold letters of an MSS and of its deletion differ
                "NTS reference": 100 * float(joint.reference_rate((mss, deletion), len(gold))),
                "DIS": 100 * mss / len(gold),  # those of an MSS and of its addition are the same
                "DIS reference": 100 * float(joint.reference_rate((mss, addition), len(gold))),
            }
        )
    return pd.DataFrame(rows)


def retention_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What becomes of the MSS answer after addition (G.4), counts of groups, one row a run; percent retained of those right.

    Not numbers where a run leaves FQ2 out.
    """

    def values(run: TripletRun) -> dict:
        answers, gold, _ = run_tables.evidence_answers(run, triplets)
        found = evidence.retention(answers, gold)
        row = {
            "Same answer": found.retained,
            "Another answer": found.flipped,
            "Invalid": found.invalid,
            "MSS right": found.mss_correct,
            "Both right": found.robust,
            "Retained of right": 100 * float(found.conditional),
        }
        return row if len(answers) else dict.fromkeys(row, np.nan)

    return run_tables.by_run(runs, values)


def strata_overview(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Joint successes out of the groups of each stratum (Tables 16 to 19), as "successes/groups"; one row a stratum and run.

    FQ1 has no annotation tag: its cell is empty there, as is that of a score whose family a run leaves out.
    """
    words = {"base_size": "Size", "ontology": "Relations", "setting": "Scene", "tag": "Tag"}
    rows = []
    for column, names in STRATA.values():
        scores = [name for name in run_tables.JOINT if column != "tag" or name != "FQ1-GEM"]
        tidy = run_tables.strata_table(runs, triplets, column, list(names), scores)
        cells = {
            (entry.Stratum, entry.Set, entry.Score): f"{entry.Successes}/{entry.Groups}" for entry in tidy.itertuples()
        }
        for stratum, name in names.items():
            for run in runs:
                rows.append(
                    {"By": words[column], "Stratum": name, "Set": run.title}
                    | {score: cells.get((stratum, run.title, score), "") for score in run_tables.JOINT}
                )
    return pd.DataFrame(rows)


def contrasts(some: Sequence[Sequence[TripletRun]], triplets: Triplets, seed: int) -> pd.DataFrame:
    """`vantage.tables.triplets.contrast_table` of each further run of each list minus the first run of that list."""
    return _paired(some, lambda first, second: run_tables.contrast_table(first, second, triplets, seed))


def common_groups(some: Sequence[Sequence[TripletRun]], triplets: Triplets) -> pd.DataFrame:
    """`vantage.tables.triplets.common_groups_table` from the first run of each list to each further one; both answer FQ2."""
    return _paired(some, lambda first, second: run_tables.common_groups_table(first, second, triplets))


def _paired(
    some: Sequence[Sequence[TripletRun]], table: Callable[[TripletRun, TripletRun], pd.DataFrame]
) -> pd.DataFrame:
    parts = []
    for first, *further in some:
        for second in further:
            part = table(first, second)
            part.insert(0, "Contrast", f"{second.title} minus {first.title}")
            parts.append(part)
    if not parts:
        raise InputError(
            "contrasts: expected lists of two runs or more, found none; name the set to subtract, then another"
        )
    return pd.concat(parts, ignore_index=True)
