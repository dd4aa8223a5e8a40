"""Addresses of channels: credentials, so they are stored encrypted and shown by host and last four characters."""

from __future__ import annotations

from migrations_app.control.notifications.sealing import seal_text, unseal_text
from migrations_app.domain.notices import shown_address
from migrations_app.kernel.errors import Halted
from migrations_app.kernel.messages import message
from migrations_app.models.hooks import Webhook

_PURPOSE = b"switchyard addresses of channels"


def put_address(hook: Webhook, url: str) -> None:
    """Give a channel its address; the row holds what is shown of it, and the rest encrypted."""
    hook.sealed_url, hook.address = seal(hook.id, url), shown_address(url)


def address_of(hook: Webhook) -> str:
    """Read the address of a channel.

    Raises: Halted (`channel-address`) when it was encrypted under another secret key.
    """
    return unseal(hook.id, hook.sealed_url)


def seal(hook_id: str, url: str) -> str:
    """Encrypt an address for one channel; in another channel's row it cannot be read."""
    return seal_text(_PURPOSE, hook_id, url) if url else ""


def unseal(hook_id: str, sealed: str) -> str:
    """Decrypt the address of a channel.

    Raises: Halted (`channel-address`).
    """
    url = unseal_text(_PURPOSE, hook_id, sealed) if sealed else ""
    if url is None:
        raise Halted(
            message(
                "The address of this channel cannot be read: it was stored under another SWITCHYARD_SECRET_KEY."
            ),
            code="channel-address",
            remedy=message("Enter the address again."),
        )
    return url
