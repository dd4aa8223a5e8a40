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
from migrations_app.domain.switch.words import count, where
from migrations_app.kernel.json import Json
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


def warnings(before: RuleDecisions, after: RuleDecisions) -> list[Json]:
    """Say what a change did, or in a dry run would do, to the upgrades under way."""
    return [*_switches(before, after), *_asked(before, after), *_voided(before, after)]


def _switches(before: RuleDecisions, after: RuleDecisions) -> list[str]:
    said = []
    for upgrade, (place, ruling) in after.rulings.items():
        old = before.rulings.get(upgrade)
        if old is not None and old[1].allowed and not ruling.allowed:
            said.append(f"The switch of {place} ({upgrade}) is held back: {ruling.sentence}")
        elif old is not None and ruling.allowed and not old[1].allowed:
            said.append(f"The switch of {place} ({upgrade}) is no longer held back.")
    return said


def _asked(before: RuleDecisions, after: RuleDecisions) -> list[str]:
    said = []
    for key, (place, policy) in after.policies.items():
        old = before.policies.get(key)
        if old is not None and old[1] != policy:
            upgrade, purpose = key
            asks = f"{count(policy.total, 'approval')} of {policy.groups}" if policy.total else "no approval"
            said.append(f"The {purpose.value} of {place} ({upgrade}) asks for {asks} now, by {policy.name}.")
    return said


def _voided(before: RuleDecisions, after: RuleDecisions) -> list[str]:
    return [
        f"{count(given, 'vote')} on {request} ({place}) no longer count{'s' if given == 1 else ''}; it is asked again."
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
