"""Types that operations of several subjects use.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType


class AccessRequest(Struct, frozen=True, kw_only=True):
    """Who asks for access, and the answer."""

    id: str
    who: str
    comment: str
    at: datetime
    state: str
    answer: str
    decided_by: str
    decided_at: datetime | None


class AvailableAction(Struct, frozen=True, kw_only=True):
    """An action: allowed, or the sentence that refuses it and who could."""

    action: str
    allowed: bool
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    who_can: list[str]


class Blockage(Struct, frozen=True, kw_only=True):
    """One cause that holds an upgrade up, as found from facts."""

    kind: str
    sentence: str
    since: datetime | None
    remedy: str
    needs_person: bool
    """It stays until a person acts."""
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    remedy_phrases: list[Phrase] | UnsetType = UNSET
    """The remedy in phrases; left out where it has none."""


class BrownOut(Struct, frozen=True, kw_only=True):
    """A share of the requests that use something deprecated is refused between two moments, before it is
    removed.
    """

    id: str
    service: str
    version: str
    kind: str
    place: str
    """Type and path of a field, type and method, or the version."""
    percent: float
    begins_at: datetime
    ends_at: datetime
    sunset: date
    replaced_by: str
    note: str
    state: str
    requested_by: str
    requested_at: datetime
    approvals_needed: int
    """By the approval policy; it is announced once all are given."""
    approvals_asked: str
    """Of whom; empty where no policy asks."""
    approved_by: list[str]
    stopped_by: str
    stopped_at: datetime | None
    stop_reason: str
    refused: int
    """Requests that were refused, or answered without the field; counted every few seconds."""
    refused_clients: list[RefusedClient]


class Cell(Struct, frozen=True, kw_only=True):
    """A deployment: what it runs, and where its upgrade is."""

    service: str
    region: str
    name: str
    current_version: str
    target_version: str | None
    state: str
    ready: int
    total: int
    automatic: bool
    disabled: bool
    upgrade_id: str | None
    rev: int
    labels: dict[str, str]
    data_version: str
    lag_seconds: float | UnsetType | None = UNSET
    """Of the slowest shard; only while an upgrade of this console is live."""
    percent: int | UnsetType | None = UNSET
    """null: not counted yet."""
    unknown_shards: int | UnsetType = UNSET
    """Shards whose last report is too old to be believed."""
    oldest_report_at: datetime | UnsetType | None = UNSET
    """How old the figures of the live upgrade are."""
    blocked: bool | UnsetType = UNSET
    """Something holds the live upgrade up."""
    started_at: datetime | UnsetType | None = UNSET
    """Of the live upgrade."""
    owner: str | UnsetType = UNSET
    """Who planned the live upgrade."""


class ChangeDecision(Struct, frozen=True, kw_only=True):
    """What becomes of one thing in which a definition differs from the served one, why, and what was
    counted.
    """

    version: str
    rule: str
    path: str
    change: str
    sides: list[ChangedSide] | UnsetType = UNSET
    """What `change` says, part by part; left out in decisions that are older than it."""
    verdict: str
    reasons: list[str]
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `reasons` in phrases."""
    steps: list[str]
    phases: list[ChangePhase]
    """The cheapest plan over servers and clients, where neither can make the change alone."""
    advice: str
    places: list[str]
    stored: list[StoredCount]
    senders: list[SeenClient]
    readers: list[SeenClient]
    receivers: list[SeenClient]
    """To whom answers returned the field: of the answers that were looked into."""
    newest_evidence: date | None
    evidence_is_old: bool
    """Older than the longest period of a client."""
    waiver: ChangeWaiver | None


class ChangePhase(Struct, frozen=True, kw_only=True):
    """One deployment of one side, and what the next phase waits for."""

    side: str
    action: str
    action_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    wait: str
    """Empty of the last phase."""
    lacking: list[str]
    """What the evidence lacks to end the wait now."""
    lacking_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `lacking` in phrases."""


class ChangeWaiver(Struct, frozen=True, kw_only=True):
    """What lets a change through that the decision is against."""

    id: str
    state: str
    reason: str
    until: datetime
    asked_by: str
    approved_by: str


class ChangedSide(Struct, frozen=True, kw_only=True):
    """What a change is in requests, in responses, or in both where it has no side."""

    where: str
    """request, response, or empty: in both."""
    before: str
    after: str
    reasons: list[str]
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `reasons` in phrases."""


class Check(Struct, frozen=True, kw_only=True):
    """A guard, judged."""

    check: str
    verdict: str
    sentence: str
    remedy: str
    at: datetime | None
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    remedy_phrases: list[Phrase] | UnsetType = UNSET
    """The remedy in phrases; left out where it has none."""


class CopyDuration(Struct, frozen=True, kw_only=True):
    """How long the newest copies of the service took until all shards were caught up."""

    low_seconds: float
    high_seconds: float
    upgrades: int


class DefinitionPhase(Struct, frozen=True, kw_only=True):
    """One phase of a definition that changes in place."""

    side: str
    action: str
    action_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    wait: str
    """What the next phase waits for; empty of the last."""
    fingerprint: str
    """The definition that servers have then; empty of clients."""
    state: str
    lacking: list[str]
    """What stood against the next definition at `checked_at`."""
    lacking_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `lacking` in phrases; empty where it has none."""
    settled_at: datetime | None


class DefinitionRollout(Struct, frozen=True, kw_only=True):
    """A definition that takes the place of the served one in phases, each applied when nothing stands
    against it.
    """

    id: str
    rev: int
    service: str
    state: str
    reason: str
    """Why it is paused or was stopped."""
    reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    note: str
    phase: int | None
    """The first phase that is not over, from 0; null after the last."""
    phases: list[DefinitionPhase]
    created_by: str
    created_at: datetime
    started_by: str
    """As whom its definitions are applied."""
    checked_at: datetime | None
    """When the evidence was asked last."""
    finished_at: datetime | None


class Delivery(Struct, frozen=True, kw_only=True):
    """A delivery and what became of it."""

    id: int
    seq: int
    event: str
    body: dict[str, Any]
    state: str
    attempts: int
    next_at: datetime | None
    status: str | None
    """The class of the answer, such as `2xx`; null when there was none."""
    took_ms: int | None
    """Null when nothing was answered."""
    error: str
    error_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    created_at: datetime
    delivered_at: datetime | None


class Dependant(Struct, frozen=True, kw_only=True):
    """A deployment that stands on this one; `builds_on` is empty for a mere use."""

    service: str
    region: str
    version: str
    builds_on: str


class Eta(Struct, frozen=True, kw_only=True):
    """A range of seconds."""

    low_seconds: float
    high_seconds: float


class Eviction(Struct, frozen=True, kw_only=True):
    """A request to evict a deployment, with its votes, and whether the caller may vote."""

    id: str
    rev: int
    deployment: str
    state: str
    reason: str
    asked_by: str
    created_at: datetime
    deadline: datetime
    digest: str
    needed: int
    votes_given: int
    vote: AvailableAction
    votes: list[Vote]


class ForecastPolicy(Struct, frozen=True, kw_only=True):
    """The policy that counts, what it asks in words, and why it is this one."""

    name: str
    needed: int
    group: str
    critical: bool
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    reason: str
    reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class ForecastWindow(Struct, frozen=True, kw_only=True):
    """Whether windows and freezes would let it switch now, and when next."""

    allowed: bool
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    next_open: datetime | None


class KeptType(Struct, frozen=True, kw_only=True):
    """A type that has no place in the version served, or in the one that is upgraded to."""

    type: str
    version: str
    """The last version that has it, which serves it."""
    without: str
    """The version that does not have it."""
    stored: int | None
    """Resources now; null when the data cannot be read."""
    exported: bool | None
    """Whether all of them were exported as they are; null when that is unknown."""
    changed_since: bool | None
    """Whether any was written since the newest export; null without one."""
    export: KeptTypeExport | None
    """The newest export."""


class KeptTypeExport(Struct, frozen=True, kw_only=True):
    """An export that came to its end."""

    at: datetime
    by: str
    resources: int
    sha256: str
    """Of the bytes that were sent."""


class KeyStrategy(Struct, frozen=True, kw_only=True):
    """What is done with one key that a version does not know, until an end."""

    id: str
    service: str
    version: str
    place: str
    """Type and path, such as Box.lid.shade."""
    strategy: str
    reason: str
    until: datetime
    state: str
    is_known: bool
    """The definition has the field, so that the strategy does not count now."""
    set_by: str
    set_at: datetime
    ended_by: str
    ended_at: datetime | None


class OnCallTurn(Struct, frozen=True, kw_only=True):
    """One person's turn."""

    name: str
    display_name: str
    roles: list[str]
    since: datetime
    until: datetime


class Operation(Struct, frozen=True, kw_only=True):
    """A long operation."""

    id: UUID
    rev: int
    kind: str
    kind_title: str | UnsetType = UNSET
    """What the kind is called; its name where it has no title."""
    target_kind: str
    target_kind_title: str | UnsetType = UNSET
    target: str
    state: str
    requested_by: str
    request_id: str
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    created_at: datetime
    finished_at: datetime | None


class Phrase(Struct, frozen=True, kw_only=True):
    """A piece of a sentence, as catalogues of other languages have it; pieces stand with a space between
    them.
    """

    key: str
    """Its English form. `{name}` is the place of a value; two forms with `|` between them are for one
    and for several of `count`.
    """
    values: dict[str, Any]


class Progress(Struct, frozen=True, kw_only=True):
    """How far the shards are, all together."""

    copied: int
    total: int
    total_is_minimum: bool
    """Some shards were not counted yet."""
    percent: int | None
    """100 only when every shard is known to be caught up; null: not counted yet."""
    rate_per_second: float
    eta: Eta | None
    eta_reason: str
    eta_reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    lag_seconds: float | None
    """Of the slowest shard, as of now; null: not every shard has measured one."""
    unknown_shards: int
    """Shards whose last report is too old to be believed."""
    oldest_report_at: datetime | None
    """How old these figures are; null: no shard has reported."""


class ReferenceNode(Struct, frozen=True, kw_only=True):
    """A resource in the graph."""

    id: str
    name: str
    type: str
    service: str
    region: str
    version: str
    state: str
    changed_at: datetime | None
    """Known of those that were looked up."""


class RefusedClient(Struct, frozen=True, kw_only=True):
    """How many requests of one release of a client to one method were refused, or answered without the
    field.
    """

    client: str
    release: str
    method: str
    requests: int
    last_seen: datetime


class ResourceNameRequest(Struct, frozen=True, kw_only=True):
    """One resource by its full name."""

    name: str


class Samples(Struct, frozen=True, kw_only=True):
    """The curves, as columns."""

    at: list[datetime]
    ready: list[int]
    lag_p50: list[float | None]
    lag_p95: list[float | None]
    lag_max: list[float | None]
    rate: list[float]
    write_p95: list[float | None]


class SeenClient(Struct, frozen=True, kw_only=True):
    """One release of a client as it names itself; nothing is decided by what it says of its release."""

    client: str
    release: str
    messages: int
    last_seen_on: date


class Shard(Struct, frozen=True, kw_only=True):
    """The newest report of one shard."""

    shard: int
    state: str
    stage: str
    copied: int
    total: int
    applied: int
    failed: int
    lag_seconds: float | None
    rate_per_second: float
    error: str
    throttled: str
    throttled_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    falls: int
    """How often it fell back after it was caught up."""
    node: str
    """The worker that reported last: `host:process`."""
    reported_at: datetime | None


class Shards(Struct, frozen=True, kw_only=True):
    """All shards."""

    total: int
    ready: int
    items: list[Shard]


class Stall(Struct, frozen=True, kw_only=True):
    """Since when no worker has reported."""

    since: datetime
    shards: list[int]
    sentence: str
    causes: list[str]


class StoredCount(Struct, frozen=True, kw_only=True):
    """How many stored resources hold a field, lack it, or hold what its new type is not."""

    kind: str
    resources: int
    """How many; of a sample an estimate."""
    of: int
    looked_at: int
    by: str
    at_most: int
    """With a confidence of 95 % where a sample has none."""


class UnansweredDeployment(Struct, frozen=True, kw_only=True):
    """A deployment that did not answer."""

    service: str
    region: str
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class UpgradeForecast(Struct, frozen=True, kw_only=True):
    """What lies before it; `resources` as of the last copy, null when there was none."""

    policy: ForecastPolicy
    window: ForecastWindow
    resources: int | None
    took: CopyDuration | None
    rollback: str
    rollback_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    dependants: list[Dependant]


class UpgradeSummary(Struct, frozen=True, kw_only=True):
    """An upgrade as lists show it."""

    id: str
    rev: int
    deployment: str
    service: str
    region: str
    from_version: str
    to_version: str
    kind: str
    state: str
    paused: bool
    request: str
    meta_stage: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    automatic: bool
    copy_limit: int | None
    """Resources a second at most; null: unbounded."""
    requested_by: str
    comment: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    plan_digest: str
    shards: Shards
    progress: Progress
    quarantined_count: int
    stall: Stall | None
    blockages: list[Blockage]
    reversible_until: datetime | None
    freeze_ms: float | None
    """For how long the switch held writes; null before it."""
    rollback_freeze_ms: float | None
    """For how long the rollback held writes; null before it."""


class Vote(Struct, frozen=True, kw_only=True):
    """One person's word."""

    who: str
    verdict: str
    comment: str
    at: datetime
    round: int
    void_reason: str
    void_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class VoteCommentRequest(Struct, frozen=True, kw_only=True):
    """What the voter has to say."""

    comment: str | UnsetType = UNSET


class Waiver(Struct, frozen=True, kw_only=True):
    """A finding that is accepted until a day, once another person approved."""

    id: str
    service: str
    before: str
    after: str
    rule: str
    path: str
    where: str
    change: str
    reason: str
    until: datetime
    state: str
    asked_by: str
    asked_at: datetime
    approved_by: str
    approved_at: datetime | None
    ended_by: str
    ended_at: datetime | None
    used_for: str
    """The fingerprint of the definition that was applied with it."""
    decision: ChangeDecision | None
    """Of a change in place: the decision when the waiver was asked for; null of findings."""


class WaiverPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Waiver]
    next_cursor: str | None
    has_more: bool


class Warnings(Struct, frozen=True, kw_only=True):
    """What a change would mean for upgrades under way."""

    warnings: list[str]
    warning_phrases: list[list[Phrase]]
    """Each of `warnings` in phrases."""
