"""The verifier of reconstructed answers: tables by hand from runs made up here, and the committed set against the print.

It shares no code with the program that solves for the answers.
"""

from dataclasses import replace

import numpy as np
import pytest

from vantage.ledger import WITNESS
from vantage.letters import correct
from vantage.predictions import ANSWERED, INVALID, NOT_ASKED, load
from vantage.published import as_printed, load_published
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import primary_configurations
from vantage.tables.frame_evidence_results import contrasts, executions, failures, scores, stable_ids, strata
from vantage.tables.frame_evidence_results.verifier import RESULTS, verify
from vantage.triplets import load_triplets

TEST_QUESTIONS = 288


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def made_up(triplets, triplet_run):
    """A run of a printed configuration that is right in these rows of the questions and gives the next letter in all others."""

    def run(name, rows, **configuration):
        answers = (triplets.gold + 1) % 4
        rows = np.asarray(rows, dtype=int).ravel()
        answers[rows] = triplets.gold[rows]
        model, setting = name.split(" / ")
        return replace(triplet_run(triplets, answers), model=model, setting=setting, **configuration)

    return run


@pytest.fixture(scope="module")
def witness():
    return load(WITNESS)


def cells(table):
    return {(row, column): value for row, column, value in table[["row", "column", "value"]].itertuples(index=False)}


# ------------------------------------------------------------------------------------------------- by hand, from made-up runs


@pytest.fixture(scope="module")
def adapted(triplets, made_up):
    """Base: all of FQ1. LoRA: MSS of 18 groups of FQ2, deletion of the first 12 of them, addition of the last 12."""
    fq2 = triplets.rows("FQ2")
    lora = [*fq2[:18, 0], *fq2[:12, 1], *fq2[6:18, 2]]
    return [
        made_up("Qwen2.5-VL-7B / Base", triplets.rows("FQ1")),
        made_up("Qwen2.5-VL-7B / LoRA", lora),
    ]


def test_scores_by_hand(triplets, adapted):
    found = cells(scores.table_4(adapted, triplets))
    base, lora = "Qwen2.5-VL-7B / Base", "Qwen2.5-VL-7B / LoRA"
    assert [found[base, column] for column in ("Acc.", "GEM", "NTS", "DIS")] == [50, 100, 0, 0]
    assert [found[lora, column] for column in ("Acc.", "GEM", "NTS", "DIS")] == [
        pytest.approx(100 * 42 / 288),
        0,
        25,
        25,
    ]
    references = cells(scores.table_22(adapted, triplets))
    assert references[lora, "NTS / R"] == references[lora, "DIS / R"] == 100 * (18 / 48) * (12 / 48)
    assert references[base, "FQ1-GEM / O"] == references[base, "FQ1-GEM / R"] == 100
    text = cells(scores.scores_text(adapted, triplets))
    assert text["Correct answers", lora] == 42
    assert text["NTS successes", lora] == 12


def test_contrasts_by_hand(triplets, adapted):
    row = "Qwen2.5-VL-7B: LoRA-Base"
    found = cells(contrasts.table_25(adapted, triplets))
    changes = {"Acc.": 100 * (42 - 144) / 288, "FQ1-GEM": -100, "NTS": 25, "DIS": 25}
    assert found == {(row, f"Delta {score}"): pytest.approx(change) for score, change in changes.items()}
    pairs = cells(contrasts.table_26(adapted, triplets))
    assert [pairs["Qwen2.5-VL-7B / NTS", column] for column in ("Delta", "Gain", "Loss")] == [25, 12, 0]
    back = cells(
        contrasts.table_26(
            [replace(run, setting={"Base": "LoRA", "LoRA": "Base"}[run.setting]) for run in adapted], triplets
        )
    )
    assert [back["Qwen2.5-VL-7B / DIS", column] for column in ("Delta", "Gain", "Loss")] == [-25, 0, 12]


def test_gains_and_losses_part_by_overlap(triplets, made_up):
    """Base has the groups alone and the first shared one, LoRA the shared ones: all but one gained there, all lost elsewhere."""
    overlap = triplets.groups.query("split == 'test' and family == 'FQ2'")["overlap"].to_numpy()
    fq2 = triplets.rows("FQ2")
    shared, alone = fq2[overlap == "train"], fq2[overlap == "none"]
    runs = [
        made_up("InternVL3-8B / Base", [*alone.ravel(), *shared[0]]),
        made_up("InternVL3-8B / LoRA", shared),
    ]
    found = cells(contrasts.pairs_text(runs, triplets))
    column = "InternVL3-8B: LoRA-Base"
    assert found["NTS gains", column] == found["NTS gains, clusters shared with train", column] == len(shared) - 1
    assert found["NTS losses", column] == found["NTS losses, clusters absent from train and dev", column] == len(alone)
    assert found["NTS gains, clusters absent from train and dev", column] == 0
    text = cells(strata.overlap_text(runs, triplets))
    assert text["NTS successes, clusters absent from train and dev", "InternVL3-8B / Base"] == len(alone)


def test_shared_groups_by_hand(triplets, adapted):
    found = cells(failures.table_21(adapted, triplets))
    expected = {
        "Common groups / Base out of": 0,
        "Common change": 0,
        "LoRA-only successes": 12,
        "Base-only successes": 0,
        "Full change": 12,
    }
    assert {column: found["Qwen2.5-VL-7B / NTS", column] for column in expected} == expected
    text = cells(failures.decomposition_text(adapted, triplets))
    column = "Qwen2.5-VL-7B: LoRA-Base"
    assert text["Groups with MSS correct, LoRA only", column] == 18
    assert text["Groups with MSS correct, neither", column] == 30
    assert text["Net DIS loss, changed MSS coverage", column] == -12


def test_input_controls_by_hand(triplets, made_up):
    """All images: five MSS and addition pairs. Text: two of them, and one more answer. First image: nothing."""
    fq2 = triplets.rows("FQ2")
    name = "Kimi-VL-A3B / Base"
    runs = [
        made_up(name, fq2[:5, [0, 2]]),
        made_up(name, [*fq2[:2, [0, 2]].ravel(), fq2[9, 0]], experiment="input_control", input_mode="text_only"),
        made_up(name, [], experiment="input_control", input_mode="single_image"),
    ]
    found = cells(contrasts.table_5(runs, triplets))
    assert found == {
        (name, "Delta Acc."): pytest.approx(100 * 5 / 288),
        (name, "Delta NTS"): 0,
        (name, "Delta DIS"): 100 * 3 / 48,
    }  # fmt: skip
    both = cells(contrasts.table_25(runs, triplets))
    assert both[f"{name}: All-Text", "Delta DIS"] == 100 * 3 / 48
    assert both[f"{name}: All-One", "Delta Acc."] == pytest.approx(100 * 10 / 288)


def test_twelve_open_weight_configurations_are_counted(triplets, made_up):
    """Images raise DIS in all but the first; accuracy in all but the first two, of which the second loses as much elsewhere."""
    fq1, fq2 = triplets.rows("FQ1"), triplets.rows("FQ2")
    names = [name for name in primary_configurations() if name.split(" / ")[1] in ("Base", "LoRA")]
    runs = [made_up(name, fq2[:1, [0, 2]] if name != names[0] else []) for name in names]
    runs += [
        made_up(name, fq1[0, :2] if name == names[1] else [], experiment="input_control", input_mode="text_only")
        for name in names
    ]
    found = cells(contrasts.contrasts_text(runs, triplets))
    assert found["Open-weight configurations whose DIS images raise", "all"] == 11
    assert found["Open-weight configurations whose accuracy images raise", "all"] == 10
    assert ("Open-weight configurations whose DIS images raise", "all") not in cells(
        contrasts.contrasts_text(runs[1:], triplets)
    )


def test_strata_by_hand(triplets, made_up):
    """Eleven configurations know the axial groups of FQ2, two the quadrant ones, seven nothing."""
    ontology = triplets.questions["ontology"]
    known = {
        word: np.flatnonzero((ontology == word) & (triplets.questions["family"] == "FQ2")) for word in ontology.unique()
    }
    names = primary_configurations()
    runs = [made_up(name, known["axial"]) for name in names[:11]]
    runs += [made_up(name, known["quadrant"]) for name in names[11:13]]
    runs += [made_up(name, []) for name in names[13:]]
    found = cells(strata.table_17(runs, triplets))
    assert (found[names[0], "NTS / Axial"], found[names[0], "NTS / Quadrant"], found[names[0], "FQ1-GEM / Axial"]) == (
        100,
        0,
        0,
    )
    signs = cells(strata.table_15(runs, triplets))
    columns = ("Positive", "Tied", "Negative", "Median Delta")
    assert [signs["DIS", column] for column in columns] == [11, 7, 2, 100]
    assert [signs["FQ1-GEM", column] for column in columns] == [0, 20, 0, 0]
    assert strata.table_15(runs[1:], triplets).empty
    text = cells(scores.reference_text(runs, triplets))
    # Each score comes in the same 24 groups as its parts: twice as often as dealt at random.
    assert text["Configurations whose NTS is above the reference", "all"] == 13
    assert text["NTS minus reference, maximum", "all"] == 25
    assert text["Configurations whose NTS is below the reference", "all"] == 0


def test_ordinals_and_sources_by_hand(triplets, made_up):
    """The first configuration knows deletions that remove the referent; all know what was rendered, but the last."""
    names = primary_configurations()
    change = triplets.groups.query("split == 'test' and family == 'FQ2'")["ordinal_change"].to_numpy()
    removed = triplets.rows("FQ2")[change == "removed"]
    found = cells(strata.table_3([made_up(names[0], removed)], triplets))
    assert [found[names[0], word] for word in ("Removed", "Shifted", "Stable", "None")] == [len(removed), 0, 0, 0]
    rendered = np.flatnonzero(triplets.questions["source"] == "rendered")
    runs = [made_up(name, rendered) for name in names[:-1]] + [made_up(names[-1], [])]
    text = cells(strata.source_text(runs, triplets))
    assert set(text.values()) == {19}


def test_failures_by_hand(triplets, made_up):
    """One letter throughout FQ1. Of FQ2: a robust group; one that repeats its answer, then an invalid one; one that drifts."""
    name = "GPT-5.6 / 1-shot"
    run = made_up(name, [])
    answers, status = run.answers.copy(), run.status.copy()
    answers[triplets.rows("FQ1")] = 0
    rows = triplets.rows("FQ2")
    gold, insufficient = triplets.gold[rows], triplets.insufficient[rows[:, 0]]
    # Any letter but gold and insufficiency.
    other = np.array([min({0, 1, 2, 3} - {g, i}) for g, i in zip(gold[:, 0], insufficient, strict=True)])
    given = np.repeat(other[:, None], 3, axis=1)
    given[0] = gold[0]
    given[1] = gold[1, 0], gold[1, 0], -1
    given[2] = gold[2, 0], other[2], insufficient[2]
    answers[rows] = given
    status[rows[1, 2]] = INVALID
    run = replace(run, answers=answers, status=status)
    profile = cells(failures.table_20([run], triplets))
    assert {column: value for (_, column), value in profile.items()} == pytest.approx(
        {
            "Frame invariant": 100, "m": 3, "Deletion / To insufficient": 100 / 3, "Deletion / Original": 100 / 3,
            "Deletion / Other": 100 / 3, "Addition / Robust": 100 / 48, "Addition / Drift": 100 / 48, "Invalid": 100 / 48,
        }
    )  # fmt: skip
    assert list(cells(failures.table_8([run], triplets)).values()) == [0, 1, 1]
    assert [cells(failures.table_31([run], triplets))[name, column] for column in ("Same", "Change", "GEM")] == [
        144,
        0,
        0,
    ]
    text = cells(failures.failures_text([run], triplets))
    assert (text["Insufficiency recall", name], text["Insufficiency precision", name]) == (pytest.approx(100 / 48), 50)
    assert text["Retained correct answers after addition / out of", name] == 3


@pytest.fixture(scope="module")
def gpt(triplets, made_up):
    """GPT's executions, right in these places of the 288 questions: primary 0-99, rotation zero 50-149, each next rotation one
    fewer at the beginning, repeat 60-159."""
    name = "GPT-5.6 / 0-shot"
    test = np.flatnonzero(triplets.questions["split"] == "test")
    return [
        made_up(name, test[:100]),
        *(made_up(name, test[50 + turn : 150], experiment="circular", rotation=turn) for turn in range(4)),
        made_up(name, test[60:160], experiment="repeat", repeat=1),
    ]


def test_executions_by_hand(triplets, gpt):
    name = "GPT-5.6 / 0-shot"
    found = cells(executions.table_12(gpt, triplets))
    columns = {"Vanilla": 100, "Mean rot.": (100 + 99 + 98 + 97) / 4, "Circular": 97, "Consistency": 285, "Drop": 3}
    assert {column: found[name, column] for column in columns} == pytest.approx(
        {column: 100 * n / 288 for column, n in columns.items()}
    )
    assert found["Caption: Retained valid responses per row", "all"] == 4 * TEST_QUESTIONS
    pairs = cells(executions.table_7(gpt, triplets))
    assert pairs["Both correct", "R2"] == pytest.approx(100 * 98 / 288)
    assert pairs["At least one correct", "Repeat"] == pytest.approx(100 * 110 / 288)
    assert pairs["Consistently wrong", "R1"] == pytest.approx(100 * 188 / 288)
    text = cells(executions.executions_text(gpt, triplets))
    what = "primary and rotation zero"
    kinds = (
        "Correct in both",
        "Correct only in primary",
        "Correct only in rotation zero",
        "Incorrect in both",
        "Changed answers",
    )
    assert [text[f"{kind}, {what}", name] for kind in kinds] == [50, 50, 50, 138, 100]
    assert text["Consistent items, rotations zero and three", name] == 285
    assert text["Both correct, rotation zero and another, as a share, minimum", name] == pytest.approx(100 * 97 / 288)
    estimates = cells(executions.table_13(gpt, triplets))
    assert estimates["Both correct, difference from R0-R1", "Estimate"] == pytest.approx(100 * (90 - 99) / 288)
    assert estimates["Repeat minus R0 accuracy", "Estimate"] == 0
    assert estimates["Primary-repeat disagreement", "Estimate"] == pytest.approx(100 * 120 / 288)


def test_seeds_by_hand(triplets, made_up):
    """72, 144 and 216 right answers of 288: mean 50, sample deviation 25."""
    test = np.flatnonzero(triplets.questions["split"] == "test")
    runs = [
        made_up("InternVL3-8B / LoRA", test[:right], experiment="multi_seed", seed=20260722 + number)
        for number, right in enumerate((72, 144, 216))
    ]
    runs.append(made_up("InternVL3-8B / Base control", [], experiment="multi_seed"))
    found = cells(scores.table_11(runs, triplets))
    assert [found[f"InternVL3-8B / LoRA {seed}", "Acc."] for seed in (20260722, 20260723, 20260724)] == [25, 50, 75]
    assert (found["InternVL3-8B / LoRA mean", "Acc."], found["InternVL3-8B / LoRA mean", "Acc. / SD"]) == (50, 25)
    assert cells(scores.table_6(runs, triplets))["InternVL3-8B / Base control", "Acc."] == 0
    assert ("InternVL3-8B / LoRA mean", "Acc.") not in cells(scores.table_11(runs[1:], triplets))


def test_stable_ids_by_hand(triplets, made_up):
    """First run: of 36 items original has 0-23, stable 12-26. Blocks: original knows four groups in block one, stable the MSS and
    deletion of two of them in block two."""
    change = triplets.groups.query("split == 'test' and family == 'FQ2'")["ordinal_change"].to_numpy()
    rows = triplets.rows("FQ2")[change != "removed"]
    status = np.full(len(triplets.questions), NOT_ASKED, dtype=np.uint8)
    status[rows] = ANSWERED

    def arm(block, name, known):
        return replace(made_up("GPT-5.6 / 0-shot", known, experiment="stable_id", block=block, arm=name), status=status)

    items = rows.ravel()
    first = [arm(0, "original", items[:24]), arm(0, "stable_id", items[12:27])]
    blocks = [
        arm(1, "original", rows[:4]), arm(2, "original", []), arm(1, "stable_id", []), arm(2, "stable_id", rows[:2, :2]),
    ]  # fmt: skip
    found = cells(stable_ids.stable_ids_text(first + blocks, triplets))
    matches = ("both arms", "original wording only", "stable IDs only", "neither arm")
    assert [found[f"Pairs that match the label, {which}", "Initial run"] for which in matches] == [12, 12, 3, 9]
    assert found["Agreement, stable IDs minus original wording", "Initial run"] == -25
    assert found["Changed predictions between arms", "Initial run"] == pytest.approx(100 * 15 / 36)
    arms = ("Original wording", "Stable IDs")
    assert [found["Agreement with labels over both blocks", words] for words in arms] == [12, 4]
    assert [found["NTS successes over both blocks", words] for words in arms] == [4, 2]
    assert [found["DIS successes over both blocks", words] for words in arms] == [4, 0]
    assert [found["Changed answers between blocks", words] for words in arms] == [12, 4]
    assert [found[f"Paired NTS {what} over both blocks", "Stable IDs"] for what in ("gains", "losses")] == [2, 4]
    assert found["Agreement, stable IDs minus original wording", "Both blocks"] == pytest.approx(100 * -8 / 72)
    ends = cells(stable_ids.stable_ids_intervals(first, triplets))
    row = "Agreement, stable IDs minus original wording, groups, 95%"
    assert -100 <= ends[f"{row} low", "Initial run"] < -25 < ends[f"{row} high", "Initial run"] <= 100


def test_intervals_contain_their_points_and_have_width_only_where_clusters_differ(triplets, adapted, gpt):
    ends = contrasts.table_25_intervals(adapted, triplets).set_index(["row", "column"])
    row = "Qwen2.5-VL-7B: LoRA-Base"
    assert ends.loc[(row, "Delta FQ1-GEM / low"), "value"] == ends.loc[(row, "Delta FQ1-GEM / high"), "value"] == -100
    for score, change in (("Acc.", 100 * (42 - 144) / 288), ("NTS", 25)):
        assert (
            ends.loc[(row, f"Delta {score} / low"), "value"]
            < change
            < ends.loc[(row, f"Delta {score} / high"), "value"]
        )
    assert ends["basis"].isna().all()
    alike = contrasts.table_25_intervals([adapted[0], replace(adapted[0], setting="LoRA")], triplets)
    assert (alike["value"] == 0).all() and (alike["basis"] == "fitted").all()
    both = cells(executions.table_13_intervals(gpt, triplets))
    points = cells(executions.table_13(gpt, triplets))
    for (row, _), point in points.items():
        for clusters in ("Triplets", "Union components"):
            assert both[row, f"{clusters} / low"] <= point <= both[row, f"{clusters} / high"]


def test_what_has_no_run_has_no_row(triplets, adapted):
    assert verify([], triplets).empty
    assert verify([], triplets, drawn=True).empty
    found = verify(adapted, triplets)
    about = found["row"] + " " + found["column"]
    assert about.str.contains("Qwen2.5-VL-7B").all()
    assert not found["agrees"].all()


# ------------------------------------------------------------------------------------------------------- the committed set


def test_every_point_that_the_set_recomputes_is_printed_so(triplets, witness):
    found = verify(witness.runs, triplets)
    wrong = found[~found["agrees"]]
    assert wrong.empty, wrong.to_string()
    for number in found.itertuples():
        assert as_printed(number.recomputed, number.decimals) == as_printed(number.printed, number.decimals)


def test_every_target_is_recomputed(triplets, witness):
    """Nothing that the answers were solved to meet is taken on trust."""
    assert set(witness.manifest["targets"]) <= set(verify(witness.runs, triplets)["id"])


def test_every_result_finds_printed_numbers(triplets, witness):
    """A table none of whose rows the print has would check nothing."""
    for result in RESULTS:
        assert len(result.table(witness.runs, triplets)), result.anchor


def test_everything_that_rests_on_answers_is_recomputed(triplets, witness):
    """All printed results and intervals but the authors' summary of a row of Table 12 and their check by an assistant."""
    printed = load_published("frame_evidence").query("kind in ('prediction', 'interval')")
    summary = printed[(printed["row"] == "Qwen2.5-VL-7B / Base control") & (printed["place"] == "Table 12")]
    others = printed[(printed["row"] == "Failed calls") | (printed["column"] == "Visual check")]
    assert (len(summary), len(others)) == (5, 5)
    points, drawn = verify(witness.runs, triplets), verify(witness.runs, triplets, drawn=True)
    assert sorted([*points["id"], *drawn["id"]]) == sorted(set(printed["id"]) - set(summary["id"]) - set(others["id"]))
    by_place = points["place"].value_counts().to_dict()
    in_tables = {place: number for place, number in by_place.items() if place.startswith("Table")}
    assert in_tables == {
        "Table 3": 8 * 4, "Table 4": 20 * 7, "Table 5": 13 * 3, "Table 6": 3 * 4 + 2 * 8, "Table 7": 4 * 4, "Table 8": 20 * 3,
        "Table 11": 8 * 7 + 2 * 14, "Table 12": 8 * 5 + 1, "Table 13": 13, "Table 15": 3 * 4, "Table 16": 20 * 9,
        "Table 17": 20 * 6, "Table 18": 20 * 9, "Table 19": 20 * 6, "Table 20": 20 * 8, "Table 21": 4 * 8, "Table 22": 20 * 6,
        "Table 25": 26 * 4, "Table 26": 4 * 3, "Table 30": 8 * 8, "Table 31": 20 * 4,
    }  # fmt: skip
    assert len(points) - sum(in_tables.values()) == 196
    tables = drawn["place"].value_counts()
    assert [tables[place] for place in ("Table 13", "Table 25", "Table 26")] == [13 * 4, 26 * 8, 4 * 6]


@pytest.mark.parametrize("kind", ["right to wrong", "wrong to right"])
@pytest.mark.parametrize(
    "wanted",
    [
        dict(experiment="main", model="Qwen2.5-VL-7B", setting="Base"),
        dict(experiment="main", model="LLaVA-OneVision-7B"),
        dict(experiment="main", model="Claude Fable 5.1", setting="3-shot"),
        dict(experiment="input_control", model="Qwen3-VL-8B", input_mode="text_only"),
        dict(experiment="input_control", model="Kimi-VL-A3B", input_mode="single_image"),
        dict(experiment="multi_seed", model="InternVL3-8B", setting="Base control"),
        dict(experiment="multi_seed", model="Qwen2.5-VL-7B", seed=20260723),
        dict(experiment="circular", model="InternVL3-8B", seed=20260724, rotation=0),
        dict(experiment="circular", model="Qwen2.5-VL-7B", seed=20260722, rotation=3),
        dict(experiment="circular", model="GPT-5.6", rotation=2),
        dict(experiment="repeat", model="GPT-5.6"),
        dict(experiment="stable_id", block=0, arm="stable_id"),
        dict(experiment="stable_id", block=2, arm="original"),
    ],
    ids=lambda wanted: " ".join(map(str, wanted.values())),
)
def test_one_changed_answer_is_noticed(triplets, witness, wanted, kind):
    """The first answer of a run that is right is made wrong, and the first wrong one right: some printed number no longer agrees."""
    run = next(run for run in witness.runs if all(getattr(run, name) == value for name, value in wanted.items()))
    asked = run_tables.asked_rows(run, triplets)
    right = correct(run.answers[asked], triplets.gold[asked])
    row = asked[np.flatnonzero(right if kind == "right to wrong" else ~right)[0]]
    answers, status = run.answers.copy(), run.status.copy()
    answers[row] = (triplets.gold[row] + (kind == "right to wrong")) % 4
    status[row] = ANSWERED
    altered = [replace(one, answers=answers, status=status) if one is run else one for one in witness.runs]
    assert not verify(altered, triplets)["agrees"].all()


def test_a_swapped_pair_of_wrong_answers_is_noticed(triplets, witness):
    """An insufficiency answer to an MSS question that becomes another wrong one: no score of right answers changes."""
    run = next(run for run in witness.runs if run.model == "Mistral Small 3.2 24B" and run.input_mode == "all_images")
    rows = triplets.rows("FQ2")[:, 0]
    row = rows[run.answers[rows] == triplets.insufficient[rows]][0]
    answers = run.answers.copy()
    answers[row] = min({0, 1, 2, 3} - {int(triplets.gold[row]), int(answers[row])})
    found = verify([replace(one, answers=answers) if one is run else one for one in witness.runs], triplets)
    assert set(found.loc[~found["agrees"], "place"]) >= {"Table 8"}
    assert found.loc[found["place"] == "Table 22", "agrees"].all()
