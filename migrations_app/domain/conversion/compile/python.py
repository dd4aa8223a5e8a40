"""Plans as straight-line Python: one readable function per pair of object types, or per chain of such pairs.

Every function is there twice: for documents without a bag, which nearly all are, and for those with one. A
plan with a step that has no text of its own runs by the reference engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from migrations_app.domain.conversion.bag import BAG, entries, entry, is_current, seal, value_of
from migrations_app.domain.conversion.compile.documents import DictDocument, ShownDocument
from migrations_app.domain.conversion.compile.lists import Element, list_source, plain, whole
from migrations_app.domain.conversion.compile.writing import FunctionWriter, can_write
from migrations_app.domain.conversion.plan import ObjectPlan, give_back
from migrations_app.domain.conversion.states import ABSENT, same, write
from migrations_app.domain.conversion.steps import bundled, overlaid, remainder, unbundled
from migrations_app.domain.conversion.values import Conv
from migrations_app.kernel.json import JsonObject

Generated: TypeAlias = Callable[[JsonObject], JsonObject]
Plans: TypeAlias = tuple[ObjectPlan, ...]

_WORDS: dict[str, object] = {
    "A": ABSENT,
    **{
        word.__name__: word
        for word in (
            bundled,
            entries,
            entry,
            give_back,
            is_current,
            overlaid,
            remainder,
            same,
            seal,
            unbundled,
            value_of,
            write,
        )
    },
}


class Program:
    """The functions generated for plans and for the plans inside them; also names what their text refers to.

    Unless it `keeps`, what they make is for showing: nothing is stashed for an inverse.
    """

    def __init__(self, *, keeps: bool = True) -> None:
        self.keeps = keeps
        self.globals: dict[str, object] = dict(_WORDS)
        self.sources: dict[str, str] = {}
        self._names: dict[Plans, str] = {}
        self._kept: dict[int, str] = {}
        self.element: Element = plain

    def writer(self, otherwise: str, *, bagged: bool) -> FunctionWriter:
        """Begin the text of a function from dict to dict; `otherwise` returns what the reference engine makes."""
        if self.keeps:
            return FunctionWriter(self, DictDocument(), bagged=bagged)
        return FunctionWriter(self, ShownDocument(), bagged=bagged, otherwise=otherwise)

    def function(self, plans: Plans) -> Generated:
        """Generate a chain of plans, and what it calls, as functions."""
        return self.made(self.name(plans))

    def made(self, name: str) -> Callable[..., Any]:
        """Give a function that was generated."""
        found = self.globals[name]
        assert callable(found)
        return found

    def name(self, plans: Plans) -> str:
        """Tell the name of a chain's function, generating it when it is new."""
        found = self._names.get(plans)
        if found is not None:
            return found
        found = self._names[plans] = f"convert_{len(self._names)}"
        if all(map(can_write, plans)):
            self.define(found, object_source(self, plans, found))
        elif len(plans) == 1:
            self.globals[found] = plans[0].run
        else:
            self.globals[found] = _one_by_one([self.function((plan,)) for plan in plans])
        return found

    def define(self, name: str, source: str) -> None:
        """Make the functions of a text known."""
        self.sources[name] = source
        exec(compile(source, f"<{name}>", "exec"), self.globals)  # noqa: S102 - our own text

    def keep(self, value: object, stem: str) -> str:
        """Keep an object that the generated text refers to by name."""
        name = f"{stem}_{len(self.globals)}"
        self.globals[name] = value
        return name

    def lister(self, conv: Conv) -> str | None:
        """Tell the name of the function that restructures a list; None when there is no short form."""
        name = f"list_{len(self.globals)}"
        text = list_source(conv, name, f"whole_{name}", self.element)
        if text is None:
            return None
        self.globals[f"whole_{name}"] = lambda state: whole(conv, state)
        self.define(name, text)
        return name


def _one_by_one(functions: Iterable[Generated]) -> Generated:
    chain = tuple(functions)

    def _convert(document: JsonObject) -> JsonObject:
        for function in chain:
            document = function(document)
        return document

    return _convert


def object_source(program: Program, plans: Plans, name: str) -> str:
    """Write the two functions of a chain of plans."""
    texts = []
    otherwise = (
        "" if program.keeps else f"return {program.keep(_one_by_one([p.run for p in plans]), 'slow')}(s)"
    )
    for bagged in (False, True):
        writer = program.writer(otherwise, bagged=bagged)
        for plan in plans:
            writer.hop(plan)
        head = [] if bagged else [f"if {BAG!r} in s:", f"    return {name}_bagged(s)"]
        texts.append(
            function_text(f"{name}{'_bagged' if bagged else ''}", "s", plans, [*head, *writer.finish()])
        )
    return "\n\n".join(texts)


def function_text(name: str, arguments: str, plans: Plans, lines: Iterable[str]) -> str:
    """Put a function together."""
    title = ", then ".join(plan.name for plan in plans)
    return (
        "\n".join([f"def {name}({arguments}):", f"    # {title}", *(f"    {line}" for line in lines)]) + "\n"
    )


def generate(*plans: ObjectPlan) -> Generated:
    """Generate a plan, or a chain of plans as one, as a Python function."""
    return Program().function(plans)


def generated_source(*plans: ObjectPlan) -> str:
    """Show the text of the functions generated for a chain of plans, for people."""
    program = Program()
    program.name(plans)
    return "\n\n".join(program.sources.values())
