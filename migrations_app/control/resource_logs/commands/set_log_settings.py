"""Set what the logs of a deployment keep."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.audit.ledger import record
from migrations_app.control.resource_logs.repository import log_location, log_settings, settings_as_json
from migrations_app.control.resource_logs.schemas import LogSettingsRequestSchema
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.messages import message


def set_log_settings(
    actor: Actor, service: str, region: str, given: LogSettingsRequestSchema, rev: int | None
) -> int:
    """Set the sampling of reads and the retention; gives the new revision. Revision 0 stands for the default.

    Raises: Denied, Missing (`deployment-missing`), Stale (`changed`).
    """
    location = log_location(service, region)
    target = Target("deployment", location.deployment, service, region)
    require(actor, "registry.write", target)
    with transaction.atomic():
        row = log_settings(location.deployment, lock=True)
        if rev is not None and rev != row.rev:
            raise Stale(
                message("The settings of the logs changed since you looked."),
                code="changed",
                remedy=message("Read them again."),
                current=settings_as_json(row),
            )
        before = settings_as_json(row)
        row.read_sampling = given.read_sampling
        row.activity_days, row.change_days = given.activity_days, given.change_days
        row.rev, row.set_by, row.set_at = row.rev + 1, actor.name, timezone.now()
        row.save()
        record(actor, "logs.set", target, "done", before, settings_as_json(row))
    return row.rev
