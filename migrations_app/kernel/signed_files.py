"""Files that carry the signature of the installation that wrote them: one change of one byte is noticed anywhere.

The last line of a file is a comment in HTML and in Markdown. It names what the file is, the public key and the signature
(Ed25519) over all of it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

_LINE = re.compile(
    rb"<!-- switchyard-signature (?P<subject>[!-~]+ [!-~]+) (?P<key>[A-Za-z0-9_-]{43})"
    rb" (?P<signature>[0-9a-f]{128}) -->\n"
)
_REMEDY = message("Get the file again from the console, and compare the two.")


@dataclass(frozen=True, slots=True)
class FileSignature:
    """What a file says that it is, and the public key that it was signed with."""

    subject: str
    key: str


class FileSigningKey:
    """The key with which an installation signs files."""

    def __init__(self, secret: str, own: str = "") -> None:
        """Take the key that is given, or derive one from the installation's secret.

        Raises: Invalid (`file-key`) for a key that is not 32 bytes.
        """
        seed = _decoded(own) if own else _derived(secret)
        self._private = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public(self) -> str:
        """Give the public half."""
        return base64.urlsafe_b64encode(self._private.public_key().public_bytes_raw()).decode().rstrip("=")

    def sign(self, content: str, subject: str) -> bytes:
        """Write a file with its signature; the subject is two words: what it is, and as of when."""
        text = content.rstrip("\n").encode() + b"\n"
        signature = self._private.sign(_signed_text(text, subject, self.public)).hex()
        return text + f"<!-- switchyard-signature {subject} {self.public} {signature} -->\n".encode()


def verify_file(data: bytes, keys: Iterable[str]) -> FileSignature:
    """Tell what a file is that was signed with one of the public keys and not changed since.

    Raises: Invalid (`signature-missing`, `signature-key-unknown`, `signature-wrong`).
    """
    start = data.rstrip(b"\n").rfind(b"\n") + 1
    line = _LINE.fullmatch(data[start:])
    if line is None:
        raise Invalid(
            message("The file has no signature as its last line."), code="signature-missing", remedy=_REMEDY
        )
    subject, key = line["subject"].decode(), line["key"].decode()
    if key not in set(keys):
        raise Invalid(
            message("The file is signed with the key {key}, which is none of the known keys.", key=key),
            code="signature-key-unknown",
            remedy=message("Get the keys of the installation that it comes from: `swy report keys -o FILE`."),
        )
    public = Ed25519PublicKey.from_public_bytes(_decoded(key))
    try:
        public.verify(bytes.fromhex(line["signature"].decode()), _signed_text(data[:start], subject, key))
    except InvalidSignature as error:
        raise Invalid(
            message("The file was changed since it was signed."), code="signature-wrong", remedy=_REMEDY
        ) from error
    return FileSignature(subject, key)


def is_public_key(text: str) -> bool:
    """Tell whether a text is a public key as `FileSigningKey.public` writes it."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", text):
        return False
    return base64.urlsafe_b64encode(_decoded(text)).decode().rstrip("=") == text


def _signed_text(content: bytes, subject: str, key: str) -> bytes:
    return f"switchyard-signed-file\n{subject}\n{key}\n".encode() + content


def _derived(secret: str) -> bytes:
    return HKDF(SHA256(), 32, None, b"switchyard signed files").derive(secret.encode())


def _decoded(text: str) -> bytes:
    plain = text.strip().rstrip("=").replace("+", "-").replace("/", "_")
    try:
        key = base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise Invalid(
            message("A key for files is 32 bytes in base64."),
            code="file-key",
            remedy=message("Make one with `openssl rand -base64 32`."),
        )
    return key
