"""A folder of items, written whole or not at all."""

import os
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from vantage import files, schemas
from vantage.items import content_hash


@dataclass(frozen=True)
class About:
    """What a manifest says of its items beside their version and checksums (`vantage.schemas.ITEMS_MANIFEST`)."""

    items: str
    title: str
    made_by: str
    seed: int
    license: str


def write_items(
    folder: Path,
    about: About,
    tables: Mapping[str, pa.Table],
    kinds: Mapping[str, schemas.Schema],
    beside: Collection[str] = (),
    texts: Mapping[str, str] | None = None,
) -> None:
    """Write all files of the items, and only then move them into `folder`: a broken run leaves the old items whole.

    `tables` become Parquet files by the schemas `kinds`; those `beside` the items do not enter the items' version. `texts` are
    further files, by name, with their content.
    """
    manifest = {
        "items": about.items,
        "title": about.title,
        "version": content_hash({name: table for name, table in tables.items() if name not in beside}),
        "made_by": about.made_by,
        "seed": about.seed,
        "files": {},
        "license": about.license,
    }
    metadata = {name: str(value) for name, value in manifest.items() if name != "files"}
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as new:
        for name, table in tables.items():
            path = Path(new) / f"{name}.parquet"
            schemas.write_table(table, kinds[name], path, metadata)
            manifest["files"][path.name] = files.sha256(path)
        for name, text in (texts or {}).items():
            path = Path(new) / name
            path.write_text(text, encoding="utf-8")
            manifest["files"][path.name] = files.sha256(path)
        files.write_json(manifest, Path(new) / "manifest.json")
        for name in (*manifest["files"], "manifest.json"):
            os.replace(Path(new) / name, folder / name)
