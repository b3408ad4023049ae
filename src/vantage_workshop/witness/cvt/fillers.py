"""The filler regimes: answers about the fifteen target scenes, and to the attribute questions about the others (Tables S11 to S13)."""

import numpy as np
from numpy.typing import NDArray

from vantage.items import AttributeQuestions, CVTItems
from vantage.prompts import TARGET_POSITIONS, asked_in, batches
from vantage.published import counts_as_printed
from vantage_workshop.witness.cvt import search
from vantage_workshop.witness.cvt.block import WEIGHTS, Block
from vantage_workshop.witness.cvt.printed import Printed
from vantage_workshop.witness.cvt.sorts import NORMAL

MODELS = {"gemini": "gemini-3.1-pro", "qwen-os": "qwen-3.5-os"}
"""The models of the controls, by the name that the ids of Tables S11 to S13 give them."""

FILLERS = {"irrelevant-filler": "irrelevant_filler", "attribute-filler": "attribute_filler"}
RETRIEVED = ("image", "text-bbox")
"""The representations in which attribute questions were asked."""

MOVES = 1_000_000
START = 3.0


def cells() -> list[tuple[str, str]]:
    """Model, as Table S11 names it, and filler of the four cells with a picture."""
    return [(model, filler) for model in MODELS for filler in FILLERS]


def spatial(printed: Printed, blocks: dict[str, Block], seed: int) -> NDArray[np.int64]:
    """Answers of the four filler cells, (4, q); only those about target scenes count.

    The search begins where irrelevant filler leaves the isolated answers, attribute filler the competing ones.
    """
    begin = {"irrelevant-filler": blocks["isolated"], "attribute-filler": blocks["competing"]}
    isolated = blocks["isolated"]
    m, count = isolated.material, len(cells())
    aims = np.zeros((count, search.STATISTICS, 2))
    taken, rivals = [], []
    targets = np.unique(m.scene[m.target])
    cluster = np.full(len(m.first) - 1, -1)
    cluster[targets] = np.arange(len(targets))
    for k, (model, filler) in enumerate(cells()):
        block = begin[filler]
        c = printed.cells.index((MODELS[model], "image"))
        taken.append((block.state.answer[c], block.sort[c], block.state.shown[c]))
        for metric, place in (("f1", search.TARGET_F1), ("nsc", search.POPULATION_NSC)):
            number = printed(f"table-s11.{model}.{metric}.{filler}")
            aims[k, place] = number.value, number.half
        low, high = (printed(f"supp-5.{filler}-f1-{end}.{MODELS[model]}") for end in ("low", "high"))
        aims[k, search.SCATTER] = (high.value - low.value) / (2 * NORMAL), low.half / NORMAL
        rivals.append(blocks["competing"].state.of_scene[c])
    answers, sort, shown = (np.array(part) for part in zip(*taken, strict=True))
    free = isolated.aims
    own = free._replace(
        cell=aims,
        mean=np.zeros_like(free.mean),
        block=np.zeros_like(free.block),
        jitter=free.jitter[:count],
        endpoint=np.zeros(count, dtype=np.int64),
        drops=np.tile([-2.0, 2.0], (count, free.drops.shape[1], 1)),
        gaps=np.tile([-10.0, 10.0, -2.0], (count, 1)),
        isolated=free.isolated[:count],
        audit=np.tile([-1.0, 2.0], (count, 2, 1)),
        least_scatter=np.zeros((count, 2)),
        cluster=np.tile(cluster, (count, 1)),
        control=np.array(rivals),
        control_best=np.zeros_like(free.control_best[:count]),
        by_errors=np.zeros_like(free.by_errors[:count]),
        by_both=np.zeros_like(free.by_both[:count]),
    )
    state = search.start(m, own, answers, sort, shown)
    search.search(m, own, state, isolated.options, isolated.correct, MOVES, seed, START, np.array(WEIGHTS))
    return state.answer


def positions(items: CVTItems, scenes) -> NDArray[np.int64]:
    """The place of each scene in its prompt of twenty."""
    place = {scene: slot for batch in batches(items, 20) for slot, scene in enumerate(batch)}
    return scenes.map(place).to_numpy()


def right_counts(printed: list, everywhere, asked: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many attribute questions are right at each position, (20,), such that each share and their mean round as printed.

    `printed` has the number of each position, `everywhere` that of their mean, `asked` the questions at each position. The order of
    scenes has seen to it that there are such counts (`vantage_workshop.stimuli.cvt.slots`).
    """
    choices = [
        counts_as_printed(100 * number.value, 1, total) for number, total in zip(printed, asked.tolist(), strict=True)
    ]
    lowest = np.array([of[0] for of in choices])
    # Raise one position after another, as far as its own number allows, until the mean is as near as can be.
    counts, aim = lowest.copy(), everywhere.value * len(asked)
    order = np.argsort([-len(of) for of in choices], kind="stable")
    for place in order:
        for k in choices[place][1:]:
            with_it = counts.copy()
            with_it[place] = k
            if abs((with_it / asked).sum() - aim) < abs((counts / asked).sum() - aim):
                counts = with_it
    return counts


def retrieval(
    printed: Printed, items: CVTItems, attributes: AttributeQuestions, rng: np.random.Generator
) -> dict[tuple[str, str, int], list[frozenset[str]]]:
    """Answers to the attribute questions, along them, by model, representation and target position."""
    questions = attributes.questions
    place = positions(items, questions["scene"])
    asked = {
        position: ~asked_in(items, questions["scene"], "attribute_filler", position) for position in TARGET_POSITIONS
    }
    found = {}
    for model in MODELS:
        for representation in RETRIEVED:
            numbers = [
                printed(f"table-s{12 if slot < 10 else 13}.{model}.{representation}.position-{slot}")
                for slot in range(20)
            ]
            total = np.sum([np.bincount(place[rows], minlength=20) for rows in asked.values()], axis=0)
            counts = right_counts(numbers, printed(f"table-s13.{model}.{representation}.all"), total)
            wrong = {position: np.zeros(len(questions), dtype=bool) for position in TARGET_POSITIONS}
            for slot in range(20):
                here = [
                    (position, row)
                    for position in TARGET_POSITIONS
                    for row in np.flatnonzero(asked[position] & (place == slot))
                ]
                for k in rng.choice(len(here), total[slot] - counts[slot], replace=False):
                    position, row = here[k]
                    wrong[position][row] = True
            for position in TARGET_POSITIONS:
                found[MODELS[model], representation, position] = [
                    _wrong(gold, offered, rng) if missed else gold
                    for gold, offered, missed in zip(attributes.gold, attributes.offered, wrong[position], strict=True)
                ]
    return found


def _wrong(gold: frozenset[str], offered: tuple[str, ...], rng: np.random.Generator) -> frozenset[str]:
    """Gold with one of its answers exchanged for another that the question offers; with one left out where there is no other."""
    kept = [word for word in offered if word in gold]
    others = [word for word in offered if word not in gold]
    out = kept[rng.integers(len(kept))]
    rest = [word for word in kept if word != out]
    if others:
        rest.append(others[rng.integers(len(others))])
    return frozenset(rest)
