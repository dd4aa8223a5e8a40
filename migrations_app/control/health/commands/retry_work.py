"""Let a quarantined key go on, after a person looked at it."""

from __future__ import annotations

from django.db import transaction

from migrations_app import wiring
from migrations_app.control.audit import ledger
from migrations_app.control.upgrade_state.repository.work_places import place_of_work
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.messages import message
from migrations_app.models.work import Work


def retry_work(actor: Actor, controller: str, key: str) -> None:
    """Lift the quarantine of a key and make it due now.

    Raises: Denied, Missing (`work`), Conflict (`not-quarantined`).
    """
    target = Target("work", f"{controller}/{key}", *place_of_work(key))
    require(actor, "work.retry", target)
    with transaction.atomic():
        row = Work.objects.select_for_update().filter(controller=controller, key=key).first()
        if row is None:
            raise Missing(
                message("There is no work {controller}/{key}.", controller=controller, key=key), code="work"
            )
        if row.quarantined_at is None:
            raise Conflict(message("{key} is not quarantined.", key=key), code="not-quarantined")
        wiring.leases().wake(controller, key, lift_quarantine=True)
        wiring.dispatch().poke(controller, key)
        ledger.record(
            actor,
            "work.retry",
            target,
            "done",
            before={"code": row.quarantined_code, "reason": row.quarantined_reason},
        )
