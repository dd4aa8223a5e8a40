"""Operations of brown outs.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_APPROVE_BROWN_OUT = Operation(
    "approve_brown_out", "POST", "/api/v1/brown-outs/{id}/approve", {200: "BrownOut"}, repeatable=True
)
_STOP_BROWN_OUT = Operation(
    "stop_brown_out",
    "POST",
    "/api/v1/brown-outs/{id}/stop",
    {200: "BrownOut"},
    sends_body=True,
    repeatable=True,
)


class BrownOutsOperations(Sender):
    """Operations of brown outs."""

    def approve_brown_out(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.BrownOut]:
        """Approve a brown-out that another person requested, where a policy asks for it.

        `POST /api/v1/brown-outs/{id}/approve`.
        """
        return self._send(
            _APPROVE_BROWN_OUT,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def stop_brown_out(
        self,
        id: str,
        body: models.StopBrownOutRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BrownOut]:
        """Stop a brown-out: no request is refused a second later.

        `POST /api/v1/brown-outs/{id}/stop`.
        """
        return self._send(
            _STOP_BROWN_OUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncBrownOutsOperations(AsyncSender):
    """Operations of brown outs, awaited."""

    async def approve_brown_out(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.BrownOut]:
        """Approve a brown-out that another person requested, where a policy asks for it.

        `POST /api/v1/brown-outs/{id}/approve`.
        """
        return await self._send(
            _APPROVE_BROWN_OUT,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def stop_brown_out(
        self,
        id: str,
        body: models.StopBrownOutRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BrownOut]:
        """Stop a brown-out: no request is refused a second later.

        `POST /api/v1/brown-outs/{id}/stop`.
        """
        return await self._send(
            _STOP_BROWN_OUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
