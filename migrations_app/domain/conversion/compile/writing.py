"""The text of one generated function: a document through a chain of plans, in one pass.

What a plan makes of a key stays in a variable, which the next plan reads; so a chain builds no document in
between. The function exists twice: lean for documents without a bag, and full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

from migrations_app.domain.conversion.compile.documents import Document
from migrations_app.domain.conversion.compile.expressions import (
    Words,
    are_joinable,
    checked,
    expression,
    joined,
)
from migrations_app.domain.conversion.compile.texts import formed, parsed
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.shapes import Fill
from migrations_app.domain.conversion.states import ABSENT, Keys
from migrations_app.domain.conversion.steps import (
    Appear,
    Carry,
    ConversionStep,
    Dissolve,
    Drop,
    Gather,
    OptionalObject,
    Reform,
    Slot,
)
from migrations_app.domain.conversion.values import (
    SAME,
    Coded,
    Conv,
    ConversionChain,
    EachValue,
    Inner,
    ListConversion,
)

Lines = Iterator[str]


class FunctionWriter:
    """Writes the body of a function; plans are written one after the other with `hop`.

    With `otherwise` nothing is stashed: for documents that are shown and never converted back. It returns what the
    reference engine makes, where it matters that something would have been.
    """

    def __init__(self, words: Words, document: Document, *, bagged: bool, otherwise: str = "") -> None:
        self.words, self.document, self.bagged = words, document, bagged
        self.keeps, self.otherwise = not otherwise, otherwise
        self._opening = list(document.begin(bagged=bagged))
        self.lines: list[str] = []
        self.values: dict[str, str] = {}  # keys of the present document that are in variables
        self.taken: dict[str, str] = {}
        self.made: dict[str, str] = {}
        self.stashed: set[str] = set()
        self.waiting: dict[str, tuple[tuple[Conv, ...], str]] = {}  # variables that were not needed yet
        self._numbers = count()

    # One plan.

    def hop(self, plan: ObjectPlan, also: Callable[[], None] = lambda: None) -> None:
        """Write a plan; `also` writes what happens when its document is ready."""
        self.taken, self.made = {}, {}
        for key in sorted(plan.source_keys - plan.kept_keys):
            self.take(key)
        room = sorted(plan.target_keys - plan.source_keys)
        self._will_stash(*(f"?{key}@{plan.source_version}" for key in room))
        self.write(self.document.unknown(room, plan.source_version))
        for step in plan.steps:
            self._step(step, plan)
        also()
        self._returned(plan)
        for key, value in self.values.items():
            self.made.setdefault(key, value)
        self.values = self.made

    def write(self, lines: Iterable[str]) -> None:
        """Add lines."""
        self.lines += lines

    def fresh(self) -> str:
        """Name a new variable."""
        return f"v{next(self._numbers)}"

    def ready(self, name: str) -> str:
        """See that a variable has been given its value."""
        if name in self.waiting:
            convs, source = self.waiting.pop(name)
            if are_joinable(convs):
                self.write([f"{name} = {joined(self.words, convs, self.ready(source))}"])
            else:
                at = self.ready(source)
                for conv in convs:
                    self.write([f"{name} = {expression(self.words, conv, at)}"])
                    at = name
        return name

    def take(self, key: str) -> str:
        """Tell the variable with the value of a key that does not stay where it is."""
        if key not in self.taken:
            name = self.values.pop(key, "")
            if not name:
                name = self.fresh()
                self.write([self.document.take(key, name)])
            self.taken[key] = name
        return self.taken[key]

    def finish(self, name: str = "") -> list[str]:
        """Write the end; `name` is returned beside the document."""
        values = {key: self.ready(value) for key, value in self.values.items()}
        fills = self.bagged or bool(self.stashed)
        bag = ["b = {}"] if fills and not self.bagged else []
        return [*self._opening, *bag, *self.lines, *self.document.end(values, name, fills=fills)]

    # What steps read and write.

    def _head(self, key: str, plan: ObjectPlan) -> str:
        """Tell a variable with the value of a key, which may be one that stays."""
        if key in self.taken or key not in plan.kept_keys:
            return self.ready(self.take(key))
        if key in self.values:
            return self.ready(self.values[key])
        name = self.fresh()
        self.write([self.document.look(key, name)])
        return name

    def _read(self, keys: Keys, plan: ObjectPlan) -> str:
        head = self._head(keys[0], plan)
        for key in keys[1:]:
            name = self.fresh()
            self.write([f"{name} = {head}.get({key!r}, A) if {head}.__class__ is dict else A"])
            head = name
        return head

    def _put(self, keys: Keys, value: str) -> None:
        """Put the value in a variable at its place; absent writes nothing."""
        if len(keys) == 1:
            self.made[keys[0]] = value
            return
        self.ready(value)
        at = self.ready(self.made.get(keys[0], "A"))
        if at == "A" or at in self.taken.values():
            name = self.fresh()
            self.write([f"{name} = {at}"])
            self.made[keys[0]] = at = name
        deep = len(keys) > 2
        place = f"write({at}, {keys[1:]!r}, {value})" if deep else f"{at}[{keys[1]!r}] = {value}"
        if self.lines[-1] == f"{at} = A" and not deep:
            self.lines[-1] = f"{at} = {{{keys[1]!r}: {value}}} if {value} is not A else A"
            return
        self.write(
            [
                f"if {value} is not A:",
                f"    if {at}.__class__ is not dict:",
                f"        {at} = {{}}",
                f"    {place}",
            ]
        )

    def _will_stash(self, *keys: str) -> None:
        if self.keeps:
            self.stashed.update(keys)

    def _may_hold(self, key: str) -> bool:
        return self.bagged or key in self.stashed

    def _returned(self, plan: ObjectPlan) -> None:
        keys = sorted(plan.source_keys - plan.target_keys)
        table = {f"?{key}@{plan.target_version}": key for key in keys}
        if any(self._may_hold(key) for key in table):
            self.write(self.document.returned(self.words.keep(table, "back"), keys))

    # Steps.

    def _step(self, step: ConversionStep, plan: ObjectPlan) -> None:
        match step:
            case Carry():
                self._carry(step, plan)
            case Drop():
                self._drop(step, plan)
            case Appear():
                self._appear(step)
            case Gather():
                self._gather(step, plan)
            case Dissolve():
                self._dissolve(step, plan)
            case Reform():
                self._reform(step)
            case OptionalObject():
                self._optional_object(step, plan)
            case _:
                raise TypeError(f"{type(step).__name__} is unknown to the generator")

    def _carry(self, step: Carry, plan: ObjectPlan) -> None:
        source, target = step.source.keys, step.target.keys
        if step.conv is SAME:
            if source != target or len(source) > 1:
                self._put(target, self._plain(source, plan))
            return
        if step.is_free:
            self._put(target, self._later(step.conv, self._plain(source, plan)))
            return
        name = self.fresh()
        self._checked(step, self._read(source, plan), name)
        self._put(target, name)

    def _later(self, conv: Conv, value: str) -> str:
        """Name the converted value; it is converted when it is needed, with what comes after in one walk."""
        name = self.fresh()
        links = conv.links if isinstance(conv, ConversionChain) else (conv,)
        before, start = self.waiting.get(value, ((), value))
        if before and are_joinable((*before, *links)):
            self.waiting[name] = ((*before, *links), start)
        else:
            self.waiting[name] = (links, self.ready(value))
        return name

    def _plain(self, keys: Keys, plan: ObjectPlan) -> str:
        """Tell the variable of a value that may still be waiting to be converted."""
        if len(keys) == 1 and keys[0] not in plan.kept_keys:
            return self.take(keys[0])
        return self._read(keys, plan)

    def _checked(self, step: Carry, value: str, name: str) -> None:
        """Convert, restore what is current, stash what the inverse would not find."""
        if not step.conv.exact:
            self._will_stash(step.source.derived)
        entry = f"b[{step.source.derived!r}] = entry({value}, {name}, derived=True)"
        stash = entry if self.keeps else None
        quiet = not _fills(step.conv) and not _fills(step.conv.inverse)
        lines = list(checked(self.words, step.conv, value, name, stash, here=quiet))
        if quiet:
            lines = [f"if {value} is A:", f"    {name} = A", "else:", *_in(lines)]
        if self._may_hold(step.target.derived):
            test = f"(e := b.pop({step.target.derived!r}, A)) is not A and is_current(e, {value})"
            restored = [f"if {test}:", f"    {name} = value_of(e)"]
            lines = [*restored, *([f"el{lines[0]}", *lines[1:]] if quiet else ["else:", *_in(lines)])]
        self.write(lines)

    def _drop(self, step: Drop, plan: ObjectPlan) -> None:
        value = self._read(step.slot.keys, plan)
        if step.slot.sensitive or not self.keeps:
            return
        self._will_stash(step.slot.lineage)
        if step.fill is ABSENT:
            self.write([f"if {value} is not A:", f"    b[{step.slot.lineage!r}] = {{'v': {value}}}"])
        else:
            test = f"not same({value}, {self.words.keep(step.fill, 'fill')})"
            self.write([f"if {test}:", f"    b[{step.slot.lineage!r}] = entry({value})"])

    def _appear(self, step: Appear) -> None:
        fill = "A" if step.fill is ABSENT else self.words.keep(step.fill, "fill")
        name = self.fresh()
        if self._may_hold(step.slot.lineage):
            self.write(
                [
                    f"e = b.pop({step.slot.lineage!r}, A)",
                    f"{name} = {fill} if e is A else value_of(e)",
                ]
            )
        elif fill == "A":
            return
        else:
            self.write([f"{name} = {fill}"])
        self._put(step.slot.keys, name)

    def _gather(self, step: Gather, plan: ObjectPlan) -> None:
        sources = [self._read(slot.keys, plan) for slot in step.sources]
        names = [self.fresh() for _ in step.targets]
        mine, theirs = step.keys
        self._will_stash(mine)
        states, made = _tuple(sources), _tuple(names)
        stash = f"b[{mine!r}] = entry(bundled({states}), bundled({made}), derived=True)"
        lines = [f"{made} = {self.words.keep(step.there, 'there')}({states})"]
        if step.template is None:
            back = self.words.keep(step.back, "back")
            checks = [f"if not all(map(same, {back}({made}), {states})):", f"    {stash}"]
        else:
            shaper = formed if step.there == step.template.form else parsed
            lines = [*shaper(step.template, sources, names)]
            checks = [f"if {names[0]} is A and {_some(sources)}:", f"    {stash}"]
        lines += checks if self.keeps else []
        if self._may_hold(theirs):
            lines = [
                f"if (e := b.pop({theirs!r}, A)) is not A and is_current(e, bundled({states})):",
                f"    {made} = unbundled(value_of(e), {len(names)})",
                "else:",
                *_in(lines),
            ]
        self.write(lines)
        for name, slot in zip(names, step.targets, strict=True):
            self._put(slot.keys, name)

    def _dissolve(self, step: Dissolve, plan: ObjectPlan) -> None:
        """Keep what is left of an object when its leaves are gone, and an empty one."""
        head = self._read(step.slot.keys, plan)
        if not self.keeps:
            return
        self._will_stash(step.slot.lineage)
        leaves = self.words.keep(step.leaves, "leaves")
        self.write(
            [
                f"if {head} is not A and (r := remainder({head}, {leaves})) is not A:",
                f"    b[{step.slot.lineage!r}] = entry(r)",
            ]
        )

    def _reform(self, step: Reform) -> None:
        if not self._may_hold(step.slot.lineage):
            return
        at = self.made.get(step.slot.keys[0], "A")
        name = self.fresh()
        self.write(
            [
                f"{name} = {self.ready(at)}",
                f"if (e := b.pop({step.slot.lineage!r}, A)) is not A:",
                f"    {name} = value_of(e) if {name} is A else overlaid(value_of(e), {name})",
            ]
        )
        self.made[step.slot.keys[0]] = name

    def _optional_object(self, step: OptionalObject, plan: ObjectPlan) -> None:
        before = self._read(step.source.keys, plan)
        after, name = self.made.get(step.target.keys[0], "A"), self.fresh()
        self.write([f"{name} = {self.ready(after)}"])
        self.made[step.target.keys[0]] = name
        mine, theirs = step.keys
        if step.undoes and self._may_hold(theirs):
            test = f"if (e := b.pop({theirs!r}, A)) is not A and {name} == {{}} and {before}:"
            # An object is not empty if it would hold a bag.
            self.write([test, f"    {name} = value_of(e)" if self.keeps else f"    {self.otherwise}"])
        if not step.notes or not self.keeps:
            return
        self._will_stash(mine)
        self.write(
            [
                f"if {name}.__class__ is dict and {before}.__class__ is not dict:",
                f"    b[{mine!r}] = entry({before})",
            ]
        )


def can_write(plan: ObjectPlan) -> bool:
    """Tell whether every step of a plan has a text of its own, so that it may stand in a chain."""
    return all(
        isinstance(step, Carry | Drop | Appear | Gather | Dissolve | Reform | OptionalObject)
        and _is_shallow(step)
        for step in plan.steps
    )


def _is_shallow(step: ConversionStep) -> bool:
    slots: tuple[Slot, ...] = ()
    if isinstance(step, Reform | Dissolve):
        slots = (step.slot,)
    elif isinstance(step, OptionalObject):
        slots = (step.source, step.target)
    return all(len(slot.keys) == 1 for slot in slots)


def _fills(conv: Conv) -> bool:
    if isinstance(conv, ConversionChain):
        return any(map(_fills, conv.links))
    if isinstance(conv, Inner | ListConversion | EachValue | Coded):
        return False
    return isinstance(conv, Fill) or conv(ABSENT) is not ABSENT


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def _some(names: Sequence[str]) -> str:
    return f"({' or '.join(f'{name} is not A' for name in names)})"


def _in(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]
