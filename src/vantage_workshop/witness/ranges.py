"""How far the print leaves open what it does not print: the least and the greatest value of some quantities over all
answers that agree with everything printed about a configuration, on the frozen strata.

Two numbers stand for each end. *Attained*: answers with that value were found, with answers of the runs that the paper
compares with this one; code without a solver held them against the print. *Bound*: no answers pass it, by arithmetic or
because the solver proved a model optimal that asks for less than the print does. It leaves out the runs compared with,
and the choices of `pairs` that are ours. Where the two are one, the end is proven.

Where letters are counted, all tuples of macro counts are allowed, where `frame_evidence` tries some: the list of them is
complete. A bound on frames needs none.
"""

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from pathlib import Path

from ortools.sat.python import cp_model

from vantage.errors import InputError
from vantage.files import replacing, root, shown
from vantage.schemas import RANGES
from vantage_workshop.witness import composition
from vantage_workshop.witness.frame_evidence import (
    SEED,
    Group,
    Run,
    Tuple,
    Witness,
    gold_counts,
    link_adapted,
    link_agreement,
    link_alone,
    link_turnover,
    metric_tuples,
    near,
)
from vantage_workshop.witness.metadata_rules import LETTERS
from vantage_workshop.witness.pairs import ADAPTED, CONTROLS, QWEN, TURNOVER
from vantage_workshop.witness.scored import CONDITIONS, Answers
from vantage_workshop.witness.targets import GROUPS, QUESTIONS, Published, Targets, count

FRAMED = (
    "GPT-5.6 / 3-shot",
    "Claude Fable 5.1 / 3-shot",
    f"{QWEN} / Base",
    f"{QWEN} / LoRA",
    "Qwen3-VL-8B / Base",
)
"""Configurations whose accuracy in each frame is asked for."""

LETTERED = (f"{QWEN} / Base", f"{QWEN} / LoRA", "Kimi-VL-A3B / Base", "GPT-5.6 / 3-shot")
"""Configurations whose use of letters is asked for."""

ROTATED = tuple(f"{QWEN} / LoRA {seed}" for seed in (20260722, 20260723, 20260724))
"""Rows of Table 12 whose Circular score on one family is asked for."""

ROTATIONS = 4

LIMIT = 60.0
"""Deterministic seconds for one end; most take two."""

SOME = 300
"""Tuples of macro counts for a run whose letters are not asked for: any answers will do for it."""

ROUNDS = 6
"""How often two compared runs are solved against one another in turn, to move their agreement."""

COLUMNS = [column.name for column in RANGES.columns]

SENSES = {"low": 1, "high": -1}
"""What to multiply a quantity with so that its end is the least."""


@dataclass(frozen=True)
class Quantity:
    """Something that answers have: of a group and its triple, how much of it. `outer` are bounds by arithmetic."""

    name: str
    part: str
    of: int
    value: Callable[[Group, tuple[str, ...]], int]
    outer: tuple[int, int]


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
        self.choices, self.later = choices, later
        super().__init__(groups, targets, tuples, other)

    def _metrics(self, tuples):
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
        self.model.add_allowed_assignments(held, [[*right, *answered] for right, answered in tuples])

    def _source(self):
        if self.choices:
            super()._source()

    def against(self, value, family=None):
        """As `Run.against`, with the earlier run's triple last."""
        turned = (lambda g, triple, given: value(g, given, triple)) if self.later else value
        return super().against(turned, family)


def end(run: Run, value, sense: str, seed: int, limit: float = LIMIT) -> tuple[bool, Answers | None]:
    """Whether the end was proven for this model, and answers there (or the last found within the limit).

    `value` is an expression of the run's model, `sense` which end: "low" or "high".
    """
    run.model.minimize(SENSES[sense] * value)
    status, answers = run.solve(seed, limit)
    return status == "OPTIMAL", answers


def amount(quantity: Quantity, groups: list[Group], answers: Answers) -> int:
    """How much of a quantity answers have."""
    return sum(quantity.value(g, tuple(answers[g.group, c] for c in CONDITIONS[g.family])) for g in groups)


def _counts(groups: list[Group], answers: Answers) -> Tuple:
    """Right answers by gold letter and all answers by letter."""
    pairs = [(answers[g.group, c], gold) for g in groups for c, gold in zip(CONDITIONS[g.family], g.golds, strict=True)]
    return (
        tuple(sum(answer == gold == letter for answer, gold in pairs) for letter in LETTERS),
        tuple(sum(answer == letter for answer, _ in pairs) for letter in LETTERS),
    )


class Ranges:
    """The ranges on one strata file."""

    def __init__(self, published: Published, strata: Path, seed: int, say: Callable[[str], None] = lambda line: None):
        """Read the strata and the printed numbers; nothing is solved yet."""
        self.witness = Witness(published, strata, seed)
        self.published, self.seed, self.say = published, seed, say
        self.groups, self.targets = self.witness.groups, self.witness.configured | self.witness.ordinary
        self.adapted = {name: pair for pair in ADAPTED for name in pair[:2]}
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
        counts = [number for counts in self.targets[name].frames for number in counts]
        return [
            Quantity(
                "Right answers in a frame",
                frame,
                GROUPS,
                lambda g, triple, i=i: int(g.family == "FQ1" and triple[i] == g.golds[i]),
                (min(counts), max(counts)),
            )
            for i, frame in enumerate(CONDITIONS["FQ1"])
        ]

    def letters(self, name: str) -> list[Quantity]:
        """Answers with each letter. The tuples have a least and a greatest count."""
        return [
            Quantity(
                "Answers with a letter",
                letter,
                QUESTIONS,
                lambda g, triple, letter=letter: triple.count(letter),
                (
                    min(answered[i] for _, answered in self.tuples(name)),
                    max(answered[i] for _, answered in self.tuples(name)),
                ),
            )
            for i, letter in enumerate(LETTERS)
        ]

    def _tuples(self, name):
        """All tuples of macro counts where letters are asked for, else some; of a base, those from which its control is
        within reach."""
        t = self.targets[name]
        found = metric_tuples(t, gold_counts(self.groups), t.failures["Invalid"] if t.failures else 0, unused=True)
        complete = name in LETTERED or name in [control for control, _ in CONTROLS.values()]
        found = list(found) if complete else list(islice(found, SOME))
        if name in CONTROLS:
            control, agreeing = CONTROLS[name]
            others, changes = self.tuples(control), QUESTIONS - agreeing
            found = [one for one in found if any(near(one, other, changes) for other in others)]
        return found

    # -------------------------------------------------------------------------------------------------------- one run

    def run(
        self,
        name: str,
        other: Answers | None = None,
        *,
        choices: bool = True,
        later: bool = False,
        tuples: list[Tuple] | None = None,
    ) -> OpenRun:
        """A run with what is printed about it alone."""
        some = tuples or self.tuples(name)
        run = OpenRun(self.groups, self.targets[name], some, other, choices=choices, later=later)
        if name in self.adapted:
            link_alone(run, self.adapted[name][2])
        return run

    def range_end(self, name: str, quantity: Quantity, sense: str) -> tuple[int, int]:
        """What is attained at one end of a range, and its bound."""
        attained = self._attained(name, quantity, sense)
        bound = quantity.outer[list(SENSES).index(sense)]
        if attained != bound and name in LETTERED:
            run = self.run(name, choices=False)
            proven, answers = end(run, run.total(quantity.value), sense, self.seed)
            bound = amount(quantity, self.groups, answers) if proven else bound
        self.say(f"{name}, {quantity.name.lower()} {quantity.part}, {sense}: attained {attained}, bound {bound}")
        return attained, bound

    def _attained(self, name, quantity, sense):
        """The value nearest the end of which answers are found, with the runs compared with."""
        if name in self.adapted and not self.found[name]:
            self.witness.adapted(*self.adapted[name])
            self._accept({one: self.witness.answers[one] for one in self.adapted[name][:2]})
        # First any macro counts. Then those of answers found before: company was found beside them once.
        for tuples in (None, {_counts(self.groups, answers) for answers in self.found[name]}):
            best = self._best(name, quantity, sense)
            if best == quantity.outer[list(SENSES).index(sense)] or tuples == set():
                break
            run = self.run(name, tuples=tuples and sorted(tuples))
            if name in CONTROLS:
                self.witness.foresee(run, self.adapted[name][1], CONTROLS[name][0], self.adapted[name][2])
            answers = end(run, run.total(quantity.value), sense, self.seed)[1]
            if not answers or amount(quantity, self.groups, answers) == best or self._company(name, answers):
                break
        best = self._best(name, quantity, sense)
        if best is None:
            raise InputError(f"{name}: found no answers beside those of the runs that the paper compares")
        return best

    def _best(self, name, quantity, sense):
        """The value nearest an end among all answers found so far, if there are any."""
        values = [amount(quantity, self.groups, answers) for answers in self.found[name]]
        return min(values, key=lambda value: SENSES[sense] * value, default=None)

    def _company(self, name, answers):
        """Keep answers if the runs that the paper compares with this one have answers beside them; returns whether."""
        here = {name: answers}
        if name == TURNOVER[1]:
            complete = self._follow(here, TURNOVER[0], name, self._link_turnover, later=True)
        elif name in self.adapted:
            base, lora, facts = self.adapted[name]
            control, agreeing = CONTROLS[base]

            def before(run):
                link_adapted(run, facts)
                self.witness.foresee(run, lora, control, facts)

            if name == lora:
                complete = self._follow(here, base, lora, before, later=True)
            else:
                complete = self._follow(here, lora, base, lambda run: link_adapted(run, facts))
            complete = complete and self._follow(here, control, base, lambda run: link_agreement(run, agreeing))
        else:
            complete = True
        if complete:
            self._accept(here)
        return complete

    def _follow(self, here, name, after, link, later=False):
        """Add answers of a run against those of another. Returns whether there are any."""
        run = self.run(name, here[after], later=later)
        link(run)
        answers = run.solve(self.seed, LIMIT)[1]
        if answers:
            here[name] = answers
        return answers is not None

    def _accept(self, here):
        """Keep answers of runs that go together. Raises `InputError` where they do not fit the print."""
        self.witness.answers = here
        if problems := self.witness.check()[1]:
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
            answers = {before: self.run(before).solve(self.seed, LIMIT)[1]}
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
