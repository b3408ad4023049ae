"""What holds for every page of the built book, whatever stands on it."""

from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup
from playwright.sync_api import expect

pytestmark = [pytest.mark.book, pytest.mark.browser]

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """async () => {
    // A color on its way from light to dark is neither. To wait for it may take for ever: no frame is drawn for what is unseen.
    document.getAnimations().forEach(animation => animation.finish());
    return (await axe.run()).violations;
}"""

TOC = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
PAGES = [
    f"{file}.html" for file in (TOC["root"], *(page["file"] for part in TOC["parts"] for page in part["chapters"]))
]

every_page = pytest.mark.parametrize("name", PAGES)
both_ways = pytest.mark.parametrize("over", ["http", "file"])


@cache
def parsed(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@both_ways
@every_page
def test_page_works_without_network(visit, name, over):
    seen = visit(name, over)
    widgets = seen.page.locator('script[type="application/vnd.jupyter.widget-view+json"]').count()
    expect(seen.page.locator(".widget-subarea > *")).to_have_count(widgets)
    assert (seen.external, seen.failed, seen.errors) == ([], [], [])


@every_page
def test_links_lead_somewhere(built_book, name):
    broken = []
    for tag, attribute in (("a", "href"), ("link", "href"), ("script", "src"), ("img", "src")):
        for element in parsed(built_book / name).find_all(tag, **{attribute: True}):
            link = urlsplit(element[attribute])
            if link.scheme or link.netloc:
                continue
            target = (built_book / name).parent / unquote(link.path) if link.path else built_book / name
            if not target.is_file():
                broken.append(element[attribute])
            elif link.fragment and target.suffix == ".html":
                page, anchor = parsed(target.resolve()), unquote(link.fragment)
                if scene := parse_qs(anchor).get("scene"):
                    # An address in the inspector of that page: its widget has to have the scene.
                    state = page.find("script", type="application/vnd.jupyter.widget-state+json")
                    if not state or f'"{scene[0]}"' not in state.string:
                        broken.append(element[attribute])
                elif not page.find(id=anchor) and not page.find("a", attrs={"name": anchor}):
                    broken.append(element[attribute])
    assert not broken


@every_page
def test_pictures_have_alternative_text(built_book, name):
    # Where a figure has none, its file's path is put there, which no checker flags.
    alternatives = [image.get("alt", "") for image in parsed(built_book / name).select("article img")]
    assert all(text.strip() and not text.endswith((".png", ".svg", ".jpg")) for text in alternatives), alternatives


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("results/")])
def test_page_says_what_its_numbers_rest_on(built_book, name):
    boxes = parsed(built_book / name).select("article .provenance")
    assert boxes and all(box.get_text(strip=True) for box in boxes)


@every_page
def test_page_is_accessible_in_light_and_in_dark(visit, name):
    page = visit(name).page
    page.add_script_tag(path=AXE)
    serious = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        serious += [
            f"{scheme}, {violation['id']}: {node['target']} {node['failureSummary']}"
            for violation in page.evaluate(RUN_AXE)
            if violation["impact"] in ("serious", "critical")
            for node in violation["nodes"]
        ]
    assert not serious, "\n".join(serious)


@every_page
def test_page_fits_a_phone(visit, name):
    page = visit(name, viewport={"width": 375, "height": 800}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


@both_ways
def test_search_finds_a_page(visit, over):
    seen = visit("search.html?q=perspective", over)
    seen.page.locator("#search-results a[href*='perspective-taking']").first.wait_for()
    assert (seen.external, seen.failed, seen.errors) == ([], [], [])
