"""The controller of syncing metadata: when a policy changes, everything under it is touched, in batches.

Source: seed 003 §2.4, §3.5. Saving decorates again; this finds what no client saves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec

from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Rest, WorkClass, while_hosted
from migrations_app.engine.registry.policies import LOOK_EVERY_SECONDS, holder_types
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel import json
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Halted,
    Missing,
    NotFound,
    ReplicatorExpired,
    RevisionConflict,
    SwitchyardError,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.copies import Copies, CopyScope, OwnedIdentity
from migrations_app.ports.feed import Cursor, Feed, FeedOperation, Position
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Directory
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.regions.placing import Placing
from migrations_app.ports.store import Reading, Store, Transaction
from migrations_app.ports.stored import Draft, StoredResource
from migrations_app.ports.touching import Touch, Touches

PAGE, BATCH = 1000, 1000
SAVED_AT_ONCE = 200
"""So many resources are written in one transaction, which client writes of them wait for."""
_TRIES, _MOVED = 10, (RevisionConflict, NotFound)
IDLE_SECONDS, WAIT_SECONDS = 5.0, 0.5
HEARD_SECONDS = 2 * LOOK_EVERY_SECONDS
"""By then every placing process has heard of a policy that was written."""
SETTLED_SECONDS = 15.0
"""By then writes that were placed before they heard of it have ended, or hold the feed's horizon back."""

_AFTER_ALL = "\x7f"


@dataclass(frozen=True, slots=True)
class TouchPorts:
    """What touching works with: the data, its changes, the read copies, the touches, and where deployments are."""

    store: Store
    feed: Feed
    copies: Copies
    touches: Touches
    directory: Directory


class TouchController:
    """Brings `metadata.syncing` of what one deployment owns in step with the policies; a key names it.

    The owner stays: a new control region counts for new names. `holders` names the services whose resources
    may hold a policy: the deployment's own and those it imports.
    """

    name = "syncing-meta"
    queue = "sync"
    work_class = WorkClass.READ_COPIES

    def __init__(
        self,
        router: Router,
        ports: TouchPorts,
        placing: Placing,
        hosted: Callable[[], Sequence[Peer]],
        holders: Callable[[str], Sequence[str]],
        clock: Clock,
        rest: Rest | None = None,
    ) -> None:
        self._store, self._feed, self._copies = ports.store, ports.feed, ports.copies
        self._touches, self._directory = ports.touches, ports.directory
        self._router, self._placing = router, placing
        self._hosted, self._holders, self._clock, self._rest = hosted, holders, clock, rest

    def due(self) -> Iterable[str]:
        """List the deployments whose data is here; their rows say when each is due again."""
        return [each.deployment for each in self._hosted()]

    @while_hosted
    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Hear of changed policies, then touch what is under them.

        Once: a touch is saved after its page was written; touching again changes nothing.
        """
        here = Peer.parse(key)
        route = self._router.read_active(here.region, here.service, _only_route)[0]
        self._hear(here, route.namespace)
        while not budget.spent:
            open_ = self._touches.listed(route.namespace, ended=False, limit=20)
            if not open_:
                return self._rest.after(key) if self._rest else Again(IDLE_SECONDS)
            advanced = [self._advance(here, route, touch) for touch in open_]
            if not any(advanced):
                return Again(WAIT_SECONDS)
        return Again(0.0)

    def _hear(self, here: Peer, namespace: Namespace) -> None:
        policy = json.digest(msgspec.to_builtins(self._placing.service_policy(here.service)))
        known = self._touches.find(namespace, "")
        if known is None or known.fingerprint != policy:
            self._touches.open(namespace, "", policy, self._clock.now())
        for service in self._holders(here.service):
            try:
                served = self._directory.served(here.region, service)
            except (Missing, Conflict):
                continue  # not deployed here, or its data is not: nothing of it holds a policy here
            found = holder_types(served.compiled.schema(served.current_version))
            if found:
                home = served.namespaces[served.current_version]
                if not self._follow(here, namespace, home, dict(found.values())):
                    self._touches.open(namespace, "", policy, self._clock.now())

    def _follow(self, here: Peer, namespace: Namespace, home: Namespace, keys: dict[str, str]) -> bool:
        """Open a touch for every holder with a new policy; false when its past was lost, or never known."""
        follower = f"syncing-meta/{here.deployment}"
        cursors = self._feed.cursors(home, follower)
        try:
            if len(cursors) < home.ring or any(each.dead for each in cursors):
                raise ReplicatorExpired(message("Earlier changes are not kept any more."))
            self._read(namespace, home, keys, follower, cursors)
        except (Conflict, Halted):
            self._feed.forget(home, follower)
            head = self._feed.head(home)
            self._feed.register(home, follower, dict.fromkeys(range(home.ring), head))
            return False
        return True

    def _read(
        self,
        namespace: Namespace,
        home: Namespace,
        keys: dict[str, str],
        follower: str,
        cursors: Sequence[Cursor],
    ) -> None:
        at = cursors[0].position
        for each in cursors:
            at = at if self._feed.reached(each.position, at) else each.position
        while True:
            batch = self._feed.read(home, at, limit=BATCH, echo=True)
            named = {
                (each.type, each.name): None
                for each in batch.changes
                if each.type in keys and each.operation is not FeedOperation.BEAT
            }
            for type_, name in named:
                self._changed(namespace, home, type_, name, keys[type_])
            if batch.changes:
                self._feed.advance(home, follower, range(home.ring), batch.position)
            at = batch.position
            if batch.level:
                return

    def _changed(self, namespace: Namespace, home: Namespace, type_: str, name: str, key: str) -> None:
        found = self._store.read(home).get(type_, name)
        policy = json.digest(found.body.get(key) if found else None)
        known = self._touches.find(namespace, name)
        if known is None or known.fingerprint != policy:
            self._touches.open(namespace, name, policy, self._clock.now())

    def _advance(self, here: Peer, route: ServingRoute, touch: Touch) -> bool:
        """Take the next step of a touch; false while it has to wait."""
        namespace, age = route.namespace, self._age(touch)
        if not touch.second and touch.mark:
            if not self._feed.reached(self._feed.head(namespace), Position(touch.mark)):
                return False
            self._touches.save(namespace, replace(touch, second=True, type="", name=""))
            return True
        if age < HEARD_SECONDS:
            return False
        types = [each for each in sorted(self._store.types(namespace)) if each >= touch.type]
        if types:
            self._page(here, route, touch, types)
            return True
        if not touch.second:
            if age < SETTLED_SECONDS:
                return False
            self._touches.save(namespace, replace(touch, mark=self._feed.beat(namespace, "touch")))
            return True
        self._touches.save(namespace, replace(touch, ended_at=self._clock.now()))
        return True

    def _page(self, here: Peer, route: ServingRoute, touch: Touch, types: Sequence[str]) -> None:
        namespace, type_ = route.namespace, types[0]
        after = touch.name if type_ == touch.type else ""
        page = self._copies.owned(namespace, CopyScope(type_, prefix=touch.scope), after, PAGE)
        stale = [each.name for each in page if self._syncing(here, route, each) != each.syncing]
        changed = 0
        for start in range(0, len(stale), SAVED_AT_ONCE):
            rows = self._store.read(namespace).batch_get(type_, stale[start : start + SAVED_AT_ONCE])
            changed += self._touch(here, route, list(rows.values()))
        moved = replace(touch, looked=touch.looked + len(page), changed=touch.changed + changed)
        if len(page) == PAGE:
            moved = replace(moved, type=type_, name=page[-1].name)
        else:
            moved = replace(moved, type=types[1] if types[1:] else _AFTER_ALL, name="")
        self._touches.save(namespace, moved)

    def _touch(self, here: Peer, route: ServingRoute, rows: Sequence[StoredResource]) -> int:
        wanted = [(row, self._syncing(here, route, _identity_of(row))) for row in rows]
        stale = [(row, syncing) for row, syncing in wanted if syncing != row.metadata.get("syncing")]
        if not stale:
            return 0
        try:
            self._save(here, route, stale)
        except _MOVED:
            # A client wrote or deleted one of them just now: one by one, so that the others need not wait for a
            # quiet moment.
            return sum(self._touch_alone(here, route, row, syncing) for row, syncing in stale)
        return len(stale)

    def _touch_alone(self, here: Peer, route: ServingRoute, row: StoredResource, syncing: Json) -> bool:
        """Touch one as it is by now; a client that saved it meanwhile may have said the same."""
        for _ in range(_TRIES):
            found = self._store.read(route.namespace).get(row.type, row.name)
            if found is None or found.uid != row.uid or found.metadata.get("syncing") == syncing:
                return False
            try:
                self._save(here, route, [(found, syncing)])
            except _MOVED:
                continue
            return True
        raise Busy(message("{name} is written over and over.", name=row.name), code="resource-busy")

    def _save(self, here: Peer, route: ServingRoute, wanted: Sequence[tuple[StoredResource, Json]]) -> None:
        def _change(now: ServingRoute, transaction: Transaction) -> None:
            if now.namespace != route.namespace:
                raise Busy(
                    message("{deployment} is changing its version.", deployment=here.deployment),
                    code="version-unsettled",
                )
            for row, syncing in wanted:
                metadata: JsonObject = {**row.metadata, "syncing": syncing}
                draft = Draft(row.type, row.name, row.uid, row.body, metadata, row.owning_region)
                transaction.put(draft, row.revision)

        self._router.write_active(here.region, here.service, _change)

    def _syncing(self, here: Peer, route: ServingRoute, resource: OwnedIdentity) -> Json:
        """Tell what a resource should say; what cannot be placed says what it said."""
        try:
            home = self._placing.place(
                here.region, here.service, resource.name, resource.type, route.stored_schema
            )
        except SwitchyardError:
            return resource.syncing
        regions: list[Json] = [*sorted({here.region, *home.regions})]
        return {"owningRegion": here.region, "regions": regions}

    def _age(self, touch: Touch) -> float:
        assert touch.opened_at is not None
        return (self._clock.now() - touch.opened_at).total_seconds()


def _only_route(route: ServingRoute, reading: Reading) -> None:
    return None


def _identity_of(row: StoredResource) -> OwnedIdentity:
    return OwnedIdentity(row.type, row.name, row.uid, row.revision, row.metadata.get("syncing"))
