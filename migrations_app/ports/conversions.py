"""What the engine asks of a conversion, and where it finds the one for an upgrade."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from migrations_app.kernel.json import JsonObject
from migrations_app.ports.stored import Layout, Reference, ReferencePath
from migrations_app.ports.upgrades import Direction, UpgradeRecord


class Converted(Protocol):
    """One resource in the other version: its type and name there, and its storage document with its bag."""

    @property
    def type(self) -> str:
        """The type in the other version."""
        ...

    @property
    def name(self) -> str:
        """The name in the other version."""
        ...

    @property
    def body(self) -> JsonObject:
        """The storage document of the other version."""
        ...

    @property
    def references(self) -> tuple[Reference, ...] | None:
        """What the document refers to; None when the conversion does not know."""
        ...


Convert: TypeAlias = Callable[[str, JsonObject], Converted]
"""Gives of a resource's name and document what they are in the other version; raises what `Converter.forward` does."""


ConvertText: TypeAlias = Callable[[str, bytes], tuple[str, bytes]]
"""The same of a document as JSON text, parts that do not change left as they are; what it makes refers to nothing."""


class SqlConversion(Protocol):
    """A conversion written as two SQL expressions over the columns `name` and `body`."""

    @property
    def name_expression(self) -> str:
        """The name in the other version; text."""
        ...

    @property
    def body_expression(self) -> str:
        """The storage document of the other version; jsonb."""
        ...

    @property
    def unsure_expression(self) -> str:
        """Where this holds, the other two expressions are void, and only `Converter.forward` converts; boolean."""
        ...

    @property
    def references(self) -> tuple[ReferencePath, ...] | None:
        """Where the documents of the other version may refer to something; None when the database cannot tell."""
        ...


class SqlPart(Protocol):
    """One way of a type that splits, for the database to go: whose resources go it, to which type, and how."""

    @property
    def target_type(self) -> str:
        """The type in the other version."""
        ...

    @property
    def condition_expression(self) -> str:
        """Which resources go this way; boolean, never unknown. No resource goes two ways."""
        ...

    @property
    def plan(self) -> SqlConversion:
        """How they are converted; it is never unsure."""
        ...


class Converter(Protocol):
    """Carries the stored resources of one type to another version."""

    @property
    def target_types(self) -> tuple[str, ...]:
        """The types that they have there: several where each document decides."""
        ...

    @property
    def target_type(self) -> str | None:
        """The type in the other version, or None where documents decide."""
        ...

    @property
    def identity(self) -> bool:
        """True when nothing changes."""
        ...

    @property
    def sql(self) -> SqlConversion | None:
        """The same conversion for the database to do, byte for byte; it may be unsure about some resources."""
        ...

    @property
    def text(self) -> ConvertText | None:
        """The same over JSON text, for documents that refer to nothing there; None where only values can be converted."""
        ...

    @property
    def parts(self) -> tuple[SqlPart, ...]:
        """The ways of a type that splits, if the database can go all of them; else nothing.

        A resource that meets no condition converts to nothing.
        """
        ...

    @property
    def referring(self) -> frozenset[str]:
        """The types of the other version whose documents may refer to something."""
        ...

    @property
    def refers(self) -> bool:
        """Whether documents of this type may refer to something as they are stored before."""
        ...

    @property
    def reference_paths(self) -> tuple[ReferencePath, ...] | None:
        """Where documents of this type may refer to something as they are stored before; None where no paths say it.

        What a reference is at a path may depend on the name there: of the target's type they say nothing.
        """
        ...

    def references(self, body: JsonObject) -> tuple[Reference, ...]:
        """Tell what a document refers to before it is converted."""
        ...

    def forward(self, name: str, body: JsonObject) -> Converted:
        """Convert one stored resource.

        Raises: Refused when this document cannot be converted.
        """
        ...

    def place(self, name: str) -> tuple[str, str] | None:
        """The type and name in the other version from the name alone, or None when the body decides."""
        ...


class Conversions(Protocol):
    """The compiled conversions of the upgrades under way."""

    def converters(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Converter]:
        """Find the converter of every resource type of the side that is followed, by type."""
        ...

    def layouts(self, record: UpgradeRecord, direction: Direction) -> Sequence[Layout]:
        """Tell how the side that is followed in this direction keeps its types."""
        ...
