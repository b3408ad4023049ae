"""One hundred scenes with their questions, chosen so that the composition is the printed one, exactly and jointly.

Every place of the benchmark has a few candidate scenes and many candidate question draws for each; a local search in whole
numbers picks one draw a place. Whole numbers, because the choice must fall out the same on every machine; an integer
program does the same job, but its floating-point path is the machine's.

The figures are CVT-Bench's: Table S1 (Synthetic column), Table S2 (connected, positive cycle rank), Supp. 2.3 (medians) and, for
encounter positions, Supp. 3.6.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.relations import VIEWPOINTS, observed, relation_set, yaw_of
from vantage_workshop.stimuli.cvt.clevr import Scene, density, sample_scene
from vantage_workshop.stimuli.cvt.questions import Slot, draw_slots, encounter_order
from vantage_workshop.stimuli.cvt.slots import share_slots

SCENES_BY_TAGS = {2: 3, 3: 15, 4: 14, 5: 18, 7: 14, 8: 14, 9: 12, 10: 10}
"""Scenes by number of tagged objects. Table S1 gives 50 sparse and 50 dense scenes, 615 objects, 297 fixed pairs (three scenes
of two objects) and 5,703 questions (14 scenes of four objects when 15 have three); the rest is our choice."""

INITIAL_OBJECTS = 3
"""Sparse scenes begin with at least three objects (Supp. 1.2): one with two tagged ones hides its third."""

TOTALS = {"scenes_with_occlusion": 43, "occluded_questions": 1315, "two_labels": 5265}
"""Table S1. Its other totals follow: questions from the quotas, labels from questions with two labels."""

MEDIANS = {"labels": 114, "directed": 20.5, "undirected": 13, "repeated": 9, "cycle_rank": 8}
"""Supp. 2.3, medians over scenes; the sixth, six objects, follows from the quotas."""

QUARTER_TURN_LEAD = 0.95
"""Positions by which tracked questions at 90 and 270 degrees come earlier than those at other views, on average (Supp. 3.6)."""

POSITION_VARIANCE = 0.0014
"""Share of the variance of tracked questions' positions that the viewpoint explains (Supp. 3.6)."""

CANDIDATE_SCENES, CANDIDATE_DRAWS, CANDIDATE_ORDERS = 3, 40, 40
"""Scenes a place, question draws a scene, and encounter orders a scene to choose from."""

MOVES = 200_000
"""After so many moves a search is given up."""

SLACK = 3
"""By how much a move may bring the figures further away, at most, so that a search gets out of dead ends."""

# A scene with occlusion brings some thirty occluded questions with it, and a median moves in few and large steps: such a step
# weighs as much as the questions that it costs elsewhere.
_WEIGHTS = {"scenes_with_occlusion": 30, "occluded_questions": 1, "two_labels": 1, **dict.fromkeys(MEDIANS, 10)}

_QUARTER_TURNS = ("90", "270")


@dataclass(frozen=True)
class Figures:
    """What one scene and its questions contribute to the composition.

    `labels` are gold labels over all questions, which are the inequalities of Supp. 2.3; `directed` and `undirected` the
    distinct pairs asked; `repeated` the directed pairs asked more than once; `cycle_rank` that of the undirected query
    graph; `connected` whether that graph reaches every tagged object from every other.
    """

    scenes_with_occlusion: int
    occluded_questions: int
    two_labels: int
    labels: int
    directed: int
    undirected: int
    repeated: int
    cycle_rank: int
    connected: bool


def labels_by_view(scene: Scene) -> dict[str, np.ndarray]:
    """How many labels each pair has at each viewpoint: arrays (tags, tags), target by anchor."""
    displacements = scene.plane[:, None, :] - scene.plane[None, :, :]
    return {view: np.bitwise_count(relation_set(observed(displacements, yaw_of(view)))) for view in VIEWPOINTS}


def figures(scene: Scene, labels: dict[str, np.ndarray], slots: Sequence[Slot]) -> Figures:
    """The figures of a scene, given `labels_by_view` of it and its questions."""
    occluded = scene.occluded
    counts = [int(labels[slot.viewpoint][slot.pair]) for slot in slots]
    asked = Counter(slot.pair for slot in slots)
    edges = {frozenset(pair) for pair in asked}
    parts = connected_parts(len(scene.tagged), edges)
    return Figures(
        scenes_with_occlusion=int(bool(occluded)),
        occluded_questions=sum(not occluded.isdisjoint(slot.pair) for slot in slots),
        two_labels=counts.count(2),
        labels=sum(counts),
        directed=len(asked),
        undirected=len(edges),
        repeated=sum(times > 1 for times in asked.values()),
        cycle_rank=len(edges) - len(scene.tagged) + parts,
        connected=parts == 1,
    )


def connected_parts(nodes: int, edges: set[frozenset[int]]) -> int:
    """The number of connected parts of a graph."""
    part = list(range(nodes))
    for one, other in map(sorted, edges):
        part = [part[one] if p == part[other] else p for p in part]
    return len(set(part))


@dataclass(frozen=True)
class Chosen:
    """A scene and its questions, in encounter order."""

    scene: Scene
    slots: list[Slot]


def compose(seed: int, progress: Callable[[Sequence], Sequence] = iter) -> list[Chosen]:
    """The hundred scenes with their questions, in the frozen order: sparse first, dense last (Supp. 1.4).

    `progress` wraps the loop over places, to show how far it is.
    """
    candidates = [_candidates(seed, place, tags) for place, tags in progress(_places(seed))]
    choice = _choose_draws(random.Random(f"{seed} draws"), [[figure for *_, figure in place] for place in candidates])
    chosen = [place[index] for place, index in zip(candidates, choice, strict=True)]
    orders = choose_orders(seed, [slots for _, slots, _ in chosen], QUARTER_TURN_LEAD, POSITION_VARIANCE)
    scenes = [Chosen(scene, [slots[i] for i in order]) for (scene, slots, _), order in zip(chosen, orders, strict=True)]
    halves = [density(len(one.scene.tagged)) for one in scenes]
    return [scenes[place] for place in share_slots([len(one.slots) for one in scenes], halves)]


def _places(seed: int) -> list[tuple[int, int]]:
    """(place, number of tags) in the frozen order; shuffled within sparse and within dense scenes."""
    rng = random.Random(f"{seed} places")
    tags = [number for number, scenes in SCENES_BY_TAGS.items() for _ in range(scenes)]
    halves = [[number for number in tags if density(number) == half] for half in ("sparse", "dense")]
    return list(enumerate(number for half in halves for number in rng.sample(half, len(half))))


def _candidates(seed: int, place: int, tags: int) -> list[tuple[Scene, list[Slot], Figures]]:
    found = []
    for number in range(CANDIDATE_SCENES):
        initial = max(tags, INITIAL_OBJECTS)
        scene = sample_scene(random.Random(f"{seed} place {place} scene {number}"), initial, hidden=initial - tags)
        labels = labels_by_view(scene)
        for draw in range(CANDIDATE_DRAWS):
            slots = draw_slots(random.Random(f"{seed} place {place} scene {number} draw {draw}"), tags, scene.occluded)
            figure = figures(scene, labels, slots)
            if figure.connected:
                found.append((scene, slots, figure))
    return found


def _choose_draws(rng: random.Random, candidates: Sequence[Sequence[Figures]]) -> list[int]:
    """One candidate a place, such that all totals and medians are the printed ones."""
    names = [*TOTALS, *MEDIANS]
    table = [np.array([[getattr(figure, name) for name in names] for figure in place]) for place in candidates]
    return _search(
        rng,
        [len(place) for place in table],
        lambda choice: _composition_distance(
            np.array([place[index] for place, index in zip(table, choice, strict=True)])
        ),
    )


def _search(
    rng: random.Random,
    sizes: Sequence[int],
    distance: Callable[[Sequence[int]], int],
) -> list[int]:
    """An index below its size a place, such that `distance` of all of them is 0.

    Changes one place at a time and keeps what brings the distance not much further. Raises `RuntimeError` when it gets nowhere.
    """
    choice = [rng.randrange(size) for size in sizes]
    away = distance(choice)
    for _ in range(MOVES):
        if away == 0:
            return choice
        place = rng.randrange(len(sizes))
        before, choice[place] = choice[place], rng.randrange(sizes[place])
        moved = distance(choice)
        if moved <= away + rng.randrange(SLACK + 1):
            away = moved
        else:
            choice[place] = before
    raise RuntimeError(
        f"expected to meet the printed composition, still {away} away after {MOVES} moves; allow more candidates"
    )


def _composition_distance(rows: np.ndarray) -> int:
    """How far figures (places, totals and medians) are from the printed ones, in whole numbers."""
    totals = np.abs(rows[:, : len(TOTALS)].sum(axis=0) - list(TOTALS.values()))
    ordered = np.sort(rows[:, len(TOTALS) :], axis=0)
    twice_medians = ordered[len(rows) // 2 - 1] + ordered[len(rows) // 2]
    medians = np.abs(twice_medians - [round(2 * median) for median in MEDIANS.values()])
    return int((np.concatenate([totals, medians]) * [_WEIGHTS[name] for name in (*TOTALS, *MEDIANS)]).sum())


def choose_orders(seed: int, scenes: Sequence[Sequence[Slot]], lead: float, explained: float) -> list[list[int]]:
    """An encounter order a scene, such that `position_figures` of all tracked questions round to these two (Supp. 3.6)."""
    orders = [
        [
            encounter_order(random.Random(f"{seed} place {place} order {order}"), len(slots))
            for order in range(CANDIDATE_ORDERS)
        ]
        for place, slots in enumerate(scenes)
    ]
    sums = [[_position_sums(slots, order) for order in choices] for slots, choices in zip(scenes, orders, strict=True)]
    counts = sum(_position_counts(slots) for slots in scenes)
    choice = _search(
        random.Random(f"{seed} orders"),
        [CANDIDATE_ORDERS] * len(scenes),
        lambda choice: _position_distance(
            position_figures(sum(place[index] for place, index in zip(sums, choice, strict=True)), counts),
            (lead, explained),
        ),
    )
    return [place[index] for place, index in zip(orders, choice, strict=True)]


def _position_counts(slots: Sequence[Slot]) -> np.ndarray:
    """How many tracked questions there are at each viewpoint."""
    return np.array([sum(slot.tracked is not None for slot in slots if slot.viewpoint == view) for view in VIEWPOINTS])


def _position_sums(slots: Sequence[Slot], order: Sequence[int]) -> np.ndarray:
    """Sums (2, views) of the positions, from 1, and of their squares, of the tracked questions at each viewpoint."""
    sums = np.zeros((2, len(VIEWPOINTS)), dtype=np.int64)
    for position, index in enumerate(order, 1):
        if slots[index].tracked is not None:
            sums[:, VIEWPOINTS.index(slots[index].viewpoint)] += position, position * position
    return sums


def _position_distance(figures: tuple[float, float], wanted: tuple[float, float]) -> int:
    """How far encounter positions are from both figures of Supp. 3.6, in units of their last printed decimal."""
    (lead, explained), (wanted_lead, wanted_explained) = figures, wanted
    return abs(round(100 * (lead - wanted_lead))) + abs(round(10_000 * (explained - wanted_explained)))


def position_figures(sums: np.ndarray, counts: np.ndarray) -> tuple[float, float]:
    """By how many positions quarter turns come earlier than the other eight conditions, on average, and the share of the
    positions' variance between the ten conditions.

    `sums` (2, views) has the sums of positions and of their squares, `counts` (views,) how many. The share is the sum of
    squares between conditions over the total one (eta squared). "Other views" and "angle" might also leave Top out; a
    search found no orders that meet both figures both ways.
    """
    position, square = sums
    quarter = np.isin(VIEWPOINTS, _QUARTER_TURNS)
    lead = position[~quarter].sum() / counts[~quarter].sum() - position[quarter].sum() / counts[quarter].sum()
    middle = position.sum() * position.sum() / counts.sum()
    return float(lead), float(((position * position / counts).sum() - middle) / (square.sum() - middle))
