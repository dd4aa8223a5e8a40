"""Operations of sessions.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_END_SESSION = Operation("end_session", "DELETE", "/api/v1/sessions/{id}", {204: ""}, repeatable=True)
_SESSIONS = Operation("sessions", "GET", "/api/v1/sessions", {200: "BrowserSessionPage"})


class SessionsOperations(Sender):
    """Operations of sessions."""

    def end_session(
        self, id: int, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[None]:
        """Sign a browser out; one's own, or any account's for accounts that manage access.

        `DELETE /api/v1/sessions/{id}`.
        """
        return self._send(
            _END_SESSION,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def sessions(
        self, *, all: bool | None = None, request_id: str = ""
    ) -> Response[models.BrowserSessionPage]:
        """List where one is signed in, the newest first; with `?all=true` everybody.

        `GET /api/v1/sessions`.
        """
        return self._send(_SESSIONS, query={"all": all}, request_id=request_id)


class AsyncSessionsOperations(AsyncSender):
    """Operations of sessions, awaited."""

    async def end_session(
        self, id: int, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[None]:
        """Sign a browser out; one's own, or any account's for accounts that manage access.

        `DELETE /api/v1/sessions/{id}`.
        """
        return await self._send(
            _END_SESSION,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def sessions(
        self, *, all: bool | None = None, request_id: str = ""
    ) -> Response[models.BrowserSessionPage]:
        """List where one is signed in, the newest first; with `?all=true` everybody.

        `GET /api/v1/sessions`.
        """
        return await self._send(_SESSIONS, query={"all": all}, request_id=request_id)
