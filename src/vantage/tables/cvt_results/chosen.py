"""Which run each printed cell is about, and what all tables of results take from the runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import scoring, survival
from vantage.items import CVTItems, load_cvt, tracked_rows, trajectories, viewpoint_numbers
from vantage.predictions import AttributeRun, CVTRun
from vantage.published import load_published
from vantage.realizability import satisfiable_fractions
from vantage.tables.coherence import scene_outputs
from vantage.tables.cvt import COLUMNS, VERTICAL
from vantage.tables.interference import gap_table

SEED = 20261130
"""Seed of everything that is drawn here; the paper prints none."""

DOMAINS = {domain: COLUMNS[domain] for domain in ("synthetic", "indoor")}
"""The printed column that each of our domains answers for: CVT-Indoor stands in for CVT-Real."""

REGIMES = {
    "isolated": "CVT-Isolated",
    "competing": "CVT-Competing",
    "irrelevant_filler": "Irrelevant filler",
    "attribute_filler": "Attribute filler",
}
REPRESENTATIONS = {"image": "Image", "text_bbox": "Text/BBox", "scene_graph": "Scene Graph"}
"""How the paper calls what files name."""

BLOCKS = [(domain, regime) for domain in DOMAINS for regime in ("isolated", "competing")]
"""The four blocks of cells of Table 1."""

Values = dict[tuple[str, str], float]


class Cell(NamedTuple):
    """A cell of Table 1, in the words of files."""

    domain: str
    regime: str
    model: str
    representation: str

    @classmethod
    def of(cls, run: CVTRun) -> "Cell":
        """The cell that a run is of."""
        return cls(run.domain, run.regime, run.model, run.representation)


def printed_cells() -> list[Cell]:
    """The 60 cells that Table 1 prints, in its order.

    >>> len(printed_cells()), printed_cells()[0]
    (60, Cell(domain='synthetic', regime='isolated', model='Gemini 3.1 Pro', representation='image'))
    """
    file_name = {printed: name for names in (DOMAINS, REGIMES, REPRESENTATIONS) for name, printed in names.items()}
    numbers = load_published("cvt").query("place == 'Table 1' and kind == 'prediction'")
    cells = []
    for row, column in zip(numbers["row"], numbers["column"], strict=True):
        model, domain, representation = row.split(" / ")
        regime = column.split(" / ")[1]
        cells.append(Cell(file_name[domain], file_name[regime], model, file_name[representation]))
    return list(dict.fromkeys(cells))


def column(domain: str, regime: str) -> str:
    """The column that a domain and regime have in running text and in most tables.

    >>> column("indoor", "competing")
    'CVT-Real / CVT-Competing'
    """
    return f"{DOMAINS[domain]} / {REGIMES[regime]}"


def turned_pairs(items: CVTItems) -> NDArray[np.intp]:
    """Rows (pairs, 10) of the fixed pairs that Table S8 is about: the vertical-enriched ones, or all where there are none."""
    rows = tracked_rows(items.questions)
    vertical = items.questions["kind"].to_numpy()[rows[:, 0]] == VERTICAL
    return rows[vertical] if vertical.any() else rows


@dataclass(frozen=True, eq=False)
class Answers:
    """The runs that tables are computed from, with the items of each domain; what is expensive is computed once.

    `runs` may have any runs: a cell is the one of its model, domain, regime and representation. `attribute_runs` has the answers to
    attribute questions.
    """

    runs: Sequence[CVTRun]
    items: Mapping[str, CVTItems]
    attribute_runs: Sequence[AttributeRun] = ()

    @classmethod
    def of(cls, runs: Sequence[CVTRun], attribute_runs: Sequence[AttributeRun] = ()) -> "Answers":
        """The runs with the items of the domains that they answer."""
        domains = [domain for domain in DOMAINS if any(run.domain == domain for run in runs)]
        return cls(runs, {domain: load_cvt(domain) for domain in domains}, attribute_runs)

    @cached_property
    def cells(self) -> dict[Cell, CVTRun]:
        """The runs of the 60 printed cells, as far as they are there, in the order of Table 1."""
        found = {Cell.of(run): run for run in self.runs}
        return {cell: found[cell] for cell in printed_cells() if cell in found and cell.domain in self.items}

    def block(self, domain: str, regime: str) -> dict[Cell, CVTRun]:
        """The cells of a domain and regime; none unless all fifteen are there, as means are over all."""
        found = {cell: run for cell, run in self.cells.items() if (cell.domain, cell.regime) == (domain, regime)}
        printed = sum((cell.domain, cell.regime) == (domain, regime) for cell in printed_cells())
        return found if len(found) == printed else {}

    @cached_property
    def _encounters(self) -> dict[str, tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """For each domain the rows of the fixed pairs in encounter order, and the viewpoint of each."""
        rows = {domain: trajectories(items.questions) for domain, items in self.items.items()}
        return {
            domain: (rows[domain], viewpoint_numbers(items.questions)[rows[domain]])
            for domain, items in self.items.items()
        }

    def curves(self, run: CVTRun) -> survival.Survival:
        """The survival curves of a run over all fixed pairs of its domain."""
        rows, views = self._encounters[run.domain]
        return survival.survival_curves(scoring.exact(run.answers, self.items[run.domain].admissible)[rows], views)

    def f1(self, run: CVTRun) -> float:
        """Global F1 of a run, ambiguity-aware, a fraction."""
        return scoring.micro_f1(run.answers, self.items[run.domain].admissible)

    def nsc(self, run: CVTRun) -> float:
        """NSC of a run over all fixed pairs of its domain."""
        return float(survival.nsc(self.curves(run)))

    @cached_property
    def turned_pairs(self) -> dict[str, NDArray[np.intp]]:
        """For each domain the rows of `turned_pairs`."""
        return {domain: turned_pairs(items) for domain, items in self.items.items()}

    @cached_property
    def metrics(self) -> dict[str, dict[Cell, float]]:
        """F1, NSC and Realizability of each cell there is, as fractions."""
        realizable = self.outputs.groupby(["domain", "title"])["realizable"].mean() if self.cells else {}
        return {
            "F1": {cell: self.f1(run) for cell, run in self.cells.items()},
            "NSC": {cell: self.nsc(run) for cell, run in self.cells.items()},
            "Realizability": {cell: float(realizable[cell.domain, run.title]) for cell, run in self.cells.items()},
        }

    @cached_property
    def outputs(self) -> pd.DataFrame:
        """`vantage.tables.coherence.scene_outputs` of all cells with the domain of each, without MaxSAT."""
        return self._scene_outputs({})

    @cached_property
    def graded_outputs(self) -> pd.DataFrame:
        """The same with MaxSAT, which takes much longer."""
        fractions = {}
        for run in self.cells.values():
            found = satisfiable_fractions(run.answers, self.items[run.domain].questions)
            fractions[run.run] = np.array([found[scene["scene"]] for scene in self.items[run.domain].scenes])
        return self._scene_outputs(fractions)

    def _scene_outputs(self, fractions: Mapping[str, NDArray[np.float64]]) -> pd.DataFrame:
        parts = []
        for domain, items in self.items.items():
            runs = [run for cell, run in self.cells.items() if cell.domain == domain]
            if runs:
                graded = [fractions[run.run] for run in runs] if fractions else None
                parts.append(scene_outputs(runs, items, graded).assign(domain=domain))
        return pd.concat(parts, ignore_index=True)

    def outputs_of(self, domain: str, regime: str, graded: bool = False) -> pd.DataFrame:
        """The scene outputs of a domain and regime; none unless all fifteen cells are there."""
        if not self.block(domain, regime):
            return pd.DataFrame()
        outputs = self.graded_outputs if graded else self.outputs
        return outputs[(outputs["domain"] == domain) & (outputs["regime"] == regime)]

    @cached_property
    def drops(self) -> dict[str, pd.DataFrame]:
        """For each domain with all cells `vantage.tables.interference.gap_table` from isolated to competing, with MaxSAT."""
        found = {}
        for domain, items in self.items.items():
            both = [self.block(domain, regime) for regime in ("isolated", "competing")]
            if all(both):
                runs = [run for block in both for run in block.values()]
                outputs = self.graded_outputs
                found[domain] = gap_table(runs, items, SEED, outputs=outputs[outputs["domain"] == domain])
        return found


def over_cells(answers: Answers, statistic: Callable[[CVTRun, CVTItems], float], blocks: Sequence = BLOCKS) -> Values:
    """A statistic of every cell: values by the column of its domain and regime, and cell.

    Only blocks that have all fifteen cells.
    """
    return {
        (column(domain, regime), cell): statistic(run, answers.items[domain])
        for domain, regime in blocks
        for cell, run in answers.block(domain, regime).items()
    }


def by_block(values: Mapping[tuple[str, Cell], float]) -> dict[str, list[float]]:
    """The values of `over_cells` by column, in the order of cells."""
    found: dict[str, list[float]] = {}
    for (name, _), value in values.items():
        found.setdefault(name, []).append(value)
    return found


def means(answers: Answers, row: str, statistic: Callable[[CVTRun, CVTItems], float], scale: float = 1) -> Values:
    """A row of means over the fifteen cells of each domain and regime, times `scale`: 100 for percent."""
    found = by_block(over_cells(answers, statistic))
    return {(row, name): scale * fmean(values) for name, values in found.items()}


def paired_cells(answers: Answers, domain: str) -> list[tuple[Cell, CVTRun, CVTRun]]:
    """The isolated cells of a domain, each with its run and its competing run; none unless all thirty are there."""
    competing = answers.block(domain, "competing")
    isolated = answers.block(domain, "isolated") if competing else {}
    return [(cell, run, competing[cell._replace(regime="competing")]) for cell, run in isolated.items()]


def tidy(values: Mapping[tuple[str, str], float]) -> pd.DataFrame:
    """Values by row and column as a frame."""
    return pd.DataFrame(
        [(row, name, float(value)) for (row, name), value in values.items()], columns=["row", "column", "value"]
    )


def same(values: Sequence[float]) -> float:
    """The one value that all share, for statements about several; not a number where they differ."""
    return float(values[0]) if len(set(values)) == 1 else float("nan")
