"""What every group of FrameEvidence-Open must be: the frozen file `data/frame_evidence/strata.csv`.

The strata of the test groups were solved jointly with the printed scores (`vantage_workshop.witness.strata`), so that a witness for
those scores exists. Items are made from the file alone.
"""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from vantage import files

FILE = "strata.csv"


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
    """The groups in the order of the file."""
    frame = pd.read_csv(files.reading(path), dtype=str, keep_default_na=False)
    frame = frame.rename(columns={"image_component": "component"})
    frame["base_size"] = frame["base_size"].astype(int)
    for flag in ("out_of_range", "camera_heading"):
        frame[flag] = frame[flag] == "yes"
    return [Stratum(**row) for row in frame.to_dict("records")]
