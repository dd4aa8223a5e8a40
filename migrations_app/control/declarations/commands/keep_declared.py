"""Keep what an account made by declaring it."""

from __future__ import annotations

import re

from migrations_app.control.audit.ledger import record
from migrations_app.domain.access import Actor, Target
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account
from migrations_app.models.declarations import DeclaredSet

OWNER = re.compile(r"[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?")


def keep_declared(actor: Actor, owner: str, objects: list[JsonObject]) -> None:
    """Keep the objects that the actor made under an owner label, in place of those before.

    It is a note about what the actor did and gives no right: removing an object takes the permission that it
    takes for anybody.
    Raises: Invalid (`owner-label`).
    """
    if not OWNER.fullmatch(owner):
        raise Invalid(
            message("{owner} is no owner label.", owner=repr(owner)),
            code="owner-label",
            remedy=message("Use up to 63 small letters, digits, dots, dashes and underscores."),
        )
    account = Account.objects.get(username=actor.name)
    row = DeclaredSet.objects.select_for_update().filter(account=account, owner=owner).first()
    before = row.objects_made if row else []
    if before == objects:
        return
    DeclaredSet.objects.update_or_create(account=account, owner=owner, defaults={"objects_made": objects})
    target = Target("declared-set", f"{actor.name}/{owner}")
    record(
        actor, "declaration.keep", target, "done", {"objects": _names(before)}, {"objects": _names(objects)}
    )


def _names(objects: list[JsonObject]) -> list[Json]:
    return [f"{each['kind']} {each['name']}" for each in objects]
