"""The qualitative grid as a page shows it: a row a kind of failure, a column a domain (CVT-Bench, Figure S6)."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape
from io import BytesIO

import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import HTML

from vantage.failures import DRIFT, INVERSION, kinds_of
from vantage.figures import scene_figure
from vantage.inspectors.scene import reading
from vantage.inspectors.words import VERDICTS, listed, verdict
from vantage.items import CVTItems
from vantage.panels import table
from vantage.predictions import ANSWERED, CVTRun
from vantage.relations import decode, opposite
from vantage.tables.failures import SHARED, Example

_INSPECTORS = {"synthetic": "benchmark.html", "indoor": "indoor.html"}
"""The page whose inspector has the scenes of a domain."""


def grid_row(examples: Sequence[Example | None], domains: Sequence[CVTItems]) -> HTML:
    """One row of the grid: the example of each domain, side by side where there is room, one above the other where there is not."""
    cells = [
        _cell(example)
        if example
        else f"<p><strong>{escape(items.title)}</strong>: no question of this kind in the answers of this page.</p>"
        for example, items in zip(examples, domains, strict=True)
    ]
    return HTML(f'<div class="failure-grid">{"".join(cells)}</div>')


def of_domains(
    function: Callable[[Sequence[CVTRun], CVTItems], pd.DataFrame],
    answered: Sequence[tuple[CVTItems, Sequence[CVTRun]]],
    caption: str,
    formats: Mapping[str, str] | None = None,
) -> HTML:
    """A table function of `vantage.tables.failures` for each domain that `answered` has, one table below the other."""
    return HTML(
        "".join(
            table(function(runs, items), f"{escape(items.title)}: {caption}", formats).data for items, runs in answered
        )
    )


def derived(comparison: pd.DataFrame, caption: str) -> HTML:
    """`vantage.tables.failures.expected_beside_kinds` as a table: how far a run is from what was derived, in standard errors where chance
    decides, as a count where it does not."""
    by_chance = comparison["Error"] > 0
    off = [
        f"{one.Off:+.1f} SE" if chance else f"{one.Run - one.Expected:g}"
        for one, chance in zip(comparison.itertuples(), by_chance, strict=True)
    ]
    expected = [
        f"{value:.1f}" if chance else f"{value:g}"
        for value, chance in zip(comparison["Expected"], by_chance, strict=True)
    ]
    shown = comparison.assign(Expected=expected, Difference=off).drop(columns=["Error", "Off"])
    return table(shown, caption)


def explanation(example: Example) -> str:
    """What makes the answer one of its kind, in words worked out from the answer."""
    items, row = example.items, example.row
    if example.kind == SHARED:
        return f"All {len(example.runs)} sets miss it."
    run = example.runs[0]
    answer, viewpoint = int(run.answers[row]), items.questions.viewpoint[row]
    if example.kind == INVERSION:
        kept = answer & int(items.gold[row])
        turned = answer & ~kept
        return f"{_words(kept, viewpoint)} is kept; {_words(int(opposite(turned)), viewpoint)} has become {_words(turned, viewpoint)}."
    if example.kind == DRIFT:
        both = [_words(int(run.answers[one]), "0") for one in (row, example.other)]
        return f"At 0° the answer is {both[0]}, at 360° it is {both[1]}. The camera stands in the same place."
    return f"The answer is right for {_association(example)}."


def _association(example: Example) -> str:
    """The directed pairs for which an answer would be right."""
    asked = example.items.questions
    here, found = asked.iloc[example.row], []
    if example.other is not None:
        there = asked.iloc[example.other]
        found.append(
            f"Tag {there.target} with respect to Tag {there.anchor}, asked at this view too (question {there.number})"
        )
    if opposite(example.runs[0].answers[example.row]) in example.items.admissible[example.row]:
        found.append(f"Tag {here.anchor} with respect to Tag {here.target}, the same pair the other way round")
    return " and for ".join(found)


def _cell(example: Example) -> str:
    items, row = example.items, example.row
    question = items.questions.iloc[row]
    scene, pair = items.scene(question.scene), (int(question.target), int(question.anchor))
    others = [mask for mask in dict.fromkeys(items.admissible[row].tolist()) if mask != items.gold[row]]
    lines = [("Gold", _words(int(items.gold[row]), question.viewpoint))]
    if others:
        lines.append(("Also right", "; or ".join(_words(mask, question.viewpoint) for mask in others)))
    if example.kind == DRIFT:
        (run,), views = example.runs, ((row, "0°"), (example.other, "360°"))
        lines.insert(0, ("Asked again", items.questions.text[example.other]))
        lines += [(f"{run.title}, {view}", _answer(items, run, one)) for one, view in views]
    else:
        lines += [(run.title, _answer(items, run, row)) for run in example.runs]
    lines.append(("What it is", explanation(example)))
    if example.kind != SHARED:
        lines.append(("How it comes about", example.runs[0].about))
    listed_lines = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in lines)
    angle, page = question.viewpoint, _INSPECTORS.get(items.domain)
    address = f"{page}#scene={question.scene}&amp;question={question.number}&amp;angle={angle}"
    link = f'<a href="{address}">in the inspector</a>' if page else ""
    described = (
        f"{question.scene} from the source view, and a map of it from above with the observer of the question. "
        f"{reading(scene, *pair, angle if angle == 'Top' else int(angle))}"
    )
    return (
        f'<figure class="failure"><img src="{_picture(scene, *pair, question.viewpoint)}" alt="{escape(described)}">'
        f"<figcaption><strong>{escape(items.title)}</strong>, {escape(question.scene)}, question {question.number} {link}</figcaption>"
        f"<blockquote>{escape(question.text)}</blockquote><dl>{listed_lines}</dl></figure>"
    )


def _answer(items: CVTItems, run: CVTRun, row: int) -> str:
    """An answer, and of which kinds it is."""
    if run.status[row] != ANSWERED:
        return VERDICTS[verdict(items, run, row)].lower()
    kinds = [name.lower() for name, members in kinds_of(run.answers, items).items() if members[row]]
    right = "right" if verdict(items, run, row) in ("correct", "alternative") else "wrong"
    words = _words(int(run.answers[row]), items.questions.viewpoint[row])
    return f"{words} ({right}{f': {listed(kinds)}' if kinds else ''})"


def _words(mask: int, viewpoint: str) -> str:
    return " + ".join(decode(mask, viewpoint))


def _picture(scene: dict, target: int, anchor: int, viewpoint: str) -> str:
    """The two views of a scene as the address of an image that stands in the page itself."""
    figure, held = scene_figure(scene, target, anchor, viewpoint, stacked=True), BytesIO()
    figure.savefig(held, format="png")
    plt.close(figure)
    return f"data:image/png;base64,{b64encode(held.getvalue()).decode()}"
