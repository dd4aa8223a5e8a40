"""Set and remove approval policies; open requests are asked again under the policy that then counts."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction

from migrations_app.control.approval_policies.repository.approvals import (
    authors_of,
    policy_of,
    policy_of_upgrade,
)
from migrations_app.control.approval_policies.repository.electors import control_of_authors, with_control
from migrations_app.control.approvals.repository.rounds import freshen
from migrations_app.control.audit.ledger import last_change, record
from migrations_app.control.events.outbox import publish
from migrations_app.domain.access import Actor, Target, require, require_within, roles_with
from migrations_app.domain.approvals.account_control import author_refusal
from migrations_app.domain.approvals.policy import Policy, Purpose, checked
from migrations_app.domain.approvals.votes import Voter
from migrations_app.domain.events import Place
from migrations_app.kernel.errors import Denied, Missing, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.one_reading import one_reading
from migrations_app.models.approvals import ApprovalPolicy, ApprovalRequest
from migrations_app.models.upgrades import LIVE_STATES, Upgrade


def apply_policy(actor: Actor, policy: Policy, rev: int | None = None) -> str:
    """Set a policy by its name; revision 0 stands for one that is not there yet. The same again by one account
    changes nothing.

    Raises: Denied (`denied`, `policy-own`), Invalid (`policy`), Stale (`policy-changed`).
    """
    scope = policy.scope
    target = Target("policy", policy.name, scope.service, scope.region, scope.environment)
    require(actor, "policy.write", target)
    checked(policy)
    with transaction.atomic():
        row = ApprovalPolicy.objects.select_for_update().filter(name=policy.name).first()
        if row is not None:
            # Moving a policy out of a scope takes the permission there as well.
            require(actor, "policy.write", _target_of(row))
        _expect(row, rev)
        before = policy_of(row).as_json() if row else None
        # The same by another person is no repetition: a second person stands for what the first one set.
        if row is not None and before == policy.as_json() and row.updated_by == actor.name:
            return policy.name
        counted = _what_counts(actor)
        moved_from = _place_of(row) if row else None
        row = row or ApprovalPolicy(name=policy.name, rev=0)
        given = asdict(policy) | asdict(policy.scope)
        given |= {"then": list(given["then"]), "about": policy.about.as_json()}
        for name, value in given.items():
            if name != "scope":
                setattr(row, name, value)
        row.rev, row.updated_by = row.rev + 1, actor.name
        row.save()
        _no_own_gain(actor, counted)
        record(actor, "policy.write", target, "done", before, policy.as_json())
        full: JsonObject = {**policy.as_json(), "rev": row.rev}
        if moved_from and moved_from != _place_of(row):
            publish("approvals", "policy", policy.name, places=[moved_from])
        publish("approvals", "policy", policy.name, full=full, rev=row.rev, places=[_place_of(row)])
    _ask_anew()
    return policy.name


def has_policy(name: str) -> bool:
    """Tell whether a policy of this name was set."""
    return ApprovalPolicy.objects.filter(name=name).exists()


def delete_policy(actor: Actor, name: str, rev: int | None = None) -> None:
    """Remove a policy.

    Raises: Denied (`denied`, `policy-own`), Missing (`policy-missing`), Stale (`policy-changed`).
    """
    require_within(actor, "policy.write")
    with transaction.atomic():
        row = ApprovalPolicy.objects.select_for_update().filter(name=name).first()
        if row is None:
            raise Missing(message("There is no policy {name}.", name=name), code="policy-missing")
        require(actor, "policy.write", _target_of(row))
        _expect(row, rev)
        counted = _what_counts(actor)
        record(actor, "policy.delete", _target_of(row), "done", before=policy_of(row).as_json())
        row.delete()
        _no_own_gain(actor, counted)
        publish("approvals", "policy", name, places=[_place_of(row)])
    _ask_anew()


def _place_of(row: ApprovalPolicy) -> Place:
    return row.service, row.region


def _target_of(row: ApprovalPolicy) -> Target:
    return Target("policy", row.name, row.service, row.region, row.environment)


def _expect(row: ApprovalPolicy | None, rev: int | None) -> None:
    if rev is not None and rev != (row.rev if row else 0):
        current: JsonObject | None = {**policy_of(row).as_json(), "rev": row.rev} if row else None
        raise Stale(
            message("The policy changed since you looked."),
            code="policy-changed",
            remedy=message("Read it again."),
            current=current,
            changed=last_change("policy", row.name, "policy.write") if row else None,
        )


def _what_counts(actor: Actor) -> dict[tuple[str, Purpose], Policy]:
    """Find the policies that decide about what `actor` planned or asked for and is not over yet."""
    with one_reading():
        own = [row for row in Upgrade.objects.filter(state__in=LIVE_STATES) if _is_own(actor, row)]
    purposes = [purpose for purpose in Purpose if purpose is not Purpose.BROWN_OUT]
    return {(row.id, purpose): policy_of_upgrade(row, purpose) for row in own for purpose in purposes}


def _is_own(actor: Actor, row: Upgrade) -> bool:
    """Tell whether the actor planned an upgrade or asks for it, through whatever account."""
    changer = with_control(Voter(actor.person, frozenset()), row.created_at)
    return bool(author_refusal(control_of_authors(authors_of(row), row.created_at), changer.control))


def _no_own_gain(actor: Actor, before: dict[tuple[str, Purpose], Policy]) -> None:
    """Refuse a change that decides otherwise about the actor's own upgrade: that would be approving it.

    Raises: Denied (`policy-own`).
    """
    after = _what_counts(actor)
    changed = sorted(
        upgrade for (upgrade, purpose), policy in before.items() if after[upgrade, purpose] != policy
    )
    if changed:
        roles = tuple(
            f"role {role}, except {actor.name}" for role in roles_with("policy.write", actor.made())
        )
        raise Denied(
            message("This would change the approval of your own upgrade {changed}.", changed=changed[0]),
            code="policy-own",
            remedy=message("Let another person change it, or end the upgrade first."),
            who_can=roles,
        )


def _ask_anew() -> None:
    for request_id in ApprovalRequest.objects.filter(closed_at__isnull=True).values_list("id", flat=True):
        freshen(request_id)
