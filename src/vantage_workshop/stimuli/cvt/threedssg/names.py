"""What the objects of a scan are called, and which of them can be asked about at all."""

from collections import Counter
from collections.abc import Sequence

from vantage_workshop.stimuli.cvt.threedssg.source import Thing

SURROUNDINGS = frozenset({"ceiling", "floor", "shower floor", "shower wall", "wall"})
"""Labels of 3DSSG that enclose everything else: never asked about, and no box of theirs hides anything."""

NAMELESS = frozenset({"clutter", "decoration", "item", "object", "objects"})
"""Labels that name no thing to look for. What cannot be reliably identified is not asked about ("Benchmark Domains and
Construction"), but it hides what is behind it."""

# The fewest words that tell things of one label apart are used.
_WORDINGS = ((), ("color",), ("color", "material"), ("size", "color", "material"))


def attribute(thing: Thing, category: str) -> str | None:
    """The words of one category of attributes, such as "dark gray"; none where 3DSSG has none."""
    return " ".join(thing.attributes.get(category, ())) or None


def descriptions(things: Sequence[Thing]) -> list[str]:
    """A description of each thing that no other has: its label, with attributes where labels repeat, and with a number
    where those repeat too (in the order of instance numbers, which says nothing about where things are)."""
    found: dict[int, str] = {}
    for label in sorted({thing.label for thing in things}):
        alike = [thing for thing in things if thing.label == label]
        for categories in _WORDINGS:
            said = [_say(thing, categories) for thing in alike]
            if len(set(said)) == len(said):
                break
        repeated, met = Counter(said), Counter()
        for thing, words in zip(alike, said, strict=True):
            met[words] += 1
            found[thing.number] = f"{words} {met[words]}" if repeated[words] > 1 else words
    return [found[thing.number] for thing in things]


def _say(thing: Thing, categories: Sequence[str]) -> str:
    words = [attribute(thing, category) for category in categories]
    return " ".join([*filter(None, words), thing.label])
