"""What deployments have under way with each other, as operators see it; what does not answer is unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain, islice

import msgspec
from django.db.models import Min, Q
from django.utils import timezone

from migrations_app import wiring
from migrations_app.adapters.repositories.known_evictions import evicted
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, Target, reach_of, require, require_reach
from migrations_app.domain.reach import Reach
from migrations_app.engine.constraints.auditing import Auditing
from migrations_app.engine.constraints.deleting import DeletingController
from migrations_app.engine.constraints.messages import ConstraintDescription, ConstraintMessage, read
from migrations_app.engine.constraints.pending import PendingController
from migrations_app.engine.constraints.subscribed import (
    SILENT_SECONDS,
    DeletionCursor,
    SubscribedController,
    key_of,
    standings_of,
)
from migrations_app.engine.regions.auditing import CopyAuditing
from migrations_app.engine.regions.describing import CopyState, DescribedCopies
from migrations_app.engine.regions.feed_watch import NAME as FEED_WATCH
from migrations_app.kernel.errors import SwitchyardError, UnknownAction
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, as_message
from migrations_app.kernel.wordings import kept_message, phrases_as_json, wording_as_json
from migrations_app.models import registry as rows
from migrations_app.models.work import Work
from migrations_app.ports.regions.peers import Peer

MOST_FINDINGS = 200
_DEPLOYMENT = re.compile(r"services/([a-z][a-z0-9.-]*)/deployments/([a-z][a-z0-9-]*)")


def constraints(actor: Actor) -> list[JsonObject]:
    """Tell of every deployment what is owed, blocked and being deleted; of those disabled only that they were evicted.

    Raises: Denied.
    """
    reach = require_reach(actor, "resource.read")
    seen = within(reach, "service__id", "region__id")
    shown = Q(is_disabled=False) | Q(name__in=evicted())
    known = rows.Deployment.objects.exclude(current_version="").filter(seen, shown)
    every = [Peer(*each) for each in known.order_by("name").values_list("service_id", "region_id")]
    return [_redacted(_described(each), reach) for each in every]


def constraints_of(actor: Actor, service: str, region: str) -> JsonObject:
    """Tell of one deployment also which resources are being deleted, and who may refer to them.

    Raises: Denied, Missing (`deployment-missing`).
    """
    require(actor, "resource.read", Target("deployment", service=service, region=region))
    here = Peer(service, region)
    if not rows.Deployment.objects.filter(name=here.deployment).exists():
        return {**_described(here), "subscriptions": [], "waits": []}
    whole: JsonObject = {
        **_described(here),
        "subscriptions": [*_subscriptions(here)],
        "waits": [*_waits(here)],
    }
    return _redacted(whole, reach_of(actor, "resource.read"))


def audit_references(actor: Actor, service: str, region: str) -> JsonObject:
    """Compare what one deployment refers to, and what it keeps copies of, with what is there, wherever that is.

    Raises: Denied, Missing (`deployment-missing`).
    """
    require(actor, "resource.read", Target("deployment", service=service, region=region))
    auditing = Auditing(wiring.router(), wiring.peers(), wiring.arrangements().whereabouts)
    ports = (wiring.store(), wiring.copies(), wiring.directory(), wiring.peers())
    copies = CopyAuditing(ports, wiring.regions_of)
    here = Peer(service, region)
    found = list(islice(chain(auditing.audit(here), copies.audit(here)), MOST_FINDINGS + 1))
    return {"findings": [asdict(each) for each in found[:MOST_FINDINGS]], "more": len(found) > MOST_FINDINGS}


def _redacted(document: JsonObject, reach: Reach) -> JsonObject:
    """Leave out of a deployment's document the other deployments that a reach does not cover."""
    if reach.everywhere:
        return document
    service = str(document["service"])
    kept: JsonObject = {
        key: [each for each in document.get(key) or [] if _is_seen(each, service, reach)]  # type: ignore[union-attr]
        for key in ("read_copies", "subscriptions")
        if key in document
    }
    return {**_without_names(document, reach), **kept}


def _is_seen(each: Json, service: str, reach: Reach) -> bool:
    return isinstance(each, dict) and reach.covers(
        str(each.get("service") or service), str(each.get("region", ""))
    )


def _without_names(value: JsonObject, reach: Reach) -> JsonObject:
    def shown(named: re.Match[str]) -> str:
        return named[0] if reach.covers(named[1], named[2]) else "another deployment"

    def redacted(each: Json) -> Json:
        if isinstance(each, dict):
            return {key: redacted(one) for key, one in each.items()}
        if isinstance(each, list):
            return [redacted(one) for one in each]
        return _DEPLOYMENT.sub(shown, each) if isinstance(each, str) else each

    return {key: redacted(each) for key, each in value.items()}


def constraint_figures() -> dict[str, tuple[str, float]]:
    """Give the numbers about what deployments hosted here have under way with others that are worth an alarm."""
    tallies, silent = [], 0
    for peer in wiring.hosted_here():
        try:
            tallies.append(
                wiring.router().read_active(
                    peer.region, peer.service, lambda _, reading: reading.constraints.tally()
                )[1]
            )
        except SwitchyardError:
            silent += 1
    oldest = {
        name: max((getattr(each, f"oldest_{name}_seconds") for each in tallies), default=0.0)
        for name in ("owed", "blockade", "deleting")
    }
    return {
        "confirmations_oldest_seconds": ("Age of the oldest owed confirmation.", oldest["owed"]),
        "blockades_oldest_seconds": ("Age of the oldest blockade.", oldest["blockade"]),
        "deleting_oldest_seconds": ("Age of the oldest deletion that is not done.", oldest["deleting"]),
        "dealings_unknown": ("Deployments hosted here whose data do not answer.", silent),
    }


def _subscriptions(peer: Peer) -> list[JsonObject]:
    """Tell whose deletions a deployment follows, and how far; what it was not told lately is unknown."""
    keys = {key_of(peer, there.region): there.region for there in wiring.interests_of(peer)}
    known = {keys[row.key]: row for row in _work(SubscribedController.name, *keys)}
    return [_followed(there, known.get(there.region)) for there in wiring.interests_of(peer)]


def _followed(there: Peer, row: Work | None) -> JsonObject:
    told = standings_of(row.memo) if row and row.memo else {}
    found, now = _as_watched(told.get(there.service, DeletionCursor()), there, row), timezone.now()
    heard = found.heard_at is not None and (now - found.heard_at).total_seconds() < SILENT_SECONDS
    state = "following" if heard and not found.problem else "unknown"
    problem = _quarantine(row) if row and row.quarantined_at else found.problem_words
    return {
        "service": there.service,
        "region": there.region,
        "state": "quarantined" if row and row.quarantined_at else state,
        "position": found.position,
        "behind_seconds": (now - found.level_at).total_seconds() if found.level_at else None,
        "waiting": found.waiting,
        "problem": str(problem),
        **_phrases_of("problem", problem),
    }


def _as_watched(found: DeletionCursor, there: Peer, row: Work | None) -> DeletionCursor:
    """Tell how far a subscription at rest is: as far as the last look at the database of whom it follows.

    That look wakes it when something is being deleted there; until it has had its turn, only its own word counts.
    """
    if row is None or row.due_at is None or row.due_at <= timezone.now() or found.problem or found.waiting:
        return found
    places = rows.Namespace.objects.filter(deployment_id=there.deployment, disabled=False)
    looks = Work.objects.filter(controller=FEED_WATCH, key__in=places.values("database"))
    # One that failed, or waits for its database, saw nothing.
    looked_at = looks.filter(attempts=0, waits_for="").aggregate(at=Min("settled_at"))["at"]
    if looked_at is None or found.level_at is None or looked_at <= found.level_at:
        return found
    return msgspec.structs.replace(found, level_at=looked_at, heard_at=looked_at)


def _waits(peer: Peer) -> list[JsonObject]:
    """Tell what the work on confirmations and deletions waits for."""
    now = timezone.now()
    rows_ = _work(PendingController.name, peer.deployment) + _work(DeletingController.name, peer.deployment)
    return [
        {
            "work": row.controller,
            "waits_for": str(words),
            **_phrases_of("waits_for", words),
            "quarantined": row.quarantined_at is not None,
            "seconds": (now - since).total_seconds()
            if (since := row.quarantined_at or row.waits_since)
            else 0.0,
        }
        for row in rows_
        if (row.quarantined_at or row.waits_for)
        and (words := _quarantine(row) or kept_message(row.waits_for, row.waits_for_phrases))
    ]


def _quarantine(row: Work) -> WordedMessage:
    return kept_message(row.quarantined_reason, row.quarantined_reason_phrases)


def _phrases_of(name: str, words: WordedMessage) -> JsonObject:
    return {f"{name}_phrases": phrases_as_json(words.phrases)} if words else {}


def _work(controller: str, *keys: str) -> list[Work]:
    return list(Work.objects.filter(controller=controller, key__in=keys))


def _described(peer: Peer) -> JsonObject:
    told: JsonObject = {"deployment": peer.deployment, "service": peer.service, "region": peer.region}
    try:
        # In its own name: a deployment may always look at itself.
        found = read(wiring.peers().call(peer, peer, "describeConstraints", {}), ConstraintDescription)
        copies = _copies(peer)
    except SwitchyardError as error:
        state = "evicted" if peer.deployment in evicted() else "unknown"
        nothing: JsonObject = {"tally": None, "moving": [], "read_copies": [], "policy_changes": []}
        why: JsonObject = {"reason": error.message, **wording_as_json(error.phrases, ())}
        return {**told, "state": state, **why, **nothing}
    moving: list[JsonObject] = [
        {
            "type": each.type,
            "name": each.name,
            "state": each.state,
            "age_seconds": each.age_seconds,
            "sources": list(each.sources),
            "root": each.root,
            "blockers": [{"type": one.type, "name": one.name, "path": one.path} for one in each.blockers],
        }
        for each in found.moving
    ]
    known: JsonObject = {
        **told,
        "state": "known",
        "reason": "",
        "tally": dict(found.tally),
        "moving": [*moving],
    }
    return {
        **known,
        "read_copies": [_copied(each) for each in copies.copies],
        "policy_changes": _listed(copies.touches),
    }


def _copies(peer: Peer) -> DescribedCopies:
    try:
        return read(wiring.peers().call(peer, peer, "describeCopies", {}), DescribedCopies)
    except UnknownAction:
        # A region that runs an earlier release keeps no copies yet.
        return DescribedCopies()


def _copied(state: CopyState) -> JsonObject:
    told: JsonObject = msgspec.structs.asdict(state)
    del told["problem_phrases"]
    return told | _phrases_of("problem", as_message(state.problem, state.problem_phrases))


def _listed(messages: Sequence[ConstraintMessage]) -> list[Json]:
    return [msgspec.structs.asdict(each) for each in messages]
