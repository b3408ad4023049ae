"""The TripletInspector: a group of three questions, the layout under its images, and what the images prove.

>>> from vantage.inspectors.triplet import describe
>>> from vantage.triplets import load_triplets
>>> print(describe(load_triplets(), "fq2-113", "mss").splitlines()[6])  # doctest: +ELLIPSIS
Front is ...
"""

from collections.abc import Mapping, Sequence

import anywidget
import numpy as np
import pandas as pd
import traitlets
from IPython.display import HTML

from vantage import panels
from vantage.errors import InputError
from vantage.inspectors.evidence import ROLES, TRIPLET_VERDICTS, Case
from vantage.inspectors.page import FOLDER, script
from vantage.inspectors.worlds import hidden, nearby_world
from vantage.layout_proofs import IN_WORDS, as_presented, prove
from vantage.layouts import DIRECTIONS, INSUFFICIENT, Layout, middle, observe, truth
from vantage.predictions import TripletRun, check_item_level
from vantage.schemas import LETTERS
from vantage.triplets import CONDITION_TITLES, CONDITIONS, Triplets

_ARROW = 0.1  # how long the arrow of front is on a map, of the map's longer side


class TripletInspector(anywidget.AnyWidget):
    """Groups of FrameEvidence-Open to look into, with the answers of up to two runs at a time.

    `groups` are offered in this order, and the first is open at first; `runs` are offered for comparison, and there may be none.

    Raises `InputError` for a reconstructed run, since no example of an answer ever comes from a witness; for a run of other
    items; and for no group at all or one that does not exist.

    A page address that ends in `#group=fq2-113&condition=deletion&view=s01-v28` opens that group, condition and view.
    """

    _esm = script("triplet.js")
    _css = FOLDER / "triplet.css"
    content = traitlets.Dict().tag(sync=True)

    def __init__(self, triplets: Triplets, groups: Sequence[str], runs: Sequence[TripletRun] = ()):
        super().__init__(content=content_of(triplets, groups, runs))


def content_of(triplets: Triplets, groups: Sequence[str], runs: Sequence[TripletRun] = ()) -> dict:
    """All that the page needs, ready to be drawn: places on turned maps in metres, directions in degrees, and sentences.

    Each of `groups` has its map (`sheet`: objects and cameras by identifier), its three `conditions`, its `proofs` and, for FQ2,
    the two `worlds` that look the same after deletion (FrameEvidence, Sections 3 and 4.2).
    """
    _check(triplets, groups, runs)
    return {
        "roles": ROLES,
        "verdicts": TRIPLET_VERDICTS,
        "runs": [{"title": run.title, "about": f"{run.kind}: {run.about}"} for run in runs],
        "groups": [_group_content(triplets, group, runs) for group in groups],
    }


def telling_groups(triplets: Triplets) -> list[str]:
    """The first test group of each sort that a reader should have seen, by name.

    FQ1 with three different directions; and FQ2 where deletion leaves the question's image number pointing at another image, or at
    none, where it leaves the images in parts, and where it leaves a single image (FrameEvidence, Sections 3 and 5).
    """
    found: dict[str, str] = {}
    for group in triplets.groups.query("split == 'test'").index:
        rows = triplets.of_group(group)
        case = Case(triplets, int(rows[1]))
        if case.item["family"] == "FQ1":
            sorts = {"three directions": len(set(triplets.gold[rows])) == 3}
        else:
            ordinal, read = case.item["frame"]["ordinal"], as_presented(triplets, case.row)
            sorts = {
                "another image": read in DIRECTIONS[case.question.ontology] and case.supported == INSUFFICIENT,
                "no such image": ordinal is not None and ordinal > len(case.views),
                "in parts": len(case.parts) > 1,
                "one image": len(case.views) == 1,
            }
        for sort, holds in sorts.items():
            if holds and group not in found.values():
                found.setdefault(sort, group)
    return list(found.values())


def _check(triplets: Triplets, groups: Sequence[str], runs: Sequence[TripletRun]) -> None:
    if not len(groups):
        raise InputError(
            f"expected at least one group to inspect, found none; name one, such as {triplets.groups.index[0]}"
        )
    check_item_level(runs)
    for run in runs:
        if len(run.answers) != len(triplets.questions):
            raise InputError(
                f"expected {len(triplets.questions)} answers in run {run.title!r}, found {len(run.answers)}; "
                f"align it with {triplets.title}"
            )


def _group_content(triplets: Triplets, group: str, runs: Sequence[TripletRun]) -> dict:
    cases = [Case(triplets, int(row)) for row in triplets.of_group(group)]
    family, known = cases[0].item["family"], triplets.groups.loc[group]
    chart, sheet = _group_sheet(triplets, cases)
    return {
        "group": group,
        "family": family,
        "about": f"{known['setting'].replace('_', ' ')}, {known['split']}, base set of {known['base_size']} images",
        "sheet": sheet,
        "conditions": [_condition_content(case, chart, sheet, runs) for case in cases],
        "proofs": [{"holds": holds, "text": IN_WORDS[family][name]} for name, holds in prove(triplets, group).items()],
        "worlds": _worlds_content(cases[1], chart) if family == "FQ2" else None,
    }


def _condition_content(case: Case, chart: "_Chart", sheet: Mapping, runs: Sequence[TripletRun]) -> dict:
    question, item = case.question, case.item
    said, _ = truth(case.layout, question)
    elsewhere = sheet["elsewhere"] if not case.layout.views.keys() >= set(case.views) else None
    return {
        "condition": item["condition"],
        "title": CONDITION_TITLES[item["condition"]],
        "item": item["item"],
        "question": {"zh": item["question_zh"], "en": item["question_en"]},
        "options": [
            {"letter": option["letter"], "en": option["en"], "zh": option["zh"], "gold": option is case.gold}
            for option in item["options"]
        ],
        "roles": {name: case.roles(name) for name in case.names if case.roles(name)},
        "kind": question.frame.kind,
        "anchor": question.frame.anchor if question.frame.kind == "camera" else None,
        **_pointer(case, chart, _front(case.layout, case), said),
        # Whether the images show what fixes front, and what they support.
        "fixed": any(question.frame.anchor in {**part.things, **part.views} for part in case.parts),
        "supported": case.supported,
        "short": {
            "front": case.front(),
            "images": case.parts_shortly(),
            "number": case.number_shortly(),
            "gold": f"{item['gold']}, {case.gold['en']}",
        },
        "views": [{"view": view, "part": case.part_of(view), "lines": case.view_lines(view)} for view in case.views],
        "removed": [view for view in case.base if view not in case.views],
        "added": [view for view in case.views if view not in case.base],
        "box": _joined(sheet["box"], elsewhere) if elsewhere else sheet["box"],
        "elsewhere": elsewhere,
        "lines": case.lines(),
        "together": case.view_lines(None),
        "answers": [{"words": case.answer_words(run), "verdict": case.verdict(run)} for run in runs],
    }


def _front(layout: Layout, case: Case) -> float:
    """The heading of the question's front in a layout, degrees."""
    frame = case.question.frame
    anchor = (layout.views if frame.kind == "camera" else layout.things)[frame.anchor]
    return anchor.heading + 180 * frame.backward


def _pointer(case: Case, chart: "_Chart", front: float, said: str) -> dict:
    """Front on a chart, the middle of the sector of a direction, its word, and all four words."""
    ontology = case.question.ontology
    return {
        "front": chart.heading(front),
        "sector": chart.heading(front + middle(said, ontology)),
        "direction": said,
        "compass": [
            {"word": word, "heading": chart.heading(front + middle(word, ontology))} for word in DIRECTIONS[ontology]
        ],
    }


# --------------------------------------------------------------------------------------------------------------- maps


class _Chart:
    """A plane turned by `turn` degrees and shifted, so that it lies well on a page."""

    def __init__(self, turn: float, shift: tuple[float, float] = (0.0, 0.0)):
        self.turn, self.shift = turn, shift

    def at(self, x: float, y: float) -> list[float]:
        turn = np.exp(1j * np.radians(self.turn))
        place = turn * complex(x, y) + complex(*self.shift)
        return [round(place.real, 4), round(place.imag, 4)]

    def heading(self, degrees: float) -> float:
        return round(float(degrees + self.turn) % 360, 1)


def _lengthwise(layout: Layout, things: Sequence[str], views: Sequence[str]) -> float:
    """The turn, -90 to 90 degrees, by which the longer way of some objects and cameras comes to lie from left to right."""
    spots = np.array(
        [(what.x, what.y) for what in (*(layout.things[n] for n in things), *(layout.views[v] for v in views))]
    )
    x, y = np.linalg.eigh(np.cov(spots.T))[1][:, -1]
    return float(-((np.degrees(np.arctan2(y, x)) + 90) % 180 - 90))


def _sheet(case: Case, chart: _Chart, layout: Layout, things: Sequence[str], views: Sequence[str]) -> dict:
    """Objects and cameras of a layout on a chart."""
    return {
        "things": {name: _thing_content(case, chart, layout, name) for name in things},
        "cameras": {view: _camera_content(chart, layout, view) for view in views},
    }


def _thing_content(case: Case, chart: _Chart, layout: Layout, name: str) -> dict:
    # What stands in the way in another world has a name of its own there: s01-07 beside 1.
    thing, known = layout.things[name], case.names[name.partition(" ")[0]]
    return {
        "en": known["en"],
        "zh": known["zh"],
        "at": chart.at(thing.x, thing.y),
        "heading": None if thing.heading is None else chart.heading(thing.heading),
        "radius": thing.radius,
    }


def _camera_content(chart: _Chart, layout: Layout, view: str) -> dict:
    camera = layout.views[view]
    return {
        "at": chart.at(camera.x, camera.y),
        "heading": chart.heading(camera.heading),
        "field": camera.field_of_view,
        "reach": camera.reach,
        "shows": list(observe(layout, view)),
        "hidden": list(hidden(layout, view)),
    }


def _box(sheet: Mapping, relatum: str | None = None, fronts: Sequence[float] = ()) -> list[float]:
    """What a map has to take in: left, bottom, right, top; with room at the relatum for arrows in some headings."""
    spots = np.array([what["at"] for part in ("things", "cameras") for what in sheet[part].values()])
    room = _ARROW * float(np.ptp(spots, axis=0).max())
    for front in fronts:
        tip = sheet["things"][relatum]["at"] + room * np.array([np.cos(np.radians(front)), np.sin(np.radians(front))])
        spots = np.vstack([spots, tip])
    return [*map(float, spots.min(axis=0)), *map(float, spots.max(axis=0))]


def _joined(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """The box that takes in both."""
    return [*map(min, one[:2], other[:2]), *map(max, one[2:], other[2:])]


def _group_sheet(triplets: Triplets, cases: Sequence[Case]) -> tuple[_Chart, dict]:
    """The map of a group: what its views show or might show, and the objects in between. What a view of another scene shows is set
    apart on the right, in a box of its own (`elsewhere`)."""
    case = cases[-1]
    views = list(dict.fromkeys(view for one in cases for view in one.views))
    here = [view for view in views if view in case.layout.views]
    things = dict.fromkeys(name for view in here for name in _around(triplets, view))
    things |= dict.fromkeys(name for one in cases for name in case.layout.things if one.roles(name))
    chart = _Chart(_lengthwise(case.layout, list(things), here))
    sheet = _sheet(case, chart, case.layout, list(things), here)
    fronts = [chart.heading(_front(one.layout, one)) for one in cases]
    left, bottom, right, top = box = _box(sheet, case.question.relatum, fronts)
    between = [
        name
        for name, thing in case.layout.things.items()
        if name not in things and left <= (at := chart.at(thing.x, thing.y))[0] <= right and bottom <= at[1] <= top
    ]
    sheet["things"] |= _sheet(case, chart, case.layout, between, [])["things"]
    sheet |= {"box": box, "elsewhere": None}
    for view in views:
        if view not in here:
            layout, names = triplets.layout(triplets.views[view]["scene"]), _around(triplets, view)
            upward = 90 - layout.views[view].heading
            apart = _box(_sheet(case, _Chart(upward), layout, names, [view]))
            shift = right - apart[0] + (right - left) / 5, (bottom + top - apart[1] - apart[3]) / 2
            other = _sheet(case, _Chart(upward, shift), layout, names, [view])
            sheet["elsewhere"] = _box(other)
            sheet["things"] |= other["things"]
            sheet["cameras"] |= other["cameras"]
    return chart, sheet


def _around(triplets: Triplets, view: str) -> list[str]:
    """What a view shows, and what is hidden from it."""
    return [*triplets.observation(view), *hidden(triplets.layout(triplets.views[view]["scene"]), view)]


def _worlds_content(case: Case, chart: _Chart) -> dict:
    """The layout and another one, which look the same in the images of a case and answer its question differently."""
    other, front, said = nearby_world(case.layout, case.views, case.question)
    right, _ = truth(case.layout, case.question)
    things = list(dict.fromkeys(name.partition(" ")[0] for name in other.things))
    target, relatum = (case.names[name]["en"] for name in (case.question.target, case.question.relatum))
    worlds = []
    for title, layout, names, heading, answer in (
        ("The layout", case.layout, things, _front(case.layout, case), right),
        ("Another world", other, list(other.things), front, said),
    ):
        sheet = _sheet(case, chart, layout, names, case.views)
        box = _box(sheet, case.question.relatum, [chart.heading(heading)])
        worlds.append({"title": title, **sheet, "box": box, **_pointer(case, chart, heading, answer)})
    return {
        "worlds": worlds,
        "text": f"All remaining images look the same in both worlds. In the layout, the direction from the {relatum} to the "
        f"{target} is “{right}”; in the other world it is “{said}”. So the images do not tell. Choose an image above to see it in both.",
    }


# ------------------------------------------------------------------------------ the same texts as the widget, in Python


def describe(
    triplets: Triplets, group: str, condition: str, view: str | None = None, runs: Sequence[TripletRun] = ()
) -> str:
    """The lines that the widget shows for a condition of a group, with one of its views chosen or, for None, all of them.

    The lines: the question in Chinese and in English, the four options, the frame, the images and what they support; what the view
    shows; one line for the answer of each of `runs`. Raises `InputError` for a condition that the group does not have, and for a
    view that it does not show.
    """
    rows = triplets.of_group(group)
    conditions = CONDITIONS[triplets.questions["family"].iloc[rows[0]]]
    if condition not in conditions:
        raise InputError(f"expected a condition of {group} among {', '.join(conditions)}, found {condition!r}")
    case = Case(triplets, int(rows[conditions.index(condition)]))
    if view not in (None, *case.views):
        raise InputError(f"expected a view of {case.item['item']} among {', '.join(case.views)}, found {view!r}")
    return "\n".join(
        [
            case.item["question_zh"],
            case.item["question_en"],
            *case.option_lines(),
            *case.lines(),
            *case.view_lines(view),
            *(case.answer_line(run) for run in runs),
        ]
    )


def table(triplets: Triplets, group: str, runs: Sequence[TripletRun] = ()) -> HTML:
    """A group as a plain table, for readers without scripts: a row a condition, with support, gold and the answers of `runs`.

    Raises `InputError` as `TripletInspector` does.
    """
    _check(triplets, [group], runs)
    cases = [Case(triplets, int(row)) for row in triplets.of_group(group)]
    rows = []
    for case in cases:
        read = as_presented(triplets, case.row)
        rows.append(
            {
                "Condition": CONDITION_TITLES[case.item["condition"]],
                "Images": ", ".join(case.views),
                "Front": case.front(),
                "Support": case.supported,
                **({"By image number as shown": read or "no number"} if case.item["family"] == "FQ2" else {}),
                "Gold": f"{case.item['gold']}, {case.gold['en']}",
                **({"Answers": " ".join(map(case.answer_line, runs))} if runs else {}),
            }
        )
    options = "; ".join(
        f"{letter} {option['en']}" for letter, option in zip(LETTERS, cases[0].item["options"], strict=True)
    )
    return panels.table(pd.DataFrame(rows), f"Group {group}. Options: {options}.")
