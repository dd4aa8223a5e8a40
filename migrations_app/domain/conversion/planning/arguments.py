"""The arguments of ops that say where and what: paths and fills."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.planning.paths import FieldPath
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message


def ends(decl: Decl) -> tuple[FieldPath, FieldPath]:
    """Read where a pair op starts and ends; `path` stands for both.

    Raises: Invalid (`E-ARGS`, `field-path`).
    """
    start, end = decl.text("from") or decl.text("path"), decl.text("to") or decl.text("path")
    if not start or not end:
        raise Invalid(message("`{op}` needs `path`, or `from` and `to`.", op=decl.op), code="E-ARGS")
    return FieldPath.parse(start), FieldPath.parse(end)


def paths(decl: Decl) -> list[FieldPath]:
    """Read every place that the op names."""
    return [FieldPath.parse(decl.text(key)) for key in ("path", "from", "to") if decl.text(key)]


def fill(decl: Decl) -> State:
    """Read what an added field is without a bag."""
    kinds = decl.table("as")
    return kinds.get("default", kinds.get("const", ABSENT))
