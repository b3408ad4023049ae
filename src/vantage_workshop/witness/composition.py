"""What the strata of the 320 groups must be, as the paper prints it, and a check of a file that uses no solver.

Where the print leaves a choice (the scenes, and training and dev beyond Table 2), the constants here make it.
"""

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vantage.errors import InputError
from vantage.files import reading, root, shown
from vantage_workshop.witness import metadata_rules
from vantage_workshop.witness.metadata_rules import LETTERS
from vantage_workshop.witness.targets import ORDINAL, OVERLAP, STRATA, TEST_SIZES, Published, count

COLUMNS = (
    "group,family,split,scene,image_component,setting,source,ontology,base_size,golds,insufficient,tag,"
    "ordinal_change,out_of_range,camera_heading"
).split(",")

GROUPS = {"train": 96, "dev": 16, "test": 48}
"""Groups of each family in each split (Table 2), in the order of their numbers."""

ALLOWED = {
    "setting": {"tabletop", "indoor_large", "outdoor_public"},
    "source": {"captured", "rendered"},
    "ontology": {"axial", "quadrant"},
    "base_size": {"2", "3", "4"},
}
ALLOWED_FQ2 = {
    "insufficient": set(LETTERS),
    "tag": {"camera", "object", "world"},
    "ordinal_change": set(ORDINAL),
    "out_of_range": {"yes", "no"},
    "camera_heading": {"yes", "no"},
}
"""Columns that only FQ2 fills."""

TABLE_2 = {
    "setting": {"tabletop": "Tabletop", "indoor_large": "Indoor large", "outdoor_public": "Outdoor public"},
    "ontology": {"axial": "Axial", "quadrant": "Quadrant"},
    "family": {"FQ1": "FQ1", "FQ2": "FQ2"},
}
"""The rows of Table 2 that count questions by a stratum."""

TEST_LETTERS = {"A": 75, "B": 70, "C": 69, "D": 74}
"""Gold letters of the 288 test questions (Section 5)."""

PER_CONDITION = 40
"""How often each letter is gold in each of the six conditions (Section 4.2)."""

SOURCES = {"captured": 126, "rendered": 194}
"""Groups by source (Section 4.1)."""

TEST_SOURCES = {"captured": 21, "rendered": 27}
"""Test groups of each family by source (Appendix G.1)."""

BASE_SIZES = {
    "FQ1": {"train": {2: 32, 3: 33, 4: 31}, "dev": {2: 6, 3: 5, 4: 5}, "test": {2: 15, 3: 16, 4: 17}},
    "FQ2": {"train": {2: 31, 3: 32, 4: 33}, "dev": {2: 5, 3: 6, 4: 5}, "test": {2: 17, 3: 16, 4: 15}},
}
"""Groups by images in the base set: summed over splits 53, 54, 53 (Section 4.1), in test Table 16's. Training and dev are
ours."""

ONTOLOGIES = {
    "FQ1": {
        "train": {"axial": 49, "quadrant": 47},
        "dev": {"axial": 7, "quadrant": 9},
        "test": {"axial": 24, "quadrant": 24},
    },
    "FQ2": {
        "train": {"axial": 48, "quadrant": 48},
        "dev": {"axial": 8, "quadrant": 8},
        "test": {"axial": 24, "quadrant": 24},
    },
}
"""Groups by ontology: the two families sum to Table 2, in test each is Table 17's. The rest is ours."""

TAGS = {
    "train": {"camera": 32, "object": 32, "world": 32},
    "dev": {"camera": 5, "object": 5, "world": 6},
    "test": {"camera": 16, "object": 16, "world": 16},
}
"""FQ2 groups by annotation tag: test as in Table 19, the rest ours."""

ORDINALS = {
    "train": {"removed": 72, "shifted": 12, "stable": 4, "none": 8},
    "dev": {"removed": 12, "shifted": 2, "stable": 1, "none": 1},
    "test": {"removed": 36, "shifted": 6, "stable": 2, "none": 4},
}
"""FQ2 groups by what deletion does to an ordinal: test as in Table 3, the rest ours in like shares."""

OUT_OF_RANGE = {"train": 8, "dev": 1, "test": 4}
"""FQ2 groups whose ordinal is out of range after deletion: test from Section 5, the rest ours."""

NO_HEADING = {"train": 4, "dev": 1, "test": 2}
"""FQ2 groups whose question names no camera heading. In test all 16 camera tags and 30 of the 32 others name one
(Section 5, read as counts of groups); the rest is ours."""

UNIONS, LARGEST_UNION = 13, 15
"""Components of test FQ2 groups joined by picture or scene, and the FQ2 groups of the largest (Appendix D.6)."""

IMAGE_COMPONENTS = 29
"""Exact-image components of test FQ2 groups (Appendix D.6)."""

NOT_REMOVED_UNIONS = 6
"""Union components that hold the twelve test groups outside the removed stratum (Appendix E)."""

CROSSING = ("image-01", {"scene-01": 2, "scene-02": 1})
"""The one component that crosses scenes, and its FQ2 groups: three as in Appendix D.6, the scenes ours."""


@dataclass(frozen=True)
class Scene:
    """An inferred scene or template cluster: FQ1 and FQ2 groups by split, and its own test components."""

    setting: str
    source: str
    train: tuple[int, int]
    dev: tuple[int, int] = (0, 0)
    test: tuple[int, int] = (0, 0)
    components: int = 0

    def groups(self, family: str, split: str) -> int:
        """How many groups of a family and split the scene has."""
        return getattr(self, split)[("FQ1", "FQ2").index(family)]


SCENES = {
    "scene-01": Scene("tabletop", "captured", (5, 5), (0, 0), (8, 9), 4),
    "scene-02": Scene("tabletop", "captured", (5, 4), (0, 0), (7, 6), 3),
    "scene-03": Scene("indoor_large", "rendered", (4, 5), (2, 2), (4, 5), 3),
    "scene-04": Scene("indoor_large", "captured", (5, 4), (0, 0), (3, 3), 2),
    "scene-05": Scene("indoor_large", "rendered", (4, 5), (0, 0), (3, 3), 2),
    "scene-06": Scene("indoor_large", "rendered", (5, 4), (0, 0), (3, 2), 2),
    "scene-07": Scene("outdoor_public", "rendered", (4, 5), (2, 2), (4, 4), 3),
    "scene-08": Scene("outdoor_public", "rendered", (5, 4), (0, 0), (4, 4), 3),
    "scene-09": Scene("outdoor_public", "captured", (4, 5), (0, 0), (2, 2), 1),
    "scene-10": Scene("outdoor_public", "rendered", (5, 4), (0, 0), (3, 2), 1),
    "scene-11": Scene("tabletop", "rendered", (0, 0), (0, 0), (2, 2), 1),
    "scene-12": Scene("indoor_large", "rendered", (0, 0), (0, 0), (2, 3), 1),
    "scene-13": Scene("outdoor_public", "rendered", (0, 0), (0, 0), (2, 2), 1),
    "scene-14": Scene("outdoor_public", "captured", (0, 0), (0, 0), (1, 1), 1),
    "scene-15": Scene("tabletop", "captured", (5, 5)),
    "scene-16": Scene("tabletop", "rendered", (4, 5), (3, 2)),
    "scene-17": Scene("tabletop", "rendered", (4, 4)),
    "scene-18": Scene("tabletop", "captured", (5, 5), (2, 2)),
    "scene-19": Scene("tabletop", "rendered", (5, 4)),
    "scene-20": Scene("indoor_large", "captured", (4, 5), (2, 2)),
    "scene-21": Scene("indoor_large", "rendered", (5, 4)),
    "scene-22": Scene("indoor_large", "rendered", (5, 5), (1, 2)),
    "scene-23": Scene("outdoor_public", "rendered", (4, 5), (2, 2)),
    "scene-24": Scene("outdoor_public", "captured", (5, 5)),
    "scene-25": Scene("outdoor_public", "rendered", (4, 4), (2, 2)),
}
"""Ten scenes that training shares with test, four of test alone, eleven more of training. The print fixes how many of
each kind there are and how many test groups they hold, not which."""


def default_path() -> Path:
    """Where the strata are."""
    return root() / "data" / "frame_evidence" / "strata.csv"


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a strata file. Raises `InputError` where the columns are not `COLUMNS`."""
    with open(reading(path), encoding="utf-8", newline="") as stream:
        table = csv.DictReader(stream)
        if table.fieldnames != COLUMNS:
            raise InputError(f"{shown(path)}: expected columns {','.join(COLUMNS)}, found {table.fieldnames}")
        return list(table)


def group_ids() -> Iterator[tuple[str, str, str]]:
    """Group, family and split of every row, in order."""
    for family in ("FQ1", "FQ2"):
        number = 0
        for split, groups in GROUPS.items():
            for _ in range(groups):
                number += 1
                yield f"{family.lower()}-{number:03d}", family, split


def test_rows(rows: list[dict[str, str]], family: str) -> list[dict[str, str]]:
    """The test groups of one family."""
    return _where(rows, family=family, split="test")


def overlap(scene: str) -> str:
    """Whether training shares a scene, or test has it alone."""
    return "shared" if sum(SCENES[scene].train) else "alone"


def unions(rows: list[dict[str, str]]) -> list[set[str]]:
    """Groups joined by picture or scene, indirect paths included (Appendix D.6)."""
    parts: list[tuple[set[str], set[str]]] = []
    for row in rows:
        names, groups = {row["scene"], row["image_component"]}, {row["group"]}
        for part in [part for part in parts if part[0] & names]:
            parts.remove(part)
            names, groups = names | part[0], groups | part[1]
        parts.append((names, groups))
    return [groups for _, groups in parts]


def problems(rows: list[dict[str, str]], published: Published | None = None) -> list[str]:
    """Everything in which a strata file differs from the paper's composition and from our choices: one line each, none for
    a good file. With `published`, also the numbers of Tables 2, 10 and 24."""
    found: list[str] = []

    def hold(what: str, value, expected) -> None:
        if value != expected:
            found.append(f"{what}: expected {expected}, found {value}")

    hold(
        "groups, families and splits in order", [(r["group"], r["family"], r["split"]) for r in rows], list(group_ids())
    )
    for row in rows:
        allowed = ALLOWED | (ALLOWED_FQ2 if row["family"] == "FQ2" else dict.fromkeys(ALLOWED_FQ2, {""}))
        for column, values in allowed.items():
            if row[column] not in values:
                found.append(f"{row['group']} {column}: expected one of {sorted(values)}, found {row[column]!r}")
        if len(row["golds"]) != 3 or not set(row["golds"]) <= set(LETTERS):
            found.append(f"{row['group']} golds: expected three letters A to D, found {row['golds']!r}")
    if found:
        # The rest counts what is well-formed.
        return found
    for check in (_strata, _letters, _deletion, _scenes, _components):
        check(rows, hold)
    if published:
        _published(rows, published, hold)
    return found


Hold = Callable[[str, object, object], None]


def _count(rows: Iterable[dict], column: str) -> dict[str, int]:
    return dict(sorted(Counter(row[column] for row in rows).items()))


def _where(rows: Iterable[dict], **wanted: str) -> list[dict]:
    return [row for row in rows if all(row[column] == value for column, value in wanted.items())]


def _by_name(counts: dict) -> dict[str, int]:
    return {str(key): number for key, number in sorted(counts.items()) if number}


def _strata(rows: list[dict], hold: Hold) -> None:
    hold("groups by source", _count(rows, "source"), SOURCES)
    for family in ("FQ1", "FQ2"):
        hold(f"{family} by base size", _count(_where(rows, family=family), "base_size"), {"2": 53, "3": 54, "4": 53})
        test = _where(rows, family=family, split="test")
        hold(f"{family} test by source", _count(test, "source"), TEST_SOURCES)
        for stratum in STRATA:
            if family in TEST_SIZES[stratum]:
                hold(f"{family} test by {stratum}", _count(test, stratum), _by_name(TEST_SIZES[stratum][family]))
        for split in GROUPS:
            here = _where(rows, family=family, split=split)
            hold(f"{family} {split} by base size", _count(here, "base_size"), _by_name(BASE_SIZES[family][split]))
            hold(f"{family} {split} by ontology", _count(here, "ontology"), _by_name(ONTOLOGIES[family][split]))


def _letters(rows: list[dict], hold: Hold) -> None:
    for family in ("FQ1", "FQ2"):
        for condition in range(3):
            letters = Counter(row["golds"][condition] for row in _where(rows, family=family))
            hold(
                f"{family} condition {condition + 1} letters", _by_name(letters), dict.fromkeys(LETTERS, PER_CONDITION)
            )
    test = Counter("".join(row["golds"] for row in _where(rows, split="test")))
    hold("test letters", _by_name(test), TEST_LETTERS)
    for row in _where(rows, family="FQ1"):
        distinct = len(set(row["golds"]))
        if row["split"] == "test":
            # Appendix F.2: every pair of frames changes the answer.
            hold(f"{row['group']} distinct gold letters", distinct, 3)
        elif distinct == 1:
            hold(f"{row['group']} distinct gold letters", distinct, "2 or 3")
    for row in _where(rows, family="FQ2"):
        spatial, deletion, addition = row["golds"]
        hold(f"{row['group']} addition letter", addition, spatial)
        hold(f"{row['group']} deletion letter", deletion, row["insufficient"])
        if spatial == deletion:
            hold(f"{row['group']} spatial letter", spatial, f"another than {deletion}")


def _deletion(rows: list[dict], hold: Hold) -> None:
    for split in GROUPS:
        here = _where(rows, family="FQ2", split=split)
        hold(f"{split} by tag", _count(here, "tag"), TAGS[split])
        hold(f"{split} by ordinal change", _count(here, "ordinal_change"), _by_name(ORDINALS[split]))
        out = _where(here, out_of_range="yes")
        hold(f"{split} out of range", len(out), OUT_OF_RANGE[split])
        hold(
            f"{split} out of range, not removed or shifted",
            set(_count(out, "ordinal_change")) - {"removed", "shifted"},
            set(),
        )
        # The second of two images is the only one that can shift, and then no second is left.
        shifted = _where(here, ordinal_change="shifted", base_size="2", out_of_range="no")
        hold(f"{split} shifted of two images and in range", [row["group"] for row in shifted], [])
        silent = _where(here, camera_heading="no")
        hold(f"{split} without camera heading", len(silent), NO_HEADING[split])
        # An ordinal is the heading's: no heading, no ordinal; and a camera tag names its camera.
        hold(
            f"{split} without camera heading, by ordinal change",
            _count(silent, "ordinal_change"),
            {"none": len(silent)},
        )
        hold(f"{split} camera tags without camera heading", len(_where(silent, tag="camera")), 0)


def _scenes(rows: list[dict], hold: Hold) -> None:
    for name, scene in SCENES.items():
        here = _where(rows, scene=name)
        hold(f"{name} setting and source", {(r["setting"], r["source"]) for r in here}, {(scene.setting, scene.source)})
        for family in ("FQ1", "FQ2"):
            for split in GROUPS:
                number = len(_where(here, family=family, split=split))
                hold(f"{name} {family} {split} groups", number, scene.groups(family, split))
    hold("scenes", set(_count(rows, "scene")), set(SCENES))
    trained = {row["scene"] for row in rows if row["split"] == "train"}
    seen = {row["scene"] for row in rows if row["split"] != "test"}
    test = _where(rows, split="test")
    for value, inside in (
        ("shared", [row for row in test if row["scene"] in trained]),
        ("alone", [row for row in test if row["scene"] not in seen]),
    ):
        _, groups, frames, evidence = OVERLAP[value]
        hold(f"test groups {value}", len(inside), groups)
        hold(f"test groups {value} by family", _count(inside, "family"), {"FQ1": frames, "FQ2": evidence})
        # Appendix F.1.
        sources = {"captured": 40, "rendered": 41} if value == "shared" else {"captured": 2, "rendered": 13}
        hold(f"test groups {value} by source", _count(inside, "source"), sources)
        hold(f"test scenes {value}", len(_count(inside, "scene")), 10 if value == "shared" else 4)


def _components(rows: list[dict], hold: Hold) -> None:
    members = defaultdict(list)
    for row in rows:
        members[row["image_component"]].append(row)
    for name, here in members.items():
        hold(f"{name} splits", len(_count(here, "split")), 1)
        if name == CROSSING[0]:
            hold(
                f"{name} families and scenes",
                (_count(here, "family"), _count(here, "scene")),
                ({"FQ2": 3}, CROSSING[1]),
            )
        else:
            hold(f"{name} scenes", len(_count(here, "scene")), 1)
        if here[0]["split"] == "test":
            hold(
                f"{name} of at most 9 groups with one of FQ2", len(here) <= 9 and bool(_where(here, family="FQ2")), True
            )
        else:
            hold(f"{name} of 3 to 8 groups", 3 <= len(here) <= 8, True)
    evidence = _where(rows, family="FQ2", split="test")
    hold("test FQ2 image components", len(_count(evidence, "image_component")), IMAGE_COMPONENTS)
    for name, scene in SCENES.items():
        own = {row["image_component"] for row in evidence if row["scene"] == name} - {CROSSING[0]}
        hold(f"{name} test components of its own", len(own), scene.components)
    joined = unions(evidence)
    hold("test FQ2 unions", (len(joined), max(map(len, joined))), (UNIONS, LARGEST_UNION))
    hold("test unions with FQ1", len(unions(_where(rows, split="test"))), UNIONS)
    kept = {row["group"] for row in evidence if row["ordinal_change"] != "removed"}
    hold("unions of the groups not removed", sum(bool(union & kept) for union in joined), NOT_REMOVED_UNIONS)


def _published(rows: list[dict], published: Published, hold: Hold) -> None:
    splits = {"Train": "train", "Dev": "dev", "Test": "test", "Total": None}
    for head, split in splits.items():
        here = [row for row in rows if split in (None, row["split"])]
        hold(f"Table 2 Groups / {head}", len(here), int(published("Table 2", "Groups", head)))
        hold(f"Table 2 Questions / {head}", 3 * len(here), int(published("Table 2", "Questions", head)))
        for stratum, heads in TABLE_2.items():
            for value, row in heads.items():
                printed = int(published("Table 2", row, head))
                hold(f"Table 2 {row} / {head}", 3 * len(_where(here, **{stratum: value})), printed)
    for row, scores in metadata_scores(rows).items():
        for (place, column), (right, total) in scores.items():
            printed = published(place, row, column)
            expected = int(printed) if place == "Table 24" else count(printed, total, f"{place} {row} {column}")
            hold(f"{place} {row} / {column}", right, expected)


def metadata_scores(rows: list[dict[str, str]]) -> dict[str, dict[tuple[str, str], tuple[int, int]]]:
    """What the three metadata rules score on a strata file: for each rule, by place and column, the right answers or
    solved groups, and of how many."""
    groups = {
        split: [
            metadata_rules.Group(int(row["base_size"]), row["golds"][0], row["insufficient"])
            for row in _where(rows, family="FQ2", split=split)
        ]
        for split in GROUPS
    }
    scores: dict[str, dict] = {}
    for name in metadata_rules.FEATURES:
        rule = metadata_rules.fit(groups["train"], name)
        right = {split: metadata_rules.correct(rule, here, name) for split, here in groups.items()}
        scores[name] = {
            ("Table 10", f"{split.title()} Acc."): (sum(map(sum, rows)), 3 * len(rows)) for split, rows in right.items()
        }
        for i, column in enumerate(("MSS", "Del.", "Add.")):
            scores[name]["Table 24", f"Correct counts / {column}"] = (
                sum(group[i] for group in right["test"]),
                GROUPS["test"],
            )
        scores[name]["Table 10", "Test NTS"] = sum(m and d for m, d, _ in right["test"]), GROUPS["test"]
        scores[name]["Table 10", "Test DIS"] = sum(m and a for m, _, a in right["test"]), GROUPS["test"]
    return scores
