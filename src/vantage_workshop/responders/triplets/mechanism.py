"""What responders for FrameEvidence-Open share: how one is declared, how items are put to it, and how a meaning becomes a letter.

A mechanism takes the items, a request and a random generator, and gives one letter an item (items,), 0 to 3 in the order of
options without rotation, or `NO_ANSWER`: an invalid reply. It reads the items themselves, never a picture or a prompt.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vantage.predictions.triplets import NO_ANSWER
from vantage.schemas import FAMILIES, SPLITS
from vantage.triplets import MEANINGS, Triplets

Answers = NDArray[np.int8]


@dataclass(frozen=True)
class Request:
    """One pass over the items: which of them, in which experiment and under which rotation of options; `setting` tells runs of
    one set apart that differ in nothing else."""

    experiment: str = "main"
    rotation: int = 0
    repeat: int = 0
    setting: str = ""
    splits: tuple[str, ...] = SPLITS
    families: tuple[str, ...] = FAMILIES

    @property
    def run(self) -> str:
        """The name of the run.

        >>> Request("circular", rotation=2).run, Request(setting="Image count").run
        ('circular-rotation-2', 'main-image-count')
        """
        parts = [self.experiment, *re.findall(r"[a-z0-9]+", self.setting.lower())]
        parts += ["rotation", str(self.rotation)] if self.experiment == "circular" else []
        parts += [str(self.repeat)] if self.repeat else []
        return "-".join(parts)

    def asks(self, triplets: Triplets) -> NDArray[np.bool_]:
        """Which items are asked."""
        asked = triplets.questions
        return (asked["split"].isin(self.splits) & asked["family"].isin(self.families)).to_numpy()


MAIN = (Request(),)
EXECUTIONS = (
    *MAIN,
    *(Request("circular", rotation=turn, splits=("test",)) for turn in range(4)),
    Request("repeat", repeat=1, splits=("test",)),
)
"""The main run, Circular's four rotations (Section 6.4), and once more the request of rotation 0 (Appendix A, same-order control)."""

Mechanism = Callable[[Triplets, Request, Generator], Answers]


@dataclass(frozen=True)
class Responder:
    """A mechanism, its name as a prediction set, what it does in a sentence or two, and how the items are put to it.

    `figures` gives what `about` says in braces and only the items can tell.
    """

    set: str
    title: str
    about: str
    answer: Mechanism
    requests: tuple[Request, ...] = MAIN
    kind: str = "reference"
    figures: Callable[[Triplets], dict[str, int | str]] | None = None

    def described(self, triplets: Triplets) -> str:
        """`about`, with its figures."""
        return self.about.format(**self.figures(triplets)) if self.figures else self.about


def letters(triplets: Triplets, meanings: Sequence[str]) -> Answers:
    """The letter of what is meant in each item; `NO_ANSWER` where no option says it, so that the reply is invalid.

    FQ1 offers no insufficiency, and FQ2 only three of the four directions.
    """
    meant = np.array([MEANINGS.index(meaning) for meaning in meanings])[:, None] == triplets.meanings
    return np.where(meant.any(axis=1), meant.argmax(axis=1), NO_ANSWER).astype(np.int8)
