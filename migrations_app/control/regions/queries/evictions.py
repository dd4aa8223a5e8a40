"""Requests to evict deployments, as operators see them."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.control.approval_policies.repository.electors import (
    void_as_json,
    voter_in_own_right,
    with_control,
)
from migrations_app.control.audit.ledger import change_to
from migrations_app.control.regions.repository.evictions import eviction_request, eviction_target
from migrations_app.domain.access import Actor, Target, decide, require
from migrations_app.domain.approvals.votes import refusal, state_of
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import NOTHING, message
from migrations_app.kernel.wordings import action_as_json
from migrations_app.models.evictions import Eviction

SHOWN = 20


def evictions_of(actor: Actor, service: str, region: str) -> list[JsonObject]:
    """Tell of a deployment's evictions, the newest first, each with its votes and whether the actor may vote.

    Raises: Denied.
    """
    require(actor, "resource.read", Target("deployment", service=service, region=region))
    return [_shown(actor, row) for row in Eviction.objects.filter(service=service, region=region)[:SHOWN]]


def eviction(actor: Actor, id: str) -> JsonObject:
    """Tell of one request.

    Raises: Denied, Missing (`eviction-missing`).
    """
    row = Eviction.objects.filter(pk=id).first()
    if row is None:
        raise Missing(message("There is no eviction {id}.", id=id), code="eviction-missing")
    # Its number names it, not the deployment: that is told to who may see it.
    require(actor, "resource.read", Target("eviction", row.id, row.service, row.region))
    return _shown(actor, row)


def last_changed(id: str) -> JsonObject | None:
    """Tell what changed that is agreed to, and when."""
    row = Eviction.objects.get(pk=id)
    return change_to("eviction", row.deployment, digest=row.digest)


def may_evict(actor: Actor, service: str, region: str, *, answers: bool) -> JsonObject:
    """Tell whether the actor may ask for the eviction of a deployment, or why not."""
    target = Target("deployment", service=service, region=region)
    decision = decide(actor, "deployment.evict", target)
    who_can = decision.who_can
    if not decision.allowed:
        return action_as_json("evict", decision.words, who_can)
    if answers:
        # No role changes that: there is no person to ask.
        words = message("Its server answers. Only a deployment that does not answer can be evicted.")
        return action_as_json("evict", words, ())
    return action_as_json("evict", NOTHING, who_can)


def _shown(actor: Actor, row: Eviction) -> JsonObject:
    request, now = eviction_request(row), timezone.now()
    voter = with_control(voter_in_own_right(actor, eviction_target(row)), row.created_at)
    why_not = refusal(request, voter, now)
    return {
        "id": row.id,
        "rev": row.rev,
        "deployment": row.deployment,
        "state": state_of(request, now).value,
        "reason": row.reason,
        "asked_by": row.asked_by,
        "created_at": row.created_at.isoformat(),
        "deadline": request.deadline.isoformat(),
        "digest": row.digest,
        "needed": request.policy.total,
        "votes_given": request.votes_given,
        "vote": action_as_json("vote", why_not, request.who_can),
        "votes": [
            {
                "who": each.who,
                "verdict": each.verdict.value,
                "comment": each.comment,
                "at": each.at.isoformat(),
                "round": each.round,
                **void_as_json(each.void_reason),
            }
            for each in request.votes
        ],
    }
