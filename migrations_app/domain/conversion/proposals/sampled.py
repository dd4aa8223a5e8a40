"""What paired sample documents say of two fields: that they are one, and which op makes the values of the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from migrations_app.domain.conversion.codecs.registry import CODECS, codec
from migrations_app.domain.conversion.proposals.operations import ProposedOp, operation
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.conversion.proposals.samples import Place, Samples
from migrations_app.domain.conversion.proposals.shapes import Shapes
from migrations_app.domain.conversion.proposals.unmatched import UnmatchedField
from migrations_app.domain.conversion.states import State, same
from migrations_app.domain.schema.types import EnumType, ScalarKind, ScalarType, Type
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage

_FEW, _SURE = 2, 3  # different values that make an op likely, and near certain
_WEIGHTS = (0.0, 0.6, 2.0, 5.0, 5.0, 5.0, 8.0)  # of agreement, by how many different values agree
_NUMBERS = (
    ScalarKind.I32,
    ScalarKind.I64,
    ScalarKind.U32,
    ScalarKind.U64,
    ScalarKind.F32,
    ScalarKind.F64,
)
Remark = tuple[float, WordedMessage, bool]
_EQUAL = ("same", "wrap", "numToString")  # ops after which a single value reads as before


def chosen_operation(shapes: Shapes, old: UnmatchedField, new: UnmatchedField) -> ProposedOp | None:
    """Choose the op for two places by their types, and by samples where there are some."""
    op = operation(shapes, old, new)
    if not shapes.samples.pairs:
        return op
    types = shapes.old.resolve(old.field.type), shapes.new.resolve(new.field.type)
    return sampled_operation(shapes.samples, _ends(old, new), types, op)


def _ends(old: UnmatchedField, new: UnmatchedField) -> tuple[Place, Place]:
    return (old.owner, old.field.name), (new.owner, new.field.name)


def sample_remarks(
    shapes: Shapes, places: tuple[UnmatchedField, UnmatchedField], op: ProposedOp
) -> Iterator[Remark]:
    """Weigh what samples say of two fields that an op would make one."""
    found = shapes.samples.agreement(*_ends(*places)) if shapes.samples.pairs else None
    if found is None:
        return
    if op.sampled:
        yield 5.0, MatchReason.SAMPLES_HAVE.words_with(count=op.sampled), op.sampled >= _SURE
    elif found.share >= 0.9:
        weight = _WEIGHTS[min(found.distinct, 6)] / (2 if found.alone > found.both else 1)
        is_strong = found.distinct >= _SURE and found.alone <= found.both
        reason = MatchReason.SAMPLES_AGREE.words_with(count=found.equal, total=found.both)
        yield weight, reason, is_strong
    elif op.op in _EQUAL and isinstance(shapes.old.resolve(places[0].field.type), ScalarType):
        reason = MatchReason.SAMPLES_DIFFER.words_with(count=found.both - found.equal, total=found.both)
        yield (-5.0 if found.both > 1 else -2.5), reason, False


def sampled_operation(
    samples: Samples, ends: tuple[Place, Place], types: tuple[Type, Type], op: ProposedOp | None
) -> ProposedOp | None:
    """Let samples choose the op that makes the new values of the old ones; without a word of theirs it stays."""
    if not samples.pairs:
        return op
    match types:
        case EnumType(), EnumType():
            return _symbols(samples, ends, types[1], op)
        case ScalarType(kind=ScalarKind.STRING), EnumType():
            return _texts(samples, ends, types[1], op)
        case ScalarType(kind=ScalarKind.BOOL), EnumType():
            return _flags(samples, ends, op)
        case ScalarType(), ScalarType():
            return _scalars(samples, ends, types[0].kind, types[1].kind, op)
        case _:
            return op


def _observed(samples: Samples, ends: tuple[Place, Place]) -> dict[str, tuple[str, int]]:
    """Find for each old symbol the one new symbol that always stands in its place, and how often."""
    counted: Mapping[str, Counter[str]] = samples.symbols(*ends)
    if any(len(images) > 1 for images in counted.values()):
        return {}
    return {old: next(iter(images.items())) for old, images in counted.items()}


def _symbols(
    samples: Samples, ends: tuple[Place, Place], right: Type, op: ProposedOp | None
) -> ProposedOp | None:
    """Fill in the symbols that only samples can tell, and what names made likely."""
    seen = _observed(samples, ends)
    assert isinstance(right, EnumType)
    known = {each.name for each in right.values}
    seen = {old: image for old, image in seen.items() if image[0] in known}
    table = op.args.get("map", {}) if op is not None else {}
    if not isinstance(table, dict) or not seen:
        return op
    changed = {old: new for old, (new, _) in seen.items() if old != new}
    merged: JsonObject = {**table, **changed}
    if not merged:
        return op
    unsure = [
        old
        for old, new in merged.items()
        if new == "…" or (old not in seen and op is not None and not op.sure)
    ]
    often = sum(count for _, count in seen.values())
    mapped = ", ".join(f"{old} → {new}" for old, new in sorted(changed.items())[:4])
    known_by = op.reason if op else NOTHING
    reason = MatchReason.SAMPLES_MAP.words_with(symbols=mapped) if changed else known_by
    sure = not unsure and all(seen[old][1] >= _FEW for old in changed)
    return ProposedOp("enum", {"map": merged}, sure=sure, reason=reason, sampled=often)


def _texts(
    samples: Samples, ends: tuple[Place, Place], right: Type, op: ProposedOp | None
) -> ProposedOp | None:
    """Map the texts in use; others wait in the bag, so that the new side never holds what its enum lacks."""
    seen = _observed(samples, ends)
    assert isinstance(right, EnumType)
    if not seen:
        return op
    table: JsonObject = {old: new for old, (new, _) in sorted(seen.items())}
    often = sum(count for _, count in seen.values())
    return ProposedOp(
        "enum",
        {"map": table, "rest": "bag"},
        sure=len(seen) >= _FEW and often >= _SURE,
        reason=MatchReason.SAMPLES_TEXTS.words_with(count=often),
        sampled=often,
    )


def _flags(samples: Samples, ends: tuple[Place, Place], op: ProposedOp | None) -> ProposedOp | None:
    """Fill in the symbol of true; samples keep no false, which says nothing."""
    seen = _observed(samples, ends)
    if op is None or "True" not in seen:
        return op
    symbol, count = seen["True"]
    if op.args.get("true") not in ("…", symbol):
        return replace(op, sure=False, reason=MatchReason.SAMPLES_TRUE.words_with(symbol=symbol))
    return replace(op, args={**op.args, "true": symbol}, sampled=count)


def _scalars(
    samples: Samples, ends: tuple[Place, Place], old: ScalarKind, new: ScalarKind, op: ProposedOp | None
) -> ProposedOp | None:
    values = samples.values(*ends)
    different = {(str(mine), str(theirs)) for mine, theirs in values}
    if len(different) < _FEW:
        return op
    if op is not None and op.op == "same" and all(str(mine) == str(theirs) for mine, theirs in values):
        return op
    if (factor := _factor(values)) is not None and old in _NUMBERS and new in _NUMBERS:
        if factor == 1:
            return op
        return ProposedOp(
            "unit",
            {"factor": str(factor)},
            sure=len(different) >= _SURE,
            reason=MatchReason.SAMPLES_FACTOR.words_with(count=len(values), factor=str(factor)),
            sampled=len(values),
        )
    for name in _codecs():
        if _makes(name, values):
            return ProposedOp(
                "convert",
                {"codec": name},
                sure=len(different) >= _FEW,
                reason=MatchReason.SAMPLES_CODEC.words_with(count=len(values)),
                sampled=len(values),
            )
    return op


def _factor(values: list[tuple[Json, Json]]) -> Fraction | None:
    """Find the one factor between all old and new numbers."""
    found: set[Fraction] = set()
    for mine, theirs in values:
        try:
            found.add(Fraction(str(theirs)) / Fraction(str(mine)))
        except (ValueError, ZeroDivisionError):
            return None
    return found.pop() if len(found) == 1 else None


def _codecs() -> Iterator[str]:
    """List the codecs that need no parameters, either way."""
    for name in CODECS:
        try:
            codec(name, {})
        except (SwitchyardError, KeyError):
            continue
        yield from (name, f"{name}:back")


def _makes(name: str, values: list[tuple[Json, Json]]) -> bool:
    """Tell whether a codec makes every new value, and changes some."""
    made = codec(name, {})
    images: list[State] = [made(mine) for mine, _ in values]
    exact = all(same(image, theirs) for image, (_, theirs) in zip(images, values, strict=True))
    return exact and any(not same(mine, theirs) for mine, theirs in values)
