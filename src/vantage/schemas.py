"""What every file of the compendium must hold, declared as data: columns, types, allowed values and keys.

One declaration serves the writer, the loader, the datasheet and the tests. A table that does not fit is refused with one
line that names the file, the row and the remedy (`vantage.errors.InputError`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import jsonschema
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from vantage import files
from vantage.errors import InputError
from vantage.relations import VIEWPOINTS

TEXT, FLAG, REAL = pa.string(), pa.bool_(), pa.float64()
SMALL, COUNT = pa.int16(), pa.int32()
WORDS = pa.list_(pa.string())

DOMAINS = ("synthetic", "indoor", "real")
REGIMES = ("isolated", "irrelevant_filler", "attribute_filler", "competing")
PROMPTED = ("image", "text_bbox", "scene_graph")
REPRESENTATIONS = (*PROMPTED, "symbolic")
KINDS = ("measured", "reference", "reconstructed")
LETTERS = ("A", "B", "C", "D")
CONDITIONS = ("camera", "object", "scene", "mss", "deletion", "addition")
FAMILIES = ("FQ1", "FQ2")
SPLITS = ("train", "dev", "test")
SETTINGS = ("tabletop", "indoor_large", "outdoor_public")
SOURCES = ("captured", "rendered")
ORDINAL_CHANGES = ("removed", "shifted", "stable", "none")
EXPERIMENTS = ("main", "input_control", "multi_seed", "circular", "repeat", "stable_id")
STATUSES = ("reproduced", "differs", "conflict", "derived", "stated", "unavailable")
BASES = ("constructed", "fitted", "unfitted", "measured")
UNITS = ("percent", "pp", "fraction", "count", "other")
NUMBER_KINDS = ("composition", "prediction", "interval", "control", "human", "config")


@dataclass(frozen=True)
class Column:
    """One column: its name, its Arrow type, what it means, the values it may take and whether it may be empty."""

    name: str
    type: pa.DataType
    about: str
    allowed: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True)
class Schema:
    """A table: its columns, and the columns that together tell its rows apart."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = field(default=())

    @property
    def arrow(self) -> pa.Schema:
        """The Arrow schema to write with."""
        return pa.schema([pa.field(c.name, c.type, nullable=c.optional) for c in self.columns])

    def check(self, table: pa.Table, where: str) -> pa.Table:
        """`table` with its columns in the declared order and types.

        `where` names the source in messages. Raises `InputError` for a missing or unknown column, a type that cannot
        hold the values, an empty cell, a value that is not allowed and a repeated key; rows are counted from 1.
        """
        names = [column.name for column in self.columns]
        if missing := [name for name in names if name not in table.column_names]:
            raise InputError(f"{where}: expected the columns {', '.join(names)}, found no {missing[0]!r}; add it")
        if unknown := [name for name in table.column_names if name not in names]:
            raise InputError(f"{where}: expected only the columns {', '.join(names)}, found {unknown[0]!r}; remove it")
        checked = pa.table({c.name: self._cast(table[c.name], c, where) for c in self.columns}, schema=self.arrow)
        for column in self.columns:
            self._check_values(checked[column.name], column, where)
        self._check_key(checked, where)
        return checked.replace_schema_metadata(table.schema.metadata)

    def _cast(self, values: pa.ChunkedArray, column: Column, where: str) -> pa.ChunkedArray:
        if pa.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        try:
            if not values.type.equals(pa.null()) and _sort(values.type) != _sort(column.type):
                raise pa.ArrowInvalid("text, numbers, flags and lists do not mix")
            return values.cast(column.type)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise InputError(
                f"{where}: expected {column.type} in column {column.name!r}, found {values.type}; convert the column"
            ) from error

    def _check_values(self, values: pa.ChunkedArray, column: Column, where: str) -> None:
        if not column.optional and values.null_count:
            row = pc.index(values.is_null(), True).as_py() + 1
            raise InputError(f"{where}, row {row}: expected a value in column {column.name!r}, found none; fill it in")
        if column.allowed:
            fits = pc.fill_null(pc.is_in(values, pa.array(column.allowed)), column.optional)
            fits = pc.or_(fits, values.is_null()) if column.optional else fits
            if (row := pc.index(fits, False).as_py()) >= 0:
                raise InputError(
                    f"{where}, row {row + 1}: expected {column.name!r} to be one of {', '.join(column.allowed)}, "
                    f"found {values[row].as_py()!r}; correct it"
                )

    def _check_key(self, table: pa.Table, where: str) -> None:
        if not self.key:
            return
        keys = table.select(list(self.key)).to_pandas()
        repeated = keys.duplicated()
        if repeated.any():
            row = int(repeated.to_numpy().argmax())
            shown = ", ".join(f"{name} {value}" for name, value in keys.iloc[row].items() if pd.notna(value))
            raise InputError(
                f"{where}, row {row + 1}: expected each {' + '.join(self.key)} once, found {shown} again; remove one"
            )


def _sort(type_: pa.DataType) -> str:
    """Text, number, flag or nested: Arrow would turn some of these into others without a word."""
    if pa.types.is_string(type_) or pa.types.is_large_string(type_) or pa.types.is_string_view(type_):
        return "text"
    if pa.types.is_integer(type_) or pa.types.is_floating(type_):
        return "number"
    return "flag" if pa.types.is_boolean(type_) else "nested"


def read_table(path: Path, schema: Schema) -> pa.Table:
    """The checked table in a Parquet file. Raises `InputError` for a missing, truncated or ill-fitting file."""
    files.reading(path)
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{files.shown(path)}: expected a whole Parquet file, found one that cannot be read (cut short?); restore or make it again"
        ) from error
    return schema.check(table, files.shown(path))


def write_table(table: pa.Table, schema: Schema, path: Path, metadata: dict[str, str] | None = None) -> None:
    """Write a checked table as Parquet, whole or not at all, with `metadata` in the file's own key-value store."""
    table = schema.check(table, files.shown(path)).replace_schema_metadata(metadata)
    with files.replacing(path) as beside:
        pq.write_table(table, beside, compression="zstd")


def table_of(rows: Sequence[dict], schema: Schema) -> pa.Table:
    """A table of `schema` from one dictionary a row."""
    return pa.Table.from_pylist(list(rows), schema=schema.arrow)


# ---------------------------------------------------------------------------------------------- CVT-Bench: the items

_VECTOR = pa.list_(REAL)

CVT_OBJECT = pa.struct(
    [
        pa.field("tag", SMALL),  # the number in the picture and in the questions; none for an object too hidden to tag
        pa.field("description", TEXT, nullable=False),  # unique in its scene
        pa.field("category", TEXT, nullable=False),  # the shape in CVT-Synthetic, the furniture or thing indoors
        pa.field("size", TEXT),
        pa.field("color", TEXT),
        pa.field("material", TEXT),
        pa.field("position", _VECTOR, nullable=False),  # centre in world units: x, y on the ground, z up
        pa.field("rotation", REAL, nullable=False),  # degrees about the vertical
        pa.field("half_extents", _VECTOR, nullable=False),  # of the oriented box, world units
        pa.field("plane", _VECTOR, nullable=False),  # centre in the canonical frame: to the right, behind
        pa.field("box", pa.list_(SMALL), nullable=False),  # [x, y, w, h] in pixels, of the whole object
        pa.field("visible_fraction", REAL, nullable=False),  # visible pixels / pixels when alone in the frame
        pa.field("partially_occluded", FLAG, nullable=False),
    ]
)
"""An object of a scene."""

CVT_CAMERA = pa.struct(
    [
        pa.field("position", _VECTOR, nullable=False),  # world units
        pa.field("forward", _VECTOR, nullable=False),  # unit vectors in world coordinates
        pa.field("right", _VECTOR, nullable=False),
        pa.field("up", _VECTOR, nullable=False),
        pa.field("focal_pixels", REAL, nullable=False),  # focal length; the principal point is the picture's centre
    ]
)
"""The source camera of a scene."""

CVT_RELATION = pa.struct([pa.field("tag", SMALL), pa.field("direction", TEXT), pa.field("targets", pa.list_(SMALL))])
"""A line of the source view's scene graph: these targets are in this direction relative to the tag (Supp. 7.3)."""

CVT_ASK = pa.struct([pa.field("attribute", TEXT, nullable=False), pa.field("tag", SMALL), pa.field("value", TEXT)])
"""One thing that an attribute question asks for, as `vantage.attributes` explains: of the object with a tag, or of those with a
value."""

CVT_SCENES = Schema(
    "CVT scenes",
    (
        Column("scene", TEXT, "identifier, such as synthetic-001"),
        Column("number", SMALL, "place in the frozen order, sparse first (Supp. 1.4)"),
        Column("density", TEXT, "sparse: 2-5 queried objects, dense: 6-10", ("sparse", "dense")),
        Column("width", SMALL, "picture width in pixels"),
        Column("height", SMALL, "picture height in pixels"),
        Column("camera", CVT_CAMERA, "the source camera"),
        Column("lateral_margin", REAL, "left or right is asserted beyond this at every viewpoint, world units"),
        Column("depth_margin", REAL, "front or behind is asserted beyond this at every viewpoint, world units"),
        Column("lateral_band", REAL, "left or right this close to its margin is threshold-sensitive, world units"),
        Column("depth_band", REAL, "front or behind this close to its margin is threshold-sensitive, world units"),
        Column("objects", pa.list_(CVT_OBJECT), "every object, tagged ones first and in the order of their tags"),
        Column("scene_graph", pa.list_(CVT_RELATION), "all source-view relations among tagged objects"),
    ),
    ("scene",),
)

CVT_QUESTIONS = Schema(
    "CVT questions",
    (
        Column("item", TEXT, "identifier, such as synthetic-001-q07"),
        Column("scene", TEXT, "the scene it asks about"),
        Column("number", SMALL, "encounter position in the scene's block, from 1"),
        Column("viewpoint", TEXT, "azimuth in degrees, or Top", VIEWPOINTS),
        Column("orbit_direction", TEXT, "the way the camera goes in the wording", ("left", "right"), optional=True),
        Column("orbit_angle", SMALL, "degrees in the wording", optional=True),
        Column("target", SMALL, "tag of the object asked about"),
        Column("anchor", SMALL, "tag of the object it is compared with"),
        Column("gold", WORDS, "the canonical relation set, in the words the question offers"),
        Column(
            "kind",
            TEXT,
            "how the question came into the scene; vertical: it asks for above and below too",
            ("primary", "supplement", "vertical"),
        ),
        Column("tracked_pair", SMALL, "which fixed pair of the scene, from 0; none for other questions", optional=True),
        Column("partially_occluded", FLAG, "target or anchor is partially occluded"),
        Column("text", TEXT, "the question by the paper's template (Supp. 7.4)"),
    ),
    ("item",),
)

CVT_AMBIGUITY = Schema(
    "CVT ambiguity sidecar",
    (
        Column("item", TEXT, "the question"),
        Column("alternative", WORDS, "an admissible relation set other than gold, in the question's words"),
    ),
)

CVT_PROMPTS = Schema(
    "CVT prompts",
    (
        Column("prompt", TEXT, "identifier of one request"),
        Column("domain", TEXT, "domain", DOMAINS),
        Column("regime", TEXT, "context regime", REGIMES),
        Column("representation", TEXT, "input representation", PROMPTED),
        Column("block", SMALL, "which batch of scenes, from 0"),
        Column("size", SMALL, "scene slots in the prompt: 1, 10 or 20"),
        Column("position", SMALL, "slot of this scene in the prompt, from 0"),
        Column("scene", TEXT, "the scene in the slot; none where irrelevant text fills it", optional=True),
        Column("image", TEXT, "the picture that precedes the slot's text, by its name; only in Image", optional=True),
        Column("role", TEXT, "what is asked in the slot", ("spatial", "attribute", "irrelevant")),
        Column("target_position", SMALL, "slot of the one spatial scene in a filler prompt", optional=True),
        Column("text", TEXT, "what stands in the slot: the scene's block with its questions, or irrelevant text"),
    ),
    ("prompt", "position"),
)

CVT_ATTRIBUTE_QUESTIONS = Schema(
    "CVT attribute questions",
    (
        Column("item", TEXT, "identifier, such as synthetic-001-a07"),
        Column("scene", TEXT, "the scene it asks about"),
        Column("number", SMALL, "position in the scene's block, from 1"),
        Column("attribute", TEXT, "what is retrieved first", ("color", "shape", "material", "object", "count")),
        Column("asks", pa.list_(CVT_ASK), "the one or two things asked for, from which answers and text follow"),
        Column("gold", WORDS, "the answers, directly in the scene dictionary; their order does not count"),
        Column("cardinality", SMALL, "how many answers: 1 or 2"),
        Column("text", TEXT, "the question"),
    ),
    ("item",),
)

# ------------------------------------------------------------------------------------------ FrameEvidence: the items

FRAME_EVIDENCE_OBJECT = pa.struct(
    [
        pa.field("object", TEXT, nullable=False),  # identifier in its scene, such as s03-07
        pa.field("label", TEXT, nullable=False),  # what sort of thing it is, in English
        pa.field("zh", TEXT, nullable=False),  # unique in its scene
        pa.field("en", TEXT, nullable=False),
        pa.field("fixture", FLAG, nullable=False),  # fixed in its surroundings, so that it can carry a scene axis
        pa.field("x", REAL, nullable=False),  # metres, seen from above
        pa.field("y", REAL, nullable=False),
        pa.field("heading", REAL),  # the way it faces, degrees counter-clockwise from +x; none: it has no front
        pa.field("radius", REAL, nullable=False),  # metres; a view is blocked within it
    ]
)
"""An object of a scene seen from above."""

FRAME_EVIDENCE_FRAME = pa.struct(
    [
        pa.field("kind", TEXT, nullable=False),  # camera, object or scene: what fixes the heading
        pa.field("anchor", TEXT, nullable=False),  # the view or the object that fixes it
        pa.field("backward", FLAG, nullable=False),  # "front" is the way opposite to the anchor's heading
        pa.field(
            "ordinal", SMALL
        ),  # the image number by which the question names the view; none: it names it otherwise
    ]
)
"""The reference frame that a question asks for, bound to the images of the base set."""

FRAME_EVIDENCE_OPTION = pa.struct(
    [
        pa.field("letter", TEXT, nullable=False),
        pa.field("meaning", TEXT, nullable=False),  # a direction such as front-left, or insufficient
        pa.field("zh", TEXT, nullable=False),
        pa.field("en", TEXT, nullable=False),
    ]
)
"""An answer option: its letter, what it means, and its words."""

FRAME_EVIDENCE_SCENES = Schema(
    "FrameEvidence scenes",
    (
        Column("scene", TEXT, "identifier, such as scene-03"),
        Column("setting", TEXT, "scene stratum", SETTINGS),
        Column("source", TEXT, "source stratum its groups are assigned to", SOURCES),
        Column("objects", pa.list_(FRAME_EVIDENCE_OBJECT), "everything in it, seen from above"),
    ),
    ("scene",),
)

FRAME_EVIDENCE_VIEWS = Schema(
    "FrameEvidence views",
    (
        Column("view", TEXT, "identifier of an image, such as s03-v12"),
        Column("scene", TEXT, "the scene it shows"),
        Column("split", TEXT, "the only split whose groups use it", SPLITS),
        Column("x", REAL, "camera, metres"),
        Column("y", REAL, "camera, metres"),
        Column("heading", REAL, "the way the camera faces, degrees counter-clockwise from +x"),
        Column("field_of_view", REAL, "whole angle, degrees"),
        Column("reach", REAL, "farthest distance at which an object is recognizable, metres"),
    ),
    ("view",),
)

FRAME_EVIDENCE_ITEMS = Schema(
    "FrameEvidence items",
    (
        Column("item", TEXT, "identifier, such as fq2-113-deletion"),
        Column("group", TEXT, "the triplet it belongs to"),
        Column("family", TEXT, "FQ1: three frames over fixed images; FQ2: evidence", FAMILIES),
        Column("condition", TEXT, "the variant within the triplet", CONDITIONS),
        Column("split", TEXT, "split of the group", SPLITS),
        Column("gold", TEXT, "the correct letter", LETTERS),
        Column("options", pa.list_(FRAME_EVIDENCE_OPTION), "the four options, A to D"),
        Column("question_zh", TEXT, "the question in Chinese"),
        Column("question_en", TEXT, "its English translation"),
        Column("views", WORDS, "the ordered views shown"),
        Column("target", TEXT, "the object whose place is asked for"),
        Column("relatum", TEXT, "the object it is compared with"),
        Column("third", TEXT, "the third object of the inventory: FQ1 the object anchor, FQ2 a bridge between views"),
        Column("frame", FRAME_EVIDENCE_FRAME, "the reference frame asked for, as bound in the base set"),
        Column("ontology", TEXT, "relation ontology", ("axial", "quadrant")),
        Column("setting", TEXT, "scene stratum", SETTINGS),
        Column("source", TEXT, "source stratum the group is assigned to", SOURCES),
        Column("base_size", SMALL, "images in the base set: 2, 3 or 4"),
        Column("tag", TEXT, "FQ2: how the question words its frame", ("camera", "object", "world"), optional=True),
        Column("ordinal_change", TEXT, "FQ2: what deletion does to an image number", ORDINAL_CHANGES, optional=True),
        Column("image_cluster", TEXT, "exact-image component: groups that share a view"),
        Column("scene_cluster", TEXT, "the scene of the base set"),
        Column("union_cluster", TEXT, "image/scene union component"),
        Column("overlap", TEXT, "test: whether training uses the scene too", ("train", "none"), optional=True),
        Column("arm", TEXT, "arm of the stable-ID diagnostic", ("original", "stable_id"), optional=True),
    ),
    ("item", "arm"),
)

# ------------------------------------------------------------------------------------------------------- predictions

_PREDICTION_HEAD = (
    Column("set", TEXT, "the prediction set"),
    Column("kind", TEXT, "what the answers rest on", KINDS),
    Column("run", TEXT, "one complete pass over items under one configuration"),
    Column("model", TEXT, "the model, the printed row or the responder that answers"),
)
_PREDICTION_TAIL = (Column("reply", TEXT, "the raw reply, where there is one", optional=True),)

_CVT_HEAD = (
    *_PREDICTION_HEAD,
    Column("domain", TEXT, "domain", DOMAINS),
    Column("regime", TEXT, "context regime", REGIMES),
    Column("representation", TEXT, "what the responder was given; symbolic: the item itself", REPRESENTATIONS),
    Column("block", SMALL, "batch of scenes in a shared prompt", optional=True),
    Column("target_position", SMALL, "slot of the target scene in a filler prompt", optional=True),
)

CVT_PREDICTIONS = Schema(
    "CVT predictions",
    (
        *_CVT_HEAD,
        Column("item", TEXT, "the question answered"),
        Column("answer", WORDS, "relations in the question's words; none where the reply is invalid", optional=True),
        *_PREDICTION_TAIL,
    ),
    ("run", "item"),
)

CVT_ATTRIBUTE_PREDICTIONS = Schema(
    "CVT attribute predictions",
    (
        *_CVT_HEAD,
        Column("item", TEXT, "the attribute question answered"),
        Column("answer", WORDS, "the answers given, in any order; none where the reply is invalid", optional=True),
        *_PREDICTION_TAIL,
    ),
    ("run", "item"),
)

FRAME_EVIDENCE_PREDICTIONS = Schema(
    "FrameEvidence predictions",
    (
        *_PREDICTION_HEAD,
        Column("setting", TEXT, "Base, LoRA, or the number of shots"),
        Column("experiment", TEXT, "which experiment of the paper", EXPERIMENTS),
        Column("input_mode", TEXT, "which images were given", ("all_images", "text_only", "single_image")),
        Column("rotation", SMALL, "cyclic option rotation, 0 to 3"),
        Column("seed", COUNT, "training or sampling seed", optional=True),
        Column("repeat", SMALL, "which execution of the same request, from 0"),
        Column("block", SMALL, "block of the stable-ID diagnostic", optional=True),
        Column("arm", TEXT, "arm of the stable-ID diagnostic", ("original", "stable_id"), optional=True),
        Column("item", TEXT, "the question answered"),
        Column("answer", TEXT, "the letter given; none where the reply is invalid", LETTERS, optional=True),
        *_PREDICTION_TAIL,
    ),
    ("run", "item"),
)

# ---------------------------------------------------------------------------------- published numbers and the ledger

PUBLISHED = Schema(
    "published numbers",
    (
        Column("id", TEXT, "identifier"),
        Column("paper", TEXT, "which paper", ("cvt", "frame_evidence")),
        Column("place", TEXT, "table, section or caption"),
        Column("row", TEXT, "row of the table, or what the number says"),
        Column("column", TEXT, "column of the table, or the domain"),
        Column("value", REAL, "the number as printed"),
        Column("decimals", SMALL, "decimals printed"),
        Column("unit", TEXT, "unit", UNITS),
        Column("kind", TEXT, "what sort of number", NUMBER_KINDS),
    ),
    ("id",),
)

DERIVED = Schema(
    "derived numbers",
    (
        Column("id", TEXT, "the number that follows from others"),
        Column("rule", TEXT, "how, as `vantage.ledger.RULES` names it"),
        Column("ids", TEXT, "the numbers it follows from, in order, with spaces between"),
    ),
    ("id",),
)

CONFLICTS = Schema(
    "conflicting readings",
    (
        Column("conflict", TEXT, "what contradicts what"),
        Column("ids", TEXT, "the numbers that cannot hold together, with spaces between"),
        Column("reason", TEXT, "the reading, and the arithmetic"),
    ),
    ("conflict",),
)

TENSIONS = Schema(
    "tensions",
    (
        Column("tension", TEXT, "what does not sit well together"),
        Column("places", TEXT, "where it is printed, with semicolons between"),
        Column("reason", TEXT, "why, and why it is no contradiction"),
    ),
    ("tension",),
)

PLACES = Schema(
    "map of the papers",
    (
        Column("paper", TEXT, "which paper", ("cvt", "frame_evidence")),
        Column("order", SMALL, "place in reading order, from 1"),
        Column("place", TEXT, "table, figure or section, as published numbers name it"),
        Column("kind", TEXT, "what it is", ("section", "table", "figure")),
        Column("title", TEXT, "what it is about"),
    ),
    ("paper", "place"),
)

LEDGER = Schema(
    "ledger",
    (
        Column("id", TEXT, "identifier of the published number"),
        Column("paper", TEXT, "which paper"),
        Column("place", TEXT, "table, section or caption"),
        Column("row", TEXT, "row, as in the published numbers"),
        Column("column", TEXT, "column, as in the published numbers"),
        Column("printed", REAL, "the number as printed"),
        Column("decimals", SMALL, "decimals printed"),
        Column("recomputed", REAL, "the number recomputed, not rounded", optional=True),
        Column("status", TEXT, "the first status that applies", STATUSES),
        Column("basis", TEXT, "what a recomputed number rests on", BASES, optional=True),
        Column("reason", TEXT, "why it has its status, where that needs saying", optional=True),
        Column("source", TEXT, "page and anchor of the cell that computes it", optional=True),
    ),
    ("id",),
)

RANGES = Schema(
    "what the print leaves open",
    (
        Column("quantity", TEXT, "what is counted"),
        Column("configuration", TEXT, "whose answers, as the printed numbers name it"),
        Column("part", TEXT, "frame, letter or family"),
        Column("of", SMALL, "of how many, the greatest count there could be"),
        Column("attained_low", SMALL, "the least count of which answers were found that agree with the print"),
        Column("attained_high", SMALL, "the greatest such count"),
        Column("bound_low", SMALL, "no answers that agree with the print have a lesser count"),
        Column("bound_high", SMALL, "none have a greater one"),
        Column("proven", TEXT, "whether attained and bound are one at both ends", ("yes", "no")),
    ),
    ("quantity", "configuration", "part"),
)

CELL_STATISTICS = (
    "F1 by viewpoint",
    "F1 by position",
    "Cycle consistency",
    "Both 0 and 360 degrees correct",
    "Perfect C4",
    "Wrong but realizable",
    "MaxSAT",
)
"""What CVT-Bench prints of no single cell."""

CELL_RANGES = Schema(
    "how far witnesses of CVT-Bench differ",
    (
        Column("domain", TEXT, "whose items", DOMAINS),
        Column("regime", TEXT, "the context regime of the cell", ("isolated", "competing")),
        Column("model", TEXT, "the printed row, not a model"),
        Column("representation", TEXT, "what the prompts show", PROMPTED),
        Column("statistic", TEXT, "what is scored", CELL_STATISTICS),
        Column("place", TEXT, "a viewpoint, or a position in the prompt from 0; empty for others", optional=True),
        Column("low", REAL, "the least value over the witnesses, a fraction"),
        Column("high", REAL, "the greatest such value"),
        Column("witnesses", SMALL, "over how many witnesses, the same number in all rows"),
    ),
    ("domain", "regime", "model", "representation", "statistic", "place"),
)

# --------------------------------------------------------------------------------------------------------- manifests

_HEX = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_TALLY = {"type": "integer", "minimum": 0}

_RUNS = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["run", "answered", "invalid", "missing"],
        "properties": {"run": {"type": "string"}, "answered": _TALLY, "invalid": _TALLY, "missing": _TALLY},
    },
}

ITEMS_MANIFEST = {
    "type": "object",
    "additionalProperties": False,
    "required": ["items", "title", "version", "made_by", "seed", "files", "license"],
    "properties": {
        "items": {"type": "string", "description": "folder under data/, such as cvt/synthetic"},
        "title": {"type": "string"},
        "version": {**_HEX, "description": "hash of the items' content, independent of the file format"},
        "made_by": {"type": "string"},
        "seed": _TALLY,
        "files": {"type": "object", "minProperties": 1, "additionalProperties": _HEX},
        "license": {"type": "string"},
    },
}

PREDICTIONS_MANIFEST = {
    "type": "object",
    "additionalProperties": False,
    "required": ["set", "paper", "kind", "title", "about", "items", "sha256", "runs", "made_by", "license"],
    "properties": {
        "set": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_.-]*$"},
        "paper": {"enum": ["cvt", "frame_evidence"]},
        "kind": {"enum": list(KINDS)},
        "title": {"type": "string", "description": "how tables and legends call it"},
        "about": {"type": "string", "description": "the mechanism, the model and its settings, or what was solved for"},
        "items": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": _HEX,
            "description": "version hash of every item folder answered",
        },
        "sha256": _HEX,
        "runs": _RUNS,
        "attributes": {
            "type": "object",
            "additionalProperties": False,
            "required": ["sha256", "runs"],
            "properties": {"sha256": _HEX, "runs": _RUNS},
            "description": "the answers to attribute questions beside the set's predictions",
        },
        "seed": _TALLY,
        "targets": {
            "type": "array",
            "items": {"type": "string"},
            "description": "published ids the set was solved to meet",
        },
        "made_by": {"type": "string"},
        "license": {"type": "string"},
    },
    "if": {"properties": {"kind": {"const": "reconstructed"}}},
    "then": {"required": ["targets", "seed"]},
    "else": {"not": {"required": ["targets"]}},
}


def read_manifest(path: Path, schema: dict) -> dict:
    """The checked manifest in a JSON file."""
    return check_manifest(files.read_json(path), schema, files.shown(path))


def check_manifest(manifest: dict, schema: dict, where: str) -> dict:
    """`manifest`, unchanged. Raises `InputError` for the first thing that does not fit; `where` names its source."""
    error = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(manifest))
    if error is not None:
        raise InputError(f"{where}, {error.json_path}: {error.message}; correct the manifest")
    return manifest
