"""Operations of windows.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_CHANGE_WINDOW = Operation(
    "change_window",
    "PUT",
    "/api/v1/windows/{name}",
    {200: "ChangedWindow", 201: "ChangedWindow"},
    sends_body=True,
    repeatable=True,
)
_CREATE_WINDOW = Operation(
    "create_window", "POST", "/api/v1/windows", {201: "ChangedWindow"}, sends_body=True, repeatable=True
)
_DELETE_WINDOW = Operation(
    "delete_window", "DELETE", "/api/v1/windows/{name}", {200: "Warnings", 204: ""}, repeatable=True
)
_EXPLAIN_WINDOW = Operation("explain_window", "GET", "/api/v1/windows/explain", {200: "SwitchPermission"})
_WINDOW = Operation("window", "GET", "/api/v1/windows/{name}", {200: "Window"})
_WINDOWS = Operation("windows", "GET", "/api/v1/windows", {200: "WindowPage"})
_WINDOWS_AHEAD = Operation("windows_ahead", "GET", "/api/v1/windows/ahead", {200: "WindowSpanPage"})


class WindowsOperations(Sender):
    """Operations of windows."""

    def change_window(
        self,
        name: str,
        body: models.WindowRulesRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ChangedWindow]:
        """Set a window or freeze: created where there is none, and kept as it is where it is so already.

        `PUT /api/v1/windows/{name}`.
        """
        return self._send(
            _CHANGE_WINDOW,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def create_window(
        self,
        body: models.NewWindowRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ChangedWindow]:
        """Set a new window or freeze; a dry run previews its openings and what it would hold back.

        `POST /api/v1/windows`.
        """
        return self._send(
            _CREATE_WINDOW,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def delete_window(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Warnings | None]:
        """Remove a window or freeze; a dry run says what that would mean.

        `DELETE /api/v1/windows/{name}`.
        """
        return self._send(
            _DELETE_WINDOW,
            path={"name": name},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def explain_window(
        self, *, deployment: str, at: str | None = None, request_id: str = ""
    ) -> Response[models.SwitchPermission]:
        """Tell whether a deployment may switch at an instant, and by which rule.

        `GET /api/v1/windows/explain`.
        """
        return self._send(_EXPLAIN_WINDOW, query={"at": at, "deployment": deployment}, request_id=request_id)

    def window(self, name: str, *, request_id: str = "") -> Response[models.Window]:
        """Show a window or freeze with its next ten openings.

        `GET /api/v1/windows/{name}`.
        """
        return self._send(_WINDOW, path={"name": name}, request_id=request_id)

    def windows(self, *, request_id: str = "") -> Response[models.WindowPage]:
        """List windows and freezes with their next ten openings.

        `GET /api/v1/windows`.
        """
        return self._send(_WINDOWS, request_id=request_id)

    def windows_ahead(self, *, deployment: str, request_id: str = "") -> Response[models.WindowSpanPage]:
        """Part the next seven days of a deployment by the rule that wins.

        `GET /api/v1/windows/ahead`.
        """
        return self._send(_WINDOWS_AHEAD, query={"deployment": deployment}, request_id=request_id)


class AsyncWindowsOperations(AsyncSender):
    """Operations of windows, awaited."""

    async def change_window(
        self,
        name: str,
        body: models.WindowRulesRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ChangedWindow]:
        """Set a window or freeze: created where there is none, and kept as it is where it is so already.

        `PUT /api/v1/windows/{name}`.
        """
        return await self._send(
            _CHANGE_WINDOW,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def create_window(
        self,
        body: models.NewWindowRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ChangedWindow]:
        """Set a new window or freeze; a dry run previews its openings and what it would hold back.

        `POST /api/v1/windows`.
        """
        return await self._send(
            _CREATE_WINDOW,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def delete_window(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Warnings | None]:
        """Remove a window or freeze; a dry run says what that would mean.

        `DELETE /api/v1/windows/{name}`.
        """
        return await self._send(
            _DELETE_WINDOW,
            path={"name": name},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def explain_window(
        self, *, deployment: str, at: str | None = None, request_id: str = ""
    ) -> Response[models.SwitchPermission]:
        """Tell whether a deployment may switch at an instant, and by which rule.

        `GET /api/v1/windows/explain`.
        """
        return await self._send(
            _EXPLAIN_WINDOW, query={"at": at, "deployment": deployment}, request_id=request_id
        )

    async def window(self, name: str, *, request_id: str = "") -> Response[models.Window]:
        """Show a window or freeze with its next ten openings.

        `GET /api/v1/windows/{name}`.
        """
        return await self._send(_WINDOW, path={"name": name}, request_id=request_id)

    async def windows(self, *, request_id: str = "") -> Response[models.WindowPage]:
        """List windows and freezes with their next ten openings.

        `GET /api/v1/windows`.
        """
        return await self._send(_WINDOWS, request_id=request_id)

    async def windows_ahead(
        self, *, deployment: str, request_id: str = ""
    ) -> Response[models.WindowSpanPage]:
        """Part the next seven days of a deployment by the rule that wins.

        `GET /api/v1/windows/ahead`.
        """
        return await self._send(_WINDOWS_AHEAD, query={"deployment": deployment}, request_id=request_id)
