"""The fence in memory: the twin of the one on PostgreSQL, for simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from migrations_app.adapters.fence.refusal import LONGEST_FREEZE_SECONDS, refusal
from migrations_app.adapters.memory_database import MemoryDatabases, place_of, position_of
from migrations_app.kernel.errors import Busy, Conflict, Invalid
from migrations_app.kernel.messages import message
from migrations_app.ports.fence import FenceLocation, FenceState, Mode
from migrations_app.ports.namespaces import Namespace


class MemoryFence:
    """Reads and moves fences in memory; who would wait for writers gets Busy at once."""

    def __init__(self, databases: MemoryDatabases) -> None:
        self._databases = databases
        # In a simulation the fence is looked at many times within one instant.
        self._looked: dict[FenceLocation, tuple[FenceState, FenceState]] = {}

    def state(self, site: FenceLocation) -> FenceState:
        """Read the fence, aborting a freeze that has expired."""
        with self._databases.lock:
            found = self._look(site)
            if not found.expired:
                return found
            try:
                self._move(found, lambda old: self._reopened(old))
            except Busy:
                return found
            return self._look(site)

    def open_first(self, site: FenceLocation, version: str, *, mode: Mode = Mode.OPEN) -> FenceState:
        """Set the fence up, unless there is one."""
        with self._databases.lock:
            fences = self._databases.database(site.database).fences
            fresh = FenceState(site, version, mode, 1, self._databases.clock.now())
            fences.setdefault(site.key, fresh)
        return self.state(site)

    def freeze(
        self,
        source: Namespace,
        expected: FenceState,
        *,
        deadline_seconds: float = 5.0,
        patience_seconds: float = 3.0,
    ) -> FenceState:
        """Refuse writes until the deadline."""
        if not 0 < deadline_seconds <= LONGEST_FREEZE_SECONDS:
            raise Invalid(
                message(
                    "A freeze lasts at most {longest_freeze_seconds} s.",
                    longest_freeze_seconds=f"{LONGEST_FREEZE_SECONDS:.0f}",
                ),
                code="freeze-too-long",
            )

        def frozen(old: FenceState) -> FenceState | None:
            if old.mode is not Mode.OPEN:
                return None
            now = self._databases.clock.now()
            ends = dict.fromkeys(range(source.ring), (0, 0))
            for change in self._databases.namespace(source).changes:
                ends[change.shard] = max(ends[change.shard], place_of(change.position))
            return replace(
                old,
                mode=Mode.FROZEN,
                epoch=old.epoch + 1,
                frozen_at=now,
                freeze_deadline=now + timedelta(seconds=deadline_seconds),
                freeze_end={shard: position_of(place) for shard, place in ends.items()},
                parity_epoch=None,
                freeze_milliseconds=None,
            )

        return self._moved(expected, frozen)

    def withdraw(self, expected: FenceState) -> FenceState:
        """Refuse any freeze that was decided on this state."""
        return self._moved(
            expected,
            lambda old: replace(old, epoch=old.epoch + 1) if old.mode is Mode.OPEN else None,
            drained=False,
        )

    def prove(self, expected: FenceState) -> FenceState:
        """Note that parity was proved within this freeze."""
        return self._moved(
            expected,
            lambda old: replace(old, parity_epoch=old.epoch) if self._frozen(old) else None,
            drained=False,
        )

    def flip(self, source: Namespace, target: Namespace, expected: FenceState, follower: str) -> FenceState:
        """Make the target's version the active one."""
        if FenceLocation.of(source) != FenceLocation.of(target):
            raise Conflict(
                message("The namespaces have two fences; close the source first."), code="two-databases"
            )
        return self._turn(source, target, expected, follower, Mode.OPEN)

    def close(self, source: Namespace, target: Namespace, expected: FenceState, follower: str) -> FenceState:
        """Shut the source's database for good, in favour of the target's."""
        return self._turn(source, target, expected, follower, Mode.CLOSED)

    def abort(self, expected: FenceState) -> FenceState:
        """Let the same version be written again."""
        return self._moved(expected, self._reopened)

    def open_other(
        self,
        target: Namespace,
        closed: FenceState,
        expected: FenceState,
        *,
        outcomes_since: datetime | None = None,
    ) -> FenceState:
        """Open the target's fence after the source's was closed, with the deployment's constraint rows in its database."""
        source = self._look(closed.site)
        if source.mode is not Mode.CLOSED or source.active_version != target.version:
            raise Conflict(
                message(
                    "The fence in {database} is not closed for {version}.",
                    database=closed.site.database,
                    version=target.version,
                ),
                code="other-not-closed",
            )
        found = self._look(expected.site)
        if found.writable(target.version):
            return found

        def opened(old: FenceState) -> FenceState | None:
            if old.mode is not Mode.CLOSED:
                return None
            start = position_of((self._databases.horizon(target.database), 0))
            if closed.site.database != expected.site.database:
                self._databases.move_constraint_rows(closed.site, expected.site)
            return replace(
                old,
                mode=Mode.OPEN,
                active_version=target.version,
                epoch=max(old.epoch, source.epoch) + 1,
                reverse_start=start,
            )

        return self._moved(expected, opened)

    def _turn(
        self, source: Namespace, target: Namespace, expected: FenceState, follower: str, becomes: Mode
    ) -> FenceState:
        laggards: list[int] = []

        def turned(old: FenceState) -> FenceState | None:
            laggards[:] = self._laggards(source, old, follower)
            if not self._frozen(old) or old.parity_epoch != old.epoch or laggards:
                return None
            return replace(
                old,
                mode=becomes,
                active_version=target.version,
                epoch=old.epoch + 1,
                freeze_deadline=None,
                reverse_start=position_of((self._databases.horizon(source.database), 0)),
                freeze_milliseconds=self._took(old),
            )

        return self._moved(expected, turned, laggards=laggards)

    def _laggards(self, source: Namespace, state: FenceState, follower: str) -> list[int]:
        cursors = self._databases.namespace(source).cursors
        behind = []
        for shard, end in sorted(state.freeze_end.items()):
            cursor = cursors.get((follower, shard))
            if (
                cursor is None
                or cursor.dead
                or cursor.epoch != state.epoch
                or cursor.reached is None
                or place_of(cursor.reached) < place_of(end)
            ):
                behind.append(shard)
        return behind

    def _reopened(self, old: FenceState) -> FenceState | None:
        if old.mode is not Mode.FROZEN:
            return None
        return replace(
            old,
            mode=Mode.OPEN,
            epoch=old.epoch + 1,
            freeze_deadline=None,
            parity_epoch=None,
            freeze_milliseconds=self._took(old),
        )

    def _frozen(self, state: FenceState) -> bool:
        return state.mode is Mode.FROZEN and not replace(state, at=self._databases.clock.now()).expired

    def _took(self, state: FenceState) -> float | None:
        if state.frozen_at is None:
            return None
        return (self._databases.clock.now() - state.frozen_at).total_seconds() * 1000

    def _look(self, site: FenceLocation) -> FenceState:
        kept, now = self._databases.fence(site), self._databases.clock.now()
        known = self._looked.get(site)
        if known is None or known[0] is not kept or known[1].at != now:
            known = self._looked[site] = (kept, replace(kept, at=now))
        return known[1]

    def _moved(
        self,
        expected: FenceState,
        change: Callable[[FenceState], FenceState | None],
        *,
        drained: bool = True,
        laggards: list[int] | None = None,
    ) -> FenceState:
        with self._databases.lock:
            if not self._move(expected, change, drained=drained):
                raise refusal(expected, self._look(expected.site), laggards)
            return self._look(expected.site)

    def _move(
        self,
        expected: FenceState,
        change: Callable[[FenceState], FenceState | None],
        *,
        drained: bool = True,
    ) -> bool:
        site = expected.site
        database = self._databases.database(site.database)
        if drained and any(work.fence_key == site.key for work in database.work.values()):
            raise Busy(
                message("Writes of {deployment} did not pause.", deployment=site.deployment),
                code="fence-busy",
            )
        old = self._databases.fence(site)
        if (old.mode, old.active_version, old.epoch) != (
            expected.mode,
            expected.active_version,
            expected.epoch,
        ):
            return False
        new = change(old)
        if new is None:
            return False
        database.fences[site.key] = new
        return True
