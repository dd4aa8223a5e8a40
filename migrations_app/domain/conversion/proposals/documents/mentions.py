"""What the document of one field says of the name of another: its words, or the words that its name abbreviates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from migrations_app.domain.conversion.proposals.documents.corpus import (
    DocumentCorpus,
    Text,
    named_values,
    running_words,
)
from migrations_app.domain.conversion.proposals.names.synonyms import are_synonyms
from migrations_app.domain.conversion.proposals.names.words import (
    are_forms,
    are_opposites,
    are_plural,
    document_words,
    documents_equal,
    likeness,
    words,
)
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.schema.types import Field
from migrations_app.kernel.messages import WordedMessage

_TELLING_WORD = 0.35  # a word that so few documents have says something
_MOST_LETTERS, _LEAST_LETTERS = 5, 3
_ONE, _BOTH, _ACRONYM = 0.8, 2.0, 2.2
_LEAST_WORDS, _ALIKE, _CONTRAST, _DEFINING = 4, 0.75, 0.5, 2.6
_LEAST_ALIKE, _PHRASE, _LONG_PHRASE = (
    0.2,
    6,
    8,
)  # from so many words on a phrase counts, and says much by itself
_MARKS = re.compile(
    r"(?:\s*(?:Optional|Required|Output only|Input only|Immutable|Identifier|Deprecated|Unordered list)\.)+\s*"
)
_SAME_VALUES, _FEW, _MOSTLY = 2.0, 2, 0.5
_FIRST = re.compile(r"(?<=\w[.!?])\s+(?=[A-Z*`\n])|\n\s*\n")
_WORD = re.compile(r"[A-Za-z][a-z0-9]*")
_SLOT = 1.6
_TOGETHER = 5  # letters of a word that a document may write as two
_LONG, _SPELT = 8, 0.85  # letters of a word whose misspelling is as alike
Remark = tuple[float, WordedMessage, bool]


def mention_remarks(old: Field, new: Field, corpus: DocumentCorpus) -> Iterator[Remark]:
    """Weigh that the words of a name, which the other name lacks, stand in the other field's document."""
    mine, theirs = words(old.name), words(new.name)
    gone, come = (
        tuple(word for word in name if word not in other) for name, other in ((mine, theirs), (theirs, mine))
    )
    forth = _is_mentioned(come, old.description, corpus)
    back = _is_mentioned(gone, new.description, corpus)
    if (forth and back) or (forth and not gone) or (back and not come):
        yield _BOTH, MatchReason.BOTH_MENTION.words_with(), True
    elif forth or back:
        yield _ONE, MatchReason.ONE_MENTIONS.words_with(), False
    texts = (old.description, old.name), (new.description, new.name)
    is_own = corpus.is_only(texts[0]) and corpus.is_only(texts[1])
    share = _definitions_alike(texts)
    is_defined = is_own and share >= _ALIKE
    if share >= _CONTRAST and are_opposites(*_differing(texts)):
        yield -_DEFINING, MatchReason.DOCUMENTS_OPPOSED.words_with(), False
    elif is_defined:
        yield _DEFINING * share, MatchReason.DEFINED.words_with(), True
    if _are_apart(old, new) and (set(mine) & set(theirs) or not is_defined):
        yield 0.0, MatchReason.OWN_WORDS.words_with(), False
    if are_synonyms(mine, theirs) and _say_same_of_names(texts):
        yield _SLOT, MatchReason.SAME_SLOT.words_with(), False
    if is_own and (_is_abbreviated(old.name, new) or _is_abbreviated(new.name, old)):
        yield _ACRONYM, MatchReason.ACRONYM.words_with(), True
    if mine == theirs:
        return  # fields of one name often have such documents without being one
    yield from _phrase(texts, corpus)
    if _name_same_values(texts, corpus):
        yield _SAME_VALUES, MatchReason.OWN_VALUES.words_with(), True


def says_own_name(old: Field, new: Field) -> bool:
    """Tell whether each document has the words by which its field's name differs, and the other document has not.

    Documents of siblings are often one text with the words of each name put in; beside these they agree, and say nothing.
    """
    gone, come = _own_words(old, new)
    left, right = document_words(old.description), document_words(new.description)
    return bool(gone or come) and gone <= left - right and come <= right - left


def _own_words(old: Field, new: Field) -> tuple[set[str], set[str]]:
    """List the words by which two names differ; none where one of them is spelt wrongly."""
    mine, theirs = set(words(old.name)), set(words(new.name))
    gone, come = mine - theirs, theirs - mine
    if any(len(each) >= _LONG and likeness(each, other) >= _SPELT for each in gone for other in come):
        return set(), set()
    return gone, come


def _are_apart(old: Field, new: Field) -> bool:
    """Tell whether each document has a word of its field's own name that the other document lacks, as those of siblings.

    A name may write together what its document writes apart, as `datastore`. Words of one meaning and forms of a word
    are no siblings, nor are fields of one number on the wire, as no version can have both.
    """
    mine, theirs = words(old.name), words(new.name)
    if are_synonyms(mine, theirs) or are_forms(mine, theirs) or are_plural(old.name, new.name):
        return False
    if old.number is not None and old.number == new.number:
        return False
    gone, come = _own_words(old, new)
    left, right = old.description, new.description
    return any(_says(left, each) and not _says(right, each) for each in gone) and any(
        _says(right, each) and not _says(left, each) for each in come
    )


def _says(document: str, word: str) -> bool:
    """Tell whether a document has a word of a name, be it as two words."""
    return word in document_words(document) or (len(word) >= _TOGETHER and word in _squeezed(document))


@lru_cache(maxsize=50_000)
def _squeezed(document: str) -> str:
    return running_words(document).replace(" ", "")


def _name_same_values(texts: tuple[Text, Text], corpus: DocumentCorpus) -> bool:
    """Tell whether both documents name the same values, at least two, and no document of another name has these."""
    mine, theirs = (named_values(text) for text, _ in texts)
    common = mine & theirs
    if len(common) < _FEW or len(common) < _MOSTLY * len(mine | theirs):
        return False
    return not documents_equal(*texts) and corpus.are_own(common, texts)


def _phrase(texts: tuple[Text, Text], corpus: DocumentCorpus) -> Iterator[Remark]:
    """Weigh a run of words that no other field's document has; documents that are equal count as such already."""
    alike = corpus.alike(texts[0][0], texts[1][0], frozenset())
    if alike is None or alike < _LEAST_ALIKE or documents_equal(*texts):
        return
    size = corpus.own_phrase(*texts).count(" ") - 1
    if size >= _PHRASE:
        yield min(0.35 * size - 0.9, 3.3), MatchReason.OWN_PHRASE.words_with(), size >= _LONG_PHRASE


def _differing(texts: tuple[Text, Text]) -> tuple[list[str], list[str]]:
    """List the words of each first sentence that the other one does not have."""
    mine, theirs = (document_words(first_sentence(text)) for text, _ in texts)
    return sorted(mine - theirs), sorted(theirs - mine)


def _definitions_alike(texts: tuple[Text, Text]) -> float:
    """Tell how many words the first sentences, which say what a field is, have in common; 0 where one is short.

    Where each document has words that only its own name has, these may stand for one another.
    """
    mine, theirs = (document_words(first_sentence(text)) for text, _ in texts)
    if min(len(mine), len(theirs)) < _LEAST_WORDS:
        return 0.0
    plain = len(mine & theirs) / len(mine | theirs)
    left, right = (set(words(name)) for _, name in texts)
    gone, come = mine & (left - right), theirs & (right - left)
    if not gone or not come or min(len(mine - gone), len(theirs - come)) < _LEAST_WORDS:
        return plain
    mine, theirs = mine - gone, theirs - come
    return max(plain, len(mine & theirs) / len(mine | theirs))


def _say_same_of_names(texts: tuple[Text, Text]) -> bool:
    """Tell whether both first sentences have the words of their names, and say the same beside them.

    `Status of this unit.` and `State of the unit.` do; the shorter one may leave out words of the longer one.
    """
    left, right = (document_words(first_sentence(text)) for text, _ in texts)
    mine, theirs = (set(words(name)) for _, name in texts)
    if not mine <= left or not theirs <= right:
        return False
    rest, other = left - mine, right - theirs
    return bool(rest and other) and (rest <= other or other <= rest)


def first_sentence(document: str) -> str:
    """Cut a document after its first sentence; marks such as `Output only.` in front are none."""
    return _FIRST.split(
        _MARKS.sub("", document, count=1) if _MARKS.match(document) else document, maxsplit=1
    )[0]


def _is_mentioned(name: tuple[str, ...], document: str, corpus: DocumentCorpus) -> bool:
    """Tell whether a document has all words of a name, one of them at least one that says something."""
    found = document_words(document)
    return bool(name) and found.issuperset(name) and max(map(corpus.weight, name)) >= _TELLING_WORD


def _is_abbreviated(name: str, other: Field) -> bool:
    """Tell whether a short name is made of the first letters of words that stand together in the other's document.

    The other name must be one of these words, so that the document is of that and does not only mention it.
    """
    short = name.casefold()
    if not _LEAST_LETTERS <= len(short) <= _MOST_LETTERS or not short.isalpha():
        return False
    return any(set(words(other.name)) & set(phrase) for phrase in _phrases(other.description, short))


@lru_cache(maxsize=20_000)
def _phrases(document: str, letters: str) -> tuple[tuple[str, ...], ...]:
    """Find the runs of words in a document that begin with these letters, in the forms of names."""
    parts = [match.group() for match in _WORD.finditer(document[:600])]
    initials = "".join(part[0] for part in parts).casefold()
    found = []
    at = initials.find(letters)
    while at >= 0:
        found.append(tuple(form for part in parts[at : at + len(letters)] for form in words(part)))
        at = initials.find(letters, at + 1)
    return tuple(found)
