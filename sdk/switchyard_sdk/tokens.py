"""Service tokens: a call of a method comes with one, signed by the Switchyard of the deployment."""

from __future__ import annotations

import time
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from migrations_app.adapters.service_tokens import Caller, ServiceKeys, ServiceTokens, public_key_of
from migrations_app.kernel.errors import Denied
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.regions.used_tokens import UsedTokens


class TokenVerifier:
    """Verifies the tokens that the calls of one deployment's methods come with: signature, audience, call, time, once.

    `public_key` is what `manage.py service_key` of the region's Switchyard prints. Several processes that answer under
    one address share `used`, or a token is good once in each.
    """

    def __init__(
        self,
        public_key: str,
        service: str,
        region: str,
        *,
        now: Callable[[], float] = time.time,
        used: UsedTokens | None = None,
    ) -> None:
        self.deployment = Peer(service, region)
        # Regions without a key would be verified by this private one, which nothing signs with.
        keys = ServiceKeys(Ed25519PrivateKey.generate(), {region: public_key_of(public_key)})
        self._tokens = ServiceTokens(keys, now, used)

    def verify(self, token: str, method: str, path: str) -> Caller:
        """Give who calls, and take the token no more.

        Raises: Denied (`service-token`).
        """
        caller = self._tokens.check(token, self.deployment, method, path)
        if caller.peer != self.deployment:
            raise Denied("The service token is of another deployment.", code="service-token")
        return caller
