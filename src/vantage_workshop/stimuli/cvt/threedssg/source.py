"""What a copy of 3RScan and 3DSSG says about a scan: its objects and their boxes, its relationships, its camera.

The formats, and where they are described:

- `objects.json` and `relationships.json` of 3DSSG: https://github.com/3DSSG/3DSSG.github.io, README.md, "Data Formats".
- `<scan>/semseg.v2.json` of 3RScan: https://github.com/WaldJohannaU/3RScan, FAQ.md, "How do I get the semantic labels?" and "How to
  get 3D bounding boxes?". A box has a `centroid` and three `axesLengths` in metres and nine `normalizedAxes`: three
  axes one after another. Up is +z (README.md, "Reconstructed surface mesh file").
- `<scan>/sequence/_info.txt` and `frame-XXXXXX.pose.txt` of 3RScan, in its `sequence.zip`: FAQ.md, "What is the coordinate system of
  the camera poses?" (from the camera to the world, in metres), and `LoadInfoIntrinsics`, `LoadPose` and `Backproject` in
  c++/rio_lib/src/rio_lib/sequence.cc (4 x 4 row by row; the camera's x is to the right in the picture, y down, z forward).

All else in these files is left alone. What does not fit is refused with one line (`vantage.errors.InputError`).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage import files
from vantage.errors import InputError
from vantage_workshop.stimuli.cvt.visibility import Vector

_POSE_NAME = re.compile(r"frame-(\d{6})\.pose\.txt")

# Poses and axes are printed with a few digits; 3RScan's rotations are orthonormal to about a millionth.
_RIGID = 1e-3

# No room is that large. Some annotation files hold overflown numbers.
_FARTHEST = 1000.0


@dataclass(frozen=True)
class OrientedBox:
    """A box as annotated: `centre` and whole `lengths` along its three orthonormal `axes`, metres."""

    centre: Vector
    lengths: Vector
    axes: tuple[Vector, Vector, Vector]


@dataclass(frozen=True)
class Thing:
    """An annotated object: its instance number, its label, its attributes by category, its box."""

    number: int
    label: str
    attributes: dict[str, tuple[str, ...]]
    box: OrientedBox


@dataclass(frozen=True)
class Relationship:
    """`subject` stands in the relation `name` ("higher than", "standing on") to `object`; instance numbers."""

    subject: int
    name: str
    object: int


@dataclass(frozen=True)
class Lens:
    """The colour camera of a scan: picture size, focal lengths and principal point, pixels of the sensor."""

    width: int
    height: int
    focal_x: float
    focal_y: float
    centre_x: float
    centre_y: float


@dataclass(frozen=True)
class Scan:
    """One scan: `things` in the order of their numbers, and `poses` (4, 4) from camera to world by frame number."""

    name: str
    folder: Path
    things: list[Thing]
    relationships: list[Relationship]
    lens: Lens
    poses: dict[int, NDArray[np.float64]]


class Source:
    """A copy: a folder with 3DSSG's `objects.json` and `relationships.json` and with one folder a scan of 3RScan."""

    def __init__(self, folder: Path):
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise InputError(
                f"{self.folder}: expected a folder with a copy of 3RScan and 3DSSG, found none; check the name"
            )

    @cached_property
    def _objects(self) -> dict[str, dict]:
        return self._by_scan("objects.json")

    @cached_property
    def _relationships(self) -> dict[str, dict]:
        return self._by_scan("relationships.json")

    def _by_scan(self, name: str) -> dict[str, dict]:
        path = _present(self.folder / name, "it comes in 3DSSG.zip")
        entries = _member(files.read_json(path), "scans", list, files.shown(path))
        return {_member(entry, "scan", str, files.shown(path)): entry for entry in entries}

    def scans(self) -> list[str]:
        """The scans of `objects.json` that have a folder here, in the order of their names."""
        found = sorted(name for name in self._objects if (self.folder / name).is_dir())
        if not found:
            raise InputError(
                f"{files.shown(self.folder)}: expected a folder for at least one scan of objects.json, found none; "
                "put the scans of 3RScan beside it"
            )
        return found

    def scan(self, name: str) -> Scan:
        """Everything about one scan. Raises `InputError` for a scan that is not there and for whatever does not fit."""
        objects = files.shown(self.folder / "objects.json")
        if name not in self._objects:
            raise InputError(f"{objects}: expected the scan {name}, found no such scan; check its name")
        folder = self.folder / name
        boxes = _boxes(folder / "semseg.v2.json")
        things = []
        for entry in _member(self._objects[name], "objects", list, f"{objects}, scan {name}"):
            number = _instance(entry, ("id",), f"{objects}, scan {name}")
            where = f"{objects}, scan {name}, object {number}"
            label = _member(entry, "label", str, where)
            if number not in boxes:
                raise InputError(
                    f"{files.shown(folder / 'semseg.v2.json')}: expected an oriented box (obb) for object {number} ({label}) of "
                    f"objects.json, found none; restore the file, or leave the scan {name} out"
                )
            things.append(Thing(number, label, _attributes(entry, where), boxes[number]))
        things.sort(key=lambda thing: thing.number)
        for one, other in zip(things, things[1:], strict=False):
            if one.number == other.number:
                raise InputError(
                    f"{objects}, scan {name}: expected each object once, found {one.number} again; restore the file"
                )
        return Scan(
            name=name,
            folder=folder,
            things=things,
            relationships=self._edges(name),
            lens=_lens(folder / "sequence" / "_info.txt"),
            poses=_poses(folder / "sequence"),
        )

    def _edges(self, name: str) -> list[Relationship]:
        where = f"{files.shown(self.folder / 'relationships.json')}, scan {name}"
        edges = []
        # 3DSSG has no graph for a scan without relationships.
        graph = self._relationships.get(name, {"relationships": []})
        for place, edge in enumerate(_member(graph, "relationships", list, where), 1):
            match edge:
                case [int(subject), int(object_), int(), str(relation)]:
                    edges.append(Relationship(subject, relation, object_))
                case _:
                    raise InputError(
                        f"{where}, relationship {place}: expected two objects, a number and a name, found {_short(edge)}; "
                        "restore the file"
                    )
        return edges


def _present(path: Path, remedy: str) -> Path:
    if not path.is_file():
        raise InputError(f"{files.shown(path)}: expected a file, found none; {remedy}")
    return path


def _short(value) -> str:
    shown = " ".join(repr(value).split())
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _member(entry, key: str, kind: type, where: str):
    """`entry[key]`. Raises `InputError` where `entry` is no dictionary, or has no such member of that type."""
    value = entry.get(key) if isinstance(entry, dict) else None
    if not isinstance(value, kind):
        names = {list: "a list", str: "text", dict: "members"}
        raise InputError(f"{where}: expected {names[kind]} in {key!r}, found {_short(value)}; restore the file")
    return value


def _instance(entry, keys: Sequence[str], where: str) -> int:
    """The instance number under the first of `keys` that is there; 3DSSG writes it as text, 3RScan as a number."""
    value = next((entry[key] for key in keys if key in entry), None) if isinstance(entry, dict) else None
    try:
        return int(value)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{where}: expected a whole number in {keys[0]!r}, found {_short(value)}; restore the file"
        ) from error


def _attributes(entry: dict, where: str) -> dict[str, tuple[str, ...]]:
    attributes = _member(entry, "attributes", dict, where) if "attributes" in entry else {}
    for category in attributes:
        if not all(isinstance(word, str) for word in _member(attributes, category, list, where)):
            raise InputError(
                f"{where}: expected words in {category!r}, found {_short(attributes[category])}; restore the file"
            )
    return {category: tuple(words) for category, words in attributes.items()}


def _boxes(path: Path) -> dict[int, OrientedBox]:
    """The oriented box of every instance that has one."""
    _present(path, "download it with the scan (hidden test scans have none), or leave the scan out")
    where = files.shown(path)
    boxes = {}
    for group in _member(files.read_json(path), "segGroups", list, where):
        number = _instance(group, ("objectId", "id"), where)
        if "obb" in group:
            boxes[number] = _box(_member(group, "obb", dict, where), f"{where}, object {number}")
    return boxes


def _box(entry: dict, where: str) -> OrientedBox:
    centre = _numbers(entry.get("centroid"), 3, "centroid", where)
    lengths = _numbers(entry.get("axesLengths"), 3, "axesLengths", where)
    if min(lengths) <= 0:
        raise InputError(
            f"{where}: expected lengths above 0 in 'axesLengths', found {_short(list(lengths))}; restore the file"
        )
    axes = np.array(_numbers(entry.get("normalizedAxes"), 9, "normalizedAxes", where)).reshape(3, 3)
    if (off := _off_orthonormal(axes)) > _RIGID:
        raise InputError(
            f"{where}: expected three unit vectors at right angles in 'normalizedAxes', found them off by {off:.2g}; restore the file"
        )
    return OrientedBox(centre, lengths, tuple(tuple(axis) for axis in axes.tolist()))


def _numbers(values, count: int, name: str, where: str) -> tuple[float, ...]:
    fits = isinstance(values, list) and len(values) == count
    if not fits or not all(isinstance(value, int | float) and abs(value) <= _FARTHEST for value in values):
        raise InputError(
            f"{where}: expected {count} numbers within {_FARTHEST:.0f} m in {name!r}, found {_short(values)}; restore the file"
        )
    return tuple(float(value) for value in values)


def _off_orthonormal(axes: NDArray[np.float64]) -> float:
    """By how much the rows of a matrix miss unit length and right angles, at most."""
    return float(np.abs(axes @ axes.T - np.eye(3)).max())


def _lens(path: Path) -> Lens:
    _present(path, "unpack the scan's sequence.zip into the folder sequence")
    where = files.shown(path)
    text = path.read_text(encoding="utf-8", errors="replace")
    values = dict(re.findall(r"^\s*(\w+)\s*=\s*(.*?)\s*$", text, flags=re.MULTILINE))
    width, height = (_reals(values, key, 1, where)[0] for key in ("m_colorWidth", "m_colorHeight"))
    matrix = _reals(values, "m_calibrationColorIntrinsic", 16, where)
    # Whole numbers: a resize that keeps the proportions has to end at 384 x 216 (Table S1).
    if min(width, height) * 16 != max(width, height) * 9:
        raise InputError(
            f"{where}: expected a colour picture of 16 : 9, found {width:g} x {height:g} pixels; restore the file"
        )
    lens = Lens(int(width), int(height), matrix[0], matrix[5], matrix[2], matrix[6])
    if not (0 < lens.centre_x < width and 0 < lens.centre_y < height and min(lens.focal_x, lens.focal_y) > 0):
        raise InputError(
            f"{where}: expected focal lengths above 0 and a principal point inside {width:.0f} x {height:.0f} pixels, found "
            f"{lens.focal_x:g}, {lens.focal_y:g} and ({lens.centre_x:g}, {lens.centre_y:g}); restore the file"
        )
    return lens


def _reals(values: dict[str, str], key: str, count: int, where: str) -> list[float]:
    try:
        numbers = [float(word) for word in values[key].split()]
    except (KeyError, ValueError):
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise InputError(
            f"{where}: expected {key} = {count} number{'s' * (count > 1)}, found {_short(values.get(key))}; restore the file"
        )
    return numbers


def _poses(folder: Path) -> dict[int, NDArray[np.float64]]:
    """The pose of every frame that has one, in the order of frames."""
    paths = sorted(path for path in folder.iterdir() if _POSE_NAME.fullmatch(path.name))
    return {int(_POSE_NAME.fullmatch(path.name)[1]): _pose(path) for path in paths}


def _pose(path: Path) -> NDArray[np.float64]:
    try:
        pose = np.array([line.split() for line in path.read_text().splitlines() if line.strip()], dtype=float)
        if pose.shape != (4, 4):
            fault = f"{' x '.join(map(str, pose.shape))} numbers"
        elif not np.isfinite(pose).all():
            fault = "a number that is not finite"
        elif np.abs(pose[3] - (0, 0, 0, 1)).max() > _RIGID:
            fault = f"a last row of {' '.join(f'{value:g}' for value in pose[3])}"
        elif (off := _off_orthonormal(pose[:3, :3])) > _RIGID:
            fault = f"axes that miss unit length or right angles by {off:.2g}"
        elif np.linalg.det(pose[:3, :3]) < 0:
            fault = "a mirror image"
        else:
            return pose
    except ValueError:
        fault = "something else than rows of numbers"
    raise InputError(
        f"{files.shown(path)}: expected a rigid 4 x 4 transform from camera to world, found {fault}; "
        "restore the file, or delete it to leave the frame out"
    )
