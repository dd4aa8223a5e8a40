"""A mirror that signs each request as a deployment, and the registry that admits it: over HTTP and gRPC."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import httpx
import pytest
from django.conf import settings

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.adapters.registry_clients.grpc_registry import GrpcTransport
from migrations_app.adapters.registry_clients.http import EgressTransport, SignCall
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.control.registry.controllers.mirroring import RegistryMirror
from migrations_app.control.registry.repository import registry
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.ports.regions.peers import NamedRegistry, Peer
from migrations_app.wiring import leases, mirrored
from migrations_app.wiring.meta_clients import registry_at
from migrations_app.wiring.peer_calls import signing
from tests.contract.meta.messages import parse_error
from tests.factories.access import client_of
from tests.integration.registry.other_console import other_console
from tests.integration.registry.test_mirror import SEED, Mirroring, ask

pytestmark = pytest.mark.django_db(transaction=True)
SENDER, PERSON, STRANGER = (Peer(name, "south") for name in ("switchyard", "people", "stranger"))
NORTH = NamedRegistry("north")
KEY = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")
KEYS = ServiceKeys.of("", KEY)
OF_A_SERVICE = """
create_account(founder, NewAccount("mirror", kind="service"))
bind_role(founder, NewBinding("account", "mirror", "automation"))
"""
WIRES = ("http", "grpc")


@pytest.fixture(scope="module")
def other(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory, postgres: Postgres
) -> Iterator[httpx.Client]:
    """A second console that admits one deployment as a service account, and names a person's for another."""
    with other_console(
        tmp_path_factory.mktemp("other"),
        postgres,
        SEED.replace("print(", f"{OF_A_SERVICE}print("),
        SWITCHYARD_META_NAME=NORTH.name,
        SWITCHYARD_META_SENDERS=f"{SENDER.deployment}=mirror {PERSON.deployment}=root",
        SWITCHYARD_META_KEYS=f"south={KEYS.public}",
    ) as client:
        ask(client, "PUT", "regions/eu?allowMissing=true", {"title": "Europe"})
        policy = {"enabledRegions": ["eu"], "defaultControlRegion": "eu"}
        ask(client, "POST", "services", {"name": "services/iam", "multiRegionPolicy": policy})
        yield client


@pytest.fixture(params=WIRES)
def url(request: pytest.FixtureRequest, other: httpx.Client) -> str:
    """The other registry's address, by either protocol."""
    return str(other.base_url) if request.param == "http" else other.headers["x-grpc"]


def test_a_mirror_that_signs_as_a_deployment_follows_and_changes(
    other: httpx.Client, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        settings,
        "SWITCHYARD",
        replace(
            settings.SWITCHYARD,
            meta_url=url,
            meta_pages_url=str(other.base_url),
            meta_sender=SENDER.deployment,
            meta_audience=NORTH.name,
            service_key=KEY,
        ),
    )
    wiring.service_tokens.cache_clear()
    signing.cache_clear()
    door = mirrored()
    assert door is not None
    assert mirrored() is door
    with closing(door):
        Mirroring("", RegistryMirror(leases(), door)).follow()
        assert registry.find(RegistryKind.SERVICE, "services/iam") is not None
        title = f"by {url.partition(':')[0]}"
        answer = client_of("root", "admin").put(
            "/meta/v1/services/iam?updateMask=displayName", {"displayName": title}, format="json"
        )
        assert (answer.status_code, answer.json().get("displayName")) == (200, title), answer.content
        # Twice the same call: each is signed anew.
        for _ in range(2):
            Mirroring("", RegistryMirror(leases(), door)).follow()
    registry_at.cache_clear()
    wiring.service_tokens.cache_clear()
    signing.cache_clear()
    assert other.get("/meta/v1/services/iam").json()["displayName"] == title
    (entry, *_) = other.get("/api/v1/audit", params={"actor": "mirror"}).json()["items"]
    assert (entry["actor"], entry["actor_kind"], entry["outcome"]) == ("mirror", "service", "done")
    assert entry["reason"] == f"By a service token of {SENDER.deployment}."
    # The account's rights, and no more.
    with closing(_transport(url, _signs())) as transport:
        status, body = transport.send("DELETE", "regions/eu", b"")
        assert (status >= 400, parse_error(json.loads(body))["status"]) == (True, "PERMISSION_DENIED")


def _signs(
    sender: Peer = SENDER,
    audience: Peer | NamedRegistry = NORTH,
    *,
    keys: ServiceKeys = KEYS,
    now: Callable[[], float] = time.time,
) -> SignCall:
    tokens = ServiceTokens(keys, now)
    return lambda method, path: tokens.sign(sender, audience, method, path)


def _once() -> SignCall:
    tokens: dict[tuple[str, str], str] = {}
    signs = _signs()
    return lambda method, path: tokens.setdefault((method, path), signs(method, path))


def _transport(url: str, signs: SignCall) -> EgressTransport | GrpcTransport:
    kind = GrpcTransport if url.startswith("grpc") else EgressTransport
    return kind(url, signs, 60.0)


REFUSED: dict[str, tuple[SignCall, str]] = {
    "sender": (_signs(STRANGER), "its sender may not ask here"),
    "person": (_signs(PERSON), "its sender may not ask here"),
    "registry": (_signs(audience=NamedRegistry("east")), "it is meant for another audience"),
    "deployment": (_signs(audience=Peer("switchyard", "north")), "it is meant for another audience"),
    "method": (lambda _, path: _signs()("DELETE", path), "it is meant for another call"),
    "path": (lambda method, path: _signs()(method, f"{path}x"), "it is meant for another call"),
    "expired": (_signs(now=lambda: time.time() - 300), "it has expired, or the clocks differ"),
    "key": (_signs(keys=ServiceKeys.of("another secret")), "its signature is not good"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_not_signed_for_this_call_is_refused(url: str, kind: str) -> None:
    signs, reason = REFUSED[kind]
    with closing(_transport(url, signs)) as transport:
        status, body = transport.send("GET", "regions/eu", b"")
        assert_refused(url, status, body, reason)


def test_a_token_is_good_for_one_call_whatever_it_is_sent_by(other: httpx.Client, url: str) -> None:
    signs = _once()
    with closing(_transport(url, signs)) as transport:
        assert transport.send("GET", "regions/eu", b"")[0] == 200
        assert_refused(url, *transport.send("GET", "regions/eu", b""), "it was used before")
        with transport.stream("regions:watch", b'{"type":"STATELESS"}') as (status, messages):
            assert (status, json.loads(next(messages)) != {}) == (200, True)
        with transport.stream("regions:watch", b'{"type":"STATELESS"}') as (status, messages):
            assert_refused(url, status, b"".join(messages), "it was used before")
    header = {"authorization": f"Bearer {signs('GET', '/meta/v1/regions/eu')}"}
    again = other.get(
        "/meta/v1/regions/eu", headers={**header, "accept": "application/problem+json, application/json"}
    )
    assert (again.status_code, again.json()["code"]) == (401, "unauthenticated")
    assert "SWITCHYARD_META_SENDERS" in again.json()["remedy"]
    # Good for the Meta API alone, and not for a request that may be repeated.
    fresh = {"authorization": f"Bearer {_signs()('GET', '/api/v1/regions')}"}
    assert other.get("/api/v1/regions", headers=fresh).status_code == 401
    place = "/apis/north/switchyard/mixin/resourceShadows:doThis"
    peer = {"authorization": f"Bearer {_signs(audience=Peer('switchyard', 'north'))('POST', place)}"}
    stranger = other.post(place, headers=peer, json={})
    assert (stranger.status_code, "its signature is not good" in stranger.text) == (403, True)
    repeated = {
        "authorization": f"Bearer {_signs()('PUT', '/meta/v1/regions/eu')}",
        "idempotency-key": secrets.token_hex(8),
    }
    refused = other.put("/meta/v1/regions/eu", headers=repeated, json={})
    assert (refused.status_code, parse_error(refused.json())["reason"]) == (400, "idempotency-key")


def assert_refused(url: str, status: int, body: bytes, reason: str) -> None:
    """See that a request was refused as one without a good token, with the kind and the remedy."""
    error = parse_error(json.loads(body))
    assert (status, error["status"], error["reason"]) == (
        400 if url.startswith("grpc") else 401,
        "UNAUTHENTICATED",
        "unauthenticated",
    )
    assert error["message"].startswith(f"The service token is refused: {reason}. ")
    assert "SWITCHYARD_META_KEYS" in error["remedy"]
