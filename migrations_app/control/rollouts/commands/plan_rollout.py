"""Plan a rollout: an upgrade for every deployment of every wave, all of them or none."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from django.db import transaction

from migrations_app.control.audit.ledger import record
from migrations_app.control.rollouts.repository import (
    plan_digest_of,
    rollout_as_json,
    target_of_rollout,
    tell,
)
from migrations_app.control.upgrades.commands.plan_upgrade import Planned, UpgradeSpec, plan_upgrade
from migrations_app.domain.access import Actor, Target, require, require_within
from migrations_app.domain.registry.names import RegistryKind, place_of
from migrations_app.domain.switch.guards import blockers
from migrations_app.domain.switch.rollout import checked_waves, digest_of_plan
from migrations_app.domain.switch.words import deployment_title
from migrations_app.kernel.errors import Conflict, Invalid, Stale, SwitchyardError, Violation
from migrations_app.kernel.messages import message
from migrations_app.models.rollouts import Rollout, RolloutItem


@dataclass(frozen=True, slots=True)
class RolloutWish:
    """What shall become of which deployments, in which order; `spec` says it for each of them."""

    waves: tuple[tuple[str, ...], ...]
    spec: UpgradeSpec
    title: str = ""
    comment: str = ""
    max_parallel: int = 1
    pause_seconds: int = 0
    plan_digest: str = ""
    """What the dry run called it; nothing else is kept then."""


@dataclass(frozen=True, slots=True)
class DeploymentPlanResult:
    """What the plan of one deployment came to: itself, or the error that refuses it."""

    deployment: str
    wave: int
    planned: Planned | None
    error: SwitchyardError | None


def rehearse_rollout(actor: Actor, asked: RolloutWish) -> list[DeploymentPlanResult]:
    """Plan every deployment without keeping anything.

    Raises: Denied, Invalid (`rollout-waves`).
    """
    _require_each(actor, asked.waves)
    checked_waves(asked.waves)
    found = []
    for wave, deployments in enumerate(asked.waves):
        for deployment in deployments:
            try:
                planned = plan_upgrade(actor, replace(asked.spec, deployment=deployment), dry_run=True)
                found.append(DeploymentPlanResult(deployment, wave, planned, None))
            except SwitchyardError as error:
                found.append(DeploymentPlanResult(deployment, wave, None, error))
    return found


def plan_rollout(actor: Actor, asked: RolloutWish) -> str:
    """Plan a rollout and give its id; nothing is kept when one deployment cannot be planned.

    Raises: Denied, Invalid (`rollout-waves`), Conflict (`rollout-refused`) naming every deployment's reason,
    Stale (`rollout-plan-changed`) when it would be another plan than the one that was shown.
    """
    _require_each(actor, asked.waves)
    checked_waves(asked.waves)
    if asked.max_parallel < 1:
        raise Invalid(
            message("At least one moves at a time."),
            code="rollout-parallel",
            remedy=message("Use 1 or more."),
        )
    title = asked.title.strip() or f"Rollout of {asked.spec.target_version}"
    with transaction.atomic():
        row = Rollout.objects.create(
            id=f"w{secrets.token_hex(5)}",
            rev=0,
            title=title,
            comment=asked.comment,
            max_parallel=asked.max_parallel,
            pause_seconds=asked.pause_seconds,
            created_by=actor.person,
        )
        _plan_each(actor, asked, row)
        _demand_digest(asked.plan_digest, plan_digest_of(row))
        record(actor, "rollout.plan", target_of_rollout(row), "done", after=rollout_as_json(row))
        tell(row)
    return row.id


def _require_each(actor: Actor, waves: Iterable[Iterable[str]]) -> None:
    """Refuse the whole when one deployment is out of reach, before any is looked at.

    Raises: Denied.
    """
    require_within(actor, "upgrade.plan")
    for name in chain.from_iterable(waves):
        try:
            service, region = place_of(RegistryKind.DEPLOYMENT, name)
        except Invalid:
            # Planning it says what is wrong with the name.
            continue
        require(actor, "upgrade.plan", Target("deployment", name, service, region))


def _plan_each(actor: Actor, asked: RolloutWish, row: Rollout) -> None:
    refused: list[Violation] = []
    for wave, deployments in enumerate(asked.waves):
        for position, deployment in enumerate(deployments):
            try:
                # Before a switch no person may wait for votes that no upgrade of the wave has asked for yet.
                with transaction.atomic():
                    spec = replace(asked.spec, deployment=deployment, comment=asked.comment)
                    planned = plan_upgrade(actor, spec)
                    RolloutItem.objects.create(
                        rollout=row,
                        wave=wave,
                        position=position,
                        deployment=deployment,
                        upgrade_id=planned.upgrade_id,
                        plan_digest=planned.plan.digest,
                    )
            except SwitchyardError as error:
                where = f"waves.{wave}.{position}"
                refused.append(
                    Violation(
                        where,
                        message("{place}:", place=deployment_title(deployment)) + error.words,
                        error.remedy_words,
                        error.code,
                    )
                )
    if refused:
        first = refused[0]
        raise Conflict(
            first.words, code="rollout-refused", remedy=first.remedy_words, violations=tuple(refused)
        )


def _demand_digest(shown: str, digest: str) -> None:
    if shown and shown != digest:
        raise Stale(
            message("What would be planned is no longer what the dry run showed."),
            code="rollout-plan-changed",
            remedy=message("Look at the dry run again."),
        )


def digest_of_rehearsal(asked: RolloutWish, found: list[DeploymentPlanResult]) -> str:
    """Name the plan that a dry run showed; empty when a deployment could not be planned."""
    if not possible(found):
        return ""
    waves: list[list[tuple[str, str]]] = [[] for _ in asked.waves]
    for each in found:
        if each.planned is not None:
            waves[each.wave].append((each.deployment, each.planned.plan.digest))
    return digest_of_plan(waves, asked.max_parallel, asked.pause_seconds)


def possible(found: list[DeploymentPlanResult]) -> bool:
    """Tell whether every deployment could be planned."""
    return all(each.planned is not None and not blockers(each.planned.checks) for each in found)
