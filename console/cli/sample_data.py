"""Resources made up from a schema, by a seed: valid, with names of their own and references that resolve."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.ids import example_id
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.resources.id_patterns import compile_id_pattern
from migrations_app.domain.schema.documents import DocumentChecker
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.ir import Behavior, ResourceDefinition, Schema
from migrations_app.domain.schema.types import (
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    ScalarKind,
    ScalarType,
    Type,
)
from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.kernel.json import Json, JsonObject

_WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "haven",
    "inlet",
    "jade",
    "knoll",
    "lotus",
    "maple",
    "north",
    "orbit",
    "pearl",
]
_TRIES = 20
_PARENTS = 20


@dataclass(frozen=True, slots=True)
class Sample:
    """One made-up resource."""

    type: str
    name: str
    document: JsonObject


Fits = Callable[[Sample], bool]


def named_in_every_version(service: ServiceFolder, version: str) -> Fits:
    """Give a test that refuses resources that a version which they convert to cannot name: it would hide them.

    A service whose edges do not compile here, since they need imports or hooks, is not tested.
    """
    try:
        compiled = compile_service(service)
    except SwitchyardError:
        return lambda sample: True
    others = [
        compiled.typed(version, other)
        for other in compiled.versions
        if other != version and compiled.barred(version, other) is None
    ]

    def is_named(sample: Sample) -> bool:
        for other in others:
            try:
                if other.types(sample.type):
                    other.forward(sample.type, sample.name, sample.document)
            except NoImage:
                return False
        return True

    return is_named


@dataclass(slots=True)
class SampleData(Exemplars):
    """Makes resources of one version; the same seed makes the same ones.

    References lead to resources of the same data that were made before; a type whose required reference has
    nothing to lead to is made later, or left out. Names lie in `region` and below `under`, where they have a
    place for it, else below parents that were made before. What `fits` refuses is made once more, with another name.
    """

    schema: Schema
    seed: int = 1
    region: str = ""
    under: str = ""
    fits: Fits = lambda sample: True
    chance: random.Random = field(init=False)
    made: dict[str, list[str]] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    _checkers: dict[str, DocumentChecker] = field(default_factory=dict)

    def __post_init__(self) -> None:
        Exemplars.__init__(self, self.schema, self.seed)

    def samples(self, count: int, types: tuple[str, ...] = ()) -> Iterator[Sample]:
        """Make `count` resources, taking the types in turn."""
        wanted = [each for short, each in self.schema.resources.items() if not types or short in types]
        unknown = [each for each in types if each not in self.schema.resources]
        if unknown:
            raise Invalid(
                f"{self.schema.service} {self.schema.version} has no type {unknown[0]!r}.",
                code="schema-resource",
                remedy=f"Use {', '.join(self.schema.resources)}.",
            )
        self.left_out = frozenset(self.schema.resources) - frozenset(types) if types else frozenset()
        made = turn = barren = 0
        while made < count and wanted and barren < len(wanted):
            resource = wanted[turn % len(wanted)]
            turn += 1
            sample = self.sample(resource, made)
            barren = 0 if sample else barren + 1
            if sample:
                made += 1
                yield sample

    def sample(self, resource: ResourceDefinition, number: int) -> Sample | None:
        """Make one resource; None when no valid one could be made."""
        short = resource.type.rpartition("/")[2]
        shape = self.schema.object(resource.message)
        name_field, policy_field = shape.field(resource.name_field), shape.field("multi_region_policy")
        # A made-up policy would send whatever is below it to made-up regions.
        policy = policy_field.key if policy_field else ""
        key = name_field.key if name_field else resource.name_field
        checker = self._checkers.setdefault(short, DocumentChecker(self.schema, resource.message))
        for _ in range(_TRIES):
            name = self.fresh_name(resource, number)
            if name is None:
                return None
            document = self.object(shape, skip=resource.name_field)
            document.pop(policy, None)
            sample = Sample(short, name, {key: name, **document})
            if checker.check(sample.document).valid and self.fits(sample):
                self.made.setdefault(short, []).append(name)
                return sample
        return None

    def fresh_name(self, resource: ResourceDefinition, number: int) -> str | None:
        """Make a name that is new: the last id carries the number; None when its parent is yet to be made."""
        pattern = self.chance.choice(resource.patterns)
        segments = pattern.split("/")
        parts = self._parent(segments)
        if parts is None:
            return None
        for index, part in enumerate(segments[len(parts) :], len(parts)):
            if not part.startswith("{"):
                parts.append(part)
                continue
            variable = part.strip("{}").partition("=")[0]
            if index == len(segments) - 1:
                made = f"{self.chance.choice(_WORDS)}-{number:07d}"
            elif parts[-1] == "regions" and self.region:
                made = self.region
            else:
                made = f"{variable[0]}{self.chance.randrange(_PARENTS):02d}x"
            parts.append(self._fitting(made, str(number), resource.id_patterns.get(variable)))
        return "/".join(parts)

    def _parent(self, segments: list[str]) -> list[str] | None:
        """Give what names of a pattern begin with: the place asked for, else a parent of the same data.

        None when the data could have a parent, but none is made yet.
        """
        below = self.under.split("/") if self.under else []
        if below and len(below) < len(segments) and below[::2] == segments[: len(below) : 2]:
            return below
        for short, each in self.schema.resources.items():
            for pattern in () if short in self.left_out else each.patterns:
                above = pattern.split("/")
                if len(above) < len(segments) and above == segments[: len(above)]:
                    made = self.made.get(short, [])[:_PARENTS]
                    return self.chance.choice(made).split("/") if made else None
        return []

    def _fitting(self, made: str, number: str, body: str | None) -> str:
        """Give an id that fits the pattern of its variable: the one made, or one of the pattern with the number."""
        if body is None:
            return made
        fits = compile_id_pattern(body).fullmatch
        if fits(made):
            return made
        found = example_id(body, self.chance) or made
        tries = (f"{found}-{number}", f"{found}{number}", f"{found[:-1]}{number}", found)
        return next((each for each in tries if fits(each)), found)

    def object(self, given: ObjectType, depth: int = 0, skip: str = "") -> JsonObject:
        """Make an object, without what only the server sets and without what could not be made."""
        made = Exemplars.object(self, given, depth, skip)
        hidden = {each.key for each in given.fields if Behavior.OUTPUT_ONLY in each.behavior}
        return {key: value for key, value in made.items() if key not in hidden and value is not None}

    def value(self, given: Type, depth: int) -> Json:
        """Make a value; lists and maps hold nothing that could not be made."""
        made = Exemplars.value(self, given, depth)
        found = self.schema.resolve(given)
        if isinstance(found, ListType) and isinstance(made, list):
            kept: list[Json] = []
            for each in made:
                if each is not None and each not in kept:
                    kept.append(each)
            return kept
        if isinstance(found, MapType) and isinstance(made, dict):
            return {key: each for key, each in made.items() if each is not None}
        return made

    def _single(self, given: Type) -> Json:
        if isinstance(given, ReferenceType):
            return self._known(given)
        if isinstance(given, ScalarType) and given.kind is ScalarKind.STRING and not given.format:
            return " ".join(self.chance.choices(_WORDS, k=self.chance.randint(1, 4)))
        return Exemplars._single(self, given)

    def _known(self, given: ReferenceType) -> Json:
        shorts = [re.sub(r".*/", "", each) for each in given.resource if self._is_own(each)]
        names = [name for short in shorts for name in self.made.get(short, [])[-1000:]]
        return self.chance.choice(names) if names else None
