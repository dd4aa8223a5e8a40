"""Give a role to an account or a group, and take it away again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from fnmatch import fnmatchcase

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from migrations_app.control.access.repository.access import (
    binding_as_json,
    environment,
    grants_in,
    permissions_of_made,
)
from migrations_app.control.access.repository.account_changes import note_change
from migrations_app.control.audit import ledger
from migrations_app.control.events import outbox
from migrations_app.domain.access import ROLES, Actor, Grant, Target, require, require_within
from migrations_app.domain.approvals.account_control import ChangeKind
from migrations_app.domain.conditions import ALWAYS, Conditions
from migrations_app.domain.granting import check_gives, check_role, check_stands_above
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account, RoleBinding


@dataclass(frozen=True, slots=True)
class NewBinding:
    """A role for a subject, within a scope."""

    subject_kind: str
    subject: str
    role: str
    service: str = "*"
    region: str = "*"
    environment: str = "*"
    expires_at: datetime | None = None
    conditions: Conditions = ALWAYS


def bind_role(actor: Actor, new: NewBinding) -> JsonObject:
    """Give a role; giving it again changes nothing but its end and its conditions.

    Raises: Denied (`denied`, `more-than-held`), Invalid (`unknown-role`, `subject-kind`), Missing (`account`).
    """
    target = Target("binding", f"{new.subject_kind}:{new.subject}", new.service, new.region, new.environment)
    require_within(actor, "access.manage")
    _check_given(actor, new.role, Bounds(new.service, new.region, new.environment, conditions=new.conditions))
    require(actor, "access.manage", target)
    if new.subject_kind not in {"account", "group"}:
        raise Invalid(message("A role is given to an account or a group."), code="subject-kind")
    if new.subject_kind == "account" and not Account.objects.filter(username=new.subject).exists():
        raise Missing(message("There is no account {subject}.", subject=repr(new.subject)), code="account")
    with transaction.atomic():
        kept = _same_grant(new).select_for_update().first()
        if kept is not None and _says(kept, new):
            return binding_as_json(kept)
        row, _ = RoleBinding.objects.update_or_create(
            subject_kind=new.subject_kind,
            subject=new.subject,
            role=new.role,
            service=new.service,
            region=new.region,
            environment=new.environment,
            defaults={
                "expires_at": new.expires_at,
                "conditions": new.conditions.as_json(),
                "created_by": actor.person,
            },
        )
        shown = binding_as_json(row)
        ledger.record(actor, "access.bind", target, "done", after=shown)
        note_change(actor, ChangeKind.ROLE, row.subject, of=row.subject_kind, detail=row.role)
        _tell(row)
    return shown


def has_binding(new: NewBinding) -> bool:
    """Tell whether the subject holds the role within this very scope."""
    return _same_grant(new).exists()


def _same_grant(new: NewBinding) -> QuerySet[RoleBinding]:
    names = ("subject_kind", "subject", "role", "service", "region", "environment")
    return RoleBinding.objects.filter(**{name: getattr(new, name) for name in names})


def _says(row: RoleBinding, new: NewBinding) -> bool:
    return row.expires_at == new.expires_at and row.conditions == new.conditions.as_json()


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a role counts, and until when."""

    service: str = "*"
    region: str = "*"
    environment: str = "*"
    expires_at: datetime | None = None
    conditions: Conditions = ALWAYS


def rebind_role(actor: Actor, binding: int, bounds: Bounds, seen: str | None = None) -> JsonObject:
    """Give a binding other bounds, as long as it is the one that was `seen` (its tag).

    Raises: Denied, Missing (`binding`), Stale (`binding-changed`), Conflict (`last-admin`, `binding-exists`).
    """
    with transaction.atomic():
        row = _locked(actor, binding, seen)
        _check_given(actor, row.role, bounds)
        before = binding_as_json(row)
        for name in ("service", "region", "environment", "expires_at"):
            setattr(row, name, getattr(bounds, name))
        row.conditions = bounds.conditions.as_json()
        if _bounded(row):
            _not_the_last_admin(row)
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError as error:
            raise Conflict(
                message("There is a binding with these bounds already."),
                code="binding-exists",
                remedy=message("Take this one away instead."),
            ) from error
        shown = binding_as_json(row)
        note_change(actor, ChangeKind.ROLE, row.subject, of=row.subject_kind, detail=row.role)
        ledger.record(actor, "access.rebind", _target_of(row), "done", before, shown)
        _tell(row)
    return shown


def unbind_role(actor: Actor, binding: int, seen: str | None = None) -> None:
    """Take a role away; the last admin keeps it.

    Raises: Denied (`denied`, `more-than-held`), Missing (`binding`), Stale (`binding-changed`), Conflict (`last-admin`).
    """
    with transaction.atomic():
        row = _locked(actor, binding, seen)
        _not_the_last_admin(row)
        ledger.record(actor, "access.unbind", _target_of(row), "done", before=binding_as_json(row))
        _tell(row)
        row.delete()


def _check_given(actor: Actor, role: str, bounds: Bounds) -> None:
    """An account gives no role that carries more than it holds there itself."""
    made = permissions_of_made({role} - set(ROLES))
    check_role(role, made)
    scope = (bounds.service, bounds.region, bounds.environment)
    check_gives(actor, Grant(role, *scope, permissions=made.get(role), conditions=bounds.conditions))


def _target_of(row: RoleBinding) -> Target:
    about = f"{row.subject_kind}:{row.subject}"
    return Target("binding", about, row.service, row.region, row.environment)


def _locked(actor: Actor, binding: int, seen: str | None) -> RoleBinding:
    """Lock a binding for an account that may change it: it holds as much as it gives, in the whole of its scope."""
    row = RoleBinding.objects.select_for_update().filter(pk=binding).first()
    if row is None:
        raise Missing(message("There is no binding {binding}.", binding=binding), code="binding")
    require(actor, "access.manage", replace(_target_of(row), id=str(binding)))
    check_stands_above(actor, grants_in([row]))
    shown = binding_as_json(row)
    if seen is not None and seen != shown["tag"]:
        raise Stale(
            message("The binding changed since you looked."),
            code="binding-changed",
            remedy=message("Read it again."),
            current=shown,
            changed=ledger.change_to("binding", f"{row.subject_kind}:{row.subject}", tag=shown["tag"]),
        )
    return row


def _bounded(row: RoleBinding) -> bool:
    scope = (row.service, row.region, row.environment)
    return scope != ("*", "*", "*") or row.expires_at is not None or bool(row.conditions)


def _not_the_last_admin(row: RoleBinding) -> None:
    """Keep one binding that makes a person who can sign in an admin of everything here."""
    admins = RoleBinding.objects.filter(
        role="admin", service="*", region="*", expires_at__isnull=True, conditions={}
    )
    if row.role == "admin" and not any(_serves(each) for each in admins.exclude(pk=row.pk)):
        raise Conflict(
            message("This is the last admin."),
            code="last-admin",
            remedy=message("Give another account the role first."),
        )


def _serves(row: RoleBinding) -> bool:
    """Tell whether a binding counts in this environment, for an account that is open."""
    if environment() and not fnmatchcase(environment(), row.environment):
        return False
    accounts = Account.objects.filter(is_active=True, kind="user")
    if row.subject_kind == "account":
        return accounts.filter(username=row.subject).exists()
    return accounts.filter(groups__contains=[row.subject]).exists()


def _tell(row: RoleBinding) -> None:
    """Let open streams look at their permissions again."""
    outbox.publish("access", "binding", f"{row.subject_kind}:{row.subject}", patch={})
