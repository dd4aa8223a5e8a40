"""Operations of regions.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_REGIONS = Operation("regions", "GET", "/api/v1/regions", {200: "RegionPage"})


class RegionsOperations(Sender):
    """Operations of regions."""

    def regions(self, *, request_id: str = "") -> Response[models.RegionPage]:
        """List the regions.

        `GET /api/v1/regions`.
        """
        return self._send(_REGIONS, request_id=request_id)


class AsyncRegionsOperations(AsyncSender):
    """Operations of regions, awaited."""

    async def regions(self, *, request_id: str = "") -> Response[models.RegionPage]:
        """List the regions.

        `GET /api/v1/regions`.
        """
        return await self._send(_REGIONS, request_id=request_id)
