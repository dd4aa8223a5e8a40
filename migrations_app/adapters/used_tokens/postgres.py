"""Used service tokens in the control database, which every process of an installation asks."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from django.db import DatabaseError, connection

from migrations_app.kernel.errors import Busy
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.used_tokens import UsedTokens

# No wait for the disk: a crash forgets the last moments' tokens, which end within two minutes anyway.
_CLAIM = """
WITH unhurried AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO switchyard_usedservicetoken (token, until) SELECT %s, %s FROM unhurried
ON CONFLICT (token) DO NOTHING
"""
_FORGET = "DELETE FROM switchyard_usedservicetoken WHERE until < now()"
_FORGET_EVERY = 200


class PostgresUsedTokens(UsedTokens):
    """Remembers used tokens in a table: one insert for a call."""

    def claim(self, token: str, until: float) -> bool:
        """Note that a token is used now; false when it was used before.

        Raises: Busy (`database-unavailable`).
        """
        try:
            with connection.cursor() as cursor:
                cursor.execute(_CLAIM, [token, datetime.fromtimestamp(until, UTC)])
                is_first = cursor.rowcount == 1
                if random.randrange(_FORGET_EVERY) == 0:  # noqa: S311 - spreads work, keeps no secret
                    cursor.execute(_FORGET)
        except DatabaseError as error:
            raise Busy(
                message(
                    "It is unknown whether the service token was used before: the database does not answer."
                ),
                code="database-unavailable",
                remedy=message("Send the request again with a new token."),
                retry_after_seconds=2.0,
            ) from error
        return is_first
