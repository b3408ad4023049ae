"""The command `vantage`."""

import argparse
import json
import sys
from pathlib import Path

from vantage.errors import InputError

DESCRIPTION = "Recompute two papers on perspective-taking in multimodal models from item-level answers."

EPILOG = """\
examples:
  vantage run                   execute what is stale
  vantage run cvt/viewpoints    only this notebook
  vantage run cvt/viewpoints --predictions reference_oracle path/to/my_model -p seed 7
  vantage ledger                compare every printed number
  vantage prompts --regime competing --representation text_bbox --to prompts.jsonl

exit status: 0 done, 1 a notebook failed, 2 an input is not what it must be (one line says what, where, what to do)
"""

PROMPTS = "Write the requests of a context regime as JSON Lines, one request a line."

PROMPTS_EPILOG = """\
A line has: prompt, domain, regime, representation, block, size, target_position; scenes, slot after slot;
messages, whose content is parts in order: {"type": "text", "text": ...} or {"type": "image", "image": NAME};
reply, a JSON Schema of the answer: image name -> q_<id> -> list of the answers offered.
Send a line's messages with each picture in the place of its name.

examples:
  vantage prompts --regime isolated --representation image --to isolated.jsonl
  vantage prompts --domain indoor --regime competing --representation scene_graph --size 10 --to tens.jsonl
  vantage prompts --regime attribute_filler --representation text_bbox --target-position 9 --to attribute-9.jsonl
"""


def main(argv: list[str] | None = None) -> int:
    """Carry out one command line and return its exit status."""
    arguments = _parser().parse_args(argv)
    try:
        return arguments.command(arguments)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="vantage", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="execute the notebooks that are stale, into book/results/")
    run.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help="such as cvt/viewpoints; default: all")
    run.add_argument(
        "--predictions", nargs="+", metavar="SET", help="prediction sets, by name in frozen_predictions/ or by path"
    )
    run.add_argument(
        "-p",
        dest="parameters",
        nargs=2,
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help="give a parameter another value (JSON, else text), in each notebook that declares it",
    )
    run.add_argument("--jobs", type=_count, metavar="N", help="how many at a time; default: one a core")
    run.add_argument("--force", action="store_true", help="execute also what is not stale")
    run.set_defaults(command=_run)

    ledger = commands.add_parser("ledger", help="compare every printed number, write _build/ledger.csv")
    ledger.set_defaults(command=_ledger)

    prompts = commands.add_parser(
        "prompts",
        help="write the requests of a regime as JSON Lines",
        description=PROMPTS,
        epilog=PROMPTS_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    prompts.add_argument("--domain", default="synthetic", metavar="DOMAIN", help="synthetic (default), indoor or real")
    prompts.add_argument(
        "--regime", required=True, metavar="REGIME", help="isolated, competing, irrelevant_filler or attribute_filler"
    )
    prompts.add_argument(
        "--representation", required=True, metavar="REPRESENTATION", help="image, text_bbox or scene_graph"
    )
    prompts.add_argument(
        "--size", type=_count, metavar="N", help="scenes a prompt: 20 (default) or 10 in regime competing"
    )
    prompts.add_argument(
        "--target-position",
        type=int,
        nargs="+",
        metavar="SLOT",
        help="slots of the target in a filler regime, from 0; default: 0 9 19",
    )
    prompts.add_argument("--to", required=True, type=Path, metavar="FILE", help="where to write")
    prompts.set_defaults(command=_prompts)
    return parser


# Each command imports what it needs: a command line must answer at once.


def _run(arguments: argparse.Namespace) -> int:
    from vantage import pipeline

    parameters = {name: _value(text) for name, text in arguments.parameters}
    if arguments.predictions:
        parameters["predictions"] = arguments.predictions
    return pipeline.run(arguments.notebooks, parameters, arguments.jobs, arguments.force)


def _ledger(arguments: argparse.Namespace) -> int:
    from vantage import files, ledger

    frame = ledger.build()
    path = ledger.write(frame)
    print(ledger.summary(frame))
    print(f"written to {files.shown(path)}")
    return 0


def _prompts(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from vantage import files, prompts
    from vantage.items import load_cvt

    items = load_cvt(arguments.domain)
    table = prompts.assemble(
        items, arguments.regime, arguments.representation, arguments.size, arguments.target_position
    )
    requests = prompts.requests(items, table)
    total = len(table["prompt"].unique())
    written = prompts.write_requests(tqdm(requests, total=total, disable=None, unit="prompt"), arguments.to)
    print(f"{written} prompts written to {files.shown(arguments.to)}")
    return 0


def _value(text: str):
    """A parameter's value from the command line: JSON where it is JSON, else the text itself.

    >>> _value("7"), _value('["a", "b"]'), _value("oracle")
    (7, ['a', 'b'], 'oracle')
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, found {text!r}")
    return int(text)
