"""A registry over its Meta API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from threading import Event
from typing import Any

from migrations_app.adapters.egress.destinations import named_destinations
from migrations_app.adapters.egress.errors import EgressError
from migrations_app.adapters.egress.http import EgressClient
from migrations_app.adapters.egress.sockets import Deadline
from migrations_app.domain.registry.env import EnvMessage
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Denied,
    Invalid,
    Missing,
    Stale,
    SwitchyardError,
    Violation,
    error_class,
)
from migrations_app.kernel.json import Json, JsonObject

# Longer than the stream's heartbeat, so that a silent connection is known to be dead.
SILENCE_SECONDS = 25.0
ENDLESS_SECONDS = 10 * 366 * 86_400.0
MOST_BYTES = 64 * 1024 * 1024
ROOT = "/meta/v1"
NO_REGION = "no-such-region-for-dry-runs"
PATHS = {
    RegistryKind.REGION: "regions",
    RegistryKind.SERVICE: "services",
    RegistryKind.DEPLOYMENT: "services/-/deployments",
    RegistryKind.RESOURCE: "services/-/resources",
}
SINGULAR = {
    RegistryKind.REGION: "region",
    RegistryKind.SERVICE: "service",
    RegistryKind.DEPLOYMENT: "deployment",
    RegistryKind.RESOURCE: "resource",
}
# The numbers of google.rpc.Code.
_ERRORS: dict[int, type[SwitchyardError]] = {
    3: Invalid,
    5: Missing,
    6: Conflict,
    7: Denied,
    9: Conflict,
    10: Stale,
    16: Denied,
}


class HttpRegistry:
    """`ports.registry.RegistryClient` over HTTP."""

    def __init__(self, url: str, token: str, *, timeout_seconds: float = 10.0) -> None:
        self._url, self._seconds = url.rstrip("/"), max(SILENCE_SECONDS, timeout_seconds)
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        self._http = EgressClient(named_destinations([url]), keep=True)
        self._has_dry_runs: bool | None = None

    def read(self, kind: RegistryKind, name: str) -> JsonObject | None:
        try:
            return self.ask("GET", name)
        except Missing:
            return None

    def create(self, kind: RegistryKind, body: JsonObject) -> None:
        parent = str(body["name"]).rpartition("/")[0]
        self.ask("POST", parent, body)

    def update(
        self,
        kind: RegistryKind,
        name: str,
        body: JsonObject,
        mask: tuple[str, ...],
        expected: JsonObject,
        looked_at: str,
    ) -> None:
        envelope: JsonObject = {
            "resource": body,
            "updateMask": ",".join(mask),
            "cas": {"conditionalState": expected, "fieldMask": looked_at},
            "responseMask": {"skipEntireResponseBody": True},
        }
        self.ask("PUT", name, envelope)

    def begin_upgrade(self, deployment: str, target: str, ring: int, *, dry_run: bool = False) -> JsonObject:
        """Begin an upgrade of a deployment there; a dry run tells what would be refused (see `has_dry_runs`).

        Raises: what that registry refuses.
        """
        body: JsonObject = {"targetVersion": target, "totalShardsCount": ring}
        path = f"{deployment}:beginUpgrade" + ("?dryRun=true" if dry_run else "")
        return self.ask("POST", path, {key: each for key, each in body.items() if each})

    def has_dry_runs(self) -> bool:
        """Tell whether that registry knows dry runs, so that a request for one is never carried out.

        It is asked to remove what no registry has, with a word for a dry run that is none: who knows dry runs says so.
        Raises: Busy (`registry-unavailable`).
        """
        if self._has_dry_runs is None:
            try:
                self.ask("DELETE", f"regions/{NO_REGION}?dryRun=perhaps&allowMissing=true")
                self._has_dry_runs = False
            except Busy:
                raise
            except SwitchyardError as refusal:
                self._has_dry_runs = refusal.code == "dry-run"
        return self._has_dry_runs

    def watch(self, kind: RegistryKind, token: str, stop: Event) -> Iterator[EnvMessage]:
        options = {"type": "STATELESS"} | ({"resumeToken": token} if token else {})
        body = json.dumps(options).encode()
        # A watch has no end; only its silence is bounded.
        deadline = Deadline(ENDLESS_SECONDS, silence_seconds=self._seconds)
        url = f"{self._url}{ROOT}/{PATHS[kind]}:watch"
        try:
            with self._http.stream(
                "POST", url, headers=self._headers, body=body, deadline=deadline
            ) as answer:
                if answer.status >= 400:
                    raise _error(answer.status, answer.read(MOST_BYTES))
                # Without a token the stream begins with a snapshot: what was there before no longer counts.
                fresh = not token
                for line in answer.lines():
                    if stop.is_set():
                        return
                    if line.strip():
                        yield read_watch_message(kind, json.loads(line), fresh=fresh)
                        fresh = False
        except (EgressError, ValueError) as error:
            raise _away(error) from error

    def close(self) -> None:
        """Close the connections; a watch that is open ends."""
        self._http.close()

    def ask(self, method: str, path: str, body: Json = None, *, if_match: str = "") -> JsonObject:
        """Send one request of the Meta API, its path below `/meta/v1/`, on a condition where there is one.

        Raises: what that registry refuses, in its own words; Busy (`registry-unavailable`).
        """
        content = b"" if body is None else json.dumps(body).encode()
        headers = self._headers | ({"if-match": if_match} if if_match else {})
        try:
            answer = self._http.request(
                method,
                f"{self._url}{ROOT}/{path}",
                headers=headers,
                body=content,
                deadline=Deadline(self._seconds),
                most_bytes=MOST_BYTES,
            )
            if answer.status >= 400:
                raise _error(answer.status, answer.body)
            found: JsonObject = json.loads(answer.body)
        except (EgressError, ValueError) as error:
            raise _away(error) from error
        return found


def read_watch_message(kind: RegistryKind, message: dict[str, Any], *, fresh: bool = False) -> EnvMessage:
    """Read one message of a watch; `fresh` says that a snapshot begins with it."""
    size = int(message.get("snapshotSize", -1))
    upserted: dict[str, JsonObject] = {}
    removed: list[str] = []
    for change in message.get(f"{SINGULAR[kind]}Changes", []):
        for what in ("added", "modified", "current"):
            if what in change:
                document = change[what][SINGULAR[kind]]
                upserted[document["name"]] = document
        if "removed" in change:
            removed.append(change["removed"]["name"])
    return EnvMessage(
        upserted,
        tuple(removed),
        message.get("isCurrent", False),
        message.get("resumeToken", ""),
        size if size >= 0 else None,
        message.get("isSoftReset", False),
        fresh or message.get("isHardReset", False),
    )


def _error(status: int, content: bytes) -> SwitchyardError:
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    kind = _ERRORS.get(body.get("code", 0))
    message = str(body.get("message") or f"The registry answered {status}.")
    if kind is None:
        return Busy(message, code="registry-unavailable", retry_after_seconds=1.0)
    details = {str(each.get("@type", "")).rpartition(".")[2]: each for each in body.get("details", [])}
    info = details.get("ErrorInfo", {})
    remedy = str(info.get("metadata", {}).get("remedy", ""))
    code = str(info.get("reason") or "")
    return error_class(kind, code)(
        message.removesuffix(remedy).rstrip() if remedy else message,
        code=code or None,
        remedy=remedy,
        violations=(
            *(
                Violation(str(each.get("field", "")), str(each.get("description", "")))
                for each in details.get("BadRequest", {}).get("fieldViolations", [])
            ),
            *(
                Violation(*(str(each.get(key, "")) for key in ("subject", "description", "", "type")))
                for each in details.get("PreconditionFailure", {}).get("violations", [])
            ),
        ),
    )


def _away(error: Exception) -> Busy:
    return Busy(
        f"The registry does not answer: {error}", code="registry-unavailable", retry_after_seconds=1.0
    )


registry_at = cache(HttpRegistry)
"""Gives the one registry at an address, for a token."""
