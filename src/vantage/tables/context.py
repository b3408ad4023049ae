"""Tables of the page on context: scores of the target scenes by regime, and what stands before a target (CVT-Bench, Supp. 5).

Runs of a filler regime come with one target position each; what looks at all fifteen targets pools them
(`vantage.predictions.pool_targets`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import linregress

from vantage import scoring
from vantage.items import AttributeQuestions, CVTItems, load_attribute_questions
from vantage.predictions import AttributeRun, CVTRun, pool_targets
from vantage.prompts import FILLERS, SIZES, TARGET_POSITIONS, assemble, batches, prompt_text, target_scenes
from vantage.published import as_printed, load_places, load_published
from vantage.schemas import PROMPTED
from vantage.tables.fillers import ALL, TITLES, retrieval_by_position, retrieval_table
from vantage.tables.interference import gap_table, regime_pairs

REGIMES = ("isolated", *FILLERS, "competing")
"""The regimes in the order of the intervention ladder."""

_LOADS = ["characters", "questions", "along", "scenes", "related"]
"""What can stand before a question, as `before_questions` counts it."""

_LINE = re.compile(r"^q_\d+: ", re.MULTILINE)


def positions_of_targets(items: CVTItems) -> dict[str, int]:
    """The slot of each target scene in its batch of twenty."""
    return {scene: position for position in TARGET_POSITIONS for scene in target_scenes(items, position)}


def of_regime(runs: Sequence[CVTRun], regime: str) -> list[CVTRun]:
    """The runs of one regime, pooled over their targets in a filler regime."""
    return pool_targets([run for run in runs if run.regime == regime])


def _by_name(runs: Sequence[CVTRun]) -> dict[str, dict[str, CVTRun]]:
    """Pooled runs by what a table calls their model, then by regime; of models that have a filler run.

    A model that answered several representations, or is in several sets, says so in its name.
    """
    found: dict[tuple, dict[str, CVTRun]] = {}
    for run in pool_targets(runs):
        found.setdefault((run.model, run.representation, run.set), {})[run.regime] = run
    kept = {key: by_regime for key, by_regime in found.items() if set(by_regime) & set(FILLERS)}
    several = {model for model, times in Counter(model for model, *_ in kept).items() if times > 1}
    return {", ".join(key) if key[0] in several else key[0]: by_regime for key, by_regime in kept.items()}


def filler_gaps(runs: Sequence[CVTRun], items: CVTItems, seed: int) -> pd.DataFrame:
    """Each filler minus competing on the target scenes with a 95 % interval that resamples the target prompts; fractions.

    A gap that is undefined, as of NSC where a run is always right, has no row.
    """
    pooled, parts = pool_targets(runs), []
    for control in FILLERS:
        if regime_pairs(pooled, control):
            gaps = gap_table(pooled, items, seed, control=control).query("Set != 'All'")
            parts.append(gaps.assign(Filler=TITLES[control]))
    columns = ["Model", "Metric", "Filler", "Control", "Competing", "Gap", "Low", "High"]
    frame = pd.concat(parts)[columns] if parts else pd.DataFrame(columns=columns)
    ranks = {name: rank for rank, name in enumerate(["F1", "NSC", *dict.fromkeys(run.model for run in runs)])}
    return (
        frame.dropna(subset="Gap")
        .sort_values(["Model", "Metric"], key=lambda part: part.map(ranks), kind="stable")
        .rename(columns={"Model": "Set", "Control": "With filler"})
        .reset_index(drop=True)
    )


def position_scores(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Strict exact match of the target scenes by slot and regime, tidy: Set, regime, position (from 0), value; fractions."""
    position = items.questions.scene.map(positions_of_targets(items)).to_numpy()
    gold = scoring.strict(items.admissible)
    return pd.DataFrame(
        [
            (name, TITLES[regime], place, scoring.exact_match(by_regime[regime].answers[here], gold[here]))
            for name, by_regime in _by_name(runs).items()
            for regime in REGIMES
            if regime in by_regime
            for place in TARGET_POSITIONS
            for here in (position == place,)
        ],
        columns=["Set", "regime", "position", "value"],
    )


def before_questions(items: CVTItems, regime: str, target_position: int | None = None) -> pd.DataFrame:
    """What stands before each question in the Text/BBox prompts of a regime, a row a question in the order of the prompts.

    Columns: scene, block, position (the slot), role (spatial or attribute); `characters` and `questions` before it; `along`,
    the questions before it as a share of all others in the prompt; `scenes` before its own that are shown, and `related`, those
    of them asked about their relations.
    """
    positions = () if target_position is None else (target_position,)
    rows = []
    for _, prompt in assemble(items, regime, "text_bbox", target_positions=positions).to_pandas().groupby("prompt"):
        whole, at, asked, shown, related = prompt_text(prompt), 0, 0, 0, 0
        found = []
        for slot in prompt.sort_values("position").itertuples():
            at = whole.index(slot.text, at)
            for line in _LINE.finditer(slot.text):
                found.append(
                    (slot.scene, slot.block, slot.position, slot.role, at + line.start(), asked, shown, related)
                )
                asked += 1
            at += len(slot.text)
            shown += slot.role != "irrelevant"
            related += slot.role == "spatial"
        columns = ["scene", "block", "position", "role", "characters", "questions", "scenes", "related"]
        frame = pd.DataFrame(found, columns=columns)
        rows.append(frame.assign(along=frame.questions / (len(frame) - 1)))
    return pd.concat(rows, ignore_index=True)


def target_loads(items: CVTItems) -> pd.DataFrame:
    """What stands before a question of the target, on average, by regime and slot of the target; as `before_questions`."""
    targets, parts = positions_of_targets(items), []
    for regime in REGIMES:
        for position in TARGET_POSITIONS if regime in FILLERS else (None,):
            before = before_questions(items, regime, position)
            before = before[(before.role == "spatial") & before.scene.isin(targets)]
            parts.append(before.assign(regime=TITLES[regime], position=before.scene.map(targets)))
    return pd.concat(parts).groupby(["regime", "position"], sort=False)[_LOADS].mean().reset_index()


MECHANISMS = {
    "Interference": ("related", 19),
    "Scene mix-up": ("scenes", 19),
    "Drifting": ("along", 1),
    "Tiring": ("questions", 1000),
    "Length-sensitive": ("characters", 100_000),
    "Recency-biased": ("scenes", 19),
}
"""What each responder's chance of an error is proportional to, and in what units: the column of `before_questions` that it heeds."""

ABOUT_RELATIONS, ABOUT_ATTRIBUTES = ("Interference", "Scene mix-up"), ("Recency-biased",)
"""Those that mix up scenes, by what they mix up: they are right at least so often, for the other scene may say the same."""


def _expected(loads: pd.DataFrame, rates: Mapping[str, float], spared: Sequence[str]) -> pd.DataFrame:
    """The share of right answers at each row of mean loads, tidy: its keys, Set, value; a fraction. Those `spared` do not err."""
    keys = [column for column in ("regime", "position") if column in loads]
    parts = [loads[keys].assign(Set="Oracle", value=1.0)]
    for name, (heeded, unit) in MECHANISMS.items():
        chance = 0 if name in spared else rates[name] * loads[heeded] / unit
        parts.append(loads[keys].assign(Set=name, value=1 - chance))
    return pd.concat(parts, ignore_index=True)


def expected_positions(items: CVTItems, rates: Mapping[str, float]) -> pd.DataFrame:
    """Strict exact match of the targets that the mechanisms imply, tidy as `position_scores`; where relations are mixed up, a floor.

    `rates` has each responder's chance of an error at one unit of what it heeds, as `MECHANISMS` has them.
    """
    return _expected(target_loads(items), rates, ABOUT_ATTRIBUTES)


def expected_retrieval(items: CVTItems, rates: Mapping[str, float]) -> pd.DataFrame:
    """Attribute retrieval that the mechanisms imply, tidy: position (from 0), Set, value (a fraction); where scenes are mixed up, a
    floor. `rates` is as `expected_positions` has it."""
    before = pd.concat([before_questions(items, "attribute_filler", position) for position in TARGET_POSITIONS])
    loads = before[before.role == "attribute"].groupby("position")[_LOADS].mean().reset_index()
    return _expected(loads, rates, ABOUT_RELATIONS)


def retrieval_curves(runs: Sequence[AttributeRun], questions: AttributeQuestions, items: CVTItems) -> pd.DataFrame:
    """`vantage.tables.fillers.retrieval_by_position` for a figure, tidy: Set, position (from 0), value; fractions."""
    found = retrieval_by_position(runs, questions, items)
    return pd.DataFrame({"Set": found.Model, "position": found.position, "value": found.value / 100})


def loads_table(items: CVTItems) -> pd.DataFrame:
    """`target_loads` for a page, a row a regime, all targets together."""
    words = {
        "characters": "Characters",
        "questions": "Questions",
        "scenes": "Other scenes",
        "related": "Scenes asked about relations",
    }
    loads = target_loads(items).groupby("regime", sort=False)[list(words)].mean()
    return loads.rename(columns=words).rename_axis(index="Regime").reset_index()


SHOWN = [TITLES[regime] for regime in REGIMES]
"""The regimes as columns of a page, in the order of the ladder."""


def expected_beside_positions(runs: Sequence[CVTRun], items: CVTItems, rates: Mapping[str, float]) -> pd.DataFrame:
    """`expected_positions` beside the runs, two rows a set and a column a regime; exact match in percent over the fifteen targets.

    Each target position counts alike. *At least* marks a floor. The largest difference is in standard errors (SE) of a share
    of so many answers; floors have none, and are to be passed.
    """
    both = position_scores(runs, items).merge(
        expected_positions(items, rates), on=["Set", "regime", "position"], suffixes=("", "_expected")
    )
    answers = both.position.map(items.questions.scene.map(positions_of_targets(items)).value_counts())
    both["variance"] = (both.value_expected * (1 - both.value_expected) / answers).clip(lower=0)
    rows = []
    for name, of_set in both.groupby("Set", sort=False):
        derived, run, off = {}, {}, []
        for regime, part in of_set.groupby("regime", sort=False):
            expected, found = 100 * part.value_expected.mean(), 100 * part.value.mean()
            error = 100 * np.sqrt(part.variance.sum()) / len(part)
            floor = name in ABOUT_RELATIONS and error > 0
            derived[regime] = f"{'at least ' if floor else 'about ' if error > 0 else ''}{expected:.1f}"
            run[regime] = f"{found:.1f}"
            if error > 0 and not (floor and found >= expected):
                off.append(abs(found - expected) / error)
            elif error == 0 and abs(found - expected) > 1e-9:
                off.append(np.inf)
        largest = f"{max(off):.1f} SE" if off else "none"
        rows += [
            {"Set": name, "": "derived", **derived},
            {"Set": name, "": "run", **run, "Largest difference": largest},
        ]
    return pd.DataFrame(rows, columns=["Set", "", *SHOWN, "Largest difference"]).fillna("")


PRINTED_ROWS = [f"{model} / {metric}" for model in ("Gemini", "Qwen OS") for metric in ("F1", "NSC")]
PRINTED_INTERVALS = [
    f"{filler} minus competing, {metric}, {end}"
    for filler in ("Irrelevant filler", "Attribute filler")
    for metric in ("F1", "NSC")
    for end in ("low", "high")
]
PRINTED_RETRIEVAL = [f"{model} / {mode}" for model in ("Gemini", "Qwen OS") for mode in ("Image", "Text/BBox")]
"""Rows of the printed Tables S11, S12 and S13, and of Supp. 5's intervals."""


def retrieval_rows(runs: Sequence[AttributeRun], questions: AttributeQuestions, items: CVTItems) -> pd.DataFrame:
    """Tables S12 and S13 for a page: a row a position (from 0), and one for the mean over positions; percent.

    *Answers* are those behind each percentage. A column a model, with its representation where it answered several.
    """
    by_position = retrieval_by_position(runs, questions, items)
    if by_position.empty:
        return pd.DataFrame(columns=["Position", "Answers"])
    wide = retrieval_table(runs, questions, items)
    several = wide.Model.duplicated(keep=False)
    named = wide.Model.where(~several, wide.Model + ", " + wide.Representation)
    places = [column for column in wide.columns if column.startswith("Position ")]
    shown = wide.set_axis(named)[[*places, ALL]].T
    answers = by_position.groupby("position").questions.max()
    shown.insert(0, "Answers", [*answers.astype(str), ""])
    shown.insert(0, "Position", [*(name.removeprefix("Position ") for name in places), ALL])
    return shown.rename_axis(columns=None).reset_index(drop=True)


def attribute_examples(questions: AttributeQuestions, scene: str) -> pd.DataFrame:
    """The first attribute question of each kind and number of answers about a scene, with its answers."""
    here = questions.questions.query("scene == @scene").drop_duplicates(["attribute", "cardinality"])
    here = here.sort_values(["attribute", "cardinality"])
    return pd.DataFrame({"Asks for": here.attribute, "Question": here.text, "Answer": here.gold.map(", ".join)})


def prompt_composition(items: CVTItems) -> pd.DataFrame:
    """What text and captions say of prompts and regimes, counted in the prompts over these items; tidy: place, row, column, value.

    `place` is the table whose caption says it, and None for running text.
    """
    full, small = SIZES["competing"]
    prompts = {size: batches(items, size) for size in (full, small)}
    slots = {filler: assemble(items, filler, "image").to_pandas() for filler in FILLERS}
    roles = {filler: part.groupby("prompt").role.value_counts().unstack() for filler, part in slots.items()}
    targets = {filler: part[part.role == "spatial"] for filler, part in slots.items()}
    answers = load_attribute_questions(items.domain).questions.cardinality
    pooled = _same(part.scene.nunique() for part in targets.values())
    text = {
        "Context regimes": len(REGIMES),
        "Representations": len(PROMPTED),
        "Representations made from one scene file": len(PROMPTED),
        "Filler conditions": len(FILLERS),
        "Stages of the intervention ladder": len(set(REGIMES) - {"isolated"}),
        "Scenes per isolated API request": _same(map(len, batches(items, *SIZES["isolated"]))),
        "Scenes per competing prompt": _same(map(len, prompts[full])),
        "Scenes per competing prompt, GPT-5.2": _same(map(len, prompts[small])),
        "Positions in a competing prompt, GPT-5.2": _same(map(len, prompts[small])),
        "Scene episodes per competing prompt": _same(map(len, prompts[full])),
        "Scenes per prompt block": _same(map(len, prompts[full])),
        "Prompt blocks per domain": len(prompts[full]),
        "Scene blocks replaced by irrelevant filler": _same(roles["irrelevant_filler"].irrelevant),
        "Slots that keep their scene in attribute filler": _same(roles["attribute_filler"].attribute),
        "Other scenes kept in attribute filler": _same(roles["attribute_filler"].attribute),
        "Target scenes per control prompt": _same(count for part in roles.values() for count in part.spatial),
        "Matched target prompts per model and mode": _same(map(len, targets.values())),
        "Answers to an attribute question, minimum": answers.min(),
        "Answers to an attribute question, maximum": answers.max(),
    } | {
        f"Scenes per competing prompt, GPT-5.2 ({metric})": _same(map(len, prompts[small]))
        for metric in ("persistence", "coherence")
    }
    captions = {("Table S11", "Caption: target scenes pooled"): pooled} | {
        (place, f"Caption: {what}, {whose}"): count
        for size, whose in ((full, "other models"), (small, "GPT-5.2"))
        for place, what, count in (
            ("Table 1", "scenes per competing prompt", _same(map(len, prompts[size]))),
            ("Table S10", "prompt clusters per competing cell", len(prompts[size])),
            ("Table S10", "scenes per prompt cluster", _same(map(len, prompts[size]))),
            ("Table S15", "scenes per competing prompt", _same(map(len, prompts[size]))),
        )
    }
    rows = [(None, row, "all", float(value)) for row, value in text.items()]
    rows += [(place, row, "all", float(value)) for (place, row), value in captions.items()]
    return pd.DataFrame(rows, columns=["place", "row", "column", "value"])


def _same(values: Iterable[float]) -> float:
    """The one value that all have; not a number where they differ."""
    found = set(values)
    return float(found.pop()) if len(found) == 1 else float("nan")


def prompt_counts(items: CVTItems) -> pd.DataFrame:
    """`prompt_composition` for a page, beside the print and where it says so; counts."""
    found = prompt_composition(items)
    tables = set(load_places().query("kind == 'table'").place)
    said = load_published("cvt")
    said = said.assign(where=said.place, place=said.place.where(said.place.isin(tables), None))
    both = found.merge(said, on=["place", "row", "column"], suffixes=("", "_printed"))
    rows = [
        (row, as_printed(part.value.iloc[0], 0), ", ".join(dict.fromkeys(as_printed(value, 0) for value in part.value_printed)),
         "; ".join(part["where"]))
        for row, part in both.groupby("row", sort=False)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["", "Recomputed", "Printed", "Where"])


def printed_trends() -> pd.DataFrame:
    """Tables S12 and S13 by their trend: a row a model and mode; means of both tables' positions in percent, and in points the
    straight line of least squares from the first position to the last, with its standard error."""
    numbers = load_published("cvt").query("place in ['Table S12', 'Table S13'] and column != @ALL")
    position = numbers.column.str.removeprefix("Position ").astype(int)
    rows = []
    for name, part in numbers.assign(position=position).groupby("row", sort=False):
        line = linregress(part.position, part.value)
        halves = part.groupby("place").value.mean()
        across = part.position.max() - part.position.min()
        rows.append((name, halves["Table S12"], halves["Table S13"], across * line.slope, across * line.stderr))
    return pd.DataFrame(rows, columns=["", "Positions 0 to 9", "Positions 10 to 19", "Fitted change", "Standard error"])
