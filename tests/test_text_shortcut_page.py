"""The tables of the page on what words give away: scores by split, repeated answers, chance, and single clues."""

from dataclasses import replace

import numpy as np
import pytest

from vantage.letters import correct
from vantage.predictions import INVALID, MISSING, NOT_ASKED, load_triplet_runs
from vantage.tables import text_shortcut as page
from vantage.tables.triplets import scores_table
from vantage.triplets import load_triplets

NO_ANSWER = -1


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def classifier():
    return load_triplet_runs(["measured_text_classifier"])[0]


@pytest.fixture(scope="module")
def constants():
    return load_triplet_runs(["measured_constant_letter"])


@pytest.fixture
def perfect(triplets, constants):
    return replace(constants[0], title="Perfect", answers=triplets.gold.copy())


def without(run, rows, status):
    """The run with other than answers in these rows."""
    answers, states = run.answers.copy(), run.status.copy()
    answers[rows], states[rows] = NO_ANSWER, status
    return replace(run, answers=answers, status=states)


def test_test_scores_are_those_of_every_other_page(triplets, classifier, constants):
    runs = [classifier, *constants]
    here = page.shortcut_scores(runs, triplets, ["test"])
    there = scores_table(runs, triplets)
    assert np.allclose(here[["P", "R", "F1", "Acc."]], there[["P", "R", "F1", "Acc."]])
    for name, score in (("GEM", "FQ1-GEM"), ("NTS", "NTS"), ("DIS", "DIS")):
        assert here[name].tolist() == [f"{round(share * 48 / 100)}/48" for share in there[score]]


def test_dev_scores(triplets, perfect):
    """96 questions, 16 groups a family, all right."""
    row = page.shortcut_scores([perfect], triplets).query("Split == 'Dev'").iloc[0]
    assert row["Questions"] == 96 and row["Acc."] == row["F1"] == 100
    assert (row["GEM"], row["NTS"], row["DIS"]) == ("16/16", "16/16", "16/16")


def test_invalid_and_missing_answers_are_wrong(triplets, perfect):
    """An invalid MSS and a missing deletion: two of 288 wrong, 47 of 48 DIS, 46 NTS."""
    groups = triplets.rows("FQ2")
    run = without(without(perfect, groups[0, 0], INVALID), groups[1, 1], MISSING)
    row = page.shortcut_scores([run], triplets, ["test"]).iloc[0]
    assert row["Acc."] == pytest.approx(100 * 286 / 288)
    assert (row["GEM"], row["NTS"], row["DIS"]) == ("48/48", "46/48", "47/48")


def test_a_family_left_out_is_undefined_and_a_split_left_out_has_no_row(triplets, perfect):
    run = without(perfect, triplets.rows("FQ1", None), NOT_ASKED)
    run = without(run, triplets.rows("FQ2", "dev"), NOT_ASKED)
    table = page.shortcut_scores([run], triplets)
    assert table["Split"].tolist() == ["Test"]
    assert table.iloc[0][["Questions", "GEM", "NTS"]].tolist() == [144, "undefined", "48/48"]
    fq1_only = without(perfect, triplets.rows("FQ2", None), NOT_ASKED)
    assert page.repeated_answers([fq1_only], triplets).empty
    assert page.beside_chance([fq1_only], triplets, seed=1, draws=200)["Questions"].tolist() == [144]


def test_the_texts_of_an_fq2_group_are_one(triplets):
    table = page.group_texts(triplets).set_index("Family")
    assert table.loc["FQ2"].tolist() == [160, 0, 0]
    assert table.loc["FQ1", "One text"] == 0


def test_words_alone_repeat_their_answer(triplets, classifier, constants):
    """Same text, same answer: NTS 0 and DIS the groups with MSS right. So it is for a constant letter."""
    table = page.repeated_answers([classifier, *constants], triplets)
    assert len(table) == 10
    assert (table["As derived"] == "yes").all()
    assert (table["NTS"] == 0).all() and (table["DIS"] == table["MSS right"]).all()


def test_whoever_sees_images_is_not_as_derived(triplets, perfect):
    row = page.repeated_answers([perfect], triplets, ["test"]).iloc[0]
    assert (row["Same answer three times"], row["NTS"], row["DIS"], row["As derived"]) == (0, 48, 48, "no")


def test_an_invalid_answer_is_no_repeated_answer(triplets, constants):
    run = without(constants[0], triplets.rows("FQ2")[0], INVALID)
    row = page.repeated_answers([run], triplets, ["test"]).iloc[0]
    assert (row["Same answer three times"], row["As derived"]) == (47, "no")


def test_chance(triplets, perfect, constants):
    """Always right is above 25 %, never right below; a letter that is gold in a quarter of the questions has it inside."""
    wrong = replace(perfect, title="Wrong", answers=((triplets.gold + 1) % 4).astype(np.int8))
    table = page.beside_chance([perfect, wrong, constants[2]], triplets, seed=1, draws=500)
    assert table["Chance"].tolist() == ["above 25 %", "below 25 %", "25 % is inside"]
    assert table["By group"].tolist()[:2] == ["100.0 to 100.0", "0.0 to 0.0"]
    assert table["Right"].tolist() == [288, 0, 69]  # C is gold 69 times


def test_one_clue_of_the_words_never_gives_nts(triplets):
    table = page.text_cues(triplets, seed=20261130)
    assert (table["NTS"] == "0/48").all()


def test_the_planted_clue_shows_as_derived(triplets):
    """Expected: accuracy 1/4 x 1/2 + 3/4 x 1/4 = 31.25 %, DIS 12 told groups and a quarter of the other 36."""
    tables = [page.text_cues(triplets, seed).set_index("Cue").loc[page.PLANTED] for seed in range(8)]
    for row in tables:
        assert int(row["DIS"].partition("/")[0]) >= 12
        assert row["GEM"] == "0/48"
    accuracy = np.mean([row["Test acc."] for row in tables])
    # Told groups are drawn anew, so eight tables scatter by less than one: 2.4 points of one, at most.
    assert abs(accuracy - 31.25) < 2.4


def test_a_clue_rule_by_hand(triplets):
    """The rule that reads the first option, counted without the module."""
    asked, gold = triplets.questions, triplets.gold
    first = asked["options"].map(lambda options: options[0]["zh"]).to_numpy()
    train, test = (asked["split"] == "train").to_numpy(), (asked["split"] == "test").to_numpy()
    answers = np.array([np.bincount(gold[train & (first == word)], minlength=4).argmax() for word in first])
    row = page.text_cues(triplets, seed=1).set_index("Cue").loc["First option"]
    assert row["Test acc."] == pytest.approx(100 * correct(answers, gold)[test].mean())
    assert row["Values"] == len(set(first[train]))
