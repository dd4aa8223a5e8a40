"""The reference index of a namespace held against its documents, where both lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from migrations_app.domain.parity.digest import EMPTY, Digest
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import ReferencePath, ReplicationToken


@dataclass(frozen=True, slots=True)
class IndexDigest:
    """What the rows of one shard add up to, and what its documents say they should."""

    kept: Digest = EMPTY
    said: Digest = EMPTY

    @property
    def is_equal(self) -> bool:
        """Whether the rows are those that the documents say."""
        return self.kept == self.said


@dataclass(frozen=True, slots=True)
class IndexDigests:
    """The digests of the resources of one type by shard, and the names of rows that belong to no resource."""

    shards: dict[int, IndexDigest]
    orphans: tuple[str, ...] = ()


class ReferenceIndexes(Protocol):
    """Looks at rows and documents in one snapshot, so that writes meanwhile make no difference."""

    def digests(self, namespace: Namespace, type: str, paths: Sequence[ReferencePath] | None) -> IndexDigests:
        """Digest the rows of a type by shard, and what its documents say at these paths.

        Without paths documents cannot be asked: only rows of no resource are looked for. Of those some are named.
        Raises: Busy (`database-busy`).
        """
        ...

    def clear(
        self, namespace: Namespace, type: str, names: Sequence[str], token: ReplicationToken | None
    ) -> int:
        """Delete rows of resources that are not there; a token writes to the side that is not served.

        Raises: Busy, Stale when the token is void or another version is served.
        """
        ...
