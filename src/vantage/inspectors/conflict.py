"""Answers that describe no possible scene: which of them contradict each other, and the proof in words, answer by answer.

A label says that its target is farther in some direction of the map, or higher or lower, than its anchor: in whole numbers,
d . (x_i - x_j) >= 1 (CVT-Bench, Supp. 2.3). Labels that contradict each other add up to 0 >= 1 or more. Labels in the plan and in
height are about different coordinates, so each part is checked alone: a scene is possible where both are.
"""

from collections import Counter
from math import gcd

import numpy as np

from vantage.inspectors.words import PART_PHRASES, RELATION_PHRASES, VERDICTS, verdict
from vantage.items import CVTItems
from vantage.predictions import ANSWERED, CVTRun
from vantage.realizability import TOWARDS, asserted_constraints, asserted_direction, explain, realize
from vantage.relations import ABOVE, BELOW, HORIZONTAL, TOP, decode, encode

PARTS = {"plan": HORIZONTAL, "heights": ABOVE | BELOW}
"""What is checked apart, and its labels."""

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def contradiction(items: CVTItems, run: CVTRun, scene: str, part: str = "plan") -> list[tuple[int, int, int]]:
    """Answers of `run` that no layout of `scene` satisfies together: (row of the question, label, times it is counted).

    `part` is "plan" or "heights". Empty where one layout satisfies all its labels. No answer can be left out. They come in the
    order of `explain`, the labels of an answer together.
    """
    rows = np.flatnonzero(items.questions["scene"] == scene)
    asked = items.questions.iloc[rows]
    conflict = realize(asserted_constraints(run.answers[rows] & PARTS[part], asked, dimensions=3)).conflict
    if conflict is None:
        return []
    steps = [(int(rows[step.question]), step) for step in explain(conflict, asked)]
    order = list(dict.fromkeys(row for row, _ in steps))
    steps.sort(key=lambda each: order.index(each[0]))
    return [(row, encode([step.label], step.viewpoint), step.multiplier) for row, step in steps]


def _added(items: CVTItems, total: Counter, labels: list[tuple[int, int, int]]) -> Counter:
    """The left side of a sum of inequalities, by (tag, axis), with those of some labels added."""
    total = Counter(total)
    for row, label, times in labels:
        question = items.questions.iloc[row]
        for axis, part in zip("xyz", asserted_direction(label, question["viewpoint"]), strict=True):
            total[int(question["target"]), axis] += times * part
            total[int(question["anchor"]), axis] -= times * part
    return total


def describe_conflict(items: CVTItems, run: CVTRun, scene: str) -> list[str]:
    """The lines of the widget about a run's answers to a scene: the verdict and, for each answer of a contradiction, what
    it says and what the inequalities so far add up to. Where plan and heights both contradict themselves, the plan comes first."""
    lines = [line for part in PARTS for line in _proof(items, run, scene, part)]
    if lines:
        return lines
    asked = (items.questions["scene"] == scene).to_numpy()
    answered = int((run.status[asked] == ANSWERED).sum())
    if not answered:
        return ["There is no answer to check."]
    heights = ", heights included," if asks_heights(items, scene) else ""
    return [
        f"Yes: one layout{heights} satisfies all {answered} answers. They fit together; that does not make them right."
    ]


def asks_heights(items: CVTItems, scene: str) -> bool:
    """Whether some question of a scene offers above and below."""
    return bool((items.questions.loc[items.questions["scene"] == scene, "kind"] == "vertical").any())


def _proof(items: CVTItems, run: CVTRun, scene: str, part: str) -> list[str]:
    """The lines about the contradiction in one of `PARTS`, none where there is none."""
    labels = contradiction(items, run, scene, part)
    rows = list(dict.fromkeys(row for row, _, _ in labels))
    if not rows:
        return []
    alone = len(rows) == 1
    verdict_line = (
        "No: this answer contradicts itself."
        if alone
        else f"No: these {len(rows)} answers cannot all be true, though {_all_but_one(len(rows))} of them can."
    )
    lines = [f"{verdict_line} {PART_PHRASES[part]}" if asks_heights(items, scene) else verdict_line]
    total, bound = Counter(), 0
    for row in rows:
        of_row = [label for label in labels if label[0] == row]
        total, bound = _added(items, total, of_row), bound + sum(times for _, _, times in of_row)
        lines += [_step(items, run, row, of_row), f"Added up: {_formula(total, bound)}."]
    lines[-1] += (
        f" That is false, so {'this answer is' if alone else f'at least one of the {len(rows)} answers is'} wrong."
    )
    return lines


def _all_but_one(count: int) -> str:
    return "either one" if count == 2 else f"any {count - 1}"


def _step(items: CVTItems, run: CVTRun, row: int, labels: list[tuple[int, int, int]]) -> str:
    """What an answer says, in the observer's words and on the map."""
    question = items.questions.iloc[row]
    viewpoint, target, anchor = question["viewpoint"], question["target"], question["anchor"]
    relations = [RELATION_PHRASES[word] for word in decode(sum(label for _, label, _ in labels), viewpoint)]
    sentences = [
        f"Question {question['number']}, at {viewpoint if viewpoint == TOP else f'{viewpoint}°'}, is answered "
        f"“{', '.join(decode(int(run.answers[row]), viewpoint))}”: Tag {target} is {' and '.join(relations)} Tag {anchor}."
    ]
    for _, label, times in labels:
        formula = _formula(_added(items, Counter(), [(row, label, 1)]), 1)
        x, y, z = asserted_direction(label, viewpoint)
        where = f"farther {TOWARDS[0, 0, z]}" if z else f"farther {TOWARDS[x, y]} on the map"
        counted = f", counted {times} times" if times > 1 else ""
        sentences.append(f"So Tag {target} is {where}: {formula}{counted}.")
    sentences.append(f"Compared with gold: {VERDICTS[verdict(items, run, row)].lower()}.")
    return " ".join(sentences)


def _formula(total: Counter, bound: int) -> str:
    """An inequality with the terms of one object together: x₃ − x₂ ≥ 1, or (x₃ + y₃) − (x₂ + y₂) ≥ 1."""
    terms = []
    for tag in sorted({tag for tag, _ in total}):
        parts = [total[tag, axis] for axis in "xyz"]
        first = next((part for part in parts if part), 0)
        if first:
            parts = [-part if first < 0 else part for part in parts]
            terms.append((first < 0, _term(parts, str(tag).translate(_SUBSCRIPTS))))
    terms.sort(key=lambda term: term[0])
    signed = "".join(f" {'−' if negative else '+'} {term}" for negative, term in terms)
    return f"{signed.removeprefix(' + ') or '0'} ≥ {bound}"


def _term(parts: list[int], tag: str) -> str:
    """x, y and z times the coordinates of one object; the first that is not zero is positive."""
    common = gcd(*parts)
    there = [(part // common, axis) for part, axis in zip(parts, "xyz", strict=True) if part]
    inside = " ".join(
        f"{('− ' if part < 0 else '+ ') if place else ''}{_times(abs(part))}{axis}{tag}"
        for place, (part, axis) in enumerate(there)
    )
    return f"{_times(common)}{f'({inside})' if len(there) > 1 else inside}"


def _times(factor: int) -> str:
    return "" if factor == 1 else str(factor)
