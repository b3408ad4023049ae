"""What the print leaves open: the file of ranges, how it is made, and the page that shows it."""

import doctest
import shutil
from fractions import Fraction

import numpy as np
import pytest

from vantage import files, triplet_figures
from vantage.errors import InputError
from vantage.published import as_printed, load_published, load_ranges
from vantage.tables import undetermined
from vantage_workshop.witness import ranges
from vantage_workshop.witness.answers import Group, gold_counts
from vantage_workshop.witness.macros import macro, metric_tuples
from vantage_workshop.witness.scored import CONDITIONS
from vantage_workshop.witness.targets import Published, Targets, configurations

FRAMES, LETTERS = "Right answers in a frame", "Answers with a letter"


@pytest.fixture(scope="module")
def targets():
    return configurations(Published())


@pytest.mark.parametrize("module", [ranges, undetermined], ids=lambda one: one.__name__)
def test_examples_run(module):
    assert not doctest.testmod(module).failed


# ---------------------------------------------------------------------------------------------------------- the file


def test_attained_lies_within_bounds_and_bounds_within_what_can_be_counted():
    table = load_ranges()
    ends = table[["bound_low", "attained_low", "attained_high", "bound_high", "of"]].to_numpy()
    assert (ends[:, 0] >= 0).all() and (np.diff(ends, axis=1) >= 0).all()
    assert set(table["configuration"]) - {"GPT-5.6 / 2-shot and 3-shot"} <= set(load_published("frame_evidence").row)


def test_equal_answers_by_hand():
    """144 right with three examples, 48 of them new: 96 right in both. 91 changed, so that at most 197 are equal."""
    row = load_ranges().query("quantity == 'Equal answers'").iloc[0]
    assert (row.bound_low, row.bound_high) == (144 - 48, 288 - 48 - 43)


def test_frames_are_what_tables_4_and_22_force(targets):
    """Some order of some counts with the printed product adds up to the right FQ1 answers; no frame goes beyond."""
    for name, rows in load_ranges().query("quantity == @FRAMES").groupby("configuration"):
        t = targets[name]
        assert t.frames and all(sum(counts) == t.correct - sum(t.variants) for counts in t.frames)
        for counts in t.frames:
            assert as_printed(Fraction(100 * counts[0] * counts[1] * counts[2], 48**3), 2) == t.reference["FQ1-GEM"]
        assert rows["bound_low"].min() == min(map(min, t.frames))
        assert rows["bound_high"].max() == max(map(max, t.frames))
        possible = {number for counts in t.frames for number in counts}
        assert possible >= set(rows["attained_low"]) | set(rows["attained_high"])
        total = t.correct - sum(t.variants)
        assert rows["attained_low"].sum() <= total <= rows["attained_high"].sum()


def test_letters_leave_room_for_288_answers():
    for _, rows in load_ranges().query("quantity == @LETTERS").groupby("configuration"):
        assert list(rows["part"]) == list("ABCD")
        assert rows["attained_low"].sum() <= 288 <= rows["attained_high"].sum()


def test_circular_questions_may_all_be_in_one_family():
    """Each family has more questions than are right in all rotations, and Table 12 counts over both."""
    printed = load_published("frame_evidence").query("place == 'Table 12' and column == 'Circular'").set_index("row")
    rows = load_ranges().query("quantity == 'Right in all four rotations'").set_index("configuration")
    for name, row in rows.iterrows():
        assert (row.bound_low, row.bound_high) == (0, round(288 * printed.value[name] / 100))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (",96,197,96,197,yes", ",96,197,97,197,no"),
        (",96,197,96,197,yes", ",96,197,96,197,no"),
        (",288,96,", ",190,96,"),
    ],
    ids=["bound passed", "proof denied", "more than there are"],
)
def test_a_file_that_contradicts_itself_is_refused(old, new, tmp_path, monkeypatch):
    folder = tmp_path / "data" / "frame_evidence"
    folder.mkdir(parents=True)
    shutil.copy(ranges.default_path(), folder)
    path = folder / "ranges.csv"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    monkeypatch.setattr(files, "root", lambda: tmp_path)
    with pytest.raises(InputError, match="row 1"):
        load_ranges.__wrapped__()


# --------------------------------------------------------------------------------------------------------- the solver


def tiny():
    """An FQ1 group with golds A B C and an FQ2 group with D A D. All right but one; the frames are not all right.

    By hand: NTS and DIS are 1, so the wrong answer is in FQ1. Recall loses an eighth, so its gold is one of two alike: it
    is the camera's A. Precision 87.5 says that B or C was answered; D would give 91.67.
    """
    strata = {"source": "rendered", "overlap": "shared"}
    groups = [Group("one", "FQ1", "ABC", "", strata), Group("two", "FQ2", "DAD", "A", strata)]
    golds = gold_counts(groups)
    metrics = tuple(as_printed(value, 2) for value in macro(((1, 1, 1, 2), (1, 2, 1, 2)), golds))
    assert metrics == ("87.50", "87.50", "83.33")
    by = {metric: {} for metric in ("FQ1-GEM", "NTS", "DIS")}
    return groups, Targets(name="tiny", metrics=metrics, correct=5, gem=0, nts=1, dis=1, by=by)


@pytest.mark.parametrize(("letter", "expected"), [("A", (1, 1)), ("B", (1, 2)), ("C", (1, 2)), ("D", (2, 2))])
def test_letters_of_a_tiny_system_by_hand(letter, expected):
    groups, targets = tiny()
    tuples = list(metric_tuples(targets, gold_counts(groups), unused=True))
    # By the macro averages alone, a D could be the wrong one. The joint scores exclude it.
    assert sorted(answered for _, answered in tuples) == [(1, 1, 2, 2), (1, 2, 1, 2), (2, 1, 2, 1), (2, 2, 1, 1)]
    quantity = ranges.Quantity("", letter, 6, lambda g, triple: triple.count(letter), range(7))
    found = []
    for sense in ranges.SENSES:
        run = ranges.OpenRun(groups, targets, tuples)
        proven, answers = ranges.end(run, run.total(quantity.value), sense, 1)
        assert proven and len(answers) == 6
        found.append(ranges.amount(quantity, groups, answers))
        assert ranges.first(run, run.total(quantity.value), quantity.values[:: ranges.SENSES[sense]], 1)[:2] == (
            True,
            found[-1],
        )
    assert tuple(found) == expected


def test_a_value_that_no_answers_have_is_proven_so():
    """By hand above: B is answered once or twice."""
    groups, targets = tiny()
    run = ranges.OpenRun(groups, targets, list(metric_tuples(targets, gold_counts(groups))))
    assert ranges.first(run, run.total(lambda g, triple: triple.count("B")), [6, 5, 4, 3], 1) == (True, None, None)


def test_agreement_of_two_tiny_runs_by_hand():
    """Beside answers with B for the camera, the same targets allow the same six answers, or five with C."""
    groups, targets = tiny()
    tuples = list(metric_tuples(targets, gold_counts(groups)))
    given = dict(zip([(g.group, c) for g in groups for c in CONDITIONS[g.family]], "BBCDAD", strict=True))
    for sense, expected in (("low", 5), ("high", 6)):
        run = ranges.OpenRun(groups, targets, tuples, given, later=True)
        equal = run.against(lambda g, triple, other: sum(a == b for a, b in zip(triple, other, strict=True)))
        proven, answers = ranges.end(run, equal, sense, 1)
        assert proven and sum(answers[key] == letter for key, letter in given.items()) == expected


def test_the_earlier_run_stands_last_where_two_are_compared():
    """With `later`, the other run is the later one: the solved run's triple is what a value takes for the earlier one's."""
    groups, targets = tiny()
    given = dict(zip([(g.group, c) for g in groups for c in CONDITIONS[g.family]], "BBCDAD", strict=True))
    tuples = list(metric_tuples(targets, gold_counts(groups)))
    run = ranges.OpenRun(groups, targets, tuples, given, later=True)
    # The other run answers B for the camera: only the solved one can answer C.
    earlier = run.against(lambda g, triple, old: int(old[0] == "C"), "FQ1")
    assert ranges.end(run, earlier, "high", 1)[1]["one", "camera"] == "C"


def test_a_letter_never_answered_has_precision_zero():
    """All six answers A, two right: P 100/12, R 25, F1 (4/8)/4. Only with `unused` is the tuple found."""
    groups, targets = tiny()
    metrics = tuple(as_printed(value, 2) for value in macro(((2, 0, 0, 0), (6, 0, 0, 0)), gold_counts(groups)))
    assert metrics == ("8.33", "25.00", "12.50")
    always = Targets(name="A", metrics=metrics, correct=2, gem=0, nts=0, dis=0)
    assert ((2, 0, 0, 0), (6, 0, 0, 0)) in list(metric_tuples(always, gold_counts(groups), unused=True))
    assert not list(metric_tuples(always, gold_counts(groups)))


def test_rotations_that_cannot_hold_together_are_refused():
    with pytest.raises(InputError, match="rotations"):
        ranges.circular_range((2, 2), 3, 12, 4, 4)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [(((2, 2), 4, 16, 4, 4), (2, 2)), (((1, 3), 2, 8, 2, 2), (0, 1)), (((3, 1), 2, 8, 2, 4), (1, 2))],
)
def test_rotations_by_hand(counts, expected):
    assert ranges.circular_range(*counts) == expected


# ----------------------------------------------------------------------------------------------------------- the page


def test_what_the_page_says_in_words():
    """Every end is proven; the frames of a row have one range; the letters of a row overlap, and GPT's are closer."""
    table = load_ranges()
    assert (table["proven"] == "yes").all()
    ends = ["attained_low", "attained_high"]
    for _, rows in table.query("quantity == @FRAMES").groupby("configuration"):
        assert len(rows[ends].drop_duplicates()) == 1
    letters = {name: rows[ends] for name, rows in table.query("quantity == @LETTERS").groupby("configuration")}
    for rows in letters.values():
        assert rows["attained_low"].max() < rows["attained_high"].min()
    widths = {name: (rows["attained_high"] - rows["attained_low"]) for name, rows in letters.items()}
    assert widths["Kimi-VL-A3B / Base"].min() > 3 * widths["GPT-5.6 / 3-shot"].max()
    assert letters["GPT-5.6 / 3-shot"].stack().between(288 / 6, 288 / 3).all()
    least, greatest = letters["Kimi-VL-A3B / Base"].iloc[0]
    assert least < 288 / 30 and greatest > 288 / 3


def test_the_legend_names_a_gap_only_where_there_is_one():
    part = undetermined.ranges_of(LETTERS)
    for shown, entries in ((part, 1), (part.assign(proven="no"), 2)):
        figure = triplet_figures.ranges_figure(shown)
        assert len(figure.legends[0].get_texts()) == entries
        triplet_figures.plt.close(figure)


def test_a_table_says_bounds_only_where_they_differ():
    table = undetermined.range_table(load_ranges())
    assert ((table["Bounds"] == "the same") == (load_ranges()["proven"] == "yes")).all()


@pytest.mark.parametrize("quantity", load_ranges()["quantity"].unique())
def test_bars_reach_from_end_to_end(quantity):
    part = undetermined.ranges_of(quantity)
    figure = triplet_figures.ranges_figure(part)
    bars = figure.axes[0].patches
    bounds, attained = bars[: len(part)], bars[len(part) :]
    for shown, name in ((bounds, "bound"), (attained, "attained")):
        assert [bar.get_x() for bar in shown] == pytest.approx(list(100 * part[f"{name}_low"] / part["of"]))
        right = [bar.get_x() + bar.get_width() for bar in shown]
        assert right == pytest.approx(list(100 * part[f"{name}_high"] / part["of"]))
    triplet_figures.plt.close(figure)
