"""Operations of audit.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_AUDIT = Operation("audit", "GET", "/api/v1/audit", {200: "AuditEntryPage"})
_AUDIT_CHAIN = Operation("audit_chain", "GET", "/api/v1/audit/chain", {200: "AuditChain"})
_COMPARE_AUDIT_CHAIN = Operation(
    "compare_audit_chain",
    "POST",
    "/api/v1/audit/chain",
    {200: "AuditChain"},
    sends_body=True,
    repeatable=True,
)
_EXPORT_AUDIT = Operation("export_audit", "GET", "/api/v1/audit/export", {200: "TEXT"})


class AuditOperations(Sender):
    """Operations of audit."""

    def audit(
        self,
        *,
        action: str | None = None,
        actor: str | None = None,
        address: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        outcome: Literal["denied", "done", "dry_run", "failed"] | None = None,
        quiet: bool | None = None,
        region: str | None = None,
        of_request_id: str | None = None,
        service: str | None = None,
        since: datetime | str | None = None,
        target: str | None = None,
        until: datetime | str | None = None,
        request_id: str = "",
    ) -> Response[models.AuditEntryPage]:
        """List entries, newest first.

        `GET /api/v1/audit`.
        """
        return self._send(
            _AUDIT,
            query={
                "action": action,
                "actor": actor,
                "address": address,
                "cursor": cursor,
                "limit": limit,
                "outcome": outcome,
                "quiet": quiet,
                "region": region,
                "request_id": of_request_id,
                "service": service,
                "since": since,
                "target": target,
                "until": until,
            },
            request_id=request_id,
        )

    def iter_audit(
        self,
        *,
        action: str | None = None,
        actor: str | None = None,
        address: str | None = None,
        limit: int | None = None,
        outcome: Literal["denied", "done", "dry_run", "failed"] | None = None,
        quiet: bool | None = None,
        region: str | None = None,
        of_request_id: str | None = None,
        service: str | None = None,
        since: datetime | str | None = None,
        target: str | None = None,
        until: datetime | str | None = None,
        request_id: str = "",
    ) -> Iterator[models.AuditEntry]:
        """Give every item of `audit`, page after page."""
        return self._pages(
            _AUDIT,
            query={
                "action": action,
                "actor": actor,
                "address": address,
                "limit": limit,
                "outcome": outcome,
                "quiet": quiet,
                "region": region,
                "request_id": of_request_id,
                "service": service,
                "since": since,
                "target": target,
                "until": until,
            },
            request_id=request_id,
        )

    def audit_chain(self, *, request_id: str = "") -> Response[models.AuditChain]:
        """Verify the whole chain, also against the signed heads that this process can read.

        `GET /api/v1/audit/chain`.
        """
        return self._send(_AUDIT_CHAIN, request_id=request_id)

    def compare_audit_chain(
        self,
        body: models.AuditAnchorsRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.AuditChain]:
        """Verify the whole chain against signed heads that were kept elsewhere; changes nothing.

        `POST /api/v1/audit/chain`.
        """
        return self._send(
            _COMPARE_AUDIT_CHAIN, body=body, idempotency_key=idempotency_key, request_id=request_id
        )

    def export_audit(
        self,
        *,
        action: str | None = None,
        actor: str | None = None,
        address: str | None = None,
        as_: Literal["csv", "jsonl"] | None = None,
        outcome: Literal["denied", "done", "dry_run", "failed"] | None = None,
        quiet: bool | None = None,
        region: str | None = None,
        of_request_id: str | None = None,
        service: str | None = None,
        since: datetime | str | None = None,
        target: str | None = None,
        until: datetime | str | None = None,
        request_id: str = "",
    ) -> Response[str]:
        """Take the matching entries away, oldest first; the export is noted in the ledger.

        `GET /api/v1/audit/export`.
        """
        return self._send(
            _EXPORT_AUDIT,
            query={
                "action": action,
                "actor": actor,
                "address": address,
                "as": as_,
                "outcome": outcome,
                "quiet": quiet,
                "region": region,
                "request_id": of_request_id,
                "service": service,
                "since": since,
                "target": target,
                "until": until,
            },
            request_id=request_id,
        )


class AsyncAuditOperations(AsyncSender):
    """Operations of audit, awaited."""

    async def audit(
        self,
        *,
        action: str | None = None,
        actor: str | None = None,
        address: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        outcome: Literal["denied", "done", "dry_run", "failed"] | None = None,
        quiet: bool | None = None,
        region: str | None = None,
        of_request_id: str | None = None,
        service: str | None = None,
        since: datetime | str | None = None,
        target: str | None = None,
        until: datetime | str | None = None,
        request_id: str = "",
    ) -> Response[models.AuditEntryPage]:
        """List entries, newest first.

        `GET /api/v1/audit`.
        """
        return await self._send(
            _AUDIT,
            query={
                "action": action,
                "actor": actor,
                "address": address,
                "cursor": cursor,
                "limit": limit,
                "outcome": outcome,
                "quiet": quiet,
                "region": region,
                "request_id": of_request_id,
                "service": service,
                "since": since,
                "target": target,
                "until": until,
            },
            request_id=request_id,
        )

    def iter_audit(
        self,
        *,
        action: str | None = None,
        actor: str | None = None,
        address: str | None = None,
        limit: int | None = None,
        outcome: Literal["denied", "done", "dry_run", "failed"] | None = None,
        quiet: bool | None = None,
        region: str | None = None,
        of_request_id: str | None = None,
        service: str | None = None,
        since: datetime | str | None = None,
        target: str | None = None,
        until: datetime | str | None = None,
        request_id: str = "",
    ) -> AsyncIterator[models.AuditEntry]:
        """Give every item of `audit`, page after page."""
        return self._pages(
            _AUDIT,
            query={
                "action": action,
                "actor": actor,
                "address": address,
                "limit": limit,
                "outcome": outcome,
                "quiet": quiet,
                "region": region,
                "request_id": of_request_id,
                "service": service,
                "since": since,
                "target": target,
                "until": until,
            },
            request_id=request_id,
        )

    async def audit_chain(self, *, request_id: str = "") -> Response[models.AuditChain]:
        """Verify the whole chain, also against the signed heads that this process can read.

        `GET /api/v1/audit/chain`.
        """
        return await self._send(_AUDIT_CHAIN, request_id=request_id)

    async def compare_audit_chain(
        self,
        body: models.AuditAnchorsRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.AuditChain]:
        """Verify the whole chain against signed heads that were kept elsewhere; changes nothing.

        `POST /api/v1/audit/chain`.
        """
        return await self._send(
            _COMPARE_AUDIT_CHAIN, body=body, idempotency_key=idempotency_key, request_id=request_id
        )

    async def export_audit(
        self,
        *,
        action: str | None = None,
        actor: str | None = None,
        address: str | None = None,
        as_: Literal["csv", "jsonl"] | None = None,
        outcome: Literal["denied", "done", "dry_run", "failed"] | None = None,
        quiet: bool | None = None,
        region: str | None = None,
        of_request_id: str | None = None,
        service: str | None = None,
        since: datetime | str | None = None,
        target: str | None = None,
        until: datetime | str | None = None,
        request_id: str = "",
    ) -> Response[str]:
        """Take the matching entries away, oldest first; the export is noted in the ledger.

        `GET /api/v1/audit/export`.
        """
        return await self._send(
            _EXPORT_AUDIT,
            query={
                "action": action,
                "actor": actor,
                "address": address,
                "as": as_,
                "outcome": outcome,
                "quiet": quiet,
                "region": region,
                "request_id": of_request_id,
                "service": service,
                "since": since,
                "target": target,
                "until": until,
            },
            request_id=request_id,
        )
