"""The scripts of the inspectors: each is one module, as a page without a network needs it."""

from pathlib import Path

FOLDER = Path(__file__).parent


def script(name: str) -> str:
    """An inspector's script in this folder, such as scene.js, after what all of them share.

    >>> "function render(" in script("scene.js"), "function element(" in script("scene.js")
    (True, True)
    """
    return "".join((FOLDER / part).read_text(encoding="utf-8") for part in ("page.js", name))
