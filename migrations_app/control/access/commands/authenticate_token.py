"""Let the bearer of a token act as its account."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.control.access.repository.access import PREFIX, actor_of, digest_of, token_refusal
from migrations_app.domain.access import Actor
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account, Token
from migrations_app.wiring import reads_registry_replica

# Written at most once a minute: a busy token must not make every read a write.
USED_EVERY = timedelta(minutes=1)


def authenticate_token(secret: str, *, address: str = "", request_id: str = "") -> tuple[Account, Actor]:
    """Find the account of a token that may be used from here and now.

    Raises: Denied (`unauthenticated`) with the reason.
    """
    token = None
    if secret.startswith(PREFIX) and len(secret) < 200:
        # At most one has a digest: without an order there is less to compose.
        found = Token.objects.select_related("account").filter(digest=digest_of(secret)).order_by()
        token = next(iter(found), None)
    if token is None:
        raise Denied(message("There is no such token."), code="unauthenticated")
    now = timezone.now()
    reason = token_refusal(token, address, now)
    if reason:
        raise Denied(reason, code="unauthenticated", token=token.id)
    # A process that serves by a replica writes nothing into the control database, which may be away.
    if not reads_registry_replica() and (token.last_used_at is None or now - token.last_used_at > USED_EVERY):
        Token.objects.filter(pk=token.pk).update(last_used_at=now, last_used_from=address or None)
    return token.account, actor_of(token.account, token=token, address=address, request_id=request_id)
