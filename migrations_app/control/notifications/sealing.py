"""Texts of channels that are stored encrypted, under keys derived from the installation's secret key."""

from __future__ import annotations

import base64
import os
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_FORMAT = "v1:"
_NONCE_BYTES = 12


def seal_text(purpose: bytes, channel: str, text: str) -> str:
    """Encrypt a text for one purpose and channel; in another row or column it cannot be read."""
    nonce = os.urandom(_NONCE_BYTES)
    sealed = nonce + AESGCM(_key(purpose)).encrypt(nonce, text.encode(), channel.encode())
    return _FORMAT + base64.b64encode(sealed).decode()


def unseal_text(purpose: bytes, channel: str, sealed: str) -> str | None:
    """Decrypt a text; None when it was encrypted under another key, for another channel or for another purpose."""
    try:
        content = base64.b64decode(sealed.removeprefix(_FORMAT), validate=True)
        plain = AESGCM(_key(purpose)).decrypt(
            content[:_NONCE_BYTES], content[_NONCE_BYTES:], channel.encode()
        )
    except (InvalidTag, ValueError):
        return None
    return plain.decode()


def _key(purpose: bytes) -> bytes:
    settings.SWITCHYARD.needs("SWITCHYARD_SECRET_KEY")
    return _derived(settings.SECRET_KEY, purpose)


@lru_cache
def _derived(secret: str, purpose: bytes) -> bytes:
    return HKDF(SHA256(), 32, None, purpose).derive(secret.encode())
