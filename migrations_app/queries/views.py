"""Saved views: one's own, and those that others share."""

from __future__ import annotations

from django.db.models import Q

from migrations_app.domain.access import Actor
from migrations_app.kernel.json import JsonObject
from migrations_app.models.views import SavedView


def views(actor: Actor, page: str) -> list[JsonObject]:
    """List the views of a page that an actor sees, by name."""
    rows = SavedView.objects.filter(Q(account__username=actor.name) | Q(shared=True), page=page)
    return [
        {
            "name": row.name,
            "query": row.query,
            "first": row.first and row.account.username == actor.name,
            "shared": row.shared,
            "everybody": row.everybody,
            "owner": row.account.username,
        }
        for row in rows.select_related("account")
    ]
