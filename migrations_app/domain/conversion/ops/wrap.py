"""`wrap` and `head`: a value becomes a list of one, a list becomes its first element."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.shapes import FirstElement, Wrap
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.domain.schema.types import ListType
from migrations_app.kernel.messages import message


def _wrap(leaf: Leaf) -> Conv:
    if not isinstance(leaf.target_type, ListType):
        leaf.wrong(
            "E-TYPE", message("`wrap` needs a list on the new side, {name} is none.", name=leaf.target.name)
        )
        return SAME
    return Wrap(leaf.site.between(leaf.source_type, leaf.target_type.item, leaf.decl))


def _head(leaf: Leaf) -> Conv:
    if not isinstance(leaf.source_type, ListType):
        leaf.wrong(
            "E-TYPE", message("`head` needs a list on the old side, {name} is none.", name=leaf.source.name)
        )
        return SAME
    return FirstElement(leaf.site.between(leaf.source_type.item, leaf.target_type, leaf.decl))


OP = OpForm(
    name="wrap",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="A value becomes a list of one.",
    arguments=PLACES,
    example="wrap: {from: source, to: sources}",
    conv=_wrap,
    backward="the first element; the rest waits in the bag with a witness",
    filters="residual: evaluated on the old view",
    masks="path",
)

HEAD = OpForm(
    name="head",
    kind=OpKind.PAIR,
    keeps=OpClass.LOSSY,
    summary="A list becomes its first element.",
    arguments=PLACES,
    example="head: {from: sources, to: source}",
    conv=_head,
    backward="wrapped; the rest comes back from the bag if the first element is unchanged",
    filters="residual",
    masks="path",
)
