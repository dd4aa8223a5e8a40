"""Plans as straight-line Python: one readable function per pair of object types.

The document is copied once, what changes is taken out and put back elsewhere. Whatever has no form of its
own here calls the step of the reference engine, so that both engines cannot mean different things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from migrations_app.domain.conversion.bag import BAG, entries, entry, is_current, seal, value_of
from migrations_app.domain.conversion.hooks import Amend
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.states import ABSENT, Keys, read, same, write
from migrations_app.domain.conversion.steps import Appear, Carry, Dissolve, Drop, Gather, Hollow, Reform, Step
from migrations_app.domain.conversion.values import SAME, Conv, Each, EachValue, Inner, Table
from migrations_app.kernel.json import JsonObject

Generated: TypeAlias = Callable[[JsonObject], JsonObject]

_WORDS: dict[str, object] = {
    "A": ABSENT,
    "entries": entries,
    "entry": entry,
    "is_current": is_current,
    "read": read,
    "same": same,
    "seal": seal,
    "value_of": value_of,
    "write": write,
}


class Program:
    """The functions generated for a plan and for the plans inside it."""

    def __init__(self) -> None:
        self.globals: dict[str, object] = dict(_WORDS)
        self.sources: dict[str, str] = {}
        self._names: dict[ObjectPlan, str] = {}

    def function(self, plan: ObjectPlan) -> Generated:
        """Generate a plan, and what it calls, as functions."""
        name = self.name(plan)
        made = self.globals[name]
        assert callable(made)
        return made

    def name(self, plan: ObjectPlan) -> str:
        """Tell the name of a plan's function, generating it when it is new."""
        found = self._names.get(plan)
        if found is None:
            found = self._names[plan] = f"convert_{len(self._names)}"
            source = _Function(self, plan, found).source()
            self.sources[found] = source
            exec(compile(source, f"<{plan.name}>", "exec"), self.globals)  # noqa: S102 - our own text
        return found

    def keep(self, value: object, stem: str) -> str:
        """Keep an object that the generated text refers to by name."""
        name = f"{stem}_{len(self.globals)}"
        self.globals[name] = value
        return name


def generate(plan: ObjectPlan) -> Generated:
    """Generate a plan as a Python function."""
    return Program().function(plan)


def generated_source(plan: ObjectPlan) -> str:
    """Show the text of the functions generated for a plan, for people."""
    program = Program()
    program.name(plan)
    return "\n\n".join(program.sources.values())


class _Function:
    def __init__(self, program: Program, plan: ObjectPlan, name: str) -> None:
        self.program, self.plan, self.name = program, plan, name
        self.taken: dict[str, str] = {}
        self.made = {step.slot.keys[0] for step in plan.steps if isinstance(step, Reform)}

    def source(self) -> str:
        """Write the function."""
        body = [line for step in self.plan.steps for line in self._step(step)]
        for key in sorted(self.plan.source_keys - self.plan.kept_keys):
            self._take(key)
        lines = [
            f"def {self.name}(s):",
            f"    # {self.plan.name}",
            "    t = s.copy()",
            f"    bagged = t.pop({BAG!r}, A) is not A",
            "    b = entries(s) if bagged else {}",
            *(f"    {name} = t.pop({key!r}, A)" for key, name in self.taken.items()),
            *self._clashes(),
            *(f"    {line}" for line in body),
            *self._restored(),
            "    if b:",
            "        seal(t, b)",
            "    return t",
        ]
        return "\n".join(lines) + "\n"

    def _take(self, key: str) -> str:
        return self.taken.setdefault(key, f"v{len(self.taken)}")

    def _clashes(self) -> Iterator[str]:
        for key in sorted(self.plan.target_keys - self.plan.source_keys):
            yield f"    if {key!r} in t:"
            yield f"        b[{f'?{key}@{self.plan.source_version}'!r}] = {{'v': t.pop({key!r})}}"

    def _restored(self) -> Iterator[str]:
        keys = sorted(self.plan.source_keys - self.plan.target_keys)
        if keys:
            yield "    if bagged and b:"
        for key in keys:
            yield f"        if (e := b.pop({f'?{key}@{self.plan.target_version}'!r}, A)) is not A:"
            yield f"            t.setdefault({key!r}, e.get('v'))"

    def _step(self, step: Step) -> Iterator[str]:
        if isinstance(step, Carry):
            yield from self._carry(step)
        elif isinstance(step, Drop) and step.fill is ABSENT and len(step.slot.keys) == 1:
            name = self._take(step.slot.keys[0])
            if not step.slot.sensitive:
                yield f"if {name} is not A:"
                yield f"    b[{step.slot.lineage!r}] = {{'v': {name}}}"
        elif isinstance(step, Appear) and step.fill is ABSENT:
            yield f"if bagged and (e := b.pop({step.slot.lineage!r}, A)) is not A:"
            yield f"    write(t, {step.slot.keys!r}, value_of(e))"
        elif isinstance(step, Dissolve) and len(step.slot.keys) == 1 and not any(step.leaves.values()):
            yield from self._dissolve(step)
        else:
            for slot in _sources(step):
                self._take(slot[0])
            yield f"{self.program.keep(step, 'step')}.run(s, t, b)"

    def _carry(self, step: Carry) -> Iterator[str]:
        source, target = step.source.keys, step.target.keys
        if step.conv is SAME and source == target and len(source) == 1:
            return
        name = self._read(source)
        if len(source) > 1:
            yield f"w = {name}"
            name = "w"
        if step.is_free:
            value = self._value(step.conv, name)
            yield f"if {name} is not A:"
            yield f"    {self._put(target, value)}"
        else:
            yield from self._checked(step, name)

    def _read(self, keys: Keys) -> str:
        if len(keys) == 1:
            return self._take(keys[0])
        if len(keys) == 2 and keys[0] not in self.plan.kept_keys:
            head = self._take(keys[0])
            return f"{head}.get({keys[1]!r}, A) if {head}.__class__ is dict else A"
        return f"read(s, {keys!r})"

    def _dissolve(self, step: Dissolve) -> Iterator[str]:
        """Keep what is left of an object when its leaves are gone, and an empty one."""
        head, leaves = self._take(step.slot.keys[0]), self.program.keep(frozenset(step.leaves), "leaves")
        yield f"if {head}.__class__ is dict:"
        yield f"    r = {{k: x for k, x in {head}.items() if k not in {leaves}}}"
        yield f"    if r or not {head}:"
        yield f"        b[{step.slot.lineage!r}] = {{'v': r}}"
        yield f"elif {head} is not A:"
        yield f"    b[{step.slot.lineage!r}] = {{'v': {head}}}"

    def _checked(self, step: Carry, name: str) -> Iterator[str]:
        """Convert, restore what is current, stash what the way back would not find."""
        there = self.program.keep(step.conv, "there")
        quiet = step.conv(ABSENT) is ABSENT and step.conv.inverse(ABSENT) is ABSENT
        yield f"v = {name}"
        yield "if bagged or v is not A:" if quiet else "if True:"
        yield f"    m = {there}(v)"
        yield f"    if bagged and (e := b.pop({step.target.derived!r}, A)) is not A and is_current(e, v):"
        yield "        m = value_of(e)"
        if not step.conv.exact:
            back = self.program.keep(step.conv.inverse, "back")
            yield f"    elif (i := {back}(m)) is not v and not same(i, v):"
            yield f"        b[{step.source.derived!r}] = entry(v, m, derived=True)"
        yield "    if m is not A:"
        yield f"        {self._put(step.target.keys, 'm')}"

    def _put(self, keys: Keys, value: str) -> str:
        if len(keys) == 1:
            return f"t[{keys[0]!r}] = {value}"
        if len(keys) == 2 and keys[0] in self.made:
            return f"t.setdefault({keys[0]!r}, {{}})[{keys[1]!r}] = {value}"
        return f"write(t, {keys!r}, {value})"

    def _value(self, conv: Conv, name: str) -> str:
        """Write a conversion that is exact both ways as an expression."""
        if conv is SAME:
            return name
        if isinstance(conv, Inner) and isinstance(conv.plan, ObjectPlan):
            return f"{self._function(conv.plan)}({name}) if {name}.__class__ is dict else {name}"
        if isinstance(conv, Each):
            inner = self._value(conv.item, "x")
            return f"[{inner} for x in {name}] if {name}.__class__ is list else {name}"
        if isinstance(conv, EachValue):
            inner = self._value(conv.item, "x")
            return f"{{k: {inner} for k, x in {name}.items()}} if {name}.__class__ is dict else {name}"
        if isinstance(conv, Table):
            table = self.program.keep(dict(conv.there), "table")
            return f"{table}.get({name}, {name}) if {name}.__class__ is str else {name}"
        return f"{self.program.keep(conv, 'there')}({name})"

    def _function(self, plan: ObjectPlan) -> str:
        return self.program.name(plan)


def _sources(step: Step) -> Iterator[Keys]:
    """Tell where a step reads what then is gone from the target."""
    if isinstance(step, Gather):
        yield from (slot.keys for slot in step.sources if len(slot.keys) == 1)
    elif isinstance(step, Drop | Dissolve) and len(step.slot.keys) == 1:
        yield step.slot.keys
    elif not isinstance(step, Drop | Dissolve | Appear | Reform | Hollow | Amend):
        raise TypeError(f"{type(step).__name__} is unknown to the generator")
