"""Who may have planned, asked and voted: voters with their groups, and with everybody who could act as them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from migrations_app.control.access.repository.access import actor_of, environment, lasting_actor_of
from migrations_app.domain.access import ROLES, Actor, Target, decide
from migrations_app.domain.approvals.account_control import (
    AccountControlChange,
    AccountHistory,
    ChangeKind,
    Control,
    author_refusal,
    joined,
)
from migrations_app.domain.approvals.electorate import Elector, recounted
from migrations_app.domain.approvals.votes import Vote, Voter, VotingRequest
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, as_message, message
from migrations_app.kernel.one_reading import read_once
from migrations_app.kernel.wordings import phrases_as_json, phrases_from_json
from migrations_app.models.access import Account, RoleBinding
from migrations_app.models.account_changes import AccountChange as AccountChangeRow
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import UpgradeTimelineEntry
from migrations_app.models.votes import VoteRow

VOTE = ("approval.vote",)
Authors = Sequence[tuple[str, datetime]]
"""Accounts that planned, changed a plan or asked, each with the instant when it did."""


def groups_of(actor: Actor, target: Target | None = None) -> frozenset[str]:
    """Name the roles an actor holds (towards a target), and the groups that gave them."""
    grants = [grant for grant in actor.grants if target is None or grant.covers(target)]
    through = {grant.through.removeprefix("group ") for grant in grants if grant.through}
    return frozenset({grant.role for grant in grants} | through)


def voter_of(actor: Actor, row: ApprovalRequest) -> Voter:
    """Make the voter an actor is, with the groups that others lent them; who may not vote at all has none."""
    groups = _groups_to_vote(actor, approval_target(row)).union(*_lent(actor, row))
    return Voter(actor.name, groups, edited=row.upgrade_id in _edited_by(actor.name))


def voter_in_own_right(actor: Actor, target: Target) -> Voter:
    """Make the voter an actor is by their own roles and groups."""
    return Voter(actor.name, _groups_to_vote(actor, target))


def values_of(vote: Vote) -> dict[str, Any]:
    """Give what every table of votes keeps of a vote."""
    return {
        "round": vote.round,
        "who": vote.who,
        "verdict": vote.verdict.value,
        "digest": vote.digest,
        "comment": vote.comment,
        "at": vote.at,
    }


def void_words(row: VoteRow) -> WordedMessage:
    """Read why a vote is void; a process of an older version keeps the sentence only."""
    return as_message(row.void_reason, phrases_from_json(row.void_phrases))


def keep_void(row: VoteRow, reason: WordedMessage) -> None:
    """Keep of a vote that it is void, and why."""
    row.void_reason, row.void_phrases = str(reason), phrases_as_json(reason.phrases)
    row.save(update_fields=["void_reason", "void_phrases"])


def void_round(votes: QuerySet[Any], reason: WordedMessage) -> int:
    """Make void those of some votes that count; say how many."""
    counted = votes.filter(void_reason="")
    return counted.update(void_reason=str(reason), void_phrases=phrases_as_json(reason.phrases))


def void_as_json(reason: WordedMessage, name: str = "void_reason") -> JsonObject:
    """Answer why a vote is void, with the phrases where it is."""
    phrases = {"void_phrases": phrases_as_json(reason.phrases)} if reason else {}
    return {name: str(reason), **phrases}


def account_named(name: str) -> Account | None:
    """Find the account of a person who may sign in."""
    return Account.objects.filter(username=name, is_active=True, kind="user").first()


@read_once
def _edited_by(name: str) -> frozenset[str]:
    """Name the upgrades whose plan a person changed; a plan of one's own making is approved by others."""
    edits = UpgradeTimelineEntry.objects.filter(kind="edited", who__iexact=name)
    return frozenset(edits.values_list("upgrade_id", flat=True))


def _groups_to_vote(actor: Actor, target: Target) -> frozenset[str]:
    return groups_of(actor, target) if decide(actor, "approval.vote", target).allowed else frozenset()


def _lent(actor: Actor, row: ApprovalRequest) -> list[frozenset[str]]:
    """A word is worth what its giver's would be now; it never replaces the right to vote at all."""
    givers = [each.who for each in row.delegations.all() if each.to == actor.name]
    if not givers or not decide(actor, "approval.vote", approval_target(row)).allowed:
        return []
    accounts = [account for name in givers if (account := account_named(name))]
    target = approval_target(row)
    return [_groups_to_vote(actor_of(account), target) for account in accounts]


def approval_target(row: ApprovalRequest) -> Target:
    """Name a request for decisions and the ledger."""
    of = row.upgrade
    return Target("approval", row.id, of.service, of.region, environment(), requested_by=row.asked_by)


def control_of_authors(
    authors: Authors, planned_at: datetime, makers: frozenset[str] = frozenset()
) -> Control:
    """Find who may have planned it or asked for it; `makers` made tokens of those accounts."""
    history = history_of([name for name, _ in authors], planned_at)
    return joined(
        [{name.lower(): () for name in makers}, *(history.control(name, until) for name, until in authors)]
    )


def with_control(voter: Voter, planned_at: datetime, at: datetime | None = None) -> Voter:
    """Add to a voter who may act as them, and who let them vote."""
    history, now = history_of([voter.name], planned_at), at or timezone.now()
    return Voter(
        voter.name,
        voter.groups,
        voter.edited,
        history.control(voter.name, now),
        history.entitled_by(voter.name, now),
    )


def recounted_now(
    request: VotingRequest, target: Target, planned_at: datetime, permissions: tuple[str, ...] = VOTE
) -> VotingRequest:
    """Make the votes of a request void whose givers may not vote now, or are not who they seem."""
    electors = {}
    for vote in request.counted:
        givers = [each.who for each in request.delegations if each.to == vote.who]
        lost, groups = _standing(vote.who, target, permissions)
        for giver in givers:
            groups |= _standing(giver, target, permissions)[1] if not lost else frozenset()
        voter = with_control(Voter(vote.who, groups), planned_at, vote.at)
        electors[vote.who] = Elector(groups, lost, voter.control, voter.entitled_by)
    return recounted(request, electors)


def dependence_of(actor: Actor, authors: Authors, planned_at: datetime) -> WordedMessage:
    """Say why an actor is no second person beside the authors, through any account; empty when they are."""
    voter = with_control(Voter(actor.person, frozenset()), planned_at)
    return author_refusal(control_of_authors(authors, planned_at), voter.control, voter.entitled_by)


def refuse_dependent(actor: Actor, authors: Authors, planned_at: datetime, remedy: WordedMessage) -> None:
    """Refuse a second person's decision to the one who asked for it, through any account.

    Raises: Denied (`same-person`).
    """
    reason = dependence_of(actor, authors, planned_at)
    if reason:
        raise Denied(
            reason,
            code="same-person",
            remedy=remedy,
            who_can=("another person",),
        )


def refuse_borrowed(actor: Actor, authors: Authors, planned_at: datetime, remedy: WordedMessage) -> None:
    """Refuse to an author what another account may do, where the author may act as that account.

    Raises: Denied (`same-person`, `token-of-another`).
    """
    if actor.by_token_of_another and not actor.service_account:
        raise Denied(
            message(
                "{token_maker} made this token for {name}; it does not stand for {name} here.",
                token_maker=actor.token_maker,
                name=actor.name,
            ),
            code="token-of-another",
            remedy=message("{name} does it after signing in.", name=actor.name),
            who_can=(actor.name,),
        )
    control = with_control(Voter(actor.person, frozenset()), planned_at).control
    others = {person: path for person, path in control.items() if path}
    reason = author_refusal({name.lower(): () for name, _ in authors}, others)
    if reason:
        raise Denied(
            reason,
            code="same-person",
            remedy=remedy,
            who_can=("another person",),
        )


def _standing(
    name: str, target: Target, permissions: tuple[str, ...]
) -> tuple[WordedMessage, frozenset[str]]:
    """Say why an account may not vote any more, or give the groups it votes for."""
    actor = _voting_actor(name)
    if actor is None:
        return _closed(name), frozenset()
    for permission in permissions:
        decision = decide(actor, permission, target)
        if not decision.allowed:
            lost = message(
                "{who} may not vote here any more; it takes {roles}.",
                who=name,
                roles=" or ".join(decision.who_can),
            )
            return lost, frozenset()
    return NOTHING, groups_of(actor, target)


@read_once
def _voting_actor(name: str) -> Actor | None:
    account = Account.objects.filter(username__iexact=name, is_active=True, kind="user").first()
    return lasting_actor_of(account) if account else None


def _closed(name: str) -> WordedMessage:
    closed = [change for change in changes_of(name.lower()) if change.kind is ChangeKind.CLOSED]
    return closed[-1].words if closed else message("The account {account} is closed.", account=name)


def history_of(names: Iterable[str], planned_at: datetime) -> AccountHistory:
    """Read the changes of accounts, and of those that made them."""
    changes: list[AccountControlChange] = []
    waiting, read = [name.lower() for name in names], set[str]()
    while waiting:
        name = waiting.pop()
        if name in read or not name:
            continue
        read.add(name)
        own = changes_of(name)
        changes += own
        waiting += [change.who.lower() for change in own]
    return AccountHistory(tuple(changes), planned_at)


@read_once
def changes_of(name: str) -> tuple[AccountControlChange, ...]:
    """Read the changes of one account, with those of the groups it is in and of the roles it holds."""
    account = Account.objects.filter(username__iexact=name).first()
    groups = list(account.groups) if account else []
    wanted = Q(subject_kind="account", subject__iexact=name)
    if groups:
        wanted |= Q(subject_kind="group", subject__in=groups)
    if account:
        held = Q(subject_kind="account", subject=account.username) | Q(
            subject_kind="group", subject__in=groups
        )
        roles = set(RoleBinding.objects.filter(held).values_list("role", flat=True)) - set(ROLES)
        wanted |= Q(subject_kind="role", subject__in=roles)
    shown = account.username if account else name
    return tuple(
        _change_of(row, shown) for row in AccountChangeRow.objects.filter(wanted).order_by("at", "id")
    )


def accounts_changed_by(persons: Iterable[str], since: datetime) -> list[str]:
    """Name the accounts that some persons changed since an instant, or whose passwords they ever set, by name."""
    wanted = Q(pk__in=[])
    for person in persons:
        wanted |= Q(who__iexact=person)
    counted = Q(at__gte=since) | Q(kind=ChangeKind.PASSWORD.value)
    rows = AccountChangeRow.objects.filter(wanted, counted, subject_kind="account")
    return sorted(set(rows.values_list("subject", flat=True)))


def _change_of(row: AccountChangeRow, account: str) -> AccountControlChange:
    through = "" if row.subject_kind == "account" else f" ({row.subject_kind} {row.subject})"
    return AccountControlChange(account, ChangeKind(row.kind), row.who, row.at, f"{row.detail}{through}")
