"""What is wrong with a folder, told line by line on standard error."""

from __future__ import annotations

from collections.abc import Iterable

from console.cli.output import errors
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.kernel.errors import Invalid


def print_findings(findings: Iterable[EdgeFinding]) -> None:
    """Print findings of edges."""
    for each in findings:
        errors.print(str(each), markup=False)


def print_refusal(error: Invalid) -> None:
    """Print an error, or each of its violations."""
    if not error.violations:
        errors.print(str(error), markup=False)
    for each in error.violations:
        errors.print(f"{each.path}: {each.code} {each.message} {each.remedy}".rstrip(), markup=False)
