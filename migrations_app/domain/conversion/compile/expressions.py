"""Value conversions as Python text: what the generated functions do to one value, without a call per op."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Protocol

from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.shapes import DropEmpty, DropNull, Fill, FirstElement, Keep, Wrap
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.values import (
    SAME,
    Coded,
    Conv,
    ConversionChain,
    EachValue,
    Inner,
    ListConversion,
    SymbolTable,
)
from migrations_app.kernel.json import Json


class Words(Protocol):
    """Names what generated text refers to."""

    def keep(self, value: object, stem: str) -> str:
        """Keep an object that the generated text refers to by name."""
        ...

    def name(self, plans: tuple[ObjectPlan, ...]) -> str:
        """Tell the name of the function of a chain of plans."""
        ...

    def lister(self, conv: Conv) -> str | None:
        """Tell the name of the function that restructures a list, telling also whether the inverse finds it."""
        ...


def expression(words: Words, conv: Conv, value: str, depth: int = 0, *, here: bool = False) -> str:
    """Write a conversion of the state in a local variable as one expression; `here` says that it is not absent."""
    is_value = f"{value} is not None" if here else f"{value} is not A and {value} is not None"
    if isinstance(conv, Inner):
        return joined(words, (conv,), value, depth)
    if isinstance(conv, ListConversion | EachValue):
        return joined(words, (conv,), value, depth)
    if isinstance(conv, SymbolTable):
        table = words.keep(dict(conv.there), "table")
        return f"{table}.get({value}, {value}) if {value}.__class__ is str else {value}"
    if isinstance(conv, Coded):
        code = words.keep(conv.encode, "code")
        return f"{code}({value}) if {is_value} else {value}"
    if isinstance(conv, Wrap) and conv.item is SAME:
        return f"[{value}] if {is_value} else A"
    if isinstance(conv, FirstElement) and conv.item is SAME:
        return f"{value}[0] if {value}.__class__ is list and {value} else A"
    if isinstance(conv, Keep) or conv is SAME:
        return value
    if isinstance(conv, DropNull):
        return f"{value} if {value} is not None else A"
    if isinstance(conv, DropEmpty):
        return f"A if {' or '.join(_is_empty(value, each) for each in conv.empty)} else {value}"
    if isinstance(conv, Fill):
        filled = "A" if conv.value is ABSENT else words.keep(conv.value, "fill")
        return value if filled == "A" else f"{filled} if {value} is A else {value}"
    return f"{words.keep(conv, 'there')}({value})"


def joined(words: Words, convs: tuple[Conv, ...], value: str, depth: int = 0) -> str:
    """Write conversions of one kind, one after the other, as one expression: of objects, lists or maps."""
    inners = tuple(conv.plan for conv in convs if isinstance(conv, Inner))
    plans = tuple(plan for plan in inners if isinstance(plan, ObjectPlan))
    if len(plans) == len(convs):
        return f"{words.name(plans)}({value}) if {value}.__class__ is dict else {value}"
    items = tuple(conv.item for conv in convs if isinstance(conv, ListConversion | EachValue))
    if len(items) == len(convs) and are_joinable(items):
        each = f"x{depth}"
        inner = joined(words, items, each, depth + 1)
        if isinstance(convs[0], ListConversion):
            return f"[{inner} for {each} in {value}] if {value}.__class__ is list else {value}"
        pairs = f"for k{depth}, {each} in {value}.items()"
        return f"{{k{depth}: {inner} {pairs}}} if {value}.__class__ is dict else {value}"
    if len(convs) == 1 and isinstance(convs[0], SymbolTable):
        return expression(words, convs[0], value, depth)
    text = value
    for conv in convs:
        text = f"{words.keep(conv, 'there')}({text})"
    return text


def are_joinable(convs: tuple[Conv, ...]) -> bool:
    """Tell whether conversions one after the other are one walk: all of objects, of lists, or of maps."""
    if len(convs) == 1 and isinstance(convs[0], SymbolTable):
        return True
    plans = [conv.plan for conv in convs if isinstance(conv, Inner) and isinstance(conv.plan, ObjectPlan)]
    if len(plans) == len(convs):
        return all(left.target_keys == right.source_keys for left, right in pairwise(plans))
    for kind in (ListConversion, EachValue):
        if all(isinstance(conv, kind) for conv in convs):
            return are_joinable(
                tuple(conv.item for conv in convs if isinstance(conv, ListConversion | EachValue))
            )
    return False


def _is_empty(value: str, empty: Json) -> str:
    if empty is False:
        return f"{value} is False"
    if isinstance(empty, int):
        return f"{value} == {empty!r} and {value}.__class__ is int"
    return f"{value} == {empty!r}"


def assignment(words: Words, conv: Conv, source: str, target: str, *, here: bool = False) -> Iterator[str]:
    """Write a conversion of the state in one variable into another, link by link."""
    links = conv.links if isinstance(conv, ConversionChain) else (conv,)
    at = source
    for link in links:
        text = expression(words, link, at, here=here and at == source)
        if text != at:
            yield f"{target} = {text}"
            at = target
    if at != target:
        yield f"{target} = {at}"


def checked(
    words: Words, conv: Conv, source: str, target: str, stash: str | None, *, here: bool
) -> Iterator[str]:
    """Convert a state, and stash it if the inverse would not find it again; `stash` is None where there is none."""
    if isinstance(conv, Coded) and conv.ratio:
        yield from _scaled(words, conv, source, target, stash)
        return
    function = words.lister(conv)
    if function is not None:
        yield f"{target}, lost = {function}({source})"
        if stash is not None:
            yield "if lost:"
            yield f"    {stash}"
        return
    yield from assignment(words, conv, source, target, here=here)
    yield from lost(words, conv, source, target, stash)


def lost(words: Words, conv: Conv, source: str, target: str, stash: str | None) -> Iterator[str]:
    """Stash a state whose image is not enough to find it again."""
    if conv.exact or stash is None:
        return
    if isinstance(conv, SymbolTable):
        clashes: Mapping[str, str] = conv.clashes
        known = words.keep(frozenset(clashes), "shared")
        yield f"if {source}.__class__ is str and {source} in {known}:"
    elif isinstance(conv, Wrap) and conv.item is SAME:
        yield f"if {source} is None:"
    elif isinstance(conv, FirstElement) and conv.item is SAME:
        one = f"{source}.__class__ is list and {source}.__len__() == 1 and {source}[0] is not None"
        yield f"if {source} is not A and not ({one}):"
    elif isinstance(conv, DropNull):
        yield f"if {source} is None:"
    elif isinstance(conv, DropEmpty):
        yield f"if {target} is A and {source} is not A:"
    else:
        yield from assignment(words, conv.inverse, target, "i")
        yield f"if i is not {source} and not same(i, {source}):"
    yield f"    {stash}"


def _scaled(words: Words, conv: Coded, source: str, target: str, stash: str | None) -> Iterator[str]:
    """Scale a whole number in plain arithmetic; anything else goes through the codec."""
    ratio = conv.ratio
    assert ratio is not None
    up = source if ratio.up == 1 else f"{source} * {ratio.up}"
    whole = "" if ratio.rounds_down or ratio.down in (1, -1) else f" and not {up} % {ratio.down}"
    yield f"if {source}.__class__ is int{whole}:"
    yield f"    {target} = {up} // {ratio.down}" if ratio.down != 1 else f"    {target} = {up}"
    if ratio.rounds_down and ratio.down not in (1, -1) and stash is not None:
        yield f"    if {target} * {ratio.down} != {up}:"
        yield f"        {stash}"
    yield "else:"
    yield from (f"    {line}" for line in assignment(words, conv, source, target))
    yield from (f"    {line}" for line in lost(words, conv, source, target, stash))
