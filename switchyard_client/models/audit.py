"""Types of the operations of audit.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase


class AuditAnchorRequest(Struct, frozen=True, kw_only=True):
    """A signed head of the chain, as it was kept outside."""

    seq: int
    digest: str
    at: str
    key: str
    signature: str


class AuditAnchorsRequest(Struct, frozen=True, kw_only=True):
    """Heads to compare the chain with."""

    anchors: list[AuditAnchorRequest]


class AuditChain(Struct, frozen=True, kw_only=True):
    """How the chain stands."""

    intact: bool
    length: int
    unsealed: int
    digest: str
    broken_at: int | None
    entry: int | None
    reason: str
    reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    anchors: int
    """Signed heads that it was compared with."""
    anchored: int
    """The newest entry that one of them names."""
    key: str
    """The public key (Ed25519) that heads are signed with."""


class AuditEntry(Struct, frozen=True, kw_only=True):
    """One entry of the ledger."""

    id: int
    seq: int | None
    digest: str | None
    at: datetime
    actor: str
    actor_kind: str
    actor_kind_title: str | UnsetType = UNSET
    token: str
    address: str
    request_id: str
    action: str
    action_title: str | UnsetType = UNSET
    """What the action is called; its name where it has no title."""
    target_kind: str
    target_kind_title: str | UnsetType = UNSET
    target: str
    service: str
    region: str
    outcome: str
    reason: str
    reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AuditEntryPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[AuditEntry]
    next_cursor: str | None
    has_more: bool
