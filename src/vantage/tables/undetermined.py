"""What FrameEvidence's print leaves open, as tables for a page."""

import pandas as pd

from vantage.published import load_ranges


def ranges_of(quantity: str) -> pd.DataFrame:
    """The ranges of one quantity, rows as `schemas.RANGES` declares them."""
    return load_ranges().query("quantity == @quantity").reset_index(drop=True)


def range_table(ranges: pd.DataFrame) -> pd.DataFrame:
    """Ranges as a reader reads them: a row a range; counts, and the bounds where they are not attained.

    >>> row = {"configuration": "X", "part": "A", "of": 4, "attained_low": 1, "attained_high": 2, "bound_low": 1}
    >>> list(range_table(pd.DataFrame([row | {"bound_high": 3}]))["Bounds"])
    ['1 to 3']
    """
    proven = (ranges["attained_low"] == ranges["bound_low"]) & (ranges["attained_high"] == ranges["bound_high"])
    bounds = ranges["bound_low"].astype(str) + " to " + ranges["bound_high"].astype(str)
    return pd.DataFrame(
        {
            "Printed row": ranges["configuration"],
            "Part": ranges["part"],
            "Of": ranges["of"],
            "Least": ranges["attained_low"],
            "Greatest": ranges["attained_high"],
            "Bounds": bounds.mask(proven, "the same"),
        }
    )
