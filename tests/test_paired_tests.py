"""McNemar's exact test against SciPy's binomial test, Holm's adjustment against its definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from vantage.errors import InputError
from vantage.paired_tests import holm, mcnemar


def runs(gains, losses, agreeing=5):
    flags = np.array([[False, True]] * gains + [[True, False]] * losses + [[True, True]] * agreeing)
    return flags.T


@settings(deadline=None)  # the first call imports statsmodels
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_a_fair_coin(gains, losses):
    found = mcnemar(*runs(gains, losses))
    expected = binomtest(gains, gains + losses, 0.5).pvalue if gains + losses else 1
    assert found == pytest.approx((gains, losses, expected))


def test_mcnemar_by_hand():
    """Table 26, DIS of InternVL3-8B: no gain and six losses. p = 2 x (1/2)^6 = 1/32. Two and two: p = 1."""
    assert mcnemar(*runs(0, 6)) == (0, 6, pytest.approx(1 / 32))
    assert mcnemar(*runs(2, 2)) == (2, 2, 1)


def test_items_that_agree_and_the_order_of_runs_do_not_enter():
    first, second = runs(7, 2)
    assert mcnemar(first, second).p_value == mcnemar(second, first).p_value == mcnemar(*runs(7, 2, agreeing=90)).p_value


def test_runs_over_different_items_are_refused():
    with pytest.raises(InputError, match="align the runs first"):
        mcnemar(np.ones(3, dtype=bool), np.ones(4, dtype=bool))


@settings(deadline=None, max_examples=25)  # statsmodels collects garbage at each call, which takes its time
@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_its_definition(p_values):
    adjusted = holm(p_values)
    order, most = np.argsort(p_values, kind="stable"), 0.0
    for rank, place in enumerate(order):
        most = max(most, min(1.0, (len(p_values) - rank) * p_values[place]))
        assert adjusted[place] == pytest.approx(most)


def test_undefined_tests_do_not_count():
    assert holm([np.nan, 0.02, 0.01]) == pytest.approx([np.nan, 0.02, 0.02], nan_ok=True)
    assert np.isnan(holm([np.nan])).all() and holm([]).size == 0
