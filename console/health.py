"""Health as machines ask for it: alive, ready."""

from __future__ import annotations

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer while this process lives."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database and the broker answer; else 503, naming what does not."""
    failing: dict[str, str] = {}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        failing["database"] = "does not answer; check DATABASE_URL and the server's log"
    try:
        with redis.Redis.from_url(settings.SWITCHYARD.redis_url, socket_timeout=2) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError):
        failing["broker"] = "does not answer; check REDIS_URL and the server's log"
    status = {"status": "unready", "failing": failing} if failing else {"status": "ready"}
    return JsonResponse(status, status=503 if failing else 200)
