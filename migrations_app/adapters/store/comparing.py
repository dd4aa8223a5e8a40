"""Pages of two PostgreSQL namespaces compared: within the database where it can convert, else over raw rows.

Making objects of every column is most of what a comparison costs; of a raw row only the document is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from struct import Struct
from typing import cast

from msgspec.json import Decoder
from psycopg import sql

from migrations_app.adapters.databases import Connection, Databases
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store.binary_copy import read
from migrations_app.adapters.store.rows import COMPARING, RESOURCE, table_of
from migrations_app.domain.conversion.bag import BAG, is_bagged
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.kernel.errors import Busy, Stale, SwitchyardError
from migrations_app.kernel.json import JsonObject, equal_json
from migrations_app.ports.comparing import ComparedPage, CountedPage
from migrations_app.ports.conversions import Convert, Converter, SqlConversion
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import KeyRange

CONVERT_SECONDS = 1.0
"""A page ends here when its conversions take longer, so that a slice and its lease do not."""
MOST_TIMES = 3
"""So many times what a page has is read of the other side at most, so that a statement stays as short as its page."""
_loads: Callable[[bytes], JsonObject] = Decoder(dict).decode
_length, _revision = Struct("!i").unpack_from, Struct("!q").unpack_from
# A row as `straight.read` gives it: from the end of the name on shard, origin shard, uid, revision, document.
_NAME, _IDENTITY, _REVISION, _SIZE, _BODY = 6, 16, 40, 48, 52
Places = dict[str, sql.Composable]


class PostgresComparing:
    """`ports.comparing.Comparing` over the data databases."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def compare_page(
        self, source: Namespace, target: Namespace, key_range: KeyRange, converter: Converter
    ) -> ComparedPage | None:
        """Compare a page, within the database if the conversion can be said there."""
        if converter.target_type is None:
            return self._parts("compare_part", source, target, key_range, converter)
        places = _places(source, key_range) | _other(target, converter.target_type)
        plan = converter.sql
        if plan is not None and source.database == target.database:
            row = self._row(source, "compare_within", places | _expressions(plan))
            if row is not None:
                return self._compared(source, row, key_range, converter, places)
        return self._through(source, target, key_range, converter, places)

    def keeps_names(self, source: Namespace, target: Namespace, there: Converter, back: Converter) -> bool:
        """Look at the plans of both ways."""
        ways = (there.sql, back.sql)
        return (
            there.target_type is not None
            and all(way is not None and way.name_expression == "name" for way in ways)
            and (source.database, source.ring) == (target.database, target.ring)
        )

    def compare_both_ways(
        self, source: Namespace, target: Namespace, key_range: KeyRange, there: Converter, back: Converter
    ) -> ComparedPage | None:
        """Join a page with the same range of names on the other side; None too where that has far more of them."""
        plan = there.sql
        assert plan is not None
        assert there.target_type is not None
        most = MOST_TIMES * key_range.limit
        places = _places(source, key_range) | _other(target, there.target_type) | _expressions(plan) | _bags()
        other = {"target_own": sql.Literal(list(target.own)), "most": sql.Literal(most)}
        row = self._row(source, "compare_both_ways", places | other)
        if row is None:
            return None
        held, *compared, extras, bagged = row
        if cast(int, held) >= most:
            return None
        page = self._compared(source, tuple(compared), key_range, there, places)
        losses = self._losses(source, places, cast("list[str]", bagged), there, back)
        return replace(page, extras=cast("dict[str, int]", extras), losses=losses)

    def absent_page(
        self, namespace: Namespace, other: Namespace, key_range: KeyRange, back: Converter
    ) -> ComparedPage | None:
        """Look up counterparts by their names."""
        if back.target_type is None:
            return self._parts("absent_part", namespace, other, key_range, back)
        places = _places(namespace, key_range) | _other(other, back.target_type)
        plan = back.sql
        if plan is not None and namespace.database == other.database:
            expressions = _expressions(plan)
            # Only a name that is made of the document needs it to be read.
            columns = "name, revision" + (", body" if "body" in plan.name_expression else "")
            expressions["columns"] = sql.SQL(columns)
            row = self._row(namespace, "absent_within", places | expressions)
            if row is not None:
                many, last, suspects = cast("tuple[int, str | None, dict[str, int]]", row)
                pushed = plan.references is not None
                return ComparedPage(
                    many, last or key_range.after, many == key_range.limit, suspects, pushed=pushed
                )
        return self._named(namespace, other, key_range, back, places)

    def count_page(self, namespace: Namespace, key_range: KeyRange, back: Converter) -> CountedPage | None:
        """Count within the database; where it cannot convert there is no shorter way."""
        plan = back.sql
        if plan is None or back.target_type is None:
            return None
        places = _places(namespace, key_range)
        row = self._row(namespace, "count_within", places | _expressions(plan) | _bags())
        if row is None:
            return None
        many, last, found, unsure = cast("tuple[int, str | None, int, list[str]]", row)
        if unsure:
            with translated(namespace), self._databases.connection(namespace.database) as connection:
                rows = read(connection, _named(places["source_schema"], places["source_table"], unsure))
            kept = _kept(rows, back.forward)
            if kept is None:
                return None
            found += kept
        return CountedPage(many, last or key_range.after, many == key_range.limit, found)

    def count_return_page(
        self, namespace: Namespace, key_range: KeyRange, there: Converter, back: Converter
    ) -> CountedPage | None:
        """Convert only what has a bag: both plans are SQL, and such conversions find all else again."""
        plan = there.sql
        if plan is None or back.sql is None or plan.name_expression != "name":
            return None
        places = _places(namespace, key_range)
        row = self._row(namespace, "bagged_names", places | _bags())
        if row is None:
            return None
        many, last, bagged = cast("tuple[int, str | None, list[str]]", row)
        found = self._losses(namespace, places, bagged, there, back)
        return (
            None
            if found is None
            else CountedPage(many, last or key_range.after, many == key_range.limit, found)
        )

    def _losses(
        self, namespace: Namespace, places: Places, bagged: list[str], there: Converter, back: Converter
    ) -> int | None:
        """Convert what has a bag there and back, and count what keeps one; None when one of them fails."""
        if not bagged:
            return 0
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            rows = read(connection, _named(places["source_schema"], places["source_table"], bagged))
        return _kept(rows, there.forward, back.forward)

    def _parts(
        self,
        statement: str,
        source: Namespace,
        target: Namespace,
        key_range: KeyRange,
        converter: Converter,
    ) -> ComparedPage | None:
        """Compare a page of a type that splits, if the database can go all of its ways."""
        if not converter.parts or source.database != target.database:
            return None
        parts = [
            COMPARING.template(statement).format(
                **_other(target, each.target_type),
                **_expressions(each.plan),
                condition=sql.SQL(each.condition_expression),
            )
            for each in converter.parts
        ]
        places = _places(source, key_range) | {
            "parts": sql.SQL(" UNION ALL ").join(parts),
            "condition": sql.SQL(" OR ").join(
                sql.SQL(f"({each.condition_expression})") for each in converter.parts
            ),
        }
        row = self._row(source, "compare_parts", places)
        if row is None:
            return None
        many, last, suspects = cast("tuple[int, str | None, dict[str, int]]", row)
        return ComparedPage(many, last or key_range.after, many == key_range.limit, suspects, pushed=True)

    def _compared(
        self,
        source: Namespace,
        row: tuple[object, ...],
        key_range: KeyRange,
        converter: Converter,
        places: Places,
    ) -> ComparedPage:
        """Compare here what the database was unsure about."""
        many, last, suspects, unsure = cast("tuple[int, str | None, dict[str, int], list[str]]", row)
        if unsure:
            with translated(source), self._databases.connection(source.database) as connection:
                rows = read(connection, _named(places["source_schema"], places["source_table"], unsure))
            made, _ = _converted(rows, converter.forward, float("inf"))
            with translated(source), self._databases.connection(source.database) as connection:
                held = _held(connection, places, made, None)
            suspects |= _suspects(rows, made, held)
        pushed = converter.sql is not None and converter.sql.references is not None
        return ComparedPage(many, last or key_range.after, many == key_range.limit, suspects, pushed=pushed)

    def _row(self, namespace: Namespace, statement: str, places: Places) -> tuple[object, ...] | None:
        """Ask; None when one resource of the page is nothing that the statement can convert."""
        try:
            with translated(namespace), self._databases.connection(namespace.database) as connection:
                return connection.execute(COMPARING.template(statement).format(**places)).fetchone()
        except (Busy, Stale):
            raise
        except SwitchyardError:
            return None

    def _through(
        self, source: Namespace, target: Namespace, key_range: KeyRange, converter: Converter, places: Places
    ) -> ComparedPage:
        """Read both sides as bytes and convert here; no transaction is open meanwhile."""
        asked = RESOURCE.template("page_open").format(
            schema=places["source_schema"],
            table=places["source_table"],
            documents=RESOURCE.template("documents"),
            **{name: places[name] for name in ("shard", "after", "limit", "own")},
        )
        with translated(source), self._databases.connection(source.database) as connection:
            rows = read(connection, asked)
        made, taken = _converted(rows, converter.forward, CONVERT_SECONDS)
        last = _name(rows[taken - 1]) if taken else key_range.after
        alike = source.ring == target.ring and all(
            one is None or one[0] == _name(row) for one, row in zip(made, rows, strict=False)
        )
        with translated(target), self._databases.connection(target.database) as connection:
            held = _held(connection, places, made, last if alike else None)
        suspects = _suspects(rows, made, held)
        return ComparedPage(taken, last, taken < len(rows) or len(rows) == key_range.limit, suspects)

    def _named(
        self, namespace: Namespace, other: Namespace, key_range: KeyRange, back: Converter, places: Places
    ) -> ComparedPage:
        """Convert the names alone."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            rows = connection.execute(COMPARING.template("names").format(**places)).fetchall()
        page = cast("list[tuple[str, int]]", rows)
        last = page[-1][0] if page else key_range.after
        made = {name: place[1] if (place := back.place(name)) else None for name, _ in page}
        known = [name for name in made.values() if name is not None]
        alike = namespace.ring == other.ring and all(name == one for name, one in made.items())
        with translated(other), self._databases.connection(other.database) as connection:
            statement = "names_between" if alike else "names_among"
            more = {"last": sql.Literal(last), "names": sql.Literal(known)}
            found = connection.execute(COMPARING.template(statement).format(**places | more)).fetchall()
        there = {str(row[0]) for row in found}
        suspects = {name: revision for name, revision in page if made[name] not in there}
        return ComparedPage(len(page), last, len(page) == key_range.limit, suspects)


def _places(namespace: Namespace, key_range: KeyRange) -> Places:
    return {
        "source_schema": sql.Identifier(namespace.schema),
        "source_table": sql.Identifier(table_of(key_range.type)),
        "shard": sql.Literal(key_range.shard),
        "after": sql.Literal(key_range.after),
        "limit": sql.Literal(key_range.limit),
        "own": sql.Literal(list(namespace.own)),
    }


def _other(namespace: Namespace, type_: str) -> Places:
    return {
        "target_schema": sql.Identifier(namespace.schema),
        "target_table": sql.Identifier(table_of(type_)),
    }


def _expressions(plan: SqlConversion) -> Places:
    return {
        "name_expression": sql.SQL(plan.name_expression),
        "body_expression": sql.SQL(plan.body_expression),
        "unsure_expression": sql.SQL(plan.unsure_expression),
    }


def _bags() -> Places:
    """Say where a document has a bag at any depth."""
    return {"bags": sql.SQL("{}::jsonpath").format(sql.Literal(f'$.**."{BAG}"'))}


def _named(schema: sql.Composable, table: sql.Composable, names: list[str]) -> sql.Composed:
    return RESOURCE.template("named").format(schema=schema, table=table, names=sql.Literal(names))


def _converted(
    rows: list[bytes], convert: Convert, seconds: float
) -> tuple[list[tuple[str, JsonObject] | None], int]:
    """Convert a page, or what of it can be converted in time; None stands for what does not convert."""
    made: list[tuple[str, JsonObject] | None] = []
    until = time.monotonic() + seconds
    for row in rows:
        try:
            one = convert(_name(row), _document(row))
            made.append((one.name, one.body))
        except Exception:
            # A conversion may raise anything. A second look tells what it is.
            made.append(None)
        if time.monotonic() > until:
            break
    return made, len(made)


def _held(
    connection: Connection,
    places: Places,
    made: Iterable[tuple[str, JsonObject] | None],
    last: str | None,
) -> dict[str, bytes]:
    """Read what the other side has, by a range of names where they are the same on both sides."""
    if last is not None:
        asked = COMPARING.template("between").format(**places, last=sql.Literal(last))
    else:
        names = [one[0] for one in made if one is not None]
        asked = _named(places["target_schema"], places["target_table"], names)
    return {_name(row): row for row in read(connection, asked)}


def _suspects(
    rows: list[bytes], made: list[tuple[str, JsonObject] | None], held: dict[str, bytes]
) -> dict[str, int]:
    """Name what differs, with its revision; of a page that took too long only what was converted."""
    return {
        _name(row): _revision(row, _end(row) + _REVISION)[0]
        for row, one in zip(rows, made, strict=False)
        if one is None or _differs(row, one[1], held.get(one[0]))
    }


def _kept(rows: list[bytes], *conversions: Convert) -> int | None:
    """Count what keeps a bag, or has no image, after some conversions; None when one fails.

    Counting one by one then tells what failed.
    """
    found = 0
    for row in rows:
        name, body = _name(row), _document(row)
        try:
            for convert in conversions:
                made = convert(name, body)
                name, body = made.name, made.body
            found += is_bagged(body)
        except NoImage:
            found += 1
        except Exception:
            # A conversion may raise anything.
            return None
    return found


def _differs(row: bytes, wanted: JsonObject, held: bytes | None) -> bool:
    if held is None:
        return True
    at, there = _end(row), _end(held)
    if row[at + _IDENTITY : at + _SIZE] != held[there + _IDENTITY : there + _SIZE]:
        return True
    return not equal_json(_document(held), wanted)


def _end(row: bytes) -> int:
    return _NAME + cast(int, _length(row, 2)[0])


def _name(row: bytes) -> str:
    return row[_NAME : _end(row)].decode()


def _document(row: bytes) -> JsonObject:
    at = _end(row)
    # A jsonb travels as its version, 1, and its text.
    return _loads(row[at + _BODY + 1 : at + _BODY + _length(row, at + _SIZE)[0]])
