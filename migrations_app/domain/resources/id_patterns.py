"""Id patterns: regular expressions for one segment of a name, taken only when they cannot run away."""

from __future__ import annotations

import re
from functools import lru_cache

from migrations_app.kernel.errors import Invalid

MAX_LENGTH = 256

_REMEDY = "Write it without a group, look-around or back-reference, and repeat no group that repeats inside."
_CLASS = re.compile(r"(?<!\\)\[\^?\]?(?:\\.|[^\]\\])*\]")
_AMBIGUOUS = re.compile(r"^\[\^?\[|--|&&|~~|\|\|")
_FORBIDDEN = re.compile(r"\(\?(?!:)|\\[1-9]|\\[zZAbB]|(?<!\\)[\^$]")


@lru_cache(maxsize=4096)
def compile_id_pattern(text: str) -> re.Pattern[str]:
    """Compile the pattern of an id; the caller matches it whole.

    Raises: Invalid (`id-pattern`) when it is not a regular expression, or could take exponential time.
    """
    return re.compile(checked_id_pattern(text))


@lru_cache(maxsize=4096)
def checked_id_pattern(text: str) -> str:
    """Check the pattern of an id and write it without anchors and capturing groups."""
    bare = _without_anchors(text)
    if len(bare) > MAX_LENGTH:
        raise Invalid(
            f"The id pattern has {len(bare)} characters, {MAX_LENGTH} are allowed.", code="id-pattern"
        )
    plain = re.sub(r"(?<!\\)\((?!\?)", "(?:", bare)
    if any(_AMBIGUOUS.search(each) for each in _CLASS.findall(plain)):
        raise Invalid(
            f"The id pattern {text!r} has a doubtful class.",
            code="id-pattern",
            remedy="Escape [ - & ~ | in it.",
        )
    if _FORBIDDEN.search(_without_classes(plain)) or _repeats_nest(plain):
        raise Invalid(f"The id pattern {text!r} could run away.", code="id-pattern", remedy=_REMEDY)
    try:
        re.compile(plain)
    except re.error as error:
        raise Invalid(f"The id pattern {text!r} is not one: {error}.", code="id-pattern") from error
    return plain


@lru_cache(maxsize=4096)
def may_hold_slash(text: str) -> bool:
    """Tell whether an id of a pattern may hold a slash and so span segments of a name."""
    plain = checked_id_pattern(text)
    classes = _CLASS.findall(plain)
    if any(re.fullmatch(each, "/") for each in classes):
        return True
    return re.search(r"(?<!\\)\.|/|\\[SDW]", _without_classes(plain)) is not None


def _without_anchors(text: str) -> str:
    text = text.removeprefix("^")
    return text[:-1] if text.endswith("$") and not text.endswith("\\$") else text


def _without_classes(text: str) -> str:
    return _CLASS.sub("x", text)


def _repeats_nest(text: str) -> bool:
    """Tell whether a repeated group holds a repetition: the shape that backtracks exponentially."""
    flat = re.sub(r"\\.", "x", _without_classes(text))
    depth_repeats: list[bool] = [False]
    place = 0
    while place < len(flat):
        char = flat[place]
        if char == "(":
            depth_repeats.append(False)
        elif char == ")" and len(depth_repeats) > 1:
            inner = depth_repeats.pop()
            repeated = _repeat_at(flat, place + 1)
            if inner and repeated:
                return True
            depth_repeats[-1] = depth_repeats[-1] or inner or repeated
        elif _repeat_at(flat, place):
            depth_repeats[-1] = True
        place += 1
    return False


def _repeat_at(flat: str, place: int) -> bool:
    """Tell whether an unbounded or wide repetition stands at `place`; `?` and small counts are harmless."""
    if place >= len(flat):
        return False
    if flat[place] in "*+":
        return True
    counted = re.match(r"\{(\d*),?(\d*)\}", flat[place:])
    if not counted:
        return False
    return "," in counted[0] and (not counted[2] or int(counted[2]) > 4)
