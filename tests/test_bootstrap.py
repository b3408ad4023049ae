"""Resampled intervals against plain loops over the same draws, and against theory."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vantage.bootstrap import (
    Gap,
    interval,
    mean_gap,
    mean_sums,
    paired_gap,
    ratio,
    ratio_intervals,
    resample,
    without_each_cluster,
)
from vantage.errors import InputError
from vantage.published import as_printed
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


def test_ratio_intervals_are_those_of_a_plain_loop():
    """FrameEvidence, G.3: questions and groups of two families, unequal clusters, one without any FQ2 group, all on
    the same draws; each draw divides by its own count."""
    rng = np.random.default_rng(6)
    clusters = 13
    members = [np.append(rng.integers(0, 12, 48), last) for last in (12, 11)]  # the last cluster has no FQ2 group
    changes = [rng.integers(-1, 2, 49) for _ in members]
    sums = np.stack([mean_sums(*pair, clusters) for pair in zip(changes, members, strict=True)], axis=1)
    assert sums.shape == (13, 2, 2) and sums[12, 1].tolist() == [0, 0]
    found = ratio_intervals(sums, seed=20261013, draws=400)
    for values, drawn in zip(found.draws, drawn_clusters(clusters, 20261013, 400), strict=True):
        for value, change, member in zip(values, changes, members, strict=True):
            rows = np.concatenate([np.flatnonzero(member == cluster) for cluster in drawn])
            assert value == pytest.approx(change[rows].mean())
    assert found.value == pytest.approx([change.mean() for change in changes])
    assert (found.low <= found.value).all() and (found.value <= found.high).all()
    np.testing.assert_array_equal(np.stack([found.low, found.high]), interval(found.draws))


def test_all_statistics_share_the_draws():
    """A contrast is in each draw the difference of what it contrasts."""
    rng = np.random.default_rng(7)
    first, second, cluster = rng.random(30), rng.random(30), np.arange(30) % 6
    sums = np.stack([mean_sums(values, cluster) for values in (first, second, second - first)], axis=1)
    drawn = ratio_intervals(sums, seed=1, draws=100).draws
    np.testing.assert_allclose(drawn[:, 2], drawn[:, 1] - drawn[:, 0])


def test_one_cluster_has_a_ratio_and_no_interval():
    found = ratio_intervals(mean_sums(np.array([1, 0]), np.array([0, 0]))[:, None], seed=1, draws=5)
    assert found.value.tolist() == [0.5] and np.isnan([found.low, found.high]).all()


@settings(deadline=None)
@given(st.integers(-1, 1), st.lists(st.integers(1, 5), min_size=2, max_size=12), st.integers(0, 9))
def test_clusters_that_do_not_differ_give_no_width(value, sizes, seed):
    """FrameEvidence, D.5: a zero-width interval says that no group varied, whatever the clusters' sizes."""
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    found = ratio_intervals(mean_sums(np.full(len(cluster), value), cluster)[:, None], seed, draws=50)
    assert (found.value, found.low, found.high) == (value, value, value)


def test_finer_clusters_of_paired_likes_have_a_narrower_interval():
    """Groups of a scene all gain or all lose. Taking each group as its own cluster forgets that; the intervals of the
    mean of 20 and of 80 independent signs are about 2 to 1."""
    change = np.repeat(np.resize([1, -1], 20), 4)
    width = [
        np.ptp(interval(ratio_intervals(mean_sums(change, cluster)[:, None], seed=1, draws=4000).draws))
        for cluster in (np.repeat(np.arange(20), 4), np.arange(80))
    ]
    assert width[0] / width[1] == pytest.approx(2, abs=0.3)


def test_sums_of_another_shape_are_refused():
    with pytest.raises(InputError, match=r"expected shape \(clusters, statistics, 2\), found \(4, 2\); stack"):
        ratio_intervals(np.ones((4, 2)), seed=1, draws=5)


def test_leaving_a_cluster_out_keeps_the_denominator():
    """FrameEvidence, D.6: 48 groups, six gains and one loss as in Qwen's NTS (10.4 points). A cluster with two of the
    gains takes 100 x 2 / 48 = 4.2 of them with it, and that with the loss leaves 12.5."""
    change = np.zeros(48)
    change[:6], change[6] = 1, -1
    cluster = np.minimum(np.arange(48) // 2, 4)
    found = without_each_cluster(change, cluster)
    exact = [Fraction(100 * (5 - inside), 48) for inside in (2, 2, 2, -1, 0)]
    assert found == pytest.approx([float(points) for points in exact])
    assert [as_printed(points, 1) for points in exact] == ["6.2", "6.2", "6.2", "12.5", "10.4"]


@given(arrays(np.int8, 12, elements=st.integers(-1, 1)), arrays(np.int8, 12, elements=st.integers(0, 3)))
def test_what_the_clusters_take_away_is_the_whole(change, cluster):
    cluster = np.append(cluster, 3)  # four clusters, perhaps some without a group
    change = np.append(change, 0)
    full = 100 * change.sum() / 13
    taken = full - without_each_cluster(change, cluster)
    assert len(taken) == 4 and taken.sum() == pytest.approx(full)
