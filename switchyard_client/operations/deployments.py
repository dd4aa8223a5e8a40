"""Operations of deployments.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_ACTIVITY = Operation(
    "activity", "GET", "/api/v1/deployments/{service}/{region}/activity", {200: "ActivityPage"}
)
_APPLY_DEPLOYMENT = Operation(
    "apply_deployment",
    "PUT",
    "/api/v1/deployments/{service}/{region}",
    {200: "Deployment"},
    sends_body=True,
    repeatable=True,
)
_CONVERSION_SESSION = Operation(
    "conversion_session",
    "GET",
    "/api/v1/deployments/{service}/{region}/conversion-sessions/{id}",
    {200: "ConversionSession"},
)
_CONVERSION_SESSIONS = Operation(
    "conversion_sessions",
    "GET",
    "/api/v1/deployments/{service}/{region}/conversion-sessions",
    {200: "ConversionSessionPage"},
)
_DELETE_DEPLOYMENT = Operation(
    "delete_deployment", "DELETE", "/api/v1/deployments/{service}/{region}", {204: ""}, repeatable=True
)
_DEPLOYMENT = Operation("deployment", "GET", "/api/v1/deployments/{service}/{region}", {200: "Deployment"})
_DEPLOYMENT_SAMPLES = Operation(
    "deployment_samples", "GET", "/api/v1/deployments/{service}/{region}/samples", {200: "Samples"}
)
_DEPLOYMENTS = Operation("deployments", "GET", "/api/v1/deployments", {200: "DeploymentPage"})
_END_CONVERSION_SESSION = Operation(
    "end_conversion_session",
    "DELETE",
    "/api/v1/deployments/{service}/{region}/conversion-sessions/{id}",
    {204: ""},
    repeatable=True,
)
_EXPORT_KEPT_TYPE = Operation(
    "export_kept_type",
    "GET",
    "/api/v1/deployments/{service}/{region}/kept-types/{type}/{version}/export",
    {200: "TEXT"},
)
_FOLLOW_DEPLOYMENT = Operation(
    "follow_deployment",
    "PUT",
    "/api/v1/deployments/{service}/{region}/subscription",
    {204: ""},
    repeatable=True,
)
_KEPT_TYPES = Operation(
    "kept_types", "GET", "/api/v1/deployments/{service}/{region}/kept-types", {200: "KeptTypePage"}
)
_LOGS = Operation("logs", "GET", "/api/v1/deployments/{service}/{region}/logs", {200: "Logs"})
_OBSERVE_CONVERSIONS = Operation(
    "observe_conversions",
    "POST",
    "/api/v1/deployments/{service}/{region}/conversion-sessions",
    {201: "ConversionSession"},
    sends_body=True,
    repeatable=True,
)
_RECORDED_CONVERSIONS = Operation(
    "recorded_conversions",
    "GET",
    "/api/v1/deployments/{service}/{region}/conversion-sessions/{id}/records",
    {200: "ConversionRecordPage"},
)
_RESOURCE = Operation("resource", "GET", "/api/v1/deployments/{service}/{region}/resource", {200: "Resource"})
_RESOURCE_CHANGES = Operation(
    "resource_changes",
    "GET",
    "/api/v1/deployments/{service}/{region}/resource-changes",
    {200: "ResourceChangePage"},
)
_RESOURCES = Operation(
    "resources", "GET", "/api/v1/deployments/{service}/{region}/resources", {200: "Resources"}
)
_SET_LOGS = Operation(
    "set_logs",
    "PUT",
    "/api/v1/deployments/{service}/{region}/logs",
    {200: "Logs"},
    sends_body=True,
    repeatable=True,
)
_SWITCH_DEPLOYMENT = Operation(
    "switch_deployment",
    "POST",
    "/api/v1/deployments/{service}/{region}/switch",
    {200: "Deployment"},
    repeatable=True,
)
_UNFOLLOW_DEPLOYMENT = Operation(
    "unfollow_deployment",
    "DELETE",
    "/api/v1/deployments/{service}/{region}/subscription",
    {204: ""},
    repeatable=True,
)


class DeploymentsOperations(Sender):
    """Operations of deployments."""

    def activity(
        self,
        service: str,
        region: str,
        *,
        caller: str | None = None,
        cursor: str | None = None,
        kind: Literal["", "read", "write"] | None = None,
        limit: int | None = None,
        method: str | None = None,
        name: str | None = None,
        of_request_id: str | None = None,
        since: datetime | str | None = None,
        status: str | None = None,
        type: str | None = None,
        until: datetime | str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.ActivityPage]:
        """List the requests that were answered, the newest first: all writes, and a share of the reads.

        `GET /api/v1/deployments/{service}/{region}/activity`.
        """
        return self._send(
            _ACTIVITY,
            path={"service": service, "region": region},
            query={
                "caller": caller,
                "cursor": cursor,
                "kind": kind,
                "limit": limit,
                "method": method,
                "name": name,
                "request_id": of_request_id,
                "since": since,
                "status": status,
                "type": type,
                "until": until,
                "version": version,
            },
            request_id=request_id,
        )

    def iter_activity(
        self,
        service: str,
        region: str,
        *,
        caller: str | None = None,
        kind: Literal["", "read", "write"] | None = None,
        limit: int | None = None,
        method: str | None = None,
        name: str | None = None,
        of_request_id: str | None = None,
        since: datetime | str | None = None,
        status: str | None = None,
        type: str | None = None,
        until: datetime | str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Iterator[models.Activity]:
        """Give every item of `activity`, page after page."""
        return self._pages(
            _ACTIVITY,
            path={"service": service, "region": region},
            query={
                "caller": caller,
                "kind": kind,
                "limit": limit,
                "method": method,
                "name": name,
                "request_id": of_request_id,
                "since": since,
                "status": status,
                "type": type,
                "until": until,
                "version": version,
            },
            request_id=request_id,
        )

    def apply_deployment(
        self,
        service: str,
        region: str,
        body: models.ApplyDeploymentRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Deployment]:
        """Register the deployment, or change what the body names of it; again is the same as once.

        `PUT /api/v1/deployments/{service}/{region}`.
        """
        return self._send(
            _APPLY_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def conversion_session(
        self, service: str, region: str, id: str, *, request_id: str = ""
    ) -> Response[models.ConversionSession]:
        """Show one session.

        `GET /api/v1/deployments/{service}/{region}/conversion-sessions/{id}`.
        """
        return self._send(
            _CONVERSION_SESSION, path={"service": service, "region": region, "id": id}, request_id=request_id
        )

    def conversion_sessions(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.ConversionSessionPage]:
        """List the newest sessions.

        `GET /api/v1/deployments/{service}/{region}/conversion-sessions`.
        """
        return self._send(
            _CONVERSION_SESSIONS, path={"service": service, "region": region}, request_id=request_id
        )

    def delete_deployment(
        self,
        service: str,
        region: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Remove a deployment that nothing stands on.

        `DELETE /api/v1/deployments/{service}/{region}`.
        """
        return self._send(
            _DELETE_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def deployment(self, service: str, region: str, *, request_id: str = "") -> Response[models.Deployment]:
        """Show one deployment.

        `GET /api/v1/deployments/{service}/{region}`.
        """
        return self._send(_DEPLOYMENT, path={"service": service, "region": region}, request_id=request_id)

    def deployment_samples(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.Samples]:
        """Give the curves of its upgrades within the last day.

        `GET /api/v1/deployments/{service}/{region}/samples`.
        """
        return self._send(
            _DEPLOYMENT_SAMPLES, path={"service": service, "region": region}, request_id=request_id
        )

    def deployments(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        stage: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.DeploymentPage]:
        """List deployments by name.

        `GET /api/v1/deployments`.
        """
        return self._send(
            _DEPLOYMENTS,
            query={
                "cursor": cursor,
                "limit": limit,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "stage": stage,
                "version": version,
            },
            request_id=request_id,
        )

    def iter_deployments(
        self,
        *,
        limit: int | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        stage: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Iterator[models.Cell]:
        """Give every item of `deployments`, page after page."""
        return self._pages(
            _DEPLOYMENTS,
            query={
                "limit": limit,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "stage": stage,
                "version": version,
            },
            request_id=request_id,
        )

    def end_conversion_session(
        self,
        service: str,
        region: str,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """End a session; what it recorded stays.

        `DELETE /api/v1/deployments/{service}/{region}/conversion-sessions/{id}`.
        """
        return self._send(
            _END_CONVERSION_SESSION,
            path={"service": service, "region": region, "id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def export_kept_type(
        self, service: str, region: str, type: str, version: str, *, request_id: str = ""
    ) -> Response[str]:
        """Export the resources, a JSON document per line, as their version shows them; a whole export is
        noted.

        `GET /api/v1/deployments/{service}/{region}/kept-types/{type}/{version}/export`.
        """
        return self._send(
            _EXPORT_KEPT_TYPE,
            path={"service": service, "region": region, "type": type, "version": version},
            request_id=request_id,
        )

    def follow_deployment(
        self,
        service: str,
        region: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Follow it: its changes are told to the caller, on the overview and as notices.

        `PUT /api/v1/deployments/{service}/{region}/subscription`.
        """
        return self._send(
            _FOLLOW_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def kept_types(self, service: str, region: str, *, request_id: str = "") -> Response[models.KeptTypePage]:
        """List the types that a deployment keeps of other versions, and whether they were exported.

        `GET /api/v1/deployments/{service}/{region}/kept-types`.
        """
        return self._send(_KEPT_TYPES, path={"service": service, "region": region}, request_id=request_id)

    def logs(self, service: str, region: str, *, request_id: str = "") -> Response[models.Logs]:
        """Show what the logs of a deployment keep, and what is known to be missing.

        `GET /api/v1/deployments/{service}/{region}/logs`.
        """
        return self._send(_LOGS, path={"service": service, "region": region}, request_id=request_id)

    def observe_conversions(
        self,
        service: str,
        region: str,
        body: models.ObserveConversionsRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ConversionSession]:
        """Record the conversions of a client or of a resource for a while; the audit log says who did.

        `POST /api/v1/deployments/{service}/{region}/conversion-sessions`.
        """
        return self._send(
            _OBSERVE_CONVERSIONS,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def recorded_conversions(
        self,
        service: str,
        region: str,
        id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        request_id: str = "",
    ) -> Response[models.ConversionRecordPage]:
        """List what a session recorded, in order.

        `GET /api/v1/deployments/{service}/{region}/conversion-sessions/{id}/records`.
        """
        return self._send(
            _RECORDED_CONVERSIONS,
            path={"service": service, "region": region, "id": id},
            query={"cursor": cursor, "limit": limit},
            request_id=request_id,
        )

    def iter_recorded_conversions(
        self, service: str, region: str, id: str, *, limit: int | None = None, request_id: str = ""
    ) -> Iterator[models.ConversionRecord]:
        """Give every item of `recorded_conversions`, page after page."""
        return self._pages(
            _RECORDED_CONVERSIONS,
            path={"service": service, "region": region, "id": id},
            query={"limit": limit},
            request_id=request_id,
        )

    def resource(
        self, service: str, region: str, *, name: str, version: str | None = None, request_id: str = ""
    ) -> Response[models.Resource]:
        """Show one resource in each version, with its bags and the steps of its conversions.

        `GET /api/v1/deployments/{service}/{region}/resource`.
        """
        return self._send(
            _RESOURCE,
            path={"service": service, "region": region},
            query={"name": name, "version": version},
            request_id=request_id,
        )

    def resource_changes(
        self,
        service: str,
        region: str,
        *,
        caller: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        name: str | None = None,
        operation: Literal["", "create", "update", "delete"] | None = None,
        of_request_id: str | None = None,
        since: datetime | str | None = None,
        type: str | None = None,
        uid: UUID | str | None = None,
        until: datetime | str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.ResourceChangePage]:
        """List what clients changed, the newest first, in every version that the deployment stored.

        `GET /api/v1/deployments/{service}/{region}/resource-changes`.
        """
        return self._send(
            _RESOURCE_CHANGES,
            path={"service": service, "region": region},
            query={
                "caller": caller,
                "cursor": cursor,
                "limit": limit,
                "name": name,
                "operation": operation,
                "request_id": of_request_id,
                "since": since,
                "type": type,
                "uid": uid,
                "until": until,
                "version": version,
            },
            request_id=request_id,
        )

    def iter_resource_changes(
        self,
        service: str,
        region: str,
        *,
        caller: str | None = None,
        limit: int | None = None,
        name: str | None = None,
        operation: Literal["", "create", "update", "delete"] | None = None,
        of_request_id: str | None = None,
        since: datetime | str | None = None,
        type: str | None = None,
        uid: UUID | str | None = None,
        until: datetime | str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Iterator[models.ResourceChange]:
        """Give every item of `resource_changes`, page after page."""
        return self._pages(
            _RESOURCE_CHANGES,
            path={"service": service, "region": region},
            query={
                "caller": caller,
                "limit": limit,
                "name": name,
                "operation": operation,
                "request_id": of_request_id,
                "since": since,
                "type": type,
                "uid": uid,
                "until": until,
                "version": version,
            },
            request_id=request_id,
        )

    def resources(
        self,
        service: str,
        region: str,
        *,
        filter: str | None = None,
        limit: int | None = None,
        page_token: str | None = None,
        type: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.Resources]:
        """List resources as one version shows them.

        `GET /api/v1/deployments/{service}/{region}/resources`.
        """
        return self._send(
            _RESOURCES,
            path={"service": service, "region": region},
            query={
                "filter": filter,
                "limit": limit,
                "page_token": page_token,
                "type": type,
                "version": version,
            },
            request_id=request_id,
        )

    def set_logs(
        self,
        service: str,
        region: str,
        body: models.LogSettingsRequestRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Logs]:
        """Set which share of reads is logged, and how long entries are kept.

        `PUT /api/v1/deployments/{service}/{region}/logs`.
        """
        return self._send(
            _SET_LOGS,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def switch_deployment(
        self,
        service: str,
        region: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Deployment]:
        """Let a deployment whose data another system moves switch, once its shards are ready and people
        agree.

        `POST /api/v1/deployments/{service}/{region}/switch`.
        """
        return self._send(
            _SWITCH_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def unfollow_deployment(
        self,
        service: str,
        region: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Follow it no longer.

        `DELETE /api/v1/deployments/{service}/{region}/subscription`.
        """
        return self._send(
            _UNFOLLOW_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncDeploymentsOperations(AsyncSender):
    """Operations of deployments, awaited."""

    async def activity(
        self,
        service: str,
        region: str,
        *,
        caller: str | None = None,
        cursor: str | None = None,
        kind: Literal["", "read", "write"] | None = None,
        limit: int | None = None,
        method: str | None = None,
        name: str | None = None,
        of_request_id: str | None = None,
        since: datetime | str | None = None,
        status: str | None = None,
        type: str | None = None,
        until: datetime | str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.ActivityPage]:
        """List the requests that were answered, the newest first: all writes, and a share of the reads.

        `GET /api/v1/deployments/{service}/{region}/activity`.
        """
        return await self._send(
            _ACTIVITY,
            path={"service": service, "region": region},
            query={
                "caller": caller,
                "cursor": cursor,
                "kind": kind,
                "limit": limit,
                "method": method,
                "name": name,
                "request_id": of_request_id,
                "since": since,
                "status": status,
                "type": type,
                "until": until,
                "version": version,
            },
            request_id=request_id,
        )

    def iter_activity(
        self,
        service: str,
        region: str,
        *,
        caller: str | None = None,
        kind: Literal["", "read", "write"] | None = None,
        limit: int | None = None,
        method: str | None = None,
        name: str | None = None,
        of_request_id: str | None = None,
        since: datetime | str | None = None,
        status: str | None = None,
        type: str | None = None,
        until: datetime | str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> AsyncIterator[models.Activity]:
        """Give every item of `activity`, page after page."""
        return self._pages(
            _ACTIVITY,
            path={"service": service, "region": region},
            query={
                "caller": caller,
                "kind": kind,
                "limit": limit,
                "method": method,
                "name": name,
                "request_id": of_request_id,
                "since": since,
                "status": status,
                "type": type,
                "until": until,
                "version": version,
            },
            request_id=request_id,
        )

    async def apply_deployment(
        self,
        service: str,
        region: str,
        body: models.ApplyDeploymentRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Deployment]:
        """Register the deployment, or change what the body names of it; again is the same as once.

        `PUT /api/v1/deployments/{service}/{region}`.
        """
        return await self._send(
            _APPLY_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def conversion_session(
        self, service: str, region: str, id: str, *, request_id: str = ""
    ) -> Response[models.ConversionSession]:
        """Show one session.

        `GET /api/v1/deployments/{service}/{region}/conversion-sessions/{id}`.
        """
        return await self._send(
            _CONVERSION_SESSION, path={"service": service, "region": region, "id": id}, request_id=request_id
        )

    async def conversion_sessions(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.ConversionSessionPage]:
        """List the newest sessions.

        `GET /api/v1/deployments/{service}/{region}/conversion-sessions`.
        """
        return await self._send(
            _CONVERSION_SESSIONS, path={"service": service, "region": region}, request_id=request_id
        )

    async def delete_deployment(
        self,
        service: str,
        region: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Remove a deployment that nothing stands on.

        `DELETE /api/v1/deployments/{service}/{region}`.
        """
        return await self._send(
            _DELETE_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def deployment(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.Deployment]:
        """Show one deployment.

        `GET /api/v1/deployments/{service}/{region}`.
        """
        return await self._send(
            _DEPLOYMENT, path={"service": service, "region": region}, request_id=request_id
        )

    async def deployment_samples(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.Samples]:
        """Give the curves of its upgrades within the last day.

        `GET /api/v1/deployments/{service}/{region}/samples`.
        """
        return await self._send(
            _DEPLOYMENT_SAMPLES, path={"service": service, "region": region}, request_id=request_id
        )

    async def deployments(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        stage: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.DeploymentPage]:
        """List deployments by name.

        `GET /api/v1/deployments`.
        """
        return await self._send(
            _DEPLOYMENTS,
            query={
                "cursor": cursor,
                "limit": limit,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "stage": stage,
                "version": version,
            },
            request_id=request_id,
        )

    def iter_deployments(
        self,
        *,
        limit: int | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        stage: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> AsyncIterator[models.Cell]:
        """Give every item of `deployments`, page after page."""
        return self._pages(
            _DEPLOYMENTS,
            query={
                "limit": limit,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "stage": stage,
                "version": version,
            },
            request_id=request_id,
        )

    async def end_conversion_session(
        self,
        service: str,
        region: str,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """End a session; what it recorded stays.

        `DELETE /api/v1/deployments/{service}/{region}/conversion-sessions/{id}`.
        """
        return await self._send(
            _END_CONVERSION_SESSION,
            path={"service": service, "region": region, "id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def export_kept_type(
        self, service: str, region: str, type: str, version: str, *, request_id: str = ""
    ) -> Response[str]:
        """Export the resources, a JSON document per line, as their version shows them; a whole export is
        noted.

        `GET /api/v1/deployments/{service}/{region}/kept-types/{type}/{version}/export`.
        """
        return await self._send(
            _EXPORT_KEPT_TYPE,
            path={"service": service, "region": region, "type": type, "version": version},
            request_id=request_id,
        )

    async def follow_deployment(
        self,
        service: str,
        region: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Follow it: its changes are told to the caller, on the overview and as notices.

        `PUT /api/v1/deployments/{service}/{region}/subscription`.
        """
        return await self._send(
            _FOLLOW_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def kept_types(
        self, service: str, region: str, *, request_id: str = ""
    ) -> Response[models.KeptTypePage]:
        """List the types that a deployment keeps of other versions, and whether they were exported.

        `GET /api/v1/deployments/{service}/{region}/kept-types`.
        """
        return await self._send(
            _KEPT_TYPES, path={"service": service, "region": region}, request_id=request_id
        )

    async def logs(self, service: str, region: str, *, request_id: str = "") -> Response[models.Logs]:
        """Show what the logs of a deployment keep, and what is known to be missing.

        `GET /api/v1/deployments/{service}/{region}/logs`.
        """
        return await self._send(_LOGS, path={"service": service, "region": region}, request_id=request_id)

    async def observe_conversions(
        self,
        service: str,
        region: str,
        body: models.ObserveConversionsRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ConversionSession]:
        """Record the conversions of a client or of a resource for a while; the audit log says who did.

        `POST /api/v1/deployments/{service}/{region}/conversion-sessions`.
        """
        return await self._send(
            _OBSERVE_CONVERSIONS,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def recorded_conversions(
        self,
        service: str,
        region: str,
        id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        request_id: str = "",
    ) -> Response[models.ConversionRecordPage]:
        """List what a session recorded, in order.

        `GET /api/v1/deployments/{service}/{region}/conversion-sessions/{id}/records`.
        """
        return await self._send(
            _RECORDED_CONVERSIONS,
            path={"service": service, "region": region, "id": id},
            query={"cursor": cursor, "limit": limit},
            request_id=request_id,
        )

    def iter_recorded_conversions(
        self, service: str, region: str, id: str, *, limit: int | None = None, request_id: str = ""
    ) -> AsyncIterator[models.ConversionRecord]:
        """Give every item of `recorded_conversions`, page after page."""
        return self._pages(
            _RECORDED_CONVERSIONS,
            path={"service": service, "region": region, "id": id},
            query={"limit": limit},
            request_id=request_id,
        )

    async def resource(
        self, service: str, region: str, *, name: str, version: str | None = None, request_id: str = ""
    ) -> Response[models.Resource]:
        """Show one resource in each version, with its bags and the steps of its conversions.

        `GET /api/v1/deployments/{service}/{region}/resource`.
        """
        return await self._send(
            _RESOURCE,
            path={"service": service, "region": region},
            query={"name": name, "version": version},
            request_id=request_id,
        )

    async def resource_changes(
        self,
        service: str,
        region: str,
        *,
        caller: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        name: str | None = None,
        operation: Literal["", "create", "update", "delete"] | None = None,
        of_request_id: str | None = None,
        since: datetime | str | None = None,
        type: str | None = None,
        uid: UUID | str | None = None,
        until: datetime | str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.ResourceChangePage]:
        """List what clients changed, the newest first, in every version that the deployment stored.

        `GET /api/v1/deployments/{service}/{region}/resource-changes`.
        """
        return await self._send(
            _RESOURCE_CHANGES,
            path={"service": service, "region": region},
            query={
                "caller": caller,
                "cursor": cursor,
                "limit": limit,
                "name": name,
                "operation": operation,
                "request_id": of_request_id,
                "since": since,
                "type": type,
                "uid": uid,
                "until": until,
                "version": version,
            },
            request_id=request_id,
        )

    def iter_resource_changes(
        self,
        service: str,
        region: str,
        *,
        caller: str | None = None,
        limit: int | None = None,
        name: str | None = None,
        operation: Literal["", "create", "update", "delete"] | None = None,
        of_request_id: str | None = None,
        since: datetime | str | None = None,
        type: str | None = None,
        uid: UUID | str | None = None,
        until: datetime | str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> AsyncIterator[models.ResourceChange]:
        """Give every item of `resource_changes`, page after page."""
        return self._pages(
            _RESOURCE_CHANGES,
            path={"service": service, "region": region},
            query={
                "caller": caller,
                "limit": limit,
                "name": name,
                "operation": operation,
                "request_id": of_request_id,
                "since": since,
                "type": type,
                "uid": uid,
                "until": until,
                "version": version,
            },
            request_id=request_id,
        )

    async def resources(
        self,
        service: str,
        region: str,
        *,
        filter: str | None = None,
        limit: int | None = None,
        page_token: str | None = None,
        type: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.Resources]:
        """List resources as one version shows them.

        `GET /api/v1/deployments/{service}/{region}/resources`.
        """
        return await self._send(
            _RESOURCES,
            path={"service": service, "region": region},
            query={
                "filter": filter,
                "limit": limit,
                "page_token": page_token,
                "type": type,
                "version": version,
            },
            request_id=request_id,
        )

    async def set_logs(
        self,
        service: str,
        region: str,
        body: models.LogSettingsRequestRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Logs]:
        """Set which share of reads is logged, and how long entries are kept.

        `PUT /api/v1/deployments/{service}/{region}/logs`.
        """
        return await self._send(
            _SET_LOGS,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def switch_deployment(
        self,
        service: str,
        region: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Deployment]:
        """Let a deployment whose data another system moves switch, once its shards are ready and people
        agree.

        `POST /api/v1/deployments/{service}/{region}/switch`.
        """
        return await self._send(
            _SWITCH_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def unfollow_deployment(
        self,
        service: str,
        region: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Follow it no longer.

        `DELETE /api/v1/deployments/{service}/{region}/subscription`.
        """
        return await self._send(
            _UNFOLLOW_DEPLOYMENT,
            path={"service": service, "region": region},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
