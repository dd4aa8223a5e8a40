"""Health as machines ask for it: alive, ready."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from migrations_app.domain.access import SYSTEM
from migrations_app.queries.health import not_ready

NEEDED = ("database", "broker", "workers")


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer while this process lives."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when database and broker answer and a worker was heard from; else 503, naming what does not."""
    failing = not_ready(SYSTEM, NEEDED)
    if failing:
        return JsonResponse({"status": "unready", "failing": failing}, status=503)
    return JsonResponse({"status": "ready"})
