"""Mirroring a second instance of our own: its picture, its changes, its upgrades, its absence."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest
from django.conf import settings

from console.embedded.postgres import Postgres
from console.env import ROOT
from migrations_app.actions.save_registered import create_registered
from migrations_app.adapters.registry_doors.http import HttpRegistry
from migrations_app.adapters.registry_mirror import RegistryMirror
from migrations_app.adapters.repositories import registry
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.documents import document
from migrations_app.domain.registry.names import Kind
from migrations_app.domain.registry.values import Deployment
from migrations_app.engine.controller import Again, Budget
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.errors import Busy, Conflict
from migrations_app.wiring import leases
from tests.conftest import empty_database
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
IAM_EU = "services/iam/deployments/eu"
SEED = """
import django; django.setup()
from migrations_app.actions.create_account import NewAccount, create_account
from migrations_app.actions.bind_role import NewBinding, bind_role
from migrations_app.actions.issue_token import issue_token
from migrations_app.domain.access import Actor, ActorKind, Grant
founder = Actor(ActorKind.USER, "founder", grants=(Grant("admin"),))
create_account(founder, NewAccount("root", "root@example.com"))
bind_role(founder, NewBinding("account", "root", "admin"))
print(issue_token(founder, "root", "mirror").secret)
"""


@pytest.fixture
def other(children: Children, postgres: Postgres) -> Iterator[httpx.Client]:
    """A second console with a control database of its own, and a client of it."""
    with empty_database(postgres) as name:
        own = {"DATABASE_URL": postgres.url(name)}
        environment = children.environment() | own
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=environment, check=True, capture_output=True)
        made = subprocess.run(
            [sys.executable, "-c", SEED],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        token = made.stdout.split()[-1]
        url = children.start_web("other", **own)
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=20.0) as client:
            client.headers["x-token"] = token
            yield client
        children.kill("other")


def ask(client: httpx.Client, method: str, path: str, body: object) -> None:
    """Ask the other console for a change."""
    answer = client.request(method, f"/meta/v1/{path}", json=body)
    assert answer.status_code == 200, answer.text


def test_the_mirror_shows_what_the_other_registry_has_and_follows_it(
    other: httpx.Client,
) -> None:
    policy = {"enabledRegions": ["eu"], "defaultControlRegion": "eu"}
    service = {"name": "services/iam", "allVersions": ["v1", "v2"], "multiRegionPolicy": policy}
    ask(other, "POST", "regions", {"name": "regions/eu", "title": "Europe"})
    ask(other, "POST", "services", service)
    ask(other, "POST", "services/iam/deployments", {"name": IAM_EU, "currentVersion": "v1"})
    door = HttpRegistry(str(other.base_url), other.headers["x-token"])
    mirror = RegistryMirror(leases(), door)

    def slice_of_work() -> None:
        lease = leases().take("mirror", "registry", holder="test", lease_seconds=30.0)
        assert lease is not None
        assert isinstance(mirror.reconcile("registry", Budget(5.0, SystemClock()), lease), Again)
        leases().settle(lease, Again())

    create_registered(SYSTEM, Kind.REGION, "regions/ours", {})
    slice_of_work()
    assert registry.find(Kind.REGION, "regions/ours") is None
    mirrored = registry.get(Kind.DEPLOYMENT, IAM_EU)
    theirs = other.get(f"/meta/v1/{IAM_EU}").json()
    shown = document(mirrored)
    assert {key: value for key, value in shown.items() if key != "metadata"} == {
        key: value for key, value in theirs.items() if key != "metadata"
    }

    ask(other, "POST", f"{IAM_EU}:setAvailableUpgrade", {"targetApiVersion": "v2", "totalShardsCount": 2})
    ask(other, "POST", f"{IAM_EU}:beginUpgrade", {})
    ask(other, "POST", f"{IAM_EU}:notifyShardsUpgradeReadiness", {"ready": True, "totalShardsCount": 2})
    slice_of_work()
    moving = registry.get(Kind.DEPLOYMENT, IAM_EU)
    assert isinstance(moving, Deployment)
    assert moving.upgrade_state is not None
    assert (moving.upgrade_state.ready_shards, moving.upgrade_state.pending_shards) == ((0,), (1,))

    door.close()


def test_a_registry_that_is_away_leaves_the_picture_as_it_is() -> None:
    create_registered(SYSTEM, Kind.REGION, "regions/ours", {})
    door = HttpRegistry("http://127.0.0.1:9", "x")
    lease = leases().take("mirror", "registry", holder="test", lease_seconds=30.0)
    assert lease is not None
    with pytest.raises(Busy):
        RegistryMirror(leases(), door).reconcile("registry", Budget(5.0, SystemClock()), lease)
    assert registry.find(Kind.REGION, "regions/ours") is not None
    door.close()


def test_a_mirrored_registry_is_changed_where_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        settings, "SWITCHYARD", replace(settings.SWITCHYARD, meta_url="https://meta.example.com")
    )
    with pytest.raises(Conflict) as refused:
        create_registered(SYSTEM, Kind.REGION, "regions/eu", {})
    assert refused.value.code == "registry-mirrored"
