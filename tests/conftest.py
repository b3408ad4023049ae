"""Fixtures for tests that break the compendium's files: they work on a copy."""

import shutil

import pytest

from vantage import files, published
from vantage.items import load_cvt
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
