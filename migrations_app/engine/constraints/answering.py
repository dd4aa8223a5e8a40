"""The referrer's side: how its attempts ended, and whether it still refers to what is to be deleted."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from migrations_app.engine.constraints.messages import Blocker, Dying, Outcomes, Referring, Referrings, Tokens
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading, Referrer, Transaction

SHOWN = 20
TOLD = 1000
HOLDING = ("BLOCK", "CASCADE", "UNSET")
_FEW = 50


class Answering:
    """Answers those whose resources are referred to from here.

    Source: the model `ref_blockade`, steps RES and ASK of D1srv.
    """

    def __init__(self, router: Router) -> None:
        self._router = router

    def resolve(self, here: Peer, asked: Tokens) -> Outcomes:
        """ResolveAttempt: tell how attempts ended; with `settle`, one that is not decided is aborted now."""
        if not asked.settle:
            return self._router.read_active(here.region, here.service, lambda _, now: _known(now, asked))[1]

        def _change(_: ServingRoute, transaction: Transaction) -> Outcomes:
            settled = {
                token: transaction.constraints.abort_attempt(token).value for token in sorted(asked.tokens)
            }
            return Outcomes(settled)

        return self._router.write_active(here.region, here.service, _change)[1]

    def blockers(self, sender: Peer, here: Peer, things: Sequence[Dying]) -> tuple[Blocker, ...]:
        """CheckIfResourceIsBlocked: name some who refer in a way that forbids the deletion of the sender's.

        Who would go with it counts too: until it has gone it would refer to what is not there any more.
        """

        def _answer(route: ServingRoute, reading: Reading) -> tuple[Blocker, ...]:
            told: dict[UUID, list[Blocker]] = {}
            for thing, each in referrers_to(reading, sender.service, things, "BLOCK"):
                blocker = Blocker(thing.uid, each.type, each.name, each.reference.path)
                told.setdefault(thing.uid, []).append(blocker)
            # The first of each: the asker learns of every one that is blocked.
            first = [blockers[0] for blockers in told.values()]
            rest = [each for blockers in told.values() for each in blockers[1:]]
            return (*first, *rest[: max(0, SHOWN - len(first))])

        return self._router.read_active(here.region, here.service, _answer)[1]

    def describe(self, sender: Peer, here: Peer, things: Sequence[Dying]) -> Referrings:
        """DescribeReferrers: name some who refer to the sender's, of every kind."""

        def _answer(route: ServingRoute, reading: Reading) -> Referrings:
            version = route.stored_version
            kinds = (*HOLDING, "OWNER", "WEAK")
            found = referrers_to(reading, sender.service, things, *kinds, each=TOLD, most=TOLD)
            told = tuple(
                Referring(
                    thing.uid, row.type, row.name, row.reference.path, row.reference.kind.value, version
                )
                for thing, row in found
            )
            return Referrings(told, more=len(found) >= TOLD)

        return self._router.read_active(here.region, here.service, _answer)[1]

    def remaining(self, sender: Peer, here: Peer, things: Sequence[Dying]) -> tuple[UUID, ...]:
        """CheckIfResourceHasDeletionSubscriber: tell which of the sender's are still referred to."""

        def _answer(_: ServingRoute, reading: Reading) -> tuple[UUID, ...]:
            uids = [thing.uid for thing in things]
            held = {thing.uid for thing, _ in referrers_to(reading, sender.service, things, *HOLDING)}
            held |= reading.constraints.owners.owning(sender.deployment, uids)
            return tuple(uid for uid in uids if uid in held)

        return self._router.read_active(here.region, here.service, _answer)[1]


def referrers_to(
    reading: Reading,
    service: str,
    things: Sequence[Dying],
    *kinds: str,
    each: int = _FEW,
    most: int | None = None,
    staying: bool = False,
) -> list[tuple[Dying, Referrer]]:
    """List some who refer to things of a service under the names these have in the version of the reference.

    The region is left aside: the caller is a source of this very resource, and a name says where it lives.
    `staying` leaves out who is being deleted itself. Without `most`, nothing that is referred to is left out.
    """
    named: dict[str, dict[UUID, tuple[Dying, set[str]]]] = {}
    for thing in things:
        for version, (_, name) in thing.names.items():
            named.setdefault(name, {}).setdefault(thing.uid, (thing, set()))[1].add(version)
    rows = reading.referrers_of(
        service,
        sorted(named),
        kinds,
        each=each,
        most=each * len(named) if most is None else most,
        staying=staying,
    )
    return [
        (thing, row)
        for row in rows
        for thing, versions in named[row.reference.target_name].values()
        if not row.reference.target_version or row.reference.target_version in versions
    ]


def _known(reading: Reading, asked: Tokens) -> Outcomes:
    found = {token: reading.constraints.outcome(token) for token in asked.tokens}
    return Outcomes({token: outcome.value for token, outcome in found.items() if outcome})
