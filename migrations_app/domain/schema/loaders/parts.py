"""A reader's view of one mapping of a located document: takes keys, notes what is wrong and what is left."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeVar

from migrations_app.domain.schema.findings import DefinitionFinding, Severity
from migrations_app.domain.schema.located import Located, Steps
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message, verbatim

T = TypeVar("T")
D = TypeVar("D")
E = TypeVar("E", bound=StrEnum)


class Part:
    """One value of a document, its path, and the findings that reading it adds to."""

    def __init__(
        self, located: Located, steps: Steps, findings: list[DefinitionFinding], value: Json = None
    ) -> None:
        self._located, self._steps, self._findings = located, steps, findings
        self.value: Json = located.value if not steps else value
        self._left: JsonObject = {}
        if isinstance(self.value, dict):
            self._left = dict(self.value)

    @property
    def path(self) -> str:
        """The path of the value in its document, dotted."""
        return ".".join(str(step) for step in self._steps)

    @property
    def line(self) -> int:
        """The line that the value begins on."""
        return self._located.line(*self._steps)

    @property
    def is_mapping(self) -> bool:
        """Whether the value is a mapping."""
        return isinstance(self.value, dict)

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def peek(self, key: str) -> Json:
        """Look at a key without taking it; what was taken already is still seen."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def left(self) -> tuple[str, ...]:
        """List the keys that were not taken yet."""
        return tuple(self._left)

    def take(self, key: str) -> Json:
        """Take the value of a key as it is; None when it is not there."""
        return self._left.pop(key, None)

    def part(self, key: str) -> Part:
        """Take the value of a key as a part of its own; an empty one when it is not there."""
        return Part(self._located, (*self._steps, key), self._findings, self._left.pop(key, None))

    def wrapped(self, key: str) -> Part:
        """See the value as the only key of a mapping, for what may be written shorter."""
        return Part(self._located, self._steps, self._findings, {key: self.value})

    def expect_mapping(self) -> Part:
        """Note when the value is no mapping."""
        if self.value is not None and not self.is_mapping:
            self.wrong("E-SHAPE", message("must be a mapping."))
        return self

    def parts(self, key: str) -> Iterator[tuple[str, Part]]:
        """Take a mapping of parts by name."""
        inner = self.part(key).expect_mapping()
        for name in inner.left():
            yield name, inner.part(name)

    def items(self, key: str) -> Iterator[Part]:
        """Take a list of parts."""
        value, steps = self._left.pop(key, None), (*self._steps, key)
        if value is not None and not isinstance(value, list):
            self.wrong("E-SHAPE", message("must be a list."), key)
            return
        for index, each in enumerate(value or []):
            yield Part(self._located, (*steps, index), self._findings, each)

    def text(self, key: str, default: str = "") -> str:
        """Take text; a number is taken as it is written."""
        return self._typed(key, default, (str, int, float), message("must be text."), str)

    def flag(self, key: str, default: bool = False) -> bool:
        """Take true or false."""
        return self._typed(key, default, (bool,), message("must be true or false."), bool)

    def whole(self, key: str, default: int | None = None) -> int | None:
        """Take a whole number."""
        return self._typed(key, default, (int,), message("must be a whole number."), int)

    def choice(self, key: str, kinds: type[E], default: E) -> E:
        """Take one word of a closed set."""
        value = self._left.pop(key, None)
        return default if value is None else self._member(key, kinds, value, default)

    def choices(self, key: str, kinds: type[E]) -> frozenset[E]:
        """Take several words of a closed set."""
        found = [self._member(key, kinds, value, None) for value in self.texts(key)]
        return frozenset(each for each in found if each is not None)

    def _member(self, key: str, kinds: type[E], value: Json, default: D) -> E | D:
        for each in kinds:
            if each.value == value:
                return each
        known = ", ".join(each.value for each in kinds)
        self.wrong(
            "E-SHAPE",
            message("is {value}, which is not known.", value=repr(value)),
            key,
            remedy=message("Use one of {known}.", known=known),
        )
        return default

    def texts(self, key: str) -> list[str]:
        """Take a list of texts; one text stands for a list of itself."""
        value = self._left.pop(key, None)
        values = [value] if isinstance(value, str) else value or []
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            self.wrong("E-SHAPE", message("must be a list of texts."), key)
            return []
        return [str(each) for each in values]

    def mapping(self, key: str) -> JsonObject:
        """Take a mapping as plain JSON."""
        value = self._left.pop(key, None)
        if value is not None and not isinstance(value, dict):
            self.wrong("E-SHAPE", message("must be a mapping."), key)
            return {}
        return value or {}

    def _typed(self, key: str, default: T, kinds: tuple[type, ...], problem: WordedMessage, make: type) -> T:
        value = self._left.pop(key, None)
        if value is None:
            return default
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            self.wrong("E-SHAPE", problem, key)
            return default
        made: T = make(value)
        return made

    def wrong(
        self,
        code: str,
        problem: WordedMessage,
        key: str | int | None = None,
        *,
        remedy: WordedMessage = NOTHING,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Note a finding at the value, or at one of its keys."""
        steps = self._steps if key is None else (*self._steps, key)
        path = ".".join(str(step) for step in steps)
        words = (verbatim(path) or message("The file")) + problem
        line = self._located.line(*steps)
        self._findings.append(
            DefinitionFinding(code, words, self._located.file, line, path, remedy, severity)
        )

    def nothing_left(self, code: str = "E-UNKNOWN", severity: Severity = Severity.ERROR) -> None:
        """Note every key that was not taken."""
        self.expect_mapping()
        for key in self._left:
            self.wrong(code, message("is not known here."), key, severity=severity)
