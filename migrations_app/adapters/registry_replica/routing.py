"""Which database a read of the control tables goes to: the replica, while a resource request is carried out by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from migrations_app.adapters.registry_replica.tables import REPLICATED

ALIAS = "registry_replica"
"""Django's name of the database."""
_by_replica: ContextVar[bool] = ContextVar("reading the registry replica", default=False)


def reads_replica() -> bool:
    """Tell whether reads of this thread go to the replica."""
    return _by_replica.get()


@contextmanager
def reading_replica() -> Iterator[None]:
    """Send the reads of the block to the replica."""
    token = _by_replica.set(True)
    try:
        yield
    finally:
        _by_replica.reset(token)


class ReplicaRouter:
    """Django's database router; writes and migrations never meet the replica."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        """Choose the database of a read."""
        return ALIAS if _by_replica.get() and model._meta.db_table in REPLICATED else None

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool | None:
        """Let rows of the replica refer to each other."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        """Keep migrations off the replica: its tables are made as the control database has them."""
        return False if db == ALIAS else None
