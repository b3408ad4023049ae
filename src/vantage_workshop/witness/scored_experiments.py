"""What runs score together, by the place, row and column of the printed number: adapters beside their bases, inputs beside
each other, rotations and repeats, and the stable-ID diagnostic. Like `scored`, it shares no code with the solver's models.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from vantage_workshop.witness.pairs import INTERNVL, QWEN
from vantage_workshop.witness.scored import Answers, Scored, agreement, turnover
from vantage_workshop.witness.targets import ARMS, CROSS_RUN, MODES, SAME_ORDER, STABLE_IDS, ZERO_SHOT

Row = tuple[str, str, str, Fraction | int]
JOINT = {"FQ1-GEM": "GEM", "NTS": "NTS", "DIS": "DIS"}
GROUPS, QUESTIONS = 48, 288


def percent(part: int, whole: int) -> Fraction:
    """A share in percent."""
    return Fraction(100 * part, whole)


def right(scored: Scored) -> int:
    """How many questions are answered correctly."""
    return sum(sum(scored.right(row, given)) for row, given in scored.groups)


def adapted_rows(base: Scored, lora: Scored, family: str) -> Iterator[Row]:
    """An adapter beside its base: Tables 21, 25 and 26, Section 7, Appendices D.2, D.3 and D.6."""
    label = f"{family}: LoRA-Base"
    pairs = [
        (row, before, after) for (row, before), (_, after) in zip(base.family("FQ2"), lora.family("FQ2"), strict=True)
    ]
    old = [base.right(row, before) for row, before, _ in pairs]
    new = [lora.right(row, after) for row, _, after in pairs]
    both = list(zip(old, new, strict=True))
    cases = {"both": (1, 1), "Base only": (1, 0), "LoRA only": (0, 1), "neither": (0, 0)}
    for case, flags in cases.items():
        yield "Appendix D.3", f"Groups with MSS correct, {case}", label, sum((a[0], b[0]) == flags for a, b in both)
    common = [(a, b) for a, b in both if a[0] and b[0]]
    yield "Appendix D.3", "Deletion gains, both MSS correct", label, sum(b[1] and not a[1] for a, b in common)
    yield "Appendix D.3", "Addition losses, both MSS correct", label, sum(a[2] and not b[2] for a, b in common)
    for i, condition in enumerate(("MSS", "deletion", "addition")):
        marks = [(before[i] == row["insufficient"], after[i] == row["insufficient"]) for row, before, after in pairs]
        yield "Appendix D.2", f"Spatial-to-insufficiency switches / {condition}", label, marks.count((False, True))
        if (family, i) == (INTERNVL, 0):
            yield "Appendix D.2", f"Insufficiency-to-spatial switches / {condition}", label, marks.count((True, False))
    for metric, i in (("NTS", 1), ("DIS", 2)):
        row = f"{family} / {metric}"
        on_common = sum(a[i] for a, _ in common), sum(b[i] for _, b in common)
        base_only = sum(a[0] and a[i] and not b[0] for a, b in both)
        lora_only = sum(b[0] and b[i] and not a[0] for a, b in both)
        full = on_common[1] - on_common[0] + lora_only - base_only
        for name, successes in zip(("Base", "LoRA"), on_common, strict=True):
            yield "Table 21", row, f"Common groups / {name} successes", successes
            yield "Table 21", row, f"Common groups / {name} out of", len(common)
        yield "Table 21", row, "Common change", on_common[1] - on_common[0]
        yield "Table 21", row, "LoRA-only successes", lora_only
        yield "Table 21", row, "Base-only successes", base_only
        yield "Table 21", row, "Full change", full
        gains = sum(b[0] and b[i] and not (a[0] and a[i]) for a, b in both)
        losses = sum(a[0] and a[i] and not (b[0] and b[i]) for a, b in both)
        yield "Table 26", row, "Delta", percent(full, GROUPS)
        yield "Table 26", row, "Gain", gains
        yield "Table 26", row, "Loss", losses
        if (family, metric) == (INTERNVL, "NTS"):
            yield "Appendix D.6", "NTS gains", label, gains
            yield "Appendix D.6", "NTS losses", label, losses
        change = on_common[1] - on_common[0]
        if metric == "NTS":
            yield "Section 7", "Net NTS gain, both MSS correct", label, change
            if family == QWEN:
                yield "Section 7", "Net NTS gain", label, full
        elif family == QWEN:
            yield "Section 7", "Net DIS loss, changed MSS coverage", label, base_only - lora_only
            yield "Section 7", "Net DIS loss, both MSS correct", label, -change
        else:
            yield "Section 7", "Net DIS loss, by each route", label, -change
            yield "Section 7", "Net DIS loss, by each route", label, base_only - lora_only
    yield from contrast_rows(base, lora, label)


def contrast_rows(before: Scored, after: Scored, row: str) -> Iterator[Row]:
    """A row of Table 25."""
    yield "Table 25", row, "Delta Acc.", percent(right(after) - right(before), QUESTIONS)
    for metric in JOINT:
        change = after.joint(metric)[0] - before.joint(metric)[0]
        yield "Table 25", row, f"Delta {metric}", percent(change, GROUPS)


def overlap_rows(scored: dict[str, Scored]) -> Iterator[Row]:
    """Section 5 and Appendix F.1: primary configurations by whether training shares a scene, by configuration."""
    places = {"shared": "clusters shared with train", "alone": "clusters absent from train and dev"}
    for family, metric in ((QWEN, "DIS"), (INTERNVL, "NTS")):
        for setting in ("Base", "LoRA"):
            name = f"{family} / {setting}"
            for value, where in places.items():
                solved = scored[name].joint(metric, lambda row, v=value: row["overlap"] == v)[0]
                yield "Appendix F.1", f"{metric} successes, {where}", name, solved
                if (metric, value) == ("DIS", "alone"):
                    yield "Section 5", f"{metric} successes, {where}", name, solved
    base, lora = (scored[f"{QWEN} / {setting}"] for setting in ("Base", "LoRA"))
    pairs = [
        (base.right(row, before), lora.right(row, after))
        for (row, before), (_, after) in zip(base.family("FQ2"), lora.family("FQ2"), strict=True)
        if row["overlap"] == "alone"
    ]
    success = [(a[0] and a[2], b[0] and b[2]) for a, b in pairs]
    label = f"{QWEN}: LoRA-Base"
    yield "Appendix F.1", f"DIS gains, {places['alone']}", label, sum(b and not a for a, b in success)
    yield "Appendix F.1", f"DIS losses, {places['alone']}", label, sum(a and not b for a, b in success)
    most = max(one.joint("FQ1-GEM", lambda row: row["overlap"] == "alone")[0] for one in scored.values())
    yield "Appendix F.1", f"GEM, {places['alone']}", "Every configuration", most


def source_rows(scored: dict[str, Scored]) -> Iterator[Row]:
    """Section 5 and Appendix G.1: in how many configurations rendered inputs are ahead."""
    accuracy = sum(one.accuracy("source", "rendered") > one.accuracy("source", "captured") for one in scored.values())
    dis = 0
    for one in scored.values():
        rendered, captured = (
            Fraction(*one.joint("DIS", lambda row, s=source: row["source"] == s)) for source in ("rendered", "captured")
        )
        dis += rendered > captured
    for place in ("Section 5", "Appendix G.1"):
        yield place, "Configurations whose DIS is higher on rendered inputs", "all", dis
        yield place, "Configurations whose accuracy is higher on rendered inputs", "all", accuracy


def invalid_rows(invalid: int) -> Iterator[Row]:
    """Section 6.1 and Appendix A on the invalid answers of the primary configurations, all of one."""
    yield "Section 6.1", "Invalid responses", "LLaVA-OneVision-7B / Base", invalid
    parser = "Appendix A-C, Decoding and invalid answers"
    yield parser, "Invalid responses", "LLaVA-OneVision-7B / Base", invalid
    yield parser, "Valid answers of the main table", "all", 20 * QUESTIONS - invalid


def control_rows(base: Scored, control: Scored, family: str) -> Iterator[Row]:
    """Section 6.1 and Appendix G.2: a primary base beside its matched control."""
    same = agreement(base, control)
    yield "Section 6.1", "Equal answers, Base control and primary Base", family, same
    yield "Appendix G.2", "Changed answers, Base control and primary Base", family, QUESTIONS - same
    for name, one in (("Base", base), ("Base control", control)):
        yield "Appendix G.2", "Correct answers", f"{family} / {name}", right(one)


def shot_rows(before: Scored, after: Scored) -> Iterator[Row]:
    """Section 6.2: GPT from two to three shots."""
    gained, lost = turnover(before, after)
    yield "Section 6.2", "Newly correct answers from two to three shots", "GPT-5.6", gained
    yield "Section 6.2", "Newly incorrect answers from two to three shots", "GPT-5.6", lost


def input_rows(main: Scored, modes: dict[str, Scored], name: str) -> Iterator[Row]:
    """Tables 5 and 25: all images against none and against the first alone. GPT is in Table 5 and Section 6.3."""
    text = modes["text_only"]
    yield "Table 5", name, "Delta Acc.", percent(right(main) - right(text), QUESTIONS)
    for metric in ("NTS", "DIS"):
        yield "Table 5", name, f"Delta {metric}", percent(main.joint(metric)[0] - text.joint(metric)[0], GROUPS)
    if name == ZERO_SHOT:
        single = modes["single_image"].joint("DIS")[0]
        yield "Section 6.3", "DIS, first image only", name, percent(single, GROUPS)
        return
    for mode, contrast in MODES.items():
        yield from contrast_rows(modes[mode], main, f"{name}: {contrast}")


def _letters(scored: Scored) -> list[tuple[str, str]]:
    """Answer and gold letter of each question."""
    return [pair for row, given in scored.groups for pair in zip(given, row["golds"], strict=True)]


def turn_rows(turns: list[Scored], name: str) -> Iterator[Row]:
    """A row of Table 12, from answers under rotations 0 to 3 in the order of options without rotation."""
    columns = list(zip(*(_letters(turn) for turn in turns), strict=True))
    vanilla = right(turns[0])
    circular = sum(all(answer == gold for answer, gold in column) for column in columns)
    consistent = sum(len({answer for answer, _ in column}) == 1 for column in columns)
    yield "Table 12", name, "Vanilla", percent(vanilla, QUESTIONS)
    yield "Table 12", name, "Mean rot.", percent(sum(map(right, turns)), 4 * QUESTIONS)
    yield "Table 12", name, "Circular", percent(circular, QUESTIONS)
    yield "Table 12", name, "Consistency", percent(consistent, QUESTIONS)
    yield "Table 12", name, "Drop", percent(vanilla - circular, QUESTIONS)


def _pair(one: Scored, other: Scored) -> dict[str, int]:
    """How two executions fare: right in both, in the first only, the second only and neither; the same, and the same wrong."""
    rows = list(zip(_letters(one), _letters(other), strict=True))
    flags = [(a == gold, b == gold, a == b) for (a, gold), (b, _) in rows]
    return {
        "both": sum(x and y for x, y, _ in flags),
        "first": sum(x and not y for x, y, _ in flags),
        "second": sum(y and not x for x, y, _ in flags),
        "neither": sum(not x and not y for x, y, _ in flags),
        "same": sum(same for *_, same in flags),
        "wrong": sum(same and not x for x, _, same in flags),
    }


def execution_rows(primary: Scored, repeat: Scored, turns: list[Scored]) -> Iterator[Row]:
    """GPT's executions beside each other: Tables 7 and 13, Section 6.4 and the two sections of Appendix A about them."""
    zero = turns[0]
    pairs = {"Repeat": _pair(zero, repeat)} | {f"R{i}": _pair(zero, turn) for i, turn in enumerate(turns) if i}
    for column, pair in pairs.items():
        yield "Table 7", "At least one correct", column, percent(QUESTIONS - pair["neither"], QUESTIONS)
        yield "Table 7", "Both correct", column, percent(pair["both"], QUESTIONS)
        yield "Table 7", "Consistency", column, percent(pair["same"], QUESTIONS)
        yield "Table 7", "Consistently wrong", column, percent(pair["wrong"], QUESTIONS)
    crossed = _pair(primary, zero)
    names = "primary and rotation zero"
    yield CROSS_RUN, f"Correct in both, {names}", ZERO_SHOT, crossed["both"]
    yield CROSS_RUN, f"Correct only in primary, {names}", ZERO_SHOT, crossed["first"]
    yield CROSS_RUN, f"Correct only in rotation zero, {names}", ZERO_SHOT, crossed["second"]
    yield CROSS_RUN, f"Incorrect in both, {names}", ZERO_SHOT, crossed["neither"]
    yield CROSS_RUN, f"Changed answers, {names}", ZERO_SHOT, QUESTIONS - crossed["same"]
    share = percent(QUESTIONS - crossed["same"], QUESTIONS)
    yield CROSS_RUN, f"Changed answers, {names}, as a share", ZERO_SHOT, share
    gap = percent(right(zero) - right(primary), QUESTIONS)
    yield CROSS_RUN, "Accuracy of rotation zero minus primary", ZERO_SHOT, gap
    again = _pair(primary, repeat)
    for names, pair, first, second in (
        ("primary and repeat", again, "primary", "repeat"),
        ("repeat and rotation zero", pairs["Repeat"], "rotation zero", "repeat"),
    ):
        yield SAME_ORDER, f"Correct in both, {names}", ZERO_SHOT, pair["both"]
        yield SAME_ORDER, f"Correct only in {first}, {names}", ZERO_SHOT, pair["first"]
        yield SAME_ORDER, f"Correct only in {second}, {names}", ZERO_SHOT, pair["second"]
        yield SAME_ORDER, f"Incorrect in both, {names}", ZERO_SHOT, pair["neither"]
        yield SAME_ORDER, f"Changed answers, {names}", ZERO_SHOT, QUESTIONS - pair["same"]
    yield SAME_ORDER, "Consistent items, repeat and rotation zero", ZERO_SHOT, pairs["Repeat"]["same"]
    for i, word in enumerate(("one", "two", "three"), 1):
        yield SAME_ORDER, f"Jointly correct items, rotations zero and {word}", ZERO_SHOT, pairs[f"R{i}"]["both"]
        yield SAME_ORDER, f"Consistent items, rotations zero and {word}", ZERO_SHOT, pairs[f"R{i}"]["same"]
    yield from _repeat(repeat)
    yield from _estimates(primary, repeat, zero, again, pairs)
    both = [percent(pairs[f"R{i}"]["both"], QUESTIONS) for i in (1, 2, 3)]
    what = "Both correct, rotation zero and another, as a share"
    yield "Section 6.4", f"{what}, minimum", ZERO_SHOT, min(both)
    yield "Section 6.4", f"{what}, maximum", ZERO_SHOT, max(both)
    yield "Section 6.4", "Accuracy of the repeat", ZERO_SHOT, percent(right(repeat), QUESTIONS)
    yield "Section 6.4", "Accuracy of rotation zero", ZERO_SHOT, percent(right(zero), QUESTIONS)


def _repeat(repeat):
    metrics = repeat.metrics()
    yield SAME_ORDER, "Correct answers of the repeat", ZERO_SHOT, right(repeat)
    for what, column in (("Macro-precision", "P"), ("Macro-recall", "R"), ("Macro-F1", "F1"), ("Accuracy", "Acc.")):
        yield SAME_ORDER, f"{what} of the repeat", ZERO_SHOT, metrics[column]
    for metric, column in JOINT.items():
        yield SAME_ORDER, f"{column} of the repeat", ZERO_SHOT, percent(*repeat.joint(metric))


def _estimates(primary, repeat, zero, again, pairs):
    """Table 13's estimates."""
    for row, number in (
        ("Repeat accuracy", right(repeat)),
        ("Primary-repeat disagreement", QUESTIONS - again["same"]),
        ("R0-repeat disagreement", QUESTIONS - pairs["Repeat"]["same"]),
        ("Repeat minus primary accuracy", right(repeat) - right(primary)),
        ("Repeat minus R0 accuracy", right(repeat) - right(zero)),
        ("Same-order pair both correct", pairs["Repeat"]["both"]),
        ("Same-order pair consistency", pairs["Repeat"]["same"]),
        *(
            (f"{what}, difference from R0-R{i}", pairs["Repeat"][key] - pairs[f"R{i}"][key])
            for what, key in (("Both correct", "both"), ("Consistency", "same"))
            for i in (1, 2, 3)
        ),
    ):
        yield "Table 13", row, "Estimate", percent(number, QUESTIONS)


def stable_rows(rows: list[dict[str, str]], answers: dict[tuple[int, str], Answers]) -> Iterator[Row]:
    """Appendix E and Section 7 on the stable-ID diagnostic; `rows` are its groups."""
    scored = {key: Scored(rows, given) for key, given in answers.items()}
    original, stable = ARMS
    first = _pair(scored[0, original], scored[0, stable])
    questions = 3 * len(rows)
    for which, key in (
        ("both arms", "both"),
        ("original wording only", "first"),
        ("stable IDs only", "second"),
        ("neither arm", "neither"),
    ):
        yield STABLE_IDS, f"Pairs that match the label, {which}", "Initial run", first[key]
    gap = percent(first["second"] - first["first"], questions)
    yield STABLE_IDS, "Agreement, stable IDs minus original wording", "Initial run", gap
    changed = percent(questions - first["same"], questions)
    yield STABLE_IDS, "Changed predictions between arms", "Initial run", changed
    over = {arm: [scored[block, arm] for block in (1, 2)] for arm in ARMS}
    totals = {arm: sum(map(right, blocks)) for arm, blocks in over.items()}
    changes, joint = [], {}
    for arm, column in ARMS.items():
        blocks = over[arm]
        yield STABLE_IDS, "Agreement with labels over both blocks", column, totals[arm]
        share = percent(totals[arm], 2 * questions)
        yield "Section 7", "Agreement with labels over both blocks, as a share", column, share
        for metric in ("NTS", "DIS"):
            solved = sum(block.joint(metric)[0] for block in blocks)
            yield STABLE_IDS, f"{metric} successes over both blocks", column, solved
        joint[arm] = sum(all(block.right(row, given)) for block in blocks for row, given in block.groups)
        changes.append(sum(questions - _pair(*two)["same"] for two in pairwise(blocks)))
        yield STABLE_IDS, "Changed answers between blocks", column, changes[-1]
    yield "Section 7", "Changed answers between blocks, minimum", "all", min(changes)
    yield "Section 7", "Changed answers between blocks, maximum", "all", max(changes)
    for number in joint.values():
        row = "Three-answer joint agreement over both blocks"
        yield STABLE_IDS, row, "Original wording and stable IDs", number
    gap = percent(totals[stable] - totals[original], 2 * questions)
    yield STABLE_IDS, "Agreement, stable IDs minus original wording", "Both blocks", gap
    successes = {
        arm: [all(block.right(row, given)[:2]) for block in over[arm] for row, given in block.groups] for arm in ARMS
    }
    pairs = list(zip(successes[original], successes[stable], strict=True))
    yield STABLE_IDS, "Paired NTS gains over both blocks", ARMS[stable], pairs.count((False, True))
    yield STABLE_IDS, "Paired NTS losses over both blocks", ARMS[stable], pairs.count((True, False))
