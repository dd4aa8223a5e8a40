"""Clients that write resources of an upgrade's old version over HTTP, and what servers acknowledged to them.

`make rehearse` has them write so many times a second as REHEARSAL_WRITES says, a hundred times as much in all, and
print figures; each client repeats then what got no answer until it has one.
"""

from __future__ import annotations

import json
import os
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, pairwise

import httpx

PER_SECOND = float(os.environ.get("REHEARSAL_WRITES", "0"))
CLIENTS = 24
"""So many write in a rehearsal, where the tests have one or two."""
TIMES_AS_MANY = 100 if PER_SECOND else 1
PAUSE_SECONDS = 0.02
PATIENCE_SECONDS = 900.0 if PER_SECOND else 120.0


class LiveWrites:
    """What several clients wrote, each to addresses of its own in turn: a new resource with each request."""

    def __init__(
        self, clients: Sequence[Sequence[str]], headers: dict[str, str], prefix: str = "live"
    ) -> None:
        self._clients = [clients[n % len(clients)] for n in range(CLIENTS)] if PER_SECOND else clients
        self._pause = len(self._clients) / PER_SECOND if PER_SECOND else PAUSE_SECONDS
        self._headers, self._prefix = headers, prefix
        self._stop = threading.Event()
        self.acknowledged: dict[str, str] = {}
        """Title by the last segment of the name."""
        self.answers: list[tuple[float, float]] = []
        """When each write was acknowledged, and after how many seconds."""
        self.failed = 0
        """Requests without an answer, or with one that says that the server could not."""
        self.refused: list[str] = []
        """Answers that blame the client; there must be none."""

    def wait_for(self, more: int, logs: str = "") -> None:
        """Wait until so many more writes are acknowledged."""
        wanted = len(self.acknowledged) + more * TIMES_AS_MANY
        until = time.monotonic() + PATIENCE_SECONDS
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
        due = time.monotonic() + self._pause
        with httpx.Client(headers=self._headers, timeout=60) as client:
            for turn in count():
                if self._stop.wait(max(0.0, due - time.monotonic())):
                    return
                name, title = f"{self._prefix}-{number}-{turn}", f"Title {number} {turn}"
                is_repeat = False
                while not self._create(client, addresses[turn % len(addresses)], name, title, is_repeat):
                    is_repeat = True
                    if not PER_SECOND or self._stop.wait(PAUSE_SECONDS):
                        break
                # In a rehearsal a client that fell behind catches up on five seconds.
                due = max(due + self._pause, time.monotonic() + (-5.0 if PER_SECOND else self._pause))

    def _create(self, client: httpx.Client, address: str, name: str, title: str, is_repeat: bool) -> bool:
        """Create a resource; tell whether there was an answer that says what became of it."""
        began = time.monotonic()
        try:
            answer = client.post(address, params={"id": name}, json={"title": title})
        except httpx.TransportError:
            self.failed += 1
            return False
        if answer.status_code >= 500:
            self.failed += 1
            return False
        # The first request was carried out, and its answer got lost.
        is_there = is_repeat and answer.status_code == 409 and answer.json()["code"] == "already-exists"
        if answer.status_code == 201 or is_there:
            self.acknowledged[name] = title
            now = time.monotonic()
            self.answers.append((now, now - began))
        else:
            self.refused.append(f"{answer.status_code} {answer.text}")
        return True


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """What became of all writes, by what is listed after them."""

    lost: list[str]
    """Acknowledged, and not there or with another title."""
    duplicated: list[str]
    """Listed more than once."""


def outcome_of(
    phases: Sequence[LiveWrites], listed: Sequence[tuple[str, str]], rehearsal: str
) -> WriteOutcome:
    """Compare what was acknowledged with what is listed; in a rehearsal print figures under its name."""
    titles, times = dict(listed), Counter(name for name, _ in listed)
    acknowledged = {name: title for phase in phases for name, title in phase.acknowledged.items()}
    lost = [name for name, title in acknowledged.items() if titles.get(name) != title]
    outcome = WriteOutcome(lost, [name for name, listings in times.items() if listings > 1])
    if PER_SECOND:
        figures = [_figures(phase) for phase in phases]
        totals = {"lost": len(outcome.lost), "duplicated": len(outcome.duplicated)}
        print(
            json.dumps({"rehearsal": rehearsal, "asked_per_second": PER_SECOND, "phases": figures} | totals)
        )
    return outcome


def _figures(phase: LiveWrites) -> dict[str, float]:
    moments = sorted(at for at, _ in phase.answers)
    took = statistics.quantiles([seconds for _, seconds in phase.answers], n=20, method="inclusive")
    return {
        "acknowledged": len(moments),
        "per_second": round(len(moments) / (moments[-1] - moments[0]), 1),
        "without_answer": phase.failed,
        "median_ms": round(took[9] * 1000, 1),
        "p95_ms": round(took[-1] * 1000, 1),
        "longest_pause_ms": round(max(after - before for before, after in pairwise(moments)) * 1000, 1),
    }


def listed_titles(address: str, headers: dict[str, str], field: str) -> list[tuple[str, str]]:
    """List all resources of a collection page by page: the last segment of the name, and a field."""
    titles: list[tuple[str, str]] = []
    token = ""
    while True:
        query = {"pageSize": "1000"} | ({"pageToken": token} if token else {})
        answer = httpx.get(address, headers=headers, params=query, timeout=60)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        rows = page[address.rpartition("/")[2]]
        titles += [(row["name"].rpartition("/")[2], row.get(field, "")) for row in rows]
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
