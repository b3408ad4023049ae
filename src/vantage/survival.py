"""Persistence: do correct relations survive repeated probes of the same pair? (CVT-Bench, Supp. 2.2, 4.1 and 4.4)

A *trajectory* is a fixed pair's ten questions in the order in which the prompt asks them. Arrays have trajectories and
encounter steps as their last two axes, (..., trajectories, steps): `correct` says whether each answer is exactly right,
`viewpoints` numbers its viewpoint as in `vantage.relations.VIEWPOINTS`. `vantage.items.trajectories` gives the rows of
the questions; every trajectory has all ten steps, so each is eligible at every prefix. All results are fractions.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.relations import VIEWPOINTS

PREFIXES = (2, 4, 6, 8, 10)
"""The prefix lengths K over which NSC is summed (Supp. 2.2)."""

PERMUTATIONS = 500
"""Permutations of the paper's item-difficulty null (Supp. 4.1)."""

_VIEWS = len(VIEWPOINTS)

# Differences of survival below this are rounding errors of sums of fractions.
_ROUNDING = 1e-12


class Survival(NamedTuple):
    """Survival after each prefix k = 1, 2, ..., each (..., steps): observed, independent and maximum."""

    observed: NDArray[np.float64]
    independent: NDArray[np.float64]
    maximum: NDArray[np.float64]


def viewpoint_accuracy(correct: NDArray[np.bool_], viewpoints: NDArray[np.intp]) -> NDArray[np.float64]:
    """p(v): the share of answers at each of the ten viewpoints that are exact, (10,); not a number where none is asked."""
    asked = np.bincount(viewpoints.ravel(), minlength=_VIEWS)
    return _share(np.bincount(viewpoints.ravel(), weights=correct.ravel(), minlength=_VIEWS), asked)


def survival(correct: NDArray[np.bool_], chance: NDArray[np.float64]) -> Survival:
    """The survival curves of Supp. 2.2; not numbers without trajectories.

    `chance` has p(v) of each answer's viewpoint, as `viewpoint_accuracy(...)[viewpoints]`, shaped like `correct`.
    S_obs(k) is the share of trajectories whose first k answers are all right; S_ind(k) the mean of the product of
    their chances; S_max(k) the lowest q_t, accuracy at encounter step t, up to k.

    >>> survival(np.array([[True, True], [True, False]]), np.full((2, 2), 0.75))
    Survival(observed=array([1. , 0.5]), independent=array([0.75  , 0.5625]), maximum=array([1. , 0.5]))
    """
    trajectories = correct.shape[-2]
    return Survival(
        _share(np.cumprod(correct, axis=-1).sum(axis=-2), trajectories),
        _share(np.cumprod(chance, axis=-1).sum(axis=-2), trajectories),
        np.minimum.accumulate(_share(correct.sum(axis=-2), trajectories), axis=-1),
    )


def survival_curves(correct: NDArray[np.bool_], viewpoints: NDArray[np.intp]) -> Survival:
    """`survival` of one cell, with p(v) of its own tracked pairs."""
    return survival(correct, viewpoint_accuracy(correct, viewpoints)[viewpoints])


def expected_survival(
    chances: NDArray[np.float64], weights: NDArray[np.float64], viewpoints: NDArray[np.intp]
) -> Survival:
    """The curves of a responder whose chances are known, from expected shares in place of counted ones.

    `weights` (patterns,) has how likely each pattern of errors of a trajectory is, `chances` (patterns, trajectories,
    steps) how likely an answer is right under it, each answer on its own; `viewpoints` (trajectories, steps). A run has
    a lower maximum, because the lowest of accuracies that scatter by chance is low: `drawn_nsc` heeds that.
    """
    overall = np.tensordot(weights, chances, axes=1)
    expected = viewpoint_accuracy(overall, viewpoints)[viewpoints]
    together = np.cumprod(chances, axis=-1).mean(axis=-2)
    return survival(overall, expected)._replace(observed=np.tensordot(weights, together, axes=1))


def drawn_nsc(
    chances: NDArray[np.float64],
    weights: NDArray[np.float64],
    viewpoints: NDArray[np.intp],
    seed: int,
    draws: int = PERMUTATIONS,
) -> NDArray[np.float64]:
    """NSC of fresh runs of the responder of `expected_survival`, (draws,). NumPy's PCG64 with `seed`."""
    rng = np.random.default_rng(seed)
    trajectories = np.arange(chances.shape[1])
    values = []
    for _ in range(draws):
        pattern = rng.choice(len(weights), size=len(trajectories), p=weights)
        correct = rng.random(viewpoints.shape) < chances[pattern, trajectories]
        values.append(nsc(survival_curves(correct, viewpoints)))
    return np.array(values)


def step_gaps(curves: Survival) -> NDArray[np.float64]:
    """S_max(k) - S_ind(k) at each k in K, (..., 5); their sum is the denominator of NSC."""
    return _at_prefixes(curves.maximum - curves.independent)


def nsc(curves: Survival) -> NDArray[np.float64]:
    """The normalized survival coefficient, (...).

    NSC = sum over k in K of [S_obs(k) - S_ind(k)] / sum over k in K of [S_max(k) - S_ind(k)]. 0 is independent
    answering, 1 the most that the accuracies at the steps allow; negative values are kept. Not a number where the
    denominator is 0: a responder who is always right, or never, leaves nothing for persistence to explain.

    >>> float(nsc(Survival(*np.array([[0.5] * 10, [0.25] * 10, [0.75] * 10]))))
    0.5
    """
    gained = _at_prefixes(curves.observed - curves.independent).sum(axis=-1)
    attainable = step_gaps(curves).sum(axis=-1)
    defined = np.abs(attainable) > _ROUNDING  # false for not a number too
    return np.where(defined, gained / np.where(defined, attainable, 1), np.nan)


def survival_sums(
    correct: NDArray[np.bool_], viewpoints: NDArray[np.intp], clusters: NDArray[np.intp]
) -> NDArray[np.float64]:
    """What survival depends on, summed within clusters, (clusters, columns), for `vantage.bootstrap.resample`.

    `correct` and `viewpoints` are (trajectories, 10), `clusters` numbers the cluster of each trajectory from 0.
    Columns: the number of trajectories; right answers by step, and by viewpoint; surviving trajectories by prefix; and
    how many prefixes consist of each of the 2^10 sets of viewpoints. A trajectory meets each viewpoint once, so the
    product of p(v) over a prefix depends only on its set: that makes S_ind of any resample exact without going back to
    trajectories.
    """
    count = clusters.max(initial=-1) + 1

    def by_cluster(code: NDArray[np.intp], width: int, weights: NDArray | None = None) -> NDArray[np.float64]:
        cells = (clusters[:, None] * width + code).ravel()
        weights = None if weights is None else weights.ravel()
        return np.bincount(cells, weights, minlength=count * width).reshape(count, width)

    steps = np.broadcast_to(np.arange(_VIEWS), correct.shape)
    return np.hstack(
        [
            by_cluster(np.zeros((len(correct), 1), dtype=np.intp), 1),
            by_cluster(steps, _VIEWS, correct),
            by_cluster(viewpoints, _VIEWS, correct),
            by_cluster(steps, _VIEWS, np.cumprod(correct, axis=1)),
            by_cluster(np.cumsum(1 << viewpoints, axis=1), 2**_VIEWS),
        ]
    )


_PREFIX_LENGTH = np.equal.outer(np.bitwise_count(np.arange(2**_VIEWS)), np.arange(1, _VIEWS + 1)).astype(float)


def survival_of_sums(sums: NDArray[np.float64]) -> Survival:
    """The curves of `survival_curves` from sums (..., columns) as `survival_sums` gives them."""
    count, by_step, by_viewpoint, survivors, prefix_sets = np.split(sums, np.cumsum([1, *[_VIEWS] * 3]), axis=-1)
    accuracy = _share(by_viewpoint, count)
    products = np.ones((*sums.shape[:-1], 1))
    for view in range(_VIEWS):  # doubles: sets without the viewpoint, then the same sets with it
        products = np.concatenate([products, products * accuracy[..., view, None]], axis=-1)
    return Survival(
        _share(survivors, count),
        _share((prefix_sets * products) @ _PREFIX_LENGTH, count),
        np.minimum.accumulate(_share(by_step, count), axis=-1),
    )


def nsc_of_sums(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """NSC from sums (..., columns): the statistic to give to `vantage.bootstrap.resample`."""
    return nsc(survival_of_sums(sums))


class Null(NamedTuple):
    """A permutation null: the observed NSC, the mean over permutations, the p-value, and NSC in each, (draws,)."""

    observed: float
    mean: float
    p_value: float
    draws: NDArray[np.float64]


def item_difficulty_null(
    correct: NDArray[np.bool_], viewpoints: NDArray[np.intp], seed: int, draws: int = PERMUTATIONS
) -> Null:
    """NSC when trajectories are cut up: is persistence more than easy items recurring together? (Supp. 4.1, Table S9)

    Within each encounter step, answers are permuted over trajectories, independently of other steps: each step keeps
    its accuracy. The viewpoint travels with the answer, so S_ind is permuted alike and S_max stays. The p-value counts
    permutations that reach the observed NSC, (1 + count) / (1 + draws), one-sided. NumPy's PCG64 with `seed`. An
    undefined NSC has neither p-value nor null mean.
    """
    observed = float(nsc(survival_curves(correct, viewpoints)))
    if np.isnan(observed):
        return Null(observed, np.nan, np.nan, np.full(draws, np.nan))
    null = _shuffled_nsc(correct, viewpoints, seed, draws, axis=1)
    reached = int((null >= observed - _ROUNDING).sum())
    return Null(observed, float(null.mean()), (1 + reached) / (1 + draws), null)


def reordered_nsc(
    correct: NDArray[np.bool_], viewpoints: NDArray[np.intp], seed: int, draws: int = PERMUTATIONS
) -> NDArray[np.float64]:
    """NSC after each trajectory's answers are put into random order, (draws,) (Supp. 4.4).

    The viewpoint travels with the answer. Shuffling all questions of a prompt comes to the same: parts of a uniformly
    random order that share no question are independent. NumPy's PCG64 with `seed`.
    """
    return _shuffled_nsc(correct, viewpoints, seed, draws, axis=2)


def order_free_nsc(correct: NDArray[np.bool_], viewpoints: NDArray[np.intp]) -> float:
    """NSC with each part replaced by its expectation over random orders; no randomness is left (Supp. 4.4).

    Over all orders of a trajectory, the chance that k answers drawn from it are all right is the mean product over its
    k-subsets, and accuracy at every step is overall accuracy. `reordered_nsc` averages lower: its S_max is the lowest
    of accuracies that scatter by chance.
    """
    chance = viewpoint_accuracy(correct, viewpoints)[viewpoints]
    accuracy = _share(correct.sum(), correct.size)
    return float(
        nsc(Survival(_subset_products(correct), _subset_products(chance), np.full(correct.shape[1], accuracy)))
    )


def benjamini_hochberg(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """P-values adjusted for the false discovery rate (Supp. 4.1), in their order; undefined ones stay so and do not count.

    >>> benjamini_hochberg(np.array([0.01, 0.04, np.nan])).tolist()
    [0.02, 0.04, nan]
    """
    from statsmodels.stats.multitest import multipletests  # takes half a second, which most pages need not wait

    p_values = np.asarray(p_values, dtype=float)
    adjusted, defined = p_values.copy(), ~np.isnan(p_values)
    if defined.any():
        adjusted[defined] = multipletests(p_values[defined], method="fdr_bh")[1]
    return adjusted


def _shuffled_nsc(correct: NDArray, viewpoints: NDArray, seed: int, draws: int, axis: int) -> NDArray[np.float64]:
    """NSC (draws,) of copies (draws, trajectories, steps) whose answers are shuffled along an axis."""
    # One number holds an answer's viewpoint and whether it is right, so that they travel together.
    together = np.broadcast_to(2 * viewpoints + correct, (draws, *correct.shape)).astype(np.int8)
    np.random.default_rng(seed).permuted(together, axis=axis, out=together)
    return nsc(survival(together & 1, viewpoint_accuracy(correct, viewpoints)[together >> 1]))


def _subset_products(values: NDArray) -> NDArray[np.float64]:
    """The mean product over k-subsets of a row's values, averaged over rows, for k = 1 to the number of steps."""
    rows, steps = values.shape
    symmetric = np.zeros((rows, steps + 1))
    symmetric[:, 0] = 1
    for step in range(steps):
        symmetric[:, 1:] += symmetric[:, :-1] * values[:, step, None]
    return _share(symmetric[:, 1:].sum(axis=0), rows) / [comb(steps, k) for k in range(1, steps + 1)]


def _at_prefixes(curve: NDArray[np.float64]) -> NDArray[np.float64]:
    return curve[..., np.array(PREFIXES) - 1]


def _share(part: NDArray, whole: NDArray | int) -> NDArray[np.float64]:
    """A fraction that is not a number, without a warning, where there is nothing to divide by."""
    with np.errstate(invalid="ignore"):
        return np.true_divide(part, whole)
