"""`default`, `require` and `relax`: what an absent field means on either side."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.shapes import Fill
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.values import Conv, chain


def _argument(leaf: Leaf, key: str) -> State:
    return leaf.decl.args.get(key, ABSENT)


def _default(leaf: Leaf) -> Conv:
    return chain(Fill(_argument(leaf, "old")), leaf.between(), Fill(ABSENT, _argument(leaf, "new")))


def _require(leaf: Leaf) -> Conv:
    return chain(leaf.between(), Fill(_argument(leaf, "fill")))


def _relax(leaf: Leaf) -> Conv:
    return chain(Fill(ABSENT, _argument(leaf, "fill")), leaf.between())


OP = OpForm(
    name="default",
    kind=OpKind.PAIR,
    keeps=OpClass.LOSSY,
    summary="Absence means another value on the new side, so the old meaning is written out.",
    arguments={
        **PLACES,
        "old": "!what absence means on the old side",
        "new": "what absence means on the new side",
    },
    example="default: {path: retries, old: 3, new: 5}",
    conv=_default,
    backward="a value that was only written out goes again, if it was not changed",
    filters="residual: evaluated on the old view",
    masks="path",
)

REQUIRE = OpForm(
    name="require",
    kind=OpKind.PAIR,
    keeps=OpClass.LOSSY,
    summary="The new side always needs the field; an absent one is filled.",
    arguments={**PLACES, "fill": "!the value, as the new side writes it"},
    example="require: {path: tier, fill: BASIC}",
    conv=_require,
    backward="absent again, if the filled value is unchanged",
    filters="residual: evaluated on the old view",
    masks="path",
)

RELAX = OpForm(
    name="relax",
    kind=OpKind.PAIR,
    keeps=OpClass.LOSSY,
    summary="The new side no longer needs the field; the old one gets an absent one filled.",
    arguments={**PLACES, "fill": "!the value, as the old side writes it"},
    example="relax: {path: tier, fill: BASIC}",
    conv=_relax,
    backward="filled when absent",
    filters="residual: evaluated on the old view",
    masks="path",
)
