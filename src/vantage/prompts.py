"""Prompts: which scenes share a request, in which order, and in which words; assembled from items.

Source: CVT-Bench, "Context Regimes", Supp. 1.4, 5, 7.3 and 7.4. A prompt is a row a scene slot (`vantage.schemas.CVT_PROMPTS`):
master prompt, then slot after slot the picture (in Image), the scene's block and its questions, numbered from q_1. An image's
name is its scene's identifier.

>>> from vantage.items import load_cvt
>>> items = load_cvt("synthetic")
>>> batches(items, 20)[4][-2:]
['synthetic-099', 'synthetic-100']
>>> prompts = assemble(items, "irrelevant_filler", "text_bbox").to_pandas()
>>> prompts.prompt.nunique(), prompts.role.value_counts().to_dict()
(15, {'irrelevant': 285, 'spatial': 15})
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from vantage import files, schemas
from vantage.errors import InputError
from vantage.items import AttributeQuestions, CVTItems, load_attribute_questions
from vantage.relations import vocabulary
from vantage.templates import MASTERS, scene_block

SIZES = {"isolated": (1,), "competing": (20, 10), "irrelevant_filler": (20,), "attribute_filler": (20,)}
"""Scenes a prompt in each regime, the usual number first. Ten is GPT-5.2's, whose answers to twenty scenes were cut short
(Supp. 1.4)."""

FILLERS = ("irrelevant_filler", "attribute_filler")
"""The regimes in which one scene of a prompt is asked about its relations, the target (Supp. 5)."""

FILLER_DOMAINS = ("synthetic",)
"""The domains of filler prompts (see the page of definitions)."""

TARGET_POSITIONS = (0, 9, 19)
"""The slots in which a filler prompt has its target (Supp. 5)."""

FILLER_SENTENCE = "The committee thanked everyone who had helped with the concert and wished them all a good evening. "
"""The irrelevant sentence, which is ours: the paper prints none. It is about no place, color, shape, material or number."""

_BETWEEN = "\n\n"


def batches(items: CVTItems, size: int) -> list[list[str]]:
    """The scenes of each prompt of `size` scenes, in the frozen numeric order: sparse first, dense last (Supp. 1.4)."""
    order = [scene["scene"] for scene in sorted(items.scenes, key=lambda scene: scene["number"])]
    return [order[start : start + size] for start in range(0, len(order), size)]


def target_scenes(items: CVTItems, target_position: int) -> list[str]:
    """The scenes that are targets in this slot of their batch of twenty, one a filler prompt (Supp. 5).

    Raises `InputError` for a slot that has no targets, and for items of a domain without filler prompts.
    """
    if items.domain not in FILLER_DOMAINS:
        raise InputError(
            f"expected filler prompts in a domain among {', '.join(FILLER_DOMAINS)}, found {items.domain!r}; "
            "the paper's are of this domain alone"
        )
    if target_position not in TARGET_POSITIONS:
        raise InputError(
            f"expected a target position among {', '.join(map(str, TARGET_POSITIONS))}, found {target_position}"
        )
    return [scenes[target_position] for scenes in batches(items, 20)]


def asked_in(items: CVTItems, scenes: pd.Series, regime: str, target_position: int | None) -> NDArray[np.bool_]:
    """Which questions a run asks, along the column `scenes` of spatial questions: all, or in a filler regime those about its targets.

    In the attribute filler, the others are the scenes of which the run asks the attribute questions. Raises `InputError` as
    `target_scenes` does, and for a target position in a regime that has none.
    """
    if regime in FILLERS:
        return scenes.isin(target_scenes(items, target_position)).to_numpy()
    if target_position is not None:
        raise InputError(f"expected no target position in regime {regime}, found {target_position}")
    return np.ones(len(scenes), dtype=bool)


def assemble(
    items: CVTItems,
    regime: str,
    representation: str,
    size: int | None = None,
    target_positions: Sequence[int] | None = None,
) -> pa.Table:
    """The prompts of a regime, one row a scene slot, as `vantage.schemas.CVT_PROMPTS` declares.

    - Isolated: one scene a request.
    - Competing: complete scene blocks one after another: scene, its questions, next scene.
    - Irrelevant filler: the competing prompt with every block but the target's replaced by the irrelevant sentence, as often as
      comes closest to the length removed up to there.
    - Attribute filler: the competing prompt with the questions of every scene but the target replaced by its attribute questions.

    Isolated and competing prompts have every scene once. `size` is the number of scenes a prompt, by default the regime's
    usual one; `target_positions` are the slots of targets in a filler regime, each of which makes a prompt a batch, by default
    `TARGET_POSITIONS`. Raises `InputError` for what cannot be assembled.
    """
    if regime not in SIZES:
        raise InputError(f"expected a regime among {', '.join(SIZES)}, found {regime!r}")
    if representation not in schemas.PROMPTED:
        raise InputError(f"expected a representation among {', '.join(schemas.PROMPTED)}, found {representation!r}")
    size = SIZES[regime][0] if size is None else size
    if size not in SIZES[regime]:
        raise InputError(f"expected size {' or '.join(map(str, SIZES[regime]))} in regime {regime}, found {size}")
    if regime in FILLERS:
        targets_of = {slot: target_scenes(items, slot) for slot in target_positions or TARGET_POSITIONS}
    elif target_positions:
        raise InputError(f"expected no target position in regime {regime}, found {target_positions[0]}; leave it out")
    else:
        targets_of = {None: [scene["scene"] for scene in items.scenes]}
    blocks = {scene["scene"]: scene_block(scene, representation) for scene in items.scenes}
    texts = {"spatial": _with_questions(blocks, items.questions)}
    if regime == "attribute_filler":
        texts["attribute"] = _with_questions(blocks, load_attribute_questions(items.domain).questions)
    rows = []
    for target_position, targets in targets_of.items():
        for block, batch in enumerate(batches(items, size)):
            roles = ["spatial" if name in targets else regime.removesuffix("_filler") for name in batch]
            fillers = irrelevant_texts(
                [len(texts["spatial"][name]) * (role == "irrelevant") for name, role in zip(batch, roles, strict=True)]
            )
            rows += [
                {
                    "prompt": f"{items.domain}-{regime}-{representation}-"
                    f"{size if target_position is None else target_position}-{block}",
                    "domain": items.domain,
                    "regime": regime,
                    "representation": representation,
                    "block": block,
                    "size": size,
                    "position": position,
                    "scene": None if role == "irrelevant" else name,
                    "image": name if representation == "image" and role != "irrelevant" else None,
                    "role": role,
                    "target_position": target_position,
                    "text": filler if role == "irrelevant" else texts[role][name],
                }
                for position, (name, role, filler) in enumerate(zip(batch, roles, fillers, strict=True))
            ]
    return schemas.table_of(rows, schemas.CVT_PROMPTS)


def _with_questions(blocks: dict[str, str], questions: pd.DataFrame) -> dict[str, str]:
    """The blocks of scenes, each followed by its questions in the order of their numbers."""
    asked = questions.sort_values(["scene", "number"]).groupby("scene")
    lines = {
        name: [f"{reply_key(number)}: {text}" for number, text in zip(part.number, part.text, strict=True)]
        for name, part in asked
    }
    return {name: "\n".join([block, *lines[name]]) for name, block in blocks.items()}


def reply_key(number: int) -> str:
    """What a reply calls a scene's question of this number, from 1: q_<id>."""
    return f"q_{number}"


def irrelevant_texts(lengths: Sequence[int]) -> list[str]:
    """The irrelevant sentence, repeated in each slot so that all slots up to it come closest to the `lengths` up to it.

    >>> [len(text) for text in irrelevant_texts([250, 250, 0, 250])]
    [296, 197, 0, 296]
    """
    counts = [round(total / len(FILLER_SENTENCE)) for total in accumulate(lengths, initial=0)]
    return [(FILLER_SENTENCE * (upto - before)).rstrip() for before, upto in pairwise(counts)]


def prompt_text(prompt: pd.DataFrame) -> str:
    """The whole text of one prompt from its rows, without its pictures: master prompt, then slot after slot."""
    return _BETWEEN.join([MASTERS[prompt.representation.iloc[0]], *prompt.sort_values("position").text])


def requests(items: CVTItems, prompts: pa.Table) -> Iterator[dict]:
    """Each prompt as a request that can be sent, in order.

    A request has the identifier and settings of its prompt, its `scenes` (slot after slot, None for irrelevant text),
    `messages` (one, of the user: content parts in order, text or an image by its name), and `reply`: what its answer must
    be, as a JSON Schema. It maps image name to q_<id> to a list of the answers that the question offers.
    """
    spatial = {
        scene: {
            reply_key(question.number): vocabulary(question.viewpoint, question.kind == "vertical")
            for question in part.itertuples()
        }
        for scene, part in items.questions.groupby("scene")
    }
    offered = {"spatial": spatial}
    if "attribute" in prompts["role"].unique().to_pylist():
        offered["attribute"] = _offered_by_scene(load_attribute_questions(items.domain))
    for _, rows in groupby(prompts.to_pylist(), lambda slot: slot["prompt"]):
        slots = list(rows)
        content = [{"type": "text", "text": MASTERS[slots[0]["representation"]]}]
        for slot in slots:
            if slot["image"] is not None:
                content.append({"type": "image", "image": slot["image"]})
            content.append({"type": "text", "text": _BETWEEN + slot["text"]})
        asked = {slot["scene"]: offered[slot["role"]][slot["scene"]] for slot in slots if slot["scene"] is not None}
        yield {
            **{name: slots[0][name] for name in _SETTINGS},
            "scenes": [slot["scene"] for slot in slots],
            "messages": [{"role": "user", "content": content}],
            "reply": _object(
                {name: _object({key: _list_of(words) for key, words in keys.items()}) for name, keys in asked.items()}
            ),
        }


_SETTINGS = ("prompt", "domain", "regime", "representation", "block", "size", "target_position")
"""The columns of `vantage.schemas.CVT_PROMPTS` that a prompt has once."""


def write_requests(requests: Iterable[dict], path: Path) -> int:
    """Write requests as JSON Lines, one a line, whole or not at all; returns how many.

    Raises `InputError` where no file can be written to `path`.
    """
    count = 0
    try:
        with files.replacing(path) as beside, open(beside, "w", encoding="utf-8") as lines:
            for request in requests:
                lines.write(json.dumps(request, ensure_ascii=False) + "\n")
                count += 1
    except OSError as error:
        raise InputError(
            f"{files.shown(path)}: expected a place for a file, found none ({error.strerror}); name another"
        ) from error
    return count


def _offered_by_scene(attributes: AttributeQuestions) -> dict[str, dict[str, tuple[str, ...]]]:
    found = {}
    for question, words in zip(attributes.questions.itertuples(), attributes.offered, strict=True):
        found.setdefault(question.scene, {})[reply_key(question.number)] = words
    return found


def _object(properties: dict) -> dict:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list_of(words: Sequence[str]) -> dict:
    return {"type": "array", "items": {"enum": list(words)}, "minItems": 1, "uniqueItems": True}
