"""`ignore`: a field that carries no data meaning."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import OpClass, OpForm, OpKind

OP = OpForm(
    name="ignore",
    kind=OpKind.SOURCE,
    keeps=OpClass.LOSSY,
    summary="A field of either side is left out and its value is given up.",
    arguments={"path": "!the field", "because": "!why its value means nothing"},
    example="ignore: {path: self_link, because: computed when read}",
    backward="absent",
    filters="refused",
    masks="refused",
)
