"""Option order and repeated executions: rotations, what was derived for the responders, and how much of it chance explains.

FrameEvidence, Section 6.4, Tables 7, 12 and 13, Appendix A ("Circular metrics", "Same-order control"). Runs are those of experiments
`circular` and `repeat`; configurations without them leave no row.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from vantage import circular
from vantage.bootstrap import interval, mean_sums, ratio_intervals
from vantage.predictions import TripletRun
from vantage.schemas import LETTERS
from vantage.tables.derivations import CHANCE, EXACT, beside_runs, derived
from vantage.tables.triplets import (
    DRAWS,
    asked_rows,
    circular_table,
    configuration,
    executions,
    pair_table,
)
from vantage.triplets import Triplets

REPEATED = "its repeat"
"""What `pair_table` calls the second execution of rotation 0."""

SCORES = ("Vanilla", "Mean rotation", "Circular", "Consistency")

NOISE = (
    "Consistent, same order", "Consistent, other order", "Both right, same order", "Both right, other order",
    "Circular", "Noise, lowest", "Noise, highest", "Short, low", "Short, high",
)  # fmt: skip
"""The numbers of `noise_table`, percent; the last two are points."""

INTERVALS = ("Estimate", "Triplets, low", "Triplets, high", "Unions, low", "Unions, high")
"""The numbers of `interval_table`, percent or points."""


def rotation_table(meant: str = "C") -> pd.DataFrame:
    """What each position shows under each rotation, in original letters, and the letter that says `meant` there; one row a rotation.

    >>> rotation_table().iloc[1].to_dict()
    {'Rotation': 1, 'A shows': 'B', 'B shows': 'C', 'C shows': 'D', 'D shows': 'A', 'To say C, answer': 'B'}
    """
    rows = []
    for turn in circular.ROTATIONS:
        shown = circular.decode(np.arange(len(LETTERS)), turn)
        given = circular.encode(np.array([LETTERS.index(meant)]), turn)[0]
        rows.append(
            {"Rotation": turn}
            | {f"{letter} shows": LETTERS[option] for letter, option in zip(LETTERS, shown, strict=True)}
            | {f"To say {meant}, answer": LETTERS[given]}
        )
    return pd.DataFrame(rows)


def one_a_configuration(runs: Sequence[TripletRun]) -> list[TripletRun]:
    """The first run of each configuration, under the title of the configuration: for a list of whose answers a page has."""
    first: dict[str, TripletRun] = {}
    for run in runs:
        first.setdefault(configuration(run), replace(run, title=configuration(run)))
    return list(first.values())


def noise_table(runs: Sequence[TripletRun], triplets: Triplets, seed: int, draws: int = DRAWS) -> pd.DataFrame:
    """Same order beside other orders, and what noise alone allows; one row a configuration with four rotations and a repeat, percent.

    Of two executions: consistent and both right, for rotation 0 with its repeat, and on average for rotation 0 with each other
    rotation. If order had no part, `Circular` would lie between `Noise, lowest` and `Noise, highest` (`vantage.circular.noise_alone`).
    `Short, low` to `Short, high` is a 95 % interval, points, of what Circular lacks of the lowest; it resamples triplets.
    """
    rows = []
    for some in executions(runs).values():
        if not set(some) >= {*circular.ROTATIONS, "repeat"}:
            continue
        asked = asked_rows(some[0], triplets)
        if not len(asked):
            continue
        gold = triplets.gold[asked]
        same, *others = (
            circular.pair_flags(some[0].answers[asked], some[name].answers[asked], gold)
            for name in ("repeat", *circular.ROTATIONS[1:])
        )
        letters = np.column_stack([some[turn].letters[asked] for turn in circular.ROTATIONS])
        values = (
            circular.rotation_flags(letters, gold).circular,
            (2 * same.both + same.first_only + same.second_only) / 2,
            same.both,
        )
        where = pd.factorize(triplets.questions["group"].iloc[asked])[0]
        found = ratio_intervals(np.stack([mean_sums(value, where) for value in values], axis=1), seed, draws)
        limits = _limits(*found.value[1:])
        short = [_limits(*drawn[1:])[0] - drawn[0] for drawn in found.draws]
        figures = (
            same.same.mean(),
            np.mean([other.same for other in others]),
            same.both.mean(),
            np.mean([other.both for other in others]),
            found.value[0],
            *limits,
            *interval(np.array(short)),
        )
        rows.append(
            {"Set": configuration(some[0])} | dict(zip(NOISE, (100 * float(one) for one in figures), strict=True))
        )
    return pd.DataFrame(rows, columns=["Set", *NOISE])


def _limits(accuracy: float, both: float) -> tuple[float, float]:
    """`circular.noise_alone` for figures of one run of items, which sums of floats may leave a hair apart where they are equal."""
    return circular.noise_alone(min(1.0, max(accuracy, both)), min(1.0, both))


def interval_table(runs: Sequence[TripletRun], triplets: Triplets, seed: int, draws: int = DRAWS) -> pd.DataFrame:
    """Table 13's form: rates of the same-order pair, and their differences from the pairs with another rotation.

    One row a configuration with a repeat, and quantity; percent and points, with 95 % intervals that resample whole groups of three
    questions, and whole union components. Differences are same order minus other order.
    """
    rows = []
    for some in executions(runs).values():
        if 0 not in some or "repeat" not in some:
            continue
        asked = asked_rows(some[0], triplets)
        groups = triplets.questions["group"].iloc[asked]
        clusters = {"Triplets": groups, "Unions": triplets.groups["union_cluster"].loc[groups]}
        flags = {
            name: circular.pair_flags(some[0].answers[asked], run.answers[asked], triplets.gold[asked])
            for name, run in some.items()
            if name != 0
        }
        values = {
            "Both right": flags["repeat"].both,
            "Consistent": flags["repeat"].same,
            "Changed": flags["repeat"].changed,
        }
        for what, field in (("Both right", "both"), ("Consistent", "same")):
            for name, other in flags.items():
                if name != "repeat":
                    of = f"{what}, minus R{name}"
                    values[of] = values[what].astype(int) - getattr(other, field)
        found = {}
        for name, labels in clusters.items():
            where = pd.factorize(labels)[0]
            sums = np.stack([mean_sums(value, where) for value in values.values()], axis=1)
            found[name] = ratio_intervals(sums, seed, draws)
        rows += [
            {
                "Set": configuration(some[0]),
                "Quantity": quantity,
                "Estimate": 100 * found["Triplets"].value[at],
                **{
                    f"{name}, {end}": 100 * getattr(intervals, end)[at]
                    for name, intervals in found.items()
                    for end in ("low", "high")
                },
            }
            for at, quantity in enumerate(values)
        ]
    return pd.DataFrame(rows, columns=["Set", "Quantity", *INTERVALS])


# ----------------------------------------------------------------------------------------------------------- derived first

SURE_RIGHT, EACH_WRONG = 0.7, 0.1
"""Wavering: chance of the right answer, .6 + .4 / 4, and of each wrong one, .4 / 4."""


def expected_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What was derived for the responders beside their runs (`vantage.tables.derivations.beside_runs`)."""
    found = [
        {"Set": row["Set"], "Score": score, "Run": row[score]}
        for row in circular_table(runs, triplets).to_dict("records")
        for score in SCORES
    ]
    for row in pair_table(runs, triplets).to_dict("records"):
        found += [
            {"Set": row["Set"], "Score": f"{score} ({row['Rotation 0 with']})", "Run": row[score]}
            for score in ("Both right", "Consistent")
        ]
    names = {configuration(run): run.set for run in runs}
    tidy = pd.DataFrame(found).assign(Name=lambda frame: frame["Set"].map(names))
    return beside_runs(expected_scores(triplets), tidy)


def expected_scores(triplets: Triplets) -> pd.DataFrame:
    """What the mechanisms imply, as `vantage.tables.derivations.derived`: percent, with standard errors where chance has a part.

    Derivations are on the page; nothing here looks at an answer.
    """
    questions = triplets.rows("FQ1").size + triplets.rows("FQ2").size
    pairs = [REPEATED, *(f"rotation {turn}" for turn in circular.ROTATIONS[1:])]
    rows = [
        ("reference_layout_oracle", score, EXACT, 100, 0)
        for score in (*SCORES, *(f"{what} ({pair})" for what in ("Both right", "Consistent") for pair in pairs))
    ]
    for name, right, wrong in (("wavering", SURE_RIGHT, EACH_WRONG), ("uniform_letters", 0.25, 0.25)):
        chances = {
            "Vanilla": right,
            "Mean rotation": right,
            "Circular": right**4,
            "Consistency": right**4 + 3 * wrong**4,
            **{f"Both right ({pair})": right**2 for pair in pairs},
            **{f"Consistent ({pair})": right**2 + 3 * wrong**2 for pair in pairs},
        }
        for score, chance in chances.items():
            draws = questions * (len(circular.ROTATIONS) if score == "Mean rotation" else 1)
            rows.append(
                (f"reference_{name}", score, CHANCE, 100 * chance, 100 * (chance * (1 - chance) / draws) ** 0.5)
            )
    habit = "reference_letter_habit"
    share, error = gold_a_outside_the_half(triplets)
    rows += [
        (habit, "Vanilla", CHANCE, 50 + share, error),
        (habit, "Mean rotation", EXACT, 62.5, 0),
        (habit, f"Both right ({REPEATED})", CHANCE, 50 + share, error),
        (habit, f"Consistent ({REPEATED})", EXACT, 100, 0),
        *((habit, score, EXACT, 50, 0) for score in ("Circular", "Consistency")),
        *((habit, f"{what} ({pair})", EXACT, 50, 0) for what in ("Both right", "Consistent") for pair in pairs[1:]),
    ]
    return derived(rows)


def gold_a_outside_the_half(triplets: Triplets, family: str | None = None, condition: int | None = None):
    """Percent of questions expected to have gold A outside a half of the test groups drawn at random, and its standard error.

    Of all questions, or of one family and condition (a column). Drawn is without replacement, half of each family's groups.
    """
    total = expected = variance = 0.0
    for one in ("FQ1", "FQ2") if family is None else (family,):
        is_a = triplets.gold[triplets.rows(one)] == LETTERS.index("A")
        of_group = is_a.sum(axis=1) if condition is None else is_a[:, condition]
        total += is_a.size if condition is None else len(is_a)
        expected += of_group.sum() / 2
        variance += len(is_a) / 2 * (1 - 1 / 2) * of_group.var(ddof=1)
    return 100 * expected / total, 100 * variance**0.5 / total
