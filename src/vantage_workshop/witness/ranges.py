"""How far the print leaves open what it does not print: the least and the greatest value of some quantities over all
answers that agree with everything printed about a configuration, on the frozen strata.

Two numbers stand for each end. *Attained*: answers with that value were found, for GPT with answers of the run that the
paper compares with this one; code without a solver held them against the print. *Bound*: no answers pass it, by arithmetic
or because the solver proved that a model has none that asks for less than the print does. It leaves out the run compared
with, and the choices of `pairs` that are ours. Where the two are one, the end is proven.

Where letters are counted, all tuples of macro counts are allowed, where `frame_evidence` tries some: the list of them is
complete. A bound on frames needs none. Bases with an adapter are left out: the paper says so much about them, their controls
and their adapters together that answers were found at few ends.
"""

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from pathlib import Path

from ortools.sat.python import cp_model

from vantage.errors import InputError
from vantage.files import replacing, root, shown
from vantage.schemas import RANGES
from vantage_workshop.witness import composition
from vantage_workshop.witness.answers import SOLVED, Group, Run, deterministic, gold_counts, test_groups
from vantage_workshop.witness.frame_evidence import SEED, link_turnover
from vantage_workshop.witness.macros import Tuple, metric_tuples
from vantage_workshop.witness.metadata_rules import LETTERS
from vantage_workshop.witness.pairs import QWEN, TURNOVER
from vantage_workshop.witness.scored import CONDITIONS, Answers, Scored, differences, main_rows
from vantage_workshop.witness.scored_experiments import shot_rows
from vantage_workshop.witness.targets import GROUPS, QUESTIONS, Published, Targets, configurations, count

FRAMED = ("GPT-5.6 / 3-shot", "Claude Fable 5.1 / 3-shot", "Qwen3-VL-8B / Base")
"""Configurations whose accuracy in each frame is asked for."""

LETTERED = ("Kimi-VL-A3B / Base", "GPT-5.6 / 3-shot")
"""Configurations whose use of letters is asked for."""

ROTATED = tuple(f"{QWEN} / LoRA {seed}" for seed in (20260722, 20260723, 20260724))
"""Rows of Table 12 whose Circular score on one family is asked for."""

ROTATIONS = 4

LIMIT = 60.0
"""Deterministic seconds for one attempt; most take two."""

SOME = 300
"""Tuples of macro counts for a run whose letters are not asked for: any answers will do for it."""

ROUNDS = 6
"""How often two compared runs are solved against one another in turn, to move their agreement."""

LETTER = "Answers with a letter"

COLUMNS = [column.name for column in RANGES.columns]

SENSES = {"low": 1, "high": -1}
"""What to multiply a quantity with so that its end is the least."""


@dataclass(frozen=True)
class Quantity:
    """Something that answers have: of a group and its triple, how much of it. `values` are those it may have by
    arithmetic, from the least to the greatest."""

    name: str
    part: str
    of: int
    value: Callable[[Group, tuple[str, ...]], int]
    values: Sequence[int]


class OpenRun(Run):
    """A run of which the macro counts are any of a list of tuples. With `choices`, it also keeps to the choices of ours
    about captured and rendered inputs. `later` says that the other run is the later of the two that the paper compares."""

    def __init__(
        self,
        groups: list[Group],
        targets: Targets,
        tuples: list[Tuple],
        other: Answers | None = None,
        *,
        choices: bool = True,
        later: bool = False,
    ):
        """Everything printed about this run alone, as a model."""
        self.tuples, self.choices, self.later = tuples, choices, later
        super().__init__(groups, targets, None, other)

    def _metrics(self, tuple_):
        counts = []
        for letter in LETTERS:
            counts.append(
                self.total(lambda g, triple: sum(a == b == letter for a, b in zip(triple, g.golds, strict=True)))  # noqa: B023
            )
        for letter in LETTERS:
            counts.append(self.total(lambda g, triple: triple.count(letter)))  # noqa: B023
        held = []
        for number in counts:
            held.append(self.model.new_int_var(0, 3 * len(self.groups), ""))
            self.model.add(number == held[-1])
        self.model.add_allowed_assignments(held, [[*right, *answered] for right, answered in self.tuples])

    def _source(self):
        if self.choices:
            super()._source()

    def against(self, value, family=None):
        """As `Run.against`, with the earlier run's triple last."""
        turned = (lambda g, triple, given: value(g, given, triple)) if self.later else value
        return super().against(turned, family)


def end(run: OpenRun, value, sense: str, seed: int) -> tuple[bool, Answers | None]:
    """Whether the end was proven for this model, and answers there (or the last found within the limit).

    `value` is an expression of the run's model, `sense` which end: "low" or "high".
    """
    run.model.minimize(SENSES[sense] * value)
    solver = deterministic(seed, LIMIT)
    status = solver.solve(run.model)
    return status == cp_model.OPTIMAL, run.dealt(solver, seed) if status in SOLVED else None


def first(run: OpenRun, value, values: Sequence[int], seed: int) -> tuple[bool, int | None, Answers | None]:
    """Whether the values before were proven impossible, the first that a run can have, and answers with it.

    `values` are all it may have between the first and the last of them, rising or falling. They are halved, which is faster
    than `end` where a bound leaves few tuples of macro counts.
    """
    proven, answers, low, high = True, None, 0, len(values)
    while low < high:
        middle = (low + high) // 2
        model, solver = run.model.clone(), deterministic(seed, LIMIT)
        model.add_linear_constraint(value, *sorted((values[0], values[middle])))
        status = solver.solve(model)
        if status in SOLVED:
            answers, high = run.dealt(solver, seed), values.index(solver.value(value))
        else:
            proven, low = proven and status == cp_model.INFEASIBLE, middle + 1
    return proven, values[high] if answers else None, answers


def amount(quantity: Quantity, groups: list[Group], answers: Answers) -> int:
    """How much of a quantity answers have."""
    return sum(quantity.value(g, tuple(answers[g.group, c] for c in CONDITIONS[g.family])) for g in groups)


class Ranges:
    """The ranges on one strata file."""

    def __init__(self, published: Published, strata: Path, seed: int, say: Callable[[str], None] = lambda line: None):
        """Read the strata and the printed numbers; nothing is solved yet."""
        self.groups, self.targets = test_groups(strata), configurations(published)
        self.published, self.seed, self.say = published, seed, say
        self.tuples = cache(self._tuples)
        self.found: dict[str, list[Answers]] = defaultdict(list)
        """Answers of each run found so far that agree with everything printed: any of them may attain an end."""

    def rows(self) -> list[dict]:
        """All ranges, as `schemas.RANGES` declares them."""
        found = [self._row("Equal answers", "GPT-5.6 / 2-shot and 3-shot", "all", QUESTIONS, *self.agreement())]
        for names, quantities in ((FRAMED, self.frames), (LETTERED, self.letters)):
            for name in names:
                for quantity in quantities(name):
                    ends = [self.range_end(name, quantity, sense) for sense in SENSES]
                    found.append(self._row(quantity.name, name, quantity.part, quantity.of, *zip(*ends, strict=True)))
        for name in ROTATED:
            found.append(self._row("Right in all four rotations", name, "FQ1", QUESTIONS // 2, *self.circular(name)))
        return found

    def _row(self, quantity, configuration, part, of, attained, bound):
        row = dict(zip(COLUMNS, (quantity, configuration, part, of, *attained, *bound), strict=False))
        row["proven"] = "yes" if tuple(attained) == tuple(bound) else "no"
        self.say(", ".join(map(str, row.values())))
        return row

    # ------------------------------------------------------------------------------------------------- the quantities

    def frames(self, name: str) -> list[Quantity]:
        """Right answers in each frame. Table 22 leaves few counts, in any order."""
        counts = {number for counts in self.targets[name].frames for number in counts}
        return [
            Quantity(
                "Right answers in a frame",
                frame,
                GROUPS,
                lambda g, triple, i=i: int(g.family == "FQ1" and triple[i] == g.golds[i]),
                tuple(sorted(counts)),
            )
            for i, frame in enumerate(CONDITIONS["FQ1"])
        ]

    def letters(self, name: str) -> list[Quantity]:
        """Answers with each letter. The tuples have some counts of it."""
        return [
            Quantity(
                LETTER,
                letter,
                QUESTIONS,
                lambda g, triple, letter=letter: triple.count(letter),
                tuple(sorted({answered[i] for _, answered in self.tuples(name)})),
            )
            for i, letter in enumerate(LETTERS)
        ]

    def _tuples(self, name):
        """All tuples of macro counts where letters are asked for, else some."""
        t = self.targets[name]
        found = metric_tuples(t, gold_counts(self.groups), t.failures["Invalid"], unused=True)
        return list(found if name in LETTERED else islice(found, SOME))

    # -------------------------------------------------------------------------------------------------------- one run

    def run(self, name: str, other: Answers | None = None, *, choices: bool = True, later: bool = False) -> OpenRun:
        """A run with what is printed about it alone."""
        return OpenRun(self.groups, self.targets[name], self.tuples(name), other, choices=choices, later=later)

    def range_end(self, name: str, quantity: Quantity, sense: str) -> tuple[int, int]:
        """What is attained at one end of a range, and its bound."""
        values = quantity.values[:: SENSES[sense]]
        bound = values[0]
        if name in LETTERED and quantity.name == LETTER:
            run = self.run(name, choices=False)
            proven, number, _ = first(run, run.total(quantity.value), values, self.seed)
            bound = number if proven and number is not None else bound
        attained = self._attained(name, quantity, values[values.index(bound) :])
        self.say(f"{name}, {quantity.name.lower()} {quantity.part}, {sense}: attained {attained}, bound {bound}")
        return attained, bound

    def _attained(self, name, quantity, values):
        """The first of some values that answers were found with, for GPT beside answers of the run compared with."""
        run = self.run(name)
        for value in values:
            if any(amount(quantity, self.groups, answers) == value for answers in self.found[name]):
                return value
            answers = first(run, run.total(quantity.value), [value], self.seed)[2]
            if answers and self._company(name, answers):
                return value
        raise InputError(f"{name}: found no answers beside those of the run that the paper compares with it")

    def _company(self, name, answers):
        """Keep answers if the run that the paper compares with this one has answers beside them; returns whether."""
        here = {name: answers}
        if name == TURNOVER[1]:
            run = self.run(TURNOVER[0], answers, later=True)
            self._link_turnover(run)
            solver = deterministic(self.seed, LIMIT)
            if solver.solve(run.model) not in SOLVED:
                return False
            here[TURNOVER[0]] = run.dealt(solver, self.seed)
        self._accept(here)
        return True

    def _accept(self, here):
        """Keep answers of runs that go together. Raises `InputError` where they do not fit the print."""
        scored = {name: Scored([g.strata for g in self.groups], answers) for name, answers in here.items()}
        rows = [row for name in here for row in main_rows(scored[name], name, self.targets[name].ordinal is not None)]
        if TURNOVER[1] in here:
            rows += shot_rows(*(scored[name] for name in TURNOVER[:2]))
        if problems := differences(rows, self.published)[1]:
            raise InputError(f"answers of {', '.join(here)} do not fit the print: {problems[0]}")
        for name, answers in here.items():
            self.found[name].append(answers)

    def _link_turnover(self, run):
        link_turnover(run, self.targets[TURNOVER[0]].correct - TURNOVER[3])

    # ------------------------------------------------------------------------------------------------- two runs

    def agreement(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Equal answers of GPT with two and with three examples: attained, and bound by the printed turnover. Each run is
        solved against the other in turn, which need not find the end."""
        before, after, gained, lost = TURNOVER
        both_right = self.targets[before].correct - lost
        bound = both_right, QUESTIONS - gained - lost
        found = []
        for sense, goal in zip(SENSES, bound, strict=True):
            answers = {before: self.run(before).solve(self.seed, LIMIT, ())[1]}
            value = None
            for name, other in ((after, before), (before, after)) * ROUNDS:
                run = self.run(name, answers[other], later=name == before)
                self._link_turnover(run)
                equal = run.against(lambda g, triple, given: sum(a == b for a, b in zip(triple, given, strict=True)))
                solved = end(run, equal, sense, self.seed)[1]
                if not solved:
                    raise InputError(f"{name}: found no answers beside those of {other}")
                answers[name] = solved
                last, value = value, sum(answers[before][key] == letter for key, letter in answers[after].items())
                self.say(f"equal answers, {sense}: {value}, bound {goal}")
                if value in (goal, last):
                    break
            self._accept(answers)
            found.append(value)
        return tuple(found), bound

    # ------------------------------------------------------------------------------------------------- rotations

    def circular(self, name: str) -> tuple[tuple[int, int], tuple[int, int]]:
        """FQ1 questions right in all four rotations, of a row of Table 12."""

        def printed(column, times=1):
            return count(self.published("Table 12", name, column), times * QUESTIONS, f"Table 12 {name}")

        found = circular_range(
            (QUESTIONS // 2, QUESTIONS // 2),
            printed("Vanilla"),
            printed("Mean rot.", ROTATIONS),
            printed("Circular"),
            printed("Consistency"),
        )
        return found, found


def circular_range(
    sizes: tuple[int, int], vanilla: int, rotations: int, circular: int, consistency: int
) -> tuple[int, int]:
    """The least and the greatest number of questions of a first family that are right in all four rotations.

    `sizes` are questions of two families. The others count over both: right at rotation zero, right answers over all
    rotations, questions right in all of them, questions with four equal answers. Raises `InputError` where no answers
    have these counts.

    >>> circular_range((2, 2), 3, 12, 3, 4)
    (1, 2)
    """
    ends = []
    for sense in SENSES.values():
        model = cp_model.CpModel()
        # Of each family, how many questions are right in which rotations, and four times alike. Right answers in all
        # rotations are alike, right ones in some are not.
        number = {
            (family, right, alike): model.new_int_var(0, size, "")
            for family, size in enumerate(sizes)
            for right in product((0, 1), repeat=ROTATIONS)
            for alike in ((1,) if all(right) else (0,) if any(right) else (0, 1))
        }
        for family, size in enumerate(sizes):
            model.add(sum(n for (f, *_), n in number.items() if f == family) == size)
        model.add(sum(right[0] * n for (_, right, _), n in number.items()) == vanilla)
        model.add(sum(sum(right) * n for (_, right, _), n in number.items()) == rotations)
        model.add(sum(all(right) * n for (_, right, _), n in number.items()) == circular)
        model.add(sum(alike * n for (*_, alike), n in number.items()) == consistency)
        wanted = number[0, (1,) * ROTATIONS, 1]
        model.minimize(sense * wanted)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        if solver.solve(model) != cp_model.OPTIMAL:
            raise InputError("expected counts over rotations that some answers have, found none; check the scores")
        ends.append(solver.value(wanted))
    return ends[0], ends[1]


def default_path() -> Path:
    """Where the ranges are."""
    return root() / "data" / "frame_evidence" / "ranges.csv"


def write(rows: list[dict], path: Path) -> None:
    """Write the file, whole or not at all."""
    with replacing(path) as beside, open(beside, "w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main(arguments: list[str] | None = None) -> int:
    """Find all ranges and write them. Returns the exit status: 0, 2 where an input is not what it must be."""
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.witness.ranges", description=__doc__)
    parser.add_argument("--published", type=Path, metavar="CSV", help="printed numbers (default: the repository's)")
    parser.add_argument("--strata", type=Path, metavar="CSV", help="the strata (default: the repository's)")
    parser.add_argument("--output", type=Path, metavar="CSV", help="the ranges (default: the repository's)")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    say = (lambda line: print(line, file=sys.stderr, flush=True)) if sys.stderr.isatty() else (lambda line: None)
    path = options.output or default_path()
    try:
        strata = options.strata or composition.default_path()
        rows = Ranges(Published(options.published), strata, options.seed, say).rows()
        write(rows, path)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{shown(path)}: {len(rows)} ranges, {sum(row['proven'] == 'yes' for row in rows)} proven at both ends")
    return 0


if __name__ == "__main__":
    sys.exit(main())
