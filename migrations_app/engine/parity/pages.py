"""A page of several shards of a namespace, in the order of their names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import KeyRange, StoredResource


def page_of_shards(
    ports: PipelinePorts, namespace: Namespace, shards: Iterable[int], key_range: KeyRange
) -> list[StoredResource]:
    """Read the next names of these shards together; as many as the limit mean that there may be more."""
    pages = [ports.store.page(namespace, replace(key_range, shard=shard)) for shard in shards]
    rows = sorted(chain.from_iterable(pages), key=lambda row: row.name.encode())
    return rows[: key_range.limit]
