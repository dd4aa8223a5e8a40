"""`move`: a field goes into, out of or between objects."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import OpClass, OpForm, OpKind
from migrations_app.domain.conversion.ops.rename import OP as RENAME

OP = OpForm(
    name="move",
    kind=OpKind.PAIR,
    keeps=OpClass.BIJECTIVE,
    summary="A field moves to another object; parents are made only when the value is there.",
    arguments={"from": "!the old path", "to": "!the new path"},
    example="move: {from: app_engine_http_target, to: http.target}",
    conv=RENAME.conv,
    backward="moved back; a parent that becomes empty goes, unless it was there empty",
    filters="path",
    masks="path",
)
