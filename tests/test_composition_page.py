"""The tables of the page on composition and controls: they count what they say, and show what is wrong where something is."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from vantage import panels
from vantage.majority import apply_rule, fit_rule
from vantage.predictions import load_triplet_runs
from vantage.tables import frame_evidence
from vantage.tables.triplet_composition import (
    TOPICS,
    denominators,
    frequent_labels,
    proof_summary,
    strata_heads,
    topic_table,
)
from vantage.triplets import load_triplets


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


def test_proofs_are_counted_by_family_and_property(triplets):
    """FQ1 has four things to prove and FQ2 five, each of 160 groups."""
    table = proof_summary(triplets)
    assert table.groupby("Family").size().to_dict() == {"FQ1": 5, "FQ2": 6}
    assert (table["Groups"] == 160).all() and (table["Proved"] == 160).all()


def test_a_group_that_is_not_proved_is_missing_from_the_count(triplets):
    """Another gold letter in one MSS question: the gold is not the true direction, nor what the views give."""
    gold = triplets.gold.copy()
    row = triplets.rows("FQ2")[0, 0]
    gold[row] = (gold[row] + 1) % 4
    table = proof_summary(replace(triplets, gold=gold)).set_index(["Family", "Property"])["Proved"]
    assert table["FQ2", "Gold"] == table["FQ2", "Sufficient"] == table["FQ2", "All of these"] == 159
    assert table["FQ1", "All of these"] == table["FQ2", "Minimal"] == 160


def test_every_count_of_the_text_has_one_place_on_the_page(triplets):
    known = set(frame_evidence.composition_text(triplets)["row"])
    listed = [name for names in TOPICS.values() for name in names]
    assert len(listed) == len(set(listed)) and set(listed) <= known
    rest = denominators(triplets)
    assert set(rest["Number"][~rest["Where"].str.fullmatch(r"Table \d+")]) >= known - set(listed)
    assert all(name.endswith("/ out of") for name in known - set(listed))


def test_counts_agree_and_name_their_places(triplets):
    table = pd.concat([topic_table(triplets, list(TOPICS)), denominators(triplets)])
    assert (table["Recomputed"] == table["Printed"]).all()
    assert (table["Where"] != "").all()
    assert table.set_index("Number").loc["Distinct images", "Where"] == "Sec. 5"


def test_a_count_that_is_off_is_shown(triplets):
    """Ten captured groups called rendered: the paper has 126 and 194."""
    questions = triplets.questions.copy()
    captured = questions["group"][questions["source"] == "captured"].unique()[:10]
    questions.loc[questions["group"].isin(captured), "source"] = "rendered"
    table = topic_table(replace(triplets, questions=questions), ["Sources"]).set_index("Number")
    assert table.loc["Captured groups", ["Recomputed", "Printed"]].tolist() == ["116", "126"]
    assert table.loc["Rendered groups", ["Recomputed", "Printed"]].tolist() == ["204", "194"]


def test_strata(triplets):
    """Table 16: 15, 16 and 17 FQ1 groups by size, 17, 16 and 15 of FQ2. Table 3 is about FQ2."""
    table = strata_heads(triplets)
    sizes = table[table["Place"] == "Table 16"]
    assert sizes["Stratum"].tolist() == ["2 images", "3 images", "4 images"]
    assert sizes["FQ1 groups"].tolist() == ["15", "16", "17"]
    assert sizes["FQ2 groups"].tolist() == ["17", "16", "15"]
    assert (table["FQ1 groups"] == table["FQ1 printed"]).all() and (table["FQ2 groups"] == table["FQ2 printed"]).all()
    assert table[table["Place"] == "Table 3"]["FQ1 groups"].eq("").all()


def test_labels_are_counted_by_role(triplets):
    table = frequent_labels(triplets)
    roles = table[["Target", "Relatum", "Third object"]]
    assert len(table) == 11
    assert (roles.sum(axis=1) == table["All"]).all()
    assert (table.iloc[:10, 1:].sum() == table.iloc[10, 1:]).all()
    assert table["All"][:10].is_monotonic_decreasing
    assert frequent_labels(triplets, 1000).iloc[-1, 1:].tolist() == [320, 320, 320, 960]


def test_recomputed_and_printed_take_turns(triplets):
    shown = panels.beside_printed_wide(
        frame_evidence.table_2(triplets), "Table 2", "Questions by split.", paper="frame_evidence"
    ).data
    cells = np.reshape(re.findall("<td[^>]*>([^<]*)</td>", shown), (-1, 6))
    assert cells[:, 1].tolist() == ["recomputed", "printed"] * 9
    assert cells[0].tolist() == ["Groups", "recomputed", "192", "32", "96", "320"]
    assert cells[1].tolist() == ["Groups", "printed", "192", "32", "96", "320"]


def test_controls_beside_printed_without_the_rules(triplets):
    """A reader who names only other sets gets an empty table, not an error."""
    other = frame_evidence.metadata_controls(triplets, load_triplet_runs(["measured_constant_letter"]))
    shown = panels.beside_printed_wide(other, "Table 10", "Rules.", paper="frame_evidence").data
    assert "recomputed" not in shown and "Rules." in shown


def test_a_rule_for_values_never_met():
    """Ties go to the earlier letter; a value never met gets the letter most frequent of all."""
    rule = fit_rule([1, 1, 2, 2, 2], np.array([3, 2, 0, 1, 1]))
    assert rule == ({1: 2, 2: 1}, 1)
    assert apply_rule(rule, [2, 1, 7]).tolist() == [1, 2, 1]
