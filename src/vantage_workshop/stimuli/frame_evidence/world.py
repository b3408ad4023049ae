"""All scenes with all their walks: which groups share pictures, how many views each walk has, and the drawing of it all."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vantage.errors import InputError
from vantage.layouts import View
from vantage_workshop.stimuli.frame_evidence.groups import Chosen, Walk, fill
from vantage_workshop.stimuli.frame_evidence.places import Place, draw_place
from vantage_workshop.stimuli.frame_evidence.strata import Stratum

VIEWS = 443
"""Distinct images over all splits (Section 5); they stand on 1,120 paths, which follows from the sizes of the base sets."""


@dataclass(frozen=True)
class Plan:
    """A walk to be drawn: its groups, how many views it has, and over how many patches."""

    component: str
    groups: tuple[Stratum, ...]
    views: int
    patches: int

    @property
    def scene(self) -> str:
        return self.groups[0].scene


@dataclass
class World:
    """What was drawn: scenes, the views on each (with the split that uses them), and the groups by name."""

    places: dict[str, Place]
    views: dict[str, tuple[str, str, View]]  # scene, split, camera
    chosen: dict[str, Chosen]


def plans(strata: Iterable[Stratum]) -> list[Plan]:
    """The walks: one a component and scene, with `VIEWS` views in all, in proportion to how many pictures its groups show."""
    walks = defaultdict(list)
    for stratum in strata:
        walks[stratum.component, stratum.scene].append(stratum)
    spans = {}
    for key, groups in walks.items():
        shown = sum(group.base_size + (group.family == "FQ2") for group in groups)
        least = max(group.base_size + (group.family == "FQ2") for group in groups)
        # Groups of a component share views; in a component over two scenes, one group adds a view of the other scene.
        most = shown - len(groups) + 1 - (sum(component == key[0] for component, _ in walks) > 1)
        spans[key] = (least, shown, max(least, most))
    share = 1.0
    counts = _counts(spans, share)
    while sum(counts.values()) > VIEWS:
        share *= 0.999
        counts = _counts(spans, share)
    for key in sorted(spans, key=lambda key: counts[key] / spans[key][1]):
        if sum(counts.values()) < VIEWS and counts[key] < spans[key][2]:
            counts[key] += 1
    made = []
    for (component, _), groups in walks.items():
        views = counts[component, groups[0].scene]
        widest = max(group.base_size for group in groups)
        made.append(Plan(component, tuple(groups), views, min(views, max(widest, round(0.65 * views)))))
    return made


def _counts(spans: dict, share: float) -> dict:
    return {key: min(most, max(least, round(share * shown))) for key, (least, shown, most) in spans.items()}


def draw_world(strata: list[Stratum], seed: int, progress: Callable[[Iterable], Iterable] = iter) -> World:
    """Every scene with its walks, deterministic in `seed`.

    Raises `InputError` where the strata admit no such world.
    """
    by_scene = defaultdict(list)
    for plan in plans(strata):
        by_scene[plan.scene].append(plan)
    crossing = _crossing(by_scene)
    twins = _twins(by_scene)
    world = World({}, {}, {})
    # A scene whose view a group of another scene adds is drawn before that one.
    for scene in progress(sorted(by_scene, key=lambda scene: (scene != crossing[1], scene))):
        _draw_scene(world, scene, by_scene[scene], seed, crossing, twins)
    return world


def _crossing(by_scene: dict[str, list[Plan]]) -> tuple[str, str, str]:
    """The one component that lies in two scenes: its name, the scene that lends a view, and the scene that borrows it."""
    scenes = defaultdict(list)
    for scene, walks in by_scene.items():
        for walk in walks:
            scenes[walk.component].append((len(walk.groups), scene))
    found = [(component, *(scene for _, scene in sorted(some))) for component, some in scenes.items() if len(some) > 1]
    if len(found) != 1:
        raise InputError(f"expected one image component over two scenes, found {len(found)}; make the strata anew")
    return found[0]


def _twins(by_scene: dict[str, list[Plan]]) -> tuple[str, str]:
    """Two training groups whose camera questions are made the same: the release has one repeated input (Appendix A-C)."""
    for scene in sorted(by_scene):
        for plan in by_scene[scene]:
            some = [g for g in plan.groups if g.family == "FQ1" and g.split == "train" and len(set(g.golds)) == 3]
            for at, first in enumerate(some):
                for second in some[at + 1 :]:
                    if (first.base_size, first.ontology, first.golds[0]) == (
                        second.base_size,
                        second.ontology,
                        second.golds[0],
                    ):
                        return first.group, second.group
    raise InputError(
        "expected two training FQ1 groups of one component alike in size, ontology and first letter; found none"
    )


def _draw_scene(world: World, scene: str, walks: list[Plan], seed: int, crossing, twins) -> None:
    patches = max(walk.patches for walk in walks) + 1
    for attempt in range(40):
        draw = random.Random(f"{seed} {scene} {attempt}")
        place = draw_place(scene, walks[0].groups[0].setting, patches, draw)
        views, chosen = {}, []
        try:
            for plan in walks:
                walk = Walk(place, list(plan.groups))
                if set(twins) <= {group.group for group in plan.groups}:
                    walk.twins = twins
                if (plan.component, scene) == (crossing[0], crossing[2]):
                    walk.visitor = _visitor(world, plan, crossing[1])
                chosen += fill(walk, plan.patches, plan.views, len(views), draw)
                views |= {name: (scene, plan.groups[0].split, view) for name, view in walk.views.items()}
        except InputError:
            continue
        world.places[scene] = place
        world.views |= views
        world.chosen |= {group.stratum.group: group for group in chosen}
        return
    raise InputError(
        f"expected a layout of {scene} that its groups can be asked about, found none in 40; change the seed"
    )


def _visitor(world: World, plan: Plan, scene: str):
    """The group of this walk that adds a view of another scene, that view, and what it shows."""
    lender = next(g for g in world.chosen.values() if g.stratum.component == plan.component)
    borrower = next(group.group for group in plan.groups if group.family == "FQ2")
    view = lender.views[0]
    layout = world.places[scene].layout({view: world.views[view][2]})
    return borrower, view, layout
