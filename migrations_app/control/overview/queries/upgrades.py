"""What the overview says about upgrades, approvals and windows."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from migrations_app.control.access_requests.repository import ASKED, SETTLED, still_asked
from migrations_app.control.approval_policies.repository.windows import window_of
from migrations_app.control.approvals.queries import approvals
from migrations_app.control.rows.within import within
from migrations_app.control.schemas.queries import waiver_inbox
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of, with_facts
from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.control.upgrades.queries.view import summary
from migrations_app.domain.access import Actor, decide, reach_of
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.approvals.windows import occurrences
from migrations_app.domain.switch.blockages import BlockageKind
from migrations_app.domain.switch.offers import BY_ACTION, wrong_state
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import where
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, as_message, counted, message
from migrations_app.kernel.wordings import phrases_from_json, sentence_as_json
from migrations_app.models.approvals import ApprovalRequest, Emergency
from migrations_app.models.upgrades import LIVE_STATES, Upgrade, UpgradeTimelineEntry
from migrations_app.models.windows import WindowRule

RUNNING = [state.value for state in (State.SYNCING, State.READY, State.SWITCHING, State.REVERTING)]
SHOWN = 12
AHEAD = timedelta(hours=24)
OWN_CAUSES = frozenset({BlockageKind.QUARANTINED, BlockageKind.SHARD_FAILED})
"""Causes that the planner of the upgrade can do something about."""


def counts(actor: Actor) -> dict[str, int]:
    """Count the upgrades by what they wait for."""
    seen = within(reach_of(actor, "upgrade.read"))
    live = list(with_facts(Upgrade.objects.filter(seen, state__in=LIVE_STATES)))
    mine, others = _decisions(actor)
    return {
        "running": sum(row.state in RUNNING for row in live),
        "waiting_mine": mine,
        "waiting_others": others,
        "stalled": sum(snapshot_of(row).stall is not None for row in live),
        "failed": sum(row.state == State.HALTED.value for row in live),
        "reversible": sum(row.state == State.REVERSIBLE.value for row in live),
    }


def _decisions(actor: Actor) -> tuple[int, int]:
    """Count the approvals and waivers that await this actor, and those that await others."""
    if not decide(actor, "approval.read").allowed:
        return 0, 0
    votes, waivers = approvals.waiting_for(actor), waiver_inbox.waiting_for(actor)
    return votes[0] + waivers[0], votes[1] + waivers[1]


def running(actor: Actor) -> list[Json]:
    """Show the upgrades that run, newest first, and after them those with an open rollback window."""
    seen = within(reach_of(actor, "upgrade.read"))
    rows = list(with_facts(Upgrade.objects.filter(seen, state__in=RUNNING))[:SHOWN])
    left = SHOWN - len(rows)
    reversible = with_facts(Upgrade.objects.filter(seen, state=State.REVERSIBLE.value))
    return [summary(row) for row in (*rows, *reversible[:left])]


def votes_needed(actor: Actor) -> list[JsonObject]:
    """Name the requests that wait for this actor, by deadline."""
    if not decide(actor, "approval.read").allowed:
        return []
    rows = approvals.in_tab(actor, "mine", None, 50)
    rows.sort(key=lambda row: row.deadline)
    return [
        {
            "kind": "approval",
            "id": row.id,
            **sentence_as_json(_asked(actor, row)),
            "deadline": iso(row.deadline),
            "link": f"/approvals/{row.id}",
        }
        for row in rows[:5]
    ]


def _asked(actor: Actor, row: ApprovalRequest) -> WordedMessage:
    shown = approvals.show(actor, row)
    values = {
        "who": row.asked_by,
        "place": where(row.upgrade.service, row.upgrade.region),
        "source": str(shown["from_version"]),
        "target": str(shown["to_version"]),
    }
    if row.purpose == Purpose.REVERT.value:
        if shown["state"] == RequestState.CHANGES.value:
            return message("Changes requested: Roll {place} back from {source} to {target}.", **values)
        return message("Approval requested by {who}: Roll {place} back from {source} to {target}.", **values)
    if shown["state"] == RequestState.CHANGES.value:
        return message("Changes requested: Switch {place} from {source} to {target}.", **values)
    return message("Approval requested by {who}: Switch {place} from {source} to {target}.", **values)


def asked_for(actor: Actor) -> list[JsonObject]:
    """Name what others asked for lately and this actor may do; gone once it is done or makes no sense any more."""
    since = timezone.now() - AHEAD
    told = UpgradeTimelineEntry.objects.filter(
        kind__in=(ASKED, SETTLED), at__gt=since, upgrade__state__in=LIVE_STATES
    )
    found: dict[tuple[str, str], JsonObject] = {}
    for line in still_asked(told.select_related("upgrade")):
        if line.who == actor.name:
            continue
        row, action = line.upgrade, str(line.details.get("action"))
        may = decide(actor, BY_ACTION[action].permission, target_of(row)).allowed
        if may and not wrong_state(action, State(row.state), row.paused, row.downgrade_sync):
            found[row.id, action] = {
                "kind": "ask",
                "id": row.id,
                **sentence_as_json(
                    message("{place}:", place=where(row.service, row.region))
                    + as_message(line.text, phrases_from_json(line.phrases))
                ),
                "deadline": None,
                "link": f"/upgrades/{row.id}",
                "put_away": f"/upgrades/{row.id}/ask?action={action}",
            }
    return list(found.values())


def reviews_owed(actor: Actor) -> list[JsonObject]:
    """Name the broken glasses that this actor may review, and their own, which keep them from breaking another."""
    rows = Emergency.objects.filter(reviewed_at__isnull=True).select_related("upgrade").order_by("at")
    found: list[JsonObject] = []
    for row in rows[:SHOWN]:
        place = f"{where(row.upgrade.service, row.upgrade.region)} ({row.ticket})"
        if row.who.lower() == actor.name.lower():
            said = message(
                "You overrode approval (break-glass) at {place}: until another person reviews it, you cannot again.",
                place=place,
            )
        elif decide(actor, "approval.vote", target_of(row.upgrade)).allowed:
            said = message(
                "{who} overrode approval (break-glass) at {place}: another person has to review it.",
                who=row.who,
                place=place,
            )
        else:
            continue
        link = "/settings/access?tab=emergencies"
        found.append(
            {"kind": "review", "id": row.id, **sentence_as_json(said), "deadline": None, "link": link}
        )
    return found


def _left(quarantined: int) -> WordedMessage:
    return counted(
        quarantined,
        "{count} resource could not be carried over.",
        "{count} resources could not be carried over.",
    )


def stalled(actor: Actor) -> list[JsonObject]:
    """Name this actor's own upgrades that do not get on, that wait for a person, or that could not carry everything over."""
    own = with_facts(Upgrade.objects.filter(state__in=LIVE_STATES, created_by=actor.person))
    found: list[JsonObject] = []
    for row in own:
        snapshot = snapshot_of(row)
        stall, quarantined = snapshot.stall, snapshot.quarantined_resources
        sentences = [
            *([as_message(stall.sentence, stall.phrases)] if stall else []),
            *([_left(quarantined)] if quarantined else []),
            *(
                as_message(cause.sentence, cause.phrases)
                for cause in snapshot.blockages
                if cause.kind in OWN_CAUSES
            ),
        ]
        if not sentences:
            continue
        found.append(
            {
                "kind": "quarantined" if quarantined and stall is None else "stalled",
                "id": row.id,
                **sentence_as_json(
                    message("Your upgrade of {place}:", place=where(row.service, row.region)) + sentences[0]
                ),
                "deadline": None,
                "link": f"/upgrades/{row.id}",
            }
        )
    return found


def windows_soon(actor: Actor) -> list[Json]:
    """List the openings of windows and freezes within a day that may concern what the actor reaches, by time."""
    now, reach = timezone.now(), reach_of(actor, "approval.read")
    found: list[tuple[datetime, JsonObject]] = []
    for row in (row for row in WindowRule.objects.all() if reach.meets(row.service, row.region)):
        for each in occurrences(window_of(row), now, count=3, days=3):
            if each.opens <= now + AHEAD:
                shown: JsonObject = {
                    "name": row.name,
                    "effect": row.effect,
                    "opens": iso(each.opens),
                    "closes": iso(each.closes),
                    "open": each.opens <= now,
                }
                found.append((each.opens, shown))
    return [shown for _, shown in sorted(found, key=lambda pair: pair[0])]
