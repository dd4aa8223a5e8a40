"""`flatten`: the fields of an object go up beside it."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.ops.base import OpClass, OpForm, OpKind
from migrations_app.domain.schema.types import ObjectType


def _expand(decl: Decl, source: ObjectType, target: ObjectType) -> list[Decl]:
    path, into = decl.text("path"), decl.text("into")
    prefix = f"{into}." if into else ""
    return [
        Decl("move", {"from": f"{path}.{name}", "to": f"{prefix}{name}"}, decl.place)
        for name in decl.texts("fields")
    ]


OP = OpForm(
    name="flatten",
    kind=OpKind.SUGAR,
    keeps=OpClass.INJECTIVE,
    summary="Fields of an object move up and the object goes.",
    arguments={
        "path": "!the object",
        "fields": "!the fields of it that move",
        "into": "where to; none for beside it",
    },
    example="flatten: {path: endpoint, fields: [host, port]}",
    expand=_expand,
    backward="nested; an empty or null object comes back from the bag",
    filters="path",
    masks="path",
)
