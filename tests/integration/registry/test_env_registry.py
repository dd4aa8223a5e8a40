"""EnvRegistry, directly and over HTTP: registration, races, subscriptions, restarts, resets."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import close_old_connections, connections

from migrations_app.adapters.registry_clients.http import HttpRegistry
from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.control.registry.commands.save_registered import create_registered, update_registered
from migrations_app.control.registry.controllers.registry_keeping import forget
from migrations_app.control.registry.local_registry import LocalRegistry
from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Deployment, Resource, Service, VersionedInfo
from migrations_app.engine.registry.env_registry import EnvRegistry
from migrations_app.engine.registry.registration import Registration, register
from migrations_app.kernel.clock import Clock, HeldClock
from migrations_app.kernel.errors import Busy, Conflict
from tests.factories.access import make_account, token_of
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
IAM_EU = "services/iam/deployments/eu"
UPDATED = (("publicDomain",),)


class Local(LocalRegistry):
    """The local client, for threads of a test: each closes its connection when its watch ends."""

    def watch(self, kind, token, stop):  # type: ignore[no-untyped-def]
        """Watch, and close this thread's connections at the end."""
        try:
            yield from super().watch(kind, token, stop)
        finally:
            connections.close_all()


def soon(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it did not come to hold in time"
        time.sleep(0.05)


@pytest.fixture
def started() -> Iterator[Callable[..., EnvRegistry]]:
    """Start environments and close them afterwards."""
    running: list[EnvRegistry] = []

    def start(
        client: object, wanted: Registration, seconds: float = 120.0, clock: Clock | None = None
    ) -> EnvRegistry:
        env = EnvRegistry(client, wanted, clock)  # type: ignore[arg-type]
        running.append(env)
        env.start(seconds)
        return env

    yield start
    for env in running:
        env.close()
        for thread in env._threads:
            thread.join(120)
    close_old_connections()


def test_start_registers_and_waits_for_the_first_whole_picture(started: Callable[..., EnvRegistry]) -> None:
    wanted = Registration(
        "iam", "eu", ("v1",), deployment_fields={"publicDomain": "iam.eu"}, makes_region=True
    )
    env = started(Local(), wanted)
    assert set(env.services()) == {"services/iam"}
    mine = env.my_deployment()
    assert mine is not None
    assert (mine["publicDomain"], mine["currentVersion"]) == ("iam.eu", "v1")
    assert env.age_seconds < 60.0


def test_a_late_subscriber_gets_the_snapshot_then_live_changes(started: Callable[..., EnvRegistry]) -> None:
    env = started(Local(), Registration("iam", "eu", ("v1",), makes_region=True))
    subscription = env.subscribe()
    assert [subscription.next(60.0).name for _ in range(2)] == ["services/iam", IAM_EU]  # type: ignore[union-attr]
    update_registered(SYSTEM, RegistryKind.DEPLOYMENT, IAM_EU, {"publicDomain": "new"}, mask=UPDATED)
    changed = subscription.next(60.0)
    assert changed is not None
    assert changed.document is not None
    assert (changed.name, changed.document["publicDomain"]) == (IAM_EU, "new")
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/stranger", {})
    assert subscription.next(0.5) is None
    delete_registered(SYSTEM, RegistryKind.DEPLOYMENT, IAM_EU)
    gone = subscription.next(60.0)
    assert gone is not None
    assert (gone.name, gone.document) == (IAM_EU, None)
    assert env.my_deployment() is None


def test_a_refused_registration_is_raised_with_its_rule(started: Callable[..., EnvRegistry]) -> None:
    with pytest.raises(Conflict) as refused:
        started(Local(), Registration("iam", "nowhere", ("v1",)))
    assert refused.value.code == "region-unknown"


def test_twenty_racing_registrations_converge() -> None:
    regions = [f"r{number:02}" for number in range(20)]
    for region in regions:
        create_registered(SYSTEM, RegistryKind.REGION, f"regions/{region}", {})
    failures: list[BaseException] = []
    together = threading.Barrier(len(regions))

    def run(region: str) -> None:
        try:
            together.wait(120)
            register(
                Local(), Registration("iam", region, ("v1", "v2"), generation=3), lambda _: time.sleep(0.01)
            )
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(region,)) for region in regions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert failures == []
    service = registry.get(RegistryKind.SERVICE, "services/iam")
    assert isinstance(service, Service)
    assert service.multi_region_policy.enabled_regions == tuple(regions)
    assert service.all_versions == ("v2", "v1")
    assert [one.region_id for one in registry.deployments_of("iam")] == regions


def test_an_older_program_leaves_a_newer_registration_alone() -> None:
    create_registered(SYSTEM, RegistryKind.REGION, "regions/eu", {})
    create_registered(SYSTEM, RegistryKind.REGION, "regions/us", {})
    no_pause: Callable[[int], None] = lambda _: None  # noqa: E731
    register(Local(), Registration("iam", "eu", ("v1", "v2"), generation=5), no_pause)
    register(Local(), Registration("iam", "us", ("v1",), generation=4), no_pause)
    service = registry.get(RegistryKind.SERVICE, "services/iam")
    assert isinstance(service, Service)
    assert (service.all_versions, service.env_registry_generation) == (("v2", "v1"), 5)
    assert service.multi_region_policy.enabled_regions == ("eu", "us")
    us = registry.get(RegistryKind.DEPLOYMENT, "services/iam/deployments/us")
    assert isinstance(us, Deployment)
    assert us.current_version == "v1"


def test_over_http_it_outlives_a_restart_and_a_hard_reset(
    children: Children, started: Callable[..., EnvRegistry]
) -> None:
    make_account("iam", "admin", kind="service")
    secret = token_of("iam")
    url = children.start_web()
    client = HttpRegistry(url, secret)
    clock = HeldClock()
    env = started(client, Registration("iam", "eu", ("v1",), makes_region=True), clock=clock)
    assert env.my_deployment() is not None
    assert env.age_seconds == 0.0
    children.kill("web")
    clock.advance(100.0)
    assert env.age_seconds == 100.0
    update_registered(SYSTEM, RegistryKind.DEPLOYMENT, IAM_EU, {"publicDomain": "meanwhile"}, mask=UPDATED)
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/audit", {"usedServices": ["services/iam"]})
    delete_registered(SYSTEM, RegistryKind.SERVICE, "services/audit")
    # The changes it missed are forgotten: it has to be told everything again.
    forget(timedelta(0))
    assert (env.my_deployment() or {}).get("publicDomain") is None
    port = int(url.rpartition(":")[2])
    children.start_web_at("web", port)
    soon(lambda: (env.my_deployment() or {}).get("publicDomain") == "meanwhile")
    assert set(env.services()) == {"services/iam"}
    soon(lambda: env.age_seconds == 0.0)
    env.close()
    children.kill("web")
    client.close()


def test_twenty_registrations_over_http_outlive_a_restart_in_the_middle(children: Children) -> None:
    regions = [f"r{number:02}" for number in range(20)]
    for region in regions:
        create_registered(SYSTEM, RegistryKind.REGION, f"regions/{region}", {})
    make_account("iam", "admin", kind="service")
    secret, url = token_of("iam"), children.start_web()
    types: tuple[Any, ...] = ({"name": "services/iam/resources/User", "versions": ["v1"]},)
    failures: list[BaseException] = []

    def run(region: str) -> None:
        client = HttpRegistry(url, secret)
        env = EnvRegistry(client, Registration("iam", region, ("v1",), resources=types))
        try:
            env.start(120.0)
            assert f"services/iam/deployments/{region}" in env.deployments()
        except BaseException as error:
            failures.append(error)
        finally:
            env.close()
            client.close()

    threads = [threading.Thread(target=run, args=(region,)) for region in regions]
    for thread in threads:
        thread.start()
    soon(lambda: len(registry.deployments_of("iam")) >= 3, 60.0)
    children.kill("web")
    assert len(registry.deployments_of("iam")) < 20
    children.start_web_at("web", int(url.rpartition(":")[2]))
    for thread in threads:
        thread.join(120)
    assert failures == []
    service = registry.get(RegistryKind.SERVICE, "services/iam")
    assert isinstance(service, Service)
    assert service.multi_region_policy.enabled_regions == tuple(regions)
    assert [one.region_id for one in registry.deployments_of("iam")] == regions


def test_resource_types_are_registered_and_gain_versions(started: Callable[..., EnvRegistry]) -> None:
    name = "services/iam/resources/User"
    old: Any = {"name": name, "versions": ["v1"], "versionedInfos": [{"version": "v1"}]}
    new: Any = {
        **old,
        "fqn": "iam/User",
        "versions": ["v2"],
        "versionedInfos": [{"version": "v2", "isRegional": True}],
    }
    started(Local(), Registration("iam", "eu", ("v1",), resources=(old,), makes_region=True))
    started(Local(), Registration("iam", "eu", ("v1", "v2"), generation=2, resources=(new,)))
    started(Local(), Registration("iam", "eu", ("v1",), generation=1, resources=({**old, "fqn": "x"},)))
    user = registry.get(RegistryKind.RESOURCE, name)
    assert isinstance(user, Resource)
    assert (user.fqn, user.versions) == ("iam/User", ("v2", "v1"))
    assert user.versioned_infos == (VersionedInfo("v2", True), VersionedInfo("v1"))


def test_a_registry_that_is_away_is_told_as_the_reason(started: Callable[..., EnvRegistry]) -> None:
    client = HttpRegistry("http://127.0.0.1:9", "x")
    with pytest.raises(Busy) as refused:
        started(client, Registration("iam", "eu", ("v1",)), 0.5)
    client.close()
    assert refused.value.code == "registry-unavailable"
