"""What votes were given for, kept fact by fact, so that a void vote can say which of them changed."""

from __future__ import annotations

from migrations_app.control.approval_policies.repository.approvals import facts_now, fingerprint_of, policy_of
from migrations_app.control.schemas.repository.compatibility import report_counts
from migrations_app.domain.approvals.policy import Policy
from migrations_app.domain.switch.words import count
from migrations_app.kernel.json import JsonObject
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import Upgrade

UNKNOWN = "plan, conversion, shards or policy are not what they were"


def bound_now(upgrade: Upgrade, policy: Policy) -> JsonObject:
    """Give what a round of votes binds to, with what clients would notice of the conversion."""
    service, before, after = upgrade.service, upgrade.from_version, upgrade.to_version
    report = report_counts(service, fingerprint_of(service), before, after)
    breaking = None if report is None else report["breaking"]
    return {"plan": upgrade.plan_digest, **facts_now(upgrade, policy), "breaking": breaking}


def why_void(row: ApprovalRequest, policy: Policy) -> str:
    """Say in a sentence what changed since the round of `row` began."""
    before, now = row.bound, bound_now(row.upgrade, policy)
    said = []
    if before:
        if before["plan"] != now["plan"]:
            said.append("the plan was edited")
        if before["conversion"] != now["conversion"]:
            said.append(f"the conversion was defined anew{_breaking(before['breaking'], now['breaking'])}")
        if ended := _ended(before, now):
            findings = count(ended, "finding")
            verb = "is" if ended == 1 else "are"
            said.append(f"{findings} of the compatibility report {verb} accepted no longer")
        if before["ring"] != now["ring"]:
            said.append(f"resharded from {before['ring']} to {now['ring']} shards")
        if before["policy"] != now["policy"]:
            said.append(
                f"the policy {policy.name} asks for {policy.asks}{_instead(policy_of(row.policy), policy)}"
            )
    return f"The evidence changed: {'; '.join(said) or UNKNOWN}."


def _ended(before: JsonObject, now: JsonObject) -> int:
    then, after = before.get("lapsed"), now.get("lapsed")
    return len(after) - (len(then) if isinstance(then, list) else 0) if isinstance(after, list) else 0


def _instead(old: Policy, new: Policy) -> str:
    if old.asks != new.asks:
        return f" instead of {old.asks}"
    return "" if old.name == new.name else f" in place of {old.name}"


def _breaking(before: object, now: object) -> str:
    """Say how many places more, or fewer, would break clients."""
    if not isinstance(before, int) or not isinstance(now, int) or before == now:
        return ""
    places = count(abs(now - before), "place")
    return f", {places} {'more' if now > before else 'fewer'} would break clients"
