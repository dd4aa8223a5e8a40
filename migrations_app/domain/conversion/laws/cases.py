"""One document to check laws with; what several laws ask of it is computed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from migrations_app.domain.conversion.converter import ConvertedResource, TypeConverter
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.methods.converter import MethodConverter
from migrations_app.kernel.json import JsonObject

_KEPT = 32
Found = TypeVar("Found")


class ExampleDocuments:
    """Made-up documents of one type, by their seeds; those of neighbouring seeds are asked for again and again."""

    def __init__(self, converter: TypeConverter) -> None:
        self._converter = converter
        self._documents: dict[int, tuple[str, JsonObject]] = {}
        self._converted: dict[int, tuple[JsonObject, JsonObject]] = {}

    def document(self, seed: int) -> tuple[str, JsonObject]:
        """Make the name and document of a seed."""
        found = self._documents.get(seed)
        if found is None:
            resource = self._converter.source.resource(self._converter.source_type)
            found = Exemplars(self._converter.source, seed).resource(resource)
            _keep(self._documents, seed, found)
        return found

    def converted(self, seed: int) -> tuple[JsonObject, JsonObject]:
        """Convert the document of a seed; give what is stored, and what the source version shows of it.

        Raises: NoImage.
        """
        found = self._converted.get(seed)
        if found is None:
            made = self._converter.forward(*self.document(seed))
            found = made.body, self._converter.get(made.name, made.body)[1]
            _keep(self._converted, seed, found)
        return found


def _keep(known: dict[int, Found], seed: int, found: Found) -> None:
    known[seed] = found
    if len(known) > _KEPT:
        del known[next(iter(known))]


@dataclass(frozen=True)
class Case:
    """One document to check a law with: of the source version, with a seed for whatever else is random.

    With a `method` the document is a request of it. Laws share what is computed here, and must not change it.
    """

    converter: TypeConverter
    name: str
    document: JsonObject
    seed: int = 0
    method: MethodConverter | None = None
    examples: ExampleDocuments | None = field(default=None, compare=False, repr=False)

    @cached_property
    def made(self) -> ConvertedResource:
        """The resource as the target version stores it.

        Raises: NoImage.
        """
        return self.converter.forward(self.name, self.document)

    @cached_property
    def shown(self) -> tuple[str, JsonObject]:
        """The name and document that the source version shows of what is stored.

        Raises: NoImage.
        """
        return self.converter.get(self.made.name, self.made.body)

    @cached_property
    def returned(self) -> ConvertedResource:
        """The resource converted there and back.

        Raises: NoImage.
        """
        return self.converter.backward(self.made.name, self.made.body)

    @cached_property
    def other(self) -> JsonObject:
        """Another document of the same name."""
        name_field = self.converter.source.resource(self.converter.source_type).name_field
        _, document = self.neighbours.document(self.seed + 7)
        named = {**document, name_field: self.name} if name_field in document else document
        return of_the_part(self.converter, named, self.seed)

    @cached_property
    def neighbours(self) -> ExampleDocuments:
        """The made-up documents around this one."""
        return self.examples or ExampleDocuments(self.converter)


def of_the_part(converter: TypeConverter, document: JsonObject, seed: int) -> JsonObject:
    """Let a document of a type that splits belong to the part that the converter is for."""
    guard = converter.hops[0].guard if converter.hops else None
    if guard is None or (guard.other == guard.part and guard.holds(document)):
        return document
    return {**document, guard.key: guard.values[seed % len(guard.values)]}
