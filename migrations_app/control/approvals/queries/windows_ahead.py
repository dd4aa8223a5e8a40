"""When deployments may switch: the next days of one of them, and the next window of each in the fleet."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import environment, policy_now, policy_of
from migrations_app.control.approval_policies.repository.windows import window_of
from migrations_app.control.registry.repository.upgrade_contexts import context_of
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, Target, require, require_reach
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.switch_availability import SwitchAvailability, availabilities
from migrations_app.domain.approvals.windows import ahead
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.wordings import sentence_as_json
from migrations_app.models.approvals import ApprovalPolicy
from migrations_app.models.registry import Deployment
from migrations_app.models.windows import WindowRule

WEEK = timedelta(days=7)


def week_of(actor: Actor, deployment: str) -> list[Json]:
    """Part the next seven days of a deployment by who wins.

    Raises: Missing (`deployment-missing`), Denied.
    """
    context, now = context_of(deployment), timezone.now()
    require(actor, "approval.read", Target("deployment", deployment, context.service, context.region))
    rules = [window_of(row) for row in WindowRule.objects.all()]
    needed = policy_now(deployment, context.service, context.region, Purpose.SWITCH).window_needed
    spans = ahead(rules, now, now + WEEK, context.service, context.region, environment(), needed)
    return [
        {"opens": iso(each.opens), "closes": iso(each.closes), "allowed": each.allowed, "winner": each.winner}
        for each in spans
    ]


def fleet_windows(actor: Actor) -> JsonObject:
    """Tell of every deployment when it may switch next; few answers are shared by many.

    Raises: Denied.
    """
    seen = within(require_reach(actor, "approval.read"), "service__id", "region__id")
    places = list(Deployment.objects.filter(seen).order_by("name").values_list("service_id", "region_id"))
    rules = [window_of(row) for row in WindowRule.objects.all()]
    policies = [policy_of(row) for row in ApprovalPolicy.objects.filter(purpose=Purpose.SWITCH.value)]
    found = availabilities(places, rules, policies, timezone.now(), environment())
    numbers: dict[SwitchAvailability, int] = {}
    of: dict[str, Json] = {}
    for (service, region), availability in found.items():
        regions = of.setdefault(service, {})
        assert isinstance(regions, dict)
        regions[region] = numbers.setdefault(availability, len(numbers))
    return {"outlooks": [_as_json(each) for each in numbers], "of": of}


def _as_json(availability: SwitchAvailability) -> JsonObject:
    return {
        "allowed": availability.allowed,
        **sentence_as_json(availability.words),
        "rule": availability.rule,
        "opens": iso(availability.opens),
        "closes": iso(availability.closes),
    }
