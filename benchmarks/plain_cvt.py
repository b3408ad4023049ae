"""CVT-Bench's metrics from the files, in words and in the plainest way: what `vantage.tables.cvt_results` is held against.

Nothing of `vantage` is used but where the files are: no bit masks, no algebra of labels, no vectorized survival. Slow and easy to read.
"""

from collections.abc import Hashable, Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks import plain
from vantage import files

KEPT = (2, 4, 6, 8, 10)
"""The prefixes of NSC (Supp. 2.2)."""


def questions(domain: str) -> pd.DataFrame:
    """The questions of a domain, `gold` as a set of words and `admissible` as a list of such sets that begins with gold."""
    folder = files.root() / "data" / "cvt" / domain
    asked = pd.read_parquet(folder / "questions.parquet")
    sidecar = pd.read_parquet(folder / "ambiguity.parquet").groupby("item")["alternative"].apply(list)
    asked["gold"] = [frozenset(words) for words in asked["gold"]]
    others = asked["item"].map(sidecar)
    asked["admissible"] = [
        [gold, *map(frozenset, more if isinstance(more, list) else [])]
        for gold, more in zip(asked["gold"], others, strict=True)
    ]
    return asked


def with_answers(predictions: pd.DataFrame, asked: pd.DataFrame) -> pd.DataFrame:
    """The questions of a run with its `answer` to each as a set of words: an empty one where there is none.

    `predictions` has the rows of that run alone.
    """
    words = asked["item"].map(predictions.set_index("item")["answer"])
    return asked.assign(answer=[frozenset(() if one is None or isinstance(one, float) else one) for one in words])


def f1(rows: pd.DataFrame) -> float:
    """Global micro F1, ambiguity-aware: of the admissible sets the one with most labels right, then with fewest wrong."""
    right = said = wanted = 0
    for answer, admissible in zip(rows["answer"], rows["admissible"], strict=True):
        credited = max(admissible, key=lambda one: (len(answer & one), -len(answer ^ one)))
        right, said, wanted = right + len(answer & credited), said + len(answer), wanted + len(credited)
    return 2 * right / (said + wanted)


def _exact(rows: pd.DataFrame) -> pd.Series:
    return pd.Series(
        [answer in admissible for answer, admissible in zip(rows["answer"], rows["admissible"], strict=True)],
        index=rows.index,
    )


def nsc(rows: pd.DataFrame) -> float:
    """The normalized survival coefficient over the fixed pairs (Supp. 2.2), term by term; not a number without a denominator."""
    tracked = rows[rows["tracked_pair"].notna()]
    tracked = tracked.assign(right=_exact(tracked)).sort_values(["scene", "number"])
    chance = tracked.groupby("viewpoint")["right"].mean()
    ways = [
        (list(pair["right"]), [chance[view] for view in pair["viewpoint"]])
        for _, pair in tracked.groupby(["scene", "tracked_pair"])
    ]
    gained = attainable = 0.0
    for k in KEPT:
        observed = np.mean([all(right[:k]) for right, _ in ways])
        independent = np.mean([np.prod(chances[:k]) for _, chances in ways])
        most = min(np.mean([right[step] for right, _ in ways]) for step in range(k))
        gained, attainable = gained + observed - independent, attainable + most - independent
    return float(gained / attainable) if abs(attainable) > 1e-12 else float("nan")


def cycle(rows: pd.DataFrame) -> float:
    """The share of matched primary questions with one answer at 0 and 360 degrees, none of them empty (Supp. 2.4)."""
    matched = rows[((rows["kind"] == "primary") | rows["tracked_pair"].notna()) & rows["viewpoint"].isin(["0", "360"])]
    vertical = matched["kind"] == "vertical"
    pairs = matched.assign(vertical=vertical).pivot(
        index=["scene", "target", "anchor", "vertical"], columns="viewpoint", values="answer"
    )
    pairs = pairs.dropna()
    return float(np.mean([bool(first) and first == last for first, last in zip(pairs["0"], pairs["360"], strict=True)]))


def constraints(rows: pd.DataFrame) -> NDArray[np.float64]:
    """What the answers about a scene assert, one row a label: question, target, anchor, and the direction d(theta, r) of Supp. 2.3.

    Directions are unit vectors in the source frame, x to the right, y away from the observer, z up. After the camera has orbited by
    theta to the right, right is (cos, sin) and behind is (-sin, cos).
    """
    found = []
    for place, (viewpoint, target, anchor, answer) in enumerate(
        zip(rows["viewpoint"], rows["target"], rows["anchor"], rows["answer"], strict=True)
    ):
        theta = np.deg2rad(0 if viewpoint == "Top" else int(viewpoint))
        right, behind = np.array([np.cos(theta), np.sin(theta), 0]), np.array([-np.sin(theta), np.cos(theta), 0])
        up = np.array([0, 0, 1])
        meaning = {
            "right": right, "left": -right, "behind": behind, "front": -behind, "north": behind, "south": -behind,
            "above": up, "below": -up,
        }  # fmt: skip
        found += [(place, target, anchor, *meaning[word]) for word in sorted(answer)]
    return np.array(found, dtype=float).reshape(-1, 6)


def coherence(rows: pd.DataFrame) -> tuple[bool, int, int]:
    """Of a scene's answers: is there a layout (`linprog`), how many labels hold together at most (`milp`), and how many are asserted."""
    asserted = constraints(rows)
    return plain.realizable(asserted), plain.largest_satisfiable(asserted), len(asserted)


def by_scene(rows: pd.DataFrame) -> Iterator[tuple[Hashable, pd.DataFrame]]:
    """The rows of each scene."""
    yield from rows.groupby("scene", sort=False)
