"""Which places of a report a person has to accept: what breaks, what is given up, what is hidden."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.compatibility.report import Weight
from migrations_app.kernel.json import JsonObject

Key = tuple[str, str, str, str]
"""Rule, path, where, and what changes there: a place that says something else is another place."""

LOSSES = ("no", "hidden")
RULES = tuple(f"loss-{kept}" for kept in LOSSES)
_HEAVY = (Weight.BREAK.value, Weight.STAGED.value)


def open_places(report: JsonObject) -> Iterator[tuple[Key, JsonObject]]:
    """List the places of a written assessment that conversions do not make good, each with its entry."""
    for each in entries(report, "findings"):
        if each["weight"] in _HEAVY and not each["handled"]:
            change = f"{each['before']} → {each['after']}"
            yield (str(each["rule"]), str(each["path"]), str(each["where"]), change), each
    for each in entries(report, "losses"):
        if each["kept"] in LOSSES:
            yield (f"loss-{each['kept']}", str(each["path"]), str(each["way"]), str(each["op"])), each


def entries(report: JsonObject, name: str) -> list[JsonObject]:
    """Give the findings or the losses of a written assessment."""
    found = report[name]
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, dict)]
