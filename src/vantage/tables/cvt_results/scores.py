"""Accuracy, persistence and coherence of all cells: Tables 1 and S4, and what running text says of their means."""

from statistics import fmean, median

import numpy as np
import pandas as pd

from vantage import coherence, cycles, scoring, survival, transport, viewpoints
from vantage.items import CVTItems, matched_cycle_pairs, rows_by_viewpoint, tracked_rows, viewpoint_numbers
from vantage.predictions import CVTRun
from vantage.relations import VIEWPOINTS
from vantage.tables.cvt_results.chosen import (
    BLOCKS,
    DOMAINS,
    REGIMES,
    REPRESENTATIONS,
    Answers,
    Cell,
    Values,
    column,
    means,
    paired_cells,
    tidy,
)

_METRICS = ("F1", "NSC", "Realizability")
_PRINTED = {"F1": ("Global F1", 100), "NSC": ("NSC", 1), "Realizability": ("Realizability", 100)}
"""What Table 1 and running text call each metric, and in how many parts of the whole they print it."""


def table_1(answers: Answers) -> pd.DataFrame:
    """Table 1: global F1 and realizability in percent, NSC as a fraction; one row a model, domain and representation."""
    values: Values = {}
    for cell in answers.cells:
        row = f"{cell.model} / {DOMAINS[cell.domain]} / {REPRESENTATIONS[cell.representation]}"
        for metric, (name, scale) in _PRINTED.items():
            values[row, f"{name} / {REGIMES[cell.regime]}"] = scale * answers.metrics[metric][cell]
    return tidy(values)


def averages_text(answers: Answers) -> pd.DataFrame:
    """Evaluation Results: means over the cells of a domain and regime, percent, NSC as a fraction.

    `NSC in each domain, below` is the least bound of one decimal that both means stay below.
    """
    values = _means(answers)
    isolated = [values[key] for key in values if key[0] == "NSC" and key[1].endswith(REGIMES["isolated"])]
    if len(isolated) == len(DOMAINS):
        values["NSC in each domain, below", REGIMES["isolated"]] = np.floor(10 * np.max(isolated) + 1) / 10
    return tidy(values)


def _means(answers: Answers) -> Values:
    return {
        (name, column(*block)): scale * fmean(found[cell] for cell in answers.block(*block))
        for metric, found in answers.metrics.items()
        for name, scale in [_PRINTED[metric]]
        for block in BLOCKS
        if answers.block(*block)
    }


def representations_text(answers: Answers) -> pd.DataFrame:
    """Evaluation Results and Supp. 3.1: Text/BBox minus Image, means over models, the least and the greatest of the four blocks.

    F1 and realizability in points, NSC as a fraction; and in how many blocks Scene Graph has more realizable scenes than Image.
    """
    if not all(answers.block(*block) for block in BLOCKS):
        return tidy({})

    def mean_of(found: dict[Cell, float], block: tuple[str, str], representation: str) -> float:
        return fmean(found[cell] for cell in answers.block(*block) if cell.representation == representation)

    names = {"F1": ("F1 in points", 100), "NSC": ("NSC", 1), "Realizability": ("realizability in points", 100)}
    values: Values = {}
    for metric, (name, scale) in names.items():
        found = answers.metrics[metric]
        gains = [scale * (mean_of(found, block, "text_bbox") - mean_of(found, block, "image")) for block in BLOCKS]
        values[f"Text/BBox minus Image, {name}, minimum", "all"] = min(gains)
        values[f"Text/BBox minus Image, {name}, maximum", "all"] = max(gains)
    found = answers.metrics["Realizability"]
    values["Domain-regime blocks in which Scene Graph exceeds Image realizability", "all"] = sum(
        mean_of(found, block, "scene_graph") > mean_of(found, block, "image") for block in BLOCKS
    )
    return tidy(values)


def persistence_text(answers: Answers) -> pd.DataFrame:
    """Supp. 2.2: the denominator of NSC over all 60 cells, and the smallest of their 300 step gaps."""
    if not all(answers.block(*block) for block in BLOCKS):
        return tidy({})
    gaps = np.array([survival.step_gaps(answers.curves(run)) for run in answers.cells.values()])
    denominators = gaps.sum(axis=1).tolist()
    return tidy(
        {
            ("NSC denominator, minimum", "all"): min(denominators),
            ("NSC denominator, maximum", "all"): max(denominators),
            ("NSC denominator, median", "all"): median(denominators),
            ("Smallest NSC step gap", "all"): gaps.min(),
        }
    )


def ambiguity_text(answers: Answers) -> pd.DataFrame:
    """Supp. 2.1: ambiguity-aware minus strict F1, means over cells, fractions."""

    def gap(run: CVTRun, items: CVTItems) -> float:
        return answers.f1(run) - scoring.micro_f1(run.answers, scoring.strict(items.admissible))

    return tidy(means(answers, "Ambiguity-aware minus strict F1", gap))


def viewpoints_text(answers: Answers) -> pd.DataFrame:
    """Evaluation Results and Supp. 3.1: the counterfactual gap, cycle consistency and both views correct; means over cells.

    The gap is a fraction, shares are percent. The largest difference between curves, in points, compares the mean curve of fixed pairs
    with the mean curve of all questions at each of the nine azimuths.
    """
    rows = {domain: rows_by_viewpoint(items.questions) for domain, items in answers.items.items()}
    tracked = {
        domain: dict(zip(VIEWPOINTS, tracked_rows(items.questions).T, strict=True))
        for domain, items in answers.items.items()
    }
    pairs = {domain: matched_cycle_pairs(items.questions) for domain, items in answers.items.items()}

    def curve(run: CVTRun, items: CVTItems, at: dict) -> dict:
        return viewpoints.viewpoint_curve(run.answers, items.admissible, at[items.domain])

    values = means(
        answers,
        "Counterfactual gap",
        lambda run, items: viewpoints.counterfactual_gap(curve(run, items, rows)),
    )
    values |= means(
        answers,
        "Cycle consistency",
        lambda run, items: cycles.cycle_consistency(run.answers, pairs[items.domain]),
        100,
    )
    values |= means(
        answers,
        "Both 0 and 360 degrees correct",
        lambda run, items: cycles.both_correct(run.answers, items.admissible, pairs[items.domain]),
        100,
    )
    for block in BLOCKS:
        runs = answers.block(*block).values()
        both = [pd.DataFrame([curve(run, answers.items[block[0]], at) for run in runs]) for at in (rows, tracked)]
        if len(runs):
            full, fixed = (frame.mean().to_dict() for frame in both)
            name = "Tracker-only minus full angular curve, F1 in points, at most"
            values[name, column(*block)] = 100 * viewpoints.largest_difference(fixed, full)
    return tidy(values)


def hidden_text(answers: Answers) -> pd.DataFrame:
    """Supp. 4.5: F1 at hidden yaws, means over cells, fractions."""
    views = {domain: viewpoint_numbers(items.questions) for domain, items in answers.items.items()}
    return tidy(
        means(
            answers,
            "Hidden-yaw F1",
            lambda run, items: transport.hidden_yaw_f1(run.answers, items.admissible, views[items.domain]),
        )
    )


def outcomes_text(answers: Answers) -> pd.DataFrame:
    """Evaluation Results, on Figure 3: scenes that are wrong and realizable, and wrong and unrealizable; percent, means over cells."""
    rows = {
        "Wrong but realizable": "Wrong but realizable scenes",
        "Wrong and unrealizable": "Wrong and unrealizable scenes",
    }
    values: Values = {}
    for block in BLOCKS:
        outputs = answers.outputs_of(*block)
        if len(outputs):  # every cell has as many scenes, so the mean over cells is the share of all outputs
            shares = coherence.output_shares(outputs["errors"].to_numpy(), outputs["realizable"].to_numpy())
            values |= {(row, column(*block)): 100 * shares[name] for name, row in rows.items()}
    return tidy(values)


def table_s4(answers: Answers) -> pd.DataFrame:
    """Table S4: isolated minus competing, means over all cells and over those whose competing prompts have twenty scenes; fractions."""
    values: Values = {}
    for domain in answers.items:
        drops = _drops(answers, domain)
        names = {"All-model drop": drops, "C20-only drop": [drop for drop in drops if drop["Scenes a prompt"] == 20]}
        for name, part in names.items():
            for metric in _METRICS if part else ():
                values[metric, f"{DOMAINS[domain]} / {name}"] = fmean(drop[metric] for drop in part)
    return tidy(values)


def load_text(answers: Answers) -> pd.DataFrame:
    """Supp. 3.2: the drops of the model whose competing prompts have ten scenes, means over representations, fractions."""
    values: Values = {}
    for domain in answers.items:
        part = [drop for drop in _drops(answers, domain) if drop["Scenes a prompt"] == 10]
        for metric in _METRICS if len({drop["Model"] for drop in part}) == 1 else ():
            values[f"{metric} drop, {part[0]['Model']}", DOMAINS[domain]] = fmean(drop[metric] for drop in part)
    return tidy(values)


def _drops(answers: Answers, domain: str) -> list[dict]:
    """Isolated minus competing of each cell, with the number of scenes in its competing prompts."""
    rows = []
    for cell, _, competing in paired_cells(answers, domain):
        scenes = pd.Series(competing.block).groupby(answers.items[domain].questions["scene"].to_numpy()).first()
        partner = cell._replace(regime="competing")
        rows.append(
            {"Model": cell.model, "Scenes a prompt": int(scenes.value_counts().max())}
            | {metric: answers.metrics[metric][cell] - answers.metrics[metric][partner] for metric in _METRICS}
        )
    return rows
