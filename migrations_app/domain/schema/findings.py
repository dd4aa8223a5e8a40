"""Findings: what is wrong or doubtful in a definition, with its place and its remedy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import counted, verbatim


class Severity(StrEnum):
    """Whether a finding stops the work, should be looked at, or only tells."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class DefinitionFinding:
    """One thing to say about a definition: a stable code, where it is and what to do."""

    code: str
    message: str
    file: str = ""
    line: int = 0
    path: str = ""
    remedy: str = ""
    severity: Severity = Severity.ERROR

    @property
    def place(self) -> str:
        """The file and line, as an editor takes them."""
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.place, self.path) if part)
        text = f"{self.code} {self.message} {self.remedy}".rstrip()
        return f"{where}: {text}" if where else text


def errors_of(findings: Iterable[DefinitionFinding]) -> tuple[DefinitionFinding, ...]:
    """Keep the findings that stop the work."""
    return tuple(each for each in findings if each.severity is Severity.ERROR)


def finding_of(error: Invalid, file: str = "") -> DefinitionFinding:
    """Turn a refusal by a reader into a finding at the place it names."""
    named, line = str(error.nouns.get("file") or file), error.nouns.get("line")
    whole = DefinitionFinding(
        error.code, error.message, named, line if isinstance(line, int) else 0, remedy=error.remedy
    )
    return replace(whole, message=whole.message.removeprefix(whole.place).lstrip())


def refuse_errors(findings: Iterable[DefinitionFinding], what: str) -> None:
    """Refuse when any finding is an error.

    Raises: Invalid with the code of the first error, and a violation for each.
    """
    errors = errors_of(findings)
    if not errors:
        return
    raise Invalid(
        counted(len(errors), "{what} has {count} error.", "{what} has {count} errors.", what=what)
        + verbatim(str(errors[0])),
        code=errors[0].code,
        remedy=errors[0].remedy,
        violations=tuple(
            Violation(": ".join(filter(None, (each.place, each.path))), each.message, each.remedy, each.code)
            for each in errors
        ),
    )
