"""The shapes of decisions on a definition."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from migrations_app.domain.compatibility.decisions import ChangeVerdict
from migrations_app.domain.compatibility.in_place.advice import ChangeWay
from migrations_app.domain.compatibility.report import CompatibilityRule
from migrations_app.domain.compatibility.stored import StoredKind
from migrations_app.web.contract import Instant, ResponseBody, one_of
from migrations_app.web.shared_schemas import Phrases

VERDICTS = tuple(each.word for each in ChangeVerdict)


class StoredCountSchema(ResponseBody, frozen=True, kw_only=True):
    """How many stored resources hold a field, lack it, or hold what its new type is not."""

    kind: Annotated[str, one_of(StoredKind)]
    resources: Annotated[int, Meta(description="How many; of a sample an estimate.")]
    of: int
    looked_at: int
    by: Annotated[str, one_of(("count", "sample"))]
    at_most: Annotated[int, Meta(description="With a confidence of 95 % where a sample has none.")]


class SeenClientSchema(ResponseBody, frozen=True, kw_only=True):
    """One release of a client as it names itself; nothing is decided by what it says of its release."""

    client: str
    release: str
    messages: int
    last_seen_on: date


class ChangePhaseSchema(ResponseBody, frozen=True, kw_only=True):
    """One deployment of one side, and what the next phase waits for."""

    side: Annotated[str, one_of(("server", "client"))]
    action: str
    action_phrases: Phrases | UnsetType = UNSET
    wait: Annotated[str, Meta(description="Empty of the last phase.")]
    lacking: Annotated[list[str], Meta(description="What the evidence lacks to end the wait now.")]
    lacking_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `lacking` in phrases.")] | UnsetType
    ) = UNSET


class ChangeWaiverSchema(ResponseBody, frozen=True, kw_only=True):
    """What lets a change through that the decision is against."""

    id: str
    state: Annotated[str, one_of(("asked", "in-force", "expired", "used", "ended"))]
    reason: str
    until: Instant
    asked_by: str
    approved_by: str


class ChangedSideSchema(ResponseBody, frozen=True, kw_only=True):
    """What a change is in requests, in responses, or in both where it has no side."""

    where: Annotated[str, Meta(description="request, response, or empty: in both.")]
    before: str
    after: str
    reasons: list[str]
    reason_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `reasons` in phrases.")] | UnsetType
    ) = UNSET


class ChangeDecisionSchema(ResponseBody, frozen=True, kw_only=True):
    """What becomes of one thing in which a definition differs from the served one, why, and what was counted."""

    version: str
    rule: Annotated[str, one_of(CompatibilityRule)]
    path: str
    change: str
    sides: (
        Annotated[
            list[ChangedSideSchema],
            Meta(
                description="What `change` says, part by part; left out in decisions that are older than it."
            ),
        ]
        | UnsetType
    ) = UNSET
    verdict: Annotated[str, one_of(VERDICTS)]
    reasons: list[str]
    reason_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `reasons` in phrases.")] | UnsetType
    ) = UNSET
    steps: list[str]
    phases: Annotated[
        list[ChangePhaseSchema],
        Meta(
            description="The cheapest plan over servers and clients, where neither can make the change alone."
        ),
    ]
    advice: str
    places: list[str]
    stored: list[StoredCountSchema]
    senders: list[SeenClientSchema]
    readers: list[SeenClientSchema]
    receivers: Annotated[
        list[SeenClientSchema],
        Meta(description="To whom answers returned the field: of the answers that were looked into."),
    ]
    newest_evidence: date | None
    evidence_is_old: Annotated[bool, Meta(description="Older than the longest period of a client.")]
    waiver: ChangeWaiverSchema | None


class ChangeWaySchema(ResponseBody, frozen=True, kw_only=True):
    """What a change takes as a whole, in place or as a new version."""

    way: Annotated[str, one_of(ChangeWay)]
    possible: bool
    cost: Annotated[
        int,
        Meta(
            description="A server deployment is 1, one of clients 10, a data task or a version 5, a line of an edge 1, "
            "and 2 more where it must be filled in."
        ),
    ]
    client_deployments: int
    server_deployments: int
    data_tasks: int
    conversions: Annotated[int, Meta(description="Lines of an edge between both versions.")]
    open_conversions: Annotated[int, Meta(description="Of these, the lines that a person must fill in.")]
    pros: list[str]
    pro_phrases: Annotated[list[Phrases], Meta(description="Each of `pros` in phrases.")] | UnsetType = UNSET
    cons: list[str]
    con_phrases: Annotated[list[Phrases], Meta(description="Each of `cons` in phrases.")] | UnsetType = UNSET


class ChangeAdviceSchema(ResponseBody, frozen=True, kw_only=True):
    """A change in place and a new version weighed against each other, for all decisions together."""

    recommended: Annotated[
        str,
        one_of((*ChangeWay, "split")),
        Meta(description="`split` where neither is possible for the whole."),
    ]
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    ways: list[ChangeWaySchema]


class DefinitionReviewSchema(ResponseBody, frozen=True, kw_only=True):
    """One definition that was to take the place of the served one, with the decisions as they were then."""

    fingerprint: str
    against: Annotated[
        str, Meta(description="The fingerprint of the definition that was served; empty for none.")
    ]
    outcome: Annotated[str, one_of(("applied", "refused"))]
    by: str
    at: Instant
    decisions: list[ChangeDecisionSchema]
