"""Prompts are assembled and worded as the paper says: CVT-Bench, "Context Regimes", Supp. 1.4, 5, 7.3 and 7.4."""

import json
import re
import subprocess
import sys

import jsonschema
import numpy as np
import pandas as pd
import pytest

from vantage import schemas, templates
from vantage.errors import InputError
from vantage.items import CVTItems, load_attribute_questions, load_cvt
from vantage.prompts import (
    FILLER_SENTENCE,
    FILLERS,
    SIZES,
    TARGET_POSITIONS,
    asked_in,
    assemble,
    batches,
    irrelevant_texts,
    prompt_text,
    requests,
    target_scenes,
    write_requests,
)
from vantage.relations import ABOVE, BEHIND, RIGHT
from vantage.templates import question_text, scene_block

EACH = [(regime, representation) for regime in SIZES for representation in schemas.PROMPTED]


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def assembled(items):
    """The prompts of every regime, in each representation, as frames."""
    return {key: assemble(items, *key).to_pandas() for key in EACH}


# ---------------------------------------------------------------------------------------------------------- batches


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
def test_the_table_is_as_declared(items, regime, size):
    table = assemble(items, regime, "scene_graph", size)
    assert schemas.CVT_PROMPTS.check(table, "prompts").equals(table)
    assert set(table["size"].to_pylist()) == {size}
    positions = set(table["target_position"].to_pylist())
    assert positions == (set(TARGET_POSITIONS) if regime in FILLERS else {None})


@pytest.mark.parametrize(
    ("regime", "representation", "size", "message"),
    [
        ("crowded", "image", 20, "regime among isolated, competing, .*, found 'crowded'"),
        ("competing", "symbolic", 20, "image, text_bbox, scene_graph, found 'symbolic'"),
        ("competing", "image", 5, "size 20 or 10 in regime competing, found 5"),
        ("isolated", "image", 20, "size 1 in regime isolated, found 20"),
        ("attribute_filler", "image", 10, "size 20 in regime attribute_filler, found 10"),
    ],
)
def test_what_cannot_be_assembled_is_refused(items, regime, representation, size, message):
    with pytest.raises(InputError, match=message):
        assemble(items, regime, representation, size)


def test_target_positions_are_those_of_the_paper(items):
    with pytest.raises(InputError, match="target position among 0, 9, 19, found 7"):
        assemble(items, "irrelevant_filler", "image", target_positions=[0, 7])
    with pytest.raises(InputError, match="no target position in regime competing, found 9"):
        assemble(items, "competing", "image", target_positions=[9])
    with pytest.raises(InputError, match="no target position in regime isolated, found 9"):
        asked_in(items, items.questions.scene, "isolated", 9)
    with pytest.raises(InputError, match="filler prompts in a domain among synthetic, found 'indoor'"):
        target_scenes(type(items)(**vars(items) | {"domain": "indoor"}), 0)


# ---------------------------------------------------------------------------------------------------------- wording


def one_line(text):
    """A text as the print has it: the conversion kept no line breaks, and prints ’ for '."""
    return " ".join(text.replace("'", "’").split())


def test_the_master_prompts_to_the_letter():
    """Supp. 7.3."""
    answer = "Format your answers as a single JSON: {’<image_name>’: {’q_<id>’: [relationships], ...}, ...}."
    assert one_line(templates.MASTERS["image"]) == (
        "You will be given a series of images with questions about spatial relationships between tagged objects. Answer all "
        f"questions based on careful spatial reasoning. {answer}"
    )
    assert one_line(templates.MASTERS["text_bbox"]) == (
        "You will be given a series of scene descriptions with questions about spatial relationships between tagged objects. "
        f"Answer all questions based on careful spatial reasoning. {answer}"
    )
    assert one_line(templates.MASTERS["scene_graph"]) == (
        "You will be given a series of scenes. Each scene contains: 1. A Scene Object Dictionary: maps Tag IDs to object "
        "descriptions and bounding boxes [x, y, w, h]. No image is provided. 2. A Scene Graph for the original view (0deg). "
        "Format: ’Tag X | dir:[A, B]’ means Tags A and B are in direction ’dir’ relative to Tag X. e.g. ’Tag 0 | left:[1, 3]’ "
        "means Tag 1 and Tag 3 are to the LEFT of Tag 0. Only directions with targets are listed; unlisted directions have no "
        "targets. Answer all spatial relationship questions using the scene graph and object dictionary. For rotation "
        f"questions, mentally rotate the scene from the original configuration. {answer}"
    )


def test_the_scene_blocks_to_the_letter():
    """Supp. 7.4. The Scene Graph block is printed without the scene's name, which ours has above it."""
    blocks = {name: one_line(block) for name, block in templates.SCENE_BLOCKS.items()}
    assert blocks["image"] == (
        "Questions for Image ’<image_name>’: Refer to the numeric tags overlaid on the objects in the image. Scene Object "
        'Dictionary: {"0": "<description>", ...} Answer the following 60 questions based on the image and object dictionary:'
    )
    assert blocks["text_bbox"] == (
        "Scene ’<image_name>’: Refer to the bounding boxes [x, y, w, h] provided in the dictionary. Scene Object Dictionary: "
        '{"0": ("<description>", [x,y,w,h]), ...} Answer the following 60 questions based on the bounding boxes and object '
        "dictionary:"
    )
    assert blocks["scene_graph"] == (
        'Scene ’<image_name>’: Scene Object Dictionary: {"0": ("<description>", [x,y,w,h]), ...} Scene Graph (original view): '
        "Tag 0 | left:[1,3] front:[1,2] ..."
    )


@pytest.fixture
def room():
    """A room of three things by hand, one too hidden to tag: a lamp on a table, and questions that offer above and below."""
    things = [("wooden table", 0, [10, 90, 60, 40]), ("brass lamp", 1, [30, 50, 12, 40]), ("rug", None, [0, 0, 5, 5])]
    scene = {
        "scene": "indoor-001",
        "number": 1,
        "objects": [{"tag": tag, "description": name, "box": box} for name, tag, box in things],
        "scene_graph": [
            {"tag": 0, "direction": "behind", "targets": [1]},
            {"tag": 0, "direction": "above", "targets": [1]},
            {"tag": 1, "direction": "front", "targets": [0]},
            {"tag": 1, "direction": "below", "targets": [0]},
        ],
    }
    asked = [("0", None, None, "vertical"), ("90", "left", 270, "primary"), ("Top", None, None, "vertical")]
    names = ["wooden table", "brass lamp"]
    questions = pd.DataFrame(
        [
            {
                "item": f"indoor-001-q0{number}",
                "scene": "indoor-001",
                "number": number,
                "viewpoint": viewpoint,
                "kind": kind,
                "text": question_text(viewpoint, direction, angle, 1, 0, names, vertical=kind == "vertical"),
            }
            for number, (viewpoint, direction, angle, kind) in enumerate(asked, 1)
        ]
    )
    gold = np.array([BEHIND | ABOVE, RIGHT, BEHIND | ABOVE], dtype=np.uint8)
    return CVTItems("indoor", "0" * 64, [scene], questions, gold, gold[:, None])


ROOM_QUESTIONS = (
    "q_1: In the original view, what is the spatial relationship of the brass lamp (Tag 1) with respect to the wooden table "
    "(Tag 0)? Choose from [left, right, front, behind, above, below]. Multiple relations possible.\n"
    "q_2: If the camera orbits 270 degrees to the left, what is the new spatial relationship of the brass lamp (Tag 1) with "
    "respect to the wooden table (Tag 0)? Choose from [left, right, front, behind]. Multiple relations possible.\n"
    "q_3: If the camera orbits to a top-down view, what is the new spatial relationship of the brass lamp (Tag 1) with respect "
    "to the wooden table (Tag 0)? Choose from [left, right, south, north, above, below]. Multiple relations possible."
)


@pytest.mark.parametrize(
    ("representation", "block"),
    [
        (
            "image",
            "Questions for Image 'indoor-001':\nRefer to the numeric tags overlaid on the objects in the image.\n"
            'Scene Object Dictionary: {"0": "wooden table", "1": "brass lamp"}\n'
            "Answer the following 60 questions based on the image and object dictionary:\n",
        ),
        (
            "text_bbox",
            "Scene 'indoor-001':\nRefer to the bounding boxes [x, y, w, h] provided in the dictionary.\n"
            'Scene Object Dictionary: {"0": ("wooden table", [10,90,60,40]), "1": ("brass lamp", [30,50,12,40])}\n'
            "Answer the following 60 questions based on the bounding boxes and object dictionary:\n",
        ),
        (
            "scene_graph",
            "Scene 'indoor-001':\n"
            'Scene Object Dictionary: {"0": ("wooden table", [10,90,60,40]), "1": ("brass lamp", [30,50,12,40])}\n'
            "Scene Graph (original view):\nTag 0 | behind:[1] above:[1]\nTag 1 | front:[0] below:[0]\n",
        ),
    ],
)
def test_a_prompt_of_a_room_by_hand(room, representation, block):
    prompt = assemble(room, "isolated", representation)
    assert prompt_text(prompt.to_pandas()) == "\n\n".join([templates.MASTERS[representation], block + ROOM_QUESTIONS])
    (request,) = requests(room, prompt)
    offered = {
        key: asked["items"]["enum"] for key, asked in request["reply"]["properties"]["indoor-001"]["properties"].items()
    }
    assert offered == {
        "q_1": ["left", "right", "front", "behind", "above", "below"],
        "q_2": ["left", "right", "front", "behind"],
        "q_3": ["left", "right", "south", "north", "above", "below"],
    }


def test_an_unknown_representation_has_no_block(items):
    with pytest.raises(InputError, match="image, text_bbox, scene_graph, found 'symbolic'"):
        scene_block(items.scenes[0], "symbolic")


@pytest.mark.parametrize("key", EACH, ids="-".join)
def test_every_question_once_and_numbered_contiguously(items, assembled, key):
    """Without master prompt and blocks, a prompt is its questions and nothing else, each in its slot under its number."""
    regime, representation = key
    asked = {"spatial": items.questions, "attribute": load_attribute_questions().questions}
    texts = {role: frame.sort_values("number").groupby("scene").text.agg(list) for role, frame in asked.items()}
    scenes = {scene["scene"]: scene for scene in items.scenes}
    for _, prompt in assembled[key].groupby("prompt"):
        rest = prompt_text(prompt).removeprefix(templates.MASTERS[representation] + "\n\n")
        found = 0
        for slot in prompt.itertuples():
            assert rest.startswith(slot.text)
            rest = rest.removeprefix(slot.text).removeprefix("\n\n")
            if slot.role == "irrelevant":
                assert set(slot.text.split(". ")) == {FILLER_SENTENCE.strip(" ."), FILLER_SENTENCE.strip()}
                continue
            lines = slot.text.removeprefix(scene_block(scenes[slot.scene], representation) + "\n").split("\n")
            assert [line.split(": ", 1)[0] for line in lines] == [f"q_{n}" for n in range(1, len(lines) + 1)]
            assert [line.split(": ", 1)[1] for line in lines] == texts[slot.role][slot.scene]
            found += len(lines)
        assert rest == ""
        assert len(re.findall("^q_[0-9]+: ", prompt_text(prompt), re.MULTILINE)) == found


# ---------------------------------------------------------------------------------------------------------- fillers


@pytest.mark.parametrize("regime", FILLERS)
def test_one_target_a_prompt_in_the_first_tenth_and_last_slot(items, assembled, regime):
    """Fifteen prompts; the target is the scene that the competing prompt has in that slot: 8 sparse and 7 dense ones."""
    prompts = assembled[regime, "text_bbox"]
    assert prompts.prompt.nunique() == 15 and len(prompts) == 300
    targets = prompts[prompts.role == "spatial"]
    assert (targets.position == targets.target_position).all()
    assert targets.scene.tolist() == [
        f"synthetic-{20 * batch + slot + 1:03d}" for slot in TARGET_POSITIONS for batch in range(5)
    ]
    density = {scene["scene"]: scene["density"] for scene in items.scenes}
    assert targets.scene.map(density).value_counts().to_dict() == {"sparse": 8, "dense": 7}


@pytest.mark.parametrize("representation", schemas.PROMPTED)
def test_the_target_is_worded_alike_in_all_regimes(assembled, representation):
    """ "Target identity, spatial questions, and placement remain fixed across the corresponding conditions"."""
    words = {
        regime: prompts[prompts.role == "spatial"].set_index("scene")[["text", "image", "position"]]
        for (regime, shown), prompts in assembled.items()
        if shown == representation
    }
    for regime in FILLERS:
        assert words[regime].equals(words["competing"].loc[words[regime].index])
        assert words[regime].text.equals(words["isolated"].text.loc[words[regime].index])


@pytest.mark.parametrize("representation", schemas.PROMPTED)
def test_irrelevant_text_has_the_length_removed(assembled, representation):
    """Up to every slot within half a sentence of the competing prompt, and the space that ends a slot; no scene, no picture."""
    competing = assembled["competing", representation].set_index(["block", "position"]).text.str.len()
    prompts = assembled["irrelevant_filler", representation]
    filler = prompts[prompts.role == "irrelevant"]
    assert filler.scene.isna().all() and filler.image.isna().all()
    for _, slots in filler.groupby("prompt"):
        removed = competing.loc[list(zip(slots.block, slots.position, strict=True))].to_numpy().cumsum()
        put = (slots.text.str.len() + 1).to_numpy().cumsum()
        assert (abs(put - removed) <= len(FILLER_SENTENCE) / 2).all()


def test_irrelevant_text_by_hand():
    """A sentence of 99 characters with its space. 150 is closest to two of them, 400 in all to four; nothing to nothing."""
    assert len(FILLER_SENTENCE) == 99
    texts = irrelevant_texts([150, 0, 250])
    assert texts == [(2 * FILLER_SENTENCE).strip(), "", (2 * FILLER_SENTENCE).strip()]


@pytest.mark.parametrize("representation", schemas.PROMPTED)
def test_attribute_prompts_keep_scenes_questions_and_burden(items, assembled, representation):
    """The other scenes' data stay, question counts too, and characters within 5 %."""
    competing = assembled["competing", representation].set_index("scene")
    lengths = assembled["competing", representation].groupby("block").apply(lambda rows: len(prompt_text(rows)))
    prompts = assembled["attribute_filler", representation]
    other = prompts[prompts.role == "attribute"]
    assert (other.scene.map(competing.image).fillna("") == other.image.fillna("")).all()
    counts = items.questions.groupby("scene").size()
    for slot in other.itertuples():
        head = scene_block(items.scene(slot.scene), representation) + "\n"
        assert slot.text.startswith(head) and competing.text[slot.scene].startswith(head)
        assert slot.text.removeprefix(head).count("\n") + 1 == counts[slot.scene]
    for _, prompt in prompts.groupby("prompt"):
        assert len(prompt_text(prompt)) == pytest.approx(lengths[prompt.block.iloc[0]], rel=0.05)


# --------------------------------------------------------------------------------------------------------- requests


@pytest.mark.parametrize("key", EACH, ids="-".join)
def test_a_request_is_its_prompt(items, key):
    """The parts in order are the prompt's text, with each picture before its scene; gold is a reply that fits, others do not."""
    prompts = assemble(items, *key)
    frames = dict(list(prompts.to_pandas().groupby("prompt", sort=False)))
    made = list(requests(items, prompts))
    assert [request["prompt"] for request in made] == list(frames)
    gold = {row.item: list(row.gold) for row in items.questions.itertuples()}
    gold |= {row.item: list(row.gold) for row in load_attribute_questions().questions.itertuples()}
    for request in made[:: max(1, len(made) // 3)]:
        frame = frames[request["prompt"]]
        (message,) = request["messages"]
        parts = message["content"]
        assert "".join(part["text"] for part in parts if part["type"] == "text") == prompt_text(frame)
        pictures = [place for place, part in enumerate(parts) if part["type"] == "image"]
        assert [parts[place]["image"] for place in pictures] == frame.image.dropna().tolist()
        assert all(f"Questions for Image '{parts[place]['image']}':" in parts[place + 1]["text"] for place in pictures)
        assert request["scenes"] == [None if pd.isna(scene) else scene for scene in frame.scene]
        reply = {
            slot.scene: {
                key: gold[f"{slot.scene}-{'q' if slot.role == 'spatial' else 'a'}{int(key[2:]):02d}"]
                for key in request["reply"]["properties"][slot.scene]["required"]
            }
            for slot in frame[frame.scene.notna()].itertuples()
        }
        validator = jsonschema.Draft202012Validator(request["reply"])
        assert validator.is_valid(reply)
        scene = next(iter(reply))
        for broken in (
            {name: answers for name, answers in reply.items() if name != scene},
            reply | {scene: {key: answers for key, answers in reply[scene].items() if key != "q_1"}},
            reply | {scene: reply[scene] | {"q_1": ["sideways"]}},
            reply | {scene: reply[scene] | {"q_1": []}},
            reply | {"another scene": {}},
        ):
            assert not validator.is_valid(broken)


# ------------------------------------------------------------------------------------------------------ the command


def prompts_command(*arguments, folder):
    return subprocess.run(
        [sys.executable, "-m", "vantage", "prompts", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
    )


def test_the_command_writes_json_lines_and_is_quiet_in_a_pipe(items, compendium):
    chosen = ["--regime", "attribute_filler", "--representation", "text_bbox", "--target-position", "9"]
    done = prompts_command(*chosen, "--to", "a folder/requests.jsonl", folder=compendium)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "5 prompts written to a folder/requests.jsonl\n"
    lines = (compendium / "a folder/requests.jsonl").read_text().splitlines()
    made = requests(items, assemble(items, "attribute_filler", "text_bbox", target_positions=[9]))
    assert [json.loads(line) for line in lines] == list(made)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--regime", "crowded", "--representation", "image"], "found 'crowded'"),
        (["--regime", "isolated", "--representation", "image", "--size", "20"], "found 20"),
        (["--regime", "isolated", "--representation", "image", "--domain", "moon"], "found 'moon'"),
        (["--regime", "isolated", "--representation", "image", "--target-position", "9"], "leave it out"),
    ],
)
def test_the_command_refuses_in_one_line(compendium, arguments, message):
    done = prompts_command(*arguments, "--to", "requests.jsonl", folder=compendium)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert not (compendium / "requests.jsonl").exists()


def test_a_broken_run_leaves_the_old_requests_whole(tmp_path):
    path = tmp_path / "requests.jsonl"
    path.write_text("old\n")

    def breaking():
        yield {"prompt": "one"}
        raise InputError("broken")

    with pytest.raises(InputError, match="broken"):
        write_requests(breaking(), path)
    assert path.read_text() == "old\n" and [file.name for file in tmp_path.iterdir()] == ["requests.jsonl"]
    with pytest.raises(InputError, match="name another"):
        write_requests([], tmp_path)


def test_the_help_fits_a_screen():
    done = subprocess.run(
        [sys.executable, "-m", "vantage", "prompts", "--help"], check=True, capture_output=True, text=True
    )
    assert done.stdout.count("\n") <= 40
