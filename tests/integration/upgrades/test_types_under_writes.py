"""An upgrade with types that split, merge, go, come and hide, there and back, while clients of both versions write."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import pytest

from migrations_app import wiring
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrade_state.repository.evidence import checks_of
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import SYSTEM, Actor
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.parity import MismatchKind
from migrations_app.domain.switch.guards import blockers
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.parity.verify import verify_keys
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.sync.shard_pipeline import pipeline_of
from migrations_app.kernel import json
from migrations_app.kernel.errors import Busy, Conflict, Missing, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import KeyRange, StoredResource
from migrations_app.ports.upgrades import Direction, UpgradeRecord
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.requests import ResourceApi
from migrations_app.wiring.storage import databases
from tests.factories.due_keys import keys_due
from tests.factories.waivers import accept_removals
from tests.integration.upgrades.conftest import OLGA, ROOT
from tests.waiting import attempts

pytestmark = pytest.mark.django_db(transaction=True)

DELIVERY = Path(__file__).resolve().parents[3] / "examples" / "delivery"
REGION, SERVICE = "eu-1", "delivery.example.com"
DEPLOYMENT = f"services/{SERVICE}/deployments/{REGION}"
RING = 4
CONTROLLERS = ("switch", "sync", "parity")
LABELS = {
    **dict.fromkeys(("targets", "emailChannels", "pagerChannels", "channels"), "title"),
    **dict.fromkeys(("httpTargets", "queueTargets"), "display_name"),
    "receipts": "text",
    "schedules": "cron",
}
PASSING = (
    "frozen",
    "database-busy",
    "fence-busy",
    "namespace-unknown",
    "version-unsettled",
    "version-not-active",
)


def call(
    version: str, method: str, path: str, body: Mapping[str, object] | None = None, *, service: str = SERVICE
) -> Any:
    """Make one request; give the document of its answer."""
    path, _, query = path.partition("?")
    at = quote(f"/apis/{REGION}/{service}/{version}/{path}", safe="/:%")
    sent = b"" if body is None else json.encode(cast(JsonObject, dict(body)))
    headers = {"content-type": "application/json"} if sent else {}
    request = ResourceRequest(method, at, query, headers, sent)
    answer = ResourceApi(wiring.resource_servers()).answer(request, SYSTEM)
    assert isinstance(answer, Response)
    return answer.document


def kinds(version: str) -> dict[str, Callable[[int], tuple[str, dict[str, object]]]]:
    """Say how clients of a version name and fill what they write: by collection, from a number."""
    if version == "v1":
        return {
            "targets": lambda n: (
                f"{('http', 'queue')[n % 2]}-{n}",
                {"kind": ("HTTP", "QUEUE")[n % 2], "title": "t", "address": f"a{n}", "depth": n},
            ),
            "emailChannels": lambda n: (f"mail-{n}", {"title": "t", "mailbox": f"m{n}", "digest": True}),
            "pagerChannels": lambda n: (f"page-{n}", {"title": "t", "number": f"n{n}", "retries": n}),
            "receipts": lambda n: (
                f"r{n}",
                {"text": f"t{n}", "target": "projects/p/targets/http-base"},
            ),
        }
    return {
        "httpTargets": lambda n: (f"http-n{n}", {"display_name": "t", "url": f"u{n}", "timeout": n}),
        "queueTargets": lambda n: (f"queue-n{n}", {"display_name": "t", "queue": f"q{n}", "depth": n}),
        "channels": lambda n: (
            f"{('mail', 'page')[n % 2]}-n{n}",
            {"kind": ("EMAIL", "PAGER")[n % 2], "title": "t", "address": f"a{n}"},
        ),
        "schedules": lambda n: (f"s{n}", {"cron": f"{n} * * * *"}),
        "zones/z/rules": lambda n: (f"r{n}", {"target": "projects/p/httpTargets/http-base"}),
    }


@dataclass
class Client:
    """One client of one version that creates, changes and deletes, and remembers what was acknowledged."""

    version: str
    seed: int
    service: str = SERVICE
    without: tuple[str, ...] = ()
    acknowledged: dict[str, dict[str, object] | None] = field(default_factory=dict)
    writes: int = 0
    error: BaseException | None = None

    def run(self, stop: threading.Event) -> None:
        chance = random.Random(self.seed)
        while not stop.is_set():
            try:
                self.write(chance)
            except SwitchyardError as error:
                if error.code not in PASSING:
                    self.error = error
                    return
            except BaseException as error:
                self.error = error
                return
            time.sleep(0.01)

    def write(self, chance: random.Random) -> None:
        """Create, change or delete one resource by chance.

        Raises: whatever the API refuses.
        """
        collections = [each for each in kinds(self.version).items() if each[0] not in self.without]
        collection, draw = chance.choice(collections)
        id_, body = draw(chance.randrange(12))
        name = f"projects/p/{collection}/{id_}"
        known, written = self.acknowledged.get(name), dict(body)
        if collection in LABELS:
            written[LABELS[collection]] = f"{self.seed}-{self.writes}"
        if known is None:
            self._call("POST", f"projects/p/{collection}?id={id_}", written)
        elif chance.random() < 0.25:
            self._call("DELETE", name)
            self.acknowledged[name] = None
            self.writes += 1
            return
        else:
            self._call("PATCH", f"{name}?updateMask={','.join(written)}", written)
        self.acknowledged[name] = written
        self.writes += 1

    def _call(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:
        return call(self.version, method, path, body, service=self.service)


@contextmanager
def writing(*clients: Client) -> Iterator[None]:
    """Let clients write all the while."""
    from django.db import connection

    stop = threading.Event()

    def run(client: Client) -> None:
        try:
            client.run(stop)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for client in clients:
        if client.error is not None:
            raise client.error


@pytest.fixture
def deployed(data_database: str) -> None:
    """The example, serving v1, with some of everything."""
    files = {
        one.relative_to(DELIVERY).as_posix(): one.read_bytes() for one in DELIVERY.rglob("*") if one.is_file()
    }
    apply_region(ROOT, REGION)
    apply_service(ROOT, files)
    apply_deployment(ROOT, DEPLOYMENT, {"currentVersion": "v1"}, database=data_database)
    Deployment.objects.update(ring=RING)
    for purpose in (Purpose.SWITCH, Purpose.REVERT):
        apply_policy(ROOT, Policy(f"free-{purpose.value}", purpose, needed=0))
    base: dict[str, object] = {"kind": "HTTP", "title": "base", "address": "u"}
    call("v1", "POST", "projects/p/targets?id=http-base", base)
    call("v1", "POST", "projects/p/emailChannels?id=mail-base", {"title": "base", "mailbox": "m"})
    rule = {"target": "projects/p/targets/http-base", "channels": ["projects/p/emailChannels/mail-base"]}
    call("v1", "POST", "projects/p/rules?id=base", rule)
    call("v1", "POST", "projects/p/receipts?id=base", {"rule": "projects/p/rules/base", "text": "kept"})


class Engine:
    """The controllers of one upgrade, turned by the test."""

    def __init__(self) -> None:
        self.controllers = [wiring.controllers()[name] for name in CONTROLLERS]
        self.epoch = int(time.time())
        self.id = ""

    @property
    def record(self) -> UpgradeRecord:
        return wiring.ports().upgrades.load(self.id)

    def begin(self) -> None:
        planned = plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v2"))
        self.id = start_upgrade(OLGA, planned.upgrade_id)

    def turn(self) -> None:
        for controller in self.controllers:
            for key in keys_due(controller):
                self.epoch += 1
                with suppress(Busy):
                    lease = Lease(key, self.epoch, controller.name)
                    controller.reconcile(key, Budget(2.0, wiring.ports().clock), lease)

    def until(self, state: State, seconds: float = 180.0) -> None:
        end = time.monotonic() + seconds
        while self.record.state is not state:
            assert time.monotonic() < end, (self.record.state, self._story())
            self.turn()

    def insist(self, request: Callable[[Actor, str], str], state: State) -> None:
        if request is request_switch:
            accept_removals(SERVICE, "v1", "v2")
        end, refused = time.monotonic() + 120.0, ""
        while self.record.state is not state:
            assert time.monotonic() < end, (refused, self._story())
            if self.record.request is None:
                try:
                    request(OLGA, self.id)
                except SwitchyardError as error:
                    refused = error.message
            self.turn()

    def settle(self) -> None:
        """Let following come to the end of the feed."""
        end = time.monotonic() + 120.0
        while time.monotonic() < end:
            self.turn()
            record, feed = self.record, wiring.feed()
            cursors = feed.cursors(record.origin, f"{record.id}/{record.direction}")
            left = [feed.backlog(record.origin, one.position, shards=[one.shard]).entries for one in cursors]
            if len(left) == RING and not any(left):
                return
        raise AssertionError("following does not come to its end")

    def _story(self) -> list[str]:
        from migrations_app.models.upgrades import UpgradeTimelineEntry

        lines = [line.text for line in UpgradeTimelineEntry.objects.filter(upgrade=self.id).order_by("pk")]
        shards = [f"{one.shard}: {one.state} {one.error}" for one in wiring.ports().upgrades.shards(self.id)]
        quarantined = [
            f"{one.type} {one.name}: {one.error}"
            for shard in range(RING)
            for one in wiring.ports().checkpoints.quarantined(ShardKey(self.id, self.record.direction, shard))
        ]
        return [*lines[-8:], *shards, *quarantined]


def stored(namespace: Namespace) -> dict[str, StoredResource]:
    """Everything of a namespace, by uid."""
    store = wiring.store()
    return {
        str(each.uid): each
        for type_ in store.types(namespace)
        for shard in range(namespace.ring)
        for each in store.page(namespace, KeyRange(type_, shard, limit=100_000))
    }


def compare(origin: Namespace, passive: Namespace) -> tuple[int, list[str]]:
    """Compare document by document by the reference engine; tell how many are equal, and what is hidden."""
    _, service, _, region = origin.deployment.split("/")
    typed = wiring.directory().served(region, service).compiled.stored.typed(origin.version, passive.version)
    here, there, equal, hidden = stored(origin), stored(passive), 0, list[str]()
    for uid, each in here.items():
        try:
            made = typed.forward(each.type, each.name, each.body)
        except Conflict:
            hidden.append(each.name)
            assert uid not in there
            continue
        found = there.pop(uid)
        assert (found.type, found.name, found.revision) == (made.type, made.name, each.revision)
        assert found.body == made.body
        equal += 1
    assert not there, there
    return equal, hidden


def let_write(client: Client, least: int) -> None:
    """Wait until a client was acknowledged so many writes."""
    end = time.monotonic() + 120.0
    while client.writes < least:
        assert time.monotonic() < end, (client.writes, client.error)
        time.sleep(0.02)


def seen(clients: Sequence[Client]) -> None:
    """See that what was acknowledged is what the API of its version answers."""
    for client in clients:
        for name, body in client.acknowledged.items():
            if body is None:
                with pytest.raises(Missing):
                    call(client.version, "GET", name, service=client.service)
                continue
            shown = call(client.version, "GET", name, service=client.service)
            assert {key: shown.get(key) for key in body} == body, name


def test_no_resource_is_lost_there_and_back_while_both_versions_are_written(deployed: None) -> None:
    engine, old = Engine(), Client("v1", 1)
    with writing(old):
        let_write(old, 80)
        engine.begin()
        engine.until(State.READY)
        engine.insist(request_switch, State.REVERSIBLE)
        new = Client("v2", 2)
        with writing(new):
            let_write(new, 21)
            for _ in range(5):
                engine.turn()
    assert Deployment.objects.get(pk=DEPLOYMENT).current_version == "v2"
    engine.settle()
    record = engine.record
    assert record.direction is Direction.REVERSE
    equal, hidden = compare(record.target, record.source)
    assert (old.writes > 50, new.writes > 20, equal > 30) == (True, True, True)
    assert all(name.startswith("projects/p/zones/z/rules/") for name in hidden)
    seen([old, new])
    types = set(wiring.store().types(record.target))
    assert types == {"HttpTarget", "QueueTarget", "Channel", "Rule", "Schedule", "Receipt@v1"}
    receipt = call("v1", "GET", "projects/p/receipts/base")
    assert (receipt["rule"], receipt["text"]) == ("projects/p/rules/base", "kept")

    # What v2 alone has is kept while v1 serves, and is there again after the next switch.
    engine.insist(request_rollback, State.REVERTED)
    assert Deployment.objects.get(pk=DEPLOYMENT).current_version == "v1"
    seen([old])
    schedules = {name: body for name, body in new.acknowledged.items() if "schedules" in name and body}
    assert schedules
    with writing(old):
        engine.begin()
        engine.until(State.READY)
        engine.insist(request_switch, State.REVERSIBLE)
    engine.settle()
    compare(engine.record.target, engine.record.source)
    seen([old])
    for name, body in schedules.items():
        shown = call("v2", "GET", name)
        assert {key: shown.get(key) for key in body} == body


def tamper(namespace: Namespace, statement: str, *values: object) -> None:
    """Change rows behind the back of the store."""
    with databases().connection(namespace.database) as connection:
        table = f"{namespace.schema}.reference"
        guards = connection.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal", (table,)
        ).fetchall()
        connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        done = connection.execute(statement.format(schema=namespace.schema), values)
        for (guard,) in guards:
            connection.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {guard}")
        assert done.rowcount > 0
        connection.commit()


def rows(namespace: Namespace) -> set[tuple[str, str, str, str]]:
    """The reference index of a namespace: who refers to what."""
    store, found = wiring.store(), set[tuple[str, str, str, str]]()
    for each in stored(namespace).values():
        for row in store.read(namespace).references(each.type, each.name):
            found.add((each.type, each.name, row.target_type, row.target_name))
    return found


@pytest.mark.parametrize("side", ["source", "target"])
def test_reference_rows_that_differ_from_the_documents_are_found_before_a_switch(
    deployed: None, side: str
) -> None:
    engine = Engine()
    engine.begin()
    engine.until(State.READY)
    record, old = engine.record, rows(engine.record.source)
    assert rows(record.target) == {
        ("Receipt@v1", "projects/p/receipts/base", "Rule", "projects/p/rules/base"),
        ("Rule", "projects/p/rules/base", "Channel", "projects/p/channels/mail-base"),
        ("Rule", "projects/p/rules/base", "HttpTarget", "projects/p/httpTargets/http-base"),
    }
    namespace: Namespace = getattr(record, side)
    lost = "DELETE FROM {schema}.reference WHERE name = %s AND path = %s"
    tamper(namespace, lost, "projects/p/rules/base", "target")
    tamper(
        namespace,
        "UPDATE {schema}.reference SET target_name = %s WHERE name = %s",
        "x",
        "projects/p/receipts/base",
    )

    # A switch compares what changed, with what it refers to, and refuses.
    shard = {each.name: each.shard for each in stored(record.source).values()}["projects/p/rules/base"]
    pipeline = pipeline_of(wiring.ports(), record, Direction.FORWARD, shard)
    held = verify_keys(wiring.ports(), pipeline, "Rule", {"projects/p/rules/base": 1}, still=True)
    assert [each.kind for each in held.mismatches] == [MismatchKind.REFERENCES]
    assert "refers to something else in a reference index" in held.mismatches[0].sentence

    # The next full comparison finds both, and mends them.
    again = ParityController(wiring.ports(), full_pass_seconds=0.0)
    engine.controllers[CONTROLLERS.index("parity")] = again
    end = time.monotonic() + 60.0
    while rows(record.source) != old or len(rows(record.target)) != 3 or "x" in str(rows(record.target)):
        assert time.monotonic() < end, (rows(record.source), rows(record.target))
        engine.turn()
    found = [each for shard in range(RING) for each in mended(engine.id, shard)]
    assert {kind for _, kind in found} == {"references"}
    assert {name for name, _ in found} == {"projects/p/rules/base", "projects/p/receipts/base"}
    engine.insist(request_switch, State.REVERSIBLE)


def test_rows_lost_after_the_last_comparison_stop_the_switch_and_are_mended(deployed: None) -> None:
    engine = Engine()
    engine.begin()
    engine.until(State.READY)
    accept_removals(SERVICE, "v1", "v2")
    end = time.monotonic() + 60.0
    while blockers(checks_of(Upgrade.objects.get(pk=engine.id), "switch")):
        assert time.monotonic() < end, engine._story()
        engine.turn()
    record = engine.record
    whole = rows(record.target)
    lost = "DELETE FROM {schema}.reference WHERE name = %s AND path = %s"
    tamper(record.target, lost, "projects/p/rules/base", "target")
    moved = "UPDATE {schema}.reference SET name = %s WHERE name = %s"
    tamper(record.source, moved, "projects/p/receipts/nowhere", "projects/p/receipts/base")

    request_switch(OLGA, engine.id)
    for _ in attempts():
        engine.turn()
        if engine.record.request is None:
            break
    assert engine.record.state is State.READY
    (refused,) = [line for line in engine._story() if "reference index" in line]
    assert "The reference index of Rule in v2: in 1 shard it differs from the documents" in refused
    assert (
        "The reference index of Receipt in v1: in 1 shard it differs from the documents and 1 name" in refused
    )
    assert refused.endswith("It was not done, and is no longer asked for.")

    engine.insist(request_switch, State.REVERSIBLE)
    assert rows(engine.record.target) == whole
    assert {name for _, name, *_ in rows(engine.record.source)} == {name for _, name, *_ in whole}


def test_a_switch_is_refused_as_long_as_reference_rows_are_not_kept(deployed: None) -> None:
    engine = Engine()
    engine.begin()
    engine.until(State.READY)
    target = engine.record.target
    with databases().connection(target.database) as connection:
        connection.execute(
            f"CREATE FUNCTION {target.schema}.forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
        )
        connection.execute(
            f"CREATE TRIGGER forget BEFORE INSERT ON {target.schema}.reference FOR EACH ROW "
            f"EXECUTE FUNCTION {target.schema}.forget()"
        )
        connection.execute(f"ALTER TABLE {target.schema}.reference ENABLE ALWAYS TRIGGER forget")
        connection.commit()
    accept_removals(SERVICE, "v1", "v2")
    call("v1", "POST", "projects/p/rules?id=late", {"target": "projects/p/targets/http-base"})
    refusals = set()
    for _ in range(15):
        with suppress(SwitchyardError):
            if engine.record.request is None:
                request_switch(OLGA, engine.id)
        engine.turn()
        refusals |= {line for line in engine._story() if "not done" in line}
        time.sleep(0.2)
    assert engine.record.state is State.READY
    assert not any("equal on both sides" in line for line in engine._story())

    with databases().connection(target.database) as connection:
        connection.execute(f"DROP TRIGGER forget ON {target.schema}.reference")
        connection.commit()
    engine.insist(request_switch, State.REVERSIBLE)
    assert ("Rule", "projects/p/rules/late", "HttpTarget", "projects/p/httpTargets/http-base") in rows(target)


def mended(upgrade: str, shard: int) -> list[tuple[str, str]]:
    """The differences that were found in a shard, by name and kind."""
    from migrations_app.models.sync import SyncDifference

    found = SyncDifference.objects.filter(upgrade=upgrade, shard=shard)
    return [(each.source_name, each.kind) for each in found]
