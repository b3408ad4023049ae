"""TripletInspector on a page of its own: it says what Python says, works from the keyboard, and fits a phone."""

import random
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from vantage import files
from vantage.inspectors.evidence import Case
from vantage.inspectors.triplet import TripletInspector, content_of, describe, telling_groups
from vantage.predictions import ANSWERED, INVALID, MISSING
from vantage.triplets import CONDITIONS, load_triplets

pytestmark = pytest.mark.browser

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
HOSTILE = "<img src=x onerror=\"document.title='broken'\">"
SHELL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>whole</title>
<meta name="viewport" content="width=device-width"><style>body {{ margin: 0.5rem; }} {css}</style></head>
<body><main><h1>A page</h1><article></article></main></body></html>"""
RENDER = """async ([source, content]) => {
    const module = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
    module.default.render({model: {get: () => content}, el: document.querySelector("article")});
}"""


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def runs(triplets, triplet_run):
    """Letters at random, a part of them invalid or missing."""
    rng, count = np.random.default_rng(3), len(triplets.questions)
    runs = []
    for title in ("First", HOSTILE, "Third"):
        status = rng.choice([ANSWERED, INVALID, MISSING], count, p=[0.7, 0.2, 0.1])
        answers = np.where(status == ANSWERED, rng.integers(0, 4, count), -1)
        runs.append(triplet_run(triplets, answers, status, title))
    return runs


@pytest.fixture
def opened(browser, triplets, tmp_path):
    """Open an inspector on a page of its own: `opened(groups, runs)`, the page; `page.errors` has what went wrong on it."""
    contexts = []
    path = tmp_path / "page.html"
    path.write_text(SHELL.format(css=str(TripletInspector._css)), encoding="utf-8")

    def open_page(groups, runs=(), address="", **options):
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and page.errors.append(message.text))
        page.goto(f"{path.as_uri()}{address}")
        page.evaluate(RENDER, [TripletInspector._esm, content_of(triplets, groups, runs)])
        return page

    yield open_page
    for context in contexts:
        context.close()


def part(page, role):
    return page.locator(f".vantage-triplet [data-role='{role}']")


def said(page):
    return page.locator(".vantage-triplet [data-line]").all_text_contents()


def test_inspector_says_what_python_says(opened, triplets, runs):
    rng = random.Random("20 groups")
    groups = [
        *rng.sample(sorted(triplets.groups.query("family == 'FQ1'").index), 8),
        *rng.sample(sorted(triplets.groups.query("family == 'FQ2'").index), 12),
    ]
    page = opened(groups, runs)
    for place, group in enumerate(groups):
        part(page, "group").select_option(str(place))
        for row in map(int, triplets.of_group(group)):
            case = Case(triplets, row)
            condition = case.item["condition"]
            view = rng.choice([None, *case.views])
            a, b = rng.choices(range(len(runs)), k=2)
            part(page, f"condition-{condition}").click()
            part(page, f"view-{view or 'all'}").click()
            part(page, "run-a").select_option(str(a))
            part(page, "run-b").select_option(str(b))
            expected = describe(triplets, group, condition, view, [runs[a], runs[b]]).splitlines()
            assert said(page) == expected, (group, condition, view)
    assert (page.errors, page.title()) == ([], "whole")
    assert page.locator(".vantage-triplet img").count() == 0


def test_without_runs_and_with_one(opened, triplets, runs):
    (group,) = telling_groups(triplets)[:1]
    condition = CONDITIONS[triplets.groups.loc[group, "family"]][0]
    for some in ([], runs[:1]):
        page = opened([group], some)
        assert said(page) == describe(triplets, group, condition, None, some).splitlines()
        assert page.locator(".vantage-triplet select").count() == 0
        assert page.errors == []


def test_languages_are_marked(opened, triplets):
    groups = telling_groups(triplets)
    page = opened(groups)
    item = triplets.questions.iloc[triplets.of_group(groups[0])[0]]
    assert page.locator(".vt-question p[lang='zh']").text_content() == item["question_zh"]
    options = page.locator(".vt-options [lang='zh']").all_text_contents()
    assert options == [option["zh"] for option in item["options"]]


def test_what_is_shown_hidden_and_outside(opened, triplets):
    groups = telling_groups(triplets)
    page = opened(groups)
    for place, group in enumerate(groups):
        part(page, "group").select_option(str(place))
        case = Case(triplets, int(triplets.of_group(group)[0]))
        for view in case.views:
            part(page, f"view-{view}").click()
            lines = case.view_lines(view)
            hidden = sum(line.startswith("Hidden: ") for line in lines)
            assert page.locator("[data-role='map'] .vt-thing.vt-shown").count() == len(triplets.observation(view))
            assert page.locator("[data-role='map'] .vt-thing.vt-hidden").count() == hidden
            assert page.locator("[data-role='map'] .vt-field.vt-chosen").count() == 1


def test_a_click_on_a_camera_chooses_its_image(opened, triplets):
    page = opened(telling_groups(triplets))
    page.locator("[data-role='map'] .vt-camera .vt-number").first.click()
    expect(part(page, "views").locator("[aria-pressed='true']")).not_to_have_text("All images")
    page.locator("[data-role='map'] .vt-camera.vt-chosen .vt-number").click()
    expect(part(page, "view-all")).to_have_attribute("aria-pressed", "true")


def test_view_stays_while_the_condition_has_it(opened, triplets):
    group = next(group for group in telling_groups(triplets) if triplets.groups.loc[group, "family"] == "FQ2")
    mss, deletion, addition = (triplets.questions["views"].iloc[row] for row in triplets.of_group(group))
    page = opened([group])
    (gone,), (new,) = set(mss) - set(deletion), set(addition) - set(mss)
    part(page, f"view-{gone}").click()
    part(page, "condition-addition").click()
    expect(part(page, f"view-{gone}")).to_have_attribute("aria-pressed", "true")
    part(page, "condition-deletion").click()
    expect(part(page, "view-all")).to_have_attribute("aria-pressed", "true")
    expect(part(page, f"view-{gone}")).to_have_count(0)
    assert page.locator("[data-role='map'] .vt-field.vt-part-gone").count() == 1
    part(page, "condition-addition").click()
    assert page.locator("[data-role='map'] .vt-field.vt-added").count() == 1
    part(page, f"view-{new}").click()


def test_keyboard_is_enough(opened, triplets, runs):
    groups = telling_groups(triplets)
    fq2 = next(place for place, group in enumerate(groups) if triplets.groups.loc[group, "family"] == "FQ2")
    page = opened(groups, runs)
    part(page, "group").select_option(str(fq2))
    part(page, "group").focus()
    reached = []
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.dataset.role ?? document.activeElement.getAttribute('role')")
        )
        if reached[-1] == "copy":
            break
    views = [f"view-{view}" for view in ("all", *triplets.questions["views"].iloc[triplets.of_group(groups[fq2])[0]])]
    conditions = [f"condition-{condition}" for condition in CONDITIONS["FQ2"]]
    assert reached == [*conditions, *views, "img", "run-a", "run-b", "prove", "other", "copy"]
    part(page, conditions[1]).press("Enter")
    expect(part(page, conditions[1])).to_have_attribute("aria-pressed", "true")
    part(page, "views").locator("button").nth(1).press("Space")
    # The button is another element now; the focus is still on it.
    expect(part(page, "views").locator("button").nth(1)).to_be_focused()
    objects = page.locator("[data-role='map'] .vt-thing")
    objects.first.focus()
    page.keyboard.press("ArrowRight")
    expect(objects.nth(1)).to_be_focused()
    label = objects.nth(1).get_attribute("aria-label")
    expect(part(page, "name")).to_contain_text(label)
    page.keyboard.press("ArrowLeft")
    expect(objects.nth(0)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(objects.last).to_be_focused()
    part(page, "prove").press("Enter")
    expect(part(page, "proof")).to_be_visible()
    part(page, "other").press("Enter")
    expect(part(page, "worlds").locator("svg")).to_have_count(2)
    assert page.errors == []


def test_proof_and_other_world(opened, triplets):
    groups = telling_groups(triplets)
    content = content_of(triplets, groups)["groups"]
    page = opened(groups)
    for place, group in enumerate(content):
        part(page, "group").select_option(str(place))
        # What was opened for one group does not stay open for the next.
        expect(part(page, "proof")).to_be_hidden()
        expect(part(page, "worlds")).to_be_hidden()
        part(page, "prove").click()
        assert part(page, "proof").locator("li").all_text_contents() == [
            f"✓{proof['text']}" for proof in group["proofs"]
        ]
        if group["worlds"] is None:
            expect(part(page, "other")).to_be_hidden()
            continue
        part(page, "other").click()
        expect(part(page, "worlds-text")).to_have_text(group["worlds"]["text"])
        first, second = part(page, "worlds").locator(".vt-caption").all_text_contents()
        assert first.split(": ")[1] != second.split(": ")[1]
        # One image is seen alike in both: as many objects shown.
        part(page, "condition-deletion").click()
        part(page, "views").locator("button").nth(1).click()
        shown = [world.locator(".vt-shown").count() for world in part(page, "worlds").locator("svg").all()]
        assert shown[0] == shown[1] > 0


def test_invalid_is_shown_apart_from_wrong(opened, triplets, runs):
    groups = telling_groups(triplets)
    page = opened(groups, runs)
    signs = {"correct": "✓", "wrong": "✕", "invalid": "?", "missing": "–"}
    seen = set()
    for place, group in enumerate(groups):
        part(page, "group").select_option(str(place))
        for row in map(int, triplets.of_group(group)):
            case = Case(triplets, row)
            part(page, f"condition-{case.item['condition']}").click()
            verdicts = [case.verdict(run) for run in runs[:2]]
            assert page.locator(".vt-sign").all_text_contents() == [signs[verdict] for verdict in verdicts]
            seen.update(verdicts)
    assert {"wrong", "invalid"} <= seen


def test_link_opens_its_place(opened, triplets):
    groups = telling_groups(triplets)
    fq2 = next(group for group in groups if triplets.groups.loc[group, "family"] == "FQ2")
    view = triplets.questions["views"].iloc[triplets.of_group(fq2)[1]][0]
    expected = describe(triplets, fq2, "deletion", view).splitlines()
    page = opened(groups, address=f"#group={fq2}&condition=deletion&view={view}")
    assert said(page) == expected
    part(page, "condition-addition").click()
    part(page, "view-all").click()
    part(page, "copy").click()
    expect(part(page, "copied")).not_to_be_empty()
    assert page.url.endswith(f"#group={fq2}&condition=addition")
    page.evaluate("link => { window.location.hash = link; }", f"#group={fq2}&condition=deletion&view=<b>")
    expect(part(page, "notice")).to_have_text("No such view here: <b>.")
    assert said(page) == describe(triplets, fq2, "deletion").splitlines()
    page.evaluate("window.location.hash = '#group=fq9-999'")
    expect(part(page, "notice")).to_have_text("No such group here: fq9-999.")
    expect(part(page, "group")).to_have_value("0")
    # What is not ours is left alone.
    page.evaluate("window.location.hash = '#triplet-inspector'")
    page.wait_for_timeout(50)
    expect(part(page, "notice")).to_have_text("No such group here: fq9-999.")
    assert page.errors == []


def open_all(page, place):
    part(page, "group").select_option(str(place))
    page.locator(".vt-card").nth(1).click()
    part(page, "views").locator("button").nth(1).click()
    part(page, "prove").click()
    if part(page, "other").is_visible():
        part(page, "other").click()


@pytest.mark.parametrize("width", [375, 1280])
def test_everything_fits(opened, triplets, runs, width):
    groups = telling_groups(triplets)
    page = opened(groups, runs, viewport={"width": width, "height": 800})
    for place in range(len(groups)):
        open_all(page, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # The maps cut off what reaches beyond them; every other element must fit.
        wide = page.evaluate(
            "limit => [...document.querySelectorAll('.vantage-triplet, .vantage-triplet *')]"
            ".filter((it) => it instanceof HTMLElement && it.getBoundingClientRect().right > limit).length",
            width + 1,
        )
        assert wide == 0
    assert page.errors == []


def test_map_follows_the_width_of_the_page(opened, triplets):
    page = opened(telling_groups(triplets), viewport={"width": 1000, "height": 800})
    for width in (500, 900):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)
        across = page.evaluate("document.querySelector(\"[data-role='map']\").clientWidth")
        assert part(page, "map").get_attribute("viewBox").split()[2] == str(across)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_inspector_is_accessible_when_all_of_it_is_open(opened, triplets, runs, theme):
    assert AXE.is_file(), (
        f"expected {files.shown(AXE)}, found none; run make book, which fetches what pages are checked with"
    )
    groups = telling_groups(triplets)
    page = opened(groups, runs)
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    page.evaluate("dark => { if (dark) document.body.style.background = '#121212'; }", theme == "dark")
    page.add_script_tag(path=AXE)
    for place in range(len(groups)):
        open_all(page, place)
        found = page.evaluate("async () => (await axe.run('.vantage-triplet')).violations")
        assert not [(one["id"], one["nodes"][0]["html"], one["nodes"][0]["failureSummary"]) for one in found]
