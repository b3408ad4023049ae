"""The ledger: every printed number, what was recomputed beside it, its status and what that rests on.

`data/published` says what is printed, `vantage.tables.cvt` and `.frame_evidence` recompute, and this module compares. A number
that no table recomputes is derived from other printed numbers, stated, or unavailable; the rules below say which, and why.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod
from pathlib import Path
from statistics import mean, median, stdev

import pandas as pd
import pyarrow as pa
import pyarrow.csv

from vantage import files
from vantage.items import load_cvt
from vantage.predictions import PredictionSet, load, load_triplet_runs
from vantage.published import PAPERS, agrees, as_printed, load_derived, load_places, load_published
from vantage.schemas import BASES, LEDGER, STATUSES
from vantage.tables import context, cvt, frame_evidence
from vantage.tables.frame_evidence_results.verifier import RESULTS
from vantage.tables.results import Result
from vantage.triplets import load_triplets

SEED = 20261130
"""Seed of the random parts of recomputed tables, the default of the notebooks' `seed`."""

WITNESS = "reconstructed_frame_evidence"
"""The set of item-level answers solved for so that they agree with FrameEvidence's printed numbers."""


@dataclass(frozen=True)
class Recomputed:
    """A function that recomputes printed numbers, and what the ledger says of them.

    `place` is where they are printed; none for running text, where a row and column mean the same in every section. A table
    with a column of that name answers for several places.
    `source` is the page and anchor of the cell that shows them, and `if_different` says why a number may differ. `basis` holds
    unless the table has a column of that name; a table computed from the prediction set `answers` has no basis of its own: what the
    set was solved to meet is fitted, and what follows from that alone, and all else is unfitted.
    """

    place: str | None
    source: str
    basis: str | None
    table: Callable[[], pd.DataFrame]
    if_different: str = ""
    answers: str | None = None


_OUR_DRAWS = "draws of ours from reconstructed answers: the paper does not print how it draws"


@cache
def _loaded(name: str) -> PredictionSet:
    """A prediction set, checked once however many tables are computed from it."""
    return load(name)


def _results(
    results: Sequence[Result], witness: str, arguments: Callable[[PredictionSet], tuple]
) -> tuple[Recomputed, ...]:
    """Results recomputed from reconstructed answers; `arguments` makes of the set what the tables take, once for all of them."""
    shared = cache(lambda: arguments(_loaded(witness)))
    return tuple(
        Recomputed(
            result.place,
            result.anchor,
            None,
            lambda table=result.table: table(*shared()),
            _OUR_DRAWS if result.drawn else "",
            witness,
        )
        for result in results
    )


CVT_DOMAINS = ("synthetic", "indoor")
"""The domains whose composition stands beside the paper's."""


def _composition(domain: str) -> tuple[Recomputed, ...]:
    """What the items of a domain determine."""
    text = {"synthetic": "cvt/benchmark#composition-text", "indoor": "cvt/indoor#indoor-composition"}[domain]
    beyond = {
        "synthetic": "",
        "indoor": "; permuted pairs at 5 and 10 % lie beyond chance, so our rooms or our draws differ from the authors'",
    }[domain]
    return (
        Recomputed("Table S1", "cvt/benchmark#table-s1", "constructed", lambda: cvt.table_s1(load_cvt(domain))),
        Recomputed(
            "Table S2",
            "cvt/benchmark#table-s2",
            "unfitted",
            lambda: cvt.table_s2(load_cvt(domain), SEED),
            f"both are random; the page gives their intervals, level by level{beyond}",
        ),
        Recomputed(None, text, "constructed", lambda: cvt.composition_text(load_cvt(domain))),
    )


def _oracle() -> pd.DataFrame:
    """The symbolic oracle's run on each domain."""
    items = [load_cvt(domain) for domain in CVT_DOMAINS]
    runs = {run.domain: run for run in _loaded("reference_oracle").runs if run.regime == "isolated"}
    return cvt.oracle_text([runs[domain] for domain in CVT_DOMAINS], items)


SOURCES = {
    "cvt": (
        *(source for domain in CVT_DOMAINS for source in _composition(domain)),
        Recomputed(
            None,
            "cvt/benchmark#whole-benchmark",
            "constructed",
            lambda: cvt.benchmark_text([load_cvt(domain) for domain in CVT_DOMAINS]),
        ),
        Recomputed(None, "cvt/benchmark#symbolic-oracle", "constructed", _oracle),
        Recomputed(None, "cvt/cost#prompt-composition", "constructed", lambda: context.prompt_composition(load_cvt())),
    ),
    "frame_evidence": (
        Recomputed(
            "Table 2",
            "frame_evidence/composition#table-2",
            "constructed",
            lambda: frame_evidence.table_2(load_triplets()),
        ),
        Recomputed(
            None,
            "frame_evidence/composition#strata",
            "constructed",
            lambda: frame_evidence.strata_groups(load_triplets()),
        ),
        Recomputed(
            None,
            "frame_evidence/composition#composition-counts",
            "constructed",
            lambda: frame_evidence.composition_text(load_triplets()),
        ),
        Recomputed(
            None,
            "frame_evidence/composition#composition-counts",
            "constructed",
            lambda: frame_evidence.captions(load_triplets()),
        ),
        Recomputed(
            None,
            "frame_evidence/composition#random-reference",
            "constructed",
            lambda: frame_evidence.random_reference(load_triplets()),
        ),
        Recomputed(
            None,
            "frame_evidence/composition#metadata-controls",
            "constructed",
            lambda: frame_evidence.metadata_controls(load_triplets(), load_triplet_runs(["measured_metadata_rules"])),
        ),
        *_results(RESULTS, WITNESS, lambda found: (found.runs, load_triplets())),
    ),
}


def _count(percentage: Fraction, size: Fraction) -> Fraction:
    """The whole number that a printed percentage of `size` stands for."""
    return Fraction(round(percentage * size / 100))


def _strata(parts: list[Fraction]) -> Fraction:
    """The percentage over all strata, from that of each stratum and its size."""
    each = parts[-1] if len(parts) % 2 else 1
    sizes = [size * each for size in parts[1::2]]
    return 100 * sum(map(_count, parts[: 2 * len(sizes) : 2], sizes)) / sum(sizes)


def _rest_of_strata(parts: list[Fraction]) -> Fraction:
    """The percentage in one stratum, from that over all and in the others."""
    of_all, *others = map(_count, parts[:-1:2], parts[1:-1:2])
    return 100 * (of_all - sum(others)) / parts[-1]


def _differences(parts: list[Fraction]) -> list[Fraction]:
    half = len(parts) // 2
    return [first - second for first, second in zip(parts[:half], parts[half:], strict=True)]


RULES: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "same": lambda parts: parts[0],
    "sum": sum,
    "difference": lambda parts: parts[0] - parts[1],
    "product": prod,
    "ratio": lambda parts: parts[0] / parts[1],
    "percent": lambda parts: 100 * parts[0] / parts[1],
    "hundredfold": lambda parts: 100 * parts[0],
    "points": lambda parts: 100 * (parts[0] - parts[1]),
    "complement": lambda parts: 100 - parts[0],
    "mean": mean,
    "mean as fraction": lambda parts: mean(parts) / 100,
    "drop of means": lambda parts: mean(parts[: len(parts) // 2]) - mean(parts[len(parts) // 2 :]),
    "drop of means as fraction": lambda parts: RULES["drop of means"](parts) / 100,
    "opposite": lambda parts: -parts[0],
    "less": lambda parts: parts[0] - sum(parts[1:]),
    "sum less last": lambda parts: sum(parts[:-1]) - parts[-1],
    "product over last": lambda parts: prod(parts[:-1]) / parts[-1],
    "power": lambda parts: parts[0] ** int(parts[1]),
    "percent of sum": lambda parts: 100 * sum(parts[:-1]) / parts[-1],
    "percent of difference": lambda parts: 100 * (parts[0] - parts[1]) / parts[2],
    "percent of total": lambda parts: 100 * parts[0] / sum(parts),
    "product of percents": lambda parts: 100 * prod(part / parts[-1] for part in parts[:-1]),
    "count": lambda parts: _count(*parts),
    "percent of its count": lambda parts: 100 * _count(*parts[:2]) / parts[2],
    "rest of count": lambda parts: 100 * (parts[0] - _count(*parts[1:])) / parts[2],
    "strata": _strata,
    "rest of strata": _rest_of_strata,
    "sample deviation": lambda parts: Fraction(stdev(parts)),
    "positives": lambda parts: Fraction(sum(part > 0 for part in parts)),
    "positive differences": lambda parts: RULES["positives"](_differences(parts)),
    "negative differences": lambda parts: RULES["positives"]([-part for part in _differences(parts)]),
    "zero differences": lambda parts: Fraction(sum(part == 0 for part in _differences(parts))),
    "median difference": lambda parts: median(_differences(parts)),
}
"""How a printed number follows from others (`data/published/*_derived.csv`); arithmetic on exact fractions of what is
printed. A drop takes the mean of the first half of its parts less the mean of the second, differences those of the first
half from the second. A percentage of n answers or groups stands for a whole number of them: `count` takes it and n,
`percent of its count` gives that number as a share of another, `rest of count` the share of n that a number has above it.
`strata` takes the percentage and size of each stratum, and last the questions a group where sizes are groups; `rest of
strata` a percentage and size of all, those of all strata but one, and the size of that one."""


_NO_WITNESS = "needs item-level answers of the printed models: the authors' are not public, and ours have no such run"
_UNNAMED_SCENES = "needs the three scenes of the human study, which the paper does not name"
_AUTHORS_SUMMARY = "the authors' own summary of an incomplete copy; no answers behind it"
_OTHER_ITEMS = "needs the authors' items: the same control on ours gives another figure, which its page shows apart"

_HUMAN_SCENES = "Model F1 on the scenes of the human study"
"""The row whose numbers are means over scenes that nobody can tell."""

_SUMMARIZED = "Qwen2.5-VL-7B / Base control"
"""The row of Table 12 whose answers the authors themselves could not recompute."""


def build(papers: tuple[str, ...] = tuple(SOURCES)) -> pd.DataFrame:
    """The ledger of these papers, one row a printed number, as `schemas.LEDGER` declares it."""
    return pd.concat([_build(paper) for paper in papers], ignore_index=True)


def _build(paper: str) -> pd.DataFrame:
    published = load_published(paper)
    found = {}
    for source in SOURCES[paper]:
        for row in source.table().itertuples():
            place = getattr(row, "place", source.place)
            found[place if pd.notna(place) else None, row.row, row.column] = (
                source, row.value, getattr(row, "basis", source.basis)
            )  # fmt: skip
    table_places = set(load_places().query("paper == @paper and kind == 'table'").place)
    values = {row.id: Fraction(as_printed(row.value, row.decimals)) for row in published.itertuples()}
    derived = {row.id: (row.rule, row.ids.split()) for row in load_derived(paper).itertuples()}
    answers = {source.answers for source in SOURCES[paper] if source.answers}
    results = set(published.id[published.kind.isin(("prediction", "interval"))])
    fitted = {name: _fitted(_loaded(name).manifest["targets"], derived, results) for name in answers}
    keys = {
        number.id: (number.place if number.place in table_places else None, number.row, number.column)
        for number in published.itertuples()
    }
    # Running text prints some numbers in several sections; a target in one is no evidence in another.
    fitted_keys = {name: {keys[number] for number in numbers if number in keys} for name, numbers in fitted.items()}
    rows = []
    for number in published.itertuples():
        entry = found.get(keys[number.id])
        if entry is None:
            verdict = _not_recomputed(number, values, derived)
        else:
            source, value, basis = entry
            if source.answers and pd.isna(basis):
                basis = "fitted" if keys[number.id] in fitted_keys[source.answers] else "unfitted"
            verdict = _compared(number, source, value, basis)
        rows.append(
            {name: getattr(number, name) for name in ("id", "paper", "place", "row", "column", "decimals")}
            | {"printed": number.value, "recomputed": None, "basis": None, "reason": None, "source": None}
            | verdict
        )
    return LEDGER.check(pa.Table.from_pylist(rows, LEDGER.arrow), f"ledger of {paper}").to_pandas()


def _fitted(targets: list[str], derived: Mapping[str, tuple[str, list[str]]], results: set[str]) -> set[str]:
    """The numbers that answers solved to meet `targets` must agree with: these, and what follows from them by a declared rule.

    A number follows if each result among its parts is fitted, and one is; what the items alone decide is no result.
    """
    fitted = set(targets)
    while True:
        more = {
            number
            for number, (_, parts) in derived.items()
            if number not in fitted and (needed := results.intersection(parts)) and needed <= fitted
        }
        if not more:
            return fitted
        fitted |= more


def _compared(number, source: Recomputed, value: float, basis: str) -> dict:
    """The verdict on a number that was recomputed."""
    verdict = {"recomputed": float(value), "basis": basis, "source": source.source}
    if agrees(value, number.value, number.decimals):
        return verdict | {"status": "reproduced"}
    difference = f"recomputed - printed = {value - number.value:+.{number.decimals + 1}f}"
    return verdict | {"status": "differs", "reason": "; ".join(filter(None, (difference, source.if_different)))}


def _not_recomputed(number, values: dict[str, Fraction], derived: dict[str, tuple[str, list[str]]]) -> dict:
    """The verdict on a number that no table recomputes: the first rule that applies."""
    if number.id in derived:
        rule, ids = derived[number.id]
        value = RULES[rule]([values[other] for other in ids])
        status = "derived" if agrees(value, number.value, number.decimals) else "conflict"
        shown = ids if len(ids) <= 4 else [*ids[:2], f"... ({len(ids)} numbers)"]
        return {"status": status, "reason": f"{rule} of {', '.join(shown)}: {as_printed(value, number.decimals)}"}
    if number.kind == "config":
        return {"status": "stated", "reason": "a setting"}
    if number.kind == "human":
        return {"status": "stated", "reason": "about people; no items behind it"}
    if number.paper == "frame_evidence" and number.column == "Visual check":
        return {"status": "stated", "reason": "about the paper's own pages and checks"}
    if _SUMMARIZED in (number.row, number.column) and number.place in ("Table 12", "Appendix A-C, Circular metrics"):
        return {"status": "stated", "reason": _AUTHORS_SUMMARY}
    if number.row == _HUMAN_SCENES:
        return {"status": "unavailable", "reason": _UNNAMED_SCENES}
    if number.kind in ("prediction", "interval"):
        return {"status": "unavailable", "reason": _NO_WITNESS}
    if number.paper == "frame_evidence":
        if number.kind == "control":
            return {"status": "unavailable", "reason": _OTHER_ITEMS}
        return {"status": "stated", "reason": "about the paper's own pages and checks"}
    return {"status": "stated", "reason": "a rule of the design"}


def write(frame: pd.DataFrame) -> Path:
    """Write the ledger to `_build/ledger.csv` and return its path."""
    path = files.root() / "_build" / "ledger.csv"
    with files.replacing(path) as beside:
        pa.csv.write_csv(pa.Table.from_pandas(frame, LEDGER.arrow, preserve_index=False), beside)
    return path


def by_place(frame: pd.DataFrame) -> pd.DataFrame:
    """How many printed numbers of each place have each status; places in the order of the papers."""
    order = load_places().set_index(["paper", "place"]).order
    counts = frame.groupby(["paper", "place"]).status.value_counts().unstack(fill_value=0)
    counts = counts.reindex(columns=STATUSES, fill_value=0).assign(total=lambda wide: wide.sum(axis=1))
    return counts.iloc[order.reindex(counts.index).argsort(kind="stable")].sort_index(
        level="paper", sort_remaining=False
    )


def by_basis(frame: pd.DataFrame) -> pd.DataFrame:
    """How many recomputed numbers of each basis are reproduced and how many differ."""
    counts = frame[frame.basis.notna()].groupby("basis").status.value_counts().unstack(fill_value=0)
    return counts.reindex(
        index=[basis for basis in BASES if basis in counts.index], columns=["reproduced", "differs"], fill_value=0
    )


def summary(frame: pd.DataFrame) -> str:
    """The counts by place and by basis as text for a terminal."""
    places = by_place(frame).rename(index=PAPERS, level="paper").to_string()
    evidence = frame[(frame.basis == "unfitted") & (frame.status == "reproduced")]
    return (
        f"{places}\n\n{by_basis(frame).to_string()}\n\n"
        f"Only unfitted agreement is evidence: {len(evidence)} of {len(frame)} numbers.\n"
    )
