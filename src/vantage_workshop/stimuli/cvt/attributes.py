"""Draws the attribute questions of a scene, as many with one and with two answers as it has spatial ones (CVT-Bench, Supp. 5)."""

import itertools
import random
from collections.abc import Mapping, Sequence

from vantage.attributes import VALUES, Ask, answers, question_text
from vantage.errors import InputError


def attribute_rows(rng: random.Random, scene: Mapping, spatial: Sequence[Mapping]) -> list[dict]:
    """The attribute questions of a scene, as `vantage.schemas.CVT_ATTRIBUTE_QUESTIONS` declares, for its `spatial` questions.

    No question comes twice. The sorts of question take turns, so that each is asked about as often as the scene allows; the
    order is shuffled. Raises `InputError` where the scene has too few objects for as many questions.
    """
    drawn = []
    for cardinality in (1, 2):
        wanted = sum(len(question["gold"]) == cardinality for question in spatial)
        sorts = [
            [asks for asks in sort if len(answers(asks, scene["objects"])) == cardinality] for sort in _sorts(scene)
        ]
        for sort in sorts:
            rng.shuffle(sort)
        in_turn = [asks for turn in itertools.zip_longest(*sorts) for asks in turn if asks is not None]
        if len(in_turn) < wanted:
            raise InputError(
                f"expected {wanted} attribute questions of {cardinality} answers about {scene['scene']}, found {len(in_turn)}; "
                "ask fewer spatial questions"
            )
        drawn += in_turn[:wanted]
    rng.shuffle(drawn)
    return [
        {
            "item": f"{scene['scene']}-a{number:02d}",
            "scene": scene["scene"],
            "number": number,
            "attribute": asks[0]["attribute"],
            "asks": list(asks),
            "gold": list(gold := answers(asks, scene["objects"])),
            "cardinality": len(gold),
            "text": question_text(asks),
        }
        for number, asks in enumerate(drawn, 1)
    ]


def _sorts(scene: Mapping) -> list[list[tuple[Ask, ...]]]:
    """Every question that can be asked, by sort: one ask of each attribute, two of one, and two of different ones."""
    tags = [thing["tag"] for thing in scene["objects"] if thing["tag"] is not None]
    of_tag = {name: [_ask(name, tag=tag) for tag in tags] for name in (*VALUES, "object")}
    of_value = {
        name: [_ask(name, value=value) for values in VALUES.values() for value in values]
        for name in ("object", "count")
    }
    asks = [*of_tag.values(), *of_value.values()]
    alone = [[(ask,) for ask in sort] for sort in asks]
    alike = [list(itertools.combinations(sort, 2)) for sort in (*of_tag.values(), of_value["count"])]
    mixed = [list(itertools.product(of_tag[one], of_tag[other])) for one, other in itertools.combinations(VALUES, 2)]
    return [*alone, *alike, *mixed]


def _ask(attribute: str, tag: int | None = None, value: str | None = None) -> Ask:
    return {"attribute": attribute, "tag": tag, "value": value}
