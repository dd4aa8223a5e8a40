"""What is doubtful in a sound schema: defaults that are no values of their type, patterns not enforced."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.schema.documents import DocumentChecker
from migrations_app.domain.schema.findings import DefinitionFinding, Severity
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import DefaultKind, Field
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.linear_regex import compile_linear
from migrations_app.kernel.messages import WordedMessage, message, verbatim


def advise(schema: Schema) -> tuple[DefinitionFinding, ...]:
    """Find what should be looked at; the schema must have passed its checks."""
    file = ", ".join(source.ref for source in schema.sources if source.ref)
    found = []
    for name, given in schema.objects():
        for field in given.fields:
            for code, problem, remedy in _doubts(schema, name, field):
                path = f"{name}.{field.name}"
                words = verbatim(f"{schema.service} {schema.version}: {path}") + problem
                found.append(DefinitionFinding(code, words, file, 0, path, remedy, Severity.WARNING))
    return tuple(found)


def _doubts(schema: Schema, name: str, field: Field) -> Iterator[tuple[str, WordedMessage, WordedMessage]]:
    if field.default.kind is DefaultKind.STATIC and field.default.value is not None:
        checker = DocumentChecker(schema, name, partial=True)
        wrong = checker.check({field.key: field.default.value}).violations
        if wrong:
            yield (
                "W-DEFAULT",
                message("has a default that is refused:") + wrong[0].words,
                message("Fix the default."),
            )
    if (pattern := field.constraints.get("pattern")) is not None:
        try:
            compile_linear(str(pattern))
        except Invalid as error:
            yield "W-PATTERN", message("is not held to its pattern:") + error.words, error.remedy_words
