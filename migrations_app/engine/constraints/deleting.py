"""The deleting controller: goes on with deletions somebody left, and finalises shadows nobody refers to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from migrations_app.engine.constraints.agreeing import (
    PENDING_DEADLINE_SECONDS,
    Agreeing,
    Marked,
    dying_of,
)
from migrations_app.engine.constraints.answering import HOLDING, referrers_to
from migrations_app.engine.constraints.carrying import Carrying
from migrations_app.engine.constraints.messages import (
    Dying,
    Outcomes,
    OwnersGone,
    Remaining,
    Things,
    Tokens,
    read,
    write,
)
from migrations_app.engine.constraints.pending import AWAY_SECONDS, IDLE_SECONDS, Hosted
from migrations_app.engine.controller import Again, Budget, Lease, Outcome
from migrations_app.engine.serving.routing import Route, Router
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Busy, Conflict, SwitchyardError
from migrations_app.ports.arrangements import Arrangements, Doomed
from migrations_app.ports.peers import Peer, Peers
from migrations_app.ports.store import Reading, Shadow, ShadowState, Transaction

AT_ONCE = 100
GO_ON_AFTER_SECONDS = 10.0


class DeletingController:
    """Brings every shadow that moves to rest: back to ACTIVE, or gone with everything that referred to it.

    Source: the models `ref_blockade` (a pending delete is durable) and `cascade` (D2srv).
    """

    name = "deleting"
    queue = "constraints"

    def __init__(
        self,
        router: Router,
        peers: Peers,
        arrangements: Arrangements,
        hosted: Hosted,
        *,
        go_on_after_seconds: float = GO_ON_AFTER_SECONDS,
    ) -> None:
        self._router, self._peers, self._hosted = router, peers, hosted
        self._agreeing = Agreeing(router, peers)
        self._carrying = Carrying(router, arrangements)
        self._go_on_after = go_on_after_seconds

    def due(self) -> Iterable[str]:
        """List the deployments that are served here."""
        return [each.deployment for each in self._hosted()]

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Take one round over the moving shadows of a deployment, as far as the budget goes."""
        here, after, moved, seen = Peer.parse(key), "", 0, 0
        while not budget.spent:
            page = self._page(here, after)
            seen += len(page)
            moved += self._settle(here, [each for each in page if each.state is ShadowState.DELETING], budget)
            moved += self._go_on(here, [each for each in page if each.state is ShadowState.DELETE_PENDING])
            if len(page) < AT_ONCE:
                break
            after = str(page[-1].uid)
        if not seen:
            return Again(IDLE_SECONDS)
        return Again(0.0 if moved else AWAY_SECONDS, fruitless=not moved)

    def _page(self, here: Peer, after: str) -> Sequence[Shadow]:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.moving(after, AT_ONCE)
        )[1]

    def _go_on(self, here: Peer, pending: Sequence[Shadow]) -> int:
        """Go on with deletions whose asker seems to be gone: ask again, then delete, or give up in the end."""
        moved = 0
        now = self._now(here)
        roots: dict[str, list[Shadow]] = {}
        for shadow in pending:
            roots.setdefault(shadow.root, []).append(shadow)
        for root, shadows in sorted(roots.items()):
            age = min((now - each.since).total_seconds() if each.since else 0.0 for each in shadows)
            if age < self._go_on_after:
                continue
            agreed = {each.uid: each.delete_id for each in shadows if each.uid}
            type_, _, name = root.partition(" ")
            try:
                self._agreeing.ask(here, [Marked(each, dying_of(each)) for each in shadows])
                self._carrying.erasing.erase(here, [Doomed(type_, name)], agreed)
                moved += 1
            except Busy:
                # Nobody knows; until the deadline the mark stays and nobody may refer to it anew.
                if age >= PENDING_DEADLINE_SECONDS:
                    self._agreeing.withdraw(here, agreed)
                    moved += 1
            except SwitchyardError:
                self._agreeing.withdraw(here, agreed)
                moved += 1
            else:
                # What its cascade no longer reached was not deleted with it.
                self._agreeing.withdraw(here, agreed)
        return moved

    def _settle(self, here: Peer, dying: Sequence[Shadow], budget: Budget) -> int:
        """Bring DELETING shadows on: no blockade, no referrer here, no source elsewhere; then forget them."""
        if not dying:
            return 0
        moved = self._resolve(here, dying)
        moved += self._carry(here, dying, budget)
        things = [dying_of(each) for each in dying]
        # Only what no attempt is under way on: who answers "no more" before it commits may still refer to it.
        settled = self._unblocked(here, things)
        free = self._free_here(here, things) & settled
        remaining = self._ask_sources(here, [each for each in dying if each.uid in settled])
        done = [each for each in dying if each.uid in free and not remaining[each.uid]]
        kept = [
            replace(each, sources=tuple(sorted(remaining[each.uid])))
            for each in dying
            if each.uid in remaining and set(each.sources) > remaining[each.uid] and each not in done
        ]
        return moved + self._finalise(here, done, kept)

    def _resolve(self, here: Peer, dying: Sequence[Shadow]) -> int:
        """Ask how the attempts on what is dying ended: no new one is accepted, so these are the last."""
        tokens: dict[str, set[str]] = {}
        for each in self._blockades(here, dying):
            tokens.setdefault(each[0], set()).add(each[1])
        settled = 0
        for source, known in sorted(tokens.items()):
            asked = Tokens(tuple(sorted(known)))
            try:
                answer = self._peers.call(here, Peer.parse(source), "resolveAttempt", write(asked))
            except SwitchyardError:
                continue
            self._agreeing.settled(here, source, read(answer, Outcomes).outcomes)
            settled += len(known)
        return settled

    def _blockades(self, here: Peer, dying: Sequence[Shadow]) -> list[tuple[str, str]]:
        uids = [each.uid for each in dying if each.uid]
        return self._router.read_active(
            here.region,
            here.service,
            lambda _, reading: [
                (each.source, each.token) for uid in uids for each in reading.constraints.blockades(uid)
            ],
        )[1]

    def _carry(self, here: Peer, dying: Sequence[Shadow], budget: Budget) -> int:
        """Carry deletions on within this deployment; delete what was only marked once nothing blocks it."""
        moved = 0
        for each in dying:
            if budget.spent:
                break
            found = self._carrying.carry(here, here.service, dying_of(each))
            moved += found.moved
            left = None if found.more else self._left(here, each)
            if left is not None:
                try:
                    moved += self._carrying.erasing.erase(here, [left])
                except (Conflict, Busy):
                    continue  # still blocked, or nobody knows
        return moved

    def _left(self, here: Peer, shadow: Shadow) -> Doomed | None:
        """Find the resource of a shadow that is still there, by the name it has in the active version."""

        def _answer(route: Route, reading: Reading) -> Doomed | None:
            named = shadow.names.get(route.stored_version)
            found = reading.get(*named) if named else None
            return Doomed(found.type, found.name) if found and found.uid == shadow.uid else None

        return self._router.read_active(here.region, here.service, _answer)[1]

    def _unblocked(self, here: Peer, things: Sequence[Dying]) -> set[UUID]:
        """Tell which have no open blockade: being deleted, they get no new one."""

        def _answer(_: Route, reading: Reading) -> set[UUID]:
            return {thing.uid for thing in things if not reading.constraints.blockades(thing.uid)}

        return self._router.read_active(here.region, here.service, _answer)[1]

    def _free_here(self, here: Peer, things: Sequence[Dying]) -> set[UUID]:
        """Tell which have neither a row nor a referrer in this deployment."""

        def _answer(route: Route, reading: Reading) -> set[UUID]:
            return {thing.uid for thing in things if _free(route, reading, thing)}

        return self._router.read_active(here.region, here.service, _answer)[1]

    def _ask_sources(self, here: Peer, dying: Sequence[Shadow]) -> dict[UUID, set[str]]:
        """Ask each source what it still refers to; who does not answer is taken to refer to all."""
        remaining = {each.uid: set(each.sources) for each in dying if each.uid}
        by_source: dict[str, list[Dying]] = {}
        for each in dying:
            for source in each.sources:
                by_source.setdefault(source, []).append(dying_of(each))
        for source, things in sorted(by_source.items()):
            try:
                gone = write(OwnersGone(tuple(thing.uid for thing in things)))
                self._peers.call(here, Peer.parse(source), "removeMetaOwnerReference", gone)
                answer = self._peers.call(
                    here,
                    Peer.parse(source),
                    "checkIfResourceHasDeletionSubscriber",
                    write(Things(tuple(things))),
                )
            except SwitchyardError:
                continue
            still = set(read(answer, Remaining).uids)
            for thing in things:
                if thing.uid not in still:
                    remaining[thing.uid].discard(source)
        return remaining

    def _finalise(self, here: Peer, done: Sequence[Shadow], kept: Sequence[Shadow]) -> int:
        failpoints.reach("finalise.before-commit")

        def _change(_: Route, transaction: Transaction) -> int:
            count = 0
            for each in sorted(done, key=lambda one: str(one.uid)):
                assert each.uid is not None
                found = transaction.constraints.lock_shadow(each.uid)
                if _unchanged(found, each) and not transaction.constraints.blockades(each.uid):
                    transaction.constraints.finalise(each.uid)
                    count += 1
            for each in kept:
                assert each.uid is not None
                found = transaction.constraints.lock_shadow(each.uid)
                if _unchanged(found, each) and not transaction.constraints.blockades(each.uid):
                    transaction.constraints.write(each)
                    count += 1
            return count

        if not done and not kept:
            return 0
        return self._router.write_active(here.region, here.service, _change)[1]

    def _now(self, here: Peer) -> datetime:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.now()
        )[1]


def _free(route: Route, reading: Reading, thing: Dying) -> bool:
    if referrers_to(reading, route.served.service, thing, *HOLDING, limit=1):
        return False
    named = thing.names.get(route.stored_version)
    found = reading.get(*named) if named else None
    return found is None or found.uid != thing.uid


def _unchanged(found: Shadow | None, seen: Shadow) -> bool:
    return (
        found is not None
        and found.state is ShadowState.DELETING
        and (found.ref_epoch, found.delete_id) == (seen.ref_epoch, seen.delete_id)
    )
