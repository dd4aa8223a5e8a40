"""Upgrades to be read: one, many, their story, curves, parked resources and report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet, Sum

from migrations_app.adapters.repositories.approvals import environment
from migrations_app.adapters.repositories.upgrade_moves import line_as_json
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.switch.states import LIVE
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.sync import ParkedResource, SyncCheckpoint
from migrations_app.models.upgrades import LIVE_STATES, Upgrade
from migrations_app.ports.upgrades import Direction
from migrations_app.queries.upgrade_view import iso, summary, view

FILTERS = ("service", "region", "state", "kind", "deployment", "to_version", "from_version")


def find(actor: Actor, upgrade_id: str) -> Upgrade:
    """Read the row of an upgrade that `actor` may see.

    Raises: Missing (`upgrade-missing`), Denied.
    """
    row = Upgrade.objects.prefetch_related("shards").filter(pk=upgrade_id).first()
    if row is None:
        raise Missing(f"There is no upgrade {upgrade_id}.", code="upgrade-missing")
    require(actor, "upgrade.read", Target("upgrade", row.id, row.service, row.region, environment()))
    return row


def upgrade(actor: Actor, upgrade_id: str) -> JsonObject:
    """Show one upgrade."""
    return view(actor, find(actor, upgrade_id))


def rev_of(actor: Actor, upgrade_id: str) -> int:
    """Tell an upgrade's revision, for who waits for a newer one."""
    return find(actor, upgrade_id).rev


def newest(actor: Actor, given: Mapping[str, str], after: Sequence[Json] | None, limit: int) -> list[Upgrade]:
    """List upgrades, newest first, after a key (creation time and id).

    Raises: Denied, Invalid (`filter`).
    """
    require(actor, "upgrade.read")
    rows: QuerySet[Upgrade] = _filtered(given).prefetch_related("shards")
    if after:
        at, upgrade_id = datetime.fromisoformat(str(after[0])), str(after[1])
        rows = rows.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=upgrade_id))
    return list(rows.order_by("-created_at", "-id")[:limit])


def key_of(row: Upgrade) -> list[Json]:
    """Give the key that a page goes on after."""
    return [row.created_at.isoformat(), row.id]


def show(row: Upgrade) -> JsonObject:
    """Show an upgrade as lists do."""
    return summary(row)


def _filtered(given: Mapping[str, str]) -> QuerySet[Upgrade]:
    rows = Upgrade.objects.all()
    for name, value in given.items():
        if name in FILTERS:
            rows = rows.filter(**{f"{name}__in": value.split(",")})
        elif name.endswith("__in") and name[:-4] in FILTERS:
            rows = rows.filter(**{name: value.split(",")})
        elif name == "live":
            rows = (
                rows.filter(state__in=LIVE_STATES) if value == "true" else rows.exclude(state__in=LIVE_STATES)
            )
        elif name == "q":
            rows = rows.filter(Q(deployment__icontains=value) | Q(id=value))
        else:
            raise Invalid(
                f"Upgrades are not filtered by {name!r}.",
                code="filter",
                remedy=f"Use {', '.join((*FILTERS, 'live', 'q'))}.",
            )
    return rows


def lines(actor: Actor, upgrade_id: str, after: int | None, limit: int) -> list[JsonObject]:
    """Tell the story, oldest first."""
    rows = find(actor, upgrade_id).lines.filter(pk__gt=after or 0)[:limit]
    return [line_as_json(row) for row in rows]


def samples(actor: Actor, upgrade_id: str) -> JsonObject:
    """Give the curves as columns."""
    rows = list(find(actor, upgrade_id).samples.all())
    return {
        "at": [iso(row.at) for row in rows],
        "ready": [row.ready for row in rows],
        "lag_p50": [row.lag_p50 for row in rows],
        "lag_p95": [row.lag_p95 for row in rows],
        "lag_max": [row.lag_max for row in rows],
        "rate": [row.rate for row in rows],
    }


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
    shards = list(row.shards.all())
    return {
        "upgrade": summary(row),
        "plan": row.plan,
        "finished": row.state not in {state.value for state in LIVE},
        "moves": [
            {"row": move.letter, "state": move.state, "at": iso(move.at), "who": move.who}
            for move in row.moves.all()
        ],
        "timeline": [line_as_json(line) for line in row.lines.all()],
        "counts": {**_carried(row), "parked": sum(shard.failed for shard in shards)},
        "peak_rate_per_second": max((sample.rate for sample in row.samples.all()), default=0.0),
        "freeze_ms": row.freeze_ms,
        "checks": row.checks,
        "votes": votes,
        "emergencies": [
            {"who": each.who, "ticket": each.ticket, "reason": each.reason, "reviewed_by": each.reviewed_by}
            for each in row.emergencies.all()
        ],
    }


def _carried(row: Upgrade) -> JsonObject:
    """Count what the forward copy brought: the shards' newest reports tell of the way back by now."""
    rows = SyncCheckpoint.objects.filter(upgrade=row.id, direction=Direction.FORWARD.value)
    found = rows.aggregate(copied=Sum("copied"), followed=Sum("applied"))
    return {"copied": found["copied"] or 0, "followed": found["followed"] or 0}


def parked(actor: Actor, upgrade_id: str) -> list[JsonObject]:
    """List what could not be carried over, by shard and name."""
    row = find(actor, upgrade_id)
    found = ParkedResource.objects.filter(upgrade=row.id).order_by("shard", "type", "name")[:1000]
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
