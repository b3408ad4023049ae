"""Runs without images, with the first image, and with all: what images add (FrameEvidence, Section 6.3, Tables 5 and 25, Figure 5).

Tables of reconstructed runs hold only what the print determines.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from vantage import evidence
from vantage.predictions import TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence_results.chosen import REPEATED, primary, right
from vantage.triplets import Triplets

MODES = {"text_only": "text", "single_image": "first", "all_images": "all"}
"""Input modes and what a column calls them."""

SCORES = ("Right", "NTS", "DIS")

COLUMNS = [f"{score}, {mode}" for score in SCORES for mode in MODES.values()]
"""The numbers of `controls_table`: right answers of 288, and successes of 48 groups."""

_UNPRINTED = {(" / ".join(REPEATED), "single_image"): ("Right", "NTS")}
"""What the paper prints of no run: a witness has an answer there, and it means nothing."""


def controls_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Right answers and joint successes in each input mode, counts; one row a configuration that has an input control.

    Empty cells have no run, or a number that the print does not determine.
    """
    by_mode = {mode: primary(runs, mode) for mode in MODES}
    rows = []
    for name in by_mode["all_images"]:
        if not any(name in by_mode[mode] for mode in ("text_only", "single_image")):
            continue
        row = {"Configuration": name} | dict.fromkeys(COLUMNS, "")
        for mode, word in MODES.items():
            if name in by_mode[mode]:
                run = by_mode[mode][name]
                joints = run_tables.joint_success(run, triplets)
                counts = {
                    "Right": int(right(run, triplets).sum()),
                    "NTS": int(joints["NTS"].sum()),
                    "DIS": int(joints["DIS"].sum()),
                }
                unprinted = _UNPRINTED.get((name, mode), ())
                row |= {f"{score}, {word}": value for score, value in counts.items() if score not in unprinted}
        rows.append(row)
    return pd.DataFrame(rows, columns=["Configuration", *COLUMNS])


def retention_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """The two factors of DIS with all images, and without any (Figure 5's content); one row a primary configuration.

    `MSS right` is m and `DIS` the groups that stay right after addition, of 48; both also in percent, with `Retained`, DIS / m in
    percent. `MSS right, text` is m of the text-only run, empty where there is none.
    """
    text = primary(runs, "text_only")
    rows = []
    for name, run in primary(runs).items():
        found = _retention(run, triplets)
        groups = len(run_tables.evidence_answers(run, triplets)[0])
        rows.append(
            {
                "Configuration": name,
                "MSS right": found.mss_correct,
                "DIS": found.robust,
                "MSS right, %": 100 * found.mss_correct / groups if groups else np.nan,
                "Retained, %": 100 * float(found.conditional),
                "DIS, %": 100 * found.robust / groups if groups else np.nan,
                "MSS right, text": _retention(text[name], triplets).mss_correct if name in text else "",
            }
        )
    columns = ["Configuration", "MSS right", "DIS", "MSS right, %", "Retained, %", "DIS, %", "MSS right, text"]
    return pd.DataFrame(rows, columns=columns)


def gains_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Where the change in DIS from text only to all images comes from, groups; one row a configuration with both runs.

    `More MSS right` minus `Lost after addition` is `DIS change`. `Invalid` counts those among the lost whose addition answer is none.
    """
    text = primary(runs, "text_only")
    rows = []
    for name, run in primary(runs).items():
        if name not in text:
            continue
        before, after = _retention(text[name], triplets), _retention(run, triplets)
        # Lost without images too, should a request be answered twice in two ways.
        lost = (after.mss_correct - after.robust) - (before.mss_correct - before.robust)
        given, gold, _ = run_tables.evidence_answers(run, triplets)
        dropped = (given[:, evidence.MSS] == gold[:, evidence.MSS]) & (given[:, evidence.ADDITION] < 0)
        rows.append(
            {
                "Configuration": name,
                "MSS right, text": before.mss_correct,
                "MSS right, all": after.mss_correct,
                "More MSS right": after.mss_correct - before.mss_correct,
                "Lost after addition": lost,
                "Invalid": int(dropped.sum()),
                "DIS change": after.robust - before.robust,
            }
        )
    return pd.DataFrame(rows, columns=["Configuration", *GAINS])


GAINS = ["MSS right, text", "MSS right, all", "More MSS right", "Lost after addition", "Invalid", "DIS change"]
"""The numbers of `gains_table`."""


def _retention(run: TripletRun, triplets: Triplets) -> evidence.Retention:
    given, gold, _ = run_tables.evidence_answers(run, triplets)
    return evidence.retention(given, gold)


def first_images(triplets: Triplets) -> pd.DataFrame:
    """In how many FQ2 test groups the first image stays the same after deletion and after addition; counts, for our items."""
    rows = triplets.rows("FQ2")
    first = np.array([[views[0] for views in triplets.questions["views"].iloc[group]] for group in rows])
    return pd.DataFrame(
        [
            {"After": words, "Same first image": int(same.sum()), "Another first image": int((~same).sum())}
            for words, at in (("deletion", evidence.DELETION), ("addition", evidence.ADDITION))
            for same in [first[:, at] == first[:, evidence.MSS]]
        ]
    )
