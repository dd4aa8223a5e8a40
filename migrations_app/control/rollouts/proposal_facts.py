"""What proposals of rollouts rest on: the fleet, its imports, what clients call, and how long upgrades took."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from statistics import median

from django.db.models import F, Sum
from django.utils import timezone

from migrations_app.domain.switch.rollout_proposal import (
    FleetFacts,
    ProposedDeployment,
    broken_importers,
    importing_pairs,
)
from migrations_app.domain.switch.states import State
from migrations_app.models import registry as rows
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.upgrades import RecordedTransition

CALLS_DAYS = 7
NEWEST = 2_000


def fleet_facts() -> FleetFacts:
    """Read all deployments with what their services import: five queries, however many there are."""
    calls, seconds = _calls(), _seconds()
    deployments = {
        name: ProposedDeployment(
            name, service, region, version, calls.get((service, region), 0), seconds=seconds.get(service)
        )
        for name, service, region, version in rows.Deployment.objects.values_list(
            "name", "service_id", "region_id", "current_version"
        )
    }
    versions = {name: frozenset(all_) for name, all_ in rows.Service.objects.values_list("id", "versions")}
    imports: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    found = rows.Import.objects.filter(kind=rows.Import.IMPORTS)
    for service, target, by_version in found.values_list("service_id", "target_id", "versions"):
        for own, theirs in by_version.items():
            imports[service, own][target] = str(theirs)
    return FleetFacts(deployments, versions, imports)


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


def broken_by(facts: FleetFacts, waves: Sequence[Sequence[str]], target: str) -> list[str]:
    """Say of which importers waves would break what they import, as the facts are now.

    Each deployment of a wave may be the first of it, so it is judged with all that moved in earlier waves.
    """
    pairs_of: dict[str, list[tuple[ProposedDeployment, ProposedDeployment]]] = defaultdict(list)
    for pair in importing_pairs(facts):
        for each in pair:
            pairs_of[each.name].append(pair)
    found: dict[str, None] = {}
    moved: frozenset[str] = frozenset()
    for wave in waves:
        for name in wave:
            for importer, imported in broken_importers(facts, moved | {name}, target, pairs_of[name]):
                found[f"{importer} would not be served by {imported} when {name} moves to {target}."] = None
        moved |= set(wave)
    return list(found)
