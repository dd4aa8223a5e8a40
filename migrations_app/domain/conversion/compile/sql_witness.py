"""Conversions whose bag entries carry a witness, in SQL: witnesses of known states are constants, others are not computed.

A witness is a hash that PostgreSQL has no function for. Where a document needs the witness of any other state, the
condition `unsure` holds, and that document is left to the reference engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from migrations_app.domain.conversion.bag import entry, witness
from migrations_app.domain.conversion.compile.sql_text import EMPTY, NotPushable, lit, present
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.steps import Bundle, Gather, bundled
from migrations_app.domain.conversion.values import Coded, PartialSymbols
from migrations_app.kernel.json import Json, canonical

NEVER = "false"


@dataclass(frozen=True, slots=True)
class WitnessedStep:
    """What a step makes of its sources, without and with its bag entry, what it stashes, and where neither is known.

    `restored` is the condition under which the entry is current; `unsure` and `bag_unsure` are conditions on a document
    without and with a bag.
    """

    made: tuple[str, ...]
    kept: tuple[str, ...]
    restored: str
    stash: str
    unsure: str
    bag_unsure: str


def present_symbol(conv: Coded, key: str, value: str, found: str) -> WitnessedStep:
    """Write the codec `present-symbol`, in either direction."""
    turned = conv.name.endswith("⁻¹")
    symbol = (conv.inverse if turned else conv)({})
    if not isinstance(symbol, str):
        raise NotPushable("a symbol that is no text")
    known: Json = symbol if turned else {}
    image: State = ABSENT if turned else symbol
    is_known, is_null = _is(value, known), f"jsonb_typeof({value}) = 'null'"
    if turned:
        made = f"CASE WHEN {is_known} THEN {EMPTY} WHEN {is_null} THEN {value} END"
    else:
        made = f"CASE WHEN {is_null} THEN {value} WHEN {present(value)} THEN {_json(symbol)} END"
    entry = f"jsonb_build_object('v', {value}, 'w', {lit(witness(image))})"
    stash = (
        f"CASE WHEN {value} IS NULL OR {is_null} OR {is_known} THEN {EMPTY} "
        f"ELSE jsonb_build_object({lit(key)}, {entry}) END"
    )
    current, unknown = _current(found, value, [(None, None), (known, known)], ABSENT)
    return WitnessedStep((made,), (f"{found} -> 'v'",), current, stash, NEVER, unknown)


def partial_symbols(conv: PartialSymbols, key: str, value: str, found: str) -> WitnessedStep:
    """Write symbols of which some have no counterpart, in either direction.

    Texts that neither enum has become absent, with a constant witness; where the other side takes any text, their
    witness depends on data, and they are left to the reference engine.
    """
    table, back = conv.table, conv.turned
    known = sorted({*table.there, *table.back, *table.symbols, *table.images})
    images: dict[str, State] = {
        symbol: ABSENT if (image := conv.image(symbol)) is None else image for symbol in known
    }
    is_text = f"coalesce(jsonb_typeof({value}) = 'string', false)"
    cases = " ".join(
        f"WHEN {_json(symbol)} THEN {'NULL' if image is ABSENT else _json(image)}"
        for symbol, image in images.items()
    )
    other = f"CASE WHEN NOT {is_text} THEN {value} END" if table.images else value
    made = f"CASE {value} {cases} ELSE {other} END" if cases else other
    stashes = " ".join(
        f"WHEN {_json(symbol)} THEN "
        + (
            EMPTY
            if isinstance(image, str) and back.image(image) == symbol
            else _json({key: entry(symbol, image, derived=True)})
        )
        for symbol, image in images.items()
    )
    unknown = f"jsonb_build_object('v', {value}, 'w', {lit(witness(ABSENT))})"
    rest = (
        f"CASE WHEN {is_text} THEN jsonb_build_object({lit(key)}, {unknown}) ELSE {EMPTY} END"
        if table.images
        else EMPTY
    )
    stash = f"CASE {value} {stashes} ELSE {rest} END" if known else rest
    texts = ", ".join(_json(symbol) for symbol in known if not conv.refuses or images[symbol] is not ABSENT)
    strange = f"({is_text} AND NOT {value} IN ({texts}))" if texts else is_text
    data_dependent = bool(table.symbols) and not table.images
    unsure = strange if (conv.refuses and (table.images or table.symbols)) or data_dependent else NEVER
    pairs: list[tuple[Json, State]] = [(symbol, symbol) for symbol in known]
    current, unknown_current = _current(found, value, pairs, ABSENT)
    bag_unsure = unsure
    if table.images and not table.symbols:  # the other side takes any text, and may have stashed any
        bag_unsure = unknown_current if unsure == NEVER else f"({unsure} OR {unknown_current})"
    return WitnessedStep((made,), (f"{found} -> 'v'",), current, stash, unsure, bag_unsure)


def sentinel(step: Gather, values: Sequence[str], found: str) -> WitnessedStep:
    """Write the op `sentinel`, in either direction."""
    if step.op != "sentinel":
        raise NotPushable(f"the op {step.op}")
    forward = len(step.targets) == 1
    special = (step.there if forward else step.back)((ABSENT, True))[0]
    if special.__class__ not in (str, int, bool):
        raise NotPushable("a special value that has no one text")
    if forward:
        return _flag_to_special(step.keys[0], values[0], values[1], special, found)
    return _special_to_flag(values[0], special, found)


def _flag_to_special(key: str, value: str, flag: str, special: State, found: str) -> WitnessedStep:
    is_flagged, is_special = _is(flag, True), _is(value, special)
    is_null = f"coalesce(jsonb_typeof({value}) = 'null', false)"
    made = f"CASE WHEN {is_flagged} THEN {_json(special)} ELSE {value} END"
    lost = f"CASE WHEN {is_flagged} THEN {present(value)} ELSE {present(flag)} OR {is_special} END"
    image = (
        f"CASE WHEN {is_flagged} OR {is_special} THEN {_bundle_witness(special)} "
        f"WHEN {is_null} THEN {_bundle_witness(None)} ELSE {_bundle_witness(ABSENT)} END"
    )
    states = f"jsonb_build_array({_part(value)}, {_part(flag)})"
    entry = f"jsonb_build_object('v', {states}, 'w', {image})"
    stash = f"CASE WHEN {lost} THEN jsonb_build_object({lit(key)}, {entry}) ELSE {EMPTY} END"
    unsure = (
        f"({present(value)} AND {present(flag)} AND NOT {is_flagged} AND NOT {is_special} AND NOT {is_null})"
    )
    # The inverse never stashes anything: an entry of it is none that this engine wrote.
    return WitnessedStep((made,), ("NULL",), NEVER, stash, unsure, f"({unsure} OR {present(found)})")


def _special_to_flag(value: str, special: State, found: str) -> WitnessedStep:
    is_special = _is(value, special)
    made = (
        f"CASE WHEN {is_special} THEN NULL ELSE {value} END",
        f"CASE WHEN {is_special} THEN {_json(True)} END",
    )
    known: list[tuple[Json, State]] = [
        (None, bundled((None,))),
        (_present_json(special), bundled((special,))),
    ]
    current, unknown = _current(found, value, known, bundled((ABSENT,)))
    kept = (_unbundled(f"({found} -> 'v')", 0), _unbundled(f"({found} -> 'v')", 1))
    return WitnessedStep(made, kept, current, "", NEVER, unknown)


def _current(found: str, value: str, known: Sequence[tuple[Json, State]], absent: State) -> tuple[str, str]:
    """Write when a bag entry is current, and when that cannot be told, by the witness of each known value."""
    cases = " ".join(f"WHEN {_is(value, state)} THEN {lit(witness(image))}" for state, image in known)
    mark = f"CASE WHEN {value} IS NULL THEN {lit(witness(absent))} {cases} END"
    others = " AND ".join(f"NOT {_is(value, state)}" for state, _ in known)
    return (
        f"coalesce({found} ->> 'w' = {mark}, false)",
        f"({present(found)} AND {present(value)} AND {others})",
    )


def _is(value: str, state: State) -> str:
    """Compare by text: as numbers, 1 and 1.0 are equal."""
    return f"coalesce(({value})::text = ({_json(state)})::text, false)"


def _bundle_witness(state: State) -> str:
    made: Bundle = (state,)
    return lit(witness(bundled(made)))


def _part(value: str) -> str:
    return f"CASE WHEN {value} IS NULL THEN '[]'::jsonb ELSE jsonb_build_array({value}) END"


def _unbundled(bundle: str, place: int) -> str:
    part = f"{bundle} -> {place}"
    two = f"CASE WHEN jsonb_typeof({bundle}) = 'array' THEN jsonb_array_length({bundle}) = 2 END"
    return f"CASE WHEN {two} THEN CASE WHEN jsonb_typeof({part}) = 'array' THEN {part} -> 0 END END"


def _json(value: State) -> str:
    return f"{lit(canonical(_present_json(value)).decode())}::jsonb"


def _present_json(value: State) -> Json:
    assert value is not ABSENT
    return value
