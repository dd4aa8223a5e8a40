"""Operations of requests.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_SEND_REQUESTS = Operation(
    "send_requests", "POST", "/api/v1/requests:batch", {200: "BatchAnswers"}, sends_body=True, repeatable=True
)


class RequestsOperations(Sender):
    """Operations of requests."""

    def send_requests(
        self,
        body: models.BatchRequestsRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BatchAnswers]:
        """Carry several writes out in one transaction: all of them, or none.

        A refusal is answered as the write itself would be, with `failed_request`, its place in the
        list.

        `POST /api/v1/requests:batch`.
        """
        return self._send(
            _SEND_REQUESTS,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncRequestsOperations(AsyncSender):
    """Operations of requests, awaited."""

    async def send_requests(
        self,
        body: models.BatchRequestsRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BatchAnswers]:
        """Carry several writes out in one transaction: all of them, or none.

        A refusal is answered as the write itself would be, with `failed_request`, its place in the
        list.

        `POST /api/v1/requests:batch`.
        """
        return await self._send(
            _SEND_REQUESTS,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
