"""Wait for a resource to be free to go, or no longer."""

from __future__ import annotations

import secrets

from django.db import transaction

from migrations_app import wiring
from migrations_app.control.events.outbox import publish
from migrations_app.control.references.controller import look
from migrations_app.domain.access import Actor, Target, require
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.kernel.errors import Conflict, Invalid, Missing, NotFound
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.models.access import Account
from migrations_app.models.watches import DeletionWatch

MOST = 100
LONGEST = 1000


def watch_deletion(actor: Actor, name: str) -> DeletionWatch:
    """Begin to watch a resource named in full; again is the same as once, and a watch that ended begins again.

    Raises: Denied, Invalid (`full-name`, `name`), Missing (`not-found`), Conflict (`watches-many`).
    """
    node = ReferenceNode.parse(name)
    require(actor, "resource.read", Target("deployment", service=node.service, region=node.region))
    if len(node.id) > LONGEST:
        raise Invalid(message("The name has more than {longest} characters.", longest=LONGEST), code="name")
    verdict, sentence = look(wiring.reference_graph(), node.id)
    if verdict == "gone":
        raise NotFound(message("There is no {name}.", name=node.name[:200]))
    account = Account.objects.get(username=actor.name)
    mine = DeletionWatch.objects.filter(account=account)
    with transaction.atomic():
        row = mine.select_for_update().filter(name=node.id).first()
        if row is None and mine.count() >= MOST:
            raise Conflict(
                message("You watch {most} resources.", most=MOST),
                code="watches-many",
                remedy=message("End some of them."),
            )
        row = row or DeletionWatch(id=f"d{secrets.token_hex(5)}", account=account, name=node.id)
        # Also what is free now is looked at once more by the controller, which tells it.
        row.verdict, row.looked_at, row.cleared_at = verdict, None, None
        row.sentence, row.phrases = str(sentence), phrases_as_json(sentence.phrases)
        row.save()
    return row


def end_watch(actor: Actor, watch_id: str) -> None:
    """End a watch of one's own, or put away what it told.

    Raises: Missing (`watch-missing`).
    """
    with transaction.atomic():
        gone, _ = DeletionWatch.objects.filter(account__username=actor.name, pk=watch_id).delete()
        if not gone:
            raise Missing(message("You have no such watch."), code="watch-missing")
        publish("fleet", "watch", watch_id)
