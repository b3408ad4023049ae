"""SceneInspector in the built book: it says what Python says, opens linked items, and works from the keyboard."""

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from vantage.inspectors.conflict import describe_conflict
from vantage.inspectors.scene import SceneInspector, content_of, describe
from vantage.items import load_cvt
from vantage.predictions import ANSWERED, MISSING, load_runs
from vantage.relations import FRONT, LEFT, RIGHT

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

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"

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
    elif top.text_content() == "Look from Top":
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
    expect(part(page, "copied")).not_to_be_empty()
    assert page.url.endswith(
        "#scene=synthetic-095&question=8&angle=0&a=reference_oracle&b=reference_egocentric&show=all"
    )
    again = opened(visit, f"{PAGE}#{page.url.partition('#')[2]}", over)
    assert shown(again.page) == shown(page)
    assert (seen.errors, again.errors) == ([], [])


def viewpoint(items, row):
    """The viewpoint of a question as an angle of the slider."""
    found = items.questions["viewpoint"].iloc[row]
    return found if found == "Top" else int(found)


def test_link_keeps_place_responders_and_filter(visit, items, runs):
    page = opened(visit, f"{PAGE}#scene=synthetic-095&question=7").page
    part(page, "run-a").select_option(label="Noisy source")
    part(page, "run-b").select_option(label="Label omitter")
    part(page, "filter").select_option("wrong-b")
    turn_to(page, 35)
    part(page, "copy").click()
    again = opened(visit, f"{PAGE}#{page.url.partition('#')[2]}").page
    assert shown(again) == shown(page)
    row = int(part(again, "question-select").input_value())
    assert shown(again) == describe(items, row, 35, [runs["Noisy source"], runs["Label omitter"]]).splitlines()
    assert part(again, "filter").input_value() == "wrong-b"
    assert part(again, "count").text_content() == part(page, "count").text_content()


BAD_LINKS = [
    ("scene=synthetic-003&question=99", "No such question: 99.", "synthetic-003-q01"),
    ("scene=synthetic-003&question=2&angle=7", "No such angle: 7.", "synthetic-003-q02"),
    (
        "scene=synthetic-003&question=2&a=nobody&show=<b>",
        "No such set of answers: nobody. No such filter: <b>.",
        "synthetic-003-q02",
    ),
]


def test_bad_link_is_named(visit, items):
    default = shown(opened(visit).page)
    seen = opened(visit, f"{PAGE}#scene=synthetic-999&angle=90")
    page = seen.page
    expect(part(page, "notice")).to_have_text("No such scene: synthetic-999.")
    assert shown(page) == default
    # It goes as soon as a question is chosen.
    part(page, "next").click()
    expect(part(page, "notice")).to_be_empty()
    for link, notice, opens in BAD_LINKS:
        page.evaluate("link => { window.location.hash = link; }", link)
        expect(part(page, "notice")).to_have_text(notice)
        row = int(items.questions.index[items.questions["item"] == opens][0])
        assert shown(page)[:4] == describe(items, row, viewpoint(items, row)).splitlines()
    assert seen.errors == []


def test_question_and_observer_apart(visit, items):
    # The pair of this question is asked at every viewpoint of its scene, the one of question 5 not at 90 degrees.
    page = opened(visit, f"{PAGE}#scene=synthetic-095&question=10").page
    expect(part(page, "asked")).to_have_text("The question, asked at 180°")
    expect(part(page, "apart")).to_be_hidden()
    turn_to(page, 85)
    expect(part(page, "apart")).to_contain_text("The observer is at 85°; this question is about 180°.")
    expect(part(page, "there")).to_be_hidden()
    part(page, "back").click()
    expect(part(page, "reading")).to_contain_text("For the observer at 180°")
    expect(part(page, "apart")).to_be_hidden()
    turn_to(page, "Top")
    expect(part(page, "apart")).to_contain_text("The observer is straight above; this question is about 180°.")
    part(page, "there").filter(has_text="Open this pair’s question at Top").click()
    row = int(items.questions.index[items.questions["item"] == "synthetic-095-q01"][0])
    assert shown(page)[:4] == describe(items, row, "Top").splitlines()
    expect(part(page, "asked")).to_have_text("The question, asked at Top")
    part(page, "question-select").select_option(str(row + 4))
    turn_to(page, 90)
    expect(part(page, "apart")).to_be_visible()
    expect(part(page, "there")).to_be_hidden()


def test_hints_suit_the_hand_and_numbers_the_eye(visit):
    mouse = opened(visit).page
    expect(mouse.get_by_text("Shift-click")).to_be_visible()
    touch = opened(visit, viewport={"width": 375, "height": 800}, is_mobile=True, has_touch=True).page
    expect(touch.get_by_text("Shift-click")).to_be_hidden()
    expect(touch.get_by_text("Any two objects can be compared")).to_be_visible()
    heights = touch.locator(".vs-unit").evaluate_all("numbers => numbers.map(it => it.getBoundingClientRect().height)")
    assert heights and min(heights) >= 11


def test_responder_is_said_in_full_on_demand(visit, runs):
    page = opened(visit).page
    expect(part(page, "more-a")).to_be_hidden()
    part(page, "run-a").select_option(label="Noisy source")
    about = page.locator(".vs-about").first
    assert about.text_content() == f"reference: {runs['Noisy source'].about}"
    short = about.bounding_box()["height"]
    part(page, "more-a").press("Enter")
    expect(part(page, "more-a")).to_have_attribute("aria-expanded", "true")
    assert about.bounding_box()["height"] > short
    part(page, "more-a").press("Enter")
    assert about.bounding_box()["height"] == short


def answer_lines(page: Page) -> list[str]:
    """Verdict and steps of the last part of the inspector, after every step has been taken."""
    while part(page, "later").is_visible() and part(page, "later").is_enabled():
        part(page, "later").click()
    texts = page.locator("[data-role='possible'], [data-role='steps'] p").all_text_contents()
    return [re.sub(r"\s+", " ", text) for text in texts]


@both_ways
def test_contradictions_say_what_python_says(visit, items, runs, over):
    seen = opened(visit, over=over)
    page, rng = seen.page, random.Random(f"10 pairs over {over}")
    for _ in range(10):
        place, title = rng.randrange(len(items.scenes)), rng.choice(list(runs))
        part(page, "scene-select").select_option(str(place))
        part(page, "run-b").select_option(label=title)
        part(page, "checked").select_option(label=f"B: {title}")
        assert answer_lines(page) == describe_conflict(items, runs[title], items.scenes[place]["scene"]), (place, title)
    assert seen.errors == []


def test_contradiction_goes_step_by_step(visit, items, runs):
    page = opened(visit, f"{PAGE}#scene=synthetic-023&question=8&a=reference_noisy_source").page
    _, *lines = describe_conflict(items, runs["Noisy source"], "synthetic-023")
    for place in range(3):
        expect(part(page, "step-count")).to_have_text(f"Answer {place + 1} of 3")
        expect(part(page, "steps").locator("li")).to_have_count(place + 1)
        if place < 2:
            part(page, "later").click()
    expect(part(page, "later")).to_be_disabled()
    # The last answer's side of its anchor is shaded, on a map whose observer stands at its viewpoint.
    number, there = re.match(r"Question (\d+), at ([^,]+),", lines[4]).groups()
    expect(page.locator(".vs-proof .vs-claim")).to_have_count(1)
    expect(page.locator(".vs-proof .vs-caption")).to_contain_text(f"Observer at {there}; shaded")
    part(page, "earlier").click()
    expect(part(page, "steps").locator("li")).to_have_count(2)
    part(page, "later").click()
    part(page, "open").click()
    assert part(page, "question-select").locator("option:checked").text_content().startswith(f"{number} · {there}")
    expect(part(page, "question-select")).to_be_focused()
    expect(part(page, "steps").locator("li")).to_have_count(3)


def test_rare_contradictions_say_what_python_says(visit, items, runs):
    # No responder of the page contradicts itself in one answer, or needs an answer twice.
    answers = np.zeros(len(items.questions), dtype=np.uint8)
    questions = items.questions
    apart = questions[(questions.viewpoint == "45") & questions.tracked_pair.eq(0)].groupby("scene").head(1)
    twice = next(row for row in apart.index if questions.scene[row] == "synthetic-002")
    pair = (questions[["scene", "target", "anchor"]] == questions.loc[twice, ["scene", "target", "anchor"]]).all(axis=1)
    answers[twice], answers[questions[pair & (questions.viewpoint == "0")].index[0]] = RIGHT | FRONT, LEFT
    answers[questions[questions.scene == "synthetic-003"].index[0]] = LEFT | RIGHT
    status = np.where(answers, ANSWERED, MISSING).astype(np.uint8)
    run = replace(runs["Oracle"], answers=answers, status=status)
    page = visit("index.html").page
    page.evaluate(
        """async ([source, content]) => {
            const module = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
            module.default.render({model: {get: () => content}, el: document.querySelector("article")});
        }""",
        [str(SceneInspector._esm), content_of(items, [run])],
    )
    for place, most in enumerate((1, 5, 3)):
        part(page, "scene-select").select_option(str(place))
        said = describe_conflict(items, run, items.scenes[place]["scene"])
        assert len(said) == most
        assert answer_lines(page) == said


def test_inspector_is_accessible_when_all_of_it_is_open(visit):
    page = opened(visit, f"{PAGE}#scene=synthetic-023&question=8&a=reference_noisy_source&angle=40&show=none-a").page
    answer_lines(page)
    page.add_script_tag(path=AXE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        page.evaluate("document.getAnimations().forEach(animation => animation.finish())")
        found = page.evaluate("async () => (await axe.run('.vantage-scene')).violations")
        assert not [(one["id"], one["nodes"][0]["failureSummary"]) for one in found]


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
    for _ in range(16):
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
        "more-b",
        "checked",
    ]
    assert [role for role in reached if role] == controls
    turn_to(page, 40)
    part(page, "orbit").press("ArrowRight")
    expect(part(page, "reading")).to_contain_text("For the observer at 45°")
    turn_to(page, 40)
    expect(page.get_by_text("between benchmark viewpoints")).to_be_visible()
    for key, there in (("PageUp", 45), ("PageUp", 90), ("PageDown", 45), ("PageDown", 0), ("PageDown", 0)):
        part(page, "orbit").press(key)
        expect(part(page, "angle")).to_have_text(f"{there}°")
    expect(page.get_by_text("between benchmark viewpoints")).to_be_hidden()
    part(page, "top").press("Enter")
    expect(part(page, "reading")).to_contain_text("Seen from above")
    part(page, "top").filter(has_text="Back to the orbit").press("Enter")
    expect(part(page, "reading")).to_contain_text("For the observer at 0°")
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


def test_empty_slice_says_so(visit, runs):
    page = opened(visit).page
    part(page, "filter").select_option("none-a")
    expect(part(page, "count")).to_have_text(
        "No question in this slice; choose another responder or show all. The question below is not in it."
    )
    for way in ("previous", "next"):
        expect(part(page, way)).to_be_disabled()
    expect(part(page, "question-select").locator("option")).to_have_count(1)
    expect(part(page, "question-select").locator("option")).to_contain_text("(not in the slice)")
    part(page, "filter").select_option("all")
    expect(part(page, "count")).not_to_contain_text("not")


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
    contradiction = f"{PAGE}#scene=synthetic-071&question=8&angle=40&a=reference_noisy_source&show=none-a"
    page = opened(visit, contradiction, viewport={"width": 375, "height": 800}, color_scheme=theme).page
    answer_lines(page)
    picture, above = (box.bounding_box() for box in page.locator(".vs-panels .vs-svg").all())
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
