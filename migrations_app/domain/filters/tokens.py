"""Filter text cut into tokens, and a cursor over them that both dialects read from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NoReturn, TypeAlias

from migrations_app.domain.filters.ast import Constant, Path
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

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
    | (?P<strange>\S.*)
    )""",
    re.VERBOSE | re.DOTALL,
)
_LONGEST_KEYWORD = len("CONTAINS")
_END = ("", "", "", "", "", "")
_PLAIN = re.compile(r"[\w.$/-]+")
_PART = re.compile(rf"\[(\d+)\]|({_QUOTED})|({_SEGMENT})")


def refuse(words: WordedMessage, at: int, remedy: WordedMessage = NOTHING) -> NoReturn:
    """Refuse the text at a place, which the words name."""
    raise Invalid(
        words,
        code="filter-syntax",
        remedy=remedy,
        at=at,
    )


class TokenCursor:
    """Walks the tokens of one filter; all are cut at once.

    What comes next stands in the attribute that says what it is, the others are empty: a number, a word (a path or
    a keyword, which `keyword` has in capitals), a string in its quotes, a mark, or bare text that is none of these.
    At the end all are empty. Places are found when a caller asks for one, which is when something is wrong.

    Raises: Invalid (`filter-syntax`).
    """

    __slots__ = (
        "_at",
        "_cut",
        "_depth",
        "_places",
        "_text",
        "bare",
        "keyword",
        "mark",
        "number",
        "string",
        "word",
    )

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            counts = {"count": len(text), "most": MAX_LENGTH, "at": MAX_LENGTH}
            words = message("The filter has {count} characters, {most} are allowed (at {at}).", **counts)
            refuse(words, MAX_LENGTH)
        self._text = text.rstrip()
        self._cut: list[tuple[str, ...]] = _TOKEN.findall(self._text)
        self._places: list[int] = []
        self._depth = 0
        self._at = -1
        if len(self._cut) > MAX_TOKENS:
            at = self.place(MAX_TOKENS + 1)
            refuse(message("The filter has more than {most} words (at {at}).", most=MAX_TOKENS, at=at), at)
        if self._cut and (strange := self._cut[-1][-1]):
            at, text = len(self._text) - len(strange), repr(strange[:10].strip())
            refuse(message("The filter has {text}, which is not understood (at {at}).", text=text, at=at), at)
        self._cut.append(_END)
        self.step()

    def step(self) -> None:
        """Go on to the next token; at the end there is none."""
        self._at += 1
        self.number, self.word, self.string, self.mark, self.bare, _ = self._cut[self._at]
        self.keyword = self.word.upper() if len(self.word) <= _LONGEST_KEYWORD else ""

    @property
    def here(self) -> str:
        """The text of the token that comes next, whatever it is; empty at the end."""
        return self.word or self.mark or self.string or self.number or self.bare

    @property
    def following(self) -> str:
        """The text of the token after that."""
        return "".join(self._cut[self._at + 1])

    def place(self, ahead: int = 0) -> int:
        """Find out where the next token begins, or one that is further ahead; a negative number looks back."""
        if not self._places:
            self._places = [match.start(match.lastindex or 0) for match in _TOKEN.finditer(self._text)]
            self._places.append(len(self._text))
        return self._places[self._at + ahead]

    def took(self, mark: str) -> bool:
        """Take a mark when it comes next."""
        if self.mark != mark:
            return False
        self.step()
        return True

    def took_word(self, keyword: str) -> bool:
        """Take a keyword when it comes next, whatever its case."""
        if self.keyword != keyword:
            return False
        self.step()
        return True

    def expect(self, mark: str) -> None:
        """Take a mark that must come next."""
        if not self.took(mark):
            self.unexpected(message("{mark} should be there.", mark=repr(mark)))

    def unexpected(self, wanted: WordedMessage) -> NoReturn:
        """Refuse what comes next; `wanted` says what should be there."""
        at, text = self.place(), repr(self.here[:40])
        found = (
            message("The filter has {text} at {at}.", text=text, at=at)
            if self.here
            else message("The filter ends at {at}.", at=at)
        )
        refuse(found + wanted, at)

    def deeper(self) -> None:
        """Enter a parenthesis."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            at = self.place()
            refuse(message("The filter is nested deeper than {most} (at {at}).", most=MAX_DEPTH, at=at), at)

    def shallower(self) -> None:
        """Leave a parenthesis."""
        self._depth -= 1

    def unquoted(self) -> str:
        """Take the string that comes next, with JSON's escapes read."""
        inner = self.string[1:-1]
        if "\\" in inner:
            inner = unquote(self.string, self.place)
        self.step()
        return inner

    def path(self) -> Path:
        """Take the word that comes next as a path."""
        found = read_path(self.word, self.place)
        self.step()
        return found


Place: TypeAlias = Callable[[], int]


def read_path(text: str, place: Place) -> Path:
    """Read a word as a path: dots part its keys, `\\.` and quotes keep a dot inside a key.

    `place` tells where the word is if it is wrong.
    """
    if text.isidentifier():
        return Path((text,))
    if _PLAIN.fullmatch(text):
        return Path(tuple(text.split(".")))
    segments: list[str | int] = []
    for match in _PART.finditer(text):
        index, quoted, bare = match.groups()
        if index is not None:
            segments.append(int(index))
        elif quoted is not None:
            segments.append(unquote(quoted, place))
        else:
            segments.append(bare.replace("\\.", "."))
    return Path(tuple(segments))


def unquote(text: str, place: Place) -> str:
    """Read quoted text with JSON's escapes."""
    inner = text[1:-1]

    def _replaced(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        if match[2] in _ESCAPES:
            return _ESCAPES[match[2]]
        if match[2] in "%_":
            return match[0]
        at = place()
        refuse(message("The filter has the unknown escape {text} (at {at}).", text=match[0], at=at), at)

    plain = re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", _replaced, inner, flags=re.DOTALL)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number_of(text: str) -> Constant:
    """Read a number, whole when written whole."""
    if text.isdigit() and len(text) < 19:
        return int(text)
    value: int | float = json.loads(text)
    return value
