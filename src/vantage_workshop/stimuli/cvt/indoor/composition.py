"""One hundred rooms with their questions, chosen so that the composition is the one printed for CVT-Real, exactly and jointly.

As for CVT-Synthetic-Open: every place has a few candidate rooms and many question draws for each, and a local search in whole
numbers picks one draw a place. The medians are what stalls such a search. Here they are put as bounds on how many scenes
lie below and above, so that every move towards them counts.

The figures are CVT-Bench's: Table S1 (Real column), Table S2 (connected, positive cycle rank), Supp. 1.3 (vertical fixed pairs),
Supp. 2.3 (medians), Supp. 3.5 (closed pairs) and, for encounter positions, Supp. 3.6.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.relations import VIEWPOINTS, asserted, observed, yaw_of
from vantage.transport import CARDINAL, recoverable
from vantage_workshop.stimuli.cvt.clevr import density
from vantage_workshop.stimuli.cvt.composition import choose_orders, connected_parts
from vantage_workshop.stimuli.cvt.indoor.protocol import VERTICAL_TRACKED, Scene, draw_slots
from vantage_workshop.stimuli.cvt.indoor.rooms import sample_scene
from vantage_workshop.stimuli.cvt.questions import SOURCE, Slot

SCENES_BY_SORT = {
    (3, 0): (4, 6), (3, 1): (2, 1), (3, 2): (14, 0), (3, 3): (8, 0),
    (4, 0): (7, 0), (4, 1): (5, 0), (4, 2): (1, 0), (4, 3): (1, 0),
    (5, 0): (1, 0), (5, 1): (1, 0), (5, 2): (2, 0), (5, 3): (1, 0),
    (6, 0): (2, 0), (6, 1): (1, 0), (6, 3): (11, 0),
    (7, 0): (1, 0), (7, 3): (12, 0),
    (8, 0): (1, 0), (8, 3): (8, 0),
    (9, 0): (1, 0), (9, 3): (5, 0),
    (10, 3): (4, 0),
}  # fmt: skip
"""Scenes by tagged things and vertical fixed pairs: those with three admitted pairs or more, and those with two.

Printed are 54 sparse and 46 dense scenes, 527 objects, 23, 10, 17 and 50 scenes with 0, 1, 2 and 3 vertical fixed pairs, 544
questions at each view (550 slots, so six scenes with two admitted pairs leave one empty), and the median of five objects; the rest
is our choice."""

EXTENT_FROM = 1.0
"""The least extent of a scene, metres: in a smaller one, things a hand's breadth apart would count as left and right."""

TOTALS = {
    "source": 1234,
    "one_label": 1348,
    "three_labels": 1566,
    "scenes_with_occlusion": 38,
    "occluded_questions": 1268,
    "closed": 426,
    "acyclic": 7,
}
"""Table S1, Supp. 3.5 (closed) and Table S2 (acyclic). Questions and labels follow, of all and of two labels."""

MEDIANS = {"labels": 109, "directed": 13, "undirected": 8.5, "repeated": 6, "cycle_rank": 4}
"""Supp. 2.3, medians over scenes; the sixth, five objects, follows from the quotas."""

QUARTER_TURN_LEAD, POSITION_VARIANCE = 0.08, 0.0024
"""Supp. 3.6, questions and a fraction."""

CANDIDATE_SCENES, CANDIDATE_SCENES_NEAR_MEDIAN, CANDIDATE_DRAWS = 8, 32, 16
"""Scenes a place and question draws a scene to choose from. Printed are a median of 109 labels and 50 scenes with three vertical
fixed pairs, which hardly ever have so few: so nearly all scenes with two such pairs must, and some of three things with three."""

SEARCHES, MOVES = 12, 600_000
"""After so many searches of so many moves it is given up."""

SLACK = 50
"""By how much a move may bring the figures further away, at most, at the start of a search; it falls evenly to nothing."""

# A scene with occlusion brings some thirty occluded questions with it; a scene on the wrong side of a median, or with a cycle
# rank of zero, can cost a dozen labels.
_WEIGHTS = {"source": 3, "closed": 2, "scenes_with_occlusion": 20, "acyclic": 12}
_MEDIAN_WEIGHT = 25

# Shares of the places that things are drawn in, by the number of vertical fixed pairs that are wanted.
_FLOOR = {"floor": 1.0, "wall": 0.7}
_SHARES = (
    _FLOOR,
    _FLOOR | {"top": 0.6},
    _FLOOR | {"top": 0.6, "hung": 0.3, "ceiling": 0.1},
    _FLOOR | {"top": 1.0, "hung": 0.7, "ceiling": 0.3},
)

# Two things close to each other and a third apart: mostly one that stands on another.
_SCARCE_SHARES = _SHARES[1]


@dataclass(frozen=True)
class Figures:
    """What one scene and its questions contribute to the composition.

    As `vantage_workshop.stimuli.cvt.composition.Figures`, and: questions at the `source` view, questions with one and with three
    labels, `closed` fixed pairs (Supp. 3.5), and `acyclic`, 1 where the cycle rank is 0.
    """

    source: int
    one_label: int
    three_labels: int
    scenes_with_occlusion: int
    occluded_questions: int
    closed: int
    labels: int
    directed: int
    undirected: int
    repeated: int
    cycle_rank: int
    acyclic: int
    connected: bool


def masks_by_view(scene: Scene) -> dict[str, np.ndarray]:
    """The horizontal gold of each pair at each viewpoint: arrays (tags, tags), target by anchor."""
    apart = scene.plane[:, None, :] - scene.plane[None, :, :]
    return {view: asserted(observed(apart, yaw_of(view)), scene.margin) for view in VIEWPOINTS}


def figures(scene: Scene, masks: dict[str, np.ndarray], slots: Sequence[Slot]) -> Figures:
    """The figures of a scene, given `masks_by_view` of it and its questions."""
    occluded = scene.occluded
    counts = [int(masks[s.viewpoint][s.pair]).bit_count() + (s.kind == "vertical") for s in slots]
    asked = Counter(slot.pair for slot in slots)
    edges = {frozenset(pair) for pair in asked}
    parts = connected_parts(len(scene.tagged), edges)
    fixed = [slot.pair for slot in slots if slot.tracked is not None and slot.viewpoint == SOURCE]
    orbits = np.array([[masks[str(yaw)][pair] for yaw in CARDINAL] for pair in fixed])
    rank = len(edges) - len(scene.tagged) + parts
    return Figures(
        source=sum(slot.viewpoint == SOURCE for slot in slots),
        one_label=counts.count(1),
        three_labels=counts.count(3),
        scenes_with_occlusion=int(bool(occluded)),
        occluded_questions=sum(not occluded.isdisjoint(slot.pair) for slot in slots),
        closed=int(recoverable(orbits).sum()),
        labels=sum(counts),
        directed=len(asked),
        undirected=len(edges),
        repeated=sum(times > 1 for times in asked.values()),
        cycle_rank=rank,
        acyclic=int(rank == 0),
        connected=parts == 1,
    )


@dataclass(frozen=True)
class Sort:
    """What a place asks of its scene: tagged things, vertical fixed pairs, and whether only two pairs are admitted."""

    tags: int
    vertical: int
    scarce: bool

    @property
    def near_median(self) -> bool:
        """Whether its scenes have about as many labels as the median."""
        return self.vertical == 2 or (self.tags, self.vertical) == (3, VERTICAL_TRACKED)

    def fits(self, scene: Scene) -> bool:
        """Whether a scene is of this sort."""
        pairs = len(scene.admitted)
        return (
            scene.extent >= EXTENT_FROM
            and len(scene.tagged) == self.tags
            and min(len(scene.vertical), VERTICAL_TRACKED) == self.vertical
            and (pairs == 2 if self.scarce else pairs >= 3)
        )


@dataclass(frozen=True)
class Chosen:
    """A scene and its questions, in encounter order."""

    scene: Scene
    slots: list[Slot]


def compose(seed: int, progress: Callable[[Sequence], Sequence] = iter) -> list[Chosen]:
    """The hundred scenes with their questions, in the frozen order: sparse first, dense last (Supp. 1.4).

    `progress` wraps the loop over places, to show how far it is.
    """
    candidates = [_candidates(seed, sort, number) for sort, number in progress(_places(seed))]
    choice = choose_draws(seed, [[figure for *_, figure in place] for place in candidates])
    chosen = [place[index] for place, index in zip(candidates, choice, strict=True)]
    orders = choose_orders(seed, [slots for _, slots, _ in chosen], QUARTER_TURN_LEAD, POSITION_VARIANCE)
    return [Chosen(scene, [slots[i] for i in order]) for (scene, slots, _), order in zip(chosen, orders, strict=True)]


def _places(seed: int) -> list[tuple[Sort, int]]:
    """(sort of scene, number among those of its sort) in the frozen order; shuffled within sparse and within dense scenes."""
    rng = random.Random(f"{seed} indoor places")
    places = [
        (Sort(*sort, scarce), number)
        for sort, numbers in SCENES_BY_SORT.items()
        for scarce, count in zip((False, True), numbers, strict=True)
        for number in range(count)
    ]
    halves = [[place for place in places if density(place[0].tags) == half] for half in ("sparse", "dense")]
    return [place for half in halves for place in rng.sample(half, len(half))]


def _candidates(seed: int, sort: Sort, number: int) -> list[tuple[Scene, list[Slot], Figures]]:
    found = []
    for candidate in range(CANDIDATE_SCENES_NEAR_MEDIAN if sort.near_median else CANDIDATE_SCENES):
        name = f"{seed} {sort} {number} scene {candidate}"
        scene = _scene(name, sort)
        masks = masks_by_view(scene)
        for draw in range(CANDIDATE_DRAWS):
            slots = draw_slots(random.Random(f"{name} draw {draw}"), scene.admitted, scene.vertical, scene.occluded)
            figure = figures(scene, masks, slots)
            if figure.connected:
                found.append((scene, slots, figure))
    return found


def _scene(name: str, sort: Sort) -> Scene:
    """The first room of a sort that the generator of this name draws."""
    rng = random.Random(name)
    shares = _SCARCE_SHARES if sort.scarce else _SHARES[sort.vertical]
    while True:
        scene = sample_scene(rng, sort.tags + rng.randrange(2), shares)
        if sort.fits(scene):
            return scene


def choose_draws(seed: int, candidates: Sequence[Sequence[Figures]]) -> list[int]:
    """One candidate a place, such that all totals and medians are the printed ones.

    Changes one place at a time and keeps what brings the figures nearer, or not much further away. Raises `RuntimeError`
    when several searches get nowhere.
    """
    table = [np.array([contribution(figure, len(candidates)) for figure in place]) for place in candidates]
    low, high, weight = np.array(bounds(len(candidates))).T

    def distance(total: np.ndarray) -> int:
        return int((weight * (np.maximum(low - total, 0) + np.maximum(total - high, 0))).sum())

    for attempt in range(SEARCHES):
        rng = random.Random(f"{seed} indoor draws {attempt}")
        choice = [rng.randrange(len(place)) for place in table]
        total = sum(place[index] for place, index in zip(table, choice, strict=True))
        away = distance(total)
        for move in range(MOVES):
            if away == 0:
                return choice
            place = rng.randrange(len(table))
            index = rng.randrange(len(table[place]))
            moved = total - table[place][choice[place]] + table[place][index]
            there = distance(moved)
            if there <= away + rng.randrange(SLACK * (MOVES - move) // MOVES + 1):
                choice[place], total, away = index, moved, there
    raise RuntimeError(f"expected to meet the printed composition, still {away} away; allow more candidates")


def contribution(figure: Figures, scenes: int) -> list[int]:
    """What a scene adds to each of `bounds`, in their order."""
    totals = [getattr(figure, name) for name in TOTALS]
    return totals + [
        int(counts(getattr(figure, name))) for name, median in MEDIANS.items() for counts, *_ in _sides(median, scenes)
    ]


def bounds(scenes: int) -> list[tuple[int, int, int]]:
    """Least sum, greatest sum and weight of each contribution: a composition within all of them is the printed one."""
    totals = [(total, total, _WEIGHTS.get(name, 1)) for name, total in TOTALS.items()]
    return totals + [
        (low, high, _MEDIAN_WEIGHT) for median in MEDIANS.values() for _, low, high in _sides(median, scenes)
    ]


def _sides(median: float, scenes: int) -> list[tuple[Callable[[int], bool], int, int]]:
    """What makes a median of an even number of whole numbers: which scenes count, how many at least and at most.

    A whole median is met when fewer than half lie below it and fewer than half above. One between two whole numbers is met
    when half lie below it and both neighbours occur.
    """
    half = scenes // 2
    if float(median).is_integer():
        return [(lambda value: value < median, 0, half - 1), (lambda value: value > median, 0, half - 1)]
    lower, upper = math.floor(median), math.ceil(median)
    return [
        (lambda value: value < median, half, half),
        (lambda value: value == lower, 1, scenes),
        (lambda value: value == upper, 1, scenes),
    ]
