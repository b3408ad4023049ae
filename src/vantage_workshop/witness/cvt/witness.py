"""All cells of both domains: each block on its own first, then what is printed about all of them together.

Some numbers are about the cells of several blocks: how large the denominators of NSC are, in how many cells or prompts a difference
has a sign. Which cell takes which part is not printed. The cells that come nearest after a first search take it; a second
search then meets it.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
import pyarrow as pa

from vantage.items import load_attribute_questions, load_cvt
from vantage.prompts import FILLER_DOMAINS, TARGET_POSITIONS, target_scenes
from vantage.realizability import realizable_scenes
from vantage_workshop.witness.cvt import fillers, runs, search
from vantage_workshop.witness.cvt.block import AUDIT, AUDITED, CELLS, ENDS, Block
from vantage_workshop.witness.cvt.material import prepare
from vantage_workshop.witness.cvt.printed import DOMAINS, REGIMES, SCENES, SMALLER_LOAD, Printed, cell_targets
from vantage_workshop.witness.cvt.sorts import choose

FIRST = ((700_000, 30.0, 0.002), (300_000, 2.0, 0.002), (200_000, 1.0, 0.001))
SECOND = (
    (1_600_000, 10.0, 0.002),
    (1_000_000, 1.0, 0.001),
    (800_000, 0.3, 0.0005),
    (600_000, 0.1, search.FINEST),
    *[(200_000, 0.02, search.FINEST)] * 5,
)
"""Moves, first threshold and unit of narrow aims of each part of the two searches. The unit falls, for a single answer leaps over what
is narrow."""

_CARRIED = 0.04
"""By how much the drop of a prompt exceeds that of all, where it has to turn the sign."""


@dataclass
class Domain:
    """The two blocks of a domain and the printed numbers that they were asked to meet."""

    isolated: Block
    competing: Block
    printed: Printed

    def blocks(self) -> dict[str, Block]:
        return {"isolated": self.isolated, "competing": self.competing}


def first(domain: str, seed: int) -> Domain:
    """The first search of a domain."""
    printed = Printed()
    targets = cell_targets(printed)
    items = load_cvt(domain)
    slots = TARGET_POSITIONS if domain in FILLER_DOMAINS else ()
    material = prepare(items, [scene for slot in slots for scene in target_scenes(items, slot)])
    rng = np.random.default_rng([seed, 2, list(DOMAINS).index(domain)])
    sort = choose(printed, items, {regime: targets["f1"][domain, regime] for regime in REGIMES}, rng)
    isolated = None
    for regime in REGIMES:
        of = {metric: found[domain, regime] for metric, found in targets.items()}
        block = Block(printed, items, material, regime, of, sort[regime], seed, isolated)
        for moves, start, unit in FIRST:
            block.run(moves, start, unit)
            block.measure()
        if regime == "isolated":
            isolated = block
    return Domain(isolated, block, printed)


def second(domain: Domain) -> Domain:
    """The second search, with the aims that the cells of all blocks share."""
    for block in domain.blocks().values():
        if block.isolated is not None:
            block.match_again()
        for moves, start, unit in SECOND:
            block.run(moves, start, unit)
            block.measure()
    return domain


def share_out(domains: dict[str, Domain], printed: Printed) -> None:
    """Give each cell its part of what is printed about several blocks together."""
    for domain in domains.values():
        _signs(domain, printed)
        _audit_ends(domain.isolated)
    if len(domains) == len(DOMAINS):
        _left_out(domains, printed)
        _denominators([block for domain in domains.values() for block in domain.blocks().values()], printed)
        _wordings([block for domain in domains.values() for block in domain.blocks().values()], printed)


def _signs(domain: Domain, printed: Printed) -> None:
    """Endpoint contrasts above 0 in so many cells, and F1's drop above 0 in so many prompts."""
    name = domain.isolated.domain
    for regime, block in domain.blocks().items():
        positive = int(printed(f"supp-3.6.endpoint-cells.{name}.{regime}").value)
        order = np.argsort(-block.state.statistics[:, search.ENDPOINT], kind="stable")
        block.aims.endpoint[order[:positive]] = 1
        block.aims.endpoint[order[positive:]] = -1
    every = int(printed("supp-4.4.cells-positive-in-every-block").value)
    cells = np.array([model == SMALLER_LOAD for model, _ in printed.cells])
    # The others are load-matched cells of five prompts, all with a drop; the rest of the prompts with a drop are of GPT-5.2.
    assert (~cells).sum() == every
    left = int(printed(f"supp-4.4.positive-blocks.{name}").value) - 5 * every
    drops = domain.isolated.block_f1() - domain.competing.block_f1()
    places = [(c, b) for c in np.flatnonzero(cells) for b in range(drops.shape[1])]
    places.sort(key=lambda place: -drops[place])
    # The interval of no cell of GPT-5.2 stays above 0: its drops of F1 and MaxSAT scatter enough.
    mean_drop = domain.isolated.targets["f1"] - domain.competing.targets["f1"]
    graded_drop = domain.isolated.maxsat().mean(axis=1) - domain.competing.maxsat().mean(axis=1)
    for place, drop in enumerate((mean_drop, graded_drop)):
        domain.competing.aims.least_scatter[cells, place] = np.maximum(drop[cells], 0.0) / 1.6
    bounds, taken = domain.competing.aims.drops, dict.fromkeys(np.flatnonzero(cells).tolist(), 0)
    for c, b in places:
        if left and taken[int(c)] < drops.shape[1] - 1:
            bounds[c, b] = 0.003, 2.0
            taken[int(c)] += 1
            left -= 1
        else:
            bounds[c, b] = -2.0, -0.003


def _audit_ends(block: Block) -> None:
    """The least and the greatest share of aligned and of alternative errors fall to the four cells with most errors to take them of: a
    share of few has no value that prints so."""
    if (block.domain, block.regime) != AUDITED:
        return
    most = np.argsort(-block.state.audited[:, 1:].sum(axis=1), kind="stable")
    for k, (kind, place) in enumerate(AUDIT.items()):
        pair = most[2 * k : 2 * k + 2]
        for c, end in zip(pair[np.argsort(block.state.statistics[pair, place], kind="stable")], ENDS, strict=True):
            number = block.number(f"results.{kind}-errors-{end}")
            block.aims.audit[c, k] = number.value - 0.9 * number.half, number.value + 0.9 * number.half


def _left_out(domains: dict[str, Domain], printed: Printed) -> None:
    """In all but so many cells the sign of F1's drop does not hang on a single prompt.

    The cells where it does are those of the smallest drops: one prompt carries more than all of it.
    """
    kept = int(printed("supp-4.4.cells-keeping-direction").value)
    drops = {
        (name, c): domain.isolated.targets["f1"][c] - domain.competing.targets["f1"][c]
        for name, domain in domains.items()
        for c in range(CELLS)
    }
    for name, c in sorted(drops, key=lambda cell: abs(drops[cell]))[: len(drops) - kept]:
        domain, drop = domains[name], drops[name, c]
        by_block = (domain.isolated.block_f1() - domain.competing.block_f1())[c]
        bounds = domain.competing.aims.drops[c]
        if drop > 0:
            bounds[by_block.argmax(), 0] = len(by_block) * drop + _CARRIED
        else:
            bounds[by_block.argmin(), 1] = len(by_block) * drop - _CARRIED


def _denominators(blocks: list[Block], printed: Printed) -> None:
    """The least, the greatest and the median denominator of NSC, and the least step gap."""
    low, high, middle, gap = (
        printed(f"supp-2.2.{name}")
        for name in ("denominator-minimum", "denominator-maximum", "denominator-median", "smallest-step-gap")
    )
    values = np.array([block.state.statistics[:, search.DENOMINATOR] for block in blocks]).ravel()
    order = np.argsort(values, kind="stable")
    bounds = np.tile([low.value + 0.01, high.value - 0.01, gap.value + 0.002], (len(values), 1))
    half = len(values) // 2
    bounds[order[: half - 1], 1] = middle.value - 0.003
    bounds[order[half + 1 :], 0] = middle.value + 0.003
    for place, number in ((order[0], low), (order[-1], high), (order[half - 1], middle), (order[half], middle)):
        bounds[place, :2] = number.value - number.half / 2, number.value + number.half / 2
    bounds[order[0], 2] = gap.value - gap.half / 2
    for k, block in enumerate(blocks):
        block.aims.gaps[:] = bounds[CELLS * k : CELLS * k + CELLS]
    # That the cell of the least denominator also has the least gap is likely, as five gaps make a denominator.
    weakest = blocks[order[0] // CELLS]
    weakest.aims.cell[order[0] % CELLS, search.LEAST_GAP] = gap.value, gap.half


def _wordings(blocks: list[Block], printed: Printed) -> None:
    """Short and long wordings differ at most by what is printed, in one block, and less in the others."""
    number = printed("supp-3.6.wording-difference")
    found = [block.state.statistics[:, search.WORDING].mean() for block in blocks]
    largest = int(np.argmax(np.abs(found)))
    for k, block in enumerate(blocks):
        if k == largest:
            block.aims.mean[search.WORDING] = np.sign(found[k]) * number.value, number.half
        else:
            block.aims.mean[search.WORDING] = 0.0, 2 * number.value


def solve(seed: int, domains=tuple(DOMAINS)) -> dict[str, Domain]:
    """Both domains, each in a process of its own."""
    printed = Printed()
    with ProcessPoolExecutor(len(domains), mp_context=get_context("spawn")) as pool:
        found = dict(zip(domains, pool.map(first, domains, [seed] * len(domains)), strict=True))
        share_out(found, printed)
        found = dict(zip(domains, pool.map(second, found.values()), strict=True))
    for domain in found.values():
        domain.printed.used |= printed.used
    return found


def missed_cells(found: dict[str, Domain]) -> list[str]:
    """Cells of Table 1 whose F1, NSC or realizability is not as printed, one line each."""
    lines = []
    for name, domain in found.items():
        for regime, block in domain.blocks().items():
            realizable = [
                sum(realizable_scenes(answers.astype(np.uint8), block.items.questions).values()) / SCENES
                for answers in block.state.answer
            ]
            for metric, values in (
                ("f1", block.state.statistics[:, search.F1]),
                ("nsc", block.state.statistics[:, search.NSC]),
                ("realizability", realizable),
            ):
                for number, value in zip(block.printed.table_1(metric, name, regime), values, strict=True):
                    if abs(value - number.value) >= number.half:
                        lines.append(f"{number.id}: printed {number.value:.4f}, found {value:.4f}")
    return lines


def missed_means(found: dict[str, Domain]) -> list[str]:
    """Printed means over cells that are not met, one line each."""
    return [line for domain in found.values() for block in domain.blocks().values() for line in block.missed()]


def tables(found: dict[str, Domain], printed: Printed, seed: int) -> tuple[pa.Table, pa.Table]:
    """All runs of the set: spatial answers and those to attribute questions."""
    rows = [
        runs.spatial_table(block.items, regime, *cell, answers)
        for domain in found.values()
        for regime, block in domain.blocks().items()
        for cell, answers in zip(printed.cells, block.state.answer, strict=True)
    ]
    synthetic = found["synthetic"]
    items, attributes = synthetic.isolated.items, load_attribute_questions("synthetic")
    rng = np.random.default_rng([seed, len(DOMAINS)])
    filled = fillers.spatial(printed, synthetic.blocks(), int(rng.integers(2**31)))
    for (model, filler), answers in zip(fillers.cells(), filled, strict=True):
        rows += [
            runs.spatial_table(items, fillers.FILLERS[filler], fillers.MODELS[model], "image", answers, slot)
            for slot in TARGET_POSITIONS
        ]
    retrieved = [
        runs.retrieval_table(items, attributes, model, representation, answers, slot)
        for (model, representation, slot), answers in fillers.retrieval(printed, items, attributes, rng).items()
    ]
    return pa.concat_tables(rows), pa.concat_tables(retrieved)
