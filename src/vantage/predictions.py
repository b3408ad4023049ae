"""Prediction sets: answers with their provenance, loaded, checked against the items they answer, and frozen.

A set is a folder of `frozen_predictions/` (or anywhere) with `manifest.json` and `predictions.parquet`, or a single
Parquet file that carries its manifest inside. A reply that could not be read is *invalid* (a row whose answer is empty), a
question without a row is *missing*; neither is ever guessed, and both count as wrong.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from vantage import files, schemas
from vantage.errors import InputError
from vantage.items import CVTItems, encode_answers, load_cvt
from vantage.relations import decode

ANSWERED, INVALID, MISSING = 0, 1, 2
"""What became of a question in a run."""

NO_BLOCK = -1
"""The block of an answer for which none is recorded."""

PROVENANCE = {
    "measured": "answers that a model or a person really gave to these items",
    "reference": "answers of a responder whose mechanism is known, really run on these items",
    "reconstructed": "item-level answers solved for so that they agree with what a paper printed; "
    "a single answer in them says nothing about any model",
}
"""What each kind of set rests on, as every page says it."""

_MANIFEST_KEY = b"vantage.manifest"
_CONFIGURATION = ("model", "domain", "regime", "representation")


@dataclass(frozen=True)
class CVTRun:
    """One complete pass over the questions of one CVT domain under one configuration.

    `answers`, `status` and `block` run along the rows of `CVTItems.questions`: relation sets (0 where there is none);
    `ANSWERED`, `INVALID` or `MISSING`; and the batch of scenes that shared a prompt, -1 where none is recorded. `title` is
    what tables and legends call the run, `about` how its answers come about.
    """

    set: str
    kind: str
    title: str
    run: str
    model: str
    domain: str
    regime: str
    representation: str
    about: str
    answers: NDArray[np.uint8]
    status: NDArray[np.uint8]
    block: NDArray[np.int16]


@dataclass(frozen=True)
class PredictionSet:
    """A checked set: its manifest, its runs, and the file it came from."""

    manifest: dict
    runs: list[CVTRun]
    path: Path


def load(name: str | Path) -> PredictionSet:
    """The set of this name in `frozen_predictions/`, or at this path (a folder, or one Parquet file).

    Raises `InputError` for a set that does not exist, is damaged or changed since it was frozen, answers other items
    than these, repeats an item, or is less complete than its manifest says.
    """
    path, manifest = _open(name)
    where = files.shown(path)
    if manifest["paper"] != "cvt":
        raise InputError(
            f"{where}: expected a set that answers CVT-Bench items, found one for {manifest['paper']}; choose another set"
        )
    table = schemas.read_table(path, schemas.CVT_PREDICTIONS)
    runs = _runs(table, manifest, where)
    if (declared := {tally["run"]: tally for tally in manifest["runs"]}) != (
        found := {run.run: tally_of(run) for run in runs}
    ):
        name = next(name for name in (*declared, *found) if declared.get(name) != found.get(name))
        raise InputError(
            f"{where}, run {name!r}: expected {_spoken(declared.get(name))} as its manifest says, found {_spoken(found.get(name))}; "
            "restore the file, or freeze the set again"
        )
    return PredictionSet(manifest=manifest, runs=runs, path=path)


def tally_of(run: CVTRun) -> dict:
    """How many questions of a run are answered, invalid and missing, as a manifest lists it."""
    return {
        "run": run.run,
        "answered": int((run.status == ANSWERED).sum()),
        "invalid": int((run.status == INVALID).sum()),
        "missing": int((run.status == MISSING).sum()),
    }


def _spoken(tally: dict | None) -> str:
    return (
        "no such run"
        if tally is None
        else ", ".join(f"{count} {what}" for what, count in tally.items() if what != "run")
    )


def _open(name: str | Path) -> tuple[Path, dict]:
    """The Parquet file of a set and its manifest."""
    given = Path(name)
    frozen = files.root() / "frozen_predictions"
    for path in (frozen / given, given):
        if path.is_dir():
            manifest = schemas.read_manifest(path / "manifest.json", schemas.PREDICTIONS_MANIFEST)
            path = files.reading(path / "predictions.parquet")
            if files.sha256(path) != manifest["sha256"]:
                raise InputError(
                    f"{files.shown(path)}: expected the checksum in its manifest.json, found another (the file changed since it was "
                    "frozen); restore it, or freeze the set again"
                )
            return path, manifest
    if given.is_file():
        return given, _embedded_manifest(files.reading(given))
    names = sorted(folder.name for folder in frozen.iterdir() if folder.is_dir())
    raise InputError(
        f"expected a prediction set among {', '.join(names)}, or a path to one, found {str(name)!r}; check the spelling"
    )


def _embedded_manifest(path: Path) -> dict:
    """The manifest that `freeze` puts into the Parquet file itself."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{files.shown(path)}: expected a whole Parquet file, found one that cannot be read (cut short?); restore it"
        ) from error
    if _MANIFEST_KEY not in metadata:
        raise InputError(
            f"{files.shown(path)}: expected a prediction set with its manifest inside, found a plain table; "
            "write it with vantage.predictions.freeze"
        )
    return schemas.check_manifest(json.loads(metadata[_MANIFEST_KEY]), schemas.PREDICTIONS_MANIFEST, files.shown(path))


def _runs(table: pa.Table, manifest: dict, where: str) -> list[CVTRun]:
    """The runs in a table of predictions, each along the questions it answers.

    Raises `InputError`, naming the row of the file from 1, for a set or kind other than the manifest's, for an unknown
    item or word, and for a run that mixes configurations; and for items of another version.
    """
    frame = table.drop_columns(["answer", "reply"]).to_pandas()
    for column in ("set", "kind"):
        if (odd := frame[column] != manifest[column]).any():
            raise _at(
                where,
                odd,
                f"expected {column} {manifest[column]!r} as the manifest says, found {frame[column][odd.idxmax()]!r}; freeze the set again",
            )
    configuration = frame[list(_CONFIGURATION)]
    if (mixed := (configuration != configuration.groupby(frame["run"]).transform("first")).any(axis=1)).any():
        raise _at(
            where,
            mixed,
            f"expected one {', '.join(_CONFIGURATION)} a run, found a second in run {frame['run'][mixed.idxmax()]!r}; "
            "give it a run of its own",
        )
    titles = _titles(manifest["title"], configuration.assign(run=frame["run"]).drop_duplicates())
    if (below := frame["block"] < 0).any():
        raise _at(where, below, "expected a block counted from 0, or none, found one below 0; correct the block")
    blocks = frame["block"].fillna(NO_BLOCK)
    runs = []
    for domain, rows in frame.groupby("domain", sort=False):
        items = load_cvt(domain)
        if (version := manifest["items"].get(f"cvt/{domain}")) != items.version:
            raise InputError(
                f"{where}: expected answers to version {items.version[:12]} of cvt/{domain}, found answers to {str(version)[:12]}; "
                "answer the present items and freeze the set again"
            )
        places = pd.Series(pd.Index(items.questions["item"]).get_indexer(rows["item"]), index=rows.index)
        if (places < 0).any():
            raise _at(
                where,
                places < 0,
                f"expected an item of cvt/{domain}, found {rows['item'][(places < 0).idxmax()]!r}; correct the item",
            )
        of_scene = [rows["run"], items.questions["scene"].to_numpy()[places]]
        if (split := blocks[rows.index] != blocks[rows.index].groupby(of_scene).transform("first")).any():
            raise _at(where, split, "expected one block a scene and run, found a second; give it a run of its own")
        words = table["answer"].take(pa.array(rows.index))
        masks = encode_answers(words, items.questions["viewpoint"].iloc[places], where, rows.index)
        valid = words.is_valid().to_numpy()
        for run, rows_of_run in rows.groupby("run", sort=False):
            here = rows.index.get_indexer(rows_of_run.index)
            answers = np.zeros(len(items.questions), dtype=np.uint8)
            status = np.full(len(items.questions), MISSING, dtype=np.uint8)
            answers[places.iloc[here]] = masks[here]
            status[places.iloc[here]] = np.where(valid[here], ANSWERED, INVALID)
            block = np.full(len(items.questions), NO_BLOCK, dtype=np.int16)
            block[places.iloc[here]] = blocks[rows_of_run.index]
            runs.append(
                CVTRun(
                    manifest["set"],
                    manifest["kind"],
                    titles[run],
                    run,
                    **configuration.loc[rows_of_run.index[0]],
                    about=manifest["about"],
                    answers=answers,
                    status=status,
                    block=block,
                )
            )
    return runs


def _titles(title: str, runs: pd.DataFrame) -> dict[str, str]:
    """What tables call each run of a set: the set's title, and that in which the runs differ.

    `runs` has the columns run and those of a configuration. The isolated regime, where pages begin, goes without saying.
    Runs that would still share a title also show their names.
    """
    telling = [column for column in _CONFIGURATION if runs[column].nunique() > 1]
    titles = {
        row["run"]: ", ".join([title, *(row[column] for column in telling if row[column] != "isolated")])
        for row in runs.to_dict("records")
    }
    shared = {name for name, times in Counter(titles.values()).items() if times > 1}
    return {run: f"{name} ({run})" if name in shared else name for run, name in titles.items()}


def _at(where: str, rows: pd.Series, message: str) -> InputError:
    """An error at the first of the marked rows of a file."""
    return InputError(f"{where}, row {rows.idxmax() + 1}: {message}")


def set_names(predictions: Sequence[str | Path] | str) -> list[str | Path]:
    """The names in a notebook's `predictions` parameter: a list, or the text by which a list arrives from a command line.

    >>> set_names("[reference_oracle, my_model]")
    ['reference_oracle', 'my_model']
    """
    if isinstance(predictions, str):
        return [part for name in predictions.strip("[]").split(",") if (part := name.strip(" '\""))]
    return list(predictions)


def load_runs(
    predictions: Sequence[str | Path] | str, items: CVTItems, regime: str | None = "isolated"
) -> list[CVTRun]:
    """The runs on `items` in a context regime of the sets that a notebook's `predictions` parameter names (see `set_names`).

    A regime of None takes the runs of all regimes. Raises `InputError` as `load` does, and where there is no such run.
    """
    names = set_names(predictions)
    runs = [run for name in names for run in load(name).runs if run.domain == items.domain]
    runs = [run for run in runs if regime in (None, run.regime)]
    if not runs:
        raise InputError(
            f"expected at least one prediction set that answers {items.title}{f' in regime {regime}' if regime else ''}, "
            f"found none in {list(map(str, names))}; name one"
        )
    return runs


def check_item_level(runs: Sequence[CVTRun]) -> None:
    """Refuse to show single answers of a witness. Raises `InputError` for a reconstructed run.

    Everything that shows answers one by one calls this: a single answer that was solved for says nothing about any model.
    """
    for run in runs:
        if run.kind == "reconstructed":
            raise InputError(
                f"expected reference or measured runs where single answers are shown, found {run.title!r} of kind reconstructed; "
                "name another set"
            )


def cvt_table(
    items: CVTItems,
    answers: NDArray[np.uint8],
    status: NDArray[np.uint8] | None = None,
    block: NDArray[np.int16] | None = None,
    **head: str,
) -> pa.Table:
    """Predictions in words from relation sets along `items.questions`: one row for every question that is not missing.

    `status` and `block` are as `CVTRun` has them. `head` has the columns set, kind, run, model, regime and representation.
    """
    status = np.full(len(answers), ANSWERED) if status is None else status
    block = np.full(len(answers), NO_BLOCK) if block is None else block
    return schemas.table_of(
        [
            {
                **head,
                "domain": items.domain,
                "item": item,
                "answer": list(decode(answer, viewpoint)) if state == ANSWERED else None,
                "block": batch if batch != NO_BLOCK else None,
            }
            for item, viewpoint, answer, state, batch in zip(
                items.questions["item"],
                items.questions["viewpoint"],
                answers.tolist(),
                status.tolist(),
                block.tolist(),
                strict=True,
            )
            if state != MISSING
        ],
        schemas.CVT_PREDICTIONS,
    )


def freeze(
    table: pa.Table, folder: Path, *, title: str, about: str, made_by: str, license: str = "CC BY 4.0", **more
) -> PredictionSet:
    """Write a CVT set, `predictions.parquet` with the manifest inside and beside it, and load it back.

    `more` takes the manifest's optional fields (`seed`, `targets`). Nothing is written unless the table can be loaded:
    raises `InputError` as `load` does.
    """
    table = schemas.CVT_PREDICTIONS.check(table, "predictions")
    path = Path(folder) / "predictions.parquet"
    manifest = {
        "set": table["set"][0].as_py(),
        "paper": "cvt",
        "kind": table["kind"][0].as_py(),
        "title": title,
        "about": about,
        "items": {f"cvt/{domain}": load_cvt(domain).version for domain in table["domain"].unique().to_pylist()},
        **more,
        "made_by": made_by,
        "license": license,
    }
    manifest["runs"] = [tally_of(run) for run in _runs(table, manifest, files.shown(path))]
    # The checksum of the file cannot stand in the file.
    inside = {_MANIFEST_KEY: json.dumps(manifest | {"sha256": "0" * 64}, ensure_ascii=False)}
    schemas.write_table(table, schemas.CVT_PREDICTIONS, path, inside)
    files.write_json(manifest | {"sha256": files.sha256(path)}, path.with_name("manifest.json"))
    return load(path.parent)
