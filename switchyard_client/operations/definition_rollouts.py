"""Operations of definition rollouts.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_PAUSE_DEFINITION_ROLLOUT = Operation(
    "pause_definition_rollout",
    "POST",
    "/api/v1/definition-rollouts/{id}/pause",
    {200: "DefinitionRollout"},
    repeatable=True,
)
_START_DEFINITION_ROLLOUT = Operation(
    "start_definition_rollout",
    "POST",
    "/api/v1/definition-rollouts/{id}/start",
    {200: "DefinitionRollout"},
    repeatable=True,
)
_STOP_DEFINITION_ROLLOUT = Operation(
    "stop_definition_rollout",
    "POST",
    "/api/v1/definition-rollouts/{id}/stop",
    {200: "DefinitionRollout"},
    sends_body=True,
    repeatable=True,
)


class DefinitionRolloutsOperations(Sender):
    """Operations of definition rollouts."""

    def pause_definition_rollout(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.DefinitionRollout]:
        """Apply no further definition until it is started again.

        `POST /api/v1/definition-rollouts/{id}/pause`.
        """
        return self._send(
            _PAUSE_DEFINITION_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def start_definition_rollout(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.DefinitionRollout]:
        """Begin the first phase, or go on after a pause.

        `POST /api/v1/definition-rollouts/{id}/start`.
        """
        return self._send(
            _START_DEFINITION_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def stop_definition_rollout(
        self,
        id: str,
        body: models.StopDefinitionRolloutRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DefinitionRollout]:
        """End it: the definition that is served stays.

        `POST /api/v1/definition-rollouts/{id}/stop`.
        """
        return self._send(
            _STOP_DEFINITION_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncDefinitionRolloutsOperations(AsyncSender):
    """Operations of definition rollouts, awaited."""

    async def pause_definition_rollout(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.DefinitionRollout]:
        """Apply no further definition until it is started again.

        `POST /api/v1/definition-rollouts/{id}/pause`.
        """
        return await self._send(
            _PAUSE_DEFINITION_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def start_definition_rollout(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.DefinitionRollout]:
        """Begin the first phase, or go on after a pause.

        `POST /api/v1/definition-rollouts/{id}/start`.
        """
        return await self._send(
            _START_DEFINITION_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def stop_definition_rollout(
        self,
        id: str,
        body: models.StopDefinitionRolloutRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DefinitionRollout]:
        """End it: the definition that is served stays.

        `POST /api/v1/definition-rollouts/{id}/stop`.
        """
        return await self._send(
            _STOP_DEFINITION_ROLLOUT,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
