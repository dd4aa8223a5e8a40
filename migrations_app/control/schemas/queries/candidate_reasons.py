"""What speaks for a candidate and against it, in phrases: proposals compare these reasons as texts."""

from __future__ import annotations

from migrations_app.kernel.messages import Phrase, WordedMessage, catalogued, verbatim

_REASONS = (
    catalogued("the names are equal"),
    catalogued("the names have the same words"),
    catalogued("the names share words"),
    catalogued("the names look alike"),
    catalogued("the names are opposites"),
    catalogued("the names differ in their form only"),
    catalogued("the names differ by words of one meaning"),
    catalogued("the names differ by forms of one word"),
    catalogued("the names are equal with the words of the objects around them"),
    catalogued("one name adds words to the other"),
    catalogued("one name is the plural of the other"),
    catalogued("one name says that the other is outdated"),
    catalogued("one name has the first letters of what the other document says"),
    catalogued("one flag is the negation of the other"),
    catalogued("one is a list or map and the other is not"),
    catalogued("the types are equal"),
    catalogued("the types fit"),
    catalogued("the types differ"),
    catalogued("the types have {share} in common"),
    catalogued("their types have one name"),
    catalogued("they refer to other resource types"),
    catalogued("the documents say the same"),
    catalogued("the documents are alike"),
    catalogued("the documents are one, but for sentences more"),
    catalogued("the documents differ"),
    catalogued("the first sentences of the documents are alike"),
    catalogued("the documents say the same of each, its own name put into it"),
    catalogued("the documents name the same values"),
    catalogued("the documents have the words of the other name"),
    catalogued("the document of one has the words of the other name"),
    catalogued("the documents say opposites of one thing"),
    catalogued("a document names the other one"),
    catalogued("no field of another name has this document"),
    catalogued("no document of another name has a run of words that both have"),
    catalogued("both have wire number {number}"),
    catalogued("all other fields keep their wire numbers"),
    catalogued("the constraints are equal"),
    catalogued("the defaults are equal"),
    catalogued("the fields beside them are the same"),
    catalogued("{place} has two fields that differ as these do"),
    catalogued("{place} changes by the same words"),
    catalogued("{place} goes the same way"),
    catalogued("no other open field takes its values"),
    catalogued("no other open field has such a type"),
    catalogued("no other open field comes near"),
    catalogued("no other field of the two objects is open"),
    catalogued("no other field of the two objects is open, and only words of their names speak for them"),
    catalogued("fields that stay differ from these by one word too"),
)


def reason_message(text: str) -> WordedMessage:
    """Word a reason; one that no catalogue has stays as it is. Each has at most one place, of a value without spaces."""
    for key in _REASONS:
        head, has_place, rest = key.partition("{")
        name, _, tail = rest.partition("}")
        if not has_place and text == key:
            return WordedMessage((Phrase(key),))
        if has_place and text.startswith(head) and text.endswith(tail):
            value = text.removeprefix(head).removesuffix(tail)
            if value and " " not in value:
                return WordedMessage((Phrase(key, {name: value}),))
    return verbatim(text)
