"""The project's own files agree with each other."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_conda_users_get_the_versions_of_the_lock():
    *packages, project = yaml.safe_load(text("environment.yml"))["dependencies"][-1]["pip"]
    assert packages == [line for line in text("requirements.lock").splitlines() if not line.startswith("#")]
    assert project == "--editable ."


@pytest.mark.parametrize("name", ["requirements.lock", "environment.yml", "package-lock.json", ".npmrc", "Makefile"])
def test_no_file_says_where_packages_come_from(name):
    assert not re.search(r"index-url|find-links|registry\s*=|@ (https?|file):|\"resolved\"", text(name))


def test_every_version_is_exact():
    lines = [line for line in text("requirements.lock").splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==\S+", line)] == []


def test_imports_point_one_way():
    checked = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=ROOT, text=True, capture_output=True
    )
    assert checked.returncode == 0, checked.stdout


def test_contents_list_every_page_and_nothing_else():
    toc = yaml.safe_load(text("book/_toc.yml"))
    listed = [toc["root"], *(page["file"] for part in toc["parts"] for page in part["chapters"])]
    prose = {path.relative_to(ROOT / "book") for path in (ROOT / "book").rglob("*.md")}
    notebooks = {Path("results") / path.relative_to(ROOT / "notebooks") for path in (ROOT / "notebooks").rglob("*.md")}
    assert sorted(listed) == sorted(path.with_suffix("").as_posix() for path in prose | notebooks)


def test_nothing_generated_is_committed():
    tracked = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.run(tracked, cwd=ROOT, text=True, capture_output=True, check=True).stdout == ""
