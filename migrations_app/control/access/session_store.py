"""Sessions that end: so long after the sign-in, and so long after the last action."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

BEGAN = "began_at"
EXTENDED_EVERY = timedelta(minutes=1)
"""The end is moved at most so often: a busy page must not make every read a write."""


class SessionStore(db.SessionStore):
    """A session in the table, whose `expire_date` is its true end; its cookie lasts as long as it may at most."""

    _expires_at: datetime | None = None

    def __setitem__(self, key: str, value: Any) -> None:
        """Keep a value; with the account the session begins."""
        super().__setitem__(key, value)
        if key == SESSION_KEY:
            super().__setitem__(BEGAN, timezone.now().timestamp())

    def load(self) -> dict[str, Any]:
        """Read the session, or nothing once it is over."""
        data: dict[str, Any] = super().load()
        if SESSION_KEY in data and _latest_end(data) <= timezone.now():
            self._session_key = None
            return {}
        return data

    def _get_session_from_db(self) -> Session | None:
        row: Session | None = super()._get_session_from_db()  # type: ignore[misc]
        self._expires_at = row.expire_date if row is not None else None
        return row

    def get_expiry_date(self, **kwargs: Any) -> datetime:
        """Give its end, counted from now, as it is saved."""
        idle_end = timezone.now() + idle_time()
        return min(_latest_end(self), idle_end) if SESSION_KEY in self else idle_end

    def get_expiry_age(self, **kwargs: Any) -> int:
        """Give how many seconds its cookie lasts."""
        end = _latest_end(self) if SESSION_KEY in self else self.get_expiry_date()
        return max(0, int((end - timezone.now()).total_seconds()))

    def extend(self) -> None:
        """Move its idle end on; nothing else of it is written, so that no other request's change is lost."""
        end = self.get_expiry_date()
        if self.session_key and self._expires_at and end - self._expires_at > EXTENDED_EVERY:
            rows = Session.objects.filter(session_key=self.session_key, expire_date__gt=timezone.now())
            rows.update(expire_date=end)
            self._expires_at = end


def idle_time() -> timedelta:
    """Give how long a session lasts without anybody doing something."""
    return timedelta(minutes=settings.SWITCHYARD.session_idle_minutes)


def _latest_end(data: Any) -> datetime:
    began = data.get(BEGAN)
    # Sessions of before this was kept are over.
    began_at = (
        datetime.fromtimestamp(began, UTC) if isinstance(began, float) else datetime.min.replace(tzinfo=UTC)
    )
    return began_at + timedelta(hours=settings.SWITCHYARD.session_hours)
