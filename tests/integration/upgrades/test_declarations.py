"""Writes by name that create, repeat without effect, and are carried out together or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app.models.access import RoleBinding
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.operations import IdempotentAnswer
from migrations_app.models.windows import WindowRule
from tests.factories.access import client_of, make_account

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
WINDOW = {"effect": "deny", "cron": "0 0 * * *", "minutes": 60, "reason": "audit week"}
HOOK = {"url": "https://hooks.example.com/x/secret-1234", "events": ["upgrade.*"]}
UPSERTS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "window": ("/windows/nightly", WINDOW, WINDOW | {"minutes": 90}),
    "policy": ("/policies/two", {"purpose": "switch", "needed": 2}, {"purpose": "switch", "needed": 3}),
    "role": ("/access/roles/lookout", {"permissions": ["fleet.read"]}, {"permissions": ["upgrade.read"]}),
    "webhook": ("/hooks/by-name/ops", HOOK, HOOK | {"url": "https://hooks.example.com/y/secret-1234"}),
}


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> APIClient:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("93.184.216.34", 443))])
    return client_of("root", "admin")


def put(client: APIClient, place: str, body: object, **headers: str) -> Any:
    written = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.put(f"/api/v1{place}", body, format="json", headers=written)


def batch(client: APIClient, *requests: dict[str, Any], query: str = "") -> Any:
    return client.post(f"/api/v1/requests:batch{query}", {"requests": requests}, format="json")


def written(method: str, path: str, body: object = None, **conditions: str) -> dict[str, Any]:
    return {"method": method, "path": path, "body": body, **conditions}


@pytest.mark.parametrize("kind", UPSERTS)
def test_a_write_by_name_creates_repeats_without_a_revision_and_changes(root: APIClient, kind: str) -> None:
    place, first, second = UPSERTS[kind]
    assert put(root, place, first).json()["code"] == "precondition-required"
    assert put(root, place, first, If_Match='"7"').status_code == 404

    created = put(root, place, first, If_None_Match="*")
    assert (created.status_code, created.json()["rev"], created["ETag"]) == (201, 1, '"1"')
    entries = LedgerEntry.objects.count()
    again = put(root, place, first, If_Match="*")
    assert (again.status_code, again.json()["rev"], LedgerEntry.objects.count()) == (200, 1, entries)
    taken = put(root, place, second, If_None_Match="*")
    assert (taken.status_code, taken.json()["code"]) == (409, "name-taken")
    changed = put(root, place, second, If_Match='"1"')
    assert (changed.status_code, changed.json()["rev"], changed["ETag"]) == (200, 2, '"2"')
    assert put(root, place, first, If_Match='"1"').status_code == 412
    wrong = put(root, place, first, If_None_Match='"2"')
    assert (wrong.status_code, wrong.json()["code"]) == (400, "if-none-match")


def test_a_binding_is_written_by_what_it_says(root: APIClient) -> None:
    make_account("olga")
    given = {"subject": "olga", "role": "operator", "service": "secrets.*"}
    created = put(root, "/access/bindings", given)
    assert (created.status_code, created["ETag"]) == (201, f'"{created.json()["tag"]}"')
    again = put(root, "/access/bindings", given)
    assert (again.status_code, again.json()) == (200, created.json())
    ended = put(root, "/access/bindings", given | {"expires_at": "2031-01-01T00:00:00Z"})
    assert (ended.status_code, ended.json()["id"]) == (200, created.json()["id"])
    assert ended.json()["expires_at"].startswith("2031-01-01T00:00:00")
    assert RoleBinding.objects.filter(subject="olga").count() == 1


def test_several_writes_are_one(root: APIClient) -> None:
    make_account("olga")
    role = written("PUT", "/api/v1/access/roles/lookout", {"permissions": ["fleet.read"]}, if_none_match="*")
    binding = written("PUT", "/api/v1/access/bindings", {"subject": "olga", "role": "lookout"})
    window = written("PUT", "/api/v1/windows/nightly", WINDOW, if_match="*")
    region = written("PUT", "/meta/v1/regions/ap-1?allowMissing=true&updateMask=title", {"title": "Osaka"})

    rehearsed = batch(root, role, binding, window, region, query="?dry_run=true")
    assert [each["status"] for each in rehearsed.json()["answers"]] == [201, 201, 201, 200]
    assert root.get("/api/v1/windows/nightly").status_code == 404
    assert root.get("/meta/v1/regions/ap-1").status_code == 404

    refused = batch(root, role, window, binding | {"body": {"subject": "olga", "role": "kings"}})
    assert (refused.status_code, refused.json()["code"], refused.json()["failed_request"]) == (
        400,
        "unknown-role",
        2,
    )
    assert WindowRule.objects.count() == 0

    done = batch(root, role, binding, window, region)
    assert [each["etag"] for each in done.json()["answers"]][2] == '"1"'
    assert root.get("/meta/v1/regions/ap-1").json()["title"] == "Osaka"
    removed = batch(root, written("DELETE", "/api/v1/windows/nightly", if_match='"1"'))
    assert removed.json() == {"answers": [{"status": 204, "etag": "", "body": None}]}


def test_each_of_several_writes_takes_its_own_permission(root: APIClient) -> None:
    olga = client_of("olga", "operator")
    policy = written("PUT", "/api/v1/policies/none", {"purpose": "switch", "needed": 0}, if_match="*")
    window = written("PUT", "/api/v1/windows/nightly", WINDOW, if_match="*")
    refused = batch(olga, window, policy)
    assert (refused.status_code, refused.json()["failed_request"]) == (403, 1)
    assert refused.json()["who_can"] == ["admin"]
    assert WindowRule.objects.count() == 0
    assert LedgerEntry.objects.filter(actor="olga", outcome="denied").count() == 1
    assert batch(APIClient(), window).status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/v1/requests:batch"),
        ("DELETE", "/api/v1/tokens/x"),
        ("POST", "/api/v1/session/password"),
        ("POST", "https://other.example/api/v1/services"),
        ("POST", "/"),
        # Below the addresses of declared objects, and their other methods.
        ("POST", "/api/v1/hooks"),
        ("POST", "/api/v1/hooks/h1/rotate"),
        ("POST", "/api/v1/hooks/h1/test"),
        ("POST", "/api/v1/windows/explain"),
        ("PUT", "/api/v1/deployments/s/r/subscription"),
        ("POST", "/api/v1/deployments/s/r/switch"),
        ("POST", "/api/v1/services/s/compatibility:run"),
        ("POST", "/api/v1/rollouts/r1/start"),
        ("POST", "/meta/v1/services/s/deployments/r:beginUpgrade"),
        ("PUT", "/meta/v1/services/s/deployments/r:beginUpgrade"),
        ("PUT", "/api/v1/windows/a%2Fb/c"),
        ("PUT", "/api/v1/windows/"),
    ],
)
def test_other_addresses_are_not_written_inside_a_request(root: APIClient, method: str, path: str) -> None:
    refused = batch(root, written(method, path, {}))
    assert (refused.status_code, refused.json()["code"]) == (400, "inner-request")


def test_what_an_account_made_is_its_own(root: APIClient) -> None:
    made = {"objects": [{"kind": "Window", "name": "nightly", "spec": {"effect": "deny"}}]}
    assert put(root, "/declared-sets/payments", made).json() == {"owner": "payments", **made}
    assert root.get("/api/v1/declared-sets/payments").json()["objects"] == made["objects"]
    assert client_of("olga", "operator").get("/api/v1/declared-sets/payments").json()["objects"] == []
    assert put(root, "/declared-sets/Payments!", made).json()["code"] == "owner-label"
    entry = LedgerEntry.objects.filter(action="declaration.keep").get()
    assert entry.after == {"objects": ["Window nightly"]}


def test_a_repeat_of_what_answers_a_secret_makes_nothing_more_and_has_no_secret(root: APIClient) -> None:
    hook = written("PUT", "/api/v1/hooks/by-name/inner", HOOK, if_none_match="*")
    calls: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
        "token": ("/api/v1/tokens", {"name": "ci"}, {}),
        "webhook": ("/api/v1/hooks", HOOK | {"name": "made"}, {}),
        "batch": ("/api/v1/requests:batch", {"requests": [hook]}, {}),
    }
    for key, (path, body, more) in calls.items():
        headers = {"Idempotency-Key": key, **more}
        first, again = (root.post(path, body, format="json", headers=headers) for _ in range(2))
        assert (first.status_code, again.status_code) == (first.status_code, first.status_code)
        assert (first.headers.get("Idempotency-Replayed"), again["Idempotency-Replayed"]) == (None, "true")
        shown = first.json()["answers"][0]["body"] if key == "batch" else first.json()
        kept = again.json()["answers"][0]["body"] if key == "batch" else again.json()
        assert len(shown["secret"]) > 20
        assert kept == shown | {"secret": ""}
        row = IdempotentAnswer.objects.get(key=key)
        assert shown["secret"] not in json.dumps([row.body, dict(row.headers)])
    assert {each["name"] for each in root.get("/api/v1/hooks").json()["items"]} == {"inner", "made"}
    rotated = [
        root.post(
            f"/api/v1/hooks/{root.get('/api/v1/hooks').json()['items'][0]['id']}/rotate",
            format="json",
            headers={"Idempotency-Key": "rotate"},
        ).json()
        for _ in range(2)
    ]
    assert rotated[1] == rotated[0] | {"secret": ""}


def test_a_refusal_inside_a_batch_with_a_key_is_noted(root: APIClient) -> None:
    olga = client_of("olga", "operator")
    policy = written("PUT", "/api/v1/policies/none", {"purpose": "switch", "needed": 0}, if_match="*")
    refused = olga.post(
        "/api/v1/requests:batch", {"requests": [policy]}, format="json", headers={"Idempotency-Key": "k"}
    )
    assert (refused.status_code, refused.json()["failed_request"]) == (403, 0)
    assert LedgerEntry.objects.filter(actor="olga", outcome="denied").count() == 1
    assert IdempotentAnswer.objects.count() == 0
