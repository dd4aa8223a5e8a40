"""When a policy changes, everything under it says where it lives now, and read copies come and go with that."""

from __future__ import annotations

import itertools
import threading
import time
from contextlib import suppress

import pytest
from django.db import connections

from migrations_app import wiring
from migrations_app.engine.controller import Budget, Controller, Lease
from migrations_app.engine.regions.auditing import CopyAuditing
from migrations_app.engine.regions.touching import SETTLED_SECONDS, TouchController, TouchPorts
from migrations_app.engine.registry.placements import Placements
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Busy
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.store import Query
from migrations_app.ports.touching import Touch
from tests.factories.access import client_of
from tests.integration.constraints.conftest import EU, IAM, SECRETS, US, Fleet

pytestmark = pytest.mark.django_db(transaction=True)  # feeds tell nothing newer than the oldest transaction
NAME = "projects/p"
WRITERS = 3
MANY = 230
"""More than a page, so that a touch has to go on."""


class Region:
    """The controllers of syncing metadata, by a clock that is held."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet, self.clock = fleet, HeldClock()
        self.placing = Placements(
            wiring.directory(), wiring.store(), wiring.feed(), wiring.registry_cache(), self.clock
        )
        ports = TouchPorts(
            store=wiring.store(),
            feed=wiring.feed(),
            copies=wiring.copies(),
            touches=wiring.touches(),
            directory=wiring.directory(),
        )
        holders = {IAM: (IAM,), SECRETS: (SECRETS, IAM)}
        self.controller = TouchController(
            wiring.router(), ports, self.placing, wiring.hosted_here, holders.__getitem__, self.clock
        )

    def touch(self, service: str, region: str, *, seconds: float = 0.0) -> None:
        """Let time pass, and the controller do what it can."""
        self.clock.advance(seconds)
        _work(self.controller, fleet_key(service, region))

    def settle(self, service: str, region: str) -> None:
        """Let a touch come to its end."""
        for seconds in (0.0, 1.5, SETTLED_SECONDS, 0.1, 0.1):
            self.touch(service, region, seconds=seconds)

    def state(self, service: str, region: str, scope: str) -> Touch:
        served = wiring.directory().served(region, service)
        found = wiring.touches().find(served.namespaces[served.current_version], scope)
        assert found is not None
        return found


def fleet_key(service: str, region: str) -> str:
    return f"services/{service}/deployments/{region}"


def _work(controller: Controller, key: str) -> None:
    for _ in range(20):
        _step(controller, key)


def _step(controller: Controller, key: str) -> None:
    with suppress(Busy):
        controller.reconcile(key, Budget(1.0, wiring.clock()), Lease(key, 1))


def _policy(*regions: str) -> JsonObject:
    listed: list[Json] = [*regions]
    return {"enabledRegions": listed, "defaultControlRegion": EU}


def _syncing(fleet: Fleet, region: str, type_: str, name: str) -> Json:
    found = fleet.find(SECRETS, region, type_, name)
    return found.metadata.get("syncing") if found else None


def test_a_new_policy_touches_all_that_is_under_it_once(placing_fleet: Fleet) -> None:
    region = Region(placing_fleet)
    placing_fleet.create(IAM, EU, "Project", NAME, multiRegionPolicy=_policy(EU))
    names = [f"{NAME}/secrets/s{number:03}" for number in range(MANY)]
    for start in range(0, MANY, 100):
        requests = [WriteRequest("create", "Secret", each, body={}) for each in names[start : start + 100]]
        placing_fleet.write(SECRETS, EU, *requests)
    region.settle(SECRETS, EU)
    assert _syncing(placing_fleet, EU, "Secret", names[0]) == {"owningRegion": EU, "regions": [EU]}
    before = placing_fleet.find(SECRETS, EU, "Secret", names[-1])
    assert before is not None
    assert before.revision == 1, "what says the truth already is left as it is"

    placing_fleet.write(
        IAM, EU, WriteRequest("update", "Project", NAME, body={"multiRegionPolicy": _policy(EU, US)})
    )
    region.touch(SECRETS, EU)
    opened = region.state(SECRETS, EU, NAME)
    assert (opened.looked, opened.ended_at, opened.second) == (0, None, False), "caches may not know yet"
    shown = client_of("vera", "viewer").get(f"/api/v1/constraints/{SECRETS}/{EU}").json()["policy_changes"]
    assert [each["scope"] for each in shown] == [NAME]

    region.touch(SECRETS, EU, seconds=1.5)
    for name in names:
        assert _syncing(placing_fleet, EU, "Secret", name) == {"owningRegion": EU, "regions": [EU, US]}
    first = region.state(SECRETS, EU, NAME)
    assert (first.looked, first.changed) == (MANY, MANY)
    region.settle(SECRETS, EU)
    ended = region.state(SECRETS, EU, NAME)
    assert (ended.looked, ended.changed, ended.second) == (2 * MANY, MANY, True)
    assert ended.ended_at is not None
    after = placing_fleet.find(SECRETS, EU, "Secret", names[-1])
    assert after is not None
    assert after.revision == 2, "touched once"

    placing_fleet.write(IAM, EU, WriteRequest("update", "Project", NAME, body={"title": "P"}, mask="title"))
    region.settle(SECRETS, EU)
    assert region.state(SECRETS, EU, NAME).round == ended.round, "a title is no policy"


def test_copies_come_and_go_with_the_policy(placing_fleet: Fleet) -> None:
    region, copying = Region(placing_fleet), wiring.controllers()["read-copies"]
    placing_fleet.create(IAM, EU, "Project", NAME, multiRegionPolicy=_policy(EU, US))
    placing_fleet.create(SECRETS, EU, "Secret", f"{NAME}/secrets/s")
    _work(copying, f"{fleet_key(IAM, US)}<{EU}")
    _work(copying, f"{fleet_key(SECRETS, US)}<{EU}")
    copy = placing_fleet.find(SECRETS, US, "Secret", f"{NAME}/secrets/s")
    own = placing_fleet.find(SECRETS, EU, "Secret", f"{NAME}/secrets/s")
    assert copy is not None
    assert own is not None
    assert (copy.uid, copy.revision, copy.body, copy.owning_region) == (own.uid, 1, own.body, EU)
    assert placing_fleet.find(IAM, US, "Project", NAME) is not None
    region.settle(SECRETS, EU)

    placing_fleet.write(
        IAM, EU, WriteRequest("update", "Project", NAME, body={"multiRegionPolicy": _policy(EU)})
    )
    region.settle(SECRETS, EU)
    _work(copying, f"{fleet_key(SECRETS, US)}<{EU}")
    assert placing_fleet.find(SECRETS, US, "Secret", f"{NAME}/secrets/s") is None
    assert placing_fleet.find(SECRETS, EU, "Secret", f"{NAME}/secrets/s") is not None


class Load:
    """Writers of secrets who never rest, placed by the same clock as what touches them."""

    def __init__(self, fleet: Fleet, region: Region) -> None:
        self._writing = WritingServer(wiring.router(), wiring.arrangements(), region.placing)
        self._ended, self.written = threading.Event(), [0] * WRITERS
        self._threads = [threading.Thread(target=self._write, args=(each,)) for each in range(WRITERS)]
        for each in self._threads:
            each.start()

    def _write(self, writer: int) -> None:
        try:
            for number in itertools.count():
                name, verb = (
                    f"{NAME}/secrets/w{writer}-{number % 12}",
                    ("create", "update", "delete")[number // 12 % 3],
                )
                body: JsonObject | None = None if verb == "delete" else {"title": str(number)}
                self._insist(WriteRequest(verb, "Secret", name, body=body))
                self.written[writer] += 1
                time.sleep(0.02)
                if self._ended.is_set() and number % 36 == 23:
                    return  # all of its secrets are there
        finally:
            connections.close_all()

    def _insist(self, request: WriteRequest) -> None:
        while True:
            try:
                self._writing.write(EU, SECRETS, "v1alpha2", [request])
                return
            except Busy:
                time.sleep(0.01)

    def pass_by(self) -> None:
        """Wait until every write that is under way has ended."""
        before = list(self.written)
        while any(now < then + 2 for now, then in zip(self.written, before, strict=True)):
            time.sleep(0.01)

    def end(self) -> None:
        self._ended.set()
        for each in self._threads:
            each.join()


def test_policies_that_change_under_load_end_with_everything_placed_by_the_last(placing_fleet: Fleet) -> None:
    region, copying = Region(placing_fleet), wiring.controllers()["read-copies"]
    placing_fleet.create(IAM, EU, "Project", NAME, multiRegionPolicy=_policy(EU, US))
    names = [f"{NAME}/secrets/s{number:03}" for number in range(60)]
    requests = [WriteRequest("create", "Secret", each, body={}) for each in names]
    placing_fleet.write(SECRETS, EU, *requests)
    load = Load(placing_fleet, region)
    try:
        for policy in (_policy(EU), _policy(EU, US)):
            change = WriteRequest("update", "Project", NAME, body={"multiRegionPolicy": policy})
            placing_fleet.write(IAM, EU, change)
            for seconds in (0.0, 1.5, SETTLED_SECONDS, 0.1, 0.1):
                load.pass_by()
                region.clock.advance(seconds)
                for _ in range(3):
                    _step(region.controller, fleet_key(SECRETS, EU))
            _step(copying, f"{fleet_key(SECRETS, US)}<{EU}")
        while region.state(SECRETS, EU, NAME).ended_at is None:
            _step(region.controller, fleet_key(SECRETS, EU))
    finally:
        load.end()
    wanted = {"owningRegion": EU, "regions": [EU, US]}
    kept = placing_fleet.reading(SECRETS, EU).list(Query("Secret", limit=200)).resources
    assert len(kept) == 60 + 12 * WRITERS
    assert [each.name for each in kept if each.metadata["syncing"] != wanted] == []
    for service in (IAM, SECRETS):
        _work(copying, f"{fleet_key(service, US)}<{EU}")
    ports = (wiring.store(), wiring.copies(), wiring.directory(), wiring.peers())
    assert list(CopyAuditing(ports, wiring.regions_of).audit(placing_fleet.peer(SECRETS, US))) == []
