"""Touches in PostgreSQL, beside the fence of their deployment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, cast

from migrations_app.adapters.databases import Databases, Rows
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store.rows import TOUCHING
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.touching import Touch


class PostgresTouches:
    """Keeps touches in the data databases."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def open(self, namespace: Namespace, scope: str, fingerprint: str, at: datetime) -> Touch:
        """Begin to touch what is under a policy."""
        return _touches(self._rows(namespace, "open", scope=scope, fingerprint=fingerprint, at=at))[0]

    def find(self, namespace: Namespace, scope: str) -> Touch | None:
        """Read a touch."""
        return next(iter(_touches(self._rows(namespace, "find", scope=scope))), None)

    def listed(self, namespace: Namespace, *, ended: bool, limit: int = 100) -> Sequence[Touch]:
        """List touches."""
        return _touches(self._rows(namespace, "listed", ended=ended, limit=limit))

    def save(self, namespace: Namespace, touch: Touch) -> None:
        """Keep where a touch stands."""
        asked = {**asdict(touch), "deployment": namespace.deployment}
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            if connection.execute(TOUCHING("save"), asked).rowcount == 0:
                raise Stale(
                    message("The policy of {scope} changed.", scope=touch.scope or "the service"),
                    code="touch-renewed",
                )

    def _rows(self, namespace: Namespace, statement: str, **asked: object) -> Rows:
        asked["deployment"] = namespace.deployment
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            return connection.execute(TOUCHING(statement), asked).fetchall()


def _touches(rows: Rows) -> Sequence[Touch]:
    return [Touch(*row) for row in cast("list[tuple[Any, ...]]", rows)]
