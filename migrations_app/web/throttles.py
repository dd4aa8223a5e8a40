"""How many requests one account or address may make in a minute, counted over all processes."""

from __future__ import annotations

from math import ceil

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from migrations_app.adapters.rates.valkey import shared_rates
from migrations_app.ports.processes.rates import RateCount
from migrations_app.web.callers import actor_of_request, address_of, network_of

WINDOW_SECONDS = 60


class PerActor(BaseThrottle):
    """Counts by account; by address without a session."""

    most = 1200
    _spent: RateCount | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request, and tell whether it is one too many."""
        name = actor_of_request(request).name
        # The address of the connection: X-Forwarded-For is whatever a caller writes, a new one each time.
        who = f"account:{name}" if name else f"address:{network_of(address_of(request))}"
        self._spent = shared_rates().spend(f"requests:{who}", WINDOW_SECONDS)
        return self._spent.count <= self.most

    def wait(self) -> float | None:
        """Tell after how many seconds there are requests again."""
        return self._spent.resets_in_seconds if self._spent else None

    def headers(self) -> dict[str, str]:
        """Tell how many requests are allowed in a minute, how many are left, and after how many seconds all are again."""
        if self._spent is None:
            return {}
        return {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(max(0, self.most - self._spent.count)),
            "RateLimit-Reset": str(max(0, ceil(self._spent.resets_in_seconds))),
        }
