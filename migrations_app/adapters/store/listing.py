"""Turns a list request into SQL: parent, filter, order and keyset cursor."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from psycopg import sql
from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Row
from migrations_app.adapters.store.filter_conditions import Bound, narrowing_conditions
from migrations_app.adapters.store.rows import RESOURCE, resource_of, table_of
from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import Listing, Query, SortKey

_COLUMNS = 10
WILDCARD = "-"


@dataclass(frozen=True, slots=True)
class ListStatements:
    """The statements of a list request, and how to read what they bring."""

    query: Query
    rows: sql.Composed
    total: sql.Composed | None
    values: dict[str, object]

    def listing(self, rows: Sequence[Row], total: int | None) -> Listing:
        """Build the page; one row more than asked for was fetched, to know whether there is a next one."""
        page = rows[: self.query.limit]
        more = ""
        if len(rows) > self.query.limit:
            last = page[-1]
            more = sealed(self.query, cast("list[Json]", list(last[_COLUMNS:])), str(last[0]))
        return Listing(tuple(resource_of(self.query.type, row) for row in page), more, total)


def planned(namespace: Namespace, query: Query, *, with_active: bool = False) -> ListStatements:
    """Write the SQL of a list request; `with_active` has each row tell the active version in a last column.

    What the request says stands beside the text, so that the text is prepared once for all that are alike. The
    limit is in the text: a plan for any limit would be another one.
    """
    bound = Bound()
    conditions = [*_under(query.parent, bound), *_called(query.named, bound)]
    conditions += narrowing_conditions(query, bound)
    if query.beyond:
        conditions.append(sql.SQL("name > {}").format(bound(query.beyond)))
    if query.before:
        conditions.append(sql.SQL("name < {}").format(bound(query.before)))
    keys = [_key(order, bound) for order in query.order]
    place: dict[str, sql.Composable] = {
        "schema": sql.Identifier(namespace.schema),
        "table": sql.Identifier(table_of(query.type)),
        "where": _all(conditions),
    }
    total = RESOURCE.template("total").format(**place) if query.total else None
    if query.after:
        values, name = opened(query)
        conditions.append(_beyond(query.order, keys, values, name, bound))
    directions = [
        sql.SQL("{} {}").format(key, sql.SQL("DESC" if order.descending else "ASC"))
        for key, order in zip(keys, query.order, strict=True)
    ]
    if with_active:
        keys.append(RESOURCE.template("active").format(deployment=bound(namespace.fence_key)))
    place |= {
        "where": _all(conditions),
        "keys": sql.Composed([sql.SQL(", ") + key for key in keys]),
        "order": sql.SQL(", ").join([*directions, sql.SQL("name DESC" if query.before else "name")]),
        "limit": sql.Literal(query.limit + 1),
    }
    return ListStatements(query, RESOURCE.template("list").format(**place), total, bound.values)


def sealed(query: Query, keys: Sequence[Json], name: str) -> str:
    """Write the cursor after a row."""
    text = json.encode([_fingerprint(query), list(keys), name])
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def opened(query: Query) -> tuple[list[Json], str]:
    """Read the cursor of a request.

    Raises: Invalid (`cursor-broken`) when it is not one, or of another query.
    """
    try:
        padded = query.after + "=" * (-len(query.after) % 4)
        found = json.decode(base64.urlsafe_b64decode(padded.encode()))
    except (SwitchyardError, ValueError) as error:
        raise _broken() from error
    match found:
        case [str(fingerprint), list(keys), str(name)] if fingerprint == _fingerprint(query) and len(
            keys
        ) == len(query.order):
            return keys, name
    raise _broken()


def _broken() -> Invalid:
    return Invalid(
        message("This cursor does not belong to this list."),
        code="cursor-broken",
        remedy=message("Start again without a cursor."),
    )


def _fingerprint(query: Query) -> str:
    orders = [[order.path, order.descending] for order in query.order]
    return json.digest([query.type, query.parent, query.named, str(query.narrowing), orders])[:12]


def _all(conditions: Sequence[sql.Composable]) -> sql.Composable:
    return sql.SQL(" AND ").join(conditions) if conditions else sql.SQL("true")


def _key(order: SortKey, bound: Bound) -> sql.Composable:
    if order.path == "name":
        return sql.SQL("to_jsonb(name)")
    return sql.SQL("coalesce(body #> {}, 'null')").format(bound(order.path.split(".")))


def _under(parent: str, bound: Bound) -> list[sql.Composable]:
    if not parent:
        return []
    segments = parent.split("/")
    fixed = segments[: segments.index(WILDCARD)] if WILDCARD in segments else segments
    conditions: list[sql.Composable] = []
    if fixed:
        prefix = "/".join(fixed) + "/"
        # "0" is the byte after "/": the range holds exactly the names with this prefix.
        conditions.append(
            sql.SQL("name > {} AND name < {}").format(bound(prefix), bound("/".join(fixed) + "0"))
        )
    if WILDCARD in segments:
        conditions.append(sql.SQL("name ~ {}").format(bound(parent_pattern(parent))))
    return conditions


def _called(name: str, bound: Bound) -> list[sql.Composable]:
    if not name:
        return []
    segments = name.split("/")
    above = "/".join(segments[: segments.index(WILDCARD)]) if WILDCARD in segments else ""
    return [*_under(above, bound), sql.SQL("name ~ {}").format(bound(name_pattern(name)))]


def parent_pattern(parent: str) -> str:
    """Write the regular expression of names under a parent with wildcards."""
    return f"{_pattern(parent)}/"


def name_pattern(name: str) -> str:
    """Write the regular expression of names that are like one with wildcards."""
    return f"{_pattern(name)}$"


def _pattern(name: str) -> str:
    parts = ["[^/]+" if segment == WILDCARD else re.escape(segment) for segment in name.split("/")]
    return "^" + "/".join(parts)


def _beyond(
    orders: Sequence[SortKey],
    keys: Sequence[sql.Composable],
    values: Sequence[Json],
    name: str,
    bound: Bound,
) -> sql.Composable:
    branches: list[sql.Composable] = []
    equal: list[sql.Composable] = []
    for order, key, value in zip(orders, keys, values, strict=True):
        sign = sql.SQL("<" if order.descending else ">")
        branches.append(_all([*equal, sql.SQL("{} {} {}").format(key, sign, bound(Jsonb(value)))]))
        equal.append(sql.SQL("{} = {}").format(key, bound(Jsonb(value))))
    branches.append(_all([*equal, sql.SQL("name > {}").format(bound(name))]))
    return sql.SQL("({})").format(sql.SQL(" OR ").join(sql.SQL("({})").format(branch) for branch in branches))
