"""Resources found by name, kind, deployment or version, over all deployments that are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.engine.serving.references.nodes import Place, ReferenceNode, UnavailableDeployment
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.store import Query, Reading

MOST_PLACES = 60
"""So many deployments are looked at for one question."""


@dataclass(frozen=True, slots=True)
class ResourceSearch:
    """What is looked for; what is empty matches everything. `text` is a whole name or the last part of one."""

    text: str = ""
    type: str = ""
    service: str = ""
    region: str = ""
    version: str = ""
    most: int = 50


@dataclass(slots=True)
class ResourceMatches:
    """What was found, at most so many of each deployment and kind; `more` when something was left out."""

    nodes: list[ReferenceNode] = field(default_factory=list)
    types: set[str] = field(default_factory=set)
    versions: set[str] = field(default_factory=set)
    unknown: list[UnavailableDeployment] = field(default_factory=list)
    more: bool = False


def seek(router: Router, places: Iterable[Place], search: ResourceSearch) -> ResourceMatches:
    """Look for resources, deployment by deployment; one that does not answer is told, never left out silently."""
    found, looked = ResourceMatches(), 0
    for region, service in places:
        if search.service not in ("", service) or search.region not in ("", region):
            continue
        if looked == MOST_PLACES:
            found.more = True
            break
        looked += 1
        try:
            router.read_active(region, service, partial(_look, found, search))
        except SwitchyardError as error:
            found.unknown.append(UnavailableDeployment.after(service, region, error))
    return found


def _look(found: ResourceMatches, search: ResourceSearch, route: ServingRoute, reading: Reading) -> None:
    found.versions.add(route.stored_version)
    found.types |= set(route.stored_schema.resources)
    if search.version not in ("", route.stored_version):
        return
    here = ReferenceNode(
        route.served.service, route.served.region, "", "", route.stored_version, NodeState.ACTIVE
    )
    for type_ in sorted(route.stored_schema.resources):
        if search.type not in ("", type_):
            continue
        for query in _queries(search, type_, route.stored_schema.resources[type_].patterns):
            room = search.most - len(found.nodes)
            listing = reading.list(query(room + 1))
            found.more |= len(listing.resources) > room
            found.nodes += [
                ReferenceNode(
                    here.service,
                    here.region,
                    each.name,
                    type_,
                    here.version,
                    here.state,
                    changed=each.update_time,
                )
                for each in listing.resources[:room]
            ]


def _queries(search: ResourceSearch, type_: str, patterns: Sequence[str]) -> list[partial[Query]]:
    if not search.text:
        return [partial(_query, type_, "")]
    if "/" in search.text:
        return [partial(_query, type_, search.text)]
    return [partial(_query, type_, _ending(pattern, search.text)) for pattern in patterns]


def _query(type_: str, named: str, limit: int) -> Query:
    return Query(type_, named=named, limit=limit)


def _ending(pattern: str, last: str) -> str:
    """Write the names of a pattern that end with an id: any other id may stand before it."""
    *parts, _ = pattern.split("/")
    return "/".join(["-" if part.startswith("{") else part for part in parts] + [last])
