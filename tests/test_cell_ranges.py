"""What CVT-Bench's print leaves open of single cells: the file of ranges, its tables and its figures, by hand."""

import doctest

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from tests import made_cells
from vantage import cell_figures, files, published, schemas
from vantage.errors import InputError
from vantage.items import load_cvt
from vantage.published import load_cell_ranges, load_published
from vantage.relations import VIEWPOINTS
from vantage.tables import cell_ranges, cells
from vantage.tables.cvt_results import chosen
from vantage_workshop.witness.cvt import ranges

HEAD = "domain,regime,model,representation,statistic,place,low,high,witnesses\n"
SOUND = [
    "synthetic,isolated,Kimi K2.5,image,F1 by viewpoint,Top,0.5,0.75,3",
    "synthetic,isolated,Kimi K2.5,image,MaxSAT,,0.25,0.25,3",
]


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes a file of ranges and loads it."""

    def load(lines):
        path = tmp_path / "data" / "cvt" / "ranges.csv"
        path.parent.mkdir(parents=True)
        path.write_text(HEAD + "\n".join(lines) + "\n")
        monkeypatch.setattr(files, "root", lambda: tmp_path)
        return load_cell_ranges.__wrapped__()

    return load


def made(values, statistic="MaxSAT"):
    """A frame of ranges, from cell and place to its two ends."""
    rows = [(*cell, statistic, place, *ends, 2) for (cell, place), ends in values.items()]
    return pd.DataFrame(rows, columns=[one.name for one in schemas.CELL_RANGES.columns])


@pytest.fixture
def given(monkeypatch):
    """Puts a frame in the place of the file."""
    return lambda frame: monkeypatch.setattr(cell_ranges, "load_cell_ranges", lambda: frame)


# ---------------------------------------------------------------------------------------------------------- the file


def test_what_is_written_is_what_is_declared():
    assert tuple(one.name for one in schemas.CELL_RANGES.columns) == ranges.FIELDS


def test_a_sound_file_is_loaded(written):
    table = written(SOUND)
    assert table[["place", "low", "high", "witnesses"]].to_numpy().tolist() == [
        ["Top", 0.5, 0.75, 3],
        ["", 0.25, 0.25, 3],
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.25,0.25,3", "0.25,0.2,3", "row 2: expected 0 <= low <= high <= 1"),
        ("0.25,0.25,3", "0.25,1.2,3", "row 2: expected 0 <= low <= high <= 1"),
        ("0.25,0.25,3", "0.25,0.25,2", "row 2: .* as many as in all rows"),
        ("MaxSAT", "Max SAT", "row 2: expected 'statistic' to be one of"),
        ("isolated", "attribute_filler", "row 1: expected 'regime' to be one of"),
        ("0.5,0.75", ",0.75", "row 1: expected a value in column 'low'"),
    ],
    ids=["ends exchanged", "beyond 1", "other witnesses", "statistic", "regime", "no end"],
)
def test_a_file_that_is_not_sound_is_refused(old, new, said, written):
    with pytest.raises(InputError, match=said):
        written("\n".join(SOUND).replace(old, new, 1).split("\n"))


def test_one_witness_makes_no_range(written):
    with pytest.raises(InputError, match="two or more witnesses"):
        written([line[:-1] + "1" for line in SOUND])


def test_a_row_twice_is_refused(written):
    with pytest.raises(InputError, match="row 3: expected each"):
        written([*SOUND, SOUND[1]])


def test_a_missing_file_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "root", lambda: tmp_path)
    with pytest.raises(InputError, match=r"ranges\.csv"):
        load_cell_ranges.__wrapped__()


def test_the_committed_file_covers_all_cells_and_holds_the_committed_set():
    """The frozen set is one of the witnesses: each of its curves lies in the ranges, up to the four decimals of the file."""
    table = load_cell_ranges()
    assert {tuple(row) for row in table[["domain", "regime", "model", "representation"]].to_numpy()} == {
        tuple(cell) for cell in chosen.printed_cells()
    }
    answers, _ = cells.load_answers(["reconstructed_cvt"])
    for statistic in (cell_ranges.BY_VIEWPOINT, cell_ranges.BY_POSITION):
        curve = cell_ranges.curves(answers, statistic)
        assert curve["value"].between(curve["low"] - 6e-5, curve["high"] + 6e-5).all(), statistic


# -------------------------------------------------------------------------------------------------------- the tables


def test_examples_run():
    assert not doctest.testmod(cell_ranges).failed and not doctest.testmod(published).failed


def test_values_stand_beside_their_own_range(given):
    """Answers that are all gold have an F1 of 1 at every place; a cell that the answers have not has no value."""
    cell, other = chosen.printed_cells()[:2]
    given(made({(cell, "90"): (0.2, 0.4), (other, "90"): (0.1, 0.1)}, cell_ranges.BY_VIEWPOINT))
    items = load_cvt("synthetic")
    answers = made_cells.answers_of(items, lambda _, of: of.gold, [cell])
    curve = cell_ranges.curves(answers, cell_ranges.BY_VIEWPOINT)
    assert curve["value"].fillna(-1).tolist() == [1, -1]


def test_positions_count_from_the_first_scene_of_a_prompt(given):
    """Answers are empty for the scene that stands last in each prompt of twenty, and gold elsewhere."""
    cell = next(cell for cell in chosen.printed_cells() if cell.regime == "competing" and cell.model != "GPT-5.2")
    given(made({(cell, str(place)): (0, 1) for place in range(20)}, cell_ranges.BY_POSITION))
    items = load_cvt("synthetic")
    number = items.questions["scene"].map({scene["scene"]: scene["number"] for scene in items.scenes})
    run = made_cells.run_of(items, cell, items.gold)
    last = number.groupby(run.block).transform("max") == number
    answers = chosen.Answers([made_cells.run_of(items, cell, np.where(last, 0, items.gold))], {"synthetic": items})
    assert cell_ranges.curves(answers, cell_ranges.BY_POSITION)["value"].tolist() == [1.0] * 19 + [0.0]


def test_means_over_models_by_hand(given):
    models = ("Kimi K2.5", "GPT-5.2")
    ends = {models[0]: (0.2, 0.4), models[1]: (0.6, 0.7)}
    given(made({(("indoor", "isolated", name, "image"), "0"): ends[name] for name in models}, cell_ranges.BY_VIEWPOINT))
    means = cell_ranges.model_means(cell_ranges.curves(chosen.Answers([], {}), cell_ranges.BY_VIEWPOINT))
    assert means[["low", "high"]].to_numpy().tolist() == [[pytest.approx(0.4), pytest.approx(0.55)]]
    assert means["value"].isna().all()


def test_nsc_by_model_by_hand():
    """Table 1, Gemini 3.1 Pro on CVT-Synthetic, isolated: .64, .64, .58. Each is known to .005, and so is the mean."""
    table = cell_ranges.nsc_by_model(chosen.Answers([], {})).set_index(["Model", "domain", "regime"])
    low, high, value = table.loc[("Gemini 3.1 Pro", "CVT-Synthetic", "CVT-Isolated")]
    assert (low, high) == (pytest.approx(0.62 - 0.005), pytest.approx(0.62 + 0.005)) and np.isnan(value)
    assert len(table) == 20


def test_the_committed_set_has_the_nsc_that_table_1_determines():
    answers, _ = cells.load_answers(["reconstructed_cvt"])
    table = cell_ranges.nsc_by_model(answers)
    assert table["value"].between(table["low"], table["high"]).all()


def test_a_printed_mean_is_inside_or_not(given):
    """MaxSAT is printed as .894 for CVT-Synthetic, isolated: .8936 rounds to it, .8934 does not."""
    printed = load_published("cvt").query("place == 'Supp. 4.3' and row == 'MaxSAT'").set_index("column")["value"]
    assert printed["CVT-Synthetic / CVT-Isolated"] == 0.894
    for high, inside in ((0.8936, "yes"), (0.8934, "no")):
        values = {(cell, ""): (0.5, high) for cell in chosen.printed_cells()}
        given(pd.concat([made(values, statistic) for statistic in cell_ranges.WHOLE]))
        table = cell_ranges.means_beside_print().set_index(["Statistic", "Printed for"])
        assert table.loc[("MaxSAT", "CVT-Synthetic / CVT-Isolated"), "Inside"] == inside
        assert len(table) == 4 * len(cell_ranges.WHOLE)


def test_widths_and_cells_by_hand(given):
    first, second = ("indoor", "competing", "GPT-5.2", "image"), ("indoor", "competing", "Kimi K2.5", "scene_graph")
    given(made({(first, ""): (0.25, 0.5), (second, ""): (0.125, 0.125)}))
    width = cell_ranges.widths().iloc[0]
    assert width.tolist() == ["MaxSAT", "competing", 2, 12.5, 25, 1]
    assert cell_ranges.cell_by_cell("indoor", ["MaxSAT"]).to_numpy().tolist() == [
        ["GPT-5.2", "Image", "competing", "25.0 to 50.0"],
        ["Kimi K2.5", "Scene Graph", "competing", "12.5 to 12.5"],
    ]
    assert cell_ranges.witnesses() == 2


# ------------------------------------------------------------------------------------------------------- the figures


def drawn_ranges(axes):
    """The ends of every bar, percent, as drawn."""
    segments = [segment for bars in axes.collections for segment in bars.get_segments()]
    return [(x, low, high) for (x, low), (_, high) in segments]


def test_viewpoint_figure_draws_the_table():
    rng = np.random.default_rng(5)
    means = pd.DataFrame(
        [
            (domain, regime, representation, place, 7, *np.sort(rng.random(2)), 0.5)
            for domain in ("synthetic", "indoor")
            for regime in ("isolated", "competing")
            for representation in chosen.REPRESENTATIONS
            for place in VIEWPOINTS
        ],
        columns=["domain", "regime", "representation", "place", "witnesses", "low", "high", "value"],
    )
    figure = cell_figures.viewpoint_ranges_figure(means)
    assert len(figure.axes) == 6
    panel = means.query("domain == 'indoor' and representation == 'text_bbox'")
    drawn = drawn_ranges(figure.axes[3])
    assert [bar[1:] for bar in drawn] == [
        pytest.approx((100 * low, 100 * high)) for low, high in zip(panel["low"], panel["high"], strict=True)
    ]
    assert [bar[0] for bar in drawn[:10]] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9.5]
    for axes in figure.axes:
        assert "not determined by the print" in axes.get_title(loc="left")
    for axes in figure.axes[::2]:
        assert "7 witnesses, no bound" in axes.get_ylabel()
    plt.close(figure)


def test_position_figure_draws_the_table():
    cell = ("synthetic", "competing", "GPT-5.2", "text_bbox")
    curve = made({(cell, str(place)): (0.1 * place, 0.1 * place + 0.05) for place in range(10)}, "F1 by position")
    figure = cell_figures.position_ranges_figure(curve.assign(value=np.nan))
    (axes,) = figure.axes
    assert [bar[0] for bar in drawn_ranges(axes)] == list(range(1, 11))
    assert [bar[1:] for bar in drawn_ranges(axes)] == [pytest.approx((10 * p, 10 * p + 5)) for p in range(10)]
    assert "not determined by the print" in axes.get_title(loc="left")
    assert "2 witnesses, no bound" in axes.get_ylabel()
    plt.close(figure)


def test_nsc_figure_draws_the_table():
    table = cell_ranges.nsc_by_model(chosen.Answers([], {})).assign(value=0.25)
    figure = cell_figures.nsc_figure(table)
    for axes, domain in zip(figure.axes, ("CVT-Synthetic", "CVT-Real"), strict=True):
        part = table[table["domain"] == domain].sort_values("regime", ascending=False, kind="stable")
        assert [bar[1:] for bar in drawn_ranges(axes)] == [
            pytest.approx(ends) for ends in part[["low", "high"]].to_numpy().tolist()
        ]
        assert "determined by Table 1" in axes.get_title(loc="left")
    plt.close(figure)


# ----------------------------------------------------------------------------------------------------------- the page


def test_what_the_page_says_of_viewpoints():
    """In every panel the ranges at 0 and 360 degrees lie above those of all turns but the half one."""
    means = cell_ranges.model_means(cell_ranges.curves(chosen.Answers([], {}), cell_ranges.BY_VIEWPOINT))
    for _, panel in means.groupby(["domain", "regime", "representation"]):
        source = panel["place"].isin(["0", "360"])
        turned = panel["place"].isin(["45", "90", "135", "225", "270", "315"])
        assert panel.loc[source, "low"].min() > panel.loc[turned, "high"].max()


def test_what_the_page_says_of_positions():
    """Kimi with the picture, 45.9 % on CVT-Synthetic: with 90 % at one of twenty positions, the others need 43.6 %. No bar is near."""
    printed = load_published("cvt").set_index(["place", "row", "column"])["value"]
    whole = printed["Table 1", "Kimi K2.5 / CVT-Synthetic / Image", "Global F1 / CVT-Competing"]
    assert f"{(20 * whole - 90) / 19:.1f}" == "43.6"
    kimi = load_cell_ranges().query("statistic == 'F1 by position' and model == 'Kimi K2.5'")
    assert kimi["high"].max() < 0.75


def test_nsc_falls_in_all_ten_pairs_whatever_was_rounded():
    table = cell_ranges.nsc_by_model(chosen.Answers([], {})).set_index(["Model", "domain", "regime"])
    isolated, competing = (table.xs(f"CVT-{name}", level="regime") for name in ("Isolated", "Competing"))
    assert len(isolated) == 10 and (isolated["low"] > competing["high"]).all()


def test_wrong_but_realizable_is_the_narrowest():
    width = cell_ranges.widths().query("Statistic in @cell_ranges.WHOLE").set_index(["Regime", "Statistic"])
    for regime in ("isolated", "competing"):
        assert width.loc[regime, "Mean width"].idxmin() == "Wrong but realizable"
