"""The target's side of new references: blockades put up, confirmed, and never dropped without an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from msgspec.structs import replace as replace_message

from migrations_app.engine.constraints.messages import (
    Establish,
    Established,
    NewReference,
    RemoteTarget,
    Tokens,
)
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import TypedName, stored_as
from migrations_app.kernel import failpoints
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Shadow, ShadowState, Transaction

RESOLVE_AFTER_SECONDS = 300.0
_GRAVITY = ("BLOCK", "CASCADE", "UNSET")


@dataclass(frozen=True, slots=True)
class _Target:
    index: int
    reference: NewReference
    stored: TypedName


class Establishing:
    """Answers those who make references to what is served here.

    Source: the model `ref_blockade`, steps EST and CONF of D2srv.
    """

    def __init__(self, router: Router, resolve_after_seconds: float = RESOLVE_AFTER_SECONDS) -> None:
        self._router, self._patience = router, resolve_after_seconds

    def establish(self, sender: Peer, here: Peer, asked: Establish) -> Established:
        """EstablishReferences: put up a blockade for each, unless one of them cannot be referred to.

        Once: durable when it returns; repeated with the same token it changes nothing but the epoch.
        """

        def _change(route: ServingRoute, transaction: Transaction) -> Established:
            targets, missing = _targets(route, asked)
            judged, shadows = _judge(transaction, sender, here, targets)
            refused = replace_message(judged, missing=(*missing, *judged.missing))
            if refused == Established():
                self._block(transaction, sender, asked.token, targets, shadows)
            failpoints.reach("establish.before-commit")
            return refused

        found = self._router.write_active(here.region, here.service, _change)[1]
        failpoints.reach("establish.after-commit")
        return found

    def confirm(self, sender: Peer, here: Peer, asked: Tokens) -> None:
        """ConfirmBlockades: take down exactly the sender's blockades of these tokens; it stays a source."""

        def _change(_: ServingRoute, transaction: Transaction) -> None:
            transaction.constraints.unblock(sender.deployment, *sorted(asked.tokens))

        self._router.write_active(here.region, here.service, _change)

    def _block(
        self,
        transaction: Transaction,
        sender: Peer,
        token: str,
        targets: Sequence[_Target],
        shadows: dict[TypedName, Shadow],
    ) -> None:
        kinds: dict[UUID, str] = {}
        for target in targets:
            uid = shadows[target.stored].uid
            assert uid is not None
            # Of two references to one target the graver one comes first, and is the one kept.
            kinds.setdefault(uid, target.reference.kind)
        transaction.constraints.block(token, sender.deployment, kinds, self._patience)
        transaction.constraints.write(
            *(
                replace(
                    each,
                    ref_epoch=each.ref_epoch + 1,
                    sources=tuple(sorted({*each.sources, sender.deployment})),
                )
                for each in shadows.values()
            )
        )


def _targets(route: ServingRoute, asked: Establish) -> tuple[Sequence[_Target], list[int]]:
    found, missing = [], []
    for index, reference in enumerate(asked.references):
        stored = stored_as(route, asked.version, reference.type, reference.name)
        if stored is None:
            missing.append(index)
        else:
            found.append(_Target(index, reference, stored))
    # Of two references to one target the graver first.
    return sorted(found, key=lambda each: (each.stored, _gravity(each.reference.kind))), missing


def _gravity(kind: str) -> int:
    return _GRAVITY.index(kind) if kind in _GRAVITY else 0


def _is_open_to(metadata: JsonObject, sender: Peer, here: Peer) -> bool:
    """Tell whether a resource may be referred to by a service: `services.allowedServices` names others, if any."""
    services = metadata.get("services")
    allowed = services.get("allowedServices") if isinstance(services, dict) else None
    if not isinstance(allowed, list) or not allowed or sender.service == here.service:
        return True
    owning = services.get("owningService") if isinstance(services, dict) else None
    return f"services/{sender.service}" in (*allowed, owning)


def _judge(
    transaction: Transaction, sender: Peer, here: Peer, targets: Sequence[_Target]
) -> tuple[Established, dict[TypedName, Shadow]]:
    """Lock the shadows of all targets, and tell which of them cannot be referred to."""
    named: dict[str, list[str]] = {}
    for type_, name in dict.fromkeys(target.stored for target in targets):
        named.setdefault(type_, []).append(name)
    resources = {
        (type_, name): resource
        for type_, names in named.items()
        for name, resource in transaction.batch_get(type_, names).items()
    }
    owners = {stored: resource.owning_region for stored, resource in resources.items()}
    transaction.lock_all(list(owners))
    # Read only now: they may have changed while the locks were waited for.
    shadows = {
        (type_, name): shadow
        for type_, names in named.items()
        for name, shadow in transaction.shadows(type_, names).items()
        if (type_, name) in owners
    }
    missing, deleting, elsewhere, closed = [], [], [], []
    for target in targets:
        shadow = shadows.get(target.stored) or transaction.shadow(*target.stored)
        if target.stored in shadows and owners[target.stored] not in ("", here.region):
            elsewhere.append(RemoteTarget(target.index, owners[target.stored]))
        elif shadow is not None and shadow.state is not ShadowState.ACTIVE:
            deleting.append(target.index)
        elif target.stored not in shadows:
            missing.append(target.index)
        elif not _is_open_to(resources[target.stored].metadata, sender, here):
            closed.append(target.index)
    return Established(tuple(missing), tuple(deleting), tuple(elsewhere), tuple(closed)), shadows
