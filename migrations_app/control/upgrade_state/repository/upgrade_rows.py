"""The row of an upgrade: locked, named for decisions, and what is written beside it: its lines, the end of requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F
from django.utils import timezone

from migrations_app.control.access.repository.access import environment
from migrations_app.control.events.outbox import publish
from migrations_app.domain.access import Target
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.kernel.errors import Missing, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message, phrases_of
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import Upgrade, UpgradeTimelineEntry
from migrations_app.ports.upgrades import TimelineEntry

DIRECTOR = "switch"
"""The controller whose key is the upgrade itself."""


def locked(upgrade_id: str) -> Upgrade:
    """Read an upgrade and keep others from changing it until the transaction ends.

    Raises: Missing (`upgrade-missing`).
    """
    # Its key does not change, so what refers to it (reports, lines, samples) may be written meanwhile. Locked together
    # with its key, a shard that reports and a director that moves the upgrade would each wait for the other: the one
    # holds the registry and is to look for the upgrade when it commits, the other one holds the upgrade.
    row = Upgrade.objects.select_for_update(no_key=True).filter(pk=upgrade_id).first()
    if row is None:
        raise Missing(
            message("There is no upgrade {upgrade_id}.", upgrade_id=upgrade_id), code="upgrade-missing"
        )
    return row


def target_of(row: Upgrade) -> Target:
    """Name an upgrade for decisions and the ledger."""
    return Target("upgrade", row.id, row.service, row.region, environment())


def expect_rev(row: Upgrade, rev: int | None) -> None:
    """Let a caller pass who saw the newest revision, or does not care.

    Raises: Stale (`upgrade-changed`).
    """
    if rev is not None and rev != row.rev:
        raise Stale(
            message(
                "Upgrade {id} changed since you looked: it is at revision {rev}, you saw {rev_2}.",
                id=row.id,
                rev=row.rev,
                rev_2=rev,
            ),
            code="upgrade-changed",
            remedy=message("Read it again."),
            rev=row.rev,
        )


def add_line(upgrade_id: str, who: str, line: TimelineEntry) -> int:
    """Add a line to an upgrade's story, tell watchers, and give its number."""
    kept = UpgradeTimelineEntry.objects.create(
        upgrade_id=upgrade_id,
        at=timezone.now(),
        who=who,
        kind=line.kind,
        text=line.text,
        phrases=phrases_as_json(phrases_of(line.words)),
        details=dict(line.details),
    )
    publish(f"upgrade:{upgrade_id}", "line", f"{upgrade_id}/{kept.pk}", full=line_as_json(kept))
    return int(kept.pk)


def line_as_json(row: UpgradeTimelineEntry) -> JsonObject:
    """Give a line as the API and the stream show it."""
    details: Mapping[str, Any] = row.details
    return {
        "seq": row.pk,
        "at": row.at.isoformat().replace("+00:00", "Z"),
        "who": row.who,
        "kind": row.kind,
        "text": row.text,
        **({"phrases": row.phrases} if row.phrases else {}),
        "details": dict(details),
    }


def close_request(row: ApprovalRequest, state: RequestState, why: WordedMessage) -> None:
    """End a request for approval: used, void, rejected or expired."""
    reason, phrases = str(why), phrases_as_json(why.phrases)
    changed = ApprovalRequest.objects.filter(pk=row.pk, closed_at__isnull=True).update(
        closed_at=timezone.now(),
        closed_as=state.value,
        closed_reason=reason,
        closed_phrases=phrases,
        rev=F("rev") + 1,
    )
    if changed:
        patch: JsonObject = {
            "state": state.value,
            "closed_reason": reason,
            "closed_reason_phrases": phrases,
        }
        for topic in ("approvals", f"upgrade:{row.upgrade_id}"):
            publish(topic, "approval", row.id, patch=patch, rev=row.rev + 1)
