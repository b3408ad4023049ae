"""The search: fifteen cells of a block at once, by single and paired changes of answers, with every statistic kept up to date.

A change is kept when the objective does not get worse than a threshold that falls to zero. The objective sums squared distances from
the printed numbers in half units of their last digit, less what `SLACK` leaves free. A scene is of one of four sorts:

- `CORRECT`: every answer is admissible; the layout of the scene satisfies it.
- `REALIZABLE`: the scene carries a layout, each answer is a part of what that layout shows, and some answer is wrong.
- `PARTLY`: the answers of closed fixed pairs at cardinal views are so, but some pair of objects has answers that no placement of the two
  satisfies.
- `NOWHERE`: such a pair is among the closed fixed pairs at cardinal views already.

So whether a scene is realizable never has to be solved for, and the numbers of realizable scenes are met by construction.

Everything here is compiled. No option that reorders floating-point operations is on, so the same seed gives the same answers.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

CORRECT, REALIZABLE, PARTLY, NOWHERE = range(4)

SLACK = 0.4

FINEST = 0.0002
"""The unit in which bounds that are printed to three digits are held in the end."""

# Statistics of a cell, by place.
(F1, NSC, GAP, CYCLE, BOTH, SELF_90, SELF_180, SELF_270, SELF_360, SELF_C4) = range(10)
(CLOSED_F1, CLOSED_EXACT, CLOSED_C4, DIAGONAL_EXACT, DIAGONAL_F1, QUARTER_EXACT, QUARTER_F1, HALF_EXACT) = range(10, 18)
(HIDDEN, STRICT_GAP, NULL_NSC, REORDERED, REORDERED_ABS, ENDPOINT, WORDING) = range(18, 25)
(BEST, DENOMINATOR, LEAST_GAP) = range(25, 28)
(PART_F1, POPULATION_NSC, TARGET_F1, SCATTER, BEST_SCATTER) = (28, 31, 34, 35, 36)
(ALIGNED_SHARE, ALTERNATIVE_SHARE, SHORTFALL) = (37, 38, 39)
(VIEW_F1, FIXED_F1) = (40, 50)
STATISTICS = 60

# Statistics of a block beyond means of cells.
(CORRELATION, MATCHED_ERRORS, MATCHED_BOTH, CURVE, SPREAD, BEST_SPREAD) = range(6)
BLOCK_STATISTICS = 6

# Sums of 2 TP and of labels, by place.
(_VIEW, _FIXED, _TURNED, _BLOCK, _STRICT, _CLOSED, _TARGET, _PART) = (0, 10, 20, 30, 40, 41, 42, 43)
_SUMS = 46

_PREFIXES = 5
MOST_ERRORS, MOST_LABELS = 72, 220


class State(NamedTuple):
    """Answers and counters of the cells (c) of a block, changed in place."""

    answer: NDArray[np.int64]  # (c, q)
    sums: NDArray[np.int64]  # (c, _SUMS, 2)
    of_scene: NDArray[np.int64]  # (c, s, 2)
    turned_right: NDArray[np.int64]  # (c, 10) exact answers about the fixed pairs of Table S8, by viewpoint
    audited: NDArray[np.int64]  # (c, 4) quarter-turn errors with one relation right, by kind
    fixed: NDArray[np.int64]  # (c, 13): self-transport, C4; closed: exact, C4; endpoints; wordings
    matched: NDArray[np.int64]  # (c, 2) agreeing and both correct
    ok: NDArray[np.int64]  # (c, p, trajectories, 10)
    view_ok: NDArray[np.int64]  # (c, p, 10)
    step_ok: NDArray[np.int64]  # (c, p, 10)
    alive: NDArray[np.int64]  # (c, p, 10)
    rights: NDArray[np.int64]  # (c, 11) trajectories by how many answers are right
    independent: NDArray[np.float64]  # (c, p, 5)
    dirty: NDArray[np.bool_]  # (c, p)
    errors: NDArray[np.int64]  # (c, s)
    labels: NDArray[np.int64]  # (c, s)
    sides: NDArray[np.int64]  # (c, u, 2, 10) labels by direction, of all questions and of the closed ones
    best: NDArray[np.int64]  # (c, u) labels that the best placement of the pair alone satisfies
    best_in: NDArray[np.int64]  # (c, s)
    torn: NDArray[np.int64]  # (c, s, 2) pairs that contradict themselves
    sort: NDArray[np.int64]  # (c, s)
    shown: NDArray[np.int64]  # (c, q) what the layout of a scene shows
    by_errors: NDArray[np.int64]  # (c, realizable, errors)
    by_both: NDArray[np.int64]  # (c, realizable, errors, labels)
    pooled: NDArray[np.float64]  # (7,) drop and pairs by errors and by both; labels, squares, realizable
    best_share: NDArray[np.float64]  # (c, s) best_in / labels
    best_mean: NDArray[np.float64]  # (c,) their sum over scenes
    statistics: NDArray[np.float64]  # (c, STATISTICS)
    totals: NDArray[np.float64]  # (STATISTICS,)
    cost: NDArray[np.float64]  # (c,)


class Aims(NamedTuple):
    """What the search aims at; a half unit of 0 leaves a statistic free."""

    cell: NDArray[np.float64]  # (c, STATISTICS, 2) value and half unit
    mean: NDArray[np.float64]  # (STATISTICS, 2)
    block: NDArray[np.float64]  # (BLOCK_STATISTICS, 2)
    jitter: NDArray[np.float64]  # (c, 5) by how much the lowest accuracy of scattered steps is below their mean
    endpoint: NDArray[np.int64]  # (c,) the sign that the endpoint contrast has to have, or 0
    drops: NDArray[np.float64]  # (c, blocks, 2) between what F1's drop in a tenth of the scenes has to lie
    gaps: NDArray[np.float64]  # (c, 3) between what the denominator of NSC has to lie, and the least of its step gaps
    unit: NDArray[np.float64]  # (1,) in what unit denominators, shares of errors and the matched drop are held
    audit: NDArray[np.float64]  # (c, 2, 2) between what the shares of aligned and of alternative errors have to lie
    least_scatter: NDArray[np.float64]  # (c, 2) what the scatter of F1's drop is at least, and of MaxSAT's
    isolated: NDArray[np.int64]  # (c, blocks, 2) of the isolated cell: 2 TP and labels, as the sums of a state
    cluster: NDArray[np.int64]  # (c, s) the prompt that resampling takes whole, or -1
    control: NDArray[np.int64]  # (c, s, 2) 2 TP and labels of the run that a drop is taken from
    control_best: NDArray[np.float64]  # (c, s) satisfiable share of the isolated cell
    by_errors: NDArray[np.int64]  # (c, realizable, errors) of the isolated cell; all zero where there is none
    by_both: NDArray[np.int64]  # (c, realizable, errors, labels)
    torn: NDArray[np.bool_]  # (1024,) whether a set of directions is contradictory for one pair
    shares: NDArray[np.float64]  # (steps, 10) trajectories by the viewpoint they meet at each step


@njit(cache=True)
def _torn(mask):
    """Whether no placement of two objects satisfies a set of directions."""
    if mask & 256 and mask & 512:
        return True
    flat = mask & 255
    if flat == 0:
        return False
    for start in range(8):
        sector = 0
        for k in range(4):
            sector |= 1 << ((start + k) % 8)
        if flat & ~sector == 0:
            return False
    return True


@njit(cache=True)
def _fixed(m, st, c, t, sign):
    """Count what a fixed pair's answers say together."""
    answer, rows, fixed = st.answer[c], m.rows[t], st.fixed[c]
    source = m.towards[rows[0], answer[rows[0]]]
    whole = True
    for place in range(4):
        row = rows[2 * (place + 1)]
        same = m.towards[row, answer[row]] == source
        whole = whole and same
        fixed[place] += sign * same
    fixed[4] += sign * whole
    if m.recoverable[t]:
        count = 0
        for place in range(5):
            row = rows[2 * place]
            count += m.right[0, row, answer[row]]
        fixed[5] += sign * count
        fixed[6] += sign * (count == 5)
    turns = m.turns[0]
    if m.right[turns, rows[0], answer[rows[0]]]:
        for place in range(4):
            kind = m.endpoint[t, place]
            if kind >= 0:
                row = rows[2 * place + 1]
                fixed[7 + 2 * kind] += sign
                fixed[8 + 2 * kind] += sign * m.right[turns, row, answer[row]]


@njit(cache=True)
def _match(m, st, c, k, sign):
    """Count whether a matched pair agrees, and whether both answers are right."""
    a, b = m.ends[k]
    x, y = st.answer[c, a], st.answer[c, b]
    st.matched[c, 0] += sign * (x == y)
    st.matched[c, 1] += sign * (m.right[0, a, x] and m.right[0, b, y])


@njit(cache=True)
def _stratum(ours, theirs):
    """Matched pairs of a stratum and their drop, from (realizable, ...) counts of competing and isolated outputs."""
    n, o = ours[0] + ours[1], theirs[0] + theirs[1]
    if n == 0 or o == 0:
        return 0.0, 0.0
    pairs = min(n, o)
    return pairs * (theirs[1] / o - ours[1] / n), float(pairs)


@njit(cache=True)
def _output(aims, st, c, s, sign):
    """Count a scene output in its strata, and its labels."""
    errors, labels = st.errors[c, s], st.labels[c, s]
    good = 1 if st.sort[c, s] <= REALIZABLE else 0
    for which in range(2):
        ours = st.by_errors[c, :, errors] if which == 0 else st.by_both[c, :, errors, labels]
        theirs = aims.by_errors[c, :, errors] if which == 0 else aims.by_both[c, :, errors, labels]
        drop, pairs = _stratum(ours, theirs)
        st.pooled[2 * which] -= drop
        st.pooled[2 * which + 1] -= pairs
        ours[good] += sign
        drop, pairs = _stratum(ours, theirs)
        st.pooled[2 * which] += drop
        st.pooled[2 * which + 1] += pairs
    st.pooled[4] += sign * labels
    st.pooled[5] += sign * labels * labels
    st.pooled[6] += sign * labels * good


@njit(cache=True)
def put(m, aims, st, c, q, new):
    """Change an answer and everything that is counted."""
    old = st.answer[c, q]
    if old == new:
        return
    t, k, s, v, u = m.tracked[q], m.matched[q], m.scene[q], m.viewpoint[q], m.pair[q]
    if t >= 0:
        _fixed(m, st, c, t, -1)
    if k >= 0:
        _match(m, st, c, k, -1)
    _output(aims, st, c, s, -1)
    st.best_mean[c] -= st.best_share[c, s]
    st.answer[c, q] = new
    turns = m.turns[0]
    for half in range(2):
        change = m.worth[0, q, new, half] - m.worth[0, q, old, half]
        st.sums[c, _VIEW + v, half] += change
        st.sums[c, _BLOCK + m.block[q], half] += change
        st.of_scene[c, s, half] += change
        if t >= 0:
            st.sums[c, _FIXED + v, half] += change
        if m.closed[q]:
            st.sums[c, _CLOSED, half] += change
        if m.target[q]:
            st.sums[c, _TARGET, half] += change
        st.sums[c, _STRICT, half] += m.strict[q, new, half] - m.strict[q, old, half]
        if m.turned[q]:
            st.sums[c, _TURNED + v, half] += m.worth[turns, q, new, half] - m.worth[turns, q, old, half]
        if m.part[q] == 0:
            st.sums[c, _PART, half] += change
        elif m.part[q] == 1:
            for component in (1, 2):
                st.sums[c, _PART + component, half] += (
                    m.worth[component, q, new, half] - m.worth[component, q, old, half]
                )
    if m.turned[q]:
        gained = int(m.right[turns, q, new]) - int(m.right[turns, q, old])
        st.turned_right[c, v] += gained
        if m.wording[q] >= 0:
            st.fixed[c, 11 + m.wording[q]] += gained
            st.audited[c, m.audit[q, old]] -= 1
            st.audited[c, m.audit[q, new]] += 1
    if t >= 0:
        _fixed(m, st, c, t, 1)
        for p in range(len(m.component)):
            i = m.member[p, q]
            if i >= 0:
                before, after = m.right[m.component[p], q, old], m.right[m.component[p], q, new]
                if before != after:
                    _survive(m, st, c, p, i, m.step[q], v, 1 if after else -1)
    if k >= 0:
        _match(m, st, c, k, 1)
    st.errors[c, s] += int(m.right[0, q, old]) - int(m.right[0, q, new])
    st.labels[c, s] += m.labels[new] - m.labels[old]
    was, now = m.towards[q, old], m.towards[q, new]
    for kind in range(2 if m.closed[q] else 1):
        sides = st.sides[c, u, kind]
        before, after = 0, 0
        for place in range(10):
            before |= (sides[place] > 0) << place
            sides[place] += ((now >> place) & 1) - ((was >> place) & 1)
            after |= (sides[place] > 0) << place
        st.torn[c, s, kind] += int(aims.torn[after]) - int(aims.torn[before])
        if kind == 0:
            most = 0
            for start in range(8):
                total = 0
                for step in range(4):
                    total += sides[(start + step) % 8]
                most = max(most, total)
            most += max(sides[8], sides[9])
            st.best_in[c, s] += most - st.best[c, u]
            st.best[c, u] = most
    st.best_share[c, s] = st.best_in[c, s] / st.labels[c, s] if st.labels[c, s] else 0.0
    st.best_mean[c] += st.best_share[c, s]
    _output(aims, st, c, s, 1)


@njit(cache=True)
def _survive(m, st, c, p, i, step, v, gained):
    """Count a trajectory's answer that has become right, or wrong."""
    ok = st.ok[c, p, i]
    ok[step] += gained
    st.view_ok[c, p, v] += gained
    st.step_ok[c, p, step] += gained
    st.dirty[c, p] = True
    if p == 0:
        count = 0
        for k in range(10):
            count += ok[k]
        st.rights[c, count - gained] -= 1
        st.rights[c, count] += 1
    for k in range(step):
        if not ok[k]:
            return
    st.alive[c, p, step] += gained
    for k in range(step + 1, 10):
        if not ok[k]:
            return
        st.alive[c, p, k] += gained


@njit(cache=True)
def _independent(m, st, c, p):
    size = m.sizes[p]
    found = st.independent[c, p]
    for k in range(5):
        found[k] = 0.0
    chances = np.empty(10)
    for v in range(10):
        chances[v] = st.view_ok[c, p, v] / size
    for i in range(size):
        product = 1.0
        for k in range(5):
            product *= chances[m.views[p, i, 2 * k]] * chances[m.views[p, i, 2 * k + 1]]
            found[k] += product
    for k in range(5):
        found[k] /= size
    st.dirty[c, p] = False


@njit(cache=True)
def _nsc(m, st, c, p, low=-2.0):
    """NSC, its denominator, its least gap, and by how much steps fall short of a least gap of `low`.

    No gap is below `low` where each step's accuracy is at least `low` above the chance of surviving up to it. The shortfall says of each
    step how far it is from there; the least gap alone would not say so where several steps are equally low.
    """
    if st.dirty[c, p]:
        _independent(m, st, c, p)
    size = m.sizes[p]
    gained, attainable, least, short = 0.0, 0.0, 2.0, 0.0
    lowest = size
    for k in range(5):
        for step in (2 * k, 2 * k + 1):
            missing = low + st.independent[c, p, k] - st.step_ok[c, p, step] / size
            if missing > 0:
                short += missing * missing
        lowest = min(lowest, st.step_ok[c, p, 2 * k], st.step_ok[c, p, 2 * k + 1])
        gap = lowest / size - st.independent[c, p, k]
        gained += st.alive[c, p, 2 * k + 1] / size - st.independent[c, p, k]
        attainable += gap
        least = min(least, gap)
    return gained / attainable if abs(attainable) > 1e-12 else 0.0, attainable, least, np.sqrt(short)


@njit(cache=True)
def _null(m, st, c, shares):
    """NSC expected when answers are permuted over trajectories within each step."""
    size = m.sizes[0]
    gained, attainable = 0.0, 0.0
    observed, expected, lowest = 1.0, 1.0, 1.0
    for step in range(10):
        accuracy = st.step_ok[c, 0, step] / size
        chance = 0.0
        for v in range(10):
            chance += shares[step, v] * st.view_ok[c, 0, v] / size
        observed *= accuracy
        expected *= chance
        lowest = min(lowest, accuracy)
        if step % 2:
            gained += observed - expected
            attainable += lowest - expected
    return gained / attainable if abs(attainable) > 1e-12 else 0.0


@njit(cache=True)
def _reordered(m, st, c, jitter):
    """NSC expected when each trajectory's answers are put into random order."""
    size = m.sizes[0]
    symmetric = np.zeros(11)
    symmetric[0] = 1.0
    total = 0
    for v in range(10):
        accuracy = st.view_ok[c, 0, v] / size
        total += st.view_ok[c, 0, v]
        for k in range(10, 0, -1):
            symmetric[k] += symmetric[k - 1] * accuracy
    gained, attainable = 0.0, 0.0
    for place in range(5):
        k = 2 * (place + 1)
        ways = 1.0
        for j in range(k):
            ways *= (10 - j) / (j + 1)
        observed = 0.0
        for right in range(k, 11):
            chosen = 1.0
            for j in range(k):
                chosen *= (right - j) / (j + 1)
            observed += st.rights[c, right] * chosen
        observed /= size * ways
        expected = symmetric[k] / ways
        gained += observed - expected
        attainable += total / (10.0 * size) - jitter[place] - expected
    return gained / attainable if abs(attainable) > 1e-12 else 0.0


@njit(cache=True)
def _ratio(sums):
    return sums[0] / sums[1] if sums[1] else 0.0


@njit(cache=True)
def _scatter(aims, st, c):
    """By how much a cell's drop of F1, and that of its bound on MaxSAT, scatter when whole clusters are resampled: standard deviations."""
    clusters = 0
    theirs, ours = np.zeros(2), np.zeros(2)
    best, scenes = 0.0, 0
    for s in range(len(aims.cluster[c])):
        k = aims.cluster[c, s]
        if k >= 0:
            clusters = max(clusters, k + 1)
            scenes += 1
            best += aims.control_best[c, s] - st.best_share[c, s]
            for half in range(2):
                theirs[half] += aims.control[c, s, half]
                ours[half] += st.of_scene[c, s, half]
    if clusters < 2:
        return 0.0, 0.0
    residuals, of_best = np.zeros(clusters), np.zeros(clusters)
    for s in range(len(aims.cluster[c])):
        k = aims.cluster[c, s]
        if k >= 0:
            residuals[k] += (aims.control[c, s, 0] - aims.control[c, s, 1] * theirs[0] / theirs[1]) / theirs[1]
            residuals[k] -= (st.of_scene[c, s, 0] - st.of_scene[c, s, 1] * ours[0] / ours[1]) / ours[1]
            of_best[k] += (aims.control_best[c, s] - st.best_share[c, s] - best / scenes) / scenes
    variance, of_bests = 0.0, 0.0
    for k in range(clusters):
        variance += residuals[k] ** 2
        of_bests += of_best[k] ** 2
    return np.sqrt(variance), np.sqrt(of_bests)


@njit(cache=True)
def describe(m, aims, st, c):
    """Compute the statistics of a cell from its counters."""
    found, sums, fixed = st.statistics[c], st.sums[c], st.fixed[c]
    size = len(m.rows)
    part, whole, hidden, labels = 0, 0, 0, 0
    for v in range(10):
        part += sums[_VIEW + v, 0]
        whole += sums[_VIEW + v, 1]
        if 1 <= v <= 7:
            hidden += sums[_VIEW + v, 0]
            labels += sums[_VIEW + v, 1]
        found[VIEW_F1 + v] = _ratio(sums[_VIEW + v])
        found[FIXED_F1 + v] = _ratio(sums[_FIXED + v])
    found[F1] = part / whole
    found[HIDDEN] = hidden / labels
    others = 0.0
    for v in range(1, 10):
        others += found[VIEW_F1 + v]
    found[GAP] = found[VIEW_F1] - others / 9
    found[CYCLE] = st.matched[c, 0] / len(m.ends)
    found[BOTH] = st.matched[c, 1] / len(m.ends)
    for k in range(5):
        found[SELF_90 + k] = fixed[k] / size
    closed, turned = m.counts[0], m.counts[1]
    found[CLOSED_F1] = _ratio(sums[_CLOSED])
    found[CLOSED_EXACT] = fixed[5] / (5 * closed)
    found[CLOSED_C4] = fixed[6] / closed
    right = st.turned_right[c]
    found[DIAGONAL_EXACT] = (right[1] + right[3] + right[5] + right[7]) / (4 * turned)
    found[QUARTER_EXACT] = (right[2] + right[6]) / (2 * turned)
    found[HALF_EXACT] = right[4] / turned
    found[DIAGONAL_F1] = _ratio(sums[_TURNED + 1] + sums[_TURNED + 3] + sums[_TURNED + 5] + sums[_TURNED + 7])
    found[QUARTER_F1] = _ratio(sums[_TURNED + 2] + sums[_TURNED + 6])
    found[STRICT_GAP] = found[F1] - _ratio(sums[_STRICT])
    simple = fixed[8] / fixed[7] if fixed[7] else 0.0
    cross = fixed[10] / fixed[9] if fixed[9] else 0.0
    found[ENDPOINT] = simple - cross
    found[WORDING] = fixed[11] / m.counts[2] - fixed[12] / m.counts[3]
    audited = max(1, st.audited[c, 1] + st.audited[c, 2] + st.audited[c, 3])
    found[ALIGNED_SHARE], found[ALTERNATIVE_SHARE] = st.audited[c, 1] / audited, st.audited[c, 2] / audited
    found[BEST] = st.best_mean[c] / st.errors.shape[1]
    found[TARGET_F1] = _ratio(sums[_TARGET])
    found[SCATTER], found[BEST_SCATTER] = _scatter(aims, st, c)
    for k in range(3):
        found[PART_F1 + k] = _ratio(sums[_PART + k])
    moved = st.dirty[c, 0]
    found[NSC], found[DENOMINATOR], found[LEAST_GAP], found[SHORTFALL] = _nsc(m, st, c, 0, aims.gaps[c, 2])
    for p in range(1, len(m.component)):
        found[POPULATION_NSC + p - 1] = _nsc(m, st, c, p)[0]
    if moved:
        found[NULL_NSC] = _null(m, st, c, aims.shares)
        found[REORDERED] = _reordered(m, st, c, aims.jitter[c]) - found[NSC]
        found[REORDERED_ABS] = abs(found[REORDERED])


@njit(cache=True)
def _penalty(value, aim):
    if aim[1] == 0.0:
        return 0.0
    excess = abs(value - aim[0]) / aim[1] - SLACK
    return excess * excess if excess > 0 else 0.0


@njit(cache=True)
def _outside(value, low, high, unit=0.001):
    """A penalty for lying outside bounds, in `unit`."""
    excess = max(low - value, value - high) / unit
    return excess * excess if excess > 0 else 0.0


@njit(cache=True)
def cell_cost(aims, st, c):
    """What a cell adds to the objective."""
    found, cost = st.statistics[c], 0.0
    for k in range(STATISTICS):
        cost += _penalty(found[k], aims.cell[c, k])
    if aims.endpoint[c] != 0:
        cost += _outside(aims.endpoint[c] * found[ENDPOINT], 0.004, 2.0)
    for b in range(aims.drops.shape[1]):
        drop = _ratio(aims.isolated[c, b]) - _ratio(st.sums[c, _BLOCK + b])
        cost += _outside(drop, aims.drops[c, b, 0], aims.drops[c, b, 1])
    cost += _outside(found[DENOMINATOR], aims.gaps[c, 0], aims.gaps[c, 1], aims.unit[0])
    cost += _outside(found[SHORTFALL], 0.0, 0.0, FINEST)
    for k in range(2):
        cost += _outside(found[ALIGNED_SHARE + k], aims.audit[c, k, 0], aims.audit[c, k, 1], aims.unit[0])
        cost += _outside(found[SCATTER + k], aims.least_scatter[c, k], 2.0)
    return cost


@njit(cache=True)
def block_statistics(aims, st, found):
    """Statistics of a block that are no means of cells: correlation, matched drops, how far the curve of fixed pairs is off, and by how
    much the mean drop of F1 scatters when prompts are resampled."""
    cells, scenes = st.errors.shape
    count = cells * scenes
    good = 0
    for c in range(cells):
        for s in range(scenes):
            good += st.sort[c, s] <= REALIZABLE
    pooled = st.pooled
    spread = (pooled[5] - pooled[4] * pooled[4] / count) * (good - good * good / count)
    found[CORRELATION] = (pooled[6] - pooled[4] * good / count) / np.sqrt(spread) if spread > 0 else 0.0
    found[MATCHED_ERRORS] = pooled[0] / pooled[1] if pooled[1] > 0 else 0.0
    found[MATCHED_BOTH] = pooled[2] / pooled[3] if pooled[3] > 0 else 0.0
    found[CURVE] = 0.0
    for v in range(10):
        found[CURVE] = max(found[CURVE], abs(st.totals[FIXED_F1 + v] - st.totals[VIEW_F1 + v]) / cells)
    variance, best = 0.0, 0.0
    for c in range(cells):
        variance += st.statistics[c, SCATTER] ** 2
        best += st.statistics[c, BEST_SCATTER] ** 2
    found[SPREAD] = np.sqrt(variance) / cells
    found[BEST_SPREAD] = np.sqrt(best) / cells


@njit(cache=True)
def objective(aims, st):
    """The whole objective, from the statistics of the cells."""
    total, cells = 0.0, len(st.cost)
    for c in range(cells):
        total += st.cost[c]
    for k in range(STATISTICS):
        total += _penalty(st.totals[k] / cells, aims.mean[k])
    found = np.zeros(BLOCK_STATISTICS)
    block_statistics(aims, st, found)
    for k in range(BLOCK_STATISTICS):
        value, half = aims.block[k]
        weight = 1.0
        if k == MATCHED_BOTH and half > 0.0:
            # A matched drop is a ratio of small counts and moves in leaps: many of them while the unit is coarse, the last ones because
            # of a heavy weight.
            half, weight = max(half, aims.unit[0]), 40.0 * FINEST / aims.unit[0]
        total += weight * _penalty(found[k], (value, half))
    return total


@njit(cache=True)
def refresh(m, aims, st):
    """Compute all statistics from the counters."""
    st.totals[:] = 0.0
    for c in range(len(st.cost)):
        for p in range(len(m.component)):
            st.dirty[c, p] = True
        describe(m, aims, st, c)
        st.totals[:] += st.statistics[c]
        st.cost[c] = cell_cost(aims, st, c)


@njit(cache=True)
def _part(shown, kind):
    """A part of what a layout shows about a question: its lateral, depth or vertical label, several or all."""
    lateral, depth, rise = shown & 3, shown & 12, shown & 48
    if rise and kind >= 3:
        return (shown, rise | lateral, rise | depth, rise)[kind % 4]
    return (shown, lateral, depth)[kind % 3]


@njit(cache=True)
def _choose(m, st, c, q, options, correct):
    """A new answer to a question that its scene allows."""
    sort = st.sort[c, m.scene[q]]
    if sort == CORRECT:
        return correct[q, np.random.randint(correct.shape[1])]
    if sort == REALIZABLE or (sort == PARTLY and m.closed[q]):
        shown = st.shown[c, q]
        if np.random.random() < 0.5:
            return shown
        new = _part(shown, np.random.randint(7))
        return new if new else shown
    return options[q, np.random.randint(options.shape[1])]


@njit(cache=True)
def _allowed(st, c, s):
    """Whether a scene is still as realizable as its sort says."""
    sort = st.sort[c, s]
    if sort == REALIZABLE:
        return st.errors[c, s] > 0
    if sort == PARTLY:
        return st.torn[c, s, 0] > 0
    if sort == NOWHERE:
        return st.torn[c, s, 1] > 0
    return True


@njit(cache=True)
def search(m, aims, st, options, correct, moves, seed, start, weights):
    """Try so many changes, from a threshold of `start` that falls to zero. Returns the objective and how many were kept."""
    np.random.seed(seed)
    cells, questions = st.answer.shape
    fixed, matched = len(m.rows), len(m.ends)
    total = objective(aims, st)
    saved, kept = np.zeros(STATISTICS), 0
    saved_sums = np.zeros((len(m.component), 5))
    asked, before = np.zeros(12, dtype=np.int64), np.zeros(12, dtype=np.int64)
    for move in range(moves):
        left = 1.0 - move / moves
        threshold = start * left * left
        c = np.random.randint(cells)
        kind = np.random.random()
        count = 0
        if kind < weights[0]:
            asked[0] = np.random.randint(questions)
            count = 1
        elif kind < weights[1]:  # 0 and 360 degrees
            k = np.random.randint(matched)
            asked[0], asked[1] = m.ends[k]
            count = 2
        elif kind < weights[2]:  # both quarter turns
            t = np.random.randint(fixed)
            asked[0], asked[1] = m.rows[t, 2], m.rows[t, 6]
            count = 2
        elif kind < weights[3]:  # all cardinal views turn together
            t = np.random.randint(fixed)
            for k in range(5):
                asked[k] = m.rows[t, 2 * k]
            count = 5
        elif kind < weights[4]:  # source, half turn and return
            t = np.random.randint(fixed)
            asked[0], asked[1], asked[2] = m.rows[t, 0], m.rows[t, 8], m.rows[t, 4]
            count = 3
        else:  # the same view of two fixed pairs
            v = np.random.randint(10)
            asked[0], asked[1] = m.rows[np.random.randint(fixed), v], m.rows[np.random.randint(fixed), v]
            if (
                asked[0] == asked[1]
                or m.right[0, asked[0], st.answer[c, asked[0]]] == m.right[0, asked[1], st.answer[c, asked[1]]]
            ):
                continue
            count = 2
        for k in range(count):
            before[k] = st.answer[c, asked[k]]
        saved[:] = st.statistics[c]
        saved_sums[:] = st.independent[c]
        cost = st.cost[c]
        if kind < weights[0]:
            put(m, aims, st, c, asked[0], _choose(m, st, c, asked[0], options, correct))
        elif kind >= weights[4]:
            for k in range(2):
                other = before[1 - k]
                was_right = m.right[0, asked[1 - k], other]
                new = before[k]
                for _ in range(8):
                    new = _choose(m, st, c, asked[k], options, correct)
                    if m.right[0, asked[k], new] == was_right:
                        break
                put(m, aims, st, c, asked[k], new)
        else:
            # One answer is chosen and the others say the same of the pair, as far as their scenes and views allow.
            first = 0 if np.random.random() < 0.5 else count - 1
            new = _choose(m, st, c, asked[first], options, correct)
            says = m.towards[asked[first], new]
            for k in range(count):
                q = asked[k]
                for candidate in range(1, 64):
                    if m.towards[q, candidate] == says:
                        if st.sort[c, m.scene[q]] != CORRECT or m.right[0, q, candidate]:
                            put(m, aims, st, c, q, candidate)
                        break
        s = m.scene[asked[0]]
        fine = _allowed(st, c, s) and _allowed(st, c, m.scene[asked[count - 1]])
        if fine:
            describe(m, aims, st, c)
            st.totals[:] += st.statistics[c] - saved
            st.cost[c] = cell_cost(aims, st, c)
            after = objective(aims, st)
            if after <= total + threshold:
                total = after
                kept += 1
                continue
            st.totals[:] -= st.statistics[c] - saved
        for k in range(count - 1, -1, -1):
            put(m, aims, st, c, asked[k], before[k])
        st.statistics[c, :] = saved
        st.independent[c] = saved_sums
        st.dirty[c, :] = False
        st.cost[c] = cost
    return total, kept


@njit(cache=True)
def _count_nothing(m, aims, st):
    """Make the counters those of a state in which every answer is empty."""
    cells, scenes = st.sort.shape
    for c in range(cells):
        for q in range(len(m.viewpoint)):
            for half in range(2):
                worth = m.worth[0, q, 0, half]
                st.sums[c, _VIEW + m.viewpoint[q], half] += worth
                st.sums[c, _BLOCK + m.block[q], half] += worth
                st.of_scene[c, m.scene[q], half] += worth
                if m.tracked[q] >= 0:
                    st.sums[c, _FIXED + m.viewpoint[q], half] += worth
                if m.closed[q]:
                    st.sums[c, _CLOSED, half] += worth
                if m.target[q]:
                    st.sums[c, _TARGET, half] += worth
                st.sums[c, _STRICT, half] += m.strict[q, 0, half]
                if m.turned[q]:
                    st.sums[c, _TURNED + m.viewpoint[q], half] += m.worth[m.turns[0], q, 0, half]
                if m.part[q] == 0:
                    st.sums[c, _PART, half] += worth
                elif m.part[q] == 1:
                    for component in (1, 2):
                        st.sums[c, _PART + component, half] += m.worth[component, q, 0, half]
        for t in range(len(m.rows)):
            _fixed(m, st, c, t, 1)
        for k in range(len(m.ends)):
            _match(m, st, c, k, 1)
        st.rights[c, 0] = m.sizes[0]
        for s in range(scenes):
            st.errors[c, s] = m.first[s + 1] - m.first[s]
            _output(aims, st, c, s, 1)


def start(m, aims: Aims, answers: NDArray[np.int64], sort: NDArray[np.int64], shown: NDArray[np.int64]) -> State:
    """The state of so many cells (c, q), with all counters."""
    cells, questions = answers.shape
    scenes, populations, pairs = len(m.first) - 1, len(m.component), int(m.pair.max()) + 1

    def zeros(*shape: int, kind: type = np.int64) -> NDArray:
        return np.zeros((cells, *shape), dtype=kind)

    st = State(
        answer=zeros(questions),
        sums=zeros(_SUMS, 2),
        of_scene=zeros(scenes, 2),
        turned_right=zeros(10),
        audited=zeros(4),
        fixed=zeros(13),
        matched=zeros(2),
        ok=zeros(populations, m.views.shape[1], 10),
        view_ok=zeros(populations, 10),
        step_ok=zeros(populations, 10),
        alive=zeros(populations, 10),
        rights=zeros(11),
        independent=zeros(populations, _PREFIXES, kind=np.float64),
        dirty=zeros(populations, kind=np.bool_),
        errors=zeros(scenes),
        labels=zeros(scenes),
        sides=zeros(pairs, 2, 10),
        best=zeros(pairs),
        best_in=zeros(scenes),
        torn=zeros(scenes, 2),
        sort=sort.astype(np.int64),
        shown=shown.astype(np.int64),
        by_errors=zeros(2, MOST_ERRORS),
        by_both=zeros(2, MOST_ERRORS, MOST_LABELS),
        pooled=np.zeros(7),
        best_share=zeros(scenes, kind=np.float64),
        best_mean=np.zeros(cells),
        statistics=zeros(STATISTICS, kind=np.float64),
        totals=np.zeros(STATISTICS),
        cost=np.zeros(cells),
    )
    _count_nothing(m, aims, st)
    _fill(m, aims, st, answers.astype(np.int64))
    refresh(m, aims, st)
    return st


@njit(cache=True)
def _fill(m, aims, st, answers):
    for c in range(len(answers)):
        for q in range(answers.shape[1]):
            put(m, aims, st, c, q, answers[c, q])


@njit(cache=True)
def pool(aims, st):
    """Compute the pooled sums from the counters: needed when the isolated outputs that are matched with have changed."""
    st.pooled[:] = 0.0
    cells, scenes = st.errors.shape
    for c in range(cells):
        for errors in range(st.by_errors.shape[2]):
            drop, pairs = _stratum(st.by_errors[c, :, errors], aims.by_errors[c, :, errors])
            st.pooled[0] += drop
            st.pooled[1] += pairs
            for labels in range(st.by_both.shape[3]):
                drop, pairs = _stratum(st.by_both[c, :, errors, labels], aims.by_both[c, :, errors, labels])
                st.pooled[2] += drop
                st.pooled[3] += pairs
        for s in range(scenes):
            labels = st.labels[c, s]
            st.pooled[4] += labels
            st.pooled[5] += labels * labels
            st.pooled[6] += labels if st.sort[c, s] <= REALIZABLE else 0


def torn_table() -> NDArray[np.bool_]:
    """Whether each set of directions is contradictory for one pair, (1024,)."""
    return np.array([_torn(mask) for mask in range(1024)])
