"""What a namespace stores: the types of its version, and those of others that have no counterpart in it.

A type that a version does not have is kept as its last version stored it, under a name of its own (`Relic@v1`). So no
resource is left behind by an upgrade, nor by going back: what is kept is copied, compared and served like all else,
and is the resource type again in a namespace of a version that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.graph import Hop, way
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.typed import TypedConverter
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.renaming import renamed_type
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.messages import message

_MARK = "@"
Plans = Callable[[Hop, str], list[ResourcePlan]]
Check = Callable[[Hop], None]


@dataclass(frozen=True, slots=True)
class KeptType:
    """A resource type stored as its last version had it."""

    type: str
    version: str

    @property
    def stored(self) -> str:
        """The name it is stored under."""
        return f"{self.type}{_MARK}{self.version}"


def kept_type(stored: str) -> KeptType | None:
    """Read the name of a stored type; None when it is one of the namespace's own version."""
    type_, mark, version = stored.partition(_MARK)
    return KeptType(type_, version) if mark else None


def _marked(version: str, name: str) -> str:
    return f"{name}{_MARK}{version}"


class StoredTypes:
    """The stored types of a service's versions, and the ways of their resources between them."""

    def __init__(
        self,
        schemas: Mapping[str, Schema],
        edges: Mapping[tuple[str, str], object],
        plans: Plans,
        check: Check,
    ) -> None:
        self._schemas, self._edges, self._plans, self._check = schemas, edges, plans, check
        self._routes: dict[tuple[str, str, str], tuple[TypeConverter, ...]] = {}
        self._kept: dict[str, tuple[KeptType, ...]] = {}
        self._stored: dict[str, Schema] = {}
        self._typed: dict[tuple[str, str], TypedConverter] = {}

    def of(self, version: str) -> tuple[str, ...]:
        """List what a namespace of a version stores: its own types, then those it keeps."""
        return (*self._schemas[version].resources, *(each.stored for each in self.kept(version)))

    def kept(self, version: str) -> tuple[KeptType, ...]:
        """List the types that a version has no counterpart of.

        What goes on over the first edge on its way is a type of the next version, and counted there.
        """
        if version not in self._kept:
            found: list[KeptType] = []
            for other, schema in self._schemas.items():
                try:
                    hops = way(self._edges, other, version)
                except Missing:
                    continue  # no edges lead there: an upgrade cannot either
                found += [
                    KeptType(each, other)
                    for each in schema.resources
                    if hops and not self._plans(hops[0], each)
                ]
            self._kept[version] = tuple(sorted(found, key=lambda each: each.stored))
        return self._kept[version]

    def schema(self, version: str) -> Schema:
        """Give the schema of what is stored: that of the version, with the types that are kept."""
        if version not in self._stored:
            own = self._schemas[version]
            resources, types = dict(own.resources), dict(own.types)
            for each in self.kept(version):
                last = self._schemas[each.version]
                types |= {
                    f"{name}{_MARK}{each.version}": renamed_type(given, partial(_marked, each.version))
                    for name, given in last.types.items()
                }
                resource = last.resources[each.type]
                resources[each.stored] = replace(
                    resource,
                    type=f"{own.service}/{each.stored}",
                    message=f"{resource.message}{_MARK}{each.version}",
                )
            self._stored[version] = replace(own, resources=resources, types=types)
        return self._stored[version]

    def routes(self, stored: str, source: str, target: str) -> tuple[TypeConverter, ...]:
        """Find every way of a stored type to what another version stores: several where it splits.

        Raises: Missing (`version`, `schema-resource`, `conversion-way`), Conflict (`direction`).
        """
        key = (stored, source, target)
        if key not in self._routes:
            kept = kept_type(stored)
            type_, at = (kept.type, kept.version) if kept else (stored, source)
            short = self._schema(at).resource(type_).type.rpartition("/")[2]
            self._schema(target)
            self._routes[key] = tuple(self._converters(short, at, target))
        return self._routes[key]

    def typed(self, source: str, target: str) -> TypedConverter:
        """Find the converter of the resources that one version stores to what another one stores.

        Raises: Missing (`version`).
        """
        self._schema(source), self._schema(target)
        if (source, target) not in self._typed:
            self._typed[source, target] = TypedConverter(source, target, self.routes)
        return self._typed[source, target]

    def _converters(self, type_: str, source: str, target: str) -> Iterator[TypeConverter]:
        start = self._schemas[source]
        for hops, at, last in self._ways(type_, source, target):
            stored = last if at == target else KeptType(last, at).stored
            yield TypeConverter(start, self._schemas[at], type_, hops, dropped=False, stored_as=stored)

    def _ways(
        self, type_: str, source: str, target: str
    ) -> Iterator[tuple[tuple[ResourcePlan, ...], str, str]]:
        """Walk the edges; each way ends at the target, or where the next version has no counterpart.

        Whether an edge converts this way is asked only where something is converted.
        """
        ways: list[tuple[ResourcePlan, ...]] = [()]
        at = source
        for hop in way(self._edges, source, target):
            going: list[tuple[ResourcePlan, ...]] = []
            for before in ways:
                here = before[-1].target_type if before else type_
                plans = self._plans(hop, here)
                if plans:
                    self._check(hop)
                else:
                    yield before, at, here
                going += [(*before, plan) for plan in plans]
            ways, at = going, hop.edge[1] if hop.forward else hop.edge[0]
        for hops in ways:
            yield hops, at, hops[-1].target_type if hops else type_

    def _schema(self, version: str) -> Schema:
        try:
            return self._schemas[version]
        except KeyError:
            known = ", ".join(self._schemas)
            raise Missing(
                message("There is no version {version}.", version=version),
                code="version",
                remedy=message("There are {known}.", known=known),
            ) from None
