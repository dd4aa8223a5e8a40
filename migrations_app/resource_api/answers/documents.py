"""The documents of answers in the form that was asked for: some fields only, enums as numbers, without large values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    ListType,
    MapType,
    ObjectType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
)
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message
from migrations_app.resource_api.answers.forms import AnswerForm, FieldTree, parse_fields

_ONE, _SEVERAL = frozenset({"get", "create", "update"}), frozenset({"list", "batchGet", "search"})
_PAGE = ("nextPageToken", "prevPageToken", "totalSize", "currentOffset", "totalResultsCount", "missing")
_OPAQUE = StructType()


def answer_type(schema: Schema, resource_type: str, method: str | Method) -> Type:
    """Give the type of the documents that a method answers with; an opaque one where no schema says it."""
    if isinstance(method, Method):
        return RefType(method.response) if method.response in schema.types else _OPAQUE
    if method not in _ONE | _SEVERAL:
        return _OPAQUE
    presenter = presenter_of(schema, resource_type)
    document = schema.document_type(resource_type)
    if presenter.metadata_key:
        document = ObjectType((*document.fields, Field(presenter.metadata_key, _OPAQUE)))
    if method in _ONE:
        return document
    pages = (Field(name, _OPAQUE) for name in _PAGE)
    return ObjectType((Field(presenter.plural, ListType(document)), *pages))


@dataclass(frozen=True, slots=True)
class DocumentForm:
    """Writes documents of one type in the form that a request asks for."""

    schema: Schema
    type: Type
    form: AnswerForm
    tree: FieldTree

    @classmethod
    def of(cls, schema: Schema, type_: Type, form: AnswerForm) -> DocumentForm:
        """See that the form can be made of documents of a type.

        Raises: Invalid (`query`) naming the field that there is not.
        """
        made = cls(schema, type_, form, parse_fields(form.fields))
        made._check(type_, made.tree, "")
        return made

    def write(self, document: Json) -> Json:
        """Write a document."""
        return self._written(self.type, document, self.tree)

    def _check(self, given: Type, tree: FieldTree, path: str) -> None:
        given = self._single(given)
        for key, below in tree.items():
            place = f"{path}{key}"
            if key == "*" or isinstance(given, MapType | StructType | UnionType):
                inner: Type = given.value if isinstance(given, MapType) else _OPAQUE
            else:
                field = given.field(key) if isinstance(given, ObjectType) else None
                if field is None:
                    raise _no_field(place, given)
                inner = field.type
            self._check(inner, below, f"{place}/")

    def _single(self, given: Type) -> Type:
        """Give the type of a value, or of the elements of a list."""
        given = self.schema.resolve(given)
        return self._single(given.item) if isinstance(given, ListType) else given

    def _written(self, given: Type, value: Json, tree: FieldTree) -> Json:
        given = self.schema.resolve(given)
        if isinstance(value, list):
            item = given.item if isinstance(given, ListType) else _OPAQUE
            return [self._written(item, each, tree) for each in value]
        if isinstance(value, dict):
            return self._object(given, value, tree)
        if isinstance(given, EnumType) and self.form.numbers and isinstance(value, str):
            symbol = given.value(value)
            return value if symbol is None or symbol.number is None else symbol.number
        return value

    def _object(self, given: Type, value: Mapping[str, Json], tree: FieldTree) -> Json:
        shown: dict[str, Json] = {}
        for key, each in value.items():
            field = given.by_key(key) if isinstance(given, ObjectType) else None
            names = (key,) if field is None else (key, field.name)
            below = next((tree[name] for name in (*names, "*") if name in tree), None)
            if tree and below is None:
                continue
            if field is not None and self.form.basic and self._is_withheld(field):
                continue
            inner = given.value if isinstance(given, MapType) else _OPAQUE if field is None else field.type
            shown[key] = self._written(inner, each, below or {})
        return shown

    def _is_withheld(self, field: Field) -> bool:
        """Tell whether the basic view leaves a field out: what may be large, and what is sensitive."""
        given = self._single(field.type)
        return field.sensitive or (isinstance(given, ScalarType) and given.kind is ScalarKind.BYTES)


def _no_field(path: str, given: Type) -> Invalid:
    known = sorted(each.key for each in given.fields) if isinstance(given, ObjectType) else []
    return Invalid(
        message("The answer has no field {path}.", path=repr(path[:80])),
        code="query",
        remedy=message("Its fields are {known}.", known=", ".join(known[:40]))
        if known
        else message("It is a single value."),
        violations=(Violation("$fields", message("{path} is unknown here", path=path[:80])),),
    )
