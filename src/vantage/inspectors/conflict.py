"""Answers that describe no possible scene: which of them contradict each other, and the proof in words, answer by answer.

A label says that its target is farther in some direction of the map than its anchor: in whole numbers, d . (x_i - x_j) >= 1
(CVT-Bench, Supp. 2.3). Labels that contradict each other add up to 0 >= 1 or more.
"""

from collections import Counter
from math import gcd

import numpy as np

from vantage.inspectors.words import MAP_PHRASES, RELATION_PHRASES, VERDICTS, verdict
from vantage.items import CVTItems
from vantage.predictions import ANSWERED, CVTRun
from vantage.realizability import asserted_constraints, explain, realize
from vantage.relations import TOP, decode, direction, encode

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def contradiction(items: CVTItems, run: CVTRun, scene: str) -> list[tuple[int, int, int]]:
    """Answers of `run` that no layout of `scene` satisfies together: (row of the question, label, times it is counted).

    Empty where one layout satisfies all answers. No answer can be left out. They come in the order of `explain`, the labels of
    an answer together.
    """
    rows = np.flatnonzero(items.questions["scene"] == scene)
    asked = items.questions.iloc[rows]
    conflict = realize(asserted_constraints(run.answers[rows], asked)).conflict
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
        for axis, part in zip("xy", direction(label, question["viewpoint"]), strict=True):
            total[int(question["target"]), axis] += times * part
            total[int(question["anchor"]), axis] -= times * part
    return total


def describe_conflict(items: CVTItems, run: CVTRun, scene: str) -> list[str]:
    """The lines of the widget about a run's answers to a scene: the verdict and, for each answer of a contradiction, what
    it says and what the inequalities so far add up to."""
    labels = contradiction(items, run, scene)
    rows = list(dict.fromkeys(row for row, _, _ in labels))
    if not rows:
        asked = (items.questions["scene"] == scene).to_numpy()
        answered = int((run.status[asked] == ANSWERED).sum())
        if not answered:
            return ["There is no answer to check."]
        return [f"Yes: one layout satisfies all {answered} answers. They fit together; that does not make them right."]
    alone = len(rows) == 1
    lines = [
        "No: this answer contradicts itself."
        if alone
        else f"No: these {len(rows)} answers cannot all be true, though {_all_but_one(len(rows))} of them can."
    ]
    total, bound = Counter(), 0
    for row in rows:
        parts = [part for part in labels if part[0] == row]
        total, bound = _added(items, total, parts), bound + sum(times for _, _, times in parts)
        lines += [_step(items, run, row, parts), f"Added up: {_formula(total, bound)}."]
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
        x, y = direction(label, viewpoint)
        formula = _formula(_added(items, Counter(), [(row, label, 1)]), 1)
        eighth = round(np.arctan2(y, x) / (np.pi / 4)) % 8
        counted = f", counted {times} times" if times > 1 else ""
        sentences.append(f"So Tag {target} is farther {MAP_PHRASES[eighth]} on the map: {formula}{counted}.")
    sentences.append(f"Compared with gold: {VERDICTS[verdict(items, run, row)].lower()}.")
    return " ".join(sentences)


def _formula(total: Counter, bound: int) -> str:
    """An inequality with the terms of one object together: x₃ − x₂ ≥ 1, or (x₃ + y₃) − (x₂ + y₂) ≥ 1."""
    terms = []
    for tag in sorted({tag for tag, _ in total}):
        x, y = total[tag, "x"], total[tag, "y"]
        if x or y:
            negative = x < 0 or (x == 0 and y < 0)
            terms.append(
                (negative, _term(-x if negative else x, -y if negative else y, str(tag).translate(_SUBSCRIPTS)))
            )
    terms.sort(key=lambda term: term[0])
    signed = "".join(f" {'−' if negative else '+'} {term}" for negative, term in terms)
    return f"{signed.removeprefix(' + ') or '0'} ≥ {bound}"


def _term(x: int, y: int, tag: str) -> str:
    """x and y times the coordinates of one object; the first that is not zero is positive."""
    common = gcd(x, y)
    if x and y:
        inside = f"({_times(x // common)}x{tag} {'−' if y < 0 else '+'} {_times(abs(y) // common)}y{tag})"
    else:
        inside = f"{'x' if x else 'y'}{tag}"
    return f"{_times(common)}{inside}"


def _times(factor: int) -> str:
    return "" if factor == 1 else str(factor)
