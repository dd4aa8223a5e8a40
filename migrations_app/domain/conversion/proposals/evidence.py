"""What speaks for and against two places being the same field, and how sure that makes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from migrations_app.domain.conversion.proposals.documents.corpus import DocumentCorpus, SiblingContrasts
from migrations_app.domain.conversion.proposals.documents.mentions import mention_remarks
from migrations_app.domain.conversion.proposals.documents.pointers import points_at
from migrations_app.domain.conversion.proposals.names.common_names import (
    GENERIC,
    OUTDATED,
    VAGUE,
    is_name_of_type,
)
from migrations_app.domain.conversion.proposals.names.spellings import (
    are_initials,
    is_abbreviated,
    is_misspelt,
    written_apart,
)
from migrations_app.domain.conversion.proposals.names.synonyms import are_synonyms
from migrations_app.domain.conversion.proposals.names.words import (
    are_but_for_empty_words,
    are_forms,
    are_negations,
    are_one_time,
    are_opposites,
    are_plural,
    document_words,
    documents_equal,
    likeness,
    telling_words,
    words,
)
from migrations_app.domain.conversion.proposals.reasons import MatchReason, has_reason
from migrations_app.domain.conversion.proposals.shapes import Shapes, is_flag, is_time, same_type_name
from migrations_app.domain.conversion.proposals.unmatched import (
    Habit,
    Split,
    UnmatchedField,
    habit_of,
    split_of,
    squeezed,
)
from migrations_app.domain.schema.types import Field, ListType, MapType, Type
from migrations_app.kernel.messages import NOTHING, WordedMessage

_PRIOR = -3.2
_FORMS, _SYNONYM, _HABIT, _PART, _MISSPELT = 3.0, 2.2, 3.4, 1.0, 4.2
_CONTRAST, _OWN_NAME = -3.0, 3.0
_ONLY_DOCUMENT, _TELLING = 1.5, 4  # words that a document has at least


_OWN = (
    MatchReason.ONLY_DOCUMENT,
    MatchReason.DEFINED,
    MatchReason.OWN_PHRASE,
    MatchReason.OWN_VALUES,
    MatchReason.OTHER_FORM,
)
AGREEING = (MatchReason.DOCUMENTS_EQUAL, MatchReason.DOCUMENTS_ALIKE, MatchReason.DOCUMENTS_BUT_MORE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The weight of all that was compared, and the reasons that say what counted.

    `strong` counts the independent kinds of evidence that say much by themselves: names, documents, types,
    annotations. Weak ones alone never make a pair near certain.
    """

    weight: float
    reasons: tuple[WordedMessage, ...]
    strong: int = 0

    @property
    def confidence(self) -> float:
        """The weight as a share from 0 to 1."""
        return 1 / (1 + math.exp(-self.weight))

    @property
    def documents_agree(self) -> bool:
        """Whether documents say the same or much of it."""
        return has_reason(self.reasons, *AGREEING)

    @property
    def has_only_document(self) -> bool:
        """Whether both have one document that no field of another name has."""
        return has_reason(self.reasons, MatchReason.ONLY_DOCUMENT)

    @property
    def speaks_for_itself(self) -> bool:
        """Whether names or documents say much, apart from what stands around the pair."""
        return self.strong > 0 and has_reason(self.reasons, *_OWN)

    @property
    def names_share(self) -> bool:
        """Whether the names have words in common that say something, or words of one meaning."""
        return has_reason(
            self.reasons, MatchReason.SHARED_WORDS, MatchReason.ADDED_WORDS, MatchReason.SYNONYMS
        )

    @property
    def names_are_synonyms(self) -> bool:
        """Whether the names differ by words of one meaning."""
        return has_reason(self.reasons, MatchReason.SYNONYMS)

    @property
    def is_pointed_at(self) -> bool:
        """Whether a document names the other field, or other fields change by the same words."""
        return has_reason(self.reasons, MatchReason.NAMED, MatchReason.SAME_CHANGE)

    @property
    def names_agree(self) -> bool:
        """Whether one name is the other one, or the other one with words beside it."""
        return has_reason(self.reasons, MatchReason.ADDED_WORDS, MatchReason.OTHER_FORM)

    @property
    def is_form(self) -> bool:
        """Whether the names differ in nothing but their form, as case, number or abbreviations."""
        return has_reason(self.reasons, MatchReason.OTHER_FORM)

    @property
    def is_contrasted(self) -> bool:
        """Whether definitions have fields side by side that differ as these two do."""
        return has_reason(self.reasons, MatchReason.CONTRASTED)

    @property
    def is_opposed(self) -> bool:
        """Whether the names say the opposite of each other."""
        return has_reason(self.reasons, MatchReason.OPPOSITES)

    def plus(self, weight: float, reason: WordedMessage = NOTHING, *, strong: bool = False) -> Evidence:
        """Add what was found elsewhere."""
        reasons = (*self.reasons, reason) if reason else self.reasons
        return Evidence(self.weight + weight, reasons, self.strong + strong)


Remark = tuple[float, WordedMessage, bool]  # the weight, the reason, whether it is strong


class MatchScorer:
    """Weighs pairs of places of two versions."""

    def __init__(self, shapes: Shapes, *, numbers_stable: bool = False) -> None:
        self.shapes = shapes
        self._number = 3.5 if numbers_stable else 0.9
        self.corpus = DocumentCorpus((shapes.old, shapes.new))
        self.contrasts = SiblingContrasts((shapes.old, shapes.new))
        self.habits: Mapping[Habit, set[tuple[str, str]]] = {}
        self.splits: Mapping[Split, set[tuple[str, str]]] = {}

    def weigh(self, old: UnmatchedField, new: UnmatchedField, *, converts: bool = False) -> Evidence:
        """Weigh all that can be said of one pair, beside what other pairs say of it.

        `converts` says that an op makes values of the one type from those of the other.
        """
        found = Evidence(_PRIOR, ())
        for remark in (
            *self._siblings(old, new),
            *self._names(old, new),
            *(((-0.1, NOTHING, False),) if converts else self._types(old, new)),
            *self._documents(old, new),
            *self._annotations(old, new),
            *mention_remarks(old.field, new.field, self.corpus),
            *self._habit(old, new),
        ):
            found = found.plus(*remark[:2], strong=remark[2])
        return found

    def _names(self, old: UnmatchedField, new: UnmatchedField) -> Iterator[Remark]:
        left, right = words(old.field.name), words(new.field.name)
        left, right = written_apart(left, right), written_apart(right, left)
        moved = old.parent != new.parent
        if not moved and are_negations(left, right) and self._are_flags(old.field, new.field):
            yield 4.2, MatchReason.NEGATION.words_with(), True
        elif are_opposites(left, right) or (moved and are_opposites(old.words, new.words)):
            yield -6.0, MatchReason.OPPOSITES.words_with(), False
        elif left == right or "".join(left) == "".join(right):
            equal = old.field.name == new.field.name
            reason = MatchReason.NAMES_EQUAL if equal else MatchReason.OTHER_FORM
            yield (2.6 if left in GENERIC else 4.6), reason.words_with(), left not in GENERIC
        elif are_plural(old.field.name, new.field.name):
            is_telling = left not in GENERIC
            yield (4.6 if is_telling else 2.6), MatchReason.PLURAL.words_with(), is_telling
        elif are_but_for_empty_words(left, right):
            yield 4.6, MatchReason.OTHER_FORM.words_with(), not {left, right} & GENERIC
        elif are_one_time(left, right) and self._are_times(old.field, new.field):
            yield 4.6, MatchReason.OTHER_FORM.words_with(), True
        elif _same_words(old, new) or split_of(old.text, new.text):
            yield 4.6, MatchReason.EQUAL_WITH_OBJECTS.words_with(), True
        elif sorted(left) == sorted(right):
            yield 4.2, MatchReason.SAME_WORDS.words_with(), True
        elif set(left) ^ set(right) <= OUTDATED:
            yield 5.8, MatchReason.OUTDATED.words_with(), True
        elif are_forms(left, right):
            yield _FORMS, MatchReason.WORD_FORMS.words_with(), True
        elif is_misspelt(left, right):
            yield _MISSPELT, MatchReason.MISSPELT.words_with(), True
        elif is_abbreviated(left, right) or are_initials(old.field.name, new.field.name):
            yield _FORMS, MatchReason.ABBREVIATED.words_with(), True
        elif not moved and is_name_of_type(left, right, (old.owner, new.owner)):
            yield _OWN_NAME, MatchReason.NAME_OF_TYPE.words_with(), True
        elif are_synonyms(left, right):
            yield _SYNONYM + 0.6 * (len(left) > 1), MatchReason.SYNONYMS.words_with(), True
        else:
            alike = likeness(old.field.name, new.field.name)
            found = _partial(left, right, alike)
            yield max(found, _partial(old.words, new.words, alike)) if moved else found

    def _are_flags(self, old: Field, new: Field) -> bool:
        return is_flag(self.shapes.old.resolve(old.type)) and is_flag(self.shapes.new.resolve(new.type))

    def _are_times(self, old: Field, new: Field) -> bool:
        return is_time(self.shapes.old.resolve(old.type)) and is_time(self.shapes.new.resolve(new.type))

    def _types(self, old: UnmatchedField, new: UnmatchedField) -> Iterator[Remark]:
        mine, theirs = old.field.type, new.field.type
        same = self.shapes.likeness(mine, theirs)
        if _lists(self.shapes, mine, old=True) != _lists(self.shapes, theirs, old=False):
            yield -7.0, MatchReason.LIST_OR_NOT.words_with(), False
        elif same == 0 and not same_type_name(mine, theirs):
            yield -9.0, MatchReason.TYPES_DIFFER.words_with(), False
        elif self.shapes.is_telling(mine, old=True) and self.shapes.is_telling(theirs, old=False):
            size = self.shapes.size(mine, theirs)
            if same_type_name(mine, theirs):
                yield (1.5 if same >= 0.3 else 2.8), MatchReason.TYPE_NAME.words_with(), size > 1
            shared = MatchReason.TYPES_SHARE.words_with(share=f"{same:.0%}")
            reason = shared if size > 1 or same < 1 else MatchReason.TYPES_EQUAL.words_with()
            yield (4.0 * same - 1.2) * (0.7 + 0.15 * min(size, 6)), reason, same >= 0.7 and size > 2
        elif same < 0.5:
            yield -5.0, MatchReason.OTHER_TARGETS.words_with(), False
        else:
            code = MatchReason.TYPES_EQUAL if same == 1 else MatchReason.TYPES_FIT
            yield 0.4 * same, code.words_with(), False

    def _documents(self, old: UnmatchedField, new: UnmatchedField) -> Iterator[Remark]:
        told = [(each.field.description, each.field.name) for each in (old, new)]
        if documents_equal(*told):
            size = len(document_words(old.field.description))
            yield (5.8 if size > 9 else 4.2), MatchReason.DOCUMENTS_EQUAL.words_with(), True
            if size >= _TELLING and self.corpus.is_only(told[0]) and self.corpus.is_only(told[1]):
                yield _ONLY_DOCUMENT, MatchReason.ONLY_DOCUMENT.words_with(), True
            return
        names = frozenset((*words(old.field.name), *words(new.field.name)))
        alike = self.corpus.alike(old.field.description, new.field.description, names)
        size = min(len(document_words(old.field.description)), len(document_words(new.field.description)))
        by_words = -9.0
        if alike is not None:
            more = 8.0 * max(0.0, alike - 0.8) * min(1.0, size / 12)
            by_words = 6.0 * (alike - 0.42) * min(1.0, size / 8) + more
        shared = self.corpus.shared(*told)
        if shared is not None and shared.share >= 0.5:
            by_sentences = (2.0 + 0.25 * min(shared.words, 12)) * shared.share
            if by_sentences > by_words:
                is_alike = shared.share < 1
                code = MatchReason.DOCUMENTS_ALIKE if is_alike else MatchReason.DOCUMENTS_BUT_MORE
                yield by_sentences, code.words_with(), shared.share >= 0.7 and shared.words > 5
                return
        if alike is not None:
            yield by_words, _how_alike(alike).words_with(), alike > 0.7 and size > 5

    def _annotations(self, old: UnmatchedField, new: UnmatchedField) -> Iterator[Remark]:
        mine, theirs = old.field, new.field
        if points_at(mine, new.text, new.field) or points_at(theirs, old.text, old.field):
            yield 6.0, MatchReason.NAMED.words_with(), True
        if mine.number is not None and mine.number == theirs.number:
            yield self._number, MatchReason.WIRE_NUMBER.words_with(number=mine.number), self._number > 2
        if mine.behavior or theirs.behavior:
            yield (0.3 if mine.behavior == theirs.behavior else -0.6), NOTHING, False
        if mine.required != theirs.required:
            yield -0.4, NOTHING, False
        if mine.constraints and mine.constraints == theirs.constraints:
            yield 0.8, MatchReason.CONSTRAINTS.words_with(), False
        if mine.default.value is not None and mine.default == theirs.default:
            yield 0.5, MatchReason.DEFAULTS.words_with(), False

    def _siblings(self, old: UnmatchedField, new: UnmatchedField) -> Iterator[Remark]:
        """Count that another object has fields side by side that differ as these two do."""
        mine, theirs = words(old.field.name), words(new.field.name)
        if (
            mine == theirs
            or old.parent != new.parent
            or are_synonyms(mine, theirs)
            or {mine, theirs} & GENERIC
        ):
            return
        owner = self.contrasts.find(mine, theirs)
        if owner:
            yield _CONTRAST, MatchReason.CONTRASTED.words_with(place=owner), False

    def _habit(self, old: UnmatchedField, new: UnmatchedField) -> Iterator[Remark]:
        """Count that other fields, near certain, put the same words for the same words."""
        habit = habit_of(old.words, new.words)
        others = {
            (owner, path)
            for owner, path in self.habits.get(habit, ())
            if path != old.text or (owner != old.owner and len(old.path) == 1)
        }
        if others and any(habit):
            owner, path = min(others)
            place = f"{owner}{'.' if path else ''}{path}"
            yield _HABIT, MatchReason.SAME_CHANGE.words_with(place=place), True
        elif part := self._part_of_change(old, habit):
            yield _PART, MatchReason.PART_OF_CHANGE.words_with(place=part), False
        split = split_of(old.text, new.text) if self.splits else None
        alike = (
            {each for each in self.splits.get(split, ()) if each != (old.owner, old.text)} if split else ()
        )
        if alike:
            owner, path = min(alike)
            yield _HABIT, MatchReason.SAME_WAY.words_with(place=f"{owner}.{path}"), True

    def _part_of_change(self, old: UnmatchedField, habit: Habit) -> str:
        """Name a field, near certain, that changes by some of the words by which this one does."""
        for (gone, come), places in self.habits.items():
            if gone and come and gone <= habit[0] and come <= habit[1]:
                others = {each for each in places if each != (old.owner, old.text)}
                if others:
                    return ".".join(filter(None, min(others)))
        return ""


def _how_alike(share: float) -> MatchReason:
    if share > 0.9:
        return MatchReason.DOCUMENTS_EQUAL
    return MatchReason.DOCUMENTS_ALIKE if share > 0.5 else MatchReason.DOCUMENTS_DIFFER


def _partial(left: tuple[str, ...], right: tuple[str, ...], alike: float) -> Remark:
    """Weigh names of which some words are equal."""
    mine, theirs = set(telling_words(left)), set(telling_words(right))
    common = mine & theirs
    if not common:
        return (0.6, MatchReason.NAMES_ALIKE.words_with(), False) if alike > 0.75 else (-1.6, NOTHING, False)
    part = len(common) / len(mine | theirs)
    if common <= VAGUE and common not in (mine, theirs):
        return -0.8, NOTHING, False
    same_end = left[-1:] == right[-1:]
    if common in (mine, theirs):
        return (1.4 if same_end else 0.6) + 2.2 * part, MatchReason.ADDED_WORDS.words_with(), False
    return (0.4 if same_end else -0.9) + 2.4 * part, MatchReason.SHARED_WORDS.words_with(), False


def _same_words(old: UnmatchedField, new: UnmatchedField) -> bool:
    """Tell whether names are equal once the objects around them are read along."""
    left, right = old.words, new.words
    if left == right or squeezed(left) == squeezed(right):
        return True
    mine, theirs = words(old.field.name), words(new.field.name)
    above = words(old.owner.rpartition(".")[2])
    other = words(new.owner.rpartition(".")[2])
    return bool(mine and theirs) and (_adds(above, theirs, mine) or _adds(other, mine, theirs))


def _adds(above: tuple[str, ...], short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Tell whether a name has in front the words by which its object ends: `entry_text` of `FilterEntry`."""
    return any((*above[at:], *short) == long for at in range(len(above)))


def _lists(shapes: Shapes, given: Type, *, old: bool) -> str:
    found = (shapes.old if old else shapes.new).resolve(given)
    return "list" if isinstance(found, ListType) else "map" if isinstance(found, MapType) else ""
