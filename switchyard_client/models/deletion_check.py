"""Types of the operations of deletion check.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase, ReferenceNode, UnansweredDeployment


class BlockingReference(Struct, frozen=True, kw_only=True):
    """Who refers, and from which field."""

    path: str
    message: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class DeletionCheck(Struct, frozen=True, kw_only=True):
    """Whether a resource may be deleted."""

    focus: ReferenceNode
    verdict: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    blockers: list[IncomingReference]
    cascades: list[ReferenceNode]
    unsets: list[IncomingReference]
    unknown: list[UnansweredDeployment]


class DeletionRehearsal(Struct, frozen=True, kw_only=True):
    """What the server did before it took all back: deleted, refused, or would ask others first."""

    outcome: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    deleted: int
    asks: list[str]
    """Deployments that would be asked to agree."""
    violations: list[BlockingReference]


class IncomingReference(Struct, frozen=True, kw_only=True):
    """A reference with what is known of its source; empty where its deployment told nothing more."""

    source: str
    target: str
    kind: str
    path: str
    version: str
    type: str
    owner: str
    """What the source names as its owner, else what its name lies under."""
    since: datetime | None
    """Since when the source is there."""
