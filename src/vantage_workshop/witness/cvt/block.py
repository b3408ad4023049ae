"""A block of fifteen cells: which scenes are realizable in which cell, what its means have to be, and the search for its answers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage import survival
from vantage.items import CVTItems
from vantage.realizability import satisfiable_fractions
from vantage_workshop.witness.cvt import search
from vantage_workshop.witness.cvt.beginning import Beginning, Chances, err, tear
from vantage_workshop.witness.cvt.material import Material, wrong_answers
from vantage_workshop.witness.cvt.printed import DOMAINS, REGIMES, SCENES, Number, Printed
from vantage_workshop.witness.cvt.sorts import prompts, spread

CELLS = 15

MEANS = {
    search.F1: "table-s10.f1",
    search.NSC: "table-s10.nsc",
    search.GAP: "results.counterfactual-gap",
    search.CYCLE: "results.cycle-consistency",
    search.BOTH: "supp-3.1.both-correct",
    search.SELF_90: "table-s6.self-90",
    search.SELF_180: "table-s6.self-180",
    search.SELF_270: "table-s6.self-270",
    search.SELF_360: "table-s6.self-360",
    search.SELF_C4: "table-s6.perfect-c4",
    search.CLOSED_F1: "table-s7.f1",
    search.CLOSED_EXACT: "table-s7.exact",
    search.CLOSED_C4: "table-s7.perfect-c4",
    search.DIAGONAL_EXACT: "table-s8.diagonal-exact",
    search.DIAGONAL_F1: "table-s8.diagonal-f1",
    search.QUARTER_EXACT: "table-s8.quarter-exact",
    search.QUARTER_F1: "table-s8.quarter-f1",
    search.HALF_EXACT: "table-s8.180-exact",
    search.HIDDEN: "supp-4.5.hidden-yaw-f1",
    search.STRICT_GAP: "supp-2.1.ambiguity-gain",
    search.NULL_NSC: "table-s9.null-nsc",
    search.REORDERED: "supp-4.4.reordering-change",
    search.REORDERED_ABS: "supp-4.4.reordering-change-absolute",
    search.ENDPOINT: "supp-3.6.endpoint-gain",
    search.BEST: "table-s10.maxsat",
}
"""The printed mean over the cells of a block that each statistic of the search has to meet: the id before domain and regime."""

OF_BLOCK = {
    search.CORRELATION: "correlation of constraint count with realizability",
    search.MATCHED_ERRORS: "drop at matched errors",
    search.MATCHED_BOTH: "drop at matched errors and constraints",
    search.CURVE: "greatest difference of the curve of fixed pairs",
    search.SPREAD: "scatter of F1's mean drop",
    search.BEST_SPREAD: "scatter of MaxSAT's mean drop",
}
"""What the statistics of a block beyond means of cells are."""

PARTS = ("2d-trackers", "3d-horizontal-component", "3d-vertical-component")
"""Rows of Table S5, in the order in which the search counts them."""

AUDITED = ("synthetic", "isolated")
AUDIT = {"aligned": search.ALIGNED_SHARE, "alternative": search.ALTERNATIVE_SHARE}
ENDS = ("minimum", "maximum")
"""Where the paper audits errors at quarter turns, which shares of them it takes, and that it prints the ends over the cells."""

RELAXED = {("synthetic", "isolated"): (search.CLOSED_EXACT,)}
"""Where printed means exclude each other, the one that is met only as nearly as the others allow (`vantage.conflicts`)."""

RELAXED_OF_BLOCK = {("indoor", "isolated"): (search.CURVE,)}
"""The same of statistics that are no means of cells. In CVT-Indoor's isolated cells F1 over all views (Table 1, the counterfactual gap)
and F1 of the fixed pairs (Table S5) are further apart than the two curves may be at any view (Supp. 3.1)."""

_RELAXATION = 12.0
_EXACTLY = 0.0002

WEIGHTS = (0.5, 0.58, 0.66, 0.72, 0.8)
"""Where in the unit interval the next kind of change begins (`search.search`)."""

REORDERINGS = 400


def balanced(isolated: Number, competing: Number, drop: Number) -> tuple[float, float]:
    """Two means as near to their printed values as their difference is to its own: printed values are rounded each by itself."""
    off = (drop.value - (isolated.value - competing.value)) / 3
    return isolated.value + off, competing.value - off


@dataclass
class Block:
    """The search for the answers of the fifteen cells of a domain and regime.

    `isolated` is the block whose outputs competing ones are matched with.
    """

    printed: Printed
    items: CVTItems
    material: Material
    regime: str
    targets: dict[str, NDArray[np.float64]]
    sort: NDArray[np.int64]
    seed: int
    isolated: "Block | None" = None

    def __post_init__(self):
        self.rng = np.random.default_rng(
            [self.seed, list(DOMAINS).index(self.items.domain), self.regime == "competing"]
        )
        self.domain = DOMAINS[self.items.domain]
        self.torn = search.torn_table()
        self.aims = self._aims()
        self._begin()

    def number(self, id: str):
        return self.printed(f"{id}.{self.domain}.{self.regime}")

    def _aims(self) -> search.Aims:
        cell = np.zeros((CELLS, search.STATISTICS, 2))
        cell[:, search.F1] = np.column_stack([self.targets["f1"], np.full(CELLS, 0.0002)])
        cell[:, search.NSC] = np.column_stack([self.targets["nsc"], np.full(CELLS, 0.0006)])
        mean = np.zeros((search.STATISTICS, 2))
        for place, id in MEANS.items():
            number = self.number(id)
            mean[place] = number.value, number.half
        for place, metric in ((search.F1, "f1"), (search.NSC, "nsc")):
            mean[place] = self.targets[metric].mean(), _EXACTLY
        mean[search.BEST] = self.maxsat_aim(), _EXACTLY
        for place in RELAXED.get((self.items.domain, self.regime), ()):
            mean[place, 1] *= _RELAXATION
        if self.items.domain == "indoor":
            for k, row in enumerate(PARTS):
                for metric, place in (("f1", search.PART_F1 + k), ("nsc", search.POPULATION_NSC + k)):
                    number = self.printed(f"table-s5.{row}.{metric}.{self.regime}")
                    mean[place] = number.value, number.half
        else:
            self._target_scenes(cell)
        block = np.zeros((search.BLOCK_STATISTICS, 2))
        for place, id in (
            (search.CORRELATION, "supp-4.3.constraint-correlation"),
            (search.CURVE, "supp-3.1.tracker-curve-difference"),
        ):
            number = self.number(id)
            block[place] = number.value, number.half
        for place in RELAXED_OF_BLOCK.get((self.items.domain, self.regime), ()):
            block[place, 1] *= _RELAXATION
        if self.isolated:
            for place, id in ((search.MATCHED_ERRORS, "error-matched-drop"), (search.MATCHED_BOTH, "matched-drop")):
                number = self.printed(f"supp-4.3.{id}.{self.domain}")
                block[place] = number.value, number.half
            for place, metric in ((search.SPREAD, "f1"), (search.BEST_SPREAD, "maxsat")):
                number = spread(self.printed, metric, self.items.domain)
                block[place] = number.value, number.half
        m = self.material
        views = m.views[0, : m.sizes[0]]
        shares = np.array([np.bincount(views[:, step], minlength=10) for step in range(10)]) / len(views)
        blank = (CELLS, 2, search.MOST_ERRORS)
        theirs = self.isolated.state if self.isolated else None
        return search.Aims(
            cell=cell,
            mean=mean,
            block=block,
            jitter=np.full((CELLS, 5), 0.02),
            endpoint=np.zeros(CELLS, dtype=np.int64),
            drops=np.tile([-2.0, 2.0], (CELLS, 10, 1)),
            gaps=np.tile([0.0, 10.0, 0.0], (CELLS, 1)),
            unit=np.array([search.FINEST]),
            audit=self._audit(),
            isolated=self.isolated.block_sums() if theirs else np.zeros((CELLS, 10, 2), dtype=np.int64),
            least_scatter=np.zeros((CELLS, 2)),
            cluster=prompts(self.printed) if theirs else np.full((CELLS, SCENES), -1),
            control=theirs.of_scene.copy() if theirs else np.zeros((CELLS, SCENES, 2), dtype=np.int64),
            control_best=self.isolated.maxsat() if theirs else np.zeros((CELLS, SCENES)),
            by_errors=theirs.by_errors.copy() if theirs else np.zeros(blank, dtype=np.int64),
            by_both=theirs.by_both.copy() if theirs else np.zeros((*blank, search.MOST_LABELS), dtype=np.int64),
            torn=self.torn,
            shares=shares,
        )

    def _target_scenes(self, cell: NDArray[np.float64]) -> None:
        """What Table S11 prints about the target scenes of two cells."""
        for row, of in (("gemini", ("gemini-3.1-pro", "image")), ("qwen-os", ("qwen-3.5-os", "image"))):
            c = self.printed.cells.index(of)
            for metric, place in (("f1", search.TARGET_F1), ("nsc", search.POPULATION_NSC)):
                number = self.printed(f"table-s11.{row}.{metric}.{self.regime}")
                cell[c, place] = number.value, number.half

    def _audit(self) -> NDArray[np.float64]:
        """Between what the shares of aligned and of alternative errors lie in all cells, where they are printed: (15, 2, 2)."""
        if (self.domain, self.regime) != AUDITED:
            return np.tile([-1.0, 2.0], (CELLS, 2, 1))
        ends = [[self.number(f"results.{kind}-errors-{end}").value for end in ENDS] for kind in AUDIT]
        return np.tile(ends, (CELLS, 1, 1))

    def _chances(self) -> Chances:
        def of(id: str) -> float:
            return self.number(id).value

        quarter, half = of("table-s8.quarter-exact"), of("table-s8.180-exact")
        source = (5 * of("table-s7.exact") - 2 * quarter - half) / 2
        four, one = of("table-s6.perfect-c4"), of("table-s6.self-90") + of("table-s6.self-270")
        return Chances(
            source=source,
            half=of("table-s6.self-180"),
            quarters=four + 0.01,
            one_quarter=(one - 2 * four) / 2,
            diagonal=of("table-s8.diagonal-exact"),
            top=min(source, 0.9),
            agree=of("results.cycle-consistency"),
            persistence=0.5,
        )

    def _begin(self) -> None:
        m, cells = self.material, []
        for c in range(CELLS):
            beginning = Beginning(self.items, m, self.sort[c], self._chances(), self.rng)
            answer, shown, _ = beginning.at(self.targets["f1"][c])
            tear(m, self.torn, answer, self.sort[c], self.rng)
            err(m, answer, shown, self.sort[c])
            cells.append((answer, shown))
        answers, shown = (np.array(part) for part in zip(*cells, strict=True))
        self.state = search.start(m, self.aims, answers, self.sort, shown)
        self.options, self.correct = self._options()

    def _options(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What may be proposed for a question that no layout binds, and for one that has to be right."""
        gold = self.items.gold
        up = gold & np.uint8(48)
        lists = [gold] * 5 + [self.items.admissible[:, 1]]
        for _ in range(3):
            wrong = wrong_answers(self.items, self.rng)
            lists += [wrong["omission"] | up, wrong["neighbour"] | up, wrong["inverse"] | up]
        lists += [wrong["unturned"] | up] * 2
        if up.any():
            other = ((up & 16) << 1 | (up & 32) >> 1).astype(np.uint8)
            flat = gold & np.uint8(15)
            lists += [
                flat,
                flat | other,
                wrong["inverse"] | other,
                wrong["omission"],
                wrong["neighbour"] | other,
                wrong["neighbour"],
            ]
            lists += [np.where(up, up, gold).astype(np.uint8)]
        return np.stack(lists, axis=1).astype(np.int64), self.items.admissible.astype(np.int64)

    def block_sums(self) -> NDArray[np.int64]:
        """2 TP and labels of each cell in each tenth of the scenes, (15, 10, 2)."""
        return self.state.sums[:, search._BLOCK : search._BLOCK + 10].copy()

    def block_f1(self) -> NDArray[np.float64]:
        """F1 of each cell in each tenth of the scenes, (15, 10)."""
        sums = self.block_sums()
        return sums[..., 0] / sums[..., 1]

    def maxsat_aim(self) -> float:
        """The mean of MaxSAT to aim at."""
        isolated, competing, drop = (
            self.printed(f"table-s10.maxsat.{self.domain}.{name}") for name in ("isolated", "competing", "drop")
        )
        return balanced(isolated, competing, drop)[REGIMES.index(self.regime)]

    def match_again(self) -> None:
        """Take over what the isolated block has become."""
        theirs = self.isolated.state
        self.aims.control[:] = theirs.of_scene
        self.aims.control_best[:] = self.isolated.maxsat()
        self.aims.isolated[:] = self.isolated.block_sums()
        self.aims.by_errors[:] = theirs.by_errors
        self.aims.by_both[:] = theirs.by_both
        search.pool(self.aims, self.state)

    def run(self, moves: int, start: float, unit: float) -> tuple[float, float]:
        self.aims.unit[0] = unit
        search.refresh(self.material, self.aims, self.state)
        before = search.objective(self.aims, self.state)
        found, kept = search.search(
            self.material,
            self.aims,
            self.state,
            self.options,
            self.correct,
            moves,
            int(self.rng.integers(2**31)),
            start,
            np.array(WEIGHTS),
        )
        return before, found

    def maxsat(self) -> NDArray[np.float64]:
        """Satisfiable share of each scene, (15, scenes)."""
        return np.array(
            [
                list(satisfiable_fractions(answer.astype(np.uint8), self.items.questions).values())
                for answer in self.state.answer
            ]
        )

    def measure(self) -> None:
        """Set what the search cannot keep up to date: how far its bound on MaxSAT is off, in the mean and in how its drop scatters; and by
        how much the lowest accuracy of reordered steps is below their mean."""
        satisfiable = self.maxsat()
        off = satisfiable.mean() - self.state.statistics[:, search.BEST].mean()
        self.aims.mean[search.BEST, 0] = self.maxsat_aim() - off
        if self.isolated:
            drop, where = self.aims.control_best - satisfiable, self.aims.cluster
            variance = sum(
                (np.bincount(where[c], weights=drop[c] - drop[c].mean()) ** 2).sum() / SCENES**2 for c in range(CELLS)
            )
            by_bound = (self.state.statistics[:, search.BEST_SCATTER] ** 2).sum()
            printed = spread(self.printed, "maxsat", self.items.domain)
            self.aims.block[search.BEST_SPREAD, 0] = printed.value * np.sqrt(by_bound / variance)
        views = self.material.views[0, : self.material.sizes[0]]
        for c in range(CELLS):
            right = self.state.ok[c, 0, : len(views)].astype(np.int8)
            shuffled = self.rng.permuted(np.broadcast_to(right, (REORDERINGS, *right.shape)), axis=2)
            lowest = np.minimum.accumulate(shuffled.mean(axis=1), axis=1).mean(axis=0)
            self.aims.jitter[c] = right.mean() - lowest[[k - 1 for k in survival.PREFIXES]]

    def missed(self) -> list[str]:
        """Printed means and other statistics of the block that are not met, one line each: printed, found."""
        search.refresh(self.material, self.aims, self.state)
        means = self.state.totals / CELLS
        means[search.BEST] = self.maxsat().mean()
        lines = []
        for place, id in MEANS.items():
            number = self.number(id)
            if abs(means[place] - number.value) >= number.half:
                lines.append(f"{number.id}: printed {number.value:.4f}, found {means[place]:.4f}")
        for k, row in enumerate(PARTS if self.items.domain == "indoor" else ()):
            for metric, place in (("f1", search.PART_F1 + k), ("nsc", search.POPULATION_NSC + k)):
                number = self.printed(f"table-s5.{row}.{metric}.{self.regime}")
                if abs(means[place] - number.value) >= number.half:
                    lines.append(f"{number.id}: printed {number.value:.4f}, found {means[place]:.4f}")
        found = np.zeros(search.BLOCK_STATISTICS)
        search.block_statistics(self.aims, self.state, found)
        for place, (value, half) in enumerate(self.aims.block):
            if half and abs(found[place] - value) >= half:
                lines.append(
                    f"{self.domain} {self.regime}, {OF_BLOCK[place]}: aimed at {value:.4f}, found {found[place]:.4f}"
                )
        return lines
