"""The printed numbers of the papers, and how a recomputed number is compared with one.

`data/published/README.md` says what counts as a printed number and how the numbers were proof-read.
"""

from fractions import Fraction
from functools import cache

import pandas as pd
import pyarrow as pa
import pyarrow.csv

from vantage import files, schemas
from vantage.errors import InputError

PAPERS = {"cvt": "CVT-Bench", "frame_evidence": "FrameEvidence"}
"""The papers by the name that files use."""

ARXIV = {"cvt": "2603.21114", "frame_evidence": "2610.19564"}
"""Where to find them."""


@cache
def load_published(paper: str = "cvt") -> pd.DataFrame:
    """All transcribed numbers of a paper, as `schemas.PUBLISHED` declares them.

    Raises `InputError` for an unknown paper and for a table that does not fit the schema.
    """
    if paper not in PAPERS:
        raise InputError(f"expected a paper among {', '.join(PAPERS)}, found {paper!r}")
    path = files.root() / "data" / "published" / f"{paper}.csv"
    return _read(path, schemas.PUBLISHED)


@cache
def load_places() -> pd.DataFrame:
    """Every section, table and figure of both papers in their order, as `schemas.PLACES` declares them."""
    return _read(files.root() / "data" / "published" / "places.csv", schemas.PLACES)


@cache
def load_derived(paper: str = "cvt") -> pd.DataFrame:
    """The printed numbers that follow from other printed ones, as `schemas.DERIVED` declares them."""
    return _read(files.root() / "data" / "published" / f"{paper}_derived.csv", schemas.DERIVED)


@cache
def load_doubts(paper: str = "cvt") -> tuple[pd.DataFrame, pd.DataFrame]:
    """The readings under which printed numbers contradict each other, and the tensions short of a contradiction, as
    `schemas.CONFLICTS` and `schemas.TENSIONS` declare them."""
    folder = files.root() / "data" / "published"
    return _read(folder / f"{paper}_conflicts.csv", schemas.CONFLICTS), _read(
        folder / f"{paper}_tensions.csv", schemas.TENSIONS
    )


@cache
def load_ranges() -> pd.DataFrame:
    """How far FrameEvidence's print leaves open what it does not print, as `schemas.RANGES` declares it.

    Raises `InputError` also where a bound is passed by what was attained, or leaves what can be counted.
    """
    path = files.root() / "data" / "frame_evidence" / "ranges.csv"
    ranges = _read(path, schemas.RANGES)
    ends = ranges[["bound_low", "attained_low", "attained_high", "bound_high", "of"]]
    ordered = (ends.diff(axis=1).iloc[:, 1:] >= 0).all(axis=1) & (ends["bound_low"] >= 0)
    met = (ends["attained_low"] == ends["bound_low"]) & (ends["attained_high"] == ends["bound_high"])
    if not (fits := ordered & (met == (ranges["proven"] == "yes"))).all():
        raise InputError(
            f"{files.shown(path)}, row {fits.to_numpy().argmin() + 1}: expected 0 <= bound_low <= attained_low <= "
            "attained_high <= bound_high <= of, and proven where attained and bound are one; make the file anew"
        )
    return ranges


@cache
def load_cell_ranges() -> pd.DataFrame:
    """How far witnesses of CVT-Bench differ in what is printed of no single cell, as `schemas.CELL_RANGES` declares it.

    Fractions; `place` is empty text where a statistic has none. Raises `InputError` also where ends are not ordered fractions, or
    the rows are not all over the same witnesses, two or more.
    """
    path = files.root() / "data" / "cvt" / "ranges.csv"
    ranges = _read(path, schemas.CELL_RANGES)
    fits = (
        (ranges["low"] >= 0)
        & (ranges["low"] <= ranges["high"])
        & (ranges["high"] <= 1)
        & (ranges["witnesses"] >= 2)
        & (ranges["witnesses"] == ranges["witnesses"].max())
    )
    if not fits.all():
        raise InputError(
            f"{files.shown(path)}, row {fits.to_numpy().argmin() + 1}: expected 0 <= low <= high <= 1 over two or more witnesses, as "
            "many as in all rows; make the file anew"
        )
    return ranges.assign(place=ranges["place"].fillna(""))


def _read(path, schema: schemas.Schema) -> pd.DataFrame:
    try:
        table = pa.csv.read_csv(
            files.reading(path),
            # An unknown column keeps its own type and is then refused by the schema.
            convert_options=pa.csv.ConvertOptions(
                column_types=schema.arrow, strings_can_be_null=True, quoted_strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        raise InputError(f"{files.shown(path)}: {str(error).splitlines()[0]}; restore or correct the file") from error
    return schema.check(table, files.shown(path)).to_pandas()


def as_printed(value: float | Fraction, decimals: int) -> str:
    """`value` rounded to `decimals` as the papers print it: halves to the even digit, on the exact value of a `Fraction`.

    What is not a number reads undefined.

    >>> as_printed(Fraction(28125, 1000), 2), as_printed(Fraction(625, 100), 1), as_printed(0.4, 3)
    ('28.12', '6.2', '0.400')
    """
    if value != value:
        return "undefined"
    rounded = round(value if isinstance(value, Fraction) else Fraction(repr(float(value))), decimals)
    text = f"{float(rounded):.{decimals}f}"
    # Minus zero is printed as zero.
    return text.lstrip("-") if not rounded else text


def counts_as_printed(percent: float, decimals: int, total: int) -> list[int]:
    """The whole numbers of `total` questions whose share is printed as this percentage, in rising order; there may be none.

    >>> counts_as_printed(70.0, 1, 60), counts_as_printed(70.1, 1, 60)
    ([42], [])
    """
    nearest = round(percent * total / 100)
    reach = 1 + total // (100 * 10**decimals)
    return [
        count
        for count in range(max(nearest - reach, 0), min(nearest + reach, total) + 1)
        if agrees(Fraction(100 * count, total), percent, decimals)
    ]


def agrees(recomputed: float | Fraction, printed: float, decimals: int) -> bool:
    """Whether a recomputed number equals a printed one at the printed precision. Not a number never does."""
    return recomputed == recomputed and as_printed(recomputed, decimals) == as_printed(printed, decimals)
