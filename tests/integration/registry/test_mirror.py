"""Mirroring a second instance of our own: its picture, its changes, its upgrades, its absence."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import ClassVar

import httpx
import pytest
from django.conf import settings
from django.utils import timezone
from rest_framework.test import APIClient

from console.embedded.postgres import Postgres
from migrations_app.adapters.registry_clients.http import HttpRegistry
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.registry.commands.save_registered import create_registered
from migrations_app.control.registry.controllers.mirroring import RegistryMirror
from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import SYSTEM, actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.votes import Ballot, VoteVerdict
from migrations_app.domain.registry.documents import document
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Deployment
from migrations_app.engine.controller import Again, Budget
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.errors import Busy, Conflict
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import RegistryHead
from migrations_app.models.upgrades import Upgrade
from migrations_app.models.work import Pulse
from migrations_app.wiring import leases, mirrored
from migrations_app.wiring.meta_clients import registry_at
from tests.contract.meta.messages import parse_error
from tests.factories.access import client_of, with_account
from tests.integration.registry.other_console import other_console

pytestmark = pytest.mark.django_db(transaction=True)
IAM_EU = "services/iam/deployments/eu"
SEED = """
import django; django.setup()
from django.utils import timezone
from migrations_app.control.access.commands.create_account import NewAccount, create_account
from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.commands.issue_token import issue_token
from migrations_app.domain.access import Actor, ActorKind, Grant
founder = Actor(ActorKind.USER, "founder", grants=(Grant("admin"),), proved_at=timezone.now())
create_account(founder, NewAccount("root", "root@example.com"))
bind_role(founder, NewBinding("account", "root", "admin"))
print(issue_token(founder, "root", "mirror").secret)
"""


@pytest.fixture(scope="module")
def other(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory, postgres: Postgres
) -> Iterator[httpx.Client]:
    """A second console with a control database of its own, and a client of it."""
    with other_console(tmp_path_factory.mktemp("other"), postgres, SEED) as client:
        yield client


def ask(client: httpx.Client, method: str, path: str, body: object) -> None:
    """Ask the other console for a change."""
    answer = client.request(method, f"/meta/v1/{path}", json=body)
    assert answer.status_code == 200, answer.text


def mirror_health(client: APIClient, url: str) -> tuple[str, str]:
    """Tell what the health page of a mirror says of the registry at an address, with its age as N."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "SWITCHYARD", replace(settings.SWITCHYARD, meta_url=url))
        parts = client.get("/api/v1/health").json()["components"]
    (part,) = [each for each in parts if each["name"] == "mirror"]
    return part["status"], re.sub(r"read \d+ s", "read N s", part["detail"])


def test_the_mirror_shows_what_the_other_registry_has_and_follows_it(
    other: httpx.Client,
) -> None:
    url, vera = str(other.base_url), client_of("vera", "viewer")
    policy = {"enabledRegions": ["eu"], "defaultControlRegion": "eu"}
    service = {"name": "services/iam", "allVersions": ["v1", "v2"], "multiRegionPolicy": policy}
    ask(other, "PUT", "regions/eu?allowMissing=true", {"title": "Europe"})
    ask(other, "POST", "services", service)
    ask(other, "POST", "services/iam/deployments", {"name": IAM_EU, "currentVersion": "v1"})
    door = HttpRegistry(str(other.base_url), other.headers["x-token"])
    mirror = RegistryMirror(leases(), door)

    def slice_of_work() -> None:
        lease = leases().take("mirror", "registry", holder="test", lease_seconds=30.0)
        assert lease is not None
        assert isinstance(mirror.reconcile("registry", Budget(5.0, SystemClock()), lease), Again)
        leases().settle(lease, Again())

    create_registered(SYSTEM, RegistryKind.REGION, "regions/ours", {})
    assert mirror_health(vera, url) == ("down", f"The registry at {url} was never read whole.")
    slice_of_work()
    assert mirror_health(vera, url) == ("ok", f"The registry at {url} was read N s ago.")
    Pulse.objects.filter(name="mirror").update(at=timezone.now() - timedelta(seconds=95))
    old = f"The registry at {url} was read N s ago. What is shown of it is as old."
    assert mirror_health(vera, url) == ("down", old)
    assert registry.find(RegistryKind.REGION, "regions/ours") is None
    mirrored = registry.get(RegistryKind.DEPLOYMENT, IAM_EU)
    theirs = other.get(f"/meta/v1/{IAM_EU}").json()
    shown = document(mirrored)
    assert {key: value for key, value in shown.items() if key != "metadata"} == {
        key: value for key, value in theirs.items() if key != "metadata"
    }
    given = ("uuid", "createTime", "updateTime", "resourceVersion")
    assert {key: shown["metadata"][key] for key in given} == {key: theirs["metadata"][key] for key in given}  # type: ignore[index,call-overload]
    seq = RegistryHead.objects.get().seq
    slice_of_work()
    assert RegistryHead.objects.get().seq == seq

    ask(other, "POST", f"{IAM_EU}:setAvailableUpgrade", {"targetApiVersion": "v2", "totalShardsCount": 2})
    ask(other, "POST", f"{IAM_EU}:beginUpgrade", {})
    ask(other, "POST", f"{IAM_EU}:notifyShardsUpgradeReadiness", {"ready": True, "totalShardsCount": 2})
    slice_of_work()
    moving = registry.get(RegistryKind.DEPLOYMENT, IAM_EU)
    assert isinstance(moving, Deployment)
    assert moving.upgrade_state is not None
    assert (moving.upgrade_state.ready_shards, moving.upgrade_state.pending_shards) == ((0,), (1,))

    door.close()


def test_a_registry_that_is_away_leaves_the_picture_as_it_is() -> None:
    create_registered(SYSTEM, RegistryKind.REGION, "regions/ours", {})
    door = HttpRegistry("http://127.0.0.1:9", "x")
    lease = leases().take("mirror", "registry", holder="test", lease_seconds=30.0)
    assert lease is not None
    with pytest.raises(Busy):
        RegistryMirror(leases(), door).reconcile("registry", Budget(5.0, SystemClock()), lease)
    assert registry.find(RegistryKind.REGION, "regions/ours") is not None
    door.close()


class Mirroring:
    """Follows the other registry when told to; `deployment` is the one it has for this test."""

    def __init__(self, deployment: str, mirror: RegistryMirror) -> None:
        self.deployment, self._mirror = deployment, mirror

    def follow(self) -> None:
        """Run one slice of the mirror's controller."""
        lease = leases().take("mirror", "registry", holder="test", lease_seconds=30.0)
        assert lease is not None
        assert isinstance(self._mirror.reconcile("registry", Budget(5.0, SystemClock()), lease), Again)
        leases().settle(lease, Again())


@pytest.fixture(params=["http", "grpc"])
def mirroring(
    request: pytest.FixtureRequest, other: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Mirroring]:
    """This console as a mirror of the other one, which has a service at v1 with v2 on offer in two shards."""
    name = f"services/iam-{secrets.token_hex(4)}"
    deployment = f"{name}/deployments/eu"
    policy = {"enabledRegions": ["eu"], "defaultControlRegion": "eu"}
    ask(other, "PUT", "regions/eu?allowMissing=true", {})
    ask(other, "POST", "services", {"name": name, "allVersions": ["v1", "v2"], "multiRegionPolicy": policy})
    ask(other, "POST", f"{name}/deployments", {"name": deployment, "currentVersion": "v1"})
    ask(other, "POST", f"{deployment}:setAvailableUpgrade", {"targetApiVersion": "v2", "totalShardsCount": 2})
    url, token = str(other.base_url), other.headers["x-token"]
    ways = {"http": {"meta_url": url}, "grpc": {"meta_url": other.headers["x-grpc"], "meta_pages_url": url}}
    env = replace(settings.SWITCHYARD, **ways[request.param], meta_token=token)
    monkeypatch.setattr(settings, "SWITCHYARD", env)
    door = mirrored()
    assert door is not None
    made = Mirroring(deployment, RegistryMirror(leases(), door))
    made.follow()
    yield made
    door.close()
    registry_at.cache_clear()


def test_the_picture_is_that_of_the_other_registry_and_follows_it(
    other: httpx.Client, mirroring: Mirroring
) -> None:
    theirs = other.get(f"/meta/v1/{mirroring.deployment}").json()
    shown = document(registry.get(RegistryKind.DEPLOYMENT, mirroring.deployment))
    given = ("uuid", "createTime", "updateTime", "resourceVersion")
    for key in theirs.keys() - {"metadata"}:
        assert shown[key] == theirs[key]
    assert {key: shown["metadata"][key] for key in given} == {key: theirs["metadata"][key] for key in given}  # type: ignore[index,call-overload]
    ask(other, "POST", f"{mirroring.deployment}:beginUpgrade", {})
    ready = {"ready": True, "totalShardsCount": 2}
    ask(other, "POST", f"{mirroring.deployment}:notifyShardsUpgradeReadiness", ready)
    mirroring.follow()
    moving = registry.get(RegistryKind.DEPLOYMENT, mirroring.deployment)
    assert isinstance(moving, Deployment)
    assert moving.upgrade_state is not None
    assert (moving.upgrade_state.ready_shards, moving.upgrade_state.pending_shards) == ((0,), (1,))
    ask(other, "POST", f"{mirroring.deployment}:notifyShardsUpgradeReadiness", {**ready, "shardsTo": 1})
    seq = RegistryHead.objects.get().seq
    mirroring.follow()
    mirroring.follow()
    assert RegistryHead.objects.get().seq == seq + 1


def test_changes_go_to_where_the_registry_is_kept(other: httpx.Client, mirroring: Mirroring) -> None:
    root = client_of("root", "admin")
    path = f"/meta/v1/{mirroring.deployment}?updateMask=publicDomain"
    answer = root.put(path, {"publicDomain": "iam.eu"}, format="json")
    assert (answer.status_code, answer.json()["publicDomain"]) == (200, "iam.eu")
    assert other.get(f"/meta/v1/{mirroring.deployment}").json()["publicDomain"] == "iam.eu"
    mirroring.follow()
    assert root.get(f"/meta/v1/{mirroring.deployment}").json()["publicDomain"] == "iam.eu"
    entry = LedgerEntry.objects.get(action="registry.forward")
    assert (entry.actor, entry.outcome) == ("root", "done")
    # The revision that the mirror shows is the one that the registry checks.
    seen = root.get(f"/meta/v1/{mirroring.deployment}").json()["metadata"]["resourceVersion"]
    stale = root.put(path, {"publicDomain": "x"}, format="json", headers={"If-Match": '"1"'})
    assert (stale.status_code, parse_error(stale.json())["status"]) == (412, "ABORTED")
    rehearsed = root.put(
        f"{path}&dryRun=true", {"publicDomain": "x"}, format="json", headers={"If-Match": f'"{seen}"'}
    )
    assert rehearsed.status_code == 200, rehearsed.content
    assert LedgerEntry.objects.filter(action="registry.forward", outcome="dry_run").count() == 1
    assert other.get(f"/meta/v1/{mirroring.deployment}").json()["publicDomain"] == "iam.eu"

    refused = root.delete(f"/meta/v1/{mirroring.deployment.partition('/deployments')[0]}")
    assert (refused.status_code, parse_error(refused.json())["reason"]) == (409, "service-in-use")
    stranger = client_of("vera", "viewer").put(path, {"publicDomain": "x"}, format="json")
    assert stranger.status_code == 403
    assert other.get(f"/meta/v1/{mirroring.deployment}").json()["publicDomain"] == "iam.eu"
    with pytest.raises(Conflict) as own:
        create_registered(SYSTEM, RegistryKind.REGION, "regions/us", {})
    assert own.value.code == "registry-mirrored"


def test_an_upgrade_is_begun_there_once_it_is_approved_here(
    other: httpx.Client, mirroring: Mirroring
) -> None:
    olga, path = client_of("olga", "operator"), f"/meta/v1/{mirroring.deployment}:beginUpgrade"
    body = {"targetVersion": "v2", "totalShardsCount": 2}
    # There it has two shards: what that registry would refuse is refused before anybody is asked for a vote.
    offered = {"targetApiVersion": "v2", "totalShardsCount": 4}
    ask(other, "POST", f"{mirroring.deployment}:setAvailableUpgrade", offered)
    wrong = olga.post(path, body, format="json").json()
    assert parse_error(wrong)["reason"] == "upgrade-ring-differs"
    assert ApprovalRequest.objects.count() == 0
    ask(other, "POST", f"{mirroring.deployment}:setAvailableUpgrade", {**offered, "totalShardsCount": 2})
    for _ in range(2):
        refused = olga.post(path, body, format="json")
        assert (refused.status_code, parse_error(refused.json())["reason"]) == (409, "approval-needed")
    request = ApprovalRequest.objects.get()
    assert refused.json()["message"].startswith(f"It takes 2 approvals of approver; {request.id} asks for")
    assert "upgradeState" not in other.get(f"/meta/v1/{mirroring.deployment}").json()
    for name in ("ann", "bob"):
        cast_vote(
            with_account(actor_with(name, "approver")),
            request.id,
            Ballot(VoteVerdict.APPROVE, request.digest, "seen"),
        )
    begun = olga.post(path, body, format="json")
    assert begun.status_code == 200, begun.content
    theirs = other.get(f"/meta/v1/{mirroring.deployment}").json()
    assert theirs["upgradeState"]["pendingShards"] == [0, 1]
    upgrade = Upgrade.objects.get()
    assert ApprovalRequest.objects.get().closed_as == "USED"
    assert upgrade.lines.order_by("-id").first().text.endswith("it continues there.")  # type: ignore[union-attr]
    shown = olga.get(f"/api/v1/upgrades/{upgrade.id}").json()
    _, service, _, region = mirroring.deployment.split("/")
    link = f"{str(other.base_url).rstrip('/')}/services/{service}/deployments/{region}"
    assert (shown["state"], shown["handed_over_to"]) == ("HANDED_OVER", link)
    assert shown["sentence"] == (
        f"{service.split('.', 1)[0]} @ {region} continues at {link}: its upgrade to v2 was approved here,"
        " and is carried out there."
    )
    assert [step["state"] for step in shown["steps"] if step["step"] == "Handed over"] == ["done"]
    mirroring.follow()
    cell = next(
        one for one in olga.get("/api/v1/fleet").json()["cells"] if one["name"] == mirroring.deployment
    )
    assert (cell["state"], cell["target_version"], cell["total"]) == ("INITIAL_SYNCING", "v2", 2)
    assert parse_error(olga.post(path, body, format="json").json())["reason"] == "upgrade-running"


def test_a_planned_upgrade_is_started_there(other: httpx.Client, mirroring: Mirroring) -> None:
    olga = client_of("olga", "operator")
    apply_policy(actor_with("root", "admin"), Policy("none", Purpose.SWITCH, needed=0))
    planned = olga.post(
        "/api/v1/upgrades", {"deployment": mirroring.deployment, "target_version": "v2"}, format="json"
    )
    assert planned.status_code in (200, 201), planned.content
    upgrade = planned.json()["id"]
    seen = {"HTTP_IF_MATCH": f'"{planned.json()["rev"]}"'}
    started = olga.post(f"/api/v1/upgrades/{upgrade}/start", {}, format="json", **seen)
    assert started.status_code == 200, started.content
    assert other.get(f"/meta/v1/{mirroring.deployment}").json()["upgradeState"]["targetVersion"] == "v2"


def test_while_the_other_registry_is_away_a_plan_stays_a_plan(
    mirroring: Mirroring, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply_policy(actor_with("root", "admin"), Policy("none", Purpose.SWITCH, needed=0))
    scheme = settings.SWITCHYARD.meta_url.partition(":")[0]
    away = replace(settings.SWITCHYARD, meta_url=f"{scheme}://127.0.0.1:9")
    monkeypatch.setattr(settings, "SWITCHYARD", away)
    refused = client_of("olga", "operator").post(
        f"/meta/v1/{mirroring.deployment}:beginUpgrade", {}, format="json"
    )
    assert (refused.status_code, parse_error(refused.json())["status"]) == (503, "UNAVAILABLE")
    assert Upgrade.objects.get().state == "PLANNED"


class ForeignRegistry(BaseHTTPRequestHandler):
    """A registry that ignores what it does not know, as one may, and carries everything out."""

    requests: ClassVar[list[str]] = []

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.requests.append(f"{self.command} {self.path}")
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_GET = do_POST = do_PUT = do_DELETE = _answer

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """This console as a mirror of a foreign registry; the requests that reach it."""
    monkeypatch.setattr(ForeignRegistry, "requests", [])
    server = ThreadingHTTPServer(("127.0.0.1", 0), ForeignRegistry)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(settings, "SWITCHYARD", replace(settings.SWITCHYARD, meta_url=url, meta_token="t"))
    yield ForeignRegistry.requests
    server.shutdown()
    server.server_close()
    registry_at.cache_clear()


def test_every_change_of_the_registry_goes_to_where_it_is_kept(foreign: list[str]) -> None:
    root = client_of("root", "admin")
    changes: list[tuple[str, str, dict[str, object]]] = [
        ("POST", "services", {"name": "services/iam"}),
        ("PUT", "services/iam?allowMissing=true", {"displayName": "IAM"}),
        ("DELETE", "services/iam?allowMissing=true", {}),
        ("POST", "services/iam/deployments", {"name": IAM_EU, "currentVersion": "v1"}),
        ("POST", f"{IAM_EU}:setAvailableUpgrade", {"targetApiVersion": "v2"}),
        ("POST", f"{IAM_EU}:notifyShardsUpgradeReadiness", {"shardsFrom": 0, "shardsTo": 1, "ready": True}),
        ("POST", f"{IAM_EU}:getOrRegisterDataUpdateTask", {"tag": "t", "shardsCount": 2}),
        ("POST", f"{IAM_EU}:updateDataTaskUpdate", {"tag": "t", "shard": 0, "done": True}),
    ]
    for method, path, body in changes:
        answer = root.generic(method, f"/meta/v1/{path}", json.dumps(body), content_type="application/json")
        assert (answer.status_code, answer.json()) == (200, {}), f"{method} {path}: {answer.content!r}"
    assert foreign == [f"{method} /meta/v1/{path}" for method, path, _ in changes]
    assert registry.find(RegistryKind.SERVICE, "services/iam") is None


def test_a_registry_without_dry_runs_is_never_asked_for_one(foreign: list[str]) -> None:
    refused = client_of("root", "admin").put(
        "/meta/v1/regions/eu?validateOnly=true", {"title": "x"}, format="json"
    )
    assert (refused.status_code, parse_error(refused.json())["reason"]) == (400, "dry-run")
    assert foreign == ["DELETE /meta/v1/regions/no-such-region-for-dry-runs?dryRun=perhaps&allowMissing=true"]


class ArrayRegistry(BaseHTTPRequestHandler):
    """A registry that answers a watch with the elements of one array, in parts that end anywhere."""

    protocol_version = "HTTP/1.1"
    parts: ClassVar[list[bytes]] = [
        b'[{"regionChanges":[{"current":{"region":{"name":"regions/eu","title":"{Eu',
        b'rope]"}}}],"isCurrent":true,"resumeToken":"t1"}',
        b",",
        b'{"isCurrent":true,"resumeToken":"t2"}]',
    ]

    def do_POST(self) -> None:
        """Answer any watch."""
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.send_response(200)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for part in (*self.parts, b""):
            self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_watch_that_is_answered_with_an_array_is_read_element_by_element() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), ArrayRegistry)
    Thread(target=server.serve_forever, daemon=True).start()
    foreign = HttpRegistry(f"http://127.0.0.1:{server.server_port}", "t")
    try:
        first, second = list(foreign.watch(RegistryKind.REGION, "", Event()))
    finally:
        foreign.close()
        server.shutdown()
        server.server_close()
    assert first.upserted == {"regions/eu": {"name": "regions/eu", "title": "{Europe]"}}
    assert [(each.is_current, each.token, each.hard_reset) for each in (first, second)] == [
        (True, "t1", True),
        (True, "t2", False),
    ]
