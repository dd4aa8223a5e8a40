"""The names and documents of all fields of two versions: which names are kept apart, how much a word or sentence says."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from migrations_app.domain.conversion.proposals.names.words import (
    bare_document,
    document_words,
    without_name,
    words,
)
from migrations_app.domain.schema.ir import Schema

_SENTENCE = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n")
_LEAST_TELLING = 4  # words of a shared run that say something
_VALUE = re.compile(r"[`'\"]([A-Za-z][\w.-]*)[`'\"]|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b")
_OFTEN = 3  # a sentence that so many fields of other names have says nothing of one of them
_MOST = 400  # names that have the word looked for; of a commoner one no more are looked at
_Name = tuple[str, ...]
Text = tuple[str, str]  # a document and the name of its field


@dataclass(frozen=True, slots=True)
class SharedSentences:
    """The words in sentences that two documents have in common, and their share of the shorter document."""

    words: int
    share: float


class DocumentCorpus:
    """The documents of both versions, by which words and sentences are weighed."""

    def __init__(self, schemas: Iterable[Schema]) -> None:
        counted: Counter[str] = Counter()
        names: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._holders: list[dict[str, set[tuple[str, ...]]]] = []
        self._texts: list[dict[str, set[tuple[str, ...]]]] = []
        self._kept: dict[str, tuple[frozenset[tuple[str, ...]], ...]] = {}
        self._fields: list[Counter[str]] = []
        self._size = 0
        valued: dict[frozenset[str], set[tuple[str, ...]]] = defaultdict(set)
        for schema in schemas:
            seen: set[str] = set()
            holders: dict[str, set[tuple[str, ...]]] = defaultdict(set)
            texts: dict[str, set[tuple[str, ...]]] = defaultdict(set)
            self._holders.append(holders)
            self._texts.append(texts)
            fields: Counter[str] = Counter()
            self._fields.append(fields)
            for _, given in schema.objects():
                for field in given.fields:
                    for name in (field.name, ""):
                        holders[bare_document(field.description, name)].add(words(field.name))
                    fields[bare_document(field.description, "")] += 1
                    valued[named_values(field.description)].add(words(field.name))
                    texts[running_words(field.description)].add(words(field.name))
                    written = sentences(field.description, "")
                    for sentence in sentences(field.description, field.name) | written:
                        names[sentence].add(words(field.name))
                    if field.description and field.description not in seen:
                        seen.add(field.description)
                        self._size += 1
                        counted.update(document_words(field.description))
        self._counted = counted
        self._valued = [(values, names) for values, names in valued.items() if len(values) > 1]
        self._common = frozenset(text for text, holders in names.items() if len(holders) >= 2 * _OFTEN)

    def weight(self, word: str) -> float:
        """Weigh a word: 1 for one that two documents have, less for commoner ones."""
        if self._size < 20:
            return 1.0
        often = max(2, self._counted.get(word, 2))
        return max(0.05, math.log(self._size / often) / math.log(self._size / 2))

    def is_only(self, text: Text) -> bool:
        """Tell whether no field of another name has this document, in neither version alone."""
        written = {bare_document(*text), bare_document(text[0], "")}
        return all(len(holders.get(bare, ())) < 2 for holders in self._holders for bare in written)

    def is_of_one_field(self, document: str) -> bool:
        """Tell whether no two fields of a version have this document, whatever their names."""
        return all(fields[bare_document(document, "")] < 2 for fields in self._fields)

    def own_phrase(self, old: Text, new: Text) -> str:
        """Find the longest run of words that two documents share, if no field of another name has it in either version."""
        phrase = shared_run(running_words(old[0]), running_words(new[0]))
        if len(document_words(phrase)) < _LEAST_TELLING:
            return ""
        names = {words(old[1]), words(new[1])}
        return phrase if all(holders <= names for holders in self._phrase_holders(phrase)) else ""

    def are_own(self, values: frozenset[str], texts: tuple[Text, Text]) -> bool:
        """Tell whether no field of another name has a document that names all of some values."""
        names = {words(name) for _, name in texts}
        return not any(values <= named and not holders <= names for named, holders in self._valued)

    def _phrase_holders(self, phrase: str) -> tuple[frozenset[tuple[str, ...]], ...]:
        """List for each version the names of the fields whose documents have a run of words."""
        if phrase not in self._kept:
            self._kept[phrase] = tuple(
                frozenset(name for text, names in texts.items() if phrase in text for name in names)
                for texts in self._texts
            )
        return self._kept[phrase]

    def alike(self, old: str, new: str, names: frozenset[str]) -> float | None:
        """Tell how alike two documents are, the names themselves left out; None where they say too little."""
        left, right = document_words(old) - names, document_words(new) - names
        if min(len(left), len(right)) < 3:
            return None
        rare = _overlap(*(sum(map(self.weight, part)) for part in (left, right, left & right)))
        return max(rare, _overlap(*(float(len(part)) for part in (left, right, left & right))))

    def shared(self, old: Text, new: Text) -> SharedSentences | None:
        """Compare documents sentence by sentence; None where they share none that says something.

        A name may be a word that both documents have, so that a sentence is one only as it is written.
        """
        as_written = (old[0], ""), (new[0], "")
        found = [each for each in map(self._shared, (old, as_written[0]), (new, as_written[1])) if each]
        return max(found, key=lambda each: (each.share, each.words), default=None)

    def _shared(self, old: Text, new: Text) -> SharedSentences | None:
        left, right = (sentences(*each) - self._common for each in (old, new))
        common = left & right
        if not common:
            return None
        counts = [sum(text.count(" ") + 1 for text in part) for part in (left, right, common)]
        return SharedSentences(counts[2], counts[2] / min(counts[0], counts[1]))


class SiblingContrasts:
    """Finds objects of either version that have two fields which differ as the names of a pair do."""

    def __init__(self, schemas: Iterable[Schema]) -> None:
        self._holders: dict[_Name, set[str]] = defaultdict(set)
        self._with_word: dict[str, set[_Name]] = defaultdict(set)
        self._kept: dict[tuple[_Name, _Name], str] = {}
        for index, schema in enumerate(schemas):
            for owner, given in schema.objects():
                for field in given.fields:
                    name = words(field.name)
                    self._holders[name].add(f"{index} {owner}")
                    for word in name:
                        self._with_word[word].add(name)

    def find(self, old: Sequence[str], new: Sequence[str]) -> str:
        """Name an object that has both names, or two that differ by the same words in the same place; nothing if none has."""
        start = 0
        while start < min(len(old), len(new)) and old[start] == new[start]:
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
            end += 1
        gone, come = tuple(old[start : len(old) - end]), tuple(new[start : len(new) - end])
        whole = not gone or not come
        key = (tuple(old), tuple(new)) if whole else (gone, come)
        if key not in self._kept:
            self._kept[key] = self._both(*key) if whole else self._differing(gone, come)
        return self._kept[key]

    def _differing(self, gone: _Name, come: _Name) -> str:
        """Look for two fields of one object of which one has other words where the other one has these."""
        for name in sorted(self._with_word.get(gone[0], ()))[:_MOST]:
            for at in range(len(name) - len(gone) + 1):
                if name[at : at + len(gone)] == gone:
                    found = self._both(name, (*name[:at], *come, *name[at + len(gone) :]))
                    if found:
                        return found
        return ""

    def _both(self, old: _Name, new: _Name) -> str:
        both = self._holders.get(old, set()) & self._holders.get(new, set())
        return min(both).partition(" ")[2] if both else ""


def _overlap(mine: float, theirs: float, common: float) -> float:
    """Tell how much of two sets is common, as the mean of its shares of the smaller one and of both together."""
    smaller = min(mine, theirs)
    return 0.5 * common / smaller + 0.5 * common / (mine + theirs - common) if smaller else 0.0


@lru_cache(maxsize=50_000)
def sentences(text: str, name: str) -> frozenset[str]:
    """Split a document into sentences of three words or more, the name of its field made a blank in all of them."""
    parts = _SENTENCE.split(without_name(text[:2000], name))
    plain = (" ".join(re.sub(r"[^A-Za-z0-9_]+", " ", part).split()).casefold() for part in parts)
    return frozenset(each for each in plain if each.count(" ") >= 2)


@lru_cache(maxsize=50_000)
def running_words(text: str) -> str:
    """Write a document as words in the order that they stand in, between blanks."""
    return f" {' '.join(re.sub(r'[^A-Za-z0-9]+', ' ', text[:1000]).casefold().split())} "


@lru_cache(maxsize=50_000)
def shared_run(old: str, new: str) -> str:
    """Find the longest run of words that two documents have in common, between blanks."""
    left, right = old.split(), new.split()
    match = SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
    return f" {' '.join(left[match.a : match.a + match.size])} "


@lru_cache(maxsize=50_000)
def named_values(text: str) -> frozenset[str]:
    """List the values that a document names, in quotes or written as symbols are."""
    return frozenset((quoted or symbol).casefold() for quoted, symbol in _VALUE.findall(text[:2000]))
