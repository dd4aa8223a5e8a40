"""Give a role to an account or a group, and take it away again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from migrations_app.adapters import ledger, outbox
from migrations_app.adapters.repositories.access import binding_as_json
from migrations_app.domain.access import Actor, Target, check_role, require
from migrations_app.kernel.errors import Conflict, Invalid, Missing
from migrations_app.kernel.json import JsonObject
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


def bind_role(actor: Actor, new: NewBinding) -> JsonObject:
    """Give a role; giving it again changes nothing but its end.

    Raises: Denied, Invalid (`unknown-role`, `subject-kind`), Missing (`account`).
    """
    target = Target("binding", f"{new.subject_kind}:{new.subject}")
    require(actor, "access.manage", target)
    check_role(new.role)
    if new.subject_kind not in {"account", "group"}:
        raise Invalid("A role is given to an account or a group.", code="subject-kind")
    if new.subject_kind == "account" and not Account.objects.filter(username=new.subject).exists():
        raise Missing(f"There is no account {new.subject!r}.", code="account")
    with transaction.atomic():
        row, _ = RoleBinding.objects.update_or_create(
            subject_kind=new.subject_kind,
            subject=new.subject,
            role=new.role,
            service=new.service,
            region=new.region,
            environment=new.environment,
            defaults={"expires_at": new.expires_at, "created_by": actor.name},
        )
        shown = binding_as_json(row)
        ledger.record(actor, "access.bind", target, "done", after=shown)
        _tell(row)
    return shown


def unbind_role(actor: Actor, binding: int) -> None:
    """Take a role away; the last admin keeps it.

    Raises: Denied, Missing (`binding`), Conflict (`last-admin`).
    """
    require(actor, "access.manage", Target("binding", str(binding)))
    with transaction.atomic():
        row = RoleBinding.objects.select_for_update().filter(pk=binding).first()
        if row is None:
            raise Missing(f"There is no binding {binding}.", code="binding")
        admins = RoleBinding.objects.filter(role="admin", service="*", region="*", expires_at__isnull=True)
        if row.role == "admin" and not admins.exclude(pk=row.pk).exists():
            raise Conflict(
                "This is the last admin.", code="last-admin", remedy="Give somebody else the role first."
            )
        target = Target("binding", f"{row.subject_kind}:{row.subject}")
        ledger.record(actor, "access.unbind", target, "done", before=binding_as_json(row))
        _tell(row)
        row.delete()


def _tell(row: RoleBinding) -> None:
    """Let open streams look at their permissions again."""
    outbox.publish("access", "binding", f"{row.subject_kind}:{row.subject}", patch={})
