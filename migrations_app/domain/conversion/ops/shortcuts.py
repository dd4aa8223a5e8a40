"""Shortcuts of `convert`: `boolToEnum`, `numToString`, `unit`."""

from __future__ import annotations

from migrations_app.domain.conversion.codecs.registry import codec
from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.values import Conv


def _bool(leaf: Leaf) -> Conv:
    return codec("bool-enum", {"true": leaf.decl.args.get("true"), "false": leaf.decl.args.get("false")})


def _number(leaf: Leaf) -> Conv:
    return codec("int-string", {})


def _unit(leaf: Leaf) -> Conv:
    return codec(
        "scale", {key: leaf.decl.args[key] for key in ("factor", "offset", "round") if key in leaf.decl.args}
    )


BOOL = OpForm(
    name="boolToEnum",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="True and false become two symbols.",
    arguments={**PLACES, "true": "!the symbol of true", "false": "!the symbol of false"},
    example="boolToEnum: {from: enabled, to: state, true: ENABLED, false: DISABLED}",
    conv=_bool,
    backward="other symbols wait in the bag",
    filters="residual: evaluated on the old view",
    masks="path",
)

NUMBER = OpForm(
    name="numToString",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="A whole number becomes its decimal text.",
    arguments=PLACES,
    example="numToString: {path: size}",
    conv=_number,
    backward="read as a number",
    filters="residual: evaluated on the old view",
    masks="path",
)

UNIT = OpForm(
    name="unit",
    kind=OpKind.PAIR,
    keeps=OpClass.LOSSY,
    summary="A number counts in another unit: factor · x + offset.",
    arguments={
        **PLACES,
        "factor": "!the factor",
        "offset": "what is added",
        "round": "down: whole numbers on the new side",
    },
    example="unit: {from: timeout_ms, to: timeout_s, factor: '1/1000', round: down}",
    conv=_unit,
    backward="(x − offset) / factor; what rounding lost waits in the bag with a witness",
    filters="residual: evaluated on the old view; a positive factor without rounding keeps orderBy",
    masks="path",
)
