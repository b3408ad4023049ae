"""Resampled intervals against plain loops over the same draws, and against theory."""

import numpy as np
import pytest

from vantage.bootstrap import Gap, interval, mean_gap, mean_sums, paired_gap, ratio, resample
from vantage.scoring import f1_sums, micro_f1
from vantage.survival import nsc, nsc_of_sums, survival_curves, survival_sums


def drawn_clusters(clusters, seed, draws):
    """The clusters of each draw, listed out, from the counts that `resample` draws."""
    times = np.random.default_rng(seed).multinomial(clusters, [1 / clusters] * clusters, size=draws)
    return [np.repeat(np.arange(clusters), row) for row in times]


@pytest.mark.parametrize("clusters", [4, 12])  # four have few distinct draws, twelve many
def test_f1_resampled_as_a_plain_loop_does(clusters):
    rng = np.random.default_rng(2)
    answers = rng.integers(0, 16, 200).astype(np.uint8)
    admissible = rng.integers(1, 16, (200, 2)).astype(np.uint8)
    cluster = rng.integers(0, clusters, 200)
    found = resample(f1_sums(answers, admissible, cluster), ratio, seed=3, draws=300)
    for value, members in zip(found, drawn_clusters(clusters, 3, 300), strict=True):
        rows = np.concatenate([np.flatnonzero(cluster == member) for member in members])
        assert value == pytest.approx(micro_f1(answers[rows], admissible[rows]))


@pytest.mark.parametrize("clusters", [4, 12])
def test_nsc_resampled_as_a_plain_loop_does(clusters):
    """The accuracies p(v), the marginals and the prefixes are all those of the resample."""
    rng = np.random.default_rng(4)
    correct = rng.random((60, 10)) < rng.random((60, 1))
    viewpoints = rng.permuted(np.tile(np.arange(10), (60, 1)), axis=1)
    cluster = np.arange(60) % clusters
    found = resample(survival_sums(correct, viewpoints, cluster), nsc_of_sums, seed=5, draws=300)
    for value, members in zip(found, drawn_clusters(clusters, 5, 300), strict=True):
        rows = np.concatenate([np.flatnonzero(cluster == member) for member in members])
        assert value == pytest.approx(float(nsc(survival_curves(correct[rows], viewpoints[rows]))))


def test_interval_covers_what_theory_says():
    """The mean of 400 clusters of ones and zeros, half each: standard error 0.5 / sqrt(400) = 0.025, so the interval is
    close to 0.5 +- 1.96 x 0.025."""
    sums = mean_sums(np.repeat([0.0, 1.0], 200), np.arange(400))
    low, high = interval(resample(sums, ratio, seed=3, draws=20_000))
    assert low == pytest.approx(0.5 - 0.049, abs=0.004)
    assert high == pytest.approx(0.5 + 0.049, abs=0.004)
    assert interval(resample(sums, ratio, seed=3, draws=20_000)).tolist() == [low, high]


def test_many_ratios_share_their_draws():
    sums = np.random.default_rng(1).random((6, 3, 2))
    found = resample(sums, ratio, seed=1, draws=50)
    assert found.shape == (50, 3)
    np.testing.assert_allclose(found[:, 1], resample(sums[:, 1], ratio, seed=1, draws=50))


def test_pairing_removes_what_both_regimes_share():
    """Clusters differ much, but each loses exactly a tenth: the gap has no spread at all."""
    control = np.column_stack([np.arange(1.0, 9.0), np.full(8, 10.0)])
    gap = paired_gap(control, control - [1, 0], ratio, seed=1)
    assert (gap.value, gap.low, gap.high) == pytest.approx((0.1, 0.1, 0.1))
    assert np.ptp(interval(resample(control, ratio, seed=1))) > 0.1


def test_paired_regimes_need_the_same_clusters():
    with pytest.raises(ValueError, match=r"same clusters, found shapes \(3, 2\) and \(4, 2\)"):
        paired_gap(np.ones((3, 2)), np.ones((4, 2)), ratio, seed=1)


def test_one_cluster_has_a_value_and_no_interval():
    gap = paired_gap(np.array([[3.0, 4.0]]), np.array([[1.0, 4.0]]), ratio, seed=1, draws=7)
    assert gap.value == 0.5
    assert np.isnan([gap.low, gap.high]).all() and gap.draws.shape == (7,)


def test_undefined_draws_are_left_out():
    assert interval(np.array([np.nan, 1.0, 2.0, 3.0]), level=1.0).tolist() == [1, 3]
    assert np.isnan(interval(np.array([np.nan, np.nan]))).all()


def test_mean_gap_combines_draws():
    gaps = [Gap(0.1, 0, 0, np.array([0.0, 0.2])), Gap(0.3, 0, 0, np.array([0.2, 0.4]))]
    combined = mean_gap(gaps)
    assert combined.value == pytest.approx(0.2)
    assert combined.draws == pytest.approx([0.1, 0.3])
