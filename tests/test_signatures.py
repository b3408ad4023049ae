"""What each mechanism implies for its row of diagnostics, as the page of signatures derives it, beside what the runs give."""

import re

import pytest

from vantage import figures, files
from vantage.items import load_cvt
from vantage.predictions import load_runs
from vantage.tables.signatures import signature_table

PAGE = (files.root() / "notebooks" / "cvt" / "signatures.md").read_text(encoding="utf-8")
SETS = re.findall(r'^ {4}"(\w+)",$', PAGE, flags=re.MULTILINE)

ALWAYS_RIGHT = {
    "F1, 0": 100,
    "F1, diagonal": 100,
    "F1, quarter": 100,
    "F1, 180": 100,
    "Cycle": 100,
    "Realizable": 100,
    "MaxSAT": 100,
}
HOLDS_A_LAYOUT = {"Cycle": 100, "Self, quarter": 100, "Self, 180": 100, "Realizable": 100, "MaxSAT": 100}
READS_LABELS = {column: 100 for column in ("F1, 0", "F1, quarter", "F1, 180", "Cycle", "Self, quarter", "Self, 180")}

CERTAIN = {
    "Oracle": ALWAYS_RIGHT,
    "Interference": ALWAYS_RIGHT,  # one scene a prompt: nothing interferes
    # Left at 0 and left at 180 exclude each other, in every scene.
    "Egocentric": {
        "F1, 0": 100,
        "F1, 180": 0,
        "Exact, quarter": 0,
        "Cycle": 100,
        "Self, quarter": 0,
        "Self, 180": 0,
        "Realizable": 0,
    },
    "Half-turn reverser": {
        "F1, 0": 100,
        "F1, 180": 100,
        "Exact, quarter": 0,
        "Self, quarter": 0,
        "Self, 180": 100,
        "Realizable": 0,
    },
    # At a quarter turn the other way round every label is reversed.
    "Mirror-confused": {
        "F1, 0": 100,
        "F1, quarter": 0,
        "F1, 180": 100,
        "Self, quarter": 0,
        "Self, 180": 100,
        "Realizable": 0,
    },
    "Axis-rebinder": {"F1, 0": 100, "F1, 180": 100, "Cycle": 100, "Self, 180": 100},
    "Noisy source": {"Cycle": 100, "Self, quarter": 100, "Self, 180": 100},
    "Wrong but coherent": HOLDS_A_LAYOUT,
    "Reader of boxes": HOLDS_A_LAYOUT,
    # Labels are permuted at cardinal views; at a diagonal nothing that is said has the wrong sign.
    "Reader of graphs": READS_LABELS | {"Realizable": 100, "MaxSAT": 100},
    "Reader of graphs and boxes": READS_LABELS,
    # What is not said cannot contradict; the scene turned by 180 degrees satisfies every reversed label.
    "Label omitter": {"Cycle": 100, "Realizable": 100, "MaxSAT": 100},
    "Complete inverter": {"F1, 0": 0, "F1, quarter": 0, "F1, 180": 0} | HOLDS_A_LAYOUT,
}

# By chance, with the tolerance of four standard errors of some 500 questions or pairs (1 to 9 points).
EXPECTED = {
    "Axis-rebinder": {"F1, quarter": (65, 5)},
    "Independent noise": {"Exact, quarter": (70, 6), "Cycle": (50.3, 9), "NSC": (0, 10)},
    "Uniform random": {"Exact, quarter": (12.5, 5), "Cycle": (12.5, 6), "NSC": (0, 10)},
    "Drifting": {"NSC reordered": (0, 5)},
}


@pytest.fixture(scope="module")
def signature():
    items = load_cvt("synthetic")
    return signature_table(load_runs(SETS, items), items, seed=20261130)


def test_the_page_shows_every_set_there_is(signature):
    """But those that are made for one question, such as what context does: they are on the pages that ask it."""
    manifests = map(files.read_json, (files.root() / "frozen_predictions").glob("*/manifest.json"))
    answering = {
        manifest["set"]
        for manifest in manifests
        if "cvt/synthetic" in manifest["items"] and manifest["kind"] != "reconstructed"
    }
    pages = [
        (files.root() / "notebooks" / "cvt" / f"{name}.md").read_text(encoding="utf-8")
        for name in ("context", "retrieval", "failures")
    ]
    elsewhere = answering - set(SETS)
    assert set(SETS) <= answering and elsewhere
    assert all(any(f'    "{name}",' in page for page in pages) for name in elsewhere)
    assert len(signature) == len(SETS)


@pytest.mark.parametrize("name", CERTAIN)
def test_what_is_certain(signature, name):
    row = signature.set_index("Set").loc[name]
    assert {column: row[column] for column in CERTAIN[name]} == pytest.approx(CERTAIN[name])


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_expected(signature, name):
    row = signature.set_index("Set").loc[name]
    for column, (value, tolerance) in EXPECTED[name].items():
        assert row[column] == pytest.approx(value, abs=tolerance), column


def test_always_right_or_never_has_no_survival_to_explain(signature):
    """NSC is 0/0 where every answer is right, and where none is."""
    undefined = signature.set_index("Set").NSC.isna()
    assert set(undefined.index[undefined]) == {"Oracle", "Interference", "Complete inverter"}


def test_the_matrix_shows_each_number(signature):
    figure = figures.signature_matrix(signature)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert len(texts) == len(signature) * (signature.shape[1] - 1)
    assert texts.count("–") == 6
