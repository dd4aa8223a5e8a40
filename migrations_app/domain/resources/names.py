"""Resource names: patterns, parsing and formatting, parents, wildcards and full names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from migrations_app.domain.resources.id_patterns import (
    checked_id_pattern,
    compile_id_pattern,
    may_hold_slash,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.linear_regex import LinearPattern, compile_linear
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

WILDCARD = "-"
MAX_LENGTH = 1024

_VARIABLE = re.compile(r"\{([a-zA-Z][a-zA-Z0-9_]*)(?:=(\*\*?))?\}")
_ANY_ID = r"[^/]+"
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ufeff\u200b-\u200f\u202a-\u202e\ud800-\udfff]")


def canonical_name(name: str) -> str:
    """Return the name when it is written in the one canonical form.

    Raises: Invalid (`name`): names are not mended, because two spellings of one name would be two resources.
    """
    problem = _problem_of(name)
    if problem:
        raise Invalid(
            message("The name {name} cannot be used:", name=repr(name[:80])) + problem,
            code="name",
            remedy=message("Write it in the canonical form."),
        )
    return name


def _problem_of(name: str) -> WordedMessage:
    if not name:
        return message("is empty")
    if len(name) > MAX_LENGTH:
        return message("has {count} characters, {most} are allowed", count=len(name), most=MAX_LENGTH)
    if _FORBIDDEN.search(name):
        return message("has a space, control, invisible or half character")
    if not name.isascii() and unicodedata.normalize("NFC", name) != name:
        return message("is not in Unicode normal form C")
    if any(segment in ("", ".", "..") for segment in name.split("/")):
        return message("has an empty or relative segment")
    return NOTHING


@dataclass(frozen=True, slots=True)
class Pattern:
    """The shape of names, such as `projects/{project}/secrets/{secret}`.

    `ids` gives the id pattern of a variable; without one an id is anything but a slash. A bare `-` is
    never an id: it is the wildcard, taken only where the caller asks for it.
    """

    text: str
    ids: tuple[tuple[str, str], ...] = ()
    variables: tuple[str, ...] = field(init=False)
    _segments: re.Pattern[str] | None = field(init=False, repr=False, compare=False)
    _checks: tuple[LinearPattern | None, ...] = field(init=False, repr=False, compare=False)
    _whole: tuple[LinearPattern, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        variables = tuple(match[1] for match in _VARIABLE.finditer(self.text))
        if len(set(variables)) != len(variables):
            raise Invalid(
                message("The pattern {text} names a variable twice.", text=repr(self.text)),
                code="name-pattern",
            )
        bare = _VARIABLE.sub("x", self.text)
        if not bare or "{" in bare or "}" in bare or _problem_of(bare):
            raise Invalid(message("{text} is not a name pattern.", text=repr(self.text)), code="name-pattern")
        object.__setattr__(self, "variables", variables)
        ids = dict(self.ids)
        checks = tuple(compile_id_pattern(ids[each]) if each in ids else None for each in variables)
        object.__setattr__(self, "_checks", checks)
        object.__setattr__(self, "_segments", self._segment_grammar())
        whole = () if self._segments else map(self._whole_grammar, (False, True))
        object.__setattr__(self, "_whole", tuple(whole))

    @classmethod
    def parse(cls, text: str, ids: Mapping[str, str] | None = None) -> Pattern:
        """Read a pattern, with the id patterns of its variables.

        Raises: Invalid (`name-pattern`, `id-pattern`).
        """
        used = {match[1] for match in _VARIABLE.finditer(text)}
        return _pattern(
            text, tuple(sorted((key, value) for key, value in (ids or {}).items() if key in used))
        )

    def _segment_grammar(self) -> re.Pattern[str] | None:
        """Write the grammar of names whose variables are whole segments; None when some are not.

        It cannot backtrack: a group ends at the next slash. What is left is matched by RE2.
        """
        parts = []
        for segment in self.text.split("/"):
            found = _VARIABLE.fullmatch(segment)
            if (found is None and "{" in segment) or (found is not None and self._spans_slashes(segment)):
                return None
            parts.append(f"({_ANY_ID})" if found else re.escape(segment))
        return re.compile("/".join(parts))

    def _whole_grammar(self, wildcards: bool) -> LinearPattern:
        ids, parts, at = dict(self.ids), [], 0
        for match in _VARIABLE.finditer(self.text):
            parts.append(re.escape(self.text[at : match.start()]))
            at = match.end()
            if body := ids.get(match[1]):
                grammar = checked_id_pattern(body)
            else:
                rest = ".*" if match[2] == "**" else "[^/]*"
                grammar = f"[^/-]{rest}|{WILDCARD}[^/]{rest}" if self._ends_segment(match) else f"[^/]{rest}"
            parts.append(f"(?P<{match[1]}>{f'{WILDCARD}|' if wildcards else ''}(?:{grammar}))")
        return compile_linear("".join([*parts, re.escape(self.text[at:])]), captures=True)

    def _ends_segment(self, match: re.Match[str]) -> bool:
        return self.text[match.end() : match.end() + 1] in ("", "/")

    def match(self, name: str, *, wildcards: bool = False) -> dict[str, str] | None:
        """Take a name apart into its ids; None when it is not of this shape or not canonical."""
        if self._segments is None:
            return self._match_whole(name, wildcards=wildcards)
        found = self._segments.fullmatch(name)
        if found is None or _problem_of(name):
            return None
        ids = found.groups()
        for given, check in zip(ids, self._checks, strict=True):
            if given == WILDCARD:
                if not wildcards:
                    return None
            elif check is not None and not check.fullmatch(given):
                return None
        return dict(zip(self.variables, ids, strict=True))

    def _match_whole(self, name: str, *, wildcards: bool) -> dict[str, str] | None:
        ids = None if _problem_of(name) else self._whole[wildcards].groups(name)
        if ids is None or wildcards:
            return ids
        for match in _VARIABLE.finditer(self.text):
            given = ids[match[1]]
            if given.startswith(f"{WILDCARD}/") or (given == WILDCARD and self._ends_segment(match)):
                return None
        return ids

    def problem(self, name: str) -> WordedMessage | None:
        """Say in words what is wrong with a name of this many segments, with these between its ids.

        None when it is of another shape altogether.
        """
        mine, theirs = self.text.split("/"), name.split("/")
        if len(mine) != len(theirs):
            return None
        ids, wrong = dict(self.ids), NOTHING
        for segment, given in zip(mine, theirs, strict=True):
            found = _VARIABLE.fullmatch(segment)
            if found is None:
                if segment != given:
                    return None
            elif given == WILDCARD:
                wrong = wrong or message(
                    "has the wildcard {mark} for {variable}", mark=WILDCARD, variable=segment
                )
            elif (body := ids.get(found[1])) and not compile_id_pattern(body).fullmatch(given):
                wrong = wrong or message(
                    "has {text} for {variable}, which is written {pattern}",
                    text=repr(given[:80]),
                    variable=segment,
                    pattern=body,
                )
        return _problem_of(name) or wrong

    def format(self, ids: Mapping[str, str], *, wildcards: bool = False) -> str:
        """Put a name together from its ids.

        Raises: Invalid (`name`) when an id is missing or does not fit: what is formatted always parses back.
        """
        missing = [variable for variable in self.variables if not ids.get(variable)]
        if missing:
            raise Invalid(
                message("A name of {text} needs {missing}.", text=self.text, missing=", ".join(missing)),
                code="name",
            )
        name = _VARIABLE.sub(lambda match: ids[match[1]], self.text)
        taken = {variable: ids[variable] for variable in self.variables}
        if self.match(name, wildcards=wildcards) != taken:
            raise Invalid(
                message("{name} is not a name of {text}.", name=repr(name[:80]), text=self.text), code="name"
            )
        return name

    @property
    def collection(self) -> str:
        """The plural segment before the last id: `secrets`; of a singleton its own segment."""
        segments = self.text.split("/")
        return segments[-2] if _VARIABLE.search(segments[-1]) and len(segments) > 1 else segments[-1]

    @property
    def is_singleton(self) -> bool:
        """Whether the name ends in a fixed segment, such as `projects/{project}/settings`."""
        return _VARIABLE.search(self.text.split("/")[-1]) is None

    def parent(self) -> Pattern | None:
        """Drop the last collection and id; None at the top."""
        segments = self.text.split("/")
        kept = segments[: -1 if self.is_singleton else -2]
        return Pattern.parse("/".join(kept), dict(self.ids)) if kept else None

    def may_overlap(self, other: Pattern) -> bool:
        """Tell whether some name could be of both shapes; true when that cannot be ruled out."""
        mine, theirs = self.text.split("/"), other.text.split("/")
        overlaps = _SegmentTest(dict(self.ids), dict(other.ids))
        for left, right in zip(mine, theirs, strict=False):
            if self._spans_slashes(left) or other._spans_slashes(right):
                return True
            if not overlaps(left, right):
                return False
        return len(mine) == len(theirs)

    def _spans_slashes(self, segment: str) -> bool:
        """Tell whether ids in a segment may hold slashes, so that segments cannot be counted."""
        ids = dict(self.ids)
        return any(
            match[2] == "**" or may_hold_slash(ids.get(match[1], _ANY_ID))
            for match in _VARIABLE.finditer(segment)
        )


@lru_cache(maxsize=8192)
def _pattern(text: str, ids: tuple[tuple[str, str], ...]) -> Pattern:
    return Pattern(text, ids)


@dataclass(frozen=True, slots=True)
class _SegmentTest:
    mine: dict[str, str]
    theirs: dict[str, str]

    def __call__(self, left: str, right: str) -> bool:
        left_variable, right_variable = _VARIABLE.search(left), _VARIABLE.search(right)
        if not left_variable and not right_variable:
            return left == right
        if left_variable and right_variable:
            return True
        variable, text, ids = (
            (left_variable, right, self.mine) if left_variable else (right_variable, left, self.theirs)
        )
        body = ids.get(variable[1]) if variable else None
        return body is None or compile_id_pattern(body).fullmatch(text)


def covers(wild: str, name: str) -> bool:
    """Tell whether a name, in which `-` stands for any id, covers another one."""
    left, right = wild.split("/"), name.split("/")
    return len(left) == len(right) and all(a in (b, WILDCARD) for a, b in zip(left, right, strict=True))


@dataclass(frozen=True, slots=True)
class FullName:
    """A name with its service in front: `//secrets.example.com/projects/p/secrets/s`."""

    service: str
    name: str

    @classmethod
    def parse(cls, text: str) -> FullName:
        """Read a full name.

        Raises: Invalid (`name`).
        """
        service, slash, name = text.removeprefix("//").partition("/")
        if not text.startswith("//") or not slash or not re.fullmatch(r"[a-z][a-z0-9.-]*", service):
            raise Invalid(
                message("{text} is not a full name (//service/name).", text=repr(text[:80])), code="name"
            )
        return cls(service, canonical_name(name))

    def __str__(self) -> str:
        return f"//{self.service}/{self.name}"
