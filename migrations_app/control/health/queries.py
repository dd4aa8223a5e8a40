"""The health of the system, and the keys of work that need a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice

from django.conf import settings
from django.utils import timezone

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.audit.controller import age_seconds, watched
from migrations_app.control.constraints.queries import constraint_figures
from migrations_app.control.health import checks as parts
from migrations_app.control.health.turns import turns
from migrations_app.control.upgrade_state.repository.work_places import place_of_work
from migrations_app.domain.access import Actor, require, require_reach
from migrations_app.domain.health import Component
from migrations_app.domain.work_classes import FIRST, WorkClass, parse_shares
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.kernel.wordings import kept_message, wording_as_json
from migrations_app.models.ledger import LedgerSeal
from migrations_app.models.outbox import OutboxHead
from migrations_app.models.work import Pulse, Work

QUARANTINED_SHOWN = 200


def health(actor: Actor) -> JsonObject:
    """Tell how every part is, and the whole."""
    reach = require_reach(actor, "health.read")
    found = parts.components()
    shown = [_seen(each) for each in found if not each.region or reach.covers("", each.region)]
    return {
        "status": parts.worst(found),
        "components": [each.as_json() for each in (found if reach.everywhere else shown)],
        "work_classes": [*work_classes()] if found[0].status != "down" else [],
    }


def _seen(part: Component) -> Component:
    """Leave out what a part says of keys and channels: those may be of any place."""
    if part.name not in parts.NAMING or part.status == "ok":
        return part
    return replace(
        part,
        words=message("Accounts that see all regions are shown what is wrong."),
        remedy="",
    )


def work_classes() -> list[JsonObject]:
    """Tell for each class of work its share, how many keys are due, and how late the first of them is."""
    shares: dict[WorkClass, float | None] = {FIRST: None, **parse_shares(settings.SWITCHYARD.work_shares)}
    backlog = {each.work_class: each for each in PostgresLeases().backlog()}
    return [
        {
            "work_class": each.value,
            "share": share,
            "due": backlog[each].due,
            "late_seconds": round(backlog[each].late_seconds, 1),
            "used_seconds": round(backlog[each].used_seconds, 1),
        }
        for each, share in shares.items()
    ]


@dataclass(frozen=True, slots=True)
class Readiness:
    """Which of the needed parts do not serve, and which serve badly, each with what is wrong."""

    failing: dict[str, str]
    degraded: dict[str, str]


def readiness(actor: Actor, needed: tuple[str, ...]) -> Readiness:
    """Look at the parts that a process needs to serve; a degraded one still serves."""
    require(actor, "health.read")
    found = [each for each in parts.components() if each.name in needed]
    return Readiness(
        {each.name: each.detail for each in found if each.status not in ("ok", "degraded")},
        {each.name: each.detail for each in found if each.status == "degraded"},
    )


def gauges(actor: Actor) -> dict[str, tuple[str, float | Mapping[str, float]]]:
    """Give the numbers that are worth an alarm, each with what it says; some for each class of work."""
    require(actor, "health.read")
    late = timezone.now() - timedelta(seconds=30)
    backlog = PostgresLeases().backlog()
    workers = Pulse.objects.filter(kind="worker", at__gt=timezone.now() - parts.SILENT)
    head = OutboxHead.objects.first() or OutboxHead()
    sealed = LedgerSeal.objects.values_list("seq", flat=True).last()
    sweep = Pulse.objects.filter(name="sweep").values_list("at", flat=True).first()
    return {
        "workers_alive": ("Workers heard from in the last 20 s.", workers.count()),
        "sweep_age_seconds": (
            "Seconds since the last tick; -1 when there was none.",
            (timezone.now() - sweep).total_seconds() if sweep else -1.0,
        ),
        "work_quarantined": (
            "Keys that wait for a person.",
            Work.objects.filter(quarantined_at__isnull=False).count(),
        ),
        "work_late": (
            "Keys that are due since 30 s and that no worker holds.",
            Work.objects.filter(due_at__lt=late, leased_until__isnull=True).count(),
        ),
        "work_class_late_seconds": (
            "For how long the first due key of a class of work has waited.",
            {each.work_class.value: each.late_seconds for each in backlog},
        ),
        "work_class_due": (
            "Keys of a class of work that are due and that no worker holds.",
            {each.work_class.value: float(each.due) for each in backlog},
        ),
        "work_class_used_seconds": (
            "Time that workers used for a class of work.",
            {each.work_class.value: each.used_seconds for each in backlog},
        ),
        "unexpected_errors": (
            "Errors that were not expected, where work went on: of this process and of the workers, since each began.",
            float(UNEXPECTED.total() + sum(row.details.get("unexpected_errors", 0) for row in workers)),
        ),
        "outbox_events": ("Events that can be replayed.", head.seq - head.pruned),
        "ledger_entries": ("Entries of the audit ledger; it never falls.", sealed or 0),
        **_ledger(),
        **constraint_figures(),
    }


def _ledger() -> dict[str, tuple[str, float]]:
    state = watched()
    intact = -1.0 if not state else float(not state.get("difference") and not state.get("broken"))
    anchored, verified = age_seconds(state, "anchored_at"), age_seconds(state, "verified_at")
    return {
        "ledger_intact": (
            "1 while the audit ledger is as it was kept, 0 when not, -1 when not known.",
            intact,
        ),
        "ledger_anchor_age_seconds": (
            "Seconds since the ledger's signed head was kept outside; -1 when it never was.",
            -1.0 if anchored is None else anchored,
        ),
        "ledger_verified_age_seconds": (
            "Seconds since the whole ledger was verified; -1 when it never was.",
            -1.0 if verified is None else verified,
        ),
    }


def controllers(actor: Actor) -> list[JsonObject]:
    """List the controllers by region: who has the lead, and how old the last turn is."""
    reach = require_reach(actor, "health.read")
    return [each.as_json() for each in turns() if reach.everywhere or reach.covers("", each.region)]


def quarantined_work(actor: Actor) -> list[JsonObject]:
    """List the quarantined keys, the longest quarantined first; of keys that name a deployment those within reach.

    Raises: Denied.
    """
    reach = require_reach(actor, "health.read")
    rows = Work.objects.filter(quarantined_at__isnull=False).order_by("quarantined_at")
    mine = (
        row
        for row in rows.iterator(QUARANTINED_SHOWN)
        if reach.everywhere or reach.covers(*place_of_work(row.key))
    )
    return [
        {
            "controller": row.controller,
            "key": row.key,
            "code": row.quarantined_code,
            "reason": row.quarantined_reason,
            "remedy": row.quarantined_remedy,
            **wording_as_json(
                kept_message(row.quarantined_reason, row.quarantined_reason_phrases).phrases,
                kept_message(row.quarantined_remedy, row.quarantined_remedy_phrases).phrases,
            ),
            "since": row.quarantined_at.isoformat() if row.quarantined_at else None,
            "attempts": row.attempts,
        }
        for row in islice(mine, QUARANTINED_SHOWN)
    ]
