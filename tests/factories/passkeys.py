"""A device that holds passkeys, as a browser speaks for it: makes them, and answers what is asked."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

FLAG = AuthenticatorData.FLAG
HERE = "http://localhost:8000"


@dataclass
class Device:
    """Holds one passkey; what is not said is as an honest device and browser have it."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    owner: str = ""
    counter: int = 1

    def make(self, asked: dict[str, Any], origin: str = HERE) -> dict[str, Any]:
        """Make the passkey that was asked for."""
        options = asked["publicKey"]
        self.owner = options["user"]["id"]
        made = AttestedCredentialData.create(
            Aaguid.NONE,
            self.id,
            ES256.from_cryptography_key(self.key.public_key()),  # type: ignore[no-untyped-call]
        )
        flags = FLAG.UP | FLAG.UV | FLAG.AT
        data = AuthenticatorData.create(_hash(options["rp"]["id"]), flags, self.counter, made)
        client = CollectedClientData.create("webauthn.create", options["challenge"], origin)
        attested = AttestationObject.create("none", data, {})
        return self._answer(
            {"clientDataJSON": client.b64, "attestationObject": websafe_encode(bytes(attested))}
        )

    def show(
        self, asked: dict[str, Any], *, origin: str = HERE, verified: bool = True, owner: str = ""
    ) -> dict[str, Any]:
        """Answer with the passkey."""
        options = asked["publicKey"]
        self.counter += 1
        flags = FLAG.UP | FLAG.UV if verified else FLAG.UP
        data = AuthenticatorData.create(_hash(options["rpId"]), flags, self.counter)
        client = CollectedClientData.create("webauthn.get", options["challenge"], origin)
        signature = self.key.sign(data + client.hash, ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": client.b64,
                "authenticatorData": websafe_encode(bytes(data)),
                "signature": websafe_encode(signature),
                "userHandle": owner or self.owner,
            }
        )

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        id = websafe_encode(self.id)
        return {
            "id": id,
            "rawId": id,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        }


def handle_of(pk: int) -> str:
    """Give the user handle of an account as a device holds it."""
    return websafe_encode(str(pk).encode())


def _hash(host: str) -> bytes:
    return sha256(host.encode()).digest()
