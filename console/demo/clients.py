"""Clients that never stop writing, through the old API and the new, and remember what was acknowledged."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from dataclasses import dataclass, field

from django.db import connection

from console.demo.making import Maker
from migrations_app import wiring
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.engine.serving.presentation import ResourceView
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.kernel.errors import Busy, Refused, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.directory import Served

Key = tuple[str, str]
PATIENCE_SECONDS = 60.0
"""How long a client asks again for one write before it gives up, which ends the demo."""


LATELY = 1000
"""So many gaps a client remembers."""


@dataclass(frozen=True, slots=True)
class KnownResource:
    """What was acknowledged to a client of a resource last: in which version, the document itself, and when."""

    version: str
    document: JsonObject
    revision: int
    at: float = field(default_factory=time.monotonic)


@dataclass(slots=True)
class WriteTarget:
    """Where the clients write."""

    served: Served
    old: str
    new: str

    @property
    def region(self) -> str:
        """Name the region."""
        return self.served.region

    @property
    def service(self) -> str:
        """Name the service."""
        return self.served.service

    @property
    def writing(self) -> WritingServer:
        """Give what writes into the demo's only region, whatever region a made-up name speaks of."""
        return WritingServer(wiring.router(), wiring.arrangements())

    def in_new(self, key: Key) -> Key | None:
        """Tell what a resource is called in the new version; None when only its fields decide, or it has none."""
        places = self.served.compiled.stored.typed(self.old, self.new).names(*key)
        known = [place for place in places if kept_type(place[0]) is None]
        return known[0] if len(known) == 1 else None

    def hidden(self, key: Key, new_type: str) -> bool:
        """Tell whether a resource becomes one of `new_type` under a name that cannot be foretold."""
        typed = self.served.compiled.stored.typed(self.old, self.new)
        return new_type in typed.types(key[0]) and not typed.names(*key)


@dataclass(frozen=True, slots=True)
class PlannedWrite:
    """One write that a client wants done: what it calls the resource, and what it sends."""

    key: Key
    version: str
    maker: Maker
    request: WriteRequest


@dataclass
class DemoClient:
    """One client: it owns its resources, so what was acknowledged last is what must be there."""

    place: WriteTarget
    number: int
    per_second: float
    # So many resources were there before the clients began: references lead to them.
    filled: int = 0
    alive: dict[Key, KnownResource] = field(default_factory=dict)
    # The resource it is writing now: until it is acknowledged, either state may be seen.
    doing: Key | None = None
    new_api: threading.Event = field(default_factory=threading.Event)
    writes: int = 0
    retried: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    slowest_seconds: float = 0.0
    longest_gap_seconds: float = 0.0
    # The last gaps, and when each ended.
    lately: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=LATELY))
    error: BaseException | None = None
    names: list[Key] = field(default_factory=list)

    def run(self, stop: threading.Event) -> None:
        """Write until stopped."""
        chance = random.Random(self.number)  # noqa: S311 -- made-up load, no secret
        makers = {
            version: Maker(self.place.served, version, self.number * 7 + 1)
            for version in (self.place.old, self.place.new)
        }
        due = last = time.monotonic()
        try:
            while not stop.is_set():
                began = time.monotonic()
                planned = self._plan_write(makers, chance)
                if planned is not None and self._write(planned, stop):
                    now = time.monotonic()
                    self.slowest_seconds = max(self.slowest_seconds, now - began)
                    gap = now - last - 1 / self.per_second
                    self.longest_gap_seconds = max(self.longest_gap_seconds, gap)
                    self.lately.append((now, gap))
                    self.writes, last = self.writes + 1, now
                due += 1 / self.per_second
                # A client that fell behind does not hurry after what it missed.
                due = max(due, time.monotonic() - 0.5)
                time.sleep(max(0.0, due - time.monotonic()))
        except BaseException as error:
            self.error = error
        finally:
            self.doing = None
            connection.close()

    def _plan_write(self, makers: dict[str, Maker], chance: random.Random) -> PlannedWrite | None:
        version = self.place.new if self.new_api.is_set() and chance.random() < 0.5 else self.place.old
        dice = chance.random()
        if dice < 0.15 or not self.alive:
            version = self.place.old
            verb, key = "create", self._fresh(makers[version])
        else:
            verb, key = "delete" if dice < 0.22 else "update", self._pick(chance)
        there = key if version == self.place.old else self.place.in_new(key)
        if there is None:
            return None
        maker = makers[version]
        body = None if verb == "delete" else self._body(maker, version, there)
        if body is not None and verb == "update":
            body = self._as_it_must_stay(maker, version, there, body)
        return PlannedWrite(key, version, maker, WriteRequest(verb, there[0], there[1], body=body))

    def _body(self, maker: Maker, version: str, there: Key) -> JsonObject:
        """Make fields up; only in the old version it is known what there is to refer to."""
        filled = self.filled if version == self.place.old else 0
        return maker.targets(there[0], maker.view(*there), filled)

    def _as_it_must_stay(self, maker: Maker, version: str, there: Key, body: JsonObject) -> JsonObject:
        """Keep the fields that can be set only once, as a client does that reads before it writes.

        In the new version also those that need a reference: what there is to refer to is known in the old one only.
        """
        fixed = maker.fixed(there[0])
        if version != self.place.old:
            fixed |= maker.held(there[0])
        if not fixed:
            return body
        reading = wiring.resource_servers().reading
        page = reading.batch_get(self.place.region, self.place.service, version, there[0], [there[1]])
        if not page.documents:
            return body
        before = page.documents[0]
        changed = {name: value for name, value in body.items() if name not in fixed}
        return changed | {name: before[name] for name in fixed if name in before}

    def _write(self, planned: PlannedWrite, stop: threading.Event) -> bool:
        """Ask until it is done; what is refused for good is noted, and fails the demo."""
        until = time.monotonic() + PATIENCE_SECONDS
        self.doing = planned.key
        while True:
            try:
                answers = self.place.writing.write(
                    self.place.region, self.place.service, planned.version, [planned.request]
                )
            except (Stale, Busy) as error:
                self.retried[error.code] = self.retried.get(error.code, 0) + 1
                if time.monotonic() > until:
                    raise
                stop.wait(error.retry_after_seconds if isinstance(error, Busy) else 0.0)
                continue
            except Refused as error:
                self.refused[error.code] = self.refused.get(error.code, 0) + 1
                self.doing = None
                return False
            self._note(planned, answers[0])
            self.doing = None
            return True

    def _note(self, planned: PlannedWrite, answer: ResourceView | None) -> None:
        if answer is None:
            del self.alive[planned.key]
            return
        if planned.request.verb == "create":
            self.names.append(planned.key)
        document = plain(planned.maker, planned.request.type, answer.document)
        self.alive[planned.key] = KnownResource(planned.version, document, answer.revision)

    def _pick(self, chance: random.Random) -> Key:
        # A few are written over and over, as it is in life.
        names = self.names
        place = int(len(names) * chance.random() ** 3)
        return names[place] if names[place] in self.alive else next(iter(self.alive))

    def _fresh(self, maker: Maker) -> Key:
        number = 1_000_000 * (self.number + 1) + self.writes
        type_ = maker.type_of(number)
        return type_, maker.name(type_, number, "w")


def plain(maker: Maker, type_: str, document: JsonObject) -> JsonObject:
    """Strip a document of the metadata that the server keeps."""
    key = maker.presenter(type_).metadata_key
    return {name: value for name, value in document.items() if name != key}


def revision_of(maker: Maker, type_: str, document: JsonObject) -> int:
    """Read the revision that a document was shown at."""
    metadata = document.get(maker.presenter(type_).metadata_key)
    return int(str(metadata["resourceVersion"])) if isinstance(metadata, dict) else 0


class Crowd:
    """All clients together."""

    def __init__(self, clients: list[DemoClient]) -> None:
        self.clients = clients
        self._stop = threading.Event()
        self._began = self._ended = 0.0
        self._threads = [
            threading.Thread(target=client.run, args=(self._stop,), daemon=True) for client in clients
        ]

    def start(self) -> None:
        """Let them write."""
        self._began = time.monotonic()
        for thread in self._threads:
            thread.start()

    def use_new_api(self, use: bool) -> None:
        """Let half of the writes come through the new API, or none."""
        for client in self.clients:
            (client.new_api.set if use else client.new_api.clear)()

    def stop(self) -> None:
        """End it; a client that failed says so here."""
        self._stop.set()
        for thread in self._threads:
            thread.join(30)
        self._ended = time.monotonic()
        for client in self.clients:
            if client.error is not None:
                raise client.error

    def doing(self) -> set[Key]:
        """Tell which resources are being written now.

        Asked after a look and before `known`, a write during the look can never be missed: either it is under way
        still, or it is known with a time after the look began.
        """
        return {key for client in self.clients if (key := client.doing) is not None}

    def alive(self) -> dict[Key, KnownResource]:
        """Tell everything that must be there."""
        known: dict[Key, KnownResource] = {}
        for client in self.clients:
            known |= client.alive
        return known

    def known(self, key: Key) -> KnownResource | None:
        """Give what was last acknowledged of a resource to the one client that owns it; None when it is not there."""
        return next((known for client in self.clients if (known := client.alive.get(key))), None)

    def longest_gap_ms(self) -> float:
        """Tell the longest time that a client got no answer since this was last asked."""
        longest = max(client.longest_gap_seconds for client in self.clients)
        for client in self.clients:
            client.longest_gap_seconds = 0.0
        return longest * 1000

    def gap_ms_since(self, since: float) -> float:
        """Tell the longest time that a client got no answer, of those that ended after a moment."""
        gaps = (gap for client in self.clients for at, gap in list(client.lately) if at >= since)
        return max(gaps, default=0.0) * 1000

    @property
    def writes(self) -> int:
        """Count the acknowledged writes."""
        return sum(client.writes for client in self.clients)

    @property
    def writes_per_second(self) -> float:
        """Tell how many writes a second were acknowledged, over all the time."""
        return self.writes / max(1e-9, (self._ended or time.monotonic()) - self._began)
