"""Rollouts in the control database: read as values, shown, and moved on by what their upgrades came to."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from migrations_app.control.access.repository.access import environment
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.rollouts.proposal_facts import broken_by, fleet_facts
from migrations_app.control.upgrade_state.repository.progress import figures_as_json
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of, with_facts
from migrations_app.control.upgrade_state.repository.upgrade_rows import add_line, locked
from migrations_app.control.upgrade_state.repository.words import message_of
from migrations_app.control.upgrades.repository import begin_copy
from migrations_app.domain.access import SYSTEM, Actor, Target
from migrations_app.domain.switch.rollout import (
    ENDED,
    ROLLOUT,
    ROLLOUT_ITEM,
    Item,
    ItemEvent,
    ItemState,
    Moves,
    RolloutEvent,
    RolloutSpec,
    RolloutState,
    digest_of_plan,
    next_moves,
    rollout_message,
)
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import deployment_title
from migrations_app.kernel.clock import iso
from migrations_app.kernel.errors import Conflict, Missing, Stale, SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message, phrases_of
from migrations_app.kernel.wordings import (
    kept_message,
    phrases_as_json,
    reason_as_json,
    sentence_as_json,
)
from migrations_app.models import rollouts as rows
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import TimelineEntry

EVERY_SECONDS = 2.0


def locked_rollout(rollout_id: str, rev: int | None = None) -> rows.Rollout:
    """Read a rollout and keep others from changing it until the transaction ends.

    Raises: Missing (`rollout-missing`), Stale (`rollout-changed`).
    """
    row = rows.Rollout.objects.select_for_update().filter(pk=rollout_id).first()
    if row is None:
        raise Missing(
            message("There is no rollout {rollout_id}.", rollout_id=rollout_id), code="rollout-missing"
        )
    if rev is not None and rev != row.rev:
        raise Stale(
            message("The rollout changed since you looked."),
            code="rollout-changed",
            remedy=message("Read it again."),
        )
    return row


def target_of_rollout(row: rows.Rollout) -> Target:
    """Name a rollout for the ledger; where it is of several services or regions, a star stands for them."""
    services, regions = (
        set(row.items.values_list(f"upgrade__{noun}", flat=True)) for noun in ("service", "region")
    )
    return Target("rollout", row.id, _one_or_star(services), _one_or_star(regions), environment())


def _one_or_star(names: set[str]) -> str:
    return names.pop() if len(names) == 1 else "*"


def rollout_of(row: rows.Rollout) -> RolloutSpec:
    """Read a rollout as the value that decides."""
    items = tuple(
        Item(item.deployment, item.wave, ItemState(item.state), State(item.upgrade.state), item.settled_at)
        for item in row.items.select_related("upgrade")
    )
    return RolloutSpec(RolloutState(row.state), row.max_parallel, row.pause_seconds, items)


def plan_digest_of(row: rows.Rollout, *, now: bool = False) -> str:
    """Name what a rollout was planned to do; `now`: what its upgrades would do as their plans are today."""
    waves: dict[int, list[tuple[str, str]]] = {}
    for item in row.items.select_related("upgrade"):
        plan = item.upgrade.plan_digest if now else item.plan_digest
        waves.setdefault(item.wave, []).append((item.deployment, plan))
    return digest_of_plan([waves[number] for number in sorted(waves)], row.max_parallel, row.pause_seconds)


def plan_changed(item: rows.RolloutItem) -> bool:
    """Tell whether the plan of a deployment that did not begin is another than the rollout was planned with."""
    return item.upgrade.state == State.PLANNED.value and item.upgrade.plan_digest != item.plan_digest


def running() -> list[str]:
    """Name the rollouts that go on by themselves."""
    return list(rows.Rollout.objects.filter(state=RolloutState.RUNNING.value).values_list("id", flat=True))


def advance(row: rows.Rollout) -> float | None:
    """Take a locked, running rollout one step on; say after how many seconds to look again, if ever."""
    moves = next_moves(rollout_of(row), timezone.now())
    _settle(row, moves)
    failed = bool(moves.failed) or row.items.filter(state=ItemState.FAILED.value).exists()
    for deployment in moves.start:
        failed = not _start(row, deployment) or failed
        if failed:
            break
    if failed:
        names = ", ".join(
            deployment_title(item.deployment) for item in row.items.filter(state=ItemState.FAILED.value)
        )
        why = message("It waits for a decision about {deployments}.", deployments=names)
        change(row, SYSTEM, "rollout.pause", RolloutEvent.FAIL, why)
        return None
    if moves.finished:
        change(row, SYSTEM, "rollout.done", RolloutEvent.FINISH, "")
        return None
    if moves.done or moves.start:
        tell(row)
    return min(EVERY_SECONDS, moves.wait_seconds) or EVERY_SECONDS


def _settle(row: rows.Rollout, moves: Moves) -> None:
    for item in row.items.select_related("upgrade").filter(deployment__in=[*moves.done, *moves.failed]):
        went = item.deployment in moves.done
        reason = NOTHING if went else message_of(snapshot_of(item.upgrade))
        move_item(item, ItemEvent.SWITCH if went else ItemEvent.FAIL, reason, timezone.now())


def _start(row: rows.Rollout, deployment: str) -> bool:
    """Start the upgrade of one deployment; what forbids it is kept as the reason."""
    item = row.items.get(deployment=deployment)
    try:
        with transaction.atomic():
            upgrade = locked(item.upgrade_id)
            if upgrade.state == State.PLANNED.value:
                _demand_plan(item, upgrade.plan_digest)
                _demand_importers(deployment, upgrade.to_version)
                words = message(
                    "Wave {wave} of rollout {rollout} began; {who} planned it.",
                    wave=item.wave + 1,
                    rollout=row.id,
                    who=upgrade.created_by,
                )
                begin_copy(upgrade, SYSTEM, words)
    except SwitchyardError as error:
        move_item(item, ItemEvent.REFUSE, error.words, timezone.now())
        add_line(
            item.upgrade_id,
            SYSTEM.name,
            TimelineEntry("refused", message("Its wave could not begin:") + error.words),
        )
        return False
    move_item(item, ItemEvent.BEGIN, kept_message(item.reason, item.reason_phrases), item.settled_at)
    return True


def move_item(
    item: rows.RolloutItem, event: ItemEvent, reason: str | WordedMessage, settled_at: datetime | None
) -> None:
    """Move one deployment of a locked rollout as its table says."""
    item.state = ROLLOUT_ITEM.after(ItemState(item.state), event).value
    item.reason, item.reason_phrases = str(reason), phrases_as_json(phrases_of(reason))
    item.settled_at = settled_at
    item.save()


def _demand_importers(deployment: str, target: str) -> None:
    """Begin only what breaks no importer by the facts of now, which may be others than when it was planned.

    Raises: Conflict (`rollout-importers`).
    """
    broken = broken_by(fleet_facts(), [[deployment]], target)
    if broken:
        raise Conflict(
            broken[0],
            code="rollout-importers",
            remedy=message("Look at what is proposed now: `swy rollout rest`."),
        )


def _demand_plan(item: rows.RolloutItem, plan: str) -> None:
    """Begin only what the rollout was planned with.

    Raises: Conflict (`rollout-plan-changed`).
    """
    if plan != item.plan_digest:
        raise Conflict(
            message(
                "Its plan was changed after the rollout was planned: {plan} instead of {plan_digest}.",
                plan=plan[:12],
                plan_digest=item.plan_digest[:12],
            ),
            code="rollout-plan-changed",
            remedy=message("Retry it with the changed plan, or skip it."),
        )


def change(
    row: rows.Rollout, actor: Actor, action: str, event: RolloutEvent, reason: str | WordedMessage
) -> None:
    """Move a locked rollout as its table says, and note who did."""
    state = ROLLOUT.after(RolloutState(row.state), event)
    before: JsonObject = {"state": row.state}
    # `tell` saves it under the next revision: who is refused for an older one is told whose that is.
    after: JsonObject = {"state": state.value, "plan_digest": plan_digest_of(row), "rev": row.rev + 1}
    row.state = state.value
    row.reason, row.reason_phrases = str(reason), phrases_as_json(phrases_of(reason))
    row.finished_at = timezone.now() if state in ENDED else None
    record(actor, action, target_of_rollout(row), "done", before, after, reason)
    tell(row)


def tell(row: rows.Rollout) -> None:
    """Save a changed rollout under the next revision and tell watchers."""
    row.rev += 1
    row.save()
    places = row.items.values_list("upgrade__service", "upgrade__region")
    publish("fleet", "rollout", row.id, full=rollout_as_json(row), rev=row.rev, places=[*places])


def rollout_as_json(row: rows.Rollout) -> JsonObject:
    """Show a rollout with its waves."""
    value = rollout_of(row)
    waves: dict[int, list[Json]] = {}
    for item in row.items.prefetch_related(Prefetch("upgrade", queryset=with_facts(Upgrade.objects.all()))):
        waves.setdefault(item.wave, []).append(_item_as_json(item))
    return {
        "id": row.id,
        "rev": row.rev,
        "title": row.title,
        "comment": row.comment,
        "state": row.state,
        **reason_as_json(kept_message(row.reason, row.reason_phrases)),
        **sentence_as_json(rollout_message(value, row.title)),
        "wave": value.wave,
        "max_parallel": row.max_parallel,
        "pause_seconds": row.pause_seconds,
        "plan_digest": plan_digest_of(row),
        "created_by": row.created_by,
        "created_at": row.created_at.isoformat().replace("+00:00", "Z"),
        "finished_at": row.finished_at.isoformat().replace("+00:00", "Z") if row.finished_at else None,
        "waves": [waves[number] for number in sorted(waves)],
    }


def _item_as_json(item: rows.RolloutItem) -> JsonObject:
    upgrade = item.upgrade
    snapshot = snapshot_of(upgrade)
    return {
        "deployment": item.deployment,
        "service": upgrade.service,
        "region": upgrade.region,
        "from_version": upgrade.from_version,
        "to_version": upgrade.to_version,
        "state": item.state,
        **reason_as_json(kept_message(item.reason, item.reason_phrases)),
        "upgrade_id": upgrade.id,
        "upgrade_state": upgrade.state,
        "plan_digest": item.plan_digest,
        "plan_changed": plan_changed(item),
        **sentence_as_json(message_of(snapshot)),
        **figures_as_json(snapshot),
        "freeze_ms": upgrade.freeze_ms,
        "reversible_until": iso(upgrade.reversible_until),
        "settled_at": item.settled_at.isoformat().replace("+00:00", "Z") if item.settled_at else None,
    }
