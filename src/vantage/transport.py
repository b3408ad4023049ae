"""Source acquisition apart from transformation: hidden views, self-transport, closed pairs (CVT-Bench, Supp. 3.5 and 4.5).

An *orbit* is a fixed pair's relation sets at the cardinal views 0, 90, 180, 270 and 360, (pairs, 5);
`answers[cardinal_rows]` with the rows of `vantage.items.tracked_rows` at `CARDINAL` gives it. All results are
fractions.
"""

import numpy as np
from numpy.typing import NDArray

from vantage.relations import HORIZONTAL, VIEWPOINTS, YAWS, transport
from vantage.scoring import exact, micro_f1

CARDINAL = (0, 90, 180, 270, 360)
"""The cardinal yaws of an orbit, in degrees; 360 is a question of its own."""

CARDINAL_VIEWS = tuple(VIEWPOINTS.index(str(yaw)) for yaw in CARDINAL)
"""Their places among the ten viewpoints."""

HIDDEN_VIEWS = tuple(VIEWPOINTS.index(str(yaw)) for yaw in YAWS[1:-1])
"""The places of the seven yaws that show neither the source view nor its plane: not 0, 360 or Top (Supp. 4.5)."""


def hidden_yaw_f1(answers: NDArray[np.uint8], admissible: NDArray[np.uint8], viewpoints: NDArray[np.intp]) -> float:
    """Micro F1 over all questions at hidden yaws, 45 to 315 degrees (Supp. 4.5); not a number without any.

    Pooled as global F1 is; the mean of the seven views' F1 would differ little, as each has as many questions.
    """
    hidden = np.isin(viewpoints, HIDDEN_VIEWS)
    return micro_f1(answers[hidden], admissible[hidden])


def self_transported(orbits: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each answer at 90, 180, 270 and 360 is the symbolic turn of the same responder's own answer at 0, (pairs, 4).

    Strict set equality; correctness does not enter, so a coherent but wrong orbit gets full credit. An invalid or
    missing source answer transports to nothing.

    >>> right_then_egocentric = np.array([[2, 2, 2, 2, 2]], dtype=np.uint8)
    >>> self_transported(right_then_egocentric).tolist()
    [[False, False, False, True]]
    """
    source = orbits[:, 0]
    turned = np.column_stack([transport(source, yaw) for yaw in CARDINAL[1:]])
    return (orbits[:, 1:] == turned) & (source != 0)[:, None]


def self_transport(orbits: NDArray[np.uint8]) -> dict[str, float]:
    """Table S6: the share of pairs that transport at each cardinal view, and at all of them (model-relative perfect C4).

    Not numbers without pairs.
    """
    transported = self_transported(orbits)
    columns = dict(zip([f"Self {yaw}" for yaw in CARDINAL[1:]], transported.T, strict=True))
    return {name: _share(part) for name, part in (columns | {"Perfect C4": transported.all(axis=1)}).items()}


def recoverable(gold_orbits: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which pairs are closed: gold at every cardinal view is the symbolic turn of gold at 0, (pairs,) (Supp. 3.5).

    Horizontal relations decide; no answer of any model does.
    """
    return self_transported(gold_orbits & np.uint8(HORIZONTAL)).all(axis=1)


def recoverable_scores(
    answers: NDArray[np.uint8], admissible: NDArray[np.uint8], rows: NDArray[np.intp]
) -> dict[str, float]:
    """Table S7 but for realizability: F1, exact match and perfect C4 over the questions `rows` (pairs, 5) of closed pairs.

    Full label sets. All five cardinal views count, 360 too. Perfect C4 is against gold here: all five answers exact.
    Not numbers without closed pairs.
    """
    right = exact(answers, admissible)[rows]
    return {
        "F1": micro_f1(answers[rows.ravel()], admissible[rows.ravel()]),
        "Exact": _share(right),
        "Perfect C4": _share(right.all(axis=1)),
    }


def answer_origins(orbits: NDArray[np.uint8], gold_orbits: NDArray[np.uint8]) -> dict[str, float]:
    """Where the answers at 90 and 270 come from, as shares of all of them; strict sets.

    `Right`; `Carried over`: wrong, but the turn of the responder's own source answer, which then is wrong too (on closed
    pairs); `Lost in the turn`: wrong though the source answer is right; `Neither`: wrong like the source answer, and
    not its turn. They sum to 1; not numbers without pairs.
    """
    quarter = [CARDINAL.index(yaw) for yaw in (90, 270)]
    right = (orbits == gold_orbits)[:, quarter]
    follows = self_transported(orbits)[:, [place - 1 for place in quarter]]
    source = (orbits[:, 0] == gold_orbits[:, 0])[:, None]
    return {
        "Right": _share(right),
        "Carried over": _share(~right & follows),
        "Lost in the turn": _share(~right & ~follows & source),
        "Neither": _share(~right & ~follows & ~source),
    }


def _share(flags: NDArray[np.bool_]) -> float:
    return float(flags.mean()) if flags.size else float("nan")
