"""What pages show around their numbers: the box of provenance, tables that fit a narrow screen, the panel of printed values."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from os.path import commonprefix

import numpy as np
import pandas as pd
from IPython.display import HTML
from numpy.typing import NDArray

from vantage.bootstrap import wilson_interval
from vantage.items import TITLES as CVT_TITLES
from vantage.items import CVTItems
from vantage.predictions import PROVENANCE, CVTRun, TripletRun, load, set_names
from vantage.published import ARXIV, PAPERS, agrees, as_printed, load_published
from vantage.relations import VIEWPOINTS
from vantage.templates import scene_block
from vantage.triplets import Triplets


def provenance(
    items: CVTItems | Triplets | Sequence[CVTItems],
    runs: Sequence[CVTRun | TripletRun] = (),
    papers: Sequence[str] = ("cvt",),
) -> HTML:
    """The box at the top of a page: whose items, whose answers, and what each kind of answers and printed numbers rests on."""
    several = items if isinstance(items, Sequence) else [items]
    described = [
        f"{escape(one.title)}, {len(one.scenes)} scenes and {len(one.questions):,} questions, version <code>{one.version[:12]}</code>"
        for one in several
    ]
    ours = all(one.title != CVT_TITLES["real"] for one in several)
    origin = (
        "They are ours, built to the rules and the composition of the paper's items, which are not public."
        if ours
        else "They were made by the paper's rules from a licensed copy of 3DSSG; they are not the paper's items."
    )
    parts = [f"<p><strong>Items:</strong> {'; '.join(described)}. {origin}</p>"]
    for kind, meaning in PROVENANCE.items():
        if titles := _spoken_runs([run for run in runs if run.kind == kind]):
            parts.append(
                f"<p><strong>Answers, {kind}:</strong> {escape('; '.join(titles))}. {escape(meaning[0].upper() + meaning[1:])}.</p>"
            )
    for paper in papers:
        parts.append(
            f"<p><strong>Printed numbers:</strong> {PAPERS[paper]}, arXiv {ARXIV[paper]}, transcribed from a machine "
            "conversion of its text.</p>"
        )
    return HTML(f'<aside class="provenance" aria-label="Provenance">{"".join(parts)}</aside>')


_FEW = 6  # runs of a set that the box of provenance names one by one


def _spoken_runs(runs: Sequence[CVTRun | TripletRun]) -> list[str]:
    """Titles of runs; those of a set with many runs as what all begin with, and their number."""
    spoken = []
    for name in dict.fromkeys(run.set for run in runs):
        named = [run.title for run in runs if run.set == name]
        titles = list(dict.fromkeys(named))  # a run on each domain has one title
        common = commonprefix(titles)
        start = common if common in titles else common.rpartition(",")[0]
        spoken += [f"{start} ({len(named)} runs)"] if start and len(titles) > _FEW else titles
    return spoken


def table(frame: pd.DataFrame, caption: str, formats: Mapping[str, str] | None = None, css: str = "") -> HTML:
    """A frame as a table with a caption.

    `formats` has a format a column, such as "{:.1f}". A value that is not a number reads *undefined*.
    """
    label = re.sub("<[^>]*>", "", caption).partition(". ")[0]
    return HTML(
        f'<figure class="table-figure {css}"><figcaption>{caption}</figcaption>{scrolling(frame, label, formats)}</figure>'
    )


def scrolling(
    frame: pd.DataFrame, label: str, formats: Mapping[str, str] | None = None, markup: Sequence[str] = ()
) -> str:
    """A frame as an HTML table in a box of its own that scrolls where the screen is narrow, named for a screen reader.

    Columns of numbers are set to the right, and columns of sentences keep a width at which they can be read. Cells are
    escaped, but for the columns in `markup`, which are HTML of ours.
    """
    styled = (
        frame.style.format(dict(formats or {}), na_rep="undefined", escape="html")
        .format(subset=list(markup))
        .hide(axis="index")
    )
    filled = {column: frame[column].dropna()[lambda values: values.astype(str) != ""] for column in frame.columns}
    numbers = [column for column, values in filled.items() if pd.to_numeric(values, errors="coerce").notna().all()]
    styled = styled.set_properties(subset=numbers, **{"text-align": "right"}).set_table_attributes('class="dataframe"')
    # Chinese needs half the letters for the same width.
    wide = [
        name for name, values in filled.items() if values.astype(str).map(lambda text: len(text.encode())).max() > 60
    ]
    sentences = [name for name in wide if name not in markup]
    styled = styled.set_td_classes(pd.DataFrame("words", index=frame.index, columns=sentences))
    return f'<div class="table-scroll" tabindex="0" role="region" aria-label="{escape(label)}">{styled.to_html()}</div>'


def printed(place: str, rows: Sequence[str], note: str, paper: str = "cvt") -> HTML:
    """The paper's own values at a table or section, in a panel that is set apart from ours."""
    numbers = load_published(paper).query("place == @place and row in @rows")
    text = numbers.assign(
        value=[as_printed(value, decimals) for value, decimals in zip(numbers.value, numbers.decimals, strict=True)]
    )
    wide = text.pivot(index="row", columns="column", values="value").reindex(
        index=numbers.row.unique(), columns=numbers.column.unique()
    )
    return table(
        wide.fillna("").rename_axis(columns=None).reset_index().rename(columns={"row": ""}),
        _printed_caption(place, paper, note),
        css="printed",
    )


def beside_printed(recomputed: pd.DataFrame, place: str, caption: str, paper: str = "cvt") -> HTML:
    """Numbers about the items themselves, recomputed, beside the paper's; rows as `vantage.tables.cvt` gives them.

    Composition may stand beside composition, because our items were built to the paper's.
    """
    both = _merged(recomputed, place, paper)
    return table(both[["", "Recomputed", "Printed"]], caption)


def of_domains(recomputed: Mapping[str, pd.DataFrame], place: str, caption: str, paper: str = "cvt") -> HTML:
    """As `beside_printed`, for the items of several domains, by their titles: ours, then the paper's, a pair of columns each."""
    parts = []
    for title, frame in recomputed.items():
        both = _merged(frame, place, paper)
        names = [title, f"{both.column.iloc[0]}, printed"]
        parts.append(both.set_index("row")[["Recomputed", "Printed"]].set_axis(names, axis=1))
    wide = pd.concat(parts, axis=1)
    order = load_published(paper).query("place == @place").row.drop_duplicates()
    wide = wide.reindex([row for row in order if row in wide.index])
    return table(wide.fillna("").rename_axis("", axis=0).reset_index(), caption)


def with_monte_carlo(
    recomputed: pd.DataFrame, place: str, trials: int, printed_trials: int, caption: str, paper: str = "cvt"
) -> HTML:
    """As `beside_printed`, for percentages: those that are random carry the 95 % interval that their draws leave open.

    `trials` is the number of independent draws behind each random percentage of ours, `printed_trials` the number that
    the printed ones are taken to rest on.
    """
    both = _merged(recomputed, place, paper)
    random = ~both[""].str.startswith("Ground-truth")

    def intervals(percent: pd.Series, of: int) -> NDArray:
        spans = ["{:.1f} to {:.1f}".format(*(100 * wilson_interval(value / 100, of))) for value in percent]
        return np.where(random, spans, "exact")

    shown = both.assign(
        Interval=intervals(both.value, trials), **{"Its interval": intervals(both.value_printed, printed_trials)}
    )
    return table(shown[["", "Recomputed", "Interval", "Printed", "Its interval"]], caption)


def _merged(recomputed: pd.DataFrame, place: str, paper: str) -> pd.DataFrame:
    """Recomputed and printed numbers of one place side by side, both as they print."""
    numbers = load_published(paper).query("place == @place")
    both = recomputed.merge(numbers, on=["row", "column"], suffixes=("", "_printed"))
    several = both.column.nunique() > 1
    printed_as = [*zip(both.value, both.value_printed, both.decimals, strict=True)]
    return both.assign(
        **{
            "": both.row + (", " + both.column.str.split(" / ").str[-1].str.lower() if several else ""),
            "Recomputed": [as_printed(value, decimals) for value, _, decimals in printed_as],
            "Printed": [as_printed(value, decimals) for _, value, decimals in printed_as],
        }
    )


def printed_cells(metric: str, note: str, paper: str = "cvt") -> HTML:
    """A metric of CVT-Bench's Table 1 as the paper prints it: a row a model and domain, three representations a cell."""
    numbers = load_published(paper).query("place == 'Table 1'")
    numbers = numbers[numbers.column.str.startswith(metric + " / ")]
    key = numbers.row.str.split(" / ", n=2, expand=True).set_axis(["Model", "Domain", "Representation"], axis=1)
    cells = key.assign(
        regime=numbers.column.str.split(" / ").str[1],
        value=[as_printed(value, decimals) for value, decimals in zip(numbers.value, numbers.decimals, strict=True)],
    )
    wide = (
        cells.groupby(["Model", "Domain", "regime"], sort=False).value.agg(" / ".join).unstack(sort=False).reset_index()
    )
    return table(wide.rename_axis(columns=None), _printed_caption("Table 1", paper, f"{metric}. {note}"), css="printed")


def from_printed(
    frame: pd.DataFrame, place: str, note: str, formats: Mapping[str, str] | None = None, paper: str = "cvt"
) -> HTML:
    """What follows from a paper's own values by arithmetic, in the panel of printed values; `place` names where they stand."""
    said = f"<em>Worked out</em> from what {PAPERS[paper]} prints in {place}. {note} {_APART}"
    return table(frame, said, formats, css="printed")


def _printed_caption(place: str, paper: str, note: str) -> str:
    return f"<em>Printed</em> in {PAPERS[paper]}, {place}. {note} {_APART}"


_APART = (
    "These are the authors' numbers for the authors' items. They stand apart: nothing here is subtracted from ours or ranked with "
    "ours."
)


def questions(items: CVTItems, scene: str, target: int, anchor: int, viewpoints: Sequence[str]) -> HTML:
    """The questions about one pair of a scene at some viewpoints, in their own words, with gold."""
    asked = items.questions.query("scene == @scene and target == @target and anchor == @anchor").drop_duplicates(
        "viewpoint"
    )
    rows = asked.set_index("viewpoint").loc[list(viewpoints)]
    frame = pd.DataFrame({"Viewpoint": rows.index, "Question": rows.text, "Gold": rows.gold.map(" + ".join)})
    return table(frame, f"The same pair of {scene} at {len(viewpoints)} viewpoints, in the words of the prompt.")


def blocks(items: CVTItems, scene: str) -> HTML:
    """The block of a scene in each representation, as its prompt has it, without the questions; lines are folded to the page."""
    shown = "".join(
        f"<h4>{escape(words)}</h4>"
        f'<pre class="block" tabindex="0" aria-label="{escape(words)} block of {escape(scene)}">'
        f"{escape(scene_block(items.scene(scene), representation))}</pre>"
        for representation, words in (("image", "Image"), ("text_bbox", "Text/BBox"), ("scene_graph", "Scene Graph"))
    )
    return HTML(
        f'<figure class="table-figure"><figcaption>The blocks of {escape(scene)} in its prompts. With the first goes the tagged '
        f"picture.</figcaption>{shown}</figure>"
    )


def responders(names: Sequence[str]) -> HTML:
    """What each of the sets is: its title, its kind, and its mechanism or settings as the manifest tells them."""
    manifests = [load(name).manifest for name in set_names(names)]
    frame = pd.DataFrame(
        [{"Set": one["title"], "Kind": one["kind"], "What it does": one["about"]} for one in manifests]
    )
    return table(frame, "The prediction sets of this page.")


def expected(comparison: pd.DataFrame, caption: str) -> HTML:
    """What was derived for each responder beside its run, in percent: a row for viewpoints that share a derivation."""

    def span(values: pd.Series) -> str:
        low, high = f"{100 * values.min():.1f}", f"{100 * values.max():.1f}"
        return low if low == high else f"{low} to {high}"

    rows = []
    for (name, quantity, _), part in comparison.groupby(["Set", "Quantity", "Derivation"], sort=False):
        off, by_chance = (part.Run - part.Expected).abs(), part.Error.any()
        rows.append(
            {
                "Set": name,
                "Score": quantity,
                "Viewpoints": "all ten" if len(part) == len(VIEWPOINTS) else ", ".join(part.Viewpoint),
                "Expected": ("about " if by_chance else "") + span(part.Expected),
                "Run": span(part.Run),
                "Largest difference": f"{(off / part.Error).max():.1f} standard errors"
                if by_chance
                else f"{100 * off.max():.1f}",
            }
        )
    return table(pd.DataFrame(rows), caption)


def if_any(frame: pd.DataFrame, caption: str, otherwise: str, formats: Mapping[str, str] | None = None) -> HTML:
    """A table, or a line of text in its place where it has no rows."""
    if frame.empty:
        return HTML(f"<p>{escape(otherwise)}</p>")
    return table(frame, caption, formats)


def folded(shown: HTML, summary: str) -> HTML:
    """A long table behind a line of text that opens it: it is there, and it does not part what is read together."""
    return HTML(f'<details class="folded"><summary>{escape(summary)}</summary>{shown.data}</details>')


def triplet_question(triplets: Triplets, row: int) -> HTML:
    """An item of FrameEvidence-Open in its own words: the Chinese question and its options, each with its English translation."""
    item = triplets.questions.iloc[row]
    options = "".join(
        f'<li value="{place}"><span lang="zh-Hans">{escape(option["zh"])}</span> ({escape(option["en"])})</li>'
        for place, option in enumerate(item["options"], 1)
    )
    return HTML(
        f'<figure class="table-figure"><figcaption>The question of group {escape(item["group"])}: what a model is asked, '
        "and its translation, which a model is not shown.</figcaption>"
        f'<blockquote><p lang="zh-Hans">{escape(item["question_zh"])}</p><p>{escape(item["question_en"])}</p>'
        f'<ol type="A">{options}</ol></blockquote></figure>'
    )


def beside_printed_wide(recomputed: pd.DataFrame, place: str, caption: str, paper: str = "cvt") -> HTML:
    """As `beside_printed`, for a table with several columns: each of its rows twice, recomputed and as printed."""
    here = recomputed[recomputed["place"] == place] if "place" in recomputed else recomputed
    both = here.drop(columns="place", errors="ignore").merge(
        load_published(paper).query("place == @place"), on=["row", "column"], suffixes=("", "_printed")
    )
    rows = []
    for name, numbers in both.groupby("row", sort=False):
        for whose, values in (("recomputed", numbers.value), ("printed", numbers.value_printed)):
            shown = map(as_printed, values, numbers.decimals)
            rows.append({"": name, "Whose": whose} | dict(zip(numbers.column, shown, strict=True)))
    return table(pd.DataFrame(rows, columns=["", "Whose", *both.column.unique()]), caption)


def reconstructed(
    recomputed: pd.DataFrame, place: str, caption: str, rows: Sequence[str] | None = None, paper: str = "frame_evidence"
) -> HTML:
    """A printed table recomputed from a reconstructed set, at the printed precision; where a cell differs, the printed value follows it.

    `recomputed` has row, column and value (and place where it answers for several). `rows` chooses and orders rows.
    """
    here = recomputed[recomputed["place"] == place] if "place" in recomputed else recomputed
    numbers = load_published(paper).query("place == @place")
    both = here.drop(columns="place", errors="ignore").merge(numbers, on=["row", "column"], suffixes=("", "_printed"))
    both = both[both["row"].isin(both["row"] if rows is None else rows)]
    if both.empty:
        return table(pd.DataFrame({"": []}), f"{caption} No run of this page gives these numbers.", css="reconstructed")
    cells = [
        as_printed(value, decimals)
        if agrees(value, old, decimals)
        else f"{as_printed(value, decimals)} (printed {as_printed(old, decimals)})"
        for value, old, decimals in zip(both.value, both.value_printed, both.decimals, strict=True)
    ]
    same = sum("printed" not in cell for cell in cells)
    order = list(dict.fromkeys(both["row"])) if rows is None else [row for row in rows if row in set(both["row"])]
    columns = [column for column in numbers.column.unique() if column in set(both["column"])]
    wide = (
        both.assign(cell=cells)
        .pivot(index="row", columns="column", values="cell")
        .reindex(index=order, columns=columns)
    )
    shown = wide.fillna("").rename_axis(columns=None).reset_index().rename(columns={"row": ""})
    tally = "all equal to the print" if same == len(cells) else f"{same} of them equal to the print"
    return table(
        shown,
        f"<em>Reconstructed</em> from items: {caption} {len(cells)} numbers, {tally}. A row is a printed row, not a "
        "model: the answers behind it were solved for.",
        css="reconstructed",
    )


def reconstructed_list(recomputed: pd.DataFrame, place: str, caption: str, paper: str = "frame_evidence") -> HTML:
    """As `reconstructed`, for running text, whose numbers have few rows or columns in common: one number a line."""
    numbers = load_published(paper).query("place == @place")
    both = recomputed.merge(numbers, on=["row", "column"], suffixes=("", "_printed"))
    lines = [
        {
            "Quantity": one.row,
            "Of": "" if one.column == "all" else one.column,
            "Recomputed": as_printed(one.value, one.decimals),
            "Printed": as_printed(one.value_printed, one.decimals),
        }
        for one in both.itertuples()
    ]
    return table(
        pd.DataFrame(lines, columns=["Quantity", "Of", "Recomputed", "Printed"]),
        f"<em>Reconstructed</em> from items: {caption} The answers were solved for.",
        css="reconstructed",
    )


def of_own_sets(frame: pd.DataFrame, caption: str, formats: Mapping[str, str] | None = None) -> HTML:
    """On a page of printed rows, a table of the sets that stand for themselves; where the page has none, how to bring one."""
    if frame.empty:
        return HTML(
            '<p class="own-sets">This copy of the page names no set but the reconstructed one. A measured or reference set that '
            "its <code>predictions</code> name is scored here, on our items and apart from the printed rows.</p>"
        )
    return table(frame, caption, formats)
