"""What a follower brings: the images of resources, as they are or changed."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.ports.store import Put, StoredResource


def carried(found: StoredResource, name: str | None = None, **changes: object) -> Put:
    """Make of what was read what is written elsewhere, under another name if one is given."""
    put = Put(
        found.type,
        name or found.name,
        found.uid,
        found.revision,
        found.shard,
        found.body,
        found.metadata,
        found.owning_region,
        found.create_time,
        found.update_time,
    )
    return replace(put, **changes)  # type: ignore[arg-type]
