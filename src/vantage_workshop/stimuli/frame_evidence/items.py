"""The tables of FrameEvidence-Open from the world that was drawn."""

import random
from collections import Counter
from collections.abc import Callable, Iterable

import pandas as pd
import pyarrow as pa
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from vantage import files, schemas
from vantage.composition import union_components
from vantage.errors import InputError
from vantage_workshop.stimuli.frame_evidence.groups import Chosen
from vantage_workshop.stimuli.frame_evidence.labels import name_things
from vantage_workshop.stimuli.frame_evidence.strata import FILE, read_strata
from vantage_workshop.stimuli.frame_evidence.wording import OPTIONS, Names, question
from vantage_workshop.stimuli.frame_evidence.world import World, draw_world

SCHEMAS = {
    "scenes": schemas.FRAME_EVIDENCE_SCENES,
    "views": schemas.FRAME_EVIDENCE_VIEWS,
    "items": schemas.FRAME_EVIDENCE_ITEMS,
}

_CONDITIONS = {"FQ1": ("camera", "object", "scene"), "FQ2": ("mss", "deletion", "addition")}


def tables(seed: int, progress: Callable[[Iterable], Iterable] = iter) -> dict[str, pa.Table]:
    """Scenes, views and items from the frozen strata, deterministic in `seed`.

    Raises `InputError` where the strata admit no such items.
    """
    groups = read_strata(files.root() / "data" / "frame_evidence" / FILE)
    world = draw_world(groups, seed, progress)
    named = Counter(
        thing for chosen in world.chosen.values() for thing in (chosen.target, chosen.relatum, chosen.third)
    )
    names = name_things(world.places.values(), named, random.Random(f"{seed} names"))
    clusters = _clusters(world)
    trained = {group.scene for group in groups if group.split == "train"}
    items = [
        row for group in groups for row in _items(world.chosen[group.group], names, clusters, group.scene in trained)
    ]
    rows = {"scenes": _scenes(world, names), "views": _views(world), "items": items}
    return {name: schemas.table_of(rows[name], schema) for name, schema in SCHEMAS.items()}


def _items(chosen: Chosen, names: Names, clusters: dict[str, tuple[str, str]], trained: bool) -> list[dict]:
    """The three items of a group."""
    stratum, rows = chosen.stratum, []
    for at, condition in enumerate(_CONDITIONS[stratum.family]):
        zh, en = question(chosen, at, names)
        frame, ordinal = chosen.frames[at], chosen.ordinals[at]
        options = [
            {"letter": letter, "meaning": word, "zh": OPTIONS[word][0], "en": OPTIONS[word][1]}
            for letter, word in sorted(chosen.options.items())
        ]
        rows.append(
            {
                "item": f"{stratum.group}-{condition}",
                "group": stratum.group,
                "family": stratum.family,
                "condition": condition,
                "split": stratum.split,
                "gold": stratum.golds[at],
                "options": options,
                "question_zh": zh,
                "question_en": en,
                "views": list(chosen.shown(at)),
                "target": chosen.target,
                "relatum": chosen.relatum,
                "third": chosen.third,
                "frame": {"kind": frame.kind, "anchor": frame.anchor, "backward": frame.backward, "ordinal": ordinal},
                "ontology": stratum.ontology,
                "setting": stratum.setting,
                "source": stratum.source,
                "base_size": stratum.base_size,
                "tag": stratum.tag or None,
                "ordinal_change": stratum.ordinal_change or None,
                "image_cluster": clusters[stratum.group][0],
                "scene_cluster": stratum.scene,
                "union_cluster": clusters[stratum.group][1],
                "overlap": None if stratum.split != "test" else "train" if trained else "none",
                "arm": None,
            }
        )
    return rows


def _clusters(world: World) -> dict[str, tuple[str, str]]:
    """The exact-image and the union component of each group, from the views and scenes that the groups really share.

    Raises `InputError` where sharing is not as the strata want it.
    """
    groups = sorted(world.chosen.values(), key=lambda chosen: chosen.stratum.group)
    images = _sharing([{view for at in range(3) for view in chosen.shown(at)} for chosen in groups])
    union = union_components(images, [f"{chosen.stratum.split} {chosen.stratum.scene}" for chosen in groups])
    wanted = {chosen.stratum.component for chosen in groups}
    found = {(chosen.stratum.component, image) for chosen, image in zip(groups, images, strict=True)}
    if not len(wanted) == len(found) == len(set(images)):
        raise InputError(
            f"expected the {len(wanted)} image components of the strata, found {len(set(images))}; make the strata anew"
        )
    return {
        chosen.stratum.group: (f"image-{image + 1:02d}", f"union-{joined + 1:02d}")
        for chosen, image, joined in zip(groups, images, union, strict=True)
    }


def _sharing(views: list[set[str]]) -> list[int]:
    """Which component each group is in, where groups that share a view are joined; numbered in the order of groups."""
    number = {view: len(views) + at for at, view in enumerate(sorted(set().union(*views)))}
    ends = [(row, number[view]) for row, some in enumerate(views) for view in some]
    size = len(views) + len(number)
    graph = coo_array(([1] * len(ends), tuple(zip(*ends, strict=True))), shape=(size, size))
    return pd.factorize(connected_components(graph, directed=False)[1][: len(views)])[0].tolist()


def _scenes(world: World, names: Names) -> list[dict]:
    groups = {chosen.stratum.scene: chosen.stratum for chosen in world.chosen.values()}
    return [
        {
            "scene": scene,
            "setting": place.setting,
            "source": groups[scene].source,
            "objects": [
                {
                    "object": name,
                    "label": names[name][0],
                    "zh": names[name][1],
                    "en": names[name][2],
                    "fixture": name in place.fixtures,
                    "x": thing.x,
                    "y": thing.y,
                    "heading": thing.heading,
                    "radius": thing.radius,
                }
                for name, thing in place.things.items()
            ],
        }
        for scene, place in sorted(world.places.items())
    ]


def _views(world: World) -> list[dict]:
    return [
        {
            "view": name,
            "scene": scene,
            "split": split,
            "x": view.x,
            "y": view.y,
            "heading": view.heading,
            "field_of_view": view.field_of_view,
            "reach": view.reach,
        }
        for name, (scene, split, view) in sorted(world.views.items())
    ]
