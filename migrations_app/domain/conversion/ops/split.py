"""`split` and `merge`: one text becomes several by a template, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from migrations_app.domain.conversion.edge import Decl
from migrations_app.domain.conversion.findings import Finding
from migrations_app.domain.conversion.ops.base import Class, Functions, Kind, Op, Site
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.steps import Bundle, Mapper

_VARIABLE = re.compile(r"\{(\w+)\}")


def _whole_to_parts(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (decl.text("from"),), decl.texts("to")


def _parts_to_whole(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return decl.texts("from"), (decl.text("to"),)


def _split(site: Site, decl: Decl) -> Functions:
    parse, form = _functions(site, decl, decl.texts("to"))
    return Functions(parse, form, {"template": decl.text("template")}, sure=True)


def _merge(site: Site, decl: Decl) -> Functions:
    parse, form = _functions(site, decl, decl.texts("from"))
    return Functions(form, parse, {"template": decl.text("template")}, sure=True)


def _functions(site: Site, decl: Decl, paths: tuple[str, ...]) -> tuple[Mapper, Mapper]:
    """Make the parser and the formatter; a part never holds the literal text that follows it."""
    template = decl.text("template")
    names = [path.rpartition(".")[2] for path in paths]
    pieces = _VARIABLE.split(template)
    if sorted(pieces[1::2]) != sorted(names):
        message = f"The template must name {', '.join(names)}, each once."
        site.report(Finding("E-ARGS", message, decl.place, f'Like "{" ".join(f"{{{n}}}" for n in names)}".'))
        return _nothing(len(names)), _nothing(1)
    if not all(pieces[2:-1:2]):
        message = "Between two parts of a template stands a text that tells them apart."
        site.report(Finding("E-ARGS", message, decl.place, "Write it between the braces."))
    grammar = Template(pieces[0], tuple(pieces[2::2]), tuple(names.index(name) for name in pieces[1::2]))
    return grammar.parse, grammar.form


def _nothing(count: int) -> Mapper:
    return lambda states: (ABSENT,) * count


@dataclass(frozen=True, slots=True)
class Template:
    """Texts with literal text between them; `order` tells which state each text is."""

    head: str
    literals: tuple[str, ...]
    order: tuple[int, ...]

    def parse(self, states: Bundle) -> Bundle:
        """Take a text apart; all absent when it is not of the template."""
        nothing = (ABSENT,) * len(self.order)
        rest = states[0]
        if not isinstance(rest, str) or not rest.startswith(self.head):
            return nothing
        rest = rest[len(self.head) :]
        found: list[State] = list(nothing)
        for place, literal in zip(self.order, self.literals, strict=True):
            part, mark, rest = rest.partition(literal) if literal else (rest, "", "")
            if not part or mark != literal:
                return nothing
            found[place] = part
        return nothing if rest else tuple(found)

    def form(self, states: Bundle) -> Bundle:
        """Write the texts as one; absent when they would not be found in it again."""
        whole = self.head
        for place, literal in zip(self.order, self.literals, strict=True):
            part = states[place]
            if part.__class__ is not str or not part:
                return (ABSENT,)
            whole = f"{whole}{part}{literal}"
        return (whole,) if self.parse((whole,)) == states else (ABSENT,)


OP = Op(
    name="split",
    kind=Kind.GATHER,
    keeps=Class.INJECTIVE,
    summary="A text becomes several, by a template.",
    arguments={"from": "!the old field", "to": "!the new fields", "template": "!how the text is written"},
    example='split: {from: full_name, to: [first, last], template: "{first} {last}"}',
    places=_whole_to_parts,
    mapping=_split,
    backward="formatted; a text that does not parse waits whole in the bag",
    filters="residual",
    masks="any part stands for the whole",
)

MERGE = Op(
    name="merge",
    kind=Kind.GATHER,
    keeps=Class.INJECTIVE,
    summary="Several texts become one, by a template.",
    arguments={"from": "!the old fields", "to": "!the new field", "template": "!how the text is written"},
    example='merge: {from: [first, last], to: full_name, template: "{first} {last}"}',
    places=_parts_to_whole,
    mapping=_merge,
    backward="parsed; parts that the text cannot show wait in the bag",
    filters="residual",
    masks="the whole stands for every part",
)
