"""The wording of the prompts, quoted to the letter.

Source: CVT-Bench, Supp. 7.3 (master prompts) and 7.4 (scene blocks, "Exact question templates"). The words before the question
templates there ([SOURCE VIEW], [COUNTERFACTUAL ORBIT], [TOP VIEW]) are the templates' names, not text. `<object>` is Tag `<B>`,
the *target* of the relation; `<subject>` is Tag `<A>`, its *anchor*.

What the print does not settle, and what we took: the line breaks (none survive in our copy of the text); straight quotes ' where
the master prompts print ’, which is how a typesetter renders them in code; and the scene's name above a Scene Graph block, in the
words of the Text/BBox block: it is printed without one, but a reply for several scenes needs their names.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

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

_REPLY = "Format your answers as a single JSON: {'<image_name>': {'q_<id>': [relationships], ...}, ...}."

MASTERS = {
    "image": (
        "You will be given a series of images with questions about spatial relationships between tagged objects. "
        f"Answer all questions based on careful spatial reasoning. {_REPLY}"
    ),
    "text_bbox": (
        "You will be given a series of scene descriptions with questions about spatial relationships between tagged objects. "
        f"Answer all questions based on careful spatial reasoning. {_REPLY}"
    ),
    "scene_graph": (
        "You will be given a series of scenes. Each scene contains:\n"
        "1. A Scene Object Dictionary: maps Tag IDs to object descriptions and bounding boxes [x, y, w, h]. No image is provided.\n"
        "2. A Scene Graph for the original view (0deg). Format: 'Tag X | dir:[A, B]' means Tags A and B are in direction 'dir' "
        "relative to Tag X. e.g. 'Tag 0 | left:[1, 3]' means Tag 1 and Tag 3 are to the LEFT of Tag 0. Only directions with "
        "targets are listed; unlisted directions have no targets.\n"
        "Answer all spatial relationship questions using the scene graph and object dictionary. For rotation questions, mentally "
        f"rotate the scene from the original configuration. {_REPLY}"
    ),
}
"""The master prompt of each representation, before the first scene (Supp. 7.3)."""

_DESCRIPTIONS = '{"0": "<description>", ...}'
_BOXES = '{"0": ("<description>", [x,y,w,h]), ...}'
_GRAPH = "Tag 0 | left:[1,3] front:[1,2]\n..."

SCENE_BLOCKS = {
    "image": (
        "Questions for Image '<image_name>':\n"
        "Refer to the numeric tags overlaid on the objects in the image.\n"
        f"Scene Object Dictionary: {_DESCRIPTIONS}\n"
        "Answer the following 60 questions based on the image and object dictionary:"
    ),
    "text_bbox": (
        "Scene '<image_name>':\n"
        "Refer to the bounding boxes [x, y, w, h] provided in the dictionary.\n"
        f"Scene Object Dictionary: {_BOXES}\n"
        "Answer the following 60 questions based on the bounding boxes and object dictionary:"
    ),
    "scene_graph": (
        f"Scene '<image_name>':\nScene Object Dictionary: {_BOXES}\nScene Graph (original view):\n{_GRAPH}"
    ),
}
"""What precedes the questions of a scene in each representation. The number 60 stands for every scene, whatever its own is
(Supp. 7.4); the Scene Graph block is printed without that line."""

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


def scene_block(scene: Mapping, representation: str) -> str:
    """What a representation gives of a scene, as its prompt words it before the questions (Supp. 7.4).

    `scene` is one of `CVTItems.scenes`; the image name is its identifier. Raises `InputError` for an unknown representation.

    >>> from vantage.items import load_cvt
    >>> print(scene_block(load_cvt().scenes[5], "scene_graph"))
    Scene 'synthetic-006':
    Scene Object Dictionary: {"0": ("large brown rubber cylinder", [48,63,46,51]), "1": ("large purple rubber cylinder", [119,67,44,54])}
    Scene Graph (original view):
    Tag 0 | right:[1] front:[1]
    Tag 1 | left:[0] behind:[0]
    """
    if representation not in SCENE_BLOCKS:
        raise InputError(f"expected a representation among {', '.join(SCENE_BLOCKS)}, found {representation!r}")
    tagged = [thing for thing in scene["objects"] if thing["tag"] is not None]
    described = {thing["tag"]: json.dumps(thing["description"], ensure_ascii=False) for thing in tagged}
    boxed = {thing["tag"]: f"({described[thing['tag']]}, {_listed(thing['box'])})" for thing in tagged}
    block = SCENE_BLOCKS[representation].replace("<image_name>", scene["scene"])
    for place, entries in ((_DESCRIPTIONS, described), (_BOXES, boxed)):
        listed = ", ".join(f'"{tag}": {entry}' for tag, entry in entries.items())
        block = block.replace(place, f"{{{listed}}}")
    return block.replace(_GRAPH, "\n".join(_graph_lines(scene["scene_graph"])))


def _graph_lines(graph: Sequence[Mapping]) -> list[str]:
    """The scene graph, a line a tag; tags and directions without targets are left out (Supp. 7.3)."""
    lines = {}
    for relation in graph:
        lines.setdefault(relation["tag"], []).append(f"{relation['direction']}:{_listed(relation['targets'])}")
    return [f"Tag {tag} | {' '.join(parts)}" for tag, parts in lines.items()]


def _listed(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"
