"""What every group of FrameEvidence-Open must be: the frozen file `data/frame_evidence/strata.csv`.

The strata of the test groups were solved jointly with the printed scores (`vantage_workshop.witness.strata`), so that a witness for
those scores exists. Items are made from the file alone.
"""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from vantage import files
from vantage.errors import InputError
from vantage.schemas import ORDINAL_CHANGES, SETTINGS, SOURCES, SPLITS

FILE = "strata.csv"

_COLUMNS = {
    "group": r"fq[12]-\d{3}",
    "family": "FQ1|FQ2",
    "split": "|".join(SPLITS),
    "scene": r"scene-\d{2}",
    "image_component": r"image-\d{2}",
    "setting": "|".join(SETTINGS),
    "source": "|".join(SOURCES),
    "ontology": "axial|quadrant",
    "base_size": "[234]",
    "golds": "[A-D]{3}",
    "insufficient": "[A-D]?",
    "tag": "camera|object|world|",
    "ordinal_change": "|".join((*ORDINAL_CHANGES, "")),
    "out_of_range": "yes|no|",
    "camera_heading": "yes|no|",
}
"""The columns of the file, and what a cell of each looks like as a regular expression."""


@dataclass(frozen=True)
class Stratum:
    """One group: where it belongs, and what its questions must be. `golds` are the gold letters of its three conditions."""

    group: str
    family: str
    split: str
    scene: str
    component: str
    setting: str
    source: str
    ontology: str
    base_size: int
    golds: str
    insufficient: str
    tag: str
    ordinal_change: str
    out_of_range: bool
    camera_heading: bool


def read_strata(path: Path) -> list[Stratum]:
    """The groups in the order of the file.

    Raises `InputError` for a file with other columns, and for a cell that its column does not allow.
    """
    frame = pd.read_csv(files.reading(path), dtype=str, keep_default_na=False)
    if list(frame.columns) != list(_COLUMNS):
        raise InputError(
            f"{files.shown(path)}, row 1: expected columns {','.join(_COLUMNS)}, found {','.join(frame.columns)}; "
            "restore the file, or make it with vantage_workshop.witness.strata"
        )
    for column, pattern in _COLUMNS.items():
        if (wrong := ~frame[column].str.fullmatch(pattern)).any():
            row = int(wrong.idxmax())
            raise InputError(
                f"{files.shown(path)}, row {row + 2}: expected {column} to be like {pattern}, found {frame[column][row]!r}; "
                "restore the file, or make it with vantage_workshop.witness.strata"
            )
    frame = frame.rename(columns={"image_component": "component"})
    frame["base_size"] = frame["base_size"].astype(int)
    for flag in ("out_of_range", "camera_heading"):
        frame[flag] = frame[flag] == "yes"
    return [Stratum(**row) for row in frame.to_dict("records")]
