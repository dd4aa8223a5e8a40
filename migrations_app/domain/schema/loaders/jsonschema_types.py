"""JSON Schema turned into types of the IR: drafts 4 to 2020-12, and the dialects of OpenAPI and Kubernetes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import LoaderLoss
from migrations_app.domain.schema.loaders.jsonschema_fields import constraints_of, field_of
from migrations_app.domain.schema.loaders.jsonschema_refs import SchemaReferences, merged_all_of
from migrations_app.domain.schema.types import (
    EnumType,
    EnumValue,
    Field,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
    UnknownKeys,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message, verbatim

MAX_DEPTH = 64
MAX_SCHEMAS = 40_000

_NOT_TOLD = [
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contentSchema",
    "$dynamicRef",
    "$recursiveRef",
]
_STRINGS: Mapping[str, ScalarKind] = {
    "date-time": ScalarKind.TIMESTAMP,
    "date": ScalarKind.DATE,
    "byte": ScalarKind.BYTES,
    "base64": ScalarKind.BYTES,
}
_INTEGERS: Mapping[str, ScalarKind] = {
    "int32": ScalarKind.I32,
    "uint32": ScalarKind.U32,
    "uint64": ScalarKind.U64,
}


class Dialect(StrEnum):
    """Whose reading of JSON Schema is meant."""

    JSON_SCHEMA = "jsonschema"
    OPENAPI = "openapi"
    KUBERNETES = "crd"


@dataclass(frozen=True, slots=True)
class Read:
    """A type, and whether null is among its values."""

    type: Type
    nullable: bool = False


class JsonSchemaReader:
    """Reads the schemas of one document; remembers named types, losses and findings."""

    def __init__(self, root: Json, lineage: str, file: str, dialect: Dialect, unknown: UnknownKeys) -> None:
        self.references = SchemaReferences(root, file)
        self.losses: dict[LoaderLoss, None] = {}
        self.findings: list[DefinitionFinding] = []
        self._count = 0
        self._lineage, self._dialect, self._unknown, self._file = lineage, dialect, unknown, file

    def named(self, first: Mapping[str, Json]) -> dict[str, Type]:
        """Read schemas by name, and whatever they refer to."""
        types: dict[str, Type] = {}
        for name, schema in first.items():
            types[name] = self.read(schema, name).type
        pending = True
        while pending:
            pending = False
            for name, schema in self.references.reached():
                if name not in types:
                    types[name] = self.read(schema, name).type
                    pending = True
        return types

    def clash(self, plain: str, name: str) -> None:
        """Note that a schema's name cannot be told from another's."""
        self._wrong("E-CLASH", plain, message("is also what the name {name} becomes.", name=repr(name)))

    def read(self, schema: Json, path: str, depth: int = 0) -> Read:
        """Read one schema; `path` names it in reports and lineage."""
        self._count += 1
        if self._count > MAX_SCHEMAS:
            raise Invalid(
                message("Reading takes more than {max_schemas} schemas.", max_schemas=MAX_SCHEMAS),
                code="E-LIMIT",
                file=self._file,
            )
        if depth > MAX_DEPTH:
            self._wrong("E-LIMIT", path, message("is nested deeper than {max_depth}.", max_depth=MAX_DEPTH))
            return Read(StructType())
        if not isinstance(schema, dict):
            if schema is not True:
                self._lose(path, "schema-false")
            return Read(StructType())
        for key in _NOT_TOLD:
            if key in schema:
                self._lose(path, key)
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._reference(reference, path)
        if "allOf" in schema:
            return self._all_of(schema, path, depth)
        for key in ("oneOf", "anyOf"):
            if isinstance(schema.get(key), list) and not schema.get("x-kubernetes-int-or-string"):
                return self._union(schema, key, path, depth)
        return self._plain(schema, path, depth)

    def _plain(self, schema: JsonObject, path: str, depth: int) -> Read:
        if schema.get("x-kubernetes-int-or-string"):
            return Read(_int_or_string(schema), schema.get("nullable") is True)
        kinds = _kinds(schema)
        nullable = "null" in kinds or schema.get("nullable") is True
        kinds = [kind for kind in kinds if kind != "null"]
        if "enum" in schema or "x-extensible-enum" in schema:
            return self._enum(schema, path, nullable)
        if len(kinds) > 1:
            branches = [self._kind(kind, schema, path, depth) for kind in kinds]
            return Read(UnionType(tuple(branches)), nullable)
        return Read(self._kind(kinds[0] if kinds else "", schema, path, depth), nullable)

    def _kind(self, kind: str, schema: JsonObject, path: str, depth: int) -> Type:
        stated = str(schema.get("format") or "")
        match kind:
            case "object":
                return self._object(schema, path, depth)
            case "array":
                return self._list(schema, path, depth)
            case "string":
                known = _STRINGS.get(stated)
                return ScalarType(known) if known else ScalarType(ScalarKind.STRING, stated)
            case "integer":
                return ScalarType(_INTEGERS.get(stated, ScalarKind.I64))
            case "number":
                return ScalarType(ScalarKind.F32 if stated == "float" else ScalarKind.F64)
            case "boolean":
                return ScalarType(ScalarKind.BOOL)
            case "":
                return StructType()
        self._wrong("E-TYPE", path, message("has the unknown type {kind}.", kind=repr(kind)))
        return StructType()

    def _object(self, schema: JsonObject, path: str, depth: int) -> Type:
        properties, more = schema.get("properties"), schema.get("additionalProperties")
        patterns = schema.get("patternProperties")
        if schema.get("x-kubernetes-embedded-resource"):
            return StructType()
        if not isinstance(properties, dict) or not properties:
            return self._map(schema, more, patterns, path, depth)
        if isinstance(more, dict) or isinstance(patterns, dict):
            self._lose(path, "additionalProperties beside properties")
        return ObjectType(
            tuple(self._fields(schema, properties, path, depth)),
            unknown=self._unknown_keys(schema, more),
            description=str(schema.get("description") or ""),
        )

    def _map(self, schema: JsonObject, more: Json, patterns: Json, path: str, depth: int) -> Type:
        """Read an object without properties: a map when its values are described, else opaque or empty."""
        if isinstance(patterns, dict) and len(patterns) == 1 and not isinstance(more, dict):
            more = next(iter(patterns.values()))
            self._lose(path, "patternProperties")
        if isinstance(more, dict) and more:
            return MapType(self.read(more, f"{path}{{}}", depth + 1).type)
        if more is False:
            return ObjectType((), unknown=UnknownKeys.STRICT)
        return StructType()

    def _unknown_keys(self, schema: JsonObject, more: Json) -> UnknownKeys:
        if schema.get("x-kubernetes-preserve-unknown-fields") is True or more is True:
            return UnknownKeys.PASS
        return UnknownKeys.STRICT if more is False else self._unknown

    def _fields(
        self, schema: JsonObject, properties: Mapping[str, Json], path: str, depth: int
    ) -> Iterator[Field]:
        listed = schema.get("required")
        required = {str(each) for each in listed} if isinstance(listed, list) else set()
        for name in sorted(required - set(properties)):
            self._lose(f"{path}.{name}", "required without a property")
        for name, given in properties.items():
            read = self.read(given, f"{path}.{name}", depth + 1)
            said = self._said(given)
            always = self._dialect is Dialect.OPENAPI and name in required
            field = field_of(name, read.type, said, self.lineage_id(path, name))
            yield field(required=name in required, always=always, nullable=read.nullable)

    def _said(self, given: Json, *, whole: bool = False) -> JsonObject:
        """Collect what a property says of its field; of a named value, or on the whole, also what the name says."""
        said = given if isinstance(given, dict) else {}
        reference = said.get("$ref")
        name = self.references.name(reference) if isinstance(reference, str) else None
        target = self.references.target(name) if name else None
        if isinstance(target, dict) and (whole or _kinds(target) not in (["object"], [])):
            return {**target, **said}
        return said

    def lineage_id(self, path: str, name: str) -> str:
        """Make the lineage id of a field from where it is met first."""
        return f"{self._lineage}.{path}/{name}"

    def _list(self, schema: JsonObject, path: str, depth: int) -> Type:
        items = schema.get("items")
        if isinstance(items, list) or "prefixItems" in schema:
            self._lose(path, "tuple")
            return ListType(StructType())
        item = self.read(items if items is not None else True, f"{path}[]", depth + 1).type
        if isinstance(items, dict) and constraints_of(items) and not isinstance(item, ObjectType):
            self._lose(f"{path}[]", "constraints of elements")
        keys = schema.get("x-kubernetes-list-map-keys")
        if schema.get("x-kubernetes-list-type") == "map" and isinstance(keys, list):
            if self._has_properties(items, keys):
                return ListType(item, ListKind.KEYED, tuple(str(each) for each in keys))
            self._lose(path, "list-map-keys that elements do not have")
        is_set = schema.get("x-kubernetes-list-type") == "set" or schema.get("uniqueItems") is True
        return ListType(item, ListKind.SET if is_set else ListKind.ORDERED)

    def _has_properties(self, schema: Json, names: list[Json]) -> bool:
        said = self._said(schema, whole=True)
        properties = said.get("properties")
        return isinstance(properties, dict) and all(str(name) in properties for name in names)

    def _enum(self, schema: JsonObject, path: str, nullable: bool) -> Read:
        extensible = schema.get("x-extensible-enum")
        listed = schema.get("enum") if "enum" in schema else extensible
        values = listed if isinstance(listed, list) else []
        names = [each for each in values if isinstance(each, str)]
        nullable = nullable or None in values
        if len(names) != len([each for each in values if each is not None]) or not names:
            self._lose(path, "enum of other than text")
            without = {key: each for key, each in schema.items() if key not in ("enum", "x-extensible-enum")}
            return Read(self._plain(without, path, 0).type, nullable)
        symbols = tuple(EnumValue(each) for each in dict.fromkeys(names))
        return Read(EnumType(symbols, open="enum" not in schema), nullable)

    def _reference(self, reference: str, path: str) -> Read:
        name = self.references.name(reference)
        if name is None:
            remedy = message(
                "Put the file of this path or $id into the folder that the source names; nothing is fetched."
            )
            self._wrong(
                "E-REF",
                path,
                message("refers to {reference}, which is not in the document.", reference=reference),
                remedy,
            )
            return Read(StructType())
        return Read(RefType(name), self._null_allowed(self.references.target(name)))

    def _null_allowed(self, schema: Json) -> bool:
        return isinstance(schema, dict) and (schema.get("nullable") is True or "null" in _kinds(schema))

    def _all_of(self, schema: JsonObject, path: str, depth: int) -> Read:
        parts = schema["allOf"]
        beside = {key: each for key, each in schema.items() if key != "allOf"}
        if not isinstance(parts, list):
            return self.read(beside, path, depth + 1)
        shaping = {"type", "properties", "items", "enum", "oneOf", "anyOf", "required"}
        if len(parts) == 1 and not shaping & (set(beside) - {"type"}):
            read = self.read(parts[0], path, depth + 1)
            return Read(read.type, read.nullable or beside.get("nullable") is True)
        whole, lost = merged_all_of([*parts, beside], self.references)
        for each in lost:
            self._lose(path, each)
        return self.read(whole, path, depth + 1)

    def _union(self, schema: JsonObject, key: str, path: str, depth: int) -> Read:
        parts = schema[key]
        branches = [each for each in parts if isinstance(each, dict)] if isinstance(parts, list) else []
        nullable = schema.get("nullable") is True or any(_kinds(each) == ["null"] for each in branches)
        told = [each for each in branches if _kinds(each) != ["null"]]
        if told and all(set(each) <= {"required", "not", "description", "title"} for each in told):
            self._lose(path, f"{key} of required keys")
            return self._plain({name: each for name, each in schema.items() if name != key}, path, depth)
        if "properties" in schema:
            self._lose(path, f"{key} beside properties")
            return self._plain({name: each for name, each in schema.items() if name != key}, path, depth)
        read = [self.read(each, f"{path}|{index}", depth + 1) for index, each in enumerate(told)]
        nullable = nullable or any(each.nullable for each in read)
        if len(read) == 1:
            return Read(read[0].type, nullable)
        discriminator = schema.get("discriminator")
        tag = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
        different: list[Type] = []
        for each in read:
            if each.type not in different:
                different.append(each.type)
        if len(different) == 1:
            return Read(different[0], nullable)
        return Read(UnionType(tuple(different), str(tag or "")), nullable)

    def _lose(self, path: str, what: str) -> None:
        self.losses[LoaderLoss(path, what)] = None

    def _wrong(self, code: str, path: str, problem: WordedMessage, remedy: WordedMessage = NOTHING) -> None:
        self.findings.append(DefinitionFinding(code, verbatim(path) + problem, self._file, 0, path, remedy))


def _kinds(schema: Mapping[str, Json]) -> list[str]:
    """List the JSON types a schema admits, guessed from its other keys when it does not say."""
    said = schema.get("type")
    if isinstance(said, str):
        return [said]
    if isinstance(said, list):
        return [str(each) for each in said]
    if any(key in schema for key in ("properties", "additionalProperties", "patternProperties")):
        return ["object"]
    return ["array"] if "items" in schema else []


def _int_or_string(schema: JsonObject) -> Type:
    if str(schema.get("pattern") or "").startswith("^(\\+|-)?(([0-9]+"):
        return ScalarType(ScalarKind.QUANTITY)
    return UnionType((ScalarType(ScalarKind.I64), ScalarType(ScalarKind.STRING)))
