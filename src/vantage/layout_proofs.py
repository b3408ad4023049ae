"""The checker of FrameEvidence-Open: every gold answer, sufficiency, minimality, insufficiency and preservation, proved by layout.

In FrameEvidence these are annotations (Sections 3 and 4.2); here each is a theorem about a scene and its views:

- *gold*: the direction in the world, at least `CLEARANCE` degrees from the border to another one, has the gold letter;
- *sufficient*: the views alone, laid over one another, give that direction;
- *minimal*: no proper subset of a minimal sufficient set (MSS) supports any answer;
- *insufficient*: after deletion there are two worlds whose pictures are the same and whose answers differ: they are built and looked at;
- *preserved*: with the added view, the views still give the gold direction.
"""

from itertools import combinations

import pandas as pd

from vantage.errors import InputError
from vantage.layouts import INSUFFICIENT, Frame, Question, possible_answers, supported, truth
from vantage.schemas import LETTERS
from vantage.triplets import MEANINGS, Triplets

CLEARANCE = 10.0
"""Least distance of a gold bearing from the border between two directions, degrees of at most 45."""

IN_WORDS = {
    "FQ1": {
        "gold": f"In each frame, the direction in the layout is the gold option’s, at least {CLEARANCE:.0f}° from the "
        "border to another direction.",
        "sufficient": "In each frame, the images together give that direction.",
        "combined": "No single image is enough, in any of the frames.",
        "matched": "The questions differ in their frame only: images, objects and options are the same. "
        "Not all three gold letters are equal.",
    },
    "FQ2": {
        "gold": f"The direction in the layout is the gold option’s, at least {CLEARANCE:.0f}° from the border to another "
        "direction. After deletion, gold is the option “insufficient information”.",
        "sufficient": "The images of the minimal sufficient set (MSS) together give that direction.",
        "minimal": "No smaller choice of these images supports any answer.",
        "insufficient": "After deletion, there are worlds in which all remaining images look the same and the answers differ.",
        "preserved": "With the added image, the answer is still supported, and it is still the same.",
    },
}
"""What `prove` shows of a group, by family and name, as a reader is told it."""


def prove(triplets: Triplets, group: str) -> dict[str, bool]:
    """What has to hold for a group, by name, and whether it does.

    >>> from vantage.triplets import load_triplets
    >>> prove(load_triplets(), "fq2-113")
    {'gold': True, 'sufficient': True, 'minimal': True, 'insufficient': True, 'preserved': True}
    """
    rows = triplets.of_group(group)
    family = triplets.questions["family"].iloc[rows[0]]
    return _frames(triplets, rows) if family == "FQ1" else _evidence(triplets, rows)


def report(triplets: Triplets) -> pd.DataFrame:
    """One row a group: family, split, each thing to prove (empty where it does not arise), and `holds`, all of them together."""
    rows = []
    for group, known in triplets.groups.iterrows():
        proved = prove(triplets, group)
        rows.append(
            {
                "group": group,
                "family": known["family"],
                "split": known["split"],
                **proved,
                "holds": all(proved.values()),
            }
        )
    return pd.DataFrame(rows)


def check(triplets: Triplets) -> None:
    """Raises `InputError` for the first group that is not what it must be, naming what fails."""
    for group in triplets.groups.index:
        if failed := [name for name, holds in prove(triplets, group).items() if not holds]:
            raise InputError(
                f"{triplets.title}, group {group}: expected a layout that proves {', '.join(failed)}, found one that does not; "
                "correct the layout, or run make data"
            )


def as_presented(triplets: Triplets, row: int) -> str | None:
    """What the views of an item support if its image number is read in the order in which they are now presented.

    Deletion can leave the number pointing at another image, or at none (Section 5). None: the question has no image
    number. "out of range": there is no image of that number.
    """
    item = triplets.questions.iloc[row]
    ordinal = item["frame"]["ordinal"]
    if ordinal is None:
        return None
    if ordinal > len(item["views"]):
        return "out of range"
    bound = triplets.question(row)
    frame = Frame("camera", item["views"][ordinal - 1], bound.frame.backward)
    question = Question(bound.target, bound.relatum, frame, bound.ontology)
    return supported(triplets.observed(item["views"]), question)


def _gold(triplets: Triplets, row: int) -> str:
    return MEANINGS[triplets.meanings[row, triplets.gold[row]]]


def _is_true(triplets: Triplets, row: int) -> bool:
    """Whether the gold letter names the direction in the world, clear of the borders."""
    scene = triplets.questions["scene_cluster"].iloc[row]
    said, margin = truth(triplets.layout(scene), triplets.question(row))
    return said == _gold(triplets, row) and margin >= CLEARANCE


def _supports(triplets: Triplets, row: int, views: tuple[str, ...] | None = None) -> str:
    shown = triplets.questions["views"].iloc[row] if views is None else views
    return supported(triplets.observed(shown), triplets.question(row))


def _frames(triplets: Triplets, rows) -> dict[str, bool]:
    """FQ1: the same images, options and objects under three frames, at least two gold directions, evidence of several views."""
    items = [triplets.questions.iloc[row] for row in rows]
    return {
        "gold": all(_is_true(triplets, row) for row in rows),
        "sufficient": all(_supports(triplets, row) == _gold(triplets, row) for row in rows),
        "combined": all(
            _supports(triplets, row, (view,)) == INSUFFICIENT for row in rows for view in items[0]["views"]
        ),
        "matched": (
            all(item[part] == items[0][part] for item in items for part in ("views", "options", "target", "relatum"))
            and [item["frame"]["kind"] for item in items] == ["camera", "object", "scene"]
            and len({item["gold"] for item in items}) > 1
        ),
    }


def _evidence(triplets: Triplets, rows) -> dict[str, bool]:
    """FQ2: a minimal sufficient set, a deletion that destroys the answer and an addition that keeps it."""
    mss, deletion, addition = rows
    base, fewer, more = (list(triplets.questions["views"].iloc[row]) for row in rows)
    scene = triplets.layout(triplets.questions["scene_cluster"].iloc[mss])
    subsets = [some for size in range(1, len(base)) for some in combinations(base, size)]
    one_less = len(fewer) == len(base) - 1 and [view for view in base if view in fewer] == fewer
    one_more = len(more) == len(base) + 1 and [view for view in more if view in base] == base
    return {
        "gold": _is_true(triplets, mss) and _gold(triplets, deletion) == INSUFFICIENT,
        "sufficient": _supports(triplets, mss) == _gold(triplets, mss),
        "minimal": all(_supports(triplets, mss, some) == INSUFFICIENT for some in subsets),
        "insufficient": one_less and len(possible_answers(scene, fewer, triplets.question(deletion))) > 1,
        "preserved": (
            one_more
            and _supports(triplets, addition) == _gold(triplets, addition)
            and triplets.gold[addition] == triplets.gold[mss]
            and as_presented(triplets, addition) in (None, _gold(triplets, mss))
        ),
    }


def inputs(triplets: Triplets) -> pd.Series:
    """What a model is given in each item: question, ordered images and options, as one text (Appendix A-C)."""
    asked = triplets.questions
    return pd.Series(
        [
            " | ".join(
                [
                    question,
                    *views,
                    *(f"{letter} {option['zh']}" for letter, option in zip(LETTERS, options, strict=True)),
                ]
            )
            for question, views, options in zip(asked["question_zh"], asked["views"], asked["options"], strict=True)
        ],
        index=asked["item"],
    )
