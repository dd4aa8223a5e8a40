"""A small world in memory: one deployment, two versions, the engine, and a clock that is held."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.repositories.places_memory import MemoryPlaces
from migrations_app.adapters.repositories.sync_memory import MemoryCheckpoints
from migrations_app.adapters.repositories.upgrades_memory import MemoryUpgrades
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Controller, Lease, Outcome
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.switch.director import Director
from migrations_app.engine.sync.shard import SyncController
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.conversions import Converter, SqlPart
from migrations_app.ports.fence import FenceLocation, FenceState
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Draft, Layout, Reference, ReferencePath, StoredResource
from migrations_app.ports.upgrades import Direction, UpgradeKind, UpgradeRecord
from tests.factories.due_keys import keys_due

DEPLOYMENT = "services/toy.example.com/deployments/here"


@dataclass(frozen=True)
class Named:
    type: str
    name: str
    body: JsonObject
    references: None = None


class NamingConverter:
    """A converter to one type, whose `name` gives the name there, if the name alone tells it."""

    target_type: str | None = None
    referring: frozenset[str] = frozenset()
    refers = False
    parts: tuple[SqlPart, ...] = ()
    text = None
    reference_paths: tuple[ReferencePath, ...] | None = None

    def references(self, body: JsonObject) -> tuple[Reference, ...]:
        return ()

    @property
    def target_types(self) -> tuple[str, ...]:
        return (self.target_type,) if self.target_type else ()

    def name(self, name: str) -> str | None:
        return name

    def place(self, name: str) -> tuple[str, str] | None:
        named = self.name(name)
        return (self.target_type, named) if self.target_type and named else None


class ToyConverter(NamingConverter):
    """`queues/x {value}` in v1 is `lists/x {amount}` in v2; a value of "poison" converts never."""

    identity = False
    sql = None

    def __init__(self, direction: Direction) -> None:
        self._old, self._new = ("queues/", "lists/"), ("value", "amount")
        if direction is Direction.REVERSE:
            self._old, self._new = self._old[::-1], self._new[::-1]
        self.target_type = "List" if direction is Direction.FORWARD else "Queue"

    def name(self, name: str) -> str | None:
        return self._old[1] + name.removeprefix(self._old[0])

    def forward(self, name: str, body: JsonObject) -> Named:
        if body[self._new[0]] == "poison":
            raise Invalid(f"{name} is poison.", code="poison")
        if body[self._new[0]] == "hangs":
            raise Invalid(f"{name} hangs.", code="hook-hung")
        return Named(self.target_type or "", self.name(name) or "", {self._new[1]: body[self._new[0]]})


PARTS = {"even": ("List", "lists/"), "odd": ("Pile", "piles/")}
"""The parts of the undivided type Queue, by its kind: their types, and what their names begin with."""


def part_of(name: str) -> str:
    """Tell the kind of a resource by its number, as the name alone does in every version."""
    return "odd" if int(name.rpartition("/")[2].rpartition("-")[2]) % 2 else "even"


class SplittingConverter(NamingConverter):
    """`queues/x {label, kind}` is `lists/x {label}` or `piles/x {label}`; the document says which, and so does the name."""

    identity = False
    sql = None

    def __init__(self, labels: tuple[str, str]) -> None:
        self._old, self._new = labels

    @property
    def target_types(self) -> tuple[str, ...]:
        return tuple(type_ for type_, _ in PARTS.values())

    def forward(self, name: str, body: JsonObject) -> Named:
        type_, head = PARTS[str(body["kind"])]
        return Named(type_, head + name.removeprefix("queues/"), {self._new: body[self._old]})

    def place(self, name: str) -> tuple[str, str] | None:
        type_, head = PARTS[part_of(name)]
        return type_, head + name.removeprefix("queues/")


class MergingConverter(NamingConverter):
    """`lists/x {label}`, or `piles/x {label}`, is `queues/x {label, kind}`."""

    identity = False
    sql = None
    target_type = "Queue"

    def __init__(self, kind: str, labels: tuple[str, str]) -> None:
        self._kind, (self._old, self._new) = kind, labels

    def name(self, name: str) -> str | None:
        return f"queues/{name.partition('/')[2]}"

    def forward(self, name: str, body: JsonObject) -> Named:
        return Named("Queue", self.name(name) or "", {self._new: body[self._old], "kind": self._kind})


class KeyedConverter(NamingConverter):
    """`notes/x {key}` in v1 is `notes/{key}` in v2: the body decides the name."""

    identity = False
    sql = None
    target_type = "Note"

    def __init__(self, direction: Direction) -> None:
        self._forward = direction is Direction.FORWARD

    def name(self, name: str) -> str | None:
        return None

    def forward(self, name: str, body: JsonObject) -> Named:
        if self._forward:
            return Named("Note", f"notes/{body['key']}", {**body, "$sy": {"name": name}})
        bag = body["$sy"]
        assert isinstance(bag, dict)
        return Named("Note", str(bag["name"]), {"key": name.removeprefix("notes/")})


class SameConverter(NamingConverter):
    """The same type in the same version, elsewhere."""

    identity = True
    sql = None
    target_type = "Queue"

    def forward(self, name: str, body: JsonObject) -> Named:
        return Named("Queue", name, body)


class RenewingConverter(NamingConverter):
    """The same resource in the same place with a unit, which a newer data version asks for."""

    identity = False
    sql = None
    target_type = "Queue"

    def forward(self, name: str, body: JsonObject) -> Named:
        if body["value"] == "poison":
            raise Invalid(f"{name} is poison.", code="poison")
        return Named("Queue", name, {"unit": "s", **body})


class GoneConverter(NamingConverter):
    """A type that v2 has no more."""

    identity = False
    sql = None
    target_type = None

    def name(self, name: str) -> str | None:
        return None

    def forward(self, name: str, body: JsonObject) -> Named:
        raise AssertionError("what has no counterpart is not converted")


class ToyConversions:
    """The conversions of the toy service; `parted` is the version that has its queues in two types, if one does."""

    def __init__(self, types: Sequence[str] = ("Queue", "Note", "Gone"), parted: str = "") -> None:
        self._types, self._parted = types, parted
        self._known: dict[tuple[UpgradeKind, bool, Direction], Mapping[str, Converter]] = {}

    def converters(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Converter]:
        asked = record.kind, record.source_version == record.target_version, direction
        if asked not in self._known:
            self._known[asked] = self._made(record, direction)
        return self._known[asked]

    def _made(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Converter]:
        if record.kind is UpgradeKind.DATA:
            return {"Queue": RenewingConverter()}
        if record.source_version == record.target_version:
            return {"Queue": SameConverter()}
        if self._parted:
            forward = direction is Direction.FORWARD
            labels = ("value", "amount") if forward else ("amount", "value")
            if (self._parted == "v2") is forward:
                return {"Queue": SplittingConverter(labels)}
            return {type_: MergingConverter(kind, labels) for kind, (type_, _) in PARTS.items()}
        every: dict[str, Converter] = {
            "Queue" if direction is Direction.FORWARD else "List": ToyConverter(direction),
            "Note": KeyedConverter(direction),
        }
        if direction is Direction.FORWARD:
            every["Gone"] = GoneConverter()
        wanted = {*self._types, "List"}
        return {type_: found for type_, found in every.items() if type_ in wanted}

    def layouts(self, record: UpgradeRecord, direction: Direction) -> Sequence[Layout]:
        return [Layout(type_, by_uid=type_ == "Note") for type_ in self.converters(record, direction)]


class NoThrottle:
    said = ""

    def reason(self, namespace: Namespace) -> str:
        return self.said


class Takeover:
    """Gives every lease that is asked for, as if all others had run out: their holders are refused from then on."""

    def __init__(self, world: World) -> None:
        # It belongs to the world; a world without a holder is gone at once.
        self._world = weakref.proxy(world)

    def take(self, keys: Sequence[str]) -> list[Lease]:
        self._world.epoch += len(keys)
        return [Lease(key, self._world.epoch - n, "sync") for n, key in enumerate(keys)]

    def release(self, leases: Sequence[Lease], seconds: float) -> None:
        return


@dataclass
class World:
    """Everything, with one upgrade from v1 to v2 that is being copied."""

    ring: int = 2
    # As many shards as the new version has; 0 is as many as the old one.
    target_ring: int = 0
    split: bool = False
    # The same version, to another database.
    move: bool = False
    # The same version in the same database, in another number of shards.
    reshard: bool = False
    # The same version in the same place, with newer data.
    renew: bool = False
    downgrade: bool = True
    types: Sequence[str] = ("Queue", "Note", "Gone")
    # The version that has two types where the other has one.
    parted: str = ""
    clock: HeldClock = field(default_factory=HeldClock)
    epoch: int = 0
    uids: int = 0

    def __post_init__(self) -> None:
        self.v1 = Namespace(DEPLOYMENT, "v1", "a", "toy_v1", self.ring)
        ring = self.target_ring or self.ring
        self.v2 = Namespace(DEPLOYMENT, "v2", "b" if self.split else "a", "toy_v2", ring)
        if self.move:
            self.v2 = Namespace(DEPLOYMENT, "v1", "b", "toy_v1_elsewhere", ring)
        if self.reshard:
            self.v2 = Namespace(DEPLOYMENT, "v1", "a", "toy_v1_again", ring, "again")
        if self.renew:
            self.v2 = self.v1
        self.databases = MemoryDatabases(self.clock)
        self.upgrades, self.checkpoints = MemoryUpgrades(), MemoryCheckpoints()
        self.throttle = NoThrottle()
        self.furnish(
            PipelinePorts(
                store=MemoryStore(self.databases),
                feed=MemoryFeed(self.databases),
                fence=MemoryFence(self.databases),
                checkpoints=self.checkpoints,
                upgrades=self.upgrades,
                places=MemoryPlaces(),
                conversions=ToyConversions(self.types, self.parted),
                throttle=self.throttle,
                clock=self.clock,
            )
        )

    def furnish(self, ports: PipelinePorts) -> None:
        """Open the old version and begin to copy."""
        self.ports = ports
        self.ports.fence.open_first(FenceLocation.of(self.v1), "v1")
        types = [type_ for type_, _ in PARTS.values()] if self.parted == "v1" else ["Queue"]
        layouts = [*map(Layout, types), Layout("Note", by_uid=True), Layout("Gone")]
        self.ports.store.prepare(self.v1, layouts)
        self.upgrades.add(
            UpgradeRecord(
                "u1",
                1,
                DEPLOYMENT,
                "v1",
                self.v2.version,
                self.v1,
                self.v2,
                State.SYNCING,
                kind=self.kind,
                enable_downgrade_sync=self.downgrade and not self.renew,
                data_version="v1.2" if self.renew else "",
            )
        )
        self.engage(self.ports)

    def engage(self, ports: PipelinePorts) -> None:
        self.sync: Controller = SyncController(ports, page=2, crew=Takeover(self))
        self.parity: Controller = ParityController(ports, page=2)
        self.director: Controller = Director(ports)

    @property
    def record(self) -> UpgradeRecord:
        return self.upgrades.load("u1")

    @property
    def fence(self) -> FenceState:
        near = self.ports.fence.state(FenceLocation.of(self.v1))
        return near if near.mode != "CLOSED" else self.ports.fence.state(FenceLocation.of(self.v2))

    @property
    def kind(self) -> UpgradeKind:
        if self.renew:
            return UpgradeKind.DATA
        return UpgradeKind.SHARDS if self.reshard else UpgradeKind.VERSION

    @property
    def active(self) -> Namespace:
        return self.served(self.fence)

    def served(self, fence: FenceState) -> Namespace:
        """Give the namespace that a fence is open for."""
        if self.move or self.reshard:
            return self.v1 if fence.site == FenceLocation.of(self.v1) else self.v2
        return self.v1 if fence.active_version == "v1" else self.v2

    def place(self, namespace: Namespace, number: str) -> tuple[str, str]:
        """Tell the type and name of a queue in a namespace, by its number."""
        if self.parted and namespace.version == self.parted:
            type_, head = PARTS[part_of(number)]
            return type_, head + number
        if self.parted or namespace.version == "v1":
            return "Queue", f"queues/{number}"
        return "List", f"lists/{number}"

    def body(self, namespace: Namespace, number: str, value: int) -> JsonObject:
        """Write the document of a queue as a client of a namespace's version does."""
        document: JsonObject = {"value" if namespace.version == "v1" else "amount": value}
        if self.parted and namespace.version != self.parted:
            document["kind"] = part_of(number)
        return document

    def uid(self) -> UUID:
        self.uids += 1
        return UUID(int=self.uids)

    def put(
        self, name: str, value: object, type_: str = "Queue", namespace: Namespace | None = None
    ) -> StoredResource:
        """Write as a client of the version that is active."""
        namespace = namespace or self.active
        label = "key" if type_ == "Note" else "value" if namespace.version == "v1" else "amount"
        with self.ports.store.transaction(namespace) as transaction:
            known = transaction.get(type_, name)
            body: JsonObject = dict(known.body) if known else {}
            body[label] = value  # type: ignore[assignment]
            uid = known.uid if known else self.uid()
            return transaction.put(Draft(type_, name, uid, body))

    def delete(self, name: str, type_: str = "Queue", namespace: Namespace | None = None) -> None:
        with self.ports.store.transaction(namespace or self.active) as transaction:
            transaction.delete(type_, name)

    def run(self, controller: Controller, key: str) -> Outcome:
        """One slice by a worker that has just taken the lease."""
        self.epoch += 1
        return controller.reconcile(key, Budget(2.0, self.clock), Lease(key, self.epoch, controller.name))

    def turn(self) -> None:
        """Every key that is due once, then a second passes."""
        for controller in (self.director, self.sync, self.parity):
            for key in keys_due(controller):
                self.run(controller, key)
        self.clock.advance(1.0)

    def turn_until(self, state: State, turns: int = 20) -> None:
        for _ in range(turns):
            if self.record.state is state:
                return
            self.turn()
        raise AssertionError(f"still {self.record.state}: {[line.text for _, line in self.upgrades.lines]}")

    def contents(self, namespace: Namespace) -> dict[tuple[str, str], tuple[JsonObject, int]]:
        kept = self.databases.namespace(namespace).resources
        return {key: (found.body, found.revision) for key, found in kept.items()}

    def pause(self, value: bool) -> None:
        self.upgrades.records["u1"] = replace(self.record, paused=value)
