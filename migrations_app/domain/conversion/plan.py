"""The plan of converting one type of object into another: the steps, run one by one (the reference engine)."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.conversion.bag import BAG, entries, entry, seal, value_of
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.steps import Carry, ConversionStep
from migrations_app.domain.conversion.values import SAME
from migrations_app.kernel.json import JsonObject


class ObjectPlan:
    """How an object of one type becomes one of another; the steps are filled in while planning.

    `run` is the reference engine; what is generated from the steps is proved equal to it.

    Keys that the source type does not know pass through; those that the target knows as something else
    wait in the bag.
    """

    def __init__(self, source: tuple[str, str], target: tuple[str, str]) -> None:
        self.source_version, self.source_type = source
        self.target_version, self.target_type = target
        self.steps: tuple[ConversionStep, ...] = ()
        self.source_keys: frozenset[str] = frozenset()
        self.target_keys: frozenset[str] = frozenset()
        self.is_identity = False
        self._inverse: ObjectPlan | None = None

    @property
    def name(self) -> str:
        """The pair of types, for people."""
        return f"{self.source_version}.{self.source_type} → {self.target_version}.{self.target_type}"

    def fill(
        self, steps: tuple[ConversionStep, ...], source_keys: frozenset[str], target_keys: frozenset[str]
    ) -> None:
        """Give the plan its steps, once, and with them the inverse."""
        self.steps, self.source_keys, self.target_keys = steps, source_keys, target_keys
        back = self.inverse
        back.steps = tuple(step.turned() for step in steps)
        back.source_keys, back.target_keys = target_keys, source_keys

    @property
    def kept_keys(self) -> frozenset[str]:
        """The keys whose values stay as they are, where they are."""
        return frozenset(
            step.source.keys[0]
            for step in self.steps
            if isinstance(step, Carry)
            and step.conv is SAME
            and step.source.keys == step.target.keys
            and len(step.source.keys) == 1
        )

    @property
    def inverse(self) -> ObjectPlan:
        """The inverse."""
        if self._inverse is None:
            back = ObjectPlan(
                (self.target_version, self.target_type), (self.source_version, self.source_type)
            )
            self._inverse, back._inverse = back, self
        return self._inverse

    def run(self, source: JsonObject) -> JsonObject:
        """Convert a storage document of the object, bag and all."""
        bag = entries(source)
        target: JsonObject = {}
        for step in self.steps:
            step.run(source, target, bag)
        self.pass_unknown(source, target, bag)
        seal(target, bag)
        return target

    def pass_unknown(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Let keys through that the source type does not know."""
        if not source.keys() <= self.source_keys:
            for key in source.keys() - self.source_keys:
                if key == BAG:
                    continue
                if key in self.target_keys:
                    bag[f"?{key}@{self.source_version}"] = entry(source[key])
                else:
                    target[key] = source[key]
        if bag:
            keys = self.source_keys - self.target_keys
            give_back(target, bag, {f"?{key}@{self.target_version}": key for key in keys})


def give_back(target: JsonObject, bag: JsonObject, keys: Mapping[str, str]) -> None:
    """Take keys out of the bag again that once made room there for a field of the other version."""
    for mark in bag.keys() & keys.keys():
        value = value_of(bag.pop(mark))
        target.setdefault(keys[mark], None if value is ABSENT else value)
