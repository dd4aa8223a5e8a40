"""Names of deployments, spans of time and counts, as sentences of upgrades write them."""

from __future__ import annotations

from datetime import UTC, datetime


def where(service: str, region: str) -> str:
    """Name a deployment as people do: `secrets @ eu-1`."""
    return f"{service.split('.', 1)[0]} @ {region}"


def deployment_title(name: str) -> str:
    """Name a deployment as people do, by the name that the registry has for it; another text stays as it is."""
    match name.split("/"):
        case ["services", service, "deployments", region]:
            return where(service, region)
    return name


def span(low: float, high: float) -> str:
    """Write a range of seconds as people say it: `4–9 min`."""
    for limit, unit, size in ((90.0, "s", 1.0), (5400.0, "min", 60.0), (float("inf"), "h", 3600.0)):
        if high < limit:
            first, last = max(1, round(low / size)), max(1, round(high / size))
            return f"{first} {unit}" if first >= last else f"{first}–{last} {unit}"
    return ""


def count(number: int, noun: str) -> str:
    """Write a number with its noun: `1 approval`, `2 approvals`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def stamp(at: datetime | None) -> str:
    """Write a moment for people, in UTC to the second."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if at else "not recorded"
