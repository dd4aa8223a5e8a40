"""Policies and windows made from the values that their rows, and the copies that requests keep, store."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from migrations_app.domain.approvals.about import about_from
from migrations_app.domain.approvals.policy import ApprovalStage, Policy, Purpose, Scope
from migrations_app.domain.approvals.windows import Effect, WindowSpan


def policy_from(values: Mapping[str, Any]) -> Policy:
    """Make a policy; copies of before it had stages or conditions lack those values."""
    return Policy(
        name=values["name"],
        purpose=Purpose(values["purpose"]),
        scope=Scope(values["service"], values["region"], values["environment"]),
        needed=values["needed"],
        group=values["group"],
        last_approver_may_run=values["last_approver_may_run"],
        expires_seconds=values["expires_seconds"],
        critical=values["critical"],
        window_needed=values["window_needed"],
        break_glass_group=values["break_glass_group"],
        then=tuple(ApprovalStage(stage["group"], stage["needed"]) for stage in values.get("then", ())),
        free_seconds=values.get("free_seconds", 0),
        about=about_from(values.get("about") or {}),
        void_when_worse=values.get("void_when_worse", False),
    )


def window_from(values: Mapping[str, Any]) -> WindowSpan:
    """Make a window or freeze."""
    return WindowSpan(
        name=values["name"],
        effect=Effect(values["effect"]),
        zone=values["zone"],
        scope=Scope(values["service"], values["region"], values["environment"]),
        cron=values["cron"],
        minutes=values["minutes"],
        starts=_local_time(values["starts"]),
        ends=_local_time(values["ends"]),
        reason=values["reason"],
        overrun_minutes=values["overrun_minutes"],
        overriders=tuple(values["overriders"]),
    )


def _local_time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
