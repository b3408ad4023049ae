"""All diagnostics of a FrameEvidence run side by side, and what the mechanism of each reference responder must give.

`linked` and `in_world` are the second route of the derivations: responders derive a direction from what views show, laid over one another;
here it is read off the world, and the views only have to connect what it takes.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import evidence, frames, joint
from vantage.errors import InputError
from vantage.layouts import INSUFFICIENT, Frame, truth
from vantage.letters import INVALID, correct
from vantage.predictions import TripletRun
from vantage.tables.derivations import CHANCE, EXACT, LAYOUTS, beside_runs, derived
from vantage.tables.option_order import gold_a_outside_the_half
from vantage.tables.triplets import asked_groups, asked_rows, circular_table, configuration, executions
from vantage.triplets import MEANINGS, Triplets

FQ1, FQ2 = ("Camera", "Object", "Scene"), ("MSS", "Deletion", "Addition")

COLUMNS = (
    "Acc.", *FQ1, "GEM", "Invariant", *FQ2, "NTS", "DIS", "NTS gap", "DIS gap", "To insufficient", "Precision", "Circular",
)  # fmt: skip
"""The diagnostics, percent. Gaps are points: joint success minus the fixed-marginal reference (D.4). Deletion is also the recall
of insufficiency, `Precision` its precision (G.4); To insufficient is NTS among the groups with the MSS right (Table 20)."""


def signature_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """One row a main run, columns as `COLUMNS`; not a number where a run leaves a family out or nothing is there to divide by.

    `Circular` is that of the same configuration's rotations, where `runs` has them. Raises `InputError` without a main run.
    """
    main = [run for run in runs if run.experiment == "main"]
    if not main:
        raise InputError("expected sets with a run of experiment main, found none; name one")
    turned = {}
    if any(set(some) >= {0, 1, 2, 3} for some in executions(runs).values()):
        found = circular_table(runs, triplets)
        turned = dict(zip(found["Set"], found["Circular"], strict=True))
    rows = []
    for run in main:
        asked = asked_rows(run, triplets)
        right = correct(run.answers[asked], triplets.gold[asked])
        fq1, fq2 = (asked_groups(run, triplets, family) for family in ("FQ1", "FQ2"))
        values = {"Acc.": right.mean() if len(right) else np.nan}
        values |= _frames(run.answers, fq1, triplets) | _evidence(run.answers, fq2, triplets)
        values = {name: 100 * float(values[name]) for name in COLUMNS if name in values}
        rows.append({"Set": run.title, **values, "Circular": turned.get(configuration(run), np.nan)})
    return pd.DataFrame(rows)


def _frames(answers: NDArray, rows: NDArray[np.intp], triplets: Triplets) -> dict[str, float]:
    if not len(rows):
        return dict.fromkeys((*FQ1, "GEM", "Invariant"), np.nan)
    right = correct(answers[rows], triplets.gold[rows])
    return dict(zip(FQ1, right.mean(axis=0), strict=True)) | {
        "GEM": right.all(axis=1).mean(),
        "Invariant": frames.invariant_frames(answers[rows]).mean(),
    }


def _evidence(answers: NDArray, rows: NDArray[np.intp], triplets: Triplets) -> dict[str, float]:
    if not len(rows):
        return dict.fromkeys((*FQ2, "NTS", "DIS", "NTS gap", "DIS gap", "To insufficient", "Precision"), np.nan)
    given, gold, insufficient = answers[rows], triplets.gold[rows], triplets.insufficient[rows[:, 0]]
    right = correct(given, gold)
    nts, dis = (
        joint.fixed_marginal(right[:, [evidence.MSS, other]]) for other in (evidence.DELETION, evidence.ADDITION)
    )
    return dict(zip(FQ2, right.mean(axis=0), strict=True)) | {
        "NTS": nts.observed,
        "DIS": dis.observed,
        "NTS gap": nts.gap,
        "DIS gap": dis.gap,
        "To insufficient": evidence.failure_profile(given, gold, insufficient).shares()["to_insufficient"],
        "Precision": evidence.insufficiency_detection(given, insufficient).precision,
    }


# --------------------------------------------------------------------------------------------------------- which resembles


def nearest_table(signature: pd.DataFrame, apart: int = 3) -> pd.DataFrame:
    """For each row of a signature table the other row most like it, and the diagnostics that tell the two apart best.

    Likeness is the mean absolute difference, points, over the diagnostics that both rows have. `apart` is how many are named;
    differences below half a point are not.
    """
    values = signature.set_index("Set")
    rows = []
    for at, name in enumerate(values.index):
        off = values.drop(values.index[at]).sub(values.iloc[at], axis=1).abs()
        distance = off.mean(axis=1).dropna()
        if distance.empty:
            continue
        other = distance.idxmin()
        largest = off.loc[other].dropna().sort_values(ascending=False, kind="stable").head(apart)
        telling = [f"{column} ({points:.0f})" for column, points in largest.items() if points >= 0.5]
        rows.append((name, other, distance[other], ", ".join(telling) or "nothing"))
    return pd.DataFrame(rows, columns=["Set", "Nearest", "Mean difference", "Told apart by, points"])


# ----------------------------------------------------------------------------------------------------------- derived first


def expected_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What was derived for the responders beside their main runs (`vantage.tables.derivations.beside_runs`)."""
    names = {run.title: run.set for run in runs if run.experiment == "main"}
    found = signature_table(runs, triplets).melt("Set", var_name="Score", value_name="Run")
    return beside_runs(expected_signatures(triplets), found.assign(Name=found["Set"].map(names)))


def expected_signatures(triplets: Triplets) -> pd.DataFrame:
    """What the mechanisms imply for the test split, as `vantage.tables.derivations.derived`.

    Exact where it follows for any such items; from counts of the layouts, by the second route; and with one standard error where
    chance has a part. Derivations are on the page; nothing here looks at an answer.
    """
    return derived([*_proved(), *_counted(triplets), *_by_chance(), *_of_habit(triplets)])


_ALL_RIGHT = {name: 100 for name in COLUMNS if name != "Circular"} | {"Invariant": 0, "NTS gap": 0, "DIS gap": 0}
_FQ1_RIGHT = {name: _ALL_RIGHT[name] for name in (*FQ1, "GEM", "Invariant")}
_ANSWERABLE_RIGHT = _FQ1_RIGHT | {"MSS": 100, "Addition": 100, "DIS": 100, "DIS gap": 0, "NTS gap": 0}

PROVED = {
    "reference_layout_oracle": _ALL_RIGHT | {"Circular": 100},
    "reference_one_view": dict.fromkeys((*FQ1, "GEM", "Invariant"), 0),
    "reference_camera_only": {"GEM": 0, "Invariant": 100},
    "reference_anchor_blind": _ANSWERABLE_RIGHT | {"Precision": 100},
    "reference_ordinal_literal": _ANSWERABLE_RIGHT | {"Precision": 100},
    "reference_never_insufficient": _ANSWERABLE_RIGHT
    | {"Acc.": Fraction(500, 6), "Deletion": 0, "NTS": 0, "To insufficient": 0, "Precision": np.nan},
    "reference_always_insufficient": _FQ1_RIGHT
    | {
        "Acc.": Fraction(400, 6),
        "MSS": 0,
        "Deletion": 100,
        "Addition": 0,
        "NTS": 0,
        "DIS": 0,
        "NTS gap": 0,
        "DIS gap": 0,
    }
    | {"To insufficient": np.nan, "Precision": Fraction(100, 3)},
    "measured_text_classifier": {"NTS": 0, "To insufficient": 0},
}
"""What follows for any items that keep the rules, percent, by set."""


def _proved() -> list[tuple]:
    return [(name, score, EXACT, float(value), 0) for name, row in PROVED.items() for score, value in row.items()]


def linked(triplets: Triplets, views: Sequence[str]) -> list[tuple[set[str], set[str]]]:
    """The parts of a set of views that hang together, as (views, objects shown): by an object with a front, or two objects, that
    both sides show."""
    fronts = {
        thing["object"]
        for scene in triplets.scenes.values()
        for thing in scene["objects"]
        if thing["heading"] is not None
    }
    parts = [({view}, set(triplets.observation(view))) for view in views]
    while pair := next(
        (two for two in combinations(parts, 2) if len(two[0][1] & two[1][1]) > 1 or two[0][1] & two[1][1] & fronts),
        None,
    ):
        parts = [part for part in parts if part not in pair] + [(pair[0][0] | pair[1][0], pair[0][1] | pair[1][1])]
    return parts


def in_world(triplets: Triplets, row: int, views: Sequence[str], frame: Frame | None = None) -> str:
    """The direction in the world itself in a frame (that asked for by default), if these views connect target, relatum and what
    fixes the frame; insufficient otherwise."""
    question = triplets.question(row)
    question = replace(question, frame=frame or question.frame)
    for cameras, things in linked(triplets, views):
        anchors = cameras if question.frame.kind == "camera" else things
        if {question.target, question.relatum} <= things and question.frame.anchor in anchors:
            return truth(triplets.layout(triplets.questions["scene_cluster"].iloc[row]), question)[0]
    return INSUFFICIENT


def _one_view(triplets: Triplets, row: int) -> str:
    item = triplets.questions.iloc[row]
    both = [view for view in item["views"] if {item["target"], item["relatum"]} <= set(triplets.observation(view))]
    if not both:
        return INSUFFICIENT
    asked = in_world(triplets, row, both[:1])
    return in_world(triplets, row, both[:1], Frame("camera", both[0])) if asked == INSUFFICIENT else asked


def _camera_only(triplets: Triplets, row: int) -> str:
    views = triplets.questions["views"].iloc[row]
    return in_world(triplets, row, views, Frame("camera", views[0]))


def _anchor_blind(triplets: Triplets, row: int) -> str:
    views = triplets.questions["views"].iloc[row]
    readings = (in_world(triplets, row, views, frame) for frame in (None, *(Frame("camera", view) for view in views)))
    return next((said for said in readings if said != INSUFFICIENT), INSUFFICIENT)


def _ordinal_literal(triplets: Triplets, row: int) -> str:
    item = triplets.questions.iloc[row]
    number, views = item["frame"]["ordinal"], item["views"]
    if number is None:
        return in_world(triplets, row, views)
    if number > len(views):
        return INSUFFICIENT
    return in_world(triplets, row, views, Frame("camera", views[number - 1], item["frame"]["backward"]))


READINGS: dict[str, Callable[[Triplets, int], str]] = {
    "reference_one_view": _one_view,
    "reference_camera_only": _camera_only,
    "reference_anchor_blind": _anchor_blind,
    "reference_ordinal_literal": _ordinal_literal,
}
"""The mechanisms whose figures the layouts decide, read off the world: what is meant by the answer to an item."""


def reading_answers(triplets: Triplets, reading: Callable[[Triplets, int], str]) -> NDArray[np.int8]:
    """The letters (items,) of a reading on the test split; -1 elsewhere, and where no option says what is meant."""
    answers = np.full(len(triplets.gold), INVALID, dtype=np.int8)
    for row in np.flatnonzero(triplets.questions["split"] == "test"):
        letter = np.flatnonzero(triplets.meanings[row] == MEANINGS.index(reading(triplets, row)))
        answers[row] = letter[0] if len(letter) else INVALID
    return answers


def _counted(triplets: Triplets) -> list[tuple]:
    rows = []
    fq1, fq2 = triplets.rows("FQ1"), triplets.rows("FQ2")
    both = np.concatenate([fq1, fq2])
    for name, reading in READINGS.items():
        answers = reading_answers(triplets, reading)
        counts = {"Acc.": correct(answers[both], triplets.gold[both]).mean()}
        counts |= _frames(answers, fq1, triplets) | _evidence(answers, fq2, triplets)
        rows += [
            (name, score, LAYOUTS, 100 * float(counts[score]), 0)
            for score in COLUMNS
            if score in counts and score not in PROVED[name]
        ]
    return rows


GROUPS = 48
"""Test groups of a family."""


def _by_chance() -> list[tuple]:
    rows = []
    for name, p, q in (("reference_uniform_letters", 1 / 4, 1 / 4), ("reference_wavering", 0.7, 0.1)):
        shares = {
            "Acc.": (p, 6 * GROUPS),
            **dict.fromkeys((*FQ1, *FQ2), (p, GROUPS)),
            "GEM": (p**3, GROUPS),
            "Invariant": (3 * p * q**2 + q**3, GROUPS),  # one of three gold letters three times, or the fourth letter
            "NTS": (p**2, GROUPS),
            "DIS": (p**2, GROUPS),
            "To insufficient": (p, GROUPS * p),
            "Circular": (p**4, 6 * GROUPS),
        }
        rows += [(name, score, CHANCE, 100 * s, 100 * (s * (1 - s) / of) ** 0.5) for score, (s, of) in shares.items()]
        # Insufficient is said T times after deletion and F times elsewhere; the error of T / (T + F) is that of its linear part.
        true, false = p, 2 * q
        error = (false**2 * p * (1 - p) + true**2 * 2 * q * (1 - q)) ** 0.5 / (true + false) ** 2 / GROUPS**0.5
        rows.append((name, "Precision", CHANCE, 100 * true / (true + false), 100 * error))
        rows += [(name, gap, CHANCE, 0, 100 * p * (1 - p) / GROUPS**0.5) for gap in ("NTS gap", "DIS gap")]
    return rows


def _of_habit(triplets: Triplets) -> list[tuple]:
    """Half of the groups known, the letter A in the others: what falls to A there depends on the draw of the half."""
    name = "reference_letter_habit"
    by_a = {"Acc.": gold_a_outside_the_half(triplets)}
    for family, columns in (("FQ1", FQ1), ("FQ2", FQ2)):
        by_a |= {column: gold_a_outside_the_half(triplets, family, at) for at, column in enumerate(columns)}
    rows = [(name, score, CHANCE, 50 + share, error) for score, (share, error) in by_a.items()]
    rows.append((name, "DIS", CHANCE, 50 + by_a["MSS"][0], by_a["MSS"][1]))
    return rows + [(name, score, EXACT, 50, 0) for score in ("GEM", "Invariant", "NTS", "Circular")]
