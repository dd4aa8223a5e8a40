"""The goten dialect: OR is loosest, then AND or mere juxtaposition, then NOT."""

from __future__ import annotations

from migrations_app.domain.filters.ast import (
    RESERVED,
    Compare,
    ComparisonOperator,
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
    Path,
    Quantifier,
    all_of,
    any_of,
    negation,
)
from migrations_app.domain.filters.tokens import TokenCursor, number_of, refuse
from migrations_app.kernel.messages import message

_OPS = {
    "=": ComparisonOperator.EQ,
    "==": ComparisonOperator.EQ,
    "!=": ComparisonOperator.NE,
    "<": ComparisonOperator.LT,
    "<=": ComparisonOperator.LE,
    ">": ComparisonOperator.GT,
    ">=": ComparisonOperator.GE,
}
_WORDS: dict[str, Constant] = {"NULL": None, "TRUE": True, "FALSE": False}


def parse_goten(text: str) -> Filter:
    """Parse a filter.

    Raises: Invalid (`filter-syntax`) naming the place.
    """
    cursor = TokenCursor(text)
    if not cursor.here:
        return Everything()
    found = _any(cursor)
    if cursor.here:
        cursor.unexpected(message("AND, OR or the end should be there."))
    return found


def _any(cursor: TokenCursor) -> Filter:
    first = _all(cursor)
    if cursor.keyword != "OR":
        return first
    parts = [first]
    while cursor.took_word("OR"):
        parts.append(_all(cursor))
    return any_of(parts)


def _all(cursor: TokenCursor) -> Filter:
    first = _not(cursor)
    if not _goes_on(cursor):
        return first
    parts = [first]
    while _goes_on(cursor):
        cursor.took_word("AND")
        parts.append(_not(cursor))
    return all_of(parts)


def _goes_on(cursor: TokenCursor) -> bool:
    if cursor.word:
        return cursor.keyword != "OR"
    return cursor.mark == "(" or bool(cursor.string)


def _not(cursor: TokenCursor) -> Filter:
    negated = False
    while cursor.keyword == "NOT":
        cursor.step()
        negated = not negated
    inner = _group(cursor) if cursor.mark == "(" else _atom(cursor)
    return negation(inner) if negated else inner


def _group(cursor: TokenCursor) -> Filter:
    cursor.step()
    if cursor.took(")"):
        return Everything()
    cursor.deeper()
    inner = _any(cursor)
    cursor.expect(")")
    cursor.shallower()
    return inner


def _atom(cursor: TokenCursor) -> Filter:
    path = _path(cursor)
    op = _OPS.get(cursor.mark)
    if op is not None:
        cursor.step()
        return comparison(path, op, _constant(cursor))
    if cursor.keyword == "NOT" and cursor.following.upper() == "IN":
        cursor.step()
        cursor.step()
        return Not(In(path, _constants(cursor)))
    if cursor.took_word("IN"):
        return In(path, _constants(cursor))
    if cursor.took_word("CONTAINS") or cursor.took_word("HAS"):
        return _contains(cursor, path)
    if cursor.took(":"):
        return Contains(path, Quantifier.HAS, (_constant(cursor),))
    if cursor.took_word("LIKE"):
        if not cursor.string:
            cursor.unexpected(message("A quoted pattern should be there."))
        return Like(path, cursor.unquoted())
    if cursor.took_word("IS"):
        return _is(cursor, path)
    if cursor.took_word("EXISTS"):
        if cursor.mark != "(":
            cursor.unexpected(message("'(' should be there."))
        return Exists(path, _group(cursor))
    cursor.unexpected(message("An operator should be there, after {path}.", path=str(path)))


def comparison(path: Path, op: ComparisonOperator, value: Constant) -> Filter:
    """Build a comparison; with null it asks whether there is a value.

    Raises: Invalid (`filter-syntax`) for an order with null.
    """
    if value is not None:
        return Compare(path, op, value)
    if op is ComparisonOperator.EQ:
        return IsNull(path)
    if op is ComparisonOperator.NE:
        return Not(IsNull(path))
    words = message("The filter compares {path} by {op} with null (at {at}).", path=str(path), op=op, at=0)
    refuse(words, 0, message("Write IS NULL or IS NOT NULL."))


def _is(cursor: TokenCursor, path: Path) -> Filter:
    negated = cursor.took_word("NOT")
    if cursor.took_word("NULL"):
        return Not(IsNull(path)) if negated else IsNull(path)
    if cursor.took_word("NAN"):
        # An absent value is neither NaN nor a number: IS NOT NaN asks for a value that is not NaN.
        return all_of([Not(IsNaN(path)), Not(IsNull(path))]) if negated else IsNaN(path)
    cursor.unexpected(message("NULL or NaN should be there."))


def _contains(cursor: TokenCursor, path: Path) -> Filter:
    for quantifier in (Quantifier.ANY, Quantifier.ALL):
        if cursor.keyword == quantifier.value and cursor.following in ("(", "["):
            cursor.step()
            return Contains(path, quantifier, _constants(cursor))
    cursor.took_word("VALUE")
    return Contains(path, Quantifier.VALUE, (_constant(cursor),))


def _path(cursor: TokenCursor) -> Path:
    if cursor.word and cursor.keyword not in RESERVED:
        return cursor.path()
    if cursor.string:
        return Path((cursor.unquoted(),))
    cursor.unexpected(message("A field path should be there."))


def _constants(cursor: TokenCursor) -> tuple[Constant, ...]:
    closing = ")" if cursor.took("(") else "]"
    if closing == "]":
        cursor.expect("[")
    values: list[Constant] = []
    while not cursor.took(closing):
        values.append(_constant(cursor))
        if not cursor.took(","):
            cursor.expect(closing)
            break
    return tuple(values)


def _constant(cursor: TokenCursor) -> Constant:
    if cursor.string:
        return cursor.unquoted()
    if cursor.number:
        value = number_of(cursor.number)
        cursor.step()
        return value
    if cursor.keyword in _WORDS:
        word = _WORDS[cursor.keyword]
        cursor.step()
        return word
    if cursor.took("{"):
        return _map(cursor)
    if cursor.word or cursor.bare:
        at, text = cursor.place(), repr(cursor.here[:40])
        words = message("The filter has the bare word {text} as a value (at {at}).", text=text, at=at)
        refuse(words, at, message("Put text in quotes."))
    cursor.unexpected(message("A value should be there."))


def _map(cursor: TokenCursor) -> MapValue:
    cursor.deeper()
    items: dict[str, Constant] = {}
    while not cursor.took("}"):
        key = cursor.word
        if key:
            cursor.step()
        elif cursor.string:
            key = cursor.unquoted()
        else:
            cursor.unexpected(message("A key should be there."))
        cursor.expect(":")
        items[key] = _constant(cursor)
        if not cursor.took(","):
            cursor.expect("}")
            break
    cursor.shallower()
    return MapValue(tuple(sorted(items.items())))
