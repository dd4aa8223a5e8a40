"""What a graph of references is made of: resources, references, and who did not answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.kernel.messages import WordedMessage, counted, message

Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ReferenceNode:
    """A resource in a deployment.

    `created` and `changed` are known of those that were looked up, and so is `owner`: what it names as its
    owner, else what its name lies under.
    """

    service: str
    region: str
    name: str
    type: str = ""
    version: str = ""
    state: NodeState = NodeState.UNKNOWN
    created: datetime | None = None
    changed: datetime | None = None
    owner: str = ""

    @property
    def id(self) -> str:
        """The full name, unique in the fleet."""
        return f"//{self.service}/{self.region}/{self.name}"

    @property
    def is_found(self) -> bool:
        """Whether its deployment holds it."""
        return self.state not in (NodeState.MISSING, NodeState.UNKNOWN)

    @property
    def place(self) -> Place:
        """The region and service that hold it."""
        return (self.region, self.service)

    @classmethod
    def parse(cls, text: str) -> ReferenceNode:
        """Read a full name.

        Raises: Invalid (`full-name`).
        """
        parts = text.removeprefix("//").split("/", 2)
        if not text.startswith("//") or len(parts) < 3 or not all(parts):
            raise Invalid(
                message("{text} is no full name.", text=repr(text[:120])),
                code="full-name",
                remedy=message(
                    "Write //{form}/{form_2}/{form_3}.", form="{service}", form_2="{region}", form_3="{name}"
                ),
            )
        service, region, name = parts
        return cls(service, region, name)


@dataclass(frozen=True, slots=True)
class ReferenceEdge:
    """One reference; `version` is the version the source is stored in."""

    source: str
    target: str
    kind: str
    path: str
    version: str


@dataclass(frozen=True, slots=True)
class UnavailableDeployment:
    """A deployment that did not answer."""

    service: str
    region: str
    reason: WordedMessage

    @classmethod
    def after(cls, service: str, region: str, error: SwitchyardError) -> UnavailableDeployment:
        """Name a deployment with the error that it answered with, or that stood for its answer."""
        return cls(service, region, error.words)


@dataclass(frozen=True, slots=True)
class DeletionCheck:
    """What a deletion would meet: blockers, cascades and unsets, here and in other deployments."""

    focus: ReferenceNode
    blockers: tuple[ReferenceEdge, ...]
    cascades: tuple[ReferenceNode, ...]
    unsets: tuple[ReferenceEdge, ...]
    unknown: tuple[UnavailableDeployment, ...]

    @property
    def verdict(self) -> str:
        """`blocked`, `unknown` when a deployment did not answer or has no such resource, else `safe`."""
        if self.blockers:
            return "blocked"
        return "unknown" if self.unknown or self.focus.state is NodeState.MISSING else "safe"

    @property
    def sentence(self) -> WordedMessage:
        """Say the verdict in one sentence."""
        if self.blockers:
            places = {ReferenceNode.parse(each.source).place for each in self.blockers}
            return self._blocked + counted(len(places), "in {count} deployment.", "in {count} deployments.")
        if self.unknown:
            return counted(
                len(self.unknown),
                "Unknown: {count} deployment did not answer.",
                "Unknown: {count} deployments did not answer.",
            )
        if self.focus.state is NodeState.MISSING:
            return message("Unknown: there is no such resource.")
        return self._safe

    @property
    def _blocked(self) -> WordedMessage:
        if self.unknown:
            return counted(
                len(self.blockers),
                "Blocked by at least {count} reference",
                "Blocked by at least {count} references",
            )
        return counted(len(self.blockers), "Blocked by {count} reference", "Blocked by {count} references")

    @property
    def _safe(self) -> WordedMessage:
        deleted, cleared = len(self.cascades), len(self.unsets)
        if deleted and cleared:
            return counted(
                deleted,
                "Safe now; {count} more resource would be deleted",
                "Safe now; {count} more resources would be deleted",
            ) + counted(
                cleared, "and {count} reference would be cleared.", "and {count} references would be cleared."
            )
        if deleted:
            return counted(
                deleted,
                "Safe now; {count} more resource would be deleted.",
                "Safe now; {count} more resources would be deleted.",
            )
        if cleared:
            return counted(
                cleared,
                "Safe now; {count} reference would be cleared.",
                "Safe now; {count} references would be cleared.",
            )
        return message("Safe now.")
