"""Types of the operations of overview.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase, UpgradeSummary


class FollowedDeployment(Struct, frozen=True, kw_only=True):
    """A deployment that one follows; another `key` means that it moved on."""

    service: str
    region: str
    current_version: str
    state: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    link: str
    key: str


class Need(Struct, frozen=True, kw_only=True):
    """Something that waits for the caller."""

    kind: str
    id: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    deadline: datetime | None
    link: str
    put_away: str | UnsetType = UNSET
    """The address that puts an ask away."""


class Overview(Struct, frozen=True, kw_only=True):
    """What one wants to know first."""

    now: UpgradeCounts
    needs_you: list[Need]
    running: list[UpgradeSummary]
    skew: list[ServiceSkew]
    windows: list[WindowOpening]
    followed: list[FollowedDeployment]
    week: Week
    first_use: bool
    """No upgrade was ever planned within the caller's scope."""


class ServiceSkew(Struct, frozen=True, kw_only=True):
    """On which versions the deployments of a service are."""

    service: str
    versions: list[VersionCount]


class Switch(Struct, frozen=True, kw_only=True):
    """An upgrade that switched, and for how long it paused writes."""

    id: str
    service: str
    region: str
    from_version: str
    to_version: str
    at: datetime
    freeze_ms: float | None


class UpgradeCounts(Struct, frozen=True, kw_only=True):
    """How many upgrades are in which situation."""

    running: int
    waiting_mine: int
    waiting_others: int
    stalled: int
    failed: int
    reversible: int


class VersionCount(Struct, frozen=True, kw_only=True):
    """How many deployments of a service are on a version."""

    version: str
    count: int


class Week(Struct, frozen=True, kw_only=True):
    """What was switched in the last seven days; null where no switch has a figure."""

    switches: int
    rolled_back: int
    median_freeze_ms: float | None
    longest_freeze_ms: float | None
    newest: list[Switch]


class WindowOpening(Struct, frozen=True, kw_only=True):
    """A window or freeze that is open, or opens within a day."""

    name: str
    effect: str
    opens: datetime
    closes: datetime
    open: bool
