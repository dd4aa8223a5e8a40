"""The query of an address, read strictly."""

from __future__ import annotations

from collections.abc import Set
from urllib.parse import parse_qsl

from migrations_app.kernel.errors import Invalid

_KNOWN = frozenset(
    [
        "filter",
        "filterDialect",
        "orderBy",
        "pageSize",
        "pageToken",
        "showTotal",
        "includePagingInfo",
        "view",
        "fieldMask",
        "names",
        "phrase",
        "id",
        "updateMask",
        "allowMissing",
    ]
)
_FLAGS = ("showTotal", "includePagingInfo", "allowMissing")


def query_of(text: str, known: Set[str] = _KNOWN) -> dict[str, str]:
    """Read a query; each parameter is given once, but for `names`.

    Raises: Invalid (`query`) naming the parameter.
    """
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict")
    except ValueError as error:
        raise Invalid("The query of the address is malformed.", code="query") from error
    check_known({key for key, _ in pairs}, known)
    if any("\0" in value for _, value in pairs):
        raise Invalid("A parameter holds the character U+0000.", code="query")
    found: dict[str, str] = {}
    for key, value in pairs:
        if key in found and key != "names":
            raise Invalid(f"The parameter {key!r} is given twice.", code="query")
        found[key] = f"{found[key]},{value}" if key in found else value
    for key in _FLAGS:
        if found.get(key, "true") not in ("true", "false"):
            raise Invalid(f"{key} is true or false.", code="query")
    return found


def check_known(given: Set[str], known: Set[str]) -> None:
    """See that every parameter is one that the API knows.

    Raises: Invalid (`query`).
    """
    unknown = sorted(given - known)
    if unknown:
        raise Invalid(
            f"There is no parameter {unknown[0][:80]!r}.",
            code="query",
            remedy=f"Use {', '.join(sorted(known))}.",
        )


def whole(text: str, what: str) -> int:
    """Read a whole number.

    Raises: Invalid (`query`).
    """
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise Invalid(f"{what} is a whole number.", code="query")
    return int(text)
