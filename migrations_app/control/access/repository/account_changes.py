"""Changes of accounts: written with the change itself, and read as the history that decisions look at."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from migrations_app.domain.access import ROLES, Actor
from migrations_app.domain.approvals.account_control import AccountControlChange, AccountHistory, ChangeKind
from migrations_app.kernel.one_reading import read_once
from migrations_app.models.access import Account, RoleBinding
from migrations_app.models.account_changes import AccountChange as AccountChangeRow


def note_change(
    actor: Actor, kind: ChangeKind, subject: str, *, of: str = "account", detail: str = ""
) -> None:
    """Write down who changes what of an account, a group or a role, with the caller's transaction."""
    # What no account does, the first start above all, is done by the installation.
    person = Account.objects.filter(username__iexact=actor.person).values_list("username", flat=True).first()
    AccountChangeRow.objects.create(
        subject_kind=of,
        subject=subject,
        kind=kind.value,
        who=person or "",
        detail=detail,
        at=timezone.now(),
    )


def history_of(names: Iterable[str], planned_at: datetime) -> AccountHistory:
    """Read the changes of accounts, and of those that made them."""
    changes: list[AccountControlChange] = []
    waiting, read = [name.lower() for name in names], set[str]()
    while waiting:
        name = waiting.pop()
        if name in read or not name:
            continue
        read.add(name)
        own = changes_of(name)
        changes += own
        waiting += [change.who.lower() for change in own]
    return AccountHistory(tuple(changes), planned_at)


@read_once
def changes_of(name: str) -> tuple[AccountControlChange, ...]:
    """Read the changes of one account, with those of the groups it is in and of the roles it holds."""
    account = Account.objects.filter(username__iexact=name).first()
    groups = list(account.groups) if account else []
    wanted = Q(subject_kind="account", subject__iexact=name)
    if groups:
        wanted |= Q(subject_kind="group", subject__in=groups)
    if account:
        held = Q(subject_kind="account", subject=account.username) | Q(
            subject_kind="group", subject__in=groups
        )
        roles = set(RoleBinding.objects.filter(held).values_list("role", flat=True)) - set(ROLES)
        wanted |= Q(subject_kind="role", subject__in=roles)
    shown = account.username if account else name
    return tuple(
        _change_of(row, shown) for row in AccountChangeRow.objects.filter(wanted).order_by("at", "id")
    )


def accounts_changed_by(persons: Iterable[str], since: datetime) -> list[str]:
    """Name the accounts that some persons changed since an instant, or whose passwords they ever set, by name."""
    wanted = Q(pk__in=[])
    for person in persons:
        wanted |= Q(who__iexact=person)
    counted = Q(at__gte=since) | Q(kind=ChangeKind.PASSWORD.value)
    rows = AccountChangeRow.objects.filter(wanted, counted, subject_kind="account")
    return sorted(set(rows.values_list("subject", flat=True)))


def _change_of(row: AccountChangeRow, account: str) -> AccountControlChange:
    through = "" if row.subject_kind == "account" else f" ({row.subject_kind} {row.subject})"
    return AccountControlChange(account, ChangeKind(row.kind), row.who, row.at, f"{row.detail}{through}")
