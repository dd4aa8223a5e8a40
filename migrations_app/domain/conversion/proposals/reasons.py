"""What speaks for a proposal and against it: the code of each reason is its English form, and its values stand beside.

Decisions ask for codes, never for texts; the text and the phrases of a reason are made from both.
"""

from __future__ import annotations

from enum import StrEnum

from migrations_app.kernel.messages import Phrase, WordedMessage, catalogued


class MatchReason(StrEnum):
    """The codes of all reasons, by what they are about: names, types, documents, annotations, other fields, ops."""

    NAMES_EQUAL = catalogued("the names are equal")
    SAME_WORDS = catalogued("the names have the same words")
    SHARED_WORDS = catalogued("the names share words")
    NAMES_ALIKE = catalogued("the names look alike")
    OPPOSITES = catalogued("the names are opposites")
    OTHER_FORM = catalogued("the names differ in their form only")
    SYNONYMS = catalogued("the names differ by words of one meaning")
    WORD_FORMS = catalogued("the names differ by forms of one word")
    MISSPELT = catalogued("one name misspells a word of the other")
    ABBREVIATED = catalogued("one name abbreviates a word of the other")
    EQUAL_WITH_OBJECTS = catalogued("the names are equal with the words of the objects around them")
    OBJECT_AND_FIELD = catalogued("one name is the object and field of the other")
    NAME_OF_TYPE = catalogued("one is the name, and the other one the noun of their object")
    ADDED_WORDS = catalogued("one name adds words to the other")
    PLURAL = catalogued("one name is the plural of the other")
    OUTDATED = catalogued("one name says that the other is outdated")
    ACRONYM = catalogued("one name has the first letters of what the other document says")
    NEGATION = catalogued("one flag is the negation of the other")
    UNITS = catalogued("the names say two units, {old} and {new}")

    LIST_OR_NOT = catalogued("one is a list or map and the other is not")
    TYPES_EQUAL = catalogued("the types are equal")
    TYPES_FIT = catalogued("the types fit")
    TYPES_DIFFER = catalogued("the types differ")
    TYPES_SHARE = catalogued("the types have {share} in common")
    TYPE_NAME = catalogued("their types have one name")
    OTHER_TARGETS = catalogued("they refer to other resource types")
    HELD_BY = catalogued("{place} holds them")
    THEY_SHARE = catalogued("they have {share} in common")
    DOCUMENT_TYPES = catalogued("the documents' types have one name")
    RESOURCES_SHARE = catalogued("the documents have {share} in common")
    OWN_FIELDS = catalogued("they share {share} of what few other types have, and no other type comes near")
    PATTERNS_EQUAL = catalogued("the name patterns are equal")
    COLLECTIONS_EQUAL = catalogued("the collections are equal")
    SEGMENTS_EQUAL = catalogued("the segments are the same")
    SEGMENTS_DIFFER = catalogued("segments come or go; say where they are from")

    DOCUMENTS_EQUAL = catalogued("the documents say the same")
    DOCUMENTS_ALIKE = catalogued("the documents are alike")
    DOCUMENTS_BUT_MORE = catalogued("the documents are one, but for sentences more")
    DOCUMENTS_DIFFER = catalogued("the documents differ")
    DEFINED = catalogued("the first sentences of the documents are alike")
    SAME_SLOT = catalogued("the documents say the same of each, its own name put into it")
    OWN_VALUES = catalogued("the documents name the same values")
    BOTH_MENTION = catalogued("the documents have the words of the other name")
    ONE_MENTIONS = catalogued("the document of one has the words of the other name")
    OWN_WORDS = catalogued("each document has words of its own name that the other document lacks")
    DOCUMENTS_OPPOSED = catalogued("the documents say opposites of one thing")
    NAMED = catalogued("a document names the other one")
    ONLY_DOCUMENT = catalogued("no field of another name has this document")
    OWN_PHRASE = catalogued("no document of another name has a run of words that both have")

    WIRE_NUMBER = catalogued("both have wire number {number}")
    NUMBERS_STAY = catalogued("nearly all other fields keep their wire numbers")
    CONSTRAINTS = catalogued("the constraints are equal")
    DEFAULTS = catalogued("the defaults are equal")

    NEIGHBOURS = catalogued("the fields beside them are the same")
    SAME_PLACE = catalogued("one stands in the place of the other")
    CONTRASTED = catalogued("{place} has two fields that differ as these do")
    SAME_CHANGE = catalogued("{place} changes by the same words")
    PART_OF_CHANGE = catalogued("{place} changes by some of the same words")
    SAME_WAY = catalogued("{place} goes the same way")
    MOVE_TOGETHER = catalogued("{count} fields move the same way")
    OBJECT_WAS_THERE = catalogued("the object that it would move to was there before")
    ONLY_NAME = catalogued("no other open field has this name")
    ONLY_VALUES = catalogued("no other open field takes its values")
    ONLY_TYPE = catalogued("no other open field has such a type")
    OWN_TYPES = catalogued(
        "each has an object type that the other version lacks, and the two have most in common"
    )
    NO_RIVAL = catalogued("no other open field comes near")
    ONLY_PAIR = catalogued("no other field of the two objects is open")
    ONLY_WORDS = catalogued(
        "no other field of the two objects is open, and only words of their names speak for them"
    )
    OF_MANY = catalogued("fields that stay differ from these by one word too")
    NO_FELLOW = catalogued("no field of the other version is like it")

    SAMPLES_HAVE = catalogued("{count} sample documents have its values")
    SAMPLES_AGREE = catalogued("samples agree in {count} of {total} documents")
    SAMPLES_DIFFER = catalogued("samples differ in {count} of {total} documents")
    SAMPLES_MAP = catalogued("samples map {symbols}")
    SAMPLES_TEXTS = catalogued("{count} samples have these texts; others would be kept as hidden values")
    SAMPLES_TRUE = catalogued("samples have {symbol} for true")
    SAMPLES_FACTOR = catalogued("in all {count} samples the new value is {factor} times the old one")
    SAMPLES_CODEC = catalogued("the codec makes the new value of the old one in all {count} samples")

    BECOMES_LIST = catalogued("a value becomes a list of one")
    BECOMES_FIRST = catalogued("a list becomes its first element")
    ENTRIES_TO_LIST = catalogued("the entries of a map become a list")
    ENTRIES_TO_MAP = catalogued("a list of entries becomes a map")
    NEGATED = catalogued("one flag is the negation of the other; absent counts as false on both sides")
    SYMBOLS_LACKING = catalogued("the new enum has no symbol for {symbols}")
    SYMBOLS_UNNAMED = catalogued(
        "the new enum, though open, does not name {symbols}; rest: same lets them pass"
    )
    SYMBOLS_LIKELY = catalogued("not sure: {symbols}")
    SYMBOLS_RENAMED = catalogued("{count} symbol goes by another name|{count} symbols go by other names")
    SYMBOLS_TO_TEXT = catalogued("symbols become texts")
    NUMBER_TO_TEXT = catalogued("a whole number becomes its decimal text")
    TEXT_TO_NUMBER = catalogued("decimal text becomes a whole number")
    DURATION_TEXT = catalogued("a duration as text becomes a number")
    DURATION_TO_TEXT = catalogued("a number becomes a duration as text")
    TEXT_TO_FLOAT = catalogued("text becomes the number that it writes")
    FLOAT_TO_TEXT = catalogued("a number becomes its text")
    FLAG_TEXTS = catalogued("a flag is a text: {true} or {false}; other texts stay as they are")
    JSON_TEXT = catalogued("a structure is JSON in a text; other texts stay as they are")
    SYMBOLS_TO_FLAG = catalogued("symbols become a flag")
    DURATION = catalogued("a duration is a number")
    TIME = catalogued("a time is a number")
    NUMBER_TO_FLOAT = catalogued("a whole number becomes a float")
    FLAG_TO_SYMBOLS = catalogued("a flag becomes symbols")
    TEXT_NAMES_SYMBOLS = catalogued(
        "the document of the text names all symbols; rest: {rest} is for other texts"
    )
    FREE_TEXT = catalogued("free text becomes one of a few symbols")
    NO_OP = catalogued(
        "one name, two types: no op converts one into the other; write convert, split, merge or hook"
    )
    NOT_COMPILED = catalogued("as a line it would not compile: {finding}")

    def words_with(self, **values: str | int) -> WordedMessage:
        """Give the reason with the values in it."""
        return WordedMessage((Phrase(self.value, values),))


def has_reason(reasons: tuple[WordedMessage, ...], *codes: MatchReason) -> bool:
    """Tell whether one of some reasons is of one of some codes, whatever its values."""
    return any(each.phrases[0].key in codes for each in reasons)
