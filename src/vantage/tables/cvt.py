"""CVT-Bench's tables, recomputed from items.

Each function returns a tidy frame keyed like the published numbers: `row`, `column` and `value` (not rounded, in the unit
that is printed). The notebook shows the frame, the ledger compares it and the tests check it.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from vantage import composition, scoring
from vantage.items import CVTItems, matched_cycle_pairs, rows_by_viewpoint, tracked_rows
from vantage.predictions import CVTRun
from vantage.prompts import SIZES, batches
from vantage.realizability import flip_labels, permute_pairs, realizable_scenes
from vantage.relations import (
    COUNTERFACTUAL,
    TOP,
    VIEWPOINTS,
    alternatives,
    asserted,
    decode,
    observed,
    vertical_set,
    vocabulary,
    yaw_of,
)
from vantage.transport import CARDINAL_VIEWS, recoverable

FLIP_LEVELS = (0.01, 0.02, 0.05, 0.10)
PERMUTATION_LEVELS = (0.05, 0.10, 0.25, 0.50)
"""The perturbation levels of Table S2, as fractions."""

REPLICATES = 100
"""Perturbed copies of each scene. The paper prints tenths of a percent over 100 scenes, so it used at least ten."""


COLUMNS = {"synthetic": "CVT-Synthetic", "indoor": "CVT-Real", "real": "CVT-Real"}
"""The paper's column that a domain's composition stands beside. The items have a name of their own (`CVTItems.title`)."""

VERTICAL = "vertical"
"""The kind of a question that offers above and below."""


def _tidy(values: dict[tuple[str, str], float]) -> pd.DataFrame:
    return pd.DataFrame(
        [(row, column, value) for (row, column), value in values.items()], columns=["row", "column", "value"]
    )


def _of_domain(items: CVTItems, values: dict[str, float]) -> pd.DataFrame:
    """Numbers by row, in the paper's column for the items' domain."""
    return _tidy({(row, COLUMNS[items.domain]): value for row, value in values.items()})


def table_s1(items: CVTItems) -> pd.DataFrame:
    """Table S1: the composition of the items of a domain; counts, averages per scene, and pixels."""
    questions = items.questions
    scenes = pd.DataFrame(items.scenes)
    objects = scenes.objects.map(lambda things: sum(thing["tag"] is not None for thing in things))
    occluded = scenes.objects.map(
        lambda things: any(thing["partially_occluded"] and thing["tag"] is not None for thing in things)
    )
    per_scene = questions.groupby("scene").size()
    source = questions.viewpoint == "0"
    tracked = questions[questions.tracked_pair.notna()]
    pairs = tracked.groupby(["scene", "tracked_pair"]).size()
    vertical = tracked.kind.eq(VERTICAL).groupby([tracked.scene, tracked.tracked_pair]).any()
    labels = np.bitwise_count(items.gold).astype(int)
    density = scenes.density.value_counts()
    offered = vocabulary("0", vertical=(questions.kind == VERTICAL).any())
    return _of_domain(
        items,
        {
            "Scenes": len(scenes),
            "Scenes / sparse": density["sparse"],
            "Scenes / dense": density["dense"],
            "Objects per scene / minimum": objects.min(),
            "Objects per scene / maximum": objects.max(),
            "Objects per scene / average": objects.mean(),
            "Questions": len(questions),
            "Questions per scene / minimum": per_scene.min(),
            "Questions per scene / maximum": per_scene.max(),
            "Questions per scene / average": per_scene.mean(),
            "Source-view questions": source.sum(),
            "Counterfactual questions": (~source).sum(),
            "Counterfactual questions / per target condition": _only(questions[~source].groupby("viewpoint").size()),
            "Fixed tracking pairs": len(pairs),
            "Fixed tracking pairs / horizontal": (~vertical).sum(),
            "Fixed tracking pairs / vertical-enriched": vertical.sum(),
            "Fixed question instances": len(tracked),
            "Fixed question instances / appearances per pair": _only(pairs),
            "Scenes with partial occlusion": occluded.sum(),
            "Scenes with partial occlusion / affected questions": questions.partially_occluded.sum(),
            "Multi-label questions": (labels > 1).sum(),
            "Labels total": labels.sum(),
            "Relation vocabulary": len(offered),
            **_resolution(scenes),
        },
    )


def _resolution(scenes: pd.DataFrame) -> dict[str, float]:
    """The pixels of pictures: of all, or of upright and of wide ones where there are both."""
    upright = scenes.height > scenes.width
    kinds = {"portrait ": upright, "landscape ": ~upright} if upright.any() else {"": ~upright}
    return {
        f"Input resolution / {kind}{side}": _only(scenes.loc[of_kind, side])
        for kind, of_kind in kinds.items()
        for side in ("width", "height")
    }


def _only(values: pd.Series) -> float:
    """The one value that all entries share; not a number where they differ."""
    return float(values.iloc[0]) if values.nunique() == 1 else float("nan")


def table_s2(items: CVTItems, seed: int, replicates: int = REPLICATES) -> pd.DataFrame:
    """Table S2: how the realizability test responds to ground truth and to deliberate errors, percent of scenes.

    Relation flip turns each asserted label with the given chance; pair permutation selects each question with the given
    chance and exchanges the pairs of the selected ones. Both are random: `replicates` copies of every scene, drawn with
    `seed` from NumPy's PCG64. A further column `basis` says which numbers the items were built to meet.
    """
    gold, questions = items.gold, items.questions
    graphs, column = composition.query_graphs(items), COLUMNS[items.domain]

    def percent(realized: dict[str, bool]) -> float:
        return 100 * float(np.mean(list(realized.values())))

    truth = "Ground-truth constraints"
    constructed = {
        (truth, f"{column} / Correct map"): percent(realizable_scenes(gold, questions)),
        (truth, f"{column} / Connected"): 100 * float((graphs.components == 1).mean()),
        (truth, f"{column} / Positive cycle rank"): 100 * float((graphs.cycle_rank > 0).mean()),
    }
    values = {(truth, f"{column} / Opposite map"): percent(realizable_scenes(gold, questions, opposite_map=True))}
    rng = np.random.default_rng(seed)
    for level in FLIP_LEVELS:
        values[f"Relation flip / {level:.0%}", f"{column} / Realizable"] = float(
            np.mean([percent(realizable_scenes(flip_labels(gold, level, rng), questions)) for _ in range(replicates)])
        )
    for level in PERMUTATION_LEVELS:
        values[f"Pair permutation / {level:.0%}", f"{column} / Realizable"] = float(
            np.mean([percent(realizable_scenes(gold, permute_pairs(questions, level, rng))) for _ in range(replicates)])
        )
    return pd.concat(
        [_tidy(constructed).assign(basis="constructed"), _tidy(values).assign(basis="unfitted")], ignore_index=True
    )


def composition_text(items: CVTItems) -> pd.DataFrame:
    """The composition numbers of the running text about one domain.

    The text says the same thing in several sections: a row here answers for each of them.
    """
    questions, graphs = items.questions, composition.query_graphs(items)
    tracked, vertical = questions.tracked_pair.notna(), questions.kind == VERTICAL
    at_source = questions.viewpoint == "0"
    slots = questions[questions.kind == "primary"].groupby(["scene", "viewpoint"]).size()
    fixed = _per_scene(items, tracked & ~vertical & at_source)
    upright = _per_scene(items, tracked & vertical & at_source)
    returned = pd.Series(1, index=questions.scene.iloc[matched_cycle_pairs(questions)[:, 0]]).groupby(level=0).sum()
    positions = composition.position_by_viewpoint(items)
    closed, pairs = closed_pairs(items), int((tracked & at_source).sum())
    return _of_domain(
        items,
        {
            "Scenes": len(items.scenes),
            "Questions": len(questions),
            "Fixed pairs per scene": fixed.max(),
            "Primary slots at each view": slots.max(),
            "Additional pairs at each view": slots.max() - fixed.max(),
            "Supplemental source-view pairs, at most": _per_scene(items, questions.kind == "supplement").max(),
            "Primary pairs at 360 degrees that match 0 degrees": returned.max(),
            **{
                "{} image {} in pixels".format(*which.capitalize().split()): pixels
                for row, pixels in _resolution(pd.DataFrame(items.scenes)).items()
                if " " in (which := row.removeprefix("Input resolution / "))
            },
            "Above/below pairs per scene, at most": upright.max(),
            "Vertical pairs per scene that become trackers, at most": upright.max(),
            "Multi-axis vertical questions per scene, at most": _per_scene(items, vertical & at_source).max(),
            **{
                f"Scenes with {word} vertical tracker{'s' if count > 1 else ''}": (upright == count).sum()
                for count, word in enumerate(("no", "one", "two", "three"))
            },
            "Vertical trackers": upright.sum(),
            "Questions that a tracked vertical-enriched pair may add": _per_view(items).max()
            - _per_view(items, ~vertical).max(),
            "Fixed pairs": pairs,
            "Fixed pairs kept as algebraically recoverable": closed,
            "Share of fixed pairs kept as algebraically recoverable": 100 * closed / pairs,
            "Questions by which quarter turns occur earlier than other views": composition.quarter_turn_lead(positions),
            "Variance of prompt position explained by angle": 100 * composition.variance_explained(positions),
            **{
                f"Median {name} per constraint system": float(graphs[field].median())
                for name, field in {
                    "objects": "objects",
                    "inequalities": "inequalities",
                    "directed pairs": "directed",
                    "undirected pairs": "undirected",
                    "repeated directed pairs": "repeated",
                    "cycle rank": "cycle_rank",
                }.items()
            },
        },
    )


def benchmark_text(domains: Sequence[CVTItems]) -> pd.DataFrame:
    """The composition numbers of abstract, text and conclusion that speak of the benchmark as a whole.

    A number that must be the same in each of `domains` is not a number where it is not.
    """
    horizontal = [items.questions.kind != VERTICAL for items in domains]
    fixed = [
        _per_scene(items, flat & items.questions.tracked_pair.notna() & (items.questions.viewpoint == "0"))
        for items, flat in zip(domains, horizontal, strict=True)
    ]
    at_source = [_per_scene(items, items.questions.viewpoint == "0") for items in domains]
    elsewhere = [_per_view(items, flat) for items, flat in zip(domains, horizontal, strict=True)]
    queried = pd.concat([_queried_objects(items) for items in domains])

    def shared(value: Callable[[CVTItems], float]) -> float:
        return _only(pd.Series([value(items) for items in domains]))

    return _tidy(
        {
            (row, "all"): value
            for row, value in {
                "Domains": len(domains),
                "Scenes": sum(len(items.scenes) for items in domains),
                "Questions": sum(len(items.questions) for items in domains),
                "Relational queries": sum(len(items.questions) for items in domains),
                "Viewpoint conditions": shared(lambda items: items.questions.viewpoint.nunique()),
                "Viewpoints at which a fixed pair recurs": shared(
                    lambda items: _only(
                        items.questions[items.questions.tracked_pair.notna()]
                        .groupby(["scene", "tracked_pair"])
                        .viewpoint.nunique()
                    )
                ),
                "Non-source viewpoint conditions": shared(
                    lambda items: items.questions.viewpoint[items.questions.viewpoint.isin(COUNTERFACTUAL)].nunique()
                ),
                "Azimuths": shared(lambda items: items.questions.viewpoint[items.questions.viewpoint != TOP].nunique()),
                "Fixed horizontal pairs per scene, at most": pd.concat(fixed).max(),
                "Horizontal questions at the source view, at most": pd.concat(at_source).max(),
                "Horizontal questions at every other view, at most": pd.concat(elsewhere).max(),
                "Mixed-density blocks": shared(_mixed_blocks),
                **{
                    f"Queried objects in a {density} scene, {extreme}": getattr(queried[density], extreme[:3])()
                    for density in ("sparse", "dense")
                    for extreme in ("minimum", "maximum")
                },
            }.items()
        }
    )


def _per_scene(items: CVTItems, chosen: pd.Series) -> pd.Series:
    """How many of the chosen questions each scene has, those without any too."""
    names = [scene["scene"] for scene in items.scenes]
    return items.questions[chosen].groupby("scene").size().reindex(names, fill_value=0)


def _per_view(items: CVTItems, chosen: pd.Series | None = None) -> pd.Series:
    """How many (chosen) questions there are at each view of each scene but the source view."""
    counted = items.questions if chosen is None else items.questions[chosen]
    return counted[counted.viewpoint != "0"].groupby(["scene", "viewpoint"]).size()


def _queried_objects(items: CVTItems) -> pd.Series:
    """How many objects of each scene are asked about, by the density of the scene."""
    ends = items.questions.melt("scene", ["target", "anchor"])
    density = {scene["scene"]: scene["density"] for scene in items.scenes}
    return ends.groupby("scene").value.nunique().rename(index=density)


def _mixed_blocks(items: CVTItems) -> int:
    """How many competing prompts hold both sparse and dense scenes."""
    density = {scene["scene"]: scene["density"] for scene in items.scenes}
    return sum(len({density[scene] for scene in scenes}) > 1 for scenes in batches(items, SIZES["competing"][0]))


def oracle_text(runs: Sequence[CVTRun], domains: Sequence[CVTItems]) -> pd.DataFrame:
    """Supp. 3.5: F1 of the symbolic oracle, percent: the lowest at any viewpoint of any domain, strict.

    `runs` has its run on each of `domains`. It turns the true layout, says the words of each viewpoint, and its answers are read
    like anyone's: so it checks tags, numbering, camera convention and words.
    """
    scores = [
        scoring.micro_f1(run.answers[rows], scoring.strict(items.admissible)[rows])
        for run, items in zip(runs, domains, strict=True)
        for rows in rows_by_viewpoint(items.questions).values()
    ]
    return _tidy({("Global F1 of the symbolic oracle", "all"): 100 * min(scores)})


def closed_pairs(items: CVTItems) -> int:
    """Fixed pairs whose gold at each cardinal view equals the symbolic turn of their source relation (Supp. 3.5)."""
    cardinal = tracked_rows(items.questions)[:, CARDINAL_VIEWS]
    return int(recoverable(items.gold[cardinal]).sum())


def worked_pair(items: CVTItems, scene: str, target: int, anchor: int, vertical: bool = False) -> pd.DataFrame:
    """One pair of a scene at each viewpoint: components in world units, gold relations and admissible alternatives.

    With `vertical` as a question that offers above and below asks for it.
    """
    described = items.scene(scene)
    things = {thing["tag"]: thing for thing in described["objects"]}
    displacement = np.subtract(things[target]["plane"], things[anchor]["plane"])
    rise = things[target]["position"][2] - things[anchor]["position"][2]
    margin = described["lateral_margin"], described["depth_margin"]
    band = described["lateral_band"], described["depth_band"]
    height = int(vertical_set(rise)) if vertical else 0

    def words(masks: Sequence[int], viewpoint: str) -> str:
        return " or ".join(" + ".join(decode(mask | height, viewpoint)) for mask in masks)

    rows = []
    for viewpoint in VIEWPOINTS:
        components = observed(displacement, yaw_of(viewpoint))
        rows.append(
            {
                "Viewpoint": viewpoint,
                "To the right": components[0],
                "Behind": components[1],
                **({"Higher": rise} if vertical else {}),
                "Gold": words([int(asserted(components, margin))], viewpoint),
                "Also admissible": words(alternatives(components, margin, band), viewpoint) or "-",
            }
        )
    return pd.DataFrame(rows)
