"""Notifications by triggers of the control database, with the commit that they speak of."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import psycopg
from django.db import connections

from migrations_app.kernel.errors import Busy
from migrations_app.kernel.messages import message
from migrations_app.ports.commit_notifications import CommitNotifications

REGISTRY = "switchyard_registry"
OUTBOX = "switchyard_outbox"
_SESSION = ("host", "port", "dbname", "user", "password", "sslmode", "options", "connect_timeout")


@dataclass(frozen=True, slots=True)
class PostgresCommitNotifications(CommitNotifications):
    """What triggers of the control database send on a channel; `channel` is one of the constants above."""

    channel: str

    async def follow(self) -> AsyncGenerator[None]:
        """Yield once when the database began to notify, then after each commit that changed what the channel is for.

        On a connection of its own, which is closed with the generator.
        Raises: Busy (`registry-unavailable`) when the connection cannot be made or is lost.
        """
        known = connections["default"].get_connection_params()
        session = {name: known[name] for name in _SESSION if known.get(name)}
        # A connection that was cut without a word is noticed within seconds.
        session |= {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
        try:
            async with await psycopg.AsyncConnection.connect(**session, autocommit=True) as connection:
                await connection.execute(f"LISTEN {self.channel}")
                yield
                async for _ in connection.notifies():
                    yield
        except psycopg.Error as error:
            raise Busy(
                message("The control database notifies no more: {error}", error=str(error)),
                code="registry-unavailable",
            ) from error
        raise Busy(message("The control database notifies no more."), code="registry-unavailable")
