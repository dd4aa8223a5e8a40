"""Which deployment a host name belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.conf import settings

from migrations_app.models.registry import Deployment, Service

Place = tuple[str, str]


def hosts(serves: Callable[[str], bool] | None = None) -> dict[str, tuple[Place, frozenset[str]]]:
    """List the host names of the deployments that are served here: (region, service) and its versions.

    A service's global domain belongs to the first of its deployments here.
    """
    serves = serves or settings.SWITCHYARD.serves
    found: dict[str, tuple[Place, frozenset[str]]] = {}
    versions = {each.id: each for each in Service.objects.all()}
    for row in Deployment.objects.filter(is_disabled=False).exclude(database="").order_by("name"):
        if not serves(row.region_id):
            continue
        service = versions[row.service_id]
        for host in (*_own(row.details), *_all_of(service.details)):
            found.setdefault(host.lower(), ((row.region_id, row.service_id), frozenset(service.versions)))
    return found


def _own(details: dict[str, object]) -> Iterator[str]:
    for key in ("publicDomain", "privateDomain"):
        if isinstance(details.get(key), str) and details[key]:
            yield str(details[key])
    yield from _labelled(details)


def _all_of(details: dict[str, object]) -> Iterator[str]:
    if isinstance(details.get("globalDomain"), str) and details["globalDomain"]:
        yield str(details["globalDomain"])
    yield from _labelled(details)


def _labelled(details: dict[str, object]) -> Iterator[str]:
    domains = details.get("labelledDomains")
    for each in domains if isinstance(domains, list) else ():
        if isinstance(each, dict) and isinstance(each.get("domain"), str) and each["domain"]:
            yield each["domain"]
