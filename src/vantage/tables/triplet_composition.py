"""What FrameEvidence-Open is made of, sorted for a reader: proofs, strata, counts by topic, labels; ours beside the paper's.

`vantage.tables.frame_evidence` computes the numbers; here they are arranged.
"""

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from vantage import layout_proofs
from vantage.published import as_printed, load_published
from vantage.tables import frame_evidence
from vantage.triplets import CONDITIONS, Triplets

PROPERTIES = {
    "gold": "The gold direction is the true one, at least 10 degrees from another",
    "sufficient": "All views together give the gold direction",
    "combined": "No single view supports an answer",
    "matched": "Three frames; the same views, options and objects; at least two directions",
    "minimal": "No smaller part of the set supports an answer",
    "insufficient": "After deletion, two worlds with the same pictures have different answers",
    "preserved": "With the added view, the views still give the gold direction",
}
"""What `vantage.layout_proofs` proves, in words."""

TOPICS = {
    "Sizes": (
        "Triplets", "Questions", "Question families", "Reference frames", "Questions per FQ1 group", "Pairs per FQ1 triplet",
        "FQ2 conditions", "Answerable FQ2 conditions", "Questions per condition", "Answer options", "Answer classes",
    ),
    "Splits": (
        "Training groups", "Development groups", "Test groups", "Training questions", "Development questions",
        "Test questions", "Test groups per family", "FQ1 test groups", "FQ1 test pairs", "FQ2 test groups",
        "FQ2 test questions", "FQ2 training groups", "FQ2 training questions", "FQ2 development questions",
        "Positive labels, deletion", "Negative labels, MSS and addition",
    ),
    "Images": (
        "Images per item, minimum", "Images per item, maximum", "Images per FQ1 group, minimum",
        "Images per FQ1 group, maximum", "MSS images per FQ2 group, minimum", "MSS images per FQ2 group, maximum",
        "Images that deletion or addition changes", "Two-image base sets per family", "Three-image base sets per family",
        "Four-image base sets per family", "Distinct images", "Image paths",
    ),
    "Letters": (
        "Gold occurrences of each letter", "Gold occurrences of each letter per condition",
        "Distinct gold answers per FQ1 group, at least", "Test questions with gold A", "Test questions with gold B",
        "Test questions with gold C", "Test questions with gold D",
    ),
    "Labels and inputs": (
        "Labels in Figure 2", "Label occurrences that Figure 2 covers", "Label occurrences that Figure 2 covers / out of",
        "Further label types", "Distinct input signatures", "Training items with the repeated signature",
    ),
    "Image numbers": (
        "FQ2 test groups whose referent is removed", "FQ2 test groups whose referent is removed / out of",
        "FQ2 test groups whose referent is shifted", "FQ2 test groups whose referent is stable",
        "FQ2 test groups without an ordinal", "FQ2 test groups whose referent is stable or without an ordinal",
        "Ordinal-reference strata", "Groups outside the removed-anchor stratum",
        "Union components outside the removed-anchor stratum", "Ordinals that resolve to another image",
        "Ordinals that fall out of range", "MSS prompts with camera headings and non-camera tags",
        "MSS prompts with camera headings and non-camera tags / out of",
    ),
    "Sources": (
        "Captured groups", "Rendered groups", "Captured test groups", "Rendered test groups",
        "Captured test groups per family", "Rendered test groups per family", "Groups per stratum",
    ),
    "Scene overlap": (
        "Test groups in clusters shared with train", "FQ1 test groups in clusters shared with train",
        "FQ2 test groups in clusters shared with train", "Captured test groups in clusters shared with train",
        "Rendered test groups in clusters shared with train", "Clusters shared with train",
        "Test groups in clusters shared with dev alone", "Test groups in clusters absent from train and dev",
        "FQ1 test groups in clusters absent from train and dev", "FQ2 test groups in clusters absent from train and dev",
        "Captured test groups in clusters absent from train and dev",
        "Rendered test groups in clusters absent from train and dev", "Clusters absent from train and dev",
        "Change of a rate by one success, clusters absent from train and dev",
    ),
    "Clusters": (
        "Exact-image components of the FQ2 test groups", "Inferred scene clusters of the FQ2 test groups",
        "Inferred scene clusters that an exact-image component crosses", "Union components of the FQ2 test groups",
        "Union components", "Groups of a union component, at most",
    ),
}  # fmt: skip
"""The rows of `vantage.tables.frame_evidence.composition_text` by what they are about.

Not listed are denominators of scores, which repeat these counts."""


def proof_summary(triplets: Triplets) -> pd.DataFrame:
    """What the checker proves, one row a family and property: groups it was asked of, and groups that have it."""
    report = layout_proofs.report(triplets)
    rows = []
    for family, groups in report.groupby("family"):
        for name, meaning in PROPERTIES.items():
            asked = groups[name].dropna()
            if len(asked):
                rows.append((family, name.title(), meaning, len(asked), int(asked.astype(bool).sum())))
        rows.append((family, "All of these", "Every line above", len(groups), int(groups["holds"].sum())))
    return pd.DataFrame(rows, columns=["Family", "Property", "What it says", "Groups", "Proved"])


def topic_table(triplets: Triplets, topics: Sequence[str]) -> pd.DataFrame:
    """Composition in running text and captions by topic: a row a number, recomputed, printed, and where it is printed.

    A number printed in several places is one row. Should places differ, all their values are shown.
    """
    return _beside_text(triplets, [name for topic in topics for name in TOPICS[topic]])


def denominators(triplets: Triplets) -> pd.DataFrame:
    """Groups and questions behind printed scores: those of running text, then those printed within tables; as `topic_table`."""
    known = frame_evidence.composition_text(triplets)["row"].drop_duplicates()
    listed = {name for names in TOPICS.values() for name in names}
    text = _beside_text(triplets, [name for name in known if name not in listed])
    inside = frame_evidence.captions(triplets).merge(
        load_published("frame_evidence"), on=["place", "row", "column"], suffixes=("", "_printed")
    )
    inside = inside[~inside["row"].str.startswith("Caption: ")]
    tables = pd.DataFrame(
        {
            "Number": inside["row"] + ", " + inside["column"],
            "Recomputed": inside["value"].map(_count),
            "Printed": inside["value_printed"].map(_count),
            "Where": inside["place"],
        }
    )
    return pd.concat([text, tables], ignore_index=True)


def _count(value: float) -> str:
    return as_printed(value, 0)


def _beside_text(triplets: Triplets, names: Sequence[str]) -> pd.DataFrame:
    """Rows of the running text's composition, recomputed beside printed."""
    known = frame_evidence.composition_text(triplets).drop_duplicates("row").set_index("row")["value"]
    published = load_published("frame_evidence").query("kind == 'composition'")
    caption = published["row"].str.startswith("Caption: ")
    published = published[caption | ~published["place"].str.startswith("Table ")]
    published = published.assign(row=published["row"].str.removeprefix("Caption: "))
    rows = []
    for name in names:
        numbers = published[published["row"] == name]
        values = dict.fromkeys(
            as_printed(value, decimals) for value, decimals in zip(numbers["value"], numbers["decimals"], strict=True)
        )
        rows.append(
            {
                "Number": name,
                "Recomputed": as_printed(known[name], int(numbers["decimals"].max())),
                "Printed": ", ".join(values),
                "Where": ", ".join(dict.fromkeys(numbers["place"].map(_short))),
            }
        )
    return pd.DataFrame(rows)


def _short(place: str) -> str:
    """The appendix's paragraph heads are long."""
    return place.partition(",")[0].replace("Section", "Sec.").replace("Appendix", "App.")


def strata_heads(triplets: Triplets) -> pd.DataFrame:
    """Test groups in each stratum of Tables 16 to 19 and 3, a row a stratum: those of each family, ours and the paper's.

    NTS and DIS are scores of the same groups, and the paper prints their number twice: one value where these agree, else both.
    """
    both = frame_evidence.strata_groups(triplets).merge(
        load_published("frame_evidence"), on=["place", "row", "column"], suffixes=("", "_printed")
    )
    parts = both["column"].str.rpartition(" / ")
    both = both.assign(family=parts[0].map(frame_evidence.METRIC_FAMILIES).fillna("FQ2"), stratum=parts[2])
    rows = []
    for (place, stratum), numbers in both.groupby(["place", "stratum"], sort=False):
        row = {"Place": place, "Stratum": f"{stratum} images" if stratum.isdecimal() else stratum}
        for family in CONDITIONS:
            here = numbers[numbers["family"] == family]
            row[f"{family} groups"] = ", ".join(dict.fromkeys(here["value"].map(_count)))
            row[f"{family} printed"] = ", ".join(dict.fromkeys(here["value_printed"].map(_count)))
        rows.append(row)
    return pd.DataFrame(rows)


def frequent_labels(triplets: Triplets, number: int = 10) -> pd.DataFrame:
    """The most frequent labels of the groups' inventories, and the role in which they occur; the last row has them together.

    Each group counts three objects: target, relatum and a third one. Ties stand in the alphabet's order.
    """
    names = {thing["object"]: thing["label"] for scene in triplets.scenes.values() for thing in scene["objects"]}
    roles = {"target": "Target", "relatum": "Relatum", "third": "Third object"}
    counts = {word: Counter(triplets.groups[role].map(names)) for role, word in roles.items()}
    total = sum(counts.values(), Counter())
    chosen = sorted(total, key=lambda label: (-total[label], label))[:number]
    frame = pd.DataFrame(
        [
            {"Label": label} | {word: found[label] for word, found in counts.items()} | {"All": total[label]}
            for label in chosen
        ]
    )
    frame.loc[len(frame)] = ["Together", *frame.iloc[:, 1:].sum()]
    return frame
