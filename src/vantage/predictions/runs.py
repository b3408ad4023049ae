"""What runs of both papers have in common: what became of a question, titles, and the checks of their rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pandas as pd

from vantage.errors import InputError

ANSWERED, INVALID, MISSING, NOT_ASKED = 0, 1, 2, 3
"""What became of a question in a run. Not asked: it belongs to a split or family that the run leaves out, or not to its experiment."""

NO_BLOCK = -1
"""The block of an answer for which none is recorded."""

PROVENANCE = {
    "measured": "answers that a model or a person really gave to these items",
    "reference": "answers of a responder whose mechanism is known, really run on these items",
    "reconstructed": "item-level answers solved for so that they agree with what a paper printed; "
    "a single answer in them says nothing about any model",
}
"""What each kind of set rests on, as every page says it."""


class Run(Protocol):
    """What the runs of both papers have."""

    set: str
    kind: str
    title: str
    run: str
    about: str


def set_names(predictions: Sequence[str | Path] | str) -> list[str | Path]:
    """The names in a notebook's `predictions` parameter: a list, or the text by which a list arrives from a command line.

    >>> set_names("[reference_oracle, my_model]")
    ['reference_oracle', 'my_model']
    """
    if isinstance(predictions, str):
        return [part for name in predictions.strip("[]").split(",") if (part := name.strip(" '\""))]
    return list(predictions)


def check_item_level(runs: Sequence[Run]) -> None:
    """Refuse to show single answers of a witness. Raises `InputError` for a reconstructed run.

    Everything that shows answers one by one calls this: a single answer that was solved for says nothing about any model.
    """
    for run in runs:
        if run.kind == "reconstructed":
            raise InputError(
                f"expected reference or measured runs where single answers are shown, found {run.title!r} of kind reconstructed; "
                "name another set"
            )


def at(where: str, rows: pd.Series, message: str) -> InputError:
    """An error at the first of the marked rows of a file."""
    return InputError(f"{where}, row {rows.idxmax() + 1}: {message}")


def check_head(frame: pd.DataFrame, manifest: dict, configuration: Sequence[str], where: str) -> None:
    """Raises `InputError`, naming the row of the file from 1, for a set or kind other than the manifest's and for a run that
    mixes configurations."""
    for column in ("set", "kind"):
        if (odd := frame[column] != manifest[column]).any():
            raise at(
                where,
                odd,
                f"expected {column} {manifest[column]!r} as the manifest says, found {frame[column][odd.idxmax()]!r}; freeze the set again",
            )
    # An empty cell is a value here, and None does not equal itself in a frame.
    values = frame[list(configuration)].astype(object).where(frame[list(configuration)].notna(), "")
    if (mixed := (values != values.groupby(frame["run"]).transform("first")).any(axis=1)).any():
        raise at(
            where,
            mixed,
            f"expected one {', '.join(configuration)} a run, found a second in run {frame['run'][mixed.idxmax()]!r}; "
            "give it a run of its own",
        )


def check_version(manifest: dict, items: str, version: str, where: str) -> None:
    """Raises `InputError` where a set answers another version of the items in the folder `items` of `data/`."""
    if (answered := manifest["items"].get(items)) != version:
        raise InputError(
            f"{where}: expected answers to version {version[:12]} of {items}, found answers to {str(answered)[:12]}; "
            "answer the present items and freeze the set again"
        )


def places_of(asked: pd.Series, known: pd.Series, items: str, where: str) -> pd.Series:
    """The place among the `known` items of each one `asked`, along the rows of a file.

    Raises `InputError`, naming the row of the file from 1, for an item that is not in the folder `items` of `data/`.
    """
    places = pd.Series(pd.Index(known).get_indexer(asked), index=asked.index)
    if (unknown := places < 0).any():
        raise at(where, unknown, f"expected an item of {items}, found {asked[unknown.idxmax()]!r}; correct the item")
    return places


def titles(title: str, runs: pd.DataFrame, words: Mapping[str, Mapping]) -> dict[str, str]:
    """What tables call each run of a set: the set's title, and that in which the runs differ.

    `runs` has the column run and those of a configuration, one row a run; `words` says for each column how its values are
    spoken, where that is not the value itself: an empty word for what goes without saying. Runs that would still share a
    title also show their names.
    """
    telling = [column for column in words if runs[column].nunique(dropna=False) > 1]
    spoken = {}
    for row in runs.to_dict("records"):
        said = [words[column].get(row[column], str(row[column])) for column in telling if pd.notna(row[column])]
        spoken[row["run"]] = ", ".join([title, *filter(None, said)])
    shared = {name for name, times in Counter(spoken.values()).items() if times > 1}
    return {run: f"{name} ({run})" if name in shared else name for run, name in spoken.items()}
