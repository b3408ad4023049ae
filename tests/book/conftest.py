"""The built book in a real browser: over http and as files, with everything that a page asks for noted.

Fixtures for every test of the book: `built_book` (the folder of pages), `site` (its address while it is served), and
`visit` (opens a page and watches it).
"""

import fcntl
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items):
    """Run the tests of the book last: the others take seconds and say more about a mistake."""
    here = Path(__file__).parent
    items.sort(key=lambda item: item.path.is_relative_to(here))


@pytest.fixture(scope="session")
def built_book() -> Path:
    """The folder of the book's pages, built where it is missing or stale."""
    # Not a part of the make that may have started the tests.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    # One worker builds; another that needs the book too waits for it.
    with open(Path(__file__)) as door:
        fcntl.flock(door, fcntl.LOCK_EX)
        made = subprocess.run(["make", "book"], cwd=ROOT, env=environment, text=True, capture_output=True)
    if made.returncode:
        pytest.fail(f"make book failed:\n{made.stdout}{made.stderr}", pytrace=False)
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def site(built_book):
    """The address of the book, served on a free port of this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=built_book))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser():
    """One headless Chromium for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(playwright), args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Visit:
    """An open page, and what it did that a page of the book must not do."""

    page: Page
    home: str
    external: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.page.on("request", self._requested)
        self.page.on("requestfailed", lambda request: self.failed.append(f"{request.url}: {request.failure}"))
        self.page.on("response", lambda it: it.status >= 400 and self.failed.append(f"{it.url}: status {it.status}"))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))

    def _requested(self, request):
        if not request.url.startswith((self.home, "data:", "blob:")):
            self.external.append(request.url)


@pytest.fixture
def visit(browser, built_book, site):
    """Open a page of the book and wait until it has loaded all it wants: `visit("index.html")`, a `Visit`.

    `over` is "http" or "file"; `options` go to the browser's context: `viewport`, `java_script_enabled`, ...
    """
    contexts = []

    def open_page(name: str, over: str = "http", **options) -> Visit:
        contexts.append(browser.new_context(**options))
        home = {"http": site, "file": built_book.as_uri()}[over]
        visit = Visit(contexts[-1].new_page(), home)
        visit.page.goto(f"{home}/{name}", wait_until="networkidle")
        return visit

    yield open_page
    for context in contexts:
        context.close()


def _chromium(playwright) -> str:
    """An installed Chromium, else one installed now, else a failure that says what to do."""
    named = os.environ.get("CHROMIUM")
    if found := named or _on_path():
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        for step in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", "--quiet", *step], check=False)
        found = _on_path()
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
        found = playwright.chromium.executable_path
    if not found or not Path(found).exists():
        pytest.fail("no Chromium, and none could be installed: install one, or set CHROMIUM to its path", pytrace=False)
    return found


def _on_path() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
