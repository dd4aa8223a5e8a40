"""What reading, planning and compiling an edge can find wrong: a stable code, the place and the remedy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import NOTHING, WordedMessage, message, verbatim


class FindingLevel(StrEnum):
    """Whether a finding stops the compilation."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class EdgeFileLine:
    """A line of an edge file."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class EdgeFinding:
    """One thing about an edge that is wrong, or worth knowing.

    `fields` are those that it is about, each as its version and its path from a type.
    """

    code: str
    words: WordedMessage = field(hash=False)
    place: EdgeFileLine = EdgeFileLine()
    remedy_words: WordedMessage = field(default=NOTHING, hash=False)
    level: FindingLevel = FindingLevel.ERROR
    fields: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """The words as a text."""
        return str(self.words)

    @property
    def remedy(self) -> str:
        """The remedy as a text."""
        return str(self.remedy_words)

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place.file else ""
        return f"{where}{self.code} {self.message}" + (f" {self.remedy}" if self.remedy else "")


class EdgeInvalid(Invalid):
    """An edge cannot be compiled; `findings` say why, each with its place and remedy."""

    default_code = "edge-invalid"

    def __init__(self, findings: Iterable[EdgeFinding]) -> None:
        self.findings = tuple(findings)
        first = self.findings[0]
        more = len(self.findings) - 1
        place = f"{first.place}: {first.code}" if first.place.file else first.code
        words = verbatim(place) + first.words + first.remedy_words
        super().__init__(
            words + (message("(and {count} more)", count=more) if more else NOTHING),
            code=first.code,
            violations=tuple(
                Violation(str(each.place), each.words, each.remedy_words, each.code) for each in self.findings
            ),
        )
