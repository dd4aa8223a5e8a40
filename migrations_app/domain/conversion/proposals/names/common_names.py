"""Words of names that say little of a field, as so many fields have them."""

from __future__ import annotations

from migrations_app.domain.conversion.proposals.names.words import words

FILLERS = frozenset(
    {"configuration", "specification", "setting", "option", "parameter", "detail", "information"}
)
OUTDATED = frozenset({"deprecated", "legacy"})
GENERIC = frozenset(
    {("name",), ("id",), ("type",), ("state",), ("kind",), ("value",), ("description",), ("key",)}
)
_COMMON = frozenset(
    words(name)
    for name in [
        "etag",
        "uid",
        "create_time",
        "update_time",
        "delete_time",
        "expire_time",
        "start_time",
        "end_time",
        "display_name",
        "title",
        "labels",
        "annotations",
        "version",
        "size",
        "count",
        "project",
        "location",
        "region",
        "zone",
        "status",
        "error",
        "metadata",
        "url",
        "uri",
        "path",
        "names",
        "values",
        "items",
        "spec",
        "config",
        "options",
        "enabled",
        "mode",
        "message",
        "code",
        "reason",
        "revision",
        "parent",
        "email",
        "address",
        "text",
        "data",
    ]
)
VAGUE = frozenset(
    {"time", "date", "id", "name", "count", "type", "kind", "state", "status", "uri", "key", "value", "list"}
)
UNITS = frozenset(
    [
        "nanosecond",
        "microsecond",
        "millisecond",
        "second",
        "minute",
        "hour",
        "day",
        "week",
        "month",
        "bit",
        "byte",
        "kilobyte",
        "megabyte",
        "gigabyte",
        "kib",
        "mib",
        "gib",
        "kb",
        "mb",
        "gb",
        "percent",
        "fraction",
        "cent",
        "dollar",
        "meter",
        "kilometer",
        "mile",
        "celsius",
        "fahrenheit",
        "kelvin",
    ]
)


def is_common(name: str) -> bool:
    """Tell whether so many objects have a field of this name that a move of it is seldom one."""
    return words(name) in GENERIC or words(name) in _COMMON


def is_name_of_type(old: tuple[str, ...], new: tuple[str, ...], owners: tuple[str, str]) -> bool:
    """Tell whether one name is `name` and the other one the noun of the object: `bucket` of `StorageBucket`."""
    for name, noun in ((old, new), (new, old)):
        if name == ("name",) and noun:
            return all(_holds(words(owner.rpartition(".")[2]), noun) for owner in owners)
    return False


def _holds(name: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Tell whether words stand together in a name."""
    return any(name[at : at + len(part)] == part for at in range(len(name) - len(part) + 1))
