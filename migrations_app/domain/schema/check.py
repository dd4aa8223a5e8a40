"""Checks of a schema as a whole: everything it names exists, and every document can be written."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.findings import DefinitionFinding, Severity
from migrations_app.domain.schema.ir import Method, ResourceDefinition, Schema
from migrations_app.domain.schema.methods import VERB
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
    Type,
    UnionType,
)
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.messages import NOTHING, WordedMessage, verbatim
from migrations_app.kernel.messages import message as worded

BAG_KEY = "$sy"

_MAP_KEYS = frozenset(
    {
        ScalarKind.STRING,
        ScalarKind.BOOL,
        ScalarKind.I32,
        ScalarKind.I64,
        ScalarKind.U32,
        ScalarKind.U64,
    }
)
_MAX_DEPTH = 64


def check_schema(schema: Schema) -> tuple[DefinitionFinding, ...]:
    """Find what is wrong in a schema; empty when nothing is."""
    return tuple(_Check(schema).findings())


class _Check:
    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._file = ", ".join(source.ref for source in schema.sources if source.ref)

    def findings(self) -> Iterator[DefinitionFinding]:
        """Walk types, then resource types, then methods."""
        sound = True
        for name, each in self._schema.types.items():
            for found in self._type(each, name, 0):
                sound = sound and found.code not in ("E-REF", "E-LIMIT")
                yield found
        for name in self._endless():
            sound = False
            yield self._wrong("E-ENDLESS", name, worded("can only hold itself; no document of it ends."))
        if sound:
            for name, resource in self._schema.resources.items():
                yield from self._resource(name, resource)
        for name, method in self._schema.methods.items():
            for message in filter(None, (method.request, method.response)):
                if message not in self._schema.types:
                    yield self._wrong(
                        "E-REF", f"methods.{name}", worded("names the unknown type {name}.", name=message)
                    )
            if sound:
                yield from self._method(f"methods.{name}", method)

    def _method(self, path: str, method: Method) -> Iterator[DefinitionFinding]:
        """Check the address of a custom method."""
        if method.resource and method.resource not in self._schema.resources:
            yield self._wrong(
                "E-REF",
                path,
                worded("acts on the unknown resource type {resource}.", resource=method.resource),
            )
        if method.verb and VERB.fullmatch(method.verb) is None:
            yield self._wrong(
                "E-METHOD", path, worded("has the verb {verb}, which is no name.", verb=repr(method.verb))
            )
        if method.http_method not in ("", "GET", "POST", "PUT", "PATCH", "DELETE"):
            yield self._wrong(
                "E-METHOD",
                path,
                worded(
                    "is called by {http_method}, which is no HTTP method.",
                    http_method=repr(method.http_method),
                ),
            )
        request = self._schema.types.get(method.request)
        if method.name_field and isinstance(request, ObjectType) and request.field(method.name_field) is None:
            yield self._wrong(
                "E-METHOD",
                path,
                worded(
                    "has no field {name_field} for the name in its address.", name_field=method.name_field
                ),
            )

    def _wrong(
        self,
        code: str,
        path: str,
        problem: WordedMessage,
        remedy: WordedMessage = NOTHING,
        severity: Severity = Severity.ERROR,
    ) -> DefinitionFinding:
        version = f"{self._schema.service} {self._schema.version}"
        words = verbatim(f"{version}: {path}") + problem
        return DefinitionFinding(code, words, self._file, 0, path, remedy, severity)

    def _type(self, given: Type, path: str, depth: int) -> Iterator[DefinitionFinding]:
        if depth > _MAX_DEPTH:
            yield self._wrong(
                "E-LIMIT", path, worded("is nested deeper than {max_depth}.", max_depth=_MAX_DEPTH)
            )
            return
        match given:
            case RefType() if given.name not in self._schema.types:
                yield self._wrong(
                    "E-REF",
                    path,
                    worded("names the unknown type {name}.", name=given.name),
                    worded("Write the type, or correct the name."),
                )
            case ObjectType():
                yield from self._object(given, path, depth)
            case ListType():
                yield from self._type(given.item, f"{path}[]", depth + 1)
                yield from self._keys(given, path)
            case MapType():
                if given.key not in _MAP_KEYS:
                    yield self._wrong("E-MAPKEY", path, worded("cannot have {key} keys.", key=given.key))
                yield from self._type(given.value, f"{path}{{}}", depth + 1)
            case UnionType():
                if not given.branches:
                    yield self._wrong("E-UNION", path, worded("has no branch."))
                for index, branch in enumerate(given.branches):
                    yield from self._type(branch, f"{path}|{index}", depth + 1)
            case EnumType():
                yield from self._enum(given, path)
            case ReferenceType() if not given.resource:
                yield self._wrong(
                    "E-REF", path, worded("refers to no resource type."), severity=Severity.WARNING
                )

    def _object(self, given: ObjectType, path: str, depth: int) -> Iterator[DefinitionFinding]:
        names: set[str] = set()
        keys: set[str] = set()
        for field in given.fields:
            where = f"{path}.{field.name}"
            if field.name in names or field.key in keys:
                yield self._wrong("E-DUPLICATE", where, worded("has the name or JSON name of another field."))
            if BAG_KEY in (field.name, field.key):
                yield self._wrong(
                    "E-RESERVED",
                    where,
                    worded("uses the reserved key {bag_key}.", bag_key=BAG_KEY),
                    worded("Rename the field."),
                )
            names.add(field.name)
            keys.add(field.key)
            yield from self._field(field, where, depth)
        grouped: set[str] = set()
        for oneof in given.oneofs:
            for member in oneof.members:
                if member not in names or member in grouped:
                    yield self._wrong(
                        "E-ONEOF",
                        f"{path}.{oneof.name}",
                        worded("has the unknown or shared member {member}.", member=member),
                    )
                grouped.add(member)

    def _field(self, field: Field, path: str, depth: int) -> Iterator[DefinitionFinding]:
        if not field.name:
            yield self._wrong("E-NAME", path, worded("has no name."))
        low, high = field.constraints.get("min"), field.constraints.get("max")
        if isinstance(low, int | float) and isinstance(high, int | float) and low > high:
            yield self._wrong(
                "E-CONSTRAINT",
                path,
                worded("has a minimum of {low} above its maximum of {high}.", low=str(low), high=str(high)),
            )
        yield from self._type(field.type, path, depth + 1)

    def _keys(self, given: ListType, path: str) -> Iterator[DefinitionFinding]:
        if given.kind is not ListKind.KEYED:
            return
        item = given.item
        if isinstance(item, RefType) and item.name in self._schema.types:
            item = self._schema.types[item.name]
        known = {field.name for field in item.fields} if isinstance(item, ObjectType) else set()
        for key in given.keys or ("",):
            if key not in known:
                yield self._wrong(
                    "E-KEYS",
                    path,
                    worded("is keyed by {key}, which its elements do not have.", key=key or "nothing"),
                )

    def _enum(self, given: EnumType, path: str) -> Iterator[DefinitionFinding]:
        names = [value.name for value in given.values]
        if not names and not given.open:
            yield self._wrong("E-ENUM", path, worded("has no value."))
        if len(set(names)) != len(names):
            yield self._wrong("E-ENUM", path, worded("names a value twice."))
        if given.zero and given.zero not in names:
            yield self._wrong("E-ENUM", path, worded("has the unknown zero value {zero}.", zero=given.zero))

    def _resource(self, name: str, resource: ResourceDefinition) -> Iterator[DefinitionFinding]:
        path = f"resources.{name}"
        try:
            message = self._schema.object(resource.message)
        except Missing:
            yield self._wrong(
                "E-RESOURCE",
                path,
                worded("has the message {message}, which is no object type.", message=resource.message),
            )
            return
        name_field = message.field(resource.name_field)
        if name_field is None:
            yield self._wrong(
                "E-RESOURCE",
                path,
                worded("has no field {name_field} for its name.", name_field=resource.name_field),
            )
        elif not isinstance(self._schema.resolve(name_field.type), ScalarType | ReferenceType):
            yield self._wrong(
                "E-RESOURCE",
                path,
                worded("has a name field {name_field} that is not text.", name_field=resource.name_field),
            )
        if not resource.patterns:
            yield self._wrong("E-RESOURCE", path, worded("has no name pattern."), severity=Severity.WARNING)
        yield from self._patterns(resource, path)

    def _patterns(self, resource: ResourceDefinition, path: str) -> Iterator[DefinitionFinding]:
        patterns: list[Pattern] = []
        for text in resource.patterns:
            try:
                pattern = Pattern.parse(text, resource.id_patterns)
            except Invalid as error:
                yield self._wrong(
                    "E-PATTERN",
                    path,
                    worded("has a bad name pattern:") + error.words,
                    error.remedy_words,
                )
                continue
            for other in patterns:
                if pattern.may_overlap(other):
                    yield self._wrong(
                        "E-PATTERN",
                        path,
                        worded(
                            "has patterns that share names: {text} and {text_2}.",
                            text=other.text,
                            text_2=text,
                        ),
                    )
            patterns.append(pattern)

    def _endless(self) -> list[str]:
        """Find the named types of which no finite document exists."""
        finite: set[str] = set()
        types = self._schema.types
        grown = True
        while grown:
            grown = False
            for name, each in types.items():
                if name not in finite and self._ends(each, finite):
                    finite.add(name)
                    grown = True
        return [name for name in types if name not in finite]

    def _ends(self, given: Type, finite: set[str]) -> bool:
        match given:
            case RefType():
                return given.name in finite or given.name not in self._schema.types
            case ObjectType():
                return all(not field.required or self._ends(field.type, finite) for field in given.fields)
            case UnionType():
                return not given.branches or any(self._ends(each, finite) for each in given.branches)
            case _:
                return True
