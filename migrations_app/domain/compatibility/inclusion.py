"""Whether every value one type may emit is a value another accepts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.scalars import INT_RANGES
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    FieldMaskType,
    FilterType,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
)
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import WordedMessage, message

_TEXT_KINDS = frozenset(
    {
        ScalarKind.STRING,
        ScalarKind.BYTES,
        ScalarKind.TIMESTAMP,
        ScalarKind.DURATION,
        ScalarKind.DATE,
        ScalarKind.DECIMAL,
    }
)
_WIDER: Mapping[ScalarKind, frozenset[ScalarKind]] = {
    ScalarKind.F64: frozenset({ScalarKind.F32, ScalarKind.I32, ScalarKind.U32}),
    ScalarKind.DECIMAL: frozenset({ScalarKind.F32, ScalarKind.F64, *INT_RANGES}),
    ScalarKind.QUANTITY: frozenset({ScalarKind.I32, ScalarKind.U32, ScalarKind.I64, ScalarKind.U64}),
}
_LOWER = ("min", "exclusiveMin", "minLength", "minItems", "minProperties")
_UPPER = ("max", "exclusiveMax", "maxLength", "maxItems", "maxProperties")


@dataclass(slots=True)
class Inclusion:
    """Compares the types of two schemas; objects fit objects, their fields are compared one by one."""

    emitting: Schema
    accepting: Schema
    reasons: list[WordedMessage] = field(default_factory=list)

    def fields(self, emitted: Field, accepted: Field) -> bool:
        """Tell whether all present values of a field fit another one; `reasons` says why not."""
        fits = self.types(emitted.type, accepted.type)
        if emitted.nullable and not accepted.nullable:
            fits = self._no(message("null is not accepted"))
        return self._constraints(emitted.constraints, accepted.constraints) and fits

    def types(self, emitted: Type, accepted: Type) -> bool:
        """Tell whether all values of a type fit another one."""
        emitted, accepted = self.emitting.resolve(emitted), self.accepting.resolve(accepted)
        match emitted, accepted:
            case _, StructType() | ScalarType(kind=ScalarKind.ANY):
                return True
            case UnionType(), _:
                return all(self.types(each, accepted) for each in emitted.branches)
            case _, UnionType():
                return self._any_branch(emitted, accepted)
            case EnumType(), EnumType():
                return self._enums(emitted, accepted)
            case ScalarType(), ScalarType():
                return self._scalars(emitted, accepted)
            case ScalarType(), EnumType() if emitted.kind is ScalarKind.STRING:
                return accepted.open or self._no(message("any text meets a closed enum"))
            case EnumType() | ReferenceType() | FieldMaskType() | FilterType(), ScalarType():
                return accepted.kind is ScalarKind.STRING or self._no(
                    message("text meets {kind}", kind=accepted.kind.value)
                )
            case ReferenceType(), ReferenceType():
                return self._references(emitted, accepted)
            case ListType(), ListType():
                return self._lists(emitted, accepted)
            case MapType(), MapType():
                same = emitted.key is accepted.key or accepted.key is ScalarKind.STRING
                return (same or self._no(message("the keys differ"))) and self.types(
                    emitted.value, accepted.value
                )
            case ObjectType(), ObjectType():
                return True
            case _:
                meets = message(
                    "{emitted} meets {accepted}", emitted=_name(emitted), accepted=_name(accepted)
                )
                return type(emitted) is type(accepted) or self._no(meets)

    def _no(self, reason: WordedMessage) -> bool:
        self.reasons.append(reason)
        return False

    def _any_branch(self, emitted: Type, accepted: UnionType) -> bool:
        for branch in accepted.branches:
            if Inclusion(self.emitting, self.accepting).types(emitted, branch):
                return True
        return self._no(message("no branch takes {emitted}", emitted=_name(emitted)))

    def _enums(self, emitted: EnumType, accepted: EnumType) -> bool:
        if accepted.open:
            return True
        gone = [value.name for value in emitted.values if accepted.value(value.name) is None]
        if gone:
            return self._no(message("{symbols} is not among the values", symbols=", ".join(gone[:5])))
        return not emitted.open or self._no(message("an open enum meets a closed one"))

    def _scalars(self, emitted: ScalarType, accepted: ScalarType) -> bool:
        wider = _WIDER.get(accepted.kind, frozenset())
        if emitted.kind in INT_RANGES and accepted.kind in INT_RANGES:
            low, high = INT_RANGES[emitted.kind]
            lowest, highest = INT_RANGES[accepted.kind]
            text = emitted.json_encoding == "string" and accepted.json_encoding != "string"
            if text:
                return self._no(message("a number in text meets a plain number"))
            return (lowest <= low and high <= highest) or self._misfit(emitted, accepted)
        text_fits = accepted.kind is ScalarKind.STRING and (
            emitted.kind in _TEXT_KINDS or emitted.json_encoding == "string"
        )
        if emitted.kind is accepted.kind or emitted.kind in wider or text_fits:
            return True
        return self._misfit(emitted, accepted)

    def _misfit(self, emitted: ScalarType, accepted: ScalarType) -> bool:
        kinds = {"emitted": emitted.kind.value, "accepted": accepted.kind.value}
        return self._no(message("{emitted} does not fit {accepted}", **kinds))

    def _references(self, emitted: ReferenceType, accepted: ReferenceType) -> bool:
        if emitted.form != accepted.form:
            return self._no(
                message(
                    "a {emitted} name meets a {accepted} one", emitted=emitted.form, accepted=accepted.form
                )
            )
        fits = "*" in accepted.resource or set(emitted.resource) <= set(accepted.resource)
        return fits or self._no(message("it may refer to other resource types"))

    def _lists(self, emitted: ListType, accepted: ListType) -> bool:
        fits = self.types(emitted.item, accepted.item)
        if accepted.kind is not ListKind.ORDERED and emitted.kind is not accepted.kind:
            return self._no(message("elements may repeat"))
        return fits

    def _constraints(self, emitted: Mapping[str, Json], accepted: Mapping[str, Json]) -> bool:
        fits = True
        for name, bound in accepted.items():
            given = emitted.get(name)
            if given == bound or (name == "uniqueItems" and bound is False):
                continue
            values = {"constraint": name, "bound": str(bound), "given": str(given)}
            fits = self._implied(name, given, bound) or self._no(
                message("{constraint} is {bound}, it was {given}", **values)
            )
        return fits

    def _implied(self, name: str, given: Json, bound: Json) -> bool:
        if not isinstance(given, int | float) or not isinstance(bound, int | float):
            return False
        return given >= bound if name in _LOWER else given <= bound if name in _UPPER else False


def _name(given: Type) -> str:
    return (
        str(given.kind)
        if isinstance(given, ScalarType)
        else type(given).__name__.removesuffix("Type").lower()
    )
