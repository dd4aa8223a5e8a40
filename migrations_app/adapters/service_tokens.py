"""Service tokens: who a deployment says it is to another one, signed, short-lived, and good for one peer only."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeGuard
from urllib.parse import unquote
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from migrations_app.adapters.used_tokens.memory import MemoryUsedTokens
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.ports.regions.peers import NamedRegistry, Peer
from migrations_app.ports.regions.used_tokens import UsedTokens

LIFE_SECONDS = 60
CLOCKS_APART_SECONDS = 30
_ALGORITHM = "EdDSA"
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a token speaks for: a deployment, and the account on whose behalf it asks, if any."""

    peer: Peer
    on_behalf: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServiceKeys:
    """The key this process signs with, and those that other regions sign with.

    A region that is not named in `trusted` signs with the same key as this process.
    """

    private: Ed25519PrivateKey
    trusted: Mapping[str, Ed25519PublicKey] = field(default_factory=dict)

    @classmethod
    def of(cls, secret: str, own: str = "", trusted: Mapping[str, str] | None = None) -> ServiceKeys:
        """Take the key that is given, or derive one from the installation's secret.

        Raises: Invalid (`service-key`) for a key that is none.
        """
        seed = _bytes(own) if own else _derived(secret)
        known = {region: public_key_of(text) for region, text in (trusted or {}).items()}
        return cls(Ed25519PrivateKey.from_private_bytes(seed), known)

    @property
    def public(self) -> str:
        """The public half, as other installations are told it."""
        return base64.urlsafe_b64encode(self.private.public_key().public_bytes_raw()).decode().rstrip("=")

    def of_region(self, region: str) -> Ed25519PublicKey:
        """Give the key that a region's deployments sign with."""
        return self.trusted.get(region) or self.private.public_key()


class ServiceTokens:
    """Signs and checks service tokens: good for one call, of one method and path, once."""

    def __init__(
        self, keys: ServiceKeys, now: Callable[[], float] = time.time, used: UsedTokens | None = None
    ) -> None:
        self._keys, self._now, self._used = keys, now, used or MemoryUsedTokens(now)

    def sign(
        self,
        sender: Peer,
        audience: Peer | NamedRegistry,
        method: str,
        path: str,
        on_behalf: JsonObject | None = None,
    ) -> str:
        """Write a token with which a deployment may make one call of an audience within the next minute."""
        at = int(self._now())
        claims: JsonObject = {
            "iss": sender.deployment,
            "aud": audience.audience,
            "iat": at,
            "exp": at + LIFE_SECONDS,
            "jti": uuid4().hex,
            "htm": method,
            "htu": unquote(path),
        }
        if on_behalf:
            claims["act"] = on_behalf
        return jwt.encode(claims, self._keys.private, algorithm=_ALGORITHM)

    def check(self, token: str, audience: Peer | NamedRegistry, method: str, path: str) -> Caller:
        """Tell who signed a token for this call of this audience, and take it from then on no more.

        Raises: Denied (`service-token`), without saying to a stranger what is wrong beyond the kind · Busy when
        it cannot be told whether it was used before.
        """
        if len(token) > _LONGEST:
            raise _refused(message("The service token is refused: it is too long."))
        try:
            said = jwt.decode(token, options={"verify_signature": False})
            sender = Peer.parse(str(said.get("iss", "")))
            claims = jwt.decode(
                token,
                self._keys.of_region(sender.region),
                algorithms=[_ALGORITHM],
                audience=audience.audience,
                options={
                    "require": ["iss", "aud", "iat", "exp", "jti"],
                    "verify_exp": False,
                    "verify_iat": False,
                },
            )
        except jwt.InvalidAudienceError as error:
            raise _refused(
                message("The service token is refused: it is meant for another audience.")
            ) from error
        except (jwt.PyJWTError, Invalid, ValueError, TypeError, OverflowError) as error:
            raise _refused(message("The service token is refused: its signature is not good.")) from error
        self._check_times(claims.get("iat"), claims.get("exp"))
        if claims.get("htm") != method or claims.get("htu") != unquote(path):
            raise _refused(message("The service token is refused: it is meant for another call."))
        if not self._used.claim(_digest(sender, claims["jti"]), claims["exp"] + CLOCKS_APART_SECONDS):
            raise _refused(message("The service token is refused: it was used before."))
        on_behalf = claims.get("act")
        return Caller(sender, on_behalf if isinstance(on_behalf, dict) else {})

    @staticmethod
    def recognizes(secret: str) -> bool:
        """Tell a service token from the token of an account by its shape."""
        return secret.count(".") == 2

    def _check_times(self, issued: object, ends: object) -> None:
        # Checked here, by our clock, so that a test can hold it.
        if not _is_time(issued) or not _is_time(ends):
            raise _refused(message("The service token is refused: its times are not valid."))
        if not issued - CLOCKS_APART_SECONDS <= self._now() < ends + CLOCKS_APART_SECONDS:
            raise _refused(message("The service token is refused: it has expired, or the clocks differ."))
        if ends - issued > LIFE_SECONDS:
            raise _refused(message("The service token is refused: its lifetime is too long."))


def _is_time(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40


def _digest(sender: Peer, token: object) -> str:
    if not isinstance(token, str) or not 1 <= len(token) <= 64:
        raise _refused(message("The service token is refused: its id is not valid."))
    return sha256(f"{sender.deployment} {token}".encode("utf-8", "surrogatepass")).hexdigest()


def _refused(words: WordedMessage) -> Denied:
    return Denied(
        words,
        code="service-token",
        remedy=message(
            "Look at the keys of both regions (SWITCHYARD_SERVICE_KEY, SWITCHYARD_PEER_KEYS) and "
            "at their clocks."
        ),
    )


def _derived(secret: str) -> bytes:
    salt, info = None, b"switchyard service tokens"
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(secret.encode())


def public_key_of(text: str) -> Ed25519PublicKey:
    """Read a public key.

    Raises: Invalid (`service-key`) for text that is none.
    """
    return Ed25519PublicKey.from_public_bytes(_bytes(text))


def _bytes(text: str) -> bytes:
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise Invalid(message("A service key is 32 bytes in base64."), code="service-key") from error
    if len(found) != 32:
        raise Invalid(message("A service key is 32 bytes in base64."), code="service-key")
    return found
