"""The command `vantage`."""

import argparse
import json
import sys

from vantage.errors import InputError

DESCRIPTION = "Recompute two papers on perspective-taking in multimodal models from item-level answers."

EPILOG = """\
examples:
  vantage run                   execute what is stale
  vantage run cvt/viewpoints    only this notebook
  vantage run cvt/viewpoints --predictions reference_oracle path/to/my_model -p seed 7
  vantage ledger                compare every printed number

exit status: 0 done, 1 a notebook failed, 2 an input is not what it must be (one line says what, where, what to do)
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
