"""Types of the operations of deployments.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Cell, Dependant, KeptType, Phrase, UpgradeSummary


class Activity(Struct, frozen=True, kw_only=True):
    """One answered request, in the words of the caller's version."""

    id: str
    at: datetime
    version: str
    method: str
    type: str
    """Empty when the address names no resource type."""
    name: str
    caller: str
    client: str
    """The program, as it names itself."""
    status: int
    error: str
    """The code of the refusal or failure."""
    milliseconds: float
    request_id: str
    served: str
    """native, translated or preview; empty when it was not served."""
    via: str
    """The deployment that handed the request on."""
    kind: str
    weight: float
    """For how many requests it stands, where reads are sampled."""


class ActivityPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Activity]
    next_cursor: str | None
    has_more: bool


class ActivityWriter(Struct, frozen=True, kw_only=True):
    """A process that ended before it wrote down all that it noted: entries of its last moment may be
    missing.
    """

    process: str
    flushed_at: datetime
    entries: int


class ApplyDeploymentRequest(Struct, frozen=True, kw_only=True):
    """What a deployment shall be: its message in the registry's words, and the alias of its data
    database.
    """

    deployment: dict[str, Any]
    database: str | UnsetType = UNSET


class BagEntry(Struct, frozen=True, kw_only=True):
    """What a bag keeps, and why."""

    path: str
    key: str
    field: str
    value: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class ConversionRecord(Struct, frozen=True, kw_only=True):
    """One conversion: what went in, what was stored before a write, what came out, or why nothing did."""

    id: str
    at: datetime
    caller: str
    request_id: str
    direction: str
    source_version: str
    target_version: str
    type: str
    name: str
    document: dict[str, Any]
    before: dict[str, Any] | None
    outcome: str
    """`converted`, or the code of the error."""
    output_name: str
    output: dict[str, Any] | None
    milliseconds: float


class ConversionRecordPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[ConversionRecord]
    next_cursor: str | None
    has_more: bool


class ConversionSession(Struct, frozen=True, kw_only=True):
    """A debug session; it records while it is OPEN."""

    id: str
    state: str
    client: str
    resource: str
    reason: str
    most_records: int
    recorded: int
    started_by: str
    started_at: datetime
    expires_at: datetime
    ended_by: str
    ended_at: datetime | None


class ConversionSessionPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[ConversionSession]
    next_cursor: str | None
    has_more: bool


class ConversionStep(Struct, frozen=True, kw_only=True):
    """One step of a conversion: where from and to, the values as JSON (empty: absent), and what the bag
    did.
    """

    op: str
    source: str
    target: str
    before: str
    after: str
    bag: str


class Database(Struct, frozen=True, kw_only=True):
    """Where the data of one version is kept."""

    namespace: str
    version: str
    disabled: bool
    resources: int | None
    """As of its newest copy."""


class Deployment(Struct, frozen=True, kw_only=True):
    """Everything about one deployment; `raw` is its message in the registry's own words."""

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
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    newest_version: str
    reachable_versions: list[ReachableVersion]
    db_data_version: str
    db_location_tag: str
    shard_count: int | None
    """How many shards the data have; null where they are kept elsewhere."""
    public_domain: str
    imported_versions: list[DeploymentImport]
    dependants: list[Dependant]
    databases: list[Database]
    upgrades: list[UpgradeSummary]
    active_upgrade: UpgradeSummary | None
    actions: list[OfferedAction]
    switch_mode_set: ModeChange | None
    resharded: ShardCountChange | None
    """While an upgrade runs whose shards changed."""
    followed: bool
    """Whether the caller follows it."""
    raw: dict[str, Any]


class DeploymentImport(Struct, frozen=True, kw_only=True):
    """An import: the version it uses, and the one that runs in the same region."""

    service: str
    version: str
    current_version: str | None
    mismatch: bool


class DeploymentPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Cell]
    next_cursor: str | None
    has_more: bool


class Image(Struct, frozen=True, kw_only=True):
    """A resource as it was stored: without its property bag, and with sensitive values replaced."""

    body: dict[str, Any]
    metadata: dict[str, Any]


class KeptTypePage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[KeptType]
    next_cursor: str | None
    has_more: bool


class ListedResource(Struct, frozen=True, kw_only=True):
    """A resource in a list."""

    name: str
    revision: str
    updated_at: datetime | None
    fields: dict[str, Any]


class LogSettingsRequestRequest(Struct, frozen=True, kw_only=True):
    """What the logs of a deployment keep."""

    read_sampling: float
    """Which share of reads is logged; writes are always."""
    activity_days: int
    change_days: int


class Logs(Struct, frozen=True, kw_only=True):
    """What the logs of a deployment keep, and what is known to be missing; revision 0 is the default."""

    rev: int
    read_sampling: float
    activity_days: int
    change_days: int
    set_by: str
    set_at: datetime | None
    logged: int
    """Requests that were logged within the retention."""
    dropped: int
    """Requests for which there was no room while they waited."""
    unfinished: list[ActivityWriter]


class ModeChange(Struct, frozen=True, kw_only=True):
    """Who said last how a deployment switches, and when."""

    who: str
    at: datetime


class ObserveConversionsRequest(Struct, frozen=True, kw_only=True):
    """Whose conversions to record, or of which resource, for how long, how many, and why."""

    client: str | UnsetType = UNSET
    """An account; empty for all."""
    resource: str | UnsetType = UNSET
    """A name in either version; empty for all."""
    minutes: int | UnsetType = UNSET
    records: int | UnsetType = UNSET
    """How many conversions at most."""
    reason: str


class OfferedAction(Struct, frozen=True, kw_only=True):
    """An action, whether the caller may take it now, and if not, why and who could."""

    action: str
    allowed: bool
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    who_can: list[str]


class ReachableVersion(Struct, frozen=True, kw_only=True):
    """A version and whether this deployment could move to it."""

    version: str
    reachable: bool
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class Resource(Struct, frozen=True, kw_only=True):
    """One resource in every version."""

    id: str
    service: str
    region: str
    name: str
    type: str
    stored_version: str
    revision: str
    metadata: dict[str, Any]
    stored: dict[str, Any]
    bags: list[BagEntry]
    views: list[VersionView]


class ResourceChange(Struct, frozen=True, kw_only=True):
    """One change of a resource, in the version that stored it.

    `before` and `after` are null where there was no resource, and both for a change that is older
    than the log.
    """

    id: str
    at: datetime
    version: str
    operation: str
    type: str
    name: str
    uid: UUID
    revision: str
    caller: str
    """Empty when no request and no controller is known."""
    request_id: str
    changed: list[str]
    """The fields in which before and after differ."""
    before: Image | None
    after: Image | None


class ResourceChangePage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[ResourceChange]
    next_cursor: str | None
    has_more: bool


class Resources(Struct, frozen=True, kw_only=True):
    """A page of resources; `hidden` are those that this version cannot name."""

    service: str
    region: str
    active_version: str
    version: str
    versions: list[str]
    type: str
    types: list[str]
    how: str
    hidden: int
    items: list[ListedResource]
    next_page_token: str


class ShardCountChange(Struct, frozen=True, kw_only=True):
    """How many shards an upgrade had and has, and since when; its counts began again then."""

    before: int
    after: int
    at: datetime


class VersionView(Struct, frozen=True, kw_only=True):
    """The resource in one version, or why that version has none."""

    version: str
    how: str
    type: str | None
    name: str | None
    document: dict[str, Any] | None
    reason: str
    reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    steps: list[ConversionStep]
