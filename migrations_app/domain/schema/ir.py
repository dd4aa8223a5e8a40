"""The schema IR: the types, resource types and methods of one service in one version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from migrations_app.domain.schema.types import (
    Behavior,
    Default,
    DefaultKind,
    Deprecation,
    EnumType,
    EnumValue,
    Field,
    FieldMaskType,
    FilterType,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    Oneof,
    Presence,
    ReferenceType,
    RefType,
    Reserved,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
    Unit,
    UnknownKeys,
)
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message

__all__ = [
    "Behavior",
    "CrossReference",
    "Default",
    "DefaultKind",
    "Deprecation",
    "EnumType",
    "EnumValue",
    "Field",
    "FieldMaskType",
    "FilterType",
    "ListKind",
    "ListType",
    "LoaderLoss",
    "MapType",
    "Method",
    "ObjectType",
    "Oneof",
    "Presence",
    "RefType",
    "ReferenceType",
    "Reserved",
    "ResourceDefinition",
    "ScalarKind",
    "ScalarType",
    "Schema",
    "ScopeAttribute",
    "Source",
    "Streaming",
    "StructType",
    "Type",
    "UnionType",
    "Unit",
    "UnknownKeys",
    "VersionStage",
    "VersioningHint",
]


class VersionStage(StrEnum):
    """How far a version's promise goes; a preview may hang beside the chain."""

    ALPHA = "alpha"
    BETA = "beta"
    STABLE = "stable"
    PREVIEW = "preview"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a part of a schema was read from."""

    kind: str
    ref: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class LoaderLoss:
    """What a source could not tell: a path in the schema and the kind of knowledge that is missing there."""

    path: str
    what: str


@dataclass(frozen=True, slots=True)
class ScopeAttribute:
    """A segment such as a region that places a resource beside its parents."""

    name: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A field, by type and path, that can hold the name of a resource type."""

    type: str
    path: str


@dataclass(frozen=True, slots=True)
class ResourceDefinition:
    """A resource type: its names, where it hangs and the object type of its documents.

    `options` keeps what the source says beyond the IR, as it says it.
    """

    type: str
    message: str
    patterns: tuple[str, ...] = ()
    singular: str = ""
    plural: str = ""
    id_patterns: Mapping[str, str] = field(default_factory=dict)
    parents: tuple[str, ...] = ()
    scope_attributes: tuple[ScopeAttribute, ...] = ()
    name_field: str = "name"
    cross_references: tuple[CrossReference, ...] = ()
    options: Mapping[str, Json] = field(default_factory=dict)


class Streaming(StrEnum):
    """Which side of a method sends several messages."""

    NONE = "none"
    SERVER = "server"
    CLIENT = "client"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Method:
    """An API method: the types of its messages, its address, and what it does.

    `verb` stands behind a colon at the end of the address of a `resource`, or of a collection of them; a method
    without one has no address of its own. `name_field` is the field of the request that the name in the address
    fills, and `path` that address as the source writes it, with `*` for ids, until its resource type is known.
    `body` is the field of the request that the body of an HTTP request is, or `*` for the whole request.
    """

    name: str
    request: str = ""
    response: str = ""
    kind: str = "custom"
    options: Mapping[str, Json] = field(default_factory=dict)
    verb: str = ""
    resource: str = ""
    is_collection: bool = False
    name_field: str = ""
    http_method: str = ""
    reads: bool = False
    streaming: Streaming = Streaming.NONE
    path: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class VersioningHint:
    """What an old version's source says of the next one: the replacement, and what is not to be generated.

    Without a replacement a resource type keeps its name; `discontinued` says that it has none.
    """

    replacement: str = ""
    discontinued: bool = False
    skip_basic_actions: tuple[str, ...] = ()
    skip_access: bool = False
    skip_changes: bool = False


@dataclass(frozen=True, slots=True)
class Schema:
    """One service in one version; `ordinal` orders the versions, names never do."""

    service: str
    version: str
    ordinal: int = 0
    stage: VersionStage = VersionStage.STABLE
    next_version: str = ""
    types: Mapping[str, Type] = field(default_factory=dict)
    resources: Mapping[str, ResourceDefinition] = field(default_factory=dict)
    methods: Mapping[str, Method] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    hints: Mapping[str, VersioningHint] = field(default_factory=dict)
    sources: tuple[Source, ...] = ()
    losses: tuple[LoaderLoss, ...] = ()

    @property
    def is_protobuf(self) -> bool:
        """Whether the version is defined by protobuf files, whose JSON mapping and HTTP rules then count."""
        return any(source.kind == "protobuf" for source in self.sources)

    def type(self, name: str) -> Type:
        """Find a named type.

        Raises: Missing (`schema-type`).
        """
        try:
            return self.types[name]
        except KeyError:
            raise Missing(
                message(
                    "{service} {version} has no type {name}.",
                    service=self.service,
                    version=self.version,
                    name=name,
                ),
                code="schema-type",
                type=name,
            ) from None

    def resolve(self, given: Type) -> Type:
        """Follow named types until one that says what it is."""
        seen: set[str] = set()
        while isinstance(given, RefType):
            if given.name in seen:
                raise Missing(
                    message("Type {name} only refers to itself.", name=given.name),
                    code="schema-type",
                    type=given.name,
                )
            seen.add(given.name)
            given = self.type(given.name)
        return given

    def object(self, name: str) -> ObjectType:
        """Find a named type that must be an object.

        Raises: Missing (`schema-type`).
        """
        found = self.resolve(self.type(name))
        if not isinstance(found, ObjectType):
            raise Missing(message("Type {name} is not an object.", name=name), code="schema-type", type=name)
        return found

    def resource(self, resource_type: str) -> ResourceDefinition:
        """Find a resource type by its type (`Secret`), or by its full type (`secrets.example.com/Secret`).

        Raises: Missing (`schema-resource`).
        """
        short = resource_type.removeprefix(f"{self.service}/")
        try:
            return self.resources[short]
        except KeyError:
            raise Missing(
                message(
                    "{service} {version} has no resource type {resource_type}.",
                    service=self.service,
                    version=self.version,
                    resource_type=resource_type,
                ),
                code="schema-resource",
                remedy=message(
                    "It has {resources}.", resources=", ".join(sorted(self.resources)[:12]) or "none"
                ),
                resource_type=resource_type,
            ) from None

    def document_type(self, resource_type: str) -> ObjectType:
        """Find the object type of a resource type's documents."""
        return self.object(self.resource(resource_type).message)

    def objects(self) -> Iterator[tuple[str, ObjectType]]:
        """Walk the named object types in the order of the source."""
        for name, each in self.types.items():
            if isinstance(each, ObjectType):
                yield name, each
