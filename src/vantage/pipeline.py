"""Execute the notebooks that are stale, in parallel, each `notebooks/X.md` into `book/results/X.ipynb`.

A notebook is stale when anything it rests on is no longer what it was when its output was made: its own text, its
parameters, the code of `vantage`, the locked versions, an input file that it read, or the output itself. What it rested
on then stands, as checksums, in its record `_build/run/X.json`.
"""

import ast
import io
import json
import multiprocessing
import os
import signal
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from vantage import files
from vantage.errors import InputError

BAR = "{l_bar}{bar}| {n_fmt} of {total_fmt} notebooks, {elapsed}"

# papermill and jupytext are imported where they are used: to find that nothing is stale must not take seconds.


class NotebookError(RuntimeError):
    """A notebook could not be executed to its end. The message is one line: notebook, cell, and what went wrong."""


@dataclass(frozen=True)
class Notebook:
    """A notebook by its name (`cvt/viewpoints`), and the values that replace those in its cell of parameters."""

    name: str
    parameters: dict

    @property
    def text(self) -> Path:
        return files.root() / "notebooks" / f"{self.name}.md"

    @property
    def output(self) -> Path:
        return files.root() / "book" / "results" / f"{self.name}.ipynb"

    @property
    def record(self) -> Path:
        return files.root() / "_build" / "run" / f"{self.name}.json"


def run(names: Sequence[str] = (), parameters: dict | None = None, jobs: int | None = None, force: bool = False) -> int:
    """Execute the stale ones among the notebooks of these names (default: all), `jobs` at a time (default: one a core).

    Says why each of them is stale, shows a progress bar on a terminal, and names a failure in one line on standard
    error. Returns the exit status: 0, or 1 where a notebook failed, or 2 where one failed on an input. Raises
    `InputError`, before anything is executed, for an unknown notebook or parameter and for an unusable prediction set.
    """
    notebooks = choose(names, parameters or {})
    reasons = {notebook.name: "forced" if force else why_stale(notebook) for notebook in notebooks}
    stale = [notebook for notebook in notebooks if reasons[notebook.name]]
    if not stale:
        print(f"{len(notebooks)} notebooks, none stale")
        return 0
    check_predictions(stale)
    for notebook in stale:
        print(f"{notebook.name}: {reasons[notebook.name]}", flush=True)
    return _execute_all(stale, jobs or os.cpu_count() or 1)


def choose(names: Sequence[str], parameters: dict) -> list[Notebook]:
    """The notebooks of these names, or all; each with those of the parameters that it declares.

    A name is `cvt/viewpoints` or `notebooks/cvt/viewpoints.md`. Raises `InputError` for a name that is none, and for a
    parameter that none of the chosen notebooks declares.
    """
    folder = files.root() / "notebooks"
    known = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md"))
    chosen = list(dict.fromkeys(name.removeprefix("notebooks/").removesuffix(".md") for name in names)) or known
    if unknown := [name for name in chosen if name not in known]:
        raise InputError(f"expected a notebook among {', '.join(known)}, found {unknown[0]!r}; check the spelling")
    declared = {name: _declared(Notebook(name, {})) if parameters else {} for name in chosen}
    valid = set().union(*declared.values())
    if unknown := [parameter for parameter in parameters if parameter not in valid]:
        raise InputError(
            f"{', '.join(chosen)}: expected a parameter among {', '.join(sorted(valid)) or 'none'}, "
            f"found {unknown[0]!r}; check the spelling"
        )
    for name, its_own in declared.items():
        for parameter, value in parameters.items():
            if parameter in its_own:
                _check_type(name, parameter, value, ast.literal_eval(its_own[parameter]["default"]))
    given = {name: {key: value for key, value in parameters.items() if key in declared[name]} for name in chosen}
    if "predictions" in parameters:
        given = {name: _of_its_items(name, own, declared[name], asked_for=bool(names)) for name, own in given.items()}
    return [Notebook(name, own) for name, own in given.items()]


def _of_its_items(name: str, parameters: dict, declared: dict[str, dict], asked_for: bool) -> dict:
    """The parameters of a notebook with those of the prediction sets that answer its items.

    They are those of the paper that its folder is named for, and of CVT-Bench those of the `domain` that it declares, or
    synthetic. Where no set answers them, it keeps its own sets. Raises `InputError` where it was `asked_for` by name.
    """
    from vantage.predictions import items_of, set_names
    from vantage.published import PAPERS

    paper = name.partition("/")[0]
    if "predictions" not in parameters or paper not in PAPERS:
        return parameters
    domain = parameters.get("domain", ast.literal_eval(declared.get("domain", {"default": "'synthetic'"})["default"]))
    items = f"{paper}/{domain}" if paper == "cvt" else paper
    names = set_names(parameters["predictions"])
    fitting = [one for one in names if items in items_of(one)]
    if not fitting and asked_for:
        raise InputError(
            f"{name}: expected at least one prediction set that answers the {PAPERS[paper]} items in data/{items}, "
            f"found {', '.join(map(str, names))}; name another set, or no notebook"
        )
    rest = {key: value for key, value in parameters.items() if key != "predictions"}
    return rest | ({"predictions": fitting} if fitting else {})


def _check_type(name: str, parameter: str, value, default) -> None:
    """Refuse a value of another type than the notebook's own; a single set may stand for a list of them."""
    if type(value) is not type(default) and not (isinstance(default, list) and isinstance(value, str)):
        raise InputError(
            f"{name}, parameter {parameter}: expected a value of type {type(default).__name__}, such as {default!r}, "
            f"found {value!r}; correct it"
        )


def why_stale(notebook: Notebook) -> str | None:
    """The first reason found to execute a notebook again; `None` where there is none."""
    try:
        record = json.loads(notebook.record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "not executed yet"
    if not notebook.output.is_file():
        return f"{files.shown(notebook.output)} is missing"
    if files.sha256(notebook.output) != record["output"]:
        return f"{files.shown(notebook.output)} was altered"
    if notebook.parameters != record["parameters"]:
        return "its parameters changed"
    then = record["files"]
    now = _checksums([*_sources(notebook), *(files.root() / name for name in then)])
    for name, checksum in now.items():
        if checksum is None:
            return f"{name} is gone"
        if checksum != then.get(name):
            return f"{name} changed" if name in then else f"{name} is new"
    return None


def check_predictions(notebooks: Iterable[Notebook]) -> None:
    """Load every set that a `predictions` parameter of these notebooks names. Raises `InputError` as loading does."""
    given = [
        notebook.parameters.get("predictions", ast.literal_eval(default["default"]))
        for notebook in notebooks
        if (default := _declared(notebook).get("predictions"))
    ]
    if given:
        from vantage import predictions

        # As the notebooks will read them, each set once.
        for name in dict.fromkeys(name for value in given for name in predictions.set_names(value)):
            predictions.load(name)


def execute(notebook: Notebook, scratch: Path) -> float:
    """Execute one notebook, move its output into place, note what it rested on; return the seconds it took.

    `scratch` is a folder of its own. Raises `InputError` where a cell did, and `NotebookError` for any other failure;
    either leaves the earlier output as it was.
    """
    import nbformat
    import papermill
    from nbclient.exceptions import DeadKernelError
    from traitlets.config import Config

    started = time.monotonic()
    scratch.mkdir()
    reads, said = scratch / "read", scratch / "stderr"
    os.environ[files.READ_LOG] = str(reads)
    # A notebook has a core of its own; threads of the linear algebra would only take those of the others.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    before = _checksums(_sources(notebook))
    try:
        with _standard_error_in(said):
            executed = papermill.execute_notebook(
                _notebook_node(notebook),
                None,
                notebook.parameters,
                cwd=files.root(),
                progress_bar=False,
                # Sockets beside this file: nothing listens on the network, and their paths stay as short as a socket needs.
                config=Config(KernelManager={"transport": "ipc", "connection_file": str(scratch / "kernel.json")}),
                extra_arguments=["--log-level=CRITICAL"],
            )
    except papermill.PapermillExecutionError as error:
        raise _failure(notebook, error) from None
    except DeadKernelError:
        last = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        raise NotebookError(f"{notebook.name}: {_one_line('the kernel died', *last)}") from None
    for cell in executed.cells:
        if "injected-parameters" in cell.metadata.get("tags", ()):
            cell.metadata.tags.append("hide-input")
    with files.replacing(notebook.output) as beside:
        nbformat.write(executed, beside)
    inputs = map(Path, reads.read_text(encoding="utf-8").splitlines() if reads.exists() else ())
    record = {
        "parameters": notebook.parameters,
        "output": files.sha256(notebook.output),
        "files": before | _checksums(inputs),
    }
    files.write_json(record, notebook.record)
    return time.monotonic() - started


@contextmanager
def _standard_error_in(path: Path) -> Iterator[None]:
    """Let what a kernel that is started in here says on standard error go into a file.

    What a notebook says is in its output. A kernel's libraries may complain past it, even while the kernel ends in good
    order, and would break into the one line that is promised for a failure. What the kernel's client logs in this process
    is dropped: it says the same by an exception.
    """
    before = os.dup(2)
    try:
        with path.open("wb") as file:
            os.dup2(file.fileno(), 2)
        with redirect_stderr(io.StringIO()):
            yield
    finally:
        os.dup2(before, 2)
        os.close(before)


def _execute_all(notebooks: Sequence[Notebook], jobs: int) -> int:
    """Execute notebooks in `jobs` processes, reporting each as it ends; return the exit status."""
    status = 0
    # An interrupt ends the processes at once, without a traceback; a kernel ends with the process that started it.
    pool = ProcessPoolExecutor(
        min(jobs, len(notebooks)), multiprocessing.get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_DFL)
    )
    try:
        with TemporaryDirectory() as scratch, tqdm(total=len(notebooks), bar_format=BAR, disable=None) as bar:
            futures = {
                pool.submit(execute, notebook, Path(scratch, str(number))): notebook
                for number, notebook in enumerate(notebooks)
            }
            for future in as_completed(futures):
                try:
                    bar.write(f"{futures[future].name}: done in {future.result():.0f} s")
                except Exception as error:
                    known = isinstance(error, (InputError, NotebookError))
                    line = str(error) if known else f"{futures[future].name}: {_one_line(type(error).__name__, error)}"
                    bar.write(line, file=sys.stderr)
                    status = max(status, 2 if isinstance(error, InputError) else 1)
                bar.update()
    finally:
        pool.shutdown(cancel_futures=True)
    return status


def _failure(notebook: Notebook, error) -> Exception:
    """The exception that says in one line which cell failed, counted among the code cells of the text, and how."""
    number = error.exec_count - bool(notebook.parameters)
    lines = map(str.strip, error.source.splitlines())
    line = next((line for line in lines if line and not line.startswith("#")), "")
    where = f"{notebook.name}, code cell {number} ({textwrap.shorten(line, 60, placeholder=' ...')})"
    if error.ename == InputError.__name__:
        return InputError(f"{where}: {_one_line(error.evalue)}")
    return NotebookError(f"{where}: {_one_line(error.ename, error.evalue)}")


def _one_line(*parts) -> str:
    return textwrap.shorten(": ".join(map(str, parts)), 500, placeholder=" ...")


def _notebook_node(notebook: Notebook):
    """The notebook as `nbformat` has it, read from its text, for the kernel of this environment."""
    import jupytext

    node = jupytext.read(notebook.text)
    node.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return node


def _declared(notebook: Notebook) -> dict[str, dict]:
    """The parameters that a notebook declares, by name; each with its `default` as text."""
    import papermill

    return papermill.inspect_notebook(_notebook_node(notebook))


def _sources(notebook: Notebook) -> list[Path]:
    """What a notebook rests on whatever it reads: its text, the locked versions, the code of `vantage`."""
    package = Path(__file__).resolve().parent
    code = sorted(path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return [notebook.text, files.root() / "requirements.lock", *code]


def _checksums(paths: Iterable[Path]) -> dict[str, str | None]:
    """Checksums by the name a message gives a file; `None` for one that is gone."""
    return {files.shown(path): files.sha256(path) if path.is_file() else None for path in paths}
