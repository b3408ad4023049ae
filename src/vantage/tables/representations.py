"""Tables of the page on input representations: what readers of one representation must score, and the printed means."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import scoring
from vantage.cycles import cycle_consistency
from vantage.items import CVTItems, displacements, matched_cycle_pairs
from vantage.predictions import CVTRun
from vantage.published import load_published
from vantage.realizability import realizable_scenes
from vantage.relations import asserted, yaw_of
from vantage.tables.derivations import EXACT, LAYOUTS, beside_runs, derived
from vantage.tables.runs import by_run

MEANS = ["Image", "Text/BBox", "Scene Graph", "Text/BBox − Image", "Scene Graph − Image"]
"""Columns of numbers of `printed_means`."""

PRINTED_GAINS = [
    f"Text/BBox minus Image, {metric}, {end}"
    for metric in ("F1 in points", "NSC", "realizability in points")
    for end in ("minimum", "maximum")
]
"""Rows of the printed gains in running text (Evaluation Results)."""


def _diagonal(items: CVTItems) -> NDArray[np.bool_]:
    """Which questions are asked at a diagonal; 360 and Top are 0."""
    return (items.questions.viewpoint.map(yaw_of) % 90 != 0).to_numpy()


def _scores(run: CVTRun, items: CVTItems) -> dict[str, float]:
    """Strict F1 and exact match at cardinal views, with 360 and Top, and at diagonals; percent."""
    gold, diagonal = scoring.strict(items.admissible), _diagonal(items)
    return {
        f"{name}, {where}": 100 * score(run.answers[rows], gold[rows])
        for name, score in (("F1", scoring.micro_f1), ("Exact", scoring.exact_match))
        for where, rows in (("cardinal", ~diagonal), ("diagonal", diagonal))
    }


def overview(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Strict F1 and exact match by kind of view, cycle consistency and realizable scenes, a row a run; percent."""
    pairs = matched_cycle_pairs(items.questions)

    def values(run: CVTRun) -> dict[str, float]:
        realizable = list(realizable_scenes(run.answers, items.questions).values())
        return _scores(run, items) | {
            "Cycle": 100 * cycle_consistency(run.answers, pairs),
            "Realizable": 100 * float(np.mean(realizable)),
        }

    return by_run(runs, values).drop(columns="Kind")


def expected_readers(items: CVTItems) -> pd.DataFrame:
    """What strict scores the readers of a scene graph must have, as `vantage.tables.derivations` declares derived figures.

    At cardinal views labels permute: 100. At a diagonal, let a question have s labels in the source view and g in gold. With
    s = 2 one label is said and it is true; with s = 1 two are said, and the g gold ones are among them. So said are 3 - s, right
    are 1 and g, and all of it can be counted in the items.
    """
    diagonal = _diagonal(items)
    source = np.bitwise_count(asserted(displacements(items), items.margins)).astype(int)[diagonal]
    gold = np.bitwise_count(items.gold).astype(int)[diagonal]
    said, right = 3 - source, np.where(source == 2, 1, gold)
    f1, exact = 2 * right.sum() / (said.sum() + gold.sum()), ((said == right) & (right == gold)).mean()
    realizable = "Realizable"
    return derived(
        [
            *(
                (name, score, EXACT, 100, 0)
                for name in ("reference_graph_reader", "reference_graph_and_boxes")
                for score in ("F1, cardinal", "Exact, cardinal", "Cycle")
            ),
            ("reference_graph_reader", realizable, EXACT, 100, 0),
            ("reference_box_reader", "Cycle", EXACT, 100, 0),
            ("reference_box_reader", realizable, EXACT, 100, 0),
            ("reference_graph_reader", "F1, diagonal", LAYOUTS, 100 * f1, 0),
            ("reference_graph_reader", "Exact, diagonal", LAYOUTS, 100 * exact, 0),
        ]
    )


def readers_beside_runs(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """`expected_readers` beside the runs, as `vantage.tables.derivations.beside_runs` gives it."""
    found = overview(runs, items).assign(Name=[run.set for run in runs])
    return beside_runs(expected_readers(items), found.melt(["Name", "Set"], var_name="Score", value_name="Run"))


def decided_by_labels(items: CVTItems) -> pd.DataFrame:
    """How much of a diagonal the source labels decide: the questions there by labels at the source and in gold; counts, percent."""
    diagonal = _diagonal(items)
    source, gold = (
        np.bitwise_count(masks)[diagonal] for masks in (asserted(displacements(items), items.margins), items.gold)
    )
    rows = []
    for labels, right, decided in (
        (2, 2, "one of the two"),
        (2, 1, "the one, but not that it is alone"),
        (1, 2, "both"),
        (1, 1, "both signs, but not that one is within the threshold"),
    ):
        here = (source == labels) & (gold == right)
        rows.append((labels, right, int(here.sum()), 100 * float(here.mean()), decided))
    return pd.DataFrame(
        rows, columns=["Labels at the source", "Labels in gold", "Questions", "Percent", "What source labels decide"]
    )


def printed_means(metric: str) -> pd.DataFrame:
    """Means of a metric over the five models of Table 1: a row a domain and regime, a column a representation, and two gains over Image.

    F1 and realizability are percent (gains in points), NSC a fraction.
    """
    numbers = load_published("cvt").query("place == 'Table 1'")
    numbers = numbers[numbers.column.str.startswith(f"{metric} / ")]
    keys = numbers.row.str.split(" / ", n=2, expand=True).set_axis(["Model", "Domain", "Representation"], axis=1)
    cells = keys.assign(Regime=numbers.column.str.split(" / ").str[1], value=numbers["value"])
    means = cells.groupby(["Domain", "Regime", "Representation"], sort=False)["value"].mean().unstack()
    gains = {name: means[name.split(" − ")[0]] - means["Image"] for name in MEANS[3:]}
    return means.assign(**gains)[MEANS].rename_axis(columns=None).reset_index()
