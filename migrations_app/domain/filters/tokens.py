"""Filter text cut into tokens, and a cursor over them that both dialects read from."""

from __future__ import annotations

import json
import re
from typing import NamedTuple, NoReturn

from migrations_app.domain.filters.ast import Constant, Path
from migrations_app.kernel.errors import Invalid

MAX_LENGTH = 32_768
MAX_TOKENS = 8_192
MAX_DEPTH = 64

_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_QUOTED = r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^'\\]|\\.)*'"
_SEGMENT = r"(?:[\w$/*-]|\\\.)+"
_TOKEN = re.compile(
    rf"""\s*(?:
      (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{{1,3}})?(?![\w.$/:-]))
    | (?P<word>(?:(?!\d|-)(?:{_SEGMENT})|(?:{_QUOTED})(?=[.\[]))(?:\.(?:{_SEGMENT}|{_QUOTED})|\[\d{{1,6}}\])*)
    | (?P<string>{_QUOTED})
    | (?P<mark>==|!=|<=|>=|[=<>()\[\]{{}},:])
    | (?P<bare>[\w.+:/*-]+)
    )""",
    re.VERBOSE | re.DOTALL,
)
_LONGEST_KEYWORD = len("CONTAINS")
_PLAIN = re.compile(r"[\w.$/-]+")
_PART = re.compile(rf"\[(\d+)\]|({_QUOTED})|({_SEGMENT})")


class Token(NamedTuple):
    """One word, number, text or mark, and where it begins; a tuple, because filters have many.

    `keyword` is a word in capitals, if it is short enough to be a keyword.
    """

    kind: str
    text: str
    at: int
    keyword: str = ""


def refuse(problem: str, at: int, remedy: str = "") -> NoReturn:
    """Refuse the text at a place."""
    raise Invalid(f"The filter {problem} (at {at}).", code="filter-syntax", remedy=remedy, at=at)


def cut(text: str) -> list[Token]:
    """Cut text into tokens, with an end token last.

    Raises: Invalid (`filter-syntax`).
    """
    if len(text) > MAX_LENGTH:
        refuse(f"has {len(text)} characters, {MAX_LENGTH} are allowed", MAX_LENGTH)
    tokens: list[Token] = []
    at, end, match_at, made = 0, len(text.rstrip()), _TOKEN.match, tuple.__new__
    while at < end:
        match = match_at(text, at)
        if match is None or match.end() == at:
            refuse(f"has {text[at : at + 10].strip()!r}, which is not understood", at)
        kind, found, at = match.lastgroup, match[match.lastindex or 0], match.end()
        keyword = found.upper() if kind == "word" and len(found) <= _LONGEST_KEYWORD else ""
        # As `Token(…)` would, without its argument checks, which take as long as the match.
        tokens.append(made(Token, (kind, found, at - len(found), keyword)))
        if len(tokens) > MAX_TOKENS:
            refuse(f"has more than {MAX_TOKENS} words", at)
    tokens.append(Token("end", "", end))
    return tokens


class Cursor:
    """Walks the tokens of one filter."""

    def __init__(self, text: str) -> None:
        self._tokens = cut(text)
        self._at = 0
        self._depth = 0
        self.here = self._tokens[0]  # the token that comes next

    def ahead(self, count: int) -> Token:
        """Look further ahead."""
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    def step(self) -> Token:
        """Take the next token."""
        token = self.here
        if token.kind != "end":
            self._at += 1
            self.here = self._tokens[self._at]
        return token

    def mark(self, text: str) -> bool:
        """Take a mark when it comes next."""
        token = self.here
        if token.text == text and token.kind == "mark":
            self._at += 1
            self.here = self._tokens[self._at]
            return True
        return False

    def word(self, word: str, then: str = "") -> bool:
        """Take a keyword, or two, when they come next, whatever their case."""
        if self.here.keyword != word or (then and self.ahead(1).keyword != then):
            return False
        self._at += 2 if then else 1
        self.here = self._tokens[self._at]
        return True

    def expect(self, text: str) -> None:
        """Take a mark that must come next."""
        if not self.mark(text):
            self.unexpected(f"{text!r}")

    def unexpected(self, wanted: str) -> NoReturn:
        """Refuse what comes next."""
        token = self.here
        found = f"has {token.text[:40]!r}" if token.kind != "end" else "ends"
        refuse(f"{found} where {wanted} should be", token.at)

    def deeper(self) -> None:
        """Enter a parenthesis."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            refuse(f"is nested deeper than {MAX_DEPTH}", self.here.at)

    def shallower(self) -> None:
        """Leave a parenthesis."""
        self._depth -= 1


def read_path(token: Token) -> Path:
    """Read a path token: dots part its keys, `\\.` and quotes keep a dot inside a key."""
    if _PLAIN.fullmatch(token.text):
        return Path(tuple(token.text.split(".")))
    segments: list[str | int] = []
    for match in _PART.finditer(token.text):
        index, quoted, bare = match.groups()
        if index is not None:
            segments.append(int(index))
        elif quoted is not None:
            segments.append(unquote(quoted, token.at))
        else:
            segments.append(bare.replace("\\.", "."))
    return Path(tuple(segments))


def unquote(text: str, at: int) -> str:
    """Read quoted text with JSON's escapes."""
    inner = text[1:-1]
    if "\\" not in inner:
        return inner

    def _replaced(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        if match[2] in _ESCAPES:
            return _ESCAPES[match[2]]
        if match[2] in "%_":
            return match[0]
        refuse(f"has the unknown escape {match[0]}", at)

    plain = re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", _replaced, inner, flags=re.DOTALL)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number_of(text: str) -> Constant:
    """Read a number, whole when written whole."""
    if text.isdigit() and len(text) < 19:
        return int(text)
    value: int | float = json.loads(text)
    return value
