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

from ortools.sat.python import cp_model

from vantage.errors import InputError
from vantage.files import replacing, shown
from vantage_workshop.witness import composition, letters, pairs
from vantage_workshop.witness.composition import SCENES
from vantage_workshop.witness.targets import Published, Targets, configurations, ordinary_runs

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


class _Strata:
    """Unknown strata of some test groups, as Booleans of a model, one for each value."""

    def __init__(self, model, rows, columns):
        self.model, self.rows = model, rows
        self.value = {}
        for column, sizes in columns.items():
            for i in range(len(rows)):
                for value in sizes:
                    self.value[column, value, i] = model.new_bool_var("")
                model.add_exactly_one(self.value[column, value, i] for value in sizes)
            for value, number in sizes.items():
                model.add(sum(self.value[column, value, i] for i in range(len(rows))) == number)
        self.columns = columns

    def both(self, one, other):
        """A Boolean that is true exactly where two are."""
        both = self.model.new_bool_var("")
        self.model.add_implication(both, one)
        self.model.add_implication(both, other)
        self.model.add_bool_or([~one, ~other, both])
        return both

    def solved(self, targets: Targets, metric: str, total: int) -> list | None:
        """The groups that a configuration solves, with the counts of each stratum; nothing where it solves none."""
        if not total:
            return None
        chosen = [self.model.new_bool_var("") for _ in self.rows]
        self.model.add(sum(chosen) == total)
        cells = dict(targets.by[metric])
        if metric == "NTS" and targets.ordinal:
            cells["ordinal_change"] = targets.ordinal
        for stratum, counts in cells.items():
            for value, number in counts.items():
                if stratum in self.columns:
                    inside = [self.both(bit, self.value[stratum, value, i]) for i, bit in enumerate(chosen)]
                else:
                    inside = [bit for bit, row in zip(chosen, self.rows, strict=True) if _has(row, stratum, value)]
                self.model.add(sum(inside) == number)
        return chosen

    def fill(self, solver):
        """Write the values of a solution into the rows."""
        for (column, value, i), chosen in self.value.items():
            if solver.boolean_value(chosen):
                self.rows[i][column] = str(value)


def _has(row, stratum, value):
    if stratum == "overlap":
        return composition.overlap(row["scene"]) == value
    return row[stratum] == value


def _solver(model, seed, limit, what):
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = limit
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise InputError(
            f"found no {what} that fit the printed joint scores ({solver.status_name()}); check the scores"
        )
    return solver


def _sizes(family):
    return {str(size): number for size, number in composition.BASE_SIZES[family]["test"].items()}


def _solve_evidence(rows, configured, seed):
    model = cp_model.CpModel()
    strata = _Strata(
        model,
        rows,
        {
            "base_size": _sizes("FQ2"),
            "ontology": composition.ONTOLOGIES["FQ2"]["test"],
            "tag": composition.TAGS["test"],
            "ordinal_change": composition.ORDINALS["test"],
        },
    )
    _not_removed(model, rows, strata)
    nts = {name: strata.solved(t, "NTS", t.nts) for name, t in configured.items()}
    dis = {name: strata.solved(t, "DIS", t.dis) for name, t in configured.items()}
    for name, t in configured.items():
        if nts[name]:
            # Both joint successes need the MSS answer.
            shared = [strata.both(one, other) for one, other in zip(nts[name], dis[name], strict=True)]
            model.add(sum(shared) >= t.nts + t.dis - t.failures["m"])
        # Appendix G.1: rates of 27 rendered and 21 captured groups.
        ahead = 7 * _inside(dis[name], rows, "source", "rendered") - 9 * _inside(dis[name], rows, "source", "captured")
        model.add(ahead <= -1 if name in pairs.CAPTURED_AHEAD else ahead >= 1)
    for base, lora, facts in pairs.ADAPTED:
        _adapted(model, rows, strata, configured, nts, dis, base, lora, facts)
    strata.fill(_solver(model, seed, 2000, "strata of FQ2 groups"))


def _inside(chosen, rows, stratum, value):
    return sum(bit for bit, row in zip(chosen, rows, strict=True) if _has(row, stratum, value))


def _not_removed(model, rows, strata):
    """The groups whose anchor is not removed lie in exactly six union components; a shifted second of two images is out
    of range, and only four groups are."""
    for union in composition.unions(rows):
        removed = [strata.value["ordinal_change", "removed", i] for i, row in enumerate(rows) if row["group"] in union]
        used = model.new_bool_var("")
        strata.value["used", min(union), -1] = used
        model.add_bool_or([~bit for bit in removed]).only_enforce_if(used)
        for bit in removed:
            model.add_implication(~bit, used)
    used = [bit for (column, _, _), bit in strata.value.items() if column == "used"]
    model.add(sum(used) == composition.NOT_REMOVED_UNIONS)
    for key in [key for key in strata.value if key[0] == "used"]:
        del strata.value[key]
    short = [
        strata.both(strata.value["ordinal_change", "shifted", i], strata.value["base_size", "2", i])
        for i in range(len(rows))
    ]
    # One removed anchor at least is out of range too.
    model.add(sum(short) <= composition.OUT_OF_RANGE["test"] - 1)
    # The two groups without a camera heading have no camera tag.
    silent = [
        strata.both(strata.value["ordinal_change", "none", i], ~strata.value["tag", "camera", i])
        for i in range(len(rows))
    ]
    model.add(sum(silent) >= composition.NO_HEADING["test"])


def _adapted(model, rows, strata, configured, nts, dis, base, lora, facts):
    """What the paper says about an adapter and its base together: Table 21, and the scenes that training lacks."""
    right = {}
    for name in (base, lora):
        right[name] = [model.new_bool_var("") for _ in rows]
        model.add(sum(right[name]) == configured[name].failures["m"])
        for solved in (nts[name], dis[name]):
            for bit, mss in zip(solved, right[name], strict=True):
                model.add_implication(bit, mss)
    common = [strata.both(one, other) for one, other in zip(right[base], right[lora], strict=True)]
    model.add(sum(common) == facts.partition[0])
    for solved, (before, after) in ((nts, facts.common_nts), (dis, facts.common_dis)):
        here = {
            name: [strata.both(bit, mss) for bit, mss in zip(solved[name], common, strict=True)]
            for name in (base, lora)
        }
        model.add(sum(here[base]) == before)
        model.add(sum(here[lora]) == after)
        # Changes on the common groups go one way.
        kept = [strata.both(one, other) for one, other in zip(here[base], here[lora], strict=True)]
        model.add(sum(kept) == min(before, after))
    for metric, solved in (("NTS", nts), ("DIS", dis)):
        for name, number in facts.alone.get(metric, {}).items():
            model.add(_inside(solved[name], rows, "overlap", "alone") == number)
    for one, other, row in zip(dis[base], dis[lora], rows, strict=True):
        if "DIS" in facts.no_common_success_alone and _has(row, "overlap", "alone"):
            model.add_bool_or([~one, ~other])


def _solve_frames(rows, runs, seed):
    model = cp_model.CpModel()
    strata = _Strata(
        model,
        rows,
        {"base_size": _sizes("FQ1"), "ontology": composition.ONTOLOGIES["FQ1"]["test"]},
    )
    for t in runs:
        solved = strata.solved(t, "FQ1-GEM", t.gem)
        if solved and t.failures:
            model.add(_inside(solved, rows, "overlap", "alone") == 0)
    strata.fill(_solver(model, seed, 500, "strata of FQ1 groups"))


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
