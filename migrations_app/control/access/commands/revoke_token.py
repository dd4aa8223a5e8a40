"""Revoke a token."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.access.repository.access import token_as_json
from migrations_app.control.audit import ledger
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Token


def revoke_token(actor: Actor, token: str) -> JsonObject:
    """Make a token useless from now on; doing it again changes nothing.

    Raises: Denied, Missing (`token`).
    """
    with transaction.atomic():
        row = Token.objects.select_for_update(of=("self",)).select_related("account").filter(pk=token).first()
        if row is None:
            raise Missing(message("There is no token {token}.", token=repr(token)), code="token")
        target = Target("account", row.account.username)
        require(actor, "token.own" if row.account.username == actor.name else "access.manage", target)
        if row.revoked_at is None:
            before = token_as_json(row)
            row.revoked_at = timezone.now()
            row.save(update_fields=["revoked_at"])
            ledger.record(actor, "token.revoke", target, "done", before=before, after=token_as_json(row))
    return token_as_json(row)
