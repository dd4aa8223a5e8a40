"""Talks to the console's REST API by `switchyard_client`: token, problems, preconditions and repeated requests."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.cli.exit_codes import USAGE, exit_code_of
from switchyard_client.errors import ApiError, ClientError, OperationFailed, TimedOut, WaitTimedOut
from switchyard_client.plain_client import PlainClient
from switchyard_client.retries import RetryPolicy

if TYPE_CHECKING:
    import httpx

    from switchyard_client.client import Client

DEFAULT_URL = "http://127.0.0.1:8000"
RUNNING = "See whether it runs, or name another one: `swy login URL`, or SWITCHYARD_URL."
RETRIES = RetryPolicy(attempts=3, patience_seconds=10.0)
"""A person waits for the answer: a moment's refusal is got over, and more is told."""


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


class WrongCall(ConsoleProblem):
    """The command, a setting or a file of it is wrong: nothing was sent."""

    def __init__(self, detail: str, remedy: str) -> None:
        super().__init__(0, {"detail": detail, "remedy": remedy, "code": "usage"})

    @property
    def exit_code(self) -> int:
        """Tell what `swy` exits with."""
        return USAGE


def problem_of(error: ClientError) -> ConsoleProblem:
    """Tell what went wrong as a problem, also where there was no answer."""
    if isinstance(error, ApiError):
        return ConsoleProblem(error.status, dict(error.body))
    if isinstance(error, OperationFailed):
        return ConsoleProblem(409, dict(error.body))
    if isinstance(error, TimedOut | WaitTimedOut):
        return ConsoleProblem(0, {"detail": str(error), "code": "timeout"})
    return ConsoleProblem(0, {"detail": str(error), "code": "unavailable", "remedy": RUNNING})


def _problem_in(content: bytes) -> dict[str, Any]:
    """Read the problem that a refusal holds; what is no JSON object tells nothing."""
    try:
        found = json.loads(content)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class ConsoleResponse:
    """A successful answer."""

    body: Any
    tag: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class ConsoleCredentials:
    """Where the console is, and the token that speaks for an account."""

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
        kept = _kept_credentials()
    url = os.environ.get("SWITCHYARD_URL") or kept.get("url") or DEFAULT_URL
    return ConsoleCredentials(
        checked_url(url, "SWITCHYARD_URL" if os.environ.get("SWITCHYARD_URL") else str(credentials_file())),
        os.environ.get("SWITCHYARD_TOKEN") or kept.get("token") or "",
    )


def _kept_credentials() -> dict[str, str]:
    kept = _problem_in(credentials_file().read_bytes())
    if not kept:
        raise WrongCall(f"{credentials_file()} cannot be read.", "Use `swy login`, which writes it again.")
    return kept


def checked_url(url: str, place: str) -> str:
    """Let the address of a console pass; the place is where it was given.

    Raises: WrongCall.
    """
    if not re.match(r"https?://[^/]", url):
        raise WrongCall(f"{place}: {url!r} is no address of a console.", f"Write it as {DEFAULT_URL}.")
    return url


def keep_credentials(credentials: ConsoleCredentials) -> None:
    """Keep them for later, readable by their owner alone."""
    path = credentials_file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    path.write_text(json.dumps({"url": credentials.url, "token": credentials.token}))


class ConsoleClient:
    """One console, seen as one account: addresses and plain values."""

    def __init__(self, credentials: ConsoleCredentials, transport: httpx.BaseTransport | None = None) -> None:
        self._credentials, self._transport = credentials, transport
        self.plain = PlainClient(
            credentials.url, credentials.token, user_agent="swy", retries=RETRIES, transport=transport
        )

    def __del__(self) -> None:
        plain = getattr(self, "plain", None)
        if plain is not None:
            plain.close()

    @property
    def http(self) -> httpx.Client:
        """Give what streams are read with."""
        return self.plain.http

    def typed(self) -> Client:
        """Give the client that has the operations and their types; importing it takes its time."""
        from switchyard_client.client import Client

        url, token = self._credentials.url, self._credentials.token
        return Client(url, token, user_agent="swy", retries=RETRIES, transport=self._transport)

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
        query = {name: value for name, value in (params or {}).items() if value not in (None, "")}
        if dry_run:
            query["dry_run"] = True
        try:
            answer = self.plain.request(
                method, path, query=query, body=body if method != "GET" else None, if_match=tag
            )
        except ClientError as error:
            raise problem_of(error) from error
        return ConsoleResponse(answer.value, answer.etag, answer.status, answer.location)

    def download(self, path: str, **params: Any) -> Iterator[bytes]:
        """Read a file of any size, piece by piece as it comes.

        Raises: ConsoleProblem, also when it breaks off.
        """
        import httpx

        try:
            with self.http.stream("GET", path, params=params, headers={"Accept": "*/*"}) as answer:
                if answer.status_code >= 400:
                    raise ConsoleProblem(answer.status_code, _problem_in(answer.read()))
                yield from answer.iter_bytes()
        except httpx.HTTPError as error:
            detail = f"The answer of {self.http.base_url} broke off: {error}."
            raise ConsoleProblem(0, {"detail": detail, "code": "unavailable", "remedy": RUNNING}) from error

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
