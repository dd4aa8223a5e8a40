"""Resources for the demo, made up from the definitions themselves by a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.domain.constraints.references import Steps, without
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.ids import example_id
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.conversion.typed import TypedConverter
from migrations_app.domain.resources.id_patterns import compile_id_pattern
from migrations_app.domain.schema.ir import Behavior, ResourceDefinition
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, ReferenceType, Type
from migrations_app.engine.serving.presentation import ResourcePresenter, presenter_of
from migrations_app.engine.serving.references.stored_references import StoredReferences
from migrations_app.kernel.errors import Conflict, Refused
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.stored import Reference

_VARIABLE = re.compile(r"\{(\w+)[^}]*\}")
_TRIES = 40


@dataclass(frozen=True, slots=True)
class Made:
    """One made-up resource: its name, and its fields without the name."""

    type: str
    name: str
    view: JsonObject


def _parting(compiled: CompiledService, version: str, type_: str) -> Iterator[TypedConverter]:
    """List the ways to other versions in which a type splits."""
    for other in compiled.versions:
        typed = compiled.stored.typed(version, other)
        if other != version and len(typed.routes(type_)) > 1:
            yield typed


class Maker:
    """Makes valid resources of one version; the same seed makes the same ones. One per thread."""

    def __init__(self, served: Served, version: str, seed: int) -> None:
        self.schema = served.compiled.schema(version)
        self._unknown = served.unknown
        self._exemplars = Exemplars(self.schema, seed)
        self._references = StoredReferences(served.compiled, version, served.region)
        self._chance = random.Random(seed)  # noqa: S311 -- made-up data, no secret
        self.types = {
            each.type.rpartition("/")[2]: each
            for each in served.compiled.resource_types(version)
            if each.patterns
        }
        self._parting = {type_: tuple(_parting(served.compiled, version, type_)) for type_ in self.types}

    def presenter(self, type_: str) -> ResourcePresenter:
        """Give the face of a type."""
        return presenter_of(self.schema, type_, self._unknown)

    def fixed(self, type_: str) -> frozenset[str]:
        """Name the fields of a type that can be set only once."""
        fields = self.schema.object(self.types[type_].message).fields
        return frozenset(each.key for each in fields if Behavior.IMMUTABLE in each.behavior)

    def held(self, type_: str) -> frozenset[str]:
        """Name the fields of a type in which a reference must be."""
        fields = self.schema.object(self.types[type_].message).fields
        return frozenset(each.key for each in fields if self._needs_reference(each.type, each.required, ()))

    def _needs_reference(self, given: Type, required: bool, above: tuple[Type, ...]) -> bool:
        found = self.schema.resolve(given)
        if isinstance(found, ReferenceType):
            return required
        if isinstance(found, ListType | MapType):
            item = found.item if isinstance(found, ListType) else found.value
            return self._needs_reference(item, False, above)
        if not isinstance(found, ObjectType) or found in above:
            return False
        inner = (*above, found)
        return any(self._needs_reference(each.type, each.required, inner) for each in found.fields)

    def type_of(self, number: int) -> str:
        """Choose a type by number, evenly."""
        names = sorted(self.types)
        return names[number % len(names)]

    def name(self, type_: str, number: int, label: str = "") -> str:
        """Make the name of a resource: unique by type, number and label, spread over fifty parents."""
        pattern = self.types[type_].patterns[0]
        variables = _VARIABLE.findall(pattern)
        given = {name: f"{name[:1].lower()}{number % 50}" for name in variables}
        given[variables[-1]] = self._id(type_, variables[-1], f"{type_[:1].lower()}{label}{number}")
        return _VARIABLE.sub(lambda found: given[found[1]], pattern)

    def _id(self, type_: str, variable: str, plain: str) -> str:
        """Let an id be one of its pattern, and end with what makes it unique."""
        body = self.types[type_].id_patterns.get(variable)
        if body is None:
            return plain
        fits, chance = compile_id_pattern(body).fullmatch, random.Random(f"{type_}/{plain}")  # noqa: S311
        for head in (None, *(example_id(body, chance) for _ in range(_TRIES))):
            if fits(f"{head or ''}{plain}"):
                return f"{head or ''}{plain}"
        raise RuntimeError(f"No id made up for {type_} ends with {plain} and is one of {body}.")

    def targets(self, type_: str, view: JsonObject, filled: int) -> JsonObject:
        """Let references lead to resources that the filling makes, of which there are so many; leave out the others."""
        if not self._references.possible(type_):
            return view
        names, made = sorted(self.types), view
        # Backwards, so that what is left out of a list moves nothing that is still to come.
        for each in reversed(self._references.located(type_, view)):
            place = names.index(each.type) if each.type in self.types else filled
            number = place + len(names) * self._chance.randrange(max(1, filled // len(names)))
            made = without(made, each.steps)
            if number < filled and each.service == self.schema.service:
                held = _with(made, each.steps, self.name(each.type, number))
                made = held if isinstance(held, dict) else made
        return made

    def references(self, type_: str, view: JsonObject) -> tuple[Reference, ...] | None:
        """Give the rows that are kept of what a document refers to."""
        return self._references.of(type_, view) if self._references.possible(type_) else None

    def view(self, type_: str, name: str) -> JsonObject:
        """Make up the fields of a resource.

        Raises: RuntimeError when the schema takes nothing that is made up for it.
        """
        resource: ResourceDefinition = self.types[type_]
        presenter = self.presenter(type_)
        last = ""
        for _ in range(_TRIES):
            _, document = self._exemplars.resource(resource)
            document.pop(presenter.name_key, None)
            document.pop(presenter.metadata_key, None)
            try:
                view = presenter.check(name, presenter.read(document).view)
                self._demand_part(type_, name, view)
                return view
            except Refused as error:
                last = str(error)
        raise RuntimeError(f"Nothing made up for {type_} is valid: {last}")

    def _demand_part(self, type_: str, name: str, view: JsonObject) -> None:
        """See that a resource of a type that splits is of the part that its name says.

        Raises: NoImage, Conflict.
        """
        for typed in self._parting.get(type_, ()):
            made, places = typed.forward(type_, name, view), typed.names(type_, name)
            if places and made.type != places[0][0]:
                raise Conflict(f"{name} is no {made.type}.", code="place-moved")

    def make(self, number: int, filled: int, label: str = "") -> Made:
        """Make a resource, which may refer to any of those that the filling makes."""
        type_ = self.type_of(number)
        name = self.name(type_, number, label)
        return Made(type_, name, self.targets(type_, self.view(type_, name), filled))


def _with(value: Json, steps: Steps, name: str) -> Json:
    """Copy a value with a name at a place from which one was taken out."""
    step, rest = steps[0], steps[1:]
    if isinstance(value, list) and isinstance(step, int):
        below = _with(value[step], rest, name) if rest else name
        return [*value[:step], below, *(value[step + 1 :] if rest else value[step:])]
    held = value if isinstance(value, dict) else {}
    return {**held, str(step): _with(held.get(str(step)), rest, name) if rest else name}
