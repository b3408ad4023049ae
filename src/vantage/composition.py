"""How a set of CVT items is made up: the counts of Table S1 and the query graphs of Supp. 2.3."""

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from vantage.items import CVTItems


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
