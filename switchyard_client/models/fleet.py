"""Types of the operations of fleet.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Cell, Phrase


class ExampleFleet(Struct, frozen=True, kw_only=True):
    """What loading the example fleet came to."""

    regions: list[str]
    services: list[str]
    deployments: list[str]
    changed: int
    """How much was not there before."""


class Fleet(Struct, frozen=True, kw_only=True):
    """The whole matrix."""

    regions: list[FleetRegion]
    services: list[FleetService]
    cells: list[Cell]


class FleetCallers(Struct, frozen=True, kw_only=True):
    """Clients of versions before the newest, as `callers[service][region]`; what had none is not named."""

    days: int
    callers: dict[str, dict[str, int]]


class FleetImport(Struct, frozen=True, kw_only=True):
    """Which version of an import a version of the service uses."""

    service: str
    version: str
    for_version: str


class FleetRegion(Struct, frozen=True, kw_only=True):
    """A column of the matrix."""

    name: str
    title: str
    zone: str
    """Its time zone, from the annotation `timeZone` of the region."""


class FleetService(Struct, frozen=True, kw_only=True):
    """A row of the matrix; services stand above what they import."""

    name: str
    display_name: str
    versions: list[str]
    rank: int
    imports: list[str]
    import_versions: list[FleetImport]
    """By version of the service; empty where none is declared."""


class FleetVersions(Struct, frozen=True, kw_only=True):
    """When each version was served for the first time, as `since[service][version]`; one that never was
    is not named.
    """

    since: dict[str, dict[str, datetime | None]]
    """Null where the change was not noted."""


class FleetWindows(Struct, frozen=True, kw_only=True):
    """The next window of each deployment: `of[service][region]` numbers one of `outlooks`."""

    outlooks: list[WindowOutlook]
    of: dict[str, dict[str, int]]


class WindowOutlook(Struct, frozen=True, kw_only=True):
    """Whether a deployment may switch now, and until when, or from when on."""

    allowed: bool
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    rule: str
    """The window or freeze that says so."""
    opens: datetime | None
    closes: datetime | None
