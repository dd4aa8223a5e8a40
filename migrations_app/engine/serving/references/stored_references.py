"""The references of stored documents, as the rows that are kept beside them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from migrations_app.domain.constraints.references import DocumentReference, ReferenceFinder
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.domain.schema.basic_actions import has_constraints
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import Reference, ReferenceKind


@dataclass(frozen=True, slots=True)
class StoredReferences:
    """Finds the references of one service's documents, stored in one version in one region.

    Documents of a type that the version only keeps name resources as their own version does; the rows name them as
    they are stored here.
    """

    compiled: CompiledService
    version: str
    region: str
    finder: ReferenceFinder = field(init=False)
    _others: dict[str, ReferenceFinder] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "finder", ReferenceFinder(self.compiled.schema(self.version)))

    def possible(self, resource_type: str) -> bool:
        """Tell whether documents of a type can refer to anything that is looked after."""
        finder, type_ = self._finder(resource_type)
        known = finder.schema.resources.get(type_)
        return finder.possible(type_) and (known is None or has_constraints(known))

    def located(self, resource_type: str, body: JsonObject) -> tuple[DocumentReference, ...]:
        """List the references of a document, with where they stand."""
        if not self.possible(resource_type):
            return ()
        finder, type_ = self._finder(resource_type)
        found = finder.of(type_, body)
        kept = kept_type(resource_type)
        return tuple(self._as_stored(each, kept.version) for each in found) if kept else found

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

    def _finder(self, resource_type: str) -> tuple[ReferenceFinder, str]:
        kept = kept_type(resource_type)
        if kept is None:
            return self.finder, resource_type
        if kept.version not in self._others:
            self._others[kept.version] = ReferenceFinder(self.compiled.schema(kept.version))
        return self._others[kept.version], kept.type

    def _as_stored(self, found: DocumentReference, version: str) -> DocumentReference:
        if found.service != self.compiled.service:
            return found
        places = self.compiled.stored.typed(version, self.version).names(found.type, found.name)
        return replace(found, type=places[0][0], name=places[0][1]) if places else found
