"""The responders for CVT items: those whose belief about the layout, or way of turning it, makes the difference.

Each mechanism's docstring says what must come out of it; `tests/test_responders.py` derives the figures and compares.
"""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vantage.items import CVTItems, displacements, rises
from vantage.prompts import FILLERS
from vantage.relations import (
    ABOVE,
    BELOW,
    HORIZONTAL,
    LEFT,
    RIGHT,
    asserted,
    observed,
    opposite,
    vertical_set,
)
from vantage_workshop.responders.cvt.context import (
    DRIFT,
    LENGTH,
    MIX_UP,
    RECENCY,
    TIRING,
    drifting,
    drifting_attributes,
    interference,
    length_sensitive,
    length_sensitive_attributes,
    recency_biased,
    scene_mix_up,
    tiring,
    tiring_attributes,
)
from vantage_workshop.responders.cvt.learned import HELD_OUT, SCENES, boxes_mlp
from vantage_workshop.responders.cvt.learned import SEED as TRAINING_SEED
from vantage_workshop.responders.cvt.mechanism import (
    LEGAL,
    Answers,
    Asking,
    Responder,
    of_ends,
    per_object,
    slipped,
    truth,
    yaws,
)
from vantage_workshop.responders.cvt.readers import PIXELS, box_reader, graph_and_boxes_reader, graph_reader
from vantage_workshop.responders.cvt.vertical import MISJUDGED, forgets_heights, steady_heights, up_is_north
from vantage_workshop.responders.cvt.vertical import SLIP as HORIZONTAL_SLIP

FLIP = 0.15
"""Noisy source: chance that a pair's left/right, and independently its front/behind, is taken the wrong way round."""

SLIP = 0.3
"""Independent noise: chance that one answer is replaced by another one."""

SIGN_LOSS = 0.35
"""Axis-rebinder: chance that what one axis contributes to the other comes with the wrong sign."""

SPREAD = 1.0
"""Wrong but coherent: standard deviation of each coordinate's error, world units; the layout is six units wide."""

BOTH = ("isolated", "competing")
ALL_REGIMES = (*BOTH, *FILLERS)
EVERYWHERE = ("synthetic", "indoor")


def source_relations(items: CVTItems) -> Answers:
    """The relation set of each question's pair as the source view shows it."""
    return asserted(displacements(items), items.margins) | heights(items)


def heights(items: CVTItems) -> Answers:
    """Above or below, where a question asks for it; no orbit changes that."""
    return vertical_set(rises(items))


def turned(items: CVTItems, components: NDArray[np.float64]) -> Answers:
    """The labels of components (questions, 2) as an observer believes to see them, with the true above and below."""
    return asserted(components, items.margins) | heights(items)


def oracle(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true relations of the true layout, turned to the viewpoint that is asked for."""
    return truth(items)


def egocentric(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The source answer at every viewpoint."""
    return source_relations(items)


def half_turn_reverser(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The source answer, reversed at 180 degrees; above stays above."""
    source, flat = source_relations(items), asserted(displacements(items), items.margins)
    return np.where(yaws(items) == 180, opposite(flat) | heights(items), source).astype(np.uint8)


def noisy_source(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """A believed layout of each pair with wrong signs in it, turned exactly."""
    # A pair is believed the same way in both directions and at every viewpoint, so one draw serves all its questions.
    ends = np.sort(items.questions[["target", "anchor"]].to_numpy(), axis=1)
    pairs = items.questions.scene + [f"/{low}/{high}" for low, high in ends]
    place = {pair: row for row, pair in enumerate(sorted(set(pairs)))}
    signs = np.where(rng.random((len(place), 2)) < FLIP, -1.0, 1.0)
    return turned(items, observed(displacements(items) * signs[pairs.map(place)], yaws(items)))


def independent_noise(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true answer, replaced now and then by one of the others, each time afresh."""
    return slipped(truth(items), SLIP, rng)


def label_omitter(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """One correct label, left or right where there is one, otherwise front or behind."""
    true = truth(items) & np.uint8(HORIZONTAL)
    lateral = true & np.uint8(LEFT | RIGHT)
    return np.where(lateral, lateral, true).astype(np.uint8)


def complete_inverter(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The opposite of every true label."""
    return opposite(truth(items))


def mirror_confused(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true layout, turned by the same angle the wrong way.

    Expected: right at 0, 180, 360 and Top. At a quarter turn the two views face each other, so every label is reversed; at a
    diagonal they are a quarter turn apart, so one of two labels survives and a single one does not.
    """
    return turned(items, observed(displacements(items), -yaws(items)))


def axis_rebinder(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """The true layout, turned with sign errors in what the axes exchange.

    In X = c x + s y and Y = c y - s x the second terms carry one axis to the other. Each takes the wrong sign with chance
    SIGN_LOSS, on its own; that is the only error. Expected: none where s = 0 (0, 180, 360, Top). At a quarter turn nothing but
    those terms is left: the axes are exchanged rightly and each label is reversed with that chance. At a diagonal the sign
    matters on one axis only, where the carried term is the larger one: one of two labels is reversed with that chance.
    """
    d, yaw = displacements(items), yaws(items)
    lost = rng.random(d.shape) < SIGN_LOSS
    # Turned the other way, the carried terms have the opposite sign.
    return turned(items, np.where(lost, observed(d, -yaw), observed(d, yaw)))


def perturbed_layout(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """A layout believed with errors, once for all questions of a scene, then turned exactly.

    Expected: always realizable, since the believed layout is a witness; the same answer at 0 and 360; its own source answer,
    turned, at every cardinal view. A label whose component is m stays with chance Phi((m - margin) / (sqrt(2) SPREAD)).
    """
    believed = per_object(items, lambda thing: thing["plane"] + rng.normal(0.0, SPREAD, 2))
    target, anchor = of_ends(items, believed)
    return asserted(observed(target - anchor, yaws(items)))


def uniform_random(items: CVTItems, asking: Asking, rng: Generator) -> Answers:
    """Any of the eight legal answers, with above or below where a question offers them.

    Expected: exact 1/8, cycle consistency 1/8. A label is in three of the eight and an answer has 1.5 labels on average, so
    F1 = 2 (3/8) L / (1.5 N + L) for L gold labels in N questions. With above or below: half of the vertical labels, and half
    of 1/8.
    """
    said = rng.choice(LEGAL, len(items.questions))
    upright = (items.questions.kind == "vertical").to_numpy()
    said[upright] |= rng.choice(np.array([ABOVE, BELOW], dtype=np.uint8), upright.sum())
    return said


RESPONDERS = (
    Responder(
        "reference_oracle",
        "Oracle",
        "Knows the layout and turns it exactly: always right.",
        oracle,
        ALL_REGIMES,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_egocentric",
        "Egocentric",
        "Gives the source view's answer at every viewpoint; at Top it says north for behind and south for front.",
        egocentric,
        BOTH,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_half_turn",
        "Half-turn reverser",
        "Reverses the source answer at 180 degrees and is right at 0, 180, 360 and Top; at quarter turns and diagonals it "
        "gives the source answer.",
        half_turn_reverser,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_noisy_source",
        "Noisy source",
        f"Misjudges the source view: takes a pair's left/right, and independently its front/behind, the wrong way round with "
        f"chance {FLIP}, once for all questions about the pair. Then turns what it believes exactly.",
        noisy_source,
        BOTH,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_independent_noise",
        "Independent noise",
        f"Knows the right answer and replaces it with chance {SLIP}, each question on its own, by one of the other "
        "answers with equal chance: seven, or fifteen where above and below are offered.",
        independent_noise,
        BOTH,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_label_omitter",
        "Label omitter",
        "Gives one correct label where several hold: left or right, else front or behind. Never says anything false.",
        label_omitter,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_complete_inverter",
        "Complete inverter",
        "Gives the opposite of every true label at every viewpoint.",
        complete_inverter,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_mirror_confused",
        "Mirror-confused",
        "Knows the layout and turns it exactly, but the wrong way: takes an orbit to the right for one to the left.",
        mirror_confused,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_axis_rebinder",
        "Axis-rebinder",
        "Knows the layout. When it turns, what left/right contributes to front/behind, and independently the reverse, has the "
        f"wrong sign with chance {SIGN_LOSS}, each question on its own. At quarter turns it exchanges the axes and so loses signs.",
        axis_rebinder,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_wrong_but_coherent",
        "Wrong but coherent",
        f"Believes in a layout with Gaussian errors of standard deviation {SPREAD} world units in each coordinate, one for all "
        "questions of a scene, and turns that exactly.",
        perturbed_layout,
    ),
    Responder(
        "reference_uniform_random",
        "Uniform random",
        "Gives one of the legal answers, each with equal chance: of eight, or of sixteen where above and below are offered.",
        uniform_random,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_box_reader",
        "Reader of boxes",
        "Reads nothing but the boxes [x, y, w, h] in the item: left/right from their centres, front/behind from their lower "
        f"edges, a label beyond {PIXELS} pixels. Turns pixel offsets as if they were distances on the ground.",
        box_reader,
    ),
    Responder(
        "reference_graph_reader",
        "Reader of graphs",
        "Reads nothing but the scene graph: turns the source labels as symbols. At diagonals it says a label where they exclude "
        "its opposite, and leaves open what they do not decide.",
        graph_reader,
    ),
    Responder(
        "reference_graph_and_boxes",
        "Reader of graphs and boxes",
        "Reads the scene graph and the boxes, as Scene Graph gives both: answers as the reader of graphs, and what the labels leave "
        f"open at diagonals it takes from the boxes, a label beyond {PIXELS} pixels.",
        graph_and_boxes_reader,
    ),
    Responder(
        "reference_interference",
        "Interference",
        "Knows the layout. In the k-th of K scenes of a prompt (from 0) it gives, with chance "
        f"{MIX_UP} k / (K - 1) and each question on its own, the relations between the same two tags in the nearest earlier scene "
        "that has both and was asked about its relations; where none was, it is right.",
        interference,
        ALL_REGIMES,
    ),
    Responder(
        "reference_scene_mix_up",
        "Scene mix-up",
        "As the interference responder, but any earlier scene that the prompt shows will do, whatever is asked about it.",
        scene_mix_up,
        ALL_REGIMES,
    ),
    Responder(
        "reference_drifting",
        "Drifting",
        "Knows the right answer and replaces that of the j-th of J questions of a prompt (from 0) with chance "
        f"{DRIFT} j / (J - 1) by one of the others, with equal chance: seven, or fifteen where above and below are offered. "
        "Attributes drift as relations do.",
        drifting,
        ALL_REGIMES,
        retrieve=drifting_attributes,
        domains=EVERYWHERE,
    ),
    Responder(
        "reference_tiring",
        "Tiring",
        f"Knows the right answer and replaces it after j questions of any kind with chance {TIRING} j / 1000 by one of the "
        "seven others, with equal chance. Attributes tire as relations do.",
        tiring,
        ALL_REGIMES,
        retrieve=tiring_attributes,
    ),
    Responder(
        "reference_length_sensitive",
        "Length-sensitive",
        f"Knows the right answer and replaces it after c characters of the Text/BBox prompt with chance {LENGTH} c / 100,000 by one of "
        "the seven others, with equal chance, whatever the characters say. Attributes suffer as relations do.",
        length_sensitive,
        ALL_REGIMES,
        retrieve=length_sensitive_attributes,
    ),
    Responder(
        "reference_recency_biased",
        "Recency-biased",
        "Knows the layout and is always right about relations. Of attributes, it reads in the k-th of K scenes of a prompt (from 0), "
        f"with chance {RECENCY} k / (K - 1) and each question on its own, the dictionary of the scene before, where that has an answer "
        "which the question offers.",
        oracle,
        ALL_REGIMES,
        retrieve=recency_biased,
    ),
    Responder(
        "reference_up_is_north",
        "Reads up as north",
        "Always right, but that at Top it takes the map for a picture: it says north for above and south for below, in the place "
        "of front and behind.",
        up_is_north,
        domains=("indoor",),
    ),
    Responder(
        "reference_forgets_heights",
        "Forgets heights",
        "Right in left, right, front and behind at every viewpoint. Never says above or below.",
        forgets_heights,
        domains=("indoor",),
    ),
    Responder(
        "reference_steady_heights",
        "Steady heights",
        f"Judges above and below once a pair, wrongly with chance {MISJUDGED}, and keeps to it. Replaces the horizontal part of an "
        f"answer with chance {HORIZONTAL_SLIP}, each question on its own, by one of the seven others.",
        steady_heights,
        domains=("indoor",),
    ),
    Responder(
        "measured_boxes_mlp",
        "Learned from boxes",
        f"A multilayer perceptron (scikit-learn, two layers of 64) that gets the boxes of target and anchor and the cosine and sine "
        f"of the yaw. Trained on all pairs of {SCENES} other scenes of the generator (seed {TRAINING_SEED}, also of its first weights) "
        f"at every azimuth but {HELD_OUT[0]} and {HELD_OUT[1]}. It read the items' boxes and no prompt; there is no raw reply.",
        boxes_mlp,
        kind="measured",
    ),
)
"""All responders for CVT items, in the order of tables and legends."""
