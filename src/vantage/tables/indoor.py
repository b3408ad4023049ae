"""One scene of CVT-Indoor step by step through the protocol (CVT-Bench, Supp. 1.3), and what its rules do to labels."""

import numpy as np
import pandas as pd

from vantage.gates import NEITHER, source_pairs
from vantage.heights import compare_heights, height_interval
from vantage.items import CVTItems, tracked_rows
from vantage.relations import VIEWPOINTS
from vantage.tables.cvt import VERTICAL
from vantage.transport import CARDINAL_VIEWS, recoverable


def objects_table(items: CVTItems, scene: str) -> pd.DataFrame:
    """The tagged objects of a scene: box in pixels, visible percent, bottom and top in world units."""
    return pd.DataFrame(
        [
            {
                "Tag": thing["tag"],
                "Object": thing["description"],
                "Box [x, y, w, h]": ", ".join(map(str, thing["box"])),
                "Visible": 100 * thing["visible_fraction"],
                "Partially occluded": "yes" if thing["partially_occluded"] else "",
                **dict(zip(("Bottom", "Top"), height_interval(thing), strict=True)),
            }
            for thing in items.scene(scene)["objects"]
            if thing["tag"] is not None
        ]
    )


def gates_table(items: CVTItems, scene: str) -> pd.DataFrame:
    """The source pairs of a scene with their separations, the gate that admits each, and how many questions ask about it."""
    pairs = source_pairs(items.scene(scene))
    return pd.DataFrame(
        {
            "Pair": [f"{one}–{other}" for one, other in zip(pairs["first"], pairs["second"], strict=True)],
            "Across, pixels": pairs.across,
            "Lateral": pairs.lateral,
            "Depth": pairs.depth,
            "Gate": pairs.gate,
            "Questions": _asked(items, scene, pairs),
        }
    )


def heights_table(items: CVTItems, scene: str) -> pd.DataFrame:
    """The admitted pairs of a scene in height: of the first over the second; overlap in percent, pixels, world units, a fraction."""
    pairs = source_pairs(items.scene(scene))
    ends = [tuple(pair) for pair in pairs.loc[pairs.gate != NEITHER, ["first", "second"]].to_numpy().tolist()]
    asked = items.questions[(items.questions.scene == scene) & (items.questions.kind == VERTICAL)]
    fixed = {
        frozenset(pair) for pair in asked.loc[asked.tracked_pair.notna(), ["target", "anchor"]].to_numpy().tolist()
    }
    rows = []
    for one, other in ends:
        found = compare_heights(items.scene(scene), one, other)
        rows.append(
            {
                "Pair": f"{one}–{other}",
                "Overlap": 100 * found.overlap,
                "Up, pixels": found.pixels,
                "Rise": found.rise,
                "Separation": found.separation,
                "Spoilt by": ", ".join(found.flaws),
                "Fixed": "yes" if frozenset((one, other)) in fixed else "",
            }
        )
    return pd.DataFrame(rows)


def slots_table(items: CVTItems, scene: str) -> pd.DataFrame:
    """How many questions of each sort a scene has at each viewpoint."""
    asked = items.questions[items.questions.scene == scene]
    fixed, upright = asked.tracked_pair.notna(), asked.kind == VERTICAL
    sorts = {
        "Fixed, horizontal": fixed & ~upright,
        "Fixed, with above and below": fixed & upright,
        "Other primary": ~fixed & (asked.kind == "primary"),
        "Other with above and below": ~fixed & upright,
        "Supplement": asked.kind == "supplement",
    }
    counts = {name: asked[chosen].groupby("viewpoint").size() for name, chosen in sorts.items()}
    wide = pd.DataFrame(counts).reindex(list(VIEWPOINTS)).fillna(0).astype(int)
    return wide.assign(All=wide.sum(axis=1)).rename_axis("Viewpoint").reset_index()


def closed_table(items: CVTItems) -> pd.DataFrame:
    """Fixed pairs whose gold at cardinal views is the symbolic turn of gold at 0, and the others, by sort; counts (Supp. 3.5)."""
    rows = tracked_rows(items.questions)
    closed = recoverable(items.gold[rows[:, CARDINAL_VIEWS]])
    upright = (items.questions.kind == VERTICAL).to_numpy()[rows[:, 0]]
    sorts = {"Horizontal": ~upright, "With above and below": upright, "All": np.ones(len(rows), dtype=bool)}
    return pd.DataFrame(
        [
            {
                "Fixed pairs": name,
                "Pairs": int(of_sort.sum()),
                "Closed": int((closed & of_sort).sum()),
                "Open": int((~closed & of_sort).sum()),
            }
            for name, of_sort in sorts.items()
        ]
    )


def labels_table(items: CVTItems) -> pd.DataFrame:
    """How many questions have one, two and three labels, and in how many gold had to name the larger component; counts."""
    sizes = np.bitwise_count(items.gold)
    return pd.DataFrame(
        [{"Labels": int(size), "Questions": int((sizes == size).sum())} for size in range(1, int(sizes.max()) + 1)]
    )


def _asked(items: CVTItems, scene: str, pairs: pd.DataFrame) -> list[int]:
    """How many questions ask about each pair, either way round."""
    asked = items.questions[items.questions.scene == scene]
    times = pd.Series([frozenset(ends) for ends in asked[["target", "anchor"]].to_numpy().tolist()]).value_counts()
    return [int(times.get(frozenset(ends), 0)) for ends in pairs[["first", "second"]].to_numpy().tolist()]
