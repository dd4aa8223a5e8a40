"""Plan an upgrade of a deployment: what it would do, what stands against it, and the row that keeps it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from migrations_app import wiring
from migrations_app.adapters.conversions import compiled_service
from migrations_app.adapters.extensions import installed_extensions
from migrations_app.control.approval_policies.repository.approvals import policy_of_upgrade
from migrations_app.control.audit.ledger import record
from migrations_app.control.registry.repository.upgrade_contexts import (
    UpgradeContext,
    context_of,
    fresh_place,
    place_of,
)
from migrations_app.control.upgrade_state.repository.evidence import facts_of
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.control.upgrades.queries.removals import removal_sentences
from migrations_app.domain.access import Actor, require
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.domain.switch.guards import ReadinessCheck, demand, judge
from migrations_app.domain.switch.plan import ROLLBACK_HOURS, UpgradeKind, UpgradePlan, checked, would
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Busy, Conflict, Invalid, Missing
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message
from migrations_app.models.upgrades import LIVE_STATES, RecordedTransition, Upgrade
from migrations_app.ports.upgrades import TimelineEntry


@dataclass(frozen=True, slots=True)
class UpgradeSpec:
    """What a deployment shall become."""

    deployment: str
    target_version: str = ""
    kind: UpgradeKind = UpgradeKind.VERSION
    target_location: str = ""
    target_data_version: str = ""
    comment: str = ""
    automatic: bool | None = None
    downgrade_sync: bool = True
    rollback_hours: int = ROLLBACK_HOURS
    target_shard_count: int = 0


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, judged; `upgrade_id` is empty when it was only a dry run."""

    plan: UpgradePlan
    checks: tuple[ReadinessCheck, ...]
    would: tuple[WordedMessage, ...]
    upgrade_id: str = ""


def plan_upgrade(actor: Actor, spec: UpgradeSpec, *, dry_run: bool = False) -> Planned:
    """Plan an upgrade; a dry run says everything and keeps nothing.

    Raises: Denied, Missing, Invalid and Conflict (`plan-*`), Conflict (`guard-*`, `upgrade-running`).
    """
    context = context_of(spec.deployment)
    plan = checked(_plan(spec, context))
    row = _row(plan, spec, context, actor)
    require(actor, "upgrade.plan", target_of(row))
    other = _other(context.deployment)
    checks = judge("plan", replace(facts_of(row, "plan"), other_upgrade=other))
    policy = policy_of_upgrade(row, Purpose.SWITCH)
    steps = would(plan, policy.total, policy.must_approve if policy.then else NOTHING)
    planned = Planned(plan, checks, (*steps, *_kept(plan, row), *_removed(plan, row)))
    if dry_run:
        return planned
    demand("plan", checks, upgrade_id=other or "")
    try:
        with transaction.atomic():
            _keep(actor, row, plan)
    except IntegrityError as error:
        raise Conflict(
            message("Upgrade {other} holds this deployment.", other=str(_other(context.deployment))),
            code="upgrade-running",
            remedy=message("Finish or abort it first."),
            upgrade_id=_other(context.deployment),
        ) from error
    return replace(planned, upgrade_id=row.id)


def _kept(plan: UpgradePlan, row: Upgrade) -> Iterator[WordedMessage]:
    """Say of each type without a counterpart in the new version how many of its resources are kept."""
    if plan.kind is not UpgradeKind.VERSION or not plan.conversion_digest:
        return
    try:
        stored = compiled_service(plan.service).stored
        source = place_of(plan.deployment, plan.from_version, row.source_database, plan.ring)
        types = set(wiring.store().types(source))
        for type_ in stored.of(plan.from_version):
            ends = [
                kept_type(each.target_type or "")
                for each in stored.routes(type_, plan.from_version, plan.to_version)
            ]
            for kept in (each for each in ends if each is not None and type_ in types):
                many = sum(wiring.store().counts(source, type_).values())
                yield _kept_words(many, kept.type, kept.version, plan.to_version)
    except (Invalid, Missing, Busy):
        yield message("Unknown: what has no place in the new version, because the data cannot be read now.")


def _kept_words(many: int, type_: str, kept_in: str, target: str) -> WordedMessage:
    return counted(
        many,
        "{number} resource of {type} has no place in {target}: it is kept as {version} stores it, "
        "and {version} serves it until that is retired.",
        "{number} resources of {type} have no place in {target}: they are kept as {version} stores them, "
        "and {version} serves them until it is retired.",
        number=f"{many:,}",
        type=type_,
        target=target,
        version=kept_in,
    ) + message("A person accepts that before the switch.")


def _removed(plan: UpgradePlan, row: Upgrade) -> Iterator[WordedMessage]:
    """Say what else the new version does not have, and that a person has to accept it."""
    if plan.kind is UpgradeKind.VERSION:
        source = place_of(plan.deployment, plan.from_version, row.source_database, plan.ring)
        yield from removal_sentences(plan.service, plan.conversion_digest, source, plan.to_version)


def _keep(actor: Actor, row: Upgrade, plan: UpgradePlan) -> None:
    row.save(force_insert=True)
    RecordedTransition.objects.create(
        upgrade=row, letter="", state=State.PLANNED.value, at=timezone.now(), who=actor.person
    )
    record(actor, "upgrade.plan", target_of(row), "done", after=plan.as_json(), reason=row.comment)
    words = message(
        "Planned {old} → {new} of {deployment}.",
        old=plan.from_version,
        new=plan.to_version,
        deployment=plan.deployment,
    )
    if plan.kind is UpgradeKind.SHARDS:
        words = counted(
            plan.target_shard_count,
            "Planned {old} → {count} shard of {deployment}.",
            "Planned {old} → {count} shards of {deployment}.",
            old=plan.ring,
            deployment=plan.deployment,
        )
    write(
        row,
        actor,
        TimelineEntry("planned", words, {"digest": plan.digest}),
    )


def _plan(spec: UpgradeSpec, context: UpgradeContext) -> UpgradePlan:
    if spec.kind is UpgradeKind.LOCATION and spec.target_location not in settings.SWITCHYARD.data_urls:
        raise Invalid(
            message(
                "There is no data database {target_location}.", target_location=repr(spec.target_location)
            ),
            code="plan-location",
            remedy=message(
                "Known are: {data_urls}.", data_urls=", ".join(sorted(settings.SWITCHYARD.data_urls))
            ),
        )
    if not context.current_version:
        raise Conflict(
            message("{deployment} serves no version yet.", deployment=context.deployment),
            code="plan-no-version",
            remedy=message("Register its current version first."),
        )
    if spec.kind is UpgradeKind.DATA:
        _demand_tasks(spec, context)
    if spec.kind is UpgradeKind.SHARDS:
        _demand_shards(spec, context)
    if spec.kind is UpgradeKind.VERSION and context.fingerprint and spec.target_version in context.versions:
        _demand_conversions(spec, context)
    in_place = spec.kind is UpgradeKind.DATA
    moves_place = spec.kind is UpgradeKind.LOCATION
    moves_version = spec.kind is UpgradeKind.VERSION
    return UpgradePlan(
        service=context.service,
        region=context.region,
        from_version=context.current_version,
        to_version=spec.target_version if moves_version else context.current_version,
        kind=spec.kind,
        ring=context.ring,
        conversion_digest=context.fingerprint,
        automatic=context.automatic if spec.automatic is None else spec.automatic,
        # What is changed in place has no other side that could be kept in step.
        downgrade_sync=spec.downgrade_sync and not in_place,
        target_location=spec.target_location if moves_place else "",
        target_data_version=spec.target_data_version if in_place else "",
        rollback_hours=spec.rollback_hours,
        # What the data have already is nothing to be changed.
        target_shard_count=0 if spec.target_shard_count == context.ring else spec.target_shard_count,
    )


def _demand_conversions(spec: UpgradeSpec, context: UpgradeContext) -> None:
    """Refuse versions between which the copying machine cannot convert every resource, there and, if wished, back.

    Raises: Conflict (`plan-no-way`, `plan-no-rollback`).
    """
    try:
        compiled = compiled_service(context.service)
    except Invalid:
        return  # Definitions are compiled when they are applied; one that is not says so when it is copied.
    there = (context.current_version, spec.target_version)
    back = (spec.target_version, context.current_version)
    barred_there = compiled.barred(*there)
    if barred_there is not None:
        raise Conflict(
            _direction(barred_there)
            + message("So nothing can be copied from {old} to {new}.", old=there[0], new=there[1]),
            code="plan-no-way",
            remedy=message(
                "Let the edge convert to the newer version (transformationDirection: fromOldToNew or "
                "bidirectional), or upgrade to another version."
            ),
        )
    if spec.downgrade_sync:
        demand_conversion_back(
            context.service,
            *back,
            message(
                "Plan it without downgrade sync: rolling back then means the data as of the switch, and requests "
                "of {version} are not translated. Or let the edge convert both ways.",
                version=back[1],
            ),
        )


def demand_conversion_back(service: str, newer: str, older: str, remedy: WordedMessage) -> None:
    """Refuse to keep a version in step that nothing converts back to.

    Raises: Conflict (`plan-no-rollback`).
    """
    try:
        barred = compiled_service(service).barred(newer, older)
    except Invalid:
        return  # Definitions are compiled when they are applied; one that is not says so when it is copied.
    if barred is not None:
        raise Conflict(
            _direction(barred)
            + message("So {version} cannot be kept current after the switch.", version=older),
            code="plan-no-rollback",
            remedy=remedy,
        )


def _direction(edge: Edge) -> WordedMessage:
    return message(
        "The edge {old} → {new} has transformationDirection: {direction}.",
        old=edge.source,
        new=edge.target,
        direction=edge.direction.value,
    )


def _demand_tasks(spec: UpgradeSpec, context: UpgradeContext) -> None:
    """Refuse a data version that nothing brings the data to.

    Raises: Invalid (`plan-data-version`).
    """
    mine = [
        task
        for task in installed_extensions().data_tasks
        if (task.service, task.version) == (context.service, context.current_version)
    ]
    if not spec.target_data_version or not any(
        task.data_version == spec.target_data_version for task in mine
    ):
        known = sorted({task.data_version for task in mine})
        raise Invalid(
            message(
                "No data task brings {current_version} of {service} to data version {target_data_version}.",
                current_version=context.current_version,
                service=context.service,
                target_data_version=repr(spec.target_data_version),
            ),
            code="plan-data-version",
            remedy=message("Known are: {known}.", known=", ".join(known))
            if known
            else message("Install an extension with DATA_TASKS."),
        )


def _demand_shards(spec: UpgradeSpec, context: UpgradeContext) -> None:
    """Refuse a change of the shard count alone that names none, or something else to be changed.

    Raises: Invalid (`plan-ring`, `plan-shards-alone`).
    """
    if spec.target_shard_count < 1:
        raise Invalid(
            message(
                "The new number of shards of {deployment} is missing; it has {ring}.",
                deployment=context.deployment,
                ring=context.ring,
            ),
            code="plan-ring",
            remedy=message("Send target_shard_count, 1 to 4096."),
        )
    if spec.target_version not in ("", context.current_version) or spec.target_location:
        raise Invalid(
            message(
                "An upgrade of kind shards leaves {deployment} at {current_version}, where it is.",
                deployment=context.deployment,
                current_version=context.current_version,
            ),
            code="plan-shards-alone",
            remedy=message(
                "Leave version and location out, or send target_shard_count with kind version or location."
            ),
        )


def _row(plan: UpgradePlan, spec: UpgradeSpec, context: UpgradeContext, actor: Actor) -> Upgrade:
    source = place_of(plan.deployment, plan.from_version, context.database, plan.ring)
    database = plan.target_location or context.database
    upgrade_id = f"u{secrets.token_hex(5)}"
    target = fresh_place(plan, source, database, upgrade_id)
    if plan.kind is UpgradeKind.DATA:
        target = source
    return Upgrade(
        id=upgrade_id,
        rev=0,
        deployment=plan.deployment,
        service=plan.service,
        region=plan.region,
        from_version=plan.from_version,
        to_version=plan.to_version,
        kind=plan.kind.value,
        automatic=plan.automatic,
        created_by=actor.person,
        comment=spec.comment,
        plan=plan.as_json(),
        plan_digest=plan.digest,
        source_database=source.database,
        source_schema=source.schema,
        target_database=target.database,
        target_schema=target.schema,
        ring=plan.ring,
        target_shard_count=plan.target_shard_count or None,
        source_numbering=source.numbering,
        target_numbering=target.numbering,
        downgrade_sync=plan.downgrade_sync,
    )


def _other(deployment: str) -> str | None:
    return (
        Upgrade.objects.filter(deployment=deployment, state__in=LIVE_STATES)
        .values_list("id", flat=True)
        .first()
    )
