"""The AIP-160 dialect: OR binds tighter than AND, `-x` negates, `:` asks what a field has."""

from __future__ import annotations

from migrations_app.domain.filters.ast import (
    Constant,
    Contains,
    Everything,
    Filter,
    IsNull,
    Like,
    Not,
    Op,
    Path,
    Quantifier,
    all_of,
    any_of,
    negation,
)
from migrations_app.domain.filters.goten import comparison
from migrations_app.domain.filters.tokens import Cursor, Token, number_of, read_path, refuse, unquote

_OPS = {"=": Op.EQ, "!=": Op.NE, "<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE}
_WORDS: dict[str, Constant] = {"null": None, "true": True, "false": False}


def parse_aip160(text: str) -> Filter:
    """Parse a filter; functions and words without a comparison are refused.

    Raises: Invalid (`filter-syntax`) naming the place.
    """
    cursor = Cursor(text)
    if cursor.here.kind == "end":
        return Everything()
    found = _expression(cursor)
    if cursor.here.kind != "end":
        cursor.unexpected("AND, OR or the end")
    return found


def _expression(cursor: Cursor) -> Filter:
    parts = [_sequence(cursor)]
    while _keyword(cursor, "AND"):
        parts.append(_sequence(cursor))
    return all_of(parts) if len(parts) > 1 else parts[0]


def _sequence(cursor: Cursor) -> Filter:
    parts = [_factor(cursor)]
    while _starts(cursor):
        parts.append(_factor(cursor))
    return all_of(parts) if len(parts) > 1 else parts[0]


def _factor(cursor: Cursor) -> Filter:
    parts = [_term(cursor)]
    while _keyword(cursor, "OR"):
        parts.append(_term(cursor))
    return any_of(parts) if len(parts) > 1 else parts[0]


def _keyword(cursor: Cursor, word: str) -> bool:
    """Take a keyword; AIP-160 writes them in capitals only."""
    return cursor.here.text == word and cursor.word(word)


def _starts(cursor: Cursor) -> bool:
    token = cursor.here
    if token.kind in ("word", "bare"):
        return token.text not in ("AND", "OR")
    return token.kind == "string" or (token.kind == "mark" and token.text == "(")


def _term(cursor: Cursor) -> Filter:
    if _keyword(cursor, "NOT"):
        return negation(_simple(cursor, cursor.here))
    token = cursor.here
    if token.kind == "bare" and token.text == "-":
        cursor.step()
        return negation(_simple(cursor, cursor.here))
    if token.kind == "bare" and token.text.startswith("-"):
        return negation(_simple(cursor, Token("word", token.text[1:], token.at + 1)))
    return _simple(cursor, token)


def _simple(cursor: Cursor, token: Token) -> Filter:
    if cursor.mark("("):
        cursor.deeper()
        inner = _expression(cursor)
        cursor.expect(")")
        cursor.shallower()
        return inner
    if token.kind not in ("word", "bare", "string"):
        cursor.unexpected("a field")
    cursor.step()
    follows = cursor.here
    if follows.kind == "mark" and follows.text == "(":
        refuse(f"calls the function {token.text}", token.at, "Functions are not known here.")
    path, rest = _split_path(token)
    if rest:
        return _has(path, _word(rest))
    if cursor.mark(":"):
        return _has(path, _value(cursor))
    if follows.kind == "mark" and follows.text in _OPS:
        cursor.step()
        return _compared(path, _OPS[follows.text], _value(cursor))
    refuse(f"has {token.text[:40]!r} without a comparison", token.at, "Write field = value.")


def _split_path(token: Token) -> tuple[Path, str]:
    """Part `m:key`, which the tokens keep together when a bare word holds it."""
    if token.kind == "string":
        return Path((unquote(token.text, token.at),)), ""
    text, colon, rest = token.text.partition(":")
    return read_path(Token("word", text, token.at)), rest if colon else ""


def _value(cursor: Cursor) -> Constant:
    token = cursor.step()
    if token.kind == "string":
        return unquote(token.text, token.at)
    if token.kind == "number":
        return number_of(token.text)
    if token.kind not in ("word", "bare"):
        refuse("ends where a value should be" if token.kind == "end" else f"has {token.text!r}", token.at)
    text = token.text
    # Times such as 2026-01-31T12:00:00Z fall into several tokens that touch each other.
    while cursor.here.at == token.at + len(text) and (
        cursor.here.kind in ("word", "bare", "number") or cursor.here.text == ":"
    ):
        text += cursor.step().text
    return _word(text)


def _word(text: str) -> Constant:
    return _WORDS.get(text, text)


def _compared(path: Path, op: Op, value: Constant) -> Filter:
    if isinstance(value, str) and "*" in (value[:1], value[-1:]) and op in (Op.EQ, Op.NE):
        if set(value) == {"*"}:
            present = Not(IsNull(path))
            return present if op is Op.EQ else IsNull(path)
        body = value.strip("*").replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        pattern = ("%" if value[0] == "*" else "") + body + ("%" if value[-1] == "*" else "")
        like = Like(path, pattern)
        return like if op is Op.EQ else all_of([Not(IsNull(path)), Not(like)])
    return comparison(path, op, value)


def _has(path: Path, value: Constant) -> Filter:
    """Ask for presence, an element of a list, a key of a map, or equality with a single value."""
    if value == "*":
        return Not(IsNull(path))
    if value is None:
        return IsNull(path)
    return Contains(path, Quantifier.HAS, (value,))
