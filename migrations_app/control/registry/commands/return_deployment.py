"""Let an evicted deployment come back: only an administrator, and only under a newer generation."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from migrations_app.adapters.repositories.known_evictions import REGISTER_AGAIN
from migrations_app.control.audit.ledger import record
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.registry.values import Deployment, Registered
from migrations_app.kernel.errors import DeploymentEvicted
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows
from migrations_app.models.evictions import Eviction
from migrations_app.wiring import evictions, returns


def check_return(actor: Actor, target: Target, before: Registered | None, after: Registered) -> bool:
    """Tell whether an evicted deployment is brought back; refuse to register it otherwise.

    Raises: Conflict (`deployment-evicted`) · Denied.
    """
    if not isinstance(after, Deployment):
        return False
    if not _not_returned(after.name).exists():
        return False
    if isinstance(before, Deployment) and after.env_registry_generation <= before.env_registry_generation:
        raise DeploymentEvicted(message("{name} was evicted.", name=after.name), remedy=REGISTER_AGAIN)
    require(actor, "deployment.evict", target)
    return True


def note_return(actor: Actor, target: Target, saved: Registered) -> None:
    """Make of a saved deployment that was evicted a new registration, whose references are announced again.

    Once: in the transaction of the save; repeated it finds nothing that has not returned.
    """
    row = rows.Deployment.objects.select_for_update(of=("self",)).get(pk=saved.name)
    if _not_returned(saved.name).filter(uid=row.uid).exists():
        row.uid = uuid.uuid4()
        row.save(update_fields=["uid"])
    _not_returned(saved.name).update(returned_at=timezone.now(), rev=F("rev") + 1)
    record(actor, "deployment.return", target, "done", after={"uid": str(row.uid)})
    transaction.on_commit(_tell)


def _tell() -> None:
    evictions().forget()
    returns().forget()


def _not_returned(name: str) -> QuerySet[Eviction]:
    used = RequestState.USED.value
    return Eviction.objects.filter(deployment=name, closed_as=used, returned_at__isnull=True)
