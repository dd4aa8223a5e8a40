"""Operations of services.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_ANNOUNCE_DEADLINE = Operation(
    "announce_deadline",
    "POST",
    "/api/v1/services/{name}/usage/deadlines",
    {201: "AnnouncedDeadline"},
    sends_body=True,
    repeatable=True,
)
_APPLY_SERVICE = Operation(
    "apply_service", "POST", "/api/v1/services", {200: "AppliedService"}, sends_body=True, repeatable=True
)
_ASK_WAIVER = Operation(
    "ask_waiver", "POST", "/api/v1/services/{name}/waivers", {201: "Waiver"}, sends_body=True, repeatable=True
)
_BROWN_OUTS = Operation(
    "brown_outs", "GET", "/api/v1/services/{name}/usage/brown-outs", {200: "BrownOutPage"}
)
_CHANGED_LINES = Operation(
    "changed_lines", "GET", "/api/v1/services/{name}/compatibility/lines", {200: "ChangedLinesPage"}
)
_COMPATIBILITY = Operation(
    "compatibility", "GET", "/api/v1/services/{name}/compatibility", {200: "Compatibility"}
)
_DEFINITION_REVIEWS = Operation(
    "definition_reviews", "GET", "/api/v1/services/{name}/definitionReviews", {200: "DefinitionReviewPage"}
)
_DEFINITION_ROLLOUTS = Operation(
    "definition_rollouts",
    "GET",
    "/api/v1/services/{name}/definition-rollouts",
    {200: "DefinitionRolloutPage"},
)
_KEY_STRATEGIES = Operation(
    "key_strategies", "GET", "/api/v1/services/{name}/usage/key-strategies", {200: "KeyStrategyPage"}
)
_PLAN_DEFINITION_ROLLOUT = Operation(
    "plan_definition_rollout",
    "POST",
    "/api/v1/services/{name}/definition-rollouts",
    {201: "DefinitionRollout"},
    sends_body=True,
    repeatable=True,
)
_REMOVED_FIELDS = Operation(
    "removed_fields", "GET", "/api/v1/services/{name}/compatibility/removedFields", {200: "RemovedFieldPage"}
)
_REQUEST_BROWN_OUT = Operation(
    "request_brown_out",
    "POST",
    "/api/v1/services/{name}/usage/brown-outs",
    {201: "BrownOut"},
    sends_body=True,
    repeatable=True,
)
_RETIRE_VERSION = Operation(
    "retire_version",
    "PUT",
    "/api/v1/services/{name}/versions/{version}/retirement",
    {200: "Retirement"},
    sends_body=True,
    repeatable=True,
)
_RUN_COMPATIBILITY = Operation(
    "run_compatibility",
    "POST",
    "/api/v1/services/{name}/compatibility:run",
    {202: "Operation"},
    sends_body=True,
    repeatable=True,
)
_SERVICE = Operation("service", "GET", "/api/v1/services/{name}", {200: "ServiceDetail"})
_SERVICE_SCHEMA = Operation(
    "service_schema", "GET", "/api/v1/services/{name}/schemas/{version}", {200: "JSON"}
)
_SERVICE_TIMELINE = Operation(
    "service_timeline", "GET", "/api/v1/services/{name}/timeline", {200: "ServingPeriodPage"}
)
_SERVICES = Operation("services", "GET", "/api/v1/services", {200: "ServicePage"})
_SET_KEY_STRATEGY = Operation(
    "set_key_strategy",
    "POST",
    "/api/v1/services/{name}/usage/key-strategies",
    {201: "KeyStrategy"},
    sends_body=True,
    repeatable=True,
)
_USAGE = Operation("usage", "GET", "/api/v1/services/{name}/usage", {200: "Usage"})
_USAGE_KEYS = Operation("usage_keys", "GET", "/api/v1/services/{name}/usage/keys", {200: "KeyUsePage"})
_USED_PLACES = Operation("used_places", "GET", "/api/v1/services/{name}/usage/places", {200: "UsedPlacePage"})
_WAIVE_CHANGE = Operation(
    "waive_change",
    "POST",
    "/api/v1/services/{name}/changeWaivers",
    {201: "Waiver"},
    sends_body=True,
    repeatable=True,
)
_WAIVERS = Operation("waivers", "GET", "/api/v1/services/{name}/waivers", {200: "WaiverPage"})


class ServicesOperations(Sender):
    """Operations of services."""

    def announce_deadline(
        self,
        name: str,
        body: models.AnnounceDeadlineRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.AnnouncedDeadline]:
        """Announce the removal of something to the channels that hear `usage.deadline`, with the clients
        that use it.

        `POST /api/v1/services/{name}/usage/deadlines`.
        """
        return self._send(
            _ANNOUNCE_DEADLINE,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def apply_service(
        self,
        body: models.ServiceFolderRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.AppliedService]:
        """Apply a service folder; again is the same as once.

        `POST /api/v1/services`.
        """
        return self._send(
            _APPLY_SERVICE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def ask_waiver(
        self,
        name: str,
        body: models.NewWaiverRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Waiver]:
        """Ask that a finding be accepted until a day.

        `POST /api/v1/services/{name}/waivers`.
        """
        return self._send(
            _ASK_WAIVER,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def brown_outs(self, name: str, *, request_id: str = "") -> Response[models.BrownOutPage]:
        """List the brown-outs of a service with what they refused, newest first.

        `GET /api/v1/services/{name}/usage/brown-outs`.
        """
        return self._send(_BROWN_OUTS, path={"name": name}, request_id=request_id)

    def changed_lines(
        self,
        name: str,
        *,
        after: str,
        before: str,
        client: Literal["strict", "filter", "pass"] | None = None,
        policy: Literal["no-loss", "loss-ok"] | None = None,
        server: Literal["strict", "filter", "pass"] | None = None,
        request_id: str = "",
    ) -> Response[models.ChangedLinesPage]:
        """Show for each place of the report how its author wrote it in both versions.

        `GET /api/v1/services/{name}/compatibility/lines`.
        """
        return self._send(
            _CHANGED_LINES,
            path={"name": name},
            query={"after": after, "before": before, "client": client, "policy": policy, "server": server},
            request_id=request_id,
        )

    def compatibility(
        self,
        name: str,
        *,
        after: str,
        before: str,
        as_: Literal["json", "sarif"] | None = None,
        buf: Literal["FILE", "PACKAGE", "WIRE_JSON", "WIRE"] | None = None,
        client: Literal["strict", "filter", "pass"] | None = None,
        policy: Literal["no-loss", "loss-ok"] | None = None,
        server: Literal["strict", "filter", "pass"] | None = None,
        request_id: str = "",
    ) -> Response[models.Compatibility]:
        """Compare two versions.

        `GET /api/v1/services/{name}/compatibility`.
        """
        return self._send(
            _COMPATIBILITY,
            path={"name": name},
            query={
                "after": after,
                "as": as_,
                "before": before,
                "buf": buf,
                "client": client,
                "policy": policy,
                "server": server,
            },
            request_id=request_id,
        )

    def definition_reviews(self, name: str, *, request_id: str = "") -> Response[models.DefinitionReviewPage]:
        """List the newest fifty definitions that were applied or refused, newest first.

        `GET /api/v1/services/{name}/definitionReviews`.
        """
        return self._send(_DEFINITION_REVIEWS, path={"name": name}, request_id=request_id)

    def definition_rollouts(
        self, name: str, *, request_id: str = ""
    ) -> Response[models.DefinitionRolloutPage]:
        """List the rollouts of definitions of a service with their phases, newest first.

        `GET /api/v1/services/{name}/definition-rollouts`.
        """
        return self._send(_DEFINITION_ROLLOUTS, path={"name": name}, request_id=request_id)

    def key_strategies(self, name: str, *, request_id: str = "") -> Response[models.KeyStrategyPage]:
        """List the strategies of single unknown keys of a service, newest first.

        `GET /api/v1/services/{name}/usage/key-strategies`.
        """
        return self._send(_KEY_STRATEGIES, path={"name": name}, request_id=request_id)

    def plan_definition_rollout(
        self,
        name: str,
        body: models.NewDefinitionRolloutRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DefinitionRollout]:
        """Plan the phases of a definition that neither servers nor clients can change alone, and start
        them.

        `POST /api/v1/services/{name}/definition-rollouts`.
        """
        return self._send(
            _PLAN_DEFINITION_ROLLOUT,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def removed_fields(
        self, name: str, *, after: str, before: str, request_id: str = ""
    ) -> Response[models.RemovedFieldPage]:
        """List the fields without counterpart of every edge between two versions, with the fields they
        may have become.

        `GET /api/v1/services/{name}/compatibility/removedFields`.
        """
        return self._send(
            _REMOVED_FIELDS,
            path={"name": name},
            query={"after": after, "before": before},
            request_id=request_id,
        )

    def request_brown_out(
        self,
        name: str,
        body: models.NewBrownOutRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BrownOut]:
        """Refuse a share of the requests that use something deprecated, between two moments; it is
        announced.

        `POST /api/v1/services/{name}/usage/brown-outs`.
        """
        return self._send(
            _REQUEST_BROWN_OUT,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def retire_version(
        self,
        name: str,
        version: str,
        body: models.RetireRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Retirement]:
        """Set the day from which a version is no longer meant to be used, or take it back.

        `PUT /api/v1/services/{name}/versions/{version}/retirement`.
        """
        return self._send(
            _RETIRE_VERSION,
            path={"name": name, "version": version},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def run_compatibility(
        self,
        name: str,
        body: models.CompatibilityQuestionRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Operation]:
        """Compare two versions by a worker; the operation tells how far it is, and ends with verdict and
        report.

        `POST /api/v1/services/{name}/compatibility:run`.
        """
        return self._send(
            _RUN_COMPATIBILITY,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def service(self, name: str, *, request_id: str = "") -> Response[models.ServiceDetail]:
        """Show one service.

        `GET /api/v1/services/{name}`.
        """
        return self._send(_SERVICE, path={"name": name}, request_id=request_id)

    def service_schema(self, name: str, version: str, *, request_id: str = "") -> Response[Any]:
        """Show the schema of a version, as the document that it could be applied from.

        `GET /api/v1/services/{name}/schemas/{version}`.
        """
        return self._send(_SERVICE_SCHEMA, path={"name": name, "version": version}, request_id=request_id)

    def service_timeline(self, name: str, *, request_id: str = "") -> Response[models.ServingPeriodPage]:
        """List which region served which version from when until when, region by region.

        `GET /api/v1/services/{name}/timeline`.
        """
        return self._send(_SERVICE_TIMELINE, path={"name": name}, request_id=request_id)

    def services(
        self, *, cursor: str | None = None, limit: int | None = None, request_id: str = ""
    ) -> Response[models.ServicePage]:
        """List services by name.

        `GET /api/v1/services`.
        """
        return self._send(_SERVICES, query={"cursor": cursor, "limit": limit}, request_id=request_id)

    def iter_services(self, *, limit: int | None = None, request_id: str = "") -> Iterator[models.Service]:
        """Give every item of `services`, page after page."""
        return self._pages(_SERVICES, query={"limit": limit}, request_id=request_id)

    def set_key_strategy(
        self,
        name: str,
        body: models.NewKeyStrategyRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.KeyStrategy]:
        """Say what is done with one unknown key until an end; it takes the place of the strategy in
        force.

        `POST /api/v1/services/{name}/usage/key-strategies`.
        """
        return self._send(
            _SET_KEY_STRATEGY,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def usage(
        self,
        name: str,
        *,
        days: int | None = None,
        region: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.Usage]:
        """Show who uses which version of a service.

        `GET /api/v1/services/{name}/usage`.
        """
        return self._send(
            _USAGE,
            path={"name": name},
            query={"days": days, "region": region, "version": version},
            request_id=request_id,
        )

    def usage_keys(
        self,
        name: str,
        *,
        version: str,
        client: str | None = None,
        days: int | None = None,
        method: str | None = None,
        request_id: str = "",
    ) -> Response[models.KeyUsePage]:
        """Show how each key of a version's messages was sent.

        `GET /api/v1/services/{name}/usage/keys`.
        """
        return self._send(
            _USAGE_KEYS,
            path={"name": name},
            query={"client": client, "days": days, "method": method, "version": version},
            request_id=request_id,
        )

    def used_places(
        self, name: str, *, version: str, client: str | None = None, request_id: str = ""
    ) -> Response[models.UsedPlacePage]:
        """List a version, its resource types and their fields with who uses them and when they may go.

        `GET /api/v1/services/{name}/usage/places`.
        """
        return self._send(
            _USED_PLACES,
            path={"name": name},
            query={"client": client, "version": version},
            request_id=request_id,
        )

    def waive_change(
        self,
        name: str,
        body: models.NewChangeWaiverRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Waiver]:
        """Ask that a change in place be let through until a day, for one apply.

        `POST /api/v1/services/{name}/changeWaivers`.
        """
        return self._send(
            _WAIVE_CHANGE,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def waivers(self, name: str, *, request_id: str = "") -> Response[models.WaiverPage]:
        """List the waivers of a service, newest first.

        `GET /api/v1/services/{name}/waivers`.
        """
        return self._send(_WAIVERS, path={"name": name}, request_id=request_id)


class AsyncServicesOperations(AsyncSender):
    """Operations of services, awaited."""

    async def announce_deadline(
        self,
        name: str,
        body: models.AnnounceDeadlineRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.AnnouncedDeadline]:
        """Announce the removal of something to the channels that hear `usage.deadline`, with the clients
        that use it.

        `POST /api/v1/services/{name}/usage/deadlines`.
        """
        return await self._send(
            _ANNOUNCE_DEADLINE,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def apply_service(
        self,
        body: models.ServiceFolderRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.AppliedService]:
        """Apply a service folder; again is the same as once.

        `POST /api/v1/services`.
        """
        return await self._send(
            _APPLY_SERVICE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def ask_waiver(
        self,
        name: str,
        body: models.NewWaiverRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Waiver]:
        """Ask that a finding be accepted until a day.

        `POST /api/v1/services/{name}/waivers`.
        """
        return await self._send(
            _ASK_WAIVER,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def brown_outs(self, name: str, *, request_id: str = "") -> Response[models.BrownOutPage]:
        """List the brown-outs of a service with what they refused, newest first.

        `GET /api/v1/services/{name}/usage/brown-outs`.
        """
        return await self._send(_BROWN_OUTS, path={"name": name}, request_id=request_id)

    async def changed_lines(
        self,
        name: str,
        *,
        after: str,
        before: str,
        client: Literal["strict", "filter", "pass"] | None = None,
        policy: Literal["no-loss", "loss-ok"] | None = None,
        server: Literal["strict", "filter", "pass"] | None = None,
        request_id: str = "",
    ) -> Response[models.ChangedLinesPage]:
        """Show for each place of the report how its author wrote it in both versions.

        `GET /api/v1/services/{name}/compatibility/lines`.
        """
        return await self._send(
            _CHANGED_LINES,
            path={"name": name},
            query={"after": after, "before": before, "client": client, "policy": policy, "server": server},
            request_id=request_id,
        )

    async def compatibility(
        self,
        name: str,
        *,
        after: str,
        before: str,
        as_: Literal["json", "sarif"] | None = None,
        buf: Literal["FILE", "PACKAGE", "WIRE_JSON", "WIRE"] | None = None,
        client: Literal["strict", "filter", "pass"] | None = None,
        policy: Literal["no-loss", "loss-ok"] | None = None,
        server: Literal["strict", "filter", "pass"] | None = None,
        request_id: str = "",
    ) -> Response[models.Compatibility]:
        """Compare two versions.

        `GET /api/v1/services/{name}/compatibility`.
        """
        return await self._send(
            _COMPATIBILITY,
            path={"name": name},
            query={
                "after": after,
                "as": as_,
                "before": before,
                "buf": buf,
                "client": client,
                "policy": policy,
                "server": server,
            },
            request_id=request_id,
        )

    async def definition_reviews(
        self, name: str, *, request_id: str = ""
    ) -> Response[models.DefinitionReviewPage]:
        """List the newest fifty definitions that were applied or refused, newest first.

        `GET /api/v1/services/{name}/definitionReviews`.
        """
        return await self._send(_DEFINITION_REVIEWS, path={"name": name}, request_id=request_id)

    async def definition_rollouts(
        self, name: str, *, request_id: str = ""
    ) -> Response[models.DefinitionRolloutPage]:
        """List the rollouts of definitions of a service with their phases, newest first.

        `GET /api/v1/services/{name}/definition-rollouts`.
        """
        return await self._send(_DEFINITION_ROLLOUTS, path={"name": name}, request_id=request_id)

    async def key_strategies(self, name: str, *, request_id: str = "") -> Response[models.KeyStrategyPage]:
        """List the strategies of single unknown keys of a service, newest first.

        `GET /api/v1/services/{name}/usage/key-strategies`.
        """
        return await self._send(_KEY_STRATEGIES, path={"name": name}, request_id=request_id)

    async def plan_definition_rollout(
        self,
        name: str,
        body: models.NewDefinitionRolloutRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DefinitionRollout]:
        """Plan the phases of a definition that neither servers nor clients can change alone, and start
        them.

        `POST /api/v1/services/{name}/definition-rollouts`.
        """
        return await self._send(
            _PLAN_DEFINITION_ROLLOUT,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def removed_fields(
        self, name: str, *, after: str, before: str, request_id: str = ""
    ) -> Response[models.RemovedFieldPage]:
        """List the fields without counterpart of every edge between two versions, with the fields they
        may have become.

        `GET /api/v1/services/{name}/compatibility/removedFields`.
        """
        return await self._send(
            _REMOVED_FIELDS,
            path={"name": name},
            query={"after": after, "before": before},
            request_id=request_id,
        )

    async def request_brown_out(
        self,
        name: str,
        body: models.NewBrownOutRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BrownOut]:
        """Refuse a share of the requests that use something deprecated, between two moments; it is
        announced.

        `POST /api/v1/services/{name}/usage/brown-outs`.
        """
        return await self._send(
            _REQUEST_BROWN_OUT,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def retire_version(
        self,
        name: str,
        version: str,
        body: models.RetireRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Retirement]:
        """Set the day from which a version is no longer meant to be used, or take it back.

        `PUT /api/v1/services/{name}/versions/{version}/retirement`.
        """
        return await self._send(
            _RETIRE_VERSION,
            path={"name": name, "version": version},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def run_compatibility(
        self,
        name: str,
        body: models.CompatibilityQuestionRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Operation]:
        """Compare two versions by a worker; the operation tells how far it is, and ends with verdict and
        report.

        `POST /api/v1/services/{name}/compatibility:run`.
        """
        return await self._send(
            _RUN_COMPATIBILITY,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def service(self, name: str, *, request_id: str = "") -> Response[models.ServiceDetail]:
        """Show one service.

        `GET /api/v1/services/{name}`.
        """
        return await self._send(_SERVICE, path={"name": name}, request_id=request_id)

    async def service_schema(self, name: str, version: str, *, request_id: str = "") -> Response[Any]:
        """Show the schema of a version, as the document that it could be applied from.

        `GET /api/v1/services/{name}/schemas/{version}`.
        """
        return await self._send(
            _SERVICE_SCHEMA, path={"name": name, "version": version}, request_id=request_id
        )

    async def service_timeline(
        self, name: str, *, request_id: str = ""
    ) -> Response[models.ServingPeriodPage]:
        """List which region served which version from when until when, region by region.

        `GET /api/v1/services/{name}/timeline`.
        """
        return await self._send(_SERVICE_TIMELINE, path={"name": name}, request_id=request_id)

    async def services(
        self, *, cursor: str | None = None, limit: int | None = None, request_id: str = ""
    ) -> Response[models.ServicePage]:
        """List services by name.

        `GET /api/v1/services`.
        """
        return await self._send(_SERVICES, query={"cursor": cursor, "limit": limit}, request_id=request_id)

    def iter_services(
        self, *, limit: int | None = None, request_id: str = ""
    ) -> AsyncIterator[models.Service]:
        """Give every item of `services`, page after page."""
        return self._pages(_SERVICES, query={"limit": limit}, request_id=request_id)

    async def set_key_strategy(
        self,
        name: str,
        body: models.NewKeyStrategyRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.KeyStrategy]:
        """Say what is done with one unknown key until an end; it takes the place of the strategy in
        force.

        `POST /api/v1/services/{name}/usage/key-strategies`.
        """
        return await self._send(
            _SET_KEY_STRATEGY,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def usage(
        self,
        name: str,
        *,
        days: int | None = None,
        region: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.Usage]:
        """Show who uses which version of a service.

        `GET /api/v1/services/{name}/usage`.
        """
        return await self._send(
            _USAGE,
            path={"name": name},
            query={"days": days, "region": region, "version": version},
            request_id=request_id,
        )

    async def usage_keys(
        self,
        name: str,
        *,
        version: str,
        client: str | None = None,
        days: int | None = None,
        method: str | None = None,
        request_id: str = "",
    ) -> Response[models.KeyUsePage]:
        """Show how each key of a version's messages was sent.

        `GET /api/v1/services/{name}/usage/keys`.
        """
        return await self._send(
            _USAGE_KEYS,
            path={"name": name},
            query={"client": client, "days": days, "method": method, "version": version},
            request_id=request_id,
        )

    async def used_places(
        self, name: str, *, version: str, client: str | None = None, request_id: str = ""
    ) -> Response[models.UsedPlacePage]:
        """List a version, its resource types and their fields with who uses them and when they may go.

        `GET /api/v1/services/{name}/usage/places`.
        """
        return await self._send(
            _USED_PLACES,
            path={"name": name},
            query={"client": client, "version": version},
            request_id=request_id,
        )

    async def waive_change(
        self,
        name: str,
        body: models.NewChangeWaiverRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Waiver]:
        """Ask that a change in place be let through until a day, for one apply.

        `POST /api/v1/services/{name}/changeWaivers`.
        """
        return await self._send(
            _WAIVE_CHANGE,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def waivers(self, name: str, *, request_id: str = "") -> Response[models.WaiverPage]:
        """List the waivers of a service, newest first.

        `GET /api/v1/services/{name}/waivers`.
        """
        return await self._send(_WAIVERS, path={"name": name}, request_id=request_id)
