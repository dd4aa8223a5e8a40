"""`resourceName`: how the names of a resource type change."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import OpClass, OpForm, OpKind

OP = OpForm(
    name="resourceName",
    kind=OpKind.NAME,
    keeps=OpClass.INJECTIVE,
    summary="The name pattern changes: segments come, go, or are renamed.",
    arguments={"variants": "!a list of {from, to, set, back}"},
    example=(
        "resourceName: {variants: [{from: 'projects/{project}/secrets/{secret}', "
        "to: 'projects/{project}/regions/{region}/secrets/{secret}', set: {region: {const: r0}}, back: hidden}]}"
    ),
    backward="a segment that the old name has no place for waits in the bag, or the resource is hidden",
    filters="constants are converted; a segment that is not known becomes `-`",
    masks="path",
)
