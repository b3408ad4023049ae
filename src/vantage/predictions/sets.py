"""Opening a prediction set by name or path, and freezing one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from vantage import files, schemas
from vantage.errors import InputError
from vantage.items import AttributeQuestions, CVTItems
from vantage.predictions import attributes, cvt, triplets
from vantage.predictions.attributes import AttributeRun
from vantage.predictions.cvt import CVTRun
from vantage.predictions.runs import ANSWERED, INVALID, MISSING, set_names
from vantage.predictions.triplets import TripletRun
from vantage.triplets import TITLE

WHOLE = ("isolated", "competing")
"""The regimes in which a run asks every question of its items."""

_FILE = "predictions.parquet"
_ATTRIBUTE_FILE = "attribute_predictions.parquet"
_MANIFEST_KEY = b"vantage.manifest"
_PAPERS = {
    "cvt": (schemas.CVT_PREDICTIONS, cvt.runs_in, cvt.versions),
    "frame_evidence": (schemas.FRAME_EVIDENCE_PREDICTIONS, triplets.runs_in, triplets.versions),
}
"""For each paper: the schema of its answers, what reads the runs in them, and what says which items they answer."""


@dataclass(frozen=True)
class PredictionSet:
    """A checked set: its manifest, its runs, the file they came from, and the answers of its runs to attribute questions."""

    manifest: dict
    runs: list[CVTRun] | list[TripletRun]
    path: Path
    attribute_runs: list[AttributeRun] = field(default_factory=list)


def load(name: str | Path) -> PredictionSet:
    """The set of this name in `frozen_predictions/`, or at this path (a folder, or one Parquet file).

    Raises `InputError` for a set that does not exist, is damaged or changed since it was frozen, answers other items
    than these, repeats an item, or is less complete than its manifest says.
    """
    path, manifest = _open(name)
    where = files.shown(path)
    schema, runs_in, _ = _PAPERS[manifest["paper"]]
    runs = runs_in(schemas.read_table(path, schema), manifest, where)
    _check_tallies(manifest["runs"], runs, where)
    beside, answered = path.with_name(_ATTRIBUTE_FILE), manifest.get("attributes")
    attribute_runs = []
    if answered:
        _check_sum(beside, answered["sha256"])
        table = schemas.read_table(beside, schemas.CVT_ATTRIBUTE_PREDICTIONS)
        attribute_runs = attributes.runs_in(table, manifest, files.shown(beside))
        _check_tallies(answered["runs"], attribute_runs, files.shown(beside))
        _check_alike(runs, attribute_runs, files.shown(beside))
    return PredictionSet(manifest=manifest, runs=runs, path=path, attribute_runs=attribute_runs)


def _check_tallies(manifest: Sequence[dict], runs: Sequence, where: str) -> None:
    """Raises `InputError` where a file has other runs, or more or less complete ones, than the manifest lists."""
    declared, found = {tally["run"]: tally for tally in manifest}, {run.run: tally_of(run) for run in runs}
    if declared != found:
        name = next(name for name in (*declared, *found) if declared.get(name) != found.get(name))
        raise InputError(
            f"{where}, run {name!r}: expected {_spoken(declared.get(name))} as its manifest says, found {_spoken(found.get(name))}; "
            "restore the file, or freeze the set again"
        )


def _check_alike(runs: Sequence[CVTRun], attribute_runs: Sequence[AttributeRun], where: str) -> None:
    """Raises `InputError` where a run's attribute answers have another configuration than its spatial ones."""
    spatial = {run.run: run for run in runs}
    for run in attribute_runs:
        other = spatial.get(run.run, run)
        for name in cvt.CONFIGURATION:
            if getattr(run, name) != getattr(other, name):
                raise InputError(
                    f"{where}, run {run.run!r}: expected {name} {getattr(other, name)!r}, as the run has it in {_FILE}, "
                    f"found {getattr(run, name)!r}; correct it, or give the run a name of its own"
                )


def load_runs(
    predictions: Sequence[str | Path] | str, items: CVTItems, regime: str | Sequence[str] | None = "isolated"
) -> list[CVTRun]:
    """The runs on `items` in a context regime of the sets that a notebook's `predictions` parameter names (see `set_names`).

    Several regimes, such as `WHOLE`, take the runs of each, and None those of all. Raises `InputError` as `load` does, and where
    there is no such run.
    """
    regimes = schemas.REGIMES if regime is None else (regime,) if isinstance(regime, str) else tuple(regime)
    names = set_names(predictions)
    found = [load(name) for name in names]
    runs = [run for one in found if one.manifest["paper"] == "cvt" for run in one.runs if run.domain == items.domain]
    runs = [run for run in runs if run.regime in regimes]
    if not runs:
        asked = "" if regime is None else f" in regime {' or '.join(regimes)}"
        raise InputError(
            f"expected at least one prediction set that answers {items.title}{asked}, "
            f"found none in {list(map(str, names))}; name one"
        )
    return runs


def load_attribute_runs(
    predictions: Sequence[str | Path] | str, questions: AttributeQuestions, optional: bool = False
) -> list[AttributeRun]:
    """The runs on these attribute questions of the sets that a notebook's `predictions` parameter names (see `set_names`).

    Raises `InputError` as `load` does, and where there is no such run, unless they are `optional`.
    """
    names = set_names(predictions)
    runs = [run for name in names for run in load(name).attribute_runs if run.domain == questions.domain]
    if not runs and not optional:
        raise InputError(
            f"expected at least one prediction set that answers the attribute questions of {questions.domain}, "
            f"found none in {list(map(str, names))}; name one"
        )
    return runs


def load_triplet_runs(
    predictions: Sequence[str | Path] | str, experiment: str | None = "main", input_mode: str | None = "all_images"
) -> list[TripletRun]:
    """The runs on FrameEvidence-Open of the sets that a notebook's `predictions` parameter names (see `set_names`).

    Of one experiment and one input mode, or of all where that is None. Raises `InputError` as `load` does, and where there is no
    such run.
    """
    names = set_names(predictions)
    found = [load(name) for name in names]
    runs = [run for one in found if one.manifest["paper"] == "frame_evidence" for run in one.runs]
    runs = [run for run in runs if experiment in (None, run.experiment) and input_mode in (None, run.input_mode)]
    if not runs:
        what = " ".join(filter(None, (experiment, input_mode)))
        raise InputError(
            f"expected at least one prediction set with a run ({what or 'any'}) on {TITLE}, found none in {list(map(str, names))}; "
            "name one"
        )
    return runs


def items_of(name: str | Path) -> list[str]:
    """Which folders of `data/` have the items that a set answers, by its manifest alone. Raises `InputError` for an unknown set."""
    return list(_open(name)[1]["items"])


def tally_of(run: CVTRun | TripletRun | AttributeRun) -> dict:
    """How many questions of a run are answered, invalid and missing, as a manifest lists it."""
    return {
        "run": run.run,
        "answered": int((run.status == ANSWERED).sum()),
        "invalid": int((run.status == INVALID).sum()),
        "missing": int((run.status == MISSING).sum()),
    }


def freeze(
    table: pa.Table,
    folder: Path,
    *,
    title: str,
    about: str,
    made_by: str,
    license: str = "CC BY 4.0",
    attribute_answers: pa.Table | None = None,
    **more,
) -> PredictionSet:
    """Write a set, `predictions.parquet` with the manifest inside and beside it, and load it back.

    `table` has the answers of one paper, as `vantage.schemas` declares them, and `attribute_answers` those to the attribute
    questions, which go into `attribute_predictions.parquet` beside it. `more` takes the manifest's optional fields (`seed`, `targets`).
    Nothing is written unless both tables can be loaded: raises `InputError` as `load` does.
    """
    paper = "frame_evidence" if "input_mode" in table.column_names else "cvt"
    schema, runs_in, versions = _PAPERS[paper]
    table = schema.check(table, "predictions")
    path = Path(folder) / _FILE
    beside = path.with_name(_ATTRIBUTE_FILE)
    manifest = {
        "set": table["set"][0].as_py(),
        "paper": paper,
        "kind": table["kind"][0].as_py(),
        "title": title,
        "about": about,
        "items": versions(table),
        **more,
        "made_by": made_by,
        "license": license,
    }
    runs = runs_in(table, manifest, files.shown(path))
    manifest["runs"] = [tally_of(run) for run in runs]
    # The file's own manifest is about this file alone, whose checksum cannot stand in it.
    inside = {_MANIFEST_KEY: json.dumps(manifest | {"sha256": "0" * 64}, ensure_ascii=False)}
    if attribute_answers is not None:
        attribute_answers = schemas.CVT_ATTRIBUTE_PREDICTIONS.check(attribute_answers, "attribute predictions")
        manifest["items"] |= attributes.versions(attribute_answers)
        attribute_runs = attributes.runs_in(attribute_answers, manifest, files.shown(beside))
        _check_alike(runs, attribute_runs, files.shown(beside))
        schemas.write_table(attribute_answers, schemas.CVT_ATTRIBUTE_PREDICTIONS, beside)
        tallies = [tally_of(run) for run in attribute_runs]
        manifest["attributes"] = {"sha256": files.sha256(beside), "runs": tallies}
    schemas.write_table(table, schema, path, inside)
    files.write_json(manifest | {"sha256": files.sha256(path)}, path.with_name("manifest.json"))
    if attribute_answers is None:
        beside.unlink(missing_ok=True)
    return load(path.parent)


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
            path = path / _FILE
            _check_sum(path, manifest["sha256"])
            return path, manifest
    if given.is_file():
        return given, _embedded_manifest(files.reading(given))
    names = sorted(folder.name for folder in frozen.iterdir() if folder.is_dir())
    raise InputError(
        f"expected a prediction set among {', '.join(names)}, or a path to one, found {str(name)!r}; check the spelling"
    )


def _check_sum(path: Path, checksum: str) -> None:
    if files.sha256(files.reading(path)) != checksum:
        raise InputError(
            f"{files.shown(path)}: expected the checksum in its manifest.json, found another (the file changed since it was "
            "frozen); restore it, or freeze the set again"
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
