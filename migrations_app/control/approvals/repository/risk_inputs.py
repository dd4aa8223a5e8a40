"""What a request for approval puts at stake: when it would happen, what depends on it, and how risky it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Max, Sum
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import fingerprint_of
from migrations_app.control.registry.repository.upgrade_contexts import dependants_of, dependants_within
from migrations_app.control.schemas.repository.breaking_references import references_at_stake
from migrations_app.control.schemas.repository.compatibility import report_counts
from migrations_app.control.upgrade_state.repository.evidence import ruling_of
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.risk import Risk, RiskInputs, risk_of
from migrations_app.domain.reach import Reach
from migrations_app.domain.switch.guards import CheckVerdict, ReadinessCheck
from migrations_app.domain.switch.words import where
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.json import Json, JsonObject, digest
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import phrases_as_json, sentence_as_json
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade

SEEN_DAYS = 14
MOST_CALLERS = 20


def impact_of(
    row: Upgrade, purpose: Purpose, policy: Policy, checks: Sequence[ReadinessCheck], reach: Reach
) -> JsonObject:
    """Give what a decision about an upgrade puts at stake, with the evidence as it is now and what a reach shows."""
    report = _report(row)
    risk = _weighed(row, purpose, policy, checks, report)
    # A row stands for a shard that was counted.
    counted = [shard.total for shard in row.shards.all()]
    return {
        "when": _when(row, purpose, policy),
        "risk": {
            "level": risk.level.value,
            "reasons": list(risk.reasons),
            "reason_phrases": [phrases_as_json(each.phrases) for each in risk.words],
        },
        "blast": {
            "resources": sum(counted),
            "resources_counted": bool(counted),
            "regions": _regions(row, reach),
            "dependants": dependants_within(reach, row.service, row.region),
            "callers": _callers(row.service, _left(row, purpose)),
            "seen_days": SEEN_DAYS,
        },
        "report": report,
        "references": references_at_stake(row, _left(row, purpose), _taken(row, purpose)),
        "change": change_digest(row, purpose),
    }


def impact_summary_of(
    row: Upgrade, purpose: Purpose, policy: Policy, checks: Sequence[ReadinessCheck]
) -> JsonObject:
    """Give what a person with many decisions looks at first."""
    about = [check.verdict for check in checks if check.check != "approval"]
    return {
        "risk": risk_now(row, purpose, policy, checks).level.value,
        "failing": about.count(CheckVerdict.FAIL),
        "unknown": about.count(CheckVerdict.UNKNOWN),
        "change": change_digest(row, purpose),
    }


def risk_now(row: Upgrade, purpose: Purpose, policy: Policy, checks: Sequence[ReadinessCheck]) -> Risk:
    """Weigh a decision about an upgrade by the evidence as it is now."""
    return _weighed(row, purpose, policy, checks, _report(row))


def _weighed(
    row: Upgrade,
    purpose: Purpose,
    policy: Policy,
    checks: Sequence[ReadinessCheck],
    report: JsonObject | None,
) -> Risk:
    left = _left(row, purpose)
    about = [check for check in checks if check.check != "approval"]
    return risk_of(
        RiskInputs(
            critical=policy.critical,
            returns=row.downgrade_sync,
            failing=sum(not check.holds for check in about),
            warnings=sum(check.verdict is CheckVerdict.WARN for check in about),
            breaking=None if report is None else int(str(report["breaking"])),
            to_accept=0 if report is None else int(str(report["to_accept"])),
            dependants=tuple(
                where(each.service, each.region)
                for each in dependants_of(row.service, row.region)
                if each.builds_on == left
            ),
        )
    )


def _left(row: Upgrade, purpose: Purpose) -> str:
    """Name the version that would no longer be served in full."""
    return row.to_version if purpose is Purpose.REVERT else row.from_version


def _taken(row: Upgrade, purpose: Purpose) -> str:
    """Name the version that would be served in full from then on."""
    return row.from_version if purpose is Purpose.REVERT else row.to_version


def change_digest(row: Upgrade, purpose: Purpose) -> str:
    """Name what changes and how, wherever it happens: equal for one rollout's regions."""
    placeless = {name: value for name, value in row.plan.items() if name not in ("region", "ring")}
    return digest({"plan": placeless, "purpose": purpose.value})


def _when(row: Upgrade, purpose: Purpose, policy: Policy) -> JsonObject:
    """Tell when it would happen if the last vote came now."""
    now = timezone.now()
    if purpose is Purpose.REVERT:
        until = row.reversible_until
        back = (
            message("As soon as a person rolls it back, until {until_at}.", until_at=to_minute(until))
            if until
            else message("As soon as a person rolls it back.")
        )
        return {**sentence_as_json(back), "not_before": None}
    now_or_later = (
        message("By itself, any time from now on:")
        if row.automatic
        else message("When a person presses Switch, any time from now on:")
    )
    not_now = (
        message("By itself, but not now:")
        if row.automatic
        else message("When a person presses Switch, but not now:")
    )
    ruling = ruling_of(row, now, policy)
    if ruling.allowed:
        return {**sentence_as_json(now_or_later + ruling.message), "not_before": None}
    opens = ruling.next_open.isoformat().replace("+00:00", "Z") if ruling.next_open else None
    return {**sentence_as_json(not_now + ruling.message), "not_before": opens}


def _regions(row: Upgrade, reach: Reach) -> list[Json]:
    return [
        {"region": region, "version": version, "here": region == row.region}
        for region, version in Deployment.objects.filter(service=row.service, is_disabled=False)
        .order_by("region_id")
        .values_list("region_id", "current_version")
        if reach.covers(row.service, region)
    ]


def _callers(service: str, version: str) -> list[Json]:
    """Name who was seen to call the version that is left, busiest first."""
    since = (timezone.now() - timedelta(days=SEEN_DAYS)).date()
    rows = (
        UsageCount.objects.filter(service=service, version=version, path="", day__gte=since)
        .values("client")
        .annotate(messages=Sum("count"), last=Max("last_seen"))
        .order_by("-messages", "client")[:MOST_CALLERS]
    )
    return [
        {"client": each["client"], "messages": each["messages"], "last_seen": each["last"].isoformat()}
        for each in rows
    ]


def _report(row: Upgrade) -> JsonObject | None:
    return report_counts(row.service, fingerprint_of(row.service), row.from_version, row.to_version)
