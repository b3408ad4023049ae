"""Answers without images and with the first image alone (Tables 5 and 25).

Where two questions of a group were asked with the same input, their answers are one: without images all three of FQ2, and
with the first alone those whose first image is the same in our items. GPT with one image, which is not served at temperature
zero, is free in that. Precision, recall and F1 of these runs are printed in no table that we have.
"""

from itertools import combinations

from vantage.triplets import Triplets
from vantage_workshop.witness.answers import Group, Run
from vantage_workshop.witness.scored import Answers
from vantage_workshop.witness.targets import ZERO_SHOT, Targets

LIMIT = 20.0
"""Deterministic seconds for an attempt: most take one."""


def solve(groups: list[Group], t: Targets, mode: str, triplets: Triplets, seed: int) -> tuple[str, Answers | None]:
    """The answers of a configuration in one input mode, with what the solver says of them."""
    if mode == "text_only":
        run = Run(groups, t, same=lambda g: tuple(combinations(range(3), 2)) if g.family == "FQ2" else ())
        if t.name == ZERO_SHOT:
            # Section 6.3: without images it always selects insufficiency.
            run.model.add(run.total(lambda g, triple: triple.count(g.insufficient), "FQ2") == 3 * run.size("FQ2"))
    elif t.name == ZERO_SHOT:
        run = Run(groups, t)
    else:
        first = {
            g.group: [views[0] for views in triplets.questions["views"].iloc[triplets.of_group(g.group)]]
            for g in groups
        }
        run = Run(
            groups,
            t,
            same=lambda g: tuple(
                (i, j)
                for i, j in combinations(range(3), 2)
                if g.family == "FQ2" and first[g.group][i] == first[g.group][j]
            ),
        )
    return run.solve(seed, LIMIT)
