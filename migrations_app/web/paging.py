"""Lists in pages: keyset cursors, signed and bound to who asked, where, and by which filter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.core import signing
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject, digest
from migrations_app.kernel.messages import message

DEFAULT_LIMIT, LARGEST_LIMIT = 50, 500
NOT_FILTERS = ("cursor", "limit", "fields")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AskedPage:
    """Which page is asked for: at most `limit` items after the key `after` (none: from the start)."""

    limit: int
    after: tuple[Json, ...] | None
    bound_to: str

    @property
    def fetch(self) -> int:
        """Tell how many items to fetch: one more than shown, to know whether there is more."""
        return self.limit + 1

    def after_int(self) -> int | None:
        """Give the key to go on after, where it is one number."""
        value = self.after[0] if self.after else None
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        raise foreign_cursor()


def asked_page(request: Request) -> AskedPage:
    """Read `limit` and `cursor` of a request.

    Raises: Invalid (`limit`, `cursor`).
    """
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LARGEST_LIMIT):
        raise Invalid(
            message("limit is {text}.", text=repr(text)),
            code="limit",
            remedy=message("Use 1 to {largest_limit}.", largest_limit=LARGEST_LIMIT),
        )
    bound_to = _binding(request)
    cursor = request.query_params.get("cursor")
    after = _open(cursor, bound_to) if cursor else None
    return AskedPage(int(text), after, bound_to)


def filters_in(request: Request) -> dict[str, str]:
    """Give the parameters of a list that say which items, not which page."""
    return {name: value for name, value in request.query_params.dict().items() if name not in NOT_FILTERS}


def page_of(
    asked: AskedPage, found: Sequence[T], key: Callable[[T], Sequence[Json]], show: Callable[[T], Json]
) -> JsonObject:
    """Make the page of what was fetched by `asked.fetch`."""
    shown, more = found[: asked.limit], len(found) > asked.limit
    cursor = _seal(list(key(shown[-1])), asked.bound_to) if more else None
    return {"items": [show(item) for item in shown], "next_cursor": cursor, "has_more": more}


def listed(
    asked: AskedPage, found: Sequence[T], key: Callable[[T], Sequence[Json]], show: Callable[[T], Json]
) -> Response:
    """Answer with a page."""
    return Response(page_of(asked, found, key, show))


def only_fields(request: Request, page: JsonObject) -> JsonObject:
    """Leave of each item what `fields` names; everything when it is absent.

    Raises: Invalid (`fields`).
    """
    names = [name for name in request.query_params.get("fields", "").split(",") if name]
    items = [item for item in page["items"] if isinstance(item, dict)]  # type: ignore[union-attr]
    if not names or not items:
        return page
    unknown = [name for name in names if name not in items[0]]
    if unknown:
        raise Invalid(
            message("There is no field {unknown}.", unknown=repr(unknown[0])),
            code="fields",
            remedy=message("Use {item}.", item=", ".join(sorted(items[0]))),
        )
    return {**page, "items": [{name: item[name] for name in names} for item in items]}


def _binding(request: Request) -> str:
    filters = {name: values for name, values in request.query_params.lists() if name not in NOT_FILTERS}
    who = getattr(request.auth, "name", "")
    return digest([who, request.path, filters])[:16]


def _seal(key: list[Json], bound_to: str) -> str:
    return signing.dumps([bound_to, key], salt="switchyard.cursor", compress=True)


def _open(cursor: str, bound_to: str) -> tuple[Json, ...]:
    try:
        bound, key = signing.loads(cursor, salt="switchyard.cursor")
    except (signing.BadSignature, ValueError) as error:
        raise foreign_cursor() from error
    if bound != bound_to:
        raise foreign_cursor()
    return tuple(key)


def foreign_cursor() -> Invalid:
    """Give the refusal of a cursor that belongs to another list."""
    return Invalid(
        message("The cursor does not belong to this list."),
        code="cursor",
        remedy=message("Start without a cursor; a cursor holds for one account, one address and one filter."),
    )
