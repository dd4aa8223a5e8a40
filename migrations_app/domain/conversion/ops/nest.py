"""`nest`: several fields go under a new object."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.ops.base import OpClass, OpForm, OpKind
from migrations_app.domain.schema.types import ObjectType


def _expand(decl: Decl, source: ObjectType, target: ObjectType) -> list[Decl]:
    under = decl.text("under")
    return [
        Decl("move", {"from": name, "to": f"{under}.{name.rpartition('.')[2]}"}, decl.place)
        for name in decl.texts("fields")
    ]


OP = OpForm(
    name="nest",
    kind=OpKind.SUGAR,
    keeps=OpClass.BIJECTIVE,
    summary="Fields move, under their names, into an object.",
    arguments={"fields": "!the fields", "under": "!the path of the object"},
    example="nest: {fields: [host, port], under: endpoint}",
    expand=_expand,
    backward="flattened",
    filters="path",
    masks="path; the object stands for the union of its leaves",
)
