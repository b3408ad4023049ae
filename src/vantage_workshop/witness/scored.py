"""What answers to the test questions score, by the place, row and column of the printed number. Shares no code with the
solver's models, so that it can hold their answers against the print."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import sqrt
from statistics import mean, variance

from vantage.published import as_printed
from vantage_workshop.witness.pairs import Adapted
from vantage_workshop.witness.targets import FAILURES, ORDINAL, OVERLAP, STRATA, Published

CONDITIONS = {"FQ1": ("camera", "object", "scene"), "FQ2": ("MSS", "deletion", "addition")}
LETTERS = "ABCD"

Answers = dict[tuple[str, str], str]
"""A letter, or what is no letter, by group and condition."""


class Scored:
    """Answers beside the strata, row by row of the strata file (test groups only)."""

    def __init__(self, rows: list[dict[str, str]], answers: Answers):
        """`rows` are rows of the strata file with `overlap` added."""
        self.groups = [
            (row, "".join(answers[row["group"], condition] for condition in CONDITIONS[row["family"]])) for row in rows
        ]

    def right(self, row: dict[str, str], given: str) -> list[bool]:
        """Which of a group's three answers are right."""
        return [answer == gold for answer, gold in zip(given, row["golds"], strict=True)]

    def family(self, family: str) -> list[tuple[dict[str, str], str]]:
        """The groups of a family with their answers."""
        return [group for group in self.groups if group[0]["family"] == family]

    def metrics(self) -> dict[str, Fraction]:
        """Macro P, R, F1 and accuracy over all questions, in percent."""
        pairs = [pair for row, given in self.groups for pair in zip(given, row["golds"], strict=True)]
        totals = {"P": Fraction(0), "R": Fraction(0), "F1": Fraction(0)}
        for letter in LETTERS:
            right = sum(answer == gold == letter for answer, gold in pairs)
            answered = sum(answer == letter for answer, _ in pairs)
            gold = sum(gold == letter for _, gold in pairs)
            totals["P"] += Fraction(right, answered) if answered else 0
            totals["R"] += Fraction(right, gold)
            totals["F1"] += Fraction(2 * right, answered + gold)
        return {name: total * 25 for name, total in totals.items()} | {
            "Acc.": Fraction(100 * sum(answer == gold for answer, gold in pairs), len(pairs))
        }

    def joint(self, metric: str, where: Callable[[dict], bool] = lambda row: True) -> tuple[int, int]:
        """Groups solved and groups, of those that `where` picks."""
        family, conditions = {"FQ1-GEM": ("FQ1", (0, 1, 2)), "NTS": ("FQ2", (0, 1)), "DIS": ("FQ2", (0, 2))}[metric]
        here = [self.right(row, given) for row, given in self.family(family) if where(row)]
        return sum(all(right[i] for i in conditions) for right in here), len(here)

    def accuracy(self, column: str, value: str) -> Fraction:
        """The share of right answers in a stratum."""
        here = [self.right(row, given) for row, given in self.groups if row[column] == value]
        return Fraction(sum(map(sum, here)), 3 * len(here))


def main_rows(scored: Scored, name: str, ordinal: bool) -> Iterator[tuple[str, str, str, Fraction | int]]:
    """Place, row, column and value of everything printed about one configuration of Table 4."""
    yield from joint_rows(scored, "Table 4", name)
    for stratum, (place, heads) in STRATA.items():
        for metric in ("FQ1-GEM", "NTS", "DIS"):
            for value, head in heads.items():
                solved, groups = scored.joint(metric, lambda row, s=stratum, v=value: row[s] == v)
                if groups:
                    yield place, name, f"{metric} / {head}", Fraction(100 * solved, groups)
    if ordinal:
        for value, head in ORDINAL.items():
            yield "Table 3", name, head, scored.joint("NTS", lambda row, v=value: row["ordinal_change"] == v)[0]
    evidence = scored.family("FQ2")
    for i, head in enumerate(("MSS", "Del.", "Add.")):
        yield "Table 8", name, head, sum(given[i] == row["insufficient"] for row, given in evidence)
    yield from _failures(scored, name)
    frames = scored.family("FQ1")
    same = sum(a == b for _, given in frames for a, b in combinations(given, 2))
    yield "Table 31", name, "Same", same
    yield "Table 31", name, "Change", 3 * len(frames) - same
    both = sum(a and b for row, given in frames for a, b in combinations(scored.right(row, given), 2))
    yield "Table 31", name, "Both", both
    yield "Table 31", name, "GEM", scored.joint("FQ1-GEM")[0]
    for metric, family, conditions in (("FQ1-GEM", "FQ1", (0, 1, 2)), ("NTS", "FQ2", (0, 1)), ("DIS", "FQ2", (0, 2))):
        here = [scored.right(row, given) for row, given in scored.family(family)]
        reference = Fraction(100)
        for i in conditions:
            reference *= Fraction(sum(right[i] for right in here), len(here))
        yield "Table 22", name, f"{metric} / O", Fraction(100 * scored.joint(metric)[0], len(here))
        yield "Table 22", name, f"{metric} / R", reference


def _failures(scored, name):
    frames, evidence = scored.family("FQ1"), scored.family("FQ2")
    yield "Table 20", name, "Frame invariant", Fraction(100 * sum(len(set(g)) == 1 for _, g in frames), len(frames))
    first = [(row, given) for row, given in evidence if scored.right(row, given)[0]]
    yield "Table 20", name, "m", len(first)
    insufficient = sum(given[1] == row["insufficient"] for row, given in first)
    original = sum(given[1] == given[0] for _, given in first)
    for head, number in (
        ("To insufficient", insufficient),
        ("Original", original),
        ("Other", len(first) - insufficient - original),
    ):
        yield "Table 20", name, FAILURES[head], Fraction(100 * number, len(first))
    robust = sum(scored.right(row, given)[2] for row, given in first)
    drift = sum(given[2] in LETTERS and not scored.right(row, given)[2] for row, given in first)
    invalid = sum(given[0] not in LETTERS or given[2] not in LETTERS for _, given in evidence)
    for head, number in (("Robust", robust), ("Drift", drift), ("Invalid", invalid)):
        yield "Table 20", name, FAILURES[head], Fraction(100 * number, len(evidence))


def joint_rows(scored: Scored, place: str, name: str) -> Iterator[tuple[str, str, str, Fraction | int]]:
    """Table 4's seven columns, which Table 11 has too."""
    for column, value in scored.metrics().items():
        yield place, name, column, value
    for metric, column in (("FQ1-GEM", "GEM"), ("NTS", "NTS"), ("DIS", "DIS")):
        solved, groups = scored.joint(metric)
        yield place, name, column, Fraction(100 * solved, groups)


def ordinary_rows(scored: Scored, name: str) -> Iterator[tuple[str, str, str, Fraction | int]]:
    """Everything printed about one ordinary run: Tables 11 and 30."""
    yield from joint_rows(scored, "Table 11", name)
    for value, (head, *_) in OVERLAP.items():
        yield "Table 30", name, f"{head} / Acc.", 100 * scored.accuracy("overlap", value)
        for metric, column in (("FQ1-GEM", "GEM"), ("NTS", "NTS"), ("DIS", "DIS")):
            yield (
                "Table 30",
                name,
                f"{head} / {column}",
                scored.joint(metric, lambda row, v=value: row["overlap"] == v)[0],
            )


def seed_rows(seeds: list[Scored], name: str) -> Iterator[tuple[str, str, str, Fraction]]:
    """Mean and sample standard deviation over training seeds in Table 11."""
    scores = [{column: value for _, _, column, value in joint_rows(seed, "Table 11", name)} for seed in seeds]
    for column in scores[0]:
        values = [score[column] for score in scores]
        yield "Table 11", name, column, mean(values)
        yield "Table 11", name, f"{column} / SD", Fraction(sqrt(variance(values)))


Cell = tuple[str, str, str]
"""Place, row and column of a printed number."""


def differences(rows: Iterable[tuple], published: Published) -> tuple[list[Cell], list[str]]:
    """The numbers that were compared with the print, and where they differ from it as printed."""
    compared, found = [], []
    for place, row, column, value in rows:
        compared.append((place, row, column))
        printed = published(place, row, column)
        made = as_printed(Fraction(value), len(printed.partition(".")[2]))
        if made != printed:
            found.append(f"{place} {row} / {column}: printed {printed}, made {made}")
    return compared, found


def adapted_differences(base: Scored, lora: Scored, facts: Adapted) -> list[str]:
    """Where an adapter and its base differ from what Appendices D.2, D.3 and F.1 and Tables 21 and 26 say of them."""
    found: list[str] = []

    def hold(what, value, expected):
        if value != expected:
            found.append(f"{what}: expected {expected}, made {value}")

    paired = [
        (row, before, after) for (row, before), (_, after) in zip(base.family("FQ2"), lora.family("FQ2"), strict=True)
    ]
    old = [base.right(row, before) for row, before, _ in paired]
    new = [lora.right(row, after) for row, _, after in paired]
    both = [(a, b) for a, b in zip(old, new, strict=True)]
    partition = tuple(sum((a[0], b[0]) == case for a, b in both) for case in ((1, 1), (1, 0), (0, 1), (0, 0)))
    hold("MSS partition", partition, facts.partition)
    for i, (there, back) in enumerate(zip(facts.switches, facts.reverse, strict=True)):
        marks = [(before[i] == row["insufficient"], after[i] == row["insufficient"]) for row, before, after in paired]
        hold(
            f"{CONDITIONS['FQ2'][i]} switches", (marks.count((False, True)), marks.count((True, False))), (there, back)
        )
    for metric, i, common in (("NTS", 1, facts.common_nts), ("DIS", 2, facts.common_dis)):
        shared = [(a[i], b[i]) for a, b in both if a[0] and b[0]]
        hold(f"{metric} on common groups", (sum(a for a, _ in shared), sum(b for _, b in shared)), common)
        gains, losses = shared.count((False, True)), shared.count((True, False))
        hold(f"{metric} changes one way", min(gains, losses), 0)
        for scored, name in ((base, "Base"), (lora, "LoRA")):
            for wanted, number in facts.alone.get(metric, {}).items():
                if wanted.endswith(name):
                    alone = scored.joint(metric, lambda row: row["overlap"] == "alone")[0]
                    hold(f"{metric} alone {wanted}", alone, number)
        change = [(a[0] and a[i], b[0] and b[i]) for a, b in both]
        hold(f"{metric} gain/loss", (change.count((False, True)), change.count((True, False))), facts.changes[metric])
    if facts.all_dis_alone_lost:
        alone = [pair for (row, *_), pair in zip(paired, both, strict=True) if row["overlap"] == "alone"]
        hold("DIS kept alone", sum(a[0] and a[2] and b[0] and b[2] for a, b in alone), 0)
    return found


def agreement(one: Scored, other: Scored) -> int:
    """Questions with the same answer letter in two runs."""
    return sum(
        a == b for (_, x), (_, y) in zip(one.groups, other.groups, strict=True) for a, b in zip(x, y, strict=True)
    )


def turnover(before: Scored, after: Scored) -> tuple[int, int]:
    """Newly correct and newly incorrect answers."""
    changes = [
        pair
        for (row, x), (_, y) in zip(before.groups, after.groups, strict=True)
        for pair in zip(before.right(row, x), after.right(row, y), strict=True)
    ]
    return changes.count((False, True)), changes.count((True, False))
