"""Joint success by what groups have in common: Tables 3, 15 to 19 and 30, and what running text says of them."""

from collections.abc import Sequence
from fractions import Fraction
from statistics import median

import pandas as pd

from vantage import joint
from vantage.predictions import TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import METRIC_FAMILIES, ORDINAL_CHANGES, STRATA
from vantage.tables.frame_evidence_results.chosen import (
    ADAPTED,
    Values,
    all_primary,
    percent,
    primary,
    right,
    same,
    seeds,
    test_groups,
    tidy,
)
from vantage.triplets import Triplets

OVERLAP = {"train": "Shared with train", "none": "Absent from train and dev"}
"""The words of Table 30 for the values of `overlap`."""


def table_3(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 3: joint deletion successes by what deletion does to the image number, counts; for every primary configuration."""
    labels = test_groups(triplets, "FQ2")["ordinal_change"].to_list()
    values: Values = {}
    for name, run in primary(runs).items():
        found = joint.by_stratum(run_tables.joint_success(run, triplets)["NTS"], labels, ORDINAL_CHANGES)
        values |= {(name, ORDINAL_CHANGES[change]): stratum.successes for change, stratum in found.items()}
    return tidy(values)


def table_15(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 15: signs of the axial-quadrant gaps of all primary configurations, counts, and their median, points."""
    everyone = all_primary(runs)
    values: Values = {}
    for score in METRIC_FAMILIES if everyone else ():
        found = [_rates(run, triplets, score, "ontology") for run in everyone.values()]
        gaps = [rates["axial"] - rates["quadrant"] for rates in found]
        values |= {
            (score, "Positive"): sum(gap > 0 for gap in gaps),
            (score, "Tied"): sum(gap == 0 for gap in gaps),
            (score, "Negative"): sum(gap < 0 for gap in gaps),
            (score, "Median Delta"): median(gaps),
        }
    return tidy(values)


def table_16(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 16: joint success by the size of the base set, percent."""
    return _strata_table(runs, triplets, "Table 16")


def table_17(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 17: joint success by relation ontology, percent."""
    return _strata_table(runs, triplets, "Table 17")


def table_18(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 18: joint success by scene category, percent."""
    return _strata_table(runs, triplets, "Table 18")


def table_19(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 19: NTS and DIS by annotation tag, percent."""
    return _strata_table(runs, triplets, "Table 19")


def table_30(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 30: the three-seed experiment by scene overlap: accuracy in percent, joint successes in groups."""
    values: Values = {}
    for model in ADAPTED:
        for name, run in seeds(runs, model, "multi_seed").items():
            labels = triplets.questions["overlap"].iloc[run_tables.asked_rows(run, triplets)].to_numpy()
            for overlap, words in OVERLAP.items():
                values[name, f"{words} / Acc."] = percent(right(run, triplets)[labels == overlap])
                for score in METRIC_FAMILIES:
                    successes = _strata(run, triplets, score, "overlap")[overlap].successes
                    values[name, f"{words} / {score.removeprefix('FQ1-')}"] = successes
    return tidy(values)


def overlap_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of scene overlap: counts of groups (5, F.1)."""
    values: Values = {}
    for name, run in primary(runs).items():
        for score in ("NTS", "DIS"):
            for overlap, stratum in _strata(run, triplets, score, "overlap").items():
                words = {"train": "shared with train", "none": "absent from train and dev"}[overlap]
                values[f"{score} successes, clusters {words}", name] = stratum.successes
    if everyone := all_primary(runs):
        values["GEM, clusters absent from train and dev", "Every configuration"] = same(
            _strata(run, triplets, "FQ1-GEM", "overlap")["none"].successes for run in everyone.values()
        )
    return tidy(values)


def source_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """In how many primary configurations rendered inputs score higher than captured ones, counts (5, G.1)."""
    everyone = all_primary(runs).values()
    if not everyone:
        return tidy({})
    higher = {"DIS": [], "accuracy": []}
    for run in everyone:
        rates = _rates(run, triplets, "DIS", "source")
        higher["DIS"].append(rates["rendered"] > rates["captured"])
        labels = triplets.questions["source"].iloc[run_tables.asked_rows(run, triplets)].to_numpy()
        rendered, captured = (percent(right(run, triplets)[labels == source]) for source in ("rendered", "captured"))
        higher["accuracy"].append(rendered > captured)
    return tidy(
        {
            (f"Configurations whose {score} is higher on rendered inputs", "all"): sum(flags)
            for score, flags in higher.items()
        }
    )


def ordinals_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of joint deletion successes by what deletion does to the referent: counts (E)."""
    found = {(row, column): value for row, column, value in table_3(runs, triplets).itertuples(index=False)}
    values: Values = {}
    for (name, change), successes in found.items():
        values[f"NTS successes, referent {change.lower()}", name] = successes
    for model in ADAPTED:
        both = [f"{model} / Base", f"{model} / LoRA"]
        for change in ORDINAL_CHANGES.values():
            if all((name, change) in found for name in both):
                each = [found[name, change] for name in both]
                values[f"NTS successes, referent {change.lower()}", f"{model} / Base and LoRA"] = same(each)
    return tidy(values)


def _strata_table(runs: Sequence[TripletRun], triplets: Triplets, place: str) -> pd.DataFrame:
    column, words = STRATA[place]
    scores = [score for score, family in METRIC_FAMILIES.items() if place != "Table 19" or family == "FQ2"]
    return tidy(
        {
            (name, f"{score} / {words[stratum]}"): rate
            for name, run in primary(runs).items()
            for score in scores
            for stratum, rate in _rates(run, triplets, score, column).items()
        }
    )


def _strata(run: TripletRun, triplets: Triplets, score: str, column: str) -> dict[object, joint.Stratum]:
    labels = test_groups(triplets, METRIC_FAMILIES[score])[column].to_list()
    return joint.by_stratum(run_tables.joint_success(run, triplets)[score], labels)


def _rates(run: TripletRun, triplets: Triplets, score: str, column: str) -> dict[object, Fraction]:
    """Joint success of each stratum, percent."""
    found = _strata(run, triplets, score, column)
    return {label: Fraction(100 * stratum.successes, stratum.groups) for label, stratum in found.items()}
