"""Why quarter turns are hard: decomposition, aligned errors, endpoints, wording (CVT-Bench, Supp. 3.6).

`tracked` (pairs, 10) has the rows of fixed pairs by viewpoint, as `vantage.items.tracked_rows` gives them. Where items
have vertical relations, pass the horizontal components of answers and admissible sets: Table S8 of CVT-Real is about
those. All shares are fractions, and not numbers where nothing is eligible.
"""

import numpy as np
from numpy.typing import NDArray

from vantage.relations import VIEWPOINTS, opposite, transport
from vantage.scoring import exact, exact_match, micro_f1

DIAGONALS, QUARTERS, HALF = (45, 135, 225, 315), (90, 270), (180,)
"""Yaws in degrees by kind of transformation."""


def _at(yaws: tuple[int, ...]) -> list[int]:
    return [VIEWPOINTS.index(str(yaw)) for yaw in yaws]


def decomposition(
    answers: NDArray[np.uint8], admissible: NDArray[np.uint8], tracked: NDArray[np.intp]
) -> dict[str, float]:
    """Table S8: exact match and F1 at diagonals and at quarter turns, exact match at 180, and 180 minus quarter.

    F1 at 180, which the paper does not print, comes with them. A diagonal answer with one label wrong keeps more partial
    credit, so F1 and exact match may order the turns differently.
    """
    diagonal, quarter, half = (tracked[:, _at(yaws)].ravel() for yaws in (DIAGONALS, QUARTERS, HALF))
    scores = {
        "Diagonal exact": exact_match(answers[diagonal], admissible[diagonal]),
        "Diagonal F1": micro_f1(answers[diagonal], admissible[diagonal]),
        "Quarter exact": exact_match(answers[quarter], admissible[quarter]),
        "Quarter F1": micro_f1(answers[quarter], admissible[quarter]),
        "180 exact": exact_match(answers[half], admissible[half]),
        "180 F1": micro_f1(answers[half], admissible[half]),
    }
    return scores | {"180 - quarter exact": scores["180 exact"] - scores["Quarter exact"]}


def wrong_credit(
    answers: NDArray[np.uint8], admissible: NDArray[np.uint8], tracked: NDArray[np.intp]
) -> dict[str, float]:
    """Micro F1 of the wrong answers alone, at diagonals and at quarter turns: how much of the truth a wrong answer keeps.

    With W the exact answers' share of all labels, asserted and relevant, and c this credit, F1 = W + (1 - W) c.
    """
    wrong = ~exact(answers, admissible)
    rows = {name: tracked[:, _at(yaws)].ravel() for name, yaws in (("Diagonal", DIAGONALS), ("Quarter", QUARTERS))}
    return {f"{name} credit": micro_f1(answers[at[wrong[at]]], admissible[at[wrong[at]]]) for name, at in rows.items()}


def aligned_errors(
    answers: NDArray[np.uint8],
    admissible: NDArray[np.uint8],
    tracked: NDArray[np.intp],
    correct_source: bool = False,
) -> dict[str, int]:
    """What wrong answers at 90 and 270 are, where gold has two labels: counts (Supp. 3.6, and "Why Are 90 and 270 Difficult?").

    A quarter turn keeps one label of the 0-degree set and reverses the other. So of the three wrong two-label answers
    with one label an axis, two have exactly one error: the 0-degree set and the 180-degree set. `Aligned` is the
    former, answering as if nothing had turned; `Alternative` the latter, equal in error; `Inverted` has both labels
    wrong. `One right label` names one true label and omits the other; `Other` is the rest, invalid answers too. `Two
    labels` and `One relation right` are the totals over which `aligned_shares` takes shares. With `correct_source`,
    only pairs whose own 0-degree answer is exact count.
    """
    right = exact(answers, admissible)
    kept = tracked[right[tracked[:, VIEWPOINTS.index("0")]]] if correct_source else tracked
    counts = dict.fromkeys(
        (
            "Errors",
            "Aligned",
            "Alternative",
            "Inverted",
            "One right label",
            "Other",
            "Two labels",
            "One relation right",
        ),
        0,
    )
    for yaw, at in zip(QUARTERS, _at(QUARTERS), strict=True):
        rows = kept[:, at]
        rows = rows[~right[rows] & (np.bitwise_count(admissible[rows, 0]) == 2)]
        answer, gold = answers[rows], admissible[rows, 0]
        source = transport(gold, 360 - yaw)
        said, true = np.bitwise_count(answer), np.bitwise_count(answer & gold)
        kinds = {
            "Aligned": answer == source,
            "Alternative": answer == opposite(source),
            "Inverted": answer == opposite(gold),
            "One right label": (said == 1) & (true == 1),
        }
        groups = kinds | {
            "Errors": np.ones(len(rows), dtype=bool),
            "Other": ~np.any(list(kinds.values()), axis=0),
            "Two labels": said == 2,
            "One relation right": true == 1,
        }
        for name, members in groups.items():
            counts[name] += int(members.sum())
    return counts


def aligned_shares(counts: dict[str, int]) -> dict[str, float]:
    """Shares of aligned and of alternative answers among `aligned_errors`, in both readings of the paper's audit.

    Literally, of wrong answers with two labels: full inversions in, omissions out. Reading R2, of errors with exactly
    one relation right: omissions in, full inversions out. The paper prints 73.8-82.1 % and 4.4-7.9 %; the first reading
    cannot hold together with Table S8, the second can, but not after requiring a correct source answer.
    """
    return {
        f"{kind} of {total.lower()}": counts[kind] / counts[total] if counts[total] else float("nan")
        for total in ("Two labels", "One relation right")
        for kind in ("Aligned", "Alternative")
    }


def axis_rebinding(
    answers: NDArray[np.uint8], admissible: NDArray[np.uint8], tracked: NDArray[np.intp]
) -> dict[str, float]:
    """At diagonals, after an exact source answer: is the 0/180 endpoint easier than the 90/270 one? (Supp. 3.6, last paragraph)

    A diagonal lies between a half-turn endpoint (0, 180 or 360) and a quarter-turn one. The two endpoints agree on one
    axis and contradict each other on the other, where distances, which labels do not tell, decide. So where gold at 0
    has two labels, a two-label gold set at the diagonal equals the symbolic turn of gold at 0 to one of the two
    endpoints. Our reading: an answer is one observation, exact or not, as elsewhere in Supp. 3.6; it is *simple* if
    gold is the half-turn endpoint's set and *cross-axis* if it is the quarter-turn one's. Gold with a single label at
    either end is neither, and left out. All diagonals are pooled. `Difference` is simple minus cross-axis.
    """
    right = exact(answers, admissible)
    source = tracked[right[tracked[:, VIEWPOINTS.index("0")]]]
    groups = {"Simple": [], "Cross-axis": []}
    for yaw, at in zip(DIAGONALS, _at(DIAGONALS), strict=True):
        rows, gold_at_source = source[:, at], admissible[source[:, VIEWPOINTS.index("0")], 0]
        for endpoint in (yaw - 45, yaw + 45):
            requires = admissible[rows, 0] == transport(gold_at_source, endpoint)
            groups["Cross-axis" if endpoint in QUARTERS else "Simple"].append(right[rows[requires]])
    answered = {name: np.concatenate(parts) for name, parts in groups.items()}
    shares = {f"{name} exact": _share(flags) for name, flags in answered.items()}
    return (
        {name: len(flags) for name, flags in answered.items()}
        | shares
        | {"Difference": shares["Simple exact"] - shares["Cross-axis exact"]}
    )


def wording_difference(
    answers: NDArray[np.uint8],
    admissible: NDArray[np.uint8],
    tracked: NDArray[np.intp],
    orbit_angles: NDArray[np.float64],
) -> dict[str, float]:
    """Exact match at quarter turns worded the short way (90 degrees) and the long way (270), and short minus long.

    `orbit_angles` has the degrees in the wording along `answers`. "90 to the right" and "270 to the left" ask for the
    same view (Supp. 3.6).
    """
    rows = tracked[:, _at(QUARTERS)].ravel()
    right, angle = exact(answers[rows], admissible[rows]), orbit_angles[rows]
    scores = {"Short 90 exact": _share(right[angle == 90]), "Long 270 exact": _share(right[angle == 270])}
    return scores | {"Difference": scores["Short 90 exact"] - scores["Long 270 exact"]}


def _share(flags: NDArray[np.bool_]) -> float:
    return float(flags.mean()) if flags.size else float("nan")
