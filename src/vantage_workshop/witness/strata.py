"""Command line: `python -m vantage_workshop.witness.strata [--check] [--published CSV]`: make
`data/frame_evidence/strata.csv`, the same bytes each time, or check it without the solver.

Every stratum of the 96 test groups is chosen together with, for each of the twenty configurations, the groups it
solves: a random choice admits the printed joint scores of most configurations, not of all. Those groups are thrown away;
the strata stay.
"""

import argparse
import csv
import random
import sys
from itertools import cycle, islice
from pathlib import Path

from vantage.errors import InputError
from vantage.files import replacing, shown
from vantage_workshop.witness import composition, letters, outcomes
from vantage_workshop.witness.composition import SCENES
from vantage_workshop.witness.outcomes import Groups
from vantage_workshop.witness.pairs import ADAPTED
from vantage_workshop.witness.targets import Published, configurations, ordinary_runs

SEED = 20261130


def make(published: Published, seed: int = SEED, say=lambda line: None) -> list[dict[str, str]]:
    """The rows of the file, in order of the groups. Deterministic for a seed.

    Raises `InputError` where the printed numbers admit no strata.
    """
    say("gold letters under which the rules of Table 10 score as printed")
    golds = letters.solve(published, seed)
    rows = _rows()
    _components(rows)
    configured, ordinary = configurations(published), ordinary_runs(published)
    say("strata of the 48 FQ2 test groups, with the groups that each of 20 configurations solves")
    _solve_evidence(composition.test_rows(rows, "FQ2"), configured, seed)
    say("strata of the 48 FQ1 test groups")
    _solve_frames(composition.test_rows(rows, "FQ1"), [*configured.values(), *ordinary.values()], seed)
    _deal(rows, golds, seed)
    return [{column: row.get(column, "") for column in composition.COLUMNS} for row in rows]


def _rows():
    """All groups with their scenes."""
    rows = []
    places = {
        (family, split): iter([name for name, scene in SCENES.items() for _ in range(scene.groups(family, split))])
        for family in ("FQ1", "FQ2")
        for split in composition.GROUPS
    }
    for group, family, split in composition.group_ids():
        scene = next(places[family, split])
        rows.append(
            {
                "group": group,
                "family": family,
                "split": split,
                "scene": scene,
                "setting": SCENES[scene].setting,
                "source": SCENES[scene].source,
            }
        )
    return rows


def _components(rows):
    """Exact-image components: the crossing one, then those of each scene, split by split."""
    name, crossing = composition.CROSSING
    left = dict(crossing)
    number = 1
    for scene, about in SCENES.items():
        for split in ("test", "train", "dev"):
            here = [row for row in rows if (row["scene"], row["split"]) == (scene, split)]
            if split == "test":
                for row in here:
                    if row["family"] == "FQ2" and left.get(scene):
                        left[scene] -= 1
                        row["image_component"] = name
            here = [row for row in here if "image_component" not in row]
            # About five groups share pictures outside test.
            parts = about.components if split == "test" else -(-len(here) // 5)
            for family, turn in (("FQ2", 1), ("FQ1", -1)):
                # The families are dealt in opposite directions, so that no component gets the extra group of both.
                names = cycle([f"image-{number + part + 1:02d}" for part in range(parts)][::turn])
                for row in here:
                    if row["family"] == family:
                        row["image_component"] = next(names)
            number += parts


def _sizes(family):
    return {str(size): number for size, number in composition.BASE_SIZES[family]["test"].items()}


def _solve_evidence(rows, configured, seed):
    groups = Groups(
        rows,
        {
            "base_size": _sizes("FQ2"),
            "ontology": composition.ONTOLOGIES["FQ2"]["test"],
            "tag": composition.TAGS["test"],
            "ordinal_change": composition.ORDINALS["test"],
        },
    )
    _deletion(groups)
    found = outcomes.evidence(groups, configured)
    for base, lora, facts in ADAPTED:
        outcomes.add_adapted(groups, found[base], found[lora], (configured[base], configured[lora]), facts)
    groups.fill(groups.solve(seed, 2000))


def _deletion(groups):
    """What the scores do not touch: where the groups are whose anchor is not removed, and two rare kinds of groups."""
    model, value, numbers = groups.model, groups.value, range(len(groups.rows))
    occupied = []
    for union in composition.unions(groups.rows):
        removed = [value["ordinal_change", "removed", i] for i in numbers if groups.rows[i]["group"] in union]
        occupied.append(model.new_bool_var(""))
        model.add_bool_or([~bit for bit in removed]).only_enforce_if(occupied[-1])
        for bit in removed:
            model.add_implication(~bit, occupied[-1])
    model.add(sum(occupied) == composition.NOT_REMOVED_UNIONS)
    # The second of two images that moves to the front is out of range; one removed anchor at least is out of range too.
    short = [groups.both(value["ordinal_change", "shifted", i], value["base_size", "2", i]) for i in numbers]
    model.add(sum(short) <= composition.OUT_OF_RANGE["test"] - 1)
    # No camera tag lacks a camera heading.
    silent = [groups.both(value["ordinal_change", "none", i], ~value["tag", "camera", i]) for i in numbers]
    model.add(sum(silent) >= composition.NO_HEADING["test"])


def _solve_frames(rows, runs, seed):
    groups = Groups(rows, {"base_size": _sizes("FQ1"), "ontology": composition.ONTOLOGIES["FQ1"]["test"]})
    for t in runs:
        solved = groups.solved(t, "FQ1-GEM", t.gem)
        if solved and t.failures:
            # Appendix F.1: no configuration of Table 4 solves a frame group of a scene that training does not have.
            groups.model.add(groups.inside(solved, "overlap", "alone") == 0)
    groups.fill(groups.solve(seed, 500))


def _deal(rows, golds, seed):
    """Everything that the scores leave open, dealt at random: training and dev, letters, out of range, headings."""
    for family in ("FQ1", "FQ2"):
        for split in composition.GROUPS:
            here = [row for row in rows if (row["family"], row["split"]) == (family, split)]
            draw = random.Random(f"{seed} {family} {split}")
            if split != "test":
                counts = {
                    "base_size": composition.BASE_SIZES[family][split],
                    "ontology": composition.ONTOLOGIES[family][split],
                }
                if family == "FQ2":
                    counts |= {"tag": composition.TAGS[split], "ordinal_change": composition.ORDINALS[split]}
                for column, sizes in counts.items():
                    values = [str(value) for value, number in sizes.items() for _ in range(number)]
                    draw.shuffle(values)
                    for row, value in zip(here, values, strict=True):
                        row[column] = value
            _deal_letters(here, golds[family, split], draw)
            if family == "FQ2":
                _deal_deletion(here, split, draw)


def _deal_letters(rows, golds, draw):
    golds = list(golds)
    draw.shuffle(golds)
    for row in rows:
        if row["family"] == "FQ1":
            row["golds"] = "".join(golds.pop())
            continue
        size, spatial, insufficient = golds.pop(
            next(i for i, gold in enumerate(golds) if gold[0] == int(row["base_size"]))
        )
        row["golds"], row["insufficient"] = f"{spatial}{insufficient}{spatial}", insufficient


def _deal_deletion(rows, split, draw):
    # A shifted second of two images leaves the range; the other groups out of range had their last image removed.
    out = [row for row in rows if (row["ordinal_change"], row["base_size"]) == ("shifted", "2")]
    removed = [row for row in rows if row["ordinal_change"] == "removed"]
    out += draw.sample(removed, composition.OUT_OF_RANGE[split] - len(out))
    silent = [row for row in rows if row["ordinal_change"] == "none" and row["tag"] != "camera"]
    silent = list(islice(silent, composition.NO_HEADING[split]))
    for row in rows:
        row["out_of_range"] = "yes" if row in out else "no"
        row["camera_heading"] = "no" if row in silent else "yes"


def write(rows: list[dict[str, str]], path: Path) -> None:
    """Write the file, whole or not at all."""
    with replacing(path) as beside, open(beside, "w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, composition.COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main(arguments: list[str] | None = None) -> int:
    """Make the file, or with `--check` check it. Returns the exit status: 0, 1 where the file does not fit, 2 where an
    input is not what it must be."""
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.witness.strata", description=__doc__)
    parser.add_argument("--check", action="store_true", help="check the file, without the solver; write nothing")
    parser.add_argument("--published", type=Path, metavar="CSV", help="printed numbers (default: the repository's)")
    parser.add_argument("--output", type=Path, metavar="CSV", help="the strata (default: the repository's)")
    options = parser.parse_args(arguments)
    path = options.output or composition.default_path()
    try:
        published = Published(options.published)
        if not options.check:
            say = (
                (lambda line: print(line, file=sys.stderr, flush=True)) if sys.stderr.isatty() else (lambda line: None)
            )
            rows = make(published, say=say)
            if found := composition.problems(rows, published):
                raise InputError("the strata made break their own rules, nothing written:\n" + "\n".join(found))
            write(rows, path)
        found = composition.problems(composition.read(path), published)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    for line in found:
        print(line)
    print(f"{shown(path)}: {len(composition.read(path))} groups, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
