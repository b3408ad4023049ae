"""The notebooks as a rerunner uses them: derived with make, executed with plain papermill, with a set of one's own."""

import subprocess
import sys
from html.parser import HTMLParser

import jupytext
import nbformat
import numpy as np
import pytest

from vantage import files
from vantage.items import load_cvt
from vantage.predictions import ANSWERED, INVALID, MISSING, cvt_table, freeze

ROOT = files.root()
NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.md"))


class Rows(HTMLParser):
    """The cells of every table row in a piece of HTML."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.open = [], False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        self.open = tag in ("td", "th")

    def handle_data(self, data):
        if self.open and self.rows:
            self.rows[-1].append(data.strip())

    def handle_endtag(self, tag):
        self.open = False


@pytest.fixture
def imperfect(tmp_path):
    """A measured set with 5 invalid and 7 missing answers, in a folder whose name has a space."""
    items = load_cvt("synthetic")
    status = np.full(len(items.questions), ANSWERED)
    status[100:105], status[200:207] = INVALID, MISSING
    table = cvt_table(
        items, items.gold, status,
        set="mine", kind="measured", run="one", model="My model", regime="isolated", representation="image",
    )  # fmt: skip
    freeze(table, tmp_path / "my answers", title="My model", about="Made for a test.", made_by="a test")
    return tmp_path / "my answers"


def test_plain_papermill_shows_an_imperfect_set(imperfect, tmp_path):
    """By hand: 5,691 of 5,703 answers are exact, which is 99.8 %."""
    subprocess.run(["make", "notebooks"], cwd=ROOT, check=True, capture_output=True)
    out = tmp_path / "out.ipynb"
    command = [
        sys.executable, "-m", "papermill", "_build/notebooks/cvt/viewpoints.ipynb", str(out), "--no-progress-bar",
        "-y", f"predictions: [reference_oracle, '{imperfect}']",
    ]  # fmt: skip
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    html = "".join(
        output["data"]["text/html"]
        for cell in nbformat.read(out, as_version=4).cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    )
    rows = Rows(html).rows
    assert ["My model", "measured", "5703", "5", "7", "99.8", "99.8", "99.9", "99.9"] in rows
    assert ["Oracle", "reference", "5703", "0", "0", "100.0", "100.0", "100.0", "100.0"] in rows
    assert "Answers, measured:" in html and "Answers, reference:" in html


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_text_that_calls_functions(path):
    """No outputs are kept, no statistic is computed in a cell (only names, calls and literals), and provenance comes first."""
    notebook = jupytext.read(path)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.get("outputs") for cell in notebook.cells)
    first = next(source for source in code if "parameters" not in source and "import" in source)
    assert "panels.provenance(" in first
    for source in code:
        assert "numpy" not in source and "pandas" not in source and "vantage_workshop" not in source, source
        assert ".read_" not in source and "open(" not in source, "a loader notes what it reads, for staleness"


@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if "reference" not in path.parts], ids=lambda path: path.stem
)
def test_a_notebook_of_a_section_has_what_a_reader_expects(path):
    text = path.read_text(encoding="utf-8")
    for part in (
        "After this page you can",
        "Predict before you look",
        "A misconception set right",
        "$$",
        "predictions = [",
        "seed =",
    ):
        assert part in text, part
