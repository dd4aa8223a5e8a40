"""What webhooks are told: the names of events, whom each concerns, and the signature of a message."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from fnmatch import fnmatchcase
from urllib.parse import quote

from migrations_app.control.approval_policies.repository.approvals import policy_of
from migrations_app.domain.events import Event
from migrations_app.domain.switch.words import count, where
from migrations_app.kernel.json import JsonObject
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import Upgrade

LINES = "upgrade.*"
NAMES = (
    LINES,
    "approval.changed",
    "emergency.opened",
    "policy.changed",
    "window.changed",
    "health.changed",
    "registry.changed",
    "deletion.clear",
    "usage.deadline",
    "usage.brown-out",
    "audit.entry",
)
"""What can be asked for; `LINES` are the lines of an upgrade's story, each by its kind."""

_BY_TOPIC = {
    ("approvals", "approval"): "approval.changed",
    ("approvals", "emergency"): "emergency.opened",
    ("approvals", "policy"): "policy.changed",
    ("approvals", "window"): "window.changed",
    ("fleet", "deletion"): "deletion.clear",
    ("fleet", "usage-deadline"): "usage.deadline",
    ("fleet", "brown-out"): "usage.brown-out",
    ("health", "component"): "health.changed",
    ("audit", "entry"): "audit.entry",
}
_OF_USAGE = ("usage.deadline", "usage.brown-out")
_NEEDS = {
    "upgrade": "upgrade.read",
    "health": "health.read",
    "registry": "fleet.read",
    "usage": "registry.read",
    "audit": "audit.read",
}
_REGISTRY = frozenset({"region", "service", "deployment", "resource"})


def name_of(event: Event) -> str:
    """Name an event as webhooks ask for it; nothing for what only pages need to hear."""
    if event.topic.startswith("upgrade:"):
        return f"upgrade.{(event.full or {}).get('kind', '')}" if event.kind == "line" else ""
    if event.topic == "fleet" and event.kind in _REGISTRY:
        return "registry.changed"
    return _BY_TOPIC.get((event.topic, event.kind), "")


def permission_to_hear(name: str) -> str:
    """Name the permission that receivers of such events need."""
    return _NEEDS.get(name.partition(".")[0], "approval.read")


def is_wanted(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether a webhook asked for events of this name."""
    return bool(name) and any(fnmatchcase(name, pattern) for pattern in patterns)


def place_of(event: Event) -> tuple[str, str] | None:
    """Find the service and region an event is about; None where it is about no deployment."""
    if (event.topic, event.kind) == ("fleet", "deletion"):
        service, region, _ = event.id.removeprefix("//").split("/", 2)
        return service, region
    if event.kind in ("usage-deadline", "brown-out"):
        return str((event.full or {}).get("service", "")), "*"
    upgrades = Upgrade.objects.none()
    if upgrade := _upgrade_of(event):
        upgrades = Upgrade.objects.filter(pk=upgrade)
    elif (event.topic, event.kind) == ("approvals", "approval"):
        upgrades = Upgrade.objects.filter(
            pk__in=ApprovalRequest.objects.filter(pk=event.id).values("upgrade_id")
        )
    return upgrades.values_list("service", "region").first()


def place_of_body(body: JsonObject) -> tuple[str, str] | None:
    """Find the service and region a message is about; None where it is about no deployment."""
    kind, _, key = str(body.get("link", "")).removeprefix("/").partition("/")
    if body.get("event") == "deletion.clear":
        service, region, _ = str(body.get("about", "")).removeprefix("//").split("/", 2)
        return service, region
    if body.get("event") in _OF_USAGE:
        return str(body.get("about", "")).partition("/")[0], "*"
    if kind == "approvals":
        found = ApprovalRequest.objects.filter(pk=key).values_list("upgrade__service", "upgrade__region")
        return found.first()
    return (
        Upgrade.objects.filter(pk=key if kind == "upgrades" else "").values_list("service", "region").first()
    )


def _upgrade_of(event: Event) -> str:
    """Name the upgrade that a line of a story, or a break-glass override, is about."""
    if event.topic.startswith("upgrade:"):
        return event.topic.partition(":")[2]
    return str((event.full or {}).get("upgrade_id", "")) if event.kind == "emergency" else ""


def is_within(place: tuple[str, str] | None, service: str, region: str) -> bool:
    """Tell whether an event concerns a scope; what is about no deployment concerns only those who want all."""
    if (service, region) == ("*", "*"):
        return True
    return place is not None and fnmatchcase(place[0], service) and fnmatchcase(place[1], region)


def body_of(event: Event, name: str) -> JsonObject:
    """Write the message of an event; `title` and `text` say it in words."""
    link, (title, text) = "", _words(event, name)
    if upgrade := _upgrade_of(event):
        link = f"/upgrades/{upgrade}"
    elif name == "deletion.clear":
        link = f"/refs/deletion?name={quote(event.id, safe='')}"
    elif name in _OF_USAGE:
        link = f"/versions/{said_service(event)}/usage"
    elif event.kind == "approval":
        link = f"/approvals/{event.id}"
    return {
        "event": name,
        "seq": event.seq,
        "at": event.ts.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "about": event.id,
        "link": link,
        "title": title,
        "text": text,
        "data": event.full if event.full is not None else (event.patch or {}),
    }


def said_service(event: Event) -> str:
    """Name the service that a deadline or a brown-out is of."""
    return str((event.full or {}).get("service", ""))


def _words(event: Event, name: str) -> tuple[str, str]:
    said = event.full if event.full is not None else (event.patch or {})
    if event.topic.startswith("upgrade:"):
        row = Upgrade.objects.filter(pk=event.topic.partition(":")[2]).first()
        about = f"{where(row.service, row.region)}: {row.from_version} to {row.to_version}" if row else name
        return about, str(said.get("text", ""))
    if name == "approval.changed":
        return _words_of_approval(event)
    if name == "emergency.opened" and said.get("purpose") == "sign-in":
        return (
            "Approval was overridden (break-glass)",
            f"{said.get('who')} signed in by break-glass: {said.get('reason')}",
        )
    if name == "emergency.opened":
        return _words_of_emergency(event)
    if name == "usage.deadline":
        named = said.get("clients")
        clients = (", ".join(map(str, named)) if isinstance(named, list) else "") or "no client that was seen"
        title = f"{said.get('place')} of {said.get('service')} {said.get('version')} goes on {said.get('deadline')}"
        return title, f"Used by {clients}. {said.get('note', '')}".strip()
    if name == "usage.brown-out":
        return _words_of_brown_out(said)
    if name == "deletion.clear":
        return "A deletion is free to go", f"{event.id}: {said.get('sentence', '')}"
    return name.replace(".", " "), event.id


def _words_of_brown_out(said: JsonObject) -> tuple[str, str]:
    what = f"{said.get('place')} of {said.get('service')} {said.get('version')}"
    share = f"{said.get('percent')} % of the requests that use it are refused from {said.get('begins_at')} "
    times = f"{share}until {said.get('ends_at')}; it is removed on {said.get('sunset')}."
    match said.get("state"):
        case "stopped":
            reason = f" {said['stop_reason']}" if said.get("stop_reason") else ""
            return f"Brown-out of {what} was stopped", f"{said.get('stopped_by')} stopped it.{reason}"
        case "requested":
            return (
                f"Brown-out of {what} waits for approval",
                f"It takes {said.get('approvals_asked')}. {times}",
            )
    instead = f" Use {said['replaced_by']} instead." if said.get("replaced_by") else ""
    return f"Brown-out of {what}", f"{times}{instead} {said.get('note', '')}".strip()


def _words_of_emergency(event: Event) -> tuple[str, str]:
    said = event.full or {}
    row = Upgrade.objects.filter(pk=_upgrade_of(event)).first()
    about = f": {where(row.service, row.region)}" if row else ""
    what = f"{said.get('who', 'An account')} goes on without the votes"
    if said.get("reason"):
        what += f" to {said.get('purpose')} ({said.get('ticket')}): {said['reason']}"
    return f"Approval was overridden (break-glass){about}", f"{what.rstrip('.')}. A review is owed."


def _words_of_approval(event: Event) -> tuple[str, str]:
    row = ApprovalRequest.objects.select_related("upgrade").filter(pk=event.id).first()
    if row is None:
        return "approval changed", event.id
    said = event.full or event.patch or {}
    of, state = row.upgrade, str(said.get("state", ""))
    why = f"{str(said['reason']).rstrip('.')}. " if said.get("reason") else ""
    title = f"Approval to {row.purpose} {where(of.service, of.region)}: {of.from_version} and {of.to_version}"
    words = {
        "OPEN": f"{why}{row.asked_by} asks for {count(policy_of(row.policy).total, 'approval')}.",
        "CHANGES": "Changes are asked for.",
        "APPROVED": "It is approved.",
    }
    return title, words.get(state, row.closed_reason or f"It is {state.lower()}.")


def signature(secrets: Sequence[str], at: int, body: bytes) -> str:
    """Sign a message with each secret that is valid: `t=…,v1=…` (two `v1` while a secret is being changed)."""
    signed = f"{at}.".encode() + body
    marks = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    return ",".join([f"t={at}", *(f"v1={mark}" for mark in marks)])
