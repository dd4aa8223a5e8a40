"""Lineages: what a field is called in bags, through all its names."""

from __future__ import annotations

from migrations_app.domain.schema.types import Field


class Lineages:
    """The lineage of every field of every version, inherited along the chain from the oldest on."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], str] = {}

    def of(self, version: str, type_name: str, field: Field) -> str:
        """Tell the lineage of a field."""
        return self._known.get((version, type_name, field.name)) or field.id or f"{type_name}/{field.name}"

    def inherit(self, version: str, type_name: str, field: Field, lineage: str) -> None:
        """Let a field be what an older one was; the first word counts."""
        self._known.setdefault((version, type_name, field.name), lineage)
