"""A deployment that was evicted and registered again: what it still refers to is announced again, or carried on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from migrations_app.engine.constraints.auditing import PAGE, grouped, references_of
from migrations_app.engine.constraints.carrying import Carrying
from migrations_app.engine.constraints.messages import (
    Dying,
    Establish,
    Established,
    Verified,
    Verify,
    read,
    write,
)
from migrations_app.engine.controller import Budget
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.uids import new_uid
from migrations_app.ports.constraints import HeldReference
from migrations_app.ports.regions.arrangements import Arrangements
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.store import Transaction

HEARD_OF_AFTER = timedelta(seconds=15)
"""By then no deployment takes it for evicted any more, and releases what it announced."""
_TRIES = 3


class Returns(Protocol):
    """The deployments that were evicted and came back under a new registration."""

    def open(self) -> Mapping[str, datetime]:
        """List those whose references are not announced again yet, with the time they came back at."""
        ...

    def settled(self, deployment: str) -> None:
        """Note that nothing is left to be announced."""
        ...


class Returning:
    """Announces again what a returned deployment refers to; what is gone meanwhile takes its referrers along.

    None waited for it, so that its targets may be gone: a field that cascades or is unset does so now; one that
    blocks stays, and the audit tells of it.
    """

    def __init__(
        self, router: Router, peers: Peers, arrangements: Arrangements, returns: Returns, clock: Clock
    ) -> None:
        self._router, self._peers, self._arrangements = router, peers, arrangements
        self._returns, self._clock = returns, clock
        self._carrying = Carrying(router, arrangements)
        self._positions: dict[Peer, tuple[str, str, int]] = {}
        self._unsettled: set[Peer] = set()

    def settle(self, here: Peer, budget: Budget, silent: Callable[[str, SwitchyardError], None]) -> bool:
        """Go on with a deployment that came back; nothing for others. Tells whether it is none that came back.

        Once: positions are kept in memory; losing one begins again, which finds everything announced.
        Who does not answer is noted with `silent`, and asked again in the next pass.
        """
        since = self._returns.open().get(here.deployment)
        if since is None:
            return True
        level = self._clock.now() - since > HEARD_OF_AFTER
        while not budget.spent:
            after = self._positions.get(here, ("", "", -1))
            page = self._page(here, after)
            for (there, version), group in grouped(self._arrangements.whereabouts, here, page).items():
                try:
                    if there != here:
                        self._mend(here, there, version, group, budget)
                except SwitchyardError as error:
                    silent(there.deployment, error)
                    level = False
            if len(page) < PAGE:
                self._positions.pop(here, None)
                if level and here not in self._unsettled:
                    self._returns.settled(here.deployment)
                self._unsettled.discard(here)
                return False
            if not level:
                self._unsettled.add(here)
            self._positions[here] = (page[-1].type, page[-1].name, page[-1].ordinal)
        return False

    def _page(self, here: Peer, after: tuple[str, str, int]) -> Sequence[HeldReference]:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.held(after, PAGE)
        )[1]

    def _mend(
        self, here: Peer, there: Peer, version: str, group: Sequence[HeldReference], budget: Budget
    ) -> None:
        asked = references_of(group)
        found = read(
            self._peers.call(here, there, "verifyReferences", write(Verify(version, asked))), Verified
        )
        gone = {*found.gone, *self._announce(here, there, version, group, found.unlisted)}
        dying = [
            Dying(new_uid(), {version: (asked[index].type, asked[index].name)})
            for index in sorted(gone)
            if asked[index].kind in ("CASCADE", "UNSET")
        ]
        self._carrying.carry_on(here, there.service, dying, budget)

    def _announce(
        self, here: Peer, there: Peer, version: str, group: Sequence[HeldReference], unlisted: Sequence[int]
    ) -> set[int]:
        """Establish what is not listed, and decide for it; tell what went meanwhile."""
        left, gone = list(unlisted), set[int]()
        if not left:
            return gone
        token = self._router.write_active(here.region, here.service, lambda _, now: now.constraints.draw())[1]
        for _ in range(_TRIES):
            told = write(Establish(token, version, references_of([group[index] for index in left])))
            answer = read(self._peers.call(here, there, "establishReferences", told), Established)
            refused = {left[index] for index in (*answer.missing, *answer.deleting)}
            elsewhere = {left[each.index] for each in answer.remote_targets}
            if not refused and not elsewhere:
                break
            gone |= refused
            left = [index for index in left if index not in refused | elsewhere]
            if not left:
                return gone

        def _decide(_: ServingRoute, now: Transaction) -> None:
            now.constraints.commit_attempt(token, there.deployment)

        self._router.write_active(here.region, here.service, _decide)
        return gone
