"""Resampling whole clusters: questions of one scene, prompt or group are not independent (CVT-Bench, Supp. 4.2; FrameEvidence, D.6).

Every statistic here is a function of sums over clusters. The sums of each cluster are taken once, (clusters, ...), and
a draw only says how often each cluster counts: all draws are one matrix product, with no loop over draws or items, and
exact. `vantage.scoring.f1_sums` and `vantage.survival.survival_sums` give such sums.

    >>> sums = np.array([[2.0, 4.0], [3.0, 4.0], [4.0, 4.0]])
    >>> interval(resample(sums, ratio, seed=1)).tolist()
    [0.5, 1.0]
"""

import warnings
from collections.abc import Callable, Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.errors import InputError

DRAWS = 5000
"""Draws of CVT-Bench's intervals (Supp. 4.2); FrameEvidence names its draws table by table."""

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Turns sums (..., columns) into values (...)."""

# Numbers that one step of resampling holds: few enough to stay in a processor's cache, which is ten times faster.
_AT_A_TIME = 20_000


class Gap(NamedTuple):
    """A paired difference: its value, the ends of its interval, and the difference in each draw, (draws,)."""

    value: float
    low: float
    high: float
    draws: NDArray[np.float64]


class Intervals(NamedTuple):
    """Several statistics on shared draws: values and ends of their intervals, (statistics,), and draws (draws, statistics)."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    draws: NDArray[np.float64]


def ratio(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first column over the second: micro F1, or a mean; not a number where the second is 0."""
    with np.errstate(invalid="ignore"):
        return sums[..., 0] / sums[..., 1]


def mean_sums(values: NDArray, clusters: NDArray[np.intp], count: int = 0) -> NDArray[np.float64]:
    """Sums of which `ratio` is the mean of `values`, (clusters, 2); `clusters` numbers the cluster of each value from 0.

    With `count` there are at least so many clusters, the last ones perhaps without a value: statistics of different
    items, such as FQ1 groups, FQ2 groups and questions, get the same clusters and can be stacked to share draws.
    """
    weighed = np.bincount(clusters, weights=values, minlength=count)
    return np.column_stack([weighed, np.bincount(clusters, minlength=count)]).astype(float)


def resample(
    sums: NDArray[np.float64], statistic: Statistic, seed: int | Sequence[int], draws: int = DRAWS
) -> NDArray[np.float64]:
    """The statistic in each bootstrap draw, (draws, ...), from sums of each cluster, (clusters, ..., columns).

    Clusters are drawn with replacement by NumPy's PCG64 with `seed`; whatever stands in `sums` side by side is on the
    same draws, hence paired. Not a number with fewer than two clusters: one cluster says nothing about how clusters
    vary.
    """
    clusters = len(sums)
    if clusters < 2:
        return np.full((draws, *np.shape(statistic(sums.sum(axis=0)))), np.nan)
    times_drawn = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), size=draws)
    repeats = slice(None)
    if comb(2 * clusters - 1, clusters) < draws:  # five clusters can be drawn in 126 ways only
        code = times_drawn @ (clusters + 1) ** np.arange(clusters)
        _, first, repeats = np.unique(code, return_index=True, return_inverse=True)
        times_drawn = times_drawn[first]
    parts = np.array_split(times_drawn.astype(float), -(-len(times_drawn) * sums[0].size // _AT_A_TIME))
    return np.concatenate([statistic(np.tensordot(part, sums, axes=1)) for part in parts])[repeats]


def interval(values: NDArray[np.float64], level: float = 0.95) -> NDArray[np.float64]:
    """The percentile interval over draws, (2, ...): lower ends, then upper ends.

    `values` (draws, ...) are as `resample` gives them. Draws in which a statistic is not a number are left out; without
    any other the interval is not a number.
    """
    tail = (1 - level) / 2
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # NumPy warns of an undefined statistic
        return np.nanquantile(values, [tail, 1 - tail], axis=0)


def paired_gap(
    control: NDArray[np.float64],
    competing: NDArray[np.float64],
    statistic: Statistic,
    seed: int | Sequence[int],
    draws: int = DRAWS,
) -> Gap:
    """A statistic of the control minus that of the competing regime, with its 95 % interval.

    Both have the sums (clusters, columns) of the *same* clusters: a competing prompt, and the isolated blocks of the
    scenes in it (Supp. 4.2), or a target prompt under two regimes (Supp. 5).
    """
    if control.shape != competing.shape:
        raise ValueError(f"expected sums of the same clusters, found shapes {control.shape} and {competing.shape}")
    first, second = np.moveaxis(resample(np.stack([control, competing], axis=1), statistic, seed, draws), 1, 0)
    return _gap(float(statistic(control.sum(axis=0)) - statistic(competing.sum(axis=0))), first - second)


def ratio_intervals(sums: NDArray[np.float64], seed: int | Sequence[int], draws: int, level: float = 0.95) -> Intervals:
    """Ratios over all clusters with percentile intervals of the cluster-block bootstrap (FrameEvidence, D.5, D.6, G.3).

    `sums` (clusters, statistics, 2) has what each cluster adds to numerator and denominator, as
    `np.stack([mean_sums(...), ...], axis=1)`: values of paired runs are differences, -1, 0 or 1. Each draw takes as many
    clusters as there are, with replacement and whole, and divides by its own sampled count; the value divides by the
    full one. All statistics share the draws. With one cluster the value stands and the interval is not a number; where
    clusters do not differ it has no width, which says that none varied here, not that none could.

    >>> gained = mean_sums(np.array([1, 0, 0, -1, 1, 1]), np.array([0, 0, 1, 1, 2, 2]))
    >>> found = ratio_intervals(gained[:, None], seed=1, draws=2000)
    >>> found.value.round(3).tolist(), found.low.round(3).tolist(), found.high.round(3).tolist()
    ([0.333], [-0.5], [1.0])
    """
    if np.ndim(sums) != 3 or np.shape(sums)[-1] != 2:
        raise InputError(
            f"sums: expected shape (clusters, statistics, 2), found {np.shape(sums)}; stack those of `mean_sums` on axis 1"
        )
    drawn = resample(sums, ratio, seed, draws)
    return Intervals(ratio(sums.sum(axis=0)), *interval(drawn, level), drawn)


def without_each_cluster(changes: NDArray, clusters: NDArray[np.intp]) -> NDArray[np.float64]:
    """The overall change with each cluster's net contribution set to nothing, (clusters,) points (FrameEvidence, D.6).

    100 (D - d_c) / n, where cluster c adds d_c to the total D over all n groups: the denominator stays. `changes`
    (groups,) are signed, 1 for a gain and -1 for a loss; `clusters` numbers the cluster of each group from 0.

    >>> without_each_cluster(np.array([1, 1, 0, -1]), np.array([0, 0, 1, 1])).tolist()
    [-25.0, 50.0]
    """
    return 100 * (np.sum(changes) - np.bincount(clusters, weights=changes)) / len(changes)


def mean_gap(gaps: Sequence[Gap]) -> Gap:
    """The mean of gaps of several cells, with its interval: the aggregate rows of Table S10.

    The cells' draws are combined as they stand. Give each cell a seed of its own: its prompts are its own responses.
    Where one cell's value is not a number, neither is the mean.
    """
    return _gap(float(np.mean([gap.value for gap in gaps])), np.mean([gap.draws for gap in gaps], axis=0))


def _gap(value: float, draws: NDArray[np.float64]) -> Gap:
    low, high = interval(draws)
    return Gap(value, float(low), float(high), draws)


def wilson_interval(share: float, trials: int, z: float = 1.96) -> NDArray[np.float64]:
    """Wilson's score interval of a share of independent trials, (2,) fractions; sensible at 0 and at 1 too.

    >>> wilson_interval(0.0, 1000).round(4).tolist()
    [0.0, 0.0038]
    """
    centre = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z / (1 + z**2 / trials) * np.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    return np.clip([centre - half, centre + half], 0, 1)
