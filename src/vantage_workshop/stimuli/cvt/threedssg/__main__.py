"""Make items of the domain `real` from your own licensed copy of 3RScan and 3DSSG, by CVT-Indoor's protocol.

FOLDER holds objects.json and relationships.json of 3DSSG, and one folder a scan of 3RScan with semseg.v2.json and the
unpacked sequence. See data/cvt/README.md.
"""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from vantage import files
from vantage.errors import InputError
from vantage.items import TITLES
from vantage_workshop.stimuli.__main__ import SEED
from vantage_workshop.stimuli.cvt.threedssg.items import SCHEMAS, checked, find_scenes, origins, tables
from vantage_workshop.stimuli.cvt.threedssg.source import Source
from vantage_workshop.stimuli.writing import About, write_items

MADE_BY = (
    "python -m vantage_workshop.stimuli.cvt.threedssg, from a user's own copy of 3RScan and 3DSSG: the same source as the authors' "
    "CVT-Real, not the same scenes or questions"
)
LICENSE = "not for redistribution: derived from 3RScan and 3DSSG under the terms of use that their user has agreed to"


def listed(path: Path) -> list[str]:
    """The scans that a text file names, one a line. Raises `InputError` for a file without any and for a repeated one."""
    names = [line.strip() for line in files.reading(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    if not names:
        raise InputError(f"{files.shown(path)}: expected the name of a scan a line, found none; add them")
    for place, name in enumerate(names, 1):
        if name in names[: place - 1]:
            raise InputError(f"{files.shown(path)}: expected each scan once, found {name} again; remove one")
    return names


def make(folder: Path, scans: Path | None, to: Path | None, seed: int) -> str:
    """Make the items and say in one line a matter what came out."""
    source = Source(folder)
    names = listed(scans) if scans else source.scans()
    found, without = find_scenes(source, tqdm(names, disable=None, unit="scan"), every=scans is not None)
    made, check = tables(found, seed), checked(found)
    to = to or files.root() / "data" / "cvt" / "real"
    write_items(
        to,
        About("cvt/real", TITLES["real"], MADE_BY, seed, LICENSE),
        made,
        SCHEMAS,
        texts={"origins.csv": origins(found).to_csv(index=False), "relationships.csv": check.to_csv(index=False)},
    )
    said = [f"{files.shown(to)}: {len(found)} scenes, {made['questions'].num_rows} questions"]
    if without:
        said.append(f"{len(without)} scans give no scene and were left out: {', '.join(without)}")
    said.append(
        f"above and below: 3DSSG's relationships speak about clean vertical pairs {len(check)} times and disagree with boxes and "
        f"picture {int((~check.agrees.astype(bool)).sum())} times (relationships.csv)"
    )
    return "\n".join(said)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.stimuli.cvt.threedssg", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="your copy of 3RScan and 3DSSG")
    parser.add_argument(
        "--scans",
        type=Path,
        metavar="FILE",
        help="the scans to use, one a line; each must give a scene (default: all, without those that give none)",
    )
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where to write (default data/cvt/real)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of everything that is drawn (default {SEED})")
    options = parser.parse_args(arguments)
    try:
        print(make(options.folder, options.scans, options.to, options.seed))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
