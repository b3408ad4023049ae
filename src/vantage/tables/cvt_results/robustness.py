"""Robustness and inference: Tables S9 and S10, Supp. 4.3 and 4.4. What is drawn at random stands in functions of its own."""

from statistics import fmean

import numpy as np
import pandas as pd

from vantage import coherence, survival
from vantage.tables.coherence import matched_table
from vantage.tables.cvt_results.chosen import (
    BLOCKS,
    DOMAINS,
    SEED,
    Answers,
    Values,
    column,
    paired_cells,
    same,
    tidy,
)
from vantage.tables.interference import partition_table
from vantage.tables.persistence import null_table, order_table

SIGNIFICANT = 0.05
"""The adjusted p-value below which a cell counts as significant (Table S9)."""

_GAP_ROWS = {"F1": "F1", "NSC": "NSC", "Realizable": "Binary realizability", "MaxSAT": "MaxSAT"}


def table_s9(answers: Answers) -> pd.DataFrame:
    """Table S9, the observed NSC: fractions, means over cells."""
    return tidy(
        {
            ("Observed NSC", column(*block)): fmean(answers.metrics["NSC"][cell] for cell in cells)
            for block in BLOCKS
            if (cells := answers.block(*block))
        }
    )


def table_s9_null(answers: Answers) -> pd.DataFrame:
    """Table S9, the null: NSC over permutations, and how many of the 60 cells stay significant after adjustment.

    The permutations are ours, 500 a cell as in the paper.
    """
    values: Values = {}
    p_values = []
    for domain, regime in BLOCKS:
        if cells := answers.block(domain, regime):
            null = null_table(list(cells.values()), answers.items[domain], SEED)
            values["Null NSC", column(domain, regime)] = null["Null NSC"].mean()
            p_values.append(null["p"].to_numpy())
    if len(p_values) == len(BLOCKS):
        adjusted = survival.benjamini_hochberg(np.concatenate(p_values))
        values["Caption: cells that remain significant", "all"] = int((adjusted < SIGNIFICANT).sum())
    return tidy(values)


def table_s10(answers: Answers) -> pd.DataFrame:
    """Table S10, the points: both regimes and the drop, means over cells, fractions."""
    values: Values = {}
    for domain, one in _aggregates(answers):
        row = _GAP_ROWS[one.Metric]
        for name, value in (("Isolated", one.Control), ("Competing", one.Competing), ("Drop", one.Gap)):
            values[row, f"{DOMAINS[domain]} / {name}"] = value
    return tidy(values)


def table_s10_intervals(answers: Answers) -> pd.DataFrame:
    """Table S10, the 95 % intervals of the drops, and how many of the fifteen cells have an interval above 0.

    5,000 draws of ours of whole competing prompts, each with the isolated blocks of its scenes.
    """
    values: Values = {}
    for domain, one in _aggregates(answers):
        row, of = _GAP_ROWS[one.Metric], DOMAINS[domain]
        values[row, f"{of} / Drop 95% low"] = one.Low
        values[row, f"{of} / Drop 95% high"] = one.High
        values[row, f"{of} / Cell CIs above 0"] = one.Cells_above
    return tidy(values)


def _aggregates(answers: Answers):
    """The rows of Table S10, domain by domain."""
    for domain, table in answers.drops.items():
        rows = table[table["Set"] == "All"].rename(columns={"Above 0": "Cells_above"})
        for one in rows.itertuples():
            yield domain, one


def matching_text(answers: Answers) -> pd.DataFrame:
    """Supp. 4.3 and Evaluation Results: drops of realizability at matched errors, MaxSAT, and constraint counts.

    Fractions, and points where the row says so. The correlation is over all scene outputs of a domain and regime: a cell without
    realizable scenes has none of its own.
    """
    values: Values = {}
    for domain, matched in _matched(answers).items():
        for name, one in matched.items():
            values[f"Realizability drop at matched {name}", DOMAINS[domain]] = one.Drop / 100
        values["Realizability drop at matched errors and constraints, in points", DOMAINS[domain]] = matched[
            "errors and constraints"
        ].Drop
    for block in BLOCKS:
        outputs = answers.outputs_of(*block, graded=True)
        if len(outputs):
            values["Correlation of constraint count with realizability", column(*block)] = coherence.correlation(
                outputs["constraints"].to_numpy(), outputs["realizable"].to_numpy()
            )
            values["MaxSAT", column(*block)] = outputs["maxsat"].mean()
    return tidy(values)


def matching_intervals(answers: Answers) -> pd.DataFrame:
    """Supp. 4.3: the 95 % intervals of the matched drops, on 5,000 draws of ours; fractions."""
    values: Values = {}
    for domain, matched in _matched(answers).items():
        for name, one in matched.items():
            values[f"Realizability drop at matched {name}, 95% low", DOMAINS[domain]] = one.Low / 100
            values[f"Realizability drop at matched {name}, 95% high", DOMAINS[domain]] = one.High / 100
    return tidy(values)


def _matched(answers: Answers) -> dict[str, dict]:
    """For each domain the rows of `vantage.tables.coherence.matched_table` by what is matched."""
    found = {}
    for domain in answers.items:
        parts = [answers.outputs_of(domain, regime) for regime in ("isolated", "competing")]
        if all(map(len, parts)):
            table = matched_table(pd.concat(parts, ignore_index=True), SEED)
            found[domain] = {row["Matched by"]: row for _, row in table.iterrows()}
    return found


def partitions_text(answers: Answers) -> pd.DataFrame:
    """Supp. 4.4: prompts with a positive drop in F1, and cells whose drop keeps its sign whichever prompt is left out; counts.

    "Twelve of 15 cells in each domain" is one number for both: not a number where the domains differ.
    """
    values: Values = {}
    everywhere, kept = [], []
    for domain, items in answers.items.items():
        pairs = paired_cells(answers, domain)
        if not pairs:
            continue
        table = partition_table([run for _, *both in pairs for run in both], items)
        values["Prompt blocks with a positive F1 drop", DOMAINS[domain]] = table["With a drop"].sum()
        everywhere.append(int((table["With a drop"] == table["Prompts"]).sum()))
        kept.append(int((np.sign(table["Lowest without one"]) == np.sign(table["Highest without one"])).sum()))
    if len(everywhere) == len(DOMAINS):
        values["Cells of a domain with a positive F1 drop in every block", "all"] = same(everywhere)
        values["Cells whose leave-one-block-out range keeps its direction", "all"] = sum(kept)
    return tidy(values)


def order_text(answers: Answers) -> pd.DataFrame:
    """Supp. 4.4: by how much NSC changes when answers are put into random order, means over cells, and of the absolute change.

    Fractions. The random orders are ours, 500 a cell.
    """
    values: Values = {}
    for domain, regime in BLOCKS:
        if cells := answers.block(domain, regime):
            change = order_table(list(cells.values()), answers.items[domain], SEED)["Change"]
            values["NSC change under random reordering", column(domain, regime)] = change.mean()
            values["NSC change under random reordering, mean absolute over cells", column(domain, regime)] = (
                change.abs().mean()
            )
    return tidy(values)
