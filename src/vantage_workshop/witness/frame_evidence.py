"""Answers to the 288 test questions that agree with everything printed about a configuration, on the frozen strata.

A macro average is no linear function of the answers, so the counts behind it are enumerated first: for each letter how
many answers are right and how many there are. With one such tuple fixed the rest is linear in how many groups of a kind
give each triple of answers. Groups are of one kind when nothing printed tells them apart but which of them are solved.

Where the paper compares two runs, the first is solved, and the second against its answers.
"""

from collections import Counter
from collections.abc import Callable
from itertools import groupby, islice
from pathlib import Path

import numpy as np

from vantage.triplets import Triplets
from vantage_workshop.witness import controls, outcomes, rotations, stable_ids
from vantage_workshop.witness import scored_experiments as experiments
from vantage_workshop.witness.answers import INVALID, JOINT, ROOMS, Run, gold_counts, right_answers, test_groups
from vantage_workshop.witness.macros import Tuple, macro, metric_tuples
from vantage_workshop.witness.metadata_rules import LETTERS
from vantage_workshop.witness.pairs import ADAPTED, CONTROLS, TURNOVER
from vantage_workshop.witness.runs import Request
from vantage_workshop.witness.scored import (
    Answers,
    Cell,
    Scored,
    adapted_differences,
    differences,
    main_rows,
    ordinary_rows,
    seed_rows,
)
from vantage_workshop.witness.targets import (
    MODES,
    ZERO_SHOT,
    Pair,
    Published,
    configurations,
    diagnostic,
    executions,
    input_controls,
    ordinary_runs,
    repeated,
)
from vantage_workshop.witness.targets import rotations as rotation_rows

TUPLES = 8
"""Tuples of macro counts to try before giving up on a run."""

SEED_TUPLES = 150
"""Tuples of each adapter among which three are looked for whose mean and deviation print as they should."""

LOOKED_AT = 400
"""Tuples of an adapter from which those are taken."""

BASES = 40
"""The same for a base that an adapter and a control must follow; then each of these gets `FOLLOWERS`."""

FOLLOWERS = 2

LIMIT = 20.0
"""Deterministic seconds for one tuple: a run alone takes one or two."""

SEED = 20261130


class Witness:
    """Answers of all runs on one strata file, found run by run."""

    def __init__(
        self,
        published: Published,
        strata: Path,
        triplets: Triplets,
        seed: int,
        say: Callable[[str], None] = lambda line: None,
    ):
        """Read the strata and the printed numbers; nothing is solved yet. The items say which inputs are the same."""
        self.published, self.triplets, self.seed, self.say = published, triplets, seed, say
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
        """The primary and the ordinary multi-seed runs by printed row."""
        self.others: dict[Request, Answers] = {}
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
        if not self.unsolved:
            self._input_controls()
            self._rotations()
            self._stable_ids()

    def _tuples(self, t, some=TUPLES):
        """Some tuples of macro counts, no two with the same right answers."""
        golds = gold_counts(self.groups)
        found = metric_tuples(t, golds, t.failures["Invalid"] if t.failures else 0)
        return [next(same) for _, same in islice(groupby(found, key=lambda tuple_: tuple_[0]), some)]

    def _seeds(self, mean, names):
        """Three adapters, with tuples of macro counts under which mean and deviation print as in Table 11."""
        golds = gold_counts(self.groups)
        # Adapters of one base rather lack the same letter than different ones: nearest to the primary adapter first.
        answered = Counter(self.answers[mean.replace(" mean", "")].values())

        def distance(tuple_):
            return sum(abs(number - answered[letter]) for letter, number in zip(LETTERS, tuple_[1], strict=True))

        found = [list(islice(metric_tuples(self.ordinary[name], golds), LOOKED_AT)) for name in names]
        candidates = [sorted(some, key=distance)[:SEED_TUPLES] for some in found]
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

    def _first(self, name, t, tuples, link=lambda run: None, rooms=ROOMS, **about):
        """Answers with the first tuple that has any."""
        for tuple_ in tuples:
            run = Run(self.groups, t, tuple_, **about)
            link(run)
            status, answers = run.solve(self.seed, LIMIT, rooms)
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
                    base,
                    self.configured[base],
                    [tuple_],
                    link=lambda run: self._foresee(run, lora, control, facts),
                    rooms=(),
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
        run.model.add(run.total(lambda g, triple: g.alone * right_answers(g, triple)) == t.correct_by_overlap["alone"])
        for metric in JOINT:
            alone = run.solved(metric, lambda g: g.alone)
            run.model.add(alone == t.by[metric]["overlap"]["alone"])
        evidence = [g.strata for g in self.groups if g.family == "FQ2"]
        groups = outcomes.Groups(evidence, model=run.model)
        foreseen = outcomes.evidence(groups, {lora: self.configured[lora]})[lora]
        outcomes.add_adapted(groups, run.evidence(), foreseen, (run.targets, self.configured[lora]), facts)

    def _input_controls(self):
        """Answers without images and with the first alone, on the items' images."""
        for (mode, name), t in input_controls(self.published, self.configured).items():
            said, answers = controls.solve(self.groups, t, mode, self.triplets, self.seed)
            self._keep(Request(name, "input_control", mode), answers, said)

    def _rotations(self):
        """Every row of Table 12 that has items. Rotation zero of an open-weight row differs from its ordinary run in as many
        answers as the control from the primary base: our choice, as only their scores are printed."""
        pairs = executions(self.published)
        primary, again = self.answers[ZERO_SHOT], repeated(self.published)
        said, repeat = rotations.repeat(
            self.groups, again, self._tuples(again), primary, pairs["primary and repeat"], self.seed
        )
        self._keep(Request(ZERO_SHOT, "repeat", repeat=1), repeat, said)
        agreeing = {base.split(" / ")[0]: number for base, (_, number) in CONTROLS.items()}
        for name, turns in rotation_rows(self.published).items():
            if name != ZERO_SHOT:
                before = [(self.answers[name], Pair(agreeing[name.split(" / ")[0]]))]
            elif repeat:
                before = [(primary, pairs["primary and rotation zero"]), (repeat, pairs["repeat and rotation zero"])]
            else:
                continue
            zero = rotations.unrotated(self.groups, turns.vanilla, before, self.seed)
            others = rotations.rotated(self.groups, turns, zero, self.seed) if zero else None
            for rotation, answers in enumerate([zero, *others] if others else [None]):
                self._keep(Request(name, "circular", rotation=rotation), answers)

    def _stable_ids(self):
        t = diagnostic(self.published, 3 * len(stable_ids.chosen(self.groups)))
        found = stable_ids.solve(self.groups, t, self.seed)
        for (block, arm), answers in (found or {(0, "original"): None}).items():
            self._keep(Request(ZERO_SHOT, "stable_id", block=block, arm=arm), answers)

    def _keep(self, request, answers, said=""):
        self.say(f"{request.head['run']}: {said or ('found' if answers else 'none')}")
        if answers:
            self.others[request] = answers
        else:
            self.unsolved.append(request.head["run"])

    def requests(self) -> dict[Request, Answers]:
        """The answers by run, in the order of print."""
        primary = {Request(name): self.answers[name] for name in self.configured if name in self.answers}
        seeds = {Request(name, "multi_seed"): self.answers[name] for name in self.ordinary if name in self.answers}
        return primary | seeds | self.others

    def check(self) -> tuple[list[Cell], list[str]]:
        """The printed numbers that the answers were held against, by code without a solver, and where they differ."""
        scored = {name: Scored(self.rows, answers) for name, answers in self.answers.items()}
        primary = {name: scored[name] for name in self.configured}
        others = {
            request: Scored(self.rows, answers)
            for request, answers in self.others.items()
            if request.experiment != "stable_id"
        }
        rows = []
        for name, here in primary.items():
            rows += main_rows(here, name, self.configured[name].ordinal is not None)
        for name in self.ordinary:
            rows += ordinary_rows(scored[name], name)
        for row, names in self.seeds.items():
            rows += seed_rows([scored[name] for name in names], row)
        found = []
        for base, lora, facts in ADAPTED:
            family = base.split(" / ")[0]
            found += adapted_differences(scored[base], scored[lora], facts)
            rows += experiments.adapted_rows(scored[base], scored[lora], family)
            rows += experiments.control_rows(scored[base], scored[CONTROLS[base][0]], family)
        rows += experiments.shot_rows(*(scored[name] for name in TURNOVER[:2]))
        rows += experiments.overlap_rows(primary)
        rows += experiments.source_rows(primary)
        for name in {request.name: None for request in others if request.experiment == "input_control"}:
            modes = {mode: others[Request(name, "input_control", mode)] for mode in MODES}
            rows += experiments.input_rows(scored[name], modes, name)
        turns = {
            name: [others[Request(name, "circular", rotation=rotation)] for rotation in range(4)]
            for name in rotation_rows(self.published)
        }
        for name, here in turns.items():
            rows += experiments.turn_rows(here, name)
        repeat = others[Request(ZERO_SHOT, "repeat", repeat=1)]
        rows += experiments.execution_rows(scored[ZERO_SHOT], repeat, turns[ZERO_SHOT])
        asked = [g.strata for g in stable_ids.chosen(self.groups)]
        stable = {(r.block, r.arm): a for r, a in self.others.items() if r.experiment == "stable_id"}
        rows += experiments.stable_rows(asked, stable)
        invalid = sum(answer == INVALID for name in primary for answer in self.answers[name].values())
        rows += experiments.invalid_rows(invalid)
        compared, differing = differences(rows, self.published)
        return compared, found + differing


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
