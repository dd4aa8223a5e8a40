"""A client that calls a custom method in both versions without a pause, and knows how often it was carried out.

The method counts its calls in the resource it is called on: each answer shows whether every call before it happened once.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection

from console.demo.clients import DemoClient, Key, KnownResource, PlannedWrite, WriteTarget, plain, revision_of
from console.demo.making import Maker
from console.demo.stand import METHODS_EXTENSION
from migrations_app import wiring
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.schema.methods import find_method
from migrations_app.engine.methods.server import MethodRequest
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Busy, Refused, Stale
from migrations_app.kernel.json import Json, JsonObject

CALLS_PER_SECOND = 5.0


@dataclass(frozen=True, slots=True)
class CountingMethod:
    """A method that counts its calls; `counts` leads, in each version, to the field that it counts in."""

    type: str
    verb: str
    counts: Mapping[str, tuple[str, ...]]

    def count_in(self, version: str, document: Json) -> int:
        """Read how often it was carried out."""
        for step in self.counts[version]:
            document = document.get(step) if isinstance(document, dict) else None
        return document if isinstance(document, int) else 0


COUNTING = {
    "cloudtasks.googleapis.com": CountingMethod(
        "Task",
        "run",
        {
            "v2beta2": ("status", "attemptDispatchCount"),
            "v2beta3": ("dispatchCount",),
            "v2": ("dispatchCount",),
        },
    )
}


def counting_method(place: WriteTarget) -> CountingMethod | None:
    """Give the method that is called; None where the service has none, or its handlers are not installed."""
    method = COUNTING.get(place.service)
    if method is None or not {place.old, place.new} <= method.counts.keys():
        return None
    return method if METHODS_EXTENSION in settings.SWITCHYARD.extensions else None


@dataclass
class MethodClient(DemoClient):
    """The client: it owns the one resource that it calls the method on."""

    method: CountingMethod | None = None
    calls: dict[str, int] = field(default_factory=dict)
    counted_before: int = 0
    miscounted: int = 0

    @property
    def called(self) -> str:
        """Name the method."""
        return f"{self.method.type}:{self.method.verb}" if self.method else ""

    def run(self, stop: threading.Event) -> None:
        """Create the resource, then call until it is stopped."""
        chance = random.Random(self.number)  # noqa: S311 -- made-up load, no secret
        versions = (self.place.old, self.place.new)
        try:
            makers = {version: Maker(self.place.served, version, self.number) for version in versions}
            key = self._create(makers[self.place.old], stop)
            while key is not None and not stop.wait(1 / self.per_second):
                new = self.new_api.is_set() and chance.random() < 0.5
                version = self.place.new if new else self.place.old
                self._call(makers[version], version, key)
        except BaseException as error:
            self.error = error
        finally:
            self.doing = None
            connection.close()

    def _create(self, maker: Maker, stop: threading.Event) -> Key | None:
        assert self.method is not None
        key = self.method.type, maker.name(self.method.type, 1_000_000 * (self.number + 1), "c")
        # What it counts in begins at nothing: a number that was made up might have no next one.
        first = self.method.counts[self.place.old][0]
        made = self._body(maker, self.place.old, key)
        body = {name: value for name, value in made.items() if name != first}
        planned = PlannedWrite(key, self.place.old, maker, WriteRequest("create", *key, body=body))
        if not self._write(planned, stop):
            return None
        self.calls = dict.fromkeys((self.place.old, self.place.new), 0)
        self.counted_before = self.method.count_in(self.place.old, self.alive[key].document)
        return key

    def _call(self, maker: Maker, version: str, key: Key) -> None:
        """Call once; what is refused for a moment was not carried out, and is called again."""
        there = key if version == self.place.old else self.place.in_new(key)
        assert self.method is not None
        assert there is not None
        began, self.doing = time.monotonic(), key
        try:
            document = self._answer(version, there)
            self._note_call(maker, version, key, document)
        except (Stale, Busy) as error:
            self.retried[error.code] = self.retried.get(error.code, 0) + 1
        except Refused as error:
            self.refused[error.code] = self.refused.get(error.code, 0) + 1
        finally:
            # Only now: until it is known what a call did, either state may be seen.
            self.doing = None
            self.slowest_seconds = max(self.slowest_seconds, time.monotonic() - began)

    def _note_call(self, maker: Maker, version: str, key: Key, document: JsonObject) -> None:
        assert self.method is not None
        self.calls[version] += 1
        expected = self.counted_before + sum(self.calls.values())
        self.miscounted += self.method.count_in(version, document) != expected
        known = plain(maker, self.method.type, document)
        revision = revision_of(maker, self.method.type, document)
        self.alive[key] = KnownResource(version, known, revision)

    def _answer(self, version: str, there: Key) -> JsonObject:
        assert self.method is not None
        schema = self.place.served.compiled.schema(version)
        method = find_method(schema, there[0], self.method.verb, is_collection=False)
        assert method is not None
        request = MethodRequest(self.place.region, self.place.service, version, method, there[1], {}, SYSTEM)
        return wiring.method_server().call(request).document
