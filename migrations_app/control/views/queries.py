"""Saved views: one's own, and those that others share."""

from __future__ import annotations

from django.db.models import Q

from migrations_app.control.audit.queries.gone import missing
from migrations_app.domain.access import Actor
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.views import SavedView


def views(actor: Actor, page: str) -> list[JsonObject]:
    """List the views of a page that an actor sees, by name."""
    rows = SavedView.objects.filter(Q(account__username=actor.name) | Q(shared=True), page=page)
    return [_shown(actor, row) for row in rows.select_related("account")]


def view(actor: Actor, page: str, name: str) -> JsonObject:
    """Give one view of a page: one's own of this name, or else the one that is shared.

    Raises: Gone (`gone`) where one was shared and forgotten, Missing (`view-missing`).
    """
    found = [each for each in views(actor, page) if each["name"] == name]
    if not found:
        never = Missing(
            message("There is no view {name} of this page.", name=repr(name)), code="view-missing"
        )
        raise missing(actor, "fleet.read", "view", f"{page}/{name}", never)
    return min(found, key=lambda each: each["owner"] != actor.name)


def _shown(actor: Actor, row: SavedView) -> JsonObject:
    return {
        "name": row.name,
        "query": row.query,
        "first": row.first and row.account.username == actor.name,
        "shared": row.shared,
        "everybody": row.everybody,
        "owner": row.account.username,
    }
