"""Operations of deletion watches.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_DELETION_WATCHES = Operation(
    "deletion_watches", "GET", "/api/v1/deletion-watches", {200: "DeletionWatchPage"}
)
_END_DELETION_WATCH = Operation(
    "end_deletion_watch", "DELETE", "/api/v1/deletion-watches/{id}", {204: ""}, repeatable=True
)
_WATCH_DELETION = Operation(
    "watch_deletion",
    "POST",
    "/api/v1/deletion-watches",
    {201: "DeletionWatch"},
    sends_body=True,
    repeatable=True,
)


class DeletionWatchesOperations(Sender):
    """Operations of deletion watches."""

    def deletion_watches(self, *, request_id: str = "") -> Response[models.DeletionWatchPage]:
        """List what you wait for.

        `GET /api/v1/deletion-watches`.
        """
        return self._send(_DELETION_WATCHES, request_id=request_id)

    def end_deletion_watch(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[None]:
        """Wait no longer, or put away what was told.

        `DELETE /api/v1/deletion-watches/{id}`.
        """
        return self._send(
            _END_DELETION_WATCH,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def watch_deletion(
        self,
        body: models.ResourceNameRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DeletionWatch]:
        """Wait until nothing blocks the deletion of a resource; you are told then.

        `POST /api/v1/deletion-watches`.
        """
        return self._send(
            _WATCH_DELETION,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncDeletionWatchesOperations(AsyncSender):
    """Operations of deletion watches, awaited."""

    async def deletion_watches(self, *, request_id: str = "") -> Response[models.DeletionWatchPage]:
        """List what you wait for.

        `GET /api/v1/deletion-watches`.
        """
        return await self._send(_DELETION_WATCHES, request_id=request_id)

    async def end_deletion_watch(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[None]:
        """Wait no longer, or put away what was told.

        `DELETE /api/v1/deletion-watches/{id}`.
        """
        return await self._send(
            _END_DELETION_WATCH,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def watch_deletion(
        self,
        body: models.ResourceNameRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DeletionWatch]:
        """Wait until nothing blocks the deletion of a resource; you are told then.

        `POST /api/v1/deletion-watches`.
        """
        return await self._send(
            _WATCH_DELETION,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
