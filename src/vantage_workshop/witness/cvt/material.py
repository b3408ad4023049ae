"""The items of a domain as arrays that the search reads, and the tables of what each possible answer is worth.

An answer is a relation set, a number below 64. Tables have a row a question and a column an answer; those about scores have a
leading axis of three components: the whole set, its horizontal labels and its vertical ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.items import CVTItems, displacements, matched_cycle_pairs, tracked_rows, viewpoint_numbers
from vantage.quarter_turns import DIAGONALS, QUARTERS
from vantage.realizability.constraints import asserted_masks
from vantage.relations import ABOVE, BELOW, HORIZONTAL, VIEWPOINTS, asserted, opposite, transport
from vantage.scoring import exact, label_counts
from vantage.transport import CARDINAL_VIEWS, recoverable

VERTICAL = ABOVE | BELOW
ANSWERS = 64
COMPONENTS = (HORIZONTAL | VERTICAL, HORIZONTAL, VERTICAL)
FULL, FLAT, UPRIGHT = range(3)
"""The components: all labels, the horizontal ones, the vertical ones."""

ALIGNED, ALTERNATIVE, REST = range(1, 4)
"""Quarter-turn errors with exactly one relation right: the answer of the source view, its opposite, any other."""

BLOCKS = 10
"""Parts of the frozen order of scenes by which F1 is summed: prompts of ten scenes."""


class Material(NamedTuple):
    """Arrays along questions (q), scenes (s), undirected object pairs (u), fixed pairs (t), matched pairs (m), populations (p)."""

    viewpoint: NDArray[np.int64]  # (q,) place among VIEWPOINTS
    scene: NDArray[np.int64]  # (q,)
    pair: NDArray[np.int64]  # (q,) undirected pair
    block: NDArray[np.int64]  # (q,)
    tracked: NDArray[np.int64]  # (q,) fixed pair, or -1
    matched: NDArray[np.int64]  # (q,) matched pair, or -1
    closed: NDArray[np.bool_]  # (q,) of a closed fixed pair, at a cardinal view
    turned: NDArray[np.bool_]  # (q,) of a fixed pair of Table S8
    target: NDArray[np.bool_]  # (q,) of a target scene of the filler regimes
    part: NDArray[np.int64]  # (q,) of Table S5: 0 for fixed horizontal pairs, 1 for the others, else -1
    audit: NDArray[np.int64]  # (q, answers): 0, or which error with one relation right
    wording: NDArray[np.int64]  # (q,) fixed pair at a quarter turn: 0 worded the short way, 1 the long way; else -1
    worth: NDArray[np.int64]  # (3, q, answers, 2): 2 TP, labels asserted and relevant
    right: NDArray[np.bool_]  # (3, q, answers)
    strict: NDArray[np.int64]  # (q, answers, 2): as worth, for gold alone
    labels: NDArray[np.int64]  # (answers,)
    towards: NDArray[np.int64]  # (q, answers): directions asserted, the pair always seen from the same end
    rows: NDArray[np.int64]  # (t, 10) questions of a fixed pair by viewpoint
    recoverable: NDArray[np.bool_]  # (t,)
    endpoint: NDArray[np.int64]  # (t, 4): at each diagonal 0 simple, 1 cross-axis, -1 neither
    ends: NDArray[np.int64]  # (m, 2) questions of a matched pair at 0 and 360
    component: NDArray[np.int64]  # (p,) whose answers count
    member: NDArray[np.int64]  # (p, q) trajectory, or -1
    step: NDArray[np.int64]  # (q,) encounter step of a fixed pair's question, from 0
    views: NDArray[np.int64]  # (p, trajectories, 10) viewpoint at each step; populations are as long as the longest
    sizes: NDArray[np.int64]  # (p,) trajectories
    first: NDArray[np.int64]  # (s + 1,) where the questions of each scene begin
    turns: NDArray[np.int64]  # (1,) the component that Table S8 is about
    counts: NDArray[np.int64]  # (4,) closed pairs; of Table S8 pairs, quarter turns by wording


def directions(items: CVTItems) -> NDArray[np.int64]:
    """What each possible answer to each question asserts, (q, 64), as bits of `DIRECTIONS`, target towards anchor."""
    questions = items.questions
    return np.stack(
        [asserted_masks(np.full(len(questions), mask, dtype=np.uint8), questions) for mask in range(ANSWERS)], axis=1
    ).astype(np.int64)


def _reversed(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Directions as seen from the other end of the pair."""
    flat, up = masks & 255, masks >> 8
    return ((flat << 4 | flat >> 4) & 255) | (((up & 1) << 1 | up >> 1) << 8)


def prepare(items: CVTItems, targets: list[str]) -> Material:
    """The arrays of a domain. `targets` has the target scenes of the filler regimes."""
    questions, gold = items.questions, items.gold
    count = len(questions)
    names = {scene["scene"]: k for k, scene in enumerate(items.scenes)}
    scene = questions.scene.map(names).to_numpy()
    low, high = (getattr(questions[["target", "anchor"]], end)(axis=1).to_numpy() for end in ("min", "max"))
    pair = np.unique(np.column_stack([scene, low, high]), axis=0, return_inverse=True)[1].ravel()
    view = viewpoint_numbers(questions)
    towards = directions(items)
    swapped = (questions.target > questions.anchor).to_numpy()
    towards[swapped] = _reversed(towards[swapped])
    answers = np.arange(ANSWERS, dtype=np.uint8)
    worth, right = np.zeros((3, count, ANSWERS, 2), dtype=np.int64), np.zeros((3, count, ANSWERS), dtype=bool)
    strict = np.zeros((count, ANSWERS, 2), dtype=np.int64)
    for mask in answers:
        for place, bits in enumerate(COMPONENTS):
            said, sets = np.full(count, mask & bits, dtype=np.uint8), items.admissible & np.uint8(bits)
            counts = label_counts(said, sets)
            worth[place, :, mask] = np.column_stack([2 * counts.true_positive, counts.asserted + counts.relevant])
            right[place, :, mask] = exact(said, sets)
        counts = label_counts(np.full(count, mask, dtype=np.uint8), items.admissible[:, :1])
        strict[:, mask] = np.column_stack([2 * counts.true_positive, counts.asserted + counts.relevant])
    rows = tracked_rows(questions)
    tracked = np.full(count, -1)
    tracked[rows] = np.arange(len(rows))[:, None]
    upright = (questions.kind == "vertical").to_numpy()
    of_vertical = upright[rows[:, 0]]
    cardinal = rows[:, list(CARDINAL_VIEWS)]
    recovered = recoverable(gold[cardinal])
    closed = np.zeros(count, dtype=bool)
    closed[cardinal[recovered]] = True
    turned_pairs = of_vertical if of_vertical.any() else np.ones(len(rows), dtype=bool)
    turned = np.zeros(count, dtype=bool)
    turned[rows[turned_pairs]] = True
    ends = matched_cycle_pairs(questions)
    matched = np.full(count, -1)
    matched[ends] = np.arange(len(ends))[:, None]
    quarter = rows[np.ix_(turned_pairs, [VIEWPOINTS.index(str(yaw)) for yaw in QUARTERS])].ravel()
    turns = FLAT if of_vertical.any() else FULL
    wording = np.full(count, -1)
    wording[quarter] = (questions.orbit_angle.to_numpy()[quarter] == 270).astype(int)
    targeted = questions.scene.isin(targets).to_numpy()
    encounter = np.sort(rows, axis=1)
    step = np.zeros(count, dtype=np.int64)
    step[encounter] = np.arange(10)
    everyone = np.ones(len(rows), dtype=bool)
    if of_vertical.any():
        populations = [(FULL, everyone), (FULL, ~of_vertical), (FLAT, of_vertical), (UPRIGHT, of_vertical)]
    else:
        populations = [(FULL, everyone), (FULL, targeted[rows[:, 0]])]
    member = np.full((len(populations), count), -1)
    views = np.zeros((len(populations), len(rows), 10), dtype=np.int64)
    for p, (_, chosen) in enumerate(populations):
        member[p, encounter[chosen]] = np.arange(chosen.sum())[:, None]
        views[p, : chosen.sum()] = view[encounter[chosen]]
    part = np.full(count, -1)
    if of_vertical.any():
        part[rows] = of_vertical.astype(int)[:, None]
    return Material(
        viewpoint=view,
        scene=scene,
        pair=pair,
        block=scene * BLOCKS // len(items.scenes),
        tracked=tracked,
        matched=matched,
        closed=closed,
        turned=turned,
        target=targeted,
        part=part,
        audit=_audit(gold, quarter, view, right[turns]),
        wording=wording,
        worth=worth,
        right=right,
        strict=strict,
        labels=np.bitwise_count(answers).astype(np.int64),
        towards=towards,
        rows=rows,
        recoverable=recovered,
        endpoint=_endpoints(items, rows, turned_pairs),
        ends=ends,
        component=np.array([component for component, _ in populations]),
        member=member,
        step=step,
        views=views,
        sizes=np.array([chosen.sum() for _, chosen in populations]),
        first=np.searchsorted(scene, np.arange(len(items.scenes) + 1)),
        turns=np.array([turns]),
        counts=np.array([recovered.sum(), turned_pairs.sum(), (wording == 0).sum(), (wording == 1).sum()]),
    )


def _endpoints(items: CVTItems, rows: NDArray[np.int64], chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """At each diagonal of each fixed pair: does gold read as the half-turn endpoint, 0, or as the quarter-turn one, 1? (Supp. 3.6)"""
    gold = items.gold & np.uint8(HORIZONTAL)
    kinds = np.full((len(rows), len(DIAGONALS)), -1)
    for place, yaw in enumerate(DIAGONALS):
        here = gold[rows[:, VIEWPOINTS.index(str(yaw))]]
        for endpoint in (yaw - 45, yaw + 45):
            same = here == transport(gold[rows[:, 0]], endpoint)
            kinds[same, place] = int(endpoint in QUARTERS)
    kinds[~chosen] = -1
    return kinds


def _audit(
    gold: NDArray[np.uint8], quarter: NDArray[np.int64], view: NDArray[np.int64], right: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """What each wrong answer to the questions `quarter` with two labels is in the audit of aligned errors (`vantage.quarter_turns`)."""
    kinds = np.zeros((len(gold), ANSWERS), dtype=np.int64)
    flat = gold & np.uint8(HORIZONTAL)
    for yaw in QUARTERS:
        rows = quarter[(view[quarter] == VIEWPOINTS.index(str(yaw))) & (np.bitwise_count(flat[quarter]) == 2)]
        source = transport(flat[rows], 360 - yaw)
        for mask in np.arange(ANSWERS, dtype=np.uint8):
            said = mask & np.uint8(HORIZONTAL)
            kind = np.select([said == source, said == opposite(source)], [ALIGNED, ALTERNATIVE], REST)
            counted = ~right[rows, mask] & (np.bitwise_count(said & flat[rows]) == 1)
            kinds[rows[counted], mask] = kind[counted]
    return kinds


def wrong_answers(items: CVTItems, rng: np.random.Generator) -> dict[str, NDArray[np.uint8]]:
    """One answer of each kind of error to each question, horizontal labels alone, (q,): what the search may propose.

    `omission` leaves a label out where gold has two, and adds one of the other axis where it has one; `neighbour` turns one of two
    labels into its opposite; `inverse` turns all; `unturned` is gold of the same pair at 0 degrees, as if nothing had moved.
    """
    gold = items.gold & np.uint8(HORIZONTAL)
    lateral, depth = gold & np.uint8(3), gold & np.uint8(12)
    first = rng.random(len(gold)) < 0.5
    two = (lateral > 0) & (depth > 0)
    added = np.where(lateral > 0, np.where(first, 4, 8), np.where(first, 1, 2)).astype(np.uint8)
    omission = np.where(two, np.where(first, lateral, depth), gold | added).astype(np.uint8)
    neighbour = np.where(
        two, np.where(first, opposite(lateral) | depth, lateral | opposite(depth)), opposite(gold)
    ).astype(np.uint8)
    unturned = asserted(displacements(items), items.margins)
    return {"omission": omission, "neighbour": neighbour, "inverse": opposite(gold), "unturned": unturned}
