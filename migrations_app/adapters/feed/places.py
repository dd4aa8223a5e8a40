"""From which position each shard of a feed is read, and the refusal when some of it is gone."""

from __future__ import annotations

from collections.abc import Collection

from migrations_app.kernel.errors import Conflict, FeedTrimmed
from migrations_app.kernel.messages import message
from migrations_app.ports.feed import Places, Position
from migrations_app.ports.namespaces import Namespace


def place_per_shard(
    namespace: Namespace, after: Places, shards: Collection[int] | None
) -> dict[int, Position]:
    """Pair each shard that is read with the position it is read from, in the order of the shards."""
    if isinstance(after, str):
        return dict.fromkeys(sorted(range(namespace.ring) if shards is None else shards), Position(after))
    return {shard: after[shard] for shard in sorted(after if shards is None else shards)}


def feed_trimmed(namespace: Namespace, shards: Collection[int]) -> Conflict:
    """Say which shards have lost entries that were not read yet."""
    named = tuple(sorted(shards))
    return FeedTrimmed(
        message(
            "Changes of shard {named} of {deployment} {version} were deleted from its change "
            "feed before they were read here.",
            named=", ".join(map(str, named)),
            deployment=namespace.deployment,
            version=namespace.version,
        ),
        remedy=message("Copy these shards again."),
        shards=named,
    )
