"""How realizable each scene is in each cell: decided before any answer is, from whole scenes and what is printed about them.

Table 1 says how many scenes of a cell are realizable, and other numbers how many of all outputs are wholly right, or realizable on
the closed fixed pairs alone. Which scenes those are decides how the count of constraints goes with realizability, how the drop
between regimes scatters over prompts, and in how many cells it is clear of zero: choices are exchanged until all of that is as
printed. Scenes with few objects are favoured, as fewer answers can contradict each other there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.items import CVTItems
from vantage_workshop.witness.cvt.printed import DOMAINS, REGIMES, SCENES, SMALLER_LOAD, Number, Printed
from vantage_workshop.witness.cvt.search import CORRECT, NOWHERE, PARTLY, REALIZABLE

NORMAL = 1.96
"""Standard deviations from the mean to the ends of a 95 % interval."""

FAVOUR = {"isolated": 1.2, "competing": 0.6}
"""How strongly scenes with few objects are favoured, a standard deviation of objects against Gumbel noise."""

_EXCHANGES = 15_000
_ROUNDS = 8
_DRAWS = 20_000

_CLEAR, _UNCLEAR = 2.3, 1.3
"""Standard deviations by which a drop is above zero, at least or at most, for its interval to be so or not: on five prompts resampled
means are not normal, hence the room between."""


def whole(share: float, of: int) -> int:
    """The count whose share is nearest, the greater one of two."""
    return int(share * of + 0.5)


def allot(total: int, weights: NDArray[np.float64], most: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whole shares of a total in proportion to weights, none above `most`: one after another to whoever is furthest behind."""
    shares = np.zeros(len(weights), dtype=np.int64)
    for _ in range(total):
        behind = np.where(shares < most, weights / (shares + 0.5), -1.0)
        shares[behind.argmax()] += 1
    return shares


def prompts(printed: Printed) -> NDArray[np.int64]:
    """The competing prompt of each scene in each cell, (15, scenes)."""
    return np.array([np.arange(SCENES) * (10 if model == SMALLER_LOAD else 5) // SCENES for model, _ in printed.cells])


def spread(printed: Printed, metric: str, domain: str) -> Number:
    """The standard deviation of a mean drop that its printed interval stands for.

    For as many as 15 cells the middle 95 % of resampled means are those of a normal distribution.
    """
    low, high = (printed(f"table-s10.{metric}.{DOMAINS[domain]}.drop-95-percent-{end}") for end in ("low", "high"))
    return Number(low.id, (high.value - low.value) / (2 * NORMAL), low.half / NORMAL)


@dataclass
class _Aims:
    labels: NDArray[np.float64]  # standardised gold labels of each scene
    correlation: dict[str, float]
    spread: float
    above: int
    prompts: NDArray[np.int64]


def choose(
    printed: Printed, items: CVTItems, targets: dict[str, NDArray[np.float64]], rng: np.random.Generator
) -> dict[str, NDArray[np.int64]]:
    """The sort of each scene in each cell, (15, scenes), by regime. `targets` has F1 of the cells by regime."""
    domain = DOMAINS[items.domain]
    names = {scene["scene"]: k for k, scene in enumerate(items.scenes)}
    labels = np.bincount(items.questions.scene.map(names), weights=np.bitwise_count(items.gold), minlength=SCENES)
    labels = (labels - labels.mean()) / labels.std()
    objects = np.array([sum(thing["tag"] is not None for thing in scene["objects"]) for scene in items.scenes])
    crowded = (objects - objects.mean()) / objects.std()
    aims = _Aims(
        labels,
        {r: printed(f"supp-4.3.constraint-correlation.{domain}.{r}").value for r in REGIMES},
        spread(printed, "binary-realizability", items.domain).value,
        int(printed(f"table-s10.binary-realizability.{domain}.cell-cis-above-0").value),
        prompts(printed),
    )
    good, orders = {}, {}
    for regime in REGIMES:
        order = np.argsort(-(rng.gumbel(size=(len(printed.cells), SCENES)) - FAVOUR[regime] * crowded), axis=1)
        orders[regime] = order
        good[regime] = np.zeros(order.shape, dtype=bool)
        for c, count in enumerate(printed.realizable_scenes(items.domain, regime)):
            good[regime][c, order[c, :count]] = True
    number = spread(printed, "binary-realizability", items.domain)
    for _ in range(_ROUNDS):
        _exchange(good, aims, rng)
        low, high = _interval(good, aims.prompts, rng)
        if abs((high - low) / (2 * NORMAL) - number.value) < number.half / 4:
            break
        # Whole scenes on few prompts are not quite normal.
        aims.spread *= 2 * NORMAL * number.value / (high - low)
    return {
        regime: _refine(printed, domain, regime, good[regime], orders[regime], targets[regime], labels, rng)
        for regime in REGIMES
    }


def _exchange(good: dict[str, NDArray[np.bool_]], aims: _Aims, rng: np.random.Generator) -> None:
    """Exchange a realizable scene of a cell for another one as long as that brings the printed numbers nearer."""
    cells = len(aims.prompts)
    sizes = aims.prompts.max(axis=1) + 1

    def drop(c: int) -> tuple[float, float]:
        """The drop of a cell and how it scatters."""
        by_prompt = np.bincount(aims.prompts[c], weights=good["isolated"][c].astype(float) - good["competing"][c])
        by_prompt *= sizes[c] / SCENES
        return by_prompt.mean(), float(np.sqrt(((by_prompt - by_prompt.mean()) ** 2).sum())) / sizes[c]

    drops = np.array([drop(c) for c in range(cells)])

    def badness() -> float:
        total = 0.0
        for regime, aim in aims.correlation.items():
            share = good[regime].mean()
            found = (good[regime] @ aims.labels).sum() / good[regime].size / np.sqrt(share * (1 - share))
            total += ((found - aim) / 0.001) ** 2
        total += ((np.sqrt((drops[:, 1] ** 2).sum()) / cells - aims.spread) / 0.0001) ** 2
        clear = np.sort(drops[:, 0] / np.maximum(drops[:, 1], 1e-9))[::-1]
        total += (np.maximum(_CLEAR - clear[: aims.above], 0) ** 2).sum() * 30
        return total + (np.maximum(clear[aims.above :] - _UNCLEAR, 0) ** 2).sum() * 30

    now = badness()
    for _ in range(_EXCHANGES):
        regime, c = REGIMES[rng.integers(2)], int(rng.integers(cells))
        row = good[regime][c]
        if row.all() or not row.any():
            continue
        out, into = rng.choice(np.flatnonzero(row)), rng.choice(np.flatnonzero(~row))
        row[[out, into]] = False, True
        before = drops[c].copy()
        drops[c] = drop(c)
        after = badness()
        if after <= now:
            now = after
        else:
            row[[out, into]] = True, False
            drops[c] = before
        if now < 0.1:
            break


def _interval(
    good: dict[str, NDArray[np.bool_]], prompts: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """The middle 95 % of the mean drop when each cell's prompts are resampled, (2,)."""
    total = np.zeros(_DRAWS)
    for c, of in enumerate(prompts):
        size = of.max() + 1
        by_prompt = np.bincount(of, weights=good["isolated"][c].astype(float) - good["competing"][c]) * size / SCENES
        total += rng.multinomial(size, np.full(size, 1 / size), size=_DRAWS) @ by_prompt / size
    return np.quantile(total / len(prompts), [0.025, 0.975])


def _refine(printed, domain, regime, good, order, f1, labels, rng) -> NDArray[np.int64]:
    """Tell wholly right scenes from other realizable ones, and scenes realizable in part from the others."""
    cells = len(good)
    count, realizable = cells * SCENES, good.sum(axis=1)
    wrong = whole(printed(f"results.wrong-but-realizable.{domain}.{regime}").value, count)
    part = whole(printed(f"table-s7.realizable.{domain}.{regime}").value, count)
    correct = allot(realizable.sum() - wrong, realizable * f1**6, realizable)
    partly = allot(part - realizable.sum(), (SCENES - realizable) * f1**4, np.maximum(SCENES - realizable - 1, 0))
    found = np.full(good.shape, NOWHERE)
    for c in range(cells):
        ordered = order[c]
        found[c, ordered[~good[c, ordered]][: partly[c]]] = PARTLY
        found[c, good[c]] = REALIZABLE
        chosen = np.flatnonzero(good[c])
        # Small scenes are the ones that are wholly right.
        easy = chosen[np.argsort(labels[chosen] + rng.random(len(chosen)), kind="stable")]
        found[c, easy[: correct[c]]] = CORRECT
    return found
