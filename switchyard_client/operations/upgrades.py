"""Operations of upgrades.

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

_ABORT_UPGRADE = Operation(
    "abort_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/abort",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_ASK_PEOPLE = Operation(
    "ask_people",
    "POST",
    "/api/v1/upgrades/{id}/ask",
    {201: "TimelineEntry"},
    sends_body=True,
    repeatable=True,
)
_AWAIT_UPGRADE = Operation(
    "await_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/wait",
    {202: "Operation"},
    sends_body=True,
    repeatable=True,
)
_BREAK_GLASS_UPGRADE = Operation(
    "break_glass_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/break-glass",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_COMMENT_UPGRADE = Operation(
    "comment_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/events",
    {201: "TimelineEntry"},
    sends_body=True,
    repeatable=True,
)
_COMPLETE_UPGRADE = Operation(
    "complete_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/complete",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_EDIT_UPGRADE = Operation(
    "edit_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/edit",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_ENABLE_REVERSE_REPLICATION_UPGRADE = Operation(
    "enable_reverse_replication_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/enable-reverse-replication",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_EXTEND_UPGRADE = Operation(
    "extend_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/extend",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_OVERRIDE_WINDOW = Operation(
    "override_window",
    "POST",
    "/api/v1/upgrades/{id}/window-override",
    {201: "WindowOverride"},
    sends_body=True,
    repeatable=True,
)
_PAUSE_UPGRADE = Operation(
    "pause_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/pause",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_PLAN_UPGRADE = Operation(
    "plan_upgrade",
    "POST",
    "/api/v1/upgrades",
    {200: "DryRun", 201: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_PLAN_UPGRADES = Operation(
    "plan_upgrades", "POST", "/api/v1/upgrades:batch", {207: "BatchAnswer"}, sends_body=True, repeatable=True
)
_REQUEST_APPROVAL_UPGRADE = Operation(
    "request_approval_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/request-approval",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_RESOLVE_QUARANTINED = Operation(
    "resolve_quarantined",
    "POST",
    "/api/v1/upgrades/{id}/quarantine",
    {200: "QuarantinedResourcePage"},
    sends_body=True,
    repeatable=True,
)
_RESUME_UPGRADE = Operation(
    "resume_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/resume",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_RETRY_SHARD_UPGRADE = Operation(
    "retry_shard_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/retry-shard",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_ROLLBACK_UPGRADE = Operation(
    "rollback_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/rollback",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_SETTLE_ASKED = Operation("settle_asked", "DELETE", "/api/v1/upgrades/{id}/ask", {204: ""}, repeatable=True)
_SETTLE_UPGRADE = Operation(
    "settle_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/settle",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_SHARD_TURNS = Operation(
    "shard_turns", "GET", "/api/v1/upgrades/{id}/shards/{shard}/turns", {200: "ShardTransitionPage"}
)
_START_UPGRADE = Operation(
    "start_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/start",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_SWITCH_UPGRADE = Operation(
    "switch_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/switch",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_THROTTLE_UPGRADE = Operation(
    "throttle_upgrade",
    "POST",
    "/api/v1/upgrades/{id}/throttle",
    {200: "Upgrade", 202: "Upgrade"},
    sends_body=True,
    repeatable=True,
)
_UPGRADE = Operation("upgrade", "GET", "/api/v1/upgrades/{id}", {200: "Upgrade"})
_UPGRADE_EVENTS = Operation(
    "upgrade_events", "GET", "/api/v1/upgrades/{id}/events", {200: "UpgradeEventPage"}
)
_UPGRADE_FACETS = Operation("upgrade_facets", "GET", "/api/v1/upgrades/facets", {200: "Facets"})
_UPGRADE_HISTORY = Operation("upgrade_history", "GET", "/api/v1/upgrades/{id}/history", {200: "History"})
_UPGRADE_QUARANTINE = Operation(
    "upgrade_quarantine", "GET", "/api/v1/upgrades/{id}/quarantine", {200: "QuarantinedResourcePage"}
)
_UPGRADE_REMOVALS = Operation(
    "upgrade_removals", "GET", "/api/v1/upgrades/{id}/removals", {200: "RemovalPage"}
)
_UPGRADE_REPORT = Operation("upgrade_report", "GET", "/api/v1/upgrades/{id}/report", {200: "JSON"})
_UPGRADE_RUN_SHEET = Operation("upgrade_run_sheet", "GET", "/api/v1/upgrades/{id}/run-sheet", {200: "TEXT"})
_UPGRADE_SAMPLES = Operation("upgrade_samples", "GET", "/api/v1/upgrades/{id}/samples", {200: "Samples"})
_UPGRADES = Operation("upgrades", "GET", "/api/v1/upgrades", {200: "UpgradePage"})


class UpgradesOperations(Sender):
    """Operations of upgrades."""

    def abort_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/abort`."""
        return self._send(
            _ABORT_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def ask_people(
        self,
        id: str,
        body: models.NewRequestToPeopleRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.TimelineEntry]:
        """Ask those who may for an action that one may not take oneself.

        `POST /api/v1/upgrades/{id}/ask`.
        """
        return self._send(
            _ASK_PEOPLE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def await_upgrade(
        self,
        id: str,
        body: models.UpgradeMilestoneRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Operation]:
        """Wait until the upgrade is ready to switch, switched or complete: by an operation, the same
        when repeated.

        `POST /api/v1/upgrades/{id}/wait`.
        """
        return self._send(
            _AWAIT_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def break_glass_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/break-glass`."""
        return self._send(
            _BREAK_GLASS_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def comment_upgrade(
        self,
        id: str,
        body: models.CommentRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.TimelineEntry]:
        """Comment on the upgrade; the comment is a line of its story.

        `POST /api/v1/upgrades/{id}/events`.
        """
        return self._send(
            _COMMENT_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def complete_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/complete`."""
        return self._send(
            _COMPLETE_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def edit_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/edit`."""
        return self._send(
            _EDIT_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def enable_reverse_replication_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/enable-reverse-replication`."""
        return self._send(
            _ENABLE_REVERSE_REPLICATION_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def extend_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/extend`."""
        return self._send(
            _EXTEND_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def override_window(
        self,
        id: str,
        body: models.NewWindowOverrideRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.WindowOverride]:
        """Let one upgrade go past the windows and freezes in its way, for an hour.

        `POST /api/v1/upgrades/{id}/window-override`.
        """
        return self._send(
            _OVERRIDE_WINDOW,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def pause_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/pause`."""
        return self._send(
            _PAUSE_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def plan_upgrade(
        self,
        body: models.NewUpgradeRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DryRun | models.Upgrade]:
        """Plan an upgrade, and start it when asked to; a dry run says what it would do.

        `POST /api/v1/upgrades`.
        """
        return self._send(
            _PLAN_UPGRADE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def plan_upgrades(
        self,
        body: models.BatchRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BatchAnswer]:
        """Plan several upgrades, and start those that ask for it; one refused does not stop the others.

        `POST /api/v1/upgrades:batch`.
        """
        return self._send(
            _PLAN_UPGRADES,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def request_approval_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/request-approval`."""
        return self._send(
            _REQUEST_APPROVAL_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def resolve_quarantined(
        self,
        id: str,
        body: models.QuarantineActionRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.QuarantinedResourcePage]:
        """Have a quarantined resource tried again, or exclude it by name.

        `POST /api/v1/upgrades/{id}/quarantine`.
        """
        return self._send(
            _RESOLVE_QUARANTINED,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def resume_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/resume`."""
        return self._send(
            _RESUME_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def retry_shard_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/retry-shard`."""
        return self._send(
            _RETRY_SHARD_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def rollback_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/rollback`."""
        return self._send(
            _ROLLBACK_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def settle_asked(
        self,
        id: str,
        *,
        action: str,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Put away what was asked for of this upgrade: done, refused or no longer wanted.

        `DELETE /api/v1/upgrades/{id}/ask`.
        """
        return self._send(
            _SETTLE_ASKED,
            path={"id": id},
            query={"action": action, "dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def settle_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/settle`."""
        return self._send(
            _SETTLE_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def shard_turns(
        self, id: str, shard: int, *, request_id: str = ""
    ) -> Response[models.ShardTransitionPage]:
        """Tell how one shard came to where it is, oldest first.

        `GET /api/v1/upgrades/{id}/shards/{shard}/turns`.
        """
        return self._send(_SHARD_TURNS, path={"id": id, "shard": shard}, request_id=request_id)

    def start_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/start`."""
        return self._send(
            _START_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def switch_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/switch`."""
        return self._send(
            _SWITCH_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def throttle_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/throttle`."""
        return self._send(
            _THROTTLE_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def upgrade(
        self, id: str, *, if_rev_gt: int | None = None, wait: str | None = None, request_id: str = ""
    ) -> Response[models.Upgrade]:
        """Show an upgrade, or wait for a newer revision of it first.

        `GET /api/v1/upgrades/{id}`.
        """
        return self._send(
            _UPGRADE, path={"id": id}, query={"if_rev_gt": if_rev_gt, "wait": wait}, request_id=request_id
        )

    def upgrade_events(
        self, id: str, *, cursor: str | None = None, limit: int | None = None, request_id: str = ""
    ) -> Response[models.UpgradeEventPage]:
        """Tell the story, oldest first.

        `GET /api/v1/upgrades/{id}/events`.
        """
        return self._send(
            _UPGRADE_EVENTS, path={"id": id}, query={"cursor": cursor, "limit": limit}, request_id=request_id
        )

    def iter_upgrade_events(
        self, id: str, *, limit: int | None = None, request_id: str = ""
    ) -> Iterator[models.TimelineEntry]:
        """Give every item of `upgrade_events`, page after page."""
        return self._pages(_UPGRADE_EVENTS, path={"id": id}, query={"limit": limit}, request_id=request_id)

    def upgrade_facets(
        self,
        *,
        deployment: str | None = None,
        deployment__in: str | None = None,
        from_version: str | None = None,
        from_version__in: str | None = None,
        kind: str | None = None,
        kind__in: str | None = None,
        live: str | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        stalled: str | None = None,
        state: str | None = None,
        state__in: str | None = None,
        to_version: str | None = None,
        to_version__in: str | None = None,
        request_id: str = "",
    ) -> Response[models.Facets]:
        """Count upgrades by what lists can be narrowed to; each count leaves its own filter out.

        `GET /api/v1/upgrades/facets`.
        """
        return self._send(
            _UPGRADE_FACETS,
            query={
                "deployment": deployment,
                "deployment__in": deployment__in,
                "from_version": from_version,
                "from_version__in": from_version__in,
                "kind": kind,
                "kind__in": kind__in,
                "live": live,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "stalled": stalled,
                "state": state,
                "state__in": state__in,
                "to_version": to_version,
                "to_version__in": to_version__in,
            },
            request_id=request_id,
        )

    def upgrade_history(self, id: str, *, request_id: str = "") -> Response[models.History]:
        """Show what was recorded of an upgrade, to draw it to scale and to replay it.

        `GET /api/v1/upgrades/{id}/history`.
        """
        return self._send(_UPGRADE_HISTORY, path={"id": id}, request_id=request_id)

    def upgrade_quarantine(
        self, id: str, *, request_id: str = ""
    ) -> Response[models.QuarantinedResourcePage]:
        """List what could not be carried over.

        `GET /api/v1/upgrades/{id}/quarantine`.
        """
        return self._send(_UPGRADE_QUARANTINE, path={"id": id}, request_id=request_id)

    def upgrade_removals(self, id: str, *, request_id: str = "") -> Response[models.RemovalPage]:
        """List what the new version does not have: how much is stored, who calls it, and who accepted
        it.

        `GET /api/v1/upgrades/{id}/removals`.
        """
        return self._send(_UPGRADE_REMOVALS, path={"id": id}, request_id=request_id)

    def upgrade_report(
        self, id: str, *, as_: Literal["json", "md"] | None = None, request_id: str = ""
    ) -> Response[Any]:
        """Tell everything about an upgrade in one document.

        `GET /api/v1/upgrades/{id}/report`.
        """
        return self._send(_UPGRADE_REPORT, path={"id": id}, query={"as": as_}, request_id=request_id)

    def upgrade_run_sheet(
        self,
        id: str,
        *,
        as_: Literal["html", "md"] | None = None,
        at: datetime | str | None = None,
        request_id: str = "",
    ) -> Response[str]:
        """Give the run sheet as of a moment as a signed file; that it was shared is noted in the audit
        log.

        `GET /api/v1/upgrades/{id}/run-sheet`.
        """
        return self._send(
            _UPGRADE_RUN_SHEET, path={"id": id}, query={"as": as_, "at": at}, request_id=request_id
        )

    def upgrade_samples(self, id: str, *, request_id: str = "") -> Response[models.Samples]:
        """Give the curves.

        `GET /api/v1/upgrades/{id}/samples`.
        """
        return self._send(_UPGRADE_SAMPLES, path={"id": id}, request_id=request_id)

    def upgrades(
        self,
        *,
        count: Literal["estimate", "exact"] | None = None,
        cursor: str | None = None,
        deployment: str | None = None,
        deployment__in: str | None = None,
        from_version: str | None = None,
        from_version__in: str | None = None,
        kind: str | None = None,
        kind__in: str | None = None,
        limit: int | None = None,
        live: str | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        sort: Literal[
            "-created_at",
            "-deployment",
            "-finished_at",
            "-started_at",
            "-state",
            "created_at",
            "deployment",
            "finished_at",
            "started_at",
            "state",
        ]
        | None = None,
        stalled: str | None = None,
        state: str | None = None,
        state__in: str | None = None,
        to_version: str | None = None,
        to_version__in: str | None = None,
        request_id: str = "",
    ) -> Response[models.UpgradePage]:
        """List upgrades, newest first or as `sort` says.

        `GET /api/v1/upgrades`.
        """
        return self._send(
            _UPGRADES,
            query={
                "count": count,
                "cursor": cursor,
                "deployment": deployment,
                "deployment__in": deployment__in,
                "from_version": from_version,
                "from_version__in": from_version__in,
                "kind": kind,
                "kind__in": kind__in,
                "limit": limit,
                "live": live,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "sort": sort,
                "stalled": stalled,
                "state": state,
                "state__in": state__in,
                "to_version": to_version,
                "to_version__in": to_version__in,
            },
            request_id=request_id,
        )

    def iter_upgrades(
        self,
        *,
        count: Literal["estimate", "exact"] | None = None,
        deployment: str | None = None,
        deployment__in: str | None = None,
        from_version: str | None = None,
        from_version__in: str | None = None,
        kind: str | None = None,
        kind__in: str | None = None,
        limit: int | None = None,
        live: str | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        sort: Literal[
            "-created_at",
            "-deployment",
            "-finished_at",
            "-started_at",
            "-state",
            "created_at",
            "deployment",
            "finished_at",
            "started_at",
            "state",
        ]
        | None = None,
        stalled: str | None = None,
        state: str | None = None,
        state__in: str | None = None,
        to_version: str | None = None,
        to_version__in: str | None = None,
        request_id: str = "",
    ) -> Iterator[models.UpgradeSummary]:
        """Give every item of `upgrades`, page after page."""
        return self._pages(
            _UPGRADES,
            query={
                "count": count,
                "deployment": deployment,
                "deployment__in": deployment__in,
                "from_version": from_version,
                "from_version__in": from_version__in,
                "kind": kind,
                "kind__in": kind__in,
                "limit": limit,
                "live": live,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "sort": sort,
                "stalled": stalled,
                "state": state,
                "state__in": state__in,
                "to_version": to_version,
                "to_version__in": to_version__in,
            },
            request_id=request_id,
        )


class AsyncUpgradesOperations(AsyncSender):
    """Operations of upgrades, awaited."""

    async def abort_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/abort`."""
        return await self._send(
            _ABORT_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def ask_people(
        self,
        id: str,
        body: models.NewRequestToPeopleRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.TimelineEntry]:
        """Ask those who may for an action that one may not take oneself.

        `POST /api/v1/upgrades/{id}/ask`.
        """
        return await self._send(
            _ASK_PEOPLE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def await_upgrade(
        self,
        id: str,
        body: models.UpgradeMilestoneRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Operation]:
        """Wait until the upgrade is ready to switch, switched or complete: by an operation, the same
        when repeated.

        `POST /api/v1/upgrades/{id}/wait`.
        """
        return await self._send(
            _AWAIT_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def break_glass_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/break-glass`."""
        return await self._send(
            _BREAK_GLASS_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def comment_upgrade(
        self,
        id: str,
        body: models.CommentRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.TimelineEntry]:
        """Comment on the upgrade; the comment is a line of its story.

        `POST /api/v1/upgrades/{id}/events`.
        """
        return await self._send(
            _COMMENT_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def complete_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/complete`."""
        return await self._send(
            _COMPLETE_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def edit_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/edit`."""
        return await self._send(
            _EDIT_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def enable_reverse_replication_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/enable-reverse-replication`."""
        return await self._send(
            _ENABLE_REVERSE_REPLICATION_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def extend_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/extend`."""
        return await self._send(
            _EXTEND_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def override_window(
        self,
        id: str,
        body: models.NewWindowOverrideRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.WindowOverride]:
        """Let one upgrade go past the windows and freezes in its way, for an hour.

        `POST /api/v1/upgrades/{id}/window-override`.
        """
        return await self._send(
            _OVERRIDE_WINDOW,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def pause_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/pause`."""
        return await self._send(
            _PAUSE_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def plan_upgrade(
        self,
        body: models.NewUpgradeRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DryRun | models.Upgrade]:
        """Plan an upgrade, and start it when asked to; a dry run says what it would do.

        `POST /api/v1/upgrades`.
        """
        return await self._send(
            _PLAN_UPGRADE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def plan_upgrades(
        self,
        body: models.BatchRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BatchAnswer]:
        """Plan several upgrades, and start those that ask for it; one refused does not stop the others.

        `POST /api/v1/upgrades:batch`.
        """
        return await self._send(
            _PLAN_UPGRADES,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def request_approval_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/request-approval`."""
        return await self._send(
            _REQUEST_APPROVAL_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def resolve_quarantined(
        self,
        id: str,
        body: models.QuarantineActionRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.QuarantinedResourcePage]:
        """Have a quarantined resource tried again, or exclude it by name.

        `POST /api/v1/upgrades/{id}/quarantine`.
        """
        return await self._send(
            _RESOLVE_QUARANTINED,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def resume_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/resume`."""
        return await self._send(
            _RESUME_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def retry_shard_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/retry-shard`."""
        return await self._send(
            _RETRY_SHARD_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def rollback_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/rollback`."""
        return await self._send(
            _ROLLBACK_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def settle_asked(
        self,
        id: str,
        *,
        action: str,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Put away what was asked for of this upgrade: done, refused or no longer wanted.

        `DELETE /api/v1/upgrades/{id}/ask`.
        """
        return await self._send(
            _SETTLE_ASKED,
            path={"id": id},
            query={"action": action, "dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def settle_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/settle`."""
        return await self._send(
            _SETTLE_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def shard_turns(
        self, id: str, shard: int, *, request_id: str = ""
    ) -> Response[models.ShardTransitionPage]:
        """Tell how one shard came to where it is, oldest first.

        `GET /api/v1/upgrades/{id}/shards/{shard}/turns`.
        """
        return await self._send(_SHARD_TURNS, path={"id": id, "shard": shard}, request_id=request_id)

    async def start_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/start`."""
        return await self._send(
            _START_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def switch_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/switch`."""
        return await self._send(
            _SWITCH_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def throttle_upgrade(
        self,
        id: str,
        body: models.UpgradeActionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Upgrade]:
        """`POST /api/v1/upgrades/{id}/throttle`."""
        return await self._send(
            _THROTTLE_UPGRADE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def upgrade(
        self, id: str, *, if_rev_gt: int | None = None, wait: str | None = None, request_id: str = ""
    ) -> Response[models.Upgrade]:
        """Show an upgrade, or wait for a newer revision of it first.

        `GET /api/v1/upgrades/{id}`.
        """
        return await self._send(
            _UPGRADE, path={"id": id}, query={"if_rev_gt": if_rev_gt, "wait": wait}, request_id=request_id
        )

    async def upgrade_events(
        self, id: str, *, cursor: str | None = None, limit: int | None = None, request_id: str = ""
    ) -> Response[models.UpgradeEventPage]:
        """Tell the story, oldest first.

        `GET /api/v1/upgrades/{id}/events`.
        """
        return await self._send(
            _UPGRADE_EVENTS, path={"id": id}, query={"cursor": cursor, "limit": limit}, request_id=request_id
        )

    def iter_upgrade_events(
        self, id: str, *, limit: int | None = None, request_id: str = ""
    ) -> AsyncIterator[models.TimelineEntry]:
        """Give every item of `upgrade_events`, page after page."""
        return self._pages(_UPGRADE_EVENTS, path={"id": id}, query={"limit": limit}, request_id=request_id)

    async def upgrade_facets(
        self,
        *,
        deployment: str | None = None,
        deployment__in: str | None = None,
        from_version: str | None = None,
        from_version__in: str | None = None,
        kind: str | None = None,
        kind__in: str | None = None,
        live: str | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        stalled: str | None = None,
        state: str | None = None,
        state__in: str | None = None,
        to_version: str | None = None,
        to_version__in: str | None = None,
        request_id: str = "",
    ) -> Response[models.Facets]:
        """Count upgrades by what lists can be narrowed to; each count leaves its own filter out.

        `GET /api/v1/upgrades/facets`.
        """
        return await self._send(
            _UPGRADE_FACETS,
            query={
                "deployment": deployment,
                "deployment__in": deployment__in,
                "from_version": from_version,
                "from_version__in": from_version__in,
                "kind": kind,
                "kind__in": kind__in,
                "live": live,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "stalled": stalled,
                "state": state,
                "state__in": state__in,
                "to_version": to_version,
                "to_version__in": to_version__in,
            },
            request_id=request_id,
        )

    async def upgrade_history(self, id: str, *, request_id: str = "") -> Response[models.History]:
        """Show what was recorded of an upgrade, to draw it to scale and to replay it.

        `GET /api/v1/upgrades/{id}/history`.
        """
        return await self._send(_UPGRADE_HISTORY, path={"id": id}, request_id=request_id)

    async def upgrade_quarantine(
        self, id: str, *, request_id: str = ""
    ) -> Response[models.QuarantinedResourcePage]:
        """List what could not be carried over.

        `GET /api/v1/upgrades/{id}/quarantine`.
        """
        return await self._send(_UPGRADE_QUARANTINE, path={"id": id}, request_id=request_id)

    async def upgrade_removals(self, id: str, *, request_id: str = "") -> Response[models.RemovalPage]:
        """List what the new version does not have: how much is stored, who calls it, and who accepted
        it.

        `GET /api/v1/upgrades/{id}/removals`.
        """
        return await self._send(_UPGRADE_REMOVALS, path={"id": id}, request_id=request_id)

    async def upgrade_report(
        self, id: str, *, as_: Literal["json", "md"] | None = None, request_id: str = ""
    ) -> Response[Any]:
        """Tell everything about an upgrade in one document.

        `GET /api/v1/upgrades/{id}/report`.
        """
        return await self._send(_UPGRADE_REPORT, path={"id": id}, query={"as": as_}, request_id=request_id)

    async def upgrade_run_sheet(
        self,
        id: str,
        *,
        as_: Literal["html", "md"] | None = None,
        at: datetime | str | None = None,
        request_id: str = "",
    ) -> Response[str]:
        """Give the run sheet as of a moment as a signed file; that it was shared is noted in the audit
        log.

        `GET /api/v1/upgrades/{id}/run-sheet`.
        """
        return await self._send(
            _UPGRADE_RUN_SHEET, path={"id": id}, query={"as": as_, "at": at}, request_id=request_id
        )

    async def upgrade_samples(self, id: str, *, request_id: str = "") -> Response[models.Samples]:
        """Give the curves.

        `GET /api/v1/upgrades/{id}/samples`.
        """
        return await self._send(_UPGRADE_SAMPLES, path={"id": id}, request_id=request_id)

    async def upgrades(
        self,
        *,
        count: Literal["estimate", "exact"] | None = None,
        cursor: str | None = None,
        deployment: str | None = None,
        deployment__in: str | None = None,
        from_version: str | None = None,
        from_version__in: str | None = None,
        kind: str | None = None,
        kind__in: str | None = None,
        limit: int | None = None,
        live: str | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        sort: Literal[
            "-created_at",
            "-deployment",
            "-finished_at",
            "-started_at",
            "-state",
            "created_at",
            "deployment",
            "finished_at",
            "started_at",
            "state",
        ]
        | None = None,
        stalled: str | None = None,
        state: str | None = None,
        state__in: str | None = None,
        to_version: str | None = None,
        to_version__in: str | None = None,
        request_id: str = "",
    ) -> Response[models.UpgradePage]:
        """List upgrades, newest first or as `sort` says.

        `GET /api/v1/upgrades`.
        """
        return await self._send(
            _UPGRADES,
            query={
                "count": count,
                "cursor": cursor,
                "deployment": deployment,
                "deployment__in": deployment__in,
                "from_version": from_version,
                "from_version__in": from_version__in,
                "kind": kind,
                "kind__in": kind__in,
                "limit": limit,
                "live": live,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "sort": sort,
                "stalled": stalled,
                "state": state,
                "state__in": state__in,
                "to_version": to_version,
                "to_version__in": to_version__in,
            },
            request_id=request_id,
        )

    def iter_upgrades(
        self,
        *,
        count: Literal["estimate", "exact"] | None = None,
        deployment: str | None = None,
        deployment__in: str | None = None,
        from_version: str | None = None,
        from_version__in: str | None = None,
        kind: str | None = None,
        kind__in: str | None = None,
        limit: int | None = None,
        live: str | None = None,
        q: str | None = None,
        region: str | None = None,
        region__in: str | None = None,
        service: str | None = None,
        service__in: str | None = None,
        sort: Literal[
            "-created_at",
            "-deployment",
            "-finished_at",
            "-started_at",
            "-state",
            "created_at",
            "deployment",
            "finished_at",
            "started_at",
            "state",
        ]
        | None = None,
        stalled: str | None = None,
        state: str | None = None,
        state__in: str | None = None,
        to_version: str | None = None,
        to_version__in: str | None = None,
        request_id: str = "",
    ) -> AsyncIterator[models.UpgradeSummary]:
        """Give every item of `upgrades`, page after page."""
        return self._pages(
            _UPGRADES,
            query={
                "count": count,
                "deployment": deployment,
                "deployment__in": deployment__in,
                "from_version": from_version,
                "from_version__in": from_version__in,
                "kind": kind,
                "kind__in": kind__in,
                "limit": limit,
                "live": live,
                "q": q,
                "region": region,
                "region__in": region__in,
                "service": service,
                "service__in": service__in,
                "sort": sort,
                "stalled": stalled,
                "state": state,
                "state__in": state__in,
                "to_version": to_version,
                "to_version__in": to_version__in,
            },
            request_id=request_id,
        )
