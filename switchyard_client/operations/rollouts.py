"""Operations of rollouts.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_PAUSE_ROLLOUT = Operation(
    "pause_rollout", "POST", "/api/v1/rollouts/{id}/pause", {200: "Rollout"}, sends_body=True, repeatable=True
)
_PLAN_ROLLOUT = Operation(
    "plan_rollout",
    "POST",
    "/api/v1/rollouts",
    {200: "RolloutRehearsal", 201: "Rollout"},
    sends_body=True,
    repeatable=True,
)
_REPLAN_ROLLOUT = Operation(
    "replan_rollout",
    "POST",
    "/api/v1/rollouts/{id}/replan",
    {200: "Rollout"},
    sends_body=True,
    repeatable=True,
)
_RESUME_ROLLOUT = Operation(
    "resume_rollout",
    "POST",
    "/api/v1/rollouts/{id}/resume",
    {200: "Rollout"},
    sends_body=True,
    repeatable=True,
)
_RETRY_ROLLOUT = Operation(
    "retry_rollout", "POST", "/api/v1/rollouts/{id}/retry", {200: "Rollout"}, sends_body=True, repeatable=True
)
_ROLLBACK_ROLLOUT = Operation(
    "rollback_rollout",
    "POST",
    "/api/v1/rollouts/{id}/rollback",
    {200: "Rollout"},
    sends_body=True,
    repeatable=True,
)
_ROLLOUT = Operation("rollout", "GET", "/api/v1/rollouts/{id}", {200: "Rollout"})
_ROLLOUT_PROPOSALS = Operation(
    "rollout_proposals", "GET", "/api/v1/rollouts/proposals", {200: "RolloutProposalPage"}
)
_ROLLOUT_REST = Operation("rollout_rest", "GET", "/api/v1/rollouts/{id}/proposal", {200: "RolloutRest"})
_ROLLOUT_TARGETS = Operation("rollout_targets", "GET", "/api/v1/rollouts/targets", {200: "RolloutTargetPage"})
_ROLLOUTS = Operation("rollouts", "GET", "/api/v1/rollouts", {200: "RolloutPage"})
_SKIP_ROLLOUT = Operation(
    "skip_rollout", "POST", "/api/v1/rollouts/{id}/skip", {200: "Rollout"}, sends_body=True, repeatable=True
)
_START_ROLLOUT = Operation(
    "start_rollout", "POST", "/api/v1/rollouts/{id}/start", {200: "Rollout"}, sends_body=True, repeatable=True
)
_STOP_ROLLOUT = Operation(
    "stop_rollout", "POST", "/api/v1/rollouts/{id}/stop", {200: "Rollout"}, sends_body=True, repeatable=True
)


class RolloutsOperations(Sender):
    """Operations of rollouts."""

    def pause_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/pause`."""
        return self._send(
            _PAUSE_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def plan_rollout(
        self,
        body: models.NewRolloutRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.RolloutRehearsal | models.Rollout]:
        """Plan a rollout, all of it or nothing; a dry run judges every deployment.

        `POST /api/v1/rollouts`.
        """
        return self._send(
            _PLAN_ROLLOUT,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def replan_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/replan`."""
        return self._send(
            _REPLAN_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def resume_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/resume`."""
        return self._send(
            _RESUME_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def retry_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/retry`."""
        return self._send(
            _RETRY_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def rollback_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/rollback`."""
        return self._send(
            _ROLLBACK_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def rollout(self, id: str, *, request_id: str = "") -> Response[models.Rollout]:
        """Show a rollout.

        `GET /api/v1/rollouts/{id}`.
        """
        return self._send(_ROLLOUT, path={"id": id}, request_id=request_id)

    def rollout_proposals(
        self,
        *,
        target_version: str,
        deployments: str | None = None,
        regions: str | None = None,
        services: str | None = None,
        request_id: str = "",
    ) -> Response[models.RolloutProposalPage]:
        """Propose waves for deployments that shall move to a version: balanced, fastest and safest.

        `GET /api/v1/rollouts/proposals`.
        """
        return self._send(
            _ROLLOUT_PROPOSALS,
            query={
                "deployments": deployments,
                "regions": regions,
                "services": services,
                "target_version": target_version,
            },
            request_id=request_id,
        )

    def rollout_rest(self, id: str, *, request_id: str = "") -> Response[models.RolloutRest]:
        """Tell whether the waves that did not begin still hold, and propose the ones that would.

        `GET /api/v1/rollouts/{id}/proposal`.
        """
        return self._send(_ROLLOUT_REST, path={"id": id}, request_id=request_id)

    def rollout_targets(
        self, *, deployments: str, request_id: str = ""
    ) -> Response[models.RolloutTargetPage]:
        """Tell to which versions some deployments can go together, and what keeps them from the others.

        `GET /api/v1/rollouts/targets`.
        """
        return self._send(_ROLLOUT_TARGETS, query={"deployments": deployments}, request_id=request_id)

    def rollouts(self, *, request_id: str = "") -> Response[models.RolloutPage]:
        """List rollouts, newest first.

        `GET /api/v1/rollouts`.
        """
        return self._send(_ROLLOUTS, request_id=request_id)

    def skip_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/skip`."""
        return self._send(
            _SKIP_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def start_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/start`."""
        return self._send(
            _START_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def stop_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/stop`."""
        return self._send(
            _STOP_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncRolloutsOperations(AsyncSender):
    """Operations of rollouts, awaited."""

    async def pause_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/pause`."""
        return await self._send(
            _PAUSE_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def plan_rollout(
        self,
        body: models.NewRolloutRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.RolloutRehearsal | models.Rollout]:
        """Plan a rollout, all of it or nothing; a dry run judges every deployment.

        `POST /api/v1/rollouts`.
        """
        return await self._send(
            _PLAN_ROLLOUT,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def replan_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/replan`."""
        return await self._send(
            _REPLAN_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def resume_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/resume`."""
        return await self._send(
            _RESUME_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def retry_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/retry`."""
        return await self._send(
            _RETRY_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def rollback_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/rollback`."""
        return await self._send(
            _ROLLBACK_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def rollout(self, id: str, *, request_id: str = "") -> Response[models.Rollout]:
        """Show a rollout.

        `GET /api/v1/rollouts/{id}`.
        """
        return await self._send(_ROLLOUT, path={"id": id}, request_id=request_id)

    async def rollout_proposals(
        self,
        *,
        target_version: str,
        deployments: str | None = None,
        regions: str | None = None,
        services: str | None = None,
        request_id: str = "",
    ) -> Response[models.RolloutProposalPage]:
        """Propose waves for deployments that shall move to a version: balanced, fastest and safest.

        `GET /api/v1/rollouts/proposals`.
        """
        return await self._send(
            _ROLLOUT_PROPOSALS,
            query={
                "deployments": deployments,
                "regions": regions,
                "services": services,
                "target_version": target_version,
            },
            request_id=request_id,
        )

    async def rollout_rest(self, id: str, *, request_id: str = "") -> Response[models.RolloutRest]:
        """Tell whether the waves that did not begin still hold, and propose the ones that would.

        `GET /api/v1/rollouts/{id}/proposal`.
        """
        return await self._send(_ROLLOUT_REST, path={"id": id}, request_id=request_id)

    async def rollout_targets(
        self, *, deployments: str, request_id: str = ""
    ) -> Response[models.RolloutTargetPage]:
        """Tell to which versions some deployments can go together, and what keeps them from the others.

        `GET /api/v1/rollouts/targets`.
        """
        return await self._send(_ROLLOUT_TARGETS, query={"deployments": deployments}, request_id=request_id)

    async def rollouts(self, *, request_id: str = "") -> Response[models.RolloutPage]:
        """List rollouts, newest first.

        `GET /api/v1/rollouts`.
        """
        return await self._send(_ROLLOUTS, request_id=request_id)

    async def skip_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/skip`."""
        return await self._send(
            _SKIP_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def start_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/start`."""
        return await self._send(
            _START_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def stop_rollout(
        self,
        id: str,
        body: models.RolloutActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Rollout]:
        """`POST /api/v1/rollouts/{id}/stop`."""
        return await self._send(
            _STOP_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
