"""Secrets that messages of channels are signed with: its owner can forge messages, so they are stored encrypted."""

from __future__ import annotations

from datetime import datetime, timedelta

from migrations_app.control.notifications.sealing import seal_text, unseal_text
from migrations_app.kernel.errors import Halted
from migrations_app.kernel.messages import message
from migrations_app.models.hooks import Webhook

OVERLAP = timedelta(hours=24)
_PURPOSE = b"switchyard signing secrets of channels"


def put_secret(hook: Webhook, secret: str) -> None:
    """Give a channel its first secret."""
    hook.sealed_secret = seal_secret(hook.id, secret)


def rotate_secret(hook: Webhook, secret: str, now: datetime) -> None:
    """Give a channel another secret; the former one, where it can be read, signs beside it for a day."""
    if unseal_secret(hook.id, hook.sealed_secret) is None:
        hook.sealed_former_secret, hook.former_until = "", None
    else:
        hook.sealed_former_secret, hook.former_until = hook.sealed_secret, now + OVERLAP
    put_secret(hook, secret)


def secrets_of(hook: Webhook, now: datetime) -> list[str]:
    """Give the secrets a message is signed with: also the former one, while it still counts.

    Raises: Halted (`channel-secret`) when one was encrypted under another secret key.
    """
    sealed = [hook.sealed_secret]
    if hook.former_until and hook.former_until > now:
        sealed.append(hook.sealed_former_secret)
    secrets = [unseal_secret(hook.id, text) for text in sealed]
    if None in secrets:
        raise Halted(
            message(
                "The secret of this channel cannot be read: it was stored under another SWITCHYARD_SECRET_KEY."
            ),
            code="channel-secret",
            remedy=message("Rotate the secret."),
        )
    return [secret for secret in secrets if secret]


def seal_secret(hook_id: str, secret: str) -> str:
    """Encrypt a secret for one channel."""
    return seal_text(_PURPOSE, hook_id, secret)


def unseal_secret(hook_id: str, sealed: str) -> str | None:
    """Decrypt a secret; None when it cannot be read, or there is none."""
    return unseal_text(_PURPOSE, hook_id, sealed) if sealed else None
