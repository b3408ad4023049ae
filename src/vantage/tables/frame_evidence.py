"""FrameEvidence's tables, recomputed from items.

Each function returns a tidy frame keyed like the published numbers: `row`, `column` and `value` (not rounded, in the unit that is
printed), and `place` where it answers for more than one. The notebook shows the frame, the ledger compares it and the tests
check it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from vantage import classification, evidence, joint
from vantage.layout_proofs import inputs
from vantage.letters import correct
from vantage.predictions import TripletRun
from vantage.published import load_published
from vantage.schemas import LETTERS
from vantage.triplets import Triplets

SETTINGS = {"tabletop": "Tabletop", "indoor_large": "Indoor large", "outdoor_public": "Outdoor public"}
SPLITS = {"train": "Train", "dev": "Dev", "test": "Test"}
STRATA = {
    "Table 16": ("base_size", {2: "2", 3: "3", 4: "4"}),
    "Table 17": ("ontology", {"axial": "Axial", "quadrant": "Quadrant"}),
    "Table 18": ("setting", {"indoor_large": "Large", "tabletop": "Tabletop", "outdoor_public": "Outdoor"}),
    "Table 19": ("tag", {"camera": "Camera tag", "object": "Object tag", "world": "World tag"}),
}
"""The strata of the test groups: the table, the column of `Triplets.groups`, and the words of its values."""

ORDINAL_CHANGES = {"removed": "Removed", "shifted": "Shifted", "stable": "Stable", "none": "None"}
METRIC_FAMILIES = {"FQ1-GEM": "FQ1", "NTS": "FQ2", "DIS": "FQ2"}

_MOST_FREQUENT = 10  # labels in Figure 2


def table_2(triplets: Triplets) -> pd.DataFrame:
    """Table 2: questions by split, family, setting and relation ontology; the row Groups counts groups."""
    asked = triplets.questions
    masks = {"Questions": asked["item"].notna()}
    masks |= {family: asked["family"] == family for family in ("FQ1", "FQ2")}
    masks |= {word: asked["setting"] == setting for setting, word in SETTINGS.items()}
    masks |= {word.title(): asked["ontology"] == word for word in ("axial", "quadrant")}
    values = {}
    for split, column in [*SPLITS.items(), (None, "Total")]:
        here = asked["split"].eq(split) | (split is None)
        values["Groups", column] = asked["group"][here].nunique()
        values |= {(row, column): int((mask & here).sum()) for row, mask in masks.items()}
    return _tidy(values)


def strata_groups(triplets: Triplets) -> pd.DataFrame:
    """How many test groups each stratum has: the heads of Tables 16 to 19, and the row Groups of Table 3."""
    test = triplets.groups.query("split == 'test'")
    rows = []
    for place, (column, words) in STRATA.items():
        for metric, family in METRIC_FAMILIES.items():
            if place == "Table 19" and family == "FQ1":
                continue
            counts = test[test["family"] == family][column].value_counts()
            rows += [
                (place, "Groups", f"{metric} / {word}", int(counts.get(value, 0))) for value, word in words.items()
            ]
    changes = test[test["family"] == "FQ2"]["ordinal_change"].value_counts()
    rows += [("Table 3", "Groups", word, int(changes.get(value, 0))) for value, word in ORDINAL_CHANGES.items()]
    return pd.DataFrame(rows, columns=["place", "row", "column", "value"])


def composition_text(triplets: Triplets) -> pd.DataFrame:
    """Composition in running text and captions: Sections 3 to 5, Appendices A to G. Counts.

    A row of this name means the same wherever the paper prints it, and whichever model its column names: so each value answers
    for all columns under which `data/published` has the row.
    """
    values = _sizes(triplets) | _letters(triplets) | _images(triplets) | _test_groups(triplets) | _clusters(triplets)
    published = load_published("frame_evidence").query("kind == 'composition'")
    names = published["row"].str.removeprefix("Caption: ")
    keys = dict.fromkeys(zip(names, published["column"], strict=True))
    return _tidy({(row, column): values[row] for row, column in keys if row in values})


def captions(triplets: Triplets) -> pd.DataFrame:
    """Composition in and around tables of results: their captions, their denominators, Table 1's own row. Counts."""
    known = composition_text(triplets).drop_duplicates("row").set_index("row")["value"]
    groups = triplets.groups.groupby(["split", "family"]).size()
    inside = {
        ("Table 1", "FrameEvidence", "Scale / questions"): known["Questions"],
        ("Table 1", "FrameEvidence", "Scale / triplets"): known["Triplets"],
        ("Table 13", "Clusters", "Triplets"): known["Test groups"],
        ("Table 13", "Clusters", "Union components"): known["Union components"],
        ("Table 21", "Groups", "Full change"): known["FQ2 test groups"],
        ("Table 24", "Groups", "Correct counts"): known["FQ2 test groups"],
        ("Table 32", "Questions", "Dev"): known["Development questions"],
        ("Table 32", "Questions", "Test"): known["Test questions"],
        **{
            ("Table 32", metric, f"{SPLITS[split]} / out of"): groups[split, family]
            for metric, family in (("GEM", "FQ1"), ("NTS", "FQ2"), ("DIS", "FQ2"))
            for split in ("dev", "test")
        },
    }
    rows = [(*key, float(value)) for key, value in inside.items()]
    published = load_published("frame_evidence").query("kind == 'composition' and row.str.startswith('Caption: ')")
    for number in published.itertuples():
        if (name := number.row.removeprefix("Caption: ")) in known:
            rows.append((number.place, number.row, number.column, known[name]))
    return pd.DataFrame(rows, columns=["place", "row", "column", "value"])


def random_reference(triplets: Triplets) -> pd.DataFrame:
    """The row Uniform random of Table 4, and what running text says of it: exact expectations, percent and odds."""
    rows = np.concatenate([triplets.rows("FQ1").ravel(), triplets.rows("FQ2").ravel()])
    scores = classification.random_scores(np.bincount(triplets.gold[rows]).tolist())
    three, two = classification.random_joint(3), classification.random_joint(2)
    name = "Uniform random"
    odds = {"GEM": three, "NTS and DIS": two}
    one = classification.random_joint(1)
    expectations = {"three-answer expectation": 3, "two-answer expectation": 2}
    values = {
        ("Table 4", f"{name} / Expected", "P"): 100 * scores.precision,
        ("Table 4", f"{name} / Expected", "R"): 100 * scores.recall,
        ("Table 4", f"{name} / Expected", "F1"): 100 * scores.f1,
        ("Table 4", f"{name} / Expected", "Acc."): 100 * scores.accuracy,
        ("Table 4", f"{name} / Expected", "GEM"): 100 * three,
        ("Table 4", f"{name} / Expected", "NTS"): 100 * two,
        ("Table 4", f"{name} / Expected", "DIS"): 100 * two,
        (None, "Accuracy and macro-recall", name): 100 * scores.recall,
        (None, "Macro-F1", name): 100 * scores.f1,
        **{(None, f"Expected {what}", name): chance.numerator for what, chance in odds.items()},
        **{(None, f"Expected {what} / out of", name): chance.denominator for what, chance in odds.items()},
        **{(None, f"Chance of an answer, {what}", name): one.numerator for what in expectations},
        **{(None, f"Chance of an answer, {what} / out of", name): one.denominator for what in expectations},
        **{(None, f"Exponent of the {what}", name): answers for what, answers in expectations.items()},
    }
    return _placed(values)


def metadata_controls(triplets: Triplets, runs: Sequence[TripletRun]) -> pd.DataFrame:
    """Tables 10 and 24, and what running text says of the metadata rules, from their runs: percent, and counts of groups.

    A run's setting names the rule. The items' letters were chosen so that these figures come out.
    """
    values: dict[tuple[str | None, str, str], float] = {}
    rows = triplets.rows("FQ2")
    for run in runs:
        rule = run.setting
        for split, word in SPLITS.items():
            asked = triplets.rows("FQ2", split)
            values["Table 10", rule, f"{word} Acc."] = 100 * correct(run.answers[asked], triplets.gold[asked]).mean()
        right = correct(run.answers[rows], triplets.gold[rows])
        for at, word in enumerate(("MSS", "Del.", "Add.")):
            values["Table 24", rule, f"Correct counts / {word}"] = right[:, at].sum()
        for score, other in (("NTS", evidence.DELETION), ("DIS", evidence.ADDITION)):
            found = joint.fixed_marginal(right[:, [evidence.MSS, other]])
            observed = 100 * found.observed
            values |= {
                ("Table 10", rule, f"Test {score}"): observed,
                ("Table 24", rule, f"{score} / O"): observed,
                ("Table 24", rule, f"{score} / R"): 100 * found.reference,
                (None, score, rule): observed,
                (None, f"{score} reference", rule): 100 * found.reference,
                (None, f"{score} successes", rule): found.observed * found.groups,
            }
        values[None, "Accuracy", rule] = 100 * right.mean()
        values[None, "Correct answers", rule] = right.sum()
    values[None, "Accuracy", "Always insufficient"] = 100 * (triplets.insufficient[rows] == triplets.gold[rows]).mean()
    return _placed(values)


def _sizes(triplets: Triplets) -> dict[str, float]:
    asked, groups = triplets.questions, triplets.groups
    shown = asked["views"].map(len)
    base = groups["base_size"]
    one_more = [abs(len(views) - size) for views, size in zip(asked["views"], asked["base_size"], strict=True)]
    changed = asked["condition"].isin(("deletion", "addition"))
    per_family = groups.groupby("family")["base_size"].value_counts().unstack()
    by_condition = asked["condition"].value_counts()
    split = groups["split"].value_counts()
    options = asked["options"].map(len)
    return {
        "Triplets": len(groups),
        "Questions": len(asked),
        "Question families": groups["family"].nunique(),
        "Reference frames": asked[asked["family"] == "FQ1"]["condition"].nunique(),
        "Questions per FQ1 group": _only(asked[asked["family"] == "FQ1"].groupby("group").size()),
        "Pairs per FQ1 triplet": _only(
            asked[asked["family"] == "FQ1"].groupby("group").size().map(lambda n: n * (n - 1) // 2)
        ),
        "FQ2 conditions": asked[asked["family"] == "FQ2"]["condition"].nunique(),
        "Questions per condition": _only(by_condition),
        "Images per item, minimum": shown.min(),
        "Images per item, maximum": shown.max(),
        "Answer options": _only(options),
        "Answer classes": len(set(asked["gold"])),
        "Images per FQ1 group, minimum": base[groups["family"] == "FQ1"].min(),
        "Images per FQ1 group, maximum": base[groups["family"] == "FQ1"].max(),
        "MSS images per FQ2 group, minimum": base[groups["family"] == "FQ2"].min(),
        "MSS images per FQ2 group, maximum": base[groups["family"] == "FQ2"].max(),
        "Images that deletion or addition changes": _only(pd.Series(one_more)[changed]),
        "Two-image base sets per family": _only(per_family[2]),
        "Three-image base sets per family": _only(per_family[3]),
        "Four-image base sets per family": _only(per_family[4]),
        "Captured groups": (groups["source"] == "captured").sum(),
        "Rendered groups": (groups["source"] == "rendered").sum(),
        "Training groups": split["train"],
        "Development groups": split["dev"],
        "Test groups": split["test"],
        "Training questions": (asked["split"] == "train").sum(),
        "Development questions": (asked["split"] == "dev").sum(),
        "Test questions": (asked["split"] == "test").sum(),
    }


def _letters(triplets: Triplets) -> dict[str, float]:
    asked = triplets.questions
    test = asked[asked["split"] == "test"]["gold"].value_counts()
    fq1 = asked[asked["family"] == "FQ1"].groupby("group")["gold"].nunique()
    return {
        "Gold occurrences of each letter": _only(asked["gold"].value_counts()),
        "Gold occurrences of each letter per condition": _only(asked.groupby("condition")["gold"].value_counts()),
        "Distinct gold answers per FQ1 group, at least": fq1.min(),
        **{f"Test questions with gold {letter}": test[letter] for letter in LETTERS},
    }


def _images(triplets: Triplets) -> dict[str, float]:
    """Pictures and inputs. A path is a picture of a group: FQ1's set, or an MSS and what addition adds."""
    asked = triplets.questions
    paths = asked.groupby("group")["views"].agg(lambda sets: len(set().union(*sets)))
    names = {thing["object"]: thing["label"] for scene in triplets.scenes.values() for thing in scene["objects"]}
    inventory = triplets.groups[["target", "relatum", "third"]].to_numpy().ravel()
    labels = Counter(names[thing] for thing in inventory)
    signatures = inputs(triplets)
    again = signatures[signatures.duplicated(keep=False)]
    training = asked.set_index("item").loc[again.index]["split"].eq("train")
    frequent = sum(count for _, count in labels.most_common(_MOST_FREQUENT))
    return {
        "Distinct images": len(set().union(*asked["views"])),
        "Image paths": int(paths.sum()),
        "Labels in Figure 2": _MOST_FREQUENT,
        "Label occurrences that Figure 2 covers": frequent,
        "Label occurrences that Figure 2 covers / out of": len(inventory),
        "Further label types": len(labels) - _MOST_FREQUENT,
        "Distinct input signatures": signatures.nunique(),
        "Training items with the repeated signature": int(training.sum()),
    }


def _test_groups(triplets: Triplets) -> dict[str, float]:
    groups = triplets.groups
    test = groups[groups["split"] == "test"]
    fq1, fq2 = (test[test["family"] == family] for family in ("FQ1", "FQ2"))
    asked = triplets.questions[triplets.questions["split"] == "test"]
    changes = fq2["ordinal_change"].value_counts()
    deletions = asked[asked["condition"] == "deletion"]
    numbers = deletions["frame"].map(lambda frame: frame["ordinal"] or 0).to_numpy()
    moved = deletions["ordinal_change"].isin(("removed", "shifted")).to_numpy()
    left = deletions["views"].map(len).to_numpy()
    mss = asked[asked["condition"] == "mss"]
    headed = mss["frame"].map(lambda frame: frame["kind"] == "camera") & (mss["tag"] != "camera")
    outside = fq2[fq2["ordinal_change"] != "removed"]
    fq2_training = groups.query("split == 'train' and family == 'FQ2'")
    return {
        "Test groups per family": _only(test["family"].value_counts()),
        "FQ1 test groups": len(fq1),
        "FQ1 test pairs": 3 * len(fq1),
        "Repeated directions / out of": 3 * len(fq1),
        "FQ2 test groups": len(fq2),
        "FQ2 test questions": 3 * len(fq2),
        "Positive labels, deletion": len(deletions),
        "Negative labels, MSS and addition": 3 * len(fq2) - len(deletions),
        "Answerable FQ2 conditions": sum(
            not (options := triplets.insufficient[rows] == triplets.gold[rows]).any() and len(options) > 0
            for rows in triplets.rows("FQ2").T
        ),
        "FQ2 training groups": len(fq2_training),
        "FQ2 training questions": 3 * len(fq2_training),
        "FQ2 development questions": 3 * len(groups.query("split == 'dev' and family == 'FQ2'")),
        **{
            f"FQ2 test groups whose referent is {change}": changes[change]
            for change in ("removed", "shifted", "stable")
        },
        "FQ2 test groups whose referent is removed / out of": len(fq2),
        "FQ2 test groups without an ordinal": changes["none"],
        "FQ2 test groups whose referent is stable or without an ordinal": changes["stable"] + changes["none"],
        "Ordinal-reference strata": len(changes),
        "Groups outside the removed-anchor stratum": len(outside),
        "Union components outside the removed-anchor stratum": outside["union_cluster"].nunique(),
        "Ordinals that resolve to another image": int((moved & (numbers <= left)).sum()),
        "Ordinals that fall out of range": int((moved & (numbers > left)).sum()),
        "MSS prompts with camera headings and non-camera tags": int(headed.sum()),
        "MSS prompts with camera headings and non-camera tags / out of": len(mss),
        "Groups per stratum": _only(test.groupby("family")["ontology"].value_counts()),
        "Captured test groups": (test["source"] == "captured").sum(),
        "Rendered test groups": (test["source"] == "rendered").sum(),
        "Captured test groups per family": _only(test[test["source"] == "captured"]["family"].value_counts()),
        "Rendered test groups per family": _only(test[test["source"] == "rendered"]["family"].value_counts()),
        **{f"{what} successes / out of": len(fq1 if what == "GEM" else fq2) for what in ("GEM", "NTS", "DIS")},
        "DIS successes of every seed / out of": len(fq2),
        "Correct answers / out of": 3 * len(fq2),
        "Equal answers, Base control and primary Base / out of": len(asked),
        "Changed answers, primary and repeat / out of": len(asked),
    }


def _clusters(triplets: Triplets) -> dict[str, float]:
    groups = triplets.groups
    test = groups[groups["split"] == "test"]
    fq2 = test[test["family"] == "FQ2"]
    known = groups.groupby("split")["scene_cluster"].agg(set)
    where = {
        "shared with train": test["scene_cluster"].isin(known["train"]),
        "absent from train and dev": ~test["scene_cluster"].isin(known["train"] | known["dev"]),
    }
    values = {
        "Test groups in clusters shared with dev alone": test["scene_cluster"].isin(known["dev"] - known["train"]).sum()
    }
    for name, mask in where.items():
        here = test[mask]
        families = here["family"].value_counts()
        values |= {
            f"Test groups in clusters {name}": len(here),
            f"Clusters {name}": here["scene_cluster"].nunique(),
            **{f"{family} test groups in clusters {name}": families[family] for family in ("FQ1", "FQ2")},
            **{
                f"{source.title()} test groups in clusters {name}": (here["source"] == source).sum()
                for source in ("captured", "rendered")
            },
            **{f"{what} successes, clusters {name} / out of": families["FQ2"] for what in ("NTS", "DIS")},
            f"Change of a rate by one success, clusters {name}": 100 / families["FQ2"],
        }
    crossing = fq2.groupby("image_cluster")["scene_cluster"].nunique()
    return values | {
        "Exact-image components of the FQ2 test groups": fq2["image_cluster"].nunique(),
        "Inferred scene clusters of the FQ2 test groups": fq2["scene_cluster"].nunique(),
        "Inferred scene clusters that an exact-image component crosses": crossing.max(),
        "Union components of the FQ2 test groups": fq2["union_cluster"].nunique(),
        "Union components": test["union_cluster"].nunique(),
        "Groups of a union component, at most": fq2["union_cluster"].value_counts().max(),
    }


def _only(values: pd.Series) -> float:
    """The one value that all entries share; not a number where they differ."""
    return float(values.iloc[0]) if values.nunique() == 1 else float("nan")


def _tidy(values: Mapping[tuple[str, str], float]) -> pd.DataFrame:
    return pd.DataFrame(
        [(row, column, np.float64(value)) for (row, column), value in values.items()],
        columns=["row", "column", "value"],
    )


def _placed(values: Mapping[tuple[str | None, str, str], float]) -> pd.DataFrame:
    return pd.DataFrame(
        [(place, row, column, value) for (place, row, column), value in values.items()],
        columns=["place", "row", "column", "value"],
    )


# ------------------------------------------------------------------------------------- what panels of printed values name


def primary_configurations() -> list[str]:
    """The 20 configurations of the main evaluation as `data/published` names them, in the order of Table 22."""
    rows = load_published("frame_evidence").query("place == 'Table 22' and kind == 'prediction'")["row"]
    return rows.unique().tolist()
