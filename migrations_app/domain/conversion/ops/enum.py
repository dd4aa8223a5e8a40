"""`enum`: symbols by a table."""

from __future__ import annotations

from migrations_app.domain.conversion.findings import FindingLevel
from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.values import Conv, SymbolTable
from migrations_app.domain.schema.types import EnumType, Type


def _conv(leaf: Leaf) -> Conv:
    there = {str(old): str(new) for old, new in leaf.decl.table("map").items()}
    back: dict[str, str] = {}
    for old, new in there.items():
        back.setdefault(new, old)
    canonical = {str(new): str(old) for new, old in leaf.decl.table("canonical").items()}
    back.update(canonical)
    back.update({str(new): str(old) for new, old in leaf.decl.table("back").items()})
    rest = leaf.decl.text("rest", "same")
    if rest != "same":
        _fill_rest(leaf, rest, there, back)
    _check(leaf, there, back)
    return SymbolTable(there, back, _symbols(leaf.source_type), _symbols(leaf.target_type))


def _fill_rest(leaf: Leaf, rest: str, there: dict[str, str], back: dict[str, str]) -> None:
    """Let every old symbol that nothing maps, and that the new enum does not have, become one new symbol."""
    old, new = _symbols(leaf.source_type), _symbols(leaf.target_type)
    if not old:
        message = f"`rest: {rest}` needs an old enum; {leaf.source.name} is none."
        leaf.wrong("E-DOMAIN", message, "Write `map` for the texts that are in use.")
        return
    left = sorted(old - set(there) - new)
    there.update(dict.fromkeys(left, rest))
    if left:
        back.setdefault(rest, rest if rest in old else left[0])


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
    if new and not old and isinstance(leaf.target_type, EnumType) and not leaf.target_type.open:
        message = (
            f"Texts of {leaf.source.name} outside the map pass as they are, though the new enum lacks them."
        )
        leaf.wrong("W-ENUM", message, "Map every text that is in use.", FindingLevel.WARNING)
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
            FindingLevel.WARNING,
        )


OP = OpForm(
    name="enum",
    kind=OpKind.PAIR,
    keeps=OpClass.LOSSY,
    summary="Symbols change; one that the table does not know stays.",
    arguments={
        **PLACES,
        "map": "!old symbol: new symbol",
        "canonical": "new symbol: the old one it becomes, where several share it",
        "back": "new symbol: old symbol, for new symbols without an old one",
        "rest": "same (the default): symbols outside the map keep their name; or the new symbol that they become",
        "unknown": "keep (the default): what neither enum declares passes as it is",
    },
    example="enum: {path: plan_level, map: {SYSTEM: SERVICE}}",
    conv=_conv,
    backward="by the inverse table; where several share a symbol the bag tells which it was",
    filters="= becomes IN the preimage",
    masks="path",
)
