"""Writes that need the word of others: tried, arranged with no transaction open, and tried again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

from migrations_app.kernel.errors import AttemptExpired, AttemptResolved, Busy, RevisionConflict
from migrations_app.ports.regions.arrangements import Arrangements, PendingDeletion, UnconfirmedReference
from migrations_app.ports.regions.peers import Peer

T = TypeVar("T")

_TRIES = 20


class Unarranged(Exception):
    """A write needs the word of other deployments first; its transaction is rolled back, then they are asked."""

    def __init__(
        self,
        token: str = "",
        wanted: tuple[UnconfirmedReference, ...] = (),
        doomed: tuple[PendingDeletion, ...] = (),
    ) -> None:
        super().__init__()
        self.token, self.wanted, self.doomed = token, wanted, doomed


@dataclass(slots=True)
class ArrangedWrite:
    """What others have said to a write so far: references announced under a token, deletions agreed to.

    `followed_up` is set by an attempt whose commit leaves work to the controllers.
    """

    token: str = ""
    held: dict[UnconfirmedReference, Peer] = field(default_factory=dict)
    agreed: dict[UUID, int] = field(default_factory=dict)
    followed_up: bool = False


def arranged_write(
    arrangements: Arrangements | None,
    here: Peer,
    attempt: Callable[[ArrangedWrite], T],
    arranged: ArrangedWrite | None = None,
) -> T:
    """Attempt a write until it has all it needs; `attempt` commits, or raises what is missing.

    Once: deletions that were agreed to and did not commit are given up; references that were announced end
    by themselves.
    Raises: what the write or the others refuse · Busy (`write-contended`).
    """
    said = arranged or ArrangedWrite()
    try:
        for _ in range(_TRIES):
            said.followed_up = False
            try:
                done = attempt(said)
            except Unarranged as need:
                _arrange(arrangements, here, need, said)
            except (AttemptResolved, AttemptExpired):
                said.token, said.held = "", {}
            except RevisionConflict as error:
                # Another write came between our read and our write. Only a caller that named a revision needs to know.
                if "asked" in error.nouns:
                    raise
            else:
                said.agreed = {}
                if said.followed_up and arrangements is not None:
                    arrangements.written(here)
                return done
        raise Busy("Others write the same resources just now.", code="write-contended")
    finally:
        if said.agreed and arrangements is not None:
            arrangements.withdraw(here, said.agreed)


def _arrange(arrangements: Arrangements | None, here: Peer, need: Unarranged, said: ArrangedWrite) -> None:
    assert arrangements is not None
    for doomed in need.doomed:
        said.agreed.update(arrangements.agree(here, doomed))
    if need.wanted:
        said.token = need.token
        said.held.update(arrangements.establish(here, need.token, need.wanted))
