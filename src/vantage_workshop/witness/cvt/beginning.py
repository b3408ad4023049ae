"""Where the search begins: answers that already look like those of a model, cell by cell.

What a cell says of a pair hangs together as the printed means say: source view and 360 degrees agree, a half turn mostly follows the
source answer, the two quarter turns follow it together or fail together, diagonals go their own way. One number a cell, its skill, shifts
all chances until F1 is as printed. In realizable scenes answers are read from a layout: that of the scene, with objects moved as much
as the cell is weak.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.items import CVTItems, displacements
from vantage.relations import ABOVE, BELOW, HORIZONTAL, observed, relation_set, yaw_of
from vantage.scoring import micro_f1
from vantage_workshop.witness.cvt.material import VERTICAL, Material, wrong_answers
from vantage_workshop.witness.cvt.search import CORRECT, NOWHERE, PARTLY, REALIZABLE

_BISECTIONS = 24


@dataclass(frozen=True)
class Chances:
    """Chances of a block on average: that an answer is right at the source, follows it at a half turn and at both quarter turns or at
    one, is right at a diagonal and at Top, that a matched pair agrees, and that above or below is right and is said."""

    source: float
    half: float
    quarters: float
    one_quarter: float
    diagonal: float
    top: float
    agree: float
    persistence: float
    rise: float = 0.9
    rise_said: float = 0.85


def shifted(chance: float, by: float) -> float:
    """A chance moved on the logistic scale."""
    return float(1 / (1 + (1 / min(max(chance, 1e-9), 1 - 1e-9) - 1) * np.exp(-by)))


class Beginning:
    """Random numbers of one cell and what is made of them, so that its skill can be found by bisection."""

    def __init__(
        self, items: CVTItems, m: Material, sort: NDArray[np.int64], chances: Chances, rng: np.random.Generator
    ):
        self.items, self.m, self.sort, self.chances = items, m, sort, chances
        questions, count = items.questions, len(items.questions)
        self.ends = [questions[name].to_numpy() for name in ("target", "anchor")]
        directed = np.unique(np.column_stack([m.scene, *self.ends]), axis=0, return_inverse=True)[1].ravel()
        self.pair = {
            name: rng.random(directed.max() + 1)[directed]
            for name in ("right", "half", "quarter", "kind", "rise", "omit")
        }
        self.own = {name: rng.random(count) for name in ("right", "kind", "mix", "agree", "rise", "omit", "slip")}
        self.wrong = wrong_answers(items, rng)
        self.yaws = questions.viewpoint.map(yaw_of).to_numpy()
        self.moved = rng.normal(size=(len(items.scenes), 64, 3)) * np.array([1.0, 1.5, 0.6])
        self.truth = displacements(items)
        self.vertical = (questions.kind == "vertical").to_numpy()
        height = {
            (k, thing["tag"]): thing["position"][2]
            for k, scene in enumerate(items.scenes)
            for thing in scene["objects"]
        }
        self.rises = np.array(
            [height[s, t] - height[s, a] for s, t, a in zip(m.scene, *self.ends, strict=True)], dtype=float
        )

    def shown(self, skill: float) -> NDArray[np.uint8]:
        """What the layout of each scene shows about each question, (q,)."""
        amount = 1.2 * shifted(0.2, -skill)
        target, anchor = (self.moved[self.m.scene, end] for end in self.ends)
        moved = (target - anchor) * amount
        moved[self.sort[self.m.scene] == CORRECT] = 0.0
        flat = relation_set(observed(self.truth + moved[:, :2], self.yaws), 0.0)
        rise = self.rises + moved[:, 2] * 0.3
        upright = np.where(self.vertical, np.where(rise > 0, ABOVE, BELOW), 0)
        return (flat | upright).astype(np.uint8)

    def answers(self, skill: float) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Answers and what layouts show, each (q,)."""
        m, chances = self.m, self.chances
        shown = self.shown(skill)
        answer = self._free(skill)
        # In layouts a model mostly says all that it sees, more rarely a part.
        keep = shifted(0.75, skill)
        persistent = self.own["mix"] < chances.persistence
        omit = np.where(persistent, self.pair["omit"], self.own["omit"]) > keep
        gold = self.items.gold
        flat = shown & np.uint8(HORIZONTAL)
        seen = np.where(gold & flat & HORIZONTAL, gold & flat, flat)
        part = np.where(self.pair["kind"] < 0.5, flat & np.uint8(3), flat & np.uint8(12))
        told = np.where(omit, part, seen).astype(np.uint8)
        rise = np.where(self.pair["rise"] < shifted(chances.rise_said, skill), shown & np.uint8(VERTICAL), 0)
        told = told | rise.astype(np.uint8)
        sort = self.sort[m.scene]
        inside = (sort < PARTLY) | ((sort == PARTLY) & m.closed)
        answer = np.where(inside, told, answer)
        answer = np.where(sort == CORRECT, gold, answer)
        return answer.astype(np.uint8), shown

    def _free(self, skill: float) -> NDArray[np.uint8]:
        """Answers that no layout binds."""
        m, chances, wrong, gold = self.m, self.chances, self.wrong, self.items.gold
        view = m.viewpoint
        persistent = self.own["mix"] < chances.persistence
        flat = gold & np.uint8(HORIZONTAL)

        def kinds(place: NDArray, omission: float, neighbour: float, unturned: float) -> NDArray[np.uint8]:
            return np.select(
                [place < omission, place < omission + neighbour, place < omission + neighbour + unturned],
                [wrong["omission"], wrong["neighbour"], wrong["unturned"]],
                wrong["inverse"],
            )

        mild, harsh = kinds(self.pair["kind"], 0.6, 0.3, 0.0), kinds(self.own["kind"], 0.1, 0.05, 0.35)
        loose = kinds(self.own["kind"], 0.35, 0.45, 0.0)
        base = np.where(self.pair["right"] < shifted(chances.source, skill), flat, mild)
        slipped = np.where(self.own["slip"] < 0.5, loose, mild)
        source = base
        returned = np.where(self.own["agree"] < shifted(chances.agree, skill / 2), base, loose)
        half = np.where(self.pair["half"] < shifted(chances.half, skill), base, slipped)
        both, one = shifted(chances.quarters, skill), chances.one_quarter
        follows = self.pair["quarter"] < both
        alone = (self.pair["quarter"] < both + one) & ((self.pair["kind"] < 0.5) == (view == 2))
        quarter = np.where(follows | alone, base, harsh)
        luck = np.where(persistent, 0.5 * self.pair["right"] + 0.5 * self.pair["quarter"], self.own["right"])
        diagonal = np.where(luck < shifted(chances.diagonal, skill), flat, loose)
        top = np.where(self.own["right"] < shifted(chances.top, skill), base, slipped)
        answer = np.select(
            [view == 0, view == 8, view == 4, (view == 2) | (view == 6), view == 9],
            [source, returned, half, quarter, top],
            diagonal,
        ).astype(np.uint8)
        up = gold & np.uint8(VERTICAL)
        said = self.pair["rise"] < shifted(chances.rise_said, skill)
        other = ((up & ABOVE) << 1 | (up & BELOW) >> 1).astype(np.uint8)
        right = np.where(self.own["rise"] < 0.9, self.pair["omit"], self.own["omit"]) < shifted(chances.rise, skill)
        return answer | np.where(said, np.where(right, up, other), 0).astype(np.uint8)

    def at(self, f1: float) -> tuple[NDArray[np.uint8], NDArray[np.uint8], float]:
        """Answers whose F1 is as near as skill brings it, what layouts show, and the skill."""
        low, high = -6.0, 8.0
        for _ in range(_BISECTIONS):
            skill = (low + high) / 2
            if micro_f1(self.answers(skill)[0], self.items.admissible) < f1:
                low = skill
            else:
                high = skill
        return *self.answers(low), low


def tear(
    m: Material,
    torn: NDArray[np.bool_],
    answer: NDArray[np.uint8],
    sort: NDArray[np.int64],
    rng: np.random.Generator,
) -> None:
    """Make unrealizable scenes contradict themselves about one pair, where they do not yet; changes `answer`.

    Needed where the answers of a cell are nearly all right: then one answer is turned around.
    """
    for s in np.flatnonzero(sort >= PARTLY):
        rows = np.arange(m.first[s], m.first[s + 1])
        if sort[s] == NOWHERE:
            rows = rows[m.closed[rows]]

        def contradictory(rows=rows) -> bool:
            said = np.zeros(int(m.pair.max()) + 1, dtype=np.int64)
            np.bitwise_or.at(said, m.pair[rows], m.towards[rows, answer[rows]])
            return bool(torn[said[m.pair[rows]]].any())

        if contradictory():
            continue
        open_to_change = rows if sort[s] == NOWHERE else rows[~m.closed[rows]]
        for q in rng.permutation(open_to_change):
            before = answer[q]
            flat = before & np.uint8(HORIZONTAL)
            answer[q] = (before & np.uint8(VERTICAL)) | ((flat & 5) << 1 | (flat & 10) >> 1)
            if contradictory():
                break
            answer[q] = before


def err(m: Material, answer: NDArray[np.uint8], shown: NDArray[np.uint8], sort: NDArray[np.int64]) -> None:
    """Make one answer wrong in each realizable scene that should not be wholly right and is, a part of what its layout shows; changes
    `answer`."""
    for s in np.flatnonzero(sort == REALIZABLE):
        rows = np.arange(m.first[s], m.first[s + 1])
        if not m.right[0, rows, answer[rows]].all():
            continue
        for q in rows:
            parts = [part for part in (shown[q] & np.uint8(3), shown[q] & np.uint8(12)) if part]
            wrong = [part for part in parts if not m.right[0, q, part]]
            if wrong:
                answer[q] = wrong[0]
                break
