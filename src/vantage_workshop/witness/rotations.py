"""Answers under four rotations of the options, and GPT's repeat (Tables 7, 12 and 13 and the text around them).

What is printed of rotations counts items and no groups, so items are of one kind when they have the same gold letter and the
same answers in the runs that they are compared with. Letters are those of the order without rotation.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from ortools.sat.python import cp_model

from vantage_workshop.witness.answers import SOLVED, Group, Run, deterministic
from vantage_workshop.witness.metadata_rules import LETTERS
from vantage_workshop.witness.scored import CONDITIONS, Answers
from vantage_workshop.witness.targets import Pair, Targets, Turns

LIMIT = 20.0
"""Deterministic seconds for an attempt."""

ROOMS = (2, 4, 8, 16)
"""How far a count may be from its share: the first that the print admits."""


def repeat(
    groups: list[Group], t: Targets, tuples: list, first: Answers, pair: Pair, seed: int
) -> tuple[str, Answers | None]:
    """A second execution of a run, against the answers of the first."""
    said = "no tuple"
    for tuple_ in tuples:
        run = Run(groups, t, tuple_, other=first)
        both = lambda g, triple, given: sum(a == b == c for a, b, c in zip(triple, given, g.golds, strict=True))  # noqa: E731
        run.model.add(run.against(both) == pair.both)
        same = lambda g, triple, given: sum(a == b for a, b in zip(triple, given, strict=True))  # noqa: E731
        run.model.add(run.against(same) == pair.same)
        said, answers = run.solve(seed, LIMIT)
        if answers:
            return said, answers
    return said, None


@dataclass(frozen=True)
class Item:
    """A question of the test split: where it is, its gold letter, and what other runs answer."""

    key: tuple[str, str]
    gold: str
    given: tuple[str, ...]


def items(groups: list[Group], others: list[Answers]) -> list[Item]:
    """All questions with the answers of some runs."""
    return [
        Item((g.group, condition), gold, tuple(other[g.group, condition] for other in others))
        for g in groups
        for condition, gold in zip(CONDITIONS[g.family], g.golds, strict=True)
    ]


class Counts:
    """How many items of a kind give each tuple of answers, as a model."""

    def __init__(self, questions: list[Item], answers: int):
        """Tuples of so many answers, one a run that is solved for."""
        self.model, self.kinds = cp_model.CpModel(), {}
        for item in questions:
            self.kinds.setdefault((item.gold, item.given), []).append(item)
        self.number = {}
        self.room = self.model.new_int_var(0, len(questions), "")
        for kind, members in self.kinds.items():
            for given in product(LETTERS, repeat=answers):
                self.number[kind, given] = self.model.new_int_var(0, len(members), "")
            self.model.add(sum(n for (k, _), n in self.number.items() if k == kind) == len(members))

    def total(self, value: Callable[[str, tuple[str, ...], tuple[str, ...]], int]):
        """The sum of `value(gold, other runs' answers, answers)`: an expression of the model."""
        return sum(value(*kind, given) * number for (kind, given), number in self.number.items())

    def near(self, number, share: float) -> None:
        """Keep an expression within the room around its share."""
        self.model.add(number - round(share) <= self.room)
        self.model.add(round(share) - number <= self.room)

    def solve(self, seed: int) -> list[Answers] | None:
        """Answers run by run, dealt at random within a kind; None where there are none."""
        for room in (*ROOMS, None):
            model, solver = self.model.clone(), deterministic(seed, LIMIT)
            if room is not None:
                model.add(self.room <= room)
            if solver.solve(model) in SOLVED:
                return self._dealt(solver, seed)
        return None

    def _dealt(self, solver, seed):
        draw = random.Random(seed)
        dealt: list[dict] = []
        for kind, members in self.kinds.items():
            tuples = [given for (k, given), n in self.number.items() if k == kind for _ in range(solver.value(n))]
            draw.shuffle(tuples)
            for item, given in zip(members, tuples, strict=True):
                dealt = dealt or [{} for _ in given]
                for answers, letter in zip(dealt, given, strict=True):
                    answers[item.key] = letter
        return dealt


def unrotated(groups: list[Group], right: int, compared: list[tuple[Answers, Pair]], seed: int) -> Answers | None:
    """A further execution without rotation with so many right answers, against those that it is compared with."""
    questions = items(groups, [other for other, _ in compared])
    counts = Counts(questions, 1)
    counts.model.add(counts.total(lambda gold, given, now: now[0] == gold) == right)
    for i, (_, pair) in enumerate(compared):
        counts.model.add(counts.total(lambda gold, given, now: now[0] == given[i]) == pair.same)  # noqa: B023
        if pair.both is not None:
            counts.model.add(counts.total(lambda gold, given, now: now[0] == given[i] == gold) == pair.both)  # noqa: B023
    for letter in LETTERS:
        before = sum(item.given[0] == letter for item in questions)
        counts.near(counts.total(lambda gold, given, now: now[0] == letter), before)  # noqa: B023
        for gold in LETTERS:
            if gold != letter:
                old = sum(item.given[0] == letter and item.gold == gold for item in questions)
                counts.near(counts.total(lambda g, given, now: g == gold and now[0] == letter), old)  # noqa: B023
    found = counts.solve(seed)
    return found[0] if found else None


def rotated(groups: list[Group], t: Turns, first: Answers, seed: int) -> list[Answers] | None:
    """The answers under rotations 1 to 3, against those without rotation."""
    questions = items(groups, [first])
    counts = Counts(questions, 3)
    add, total = counts.model.add, counts.total
    add(total(lambda gold, given, now: sum(a == gold for a in now)) == t.right - t.vanilla)
    add(total(lambda gold, given, now: given[0] == gold and set(now) == {gold}) == t.circular)
    add(total(lambda gold, given, now: set(now) == {given[0]}) == t.consistent)
    for i in range(3):
        right = total(lambda gold, given, now: now[i] == gold)  # noqa: B023
        if t.pairs:
            add(total(lambda gold, given, now: now[i] == given[0]) == t.pairs[i].same)  # noqa: B023
            add(total(lambda gold, given, now: now[i] == given[0] == gold) == t.pairs[i].both)  # noqa: B023
            add(right == t.pairs[i].right)
        else:
            counts.near(right, (t.right - t.vanilla) / 3)
        for letter in LETTERS:
            # Halfway between a liking for what an option says and one for where it stands, neither of which is printed.
            shown = LETTERS[(LETTERS.index(letter) - i - 1) % 4]
            before = [sum(item.given[0] == liked for item in questions) for liked in (letter, shown)]
            counts.near(total(lambda gold, given, now: now[i] == letter), sum(before) / 2)  # noqa: B023
    # Items that are steady on a wrong answer, or unsteady, in no letter more than its share.
    wrong = [item for item in questions if item.given[0] != item.gold]
    for (gold, given), members in counts.kinds.items():
        if given[0] != gold:
            steady = counts.number[(gold, given), given * 3]
            counts.near(steady, (t.consistent - t.circular) * len(members) / len(wrong))
        for now in product(LETTERS, repeat=3):
            if now != given * 3:
                # No more than three times what each of the other 63 triples would have of an even share.
                add(counts.number[(gold, given), now] <= max(1, round(len(members) / 20)))
    return counts.solve(seed)
