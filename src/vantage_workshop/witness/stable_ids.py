"""Answers of the stable-ID diagnostic: twelve groups, two wordings, a first run and two blocks (Appendix E).

Small enough for one Boolean a question, run and letter. How the counts split over conditions, and in the blocks over block and
condition, is in a table that our copy of the paper lacks; the blocks are kept alike and the letters near the gold ones.
"""

from itertools import product

from ortools.sat.python import cp_model

from vantage_workshop.witness.answers import SOLVED, Group, deterministic
from vantage_workshop.witness.metadata_rules import LETTERS
from vantage_workshop.witness.scored import CONDITIONS, Answers
from vantage_workshop.witness.targets import ARMS, Diagnostic

LIMIT = 20.0
"""Deterministic seconds."""

BLOCKS = (0, 1, 2)
"""The first run, and the two blocks of the repeated control."""

Key = tuple[int, str]
"""Block and arm."""


def chosen(groups: list[Group]) -> list[Group]:
    """The FQ2 groups whose referent deletion does not remove."""
    return [g for g in groups if g.family == "FQ2" and g.strata["ordinal_change"] != "removed"]


def solve(groups: list[Group], t: Diagnostic, seed: int) -> dict[Key, Answers] | None:
    """The answers of every block and arm; None where there are none."""
    # Nothing printed links the first run and the blocks.
    parts = [_Model(chosen(groups), t, blocks).solve(seed) for blocks in (BLOCKS[:1], BLOCKS[1:])]
    return parts[0] | parts[1] if all(parts) else None


class _Model:
    def __init__(self, groups, t, blocks):
        self.model, self.groups, self.t = cp_model.CpModel(), groups, t
        self.keys = [(block, arm) for block in blocks for arm in ARMS]
        self.items = [(g, place) for g in groups for place in range(3)]
        self.bit = {}
        for key, (g, place) in product(self.keys, self.items):
            for letter in LETTERS:
                self.bit[key, g.group, place, letter] = self.model.new_bool_var("")
            self.model.add_exactly_one(self.bit[key, g.group, place, letter] for letter in LETTERS)
        self.right = {
            (key, g.group, place): self.bit[key, g.group, place, g.golds[place]]
            for key, (g, place) in product(self.keys, self.items)
        }
        if 0 in blocks:
            self._first()
        else:
            self._blocks()
        self._even()

    def _all(self, bits):
        """A Boolean that is true exactly where all are."""
        every = self.model.new_bool_var("")
        self.model.add_bool_and(bits).only_enforce_if(every)
        self.model.add_bool_or([every, *(~bit for bit in bits)])
        return every

    def _same(self, one, other):
        """How many answers two runs share."""
        shared = []
        for g, place in self.items:
            shared.append(self.model.new_bool_var(""))
            for letter in LETTERS:
                a, b = (self.bit[key, g.group, place, letter] for key in (one, other))
                self.model.add_bool_or([~shared[-1], ~a, b])
                self.model.add_bool_or([shared[-1], ~a, ~b])
        return sum(shared)

    def _first(self):
        add, t = self.model.add, self.t
        original, stable = ((0, arm) for arm in ARMS)
        old = [self.right[original, g.group, place] for g, place in self.items]
        new = [self.right[stable, g.group, place] for g, place in self.items]
        both, first, second, neither = t.first
        add(sum(self._all([a, b]) for a, b in zip(old, new, strict=True)) == both)
        add(sum(old) == both + first)
        add(sum(new) == both + second)
        add(len(self.items) == both + first + second + neither)
        add(self._same(original, stable) == len(self.items) - t.first_changed)

    def _blocks(self):
        add, t = self.model.add, self.t
        nts = {}
        for arm in ARMS:
            keys = [(block, arm) for block in BLOCKS[1:]]
            for wanted, places in ((t.nts, (0, 1)), (t.dis, (0, 2)), (t.all_three, (0, 1, 2))):
                solved = {
                    (key[0], g.group): self._all([self.right[key, g.group, place] for place in places])
                    for key, g in product(keys, self.groups)
                }
                add(sum(solved.values()) == wanted[arm])
                if wanted is t.nts:
                    nts[arm] = solved
            by_block = [sum(self.right[key, g.group, place] for g, place in self.items) for key in keys]
            add(sum(by_block) == t.right[arm])
            for number in by_block:
                self.model.add_linear_constraint(number, t.right[arm] // 2 - 1, t.right[arm] // 2 + 1)
            add(self._same(*keys) == len(self.items) - t.changed[arm])
        old, new = (nts[arm] for arm in ARMS)
        kept = sum(self._all([old[key], new[key]]) for key in old)
        add(sum(new.values()) - kept == t.gained)
        add(sum(old.values()) - kept == t.lost)

    def _even(self):
        """Letters of each run within three of the gold ones, and each condition right at least three times and at most nine."""
        for key in self.keys:
            for letter in LETTERS:
                gold = sum(g.golds[place] == letter for g, place in self.items)
                used = sum(self.bit[key, g.group, place, letter] for g, place in self.items)
                self.model.add_linear_constraint(used, gold - 3, gold + 3)
            for place in range(3):
                number = sum(self.right[key, g.group, place] for g in self.groups)
                self.model.add_linear_constraint(number, len(self.groups) // 4, 3 * len(self.groups) // 4)

    def solve(self, seed):
        solver = deterministic(seed, LIMIT)
        if solver.solve(self.model) not in SOLVED:
            return None
        return {
            key: {
                (g.group, CONDITIONS["FQ2"][place]): letter
                for g, place in self.items
                for letter in LETTERS
                if solver.boolean_value(self.bit[key, g.group, place, letter])
            }
            for key in self.keys
        }
