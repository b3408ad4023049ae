"""FrameEvidence-Open: 320 triplets of questions over layouts seen from above, loaded whole and checked.

>>> from vantage.triplets import load_triplets
>>> triplets = load_triplets()
>>> len(triplets.groups), len(triplets.questions)
(320, 960)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import files, schemas
from vantage.errors import InputError
from vantage.items import check_version, read_items
from vantage.layouts import DIRECTIONS, INSUFFICIENT, Frame, Layout, Observation, Question, Thing, View, observe

TITLE = "FrameEvidence-Open"
"""What our items are called in tables. They are ours: the paper's are FrameEvidence."""

FOLDER = "frame_evidence"
CONDITIONS = {"FQ1": ("camera", "object", "scene"), "FQ2": ("mss", "deletion", "addition")}
"""The three conditions of each family, in the order of every array of groups."""

CONDITION_TITLES = {
    "camera": "Camera frame",
    "object": "Object frame",
    "scene": "Scene frame",
    "mss": "MSS",
    "deletion": "Deletion",
    "addition": "Addition",
}
"""What pages call each condition; MSS is the minimal sufficient set."""

MEANINGS = (*DIRECTIONS["axial"], *DIRECTIONS["quadrant"], INSUFFICIENT)
"""What an option can mean; arrays hold the place in this tuple."""

_TABLES = {
    "scenes": schemas.FRAME_EVIDENCE_SCENES,
    "views": schemas.FRAME_EVIDENCE_VIEWS,
    "items": schemas.FRAME_EVIDENCE_ITEMS,
}


@dataclass(frozen=True)
class Triplets:
    """The items of FrameEvidence-Open.

    `questions` has one row an item, as `schemas.FRAME_EVIDENCE_ITEMS` declares, three to a group and in the order of `CONDITIONS`.
    `gold` (items,) is the letter, 0 to 3 for A to D; `meanings` (items, 4) what each letter says, as a place in `MEANINGS`.
    `scenes` and `views` are dictionaries by identifier, as their schemas declare.
    """

    version: str
    questions: pd.DataFrame
    gold: NDArray[np.int8]
    meanings: NDArray[np.int8]
    scenes: dict[str, dict]
    views: dict[str, dict]

    title = TITLE

    @cached_property
    def groups(self) -> pd.DataFrame:
        """One row a group, indexed by its name: what its three questions have in common, and `golds`, their letters."""
        common = [
            c
            for c in self.questions
            if c not in ("item", "condition", "gold", "question_zh", "question_en", "views", "frame", "arm")
        ]
        golds = self.questions.groupby("group", sort=False)["gold"].agg("".join)
        return self.questions[common].iloc[::3].set_index("group").assign(golds=golds)

    def rows(self, family: str, split: str | None = "test") -> NDArray[np.intp]:
        """Rows (groups, 3) of `questions` for the groups of a family and a split, or of all splits; not to be written to.

        >>> load_triplets().rows("FQ2").shape
        (48, 3)
        """
        if family not in CONDITIONS or split not in (None, *schemas.SPLITS):
            raise InputError(
                f"expected a family among {', '.join(CONDITIONS)} and a split among {', '.join(schemas.SPLITS)}, "
                f"found {family!r} and {split!r}"
            )
        return _rows(self, family, split)

    def of_group(self, group: str) -> NDArray[np.intp]:
        """The three rows of a group. Raises `InputError` where there is none of that name."""
        rows = np.flatnonzero(self.questions["group"] == group)
        if not len(rows):
            raise InputError(f"expected a group of {TITLE}, such as {self.questions['group'].iloc[0]}, found {group!r}")
        return rows

    def question(self, row: int) -> Question:
        """What an item asks, bound to the base set of its group."""
        item = self.questions.iloc[row]
        frame = Frame(item["frame"]["kind"], item["frame"]["anchor"], item["frame"]["backward"])
        return Question(item["target"], item["relatum"], frame, item["ontology"])

    def letters(self, meaning: int) -> NDArray[np.int8]:
        """The letter that has this meaning in each item, -1 where none has it."""
        found = self.meanings == meaning
        return np.where(found.any(axis=1), found.argmax(axis=1), -1).astype(np.int8)

    @property
    def insufficient(self) -> NDArray[np.int8]:
        """The letter of the insufficiency option in each item, -1 in FQ1, which has none."""
        return self.letters(MEANINGS.index(INSUFFICIENT))

    def layout(self, scene: str) -> Layout:
        """A scene with every view on it."""
        return _layout(self, scene)

    def observation(self, view: str) -> Observation:
        """What a view shows of its scene."""
        return _observation(self, view)

    def observed(self, views: Sequence[str]) -> dict[str, Observation]:
        """What each of some views shows."""
        return {view: self.observation(view) for view in views}

    # Identity, so that what is derived from the items can be remembered by them.
    __hash__ = object.__hash__
    __eq__ = object.__eq__


@cache
def _rows(triplets: Triplets, family: str, split: str | None) -> NDArray[np.intp]:
    asked = triplets.questions
    rows = np.flatnonzero((asked["family"] == family) & ((asked["split"] == split) | (split is None))).reshape(-1, 3)
    rows.flags.writeable = False
    return rows


@cache
def _layout(triplets: Triplets, scene: str) -> Layout:
    things = {
        thing["object"]: Thing(thing["x"], thing["y"], thing["heading"], thing["radius"])
        for thing in triplets.scenes[scene]["objects"]
    }
    cameras = {
        name: View(view["x"], view["y"], view["heading"], view["field_of_view"], view["reach"])
        for name, view in triplets.views.items()
        if view["scene"] == scene
    }
    return Layout(things, cameras)


@cache
def _observation(triplets: Triplets, view: str) -> Observation:
    return observe(triplets.layout(triplets.views[view]["scene"]), view)


@cache
def load_triplets() -> Triplets:
    """The items from `data/frame_evidence/`, checked against their manifest.

    Raises `InputError` for a file that is missing, damaged, altered since it was frozen or inconsistent with the others.
    """
    folder = files.root() / "data" / FOLDER
    manifest, tables = read_items(folder, _TABLES)
    rows = {name: table.to_pylist() for name, table in tables.items()}
    scenes = {scene["scene"]: scene for scene in rows["scenes"]}
    views = {view["view"]: view for view in rows["views"]}
    _check_references(rows["items"], scenes, views, files.shown(folder / "items.parquet"))
    check_version(folder, manifest, tables)
    questions = pd.DataFrame(rows["items"])
    return Triplets(
        version=manifest["version"],
        questions=questions,
        gold=questions["gold"].map(schemas.LETTERS.index).to_numpy(dtype=np.int8),
        meanings=np.array(
            [[MEANINGS.index(o["meaning"]) for o in item["options"]] for item in rows["items"]], dtype=np.int8
        ),
        scenes=scenes,
        views=views,
    )


def _check_references(items: list[dict], scenes: dict[str, dict], views: dict[str, dict], where: str) -> None:
    """Every item shows views there are, asks about objects of its scene, offers A to D, and stands third in its group."""
    for row, item in enumerate(items, 1):
        conditions = CONDITIONS[item["family"]]
        objects = {thing["object"] for thing in scenes.get(item["scene_cluster"], {"objects": []})["objects"]}
        anchors = views.keys() if item["frame"]["kind"] == "camera" else objects
        problems = {
            f"condition {conditions[(row - 1) % 3]} of group {items[(row - 1) // 3 * 3]['group']}": (
                item["condition"] != conditions[(row - 1) % 3] or item["group"] != items[(row - 1) // 3 * 3]["group"]
            ),
            "one to five different views of views.parquet": (
                not 1 <= len(set(item["views"])) == len(item["views"]) <= 5 or not views.keys() >= set(item["views"])
            ),
            f"two different objects of {item['scene_cluster']}": (
                item["target"] == item["relatum"] or not {item["target"], item["relatum"], item["third"]} <= objects
            ),
            "an anchor of the frame's kind": item["frame"]["anchor"] not in anchors,
            "options A, B, C, D with different meanings": (
                [option["letter"] for option in item["options"]] != list(schemas.LETTERS)
                or len({option["meaning"] for option in item["options"]} & set(MEANINGS)) != 4
            ),
        }
        for expected, wrong in problems.items():
            if wrong:
                raise InputError(
                    f"{where}, row {row}: expected {expected}, found {item['item']} otherwise; make the items again"
                )
