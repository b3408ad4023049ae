"""How a set of items is made up.

CVT-Bench: the counts of Table S1 and the query graphs of Supp. 2.3. FrameEvidence: gold letters (4.2, Section 5) and
the partitions of groups by images and scenes (D.6).
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from vantage.errors import InputError
from vantage.items import CVTItems
from vantage.letters import LETTERS


def query_graphs(items: CVTItems) -> pd.DataFrame:
    """The query graph of each scene, one row a scene (Supp. 2.3), indexed by scene.

    Columns: `objects` (tagged), `inequalities` (gold labels over all questions of the scene), `directed` and
    `undirected` (distinct pairs asked about), `repeated` (directed pairs asked about more than once), `components`
    (over tagged objects) and `cycle_rank` (undirected pairs - objects + components).
    """
    labels = np.bitwise_count(items.gold).astype(int)
    rows = {}
    for scene, questions in items.questions.assign(labels=labels).groupby("scene", sort=False):
        tags = [thing["tag"] for thing in items.scene(scene)["objects"] if thing["tag"] is not None]
        times = questions.groupby(["target", "anchor"]).size()
        edges = {frozenset(pair) for pair in times.index}
        ends = np.array([sorted(edge) for edge in edges]).T
        place = {tag: index for index, tag in enumerate(tags)}
        ends = np.vectorize(place.__getitem__)(ends)
        graph = coo_array((np.ones(len(edges)), tuple(ends)), shape=(len(tags), len(tags)))
        components, _ = connected_components(graph, directed=False)
        rows[scene] = {
            "objects": len(tags),
            "inequalities": int(questions["labels"].sum()),
            "directed": len(times),
            "undirected": len(edges),
            "repeated": int((times > 1).sum()),
            "components": components,
            "cycle_rank": len(edges) - len(tags) + components,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("scene")


def position_by_viewpoint(items: CVTItems) -> pd.DataFrame:
    """Encounter positions of the fixed pairs' questions: columns `viewpoint` and `position` (from 1) (Supp. 3.6)."""
    tracked = items.questions[items.questions.tracked_pair.notna()]
    return tracked[["viewpoint", "number"]].rename(columns={"number": "position"}).reset_index(drop=True)


def quarter_turn_lead(positions: pd.DataFrame) -> float:
    """How many questions earlier quarter-turn questions occur than those of other views, on average (Supp. 3.6)."""
    quarter = positions.viewpoint.isin(("90", "270"))
    return float(positions.position[~quarter].mean() - positions.position[quarter].mean())


def variance_explained(positions: pd.DataFrame) -> float:
    """Share of the variance of prompt positions that the viewpoint explains (eta squared), a fraction (Supp. 3.6).

    >>> variance_explained(pd.DataFrame({"viewpoint": ["0", "0", "90", "90"], "position": [1, 3, 1, 3]}))
    0.0
    """
    means = positions.groupby("viewpoint").position.transform("mean")
    overall = positions.position.mean()
    return float(((means - overall) ** 2).sum() / ((positions.position - overall) ** 2).sum())


def gold_letter_counts(gold: ArrayLike) -> NDArray[np.int64]:
    """How many items have A, B, C and D as gold: (4,) of items (items,), (conditions, 4) of groups (groups, conditions).

    The supports over which FrameEvidence's macro averages go (Section 5), and its balance of letters in each condition
    (4.2).

    >>> gold_letter_counts(np.array([[0, 3, 0], [1, 3, 1]])).tolist()
    [[1, 1, 0, 0], [0, 0, 0, 2], [1, 1, 0, 0]]
    """
    return (np.asarray(gold)[..., None] == np.arange(LETTERS)).sum(axis=0)


def union_components(first: ArrayLike, second: ArrayLike) -> NDArray[np.intp]:
    """The join of two partitions: groups connected by either, over any number of steps (FrameEvidence, D.6).

    `first` and `second` (groups,) name the cluster of each group, by numbers or words. The labels (groups,) count from
    0 in the order in which components appear, as `vantage.bootstrap` wants them; each partition refines the join.
    Raises `InputError` where the lengths differ.

    >>> union_components(["i1", "i1", "i2", "i3"], ["s1", "s2", "s2", "s3"]).tolist()
    [0, 0, 0, 1]
    """
    one, two = _numbered(first, second)
    # A graph of clusters: those of the first, then those of the second; each group ties one to one.
    nodes = [part.max(initial=-1) + 1 for part in (one, two)]
    graph = coo_array((np.ones(len(one)), (one, nodes[0] + two)), shape=(sum(nodes), sum(nodes)))
    component = connected_components(graph, directed=False)[1][one] if len(one) else one
    return _by_appearance(component)


def crossing_clusters(first: ArrayLike, second: ArrayLike) -> list:
    """The clusters of the first partition whose groups lie in more than one of the second, sorted (FrameEvidence, D.6).

    None where the first refines the second; where each has some, the partitions are not nested.

    >>> crossing_clusters(["i1", "i1", "i2", "i3"], ["s1", "s2", "s2", "s3"])
    ['i1']
    """
    one, two = _numbered(first, second)
    meetings = np.unique(np.column_stack([one, two]), axis=0)[:, 0]
    return np.unique(np.asarray(first))[np.bincount(meetings) > 1].tolist()


def _numbered(first: ArrayLike, second: ArrayLike) -> list[NDArray[np.intp]]:
    """Two partitions of the same groups, clusters numbered from 0 in sorted order."""
    first, second = np.asarray(first), np.asarray(second)
    if first.shape != second.shape or first.ndim != 1:
        raise InputError(
            f"partitions: expected the cluster of each group twice, found shapes {first.shape} and {second.shape}; "
            "give both for the same groups"
        )
    return [np.unique(part, return_inverse=True)[1] for part in (first, second)]


def _by_appearance(labels: NDArray[np.intp]) -> NDArray[np.intp]:
    _, at, number = np.unique(labels, return_index=True, return_inverse=True)
    return at.argsort().argsort()[number]
