"""The conversion of one resource type over one edge: its document and its name together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from migrations_app.domain.conversion.bag import BAG, entries, entry, is_current, seal, value_of
from migrations_app.domain.conversion.hooks import Pieces
from migrations_app.domain.conversion.naming.name_maps import NameMap, NoImage
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.split_types import OtherPart, PartCondition
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True, eq=False)
class ResourcePlan:
    """How a resource crosses one edge, one way."""

    source_type: str
    target_type: str
    plan: ObjectPlan
    names: NameMap
    source_name_key: str = "name"
    target_name_key: str = "name"
    pieces: Pieces = field(default_factory=Pieces)
    pieces_back: Pieces = field(default_factory=Pieces)
    guard: PartCondition | None = None
    guard_back: PartCondition | None = None
    _turned: list[ResourcePlan] = field(default_factory=list, repr=False)

    @property
    def inverse(self) -> ResourcePlan:
        """The inverse."""
        if not self._turned:
            back = ResourcePlan(
                self.target_type,
                self.source_type,
                self.plan.inverse,
                self.names.inverse,
                self.target_name_key,
                self.source_name_key,
                self.pieces_back,
                self.pieces,
                self.guard_back,
                self.guard,
            )
            back._turned.append(self)
            self._turned.append(back)
        return self._turned[0]

    @property
    def is_identity(self) -> bool:
        """Whether neither names nor documents change."""
        return self.plan.is_identity and self.names.is_identity and self.guard is None

    def run(self, name: str, body: JsonObject) -> tuple[str, JsonObject]:
        """Convert a resource by the reference engine.

        Raises: NoImage when it cannot be named in the other version.
        """
        return self.with_engine(self.plan.run)(name, body)

    def with_engine(
        self, engine: Callable[[JsonObject], JsonObject]
    ) -> Callable[[str, JsonObject], tuple[str, JsonObject]]:
        """Convert resources by whatever converts the documents."""

        def _run(name: str, body: JsonObject) -> tuple[str, JsonObject]:
            if self.guard is not None and not self.guard.holds(body):
                raise OtherPart(message("{name} is no {part}.", name=name, part=self.guard.part), name=name)
            made = body if self.plan.is_identity else engine(body)
            return (name, made) if self.names.is_identity else self._renamed(name, body, dict(made))

        return _run

    def _renamed(self, name: str, body: JsonObject, made: JsonObject) -> tuple[str, JsonObject]:
        bag = entries(made)
        made.pop(BAG, None)
        kept = f"name@{self.plan.target_version}"
        # What converts for showing alone leaves the bag behind; the name in it counts there as well.
        found = bag.pop(kept, entries(body).get(kept, ABSENT))
        restored = value_of(found) if found is not ABSENT and is_current(found, name) else ABSENT
        new = restored if isinstance(restored, str) else self.names.find(name, body)
        if new is None:
            raise NoImage(
                message("{name} has no name in {version}.", name=name, version=self.plan.target_version),
                remedy=message("It stays hidden there; the resourceName op of the edge decides."),
                name=name,
            )
        if restored is ABSENT and self.names.inverse.find(new, made) != name:
            bag[f"name@{self.plan.source_version}"] = entry(name, new, derived=True)
        seal(made, bag)
        if self.source_name_key in body:
            made[self.target_name_key] = new
        return new, made
