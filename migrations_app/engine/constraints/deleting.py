"""The deleting controller: goes on with unfinished deletions, and finalises shadows that nothing refers to."""

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
from migrations_app.engine.constraints.pending import AWAY_SECONDS, IDLE_SECONDS, Hosted, Silent
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Rest, WorkClass, while_hosted
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Busy, SwitchyardError
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.arrangements import Arrangements, PendingDeletion
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.store import Reading, Shadow, ShadowState, Transaction

AT_ONCE = 500
GO_ON_AFTER_SECONDS = 10.0
_NEXT_PAGE_SECONDS = 0.5


class DeletingController:
    """Brings every shadow that moves to rest: back to ACTIVE, or gone with everything that referred to it.

    Source: the models `ref_blockade` (a pending delete is durable) and `cascade` (D2srv).
    """

    name = "deleting"
    queue = "constraints"
    work_class = WorkClass.CONSTRAINT_ANSWERS

    def __init__(
        self,
        router: Router,
        peers: Peers,
        arrangements: Arrangements,
        hosted: Hosted,
        *,
        go_on_after_seconds: float = GO_ON_AFTER_SECONDS,
        rest: Rest | None = None,
    ) -> None:
        self._router, self._peers, self._hosted = router, peers, hosted
        self._agreeing = Agreeing(router, peers)
        self._carrying = Carrying(router, arrangements)
        self._go_on_after, self._rest = go_on_after_seconds, rest
        self._resume: dict[str, str] = {}

    def due(self) -> Iterable[str]:
        """List the deployments that are served here."""
        return [each.deployment for each in self._hosted()]

    @while_hosted
    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Take one round over the moving shadows of a deployment, as far as the budget goes."""
        here, began, moved, seen = Peer.parse(key), self._resume.get(key, ""), 0, 0
        silent = Silent()
        after = began
        while not budget.spent:
            page = self._page(here, after)
            seen += len(page)
            dying = [each for each in page if each.state is ShadowState.DELETING]
            moved += self._settle(here, dying, budget, silent)
            asked = [each for each in page if each.state is ShadowState.DELETE_PENDING]
            moved += self._go_on(here, asked, silent)
            after = str(page[-1].uid) if len(page) == AT_ONCE else ""
            if not after:
                break
        # The next round goes on where this one's budget ended: many that wait hide none behind them.
        self._resume[key] = after
        if not seen and not began:
            return self._rest.after(key) if self._rest else Again(IDLE_SECONDS)
        if moved:
            return Again()
        if after:
            return Again(_NEXT_PAGE_SECONDS)
        return Again(
            AWAY_SECONDS, waits_for=silent.words() or message("Those who refer to what is being deleted.")
        )

    def _page(self, here: Peer, after: str) -> Sequence[Shadow]:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.moving(after, AT_ONCE)
        )[1]

    def _go_on(self, here: Peer, pending: Sequence[Shadow], silent: Silent) -> int:
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
                self._carrying.erasing.erase(here, [PendingDeletion(type_, name)], agreed)
                moved += 1
            except Busy as error:
                silent.note(here.deployment, error)
                # Unknown; until the deadline the mark stays and no new reference is allowed.
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

    def _settle(self, here: Peer, dying: Sequence[Shadow], budget: Budget, silent: Silent) -> int:
        """Bring DELETING shadows on: no blockade, no referrer here, no source elsewhere; then forget them."""
        if not dying:
            return 0
        things = [dying_of(each) for each in dying]
        moved = self._resolve(here, dying, silent)
        moved += self._carrying.carry_on(here, here.service, things, budget)
        moved += self._erase_left(here, dying)
        # Only what no attempt is under way on: who answers "no more" before it commits may still refer to it.
        settled = self._unblocked(here, things)
        free = self._free_here(here, dying) & settled
        remaining = self._ask_sources(here, [each for each in dying if each.uid in settled], silent)
        done = {each.uid: each for each in dying if each.uid in free and not remaining[each.uid]}
        kept = [
            replace(each, sources=tuple(sorted(remaining[each.uid])))
            for each in dying
            if each.uid in remaining and set(each.sources) > remaining[each.uid] and each.uid not in done
        ]
        return moved + self._finalise(here, list(done.values()), kept)

    def _resolve(self, here: Peer, dying: Sequence[Shadow], silent: Silent) -> int:
        """Ask how the attempts on what is dying ended: no new one is accepted, so these are the last."""
        tokens: dict[str, set[str]] = {}
        for each in self._blockades(here, dying):
            tokens.setdefault(each[0], set()).add(each[1])
        settled = 0
        for source, known in sorted(tokens.items()):
            asked = Tokens(tuple(sorted(known)))
            try:
                answer = self._peers.call(here, Peer.parse(source), "resolveAttempt", write(asked))
            except SwitchyardError as error:
                silent.note(source, error)
                continue
            self._agreeing.settled(here, source, read(answer, Outcomes).outcomes)
            settled += len(known)
        return settled

    def _blockades(self, here: Peer, dying: Sequence[Shadow]) -> list[tuple[str, str]]:
        uids = [each.uid for each in dying if each.uid]
        return self._router.read_active(
            here.region,
            here.service,
            lambda _, reading: [(each.source, each.token) for each in reading.constraints.blockades(*uids)],
        )[1]

    def _erase_left(self, here: Peer, dying: Sequence[Shadow]) -> int:
        """Delete what was only marked, once nothing here or elsewhere blocks it."""
        left = self._router.read_active(
            here.region, here.service, lambda route, reading: _left(route, reading, dying)
        )[1]
        if not left:
            return 0
        shared = [each for each in dying if each.uid in left and each.sources]
        agreed = self._agreeing.willing(here, shared)
        free = [doomed for uid, doomed in left.items() if uid in agreed]
        alone = {each.uid for each in dying if not each.sources}
        free += [doomed for uid, doomed in left.items() if uid in alone]
        return self._carrying.sweeping.sweep(here, free, agreed).moved

    def _unblocked(self, here: Peer, things: Sequence[Dying]) -> set[UUID]:
        """Tell which have no open blockade: being deleted, they get no new one."""
        uids = {thing.uid for thing in things}
        blockades = self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.blockades(*uids)
        )[1]
        return uids - {each.uid for each in blockades}

    def _free_here(self, here: Peer, dying: Sequence[Shadow]) -> set[UUID]:
        """Tell which have neither a row nor a referrer in this deployment."""

        def _answer(route: ServingRoute, reading: Reading) -> set[UUID]:
            things = [dying_of(each) for each in dying]
            held = {thing.uid for thing, _ in referrers_to(reading, here.service, things, *HOLDING)}
            return {thing.uid for thing in things} - held - set(_left(route, reading, dying))

        return self._router.read_active(here.region, here.service, _answer)[1]

    def _ask_sources(self, here: Peer, dying: Sequence[Shadow], silent: Silent) -> dict[UUID, set[str]]:
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
            except SwitchyardError as error:
                silent.note(source, error)
                continue
            still = set(read(answer, Remaining).uids)
            for thing in things:
                if thing.uid not in still:
                    remaining[thing.uid].discard(source)
        return remaining

    def _finalise(self, here: Peer, done: Sequence[Shadow], kept: Sequence[Shadow]) -> int:
        failpoints.reach("finalise.before-commit")

        def _change(_: ServingRoute, transaction: Transaction) -> int:
            uids = [each.uid for each in (*done, *kept) if each.uid]
            found = transaction.constraints.lock_shadows(*uids)
            blocked = {each.uid for each in transaction.constraints.blockades(*uids)}
            same = {
                each.uid
                for each in (*done, *kept)
                if each.uid and each.uid not in blocked and _unchanged(found.get(each.uid), each)
            }
            transaction.constraints.finalise(*(each.uid for each in done if each.uid in same and each.uid))
            transaction.constraints.write(*(each for each in kept if each.uid in same))
            return len(same)

        if not done and not kept:
            return 0
        return self._router.write_active(here.region, here.service, _change)[1]

    def _now(self, here: Peer) -> datetime:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.now()
        )[1]


def _left(route: ServingRoute, reading: Reading, dying: Sequence[Shadow]) -> dict[UUID, PendingDeletion]:
    """Find the resources of shadows that are still there, by the names they have in the active version."""
    named: dict[str, list[str]] = {}
    for each in dying:
        if route.stored_version in each.names:
            type_, name = each.names[route.stored_version]
            named.setdefault(type_, []).append(name)
    uids = {each.uid for each in dying}
    return {
        shadow.uid: PendingDeletion(type_, name)
        for type_, names in named.items()
        for name, shadow in reading.shadows(type_, names).items()
        if shadow.uid and shadow.uid in uids
    }


def _unchanged(found: Shadow | None, seen: Shadow) -> bool:
    return (
        found is not None
        and found.state is ShadowState.DELETING
        and (found.ref_epoch, found.delete_id) == (seen.ref_epoch, seen.delete_id)
    )
