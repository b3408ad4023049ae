"""The three rules of Table 10, which answer FQ2 questions from metadata: the majority letter, the number of images, and
that number with the insufficiency option's letter."""

from collections import Counter
from dataclasses import dataclass

LETTERS = "ABCD"

FEATURES = {
    "Majority letter": lambda images, insufficient: None,
    "Image count": lambda images, insufficient: images,
    "Count + insufficiency letter": lambda images, insufficient: (images, insufficient),
}
"""What each rule sees of a question, by its row in Table 10."""


@dataclass(frozen=True)
class Group:
    """An FQ2 group as the rules see it: images in the base set, spatial letter, insufficiency letter."""

    base_size: int
    spatial: str
    insufficient: str

    def questions(self) -> list[tuple[int, str]]:
        """Number of images and gold letter of the MSS, deletion and addition questions."""
        size = self.base_size
        return [(size, self.spatial), (size - 1, self.insufficient), (size + 1, self.spatial)]


def fit(groups: list[Group], feature: str) -> dict:
    """The most frequent gold letter for each value of a feature; the first in the alphabet of equally frequent ones."""
    seen: dict = {}
    for group in groups:
        for images, gold in group.questions():
            seen.setdefault(FEATURES[feature](images, group.insufficient), Counter())[gold] += 1
    return {value: min(LETTERS, key=lambda letter: (-counts[letter], letter)) for value, counts in seen.items()}


def correct(rule: dict, groups: list[Group], feature: str) -> list[tuple[bool, bool, bool]]:
    """Whether a fitted rule answers the MSS, deletion and addition question of each group. Raises `KeyError` for a value
    that training does not have: Appendix A says there is none."""
    return [
        tuple(rule[FEATURES[feature](images, group.insufficient)] == gold for images, gold in group.questions())
        for group in groups
    ]
