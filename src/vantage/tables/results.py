"""What the recomputed results of both papers have in common: where each is printed and shown, and the comparison with the print."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd

from vantage.published import agrees, load_places, load_published


class Result(NamedTuple):
    """A table of results, or running text: where it is printed (none for running text), where a page shows it, and the function.

    `drawn` marks what rests on random draws of ours.
    """

    place: str | None
    anchor: str
    table: Callable[..., pd.DataFrame]
    drawn: bool = False


def against_print(paper: str, results: Sequence[Result], *arguments, drawn: bool = False) -> pd.DataFrame:
    """Every printed number that the results give: id, place, row, column, printed, decimals, recomputed, agrees.

    `arguments` are what the tables take. Numbers agree if they are the same as printed, without any tolerance. With `drawn` these are the
    numbers that rest on draws of ours, which agree by chance alone; without it all others.
    """
    places = load_places()
    tables = set(places.loc[(places["paper"] == paper) & (places["kind"] == "table"), "place"])
    found = {
        (result.place, row.row, row.column): row.value
        for result in results
        if result.drawn == drawn
        for row in result.table(*arguments).itertuples()
    }
    rows = []
    for number in load_published(paper).itertuples():
        key = (number.place if number.place in tables else None, number.row, number.column)
        if key in found:
            same = agrees(found[key], number.value, number.decimals)
            rows.append((number.id, number.place, *key[1:], number.value, number.decimals, found[key], same))
    return pd.DataFrame(
        rows, columns=["id", "place", "row", "column", "printed", "decimals", "recomputed", "agrees"]
    ).astype({"agrees": bool})
