"""The pages on context, retrieval, representations and cost: their tables by hand, their figures, and what a page without runs shows."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from vantage import figures, panels
from vantage.errors import InputError
from vantage.items import load_attribute_questions, load_cvt
from vantage.predictions import load_attribute_runs, load_runs, pool_targets
from vantage.published import agrees, load_published
from vantage.tables import context, cost, representations


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def runs(items):
    return load_runs(["reference_oracle", "reference_interference", "reference_egocentric"], items, regime=None)


def test_printed_counts_of_prompts_are_met(items):
    """Each number is printed at least once, and all of them agree: the prompts were built to."""
    published = load_published("cvt")
    for one in context.prompt_composition(items).itertuples():
        said = published[(published.row == one.row) & (published.column == one.column)]
        said = said[said.place == one.place] if pd.notna(one.place) else said
        assert len(said), one.row
        assert all(agrees(one.value, number.value, number.decimals) for number in said.itertuples()), one.row
    shown = context.prompt_counts(items)
    assert (shown.Recomputed == shown.Printed).all() and len(shown) > 25


def test_jobs_multiply_out_to_the_print():
    """By hand: 5 models x 3 modes x 100 scenes; 4 x 3 x 100/20; 1 x 3 x 100/10; controls 4 x 2 x 15."""
    jobs = cost.jobs_table()
    assert jobs.Count.to_list() == [1500, 60, 30, 1590, 1590, 120]
    assert cost.attempts_table().Result.to_list() == [123, 125]


def test_context_used_is_peak_over_window():
    table = cost.context_table()
    assert len(table) == 5
    assert all(agrees(row["Peak / window"], row["Context used"], 1) for row in table.to_dict("records"))
    # By hand: 82,991 of 262,144 tokens.
    assert table.set_index("Model")["Peak / window"]["Kimi K2.5"] == pytest.approx(31.6586, abs=1e-4)


def test_prompt_sizes(items):
    """A competing prompt holds the questions and blocks of its scenes, and one master prompt in place of twenty."""
    sizes = cost.prompt_sizes(items).set_index(["Regime", "Scenes", "Representation"])
    assert sizes.Requests.groupby(level=["Regime", "Scenes"]).first().to_dict() == {
        ("Isolated", 1): 100, ("Competing", 20): 5, ("Competing", 10): 10,
        ("Irrelevant filler", 20): 15, ("Attribute filler", 20): 15,
    }  # fmt: skip
    alone, together = sizes.loc[("Isolated", 1, "Image")], sizes.loc[("Competing", 20, "Image")]
    assert together.Questions == pytest.approx(20 * alone.Questions) == pytest.approx(5703 / 5)
    assert 0.97 * 20 * alone.Characters < together.Characters < 20 * alone.Characters
    assert (alone.Pictures, together.Pictures) == (1, 20)
    assert sizes.loc[("Irrelevant filler", 20, "Image")].Pictures == 1
    assert sizes.loc[("Attribute filler", 20, "Text/BBox")].Pictures == 0


def test_means_of_table_1(items):
    """By hand, isolated Image F1 of CVT-Synthetic: (94.2 + 80.3 + 71.0 + 71.8 + 73.3) / 5 = 78.12; Text/BBox 84.88. The printed
    least and largest gains are those of the four blocks, to what two decimals of NSC leave open."""
    first = representations.printed_means("Global F1").iloc[0]
    assert (first["Image"], first["Text/BBox"]) == (pytest.approx(78.12), pytest.approx(84.88))
    said = load_published("cvt").query("place == 'Evaluation Results'").set_index("row")["value"]
    for metric, row, slack in (
        ("Global F1", "F1 in points", 0.05), ("NSC", "NSC", 0.0105), ("Realizability", "realizability in points", 0.05),
    ):  # fmt: skip
        gains = representations.printed_means(metric)["Text/BBox − Image"]
        for end, value in (("minimum", gains.min()), ("maximum", gains.max())):
            assert value == pytest.approx(said[f"Text/BBox minus Image, {row}, {end}"], abs=slack)
    assert set(representations.PRINTED_GAINS) <= set(said.index)


def test_names_of_printed_rows_exist():
    published = load_published("cvt")
    for place, rows in (
        ("Table S11", context.PRINTED_ROWS), ("Supp. 5", context.PRINTED_INTERVALS),
        ("Table S12", context.PRINTED_RETRIEVAL), ("Table S13", context.PRINTED_RETRIEVAL),
    ):  # fmt: skip
        assert set(rows) <= set(published[published.place == place].row)


def test_trends_of_printed_retrieval():
    """Against numpy's least squares; by hand, Gemini Image has mean 93.27 over positions 0 to 9. No trend passes two errors."""
    trends = context.printed_trends().set_index("")
    said = load_published("cvt").query(
        "place in ['Table S12', 'Table S13'] and row == 'Qwen OS / Text/BBox' and column != 'All'"
    )
    values = said.value.to_numpy()
    assert len(values) == 20
    assert trends.loc["Qwen OS / Text/BBox", "Fitted change"] == pytest.approx(19 * np.polyfit(range(20), values, 1)[0])
    assert trends.loc["Gemini / Image", "Positions 0 to 9"] == pytest.approx(93.27)
    assert (trends["Fitted change"].abs() < 2 * trends["Standard error"]).all()


def test_scores_by_position_and_regime(items, runs):
    """The egocentric has no filler run, so no row. The interference responder is right everywhere but in competing prompts, and
    there in the first slot."""
    scores = context.position_scores(runs, items)
    assert set(scores.Set) == {"Oracle", "Interference"} and len(scores) == 2 * 4 * 3
    lost = scores[scores.value < 1]
    assert set(lost.Set) == {"Interference"} and set(lost.regime) == {"Competing"} and set(lost.position) == {9, 19}


def test_gaps_of_the_fillers(items, runs):
    """The oracle has no gap, of the interference responder both are what competing prompts took; NSC is undefined."""
    gaps = context.filler_gaps(runs, items, seed=1).set_index(["Set", "Filler"])
    assert set(gaps.Metric) == {"F1"} and len(gaps) == 4
    assert (gaps.loc["Oracle", "Gap"] == 0).all()
    lost = gaps.loc["Interference"]
    assert (lost.Gap == 1 - lost.Competing).all() and (lost.Low > 0).all()


def test_two_representations_of_a_model_are_told_apart(items, runs):
    twice = [*runs, *(replace(run, representation="image") for run in runs)]
    names = set(context.position_scores(twice, items).Set)
    assert len(names) == 4 and all(name.startswith(("Oracle, ", "Interference, ")) for name in names)


def test_retrieval_rows_count_their_answers(items):
    """A position is asked about in three prompts a batch, 0, 9 and 19 in two; the last row is the mean over positions."""
    questions = load_attribute_questions("synthetic")
    attribute_runs = load_attribute_runs(["reference_oracle", "reference_tiring"], questions)
    table = context.retrieval_rows(attribute_runs, questions, items)
    assert table.Position.to_list() == [*map(str, range(20)), "All"]
    by_position = questions.questions.scene.str[-3:].astype(int).sub(1).mod(20).value_counts().sort_index()
    times = np.where(np.isin(by_position.index, (0, 9, 19)), 2, 3)
    assert table.Answers[:20].astype(int).to_list() == (by_position * times).to_list()
    assert (table.Oracle == 100).all()
    assert table.Tiring.iloc[-1] == pytest.approx(table.Tiring[:20].mean())


def test_examples_are_questions_about_the_scene_with_their_answers():
    questions = load_attribute_questions("synthetic")
    examples = context.attribute_examples(questions, "synthetic-023")
    assert not examples.duplicated().any() and set(examples["Asks for"]) <= {
        "color",
        "shape",
        "material",
        "object",
        "count",
    }
    here = questions.questions.query("scene == 'synthetic-023'")
    assert set(examples.Question) <= set(here.text)


def test_figures_show_each_set_and_survive_none(items, runs):
    rates = dict.fromkeys(context.MECHANISMS, 0.5)
    scores, expected = context.position_scores(runs, items), context.expected_positions(items, rates)
    figure = figures.regime_figure(scores, expected)
    assert [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()] == ["Oracle", "Interference"]
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["0", "9", "19"]
    assert figures.regime_figure(scores[:0], expected).texts
    questions = load_attribute_questions("synthetic")
    curves = context.retrieval_curves(load_attribute_runs(["reference_oracle"], questions), questions, items)
    figure = figures.position_figure(
        curves, context.expected_retrieval(items, rates), score="retrieved, percent", first=0
    )
    assert figure.axes[0].get_ylabel() == "retrieved, percent"
    assert figure.axes[0].lines[1].get_xdata().tolist() == list(range(20))
    plt.close("all")


def test_a_page_without_filler_runs_still_has_its_tables(items):
    questions = load_attribute_questions("synthetic")
    none = load_attribute_runs(["reference_egocentric"], questions, optional=True)
    assert none == [] and context.retrieval_rows(none, questions, items).empty
    assert context.retrieval_curves(none, questions, items).empty
    with pytest.raises(InputError, match="answers the attribute questions of synthetic"):
        load_attribute_runs(["reference_egocentric"], questions)
    alone = load_runs(["reference_egocentric"], items)
    assert context.filler_gaps(alone, items, seed=1).empty
    assert context.position_scores(alone, items).empty
    assert context.expected_beside_positions(alone, items, dict.fromkeys(context.MECHANISMS, 0.5)).empty


def test_provenance_names_a_set_of_many_runs_once(items, runs):
    """Eight runs of the oracle and of the interference responder; two of the egocentric, which are named."""
    html = panels.provenance(items, runs).data
    assert "Oracle (8 runs); Interference (8 runs); Egocentric; Egocentric, competing" in html
    assert "Oracle, irrelevant filler; Oracle, attribute filler" in panels.provenance(items, pool_targets(runs)).data
    assert [run.title for run in context.of_regime(runs, "attribute_filler")] == [
        "Oracle, attribute filler",
        "Interference, attribute filler",
    ]


def test_blocks_are_those_of_the_prompts(items):
    html = panels.blocks(items, "synthetic-023").data
    assert html.count("<pre") == 3 and html.count("Answer the following 60 questions") == 2
    assert "Tag 0 | right:[1,2,3] behind:[1,2,3]" in html and "&quot;large cyan metal cylinder&quot;" in html


def test_worked_out_numbers_are_set_apart():
    html = panels.from_printed(pd.DataFrame({"a": [1.25]}), "Table 1", "A note.", {"a": "{:.1f}"}).data
    assert 'class="table-figure printed"' in html and "Worked out" in html and "1.2" in html
