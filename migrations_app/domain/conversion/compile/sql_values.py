"""Value conversions said in SQL: those whose every stash is a constant."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.bag import entry, witness
from migrations_app.domain.conversion.compile.sql_text import EMPTY, NotPushable, lit
from migrations_app.domain.conversion.steps import Carry
from migrations_app.domain.conversion.values import SAME, Conv, SymbolTable
from migrations_app.kernel.json import Json, canonical


@dataclass(frozen=True, slots=True)
class Restored:
    """When a value comes back from the bag, and what it then is."""

    condition: str
    value: str


def value_expression(conv: Conv, value: str) -> str:
    """Say the conversion of a value that may be absent."""
    if conv is SAME:
        return value
    if isinstance(conv, SymbolTable):
        cases = " ".join(
            f"WHEN {_json(old)} THEN {_json(new)}" for old, new in sorted(conv.there.items()) if old != new
        )
        return f"CASE {value} {cases} ELSE {value} END" if cases else value
    raise NotPushable(type(conv).__name__)


def stash_of(step: Carry, value: str) -> str:
    """Say what a step stashes; empty when nothing."""
    if not isinstance(step.conv, SymbolTable):
        raise NotPushable("a stash that depends on data")
    cases = " ".join(
        f"WHEN {_json(symbol)} THEN {_json({step.source.derived: entry(symbol, image, derived=True)})}"
        for symbol, image in sorted(step.conv.clashes.items())
    )
    return f"CASE {value} {cases} ELSE {EMPTY} END" if cases else ""


def restored_value(step: Carry, value: str, found: str) -> Restored:
    """Say when the entry of the other side is current, and the value it keeps."""
    inverse = step.conv.inverse
    images = sorted(set(inverse.clashes.values())) if isinstance(inverse, SymbolTable) else []
    tests = [f"({value} = {_json(image)} AND {found} ->> 'w' = {lit(witness(image))})" for image in images]
    return Restored(f"coalesce({' OR '.join(tests) or 'false'}, false)", f"{found} -> 'v'")


def _json(value: Json) -> str:
    return f"{lit(canonical(value).decode())}::jsonb"
