"""Fixtures for tests that break the compendium's files: they work on a copy."""

import shutil

import pytest

from vantage import files, published
from vantage.items import load_cvt


@pytest.fixture
def compendium(tmp_path, monkeypatch):
    """A copy of the data and of one frozen set, in a folder whose name has a space; the working folder is there."""
    original = files.root()
    copy = tmp_path / "a copy"
    shutil.copytree(original / "data", copy / "data")
    shutil.copytree(
        original / "frozen_predictions" / "reference_oracle", copy / "frozen_predictions" / "reference_oracle"
    )
    monkeypatch.chdir(copy)
    caches = (load_cvt, published.load_published, published.load_places, published.load_derived, published.load_doubts)
    for cached in caches:
        cached.cache_clear()
    yield copy
    for cached in caches:
        cached.cache_clear()
