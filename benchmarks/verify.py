"""`python -m benchmarks.verify [set]`: hold a reconstructed set of CVT-Bench against the print, and against the plain way of computing.

1. Every printed number that the set recomputes, equal or not; those of Table 1 have to be.
2. F1, NSC and cycle consistency of every run, from the words in the files (`plain_cvt`), against the package's.
3. Realizability by SciPy's `linprog` and MaxSAT by `milp` for every scene of every run, against the package's exact ones.

The third part takes minutes. Each scene is written down when it is done, in _build/verify.csv, so that a run that was broken off goes on;
another file of predictions starts anew. Ends with status 1 where anything has to be equal and is not.
"""

import csv
import io
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import Pool
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from benchmarks import plain_cvt
from vantage import cycles, files
from vantage.errors import InputError
from vantage.items import matched_cycle_pairs
from vantage.predictions import CVTRun, load
from vantage.realizability import realizable_scenes, satisfiable_fractions
from vantage.tables.cvt_results.chosen import Answers
from vantage.tables.cvt_results.verifier import verify

SET = "reconstructed_cvt"
NOISE = 1e-12
"""Sums of fractions in another order may differ by this much."""

_FIELDS = ("file", "run", "scene", "realizable", "satisfied", "asserted")


def plain_metrics(rows: pd.DataFrame) -> dict[str, float]:
    """The metrics of a run's rows the plain way."""
    return {"F1": plain_cvt.f1(rows), "NSC": plain_cvt.nsc(rows), "Cycle consistency": plain_cvt.cycle(rows)}


def package_metrics(run: CVTRun, answers: Answers) -> dict[str, float]:
    """The same metrics as the tables compute them."""
    items = answers.items[run.domain]
    return {
        "F1": answers.f1(run),
        "NSC": answers.nsc(run),
        "Cycle consistency": cycles.cycle_consistency(run.answers, matched_cycle_pairs(items.questions)),
    }


def differing_metrics(answers: Answers, rows: Callable[[CVTRun], pd.DataFrame]) -> list[str]:
    """The metrics of the cells that the two ways compute differently, in words; `rows` gives a run's questions and words."""
    found = []
    for run in answers.cells.values():
        ours = package_metrics(run, answers)
        for name, value in plain_metrics(rows(run)).items():
            both_undefined = math.isnan(value) and math.isnan(ours[name])
            if not both_undefined and not abs(value - ours[name]) <= NOISE:
                found.append(f"{run.run}, {name}: the tables say {ours[name]!r}, the plain way {value!r}")
    return found


def differing_scenes(run: CVTRun, answers: Answers, plain: pd.DataFrame) -> list[str]:
    """The scenes of a run about which the plain verdicts, a row a scene, differ from the exact ones, in words."""
    questions = answers.items[run.domain].questions
    verdicts, fractions = realizable_scenes(run.answers, questions), satisfiable_fractions(run.answers, questions)
    found = []
    for one in plain.itertuples():
        fraction = one.satisfied / one.asserted if one.asserted else 1.0
        if bool(one.realizable) != verdicts[one.scene]:
            found.append(f"{run.run}, {one.scene}: the package says {verdicts[one.scene]}, linprog {one.realizable}")
        if fraction != fractions[one.scene] or bool(one.realizable) != (fraction == 1):
            found.append(f"{run.run}, {one.scene}: the package says {fractions[one.scene]}, milp {fraction}")
    return found


def _quiet() -> None:
    """HiGHS writes remarks to standard output past Python; a worker has nothing to say there."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _coherence(task: tuple[str, str, pd.DataFrame]) -> tuple:
    run, scene, rows = task
    return run, scene, *plain_cvt.coherence(rows)


def plain_coherence(tasks: Iterable[tuple[str, str, pd.DataFrame]], total: int, path: Path, file: str) -> pd.DataFrame:
    """Plain verdicts of scenes, a row each: run, scene, realizable, satisfied, asserted.

    What `path` already has for the predictions with the checksum `file` is taken from there, and every new one is added to it.
    """
    done = _read(path, file)
    known = set(zip(done["run"], done["scene"], strict=True))
    with files.replacing(path) as beside:  # without what is of another file, or half written
        done.assign(file=file)[list(_FIELDS)].to_csv(beside, index=False)
    new = []
    left = (task for task in tasks if task[:2] not in known)
    progress = tqdm(total=total, initial=len(known), desc="linprog and milp", unit="scene", disable=None)
    with Pool(initializer=_quiet) as workers, open(path, "a", encoding="utf-8", newline="") as lines, progress:
        writer = csv.writer(lines)
        for found in workers.imap_unordered(_coherence, left, chunksize=20):
            new.append(found)
            writer.writerow((file, *found))
            lines.flush()
            progress.update()
    found = pd.DataFrame(new, columns=list(_FIELDS[1:]))
    return pd.concat([part for part in (done, found) if len(part)], ignore_index=True)


def _read(path: Path, file: str) -> pd.DataFrame:
    """What was found earlier about this file of predictions; a last line that a broken-off run left unfinished does not count."""
    lines = path.read_text(encoding="utf-8").rpartition("\n")[0] if path.is_file() else ",".join(_FIELDS)
    found = pd.read_csv(io.StringIO(lines), dtype={"file": str})
    return found[found["file"] == file].drop(columns="file").reset_index(drop=True)


def main(name: str = SET) -> int:
    """Verify and print; the number of things that have to be equal and are not."""
    frozen = load(name)
    answers = Answers.of(frozen.runs, frozen.attribute_runs)
    wrong: list[str] = []

    numbers = verify(answers)
    unequal = numbers[~numbers["agrees"]]
    print(
        f"{len(numbers)} printed numbers recomputed, {len(numbers) - len(unequal)} equal, {len(unequal)} unequal",
        flush=True,
    )
    for one in unequal.itertuples():
        line = f"{one.place}: {one.row}, {one.column}: printed {one.printed}, recomputed {one.recomputed:.{one.decimals + 2}f}"
        print(f"  {line}")
        wrong += [line] * (one.place == "Table 1")
    drawn = verify(answers, drawn=True)
    print(
        f"{len(drawn)} more rest on random draws of ours; {int(drawn['agrees'].sum())} of them print alike", flush=True
    )

    predictions = pd.read_parquet(frozen.path)
    asked = {domain: plain_cvt.questions(domain) for domain in answers.items}
    by_run = {run: rows for run, rows in predictions.groupby("run", sort=False)}

    def rows(run: CVTRun) -> pd.DataFrame:
        return plain_cvt.with_answers(by_run[run.run], asked[run.domain])

    found = differing_metrics(answers, rows)
    print(
        f"{3 * len(answers.cells)} metrics of {len(answers.cells)} runs computed from words, {len(found)} unequal",
        flush=True,
    )
    wrong += found

    def tasks() -> Iterator[tuple[str, str, pd.DataFrame]]:
        for run in answers.cells.values():
            for scene, part in plain_cvt.by_scene(rows(run)):
                yield run.run, scene, part

    total = sum(len(answers.items[cell.domain].scenes) for cell in answers.cells)
    verdicts = plain_coherence(tasks(), total, files.root() / "_build" / "verify.csv", files.sha256(frozen.path))
    found = []
    for run in answers.cells.values():
        found += differing_scenes(run, answers, verdicts[verdicts["run"] == run.run])
    print(f"{len(verdicts)} of {total} scene outputs decided by linprog and milp, {len(found)} unequal")
    wrong += found
    for line in wrong:
        print(f"UNEQUAL {line}")
    return len(wrong) + total - len(verdicts)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]) > 0)
    except InputError as error:
        sys.exit(f"{error}")
