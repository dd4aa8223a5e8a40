"""Words of texts, the same for every search index: runs of letters and digits, without case."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, RefType, Type
from migrations_app.kernel.json import Json, JsonObject

LONGEST_WORD = 100
MOST_WORDS = 2000
_WORD = re.compile(r"[^\W_]+")
_ASKED = re.compile(r"[^\W_]+\*?")


def words_of(text: str) -> list[str]:
    """Give the words of a text."""
    return [word[:LONGEST_WORD] for word in _WORD.findall(text.casefold())]


def asked_words(phrase: str) -> tuple[str, ...]:
    """Give the words of a search phrase; one that ends in `*` stands for all that begin so."""
    found = (
        word[:LONGEST_WORD] if not word.endswith("*") else f"{word[:-1][:LONGEST_WORD]}*"
        for word in _ASKED.findall(phrase.casefold())
    )
    return tuple(dict.fromkeys(found))


def is_searchable(resource: ResourceDefinition) -> bool:
    """Tell whether a resource type asks to be searchable: `options: {optIns: {searchable: true}}`."""
    opted = resource.options.get("optIns")
    own = opted.get("searchable") if isinstance(opted, dict) else None
    return bool(own or resource.options.get("searchable"))


def document_words(schema: Schema, resource_type: str, name: str, body: JsonObject) -> tuple[str, ...]:
    """Give the words of a resource: of its name and of every text in it that is not sensitive."""
    found = dict.fromkeys(words_of(name))
    for text in _object(schema, schema.document_type(resource_type), body):
        found.update(dict.fromkeys(words_of(text)))
        if len(found) > MOST_WORDS:
            break
    return tuple(found)[:MOST_WORDS]


def _object(schema: Schema, given: ObjectType, value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for each in given.fields:
            if each.key in value and not each.sensitive:
                yield from _texts(schema, each.type, value[each.key])


def _texts(schema: Schema, given: Type, value: Json) -> Iterator[str]:
    match given:
        case RefType():
            yield from _texts(schema, schema.resolve(given), value)
        case ObjectType():
            yield from _object(schema, given, value)
        case ListType() if isinstance(value, list):
            for each in value:
                yield from _texts(schema, given.item, each)
        case MapType() if isinstance(value, dict):
            for key, each in value.items():
                yield key
                yield from _texts(schema, given.value, each)
        case _:
            if isinstance(value, str):
                yield value
