"""Codecs of numbers: as text, as floats, scaled, in quantities."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from migrations_app.domain.conversion.codecs.base import CodecSpec, Pair, fixed, integer, number, text
from migrations_app.domain.conversion.values import Ratio
from migrations_app.kernel.json import Json

_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_SAFE = 2**53


def _to_text(value: Json) -> Json:
    return str(integer(value))


def _from_text(value: Json) -> Json:
    if not _INTEGER.fullmatch(text(value)) or len(text(value)) > 40:
        raise ValueError("not a whole number")
    return int(text(value))


def _float_to_text(value: Json) -> Json:
    return repr(float(number(value)))


def _float_from_text(value: Json) -> Json:
    made = float(text(value))
    if made != made or made in (float("inf"), float("-inf")):
        raise ValueError("not a finite number")
    return made


def _to_float(value: Json) -> Json:
    whole = integer(value)
    if abs(whole) > _SAFE:
        raise ValueError("not exact as a float")
    return float(whole)


def _to_whole(value: Json) -> Json:
    if not isinstance(value, float) or not value.is_integer() or abs(value) > _SAFE:
        raise ValueError("not a whole number")
    return int(value)


def _percent(parameters: Mapping[str, Json]) -> Pair:
    return (
        lambda value: _plain(Fraction(str(number(value))) / 100),
        lambda value: _plain(Fraction(str(number(value))) * 100),
    )


def _scale(parameters: Mapping[str, Json]) -> Pair:
    factor = Fraction(str(parameters.get("factor", 1)))
    offset = Fraction(str(parameters.get("offset", 0)))
    whole = parameters.get("round") == "down"

    up, down = factor.numerator, factor.denominator

    def _there(value: Json) -> Json:
        if type(value) is int and not offset:
            made, rest = divmod(value * up, down)
            if not rest or whole:
                return made
        exact = Fraction(str(number(value))) * factor + offset
        return int(exact // 1) if whole else _plain(exact)

    def _back(value: Json) -> Json:
        if type(value) is int and not offset:
            made, rest = divmod(value * down, up)
            if not rest:
                return made
        return _plain((Fraction(str(number(value))) - offset) / factor)

    return _there, _back


def _ratios(parameters: Mapping[str, Json]) -> tuple[Ratio, Ratio] | None:
    factor = Fraction(str(parameters.get("factor", 1)))
    up, down = factor.numerator, factor.denominator
    if parameters.get("offset") or not up:
        return None
    return Ratio(up, down, parameters.get("round") == "down"), Ratio(down, up)


def _plain(value: Fraction) -> Json:
    return int(value) if value.denominator == 1 else float(value)


_SUFFIXES = {
    "m": Fraction(1, 1000),
    "": Fraction(1),
    "k": Fraction(1000),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "T": Fraction(10**12),
    "P": Fraction(10**15),
    "E": Fraction(10**18),
    "Ki": Fraction(2**10),
    "Mi": Fraction(2**20),
    "Gi": Fraction(2**30),
    "Ti": Fraction(2**40),
    "Pi": Fraction(2**50),
    "Ei": Fraction(2**60),
}
_QUANTITY = re.compile(r"([+-]?[0-9]{1,20}(?:\.[0-9]{1,9})?)(m|k|Ki|[MGTPE]i?|)")


def _to_milli(value: Json) -> Json:
    found = _QUANTITY.fullmatch(str(value) if isinstance(value, int) else text(value))
    if found is None:
        raise ValueError("not a quantity")
    milli = Fraction(found[1]) * _SUFFIXES[found[2]] * 1000
    if milli.denominator != 1:
        raise ValueError("finer than a thousandth")
    return int(milli)


def _from_milli(value: Json) -> Json:
    whole, milli = divmod(integer(value), 1000)
    return str(whole) if milli == 0 else f"{integer(value)}m"


CODECS = (
    CodecSpec(
        "int-string",
        "a whole number ↔ its decimal text (64-bit integers of protobuf JSON)",
        fixed(_to_text, _from_text),
    ),
    CodecSpec("float-string", "a number ↔ its shortest text", fixed(_float_to_text, _float_from_text)),
    CodecSpec("int-float", "a whole number within ±2⁵³ ↔ a float", fixed(_to_float, _to_whole), 1),
    CodecSpec("percent-fraction", "25 ↔ 0.25", _percent, 1),
    CodecSpec("scale", "factor · x + offset, exactly; `round: down` keeps whole numbers", _scale, 1, _ratios),
    CodecSpec("quantity-milli", "a Kubernetes quantity ↔ thousandths", fixed(_to_milli, _from_milli)),
)
