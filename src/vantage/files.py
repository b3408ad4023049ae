"""Where the compendium's files are, which of them a computation read, and how a file is written whole or not at all."""

import hashlib
import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

from vantage.errors import InputError

READ_LOG = "VANTAGE_READ_LOG"
"""Environment variable: a file to which every input that a loader opens is appended, one path a line. `vantage run`
sets it, so that a notebook depends on exactly what it read."""


def root() -> Path:
    """The folder of the compendium: the nearest one upwards from the working folder, else from this file, that holds
    both `data/` and `frozen_predictions/`.

    Raises `InputError` where there is none.
    """
    for start in (Path.cwd(), Path(__file__).resolve().parent):
        for folder in (start, *start.parents):
            if (folder / "data").is_dir() and (folder / "frozen_predictions").is_dir():
                return folder
    raise InputError(
        f"expected to run inside the compendium, found no data/ and frozen_predictions/ above {Path.cwd()}; "
        "change into the cloned folder"
    )


def reading(path: Path) -> Path:
    """`path`, noted as read. Raises `InputError` where no such file exists."""
    path = Path(path)
    if not path.is_file():
        raise InputError(
            f"{shown(path)}: expected a file, found none; check the name, or restore it from the repository"
        )
    if log := os.environ.get(READ_LOG):
        with open(log, "a", encoding="utf-8") as lines:
            lines.write(f"{path.resolve()}\n")
    return path


def shown(path: Path) -> str:
    """`path` as a message or a manifest names it: relative to the compendium where it lies inside."""
    try:
        return Path(path).resolve().relative_to(root().resolve()).as_posix()
    except (ValueError, InputError):
        return str(path)


def sha256(path: Path) -> str:
    """The SHA-256 checksum of a file's bytes, in hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def replacing(path: Path):
    """A temporary path beside `path` to write to; it is moved into place when the block ends without an error, and
    removed otherwise, so that a reader never meets half a file."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=path.suffix)
    os.close(handle)
    os.chmod(name, 0o644)
    try:
        yield Path(name)
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


def write_json(value, path: Path) -> None:
    """Write `value` as indented UTF-8 JSON, whole or not at all."""
    with replacing(path) as beside:
        beside.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path: Path):
    """The JSON value in a file. Raises `InputError` where the file is missing or is not JSON."""
    try:
        return json.loads(reading(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{shown(path)}{where}: expected JSON, found something else; restore the file") from error
