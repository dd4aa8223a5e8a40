"""Operations of health.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_CONTROLLERS = Operation("controllers", "GET", "/api/v1/health/controllers", {200: "ControllerPage"})
_HEALTH = Operation("health", "GET", "/api/v1/health", {200: "Health"})
_QUARANTINED_WORK = Operation(
    "quarantined_work", "GET", "/api/v1/health/quarantined-work", {200: "QuarantinedWorkPage"}
)
_RETRY_WORK = Operation(
    "retry_work", "POST", "/api/v1/health/quarantined-work", {204: ""}, sends_body=True, repeatable=True
)


class HealthOperations(Sender):
    """Operations of health."""

    def controllers(self, *, request_id: str = "") -> Response[models.ControllerPage]:
        """List the controllers by region.

        `GET /api/v1/health/controllers`.
        """
        return self._send(_CONTROLLERS, request_id=request_id)

    def health(self, *, request_id: str = "") -> Response[models.Health]:
        """Tell how the system is.

        `GET /api/v1/health`.
        """
        return self._send(_HEALTH, request_id=request_id)

    def quarantined_work(self, *, request_id: str = "") -> Response[models.QuarantinedWorkPage]:
        """List the quarantined keys.

        `GET /api/v1/health/quarantined-work`.
        """
        return self._send(_QUARANTINED_WORK, request_id=request_id)

    def retry_work(
        self,
        body: models.RetryKeyRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Let a quarantined key go on.

        `POST /api/v1/health/quarantined-work`.
        """
        return self._send(
            _RETRY_WORK,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncHealthOperations(AsyncSender):
    """Operations of health, awaited."""

    async def controllers(self, *, request_id: str = "") -> Response[models.ControllerPage]:
        """List the controllers by region.

        `GET /api/v1/health/controllers`.
        """
        return await self._send(_CONTROLLERS, request_id=request_id)

    async def health(self, *, request_id: str = "") -> Response[models.Health]:
        """Tell how the system is.

        `GET /api/v1/health`.
        """
        return await self._send(_HEALTH, request_id=request_id)

    async def quarantined_work(self, *, request_id: str = "") -> Response[models.QuarantinedWorkPage]:
        """List the quarantined keys.

        `GET /api/v1/health/quarantined-work`.
        """
        return await self._send(_QUARANTINED_WORK, request_id=request_id)

    async def retry_work(
        self,
        body: models.RetryKeyRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Let a quarantined key go on.

        `POST /api/v1/health/quarantined-work`.
        """
        return await self._send(
            _RETRY_WORK,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
