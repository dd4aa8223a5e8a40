"""Create or update a region, service, deployment or resource type; every interface of the registry ends here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from migrations_app.control.audit.ledger import record
from migrations_app.control.registry.commands.return_deployment import check_return, note_return
from migrations_app.control.registry.repository.registry import writing
from migrations_app.control.registry.repository.saving import Saved, store
from migrations_app.domain.access import Actor, ActorKind, Target, reach_of, require
from migrations_app.domain.registry.changes import (
    check_region_owner,
)
from migrations_app.domain.registry.documents import document, read
from migrations_app.domain.registry.masks import Path, merge, same, without_output_only
from migrations_app.domain.registry.names import RegistryKind, ids, place_of
from migrations_app.domain.registry.redaction import restore
from migrations_app.domain.registry.values import Registered
from migrations_app.kernel.errors import AlreadyExists, Conflict, NotFound, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

REGISTRY_SERVICE = "meta.switchyard"


@dataclass(frozen=True, slots=True)
class Condition:
    """A compare-and-set: what the caller believes to be there, and the fields it looked at."""

    state: JsonObject
    mask: tuple[Path, ...] = ()


class _Rehearsed(Exception):
    """Carries the result of a dry run out of the transaction it undoes."""

    def __init__(self, saved: Saved) -> None:
        self.saved = saved


def create_registered(
    actor: Actor, kind: RegistryKind, name: str, body: JsonObject, *, dry_run: bool = False
) -> Saved:
    """Create what is not there yet.

    Raises: Conflict (`already-exists`), and what the rules refuse.
    """

    def decide(before: Registered | None) -> Registered:
        if before is not None:
            raise AlreadyExists(
                message("{name} exists already.", name=name), remedy=message("Update it instead.")
            )
        return read(kind, without_output_only(body), name)

    return save(actor, kind, name, decide, dry_run=dry_run)


def update_registered(
    actor: Actor,
    kind: RegistryKind,
    name: str,
    body: JsonObject,
    *,
    mask: tuple[Path, ...] = (),
    allow_missing: bool = False,
    condition: Condition | None = None,
    expected: str = "",
    dry_run: bool = False,
) -> Saved:
    """Update the masked fields, or all a client may write; with a condition only when it still holds.

    `expected` is the resource version that the caller saw, or `*` for any.
    Raises: Missing (`not-found`), Stale (`compare-and-set`, `changed`), and what the rules refuse.
    """

    def decide(before: Registered | None) -> Registered:
        if before is None and not allow_missing:
            raise NotFound(message("There is no {name}.", name=name), name=name)
        check_version(name, expected, before)
        current = document(before) if before else {}
        if condition is not None and not same(current, condition.state, condition.mask):
            raise Stale(
                message("{name} is not as the precondition says.", name=name),
                code="compare-and-set",
                remedy=message("Read it again, then decide again."),
                name=name,
            )
        merged = merge(current, body, mask)
        return read(kind, restore(merged, current, reach_of(actor, "registry.read")), name)

    return save(actor, kind, name, decide, dry_run=dry_run)


def save(
    actor: Actor,
    kind: RegistryKind,
    name: str,
    decide: Callable[[Registered | None], Registered],
    *,
    dry_run: bool = False,
    action: str = "registry.write",
) -> Saved:
    """Decide and save under the registry's lock, in one transaction with its audit entry.

    Once: deciding the same again changes nothing and numbers no change.
    """
    target = target_of(kind, name)
    require(actor, "registry.write", target)
    check_not_mirrored()
    if kind is RegistryKind.REGION:
        check_region_owner(may_make_regions(actor), ids(kind, name)[0])
    returns: list[bool] = []

    def _decide(before: Registered | None) -> Registered:
        after = decide(before)
        returns.append(check_return(actor, target, before, after))
        return after

    try:
        with writing() as writer:
            saved = store(writer, kind, name, _decide)
            if any(returns):
                note_return(actor, target, saved.value)
            if dry_run:
                raise _Rehearsed(saved)
            if saved.before is None or document(saved.before) != document(saved.value):
                before = document(saved.before) if saved.before else None
                record(actor, action, target, "done", before, document(saved.value))
    except _Rehearsed as rehearsed:
        with transaction.atomic():
            record(actor, action, target, "dry_run", None, document(rehearsed.saved.value))
        return rehearsed.saved
    return saved


def check_version(name: str, expected: str, before: Registered | None) -> None:
    """Refuse when the caller saw another resource version than the one that is there.

    Raises: Stale (`changed`).
    """
    if not expected or (before is not None and expected in ("*", before.metadata.resource_version)):
        return
    raise Stale(
        message("{name} is not at resource version {expected}.", name=name, expected=expected),
        code="changed",
        remedy=message("Read it again, then decide again."),
        name=name,
    )


def target_of(kind: RegistryKind, name: str) -> Target:
    """Name what is acted upon, for access and audit."""
    service, region = place_of(kind, name)
    return Target(kind.value.rstrip("s"), name, service=service, region=region)


def check_not_mirrored() -> None:
    """Leave a mirrored registry to its own installation.

    Raises: Conflict (`registry-mirrored`).
    """
    url = settings.SWITCHYARD.meta_url
    if url:
        raise Conflict(
            message("This console mirrors the registry at {url}.", url=url),
            code="registry-mirrored",
            remedy=message("Make the change there; it shows here a moment later."),
        )


def may_make_regions(actor: Actor) -> bool:
    """Tell whether this is the registry's own service, or someone who runs it."""
    return (
        actor.kind is ActorKind.SYSTEM
        or "admin" in actor.roles
        or any(grant.service == REGISTRY_SERVICE for grant in actor.grants)
    )
