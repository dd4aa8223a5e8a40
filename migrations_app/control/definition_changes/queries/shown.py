"""Decisions on a definition as values for reading, each with the waiver that lets it through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from migrations_app.control.definition_changes.repository.waivers import (
    Key,
    key_of,
    state_of,
    waiver_as_json,
)
from migrations_app.domain.compatibility.client_usage import ClientRelease
from migrations_app.domain.compatibility.decisions import ChangeDecision, ChangeVerdict
from migrations_app.domain.compatibility.in_place.advice import ChangeAdvice
from migrations_app.domain.compatibility.report import VersionDifference
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage
from migrations_app.kernel.wordings import (
    all_phrases_as_json,
    phrases_as_json,
    sentence_as_json,
)
from migrations_app.models.evidence.waivers import Waiver


def decision_as_json(decision: ChangeDecision, waivers: Mapping[Key, Waiver], now: datetime) -> JsonObject:
    """Show a decision."""
    one, row = decision.difference, waivers.get(key_of(decision))
    return {
        "version": one.version,
        "rule": str(one.rule),
        "path": one.path,
        "change": one.change,
        "sides": [_side(each) for each in one.differences],
        "verdict": decision.verdict.word,
        "reasons": [*decision.reasons],
        "reason_phrases": all_phrases_as_json(decision.words),
        "steps": [] if decision.verdict is ChangeVerdict.ALLOWED else [*decision.steps],
        "phases": [
            {
                "side": each.side,
                "action": str(each.action),
                "action_phrases": phrases_as_json(each.action.phrases),
                "wait": each.wait,
                **lacking_as_json(each.lacking),
            }
            for each in decision.phases
        ],
        "advice": decision.advice,
        "places": [f"{each.resource}.{each.path}" for each in one.places],
        "stored": [
            {
                "kind": str(kind),
                "resources": told.estimate,
                "of": told.resources,
                "looked_at": told.looked,
                "by": "sample" if told.is_sample else "count",
                "at_most": told.bound if told.is_sample and not told.hits else told.estimate,
            }
            for kind, told in decision.counts.items()
        ],
        "senders": [_client(each) for each in decision.seen.senders],
        "readers": [_client(each) for each in decision.seen.readers],
        "receivers": [_client(each) for each in decision.seen.receivers],
        "newest_evidence": decision.seen.newest.isoformat() if decision.seen.newest else None,
        "evidence_is_old": decision.seen.is_old,
        "waiver": waiver_as_json(row, now) if row else None,
    }


def _side(side: VersionDifference) -> JsonObject:
    """Show what a change is in requests, in responses or in both."""
    return {
        "where": side.where,
        "before": side.before,
        "after": side.after,
        "reasons": [*map(str, side.reasons)],
        "reason_phrases": all_phrases_as_json(side.reasons),
    }


def advice_as_json(advice: ChangeAdvice) -> JsonObject:
    """Show what a change takes in place, and what as a new version."""
    return {
        "recommended": advice.recommended.value if advice.recommended else "split",
        **sentence_as_json(advice.words),
        "ways": [
            {
                "way": each.way.value,
                "possible": each.is_possible,
                "cost": each.cost,
                "client_deployments": each.client_deployments,
                "server_deployments": each.server_deployments,
                "data_tasks": each.data_tasks,
                "conversions": each.conversions,
                "open_conversions": each.open_conversions,
                "pros": [*map(str, each.pros)],
                "pro_phrases": all_phrases_as_json(each.pros),
                "cons": [*map(str, each.cons)],
                "con_phrases": all_phrases_as_json(each.cons),
            }
            for each in advice.ways
        ],
    }


def lacking_as_json(lacking: Sequence[WordedMessage]) -> JsonObject:
    """Give what the evidence lacks, as texts and in phrases."""
    return {"lacking": [*map(str, lacking)], "lacking_phrases": all_phrases_as_json(lacking)}


def is_let_through(decision: ChangeDecision, waivers: Mapping[Key, Waiver], now: datetime) -> bool:
    """Tell whether a definition may be applied as far as this decision goes."""
    row = waivers.get(key_of(decision))
    return decision.verdict is ChangeVerdict.ALLOWED or (row is not None and state_of(row, now) == "in-force")


def _client(given: ClientRelease) -> JsonObject:
    return {
        "client": given.name,
        "release": given.release,
        "messages": given.count,
        "last_seen_on": given.last.isoformat(),
    }
