"""Runs of a prediction set: which a page asks for, and what tables call them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vantage.errors import InputError
from vantage.items import load_cvt
from vantage.predictions import WHOLE, cvt_table, freeze, load, load_runs


def test_a_page_gets_the_runs_of_its_regime():
    items = load_cvt("synthetic")

    def titles(names, **regime):
        return [run.title for run in load_runs(names, items, **regime)]

    both = ["reference_oracle", "reference_label_omitter"]
    assert titles(both) == ["Oracle", "Label omitter"]
    assert titles(both, regime="competing") == ["Oracle, competing"]
    assert titles(both, regime=WHOLE) == ["Oracle", "Oracle, competing", "Label omitter"]
    with pytest.raises(InputError, match="in regime competing, found none in \\['reference_label_omitter'\\]"):
        load_runs(["reference_label_omitter"], items, "competing")


def test_a_title_says_what_tells_the_runs_apart(compendium):
    """Here the representation and the regime do; two runs that are alike in both also show their names."""
    items = load_cvt("synthetic")
    few = np.where(np.arange(len(items.questions)) < 3, 0, 2).astype(np.uint8)

    def rows(run, regime, representation):
        return cvt_table(
            items, items.gold, few, np.zeros(len(few), dtype=int),
            set="mine", kind="measured", run=run, model="M", regime=regime, representation=representation,
        )  # fmt: skip

    table = pa.concat_tables(
        [
            rows("one", "isolated", "image"),
            rows("two", "isolated", "scene_graph"),
            rows("again", "isolated", "scene_graph"),
            rows("many", "competing", "image"),
        ]
    )
    freeze(table, compendium / "frozen_predictions/mine", title="Mine", about="-", made_by="-")
    assert table["block"].to_pylist() == [0] * 12
    assert {run.run: run.title for run in load("mine").runs} == {
        "one": "Mine, image",
        "two": "Mine, scene_graph (two)",
        "again": "Mine, scene_graph (again)",
        "many": "Mine, competing, image",
    }


def test_a_run_with_two_configurations_is_refused(tmp_path):
    """One answer of 960 has a seed, and the others have none."""
    table = pq.read_table(load("reference_one_view").path)
    seeds = pa.array([None] * (len(table) - 1) + [7], pa.int32())
    mixed = table.set_column(table.column_names.index("seed"), "seed", seeds)
    with pytest.raises(InputError, match="row 960: expected one model.* a run, found a second in run 'main'"):
        freeze(mixed, tmp_path / "mixed", title="-", about="-", made_by="-")
    assert not (tmp_path / "mixed").exists()
