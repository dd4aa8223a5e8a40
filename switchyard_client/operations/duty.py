"""Operations of duty.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_DUTY = Operation("duty", "GET", "/api/v1/duty", {200: "OnCallTurnPage"})
_LEAVE_DUTY = Operation("leave_duty", "DELETE", "/api/v1/duty", {204: ""}, repeatable=True)
_TAKE_DUTY = Operation(
    "take_duty", "PUT", "/api/v1/duty", {200: "OnCallTurnPage"}, sends_body=True, repeatable=True
)


class DutyOperations(Sender):
    """Operations of duty."""

    def duty(self, *, request_id: str = "") -> Response[models.OnCallTurnPage]:
        """List who is on duty.

        `GET /api/v1/duty`.
        """
        return self._send(_DUTY, request_id=request_id)

    def leave_duty(
        self, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[None]:
        """Be off duty.

        `DELETE /api/v1/duty`.
        """
        return self._send(
            _LEAVE_DUTY, query={"dry_run": dry_run}, idempotency_key=idempotency_key, request_id=request_id
        )

    def take_duty(
        self,
        body: models.NewOnCallTurnRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.OnCallTurnPage]:
        """Be on duty for so many hours from now.

        `PUT /api/v1/duty`.
        """
        return self._send(
            _TAKE_DUTY,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncDutyOperations(AsyncSender):
    """Operations of duty, awaited."""

    async def duty(self, *, request_id: str = "") -> Response[models.OnCallTurnPage]:
        """List who is on duty.

        `GET /api/v1/duty`.
        """
        return await self._send(_DUTY, request_id=request_id)

    async def leave_duty(
        self, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[None]:
        """Be off duty.

        `DELETE /api/v1/duty`.
        """
        return await self._send(
            _LEAVE_DUTY, query={"dry_run": dry_run}, idempotency_key=idempotency_key, request_id=request_id
        )

    async def take_duty(
        self,
        body: models.NewOnCallTurnRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.OnCallTurnPage]:
        """Be on duty for so many hours from now.

        `PUT /api/v1/duty`.
        """
        return await self._send(
            _TAKE_DUTY,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
