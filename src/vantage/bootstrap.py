"""Intervals: by resampling whole clusters, since questions of one scene or prompt are not independent; of a share."""

import numpy as np
from numpy.typing import NDArray

DRAWS = 5000
"""Draws of the paper's intervals (CVT-Bench, Supp. 4.2)."""


def ratio_interval(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
) -> NDArray[np.float64]:
    """Percentile intervals of ratios of sums over clusters, (2, ratios): lower ends, then upper ends.

    `numerators` and `denominators` are (clusters, ratios) sums within each cluster, so that a draw needs no loop over
    items: micro F1 has 2 TP over labels asserted + relevant. Clusters are drawn with replacement, all ratios on the same
    draws, by NumPy's PCG64 with `seed`.

    >>> ratio_interval(np.ones((4, 1)), np.full((4, 1), 2.0), seed=1, draws=10).ravel().tolist()
    [0.5, 0.5]
    """
    clusters = len(numerators)
    times_drawn = (
        np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), size=draws).astype(float)
    )
    ratios = (times_drawn @ numerators) / (times_drawn @ denominators)
    tail = (1 - level) / 2
    return np.quantile(ratios, [tail, 1 - tail], axis=0)


def wilson_interval(share: float, trials: int, z: float = 1.96) -> NDArray[np.float64]:
    """Wilson's score interval of a share of independent trials, (2,) fractions; sensible at 0 and at 1 too.

    >>> wilson_interval(0.0, 1000).round(4).tolist()
    [0.0, 0.0038]
    """
    centre = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z / (1 + z**2 / trials) * np.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    return np.clip([centre - half, centre + half], 0, 1)
