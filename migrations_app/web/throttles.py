"""How many requests one account or address may make in a minute, per process."""

from __future__ import annotations

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
