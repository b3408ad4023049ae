"""Tables of horizontal and vertical tracking for a reader's runs (CVT-Bench, Supp. 3.3), and what responders must show in them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage.items import CVTItems, trajectories, viewpoint_numbers
from vantage.predictions import CVTRun
from vantage.tables.runs import admissible_sets
from vantage.tracking import COMPONENTS, Component, component_scores


def component_rows(items: CVTItems, component: Component) -> NDArray[np.intp]:
    """The trajectories (pairs, 10) of a component, in the order of encounters."""
    rows = trajectories(items.questions)
    offers = items.questions.kind.to_numpy() == "vertical"
    return rows[offers[rows[:, 0]] == component.vertical_pairs]


def tracking_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Table S5: F1, exact match and NSC of each component of the fixed pairs; a row a run and component, fractions."""
    admissible, views = admissible_sets(items, strict), viewpoint_numbers(items.questions)
    rows = {name: component_rows(items, component) for name, component in COMPONENTS.items()}
    return pd.DataFrame(
        [
            {"Set": run.title, "Kind": run.kind, "Component": name, "Pairs": len(rows[name])}
            | component_scores(run.answers, admissible, rows[name], views, component.labels)
            for run in runs
            for name, component in COMPONENTS.items()
        ]
    )
