"""The attribute questions that fill the other scenes of an attribute-filler prompt: what they ask, how, and the answer.

Source: CVT-Bench, Supp. 5: "low-complexity color, shape, material, object, and count retrieval questions whose answers are
directly available in each scene dictionary". The paper prints no template for them, so the wording is ours. A question
asks for one thing or two (its *asks*) and has one or two distinct answers. An ask is a dictionary with the attribute, and
either the tag of an object or a value (a color, shape or material); the other of the two is None:

- color, shape, material of a tag, such as "cube";
- object: the description of a tag, or of every object that has the value;
- count: how many objects have the value, in digits.

Objects are those of the scene dictionary, the tagged ones. Answers are sets: their order does not count.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

SHAPES = ("cube", "sphere", "cylinder")
COLORS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")
MATERIALS = ("rubber", "metal")
"""The taxonomy of CLEVR (Johnson et al. 2016), of which CVT-Synthetic's scenes are made."""

VALUES = {"color": COLORS, "shape": SHAPES, "material": MATERIALS}
"""The values of each attribute that an object has."""

_FIELDS = {"color": "color", "shape": "category", "material": "material"}

_QUESTION = (
    "According to the descriptions in the Scene Object Dictionary of this scene, {what}? "
    "Choose from [{options}]. Multiple answers possible."
)

Ask = Mapping[str, str | int | None]


def answers(asks: Sequence[Ask], objects: Iterable[Mapping]) -> tuple[str, ...]:
    """The answers to a question about the `objects` of a scene, each once, in the order in which they are asked for.

    >>> things = [{"tag": 0, "description": "small red metal cube", "category": "cube", "color": "red", "material": "metal"}]
    >>> answers([{"attribute": "color", "tag": 0, "value": None}, {"attribute": "count", "tag": None, "value": "cube"}], things)
    ('red', '1')
    """
    tagged = [thing for thing in objects if thing["tag"] is not None]
    found = [answer for ask in asks for answer in _answers(ask, tagged)]
    return tuple(dict.fromkeys(found))


def _answers(ask: Ask, tagged: Sequence[Mapping]) -> list[str]:
    attribute, tag, value = ask["attribute"], ask["tag"], ask["value"]
    if attribute == "count":
        return [str(sum(_has(thing, value) for thing in tagged))]
    if attribute == "object":
        return [thing["description"] for thing in tagged if thing["tag"] == tag or _has(thing, value)]
    return [thing[_FIELDS[attribute]] for thing in tagged if thing["tag"] == tag]


def _has(thing: Mapping, value: str | None) -> bool:
    return value in [thing[field] for field in _FIELDS.values()]


def offered(asks: Sequence[Ask], objects: Iterable[Mapping]) -> tuple[str, ...]:
    """The answers that a question offers: those of the right sort, as the reply to it may give them."""
    tagged = [thing for thing in objects if thing["tag"] is not None]
    sorts = VALUES | {
        "object": [thing["description"] for thing in tagged],
        "count": [str(number) for number in range(len(tagged) + 1)],
    }
    return tuple(dict.fromkeys(answer for ask in asks for answer in sorts[ask["attribute"]]))


def exact(given: Sequence[frozenset[str]], gold: Sequence[frozenset[str]]) -> NDArray[np.bool_]:
    """Whether each set of answers is the gold set, (questions,). The empty set, of an invalid or missing answer, never is."""
    return np.array([answer == right for answer, right in zip(given, gold, strict=True)], dtype=bool)


def question_text(asks: Sequence[Ask]) -> str:
    """The question in our words.

    >>> question_text([{"attribute": "material", "tag": 3, "value": None}])  # doctest: +ELLIPSIS
    'According to ..., what is the material of the object with Tag 3? Choose from [rubber, metal]. Multiple answers possible.'
    """
    sorts = {name: ", ".join(values) for name, values in VALUES.items()} | {
        "object": "the descriptions in the dictionary",
        "count": "the whole numbers from 0",
    }
    options = dict.fromkeys(sorts[ask["attribute"]] for ask in asks)
    what = f"what {'is' if len(asks) == 1 else 'are'} {' and '.join(_phrase(ask) for ask in asks)}"
    return _QUESTION.format(what=what, options=", ".join(options))


def _phrase(ask: Ask) -> str:
    attribute, tag, value = ask["attribute"], ask["tag"], ask["value"]
    if attribute == "count":
        return f"the number of objects that are {f'{value}s' if value in SHAPES else value}"
    name = "description" if attribute == "object" else attribute
    if tag is not None:
        return f"the {name} of the object with Tag {tag}"
    return f"the {name} of every object that is {f'a {value}' if value in SHAPES else value}"
