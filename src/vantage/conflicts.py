"""Proofs that printed numbers cannot hold together under a reading of the text, from the printed numbers alone.

Each proof is named in `data/published/*_conflicts.csv`, takes the printed values by id, as exact fractions, and returns a
bound and the printed number that it excludes. A test runs them all.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

Proof = Callable[[Mapping[str, Fraction]], tuple[Fraction, Fraction]]


def aligned_errors_of_all_wrong_answers(printed: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
    """The least quarter-turn F1 that the aligned-error audit allows, and the most that Table S8's value stands for.

    Reading: at least 73.8 % of *all* wrong quarter-turn answers about fixed pairs are aligned and at least 4.4 % are the
    equal-error alternative (CVT-Bench, "Why Are 90 and 270 Difficult?"). Either has one of two labels right and one
    wrong, so it loses one label; any other wrong answer loses at most two. At most (438 / 5) of the 297 pairs can have a
    single gold label at a quarter turn, because a closed pair that has one has one at all five cardinal views. An answer is
    taken to state at most two labels, as any layout allows.
    """
    half_unit = Fraction(1, 2000)
    wrong = 1 - (printed["cvt.table-s8.quarter-exact.synthetic.isolated"] - half_unit)
    one_right = sum(
        (printed[f"cvt.results.{name}-errors-minimum.synthetic.isolated"] - Fraction(1, 20)) / 100
        for name in ("aligned", "alternative")
    )
    pairs = printed["cvt.supp-3.5.closed-pairs.synthetic"]
    single = printed["cvt.table-s1.questions.synthetic"] - printed["cvt.table-s1.multi-label-questions.synthetic"]
    labels = 2 - min(single // 5, pairs) / pairs
    lost = wrong * (one_right + 2 * (1 - one_right))
    # At equal numbers of labels asserted and relevant, F1 is the share of labels that are right; asserting fewer raises it.
    return 1 - lost / labels, printed["cvt.table-s8.quarter-f1.synthetic.isolated"] + half_unit


def half_turns_of_right_source_answers(printed: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
    """The least exact match at 180 degrees that Tables S6 and S7 and quarter turns allow, and the most that Table S8's value stands for.

    Reading: Tables S6, S7 and S8 average the same 297 fixed pairs of CVT-Synthetic, all closed, over the same cells, and Table S7's exact
    match averages the five cardinal views (CVT-Bench, Supp. 3.5 and 3.6). The 180-degree answer that is the turn of a right source
    answer is right, and so is an equal one at 360: alternatives turn with gold, because they depend on how far the objects are apart along
    an axis. So exact match is at most 1 - 93.6 % lower at 180 than at 0, and at 360 at most 1 - 99.3 % higher than at 0.
    """
    half_unit = Fraction(1, 2000)

    def missed(view: int) -> Fraction:
        return 1 - (printed[f"cvt.table-s6.self-{view}.synthetic.isolated"] / 100 - half_unit)

    five = 5 * (printed["cvt.table-s7.exact.synthetic.isolated"] - half_unit)
    quarters = 2 * (printed["cvt.table-s8.quarter-exact.synthetic.isolated"] + half_unit)
    # five = source + quarters + half + return, with return <= source + missed(360) and source <= half + missed(180)
    least = (five - quarters - missed(360) - 2 * missed(180)) / 3
    return least, printed["cvt.table-s8.180-exact.synthetic.isolated"] + half_unit


PROOFS: dict[str, Proof] = {
    "Aligned errors at quarter turns as shares of all wrong answers": aligned_errors_of_all_wrong_answers,
    "Half turns of right source answers": half_turns_of_right_source_answers,
}
"""The proofs by the name of their conflict."""
