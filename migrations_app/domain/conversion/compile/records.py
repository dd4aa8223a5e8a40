"""Resources from bytes to bytes: structs made for one conversion, in which untouched parts stay undecoded.

Only documents whose keys the source type knows fit a struct; any other one takes the way over dicts. That costs the
decoding of the struct in vain, so where one after the other does not fit, only one of many is tried until one fits again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from migrations_app.domain.conversion.bag import BAG, FORMAT, LIMIT_BYTES, sealed
from migrations_app.domain.conversion.compile.python import function_text
from migrations_app.domain.conversion.compile.resources import Forward, ResourceProgram
from migrations_app.domain.conversion.compile.writing import FunctionWriter
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.kernel.errors import InvariantBroken
from migrations_app.kernel.json import decode, encode
from migrations_app.kernel.messages import message

_IN_A_ROW, _UNTRIED = 8, 16  # documents that do not fit before others go untried, and how many of those
Bytes: TypeAlias = Callable[[str, bytes], tuple[str, bytes]]


class StructDocument:
    """A struct per side: `s` has a field for every key of the source, what is returned one for every target key."""

    def __init__(
        self, source_keys: frozenset[str], target_keys: frozenset[str], otherwise: str, hops: int = 1
    ) -> None:
        self.slight = LIMIT_BYTES // 2 // (hops + 1)  # a document that short cannot fill a bag
        self.source = {key: f"f{index}" for index, key in enumerate(sorted(source_keys))}
        self.target = sorted(target_keys)
        self.otherwise = otherwise
        self.taken: set[str] = set()
        self.looked: set[str] = set()

    def begin(self, *, bagged: bool) -> Iterator[str]:
        """Read the bag; one that holds keys no version knows is for the way over dicts."""
        if not bagged:
            return
        yield f"b = entries({{{BAG!r}: s.bag}})"
        yield "if any(key[:1] == '?' for key in b):"
        yield f"    {self.otherwise}"

    def take(self, key: str, name: str) -> str:
        """Read a key that the target has elsewhere, or not at all."""
        self.taken.add(key)
        return self.look(key, name)

    def look(self, key: str, name: str) -> str:
        """Read a key that stays."""
        self.looked.add(key)
        return f"{name} = s.{self.source[key]}" if key in self.source else f"{name} = A"

    def unknown(self, keys: list[str], version: str) -> Iterator[str]:
        """Nothing: a struct has no unknown keys."""
        return iter(())

    def returned(self, table: str, keys: list[str]) -> Iterator[str]:
        """Nothing: such bags take the other way."""
        return iter(())

    def end(self, values: Mapping[str, str], name: str, *, fills: bool) -> Iterator[str]:
        """Make the target and write it."""
        made = f"({{'f': {FORMAT}, 'b': b}} if len(d) < {self.slight} else sealed(b)) if b else A"
        bag = made if fills else "A"
        parts = [values.get(key) or self._kept(key) for key in self.target]
        yield f"return {name}encode(Target({', '.join([*parts, bag])}))"

    def _kept(self, key: str) -> str:
        return f"s.{self.source[key]}" if key in self.source and key not in self.taken else "A"


class RecordProgram:
    """The function from bytes to bytes of the hops of one converter."""

    def __init__(self, hops: Sequence[ResourcePlan], forward: Forward) -> None:
        self.resources = ResourceProgram(hops)
        self.hops = tuple(hops)
        self._forward = forward
        self._is_misfit = False
        if len(self.hops) == 1:  # of several hops the next one reads what this one made
            self.resources.program.element = self.element

    def element(self, parts: Mapping[str, str]) -> str:
        """Write an element of a list as a struct, which is made and encoded faster than a dict."""
        fields = {f"f{index}": (key, Any) for index, key in enumerate(parts)}
        made = msgspec.defstruct(
            "Element",
            [(field, kind) for field, (_, kind) in fields.items()],
            rename={field: key for field, (key, _) in fields.items()},
            gc=False,
        )
        return f"{self.resources.program.keep(made, 'Element')}({', '.join(parts.values())})"

    @property
    def fits(self) -> bool:
        """Whether all hops are one function, so that one pair of structs can stand for them."""
        return len(self.resources.groups) == 1 and all(map(self.resources.is_quick, self.hops))

    def over_dicts(self, name: str, data: bytes) -> tuple[str, bytes]:
        """Decode everything, convert, encode."""
        body = decode(data)
        if not isinstance(body, dict):
            raise InvariantBroken(message("A stored document is no JSON object."))
        name, made = self._forward(name, body)
        return name, encode(made)

    def misfit(self, name: str, data: bytes) -> tuple[str, bytes]:
        """Convert a document that turned out to fit no struct."""
        self._is_misfit = True
        return self.over_dicts(name, data)

    def convert(self) -> Bytes:
        """Generate the function."""
        if all(hop.is_identity for hop in self.hops):
            return lambda name, data: (name, data)
        if not self.fits:
            return self.over_dicts
        text = self.source()
        self.resources.program.define("through_records", text)
        return self._while_they_fit(self.resources.program.made("through_records"))

    def _while_they_fit(self, through_records: Bytes) -> Bytes:
        """Leave out structs for a while where documents do not fit them; the result is the same either way."""
        misfits, untried = 0, 0

        def _convert(name: str, data: bytes) -> tuple[str, bytes]:
            nonlocal misfits, untried
            if untried > 0:
                untried -= 1
                return self.over_dicts(name, data)
            self._is_misfit = False
            made = through_records(name, data)
            misfits = misfits + 1 if self._is_misfit else 0
            untried = _UNTRIED if misfits >= _IN_A_ROW else 0
            return made

        return _convert

    def source(self) -> str:
        """Write the function for documents with and without a bag."""
        texts = []
        taken: set[str] = set()
        for bagged in (False, True):
            otherwise = "return over_dicts(n, d)"
            first, last = self.hops[0].plan, self.hops[-1].plan
            document = StructDocument(first.source_keys, last.target_keys, otherwise, len(self.hops))
            writer = FunctionWriter(self.resources.program, document, bagged=bagged)
            lines = [
                *([] if bagged else _decoding(otherwise)),
                *self.resources.name_lines(self.hops, otherwise),
                *self.resources.written(self.hops, writer, otherwise),
            ]
            taken |= document.looked
            title, arguments = ("through_bagged", "n, d, s") if bagged else ("through_records", "n, d")
            texts.append(function_text(title, arguments, tuple(hop.plan for hop in self.hops), lines))
        self._define(document, taken)
        return "\n\n".join(texts)

    def _define(self, document: StructDocument, decoded: set[str]) -> None:
        kinds = {key: Any if key in decoded else msgspec.Raw for key in document.source}
        source = _struct("Source", {document.source[key]: (key, kind) for key, kind in kinds.items()})
        target = _struct("Target", {f"f{index}": (key, Any) for index, key in enumerate(document.target)})
        self.resources.program.globals.update(
            Target=target,
            decode=msgspec.json.Decoder(source).decode,
            encode=msgspec.json.Encoder().encode,
            over_dicts=self.misfit,
            sealed=sealed,
            Unfit=(msgspec.DecodeError, UnicodeDecodeError, RecursionError),
        )


def _decoding(otherwise: str) -> list[str]:
    return [
        "try:",
        "    s = decode(d)",
        "except Unfit:",
        f"    {otherwise}",
        "if s.bag is not A:",
        "    return through_bagged(n, d, s)",
    ]


def _struct(name: str, fields: Mapping[str, tuple[str, object]]) -> type[msgspec.Struct]:
    """Make a struct whose absent fields are not written; `bag` is the last one."""
    return msgspec.defstruct(
        name,
        [*((field, kind, ABSENT) for field, (_, kind) in fields.items()), ("bag", Any, ABSENT)],
        rename={**{field: key for field, (key, _) in fields.items()}, "bag": BAG},
        forbid_unknown_fields=True,
        omit_defaults=True,
        gc=False,
    )
