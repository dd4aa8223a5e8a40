"""What is known of an upgrade gathered from the rows, judged into the checks that every surface shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from migrations_app.adapters.repositories.shadow_reads import ShadowReadRows
from migrations_app.control.access.repository.access import made_roles
from migrations_app.control.approval_policies.repository.approvals import (
    current_request,
    policy_of_upgrade,
    ruling_for,
    standing_of,
)
from migrations_app.control.approval_policies.repository.electors import history_of
from migrations_app.control.registry.repository.upgrade_contexts import (
    UpgradeContext,
    context_of,
    dependants_of,
)
from migrations_app.control.schemas.repository.compatibility import removals_of
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of
from migrations_app.domain.access import roles_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.standing import EMERGENCY, FREE, NOT_BY_YOU, Approval
from migrations_app.domain.approvals.votes import RequestState, given_message, may_run
from migrations_app.domain.approvals.windows import WindowRuling
from migrations_app.domain.registry.names import deployment_name
from migrations_app.domain.switch.guards import (
    CheckVerdict,
    Facts,
    ReadinessCheck,
    ReadinessLimits,
    judge,
    with_recorded,
)
from migrations_app.domain.switch.plan import ROLLBACK_HOURS, UpgradePlan
from migrations_app.domain.switch.states import NEW_SERVES, State
from migrations_app.domain.switch.words import count, where
from migrations_app.kernel.clock import to_minute, to_second
from migrations_app.kernel.messages import counted, message
from migrations_app.kernel.one_reading import one_reading
from migrations_app.kernel.wordings import phrases_from_json
from migrations_app.models.operations import Operation
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import DirectorRequest, ShardState, UpgradeKind

READY_SHARDS = {ShardState.READY.value, ShardState.SWITCHED.value}
CHECKS_LIMIT_SECONDS = 60.0
"""A ready upgrade is checked every second or so; checks that are older than this tell nothing any more."""
PURPOSE_OF = {"switch": Purpose.SWITCH, "rollback": Purpose.REVERT}


def needed_now(row: Upgrade, policy: Policy, now: datetime) -> int:
    """Count the votes that a policy asks for at an instant: none while rolling back is still free of them."""
    return 0 if free_until(row, policy, now) else policy.total


def free_until(row: Upgrade, policy: Policy, now: datetime) -> datetime | None:
    """Tell until when rolling back takes no votes, if that is still to come.

    What was asked for in the free time stays free: the director comes to it later, by a clock of its own.
    """
    if policy.purpose is not Purpose.REVERT or not policy.total or not policy.free_seconds:
        return None
    flip = row.moves.filter(state=State.REVERSIBLE.value).order_by("pk").first()
    until = flip.at + timedelta(seconds=policy.free_seconds) if flip else None
    return until if until and _asked_to_go_back(row, now) < until else None


def _asked_to_go_back(row: Upgrade, now: datetime) -> datetime:
    """Tell when the rollback that is under way was requested; now, when it was not."""
    if row.request != DirectorRequest.REVERT.value or not row.operation:
        return now
    asked = Operation.objects.filter(pk=row.operation).values_list("created_at", flat=True).first()
    return min(asked or now, now)


@one_reading()
def approval_of(row: Upgrade, purpose: Purpose, now: datetime, who: str = "") -> Approval:
    """Tell how the approval of an upgrade stands; `who` also asks whether that person may use it."""
    policy = policy_of_upgrade(row, purpose)
    # A break-glass override stands for votes, as long as those would; it also lets pass what keeps others from rolling back.
    since = now - timedelta(seconds=policy.expires_seconds)
    emergency = row.emergencies.filter(purpose=purpose.value, used_at__isnull=True, at__gt=since).first()
    if emergency is not None:
        overrode = message(
            "{who} overrode approval by break-glass ({ticket}): {reason}",
            who=emergency.who,
            ticket=emergency.ticket,
            reason=emergency.reason,
        )
        return Approval(policy, EMERGENCY, 0, "", overrode)
    free = free_until(row, policy, now)
    if free:
        no_votes = message("Rolling back needs no votes until {until_at}.", until_at=to_minute(free))
        return Approval(policy, FREE, 0, "", no_votes)
    found = current_request(row, purpose)
    if found is None:
        nothing = counted(
            policy.total,
            "{given} of {count} approval was given; none was asked for.",
            "{given} of {count} approvals were given; none was asked for.",
            given=0,
        )
        return Approval(policy, "none", 0, "", nothing, _who_may_ask())
    asked, state = standing_of(found, now)
    control = history_of([who], row.created_at).control(who, now) if who else None
    why = may_run(asked, who, now, control)
    stands = why or given_message(asked.votes_given, policy.total)
    shown = state.value if not why or state is not RequestState.APPROVED else NOT_BY_YOU
    if shown == NOT_BY_YOU:
        return Approval(policy, shown, asked.votes_given, found.id, stands, _who_may_run(purpose, who))
    votes = asked.who_can if state is RequestState.OPEN else _who_may_ask()
    return Approval(policy, shown, asked.votes_given, found.id, stands, votes)


def _who_may_ask() -> tuple[str, ...]:
    return tuple(f"role {role}" for role in roles_with("approval.request", made_roles()))


def _who_may_run(purpose: Purpose, who: str) -> tuple[str, ...]:
    permission = "upgrade.switch" if purpose is Purpose.SWITCH else "upgrade.rollback"
    return tuple(f"role {role}, except {who}" for role in roles_with(permission, made_roles()))


@one_reading()
def facts_of(row: Upgrade, step: str, who: str = "") -> Facts:
    """Gather what the control database knows for one step of an upgrade."""
    snapshot = snapshot_of(row)
    now, progress = snapshot.at, snapshot.progress
    context = context_of(row.deployment)
    unreachable = context.why_unreachable(row.to_version)
    approval = approval_of(row, PURPOSE_OF.get(step, Purpose.SWITCH), now, who)
    ruling = ruling_of(row, now, approval.policy)
    serves = State(row.state) in NEW_SERVES
    compared, differing = ShadowReadRows().totals(row.target_schema) if step == "switch" else (0, 0)
    return Facts(
        now=now,
        from_version=row.to_version if serves else row.from_version,
        to_version=row.from_version if serves else row.to_version,
        current_version=context.current_version,
        other_upgrade=None,
        reachable=not unreachable,
        unreachable_reason=unreachable,
        disabled=context.disabled,
        missing_regions=() if serves else context.missing_regions(row.to_version),
        ring=(row.target_shard_count or row.ring) if serves else row.ring,
        data_ring=context.ring,
        shards_ready=progress.ready,
        shards_unknown=progress.unknown,
        shards_failed=sum(shard.state == ShardState.FAILED.value for shard in snapshot.shards),
        lag_seconds=progress.lag_seconds,
        quarantined=snapshot.quarantined_resources,
        downgrade_sync=row.downgrade_sync,
        in_place=row.kind == UpgradeKind.DATA.value,
        shadow_reads=compared,
        shadow_differing=differing,
        shadow_places=_where_reads_differ(row) if differing else (),
        window_open=ruling.allowed,
        window_reason=ruling.message,
        plan_valid=plan_holds(row, context),
        **_removals(row, context, step),
        moved_dependants=_moved_since(row) if step == "rollback" else (),
        emergency=approval.state == EMERGENCY,
        approval_needed=approval.needed > 0,
        approval_free=approval.state == FREE,
        approval_state=RequestState.APPROVED.value if approval.settled else approval.state,
        approval_sentence=approval.message,
        approval_remedy=approval.remedy,
        approval_who_can=approval.who_can,
        limits=ReadinessLimits(freeze_bound_ms=row.freeze_seconds * 1000),
    )


def _removals(row: Upgrade, context: UpgradeContext, step: str) -> dict[str, Any]:
    """Name what the new version does not have, for the step that asks whether it was accepted."""
    if step != "switch" or row.kind != UpgradeKind.VERSION.value:
        return {}
    found = removals_of(row.service, context.fingerprint, row.from_version, row.to_version)
    if found is None:
        return {"removals": None}
    return {
        "removals": tuple(each.sentence for each in found),
        "removals_open": tuple(each.sentence for each in found if not each.is_accepted),
    }


def _moved_since(upgrade: Upgrade) -> tuple[str, ...]:
    """Name what was itself switched, after this upgrade's switch, to a version built on the new one.

    Taking this upgrade back would leave them on a version that is no longer served in full.
    """
    if upgrade.kind != UpgradeKind.VERSION.value:
        return ()
    switched = upgrade.moves.filter(state=State.REVERSIBLE.value).order_by("-pk").first()
    if switched is None:
        return ()
    moved = []
    for dependant in dependants_of(upgrade.service, upgrade.region):
        if dependant.builds_on != upgrade.to_version:
            continue
        later = Upgrade.objects.filter(
            deployment=deployment_name(dependant.service, dependant.region),
            to_version=dependant.version,
            state__in=[state.value for state in NEW_SERVES],
            moves__state=State.REVERSIBLE.value,
            moves__at__gt=switched.at,
        )
        if any(dependant.needs.get(row.from_version) != upgrade.to_version for row in later):
            moved.append(f"{where(dependant.service, dependant.region)} ({dependant.version})")
    return tuple(moved)


def _where_reads_differ(row: Upgrade) -> tuple[str, ...]:
    found = ShadowReadRows().differences(row.target_schema)
    return tuple(f"{place} in {count(times, 'read')}, such as {name}" for place, times, name in found)


def ruling_of(row: Upgrade, at: datetime, policy: Policy) -> WindowRuling:
    """Tell whether an upgrade may switch at an instant: its own time first, then windows and freezes."""
    own = str(row.plan.get("not_before", ""))
    planned = datetime.fromisoformat(own) if own else None
    if planned and at < planned:
        return WindowRuling(
            False,
            message("Its plan says: not before {planned_at}.", planned_at=to_minute(planned)),
            next_open=planned,
        )
    return ruling_for(row, at, policy.window_needed)


def plan_holds(row: Upgrade, context: UpgradeContext) -> bool:
    """Tell whether carrying the plan out now would still do what it says."""
    return plan_from(row, context).digest == row.plan_digest


def plan_from(row: Upgrade, context: UpgradeContext) -> UpgradePlan:
    """Make the plan of an upgrade again from what is registered now."""
    target = row.target_shard_count or 0
    switched = target and State(row.state) in NEW_SERVES and context.ring == target
    return UpgradePlan(
        service=row.service,
        region=row.region,
        from_version=row.from_version,
        to_version=row.to_version,
        kind=UpgradeKind(row.kind),
        ring=row.ring if switched else context.ring,
        target_shard_count=target,
        conversion_digest=context.fingerprint,
        automatic=row.automatic,
        downgrade_sync=row.downgrade_sync,
        target_location=str(row.plan.get("target_location", "")),
        target_data_version=str(row.plan.get("target_data_version", "")),
        rollback_hours=int(row.plan.get("rollback_hours", ROLLBACK_HOURS)),
        not_before=str(row.plan.get("not_before", "")),
    )


def checks_of(row: Upgrade, step: str, who: str = "") -> tuple[ReadinessCheck, ...]:
    """Judge a step: the control database's facts, with the director's newest preflight laid over them."""
    judged = judge(step, facts_of(row, step, who))
    return with_recorded(judged, recorded_checks(row)) if step in PURPOSE_OF else judged


def recorded_checks(row: Upgrade) -> Sequence[ReadinessCheck]:
    """Read the newest checks of the data; those of a ready upgrade that are too old are unknown by now."""
    found = [_recorded(each, row.checks_at) for each in row.checks]
    if row.state != State.READY.value or row.paused or row.checks_at is None:
        return found
    if (timezone.now() - row.checks_at).total_seconds() <= CHECKS_LIMIT_SECONDS:
        return found
    when = message("Last checked at {checked_at}:", checked_at=to_second(row.checks_at))
    return [
        replace(
            check,
            verdict=CheckVerdict.UNKNOWN,
            sentence=f"{when} {check.sentence}",
            phrases=when.phrases + check.phrases if check.phrases else (),
        )
        for check in found
    ]


def start_checks(row: Upgrade) -> tuple[ReadinessCheck, ...]:
    """Tell what the start went by, or would go by now; nothing where none was recorded, or it never began."""
    if row.state == State.PLANNED.value:
        return checks_of(row, "start")
    line = row.lines.filter(kind="started").order_by("pk").first()
    return tuple(_recorded(each, line.at) for each in line.details.get("checks", ())) if line else ()


def _recorded(told: Mapping[str, Any], at: datetime | None) -> ReadinessCheck:
    return ReadinessCheck(
        told["check"],
        CheckVerdict(told["verdict"]),
        told["sentence"],
        told.get("remedy", ""),
        at,
        phrases=phrases_from_json(told.get("phrases", ())),
        remedy_phrases=phrases_from_json(told.get("remedy_phrases", ())),
    )


def predicted_freeze_ms(row: Upgrade) -> float | None:
    """Tell how long writes would pause, as the newest preflight predicts."""
    found = [each.get("value") for each in row.checks if each["check"] == "freeze"]
    return float(found[0]) if found and found[0] is not None else None
