"""Tables of persistence for a reader's runs (CVT-Bench, Supp. 2.2, 4.1 and 4.4), one row a run. NSC and survival are fractions."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import scoring, survival
from vantage.bootstrap import DRAWS, interval, resample
from vantage.items import CVTItems, displacements, trajectories, viewpoint_numbers
from vantage.predictions import CVTRun, check_item_level
from vantage.relations import VIEWPOINTS, observed, relation_set, yaw_of
from vantage.tables.runs import admissible_sets, by_run


def persistence_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """NSC with what it is made of: survival of all ten probes, the denominator and the smallest step gap; NSC strict too."""
    (views, right), (_, strictly_right) = _encounters(items, strict=False), _encounters(items, strict=True)

    def values(run: CVTRun) -> dict:
        curves = survival.survival_curves(right(run), views)
        gaps = survival.step_gaps(curves)
        return {
            "Trajectories": len(views),
            "Survive all ten": curves.observed[-1],
            "Independent": curves.independent[-1],
            "Maximum": curves.maximum[-1],
            "Denominator": gaps.sum(),
            "Smallest step gap": gaps.min(),
            "NSC, strict": float(survival.nsc(survival.survival_curves(strictly_right(run), views))),
            "NSC": float(survival.nsc(curves)),
        }

    return by_run(runs, values)


def nsc_table(
    runs: Sequence[CVTRun], items: CVTItems, seed: int, draws: int = DRAWS, strict: bool = False
) -> pd.DataFrame:
    """NSC with a 95 % interval that resamples scenes, then the step gap at each prefix of K, and their sum, the denominator."""
    views, right = _encounters(items, strict)
    scenes, _ = pd.factorize(items.questions.scene[trajectories(items.questions)[:, 0]])

    def values(run: CVTRun) -> dict:
        curves = survival.survival_curves(right(run), views)
        gaps = survival.step_gaps(curves)
        low, high = interval(
            resample(survival.survival_sums(right(run), views, scenes), survival.nsc_of_sums, seed, draws)
        ).tolist()
        by_prefix = {f"Gap at {prefix}": gap for prefix, gap in zip(survival.PREFIXES, gaps.tolist(), strict=True)}
        return {"NSC": float(survival.nsc(curves)), "Low": low, "High": high, **by_prefix, "Denominator": gaps.sum()}

    return by_run(runs, values).drop(columns="Kind")


def expected_nsc(items: CVTItems, seed: int, flip: float, slip: float, drift: float) -> pd.DataFrame:
    """What NSC of the reference responders must come to, from the items and their mechanism alone, no answer looked at.

    Columns: Set, Derivation; Expected, NSC of the expected curves; Mean and SD of NSC over fresh draws of the mechanism.
    `slip` is the chance of an independent slip to one of the seven other answers, of which some may be admissible;
    `drift` that chance at the last question of an isolated prompt, growing linearly from 0; `flip` the noisy source's
    chance to misjudge an axis of a pair, whose four patterns then settle all its answers.
    """
    questions = items.questions
    rows = trajectories(questions)
    views = viewpoint_numbers(questions)[rows]
    number, asked = (questions.groupby("scene").scene.transform(how).to_numpy() for how in ("cumcount", "size"))
    others = np.array([len(set(sets)) - 1 for sets in items.admissible.tolist()])
    true, yaws = displacements(items), questions.viewpoint.map(yaw_of).to_numpy()
    signs = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1)])
    patterns = [scoring.exact(relation_set(observed(true * sign, yaws)), items.admissible) for sign in signs]
    none, once = np.zeros(len(questions)), np.ones(1)
    by_viewpoint = [scoring.exact(relation_set(observed(true, -yaws)), items.admissible)]
    claims = [
        ("Oracle", "always right", [none + 1], once),
        ("Independent noise", "one chance at every question", [1 - slip * (1 - others / 7)], once),
        ("Noisy source", "four patterns a pair", patterns, np.where(signs < 0, flip, 1 - flip).prod(axis=1)),
        ("Drifting", "a chance by place in the prompt", [1 - drift * number / (asked - 1) * (1 - others / 7)], once),
        ("Mirror-confused", "the viewpoint alone decides", by_viewpoint, once),
        ("Uniform random", "one of eight answers", [(1 + others) / 8], once),
    ]
    rows_of_table = []
    for name, derivation, chances, weights in claims:
        of_trajectories = np.array(chances, dtype=float)[:, rows]
        drawn = survival.drawn_nsc(of_trajectories, weights, views, seed)
        rows_of_table.append(
            {
                "Set": name,
                "Derivation": derivation,
                "Expected": float(survival.nsc(survival.expected_survival(of_trajectories, weights, views))),
                "Mean": drawn.mean(),
                "SD": drawn.std(),
            }
        )
    return pd.DataFrame(rows_of_table)


def expected_beside_nsc(
    measured: pd.DataFrame, items: CVTItems, seed: int, flip: float, slip: float, drift: float
) -> pd.DataFrame:
    """`expected_nsc` beside the run, for those of its responders that `measured` (as `nsc_table` gives it) has."""
    both = expected_nsc(items, seed, flip, slip, drift).merge(measured[["Set", "NSC"]], on="Set")
    return both.rename(columns={"NSC": "Run"})


def encounter_table(runs: Sequence[CVTRun], items: CVTItems, scene: str, target: int, anchor: int) -> pd.DataFrame:
    """One trajectory, a row an encounter: its viewpoint, and whether each run is right and survives.

    Raises `InputError` for a reconstructed run.
    """
    check_item_level(runs)
    views, right = _encounters(items, strict=False)
    first = items.questions.loc[trajectories(items.questions)[:, 0]].reset_index(drop=True)
    place = first.index[(first.scene == scene) & (first.target == target) & (first.anchor == anchor)][0]
    frame = pd.DataFrame(
        {"Encounter": range(1, len(views[place]) + 1), "Viewpoint": [VIEWPOINTS[view] for view in views[place]]}
    )
    for run in runs:
        answers = right(run)[place]
        frame[run.title] = [
            ("right" if survives else "right, too late") if answer else "wrong"
            for answer, survives in zip(answers, np.logical_and.accumulate(answers), strict=True)
        ]
    return frame


def survival_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """The survival curves themselves, tidy: Set, prefix (1 to 10), observed, independent, maximum."""
    views, right = _encounters(items, strict)
    prefixes = np.arange(1, views.shape[1] + 1)
    return pd.concat(
        [
            pd.DataFrame(
                {"Set": run.title, "prefix": prefixes, **survival.survival_curves(right(run), views)._asdict()}
            )
            for run in runs
        ],
        ignore_index=True,
    )


def null_table(
    runs: Sequence[CVTRun], items: CVTItems, seed: int, draws: int = survival.PERMUTATIONS, strict: bool = False
) -> pd.DataFrame:
    """Table S9: NSC beside its item-difficulty null, with p-values, adjusted over the runs shown by Benjamini and Hochberg."""
    views, right = _encounters(items, strict)

    def values(run: CVTRun) -> dict:
        null = survival.item_difficulty_null(right(run), views, seed, draws)
        return {"NSC": null.observed, "Null NSC": null.mean, "p": null.p_value}

    table = by_run(runs, values)
    return table.assign(**{"Adjusted p": survival.benjamini_hochberg(table.p)})


def ambiguity_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Strict beside ambiguity-aware scores and how much the alternatives add: F1 in percent and points, NSC as a fraction."""
    views, aware = _encounters(items, strict=False)
    _, strict = _encounters(items, strict=True)

    def values(run: CVTRun) -> dict:
        f1 = [100 * scoring.micro_f1(run.answers, admissible_sets(items, narrow)) for narrow in (True, False)]
        nsc = [float(survival.nsc(survival.survival_curves(right(run), views))) for right in (strict, aware)]
        return {
            "F1, strict": f1[0],
            "F1": f1[1],
            "F1 difference": f1[1] - f1[0],
            "NSC, strict": nsc[0],
            "NSC": nsc[1],
            "NSC difference": nsc[1] - nsc[0],
        }

    return by_run(runs, values).drop(columns="Kind")


def order_table(
    runs: Sequence[CVTRun], items: CVTItems, seed: int, draws: int = survival.PERMUTATIONS, strict: bool = False
) -> pd.DataFrame:
    """Supp. 4.4: NSC in the frozen order, its mean over random orders and the change, and the order-free NSC."""
    views, right = _encounters(items, strict)

    def values(run: CVTRun) -> dict:
        frozen = float(survival.nsc(survival.survival_curves(right(run), views)))
        reordered = float(survival.reordered_nsc(right(run), views, seed, draws).mean())
        return {
            "NSC": frozen,
            "Reordered NSC": reordered,
            "Change": reordered - frozen,
            "Order-free NSC": survival.order_free_nsc(right(run), views),
        }

    return by_run(runs, values)


def _encounters(items: CVTItems, strict: bool) -> tuple[NDArray[np.intp], Callable[[CVTRun], NDArray[np.bool_]]]:
    """The viewpoint of each encounter, (trajectories, steps), and a function that says which a run answers exactly."""
    rows, admissible = trajectories(items.questions), admissible_sets(items, strict)
    return viewpoint_numbers(items.questions)[rows], lambda run: scoring.exact(run.answers, admissible)[rows]
