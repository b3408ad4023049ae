"""SceneInspector in the built book: it says what Python says, opens linked items, and works from the keyboard."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from vantage.inspectors.scene import describe
from vantage.items import load_cvt
from vantage.predictions import load_runs

pytestmark = [pytest.mark.book, pytest.mark.browser]

PAGE = "results/cvt/benchmark.html"
ROLES = ("question", "gold", "alternatives", "reading", "answer-a", "answer-b")
REFERENCE = (
    "reference_oracle",
    "reference_egocentric",
    "reference_half_turn",
    "reference_noisy_source",
    "reference_independent_noise",
    "reference_label_omitter",
    "reference_complete_inverter",
)

both_ways = pytest.mark.parametrize("over", ["http", "file"])


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def runs(items):
    return {run.title: run for run in load_runs(REFERENCE, items)}


def part(page: Page, role: str):
    return page.locator(f".vantage-scene [data-role='{role}']")


def opened(visit, name=PAGE, over="http", **options):
    """The page with its inspector, once that is there."""
    seen = visit(name, over, **options)
    part(seen.page, "question").filter(has_text="Choose from").wait_for()
    return seen


def shown(page: Page) -> list[str]:
    """The lines of the inspector, in the order of `describe`."""
    texts = (part(page, role).text_content() for role in ROLES)
    return [re.sub(r"\s+", " ", text).strip() for text in texts]


def turn_to(page: Page, angle) -> None:
    top = part(page, "top")
    if angle != "Top":
        part(page, "orbit").fill(str(angle))
    elif top.get_attribute("aria-pressed") == "false":
        top.click()


@both_ways
def test_inspector_says_what_python_says(visit, items, runs, over):
    seen = opened(visit, over=over)
    offered = [title for title in part(seen.page, "run-a").locator("option").all_text_contents() if title in runs]
    assert len(offered) >= 2
    rng = random.Random(f"20 triples over {over}")
    for _ in range(20):
        row = rng.randrange(len(items.questions))
        angle = rng.choice([*range(0, 365, 5), "Top", "Top", "Top"])
        a, b = rng.choices(offered, k=2)
        question = items.questions.iloc[row]
        part(seen.page, "scene-select").select_option(str([s["scene"] for s in items.scenes].index(question.scene)))
        part(seen.page, "question-select").select_option(str(row))
        turn_to(seen.page, angle)
        part(seen.page, "run-a").select_option(label=a)
        part(seen.page, "run-b").select_option(label=b)
        assert shown(seen.page) == describe(items, row, angle, [runs[a], runs[b]]).splitlines(), (row, angle, a, b)
    assert (seen.external, seen.errors) == ([], [])


@both_ways
def test_link_opens_exactly_its_item(visit, items, over):
    seen = opened(visit, f"{PAGE}#scene=synthetic-095&question=7", over)
    page, row = seen.page, int(items.questions.index[items.questions["item"] == "synthetic-095-q07"][0])
    assert shown(page)[:4] == describe(items, row, viewpoint(items, row)).splitlines()
    expect(page.locator(".vantage-scene")).to_be_in_viewport()
    # The link that the page gives for another question opens that question in a page of its own.
    part(page, "next").click()
    part(page, "copy").click()
    expect(page.locator(".vantage-scene .vs-status")).not_to_be_empty()
    assert page.url.endswith("#scene=synthetic-095&question=8")
    again = opened(visit, f"{PAGE}#{page.url.partition('#')[2]}", over)
    assert shown(again.page) == shown(page)
    assert (seen.errors, again.errors) == ([], [])


def viewpoint(items, row):
    """The viewpoint of a question as an angle of the slider."""
    found = items.questions["viewpoint"].iloc[row]
    return found if found == "Top" else int(found)


def test_link_followed_within_the_page(visit, items):
    page = opened(visit).page
    page.evaluate("window.location.hash = '#scene=synthetic-003&question=2'")
    row = int(items.questions.index[items.questions["item"] == "synthetic-003-q02"][0])
    expect(part(page, "question")).to_have_text(items.questions["text"].iloc[row])
    # What is not ours is left alone.
    page.evaluate("window.location.hash = '#scene-inspector'")
    page.wait_for_timeout(100)
    expect(part(page, "question")).to_have_text(items.questions["text"].iloc[row])


def test_keyboard_is_enough(visit):
    seen = opened(visit, f"{PAGE}#scene=synthetic-095&question=1")
    page = seen.page
    part(page, "scene-select").focus()
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.role"))
    controls = [
        "orbit",
        "top",
        "target",
        "anchor",
        "filter",
        "question-select",
        "previous",
        "next",
        "copy",
        "run-a",
        "run-b",
    ]
    assert [role for role in reached if role] == controls
    turn_to(page, 40)
    part(page, "orbit").press("ArrowRight")
    expect(part(page, "reading")).to_contain_text("For the observer at 45°")
    part(page, "top").press("Enter")
    expect(part(page, "reading")).to_contain_text("Seen from above")
    before = part(page, "question").text_content()
    part(page, "next").press("Space")
    expect(part(page, "question")).not_to_have_text(before)
    part(page, "question-select").press("ArrowDown")
    assert seen.errors == []


def test_slices_count_what_they_hold(visit, items, runs):
    page = opened(visit).page
    titles = [part(page, role).locator("option:checked").text_content() for role in ("run-a", "run-b")]
    part(page, "filter").select_option("differ")
    a, b = (runs[title] for title in titles)
    differ = (a.answers != b.answers) | (a.status != b.status)
    expect(part(page, "count")).to_contain_text(f"{int(differ.sum()):,} of {len(differ):,} in all")
    scene = part(page, "scene-select").locator("option:checked").text_content().split(":")[0]
    here = (items.questions["scene"] == scene).to_numpy()
    expect(part(page, "count")).to_contain_text(
        f"{int(differ[here].sum())} of {int(here.sum())} questions in this scene"
    )
    row = int(part(page, "question-select").input_value())
    part(page, "next").click()
    assert int(part(page, "question-select").input_value()) == next(k for k in range(row + 1, len(differ)) if differ[k])


def test_any_pair_can_be_read(visit, items):
    page = opened(visit, f"{PAGE}#scene=synthetic-095&question=1").page
    question = items.questions[items.questions["item"] == "synthetic-095-q01"].iloc[0]
    # Choosing the anchor as target makes the two change places.
    part(page, "target").select_option(str(question.anchor))
    assert part(page, "anchor").input_value() == str(question.target)
    expect(part(page, "question")).to_have_text(question.text)
    expect(part(page, "reset")).to_be_visible()
    part(page, "reset").click()
    assert part(page, "target").input_value() == str(question.target)
    expect(part(page, "reset")).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_narrow_pages_stack_the_panels(visit, theme):
    page = opened(visit, viewport={"width": 375, "height": 800}, color_scheme=theme).page
    picture, above = (box.bounding_box() for box in page.locator(".vantage-scene .vs-svg").all())
    assert above["y"] >= picture["y"] + picture["height"]
    # The pictures cut off what reaches beyond them; every other element must fit.
    elements = (
        "[...document.querySelectorAll('.vantage-scene, .vantage-scene *')].filter((it) => it instanceof HTMLElement)"
    )
    wide = page.evaluate(f"{elements}.filter((it) => it.getBoundingClientRect().right > 376).length")
    assert wide == 0


def test_observer_jumps_where_motion_is_unwelcome(visit):
    page = opened(visit, f"{PAGE}#scene=synthetic-095&question=1", reduced_motion="reduce").page
    turn_to(page, 0)
    part(page, "top").click()
    assert float(page.locator(".vantage-scene .vs-above").get_attribute("opacity")) == 1
