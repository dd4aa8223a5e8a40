"""What a write has to arrange with other deployments before it may commit, with no transaction open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from migrations_app.ports.regions.peers import Peer


@dataclass(frozen=True, slots=True)
class UnconfirmedReference:
    """A new reference to what another deployment owns, by its name in the version that is imported."""

    path: str
    kind: str
    service: str
    version: str
    type: str
    name: str


@dataclass(frozen=True, slots=True)
class PendingDeletion:
    """A resource of this deployment that is asked to be deleted, as it is stored."""

    type: str
    name: str


Agreed = Mapping[UUID, int]
"""The uids that all sources agreed to let go, with the `delete_id` they agreed to."""


class Arrangements(Protocol):
    """Arranges with others what one deployment is about to write."""

    def whereabouts(self, here: Peer, service: str, name: str) -> str | None:
        """Tell the region to ask about a resource; None when the service is not deployed in this fleet."""
        ...

    def establish(
        self, here: Peer, token: str, wanted: Sequence[UnconfirmedReference]
    ) -> Mapping[UnconfirmedReference, Peer]:
        """Announce references to their targets' owners under one token; tell the owners.

        Once: repeated it changes nothing. What was announced and is not committed ends by itself.
        Raises: Conflict (`reference-missing`, `reference-deleting`) with the paths · Busy (`peer-unavailable`).
        """
        ...

    def agree(self, here: Peer, doomed: PendingDeletion) -> Agreed:
        """Mark what is to be deleted, with what goes with it, and ask everybody who may refer to it.

        Once: what is marked stays so until the deletion commits, is withdrawn, or its deadline passes.
        Raises: Conflict (`deletion-blocked`) naming who refers · Busy (`peer-unavailable`); then nothing is marked.
        """
        ...

    def withdraw(self, here: Peer, agreed: Agreed) -> None:
        """Give up deletions that were agreed to."""
        ...

    def written(self, here: Peer) -> None:
        """Hint that confirmations are owed or shadows are being deleted."""
        ...
