"""Operations of report keys.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_REPORT_KEYS = Operation("report_keys", "GET", "/api/v1/report-keys", {200: "ReportKeyPage"})


class ReportKeysOperations(Sender):
    """Operations of report keys."""

    def report_keys(self, *, request_id: str = "") -> Response[models.ReportKeyPage]:
        """List the public keys that shared run sheets are verified with, the current one first.

        `GET /api/v1/report-keys`.
        """
        return self._send(_REPORT_KEYS, request_id=request_id)


class AsyncReportKeysOperations(AsyncSender):
    """Operations of report keys, awaited."""

    async def report_keys(self, *, request_id: str = "") -> Response[models.ReportKeyPage]:
        """List the public keys that shared run sheets are verified with, the current one first.

        `GET /api/v1/report-keys`.
        """
        return await self._send(_REPORT_KEYS, request_id=request_id)
