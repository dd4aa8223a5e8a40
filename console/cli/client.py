"""Talks to the console's REST API over HTTP: token, problems, preconditions and repeated requests."""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from console.cli.exit_codes import exit_code_of

DEFAULT_URL = "http://127.0.0.1:8000"
TIMEOUT_SECONDS = 30.0


class ConsoleProblem(Exception):
    """An answer that is no success, as problem+json tells it."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(str(body.get("detail") or body.get("title") or status))
        self.status = status
        self.body = body

    @property
    def exit_code(self) -> int:
        """Tell what `swy` exits with."""
        # The registry's own API says its code as `reason`: `code` is the HTTP status there.
        return exit_code_of(self.status, frozenset((self.body.get("code"), self.body.get("reason"))))


@dataclass(frozen=True, slots=True)
class ConsoleResponse:
    """A successful answer."""

    body: Any
    tag: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class ConsoleCredentials:
    """Where the console is, and the token that speaks for somebody."""

    url: str = DEFAULT_URL
    token: str = ""


def credentials_file() -> Path:
    """Name the file `swy login` writes."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "switchyard" / "credentials.json"


def read_credentials() -> ConsoleCredentials:
    """Read the environment's SWITCHYARD_URL and SWITCHYARD_TOKEN, else what `swy login` kept."""
    kept: dict[str, str] = {}
    if credentials_file().is_file():
        kept = json.loads(credentials_file().read_text())
    return ConsoleCredentials(
        os.environ.get("SWITCHYARD_URL") or kept.get("url") or DEFAULT_URL,
        os.environ.get("SWITCHYARD_TOKEN") or kept.get("token") or "",
    )


def keep_credentials(credentials: ConsoleCredentials) -> None:
    """Keep them for later, readable by their owner alone."""
    path = credentials_file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    path.write_text(json.dumps({"url": credentials.url, "token": credentials.token}))


class ConsoleClient:
    """One console, seen as one account."""

    def __init__(self, credentials: ConsoleCredentials, transport: httpx.BaseTransport | None = None) -> None:
        # The registry's own API answers errors in the form of everything else only to who asks for it.
        headers = {"Accept": "application/json, application/problem+json", "User-Agent": "swy"}
        if credentials.token:
            headers["Authorization"] = f"Bearer {credentials.token}"
        self.http = httpx.Client(
            base_url=credentials.url.rstrip("/"),
            headers=headers,
            timeout=TIMEOUT_SECONDS,
            transport=transport,
            trust_env=False,
        )

    def __del__(self) -> None:
        http = getattr(self, "http", None)
        if http is not None:
            http.close()

    def get(self, path: str, **params: Any) -> Any:
        """Read; parameters that are None or empty are left out."""
        return self.ask("GET", path, params=params).body

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        params: dict[str, Any] | None = None,
        tag: str = "",
        dry_run: bool = False,
    ) -> ConsoleResponse:
        """Send a request; one that changes something carries an Idempotency-Key and, given a tag, If-Match.

        Raises: Problem.
        """
        given = {name: value for name, value in (params or {}).items() if value not in (None, "")}
        headers = {"If-Match": tag} if tag else {}
        if dry_run:
            given["dry_run"] = "true"
        elif method not in ("GET", "HEAD"):
            headers["Idempotency-Key"] = str(uuid.uuid4())
        try:
            answer = self.http.request(
                method, path, params=given, json=body if method != "GET" else None, headers=headers
            )
        except httpx.TimeoutException as error:
            detail = f"The console at {self.http.base_url} did not answer in {TIMEOUT_SECONDS:.0f} s."
            raise ConsoleProblem(0, {"detail": detail, "code": "timeout"}) from error
        except httpx.HTTPError as error:
            detail = f"The console at {self.http.base_url} does not answer: {error}."
            raise ConsoleProblem(0, {"detail": detail, "code": "away"}) from error
        if answer.status_code >= 400:
            raise ConsoleProblem(answer.status_code, _problem(answer))
        content = _content(answer)
        return ConsoleResponse(
            content, answer.headers.get("ETag", ""), answer.status_code, answer.headers.get("Location", "")
        )

    def every(self, path: str, **params: Any) -> list[Any]:
        """Read all pages of a list."""
        items: list[Any] = []
        cursor = None
        while True:
            page = self.get(path, cursor=cursor, **params)
            items += page["items"]
            cursor = page.get("next_cursor")
            if not cursor:
                return items


def _content(answer: httpx.Response) -> Any:
    """Read data as data, and what is meant for people as text."""
    if not answer.content:
        return None
    if answer.headers.get("Content-Type", "").startswith(("text/markdown", "text/plain")):
        return answer.text
    return answer.json()


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        body = None
    if isinstance(body, dict):
        return body
    return {"detail": f"The console answered {answer.status_code}.", "code": "unreadable"}
