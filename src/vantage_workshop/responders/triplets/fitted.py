"""Baselines that are fitted on the training items and see no image: their answers are `measured`, nobody decided them.

Metadata rules (Appendix A-C, Table 10) and a text classifier (Appendix F.3, Table 32), after the paper's settings.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache

import numpy as np
import sklearn
from numpy.random import Generator
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from threadpoolctl import threadpool_limits

from vantage.majority import apply_rule, fit_rule
from vantage.triplets import Triplets
from vantage_workshop.responders.triplets.mechanism import Answers, Request

RULES: dict[str, Callable[[Triplets], Sequence[Hashable]]] = {
    "Majority letter": lambda triplets: [()] * len(triplets.gold),
    "Image count": lambda triplets: triplets.questions["views"].map(len).tolist(),
    "Count + insufficiency letter": lambda triplets: list(
        zip(triplets.questions["views"].map(len), triplets.insufficient.tolist(), strict=True)
    ),
}
"""The metadata rules by their names in Table 10: what each reads of an item."""

TEXT_SEED = 20261011
"""Seed that the paper gives for the text classifier; with its optimizer nothing is drawn."""


def metadata_rule(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """The gold letter that was most frequent with an item's metadata among the FQ2 training questions; the setting names the rule.

    Expected: the majority letter is a constant letter, so NTS is 0 and DIS is the share of groups whose MSS has it. The other
    figures are what the items give.
    """
    features = RULES[request.setting](triplets)
    train = triplets.rows("FQ2", "train").ravel()
    return apply_rule(fit_rule([features[row] for row in train], triplets.gold[train]), features)


def texts(triplets: Triplets) -> list[str]:
    """The visible question of each item, followed by its option texts from A to D, a line each. No letter, tag or identifier."""
    asked = triplets.questions
    return [
        "\n".join([question, *(option["zh"] for option in options)])
        for question, options in zip(asked["question_zh"], asked["options"], strict=True)
    ]


@cache
def fitted_text(triplets: Triplets) -> Pipeline:
    """The classifier of Appendix F.3, fitted on the training items of both families, on one thread."""
    train = np.flatnonzero(triplets.questions["split"] == "train")
    words = texts(triplets)
    model = make_pipeline(
        TfidfVectorizer(
            analyzer="char", ngram_range=(2, 5), min_df=2, max_features=50_000, sublinear_tf=True, lowercase=False, norm="l2"
        ),
        LogisticRegression(C=1.0, solver="lbfgs", class_weight=None, max_iter=5000, random_state=TEXT_SEED),
    )  # fmt: skip
    with threadpool_limits(1):
        return model.fit([words[row] for row in train], triplets.gold[train])


def text_features(triplets: Triplets) -> dict[str, int | str]:
    """How the text classifier came out: `vocabulary` (character n-grams), `iterations` until convergence, and scikit-learn's
    `version`, to be set beside the paper's 3,623, 31 and 1.7.2 (Appendix F.3)."""
    vectorizer, model = (step for _, step in fitted_text(triplets).steps)
    return {
        "vocabulary": len(vectorizer.vocabulary_),
        "iterations": int(model.n_iter_.max()),
        "version": sklearn.__version__,
    }


def text_classifier(triplets: Triplets, request: Request, rng: Generator) -> Answers:
    """The letter that the text classifier holds likeliest.

    Expected: within an FQ2 group the texts are the same, so its three answers are: NTS 0, and DIS is the share of groups
    whose MSS is right.
    """
    with threadpool_limits(1):
        return fitted_text(triplets).predict(texts(triplets)).astype(np.int8)
