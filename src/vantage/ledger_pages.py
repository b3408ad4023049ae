"""The ledger and the map of the papers as a reader sees them."""

from html import escape

import pandas as pd
from IPython.display import HTML

from vantage.ledger import SOURCES, by_basis, by_place
from vantage.panels import scrolling, table
from vantage.published import PAPERS, as_printed, load_places
from vantage.schemas import STATUSES


def counts_by_place(entries: pd.DataFrame) -> HTML:
    """How many numbers of each place have each status."""
    counts = by_place(entries)
    counts = counts.loc[:, counts.any()].rename(index=PAPERS, level="paper")
    total = pd.DataFrame(counts.sum()).T.set_axis(pd.MultiIndex.from_tuples([("All", "")]))
    frame = pd.concat([counts, total]).rename_axis(["Paper", "Place"]).reset_index()
    return table(frame, "Printed numbers by place and status; counts.")


def counts_by_basis(entries: pd.DataFrame) -> HTML:
    """How many recomputed numbers of each basis agree."""
    return table(by_basis(entries).rename_axis("Basis").reset_index(), "Recomputed numbers by basis; counts.")


def rows(entries: pd.DataFrame) -> HTML:
    """Every entry, one fold a place; a recomputed number links to the cell that computes it."""
    folds = []
    for (paper, place), numbers in entries.groupby(["paper", "place"], sort=False):
        tally = ", ".join(
            f"{count} {status}" for status in STATUSES if (count := int((numbers.status == status).sum()))
        )
        frame = pd.DataFrame(
            {
                "Number": numbers.row + ", " + numbers.column,
                "Printed": [
                    as_printed(value, decimals)
                    for value, decimals in zip(numbers.printed, numbers.decimals, strict=True)
                ],
                "Recomputed": [_recomputed(entry) for entry in numbers.itertuples()],
                "Status": numbers.status,
                "Basis": numbers.basis.fillna(""),
                "Why": numbers.reason.fillna(""),
            }
        )
        folds.append(
            f'<details class="ledger-place"><summary><strong>{escape(place)}</strong>, {PAPERS[paper]}: {tally}</summary>'
            f"{scrolling(frame, f'{PAPERS[paper]}, {place}', markup=['Recomputed'])}</details>"
        )
    return HTML("".join(folds))


def _recomputed(entry) -> str:
    """The recomputed number at the printed precision, or one decimal more where it differs, as a link to its cell."""
    if pd.isna(entry.recomputed):
        return ""
    text = as_printed(entry.recomputed, entry.decimals + (entry.status == "differs"))
    return f'<a href="{_address(entry.source)}">{text}</a>'


def _address(source: str) -> str:
    """The address of a page's cell from a page in results/reference/."""
    page, _, anchor = source.partition("#")
    return f"../{page}.html#{anchor}"


def paper_map(paper: str, entries: pd.DataFrame) -> HTML:
    """Every section, table and figure of a paper in reading order: the page that treats it, and its ledger counts."""
    pages = PAGES.get(paper, {}) | {
        source.place: source.source for source in SOURCES.get(paper, ()) if source.place is not None
    }
    counted = by_place(entries)
    lines = []
    for place in load_places().query("paper == @paper").sort_values("order").itertuples():
        tally = ""
        if (paper, place.place) in counted.index:
            counts = counted.loc[(paper, place.place)]
            tally = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
        page = pages.get(place.place)
        link = f'<a href="{_address(page)}">{escape(page.partition("#")[0])}</a>' if page else "not yet"
        lines.append(
            {"Place": place.place, "Kind": place.kind, "About": place.title, "Page": link, "Printed numbers": tally}
        )
    return HTML(scrolling(pd.DataFrame(lines), f"Map of {PAPERS[paper]}", markup=["Page"]))


PAGES = {
    "cvt": {
        "Introduction": "../start/perspective-taking#two-levels",
        "Evaluating Spatial-State Integrity": "cvt/benchmark#the-question",
        "Evaluation Metrics": "cvt/viewpoints#the-definitions",
        "Benchmark Domains and Construction": "cvt/benchmark#table-s1",
        "Evaluation Results": "cvt/viewpoints#printed-values",
        "Table 1": "cvt/viewpoints#printed-values",
        "Supp. 1.1": "cvt/benchmark#table-s1",
        "Supp. 1.2": "cvt/benchmark#table-s1",
        "Supp. 1.4": "cvt/benchmark#table-s1",
        "Supp. 2.1": "cvt/viewpoints#the-definitions",
        "Supp. 2.3": "cvt/benchmark#composition-text",
        "Supp. 2.4": "cvt/viewpoints#the-definitions",
        "Supp. 3.1": "cvt/viewpoints#printed-values",
        "Supp. 3.5": "cvt/viewpoints#derived-first",
        "Supp. 3.6": "cvt/benchmark#composition-text",
        "Supp. 7.4": "cvt/benchmark#the-question",
    }
}
"""The page and heading that treats a place, beside the tables that the ledger recomputes."""
