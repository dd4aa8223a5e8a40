"""Clients that never stop writing, through the old API and the new, and remember what was acknowledged."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field

from django.db import connection

from console.demo.making import Maker
from migrations_app import wiring
from migrations_app.engine.serving.writing import WriteRequest
from migrations_app.kernel.errors import Busy, Refused, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.directory import Served

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Known:
    """What a client was told of a resource last: in which version, and the document itself."""

    version: str
    document: JsonObject
    revision: int


@dataclass(slots=True)
class Place:
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

    def in_new(self, key: Key) -> Key | None:
        """Tell what a resource is called in the new version; None when only its fields decide, or it has none."""
        converter = self.served.compiled.converter(key[0], self.old, self.new)
        name = converter.name(key[1]) if converter.target_type else None
        return None if name is None or converter.target_type is None else (converter.target_type, name)

    def hidden(self, key: Key, new_type: str) -> bool:
        """Tell whether a resource becomes one of `new_type` under a name that cannot be foretold."""
        converter = self.served.compiled.converter(key[0], self.old, self.new)
        return converter.target_type == new_type and converter.name(key[1]) is None


@dataclass
class Client:
    """One client: it owns its resources, so what it was told last is what must be there."""

    place: Place
    number: int
    per_second: float
    alive: dict[Key, Known] = field(default_factory=dict)
    gone: set[Key] = field(default_factory=set)
    new_api: threading.Event = field(default_factory=threading.Event)
    writes: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    slowest_seconds: float = 0.0
    longest_gap_seconds: float = 0.0
    error: BaseException | None = None
    names: list[Key] = field(default_factory=list)

    def run(self, stop: threading.Event, hold: threading.Event) -> None:
        """Write until told to stop; stand still while `hold` is set."""
        chance = random.Random(self.number)  # noqa: S311 -- made-up load, no secret
        makers = {
            version: Maker(self.place.served, version, self.number * 7 + 1)
            for version in (self.place.old, self.place.new)
        }
        due = last = time.monotonic()
        try:
            while not stop.is_set():
                if hold.is_set():
                    time.sleep(0.02)
                    due = last = time.monotonic()
                    continue
                began = time.monotonic()
                if self._write(makers, chance):
                    now = time.monotonic()
                    self.slowest_seconds = max(self.slowest_seconds, now - began)
                    self.longest_gap_seconds = max(self.longest_gap_seconds, now - last - 1 / self.per_second)
                    self.writes, last = self.writes + 1, now
                due += 1 / self.per_second
                # A client that fell behind does not hurry after what it missed.
                due = max(due, time.monotonic() - 0.5)
                time.sleep(max(0.0, due - time.monotonic()))
        except BaseException as error:
            self.error = error
        finally:
            connection.close()

    def _write(self, makers: dict[str, Maker], chance: random.Random) -> bool:
        version = self.place.new if self.new_api.is_set() and chance.random() < 0.5 else self.place.old
        maker, dice = makers[version], chance.random()
        if dice < 0.15 or not self.alive:
            verb, key = "create", self._fresh(makers[self.place.old])
            version, maker = self.place.old, makers[self.place.old]
        else:
            verb, key = "delete" if dice < 0.22 else "update", self._pick(chance)
        there = key if version == self.place.old else self.place.in_new(key)
        if there is None:
            return False
        body = None if verb == "delete" else maker.view(*there)
        request = WriteRequest(verb, there[0], there[1], body=body)
        try:
            answers = wiring.resource_servers().writing.write(
                self.place.region, self.place.service, version, [request]
            )
        except (Refused, Stale, Busy) as error:
            self.refused[error.code] = self.refused.get(error.code, 0) + 1
            return False
        if verb == "delete":
            del self.alive[key]
            self.gone.add(key)
        else:
            answer = answers[0]
            assert answer is not None
            if verb == "create":
                self.names.append(key)
            self.gone.discard(key)
            self.alive[key] = Known(version, plain(maker, there[0], answer.document), answer.revision)
        return True

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
    key = maker.face(type_).metadata_key
    return {name: value for name, value in document.items() if name != key}


def revision_of(maker: Maker, type_: str, document: JsonObject) -> int:
    """Read the revision that a document was shown at."""
    metadata = document.get(maker.face(type_).metadata_key)
    return int(str(metadata["resourceVersion"])) if isinstance(metadata, dict) else 0


class Crowd:
    """All clients together."""

    def __init__(self, clients: list[Client]) -> None:
        self.clients = clients
        self._stop, self._hold = threading.Event(), threading.Event()
        self._threads = [
            threading.Thread(target=client.run, args=(self._stop, self._hold), daemon=True)
            for client in clients
        ]

    def start(self) -> None:
        """Let them write."""
        for thread in self._threads:
            thread.start()

    def use_new_api(self, use: bool) -> None:
        """Let half of the writes come through the new API, or none."""
        for client in self.clients:
            (client.new_api.set if use else client.new_api.clear)()

    def hold(self, seconds: float = 1.0) -> None:
        """Let them stand still, so that what they know can be compared."""
        self._hold.set()
        time.sleep(seconds)

    def go_on(self) -> None:
        """Let them write again."""
        self._hold.clear()

    def stop(self) -> None:
        """End it; a client that failed says so here."""
        self._stop.set()
        for thread in self._threads:
            thread.join(30)
        for client in self.clients:
            if client.error is not None:
                raise client.error

    @property
    def alive(self) -> dict[Key, Known]:
        """Everything that must be there."""
        return {key: known for client in self.clients for key, known in client.alive.items()}

    @property
    def writes(self) -> int:
        """Count the acknowledged writes."""
        return sum(client.writes for client in self.clients)
