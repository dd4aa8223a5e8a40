"""A service folder compiled: its versions, their edges planned, and converters between any two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import permutations

from migrations_app.domain.conversion.converter import ConvertedResource, TypeConverter, view
from migrations_app.domain.conversion.edges import CompiledEdge, compile_edge
from migrations_app.domain.conversion.graph import Hop, hub_of, way
from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks
from migrations_app.domain.conversion.metadata.edge import Edge, ResourceChange, read_edge
from migrations_app.domain.conversion.metadata.findings import EdgeFinding, EdgeInvalid, FindingLevel
from migrations_app.domain.conversion.methods.converter import MethodConverter
from migrations_app.domain.conversion.methods.ways import MethodWays
from migrations_app.domain.conversion.planning.lineage import Lineages
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.stored_types import StoredTypes
from migrations_app.domain.conversion.typed import TypedConverter
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.messages import message

__all__ = ["CompiledEdge", "CompiledService", "ConvertedResource", "TypeConverter", "compile_service", "view"]


class CompiledService:
    """What the rest of the product asks about a service's versions."""

    def __init__(
        self,
        folder: ServiceFolder,
        edges: Mapping[tuple[str, str], CompiledEdge],
        *,
        may_call_code: bool = False,
    ) -> None:
        self.folder = folder
        self.may_call_code = may_call_code
        self.service = folder.service
        self.versions = tuple(folder.schemas)
        self.hub = hub_of(folder.schemas)
        self.edges = edges
        self._converters: dict[tuple[str, str, str], TypeConverter] = {}
        self._routes: dict[tuple[str, str, str], tuple[TypeConverter, ...]] = {}
        self._methods: dict[tuple[str, str, str], MethodConverter] = {}
        self.stored = StoredTypes(folder.schemas, edges, self._plans, self._check)

    @property
    def findings(self) -> tuple[EdgeFinding, ...]:
        """What is worth knowing about the edges."""
        return tuple(each for edge in self.edges.values() for each in edge.findings)

    def schema(self, version: str) -> Schema:
        """Find the schema of a version.

        Raises: Missing (`version`).
        """
        try:
            return self.folder.schemas[version]
        except KeyError:
            raise Missing(
                message("{service} has no version {version}.", service=self.service, version=version),
                code="version",
                remedy=message("It has {versions}.", versions=", ".join(self.versions)),
            ) from None

    def resource_types(self, version: str) -> tuple[ResourceDefinition, ...]:
        """List the resource types of a version."""
        return tuple(self.schema(version).resources.values())

    def converter(self, resource_type: str, source_version: str, target_version: str) -> TypeConverter:
        """Find the converter of a resource type, named as in the source version.

        Raises: Missing (`version`, `schema-resource`, `conversion-way`), Conflict (`direction`).
        """
        key = (resource_type, source_version, target_version)
        found = self._converters.get(key)
        if found is None:
            found = self._converters[key] = self._build(*key)
        return found

    def _build(self, resource_type: str, source_version: str, target_version: str) -> TypeConverter:
        routes = self.routes(resource_type, source_version, target_version)
        if len(routes) > 1:
            types = ", ".join(str(route.target_type) for route in routes)
            raise Conflict(
                message(
                    "Resources of {resource_type} become {types} in {target_version}; the document decides.",
                    resource_type=resource_type,
                    types=types,
                    target_version=target_version,
                ),
                code="conversion-fork",
                remedy=message("Convert them with `typed`, document by document."),
            )
        return routes[0]

    def typed(self, source_version: str, target_version: str) -> TypedConverter:
        """Find the converter of resources whose type in the other version the document may decide.

        Raises: Missing (`version`).
        """
        self.schema(source_version), self.schema(target_version)
        return TypedConverter(source_version, target_version, self.routes)

    def method(self, name: str, source_version: str, target_version: str) -> MethodConverter:
        """Find the converter of a custom method, named as in the source version.

        Raises: Missing (`version`, `conversion-way`, `method-discontinued`), Invalid (`method-not-converted`),
        Conflict (`direction`).
        """
        key = (name, source_version, target_version)
        if key not in self._methods:
            edges = {pair: edge.methods for pair, edge in self.edges.items()}
            ways = MethodWays(self.schema, edges, lambda *ends: way(self.edges, *ends), self.routes)
            self._methods[key] = ways.converter(*key)
        return self._methods[key]

    def routes(
        self, resource_type: str, source_version: str, target_version: str
    ) -> tuple[TypeConverter, ...]:
        """Find every way of a resource type: one, or where it splits one for each type that it may become.

        Raises: Missing (`version`, `schema-resource`, `conversion-way`), Conflict (`direction`).
        """
        key = (resource_type, source_version, target_version)
        if key not in self._routes:
            self._routes[key] = tuple(self._converters_of(*key))
        return self._routes[key]

    def ways(self) -> Iterator[tuple[ResourceDefinition, tuple[TypeConverter, ...]]]:
        """Go through the types of every version to every other version that their edges convert to.

        Raises: Missing (`conversion-way`).
        """
        for source, target in permutations(self.versions, 2):
            if self.barred(source, target) is None:
                for resource in self.resource_types(source):
                    yield resource, self.routes(resource.type, source, target)

    def barred(self, source_version: str, target_version: str) -> Edge | None:
        """Find the first edge between two versions whose transformationDirection rules out going that way.

        Raises: Missing (`version`, `conversion-way`).
        """
        hops = way(self.edges, source_version, target_version)
        edges = ((self.edges[hop.edge].edge, hop) for hop in hops)
        return next((edge for edge, hop in edges if not edge.converts(forward=hop.forward)), None)

    def _converters_of(
        self, resource_type: str, source_version: str, target_version: str
    ) -> Iterator[TypeConverter]:
        source, target = self.schema(source_version), self.schema(target_version)
        short = source.resource(resource_type).type.rpartition("/")[2]
        ways: list[tuple[ResourcePlan, ...]] = [()]
        for hop in way(self.edges, source_version, target_version):
            self._check(hop)
            ways = [
                (*before, plan)
                for before in ways
                for plan in self._plans(hop, before[-1].target_type if before else short)
            ]
        for hops in ways:
            yield TypeConverter(source, target, short, hops, dropped=False)
        if not ways:
            yield TypeConverter(source, target, short, (), dropped=True)

    def _plans(self, hop: Hop, resource_type: str) -> list[ResourcePlan]:
        return self.edges[hop.edge].plans_of(resource_type, forward=hop.forward)

    def _check(self, hop: Hop) -> None:
        _check_direction(self.edges[hop.edge].edge, hop)


def _check_direction(edge: Edge, hop: Hop) -> None:
    if not edge.converts(forward=hop.forward):
        start, end = (edge.source, edge.target) if hop.forward else (edge.target, edge.source)
        raise Conflict(
            message("The edge does not convert from {start} to {end}.", start=start, end=end),
            code="direction",
            remedy=message("Its transformationDirection says so."),
        )


def compile_service(
    folder: ServiceFolder,
    imported: Mapping[str, CompiledService] | None = None,
    hooks: Hooks = NO_HOOKS,
) -> CompiledService:
    """Compile the edges of a service folder; `imported` gives the services its references lead to.

    `hooks` is the code that the edges may call and the pieces it overrides.

    Raises: EdgeInvalid with every error of every edge, Invalid when the folder itself has errors.
    """
    folder.refuse_errors()
    compiled, findings = compile_edges(folder, imported or {}, hooks)
    errors = [each for each in findings if each.level is FindingLevel.ERROR]
    if errors:
        raise EdgeInvalid(errors)
    own = hooks.may_be_called(folder.service, (raw.text for raw in folder.edges))
    # Names of resources of an imported service may be converted by that one's code.
    others = any(each.may_call_code for each in (imported or {}).values())
    return CompiledService(folder, compiled, may_call_code=own or others)


def compile_edges(
    folder: ServiceFolder, imported: Mapping[str, CompiledService], hooks: Hooks = NO_HOOKS
) -> tuple[dict[tuple[str, str], CompiledEdge], list[EdgeFinding]]:
    """Compile what can be compiled of the edges; the findings tell the rest."""
    findings: list[EdgeFinding] = []
    edges: list[Edge] = []
    for raw in folder.edges:
        try:
            edge = read_edge(raw.text, raw.path)
        except EdgeInvalid as error:
            findings += error.findings
            continue
        problem = _misplaced(edge, folder)
        if problem:
            findings.append(problem)
        else:
            edges.append(_with_hints(edge, folder))
    lineages = Lineages()
    compiled: dict[tuple[str, str], CompiledEdge] = {}
    for edge in sorted(edges, key=lambda each: folder.schemas[each.source].ordinal):
        made = compile_edge(edge, folder, (lineages, hooks), imported)
        compiled[edge.source, edge.target] = made
        findings += made.findings
    return compiled, findings


def _with_hints(edge: Edge, folder: ServiceFolder) -> Edge:
    """Add what the source of the old version says of its resource types, where the edge says nothing of them."""
    old = folder.schemas[edge.source]
    said = {*edge.removed, *(each.source for each in edge.resources)}
    said |= {name for fork in edge.forks for name in ((fork.whole,) if fork.is_split else tuple(fork.parts))}
    hints = {name: hint for name, hint in old.hints.items() if name in old.resources and name not in said}
    renamed = tuple(
        ResourceChange(name, hint.replacement.rpartition("/")[2], edge.place())
        for name, hint in hints.items()
        if hint.replacement and not hint.discontinued
    )
    removed = tuple(name for name, hint in hints.items() if hint.discontinued)
    return replace(edge, resources=(*edge.resources, *renamed), removed=(*edge.removed, *removed))


def _misplaced(edge: Edge, folder: ServiceFolder) -> EdgeFinding | None:
    if edge.service != folder.service:
        words = message(
            "The edge is of {service}, the folder of {folder_service}.",
            service=edge.service,
            folder_service=folder.service,
        )
        return EdgeFinding("E-EDGE", words, edge.place(1), message("Fix edge.service."))
    for version in (edge.source, edge.target):
        if version not in folder.schemas:
            words = message("The folder has no version {version}.", version=version)
            return EdgeFinding(
                "E-EDGE",
                words,
                edge.place(1),
                message("It has {schemas}.", schemas=", ".join(folder.schemas)),
            )
    return None
