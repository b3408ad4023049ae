"""Tables of the pages on the 60 printed cells: which runs stand for them, what follows from their numbers, and worked examples.

Printed cells come from reconstructed runs alone; a reader's own sets are scored apart, on our items.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import coherence, scoring
from vantage.items import CVTItems
from vantage.predictions import INVALID, MISSING, NOT_ASKED, CVTRun, load, set_names
from vantage.published import as_printed, load_published
from vantage.realizability import realizable_scenes
from vantage.tables.coherence import scene_outputs
from vantage.tables.cvt_results import scores
from vantage.tables.cvt_results.chosen import BLOCKS, DOMAINS, REGIMES, REPRESENTATIONS, Answers
from vantage.tables.reconstructed import others, solved
from vantage.tables.runs import require_blocks


def load_answers(predictions: Sequence[str | Path] | str) -> tuple[Answers, Answers]:
    """What the sets of a page's `predictions` say of the printed cells, and all other runs that answer whole domains.

    The first has the reconstructed runs, the second those that stand for themselves, isolated and competing. Either may be empty.
    """
    found = [load(name) for name in set_names(predictions)]
    found = [one for one in found if one.manifest["paper"] == "cvt"]
    runs = [run for one in found for run in one.runs]
    own = [run for run in others(runs) if run.regime in ("isolated", "competing")]
    attributes = [run for one in found for run in one.attribute_runs]
    return Answers.of(solved(runs), solved(attributes)), Answers.of(own)


def cell_table(answers: Answers) -> pd.DataFrame:
    """The numbers of Table 1 taken apart: Model, Representation, domain and regime as printed, metric, value; a row a number."""
    table = scores.table_1(answers)
    names = table["row"].str.split(" / ", n=2, expand=True).reindex(columns=range(3))
    names.columns = ["Model", "domain", "Representation"]
    metric = table["column"].str.rsplit(" / ", n=1, expand=True).reindex(columns=range(2))
    metric.columns = ["metric", "regime"]
    return pd.concat([names, metric, table["value"]], axis=1)


def at_printed_precision(table: pd.DataFrame) -> pd.DataFrame:
    """`cell_table` with each value at the decimals that Table 1 prints, so that what is compared there follows from the print."""
    printed = load_published("cvt").query("place == 'Table 1'")
    decimals = dict(zip(printed["column"].str.split(" / ").str[0], printed["decimals"], strict=True))
    rounded = [
        float(as_printed(value, decimals[metric]))
        for metric, value in zip(table["metric"], table["value"], strict=True)
    ]
    return table.assign(value=pd.Series(rounded, index=table.index, dtype=float))


def best_representations(table: pd.DataFrame) -> pd.DataFrame:
    """In how many model-domain cells of `cell_table` each representation is the best of three; a tie counts for each that shares it."""
    columns = ["Metric", "Regime", *REPRESENTATIONS.values(), "Cells"]
    rows = []
    for (metric, regime), part in table.groupby(["metric", "regime"], sort=False):
        wide = part.pivot(index=["Model", "domain"], columns="Representation", values="value")
        best = wide.eq(wide.max(axis=1), axis=0).sum()
        rows.append({"Metric": metric, "Regime": regime, "Cells": len(wide)} | best.to_dict())
    return pd.DataFrame(rows, columns=columns)


def drop_table(table: pd.DataFrame) -> pd.DataFrame:
    """Isolated minus competing of each cell of `cell_table`: domain, Model, Representation, metric, value."""
    wide = table.pivot(index=["domain", "Model", "Representation", "metric"], columns="regime", values="value").reindex(
        columns=[REGIMES["isolated"], REGIMES["competing"]]
    )
    order = table[["domain", "Model", "Representation", "metric"]].drop_duplicates()
    drops = (wide[REGIMES["isolated"]] - wide[REGIMES["competing"]]).rename("value")
    return order.merge(drops.reset_index()).dropna(ignore_index=True)


def falling_cells(drops: pd.DataFrame) -> pd.DataFrame:
    """In how many cells of `drop_table` a metric falls from isolated to competing, stays, and rises; one row a domain and metric."""
    return pd.DataFrame(
        [
            {
                "Domain": domain,
                "Metric": metric,
                "Falls": int((part["value"] > 0).sum()),
                "Stays": int((part["value"] == 0).sum()),
                "Rises": int((part["value"] < 0).sum()),
                "Rises in": ", ".join(dict.fromkeys(part.loc[part["value"] < 0, "Model"])),
            }
            for (domain, metric), part in drops.groupby(["domain", "metric"], sort=False)
        ],
        columns=["Domain", "Metric", "Falls", "Stays", "Rises", "Rises in"],
    )


def outcome_table(answers: Answers) -> pd.DataFrame:
    """Figure 3: how scene outputs divide in each domain and regime, percent; the means over cells, as every cell has as many scenes."""
    rows = []
    for domain, regime in BLOCKS:
        outputs = answers.outputs_of(domain, regime)
        if len(outputs):
            shares = coherence.output_shares(outputs["errors"].to_numpy(), outputs["realizable"].to_numpy())
            rows.append({"Set": f"{DOMAINS[domain]}, {regime}"} | {name: 100 * share for name, share in shares.items()})
    return pd.DataFrame(rows)


def own_scores(answers: Answers) -> pd.DataFrame:
    """Scores of runs that stand for themselves, a row a run: items, F1 and realizability in percent, NSC as a fraction."""
    rows = []
    for run in answers.runs:
        items = answers.items[run.domain]
        verdicts = realizable_scenes(run.answers, items.questions)
        rows.append(
            {
                "Set": run.title,
                "Kind": run.kind,
                "Items": items.title,
                "Global F1": 100 * answers.f1(run),
                "NSC": answers.nsc(run),
                "Realizability": 100 * float(np.mean(list(verdicts.values()))),
            }
        )
    return pd.DataFrame(rows, columns=["Set", "Kind", "Items", "Global F1", "NSC", "Realizability"])


# ------------------------------------------------------------------------------------------------------- matched outputs


def worked_matching() -> pd.DataFrame:
    """A made-up cell of ten isolated and ten competing outputs, by the number of errors: what is paired, and what each stratum adds.

    The last row has the sums, and with them the drop without and with matching, in points.
    """
    isolated = {0: (3, 3), 2: (4, 3), 5: (3, 1)}
    competing = {0: (1, 1), 2: (2, 1), 5: (5, 0), 9: (2, 0)}
    rows = []
    for errors in sorted(isolated | competing):
        (n, good), (m, kept) = isolated.get(errors, (0, 0)), competing.get(errors, (0, 0))
        drop, pairs = coherence.matched_sums(np.array([[[good, n], [kept, m]]], dtype=float))
        rows.append([str(errors), n, good, m, kept, int(pairs), float(drop)])
    columns = ["Errors", "Isolated", "Isolated, realizable", "Competing", "Competing, realizable", "Pairs", "Adds"]
    frame = pd.DataFrame(rows, columns=columns)
    total = frame[columns[1:]].sum()
    frame.loc[len(frame)] = ["all", *total]
    return frame.astype(dict.fromkeys(columns[1:-1], int))


def worked_drops(matching: pd.DataFrame) -> pd.DataFrame:
    """The drop of `worked_matching` over all outputs, and over matched pairs; points."""
    total = matching.iloc[-1]
    return pd.DataFrame(
        {
            "Compared": ["all outputs", "matched pairs"],
            "Drop": [
                100
                * (
                    total["Isolated, realizable"] / total["Isolated"]
                    - total["Competing, realizable"] / total["Competing"]
                ),
                100 * total["Adds"] / total["Pairs"],
            ],
        }
    )


def scattered(run: CVTRun, items: CVTItems, seed: int) -> NDArray[np.uint8]:
    """Answers with as many errors in each scene as `run` has, at random places: (questions,), gold everywhere else.

    A wrong answer is one of the eight of one or two labels that a layout allows and no admissible set. NumPy's PCG64 with `seed`.
    """
    rng = np.random.default_rng(seed)
    legal = np.array([1, 2, 4, 8, 5, 6, 9, 10], dtype=np.uint8)
    wrong = ~scoring.exact(run.answers, items.admissible)
    scenes, _ = pd.factorize(items.questions["scene"])
    errors = np.bincount(scenes, weights=wrong)
    ranked = np.lexsort((rng.random(len(scenes)), scenes))
    place = np.empty(len(scenes), dtype=int)
    place[ranked] = np.arange(len(scenes)) - np.searchsorted(scenes[ranked], scenes[ranked])
    chosen = place < errors[scenes]
    choice = np.where(
        (legal[None, :, None] == items.admissible[:, None]).any(axis=2), -1.0, rng.random((len(scenes), 8))
    )
    return np.where(chosen, legal[choice.argmax(axis=1)], items.gold).astype(np.uint8)


_BINS = (0, 1, 6, 11, 21, 10**6)


def same_errors(run: CVTRun, items: CVTItems, seed: int) -> pd.DataFrame:
    """Scenes by their number of errors: realizable as the run answers, and with as many errors at random places (`scattered`); percent.

    The last row has all scenes; the difference of its last two columns is the drop at matched errors, scene by scene.
    """
    outputs = scene_outputs([run], items)
    apart = realizable_scenes(scattered(run, items, seed), items.questions)
    frame = outputs.assign(apart=outputs["scene"].map(apart))
    frame["bin"] = np.searchsorted(_BINS, frame["errors"], side="right") - 1
    parts = [*(part for _, part in frame.groupby("bin")), frame]
    names = [
        f"{low}" if high == low + 1 else f"{low} to {high - 1}" if high < _BINS[-1] else f"{low} or more"
        for low, high in zip(_BINS, _BINS[1:], strict=False)
    ]
    return pd.DataFrame(
        [
            {
                "Errors": "all" if part is frame else names[part["bin"].iloc[0]],
                "Scenes": len(part),
                "As answered": 100 * part["realizable"].mean(),
                "Scattered": 100 * part["apart"].mean(),
            }
            for part in parts
        ]
    )


# ------------------------------------------------------------------------------------------------------ output integrity


def integrity_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """What became of every question, one row a run: asked, answered, invalid, missing; scenes that lack an answer; and prompts."""
    scene = items.questions["scene"]
    rows = []
    for run in runs:
        asked = run.status != NOT_ASKED
        lacking = asked & np.isin(run.status, (INVALID, MISSING))
        rows.append(
            {
                "Set": run.title,
                "Asked": int(asked.sum()),
                "Answered": int((asked & ~lacking).sum()),
                "Invalid": int((run.status == INVALID).sum()),
                "Missing": int((run.status == MISSING).sum()),
                "Scenes asked": scene[asked].nunique(),
                "Scenes that lack an answer": scene[lacking].nunique(),
            }
        )
    return pd.DataFrame(rows)


def truncation_table(
    runs: Sequence[CVTRun], items: CVTItems, shares: Sequence[float] = (0.0, 0.1, 0.25)
) -> pd.DataFrame:
    """F1 of competing runs whose replies end before the prompt does: what counting the missing answers as wrong says, and leaving them out.

    Percent. `shares` are the parts of each prompt's questions that are cut off at its end. Complete is F1 of the whole run; where the last
    questions are harder, leaving them out flatters. Raises `InputError` for a run without blocks.
    """
    order = items.questions["scene"].map({one["scene"]: one["number"] for one in items.scenes}).to_numpy()
    rows = []
    for run in runs:
        if run.regime != "competing":
            continue
        require_blocks(run.block, run.title)
        ranked = np.lexsort((items.questions["number"], order, run.block))
        place = np.empty(len(ranked), dtype=int)
        place[ranked] = np.arange(len(ranked))
        first, size = (pd.Series(place).groupby(run.block).transform(how).to_numpy() for how in ("min", "size"))
        along = (place - first) / size
        for share in shares:
            kept = along < 1 - share
            wrong = scoring.micro_f1(np.where(kept, run.answers, 0).astype(np.uint8), items.admissible)
            rows.append(
                {
                    "Set": run.title,
                    "Cut off": 100 * share,
                    "Complete": 100 * scoring.micro_f1(run.answers, items.admissible),
                    "Missing is wrong": 100 * wrong,
                    "Left out": 100 * scoring.micro_f1(run.answers[kept], items.admissible[kept]),
                }
            )
    return pd.DataFrame(rows, columns=["Set", "Cut off", "Complete", "Missing is wrong", "Left out"])
