"""All recomputed results in one list, with the page that shows each, and the comparison of runs with the print."""

from collections.abc import Sequence

import pandas as pd

from vantage.predictions import TripletRun
from vantage.tables.frame_evidence_results import contrasts, executions, failures, scores, stable_ids, strata
from vantage.tables.results import Result, against_print
from vantage.triplets import Triplets

RESULTS = (
    Result("Table 4", "frame_evidence/results#fe-table-4", scores.table_4),
    Result(None, "frame_evidence/results#fe-turnover", scores.scores_text),
    Result("Table 22", "frame_evidence/matched-success#fe-table-22", scores.table_22),
    Result(None, "frame_evidence/matched-success#fe-gaps", scores.reference_text),
    Result("Table 5", "frame_evidence/input-controls#fe-table-5", contrasts.table_5),
    Result(None, "frame_evidence/input-controls#fe-table-5", contrasts.contrasts_text),
    Result("Table 25", "frame_evidence/input-controls#fe-table-25", contrasts.table_25),
    Result("Table 6", "frame_evidence/adaptation#fe-table-6", scores.table_6),
    Result("Table 11", "frame_evidence/adaptation#fe-table-11", scores.table_11),
    Result("Table 12", "frame_evidence/circular#fe-table-12", executions.table_12),
    Result(None, "frame_evidence/circular#fe-table-12", executions.circular_text),
    Result("Table 7", "frame_evidence/circular#fe-table-7", executions.table_7),
    Result(None, "frame_evidence/circular#fe-cross-run", executions.executions_text),
    Result("Table 13", "frame_evidence/circular#fe-table-13", executions.table_13),
    Result("Table 13", "frame_evidence/circular#fe-table-13", executions.table_13_intervals, drawn=True),
    Result(None, "frame_evidence/circular#fe-table-13", executions.executions_intervals, drawn=True),
    Result("Table 3", "frame_evidence/failures#fe-table-3", strata.table_3),
    Result(None, "frame_evidence/failures#fe-table-3", strata.ordinals_text),
    Result("Table 15", "frame_evidence/strata#fe-table-15", strata.table_15),
    Result("Table 16", "frame_evidence/strata#fe-table-16", strata.table_16),
    Result("Table 17", "frame_evidence/strata#fe-table-17", strata.table_17),
    Result("Table 18", "frame_evidence/strata#fe-table-18", strata.table_18),
    Result("Table 19", "frame_evidence/strata#fe-table-19", strata.table_19),
    Result(None, "frame_evidence/strata#fe-appendix-g-1", strata.source_text),
    Result("Table 20", "frame_evidence/failures#fe-table-20", failures.table_20),
    Result("Table 8", "frame_evidence/failures#fe-table-8", failures.table_8),
    Result(None, "frame_evidence/failures#fe-table-8", failures.failures_text),
    Result("Table 21", "frame_evidence/adaptation#fe-table-21", failures.table_21),
    Result(None, "frame_evidence/adaptation#fe-table-21", failures.decomposition_text),
    Result("Table 31", "frame_evidence/failures#fe-table-31", failures.table_31),
    Result("Table 30", "frame_evidence/overlap#fe-table-30", strata.table_30),
    Result(None, "frame_evidence/overlap#fe-appendix-f-1", strata.overlap_text),
    Result("Table 26", "frame_evidence/overlap#fe-table-26", contrasts.table_26),
    Result(None, "frame_evidence/overlap#fe-table-26", contrasts.pairs_text),
    Result("Table 25", "frame_evidence/uncertainty#fe-uncertainty", contrasts.table_25_intervals, drawn=True),
    Result(None, "frame_evidence/uncertainty#fe-uncertainty", contrasts.text_only_intervals, drawn=True),
    Result("Table 26", "frame_evidence/overlap#fe-table-26", contrasts.table_26_intervals, drawn=True),
    Result(None, "frame_evidence/overlap#fe-table-26", contrasts.clusterings_text, drawn=True),
    Result(None, "frame_evidence/uncertainty#fe-appendix-g-3", scores.shot_intervals, drawn=True),
    Result(None, "frame_evidence/uncertainty#fe-appendix-e", stable_ids.stable_ids_text),
    Result(None, "frame_evidence/uncertainty#fe-appendix-e", stable_ids.stable_ids_intervals, drawn=True),
)
"""Everything that is recomputed from the answers of runs; the pages link back by these anchors."""


def verify(runs: Sequence[TripletRun], triplets: Triplets, drawn: bool = False) -> pd.DataFrame:
    """Every printed number that the runs recompute: id, place, row, column, printed, decimals, recomputed, agrees.

    Numbers agree if they are the same as printed, without any tolerance. With `drawn` these are the numbers that rest on draws of
    ours, intervals above all, which agree by chance alone; without it all others.
    """
    return against_print("frame_evidence", RESULTS, runs, triplets, drawn=drawn)
