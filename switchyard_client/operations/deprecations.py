"""Operations of deprecations.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_DEPRECATIONS = Operation("deprecations", "GET", "/api/v1/deprecations", {200: "DeprecationPage"})


class DeprecationsOperations(Sender):
    """Operations of deprecations."""

    def deprecations(self, *, request_id: str = "") -> Response[models.DeprecationPage]:
        """List what goes away, calls of this API first.

        `GET /api/v1/deprecations`.
        """
        return self._send(_DEPRECATIONS, request_id=request_id)


class AsyncDeprecationsOperations(AsyncSender):
    """Operations of deprecations, awaited."""

    async def deprecations(self, *, request_id: str = "") -> Response[models.DeprecationPage]:
        """List what goes away, calls of this API first.

        `GET /api/v1/deprecations`.
        """
        return await self._send(_DEPRECATIONS, request_id=request_id)
