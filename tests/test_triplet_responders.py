"""What each responder and baseline for FrameEvidence-Open must do, derived first, and that the frozen sets are what running them
gives.

Derivations go another way than the responders: those read what views show and register it, here directions come from places in the
world and connection from which objects views share. Where chance enters, a count may be as unlikely as four standard errors are.
"""

import doctest
import sys
import warnings
from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.stats import binomtest, norm

from vantage import files
from vantage.layouts import INSUFFICIENT, Frame, Layout, Question, Thing, View, observe, supported
from vantage.predictions import ANSWERED, INVALID, NOT_ASKED, load, load_triplet_runs
from vantage.schemas import LETTERS
from vantage.tables.triplet_signatures import READINGS as DERIVED
from vantage.tables.triplet_signatures import in_world, linked
from vantage.triplets import load_triplets
from vantage_workshop.responders import __main__ as command
from vantage_workshop.responders.seeds import SEED
from vantage_workshop.responders.triplets import fitted, habits, mechanism, views
from vantage_workshop.responders.triplets.roster import RESPONDERS
from vantage_workshop.responders.triplets.runs import answers_by_run

ORIGINAL = files.root() / "frozen_predictions"
PAIRS = ((0, 1), (0, 2), (1, 2))
EXECUTIONS = ("main", *(f"circular-rotation-{turn}" for turn in range(4)), "repeat-1")


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def answers():
    """The frozen answers (items,) of every set, by run."""
    return {responder.set: {run.run: run.answers for run in load(responder.set).runs} for responder in RESPONDERS}


@pytest.fixture(scope="module")
def of_test(triplets):
    """The test items."""
    return (triplets.questions["split"] == "test").to_numpy()


# --------------------------------------------------------------------------------------------------- derivations


def correct(triplets, answers, family, split="test"):
    """Whether each answer is right, by group and condition (groups, 3)."""
    rows = triplets.rows(family, split)
    return answers[rows] == triplets.gold[rows]


def joint(triplets, answers, split="test"):
    """Shares of FQ1 groups all right, and of FQ2 groups with MSS and deletion, and with MSS and addition right: GEM, NTS, DIS."""
    frames, evidence = (correct(triplets, answers, family, split) for family in ("FQ1", "FQ2"))
    both = [(evidence[:, 0] & evidence[:, other]).mean() for other in (1, 2)]
    return frames.all(axis=1).mean(), *both


def shows_both(triplets, row):
    """The views shown in an item that show both target and relatum, in order."""
    item = triplets.questions.iloc[row]
    return [view for view in item["views"] if {item["target"], item["relatum"]} <= set(triplets.observation(view))]


def as_letters(triplets, meanings):
    """The letter of each meaning by the options in the file, -1 where none says it."""
    offered = [[option["meaning"] for option in options] for options in triplets.questions["options"]]
    return np.array([words.index(said) if said in words else -1 for words, said in zip(offered, meanings, strict=True)])


@pytest.fixture(scope="module")
def meant(triplets):
    """What the four responders with a reading of their own must mean in each item."""
    return {name: [say(triplets, row) for row in range(len(triplets.gold))] for name, say in DERIVED.items()}


# ---------------------------------------------------------------------------------------------------- frozen sets


@pytest.mark.parametrize("responder", RESPONDERS, ids=lambda responder: responder.set)
def test_frozen_answers_are_those_of_the_mechanism(triplets, responder):
    """To the last answer. Fitting a classifier adds up rounding errors, which differ between processors: there, one answer
    in a hundred may differ."""
    found = load(responder.set)
    again = answers_by_run(responder, triplets, SEED)
    assert [run.run for run in found.runs] == list(again) == [request.run for request in responder.requests]
    for run, request in zip(found.runs, responder.requests, strict=True):
        asked = request.asks(triplets)
        assert ((run.status != NOT_ASKED) == asked).all()
        assert (run.status[asked] == np.where(run.answers[asked] < 0, INVALID, ANSWERED)).all()
        exact = responder.set != "measured_text_classifier"
        assert (run.answers == again[run.run])[asked].mean() >= (1.0 if exact else 0.99)
    assert found.manifest["kind"] == responder.kind == responder.set.split("_")[0]
    assert found.manifest["about"] == responder.described(triplets)


def test_what_is_asked(triplets):
    """Main runs ask everything, rotations and the repeat the test split, metadata rules FQ2, the text classifier no training
    item."""
    asked = {
        f"{run.set} {run.run}": set(
            triplets.questions.loc[run.status != NOT_ASKED, ["split", "family"]].itertuples(index=False, name=None)
        )
        for run in load_triplet_runs([responder.set for responder in RESPONDERS], experiment=None)
    }
    everything = {(split, family) for split in ("train", "dev", "test") for family in ("FQ1", "FQ2")}
    for run, parts in asked.items():
        if "circular" in run or "repeat" in run:
            assert parts == {part for part in everything if part[0] == "test"}
        elif "metadata" in run:
            assert parts == {part for part in everything if part[1] == "FQ2"}
        elif "text" in run:
            assert parts == {part for part in everything if part[0] != "train"}
        else:
            assert parts == everything
    assert Counter(run.split()[0] for run in asked if run.split()[1] in EXECUTIONS[1:]) == dict.fromkeys(
        ("reference_layout_oracle", "reference_uniform_letters", "reference_wavering", "reference_letter_habit"), 5
    )


def test_titles_tell_runs_apart():
    titles = [run.title for run in load("reference_wavering").runs]
    assert titles == [
        "Wavering",
        "Wavering, circular",
        *(f"Wavering, circular, rotation {turn}" for turn in (1, 2, 3)),
        "Wavering, repeat 1",
    ]
    assert [run.title for run in load("measured_constant_letter").runs] == [f"Constant letter, {x}" for x in LETTERS]


def test_only_what_is_stale_is_made_again(compendium, monkeypatch, capsys):
    """A set that is whole and answers these items stays as it is; one that lost its file comes back with the same bytes."""
    frozen = compendium / "frozen_predictions"
    wanted = ("reference_one_view", "reference_letter_habit", "reference_oracle")
    original = {name: files.reading(ORIGINAL / name / "predictions.parquet").read_bytes() for name in wanted}

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["responders", *arguments])
        assert command.main() == 0
        return {name: (frozen / name / "predictions.parquet").stat().st_mtime_ns for name in wanted}

    first = run(*wanted, "--stale")
    (frozen / "reference_one_view" / "predictions.parquet").unlink()
    second = run(*wanted, "--stale")
    assert {name for name in wanted if second[name] != first[name]} == {"reference_one_view"}
    assert {name: (frozen / name / "predictions.parquet").read_bytes() for name in wanted} == original
    third = run("reference_letter_habit")
    assert third["reference_letter_habit"] > second["reference_letter_habit"]


def test_examples_run():
    found = doctest.testmod(mechanism)
    assert found.attempted and not found.failed


def test_rotations_decode(triplets, answers):
    """Rotation r shows at position p the option of original position (p + r) mod 4. Whoever reads the letters of the files
    against options so shown finds the words that the decoded answers mean."""
    options = dict(zip(triplets.questions["item"], triplets.questions["options"], strict=True))
    place = {item: row for row, item in enumerate(triplets.questions["item"])}
    for name in ("reference_layout_oracle", "reference_wavering", "reference_letter_habit"):
        for row in pq.read_table(ORIGINAL / name / "predictions.parquet").to_pylist():
            words = [option["meaning"] for option in options[row["item"]]]
            shown = words[row["rotation"] :] + words[: row["rotation"]]
            decoded = answers[name][row["run"]][place[row["item"]]]
            assert shown[LETTERS.index(row["answer"])] == words[decoded]


# ----------------------------------------------------------------------------------------- readings, by hand and by item

TINY = Layout(
    {
        "cup": Thing(4, 1, 0.0, 0.1),
        "box": Thing(4, -1, None, 0.1),
        "car": Thing(8, 3, 90.0, 0.1),
        "sofa": Thing(50, 0, 0.0, 0.1),
    },
    {
        "pair": View(0, 0, 0, 40, 9),  # faces +x: cup and box, the car is 20.6 degrees to the left
        "car": View(6, 8, 270, 60, 8),  # faces -y: cup and car, the box is beyond its reach
        "all": View(5, -8, 90, 90, 20),  # faces +y: all three
        "sofa": View(45, 0, 0, 60, 10),  # elsewhere
    },
)
"""The cup is due +y of the box: to the front of the car's heading, to the left of camera `pair`, behind for camera `car`."""

IN_CARS_FRAME = Question("cup", "box", Frame("object", "car"), "axial")


def shown(*names):
    return {name: observe(TINY, name) for name in names}


def test_tiny_layout_is_as_described():
    assert {view: set(seen) for view, seen in shown(*TINY.views).items()} == {
        "pair": {"cup", "box"}, "car": {"cup", "car"}, "all": {"cup", "box", "car"}, "sofa": {"sofa"},
    }  # fmt: skip
    assert supported(shown("pair", "car"), IN_CARS_FRAME) == "front"


@pytest.mark.parametrize(
    ("names", "one", "camera", "blind"),
    [
        (("pair", "car"), "left", "left", "front"),
        (("car", "pair"), "left", "back", "front"),  # the second view is the first that shows both
        (("pair",), "left", "left", "left"),  # nothing fixes the car's frame
        (("car",), INSUFFICIENT, INSUFFICIENT, INSUFFICIENT),  # no box
        (("sofa", "pair"), "left", INSUFFICIENT, "left"),  # the first image is not connected with the pair
        (("all", "pair"), "front", "front", "front"),  # supports the answer alone, and happens to face as the car does
        (("pair", "all"), "left", "left", "front"),
    ],
)
def test_readings_of_a_tiny_layout(names, one, camera, blind):
    readings = (views.one_view, views.camera_only, views.anchor_blind)
    assert [reading(shown(*names), IN_CARS_FRAME) for reading in readings] == [one, camera, blind]


def test_a_reversed_frame_reverses_only_who_heeds_it():
    asked = replace(IN_CARS_FRAME, frame=Frame("object", "car", backward=True))
    assert views.camera_only(shown("pair", "car"), asked) == "left"
    assert views.one_view(shown("all"), asked) == views.anchor_blind(shown("pair", "car"), asked) == "back"


@pytest.mark.parametrize("name", DERIVED)
def test_each_reading_in_the_world(triplets, answers, meant, name):
    """Letter for letter, and no letter where the direction is not offered."""
    assert (answers[name]["main"] == as_letters(triplets, meant[name])).all()


def test_oracle(triplets, answers, of_test):
    gold = as_letters(
        triplets, [in_world(triplets, row, shown) for row, shown in enumerate(triplets.questions["views"])]
    )
    assert (gold == triplets.gold).all()
    assert list(answers["reference_layout_oracle"]) == list(EXECUTIONS)
    for run, given in answers["reference_layout_oracle"].items():
        assert (given == gold)[of_test | (run == "main")].all()


def test_one_view(triplets, answers):
    """No FQ1 view shows both: all invalid. An MSS with no such view is called insufficient, so wrong; with one it is right only
    where that view's own frame happens to give the gold direction. Deletion is right exactly where no view left shows both."""
    given = answers["reference_one_view"]["main"]
    assert (given[triplets.rows("FQ1", None)] == -1).all()
    mss, deletion, _ = triplets.rows("FQ2", None).T
    for row in mss:
        own = [in_world(triplets, row, [view], Frame("camera", view)) for view in shows_both(triplets, row)[:1]]
        gold = triplets.questions["options"].iloc[row][triplets.gold[row]]["meaning"]
        assert (given[row] == triplets.gold[row]) == (own == [gold])
    none_left = [not shows_both(triplets, row) for row in deletion]
    assert (correct(triplets, given, "FQ2", None)[:, 1] == none_left).all()


def test_camera_only(triplets, answers):
    """One answer a group in FQ1: invariant in 48 of 48; with three distinct golds it is right once at most, so GEM 0, and of 144
    pairs all are the same and none is right twice. An MSS is connected, so never called insufficient."""
    given, frames = answers["reference_camera_only"]["main"], triplets.rows("FQ1")
    assert (given[frames] == given[frames[:, :1]]).all() and (given[frames] >= 0).all()
    assert all(len(set(golds)) == 3 for golds in triplets.gold[frames].tolist())
    right = correct(triplets, given, "FQ1")
    assert right.sum(axis=1).max() == 1 and joint(triplets, given)[0] == 0
    assert sum((given[frames[:, one]] == given[frames[:, other]]).sum() for one, other in PAIRS) == 144
    assert sum((right[:, one] & right[:, other]).sum() for one, other in PAIRS) == 0
    mss, deletion, _ = triplets.rows("FQ2", None).T
    assert (given[mss] != triplets.insufficient[mss]).all()
    apart = [DERIVED["reference_camera_only"](triplets, row) == INSUFFICIENT for row in deletion]
    assert (correct(triplets, given, "FQ2", None)[:, 1] == apart).all()


def test_anchor_blind(triplets, answers):
    """Right in FQ1, MSS and addition; deletion exactly where no connected views show target and relatum; NTS is their share."""
    given = answers["reference_anchor_blind"]["main"]
    assert correct(triplets, given, "FQ1", None).all()
    assert correct(triplets, given, "FQ2", None)[:, [0, 2]].all()

    def broken(row):
        item = triplets.questions.iloc[row]
        ends = {item["target"], item["relatum"]}
        return not any(ends <= things for _, things in linked(triplets, item["views"]))

    for split in ("train", "dev", "test"):
        chain = [broken(row) for row in triplets.rows("FQ2", split)[:, 1]]
        assert (correct(triplets, given, "FQ2", split)[:, 1] == chain).all()
        assert joint(triplets, given, split) == (1, np.mean(chain), 1)


def test_ordinal_literal(triplets, answers):
    """Right in FQ1, MSS and addition; deletion wrong exactly where the number now names an image with a supported direction.
    So all is right where the number still names its image (stable) or there is none, and where none is left of that number."""
    given = answers["reference_ordinal_literal"]["main"]
    assert correct(triplets, given, "FQ1", None).all()
    assert correct(triplets, given, "FQ2", None)[:, [0, 2]].all()
    deletion = triplets.rows("FQ2", None)[:, 1]
    right = correct(triplets, given, "FQ2", None)[:, 1]
    assert (right == [DERIVED["reference_ordinal_literal"](triplets, row) == INSUFFICIENT for row in deletion]).all()
    asked = triplets.questions.iloc[deletion]
    numbers = asked["frame"].map(lambda frame: frame["ordinal"] or 0)
    out_of_range = (numbers > asked["views"].map(len)).to_numpy()
    certain = asked["ordinal_change"].isin(["stable", "none"]).to_numpy() | out_of_range
    assert right[certain].all() and not right[~certain].all()
    assert joint(triplets, given, None) == (1, right.mean(), 1)


def test_never_insufficient(triplets, answers):
    """GEM and DIS 1, NTS 0. One of three directions replaces insufficiency: the MSS answer again with chance 1/3 (n deletions),
    and no letter is favoured among the three."""
    given = answers["reference_never_insufficient"]["main"]
    assert joint(triplets, given, None) == (1, 0, 1)
    assert not (given == triplets.insufficient)[triplets.insufficient >= 0].any()
    mss, deletion, _ = triplets.rows("FQ2", None).T
    assert plausible(given[deletion] == given[mss], 1 / 3)
    for step in (1, 2, 3):
        assert plausible(given[deletion] == (triplets.insufficient[deletion] + step) % 4, 1 / 3)


def test_always_insufficient(triplets, answers):
    """Says insufficient in 144 FQ2 test items, 48 of which call for it: recall 1, precision 1/3."""
    given = answers["reference_always_insufficient"]["main"]
    assert joint(triplets, given, None) == (1, 0, 0)
    rows = triplets.rows("FQ2").ravel()
    said, gold = (letters[rows] == triplets.insufficient[rows] for letters in (given, triplets.gold))
    assert (said & gold).sum() / gold.sum() == 1
    assert (said & gold).sum() / said.sum() == pytest.approx(1 / 3)


# --------------------------------------------------------------------------------------------------- chance and habit


def plausible(successes, chance):
    """Whether independent draws succeed about as often as this chance says, by the exact binomial test at the level of four
    standard errors."""
    return binomtest(int(np.sum(successes)), np.size(successes), chance).pvalue > 2 * norm.sf(4)


def over_rotations(runs, of_test):
    """The decoded answers in the four rotations, (test items, 4)."""
    return np.stack([runs[f"circular-rotation-{turn}"][of_test] for turn in range(4)], axis=1)


@pytest.mark.parametrize(
    ("name", "p", "q"), [("reference_uniform_letters", 0.25, 0.25), ("reference_wavering", 0.7, 0.1)]
)
def test_independent_executions(triplets, answers, of_test, name, p, q):
    """An answer is right with chance p, and each wrong letter with chance q = (1 - p) / 3, independently of all others. So two
    executions are both right with p^2, agree with p^2 + 3 q^2; four with p^4 and p^4 + 3 q^4; items and groups are drawn apart."""
    runs, gold = answers[name], triplets.gold[of_test]
    turns = over_rotations(runs, of_test)
    found = [(runs["main"] == triplets.gold, p), ((turns == gold[:, None]).all(axis=1), p**4)]
    found.append(((turns == turns[:, :1]).all(axis=1), p**4 + 3 * q**4))
    for run in EXECUTIONS:
        frames, evidence = (correct(triplets, runs[run], family) for family in ("FQ1", "FQ2"))
        found += [((runs[run] == triplets.gold)[of_test], p), (frames.all(axis=1), p**3)]
        found += [(evidence[:, 0] & evidence[:, other], p**2) for other in (1, 2)]
    for other in (runs["main"][of_test], runs["repeat-1"][of_test], *turns[:, 1:].T):
        first, second = turns[:, 0] == gold, other == gold
        found += [(first & second, p**2), (first | second, 1 - (1 - p) ** 2)]
        found.append((turns[:, 0] == other, p**2 + 3 * q**2))
    for successes, chance in found:
        assert plausible(successes, chance)
    assert p == pytest.approx(q + (habits.SURE if name == "reference_wavering" else 0))


def test_letter_habit(triplets, answers, of_test):
    """Half of every part is known: right throughout. Of the rest, letter A as shown under rotation r is option r: the four rotations
    say four different things and are right once. Circular, Consistency and both figures of any two different rotations are
    the known share, 1/2; requests in the same order agree everywhere."""
    runs = answers["reference_letter_habit"]
    half = habits.known_half(triplets)
    assert all(len(set(half[rows])) == 1 for rows in np.arange(len(half)).reshape(-1, 3))
    for family in ("FQ1", "FQ2"):
        for split in ("train", "dev", "test"):
            assert half[triplets.rows(family, split)].mean() == 0.5
    assert (runs["main"][half] == triplets.gold[half]).all() and (runs["main"][~half] == 0).all()
    for same in ("circular-rotation-0", "repeat-1"):
        assert (runs[same] == runs["main"])[of_test].all()
    turns, gold, half = over_rotations(runs, of_test), triplets.gold[of_test], half[of_test]
    assert (turns[~half] == np.arange(4)).all()
    right = turns == gold[:, None]
    assert right.all(axis=1).mean() == (turns == turns[:, :1]).all(axis=1).mean() == 0.5
    assert (right.sum(axis=1) == np.where(half, 4, 1)).all()
    for turn in (1, 2, 3):
        assert (turns[:, 0] == turns[:, turn]).mean() == (right[:, 0] & right[:, turn]).mean() == 0.5
    vanilla = (half | (gold == 0)).mean()
    assert right[:, 0].mean() == vanilla
    repeated = runs["repeat-1"][of_test] == gold
    assert (right[:, 0] & repeated).mean() == (right[:, 0] | repeated).mean() == vanilla
    evidence = triplets.rows("FQ2")
    sure = habits.known_half(triplets)[evidence[:, 0]] | (triplets.gold[evidence[:, 0]] == 0)
    assert joint(triplets, runs["main"]) == (0.5, 0.5, sure.mean())


# ------------------------------------------------------------------------------------------------------------ baselines


def test_constant_letters(triplets, answers):
    """Accuracy is the letter's share of the gold; letters differ in FQ1 groups and from MSS to deletion; an addition keeps the MSS
    letter."""
    runs = answers["measured_constant_letter"]
    assert list(runs) == [f"main-{letter.lower()}" for letter in LETTERS]
    for letter, given in zip(LETTERS, runs.values(), strict=True):
        gold = triplets.questions["gold"] == letter
        assert ((given == triplets.gold) == gold).all()
        assert joint(triplets, given) == (0, 0, gold.to_numpy()[triplets.rows("FQ2")[:, 0]].mean())


def test_metadata_rules(triplets, answers):
    """Table 10's rules by pandas: the mode of the training letters (the first of several) for each value of the features."""
    asked = triplets.questions.assign(
        size=triplets.questions["views"].map(len),
        insufficient=[
            next((o["letter"] for o in options if o["meaning"] == INSUFFICIENT), None)
            for options in triplets.questions["options"]
        ],
        all=0,
    )
    asked = asked[asked["family"] == "FQ2"]
    train = asked[asked["split"] == "train"]
    assert len(train) == 288
    runs = answers["measured_metadata_rules"]
    features = {
        "main-majority-letter": ["all"],
        "main-image-count": ["size"],
        "main-count-insufficiency-letter": ["size", "insufficient"],
    }
    assert list(runs) == list(features)
    for run, columns in features.items():
        modes = train.groupby(columns)["gold"].agg(lambda letters: letters.mode().sort_values().iloc[0])
        expected = asked.join(modes.rename("rule"), on=columns)["rule"].fillna(train["gold"].mode().iloc[0])
        assert [LETTERS[letter] for letter in runs[run][asked.index]] == expected.tolist()
    (constant,) = set(runs["main-majority-letter"][asked.index].tolist())
    mss = triplets.gold[triplets.rows("FQ2")[:, 0]]
    assert joint(triplets, runs["main-majority-letter"])[1:] == (0, (mss == constant).mean())


def test_text_classifier(triplets, answers):
    """The text of an FQ2 group is one, so its answer is: NTS 0, and DIS is the accuracy on MSS."""
    given, rows = answers["measured_text_classifier"]["main"], triplets.rows("FQ2")
    words = fitted.texts(triplets)
    assert all(len({words[row] for row in group}) == 1 for group in triplets.rows("FQ2", None))
    assert (given[rows] == given[rows[:, :1]]).all()
    assert joint(triplets, given)[1:] == (0, correct(triplets, given, "FQ2")[:, 0].mean())


def test_text_classifier_reads_question_and_options_alone(triplets):
    item = triplets.questions.iloc[-1]
    lines = fitted.texts(triplets)[-1].split("\n")
    assert lines == [item["question_zh"], *(option["zh"] for option in item["options"])]


def test_text_classifier_is_fitted_as_the_paper_says(triplets):
    """Appendix F.3: on 576 training items, converged without warnings, every n-gram of 2 to 5 characters in two items or more."""
    train = triplets.questions["split"] == "train"
    assert train.sum() == 576
    fitted.fitted_text.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fitted.text_features(triplets)
    words = [text for text, wanted in zip(fitted.texts(triplets), train, strict=True) if wanted]
    grams = Counter(
        gram for text in words for gram in {text[at : at + n] for n in range(2, 6) for at in range(len(text) - n + 1)}
    )
    assert found["vocabulary"] == min(50_000, sum(count > 1 for count in grams.values()))
    assert 0 < found["iterations"] < 5000
    about = load("measured_text_classifier").manifest["about"]
    assert f"{found['vocabulary']:,} n-grams" in about and f"scikit-learn {found['version']}" in about
