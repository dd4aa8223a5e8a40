"""What an account made by declaring it."""

from __future__ import annotations

from migrations_app.domain.access import Actor
from migrations_app.kernel.json import JsonObject
from migrations_app.models.declarations import DeclaredSet


def declared_set(actor: Actor, owner: str) -> JsonObject:
    """Give what the actor made under an owner label; nothing where it never declared anything."""
    row = DeclaredSet.objects.filter(account__username=actor.name, owner=owner).first()
    return {"owner": owner, "objects": row.objects_made if row else []}
