"""Put a role together from the list of permissions, change it, and take it away."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction

from migrations_app.control.access.repository.access import role_as_json
from migrations_app.control.access.repository.account_changes import note_change
from migrations_app.control.audit import ledger
from migrations_app.control.events import outbox
from migrations_app.domain.access import Actor, Grant, Target, require
from migrations_app.domain.approvals.account_control import ChangeKind
from migrations_app.domain.granting import check_gives, check_made
from migrations_app.kernel.errors import Conflict, Missing, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import MadeRole, RoleBinding
from migrations_app.models.approvals import ApprovalPolicy


@dataclass(frozen=True, slots=True)
class RoleWish:
    """A role as it shall be."""

    name: str
    permissions: tuple[str, ...]
    title: str = ""


def make_role(actor: Actor, spec: RoleWish) -> JsonObject:
    """Make a role of permissions that its maker holds everywhere.

    Raises: Denied (`denied`, `more-than-held`), Invalid, Conflict (`role-exists`).
    """
    target = _allowed(actor, spec.name)
    permissions = _granted_permissions(actor, spec)
    row = MadeRole(name=spec.name, title=spec.title, permissions=[*permissions], changed_by=actor.person)
    with transaction.atomic():
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError as error:
            raise Conflict(
                message("There is a role {name} already.", name=spec.name),
                code="role-exists",
                remedy=message("Change it, or take another name."),
            ) from error
        ledger.record(actor, "role.make", target, "done", after=role_as_json(row))
    return role_as_json(row)


def change_role(actor: Actor, spec: RoleWish, rev: int | None) -> JsonObject:
    """Change what a role carries: at once, for everybody who holds it; the same again changes nothing.

    Raises: Denied (`denied`, `more-than-held`), Invalid, Missing (`role-missing`), Stale (`role-changed`).
    """
    target = _allowed(actor, spec.name)
    permissions = _granted_permissions(actor, spec)
    with transaction.atomic():
        row = _locked(spec.name, rev)
        before = role_as_json(row)
        if (row.title, [*row.permissions]) == (spec.title, [*permissions]):
            return before
        row.title, row.permissions, row.changed_by = spec.title, [*permissions], actor.person
        row.rev += 1
        row.save()
        note_change(actor, ChangeKind.ROLE, row.name, of="role", detail=row.name)
        ledger.record(actor, "role.change", target, "done", before, role_as_json(row))
        _tell(row.name)
    return role_as_json(row)


def has_made_role(name: str) -> bool:
    """Tell whether a custom role has this name."""
    return MadeRole.objects.filter(pk=name).exists()


def delete_role(actor: Actor, name: str, rev: int | None) -> None:
    """Take a role away that no account holds and no policy asks.

    Raises: Denied, Missing (`role-missing`), Stale (`role-changed`), Conflict (`role-held`).
    """
    target = _allowed(actor, name)
    with transaction.atomic():
        row = _locked(name, rev)
        held = [binding.subject for binding in RoleBinding.objects.filter(role=name)[:4]]
        held += [f"policy {each.name}" for each in ApprovalPolicy.objects.filter(group=name)[:4]]
        if held:
            raise Conflict(
                message("The role is still used by {held}.", held=", ".join(held)),
                code="role-held",
                remedy=message("Take it from them first."),
            )
        ledger.record(actor, "role.delete", target, "done", before=role_as_json(row))
        row.delete()


def _allowed(actor: Actor, name: str) -> Target:
    target = Target("role", name)
    require(actor, "access.manage", target)
    return target


def _granted_permissions(actor: Actor, spec: RoleWish) -> tuple[str, ...]:
    permissions = check_made(spec.name, spec.permissions)
    check_gives(actor, Grant(spec.name, permissions=permissions))
    return permissions


def _locked(name: str, rev: int | None) -> MadeRole:
    row = MadeRole.objects.select_for_update().filter(pk=name).first()
    if row is None:
        raise Missing(
            message("There is no role {name}.", name=repr(name)),
            code="role-missing",
            remedy=message("Those built in stay as they are."),
        )
    if rev is not None and rev != row.rev:
        raise Stale(
            message("The role changed since you looked."),
            code="role-changed",
            remedy=message("Read it again."),
            current=role_as_json(row),
            changed=ledger.last_change("role", name, "role.change"),
        )
    return row


def _tell(name: str) -> None:
    """Let open streams look at their permissions again."""
    outbox.publish("access", "role", name, patch={})
