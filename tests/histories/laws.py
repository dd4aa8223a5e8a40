"""The laws between the surfaces of one moment: what one shows, no other may deny."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from console.demo.history import contradictions

BETWEEN_SECONDS = 10.0
"""What may pass between the looks of one moment on a busy machine: a lag that grows may have grown by so much."""


def contradictions_between(moment: dict[str, Any]) -> list[str]:
    """Name what the surfaces of one moment say that another one denies."""
    return [*_within(moment), *_states(moment), *_figures(moment), *_causes(moment), *_text(moment)]


def _within(moment: dict[str, Any]) -> Iterator[str]:
    at = datetime.fromisoformat(moment["at"])
    yield from contradictions(moment["page"], at)
    for cause in moment["page"]["blockages"]:
        if not cause["remedy"]:
            yield f"{cause['kind']} has no remedy"
    for check in moment["page"]["readiness"]["checks"]:
        if check["remedy"] and check["verdict"] in ("pass", "skipped"):
            yield f"{check['check']} passed and names a remedy"


def _states(moment: dict[str, Any]) -> Iterator[str]:
    page = moment["page"]
    ended = page["state"] in ("COMPLETED", "ABORTED", "REVERTED")
    active = moment["deployment"]["active_upgrade"]
    shown = {"list": moment["listed"]["state"], "page": page["state"]}
    if not ended:
        shown |= {"fleet": moment["cell"]["state"], "deployment": (active or {}).get("state")}
    if moment["rollout"]:
        shown["rollout"] = moment["rollout"]["upgrade_state"]
    if len(set(shown.values())) > 1:
        yield f"the states differ: {shown}"
    if ended and (active is not None or moment["cell"]["upgrade_id"] is not None or moment["metrics"]):
        yield "it has ended and is shown as under way"


def _surfaces(moment: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give the figures of each surface under the same names."""

    def whole(upgrade: dict[str, Any]) -> dict[str, Any]:
        return {
            **upgrade["progress"],
            "ready": upgrade["shards"]["ready"],
            "total": upgrade["shards"]["total"],
        }

    surfaces = {
        "page": whole(moment["page"]),
        "list": whole(moment["listed"]),
        "live": {
            **moment["live"]["upgrade"]["progress"],
            "ready": moment["live"]["upgrade"]["shards_ready"],
            "total": moment["page"]["shards"]["total"],
        },
        "live fleet": moment["live"]["cell"],
    }
    if moment["rollout"]:
        surfaces["rollout"] = moment["rollout"]
    if moment["cell"]["upgrade_id"]:
        surfaces |= {"fleet": moment["cell"], "deployment": whole(moment["deployment"]["active_upgrade"])}
    for running in moment["overview"]["running"]:
        if running["id"] == moment["page"]["id"]:
            surfaces["overview"] = whole(running)
    if moment["metrics"]:
        surfaces["metrics"] = {
            "ready": moment["metrics"]["upgrade_shards_ready"],
            "total": moment["metrics"]["upgrade_shards"],
            "unknown_shards": moment["metrics"]["upgrade_shards_unknown"],
            "percent": moment["metrics"].get("upgrade_progress_percent"),
            "lag_seconds": moment["metrics"].get("upgrade_lag_seconds"),
        }
    return surfaces


def _figures(moment: dict[str, Any]) -> Iterator[str]:
    surfaces = _surfaces(moment)
    for figure in ("ready", "total", "percent", "unknown_shards"):
        shown = {name: surface[figure] for name, surface in surfaces.items()}
        if len(set(shown.values())) > 1:
            yield f"{figure} differs: {shown}"
    if moment["building"] and moment["building"]["percent"] != moment["page"]["progress"]["percent"]:
        yield f"percent of the index is {moment['building']['percent']}"
    lags = {name: surface["lag_seconds"] for name, surface in surfaces.items()}
    known = [lag for lag in lags.values() if lag is not None]
    if (0 < len(known) < len(lags)) or (known and max(known) - min(known) > BETWEEN_SECONDS):
        yield f"lag_seconds differs: {lags}"
    for name, surface in surfaces.items():
        # A page that shows a figure shows how old it is.
        if name != "metrics" and surface["ready"] and not surface["oldest_report_at"]:
            yield f"{name} shows figures without an age"
    if (
        moment["metrics"].get("upgrade_shards_ready")
        and "upgrade_report_age_seconds" not in moment["metrics"]
    ):
        yield "metrics show figures without an age"


def _causes(moment: dict[str, Any]) -> Iterator[str]:
    page = moment["page"]
    kinds = [cause["kind"] for cause in page["blockages"]]
    for name, upgrade in (("list", moment["listed"]), ("live", moment["live"]["upgrade"])):
        if [cause["kind"] for cause in upgrade["blockages"]] != kinds:
            yield f"{name} is held up by {[cause['kind'] for cause in upgrade['blockages']]}, the page by {kinds}"
        if (upgrade["stall"] is None) != (page["stall"] is None):
            yield f"{name} and the page do not agree whether it stalls"
    if (page["id"] in moment["stalled"]) != (page["stall"] is not None):
        yield "the list of stalled upgrades and the page do not agree"
    blocked = bool(kinds or page["stall"])
    held = {"live fleet": moment["live"]["cell"]["blocked"]}
    if moment["cell"]["upgrade_id"]:
        held["fleet"] = moment["cell"]["blocked"]
    if moment["rollout"]:
        held["rollout"] = moment["rollout"]["blocked"]
    if set(held.values()) != {blocked}:
        yield f"held up: {held}, the page: {blocked}"
    if moment["metrics"] and moment["metrics"]["upgrade_blockages"] != len(kinds):
        yield f"metrics count {moment['metrics']['upgrade_blockages']:.0f} causes of {len(kinds)}"


def _text(moment: dict[str, Any]) -> Iterator[str]:
    page, text = moment["page"], moment["text"]
    shards, progress = page["shards"], page["progress"]
    if page["sentence"] not in text:
        yield "the command line has another sentence"
    if page["started_at"] and f"{shards['ready']} of {shards['total']} shards caught up" not in text:
        yield "the command line counts other shards"
    if page["started_at"] and progress["percent"] is not None and f" {progress['percent']} % " not in text:
        yield "the command line has another percent"
    if page["started_at"] and progress["oldest_report_at"] and "reported " not in text:
        yield "the command line shows figures without an age"
    for cause in page["blockages"]:
        if cause["sentence"] not in text or cause["remedy"] not in text:
            yield f"the command line does not name {cause['kind']}"
