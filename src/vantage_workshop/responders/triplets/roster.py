"""The responders for FrameEvidence-Open: reference ones that deviate from the layout oracle in one known way, and baselines.

Each mechanism's docstring says what must come out of it; `tests/test_triplet_responders.py` derives the figures and compares.
"""

from vantage.schemas import LETTERS
from vantage_workshop.responders.triplets import fitted, habits, views
from vantage_workshop.responders.triplets.mechanism import EXECUTIONS, Request, Responder

RESPONDERS = (
    Responder(
        "reference_layout_oracle",
        "Layout oracle",
        "Reads every view as it is, lays views over one another, and says what they support in the frame asked for, bound to the images "
        "of the base set; insufficient where they support nothing. Always right, in every order of options.",
        views.oracle,
        EXECUTIONS,
    ),
    Responder(
        "reference_one_view",
        "One view",
        "Answers from the first view alone that shows both target and relatum: in the frame asked for if that view supports it, otherwise "
        "with that camera's heading as front. Says insufficient where no view shows both; in FQ1, where no view ever does and "
        "insufficiency is no option, it gives no letter. Nor does it where its direction is not offered.",
        views.by_views(views.one_view),
    ),
    Responder(
        "reference_camera_only",
        "Camera only",
        "Combines all views, but takes the heading of the first image's camera as front whatever frame is asked for. Says insufficient "
        "where target and relatum are not connected with that image, and gives no letter where its direction is not offered.",
        views.by_views(views.camera_only),
    ),
    Responder(
        "reference_anchor_blind",
        "Anchor-blind",
        "Like the layout oracle, except where the views connect target and relatum but not what fixes the frame: there it takes the "
        "heading of the first camera connected with both as front instead of saying insufficient. It gives no letter where "
        "its direction is not offered.",
        views.by_views(views.anchor_blind),
    ),
    Responder(
        "reference_ordinal_literal",
        "Ordinal-literal",
        "Like the layout oracle, except that it reads an image number in the order in which the images are now shown, so that after a "
        "deletion the number may name another image; insufficient where there is none of that number. It gives no letter "
        "where its direction is not offered.",
        views.ordinal_literal,
    ),
    Responder(
        "reference_never_insufficient",
        "Never insufficient",
        "Like the layout oracle, but instead of insufficient it says one of the three directions offered, each with equal chance.",
        views.never_insufficient,
    ),
    Responder(
        "reference_always_insufficient",
        "Always insufficient",
        "Like the layout oracle in FQ1; says insufficient in every FQ2 item.",
        views.always_insufficient,
    ),
    Responder(
        "reference_uniform_letters",
        "Uniform letters",
        "Gives one of the four letters, each with equal chance, anew in each execution.",
        habits.uniform,
        EXECUTIONS,
    ),
    Responder(
        "reference_wavering",
        "Wavering",
        f"In each execution and item on its own, gives with chance {habits.SURE} the layout oracle's answer and otherwise one of the four "
        "letters, each with equal chance. The order of options plays no part.",
        habits.wavering,
        EXECUTIONS,
    ),
    Responder(
        "reference_letter_habit",
        "Letter habit",
        f"Knows the right answers in one half of the groups of each family and split (drawn once, seed {habits.HALF_SEED}); in the "
        "others it gives the letter A as shown, whatever stands there.",
        habits.letter_habit,
        EXECUTIONS,
    ),
    Responder(
        "measured_constant_letter",
        "Constant letter",
        "The same letter whatever is asked, one run a letter. Reads nothing.",
        habits.constant_letter,
        tuple(Request(setting=letter) for letter in LETTERS),
        kind="measured",
    ),
    Responder(
        "measured_metadata_rules",
        "Metadata rule",
        "The most frequent gold letter among the FQ2 training questions: of all, of those with as many images, or of those with as many "
        "images and the same insufficiency letter (the paper's Table 10). Ties go to the earlier letter, values never met to the "
        "letter most frequent of all. Answers FQ2 only and reads no image and no question.",
        fitted.metadata_rule,
        tuple(Request(setting=rule, families=("FQ2",)) for rule in fitted.RULES),
        kind="measured",
    ),
    Responder(
        "measured_text_classifier",
        "Text classifier",
        "Logistic regression on character n-grams of the Chinese question and its option texts, with the settings of the paper's Appendix "
        f"F.3 (TF-IDF of 2 to 5 characters, C = 1, seed {fitted.TEXT_SEED}), fitted on the training items of both families; answers dev "
        "and test and sees no image. Fitted with scikit-learn {version} on one thread (the paper has 1.7.2): {vocabulary:,} n-grams, "
        "{iterations} iterations.",
        fitted.text_classifier,
        (Request(splits=("dev", "test")),),
        kind="measured",
        figures=fitted.text_features,
    ),
)
"""All responders for FrameEvidence-Open, in the order of tables and legends."""
