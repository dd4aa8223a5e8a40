"""Names of tables, and rows of a PostgreSQL namespace turned into the values of the port."""

from __future__ import annotations

import hashlib
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from migrations_app.adapters.databases import Row, Statements
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.ports.fence import FenceLocation, FenceState, Mode
from migrations_app.ports.namespaces import Namespace, Position
from migrations_app.ports.store import StoredResource

_FOLDER = Path(__file__).parent / "sql"
NAMESPACE = Statements(_FOLDER / "namespace.sql")
RESOURCE = Statements(_FOLDER / "resource.sql")
FOLLOWING = Statements(_FOLDER / "following.sql")
COPYING = Statements(_FOLDER / "copying.sql")
TOUCHING = Statements(_FOLDER / "touching.sql")
COMPARING = Statements(_FOLDER / "comparing.sql")
LOGS = Statements(_FOLDER.parents[1] / "logs" / "sql" / "logs.sql")

_LONGEST = 63


def table_of(type_: str) -> str:
    """Name the table of a resource type."""
    return shortened(f"r_{type_}")


def shortened(name: str) -> str:
    """Cut a name to what PostgreSQL keeps of it, staying unique by a hash."""
    if len(name.encode()) <= _LONGEST:
        return name
    return f"{name.encode()[:50].decode(errors='ignore')}_{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def lock_key(deployment: str) -> int:
    """Tell the key of the advisory lock that a deployment's writers share."""
    return int.from_bytes(hashlib.sha256(f"fence {deployment}".encode()).digest()[:8], "big", signed=True)


def resource_of(type_: str, row: Row) -> StoredResource:
    """Build a resource from the columns in the order every statement selects them."""
    name, uid, revision, shard, origin_shard, body, metadata, region, created, updated = cast(
        tuple[str, UUID, int, int, int, JsonObject, JsonObject, str, datetime, datetime], row[:10]
    )
    return StoredResource(
        type_, name, uid, revision, shard, origin_shard, body, metadata, region, created, updated
    )


def fence_of(site: FenceLocation, row: Row) -> FenceState:
    """Build a fence state from its columns."""
    active, mode, epoch, at, deadline, frozen_at, end, reverse, parity, took = cast(tuple[Any, ...], row)
    return FenceState(
        site=site,
        active_version=active,
        mode=Mode(mode),
        epoch=epoch,
        at=at,
        freeze_deadline=deadline,
        frozen_at=frozen_at,
        freeze_end={int(shard): Position(text) for shard, text in end.items()},
        reverse_start=None if reverse is None else Position(reverse),
        parity_epoch=parity,
        freeze_milliseconds=took,
    )


def fence_missing(namespace: Namespace | FenceLocation) -> WordedMessage:
    """Say that a deployment has no fence in a database."""
    return message(
        "{deployment} has no fence in the data database {database}.",
        deployment=namespace.deployment,
        database=namespace.database,
    )
