"""Operations of views.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_FORGET_VIEW = Operation("forget_view", "DELETE", "/api/v1/views/{page}/{name}", {204: ""}, repeatable=True)
_SAVE_VIEW = Operation(
    "save_view", "PUT", "/api/v1/views/{page}/{name}", {200: "ViewPage"}, sends_body=True, repeatable=True
)
_VIEW = Operation("view", "GET", "/api/v1/views/{page}/{name}", {200: "View"})
_VIEWS = Operation("views", "GET", "/api/v1/views/{page}", {200: "ViewPage"})


class ViewsOperations(Sender):
    """Operations of views."""

    def forget_view(
        self,
        page: str,
        name: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Forget a view of one's own.

        `DELETE /api/v1/views/{page}/{name}`.
        """
        return self._send(
            _FORGET_VIEW,
            path={"page": page, "name": name},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def save_view(
        self,
        page: str,
        name: str,
        body: models.SaveViewRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ViewPage]:
        """Keep a view of one's own, in place of the one of this name.

        `PUT /api/v1/views/{page}/{name}`.
        """
        return self._send(
            _SAVE_VIEW,
            path={"page": page, "name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def view(self, page: str, name: str, *, request_id: str = "") -> Response[models.View]:
        """Give a view of one's own, or one that others share; 410 where that was forgotten.

        `GET /api/v1/views/{page}/{name}`.
        """
        return self._send(_VIEW, path={"page": page, "name": name}, request_id=request_id)

    def views(self, page: str, *, request_id: str = "") -> Response[models.ViewPage]:
        """List one's own views of a page, and those that others share.

        `GET /api/v1/views/{page}`.
        """
        return self._send(_VIEWS, path={"page": page}, request_id=request_id)


class AsyncViewsOperations(AsyncSender):
    """Operations of views, awaited."""

    async def forget_view(
        self,
        page: str,
        name: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Forget a view of one's own.

        `DELETE /api/v1/views/{page}/{name}`.
        """
        return await self._send(
            _FORGET_VIEW,
            path={"page": page, "name": name},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def save_view(
        self,
        page: str,
        name: str,
        body: models.SaveViewRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ViewPage]:
        """Keep a view of one's own, in place of the one of this name.

        `PUT /api/v1/views/{page}/{name}`.
        """
        return await self._send(
            _SAVE_VIEW,
            path={"page": page, "name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def view(self, page: str, name: str, *, request_id: str = "") -> Response[models.View]:
        """Give a view of one's own, or one that others share; 410 where that was forgotten.

        `GET /api/v1/views/{page}/{name}`.
        """
        return await self._send(_VIEW, path={"page": page, "name": name}, request_id=request_id)

    async def views(self, page: str, *, request_id: str = "") -> Response[models.ViewPage]:
        """List one's own views of a page, and those that others share.

        `GET /api/v1/views/{page}`.
        """
        return await self._send(_VIEWS, path={"page": page}, request_id=request_id)
