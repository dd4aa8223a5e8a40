"""Resources for the demo, made up from the definitions themselves by a seed."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.schema.ir import Behavior, ResourceDefinition
from migrations_app.engine.serving.presentation import ResourcePresenter, presenter_of
from migrations_app.kernel.errors import Refused
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.directory import Served

_VARIABLE = re.compile(r"\{(\w+)[^}]*\}")
_TRIES = 40


@dataclass(frozen=True, slots=True)
class Made:
    """One made-up resource: its name, and its fields without the name."""

    type: str
    name: str
    view: JsonObject


class Maker:
    """Makes valid resources of one version; the same seed makes the same ones. One per thread."""

    def __init__(self, served: Served, version: str, seed: int) -> None:
        self.schema = served.compiled.schema(version)
        self._unknown = served.unknown
        self._exemplars = Exemplars(self.schema, seed)
        self._chance = random.Random(seed)  # noqa: S311 -- made-up data, no secret
        self.types = {
            each.type.rpartition("/")[2]: each
            for each in served.compiled.resource_types(version)
            if each.patterns
        }

    def presenter(self, type_: str) -> ResourcePresenter:
        """Give the face of a type."""
        return presenter_of(self.schema, type_, self._unknown)

    def fixed(self, type_: str) -> frozenset[str]:
        """Name the fields of a type that can be set only once."""
        fields = self.schema.object(self.types[type_].message).fields
        return frozenset(each.key for each in fields if Behavior.IMMUTABLE in each.behavior)

    def type_of(self, number: int) -> str:
        """Choose a type by number, evenly."""
        names = sorted(self.types)
        return names[number % len(names)]

    def name(self, type_: str, number: int, label: str = "") -> str:
        """Make the name of a resource: unique by type, number and label, spread over fifty parents."""
        pattern = self.types[type_].patterns[0]
        variables = _VARIABLE.findall(pattern)
        given = {name: f"{name[:1].lower()}{number % 50}" for name in variables}
        given[variables[-1]] = f"{type_[:1].lower()}{label}{number}"
        return _VARIABLE.sub(lambda found: given[found[1]], pattern)

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
                return presenter.check(name, presenter.read(document).view)
            except Refused as error:
                last = str(error)
        raise RuntimeError(f"Nothing made up for {type_} is valid: {last}")

    def make(self, number: int, label: str = "") -> Made:
        """Make a resource."""
        type_ = self.type_of(number)
        name = self.name(type_, number, label)
        return Made(type_, name, self.view(type_, name))
