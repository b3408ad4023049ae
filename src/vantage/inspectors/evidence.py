"""What the views of an item show and support, in sentences: what the TripletInspector says, and its Python twin.

>>> from vantage.inspectors.evidence import Case
>>> from vantage.triplets import load_triplets
>>> triplets = load_triplets()
>>> Case(triplets, int(triplets.of_group("fq2-113")[0])).lines()[-1]  # doctest: +ELLIPSIS
'Gold: ...'
"""

from functools import cached_property

import numpy as np

from vantage.inspectors.words import VERDICTS, listed
from vantage.inspectors.worlds import hidden
from vantage.layout_proofs import as_presented
from vantage.layouts import INSUFFICIENT, Component, Layout, Question, Sighting, register, supported, truth
from vantage.predictions import ANSWERED, INVALID, NOT_ASKED, TripletRun
from vantage.schemas import LETTERS
from vantage.triplets import Triplets

ROLES = {
    "target": "target",
    "relatum": "relatum",
    "anchor": "fixes front",
    "third": "third object",
}
"""What an object is in a question, in the order in which it is said."""

TRIPLET_VERDICTS = {name: said for name, said in VERDICTS.items() if name != "alternative"} | {
    "not asked": "Not asked: the run leaves this question out"
}
"""What became of an answer to an item of FrameEvidence-Open."""


_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_FACING = (
    "away from the camera",
    "away and to the left",
    "to the left",
    "towards the camera and to the left",
    "towards the camera",
    "towards the camera and to the right",
    "to the right",
    "away and to the right",
)


def part_name(place: int) -> str:
    """What the component at a place is called: A, B, ..."""
    return "ABCDE"[place]


class Case:
    """An item with its layout, what its views show, and how they hang together."""

    def __init__(self, triplets: Triplets, row: int):
        self.triplets, self.row = triplets, row
        self.item = triplets.questions.iloc[row]
        self.question: Question = triplets.question(row)
        self.views: list[str] = list(self.item["views"])
        self.base: list[str] = list(triplets.questions["views"].iloc[triplets.of_group(self.item["group"])[0]])
        self.layout: Layout = triplets.layout(self.item["scene_cluster"])

    @cached_property
    def parts(self) -> list[Component]:
        """The components of the views."""
        return register(self.triplets.observed(self.views))

    @cached_property
    def names(self) -> dict[str, dict]:
        """The objects of all scenes that the views show, by identifier."""
        scenes = [self.item["scene_cluster"], *(self.triplets.views[view]["scene"] for view in self.views)]
        return {thing["object"]: thing for scene in scenes for thing in self.triplets.scenes[scene]["objects"]}

    @cached_property
    def supported(self) -> str:
        """What the views support: a direction, or `INSUFFICIENT`."""
        return supported(self.triplets.observed(self.views), self.question)

    @property
    def gold(self) -> dict:
        """The gold option."""
        return self.item["options"][LETTERS.index(self.item["gold"])]

    def part_of(self, view: str) -> int:
        """The place of a view's component in `parts`."""
        return next(place for place, part in enumerate(self.parts) if view in part.views)

    def roles(self, name: str) -> list[str]:
        """What an object is in the question: keys of `ROLES`."""
        held = {
            "target": self.question.target,
            "relatum": self.question.relatum,
            "anchor": self.question.frame.anchor,
            "third": self.item["third"],
        }
        return [role for role in ROLES if held[role] == name]

    def lines(self) -> list[str]:
        """What the inspector says about the condition, whichever view is chosen."""
        return [
            self._frame_line(),
            self._truth_line(),
            self._images_line(),
            *self._change_lines(),
            self._parts_line(),
            self._support_line(),
            self._number_line(),
            f"Gold: {self.gold['letter']}, {self.gold['en']}.",
        ]

    def view_lines(self, view: str | None) -> list[str]:
        """What one view shows and hides; without one, which images show the objects of the question."""
        return self._whereabouts() if view is None else self._sights(view)

    def option_lines(self) -> list[str]:
        """The four options, gold marked."""
        return [
            f"{option['letter']}: {option['en']} {option['zh']}{' (gold)' if option is self.gold else ''}"
            for option in self.item["options"]
        ]

    def answer_line(self, run: TripletRun) -> str:
        """A run's answer and what became of it."""
        return f"{run.title}: {self.answer_words(run)}. {TRIPLET_VERDICTS[self.verdict(run)]}."

    def answer_words(self, run: TripletRun) -> str:
        """The letter that a run gave and what it means; where its options were rotated, also the letter as it was given."""
        if run.status[self.row] != ANSWERED:
            return "no answer"
        letter = int(run.answers[self.row])
        given = f" (given as {LETTERS[run.letters[self.row]]}, rotation {run.rotation})" if run.rotation else ""
        return f"{LETTERS[letter]}, {self.item['options'][letter]['en']}{given}"

    def verdict(self, run: TripletRun) -> str:
        """What became of a run's answer: a key of `TRIPLET_VERDICTS`."""
        if run.status[self.row] == ANSWERED:
            return "correct" if run.answers[self.row] == self.triplets.gold[self.row] else "wrong"
        return {INVALID: "invalid", NOT_ASKED: "not asked"}.get(int(run.status[self.row]), "missing")

    def front(self) -> str:
        """What fixes front, shortly."""
        frame = self.question.frame
        if frame.anchor in self.views:
            whose = f"camera of image {self.views.index(frame.anchor) + 1}"
        else:
            whose = f"camera of view {frame.anchor}" if frame.kind == "camera" else self._name(frame.anchor)
        return f"{whose}{', reversed' if frame.backward else ''}"

    def parts_shortly(self) -> str:
        """How the images hang together, shortly."""
        if len(self.views) == 1:
            return "one image"
        if len(self.parts) == 1:
            return f"{len(self.views)} images, one part"
        return f"{len(self.views)} images in {len(self.parts)} parts"

    def number_shortly(self) -> str | None:
        """What the question's image number is here, shortly; nothing where it has none or the images are always the same."""
        ordinal = self.item["frame"]["ordinal"]
        if ordinal is None or self.item["family"] == "FQ1":
            return None
        if ordinal > len(self.views):
            return f"no {_ORDINALS[ordinal - 1]} image"
        view = self.views[ordinal - 1]
        read = "" if view == self.question.frame.anchor else f", read so: {as_presented(self.triplets, self.row)}"
        return f"{_ORDINALS[ordinal - 1]} image: {view}{read}"

    # ------------------------------------------------------------------------------------------------------ sentences

    def _name(self, name: str) -> str:
        return self.names[name]["en"]

    def _named(self, name: str) -> str:
        """An object and what it is in the question."""
        roles = ", ".join(ROLES[role] for role in self.roles(name))
        return f"{self._name(name)} ({roles})" if roles else self._name(name)

    def _camera(self, view: str) -> str:
        """A view's camera, by the number of the image."""
        if view in self.views:
            return f"the camera of image {self.views.index(view) + 1} (view {view})"
        return f"the camera of view {view} (image {self.base.index(view) + 1} of the MSS)"

    def _frame_line(self) -> str:
        frame = self.question.frame
        whose = self._camera(frame.anchor) if frame.kind == "camera" else f"the {self._name(frame.anchor)}"
        return f"Front is {'opposite to ' if frame.backward else ''}the way {whose} faces."

    def _truth_line(self) -> str:
        said, margin = truth(self.layout, self.question)
        target, relatum = (self._name(name) for name in (self.question.target, self.question.relatum))
        return (
            f"In the layout and in this frame, the direction from the {relatum} to the {target} is “{said}”, "
            f"{margin:.0f}° from the nearest border between two directions."
        )

    def _images_line(self) -> str:
        return f"Shown: {listed([f'view {view} as image {number}' for number, view in enumerate(self.views, 1)])}."

    def _change_lines(self) -> list[str]:
        gone = [
            f"View {v}, image {self.base.index(v) + 1} of the MSS, is taken away."
            for v in self.base
            if v not in self.views
        ]
        new = [f"View {v} is added as image {self.views.index(v) + 1}." for v in self.views if v not in self.base]
        return gone + new

    def _parts_line(self) -> str:
        if len(self.views) == 1:
            return "A single image is one part."
        if len(self.parts) == 1:
            return "All images hang together: they share objects, and form one part."
        parts = [f"part {part_name(place)} is {self._images_of(part)}" for place, part in enumerate(self.parts)]
        return f"The images fall apart: {listed(parts)}. Nothing in them fixes how these parts lie to one another."

    def _images_of(self, part: Component) -> str:
        numbers = [str(number) for number, view in enumerate(self.views, 1) if view in part.views]
        return f"image{'s' if len(numbers) > 1 else ''} {listed(numbers)}"

    def _support_line(self) -> str:
        if self.supported != INSUFFICIENT:
            return f"Support: “{self.supported}”. One part shows target and relatum, and fixes front."
        return f"Support: insufficient. {self._lacking()}."

    def _lacking(self) -> str:
        """What keeps the views from supporting an answer."""
        frame = self.question.frame
        needed = dict.fromkeys((self.question.target, self.question.relatum, frame.anchor))
        where = {
            name: next((p for p, part in enumerate(self.parts) if name in part.things or name in part.views), None)
            for name in needed
        }
        if lost := [name for name, place in where.items() if place is None]:
            return ". ".join(
                f"View {name}, whose camera fixes front, is not among the images"
                if name in self.triplets.views
                else f"No image shows the {self._named(name)}"
                for name in lost
            )
        places = [
            f"{f'view {name}, whose camera fixes front,' if name in self.triplets.views else f'the {self._named(name)}'} "
            f"is in part {part_name(place)}"
            for name, place in where.items()
        ]
        return f"No part holds all that is needed: {listed(places)}"

    def _number_line(self) -> str:
        ordinal = self.item["frame"]["ordinal"]
        if ordinal is None:
            return "The question names no image by its number."
        word, meant = _ORDINALS[ordinal - 1], self.question.frame.anchor
        said = f"“The {word} image” in the question is view {meant}"
        if self.views == self.base:
            return f"{said}."
        said = f"{said}, as numbered in the MSS."
        if ordinal > len(self.views):
            return f"{said} Here there is no {word} image."
        if self.views[ordinal - 1] == meant:
            return f"{said} It is the {word} image here too."
        read = as_presented(self.triplets, self.row)
        found = "no answer" if read == INSUFFICIENT else f"“{read}”"
        return f"{said} Here the {word} image is view {self.views[ordinal - 1]}; read so, the images support {found}."

    def _whereabouts(self) -> list[str]:
        """Which images show the objects of the question."""
        frame = self.question.frame
        named = dict.fromkeys((self.question.target, self.question.relatum, frame.anchor, self.item["third"]))
        lines = []
        for name in named:
            if name in self.names:
                seen = [str(n) for n, view in enumerate(self.views, 1) if name in self.triplets.observation(view)]
                where = f"in image{'s' if len(seen) > 1 else ''} {listed(seen)}" if seen else "in no image"
                lines.append(f"{self._named(name)}: {where}.")
        return lines

    def _sights(self, view: str) -> list[str]:
        shown = self.triplets.observation(view)
        camera = self.triplets.views[view]
        part = f" in part {part_name(self.part_of(view))}" if len(self.parts) > 1 else ""
        lines = [
            f"Image {self.views.index(view) + 1}, view {view}{part}, shows {len(shown)} objects in a field of "
            f"{camera['field_of_view']:.0f}°, up to {camera['reach']:.2f} m away, from left to right:"
        ]
        by_place = sorted(shown.items(), key=lambda seen: -np.arctan2(seen[1].left, seen[1].forward))
        lines += [f"{self._named(name)}: {_placed(sighting)}." for name, sighting in by_place]
        for name, hiding in hidden(self.triplets.layout(camera["scene"]), view).items():
            lines.append(f"Hidden: {self._named(name)}, behind the {listed([self._name(other) for other in hiding])}.")
        return lines


def _placed(sighting: Sighting) -> str:
    """Where an object is for a camera, and which way it faces."""
    side = "left" if sighting.left >= 0 else "right"
    said = (
        f"{sighting.forward:.2f} m ahead and {abs(sighting.left):.2f} m to the {side}, "
        f"{np.hypot(sighting.forward, sighting.left):.2f} m away"
    )
    if sighting.heading is None:
        return f"{said}; it has no front"
    return f"{said}; it faces {_FACING[int((sighting.heading + 22.5) // 45) % 8]}"
