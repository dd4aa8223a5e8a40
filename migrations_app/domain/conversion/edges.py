"""One edge compiled: the pairs of its resource types, each with the plan of its documents and names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from migrations_app.domain.conversion.hooks import Hooks, NameHook
from migrations_app.domain.conversion.metadata.edge import Edge, Fork
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.methods.plan import EdgeMethods, plan_methods
from migrations_app.domain.conversion.naming.name_maps import HookedNameMap, NameMap
from migrations_app.domain.conversion.naming.names import edge_name_maps
from migrations_app.domain.conversion.planning.lineage import Lineages
from migrations_app.domain.conversion.planning.matching import RULES
from migrations_app.domain.conversion.planning.pairing import plan_pair
from migrations_app.domain.conversion.planning.planner import Assessed, LinkedFields, Open, Planner
from migrations_app.domain.conversion.refermaps import Imported, ReferenceMaps
from migrations_app.domain.conversion.requests.pieces import overrides
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.split_types import (
    collisions,
    contradictions,
    guard_of,
    part_declaration,
    problems,
)
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.kernel.messages import message

_MATCHING_RULES = frozenset(name for name, _ in RULES)


@dataclass(frozen=True, slots=True)
class CompiledEdge:
    """An edge with the plans of its pairs of resource types."""

    edge: Edge
    plans: tuple[ResourcePlan, ...]
    findings: tuple[EdgeFinding, ...]
    assessed: tuple[Assessed, ...]
    open: tuple[Open, ...] = ()
    methods: EdgeMethods = EdgeMethods()
    links: tuple[LinkedFields, ...] = ()

    @property
    def links_by_name(self) -> list[LinkedFields]:
        """List the fields that a matching rule took for the same, without an op."""
        found = {
            (each.source_type, each.target_type, each.old.name): each
            for each in self.links
            if each.by in _MATCHING_RULES
        }
        return list(found.values())

    def plans_of(self, resource_type: str, *, forward: bool) -> list[ResourcePlan]:
        """Find the plans of a resource type, by its name at the start of the hop: several where it splits."""
        if forward:
            return [plan for plan in self.plans if plan.source_type == resource_type]
        return [plan.inverse for plan in self.plans if plan.target_type == resource_type]


def compile_edge(
    edge: Edge, folder: ServiceFolder, shared: tuple[Lineages, Hooks], imported: Mapping[str, Imported]
) -> CompiledEdge:
    """Plan every pair of resource types of an edge; the findings tell what could not be."""
    lineages, hooks = shared
    old, new = folder.schemas[edge.source], folder.schemas[edge.target]
    pairs, findings = resource_pairs(edge, old, new)
    maps, wrong = edge_name_maps(edge, old, new, pairs)
    maps = {pair: _overriding(hooks.names, edge, pair[0], each) for pair, each in maps.items()}
    findings += [*wrong, *_meeting(edge, maps)]
    refer = {pair: _overriding(hooks.references, edge, pair[0], each) for pair, each in maps.items()}
    references = ReferenceMaps(folder, edge, refer, imported)
    planner = Planner(edge, (old, new), lineages, references, plan_pair, hooks)
    plans: list[ResourcePlan] = []
    for (mine, theirs), fork in pairs.items():
        left, right = old.resources[mine], new.resources[theirs]
        part = (theirs if fork.is_split else mine) if fork else ""
        plan = planner.pair(
            (left.message, old.object(left.message)),
            (right.message, new.object(right.message)),
            (part_declaration(fork, part),) if fork else (),
        )
        if (mine, theirs) not in maps:
            continue
        names = maps[mine, theirs]
        bare = ResourcePlan(mine, theirs, plan, names, _name_key(old, left), _name_key(new, right))
        bare = _guarded(bare, fork, part, (old, new))
        pieces, pieces_back = overrides(hooks, f"{planner.place} {mine}", bare)
        plans.append(replace(bare, pieces=pieces, pieces_back=pieces_back))
    methods, about_methods = plan_methods(
        edge,
        old,
        new,
        planner,
        lambda: Planner(edge, (old, new), lineages, references, plan_pair, hooks),
    )
    planner.finish()
    return CompiledEdge(
        edge,
        tuple(plans),
        (*findings, *planner.findings, *about_methods),
        tuple(planner.assessed),
        planner.open_pairs,
        methods,
        tuple(planner.links),
    )


def _guarded(
    plan: ResourcePlan, fork: Fork | None, part: str, schemas: tuple[Schema, Schema]
) -> ResourcePlan:
    """Let the plan of a part of a split or merged type hold for the resources of that part only."""
    if fork is None:
        return plan
    guard = guard_of(fork, part, schemas[0] if fork.is_split else schemas[1])
    return replace(plan, guard=guard) if fork.is_split else replace(plan, guard_back=guard)


def _meeting(edge: Edge, maps: Mapping[tuple[str, str], NameMap]) -> list[EdgeFinding]:
    found: list[EdgeFinding] = []
    for fork in edge.forks:
        parts = {
            pair[fork.is_split]: each for pair, each in maps.items() if pair[not fork.is_split] == fork.whole
        }
        found += collisions(fork, parts)
    return found


def _overriding(
    hooks: Mapping[str, tuple[NameHook, NameHook]], edge: Edge, short: str, given: NameMap
) -> NameMap:
    functions = hooks.get(f"{edge.service} {edge.source}-{edge.target} {short}")
    return HookedNameMap(given, *functions) if functions else given


def _name_key(schema: Schema, resource: ResourceDefinition) -> str:
    found = schema.object(resource.message).field(resource.name_field)
    return found.key if found else resource.name_field


def resource_pairs(
    edge: Edge, old: Schema, new: Schema
) -> tuple[dict[tuple[str, str], Fork | None], list[EdgeFinding]]:
    """Tell which resource type of the old version is which of the new one, and which split or merge."""
    renamed = {each.source: each.target for each in edge.resources}
    pairs: dict[tuple[str, str], Fork | None] = {}
    findings: list[EdgeFinding] = list(contradictions(edge))
    for fork in edge.forks:
        wrong = list(problems(fork, *((old, new) if fork.is_split else (new, old))))
        findings += wrong
        for part in () if wrong else fork.parts:
            pairs[(fork.whole, part) if fork.is_split else (part, fork.whole)] = fork
    forked = ({pair[0] for pair in pairs}, {pair[1] for pair in pairs})
    for name in old.resources:
        fellow = renamed.get(name, name)
        if name in edge.removed or name in forked[0]:
            continue
        if fellow in new.resources and fellow not in forked[1]:
            pairs[name, fellow] = None
        else:
            words = message("{target} has no resource type {fellow}.", target=edge.target, fellow=fellow)
            remedy = message(
                "Write resources: {example} or {example_2}.",
                example=f"{{removed: [{name}]}}",
                example_2=f"{{renamed: {{{name}: …}}}}",
            )
            findings.append(EdgeFinding("E-UNASSESSED", words, edge.place(), remedy))
    known = {pair[1] for pair in pairs}
    for name in new.resources:
        if name not in known and name not in edge.added:
            words = message("{source} has no resource type {name}.", source=edge.source, name=name)
            remedy = message("Write resources: {example}.", example=f"{{added: [{name}]}}")
            findings.append(EdgeFinding("E-UNASSESSED", words, edge.place(), remedy))
    return pairs, findings
