"""What reading, planning and compiling an edge can find wrong: a stable code, the place and the remedy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from migrations_app.kernel.errors import Invalid, Violation


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
    message: str
    place: EdgeFileLine = EdgeFileLine()
    remedy: str = ""
    level: FindingLevel = FindingLevel.ERROR
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place.file else ""
        return f"{where}{self.code} {self.message}" + (f" {self.remedy}" if self.remedy else "")


class EdgeInvalid(Invalid):
    """An edge cannot be compiled; `findings` say why, each with its place and remedy."""

    default_code = "edge-invalid"

    def __init__(self, findings: Iterable[EdgeFinding]) -> None:
        self.findings = tuple(findings)
        first = self.findings[0]
        more = f" (and {len(self.findings) - 1} more)" if len(self.findings) > 1 else ""
        super().__init__(
            f"{first}{more}",
            code=first.code,
            violations=tuple(
                Violation(str(each.place), each.message, each.remedy, each.code) for each in self.findings
            ),
        )
