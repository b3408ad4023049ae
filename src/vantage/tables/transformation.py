"""Tables of transformation for a reader's runs (CVT-Bench, Supp. 3.5, 3.6 and 4.5), one row a run. All shares are percent."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from vantage import quarter_turns, scoring, transport
from vantage.items import CVTItems, tracked_rows, viewpoint_numbers
from vantage.predictions import CVTRun
from vantage.realizability import realizable_scenes
from vantage.relations import HORIZONTAL
from vantage.tables.runs import admissible_sets, by_run


def transport_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Table S6: does the answer at each cardinal view follow from the run's own answer at 0? With F1 at hidden yaws (Supp. 4.5)."""
    cardinal = tracked_rows(items.questions)[:, transport.CARDINAL_VIEWS]
    views = viewpoint_numbers(items.questions)
    gold = scoring.strict(items.admissible)
    return by_run(
        runs,
        lambda run: {
            "Pairs": len(cardinal),
            **_percent(transport.self_transport(run.answers[cardinal])),
            "Hidden-yaw F1, strict": 100 * transport.hidden_yaw_f1(run.answers, gold, views),
            "Hidden-yaw F1": 100 * transport.hidden_yaw_f1(run.answers, items.admissible, views),
        },
    )


def recoverable_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Table S7: scores on the closed pairs at cardinal views, and realizability of those answers alone."""
    admissible = admissible_sets(items, strict)
    cardinal = tracked_rows(items.questions)[:, transport.CARDINAL_VIEWS]
    closed = cardinal[transport.recoverable(items.gold[cardinal])]
    together = np.sort(closed.ravel())  # the questions of a scene stand together

    def values(run: CVTRun) -> dict:
        realizable = realizable_scenes(run.answers[together], items.questions.iloc[together])
        return {
            "Closed pairs": len(closed),
            **_percent(transport.recoverable_scores(run.answers, admissible, closed)),
            "Realizable": 100 * float(np.mean(list(realizable.values()))) if realizable else float("nan"),
        }

    return by_run(runs, values)


def quarter_turn_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Table S8: exact match and F1 of fixed pairs by kind of turn; and the short and the long wording of quarter turns."""
    admissible, tracked = _horizontal(items, strict), tracked_rows(items.questions)
    angles = items.questions.orbit_angle.to_numpy()

    def values(run: CVTRun) -> dict:
        answers = run.answers & np.uint8(HORIZONTAL)
        wording = quarter_turns.wording_difference(answers, admissible, tracked, angles)
        return _percent(
            quarter_turns.decomposition(answers, admissible, tracked)
            | {"Short 90 - long 270 exact": wording["Difference"]}
        )

    return by_run(runs, values)


def aligned_error_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Supp. 3.6: what wrong answers at quarter turns are, in both readings, over all pairs and after an exact 0-degree answer.

    Two rows a run.
    """
    admissible, tracked = _horizontal(items, strict), tracked_rows(items.questions)

    def table(correct_source: bool) -> pd.DataFrame:
        def values(run: CVTRun) -> dict:
            answers = run.answers & np.uint8(HORIZONTAL)
            counts = quarter_turns.aligned_errors(answers, admissible, tracked, correct_source)
            return (
                {"Source": "correct" if correct_source else "any"}
                | counts
                | _percent(quarter_turns.aligned_shares(counts))
            )

        return by_run(runs, values)

    return pd.concat([table(False), table(True)]).sort_index(kind="stable").reset_index(drop=True)


def rebinding_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Supp. 3.6: exact match at diagonals whose gold is the half-turn endpoint's, and whose gold is the quarter turn's."""
    admissible, tracked = _horizontal(items, strict), tracked_rows(items.questions)

    def values(run: CVTRun) -> dict:
        found = quarter_turns.axis_rebinding(run.answers & np.uint8(HORIZONTAL), admissible, tracked)
        counts = {name: found.pop(name) for name in ("Simple", "Cross-axis")}
        return counts | _percent(found)

    return by_run(runs, values)


def _horizontal(items: CVTItems, strict: bool) -> np.ndarray:
    """Admissible sets without above and below, which no orbit changes."""
    return admissible_sets(items, strict) & np.uint8(HORIZONTAL)


def _percent(shares: Mapping[str, float]) -> dict[str, float]:
    return {name: 100 * share for name, share in shares.items()}
