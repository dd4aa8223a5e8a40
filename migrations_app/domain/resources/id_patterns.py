"""Id patterns: regular expressions for one id of a name, matched in linear time."""

from __future__ import annotations

import re
from functools import lru_cache

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.linear_regex import LinearPattern, compile_linear
from migrations_app.kernel.messages import message

MAX_LENGTH = 256

_REMEDY = message("Write it without anchors inside, flags, look-around and back-references.")
_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_ESCAPE = (
    r"\\[pP](?:\{\^?\w+\}|\w)|\\x\{[0-9a-fA-F]+\}|\\x[0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\."
)
TOKEN = re.compile(rf"{_CLASS}|{_ESCAPE}|\(\?:|.", re.DOTALL)
_AMBIGUOUS = re.compile(r"^\[\^?\[|--|&&|~~|\|\|")
_FORBIDDEN = re.compile(r"\\[0-9zZAbBQECe]|[\^$]")


@lru_cache(maxsize=4096)
def compile_id_pattern(text: str) -> LinearPattern:
    """Compile the pattern of an id; the caller matches it whole.

    Raises: Invalid (`id-pattern`) when it is not one that ids can have.
    """
    return compile_linear(checked_id_pattern(text))


@lru_cache(maxsize=4096)
def checked_id_pattern(text: str) -> str:
    """Check the pattern of an id and write it without the anchors at its ends.

    Raises: Invalid (`id-pattern`).
    """
    bare = _without_anchors(text)
    if len(bare) > MAX_LENGTH:
        raise Invalid(
            message(
                "The id pattern has {count} characters, {max_length} are allowed.",
                count=len(bare),
                max_length=MAX_LENGTH,
            ),
            code="id-pattern",
        )
    tokens = TOKEN.findall(bare)
    if any(token.startswith("[") and _AMBIGUOUS.search(token) for token in tokens):
        raise Invalid(
            message("The id pattern {text} has an ambiguous character class.", text=repr(text)),
            code="id-pattern",
            remedy=message("Escape [ - & ~ {form} in it.", form="|"),
        )
    if "(?" in re.sub(r"\(\?:", "(", bare) or any(_FORBIDDEN.fullmatch(token) for token in tokens):
        raise Invalid(
            message("The id pattern {text} is not one for ids.", text=repr(text)),
            code="id-pattern",
            remedy=_REMEDY,
        )
    try:
        compile_linear(bare)
    except Invalid as error:
        raise Invalid(
            message("The id pattern {text} is not one:", text=repr(text)) + error.words,
            code="id-pattern",
            remedy=error.remedy_words,
        ) from error
    return bare


@lru_cache(maxsize=4096)
def may_hold_slash(text: str) -> bool:
    """Tell whether an id of a pattern may hold a slash and so span segments of a name."""
    return any(matches_alone(token, "/") for token in TOKEN.findall(checked_id_pattern(text)))


@lru_cache(maxsize=4096)
def matches_alone(token: str, character: str) -> bool:
    """Tell whether one token of a pattern, such as a class, stands for a character."""
    try:
        return compile_linear(token).fullmatch(character)
    except Invalid:
        return False


def _without_anchors(text: str) -> str:
    text = text.removeprefix("^")
    return text[:-1] if text.endswith("$") and not text.endswith("\\$") else text
