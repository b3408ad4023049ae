"""One group of FrameEvidence-Open, read closely: its questions, its frames, its evidence, its proofs."""

import pandas as pd

from vantage.errors import InputError
from vantage.layout_proofs import IN_WORDS, as_presented, prove
from vantage.layouts import bearing, register, supported, truth
from vantage.schemas import LETTERS
from vantage.triplets import CONDITION_TITLES, MEANINGS, Triplets


def question_table(triplets: Triplets, group: str) -> pd.DataFrame:
    """The three questions of a group in both languages, with gold; one row a condition."""
    rows = triplets.of_group(group)
    asked = triplets.questions.iloc[rows]
    return pd.DataFrame(
        {
            "Condition": asked["condition"].map(CONDITION_TITLES).to_list(),
            "Question": asked["question_zh"].to_list(),
            "In English": asked["question_en"].to_list(),
            "Images": asked["views"].map(len).to_list(),
            "Gold": [f"{LETTERS[triplets.gold[row]]}: {_gold(triplets, row)}" for row in rows],
        }
    )


def frames_table(triplets: Triplets, group: str) -> pd.DataFrame:
    """What each frame of an FQ1 group calls front, the bearing of the target in it (degrees to the left of front), its
    distance from the border to another direction, and the answer. Raises `InputError` for an FQ2 group."""
    rows = triplets.of_group(group)
    if triplets.questions["family"].iloc[rows[0]] != "FQ1":
        raise InputError(f"expected a group of FQ1, such as fq1-001, found {group!r}; name another")
    lines = []
    for row in rows:
        question, item = triplets.question(row), triplets.questions.iloc[row]
        layout = triplets.layout(item["scene_cluster"])
        anchor = (layout.views if question.frame.kind == "camera" else layout.things)[question.frame.anchor]
        ends = [(layout.things[name].x, layout.things[name].y) for name in (question.target, question.relatum)]
        said, margin = truth(layout, question)
        lines.append(
            {
                "Frame": CONDITION_TITLES[item["condition"]],
                "Front is": _front(triplets, row),
                "Bearing": bearing(*ends, anchor.heading + 180 * question.frame.backward),
                "Clearance": margin,
                "Answer": said,
            }
        )
    return pd.DataFrame(lines)


def evidence_table(triplets: Triplets, group: str) -> pd.DataFrame:
    """What the views of each condition show together: which are registered with which, what they support as bound in the base set
    and as presented now. Views are named by their number in the base set."""
    rows = triplets.of_group(group)
    base = triplets.questions["views"].iloc[rows[0]]
    lines = []
    for row in rows:
        views = triplets.questions["views"].iloc[row]
        names = {view: str(base.index(view) + 1) if view in base else "added" for view in views}
        parts = [" ".join(sorted(names[view] for view in part.views)) for part in register(triplets.observed(views))]
        lines.append(
            {
                "Condition": CONDITION_TITLES[triplets.questions["condition"].iloc[row]],
                "Images": " ".join(names[view] for view in views),
                "Registered": " | ".join(parts),
                "Supports": supported(triplets.observed(views), triplets.question(row)),
                "As presented now": as_presented(triplets, row) or "no image number",
                "Gold": _gold(triplets, row),
            }
        )
    return pd.DataFrame(lines)


def proof_table(triplets: Triplets, group: str) -> pd.DataFrame:
    """What the checker proves of a group; one row a theorem."""
    words = IN_WORDS[triplets.groups.loc[group, "family"]]
    proved = prove(triplets, group)
    return pd.DataFrame(
        {"What is proved": [words[name] for name in proved], "Holds": ["yes" if it else "no" for it in proved.values()]}
    )


def _gold(triplets: Triplets, row: int) -> str:
    return MEANINGS[triplets.meanings[row, triplets.gold[row]]]


def _front(triplets: Triplets, row: int) -> str:
    """What a question calls front, in words."""
    item = triplets.questions.iloc[row]
    frame = item["frame"]
    if frame["kind"] == "camera":
        words = f"the camera of image {item['views'].index(frame['anchor']) + 1}"
    else:
        things = {thing["object"]: thing["en"] for thing in triplets.scenes[item["scene_cluster"]]["objects"]}
        words = f"the {things[frame['anchor']]}"
    return f"{'opposite to ' if frame['backward'] else ''}{words}"
