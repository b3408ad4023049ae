"""The checker of FrameEvidence-Open: what it proves of all groups, and layouts broken by hand that it must refuse."""

from dataclasses import replace

import pytest

from vantage.errors import InputError
from vantage.layout_proofs import as_presented, check, inputs, prove, report
from vantage.layouts import INSUFFICIENT, supported
from vantage.triplets import MEANINGS, load_triplets


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


def changed(triplets, scenes=None, cameras=None, **columns):
    """The items with other scenes, views or values of single items ({item: value} by column)."""
    questions = triplets.questions.copy()
    for column, values in columns.items():
        for item, value in values.items():
            questions.at[questions.index[questions["item"] == item][0], column] = value
    return replace(triplets, questions=questions, scenes=scenes or triplets.scenes, views=cameras or triplets.views)


def fq2(triplets, **wanted):
    """The first FQ2 group with these properties."""
    groups = triplets.groups[triplets.groups["family"] == "FQ2"]
    for column, value in wanted.items():
        groups = groups[groups[column] == value]
    return groups.index[0]


def test_every_group_is_proved(triplets):
    table = report(triplets)
    assert len(table) == 320
    assert table["holds"].all()
    assert table.loc[table["family"] == "FQ1", ["gold", "sufficient", "combined", "matched"]].all(axis=None)
    assert table.loc[table["family"] == "FQ2", ["gold", "sufficient", "minimal", "insufficient", "preserved"]].all(
        axis=None
    )
    check(triplets)


def refuses(broken, group, *names):
    failed = {name for name, holds in prove(broken, group).items() if not holds}
    assert set(names) <= failed, failed
    # Groups that share the broken picture can fail before this one.
    with pytest.raises(
        InputError, match=r"FrameEvidence-Open, group fq[12]-\d{3}: expected a layout that proves \w+.*run make data"
    ):
        check(broken)


def test_a_target_on_the_other_side_is_refused(triplets):
    """Mirrored in the relatum, the target is in the opposite direction: gold is no longer true."""
    group = triplets.groups.index[0]
    known = triplets.groups.loc[group]
    scene = triplets.scenes[known["scene_cluster"]]
    place = {thing["object"]: thing for thing in scene["objects"]}
    target, relatum = place[known["target"]], place[known["relatum"]]
    mirrored = {**target, **{axis: 2 * relatum[axis] - target[axis] for axis in "xy"}}
    objects = [mirrored if thing is target else thing for thing in scene["objects"]]
    refuses(changed(triplets, {**triplets.scenes, scene["scene"]: {**scene, "objects": objects}}), group, "gold")


def test_a_camera_that_sees_everything_is_refused(triplets):
    """One view that shows the whole scene makes the others superfluous: the set is not minimal."""
    group = fq2(triplets, base_size=3)
    item = triplets.questions.iloc[triplets.of_group(group)[0]]
    view = item["frame"]["anchor"] if item["frame"]["kind"] == "camera" else item["views"][0]
    wide = {**triplets.views[view], "field_of_view": 359.9, "reach": 1e6}
    things = [{**thing, "radius": 0.0} for thing in triplets.scenes[item["scene_cluster"]]["objects"]]
    scene = {**triplets.scenes[item["scene_cluster"]], "objects": things}
    broken = changed(triplets, {**triplets.scenes, scene["scene"]: scene}, {**triplets.views, view: wide})
    refuses(broken, group, "minimal")


def test_a_blind_camera_is_refused(triplets):
    """A camera without reach shows nothing: the set supports no answer."""
    group = fq2(triplets, base_size=2)
    view = triplets.questions.iloc[triplets.of_group(group)[0]]["views"][0]
    broken = changed(triplets, cameras={**triplets.views, view: {**triplets.views[view], "reach": 0.0}})
    refuses(broken, group, "sufficient", "preserved")


def test_a_deletion_that_deletes_nothing_is_refused(triplets):
    group = fq2(triplets)
    mss = triplets.questions.iloc[triplets.of_group(group)[0]]["views"]
    refuses(changed(triplets, views={f"{group}-deletion": mss}), group, "insufficient")


def test_an_addition_that_moves_the_image_number_is_refused(triplets):
    """The added view before the first: the number in the question then names another image."""
    for group in triplets.groups[triplets.groups["ordinal_change"] == "removed"].index:
        mss, _, addition = triplets.of_group(group)
        base, more = (triplets.questions["views"].iloc[row] for row in (mss, addition))
        added = next(view for view in more if view not in base)
        broken = changed(triplets, views={f"{group}-addition": [added, *base]})
        if as_presented(broken, addition) != MEANINGS[triplets.meanings[mss, triplets.gold[mss]]]:
            refuses(broken, group, "preserved")
            return
    pytest.fail("no group whose answer changes with the number")


def test_a_gold_letter_on_another_option_is_refused(triplets):
    group = fq2(triplets)
    gold = triplets.gold.copy()
    gold[triplets.of_group(group)] = (gold[triplets.of_group(group)] + 1) % 4
    refuses(replace(triplets, gold=gold), group, "gold")


def test_as_presented_reads_the_number_in_the_present_order(triplets):
    """With the views bound by hand: the number after deletion names the view that then has that place, or none."""
    for row in triplets.rows("FQ2")[:, 1]:
        item = triplets.questions.iloc[row]
        number, left = item["frame"]["ordinal"], item["views"]
        if number is None:
            assert as_presented(triplets, row) is None
        elif number > len(left):
            assert as_presented(triplets, row) == "out of range"
        else:
            question = triplets.question(row)
            bound = replace(question, frame=replace(question.frame, anchor=left[number - 1]))
            assert as_presented(triplets, row) == supported(triplets.observed(left), bound)
            if item["ordinal_change"] == "stable":
                assert left[number - 1] == question.frame.anchor
                assert as_presented(triplets, row) == INSUFFICIENT


def test_inputs_differ_but_for_one_pair_of_training_items(triplets):
    """Appendix A-C, Input and assembly consistency: 959 signatures; the repeated one has one gold answer and no test item."""
    signatures = inputs(triplets)
    assert signatures.nunique() == 959
    again = triplets.questions.set_index("item").loc[signatures.index[signatures.duplicated(keep=False)]]
    assert list(again["split"]) == ["train", "train"]
    assert again["gold"].nunique() == 1
    assert again["group"].nunique() == 2


def test_no_view_is_used_by_two_splits(triplets):
    used = triplets.questions.explode("views")
    assert (used.groupby("views")["split"].nunique() == 1).all()
    assert set(used["views"]) == set(triplets.views)
    for view, rows in used.groupby("views"):
        assert triplets.views[view]["split"] == rows["split"].iloc[0]


def test_names_are_unique_in_what_a_question_shows(triplets):
    """No two objects of the scenes in a question have one name, so that every name means one thing."""
    names = {s: [thing["zh"] for thing in scene["objects"]] for s, scene in triplets.scenes.items()}
    assert all(len(set(some)) == len(some) for some in names.values())
