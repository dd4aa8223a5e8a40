"""A registry as its Meta API gives it: requests, watches and errors, over whatever transport."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

from migrations_app.domain.registry.env import EnvMessage
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.kernel import json
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Denied,
    DryRunRefused,
    Invalid,
    Missing,
    Stale,
    SwitchyardError,
    Violation,
    error_class,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message, verbatim
from migrations_app.ports.regions.registry_transport import RegistryTransport

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


class MetaClient:
    """`ports.registry.RegistryClient` over the Meta API."""

    def __init__(self, transport: RegistryTransport) -> None:
        self._transport = transport
        self._has_dry_runs: bool | None = None

    def read(self, kind: RegistryKind, name: str) -> JsonObject | None:
        """Read one document; None when it does not exist.

        Raises: Busy (`registry-unavailable`), Denied.
        """
        try:
            return self.ask("GET", name)
        except Missing:
            return None

    def create(self, kind: RegistryKind, body: JsonObject) -> None:
        """Create one.

        Raises: what the registry refuses.
        """
        self.ask("POST", str(body["name"]).rpartition("/")[0], body)

    def update(
        self,
        kind: RegistryKind,
        name: str,
        body: JsonObject,
        mask: tuple[str, ...],
        expected: JsonObject,
        looked_at: str,
    ) -> None:
        """Write the masked fields when the fields `looked_at` are still as `expected` has them.

        Raises: Stale (`compare-and-set`) · what the registry refuses.
        """
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
        given: JsonObject = {key: value for key, value in body.items() if value}
        return self.ask("POST", f"{deployment}:beginUpgrade" + ("?dryRun=true" if dry_run else ""), given)

    def has_dry_runs(self) -> bool:
        """Tell whether that registry knows dry runs, so that a request for one is never carried out.

        It is asked to remove what no registry has, with a word for a dry run that is none: who knows dry runs says so.
        Raises: Busy (`registry-unavailable`).
        """
        if self._has_dry_runs is None:
            try:
                self.ask("DELETE", f"regions/{NO_REGION}?dryRun=perhaps&allowMissing=true")
                self._has_dry_runs = False
            except DryRunRefused:
                self._has_dry_runs = True
            except Busy:
                raise
            except SwitchyardError:
                self._has_dry_runs = False
        return self._has_dry_runs

    def watch(self, kind: RegistryKind, token: str, stop: Event) -> Iterator[EnvMessage]:
        """Tell everything, or what changed since `token`, then every change, until `stop` is set.

        Raises: Busy (`registry-unavailable`), Denied.
        """
        options = {"type": "STATELESS"} | ({"resumeToken": token} if token else {})
        with self._transport.stream(f"{PATHS[kind]}:watch", json.encode(options)) as (status, lines):
            if status >= 400:
                raise error_of(status, b"".join(lines))
            # Without a token the stream begins with a snapshot: what was there before no longer counts.
            fresh = not token
            for line in lines:
                if stop.is_set():
                    return
                if line.strip():
                    yield read_watch_message(kind, _object(line), fresh=fresh)
                    fresh = False

    def close(self) -> None:
        """Close the connections; a watch that is open ends."""
        self._transport.close()

    def ask(self, method: str, path: str, body: Json = None, *, if_match: str = "") -> JsonObject:
        """Send one request of the Meta API, its path below `/meta/v1/`, on a condition where there is one.

        Raises: what that registry refuses, in its own words; Busy (`registry-unavailable`).
        """
        content = b"" if body is None else json.encode(body)
        status, content = self._transport.send(method, path, content, if_match=if_match)
        if status >= 400:
            raise error_of(status, content)
        return _object(content)


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


def _object(content: bytes) -> JsonObject:
    try:
        found = json.decode(content)
    except Invalid as error:
        raise unavailable(error) from error
    if not isinstance(found, dict):
        raise unavailable("it sent no JSON object")
    return found


def error_of(status: int, content: bytes) -> SwitchyardError:
    """Make the error again that a registry answered."""
    try:
        body: Any = json.decode(content)
    except Invalid:
        body = None
    if not isinstance(body, dict):
        body = {}
    kind = _ERRORS.get(body.get("code", 0))
    # What another server says stays as it said it.
    answer = str(body.get("message") or "")
    words = verbatim(answer) or message("The registry answered {status}.", status=status)
    if kind is None:
        return Busy(words, code="registry-unavailable", retry_after_seconds=1.0)
    details = {str(each.get("@type", "")).rpartition(".")[2]: each for each in body.get("details", [])}
    info = details.get("ErrorInfo", {})
    remedy = str(info.get("metadata", {}).get("remedy", ""))
    code = str(info.get("reason") or "")
    return error_class(kind, code)(
        verbatim(answer.removesuffix(remedy).rstrip()) or words,
        code=code or None,
        remedy=verbatim(remedy),
        violations=(
            *(
                Violation(str(each.get("field", "")), verbatim(str(each.get("description", ""))))
                for each in details.get("BadRequest", {}).get("fieldViolations", [])
            ),
            *(
                Violation(
                    str(each.get("subject", "")),
                    verbatim(str(each.get("description", ""))),
                    code=str(each.get("type", "")),
                )
                for each in details.get("PreconditionFailure", {}).get("violations", [])
            ),
        ),
    )


def unavailable(reason: object) -> Busy:
    """Make the error of a registry that does not answer."""
    return Busy(
        message("The registry does not answer: {answer}", answer=str(reason)),
        code="registry-unavailable",
        retry_after_seconds=1.0,
    )
