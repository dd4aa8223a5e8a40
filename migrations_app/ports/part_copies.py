"""Pages of a backfill of a type that splits, copied where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from migrations_app.ports.conversions import SqlPart
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Copied, KeyRange, ReplicationToken


class PartCopies(Protocol):
    """Copies the resources of one type to several."""

    def copy_parts_within(
        self,
        source: Namespace,
        target: Namespace,
        key_range: KeyRange,
        parts: Sequence[SqlPart],
        replication_token: ReplicationToken,
    ) -> Copied | None:
        """Copy a page of a type that splits as `Store.copy_within` does, each resource to the type of its part.

        None also when a resource of the page belongs to no part: copying one by one tells which.
        """
        ...
