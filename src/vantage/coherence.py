"""Coherence beyond error rate: what scene outputs are, and regimes matched on errors (CVT-Bench, Figure 3 and Supp. 4.3).

A scene output is all answers about one scene in one run. Arrays run along scene outputs: `errors`, its questions that
are not exact; `constraints`, the labels it asserts; `realizable`, the verdict of `vantage.realizability`. Shares are
fractions.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.bootstrap import DRAWS, Gap, interval, ratio, resample


def output_shares(errors: NDArray[np.int64], realizable: NDArray[np.bool_]) -> dict[str, float]:
    """Shares of fully correct, wrong but realizable, and wrong and unrealizable outputs (Figure 3), and two summaries.

    `Realizable` is the share of all outputs, `Realizable where wrong` of those with an error: coherent
    misinterpretation, which the first hides among correct outputs. Not a number without outputs, the latter also where
    none is wrong. An admissible alternative only adds or omits a label that is true in the layout, so a fully correct
    output is realizable.
    """
    wrong = errors > 0
    return {
        "Fully correct": _mean(~wrong),
        "Wrong but realizable": _mean(wrong & realizable),
        "Wrong and unrealizable": _mean(wrong & ~realizable),
        "Realizable": _mean(realizable),
        "Realizable where wrong": _mean(realizable[wrong]),
    }


def correlation(values: NDArray, flags: NDArray[np.bool_]) -> float:
    """The point-biserial correlation of numbers with flags: of constraint count with realizability (Supp. 4.3).

    It is Pearson's correlation; not a number where either is constant.

    >>> correlation(np.array([1, 2, 3]), np.array([True, True, True]))
    nan
    """
    if len(values) < 2 or np.ptp(values) == 0 or np.ptp(np.asarray(flags, dtype=int)) == 0:
        return float("nan")
    return float(np.corrcoef(values, flags)[0, 1])


def matching_sums(
    strata: NDArray[np.intp], competing: NDArray[np.bool_], realizable: NDArray[np.bool_], clusters: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Scene outputs of one cell by cluster, stratum, regime and what they count, (clusters, strata, 2, 2).

    The regimes are isolated and competing, the counts realizable outputs and all outputs, so that `ratio` of the sums
    is realizability in a stratum. `strata` and `clusters` number each output's stratum and cluster from 0. Only outputs
    that agree in what they are matched by share a stratum.
    """
    sums = np.zeros((clusters.max(initial=-1) + 1, strata.max(initial=-1) + 1, 2, 2))
    np.add.at(sums, (clusters, strata, competing.astype(int)), np.column_stack([realizable, np.ones(len(realizable))]))
    return sums


def matched_sums(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The drop summed over matched pairs, and the number of pairs, (..., 2), from sums (..., strata, 2, 2).

    Exact matching pairs outputs one to one within a stratum, as many as its rarer regime has. The drop is the
    expectation over which outputs are paired: pairs times the difference of the regimes' realizability there. So no
    arbitrary choice of partners, and no seed, enters.
    """
    pairs = sums[..., 1].min(axis=-1)
    with np.errstate(invalid="ignore"):
        isolated, competing = np.moveaxis(sums[..., 0] / sums[..., 1], -1, 0)
    drop = np.where(pairs > 0, pairs * (isolated - competing), 0)
    return np.stack([drop.sum(axis=-1), pairs.sum(axis=-1)], axis=-1)


def matched_drop(cells: Sequence[NDArray[np.float64]], seed: int, draws: int = DRAWS) -> tuple[Gap, int]:
    """Realizability of isolated minus competing outputs with the same errors, with a 95 % interval; and the matched pairs.

    `cells` has the `matching_sums` of each model and representation: matching is exact by these too (Supp. 4.3), so
    only the pairs are pooled. Not a number without any pair. The paper does not say how its interval is drawn. Ours
    resamples, as Supp. 4.2 does, whole competing prompts with the isolated outputs of their scenes, each cell on its
    own, and matches anew in every draw.
    """
    total = sum((matched_sums(cell.sum(axis=0)) for cell in cells), start=np.zeros(2))
    drawn = ratio(
        sum(
            (resample(cell, matched_sums, [seed, place], draws) for place, cell in enumerate(cells)),
            start=np.zeros((draws, 2)),
        )
    )
    low, high = interval(drawn)
    return Gap(float(ratio(total)), float(low), float(high), drawn), int(total[1])


def _mean(values: NDArray) -> float:
    return float(values.mean()) if len(values) else float("nan")
