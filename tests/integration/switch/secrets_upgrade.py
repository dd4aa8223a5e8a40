"""An upgrade of the example secrets on real tables, and a client that writes its old API all the while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from migrations_app import wiring
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import Actor, actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import UpgradeTimelineEntry
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Draft, Layout
from migrations_app.ports.upgrades import UpgradeRecord

SECRETS = Path(__file__).resolve().parents[3] / "examples" / "secrets"
DEPLOYMENT = "services/secrets.example.com/deployments/eu-west1"
ROOT = actor_with("root", "admin")
OLGA = actor_with("olga", "operator", "admin")


@pytest.fixture
def started(data_database: str) -> str:
    """An upgrade of 60 secrets that was just started."""
    files = {
        one.relative_to(SECRETS).as_posix(): one.read_bytes() for one in SECRETS.rglob("*") if one.is_file()
    }
    apply_region(ROOT, "eu-west1")
    apply_service(ROOT, files)
    apply_deployment(ROOT, DEPLOYMENT, {"currentVersion": "v1alpha2"}, database=data_database)
    # Four shards: what is tested is where it breaks, not how much it carries.
    Deployment.objects.update(ring=4)
    for purpose in (Purpose.SWITCH, Purpose.REVERT):
        apply_policy(ROOT, Policy(f"free-{purpose.value}", purpose, needed=0))
    upgrade = plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id
    source = wiring.ports().upgrades.load(upgrade).source
    wiring.fence().open_first(FenceLocation.of(source), "v1alpha2")
    wiring.store().prepare(source, [Layout("Project"), Layout("Secret"), Layout("SecretGrant")])
    for n in range(60):
        write(source, f"projects/p/secrets/secret-{n}", title=f"Secret {n}")
    return start_upgrade(OLGA, upgrade)


def write(namespace: Namespace, name: str, **body: str) -> int:
    with wiring.store().transaction(namespace) as transaction:
        row = transaction.get("Secret", name)
        draft = Draft("Secret", name, row.uid if row else uuid4(), {"name": name, **body})
        return transaction.put(draft).revision


def reach(upgrade: str, state: State, log: Callable[[], str], seconds: float = 180) -> UpgradeRecord:
    until = time.monotonic() + seconds
    while True:
        record = wiring.ports().upgrades.load(upgrade)
        if record.state is state:
            return record
        if time.monotonic() > until:
            shards = [
                f"{one.shard}: {one.state} {one.error}" for one in wiring.ports().upgrades.shards(upgrade)
            ]
            raise AssertionError(f"still {record.state}: {shards}\n{log()[-3000:]}")
        time.sleep(0.1)


@contextmanager
def writing(upgrade: str) -> Iterator[dict[str, str]]:
    """Write one secret of the old API again and again; gives what was acknowledged."""
    stop, acknowledged = threading.Event(), {}
    source = wiring.ports().upgrades.load(upgrade).source

    def run() -> None:
        count = 0
        while not stop.is_set():
            name, title = f"projects/p/secrets/live-{count % 10}", f"Title {count}"
            try:
                write(source, name, title=title)
            except SwitchyardError as error:
                if error.code == "version-not-active":
                    return
                time.sleep(0.01)
                continue
            acknowledged[name] = title
            count += 1
            time.sleep(0.02)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield acknowledged
    finally:
        stop.set()
        thread.join()


def carry_out(
    upgrade: str, request: Callable[[Actor, str], str], state: State, log: Callable[[], str]
) -> UpgradeRecord:
    """Ask until it is done: on a loaded machine a check may refuse now and then."""
    until = time.monotonic() + 180
    refused = ""
    while time.monotonic() < until:
        record = wiring.ports().upgrades.load(upgrade)
        if record.state is state:
            return record
        try:
            if record.request is None:
                request(OLGA, upgrade)
        except SwitchyardError as error:
            refused = error.message
        time.sleep(0.2)
    story = [line.text for line in UpgradeTimelineEntry.objects.filter(upgrade=upgrade).order_by("pk")]
    raise AssertionError(f"{refused} {story}\n{log()[-3000:]}")
