"""Refused words in the identifiers and visible texts of the front end, read from its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.structure.front_end import GENERATED, SOURCE
from tests.structure.words import REFUSED_WORDS

COMMENTS = re.compile(
    r"""(?P<kept>"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|https?://)|/\*.*?\*/|//[^\n]*""", re.DOTALL
)
TOKEN = re.compile(r"[A-Za-z_$][\w$]*(?:-\w+)*")
PHRASES = {
    word: re.compile(r"\b" + r"[\s_-]+".join(word.split("_")) + r"\b", re.IGNORECASE)
    for word in REFUSED_WORDS
    if "_" in word
}
BUILT_IN = re.compile(r"""\bMath\.floor\b|"curve-style": "straight"|^ +hollow: t`moved`,""", re.MULTILINE)
"""Names of others: of the language, of Cytoscape, and a step of the API's conversions."""


def refused_words() -> list[str]:
    """List the refused words in identifiers, file names and visible texts of the front end: file, line and word."""
    return [
        f"{path.relative_to(SOURCE)}:{line}: {word}"
        for path in sorted(SOURCE.rglob("*.ts*"))
        if path != GENERATED and ".test." not in path.name and "test" not in path.parts
        for line, word in [*_in_name(path), *refused_in(path.read_text(), wire_names())]
    ]


def refused_in(text: str, allowed: frozenset[str] = frozenset()) -> list[tuple[int, str]]:
    """List the refused words of one file with their lines; comments and the names in `allowed` do not count."""
    code = BUILT_IN.sub("", COMMENTS.sub(_without_comment, text))
    words = [(match.start(), _plain(match[0])) for match in TOKEN.finditer(code)]
    phrases = [(match.start(), word) for word, phrase in PHRASES.items() for match in phrase.finditer(code)]
    return sorted(
        {
            (code.count("\n", 0, start) + 1, word)
            for start, word in [*words, *phrases]
            if word in REFUSED_WORDS and not (word in allowed and _is_field(code, start))
        }
    )


@cache
def wire_names() -> frozenset[str]:
    """Give the names that the generated types declare: fields and values of the API, which Python decides."""
    code = COMMENTS.sub(_without_comment, GENERATED.read_text())
    return frozenset(
        _plain(name or value)
        for name, value in re.findall(
            r"""^\s*(?:readonly )?"?([\w-]+)"?\??:|"([\w-]+)\"""", code, re.MULTILINE
        )
    )


def _is_field(code: str, start: int) -> bool:
    """Decide whether a name is a field, a quoted value or a part of a path: `x.name`, `name:`, `"name"`, `/name`."""
    before, after = code[:start].rstrip("!?")[-1:], TOKEN.sub("", code[start : start + 80], count=1)
    return before in {".", '"', "/"} or re.match(r"\??:", after) is not None


def _in_name(path: Path) -> Iterator[tuple[int, str]]:
    name = _plain(path.name.partition(".")[0])
    if name in REFUSED_WORDS:
        yield 1, name


def _without_comment(match: re.Match[str]) -> str:
    return match["kept"] or "\n" * match[0].count("\n")


def _plain(name: str) -> str:
    """Write `WayBack`, `way-back` and `way_back` the same way."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().replace("-", "_").strip("_$")
