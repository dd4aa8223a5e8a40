"""A client of the resource API: resources of one deployment, in whatever version."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote

import httpx

from migrations_app.kernel import json
from migrations_app.kernel.errors import Busy, Stale
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.regions.peer_requests import error_of

CONNECT_SECONDS = 5.0
UNCERTAIN = ("peer-silent", "resources-unavailable")
"""Codes of errors after which a write may have happened."""


class ResourceClient:
    """Reads and writes resources of one deployment with a token of an account.

    A write that is refused for a moment, as while a version switches, is sent again until `seconds` are over. One that
    may have happened is not: its error says so.
    """

    def __init__(self, url: str, token: str, service: str, region: str, *, seconds: float = 20.0) -> None:
        self._seconds = seconds
        self._http = httpx.Client(
            base_url=f"{url.rstrip('/')}/apis/{region}/{service}/",
            headers={"authorization": f"Bearer {token}", "accept": "application/problem+json"},
            timeout=httpx.Timeout(seconds, connect=CONNECT_SECONDS),
            trust_env=False,
        )

    def get(self, version: str, name: str) -> JsonObject:
        """Read a resource.

        Raises: Missing (`not-found`), Denied, Busy.
        """
        return self._send("GET", f"{version}/{name}")[0]

    def list(self, version: str, collection: str, **parameters: str) -> Iterator[JsonObject]:
        """Read a collection such as `projects/p/devices`, page by page.

        Raises: Invalid for parameters that the server refuses, Denied, Busy.
        """
        token = ""
        while True:
            given = parameters | ({"pageToken": token} if token else {})
            page, _ = self._send("GET", f"{version}/{collection}", parameters=given)
            rows = next((value for value in page.values() if isinstance(value, list)), [])
            yield from (row for row in rows if isinstance(row, dict))
            token = str(page.get("nextPageToken", ""))
            if not token:
                return

    def create(self, version: str, collection: str, id: str, body: JsonObject) -> JsonObject:
        """Create a resource.

        Raises: Conflict (`already-exists`), Invalid, Denied, Busy.
        """
        return self._send("POST", f"{version}/{collection}", body, {"id": id})[0]

    def update(self, version: str, name: str, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
        """Change a resource: `change` gets it and gives the fields to set; again when another writer was first.

        Raises: Missing (`not-found`), Invalid, Denied, Busy.
        """
        until = time.monotonic() + self._seconds
        while True:
            resource, tag = self._send("GET", f"{version}/{name}")
            try:
                return self._send("PATCH", f"{version}/{name}", change(resource), tag=tag)[0]
            except Stale:
                if time.monotonic() > until:
                    raise

    def delete(self, version: str, name: str) -> None:
        """Delete a resource.

        Raises: Missing (`not-found`), Conflict (`deletion-blocked`), Denied, Busy.
        """
        self._send("DELETE", f"{version}/{name}")

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _send(
        self,
        method: str,
        path: str,
        body: Json = None,
        parameters: Mapping[str, str] | None = None,
        tag: str = "",
    ) -> tuple[JsonObject, str]:
        until = time.monotonic() + self._seconds
        while True:
            try:
                return self._send_once(method, path, body, parameters or {}, tag)
            except Busy as error:
                uncertain = method != "GET" and error.code in UNCERTAIN
                if uncertain or time.monotonic() + error.retry_after_seconds > until:
                    raise
                time.sleep(error.retry_after_seconds)

    def _send_once(
        self, method: str, path: str, body: Json, parameters: Mapping[str, str], tag: str
    ) -> tuple[JsonObject, str]:
        headers = {"content-type": "application/json"} | ({"if-match": tag} if tag else {})
        content = None if body is None else json.encode(body)
        try:
            answer = self._http.request(
                method, quote(path, safe="/:"), content=content, params=dict(parameters), headers=headers
            )
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise Busy(f"The resource API is not reached: {error}", code="resources-unreached") from error
        except httpx.HTTPError as error:
            raise Busy(f"The resource API does not answer: {error}", code="resources-unavailable") from error
        found = json.decode(answer.content) if answer.content else {}
        document = found if isinstance(found, dict) else {}
        if answer.status_code >= 400:
            refused = error_of(answer.status_code, document)
            if isinstance(refused, Busy):
                refused.retry_after_seconds = _seconds(answer.headers.get("retry-after", ""))
            raise refused
        return document, answer.headers.get("etag", "")


def _seconds(text: str) -> float:
    return float(text) if text.isdigit() else 1.0
