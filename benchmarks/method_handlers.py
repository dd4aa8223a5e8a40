"""The handler that `benchmarks.methods` calls: it answers the resource, as a get does."""

from __future__ import annotations

from migrations_app.domain.methods.calls import Call
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.kernel.json import JsonObject

SERVICE = "meters.example.com"
METHODS = tuple(ServiceMethods(SERVICE, version) for version in ("v1", "v2"))


def read(call: Call) -> JsonObject:
    """Give the meter that is asked for."""
    return call.get("Meter", call.name)


for _each in METHODS:
    _each.method("ReadMeter")(read)
