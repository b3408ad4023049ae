"""Which groups a configuration solves, as Booleans of a model, beside strata that may be unknown themselves.

Joint successes are all that Tables 3, 16 to 19 and 21 and Appendices F.1 and G.1 count by stratum, so this small model is
enough to choose strata, and to choose what an adapter and its base solve.
"""

from dataclasses import dataclass

from ortools.sat.python import cp_model

from vantage.errors import InputError
from vantage_workshop.witness import composition
from vantage_workshop.witness.pairs import CAPTURED_AHEAD, Adapted
from vantage_workshop.witness.targets import Targets


class Groups:
    """Some test groups of one family, with a model. Strata named in `columns` are unknown, with the number of groups of
    each value; the others are as in the rows."""

    def __init__(
        self,
        rows: list[dict[str, str]],
        columns: dict[str, dict[str, int]] | None = None,
        model: cp_model.CpModel | None = None,
    ):
        """Unknown strata go into `model`, by default a new one."""
        self.model, self.rows, self.columns = model or cp_model.CpModel(), rows, columns or {}
        self.value = {}
        for column, sizes in self.columns.items():
            for i in range(len(rows)):
                for value in sizes:
                    self.value[column, value, i] = self.model.new_bool_var("")
                self.model.add_exactly_one(self.value[column, value, i] for value in sizes)
            for value, number in sizes.items():
                self.model.add(sum(self.value[column, value, i] for i in range(len(rows))) == number)

    def chosen(self, number: int) -> list:
        """Unknown groups, so many of them: a Boolean a group."""
        bits = [self.model.new_bool_var("") for _ in self.rows]
        self.model.add(sum(bits) == number)
        return bits

    def both(self, one, other):
        """A Boolean that is true exactly where two are."""
        both = self.model.new_bool_var("")
        self.model.add_implication(both, one)
        self.model.add_implication(both, other)
        self.model.add_bool_or([~one, ~other, both])
        return both

    def inside(self, bits: list, column: str, value: str):
        """How many of the chosen groups have a value: an expression of the model."""
        if column in self.columns:
            return sum(self.both(bit, self.value[column, value, i]) for i, bit in enumerate(bits))
        return sum(bit for bit, row in zip(bits, self.rows, strict=True) if self.known(row, column) == value)

    @staticmethod
    def known(row: dict[str, str], column: str) -> str:
        """A stratum of a row; `overlap` follows from the scene."""
        return composition.overlap(row["scene"]) if column == "overlap" else row[column]

    def solved(self, targets: Targets, metric: str, number: int) -> list:
        """The groups that a configuration solves, with the printed counts of each stratum; empty where it solves none."""
        if not number:
            return []
        bits = self.chosen(number)
        ordinal = {"ordinal_change": targets.ordinal} if metric == "NTS" and targets.ordinal else {}
        for column, cells in (targets.by[metric] | ordinal).items():
            for value, inside in cells.items():
                self.model.add(self.inside(bits, column, value) == inside)
        return bits

    def solve(self, seed: int, limit: float) -> cp_model.CpSolver:
        """A solution, the same for a seed. Raises `InputError` where there is none."""
        solver = cp_model.CpSolver()
        solver.parameters.random_seed = seed
        solver.parameters.num_workers = 1
        solver.parameters.max_deterministic_time = limit
        status = solver.solve(self.model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise InputError(
                f"found no groups that fit the printed joint scores ({solver.status_name(status)}); check the scores"
            )
        return solver

    def fill(self, solver: cp_model.CpSolver) -> None:
        """Write the values of a solution into the rows."""
        for (column, value, i), bit in self.value.items():
            if solver.boolean_value(bit):
                self.rows[i][column] = str(value)


@dataclass
class Evidence:
    """What one configuration answers correctly in FQ2, as Booleans by group. The MSS is there where it is needed."""

    nts: list
    dis: list
    mss: list | None = None


def evidence(groups: Groups, configured: dict[str, Targets]) -> dict[str, Evidence]:
    """Add the joint successes of some configurations with everything printed about each by stratum.

    The frozen file depends on the order in which a model is put together, here and below.
    """
    nts = {name: groups.solved(t, "NTS", t.nts) for name, t in configured.items()}
    found = {name: Evidence(nts[name], groups.solved(t, "DIS", t.dis)) for name, t in configured.items()}
    for name, t in configured.items():
        here = found[name]
        if here.nts:
            # Both joint successes need the MSS answer.
            shared = [groups.both(one, other) for one, other in zip(here.nts, here.dis, strict=True)]
            groups.model.add(sum(shared) >= t.nts + t.dis - t.failures["m"])
        # Appendix G.1: rates of 27 rendered and 21 captured groups.
        ahead = 7 * groups.inside(here.dis, "source", "rendered") - 9 * groups.inside(here.dis, "source", "captured")
        groups.model.add(ahead <= -1 if name in CAPTURED_AHEAD else ahead >= 1)
    return found


def _add_mss(groups, here, number):
    if here.mss is None:
        here.mss = groups.chosen(number)
        for joint in (here.nts, here.dis):
            for bit, mss in zip(joint, here.mss, strict=True):
                groups.model.add_implication(bit, mss)


def add_adapted(
    groups: Groups, base: Evidence, lora: Evidence, targets: tuple[Targets, Targets], facts: Adapted
) -> None:
    """Add what the paper says about an adapter and its base: Table 21, and Appendix F.1 on scenes that training lacks."""
    for t, here in zip(targets, (base, lora), strict=True):
        _add_mss(groups, here, t.failures["m"])

    def common(one, other):
        return [groups.both(a, b) for a, b in zip(one, other, strict=True)]

    model = groups.model
    shared = common(base.mss, lora.mss)
    model.add(sum(shared) == facts.partition[0])
    for old, new, (before, after) in ((base.nts, lora.nts, facts.common_nts), (base.dis, lora.dis, facts.common_dis)):
        old, new = common(old, shared), common(new, shared)
        model.add(sum(old) == before)
        model.add(sum(new) == after)
        # Changes on the common groups go one way.
        model.add(sum(common(old, new)) == min(before, after))
    for metric, counts in facts.alone.items():
        for t, here in zip(targets, (base, lora), strict=True):
            if t.name in counts:
                bits = here.nts if metric == "NTS" else here.dis
                model.add(groups.inside(bits, "overlap", "alone") == counts[t.name])
    if facts.all_dis_alone_lost:
        for old, new, row in zip(base.dis, lora.dis, groups.rows, strict=True):
            if groups.known(row, "overlap") == "alone":
                model.add_bool_or([~old, ~new])
