"""The op that takes one place for another, as their types ask for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from migrations_app.domain.conversion.proposals.enums import SymbolMap, is_unset, map_symbols
from migrations_app.domain.conversion.proposals.names.common_names import UNITS
from migrations_app.domain.conversion.proposals.names.words import are_negations, words
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.conversion.proposals.shapes import Shapes, bare_symbols
from migrations_app.domain.conversion.proposals.unmatched import UnmatchedField
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    EnumType,
    ListType,
    MapType,
    ObjectType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage

_SYMBOL = re.compile(r"\w+(?:[.-]\w+)*")
_QUOTED = re.compile(r"[\"'`]([A-Za-z]\w*(?:[.-]\w+)*)[\"'`]")
_INTS = (ScalarKind.I32, ScalarKind.I64, ScalarKind.U32, ScalarKind.U64)
_DURATIONS = {
    "second": "duration-seconds",
    "millisecond": "duration-millis",
    "micro": "duration-micros",
    "nano": "duration-nanos",
}
_FLAG_WORDS = re.compile(r"\b(?:true|false)\b")
_FLAG_TEXTS = (("true", "false"), ("yes", "no"), ("on", "off"), ("enabled", "disabled"))
_JSON = re.compile(
    r"\bJSON\b|\bhash(?:es)?\b|\bdictionar(?:y|ies)\b|\bkey/value\b|\{\s*[\"'`]", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\b(?:in|of)\s+(?:whole\s+)?(seconds|milliseconds|microseconds|nanoseconds)\b", re.IGNORECASE
)
_WRITTEN_DURATION = re.compile(
    r"\b\d+(?:\.\d+)?(?:s|ms|m|h)\b|\b(?:duration|format|suffix|fractional|end(?:s|ing) with)\b",
    re.IGNORECASE,
)
_FLOATS = (ScalarKind.F32, ScalarKind.F64)
_YES = ("enabled", "enable", "on", "true", "yes", "active", "allowed", "allow")
_NO = ("disabled", "disable", "off", "false", "no", "inactive", "denied", "deny")


@dataclass(frozen=True, slots=True)
class ProposedOp:
    """An op with its arguments beside the paths; `sure` says whether the types alone decide it."""

    op: str
    args: JsonObject
    sure: bool = True
    reason: WordedMessage = NOTHING
    into: str = ""  # `[]` or `{}` where the op is for elements
    sampled: int = 0  # how many sample documents show that the op makes the new value of the old one

    @property
    def converts(self) -> bool:
        """Whether values of one type become values of another one, so that types that differ say nothing."""
        return self.op not in ("same", "enum") or (self.op == "same" and bool(self.reason))


def operation(shapes: Shapes, old: UnmatchedField, new: UnmatchedField) -> ProposedOp | None:
    """Choose the op for two places; None where no op converts one type into the other."""
    left, right = shapes.old.resolve(old.field.type), shapes.new.resolve(new.field.type)
    if isinstance(left, ListType) and isinstance(right, ListType):
        return _inside(shapes, left.item, right.item, "[]", old, new)
    if isinstance(left, MapType) and isinstance(right, MapType):
        return _inside(shapes, left.value, right.value, "{}", old, new)
    if isinstance(left, MapType) and isinstance(right, ListType):
        return _entries("mapToList", shapes, (left, right), (shapes.old, shapes.new))
    if isinstance(left, ListType) and isinstance(right, MapType):
        return _entries("listToMap", shapes, (right, left), (shapes.new, shapes.old))
    if isinstance(right, ListType) and _fits(shapes, left, right.item):
        return ProposedOp("wrap", {}, reason=MatchReason.BECOMES_LIST.words_with())
    if isinstance(left, ListType) and _fits(shapes, left.item, right):
        return ProposedOp("head", {}, sure=False, reason=MatchReason.BECOMES_FIRST.words_with())
    return _single(shapes, left, right, old, new)


def _inside(
    shapes: Shapes, left: Type, right: Type, into: str, old: UnmatchedField, new: UnmatchedField
) -> ProposedOp | None:
    found = _single(shapes, shapes.old.resolve(left), shapes.new.resolve(right), old, new)
    return None if found is None else found if found.op == "same" else replace(found, into=into)


def _entries(
    op: str, shapes: Shapes, types: tuple[MapType, ListType], schemas: tuple[Schema, Schema]
) -> ProposedOp | None:
    """Find the fields of a list's elements that are the key and the value of a map."""
    given, item = types[0], schemas[1].resolve(types[1].item)
    if not isinstance(item, ObjectType):
        return None
    key = next(
        (each for each in item.fields if words(each.name)[-1:] in (("name",), ("key",), ("id",))), None
    )
    rest = [each for each in item.fields if each is not key]
    value = next(
        (each for each in rest if words(each.name)[-1:] == ("value",)), rest[0] if len(rest) == 1 else None
    )
    if key is None or value is None:
        return None
    ends = (given.value, value.type) if op == "mapToList" else (value.type, given.value)
    if shapes.likeness(*ends) < 0.5:
        return None
    code = MatchReason.ENTRIES_TO_LIST if op == "mapToList" else MatchReason.ENTRIES_TO_MAP
    args: JsonObject = {"key": key.name, "value": value.name}
    return ProposedOp(op, args, sure=len(item.fields) == 2, reason=code.words_with())


def _fits(shapes: Shapes, left: Type, right: Type) -> bool:
    return shapes.likeness(left, right) >= 0.5


def _single(
    shapes: Shapes, left: Type, right: Type, old: UnmatchedField, new: UnmatchedField
) -> ProposedOp | None:
    match left, right:
        case EnumType(), EnumType():
            return _enum(left, right, map_symbols(left, right))
        case ScalarType(kind=ScalarKind.BOOL), ScalarType(kind=ScalarKind.BOOL):
            is_turned = old.parent == new.parent and are_negations(
                words(old.field.name), words(new.field.name)
            )
            if is_turned:
                return ProposedOp("invert", {}, reason=MatchReason.NEGATED.words_with())
            return ProposedOp("same", {})
        case ScalarType(), ScalarType():
            return _scalars(shapes, left, right, old, new)
        case ScalarType(kind=ScalarKind.STRING), EnumType():
            return _text_to_enum(old.field.description, right, required=new.field.required)
        case ScalarType(kind=ScalarKind.BOOL), EnumType():
            return _bool_to_enum(right)
        case EnumType(), ScalarType(kind=ScalarKind.BOOL):
            return _enum_to_bool(left)
        case ScalarType(kind=ScalarKind.STRING), StructType():
            return _json_text(old.field.description, "")
        case StructType(), ScalarType(kind=ScalarKind.STRING):
            return _json_text(new.field.description, ":back")
        case EnumType(), ScalarType(kind=ScalarKind.STRING):
            return ProposedOp("same", {}, reason=MatchReason.SYMBOLS_TO_TEXT.words_with())
        case _:
            return (
                ProposedOp("same", {})
                if shapes.likeness(left, right) > 0 or type(left) is type(right)
                else None
            )


def _enum(left: EnumType, right: EnumType, symbols: SymbolMap) -> ProposedOp:
    if not symbols.sure and not symbols.likely and not symbols.lost:
        return ProposedOp("same", {})
    undecided = [each for each in symbols.lost if each not in symbols.likely]
    table: dict[str, Json] = {**symbols.sure, **symbols.likely}
    if undecided and not right.open:
        reason = MatchReason.SYMBOLS_LACKING.words_with(symbols=", ".join(undecided[:4]))
        return ProposedOp(
            "enum", {"map": {**table, **dict.fromkeys(undecided, "…")}}, sure=False, reason=reason
        )
    if undecided:
        reason = MatchReason.SYMBOLS_UNNAMED.words_with(symbols=", ".join(undecided[:4]))
        return ProposedOp("enum", {"map": table, "rest": "bag"}, sure=False, reason=reason)
    likely = ", ".join(f"{old} → {new}" for old, new in symbols.likely.items())
    renamed = MatchReason.SYMBOLS_RENAMED.words_with(count=len(table))
    reason = MatchReason.SYMBOLS_LIKELY.words_with(symbols=likely) if likely else renamed
    return ProposedOp("enum", {"map": table}, sure=not symbols.likely, reason=reason)


def _scalars(
    shapes: Shapes, left: ScalarType, right: ScalarType, old: UnmatchedField, new: UnmatchedField
) -> ProposedOp | None:
    if shapes.likeness(left, right) > 0:
        return _numbers(left, old, new)
    if ScalarKind.STRING in (left.kind, right.kind):
        return _texts(left, right, old, new)
    for one, other, place, back in ((left, right, new, ""), (right, left, old, ":back")):
        if one.kind is ScalarKind.DURATION and other.kind in _INTS:
            unit = next((codec for word, codec in _DURATIONS.items() if word in words(place.field.name)), "")
            codec = (unit or "duration-seconds") + back
            return ProposedOp(
                "convert", {"codec": codec}, sure=bool(unit), reason=MatchReason.DURATION.words_with()
            )
        if one.kind is ScalarKind.TIMESTAMP and other.kind in _INTS:
            return ProposedOp(
                "convert",
                {"codec": f"timestamp-epoch{back}"},
                sure=False,
                reason=MatchReason.TIME.words_with(),
            )
    if left.kind in _INTS and right.kind in (ScalarKind.F64, ScalarKind.F32):
        return ProposedOp("convert", {"codec": "int-float"}, reason=MatchReason.NUMBER_TO_FLOAT.words_with())
    return None


def _texts(
    left: ScalarType, right: ScalarType, old: UnmatchedField, new: UnmatchedField
) -> ProposedOp | None:
    """Choose the op for a text that becomes a number or a flag, or was one."""
    is_read = left.kind is ScalarKind.STRING
    kind, back = (right.kind, ":back") if is_read else (left.kind, "")
    if kind is ScalarKind.BOOL:
        return _flag_text((old if is_read else new).field.description, back)
    if kind in _FLOATS:
        code = MatchReason.TEXT_TO_FLOAT if is_read else MatchReason.FLOAT_TO_TEXT
        return ProposedOp("convert", {"codec": f"float-string{back}"}, reason=code.words_with())
    if kind not in _INTS:
        return None
    number, text = (new, old) if is_read else (old, new)
    named = set(words(number.field.name)) - set(words(text.field.name))
    unit = next((codec for word, codec in _DURATIONS.items() if word in named), "")
    if unit and not _counts_units(text.field.description, named):
        code = MatchReason.DURATION_TEXT if is_read else MatchReason.DURATION_TO_TEXT
        codec = unit if is_read else f"{unit}:back"
        return ProposedOp("convert", {"codec": codec}, sure=False, reason=code.words_with())
    if is_read:
        return ProposedOp(
            "convert", {"codec": "int-string:back"}, reason=MatchReason.TEXT_TO_NUMBER.words_with()
        )
    return ProposedOp("numToString", {}, reason=MatchReason.NUMBER_TO_TEXT.words_with())


def _counts_units(document: str, units: set[str]) -> bool:
    """Tell whether a text is a plain number of a unit by its document: `in seconds`, and nothing of how durations are written."""
    counted = {form for unit in _COUNTED.findall(document) for form in words(unit)}
    return bool(counted & units) and not _WRITTEN_DURATION.search(document)


def _flag_text(document: str, back: str) -> ProposedOp:
    """Let two texts be true and false; near certain where the document of the text names them."""
    quoted = {match.casefold(): match for match in _QUOTED.findall(document)}
    quoted |= {word: word for word in _FLAG_WORDS.findall(document)}
    pair = next((texts for texts in _FLAG_TEXTS if not quoted.keys().isdisjoint(texts)), None)
    named = {each: quoted[each] for each in pair or () if each in quoted}
    yes, no = (_in_case_of(each, named) for each in pair or _FLAG_TEXTS[0])
    return ProposedOp(
        "convert",
        {"codec": f"bool-enum{back}", "with": {"true": yes, "false": no}},
        sure=pair is not None,
        reason=MatchReason.FLAG_TEXTS.words_with(true=yes, false=no),
    )


def _in_case_of(text: str, named: Mapping[str, str]) -> str:
    """Write a text as a document does, or in the case of what it names beside it."""
    if text in named:
        return named[text]
    written = next(iter(named.values()), text)
    return text.upper() if written.isupper() else text.title() if written.istitle() else text


def _json_text(document: str, back: str) -> ProposedOp:
    """Read a text as JSON; near certain where the document of the text says that it is some."""
    is_said = _JSON.search(document) is not None
    return ProposedOp(
        "convert", {"codec": f"json-struct{back}"}, sure=is_said, reason=MatchReason.JSON_TEXT.words_with()
    )


def _numbers(left: ScalarType, old: UnmatchedField, new: UnmatchedField) -> ProposedOp:
    """Take a number as it is, unless the two names say other units."""
    units = [set(words(place.field.name)) & UNITS for place in (old, new)]
    if left.kind not in (*_INTS, ScalarKind.F32, ScalarKind.F64) or not all(units) or units[0] & units[1]:
        return ProposedOp("same", {})
    mine, theirs = (", ".join(sorted(each)) for each in units)
    reason = MatchReason.UNITS.words_with(old=mine, new=theirs)
    return ProposedOp("unit", {"factor": "…"}, sure=False, reason=reason)


def _flag_symbols(enum: EnumType) -> dict[str, str]:
    """Find the symbols that stand for true and false, by their last words."""
    found: dict[str, str] = {}
    for value in enum.values:
        last = words(value.name)[-1:]
        for key, known in (("true", _YES), ("false", _NO)):
            if last and last[0] in known:
                found.setdefault(key, value.name)
    return found


def _enum_to_bool(left: EnumType) -> ProposedOp | None:
    found = _flag_symbols(left)
    if len(found) < len(("true", "false")):
        return None
    return ProposedOp(
        "convert",
        {"codec": "bool-enum:back", "with": dict(found)},
        sure=len(left.values) <= 3,
        reason=MatchReason.SYMBOLS_TO_FLAG.words_with(),
    )


def _bool_to_enum(right: EnumType) -> ProposedOp | None:
    found = _flag_symbols(right)
    args: JsonObject = {"true": found.get("true", "…"), "false": found.get("false", "…")}
    return ProposedOp(
        "boolToEnum",
        args,
        sure=len(found) == 2 and len(right.values) <= 3,
        reason=MatchReason.FLAG_TO_SYMBOLS.words_with(),
    )


def _text_to_enum(document: str, right: EnumType, *, required: bool) -> ProposedOp:
    """Let texts be the symbols they are; near certain where the document of the text names all of them.

    Other texts wait in the bag, or are refused where the field may not be absent.
    """
    same: JsonObject = {value.name: value.name for value in right.values}
    table = _named_symbols(document, right)
    if len(table) > 1:
        rest = "refuse" if required else "bag"
        reason = MatchReason.TEXT_NAMES_SYMBOLS.words_with(rest=rest)
        unset = {name: name for name in same if is_unset(words(name))}
        return ProposedOp("enum", {"map": {**unset, **table}, "rest": rest}, reason=reason)
    return ProposedOp("enum", {"map": same}, sure=False, reason=MatchReason.FREE_TEXT.words_with())


def _named_symbols(document: str, enum: EnumType) -> JsonObject:
    """Find each symbol in the document of a text: as it is, or in quotes in another form.

    Nothing unless all are there, or all that stands there in quotes is a symbol: the new version may have more of them.
    A symbol that stands for none being set need not be named.
    """
    plain = set(_SYMBOL.findall(document))
    quoted = {words(text): text for text in sorted(_QUOTED.findall(document), reverse=True)}
    bare = bare_symbols(enum)
    found: JsonObject = {}
    are_all = True
    for value in enum.values:
        text = value.name if value.name in plain else quoted.get(bare[value.name])
        are_all &= text is not None or is_unset(bare[value.name])
        if text is not None:
            found[text] = value.name
    return found if are_all or (quoted and found.keys() >= set(quoted.values())) else {}
