"""SceneInspector in the built book: it says what Python says, opens linked items, and works from the keyboard."""

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.made import LAMP, TABLE, made_room, run_of
from vantage.inspectors.conflict import describe_conflict
from vantage.inspectors.page import FOLDER, script
from vantage.inspectors.scene import content_of, describe, heights_reading, reading
from vantage.items import load_cvt
from vantage.predictions import ANSWERED, INVALID, MISSING, load_runs
from vantage.relations import ABOVE, FRONT, LEFT, RIGHT, opposite

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


def shown(page: Page, roles=ROLES) -> list[str]:
    """The lines of the inspector, in the order of `describe`."""
    texts = (part(page, role).text_content() for role in roles)
    return [re.sub(r"\s+", " ", text).strip() for text in texts]


@pytest.fixture
def alone(browser):
    """An inspector on a page of its own, opened at an address: `alone(items, runs, "scene=...")`, a `Page`."""
    contexts = []

    def open_page(items, runs, address="", theme="light", **options) -> Page:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.set_content(
            "<html lang='en'><title>Inspector</title><body style='margin: 8px'><main></main></body></html>"
        )
        page.add_style_tag(path=FOLDER / "scene.css")
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        page.evaluate("address => { window.location.hash = address; }", address)
        page.evaluate(
            """async ([source, content]) => {
                const module = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
                module.default.render({model: {get: () => content}, el: document.querySelector("main")});
            }""",
            [script("scene.js"), content_of(items, runs)],
        )
        return page

    yield open_page
    for context in contexts:
        context.close()


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
    page = opened(visit, f"{PAGE}#scene=synthetic-024&question=8&a=reference_noisy_source").page
    _, *lines = describe_conflict(items, runs["Noisy source"], "synthetic-024")
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


def test_rare_contradictions_say_what_python_says(alone, items):
    # No responder of the page contradicts itself in one answer, or needs an answer twice.
    answers = np.zeros(len(items.questions), dtype=np.uint8)
    questions = items.questions
    apart = questions[(questions.viewpoint == "45") & questions.tracked_pair.eq(0)].groupby("scene").head(1)
    twice = next(row for row in apart.index if questions.scene[row] == "synthetic-002")
    pair = (questions[["scene", "target", "anchor"]] == questions.loc[twice, ["scene", "target", "anchor"]]).all(axis=1)
    answers[twice], answers[questions[pair & (questions.viewpoint == "0")].index[0]] = RIGHT | FRONT, LEFT
    answers[questions[questions.scene == "synthetic-003"].index[0]] = LEFT | RIGHT
    status = np.where(answers, ANSWERED, MISSING).astype(np.uint8)
    run = run_of(items, answers, status)
    page = alone(items, [run])
    for place, most in enumerate((1, 5, 3)):
        part(page, "scene-select").select_option(str(place))
        said = describe_conflict(items, run, items.scenes[place]["scene"])
        assert len(said) == most
        assert answer_lines(page) == said


def test_inspector_is_accessible_when_all_of_it_is_open(visit):
    page = opened(visit, f"{PAGE}#scene=synthetic-024&question=8&a=reference_noisy_source&angle=40&show=none-a").page
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


# ------------------------------------------------------------------------------------------------------------- rooms


@pytest.fixture(scope="module")
def room():
    return made_room()


@pytest.fixture(scope="module")
def room_runs(room):
    """Gold, and answers that contradict each other in the plan and in heights."""
    status = np.full(len(room.gold), ANSWERED, dtype=np.uint8)
    mixed = room.gold.copy()
    mixed[3], mixed[6], mixed[12:] = LEFT | ABOVE, FRONT, opposite(room.gold[12:])
    status[15] = INVALID
    return [run_of(room, room.gold, title="Right"), replace(run_of(room, mixed, status, title="Mixed"), set="mixed")]


ROOM_ROLES = (*ROLES[:4], "heights", *ROLES[4:])


def test_rooms_say_what_python_says(alone, room, room_runs):
    page = alone(room, room_runs)
    rng = random.Random("20 triples in rooms")
    for _ in range(20):
        row, angle = rng.randrange(16), rng.choice([*range(0, 365, 5), "Top", "Top", "Top"])
        part(page, "scene-select").select_option(str(row // 8))
        part(page, "question-select").select_option(str(row))
        turn_to(page, angle)
        part(page, "run-b").select_option(label="Mixed")
        assert shown(page, ROOM_ROLES) == describe(room, row, angle, room_runs).splitlines(), (row, angle)
    for target, anchor in ((0, 1), (1, 2), (2, 3), (3, 0), (2, 0)):
        part(page, "target").select_option(str(target))
        part(page, "anchor").select_option(str(anchor))
        scene = room.scenes[int(part(page, "scene-select").input_value())]
        assert shown(page, ["heights"]) == [heights_reading(scene, target, anchor)]
        assert shown(page, ["reading"]) == [reading(scene, target, anchor, angle)]


def test_cvt_indoor_says_what_python_says(alone):
    indoor, rng = load_cvt("indoor"), np.random.default_rng(12)
    # One answer in twenty is another one: some scenes have contradictions, some have none.
    most = np.where(indoor.questions.kind == "vertical", 64, 16)
    slips = np.where(rng.random(len(indoor.gold)) < 0.05, rng.integers(1, most), indoor.gold)
    here = [run_of(indoor, indoor.gold, title="Right"), replace(run_of(indoor, slips, title="Slips"), set="slips")]
    page = alone(indoor, here)
    names = [scene["scene"] for scene in indoor.scenes]
    for row in rng.choice(len(indoor.gold), 20, replace=False).tolist():
        angle = rng.choice([*map(str, range(0, 365, 5)), "Top", "Top", "Top"])
        place = names.index(indoor.questions.scene[row])
        part(page, "scene-select").select_option(str(place))
        part(page, "question-select").select_option(str(row))
        turn_to(page, angle)
        assert shown(page, ROOM_ROLES) == describe(indoor, row, angle, here).splitlines(), (row, angle)
        part(page, "checked").select_option(label="B: Slips")
        said = []
        for which in range(part(page, "part").locator("option").count()):
            if part(page, "part").is_visible():
                part(page, "part").select_option(str(which))
            said += answer_lines(page)
        assert said == describe_conflict(indoor, here[1], names[place]), names[place]


def test_contradictions_in_plan_and_heights_say_what_python_says(alone, room, room_runs):
    page = alone(room, room_runs, "scene=indoor-001&question=4&a=mixed")
    both = part(page, "part").locator("option")
    expect(both).to_have_text(["in the plan", "in heights"])
    said = []
    for name in ("in the plan", "in heights"):
        part(page, "part").select_option(label=name)
        said += answer_lines(page)
    assert said == describe_conflict(room, room_runs[1], "indoor-001")
    # The last answer puts the table above the lamp: everything above the lamp's middle is shaded in a side view.
    expect(page.locator(".vs-proof .vs-claim rect")).to_have_count(1)
    expect(page.locator(".vs-proof [role=img]")).to_have_attribute("aria-label", re.compile("^The scene from the side"))
    part(page, "scene-select").select_option("1")
    assert answer_lines(page) == describe_conflict(room, room_runs[1], "indoor-002")
    expect(part(page, "part")).to_be_hidden()
    part(page, "run-a").select_option(label="Right")
    assert answer_lines(page) == describe_conflict(room, room_runs[0], "indoor-002")


def side_boxes(page: Page, role: str) -> dict[str, float]:
    """Where the side view draws an object of the pair."""
    box = page.locator(f".vs-panels > :nth-child(3) rect.vs-footprint.vs-{role}").first
    return {name: float(box.get_attribute(name)) for name in ("x", "y", "width", "height")}


def test_heights_stay_while_the_observer_walks(alone, room, room_runs):
    page = alone(room, room_runs, "scene=indoor-001&question=1", reduced_motion="reduce")
    expect(part(page, "heights")).to_contain_text(
        "For every observer, the brass lamp (Tag 1) is above the wooden table"
    )
    expect(part(page, "heights")).to_contain_text("Wherever the observer goes, that stays")
    start, said, read = side_boxes(page, "target"), shown(page, ["heights"]), shown(page, ["reading"])
    turn_to(page, 180)
    turned = side_boxes(page, "target")
    assert (turned["y"], turned["height"]) == (start["y"], start["height"]) and turned["x"] != start["x"]
    assert shown(page, ["heights"]) == said and shown(page, ["reading"]) != read
    turn_to(page, "Top")
    assert side_boxes(page, "target")["height"] == start["height"] and shown(page, ["heights"]) == said
    # In depth nothing lies between the two, so that seen from the right the lamp stands over the table's middle.
    turn_to(page, 0)
    part(page, "side").select_option("across")
    lamp, table = side_boxes(page, "target"), side_boxes(page, "anchor")
    assert lamp["x"] + lamp["width"] / 2 == pytest.approx(table["x"] + table["width"] / 2)
    label = page.locator(".vs-panels > :nth-child(3) svg").get_attribute("aria-label")
    assert "heights against front and behind" in label and "above the wooden table" in label
    # The lamp stands on the table: the two intervals touch and have nothing in common. The shelf and the chair have.
    shared = page.locator(".vs-panels > :nth-child(3) .vs-shared")
    expect(shared).to_have_count(0)
    part(page, "target").select_option("3")
    part(page, "anchor").select_option("2")
    expect(shared).to_have_count(1)
    assert LAMP == 1 and TABLE == 0


def test_margins_are_drawn_as_wide_as_they_are(alone, room, room_runs):
    page = alone(room, room_runs, "scene=indoor-001&question=1", reduced_motion="reduce")

    def widths():
        """The widths of the two bands of the map, that of front and behind first."""
        corners = page.locator(".vs-panels > :nth-child(2) .vs-band").evaluate_all(
            "it => it.map(p => p.getAttribute('points'))"
        )
        points = [np.array([corner.split(",") for corner in one.split()], dtype=float) for one in corners]
        return [float(np.hypot(*(one[3] - one[0]))) for one in points]

    scene = room.scenes[0]
    side = page.locator(".vs-panels > :nth-child(3) .vs-band")
    for angle in (0, 40, 90):
        turn_to(page, angle)
        depth, lateral = widths()
        # A shelf of 1.8 is drawn over 180 - 20 pixels of 1.06 times that. A fifth of it, to either side of the table's .36: the lower
        # end is the floor.
        assert float(side.nth(1).get_attribute("height")) == pytest.approx((0.36 + 0.36) * 160 / (1.06 * 1.8))
        assert depth / lateral == pytest.approx(scene["depth_margin"] / scene["lateral_margin"], rel=0.01)


def test_slice_of_questions_with_heights(alone, room, room_runs):
    page = alone(room, room_runs)
    part(page, "filter").select_option("vertical")
    expect(part(page, "count")).to_have_text("4 of 8 questions in this scene, 8 of 16 in all")
    expect(part(page, "question-select").locator("option")).to_contain_text(["with height"] * 4)


def test_tabletops_have_no_side_view(alone, items):
    page = alone(items, [run_of(items, items.gold)])
    for role in ("heights", "side"):
        expect(part(page, role)).to_have_count(0)
    expect(part(page, "filter").locator("option")).to_have_count(6)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("width", "scene"), [(1000, "indoor-001"), (1000, "indoor-002"), (375, "indoor-001"), (375, "indoor-002")]
)
def test_rooms_are_accessible_and_fit(alone, room, room_runs, theme, width, scene):
    address = f"scene={scene}&question=4&angle=40&a=mixed"
    page = alone(room, room_runs, address, theme, viewport={"width": width, "height": 900}, reduced_motion="reduce")
    answer_lines(page)
    page.add_script_tag(path=AXE)
    found = page.evaluate("async () => (await axe.run('.vantage-scene')).violations")
    assert not [(one["id"], one["nodes"][0]["failureSummary"]) for one in found]
    elements = "[...document.querySelectorAll('.vantage-scene *')].filter((it) => it instanceof HTMLElement)"
    assert page.evaluate(f"{elements}.filter((it) => it.getBoundingClientRect().right > {width}).length") == 0
    picture, above, side = (box.bounding_box() for box in page.locator(".vs-panels svg").all())
    portrait = scene == "indoor-002"
    assert (picture["height"] > picture["width"]) == portrait
    assert picture["width"] / picture["height"] == pytest.approx(216 / 384 if portrait else 384 / 216, rel=0.02)
    if width == 375:
        assert picture["y"] + picture["height"] <= above["y"] and above["y"] + above["height"] <= side["y"]
    elif portrait:
        assert above["x"] > picture["x"] + picture["width"] and above["y"] + above["height"] <= side["y"]
    else:
        assert picture["y"] + picture["height"] <= above["y"] and above["x"] + above["width"] <= side["x"]
    sizes = page.locator(".vs-unit, .vs-direction").evaluate_all(
        "them => them.map(it => it.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 11


def test_keyboard_reaches_the_side_view(alone, room, room_runs):
    page = alone(room, room_runs)
    part(page, "scene-select").focus()
    for role in ("side", "orbit"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.role") == role
    part(page, "side").focus()
    page.keyboard.press("ArrowDown")
    expect(part(page, "side")).to_have_value("across")
