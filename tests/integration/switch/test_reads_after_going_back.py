"""A request for either version during and after a rollback gets what the served version has, or is refused.

The director is stopped dead at every step, the one between the flip and the upgrade's row among them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest

from migrations_app import wiring
from migrations_app.adapters.repositories.served import RegistryDirectory
from migrations_app.control.upgrades.commands.request_switch import (
    abort_upgrade,
    complete_upgrade,
    request_rollback,
    request_switch,
)
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease, ensure_listed
from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.routing import Router, ServingMode
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.switch import live, switching
from migrations_app.kernel.errors import Busy, Conflict, Missing, SwitchyardError
from migrations_app.models.upgrades import Upgrade
from migrations_app.models.work import Work
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.locks import QuarantinedKey
from migrations_app.ports.stored import KeyRange
from migrations_app.ports.upgrades import UpgradeRecord
from tests.factories.due_keys import keys_due
from tests.integration.switch.secrets_upgrade import OLGA, write
from tests.integration.switch.secrets_upgrade import started as started
from tests.integration.switch.test_extensions import EPOCHS, work_until
from tests.waiting import attempts

pytestmark = pytest.mark.django_db(transaction=True)
POINTS = (
    "begin.before",
    "begin.after",
    "freeze.before",
    "freeze.after",
    "catch-up.before",
    "catch-up.after",
    "parity.before",
    "parity.after",
    "flip.before",
    "flip.after",
    "publish.before",
    "publish.after",
    "settle.before",
)
OLD, NEW = "projects/p/secrets", "projects/p/regions/eu-west1/secrets"


class Stopped(BaseException):
    """The director was stopped here, as `kill -9` would."""


def direct(upgrade: str) -> None:
    """Give the director one turn."""
    wiring.controllers()["switch"].reconcile(
        upgrade, Budget(2.0, wiring.clock()), Lease(upgrade, next(EPOCHS), "switch")
    )


class Reader:
    """A web process of its own: it believes what it read of the registry for as long as one does."""

    def __init__(self) -> None:
        directory = RegistryDirectory(wiring.store(), wiring.fence())
        router = Router(directory, wiring.store(), wiring.fence(), feed=wiring.feed())
        self.servers = ResourceServers(directory, router, wiring.feed())

    def titles(self, version: str, field: str, parent: str) -> dict[str, object] | None:
        """List every title by the last part of its name; None where the version is refused."""
        try:
            page = self.servers.reading.list(
                "eu-west1", "secrets.example.com", version, ListRequest("Secret", parent, page_size=1000)
            )
        except Conflict as error:
            if error.code != "version-not-served":
                raise
            return None
        assert page.how is not ServingMode.PREVIEW
        return {str(one["name"]).rpartition("/")[2]: one[field] for one in page.documents}

    def title(self, version: str, field: str, name: str) -> object:
        """Read one title; None where there is none."""
        try:
            found = self.servers.reading.get("eu-west1", "secrets.example.com", version, "Secret", name)
        except (Missing, Conflict) as error:
            if error.code not in ("not-found", "version-not-served"):
                raise
            return None
        return found.document[field]


def change(record: UpgradeRecord, n: int) -> None:
    """Change one, make one and delete one, in the version that is served; in a freeze no client can."""
    active = wiring.fence().state(FenceLocation.of(record.source)).active_version
    at, folder, field = (record.target, NEW, "displayName")
    if active == record.source_version:
        at, folder, field = (record.source, OLD, "title")
    with suppress(Busy):
        write(at, f"{folder}/secret-{n}", **{field: f"Changed {n}"})
        write(at, f"{folder}/new-{n}", **{field: f"New {n}"})
        with wiring.store().transaction(at) as transaction:
            transaction.delete("Secret", f"{folder}/secret-{n + 30}")


def served(record: UpgradeRecord) -> tuple[str, dict[str, object]]:
    """Tell which version is served, by the fence, and every title of it."""
    active = wiring.fence().state(FenceLocation.of(record.source)).active_version
    at, field = (
        (record.source, "title") if active == record.source_version else (record.target, "displayName")
    )
    rows = [row for shard in range(record.ring) for row in wiring.store().page(at, KeyRange("Secret", shard))]
    return active, {row.name.rpartition("/")[2]: row.body.get(field) for row in rows}


def check(readers: list[Reader], record: UpgradeRecord) -> str:
    """Compare what both versions answer with what is served; tell which that is."""
    active, titles = served(record)
    for reader in readers:
        assert reader.titles("v1alpha2", "title", "projects/p") == titles
        new = reader.titles("v1", "displayName", "projects/p/regions/eu-west1")
        assert new == titles if active == "v1" else new is None
        for name in ("secret-0", "new-0", "secret-30", "secret-59"):
            assert reader.title("v1alpha2", "title", f"{OLD}/{name}") == titles.get(name)
            read = reader.title("v1", "displayName", f"{NEW}/{name}")
            assert read == titles.get(name) if active == "v1" else read is None
    return active


def test_at_every_step_of_going_back_both_versions_say_what_is_served_or_nothing(
    started: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = work_until(started, State.REVERSIBLE, request_switch)
    readers, reached = [Reader()], ""

    def stop_at(step: str) -> None:
        if step == reached:
            raise Stopped(step)

    monkeypatch.setattr(live, "reach", stop_at)
    monkeypatch.setattr(switching, "reach", stop_at)
    seen: dict[str, str] = {}
    for n, reached in enumerate(POINTS):
        seen[reached] = active = stopped_at(started, reached)
        readers.append(Reader())
        assert check(readers, record) == active
        change(record, n)
        check(readers, record)
    assert (seen["flip.before"], seen["flip.after"]) == ("v1", "v1alpha2")
    assert Upgrade.objects.get(pk=started).state == State.REVERTING.value

    reached = ""
    record = work_until(started, State.REVERTED)
    change(record, 20)
    assert check([*readers, Reader()], record) == "v1alpha2"


def stopped_at(upgrade: str, point: str) -> str:
    """Let the director go on until it is stopped at a point; a freeze that ran out meanwhile is asked for again."""
    for _ in attempts():
        try:
            direct(upgrade)
        except Stopped:
            source = wiring.ports().upgrades.load(upgrade).source
            return wiring.fence().state(FenceLocation.of(source)).active_version
        for name in ("sync", "parity"):
            for key in keys_due(wiring.controllers()[name]):
                with suppress(SwitchyardError):
                    wiring.controllers()[name].reconcile(
                        key, Budget(2.0, wiring.clock()), Lease(key, next(EPOCHS), name)
                    )
        if wiring.ports().upgrades.load(upgrade).request is None:
            with suppress(Conflict):
                request_rollback(OLGA, upgrade)
    raise AssertionError(f"never at {point}")


def test_after_an_abort_the_new_version_is_refused_though_its_data_are_still_there(started: str) -> None:
    record = work_until(started, State.READY)
    reader = Reader()
    kept = reader.servers.reading.get("eu-west1", "secrets.example.com", "v1", "Secret", f"{NEW}/secret-1")
    assert kept.how is ServingMode.PREVIEW
    abort_upgrade(OLGA, started)
    work_until(started, State.ABORTED)
    change(record, 1)
    assert check([reader, Reader()], record) == "v1alpha2"


@pytest.mark.parametrize("state", [State.ABORTED, State.REVERTED, State.COMPLETED])
def test_an_upgrade_that_ended_takes_its_keys_and_what_they_are_quarantined_for_away(
    started: str, state: State
) -> None:
    asked = {
        State.ABORTED: abort_upgrade,
        State.REVERTED: request_rollback,
        State.COMPLETED: complete_upgrade,
    }
    if state is not State.ABORTED:
        work_until(started, State.REVERSIBLE, request_switch)
    leases = wiring.leases()
    keys = [("sync", f"{started}/forward/0"), ("parity", f"{started}/reverse/1"), ("sync", "other/forward/0")]
    for controller, key in keys:
        lease = leases.take(controller, key, holder="test", lease_seconds=10)
        assert lease is not None
        leases.settle(lease, QuarantinedKey("It stood.", code="unexpected"))
    late = leases.take("sync", f"{started}/forward/3", holder="late", lease_seconds=10)
    assert late is not None
    work_until(started, state, asked[state])

    assert list(Work.objects.values_list("key", flat=True)) == ["other/forward/0"]
    assert not leases.settle(late, QuarantinedKey("It stands.", code="unexpected"))
    assert Work.objects.filter(quarantined_at__isnull=False).count() == 1


@pytest.mark.parametrize("state", [State.ABORTED, State.REVERTED])
def test_keys_that_were_listed_before_an_upgrade_ended_and_made_after_it_are_not_kept(
    started: str, state: State
) -> None:
    controllers, leases = wiring.controllers(), wiring.leases()
    work_until(started, State.READY)
    listed = {name: list(controllers[name].due()) for name in ("switch", "sync", "parity")}
    assert all(listed.values())
    if state is State.REVERTED:
        work_until(started, State.REVERSIBLE, request_switch)
    work_until(started, state, abort_upgrade if state is State.ABORTED else request_rollback)

    for name, keys in listed.items():
        assert ensure_listed(controllers[name], keys, leases) == len(keys)
    for work in list(Work.objects.order_by("id")):
        lease = leases.take(work.controller, work.key, holder="test", lease_seconds=10)
        assert lease is not None
        worker = replace(lease, epoch=next(EPOCHS))
        outcome = controllers[work.controller].reconcile(work.key, Budget(2.0, wiring.clock()), worker)
        leases.settle(lease, outcome)
    assert list(Work.objects.values_list("controller", "key")) == []
