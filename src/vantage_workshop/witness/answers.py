"""The unknown answers of one run to the test questions, as a model of how many groups of a kind give each triple of answers.

Groups are of one kind when nothing printed tells them apart but which of them are solved.
"""

import csv
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, permutations, product
from pathlib import Path

from ortools.sat.python import cp_model

from vantage.files import reading
from vantage_workshop.witness import outcomes
from vantage_workshop.witness.macros import Tuple
from vantage_workshop.witness.metadata_rules import LETTERS
from vantage_workshop.witness.pairs import CAPTURED_ACCURACY_AHEAD, CAPTURED_AHEAD
from vantage_workshop.witness.scored import CONDITIONS, Answers
from vantage_workshop.witness.targets import Targets

INVALID = "-"
"""Stands for an answer that is no letter."""

ROOMS = (3, 6)
"""How far a count of letters may be from its share: the first that a run admits within the limit, else none is set."""

Same = Callable[["Group"], tuple[tuple[int, int], ...]]
"""Which of a group's three questions were asked with the same input, so that their answers are one."""


@dataclass(frozen=True)
class Group:
    """One group of the test split with its strata by name."""

    group: str
    family: str
    golds: str
    insufficient: str
    strata: dict

    @property
    def alone(self) -> bool:
        """Whether neither training nor dev has a group of its scene."""
        return self.strata["overlap"] == "alone"


def test_groups(path: Path) -> list[Group]:
    """The test groups of a strata file."""
    with open(reading(path), encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    shared = {row["scene"] for row in rows if row["split"] != "test"}
    return [
        Group(
            row["group"],
            row["family"],
            row["golds"],
            row["insufficient"],
            row | {"overlap": "shared" if row["scene"] in shared else "alone"},
        )
        for row in rows
        if row["split"] == "test"
    ]


def gold_counts(groups: list[Group]) -> tuple[int, ...]:
    """Questions by gold letter, A to D."""
    counts = Counter("".join(group.golds for group in groups))
    return tuple(counts[letter] for letter in LETTERS)


SOLVED = (cp_model.OPTIMAL, cp_model.FEASIBLE)


def deterministic(seed: int, limit: float) -> cp_model.CpSolver:
    """A solver that gives one answer for a seed: one worker, and a limit in deterministic seconds."""
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = limit
    return solver


class Run:
    """The unknown answers of one run: for each kind of group, how many give each triple of answers."""

    def __init__(
        self,
        groups: list[Group],
        targets: Targets,
        tuple_: Tuple | None = None,
        other: Answers | None = None,
        same: Same = lambda g: (),
    ):
        """Everything printed about this run alone, as a model. Without `tuple_` only the number of right answers is
        given, no macro average. `other` are the answers of a run to compare with, which then tell kinds apart, and so
        does `same`."""
        self.model, self.groups, self.targets, self.same = cp_model.CpModel(), groups, targets, same
        self.tuple_ = tuple_
        self.kinds: dict[tuple, list[Group]] = {}
        for g in groups:
            about = (g.strata["source"], g.alone)
            given = tuple(other[g.group, c] for c in CONDITIONS[g.family]) if other else ()
            self.kinds.setdefault((g.family, g.golds, g.insufficient, about, given, same(g)), []).append(g)
        self.number = {}
        for kind, members in self.kinds.items():
            for triple in self._triples(members[0]):
                self.number[kind, triple] = self.model.new_int_var(0, len(members), "")
            here = [n for (k, _), n in self.number.items() if k == kind]
            self.model.add(sum(here) == len(members))
        self._success()
        self._metrics(tuple_)
        self._joint()
        if targets.failures:
            self._failures()
            self._source()

    def _triples(self, g):
        """The answers that a group may give."""
        options = [LETTERS, LETTERS, LETTERS]
        if g.family == "FQ2" and self.targets.failures and self.targets.failures["Invalid"]:
            # LLaVA's ten invalid answers are additions (design notes); no other run has one.
            options[2] = LETTERS + INVALID
        for triple in product(*options):
            right = [answer == gold for answer, gold in zip(triple, g.golds, strict=True)]
            if g.family == "FQ1" and g.alone and self.targets.failures and all(right):
                # Appendix F.1: no configuration of Table 4 solves a frame group of a scene that training does not have.
                continue
            if all(triple[i] == triple[j] for i, j in self.same(g)):
                yield triple

    def total(self, value: Callable[[Group, tuple[str, ...]], int], family: str | None = None):
        """The sum of `value(group, triple)` over the groups of a family, or all: an expression of the model. Groups of one
        kind must have the same value."""
        return sum(
            value(self.kinds[kind][0], triple) * number
            for (kind, triple), number in self.number.items()
            if family in (None, kind[0])
        )

    def size(self, family: str) -> int:
        """How many groups of a family there are."""
        return sum(g.family == family for g in self.groups)

    def _success(self):
        """Which groups are solved, one Boolean a group and outcome: FQ1 solved; FQ2's MSS and its two joint successes."""
        self.outcome = {}
        for kind, members in self.kinds.items():
            parts: dict[tuple, list] = {}
            for (k, triple), number in self.number.items():
                if k == kind:
                    parts.setdefault(joint(members[0], triple), []).append(number)
            for outcome in parts:
                for g in members:
                    self.outcome[g.group, outcome] = self.model.new_bool_var("")
                self.model.add(sum(self.outcome[g.group, outcome] for g in members) == sum(parts[outcome]))
            for g in members:
                self.model.add_exactly_one(self.outcome[g.group, outcome] for outcome in parts)

    def _bits(self, g, place):
        """The Booleans of a group's outcomes in which something holds: at most one is true."""
        possible = product((False, True), repeat=1 if g.family == "FQ1" else 3)
        return [self.outcome[g.group, o] for o in possible if o[place] and (g.group, o) in self.outcome]

    def solved(self, metric: str, where: Callable[[Group], bool]):
        """How many of some groups a run solves: an expression of the model."""
        family, place = JOINT[metric]
        return sum(bit for g in self.groups if g.family == family and where(g) for bit in self._bits(g, place))

    def evidence(self) -> outcomes.Evidence:
        """What the run answers correctly in FQ2, one Boolean a group."""
        found = []
        for place in (1, 2, 0):
            found.append([])
            for g in self.groups:
                if g.family == "FQ2":
                    found[-1].append(self.model.new_bool_var(""))
                    self.model.add(sum(self._bits(g, place)) == found[-1][-1])
        return outcomes.Evidence(*found)

    def _metrics(self, tuple_):
        if tuple_ is None:
            self.model.add(self.total(right_answers) == self.targets.correct)
            return
        for letter, right, answered in zip(LETTERS, *tuple_, strict=True):
            self.model.add(self.total(lambda g, triple: triple.count(letter)) == answered)  # noqa: B023
            self.model.add(
                self.total(lambda g, triple: sum(a == b == letter for a, b in zip(triple, g.golds, strict=True)))  # noqa: B023
                == right
            )

    def _joint(self):
        t = self.targets
        for metric, total in (("FQ1-GEM", t.gem), ("NTS", t.nts), ("DIS", t.dis)):
            self.model.add(self.solved(metric, lambda g: True) == total)
            for stratum, cells in t.by[metric].items():
                for value, number in cells.items():
                    self.model.add(self.solved(metric, lambda g: g.strata[stratum] == value) == number)  # noqa: B023
        for value, number in (t.ordinal or {}).items():
            self.model.add(self.solved("NTS", lambda g: g.strata["ordinal_change"] == value) == number)  # noqa: B023
        if t.correct_by_overlap:
            # The rest of the right answers are in scenes that training shares.
            alone = self.total(lambda g, triple: g.alone * right_answers(g, triple))
            self.model.add(alone == t.correct_by_overlap["alone"])
            self._gap_signs()

    def _gap_signs(self):
        """All eight ordinary runs have joint success below the fixed-marginal reference in FQ1-GEM and NTS and above it in
        DIS (Appendix D.4): observed times groups against the product of the variants' right answers."""
        t = self.targets

        def product_of(family, places):
            size = self.size(family)
            counts = []
            for i in places:
                counts.append(self.model.new_int_var(0, size, ""))
                self.model.add(counts[-1] == self.total(lambda g, triple: triple[i] == g.golds[i], family))  # noqa: B023
            of_all = self.model.new_int_var(0, size ** len(places), "")
            self.model.add_multiplication_equality(of_all, counts)
            return of_all

        frames, evidence = self.size("FQ1"), self.size("FQ2")
        self.model.add(product_of("FQ1", (0, 1, 2)) > t.gem * frames**2)
        self.model.add(product_of("FQ2", (0, 1)) > t.nts * evidence)
        self.model.add(product_of("FQ2", (0, 2)) < t.dis * evidence)

    def _failures(self):
        t, add = self.targets, self.model.add
        for i, (right, insufficient) in enumerate(zip(t.variants, t.insufficient, strict=True)):
            add(self.total(lambda g, triple: triple[i] == g.golds[i], "FQ2") == right)  # noqa: B023
            add(self.total(lambda g, triple: triple[i] == g.insufficient, "FQ2") == insufficient)  # noqa: B023
        add(self.total(lambda g, triple: triple[0] == triple[1] == g.golds[0], "FQ2") == t.failures["Original"])
        if t.failures["Invalid"]:
            lost = t.failures["m"] - t.failures["Robust"] - t.failures["Drift"]
            add(self.total(lambda g, triple: triple[2] == INVALID, "FQ2") == t.failures["Invalid"])
            add(self.total(lambda g, triple: triple[0] == g.golds[0] and triple[2] == INVALID, "FQ2") == lost)
        frames = [self.total(lambda g, triple: triple[i] == g.golds[i], "FQ1") for i in range(3)]  # noqa: B023
        orders = sorted({order for counts in t.frames for order in permutations(counts)})
        chosen = [self.model.new_bool_var("") for _ in orders]
        self.model.add_exactly_one(chosen)
        for i, frame in enumerate(frames):
            add(frame == sum(order[i] * bit for order, bit in zip(orders, chosen, strict=True)))
        add(self.total(lambda g, triple: sum(a == b for a, b in combinations(triple, 2)), "FQ1") == t.pairs["Same"])
        add(
            self.total(
                lambda g, triple: sum(
                    triple[i] == g.golds[i] and triple[j] == g.golds[j] for i, j in combinations(range(3), 2)
                ),
                "FQ1",
            )
            == t.pairs["Both"]
        )
        add(self.total(lambda g, triple: len(set(triple)) == 1, "FQ1") == t.failures["invariant"])

    def _source(self):
        """Whether rendered inputs have the higher DIS rate and the higher accuracy (Appendix G.1)."""

        def weight(g):
            # 27 groups against 21, or 162 questions against 126: both 9 to 7.
            return 7 if g.strata["source"] == "rendered" else -9

        for names, gap in (
            (CAPTURED_AHEAD, self.total(lambda g, triple: weight(g) * joint(g, triple)[2], "FQ2")),
            (CAPTURED_ACCURACY_AHEAD, self.total(lambda g, triple: weight(g) * right_answers(g, triple))),
        ):
            self.model.add(gap <= -1 if self.targets.name in names else gap >= 1)

    def against(self, value: Callable[[Group, tuple[str, ...], tuple[str, ...]], int], family: str | None = None):
        """The sum of `value(group, triple, other run's triple)`: an expression of the model."""
        return sum(
            value(self.kinds[kind][0], triple, kind[4]) * number
            for (kind, triple), number in self.number.items()
            if family in (None, kind[0])
        )

    def _spread(self):
        """Bound by one unknown how far letters are from their share in each condition, and the wrong answers to each gold
        letter from theirs: a solver's first point heaps them up for no reason."""
        golds = gold_counts(self.groups)
        questions = sum(golds)
        right, answered = self.tuple_ or ([self.targets.correct / 4] * 4, [questions / 4] * 4)
        wrong = [a - r for a, r in zip(answered, right, strict=True)]
        self.room = self.model.new_int_var(0, questions, "")
        for i, letter in enumerate(LETTERS):
            for family in CONDITIONS:
                for place in range(3):
                    here = self.total(lambda g, triple: triple[place] == letter, family)  # noqa: B023
                    self._near(here, len(self.groups) / 2 * answered[i] / questions)
            for j, gold in enumerate(LETTERS):
                if gold != letter:
                    here = self.total(
                        lambda g, triple: sum(a == letter and b == gold for a, b in zip(triple, g.golds, strict=True))  # noqa: B023
                    )
                    self._near(here, (golds[j] - right[j]) * wrong[i] / max(1, sum(wrong) - wrong[j]))

    def _near(self, number, share):
        self.model.add(number - round(share) <= self.room)
        self.model.add(round(share) - number <= self.room)

    def solve(self, seed: int, limit: float, rooms: tuple[int, ...] = ROOMS) -> tuple[str, Answers | None]:
        """What the solver says, and the answers of a solution, dealt at random among groups that are alike.

        Deterministic for a seed: one worker, and `limit` in deterministic seconds for each attempt."""
        solver = deterministic(seed, limit)
        status = solver.solve(self.model)
        if status not in SOLVED:
            return solver.status_name(status), None
        if rooms:
            # Only now: what a run is solved for first does not depend on it.
            self._spread()
        for room in rooms:
            closer, attempt = self.model.clone(), deterministic(seed, limit)
            closer.add(self.room <= room)
            if attempt.solve(closer) in SOLVED:
                return f"letters within {room} of their shares", self.dealt(attempt, seed)
        return "letters free", self.dealt(solver, seed)

    def dealt(self, solver: cp_model.CpSolver, seed: int) -> Answers:
        """The answers of a solution, dealt at random among groups that are alike."""
        draw = random.Random(seed)
        answers = {}
        for kind, members in self.kinds.items():
            triples = [triple for (k, triple), n in self.number.items() if k == kind for _ in range(solver.value(n))]
            draw.shuffle(triples)
            for g in members:
                outcome = next(o for (name, o), bit in self.outcome.items() if name == g.group and solver.value(bit))
                triple = next(triple for triple in triples if joint(g, triple) == outcome)
                triples.remove(triple)
                answers |= {(g.group, c): answer for c, answer in zip(CONDITIONS[g.family], triple, strict=True)}
        return answers


JOINT = {"FQ1-GEM": ("FQ1", 0), "NTS": ("FQ2", 1), "DIS": ("FQ2", 2)}
"""The family of a joint score, and where `joint` has it."""


def joint(g: Group, triple: tuple[str, ...]) -> tuple[bool, ...]:
    """Whether a triple of answers solves a group: FQ1-GEM, or MSS, NTS and DIS."""
    right = [answer == gold for answer, gold in zip(triple, g.golds, strict=True)]
    return (all(right),) if g.family == "FQ1" else (right[0], right[0] and right[1], right[0] and right[2])


def right_answers(g: Group, triple: tuple[str, ...]) -> int:
    """How many of a triple of answers are right."""
    return sum(answer == gold for answer, gold in zip(triple, g.golds, strict=True))
