"""Codecs of times: durations and instants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from migrations_app.domain.conversion.codecs.base import CodecSpec, Pair, integer, text
from migrations_app.kernel.json import Json

_DURATION = re.compile(r"(-?)([0-9]{1,12})(?:\.([0-9]{1,9}))?s")
_INSTANT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z")
_NANOS = 10**9
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def nanoseconds(value: str) -> int:
    """Read a protobuf duration such as `1.5s`."""
    found = _DURATION.fullmatch(value)
    if found is None:
        raise ValueError("not a duration")
    nanos = int(found[2]) * _NANOS + int((found[3] or "").ljust(9, "0"))
    return -nanos if found[1] else nanos


def duration(nanos: int) -> str:
    """Write a duration with as many digits as it needs."""
    sign, (seconds, rest) = "-" if nanos < 0 else "", divmod(abs(nanos), _NANOS)
    return f"{sign}{seconds}{_fraction(rest)}s"


def _fraction(nanos: int) -> str:
    return f".{nanos:09d}".rstrip("0") if nanos else ""


def _duration(unit: int) -> Pair:
    def _there(value: Json) -> Json:
        nanos = nanoseconds(text(value))
        if nanos % unit:
            raise ValueError("finer than the unit")
        return nanos // unit

    return _there, lambda value: duration(integer(value) * unit)


def _instant(value: Json) -> Json:
    found = _INSTANT.fullmatch(text(value))
    if found is None:
        raise ValueError("not an instant")
    at = datetime.strptime(found[1], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
    nanos = int((found[2] or "").ljust(9, "0"))
    if nanos:
        raise ValueError("finer than a second")
    return int((at - _EPOCH) // timedelta(seconds=1))


def _from_epoch(value: Json) -> Json:
    at = _EPOCH + timedelta(seconds=integer(value))
    return at.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def _seconds(parameters: Mapping[str, Json]) -> Pair:
    return _duration(_NANOS)


def _millis(parameters: Mapping[str, Json]) -> Pair:
    return _duration(10**6)


def _micros(parameters: Mapping[str, Json]) -> Pair:
    return _duration(10**3)


def _nanos(parameters: Mapping[str, Json]) -> Pair:
    return _duration(1)


def _epoch(parameters: Mapping[str, Json]) -> Pair:
    return _instant, _from_epoch


CODECS = (
    CodecSpec("duration-seconds", '"30s" ↔ 30', _seconds),
    CodecSpec("duration-millis", '"1.5s" ↔ 1500', _millis),
    CodecSpec("duration-micros", '"0.000001s" ↔ 1', _micros),
    CodecSpec("duration-nanos", '"0.000000001s" ↔ 1', _nanos),
    CodecSpec("timestamp-epoch", '"2026-01-01T00:00:00Z" ↔ seconds since 1970', _epoch),
)
