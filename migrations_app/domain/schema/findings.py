"""Findings: what is wrong or doubtful in a definition, with its place and its remedy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, verbatim


class Severity(StrEnum):
    """Whether a finding stops the work, should be looked at, or only tells."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class DefinitionFinding:
    """One thing to say about a definition: a stable code, where it is and what to do."""

    code: str
    words: WordedMessage = field(hash=False)
    file: str = ""
    line: int = 0
    path: str = ""
    remedy_words: WordedMessage = field(default=NOTHING, hash=False)
    severity: Severity = Severity.ERROR

    @property
    def message(self) -> str:
        """The words as a text."""
        return str(self.words)

    @property
    def remedy(self) -> str:
        """The remedy as a text."""
        return str(self.remedy_words)

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
    number = line if isinstance(line, int) else 0
    whole = DefinitionFinding(error.code, error.words, named, number, remedy_words=error.remedy_words)
    return replace(whole, words=without_place(whole.words, whole.place))


def without_place(words: WordedMessage, *places: str) -> WordedMessage:
    """Leave out the place that a sentence begins with, where it is shown beside it."""
    if len(words.phrases) > 1 and str(words.phrases[0]) in places:
        return WordedMessage(words.phrases[1:])
    text = str(words)
    place = next((each for each in places if each and text.startswith(each)), "")
    return verbatim(text.removeprefix(place).lstrip()) if place else words


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
        remedy=errors[0].remedy_words,
        violations=tuple(
            Violation(
                ": ".join(filter(None, (each.place, each.path))), each.words, each.remedy_words, each.code
            )
            for each in errors
        ),
    )
