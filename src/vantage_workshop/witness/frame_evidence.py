"""Answers to the 288 test questions that agree with everything printed about a configuration, on the frozen strata.

A macro average is no linear function of the answers, so the counts behind it are enumerated first: for each letter how
many answers are right and how many there are. With one such tuple fixed the rest is linear in how many groups of a kind
give each triple of answers. Groups are of one kind when nothing printed tells them apart but which of them are solved.

Where the paper compares two runs, the first is solved, and the second against its answers.
"""

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby, islice, permutations, product
from pathlib import Path

import numpy as np
from ortools.sat.python import cp_model

from vantage.errors import InputError
from vantage.files import reading
from vantage.published import as_printed
from vantage_workshop.witness import composition, outcomes
from vantage_workshop.witness.metadata_rules import LETTERS
from vantage_workshop.witness.pairs import ADAPTED, CAPTURED_ACCURACY_AHEAD, CAPTURED_AHEAD, CONTROLS, TURNOVER
from vantage_workshop.witness.runs import Request
from vantage_workshop.witness.scored import (
    CONDITIONS,
    Answers,
    Cell,
    Scored,
    adapted_differences,
    agreement,
    differences,
    main_rows,
    ordinary_rows,
    seed_rows,
    turnover,
)
from vantage_workshop.witness.targets import Published, Targets, configurations, ordinary_runs

TUPLES = 8
"""Tuples of macro counts to try before giving up on a run."""

SEED_TUPLES = 150
"""Tuples of each adapter among which three are looked for whose mean and deviation print as they should."""

BASES = 40
"""The same for a base that an adapter and a control must follow; then each of these gets `FOLLOWERS`."""

FOLLOWERS = 2

LIMIT = 20.0
"""Deterministic seconds for one tuple: a run alone takes one or two."""

INVALID = "-"
"""Stands for an answer that is no letter."""

SEED = 20261130

Tuple = tuple[tuple[int, ...], tuple[int, ...]]
"""Right answers by gold letter and all answers by letter, A to D."""


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


def macro(tuple_: Tuple, golds: tuple[int, ...]) -> tuple[Fraction, Fraction, Fraction]:
    """Macro precision, recall and F1 in percent; the precision of a letter never answered is zero.

    >>> macro(((1, 1, 1, 1), (1, 1, 1, 1)), (2, 2, 2, 2))
    (Fraction(100, 1), Fraction(50, 1), Fraction(200, 3))
    """
    right, answered = tuple_
    rows = list(zip(right, answered, golds, strict=True))
    precision = sum((Fraction(r, a) if a else Fraction(0)) for r, a, _ in rows)
    recall = sum(Fraction(r, g) for r, _, g in rows)
    f1 = sum(Fraction(2 * r, a + g) for r, a, g in rows)
    return precision * 25, recall * 25, f1 * 25


def metric_tuples(targets: Targets, golds: tuple[int, ...], invalid: int = 0) -> Iterator[Tuple]:
    """Every tuple that uses all four letters and whose macro averages print as the paper's do, by rising imbalance of its
    right answers."""
    letters_right = [
        (a, b, c, targets.correct - a - b - c)
        for a in range(golds[0] + 1)
        for b in range(golds[1] + 1)
        for c in range(golds[2] + 1)
        if 0 <= targets.correct - a - b - c <= golds[3]
    ]
    right = np.array(letters_right)
    recall = (right / np.array(golds)).sum(axis=1) * 25
    right = right[np.abs(recall - float(targets.metrics[1])) < 0.0051]
    even = targets.correct * np.array(golds) / sum(golds)
    right = right[np.argsort(((right - even) ** 2).sum(axis=1), kind="stable")]
    total = sum(golds) - invalid
    for row in right:
        if as_printed(macro((row.tolist(), golds), golds)[1], 2) == targets.metrics[1]:
            yield from _answered(row, total, targets, golds)


def _answered(right, total, targets, golds):
    """The tuples with these right answers, by rising imbalance of all answers."""
    wanted_p, wanted_f = float(targets.metrics[0]) / 25, float(targets.metrics[2]) / 25
    counts = np.arange(1, total + 1)
    parts_p = [np.where(counts >= r, r / counts, np.nan) for r in right]
    parts_f = [2 * r / (counts + g) for r, g in zip(right, golds, strict=True)]
    found = []
    for first in range(max(2, right[0] + right[1]), total - max(1, right[2] + right[3]) + 1):
        a = np.arange(max(1, right[0]), first - max(1, right[1]) + 1)
        c = np.arange(max(1, right[2]), total - first - max(1, right[3]) + 1)
        if not len(a) or not len(c):
            continue
        p_ab = parts_p[0][a - 1] + parts_p[1][first - a - 1]
        f_ab = parts_f[0][a - 1] + parts_f[1][first - a - 1]
        p_cd = parts_p[2][c - 1] + parts_p[3][total - first - c - 1]
        f_cd = parts_f[2][c - 1] + parts_f[3][total - first - c - 1]
        near = (np.abs(p_ab[:, None] + p_cd[None, :] - wanted_p) < 0.000205) & (
            np.abs(f_ab[:, None] + f_cd[None, :] - wanted_f) < 0.000205
        )
        for i, j in zip(*np.nonzero(near), strict=True):
            found.append((int(a[i]), int(first - a[i]), int(c[j]), int(total - first - c[j])))
    for answered in sorted(found, key=lambda counts: sum(n * n for n in counts)):
        tuple_ = tuple(int(r) for r in right), answered
        if tuple(as_printed(value, 2) for value in macro(tuple_, golds)) == targets.metrics:
            yield tuple_


class Run:
    """The unknown answers of one run: for each kind of group, how many give each triple of answers."""

    def __init__(
        self,
        groups: list[Group],
        targets: Targets,
        tuple_: Tuple,
        other: Answers | None = None,
    ):
        """Everything printed about this run alone, as a model. `other` are the answers of a run to compare with,
        which then tell kinds apart."""
        self.model, self.groups, self.targets = cp_model.CpModel(), groups, targets
        self.kinds: dict[tuple, list[Group]] = {}
        for g in groups:
            about = (g.strata["source"], g.alone)
            given = tuple(other[g.group, c] for c in CONDITIONS[g.family]) if other else ()
            self.kinds.setdefault((g.family, g.golds, g.insufficient, about, given), []).append(g)
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
            yield triple

    def total(self, value: Callable[[Group, tuple[str, ...]], int], family: str | None = None):
        """The sum of `value(group, triple)` over the groups of a family, or all: an expression of the model. Groups of one
        kind must have the same value."""
        return sum(
            value(self.kinds[kind][0], triple) * number
            for (kind, triple), number in self.number.items()
            if family in (None, kind[0])
        )

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
            alone = self.total(lambda g, triple: g.alone * _right(g, triple))
            self.model.add(alone == t.correct_by_overlap["alone"])

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
            (CAPTURED_ACCURACY_AHEAD, self.total(lambda g, triple: weight(g) * _right(g, triple))),
        ):
            self.model.add(gap <= -1 if self.targets.name in names else gap >= 1)

    def against(self, value: Callable[[Group, tuple[str, ...], tuple[str, ...]], int], family: str | None = None):
        """The sum of `value(group, triple, other run's triple)`: an expression of the model."""
        return sum(
            value(self.kinds[kind][0], triple, kind[4]) * number
            for (kind, triple), number in self.number.items()
            if family in (None, kind[0])
        )

    def solve(self, seed: int, limit: float) -> tuple[str, Answers | None]:
        """The solver's status and the answers of a solution, dealt at random among groups that are alike."""
        solver = cp_model.CpSolver()
        solver.parameters.random_seed = seed
        # One worker and a deterministic limit: a seed gives one answer.
        solver.parameters.num_workers = 1
        solver.parameters.max_deterministic_time = limit
        status = solver.solve(self.model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return solver.status_name(status), None
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
        return solver.status_name(status), answers


class Witness:
    """Answers of all 28 runs on one strata file, found run by run."""

    def __init__(self, published: Published, strata: Path, seed: int, say: Callable[[str], None] = lambda line: None):
        """Read the strata and the printed numbers; nothing is solved yet."""
        self.published, self.seed, self.say = published, seed, say
        self.groups = test_groups(strata)
        self.rows = [g.strata for g in self.groups]
        self.configured = configurations(published)
        self.ordinary = ordinary_runs(published)
        self.seeds: dict[str, list[str]] = {}
        """The adapters of each family, by the row of Table 11 that has their mean."""
        for name in self.ordinary:
            if " / LoRA " in name:
                self.seeds.setdefault(f"{name.split(' / ')[0]} / LoRA mean", []).append(name)
        self.answers: dict[str, Answers] = {}
        self.unsolved: list[str] = []
        """Runs for which no tuple of macro counts gave answers within the limits."""

    def solve(self) -> None:
        """Solve every run: single ones, then each that is compared with another against its answers."""
        before, after, gained, lost = TURNOVER
        adapted = [name for base, lora, _ in ADAPTED for name in (base, lora)]
        for name, t in self.configured.items():
            if name not in adapted and name != after:
                self._first(name, t, self._tuples(t))
        self._first(
            after,
            self.configured[after],
            self._tuples(self.configured[after]),
            other=self.answers.get(before),
            link=lambda run: _link_turnover(run, self.configured[before].correct - lost),
        )
        for base, lora, facts in ADAPTED:
            self._adapted(base, lora, facts)
        for mean, names in self.seeds.items():
            self._seeds(mean, names)

    def _tuples(self, t, some=TUPLES):
        """Some tuples of macro counts, no two with the same right answers."""
        golds = gold_counts(self.groups)
        found = metric_tuples(t, golds, t.failures["Invalid"] if t.failures else 0)
        return [next(same) for _, same in islice(groupby(found, key=lambda tuple_: tuple_[0]), some)]

    def _seeds(self, mean, names):
        """Three adapters, with tuples of macro counts under which mean and deviation print as in Table 11."""
        golds = gold_counts(self.groups)
        candidates = [list(islice(metric_tuples(self.ordinary[name], golds), SEED_TUPLES)) for name in names]
        values = [np.array([[float(v) for v in macro(t, golds)] for t in some]) for some in candidates]
        fits = np.ones([len(some) for some in candidates], dtype=bool)
        for i, column in enumerate(("P", "R", "F1")):
            a, b, c = np.meshgrid(*(v[:, i] for v in values), indexing="ij", sparse=True)
            middle = (a + b + c) / 3
            deviation = np.sqrt(((a - middle) ** 2 + (b - middle) ** 2 + (c - middle) ** 2) / 2)
            for made, head in ((middle, column), (deviation, f"{column} / SD")):
                fits &= np.abs(made - float(self.published("Table 11", mean, head))) < 0.005
        chosen = sorted(np.argwhere(fits).tolist(), key=lambda triple: (sum(triple), triple))
        for triple in chosen[:TUPLES]:
            tuples = [some[i] for some, i in zip(candidates, triple, strict=True)]
            self.unsolved = [name for name in self.unsolved if name not in names]
            solved = [self._first(name, self.ordinary[name], [t]) for name, t in zip(names, tuples, strict=True)]
            if all(solved):
                return
        self.unsolved += [name for name in names if name not in self.answers and name not in self.unsolved]

    def _first(self, name, t, tuples, link=lambda run: None, **about):
        """Answers with the first tuple that has any."""
        for tuple_ in tuples:
            run = Run(self.groups, t, tuple_, **about)
            link(run)
            status, answers = run.solve(self.seed, LIMIT)
            self.say(f"{name}: {status.lower()}, right {tuple_[0]} of answered {tuple_[1]}")
            if answers:
                self.answers[name] = answers
                return True
        self.unsolved.append(name)
        return False

    def _adapted(self, base, lora, facts):
        """A base, then its matched control and its adapter against the base's answers."""
        golds = gold_counts(self.groups)
        control, agreeing = CONTROLS[base]
        changes = 3 * len(self.groups) - agreeing
        controls = list(metric_tuples(self.ordinary[control], golds))
        tried = 0
        for tuple_ in metric_tuples(self.configured[base], golds):
            near = [other for other in controls if _near(tuple_, other, changes)]
            if not near:
                continue
            tried += 1
            if tried > BASES:
                return
            self.unsolved = [name for name in self.unsolved if name not in (base, lora, control)]
            if (
                self._first(
                    base, self.configured[base], [tuple_], link=lambda run: self._foresee(run, lora, control, facts)
                )
                and self._first(
                    lora,
                    self.configured[lora],
                    self._tuples(self.configured[lora], FOLLOWERS),
                    other=self.answers[base],
                    link=lambda run: _link_adapted(run, facts),
                )
                and self._first(
                    control,
                    self.ordinary[control],
                    near[:FOLLOWERS],
                    other=self.answers[base],
                    link=lambda run: _link_agreement(run, agreeing),
                )
            ):
                return

    def _foresee(self, run, lora, control, facts):
        """Leave room in a base for what follows it: which groups the adapter will solve, and few differences from the
        control in scenes that training lacks, where Table 30 prints the control's scores."""
        t = self.ordinary[control]
        run.model.add(run.total(lambda g, triple: g.alone * _right(g, triple)) == t.correct_by_overlap["alone"])
        for metric in JOINT:
            alone = run.solved(metric, lambda g: g.alone)
            run.model.add(alone == t.by[metric]["overlap"]["alone"])
        evidence = [g.strata for g in self.groups if g.family == "FQ2"]
        groups = outcomes.Groups(evidence, model=run.model)
        foreseen = outcomes.evidence(groups, {lora: self.configured[lora]})[lora]
        outcomes.add_adapted(groups, run.evidence(), foreseen, (run.targets, self.configured[lora]), facts)

    def requests(self) -> dict[Request, Answers]:
        """The answers by run."""
        return {
            Request(name, "main" if name in self.configured else "multi_seed"): a for name, a in self.answers.items()
        }

    def check(self) -> tuple[list[Cell], list[str]]:
        """The printed numbers that the answers were held against, by code without a solver, and where they differ."""
        scored = {name: Scored(self.rows, answers) for name, answers in self.answers.items()}
        number, found = [], []
        for name, here in scored.items():
            if name in self.configured:
                rows = main_rows(here, name, self.configured[name].ordinal is not None)
            else:
                rows = ordinary_rows(here, name)
            compared, differing = differences(rows, self.published)
            number, found = number + compared, found + differing
        for row, names in self.seeds.items():
            if all(name in scored for name in names):
                compared, differing = differences(seed_rows([scored[name] for name in names], row), self.published)
                number, found = number + compared, found + differing
        for base, lora, facts in ADAPTED:
            if base in scored and lora in scored:
                found += adapted_differences(scored[base], scored[lora], facts)
            control, agreeing = CONTROLS[base]
            if base in scored and control in scored and (same := agreement(scored[base], scored[control])) != agreeing:
                found.append(f"{base}: expected {agreeing} answers as in the control, made {same}")
        before, after, *changes = TURNOVER
        if before in scored and after in scored and turnover(scored[before], scored[after]) != tuple(changes):
            found.append(f"{before} to {after}: expected {changes}, made {turnover(scored[before], scored[after])}")
        return number, found + self._sources(scored)

    def _sources(self, scored):
        """Appendix G.1: in how many configurations rendered inputs are ahead, and the two it names."""
        found = []
        ahead = {"accuracy": {}, "DIS": {}}
        for name in self.configured:
            if name in scored:
                here = scored[name]
                rates = [
                    Fraction(*here.joint("DIS", lambda row, s=source: row["source"] == s))
                    for source in ("rendered", "captured")
                ]
                ahead["DIS"][name] = rates[0] > rates[1]
                ahead["accuracy"][name] = here.accuracy("source", "rendered") > here.accuracy("source", "captured")
        for metric, expected in (("accuracy", 14), ("DIS", 16)):
            if len(ahead[metric]) == 20 and sum(ahead[metric].values()) != expected:
                found.append(f"rendered ahead in {metric}: expected {expected}, made {sum(ahead[metric].values())}")
            if ahead[metric].get(CAPTURED_AHEAD[0]):
                found.append(f"{CAPTURED_AHEAD[0]}: rendered ahead in {metric}")
        return found


def _near(one: Tuple, other: Tuple, changes: int) -> bool:
    """Whether so many changed answers can lead from one tuple to the other."""
    right, answered = (sum(abs(x - y) for x, y in zip(a, b, strict=True)) for a, b in zip(one, other, strict=True))
    return right <= changes and answered <= 2 * changes


def _link_agreement(run, number):
    run.model.add(
        run.against(lambda g, triple, given: sum(a == b for a, b in zip(triple, given, strict=True))) == number
    )


def _link_turnover(run, kept):
    run.model.add(
        run.against(
            lambda g, triple, given: sum(a == b == gold for a, b, gold in zip(triple, given, g.golds, strict=True))
        )
        == kept
    )


def _link_alone(run, facts):
    """Appendix F.1: successes in scenes that training lacks."""
    for metric, counts in facts.alone.items():
        if run.targets.name in counts:
            run.model.add(run.solved(metric, lambda g: g.alone) == counts[run.targets.name])


def _link_adapted(run, facts):
    """Appendices D.2, D.3 and F.1 and Table 21 on an adapter, against its base's answers."""
    _link_alone(run, facts)

    def total(value):
        """The sum over FQ2 groups of a value of what base and adapter have right, and whether the scene is alone."""
        return run.against(
            lambda g, triple, given: value(
                [a == gold for a, gold in zip(given, g.golds, strict=True)],
                [a == gold for a, gold in zip(triple, g.golds, strict=True)],
                g.alone,
            ),
            "FQ2",
        )

    add = run.model.add
    add(total(lambda old, new, alone: old[0] and new[0]) == facts.partition[0])
    for i, (before, after) in ((1, facts.common_nts), (2, facts.common_dis)):
        add(total(lambda old, new, alone: old[0] and new[0] and old[i]) == before)  # noqa: B023
        add(total(lambda old, new, alone: old[0] and new[0] and new[i]) == after)  # noqa: B023
        # Changes on the common groups go one way.
        kept = total(lambda old, new, alone: old[0] and new[0] and old[i] and new[i])  # noqa: B023
        add(kept == min(before, after))
    if facts.all_dis_alone_lost:
        add(total(lambda old, new, alone: alone and old[0] and old[2] and new[0] and new[2]) == 0)
    for i, (there, back) in enumerate(zip(facts.switches, facts.reverse, strict=True)):
        for here, number in ((True, there), (False, back)):
            add(
                run.against(
                    lambda g, triple, given: (triple[i] == g.insufficient) == here != (given[i] == g.insufficient),  # noqa: B023
                    "FQ2",
                )
                == number
            )


JOINT = {"FQ1-GEM": ("FQ1", 0), "NTS": ("FQ2", 1), "DIS": ("FQ2", 2)}
"""The family of a joint score, and where `joint` has it."""


def joint(g: Group, triple: tuple[str, ...]) -> tuple[bool, ...]:
    """Whether a triple of answers solves a group: FQ1-GEM, or MSS, NTS and DIS."""
    right = [answer == gold for answer, gold in zip(triple, g.golds, strict=True)]
    return (all(right),) if g.family == "FQ1" else (right[0], right[0] and right[1], right[0] and right[2])


def _right(g, triple):
    return sum(answer == gold for answer, gold in zip(triple, g.golds, strict=True))


def main(arguments: list[str] | None = None) -> int:
    """Solve all runs on the frozen strata and hold them against the print; writes nothing. Returns the exit status: 0, 1
    where a run has no answers or a number differs, 2 where an input is not what it must be."""
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.witness.frame_evidence", description=__doc__)
    parser.add_argument("--published", type=Path, metavar="CSV", help="printed numbers (default: the repository's)")
    parser.add_argument("--strata", type=Path, metavar="CSV", help="the strata (default: the repository's)")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    say = (lambda line: print(line, file=sys.stderr, flush=True)) if sys.stderr.isatty() else (lambda line: None)
    try:
        path = options.strata or composition.default_path()
        witness = Witness(Published(options.published), path, options.seed, say)
        witness.solve()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    number, found = witness.check()
    for line in found:
        print(line)
    for name in witness.unsolved:
        print(f"{name}: no answers found")
    print(f"{len(witness.answers)} runs, {len(number)} printed numbers compared, {len(found)} differ")
    return 1 if found or witness.unsolved else 0


if __name__ == "__main__":
    sys.exit(main())
