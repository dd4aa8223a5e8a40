"""`rename`: the key changes, the value does not."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.values import Conv


def _conv(leaf: Leaf) -> Conv:
    return leaf.between()


OP = OpForm(
    name="rename",
    kind=OpKind.PAIR,
    keeps=OpClass.BIJECTIVE,
    summary="A field gets another name.",
    arguments={"from": "!the old name", "to": "!the new name"},
    example="rename: {from: plan, to: default_regional_plan}",
    conv=_conv,
    backward="renamed back",
    filters="path",
    masks="path",
)
