"""The AIP-160 dialect: OR binds tighter than AND, `-x` negates, `:` asks what a field has."""

from __future__ import annotations

from migrations_app.domain.filters.ast import (
    ComparisonOperator,
    Constant,
    Contains,
    Everything,
    Filter,
    IsNull,
    Like,
    Not,
    Path,
    Quantifier,
    all_of,
    any_of,
    negation,
)
from migrations_app.domain.filters.goten import comparison
from migrations_app.domain.filters.tokens import TokenCursor, number_of, read_path, refuse
from migrations_app.kernel.messages import message

_OPS = {
    "=": ComparisonOperator.EQ,
    "!=": ComparisonOperator.NE,
    "<": ComparisonOperator.LT,
    "<=": ComparisonOperator.LE,
    ">": ComparisonOperator.GT,
    ">=": ComparisonOperator.GE,
}
_WORDS: dict[str, Constant] = {"null": None, "true": True, "false": False}


def parse_aip160(text: str) -> Filter:
    """Parse a filter; functions and words without a comparison are refused.

    Raises: Invalid (`filter-syntax`) naming the place.
    """
    cursor = TokenCursor(text)
    if not cursor.here:
        return Everything()
    found = _expression(cursor)
    if cursor.here:
        cursor.unexpected(message("AND, OR or the end should be there."))
    return found


def _expression(cursor: TokenCursor) -> Filter:
    parts = [_sequence(cursor)]
    while _took(cursor, "AND"):
        parts.append(_sequence(cursor))
    return all_of(parts) if len(parts) > 1 else parts[0]


def _sequence(cursor: TokenCursor) -> Filter:
    parts = [_factor(cursor)]
    while _starts(cursor):
        parts.append(_factor(cursor))
    return all_of(parts) if len(parts) > 1 else parts[0]


def _factor(cursor: TokenCursor) -> Filter:
    parts = [_term(cursor)]
    while _took(cursor, "OR"):
        parts.append(_term(cursor))
    return any_of(parts) if len(parts) > 1 else parts[0]


def _took(cursor: TokenCursor, word: str) -> bool:
    """Take a keyword; AIP-160 writes them in capitals only."""
    return cursor.word == word and cursor.took_word(word)


def _starts(cursor: TokenCursor) -> bool:
    if cursor.word or cursor.bare:
        return cursor.word not in ("AND", "OR")
    return cursor.mark == "(" or bool(cursor.string)


def _term(cursor: TokenCursor) -> Filter:
    if _took(cursor, "NOT"):
        return negation(_simple(cursor))
    if cursor.bare == "-":
        cursor.step()
        return negation(_simple(cursor))
    if cursor.bare.startswith("-"):
        return negation(_simple(cursor, signs=1))
    return _simple(cursor)


def _simple(cursor: TokenCursor, signs: int = 0) -> Filter:
    """Read a group or a comparison; `signs` belong to the next word and not to its path."""
    if cursor.took("("):
        cursor.deeper()
        inner = _expression(cursor)
        cursor.expect(")")
        cursor.shallower()
        return inner
    if cursor.mark or cursor.number or not cursor.here:
        cursor.unexpected(message("A field should be there."))
    at, text = cursor.place, cursor.here[signs:]
    if cursor.following == "(":
        words = message("The filter calls the function {name} (at {at}).", name=text, at=at() + signs)
        refuse(words, at() + signs, message("Functions are not known here."))
    if cursor.string:
        path, rest = Path((cursor.unquoted(),)), ""
    else:
        # A bare word may hold `m:key` whole.
        word, _, rest = text.partition(":")
        path = read_path(word, at)
        cursor.step()
    if rest:
        return _has(path, _word(rest))
    if cursor.took(":"):
        return _has(path, _value(cursor))
    op = _OPS.get(cursor.mark)
    if op is None:
        place, shown = cursor.place(-1) + signs, repr(text[:40])
        words = message("The filter has {text} without a comparison (at {at}).", text=shown, at=place)
        refuse(words, place, message("Write field = value."))
    cursor.step()
    return _compared(path, op, _value(cursor))


def _value(cursor: TokenCursor) -> Constant:
    if cursor.string:
        return cursor.unquoted()
    if cursor.number:
        number = number_of(cursor.number)
        cursor.step()
        return number
    if not (cursor.word or cursor.bare):
        cursor.unexpected(message("A value should be there."))
    text, end = cursor.here, cursor.place() + len(cursor.here)
    cursor.step()
    # Times such as 2026-01-31T12:00:00Z fall into several tokens that touch each other.
    while (cursor.word or cursor.bare or cursor.number or cursor.mark == ":") and cursor.place() == end:
        text, end = text + cursor.here, end + len(cursor.here)
        cursor.step()
    return _word(text)


def _word(text: str) -> Constant:
    return _WORDS.get(text, text)


def _compared(path: Path, op: ComparisonOperator, value: Constant) -> Filter:
    if (
        isinstance(value, str)
        and "*" in (value[:1], value[-1:])
        and op in (ComparisonOperator.EQ, ComparisonOperator.NE)
    ):
        if set(value) == {"*"}:
            present = Not(IsNull(path))
            return present if op is ComparisonOperator.EQ else IsNull(path)
        body = value.strip("*").replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        pattern = ("%" if value[0] == "*" else "") + body + ("%" if value[-1] == "*" else "")
        like = Like(path, pattern)
        return like if op is ComparisonOperator.EQ else all_of([Not(IsNull(path)), Not(like)])
    return comparison(path, op, value)


def _has(path: Path, value: Constant) -> Filter:
    """Ask for presence, an element of a list, a key of a map, or equality with a single value."""
    if value == "*":
        return Not(IsNull(path))
    if value is None:
        return IsNull(path)
    return Contains(path, Quantifier.HAS, (value,))
