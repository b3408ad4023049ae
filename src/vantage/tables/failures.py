"""How often answers fail in which way, what known mechanisms must do, and the examples of the qualitative grid (Figure S6)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage.failures import DRIFT, INVERSION, KINDS, OTHER_PAIR, SWAPPED, drifting_pairs, kinds_of
from vantage.items import CVTItems, load_cvt, matched_cycle_pairs, viewpoint_numbers
from vantage.predictions import CVTRun, check_item_level, items_of, load_runs, set_names
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, LEFT, RIGHT, VIEWPOINTS
from vantage.scoring import exact
from vantage.tables.runs import by_run

NEITHER = "None of these"
ASSOCIATION, SHARED = "Relation association", "Missed by all"
ROWS = (INVERSION, ASSOCIATION, DRIFT, SHARED)
"""The rows of the grid, as Figure S6 has them."""

_PARTS = {INVERSION: (INVERSION,), ASSOCIATION: (SWAPPED, OTHER_PAIR), DRIFT: (DRIFT,)}

LEGAL = tuple(lateral | depth for lateral in (0, LEFT, RIGHT) for depth in (0, FRONT, BEHIND) if lateral | depth)
"""The eight answers that say at least one horizontal label, and never both of an axis."""


def failure_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """How many wrong answers of each run are of each kind; counts, one row a run.

    The kinds overlap, so a row need not add up. `None of these` are wrong answers of no kind, invalid and missing ones among them. A
    drift is counted where its answer is wrong, at one of the two views or at both; `Drifting pairs` counts the matched pairs.
    """

    def counts(run: CVTRun) -> dict[str, int]:
        wrong, kinds = ~exact(run.answers, items.admissible), kinds_of(run.answers, items)
        of_kind = {kind: int(kinds[kind].sum()) for kind in KINDS}
        neither = int((wrong & ~np.any(list(kinds.values()), axis=0)).sum())
        drifts = len(drifting_pairs(run.answers, items))
        return {"Wrong": int(wrong.sum())} | of_kind | {NEITHER: neither, "Drifting pairs": drifts}

    return by_run(runs, counts).drop(columns="Kind")


def failure_shares(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """The kinds that one answer shows by itself, in percent of all wrong answers, one row a run, and the drifting pairs in percent of
    all matched pairs; not a number where nothing is wrong.

    The last row, *By guessing*, has what `guessing` says, which follows from the items alone.
    """
    frame = failure_table(runs, items)
    columns = [INVERSION, SWAPPED, OTHER_PAIR]
    wrong = frame["Wrong"].where(frame["Wrong"] > 0)
    shares = frame[columns].div(wrong, axis=0).assign(Set=frame["Set"])
    shares["Drifting pairs"] = frame["Drifting pairs"] / len(matched_cycle_pairs(items.questions))
    shares = pd.concat([shares, pd.DataFrame([{"Set": "By guessing"} | guessing(items)])], ignore_index=True)
    return pd.concat([shares["Set"], 100 * shares[[*columns, "Drifting pairs"]]], axis=1)


def guessing(items: CVTItems) -> dict[str, float]:
    """What part of the wrong answers is of each kind for who gives every legal answer equally often, a fraction of all its wrong
    answers; and the chance that two such guesses about a matched pair drift.

    Legal are the eight of `LEGAL`, and with above or below each of them twice.
    """
    vertical = (items.questions.kind == "vertical").to_numpy()
    guesses = [(mask, ~vertical) for mask in LEGAL]
    guesses += [(mask | height, vertical) for mask in LEGAL for height in (ABOVE, BELOW)]
    legal = np.where(vertical, 2 * len(LEGAL), len(LEGAL))
    right, found = np.zeros(len(vertical)), dict.fromkeys((INVERSION, SWAPPED, OTHER_PAIR), 0.0)
    for guess, asked in guesses:
        answers = np.where(asked, guess, 0).astype(np.uint8)
        right += exact(answers, items.admissible)
        kinds = kinds_of(answers, items)
        for kind in found:
            found[kind] += (kinds[kind] / legal).sum()
    wrong = float((1 - right / legal).sum())
    first = matched_cycle_pairs(items.questions)[:, 0]
    share, each = right[first] / legal[first], 1 / legal[first]
    drift = 1 - share**2 - (1 - share) * each
    return {kind: float(count) / wrong for kind, count in found.items()} | {"Drifting pairs": float(drift.mean())}


def expected_kinds(items: CVTItems, sign_loss: float, slip: float) -> pd.DataFrame:
    """How many failures of each kind known mechanisms must have, from counts of one- and two-label questions alone.

    Tidy: Set, Kind, Where, Derivation, Expected (a count) and Error, the standard error where chance decides (0 where it does not). Only
    questions without above and below are counted; both margins of a label have to be the same, as in CVT-Synthetic. n1 and n2 are the
    one- and two-label questions there, a the admissible alternatives; q is the rebinder's chance to lose a sign, s that of an
    independent slip. With f admissible sets of eight, two answers about a pair drift unless both are admissible or they are the same.
    """
    plain = (items.questions.kind != "vertical").to_numpy()
    views = viewpoint_numbers(items.questions)
    labels = np.bitwise_count(items.gold)
    sets = np.array([len(set(row)) for row in items.admissible.tolist()])

    def counted(which: Sequence[str]) -> tuple[int, int, int]:
        there = plain & np.isin(views, [VIEWPOINTS.index(viewpoint) for viewpoint in which])
        return int((labels[there] == 1).sum()), int((labels[there] == 2).sum()), int((sets[there] - 1).sum())

    q, s = sign_loss, slip
    (n1, n2, a), everywhere = counted(VIEWPOINTS), "all ten"
    quarter1, quarter2, _ = counted(("90", "270"))
    _, diagonal2, _ = counted(("45", "135", "225", "315"))
    half1, half2, _ = counted(("180",))
    pairs = matched_cycle_pairs(items.questions)[:, 0]
    admissible = sets[pairs[plain[pairs]]]

    def drift(right: NDArray, other: float) -> tuple[float, float]:
        """Expected drifts and their variance: all admissible answers have chance `right` together, each other one `other`."""
        chance = 1 - right**2 - (8 - admissible) * other**2
        return float(chance.sum()), float((chance * (1 - chance)).sum())

    noise, guess = drift(1 - s + s * (admissible - 1) / 7, s / 7), drift(admissible / 8, 1 / 8)
    one, both, each = 2 * q * (1 - q), q * q, 2 * s / 7
    claims = [
        ("Oracle", "Wrong", everywhere, "0", 0, 0),
        ("Egocentric", SWAPPED, "180", "n1 + n2", half1 + half2, 0),
        ("Egocentric", INVERSION, "quarter", "n2", quarter2, 0),
        ("Egocentric", SWAPPED, "quarter", "0", 0, 0),
        ("Mirror-confused", SWAPPED, "quarter", "n1 + n2", quarter1 + quarter2, 0),
        ("Mirror-confused", INVERSION, "quarter", "0", 0, 0),
        ("Mirror-confused", INVERSION, "diagonal", "n2", diagonal2, 0),
        ("Mirror-confused", SWAPPED, "diagonal", "0", 0, 0),
        ("Axis-rebinder", INVERSION, "quarter", "2 q (1 - q) n2", one * quarter2, one * (1 - one) * quarter2),
        (
            "Axis-rebinder",
            SWAPPED,
            "quarter",
            "q² n2 + q n1",
            both * quarter2 + q * quarter1,
            both * (1 - both) * quarter2 + q * (1 - q) * quarter1,
        ),
        ("Axis-rebinder", INVERSION, "diagonal", "q n2", q * diagonal2, q * (1 - q) * diagonal2),
        ("Independent noise", INVERSION, everywhere, "2 (s / 7) n2", each * n2, each * (1 - each) * n2),
        (
            "Independent noise",
            SWAPPED,
            everywhere,
            "(s / 7) (n1 + n2 + a)",
            s / 7 * (n1 + n2 + a),
            s / 7 * (1 - s / 7) * (n1 + n2 + a),
        ),
        ("Independent noise", "Drifting pairs", "0 and 360", "1 - right² - (8 - f) (s / 7)²", *noise),
        ("Uniform random", INVERSION, everywhere, "2/8 n2", n2 / 4, n2 * 3 / 16),
        ("Uniform random", SWAPPED, everywhere, "1/8 (n1 + n2 + a)", (n1 + n2 + a) / 8, (n1 + n2 + a) * 7 / 64),
        ("Uniform random", "Drifting pairs", "0 and 360", "1 - (f / 8)² - (8 - f) / 64", *guess),
        ("Label omitter", INVERSION, everywhere, "0", 0, 0),
        ("Label omitter", SWAPPED, everywhere, "0", 0, 0),
        ("Complete inverter", SWAPPED, everywhere, "n1 + n2", n1 + n2, 0),
        ("Complete inverter", INVERSION, everywhere, "0", 0, 0),
        ("Pair mix-up", "Wrong, not another pair's", everywhere, "0", 0, 0),
    ]
    still = ("Egocentric", "Mirror-confused", "Axis-rebinder", "Noisy source", "Label omitter", "Complete inverter")
    claims += [(title, "Drifting pairs", "0 and 360", "0", 0, 0) for title in still]
    frame = pd.DataFrame(claims, columns=["Set", "Kind", "Where", "Derivation", "Expected", "Error"])
    order = frame["Set"].drop_duplicates().tolist()
    return frame.assign(Error=np.sqrt(frame["Error"])).sort_values(
        "Set", key=lambda names: names.map(order.index), kind="stable", ignore_index=True
    )


_TURNS = {"180": ("180",), "quarter": ("90", "270"), "diagonal": ("45", "135", "225", "315"), "all ten": VIEWPOINTS}


def expected_beside_kinds(runs: Sequence[CVTRun], items: CVTItems, sign_loss: float, slip: float) -> pd.DataFrame:
    """`expected_kinds` with the column Run beside Expected, for those of the responders that are among `runs`; and Off, the difference
    in standard errors, where chance decides."""
    expected = expected_kinds(items, sign_loss, slip)
    plain = (items.questions.kind != "vertical").to_numpy()
    views = items.questions.viewpoint.to_numpy()
    rows = []
    for run in runs:
        wrong, kinds = ~exact(run.answers, items.admissible), kinds_of(run.answers, items)
        found = kinds | {"Wrong": wrong, "Wrong, not another pair's": wrong & ~kinds[OTHER_PAIR]}
        drifts = int(plain[drifting_pairs(run.answers, items)[:, 0]].sum())
        for claim in expected[expected["Set"] == run.title].to_dict("records"):
            at = np.isin(views, _TURNS.get(claim["Where"], ()))
            count = drifts if claim["Kind"] == "Drifting pairs" else int((found[claim["Kind"]] & plain & at).sum())
            off = (count - claim["Expected"]) / claim["Error"] if claim["Error"] else np.nan
            rows.append(claim | {"Run": count, "Off": off})
    return pd.DataFrame(rows, columns=[*expected.columns, "Run", "Off"])


def shared_misses(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """How many questions 0, 1, ... all of the runs miss, and how many they would if they missed independently; counts.

    Independent: at each viewpoint every run misses as many questions as it does, and which ones has nothing to do with what
    the others miss. What is beyond that is shared: questions that are hard for all.
    """
    missed = ~np.array([exact(run.answers, items.admissible) for run in runs]).reshape(len(runs), -1)
    expected = np.zeros(len(runs) + 1)
    for viewpoint in range(len(VIEWPOINTS)):
        at = viewpoint_numbers(items.questions) == viewpoint
        chances = np.array([1.0])
        for share in missed[:, at].mean(axis=1) if at.any() else ():
            chances = np.convolve(chances, [1 - share, share])
        expected[: len(chances)] += at.sum() * chances
    found = np.bincount(missed.sum(axis=0), minlength=len(runs) + 1)
    return pd.DataFrame({"Sets that miss": range(len(runs) + 1), "Questions": found, "If independent": expected})


def shared_by_viewpoint(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """At how many questions of each viewpoint no run is right; counts: viewpoint, questions, missed by all."""
    missed = ~np.any([exact(run.answers, items.admissible) for run in runs], axis=0)
    views = viewpoint_numbers(items.questions)
    return pd.DataFrame(
        {
            "Viewpoint": VIEWPOINTS,
            "Questions": np.bincount(views, minlength=len(VIEWPOINTS)),
            SHARED: np.bincount(views[missed], minlength=len(VIEWPOINTS)),
        }
    )


def answered(predictions: Sequence[str] | str, domains: Sequence[str]) -> list[tuple[CVTItems, list[CVTRun]]]:
    """The items of each domain that one of the sets answers, and the isolated runs of those that do.

    Raises `InputError` as `load_runs` does, and where no set answers any of the domains.
    """
    names = set_names(predictions)
    known = [domain for domain in domains if any(f"cvt/{domain}" in items_of(name) for name in names)]
    # Where there is none, the error of the first domain says what was expected.
    loaded = [load_cvt(domain) for domain in known or domains[:1]]
    return [(items, load_runs(predictions, items)) for items in loaded]


@dataclass(frozen=True)
class Example:
    """A cell of the grid: the row of the question, whose answer it is (of all runs, where all miss it), and the row that explains it.

    `other` is the question at 360 degrees of a drift, and the question about another pair for which an answer would be right; none
    where the kind needs none.
    """

    kind: str
    items: CVTItems
    runs: tuple[CVTRun, ...]
    row: int
    other: int | None = None


def examples(runs: Sequence[CVTRun], items: CVTItems) -> dict[str, Example | None]:
    """One example of each of `ROWS`, chosen by rule; None where there is none.

    The set: the one whose wrong answers are of the kind most often (of a drift: whose matched pairs drift most often), the
    first of `runs` in a tie. The question: of those whose answer is of the fewest of `vantage.failures.KINDS`, the first in the
    frozen order. Missed by all: the first question that no run answers rightly. Raises `InputError` for a reconstructed run.
    """
    check_item_level(runs)
    of_kind = {kind: _example(kind, parts, runs, items) for kind, parts in _PARTS.items()}
    missed = np.all([~exact(run.answers, items.admissible) for run in runs], axis=0)
    shared = Example(SHARED, items, tuple(runs), int(missed.argmax())) if missed.any() else None
    return of_kind | {SHARED: shared}


def grid(answers: Sequence[tuple[CVTItems, Sequence[CVTRun]]]) -> dict[str, list[Example | None]]:
    """For each of `ROWS`, the example of each domain that `answered` gives."""
    found = [examples(runs, items) for items, runs in answers]
    return {kind: [one[kind] for one in found] for kind in ROWS}


def _example(kind: str, parts: Sequence[str], runs: Sequence[CVTRun], items: CVTItems) -> Example | None:
    best, chosen = 0.0, None
    for run in runs:
        kinds = kinds_of(run.answers, items)
        of_kind = np.any([kinds[part] for part in parts], axis=0)
        pairs = drifting_pairs(run.answers, items)
        if kind == DRIFT:
            failures, of = len(pairs), len(matched_cycle_pairs(items.questions))
        else:
            failures, of = int(of_kind.sum()), int((~exact(run.answers, items.admissible)).sum())
        if failures and failures / of > best:
            best, how_many = failures / of, np.sum(list(kinds.values()), axis=0)
            if kind == DRIFT:
                pairs = pairs[pairs[:, 0].argsort(kind="stable")]
                row, other = pairs[how_many[pairs].sum(axis=1).argmin()].tolist()
            else:
                rows = np.flatnonzero(of_kind)
                row = int(rows[how_many[rows].argmin()])
                other = right_for(run, items, row) if kind == ASSOCIATION else None
            chosen = Example(kind, items, (run,), row, other)
    return chosen


def right_for(run: CVTRun, items: CVTItems, row: int) -> int | None:
    """A question about two other objects of the scene, at the viewpoint of `row`, to which the answer of `row` is the right one.

    The last before it, or else the first after it; none where there is none.
    """
    asked = items.questions
    here = asked.iloc[row]
    same = (asked.scene == here.scene) & (asked.viewpoint == here.viewpoint)
    ends = asked.target.isin((here.target, here.anchor)) & asked.anchor.isin((here.target, here.anchor))
    fits = (items.admissible == run.answers[row]).any(axis=1)
    rows = np.flatnonzero(same & ~ends & fits)
    if not rows.size:
        return None
    before = rows[rows < row]
    return int(before[-1] if before.size else rows[0])
