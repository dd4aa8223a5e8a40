"""Marks of given fixtures in the control database."""

from __future__ import annotations

from migrations_app.models.evidence.usage import FixtureMark
from migrations_app.ports.services.fixtures import FixtureMarks


class DjangoFixtureMarks(FixtureMarks):
    """The marks in the control database."""

    def mark_of(self, deployment: str) -> str:
        """Tell the mark that was set last."""
        row = FixtureMark.objects.filter(pk=deployment).first()
        return row.mark if row else ""

    def give(self, deployment: str, mark: str) -> None:
        """Set the mark."""
        FixtureMark.objects.update_or_create(pk=deployment, defaults={"mark": mark})
