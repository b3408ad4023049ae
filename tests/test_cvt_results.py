"""CVT-Bench's printed results from runs: every printed key, small cases by hand, the plain way, and one changed answer.

The runs are made up here: answers drawn at random around gold for all 60 cells of Table 1 and all filler runs. Until they are
compared with the print nothing depends on how they are drawn.
"""

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from benchmarks import plain_cvt
from benchmarks import verify as plain_verify
from tests import made_cells
from tests.made_cells import drawn, lifted, run_of
from vantage import quarter_turns, relations
from vantage.items import load_attribute_questions, load_cvt, tracked_rows
from vantage.predictions import ANSWERED, MISSING, NOT_ASKED, AttributeRun, cvt_table
from vantage.prompts import FILLERS, TARGET_POSITIONS, asked_in, batches
from vantage.published import load_published
from vantage.relations import ABOVE, BELOW, HORIZONTAL, LEFT, RIGHT, VIEWPOINTS
from vantage.tables.cvt_results import chosen, controls, robustness, scores, turns
from vantage.tables.cvt_results.verifier import verify

SEED = 7


@pytest.fixture(scope="module")
def synthetic():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def indoor():
    return load_cvt("indoor")


@pytest.fixture(scope="module")
def made_up(synthetic, indoor):
    """All 60 cells, and the filler runs of the two models that have them, with their attribute answers."""
    rng = np.random.default_rng(SEED)
    items, attributes = {"synthetic": synthetic, "indoor": indoor}, load_attribute_questions("synthetic")
    runs, attribute_runs = [], []
    for cell in chosen.printed_cells():
        runs.append(run_of(items[cell.domain], cell, drawn(items[cell.domain], rng, rng.uniform(0.02, 0.5))))
    for model in controls.SHORT:
        for regime in FILLERS:
            for representation in ("image", "text_bbox"):
                for position in TARGET_POSITIONS:
                    cell = chosen.Cell("synthetic", regime, model, representation)
                    asked = asked_in(synthetic, synthetic.questions["scene"], regime, position)
                    status = np.where(asked, ANSWERED, NOT_ASKED).astype(np.uint8)
                    answers = np.where(asked, drawn(synthetic, rng, 0.2), 0)
                    run = run_of(synthetic, cell, answers, status=status, target_position=position)
                    runs.append(replace(run, run=f"{run.run}-{position}", title=f"{run.title}, {position}"))
                    if regime == "attribute_filler":
                        attribute_runs.append(answered_attributes(attributes, runs[-1], rng, synthetic))
    return chosen.Answers(runs, items, attribute_runs)


def answered_attributes(attributes, run, rng, items):
    asked = ~asked_in(items, attributes.questions["scene"], run.regime, run.target_position)
    right = asked & (rng.random(len(asked)) < 0.9)
    return AttributeRun(
        **{
            name: getattr(run, name)
            for name in ("set", "kind", "title", "run", "model", "domain", "regime", "representation", "about")
        },
        target_position=run.target_position,
        answers=tuple(gold if known else frozenset() for gold, known in zip(attributes.gold, right, strict=True)),
        status=np.where(right, ANSWERED, np.where(asked, MISSING, NOT_ASKED)).astype(np.uint8),
        block=np.full(len(asked), -1, np.int16),
    )


def cells(table):
    return {(row, column): value for row, column, value in table.itertuples(index=False)}


# --------------------------------------------------------------------------------------------------------- every printed key


def test_everything_that_rests_on_answers_is_recomputed(made_up):
    """All printed results and intervals but the models' F1 on the three scenes of the human study, which the paper does not name."""
    printed = load_published("cvt").query("kind in ('prediction', 'interval')")
    human = printed[printed["row"] == "Model F1 on the scenes of the human study"]
    assert len(human) == 4
    found = [*verify(made_up)["id"], *verify(made_up, drawn=True)["id"]]
    assert not [number for number, times in Counter(found).items() if times > 1]
    assert sorted(found) == sorted(set(printed["id"]) - set(human["id"]))


# ------------------------------------------------------------------------------------------------- by hand, from made-up runs


@pytest.fixture(scope="module")
def answers_of(synthetic):
    return partial(made_cells.answers_of, synthetic)


def inverted(items):
    return relations.opposite(items.gold)


S_ISO, S_COMP = "CVT-Synthetic / CVT-Isolated", "CVT-Synthetic / CVT-Competing"
R_ISO, R_COMP = "CVT-Real / CVT-Isolated", "CVT-Real / CVT-Competing"


def test_means_over_fifteen_cells(answers_of):
    """In CVT-Synthetic, isolated, every picture cell says the opposite of everything: F1 0, realizable, the same at 0 and 360."""

    def changed(cell, items):
        return (
            inverted(items) if cell[:2] == ("synthetic", "isolated") and cell.representation == "image" else items.gold
        )

    answers = answers_of(changed)
    one = cells(scores.table_1(answers))
    row = "Kimi K2.5 / CVT-Synthetic / "
    assert one[f"{row}Image", "Global F1 / CVT-Isolated"] == 0
    assert one[f"{row}Text/BBox", "Global F1 / CVT-Isolated"] == 100
    assert one[f"{row}Image", "Realizability / CVT-Isolated"] == 100
    means = cells(scores.averages_text(answers))
    assert means["Global F1", S_ISO] == pytest.approx(100 * 10 / 15)
    assert means["Global F1", S_COMP] == means["Realizability", S_ISO] == 100
    gains = cells(scores.representations_text(answers))
    ends = [gains[f"Text/BBox minus Image, F1 in points, {end}", "all"] for end in ("minimum", "maximum")]
    assert ends == [0, 100]
    assert gains["Domain-regime blocks in which Scene Graph exceeds Image realizability", "all"] == 0
    outcomes = cells(scores.outcomes_text(answers))
    assert outcomes["Wrong but realizable scenes", S_ISO] == pytest.approx(100 * 5 / 15)
    assert outcomes["Wrong and unrealizable scenes", S_ISO] == outcomes["Wrong but realizable scenes", S_COMP] == 0
    views = cells(scores.viewpoints_text(answers))
    assert views["Cycle consistency", S_ISO] == 100
    assert views["Both 0 and 360 degrees correct", S_ISO] == pytest.approx(100 * 10 / 15)
    assert views["Counterfactual gap", S_ISO] == 0


def test_means_need_every_cell(answers_of):
    some = [cell for cell in chosen.printed_cells() if cell.domain == "indoor"][1:]
    answers = answers_of(lambda cell, items: items.gold, some)
    assert {column for _, column in cells(scores.averages_text(answers))} == {R_COMP}
    assert len(scores.table_1(answers)) == 3 * 29
    for table in (
        scores.table_s4,
        scores.representations_text,
        scores.persistence_text,
        robustness.table_s10,
        turns.table_s5,
    ):
        assert R_ISO not in set(table(answers)["column"])
    assert scores.table_s4(answers).empty and robustness.matching_text(answers)["row"].eq("MaxSAT").sum() == 1
    assert verify(chosen.Answers([], {})).empty and verify(chosen.Answers([], {}), drawn=True).empty


def test_scenes_a_prompt_tell_the_cohorts_apart(answers_of):
    """Only GPT-5.2's competing answers are inverted, and only its prompts have ten scenes."""

    def changed(cell, items):
        return inverted(items) if (cell.model, cell.regime) == ("GPT-5.2", "competing") else items.gold

    found = cells(scores.table_s4(answers_of(changed)))
    assert found["F1", "CVT-Real / All-model drop"] == pytest.approx(3 / 15)
    assert found["F1", "CVT-Real / C20-only drop"] == found["Realizability", "CVT-Synthetic / All-model drop"] == 0
    assert cells(scores.load_text(answers_of(changed)))["F1 drop, GPT-5.2", "CVT-Synthetic"] == 1


def test_tracker_only_curve_by_hand(answers_of, synthetic):
    """At 90 degrees only fixed pairs, with T labels, are answered: F1 of all questions there, with T + N labels, is 2 T / (2 T + N)."""
    at, fixed = (
        (synthetic.questions["viewpoint"] == "90").to_numpy(),
        synthetic.questions["tracked_pair"].notna().to_numpy(),
    )
    # Where nothing is answered, the smallest admissible set is credited.
    labels = np.bitwise_count(synthetic.admissible).astype(int)
    tracked, others = labels[at & fixed, 0].sum(), labels[at & ~fixed].min(axis=1).sum()
    found = cells(scores.viewpoints_text(answers_of(lambda cell, items: np.where(at & ~fixed, 0, items.gold))))
    row = "Tracker-only minus full angular curve, F1 in points, at most"
    assert found[row, S_ISO] == pytest.approx(100 * others / (2 * tracked + others))


def test_ambiguity_by_hand(answers_of, synthetic):
    """Where there is an alternative, it is given: right, but not strictly. Alternatives add or omit labels of gold."""
    alternative = synthetic.admissible[:, 1]
    found = cells(scores.ambiguity_text(answers_of(lambda cell, items: items.admissible[:, 1])))
    right = np.bitwise_count(alternative & synthetic.gold).sum()
    strict = 2 * right / (np.bitwise_count(alternative).sum() + np.bitwise_count(synthetic.gold).sum())
    assert found["Ambiguity-aware minus strict F1", S_ISO] == pytest.approx(1 - strict)


def test_components_by_hand(answers_of, synthetic):
    """Above and below of the vertical-enriched pairs are inverted, and left and right of the others."""
    vertical = (lifted(synthetic).questions["kind"] == "vertical").to_numpy()

    def changed(cell, items):
        if cell.domain == "synthetic":
            return items.gold
        turned = relations.opposite(items.gold)
        heights, rest = np.uint8(ABOVE | BELOW), np.uint8(HORIZONTAL)
        return np.where(vertical, (turned & heights) | (items.gold & rest), turned)

    answers = answers_of(changed)
    found = cells(turns.table_s5(answers))
    rows = ("2D trackers", "3D horizontal component", "3D vertical component")
    assert [found[row, "F1 / CVT-Isolated"] for row in rows] == [0, 1, 0]
    text = cells(turns.components_text(answers))
    assert np.isnan(text["NSC, 3D vertical component", R_COMP])  # never right: nothing to persist
    eight = cells(turns.table_s8(answers))
    assert (
        eight["Quarter exact", R_ISO] == eight["Quarter exact", S_ISO] == 1
    )  # of CVT-Real the horizontal part of these pairs alone


def test_transport_and_turns_by_hand(answers_of, synthetic):
    """Egocentric: the 0-degree gold of a fixed pair at every view. Right at 0 and 360 on closed pairs, wrong at 90, 180 and 270."""
    rows = tracked_rows(synthetic.questions)
    egocentric = synthetic.gold.copy()
    egocentric[rows] = synthetic.gold[rows[:, :1]]
    answers = answers_of(lambda cell, items: egocentric if cell.domain == "synthetic" else items.gold)
    six = cells(turns.table_s6(answers))
    assert [six[f"Self {yaw}", S_ISO] for yaw in (90, 180, 270, 360)] == [0, 0, 0, 100]
    assert six["Perfect C4", S_ISO] == 0 and six["Perfect C4", R_ISO] == 100
    seven = cells(turns.table_s7(answers))
    assert seven["Exact", S_COMP] == pytest.approx(2 / 5) and seven["Perfect C4", S_COMP] == 0
    assert seven["Realizable", S_ISO] == 0 and seven["Realizable", R_ISO] == 1
    assert seven["Caption: F1 drop in points", "CVT-Real"] == 0
    text = cells(turns.aligned_text(answers))
    row = "Aligned share of two-relation errors at quarter turns"
    assert text[f"{row}, minimum", S_ISO] == text[f"{row}, maximum", S_ISO] == 100
    # The source answer is right, and all errors are its own answer again.
    readings = turns.audit_readings(answers)
    assert len(readings) == 4
    assert (readings[["Aligned, least", "Aligned, greatest"]] == 100).all(axis=None)
    assert (readings[["Alternative, least", "Alternative, greatest"]] == 0).all(axis=None)


def test_wordings_and_endpoints_by_hand(answers_of, synthetic):
    """Quarter turns are answered only where worded the short way; in one cell diagonals are right at the half-turn endpoint alone."""
    views, angles = synthetic.questions["viewpoint"], synthetic.questions["orbit_angle"]
    long_quarter = (views.isin(["90", "270"]) & (angles == 270)).to_numpy()
    rows = tracked_rows(synthetic.questions)
    endpoint = np.ones(len(rows) * 4, dtype=bool).reshape(len(rows), 4)
    source = synthetic.gold[rows[:, VIEWPOINTS.index("0")]]
    for place, yaw in enumerate(quarter_turns.DIAGONALS):
        half = {45: 0, 135: 180, 225: 180, 315: 360}[yaw]
        endpoint[:, place] = synthetic.gold[rows[:, VIEWPOINTS.index(str(yaw))]] == relations.transport(source, half)
    diagonal = rows[:, [VIEWPOINTS.index(str(yaw)) for yaw in quarter_turns.DIAGONALS]]

    def changed(cell, items):
        answers = np.where(long_quarter, 0, items.gold)
        if cell == chosen.Cell("synthetic", "isolated", "Kimi K2.5", "image"):
            answers[diagonal[~endpoint]] = 0
        return answers

    found = cells(turns.quarter_turns_text(answers_of(changed)))
    assert found["Short 90 minus long 270 wording, exact in points, at most", "all"] == pytest.approx(100)
    row = "Endpoint minus cross-axis relations at diagonals, in points"
    assert found[row, S_ISO] == pytest.approx(100 / 15) and found[row, R_COMP] == 0
    assert found["Cells in which endpoint relations are easier", S_ISO] == 1


def test_prompts_by_hand(answers_of, synthetic):
    """Competing answers of one cell are missing in its first prompt: a drop in one of five prompts, and none without that one."""
    cell = chosen.Cell("synthetic", "competing", "Kimi K2.5", "image")
    first = synthetic.questions["scene"].isin(batches(synthetic, 20)[0]).to_numpy()
    answers = answers_of(lambda one, items: np.where(first & (one == cell), 0, items.gold))
    found = cells(robustness.partitions_text(answers))
    assert found["Prompt blocks with a positive F1 drop", "CVT-Synthetic"] == 1
    assert found["Prompt blocks with a positive F1 drop", "CVT-Real"] == 0
    assert found["Cells of a domain with a positive F1 drop in every block", "all"] == 0
    assert found["Cells whose leave-one-block-out range keeps its direction", "all"] == 29
    ten = cells(robustness.table_s10(answers))
    assert ten["F1", "CVT-Synthetic / Isolated"] == 1
    assert ten["F1", "CVT-Synthetic / Drop"] == pytest.approx(1 - ten["F1", "CVT-Synthetic / Competing"])
    assert ten["MaxSAT", "CVT-Real / Competing"] == ten["Binary realizability", "CVT-Synthetic / Competing"] == 1


def test_matching_by_hand(answers_of, synthetic):
    """The left or right of a question of each scene is left out in isolated runs and inverted in competing ones: one error each.

    What is left out contradicts nothing. So the drop at matched errors is all that competing runs lack in realizability.
    """
    lateral = np.uint8(LEFT | RIGHT)
    clear = (np.bitwise_count(synthetic.gold) == 2) & (synthetic.admissible == synthetic.gold[:, None]).all(axis=1)
    first = synthetic.questions[clear].drop_duplicates("scene").index.to_numpy()
    part = synthetic.gold[first] & lateral

    def changed(cell, items):
        answers = items.gold.copy()
        answers[first] = answers[first] & ~lateral
        if cell.regime == "competing":
            answers[first] |= relations.opposite(part)
        return answers

    answers = answers_of(changed)
    found, outputs = cells(robustness.matching_text(answers)), answers.outputs_of("synthetic", "competing")
    realizable = outputs["realizable"].mean()
    assert 0 < realizable < 1
    assert found["Realizability drop at matched errors", "CVT-Synthetic"] == pytest.approx(1 - realizable)
    assert found["MaxSAT", S_ISO] == 1 > found["MaxSAT", S_COMP]
    correlation = np.corrcoef(outputs["constraints"], outputs["realizable"])[0, 1]
    assert found["Correlation of constraint count with realizability", S_COMP] == pytest.approx(correlation)
    ends = cells(robustness.matching_intervals(answers))
    row = "Realizability drop at matched errors, 95%"
    assert 0 < ends[f"{row} low", "CVT-Synthetic"] <= 1 - realizable <= ends[f"{row} high", "CVT-Synthetic"] < 1


# ------------------------------------------------------------------------------------------------------- the plain way


@pytest.fixture(scope="module")
def asked():
    return plain_cvt.questions("synthetic")


def words_of(run, items, asked):
    """The rows of a run as they stand in a file, with the questions."""
    head = {name: getattr(run, name) for name in ("set", "kind", "run", "model", "regime", "representation")}
    if run.target_position is not None:
        head["target_position"] = run.target_position
    table = cvt_table(items, run.answers, run.status, run.block, **head)
    return plain_cvt.with_answers(table.to_pandas(), asked)


def test_controls_the_plain_way(made_up, synthetic, asked):
    """Fifteen targets, three runs a filler: F1 and NSC of Table S11, with the picture. Retrieval counted answer by answer."""
    found = cells(controls.table_s11(made_up))
    targets = [scenes[position] for scenes in batches(synthetic, 20) for position in TARGET_POSITIONS]
    for name, short in controls.SHORT.items():
        for regime in chosen.REGIMES:
            runs = [
                run
                for run in made_up.runs
                if (run.domain, run.model, run.regime, run.representation) == ("synthetic", name, regime, "image")
            ]
            rows = pd.concat([words_of(run, synthetic, asked)[run.status != NOT_ASKED] for run in runs])
            rows = rows[rows["scene"].isin(targets)]
            assert rows["scene"].nunique() == 15
            column = {"isolated": "Isolated", "competing": "Competing"}.get(regime, chosen.REGIMES[regime])
            assert found[f"{short} / F1", column] == pytest.approx(plain_cvt.f1(rows), abs=1e-12)
            assert found[f"{short} / NSC", column] == pytest.approx(plain_cvt.nsc(rows), abs=1e-12)
    attributes = load_attribute_questions("synthetic")
    places = {scene: place for scenes in batches(synthetic, 20) for place, scene in enumerate(scenes)}
    position = attributes.questions["scene"].map(places).to_numpy()
    runs = [run for run in made_up.attribute_runs if (run.model, run.representation) == ("Qwen 3.5 OS", "text_bbox")]
    percent = []
    for place in range(20):
        tally = [
            answer == gold
            for run in runs
            for answer, gold, status, where in zip(run.answers, attributes.gold, run.status, position, strict=True)
            if where == place and status != NOT_ASKED
        ]
        assert len(tally) == (2 if place in TARGET_POSITIONS else 3) * (position == place).sum()
        percent.append(100 * np.mean(tally))
    found = cells(controls.table_s12(made_up)) | cells(controls.table_s13(made_up))
    assert [found["Qwen OS / Text/BBox", f"Position {place}"] for place in range(20)] == pytest.approx(percent)
    assert found["Qwen OS / Text/BBox", "All"] == pytest.approx(np.mean(percent))
    text = cells(controls.controls_text(made_up))
    assert text["Attribute retrieval, Qwen 3.5 OS", "Text/BBox / Attribute filler"] == pytest.approx(np.mean(percent))


def test_the_plain_way_agrees_on_a_sample(made_up):
    """F1, NSC and cycle consistency of two cells a domain, realizability and MaxSAT of fifteen of their scenes, from words."""
    rng = np.random.default_rng(SEED)
    for domain, items in made_up.items.items():
        cells_of = [cell for cell in made_up.cells if cell.domain == domain]
        some = [cells_of[place] for place in rng.choice(len(cells_of), 2, replace=False)]
        part = chosen.Answers([made_up.cells[cell] for cell in some], {domain: items})
        rows = {cell: words_of(run, items, plain_cvt.questions(domain)) for cell, run in part.cells.items()}
        assert plain_verify.differing_metrics(part, lambda run, rows=rows: rows[chosen.Cell.of(run)]) == []
        for cell, run in part.cells.items():
            of = rows[cell]
            verdicts = pd.DataFrame(
                [
                    (scene, *plain_cvt.coherence(of[of["scene"] == scene]))
                    for scene in rng.choice(of["scene"].unique(), 15, replace=False)
                ],
                columns=["scene", "realizable", "satisfied", "asserted"],
            )
            assert plain_verify.differing_scenes(run, part, verdicts) == []
            assert verdicts["satisfied"].lt(verdicts["asserted"]).any()


def test_plain_constraints_of_heights_and_top(synthetic):
    """The map of Supp. 2.3 by hand: at 90 degrees right is away from the observer; north is behind; above points up."""
    rows = pd.DataFrame(
        {
            "viewpoint": ["90", "Top", "0", "45"], "target": [1, 2, 3, 4], "anchor": [0, 0, 0, 0],
            "answer": [{"right"}, {"north"}, {"below", "left"}, {"behind"}],
        }
    )  # fmt: skip
    half = np.sqrt(0.5)
    assert plain_cvt.constraints(rows) == pytest.approx(
        np.array(
            [
                [0, 1, 0, 0, 1, 0], [1, 2, 0, 0, 1, 0], [2, 3, 0, 0, 0, -1], [2, 3, 0, -1, 0, 0], [3, 4, 0, -half, half, 0],
            ]
        ),
        abs=1e-12,
    )  # fmt: skip


def test_one_changed_answer_is_noticed(made_up, synthetic, asked):
    """An answer changed in the file and not in what the tables were computed from: metrics and verdicts no longer agree."""
    cell = chosen.Cell("synthetic", "isolated", "Gemini 3.1 Pro", "image")
    oracle = run_of(synthetic, cell, synthetic.gold)
    part = chosen.Answers([oracle], {"synthetic": synthetic})
    repeated = synthetic.questions.groupby(["scene", "target", "anchor"])["item"].transform("size") > 1
    row = int(np.flatnonzero(repeated & (np.bitwise_count(synthetic.gold) == 1))[0])
    answers = synthetic.gold.copy()
    answers[row] = relations.opposite(answers[row])
    changed = words_of(replace(oracle, answers=answers), synthetic, asked)
    assert plain_verify.differing_metrics(part, lambda run: words_of(run, synthetic, asked)) == []
    assert plain_verify.differing_metrics(part, lambda run: changed)
    scene = synthetic.questions["scene"][row]
    verdict = plain_cvt.coherence(changed[changed["scene"] == scene])
    one = pd.DataFrame([(scene, *verdict)], columns=["scene", "realizable", "satisfied", "asserted"])
    assert len(plain_verify.differing_scenes(oracle, part, one)) == 2


def test_verification_goes_on_where_it_was_broken_off(tmp_path, made_up, synthetic, asked):
    """Of six scenes two are there and a third is half written, beside lines about another file: four are computed."""
    run = next(iter(made_up.cells.values()))
    tasks = [(run.run, scene, part) for scene, part in list(plain_cvt.by_scene(words_of(run, synthetic, asked)))[:6]]
    path = tmp_path / "_build" / "verify.csv"
    plain_verify.plain_coherence(iter(tasks[:3]), 6, path, "this")
    head, *lines = path.read_text().splitlines()
    other = lines[0].replace("this", "that", 1)
    path.write_text("\n".join([head, other, lines[0], lines[1], lines[2][:-1]]))
    found = plain_verify.plain_coherence(iter(tasks), 6, path, "this")
    assert sorted(found["scene"]) == sorted(scene for _, scene, _ in tasks)
    written = path.read_text().splitlines()
    assert written[:3] == [head, *lines[:2]] and lines[2] in written and len(written) == 7
    finished = path.read_text()
    again = plain_verify.plain_coherence(iter(tasks), 6, path, "this")
    assert path.read_text() == finished and len(again) == 6
