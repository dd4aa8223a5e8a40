"""Put the waves that a rollout did not begin into the order that is proposed from the facts of now."""

from __future__ import annotations

from migrations_app.control.rollouts.commands.run_rollout import acting_on, go_on, note_action
from migrations_app.control.rollouts.queries.proposals import RolloutRest, rest_of
from migrations_app.control.rollouts.repository import move_item, tell
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.rollout import ItemEvent, ItemState
from migrations_app.kernel.errors import Conflict, Stale
from migrations_app.kernel.messages import NOTHING, message
from migrations_app.models.rollouts import Rollout


def replan_rollout(actor: Actor, rollout_id: str, rev: int | None = None, proposal_digest: str = "") -> str:
    """Take over the proposed waves; what cannot move now comes last. Upgrades and their plans stay as they are.

    A deployment that failed only because its wave could not begin waits again.

    Raises: Missing, Denied, Stale (`rollout-changed`, `rollout-proposal-changed`), Conflict (`rollout-state`,
    `rollout-all-begun`).
    """
    with acting_on(actor, rollout_id, rev, "replan", "upgrade.plan") as row:
        rest = rest_of(row)
        if not rest.items:
            raise Conflict(message("Every deployment of it began."), code="rollout-all-begun")
        if proposal_digest and proposal_digest != rest.digest:
            raise Stale(
                message("The facts changed again since you looked: other waves are proposed now."),
                code="rollout-proposal-changed",
                remedy=message("Look at what is proposed now."),
            )
        is_retried = _reorder(row, rest)
        note_action(row, actor, "rollout.replan", "", sum(rest.broken, NOTHING))
        if is_retried:
            go_on(row, actor)
        else:
            tell(row)
    return rollout_id


def _reorder(row: Rollout, rest: RolloutRest) -> bool:
    """Number the waves after those that began; tell whether a deployment that failed waits again."""
    waiting = {item.deployment: item for item in rest.items}
    begun = row.items.exclude(pk__in=[item.pk for item in rest.items])
    first = max((wave + 1 for wave in begun.values_list("wave", flat=True)), default=0)
    is_retried = False
    for number, wave in enumerate(rest.waves, first):
        for position, deployment in enumerate(wave):
            item = waiting[deployment]
            item.wave, item.position = number, position
            if ItemState(item.state) is ItemState.FAILED:
                is_retried = True
                move_item(item, ItemEvent.RETRY, "", None)
            else:
                item.save(update_fields=["wave", "position"])
    return is_retried
