"""How many queries each endpoint of the registry takes: a table, and the same at two sizes."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.save_registered import create_registered
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.meta_api.urls import COLLECTIONS, VERBS
from migrations_app.models.registry import Service, ServiceDefinition
from tests.factories.access import client_of

# Within a transaction of its own a test would not see what is kept between requests.
pytestmark = pytest.mark.django_db(transaction=True)

META, API = "/meta/v1", "/api/v1"
S, R = "s00", "r00"
NAME = f"services/{S}/deployments/{R}"
ELSEWHERE = f"services/{S}/deployments/r01"
OFFER = {"targetApiVersion": "v2", "totalShardsCount": 4, "targetDbDataVersion": "v2.1"}
REPORT = {"shardsFrom": 0, "shardsTo": 3, "ready": True, "totalShardsCount": 4}
TASK = {"tag": "t", "shardsCount": 2}

POLICY = {"enabledRegions": [R, "r01"], "defaultControlRegion": R}

READS: dict[str, int] = {
    f"{META}/regions/{R}": 3,
    f"{META}/services/{S}": 4,
    f"{META}/{NAME}": 3,
    f"{META}/services/{S}/resources/User": 3,
    f"{META}/regions:batchGet?names=regions/{R}": 3,
    f"{META}/services:batchGet?names=services/{S}": 3,
    f"{META}/deployments:batchGet?names={NAME}&names={ELSEWHERE}": 3,
    f"{META}/resources:batchGet?names=services/{S}/resources/User": 3,
    f"{META}/regions": 3,
    f"{META}/services": 3,
    f"{META}/services/-/deployments": 3,
    f"{META}/services/{S}/deployments?includePagingInfo=true": 4,
    f'{META}/services/-/deployments?filter=currentVersion="v1"&orderBy=region desc&pageSize=1': 3,
    f"{META}/services/-/resources": 3,
    f"{META}/services/{S}/resources": 4,
    f"{API}/fleet": 9,
    f"{API}/fleet/versions": 5,
    f"{API}/regions": 3,
    f"{API}/services": 4,
    f"{API}/services/{S}": 12,
    f"{API}/deployments": 4,
    f"{API}/deployments?service={S}&limit=2": 4,
    f"{API}/deployments/{S}/{R}": 14,
    f"{API}/deployments/{S}/r02": 14,
}
"""Queries of each read when nothing changed since the last one, authentication among them."""

WRITES: dict[str, tuple[Any, int]] = {
    f"PUT {META}/regions/{R}?updateMask=title": ({"title": "R"}, 14),
    f"POST {META}/regions": ({"name": "regions/zz"}, 19),
    f"DELETE {META}/regions/zz": (None, 19),
    f"PUT {META}/services/{S}?updateMask=displayName": ({"displayName": "S"}, 20),
    f"POST {META}/services": ({"name": "services/zz", "allVersions": ["v1"]}, 24),
    f"DELETE {META}/services/zz": (None, 25),
    f"PUT {META}/services/{S}/resources/User?updateMask=fqn": ({"fqn": "s/User"}, 18),
    f"POST {META}/services/{S}/resources": ({"name": f"services/{S}/resources/Group"}, 23),
    f"DELETE {META}/services/{S}/resources/Group": (None, 17),
    f"PUT {META}/{NAME}?updateMask=publicDomain": ({"publicDomain": "a"}, 20),
    f"POST {META}/{ELSEWHERE}:setAvailableUpgrade": (OFFER, 23),
    f"POST {META}/{ELSEWHERE}:getOrRegisterDataUpdateTask": (TASK, 20),
    f"POST {META}/{ELSEWHERE}:updateDataTaskUpdate": ({"tag": "t", "done": True}, 20),
    f"POST {META}/{ELSEWHERE}:beginUpgrade": ({}, 28),
    f"POST {META}/{ELSEWHERE}:notifyShardsUpgradeReadiness": (REPORT, 24),
    f"PUT {API}/deployments/{S}/{R}": ({"deployment": {"publicDomain": "b"}}, 51),
    f"PUT {META}/services/zy?allowMissing=true": ({"allVersions": ["v1"], "multiRegionPolicy": POLICY}, 24),
    f"POST {META}/services/zy/deployments": ({"name": f"services/zy/deployments/{R}"}, 24),
    f"DELETE {META}/services/zy/deployments/{R}": (None, 20),
    f"PUT {API}/deployments/zy/r01": ({"deployment": {"currentVersion": "v1"}, "database": "elsewhere"}, 41),
    f"DELETE {API}/deployments/zy/r01": (None, 20),
}
"""Queries of each change, in this order; the registry's rules look at the whole of it in a few of them."""


def build(services: int, regions: int) -> None:
    """Register so many services in so many regions, with data here in all but the second, and plan upgrades."""
    names = [f"r{number:02}" for number in range(regions)]
    for region in names:
        create_registered(SYSTEM, RegistryKind.REGION, f"regions/{region}", {})
    policy: Any = {"enabledRegions": names, "defaultControlRegion": names[0]}
    for number in range(services):
        service = f"services/s{number:02}"
        imports: Any = (
            [
                {
                    "targetService": f"services/{S}",
                    "targetServiceVersion": "v1",
                    "currentServiceVersion": each,
                }
                for each in ("v1", "v2")
            ]
            if number
            else []
        )
        body: Any = {
            "allVersions": ["v1", "v2"],
            "multiRegionPolicy": policy,
            "importedServices": [f"services/{S}"] if number else [],
            "importedVersions": imports,
        }
        create_registered(SYSTEM, RegistryKind.SERVICE, service, body)
        text = b"service: %s.example.com\nversions: []" % service[9:].encode()
        definition = ServiceDefinition.objects.create(
            service=service[9:],
            fingerprint="f",
            files={"service.yaml": base64.b64encode(text).decode()},
            created_at="2026-01-01T00:00:00Z",
        )
        Service.objects.filter(pk=service[9:]).update(definition=definition)
        create_registered(SYSTEM, RegistryKind.RESOURCE, f"{service}/resources/User", {"versions": ["v1"]})
        for region in names:
            database = "elsewhere" if region == "r01" else ""
            apply_deployment(
                SYSTEM,
                f"{service}/deployments/{region}",
                {"currentVersion": "v1", "availableUpgrade": {"apiVersion": "v2", "totalShardsCount": 4}},
                database=database,
            )
        for region in names[2:]:
            plan_upgrade(SYSTEM, UpgradeSpec(f"{service}/deployments/{region}", "v2"))


def counted(client: APIClient, method: str, path: str, body: Any = None) -> int:
    """Count the queries of one request that succeeds."""
    options = {} if body is None else {"data": body, "format": "json"}
    with CaptureQueriesContext(connection) as asked:
        answer = getattr(client, method)(path, **options)
    assert answer.status_code < 300, (path, answer.content)
    return len(asked)


@pytest.mark.parametrize(("services", "regions"), [(1, 3), (4, 6)])
def test_the_table_holds_at_any_size(services: int, regions: int) -> None:
    build(services, regions)
    client = client_of("root", "admin")
    found: dict[str, int] = {}
    for path in READS:
        client.get(path)
        found[path] = counted(client, "get", path)
    changes = {}
    for asked, (body, _) in WRITES.items():
        method, _, path = asked.partition(" ")
        changes[asked] = counted(client, method.lower(), path, body)
    assert found == READS
    assert changes == {asked: count for asked, (_, count) in WRITES.items()}


def test_no_endpoint_is_left_out() -> None:
    reads, writes = " ".join(READS), " ".join(WRITES)
    for kind in COLLECTIONS:
        assert f"{META}/{kind.value}:batchGet" in reads
        for method in ("POST", "PUT", "DELETE"):
            assert any(each.startswith(method) and f"/{kind.value}" in each for each in WRITES)
    assert all(f":{verb}" in writes for verb in VERBS)
