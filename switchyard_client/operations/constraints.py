"""Operations of constraints.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_AUDIT_REFERENCES = Operation(
    "audit_references", "GET", "/api/v1/constraints/{service}/{region}/audit", {200: "ReferenceAudit"}
)
_CONSTRAINTS = Operation("constraints", "GET", "/api/v1/constraints", {200: "AllConstraints"})
_DEPLOYMENT_CONSTRAINTS = Operation(
    "deployment_constraints", "GET", "/api/v1/constraints/{service}/{region}", {200: "DeploymentConstraints"}
)
_EVICT = Operation(
    "evict",
    "POST",
    "/api/v1/constraints/{service}/{region}/evictions",
    {201: "Eviction"},
    sends_body=True,
    repeatable=True,
)
_EVICTIONS = Operation(
    "evictions", "GET", "/api/v1/constraints/{service}/{region}/evictions", {200: "Evictions"}
)


class ConstraintsOperations(Sender):
    """Operations of constraints."""

    def audit_references(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.ReferenceAudit]:
        """Compare what a deployment refers to, and keeps copies of, with what is there.

        `GET /api/v1/constraints/{service}/{region}/audit`.
        """
        return self._send(
            _AUDIT_REFERENCES, path={"service": service, "region": region}, request_id=request_id
        )

    def constraints(self, *, request_id: str = "") -> Response[models.AllConstraints]:
        """Tell what deployments have under way with each other.

        `GET /api/v1/constraints`.
        """
        return self._send(_CONSTRAINTS, request_id=request_id)

    def deployment_constraints(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.DeploymentConstraints]:
        """Tell what one deployment has under way with others.

        `GET /api/v1/constraints/{service}/{region}`.
        """
        return self._send(
            _DEPLOYMENT_CONSTRAINTS, path={"service": service, "region": region}, request_id=request_id
        )

    def evict(
        self,
        service: str,
        region: str,
        body: models.AskEvictionRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Eviction]:
        """Ask for the eviction of a deployment that does not answer.

        `POST /api/v1/constraints/{service}/{region}/evictions`.
        """
        return self._send(
            _EVICT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def evictions(self, service: str, region: str, *, request_id: str = "") -> Response[models.Evictions]:
        """List the evictions of a deployment.

        `GET /api/v1/constraints/{service}/{region}/evictions`.
        """
        return self._send(_EVICTIONS, path={"service": service, "region": region}, request_id=request_id)


class AsyncConstraintsOperations(AsyncSender):
    """Operations of constraints, awaited."""

    async def audit_references(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.ReferenceAudit]:
        """Compare what a deployment refers to, and keeps copies of, with what is there.

        `GET /api/v1/constraints/{service}/{region}/audit`.
        """
        return await self._send(
            _AUDIT_REFERENCES, path={"service": service, "region": region}, request_id=request_id
        )

    async def constraints(self, *, request_id: str = "") -> Response[models.AllConstraints]:
        """Tell what deployments have under way with each other.

        `GET /api/v1/constraints`.
        """
        return await self._send(_CONSTRAINTS, request_id=request_id)

    async def deployment_constraints(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.DeploymentConstraints]:
        """Tell what one deployment has under way with others.

        `GET /api/v1/constraints/{service}/{region}`.
        """
        return await self._send(
            _DEPLOYMENT_CONSTRAINTS, path={"service": service, "region": region}, request_id=request_id
        )

    async def evict(
        self,
        service: str,
        region: str,
        body: models.AskEvictionRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Eviction]:
        """Ask for the eviction of a deployment that does not answer.

        `POST /api/v1/constraints/{service}/{region}/evictions`.
        """
        return await self._send(
            _EVICT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def evictions(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.Evictions]:
        """List the evictions of a deployment.

        `GET /api/v1/constraints/{service}/{region}/evictions`.
        """
        return await self._send(
            _EVICTIONS, path={"service": service, "region": region}, request_id=request_id
        )
