"""Control regimes beside competing ones: gaps, blocks, positions, by hand and on runs whose interference is known."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from vantage import figures, predictions, scoring
from vantage.bootstrap import ratio
from vantage.errors import InputError
from vantage.interference import block_gaps, leave_one_out_gaps, positions_in_prompt
from vantage.items import load_cvt
from vantage.predictions import NO_BLOCK, NOT_ASKED, WHOLE, load, load_runs
from vantage.relations import opposite
from vantage.tables.coherence import scene_outputs
from vantage.tables.interference import (
    drop_by_unit,
    drop_table,
    expected_positions,
    gap_table,
    interval_widths,
    partition_table,
    position_table,
    prompts_table,
    regime_pairs,
)


def test_blocks_by_hand():
    """Three prompts of ten labels: 9, 8 and 5 right alone, 6, 8 and 4 competing. Without the first, 13/20 - 12/20, and so on."""
    control = np.array([[9.0, 10.0], [8.0, 10.0], [5.0, 10.0]])
    competing = np.array([[6.0, 10.0], [8.0, 10.0], [4.0, 10.0]])
    assert block_gaps(control, competing, ratio) == pytest.approx([0.3, 0.0, 0.1])
    assert leave_one_out_gaps(control, competing, ratio) == pytest.approx([0.05, 0.2, 0.15])


def test_a_single_block_cannot_be_left_out():
    assert np.isnan(leave_one_out_gaps(np.ones((1, 2)), np.ones((1, 2)), ratio)).all()


def test_positions_count_from_zero_within_a_block():
    """Scenes 1 to 40 of the frozen order in two prompts of twenty; the order in which they are listed does not matter."""
    order = np.random.default_rng(1).permutation(40) + 1
    blocks = (order - 1) // 20
    assert (positions_in_prompt(blocks, order) == (order - 1) % 20).all()
    assert positions_in_prompt(np.array([], dtype=int), np.array([], dtype=int)).tolist() == []


# -------------------------------------------------------------------------------------------- runs with known answers


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def place(items):
    """The place of each question's scene in the frozen order, from 0."""
    return items.questions.scene.map({s["scene"]: s["number"] - 1 for s in items.scenes}).to_numpy(dtype=np.int16)


@pytest.fixture(scope="module")
def pair(items, place):
    """Always right alone; in prompts of twenty, every scene from the tenth of its prompt on is answered in reverse."""
    isolated = load("reference_oracle").runs[0]
    reversed_late = np.where(place % 20 >= 10, opposite(items.gold), items.gold)
    competing = replace(
        isolated,
        run="late",
        title="Late",
        regime="competing",
        answers=reversed_late,
        block=(place // 20).astype(np.int16),
    )
    return [isolated, competing]


def test_position_curve_shows_where_interference_begins(items, pair):
    curve = position_table(pair, items, strict=True)
    assert curve.position.tolist() == list(range(20))
    assert curve.value.tolist() == [1] * 10 + [0] * 10
    assert (curve.scenes == 5).all()


def test_gap_table(items, pair, place):
    """F1 is the share of labels in early scenes. Inverted answers stay realizable, so realizability loses nothing. MaxSAT is
    given: 1 alone, .5 competing, with no spread. NSC is 0/0 alone, so its gap is not a number."""
    outputs = scene_outputs(pair, items, satisfiable=[np.ones(100), np.full(100, 0.5)])
    table = gap_table(pair, items, seed=1, outputs=outputs, draws=500, strict=True).set_index(["Set", "Metric"])
    labels = np.bitwise_count(items.gold)
    late = labels[place % 20 >= 10].sum() / labels.sum()
    f1 = table.loc[("reference_oracle", "F1")]
    assert f1[["Control", "Gap", "Clusters"]].tolist() == pytest.approx([1, late, 5])
    assert 0 < f1.Low < late < f1.High
    assert np.isnan(table.loc[("reference_oracle", "NSC"), "Gap"])
    assert table.loc[("reference_oracle", "Realizable"), ["Gap", "Low", "High", "Above 0"]].tolist() == [0, 0, 0, 0]
    assert table.loc[("All", "MaxSAT"), ["Gap", "Low", "High", "Above 0"]].tolist() == [0.5, 0.5, 0.5, 1]
    assert set(gap_table(pair, items, seed=1, draws=10).Metric) == {"F1", "NSC"}


def test_partition_table(items, pair):
    row = partition_table(pair, items).iloc[0]
    assert row[["Prompts", "With a drop"]].tolist() == [5, 5]
    assert 0.4 < row["Lowest without one"] <= row["Highest without one"] < 0.6


def test_a_filler_regime_counts_on_its_targets_only(items, pair, place):
    """Three target scenes at places 0, 9 and 19 of the first prompt: the last is reversed when competing. Each is a cluster."""
    targets = np.isin(place, [0, 9, 19])
    filler = replace(pair[0], regime="irrelevant_filler", status=np.where(targets, 0, NOT_ASKED).astype(np.uint8))
    filler = replace(filler, answers=np.where(targets, items.gold, 0).astype(np.uint8))
    table = gap_table([filler, pair[1]], items, seed=1, control="irrelevant_filler", draws=100, strict=True)
    f1 = table.set_index(["Set", "Metric"]).loc[("reference_oracle", "F1")]
    labels = np.bitwise_count(items.gold)
    assert f1[["Clusters", "Control"]].tolist() == [3, 1]
    assert f1.Gap == pytest.approx(labels[place == 19].sum() / labels[targets].sum())


def test_a_competing_run_needs_blocks(items, pair):
    unknown = replace(pair[1], block=np.full(len(pair[1].block), NO_BLOCK, dtype=np.int16))
    for table in (partition_table, position_table):
        with pytest.raises(InputError, match="block of every answer in the competing run 'Late'"):
            table([pair[0], unknown], items)


def test_without_partners_tables_are_empty(items, pair):
    assert len(gap_table(pair[:1], items, seed=1)) == len(partition_table(pair[:1], items)) == 0
    assert position_table(pair[:1], items).columns.tolist() == ["Set", "position", "scenes", "value"]


def test_partners_share_everything_but_the_regime(pair):
    other = replace(pair[0], representation="image")
    assert regime_pairs([other, pair[0], pair[1]]) == [(pair[0], pair[1])]
    with pytest.raises(InputError, match="name only one"):
        regime_pairs([pair[0], replace(pair[0], run="again"), pair[1]])


# ------------------------------------------------------------------------------------------------ blocks in a file


def frozen(items, block, folder):
    table = predictions.cvt_table(
        items, items.gold, block=block,
        set="mine", kind="measured", run="one", model="Mine", regime="competing", representation="image",
    )  # fmt: skip
    return predictions.freeze(table, folder, title="Mine", about="-", made_by="-")


def test_blocks_survive_a_file(items, place, tmp_path):
    assert frozen(items, place // 20, tmp_path / "mine").runs[0].block.tolist() == (place // 20).tolist()
    assert (load("reference_oracle").runs[0].block == NO_BLOCK).all()


def test_a_scene_is_in_one_block(items, place, tmp_path):
    split = place // 20
    split[3] = 4
    with pytest.raises(InputError, match="row 4: expected one block a scene and run"):
        frozen(items, split, tmp_path / "mine")
    with pytest.raises(InputError, match="row 1: expected a block counted from 0"):
        frozen(items, np.full(len(place), -2), tmp_path / "mine")


# ------------------------------------------------------------------------------------- what the page of robustness shows


@pytest.fixture(scope="module")
def both_regimes():
    names = ["reference_independent_noise", "reference_noisy_source", "reference_drifting"]
    return load_runs(names, load_cvt("synthetic"), regime=WHOLE)


def test_shared_errors_widen_the_interval_by_prompt(items, both_regimes):
    """A pair's ten questions share one judgment of the noisy source: about 2.4 times as wide by cluster as by question, 0.9
    times that with five prompts. The independent noise's scenes and questions count alike."""
    drops = drop_by_unit(both_regimes, items, seed=1, draws=500)
    assert drops.groupby("unit").clusters.first().to_dict() == {"question": 5703, "scene": 100, "prompt": 5}
    assert (drops.groupby("Set").value.nunique() == 1).all() and (drops.low <= drops.high).all()
    widths = interval_widths(drops).set_index("Set")
    assert 1.5 < widths.loc["Noisy source", "Prompt / question"] < 3.2
    noise = widths.loc["Independent noise"]
    assert noise["Width by scene"] == pytest.approx(noise["Width by question"], rel=0.2)
    cells = drop_table(both_regimes, items, seed=1).query("Metric == 'F1'").set_index("Set")
    assert widths.Drop.to_numpy() == pytest.approx(100 * cells.Drop[widths.index].to_numpy())


def test_runs_follow_the_positions_derived(items, both_regimes):
    """Five scenes, some 285 questions a position: a tolerance of three standard errors, .09, for the two that are exact."""
    derived = expected_positions(items, rate=0.6, slip=0.3).set_index(["Set", "position"])
    run = position_table(both_regimes, items, scoring.exact_match, strict=True).set_index(["Set", "position"])
    for name in ("Drifting, competing", "Independent noise, competing"):
        assert run.value[name].to_numpy() == pytest.approx(derived.value[name].to_numpy(), abs=0.09)
    floor = derived.value["Interference, competing"]
    assert floor.iloc[[0, -1]].tolist() == pytest.approx([1, 0.4])


def test_the_page_can_be_drawn_with_and_without_pairs(items, both_regimes):
    expected = expected_positions(items, rate=0.6, slip=0.3)
    for runs in (both_regimes, both_regimes[:1]):
        for figure in (
            figures.interval_figure(drop_by_unit(runs, items, seed=1, draws=20)),
            figures.position_figure(position_table(runs, items), expected),
        ):
            plt.close(figure)
        assert len(interval_widths(drop_by_unit(runs, items, seed=1, draws=20))) == len(runs) // 2
        assert len(prompts_table(runs, items)) == len(runs) // 2


def test_runs_that_share_scenes_otherwise_are_not_drawn_together(items, both_regimes):
    noise, competing, *other = both_regimes[:4]
    tens = replace(competing, block=competing.block * 2)
    with pytest.raises(InputError, match="same prompts"):
        drop_by_unit([noise, tens, *other], items, seed=1, draws=20)
