"""Fixtures of several tests: a copy of the compendium's files that may be broken, and runs made in memory."""

import shutil

import numpy as np
import pytest

from vantage import files, published
from vantage.items import load_attribute_questions, load_cvt
from vantage.predictions import ANSWERED, TripletRun
from vantage.triplets import load_triplets


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
