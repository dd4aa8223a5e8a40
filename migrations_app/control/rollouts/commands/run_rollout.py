"""Start, pause, resume and stop a rollout; retry, skip and take back its deployments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from migrations_app.control.audit.ledger import record
from migrations_app.control.rollouts.repository import (
    change,
    locked_rollout,
    move_item,
    plan_changed,
    plan_digest_of,
    rollout_of,
    target_of_rollout,
    tell,
)
from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import abort_upgrade, request_rollback
from migrations_app.domain.access import Actor, require
from migrations_app.domain.switch.rollout import (
    ITEM_SENTENCES,
    ROLLOUT_ITEM,
    ItemEvent,
    ItemState,
    RolloutEvent,
    RolloutState,
    demand,
)
from migrations_app.domain.switch.states import FINAL, STATE_SENTENCES, State
from migrations_app.domain.switch.words import deployment_title
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.rollouts import Rollout, RolloutItem
from migrations_app.ports.upgrades import UpgradeKind
from migrations_app.wiring import dispatch

ROLLOUTS = "rollouts"
BEFORE_SWITCH = {State.PLANNED.value, State.SYNCING.value, State.READY.value}


def start_rollout(actor: Actor, rollout_id: str, rev: int | None = None, plan_digest: str = "") -> str:
    """Let the first wave begin; with a digest only what it names.

    Raises: Missing, Denied, Stale (`rollout-changed`, `rollout-plan-changed`), Conflict (`rollout-state`).
    """
    return _run(actor, rollout_id, rev, RolloutEvent.START, "upgrade.start", plan_digest)


def resume_rollout(actor: Actor, rollout_id: str, rev: int | None = None) -> str:
    """Let the waves go on.

    Raises: Missing, Denied, Stale (`rollout-changed`), Conflict (`rollout-state`).
    """
    return _run(actor, rollout_id, rev, RolloutEvent.RESUME, "upgrade.start")


def pause_rollout(actor: Actor, rollout_id: str, rev: int | None = None) -> str:
    """Begin no further deployment; those under way go on.

    Raises: Missing, Denied, Stale (`rollout-changed`), Conflict (`rollout-state`).
    """
    with acting_on(actor, rollout_id, rev, "pause", "upgrade.pause") as row:
        change(row, actor, "rollout.pause", RolloutEvent.PAUSE, message("{who} paused it.", who=actor.name))
    return rollout_id


def retry_item(actor: Actor, rollout_id: str, deployment: str, rev: int | None = None) -> str:
    """Plan a failed deployment again, or take its plan as it was changed; it begins with its wave.

    Raises: Missing, Denied, Stale, Conflict (`rollout-state`, `rollout-item`, and what planning raises).
    """
    with acting_on(actor, rollout_id, rev, "retry", "upgrade.plan") as row:
        found = row.items.select_related("upgrade").filter(deployment=deployment).first()
        changed = found is not None and plan_changed(found)
        item = _item(row, deployment, ItemState.FAILED, *([ItemState.WAITING] if changed else []))
        old = item.upgrade
        if not changed and old.state == State.PLANNED.value:
            abort_upgrade(actor, old.id, reason=message("Rollout {id} plans it again.", id=row.id))
        elif not changed and State(old.state) not in FINAL:
            raise Conflict(
                message(
                    "{deployment} has the upgrade {id}.", id=old.id, deployment=deployment_title(deployment)
                )
                + STATE_SENTENCES[State(old.state)],
                code="rollout-item",
                remedy=message("Bring that upgrade to its end first."),
            )
        if changed:
            item.plan_digest = old.plan_digest
        else:
            planned = plan_upgrade(actor, _spec(item))
            item.upgrade_id, item.plan_digest = planned.upgrade_id, planned.plan.digest
        move_item(item, ItemEvent.RETRY, "", None)
        note_action(row, actor, "rollout.retry", deployment, "")
        go_on(row, actor)
    return rollout_id


def skip_item(actor: Actor, rollout_id: str, deployment: str, reason: str, rev: int | None = None) -> str:
    """Leave a deployment out that failed or did not begin; say why.

    Raises: Missing, Denied, Stale, Invalid (`skip-reason`), Conflict (`rollout-state`, `rollout-item`).
    """
    with acting_on(actor, rollout_id, rev, "skip", "upgrade.abort") as row:
        if not reason.strip():
            raise Invalid(
                message("Leaving one out needs a reason."), code="skip-reason", remedy=message("Say why.")
            )
        item = _item(row, deployment, *ROLLOUT_ITEM.sources(ItemEvent.SKIP))
        if item.upgrade.state == State.PLANNED.value:
            abort_upgrade(
                actor,
                item.upgrade_id,
                reason=message("It was excluded from rollout {id}: {reason}", id=row.id, reason=reason),
            )
        move_item(item, ItemEvent.SKIP, reason, timezone.now())
        note_action(row, actor, "rollout.skip", deployment, reason)
        go_on(row, actor)
    return rollout_id


def stop_rollout(actor: Actor, rollout_id: str, reason: str = "", rev: int | None = None) -> str:
    """End a rollout: what did not switch yet is aborted, what did stays as it is.

    Raises: Missing, Denied, Stale (`rollout-changed`), Conflict (`rollout-state`).
    """
    with acting_on(actor, rollout_id, rev, "stop", "upgrade.abort") as row:
        for item in row.items.select_related("upgrade"):
            asked = item.upgrade.request == "abort"
            if item.upgrade.state in BEFORE_SWITCH and not asked:
                abort_upgrade(actor, item.upgrade_id, reason=message("Rollout {id} was stopped.", id=row.id))
        words = reason or message("{who} stopped it.", who=actor.name)
        change(row, actor, "rollout.stop", RolloutEvent.STOP, words)
    return rollout_id


def roll_wave_back(actor: Actor, rollout_id: str, rev: int | None = None) -> str:
    """Pause, and ask for the rollback of every deployment of the newest wave that switched.

    Raises: Missing, Denied, Stale, Conflict (`rollout-state`, `rollout-nothing-back`, and what rolling back raises).
    """
    with acting_on(actor, rollout_id, rev, "rollback", "upgrade.rollback") as row:
        found = row.items.select_related("upgrade").filter(upgrade__state=State.REVERSIBLE.value)
        newest = max((item.wave for item in found), default=None)
        if newest is None:
            raise Conflict(message("Nothing of this rollout can roll back now."), code="rollout-nothing-back")
        for item in found.filter(wave=newest):
            request_rollback(actor, item.upgrade_id)
        words = message("{who} asked to roll wave {wave} back.", who=actor.name, wave=newest + 1)
        change(row, actor, "rollout.rollback", RolloutEvent.ROLL_BACK, words)
    return rollout_id


@contextmanager
def acting_on(
    actor: Actor, rollout_id: str, rev: int | None, action: str, permission: str
) -> Iterator[Rollout]:
    """Lock a rollout for an action that its actor may take on every deployment of it, and that makes sense now.

    Raises: Missing, Denied, Stale (`rollout-changed`), Conflict (`rollout-state`).
    """
    with transaction.atomic():
        row = locked_rollout(rollout_id, rev)
        # Acting on a rollout takes the permission to act on every deployment of it.
        for item in row.items.select_related("upgrade"):
            require(actor, permission, target_of(item.upgrade))
        demand(action, rollout_of(row))
        yield row


def _run(
    actor: Actor, rollout_id: str, rev: int | None, event: RolloutEvent, permission: str, shown: str = ""
) -> str:
    with acting_on(actor, rollout_id, rev, event, permission) as row:
        if shown and shown != plan_digest_of(row, now=True):
            raise Stale(
                message("The plan of one of its deployments was changed since you looked."),
                code="rollout-plan-changed",
                remedy=message("Look at what it would do now."),
            )
        change(row, actor, f"rollout.{event}", event, "")
        dispatch().poke(ROLLOUTS, row.id)
    return rollout_id


def go_on(row: Rollout, actor: Actor) -> None:
    """Go on when the decision that was waited for was the last one."""
    failed = row.items.filter(state=ItemState.FAILED.value).exists()
    if row.state == RolloutState.PAUSED.value and not failed:
        change(row, actor, "rollout.resume", RolloutEvent.RESUME, "")
        dispatch().poke(ROLLOUTS, row.id)
    else:
        tell(row)


def _item(row: Rollout, deployment: str, *states: ItemState) -> RolloutItem:
    item = row.items.select_related("upgrade").filter(deployment=deployment).first()
    if item is None:
        raise Missing(
            message("{deployment} is not in this rollout.", deployment=deployment_title(deployment)),
            code="rollout-item-missing",
        )
    if ItemState(item.state) not in states:
        raise Conflict(
            message("This is not possible for {deployment} now.", deployment=deployment_title(deployment))
            + ITEM_SENTENCES[ItemState(item.state)],
            code="rollout-item",
            remedy=message("Look at what the rollout says now."),
        )
    return item


def _spec(item: RolloutItem) -> UpgradeSpec:
    plan, old = item.upgrade.plan, item.upgrade
    return UpgradeSpec(
        item.deployment,
        old.to_version,
        UpgradeKind(old.kind),
        target_location=str(plan.get("target_location", "")),
        target_shard_count=old.target_shard_count or 0,
        comment=old.comment,
        automatic=old.automatic,
        downgrade_sync=old.downgrade_sync,
        rollback_hours=int(plan.get("rollback_hours", UpgradeSpec(item.deployment).rollback_hours)),
    )


def note_action(
    row: Rollout, actor: Actor, action: str, deployment: str, reason: str | WordedMessage
) -> None:
    """Write the ledger entry of an action that leaves the state of a rollout as it is."""
    after: JsonObject = {"deployment": deployment, "plan_digest": plan_digest_of(row), "rev": row.rev + 1}
    record(actor, action, target_of_rollout(row), "done", after=after, reason=reason)
