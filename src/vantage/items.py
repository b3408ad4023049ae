"""The items: scenes, questions and admissible alternatives, loaded whole and checked.

>>> from vantage.items import load_cvt
>>> cvt = load_cvt("synthetic")
>>> len(cvt.scenes), len(cvt.questions)
(100, 5703)
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from vantage import attributes, files, schemas
from vantage.errors import InputError
from vantage.relations import VIEWPOINTS, asserted, encode, observed, vertical_set, yaw_of

TITLES = {"synthetic": "CVT-Synthetic-Open", "indoor": "CVT-Indoor", "real": "CVT-Real, your copy"}
"""What our items are called in tables. They are ours: the paper's items are CVT-Synthetic and CVT-Real, for which CVT-Indoor
stands in; the last is what a reader makes from a licensed copy of 3DSSG."""

ATTRIBUTE_DOMAINS = ("synthetic",)
"""The domains with attribute questions."""

ATTRIBUTE_QUESTIONS = "attribute_questions"
"""The table of attribute questions. It stands beside the items and is not part of their version."""

_TABLES = {"scenes": schemas.CVT_SCENES, "questions": schemas.CVT_QUESTIONS, "ambiguity": schemas.CVT_AMBIGUITY}


@dataclass(frozen=True)
class CVTItems:
    """The items of one CVT domain.

    `scenes` has one dictionary a scene, as `schemas.CVT_SCENES` declares. `questions` has one row a question, as
    `schemas.CVT_QUESTIONS` declares, in the order of scene and encounter. `gold` (questions,) and `admissible`
    (questions, sets) are relation sets; `admissible` begins with gold and repeats it where there are fewer sets.
    """

    domain: str
    version: str
    scenes: list[dict]
    questions: pd.DataFrame
    gold: NDArray[np.uint8]
    admissible: NDArray[np.uint8]

    @property
    def margins(self) -> NDArray[np.float64]:
        """The margins of each question's labels, (questions, 2): lateral, depth; world units."""
        return self._of_scenes("lateral_margin", "depth_margin")

    @property
    def bands(self) -> NDArray[np.float64]:
        """How close to its margin a label of each question is threshold-sensitive, (questions, 2); world units."""
        return self._of_scenes("lateral_band", "depth_band")

    def _of_scenes(self, *names: str) -> NDArray[np.float64]:
        values = {scene["scene"]: [scene[name] for name in names] for scene in self.scenes}
        return np.array([values[scene] for scene in self.questions.scene], dtype=float).reshape(-1, len(names))

    @property
    def title(self) -> str:
        """The name of the items in tables and captions."""
        return TITLES[self.domain]

    def scene(self, scene: str) -> dict:
        """One scene by its identifier. Raises `InputError` where there is none of that name."""
        for candidate in self.scenes:
            if candidate["scene"] == scene:
                return candidate
        raise InputError(f"expected a scene of {self.title}, such as {self.scenes[0]['scene']}, found {scene!r}")


def content_hash(tables: Mapping[str, pa.Table]) -> str:
    """The version of items: a SHA-256 over every value of every table, whatever the file format."""
    digest = hashlib.sha256()
    for name in sorted(tables):
        for row in tables[name].to_pylist():
            digest.update(json.dumps([name, row], sort_keys=True, separators=(",", ":")).encode())
    return digest.hexdigest()


def read_items(folder: Path, tables: Mapping[str, schemas.Schema]) -> tuple[dict, dict[str, pa.Table]]:
    """The manifest and the checked tables of a folder of items.

    Raises `InputError` for a file that is missing, damaged or altered since it was frozen.
    """
    manifest = schemas.read_manifest(folder / "manifest.json", schemas.ITEMS_MANIFEST)
    found = {}
    for name, schema in tables.items():
        path = folder / f"{name}.parquet"
        found[name] = schemas.read_table(path, schema)
        if files.sha256(path) != manifest["files"].get(path.name):
            raise InputError(
                f"{files.shown(path)}: expected the checksum in manifest.json, found another (the file changed since it was frozen); "
                "restore it, or run make data"
            )
    return manifest, found


def check_version(folder: Path, manifest: dict, tables: Mapping[str, pa.Table]) -> None:
    """Raises `InputError` where the content of items is another than the version in their manifest."""
    if content_hash(tables) != manifest["version"]:
        raise InputError(
            f"{files.shown(folder / 'manifest.json')}: expected the version of these items, found another; "
            "restore the folder, or run make data"
        )


def encode_answers(
    words: pa.ChunkedArray, viewpoints: pd.Series, where: str, rows: Sequence[int] | None = None
) -> NDArray[np.uint8]:
    """The relation sets of a column of word lists; a null list becomes 0.

    `viewpoints` has the viewpoint of each list and `rows` its row in the file `where`, from 0 (default: in order).
    Raises `InputError` naming the row, from 1, of a word that its viewpoint does not offer and of an empty list.
    """
    # A few hundred distinct (words, viewpoint) pairs stand for all rows: only those are parsed.
    frame = pd.DataFrame(
        {"words": [None if w is None else tuple(w) for w in words.to_pylist()], "viewpoint": viewpoints.to_numpy()}
    )
    codes, distinct = pd.factorize(pd.MultiIndex.from_frame(frame), use_na_sentinel=False)
    masks = np.zeros(len(distinct), dtype=np.uint8)
    for place, (answer, viewpoint) in enumerate(distinct):
        if not isinstance(answer, tuple):
            continue
        try:
            masks[place] = encode(answer, viewpoint)
            if not answer:
                raise InputError(
                    "expected at least one relation, found an empty list; leave the answer empty (null) where a reply is invalid"
                )
        except InputError as error:
            row = int(np.argmax(codes == place))
            raise InputError(
                f"{where}, row {(row if rows is None else rows[row]) + 1}: {error}; correct the answer"
            ) from error
    return masks[codes]


@cache
def load_cvt(domain: str = "synthetic") -> CVTItems:
    """The items of a CVT domain from `data/cvt/<domain>/`, checked against their manifest.

    Raises `InputError` for an unknown domain, and for a file that is missing, damaged, altered since it was frozen or
    inconsistent with the others.
    """
    if domain not in TITLES:
        raise InputError(f"expected a CVT domain among {', '.join(TITLES)}, found {domain!r}")
    folder = files.root() / "data" / "cvt" / domain
    manifest, tables = read_items(folder, _TABLES)
    where = files.shown(folder / "questions.parquet")
    questions = tables["questions"].to_pandas()
    _check_references(questions, tables["scenes"].to_pylist(), where)
    gold = encode_answers(tables["questions"]["gold"], questions["viewpoint"], where)
    admissible = _admissible(questions, gold, tables["ambiguity"], files.shown(folder / "ambiguity.parquet"))
    check_version(folder, manifest, tables)
    return CVTItems(
        domain=domain,
        version=manifest["version"],
        scenes=tables["scenes"].to_pylist(),
        questions=questions,
        gold=gold,
        admissible=admissible,
    )


@dataclass(frozen=True)
class AttributeQuestions:
    """The attribute questions of a CVT domain (Supp. 5).

    `questions` has one row a question, as `schemas.CVT_ATTRIBUTE_QUESTIONS` declares, in the order of scene and number. Along
    them, `gold` has the set of answers and `offered` the answers that the question offers, in order.
    """

    domain: str
    version: str
    questions: pd.DataFrame
    gold: tuple[frozenset[str], ...]
    offered: tuple[tuple[str, ...], ...]


@cache
def load_attribute_questions(domain: str = "synthetic") -> AttributeQuestions:
    """The attribute questions beside the items of a CVT domain. Their answers and texts are derived anew from the scenes.

    Raises `InputError` as `load_cvt` does; for a domain that has none; and, naming the row from 1, for a question about no
    scene of the domain, and for one whose answers or text do not follow from what it asks.

    >>> len(load_attribute_questions().questions)
    5703
    """
    scenes = {scene["scene"]: scene["objects"] for scene in load_cvt(domain).scenes}
    if domain not in ATTRIBUTE_DOMAINS:
        raise InputError(
            f"expected attribute questions of a domain among {', '.join(ATTRIBUTE_DOMAINS)}, found none of {domain}; "
            "the paper's filler prompts are of this domain alone"
        )
    folder = files.root() / "data" / "cvt" / domain
    _, tables = read_items(folder, {ATTRIBUTE_QUESTIONS: schemas.CVT_ATTRIBUTE_QUESTIONS})
    rows = tables[ATTRIBUTE_QUESTIONS].to_pylist()
    for place, row in enumerate(rows, 1):
        where = f"{files.shown(folder / ATTRIBUTE_QUESTIONS)}.parquet, row {place}"
        if row["scene"] not in scenes:
            raise InputError(
                f"{where}: expected a scene of scenes.parquet, found {row['scene']!r}; make the items again"
            )
        gold = list(attributes.answers(row["asks"], scenes[row["scene"]]))
        for name, follows in (
            ("gold", gold),
            ("cardinality", len(gold)),
            ("attribute", row["asks"][0]["attribute"]),
            ("text", attributes.question_text(row["asks"])),
        ):
            if row[name] != follows:
                raise InputError(
                    f"{where}: expected {name} {follows!r}, as the scene and the column asks have it, found {row[name]!r}; "
                    "make the items again"
                )
    return AttributeQuestions(
        domain=domain,
        version=content_hash(tables),
        questions=tables[ATTRIBUTE_QUESTIONS].to_pandas(),
        gold=tuple(frozenset(row["gold"]) for row in rows),
        offered=tuple(attributes.offered(row["asks"], scenes[row["scene"]]) for row in rows),
    )


def _check_references(questions: pd.DataFrame, scenes: list[dict], where: str) -> None:
    """Every question asks about two tagged objects of a scene there is."""
    tags = {
        scene["scene"]: {thing["tag"] for thing in scene["objects"] if thing["tag"] is not None} for scene in scenes
    }
    for row, (scene, target, anchor) in enumerate(
        zip(questions.scene, questions.target, questions.anchor, strict=True), 1
    ):
        if scene not in tags:
            raise InputError(
                f"{where}, row {row}: expected a scene in scenes.parquet, found {scene!r}; make the items again"
            )
        if target == anchor or not {target, anchor} <= tags[scene]:
            raise InputError(
                f"{where}, row {row}: expected two tagged objects of {scene}, found {target} and {anchor}; make the items again"
            )


def _admissible(questions: pd.DataFrame, gold: NDArray[np.uint8], sidecar: pa.Table, where: str) -> NDArray[np.uint8]:
    """Gold and its alternatives side by side, (questions, sets)."""
    rows = pd.Index(questions["item"]).get_indexer(sidecar["item"].to_pandas())
    if (rows < 0).any():
        row = int((rows < 0).argmax())
        raise InputError(
            f"{where}, row {row + 1}: expected an item of questions.parquet, found {sidecar['item'][row]}; make the items again"
        )
    masks = encode_answers(sidecar["alternative"], questions["viewpoint"].iloc[rows], where)
    place = pd.Series(rows).groupby(rows).cumcount().to_numpy() + 1
    admissible = np.repeat(gold[:, None], place.max(initial=0) + 1, axis=1)
    admissible[rows, place] = masks
    return admissible


def pair_key(questions: pd.DataFrame) -> pd.Series:
    """The directed pair of each question as one sortable label, scene/target/anchor."""
    return questions.scene + "/" + questions.target.astype(str) + "/" + questions.anchor.astype(str)


def matched_cycle_pairs(questions: pd.DataFrame) -> NDArray[np.intp]:
    """Rows (pairs, 2) of the primary questions at 0 and at 360 degrees about the same directed pair (Supp. 2.4).

    Primary are the horizontal ones of that kind and the fixed vertical-enriched pairs: what 360 degrees asks again. A pair
    can be asked about in both ways, which makes it two.
    """
    vertical = questions.kind == "vertical"
    matched = questions.assign(row=np.arange(len(questions)), pair=pair_key(questions), vertical=vertical)[
        (questions.kind == "primary") | questions.tracked_pair.notna()
    ]
    views = matched[matched.viewpoint.isin(("0", "360"))].pivot(
        index=["pair", "vertical"], columns="viewpoint", values="row"
    )
    return views.dropna()[["0", "360"]].to_numpy(dtype=np.intp)


def rows_by_viewpoint(questions: pd.DataFrame) -> dict[str, NDArray[np.intp]]:
    """The rows of the questions at each of the ten viewpoints, in their order."""
    return {viewpoint: np.flatnonzero(questions.viewpoint == viewpoint) for viewpoint in VIEWPOINTS}


def viewpoint_numbers(questions: pd.DataFrame) -> NDArray[np.intp]:
    """The place of each question's viewpoint in `vantage.relations.VIEWPOINTS`, (questions,)."""
    return questions.viewpoint.map(VIEWPOINTS.index).to_numpy(dtype=np.intp)


def tracked_rows(questions: pd.DataFrame) -> NDArray[np.intp]:
    """Rows (pairs, 10) of the fixed pairs' questions, in the order of `vantage.relations.VIEWPOINTS` (Supp. 1.1).

    Raises `InputError` for a pair that is not asked about at all ten viewpoints.
    """
    tracked = questions.assign(row=np.arange(len(questions)))[questions.tracked_pair.notna()]
    rows = tracked.pivot(index=["scene", "tracked_pair"], columns="viewpoint", values="row").reindex(
        columns=list(VIEWPOINTS)
    )
    if (short := rows.isna().any(axis=1)).any():
        scene, pair = short.idxmax()
        raise InputError(
            f"expected fixed pair {pair:.0f} of {scene} at all ten viewpoints, found it at {rows.loc[scene, pair].notna().sum()}; "
            "use whole scenes"
        )
    return rows.to_numpy(dtype=np.intp)


def trajectories(questions: pd.DataFrame) -> NDArray[np.intp]:
    """Rows (pairs, 10) of the fixed pairs' questions in encounter order, which is that of questions (Supp. 2.2)."""
    return np.sort(tracked_rows(questions), axis=1)


def displacements(items: CVTItems) -> NDArray[np.float64]:
    """Target minus anchor of each question in the canonical frame, (questions, 2): to the right, behind; world units."""
    return _target_minus_anchor(items, lambda thing: thing["plane"])


def rises(items: CVTItems) -> NDArray[np.float64]:
    """How much higher the target's centre is than the anchor's, (questions,), world units.

    Zero for a question that does not ask for above and below: one of another kind than vertical.
    """
    heights = _target_minus_anchor(items, lambda thing: thing["position"][2])
    return np.where(items.questions.kind == "vertical", heights, 0.0)


def true_relations(items: CVTItems) -> NDArray[np.uint8]:
    """What gold has to be, by geometry alone: each question's displacement as its viewpoint shows it, (questions,)."""
    yaws = items.questions.viewpoint.map(yaw_of).to_numpy()
    horizontal = asserted(observed(displacements(items), yaws), items.margins)
    return horizontal | vertical_set(rises(items))


def _target_minus_anchor(items: CVTItems, value: Callable[[dict], ArrayLike]) -> NDArray[np.float64]:
    """The difference of a value of each question's two objects, (questions, ...)."""
    values = {(scene["scene"], thing["tag"]): value(thing) for scene in items.scenes for thing in scene["objects"]}
    ends = [
        [values[scene, tag] for tag in (target, anchor)]
        for scene, target, anchor in zip(
            items.questions.scene, items.questions.target, items.questions.anchor, strict=True
        )
    ]
    target, anchor = np.moveaxis(np.array(ends, dtype=float), 1, 0)
    return target - anchor
