"""What a changed window or policy does to the upgrades under way, in sentences for the person who changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import policy_of_upgrade, request_of
from migrations_app.control.approval_policies.repository.windows import window_ruling
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, require_reach
from migrations_app.domain.approvals.policy import OF_UPGRADES, Policy, Purpose
from migrations_app.domain.approvals.windows import WindowRuling
from migrations_app.domain.reach import Reach
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import where
from migrations_app.kernel.messages import WordedMessage, counted, message
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import LIVE_STATES, Upgrade

BEFORE_SWITCH = [State.PLANNED.value, State.SYNCING.value, State.READY.value]


@dataclass(frozen=True, slots=True)
class RuleDecisions:
    """How the rules decide about the upgrades under way, at one moment."""

    rulings: Mapping[str, tuple[str, WindowRuling]]
    policies: Mapping[tuple[str, Purpose], tuple[str, Policy]]
    votes: Mapping[str, tuple[str, int, int]]


def standing(actor: Actor) -> RuleDecisions:
    """Look at what the rules say now about every upgrade that is not over, as far as this actor may see them.

    Raises: Denied.
    """
    seen, now = require_reach(actor, "approval.read"), timezone.now()
    rulings, policies = {}, {}
    for row in Upgrade.objects.filter(within(seen), state__in=LIVE_STATES):
        place = where(row.service, row.region)
        for purpose in OF_UPGRADES:
            policies[row.id, purpose] = (place, policy_of_upgrade(row, purpose))
        if row.state in BEFORE_SWITCH:
            needed = policies[row.id, Purpose.SWITCH][1].window_needed
            rulings[row.id] = (place, window_ruling(row.service, row.region, now, needed))
    return RuleDecisions(rulings, policies, _votes(seen))


def warnings(before: RuleDecisions, after: RuleDecisions) -> list[WordedMessage]:
    """Say what a change did, or in a dry run would do, to the upgrades under way."""
    return [*_switches(before, after), *_asked(before, after), *_voided(before, after)]


def _switches(before: RuleDecisions, after: RuleDecisions) -> list[WordedMessage]:
    said = []
    for upgrade, (place, ruling) in after.rulings.items():
        old = before.rulings.get(upgrade)
        if old is not None and old[1].allowed and not ruling.allowed:
            held = message("The switch of {place} ({upgrade}) is held back:", place=place, upgrade=upgrade)
            said.append(held + ruling.message)
        elif old is not None and ruling.allowed and not old[1].allowed:
            said.append(
                message(
                    "The switch of {place} ({upgrade}) is no longer held back.", place=place, upgrade=upgrade
                )
            )
    return said


def _asked(before: RuleDecisions, after: RuleDecisions) -> list[WordedMessage]:
    said = []
    for key, (place, policy) in after.policies.items():
        old = before.policies.get(key)
        if old is not None and old[1] != policy:
            upgrade, purpose = key
            said.append(_needed(purpose, policy, place, upgrade))
    return said


def _needed(purpose: Purpose, policy: Policy, place: str, upgrade: str) -> WordedMessage:
    names = {"place": place, "upgrade": upgrade, "groups": policy.groups, "policy": policy.name}
    if purpose is Purpose.SWITCH:
        if not policy.total:
            return message(
                "The switch of {place} ({upgrade}) asks for no approval now, by {policy}.", **names
            )
        return counted(
            policy.total,
            "The switch of {place} ({upgrade}) asks for {count} approval of {groups} now, by {policy}.",
            "The switch of {place} ({upgrade}) asks for {count} approvals of {groups} now, by {policy}.",
            **names,
        )
    if not policy.total:
        return message("The rollback of {place} ({upgrade}) asks for no approval now, by {policy}.", **names)
    return counted(
        policy.total,
        "The rollback of {place} ({upgrade}) asks for {count} approval of {groups} now, by {policy}.",
        "The rollback of {place} ({upgrade}) asks for {count} approvals of {groups} now, by {policy}.",
        **names,
    )


def _voided(before: RuleDecisions, after: RuleDecisions) -> list[WordedMessage]:
    return [
        counted(
            given,
            "{count} vote on {request} ({place}) no longer counts; it is asked again.",
            "{count} votes on {request} ({place}) no longer count; it is asked again.",
            request=request,
            place=place,
        )
        for request, (place, round_, given) in before.votes.items()
        if given and request in after.votes and after.votes[request][1] != round_
    ]


def _votes(seen: Reach) -> dict[str, tuple[str, int, int]]:
    mine = within(seen, "upgrade__service", "upgrade__region")
    rows = ApprovalRequest.objects.filter(mine, closed_at__isnull=True)
    return {
        row.id: (where(row.upgrade.service, row.upgrade.region), row.round, len(request_of(row).counted))
        for row in rows.select_related("upgrade").prefetch_related("votes")
    }
