"""What the print says beyond its own tables of strata and failures: counts behind percentages, and what chance alone gives.

Everything here follows from printed cells, whichever answers agree with them. The printed tables themselves are in
`vantage.tables.frame_evidence_results`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import fisher_exact, hypergeom

from vantage import evidence, joint
from vantage.predictions import TripletRun
from vantage.schemas import ORDINAL_CHANGES
from vantage.tables import joint_success
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import METRIC_FAMILIES, STRATA
from vantage.tables.frame_evidence_results.chosen import primary
from vantage.triplets import Triplets

SOURCES = ("captured", "rendered")
"""The strata of Appendix G.1; on our items a label that a group is assigned to."""

OVERLAP = {"train": "shared", "none": "not shared"}
"""What a table calls the values of `overlap`: scenes that training has groups of, or not."""


def stratum_weights(triplets: Triplets) -> pd.DataFrame:
    """How many test groups each stratum has in each family, and what one group changes in its percentage, points."""
    test = triplets.groups.query("split == 'test'")
    strata = {
        "Base set": STRATA["Table 16"],
        "Relations": STRATA["Table 17"],
        "Scene": STRATA["Table 18"],
        "Tag": STRATA["Table 19"],
        "Source": ("source", {source: source.title() for source in SOURCES}),
    }
    rows = []
    for kind, (column, words) in strata.items():
        for value, word in words.items():
            row = {"By": kind, "Stratum": f"{word} images" if column == "base_size" else word}
            for family in ("FQ1", "FQ2"):
                # FQ1 has no tag.
                count = int(((test["family"] == family) & (test[column] == value)).sum())
                row |= {f"{family} groups": count or "", f"One {family} group": f"{100 / count:.1f}" if count else ""}
            rows.append(row)
    return pd.DataFrame(rows)


def ontology_gaps(runs: Sequence[TripletRun], triplets: Triplets, score: str = "DIS") -> pd.DataFrame:
    """A joint score of each primary configuration in axial and in quadrant groups: successes, percent, and the gap in points.

    `Chance` is the share of all ways to deal the successes to the groups that give a split no more likely than this one:
    Fisher's exact test, two-sided. It is ours, not the paper's.
    """
    rows = []
    for name, run in primary(runs).items():
        found = joint.by_stratum(*_labelled(run, triplets, score, "ontology"), ["axial", "quadrant"])
        axial, quadrant = found["axial"], found["quadrant"]
        shares = [_percent(part) for part in (axial, quadrant)]
        table = [[part.successes, part.groups - part.successes] for part in (axial, quadrant)]
        rows.append(
            {
                "Row": name,
                "Axial groups": axial.successes,
                "Quadrant groups": quadrant.successes,
                "Axial": shares[0],
                "Quadrant": shares[1],
                "Gap": shares[0] - shares[1],
                "Chance": float(fisher_exact(table).pvalue),
            }
        )
    return pd.DataFrame(rows, columns=["Row", "Axial groups", "Quadrant groups", "Axial", "Quadrant", "Gap", "Chance"])


def removed_chances(runs: Sequence[TripletRun], triplets: Triplets, rows: Sequence[str]) -> pd.DataFrame:
    """Joint deletion successes of these rows in the *removed* stratum, and what dealing them to all groups at random gives.

    `Expected` is the mean of such dealings; `At least so many`, the share of them with as many in *removed* or more.
    """
    removed = ORDINAL_CHANGES[0]
    found = []
    for name, run in primary(runs).items():
        if name not in rows:
            continue
        success, labels = _labelled(run, triplets, "NTS", "ordinal_change")
        here, of_all = joint.by_stratum(success, labels, ORDINAL_CHANGES)[removed], int(success.sum())
        found.append(
            {
                "Row": name,
                "Successes": of_all,
                "In removed": here.successes,
                "Expected": of_all * here.groups / len(success),
                "At least so many": float(hypergeom.sf(here.successes - 1, len(success), here.groups, of_all)),
            }
        )
    order = {name: place for place, name in enumerate(rows)}
    found.sort(key=lambda row: order[row["Row"]])
    return pd.DataFrame(found, columns=["Row", "Successes", "In removed", "Expected", "At least so many"])


def deletion_outcomes(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 20's deletion columns as counts of groups: what follows on a right MSS answer, in each primary configuration."""
    rows = []
    for name, run in primary(runs).items():
        profile = evidence.failure_profile(*run_tables.evidence_answers(run, triplets))
        rows.append(
            {
                "Row": name,
                "To insufficient": profile.to_insufficient,
                "Original": profile.original,
                "Other": profile.other,
                "m": profile.mss_correct,
            }
        )
    return pd.DataFrame(rows, columns=["Row", "To insufficient", "Original", "Other", "m"])


def detection(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Insufficiency answers as a test for deletion, in each primary configuration (Table 8, G.4): counts and percent.

    `Hits`, of 48 deletions; `False alarms`, of 96 MSS and addition questions. Recall and false-alarm rate are shares of these;
    precision is hits over all insufficiency answers.
    """
    rows = []
    for name, run in primary(runs).items():
        given, _, insufficient = run_tables.evidence_answers(run, triplets)
        found = evidence.insufficiency_detection(given, insufficient)
        rows.append(
            {
                "Row": name,
                "Hits": found.true,
                "False alarms": found.false,
                "Recall": 100 * float(found.recall),
                "False-alarm rate": 100 * found.false / (2 * len(given)),
                "Precision": 100 * float(found.precision),
            }
        )
    return pd.DataFrame(rows, columns=["Row", "Hits", "False alarms", "Recall", "False-alarm rate", "Precision"])


def frame_counts(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """What Tables 20 and 31 say of whole FQ1 groups, in each primary configuration; counts of groups.

    From invariant groups i (one answer given three times) and same pairs s, s - 3i groups have exactly two equal answers;
    from whole groups w and right pairs b, b - 3w have exactly two right ones.
    """
    rows = []
    for name, run in primary(runs).items():
        table = run_tables.frame_pair_table([run], triplets).iloc[0]
        invariant = round(run_tables.failure_table([run], triplets)["Frame invariant"].iloc[0] * 48 / 100)
        two_equal = int(table["Same"]) - 3 * invariant
        rows.append(
            {
                "Row": name,
                "One answer": invariant,
                "Two answers": two_equal,
                "Three answers": 48 - invariant - two_equal,
                "Three right": int(table["Whole groups"]),
                "Two right": int(table["Both right"]) - 3 * int(table["Whole groups"]),
            }
        )
    return pd.DataFrame(rows, columns=["Row", "One answer", "Two answers", "Three answers", "Three right", "Two right"])


def own_strata(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """`joint_success.strata_overview` of a reader's runs, with rows for the source that a group is assigned to."""
    rows = []
    for source in SOURCES:
        for run in runs:
            row = {"By": "Source", "Stratum": source.title(), "Set": run.title}
            for score in run_tables.JOINT:
                found = joint.by_stratum(*_labelled(run, triplets, score, "source"), SOURCES)[source]
                row[score] = f"{found.successes}/{found.groups}" if found.groups else ""
            rows.append(row)
    return pd.concat([joint_success.strata_overview(runs, triplets), pd.DataFrame(rows)], ignore_index=True)


def own_failures(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Tables 20, 8 and 31 in short for a reader's runs, one row a run: shares in percent, counts, and pairs of frames."""
    tables = {
        run_tables.failure_table: ["m", "To insufficient", "Original", "Other"],
        run_tables.insufficiency_table: ["MSS", "Deletion", "Addition", "Precision"],
        run_tables.frame_pair_table: ["Same", "Both right", "Whole groups"],
    }
    parts = [table(runs, triplets).reindex(columns=columns) for table, columns in tables.items()]
    named = pd.DataFrame({"Set": [run.title for run in runs]})
    return pd.concat([named, *parts], axis=1)


def by_overlap(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Table 30's form for a reader's runs: accuracy in percent, joint successes as "successes/groups"; one row a run."""

    def values(run: TripletRun) -> dict:
        row = _accuracies(run, triplets, "overlap", OVERLAP)
        for value, words in OVERLAP.items():
            for score in run_tables.JOINT:
                found = joint.by_stratum(*_labelled(run, triplets, score, "overlap"), OVERLAP)[value]
                row[f"{score}, {words}"] = f"{found.successes}/{found.groups}"
        return row

    return run_tables.by_run(runs, values)


def _accuracies(run: TripletRun, triplets: Triplets, column: str, words: Mapping[str, str]) -> dict[str, float]:
    rows = run_tables.asked_rows(run, triplets)
    labels = triplets.questions[column].to_numpy()[rows]
    found = joint.by_stratum(run.answers[rows] == triplets.gold[rows], labels, words)
    return {f"Acc., {word}": _percent(found[value]) for value, word in words.items()}


def _labelled(run: TripletRun, triplets: Triplets, score: str, column: str) -> tuple[NDArray[np.bool_], list]:
    """Joint success of each group that a run was asked, and its stratum."""
    names = run_tables.group_names(run, triplets, METRIC_FAMILIES[score])
    return run_tables.joint_success(run, triplets)[score], triplets.groups.loc[names, column].to_list()


def _percent(stratum: joint.Stratum) -> float:
    """Successes in percent; not a number without groups."""
    return 100 * stratum.successes / stratum.groups if stratum.groups else np.nan
