"""Rows of policies, windows and requests for approval read as values, and the digest that votes bind to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from migrations_app.control.access.repository.access import environment as environment
from migrations_app.control.approval_policies.repository.electors import (
    Authors,
    approval_target,
    control_of_authors,
    recounted_now,
    void_words,
    with_control,
)
from migrations_app.domain.approvals.about import Subject
from migrations_app.domain.approvals.account_control import LOOKBACK, author_refusal
from migrations_app.domain.approvals.overriding import Where, lifted_ruling, ruled
from migrations_app.domain.approvals.policy import DEFAULTS, Policy, Purpose, effective
from migrations_app.domain.approvals.stored import policy_from, window_from
from migrations_app.domain.approvals.votes import (
    Delegation,
    RequestState,
    Vote,
    Voter,
    VoteVerdict,
    VotingRequest,
    state_of,
)
from migrations_app.domain.approvals.windows import WindowRuling, WindowSpan
from migrations_app.domain.switch.guards import ReadinessCheck
from migrations_app.domain.switch.plan import evidence_digest
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING
from migrations_app.kernel.one_reading import one_reading, read_once
from migrations_app.kernel.wordings import wording_as_json
from migrations_app.models.access import Token
from migrations_app.models.approvals import ApprovalPolicy, ApprovalRequest, ApprovalVote
from migrations_app.models.evidence.waivers import Waiver
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment, Service
from migrations_app.models.upgrades import LIVE_STATES, Upgrade, UpgradeTimelineEntry
from migrations_app.models.windows import WindowOverride, WindowRule

ACTIONS = ("policy.write", "policy.delete")


def policy_of(row: ApprovalPolicy | Mapping[str, Any]) -> Policy:
    """Read a policy from its row, or from the copy a request keeps."""
    return policy_from(vars(row) if isinstance(row, ApprovalPolicy) else row)


def policy_for(service: str, region: str, purpose: Purpose, subject: Subject | None = None) -> Policy:
    """Find the policy that counts for an upgrade of a deployment; without a subject, for any that comes."""
    return effective(_policies(purpose), purpose, service, region, environment(), subject)


@read_once
def _policies(purpose: Purpose) -> list[Policy]:
    return [policy_of(row) for row in ApprovalPolicy.objects.filter(purpose=purpose.value)]


def shortest_expiry() -> timedelta:
    """Tell after what time a request expires at the earliest, under every policy that counts now or counted before."""
    kept = ApprovalPolicy.objects.values_list("expires_seconds", flat=True)
    entries = [said.get("expires_seconds") for *_, said in _policy_entries() if said]
    earlier = [seconds for seconds in entries if isinstance(seconds, int)]
    return timedelta(seconds=min([*kept, *earlier, *(each.expires_seconds for each in DEFAULTS.values())]))


def policy_of_upgrade(row: Upgrade, purpose: Purpose) -> Policy:
    """Find the policy that counts for an upgrade.

    Who planned it gains nothing by a policy that they made weaker, or removed, shortly before: then what it said
    before counts, if that asks for more votes. Otherwise one person would decide alone by doing it in this order.
    """
    policy = policy_for(row.service, row.region, purpose, subject_of(row))
    # A plan that is only rehearsed has no row yet: it is as if it were made now.
    planned_at = row.created_at or timezone.now()
    if not is_changed_since_plan(planned_at):
        return policy
    authors = authors_of(row) if row.created_at else ((row.created_by, planned_at),)
    before = changes_by_authors(authors, planned_at)
    if not before:
        return policy
    kept = [each for each in _policies(purpose) if each.name not in before]
    kept += [policy_of(said) for said in before.values() if said and said["purpose"] == purpose.value]
    earlier = effective(kept, purpose, row.service, row.region, environment(), subject_of(row))
    weaker = earlier.total > policy.total or (earlier.void_when_worse and not policy.void_when_worse)
    return earlier if weaker and earlier.total >= policy.total else policy


def is_changed_since_plan(planned_at: datetime) -> bool:
    """Tell whether anybody changed a policy since a day before the plan."""
    return any(at >= planned_at - LOOKBACK for at, *_ in _policy_entries())


def changes_by_authors(authors: Authors, planned_at: datetime) -> dict[str, JsonObject | None]:
    """Give, by name, what each policy said before its authors changed it last; None where it did not exist.

    Only changes since a day before the plan are looked at, and a policy that another person has changed since then
    stands as it is. The audit ledger tells, to which the application can only add.
    """
    since = planned_at - LOOKBACK
    entries = [(name, people, earlier) for at, name, people, earlier in _policy_entries() if at >= since]
    control = control_of_authors(authors, planned_at)
    before: dict[str, JsonObject | None] = {}
    for name, people, earlier in entries:
        changers = (with_control(Voter(person, frozenset()), planned_at).control for person in people)
        if any(author_refusal(control, changer) for changer in changers):
            before.setdefault(name, earlier)
        else:
            before.pop(name, None)
    return before


@read_once
def _policy_entries() -> list[tuple[datetime, str, tuple[str, ...], JsonObject | None]]:
    """Read every change of a policy, oldest first: there are few, and a page of upgrades reads them once."""
    rows = LedgerEntry.objects.filter(action__in=ACTIONS, outcome="done").order_by("pk")
    found = list(rows.values_list("at", "target", "actor", "token", "before"))
    tokens = {token for _, _, _, token, _ in found if token}
    makers: dict[str, str] = (
        dict(Token.objects.filter(pk__in=tokens).values_list("pk", "created_by")) if tokens else {}
    )
    return [
        (at, target, tuple(dict.fromkeys(filter(None, (actor, makers.get(token, ""))))), before)
        for at, target, actor, token, before in found
    ]


def policy_now(deployment: str, service: str, region: str, purpose: Purpose) -> Policy:
    """Find the policy that counts for a deployment: for its upgrade under way, or for any that comes."""
    row = Upgrade.objects.filter(deployment=deployment, state__in=LIVE_STATES).first()
    return policy_for(service, region, purpose, subject_of(row) if row else None)


def subject_of(row: Upgrade) -> Subject:
    """Give what policies look at of an upgrade."""
    return Subject(row.from_version, row.to_version, row.kind, row.downgrade_sync)


def facts_now(upgrade: Upgrade, policy: Policy) -> JsonObject:
    """Give the slow-moving facts that votes bind to beside the plan: the conversion, the ring, the policy,
    and which findings of the report are accepted no longer."""
    facts: JsonObject = {
        "conversion": fingerprint_of(upgrade.service),
        "ring": _ring(upgrade.deployment),
        "policy": policy.digest,
    }
    lapsed = _lapsed(upgrade.service, upgrade.from_version, upgrade.to_version)
    # Votes given before the console knew of it still count: what is not there is not named.
    return {**facts, "lapsed": lapsed} if lapsed else facts


@read_once
def fingerprint_of(service: str) -> str | None:
    """Name the definition that is applied to a service; None where none is."""
    return Service.objects.filter(pk=service).values_list("definition__fingerprint", flat=True).first()


@read_once
def _ring(deployment: str) -> int | None:
    return Deployment.objects.filter(pk=deployment).values_list("ring", flat=True).first()


@read_once
def _lapsed(service: str, before: str, after: str) -> list[Json]:
    """Name the findings of the report that were accepted once and are no longer; what is accepted again stays named."""
    over = Q(ended_at__isnull=False) | Q(until__lte=timezone.now())
    rows = Waiver.objects.filter(over, service=service, before=before, after=after, approved_at__isnull=False)
    return [*rows.order_by("pk").values_list("pk", flat=True)]


def digest_now(upgrade: Upgrade, policy: Policy) -> str:
    """Name the evidence as it is now: the plan, the conversion, the ring and the policy."""
    return evidence_digest(upgrade.plan_digest, facts_now(upgrade, policy))


def vote_of(row: ApprovalVote) -> Vote:
    """Read a vote."""
    return Vote(
        row.who, VoteVerdict(row.verdict), row.at, row.round, row.digest, row.comment, void_words(row)
    )


@one_reading()
def request_of(row: ApprovalRequest) -> VotingRequest:
    """Read a request with its votes as it was asked; while it is open, votes count whose givers may vote now."""
    planned_at = row.upgrade.created_at
    request = VotingRequest(
        id=row.id,
        asked_by=row.asked_by,
        digest=row.digest,
        round=row.round,
        policy=policy_of(row.policy),
        created_at=row.created_at,
        votes=tuple(vote_of(vote) for vote in row.votes.all()),
        used=row.closed_as == RequestState.USED.value,
        void=row.closed_as == RequestState.VOID.value,
        planned_by=row.upgrade.created_by,
        behind=_behind(frozenset({row.asked_by, row.upgrade.created_by}), planned_at),
        delegations=tuple(Delegation(each.who, each.to) for each in row.delegations.all()),
    )
    if row.closed_at is not None:
        return request
    authors = authors_of(row.upgrade, ((row.asked_by, row.created_at),))
    control = control_of_authors(authors, planned_at, request.behind)
    return recounted_now(replace(request, author_control=control), approval_target(row), planned_at)


def authors_of(upgrade: Upgrade, askers: Authors | None = None) -> Authors:
    """List who planned an upgrade, changed its plan or asks for its approval, each with the instant of it."""
    if askers is None:
        open_ones = ApprovalRequest.objects.filter(upgrade=upgrade, closed_at__isnull=True)
        askers = tuple(open_ones.values_list("asked_by", "created_at"))
    return ((upgrade.created_by, upgrade.created_at), *askers, *_edits_of(upgrade.id))


@read_once
def _edits_of(upgrade_id: str) -> tuple[tuple[str, datetime], ...]:
    return tuple(
        UpgradeTimelineEntry.objects.filter(upgrade_id=upgrade_id, kind="edited").values_list("who", "at")
    )


@read_once
def _behind(authors: frozenset[str], planned_at: datetime) -> frozenset[str]:
    """Name who made a token of the accounts that planned or ask, if it was valid at any time since the plan."""
    theirs = Token.objects.filter(account__username__in=authors)
    since = theirs.exclude(revoked_at__lt=planned_at).exclude(expires_at__lt=planned_at)
    return frozenset(since.values_list("created_by", flat=True)) - authors


def request_now(row: ApprovalRequest) -> VotingRequest:
    """Read a request as the present evidence leaves it: votes for other evidence do not count."""
    asked = request_of(row)
    if row.closed_at is not None:
        return asked
    policy = policy_of_upgrade(row.upgrade, Purpose(row.purpose))
    digest = digest_now(row.upgrade, policy)
    if digest == row.digest:
        return asked
    return replace(asked, digest=digest, round=row.round + 1, policy=policy)


@one_reading()
def standing_of(row: ApprovalRequest, now: datetime) -> tuple[VotingRequest, RequestState]:
    """Read a request as the present evidence leaves it, with what it is worth now."""
    request = request_now(row)
    return request, RequestState(row.closed_as) if row.closed_as else state_of(request, now)


def state_now(row: ApprovalRequest, now: datetime) -> RequestState:
    """Tell what a request is worth now."""
    return RequestState(row.closed_as) if row.closed_as else standing_of(row, now)[1]


def current_request(upgrade: Upgrade, purpose: Purpose) -> ApprovalRequest | None:
    """Find the newest request of an upgrade, settled or not."""
    return (
        ApprovalRequest.objects.filter(upgrade=upgrade, purpose=purpose.value)
        .select_related("upgrade")
        .prefetch_related("votes", "delegations")
        .order_by("-created_at", "-id")
        .first()
    )


def evidence_of(checks: Sequence[ReadinessCheck]) -> list[Json]:
    """Write checks as the evidence that a request keeps and every surface shows."""
    return [
        {
            "check": check.check,
            "verdict": check.verdict.value,
            "sentence": check.sentence,
            "remedy": check.remedy,
            "at": check.at.isoformat().replace("+00:00", "Z") if check.at else None,
            **wording_as_json(check.phrases, check.remedy_phrases),
        }
        for check in checks
    ]


def where_of(row: Upgrade, needed: bool) -> Where:
    """Give the deployment of an upgrade, as windows are asked about it."""
    return Where(row.service, row.region, environment(), needed)


@read_once
def rules_and_revisions() -> tuple[list[WindowSpan], dict[str, int]]:
    """Read all windows and freezes, and their revisions by name."""
    rows = list(WindowRule.objects.all())
    return [window_from(vars(row)) for row in rows], {row.name: row.rev for row in rows}


def ruling_for(row: Upgrade, at: datetime, needed: bool) -> WindowRuling:
    """Rule on an upgrade; a rule that was changed since its override stands again."""
    rules, revisions = rules_and_revisions()
    where = where_of(row, needed)
    ruling = ruled(rules, at, where)
    if ruling.allowed:
        return ruling
    for kept in WindowOverride.objects.filter(upgrade=row, at__lte=at, until__gt=at):
        lifted = [name for name, rev in kept.rules.items() if revisions.get(name) == rev]
        now = ruled(rules, at, where, lifted)
        if lifted and now.allowed:
            return lifted_ruling(
                WindowRuling(True, NOTHING, ", ".join(lifted), ruling.considered),
                kept.who,
                kept.until,
                kept.reason,
            )
    return ruling
