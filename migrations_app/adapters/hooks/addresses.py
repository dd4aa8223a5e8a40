"""Addresses of channels: credentials, so they are stored encrypted and shown by host and last four characters."""

from __future__ import annotations

import base64
import os
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from migrations_app.domain.notices import shown_address
from migrations_app.kernel.errors import Halted
from migrations_app.models.hooks import Webhook

_FORMAT = "v1:"
_NONCE_BYTES = 12


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
    if not url:
        return ""
    nonce = os.urandom(_NONCE_BYTES)
    sealed = nonce + AESGCM(_key()).encrypt(nonce, url.encode(), hook_id.encode())
    return _FORMAT + base64.b64encode(sealed).decode()


def unseal(hook_id: str, sealed: str) -> str:
    """Decrypt the address of a channel.

    Raises: Halted (`channel-address`).
    """
    if not sealed:
        return ""
    try:
        content = base64.b64decode(sealed.removeprefix(_FORMAT), validate=True)
        return (
            AESGCM(_key()).decrypt(content[:_NONCE_BYTES], content[_NONCE_BYTES:], hook_id.encode()).decode()
        )
    except (InvalidTag, ValueError) as error:
        raise Halted(
            "The address of this channel cannot be read: it was stored under another SWITCHYARD_SECRET_KEY.",
            code="channel-address",
            remedy="Enter the address again.",
        ) from error


def _key() -> bytes:
    settings.SWITCHYARD.needs("SWITCHYARD_SECRET_KEY")
    return _derived(settings.SECRET_KEY)


@lru_cache
def _derived(secret: str) -> bytes:
    return HKDF(SHA256(), 32, None, b"switchyard addresses of channels").derive(secret.encode())
