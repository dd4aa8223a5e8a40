"""A deployment answers at its own host names as it does below `/apis/`."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from migrations_app import wiring
from migrations_app.control.registry.queries.domains import hosts
from migrations_app.models.registry import Deployment, Service
from migrations_app.resource_api.app import by_prefix
from tests.factories.access import make_account, token_of
from tests.factories.notes import end_notes
from tests.integration.resource_api.conftest import DEPLOYMENT, REGION, SERVICE, Yard

VERSIONS = frozenset({"v1alpha2", "v1"})


@pytest.fixture
def http(transactional_db: None, ports: Yard) -> Iterator[httpx.AsyncClient]:
    """A client of the whole application; what is not the resource API's is answered with 418."""
    wiring.resource_servers.cache_clear()
    Deployment.objects.filter(pk=DEPLOYMENT).update(
        details={
            "publicDomain": "Secrets.eu.example.com",
            "labelledDomains": [{"label": "x", "domain": "s.test"}],
        }
    )
    Service.objects.filter(pk=SERVICE).update(details={"globalDomain": "secrets.example.com"})

    async def _console(scope: dict[str, object], receive: object, send: object) -> None:
        await send({"type": "http.response.start", "status": 418, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b""})  # type: ignore[operator]

    make_account("olga", "operator")
    headers = {"Authorization": f"Bearer {token_of('olga')}"}
    try:
        yield httpx.AsyncClient(transport=httpx.ASGITransport(app=by_prefix(_console)), headers=headers)
    finally:
        end_notes()
        wiring.resource_servers.cache_clear()
        wiring.databases().close(ports.database)


async def test_every_host_of_a_deployment_serves_its_versions(http: httpx.AsyncClient) -> None:
    created = await http.post(
        "http://secrets.eu.example.com:8000/v1alpha2/projects/p/secrets?id=door", json={"title": "Tür"}
    )
    assert (created.status_code, created.headers["switchyard-served"]) == (201, "native")
    for host in ("SECRETS.EU.example.com", "s.test", "secrets.example.com"):
        found = await http.get(f"http://{host}/v1alpha2/projects/p/secrets/door")
        assert (found.status_code, found.json()["title"]) == (200, "Tür")
    refused = await http.get("http://s.test/v1alpha2/projects/p/doors/x")
    assert (refused.status_code, refused.json()["code"]) == (404, "address")


async def test_what_is_no_version_of_the_host_goes_to_the_console(http: httpx.AsyncClient) -> None:
    for url in (
        "http://s.test/",
        "http://s.test/v9/projects/p/secrets/door",
        "http://s.test/api/v1/health",
        "http://console.test/v1alpha2/projects/p/secrets/door",
    ):
        assert (await http.get(url)).status_code == 418


def test_hosts_are_those_of_deployments_served_here(ports: Yard) -> None:
    Deployment.objects.filter(pk=DEPLOYMENT).update(details={"publicDomain": "s.test"})
    assert hosts() == {"s.test": ((REGION, SERVICE), VERSIONS)}
    assert hosts(lambda region: region != REGION) == {}
    Deployment.objects.filter(pk=DEPLOYMENT).update(is_disabled=True)
    assert hosts() == {}
