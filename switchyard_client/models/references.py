"""Types of the operations of references.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase, ReferenceNode, UnansweredDeployment


class FillingVersion(Struct, frozen=True, kw_only=True):
    """A version whose references are being filled: it is copied to, and not served yet."""

    service: str
    region: str
    version: str
    served: str
    """The version whose references are told until then."""
    upgrade_id: str
    percent: int | None
    """Whole percent as the upgrade shows it: 100 once all shards are caught up, null before all are
    counted.
    """
    oldest_report_at: datetime | None
    """How old the percent is; null: no shard has reported."""
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class FillingVersionPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[FillingVersion]
    next_cursor: str | None
    has_more: bool


class GroupMember(Struct, frozen=True, kw_only=True):
    """A single reference of a group: the resource at its other end, and where the reference stands."""

    id: str
    path: str


class GroupMemberPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[GroupMember]
    next_cursor: str | None
    has_more: bool


class HiddenResources(Struct, frozen=True, kw_only=True):
    """How many resources are not shown, and why."""

    budget: int
    filter: int


class ReferenceEdge(Struct, frozen=True, kw_only=True):
    """One reference; `version` is the one its source is stored in."""

    source: str
    target: str
    kind: str
    path: str
    version: str


class ReferenceGroup(Struct, frozen=True, kw_only=True):
    """References that one field of one type makes by one rule, from or to one deployment.

    `direction` is `in` for references to the resource. Service, region, version and type are those of
    the other end; of a deployment that may not be read the type is `hidden`, and only the count is
    shown.
    """

    direction: str
    service: str
    region: str
    version: str
    type: str
    field: str
    """The field that refers, wherever it is, such as spec.keys[]."""
    kind: str
    count: int
    is_exact: bool
    """False: there are at least so many."""


class ReferenceGroups(Struct, frozen=True, kw_only=True):
    """The references around a resource, counted."""

    focus: ReferenceNode
    groups: list[ReferenceGroup]
    unknown: list[UnansweredDeployment]


class References(Struct, frozen=True, kw_only=True):
    """The graph around a resource."""

    focus: str
    nodes: list[ReferenceNode]
    edges: list[ReferenceEdge]
    hidden: HiddenResources
    unknown: list[UnansweredDeployment]


class ResourceMatches(Struct, frozen=True, kw_only=True):
    """Resources that were found, and what may be asked for; `more` when something was left out.

    `building` names what has no answer yet: deployments that are copied to the version that was asked
    for.
    """

    items: list[ReferenceNode]
    more: bool
    types: list[str]
    versions: list[str]
    unknown: list[UnansweredDeployment]
    building: list[FillingVersion]
