"""Where joint success is lost: Tables 8, 20, 21 and 31, and what running text says of them."""

from collections.abc import Iterator, Sequence

import pandas as pd

from vantage import evidence, frames
from vantage.predictions import TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import ADAPTED, REPEATED, Values, percent, primary, same, tidy
from vantage.triplets import Triplets

_COLUMNS = {
    "to_insufficient": "Deletion / To insufficient",
    "original": "Deletion / Original",
    "other": "Deletion / Other",
    "robust": "Addition / Robust",
    "drift": "Addition / Drift",
    "invalid": "Invalid",
}
"""The columns of Table 20 by the fields of `evidence.FailureProfile`."""


def table_8(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 8: insufficiency answers in each condition of FQ2, counts."""
    values: Values = {}
    for name, run in primary(runs).items():
        given, _, insufficient = run_tables.evidence_answers(run, triplets)
        counts = evidence.insufficiency_counts(given, insufficient).tolist()
        values |= {(name, column): count for column, count in zip(("MSS", "Del.", "Add."), counts, strict=True)}
    return tidy(values)


def table_20(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 20: failure profiles, percent; m in groups."""
    values: Values = {}
    for name, run in primary(runs).items():
        profile = evidence.failure_profile(*run_tables.evidence_answers(run, triplets))
        values[name, "Frame invariant"] = percent(frames.invariant_frames(run.answers[triplets.rows("FQ1")]))
        values[name, "m"] = profile.mss_correct
        values |= {(name, _COLUMNS[part]): 100 * share for part, share in profile.shares().items()}
    return tidy(values)


def table_21(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 21: the change from Base to LoRA on shared and on unshared MSS-correct groups, counts."""
    values: Values = {}
    for model, score, found in _decomposed(runs, triplets):
        values |= {
            (f"{model} / {score}", column): value
            for column, value in {
                "Common groups / Base successes": found.common_first,
                "Common groups / Base out of": found.both,
                "Common groups / LoRA successes": found.common_second,
                "Common groups / LoRA out of": found.both,
                "Common change": found.common.net,
                "LoRA-only successes": found.second_successes,
                "Base-only successes": found.first_successes,
                "Full change": found.full_change,
            }.items()
        }
    return tidy(values)


def table_31(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 31: pairs of frames by what the answers do, and whole groups; counts."""
    return tidy(
        {
            (name, column): value
            for name, run in primary(runs).items()
            for column, value in _frame_changes(run, triplets).items()
        }
    )


def failures_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of insufficiency answers, retention and frame changes: percent and counts (7, F.2, G.4)."""
    values: Values = {}
    for name, run in primary(runs).items():
        given, gold, insufficient = run_tables.evidence_answers(run, triplets)
        detection = evidence.insufficiency_detection(given, insufficient)
        retention = evidence.retention(given, gold)
        changes = _frame_changes(run, triplets)
        values |= {
            ("Insufficiency recall", name): 100 * detection.recall,
            ("Insufficiency precision", name): 100 * detection.precision,
            ("True insufficiency responses", name): detection.true,
            ("False insufficiency responses", name): detection.false,
            ("Retained correct answers after addition", name): retention.robust,
            ("Retained correct answers after addition / out of", name): retention.mss_correct,
            ("Repeated directions", name): changes["Same"],
            ("Changed directions", name): changes["Change"],
            ("Correct pairs", name): changes["Both"],
        }
    shots = [f"{REPEATED[0]} / {number}-shot" for number in (2, 3)]
    if all(("Changed directions", name) in values for name in shots):
        values["Changed directions", f"{shots[0]} and 3-shot"] = same(
            values["Changed directions", name] for name in shots
        )
    return tidy(values)


def decomposition_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What running text says of the change from Base to LoRA: switches to insufficiency and shared groups, counts (7, D.2, D.3)."""
    values: Values = {}
    for model, score, found in _decomposed(runs, triplets):
        column = f"{model}: LoRA-Base"
        coverage = found.first_successes - found.second_successes
        condition = {"NTS": "Deletion", "DIS": "Addition"}[score]
        values |= {
            ("Groups with MSS correct, both", column): found.both,
            ("Groups with MSS correct, Base only", column): found.first_only,
            ("Groups with MSS correct, LoRA only", column): found.second_only,
            ("Groups with MSS correct, neither", column): found.neither,
            (f"{condition} gains, both MSS correct", column): found.common.gains,
            (f"{condition} losses, both MSS correct", column): found.common.losses,
            (f"Net {score} gain", column): found.full_change,
            (f"Net {score} gain, both MSS correct", column): found.common.net,
            (f"Net {score} loss, both MSS correct", column): -found.common.net,
            (f"Net {score} loss, changed MSS coverage", column): coverage,
            (f"Net {score} loss, by each route", column): same([coverage, -found.common.net]),
        }
    for model, first, second in _adapted_pairs(runs):
        one, _, insufficient = run_tables.evidence_answers(first, triplets)
        two, _, _ = run_tables.evidence_answers(second, triplets)
        switches = evidence.insufficiency_switches(one, two, insufficient)
        for condition, found in zip(evidence.CONDITIONS, switches, strict=True):
            column = f"{model}: LoRA-Base"
            values[f"Spatial-to-insufficiency switches / {condition}", column] = found.gains
            values[f"Insufficiency-to-spatial switches / {condition}", column] = found.losses
    return tidy(values)


def _frame_changes(run: TripletRun, triplets: Triplets) -> dict[str, int]:
    """The columns of Table 31."""
    rows = triplets.rows("FQ1")
    pairs = frames.frame_pairs(run.answers[rows], triplets.gold[rows])
    return {
        "Same": int(pairs.same.sum()),
        "Change": int(pairs.change.sum()),
        "Both": int(pairs.both.sum()),
        "GEM": int(frames.matched_frames(run.answers[rows], triplets.gold[rows]).sum()),
    }


def _adapted_pairs(runs: Sequence[TripletRun]) -> Iterator[tuple[str, TripletRun, TripletRun]]:
    """Model, primary Base and primary LoRA."""
    found = primary(runs)
    for model in ADAPTED:
        if {f"{model} / Base", f"{model} / LoRA"} <= found.keys():
            yield model, found[f"{model} / Base"], found[f"{model} / LoRA"]


def _decomposed(runs: Sequence[TripletRun], triplets: Triplets) -> Iterator[tuple[str, str, evidence.CommonGroups]]:
    for model, first, second in _adapted_pairs(runs):
        one, gold, _ = run_tables.evidence_answers(first, triplets)
        two, _, _ = run_tables.evidence_answers(second, triplets)
        for score, condition in (("NTS", evidence.DELETION), ("DIS", evidence.ADDITION)):
            yield model, score, evidence.common_groups(one, two, gold, condition)
