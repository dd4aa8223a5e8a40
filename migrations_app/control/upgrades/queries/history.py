"""What was recorded of an upgrade, with its times: the run sheet draws it to scale and replays it."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.control.approval_policies.repository.electors import void_as_json, void_words
from migrations_app.control.upgrades.queries.upgrades import find
from migrations_app.control.upgrades.queries.version_callers import version_callers_of
from migrations_app.domain.access import Actor
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.sync import SyncScan
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import Direction

MOST_CHANGES = 50_000
"""Newest changes of shards that one answer holds; older ones are left out, and the answer says so."""


def history(actor: Actor, upgrade_id: str) -> JsonObject:
    """Show the transitions, changes of shards, requests, votes and steps of the switch of an upgrade, oldest first.

    Raises: Missing (`upgrade-missing`), Gone, Denied.
    """
    row = find(actor, upgrade_id)
    return {
        "as_of": iso(timezone.now()),
        "transitions": [
            {"at": iso(move.at), "state": move.state, "who": move.who} for move in row.moves.all()
        ],
        "shards": _shards(row),
        "compared": _compared(row),
        "callers": version_callers_of(row),
        **_approvals(row),
        "switch_steps": [
            {"step": step.step, "at": iso(step.at), "took_seconds": step.took_seconds, "state": step.state}
            for step in row.switch_steps.all()
        ],
    }


def _shards(row: Upgrade) -> JsonObject:
    """Write the changes of shards as columns: thousands of them are read and drawn."""
    newest = row.shard_turns.order_by("-pk").values_list("shard", "at", "state")[: MOST_CHANGES + 1]
    changes = [*newest]
    changes.reverse()
    complete = len(changes) <= MOST_CHANGES
    if not complete:
        del changes[0]
    return {
        "shard": [shard for shard, _, _ in changes],
        "at": [iso(at) for _, at, _ in changes],
        "state": [state for _, _, state in changes],
        "complete": complete,
    }


def _compared(row: Upgrade) -> JsonObject:
    """Write when each shard was last compared whole without a difference before the switch, as columns."""
    scans = SyncScan.objects.filter(
        upgrade=row.pk, direction=Direction.FORWARD.value, passed_at__isnull=False
    )
    passes = list(scans.order_by("shard").values_list("shard", "passed_at"))
    return {"shard": [shard for shard, _ in passes], "at": [iso(at) for _, at in passes]}


def _approvals(row: Upgrade) -> JsonObject:
    requests: list[Json] = []
    votes: list[Json] = []
    for request in row.approval_requests.prefetch_related("votes").order_by("created_at"):
        requests.append(
            {
                "at": iso(request.created_at),
                "who": request.asked_by,
                "purpose": request.purpose,
                "evidence": request.evidence,
            }
        )
        votes += [
            {
                "at": iso(vote.at),
                "who": vote.who,
                "verdict": vote.verdict,
                "purpose": request.purpose,
                **void_as_json(void_words(vote), "void"),
                "evidence": vote.evidence,
            }
            for vote in request.votes.all()
        ]
    return {"requests": requests, "votes": votes}
