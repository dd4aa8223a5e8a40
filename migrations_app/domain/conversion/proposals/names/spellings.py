"""Words of names in other spellings: written together, abbreviated by leaving out vowels, or misspelt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_VOWELS = frozenset("aeiou")
_LEAST_SHORT, _LEAST_LONG = 3, 2  # letters of an abbreviation, and how many more the whole word has
_LEAST_SPELT = 8  # letters of a word that another one misspells; shorter ones are often words of their own
_LEAST_PART = 2
_MOST_INITIALS, _MOST_OF_LAST = 6, 3
_SHORT_WORDS = frozenset(
    {"as", "at", "by", "db", "id", "in", "ip", "is", "no", "of", "on", "or", "os", "to", "up"}
)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HEADS = frozenset({"name", "id", "type", "key", "value", "list", "count"})  # as in `hostname` and `userid`


@lru_cache(maxsize=50_000)
def written_apart(name: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Split the words of a name that are two words of the other one, or one of them and a head such as `name`.

    `username` is `user` and `name` beside `user`, and stays one word beside `login`.
    """
    theirs = frozenset(other)
    if theirs.issuperset(name):
        return name
    return tuple(part for word in name for part in _parts(word, theirs))


def _parts(word: str, theirs: frozenset[str]) -> tuple[str, ...]:
    if word in theirs:
        return (word,)
    for at in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
        start, end = word[:at], word[at:]
        if start in theirs and (end in theirs or end in _HEADS):
            return (start, end)
    return (word,)


@lru_cache(maxsize=50_000)
def is_abbreviated(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Tell whether names differ by one word, of which one name has the consonants only: `pkg` of `package`."""
    ends = _differing(old, new)
    if ends is None:
        return False
    short, long = sorted(ends, key=len)
    if len(short) < _LEAST_SHORT or len(long) < len(short) + _LEAST_LONG or short[0] != long[0]:
        return False
    letters = iter(long)
    return _VOWELS.isdisjoint(short[1:]) and all(letter in letters for letter in short)


@lru_cache(maxsize=50_000)
def are_initials(old: str, new: str) -> bool:
    """Tell whether a word of one name has the first letters of words of the other, the rest being one.

    `nsg_id` is `network_security_group_id`, and `vnet` is `virtual_network`: of each word at least its first letter.
    """
    ends = (_plain_parts(old), _plain_parts(new))
    short, long = sorted(ends, key=len)
    if len(short) >= len(long):
        return False
    start = next((at for at, word in enumerate(short) if word != long[at]), len(short))
    end = len(short) - start - 1
    if end < 0 or (end and short[-end:] != long[-end:]):
        return False
    word, phrase = short[start], long[start : len(long) - end]
    return len(word) <= _MOST_INITIALS and word not in _SHORT_WORDS and _is_made_of(word, phrase)


def _plain_parts(name: str) -> tuple[str, ...]:
    """Split a name into the words that it is written in; abbreviations stay as they are."""
    return tuple(part.lower() for part in _PARTS.findall(name))


def _is_made_of(word: str, phrase: Sequence[str]) -> bool:
    """Tell whether a word has the first letter of each word of a phrase, and of the last one perhaps some more."""
    size = len(phrase) - 1
    rest = word[size:]
    return (
        0 < size < len(word)
        and all(letter == each[0] for letter, each in zip(word, phrase[:-1], strict=False))
        and len(rest) <= _MOST_OF_LAST
        and rest == phrase[-1][: len(rest)]
    )


@lru_cache(maxsize=50_000)
def is_misspelt(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Tell whether names differ by one long word, and these by one letter inside it: `vaildation` of `validation`.

    First and last letters make other words and other forms of a word: `asymmetric`, `sender`.
    """
    ends = _differing(old, new)
    if ends is None or min(map(len, ends)) < _LEAST_SPELT:
        return False
    one, other = sorted(ends, key=len)
    if one[0] != other[0] or one[-1] != other[-1] or len(other) - len(one) > 1:
        return False
    at = next((index for index, letter in enumerate(one) if letter != other[index]), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
    return swapped or one[at + 1 :] == other[at + 1 :]


def _differing(old: Sequence[str], new: Sequence[str]) -> tuple[str, str] | None:
    """Give the one word by which two names differ in one place."""
    if len(old) != len(new):
        return None
    found = [(mine, theirs) for mine, theirs in zip(old, new, strict=True) if mine != theirs]
    return found[0] if len(found) == 1 else None
