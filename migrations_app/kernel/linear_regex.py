"""Regular expressions that users write, matched in time linear in the value: RE2, never `re`.

`re` backtracks, so that some patterns take exponential time, and it holds the interpreter's lock meanwhile. RE2
does not backtrack and releases the lock. What is left to bound is the product of the compiled size of a pattern
and the length of a value: `MAX_PROGRAM` and `MAX_STEPS`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from re2 import Options, _re2, error

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import WordedMessage, message

MAX_LENGTH: Final = 4096
MAX_PROGRAM: Final = 10_000
MAX_STEPS: Final = 50_000_000
MAX_VALUE: Final = 65_536

_MEMORY = 4 << 20
_TOKEN = re.compile(
    r"\\u\{(?P<point>[0-9a-fA-F]{1,6})\}|\\u(?P<unit>[0-9a-fA-F]{4})(?:\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2}))?"
    r"|\\(?P<escape>.)|(?P<open>\[\^?)(?P<empty>\])?|(?P<close>\])|.",
    re.DOTALL,
)


class LinearPattern:
    """A compiled pattern; a value longer than `longest_bytes` matches nothing.

    Source: RE2's syntax, where `^` and `$` are the ends of the whole value, `.` is anything but a line feed,
    and `\\d`, `\\w`, `\\s` and `\\b` are of ASCII; of ECMAScript's escapes `\\uXXXX` is understood too.
    """

    __slots__ = ("_regexp", "_variables", "longest_bytes", "program_size")

    def __init__(
        self, text: str, *, captures: bool = False, dot_all: bool = False, bounded: bool = True
    ) -> None:
        options = Options()
        options.never_capture, options.dot_nl = not captures, dot_all
        options.log_errors, options.max_mem = False, _MEMORY
        # The class below the package's own wrapper: six times faster to call; the lock pins its version.
        self._regexp = _re2.RE2(text.encode(), options)
        if not self._regexp.ok():
            raise error(self._regexp.error())
        self.program_size: int = max(self._regexp.ProgramSize(), self._regexp.ReverseProgramSize(), 1)
        self.longest_bytes = min(MAX_VALUE, MAX_STEPS // self.program_size) if bounded else 1 << 31
        named = self._regexp.NamedCapturingGroups() if captures else []
        self._variables = tuple((name.decode(), place) for name, place in named)

    def is_too_long(self, value: str) -> bool:
        """Tell whether a value is longer than what is compared with this pattern."""
        return len(value) * 4 > self.longest_bytes and len(_encoded(value)) > self.longest_bytes

    def fullmatch(self, value: str) -> bool:
        """Tell whether the whole value is of the pattern."""
        return self._spans(value, _re2.RE2.Anchor.ANCHOR_BOTH) is not None

    def search(self, value: str) -> bool:
        """Tell whether some part of the value is of the pattern."""
        return self._spans(value, _re2.RE2.Anchor.UNANCHORED) is not None

    def groups(self, value: str) -> dict[str, str] | None:
        """Take a whole value apart into the named groups of the pattern; None when it is not of it."""
        spans, data = self._spans(value, _re2.RE2.Anchor.ANCHOR_BOTH), _encoded(value)
        if spans is None:
            return None
        return {
            name: data[slice(*spans[place])].decode("utf-8", "surrogatepass")
            for name, place in self._variables
        }

    def _spans(self, value: str, anchor: object) -> list[tuple[int, int]] | None:
        data = _encoded(value)
        size = len(data)
        if size > self.longest_bytes:
            return None
        spans: list[tuple[int, int]] = self._regexp.Match(anchor, data, 0, size)
        return None if spans[0][0] < 0 else spans


@lru_cache(maxsize=4096)
def compile_linear(text: str, *, captures: bool = False) -> LinearPattern:
    """Compile a pattern that a user wrote.

    Raises: Invalid (`pattern-unsupported`) when RE2 cannot express it, or it is too large.
    """
    if len(text) > MAX_LENGTH:
        raise _refusal(
            message(
                "The pattern {pattern} cannot be used: it has {count} characters, {max_length} are allowed.",
                pattern=repr(text[:80]),
                count=len(text),
                max_length=MAX_LENGTH,
            )
        )
    try:
        pattern = LinearPattern(_translated(text), captures=captures)
    except UnicodeEncodeError:
        raise _refusal(
            message(
                "The pattern {pattern} cannot be used: it holds half of a surrogate pair.",
                pattern=repr(text[:80]),
            )
        ) from None
    except error as problem:
        words = message(
            "The pattern {pattern} cannot be used: {reason}.",
            pattern=repr(text[:80]),
            reason=_reason(problem),
        )
        raise _refusal(words) from problem
    if pattern.program_size > MAX_PROGRAM:
        raise _refusal(
            message(
                "The pattern {pattern} cannot be used: its {program_size} instructions are more than "
                "{max_program}.",
                pattern=repr(text[:80]),
                program_size=pattern.program_size,
                max_program=MAX_PROGRAM,
            )
        )
    return pattern


def _encoded(value: str) -> bytes:
    # Half a surrogate pair, which JSON can hold, counts as a character; documents and names refuse it themselves.
    return value.encode("utf-8", "surrogatepass")


def _reason(problem: Exception) -> str:
    said = problem.args[0] if problem.args else ""
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)


def _refusal(words: WordedMessage) -> Invalid:
    return Invalid(
        words,
        code="pattern-unsupported",
        remedy=message(
            "Write it in RE2's syntax: without look-around and back-references, and repeat at "
            "most 1000 times."
        ),
    )


def _translated(text: str) -> str:
    """Write ECMAScript's escapes of characters as RE2 does; refuse what the two read differently."""
    parts: list[str] = []
    in_class = False
    for token in _TOKEN.finditer(text):
        if token["point"] or token["unit"]:
            parts.append(_character(text, token))
            continue
        if token["escape"] == "C":
            raise _refusal(
                message(
                    "The pattern {pattern} cannot be used: \\C is a byte, not a character.",
                    pattern=repr(text[:80]),
                )
            )
        if token["open"] and token["empty"] and not in_class:
            raise _refusal(
                message(
                    "The pattern {pattern} cannot be used: a class that begins with ] is read in two "
                    "ways; write \\] in it.",
                    pattern=repr(text[:80]),
                )
            )
        if token["open"] or token["close"]:
            in_class = bool(token["open"]) and not (in_class and token["empty"])
        parts.append(token[0])
    return "".join(parts)


def _character(text: str, token: re.Match[str]) -> str:
    code, low = int(token["point"] or token["unit"], 16), int(token["low"] or "0", 16)
    following = f"\\x{{{low:x}}}" if low else ""
    if low and 0xD800 <= code < 0xDC00:
        code, following = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), ""
    if 0xD800 <= code < 0xE000 or following:
        raise _refusal(
            message(
                "The pattern {pattern} cannot be used: it holds half of a surrogate pair.",
                pattern=repr(text[:80]),
            )
        )
    return f"\\x{{{code:x}}}"
