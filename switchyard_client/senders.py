"""What the operations need of a client: to send one, and to read all pages of a list."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from switchyard_client.exchange import Operation, Response

NOTHING: Mapping[str, object] = {}


class Sender:
    """Sends operations, and waits for their answers."""

    @abstractmethod
    def _send(
        self,
        operation: Operation,
        path: Mapping[str, object] = NOTHING,
        query: Mapping[str, object] = NOTHING,
        body: object = None,
        *,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[Any]: ...

    def _pages(
        self,
        operation: Operation,
        path: Mapping[str, object] = NOTHING,
        query: Mapping[str, object] = NOTHING,
        *,
        request_id: str = "",
    ) -> Iterator[Any]:
        """Give the items of all pages."""
        cursor = None
        while True:
            asked = {**query, "cursor": cursor}
            page = self._send(operation, path, asked, request_id=request_id).value
            yield from page.items
            cursor = page.next_cursor
            if not cursor:
                return


class AsyncSender:
    """Sends operations; their answers are awaited."""

    @abstractmethod
    async def _send(
        self,
        operation: Operation,
        path: Mapping[str, object] = NOTHING,
        query: Mapping[str, object] = NOTHING,
        body: object = None,
        *,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[Any]: ...

    async def _pages(
        self,
        operation: Operation,
        path: Mapping[str, object] = NOTHING,
        query: Mapping[str, object] = NOTHING,
        *,
        request_id: str = "",
    ) -> AsyncIterator[Any]:
        """Give the items of all pages."""
        cursor = None
        while True:
            asked = {**query, "cursor": cursor}
            page = (await self._send(operation, path, asked, request_id=request_id)).value
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if not cursor:
                return
