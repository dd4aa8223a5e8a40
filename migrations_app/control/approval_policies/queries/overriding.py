"""Who may go past the windows and freezes in the way of a deployment."""

from __future__ import annotations

from datetime import datetime

from migrations_app.control.approval_policies.repository.approvals import environment, rules_and_revisions
from migrations_app.control.approval_policies.repository.electors import groups_of
from migrations_app.domain.access import Actor, Target
from migrations_app.domain.approvals.overriding import Where, in_the_way, may_override, refusal
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import NOTHING
from migrations_app.kernel.wordings import phrases_as_json


def overriding(actor: Actor, service: str, region: str, at: datetime, needed: bool) -> JsonObject:
    """Tell who may go past what forbids a switch, and whether this actor may."""
    rules, _ = rules_and_revisions()
    where = Where(service, region, environment(), needed)
    barring = in_the_way(rules, at, where)
    groups = groups_of(actor, Target("deployment", service=service, region=region))
    refused = [rule for rule in barring if not may_override(rule, actor.name, groups)]
    may = bool(barring) and not refused
    why = refusal(refused[0]) if refused else NOTHING
    return {
        "overriders": [*dict.fromkeys(each for rule in refused or barring for each in rule.overriders)],
        "may_override": may,
        "override_refusal": str(why),
        **({"override_refusal_phrases": phrases_as_json(why.phrases)} if why else {}),
    }
