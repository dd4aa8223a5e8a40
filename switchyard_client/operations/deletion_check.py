"""Operations of deletion check.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_DELETION_CHECK = Operation("deletion_check", "GET", "/api/v1/deletion-check", {200: "DeletionCheck"})
_REHEARSE_DELETION = Operation(
    "rehearse_deletion",
    "POST",
    "/api/v1/deletion-check/rehearsals",
    {200: "DeletionRehearsal"},
    sends_body=True,
    repeatable=True,
)


class DeletionCheckOperations(Sender):
    """Operations of deletion check."""

    def deletion_check(self, *, name: str, request_id: str = "") -> Response[models.DeletionCheck]:
        """Tell whether a resource may be deleted, and what goes with it.

        `GET /api/v1/deletion-check`.
        """
        return self._send(_DELETION_CHECK, query={"name": name}, request_id=request_id)

    def rehearse_deletion(
        self,
        body: models.ResourceNameRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DeletionRehearsal]:
        """Delete a resource in a transaction that is taken back, and tell what came of it.

        `POST /api/v1/deletion-check/rehearsals`.
        """
        return self._send(
            _REHEARSE_DELETION, body=body, idempotency_key=idempotency_key, request_id=request_id
        )


class AsyncDeletionCheckOperations(AsyncSender):
    """Operations of deletion check, awaited."""

    async def deletion_check(self, *, name: str, request_id: str = "") -> Response[models.DeletionCheck]:
        """Tell whether a resource may be deleted, and what goes with it.

        `GET /api/v1/deletion-check`.
        """
        return await self._send(_DELETION_CHECK, query={"name": name}, request_id=request_id)

    async def rehearse_deletion(
        self,
        body: models.ResourceNameRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DeletionRehearsal]:
        """Delete a resource in a transaction that is taken back, and tell what came of it.

        `POST /api/v1/deletion-check/rehearsals`.
        """
        return await self._send(
            _REHEARSE_DELETION, body=body, idempotency_key=idempotency_key, request_id=request_id
        )
