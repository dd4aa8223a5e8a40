"""Operations of operations.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_OPERATION = Operation("operation", "GET", "/api/v1/operations/{id}", {200: "Operation"})
_OPERATIONS = Operation("operations", "GET", "/api/v1/operations", {200: "OperationPage"})


class OperationsOperations(Sender):
    """Operations of operations."""

    def operation(
        self, id: UUID | str, *, if_rev_gt: int | None = None, wait: str | None = None, request_id: str = ""
    ) -> Response[models.Operation]:
        """Give one operation; with `wait`, once it has ended or is newer than the revision that was
        seen.

        While it runs, `Retry-After` says after how many seconds to ask again.

        `GET /api/v1/operations/{id}`.
        """
        return self._send(
            _OPERATION, path={"id": id}, query={"if_rev_gt": if_rev_gt, "wait": wait}, request_id=request_id
        )

    def operations(
        self,
        *,
        cursor: str | None = None,
        kind: str | None = None,
        limit: int | None = None,
        of_request_id: str | None = None,
        requested_by: str | None = None,
        state: Literal["done", "failed", "running"] | None = None,
        target: str | None = None,
        request_id: str = "",
    ) -> Response[models.OperationPage]:
        """List operations, newest first, such as those that one request began.

        `GET /api/v1/operations`.
        """
        return self._send(
            _OPERATIONS,
            query={
                "cursor": cursor,
                "kind": kind,
                "limit": limit,
                "request_id": of_request_id,
                "requested_by": requested_by,
                "state": state,
                "target": target,
            },
            request_id=request_id,
        )

    def iter_operations(
        self,
        *,
        kind: str | None = None,
        limit: int | None = None,
        of_request_id: str | None = None,
        requested_by: str | None = None,
        state: Literal["done", "failed", "running"] | None = None,
        target: str | None = None,
        request_id: str = "",
    ) -> Iterator[models.Operation]:
        """Give every item of `operations`, page after page."""
        return self._pages(
            _OPERATIONS,
            query={
                "kind": kind,
                "limit": limit,
                "request_id": of_request_id,
                "requested_by": requested_by,
                "state": state,
                "target": target,
            },
            request_id=request_id,
        )


class AsyncOperationsOperations(AsyncSender):
    """Operations of operations, awaited."""

    async def operation(
        self, id: UUID | str, *, if_rev_gt: int | None = None, wait: str | None = None, request_id: str = ""
    ) -> Response[models.Operation]:
        """Give one operation; with `wait`, once it has ended or is newer than the revision that was
        seen.

        While it runs, `Retry-After` says after how many seconds to ask again.

        `GET /api/v1/operations/{id}`.
        """
        return await self._send(
            _OPERATION, path={"id": id}, query={"if_rev_gt": if_rev_gt, "wait": wait}, request_id=request_id
        )

    async def operations(
        self,
        *,
        cursor: str | None = None,
        kind: str | None = None,
        limit: int | None = None,
        of_request_id: str | None = None,
        requested_by: str | None = None,
        state: Literal["done", "failed", "running"] | None = None,
        target: str | None = None,
        request_id: str = "",
    ) -> Response[models.OperationPage]:
        """List operations, newest first, such as those that one request began.

        `GET /api/v1/operations`.
        """
        return await self._send(
            _OPERATIONS,
            query={
                "cursor": cursor,
                "kind": kind,
                "limit": limit,
                "request_id": of_request_id,
                "requested_by": requested_by,
                "state": state,
                "target": target,
            },
            request_id=request_id,
        )

    def iter_operations(
        self,
        *,
        kind: str | None = None,
        limit: int | None = None,
        of_request_id: str | None = None,
        requested_by: str | None = None,
        state: Literal["done", "failed", "running"] | None = None,
        target: str | None = None,
        request_id: str = "",
    ) -> AsyncIterator[models.Operation]:
        """Give every item of `operations`, page after page."""
        return self._pages(
            _OPERATIONS,
            query={
                "kind": kind,
                "limit": limit,
                "request_id": of_request_id,
                "requested_by": requested_by,
                "state": state,
                "target": target,
            },
            request_id=request_id,
        )
