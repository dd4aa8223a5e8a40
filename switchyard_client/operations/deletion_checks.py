"""Operations of deletion checks.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_DELETION_CHECKS = Operation(
    "deletion_checks",
    "POST",
    "/api/v1/deletion-checks",
    {200: "BriefCheckPage"},
    sends_body=True,
    repeatable=True,
)


class DeletionChecksOperations(Sender):
    """Operations of deletion checks."""

    def deletion_checks(
        self,
        body: models.NamesToCheckRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BriefCheckPage]:
        """Tell of many resources whether they may be deleted; nothing is changed.

        `POST /api/v1/deletion-checks`.
        """
        return self._send(_DELETION_CHECKS, body=body, idempotency_key=idempotency_key, request_id=request_id)


class AsyncDeletionChecksOperations(AsyncSender):
    """Operations of deletion checks, awaited."""

    async def deletion_checks(
        self,
        body: models.NamesToCheckRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BriefCheckPage]:
        """Tell of many resources whether they may be deleted; nothing is changed.

        `POST /api/v1/deletion-checks`.
        """
        return await self._send(
            _DELETION_CHECKS, body=body, idempotency_key=idempotency_key, request_id=request_id
        )
