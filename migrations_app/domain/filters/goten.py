"""The goten dialect: OR is loosest, then AND or mere juxtaposition, then NOT."""

from __future__ import annotations

from migrations_app.domain.filters.ast import (
    RESERVED,
    Compare,
    Constant,
    Contains,
    Everything,
    Exists,
    Filter,
    In,
    IsNaN,
    IsNull,
    Like,
    MapValue,
    Not,
    Op,
    Path,
    Quantifier,
    all_of,
    any_of,
    negation,
)
from migrations_app.domain.filters.tokens import Cursor, number_of, read_path, refuse, unquote

_OPS = {"=": Op.EQ, "==": Op.EQ, "!=": Op.NE, "<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE}
_WORDS: dict[str, Constant] = {"NULL": None, "TRUE": True, "FALSE": False}


def parse_goten(text: str) -> Filter:
    """Parse a filter.

    Raises: Invalid (`filter-syntax`) naming the place.
    """
    cursor = Cursor(text)
    if cursor.here.kind == "end":
        return Everything()
    found = _any(cursor)
    if cursor.here.kind != "end":
        cursor.unexpected("AND, OR or the end")
    return found


def _any(cursor: Cursor) -> Filter:
    parts = [_all(cursor)]
    while cursor.word("OR"):
        parts.append(_all(cursor))
    return any_of(parts) if len(parts) > 1 else parts[0]


def _all(cursor: Cursor) -> Filter:
    parts = [_not(cursor)]
    while cursor.word("AND") or _starts(cursor):
        parts.append(_not(cursor))
    return all_of(parts) if len(parts) > 1 else parts[0]


def _starts(cursor: Cursor) -> bool:
    token = cursor.here
    if token.kind == "word":
        return token.keyword != "OR"
    return token.kind == "string" or (token.kind == "mark" and token.text == "(")


def _not(cursor: Cursor) -> Filter:
    negated = False
    while cursor.word("NOT"):
        negated = not negated
    inner = _group(cursor) if cursor.mark("(") else _atom(cursor)
    return negation(inner) if negated else inner


def _group(cursor: Cursor) -> Filter:
    if cursor.mark(")"):
        return Everything()
    cursor.deeper()
    inner = _any(cursor)
    cursor.expect(")")
    cursor.shallower()
    return inner


def _atom(cursor: Cursor) -> Filter:
    path = _path(cursor)
    token = cursor.here
    if token.kind == "mark" and token.text in _OPS:
        cursor.step()
        return comparison(path, _OPS[token.text], _constant(cursor))
    if cursor.word("NOT", "IN"):
        return Not(In(path, _constants(cursor)))
    if cursor.word("IN"):
        return In(path, _constants(cursor))
    if cursor.word("CONTAINS") or cursor.word("HAS"):
        return _contains(cursor, path)
    if cursor.mark(":"):
        return Contains(path, Quantifier.HAS, (_constant(cursor),))
    if cursor.word("LIKE"):
        if cursor.here.kind != "string":
            cursor.unexpected("a quoted pattern")
        token = cursor.step()
        return Like(path, unquote(token.text, token.at))
    if cursor.word("IS"):
        return _is(cursor, path)
    if cursor.word("EXISTS"):
        cursor.expect("(")
        return Exists(path, _group(cursor))
    cursor.unexpected(f"an operator after {path}")


def comparison(path: Path, op: Op, value: Constant) -> Filter:
    """Build a comparison; with null it asks whether there is a value.

    Raises: Invalid (`filter-syntax`) for an order with null.
    """
    if value is not None:
        return Compare(path, op, value)
    if op is Op.EQ:
        return IsNull(path)
    if op is Op.NE:
        return Not(IsNull(path))
    refuse(f"compares {path} by {op} with null", 0, "Write IS NULL or IS NOT NULL.")


def _is(cursor: Cursor, path: Path) -> Filter:
    negated = cursor.word("NOT")
    if cursor.word("NULL"):
        return Not(IsNull(path)) if negated else IsNull(path)
    if cursor.word("NAN"):
        # An absent value is neither NaN nor a number: IS NOT NaN asks for a value that is not NaN.
        return all_of([Not(IsNaN(path)), Not(IsNull(path))]) if negated else IsNaN(path)
    cursor.unexpected("NULL or NaN")


def _contains(cursor: Cursor, path: Path) -> Filter:
    for quantifier in (Quantifier.ANY, Quantifier.ALL):
        follows = cursor.ahead(1)
        if follows.kind == "mark" and follows.text in "([" and cursor.word(quantifier):
            return Contains(path, quantifier, _constants(cursor))
    cursor.word("VALUE")
    return Contains(path, Quantifier.VALUE, (_constant(cursor),))


def _path(cursor: Cursor) -> Path:
    token = cursor.here
    if token.kind != "word" or token.keyword in RESERVED:
        if token.kind == "string":
            return _quoted_path(cursor)
        cursor.unexpected("a field path")
    cursor.step()
    return read_path(token)


def _quoted_path(cursor: Cursor) -> Path:
    token = cursor.step()
    return Path((unquote(token.text, token.at),))


def _constants(cursor: Cursor) -> tuple[Constant, ...]:
    closing = ")" if cursor.mark("(") else "]"
    if closing == "]":
        cursor.expect("[")
    values: list[Constant] = []
    while not cursor.mark(closing):
        values.append(_constant(cursor))
        if not cursor.mark(","):
            cursor.expect(closing)
            break
    return tuple(values)


def _constant(cursor: Cursor) -> Constant:
    token = cursor.here
    if token.kind == "string":
        cursor.step()
        return unquote(token.text, token.at)
    if token.kind == "number":
        cursor.step()
        return number_of(token.text)
    if token.kind == "word" and token.keyword in _WORDS:
        cursor.step()
        return _WORDS[token.keyword]
    if cursor.mark("{"):
        return _map(cursor)
    if token.kind in ("word", "bare"):
        refuse(f"has the bare word {token.text[:40]!r} as a value", token.at, "Put text in quotes.")
    cursor.unexpected("a value")


def _map(cursor: Cursor) -> MapValue:
    cursor.deeper()
    items: dict[str, Constant] = {}
    while not cursor.mark("}"):
        token = cursor.here
        if token.kind not in ("string", "word"):
            cursor.unexpected("a key")
        cursor.step()
        key = unquote(token.text, token.at) if token.kind == "string" else token.text
        cursor.expect(":")
        items[key] = _constant(cursor)
        if not cursor.mark(","):
            cursor.expect("}")
            break
    cursor.shallower()
    return MapValue(tuple(sorted(items.items())))
