"""Prompts are assembled as the paper says: CVT-Bench, "Context Regimes" and Supp. 1.4."""

import pytest

from vantage import schemas
from vantage.errors import InputError
from vantage.items import load_cvt
from vantage.prompts import SIZES, assemble, batches


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


def test_twenty_scenes_compete_in_each_of_five_prompts(items):
    """ "Gemini, Kimi, and both Qwen variants use 20 scenes per competing prompt", in numeric order."""
    prompts = assemble(items, "competing", "image", 20).to_pandas()
    assert prompts.groupby("prompt").size().tolist() == [20] * 5
    assert prompts.position.tolist() == list(range(20)) * 5
    assert prompts.scene.tolist() == [f"synthetic-{number:03d}" for number in range(1, 101)]
    assert (prompts.block == prompts.index // 20).all()


def test_only_one_block_mixes_densities(items):
    """ "sparse-first and dense-last, with only one mixed-density block": of 50 and 50 scenes, the third block gets ten each."""
    density = {scene["scene"]: scene["density"] for scene in items.scenes}
    sparse = [sum(density[scene] == "sparse" for scene in batch) for batch in batches(items, 20)]
    assert sparse == [20, 20, 10, 0, 0]
    assert [sum(density[scene] == "sparse" for scene in batch) for batch in batches(items, 10)] == [10] * 5 + [0] * 5


def test_the_order_is_that_of_scene_numbers_not_of_the_file(items):
    shuffled = type(items)(**vars(items) | {"scenes": items.scenes[::-1]})
    assert batches(shuffled, 20) == batches(items, 20)


def test_an_isolated_prompt_holds_one_scene(items):
    prompts = assemble(items, "isolated", "text_bbox", 1).to_pandas()
    assert len(prompts) == prompts.prompt.nunique() == prompts.scene.nunique() == 100
    assert (prompts.position == 0).all()


@pytest.mark.parametrize(("regime", "size"), [(regime, size) for regime, sizes in SIZES.items() for size in sizes])
def test_the_table_is_as_declared_and_asks_spatial_questions_alone(items, regime, size):
    table = assemble(items, regime, "scene_graph", size)
    assert schemas.CVT_PROMPTS.check(table, "prompts").equals(table)
    assert set(table["role"].to_pylist()) == {"spatial"}
    assert set(table["size"].to_pylist()) == {size}
    assert table["target_position"].null_count == len(table)


@pytest.mark.parametrize(
    ("regime", "representation", "size", "message"),
    [
        ("attribute_filler", "image", 20, "regime among isolated, competing, found 'attribute_filler'"),
        ("competing", "symbolic", 20, "image, text_bbox, scene_graph, found 'symbolic'"),
        ("competing", "image", 5, "size 20 or 10 in regime competing, found 5"),
        ("isolated", "image", 20, "size 1 in regime isolated, found 20"),
    ],
)
def test_what_cannot_be_assembled_is_refused(items, regime, representation, size, message):
    with pytest.raises(InputError, match=message):
        assemble(items, regime, representation, size)
