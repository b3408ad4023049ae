"""Fixtures of several tests: a copy of the compendium's files that may be broken, and runs made in memory."""

import shutil

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings

from vantage import files, published
from vantage.items import CVTItems, load_attribute_questions, load_cvt, true_relations
from vantage.predictions import ANSWERED, CVTRun, TripletRun
from vantage.relations import VIEWPOINTS
from vantage.triplets import load_triplets

# How long an example takes says how busy the machine is, and nothing about the code.
settings.register_profile("vantage", deadline=None)
settings.load_profile("vantage")


@pytest.fixture
def compendium(tmp_path, monkeypatch):
    """A copy of the data and of one frozen set a paper, in a folder whose name has a space; the working folder is there."""
    original = files.root()
    copy = tmp_path / "a copy"
    shutil.copytree(original / "data", copy / "data")
    for name in ("reference_oracle", "reference_layout_oracle"):
        shutil.copytree(original / "frozen_predictions" / name, copy / "frozen_predictions" / name)
    monkeypatch.chdir(copy)
    caches = (
        load_cvt,
        load_attribute_questions,
        load_triplets,
        published.load_published,
        published.load_places,
        published.load_derived,
        published.load_doubts,
    )
    for cached in caches:
        cached.cache_clear()
    yield copy
    for cached in caches:
        cached.cache_clear()


@pytest.fixture(scope="session")
def triplet_run():
    """A run over items of FrameEvidence-Open from its letters: `triplet_run(triplets, answers, status)`."""

    def run(triplets, answers, status=None, title="Somebody", kind="reference", rotation=0):
        assert len(answers) == len(triplets.questions)
        return TripletRun(
            set="somebody",
            kind=kind,
            title=title,
            run=title,
            model="somebody",
            setting="",
            experiment="main",
            input_mode="all_images",
            rotation=rotation,
            seed=None,
            repeat=0,
            block=None,
            arm=None,
            about=f"What {title} does.",
            answers=np.asarray(answers, dtype=np.int8),
            status=np.full(len(answers), ANSWERED, np.uint8) if status is None else np.asarray(status, np.uint8),
        )

    return run


@pytest.fixture(scope="session")
def two_rooms():
    """Two scenes by the rules of CVT-Indoor: margins that differ, heights, an upright picture and a wide one.

    In "upright" the sparse scene, tag 1 stands on tag 0 and is asked about with above and below at every view, as is tag 2
    with respect to 0 without; the source view has one more question. In "wide", the dense scene, tag 1 with respect to 0
    returns at every view, and the source view has four more pairs. No vertical question stands there.
    """

    def things(places, heights, boxes, half):
        return [
            {
                "tag": tag,
                "description": f"thing {tag}",
                "plane": list(place),
                "position": [*place, height],
                "half_extents": [0.1, 0.1, tall],
                "box": box,
                "visible_fraction": 0.5 if tag == 2 else 1.0,
                "partially_occluded": tag == 2,
            }
            for tag, (place, height, box, tall) in enumerate(zip(places, heights, boxes, half, strict=True))
        ]

    margins = {"lateral_margin": 0.2, "depth_margin": 0.5, "lateral_band": 0.0, "depth_band": 0.0}
    scenes = [
        {"scene": "upright", "number": 1, "density": "sparse", "width": 216, "height": 384, **margins}
        | {
            "objects": things(
                [(0, 0), (0.32, 0.1), (2, 1)],
                [0.4, 1.0, 0.5],
                [[50, 100, 60, 60], [55, 60, 20, 30], [120, 120, 40, 50]],
                [0.4, 0.2, 0.5],
            )
        },
        {"scene": "wide", "number": 2, "density": "dense", "width": 384, "height": 216, **margins}
        | {
            "objects": things(
                [(0, 0), (0.3, 0.3), (2, 2), (4, 4), (6, 6), (8, 8)],
                [0.5] * 6,
                [[50 * tag, 100, 20, 20] for tag in range(6)],
                [0.5] * 6,
            )
        },
    ]
    asked = [("upright", view, 2, 0, "primary", 0) for view in VIEWPOINTS]
    asked += [("upright", view, 1, 0, "vertical", 3) for view in VIEWPOINTS]
    asked += [("upright", "0", 2, 1, "supplement", None)]
    asked += [("wide", view, 1, 0, "primary", 0) for view in VIEWPOINTS]
    asked += [("wide", "0", tag + 1, tag, "supplement", None) for tag in range(1, 5)]
    columns = ["scene", "viewpoint", "target", "anchor", "kind", "tracked_pair"]
    questions = pd.DataFrame(asked, columns=columns).astype({"tracked_pair": "Int16"})
    questions["number"] = questions.groupby("scene").cumcount() + 1
    questions["item"] = questions.scene + "-q" + questions.number.astype(str)
    questions["partially_occluded"] = (questions.target == 2) | (questions.anchor == 2)
    questions["orbit_angle"] = questions.viewpoint.replace("Top", "0").astype(int)
    bare = CVTItems("indoor", "", scenes, questions, gold=None, admissible=None)
    gold = true_relations(bare)
    return CVTItems("indoor", "", scenes, questions, gold=gold, admissible=gold[:, None])


@pytest.fixture(scope="session")
def cvt_run():
    """A run over CVT items from its answers: `cvt_run(items, answers)`."""

    def run(items, answers, title="Somebody", name="somebody", kind="reference", regime="isolated"):
        assert len(answers) == len(items.questions)
        return CVTRun(
            set=name,
            kind=kind,
            title=title,
            run=title,
            model=title,
            domain=items.domain,
            regime=regime,
            representation="symbolic",
            about=f"What {title} does.",
            answers=np.asarray(answers, dtype=np.uint8),
            status=np.full(len(answers), ANSWERED, np.uint8),
            block=np.full(len(answers), -1, np.int16),
        )

    return run
