"""The wording of the questions, quoted to the letter.

Source: CVT-Bench, Supp. 7.4, "Exact question templates". The words before them there ([SOURCE VIEW], [COUNTERFACTUAL
ORBIT], [TOP VIEW]) are the templates' names, not text. `<object>` is Tag `<B>`, the *target* of the relation; `<subject>`
is Tag `<A>`, its *anchor*.
"""

import re
from collections.abc import Mapping, Sequence

from vantage.errors import InputError
from vantage.relations import TOP, VERTICAL_WORDS, VIEWPOINTS

SOURCE_VIEW = (
    "In the original view, what is the spatial relationship of the <object> (Tag <B>) with respect to the <subject> (Tag <A>)? "
    "Choose from [left, right, front, behind]. Multiple relations possible."
)
COUNTERFACTUAL_ORBIT = (
    "If the camera orbits <angle> degrees to the <left/right>, what is the new spatial relationship of the <object> (Tag <B>) "
    "with respect to the <subject> (Tag <A>)? Choose from [left, right, front, behind]. Multiple relations possible."
)
TOP_VIEW = (
    "If the camera orbits to a top-down view, what is the new spatial relationship of the <object> (Tag <B>) with respect to "
    "the <subject> (Tag <A>)? Choose from [left, right, south, north]. Multiple relations possible."
)

_PLACE = re.compile(r"<[^>]+>")


def question_text(
    viewpoint: str,
    direction: str | None,
    angle: int | None,
    target: int,
    anchor: int,
    descriptions: Sequence[str] | Mapping[int, str],
    vertical: bool = False,
) -> str:
    """The question about `target` relative to `anchor` at `viewpoint`.

    `direction` ("left" or "right") and `angle` (degrees) word the orbit; both are None in the source view and at Top.
    `descriptions` gives the description of every tag. A `vertical` question offers above and below too, after the
    template's own options (Supp. 7.4). Raises `InputError` for an unknown viewpoint and for an orbit
    without its wording.

    >>> question_text("Top", None, None, 1, 0, ["large red metal cube", "small blue rubber sphere"])
    ... # doctest: +ELLIPSIS
    'If the camera orbits to a top-down view, what is the new spatial relationship of the small blue rubber sphere (Tag 1) ...
    """
    if viewpoint not in VIEWPOINTS:
        raise InputError(f"expected a viewpoint among {', '.join(VIEWPOINTS)}, found {viewpoint!r}")
    template = {"0": SOURCE_VIEW, TOP: TOP_VIEW}.get(viewpoint, COUNTERFACTUAL_ORBIT)
    if template is COUNTERFACTUAL_ORBIT and (direction not in ("left", "right") or angle is None):
        raise InputError(
            f"expected a direction and an angle for the orbit to {viewpoint}, found {direction!r} and {angle!r}"
        )
    words = {
        "<angle>": str(angle),
        "<left/right>": direction,
        "<object>": descriptions[target],
        "<B>": str(target),
        "<subject>": descriptions[anchor],
        "<A>": str(anchor),
    }
    if vertical:
        template = template.replace("]. Multiple", f", {', '.join(VERTICAL_WORDS)}]. Multiple")
    return _PLACE.sub(lambda place: words[place[0]], template)
