"""The references of stored documents, as the rows that are kept beside them."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrations_app.domain.constraints.references import DocumentReference, ReferenceFinder
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.schema.basic_actions import has_constraints
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import Reference, ReferenceKind


@dataclass(frozen=True, slots=True)
class StoredReferences:
    """Finds the references of one service's documents, stored in one version in one region."""

    compiled: CompiledService
    version: str
    region: str
    finder: ReferenceFinder = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "finder", ReferenceFinder(self.compiled.schema(self.version)))

    def possible(self, resource_type: str) -> bool:
        """Tell whether documents of a type can refer to anything that is looked after."""
        known = self.compiled.schema(self.version).resources.get(resource_type)
        return self.finder.possible(resource_type) and (known is None or has_constraints(known))

    def located(self, resource_type: str, body: JsonObject) -> tuple[DocumentReference, ...]:
        """List the references of a document, with where they stand."""
        return self.finder.of(resource_type, body) if self.possible(resource_type) else ()

    def of(self, resource_type: str, body: JsonObject) -> tuple[Reference, ...]:
        """List the references of a document as they are kept."""
        return tuple(self.row(each) for each in self.located(resource_type, body))

    def row(self, found: DocumentReference) -> Reference:
        """Give what is kept of a reference: an import is of the version that this version imports."""
        if found.service == self.compiled.service:
            version = self.version
        else:
            imports = self.compiled.folder.imports.get(self.version, ())
            version = next((each.version for each in imports if each.service == found.service), "")
        kind = ReferenceKind(found.kind)
        return Reference(found.path, kind, found.service, self.region, version, found.type, found.name)
