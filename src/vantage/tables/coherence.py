"""Tables of coherence for a reader's runs (CVT-Bench, Figure 3 and Supp. 4.3).

`scene_outputs` looks at every scene of every run once, which is the expensive part; the tables take its frame.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import coherence, scoring
from vantage.bootstrap import DRAWS
from vantage.items import CVTItems
from vantage.predictions import NO_BLOCK, CVTRun
from vantage.realizability import realizable_scenes
from vantage.tables.runs import admissible_sets, require_blocks

MATCHINGS = {"errors": ["errors"], "errors and constraints": ["errors", "constraints"]}
"""What outputs of the same model and representation are matched by (Supp. 4.3)."""


def scene_outputs(
    runs: Sequence[CVTRun],
    items: CVTItems,
    satisfiable: Sequence[NDArray[np.float64]] | None = None,
    strict: bool = False,
) -> pd.DataFrame:
    """One row a run and scene: title, set, kind, model, representation, regime, scene, block; errors, constraints, realizable, maxsat.

    `errors` counts questions that are not exact (invalid and missing ones too), `constraints` asserted labels.
    `satisfiable` has for each run the satisfiable fraction of each scene's constraints (MaxSAT), in the order of
    `items.scenes`; not a number without it.
    """
    names = [scene["scene"] for scene in items.scenes]
    place = pd.Index(names).get_indexer(items.questions.scene)
    admissible = admissible_sets(items, strict)
    parts = []
    for number, run in enumerate(runs):
        realizable = realizable_scenes(run.answers, items.questions)
        block = np.full(len(names), NO_BLOCK, dtype=np.int16)
        np.maximum.at(block, place, run.block)  # a scene has one block, or none
        parts.append(
            pd.DataFrame(
                {name: getattr(run, name) for name in ("title", "set", "kind", "model", "representation", "regime")}
                | {
                    "scene": names,
                    "block": block,
                    "errors": np.bincount(place, weights=~scoring.exact(run.answers, admissible)).astype(int),
                    "constraints": np.bincount(place, weights=np.bitwise_count(run.answers)).astype(int),
                    "realizable": [realizable[name] for name in names],
                    "maxsat": np.nan if satisfiable is None else satisfiable[number],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def coherence_table(outputs: pd.DataFrame) -> pd.DataFrame:
    """Figure 3's shares, realizability where something is wrong and MaxSAT, percent; one row a run of `scene_outputs`.

    `Constraints with realizable` is the correlation of constraint count with realizability (Supp. 4.3).
    """
    return pd.DataFrame(
        [
            {"Set": title, "Kind": part.kind.iloc[0], "Scenes": len(part)}
            | {name: 100 * share for name, share in coherence.output_shares(part.errors, part.realizable).items()}
            | {
                "MaxSAT": 100 * part.maxsat.mean(),
                "Constraints with realizable": coherence.correlation(part.constraints, part.realizable),
            }
            for title, part in outputs.groupby("title", sort=False)
        ]
    )


def matched_table(outputs: pd.DataFrame, seed: int, draws: int = DRAWS) -> pd.DataFrame:
    """Supp. 4.3: by how much realizability drops between isolated and competing outputs that match; one row a matching.

    Pools all cells of `scene_outputs` that have both regimes. Points, with a 95 % interval. Raises `InputError` for a
    competing output without a block.
    """
    rows = []
    for name, columns in MATCHINGS.items():
        gap, pairs = coherence.matched_drop(_matching_cells(outputs, columns), seed, draws)
        rows.append(
            {"Matched by": name, "Pairs": pairs, "Drop": 100 * gap.value, "Low": 100 * gap.low, "High": 100 * gap.high}
        )
    return pd.DataFrame(rows)


def _matching_cells(outputs: pd.DataFrame, columns: list[str]) -> list[NDArray[np.float64]]:
    """The `matching_sums` of each model and representation with both regimes, matched by `columns`."""
    cells = []
    for _, cell in outputs.groupby(["set", "model", "representation"], sort=False):
        competing = cell[cell.regime == "competing"].set_index("scene")
        both = cell[cell.regime.isin(("isolated", "competing")) & cell.scene.isin(competing.index)]
        if both.regime.nunique() < 2:
            continue
        require_blocks(competing.block, competing.title.iloc[0])
        clusters, _ = pd.factorize(both.scene.map(competing.block))
        cells.append(
            coherence.matching_sums(
                both.groupby(columns).ngroup().to_numpy(),
                (both.regime == "competing").to_numpy(),
                both.realizable.to_numpy(),
                clusters,
            )
        )
    return cells
