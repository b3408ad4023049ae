"""Prediction sets: answers with their provenance, loaded, checked against the items they answer, and frozen.

A set is a folder of `frozen_predictions/` (or anywhere) with `manifest.json` and `predictions.parquet`, or a single
Parquet file that carries its manifest inside. A reply that could not be read is *invalid* (a row whose answer is empty), a
question without a row is *missing*; neither is ever guessed, and both count as wrong.

`sets` opens and freezes sets; `cvt` and `triplets` read the runs of each paper's sets.
"""

from vantage.predictions.cvt import CVTRun, cvt_table
from vantage.predictions.runs import (
    ANSWERED,
    INVALID,
    MISSING,
    NO_BLOCK,
    NOT_ASKED,
    PROVENANCE,
    check_item_level,
    set_names,
)
from vantage.predictions.sets import PredictionSet, freeze, items_of, load, load_runs, load_triplet_runs, tally_of
from vantage.predictions.triplets import TripletRun, triplet_table

__all__ = [
    "ANSWERED",
    "CVTRun",
    "INVALID",
    "MISSING",
    "NOT_ASKED",
    "NO_BLOCK",
    "PROVENANCE",
    "PredictionSet",
    "TripletRun",
    "check_item_level",
    "cvt_table",
    "freeze",
    "items_of",
    "load",
    "load_runs",
    "load_triplet_runs",
    "set_names",
    "tally_of",
    "triplet_table",
]
