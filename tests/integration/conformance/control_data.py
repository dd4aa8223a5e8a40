"""Rows that fill the lists which `furnish` leaves empty, and the states in which valid requests are accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.utils import timezone

from migrations_app.control.approvals.repository.rounds import freshen
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.evidence.definition_reviews import DefinitionReview
from migrations_app.models.evidence.retirements import BrownOutRefusal, VersionRetirement
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.registry import Service
from migrations_app.models.rollouts import DefinitionRollout, Rollout
from migrations_app.models.sync import QuarantineEntry
from migrations_app.models.upgrades import Upgrade, UpgradeSample
from migrations_app.models.work import Work
from migrations_app.ports.upgrades import ShardReport, ShardState, TimelineEntry
from tests.factories.reports import keep_new
from tests.integration.compatibility.test_removed_fields import FILES
from tests.integration.upgrades.conftest import SERVICE, define
from tests.integration.upgrades.scope_requests import ALL, EU

UPGRADES = DjangoUpgrades()
DEPLOYMENT = f"services/{SERVICE}/deployments/{EU}"
QUERIES: Mapping[str, str] = {
    "GET /api/v1/policies/explain": f"?deployment={DEPLOYMENT}&purpose=switch",
    "GET /api/v1/rollouts/proposals": f"?target_version=v1&services={SERVICE}",
    "GET /api/v1/rollouts/targets": f"?deployments={DEPLOYMENT}",
    "GET /api/v1/services/{name}/compatibility": "?before=v1alpha2&after=v1",
    "GET /api/v1/services/{name}/compatibility/lines": "?before=v1alpha2&after=v1",
    "GET /api/v1/services/{name}/compatibility/removedFields": "?before=v1&after=v2",
    "GET /api/v1/services/{name}/usage/keys": "?version=v1alpha2",
    "GET /api/v1/services/{name}/usage/places": "?version=v1alpha2",
    "GET /api/v1/windows/ahead": f"?deployment={DEPLOYMENT}",
    "GET /api/v1/windows/explain": f"?deployment={DEPLOYMENT}",
    "DELETE /api/v1/upgrades/{id}/ask": "?action=switch",
}
FORMS: Mapping[str, tuple[str, ...]] = {
    "GET /api/v1/audit/export": ("?as=csv", "?as=jsonl"),
    "GET /api/v1/upgrades": ("?count=true",),
    "GET /api/v1/upgrades/{id}/report": ("?as=markdown",),
    "GET /api/v1/upgrades/{id}/run-sheet": ("?as=md", "?as=pdf"),
}
"""Queries that change the form of an answer; each is requested beside the plain one."""


DECISION: dict[str, Any] = {
    "version": "v1", "rule": "key-removed", "path": "Secret.note", "change": "optional → unknown (request)",
    "verdict": "refused", "reasons": ["3 of 3 stored resources hold it"], "steps": ["server: optional→unknown"],
    "phases": [{"side": "client", "action": "Clients stop sending it.", "wait": "", "lacking": []}],
    "advice": "Deprecate it.", "places": ["Secret.note"], "readers": [], "receivers": [], "newest_evidence": "2026-01-02",
    "stored": [{"kind": "holding", "resources": 3, "of": 3, "looked_at": 3, "by": "count", "at_most": 3}],
    "senders": [{"client": "ann", "release": "", "messages": 3, "last_seen_on": "2026-01-02"}],
    "evidence_is_old": False, "waiver": None,
}  # fmt: skip
"""A decision on a change in place, as it is kept."""


ADDRESSES = {
    "GET /api/v1/services/{name}/compatibility/removedFields": "/api/v1/services/nodes.example.com/compatibility/removedFields"
}
"""Operations that are asked of another resource than the one of all others, because theirs has nothing to list."""


def furnish_more(ids: Mapping[str, Mapping[str, Any]]) -> None:
    """Make one of each thing that `furnish` leaves out."""
    now, upgrade = timezone.now(), ids[EU]["upgrades"]
    apply_service(SYSTEM, FILES)
    VersionRetirement.objects.create(
        service=SERVICE, version="v1alpha2", retires_on=date(2027, 1, 1), set_by="root", set_at=now
    )
    BrownOutRefusal.objects.create(
        brown_out_id="b1", day=now.date(), region=EU, method="Secret.update", client="ann", release="", count=3,
        last_seen=now,
    )  # fmt: skip
    DefinitionReview.objects.create(
        service=SERVICE, fingerprint="f1", outcome="applied", by="root", at=now, decisions=[DECISION]
    )
    Work.objects.create(controller="sync", key=EU, epoch=1, holder="w1", settled_at=now)
    QuarantineEntry.objects.create(
        upgrade=upgrade, direction="forward", shard=0, type="Secret", name="x", revision=1, error="no"
    )
    UpgradeSample.objects.create(upgrade_id=upgrade, at=now, ready=15, lag_p50=0.1, lag_p95=0.2, lag_max=0.3)
    UsageCount.objects.create(
        day=now.date(), service=SERVICE, version="v1alpha2", region=EU, method="get", path="name", state="value",
        client="ann", release="", count=3, first_seen=now, last_seen=now,
    )  # fmt: skip
    for state in (ShardState.REGRESSED, ShardState.READY):
        UPGRADES.report_shard(upgrade, ShardReport(0, state, "follow", copied=1, total=1, lag_seconds=0.1))


def _same_plan(ids: Mapping[str, Any]) -> None:
    """Give the service the definition that the upgrades were planned with, and the request the evidence of now."""
    define("f1")
    freshen(ids[EU]["approvals"])


def _heard(ids: Mapping[str, Any]) -> None:
    """Let what was reported be of now: old reports are not believed, and the requests before took their time."""
    keep_new()
    _same_plan(ids)


def _state(**fields: object) -> Callable[[Mapping[str, Any]], None]:
    def prepare(ids: Mapping[str, Any]) -> None:
        define("f1")
        Upgrade.objects.filter(pk=ids[EU]["upgrades"]).update(**fields)

    return prepare


def _switched(ids: Mapping[str, Any]) -> None:
    define("f1")
    upgrade = ids[EU]["upgrades"]
    for event in (UpgradeEvent.FREEZE, UpgradeEvent.FLIP):
        UPGRADES.transition(
            UPGRADES.load(upgrade),
            event,
            TimelineEntry(event.value, event.value),
            clear_request=event is UpgradeEvent.FLIP,
        )


def _left_behind(ids: Mapping[str, Any]) -> None:
    """Switch, with the old version not kept current."""
    _switched(ids)
    Upgrade.objects.filter(pk=ids[EU]["upgrades"]).update(downgrade_sync=False)


def _rollout(state: str) -> Callable[[Mapping[str, Any]], None]:
    def prepare(ids: Mapping[str, Any]) -> None:
        Rollout.objects.filter(pk=ids[ALL]["rollouts"]).update(state=state)

    return prepare


def _phases_run(ids: Mapping[str, Any]) -> None:
    DefinitionRollout.objects.filter(pk=ids[ALL]["definition-rollouts"]).update(state="RUNNING")


def _free(_: Mapping[str, Any]) -> None:
    """End the upgrades that hold the deployments."""
    Upgrade.objects.update(state="ABORTED", finished_at=timezone.now())


def _newer(_: Mapping[str, Any]) -> None:
    """Give the service a version after the one that retires."""
    service = Service.objects.get(pk=SERVICE)
    Service.objects.filter(pk=SERVICE).update(versions=["v2", *service.versions])


_U, _R, _A = "POST /api/v1/upgrades/{id}/", "POST /api/v1/rollouts/{id}/", "POST /api/v1/approvals/{id}/"
PREPARED: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    **{f"{_A}{act}": _same_plan for act in ("approve", "reject", "request-changes")},
    **{f"{_U}{act}": _same_plan for act in ("edit", "break-glass")},
    f"{_U}switch": _heard,
    **{f"{_U}{act}": _switched for act in ("complete", "extend", "rollback")},
    f"{_U}start": _state(state="PLANNED"),
    f"{_U}resume": _state(paused=True),
    f"{_U}enable-reverse-replication": _left_behind,
    f"{_U}settle": _state(state="HALTED"),
    f"{_R}pause": _rollout("RUNNING"),
    f"{_R}resume": _rollout("PAUSED"),
    "POST /api/v1/definition-rollouts/{id}/pause": _phases_run,
    "POST /api/v1/upgrades": _free,
    "POST /api/v1/rollouts": _free,
    "PUT /api/v1/services/{name}/versions/{version}/retirement": _newer,
}
"""What is done before a valid request, where the request would be refused as things are."""

REFUSED: Mapping[str, int] = {
    "DELETE /api/v1/deployments/{service}/{region}": 409,  # an upgrade holds it
    "DELETE /api/v1/upgrades/{id}/ask": 404,  # nothing is asked for
    "POST /api/v1/approvals/{id}/answer": 409,  # no changes are asked for
    "POST /api/v1/constraints/{service}/{region}/evictions": 409,  # the deployment answers
    "POST /api/v1/deployments/{service}/{region}/switch": 409,  # its upgrade does that
    "POST /api/v1/fleet/example": 409,  # its service has the name of one of the example's
    "POST /api/v1/rollouts/{id}/replan": 409,  # every deployment of it began
    "POST /api/v1/rollouts/{id}/retry": 409,  # no item failed
    "POST /api/v1/rollouts/{id}/rollback": 409,  # it did not begin
    "POST /api/v1/services/{name}/definition-rollouts": 409,  # the definition that is sent differs in nothing
    "POST /api/v1/services/{name}/changeWaivers": 404,  # the definition that is sent differs in nothing
    "POST /api/v1/services/{name}/waivers": 404,  # the report has no such finding
    "POST /api/v1/upgrades/{id}/request-approval": 409,  # a request is open
    "POST /api/v1/upgrades/{id}/window-override": 409,  # no window is in the way
}
"""Valid requests that the state of this scene refuses, with the status."""


def tag_of(operation: str, ids: Mapping[str, Any]) -> str:
    """Give what a request says it saw: of a vote the digest of the evidence, of all others that any state will do."""
    if operation in PREPARED and operation.startswith(_A):
        return f'"{ApprovalRequest.objects.get(pk=ids[EU]["approvals"]).digest}"'
    return '"d"' if operation.startswith("POST /api/v1/evictions/") else "*"
