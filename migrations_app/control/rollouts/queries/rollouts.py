"""Rollouts to be read: one, many, and what each offers."""

from __future__ import annotations

from collections.abc import Sequence

from migrations_app.control.audit.ledger import change_to
from migrations_app.control.registry.repository.upgrade_contexts import context_of
from migrations_app.control.rollouts.repository import rollout_as_json, rollout_of
from migrations_app.control.rows.within import within
from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.domain.access import Actor, Target, decide, require, require_reach
from migrations_app.domain.switch.rollout import ACTIONS, refusal
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import action_as_json, phrases_as_json
from migrations_app.models.rollouts import Rollout, RolloutItem

PERMISSIONS = {
    "start": "upgrade.start",
    "pause": "upgrade.pause",
    "resume": "upgrade.start",
    "retry": "upgrade.plan",
    "skip": "upgrade.abort",
    "replan": "upgrade.plan",
    "stop": "upgrade.abort",
    "rollback": "upgrade.rollback",
}


def rollout(actor: Actor, rollout_id: str) -> JsonObject:
    """Show one rollout with its waves and what it offers.

    Raises: Denied, Missing (`rollout-missing`).
    """
    require(actor, "upgrade.read")
    row = Rollout.objects.filter(pk=rollout_id).first()
    if row is None:
        raise Missing(
            message("There is no rollout {rollout_id}.", rollout_id=rollout_id), code="rollout-missing"
        )
    for item in row.items.select_related("upgrade"):
        require(actor, "upgrade.read", target_of(item.upgrade))
    return {**rollout_as_json(row), "actions": _actions(actor, row)}


def last_changed(rollout_id: str) -> JsonObject | None:
    """Tell who brought a rollout to its revision, and when; None where a wave went on by itself."""
    row = Rollout.objects.get(pk=rollout_id)
    return change_to("rollout", row.id, rev=row.rev)


def targets(actor: Actor, deployments: Sequence[str]) -> list[Json]:
    """Tell of each version of the deployments' services which of them cannot go there, and why.

    Raises: Denied, Missing (`deployment-missing`).
    """
    require(actor, "upgrade.read")
    contexts = [context_of(name) for name in dict.fromkeys(deployments)]
    for each in contexts:
        require(actor, "upgrade.read", Target("deployment", each.deployment, each.service, each.region))
    versions = dict.fromkeys(version for context in contexts for version in context.versions)
    found: list[Json] = []
    for version in versions:
        judged = [(context.deployment, context.why_not_to(version)) for context in contexts]
        left: list[Json] = [
            {"deployment": name, "reason": str(why), "phrases": phrases_as_json(why.phrases)}
            for name, why in judged
            if why
        ]
        found.append({"version": version, "reachable": not left, "unreachable": left})
    return found


def rollouts(actor: Actor, *, limit: int = 200) -> list[JsonObject]:
    """List the newest rollouts, those all of whose deployments the actor may see.

    Raises: Denied.
    """
    seen = within(require_reach(actor, "upgrade.read"), "upgrade__service", "upgrade__region")
    beyond = RolloutItem.objects.exclude(pk__in=RolloutItem.objects.filter(seen))
    rows = Rollout.objects.exclude(pk__in=beyond.values("rollout"))
    return [rollout_as_json(row) for row in rows[:limit]]


def _actions(actor: Actor, row: Rollout) -> list[Json]:
    value, targets = (
        rollout_of(row),
        [target_of(item.upgrade) for item in row.items.select_related("upgrade")],
    )
    shown: list[Json] = []
    for action in ACTIONS:
        decisions = [decide(actor, PERMISSIONS[action], target) for target in targets]
        denied = next((each for each in decisions if not each.allowed), None)
        words = denied.words if denied else refusal(action, value)
        who: list[Json] = list(denied.who_can) if denied else []
        shown.append(action_as_json(action, words, who))
    return shown
