"""The referrer's side: how its attempts ended, and whether it still refers to what is to be deleted."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from migrations_app.engine.constraints.messages import Blocker, Dying, Outcomes, Tokens
from migrations_app.engine.serving.routing import Route, Router
from migrations_app.ports.peers import Peer
from migrations_app.ports.store import Reading, Referrer, Transaction

SHOWN = 20
HOLDING = ("BLOCK", "CASCADE", "UNSET")
_PER_THING = 1000


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

        def _change(_: Route, transaction: Transaction) -> Outcomes:
            settled = {
                token: transaction.constraints.abort_attempt(token).value for token in sorted(asked.tokens)
            }
            return Outcomes(settled)

        return self._router.write_active(here.region, here.service, _change)[1]

    def blockers(self, sender: Peer, here: Peer, things: Sequence[Dying]) -> tuple[Blocker, ...]:
        """CheckIfResourceIsBlocked: name some who refer in a way that forbids the deletion of the sender's.

        Who would go with it counts too: until it has gone it would refer to what is not there any more.
        """

        def _answer(route: Route, reading: Reading) -> tuple[Blocker, ...]:
            found = [
                Blocker(thing.uid, each.type, each.name, each.reference.path)
                for thing in things
                for each in referrers_to(reading, sender.service, thing, "BLOCK", limit=SHOWN)
            ]
            return tuple(found[:SHOWN])

        return self._router.read_active(here.region, here.service, _answer)[1]

    def remaining(self, sender: Peer, here: Peer, things: Sequence[Dying]) -> tuple[UUID, ...]:
        """CheckIfResourceHasDeletionSubscriber: tell which of the sender's are still referred to."""

        def _answer(_: Route, reading: Reading) -> tuple[UUID, ...]:
            owners = reading.constraints.owners
            return tuple(
                thing.uid
                for thing in things
                if referrers_to(reading, sender.service, thing, *HOLDING, limit=1)
                or owners.owned_by(sender.deployment, [thing.uid])
            )

        return self._router.read_active(here.region, here.service, _answer)[1]


def referrers_to(
    reading: Reading, service: str, thing: Dying, *kinds: str, limit: int = _PER_THING
) -> list[Referrer]:
    """List who refers to a thing of a service under the name it has in the version of the reference.

    The region is left aside: whoever asks is a source of this very resource, and a name says where it lives.
    """
    known = {(version, name) for version, (_, name) in thing.names.items()}
    found: list[Referrer] = []
    for name in sorted({name for _, name in known}):
        for each in reading.referrers(service, name, limit=limit, kinds=kinds):
            version = each.reference.target_version
            if not version or (version, name) in known:
                found.append(each)
    return found


def _known(reading: Reading, asked: Tokens) -> Outcomes:
    found = {token: reading.constraints.outcome(token) for token in asked.tokens}
    return Outcomes({token: outcome.value for token, outcome in found.items() if outcome})
