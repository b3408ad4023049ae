"""The SceneInspector: one scene, its observer, a question about it and what two responders answered.

It shows the scenes of either domain. Where a domain asks about height too (CVT-Indoor), there is a side view beside the map, and
the texts say what the heights of a pair are.

>>> from vantage.inspectors.scene import describe
>>> from vantage.items import load_cvt
>>> print(describe(load_cvt("synthetic"), 0, 90).splitlines()[1])  # doctest: +ELLIPSIS
Gold: ...
"""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

import anywidget
import numpy as np
import pandas as pd
import traitlets

from vantage import templates
from vantage.drawing import ROUND, Drawn, Ellipse, Face, canonical_turn, picture_of
from vantage.errors import InputError
from vantage.figures import map_frame
from vantage.heights import OVERLAP_TO, PIXELS_FROM, SEPARATION_FROM, compare_heights, height_interval, picture_row
from vantage.inspectors.conflict import PARTS, contradiction
from vantage.inspectors.page import FOLDER, script
from vantage.inspectors.words import (
    DIRECTION_PHRASES,
    FLAW_PHRASES,
    OFFSET_PHRASES,
    PART_PHRASES,
    RELATION_PHRASES,
    VERDICTS,
    listed,
    verdict,
)
from vantage.items import CVTItems
from vantage.predictions import ANSWERED, INVALID, CVTRun, check_item_level
from vantage.relations import (
    GROUND_WORDS,
    TOP,
    TOP_WORDS,
    VERTICAL_WORDS,
    VIEWPOINTS,
    alternatives,
    asserted,
    decode,
    observed,
    relation_set,
    yaw_of,
)

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/"
"""A number below 64 as one character: a column of 5,703 relation sets is a string of 5,703 characters."""

NO_READABLE_ANSWER, NO_ANSWER = "!", "-"
"""What stands in a column of answers for an invalid and for a missing one."""


class SceneInspector(anywidget.AnyWidget):
    """A scene to turn round in the page, with its questions and the answers of two runs at a time.

    `items` are all shown; `runs` are offered for comparison, the first two to begin with (the first twice where there
    is only one). `scene` is the identifier of the scene that is open at first, and `question` the number of the
    question in it (from 1). A page address that ends in `#scene=synthetic-001&question=7` opens that question instead; it may go
    on with the observer's place, the two sets and the questions to show: `&angle=90&a=<set>&b=<set>&show=differ`.

    Raises `InputError` for a reconstructed run, since no example of an answer ever comes from a witness; for a run of
    other items; for no run at all; and for a scene or question that does not exist.
    """

    _esm = script("scene.js")
    _css = FOLDER / "scene.css"
    content = traitlets.Dict().tag(sync=True)

    def __init__(self, items: CVTItems, runs: Sequence[CVTRun], scene: str | None = None, question: int | None = None):
        super().__init__(content=content_of(items, runs, scene, question))


def content_of(items: CVTItems, runs: Sequence[CVTRun], scene: str | None = None, question: int | None = None) -> dict:
    """All that the page needs, as numbers and short words; it builds the text of the questions from the templates."""
    _check_runs(items, runs)
    start = _start(items, scene, question)
    heights = asks_heights(items)
    return {
        "heights": heights,
        "viewpoints": list(VIEWPOINTS),
        "words": {"ground": [*GROUND_WORDS, *VERTICAL_WORDS], "top": [*TOP_WORDS, *VERTICAL_WORDS]},
        "phrases": {
            "relation": RELATION_PHRASES,
            "offset": OFFSET_PHRASES,
            "verdict": VERDICTS,
            "direction": DIRECTION_PHRASES,
            "part": PART_PHRASES,
            "flaw": FLAW_PHRASES,
        },
        "gate": {"overlap": OVERLAP_TO, "pixels": PIXELS_FROM, "separation": SEPARATION_FROM},
        "templates": {"0": templates.SOURCE_VIEW, "orbit": templates.COUNTERFACTUAL_ORBIT, TOP: templates.TOP_VIEW},
        "digits": DIGITS,
        "scenes": [_scene_content(one, heights) for one in items.scenes],
        "questions": _question_content(items),
        "runs": [_run_content(items, run, runs) for run in runs],
        "start": start,
    }


def _check_runs(items: CVTItems, runs: Sequence[CVTRun]) -> None:
    if not runs:
        raise InputError("expected at least one run to inspect, found none; name a reference or measured set")
    check_item_level(runs)
    for run in runs:
        if len(run.answers) != len(items.questions):
            raise InputError(
                f"expected {len(items.questions)} answers in run {run.title!r}, found {len(run.answers)}; "
                f"align it with {items.title}"
            )


def _start(items: CVTItems, scene: str | None, question: int | None) -> int:
    """The row of the question that is open at first."""
    wanted = items.scene(scene)["scene"] if scene is not None else items.scenes[0]["scene"]
    rows = np.flatnonzero(items.questions["scene"] == wanted)
    number = 1 if question is None else question
    found = rows[items.questions["number"].to_numpy()[rows] == number]
    if not found.size:
        raise InputError(f"expected a question of {wanted} between 1 and {len(rows)}, found {number}")
    return int(found[0])


def asks_heights(items: CVTItems) -> bool:
    """Whether some question of these items offers above and below."""
    return bool((items.questions["kind"] == "vertical").any())


def _scene_content(scene: Mapping, heights: bool) -> dict:
    picture = picture_of(scene)
    (x, y), reach = map_frame(scene)
    things = {thing["description"]: thing for thing in scene["objects"]}
    return {
        "scene": scene["scene"],
        "density": scene["density"],
        "size": [picture.width, picture.height],
        "grid": _tenths(picture.grid),
        "horizon": picture.horizon,
        "map": [x, y, reach],
        "margins": [scene["lateral_margin"], scene["depth_margin"]],
        "bands": [scene["lateral_band"], scene["depth_band"]],
        "objects": [_object_content(scene, things[one.description], one, heights) for one in picture.objects],
    }


def _object_content(scene: Mapping, thing: Mapping, one: Drawn, heights: bool) -> dict:
    content = {
        "tag": one.tag,
        "name": one.description,
        "color": one.color,
        "gloss": f"{one.category if one.category in ROUND else 'box'}-{'metal' if one.metal else 'rubber'}",
        "faces": [_face_content(face) for face in one.faces],
        "shadow": _face_content(one.shadow) if one.shadow else None,
        "plane": list(thing["plane"]),
        "half": list(thing["half_extents"][:2]),
        "turn": round(thing["rotation"] - canonical_turn(scene), 1),
    }
    if heights:
        content["height"] = [thing["position"][2], thing["half_extents"][2]]
        content["row"] = picture_row(thing)
    if one.label is not None:
        content["label"] = _tenths([one.label.at, *([one.label.pointer] if one.label.pointer else [])])
    return content


def _face_content(face: Face) -> dict:
    if isinstance(face, Ellipse):
        return {"ellipse": f"{_tenths([*face.centre, *face.radii])} {round(10 * face.angle)}", "shade": face.shade}
    return {"polygon": _tenths(face.points), "shade": face.shade}


def _tenths(values) -> str:
    """Pixels as whole tenths in one line of text: a notebook would give every number of a list a line of its own."""
    return " ".join(str(int(value)) for value in np.rint(10 * np.asarray(values, dtype=float)).ravel())


def _question_content(items: CVTItems) -> dict:
    """The questions by column, one character a question; `first` has the first row of each scene."""
    questions = items.questions
    wordings = sorted(
        {_wording(row) for row in zip(questions.orbit_direction, questions.orbit_angle, strict=True)}, key=str
    )
    differs = np.argwhere(items.admissible != items.gold[:, None])
    more: dict[str, str] = {}
    for row, place in differs:
        sets = more.get(str(row), "")
        digit = DIGITS[items.admissible[row, place]]
        more[str(row)] = sets if digit in sets else sets + digit
    return {
        "first": [int((questions["scene"] == scene["scene"]).to_numpy().argmax()) for scene in items.scenes],
        "count": len(questions),
        "viewpoint": _column([VIEWPOINTS.index(viewpoint) for viewpoint in questions["viewpoint"]]),
        "wordings": [list(wording) for wording in wordings],
        "wording": _column(
            [
                wordings.index(_wording(row))
                for row in zip(questions.orbit_direction, questions.orbit_angle, strict=True)
            ]
        ),
        "target": _column(questions["target"]),
        "anchor": _column(questions["anchor"]),
        "gold": _column(items.gold),
        "alternatives": more,
        "vertical": _column([int(kind == "vertical") for kind in questions["kind"]]),
    }


def _wording(row: tuple) -> tuple:
    """Direction and angle of an orbit's wording as (word, number), or nothing twice."""
    direction, angle = row
    return (None, None) if pd.isna(direction) else (direction, int(angle))


def _column(values) -> str:
    return "".join(DIGITS[value] for value in values)


def _run_content(items: CVTItems, run: CVTRun, runs: Sequence[CVTRun]) -> dict:
    """A run's answers and contradictions; `id` names it in an address, by its set where that is enough."""
    alone = sum(other.set == run.set for other in runs) == 1
    return {
        "id": run.set if alone else f"{run.set}/{run.run}",
        "title": run.title,
        "about": f"{run.kind}: {run.about}",
        "answers": _answer_column(run),
        "conflicts": [_conflict_content(items, run, scene["scene"]) for scene in items.scenes],
    }


def _conflict_content(items: CVTItems, run: CVTRun, scene: str) -> str:
    """A contradiction in one line of text, empty where there is none: question of the scene from 0, label and times."""
    first = int((items.questions["scene"] == scene).to_numpy().argmax())
    labels = [label for part in PARTS for label in contradiction(items, run, scene, part)]
    return " ".join(f"{row - first}:{label}:{times}" for row, label, times in labels)


def _answer_column(run: CVTRun) -> str:
    return "".join(
        DIGITS[answer] if status == ANSWERED else NO_READABLE_ANSWER if status == INVALID else NO_ANSWER
        for answer, status in zip(run.answers.tolist(), run.status.tolist(), strict=True)
    )


# ------------------------------------------------------------------------------ the same texts as the widget, in Python


def describe(items: CVTItems, item: int | str, angle: int | str, runs: Sequence[CVTRun] = ()) -> str:
    """The lines that the widget shows for a question, while its observer is at `angle`.

    `item` is a row of `items.questions` or an item's identifier, `angle` a number of degrees from 0 to 360 or "Top".
    The lines: the question, gold, the admissible alternatives, what the relation is for this observer, how the heights
    compare where the items ask about them, and one line for the answer of each of `runs`.
    """
    row = item if isinstance(item, int) else _row_of(items, item)
    question = items.questions.iloc[row]
    scene = items.scene(question["scene"])
    pair = int(question["target"]), int(question["anchor"])
    return "\n".join(
        [
            question["text"],
            f"Gold: {_said(items.gold[row], question['viewpoint'])}.",
            f"Also admissible: {_alternatives_said(items, row)}.",
            reading(scene, *pair, angle),
            *([heights_reading(scene, *pair)] if asks_heights(items) else []),
            *(answer_line(items, run, row) for run in runs),
        ]
    )


def _row_of(items: CVTItems, item: str) -> int:
    places = np.flatnonzero(items.questions["item"] == item)
    if not places.size:
        raise InputError(f"expected an item of {items.title}, such as {items.questions['item'][0]}, found {item!r}")
    return int(places[0])


def _said(mask: int, viewpoint: str) -> str:
    return ", ".join(decode(int(mask), viewpoint))


def _alternatives_said(items: CVTItems, row: int) -> str:
    viewpoint = items.questions["viewpoint"].iloc[row]
    others = [mask for mask in dict.fromkeys(items.admissible[row].tolist()) if mask != items.gold[row]]
    return "; or ".join(_said(mask, viewpoint) for mask in others) or "nothing else"


def answer_line(items: CVTItems, run: CVTRun, row: int) -> str:
    """A run's answer and what became of it, in one line."""
    words = (
        _said(run.answers[row], items.questions["viewpoint"].iloc[row]) if run.status[row] == ANSWERED else "no answer"
    )
    return f"{run.title}: {words}. {VERDICTS[verdict(items, run, row)]}."


def reading(scene: Mapping, target: int, anchor: int, angle: int | str) -> str:
    """What relation `target` has to `anchor` for an observer at `angle` (degrees, or "Top"), and how clear it is."""
    displacement = np.subtract(_thing(scene, target)["plane"], _thing(scene, anchor)["plane"])
    margins = scene["lateral_margin"], scene["depth_margin"]
    bands = scene["lateral_band"], scene["depth_band"]
    top = angle == TOP
    words = TOP_WORDS if top else GROUND_WORDS
    components = observed(displacement, yaw_of(TOP) if top else int(angle)).tolist()
    relations = [RELATION_PHRASES[word] for word in decode(int(asserted(components, margins)), TOP if top else "0")]
    x, y = components
    offsets = [
        f"{_two_decimals(abs(x))} {OFFSET_PHRASES[words[1] if x >= 0 else words[0]]}",
        f"{_two_decimals(abs(y))} {OFFSET_PHRASES[words[3] if y >= 0 else words[2]]}",
    ]
    sentences = [
        f"{'Seen from above' if top else f'For the observer at {angle}°'}, {_named(scene, target)} is "
        f"{' and '.join(relations)} {_named(scene, anchor)}.",
        f"It lies {' and '.join(offsets)}, in world units; a label needs more than {_limits(margins, top)}.",
    ]
    if not relation_set(components, margins):
        sentences.append(
            "Neither is enough, and a label is never empty: the one nearer to its limit in proportion is asserted."
        )
    others = [f"“{_said(mask, TOP if top else '0')}”" for mask in alternatives(components, margins, bands)]
    if others:
        sentences.append(
            f"One component is within {_limits(bands, top)} of that limit, so {' or '.join(others)} would be admissible too."
        )
    return " ".join(sentences)


def heights_reading(scene: Mapping, target: int, anchor: int) -> str:
    """How the heights of `target` and `anchor` compare, for every observer, and whether a question may offer above and below."""
    found = compare_heights(scene, target, anchor)
    higher, in_picture = ("higher" if rise >= 0 else "lower" for rise in (found.rise, found.pixels))
    intervals = [" to ".join(map(_two_decimals, height_interval(_thing(scene, tag)))) for tag in (target, anchor)]
    side = "not clearly above or below" if found.flaws else "above" if found.rise > 0 else "below"
    sentences = [
        f"For every observer, {_named(scene, target)} is {side} {_named(scene, anchor)}.",
        f"It reaches in height from {intervals[0]}, the other from {intervals[1]}; they have {_two_decimals(found.shared)} in "
        f"common, {_percent(found.overlap)} of the smaller interval, where at most {_percent(OVERLAP_TO)} are allowed.",
        f"Its centre is {_two_decimals(abs(found.rise))} {higher}, {_percent(found.separation)} of the scene's height (at least "
        f"{_percent(SEPARATION_FROM)}), and {abs(found.pixels):g} pixels {in_picture} in the picture (at least {PIXELS_FROM}).",
    ]
    if found.flaws:
        reasons = [FLAW_PHRASES[name] for name in found.flaws]
        sentences.append(f"No question about the two offers above and below, because {listed(reasons)}.")
    else:
        sentences.append(
            "Wherever the observer goes, that stays; left, right, front and behind are what changes with the viewpoint."
        )
    return " ".join(sentences)


def _percent(share: float) -> str:
    """A share in whole percent, halves up as in JavaScript."""
    return f"{int(100 * share + 0.5)} %"


def _thing(scene: Mapping, tag: int) -> dict:
    return next(thing for thing in scene["objects"] if thing["tag"] == tag)


def _named(scene: Mapping, tag: int) -> str:
    return f"the {_thing(scene, tag)['description']} (Tag {tag})"


def _limits(sizes: tuple[float, float], top: bool) -> str:
    """A number a component, to a side and in depth; one number where they are the same."""
    lateral, depth = (f"{float(_two_decimals(size)):g}" for size in sizes)
    if sizes[0] == sizes[1]:
        return lateral
    return f"{lateral} to a side and {depth} {'to north or south' if top else 'in depth'}"


def _two_decimals(value: float) -> str:
    """A number as JavaScript's toFixed(2) writes it: halves go up, where Python's formatting goes to even."""
    return str(Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP))
