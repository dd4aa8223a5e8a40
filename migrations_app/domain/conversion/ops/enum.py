"""`enum`: symbols by a table."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.findings import FindingLevel
from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.values import Conv, PartialSymbols, SymbolTable
from migrations_app.domain.schema.types import EnumType, Type
from migrations_app.kernel.messages import message

SAME, BAG, REFUSE = "same", "bag", "refuse"


def _conv(leaf: Leaf) -> Conv:
    there = {str(old): str(new) for old, new in leaf.decl.table("map").items()}
    back: dict[str, str] = {}
    for old, new in there.items():
        back.setdefault(new, old)
    canonical = {str(new): str(old) for new, old in leaf.decl.table("canonical").items()}
    back.update(canonical)
    back.update({str(new): str(old) for new, old in leaf.decl.table("back").items()})
    rest = leaf.decl.text("rest", SAME)
    partial = rest in (BAG, REFUSE) and rest not in _symbols(leaf.target_type)
    if not partial and rest != SAME:
        _fill_rest(leaf, rest, there, back)
    _check_names(leaf, there, back)
    table = SymbolTable(there, back, _symbols(leaf.source_type), _symbols(leaf.target_type))
    if not partial:
        _check(leaf, there, back)
        return table
    if rest == BAG:
        _check_absence(leaf, table)
    return PartialSymbols(table, leaf.source.name, leaf.target.name, refuses=rest == REFUSE)


def _fill_rest(leaf: Leaf, rest: str, there: dict[str, str], back: dict[str, str]) -> None:
    """Let every old symbol that nothing maps, and that the new enum does not have, become one new symbol."""
    old, new = _symbols(leaf.source_type), _symbols(leaf.target_type)
    if not old:
        words = message("`rest: {rest}` needs an old enum; {name} is none.", rest=rest, name=leaf.source.name)
        leaf.wrong(
            "E-DOMAIN", words, message("Write `map` for the texts that are in use, and rest: bag or refuse.")
        )
        return
    left = sorted(old - set(there) - new)
    there.update(dict.fromkeys(left, rest))
    if new and rest not in new:
        leaf.wrong(
            "E-DOMAIN",
            message("The new enum has no {rest}.", rest=rest),
            message("It has {new}.", new=", ".join(sorted(new))),
        )
    if left:
        back.setdefault(rest, rest if rest in old else left[0])


def _symbols(given: Type) -> frozenset[str]:
    return frozenset(value.name for value in given.values) if isinstance(given, EnumType) else frozenset()


def _check_names(leaf: Leaf, there: dict[str, str], back: dict[str, str]) -> None:
    """Refuse symbols that the enums do not have."""
    for old, known, named in (
        (True, _symbols(leaf.source_type), set(there) | set(back.values())),
        (False, _symbols(leaf.target_type), set(there.values()) | set(back)),
    ):
        if known and (strange := sorted(named - known)):
            symbols = ", ".join(strange)
            words = (
                message("The old enum has no {symbols}.", symbols=symbols)
                if old
                else message("The new enum has no {symbols}.", symbols=symbols)
            )
            leaf.wrong("E-DOMAIN", words, message("It has {known}.", known=", ".join(sorted(known))))


def _check(leaf: Leaf, there: dict[str, str], back: dict[str, str]) -> None:
    """Say which symbols would pass as they are though the other enum does not have them."""
    old, new = _symbols(leaf.source_type), _symbols(leaf.target_type)
    if new and not old and isinstance(leaf.target_type, EnumType) and not leaf.target_type.open:
        words = message(
            "Texts of {name} outside the map pass as they are, though the new enum lacks them.",
            name=leaf.source.name,
        )
        remedy = message("Map every text that is in use, or add rest: bag or rest: refuse.")
        leaf.wrong("W-ENUM", words, remedy, FindingLevel.WARNING)
    if not old or not new:
        return
    lost = sorted(old - set(there) - new)
    is_open = isinstance(leaf.target_type, EnumType) and leaf.target_type.open
    if lost and not (is_open and "rest" in leaf.decl.args):
        leaf.wrong(
            "E-DOMAIN",
            message("The new enum has no symbol for {lost}.", lost=", ".join(lost)),
            message("Add map: {example}, or rest: bag or rest: refuse.", example=f"{{{lost[0]}: …}}"),
        )
    unseen = sorted(new - set(back) - old)
    if unseen:
        leaf.wrong(
            "W-ENUM",
            message(
                "The old version will receive symbols that it does not know: {unseen}.",
                unseen=", ".join(unseen),
            ),
            message(
                "Add back: {example}, or rest: bag or rest: refuse, or leave them as they are.",
                example=f"{{{unseen[0]}: …}}",
            ),
            FindingLevel.WARNING,
        )


def _check_absence(leaf: Leaf, table: SymbolTable) -> None:
    """Refuse `rest: bag` where a side always needs the field that it would leave absent."""
    if leaf.decl.text("path", leaf.decl.text("from")).endswith(("[]", "{}")):
        return  # an element goes, the list stays
    old, new = _symbols(leaf.source_type), _symbols(leaf.target_type)
    for field, lacking, example in (
        (
            leaf.target,
            bool(new) and (not old or bool(old - set(table.there) - new)),
            "rest: SYMBOL or refuse",
        ),
        (
            leaf.source,
            bool(old) and (not new or bool(new - set(table.back) - old)),
            "`back`, or rest: refuse",
        ),
    ):
        if field.required and lacking:
            words = message("`rest: bag` would leave {name} absent, which is required.", name=field.name)
            leaf.wrong("E-DOMAIN", words, message("Write {example}.", example=example))


OP = OpForm(
    name="enum",
    kind=OpKind.PAIR,
    keeps=OpClass.LOSSY,
    summary="Symbols change; one without a counterpart stays, waits in the bag, or is refused.",
    arguments={
        **PLACES,
        "map": "!old symbol: new symbol",
        "canonical": "new symbol: the old one it becomes, where several share it",
        "back": "new symbol: old symbol, for new symbols without an old one",
        "rest": "what becomes of symbols without a counterpart. same (the default): they keep their name; "
        "or the new symbol that old ones become; bag: either way they are absent on the other side and come back from "
        "the bag (in lists and maps the element is); refuse: either way the resource has no image there "
        "(`symbol-refused`): such a write is refused, an upgrade quarantines it, and the old version hides it",
        "unknown": "keep (the default): what neither enum declares passes as it is, but with rest: bag or refuse",
    },
    example="enum: {path: plan_level, map: {SYSTEM: SERVICE}}",
    conv=_conv,
    backward="by the inverse table; where several share a symbol the bag tells which it was",
    filters="= becomes IN the preimage; residual for a symbol without a counterpart",
    masks="path",
)
