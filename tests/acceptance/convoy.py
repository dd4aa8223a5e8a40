"""Several services like the example deliveries at once, so that one chain of killed workers passes every boundary.

Its types split, merge, keep their name, and go: whatever a boundary may tear is there in each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from migrations_app import wiring
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.kernel.errors import Missing
from migrations_app.models.registry import Deployment
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.ports.upgrades import UpgradeRecord
from tests.acceptance.verdict import told
from tests.factories.waivers import accept_removals
from tests.integration.switch.secrets_upgrade import OLGA, ROOT
from tests.integration.upgrades.test_types_under_writes import (
    DELIVERY,
    REGION,
    SERVICE,
    Client,
    call,
    compare,
    seen,
    stored,
)
from tests.waiting import wait_until

SERVICES = tuple(f"delivery-{number}.example.com" for number in (1, 2, 3))
RING = 2
BEFORE = 4
# By the beginning of an id of v2: the collection of v1, and what v1 calls the fields.
OLD_PLACES: dict[str, tuple[str, dict[str, str]]] = {
    "http": ("targets", {"display_name": "title", "url": "address"}),
    "queue": ("targets", {"display_name": "title", "queue": "address", "depth": "depth"}),
    "mail": ("emailChannels", {"title": "title", "address": "mailbox"}),
    "page": ("pagerChannels", {"title": "title", "address": "number"}),
}


@pytest.fixture
def shard_hints(data_database: str) -> list[str]:
    """The upgrades of three services, just started."""
    apply_region(ROOT, REGION)
    for service in SERVICES:
        files = {
            path.relative_to(DELIVERY).as_posix(): path.read_bytes().replace(
                SERVICE.encode(), service.encode()
            )
            for path in DELIVERY.rglob("*.yaml")
        }
        apply_service(ROOT, files)
        apply_deployment(ROOT, name_of(service), {"currentVersion": "v1"}, database=data_database)
    # Two shards: what is tested is where it breaks, not how much it carries.
    Deployment.objects.update(ring=RING)
    for purpose in (Purpose.SWITCH, Purpose.REVERT):
        apply_policy(ROOT, Policy(f"free-{purpose.value}", purpose, needed=0))
    for service in SERVICES:
        accept_removals(service, "v1", "v2")
    return list(started(SERVICES))


def name_of(service: str) -> str:
    """Name the deployment of a service."""
    return f"services/{service}/deployments/{REGION}"


def started(services: Sequence[str]) -> Iterator[str]:
    """Fill each service's old version, and start its upgrade."""
    for service in services:
        fill(service)
        yield start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(name_of(service), "v2")).upgrade_id)


def fill(service: str) -> None:
    """Store some of every type by the old API, with references, and something deleted."""
    project = "projects/p"

    def create(collection: str, id_: str, body: dict[str, object]) -> None:
        call("v1", "POST", f"{project}/{collection}?id={id_}", body, service=service)

    for n in range(BEFORE):
        create("targets", f"http-b{n}", {"kind": "HTTP", "title": f"t{n}", "address": f"a{n}"})
        create("targets", f"queue-b{n}", {"kind": "QUEUE", "title": f"t{n}", "address": f"a{n}", "depth": n})
        create("emailChannels", f"mail-b{n}", {"title": f"t{n}", "mailbox": f"m{n}"})
        create("pagerChannels", f"page-b{n}", {"title": f"t{n}", "number": f"n{n}"})
        channels = [f"{project}/emailChannels/mail-b{n}", f"{project}/pagerChannels/page-b{n}"]
        create("rules", f"b{n}", {"target": f"{project}/targets/http-b{n}", "channels": channels})
        create("receipts", f"b{n}", {"rule": f"{project}/rules/b{n}", "text": f"t{n}"})
    # What clients write refers to it.
    create("targets", "http-base", {"kind": "HTTP", "title": "base", "address": "u"})
    create("targets", "queue-gone", {"kind": "QUEUE", "title": "gone", "address": "u"})
    call("v1", "DELETE", f"{project}/targets/queue-gone", service=service)


def clients_of(upgrades: Sequence[str]) -> dict[str, Client]:
    """A client of the old API for each upgrade."""
    return {
        upgrade: Client("v1", number, service_of(upgrade)) for number, upgrade in enumerate(upgrades, start=1)
    }


def service_of(upgrade: str) -> str:
    """Name the service of an upgrade."""
    return wiring.ports().upgrades.load(upgrade).deployment.split("/")[1]


def follows_all(upgrade: str, log: Callable[[], str]) -> UpgradeRecord:
    """Wait until nothing is left to follow."""
    record, feed = wiring.ports().upgrades.load(upgrade), wiring.feed()

    def left() -> list[int]:
        cursors = feed.cursors(record.origin, f"{record.id}/{record.direction}")
        return [feed.backlog(record.origin, each.position, shards=[each.shard]).entries for each in cursors]

    wait_until(lambda: left() == [0] * RING, lambda: (left(), log()))
    return record


def judge_new(upgrade: str, old: Client, log: Callable[[], str]) -> None:
    """The new version serves what the old API's client was told, and both namespaces hold the same, converted."""
    record = follows_all(upgrade, log)
    serves(record, record.target_version)
    equal, hidden = compare(record.target, record.source)
    # Everything of `fill` is there with its references, and what the client has.
    assert (equal, hidden) == (BEFORE * 6 + 1 + _live(old), [])
    assert set(wiring.store().types(record.target)) >= {"HttpTarget", "QueueTarget", "Channel", "Receipt@v1"}
    seen([old])
    told(upgrade)


def judge_old(upgrade: str, old: Client, new: Client) -> None:
    """The old version serves again, with what clients of both versions were told, under its own types and names."""
    record = wiring.ports().upgrades.load(upgrade)
    serves(record, "v1")
    seen([old])
    kept = {each.name: each for each in stored(record.source).values() if each.type == "Schedule@v2"}
    for name, body in new.acknowledged.items():
        collection, id_ = name.split("/")[-2:]
        if collection == "schedules":
            assert (body is None) == (name not in kept), name
            assert body is None or kept[name].body["cron"] == body["cron"]
        else:
            _shown_by_old(new.service, id_, body)
    told(upgrade)


def _shown_by_old(service: str, id_: str, body: dict[str, object] | None) -> None:
    collection, fields = OLD_PLACES[id_.partition("-")[0]]
    name = f"projects/p/{collection}/{id_}"
    if body is None:
        with pytest.raises(Missing):
            call("v1", "GET", name, service=service)
        return
    shown = call("v1", "GET", name, service=service)
    assert {old: shown.get(old) for old in fields.values()} == {
        old: body[field] for field, old in fields.items()
    }, name


def serves(record: UpgradeRecord, version: str) -> None:
    """One fence is open, at the version that the registry names."""
    sites = {FenceLocation.of(record.source), FenceLocation.of(record.target)}
    states = [wiring.fence().state(site) for site in sites]
    assert [(each.mode, each.active_version) for each in states if each.mode is Mode.OPEN] == [
        (Mode.OPEN, version)
    ]
    assert Deployment.objects.get(pk=record.deployment).current_version == version


def _live(client: Client) -> int:
    return sum(body is not None for body in client.acknowledged.values())
