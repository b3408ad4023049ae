"""`vantage run` on a small project of its own, as a user meets it: through the command line, in a path with a space."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import vantage
from vantage import pipeline
from vantage.errors import InputError

HEAD = """\
---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""


def cell(code: str, tags: str = "") -> str:
    return f"\n```{{code-cell}} ipython3\n{f':tags: [{tags}]' if tags else ''}\n{code}\n```\n"


READS = (
    HEAD
    + cell("seed = 7", "parameters")
    + cell("from vantage import files\nprint(seed, files.reading(files.root() / 'data' / 'items.csv').read_text())")
)
PLAIN = HEAD + cell("print('plain')")


class Project:
    """A compendium with a copy of `vantage` in it, so that its source can be edited."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("data", "frozen_predictions", "notebooks/part"):
            (folder / name).mkdir(parents=True)
        shutil.copytree(
            Path(vantage.__file__).parent, folder / "src/vantage", ignore=shutil.ignore_patterns("__pycache__")
        )
        self.write("requirements.lock", "numpy==2.4.6\n")
        self.write("data/items.csv", "apple")
        self.write("notebooks/part/reads.md", READS)
        self.write("notebooks/plain.md", PLAIN)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "vantage", "run", *arguments],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(self.folder / "src")},
            text=True,
            capture_output=True,
        )

    def printed(self, name: str) -> str:
        """What the cells of an executed notebook printed."""
        notebook = nbformat.read(self.folder / f"book/results/{name}.ipynb", as_version=4)
        return "".join(it.get("text", "") for cell in notebook.cells for it in cell.get("outputs", ()))


@pytest.fixture(scope="module")
def executed(tmp_path_factory) -> Path:
    """A project whose notebooks have been executed once; tests work on copies, at another place."""
    project = Project(tmp_path_factory.mktemp("a project"))
    done = project.run()
    assert done.returncode == 0, done.stderr
    assert "plain: not executed yet" in done.stdout
    assert "part/reads: done in" in done.stdout
    assert project.printed("part/reads") == "7 apple\n"
    return project.folder


@pytest.fixture
def project(executed, tmp_path, monkeypatch) -> Project:
    project = object.__new__(Project)
    project.folder = shutil.copytree(executed, tmp_path / "a copy")
    monkeypatch.chdir(project.folder)
    # The code that a notebook rests on is that of the project, in this process too.
    monkeypatch.setattr(pipeline, "__file__", str(project.folder / "src/vantage/pipeline.py"))
    return project


def reasons(*names: str, parameters: dict | None = None) -> list[str | None]:
    return [pipeline.why_stale(notebook) for notebook in pipeline.choose(names, parameters or {})]


READS_AND_PLAIN = ("part/reads", "plain")


def test_nothing_is_stale_after_a_run_not_even_at_another_place(project):
    assert reasons(*READS_AND_PLAIN) == [None, None]
    assert project.run().stdout == "2 notebooks, none stale\n"


@pytest.mark.parametrize(
    "file, reads, plain",
    [
        ("notebooks/plain.md", None, "notebooks/plain.md changed"),
        ("data/items.csv", "data/items.csv changed", None),
        ("src/vantage/scoring.py", "src/vantage/scoring.py changed", "src/vantage/scoring.py changed"),
        ("src/vantage/another.py", "src/vantage/another.py is new", "src/vantage/another.py is new"),
        ("requirements.lock", "requirements.lock changed", "requirements.lock changed"),
        ("book/results/plain.ipynb", None, "book/results/plain.ipynb was altered"),
        ("_build/run/plain.json", None, "not executed yet"),
    ],
)
def test_what_changed_makes_stale_what_rests_on_it(project, file, reads, plain):
    project.write(file, "changed")
    assert reasons(*READS_AND_PLAIN) == [reads, plain]


def test_what_is_gone_makes_stale(project):
    (project.folder / "data/items.csv").unlink()
    (project.folder / "book/results/plain.ipynb").unlink()
    assert reasons(*READS_AND_PLAIN) == ["data/items.csv is gone", "book/results/plain.ipynb is missing"]


def test_a_parameter_reaches_the_notebooks_that_declare_it(project):
    assert reasons(*READS_AND_PLAIN, parameters={"seed": 8}) == ["its parameters changed", None]
    done = project.run("-p", "seed", "8")
    assert done.returncode == 0, done.stderr
    assert project.printed("part/reads") == "8 apple\n"
    injected = nbformat.read("book/results/part/reads.ipynb", as_version=4).cells[1]
    assert set(injected.metadata.tags) == {"injected-parameters", "hide-input"}
    assert reasons("part/reads") == ["its parameters changed"]


def test_a_failure_names_notebook_and_cell_and_keeps_the_earlier_output(project):
    before = (project.folder / "book/results/plain.ipynb").read_bytes()
    project.write("notebooks/plain.md", HEAD + cell("x = 1") + cell("# why\nx / 0\nx"))
    project.write("data/items.csv", "pear")
    done = project.run()
    assert done.returncode == 1
    assert done.stderr == "plain, code cell 2 (x / 0): ZeroDivisionError: division by zero\n"
    assert (project.folder / "book/results/plain.ipynb").read_bytes() == before
    assert project.printed("part/reads") == "7 pear\n", "the others still run"
    assert reasons("plain") == ["notebooks/plain.md changed"]


def test_what_a_kernel_says_past_its_notebook_stays_out_of_the_way(project):
    """A library in the kernel may write to the file descriptor itself; and what it says last explains its death."""
    noisy = "import os\nos.write(2, b'Assertion failed: somewhere\\n')"
    project.write("notebooks/plain.md", HEAD + cell(noisy))
    done = project.run()
    assert (done.returncode, done.stderr) == (0, "")
    project.write("notebooks/plain.md", HEAD + cell(noisy + "\nos._exit(3)"))
    done = project.run()
    assert (done.returncode, done.stderr) == (1, "plain: the kernel died: Assertion failed: somewhere\n")


def test_an_input_error_in_a_cell_is_one_line_and_status_2(project):
    (project.folder / "data/items.csv").unlink()
    done = project.run("part/reads", "-p", "seed", "8")
    assert done.returncode == 2
    assert done.stderr == (
        "part/reads, code cell 2 (from vantage import files): data/items.csv: expected a file, found none; "
        "check the name, or restore it from the repository\n"
    )


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["part/read"], "expected a notebook among part/reads, plain, found 'part/read'; check the spelling"),
        (["-p", "sed", "8"], "part/reads, plain: expected a parameter among seed, found 'sed'; check the spelling"),
        (["plain", "-p", "seed", "8"], "plain: expected a parameter among none, found 'seed'; check the spelling"),
    ],
)
def test_what_does_not_exist_is_refused_before_anything_runs(project, arguments, message):
    shutil.rmtree(project.folder / "book/results")
    done = project.run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{message}\n")
    assert not (project.folder / "book/results").exists()


@pytest.mark.parametrize("default, given", [("['absent']", []), ("[]", ["--predictions", "absent"])])
def test_an_unusable_prediction_set_is_refused_before_anything_runs(project, default, given):
    project.write("notebooks/plain.md", HEAD + cell(f"predictions = {default}", "parameters"))
    before = (project.folder / "book/results/plain.ipynb").read_bytes()
    done = project.run("plain", *given)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "absent" in done.stderr
    assert done.stdout == ""
    assert (project.folder / "book/results/plain.ipynb").read_bytes() == before


def test_a_notebook_may_be_named_by_its_path(project):
    assert [notebook.name for notebook in pipeline.choose(["notebooks/part/reads.md"], {})] == ["part/reads"]
    with pytest.raises(InputError):
        pipeline.choose(["notebooks/part/reads.ipynb"], {})


def test_a_record_names_exactly_the_inputs_that_were_read(project):
    record = json.loads((project.folder / "_build/run/part/reads.json").read_text())
    others = [name for name in record["files"] if not name.startswith("src/vantage/")]
    assert others == ["notebooks/part/reads.md", "requirements.lock", "data/items.csv"]
