"""Printed numbers, in digits or words, as plain decimals."""

import re

SMALL = (
    "zero one two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: value for value, word in enumerate(SMALL.split())} | {
    word: 10 * (at + 2) for at, word in enumerate(TENS.split())
}

# A minus sign counts only where it opens a number, not as the hyphen of "long-270".
NUMBER = r"(?:(?:(?<=[$\[(/,])|(?<=\| ))-|(?<![\w.]))(?:\d{1,3}(?:,\d{3})+|\d*\.?\d+)(?:\.\d+)?(?![A-Za-z\d])"
WORD = rf"\b(?:(?:{TENS.replace(' ', '|')})-(?:{'|'.join(SMALL.split()[1:10])})|{'|'.join(WORDS)})\b(?: hundred\b)?"
POWER_OF_TEN = r"(\d+)\\times 10\^\{-(\d+)\}"


def plain(printed: str) -> str:
    """A printed number as a plain decimal.

    >>> plain("5,703"), plain("-.004"), plain("61.30"), plain("+4.2")
    ('5703', '-0.004', '61.30', '4.2')
    """
    return re.sub(r"^(-?)\.", r"\g<1>0.", printed.replace(",", "").removeprefix("+"))


def numbers(text: str, names: str) -> list[str]:
    """The printed numbers of a text in order, number words included, as plain decimals, without what `names` matches.

    >>> numbers("GPT-5.2 uses 5,703 questions, 3DSSG twenty-three, $320{\\\\times}240$, $-.08$", r"GPT-5\\.2")
    ['5703', '23', '320', '240', '-0.08']
    >>> numbers("Five hundred at $2\\\\times 10^{-5}$", r"$^")
    ['500', '0.00002']
    """
    text = re.sub(POWER_OF_TEN, lambda match: f"{int(match[1]) / 10 ** int(match[2]):.{match[2]}f}", text)
    text = re.sub(names, " ", re.sub(r"\\[a-zA-Z]+", " ", " ".join(text.split())))
    return [_value(match[0].lower()) for match in re.finditer(f"{NUMBER}|{WORD}", text, flags=re.IGNORECASE)]


def _value(printed: str) -> str:
    """A printed number or number word as a plain decimal: "twenty-three" is 23."""
    if not printed[0].isalpha():
        return plain(printed)
    words, _, hundred = printed.partition(" ")
    return str(sum(WORDS[word] for word in words.split("-")) * (100 if hundred else 1))
