"""One upgrade as every surface shows it."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import environment, evidence_of
from migrations_app.control.upgrade_state.repository.evidence import (
    approval_of,
    checks_of,
    predicted_freeze_ms,
    ruling_of,
    start_checks,
)
from migrations_app.control.upgrade_state.repository.moves import UNDONE
from migrations_app.control.upgrade_state.repository.progress import (
    blockage_as_json,
    progress_as_json,
    slowdown_as_json,
    stall_as_json,
)
from migrations_app.control.upgrade_state.repository.snapshots import UpgradeSnapshot, snapshot_of
from migrations_app.control.upgrade_state.repository.upgrades import shard_as_json
from migrations_app.control.upgrade_state.repository.words import message_of
from migrations_app.domain.access import Actor, Target, decide
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.standing import Approval
from migrations_app.domain.registry.values import DataUpdateStatus
from migrations_app.domain.switch.guards import ReadinessCheck, blockers
from migrations_app.domain.switch.offers import ActionPermission, offers
from migrations_app.domain.switch.plan import ROLLBACK_HOURS
from migrations_app.domain.switch.states import FINAL, META_STAGES, State, UpgradeEvent
from migrations_app.domain.switch.stepper import UpgradeTransition, steps
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING
from migrations_app.kernel.one_reading import one_reading
from migrations_app.kernel.wordings import action_as_json, sentence_as_json, wording_as_json
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade, UpgradeShard, UpgradeStep
from migrations_app.ports.upgrades import DirectorRequest, ShardState

TURNS = frozenset(
    {event.value for event in UpgradeEvent} | UNDONE | {f"{each.value}-asked" for each in DirectorRequest}
)
"""Lines that tell of a wish, of what became of it, or of a move."""


def summary(row: Upgrade) -> JsonObject:
    """Show an upgrade as a list does: everything but the readiness checks, the steps and the actions."""
    snapshot, state = snapshot_of(row), State(row.state)
    return {
        "id": row.id,
        "rev": row.rev,
        "deployment": row.deployment,
        "service": row.service,
        "region": row.region,
        "from_version": row.from_version,
        "to_version": row.to_version,
        "kind": row.kind,
        "state": row.state,
        "paused": row.paused,
        "request": row.request,
        "meta_stage": META_STAGES[state],
        **sentence_as_json(message_of(snapshot)),
        "automatic": row.automatic,
        "copy_limit": row.copy_limit,
        "requested_by": row.created_by,
        "comment": row.comment,
        "created_at": iso(row.created_at),
        "started_at": iso(row.started_at),
        "finished_at": iso(row.finished_at),
        "plan_digest": row.plan_digest,
        "shards": _shards(snapshot),
        "progress": progress_as_json(snapshot.progress),
        "quarantined_count": snapshot.quarantined_resources,
        "stall": stall_as_json(snapshot.stall),
        "blockages": [blockage_as_json(cause) for cause in snapshot.blockages],
        "reversible_until": iso(row.reversible_until),
        "freeze_ms": row.freeze_ms,
        "rollback_freeze_ms": row.rollback_freeze_ms,
    }


@one_reading()
def view(actor: Actor, row: Upgrade) -> JsonObject:
    """Show an upgrade with its steps, its readiness, and what it offers to `actor`."""
    purpose = Purpose.REVERT if row.state == State.REVERSIBLE.value else Purpose.SWITCH
    step = "rollback" if purpose is Purpose.REVERT else "switch"
    judged = {step: checks_of(row, step, actor.person)} if State(row.state) not in FINAL else {}
    snapshot = snapshot_of(row)
    approval = approval_of(row, purpose, snapshot.at)
    stopping = blockers(judged.get("switch", ()))
    shown = summary(row)
    blocked_by = stopping[0].message if stopping else NOTHING
    shown |= sentence_as_json(message_of(snapshot, approval, blocked_by))
    preflight = start_checks(row)
    shown["paced"] = slowdown_as_json(snapshot.slowdown)
    shown["steps"] = _steps(row, preflight)
    shown["preflight"] = evidence_of(preflight)
    shown["switch_steps"] = [_switch_step(step) for step in row.switch_steps.all()]
    shown["readiness"] = _gate(row, judged.get(step, ()), approval)
    shown["actions"] = actions_for(actor, row, judged)
    shown["data_tasks"] = _data_tasks(row)
    # The stored plan, which its digest names, holds only what differs from the usual.
    shown["plan"] = {"rollback_hours": ROLLBACK_HOURS, **row.plan}
    shown["operation_id"] = row.operation
    shown["handed_over_to"] = row.handed_over_to
    shown["undone"] = _undone(row)
    return shown


def _switch_step(row: UpgradeStep) -> JsonObject:
    shown: JsonObject = {
        "step": row.step,
        "state": row.state,
        "text": row.text,
        "took_seconds": row.took_seconds,
    }
    return shown | {"phrases": row.phrases} if row.phrases else shown


def _undone(row: Upgrade) -> JsonObject | None:
    """Tell why what was asked for last was not done, as long as nothing else has happened since."""
    last = row.lines.filter(kind__in=TURNS).order_by("-pk").first()
    if last is None or last.kind not in UNDONE:
        return None
    shown: JsonObject = {"at": iso(last.at), "text": last.text}
    return shown | {"phrases": last.phrases} if last.phrases else shown


def actions_for(
    actor: Actor, row: Upgrade, judged: dict[str, tuple[ReadinessCheck, ...]] | None = None
) -> list[Json]:
    """List what an upgrade offers to an account."""
    known = dict(judged or {})
    target = Target("upgrade", row.id, row.service, row.region, environment())

    def action_permission(permission: str) -> ActionPermission:
        decision = decide(actor, permission, target)
        return ActionPermission(decision.allowed, decision.words, decision.who_can)

    def guards(step: str) -> tuple[ReadinessCheck, ...]:
        if step not in known:
            known[step] = checks_of(row, step, actor.person)
        return known[step]

    return [
        action_as_json(offer.action, offer.words, offer.who_can)
        for offer in offers(State(row.state), row.paused, action_permission, guards, row.downgrade_sync)
    ]


def _shards(of: UpgradeSnapshot) -> JsonObject:
    known = {shard.shard: shard for shard in of.shards}
    items: list[Json] = [
        shard_as_json(known[number]) if number in known else _silent(number)
        for number in range(of.row.shard_count)
    ]
    return {"total": of.row.shard_count, "ready": of.progress.ready, "items": items}


def _silent(number: int) -> JsonObject:
    empty = shard_as_json(
        UpgradeShard(shard=number, state=ShardState.PENDING.value, reported_at=timezone.now())
    )
    return {**empty, "reported_at": None}


def _steps(row: Upgrade, preflight: tuple[ReadinessCheck, ...]) -> list[Json]:
    marks = [UpgradeTransition(State(move.state), move.at, move.who) for move in row.moves.all()]
    return [
        {
            "step": step.step,
            "state": step.state.value,
            "started_at": iso(step.started_at),
            "took_seconds": step.took_seconds,
            "who": step.who,
            "text": step.text,
            **wording_as_json(step.phrases, ()),
        }
        for step in steps(timezone.now(), marks, preflight)
    ]


def _gate(row: Upgrade, checks: tuple[ReadinessCheck, ...], approval: Approval) -> JsonObject:
    ruling = ruling_of(row, timezone.now(), approval.policy)
    return {
        "checks": evidence_of(checks),
        "approvals": {
            "purpose": approval.policy.purpose.value,
            "needed": approval.needed,
            "votes_given": approval.votes_given,
            "request_id": approval.request_id or None,
            "state": approval.state,
            **sentence_as_json(approval.message),
            "policy": approval.policy.name,
            "group": approval.group,
            "groups": approval.policy.groups,
            "void_when_worse": approval.policy.void_when_worse,
        },
        "not_before": iso(ruling.next_open) if not ruling.allowed else None,
        "predicted_freeze_ms": predicted_freeze_ms(row),
    }


def _data_tasks(row: Upgrade) -> list[Json]:
    """Tell of each data task of the deployment which shards are done, and how far the others are."""
    kept: Any = Deployment.objects.filter(pk=row.deployment).values_list("data_updates", flat=True).first()
    found: list[Json] = []
    for each in msgspec.convert(kept or [], list[DataUpdateStatus]):
        ready = set(each.ready_shards)
        bars = enumerate(map(_percent, each.progress_bar))
        found.append(
            {
                "task_tag": each.task_tag,
                "target_data_version": each.target_version,
                "done": len(ready),
                "total": each.shards_count,
                "progress": {
                    f"shard {shard}": count
                    for shard, count in bars
                    if shard not in ready and count is not None
                },
            }
        )
    return found


def _percent(progress: dict[str, Any] | int) -> Json:
    """Read how far a shard says it is; a task may say anything of itself, or nothing."""
    value = progress.get("percent") if isinstance(progress, dict) else progress
    return round(value) if isinstance(value, int | float) else None


def checks_as_json(checks: tuple[ReadinessCheck, ...]) -> list[Json]:
    """Show guards that were judged."""
    return evidence_of(checks)
