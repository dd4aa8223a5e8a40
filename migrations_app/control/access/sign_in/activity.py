"""Keeps a session from ending while a person does something in it."""

from __future__ import annotations

from django.http import HttpRequest

from migrations_app.control.access.session_store import SessionStore

BACKGROUND = "X-Background-Request"
"""The console sends it with what a page asks by itself, without an action of the person."""


def note_activity(request: HttpRequest) -> None:
    """Move the idle end of a session on, unless the page asks by itself."""
    session = getattr(request, "session", None)
    if isinstance(session, SessionStore) and BACKGROUND not in request.headers:
        session.extend()
