"""Deployments of other installations that ask the Meta API: by a service token, with the rights of an account."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from django.conf import settings
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from migrations_app import wiring
from migrations_app.control.access.repository.access import actor_of
from migrations_app.control.access.sign_in.attempts import count_bad_token
from migrations_app.control.access.sign_in.authentication import BearerToken
from migrations_app.domain.access import Actor
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.access import Account
from migrations_app.ports.regions.peers import NamedRegistry
from migrations_app.web.callers import address_of, request_id_of

REMEDY = message(
    "Compare the sender and the registry's name with the settings of both sides (SWITCHYARD_META_SENDER, "
    "SWITCHYARD_META_AUDIENCE; SWITCHYARD_META_SENDERS, SWITCHYARD_META_NAME), and look at the keys "
    "(SWITCHYARD_SERVICE_KEY; SWITCHYARD_META_KEYS) and the clocks."
)


class SenderToken(BearerToken):
    """A bearer token as anywhere; or, where senders are admitted, a service token that is meant for this registry."""

    def authenticate(self, request: Request) -> tuple[object, Actor] | None:
        """Find the actor of the token, if one was sent.

        Raises: Denied (`unauthenticated`), Busy (`too-many-requests`, `database-unavailable`), Invalid (`idempotency-key`).
        """
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        is_signed = scheme.lower() == "bearer" and wiring.sender_tokens().recognizes(secret.strip())
        if not is_signed or not settings.SWITCHYARD.meta_senders:
            return super().authenticate(request)
        if request.headers.get("Idempotency-Key"):
            # Such a request is one transaction, and that the token was used must outlive its failure.
            raise Invalid(
                message("A request with a service token takes no Idempotency-Key."),
                code="idempotency-key",
                remedy=message("Leave it out, or ask with the token of an account."),
            )
        try:
            return _sender(request, secret.strip())
        except Denied:
            count_bad_token(address_of(request))
            raise


def senders_first(others: list[BaseAuthentication]) -> list[BaseAuthentication]:
    """Put the tokens of senders in the place of those of accounts alone."""
    return [SenderToken() if type(each) is BearerToken else each for each in others]


def _sender(request: Request, token: str) -> tuple[Account, Actor]:
    env = settings.SWITCHYARD
    # Checked as the address is written below the server's root, decoded once as the signer's is.
    path, registry = quote(request._request.path_info), NamedRegistry(env.meta_name)
    try:
        caller = wiring.sender_tokens().check(token, registry, str(request.method), path)
    except Denied as error:
        raise _refused(error.words) from error
    sender = caller.peer.deployment
    account = Account.objects.filter(username=env.meta_senders.get(sender, ""), is_active=True).first()
    if account is None or account.kind != "service":
        raise _refused(message("The service token is refused: its sender may not ask here."))
    actor = actor_of(account, address=address_of(request), request_id=request_id_of(request))
    return account, replace(actor, sender=sender)


def _refused(words: WordedMessage) -> Denied:
    return Denied(words, code="unauthenticated", remedy=REMEDY)
