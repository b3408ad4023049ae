"""Which scenes share a request, and in which order: prompts as data, assembled from items.

Source: CVT-Bench, "Context Regimes" and Supp. 1.4. A prompt is a row a scene slot (`vantage.schemas.CVT_PROMPTS`); the
questions of a slot follow its scene in the order of their numbers.

>>> from vantage.items import load_cvt
>>> batches(load_cvt("synthetic"), 20)[4][-2:]
['synthetic-099', 'synthetic-100']
"""

import pyarrow as pa

from vantage import schemas
from vantage.errors import InputError
from vantage.items import CVTItems

SIZES = {"isolated": (1,), "competing": (20, 10)}
"""Scenes a prompt in each regime that can be assembled, the usual number first. Ten is GPT-5.2's, whose answers to twenty
scenes were cut short (Supp. 1.4)."""


def batches(items: CVTItems, size: int) -> list[list[str]]:
    """The scenes of each prompt of `size` scenes, in the frozen numeric order: sparse first, dense last (Supp. 1.4)."""
    order = [scene["scene"] for scene in sorted(items.scenes, key=lambda scene: scene["number"])]
    return [order[start : start + size] for start in range(0, len(order), size)]


def assemble(items: CVTItems, regime: str, representation: str, size: int) -> pa.Table:
    """The prompts that put every scene of `items` once, one row a scene slot, as `vantage.schemas.CVT_PROMPTS` declares.

    Isolated: one scene a request. Competing: complete scene blocks one after another, scene, its questions, next scene.
    Raises `InputError` for a regime, representation or size that cannot be assembled.
    """
    if regime not in SIZES:
        raise InputError(f"expected a regime among {', '.join(SIZES)}, found {regime!r}")
    if representation not in schemas.PROMPTED:
        raise InputError(f"expected a representation among {', '.join(schemas.PROMPTED)}, found {representation!r}")
    if size not in SIZES[regime]:
        raise InputError(f"expected size {' or '.join(map(str, SIZES[regime]))} in regime {regime}, found {size}")
    return schemas.table_of(
        [
            {
                "prompt": f"{items.domain}-{regime}-{representation}-{size}-{block}",
                "domain": items.domain,
                "regime": regime,
                "representation": representation,
                "block": block,
                "size": size,
                "position": position,
                "scene": scene,
                "role": "spatial",
            }
            for block, scenes in enumerate(batches(items, size))
            for position, scene in enumerate(scenes)
        ],
        schemas.CVT_PROMPTS,
    )
