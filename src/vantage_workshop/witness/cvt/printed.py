"""What CVT-Bench prints about its 60 cells: values by id, and one unrounded target for each cell.

Table 1 is rounded, and so are its means, drops and differences. `cell_targets` draws an unrounded F1 and NSC for each cell such that
all of them round as printed, as far from the edges of their rounding intervals as possible: a linear program.
"""

import csv
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from vantage import files
from vantage.errors import InputError

MODELS = {
    "gemini-3.1-pro": "Gemini 3.1 Pro",
    "gpt-5.2": "GPT-5.2",
    "kimi-k2.5": "Kimi K2.5",
    "qwen-3.5-os": "Qwen 3.5 OS",
    "qwen-3.5-plus": "Qwen 3.5 Plus",
}
"""The printed rows by the name that ids give them."""

REPRESENTATIONS = {"image": "image", "text-bbox": "text_bbox", "scene-graph": "scene_graph"}
"""The representations by the name that ids give them."""

DOMAINS = {"synthetic": "synthetic", "indoor": "real"}
"""The domain whose printed numbers each of our item sets answers for."""

REGIMES = ("isolated", "competing")
SMALLER_LOAD = "gpt-5.2"
"""The row whose competing prompts have ten scenes (Supp. 1.4)."""

SCENES = 100


def default_path() -> Path:
    """Where the transcribed numbers are."""
    return files.root() / "data" / "published" / "cvt.csv"


@dataclass(frozen=True)
class Number:
    """A printed number as a fraction (of 1, where it is printed in percent or in points), and half a unit of its last digit."""

    id: str
    value: float
    half: float


class Printed:
    """The printed numbers by id; `used` collects the ids that were asked for, which are the targets of the witness."""

    def __init__(self, path: Path | None = None):
        self.path = path or default_path()
        with open(files.reading(self.path), encoding="utf-8", newline="") as stream:
            self._rows = {row["id"]: row for row in csv.DictReader(stream)}
        self.used: dict[str, None] = {}

    def __call__(self, id: str, target: bool = True) -> Number:
        """The number with an id. Raises `InputError` where there is none."""
        name = f"cvt.{id}"
        if name not in self._rows:
            raise InputError(f"{files.shown(self.path)}: expected a row {name}, found none")
        row = self._rows[name]
        if target:
            self.used[name] = None
        scale = 100 if row["unit"] in ("percent", "pp") else 1
        return Number(name, float(row["value"]) / scale, 0.5 * 10.0 ** -int(row["decimals"]) / scale)

    @property
    def targets(self) -> list[str]:
        """The ids that were targets, in the order of the transcription."""
        return [name for name in self._rows if name in self.used]

    @cached_property
    def cells(self) -> list[tuple[str, str]]:
        """Model and representation of the fifteen cells of each block, as ids name them, in the order of Table 1."""
        return [(model, representation) for model in MODELS for representation in REPRESENTATIONS]

    def table_1(self, metric: str, domain: str, regime: str) -> list[Number]:
        """F1 (f1), NSC (nsc) or realizability of the fifteen cells of a block; `domain` is one of ours."""
        return [
            self(f"table-1.{model}.{DOMAINS[domain]}.{representation}.{metric}.{regime}")
            for model, representation in self.cells
        ]

    def realizable_scenes(self, domain: str, regime: str) -> NDArray[np.int64]:
        """How many scenes of each cell are realizable, (15,)."""
        return np.array([round(SCENES * number.value) for number in self.table_1("realizability", domain, regime)])


_PLACE_OF_METRIC = {"f1": ("f1",), "nsc": ("nsc",)}


def cell_targets(printed: Printed) -> dict[str, dict[tuple[str, str], NDArray[np.float64]]]:
    """Unrounded F1 and NSC of the cells, by metric and by (domain, regime), each (15,).

    Raises `InputError` where the printed numbers cannot hold together.
    """
    return {metric: _solve(printed, metric) for metric in _PLACE_OF_METRIC}


def _solve(printed: Printed, metric: str) -> dict[tuple[str, str], NDArray[np.float64]]:
    blocks = [(domain, regime) for domain in DOMAINS for regime in REGIMES]
    at = {(*block, *cell): k for k, (block, cell) in enumerate((b, c) for b in blocks for c in printed.cells)}
    rows: list[tuple[NDArray, Number]] = []

    def add(weights: dict[int, float], number: Number) -> None:
        row = np.zeros(len(at))
        for place, weight in weights.items():
            row[place] += weight
        rows.append((row, number))

    def mean(domain: str, regime: str, keep=lambda model, representation: True, sign: float = 1.0) -> dict[int, float]:
        chosen = [at[domain, regime, *cell] for cell in printed.cells if keep(*cell)]
        return {place: sign / len(chosen) for place in chosen}

    for block in blocks:
        for cell, number in zip(printed.cells, printed.table_1(metric, *block), strict=True):
            add({at[*block, *cell]: 1.0}, number)
        domain, regime = DOMAINS[block[0]], block[1]
        add(mean(*block), printed(f"results.{metric}.{domain}.{regime}"))
        add(mean(*block), printed(f"table-s10.{metric}.{domain}.{regime}"))
        if metric == "nsc":
            add(mean(*block), printed(f"table-s9.observed-nsc.{domain}.{regime}"))
    for ours, domain in DOMAINS.items():
        for id, keep in (
            (f"table-s4.{metric}.{domain}.all-model-drop", lambda model, _: True),
            (f"table-s10.{metric}.{domain}.drop", lambda model, _: True),
            (f"table-s4.{metric}.{domain}.c20-only-drop", lambda model, _: model != SMALLER_LOAD),
            (f"supp-3.2.{metric}-drop-gpt-5.2.{domain}", lambda model, _: model == SMALLER_LOAD),
        ):
            add(mean(ours, "isolated", keep) | mean(ours, "competing", keep, -1.0), printed(id))
    rounded = np.concatenate([[number.value for number in printed.table_1(metric, *block)] for block in blocks])
    gains = []
    for block in blocks:
        of = {name: mean(*block, lambda _, r, name=name: r == name) for name in ("text-bbox", "image")}
        row = np.zeros(len(at))
        row[list(of["text-bbox"])] += list(of["text-bbox"].values())
        row[list(of["image"])] -= list(of["image"].values())
        gains.append(row)
    order = np.argsort([row @ rounded for row in gains], kind="stable")
    for place, end in ((order[0], "minimum"), (order[-1], "maximum")):
        for section in ("results", "supp-3.1"):
            rows.append((gains[place], printed(f"{section}.text-bbox-gain-{metric}-{end}")))
    matrix = np.array([row for row, _ in rows])
    value, half = (np.array([getattr(number, name) for _, number in rows]) for name in ("value", "half"))
    # The last variable is the share of its half unit that every number keeps from its edge.
    edges = np.vstack([np.column_stack([matrix, half]), np.column_stack([-matrix, half])])
    found = linprog(
        np.append(np.zeros(len(at)), -1.0),
        A_ub=edges,
        b_ub=np.concatenate([value + half, half - value]),
        bounds=[(None, None)] * len(at) + [(0.0, 1.0)],
        method="highs",
    )
    if not found.success:
        raise InputError(
            f"{files.shown(printed.path)}: expected printed means of {metric} that hold together with Table 1, found none"
        )
    return {block: found.x[15 * k : 15 * k + 15] for k, block in enumerate(blocks)} | {"slack": found.x[-1]}
