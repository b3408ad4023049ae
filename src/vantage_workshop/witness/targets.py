"""The printed numbers of FrameEvidence as integers: each printed rate is one count of a known number of groups.

Printing is taken to round halves to the even digit on the exact fraction, as everywhere in this repository. What
running text alone says about pairs of configurations is at the end, with its section.
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from vantage.errors import InputError
from vantage.files import reading, root, shown
from vantage.published import as_printed

GROUPS = 48
QUESTIONS = 288

STRATA = {
    "base_size": ("Table 16", {"2": "2", "3": "3", "4": "4"}),
    "ontology": ("Table 17", {"axial": "Axial", "quadrant": "Quadrant"}),
    "setting": ("Table 18", {"indoor_large": "Large", "tabletop": "Tabletop", "outdoor_public": "Outdoor"}),
    "tag": ("Table 19", {"camera": "Camera tag", "object": "Object tag", "world": "World tag"}),
}
"""The table that prints joint scores by a stratum, and the head of its column for each value."""

TEST_SIZES = {
    "base_size": {"FQ1": {"2": 15, "3": 16, "4": 17}, "FQ2": {"2": 17, "3": 16, "4": 15}},
    "ontology": {"FQ1": {"axial": 24, "quadrant": 24}, "FQ2": {"axial": 24, "quadrant": 24}},
    "setting": {
        "FQ1": {"indoor_large": 15, "tabletop": 17, "outdoor_public": 16},
        "FQ2": {"indoor_large": 16, "tabletop": 17, "outdoor_public": 15},
    },
    "tag": {"FQ2": {"camera": 16, "object": 16, "world": 16}},
}
"""Test groups in each stratum, as the heads of Tables 16 to 19 print them."""

FAMILY = {"FQ1-GEM": "FQ1", "NTS": "FQ2", "DIS": "FQ2"}

ORDINAL = {"removed": "Removed", "shifted": "Shifted", "stable": "Stable", "none": "None"}
"""How an ordinal of the question changes under deletion, and the head of its column in Table 3."""

OVERLAP = {"shared": ("Shared with train", 81, 41, 40), "alone": ("Absent from train and dev", 15, 7, 8)}
"""Head of the columns of Table 30, test groups, FQ1 groups and FQ2 groups, by whether training shares their scene
(Appendix F.1)."""

FAILURES = {
    "To insufficient": "Deletion / To insufficient",
    "Original": "Deletion / Original",
    "Other": "Deletion / Other",
    "Robust": "Addition / Robust",
    "Drift": "Addition / Drift",
    "Invalid": "Invalid",
}
"""Outcomes of Table 20 and the heads of their columns: the first three of the groups with a correct MSS, the others of 48."""


@dataclass(frozen=True)
class Targets:
    """What is printed about one configuration's answers to the 288 test questions, as counts.

    `metrics` are P, R and F1 as printed; `correct` counts questions, the joint scores count groups. A cell by stratum is
    `by[metric][stratum][value]`. `failures` holds the counts of Table 20, `pairs` Same, Change and Both of Table 31.
    `reference` are the printed rearrangement references of Table 22. A multi-seed run has only the first part, and
    `by` has the strata `overlap` alone.
    """

    name: str
    metrics: tuple[str, str, str]
    correct: int
    gem: int
    nts: int
    dis: int
    by: dict = field(default_factory=dict)
    correct_by_overlap: dict = field(default_factory=dict)
    ordinal: dict | None = None
    insufficient: tuple[int, int, int] | None = None
    failures: dict | None = None
    pairs: dict | None = None
    reference: dict | None = None

    @cached_property
    def variants(self) -> tuple[int, int, int]:
        """Correct MSS, deletion and addition answers of 48: Table 22's references are products of two of them."""
        mss = self.failures["m"]
        deletion = self.insufficient[1]
        if as_printed(_percent(mss * deletion, GROUPS**2), 2) != self.reference["NTS"]:
            raise InputError(f"{self.name}: Tables 8, 20 and 22 disagree about the deletion answers")
        additions = [
            count
            for count in range(GROUPS + 1)
            if as_printed(_percent(mss * count, GROUPS**2), 2) == self.reference["DIS"]
        ]
        if len(additions) != 1:
            raise InputError(f"{self.name}: expected one count of correct additions, found {additions}")
        return mss, deletion, additions[0]

    @cached_property
    def frames(self) -> list[tuple[int, int, int]]:
        """Correct camera, object and scene answers that the reference of Table 22 allows, in ascending order. The order
        of the frames is not determined by the print."""
        total = self.correct - sum(self.variants)
        return [
            (a, b, total - a - b)
            for a in range(GROUPS + 1)
            for b in range(a, GROUPS + 1)
            if b <= total - a - b <= GROUPS
            and as_printed(_percent(a * b * (total - a - b), GROUPS**3), 2) == self.reference["FQ1-GEM"]
        ]


def count(printed: str, total: int, where: str = "") -> int:
    """The one number of `total` whose percentage is printed as `printed`. Raises `InputError` for none or several.

    >>> count("43.8", 16), count("2.08", 48)
    (7, 1)
    """
    decimals = len(printed.partition(".")[2])
    found = [k for k in range(total + 1) if as_printed(_percent(k, total), decimals) == printed]
    if len(found) != 1:
        raise InputError(f"{where}: expected {printed} to be one count of {total} in percent, found {found}")
    return found[0]


def default_path() -> Path:
    """Where the transcribed numbers are."""
    return root() / "data" / "published" / "frame_evidence.csv"


class Published:
    """The printed numbers by place, row and column."""

    def __init__(self, path: Path | None = None):
        """Read the transcription at `path`, by default the repository's. Raises `InputError` without the columns."""
        path = Path(path) if path else default_path()
        with open(reading(path), encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        if not rows or not {"place", "row", "column", "value"} <= rows[0].keys():
            raise InputError(f"{shown(path)}: expected columns place, row, column and value")
        self.path = path
        self.ids = {(row["place"], row["row"], row["column"]): row["id"] for row in rows if "id" in row}
        self.kinds = {row["id"]: row["kind"] for row in rows if "id" in row}
        self.cells = {(row["place"], row["row"], row["column"]): row["value"] for row in rows}

    def __call__(self, place: str, row: str, column: str) -> str:
        """The value as printed. Raises `InputError` where there is none."""
        try:
            return self.cells[place, row, column]
        except KeyError:
            raise InputError(f"{shown(self.path)}: expected {place}, row {row}, column {column}; found none") from None

    def targets(self, cells: Iterable[tuple[str, str, str]], derived: Path | None = None) -> list[str]:
        """The ids of some printed numbers, and of those that follow from them by the rules beside the transcription, in the
        order of the file: what agrees with the print by construction once these do."""
        with open(reading(derived or self.path.with_name("frame_evidence_derived.csv")), encoding="utf-8") as stream:
            rules = {row["id"]: row["ids"].split() for row in csv.DictReader(stream)}
        # What the items were built to meet, and settings of the runs, are given.
        given = {i for i, kind in self.kinds.items() if kind not in ("prediction", "interval")}
        met = {self.ids[cell] for cell in cells}
        more = met
        while more:
            more = {
                i
                for i, of in rules.items()
                if i not in met and self.kinds[i] == "prediction" and set(of) <= met | given
            }
            met = met | more
        return [i for i in self.ids.values() if i in met]

    def rows(self, place: str, column: str) -> list[str]:
        """The rows of a place that have a column, in the order of the file."""
        return [row for at, row, head in self.cells if (at, head) == (place, column)]


def configurations(published: Published) -> dict[str, Targets]:
    """The twenty configurations of Table 4 by name."""
    return {name: _configuration(published, name) for name in published.rows("Table 20", "m")}


def ordinary_runs(published: Published) -> dict[str, Targets]:
    """The eight ordinary runs of Tables 11 and 30 by name: two matched controls and six adapters."""
    return {name: _ordinary(published, name) for name in published.rows("Table 30", "Shared with train / Acc.")}


MODES = {"text_only": "All-Text", "single_image": "All-One"}
"""The contrasts of Table 25 that an input mode is in."""

ZERO_SHOT = "GPT-5.6 / 0-shot"
"""The one gateway configuration with input controls, rotations and a repeat."""


@dataclass(frozen=True)
class Unprinted:
    """Scores of GPT's input controls that no table prints: ours, between those that are printed."""

    text_only_gem: int = 1
    single_image_correct: int = 104
    single_image_gem: int = 1
    single_image_nts: int = 3


def input_controls(published: Published, configured: dict[str, Targets]) -> dict[tuple[str, str], Targets]:
    """The runs without images and with the first alone, by input mode and configuration: Tables 5 and 25 print their
    differences from the run with all images, and Section 6.3 one score of GPT's."""
    found = {}
    for mode, contrast in MODES.items():
        for name in published.rows("Table 5", "Delta Acc."):
            if name != ZERO_SHOT:
                place, row, heads = "Table 25", f"{name}: {contrast}", ("Acc.", "FQ1-GEM", "NTS", "DIS")
                main = configured[name]
                parts = zip(
                    heads, (main.correct, main.gem, main.nts, main.dis), (QUESTIONS, *[GROUPS] * 3), strict=True
                )
                scores = [_before(published, place, row, f"Delta {head}", of, total) for head, of, total in parts]
                found[mode, name] = _alone(name, scores)
    main, ours = configured[ZERO_SHOT], Unprinted()
    acc = _before(published, "Table 5", ZERO_SHOT, "Delta Acc.", main.correct, QUESTIONS)
    nts, dis = (
        _before(published, "Table 5", ZERO_SHOT, f"Delta {head}", of, GROUPS)
        for head, of in (("NTS", main.nts), ("DIS", main.dis))
    )
    found["text_only", ZERO_SHOT] = _alone(ZERO_SHOT, (acc, ours.text_only_gem, nts, dis))
    dis = count(published("Section 6.3", "DIS, first image only", ZERO_SHOT), GROUPS, "Section 6.3")
    single = (ours.single_image_correct, ours.single_image_gem, ours.single_image_nts, dis)
    found["single_image", ZERO_SHOT] = _alone(ZERO_SHOT, single)
    return found


@dataclass(frozen=True)
class Pair:
    """Two executions of the same questions: how many answers are the same, right in both, and right in the second."""

    same: int
    both: int | None = None
    right: int | None = None


@dataclass(frozen=True)
class Turns:
    """A row of Table 12 as counts: right answers without rotation, right answers of all four, questions right in all four
    and questions with one meaning in all four. `pairs` are those with rotations 1 to 3, where they are printed."""

    vanilla: int
    right: int
    circular: int
    consistent: int
    pairs: tuple[Pair, ...] = ()


def rotations(published: Published) -> dict[str, Turns]:
    """The eight rows of Table 12 with items behind them; that of Qwen's base is author-reported."""
    found = {}
    for name in published.rows("Table 12", "Vanilla"):
        if name != AUTHOR_REPORTED:
            cell = {head: published("Table 12", name, head) for head in ("Vanilla", "Circular", "Consistency")}
            once = [count(value, QUESTIONS, f"Table 12 {name} {head}") for head, value in cell.items()]
            right = count(published("Table 12", name, "Mean rot."), 4 * QUESTIONS, f"Table 12 {name}")
            pairs = _rotation_pairs(published, once[0]) if name == ZERO_SHOT else ()
            found[name] = Turns(once[0], right, *once[1:], pairs)
    return found


AUTHOR_REPORTED = "Qwen2.5-VL-7B / Base control"
"""The row of Table 12 without items: its 446 failed calls count as wrong."""

CROSS_RUN = "Appendix A-C, GPT cross-run stability"
SAME_ORDER = "Appendix A-C, Same-order control"
"""Where the text compares executions of GPT."""


def _rotation_pairs(published, vanilla):
    pairs = []
    for i, word in enumerate(("one", "two", "three"), 1):
        both = int(published(SAME_ORDER, f"Jointly correct items, rotations zero and {word}", ZERO_SHOT))
        same = int(published(SAME_ORDER, f"Consistent items, rotations zero and {word}", ZERO_SHOT))
        either = count(published("Table 7", "At least one correct", f"R{i}"), QUESTIONS, f"Table 7 R{i}")
        pairs.append(Pair(same, both, either + both - vanilla))
    return tuple(pairs)


def executions(published: Published) -> dict[str, Pair]:
    """Pairs of unrotated executions of GPT: primary and rotation zero, primary and repeat, repeat and rotation zero."""
    return {
        names: Pair(
            QUESTIONS - int(published(place, f"Changed answers, {names}", ZERO_SHOT)),
            int(published(place, f"Correct in both, {names}", ZERO_SHOT)),
        )
        for place, names in (
            (CROSS_RUN, "primary and rotation zero"),
            (SAME_ORDER, "primary and repeat"),
            (SAME_ORDER, "repeat and rotation zero"),
        )
    }


ARMS = {"original": "Original wording", "stable_id": "Stable IDs"}
"""Arms of the stable-ID diagnostic, and their rows."""

STABLE_IDS = "Appendix E"


@dataclass(frozen=True)
class Diagnostic:
    """What Appendix E counts. The first run pairs the arms: matches in both, in one, in the other and in neither, and changed
    answers. The rest is over two blocks, by arm: matches, joint successes, and answers that change between the blocks; and
    of the second arm against the first, NTS gained and lost."""

    first: tuple[int, int, int, int]
    first_changed: int
    right: dict[str, int]
    nts: dict[str, int]
    dis: dict[str, int]
    all_three: dict[str, int]
    changed: dict[str, int]
    gained: int
    lost: int


def diagnostic(published: Published, questions: int) -> Diagnostic:
    """The stable-ID diagnostic on so many questions an arm."""

    def value(row, column):
        return int(published(STABLE_IDS, row, column))

    def arms(row):
        return {arm: value(row, column) for arm, column in ARMS.items()}

    matches = ("both arms", "original wording only", "stable IDs only", "neither arm")
    changed = published(STABLE_IDS, "Changed predictions between arms", "Initial run")
    joint = value("Three-answer joint agreement over both blocks", "Original wording and stable IDs")
    return Diagnostic(
        first=tuple(value(f"Pairs that match the label, {which}", "Initial run") for which in matches),
        first_changed=count(changed, questions, STABLE_IDS),
        right=arms("Agreement with labels over both blocks"),
        nts=arms("NTS successes over both blocks"),
        dis=arms("DIS successes over both blocks"),
        all_three=dict.fromkeys(ARMS, joint),
        changed=arms("Changed answers between blocks"),
        gained=value("Paired NTS gains over both blocks", "Stable IDs"),
        lost=value("Paired NTS losses over both blocks", "Stable IDs"),
    )


def repeated(published: Published) -> Targets:
    """GPT's repeat of its primary run."""

    def percent(what, total):
        return count(published(SAME_ORDER, f"{what} of the repeat", ZERO_SHOT), total, SAME_ORDER)

    return Targets(
        f"{ZERO_SHOT}, repeat",
        tuple(
            published(SAME_ORDER, f"Macro-{what} of the repeat", ZERO_SHOT) for what in ("precision", "recall", "F1")
        ),
        int(published(SAME_ORDER, "Correct answers of the repeat", ZERO_SHOT)),
        *(percent(what, GROUPS) for what in ("GEM", "NTS", "DIS")),
        by={"FQ1-GEM": {}, "NTS": {}, "DIS": {}},
    )


def _alone(name, scores):
    correct, gem, nts, dis = scores
    return Targets(name, ("", "", ""), correct, gem, nts, dis, by={"FQ1-GEM": {}, "NTS": {}, "DIS": {}})


def _before(published, place, row, column, after, total):
    """The one count from which `after` differs as printed, in points."""
    printed = published(place, row, column)
    decimals = len(printed.partition(".")[2])
    found = [k for k in range(total + 1) if as_printed(_percent(after - k, total), decimals) == printed]
    if len(found) != 1:
        raise InputError(f"{place} {row} {column}: expected {printed} to be one difference from {after}, found {found}")
    return found[0]


def _percent(part: int, total: int) -> Fraction:
    return Fraction(100 * part, total)


def _joint(published, place, name, gem="GEM"):
    return {
        "metrics": tuple(published(place, name, column) for column in ("P", "R", "F1")),
        "correct": count(published(place, name, "Acc."), QUESTIONS, f"{place} {name}"),
        "gem": count(published(place, name, gem), GROUPS, f"{place} {name}"),
        "nts": count(published(place, name, "NTS"), GROUPS, f"{place} {name}"),
        "dis": count(published(place, name, "DIS"), GROUPS, f"{place} {name}"),
    }


def _configuration(published, name):
    by = {}
    for stratum, (place, heads) in STRATA.items():
        for metric, family in FAMILY.items():
            if family in TEST_SIZES[stratum]:
                by.setdefault(metric, {})[stratum] = {
                    value: count(
                        published(place, name, f"{metric} / {head}"),
                        TEST_SIZES[stratum][family][value],
                        f"{place} {name} {metric} / {head}",
                    )
                    for value, head in heads.items()
                }
    at = f"Table 20 {name}"
    mss = int(published("Table 20", name, "m"))
    failures = {"m": mss, "invariant": count(published("Table 20", name, "Frame invariant"), GROUPS, at)}
    for i, (outcome, head) in enumerate(FAILURES.items()):
        total = mss if i < 3 else GROUPS
        failures[outcome] = count(published("Table 20", name, head), total, f"{at} {head}")
    return Targets(
        name=name,
        **_joint(published, "Table 4", name),
        by=by,
        ordinal={value: int(published("Table 3", name, head)) for value, head in ORDINAL.items()}
        if name in published.rows("Table 3", "Removed")
        else None,
        insufficient=tuple(int(published("Table 8", name, column)) for column in ("MSS", "Del.", "Add.")),
        failures=failures,
        pairs={column: int(published("Table 31", name, column)) for column in ("Same", "Change", "Both")},
        reference={metric: published("Table 22", name, f"{metric} / R") for metric in FAMILY},
    )


def _ordinary(published, name):
    by = {"FQ1-GEM": {"overlap": {}}, "NTS": {"overlap": {}}, "DIS": {"overlap": {}}}
    correct = {}
    for value, (head, groups, _, _) in OVERLAP.items():
        correct[value] = count(published("Table 30", name, f"{head} / Acc."), 3 * groups, f"Table 30 {name}")
        for metric, column in (("FQ1-GEM", "GEM"), ("NTS", "NTS"), ("DIS", "DIS")):
            by[metric]["overlap"][value] = int(published("Table 30", name, f"{head} / {column}"))
    return Targets(name=name, **_joint(published, "Table 11", name), by=by, correct_by_overlap=correct)
