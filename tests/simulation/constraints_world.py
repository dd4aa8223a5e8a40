"""Deployments in memory that refer to each other, behind a network that loses, repeats and delays what they say."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.constraints.arranging import Arranging
from migrations_app.engine.constraints.deleting import DeletingController
from migrations_app.engine.constraints.mixin import MixinServer
from migrations_app.engine.constraints.owners import Owning
from migrations_app.engine.constraints.pending import PendingController
from migrations_app.engine.constraints.subscribed import SubscribedController
from migrations_app.engine.controller import Controller
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.kernel import json
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Busy, DeploymentMissing, PeerUnavailable
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.regions.peers import Answered, Peer, Question, in_turn
from migrations_app.ports.store import Layout, Store, Transaction
from tests.simulation.perils import Crash, Perilous

BASE, USER = "base.example.com", "user.example.com"
THINGS = Peer(BASE, "a")
USERS = (Peer(USER, "a"), Peer(USER, "b"))

_BASE = b"""
schema:
  types:
    Thing: {fields: {name: string, size: i32, inside: {type: {reference: Thing}, constraints: {onDelete: cascade}}}}
  resources:
    Thing: {patterns: ["things/{thing}"]}
"""
_USER = b"""
schema:
  types:
    Use:
      fields:
        name: string
        block: {type: {reference: base.example.com/Thing}, constraints: {onDelete: block}}
        follow: {type: {reference: base.example.com/Thing}, constraints: {onDelete: cascade}}
        clear: {type: {reference: base.example.com/Thing}, constraints: {onDelete: unset}}
        mate: {type: {reference: Use}, constraints: {onDelete: block}}
        child: {type: {reference: Use}, constraints: {onDelete: cascade}}
  resources:
    Use: {patterns: ["regions/{region}/uses/{use}"]}
"""
_TOP = """
service: {service}
versions:
  - {{version: v1, ordinal: 10, sources: [{{kind: ir, path: v1.yaml}}], imports: [{imports}]}}
"""


def _compiled() -> dict[str, CompiledService]:
    base = compile_service(
        read_files({"service.yaml": _TOP.format(service=BASE, imports="").encode(), "v1.yaml": _BASE})
    )
    imports = f"{{service: {BASE}, version: v1}}"
    top = _TOP.format(service=USER, imports=imports).encode()
    return {
        BASE: base,
        USER: compile_service(read_files({"service.yaml": top, "v1.yaml": _USER}), {BASE: base}),
    }


COMPILED = _compiled()


class Map:
    """The directory of the simulated fleet."""

    def served(self, region: str, service: str) -> Served:
        peer = Peer(service, region)
        if peer not in (THINGS, *USERS):
            raise DeploymentMissing(f"There is no {peer.deployment}.")
        places = {"v1": home_of(peer)}
        return Served(peer.deployment, service, region, "v1", COMPILED[service], places)

    def forget(self, region: str, service: str) -> None:
        return None


def home_of(peer: Peer) -> Namespace:
    return Namespace(peer.deployment, "v1", f"{peer.service}-{peer.region}", "v1", ring=2)


def regions_of(service: str) -> Sequence[str]:
    return [each.region for each in (THINGS, *USERS) if each.service == service]


class PerilousStore:
    """A store at whose calls, and before and after whose commits, something may happen."""

    def __init__(self, store: MemoryStore, world: World) -> None:
        self._store, self._world, self._calls = store, world, Perilous(store, world)

    def __getattr__(self, name: str) -> Any:
        self._world.alive()
        return getattr(self._calls, name)

    @contextmanager
    def transaction(self, namespace: Namespace) -> Iterator[Transaction]:
        self._world.may("begin")
        with self._store.transaction(namespace) as transaction:
            yield transaction
            self._world.may("before commit")
        self._world.may("after commit")


@dataclass(frozen=True)
class Letter:
    """A request on its way."""

    sender: Peer
    target: Peer
    action: str
    body: bytes


class Network:
    """Carries requests; while `faulty`, it may lose, delay or repeat them, or lose the answer."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.late: list[Letter] = []
        self.cut: set[Peer] = set()

    def call(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        world, letter = self._world, Letter(sender, target, action, json.encode(body))
        world.may(f"send {action}")
        dice = world.chance.random() if world.faulty else 1.0
        if dice < 0.06 or target in self.cut:
            raise _away(target)
        if dice < 0.12:
            self.late.append(letter)
            raise _away(target)
        if dice < 0.18:
            self.late.append(letter)
        answer = self.deliver(letter)
        if 0.18 <= dice < 0.24:
            raise _away(target)
        world.may(f"answer {action}")
        return answer

    def call_all(self, sender: Peer, questions: Sequence[Question]) -> list[Answered]:
        return in_turn(self, sender, questions)

    def deliver(self, letter: Letter) -> JsonObject:
        """Let the target answer; if it dies doing so, no answer arrives."""
        body = json.decode(letter.body)
        assert isinstance(body, dict)
        try:
            answer = self._world.mixin.answer(letter.sender, letter.target, letter.action, body)
        except Crash as died:
            self._world.dying = False
            raise _away(letter.target) from died
        found = json.decode(json.encode(answer))
        assert isinstance(found, dict)
        return found


def _away(target: Peer) -> Busy:
    return PeerUnavailable(f"{target.deployment} does not answer.")


class World:
    """Three deployments with their controllers."""

    def __init__(self, chance: random.Random, may: Callable[[str], None]) -> None:
        self.chance, self.may = chance, may
        self.faulty, self.dying = True, False
        self.clock = HeldClock()
        self.databases = MemoryDatabases(self.clock)
        self.memory, fence = MemoryStore(self.databases), MemoryFence(self.databases)
        for peer in (THINGS, *USERS):
            home = home_of(peer)
            fence.open_first(FenceLocation.of(home), "v1")
            self.memory.prepare(home, [Layout("Thing" if peer == THINGS else "Use")])
        self.store: Store = PerilousStore(self.memory, self)
        self.router = Router(
            Map(), self.store, fence, hold_seconds=0.0, sleep=lambda _: None, monotonic=self.clock.monotonic
        )
        self.network = Network(self)
        self.arranging = Arranging(self.router, self.network, regions_of)
        self.owning = Owning(self.router, self.network, self.arranging)
        self.mixin = MixinServer(self.router, self.owning)
        self.writing = WritingServer(self.router, self.arranging)
        self.controllers: list[Controller] = [
            PendingController(self.router, self.network, self.hosted, self.owning),
            DeletingController(self.router, self.network, self.arranging, self.hosted),
            SubscribedController(
                self.router, self.network, self.arranging, self.hosted, self.interests, self.clock
            ),
        ]

    def hosted(self) -> Sequence[Peer]:
        return (THINGS, *USERS)

    def interests(self, here: Peer) -> Sequence[Peer]:
        return [] if here == THINGS else [THINGS, *(each for each in USERS if each != here)]

    def alive(self) -> None:
        """A process that was killed does nothing more, not even tidy up."""
        if self.dying:
            raise Crash

    def peril(self, call: str, dice: float) -> None:
        """What the perilous ports ask."""
        self.may(call)
