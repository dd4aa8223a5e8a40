"""Operations of policies.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_CHANGE_POLICY = Operation(
    "change_policy",
    "PUT",
    "/api/v1/policies/{name}",
    {200: "ChangedPolicy", 201: "ChangedPolicy"},
    sends_body=True,
    repeatable=True,
)
_CREATE_POLICY = Operation(
    "create_policy", "POST", "/api/v1/policies", {201: "ChangedPolicy"}, sends_body=True, repeatable=True
)
_DELETE_POLICY = Operation(
    "delete_policy", "DELETE", "/api/v1/policies/{name}", {200: "Warnings", 204: ""}, repeatable=True
)
_EXPLAIN_POLICY = Operation("explain_policy", "GET", "/api/v1/policies/explain", {200: "Policy"})
_POLICIES = Operation("policies", "GET", "/api/v1/policies", {200: "PolicyPage"})
_POLICY = Operation("policy", "GET", "/api/v1/policies/{name}", {200: "Policy"})
_PREVIEW_POLICY = Operation(
    "preview_policy",
    "POST",
    "/api/v1/policies/preview",
    {200: "PolicyPreview"},
    sends_body=True,
    repeatable=True,
)


class PoliciesOperations(Sender):
    """Operations of policies."""

    def change_policy(
        self,
        name: str,
        body: models.PolicyRulesRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ChangedPolicy]:
        """Set a policy, created where there is none; open requests are asked again under what then
        counts.

        `PUT /api/v1/policies/{name}`.
        """
        return self._send(
            _CHANGE_POLICY,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def create_policy(
        self,
        body: models.NewPolicyRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ChangedPolicy]:
        """Set a new policy; open requests are asked again under what then counts.

        `POST /api/v1/policies`.
        """
        return self._send(
            _CREATE_POLICY,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def delete_policy(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Warnings | None]:
        """Remove a policy; a dry run says what that would mean.

        `DELETE /api/v1/policies/{name}`.
        """
        return self._send(
            _DELETE_POLICY,
            path={"name": name},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def explain_policy(
        self,
        *,
        deployment: str,
        purpose: Literal["brownout", "evict", "revert", "switch"] | None = None,
        request_id: str = "",
    ) -> Response[models.Policy]:
        """Tell which policy counts for a deployment.

        `GET /api/v1/policies/explain`.
        """
        return self._send(
            _EXPLAIN_POLICY, query={"deployment": deployment, "purpose": purpose}, request_id=request_id
        )

    def policies(self, *, request_id: str = "") -> Response[models.PolicyPage]:
        """List the policies.

        `GET /api/v1/policies`.
        """
        return self._send(_POLICIES, request_id=request_id)

    def policy(self, name: str, *, request_id: str = "") -> Response[models.Policy]:
        """Show a policy.

        `GET /api/v1/policies/{name}`.
        """
        return self._send(_POLICY, path={"name": name}, request_id=request_id)

    def preview_policy(
        self,
        body: models.NewPolicyRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.PolicyPreview]:
        """Tell which of the last 50 upgrades a policy matches and would have decided, and who could
        vote.

        `POST /api/v1/policies/preview`.
        """
        return self._send(_PREVIEW_POLICY, body=body, idempotency_key=idempotency_key, request_id=request_id)


class AsyncPoliciesOperations(AsyncSender):
    """Operations of policies, awaited."""

    async def change_policy(
        self,
        name: str,
        body: models.PolicyRulesRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ChangedPolicy]:
        """Set a policy, created where there is none; open requests are asked again under what then
        counts.

        `PUT /api/v1/policies/{name}`.
        """
        return await self._send(
            _CHANGE_POLICY,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def create_policy(
        self,
        body: models.NewPolicyRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.ChangedPolicy]:
        """Set a new policy; open requests are asked again under what then counts.

        `POST /api/v1/policies`.
        """
        return await self._send(
            _CREATE_POLICY,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def delete_policy(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Warnings | None]:
        """Remove a policy; a dry run says what that would mean.

        `DELETE /api/v1/policies/{name}`.
        """
        return await self._send(
            _DELETE_POLICY,
            path={"name": name},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def explain_policy(
        self,
        *,
        deployment: str,
        purpose: Literal["brownout", "evict", "revert", "switch"] | None = None,
        request_id: str = "",
    ) -> Response[models.Policy]:
        """Tell which policy counts for a deployment.

        `GET /api/v1/policies/explain`.
        """
        return await self._send(
            _EXPLAIN_POLICY, query={"deployment": deployment, "purpose": purpose}, request_id=request_id
        )

    async def policies(self, *, request_id: str = "") -> Response[models.PolicyPage]:
        """List the policies.

        `GET /api/v1/policies`.
        """
        return await self._send(_POLICIES, request_id=request_id)

    async def policy(self, name: str, *, request_id: str = "") -> Response[models.Policy]:
        """Show a policy.

        `GET /api/v1/policies/{name}`.
        """
        return await self._send(_POLICY, path={"name": name}, request_id=request_id)

    async def preview_policy(
        self,
        body: models.NewPolicyRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.PolicyPreview]:
        """Tell which of the last 50 upgrades a policy matches and would have decided, and who could
        vote.

        `POST /api/v1/policies/preview`.
        """
        return await self._send(
            _PREVIEW_POLICY, body=body, idempotency_key=idempotency_key, request_id=request_id
        )
