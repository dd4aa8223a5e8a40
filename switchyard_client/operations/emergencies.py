"""Operations of emergencies.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_EMERGENCIES = Operation("emergencies", "GET", "/api/v1/emergencies", {200: "BreakGlassReviewPage"})
_REVIEW_EMERGENCY = Operation(
    "review_emergency", "POST", "/api/v1/emergencies/{id}/review", {204: ""}, sends_body=True, repeatable=True
)


class EmergenciesOperations(Sender):
    """Operations of emergencies."""

    def emergencies(self, *, request_id: str = "") -> Response[models.BreakGlassReviewPage]:
        """List the emergencies that went on without votes, newest first.

        `GET /api/v1/emergencies`.
        """
        return self._send(_EMERGENCIES, request_id=request_id)

    def review_emergency(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Close the review of an emergency.

        `POST /api/v1/emergencies/{id}/review`.
        """
        return self._send(
            _REVIEW_EMERGENCY,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncEmergenciesOperations(AsyncSender):
    """Operations of emergencies, awaited."""

    async def emergencies(self, *, request_id: str = "") -> Response[models.BreakGlassReviewPage]:
        """List the emergencies that went on without votes, newest first.

        `GET /api/v1/emergencies`.
        """
        return await self._send(_EMERGENCIES, request_id=request_id)

    async def review_emergency(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Close the review of an emergency.

        `POST /api/v1/emergencies/{id}/review`.
        """
        return await self._send(
            _REVIEW_EMERGENCY,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
