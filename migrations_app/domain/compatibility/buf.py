"""In which categories Buf would report a difference, if one version followed the other in one protobuf package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from migrations_app.domain.compatibility.report import CompatibilityRule
from migrations_app.domain.compatibility.wire import encoded
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    ListType,
    MapType,
    ObjectType,
    RefType,
    ScalarKind,
    ScalarType,
    Type,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message


class Category(StrEnum):
    """Buf's categories, the strictest first."""

    FILE = "FILE"
    PACKAGE = "PACKAGE"
    WIRE_JSON = "WIRE_JSON"
    WIRE = "WIRE"


_CODE = (Category.FILE, Category.PACKAGE)
_JSON = (*_CODE, Category.WIRE_JSON)
CATEGORIES: Mapping[str, tuple[Category, ...]] = {
    "MESSAGE_NO_DELETE": (Category.FILE,),
    "PACKAGE_MESSAGE_NO_DELETE": (Category.PACKAGE,),
    "RPC_NO_DELETE": _CODE,
    "FIELD_NO_DELETE": _CODE,
    "FIELD_NO_DELETE_UNLESS_NAME_RESERVED": (Category.WIRE_JSON,),
    "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED": (Category.WIRE_JSON, Category.WIRE),
    "FIELD_SAME_NAME": _JSON,
    "FIELD_SAME_DEFAULT": tuple(Category),
    "FIELD_SAME_CARDINALITY": _CODE,
    "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY": (Category.WIRE_JSON,),
    "FIELD_WIRE_COMPATIBLE_CARDINALITY": (Category.WIRE,),
    "FIELD_SAME_TYPE": _CODE,
    "FIELD_WIRE_JSON_COMPATIBLE_TYPE": (Category.WIRE_JSON,),
    "FIELD_WIRE_COMPATIBLE_TYPE": (Category.WIRE,),
    "ENUM_VALUE_SAME_NAME": _JSON,
    "ENUM_VALUE_NO_DELETE": _CODE,
    "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED": (Category.WIRE_JSON,),
    "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED": (Category.WIRE_JSON, Category.WIRE),
}
"""Buf's rules that a difference here can meet, each with its categories.

Source: `buf config ls-breaking-rules --version v2` of Buf 1.75.0. What the table has no rule for, Buf does not
see: what annotations say of fields (required, units, constraints) and of names of resources.
"""
_RULES: Mapping[CompatibilityRule, tuple[str, ...]] = {
    CompatibilityRule.DEFAULT_CHANGED: ("FIELD_SAME_DEFAULT",),
    CompatibilityRule.METHOD_REMOVED: ("RPC_NO_DELETE",),
    CompatibilityRule.NUMBER_REUSED: ("FIELD_SAME_NAME",),
}
_OF_TYPES = (CompatibilityRule.TYPE_WIDENED, CompatibilityRule.TYPE_NARROWED, CompatibilityRule.TYPE_REPLACED)
_OF_JSON = ({ScalarKind.I32, ScalarKind.U32}, {ScalarKind.I64, ScalarKind.U64})


@dataclass(frozen=True, slots=True)
class BufComparison:
    """Two states of a package, as Buf compares them: by number where fields have one, else by name.

    Buf judges protobuf only; of other definitions it reports nothing.
    """

    old: Schema
    new: Schema

    @property
    def has_verdict(self) -> bool:
        """Whether both states are protobuf, in whatever form."""
        return _is_protobuf(self.old) and _is_protobuf(self.new)

    def require_verdict(self) -> None:
        """Refuse to ask for a category where there is none.

        Raises: Invalid (`not-protobuf`).
        """
        if not self.has_verdict:
            raise Invalid(
                message(
                    "Buf judges protobuf, and {version} and {new_version} of {service} are described by "
                    "something else.",
                    version=self.old.version,
                    new_version=self.new.version,
                    service=self.old.service,
                ),
                code="not-protobuf",
                remedy=message("Leave buf out."),
            )

    def of_resource(self, rule: CompatibilityRule, name: str) -> tuple[Category, ...]:
        """Tell the categories of a difference of a resource type or a method."""
        if not self.has_verdict:
            return ()
        gone = (
            rule is CompatibilityRule.RESOURCE_REMOVED
            and self.old.resources[name].message not in self.new.types
        )
        return _categories(
            ("MESSAGE_NO_DELETE", "PACKAGE_MESSAGE_NO_DELETE") if gone else _RULES.get(rule, ())
        )

    def of_field(
        self, rule: CompatibilityRule, before: Field | None, after: Field | None, into: ObjectType
    ) -> tuple[Category, ...]:
        """Tell the categories of a difference of a field; `into` is the object that has or had it, as it is now."""
        if not self.has_verdict:
            return ()
        if rule in (CompatibilityRule.KEY_REMOVED, CompatibilityRule.NUMBER_CHANGED) and before is not None:
            return _categories(self._gone(before, into))
        if rule in _OF_TYPES and before is not None and after is not None:
            return _categories(self._types(before.type, after.type))
        return _categories(_RULES.get(rule, ()))

    def _gone(self, before: Field, into: ObjectType) -> Iterator[str]:
        number = before.number
        taken = next((each for each in into.fields if number is not None and each.number == number), None)
        if taken is not None:
            yield "FIELD_SAME_NAME"
            yield from self._types(before.type, taken.type)
            return
        yield "FIELD_NO_DELETE"
        if before.name not in into.reserved.names:
            yield "FIELD_NO_DELETE_UNLESS_NAME_RESERVED"
        if number is None or not into.reserves(number):
            yield "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED"

    def _types(self, old: Type, new: Type) -> Iterator[str]:
        one, other = _cardinality(old), _cardinality(new)
        if one != other:
            yield "FIELD_SAME_CARDINALITY"
            yield "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY"
            if "singular" in (one, other):
                yield "FIELD_WIRE_COMPATIBLE_CARDINALITY"
        old, new = _element(old), _element(new)
        mine, theirs = self.old.resolve(old), self.new.resolve(new)
        forms = encoded(self.old, old), encoded(self.new, new)
        if isinstance(mine, EnumType) and isinstance(theirs, EnumType) and forms[0] == forms[1]:
            yield from _values(mine, theirs)
        elif not _same(old, new):
            yield "FIELD_SAME_TYPE"
            kinds = {each.kind for each in (mine, theirs) if isinstance(each, ScalarType)}
            if len(kinds) != 2 or not any(kinds <= alike for alike in _OF_JSON):
                yield "FIELD_WIRE_JSON_COMPATIBLE_TYPE"
            # Text may be read as bytes; bytes need not be text.
            if forms[0] != forms[1] and forms != ("string", "bytes"):
                yield "FIELD_WIRE_COMPATIBLE_TYPE"


def _is_protobuf(schema: Schema) -> bool:
    return any(source.kind in ("protobuf", "protobuf-fds", "python") for source in schema.sources)


def _values(old: EnumType, new: EnumType) -> Iterator[str]:
    by_number = {each.number: each.name for each in new.values if each.number is not None}
    for each in old.values:
        if each.number is None:
            gone = new.value(each.name) is None
        else:
            gone = each.number not in by_number
            if not gone and by_number[each.number] != each.name:
                yield "ENUM_VALUE_SAME_NAME"
        if gone:
            yield "ENUM_VALUE_NO_DELETE"
            if each.name not in new.reserved.names:
                yield "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED"
            if each.number is None or not new.reserves(each.number):
                yield "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED"


def _cardinality(given: Type) -> str:
    return "map" if isinstance(given, MapType) else "repeated" if isinstance(given, ListType) else "singular"


def _element(given: Type) -> Type:
    return given.item if isinstance(given, ListType) else given


def _same(old: Type, new: Type) -> bool:
    """Tell whether two types are one by name, or say the same."""
    if isinstance(old, RefType) and isinstance(new, RefType):
        return old.name == new.name
    if isinstance(old, ScalarType) and isinstance(new, ScalarType):
        return (old.kind, old.format) == (new.kind, new.format)
    return type(old) is type(new)


def _categories(rules: Iterator[str] | tuple[str, ...]) -> tuple[Category, ...]:
    met = {category for rule in rules for category in CATEGORIES[rule]}
    return tuple(category for category in Category if category in met)
