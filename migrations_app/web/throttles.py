"""How many requests one account or address may make in a minute, per process."""

from __future__ import annotations

from math import ceil

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from migrations_app.web.authentication import actor_of_request, address_of


class PerActor(SimpleRateThrottle):
    """Counts by account; by address where nobody is signed in."""

    scope = "actor"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """Name whose requests are counted."""
        # The address of the connection: X-Forwarded-For is whatever a caller writes, a new one each time.
        who = actor_of_request(request).name or address_of(request)
        return str(self.cache_format % {"scope": self.scope, "ident": who})

    def headers(self) -> dict[str, str]:
        """Tell how many requests are allowed in a minute, how many are left, and after how many seconds one more is."""
        history: list[float] | None = getattr(self, "history", None)
        most, seconds = self.parse_rate(self.rate)
        if history is None or most is None or seconds is None:
            return {}
        oldest = history[-1] if history else self.now
        return {
            "RateLimit-Limit": str(most),
            "RateLimit-Remaining": str(max(0, most - len(history))),
            "RateLimit-Reset": str(max(0, ceil(seconds - (self.now - oldest)))),
        }
