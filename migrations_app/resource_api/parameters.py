"""The query of an address, read strictly: each method takes its own parameters, in snake_case or camelCase."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import lru_cache
from typing import Protocol
from urllib.parse import parse_qsl

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import message
from migrations_app.web.operation_contracts import CONDITIONS, camel_case, remedy_of, snake_case
from migrations_app.web.preconditions import DRY_RUN_WORDS

_SHOWN = frozenset({"fieldMask", "view"})
_PAGED = frozenset({"pageSize", "pageToken"})
_LISTED = frozenset({"filter", "filterDialect", "orderBy", "showTotal", "includePagingInfo"})
DRY_RUN = "dryRun"
PARAMETERS: Mapping[str, frozenset[str]] = {
    "get": _SHOWN,
    "list": _SHOWN | _PAGED | _LISTED,
    "batchGet": _SHOWN | {"names"},
    "search": _SHOWN | _PAGED | {"phrase"},
    "create": frozenset({"id", DRY_RUN}),
    "update": frozenset({"updateMask", "allowMissing", DRY_RUN}),
    "delete": frozenset({"allowMissing", DRY_RUN}),
    "batchWrite": frozenset({DRY_RUN}),
    "openapi": frozenset(),
    "shadow": frozenset(),
    "shadows": _PAGED,
}
"""What each method takes."""
WRITES = frozenset({"create", "update", "delete", "batchWrite"})
_WITH_A_TAG = ("update", "delete")
_CONDITIONS = {
    method: tuple(each for each in CONDITIONS if method not in _WITH_A_TAG or each != "If-Match")
    for method in WRITES
}
"""The conditions that are refused, as no method checks them."""
_FLAGS = ("showTotal", "includePagingInfo", "allowMissing")


def query_of(text: str, known: Set[str]) -> dict[str, str]:
    """Read a query; each parameter is given once, or twice alike, but for `names`.

    Raises: Invalid (`query`) naming the parameter · Invalid (`dry-run`).
    """
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict")
    except ValueError as error:
        raise Invalid(message("The query of the address is malformed."), code="query") from error
    check_known({key for key, _ in pairs}, known)
    if any("\0" in value for _, value in pairs):
        raise Invalid(message("A parameter holds the character U+0000."), code="query")
    names = _spellings(frozenset(known))
    found: dict[str, str] = {}
    for sent, value in pairs:
        key = names[sent]
        if key == DRY_RUN:
            value = value.lower()
        if key != "names" and found.get(key, value) != value:
            raise given_twice(key)
        found[key] = f"{found[key]},{value}" if key in found and key == "names" else value
    for key in _FLAGS:
        if found.get(key, "true") not in ("true", "false"):
            raise Invalid(message("{key} is true or false.", key=key), code="query")
    if found.get(DRY_RUN, "true") not in ("true", "false"):
        raise Invalid(
            message("{dry_run} is {existing}.", dry_run=DRY_RUN, existing=repr(found[DRY_RUN][:40])),
            code="dry-run",
            remedy=message("Use true or false."),
        )
    return found


class Asking(Protocol):
    """What of an HTTP request tells its parameters and conditions."""

    @property
    def query(self) -> str:
        """The query of the address."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers by lower-case names."""
        ...


def parameters_of(method: str, request: Asking) -> dict[str, str]:
    """Read the parameters of a method; a condition that it does not check is refused.

    Raises: Invalid (`query`, `dry-run`, `if-match`).
    """
    found = query_of(request.query, PARAMETERS[method])
    for header in _CONDITIONS.get(method, ()):
        if header.lower() in request.headers:
            raise Invalid(
                message("A {method} takes no {header}.", method=method, header=header),
                code="if-match",
                remedy=message(
                    "Leave it out: nothing was written, and no condition would have been checked."
                ),
                violations=(Violation(header, message("is unknown here"), code="if-match"),),
            )
    return found


def name_of(sent: str, known: Set[str]) -> str:
    """Give the name of a parameter that was sent in either spelling."""
    return _spellings(frozenset(known))[sent]


def given_twice(name: str) -> Invalid:
    """Refuse a parameter that occurs twice with different values."""
    return Invalid(
        message("The parameter {name} occurs twice, with different values.", name=repr(name)),
        code="query",
        remedy=message("Send it once; snake_case and camelCase are the same parameter."),
        violations=(Violation(name, message("occurs twice")),),
    )


def check_known(given: Set[str], known: Set[str]) -> None:
    """See that every parameter is one that the method knows.

    Raises: Invalid (`query`, `dry-run`).
    """
    unknown = sorted(given - _spellings(frozenset(known)).keys())
    if not unknown:
        return
    raise Invalid(
        message("There is no parameter {unknown} here.", unknown=repr(unknown[0][:80])),
        code="query",
        remedy=remedy_of(unknown[0], known, camel_case),
        violations=tuple(Violation(name[:80], message("is unknown here")) for name in unknown),
    )


@lru_cache(maxsize=256)
def _spellings(known: frozenset[str]) -> Mapping[str, str]:
    """Map each accepted spelling to its name; a name that there is means itself."""
    either = {spelling: name for name in sorted(known) for spelling in (camel_case(name), snake_case(name))}
    if DRY_RUN in known:
        either |= dict.fromkeys(DRY_RUN_WORDS, DRY_RUN)
    return either | {name: name for name in known}


def whole(text: str, what: str) -> int:
    """Read a whole number.

    Raises: Invalid (`query`).
    """
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise Invalid(message("{what} is a whole number.", what=what), code="query")
    return int(text)
