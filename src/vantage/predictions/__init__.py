"""Prediction sets: answers with their provenance, loaded, checked against the items they answer, and frozen.

A set is a folder of `frozen_predictions/` (or anywhere) with `manifest.json` and `predictions.parquet`, or a single
Parquet file that carries its manifest inside. A reply that could not be read is *invalid* (a row whose answer is empty), a
question without a row is *missing*; neither is ever guessed, and both count as wrong.

`sets` opens and freezes sets; `cvt` and `triplets` read the runs of each paper's sets, `attributes` the answers to attribute
questions, which a CVT set may have beside the others in `attribute_predictions.parquet`.
"""

from vantage.predictions.attributes import AttributeRun, attribute_table
from vantage.predictions.cvt import CVTRun, cvt_table, pool_targets
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
from vantage.predictions.sets import (
    WHOLE,
    PredictionSet,
    freeze,
    items_of,
    load,
    load_attribute_runs,
    load_runs,
    load_triplet_runs,
    tally_of,
)
from vantage.predictions.triplets import TripletRun, triplet_table

__all__ = [
    "ANSWERED",
    "AttributeRun",
    "CVTRun",
    "INVALID",
    "MISSING",
    "NOT_ASKED",
    "NO_BLOCK",
    "PROVENANCE",
    "PredictionSet",
    "TripletRun",
    "WHOLE",
    "attribute_table",
    "check_item_level",
    "cvt_table",
    "freeze",
    "items_of",
    "load",
    "load_attribute_runs",
    "load_runs",
    "load_triplet_runs",
    "pool_targets",
    "set_names",
    "tally_of",
    "triplet_table",
]
