"""Waivers by whom they wait for, across all services: the inbox of approvers, and the tasks on the home page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from migrations_app.control.approval_policies.repository.electors import dependence_of
from migrations_app.control.definition_changes.repository.waivers import target_of_waiver, waiver_as_json
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, decide, reach_of, require_reach
from migrations_app.domain.reach import Reach
from migrations_app.kernel.clock import iso
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.wordings import sentence_as_json
from migrations_app.models.evidence.waivers import Waiver

MOST = 500
SHOWN = 5


def waivers_in_tab(actor: Actor, tab: str) -> list[Json]:
    """List waivers, newest first: those that await the actor's approval, their own, all that are open, those decided.

    Raises: Denied, Invalid (`tab`).
    """
    reach, now = require_reach(actor, "approval.read"), timezone.now()
    chosen = TABS.get(tab)
    if chosen is None:
        raise Invalid(
            message("There is no tab {tab}.", tab=repr(tab)),
            code="tab",
            remedy=message("Use {tabs}.", tabs=", ".join(TABS)),
        )
    return [waiver_as_json(row, now) for row in chosen(actor, reach, now)]


def waiting_for(actor: Actor) -> tuple[int, int]:
    """Count the waivers that await this actor's approval, and those that await others'."""
    reach, now = reach_of(actor, "approval.read"), timezone.now()
    waiting = _open(actor, reach, now)
    mine = sum(_may_approve(actor, row) for row in waiting)
    return mine, len(waiting) - mine


def approvals_needed(actor: Actor) -> list[JsonObject]:
    """Name the waivers that await this actor's approval, as tasks; those that end first are first."""
    rows = _mine(actor, reach_of(actor, "approval.read"), timezone.now())
    rows.sort(key=lambda row: row.until)
    return [
        {
            "kind": "waiver",
            "id": row.id,
            **sentence_as_json(_asked(row)),
            "deadline": iso(row.until),
            "link": "/approvals?tab=mine",
        }
        for row in rows[:SHOWN]
    ]


def _asked(row: Waiver) -> WordedMessage:
    names = {"who": row.asked_by, "path": row.path, "service": row.service, "target": row.after}
    if row.before == row.after:
        return message(
            "{who} asks to accept the change of {path} in {target} of {service}: a waiver.", **names
        )
    return message(
        "{who} asks to accept {path} from {source} to {target} of {service}: a waiver.",
        source=row.before,
        **names,
    )


def _open(_: Actor, reach: Reach, now: datetime) -> list[Waiver]:
    return _within(reach, Q(ended_at__isnull=True, approved_at__isnull=True, until__gt=now))


def _mine(actor: Actor, reach: Reach, now: datetime) -> list[Waiver]:
    return [row for row in _open(actor, reach, now) if _may_approve(actor, row)]


def _own(actor: Actor, reach: Reach, _: datetime) -> list[Waiver]:
    return _within(reach, Q(asked_by=actor.person))


def _decided(_: Actor, reach: Reach, now: datetime) -> list[Waiver]:
    settled = Q(ended_at__isnull=False) | Q(approved_at__isnull=False) | Q(until__lte=now)
    return _within(reach, settled)


TABS: Mapping[str, Callable[[Actor, Reach, datetime], list[Waiver]]] = {
    "mine": _mine,
    "asked": _own,
    "open": _open,
    "decided": _decided,
}


def _within(reach: Reach, chosen: Q) -> list[Waiver]:
    return list(Waiver.objects.filter(within(reach, "service", ""), chosen)[:MOST])


def _may_approve(actor: Actor, row: Waiver) -> bool:
    if not decide(actor, "approval.vote", target_of_waiver(row)).allowed:
        return False
    return not dependence_of(actor, ((row.asked_by, row.asked_at),), row.asked_at)
