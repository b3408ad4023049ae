"""Answers without images and with the first image alone (Tables 5 and 25).

Where two questions of a group were asked with the same input, their answers are one: without images all three of FQ2, and
with the first alone those whose first image is the same in our items. GPT with one image, which is not served at temperature
zero, is free in that. FQ1 is answered about as well as with all images, as far as the totals let it. Precision, recall and F1
of these runs are printed in no table that we have.
"""

from collections.abc import Iterator
from itertools import combinations

from vantage.triplets import Triplets
from vantage_workshop.witness.answers import Group, Run, right_answers
from vantage_workshop.witness.scored import CONDITIONS, Answers
from vantage_workshop.witness.targets import ZERO_SHOT, Targets

LIMIT = 20.0
"""Deterministic seconds for an attempt: most take one."""

WINDOWS = (2, 5, 10, 144)
"""How far right FQ1 answers may be from those with all images: the first that has answers."""


def solve(
    groups: list[Group], t: Targets, mode: str, triplets: Triplets, main: Answers, seed: int
) -> tuple[str, Answers | None]:
    """The answers of a configuration in one input mode, with what the solver says of them; `main` are those with all
    images."""
    frames = sum(main[g.group, c] == gold for g in groups if g.family == "FQ1" for c, gold in _golds(g))
    said, answers = "", None
    for window in WINDOWS:
        run = _run(groups, t, mode, triplets)
        run.model.add_linear_constraint(run.total(right_answers, "FQ1"), frames - window, frames + window)
        said, answers = run.solve(seed, LIMIT)
        if answers:
            break
    return f"{said}, FQ1 within {window} of {frames}", answers


def _golds(g: Group) -> Iterator[tuple[str, str]]:
    return zip(CONDITIONS[g.family], g.golds, strict=True)


def _run(groups, t, mode, triplets):
    if mode == "text_only":
        run = Run(groups, t, same=lambda g: tuple(combinations(range(3), 2)) if g.family == "FQ2" else ())
        if t.name == ZERO_SHOT:
            # Section 6.3: without images it always selects insufficiency.
            run.model.add(run.total(lambda g, triple: triple.count(g.insufficient), "FQ2") == 3 * run.size("FQ2"))
        return run
    if t.name == ZERO_SHOT:
        return Run(groups, t)
    first = {
        g.group: [views[0] for views in triplets.questions["views"].iloc[triplets.of_group(g.group)]] for g in groups
    }
    return Run(
        groups,
        t,
        same=lambda g: tuple(
            (i, j) for i, j in combinations(range(3), 2) if g.family == "FQ2" and first[g.group][i] == first[g.group][j]
        ),
    )
