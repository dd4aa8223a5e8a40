"""Operations of overview.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_OVERVIEW = Operation("overview", "GET", "/api/v1/overview", {200: "Overview"})


class OverviewOperations(Sender):
    """Operations of overview."""

    def overview(self, *, request_id: str = "") -> Response[models.Overview]:
        """Give the overview.

        `GET /api/v1/overview`.
        """
        return self._send(_OVERVIEW, request_id=request_id)


class AsyncOverviewOperations(AsyncSender):
    """Operations of overview, awaited."""

    async def overview(self, *, request_id: str = "") -> Response[models.Overview]:
        """Give the overview.

        `GET /api/v1/overview`.
        """
        return await self._send(_OVERVIEW, request_id=request_id)
