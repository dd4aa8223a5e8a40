"""Operations of waivers.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_APPROVE_WAIVER = Operation(
    "approve_waiver", "POST", "/api/v1/waivers/{id}/approve", {200: "Waiver"}, repeatable=True
)
_END_WAIVER = Operation("end_waiver", "POST", "/api/v1/waivers/{id}/end", {200: "Waiver"}, repeatable=True)
_WAIVER_INBOX = Operation("waiver_inbox", "GET", "/api/v1/waivers", {200: "WaiverPage"})


class WaiversOperations(Sender):
    """Operations of waivers."""

    def approve_waiver(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.Waiver]:
        """Let a waiver count; the one who asked for it cannot.

        `POST /api/v1/waivers/{id}/approve`.
        """
        return self._send(
            _APPROVE_WAIVER,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def end_waiver(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.Waiver]:
        """End a waiver before its time, or refuse it.

        `POST /api/v1/waivers/{id}/end`.
        """
        return self._send(
            _END_WAIVER,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def waiver_inbox(
        self, *, tab: Literal["asked", "decided", "mine", "open"] | None = None, request_id: str = ""
    ) -> Response[models.WaiverPage]:
        """List waivers of all services: those that need me, those I asked for, all open ones, those
        decided.

        `GET /api/v1/waivers`.
        """
        return self._send(_WAIVER_INBOX, query={"tab": tab}, request_id=request_id)


class AsyncWaiversOperations(AsyncSender):
    """Operations of waivers, awaited."""

    async def approve_waiver(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.Waiver]:
        """Let a waiver count; the one who asked for it cannot.

        `POST /api/v1/waivers/{id}/approve`.
        """
        return await self._send(
            _APPROVE_WAIVER,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def end_waiver(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.Waiver]:
        """End a waiver before its time, or refuse it.

        `POST /api/v1/waivers/{id}/end`.
        """
        return await self._send(
            _END_WAIVER,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def waiver_inbox(
        self, *, tab: Literal["asked", "decided", "mine", "open"] | None = None, request_id: str = ""
    ) -> Response[models.WaiverPage]:
        """List waivers of all services: those that need me, those I asked for, all open ones, those
        decided.

        `GET /api/v1/waivers`.
        """
        return await self._send(_WAIVER_INBOX, query={"tab": tab}, request_id=request_id)
