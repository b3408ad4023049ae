"""What the print says beyond its own tables of strata and failures: counts behind percentages, and what chance alone gives.

Everything here follows from printed cells, whichever answers agree with them. The printed tables themselves are in
`vantage.tables.frame_evidence_results`.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact, hypergeom

from vantage import evidence, joint
from vantage.predictions import TripletRun
from vantage.schemas import ORDINAL_CHANGES
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import METRIC_FAMILIES, STRATA
from vantage.tables.frame_evidence_results.chosen import primary
from vantage.triplets import Triplets

SOURCES = ("captured", "rendered")
"""The strata of Appendix G.1; on our items a label that a group is assigned to."""


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
        groups = run_tables.group_names(run, triplets, METRIC_FAMILIES[score])
        labels = triplets.groups.loc[groups, "ontology"].to_list()
        found = joint.by_stratum(run_tables.joint_success(run, triplets)[score], labels, ["axial", "quadrant"])
        axial, quadrant = found["axial"], found["quadrant"]
        shares = [100 * part.successes / part.groups for part in (axial, quadrant)]
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
    return pd.DataFrame(rows)


def removed_chances(runs: Sequence[TripletRun], triplets: Triplets, rows: Sequence[str]) -> pd.DataFrame:
    """Joint deletion successes of these rows in the *removed* stratum, and what dealing them to all groups at random gives.

    `Expected` is the mean of such dealings; `At least so many`, the share of them with as many in *removed* or more.
    """
    removed = ORDINAL_CHANGES[0]
    found = []
    for name, run in primary(runs).items():
        if name not in rows:
            continue
        success = run_tables.joint_success(run, triplets)["NTS"]
        labels = triplets.groups.loc[run_tables.group_names(run, triplets, "FQ2"), "ordinal_change"].to_list()
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
    return pd.DataFrame(sorted(found, key=lambda row: order[row["Row"]]))


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
    return pd.DataFrame(rows)


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
    return pd.DataFrame(rows)


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
    return pd.DataFrame(rows)


def by_source(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Accuracy and DIS of a reader's runs in the groups assigned to each source, percent; one row a run."""

    def values(run: TripletRun) -> dict:
        row = {}
        sources = triplets.questions["source"].to_numpy()
        for source in SOURCES:
            rows = run_tables.asked_rows(run, triplets)
            rows = rows[sources[rows] == source]
            row[f"Accuracy, {source}"] = (
                100 * np.mean(run.answers[rows] == triplets.gold[rows]) if len(rows) else np.nan
            )
        groups = run_tables.group_names(run, triplets, "FQ2")
        success = run_tables.joint_success(run, triplets)["DIS"]
        for source in SOURCES:
            here = success[(triplets.groups.loc[groups, "source"] == source).to_numpy()]
            row[f"DIS, {source}"] = 100 * here.mean() if len(here) else np.nan
        return row

    return run_tables.by_run(runs, values)
