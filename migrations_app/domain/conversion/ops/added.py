"""`added`: a field that only the new side has."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import OpClass, OpForm, OpKind

OP = OpForm(
    name="added",
    kind=OpKind.TARGET,
    keeps=OpClass.INJECTIVE,
    summary="The new side has a field that the old one has not.",
    arguments={
        "path": "!the new field",
        "as": "what it is without a bag: {absent: true}, {default: value} or {const: value}",
        "because": "why it is not matched",
        "bag": "allow: even a sensitive value may wait in the bag",
    },
    example="added: {path: generation, as: {absent: true}}",
    backward="into the bag of the old side",
    filters="the old side cannot name it",
    masks="the old side cannot name it; a full mask leaves it",
)
