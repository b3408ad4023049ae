"""Tables of coherence for a reader's runs (CVT-Bench, Figure 3 and Supp. 4.3).

`scene_outputs` looks at every scene of every run once, which is the expensive part; the tables take its frame.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import coherence, scoring
from vantage.bootstrap import DRAWS
from vantage.errors import InputError
from vantage.items import CVTItems
from vantage.predictions import NO_BLOCK, CVTRun, check_item_level
from vantage.realizability import (
    TOWARDS,
    Step,
    answers_at_diagonals,
    asserted_constraints,
    constraints_by_scene,
    explain,
    realizable_scenes,
    realize,
    satisfiable_fractions,
    step_letter,
    three_answers,
)
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, LEFT, RIGHT, opposite
from vantage.tables.runs import admissible_sets, require_blocks

MATCHINGS = {"errors": ["errors"], "errors and constraints": ["errors", "constraints"]}
"""What outputs of the same model and representation are matched by (Supp. 4.3)."""

_OUTCOMES = ("Fully correct", "Wrong but realizable", "Wrong and unrealizable")


def scene_outputs(
    runs: Sequence[CVTRun],
    items: CVTItems,
    satisfiable: Sequence[NDArray[np.float64]] | None = None,
    strict: bool = False,
) -> pd.DataFrame:
    """One row a run and scene: title, set, kind, model, representation, regime, scene, block; errors, constraints, realizable, maxsat.

    `errors` counts questions that are not exact (invalid and missing ones too), `constraints` asserted labels.
    `satisfiable` has for each run the satisfiable fraction of each scene's constraints (MaxSAT), in the order of
    `items.scenes`; not a number without it.
    """
    names = [scene["scene"] for scene in items.scenes]
    place = pd.Index(names).get_indexer(items.questions.scene)
    admissible = admissible_sets(items, strict)
    parts = []
    for number, run in enumerate(runs):
        realizable = realizable_scenes(run.answers, items.questions)
        block = np.full(len(names), NO_BLOCK, dtype=np.int16)
        np.maximum.at(block, place, run.block)  # a scene has one block, or none
        parts.append(
            pd.DataFrame(
                {name: getattr(run, name) for name in ("title", "set", "kind", "model", "representation", "regime")}
                | {
                    "scene": names,
                    "block": block,
                    "errors": np.bincount(place, weights=~scoring.exact(run.answers, admissible)).astype(int),
                    "constraints": np.bincount(place, weights=np.bitwise_count(run.answers)).astype(int),
                    "realizable": [realizable[name] for name in names],
                    "maxsat": np.nan if satisfiable is None else satisfiable[number],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def coherence_table(outputs: pd.DataFrame) -> pd.DataFrame:
    """Figure 3's shares, realizability where something is wrong and MaxSAT, percent; one row a run of `scene_outputs`.

    `Constraints with realizable` is the correlation of constraint count with realizability (Supp. 4.3).
    """
    return pd.DataFrame(
        [
            {"Set": title, "Kind": part.kind.iloc[0], "Scenes": len(part)}
            | {name: 100 * share for name, share in coherence.output_shares(part.errors, part.realizable).items()}
            | {
                "MaxSAT": 100 * part.maxsat.mean(),
                "Constraints with realizable": coherence.correlation(part.constraints, part.realizable),
            }
            for title, part in outputs.groupby("title", sort=False)
        ]
    )


def matched_table(outputs: pd.DataFrame, seed: int, draws: int = DRAWS) -> pd.DataFrame:
    """Supp. 4.3: by how much realizability drops between isolated and competing outputs that match; one row a matching.

    Pools all cells of `scene_outputs` that have both regimes. Points, with a 95 % interval. Raises `InputError` for a
    competing output without a block.
    """
    rows = []
    for name, columns in MATCHINGS.items():
        gap, pairs = coherence.matched_drop(_matching_cells(outputs, columns), seed, draws)
        rows.append(
            {"Matched by": name, "Pairs": pairs, "Drop": 100 * gap.value, "Low": 100 * gap.low, "High": 100 * gap.high}
        )
    return pd.DataFrame(rows)


def _matching_cells(outputs: pd.DataFrame, columns: list[str]) -> list[NDArray[np.float64]]:
    """The `matching_sums` of each model and representation with both regimes, matched by `columns`."""
    cells = []
    for _, cell in outputs.groupby(["set", "model", "representation"], sort=False):
        competing = cell[cell.regime == "competing"].set_index("scene")
        both = cell[cell.regime.isin(("isolated", "competing")) & cell.scene.isin(competing.index)]
        if both.regime.nunique() < 2:
            continue
        require_blocks(competing.block, competing.title.iloc[0])
        clusters, _ = pd.factorize(both.scene.map(competing.block))
        cells.append(
            coherence.matching_sums(
                both.groupby(columns).ngroup().to_numpy(),
                (both.regime == "competing").to_numpy(),
                both.realizable.to_numpy(),
                clusters,
            )
        )
    return cells


def satisfiable(runs: Sequence[CVTRun], items: CVTItems) -> list[NDArray[np.float64]]:
    """MaxSAT of each scene, one array a run in the order of `items.scenes`, as `scene_outputs` takes it."""
    found = [satisfiable_fractions(run.answers, items.questions) for run in runs]
    return [np.array([fractions[scene["scene"]] for scene in items.scenes]) for fractions in found]


def maxsat_table(outputs: pd.DataFrame, runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """MaxSAT beside the share of asserted labels that are gold, percent, means over scenes; and verdicts, counts; one row a run.

    The layout of the scene satisfies every gold label, so MaxSAT is never below their share.
    """
    place = pd.Index([scene["scene"] for scene in items.scenes]).get_indexer(items.questions.scene)
    rows = []
    for run, (title, part) in zip(runs, outputs.groupby("title", sort=False), strict=True):
        true = np.bincount(place, weights=np.bitwise_count(run.answers & items.gold))
        asserted = np.bincount(place, weights=np.bitwise_count(run.answers))
        rows.append(
            {
                "Set": title,
                "Kind": part.kind.iloc[0],
                "Labels true": 100 * float(np.mean(true[asserted > 0] / asserted[asserted > 0])),
                "MaxSAT": 100 * part.maxsat.mean(),
                "Lowest scene": 100 * part.maxsat.min(),
                "Scenes with MaxSAT 1": int((part.maxsat == 1).sum()),
                "Scenes realizable": int(part.realizable.sum()),
            }
        )
    return pd.DataFrame(rows)


def validation_table(items: CVTItems) -> pd.DataFrame:
    """What the test says of gold and of deliberate changes to it: cases, those that are realizable, and percent.

    The last row turns one label into its opposite, each label of each scene in turn.
    """
    questions, gold = items.questions, items.gold
    first_only = np.where(gold & (LEFT | RIGHT), gold & (LEFT | RIGHT), gold)
    verdicts = {
        "Gold": realizable_scenes(gold, questions),
        "Gold, with one label left out of every answer that has two": realizable_scenes(first_only, questions),
        "Gold, with every label turned into its opposite": realizable_scenes(opposite(gold), questions),
        "Gold, read with the opposite map": realizable_scenes(gold, questions, opposite_map=True),
    }
    counted = {name: np.array(list(verdict.values())) for name, verdict in verdicts.items()}
    counted["Gold, with a single label turned into its opposite"] = _single_inversions(items)
    return pd.DataFrame(
        [
            {"Answers": name, "Cases": len(cases), "Realizable": int(cases.sum()), "Percent": 100 * cases.mean()}
            for name, cases in counted.items()
        ]
    )


def _single_inversions(items: CVTItems) -> NDArray[np.bool_]:
    """Whether a scene stays realizable when one gold label is inverted, one entry a label; every scene's k-th label at a time."""
    labels = np.array([LEFT, RIGHT, FRONT, BEHIND, ABOVE, BELOW], dtype=np.uint8)
    question, place = np.nonzero(items.gold[:, None] & labels)
    scene = items.questions.scene.iloc[question]
    rank = scene.groupby(scene.to_numpy()).cumcount().to_numpy()
    verdicts = np.empty(len(question), dtype=bool)
    for turn in range(rank.max() + 1):
        rows = np.flatnonzero(rank == turn)
        answers = items.gold.copy()
        label = labels[place[rows]]
        answers[question[rows]] = answers[question[rows]] & ~label | opposite(label)
        found = realizable_scenes(answers, items.questions)
        verdicts[rows] = [found[name] for name in scene.iloc[rows]]
    return verdicts


def expected_outcomes(runs: Sequence[CVTRun], items: CVTItems, flip: float, slip: float) -> pd.DataFrame:
    """What shares of scenes must come out, derived from mechanisms alone, beside the strict run; percent.

    `Standard error` is 0 where the expectation is certain. `slip` is the chance that the independent noise replaces an answer: a
    scene of q questions is fully correct with chance (1 - slip)^q. `flip` is the noisy source's chance to misjudge an axis
    of a pair: a scene of p pairs is fully correct with chance (1 - flip)^(2 p), or a little more, because a component near
    zero can be misjudged without any label changing.
    """
    questions = items.questions
    pairs = pd.DataFrame({"scene": questions.scene, "low": questions[["target", "anchor"]].min(axis=1)})
    pairs = pairs.assign(high=questions[["target", "anchor"]].max(axis=1)).drop_duplicates().groupby("scene").size()
    asked = questions.groupby("scene").size()
    certain = {
        "Oracle": (100, 0, 0),
        "Label omitter": (0, 100, 0),
        "Complete inverter": (0, 100, 0),
        "Wrong but coherent": (None, None, 0),
        "Reader of boxes": (None, None, 0),
        "Egocentric": (0, 0, 100),
        "Half-turn reverser": (0, 0, 100),
    }
    claims = [
        (title, outcome, value, 0.0)
        for title, values in certain.items()
        for outcome, value in zip(_OUTCOMES, values, strict=True)
    ]
    for title, chance in (("Noisy source", (1 - flip) ** (2 * pairs)), ("Independent noise", (1 - slip) ** asked)):
        error = 100 * np.sqrt((chance * (1 - chance)).sum()) / len(chance)
        claims.append((title, _OUTCOMES[0], 100 * chance.mean(), error))
    run = coherence_table(scene_outputs(runs, items, strict=True)).set_index("Set")
    return pd.DataFrame(
        [
            {"Set": title, "Share": outcome, "Expected": float(value), "Standard error": error, "Run": run.loc[title, outcome]}
            for title, outcome, value, error in claims
            if value is not None and title in run.index
        ]
    )  # fmt: skip


def matched_by_set(outputs: pd.DataFrame, seed: int, draws: int = DRAWS) -> pd.DataFrame:
    """`matched_table` of each set that has both regimes, beside the drop without any matching; points."""
    parts = []
    for _, part in outputs[outputs.regime.isin(("isolated", "competing"))].groupby("set", sort=False):
        if part.regime.nunique() < 2:
            continue
        shares = 100 * part.groupby("regime").realizable.mean()
        head = {"Set": part.model.iloc[0], "Unmatched drop": shares["isolated"] - shares["competing"]}
        parts.append(matched_table(part, seed, draws).assign(**head))
    columns = ["Set", "Unmatched drop", "Matched by", "Pairs", "Drop", "Low", "High"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def conflict_sizes(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """How many scenes of each run have no layout, and how many objects and answers their contradictions take; one row a run.

    It is the contradiction that `realize` gives: irreducible, from the shortest cycle along one direction where there is one.
    """
    rows = []
    for run in runs:
        found = [realize(rows).conflict for rows in constraints_by_scene(run.answers, items.questions).values()]
        found = [conflict for conflict in found if conflict]
        objects = np.array([len(np.unique(conflict.constraints[:, 1:3])) for conflict in found])
        rows.append(
            {
                "Set": run.title,
                "No layout": len(found),
                "Two objects": int((objects == 2).sum()),
                "Three": int((objects == 3).sum()),
                "Four or more": int((objects > 3).sum()),
                "Answers needed": "–".join(sorted({str(len(one.questions)) for one in found}, key=int)) or "none",
            }
        )
    return pd.DataFrame(rows)


def worked_steps(diagonal: bool = False) -> list[Step]:
    """The steps of the worked example `three_answers`, or of `answers_at_diagonals`, which needs a multiplier."""
    answers, asked = answers_at_diagonals() if diagonal else three_answers()
    return explain(realize(asserted_constraints(answers, asked)).conflict, asked)


def conflict_steps(run: CVTRun, items: CVTItems, scene: str) -> list[Step]:
    """The steps of the contradiction in a run's answers about a scene.

    Raises `InputError` for a reconstructed run and for answers that a layout satisfies.
    """
    check_item_level([run])
    asked = items.questions[items.questions.scene == scene]
    answers = run.answers[asked.index]
    conflict = realize(asserted_constraints(answers, asked)).conflict
    if conflict is None:
        raise InputError(
            f"expected answers of {run.title!r} about {scene} that no layout satisfies, found realizable ones"
        )
    return explain(conflict, asked)


def _in_few_lines(claim: str) -> str:
    """A claim that breaks at sensible places only, so that a narrow column stays readable."""
    kept = claim.replace(" ", "\xa0")
    return kept.replace(",\xa0", ", ").replace("\xa0is\xa0", "\xa0is ").replace("\xa0of\xa0", " of\xa0")


def steps_table(steps: Sequence[Step], items: CVTItems, scene: str) -> pd.DataFrame:
    """A contradiction step by step: what was answered, what it means on the map, its inequality, the sum so far, and the truth.

    The last column is by how much the step holds in the scene, in world units: it fails where that is negative. Spaces within a
    formula do not break.
    """
    plane = {thing["tag"]: np.array(thing["plane"]) for thing in items.scene(scene)["objects"]}
    rows = []
    for place, step in enumerate(steps):
        along = np.array(step.direction[:2])
        holds = float((plane[step.target] - plane[step.anchor]) @ along / np.hypot(*along))
        rows.append(
            {
                "Step": step_letter(place),
                "Answer": _in_few_lines(step.claim),
                "On the map": f"{step.target}\xa0is\xa0farther {TOWARDS[step.direction]} than\xa0{step.anchor}".replace(
                    "to the ", "to\xa0the\xa0"
                ),
                "Inequality": step.inequality.replace(" ", "\xa0"),
                "Sum so far": step.total.replace(", ", ",\xa0").replace(" ≥ ", "\xa0≥\xa0").replace("+ ", "+\xa0"),
                "In the scene": f"{holds:+.2f}".replace("-", "−") + (", holds" if holds > 0 else ", fails"),
            }
        )
    return pd.DataFrame(rows)
