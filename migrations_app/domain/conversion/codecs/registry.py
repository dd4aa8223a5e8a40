"""The codecs that `convert` knows, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from migrations_app.domain.conversion.codecs import numbers, texts, times
from migrations_app.domain.conversion.codecs.base import CodecSpec, NothingThere
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.values import Coded, Conv
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message

CODECS: Mapping[str, CodecSpec] = {
    spec.name: spec for family in (numbers, texts, times) for spec in family.CODECS
}


def codec(name: str, parameters: Mapping[str, Json]) -> Conv:
    """Make the conversion of a codec; `name⁻¹`, or `name:back`, reads it from the other side.

    Raises: Invalid (`E-CODEC`) for an unknown one or wrong parameters.
    """
    base, _, way = name.partition(":")
    spec = CODECS.get(base)
    if spec is None or way not in ("", "back"):
        raise Invalid(
            message("There is no codec {name}.", name=repr(name)),
            code="E-CODEC",
            remedy=message("One of {codecs}.", codecs=", ".join(sorted(CODECS))),
        )
    encode, decode = spec.make(parameters)
    there, back = spec.ratios(parameters) or (None, None)
    made = Coded(
        base,
        _guarded(encode),
        _guarded(decode),
        monotone=spec.monotone,
        ratio=there,
        inverse_ratio=back,
    )
    return made.inverse if way else made


def _guarded(function: Callable[[Json], Json]) -> Callable[[Json], State]:
    """Let a value outside the domain through as it is: a conversion never fails on data."""

    def _convert(value: Json) -> State:
        try:
            return function(value)
        except NothingThere:
            return ABSENT
        except (ValueError, TypeError, ArithmeticError, KeyError, RecursionError):
            return value

    return _convert
