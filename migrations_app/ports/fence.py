"""The fence of a deployment: the one row in its data database that says which version may be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from migrations_app.ports.namespaces import Namespace, Position, fence_key


class Mode(StrEnum):
    """Who may write.

    OPEN: clients write the active version. FROZEN: no client does, until the deadline. CLOSED: no client writes what
    it guards; another fence of the deployment, in another database or of another numbering, is open or about to be.
    """

    OPEN = "OPEN"
    FROZEN = "FROZEN"
    CLOSED = "CLOSED"


@dataclass(frozen=True, slots=True)
class FenceLocation:
    """The fence of one deployment in one of its data databases; one for each numbering of its shards that has its own."""

    deployment: str
    database: str
    numbering: str = ""

    @property
    def key(self) -> str:
        """The key of its row."""
        return fence_key(self.deployment, self.numbering)

    @classmethod
    def of(cls, namespace: Namespace) -> FenceLocation:
        """Tell which fence guards a namespace."""
        return cls(namespace.deployment, namespace.database, namespace.numbering)


@dataclass(frozen=True, slots=True)
class FenceState:
    """What the fence said at one instant. It is a hint: the database checks every write itself."""

    site: FenceLocation
    active_version: str
    mode: Mode
    epoch: int
    at: datetime
    freeze_deadline: datetime | None = None
    frozen_at: datetime | None = None
    freeze_end: Mapping[int, Position] = field(default_factory=dict)
    reverse_start: Position | None = None
    parity_epoch: int | None = None
    freeze_milliseconds: float | None = None

    def writable(self, version: str) -> bool:
        """Tell whether clients may write this version."""
        return self.mode is Mode.OPEN and self.active_version == version

    @property
    def expired(self) -> bool:
        """Tell whether this is a freeze whose deadline has passed, by the data database's own clock."""
        return (
            self.mode is Mode.FROZEN and self.freeze_deadline is not None and self.freeze_deadline <= self.at
        )


class Fence(Protocol):
    """Compare-and-set on (mode, active version, epoch), each a transaction of its own.

    Every change but `prove` and `withdraw` takes the lock that writers share, so that no writer is in flight
    when it commits; every change but `prove` raises the epoch by one. `expected` is the state the caller
    decided on; when the row no longer says so, the change raises Stale (`fence-moved`, with the `found` state
    among its nouns) and nothing happened. Waiting for writers goes in tries of 300 ms, for at most `patience_seconds`; then Busy
    (`fence-busy`). A caller that meets a freeze past its deadline aborts it first.
    """

    def state(self, site: FenceLocation) -> FenceState:
        """Read the fence, aborting a freeze that has expired.

        Raises: Missing (`fence-missing`).
        """
        ...

    def open_first(self, site: FenceLocation, version: str, *, mode: Mode = Mode.OPEN) -> FenceState:
        """Set the fence up at epoch 1; `CLOSED` for a database that is only being filled.

        Done again, it tells the state that is there and changes nothing.
        """
        ...

    def freeze(
        self,
        source: Namespace,
        expected: FenceState,
        *,
        deadline_seconds: float = 5.0,
        patience_seconds: float = 3.0,
    ) -> FenceState:
        """OPEN@e → FROZEN@e+1, noting per shard where the feed of the active namespace ends.

        Raises: Invalid (`freeze-too-long`) beyond 60 s · Stale · Busy.
        """
        ...

    def withdraw(self, expected: FenceState) -> FenceState:
        """OPEN@e → OPEN@e+1: no freeze that was decided on `expected` can be made any more, however late it comes.

        Writers go on and are not waited for.
        Raises: Stale when a freeze, or another withdrawal, was faster.
        """
        ...

    def prove(self, expected: FenceState) -> FenceState:
        """Note that parity was proved within this freeze (`parity_epoch` = this epoch); the epoch stays.

        Raises: Stale · Conflict (`freeze-expired`).
        """
        ...

    def flip(self, source: Namespace, target: Namespace, expected: FenceState, follower: str) -> FenceState:
        """FROZEN@e → OPEN@e+1 with the target's version active, noting where the reverse begins.

        Only with parity proved in this epoch, the deadline not passed, and the follower's cursors at the
        freeze's end in every shard. Source and target have one fence; else see `close`.

        Raises: Stale · Conflict (`parity-missing`, `follower-behind`, `freeze-expired`) · Busy.
        """
        ...

    def abort(self, expected: FenceState) -> FenceState:
        """FROZEN@e → OPEN@e+1 with the same version: by the operator, by the deadline, by anyone.

        Raises: Stale when something else, an abort or the flip, was faster.
        """
        ...

    def close(self, source: Namespace, target: Namespace, expected: FenceState, follower: str) -> FenceState:
        """FROZEN@e → CLOSED@e+1 with the target's version active: between two fences, the point of no
        return. Same conditions and errors as `flip`; nothing but `open_other` is left to do, by anybody.
        """
        ...

    def open_other(
        self,
        target: Namespace,
        closed: FenceState,
        expected: FenceState,
        *,
        outcomes_since: datetime | None = None,
    ) -> FenceState:
        """Open the fence of the target after that of the source was closed: CLOSED@k → OPEN, at an epoch greater than both.

        `closed` is the state of the source's, read after `close`; `expected` the target's. From another database the
        deployment's dealings with others (`ports.constraints`) come across in the same commit; those attempts that
        `Store.bring_outcomes` brought before `outcomes_since` are there already. Done again, it tells the
        state that is there, and brings nothing.

        Raises: Conflict (`other-not-closed`) · Stale.
        """
        ...
