"""The committed reconstructed set of CVT-Bench against the print, and a sample of it the plain way; `make verify` does all of it.

It shares no code with the program that solves for the answers.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from benchmarks import plain_cvt
from benchmarks import verify as plain_verify
from vantage import files, relations
from vantage.predictions import load
from vantage.tables.cvt_results import scores
from vantage.tables.cvt_results.chosen import Answers, printed_cells
from vantage.tables.cvt_results.verifier import RESULTS, verify

SEED = 20261130
SAMPLE = 60
"""Scene outputs that `linprog` and `milp` decide here; all 6,000 take minutes."""


@pytest.fixture(scope="module")
def witness():
    return load(plain_verify.SET)


@pytest.fixture(scope="module")
def answers(witness):
    return Answers.of(witness.runs, witness.attribute_runs)


@pytest.fixture(scope="module")
def points(answers):
    return verify(answers)


def test_all_of_table_1_is_printed_so(answers, points):
    assert list(answers.cells) == printed_cells()
    table = points[points["place"] == "Table 1"]
    assert len(table) == 180
    wrong = table[~table["agrees"]]
    assert wrong.empty, wrong.to_string()


def test_every_target_is_recomputed(witness, answers, points):
    """Nothing that the answers were solved to meet is taken on trust."""
    drawn = verify(answers, drawn=True)
    assert set(witness.manifest["targets"]) <= {*points["id"], *drawn["id"]}


def test_every_result_finds_printed_numbers(answers):
    """A table none of whose rows the print has would check nothing."""
    for result in RESULTS:
        assert len(result.table(answers)), result.anchor


@pytest.fixture(scope="module")
def words(witness, answers):
    """A function that gives the rows of a run as they stand in the file, with the questions."""
    predictions = pd.read_parquet(witness.path)
    asked = {domain: plain_cvt.questions(domain) for domain in answers.items}
    by_run = dict(list(predictions.groupby("run", sort=False)))
    return lambda run: plain_cvt.with_answers(by_run[run.run], asked[run.domain])


def test_the_plain_way_agrees_on_a_sample(answers, words):
    """F1, NSC and cycle consistency of six cells, realizability and MaxSAT of ten scenes of each, drawn with a seed."""
    rng = np.random.default_rng(SEED)
    cells = list(answers.cells)
    some = [cells[place] for place in sorted(rng.choice(len(cells), 6, replace=False))]
    part = Answers([answers.cells[cell] for cell in some], answers.items)
    assert plain_verify.differing_metrics(part, words) == []
    for run in part.cells.values():
        rows = words(run)
        scenes = rng.choice(rows["scene"].unique(), SAMPLE // 6, replace=False)
        verdicts = pd.DataFrame(
            [(scene, *plain_cvt.coherence(rows[rows["scene"] == scene])) for scene in scenes],
            columns=["scene", "realizable", "satisfied", "asserted"],
        )
        assert plain_verify.differing_scenes(run, part, verdicts) == []


@pytest.mark.parametrize("domain", ["synthetic", "indoor"])
def test_one_changed_answer_is_noticed(answers, domain):
    """One answer turned around, in a realizable scene that says the same of the pair elsewhere: a number of Table 1 is another."""
    cell = next(cell for cell in answers.cells if cell.domain == domain and cell.regime == "isolated")
    run, items = answers.cells[cell], answers.items[domain]
    outputs = answers.outputs_of(domain, "isolated")
    coherent = outputs[(outputs["title"] == run.title) & outputs["realizable"]]["scene"]
    asked = items.questions.assign(answer=run.answers, row=np.arange(len(run.answers)))
    asked = asked[asked["scene"].isin(coherent) & asked["viewpoint"].isin(("0", "360", "Top")) & (run.answers > 0)]
    again = asked[asked.groupby(["scene", "target", "anchor", "answer"])["row"].transform("size") > 1]
    row = int(again["row"].iloc[0])
    changed = run.answers.copy()
    changed[row] = relations.opposite(changed[row])
    runs = [replace(one, answers=changed) if one is run else one for one in answers.cells.values()]
    before, after = (scores.table_1(Answers(of, answers.items)) for of in (list(answers.cells.values()), runs))
    realizability = before["column"] == "Realizability / CVT-Isolated"
    assert (before["value"] - after["value"])[realizability].sum() == pytest.approx(1)


def test_a_changed_file_is_refused(witness, tmp_path, monkeypatch):
    """One byte of the file is another: it is not read."""
    folder = tmp_path / "changed"
    folder.mkdir()
    (folder / "manifest.json").write_bytes(witness.path.with_name("manifest.json").read_bytes())
    data = bytearray(witness.path.read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "predictions.parquet").write_bytes(data)
    with pytest.raises(files.InputError, match="checksum"):
        load(folder)
