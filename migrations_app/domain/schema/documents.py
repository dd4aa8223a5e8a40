"""JSON documents checked against a type: violations with paths, and unknown keys refused, dropped or kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from migrations_app.domain.schema.check import BAG_KEY
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.key_strategies import EACH, ENTRIES, NO_KEY_STRATEGIES, KeyStrategies
from migrations_app.domain.schema.scalars import Check, constraint_checks, scalar_check, scalar_form
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    FieldMaskType,
    FilterType,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
    UnknownKeys,
)
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import Json, JsonObject, canonical
from migrations_app.kernel.messages import WordedMessage, message

MAX_VIOLATIONS = 100
MAX_DEPTH = 100

_ABSENT: Json = {"absent": True}
"""Stands for a value that is not there; known by identity."""

_MAP_KEYS: Mapping[ScalarKind, re.Pattern[str]] = {
    ScalarKind.BOOL: re.compile("true|false"),
    **{
        kind: re.compile(r"-?(?:0|[1-9]\d{0,19})")
        for kind in (ScalarKind.I32, ScalarKind.I64, ScalarKind.U32, ScalarKind.U64)
    },
}


@dataclass(slots=True)
class _Walk:
    """One document on its way: what is wrong so far, what was dropped, and how deep the walk is."""

    violations: list[Violation] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    depth: int = 0

    def wrong(self, path: str, words: WordedMessage, code: str = "E-VALUE") -> None:
        """Note a violation, unless there are enough."""
        if len(self.violations) < MAX_VIOLATIONS:
            self.violations.append(Violation(path, words, code=code))


_FIRST = re.compile(r"[.\[{]")
Visit: TypeAlias = "Callable[[Json, str, _Walk], Json]"


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """What became of a document: its form without dropped keys, and what is wrong with it."""

    document: Json
    violations: tuple[Violation, ...]
    dropped: tuple[str, ...] = ()
    """The paths of unknown keys that were left out, at most `MAX_VIOLATIONS`."""

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.violations

    def ratcheted(self, sent: JsonObject, before: JsonObject) -> CheckedDocument:
        """Forget what is wrong with fields that an update leaves as they are.

        A value that was stored before a pattern was tightened may stay; only what changes must be valid.
        """
        left = {key for key in {*sent, *before} if canonical(sent.get(key)) != canonical(before.get(key))}
        kept = (each for each in self.violations if not each.path or _FIRST.split(each.path, 1)[0] in left)
        return CheckedDocument(self.document, tuple(kept), self.dropped)

    def or_refuse(self) -> Json:
        """Give the document, or refuse it.

        Raises: Invalid (`document`) with every violation.
        """
        if self.violations:
            first = self.violations[0]
            raise Invalid(
                message(
                    "The document is not valid: {path} {message}.",
                    path=first.path or "it",
                    message=first.message,
                ),
                code="document",
                violations=self.violations,
            )
        return self.document


class DocumentChecker:
    """Checks documents of one type; built once for a type and used for many documents.

    The document that comes back has one spelling: JSON keys, symbols for enum numbers, integers as the
    type encodes them.

    `unknown` overrides what the types say of unknown keys, and `keys` what that says of single ones. `partial` admits absent required fields, as in
    storage documents and patches. `bag` admits the reserved key with the bag in every object.
    """

    def __init__(
        self,
        schema: Schema,
        type_name: str,
        *,
        unknown: UnknownKeys | None = None,
        keys: KeyStrategies = NO_KEY_STRATEGIES,
        partial: bool = False,
        bag: bool = False,
    ) -> None:
        self._schema, self._unknown, self._partial, self._bag = schema, unknown, partial, bag
        self._keys = keys
        self._named: dict[tuple[str, str | None], Visit] = {}
        self._visit = self._ref(type_name, "" if keys.entries else None)

    def check(self, document: Json) -> CheckedDocument:
        """Check one document."""
        walk = _Walk()
        found = self._visit(document, "", walk)
        return CheckedDocument(found, tuple(walk.violations), tuple(walk.dropped))

    def _ref(self, name: str, at: str | None) -> Visit:
        """Visit a named type; looked up late, because types may hold themselves."""
        named, schema, build, place = self._named, self._schema, self._build, (name, at)

        def _visit(value: Json, path: str, walk: _Walk) -> Json:
            known = named.get(place)
            if known is None:
                known = named[place] = build(schema.type(name), at)
            return known(value, path, walk)

        return _visit

    def _build(self, given: Type, at: str | None) -> Visit:
        """Build what visits a type; `at` is its canonical path where keys below it have strategies of their own."""
        match given:
            case ScalarType():
                return _checked(scalar_check(given, text_taken=self._schema.is_protobuf), scalar_form(given))
            case ReferenceType() | FieldMaskType() | FilterType():
                return _checked(scalar_check(ScalarType(ScalarKind.STRING)))
            case EnumType():
                return _checked(_enum_check(given), _enum_form(given))
            case ListType():
                return self._list(given, at)
            case MapType():
                return self._map(given, at)
            case ObjectType():
                return self._object(given, at)
            case UnionType():
                return self._union(given, at)
            case RefType():
                return self._ref(given.name, at)
            case StructType():
                return lambda value, path, walk: value

    def _list(self, given: ListType, at: str | None) -> Visit:
        item = self._build(given.item, self._keys.below(at, EACH))

        def _visit(value: Json, path: str, walk: _Walk) -> Json:
            if not isinstance(value, list):
                walk.wrong(path, message("must be a list"))
                return value
            found = [item(each, f"{path}[{index}]", walk) for index, each in enumerate(value)]
            _check_distinct(given, found, path, walk)
            return found

        return _visit

    def _map(self, given: MapType, at: str | None) -> Visit:
        inner = self._build(given.value, self._keys.below(at, ENTRIES))
        key_pattern = _MAP_KEYS.get(given.key)

        def _visit(value: Json, path: str, walk: _Walk) -> Json:
            if not isinstance(value, dict):
                walk.wrong(path, message("must be a map"))
                return value
            if key_pattern is not None:
                for key in value:
                    if not key_pattern.fullmatch(key):
                        walk.wrong(
                            path,
                            message(
                                "has the key {key}, which is no {sent_key}",
                                key=repr(key[:40]),
                                sent_key=given.key,
                            ),
                        )
            return {key: inner(each, f'{path}{{"{key}"}}', walk) for key, each in value.items()}

        return _visit

    def _object(self, given: ObjectType, at: str | None) -> Visit:
        fields = {each.key: self._field(each, self._keys.below(at, each.key)) for each in given.fields}
        spellings = {each.name: each.key for each in given.fields if each.name not in fields}
        needed = [] if self._partial else [each for each in given.fields if each.required]
        required = tuple(each.key for each in needed if given.oneof_of(each.name) is None)
        unknown, bag, own = self._unknown or given.unknown, self._bag, self._keys.within(at)
        groups = [[key for name in group.members if (key := _key(given, name))] for group in given.oneofs]
        # Of a oneof one member can be set, so that one is enough where several are required.
        choices = [group for group in groups if any(each.key in group for each in needed)]

        def _visit(value: Json, path: str, walk: _Walk) -> Json:
            if not isinstance(value, dict):
                walk.wrong(path, message("must be an object"))
                return value
            if walk.depth >= MAX_DEPTH:
                walk.wrong(path, message("is nested deeper than {max_depth}", max_depth=MAX_DEPTH))
                return value
            walk.depth += 1
            found: JsonObject = {}
            below = f"{path}." if path else ""
            for sent, each in value.items():
                key = spellings.get(sent, sent)
                known = fields.get(key)
                if key in found or (key != sent and key in value):
                    walk.wrong(below + sent, message("occurs twice"), "E-DUPLICATE")
                elif known is not None:
                    inner = known(each, below + key, walk)
                    if inner is not _ABSENT:
                        found[key] = inner
                elif key == BAG_KEY:
                    if bag:
                        found[key] = each
                    else:
                        walk.wrong(below + key, message("is reserved"), "E-RESERVED")
                elif (strategy := own.get(key, unknown)) is UnknownKeys.PASS:
                    found[key] = each
                elif strategy is UnknownKeys.STRICT:
                    walk.wrong(below + key, message("is not known"), "E-UNKNOWN")
                elif len(walk.dropped) < MAX_VIOLATIONS:
                    walk.dropped.append(below + key)
            _demand(found, (required, choices), below, walk)
            for group in groups:
                if sum(found.get(key) is not None for key in group) > 1:
                    walk.wrong(
                        path, message("may set only one of {group}", group=", ".join(group)), "E-ONEOF"
                    )
            walk.depth -= 1
            return found

        return _visit

    def _field(self, given: Field, at: str | None) -> Visit:
        inner, nullable, required = self._build(given.type, at), given.nullable, given.required
        checks = constraint_checks(given.constraints)
        # The protobuf mapping, known by its wire numbers, reads null as absent.
        absent = given.number is not None

        def _visit(value: Json, path: str, walk: _Walk) -> Json:
            if value is None:
                if not nullable and not absent and not required:
                    walk.wrong(path, message("must not be null"), "E-NULL")
                return _ABSENT if absent and not nullable else None
            for check in checks:
                problem = check(value)
                if problem:
                    walk.wrong(path, problem, "E-CONSTRAINT")
            return inner(value, path, walk)

        return _visit

    def _union(self, given: UnionType, at: str | None) -> Visit:
        branches = [self._build(each, at) for each in given.branches]

        def _visit(value: Json, path: str, walk: _Walk) -> Json:
            best: list[Violation] | None = None
            for branch in branches:
                attempt = _Walk(depth=walk.depth)
                found = branch(value, path, attempt)
                if not attempt.violations:
                    return found
                if best is None or len(attempt.violations) < len(best):
                    best = attempt.violations
            for each in best or []:
                walk.wrong(each.path, each.words, each.code)
            return value

        return _visit


def check_document(
    schema: Schema,
    type_name: str,
    document: Json,
    *,
    unknown: UnknownKeys | None = None,
    partial: bool = False,
) -> CheckedDocument:
    """Check one document against a named type; for many of one type build a `DocumentChecker` once."""
    return DocumentChecker(schema, type_name, unknown=unknown, partial=partial).check(document)


def _checked(check: Check, form: Callable[[Json], Json] | None = None) -> Visit:
    """Visit a single value: check it, and give it its one spelling."""

    def _visit(value: Json, path: str, walk: _Walk) -> Json:
        problem = check(value)
        if problem:
            walk.wrong(path, problem)
            return value
        return form(value) if form else value

    return _visit


def _enum_check(given: EnumType) -> Check:
    names = frozenset(value.name for value in given.values)
    numbers = frozenset(value.number for value in given.values if value.number is not None)
    some = ", ".join(value.name for value in given.values[:10])

    def _check(value: Json) -> WordedMessage | None:
        if isinstance(value, str):
            return None if value in names or given.open else message("must be one of {names}", names=some)
        if isinstance(value, int) and not isinstance(value, bool):
            return (
                None
                if value in numbers or (given.open and numbers)
                else message("must be one of {names}", names=some)
            )
        return message("must be one of {names}", names=some)

    return _check


def _enum_form(given: EnumType) -> Callable[[Json], Json]:
    """Name the symbols that the protobuf mapping also takes as numbers."""
    names = {value.number: value.name for value in reversed(given.values) if value.number is not None}
    return lambda value: names.get(value, value) if isinstance(value, int) else value


def _check_distinct(given: ListType, found: list[Json], path: str, walk: _Walk) -> None:
    if given.kind is ListKind.ORDERED or len(found) < 2:
        return
    if given.kind is ListKind.SET:
        seen = {canonical(each) for each in found}
    else:
        seen = {canonical([each.get(key) for key in given.keys]) for each in found if isinstance(each, dict)}
    if len(seen) < len(found):
        walk.wrong(path, message("must not repeat an element"), "E-CONSTRAINT")


def _demand(
    found: JsonObject, needed: tuple[tuple[str, ...], list[list[str]]], below: str, walk: _Walk
) -> None:
    """Demand each required field, and one of each choice of fields."""
    for key in needed[0]:
        if found.get(key) is None:
            walk.wrong(below + key, message("is required"), "E-REQUIRED")
    for group in needed[1]:
        if all(found.get(key) is None for key in group):
            walk.wrong(
                below + group[0],
                message("is required, or another of {group}", group=", ".join(group)),
                "E-REQUIRED",
            )


def _key(given: ObjectType, name: str) -> str:
    field = given.field(name)
    return field.key if field else ""
