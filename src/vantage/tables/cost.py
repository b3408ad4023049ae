"""What the runs of CVT-Bench took, from the paper's own figures: jobs, attempts, context windows (Supp. 1.4, 4.2, 4.5, 7.1).

Arithmetic on printed numbers alone; nothing here rests on answers.
"""

import pandas as pd

from vantage.items import CVTItems
from vantage.prompts import FILLER_DOMAINS, FILLERS, SIZES, assemble, prompt_text
from vantage.published import load_published
from vantage.tables.fillers import TITLES

REPRESENTATIONS = {"image": "Image", "text_bbox": "Text/BBox", "scene_graph": "Scene Graph"}
"""The representations as the paper calls them."""

_QUESTION = r"(?m)^q_\d+: "  # the line on which a question begins


def _printed() -> dict[str, int]:
    """The counts among CVT-Bench's printed numbers, by identifier."""
    counts = load_published("cvt").query("unit == 'count'")
    return dict(zip(counts.id, counts.value.astype(int), strict=True))


def context_table() -> pd.DataFrame:
    """Table S15, a row a model: window, output cap and peak input in tokens; the share used as printed and as the two make it, percent."""
    numbers = load_published("cvt").query("place == 'Table S15' and not row.str.startswith('Caption')")
    wide = numbers.pivot(index="row", columns="column", values="value").reindex(
        index=numbers.row.unique(), columns=numbers.column.unique()
    )
    share = 100 * wide["Peak input tokens"] / wide["Context window"]
    tokens = ["Context window", "Output cap", "Peak input tokens"]
    return (
        wide.astype(dict.fromkeys(tokens, int))
        .assign(**{"Peak / window": share})
        .rename_axis(index="Model", columns=None)
        .reset_index()
    )


def jobs_table() -> pd.DataFrame:
    """The requests that one domain takes, counted from printed settings: one row a part; requests, and how they multiply.

    The last row is the number of CVT-Real jobs that Supp. 4.5 prints. The fillers are what the matched controls would add.
    """
    of = _printed()
    modes, models, cohort = (
        of[f"cvt.{name}"] for name in ("abstract.representations", "abstract.models", "supp-3.2.c20-models")
    )
    scenes, full, small = (
        of[f"cvt.{name}"]
        for name in ("supp-1.1.scenes.real", "supp-1.4.competing-scenes", "supp-1.4.competing-scenes-gpt-5.2")
    )
    fillers, targets = of["cvt.supp-5.filler-conditions"], of["cvt.supp-5.target-prompts"]
    # Tables S12 and S13 have a row for each model and mode that the controls were run in.
    controlled = load_published("cvt").query("place == 'Table S12'").row.nunique()
    rest = models - cohort
    parts = [
        ("Isolated", f"{models} models × {modes} modes × {scenes} scenes", models * modes * scenes),
        (
            f"Competing, {full} scenes",
            f"{cohort} models × {modes} modes × {scenes // full} prompts",
            cohort * modes * (scenes // full),
        ),
        (
            f"Competing, {small} scenes",
            f"{rest} model × {modes} modes × {scenes // small} prompts",
            rest * modes * (scenes // small),
        ),
    ]
    total = sum(count for *_, count in parts)
    return pd.DataFrame(
        [
            *parts,
            ("Isolated and competing together", "", total),
            ("Printed: jobs of CVT-Real", "", of["cvt.supp-4.5.jobs.real"]),
            (
                "Matched controls, in addition",
                f"{controlled} models and modes × {fillers} fillers × {targets} targets",
                controlled * fillers * targets,
            ),
        ],
        columns=["Requests", "How they multiply", "Count"],
    )


def attempts_table() -> pd.DataFrame:
    """Supp. 4.5's attempts in two sums that should agree: attempts beyond one a job, and attempts called unusable; counts."""
    of = _printed()
    attempts, jobs = of["cvt.supp-4.5.attempts.real"], of["cvt.supp-4.5.jobs.real"]
    failed, invalid = of["cvt.supp-4.5.failed-attempts.real"], of["cvt.supp-4.5.invalid-attempts.real"]
    return pd.DataFrame(
        [
            ("Attempts not kept", "attempts − jobs", f"{attempts:,} − {jobs:,}", attempts - jobs),
            ("Unusable records", "provider errors + invalid records", f"{failed} + {invalid}", failed + invalid),
        ],
        columns=["Quantity", "Sum", "Printed numbers", "Result"],
    )


def prompt_sizes(items: CVTItems) -> pd.DataFrame:
    """What the prompts over these items hold, a row a regime, size and representation: requests; questions and characters a prompt.

    Questions are the mean, characters the mean and the largest, pictures not counted. Fillers are those of the matched
    controls: Image and Text/BBox.
    """
    rows = []
    for regime, sizes in SIZES.items():
        if regime in FILLERS and items.domain not in FILLER_DOMAINS:
            continue
        for size in sizes:
            for representation, words in REPRESENTATIONS.items():
                if regime in FILLERS and representation == "scene_graph":
                    continue
                prompts = assemble(items, regime, representation, size).to_pandas().groupby("prompt")
                characters = prompts.apply(prompt_text).str.len()
                asked = prompts.text.apply(lambda texts: texts.str.count(_QUESTION).sum())
                rows.append(
                    {
                        "Regime": TITLES[regime],
                        "Scenes": size,
                        "Representation": words,
                        "Requests": len(characters),
                        "Questions": asked.mean(),
                        "Characters": characters.mean(),
                        "Most characters": characters.max(),
                        "Pictures": int(prompts.image.count().max()),
                    }
                )
    return pd.DataFrame(rows)
