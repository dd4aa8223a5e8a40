"""Operations of fleet.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_FLEET = Operation("fleet", "GET", "/api/v1/fleet", {200: "Fleet"})
_FLEET_CALLERS = Operation("fleet_callers", "GET", "/api/v1/fleet/callers", {200: "FleetCallers"})
_FLEET_VERSIONS = Operation("fleet_versions", "GET", "/api/v1/fleet/versions", {200: "FleetVersions"})
_FLEET_WINDOWS = Operation("fleet_windows", "GET", "/api/v1/fleet/windows", {200: "FleetWindows"})
_LOAD_EXAMPLE_FLEET = Operation(
    "load_example_fleet", "POST", "/api/v1/fleet/example", {200: "ExampleFleet"}, repeatable=True
)


class FleetOperations(Sender):
    """Operations of fleet."""

    def fleet(self, *, request_id: str = "") -> Response[models.Fleet]:
        """Show regions, services and deployments.

        `GET /api/v1/fleet`.
        """
        return self._send(_FLEET, request_id=request_id)

    def fleet_callers(self, *, request_id: str = "") -> Response[models.FleetCallers]:
        """Count the clients that call versions before the newest, by service and region.

        `GET /api/v1/fleet/callers`.
        """
        return self._send(_FLEET_CALLERS, request_id=request_id)

    def fleet_versions(self, *, request_id: str = "") -> Response[models.FleetVersions]:
        """Tell when each version of each service was served for the first time.

        `GET /api/v1/fleet/versions`.
        """
        return self._send(_FLEET_VERSIONS, request_id=request_id)

    def fleet_windows(self, *, request_id: str = "") -> Response[models.FleetWindows]:
        """Tell of every deployment when it may switch next.

        `GET /api/v1/fleet/windows`.
        """
        return self._send(_FLEET_WINDOWS, request_id=request_id)

    def load_example_fleet(
        self, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.ExampleFleet]:
        """Register the example fleet; what is there already stays as it is.

        `POST /api/v1/fleet/example`.
        """
        return self._send(
            _LOAD_EXAMPLE_FLEET,
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncFleetOperations(AsyncSender):
    """Operations of fleet, awaited."""

    async def fleet(self, *, request_id: str = "") -> Response[models.Fleet]:
        """Show regions, services and deployments.

        `GET /api/v1/fleet`.
        """
        return await self._send(_FLEET, request_id=request_id)

    async def fleet_callers(self, *, request_id: str = "") -> Response[models.FleetCallers]:
        """Count the clients that call versions before the newest, by service and region.

        `GET /api/v1/fleet/callers`.
        """
        return await self._send(_FLEET_CALLERS, request_id=request_id)

    async def fleet_versions(self, *, request_id: str = "") -> Response[models.FleetVersions]:
        """Tell when each version of each service was served for the first time.

        `GET /api/v1/fleet/versions`.
        """
        return await self._send(_FLEET_VERSIONS, request_id=request_id)

    async def fleet_windows(self, *, request_id: str = "") -> Response[models.FleetWindows]:
        """Tell of every deployment when it may switch next.

        `GET /api/v1/fleet/windows`.
        """
        return await self._send(_FLEET_WINDOWS, request_id=request_id)

    async def load_example_fleet(
        self, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.ExampleFleet]:
        """Register the example fleet; what is there already stays as it is.

        `POST /api/v1/fleet/example`.
        """
        return await self._send(
            _LOAD_EXAMPLE_FLEET,
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
