"""Clients of the running product's resource API: they write at a steady rate and remember what each write took."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from threading import Thread
from urllib.parse import quote, urlsplit

from migrations_app.kernel.json import JsonObject

THREADS = 8
FRESH_SHARE = 0.3
ANSWER_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class WriterPlan:
    """Where to write, as whom, and what: by name, the documents that a resource may have one after the other."""

    url: str
    token: str
    base: str
    per_second: float
    documents: dict[str, list[JsonObject]]


@dataclass(slots=True)
class WriteLog:
    """When each write was acknowledged, what it took in seconds, and which answers were no success."""

    writes: list[tuple[float, float]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


class ProductWriters:
    """A process of clients."""

    def __init__(self, plan: WriterPlan) -> None:
        spawn = get_context("spawn")
        self._stop, self._told = spawn.Event(), spawn.Queue()
        self._process = spawn.Process(target=write_until, args=(plan, self._stop, self._told))

    def start(self) -> None:
        """Begin."""
        self._process.start()

    def stop(self) -> WriteLog:
        """End, and give what was seen."""
        self._stop.set()
        log: WriteLog = self._told.get(timeout=2 * ANSWER_SECONDS)
        self._process.join()
        return log


def write_until(plan: WriterPlan, stop: Event, told: Queue[WriteLog]) -> None:
    """Write with several threads until the event is set; each thread has names of its own."""
    names = sorted(plan.documents)
    logs = [WriteLog() for _ in range(THREADS)]
    threads = [
        Thread(target=_write, args=(plan, number, names[number::THREADS], stop, logs[number]))
        for number in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = WriteLog()
    for log in logs:
        total.writes += log.writes
        total.refused += log.refused
    told.put(total)


def _write(plan: WriterPlan, number: int, names: list[str], stop: Event, log: WriteLog) -> None:
    host = urlsplit(plan.url)
    connection = http.client.HTTPConnection(host.hostname or "", host.port, timeout=ANSWER_SECONDS)
    headers = {"Authorization": f"Bearer {plan.token}", "Content-Type": "application/json"}
    chance = random.Random(number)
    pause, known = THREADS / plan.per_second, 1
    due = time.monotonic() + pause * chance.random()
    turns = 0
    benchmark = parent_process()
    # A benchmark that was killed sets no event.
    while not stop.is_set() and (benchmark is None or benchmark.is_alive()):
        time.sleep(max(0.0, due - time.monotonic()))
        if known < len(names) and chance.random() < FRESH_SHARE:
            name, known = names[known], known + 1
        else:
            name = names[chance.randrange(known)]
        turns += 1
        variants = plan.documents[name]
        body = json.dumps(variants[turns % len(variants)])
        began = time.monotonic()
        try:
            connection.request(
                "PUT", f"{plan.base}/{quote(name)}?allowMissing=true", body=body, headers=headers
            )
            answer = connection.getresponse()
            said = answer.read()
            code = "" if answer.status < 300 else f"{answer.status} {said[:120].decode(errors='replace')}"
        except OSError as error:
            connection.close()
            code = type(error).__name__
        now = time.monotonic()
        if code:
            log.refused[code] += 1
        else:
            log.writes.append((now, now - began))
        # Who fell behind does not hurry after what was missed.
        due = max(due + pause, now - 0.5)
