"""Marks the planner sets itself: a leaf that an op further out takes away or puts in."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.conversion.ops.base import OpClass, OpForm, OpKind

HOLES: Mapping[str, OpForm] = {
    name: OpForm(
        name=name,
        kind=kind,
        keeps=OpClass.BIJECTIVE,
        summary="Another op, further out, deals with this leaf.",
        arguments={"path": "!the leaf"},
        example="",
    )
    for name, kind in (("~old", OpKind.SOURCE), ("~new", OpKind.TARGET))
}
