"""Code installed beside the console: hooks that hang or raise harm no others, data tasks change data in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from django.conf import LazySettings

from migrations_app import wiring
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import abort_upgrade, request_switch
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.control.upgrades.queries import upgrades as known
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.stored import KeyRange
from migrations_app.ports.upgrades import Direction, UpgradeRecord
from tests.factories import secrets_extension
from tests.factories.access import client_of
from tests.factories.due_keys import keys_due
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, write
from tests.integration.switch.secrets_upgrade import started as started
from tests.waiting import attempts

pytestmark = pytest.mark.django_db(transaction=True)
# Beyond the epochs that real leases have here.
EPOCHS = count(1_000_000_000)


@pytest.fixture(autouse=True)
def extension(settings: LazySettings) -> Iterator[None]:
    """The extension of the secrets, in this process."""
    settings.SWITCHYARD = replace(settings.SWITCHYARD, extensions=("tests.factories.secrets_extension",))
    secrets_extension.released.clear()
    yield
    secrets_extension.released.set()


def work_once() -> None:
    """Let the controllers of upgrades work on every key that they have."""
    controllers = wiring.controllers()
    for name in ("switch", "sync", "parity"):
        for key in keys_due(controllers[name]):
            lease = Lease(key, next(EPOCHS), name)
            controllers[name].reconcile(key, Budget(2.0, wiring.clock()), lease)


def work_until(upgrade: str, state: State, ask: Callable[[Actor, str], str] | None = None) -> UpgradeRecord:
    for _ in attempts():
        record = wiring.ports().upgrades.load(upgrade)
        if record.state is state:
            return record
        if ask is not None and record.request is None:
            with suppress(Conflict):
                ask(OLGA, upgrade)
        work_once()
    raise AssertionError(known.upgrade(OLGA, upgrade))


def test_what_a_hook_cannot_convert_is_quarantined_and_the_rest_goes_on(started: str) -> None:
    source = wiring.ports().upgrades.load(started).source
    for title in ("Hangs", "Raises", "Leaves"):
        write(source, f"projects/p/secrets/{title.lower()}", title=title)
    before = UNEXPECTED.total()
    record = work_until(started, State.READY)
    quarantined = [
        (one.name.rpartition("/")[2], one.code)
        for shard in range(4)
        for one in wiring.ports().checkpoints.quarantined(ShardKey(started, Direction.FORWARD, shard))
    ]
    assert sorted(quarantined) == [
        ("hangs", "hook-hung"),
        ("leaves", "hook-raised"),
        ("raises", "conversion-raised"),
    ]
    assert sum(wiring.store().counts(record.target, "Secret").values()) == 60
    assert UNEXPECTED.total() > before, "what a hook raises is counted where the copy goes on without it"
    figures = client_of("vera", "viewer").get("/metrics").content.decode().splitlines()
    assert f"switchyard_unexpected_errors {float(UNEXPECTED.total())}" in figures


def test_data_are_changed_in_place_and_the_registry_shows_their_version(started: str) -> None:
    abort_upgrade(OLGA, started)
    work_until(started, State.ABORTED)
    source = wiring.ports().upgrades.load(started).source
    write(source, "projects/p/secrets/wide", title="  wide  ")
    with pytest.raises(Invalid) as refused:
        plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, kind=UpgradeKind.DATA, target_data_version="v7"))
    assert (refused.value.code, refused.value.remedy) == ("plan-data-version", "Known are: v1alpha2.1.")

    wish = UpgradeSpec(DEPLOYMENT, kind=UpgradeKind.DATA, target_data_version="v1alpha2.1")
    assert str(plan_upgrade(OLGA, wish, dry_run=True).would[0]).startswith("Change every resource of ")
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, wish).upgrade_id)
    work_until(upgrade, State.READY)
    late = "projects/p/secrets/late"
    write(source, late, title=" late ")
    work_until(upgrade, State.COMPLETED, request_switch)

    titles = {
        row.name.rpartition("/")[2]: row.body["title"]
        for shard in range(4)
        for row in wiring.store().page(source, KeyRange("Secret", shard))
    }
    assert (titles["wide"], titles["late"], len(titles)) == ("wide", "late", 62)
    assert Deployment.objects.get(pk=DEPLOYMENT).db_data_version == "v1alpha2.1"
    seen = known.upgrade(OLGA, upgrade)
    tasks: Any = seen["data_tasks"]
    (task,) = tasks
    assert (task["task_tag"], task["target_data_version"], task["done"], task["total"], task["progress"]) == (
        "tidy-titles",
        "v1alpha2.1",
        4,
        4,
        {},
    )
    assert seen["sentence"] == (
        "secrets @ eu-west1 moved from v1alpha2 to data version v1alpha2.1; the rollback window is closed."
    )


def test_an_offer_of_a_data_version_is_begun_through_the_registry(started: str) -> None:
    abort_upgrade(OLGA, started)
    work_until(started, State.ABORTED)
    meta = client_of("rita", "admin")
    offer = {"targetDbDataVersion": "v1alpha2.1"}
    assert meta.post(f"/meta/v1/{DEPLOYMENT}:setAvailableUpgrade", offer, format="json").status_code == 200
    begun = meta.post(f"/meta/v1/{DEPLOYMENT}:beginUpgrade", {}, format="json")
    assert begun.status_code == 200, begun.json()
    upgrade = Upgrade.objects.get(deployment=DEPLOYMENT, finished_at__isnull=True).id
    work_until(upgrade, State.READY)
    work_until(upgrade, State.COMPLETED, request_switch)
    assert Deployment.objects.get(pk=DEPLOYMENT).db_data_version == "v1alpha2.1"
