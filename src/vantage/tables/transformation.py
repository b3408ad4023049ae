"""Tables of transformation for a reader's runs (CVT-Bench, Supp. 3.5, 3.6 and 4.5), one row a run. All shares are percent.

The `expected_*` tables say what reference responders must show, derived from counts of labels, beside what they show.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from vantage import conflicts, quarter_turns, scoring, transport
from vantage.items import CVTItems, tracked_rows, viewpoint_numbers
from vantage.predictions import CVTRun
from vantage.published import as_printed, load_published
from vantage.realizability import realizable_scenes
from vantage.relations import HORIZONTAL, VIEWPOINTS
from vantage.tables.runs import admissible_sets, by_run


def transport_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Table S6: does the answer at each cardinal view follow from the run's own answer at 0? With F1 at hidden yaws (Supp. 4.5)."""
    cardinal = tracked_rows(items.questions)[:, transport.CARDINAL_VIEWS]
    views = viewpoint_numbers(items.questions)
    gold = scoring.strict(items.admissible)
    return by_run(
        runs,
        lambda run: {
            "Pairs": len(cardinal),
            **_percent(transport.self_transport(run.answers[cardinal])),
            "Hidden-yaw F1, strict": 100 * transport.hidden_yaw_f1(run.answers, gold, views),
            "Hidden-yaw F1": 100 * transport.hidden_yaw_f1(run.answers, items.admissible, views),
        },
    )


def recoverable_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Table S7: scores on the closed pairs at cardinal views, and realizability of those answers alone."""
    admissible = admissible_sets(items, strict)
    cardinal = tracked_rows(items.questions)[:, transport.CARDINAL_VIEWS]
    closed = cardinal[transport.recoverable(items.gold[cardinal])]
    together = np.sort(closed.ravel())  # the questions of a scene stand together

    def values(run: CVTRun) -> dict:
        realizable = realizable_scenes(run.answers[together], items.questions.iloc[together])
        return {
            "Closed pairs": len(closed),
            **_percent(transport.recoverable_scores(run.answers, admissible, closed)),
            "Realizable": 100 * float(np.mean(list(realizable.values()))) if realizable else float("nan"),
        }

    return by_run(runs, values)


def quarter_turn_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Table S8: exact match and F1 of fixed pairs by kind of turn; and the short and the long wording of quarter turns."""
    admissible, tracked = _horizontal(items, strict), tracked_rows(items.questions)
    angles = items.questions.orbit_angle.to_numpy()

    def values(run: CVTRun) -> dict:
        answers = run.answers & np.uint8(HORIZONTAL)
        wording = quarter_turns.wording_difference(answers, admissible, tracked, angles)
        return _percent(
            quarter_turns.decomposition(answers, admissible, tracked)
            | {"Short 90 - long 270 exact": wording["Difference"]}
        )

    return by_run(runs, values)


def aligned_error_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Supp. 3.6: what wrong answers at quarter turns are, in both readings, over all pairs and after an exact 0-degree answer.

    Two rows a run.
    """
    admissible, tracked = _horizontal(items, strict), tracked_rows(items.questions)

    def table(correct_source: bool) -> pd.DataFrame:
        def values(run: CVTRun) -> dict:
            answers = run.answers & np.uint8(HORIZONTAL)
            counts = quarter_turns.aligned_errors(answers, admissible, tracked, correct_source)
            return (
                {"Source": "correct" if correct_source else "any"}
                | counts
                | _percent(quarter_turns.aligned_shares(counts))
            )

        return by_run(runs, values)

    return pd.concat([table(False), table(True)]).sort_index(kind="stable").reset_index(drop=True)


def rebinding_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Supp. 3.6: exact match at diagonals whose gold is the half-turn endpoint's, and whose gold is the quarter turn's."""
    admissible, tracked = _horizontal(items, strict), tracked_rows(items.questions)

    def values(run: CVTRun) -> dict:
        found = quarter_turns.axis_rebinding(run.answers & np.uint8(HORIZONTAL), admissible, tracked)
        counts = {name: found.pop(name) for name in ("Simple", "Cross-axis")}
        return counts | _percent(found)

    return by_run(runs, values)


def acquisition_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Acquisition and transformation of fixed pairs: exact at 0, exact at 90 and 270, and self-transport at 90 and 270.

    Strict throughout. So where every source answer is right, the last two are equal.
    """
    cardinal = tracked_rows(items.questions)[:, transport.CARDINAL_VIEWS]
    quarter = [transport.CARDINAL.index(yaw) for yaw in quarter_turns.QUARTERS]
    gold = scoring.strict(items.admissible)

    def values(run: CVTRun) -> dict:
        own = transport.self_transport(run.answers[cardinal])
        return {
            "Source exact": 100 * scoring.exact_match(run.answers[cardinal[:, 0]], gold[cardinal[:, 0]]),
            "Quarter exact": 100
            * scoring.exact_match(run.answers[cardinal[:, quarter].ravel()], gold[cardinal[:, quarter].ravel()]),
            "Self-transport": 100 * (own["Self 90"] + own["Self 270"]) / 2,
        }

    return by_run(runs, values)


def origins_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Where the answers about fixed pairs at 90 and 270 come from: right, carried over, lost in the turn, or neither. Strict."""
    cardinal = tracked_rows(items.questions)[:, transport.CARDINAL_VIEWS]
    return by_run(runs, lambda run: _percent(transport.answer_origins(run.answers[cardinal], items.gold[cardinal])))


_CLAIM = ["Set", "Quantity", "Viewpoint", "Derivation", "Expected", "Error"]


def expected_transport(items: CVTItems, flip: float, slip: float, sign_loss: float) -> pd.DataFrame:
    """What Tables S6 and S7 must show of the reference responders, strict, from the numbers of one- and two-label gold sets.

    Tidy, as `vantage.tables.runs.expected_scores`: Set, Quantity, Viewpoint, Derivation, Expected and its standard Error.
    With n1 pairs of one and n2 of two labels among N, at each cardinal view alike; p is `sign_loss`, q = 1 - p. A source
    answer that is wrong never leads to a right one by turning, hence (1 - slip)^2 + slip^2 / 7 for independent noise.
    """
    cardinal = tracked_rows(items.questions)[:, transport.CARDINAL_VIEWS]
    n1, n2 = (int((np.bitwise_count(items.gold[cardinal[:, 0]]) == size).sum()) for size in (1, 2))
    ends = items.questions.iloc[cardinal[:, 0]][["target", "anchor"]].to_numpy()
    # The noisy source misjudges a pair once, whichever way round it is asked.
    distinct = len(set(zip(items.questions.scene.iloc[cardinal[:, 0]], *np.sort(ends, axis=1).T, strict=True)))
    n, labels, q, keep = n1 + n2, n1 + 2 * n2, 1 - sign_loss, 1 - flip
    kept, believed = (n1 * q + n2 * q**2) / n, (n1 * keep + n2 * keep**2) / n
    throughout, agree = (n1 * q**2 + n2 * q**4) / n, (1 - slip) ** 2 + slip**2 / 7

    def error(share: float, draws: float) -> float:
        return float(np.sqrt(share * (1 - share) / draws))

    views, five = tuple(map(str, transport.CARDINAL[1:])), ("all five",)
    claims = []

    def claim(name: str, quantity: str, viewpoints: tuple, derivation: str, value: float, off: float = 0.0) -> None:
        claims.extend((name, quantity, viewpoint, derivation, value, off) for viewpoint in viewpoints)

    for name in ("Oracle", "Wrong but coherent", "Complete inverter", "Noisy source"):
        claim(name, "Self-transport", views, "1", 1)
        claim(name, "Perfect C4", five, "1", 1)
    claim("Noisy source", "F1", five, "1 - flip", keep, error(keep, distinct * labels / n))
    claim("Noisy source", "Exact", five, "(n1 (1 - flip) + n2 (1 - flip)^2) / N", believed, error(believed, distinct))
    for name, half in (("Egocentric", 0), ("Half-turn reverser", 1), ("Mirror-confused", 1)):
        claim(name, "Self-transport", ("90", "270") if half else ("90", "180", "270"), "0", 0)
        claim(name, "Self-transport", ("180", "360") if half else ("360",), "1", 1)
        claim(name, "Perfect C4", five, "0", 0)
        shared = 0 if name == "Mirror-confused" else 2 * n2 / (5 * labels)
        claim(name, "F1", five, "views right, and half-right sets", (2 + half) / 5 + shared)
        claim(name, "Exact", five, "views right", (2 + half) / 5)
    claim("Axis-rebinder", "Self-transport", ("90", "270"), "(n1 q + n2 q^2) / N", kept, error(kept, n))
    claim("Axis-rebinder", "Self-transport", ("180", "360"), "1", 1)
    claim("Axis-rebinder", "Perfect C4", five, "(n1 q^2 + n2 q^4) / N", throughout, error(throughout, n))
    claim("Axis-rebinder", "F1", five, "1 - 2 p / 5", 1 - 2 * sign_loss / 5, 0.4 * error(q, 2 * labels))
    claim("Label omitter", "Self-transport", ("90", "270"), "n1 / N", n1 / n)
    claim("Label omitter", "Self-transport", ("180", "360"), "1", 1)
    claim("Label omitter", "Perfect C4", five, "n1 / N", n1 / n)
    claim("Label omitter", "F1", five, "2 N / (2 n1 + 3 n2)", 2 * n / (2 * n1 + 3 * n2))
    claim("Label omitter", "Exact", five, "n1 / N", n1 / n)
    claim("Independent noise", "Self-transport", views, "(1 - slip)^2 + slip^2 / 7", agree, error(agree, n))
    claim("Independent noise", "Perfect C4", five, "(1 - slip)^5", (1 - slip) ** 5, error((1 - slip) ** 5, n))
    claim("Independent noise", "Exact", five, "1 - slip", 1 - slip, error(1 - slip, 5 * n))
    return pd.DataFrame(claims, columns=_CLAIM)


def expected_transport_beside_run(
    runs: Sequence[CVTRun], items: CVTItems, flip: float, slip: float, sign_loss: float
) -> pd.DataFrame:
    """`expected_transport` with the column Run beside Expected, for those of the responders that are among `runs`."""
    own = transport_table(runs, items).set_index("Set")
    gold = recoverable_table(runs, items, strict=True).set_index("Set")

    def ran(row) -> float:
        if row.Quantity == "Self-transport":
            return own.loc[row.Set, f"Self {row.Viewpoint}"]
        return (own if row.Quantity == "Perfect C4" else gold).loc[row.Set, row.Quantity]

    return _beside(expected_transport(items, flip, slip, sign_loss), ran, own.index)


def expected_turns(items: CVTItems, flip: float, slip: float, sign_loss: float) -> pd.DataFrame:
    """What Table S8, the aligned-error audit and the endpoint contrast must show of the reference responders, strict.

    Tidy, as `expected_transport`. n1 and n2 are the pairs with one and with two gold labels at a quarter turn, d1 and d2 at a
    diagonal, s = n1 + d1; p is `sign_loss` and q = 1 - p.
    """
    tracked = tracked_rows(items.questions)
    (n1, n2), (d1, d2) = (
        [int((np.bitwise_count(items.gold[tracked[:, VIEWPOINTS.index(view)]]) == size).sum()) for size in (1, 2)]
        for view in ("90", "45")
    )
    n, s, p, q = n1 + n2, n1 + d1, sign_loss, 1 - sign_loss
    kept, believed = (n1 * q + n2 * q**2) / n, (n1 * (1 - flip) + n2 * (1 - flip) ** 2) / n
    diagonal, wrong, keep = (d1 * q**2 + d2 * q) / n, 2 * n2 * (1 - q**2), 1 - flip
    carried = (d1 * keep**2 + d2 * keep) / n
    ends = items.questions.iloc[tracked[:, 0]]
    pairs = len(set(zip(ends.scene, *np.sort(ends[["target", "anchor"]].to_numpy(), axis=1).T, strict=True)))

    def error(share: float, draws: float) -> float:
        return float(np.sqrt(share * (1 - share) / draws))

    turned_not = [
        ("Diagonal exact", "(N - s) / 4 N", (n - s) / (4 * n), 0),
        ("Diagonal F1", "(2 N - s) / (4 N - s)", (2 * n - s) / (4 * n - s), 0),
        ("Quarter exact", "0", 0, 0),
        ("Quarter F1", "n2 / (2 n2 + n1)", n2 / (2 * n2 + n1), 0),
        ("Aligned of two labels", "1", 1, 0),
        ("Aligned of one relation right", "1", 1, 0),
        ("Simple - cross-axis", "1/2", 0.5, 0),
    ]
    claims = {
        "Egocentric": [*turned_not, ("180 exact", "0", 0, 0)],
        "Half-turn reverser": [*turned_not, ("180 exact", "1", 1, 0)],
        "Mirror-confused": [
            ("Diagonal exact", "0", 0, 0),
            ("Diagonal F1", "d2 / (2 d2 + d1)", d2 / (2 * d2 + d1), 0),
            ("Quarter exact", "0", 0, 0),
            ("Quarter F1", "0", 0, 0),
            ("180 exact", "1", 1, 0),
            ("Aligned of two labels", "0", 0, 0),
            ("Simple - cross-axis", "0", 0, 0),
        ],
        "Axis-rebinder": [
            ("Diagonal exact", "(d1 q^2 + d2 q) / N", diagonal, error(diagonal, 4 * n)),
            (
                "Diagonal F1",
                "one label of two at risk",
                2 * (d2 * (1 + q) + d1 * q) / (4 * d2 + d1 * (2 + p * q)),
                error(p, 4 * n) / 2,
            ),
            ("Quarter exact", "(n1 q + n2 q^2) / N", kept, error(kept, 2 * n)),
            ("Quarter F1", "q", q, error(q, 2 * (n1 + 2 * n2))),
            ("180 exact", "1", 1, 0),
            ("Aligned of two labels", "q / (1 + q)", q / (1 + q), error(q / (1 + q), wrong)),
            ("Aligned of one relation right", "1/2", 0.5, error(0.5, 4 * n2 * p * q)),
            ("Simple - cross-axis", "0", 0, error(q, 2 * (n - s)) * np.sqrt(2)),
        ],
        "Noisy source": [
            ("Diagonal exact", "the larger component decides", carried, error(carried, pairs)),
            (
                "Diagonal F1",
                "the larger component decides both labels",
                (d1 * keep**2 + 2 * d2 * keep) / (d1 + 2 * d2),
                error(keep, pairs),
            ),
            ("Quarter exact", "(n1 (1 - flip) + n2 (1 - flip)^2) / N", believed, error(believed, pairs)),
            ("Quarter F1", "1 - flip", keep, error(keep, pairs * (n1 + 2 * n2) / n)),
            ("180 exact", "as at quarter turns", believed, error(believed, pairs)),
            ("Aligned of one relation right", "1/2", 0.5, 0),
            ("Simple - cross-axis", "0", 0, 0),
        ],
        "Independent noise": [
            ("Diagonal exact", "1 - slip", 1 - slip, error(slip, 4 * n)),
            ("Quarter exact", "1 - slip", 1 - slip, error(slip, 2 * n)),
            ("180 exact", "1 - slip", 1 - slip, error(slip, n)),
            ("Aligned of two labels", "1/3", 1 / 3, error(1 / 3, 2 * n2 * slip * 3 / 7)),
            ("Aligned of one relation right", "1/4", 1 / 4, error(1 / 4, 2 * n2 * slip * 4 / 7)),
            ("Simple - cross-axis", "0", 0, error(slip, 2 * (n - s) * (1 - slip)) * np.sqrt(2)),
        ],
        "Label omitter": [
            ("Quarter exact", "n1 / N", n1 / n, 0),
            ("Quarter F1", "2 N / (2 n1 + 3 n2)", 2 * n / (2 * n1 + 3 * n2), 0),
            ("Diagonal exact", "d1 / N", d1 / n, 0),
            ("Aligned of one relation right", "0", 0, 0),
        ],
    }
    at = {"Diagonal": "diagonals", "Simple": "diagonals", "Quarter": "90, 270", "Aligned": "90, 270", "180": "180"}
    return pd.DataFrame(
        [
            (name, quantity, at[quantity.split()[0]], derivation, value, off)
            for name, of_set in claims.items()
            for quantity, derivation, value, off in of_set
        ],
        columns=_CLAIM,
    )


def expected_turns_beside_run(
    runs: Sequence[CVTRun], items: CVTItems, flip: float, slip: float, sign_loss: float
) -> pd.DataFrame:
    """`expected_turns` with the column Run beside Expected, for those of the responders that are among `runs`."""
    turns = quarter_turn_table(runs, items, strict=True).set_index("Set")
    errors = aligned_error_table(runs, items, strict=True).query("Source == 'any'").set_index("Set")
    contrast = rebinding_table(runs, items, strict=True).set_index("Set").Difference.rename("Simple - cross-axis")
    found = turns.join(errors.drop(columns="Kind")).join(contrast)
    return _beside(
        expected_turns(items, flip, slip, sign_loss), lambda row: found.loc[row.Set, row.Quantity], turns.index
    )


def _beside(expected: pd.DataFrame, ran, sets: pd.Index) -> pd.DataFrame:
    """Expectations for the sets that ran, with what they showed, as a fraction."""
    expected = expected[expected.Set.isin(sets)]
    return expected.assign(Run=[ran(row) / 100 for row in expected.itertuples()])


def wrong_credit_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """F1 within the wrong answers about fixed pairs, at diagonals and at quarter turns."""
    admissible, tracked = _horizontal(items, strict), tracked_rows(items.questions)
    return by_run(
        runs,
        lambda run: _percent(quarter_turns.wrong_credit(run.answers & np.uint8(HORIZONTAL), admissible, tracked)),
    )


def signature_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """The five differences of Supp. 3.6 in one row a run, in points; not numbers where nothing is eligible.

    `Aligned - alternative` is taken over errors with exactly one relation right, before any demand on the source answer.
    """
    turns = quarter_turn_table(runs, items, strict)
    errors = aligned_error_table(runs, items, strict).query("Source == 'any'").reset_index(drop=True)
    of = "of one relation right"
    return turns[["Set", "Kind"]].assign(
        **{
            "180 - quarter, exact": turns["180 - quarter exact"],
            "Quarter - diagonal, exact": turns["Quarter exact"] - turns["Diagonal exact"],
            "Quarter - diagonal, F1": turns["Quarter F1"] - turns["Diagonal F1"],
            "Aligned - alternative": errors[f"Aligned {of}"] - errors[f"Alternative {of}"],
            "Simple - cross-axis": rebinding_table(runs, items, strict).Difference,
        }
    )


# ------------------------------------------------------------------------------------ from printed numbers alone


def printed_credit() -> pd.DataFrame:
    """What Table S8's printed means say of a wrong answer: (F1 - exact) / (1 - exact), a fraction, a row a domain and regime.

    It is the F1 within wrong answers where all answers have the same number of labels, and near it otherwise.
    """
    numbers = load_published("cvt").query("place == 'Table S8'")
    wide = numbers.pivot(index="column", columns="row", values="value").loc[numbers.column.unique()]
    credit = {
        kind: (wide[f"{kind} F1"] - wide[f"{kind} exact"]) / (1 - wide[f"{kind} exact"])
        for kind in ("Diagonal", "Quarter")
    }
    return pd.DataFrame(credit).rename_axis("Domain and regime").reset_index()


def aligned_bound() -> pd.DataFrame:
    """The bound of `vantage.conflicts` on F1 at quarter turns beside the printed value that it excludes; fractions.

    CVT-Synthetic, isolated, if the audit's shares are those of all wrong answers. The printed value stands for at most
    half a unit of its last digit more.
    """
    printed = {row.id: Fraction(as_printed(row.value, row.decimals)) for row in load_published("cvt").itertuples()}
    least, most = conflicts.aligned_errors_of_all_wrong_answers(printed)
    return pd.DataFrame(
        {
            "Quarter-turn F1": [
                "least that the audit allows, with the printed exact match",
                "printed",
                "most that the printed value can stand for",
            ],
            "Value": [float(least), float(printed["cvt.table-s8.quarter-f1.synthetic.isolated"]), float(most)],
        }
    )


def _horizontal(items: CVTItems, strict: bool) -> np.ndarray:
    """Admissible sets without above and below, which no orbit changes."""
    return admissible_sets(items, strict) & np.uint8(HORIZONTAL)


def _percent(shares: Mapping[str, float]) -> dict[str, float]:
    return {name: 100 * share for name, share in shares.items()}
