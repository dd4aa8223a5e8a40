"""Ids made up from id patterns."""

from __future__ import annotations

import random
import re
import string
from functools import lru_cache
from typing import Final

from migrations_app.domain.resources.id_patterns import (
    TOKEN,
    checked_id_pattern,
    compile_id_pattern,
    matches_alone,
)

_CHARACTERS: Final = string.ascii_lowercase + string.digits + string.ascii_uppercase + "-_.~+%"
_REPEAT = re.compile(r"([?*+]|\{(\d*)(?:,(\d*))?\})\??")
_MOST: Final = 3


def example_id(pattern: str, chance: random.Random) -> str | None:
    """Make an id of a pattern; None when none is found."""
    body = checked_id_pattern(pattern)
    for _ in range(20):
        made, _ = _alternatives(body, 0, chance)
        if compile_id_pattern(pattern).fullmatch(made) and made != "-":
            return made
    return None


def _alternatives(body: str, at: int, chance: random.Random) -> tuple[str, int]:
    """Make one of the alternatives up to the end or the closing bracket."""
    found: list[str] = []
    while True:
        made, at = _sequence(body, at, chance)
        found.append(made)
        if at >= len(body) or body[at] == ")":
            return chance.choice(found), at + 1
        at += 1


def _sequence(body: str, at: int, chance: random.Random) -> tuple[str, int]:
    made = ""
    while at < len(body) and body[at] not in "|)":
        token = TOKEN.match(body, at)
        assert token is not None
        start, at = at, token.end()
        if token[0] in ("(?:", "("):
            at = _alternatives(body, at, chance)[1]
        end = at
        repeat = _REPEAT.match(body, at)
        at = repeat.end() if repeat else at
        for _ in range(_times(repeat, chance)):
            made += _one(body[start:end], chance)
    return made, at


def _times(repeat: re.Match[str] | None, chance: random.Random) -> int:
    if repeat is None:
        return 1
    if repeat[1] in "?*+":
        return chance.randint(int(repeat[1] == "+"), 1 if repeat[1] == "?" else _MOST)
    least = int(repeat[2] or 0)
    most = least if "," not in repeat[1] else int(repeat[3] or least + _MOST)
    return chance.randint(least, min(most, least + _MOST))


def _one(piece: str, chance: random.Random) -> str:
    if piece.startswith("("):
        return _alternatives(piece.removeprefix("(?:").removeprefix("("), 0, chance)[0]
    if len(piece) == 1 and piece != ".":
        return piece
    fitting = _fitting(piece)
    return chance.choice(fitting) if fitting else piece.lstrip("\\")


@lru_cache(maxsize=1024)
def _fitting(piece: str) -> tuple[str, ...]:
    return tuple(each for each in _CHARACTERS if matches_alone(piece, each))
