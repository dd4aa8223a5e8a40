"""Types of the operations of services.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import (
    BrownOut,
    ChangeDecision,
    DefinitionRollout,
    KeyStrategy,
    Phrase,
    SeenClient,
    Waiver,
)


class AnnounceDeadlineRequest(Struct, frozen=True, kw_only=True):
    """What goes on which day, and what its users are to know."""

    version: str
    place: str
    deadline: date
    note: str | UnsetType = UNSET


class AnnouncedDeadline(Struct, frozen=True, kw_only=True):
    """What was announced, and the clients that were named."""

    service: str
    version: str
    place: str
    deadline: date
    note: str
    clients: list[str]


class AppliedService(Struct, frozen=True, kw_only=True):
    """What applying a folder came to."""

    service: str
    versions: list[str]
    resource_types: list[str]
    fingerprint: str
    changed: bool
    warnings: list[str]
    may_apply: bool
    """False only in a dry run: what decisions or waivers lack."""
    decisions: list[ChangeDecision]
    """On each thing that differs from what is served, the heaviest first."""
    advice: ChangeAdvice | None
    """On the change as a whole; null where nothing differs."""


class BrownOutPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[BrownOut]
    next_cursor: str | None
    has_more: bool


class ChangeAdvice(Struct, frozen=True, kw_only=True):
    """A change in place and a new version weighed against each other, for all decisions together."""

    recommended: str
    """`split` where neither is possible for the whole."""
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    ways: list[ChangeWay]


class ChangeWay(Struct, frozen=True, kw_only=True):
    """What a change takes as a whole, in place or as a new version."""

    way: str
    possible: bool
    cost: int
    """A server deployment is 1, one of clients 10, a data task or a version 5, a line of an edge 1, and
    2 more where it must be filled in.
    """
    client_deployments: int
    server_deployments: int
    data_tasks: int
    conversions: int
    """Lines of an edge between both versions."""
    open_conversions: int
    """Of these, the lines that a person must fill in."""
    pros: list[str]
    pro_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `pros` in phrases."""
    cons: list[str]
    con_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `cons` in phrases."""


class ChangedLines(Struct, frozen=True, kw_only=True):
    """A place of the report in both versions; null where it is not in the sources, or they are in
    another language.
    """

    path: str
    before: SourceExcerpt | None
    after: SourceExcerpt | None


class ChangedLinesPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[ChangedLines]
    next_cursor: str | None
    has_more: bool


class Claim(Struct, frozen=True, kw_only=True):
    """Whether what was seen proves that a key is not used, or why it does not."""

    proved: bool
    upper_bound: float
    reasons: list[str]
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `reasons` in phrases."""


class ClientUse(Struct, frozen=True, kw_only=True):
    """What one release of a client used of a version."""

    client: str
    release: str
    messages: int
    first_seen: datetime
    last_seen: datetime
    methods: list[MethodUse]


class Compatibility(Struct, frozen=True, kw_only=True):
    """The report."""

    service: str
    before: str
    after: str
    client: str
    server: str
    policy: str
    verdict: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    counts: dict[str, int]
    """Differences that nothing handles, by weight."""
    classes: dict[str, int]
    """All differences, by class."""
    buf: dict[str, int]
    """All differences, by Buf's categories."""
    findings: list[CompatibilityFinding]
    losses: list[ConversionLoss]
    to_accept: int
    """Places that break, are given up or hidden, and that no waiver in force accepts."""


class CompatibilityFinding(Struct, frozen=True, kw_only=True):
    """One difference: who is hit, who goes first, what to do."""

    rule: str
    weight: str
    classes: list[str]
    """Which kinds of clients meet it."""
    buf: list[str]
    """In which of its categories Buf would report it, if one version followed the other in one package."""
    path: str
    where: str
    before: str
    after: str
    order: str
    plan: list[str]
    """Who does what, step by step, where nothing converts."""
    transform: str
    """Lines of an edge: what handles it, with its place, or what could; … is for you to fill in."""
    reasons: list[str]
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `reasons` in phrases."""
    losing_updates: list[str]
    handled: bool
    waiver: Waiver | UnsetType | None = UNSET
    """Only where a person has to accept it: null, or its waiver."""
    advice: str


class CompatibilityQuestionRequest(Struct, frozen=True, kw_only=True):
    """Which versions, and how clients and servers treat what they do not know."""

    before: str
    after: str
    client: Literal["strict", "filter", "pass"] | UnsetType = UNSET
    server: Literal["strict", "filter", "pass"] | UnsetType = UNSET
    policy: Literal["no-loss", "loss-ok"] | UnsetType = UNSET


class ConversionLoss(Struct, frozen=True, kw_only=True):
    """Fields that a conversion hides, and how well they are kept."""

    way: str
    path: str
    op: str
    kept: str
    waiver: Waiver | UnsetType | None = UNSET
    """Only where a person has to accept it: null, or its waiver."""


class DefinitionReview(Struct, frozen=True, kw_only=True):
    """One definition that was to take the place of the served one, with the decisions as they were then."""

    fingerprint: str
    against: str
    """The fingerprint of the definition that was served; empty for none."""
    outcome: str
    by: str
    at: datetime
    decisions: list[ChangeDecision]


class DefinitionReviewPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[DefinitionReview]
    next_cursor: str | None
    has_more: bool


class DefinitionRolloutPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[DefinitionRollout]
    next_cursor: str | None
    has_more: bool


class FieldCandidate(Struct, frozen=True, kw_only=True):
    """A new field that an old one may have become."""

    path: str
    """Its path in the type that the old one's type becomes."""
    confidence: float
    """How sure that is, from 0 to 1."""
    reasons: list[str]
    """What speaks for it and against it."""
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `reasons` in phrases."""


class Importer(Struct, frozen=True, kw_only=True):
    """Who imports a version of this service, and for which of its own."""

    service: str
    for_version: str
    version: str


class KeyStates(Struct, frozen=True, kw_only=True):
    """In how many messages a key stood in which state; `shown` counts answers that returned it, of those
    looked into.
    """

    absent: int
    null: int
    empty: int
    value: int
    shown: int


class KeyStrategyPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[KeyStrategy]
    next_cursor: str | None
    has_more: bool


class KeyUse(Struct, frozen=True, kw_only=True):
    """How a key of the messages to a method was sent; `clients` are those that sent it."""

    method: str
    path: str
    messages: int
    states: KeyStates
    clients: list[str]
    first_seen: datetime | None
    last_seen: datetime | None
    unused: Claim


class KeyUsePage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[KeyUse]
    next_cursor: str | None
    has_more: bool


class MethodUse(Struct, frozen=True, kw_only=True):
    """How often a method was called."""

    method: str
    messages: int


class NewBrownOutRequest(Struct, frozen=True, kw_only=True):
    """What is refused of which place, and when."""

    version: str
    place: str
    """Box.title of a field, Box.delete of a method, or the version."""
    percent: float
    begins_at: datetime | UnsetType | None = UNSET
    """At once without it."""
    ends_at: datetime
    sunset: date | UnsetType | None = UNSET
    """The day of the removal, where neither the definition nor a retirement says it."""
    replaced_by: str | UnsetType = UNSET
    note: str | UnsetType = UNSET


class NewChangeWaiverRequest(Struct, frozen=True, kw_only=True):
    """Which difference is to be accepted that applying these files would make, why, and until when."""

    files: dict[str, str]
    version: str
    rule: Literal[
        "key-added",
        "key-added-required",
        "key-removed",
        "key-status",
        "type-widened",
        "type-narrowed",
        "type-replaced",
        "default-changed",
        "unit-changed",
        "number-changed",
        "number-reused",
        "resource-added",
        "resource-removed",
        "pattern-added",
        "pattern-removed",
        "id-pattern-changed",
        "symbol-removed",
        "method-removed",
        "method-changed",
        "version-removed",
        "sunset-moved",
    ]
    path: str
    reason: str
    until: datetime


class NewDefinitionRolloutRequest(Struct, frozen=True, kw_only=True):
    """The definition that is to be served after the last phase."""

    files: dict[str, str]
    """The files of the service folder, path to content, base64."""
    note: str | UnsetType = UNSET
    start: bool | UnsetType = UNSET
    """Begin the first phase at once."""


class NewKeyStrategyRequest(Struct, frozen=True, kw_only=True):
    """Which key, what is done with it, why, and until when."""

    version: str
    place: str
    strategy: Literal["strict", "filter", "pass"]
    reason: str
    until: datetime


class NewWaiverRequest(Struct, frozen=True, kw_only=True):
    """Which finding of the report is to be accepted, why, and until when."""

    before: str
    after: str
    client: Literal["strict", "filter", "pass"] | UnsetType = UNSET
    server: Literal["strict", "filter", "pass"] | UnsetType = UNSET
    policy: Literal["no-loss", "loss-ok"] | UnsetType = UNSET
    rule: Literal[
        "key-added",
        "key-added-required",
        "key-removed",
        "key-status",
        "type-widened",
        "type-narrowed",
        "type-replaced",
        "default-changed",
        "unit-changed",
        "number-changed",
        "number-reused",
        "resource-added",
        "resource-removed",
        "pattern-added",
        "pattern-removed",
        "id-pattern-changed",
        "symbol-removed",
        "method-removed",
        "method-changed",
        "version-removed",
        "sunset-moved",
        "loss-no",
        "loss-hidden",
    ]
    path: str
    where: str | UnsetType = UNSET
    reason: str
    until: datetime


class RemovedField(Struct, frozen=True, kw_only=True):
    """A field of the older version of an edge that has no counterpart in the newer one."""

    source: str
    """The older version of the edge."""
    target: str
    """The newer version of the edge."""
    type: str
    path: str
    written: bool
    """Whether the edge gives it up; else the edge says nothing of it."""
    candidates: list[FieldCandidate]
    """At most three, the likeliest first."""


class RemovedFieldPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[RemovedField]
    next_cursor: str | None
    has_more: bool


class ResourceType(Struct, frozen=True, kw_only=True):
    """A resource type and the versions that have it."""

    type: str
    fqn: str
    plural: str
    versions: list[str]


class RetireRequest(Struct, frozen=True, kw_only=True):
    """The day from which a version is no longer meant to be used; null takes it back."""

    retires_on: date | None
    note: str | UnsetType = UNSET
    accept_unexported: bool | UnsetType = UNSET
    """Retire although resources that only this version serves were not exported; the note says why."""


class Retirement(Struct, frozen=True, kw_only=True):
    """From which day a version is no longer meant to be used; no day when none is set."""

    rev: int
    retires_on: date | None
    note: str
    set_by: str
    set_at: datetime | None


class Service(Struct, frozen=True, kw_only=True):
    """A service."""

    name: str
    display_name: str
    versions: list[str]
    imports: list[ServiceImport]
    uses: list[str]
    regions: list[str]
    control_region: str
    automatic: bool
    rev: int


class ServiceDeployment(Struct, frozen=True, kw_only=True):
    """Where the service runs, and what."""

    region: str
    current_version: str


class ServiceDetail(Struct, frozen=True, kw_only=True):
    """Everything about one service; `raw` is its message in the registry's own words."""

    name: str
    display_name: str
    versions: list[str]
    imports: list[ServiceImport]
    uses: list[str]
    regions: list[str]
    control_region: str
    automatic: bool
    rev: int
    resource_types: list[ResourceType]
    type_changes: list[TypeChange]
    deployments: list[ServiceDeployment]
    importers: list[str]
    imported_by: list[Importer]
    retirements: dict[str, Retirement]
    """By version."""
    fingerprint: str | None
    raw: dict[str, Any]


class ServiceFolderRequest(Struct, frozen=True, kw_only=True):
    """The files of a service folder: path to content in base64."""

    files: dict[str, str]


class ServiceImport(Struct, frozen=True, kw_only=True):
    """Which version of an import one version uses."""

    service: str
    version: str
    for_version: str


class ServicePage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Service]
    next_cursor: str | None
    has_more: bool


class ServingPeriod(Struct, frozen=True, kw_only=True):
    """From when until when a region served a version."""

    region: str
    version: str
    since: datetime | None
    """Null where it was not noted."""
    until: datetime | None
    """Null of what is served now."""


class ServingPeriodPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[ServingPeriod]
    next_cursor: str | None
    has_more: bool


class SourceExcerpt(Struct, frozen=True, kw_only=True):
    """How the author of a version declared something."""

    file: str
    line: int
    lines: list[str]
    left_out: int
    """Lines of the declaration beyond those."""


class TypeChange(Struct, frozen=True, kw_only=True):
    """A resource type that becomes several in the next version, or several that become one."""

    kind: str
    before: str
    """The older version."""
    after: str
    """The next version."""
    types_before: list[str]
    """Types of the older version."""
    types_after: list[str]
    """What they become in the next version."""
    by: str
    """The field of the one type that tells the several apart."""


class Usage(Struct, frozen=True, kw_only=True):
    """Who used which version of a service; `uncounted` messages of any service found no room to be
    counted.
    """

    service: str
    days: int
    since: date
    uncounted: int
    versions: list[VersionUse]


class UsedPlace(Struct, frozen=True, kw_only=True):
    """A version, a resource type or a field: who uses it, what is proved, and when it may go."""

    kind: str
    place: str
    """The version, the type, or type and path, such as Box.lid.colour."""
    deprecated_since: str | None
    sunset: date | None
    replaced_by: str
    senders: list[SeenClient]
    """Who sent it or named it in a mask, filter or order; who writes."""
    readers: list[SeenClient]
    """To whom answers returned it; who reads."""
    last_used_on: date | None
    answers_looked_into: int
    answers_with_it: int
    """Of the answers that were looked into."""
    share_error: float
    """Half of the 95 % interval of the share of answers that returned it."""
    messages: int
    """Messages of the window that would have shown a use."""
    observed_days: int
    period_days: int
    """The longest pause of a client in thirteen months, and 35 days at least."""
    proved_unused: bool
    confidence: float
    """That a use by one message in a thousand would have been seen; 0 where it was."""
    reasons: list[str]
    """What is lacking to the proof."""
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `reasons` in phrases."""
    removable_on: date | None
    """The earliest day, if no client uses it from now on; null where unknown."""


class UsedPlacePage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[UsedPlace]
    next_cursor: str | None
    has_more: bool


class VersionUse(Struct, frozen=True, kw_only=True):
    """Who used a version."""

    version: str
    messages: int
    last_seen: datetime
    clients: list[ClientUse]
