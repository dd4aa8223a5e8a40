"""Keep a view of a list under a name, share it, and forget it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from migrations_app.control.audit.ledger import record
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account
from migrations_app.models.views import SavedView

MOST = 100
FOR_EVERYBODY = "policy.write"
"""Who writes the rules of the house also says how a page opens for everybody."""


@dataclass(frozen=True, slots=True)
class View:
    """A view as its owner wants it."""

    page: str
    name: str
    query: str
    first: bool = False
    shared: bool = False
    everybody: bool = False


def save_view(actor: Actor, view: View) -> None:
    """Keep a view in place of one's own of the same name; at most one of a page opens first, and one for everybody.

    Raises: Conflict (`views-many`), Denied when it shall open for everybody and that is not the actor's to say.
    """
    if view.everybody:
        require(actor, FOR_EVERYBODY, _target(view.page, view.name))
    account = Account.objects.get(username=actor.name)
    mine = SavedView.objects.filter(account=account, page=view.page)
    with transaction.atomic():
        if mine.exclude(name=view.name).count() >= MOST:
            raise Conflict(
                message("You keep {most} views of this page.", most=MOST),
                code="views-many",
                remedy=message("Forget some of them."),
            )
        if view.first:
            mine.update(first=False)
        if view.everybody:
            SavedView.objects.filter(page=view.page).update(everybody=False)
        kept = {
            "query": view.query,
            "first": view.first,
            "shared": view.shared or view.everybody,
            "everybody": view.everybody,
        }
        SavedView.objects.update_or_create(account=account, page=view.page, name=view.name, defaults=kept)
        if kept["shared"]:
            after: JsonObject = {"query": view.query, "everybody": view.everybody}
            record(actor, "view.share", _target(view.page, view.name), "done", after=after)


def forget_view(actor: Actor, page: str, name: str) -> None:
    """Forget a view of one's own.

    Raises: Missing (`view-missing`).
    """
    with transaction.atomic():
        row = SavedView.objects.filter(account__username=actor.name, page=page, name=name).first()
        if row is None:
            raise Missing(
                message("You keep no view {name} of this page.", name=repr(name)), code="view-missing"
            )
        if row.shared:
            before: JsonObject = {"query": row.query}
            record(actor, "view.forget", _target(page, name), "done", before)
        row.delete()


def _target(page: str, name: str) -> Target:
    return Target("view", f"{page}/{name}")
