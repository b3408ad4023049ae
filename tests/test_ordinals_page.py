"""The tables of the page on image numbers: derived successes against runs, the readings of a group."""

import re
from dataclasses import replace

import numpy as np
import pytest

from vantage import panels, triplet_figures
from vantage.errors import InputError
from vantage.layout_proofs import as_presented
from vantage.layouts import INSUFFICIENT
from vantage.predictions import NOT_ASKED, load_triplet_runs
from vantage.tables import ordinals
from vantage.tables import triplets as run_tables
from vantage.triplets import MEANINGS, load_triplets


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


def test_runs_give_what_was_derived(triplets):
    runs = load_triplet_runs(["reference_layout_oracle", "reference_ordinal_literal", "reference_anchor_blind"])
    derived, found = ordinals.derived_successes(triplets), run_tables.ordinal_table(runs, triplets)
    assert derived.to_numpy().tolist() == found.to_numpy().tolist()
    literal, blind = derived.set_index("Set").loc[["Ordinal-literal", "Anchor-blind"]].to_numpy()
    assert (blind <= literal).all()


def test_deletions_sum_and_part(triplets):
    """The printed strata (Table 3), and a direction as presented only where the chain holds and the number moves."""
    table = ordinals.deletion_table(triplets).set_index("Image number")
    assert table["Groups"].to_dict() == {"removed": 36, "shifted": 6, "stable": 2, "none": 4, "all": 48}
    assert (table["Chain broken"] + table["Only the frame lost"] == table["Groups"]).all()
    assert (table["A direction as presented"] <= table["Only the frame lost"]).all()
    assert table.loc[["stable", "none"], "A direction as presented"].eq(0).all()
    assert table.loc["all"].equals(table.loc[["removed", "shifted", "stable", "none"]].sum())
    listed = ordinals.group_list(triplets)
    assert (listed["Chain"] == "broken").sum() == table.loc["all", "Chain broken"]
    assert not listed["As presented now"][listed["Chain"] == "broken"].isin(MEANINGS[:-1]).any()


def test_each_reading_is_counted_once(triplets):
    runs = load_triplet_runs(
        ["reference_layout_oracle", "reference_ordinal_literal", "reference_uniform_letters", "measured_metadata_rules"]
    )
    table = ordinals.reading_table(runs, triplets)
    parted = ordinals.deletion_table(triplets)["A direction as presented"].iloc[-1]
    assert (table["Groups"] == parted).all()
    assert (table[["Insufficient", "As presented", "Other", "Invalid"]].sum(axis=1) == parted).all()
    assert table.loc[0, "Insufficient"] == parted
    assert table.loc[1, "As presented"] + table.loc[1, "Invalid"] == parted


def test_the_group_is_the_first_of_its_kind(triplets):
    group = ordinals.first_parted_group(triplets)
    for _, deletion, _ in triplets.rows("FQ2"):
        now = as_presented(triplets, deletion)
        offered = now in {MEANINGS[meaning] for meaning in triplets.meanings[deletion]}
        if triplets.questions["group"].iloc[deletion] == group:
            assert offered and now != INSUFFICIENT
            return
        assert not offered or now == INSUFFICIENT
    pytest.fail("the group is none of the test split")


def test_a_group_is_read_in_two_ways(triplets):
    """For every test group with a number: images keep their names, the label is insufficient, letters say what is supported."""
    for mss, deletion, _ in triplets.rows("FQ2"):
        item = triplets.questions.iloc[deletion]
        if item["ordinal_change"] == "none":
            continue
        table = ordinals.group_readings(triplets, item["group"])
        images = [cell.split(", ") for cell in table["Images, in order"]]
        assert images[0] == [f"S{place}" for place in range(1, item["base_size"] + 1)]
        assert images[1] == images[2] == [name for name in images[0] if name in images[1]]
        named = table.iloc[:, 2].to_list()
        number = item["frame"]["ordinal"]
        assert named[0] == f"S{number}"
        assert ("not shown" in named[1]) == (item["ordinal_change"] == "removed")
        assert named[2] == (images[2][number - 1] if number <= len(images[2]) else "none")
        assert (named[2] == named[0]) == (item["ordinal_change"] == "stable")
        assert table["Letter"].iloc[:2].to_list() == [triplets.questions["gold"].iloc[row] for row in (mss, deletion)]


def test_a_group_without_a_number_is_refused(triplets):
    group = triplets.groups.query("split == 'test' and ordinal_change == 'none'").index[0]
    with pytest.raises(InputError, match="names an image by number"):
        ordinals.group_readings(triplets, group)


def test_a_set_without_fq2_shows_undefined(triplets):
    """Its row keeps the columns that the page formats."""
    whole = load_triplet_runs(["reference_layout_oracle"])[0]
    fq2 = (triplets.questions["family"] == "FQ2").to_numpy()
    run = replace(whole, answers=np.where(fq2, -1, whole.answers), status=np.where(fq2, NOT_ASKED, whole.status))
    for table in (ordinals.reading_table, run_tables.ordinal_table):
        found = table([run], triplets)
        assert found.columns.equals(table([whole], triplets).columns)
        assert found.iloc[-1].isna().sum() >= 4


def test_the_question_stands_in_both_languages(triplets):
    row = triplets.of_group(ordinals.first_parted_group(triplets))[0]
    html = panels.triplet_question(triplets, row).data
    item = triplets.questions.iloc[row]
    assert f'<p lang="zh-Hans">{item["question_zh"]}</p>' in html
    assert len(re.findall(r'<span lang="zh-Hans">', html)) == 4
    triplet_figures.layout_figure(triplets, item["group"])
