"""The progress and the figures of an upgrade as every surface shows them."""

from __future__ import annotations

from migrations_app.control.upgrade_state.repository.snapshots import Stall, UpgradeSnapshot
from migrations_app.domain.switch.blockages import Blockage
from migrations_app.domain.switch.progress import UpgradeProgress
from migrations_app.domain.switch.write_slowdown import WriteSlowdown
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.wordings import phrases_as_json, wording_as_json


def progress_as_json(progress: UpgradeProgress) -> JsonObject:
    """Give the progress as the API shows it."""
    eta: JsonObject | None = None
    if progress.eta.low_seconds is not None and progress.eta.high_seconds is not None:
        eta = {"low_seconds": progress.eta.low_seconds, "high_seconds": progress.eta.high_seconds}
    reported = progress.reported_at
    return {
        "copied": progress.copied,
        "total": progress.total,
        "total_is_minimum": progress.total_is_minimum,
        "percent": progress.percent,
        "rate_per_second": progress.rate_per_second,
        "eta": eta,
        "eta_reason": str(progress.eta.reason),
        "eta_reason_phrases": phrases_as_json(progress.eta.reason.phrases),
        "lag_seconds": progress.lag_seconds,
        "unknown_shards": progress.unknown,
        "oldest_report_at": reported.isoformat().replace("+00:00", "Z") if reported else None,
    }


def figures_as_json(of: UpgradeSnapshot) -> JsonObject:
    """Give the figures of an upgrade with their age, as every surface shows them that has no room for more."""
    progress, reported = of.progress, of.progress.reported_at
    return {
        "ready": progress.ready,
        "total": of.row.shard_count,
        "percent": progress.percent,
        "lag_seconds": progress.lag_seconds,
        "unknown_shards": progress.unknown,
        "oldest_report_at": reported.isoformat().replace("+00:00", "Z") if reported else None,
        "blocked": bool(of.blockages or of.stall),
    }


def stall_as_json(stall: Stall | None) -> JsonObject | None:
    """Give a stall as the API shows it."""
    if stall is None:
        return None
    return {
        "since": stall.since.isoformat().replace("+00:00", "Z"),
        "shards": list(stall.shards),
        "sentence": stall.sentence,
        "causes": list(stall.causes),
    }


def slowdown_as_json(slowdown: WriteSlowdown | None) -> JsonObject | None:
    """Give the slowing of copies and comparisons as the API shows it."""
    if slowdown is None:
        return None
    return {
        "sentence": slowdown.sentence,
        **wording_as_json(slowdown.phrases, ()),
        "since": slowdown.since.isoformat().replace("+00:00", "Z"),
        "reported_at": slowdown.reported_at.isoformat().replace("+00:00", "Z"),
    }


def blockage_as_json(blockage: Blockage) -> JsonObject:
    """Give a cause as the API shows it."""
    since = blockage.since.isoformat().replace("+00:00", "Z") if blockage.since else None
    return {
        "kind": blockage.kind.value,
        "sentence": blockage.sentence,
        "since": since,
        "remedy": blockage.remedy,
        "needs_person": blockage.needs_person,
        **wording_as_json(blockage.phrases, blockage.remedy_phrases),
    }
