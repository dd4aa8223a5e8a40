"""Filters bound to a schema: paths become document keys, constants become values of the field's type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from migrations_app.domain.filters.ast import (
    Atom,
    Compare,
    ComparisonOperator,
    Contains,
    Exists,
    Filter,
    In,
    IsNaN,
    IsNull,
    Like,
    Not,
    Nothing,
    Path,
    Quantifier,
    ValueKind,
    map_atoms,
)
from migrations_app.domain.filters.constants import bound_constant, kind_of
from migrations_app.domain.filters.evaluate import HOLDS, like_pattern
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.meta import with_metadata
from migrations_app.domain.schema.types import (
    EnumType,
    ListType,
    MapType,
    ObjectType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

_ORDERS = (ComparisonOperator.LT, ComparisonOperator.LE, ComparisonOperator.GT, ComparisonOperator.GE)
_SHOWN = 40


def bind(given: Filter, schema: Schema, type_name: str) -> Filter:
    """Bind a filter to a resource type, or to a named type, of a schema.

    Raises: Invalid (`filter-path`, `filter-type`, `filter-syntax`) for what the type does not have or cannot compare.
    """
    return _Binder(schema, start_type(schema, type_name)).filter(given)


def start_type(schema: Schema, type_name: str) -> ObjectType:
    """Find the type that paths start from; a resource is seen with its metadata."""
    if type_name in schema.resources:
        return with_metadata(schema.document_type(type_name))
    return schema.object(type_name)


def bind_path(schema: Schema, start: Type, path: Path) -> tuple[Path, Type]:
    """Turn the names along a path into document keys, and find the type it leads to.

    A list on the way stands for each of its elements. Raises: Invalid (`filter-path`).
    """
    keys: list[str | int] = []
    here = schema.resolve(start)
    for count, segment in enumerate(path.segments):
        if isinstance(here, ListType) and isinstance(segment, str):
            here = schema.resolve(here.item)
        key, following = _step(schema, here, segment, Path(path.segments[: count + 1]))
        keys.append(key)
        here = schema.resolve(following)
    return Path(tuple(keys)), here


def _step(schema: Schema, here: Type, segment: str | int, so_far: Path) -> tuple[str | int, Type]:
    match here, segment:
        case StructType(), _:
            return segment, here
        case ListType(), int():
            return segment, here.item
        case MapType(), str():
            return segment, here.value
        case ObjectType(), str():
            field = here.field(segment)
            if field is not None:
                return field.key, field.type
        case UnionType(), _:
            for branch in here.branches:
                try:
                    return _step(schema, schema.resolve(branch), segment, so_far)
                except Invalid:
                    continue
    known = message("It has {fields}.", fields=_names(here)) if isinstance(here, ObjectType) else NOTHING
    raise Invalid(
        message("There is no field {path}.", path=str(so_far)) + known,
        code="filter-path",
        path=str(so_far),
    )


def _names(here: ObjectType) -> str:
    """Name the fields of a type, as many as can be read at a glance."""
    names = [each.name for each in here]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


@dataclass(frozen=True, slots=True)
class _Binder:
    schema: Schema
    start: Type

    def filter(self, given: Filter) -> Filter:
        """Bind every atom."""
        return map_atoms(given, self._atom)

    def _atom(self, atom: Atom) -> Filter:
        path, found = bind_path(self.schema, self.start, atom.path)
        match atom:
            case Compare():
                return self._compare(atom, path, found)
            case In():
                self._single(atom.path, found)
                values = tuple(bound_constant(each, found, atom.path) for each in atom.values)
                return In(path, values, kind_of(found))
            case IsNull():
                return IsNull(path)
            case IsNaN():
                if not _is_float(found):
                    _refuse(
                        atom.path,
                        message("The field {path} is no floating-point number.", path=str(atom.path)),
                    )
                return IsNaN(path)
            case Contains():
                return self._contains(atom, path, found)
            case Like():
                if kind_of(found) not in (ValueKind.TEXT, ValueKind.ENUM, ValueKind.JSON):
                    _refuse(
                        atom.path,
                        message("The field {path} is not text, which LIKE needs.", path=str(atom.path)),
                    )
                like_pattern(atom.pattern)
                return Like(path, atom.pattern)
            case Exists():
                if not isinstance(found, ListType):
                    _refuse(
                        atom.path,
                        message("The field {path} is no list, which EXISTS needs.", path=str(atom.path)),
                    )
                return Exists(path, replace(self, start=self.schema.resolve(found.item)).filter(atom.inner))

    def _single(self, path: Path, found: Type) -> None:
        if isinstance(found, ListType):
            _refuse(path, message("The field {path} is a list.", path=str(path)), message("Write CONTAINS."))

    def _compare(self, atom: Compare, path: Path, found: Type) -> Filter:
        self._single(atom.path, found)
        if isinstance(found, EnumType) and atom.op in _ORDERS:
            return _enum_order(atom, path, found)
        if isinstance(found, ObjectType | MapType) and atom.op in _ORDERS:
            _refuse(atom.path, message("The field {path} has no order.", path=str(atom.path)))
        return Compare(path, atom.op, bound_constant(atom.value, found, atom.path), kind_of(found))

    def _contains(self, atom: Contains, path: Path, found: Type) -> Filter:
        has = atom.quantifier is Quantifier.HAS
        match found:
            case ListType():
                item = self.schema.resolve(found.item)
            case MapType() | StructType():
                item = ScalarType(ScalarKind.STRING) if isinstance(found, MapType) else found
            case ObjectType() if has and isinstance(atom.values[0], str):
                below = path.below(atom.values[0])
                return Not(IsNull(bind_path(self.schema, self.start, below)[0]))
            case _ if has:
                return self._compare(Compare(atom.path, ComparisonOperator.EQ, atom.values[0]), path, found)
            case _:
                _refuse(
                    atom.path,
                    message("The field {path} is no list or map, which CONTAINS needs.", path=str(atom.path)),
                )
        values = tuple(bound_constant(each, item, atom.path) for each in atom.values)
        quantifier = Quantifier.VALUE if has and not isinstance(found, StructType) else atom.quantifier
        return Contains(path, quantifier, values, kind_of(item))


def _enum_order(atom: Compare, path: Path, found: EnumType) -> Filter:
    """Turn an order between symbols into the set of symbols that fulfil it, by their numbers."""
    symbol = bound_constant(atom.value, found, atom.path)
    numbers = {value.name: value.number for value in found.values}
    limit = numbers.get(str(symbol))
    if limit is None or None in numbers.values():
        _refuse(
            atom.path,
            message("The field {path} has values without numbers, which have no order.", path=str(atom.path)),
        )
    holds = HOLDS[atom.op]
    symbols = tuple(name for name, number in numbers.items() if number is not None and holds(number, limit))
    return In(path, symbols, ValueKind.ENUM) if symbols else Nothing()


def _is_float(found: Type) -> bool:
    return isinstance(found, StructType) or (
        isinstance(found, ScalarType) and found.kind in (ScalarKind.F32, ScalarKind.F64, ScalarKind.ANY)
    )


def _refuse(path: Path, words: WordedMessage, remedy: WordedMessage = NOTHING) -> NoReturn:
    raise Invalid(
        words,
        code="filter-type",
        remedy=remedy,
        path=str(path),
    )
