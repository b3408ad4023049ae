"""Matched context controls: Tables S11 to S13, and Supp. 5. All of CVT-Synthetic, whose prompts alone were filled."""

import pandas as pd

from vantage.items import load_attribute_questions
from vantage.tables.cvt_results.chosen import REGIMES, REPRESENTATIONS, SEED, Answers, Values, tidy
from vantage.tables.fillers import retrieval_table, target_table
from vantage.tables.interference import gap_table

SHORT = {"Gemini 3.1 Pro": "Gemini", "Qwen 3.5 OS": "Qwen OS"}
"""What Tables S11 to S13 call the two models of the controls."""

DOMAIN = "synthetic"

_FIRST_HALF = 10
"""Table S12 has the positions before this one, Table S13 the others."""


def _targets(answers: Answers) -> pd.DataFrame:
    """`vantage.tables.fillers.target_table` of the models of the controls with the picture."""
    runs = [run for run in answers.runs if run.domain == DOMAIN and run.model in SHORT]
    if not runs:
        return pd.DataFrame(columns=["Model", "Representation", "Metric"])
    table = target_table(runs, answers.items[DOMAIN])
    return table[table["Representation"] == "image"]


def table_s11(answers: Answers) -> pd.DataFrame:
    """Table S11: F1 and NSC over the fifteen target scenes in every regime, with the picture; fractions."""
    values: Values = {}
    for _, one in _targets(answers).iterrows():
        for name in ("Isolated", "Competing", "Irrelevant filler", "Attribute filler"):
            if pd.notna(one[name]):
                values[f"{SHORT[one['Model']]} / {one['Metric']}", name] = one[name]
    return tidy(values)


def controls_text(answers: Answers) -> pd.DataFrame:
    """Evaluation Results: scores on the matched targets, F1 in percent and NSC as a fraction, and attribute retrieval, percent."""
    names = {"F1": ("Global F1", 100), "NSC": ("NSC", 1)}
    values: Values = {}
    for _, one in _targets(answers).iterrows():
        name, scale = names[one["Metric"]]
        for regime in ("competing", "irrelevant_filler"):
            of = "Competing" if regime == "competing" else REGIMES[regime]
            if pd.notna(one[of]):
                values[f"{name} on the matched targets, {one['Model']}", f"Image / {REGIMES[regime]}"] = scale * one[of]
    for _, one in _retrieval(answers).iterrows():
        where = f"{REPRESENTATIONS[one['Representation']]} / {REGIMES['attribute_filler']}"
        values[f"Attribute retrieval, {one['Model']}", where] = one["All"]
    return tidy(values)


def controls_intervals(answers: Answers) -> pd.DataFrame:
    """Supp. 5: 95 % intervals of a filler minus competing, with the picture, on 5,000 draws of ours of the fifteen targets; fractions."""
    values: Values = {}
    runs = [run for run in answers.runs if (run.domain, run.representation) == (DOMAIN, "image") and run.model in SHORT]
    for regime in ("irrelevant_filler", "attribute_filler"):
        if not any(run.regime == regime for run in runs):
            continue
        gaps = gap_table(runs, answers.items[DOMAIN], SEED, control=regime)
        for one in gaps[gaps["Set"] != "All"].itertuples():
            row = f"{REGIMES[regime]} minus competing, {one.Metric}"
            values[f"{row}, low", one.Model], values[f"{row}, high", one.Model] = one.Low, one.High
    return tidy(values)


def _retrieval(answers: Answers) -> pd.DataFrame:
    """`vantage.tables.fillers.retrieval_table` of the models of the controls."""
    runs = [run for run in answers.attribute_runs if run.domain == DOMAIN and run.model in SHORT]
    if not runs:
        return pd.DataFrame(columns=["Model", "Representation"])
    return retrieval_table(runs, load_attribute_questions(DOMAIN), answers.items[DOMAIN])


def _by_position(answers: Answers, first_half: bool) -> pd.DataFrame:
    values: Values = {}
    for _, one in _retrieval(answers).iterrows():
        row = f"{SHORT[one['Model']]} / {REPRESENTATIONS[one['Representation']]}"
        for name in one.index[one.index.str.startswith("Position ") | (one.index == "All")]:
            early = name != "All" and int(name.split()[1]) < _FIRST_HALF
            if early == first_half:
                values[row, name] = one[name]
    return tidy(values)


def table_s12(answers: Answers) -> pd.DataFrame:
    """Table S12: attribute retrieval by batch position, positions 0 to 9; percent."""
    return _by_position(answers, first_half=True)


def table_s13(answers: Answers) -> pd.DataFrame:
    """Table S13: attribute retrieval, positions 10 to 19, and the unweighted mean over all twenty positions; percent."""
    return _by_position(answers, first_half=False)
