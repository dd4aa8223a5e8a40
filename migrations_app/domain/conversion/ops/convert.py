"""`convert`: a value through a named codec."""

from __future__ import annotations

from migrations_app.domain.conversion.codecs.registry import codec
from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.kernel.errors import Invalid


def _conv(leaf: Leaf) -> Conv:
    try:
        return codec(leaf.decl.text("codec"), leaf.decl.table("with"))
    except Invalid as error:
        leaf.wrong("E-CODEC", error.words, error.remedy_words)
        return SAME


OP = OpForm(
    name="convert",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="A value is written another way.",
    arguments={**PLACES, "codec": "!the codec", "with": "its parameters"},
    example="convert: {from: ttl, to: ttl_seconds, codec: duration-seconds}",
    conv=_conv,
    backward="by the codec's inverse; what it cannot restore waits in the bag with a witness",
    filters="residual: evaluated on the old view; an exact scale keeps orderBy",
    masks="path",
)
