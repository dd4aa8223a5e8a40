"""Types and fields in the YAML form of the IR, long (`{scalar: {kind: i32}}`) and short (`i32`, `Plan[]`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.types import (
    Behavior,
    Default,
    DefaultKind,
    Deprecation,
    EnumType,
    EnumValue,
    Field,
    FieldMaskType,
    FilterType,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    Oneof,
    Presence,
    ReferenceType,
    RefType,
    Reserved,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
    Unit,
    UnknownKeys,
)
from migrations_app.kernel.messages import message

_SHORT: dict[str, Type] = {
    **{str(kind): ScalarType(kind) for kind in ScalarKind},
    "struct": StructType(),
    "fieldmask": FieldMaskType(),
    "filter": FilterType(),
}
_KINDS = (
    "object",
    "enum",
    "list",
    "map",
    "scalar",
    "union",
    "reference",
    "ref",
    "struct",
    "fieldmask",
    "filter",
)
_REMEDY = message("Use one of {kinds}, a scalar kind, or the name of a type.", kinds=", ".join(_KINDS))


def camel(name: str) -> str:
    """Write a snake_case name in lowerCamelCase, as protobuf's JSON mapping does."""
    return re.sub(r"_+([a-zA-Z0-9])", lambda match: match[1].upper(), name).rstrip("_") or name


class TypeReader:
    """Reads types; knows the lineage prefix and whether JSON names are camel case."""

    def __init__(self, lineage: str, *, camel: bool, findings: list[DefinitionFinding]) -> None:
        self._lineage, self._camel, self._findings = lineage, camel, findings

    def type(self, part: Part, owner: str) -> Type:
        """Read one type; `owner` is the path that the lineage ids of its fields start with."""
        if isinstance(part.value, str):
            return self._short(part.value.strip(), part)
        if not part.is_mapping:
            part.wrong("E-TYPE", message("must be a type."), remedy=_REMEDY)
            return StructType()
        kinds = [kind for kind in _KINDS if kind in part]
        if "fields" in part and not kinds:
            return self._object(part, owner)
        if len(kinds) != 1:
            part.wrong("E-TYPE", message("must say one kind of type."), remedy=_REMEDY)
            return StructType()
        inner = part.part(kinds[0])
        part.nothing_left()
        return self._kind(kinds[0], inner, owner)

    def _short(self, text: str, part: Part) -> Type:
        if text.endswith("[]"):
            return ListType(self._short(text[:-2], part))
        if text in _SHORT:
            return _SHORT[text]
        if re.fullmatch(r"[^\W\d][\w.-]*", text) and text not in _KINDS:
            return RefType(text)
        part.wrong("E-TYPE", message("is no type: {text}.", text=repr(text)), remedy=_REMEDY)
        return StructType()

    def _kind(self, kind: str, part: Part, owner: str) -> Type:
        if kind == "struct":
            return StructType()
        if kind == "fieldmask":
            return FieldMaskType()
        if isinstance(part.value, str):
            part = part.wrapped(_MAIN_KEY.get(kind, "kind"))
        elif isinstance(part.value, list):
            part = part.wrapped(_LIST_KEY.get(kind, "values"))
        elif kind in ("list", "map") and part.is_mapping and not _is_long(part):
            part = part.wrapped(_MAIN_KEY[kind])
        read = {
            "object": self._object,
            "enum": self._enum,
            "list": self._list,
            "map": self._map,
            "scalar": self._scalar,
            "union": self._union,
            "reference": self._reference,
            "ref": self._ref,
            "filter": self._filter,
        }[kind](part, owner)
        part.nothing_left()
        return read

    def _object(self, part: Part, owner: str) -> Type:
        unknown = part.choice("unknown", UnknownKeys, UnknownKeys.FILTER)
        fields = tuple(self._field(name, each, owner) for name, each in _fields(part))
        oneofs = tuple(
            Oneof(each.text("name"), tuple(each.texts("members"))) for each in part.items("oneofs")
        )
        found = ObjectType(
            fields, oneofs, unknown, part.flag("recursive"), part.text("description"), _reserved(part)
        )
        part.nothing_left()
        return found

    def _field(self, name: str, part: Part, owner: str) -> Field:
        if not part.is_mapping or not ({"type"} & set(part.left())):
            return self._bare_field(name, part, owner)
        field = Field(
            name=name,
            type=self.type(part.part("type"), f"{owner}.{name}"),
            id=part.text("id") or self._id(owner, name),
            json_name=part.text("jsonName") or self._json_name(name),
            number=part.whole("number"),
            required=part.flag("required"),
            always=part.flag("always"),
            presence=part.choice("presence", Presence, Presence.EXPLICIT),
            nullable=part.flag("nullable"),
            empty_is_absent=part.flag("emptyIsAbsent"),
            default=_default(part),
            behavior=part.choices("behavior", Behavior),
            constraints=part.mapping("constraints"),
            unit=_unit(part),
            deprecated=_deprecation(part),
            sensitive=part.flag("sensitive"),
            description=part.text("description"),
        )
        part.nothing_left()
        return field

    def _bare_field(self, name: str, part: Part, owner: str) -> Field:
        """Read a field of which only the type is said."""
        kind = self.type(part, f"{owner}.{name}")
        return Field(name, kind, self._id(owner, name), self._json_name(name))

    def _id(self, owner: str, name: str) -> str:
        return f"{self._lineage}.{owner}/{name}"

    def _json_name(self, name: str) -> str:
        return camel(name) if self._camel else ""

    def _enum(self, part: Part, owner: str) -> Type:
        values = []
        for each in part.items("values"):
            if isinstance(each.value, str):
                values.append(EnumValue(each.value))
                continue
            values.append(EnumValue(each.text("name"), each.whole("number"), each.flag("deprecated")))
            each.nothing_left()
        return EnumType(tuple(values), part.flag("open"), part.text("zero"), _reserved(part))

    def _list(self, part: Part, owner: str) -> Type:
        item, keys = self.type(part.part("item"), owner), tuple(part.texts("keys"))
        kind = part.choice("kind", ListKind, ListKind.KEYED if keys else ListKind.ORDERED)
        return ListType(item, kind, keys)

    def _map(self, part: Part, owner: str) -> Type:
        key = part.choice("key", ScalarKind, ScalarKind.STRING)
        return MapType(self.type(part.part("value"), owner), key)

    def _scalar(self, part: Part, owner: str) -> Type:
        kind = part.choice("kind", ScalarKind, ScalarKind.ANY)
        return ScalarType(kind, part.text("format"), part.text("jsonEncoding"))

    def _union(self, part: Part, owner: str) -> Type:
        branches = tuple(self.type(each, owner) for each in part.items("branches"))
        return UnionType(branches, part.text("discriminator"))

    def _reference(self, part: Part, owner: str) -> Type:
        form = part.text("form") or "relative"
        if form not in ("relative", "full", "id"):
            part.wrong("E-SHAPE", message("must be relative, full or id."), "form")
        return ReferenceType(tuple(part.texts("resource")), form)

    def _ref(self, part: Part, owner: str) -> Type:
        return RefType(part.text("name"))

    def _filter(self, part: Part, owner: str) -> Type:
        return FilterType(part.text("resource"))


_MAIN_KEY = {
    "list": "item",
    "map": "value",
    "scalar": "kind",
    "reference": "resource",
    "ref": "name",
    "filter": "resource",
}
_LIST_KEY = {"enum": "values", "union": "branches", "reference": "resource", "object": "fields"}


def _is_long(part: Part) -> bool:
    return bool({"item", "value"} & set(part.left()))


def _fields(part: Part) -> Iterator[tuple[str, Part]]:
    """Take the fields of an object, written as a mapping by name or as a list."""
    if isinstance(part.peek("fields"), list):
        for each in part.items("fields"):
            name = each.text("name") if each.is_mapping else ""
            if not name:
                each.wrong("E-NAME", message("must name the field."))
            yield name, each
        return
    yield from part.parts("fields")


def _reserved(part: Part) -> Reserved:
    if "reserved" not in part:
        return Reserved()
    inner = part.part("reserved")
    ranges = []
    for each in inner.items("numbers"):
        ends = each.value if isinstance(each.value, list) else [each.value, each.value]
        if len(ends) == 2 and isinstance(ends[0], int) and isinstance(ends[1], int):
            ranges.append((ends[0], ends[1]))
        else:
            each.wrong("E-SHAPE", message("must be a number or a pair of numbers."))
    names = tuple(inner.texts("names"))
    inner.nothing_left()
    return Reserved(tuple(ranges), names)


def _default(part: Part) -> Default:
    if "default" not in part:
        return Default()
    value = part.take("default")
    if isinstance(value, dict) and value.get("kind") in [each.value for each in DefaultKind]:
        return Default(DefaultKind(str(value["kind"])), value.get("value"))
    return Default(DefaultKind.STATIC, value)


def _unit(part: Part) -> Unit | None:
    if "unit" not in part:
        return None
    inner = part.part("unit")
    unit = Unit(inner.text("dim"), inner.text("name"))
    inner.nothing_left()
    return unit


def _deprecation(part: Part) -> Deprecation | None:
    if part.peek("deprecated") in (None, False):
        part.take("deprecated")
        return None
    inner = part.part("deprecated")
    if inner.value is True:
        return Deprecation()
    deprecation = Deprecation(inner.text("since"), inner.text("sunset"), inner.text("replacedBy"))
    inner.nothing_left()
    return deprecation
