"""The stable-ID prompting diagnostic on the groups outside the removed-anchor stratum: running text of Section 7 and Appendix E."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import evidence, joint
from vantage.letters import INVALID, correct
from vantage.predictions import NOT_ASKED, TripletRun
from vantage.tables.frame_evidence_results.chosen import REPEATED, Values, intervals, percent, pick, same, tidy
from vantage.triplets import Triplets

ARMS = {"original": "Original wording", "stable_id": "Stable IDs"}
"""The arms and what the paper calls them."""

FIRST, REPEATS = 0, (1, 2)
"""Blocks: the first diagnostic, and the two of the repeated-block control."""

FIRST_SEEDS, FIRST_DRAWS = {"groups": 20261010, "union components": 20261110}, 10_000
"""Seeds and draws of the intervals of the first diagnostic."""

REPEAT_SEED, REPEAT_DRAWS = 20261011, 20_000
"""Seed and draws of the intervals over both repeated blocks."""

_CLUSTERS = {"groups": "group", "union components": "union_cluster"}

Arms = dict[tuple[int, str], TripletRun]


def stable_ids_text(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Both parts of the diagnostic, counts, percent and points."""
    found = _arms(runs)
    values: Values = {}
    if all((FIRST, arm) in found for arm in ARMS):
        values |= _first(found, triplets)
    if all((block, arm) in found for block in REPEATS for arm in ARMS):
        values |= _repeated(found, triplets)
    return tidy(values)


def stable_ids_intervals(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """The intervals of both parts, percent and points: whole groups and whole union components."""
    found = _arms(runs)
    values: Values = {}

    def add(changes: dict[str, NDArray], blocks: int, column: str, clustering: str, seed: int, draws: int) -> None:
        rows = _rows(found, triplets)
        labels = np.tile(triplets.questions[_CLUSTERS[clustering]].iloc[rows.ravel()].to_numpy(), blocks)
        for row, ends in intervals({row: (each, labels) for row, each in changes.items()}, seed, draws).items():
            for end, value in zip(("low", "high"), ends, strict=True):
                values[f"{row}, {clustering}, 95% {end}", column] = value

    agreement = "Agreement, stable IDs minus original wording"
    if all((FIRST, arm) in found for arm in ARMS):
        rows = _rows(found, triplets)
        original, stable = (found[FIRST, arm].answers[rows] for arm in ARMS)
        gold = triplets.gold[rows]
        changes = {
            agreement: (correct(stable, gold).astype(int) - correct(original, gold)).ravel(),
            "Changed predictions between arms": _changed(original, stable).ravel().astype(int),
        }
        for clustering, seed in FIRST_SEEDS.items():
            add(changes, 1, "Initial run", clustering, seed, FIRST_DRAWS)
    if all((block, arm) in found for block in REPEATS for arm in ARMS):
        rows = _rows(found, triplets)
        gold = triplets.gold[rows]
        original, stable = (
            np.concatenate([correct(found[block, arm].answers[rows], gold).ravel() for block in REPEATS]).astype(int)
            for arm in ARMS
        )
        for clustering in _CLUSTERS:
            add({agreement: stable - original}, 2, "Both blocks", clustering, REPEAT_SEED, REPEAT_DRAWS)
    return tidy(values)


def _first(found: Arms, triplets: Triplets) -> Values:
    rows = _rows(found, triplets)
    gold = triplets.gold[rows]
    original, stable = (found[FIRST, arm].answers[rows] for arm in ARMS)
    one, two = correct(original, gold), correct(stable, gold)
    difference = percent(two.astype(int) - one)
    run = "Initial run"
    return {
        ("Valid responses, both arms", "all"): (original != INVALID).sum() + (stable != INVALID).sum(),
        ("Pairs that match the label, both arms", run): (one & two).sum(),
        ("Pairs that match the label, original wording only", run): (one & ~two).sum(),
        ("Pairs that match the label, stable IDs only", run): (two & ~one).sum(),
        ("Pairs that match the label, neither arm", run): (~one & ~two).sum(),
        ("Agreement, stable IDs minus original wording", run): difference,
        ("Decline in agreement", run): -difference,
        ("Changed predictions between arms", run): percent(_changed(original, stable)),
    }


def _repeated(found: Arms, triplets: Triplets) -> Values:
    rows = _rows(found, triplets)
    # Blocks one after the other: a group and block is an observation.
    gold = np.concatenate([triplets.gold[rows]] * len(REPEATS))
    given = {arm: np.concatenate([found[block, arm].answers[rows] for block in REPEATS]) for arm in ARMS}
    agreed = {arm: correct(each, gold) for arm, each in given.items()}
    nts = {arm: evidence.matched_deletion(each, gold) for arm, each in given.items()}
    changes = {arm: int(_changed(*np.split(each, 2)).sum()) for arm, each in given.items()}
    values: Values = {
        ("Valid responses", "Both blocks"): sum((each != INVALID).sum() for each in given.values()),
        ("Agreement, stable IDs minus original wording", "Both blocks"): Fraction(
            100 * (int(agreed["stable_id"].sum()) - int(agreed["original"].sum())), gold.size
        ),
        ("Three-answer joint agreement over both blocks", "Original wording and stable IDs"): same(
            int(each.all(axis=1).sum()) for each in agreed.values()
        ),
        ("Changed answers between blocks, minimum", "all"): min(changes.values()),
        ("Changed answers between blocks, maximum", "all"): max(changes.values()),
    }
    for arm, words in ARMS.items():
        values |= {
            ("Agreement with labels over both blocks", words): agreed[arm].sum(),
            ("Agreement with labels over both blocks, as a share", words): percent(agreed[arm]),
            ("NTS successes over both blocks", words): nts[arm].sum(),
            ("DIS successes over both blocks", words): evidence.matched_addition(given[arm], gold).sum(),
            ("Changed answers between blocks", words): changes[arm],
        }
    paired = joint.paired_change(nts["original"], nts["stable_id"])
    values["Paired NTS gains over both blocks", ARMS["stable_id"]] = paired.gains
    values["Paired NTS losses over both blocks", ARMS["stable_id"]] = paired.losses
    return values


def _arms(runs: Sequence[TripletRun]) -> Arms:
    """The runs by block and arm."""
    found = {
        (block, arm): pick(runs, REPEATED[0], None, "stable_id", block=block, arm=arm)
        for block in (FIRST, *REPEATS)
        for arm in ARMS
    }
    return {key: run for key, run in found.items() if run is not None}


def _rows(found: Arms, triplets: Triplets) -> NDArray[np.intp]:
    """The questions (groups, 3) of the test groups that every arm and block was asked."""
    rows = triplets.rows("FQ2")
    asked = [run.status[rows] != NOT_ASKED for run in found.values()]
    return rows[np.all(asked, axis=(0, 2))]


def _changed(first: NDArray, second: NDArray) -> NDArray[np.bool_]:
    """Two valid answers that differ."""
    return (first != second) & (first != INVALID) & (second != INVALID)
