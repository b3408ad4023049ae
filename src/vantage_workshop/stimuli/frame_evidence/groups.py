"""Questions for every group, chosen among what the layouts prove.

Groups of one exact-image component share a walk: a stretch of a scene's path with cameras of its own. A group takes neighbouring
patches, one camera each; then target, relatum and frames are drawn until the strata hold and `vantage.layouts` proves what the group
must have. Nothing is kept that is not proved.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from vantage.errors import InputError
from vantage.layout_proofs import CLEARANCE
from vantage.layouts import (
    DIRECTIONS,
    INSUFFICIENT,
    Component,
    Frame,
    Layout,
    Observation,
    Question,
    View,
    observe,
    register,
    truth,
)
from vantage_workshop.stimuli.frame_evidence.places import Place, draw_view
from vantage_workshop.stimuli.frame_evidence.strata import Stratum

_FRAMES = ("camera", "object", "scene")


@dataclass(frozen=True)
class Chosen:
    """What a group asks: its ordered base set, its objects, a frame a condition, and its options by letter.

    `ordinals` has the image number by which each question names a view, or none. `removed` and `added` are FQ2's views; the
    added one comes at `place` in the order. `landmark` is the object by which a question without image numbers names its view.
    """

    stratum: Stratum
    views: tuple[str, ...]
    target: str
    relatum: str
    third: str
    frames: tuple[Frame, Frame, Frame]
    ordinals: tuple[int | None, int | None, int | None]
    options: dict[str, str]
    removed: str | None = None
    added: str | None = None
    place: int = 0
    landmark: str | None = None

    def shown(self, condition: int) -> tuple[str, ...]:
        """The ordered views of a condition, 0 to 2."""
        if self.stratum.family == "FQ1" or condition == 0:
            return self.views
        if condition == 1:
            return tuple(view for view in self.views if view != self.removed)
        return (*self.views[: self.place], self.added, *self.views[self.place :])


@dataclass
class Walk:
    """A stretch of a scene's path, its cameras by patch, and the groups whose base sets lie on it.

    `twins` are two groups that ask the same camera question. `visitor` is a group, the view of another scene that it adds, and
    that scene's layout.
    """

    place: Place
    groups: list[Stratum]
    cameras: list[list[str]] = field(default_factory=list)
    views: dict[str, View] = field(default_factory=dict)
    twins: tuple[str, str] | None = None
    visitor: tuple[str, str, Layout] | None = None

    def __post_init__(self) -> None:
        self.reset({}, [])

    def reset(self, views: dict[str, View], cameras: list[list[str]]) -> None:
        """Other cameras, and nothing remembered of the earlier ones."""
        self.views, self.cameras = views, cameras
        self._seen: dict[str, Observation] = {}
        self._parts: dict[frozenset[str], list[Component] | None] = {}
        if self.visitor:
            self._seen[self.visitor[1]] = observe(self.visitor[2], self.visitor[1])

    @property
    def layout(self) -> Layout:
        return self.place.layout(self.views)

    def seen(self, view: str) -> Observation:
        """What a view shows."""
        if view not in self._seen:
            self._seen[view] = observe(self.layout, view)
        return self._seen[view]

    def parts(self, views: Sequence[str]) -> list[Component] | None:
        """The components of some views; none where two of them are hinged."""
        key = frozenset(views)
        if key not in self._parts:
            try:
                self._parts[key] = register({view: self.seen(view) for view in sorted(key)})
            except InputError:
                self._parts[key] = None
        return self._parts[key]

    def hinged(self, views: Sequence[str]) -> bool:
        """Whether two of the views share just one object without a front, which the theorems do not cover."""
        return any(self.parts(pair) is None for pair in combinations(views, 2)) or self.parts(views) is None

    def holds(self, views: Sequence[str], target: str, relatum: str, frame: Frame) -> bool:
        """Whether these views support an answer."""
        return any(
            {target, relatum} <= part.things.keys()
            and frame.anchor in (part.views if frame.kind == "camera" else part.things)
            for part in self.parts(views) or ()
        )


def fill(walk: Walk, patches: int, count: int, first: int, draw: random.Random) -> list[Chosen]:
    """Cameras and questions for every group of a walk, so that just `count` views are used and all groups hang together.

    Views are numbered after the `first` ones of the scene. Raises `InputError` where none is found: the scene must be drawn anew.
    """
    for _ in range(60):
        start = draw.randrange(len(walk.place.centres) - patches + 1)
        where = [*range(patches), *(draw.randrange(patches) for _ in range(count - patches))]
        views, cameras = {}, [[] for _ in range(patches)]
        for patch in sorted(where):
            name = f"{walk.place.prefix}-v{first + len(views) + 1:02d}"
            cameras[patch].append(name)
            views[name] = draw_view(walk.place, start + patch, draw)
        walk.reset(views, cameras)
        for _ in range(12):
            if chosen := _all_groups(walk, draw):
                return chosen
    raise InputError(f"expected a walk of {count} views for {walk.groups[0].component}, found none; draw another scene")


def _all_groups(walk: Walk, draw: random.Random) -> list[Chosen] | None:
    """Questions for all groups of a walk with its present cameras; none where a group finds none or a view stays unused."""
    used: set[str] = set()
    chosen: dict[str, Chosen] = {}
    order = sorted(walk.groups, key=lambda _: draw.random())
    if walk.twins:
        order.sort(key=lambda stratum: walk.twins.index(stratum.group) if stratum.group in walk.twins else 2)
    for stratum in order:
        like = chosen.get(walk.twins[0]) if walk.twins and stratum.group == walk.twins[1] else None
        for _ in range(25):
            views = like.views if like else _window(walk, stratum.base_size, used, draw)
            if walk.hinged(views) or len(walk.parts(views)) != 1:
                continue
            found = (
                _fq1(walk, stratum, views, like, draw)
                if stratum.family == "FQ1"
                else _fq2(walk, stratum, views, used, draw)
            )
            if found:
                chosen[stratum.group] = found
                used.update(found.views, [found.added] if found.added else [])
                break
        else:
            return None
    return list(chosen.values()) if used >= walk.views.keys() and _hang_together(chosen.values()) else None


def _window(walk: Walk, size: int, used: set[str], draw: random.Random) -> tuple[str, ...]:
    """One camera on each of `size` neighbouring patches, unused ones first, in a random order."""
    starts = range(len(walk.cameras) - size + 1)
    fresh = [sum(not used >= set(cameras) for cameras in walk.cameras[start : start + size]) for start in starts]
    start = draw.choices(starts, [1 + 3 * count for count in fresh])[0]
    views = [
        draw.choices(cameras, [1 if view in used else 5 for view in cameras])[0]
        for cameras in walk.cameras[start : start + size]
    ]
    draw.shuffle(views)
    return tuple(views)


def _hang_together(groups: Iterable[Chosen]) -> bool:
    """Whether shared views join all the groups into one component."""
    sets = [{*group.views, *([group.added] if group.added else [])} for group in groups]
    joined = sets.pop()
    while near := next((other for other in sets if other & joined), None):
        joined |= near
        sets.remove(near)
    return not sets


# ---------------------------------------------------------------------------------------------------------------- FQ1


def _fq1(
    walk: Walk, stratum: Stratum, views: tuple[str, ...], like: Chosen | None, draw: random.Random
) -> Chosen | None:
    """Three frames over fixed images: the gold directions differ where the gold letters do, and no single view shows both
    target and relatum."""
    (part,) = walk.parts(views)
    movable = [name for name in part.things if name not in walk.place.fixtures]
    pairs = [
        pair
        for pair in ([(like.target, like.relatum)] if like else [(a, b) for a in movable for b in movable if a != b])
        if not any(set(pair) <= walk.seen(view).keys() for view in views)
    ]
    draw.shuffle(pairs)
    anchors = {
        "camera": [(view, back) for view in views for back in (False, True)],
        "object": [(n, back) for n in movable if part.things[n].heading is not None for back in (False, True)],
        "scene": [(n, back) for n in part.things if n in walk.place.fixtures for back in (False, True)],
    }
    for target, relatum in pairs:
        clear = {}
        for kind in _FRAMES:
            for anchor, back in anchors[kind]:
                if anchor != target:
                    frame = Frame(kind, anchor, back)
                    said, margin = truth(walk.layout, Question(target, relatum, frame, stratum.ontology))
                    if margin >= CLEARANCE:
                        clear.setdefault((kind, said), []).append(frame)
        found = _three(clear, stratum, like, draw)
        if found:
            frames, options = found
            ordinals = (views.index(frames[0].anchor) + 1, None, None)
            return Chosen(stratum, views, target, relatum, frames[1].anchor, frames, ordinals, options)
    return None


def _three(
    clear: dict[tuple[str, str], list[Frame]], stratum: Stratum, like: Chosen | None, draw: random.Random
) -> tuple[tuple[Frame, Frame, Frame], dict[str, str]] | None:
    """A frame of each kind, and options under which their directions have the gold letters."""
    for _ in range(40):
        if like:
            options = like.options
        else:
            words = list(DIRECTIONS[stratum.ontology])
            draw.shuffle(words)
            options = dict(zip("ABCD", words, strict=True))
        found = [clear.get((kind, options[letter])) for kind, letter in zip(_FRAMES, stratum.golds, strict=True)]
        if all(found):
            frames = tuple(draw.choice(some) for some in found)
            if like:
                frames = (like.frames[0], *frames[1:])
            if not like or (frames[1] != like.frames[1] and frames[2] != like.frames[2]):
                return frames, options
    return None


# ---------------------------------------------------------------------------------------------------------------- FQ2


def _fq2(walk: Walk, stratum: Stratum, views: tuple[str, ...], used: set[str], draw: random.Random) -> Chosen | None:
    """A minimal sufficient set, a deletion and an addition as the stratum wants them."""
    kind = "camera" if stratum.camera_heading else "object" if stratum.tag == "object" else "scene"
    added = _added(walk, stratum, views, used, draw)
    if added is None:
        return None
    (part,) = walk.parts(views)
    movable = [name for name in part.things if name not in walk.place.fixtures]
    shows = {view: walk.seen(view).keys() for view in (*views, added)}
    if kind == "camera":
        anchors = list(views)
        if stratum.ordinal_change == "none":  # named by an object that it alone shows
            anchors = [v for v in views if _own(v, shows, movable)]
    else:
        anchors = [
            n for n, thing in part.things.items() if thing.heading is not None and (n in movable) == (kind == "object")
        ]
    asked = [
        (t, r, Frame(kind, a, b))
        for t in movable
        for r in movable
        if t != r
        for a in anchors
        for b in (False, True)
        if t != a
    ]
    draw.shuffle(asked)
    fewer = [tuple(view for view in views if view != gone) for gone in views]
    for target, relatum, frame in asked[:400]:
        if any(walk.holds(some, target, relatum, frame) for some in fewer):
            continue
        said, margin = truth(walk.layout, Question(target, relatum, frame, stratum.ontology))
        if margin < CLEARANCE:
            continue
        landmark = None
        if kind == "camera" and stratum.ordinal_change == "none":
            landmark = next(iter(_own(frame.anchor, shows, {*movable} - {target, relatum})), None)
            if landmark is None:
                continue
        bridges = [n for n in movable if n not in (target, relatum) and sum(n in shows[v] for v in views) > 1]
        others = bridges or [n for n in movable if n not in (target, relatum)]
        third = frame.anchor if kind == "object" and frame.anchor != relatum else draw.choice(others)
        order, removed, ordinal = _order(stratum, views, frame, draw)
        first = ordinal or 0
        wrong = [word for word in DIRECTIONS[stratum.ontology] if word != said]
        draw.shuffle(wrong)
        options = {stratum.golds[0]: said, stratum.insufficient: INSUFFICIENT}
        options |= dict(zip([letter for letter in "ABCD" if letter not in options], wrong, strict=False))
        return Chosen(
            stratum,
            order,
            target,
            relatum,
            third,
            (frame,) * 3,
            (ordinal,) * 3,
            options,
            removed=removed,
            added=added,
            place=draw.randint(first, len(views)),
            landmark=landmark,
        )
    return None


def _own(view: str, shows: dict[str, Sequence[str]], names: Sequence[str]) -> list[str]:
    """The objects that only this one of the views shows."""
    return sorted(n for n in names if n in shows[view] and all(n not in shows[o] for o in shows if o != view))


def _added(walk: Walk, stratum: Stratum, views: tuple[str, ...], used: set[str], draw: random.Random) -> str | None:
    """A hard view to add: not of the set, and showing something that the set shows too."""
    if walk.visitor and stratum.group == walk.visitor[0]:
        return walk.visitor[1]
    known = set().union(*(walk.seen(view) for view in views))
    hard = [
        view
        for view in walk.views
        if view not in views and known & walk.seen(view).keys() and not walk.hinged((*views, view))
    ]
    return draw.choices(hard, [1 if view in used else 6 for view in hard])[0] if hard else None


def _order(
    stratum: Stratum, views: tuple[str, ...], frame: Frame, draw: random.Random
) -> tuple[tuple[str, ...], str, int | None]:
    """The order of the images, the one that deletion removes, and the image number in the question."""
    size, change = len(views), stratum.ordinal_change
    if change == "none":
        return views, draw.choice(views), None
    places = range(1, size + 1)  # of the anchor and of the removed image
    fits = [
        (at, gone)
        for at in places
        for gone in places
        if change == ("removed" if gone == at else "shifted" if gone < at else "stable")
        and stratum.out_of_range == (at == size and gone <= at)
    ]
    at, gone = draw.choice(fits)
    order = [view for view in views if view != frame.anchor]
    order.insert(at - 1, frame.anchor)
    return tuple(order), order[gone - 1], at
