"""The policy store: places any resource of a service, and asks no peer once it has seen a holder's policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType

from migrations_app.domain.regions.placement import Geography, Placement, SyncType, holders_of, place
from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.documents import convert, tidy
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.kernel.errors import (
    DataElsewhere,
    DefinitionMissing,
    FeedTrimmed,
    Invalid,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.feed import Feed, Position
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Directory, Served
from migrations_app.ports.store import Store

POLICY_FIELD = "multi_region_policy"
LOOK_EVERY_SECONDS = 0.5
BATCH = 1000
_NOTHING: Mapping[str, JsonObject] = MappingProxyType({})


ASKED_SECONDS = 5.0
"""So long the answer of other regions about a holder counts; its copy is here by then, or it is asked for again."""


@dataclass(frozen=True, slots=True)
class RemotePolicy:
    """What another region says a holder has set; None is no policy."""

    written: Json


AskElsewhere = Callable[[str, str, str, str], RemotePolicy | None]
"""Asks other regions about a holder by service, version, type and name; None when it is known nowhere.

Raises: Busy when a region that may know it does not answer.
"""


@dataclass(frozen=True, slots=True)
class _Holder:
    service: str
    version: str
    type: str
    key: str


@dataclass(frozen=True, slots=True)
class _Asked:
    until: float
    policy: MultiRegionPolicy | None
    is_known: bool


def holder_types(schema: Schema) -> Mapping[str, tuple[str, str]]:
    """Find the policy holders of a schema: collection to resource type and the key of its policy.

    Source: seed 003 §1.3: a type with a MultiRegionPolicy in its schema holds one.
    """
    found: dict[str, tuple[str, str]] = {}
    for name, resource in schema.resources.items():
        field = schema.document_type(name).field(POLICY_FIELD)
        if field is not None:
            for pattern in resource.patterns:
                found[pattern.split("/")[-2]] = (name, field.key)
    return found


class PolicyStore:
    """Knows the policies of one region's holders; forgets a policy when the feed tells that it was written.

    `holder_services` are the service itself and those it imports; `service_policy` tells the service's own.
    """

    def __init__(
        self,
        directory: Directory,
        store: Store,
        feed: Feed,
        *,
        region: str,
        holder_services: Sequence[str],
        service_policy: Callable[[], MultiRegionPolicy],
        clock: Clock | None = None,
        ask: AskElsewhere | None = None,
    ) -> None:
        self._ask, self._asked = ask, dict[str, _Asked]()
        self._directory, self._store, self._feed = directory, store, feed
        self._region, self._services, self._service_policy = region, tuple(holder_services), service_policy
        self._clock = clock or SystemClock()
        # None for a holder that has set no policy; what is absent was not found here.
        self._kept: dict[str, MultiRegionPolicy | None] = {}
        self._read_to: dict[Namespace, Position] = {}
        self._holders: dict[str, _Holder] = {}
        self._looked_at: float | None = None
        self._lock = Lock()

    def place(
        self,
        name: str,
        resource_type: str,
        sync: SyncType = SyncType.DEFAULT,
        making: Mapping[str, JsonObject] = _NOTHING,
    ) -> Placement:
        """Decide where a resource lives; `making` are the documents, by name, that the same write creates.

        A holder that has set no policy is as if it held none: the next one counts, or the service's own.

        Raises: Conflict (`policy-unknown`, `region-not-enabled`, `control-region-missing`), Invalid.
        """
        collections: frozenset[str] = frozenset()
        policies: dict[str, MultiRegionPolicy] = {}
        nearest, policy = self._nearest(name, making)
        if nearest:
            collections = frozenset([nearest.split("/")[-2]])
            policies = {} if policy is None else {nearest: policy}
        return place(name, resource_type, Geography(self._service_policy(), collections, policies), sync)

    def _nearest(self, name: str, making: Mapping[str, JsonObject]) -> tuple[str, MultiRegionPolicy | None]:
        """Find the nearest holder that has set a policy, or that is not known anywhere; empty when there is none.

        Raises: Busy when only a region that does not answer may know the holder.
        """
        while True:
            # One at a time: a policy read here must not be put back after another thread read that it changed.
            with self._lock:
                self._look()
                asking = None
                for holder in holders_of(name, frozenset(self._holders)):
                    known, policy = self._policy(holder, making)
                    if not known and self._ask is not None and holder not in self._asked:
                        asking = holder
                        break
                    if policy is not None or not known:
                        return holder, policy
                if asking is None:
                    return "", None
                place_of_holder = self._holders[asking.split("/")[-2]]
            # Without the lock: other regions take their time, and no other thread waits for them.
            self._ask_elsewhere(asking, place_of_holder)

    def _ask_elsewhere(self, holder: str, asked: _Holder) -> None:
        assert self._ask is not None
        found = self._ask(asked.service, asked.version, asked.type, holder)
        policy = None if found is None else _read(holder, found.written)
        until = self._clock.monotonic() + ASKED_SECONDS
        with self._lock:
            self._asked[holder] = _Asked(until, policy, found is not None)

    def _policy(self, holder: str, making: Mapping[str, JsonObject]) -> tuple[bool, MultiRegionPolicy | None]:
        """Tell whether a holder is known, and its policy if it has set one."""
        if holder not in self._kept:
            self._load(holder)
        if holder in self._kept:
            return True, self._kept[holder]
        if holder in making:
            return True, _read(holder, making[holder].get(self._holders[holder.split("/")[-2]].key))
        asked = self._asked.get(holder)
        if asked is not None and asked.until <= self._clock.monotonic():
            del self._asked[holder]
        elif asked is not None:
            return asked.is_known, asked.policy
        return False, None

    def _look(self) -> None:
        """Read what the feeds tell since the last look, at most twice a second."""
        now = self._clock.monotonic()
        if self._looked_at is not None and now - self._looked_at < LOOK_EVERY_SECONDS:
            return
        self._looked_at = now
        homes: dict[Namespace, frozenset[str]] = {}
        known: dict[str, _Holder] = {}
        for service in self._services:
            served = self._find(service)
            if served is None:
                continue
            holders = holder_types(served.compiled.schema(served.current_version))
            if holders:
                home = served.namespaces[served.current_version]
                homes[home] = frozenset(type_ for type_, _ in holders.values())
                known |= {
                    collection: _Holder(service, served.current_version, *found)
                    for collection, found in holders.items()
                }
        self._holders = known
        if homes.keys() != self._read_to.keys():
            # A switch moved a holder to another namespace: nothing kept from the old one counts.
            self._kept.clear()
            self._read_to = {home: self._feed.head(home) for home in homes}
        for home, types in homes.items():
            self._catch_up(home, types)

    def _find(self, service: str) -> Served | None:
        """Find a deployment; None for one without a definition or whose data is elsewhere: its holders
        cannot be known."""
        try:
            return self._directory.served(self._region, service)
        except (DefinitionMissing, DataElsewhere):
            return None

    def _catch_up(self, home: Namespace, types: frozenset[str]) -> None:
        while True:
            try:
                # With echo: a holder may be a read copy of what another region owns.
                batch = self._feed.read(home, self._read_to[home], limit=BATCH, echo=True)
            except FeedTrimmed:
                # The pause was so long that the past is gone: nothing kept counts.
                self._kept.clear()
                self._read_to[home] = self._feed.head(home)
                continue
            for change in batch.changes:
                if change.type in types:
                    self._kept.pop(change.name, None)
            self._read_to[home] = batch.position
            if batch.level:
                return

    def _load(self, name: str) -> None:
        holder = self._holders[name.split("/")[-2]]
        served = self._directory.served(self._region, holder.service)
        home = served.namespaces[served.current_version]
        found = self._store.read(home).get(holder.type, name)
        if found is not None:
            self._kept[name] = _read(name, found.body.get(holder.key))


def _read(holder: str, written: Json) -> MultiRegionPolicy | None:
    """Read the policy a holder has set.

    Raises: Invalid (`policy-broken`).
    """
    if written is None:
        return None
    try:
        return convert(tidy(written), MultiRegionPolicy)
    except Invalid as error:
        raise Invalid(
            message("The policy of {holder} cannot be read: {message}", holder=holder, message=error.message),
            code="policy-broken",
        ) from error
