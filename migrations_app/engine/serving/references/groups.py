"""References of a resource in groups: of one field of one type in one deployment by one rule, each with its count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from migrations_app.domain.constraints.references import ReferenceFinder
from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.references.graph import ReferenceGraph, RemoteReferences
from migrations_app.engine.serving.references.nodes import (
    Place,
    ReferenceEdge,
    ReferenceNode,
    UnavailableDeployment,
)
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.linear_regex import LinearPattern
from migrations_app.ports.references.referrer_queries import ReferenceTarget, ReferrerPage, ReferrerRow
from migrations_app.ports.store import Reference, ReferenceKind

MOST_COUNTED = 2_000_000
"""So many references to a resource are counted in one deployment; of more it is said that there are more."""


@dataclass(frozen=True, slots=True)
class ReferenceGroup:
    """What the references of one group have in common; `direction` is `in` for those that lead to the focus.

    Service, region, version and type are those of the other end, `field` is the field that refers, such as
    `spec.keys[]`, wherever it is.
    """

    direction: str
    service: str
    region: str
    version: str
    type: str
    field: str
    kind: str

    @property
    def place(self) -> Place:
        """The region and service of the other end."""
        return (self.region, self.service)


@dataclass(frozen=True, slots=True)
class CountedGroup:
    """A group and how many references are in it: at least so many where the count is not exact."""

    group: ReferenceGroup
    count: int
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class GroupMember:
    """One reference of a group: the other end by its full name, and where the reference stands."""

    id: str
    path: str
    key: tuple[str, int]


@dataclass(slots=True)
class GroupedReferences:
    """All references around a resource in their groups, and who did not answer."""

    focus: ReferenceNode
    groups: list[CountedGroup] = field(default_factory=list)
    unknown: dict[tuple[str, str], UnavailableDeployment] = field(default_factory=dict)


class ReferenceGroups:
    """Counts the references around a resource where they are kept, and lists a group page by page."""

    def __init__(
        self,
        router: Router,
        places: Sequence[Place],
        graph: ReferenceGraph,
        remote_referrers: RemoteReferences,
    ) -> None:
        self._router, self._places, self._graph = router, tuple(places), graph
        self._remote_referrers = remote_referrers

    def around(self, focus: ReferenceNode) -> GroupedReferences:
        """Count the references around a resource by direction, deployment, type, field and rule.

        Raises: Missing (`deployment-missing`, `not-found`).
        """
        found = GroupedReferences(self._graph.known(focus))
        target = self._target(found.focus)
        for place in self._places:
            try:
                found.groups += self._incoming(place, target)
            except SwitchyardError as error:
                self._note(found, place, error)
        found.groups += self._remote(found)
        try:
            found.groups += _counted(group for group, _ in self._outgoing(found.focus))
        except SwitchyardError as error:
            self._note(found, found.focus.place, error)
        return found

    def members(
        self, focus: ReferenceNode, group: ReferenceGroup, after: tuple[str, int], limit: int
    ) -> list[GroupMember]:
        """List the references of a group after a key, by the name of the other end.

        Raises: Missing (`deployment-missing`, `not-found`).
        """
        focus = self._graph.known(focus)
        if group.direction == "in" and group.place in self._places:
            return self._page(self._target(focus), group, after, limit)
        if group.direction == "in":
            edges, _ = self._remote_referrers([focus])
            ends = [
                (edge.source, edge.path) for edge, source in edges if _remote_group(edge, source) == group
            ]
        else:
            ends = [
                (ReferenceNode(each.target_service, each.lives_in, each.target_name).id, each.path)
                for found, each in self._outgoing(focus)
                if found == group
            ]
        members = [GroupMember(id, path, (id, number)) for number, (id, path) in enumerate(sorted(ends))]
        return [member for member in members if member.key > after][:limit]

    def _incoming(self, place: Place, target: ReferenceTarget) -> list[CountedGroup]:
        route, counts = self._router.read_active(
            *place, lambda _, reading: reading.referrer_counts(target, MOST_COUNTED + 1)
        )
        region, service = place
        is_exact = sum(each.count for each in counts) <= MOST_COUNTED
        fields: dict[str, FieldPaths] = {}
        totals: Counter[ReferenceGroup] = Counter()
        for each in counts:
            if each.type not in fields:
                fields[each.type] = FieldPaths.of(route.stored_schema, each.type)
            path = fields[each.type].field(each.path)
            group = ReferenceGroup(
                "in", service, region, route.stored_version, each.type, path, each.kind.value
            )
            totals[group] += each.count
        return [CountedGroup(group, count, is_exact) for group, count in totals.items()]

    def _page(
        self, target: ReferenceTarget, group: ReferenceGroup, after: tuple[str, int], limit: int
    ) -> list[GroupMember]:
        members: list[GroupMember] = []
        page = ReferrerPage(group.type, ReferenceKind(group.kind), pattern_of(group.field), after, limit)
        while len(members) < limit:
            route, rows = self._rows(group.place, target, page)
            fields = FieldPaths.of(route.stored_schema, group.type)
            members += [
                GroupMember(
                    ReferenceNode(group.service, group.region, row.name).id,
                    row.path,
                    (row.name, row.ordinal),
                )
                for row in rows
                if fields.field(row.path) == group.field
            ]
            if len(rows) < page.limit:
                break
            page = replace(page, after=(rows[-1].name, rows[-1].ordinal))
        return members[:limit]

    def _rows(
        self, place: Place, target: ReferenceTarget, page: ReferrerPage
    ) -> tuple[ServingRoute, Sequence[ReferrerRow]]:
        return self._router.read_active(*place, lambda _, reading: reading.referrer_page(target, page))

    def _remote(self, found: GroupedReferences) -> list[CountedGroup]:
        """Count what other deployments name; one that names not all is among the unknown, its counts not exact."""
        if not found.focus.is_found:
            return []
        try:
            edges, unknown = self._remote_referrers([found.focus])
        except SwitchyardError as error:
            self._note(found, found.focus.place, error)
            return []
        found.unknown |= {(each.service, each.region): each for each in unknown}
        return [
            replace(each, is_exact=(each.group.service, each.group.region) not in found.unknown)
            for each in _counted(_remote_group(edge, source) for edge, source in edges)
        ]

    def _outgoing(self, focus: ReferenceNode) -> list[tuple[ReferenceGroup, Reference]]:
        if not focus.is_found:
            return []
        route, references = self._router.read_active(
            *focus.place, lambda _, reading: reading.references(focus.type, focus.name)
        )
        fields = FieldPaths.of(route.stored_schema, focus.type)
        return [
            (
                ReferenceGroup(
                    "out",
                    each.target_service,
                    each.lives_in,
                    each.target_version,
                    each.target_type,
                    fields.field(each.path),
                    each.kind.value,
                ),
                each,
            )
            for each in references
        ]

    def _target(self, focus: ReferenceNode) -> ReferenceTarget:
        return ReferenceTarget(focus.service, focus.region, tuple(self._graph.names(focus)))

    def _note(self, found: GroupedReferences, place: Place, error: SwitchyardError) -> None:
        region, service = place
        found.unknown[service, region] = UnavailableDeployment.after(service, region, error)


@dataclass(frozen=True, slots=True)
class FieldPaths:
    """The fields of a type that may refer, and which of them a path in a document is of."""

    patterns: Mapping[str, LinearPattern]

    @classmethod
    def of(cls, schema: Schema, type_: str) -> FieldPaths:
        """List the fields of a type; of a type that the schema does not have, none is known."""
        if type_ not in schema.resources:
            return cls({})
        declared = {path for _, path, _ in ReferenceFinder(schema).declared(type_)}
        longest_first = sorted(declared, key=lambda path: (-len(path), path))
        return cls({path: LinearPattern(pattern_of(path)) for path in longest_first})

    def field(self, path: str) -> str:
        """Name the field that a path is of; of an unknown field, the path without the numbers of its items."""
        if path in self.patterns:
            return path
        for name, pattern in self.patterns.items():
            if pattern.fullmatch(path):
                return name
        return without_numbers(path)


def pattern_of(field: str) -> str:
    """Write the regular expression of all paths of a field: items by number, entries of maps by key."""
    return re.escape(field).replace(re.escape("[]"), r"\[[0-9]+\]").replace(re.escape("{}"), r"\..+")


def without_numbers(path: str) -> str:
    """Write a path without the numbers of its items."""
    return re.sub(r"\[[0-9]+\]", "[]", path)


def _remote_group(edge: ReferenceEdge, source: ReferenceNode) -> ReferenceGroup:
    path = without_numbers(edge.path)
    return ReferenceGroup("in", source.service, source.region, edge.version, source.type, path, edge.kind)


def _counted(groups: Iterable[ReferenceGroup]) -> list[CountedGroup]:
    return [CountedGroup(group, count) for group, count in Counter(groups).items()]
