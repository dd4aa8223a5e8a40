"""A registry over its Meta API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Event
from typing import Any

import httpx

from migrations_app.domain.registry.env import Told
from migrations_app.domain.registry.names import Kind
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Denied,
    Invalid,
    Missing,
    Stale,
    SwitchyardError,
    Violation,
)
from migrations_app.kernel.json import Json, JsonObject

# Longer than the stream's heartbeat, so that a silent connection is known to be dead.
SILENCE_SECONDS = 25.0
ROOT = "/meta/v1"
PATHS = {
    Kind.REGION: "regions",
    Kind.SERVICE: "services",
    Kind.DEPLOYMENT: "services/-/deployments",
    Kind.RESOURCE: "services/-/resources",
}
SINGULAR = {
    Kind.REGION: "region",
    Kind.SERVICE: "service",
    Kind.DEPLOYMENT: "deployment",
    Kind.RESOURCE: "resource",
}
_ERRORS: dict[str, type[SwitchyardError]] = {
    "INVALID_ARGUMENT": Invalid,
    "UNAUTHENTICATED": Denied,
    "PERMISSION_DENIED": Denied,
    "NOT_FOUND": Missing,
    "ALREADY_EXISTS": Conflict,
    "FAILED_PRECONDITION": Conflict,
    "ABORTED": Stale,
}


class HttpRegistry:
    """`ports.registry.RegistryDoor` over HTTP."""

    def __init__(self, url: str, token: str, *, timeout_seconds: float = 10.0) -> None:
        self._http = httpx.Client(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {token}"},
            timeout=httpx.Timeout(timeout_seconds, read=max(SILENCE_SECONDS, timeout_seconds)),
            trust_env=False,
            follow_redirects=False,
        )

    def read(self, kind: Kind, name: str) -> JsonObject | None:
        try:
            return self.ask("GET", name)
        except Missing:
            return None

    def create(self, kind: Kind, body: JsonObject) -> None:
        parent = str(body["name"]).rpartition("/")[0]
        self.ask("POST", parent, body)

    def update(
        self,
        kind: Kind,
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

    def begin_upgrade(self, deployment: str, target: str, ring: int) -> JsonObject:
        """Begin an upgrade of a deployment there.

        Raises: what that registry refuses.
        """
        body: JsonObject = {"targetVersion": target, "totalShardsCount": ring}
        return self.ask(
            "POST", f"{deployment}:beginUpgrade", {key: each for key, each in body.items() if each}
        )

    def watch(self, kind: Kind, token: str, stop: Event) -> Iterator[Told]:
        body = {"resumeToken": token} if token else {}
        try:
            with self._http.stream("POST", f"{ROOT}/{PATHS[kind]}:watch", json=body) as answer:
                if answer.status_code >= 400:
                    answer.read()
                    raise _error(answer)
                for line in answer.iter_lines():
                    if stop.is_set():
                        return
                    if line:
                        yield told(kind, json.loads(line))
        except (httpx.HTTPError, ValueError) as error:
            raise _away(error) from error

    def close(self) -> None:
        """Close the connections; a watch that is open ends."""
        self._http.close()

    def ask(self, method: str, path: str, body: Json = None) -> JsonObject:
        """Send one request of the Meta API, its path below `/meta/v1/`.

        Raises: what that registry refuses, in its own words; Busy (`registry-away`).
        """
        try:
            answer = self._http.request(method, f"{ROOT}/{path}", json=body)
        except httpx.HTTPError as error:
            raise _away(error) from error
        if answer.status_code >= 400:
            raise _error(answer)
        found: JsonObject = answer.json()
        return found


def told(kind: Kind, message: dict[str, Any]) -> Told:
    """Read one message of a watch."""
    upserted: dict[str, JsonObject] = {}
    removed: list[str] = []
    for change in message.get(f"{SINGULAR[kind]}Changes", []):
        for what in ("added", "modified", "current"):
            if what in change:
                document = change[what][SINGULAR[kind]]
                upserted[document["name"]] = document
        if "removed" in change:
            removed.append(change["removed"]["name"])
    return Told(
        upserted,
        tuple(removed),
        message.get("isCurrent", False),
        message.get("resumeToken", ""),
        message.get("snapshotSize"),
        message.get("isSoftReset", False),
        message.get("isHardReset", False),
    )


def _error(answer: httpx.Response) -> SwitchyardError:
    try:
        body = answer.json()
    except ValueError:
        body = {}
    kind = _ERRORS.get(str(body.get("status", "")))
    message = str(body.get("message") or f"The registry answered {answer.status_code}.")
    if kind is None:
        return Busy(message, code="registry-away", retry_after_seconds=1.0)
    return kind(
        message,
        code=str(body.get("reason") or "") or None,
        remedy=str(body.get("remedy") or ""),
        violations=tuple(
            Violation(*(str(each.get(key, "")) for key in ("path", "message", "remedy", "code")))
            for each in body.get("errors", [])
        ),
    )


def _away(error: Exception) -> Busy:
    return Busy(f"The registry does not answer: {error}", code="registry-away", retry_after_seconds=1.0)
