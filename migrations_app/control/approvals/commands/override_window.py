"""Let one upgrade go past the windows and freezes in its way, for an hour."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import (
    authors_of,
    policy_of_upgrade,
    rules_and_revisions,
    where_of,
)
from migrations_app.control.approval_policies.repository.electors import groups_of, refuse_borrowed
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import locked, target_of
from migrations_app.domain.access import Actor, require
from migrations_app.domain.approvals.overriding import LASTS, override
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.domain.switch.states import STATE_SENTENCES, State
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.windows import WindowOverride
from migrations_app.ports.upgrades import TimelineEntry


def override_window(actor: Actor, upgrade_id: str, reason: str) -> JsonObject:
    """Lift what stands in the way of a switch while ready; every other guard stays.

    Raises: Missing, Denied (`denied`, `window-override`, `step-up`, `same-person`, `token-of-another`), Invalid (`override-reason`), Conflict
    (`upgrade-state`, `window-open`, `window-none`).
    """
    with transaction.atomic():
        row = locked(upgrade_id)
        target = target_of(row)
        require(actor, "upgrade.switch", target)
        if row.state != State.READY.value:
            raise Conflict(
                STATE_SENTENCES[State(row.state)]
                + message("A window can be overridden only while the upgrade is ready to switch."),
                code="upgrade-state",
            )
        if not reason.strip():
            raise Invalid(
                message("An override needs a reason."),
                code="override-reason",
                remedy=message("Write the reason."),
            )
        policy, now = policy_of_upgrade(row, Purpose.SWITCH), timezone.now()
        rules, revisions = rules_and_revisions()
        where = where_of(row, policy.window_needed)
        refuse_borrowed(
            actor, authors_of(row), row.created_at, message("Overriding in their name is for another person.")
        )
        lifted = override(rules, now, where, actor.name, groups_of(actor, target))
        demand_proof(actor, now, tokens=not policy.critical)
        kept = WindowOverride.objects.create(
            upgrade=row,
            rules={rule.name: revisions[rule.name] for rule in lifted},
            who=actor.person,
            reason=reason.strip(),
            at=now,
            until=now + LASTS,
        )
        names = ", ".join(kept.rules)
        words = message("{who} overrides {rules}: {reason}", who=actor.name, rules=names, reason=kept.reason)
        after: JsonObject = {"rules": [*kept.rules], "until": kept.until.isoformat()}
        record(actor, "window.override", target, "done", after=after, reason=kept.reason)
        write(
            row,
            actor,
            TimelineEntry("window-override", words, {"rules": [*kept.rules]}),
        )
        publish("approvals", "window", names, places=[(row.service, row.region)])
    return {"rules": [*kept.rules], "who": kept.who, "reason": kept.reason, "until": kept.until.isoformat()}
