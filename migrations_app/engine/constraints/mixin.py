"""The schema mixin: the custom actions that every deployment offers its peers.

Source: seed 003 §3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from uuid import UUID

from migrations_app.engine.constraints.agreeing import dying_of
from migrations_app.engine.constraints.answering import Answering, referrers_to
from migrations_app.engine.constraints.auditing import verify, verify_owners
from migrations_app.engine.constraints.establishing import Establishing
from migrations_app.engine.constraints.messages import (
    Blocker,
    Blockers,
    ConfirmOwners,
    ConstraintDescription,
    Deletions,
    Dying,
    Establish,
    MovingShadow,
    OwnersGone,
    OwnersSaved,
    OwnerVersion,
    Remaining,
    Things,
    Tokens,
    Verify,
    WatchDeletions,
    read,
    write,
)
from migrations_app.engine.constraints.owners import OwnerAnswering, Owning
from migrations_app.engine.constraints.releasing import Evicted
from migrations_app.engine.serving.references.stored_references import BLOCKING
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.errors import Denied, UnknownAction
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading

SHOWN = 100
Action = Callable[[Peer, Peer, JsonObject], JsonObject]


class MixinServer:
    """`ports.peers.Mixin` over the deployments that a router reaches; `more` are actions of other packages."""

    def __init__(
        self,
        router: Router,
        owning: Owning | None = None,
        establishing: Establishing | None = None,
        more: Mapping[str, Action] | None = None,
        evicted: Evicted = dict,
    ) -> None:
        self._router, self._owning, self._evicted = router, owning, evicted
        self._owners = OwnerAnswering(router)
        self._establishing = establishing or Establishing(router)
        self._answering = Answering(router)
        self.actions: dict[str, Action] = {
            "establishReferences": self._establish,
            "confirmBlockades": self._confirm,
            "resolveAttempt": self._resolve,
            "checkIfResourceIsBlocked": self._is_blocked,
            "checkIfResourceHasDeletionSubscriber": self._has_subscriber,
            "watchImportedServiceDeletions": self._deletions,
            "verifyReferences": self._verify,
            "verifyMetaOwners": self._verify_owners,
            "describeConstraints": self._describe,
            "describeReferrers": self._describe_referrers,
            "confirmMetaOwner": self._confirm_owner,
            "removeMetaOwnerReference": self._remove_owner,
        }
        if owning is not None:
            self.actions |= _of_owners(owning)
        self.actions |= more or {}

    def answer(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        """Carry out an action at a deployment that is served here."""
        if sender.deployment in self._evicted() and sender != target:
            raise Denied(
                message(
                    "{deployment} was evicted; what referred from it is released.",
                    deployment=sender.deployment,
                ),
                code="evicted",
                remedy=message("Remove it from the registry and register it again."),
            )
        known = self.actions.get(action)
        if known is None:
            raise UnknownAction(
                message("There is no action {action}.", action=repr(action[:80])),
                remedy=message("Known are {actions}.", actions=", ".join(self.actions)),
            )
        return known(sender, target, body)

    def _establish(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(self._establishing.establish(sender, here, read(body, Establish)))

    def _confirm(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        self._establishing.confirm(sender, here, read(body, Tokens))
        return {}

    def _resolve(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(self._answering.resolve(here, read(body, Tokens)))

    def _is_blocked(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(Blockers(self._answering.blockers(sender, here, read(body, Things).things)))

    def _has_subscriber(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(Remaining(self._answering.remaining(sender, here, read(body, Things).things)))

    def _verify(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(verify(self._router, sender, here, read(body, Verify)))

    def _verify_owners(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(verify_owners(self._router, sender, here, read(body, ConfirmOwners)))

    def _describe_referrers(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(self._answering.describe(sender, here, read(body, Things).things))

    def _confirm_owner(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(self._owners.confirm(sender, here, read(body, ConfirmOwners)))

    def _remove_owner(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        if self._owning is not None:
            self._owning.removed(sender, here, read(body, OwnersGone))
        return {}

    def _describe(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        def _answer(_: ServingRoute, reading: Reading) -> ConstraintDescription:
            kept = reading.constraints
            now = kept.now()
            shadows = kept.moving(limit=SHOWN)
            blockers: dict[UUID, list[Blocker]] = {}
            things = [dying_of(each) for each in shadows]
            for thing, row in referrers_to(reading, here.service, things, *BLOCKING, each=5):
                blocker = Blocker(thing.uid, row.type, row.name, row.reference.path)
                blockers.setdefault(thing.uid, []).append(blocker)
            moving = tuple(
                MovingShadow(
                    each.type,
                    each.name,
                    each.state.value,
                    (now - each.since).total_seconds() if each.since else 0.0,
                    each.sources,
                    each.root,
                    tuple(blockers.get(each.uid, ())) if each.uid else (),
                )
                for each in shadows
            )
            return ConstraintDescription(asdict(kept.tally()), moving)

        return write(self._router.read_active(here.region, here.service, _answer)[1])

    def _deletions(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        asked = read(body, WatchDeletions)
        found = self._router.read_active(
            here.region,
            here.service,
            lambda _, reading: reading.constraints.deleting_for(sender.deployment, asked.after, asked.limit),
        )[1]
        things = tuple(Dying(each.uid, dict(each.names), each.delete_id) for each in found if each.uid)
        more = str(found[-1].uid) if len(found) == asked.limit else ""
        return write(Deletions(things, more))


def _of_owners(owning: Owning) -> dict[str, Action]:
    """Give the actions that an owner's deployment asks of those it may own something in."""

    def _list(sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        return write(owning.owned(sender, here, read(body, OwnersGone)))

    def _has(sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        found = owning.owned(sender, here, read(body, OwnersGone)).ownees
        return write(OwnersGone(tuple(dict.fromkeys(each.owner_uid for each in found))))

    def _upgrade(sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        owning.upgrade(sender, here, read(body, OwnerVersion))
        return {}

    def _recheck(sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        owning.recheck(sender, here, read(body, OwnersSaved))
        return {}

    return {
        "listMetaOwnees": _list,
        "checkIfHasMetaOwnee": _has,
        "upgradeMetaOwnerVersion": _upgrade,
        "recheckMetaOwners": _recheck,
    }
