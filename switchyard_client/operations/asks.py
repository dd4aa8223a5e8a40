"""Operations of asks.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_ASK = Operation("ask", "POST", "/api/v1/asks", {201: "PermissionRequest"}, sends_body=True, repeatable=True)
_ASKS = Operation("asks", "GET", "/api/v1/asks", {200: "PermissionRequestPage"})
_SETTLE_ASK = Operation("settle_ask", "DELETE", "/api/v1/asks/{id}", {204: ""}, repeatable=True)


class AsksOperations(Sender):
    """Operations of asks."""

    def ask(
        self,
        body: models.NewPermissionRequestRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.PermissionRequest]:
        """Ask those who may; it stands on their overview for a week.

        `POST /api/v1/asks`.
        """
        return self._send(
            _ASK,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def asks(self, *, request_id: str = "") -> Response[models.PermissionRequestPage]:
        """List what you asked for, and what is asked of you.

        `GET /api/v1/asks`.
        """
        return self._send(_ASKS, request_id=request_id)

    def settle_ask(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[None]:
        """Put away what was asked for: done, refused or no longer wanted.

        `DELETE /api/v1/asks/{id}`.
        """
        return self._send(
            _SETTLE_ASK,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncAsksOperations(AsyncSender):
    """Operations of asks, awaited."""

    async def ask(
        self,
        body: models.NewPermissionRequestRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.PermissionRequest]:
        """Ask those who may; it stands on their overview for a week.

        `POST /api/v1/asks`.
        """
        return await self._send(
            _ASK,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def asks(self, *, request_id: str = "") -> Response[models.PermissionRequestPage]:
        """List what you asked for, and what is asked of you.

        `GET /api/v1/asks`.
        """
        return await self._send(_ASKS, request_id=request_id)

    async def settle_ask(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[None]:
        """Put away what was asked for: done, refused or no longer wanted.

        `DELETE /api/v1/asks/{id}`.
        """
        return await self._send(
            _SETTLE_ASK,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
