"""Can one layout satisfy every asserted relation of a scene? (CVT-Bench, Supp. 2.3 and 4.3)

`realize` gives a layout in whole numbers, or the answers that contradict each other with the proof, which `explain` puts into
steps; `realizable_scenes` decides many scenes at once; `largest_satisfiable` and `satisfiable_fractions` say how many labels one
layout can satisfy. Everything is decided in exact arithmetic, and what it rests on can be checked: `Realization.holds`.
"""

from vantage.realizability.constraints import (
    asserted_constraints,
    asserted_direction,
    constraints_by_scene,
    flip_labels,
    permute_pairs,
)
from vantage.realizability.explain import (
    TOWARDS,
    Step,
    Walk,
    answers_at_diagonals,
    directed_steps,
    explain,
    step_letter,
    three_answers,
)
from vantage.realizability.feasibility import Conflict, Realization, realizable, realizable_scenes, realize, satisfied
from vantage.realizability.maxsat import LargestSatisfiable, largest_satisfiable, satisfiable_fractions

__all__ = [
    "TOWARDS",
    "Conflict",
    "LargestSatisfiable",
    "Realization",
    "Step",
    "Walk",
    "answers_at_diagonals",
    "asserted_constraints",
    "asserted_direction",
    "constraints_by_scene",
    "directed_steps",
    "explain",
    "flip_labels",
    "largest_satisfiable",
    "permute_pairs",
    "realizable",
    "realizable_scenes",
    "realize",
    "satisfiable_fractions",
    "satisfied",
    "step_letter",
    "three_answers",
]
