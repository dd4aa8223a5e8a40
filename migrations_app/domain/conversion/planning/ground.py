"""One side of a pair while it is planned: which fields are spoken for, and by what."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.planning.between import ObjectField
from migrations_app.domain.conversion.planning.lineage import Lineages
from migrations_app.domain.conversion.planning.paths import FieldPath, PathSegment
from migrations_app.domain.conversion.steps import Slot, Tree
from migrations_app.domain.schema.canonical import shape_hash
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Field, ListType, MapType, ObjectType, RefType, Type
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message


class EdgeSide(Enum):
    """The old or the new version of an edge."""

    OLD = "old"
    NEW = "new"


class Ground:
    """An object type of one side, its fields, and what the ops took of them."""

    def __init__(self, schema: Schema, named: tuple[str, ObjectType], side: EdgeSide) -> None:
        self.schema, self.side = schema, side
        self.name, self.object = named
        self.taken: set[str] = set()
        self.holes: set[str] = set()
        self.leaves: dict[str, dict[FieldPath, bool]] = {}

    def free(self) -> list[Field]:
        """List the fields that nothing has spoken for."""
        return [each for each in self.object.fields if each.name not in self.taken]

    def has(self, path: FieldPath) -> bool:
        """Tell whether the path leads to a field here."""
        try:
            self._walk(path)
        except Invalid:
            return False
        return True

    def locate(self, path: FieldPath, decl: Decl) -> Field:
        """Find the field at the end of a path.

        Raises: Invalid (`E-PATH`).
        """
        return self._walk(path)[-1][1]

    def owner(self, path: FieldPath) -> tuple[str, Field]:
        """Find the type that a path ends in, by name, and the field."""
        return self._walk(path)[-1]

    def take(self, path: FieldPath, decl: Decl) -> Field:
        """Speak for a field of this object.

        Raises: Invalid (`E-OVERLAP`) when another op has.
        """
        found = self.locate(path, decl)
        if found.name in self.taken:
            raise Invalid(
                message(
                    "Two ops are about {version} {name}.{existing_name}.",
                    version=self.schema.version,
                    name=self.name,
                    existing_name=found.name,
                ),
                code="E-OVERLAP",
                remedy=message("All ops read the old document; say it with one op."),
            )
        self.taken.add(found.name)
        return found

    def leaf(self, path: FieldPath, *, moved: bool) -> None:
        """Note that an op deals with a leaf of an object that the other side has not.

        Raises: Invalid (`E-OVERLAP`).
        """
        head = self.object.field(path.head.name)
        name = head.name if head else path.head.name
        below = self.leaves.setdefault(name, {})
        if path in below:
            raise Invalid(
                message("Two ops are about {name}.{path}.", name=self.name, path=str(path)), code="E-OVERLAP"
            )
        below[path] = moved
        self.taken.add(name)

    def unassessed(self) -> Iterator[str]:
        """List the paths that nothing speaks for, also inside objects that are taken apart."""
        for each in self.free():
            yield each.name
        for name, paths in self.leaves.items():
            yield from self._left(FieldPath((PathSegment(name),)), set(paths))

    def _left(self, path: FieldPath, spoken: set[FieldPath]) -> Iterator[str]:
        below = self.schema.resolve(self._walk(path)[-1][1].type)
        if not isinstance(below, ObjectType):
            yield str(path)
            return
        for each in below.fields:
            inner = FieldPath((*path.segments, PathSegment(each.name)))
            if inner in spoken:
                continue
            if any(other.segments[: len(inner)] == inner.segments for other in spoken):
                yield from self._left(inner, spoken)
            else:
                yield str(inner)

    def tree(self, name: str) -> Tree:
        """Lay the moved leaves of an object out as a tree of JSON keys."""
        root: dict[str, Tree | None] = {}
        for path, moved in self.leaves[name].items():
            if not moved:
                continue
            keys = self.keys(path)[1:]
            at = root
            for key in keys[:-1]:
                below = at.setdefault(key, {})
                if not isinstance(below, dict):
                    break
                at = below
            at[keys[-1]] = None
        return root

    def keys(self, path: FieldPath) -> tuple[str, ...]:
        """Tell the JSON keys along a path."""
        return tuple(field.key for _, field in self._walk(path))

    def held(self, given: Type, path: FieldPath) -> ObjectField:
        """Name a type by the place that holds it."""
        name = ".".join((self.name, *path.names))
        return ObjectField(given, name, f"{self.schema.version} {name}")

    def slot(self, path: FieldPath, lineages: Lineages, *, allow: bool = False) -> Slot:
        """Describe a place for the steps."""
        walked = self._walk(path)
        owner, found = walked[-1]
        lineage = lineages.of(self.schema.version, owner, found)
        if len(walked) > 1:
            lineage = f"{lineages.of(self.schema.version, *walked[0])}.{lineage}"
        return Slot(
            keys=tuple(field.key for _, field in walked),
            lineage=f"{lineage}#{shape_hash(self.schema, found.type)}",
            version=self.schema.version,
            path=str(path),
            sensitive=found.sensitive and not allow,
        )

    def _walk(self, path: FieldPath) -> list[tuple[str, Field]]:
        name, at = self.name, self.object
        found: list[tuple[str, Field]] = []
        for index, segment in enumerate(path.segments):
            here = at.field(segment.name)
            if here is None:
                raise Invalid(
                    message(
                        "{version} {name} has no field {segment_name}.",
                        version=self.schema.version,
                        name=name,
                        segment_name=segment.name,
                    ),
                    code="E-PATH",
                    remedy=message(
                        "It has {fields}.", fields=", ".join(each.name for each in at.fields[:12])
                    ),
                )
            found.append((name, here))
            if index + 1 == len(path.segments):
                break
            name, at = self._below(f"{name}.{here.name}", here.type, segment)
        return found

    def _below(self, name: str, given: Type, segment: PathSegment) -> tuple[str, ObjectType]:
        if isinstance(given, RefType):
            name, given = given.name, self.schema.resolve(given)
        if isinstance(given, ListType) and segment.into == "[]":
            return self._below(name, given.item, PathSegment(segment.name))
        if isinstance(given, MapType) and segment.into == "{}":
            return self._below(name, given.value, PathSegment(segment.name))
        if not isinstance(given, ObjectType) or segment.into:
            raise Invalid(
                message(
                    "{version} {name} is no object; {segment} cannot lead on.",
                    version=self.schema.version,
                    name=name,
                    segment=str(segment),
                ),
                code="E-PATH",
                remedy=message("Write a[] to go into a list and a{form} to go into a map.", form="{}"),
            )
        return name, given
