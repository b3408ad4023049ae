"""Gold letters and base sizes under which the rules of Table 10 score as printed.

Option letters are free of the layout: any gold letter can be had by ordering the options. So they are solved for on
their own: how many FQ2 groups of a split have each base size, spatial letter and insufficiency letter, and how many FQ1
groups have each triple of gold letters.
"""

from itertools import permutations, product

from ortools.sat.python import cp_model

from vantage.errors import InputError
from vantage_workshop.witness import composition
from vantage_workshop.witness.metadata_rules import FEATURES, LETTERS, Group
from vantage_workshop.witness.targets import Published, count

SIZES = (2, 3, 4)
CELLS = [(size, *pair) for size in SIZES for pair in permutations(LETTERS, 2)]
"""Base size, spatial letter, insufficiency letter."""

TRIPLES = [triple for triple in product(LETTERS, repeat=3) if len(set(triple)) > 1]

RULES = {
    "Majority letter": {None: "B"},
    "Image count": dict(zip(range(1, 6), "ADCCD", strict=True)),
    "Count + insufficiency letter": {
        (images, insufficient): letter
        for images, letters in enumerate(("ABCD", "AACD", "ABBD", "CDDB", "BDAB"), 1)
        for insufficient, letter in zip(LETTERS, letters, strict=True)
    },
}
"""The letter each rule fits for each value it sees. B is Appendix D.4's, and with one image the insufficiency letter is
always right; the rest is ours, found by leaving it open, which takes the solver minutes instead of a second."""

MOST = {"train": 5, "dev": 2, "test": 3}
"""Groups a cell may have in a split: keeps the solver from piling them up where a random draw would not."""

MOST_TRIPLES = {"train": 3, "dev": 2, "test": 3}
"""The same for a triple of FQ1."""

RANGE = {"train": (18, 30), "dev": (2, 6), "test": (9, 15)}
"""How often a letter may be gold in one condition of a split."""


def solve(published: Published, seed: int) -> dict[tuple[str, str], list[tuple]]:
    """The cells of the FQ2 groups and the gold triples of the FQ1 groups, one entry a group, by family and split.

    Deterministic for a seed. Raises `InputError` where the printed numbers admit none.
    """
    evidence = _evidence(published, seed)
    return evidence | _frames(evidence["FQ2", "test"], seed)


def _solution(model, tables, family, seed, blame):
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = 100
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise InputError(f"found no gold letters of {family} that fit {blame}; check those numbers")
    return {
        (family, split): [key for key, number in table.items() for _ in range(solver.value(number))]
        for split, table in tables.items()
    }


def _evidence(published, seed):
    model = cp_model.CpModel()
    cells = {split: {cell: model.new_int_var(0, MOST[split], "") for cell in CELLS} for split in composition.GROUPS}
    for split, table in cells.items():
        for size in SIZES:
            number = composition.BASE_SIZES["FQ2"][split][size]
            model.add(sum(n for (k, _, _), n in table.items() if k == size) == number)
    _each_letter(model, cells, (1, 2))
    _metadata_rules(model, cells, published)
    return _solution(model, cells, "FQ2", seed, "Tables 10 and 24")


def _frames(evidence, seed):
    model = cp_model.CpModel()
    triples = {
        split: {triple: model.new_int_var(0, MOST_TRIPLES[split], "") for triple in TRIPLES}
        for split in composition.GROUPS
    }
    for split, table in triples.items():
        groups = composition.GROUPS[split]
        model.add(sum(table.values()) == groups)
        # Three distinct meanings are certain for test alone; elsewhere a quarter of the groups repeat one.
        repeated = sum(n for triple, n in table.items() if len(set(triple)) < 3)
        model.add(repeated == (0 if split == "test" else groups // 4))
    _each_letter(model, triples, (0, 1, 2))
    for letter, number in composition.TEST_LETTERS.items():
        frames = sum(triple.count(letter) * n for triple, n in triples["test"].items())
        model.add(frames + sum(2 * (y == letter) + (u == letter) for _, y, u in evidence) == number)
    return _solution(model, triples, "FQ1", seed, "Section 5's letters of the test questions")


def _each_letter(model, tables, positions):
    """Each letter equally often in a condition over all splits, and about so in each split."""
    for letter in LETTERS:
        for position in positions:
            often = {
                split: sum(n for key, n in table.items() if key[position] == letter) for split, table in tables.items()
            }
            model.add(sum(often.values()) == composition.PER_CONDITION)
            for split, number in often.items():
                model.add_linear_constraint(number, *RANGE[split])


def _metadata_rules(model, cells, published):
    """Table 10's accuracies and joint scores and Table 24's counts, for the fitted rules of `RULES`."""
    for row, rule in RULES.items():

        def answer(images, insufficient, row=row, rule=rule):
            return rule[FEATURES[row](images, insufficient)]

        often: dict = {}
        for (size, y, u), number in cells["train"].items():
            for images, gold in Group(size, y, u).questions():
                often.setdefault((FEATURES[row](images, u), gold), []).append(number)
        for feature, letter in rule.items():
            for other in LETTERS.replace(letter, ""):
                # Ties go to the first in the alphabet.
                ahead = sum(often.get((feature, letter), [])) - sum(often.get((feature, other), []))
                model.add(ahead >= (other < letter))

        def hit(conditions, split, answer=answer):
            """How many groups of a split the rule answers in all the given conditions."""
            return sum(
                number
                for (size, y, u), number in cells[split].items()
                if all(
                    answer(images, u) == gold
                    for i, (images, gold) in enumerate(Group(size, y, u).questions())
                    if i in conditions
                )
            )

        at = f"Table 10 {row}"
        for split, column in (("train", "Train Acc."), ("dev", "Dev Acc."), ("test", "Test Acc.")):
            total = count(published("Table 10", row, column), 3 * composition.GROUPS[split], at)
            model.add(sum(hit({condition}, split) for condition in range(3)) == total)
        for condition, column in enumerate(("MSS", "Del.", "Add.")):
            model.add(hit({condition}, "test") == int(published("Table 24", row, f"Correct counts / {column}")))
        model.add(hit({0, 1}, "test") == count(published("Table 10", row, "Test NTS"), 48, at))
        model.add(hit({0, 2}, "test") == count(published("Table 10", row, "Test DIS"), 48, at))
    # Appendix A: no held-out value is unseen.
    for size, letter in product(SIZES, LETTERS):
        model.add(sum(n for (k, _, u), n in cells["train"].items() if (k, u) == (size, letter)) >= 1)
