"""Every request for resources × every role × where it counts: who may not ask there learns and changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

import pytest

from migrations_app import wiring
from migrations_app.domain.access import ROLES, Actor, ActorKind, Grant, roles_with
from migrations_app.kernel import json
from migrations_app.kernel.errors import Denied, SwitchyardError
from migrations_app.kernel.json import Json
from migrations_app.resource_api.exchange import ResourceRequest
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
VERBS = ("", ":batchGet", ":batchWrite", ":search", ":watch", ":purge")
PLACES = (
    "",
    "openapi.json",
    "projects/p/secrets",
    "projects/p/secrets/door",
    "projects/p/secrets/absent",
    "projects/p/secretGrants/g1",
    "resourceShadows/projects/p/secrets/door",
    "no/such/type",
)
SCOPES = {
    "here": Grant("", SERVICE, REGION),
    "another region": Grant("", region="us-1"),
    "another service": Grant("", service="files.example.com"),
}
SECRET = "a word that only the secret holds"


def actor(role: str, scope: str) -> Actor:
    return Actor(ActorKind.USER, f"{role} of {scope}", grants=(replace(SCOPES[scope], role=role),))


def requests() -> Iterator[ResourceRequest]:
    body: Json = {"member": "changed", "names": ["projects/p/secrets/door"]}
    for method in METHODS:
        for place in PLACES:
            for verb in VERBS:
                path = quote(f"/apis/{REGION}/{SERVICE}/v1alpha2/{place}{verb}", safe="/:")
                sent = json.encode(body) if method in ("POST", "PUT", "PATCH") else b""
                yield ResourceRequest(
                    method, path, "id=made" if method == "POST" and not verb else "", {}, sent
                )


@pytest.fixture
def stored(granted: Yard) -> Yard:
    granted.call("PATCH", "projects/p/secretGrants/g1", {"member": SECRET}, updateMask="member")
    return granted


def digest(ports: Yard) -> str:
    """Sum up every table of the place where the data are, but for what background work wrote."""
    place = ports.namespace("v1alpha2")
    found = hashlib.sha256()
    with wiring.databases().connection(place.database) as database:
        tables = database.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = %s ORDER BY 1",
            (place.schema,),
        ).fetchall()
        for (name,) in tables:
            rows = database.execute(f'SELECT t::text FROM "{place.schema}"."{name}" t ORDER BY 1').fetchall()
            found.update(f"{name} {rows}".encode())
    return found.hexdigest()


def asked(ports: Yard, request: ResourceRequest, who: Actor) -> SwitchyardError | str:
    """Ask as the ASGI application does: first for a watch, then for an answer."""
    try:
        watched = ports.api.watcher(request, who)
        if watched is not None:
            return "watched"
        return f"{ports.api.answer(request, who).document}"
    except SwitchyardError as error:
        return error


@pytest.mark.parametrize("role", sorted(ROLES))
def test_who_may_not_ask_there_learns_nothing_and_changes_nothing(stored: Yard, role: str) -> None:
    before, wrong, refused = digest(stored), [], 0
    for scope in SCOPES:
        who = actor(role, scope)
        for request in requests():
            permission = "resource.read" if request.reads else "resource.write"
            if scope == "here" and role in roles_with(permission):
                continue
            answer = asked(stored, request, who)
            refused += 1
            if not isinstance(answer, Denied):
                wrong.append(f"{role} of {scope}: {request.method} {request.path}: {answer!r}")
            elif SECRET in str(answer):
                wrong.append(f"{role} of {scope}: {request.method} {request.path} tells the secret")
    assert wrong == [], "\n".join(wrong[:20])
    assert refused >= 2 * len(METHODS) * len(PLACES) * len(VERBS)
    assert digest(stored) == before


@pytest.mark.parametrize("role", sorted(ROLES))
def test_who_may_ask_there_is_never_refused_for_who_they_are(stored: Yard, role: str) -> None:
    who, answered, before = actor(role, "here"), 0, digest(stored)
    for request in requests():
        if role in roles_with("resource.read" if request.reads else "resource.write"):
            answer = asked(stored, request, who)
            assert not isinstance(answer, Denied), (request, answer)
            answered += not isinstance(answer, SwitchyardError)
    reads, writes = (role in roles_with(each) for each in ("resource.read", "resource.write"))
    assert (answered > 0) == (reads or writes)
    assert (digest(stored) != before) == writes
