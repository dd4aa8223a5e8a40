"""Types of the operations of health.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase


class Component(Struct, frozen=True, kw_only=True):
    """One part of the system."""

    name: str
    status: str
    detail: str
    since: datetime | None
    remedy: str | None
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    remedy_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    runbook: str
    """The page of the console that says what to do."""


class Controller(Struct, frozen=True, kw_only=True):
    """A controller in one region; no region: what is Switchyard's own."""

    region: str
    controller: str
    keys: int
    """How many keys it looks after."""
    held: int
    """How many of them a worker holds just now."""
    late: int
    """How many are due since 30 s, and no worker holds them."""
    quarantined: int
    leader: str
    """The worker that holds a key, or else held one last."""
    last_turn_at: datetime | None
    age_seconds: float | None


class ControllerPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Controller]
    next_cursor: str | None
    has_more: bool


class Health(Struct, frozen=True, kw_only=True):
    """The whole, which is as its worst part."""

    status: str
    components: list[Component]
    work_classes: list[WorkClass]


class QuarantinedWork(Struct, frozen=True, kw_only=True):
    """A key of work that needs a person."""

    controller: str
    key: str
    code: str
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    remedy: str
    remedy_phrases: list[Phrase] | UnsetType = UNSET
    """The remedy in phrases; left out where it has none."""
    since: datetime
    attempts: int


class QuarantinedWorkPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[QuarantinedWork]
    next_cursor: str | None
    has_more: bool


class RetryKeyRequest(Struct, frozen=True, kw_only=True):
    """Which key shall go on."""

    controller: str
    key: str


class WorkClass(Struct, frozen=True, kw_only=True):
    """One class of background work."""

    work_class: str
    share: float | None
    """Its share of worker time; null: it goes before all others."""
    due: int
    """How many of its keys are due, and no worker holds them."""
    late_seconds: float
    """For how long the first of them has been due."""
    used_seconds: float
    """Time that workers used for it so far."""
