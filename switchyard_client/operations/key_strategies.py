"""Operations of key strategies.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_END_KEY_STRATEGY = Operation(
    "end_key_strategy", "POST", "/api/v1/key-strategies/{id}/end", {200: "KeyStrategy"}, repeatable=True
)


class KeyStrategiesOperations(Sender):
    """Operations of key strategies."""

    def end_key_strategy(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.KeyStrategy]:
        """End a strategy before its time: that of the deployment applies again.

        `POST /api/v1/key-strategies/{id}/end`.
        """
        return self._send(
            _END_KEY_STRATEGY,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncKeyStrategiesOperations(AsyncSender):
    """Operations of key strategies, awaited."""

    async def end_key_strategy(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.KeyStrategy]:
        """End a strategy before its time: that of the deployment applies again.

        `POST /api/v1/key-strategies/{id}/end`.
        """
        return await self._send(
            _END_KEY_STRATEGY,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
