"""Operations of evictions.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_EVICTION = Operation("eviction", "GET", "/api/v1/evictions/{id}", {200: "Eviction"})
_EVICTIONS_APPROVE_CREATE = Operation(
    "evictions_approve_create",
    "POST",
    "/api/v1/evictions/{id}/approve",
    {200: "Eviction"},
    sends_body=True,
    repeatable=True,
)
_EVICTIONS_REJECT_CREATE = Operation(
    "evictions_reject_create",
    "POST",
    "/api/v1/evictions/{id}/reject",
    {200: "Eviction"},
    sends_body=True,
    repeatable=True,
)


class EvictionsOperations(Sender):
    """Operations of evictions."""

    def eviction(self, id: str, *, request_id: str = "") -> Response[models.Eviction]:
        """Show a request; its ETag is the digest of what is agreed to, which a vote must name.

        `GET /api/v1/evictions/{id}`.
        """
        return self._send(_EVICTION, path={"id": id}, request_id=request_id)

    def approve_eviction(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Eviction]:
        """Vote for what If-Match names; the last vote that is needed evicts the deployment.

        `POST /api/v1/evictions/{id}/approve`.
        """
        return self._send(
            _EVICTIONS_APPROVE_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def reject_eviction(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Eviction]:
        """Vote for what If-Match names; the last vote that is needed evicts the deployment.

        `POST /api/v1/evictions/{id}/reject`.
        """
        return self._send(
            _EVICTIONS_REJECT_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncEvictionsOperations(AsyncSender):
    """Operations of evictions, awaited."""

    async def eviction(self, id: str, *, request_id: str = "") -> Response[models.Eviction]:
        """Show a request; its ETag is the digest of what is agreed to, which a vote must name.

        `GET /api/v1/evictions/{id}`.
        """
        return await self._send(_EVICTION, path={"id": id}, request_id=request_id)

    async def approve_eviction(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Eviction]:
        """Vote for what If-Match names; the last vote that is needed evicts the deployment.

        `POST /api/v1/evictions/{id}/approve`.
        """
        return await self._send(
            _EVICTIONS_APPROVE_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def reject_eviction(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Eviction]:
        """Vote for what If-Match names; the last vote that is needed evicts the deployment.

        `POST /api/v1/evictions/{id}/reject`.
        """
        return await self._send(
            _EVICTIONS_REJECT_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
