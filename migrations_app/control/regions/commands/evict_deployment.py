"""Evict a deployment that does not come back, so that the others need not wait for it: asked by one, agreed to by two."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from migrations_app.adapters.peers.answering import answers
from migrations_app.adapters.repositories.known_evictions import evicted
from migrations_app.control.approval_policies.repository.electors import (
    values_of,
    voter_in_own_right,
    with_control,
)
from migrations_app.control.audit.ledger import record
from migrations_app.control.regions.repository.eviction_rounds import (
    close_eviction,
    expire_eviction,
    found_eviction,
    freshen_eviction,
    locked_eviction,
)
from migrations_app.control.regions.repository.evictions import (
    eviction_digest,
    eviction_policy,
    eviction_request,
    eviction_target,
)
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.registry import writing
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.approvals.votes import Ballot, RequestState, cast, state_of
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Deployment
from migrations_app.kernel.errors import Conflict, DeploymentMissing, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows
from migrations_app.models.evictions import Eviction, EvictionVote
from migrations_app.ports.regions.peers import Peer
from migrations_app.wiring import dispatch, evictions, hosted_here, peers

SHORTEST_REASON = 20


def ask_eviction(actor: Actor, service: str, region: str, reason: str) -> str:
    """Ask for the eviction of a deployment, and give the request's id.

    Raises: Denied, Missing (`deployment-missing`), Invalid (`eviction-reason`), Conflict
    (`deployment-answers`, `already-evicted`, `eviction-open`).
    """
    here = Peer(service, region)
    require(actor, "deployment.evict", Target("deployment", here.deployment, service, region))
    if len(reason.strip()) < SHORTEST_REASON:
        raise Invalid(
            message(
                "Say in {shortest_reason} characters or more why it does not come back.",
                shortest_reason=SHORTEST_REASON,
            ),
            code="eviction-reason",
        )
    there = does_answer(here)
    with transaction.atomic():
        known = rows.Deployment.objects.select_for_update(of=("self",)).filter(pk=here.deployment).first()
        if known is None:
            raise DeploymentMissing(
                message("There is no deployment {deployment}.", deployment=here.deployment)
            )
        _refuse(here, answers=there)
        policy = eviction_policy(service, region)
        row = Eviction(
            id=f"e{secrets.token_hex(5)}",
            deployment=here.deployment,
            uid=known.uid,
            service=service,
            region=region,
            policy=policy.as_json(),
            asked_by=actor.person,
            reason=reason.strip(),
            created_at=timezone.now(),
        )
        row.digest = eviction_digest(row, policy, answers=False)
        row.save(force_insert=True)
        after: JsonObject = {"eviction": row.id, "digest": row.digest, "needed": policy.total}
        record(
            actor, "deployment.evict.request", eviction_target(row), "done", after=after, reason=row.reason
        )
    return row.id


def vote_on_eviction(actor: Actor, eviction_id: str, ballot: Ballot) -> str:
    """Record a vote; the last one that is needed evicts the deployment.

    Raises: Missing (`eviction-missing`), Denied (`denied`, `vote-denied`), Stale (`evidence-changed`), Conflict
    (`request-settled`, `voted-already`), Invalid (`comment-needed`).
    """
    found = found_eviction(eviction_id)
    require(actor, "approval.vote", eviction_target(found))
    require(actor, "deployment.evict", eviction_target(found))
    there = does_answer(Peer(found.service, found.region))
    freshen_eviction(eviction_id, answers=there)
    with transaction.atomic():
        row = locked_eviction(eviction_id)
        target = eviction_target(row)
        voter = with_control(voter_in_own_right(actor, target), row.created_at)
        vote = cast(eviction_request(row), voter, ballot, timezone.now())
        EvictionVote.objects.create(eviction=row, **values_of(vote))
        after: JsonObject = {"verdict": vote.verdict.value, "digest": vote.digest, "round": vote.round}
        record(
            actor, f"deployment.evict.{vote.verdict.value}", target, "done", after=after, reason=vote.comment
        )
        _settle(actor, row, answers=there)
    return eviction_id


def does_answer(peer: Peer) -> bool:
    """Tell whether a deployment answers."""
    return answers(peers(), peer)


def _refuse(here: Peer, *, answers: bool) -> None:
    if here.deployment in evicted():
        raise Conflict(
            message("{deployment} is evicted already.", deployment=here.deployment), code="already-evicted"
        )
    if answers:
        raise Conflict(
            message("{deployment} answers.", deployment=here.deployment),
            code="deployment-answers",
            remedy=message(
                "Delete what refers from it. Only a deployment that does not answer can be evicted."
            ),
        )
    for row in Eviction.objects.filter(deployment=here.deployment, closed_at=None):
        if not expire_eviction(row.id, timezone.now()):
            raise Conflict(
                message(
                    "{asked_by} has asked already; request {id} is open.", asked_by=row.asked_by, id=row.id
                ),
                code="eviction-open",
                remedy=message("Vote on that one."),
            )


def _settle(actor: Actor, row: Eviction, *, answers: bool) -> None:
    state = state_of(eviction_request(locked_eviction(row.id)), timezone.now())
    if state is RequestState.REJECTED:
        close_eviction(row, state)
    if state is not RequestState.APPROVED:
        return
    if answers:
        raise Conflict(
            message("{deployment} answers again.", deployment=row.deployment),
            code="deployment-answers",
            remedy=message("Reject the eviction; nothing was released."),
        )
    close_eviction(row, RequestState.USED)
    record(actor, "deployment.evict", eviction_target(row), "done", reason=row.reason)
    _disable(row)
    transaction.on_commit(_tell)


def _disable(row: Eviction) -> None:
    """Show everybody, also other consoles, that it does not serve any more.

    What others of its region import is disabled as well: it does not answer them anyway.
    """
    if settings.SWITCHYARD.meta_url:
        return  # The owner of the registry says so; that it does not serve is decided here.
    with writing() as writer:
        known = registry.find(RegistryKind.DEPLOYMENT, row.deployment)
        if isinstance(known, Deployment) and known.upgrade_state is None:
            writer.save(replace(known, is_disabled=True))


def _tell() -> None:
    evictions().forget()
    for here in hosted_here():
        dispatch().poke("pending", here.deployment)
