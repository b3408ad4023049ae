"""Tables of the page on image numbers: what deletion does to "the second image", and which reading answers follow (Section 5)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from vantage.errors import InputError
from vantage.layout_proofs import as_presented
from vantage.layouts import INSUFFICIENT, register
from vantage.predictions import TripletRun
from vantage.schemas import LETTERS, ORDINAL_CHANGES
from vantage.tables import triplets as run_tables
from vantage.triplets import MEANINGS, Triplets

_NO_DIRECTION = (None, INSUFFICIENT, "out of range")

_OF_READING = ("Groups", "Insufficient", "As presented", "Other", "Invalid")


def chain_holds(triplets: Triplets, row: int) -> bool:
    """Whether the views of an item, laid over one another, still show target and relatum in one piece."""
    item = triplets.questions.iloc[row]
    return any(
        {item["target"], item["relatum"]} <= part.things.keys() for part in register(triplets.observed(item["views"]))
    )


def deletion_table(triplets: Triplets) -> pd.DataFrame:
    """What is left after deletion in the FQ2 test groups, counts, one row an ordinal change and one for all.

    `Chain broken`: the views left do not connect target and relatum, so no frame helps. `Only the frame lost`: they do, but what
    fixes the frame is not shown with them. `A direction as presented`: among the latter, the number now names an image in
    whose frame they support a direction.
    """
    deletions = triplets.rows("FQ2")[:, 1]
    holds = np.array([chain_holds(triplets, row) for row in deletions], dtype=bool)
    direction = np.array([as_presented(triplets, row) not in _NO_DIRECTION for row in deletions], dtype=bool)
    changes = triplets.questions["ordinal_change"].iloc[deletions].to_numpy()
    rows = [
        {
            "Image number": name,
            "Groups": int(here.sum()),
            "Chain broken": int((here & ~holds).sum()),
            "Only the frame lost": int((here & holds).sum()),
            "A direction as presented": int((here & direction).sum()),
        }
        for name, here in [
            *((change, changes == change) for change in ORDINAL_CHANGES),
            ("all", np.ones(len(changes), dtype=bool)),
        ]
    ]
    return pd.DataFrame(rows)


def derived_successes(triplets: Triplets) -> pd.DataFrame:
    """What NTS must be by ordinal change, counts of successes, derived from layouts and not from any run.

    All three give the right MSS answer. Anchor-blind says insufficient exactly where the chain is broken; ordinal-literal
    wherever the number, read in the present order, supports no direction.
    """
    counts = deletion_table(triplets).set_index("Image number").loc[list(ORDINAL_CHANGES)]
    derived = {
        "Groups": counts["Groups"],
        "Layout oracle": counts["Groups"],
        "Ordinal-literal": counts["Groups"] - counts["A direction as presented"],
        "Anchor-blind": counts["Chain broken"],
    }
    wide = pd.DataFrame(derived).T.set_axis([change.title() for change in ORDINAL_CHANGES], axis=1)
    return wide.rename_axis("Set").reset_index()


def reading_table(runs: Sequence[TripletRun], triplets: Triplets) -> pd.DataFrame:
    """Which reading the deletion answers follow where the two part: counts of test groups, one row a run.

    `Groups`: those whose deletion supports a direction as presented. Of these, answers that say insufficient, as the label does;
    that direction; another one; none that could be read. Not numbers where a run leaves FQ2 out.
    """

    def values(run: TripletRun) -> dict:
        deletions = run_tables.asked_groups(run, triplets, "FQ2")[:, 1]
        if not len(deletions):
            return dict.fromkeys(_OF_READING, np.nan)
        counts = dict.fromkeys(_OF_READING, 0)
        for row in deletions:
            now, answer = as_presented(triplets, row), run.answers[row]
            if now in _NO_DIRECTION:
                continue
            said = None if answer < 0 else MEANINGS[triplets.meanings[row, answer]]
            follows = {None: "Invalid", INSUFFICIENT: "Insufficient", now: "As presented"}.get(said, "Other")
            counts["Groups"] += 1
            counts[follows] += 1
        return counts

    return run_tables.by_run(runs, values)


def first_parted_group(triplets: Triplets) -> str:
    """The first FQ2 test group whose deletion supports a direction, one of those offered, if its number is read as presented.

    Raises `InputError` where there is none.
    """
    for _, deletion, _ in triplets.rows("FQ2"):
        now = as_presented(triplets, deletion)
        if now not in _NO_DIRECTION and MEANINGS.index(now) in triplets.meanings[deletion]:
            return triplets.questions["group"].iloc[deletion]
    raise InputError(
        f"{triplets.title}: expected a test group whose deletion supports a direction as presented, found none; make the items again"
    )


def group_readings(triplets: Triplets, group: str) -> pd.DataFrame:
    """An FQ2 group before and after deletion, the latter in both readings of its image number; one row a reading.

    Images keep the names that they have in the base set, S1, S2, ...; a model is not shown these names.
    """
    mss, deletion, _ = triplets.of_group(group)
    item = triplets.questions.iloc[deletion]
    ordinal = item["frame"]["ordinal"]
    if ordinal is None:
        raise InputError(
            f"expected a group whose question names an image by number, found {group}; take that of `first_parted_group`"
        )
    base, left = (list(triplets.questions["views"].iloc[row]) for row in (mss, deletion))
    names = {view: f"S{place}" for place, view in enumerate(base, 1)}
    bound = names[base[ordinal - 1]]
    named_now = names[left[ordinal - 1]] if ordinal <= len(left) else "none"
    before = MEANINGS[triplets.meanings[mss, triplets.gold[mss]]]
    after = MEANINGS[triplets.meanings[deletion, triplets.gold[deletion]]]
    now = as_presented(triplets, deletion)
    number = f"Image {ordinal} means"
    rows = [
        ("MSS", base, bound, before),
        (
            "Deletion, as bound before (the label)",
            left,
            bound if base[ordinal - 1] in left else f"{bound}, not shown",
            after,
        ),
        ("Deletion, as presented now", left, named_now, now),
    ]
    return pd.DataFrame(
        [
            {
                "Reading": reading,
                "Images, in order": ", ".join(names[view] for view in views),
                number: named,
                "The views support": said,
                "Letter": _letter(triplets, deletion, said),
            }
            for reading, views, named, said in rows
        ]
    )


def _letter(triplets: Triplets, row: int, said: str) -> str:
    """The letter of a meaning in an item; "not offered" where no option says it."""
    meant = INSUFFICIENT if said == "out of range" else said
    found = np.flatnonzero(triplets.meanings[row] == MEANINGS.index(meant))
    return LETTERS[found[0]] if len(found) else "not offered"


def group_list(triplets: Triplets) -> pd.DataFrame:
    """`vantage.tables.triplets.deletion_groups` and whether the views left connect target and relatum."""
    table = run_tables.deletion_groups(triplets)
    deletions = triplets.rows("FQ2")[:, 1]
    chain = ["holds" if chain_holds(triplets, row) else "broken" for row in deletions]
    table.insert(table.columns.get_loc("As bound before"), "Chain", chain)
    return table
