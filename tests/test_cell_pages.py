"""Tables and figures of the pages on the 60 printed cells, by hand."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from tests import made_cells
from vantage import cell_figures, figures, relations, scoring
from vantage.errors import InputError
from vantage.items import load_cvt
from vantage.predictions import ANSWERED, INVALID, MISSING, NOT_ASKED, load
from vantage.realizability import realizable_scenes
from vantage.tables import cells, reconstructed
from vantage.tables.cvt_results import chosen, robustness, scores

KIMI = chosen.Cell("synthetic", "competing", "Kimi K2.5", "text_bbox")


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def answers(items):
    """Everything is right but one cell: Kimi, competing, CVT-Synthetic, Text/BBox says the opposite of everything."""
    return made_cells.answers_of(items, lambda cell, of: relations.opposite(of.gold) if cell == KIMI else of.gold)


def test_cells_taken_apart(answers):
    table = cells.cell_table(answers)
    assert len(table) == 180
    row = table.query(
        "Model == 'Kimi K2.5' and domain == 'CVT-Synthetic' and Representation == 'Text/BBox' and regime == 'CVT-Competing'"
    )
    assert dict(zip(row["metric"], row["value"], strict=True))["Global F1"] == 0
    drops = cells.drop_table(table).query("metric == 'Global F1'")
    assert len(drops) == 30 and drops["value"].sum() == 100
    falling = cells.falling_cells(cells.drop_table(table)).set_index(["Domain", "Metric"])
    assert falling.loc[("CVT-Synthetic", "Global F1"), ["Falls", "Stays", "Rises"]].tolist() == [1, 14, 0]
    assert falling.loc[("CVT-Real", "Realizability"), ["Falls", "Stays", "Rises"]].tolist() == [0, 15, 0]


def test_best_representations_count_ties(answers):
    """All representations tie, but in one model-domain cell of F1, competing, where Text/BBox is worst."""
    best = cells.best_representations(cells.cell_table(answers)).set_index(["Metric", "Regime"])
    assert best.loc[("Global F1", "CVT-Competing"), ["Image", "Text/BBox", "Scene Graph", "Cells"]].tolist() == [
        10,
        9,
        10,
        10,
    ]
    assert best.loc[("Realizability", "CVT-Competing"), "Text/BBox"] == 10


def test_what_prints_alike_ties():
    """An NSC of .051 and one of .049 both print .05; an F1 of 70.04 prints 70.0."""
    rows = [
        ("Somebody", "CVT-Synthetic", name, "NSC", "CVT-Isolated", value)
        for name, value in (("Image", 0.051), ("Text/BBox", 0.049))
    ]
    rows.append(("Somebody", "CVT-Synthetic", "Image", "Global F1", "CVT-Isolated", 70.04))
    table = pd.DataFrame(rows, columns=["Model", "domain", "Representation", "metric", "regime", "value"])
    rounded = cells.at_printed_precision(table)
    assert rounded["value"].tolist() == [0.05, 0.05, 70.0]
    best = cells.best_representations(rounded).set_index("Metric")
    assert best.loc["NSC", ["Image", "Text/BBox"]].tolist() == [1, 1]


def test_outcomes_and_their_figure(answers):
    table = cells.outcome_table(answers).set_index("Set")
    assert table.loc["CVT-Synthetic, competing", "Wrong but realizable"] == pytest.approx(100 / 15)
    assert table.loc["CVT-Real, isolated", "Fully correct"] == 100
    figure = figures.outcome_bars(cells.outcome_table(answers))
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == table.index.tolist()
    plt.close(figure)


def test_pages_of_nothing():
    """Without a reconstructed set the pages have empty tables, not errors."""
    nothing = chosen.Answers([], {})
    table = cells.cell_table(nothing)
    assert (
        table.empty
        and cells.at_printed_precision(table).empty
        and cells.drop_table(table).empty
        and cells.falling_cells(cells.drop_table(table)).empty
    )
    assert cells.best_representations(table).empty and cells.outcome_table(nothing).empty
    assert cells.own_scores(nothing).empty


def test_sets_are_told_apart(items):
    """Reconstructed runs stand for printed cells, other whole runs for themselves; filler runs are no cells of either."""
    printed, own = cells.load_answers(["reference_oracle", "reference_layout_oracle"])
    assert printed.cells == {} and printed.runs == [] and {run.set for run in own.runs} == {"reference_oracle"}
    assert {run.regime for run in own.runs} <= {"isolated", "competing"}
    scored = cells.own_scores(own)
    assert (scored["Global F1"] == 100).all() and (scored["Realizability"] == 100).all() and scored["NSC"].isna().all()


def test_worked_matching_by_hand():
    """Two errors: 2 (3/4 - 1/2) = .5. Five: 3 (1/3 - 0) = 1. So 1.5 of 6 pairs; over all outputs 7/10 - 2/10."""
    matching = cells.worked_matching()
    assert matching["Pairs"].tolist() == [1, 2, 3, 0, 6]
    assert matching["Adds"].tolist() == pytest.approx([0, 0.5, 1, 0, 1.5])
    assert cells.worked_drops(matching)["Drop"].tolist() == pytest.approx([50, 25])


def test_scattered_errors_are_as_many(items):
    """Scene by scene as many questions are wrong; where the run errs nowhere nothing is scattered; nothing wrong is admissible."""
    run = next(run for run in load("reference_wrong_but_coherent").runs if run.domain == "synthetic")
    apart = cells.scattered(run, items, seed=1)
    wrong = [~scoring.exact(answers, items.admissible) for answers in (run.answers, apart)]
    scene = items.questions["scene"]
    assert (pd.Series(wrong[0]).groupby(scene).sum() == pd.Series(wrong[1]).groupby(scene).sum()).all()
    assert (wrong[0] != wrong[1]).any()
    assert np.array_equal(apart[~wrong[1]], items.gold[~wrong[1]])
    table = cells.same_errors(run, items, seed=1)
    assert (
        table["Scenes"].tolist()[-1] == 100 == table["Scenes"].tolist()[:-1].__len__() * 0 + table["Scenes"][:-1].sum()
    )
    assert (table["As answered"] == 100).all()
    realizable = np.mean(list(realizable_scenes(apart, items.questions).values()))
    assert table["Scattered"].iloc[-1] == pytest.approx(100 * realizable)


def test_integrity_by_hand(items):
    cell = chosen.Cell("synthetic", "isolated", "Mine", "image")
    status = np.full(len(items.gold), ANSWERED, np.uint8)
    status[[0, 1]], status[[2, 700]], status[-60:] = INVALID, MISSING, NOT_ASKED
    run = made_cells.run_of(items, cell, np.where(status == ANSWERED, items.gold, 0), status=status)
    (row,) = cells.integrity_table([run], items).to_dict("records")
    scene = items.questions["scene"]
    assert (row["Asked"], row["Answered"], row["Invalid"], row["Missing"]) == (5703 - 60, 5703 - 64, 2, 2)
    assert row["Scenes asked"] == scene[:-60].nunique()
    assert row["Scenes that lack an answer"] == len({scene[0], scene[1], scene[2], scene[700]})


def test_truncation_by_hand(items):
    """All right, and a quarter of each prompt cut off: left out it stays 100; counted as wrong it is 2 T / (2 T + C) over labels."""
    cell = chosen.Cell("synthetic", "competing", "Mine", "image")
    run = made_cells.run_of(items, cell, items.gold)
    table = cells.truncation_table([run, replace(run, regime="isolated")], items, (0.0, 0.25))
    assert table["Left out"].tolist() == [100, 100] and table["Complete"].tolist() == [100, 100]
    assert table["Missing is wrong"].iloc[0] == 100
    order = items.questions["scene"].map({one["scene"]: one["number"] for one in items.scenes}).to_numpy()
    cut = np.zeros(len(order), dtype=bool)
    for block in range(5):
        rows = sorted(np.flatnonzero(run.block == block), key=lambda row: (order[row], items.questions["number"][row]))
        # The first question that is cut off has at least three quarters of its prompt before it.
        cut[rows[int(np.ceil(0.75 * len(rows))) :]] = True
    kept = np.bitwise_count(items.gold[~cut]).sum()
    lost = np.bitwise_count(items.admissible[cut]).min(axis=1).sum()
    assert table["Missing is wrong"].iloc[1] == pytest.approx(100 * 2 * kept / (2 * kept + lost))
    with pytest.raises(InputError, match="block"):
        cells.truncation_table([replace(run, block=np.full(len(order), -1, np.int16))], items)


def test_figures_show_every_cell(answers, items):
    table = cells.cell_table(answers)
    figure = cell_figures.cells_figure(table)
    marks = [line for axes in figure.axes for line in axes.get_lines()]
    assert len(figure.axes) == 6 and sum(np.isfinite(line.get_ydata()).sum() for line in marks) == 120
    assert [axes.get_title(loc="left") for axes in figure.axes[:2]] == ["CVT-Synthetic", "CVT-Real"]
    plt.close(figure)
    figure = cell_figures.drops_figure(cells.drop_table(table), scores.table_s4(answers))
    labels = [axes.get_xlabel() for axes in figure.axes]
    assert labels == ["", "", "", "F1, points", "NSC", "realizable scenes, points"]
    plt.close(figure)
    run = made_cells.run_of(items, chosen.Cell("synthetic", "competing", "Mine", "image"), items.gold)
    figure = cell_figures.truncation_figure(cells.truncation_table([run], items))
    assert figure.axes[0].get_ylabel() == "F1, percent" and len(figure.axes[0].get_lines()) == 3
    plt.close(figure)


def test_intervals_of_cvt_stand_beside_the_printed_ones(answers):
    """Table S10 and Supp. 4.3 name their ends in the column and in the row; each interval is one row."""
    ten = reconstructed.intervals_beside(robustness.table_s10_intervals(answers), "Table S10", "cvt")
    assert len(ten) == 8 and ten["Printed"].iloc[0] == "0.192 to 0.224"
    assert ten.set_index(["Quantity", "Of"]).loc[("NSC", "CVT-Real / Drop"), "Ours"] == "undefined to undefined"
    matched = reconstructed.intervals_beside(robustness.matching_intervals(answers), "Supp. 4.3", "cvt")
    assert len(matched) == 4 and matched["Of"].tolist() == ["CVT-Synthetic", "CVT-Real"] * 2
