"""A service folder compiled: its versions, their edges planned, and converters between any two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from migrations_app.domain.conversion.converter import Converted, Converter, view
from migrations_app.domain.conversion.edge import Direction, Edge, read_edge
from migrations_app.domain.conversion.findings import EdgeInvalid, Finding, Level
from migrations_app.domain.conversion.graph import Hop, hub_of, way
from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks, NameHook
from migrations_app.domain.conversion.lineage import Lineages
from migrations_app.domain.conversion.namemap import ChainedNameMap, HookedNameMap, NameMap
from migrations_app.domain.conversion.names import edge_name_maps
from migrations_app.domain.conversion.pairing import plan_pair
from migrations_app.domain.conversion.pieces import overrides
from migrations_app.domain.conversion.planner import Assessed, Open, Planner
from migrations_app.domain.conversion.references import Refer
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.ir import Resource, Schema
from migrations_app.domain.schema.types import ReferenceType, Type
from migrations_app.kernel.errors import Conflict, Missing

__all__ = ["CompiledEdge", "CompiledService", "Converted", "Converter", "compile_service", "view"]


@dataclass(frozen=True, slots=True)
class CompiledEdge:
    """An edge with the plans of its resource types, by the old type's name."""

    edge: Edge
    plans: Mapping[str, ResourcePlan]
    findings: tuple[Finding, ...]
    assessed: tuple[Assessed, ...]
    open: tuple[Open, ...] = ()

    def plan_of(self, resource_type: str, *, forward: bool) -> ResourcePlan | None:
        """Find the plan of a resource type, by its name at the start of the hop."""
        if forward:
            return self.plans.get(resource_type)
        found = (plan for plan in self.plans.values() if plan.target_type == resource_type)
        return next((plan.inverse for plan in found), None)


class CompiledService:
    """What the rest of the product asks about a service's versions."""

    def __init__(self, folder: ServiceFolder, edges: Mapping[tuple[str, str], CompiledEdge]) -> None:
        self.folder = folder
        self.service = folder.service
        self.versions = tuple(folder.schemas)
        self.hub = hub_of(folder.schemas)
        self.edges = edges
        self._converters: dict[tuple[str, str, str], Converter] = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
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
                f"{self.service} has no version {version}.",
                code="version",
                remedy=f"It has {', '.join(self.versions)}.",
            ) from None

    def resource_types(self, version: str) -> tuple[Resource, ...]:
        """List the resource types of a version."""
        return tuple(self.schema(version).resources.values())

    def converter(self, resource_type: str, source_version: str, target_version: str) -> Converter:
        """Find the converter of a resource type, named as in the source version.

        Raises: Missing (`version`, `schema-resource`, `conversion-way`), Conflict (`direction`).
        """
        key = (resource_type, source_version, target_version)
        found = self._converters.get(key)
        if found is None:
            found = self._converters[key] = self._build(*key)
        return found

    def _build(self, resource_type: str, source_version: str, target_version: str) -> Converter:
        source, target = self.schema(source_version), self.schema(target_version)
        here = source.resource(resource_type).type
        short = here.rpartition("/")[2]
        plans: list[ResourcePlan] = []
        at = short
        for hop in way(self.edges, source_version, target_version):
            edge = self.edges[hop.edge]
            _check_direction(edge.edge, hop)
            plan = edge.plan_of(at, forward=hop.forward)
            if plan is None:
                return Converter(source, target, short, (), dropped=True)
            plans.append(plan)
            at = plan.target_type
        return Converter(source, target, short, tuple(plans), dropped=False)


def _check_direction(edge: Edge, hop: Hop) -> None:
    wanted = Direction.FORWARD if hop.forward else Direction.BACKWARD
    if edge.direction not in (Direction.BOTH, wanted):
        start, end = (edge.source, edge.target) if hop.forward else (edge.target, edge.source)
        raise Conflict(
            f"The edge does not convert from {start} to {end}.",
            code="direction",
            remedy="Its transformationDirection says so.",
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
    errors = [each for each in findings if each.level is Level.ERROR]
    if errors:
        raise EdgeInvalid(errors)
    return CompiledService(folder, compiled)


def compile_edges(
    folder: ServiceFolder, imported: Mapping[str, CompiledService], hooks: Hooks = NO_HOOKS
) -> tuple[dict[tuple[str, str], CompiledEdge], list[Finding]]:
    """Compile what can be compiled of the edges; the findings tell the rest."""
    findings: list[Finding] = []
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
            edges.append(edge)
    lineages = Lineages()
    compiled: dict[tuple[str, str], CompiledEdge] = {}
    for edge in sorted(edges, key=lambda each: folder.schemas[each.source].ordinal):
        made = _compile_edge(edge, folder, (lineages, hooks), imported)
        compiled[edge.source, edge.target] = made
        findings += made.findings
    return compiled, findings


def _misplaced(edge: Edge, folder: ServiceFolder) -> Finding | None:
    if edge.service != folder.service:
        message = f"The edge is of {edge.service}, the folder of {folder.service}."
        return Finding("E-EDGE", message, edge.place(1), "Mend edge.service.")
    for version in (edge.source, edge.target):
        if version not in folder.schemas:
            message = f"The folder has no version {version}."
            return Finding("E-EDGE", message, edge.place(1), f"It has {', '.join(folder.schemas)}.")
    return None


def _compile_edge(
    edge: Edge,
    folder: ServiceFolder,
    shared: tuple[Lineages, Hooks],
    imported: Mapping[str, CompiledService],
) -> CompiledEdge:
    lineages, hooks = shared
    old, new = folder.schemas[edge.source], folder.schemas[edge.target]
    pairs, findings = resource_pairs(edge, old, new)
    maps, problems = edge_name_maps(edge, old, new, pairs)
    maps = {name: _overriding(hooks.names, edge, name, each) for name, each in maps.items()}
    refer = {name: _overriding(hooks.references, edge, name, each) for name, each in maps.items()}
    references = _References(folder, edge, refer, imported)
    planner = Planner(edge, (old, new), lineages, references, plan_pair, hooks)
    plans: dict[str, ResourcePlan] = {}
    for mine, theirs in pairs.items():
        left, right = old.resources[mine], new.resources[theirs]
        plan = planner.pair(
            (left.message, old.object(left.message)), (right.message, new.object(right.message))
        )
        if mine in maps:
            keys = (_name_key(old, left), _name_key(new, right))
            bare = ResourcePlan(mine, theirs, plan, maps[mine], *keys)
            place = f"{edge.service} {edge.source}-{edge.target} {mine}"
            pieces, pieces_back = overrides(hooks, place, bare)
            plans[mine] = replace(bare, pieces=pieces, pieces_back=pieces_back)
    planner.finish()
    return CompiledEdge(
        edge, plans, (*findings, *problems, *planner.findings), tuple(planner.assessed), tuple(planner.open)
    )


def _overriding(
    hooks: Mapping[str, tuple[NameHook, NameHook]], edge: Edge, short: str, given: NameMap
) -> NameMap:
    functions = hooks.get(f"{edge.service} {edge.source}-{edge.target} {short}")
    return HookedNameMap(given, *functions) if functions else given


def _name_key(schema: Schema, resource: Resource) -> str:
    found = schema.object(resource.message).field(resource.name_field)
    return found.key if found else resource.name_field


def resource_pairs(edge: Edge, old: Schema, new: Schema) -> tuple[dict[str, str], list[Finding]]:
    """Tell which resource type of the old version is which of the new one."""
    renamed = {each.source: each.target for each in edge.resources}
    pairs: dict[str, str] = {}
    findings: list[Finding] = []
    for name in old.resources:
        fellow = renamed.get(name, name)
        if fellow in new.resources and name not in edge.removed:
            pairs[name] = fellow
        elif name not in edge.removed:
            message = f"{edge.target} has no resource type {fellow}."
            remedy = f"Write resources: {{removed: [{name}]}} or {{renamed: {{{name}: …}}}}."
            findings.append(Finding("E-UNASSESSED", message, edge.place(), remedy))
    for name in new.resources:
        if name not in pairs.values() and name not in edge.added:
            message = f"{edge.source} has no resource type {name}."
            remedy = f"Write resources: {{added: [{name}]}}."
            findings.append(Finding("E-UNASSESSED", message, edge.place(), remedy))
    return pairs, findings


class _References:
    """Finds the conversion of a field that refers to resources, of this service or of imported ones."""

    def __init__(
        self,
        folder: ServiceFolder,
        edge: Edge,
        maps: Mapping[str, NameMap],
        imported: Mapping[str, CompiledService],
    ) -> None:
        self.folder, self.edge, self.maps, self.imported = folder, edge, maps, imported

    def __call__(self, old: Type, new: Type) -> Conv | None:
        given = old if isinstance(old, ReferenceType) else new
        if not isinstance(given, ReferenceType) or given.form == "id":
            return SAME
        found = [self._map(each, from_old=given is old) for each in given.resource]
        busy = tuple(each for each in found if each is not None and not each.is_identity)
        return Refer(busy) if busy else SAME

    def _map(self, resource: str, *, from_old: bool) -> NameMap | None:
        service, _, short = resource.rpartition("/")
        if service in ("", self.folder.service):
            return self.maps.get(short) if from_old else self._by_target(short)
        other = self.imported.get(service)
        versions = [self._imported_version(side, service) for side in (self.edge.source, self.edge.target)]
        if other is None or not all(versions) or versions[0] == versions[1]:
            return None
        hops = other.converter(short, versions[0], versions[1]).hops
        return ChainedNameMap(tuple(hop.names for hop in hops)) if hops else None

    def _by_target(self, short: str) -> NameMap | None:
        old = next((each.source for each in self.edge.resources if short == each.target), short)
        return self.maps.get(old)

    def _imported_version(self, version: str, service: str) -> str:
        imports = self.folder.imports.get(version, ())
        return next((each.version for each in imports if each.service == service), "")
