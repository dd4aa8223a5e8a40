"""The conversion between two types when the fields that hold them are the same field."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from migrations_app.domain.conversion.codecs.registry import codec
from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFileLine, EdgeFinding, FindingLevel
from migrations_app.domain.conversion.shapes import DropEmpty, DropNull
from migrations_app.domain.conversion.values import (
    SAME,
    Conv,
    ConversionChain,
    EachValue,
    Inner,
    ListConversion,
    ObjectRunner,
    chain,
)
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    ListType,
    MapType,
    ObjectType,
    Presence,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
    Type,
    UnionType,
)
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message

_WIDER = {
    (ScalarKind.I32, ScalarKind.I64),
    (ScalarKind.U32, ScalarKind.U64),
    (ScalarKind.U32, ScalarKind.I64),
    (ScalarKind.F32, ScalarKind.F64),
    (ScalarKind.I32, ScalarKind.F64),
}


Named = tuple[str, ObjectType]


class Planning(Protocol):
    """What planning a value asks of the planner of the edge."""

    def old_type(self, given: Type) -> Type:
        """Follow named types of the old version."""
        ...

    def new_type(self, given: Type) -> Type:
        """Follow named types of the new version."""
        ...

    def pair(self, old: Named, new: Named, extra: tuple[Decl, ...] = ()) -> ObjectRunner:
        """Plan a pair of object types."""
        ...

    def report(self, finding: EdgeFinding) -> None:
        """Keep a finding."""
        ...

    def reference(self, old: Type, new: Type) -> Conv | None:
        """Plan a reference to another resource."""
        ...


@dataclass(frozen=True, slots=True)
class ObjectField:
    """A type, the name that an object type in it goes by, and the path of the field that holds it."""

    type: Type
    name: str
    path: str = ""

    @property
    def place(self) -> str:
        """The field, else the type."""
        return self.path or self.name


def between(
    planner: Planning, old: ObjectField, new: ObjectField, extra: tuple[Decl, ...], place: EdgeFileLine
) -> Conv:
    """Plan how a value of one type becomes one of the other; `extra` are ops for objects inside it."""
    old, new = _named(planner.old_type(old.type), old), _named(planner.new_type(new.type), new)
    mine, theirs = old.type, new.type
    if isinstance(mine, ObjectType) and isinstance(theirs, ObjectType):
        return Inner(planner.pair((old.name, mine), (new.name, theirs), extra))
    if isinstance(mine, ListType) and isinstance(theirs, ListType):
        return _each(
            between(planner, _inside(old, mine.item), _inside(new, theirs.item), extra, place), ListConversion
        )
    if isinstance(mine, MapType) and isinstance(theirs, MapType):
        inner = between(planner, _inside(old, mine.value), _inside(new, theirs.value), extra, place)
        return _each(inner, EachValue)
    if extra:
        planner.report(
            EdgeFinding(
                "E-PATH",
                message("{op} leads into {name}, which is no object.", op=extra[0].op, name=new.name),
                extra[0].place,
            )
        )
        return SAME
    return _leaf(planner, old, new, place)


def _named(resolved: Type, held: ObjectField) -> ObjectField:
    return replace(held, type=resolved, name=held.type.name if isinstance(held.type, RefType) else held.name)


def _inside(held: ObjectField, inner: Type) -> ObjectField:
    """Go into a list or map."""
    return replace(held, type=inner)


def _each(inner: Conv, maker: type[ListConversion] | type[EachValue]) -> Conv:
    return SAME if inner is SAME else maker(inner)


def _leaf(planner: Planning, old: ObjectField, new: ObjectField, place: EdgeFileLine) -> Conv:
    mine, theirs = old.type, new.type
    if isinstance(mine, EnumType) and isinstance(theirs, EnumType):
        return _enum(planner, (old, new), (mine, theirs), place)
    if isinstance(mine, ScalarType) and isinstance(theirs, ScalarType):
        found = _scalar(mine, theirs)
    elif isinstance(mine, ReferenceType | ScalarType) and isinstance(theirs, ReferenceType | ScalarType):
        found = planner.reference(mine, theirs) if _is_text(mine) and _is_text(theirs) else None
    elif isinstance(mine, EnumType) and _is_text(theirs):
        found = SAME
    elif isinstance(mine, UnionType) or type(mine) is not type(theirs):
        found = SAME if mine == theirs else None
    else:
        found = SAME
    if found is None:
        planner.report(
            EdgeFinding(
                "E-TYPE",
                message(
                    "{place} is {type_text} and {new_place} is {type_text_2}.",
                    place=old.place,
                    type_text=type_text(mine),
                    new_place=new.place,
                    type_text_2=type_text(theirs),
                ),
                place,
                message("Say how with `{op_for}`, or with a hook.", op_for=_op_for(mine, theirs)),
                fields=(old.place, new.place),
            )
        )
        return SAME
    return found


def type_text(given: Type) -> str:
    """Name a type as a person would."""
    match given:
        case ScalarType():
            return str(given.kind)
        case ListType():
            return f"a list of {type_text(given.item)}"
        case MapType():
            return f"a map of {type_text(given.value)}"
        case EnumType():
            symbols = ", ".join(each.name for each in given.values[:3])
            return f"an enum ({symbols}{', …' if len(given.values) > 3 else ''})"
        case RefType():
            return given.name
        case ReferenceType():
            return f"a reference to {' or '.join(given.resource) or 'any resource'}"
        case _:
            return {
                ObjectType: "an object",
                UnionType: "a union",
            }.get(type(given), type(given).__name__.removesuffix("Type").lower())


def _op_for(old: Type, new: Type) -> str:
    """Name the op that fits two types."""
    match old, new:
        case MapType(), ListType():
            return "mapToList"
        case ListType(), MapType():
            return "listToMap"
        case _, ListType():
            return "wrap"
        case ListType(), _:
            return "head"
        case ScalarType(kind=ScalarKind.BOOL), EnumType():
            return "boolToEnum"
        case _, EnumType():
            return "enum"
        case ScalarType(), ScalarType(kind=ScalarKind.STRING) if old.kind.value[0] in "iu":
            return "numToString"
        case _:
            return "convert"


def _is_text(given: Type) -> bool:
    return isinstance(given, ReferenceType) or (
        isinstance(given, ScalarType) and given.kind is ScalarKind.STRING
    )


def _scalar(mine: ScalarType, theirs: ScalarType) -> Conv | None:
    if mine.kind is not theirs.kind and (mine.kind, theirs.kind) not in _WIDER:
        return None
    if mine.json_encoding == theirs.json_encoding:
        return SAME
    if theirs.json_encoding == "string":
        return codec("int-string", {})
    if mine.json_encoding == "string":
        return codec("int-string:back", {})
    return SAME


def _enum(
    planner: Planning,
    ends: tuple[ObjectField, ObjectField],
    types: tuple[EnumType, EnumType],
    place: EdgeFileLine,
) -> Conv:
    (old, new), (mine, theirs) = ends, types
    gone = sorted({each.name for each in mine.values} - {each.name for each in theirs.values})
    come = sorted({each.name for each in theirs.values} - {each.name for each in mine.values})
    if gone and not theirs.open:
        planner.report(
            EdgeFinding(
                "E-ENUM",
                message(
                    "The new enum of {place} has no symbol for {gone}.", place=old.place, gone=", ".join(gone)
                ),
                place,
                message("Add - enum: {example}.", example=f"{{path: …, map: {{{gone[0]}: …}}}}"),
            )
        )
    elif gone:
        words = message(
            "{place} can hold {gone}, which its enum does not name any more.",
            place=new.place,
            gone=", ".join(gone),
        )
        remedy = message(
            "Map them with - enum: {example}, or accept that they pass as they are.",
            example=f"{{path: …, map: {{{gone[0]}: …}}}}",
        )
        planner.report(EdgeFinding("W-ENUM", words, place, remedy, FindingLevel.WARNING))
    elif come and not mine.open:
        words = message(
            "The old enum of {place} does not know {come}.", place=old.place, come=", ".join(come)
        )
        planner.report(
            EdgeFinding("W-ENUM", words, place, message("Map them with enum's `back`."), FindingLevel.WARNING)
        )
    return SAME


def presence(old: Field, new: Field, inner: Conv) -> Conv:
    """Add what follows from how the two fields treat null, empty and absent."""
    links: list[Conv] = []
    if old.nullable and not new.nullable:
        links.append(DropNull())
    if _blank(new) and not _blank(old):
        links.append(DropEmpty(_blank(new)))
    back: list[Conv] = []
    if new.nullable and not old.nullable:
        back.append(DropNull())
    if _blank(old) and not _blank(new):
        back.append(DropEmpty(_blank(old)))
    if not links and not back:
        return inner
    return chain(*(link.inverse for link in back), inner, *links)


def _blank(field: Field) -> tuple[Json, ...]:
    """Tell which values a field cannot tell from absence."""
    if isinstance(field.type, ListType) and (field.empty_is_absent or field.presence is Presence.IMPLICIT):
        return ([],)
    if isinstance(field.type, MapType) and (field.empty_is_absent or field.presence is Presence.IMPLICIT):
        return ({},)
    if field.presence is not Presence.IMPLICIT or not isinstance(field.type, ScalarType):
        return ()
    kind = field.type.kind
    if kind in (ScalarKind.STRING, ScalarKind.BYTES):
        return ("",)
    if kind is ScalarKind.BOOL:
        return (False,)
    if kind.value[0] in "iuf" and kind.value[1:].isdigit():
        return ("0",) if field.type.json_encoding == "string" else (0,)
    return ()


def simplified(conv: Conv) -> Conv:
    """Replace conversions of objects that turned out to be identities."""
    if isinstance(conv, Inner):
        return SAME if getattr(conv.plan, "is_identity", False) else conv
    if isinstance(conv, ListConversion | EachValue):
        inner = simplified(conv.item)
        return SAME if inner is SAME else replace(conv, item=inner)
    if isinstance(conv, ConversionChain):
        return chain(*map(simplified, conv.links))
    return conv
