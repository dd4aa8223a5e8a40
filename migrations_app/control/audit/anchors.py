"""Anchors of the ledger: signed heads of the chain that are kept outside the database, and what they tell of it now.

Who owns the tables can cut the chain, or rewrite it and seal it again, and it is intact in itself. It is then not what
an anchor says, and an anchor cannot be made without the key.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.ledger import LedgerAnchor, LedgerSeal

FILE = "ledger-anchors.jsonl"
MOST = 5_000
"""Anchors that are compared at once, the newest."""
_TAIL_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Anchor:
    """The head of the chain at a moment: entry number and digest, signed."""

    seq: int
    digest: str
    at: str
    key: str = ""
    signature: str = ""

    @property
    def signed_text(self) -> bytes:
        """Give what the signature is over."""
        return f"switchyard-ledger-anchor\n{self.seq}\n{self.digest}\n{self.at}".encode()

    def as_json(self) -> JsonObject:
        """Give the anchor as it is kept and sent."""
        return {
            "seq": self.seq,
            "digest": self.digest,
            "at": self.at,
            "key": self.key,
            "signature": self.signature,
        }


class AnchorKey:
    """The installation's key for anchors."""

    def __init__(self, secret: str, own: str = "") -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(_seed(own) if own else _derived(secret))

    @property
    def public(self) -> str:
        """Give the public half."""
        return _text(self._private.public_key().public_bytes_raw())

    def sign(self, seq: int, digest: str, at: str) -> Anchor:
        """Sign a head of the chain."""
        unsigned = Anchor(seq, digest, at)
        return Anchor(seq, digest, at, self.public, _text(self._private.sign(unsigned.signed_text)))

    def has_signed(self, anchor: Anchor) -> bool:
        """Tell whether an anchor was signed with this key."""
        try:
            self._private.public_key().verify(_decoded(anchor.signature), anchor.signed_text)
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True, slots=True)
class Difference:
    """What an anchor tells that the chain does not."""

    seq: int
    reason: WordedMessage


def _second(anchor: Anchor) -> str:
    """Give the instant of an anchor to the second; it may come from a file that a person changed."""
    return f"{anchor.at[:19]}Z"


def compare(anchors: Iterable[Anchor], key: AnchorKey) -> Difference | None:
    """Compare anchors with the chain as it is; gives the first difference.

    It says nothing about whether the chain is intact in itself: `ledger.verify` does.
    """
    wanted = sorted(anchors, key=lambda anchor: anchor.seq)[-MOST:]
    numbers = [anchor.seq for anchor in wanted]
    digests = dict(LedgerSeal.objects.filter(seq__in=numbers).values_list("seq", "digest"))
    last = LedgerSeal.objects.order_by("-seq").values_list("seq", flat=True).first() or 0
    for anchor in wanted:
        if not key.has_signed(anchor):
            unsigned = message(
                "the anchor of {anchored_at} is not signed with this installation's key",
                anchored_at=_second(anchor),
            )
            return Difference(anchor.seq, unsigned)
        if anchor.seq > last:
            missing = message(
                "entries are missing at the end: it ends at {last}, and the anchor of {anchored_at} names {seq}",
                last=last,
                anchored_at=_second(anchor),
                seq=anchor.seq,
            )
            return Difference(anchor.seq, missing)
        if digests.get(anchor.seq) != anchor.digest:
            rewritten = message(
                "it was rewritten: entry {seq} is not what the anchor of {anchored_at} names",
                seq=anchor.seq,
                anchored_at=_second(anchor),
            )
            return Difference(anchor.seq, rewritten)
    return None


def anchor_from(value: object) -> Anchor:
    """Read an anchor.

    Raises: Invalid (`anchor`).
    """
    if isinstance(value, Mapping):
        seq = value.get("seq")
        texts = [value.get(name) for name in ("digest", "at", "key", "signature")]
        is_number = isinstance(seq, int) and not isinstance(seq, bool) and seq > 0
        if is_number and all(isinstance(text, str) for text in texts):
            return Anchor(int(str(seq)), *map(str, texts))
    raise Invalid(
        message("This is no anchor of the ledger."),
        code="anchor",
        remedy=message(
            "Give the lines of a file of anchors as they were written: seq, digest, at, key and signature."
        ),
    )


def append_to_file(folder: Path, anchor: Anchor) -> None:
    """Add an anchor to the file of a folder, on disk before this returns."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = os.open(folder / FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, json.dumps(anchor.as_json()).encode() + b"\n")
        os.fsync(file)
    finally:
        os.close(file)


def newest_of_file(folder: Path) -> list[Anchor]:
    """Read the newest anchors of a folder's file, oldest first; none where there is no file.

    Raises: Invalid (`anchor`) for a line that is none.
    """
    try:
        with (folder / FILE).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            lines = file.read().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    if size > _TAIL_BYTES:
        del lines[0]
    return [anchor_from(_parsed(line)) for line in lines if line.strip()]


def newest_kept() -> list[Anchor]:
    """Read the newest anchor that the database itself keeps."""
    rows = LedgerAnchor.objects.order_by("-seq", "-id")[:1]
    return [Anchor(row.seq, row.digest, row.at.isoformat(), row.key, row.signature) for row in rows]


def known_anchors(
    folders: Iterable[Path], read: Callable[[Path], list[Anchor]] = newest_of_file
) -> list[Anchor]:
    """Read the anchors that this process can read: of its folders' files, and the newest of the database."""
    return [anchor for folder in folders for anchor in read(folder)] + newest_kept()


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _seed(text: str) -> bytes:
    try:
        seed = _decoded(text)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise Invalid(
            message("SWITCHYARD_ANCHOR_KEY is no key."),
            code="anchor-key",
            remedy=message("Give 32 random bytes in base64: `openssl rand -base64 32`."),
        )
    return seed


def _derived(secret: str) -> bytes:
    return HKDF(SHA256(), 32, None, b"switchyard ledger anchors").derive(secret.encode())


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    plain = text.strip().rstrip("=").replace("+", "-").replace("/", "_")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
