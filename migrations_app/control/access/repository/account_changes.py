"""Changes of accounts, written with the change itself; approvals read them as the history that decisions look at."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.domain.access import Actor
from migrations_app.domain.approvals.account_control import ChangeKind
from migrations_app.models.access import Account
from migrations_app.models.account_changes import AccountChange


def note_change(
    actor: Actor, kind: ChangeKind, subject: str, *, of: str = "account", detail: str = ""
) -> None:
    """Write down who changes what of an account, a group or a role, with the caller's transaction."""
    # What no account does, the first start above all, is done by the installation.
    person = Account.objects.filter(username__iexact=actor.person).values_list("username", flat=True).first()
    AccountChange.objects.create(
        subject_kind=of,
        subject=subject,
        kind=kind.value,
        who=person or "",
        detail=detail,
        at=timezone.now(),
    )
