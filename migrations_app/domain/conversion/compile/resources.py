"""Whole resources through a chain of edges, name and document together, as generated functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from migrations_app.domain.conversion.bag import BAG
from migrations_app.domain.conversion.compile.names import name_source
from migrations_app.domain.conversion.compile.python import Program, function_text
from migrations_app.domain.conversion.compile.writing import FunctionWriter, can_write
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.kernel.json import JsonObject

Resource: TypeAlias = tuple[str, JsonObject]
Forward: TypeAlias = Callable[[str, JsonObject], Resource]


class ResourceProgram:
    """The functions of the hops of one converter: as few as the plans allow, one after the other.

    Unless it `keeps`, what they make is for showing. That is for one hop: a later one reads what was stashed.
    """

    def __init__(self, hops: Sequence[ResourcePlan], *, keeps: bool = True) -> None:
        self.program = Program(keeps=keeps)
        self.names: dict[ResourcePlan, str] = {}
        for hop in hops:
            self._name(hop)
        self.groups = list(self._grouped(hops))

    def _name(self, hop: ResourcePlan) -> None:
        """Generate the names of a hop, where they can be."""
        name = f"name_{len(self.names)}"
        text = None if hop.names.is_identity else name_source(self.program, hop.names, name)
        if text is not None:
            self.program.define(name, text)
            self.names[hop] = name
            if not self.program.keeps:
                # What is shown is shown again: a list that is read every second.
                remembered = lru_cache(maxsize=1 << 14)(self.program.made(name))
                self.program.globals[name] = remembered

    def is_quick(self, hop: ResourcePlan) -> bool:
        """Tell whether a hop has a text that may stand in a chain."""
        return hop.guard is None and can_write(hop.plan) and (hop.names.is_identity or hop in self.names)

    def _grouped(self, hops: Sequence[ResourcePlan]) -> Iterator[tuple[ResourcePlan, ...]]:
        group: list[ResourcePlan] = []
        for hop in hops:
            joins = self.is_quick(hop) and all(
                left.plan.target_keys == right.plan.source_keys for left, right in pairwise([*group, hop])
            )
            if group and not joins:
                yield tuple(group)
                group = []
            if self.is_quick(hop):
                group.append(hop)
            else:
                yield (hop,)
        if group:
            yield tuple(group)

    def forward(self) -> Forward:
        """Generate the conversion of a resource, name and document."""
        functions = [self._group(group, f"resource_{index}") for index, group in enumerate(self.groups)]
        return functions[0] if len(functions) == 1 else _in_turn(functions)

    def _group(self, group: tuple[ResourcePlan, ...], name: str) -> Forward:
        if all(hop.is_identity for hop in group):
            return lambda name, body: (name, body)
        if not all(map(self.is_quick, group)):
            return group[0].with_engine(self.program.function((group[0].plan,)))
        self.program.globals[f"slow_{name}"] = _in_turn([hop.run for hop in group])
        self.program.define(name, self.source(group, name))
        return self.program.made(name)

    def source(self, group: tuple[ResourcePlan, ...], name: str) -> str:
        """Write the two functions of a chain of hops."""
        texts = []
        for bagged in (False, True):
            head = [] if bagged else [f"if {BAG!r} in s:", f"    return {name}_bagged(n, s)"]
            otherwise = f"return slow_{name}(n, s)"
            writer = self.program.writer(otherwise, bagged=bagged)
            lines = [*head, *self.name_lines(group, otherwise), *self.written(group, writer, otherwise)]
            title = f"{name}{'_bagged' if bagged else ''}"
            texts.append(function_text(title, "n, s", tuple(hop.plan for hop in group), lines))
        return "\n\n".join(texts)

    def name_lines(self, group: tuple[ResourcePlan, ...], otherwise: str) -> Iterator[str]:
        """Convert the name through all hops; give up where one is out of the ordinary."""
        before = "n"
        for index, hop in enumerate(group):
            if hop in self.names:
                yield f"if (n{index} := {self.names[hop]}({before})) is None:"
                yield f"    {otherwise}"
                before = f"n{index}"

    def written(self, group: tuple[ResourcePlan, ...], writer: FunctionWriter, otherwise: str) -> list[str]:
        """Write the documents through all hops, the names in them included; give up on names from the bag."""
        if writer.bagged and any(hop in self.names for hop in group):
            marks = self.program.keep(frozenset(f"name@{hop.plan.target_version}" for hop in group), "names")
            writer.write([f"if not b.keys().isdisjoint({marks}):", f"    {otherwise}"])
        name = "n"
        for index, hop in enumerate(group):
            if hop in self.names:
                name = f"n{index}"
            if not hop.plan.is_identity or hop in self.names:
                writer.hop(hop.plan, lambda: _renamed(writer, hop, name) if hop in self.names else None)  # noqa: B023
        return writer.finish(f"{name}, ")


def resource_source(hops: Sequence[ResourcePlan]) -> str:
    """Show the text of the functions generated for a converter's hops, for people."""
    program = ResourceProgram(hops)
    program.forward()
    return "\n\n".join(program.program.sources.values()) or "Nothing changes."


def _renamed(writer: FunctionWriter, hop: ResourcePlan, name: str) -> None:
    """Write the new name into the document, if it carried the old one."""
    old, new = hop.source_name_key, hop.target_name_key
    carried, made = writer.take(old), writer.fresh()
    writer.write([f"{made} = {name} if {carried} is not A else {writer.ready(writer.made.get(new, 'A'))}"])
    writer.made[new] = made


def _in_turn(functions: Sequence[Forward]) -> Forward:
    chain = tuple(functions)

    def _convert(name: str, body: JsonObject) -> Resource:
        for function in chain:
            name, body = function(name, body)
        return name, body

    return _convert
