"""`enum`: symbols by a table."""

from __future__ import annotations

from migrations_app.domain.conversion.findings import Level
from migrations_app.domain.conversion.ops.base import PLACES, Class, Kind, Leaf, Op
from migrations_app.domain.conversion.values import Conv, Table
from migrations_app.domain.schema.types import EnumType, Type


def _conv(leaf: Leaf) -> Conv:
    there = {str(old): str(new) for old, new in leaf.decl.table("map").items()}
    back: dict[str, str] = {}
    for old, new in there.items():
        back.setdefault(new, old)
    canonical = {str(new): str(old) for new, old in leaf.decl.table("canonical").items()}
    back.update(canonical)
    back.update({str(new): str(old) for new, old in leaf.decl.table("back").items()})
    _check(leaf, there, back)
    return Table(there, back, _symbols(leaf.source_type), _symbols(leaf.target_type))


def _symbols(given: Type) -> frozenset[str]:
    return frozenset(value.name for value in given.values) if isinstance(given, EnumType) else frozenset()


def _check(leaf: Leaf, there: dict[str, str], back: dict[str, str]) -> None:
    old, new = _symbols(leaf.source_type), _symbols(leaf.target_type)
    for side, known, named in (
        ("old", old, set(there) | set(back.values())),
        ("new", new, set(there.values()) | set(back)),
    ):
        if known and (strange := sorted(named - known)):
            message = f"The {side} enum has no {', '.join(strange)}."
            leaf.wrong("E-DOMAIN", message, f"It has {', '.join(sorted(known))}.")
    if not old or not new:
        return
    lost = sorted(old - set(there) - new)
    if lost:
        leaf.wrong(
            "E-DOMAIN", f"The new enum has no symbol for {', '.join(lost)}.", f"Add map: {{{lost[0]}: …}}."
        )
    unseen = sorted(new - set(back) - old)
    if unseen:
        leaf.wrong(
            "W-ENUM",
            f"The old side will meet symbols it does not know: {', '.join(unseen)}.",
            f"Add back: {{{unseen[0]}: …}}, or leave them as they are.",
            Level.WARNING,
        )


OP = Op(
    name="enum",
    kind=Kind.PAIR,
    keeps=Class.LOSSY,
    summary="Symbols change; one that the table does not know stays.",
    arguments={
        **PLACES,
        "map": "!old symbol: new symbol",
        "canonical": "new symbol: the old one it becomes, where several share it",
        "back": "new symbol: old symbol, for new symbols without an old one",
        "rest": "same (the default): symbols outside the map keep their name",
        "unknown": "keep (the default)",
    },
    example="enum: {path: plan_level, map: {SYSTEM: SERVICE}}",
    conv=_conv,
    backward="by the inverse table; where several share a symbol the bag tells which it was",
    filters="= becomes IN the preimage",
    masks="path",
)
