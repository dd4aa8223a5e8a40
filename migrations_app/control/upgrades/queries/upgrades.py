"""Upgrades to be read: one, many, their story, curves, quarantined resources and report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from django.db.models import Count, F, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import environment
from migrations_app.control.audit.queries.gone import missing
from migrations_app.control.rows.within import within
from migrations_app.control.upgrade_state.repository.snapshots import REPORTING, snapshot_of, with_facts
from migrations_app.control.upgrade_state.repository.upgrade_rows import line_as_json
from migrations_app.control.upgrade_state.repository.upgrades import TURNS_KEPT
from migrations_app.control.upgrades.queries.phases import phases_of, rates_of, waiting_of
from migrations_app.control.upgrades.queries.view import summary, view
from migrations_app.domain.access import Actor, Target, require, require_reach
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.domain.switch.states import LIVE, State
from migrations_app.kernel.clock import iso
from migrations_app.kernel.errors import Invalid, Missing, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.sync import QuarantineEntry, SyncCheckpoint
from migrations_app.models.upgrades import LIVE_STATES, Upgrade, UpgradeSample
from migrations_app.ports.upgrades import Direction

NEWEST = "-created_at"
MOST_POINTS = 1000
_NEVER = Value(datetime(1970, 1, 1, tzinfo=UTC))
SORTS: dict[str, F | Coalesce] = {
    "created_at": F("created_at"),
    "started_at": Coalesce("started_at", _NEVER),
    "finished_at": Coalesce("finished_at", _NEVER),
    "deployment": F("deployment"),
    "state": F("state"),
}
FACETS = ("service", "region", "state", "kind")
FILTERS = ("service", "region", "state", "kind", "deployment", "to_version", "from_version")
PARAMETERS = (*FILTERS, *(f"{name}__in" for name in FILTERS), "live", "stalled", "q")
"""What narrows a list of upgrades; of `FILTERS` several values stand with commas between them."""
VALUES: Mapping[str, frozenset[str]] = {
    "state": frozenset(state.value for state in State),
    "kind": frozenset(kind.value for kind in UpgradeKind),
    "live": frozenset({"true", "false"}),
    "stalled": frozenset({"true", "false"}),
}


def find(actor: Actor, upgrade_id: str) -> Upgrade:
    """Read the row of an upgrade that `actor` may see.

    Raises: Missing (`upgrade-missing`), Gone, Denied.
    """
    row = with_facts(Upgrade.objects.filter(pk=upgrade_id)).first()
    if row is None:
        never = Missing(
            message("There is no upgrade {upgrade_id}.", upgrade_id=upgrade_id), code="upgrade-missing"
        )
        raise missing(actor, "upgrade.read", "upgrade", upgrade_id, never)
    require(actor, "upgrade.read", Target("upgrade", row.id, row.service, row.region, environment()))
    return row


def upgrade(actor: Actor, upgrade_id: str) -> JsonObject:
    """Show one upgrade."""
    return view(actor, find(actor, upgrade_id))


def rev_of(actor: Actor, upgrade_id: str) -> int:
    """Tell an upgrade's revision, for who waits for a newer one."""
    return find(actor, upgrade_id).rev


def listed(
    actor: Actor, given: Mapping[str, str], sort: str, after: Sequence[Json] | None, limit: int
) -> list[Upgrade]:
    """List upgrades in an order of SORTS (`-` before it turns it), after a key that `key_of` gave.

    Raises: Denied, Invalid (`filter`, `sort`).
    """
    name, downwards = _order(sort)
    rows = with_facts(_filtered(actor, given)).annotate(sort_key=SORTS[name])
    if after:
        value = datetime.fromisoformat(str(after[0])) if name.endswith("_at") else str(after[0])
        beyond = "lt" if downwards else "gt"
        later = Q(**{f"sort_key__{beyond}": value}) | Q(sort_key=value, **{f"id__{beyond}": str(after[1])})
        rows = rows.filter(later)
    sign = "-" if downwards else ""
    return list(rows.order_by(f"{sign}sort_key", f"{sign}id")[:limit])


def key_of(row: Upgrade, sort: str) -> list[Json]:
    """Give the key that a page goes on after."""
    value = getattr(row, "sort_key")  # noqa: B009 -- annotated by `listed`
    return [value.isoformat() if isinstance(value, datetime) else value, row.id]


def count(actor: Actor, given: Mapping[str, str], how: str) -> int:
    """Count what a list would show in all; an estimate stops at 10,000.

    Raises: Denied, Invalid (`filter`, `count`).
    """
    if how not in ("exact", "estimate"):
        raise Invalid(
            message("count is {how}.", how=repr(how)), code="count", remedy=message("Use exact or estimate.")
        )
    rows = _filtered(actor, given)
    return rows.count() if how == "exact" else rows.order_by()[:10_000].count()


def facets(actor: Actor, given: Mapping[str, str]) -> JsonObject:
    """Count upgrades by each of FACETS, with every filter but its own.

    Raises: Denied, Invalid (`filter`).
    """
    found: JsonObject = {}
    for name in FACETS:
        others = {key: value for key, value in given.items() if key.removesuffix("__in") != name}
        counted = _filtered(actor, others).order_by().values_list(name).annotate(many=Count("id"))
        found[name] = [{"value": value, "count": many} for value, many in sorted(counted)]
    return found


def _order(sort: str) -> tuple[str, bool]:
    name = sort.removeprefix("-")
    if name not in SORTS:
        raise Invalid(
            message("Upgrades are not sorted by {name}.", name=repr(name)),
            code="sort",
            remedy=message("Use {sorts}.", sorts=", ".join(SORTS)),
        )
    return name, sort.startswith("-")


def show(row: Upgrade) -> JsonObject:
    """Show an upgrade as lists do."""
    return summary(row)


def _filtered(actor: Actor, given: Mapping[str, str]) -> QuerySet[Upgrade]:
    rows = Upgrade.objects.filter(within(require_reach(actor, "upgrade.read")))
    for name, value in given.items():
        field = name.removesuffix("__in")
        _check_value(field, value)
        if field in FILTERS:
            rows = rows.filter(**{f"{field}__in": value.split(",")})
        elif name == "live":
            rows = (
                rows.filter(state__in=LIVE_STATES) if value == "true" else rows.exclude(state__in=LIVE_STATES)
            )
        elif name == "stalled":
            rows = _stalled(rows, value == "true")
        elif name == "q":
            rows = rows.filter(Q(deployment__icontains=value) | Q(id=value))
        else:
            raise Invalid(
                message("Upgrades are not filtered by {name}.", name=repr(name)),
                code="filter",
                remedy=message("Use {item}.", item=", ".join((*FILTERS, "live", "stalled", "q"))),
            )
    return rows


def _check_value(field: str, value: str) -> None:
    known = VALUES.get(field)
    unknown = [each for each in value.split(",") if known is not None and each not in known]
    if unknown and value:
        raise Invalid(
            message("{field} is {unknown}.", field=field, unknown=repr(unknown[0][:80])),
            code="filter",
            remedy=message("Use {known}.", known=", ".join(sorted(known or ()))),
            violations=(Violation(field, message("There is no such value."), code="filter"),),
        )


def lines(actor: Actor, upgrade_id: str, after: int | None, limit: int) -> list[JsonObject]:
    """Tell the story, oldest first."""
    rows = find(actor, upgrade_id).lines.filter(pk__gt=after or 0)[:limit]
    return [line_as_json(row) for row in rows]


def _stalled(rows: QuerySet[Upgrade], stalled: bool) -> QuerySet[Upgrade]:
    """Those that should get on without a report for too long, as the snapshot tells of each; or the others."""
    moving = with_facts(rows.filter(state__in=[state.value for state in REPORTING]))
    silent = [row.pk for row in moving if snapshot_of(row).stall is not None]
    return rows.filter(pk__in=silent) if stalled else rows.exclude(pk__in=silent)


def last_changed(actor: Actor, upgrade_id: str) -> JsonObject | None:
    """Tell who did the last thing that the story of an upgrade knows, when, and what; empty where Switchyard did."""
    row = find(actor, upgrade_id).lines.order_by("-pk").first()
    if row is None:
        return None
    phrases = {"what_phrases": row.phrases} if row.phrases else {}
    return {"who": row.who, "at": iso(row.at), "what": row.text, **phrases}


def line(actor: Actor, upgrade_id: str, seq: int) -> JsonObject:
    """Show one line of the story."""
    return line_as_json(find(actor, upgrade_id).lines.get(pk=seq))


def samples(actor: Actor, upgrade_id: str) -> JsonObject:
    """Give the curves as columns."""
    return columns_of(list(find(actor, upgrade_id).samples.all()))


def samples_of_day(actor: Actor, service: str, region: str) -> JsonObject:
    """Give the curves of all upgrades of a deployment within the last day, one after the other."""
    require(actor, "upgrade.read", Target("deployment", service=service, region=region))
    since = timezone.now() - timedelta(days=1)
    kept = UpgradeSample.objects.filter(upgrade__service=service, upgrade__region=region, at__gt=since)
    rows = list(kept.order_by("at"))
    return columns_of(rows[:: max(1, len(rows) // MOST_POINTS)])


def columns_of(rows: Sequence[UpgradeSample]) -> JsonObject:
    """Write points of curves as columns."""
    return {
        "at": [iso(row.at) for row in rows],
        "ready": [row.ready for row in rows],
        "lag_p50": [row.lag_p50 for row in rows],
        "lag_p95": [row.lag_p95 for row in rows],
        "lag_max": [row.lag_max for row in rows],
        "rate": [row.rate for row in rows],
        "write_p95": [row.write_p95 for row in rows],
    }


def shard_turns(actor: Actor, upgrade_id: str, shard: int) -> list[Json]:
    """Tell how one shard came to where it is, oldest first; the last hundred turns.

    Raises: Denied, Missing (`upgrade-missing`, `shard-missing`).
    """
    row = find(actor, upgrade_id)
    most = max(row.ring, row.target_shard_count or 0)
    if shard >= most:
        raise Missing(
            message("It has {most} shards, no {shard}.", most=most, shard=shard), code="shard-missing"
        )
    turns = row.shard_turns.filter(shard=shard).order_by("-pk")[:TURNS_KEPT]
    return [
        {
            "at": iso(turn.at),
            "state": turn.state,
            "stage": turn.stage,
            "copied": turn.copied,
            "applied": turn.applied,
            "error": turn.error,
        }
        for turn in reversed(turns)
    ]


def report(actor: Actor, upgrade_id: str) -> JsonObject:
    """Tell everything about an upgrade in one document, as it is exported."""
    row = find(actor, upgrade_id)
    votes: list[Json] = [
        {
            "purpose": request.purpose,
            "who": vote.who,
            "verdict": vote.verdict,
            "at": iso(vote.at),
            "digest": vote.digest,
            "void": vote.void_reason,
        }
        for request in row.approval_requests.prefetch_related("votes")
        for vote in request.votes.all()
    ]
    phases = phases_of(row)
    return {
        "upgrade": summary(row),
        "plan": row.plan,
        "finished": row.state not in {state.value for state in LIVE},
        "moves": [
            {"row": move.letter, "state": move.state, "at": iso(move.at), "who": move.who}
            for move in row.moves.all()
        ],
        "timeline": [line_as_json(line) for line in row.lines.all()],
        "counts": {**_carried(row), "quarantined": snapshot_of(row).quarantined_resources},
        "phases_seconds": phases,
        "waiting_seconds": waiting_of(phases),
        "rates_per_second": rates_of(row, phases),
        "peak_rate_per_second": max((sample.rate for sample in row.samples.all()), default=0.0),
        "freeze_ms": row.freeze_ms,
        "rollback_freeze_ms": row.rollback_freeze_ms,
        "checks": row.checks,
        "votes": votes,
        "emergencies": [
            {"who": each.who, "ticket": each.ticket, "reason": each.reason, "reviewed_by": each.reviewed_by}
            for each in row.emergencies.all()
        ],
    }


def _carried(row: Upgrade) -> JsonObject:
    """Count what the forward copy brought: the shards' newest reports tell of the rollback by now."""
    rows = SyncCheckpoint.objects.filter(upgrade=row.id, direction=Direction.FORWARD.value)
    found = rows.aggregate(copied=Sum("copied"), followed=Sum("applied"))
    return {"copied": found["copied"] or 0, "followed": found["followed"] or 0}


def quarantined(actor: Actor, upgrade_id: str) -> list[JsonObject]:
    """List what could not be carried over, by shard and name."""
    row = find(actor, upgrade_id)
    found = QuarantineEntry.objects.filter(upgrade=row.id).order_by("shard", "type", "name")[:1000]
    return [
        {
            "shard": each.shard,
            "type": each.type,
            "name": each.name,
            "revision": each.revision,
            "error": each.error,
            "code": each.code,
            "attempts": each.attempts,
            "retry_at": iso(each.retry_at),
            "state": each.state,
            "changes_behind": each.changes_behind,
        }
        for each in found
    ]


def operation_of(actor: Actor, upgrade_id: str) -> str:
    """Name the operation that carries out what was asked last; empty when nothing is under way."""
    return find(actor, upgrade_id).operation
