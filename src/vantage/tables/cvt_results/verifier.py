"""All recomputed results in one list, with the page that shows each, and the comparison of runs with the print."""

import pandas as pd

from vantage.tables.cvt_results import controls, robustness, scores, turns
from vantage.tables.cvt_results.chosen import Answers
from vantage.tables.results import Result, against_print

RESULTS = (
    Result("Table 1", "cvt/results#cvt-table-1", scores.table_1),
    Result(None, "cvt/results#cvt-averages", scores.averages_text),
    Result(None, "cvt/results#cvt-representations", scores.representations_text),
    Result(None, "cvt/results#cvt-outcomes", scores.outcomes_text),
    Result("Table S4", "cvt/load-matched#cvt-table-s4", scores.table_s4),
    Result(None, "cvt/load-matched#cvt-c10", scores.load_text),
    Result("Table S10", "cvt/load-matched#cvt-table-s10", robustness.table_s10),
    Result("Table S10", "cvt/load-matched#cvt-table-s10", robustness.table_s10_intervals, drawn=True),
    Result(None, "cvt/matched-coherence#cvt-supp-4-3", robustness.matching_text),
    Result(None, "cvt/matched-coherence#cvt-supp-4-3", robustness.matching_intervals, drawn=True),
    Result(None, "cvt/persistence#printed-nsc", scores.persistence_text),
    Result(None, "cvt/viewpoints#printed-values", scores.viewpoints_text),
    Result(None, "cvt/robustness#printed-robustness", scores.ambiguity_text),
    Result(None, "cvt/integrity#cvt-hidden-yaw", scores.hidden_text),
    Result("Table S5", "cvt/vertical#tracking-printed", turns.table_s5),
    Result(None, "cvt/vertical#tracking-printed", turns.components_text),
    Result("Table S6", "cvt/transformation#transport-printed", turns.table_s6),
    Result("Table S7", "cvt/transformation#transport-printed", turns.table_s7),
    Result("Table S8", "cvt/quarter-turns#turns-printed", turns.table_s8),
    Result(None, "cvt/quarter-turns#turns-printed", turns.quarter_turns_text),
    Result(None, "cvt/quarter-turns#audit-printed", turns.aligned_text),
    Result("Table S9", "cvt/robustness#printed-robustness", robustness.table_s9),
    Result("Table S9", "cvt/robustness#printed-robustness", robustness.table_s9_null, drawn=True),
    Result(None, "cvt/robustness#printed-robustness", robustness.partitions_text),
    Result(None, "cvt/robustness#printed-robustness", robustness.order_text, drawn=True),
    Result("Table S11", "cvt/context#printed-context", controls.table_s11),
    Result(None, "cvt/context#printed-context", controls.controls_text),
    Result(None, "cvt/context#printed-context", controls.controls_intervals, drawn=True),
    Result("Table S12", "cvt/retrieval#printed-retrieval", controls.table_s12),
    Result("Table S13", "cvt/retrieval#printed-retrieval", controls.table_s13),
)
"""Everything that is recomputed from the answers of runs; the pages link back by these anchors."""


def verify(answers: Answers, drawn: bool = False) -> pd.DataFrame:
    """Every printed number that the answers recompute: id, place, row, column, printed, decimals, recomputed, agrees.

    As `vantage.tables.results.against_print`: with `drawn` those that rest on draws of ours, without it all others.
    """
    return against_print("cvt", RESULTS, answers, drawn=drawn)
