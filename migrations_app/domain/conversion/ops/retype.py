"""`retype`: the same field with another object type, whose fields are matched in turn."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.values import Conv


def _conv(leaf: Leaf) -> Conv:
    return leaf.between()


OP = OpForm(
    name="retype",
    kind=OpKind.PAIR,
    keeps=OpClass.BIJECTIVE,
    summary="The field has an object type of another name; their fields are matched in turn.",
    arguments={**PLACES, "types": "!old type: new type"},
    example='retype: {path: "resource_limits[]", types: {Allowance: Plan.LimitValue}}',
    conv=_conv,
    backward="the same pair read back",
    filters="path",
    masks="path",
)

TYPE_RENAME = OpForm(
    name="typeRename",
    kind=OpKind.SUGAR,
    keeps=OpClass.BIJECTIVE,
    summary="Object types have other names, wherever they are used.",
    arguments={"…": "old type: new type"},
    example="typeRename: {AllowanceSpec: LimitSpec}",
    expand=lambda decl, source, target: [],
    backward="the same pairs read back",
    filters="path",
    masks="path",
)
