"""Finding the maps of the names that a field may hold: of this service's types, or of imported services'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Protocol

from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.naming.name_maps import ChainedNameMap, NameMap
from migrations_app.domain.conversion.naming.names import declared_variants
from migrations_app.domain.conversion.references import Refer
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.ir import ResourceDefinition
from migrations_app.domain.schema.types import ReferenceType, Type
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message


class ReferenceRoute(Protocol):
    """A way of resources of one type between two versions."""

    @property
    def hops(self) -> tuple[ResourcePlan, ...]:
        """The edges on the way."""
        ...


class Imported(Protocol):
    """A compiled service that others refer to."""

    def routes(
        self, resource_type: str, source_version: str, target_version: str
    ) -> Sequence[ReferenceRoute]:
        """Find the ways of a resource type between two versions."""
        ...


class ReferenceMaps:
    """Finds the conversion of a field that refers to resources, of this service or of imported ones."""

    def __init__(
        self,
        folder: ServiceFolder,
        edge: Edge,
        maps: Mapping[tuple[str, str], NameMap],
        imported: Mapping[str, Imported],
    ) -> None:
        self.folder, self.edge, self.maps, self.imported = folder, edge, maps, imported

    def __call__(self, old: Type, new: Type) -> Conv | None:
        given = old if isinstance(old, ReferenceType) else new
        if not isinstance(given, ReferenceType) or given.form == "id":
            return SAME
        found = [names for each in given.resource for names in self._maps(each, from_old=given is old)]
        busy = tuple(each for each in found if not each.is_identity)
        return Refer(busy) if busy else SAME

    def part(self, old: ReferenceType, new: ReferenceType, variants: list[Json]) -> Conv:
        """Find how names of the old types become names of the new ones alone, by `variants` where there are some.

        Raises: Invalid (`E-ARGS`, `E-NAMES`).
        """
        mine, theirs = self._own(old, self.edge.source), self._own(new, self.edge.target)
        if variants:
            return Refer((NameMap(declared_variants(variants, mine, theirs), self.folder.service),))
        found = [self.maps[pair] for pair in product(_types(mine), _types(theirs)) if pair in self.maps]
        if not found:
            raise Invalid(
                message(
                    "No edge makes {types} a {types_2}.",
                    types=" or ".join(_types(mine)),
                    types_2=" or ".join(_types(theirs)),
                ),
                code="E-NAMES",
                remedy=message("Say under `names` how the name of the one becomes that of the other."),
            )
        return SAME if all(names.is_identity for names in found) else Refer(tuple(found))

    def _own(self, given: ReferenceType, version: str) -> list[ResourceDefinition]:
        """Find the resource types of this service that a field refers to."""
        found = []
        for each in given.resource:
            service, _, short = each.rpartition("/")
            resource = self.folder.schemas[version].resources.get(short)
            if service not in ("", self.folder.service) or resource is None:
                raise Invalid(
                    message(
                        "{item} is no resource type of {service} {version}.",
                        item=each,
                        service=self.folder.service,
                        version=version,
                    ),
                    code="E-NAMES",
                    remedy=message("References to other services split by a hook."),
                )
            found.append(resource)
        return found

    def _maps(self, resource: str, *, from_old: bool) -> list[NameMap]:
        service, _, short = resource.rpartition("/")
        if service in ("", self.folder.service):
            found = [names for pair, names in self.maps.items() if pair[not from_old] == short]
            return found or self._without_counterpart(
                short, self.edge.source if from_old else self.edge.target
            )
        other = self.imported.get(service)
        versions = [self._imported_version(side, service) for side in (self.edge.source, self.edge.target)]
        if other is None or not all(versions) or versions[0] == versions[1]:
            return []
        routes = other.routes(short, versions[0], versions[1])
        return [ChainedNameMap(tuple(hop.names for hop in route.hops)) for route in routes if route.hops]

    def _without_counterpart(self, short: str, version: str) -> list[NameMap]:
        """Give the map of a type that the other version does not have: its names have no image there."""
        resource = self.folder.schemas[version].resources.get(short)
        if resource is None:
            return []
        patterns = tuple(Pattern.parse(text, resource.id_patterns) for text in resource.patterns)
        return [NameMap((), self.folder.service, unmapped=(patterns, ()))]

    def _imported_version(self, version: str, service: str) -> str:
        imports = self.folder.imports.get(version, ())
        return next((each.version for each in imports if each.service == service), "")


def _types(resources: Iterable[ResourceDefinition]) -> list[str]:
    return [each.type for each in resources]
