"""`removed`: a field that only the old side has."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import OpClass, OpForm, OpKind

OP = OpForm(
    name="removed",
    kind=OpKind.SOURCE,
    keeps=OpClass.INJECTIVE,
    summary="The old side has a field that the new one has not.",
    arguments={
        "path": "!the old field",
        "as": "what it is on the old side without a bag: {absent: true}, {default: value} or {const: value}",
        "because": "why nothing replaces it",
        "bag": "allow: even a sensitive value may wait in the bag",
    },
    example="removed: {path: legacy_etag, because: no client reads it}",
    backward="from the bag, else absent",
    filters="residual: evaluated on the old view",
    masks="writes go to the bag",
)
