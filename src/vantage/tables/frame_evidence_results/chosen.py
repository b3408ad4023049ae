"""Which run a printed row is about, and what all tables of results take from a run."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from statistics import stdev

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage.bootstrap import mean_sums, ratio_intervals
from vantage.letters import correct
from vantage.predictions import TripletRun
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import primary_configurations
from vantage.triplets import Triplets

ADAPTED = ("Qwen2.5-VL-7B", "InternVL3-8B")
"""The models with a Base and a LoRA checkpoint."""

REPEATED = ("GPT-5.6", "0-shot")
"""The configuration whose requests were repeated, rotated and reworded."""

Values = dict[tuple[str, str], float | Fraction]


def pick(
    runs: Iterable[TripletRun],
    model: str,
    setting: str | None,
    experiment: str = "main",
    input_mode: str = "all_images",
    **configuration: object,
) -> TripletRun | None:
    """The run of this configuration, or none. A setting of None takes any; `configuration` has rotation, seed, block or arm.

    >>> from vantage.predictions import load
    >>> pick(load("reference_wavering").runs, "Wavering", None, "circular", rotation=2).run
    'circular-rotation-2'
    """
    wanted = {"model": model, "experiment": experiment, "input_mode": input_mode, **configuration}
    wanted |= {} if setting is None else {"setting": setting}
    for run in runs:
        if all(getattr(run, name) == value for name, value in wanted.items()):
            return run
    return None


def primary(runs: Sequence[TripletRun], input_mode: str = "all_images") -> dict[str, TripletRun]:
    """The runs of the primary configurations by the name that `data/published` gives them, as far as they are there."""
    experiment = "main" if input_mode == "all_images" else "input_control"
    found = {name: pick(runs, *name.split(" / "), experiment, input_mode) for name in primary_configurations()}
    return {name: run for name, run in found.items() if run is not None}


def all_primary(runs: Sequence[TripletRun]) -> dict[str, TripletRun]:
    """The runs of all primary configurations; none unless every one is there, as statements about all of them need."""
    found = primary(runs)
    return found if len(found) == len(primary_configurations()) else {}


def open_weight(name: str) -> bool:
    """Whether a configuration is an open-weight one: gateway aliases are named by their number of shots."""
    return name.split(" / ")[1] in ("Base", "LoRA")


def seeds(runs: Sequence[TripletRun], model: str, experiment: str, **configuration: object) -> dict[str, TripletRun]:
    """The matched base and the adapters of the three-seed experiment, by printed name; the base only where it is there."""
    mine = [run for run in runs if run.model == model and run.experiment == experiment]
    mine = [run for run in mine if all(getattr(run, name) == value for name, value in configuration.items())]
    base = {f"{model} / Base control": run for run in mine if run.setting == "Base control"}
    adapters = sorted((run for run in mine if run.setting == "LoRA"), key=lambda run: run.seed)
    return base | {f"{model} / LoRA {run.seed}": run for run in adapters}


def over_seeds(values: Mapping[str, Mapping[str, float | Fraction]], model: str) -> Values:
    """Mean and sample deviation over a model's three adapters of each column: the rows `LoRA mean`, columns `x` and `x / SD`."""
    adapters = [columns for name, columns in values.items() if name.startswith(f"{model} / LoRA ")]
    if len(adapters) != 3:
        return {}
    row = f"{model} / LoRA mean"
    found: Values = {}
    for column in adapters[0]:
        each = [columns[column] for columns in adapters]
        found[row, column] = sum(each) / len(each)
        found[row, f"{column} / SD"] = stdev(map(float, each))
    return found


def same(values: Iterable[float]) -> float:
    """The one value that all share, for statements about several; not a number where they differ."""
    values = set(values)
    return values.pop() if len(values) == 1 else float("nan")


def percent(flags: NDArray) -> Fraction:
    """The mean of flags, or of differences of flags, in percent or points; exact."""
    return Fraction(100 * int(np.sum(flags)), np.size(flags))


def right(run: TripletRun, triplets: Triplets) -> NDArray[np.bool_]:
    """Which answers to the test questions are right, (questions,)."""
    rows = run_tables.asked_rows(run, triplets)
    return correct(run.answers[rows], triplets.gold[rows])


def answers(run: TripletRun, triplets: Triplets) -> NDArray[np.int8]:
    """The answers to the test questions in letters of the original order, (questions,)."""
    return run.answers[run_tables.asked_rows(run, triplets)]


@cache
def test_groups(triplets: Triplets, family: str) -> pd.DataFrame:
    """The test groups of a family in the order of every array, with their strata and clusters."""
    groups = triplets.groups
    return groups[(groups["split"] == "test") & (groups["family"] == family)]


def intervals(values: Mapping[str, tuple[NDArray, Sequence]], seed: int, draws: int) -> dict[str, tuple[float, float]]:
    """The ends of 95 % intervals of means, percent or points, that resample whole clusters on shared draws.

    `values` has for each name values and the cluster of each.
    """
    order = pd.Index(pd.unique(np.concatenate([np.asarray(labels, dtype=object) for _, labels in values.values()])))
    sums = [mean_sums(numbers, order.get_indexer(labels), len(order)) for numbers, labels in values.values()]
    found = ratio_intervals(np.stack(sums, axis=1), seed, draws)
    ends = zip(found.low.tolist(), found.high.tolist(), strict=True)
    return {name: (100 * low, 100 * high) for name, (low, high) in zip(values, ends, strict=True)}


def tidy(values: Mapping[tuple[str, str], float | Fraction]) -> pd.DataFrame:
    """Values by row and column as a frame. Exact fractions become the nearest floats, of which halves still print as halves."""
    rows = [(row, column, float(value)) for (row, column), value in values.items()]
    return pd.DataFrame(rows, columns=["row", "column", "value"])
