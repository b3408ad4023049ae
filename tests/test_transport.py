"""Transformation apart from source acquisition: self-transport, closed pairs, quarter turns; what known mechanisms must show."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage import figures, quarter_turns, transport
from vantage.items import load_cvt, tracked_rows
from vantage.predictions import load
from vantage.relations import ABOVE, BEHIND, FRONT, LEFT, RIGHT, VIEWPOINTS, opposite
from vantage.relations import transport as turned
from vantage.scoring import micro_f1
from vantage.tables import cvt, transformation

sources = st.sampled_from([a | b for a in (0, LEFT, RIGHT) for b in (0, FRONT, BEHIND) if a | b])


def masks(*values):
    return np.array(values, dtype=np.uint8)


def orbit(source):
    """The coherent orbit of a believed source relation."""
    return np.array([turned(source, yaw) for yaw in transport.CARDINAL], dtype=np.uint8)


# ------------------------------------------------------------------------------------------------ self-transport


@given(st.lists(sources, min_size=1))
def test_a_coherent_orbit_transports_whether_right_or_wrong(believed):
    shares = transport.self_transport(np.array([orbit(source) for source in believed]))
    assert shares == dict.fromkeys(("Self 90", "Self 180", "Self 270", "Self 360", "Perfect C4"), 1.0)


def test_self_transport_by_hand():
    """Right + front (6) reads left + front (5) at 90, left + behind (9) at 180, right + behind (10) at 270. The second pair
    errs at 270 only, the third cannot be read at 0, and nothing transports from there."""
    orbits = masks([6, 5, 9, 10, 6], [6, 5, 9, 9, 6], [0, 0, 0, 0, 0])
    assert transport.self_transport(orbits) == pytest.approx(
        {"Self 90": 2 / 3, "Self 180": 2 / 3, "Self 270": 1 / 3, "Self 360": 2 / 3, "Perfect C4": 1 / 3}
    )


def test_above_stays_through_an_orbit():
    orbits = masks(
        [RIGHT | ABOVE, FRONT | ABOVE, LEFT | ABOVE, BEHIND | ABOVE, RIGHT | ABOVE],
        [RIGHT | ABOVE, FRONT, LEFT, BEHIND, RIGHT],
    )
    assert transport.self_transported(orbits).all(axis=1).tolist() == [True, False]


def test_closed_pairs_are_judged_by_horizontal_gold():
    """The second pair gains a label at 90 that its source relation does not have, as a threshold can make it."""
    gold = masks([RIGHT | ABOVE, FRONT, LEFT, BEHIND, RIGHT], [RIGHT, FRONT | LEFT, LEFT, BEHIND, RIGHT])
    assert transport.recoverable(gold).tolist() == [True, False]


def test_recoverable_scores_by_hand():
    """Two pairs, all gold right. The first always says right; the second right, right, left, left, right. Exact 8/10, perfect
    C4 1/2, and F1 = 2 x 8 / (10 + 10)."""
    answers = masks(*[RIGHT] * 5, RIGHT, RIGHT, LEFT, LEFT, RIGHT)
    gold = np.full((10, 1), RIGHT, dtype=np.uint8)
    scores = transport.recoverable_scores(answers, gold, np.arange(10).reshape(2, 5))
    assert scores == {"F1": 0.8, "Exact": 0.8, "Perfect C4": 0.5}


def test_nothing_eligible_is_not_a_number():
    none = np.zeros((0, 5), dtype=np.uint8)
    assert np.isnan(list(transport.self_transport(none).values())).all()
    empty = transport.recoverable_scores(masks(1), masks(1)[:, None], np.zeros((0, 5), dtype=int))
    assert np.isnan(list(empty.values())).all()
    assert np.isnan(transport.hidden_yaw_f1(masks(1), masks(1)[:, None], np.array([0])))


def test_hidden_yaws_leave_out_what_equals_the_source():
    """Right at 45 and at 315, wrong elsewhere: two of the seven hidden views, one label each."""
    views = np.arange(len(VIEWPOINTS))
    answers = np.where(np.isin(views, [VIEWPOINTS.index("45"), VIEWPOINTS.index("315")]), RIGHT, LEFT).astype(np.uint8)
    gold = np.full((10, 1), RIGHT, dtype=np.uint8)
    assert transport.hidden_yaw_f1(answers, gold, views) == pytest.approx(2 / 7)


# ------------------------------------------------------------------------------------------------- quarter turns


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (RIGHT | FRONT, "Aligned"),  # nothing has turned
        (LEFT | BEHIND, "Alternative"),  # turned by 180
        (RIGHT | BEHIND, "Inverted"),  # turned the wrong way
        (LEFT, "One right label"),
        (RIGHT, "Other"),
        (LEFT | RIGHT, "Other"),
        (0, "Other"),
    ],
)
def test_what_an_error_at_90_degrees_is(answer, kind):
    """The pair is right + front at 0 and left + front at 90."""
    answers = masks(*[RIGHT | FRONT] * 10)
    gold = answers.copy()
    for place, viewpoint in enumerate(VIEWPOINTS):
        if viewpoint in ("90", "270"):
            gold[place] = answers[place] = turned(RIGHT | FRONT, int(viewpoint))
    answers[VIEWPOINTS.index("90")] = answer
    counts = quarter_turns.aligned_errors(answers, gold[:, None], np.arange(10)[None])
    assert counts["Errors"] == counts[kind] == 1
    kinds = ("Aligned", "Alternative", "Inverted", "One right label", "Other")
    assert sum(counts[other] for other in kinds) == 1
    assert counts["Two labels"] == (answer.bit_count() == 2)
    assert counts["One relation right"] == ((answer & (LEFT | FRONT)).bit_count() == 1)


def test_two_readings_of_the_aligned_share():
    """Six aligned, one alternative, three inverted, two omissions: of ten two-label errors .6 and .1, of nine with one relation
    right 6/9 and 1/9."""
    shares = quarter_turns.aligned_shares(
        {"Aligned": 6, "Alternative": 1, "Inverted": 3, "Two labels": 10, "One relation right": 9}
    )
    assert list(shares.values()) == pytest.approx([0.6, 0.1, 6 / 9, 1 / 9])
    none = quarter_turns.aligned_shares(
        dict.fromkeys(("Aligned", "Alternative", "Two labels", "One relation right"), 0)
    )
    assert np.isnan(list(none.values())).all()


def test_an_endpoint_by_hand():
    """A pair far to the right and a little behind, (3, 1): right + behind at 0, right + front at 90. At 45 it reads right + front
    (X = 4, Y = -2 over root 2), the quarter turn's set: cross-axis. At 315, X = 2, Y = 4: right + behind, the 0-degree
    set: simple. By symmetry 135 is simple (180) and 225 cross-axis (270). An egocentric answer gets 315 only."""
    gold_at = {"0": 10, "45": 6, "90": 6, "135": 5, "180": 5, "225": 9, "270": 9, "315": 10, "360": 10, "Top": 10}
    gold = masks(*gold_at.values())[:, None]
    tracked = np.arange(10)[None]
    found = quarter_turns.axis_rebinding(gold[:, 0], gold, tracked)
    assert (found["Simple"], found["Cross-axis"], found["Difference"]) == (2, 2, 0)
    egocentric = quarter_turns.axis_rebinding(np.repeat(gold[:1, 0], 10), gold, tracked)
    assert (egocentric["Simple exact"], egocentric["Cross-axis exact"]) == (0.5, 0)
    wrong_source = quarter_turns.axis_rebinding(opposite(gold[:, 0]), gold, tracked)
    assert (wrong_source["Simple"], wrong_source["Cross-axis"]) == (0, 0)
    assert np.isnan(wrong_source["Difference"])


# ------------------------------------------------------------------------------------------ items and responders


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def runs():
    names = ("oracle", "egocentric", "half_turn", "noisy_source", "label_omitter", "complete_inverter")
    return [load(f"reference_{name}").runs[0] for name in names]


def test_all_synthetic_pairs_are_closed(items):
    """Supp. 3.5: all 297 Synthetic trajectories are kept."""
    assert cvt.closed_pairs(items) == 297


def test_self_transport_of_mechanisms(items, runs):
    """Oracle, noisy source and inverter answer for one believed layout, so they transport. A relation set never equals its own
    quarter or half turn, so the egocentric one never does, and the half-turn reverser only at 180. The omitter names
    left
    or right where it can: at a quarter turn that is another axis, unless the pair has a single label at 0."""
    table = transformation.transport_table(runs, items).set_index("Set")
    quarter_half_full = table[["Self 90", "Self 180", "Self 270", "Self 360", "Perfect C4"]]
    for coherent in ("Oracle", "Noisy source", "Complete inverter"):
        assert quarter_half_full.loc[coherent].tolist() == [100] * 5
    assert quarter_half_full.loc["Egocentric"].tolist() == [0, 0, 0, 100, 0]
    assert quarter_half_full.loc["Half-turn reverser"].tolist() == [0, 100, 0, 100, 0]
    at_source = items.gold[tracked_rows(items.questions)[:, VIEWPOINTS.index("0")]]
    single = 100 * float((np.bitwise_count(at_source) == 1).mean())
    assert quarter_half_full.loc["Label omitter"].tolist() == pytest.approx([single, 100, single, 100, single])


def test_hidden_yaw_f1_of_mechanisms(items, runs):
    table = transformation.transport_table(runs, items).set_index("Set")
    hidden = items.questions.viewpoint.isin(["45", "90", "135", "180", "225", "270", "315"]).to_numpy()
    expected = micro_f1(runs[1].answers[hidden], items.gold[hidden][:, None])
    assert table.loc["Egocentric", "Hidden-yaw F1, strict"] == pytest.approx(100 * expected)
    assert table.loc["Oracle", "Hidden-yaw F1"] == 100


def test_recoverable_subset_of_mechanisms(items, runs):
    """Egocentric: two of five views right, 0 and 360, and reversals in one scene. The noisy source turns what it believes, so a pair
    is right at all five or at none: exact and perfect C4 agree. What the inverter says is a point reflection of the
    layout, and
    what the omitter says is true: both realizable."""
    table = transformation.recoverable_table(runs, items, strict=True).set_index("Set")
    assert table.loc["Oracle", ["F1", "Exact", "Perfect C4", "Realizable"]].tolist() == [100] * 4
    assert table.loc["Egocentric", ["Exact", "Perfect C4", "Realizable"]].tolist() == [40, 0, 0]
    assert table.loc["Half-turn reverser", ["Exact", "Perfect C4"]].tolist() == [60, 0]
    assert table.loc["Noisy source", "Exact"] == pytest.approx(table.loc["Noisy source", "Perfect C4"])
    assert table.loc["Complete inverter", ["Exact", "Realizable"]].tolist() == [0, 100]
    assert table.loc["Label omitter", "Realizable"] == 100


def test_quarter_turns_of_mechanisms(items, runs):
    """The egocentric answer at a quarter turn has one of two labels right, the inverter none, the omitter one of one."""
    table = transformation.quarter_turn_table(runs, items, strict=True).set_index("Set")
    assert table.loc["Egocentric", ["Quarter exact", "180 exact", "180 - quarter exact"]].tolist() == [0, 0, 0]
    assert table.loc["Half-turn reverser", ["Quarter exact", "180 - quarter exact"]].tolist() == [0, 100]
    assert table.loc["Noisy source", "180 - quarter exact"] == 0

    errors = transformation.aligned_error_table(runs, items, strict=True).set_index(["Set", "Source"])
    tracked = tracked_rows(items.questions)[:, [VIEWPOINTS.index("90"), VIEWPOINTS.index("270")]]
    two_labels = int((np.bitwise_count(items.gold[tracked]) == 2).sum())
    for egocentric in ("Egocentric", "Half-turn reverser"):
        for source in ("any", "correct"):
            row = errors.loc[(egocentric, source)]
            assert row[["Errors", "Aligned", "Alternative"]].tolist() == [two_labels, two_labels, 0]
    assert errors.loc[("Complete inverter", "any"), "Inverted"] == two_labels
    assert errors.loc[("Complete inverter", "correct"), "Errors"] == 0
    assert errors.loc[("Label omitter", "any"), "One right label"] == two_labels
    assert errors.loc[("Noisy source", "correct"), "Errors"] == 0


def test_rebinding_of_mechanisms(items, runs):
    """A pair's gold at 135 is the opposite of that at 315, and at 225 of that at 45: each diagonal of the simple group that the
    egocentric answer gets (45 or 315) has one that it does not (135 or 225)."""
    table = transformation.rebinding_table(runs, items, strict=True).set_index("Set")
    assert (table.Simple == table["Cross-axis"]).all()
    assert table.loc["Egocentric", ["Simple exact", "Cross-axis exact", "Difference"]].tolist() == [50, 0, 50]
    assert table.loc["Oracle", ["Simple exact", "Cross-axis exact", "Difference"]].tolist() == [100, 100, 0]
    assert np.isnan(table.loc["Complete inverter", "Difference"])


def test_wordings_of_one_view_are_split_by_their_angle(items):
    """Gold where the wording is short, its opposite where it is long."""
    tracked, angles = tracked_rows(items.questions), items.questions.orbit_angle.to_numpy()
    answers = np.where(angles == 90, items.gold, opposite(items.gold))
    found = quarter_turns.wording_difference(answers, items.gold[:, None], tracked, angles)
    assert found == {"Short 90 exact": 1, "Long 270 exact": 0, "Difference": 1}


# --------------------------------------------------------------------------------------------- the tables of two pages


def test_where_quarter_turn_answers_come_from():
    """Gold is right + behind at 0. The first pair is right throughout. The second believes left + behind and turns it: both
    quarter turns are carried over. The third is right at 0 and does not turn: both are lost. The fourth believes left and does
    not turn: neither."""
    gold = np.array([orbit(RIGHT | BEHIND)] * 4)
    still = [[RIGHT | BEHIND] * 5, [LEFT] * 5]
    answers = np.array([orbit(RIGHT | BEHIND), orbit(LEFT | BEHIND), *still], dtype=np.uint8)
    shares = transport.answer_origins(answers, gold)
    assert shares == {"Right": 0.25, "Carried over": 0.25, "Lost in the turn": 0.25, "Neither": 0.25}
    assert np.isnan(list(transport.answer_origins(answers[:0], gold[:0]).values())).all()


def test_f1_is_the_exact_share_of_labels_and_credit(items):
    """F1 = W + (1 - W) c, with W the exact answers' share of all labels."""
    tracked, gold = tracked_rows(items.questions), items.gold[:, None]
    for name in ("independent_noise", "axis_rebinder", "label_omitter"):
        answers = load(f"reference_{name}").runs[0].answers
        scores = quarter_turns.decomposition(answers, gold, tracked)
        credit = quarter_turns.wrong_credit(answers, gold, tracked)
        for kind, yaws in (("Diagonal", quarter_turns.DIAGONALS), ("Quarter", quarter_turns.QUARTERS)):
            rows = tracked[:, [VIEWPOINTS.index(str(yaw)) for yaw in yaws]].ravel()
            labels = np.bitwise_count(answers[rows]).astype(int) + np.bitwise_count(items.gold[rows])
            share = labels[answers[rows] == items.gold[rows]].sum() / labels.sum()
            assert scores[f"{kind} F1"] == pytest.approx(share + (1 - share) * credit[f"{kind} credit"])
    oracle = quarter_turns.wrong_credit(items.gold, gold, tracked)
    assert np.isnan(list(oracle.values())).all()


@pytest.mark.parametrize(
    "beside", [transformation.expected_transport_beside_run, transformation.expected_turns_beside_run]
)
def test_derivations_hold(items, beside):
    """Exactly where nothing is left to chance; else within 3.5 standard errors (some 30 comparisons)."""
    names = (
        "oracle", "noisy_source", "wrong_but_coherent", "complete_inverter", "egocentric", "half_turn", "mirror_confused",
        "axis_rebinder", "label_omitter", "independent_noise",
    )  # fmt: skip
    compared = beside([load(f"reference_{name}").runs[0] for name in names], items, flip=0.15, slip=0.3, sign_loss=0.35)
    assert len(compared) > 40
    certain = compared.Error == 0
    assert (compared.Run - compared.Expected)[certain].abs().max() < 1e-9
    assert ((compared.Run - compared.Expected).abs() / compared.Error)[~certain].max() < 3.5


def test_acquisition_and_origins_agree(items, runs):
    """Where every source answer is right, self-transport is accuracy; the four origins are all answers."""
    plane = transformation.acquisition_table(runs, items).set_index("Set")
    origins = transformation.origins_table(runs, items).set_index("Set").drop(columns="Kind")
    seen = plane[plane["Source exact"] == 100]
    assert len(seen) == 3 and (seen["Quarter exact"] == seen["Self-transport"]).all()
    assert origins.sum(axis=1).tolist() == pytest.approx([100] * len(runs))
    assert origins["Right"].tolist() == pytest.approx(plane["Quarter exact"].tolist())
    assert origins.loc["Complete inverter", "Carried over"] == 100
    assert origins.loc["Noisy source", ["Lost in the turn", "Neither"]].tolist() == [0, 0]


def test_signatures(items, runs):
    """Egocentric and half-turn answers stay with the source view; the inverter has no source answer to start from."""
    table = transformation.signature_table(runs, items, strict=True).set_index("Set")
    assert table.loc["Half-turn reverser", "180 - quarter, exact"] == 100
    assert table.loc["Egocentric", ["Aligned - alternative", "Simple - cross-axis"]].tolist() == [100, 50]
    assert np.isnan(
        table.loc["Complete inverter", ["Aligned - alternative", "Simple - cross-axis"]].astype(float)
    ).all()


def test_what_printed_numbers_say_alone():
    """(.720 - .455) / (1 - .455) = .486 and (.663 - .573) / (1 - .573) = .211; the bound exceeds what is printed."""
    first = transformation.printed_credit().iloc[0]
    assert first["Domain and regime"] == "CVT-Synthetic / CVT-Isolated"
    assert [round(first.Diagonal, 3), round(first.Quarter, 3)] == [0.486, 0.211]
    least, printed, most = transformation.aligned_bound().Value
    assert least > most > printed == 0.663


def test_figures_draw_what_the_tables_give(items, runs):
    plane = figures.acquisition_plane(transformation.acquisition_table(runs, items))
    assert [len(axes.collections[0].get_offsets()) for axes in plane.axes] == [len(runs)] * 2
    named = " ".join(text.get_text() for text in plane.axes[0].texts)
    assert all(run.title in named for run in runs)
    turns = figures.turn_scores(transformation.quarter_turn_table(runs, items))
    assert [axes.get_title(loc="left") for axes in turns.axes][: len(runs)] == [run.title for run in runs]
    plt.close("all")
