"""Remember which groups the identity provider names an account in."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.audit import ledger
from migrations_app.control.events import outbox
from migrations_app.domain.access import SYSTEM, Target
from migrations_app.models.access import Account


def remember_groups(name: str, groups: list[str]) -> None:
    """Take an account's groups over, and note it where they changed: roles may hang on them, for as long as it was
    read lately.
    """
    with transaction.atomic():
        Account.objects.filter(username=name).update(groups_read_at=timezone.now())
        account = Account.objects.select_for_update().filter(username=name).first()
        if account is None or account.groups == groups:
            return
        before, account.groups = list(account.groups), groups
        account.save(update_fields=["groups"])
        ledger.record(
            SYSTEM,
            "access.groups",
            Target("account", name),
            "done",
            before={"groups": before},
            after={"groups": [*groups]},
        )
        outbox.publish("access", "binding", f"account:{name}", patch={})
