"""Where the sources of two versions declare what a proposal or a finding is about: file and line of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.planning.paths import FieldPath
from migrations_app.domain.conversion.proposals.places import find_place
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.placing import SourcePlaces
from migrations_app.domain.schema.types import ObjectType
from migrations_app.kernel.messages import verbatim


class SourceLocations:
    """The declarations of the fields of two versions; sources are read when the first one is asked for."""

    def __init__(self, schemas: tuple[Schema, Schema], files: Mapping[str, bytes]) -> None:
        self._schemas = schemas
        self._sources = tuple(SourcePlaces(schema, files) for schema in schemas)

    def placed(self, suggestions: Iterable[Suggestion]) -> Iterator[Suggestion]:
        """Name file and line of both sides, where the loader kept none."""
        for each in suggestions:
            old, new = each.places
            if each.section is Section.OPS:
                old = old or (self._sources[0].of(each.owner, each.old[0]) if each.old else "")
                new = new or (self._sources[1].of(each.target or each.owner, each.new[0]) if each.new else "")
            yield replace(each, places=(old, new))

    def located(self, findings: Iterable[EdgeFinding]) -> Iterator[EdgeFinding]:
        """Add to what is open where the fields are declared that it is about."""
        for each in findings:
            places = " → ".join(filter(None, map(self._declared, each.fields)))
            yield replace(each, words=each.words + verbatim(f"({places})")) if places else each

    def _declared(self, field: str) -> str:
        """Find a field by its version and its path from a type."""
        version, _, path = field.partition(" ")
        names = path.split(".")
        for schema, source in zip(self._schemas, self._sources, strict=True):
            if schema.version != version:
                continue
            for size in range(len(names) - 1, 0, -1):
                owner, rest = ".".join(names[:size]), ".".join(names[size:])
                given = schema.types.get(owner)
                place = (
                    find_place(schema, owner, given, FieldPath.parse(rest))
                    if isinstance(given, ObjectType)
                    else None
                )
                if place is not None:
                    return place.field.place or source.of(owner, rest)
            return source.of(names[0], ".".join(names[1:]))
        return ""
