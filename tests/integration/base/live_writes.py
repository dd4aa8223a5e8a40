"""Clients that write resources of an upgrade's old version over HTTP, and what servers acknowledged to them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

import httpx

PAUSE_SECONDS = 0.02
PATIENCE_SECONDS = 120.0


class LiveWrites:
    """What several clients wrote, each to addresses of its own in turn: a new resource with each request."""

    def __init__(
        self, clients: Sequence[Sequence[str]], headers: dict[str, str], prefix: str = "live"
    ) -> None:
        self._clients, self._headers, self._prefix = clients, headers, prefix
        self._stop = threading.Event()
        self.acknowledged: dict[str, str] = {}
        """Title by the last segment of the name."""
        self.failed = 0
        """Requests without an answer, or with one that says that the server could not."""
        self.refused: list[str] = []
        """Answers that blame the client; there must be none."""

    def wait_for(self, more: int, logs: str = "") -> None:
        """Wait until so many more writes are acknowledged."""
        wanted, until = len(self.acknowledged) + more, time.monotonic() + PATIENCE_SECONDS
        while len(self.acknowledged) < wanted:
            assert time.monotonic() < until, (len(self.acknowledged), wanted, self.failed, self.refused, logs)
            time.sleep(0.05)

    @contextmanager
    def running(self) -> Iterator[LiveWrites]:
        """Write until the block ends."""
        threads = [
            threading.Thread(target=self._write, args=(number, addresses))
            for number, addresses in enumerate(self._clients)
        ]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()

    def _write(self, number: int, addresses: Sequence[str]) -> None:
        with httpx.Client(headers=self._headers, timeout=60) as client:
            for turn in count():
                if self._stop.wait(PAUSE_SECONDS):
                    return
                name, title = f"{self._prefix}-{number}-{turn}", f"Title {number} {turn}"
                address = addresses[turn % len(addresses)]
                try:
                    answer = client.post(address, params={"id": name}, json={"title": title})
                except httpx.TransportError:
                    self.failed += 1
                    continue
                if answer.status_code == 201:
                    self.acknowledged[name] = title
                elif answer.status_code >= 500:
                    self.failed += 1
                else:
                    self.refused.append(f"{answer.status_code} {answer.text}")


def listed_titles(address: str, headers: dict[str, str], field: str) -> dict[str, str]:
    """List all resources of a collection page by page: a field by the last segment of the name."""
    titles: dict[str, str] = {}
    token = ""
    while True:
        query = {"pageSize": "1000"} | ({"pageToken": token} if token else {})
        answer = httpx.get(address, headers=headers, params=query, timeout=60)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        rows = page[address.rpartition("/")[2]]
        titles |= {row["name"].rpartition("/")[2]: row.get(field, "") for row in rows}
        token = page.get("nextPageToken", "")
        if not token:
            return titles


def wait_for_upgrade(
    address: str, headers: dict[str, str], state: str, action: str = "", log: Callable[[], str] = str
) -> None:
    """Wait until an upgrade is in a state, and ask for an action until it is there; servers may be away meanwhile."""
    until, last = time.monotonic() + PATIENCE_SECONDS, ""
    while True:
        try:
            shown = httpx.get(address, headers=headers, timeout=30)
            last = shown.text
            if shown.status_code == 200 and shown.json()["state"] == state:
                return
            if action and shown.status_code == 200:
                match = headers | {"if-match": shown.headers["etag"]}
                last += httpx.post(f"{address}/{action}", headers=match, json={}, timeout=30).text
        except httpx.TransportError as error:
            last = repr(error)
        assert time.monotonic() < until, (state, last, log()[-3000:])
        time.sleep(0.2)
