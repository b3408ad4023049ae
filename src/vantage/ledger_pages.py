"""The ledger and the map of the papers as a reader sees them."""

import re
from html import escape
from pathlib import Path

import pandas as pd
from IPython.display import HTML

from vantage import discrepancies, files
from vantage.discrepancies import KINDS, REST, kinds_of
from vantage.ledger import DIFFERENCE, SOURCES, by_basis, by_place
from vantage.panels import scrolling, table
from vantage.published import PAPERS, as_printed, load_places
from vantage.schemas import BASES, STATUSES


def counts_by_place(entries: pd.DataFrame) -> HTML:
    """How many numbers of each place have each status, one table a paper."""
    tables = []
    for paper, counts in by_place(entries).groupby(level="paper", sort=False):
        counts = counts.droplevel("paper").loc[:, counts.any()]
        counts.loc["All"] = counts.sum()
        frame = counts.replace(0, "").rename_axis("Place").reset_index()
        tables.append(table(frame, f"Printed numbers of {PAPERS[paper]} by place and status; counts.").data)
    return HTML("".join(tables))


def counts_by_basis(entries: pd.DataFrame) -> HTML:
    """How many recomputed numbers of each basis agree."""
    return table(by_basis(entries).rename_axis("Basis").reset_index(), "Recomputed numbers by basis; counts.")


def unfitted(entries: pd.DataFrame) -> HTML:
    """The numbers that were recomputed without being a target, beside the printed ones: those that agree first, ends of intervals apart."""
    chosen = entries[entries.basis == "unfitted"].sort_values("status", key=lambda it: it == "differs", kind="stable")
    ends = discrepancies.are_ends(chosen)
    folds = []
    for caption, part in (
        ("Unfitted numbers that are no interval ends", chosen[~ends]),
        ("Unfitted interval ends", chosen[ends]),
    ):
        frame = pd.DataFrame(
            {
                "Place": part.place,
                "Number": part.row + ", " + part.column,
                "Recomputed": [_recomputed(entry) for entry in part.itertuples()],
                "Printed": [_printed(entry) for entry in part.itertuples()],
                "Status": part.status,
            }
        )
        agree = f"{len(part)}, of which {int((part.status != 'differs').sum())} agree"
        folds.append(_fold(caption, agree, scrolling(frame, caption, markup=["Recomputed"])))
    return HTML("".join(folds))


def rows(entries: pd.DataFrame, otherwise: str = "") -> HTML:
    """The entries, one fold a place; a recomputed number links to the cell that computes it, a number leads to its reason.

    `otherwise` is the line of text that stands there if there is no entry.
    """
    folds = []
    for (paper, place), numbers in entries.groupby(["paper", "place"], sort=False):
        tally = ", ".join(
            f"{count} {status}" for status in STATUSES if (count := int((numbers.status == status).sum()))
        )
        sizes, causes = _sizes_and_causes(numbers.reason)
        reasons = {reason: str(rank) for rank, reason in enumerate(causes[causes != ""].unique(), 1)}
        frame = pd.DataFrame(
            {
                "Number": numbers.row + ", " + numbers.column,
                "Printed": [_printed(entry) for entry in numbers.itertuples()],
                "Recomputed": [_recomputed(entry) for entry in numbers.itertuples()],
                "Difference": sizes,
                "Status": numbers.status,
                "Basis": numbers.basis.fillna(""),
                "Why": causes.map(reasons).fillna(""),
            }
        )
        # What a fold has nothing of needs no column.
        frame = frame.loc[:, (frame != "").any() | frame.columns.isin(["Number", "Printed", "Status"])]
        notes = "".join(f"<li>{escape(reason)}</li>" for reason in reasons)
        markup = [column for column in frame if column == "Recomputed"]
        shown = scrolling(frame, f"{PAPERS[paper]}, {place}", markup=markup)
        folds.append(_fold(place, tally, f"{shown}<ol>{notes}</ol>" if notes else shown))
    return HTML("".join(folds) or f"<p>{escape(otherwise)}</p>")


def _sizes_and_causes(reasons: pd.Series) -> tuple[pd.Series, pd.Series]:
    """The difference that a reason begins with, and the rest of it; empty text where there is none."""
    parts = reasons.fillna("").str.extract(rf"^(?:{re.escape(DIFFERENCE)}(?P<size>[^;]+)(?:; )?)?(?P<cause>.*)$")
    return parts["size"].fillna(""), parts["cause"].fillna("")


def proofs(paper: str, otherwise: str) -> HTML:
    """Every excluded reading of a paper: what its proof, run here on the print, finds; the reason; the numbers it rests on.

    `otherwise` is the line of text that stands there if there is no such reading.
    """
    premises = discrepancies.premises(paper)
    folds = []
    for proof in discrepancies.proofs(paper).itertuples():
        rests_on = premises[premises["Reading"] == proof.Reading].drop(columns="Reading")
        found = (
            f"at least {proof.least:.4f} follows, at most {proof.most:.4f} is printed: "
            f"{'excluded' if proof.excluded else 'not excluded'}"
        )
        shown = table(rests_on, "The printed numbers that the proof rests on.").data
        folds.append(_fold(proof.Reading, found, f"<p>{escape(proof.Why)}</p>{shown}"))
    return HTML("".join(folds) or f"<p>{escape(otherwise)}</p>")


def tensions(paper: str) -> HTML:
    """The doubts about a paper short of a contradiction, one fold each: what and where, and behind it why."""
    found = discrepancies.tensions(paper).itertuples()
    return HTML("".join(_fold(one.Tension, one.Places, f"<p>{escape(one.Why)}</p>") for one in found))


def _fold(title: str, more: str, body: str) -> str:
    """A line of text that opens what is behind it; `body` is HTML."""
    return f'<details class="ledger-place"><summary><strong>{escape(title)}</strong>: {escape(more)}</summary>{body}</details>'


def _printed(entry) -> str:
    return as_printed(entry.printed, entry.decimals)


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
        page = page if page and _file(page).exists() else PAGES.get(paper, {}).get(place.place)
        link = f'<a href="{_address(page)}">{escape(_title(page))}</a>' if page else "not yet"
        lines.append(
            {"Place": place.place, "Kind": place.kind, "About": place.title, "Page": link, "Printed numbers": tally}
        )
    return HTML(scrolling(pd.DataFrame(lines), f"Map of {PAPERS[paper]}", markup=["Page"]))


def _title(page: str) -> str:
    """The title of the page that an address names."""
    lines = files.reading(_file(page)).read_text(encoding="utf-8").splitlines()
    return next(line.removeprefix("# ") for line in lines if line.startswith("# "))


def _file(page: str) -> Path:
    """The source of the page that an address names."""
    name = page.partition("#")[0]
    return files.root() / ("book" if name.startswith("..") else "notebooks") / f"{name.removeprefix('../')}.md"


PAGES = {
    "cvt": {
        "Introduction": "../start/perspective-taking#two-levels",
        "Evaluating Spatial-State Integrity": "cvt/benchmark#the-question",
        "Evaluation Metrics": "cvt/viewpoints#the-definitions",
        "Benchmark Domains and Construction": "cvt/benchmark#table-s1",
        "Evaluation Results": "cvt/results#cvt-averages",
        "Table 1": "cvt/results#cvt-table-1",
        "Figure 3": "cvt/results#cvt-outcomes",
        "Supp. 1.1": "cvt/benchmark#table-s1",
        "Supp. 1.2": "cvt/benchmark#table-s1",
        "Supp. 1.4": "cvt/benchmark#table-s1",
        "Supp. 2.1": "cvt/viewpoints#the-definitions",
        "Supp. 2.2": "cvt/persistence#the-definition",
        "Supp. 2.3": "cvt/coherence#the-constraints",
        "Supp. 2.4": "cvt/viewpoints#the-definitions",
        "Supp. 3.1": "cvt/viewpoints#printed-values",
        "Supp. 3.2": "cvt/load-matched#cvt-c10",
        "Table S4": "cvt/load-matched#cvt-table-s4",
        "Supp. 3.4": "cvt/transformation#hidden-views",
        "Supp. 3.5": "cvt/transformation#the-definitions",
        "Table S6": "cvt/transformation#table-s6",
        "Table S7": "cvt/transformation#table-s7",
        "Supp. 3.6": "cvt/quarter-turns#turn-signature",
        "Table S8": "cvt/quarter-turns#table-s8",
        "Supp. 4": "cvt/robustness#the-question",
        "Supp. 4.1": "cvt/robustness#table-s9",
        "Supp. 4.2": "cvt/load-matched#cvt-table-s10",
        "Supp. 4.3": "cvt/matched-coherence#cvt-supp-4-3",
        "Supp. 4.4": "cvt/robustness#supp-4-4",
        "Supp. 4.5": "cvt/integrity#cvt-audit",
        "Table S9": "cvt/robustness#table-s9",
        "Table S10": "cvt/load-matched#cvt-table-s10",
        "Figure 2": "cvt/undetermined#cvt-figure-2",
        "Figure 4": "cvt/undetermined#cvt-figure-4",
        "Figure S3": "cvt/undetermined#cvt-figure-s3",
        "Supp. 6": "cvt/failures#failure-grid",
        "Figure S6": "cvt/failures#failure-grid",
        "Supp. F.1": "cvt/failures#human-study",
        "Supp. F.2": "cvt/failures#the-definitions",
        "Supp. 7.4": "cvt/benchmark#the-question",
    },
    "frame_evidence": {
        "Section 1": "frame_evidence/triplet#the-question",
        "Figure 1": "frame_evidence/triplet#evidence",
        "Section 3": "frame_evidence/triplet#the-definition",
        "Table 4": "frame_evidence/joint-success#table-4",
        "Section 6.1": "frame_evidence/results#the-question",
        "Section 6.2": "frame_evidence/results#fe-table-4",
        "Section 7": "frame_evidence/failures#fe-table-8",
        "Table 8": "frame_evidence/failures#fe-table-8",
        "Table 16": "frame_evidence/strata#fe-table-16",
        "Table 17": "frame_evidence/strata#fe-table-17",
        "Table 18": "frame_evidence/strata#fe-table-18",
        "Table 19": "frame_evidence/strata#fe-table-19",
        "Appendix D.2": "frame_evidence/failures#fe-table-20",
        "Table 20": "frame_evidence/failures#fe-table-20",
        "Appendix D.3": "frame_evidence/joint-success#table-21",
        "Table 21": "frame_evidence/joint-success#table-21",
        "Appendix D.4": "frame_evidence/matched-success#fe-table-22",
        "Table 22": "frame_evidence/joint-success#table-22",
        "Appendix D.5": "frame_evidence/uncertainty#fe-uncertainty",
        "Appendix D.6": "frame_evidence/overlap#fe-table-26",
        "Appendix F.2": "frame_evidence/failures#fe-table-31",
        "Table 31": "frame_evidence/failures#fe-table-31",
        "Appendix G.4": "frame_evidence/failures#fe-table-8",
        "Table 3": "frame_evidence/failures#fe-table-3",
        "Appendix E": "frame_evidence/uncertainty#fe-appendix-e",
        "Appendix E.1": "frame_evidence/ordinals#one-group",
        "Figure 7": "frame_evidence/ordinals#one-group",
        "Section 6.4": "frame_evidence/option-order#the-question",
        "Table 7": "frame_evidence/option-order#table-7",
        "Appendix A-C, Circular metrics": "frame_evidence/option-order#circular-metrics",
        "Table 12": "frame_evidence/option-order#table-12",
        "Appendix A-C, GPT cross-run stability": "frame_evidence/option-order#table-7",
        "Appendix A-C, Same-order control": "frame_evidence/option-order#table-7",
        "Table 13": "frame_evidence/option-order#table-13",
        "Section 4": "frame_evidence/composition#the-question",
        "Section 4.1": "frame_evidence/composition#composition-counts",
        "Section 4.2": "frame_evidence/composition#layout-proofs",
        "Section 4.3": "frame_evidence/composition#table-2",
        "Section 5": "frame_evidence/composition#composition-counts",
        "Figure 2": "frame_evidence/composition#frequent-labels",
        "Figure 3": "frame_evidence/composition#image-counts",
        "Appendix A-C, Production review and release correspondence": "frame_evidence/composition#layout-proofs",
        "Appendix A-C, Input and assembly consistency": "frame_evidence/composition#layout-proofs",
        "Appendix A-C, Offline scoring companion": "frame_evidence/scoring#fe-companion",
        "Appendix A-C, Decoding and invalid answers": "frame_evidence/scoring#fe-companion",
        "Appendix A-C, Random and human reference rows": "frame_evidence/composition#random-reference",
        "Appendix A-C, Held-out metadata controls": "frame_evidence/composition#metadata-controls",
        "Table 10": "frame_evidence/composition#metadata-controls",
        "Table 24": "frame_evidence/composition#metadata-controls",
        "Appendix F.1": "frame_evidence/overlap#fe-appendix-f-1",
        "Appendix D.1": "frame_evidence/strata#fe-table-15",
        "Table 15": "frame_evidence/strata#fe-table-15",
        "Appendix G.1": "frame_evidence/strata#fe-appendix-g-1",
        "Appendix G.3": "frame_evidence/uncertainty#fe-appendix-g-3",
        "Table 30": "frame_evidence/overlap#fe-table-30",
        "Table 26": "frame_evidence/overlap#fe-table-26",
        "Appendix F.3": "frame_evidence/text-shortcut#the-classifier",
        "Table 32": "frame_evidence/text-shortcut#table-32",
        "Section 6.3": "frame_evidence/input-controls#the-question",
        "Figure 5": "frame_evidence/input-controls#fe-figure-5",
        "Appendix A-C, Adaptation configuration": "frame_evidence/adaptation#runs-of-adaptation",
        "Appendix G.2": "frame_evidence/adaptation#fe-appendix-g-2",
    },
}
"""The page and heading that treats a place, beside the tables that the ledger recomputes."""


def agreement(entries: pd.DataFrame) -> pd.DataFrame:
    """How many numbers of each place agree, told apart by basis, and how many have another status; counts.

    The last row and column, `All`, sum. A column without a number is left out.
    """
    words = entries.status.where(entries.status != "reproduced", entries.basis)
    order = [*BASES, *(status for status in STATUSES if status != "reproduced")]
    counts = pd.crosstab(entries.place, words).reindex(index=entries.place.unique(), columns=order, fill_value=0)
    counts = counts.loc[:, counts.any()]
    counts.loc["All"] = counts.sum()
    counts["All"] = counts.sum(axis=1)
    return counts.rename(columns=str.capitalize).rename_axis(index="Place", columns=None).reset_index()


def agreement_of_kinds(entries: pd.DataFrame) -> pd.DataFrame:
    """The same by kind of printed number instead of place: results, interval ends, controls, and the rest."""
    of_kind = agreement(entries.assign(place=kinds_of(entries))).set_index("Place")
    named = [kind for kind in (*KINDS.values(), REST, "All") if kind in of_kind.index]
    return of_kind.loc[named].rename_axis("Numbers").reset_index()
