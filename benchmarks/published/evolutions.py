"""Made-up evolutions of published types, whose truth is known: fields renamed, moved, wrapped, removed, added.

The seed alone decides what happens, so that every run measures the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from migrations_app.domain.conversion.proposals.names.words import words
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    EnumType,
    EnumValue,
    Field,
    ListType,
    ObjectType,
    RefType,
    ScalarType,
    Type,
)

_OTHER_WORDS = {
    "uri": "url",
    "url": "uri",
    "size": "capacity",
    "count": "number",
    "type": "kind",
    "kind": "type",
    "config": "settings",
    "settings": "config",
    "description": "summary",
    "state": "status",
    "status": "state",
    "host": "hostname",
    "address": "endpoint",
    "location": "region",
    "timeout": "deadline",
    "duration": "period",
    "id": "identifier",
    "labels": "tags",
    "tags": "labels",
    "policy": "rule",
    "user": "account",
    "network": "vpc",
    "image": "picture",
    "query": "search",
    "result": "outcome",
    "error": "failure",
    "filter": "selector",
    "group": "set",
}
_IN_FRONT = ("default", "desired", "effective", "custom", "initial", "target", "primary", "base")
_BEHIND = ("config", "value", "spec", "info", "setting")
Truth = tuple[str, str, str]  # the type, the old path, the new path


@dataclass(slots=True)
class Evolution:
    """A schema and what was made of it, with the pairs of paths that are the same field."""

    old: Schema
    new: Schema
    renamed: set[Truth] = field(default_factory=set)
    moved: set[Truth] = field(default_factory=set)
    symbols: set[Truth] = field(default_factory=set)  # the field's type, the old symbol, the new symbol


class _Editor:
    def __init__(self, schema: Schema, foreign: list[Field], seed: str) -> None:
        self.random = random.Random(seed)
        self.schema, self.foreign = schema, foreign
        self.types: dict[str, Type] = dict(schema.types)
        self.made = Evolution(schema, schema)

    def edit(self) -> Evolution:
        """Change some of the fields of every type that resources hold."""
        for name in reached_types(self.schema):
            given = self.types[name]
            if isinstance(given, ObjectType) and len(given.fields) > 3:
                self._object(name, given)
            elif isinstance(given, EnumType) and len(given.values) > 2 and self.random.random() < 0.3:
                self._enum(name, given)
        self.made.new = replace(self.schema, version="v2", ordinal=20, types=self.types)
        self.made.old = replace(self.schema, version="v1", ordinal=10)
        return self.made

    def _object(self, name: str, given: ObjectType) -> None:
        resource = {each.message: each.name_field for each in self.schema.resources.values()}.get(name)
        held = {member for oneof in given.oneofs for member in oneof.members} | {resource}
        fields: list[Field] = []
        for each in given.fields:
            chance = self.random.random()
            if each.name in held or chance > 0.16:
                fields.append(each)
            elif chance < 0.09:
                fields.append(self._rename(name, each, given))
            elif chance < 0.12 and isinstance(each.type, ScalarType):
                fields.append(self._wrap(name, each))
            # else it is removed
        if self.random.random() < 0.25:
            fields = self._nest(name, fields, held)
        for _ in range(self.random.choice((0, 0, 1, 2))):
            fields.append(self._strange(fields))
        if self.random.random() < 0.3:
            self.random.shuffle(fields)
        numbered = tuple(replace(each, number=number) for number, each in enumerate(_unlike(fields), start=1))
        self.types[name] = replace(given, fields=numbered)

    def _rename(self, owner: str, given: Field, of: ObjectType) -> Field:
        parts = given.name.split("_")
        choices = [index for index, part in enumerate(parts) if part in _OTHER_WORDS]
        way = self.random.random()
        if choices and way < 0.6:
            index = self.random.choice(choices)
            parts[index] = _OTHER_WORDS[parts[index]]
        elif way < 0.75:
            parts = [self.random.choice(_IN_FRONT), *parts]
        elif way < 0.9 and len(parts) > 1:
            parts = parts[1:] if self.random.random() < 0.5 else parts[:-1]
        else:
            parts = [*parts, self.random.choice(_BEHIND)]
        name = "_".join(parts)
        if of.field(name) is not None or name == given.name:
            return given
        self.made.renamed.add((owner, given.name, name))
        return self._told(given, name)

    def _told(self, given: Field, name: str) -> Field:
        """Let the document follow the name, and lose a sentence now and then."""
        text = re.sub(rf"\b{re.escape(given.name)}\b", name, given.description)
        sentences = text.split(". ")
        if len(sentences) > 2 and self.random.random() < 0.5:
            del sentences[self.random.randrange(1, len(sentences))]
        return replace(given, name=name, json_name="", id="", description=". ".join(sentences))

    def _wrap(self, owner: str, given: Field) -> Field:
        name = given.name if given.name.endswith("s") else f"{given.name}s"
        if name == given.name:
            return given
        self.made.renamed.add((owner, given.name, name))
        return replace(self._told(given, name), type=ListType(given.type), empty_is_absent=True)

    def _nest(self, owner: str, fields: list[Field], held: set[str | None]) -> list[Field]:
        known = {each.name for each in self.made.old.object(owner).fields}
        free = [each for each in fields if each.name not in held and each.name in known]
        if len(free) < 4:
            return fields
        size = self.random.randint(1, min(4, len(free) - 2))
        start = self.random.randrange(len(free) - size)
        members = free[start : start + size]
        under = self.random.choice(("access", "runtime", "delivery", "limits", "details"))
        if any(each.name == under for each in fields):
            return fields
        type_name = f"{owner}.{under.title()}"
        self.types[type_name] = ObjectType(tuple(replace(each, id="") for each in members))
        self.made.moved |= {(owner, each.name, f"{under}.{each.name}") for each in members}
        made = Field(under, RefType(type_name), description=f"Everything about {under}.")
        return [*(each for each in fields if each not in members), made]

    def _strange(self, fields: list[Field]) -> Field:
        """Take a field of another service, which is like none here on purpose."""
        return self.random.choice(self.foreign)

    def _enum(self, name: str, given: EnumType) -> None:
        prefix = "_".join(words(name.rpartition(".")[2])).upper()
        bare = all(not value.name.startswith(f"{prefix}_") for value in given.values)
        values: list[EnumValue] = []
        for value in given.values:
            symbol = f"{prefix}_{value.name}" if bare else value.name.removeprefix(f"{prefix}_")
            if given.value(symbol) is None:
                self.made.symbols.add((name, value.name, symbol))
                value = replace(value, name=symbol)
            values.append(value)
        zero = values[0].name if given.zero else ""
        self.types[name] = replace(given, values=tuple(values), zero=zero)


def _unlike(fields: Iterable[Field]) -> list[Field]:
    """Keep the first of fields of one name, however it is written."""
    return list({words(each.name): each for each in reversed(list(fields))}.values())[::-1]


def reached_types(schema: Schema, messages: Iterable[str] = ()) -> list[str]:
    """List the named types that documents of resources, and the messages given, hold."""
    waiting = [each.message for each in schema.resources.values()]
    waiting += [name for name in messages if name in schema.types]
    found: list[str] = []
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.append(name)
        given = schema.types[name]
        for each in given.fields if isinstance(given, ObjectType) else ():
            waiting += _names(each.type)
    return found


def _names(given: Type) -> list[str]:
    if isinstance(given, RefType):
        return [given.name]
    if isinstance(given, ObjectType):
        return [name for each in given.fields for name in _names(each.type)]
    inner = getattr(given, "item", None) or getattr(given, "value", None)
    return _names(inner) if inner is not None and not isinstance(given, EnumType) else []


def evolve(schema: Schema, foreign: list[Field], seed: str) -> Evolution:
    """Make a next version of a schema; `foreign` are fields of other services to add."""
    return _Editor(schema, foreign, seed).edit()
