"""What proposals of rollouts rest on: the fleet, its imports, what clients call, how long upgrades took, and windows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from statistics import median

from django.db.models import F, Sum
from django.utils import timezone

from migrations_app.control.access.repository.access import environment
from migrations_app.control.approval_policies.repository.approvals import policy_of
from migrations_app.control.approval_policies.repository.windows import window_of
from migrations_app.control.registry.repository.upgrade_contexts import newest_of
from migrations_app.domain.approvals.about import Subject
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.switch_schedule import switch_schedules
from migrations_app.domain.switch.rollout_proposal import (
    FleetFacts,
    ProposedDeployment,
    broken_importers,
    importing_pairs,
)
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.wave_timing import WindowWait, window_wait
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models import registry as rows
from migrations_app.models.approvals import ApprovalPolicy
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.upgrades import LIVE_STATES, RecordedTransition, Upgrade
from migrations_app.models.windows import WindowRule

CALLS_DAYS = 7
NEWEST = 2_000


def fleet_facts() -> FleetFacts:
    """Read all deployments with what their services import: five queries, however many there are."""
    calls, seconds = _calls(), _seconds()
    deployments = {
        name: ProposedDeployment(
            name,
            service,
            region,
            version,
            calls.get((service, region), 0),
            seconds.get(service),
            supported=newest_of(version, offered),
            is_disabled=is_disabled,
        )
        for name, service, region, version, offered, is_disabled in rows.Deployment.objects.values_list(
            "name", "service_id", "region_id", "current_version", "available_upgrade", "is_disabled"
        )
    }
    versions = {name: frozenset(all_) for name, all_ in rows.Service.objects.values_list("id", "versions")}
    imports: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    found = rows.Import.objects.filter(kind=rows.Import.IMPORTS)
    for service, target, by_version in found.values_list("service_id", "target_id", "versions"):
        for own, theirs in by_version.items():
            imports[service, own][target] = str(theirs)
    return FleetFacts(deployments, versions, imports)


def with_held(facts: FleetFacts) -> FleetFacts:
    """Add which deployments an upgrade holds, that no other can be planned for: one query."""
    held = dict(Upgrade.objects.filter(state__in=LIVE_STATES).values_list("deployment", "id"))
    deployments = {
        name: replace(each, held_by=held.get(name, "")) for name, each in facts.deployments.items()
    }
    return replace(facts, deployments=deployments)


def scheduled(facts: FleetFacts, target: str) -> FleetFacts:
    """Add when deployments may switch to a version by windows, freezes and the policies that ask for windows: two queries."""
    upgrades = [
        (each.service, each.region, Subject(each.version, target)) for each in facts.deployments.values()
    ]
    rules = [window_of(row) for row in WindowRule.objects.all()]
    policies = [policy_of(row) for row in ApprovalPolicy.objects.filter(purpose=Purpose.SWITCH.value)]
    now = timezone.now()
    schedules = switch_schedules(upgrades, rules, policies, now, environment())
    deployments = {
        name: replace(each, schedule=schedules[each.service, each.region])
        for name, each in facts.deployments.items()
    }
    return replace(facts, deployments=deployments, at=now)


def _calls() -> dict[tuple[str, str], int]:
    since = timezone.now().date() - timedelta(days=CALLS_DAYS - 1)
    counts = UsageCount.objects.filter(path="", day__gte=since).values_list("service", "region")
    return {(service, region): sum_ for service, region, sum_ in counts.annotate(Sum("count")).order_by()}


def _seconds() -> dict[str, float]:
    """Give how long upgrades of a service took from their start to the switch: the middle of the newest."""
    moves = RecordedTransition.objects.filter(state=State.REVERSIBLE.value, upgrade__started_at__isnull=False)
    taken: dict[str, list[float]] = defaultdict(list)
    newest = moves.order_by("-id").values_list("upgrade__service", F("at"), F("upgrade__started_at"))
    for service, at, started in newest[:NEWEST]:
        taken[service].append((at - started).total_seconds())
    return {service: median(found) for service, found in taken.items()}


def broken_by(facts: FleetFacts, waves: Sequence[Sequence[str]], target: str) -> list[WordedMessage]:
    """Say of which importers waves would break what they import, as the facts are now.

    Each deployment of a wave may be the first of it, so it is judged with all that moved in earlier waves.
    """
    pairs_of: dict[str, list[tuple[ProposedDeployment, ProposedDeployment]]] = defaultdict(list)
    for pair in importing_pairs(facts):
        for each in pair:
            pairs_of[each.name].append(pair)
    found: dict[str, WordedMessage] = {}
    moved: frozenset[str] = frozenset()
    for wave in waves:
        for name in wave:
            for importer, imported in broken_importers(facts, moved | {name}, target, pairs_of[name]):
                words = message(
                    "{importer} would not be served by {imported} when {name} moves to {version}.",
                    importer=importer,
                    imported=imported,
                    name=name,
                    version=target,
                )
                found[str(words)] = words
        moved |= set(wave)
    return list(found.values())


def delayed_by(
    facts: FleetFacts, waves: Sequence[Sequence[str]], proposed: Sequence[Sequence[str]]
) -> list[WordedMessage]:
    """Say for which windows and freezes waves wait that would not wait in the proposed order, or that wait for ever."""
    planned, better = (
        [[facts.deployments[name] for name in wave if name in facts.deployments] for wave in order]
        for order in (waves, proposed)
    )
    reasons = [
        message("{name} cannot switch within eight weeks.", name=each.name) + each.schedule.words
        for wave in planned
        for each in wave
        if each.schedule.opening(facts.at) is None
    ]
    in_order, in_better = window_wait(planned, facts.at), window_wait(better, facts.at)
    if in_order <= in_better:
        return reasons
    begin = facts.at
    for number, each_wave in enumerate(planned[:-1], 1):
        for each in each_wave:
            opening = each.schedule.opening(begin)
            if opening is not None and opening.at > begin:
                waits = message("Wave {wave} waits for {name}:", wave=number, name=each.name)
                reasons.append(waits + opening.words)
        begin = window_wait([each_wave], begin).end
    return [*reasons, _later(in_order, in_better)]


def _later(in_order: WindowWait, in_better: WindowWait) -> WordedMessage:
    """Say when the last one may switch in an order, and when in the proposed one."""
    moments = {
        "in_order_at": to_minute(in_order.end),
        "proposed_at": to_minute(in_better.end),
    }
    late = in_order.without_opening - in_better.without_opening
    if late > 0:
        return message(
            "By windows and freezes the last of them may switch at {in_order_at}, too late for the last window of {late} of "
            "them; in the proposed order at {proposed_at}.",
            late=late,
            **moments,
        )
    return message(
        "By windows and freezes the last of them may switch at {in_order_at}; in the proposed order at {proposed_at}.",
        **moments,
    )
