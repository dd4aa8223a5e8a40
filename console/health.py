"""Health as machines ask for it: alive, ready."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.http import require_safe

from console.metrics import metrics
from migrations_app.control.health.queries import readiness
from migrations_app.domain.access import SYSTEM

NEEDED = ("database", "broker", "workers", "controllers")


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer while this process lives."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when database and broker answer, a worker was heard from and controllers get turns; else 503.

    It names what does not serve, and with 200 what serves badly, such as single controllers that stand still.
    """
    found = readiness(SYSTEM, NEEDED)
    if found.failing:
        return JsonResponse({"status": "unready", "failing": found.failing}, status=503)
    if found.degraded:
        return JsonResponse({"status": "degraded", "degraded": found.degraded})
    return JsonResponse({"status": "ready"})


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {"/healthz": healthz, "/readyz": readyz}


def _probe_of(request: HttpRequest) -> Callable[[HttpRequest], HttpResponse] | None:
    """Choose what answers a machine; the metrics with a session are a page like others."""
    if request.path == "/metrics" and "Authorization" in request.headers:
        return metrics
    return PROBES.get(request.path)


@sync_and_async_middleware
def probes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer probes, and Prometheus by its token, before host names are checked and plain HTTP is sent to https.

    They come from the same host or pod network: by address, without TLS, under no name of ours.
    """
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponse:
            probe = _probe_of(request)
            if probe is healthz:
                return healthz(request)
            answer: Awaitable[HttpResponse] = (
                sync_to_async(probe)(request) if probe else get_response(request)
            )
            return await answer

        return asynchronous  # type: ignore[return-value]

    def synchronous(request: HttpRequest) -> HttpResponse:
        return (_probe_of(request) or get_response)(request)

    return synchronous
