"""When the person behind a session last showed who they are: by signing in, or when they were asked again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

KEPT = "proved_at"


@receiver(user_logged_in)
def remember_proof(request: HttpRequest, **_: Any) -> None:
    """Note in the session that its person was there now."""
    request.session[KEPT] = timezone.now().timestamp()


def proved_at(request: HttpRequest) -> datetime | None:
    """Tell when the person behind a request was last there; None where that was never shown."""
    session = getattr(request, "session", None)
    kept = session.get(KEPT) if session is not None else None
    return datetime.fromtimestamp(kept, UTC) if isinstance(kept, float) else None
